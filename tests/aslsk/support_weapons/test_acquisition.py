"""4.5, 6.10, 6.11: what costs a light mortar its Acquired Target."""

from typing import Any

import pytest

from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.common.actions import Advance, Done, Fire, FireOrdnance, TransferWeapon
from sandtable.systems.aslsk.pieces.state import UnitId, WeaponId
from tests.aslsk.clash import Clash, side, squad

rules = pytest.mark.rules
A, B, R = UnitId("a"), UnitId("b"), UnitId("r")
W = WeaponId("w")
ROW = "." + " ." * 11


def ranged_in(phase: str, **fields: Any) -> Clash:
    """A mortar of squad a in A1 has acquired F1 as a clash counts hexes."""
    gun = {"id": "w", "card": "german/50mm MTR", "owner": "a", "acquired": "F1", "acquisition": -1}
    return Clash(
        phase,
        ROW,
        german=side(squad("a", at="A1"), squad("b", at="A1"), weapons=[gun]),
        russian=side(squad("r", "russian/4-4-7", at="F1")),
        **fields,
    )


@rules("4.5", system="aslsk3")
def test_4_5_it_is_lost_when_those_at_the_mortar_advance() -> None:
    clash = ranged_in("APh")
    clash.play(Advance((A,), clash.hex("B1")))
    assert clash.state.weapons[W].acquired is None


@rules("4.5", system="aslsk3")
def test_4_5_it_is_lost_with_possession() -> None:
    clash = ranged_in("APh")
    clash.play(TransferWeapon(W, B))
    assert clash.state.weapons[W].acquired is None


@rules("4.5", system="aslsk3")
@pytest.mark.parametrize("dice", [((1, 2), 6), ((3, 5), (6, 4))])
def test_4_5_it_is_lost_when_they_fall_or_break(dice: tuple[int | tuple[int, int], ...]) -> None:
    gun = {"id": "w", "card": "german/50mm MTR", "owner": "a", "acquired": "F1", "acquisition": -1}
    clash = Clash(
        "PFPh",
        ROW,
        german=side(squad("a", "german/2-4-7", at="A1"), weapons=[gun]),
        russian=side(squad("r", "russian/4-4-7", at="B1"), squad("s", "russian/4-4-7", at="B1")),
        attacker="russian",
    )
    clash.play(Fire((R, UnitId("s")), (), clash.hex("A1")), *dice)
    assert clash.unit("a").broken or not clash.unit("a").on_map
    assert clash.state.weapons[W].acquired is None


@rules("4.5", system="aslsk3")
def test_4_5_it_stays_with_those_who_stay() -> None:
    clash = ranged_in("PFPh")
    clash.play(FireOrdnance(clash.hex("F1"), W), (6, 5))
    assert (clash.state.weapons[W].acquired, clash.state.weapons[W].acquisition) == (clash.hex("F1"), -2)
    while clash.state.phase.value != "APh":
        clash.play(Done())
    assert clash.state.weapons[W].acquisition == -2


@rules("3.2.1", "4.5", system="aslsk3")
def test_4_5_nothing_is_acquired_without_a_line_of_sight() -> None:
    def shot(acquired: str) -> Hex | None:
        gun = {"id": "w", "card": "german/50mm MTR", "owner": "a"}
        aimed = {"acquired": acquired, "acquisition": -1} if acquired else {}
        clash = Clash(
            "PFPh",
            ". . b . . . .\n. . . . . . .",
            german=side(squad("a", at="A1"), weapons=[{**gun, **aimed}]),
            russian=side(squad("r", "russian/4-4-7", at="E1")),
        )
        assert not clash.context.sees(clash.state, clash.hex("A1"), clash.hex("E1"))
        clash.play(FireOrdnance(clash.hex("E1"), weapon=W), (3, 2))
        return clash.state.weapons[W].acquired

    assert shot("") is None
    assert shot("G2") is None, "fire at another target loses it all the same"
    assert shot("E1") is not None, "what was acquired before stays acquired"
