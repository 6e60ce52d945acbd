"""4.5, 6.10, 6.11: what costs a light mortar its Acquired Target."""

from typing import Any

import pytest

from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.common.actions import Advance, Done, Fire, FireOrdnance, TransferWeapon
from sandtable.systems.aslsk.pieces.state import UnitId, WeaponId
from tests.aslsk.desk import Desk, side, squad

rules = pytest.mark.rules
A, B, R = UnitId("a"), UnitId("b"), UnitId("r")
W = WeaponId("w")
ROW = "." + " ." * 11


def ranged_in(phase: str, **fields: Any) -> Desk:
    """A mortar of squad a in A1 has acquired F1 as the desk counts hexes."""
    gun = {"id": "w", "card": "german/50mm MTR", "owner": "a", "acquired": "F1", "acquisition": -1}
    return Desk(
        phase,
        ROW,
        german=side(squad("a", at="A1"), squad("b", at="A1"), weapons=[gun]),
        russian=side(squad("r", "russian/4-4-7", at="F1")),
        **fields,
    )


@rules("4.5", system="aslsk3")
def test_4_5_it_is_lost_when_those_at_the_mortar_advance() -> None:
    desk = ranged_in("APh")
    desk.play(Advance((A,), desk.hex("B1")))
    assert desk.state.weapons[W].acquired is None


@rules("4.5", system="aslsk3")
def test_4_5_it_is_lost_with_possession() -> None:
    desk = ranged_in("APh")
    desk.play(TransferWeapon(W, B))
    assert desk.state.weapons[W].acquired is None


@rules("4.5", system="aslsk3")
@pytest.mark.parametrize("dice", [((1, 2), 6), ((3, 5), (6, 4))])
def test_4_5_it_is_lost_when_they_fall_or_break(dice: tuple[int | tuple[int, int], ...]) -> None:
    gun = {"id": "w", "card": "german/50mm MTR", "owner": "a", "acquired": "F1", "acquisition": -1}
    desk = Desk(
        "PFPh",
        ROW,
        german=side(squad("a", "german/2-4-7", at="A1"), weapons=[gun]),
        russian=side(squad("r", "russian/4-4-7", at="B1"), squad("s", "russian/4-4-7", at="B1")),
        attacker="russian",
    )
    desk.play(Fire((R, UnitId("s")), (), desk.hex("A1")), *dice)
    assert desk.unit("a").broken or not desk.unit("a").on_map
    assert desk.state.weapons[W].acquired is None


@rules("4.5", system="aslsk3")
def test_4_5_it_stays_with_those_who_stay() -> None:
    desk = ranged_in("PFPh")
    desk.play(FireOrdnance(desk.hex("F1"), W), (6, 5))
    assert (desk.state.weapons[W].acquired, desk.state.weapons[W].acquisition) == (desk.hex("F1"), -2)
    while desk.state.phase.value != "APh":
        desk.play(Done())
    assert desk.state.weapons[W].acquisition == -2


@rules("3.2.1", "4.5", system="aslsk3")
def test_4_5_nothing_is_acquired_without_a_line_of_sight() -> None:
    def shot(acquired: str) -> Hex | None:
        gun = {"id": "w", "card": "german/50mm MTR", "owner": "a"}
        aimed = {"acquired": acquired, "acquisition": -1} if acquired else {}
        desk = Desk(
            "PFPh",
            ". . b . . . .\n. . . . . . .",
            german=side(squad("a", at="A1"), weapons=[{**gun, **aimed}]),
            russian=side(squad("r", "russian/4-4-7", at="E1")),
        )
        assert not desk.context.sees(desk.state, desk.hex("A1"), desk.hex("E1"))
        desk.play(FireOrdnance(desk.hex("E1"), weapon=W), (3, 2))
        return desk.state.weapons[W].acquired

    assert shot("") is None
    assert shot("G2") is None, "fire at another target loses it all the same"
    assert shot("E1") is not None, "what was acquired before stays acquired"
