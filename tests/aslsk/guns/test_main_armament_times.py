"""3.3.2.2, 3.5, 6.10, 7.2, 7.8: Main Armament among the other weapons of a vehicle, and in its own MPh."""

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.systems.aslsk.common.actions import HoldFire
from sandtable.systems.aslsk.common.events import AmmoRunOut, FireResolved, ShotResolved
from sandtable.systems.aslsk.common.facts.armour_events import VehicleRecalled
from sandtable.systems.aslsk.common.vehicle_actions import FireGun, FireVehicle, MoveVehicle
from sandtable.systems.aslsk.pieces.armament import Ammo, TargetType
from sandtable.systems.aslsk.pieces.state import (
    Mark,
    Vehicle,
    VehicleDeed,
    VehicleGun,
    VehicleId,
    VehicleStep,
    WeaponId,
    WeaponState,
)
from tests.aslsk.clash import PLAIN, Clash, side, squad

rules = pytest.mark.rules
MA, BMG, CMG, AAMG, RMG = VehicleGun
TANK = VehicleId("t")
START, STOP = VehicleStep(VehicleDeed.START), VehicleStep(VehicleDeed.STOP)
NONE = WeaponId("")


def _clash(phase: str = "PFPh", card: str = "german/PzKpfw VIB", cells: str = PLAIN, **tank: Any) -> Clash:
    """A German tank in D4 that points north at a Russian one in D1; squads that are broken or can fire on."""
    vehicle = {"id": "t", "card": card, "at": "D4", "vca": "N/NE", **tank}
    foe = {"id": "e", "card": "russian/T-34 M43", "at": "D1", "vca": "N/NE"}
    russians = squad("r", "russian/4-4-7", at="F4", broken=phase == "MPh")
    attacker = "russian" if phase == "DFPh" else "german"
    return Clash(
        phase,
        cells,
        german=side(squad("g", at="G5"), vehicles=[vehicle]),
        russian=side(russians, vehicles=[foe]),
        attacker=attacker,
    )


def _shoot(clash: Clash, at: str = "e", hex: str = "D1", **how: Any) -> FireGun:
    kind, ammo = (TargetType.VEHICLE, Ammo.AP) if at else (TargetType.INFANTRY, Ammo.HE)
    return FireGun(clash.hex(hex), NONE, TANK, kind, ammo, at=at, **how)


def _tank(clash: Clash) -> Vehicle:
    return clash.state.vehicles[TANK]


def _drms(clash: Clash) -> dict[str, int]:
    shot = next(event for event in clash.events if isinstance(event, ShotResolved))
    return {term.label: -term.value for term in shot.number.terms}


@rules("7.8", system="aslsk3")
@pytest.mark.parametrize(
    ("phase", "flags", "rule"),
    [
        ("PFPh", {}, ""),
        ("PFPh", {"fired_in": "PFPh", "guns_fired": ["CMG"]}, ""),
        ("DFPh", {"fired_in": "MPh", "guns_fired": ["CMG"]}, ""),
        ("DFPh", {"fired_in": "MPh", "guns_fired": ["MA"]}, ""),
        ("AFPh", {"fired_in": "PFPh", "guns_fired": ["CMG"]}, "7.8"),
        ("AFPh", {"fired_in": "MPh", "guns_fired": ["CMG"]}, "3.5"),
        ("AFPh", {"fired_in": "MPh", "guns_fired": ["MA", "CMG"]}, "3.5"),
        ("AFPh", {"fired_in": "MPh", "guns_fired": ["MA"]}, ""),
        ("AFPh", {"fired_in": "MPh", "guns_fired": ["MA"], "mark": "Bounding Fire"}, "3.5"),
    ],
)
def test_7_8_the_main_armament_fires_in_the_phase_of_the_other_weapons(
    phase: str, flags: dict[str, Any], rule: str
) -> None:
    clash = _clash(phase, **flags)
    assert clash.why(_shoot(clash)) == rule


@rules("3.2.5", "7.8", system="aslsk3")
def test_7_8_machine_guns_after_the_main_armament_in_the_same_phase() -> None:
    clash = _clash()
    clash.play(_shoot(clash), (6, 4))
    assert (_tank(clash).fired_in, _tank(clash).mark) == ("PFPh", Mark.PREP_FIRE)
    assert clash.why(FireVehicle(TANK, (CMG,), clash.hex("F4"), facing=1)) == ""


@rules("3.2.4", "7.8", system="aslsk3")
@pytest.mark.parametrize(("facing", "mark"), [(1, Mark.INTENSIVE_FIRE), (-1, Mark.PREP_FIRE)])
def test_3_2_4_no_intensive_fire_from_a_turret_that_was_turned_for_its_coaxial_gun(facing: int, mark: Mark) -> None:
    """A MA without a ROF has changed its covered arc whatever the turret was turned for."""
    clash = _clash(card="russian/IS-2", tca="NE/SE" if facing < 0 else "N/NE")
    clash.play(FireVehicle(TANK, (CMG,), clash.hex("F4"), facing=facing), (6, 5))
    clash.play(_shoot(clash, "", "F4"), (6, 4))
    assert _tank(clash).mark is mark


@rules("3.2.4", "7.8", system="aslsk3")
def test_7_8_turret_weapons_suffer_the_turn_of_the_first() -> None:
    clash = _clash()
    clash.play(_shoot(clash, "", "F4", facing=1), (6, 4))
    assert _tank(clash).spines_turned == 1
    clash.play(FireVehicle(TANK, (CMG,), clash.hex("F4")), (6, 5))
    assert next(event for event in clash.events if isinstance(event, FireResolved)).drm.total == 2
    clash = _clash()
    clash.play(FireVehicle(TANK, (CMG,), clash.hex("F4"), facing=1), (6, 5))
    clash.play(_shoot(clash, "", "F4"), (6, 4))
    assert _drms(clash)["ST turned by 1 hexspine"] == 2


@rules("6.8", "6.10", system="aslsk3")
def test_6_10_a_coaxial_gun_at_another_hex_or_ife_loses_what_is_acquired() -> None:
    held: dict[str, Any] = {"acquired": "F4", "acquisition": -1, "tca": "NE/SE"}
    clash = _clash(**held)
    clash.play(FireVehicle(TANK, (CMG,), clash.hex("F4")), (6, 5))
    assert _tank(clash).acquisition == -1
    held["acquired"] = "D1"
    clash = _clash(**held)
    clash.play(FireVehicle(TANK, (CMG,), clash.hex("F4")), (6, 5))
    assert _tank(clash).acquisition == 0
    held["acquired"] = "F4"
    clash = _clash(card="german/PSW 232", **held)
    clash.play(FireVehicle(TANK, (MA,), clash.hex("F4")), (6, 4))
    assert _tank(clash).acquisition == 0


@rules("7.2", "7.10", system="aslsk3")
def test_7_10_intensive_fire_at_the_original_b_number_recalls() -> None:
    clash = _clash(mark="Prep Fire", fired_in="PFPh", guns_fired=["MA"])
    clash.play(_shoot(clash, intensive=True), (6, 6))
    assert _tank(clash).broken == {MA: WeaponState.REMOVED}
    assert clash.saw(VehicleRecalled)


def _leaves(clash: Clash) -> list[Any]:
    branches = clash.decision.options(clash.decision.asked[0]).root.branches()
    return [action for branch in branches if branch.key not in ("t", "crew") for action in branch.then]


@rules("3.2.4", "3.3.2.2", system="aslsk3")
@pytest.mark.parametrize(
    ("card", "steps", "line"),
    [
        ("german/PzKpfw IVH", (), "6"),
        ("german/PzKpfw IVH", (START, "D3", STOP), "5"),
        ("german/PzKpfw IVH", (START, "D3", "D2", STOP), "4"),
        ("german/StuG IIIG", (START, "D3", STOP), "6"),
    ],
)
def test_3_3_2_2_case_14_by_the_mp_spent_in_sight(card: str, steps: tuple[Any, ...], line: str) -> None:
    """2 MP or fewer +6, up to 3 +5, more +4; one more without a turret. Nobody is there to fire back."""
    clash = _clash("MPh", card, exposed=True)
    if steps:
        clash.drive(TANK, *steps)
    else:
        clash.play(MoveVehicle(TANK, (), halt=True))
    while clash.asked == "russian":
        clash.play(HoldFire())
    shot = _shoot(clash)
    assert shot in _leaves(clash)
    clash.play(shot, (6, 4))
    bounding = [value for label, value in _drms(clash).items() if "ound" in label]
    assert bounding == [int(line)]
    assert _tank(clash).mark is Mark.BOUNDING_FIRE


@rules("3.3.2.2", system="aslsk3")
def test_3_3_2_2_the_main_armament_fires_again_after_another_mp_if_it_keeps_its_rate() -> None:
    clash = _clash("MPh", "german/PzKpfw IVH", broken={"CMG": "removed", "BMG": "removed"})
    clash.play(MoveVehicle(TANK, (), halt=True))
    clash.play(_shoot(clash), (1, 6))
    assert _tank(clash).mark is Mark.NONE
    assert clash.why(_shoot(clash)) == "3.3.2.2"
    clash.drive(TANK, START, "D3")
    while clash.asked == "russian":
        clash.play(HoldFire())
    assert clash.why(_shoot(clash)) == ""
    assert clash.why(_shoot(clash, facing=1, turn_hull=True)) == "3.3.2.2"
    assert clash.why(_shoot(clash, "", "A1")) == "3.3.2.2"
    clash.play(_shoot(clash), (2, 6))
    assert _tank(clash).mark is Mark.BOUNDING_FIRE
    assert clash.why(_shoot(clash)) != ""
    assert clash.why(_shoot(clash, intensive=True)) == "3.3.2.2", "Intensive Fire after another MP"
    clash.drive(TANK, STOP)
    while clash.asked == "russian":
        clash.play(HoldFire())
    assert clash.why(_shoot(clash, intensive=True)) == ""


@rules("3.3.2.2", system="aslsk3")
def test_3_3_2_2_nobody_but_the_vehicle_on_its_way_fires() -> None:
    clash = _clash("MPh")
    clash.play(MoveVehicle(TANK, (), halt=True))
    assert clash.why(FireVehicle(VehicleId("x"), (CMG,), clash.hex("D1"))) == "3.3.2.2"


@rules("3.3.2.2", "6.2", system="aslsk3")
@pytest.mark.parametrize(("dice", "rule"), [((2, 6), ""), ((1, 4), "3.3.2.2")])
def test_6_2_a_main_armament_that_lacks_the_ammunition_has_not_fired_at_these_mp(
    dice: tuple[int, int], rule: str
) -> None:
    """It kept its ROF and spent another MP. If it finds no APCR, it fires AP without spending one more."""
    clash = _clash("MPh", "german/PzKpfw IIIH", broken={"CMG": "removed", "BMG": "removed"})
    clash.play(MoveVehicle(TANK, (), halt=True))
    clash.play(_shoot(clash), (1, 6))
    clash.drive(TANK, START, "D3")
    while clash.asked == "russian":
        clash.play(HoldFire())
    clash.play(replace(_shoot(clash), ammo=Ammo.APCR), dice)
    assert clash.saw(AmmoRunOut, never=not rule)
    assert clash.why(_shoot(clash)) == rule
