"""3.3.1: smoke grenades are one order of a move, and the hex is chosen after it."""

from sandtable.core.decision import Seat
from tests.aslsk.clash import Clash, side, squad


def test_3_3_1_smoke_grenades_are_one_order_with_a_hex_to_choose() -> None:
    clash = Clash("MPh", german=side(squad("a", "german/4-6-7", at="B2")), russian=side(squad("r", at="D1")))
    decision = clash.rules.decision(clash.state)
    assert decision is not None
    options = decision.options(Seat("german"))
    found = []

    def walk(keys: tuple[str, ...]) -> None:
        node = options.at(*keys)
        if node.shape == "path":
            found.append([branch for branch in node.branches() if "moke" in branch.label])
            return
        for branch in node.branches():
            walk((*keys, branch.key))

    walk(())
    smokes = [branches for branches in found if branches]
    assert smokes
    for (order,) in smokes:
        hexes = list(order.then.branches())
        assert len(hexes) > 1
        assert all(branch.kind == "hex" and branch.ref for branch in hexes)
        assert len({branch.ref for branch in hexes}) == len(hexes)
