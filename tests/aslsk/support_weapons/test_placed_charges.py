"""4.3: a demolition charge that a situation says is placed goes off as one that was placed in play."""

from typing import Any

import pytest

from sandtable.core.errors import BadInput
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import Fire
from sandtable.systems.aslsk.pieces.state import UnitId, WeaponId
from tests.aslsk.clash import Clash, side, squad

rules = pytest.mark.rules
DC = WeaponId("dc")


def placed(card: str = "german/5-4-8", charge: str = "german/DC", **fields: Any) -> Clash:
    cx = fields.pop("cx", False)
    return Clash(
        "AFPh",
        ". b .",
        german=side(squad("a", card, at="A1", cx=cx), weapons=[{"id": "dc", "card": charge, "placed": "B1", **fields}]),
        russian=side(squad("r", "russian/4-4-7", at="B1")),
    )


@rules("4.3", system="aslsk3")
@pytest.mark.parametrize(
    ("card", "owner", "fails_at"), [("german/5-4-8", "a", 12), ("german/4-6-7", "a", 10), ("german/4-6-7", "", 12)]
)
def test_4_3_a_charge_placed_in_a_situation_fails_at_its_placers_number(card: str, owner: str, fails_at: int) -> None:
    clash = placed(card, owner=owner)
    weapon = clash.state.weapons[DC]
    assert (weapon.fails_at, weapon.owner, weapon.hex) == (fails_at, UnitId(""), clash.hex("B1"))
    clash.play(Fire((), (DC,), clash.hex("B1")), (fails_at - 6, 6))
    assert not clash.saw(ev.FireResolved), "it fails"


@rules("4.3", system="aslsk3")
@pytest.mark.parametrize("cx", [False, True])
def test_4_3_a_charge_placed_in_a_situation_attacks_with_30_fp(cx: bool) -> None:
    clash = placed(owner="a", cx=cx)
    clash.play(Fire((), (DC,), clash.hex("B1")), (4, 4), (1, 2))
    resolved = next(event for event in clash.events if isinstance(event, ev.FireResolved))
    assert (resolved.firepower.net, resolved.drm.total) == (30, 3 + cx)


@rules("4.3", system="aslsk3")
@pytest.mark.parametrize(
    ("fields", "where"),
    [
        ({"charge": "german/LMG"}, "weapons[0].placed"),
        ({"at": "A1"}, "weapons[0].placed"),
        ({"owner": "nobody"}, "weapons[0].owner"),
    ],
)
def test_4_3_what_cannot_be_placed_is_told(fields: dict[str, Any], where: str) -> None:
    with pytest.raises(BadInput) as told:
        placed(**fields)
    assert any(where in fault.where for fault in told.value.faults)
