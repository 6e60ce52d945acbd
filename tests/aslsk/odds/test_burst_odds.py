"""3.2.4, 6.1, 7.11, 7.12: exact odds of a shot on the Infantry or Area Target Type."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from sandtable.systems.aslsk.common.vehicle_actions import FireGun
from sandtable.systems.aslsk.fire.firers import Fireground, FireMode
from sandtable.systems.aslsk.guns.barrel import barrel_of
from sandtable.systems.aslsk.guns.gun_fire import gun_targets, shot_of
from sandtable.systems.aslsk.odds import burst_odds as odds
from sandtable.systems.aslsk.pieces.armament import TargetType
from sandtable.systems.aslsk.pieces.state import UnitId, WeaponId
from tests.aslsk.clash import Clash, squad

rules = pytest.mark.rules
GUN = {"id": "gun", "card": "german/7.5cm PaK 40", "owner": "crew", "facing": "NE/SE"}


def red(name: str, card: str = "russian/4-4-7", **flags: Any) -> dict[str, Any]:
    return squad(name, card, "D3", **flags)


def clash(*units: dict[str, Any], vehicles: tuple[dict[str, Any], ...] = ()) -> Clash:
    german = {"units": [squad("crew", "german/2-2-8 crew", "A3")], "weapons": [GUN]}
    return Clash("PFPh", german=german, russian={"units": list(units), "vehicles": list(vehicles)})


def shot(on: Clash, kind: TargetType) -> FireGun:
    return FireGun(on.hex("D3"), WeaponId("gun"), target_type=kind)


@rules("3.2.4", "6.1", system="aslsk3")
@pytest.mark.parametrize("kind", [TargetType.INFANTRY, TargetType.AREA])
@pytest.mark.parametrize(
    "units",
    [
        (red("a"),),
        (red("a"), red("b", "russian/2-3-7")),
        (red("l", "russian/8-1"),),
        (red("l", "russian/8-1"), red("a")),
        (red("l", "russian/8-1"), red("b", "russian/2-3-7")),
    ],
)
def test_3_2_4_odds_of_a_hit_are_those_of_playing_it_through(
    kind: TargetType, units: tuple[dict[str, Any], ...]
) -> None:
    on = clash(*units)
    ground = Fireground(on.context, on.state, FireMode.PREP, on.decision.asked[0], on.hex("D3"))
    action = shot(on, kind)
    barrel = barrel_of(on.context, on.state, action.weapon, action.vehicle)
    assert barrel is not None
    fired = shot_of(ground, action, barrel)
    targets = gun_targets(ground, kind, None)
    seen = set()
    for hit, able in odds._hits(ground, fired, targets):
        for chosen in able or ("",):
            names = tuple(map(UnitId, hit))
            played = odds._enumerated(ground, fired, names, chosen, deaf=())
            assert odds._struck(ground, fired, targets, hit, chosen) == played
            seen.add(bool(chosen))
    assert seen == {True, False}, "Critical Hits and others"


@rules("3.2.4", "7.11", system="aslsk3")
@pytest.mark.parametrize("kind", [TargetType.INFANTRY, TargetType.AREA])
def test_7_11_all_chances_of_everybody_in_the_hex_add_up(kind: TargetType) -> None:
    tank = {"id": "t", "card": "russian/T-34/85", "at": "D3", "vca": "S/SW", "exposed": True}
    on = clash(red("l", "russian/8-1"), red("a"), red("b"), red("c"), vehicles=(tank,))
    found = on.rules.unit_odds(on.state, shot(on, kind))
    assert found.keys() == {"l", "a", "b", "c", "t"}
    for chances in found.values():
        assert sum(Fraction(chance.exact) for chance in chances) == 1
    assert found["a"] == found["b"] == found["c"]
    told = {chance.what for chance in found["t"]}
    assert "no effect" in told
    assert len(told) > 1
