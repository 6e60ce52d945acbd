"""3.3.2, 3.2.4: arcs of vehicles that are changed without MP and without firing."""

from typing import Any

import pytest

from sandtable.systems.aslsk.common.actions import Done
from sandtable.systems.aslsk.common.vehicle_actions import FireGun, FireVehicle, TurnArc
from sandtable.systems.aslsk.pieces.armament import Ammo, TargetType
from sandtable.systems.aslsk.pieces.state import Mark, Vehicle, VehicleGun, VehicleId, WeaponId
from tests.aslsk.clash import PLAIN, Clash, side, squad

rules = pytest.mark.rules
TANK = VehicleId("t")


def _clash(card: str, phase: str = "PFPh", **tank: Any) -> Clash:
    """A German vehicle that points north, an enemy squad, and a squad beside it that can fire too."""
    vehicle = {"id": "t", "card": card, "at": "D3", "vca": "N/NE", **tank}
    german = side(squad("f", "german/4-6-7", at="B2"), vehicles=[vehicle])
    russian = side(squad("e", "russian/4-4-7", at="D1"))
    return Clash(phase, PLAIN, attacker="russian" if phase == "DFPh" else "german", german=german, russian=russian)


def _hull(spine: int = 2) -> TurnArc:
    return TurnArc(spine, vehicle=TANK, turn_hull=True)


def _offered(on: Clash, action: TurnArc) -> bool:
    return action in on.options()


@rules("3.2.4", "3.3.2", "7.8", system="aslsk3")
@pytest.mark.parametrize(
    ("phase", "state", "rule"),
    [
        ("PFPh", {}, ""),
        ("PFPh", {"mark": "Prep Fire", "guns_fired": ["MA"], "fired_in": "PFPh"}, ""),
        ("AFPh", {"mark": "Prep Fire", "guns_fired": ["MA", "BMG", "CMG"], "fired_in": "PFPh"}, "3.3.2"),
        ("AFPh", {"mark": "Bounding Fire", "guns_fired": ["MA"], "fired_in": "MPh"}, "3.3.2"),
        ("AFPh", {"guns_fired": ["MA"], "fired_in": "MPh"}, ""),
        ("DFPh", {"mark": "Intensive Fire", "guns_fired": ["MA", "BMG", "CMG"], "fired_in": "MPh"}, "3.3.2"),
        ("DFPh", {"mark": "Intensive Fire", "guns_fired": ["MA", "CMG"], "fired_in": "MPh"}, ""),
        ("DFPh", {"mark": "Intensive Fire", "guns_fired": ["MA", "BMG"], "fired_in": "MPh"}, ""),
        ("DFPh", {"mark": "First Fire", "guns_fired": ["MA", "BMG", "CMG"], "fired_in": "MPh"}, ""),
        ("PFPh", {"motion": True}, "3.3.2"),
        ("AFPh", {"motion": True}, ""),
        ("PFPh", {"broken": {"MA": "malfunctioned", "BMG": "malfunctioned"}}, ""),
        ("PFPh", {"broken": {"MA": "malfunctioned", "BMG": "malfunctioned", "CMG": "removed"}}, "3.3.2"),
    ],
)
def test_3_3_2_a_hull_turns_without_mp_while_something_in_turret_or_bow_could_fire(
    phase: str, state: dict[str, Any], rule: str
) -> None:
    on = _clash("german/PzKpfw IVH", phase=phase, **state)
    assert on.why(_hull()) == rule
    assert _offered(on, _hull()) == (not rule)
    turret = TurnArc(2, vehicle=TANK)
    assert on.why(turret) == "", "a turret turns as a Gun does"
    assert _offered(on, turret)


@rules("3.3.2", "7.7", "7.8", system="aslsk3")
def test_3_3_2_an_anti_aircraft_mg_is_in_neither_turret_nor_bow() -> None:
    fired: dict[str, Any] = {"mark": "Intensive Fire", "guns_fired": ["MA", "BMG", "CMG"], "fired_in": "PFPh"}
    on = _clash("german/PzKpfw IVJ", exposed=True, **fired)
    assert on.why(FireVehicle(TANK, (VehicleGun.ANTI_AIRCRAFT,), on.hex("D1"))) == ""
    assert on.why(_hull()) == "3.3.2"


def _tank(on: Clash) -> Vehicle:
    return on.state.vehicles[TANK]


@rules("3.2.4", "3.3.2", system="aslsk3")
def test_3_2_4_what_was_turned_to_fire_is_turned_again_when_all_fire_is_over() -> None:
    on = _clash("german/PzKpfw IVH", tca="SE/S")
    on.play(FireGun(on.hex("D1"), WeaponId(""), TANK, TargetType.INFANTRY, Ammo.HE, facing=0), (6, 5))
    assert (_tank(on).tca, _tank(on).turned, _tank(on).mark) == (0, True, Mark.PREP_FIRE)
    back = TurnArc(2, vehicle=TANK)
    assert _offered(on, back)
    on.play(back)
    assert _tank(on).tca == 2
    assert on.why(TurnArc(3, vehicle=TANK)) == "3.2.4", "once without firing"
    hull = _hull(1)
    assert _offered(on, hull), "hull and turret are two"
    on.play(hull)
    assert (_tank(on).vca, _tank(on).tca) == (1, 3), "the hull takes its turret along"
    assert on.state.phase != "PFPh", "nothing is left to turn"


@rules("3.2.4", system="aslsk3")
def test_3_2_4_no_fire_once_an_arc_was_changed_without_it() -> None:
    on = _clash("german/PzKpfw IVH")
    on.play(TurnArc(5, vehicle=TANK))
    assert on.why(FireVehicle(TANK, (VehicleGun.COAXIAL,), on.hex("D1"))) == "3.2.4"
    on.play(Done())
    assert on.state.phase != "PFPh"


@rules("3.3.2", "7.8", system="aslsk3")
@pytest.mark.parametrize(
    ("flags", "rule"), [({}, ""), ({"mark": "Prep Fire", "guns_fired": ["MA"], "fired_in": "PFPh"}, "3.3.2")]
)
def test_3_3_2_a_machine_gun_that_is_the_main_armament_fires_once(flags: dict[str, Any], rule: str) -> None:
    on = _clash("italian/L3/35", **flags)
    assert on.why(_hull()) == rule
