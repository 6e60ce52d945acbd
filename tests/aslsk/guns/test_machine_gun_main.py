"""7.8 A machine gun as Main Armament: one weapon, with the FP, range and arc of that MG and the ROF of the MA."""

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.facts.armour_events import CrewAttacked
from sandtable.systems.aslsk.common.vehicle_actions import FireGun, FireVehicle, MoveVehicle
from sandtable.systems.aslsk.fire.vehicle_guns import printed_fp
from sandtable.systems.aslsk.phases.vehicle_assault import combat_guns, has_usable_gun
from sandtable.systems.aslsk.pieces.armament import Ammo, TargetType
from sandtable.systems.aslsk.pieces.state import Mark, VehicleDeed, VehicleGun, VehicleId, VehicleStep, WeaponState
from tests.aslsk.clash import Clash, side, squad

rules = pytest.mark.rules
LONG = "\n".join([". " * 27] * 3)
MA, BMG, CMG = VehicleGun.MAIN, VehicleGun.BOW, VehicleGun.COAXIAL
TANKETTE, LIGHT = "italian/L3/35", "british/Light Tank Mk VIB"
TANK = VehicleId("T")


def clash_of(card: str, at: str, phase: str = "PFPh", foe: dict[str, Any] | None = None, **flags: Any) -> Clash:
    """A vehicle at A2 that points east, an enemy tank and a squad at a distance."""
    firer = {"id": "T", "card": card, "at": "A2", "vca": "NE/SE", **flags}
    target = {"id": "BT", "card": "russian/BT-7 M37", "at": at, "vca": "NE/SE", **(foe or {})}
    friend = {"id": "g", "card": "german/4-6-7", "at": "A3"}
    enemies = [{"id": name, "card": "russian/4-4-7", "at": hex} for name, hex in (("r", at), ("s", "C3"))]
    german = {"vehicles": [firer], "units": [friend]}
    russian = {"vehicles": [target], "units": enemies}
    return Clash(phase, LONG, german=german, russian=russian, attacker="german")


def aim(clash: Clash, at: str) -> FireGun:
    return FireGun(clash.hex(at), vehicle=TANK, target_type=TargetType.VEHICLE, ammo=Ammo.AP, at="BT")


@rules("3.2.4", "7.8", system="aslsk3")
@pytest.mark.parametrize(("at", "allowed"), [("S2", True), ("T2", False), ("U2", False)])
def test_3_2_4_a_machine_gun_has_no_number_beyond_18_hexes(at: str, allowed: bool) -> None:
    clash = clash_of(TANKETTE, at)
    refusal = clash.rules.refusal(clash.state, clash.decision.asked[0], aim(clash, at))
    assert (refusal is None) is allowed
    if refusal is not None:
        assert refusal.rule == "3.2.4"


@rules("3.2.4", "6.0", system="aslsk3")
@pytest.mark.parametrize("card", [TANKETTE, LIGHT])
def test_6_0_a_machine_gun_has_ap_and_no_he(card: str) -> None:
    clash = clash_of(card, "C2")
    assert clash.why(aim(clash, "C2")) == ""
    assert clash.why(replace(aim(clash, "C2"), ammo=Ammo.HE)) == "6.0"


@rules("7.8", system="aslsk3")
@pytest.mark.parametrize(("card", "fp", "mg"), [(TANKETTE, 4, BMG), (LIGHT, 10, CMG)])
def test_7_8_the_machine_gun_is_the_main_armament_and_no_weapon_beside_it(card: str, fp: int, mg: VehicleGun) -> None:
    clash = clash_of(card, "C2")
    vehicle = clash.state.vehicles[TANK]
    assert {gun: printed_fp(clash.context, vehicle, gun) for gun in (MA, BMG, CMG)} == {BMG: 0, CMG: 0, MA: fp}
    assert clash.why(FireVehicle(TANK, (mg,), clash.hex("C2"))) == "7.8"
    assert clash.why(FireVehicle(TANK, (MA,), clash.hex("C2"))) == ""


@rules("2.0", "7.8", system="aslsk3")
@pytest.mark.parametrize(
    ("card", "at", "column"),
    [(TANKETTE, "I2", 4), (TANKETTE, "J2", 2), (LIGHT, "M2", 8), (LIGHT, "N2", 4), (LIGHT, "Y2", 4)],
)
def test_7_8_it_has_the_range_of_that_machine_gun(card: str, at: str, column: int) -> None:
    clash = clash_of(card, at)
    clash.play(FireVehicle(TANK, (MA,), clash.hex(at)), (6, 5))
    found = next(event for event in clash.events if isinstance(event, ev.FireResolved))
    assert found.firepower.total == column


@rules("7.8", system="aslsk3")
def test_7_8_beyond_twice_the_range_it_does_not_reach() -> None:
    clash = clash_of(LIGHT, "Z2")
    assert clash.why(FireVehicle(TANK, (MA,), clash.hex("Z2"))) == "3.2.2"


@rules("7.8", system="aslsk3")
def test_7_8_a_coaxial_main_armament_fires_through_the_turret_arc() -> None:
    clash = clash_of(LIGHT, "C2", tca="S/SW")
    fire = FireVehicle(TANK, (MA,), clash.hex("C2"))
    assert clash.why(fire) == "3.2.4"
    assert clash.why(FireVehicle(TANK, (MA,), clash.hex("C2"), facing=1)) == ""


@rules("3.8", "7.8", system="aslsk3")
@pytest.mark.parametrize(
    ("card", "broken", "guns", "usable"),
    [
        (LIGHT, {}, {MA: 10}, True),
        (TANKETTE, {}, {}, True),
        (LIGHT, {"MA": "malfunctioned"}, {}, False),
        (TANKETTE, {"MA": "malfunctioned"}, {}, False),
    ],
)
def test_3_8_in_close_combat_it_counts_as_a_machine_gun_and_fights_from_a_turret(
    card: str, broken: dict[str, str], guns: dict[VehicleGun, int], usable: bool
) -> None:
    clash = clash_of(card, "C2", broken=broken)
    vehicle = clash.state.vehicles[TANK]
    assert combat_guns(clash.context, vehicle) == guns
    assert has_usable_gun(clash.context, vehicle) is usable


@rules("7.12", system="aslsk3")
def test_7_12_a_hit_attacks_the_crew_with_the_fp_of_the_machine_gun() -> None:
    clash = clash_of(LIGHT, "C2", foe={"exposed": True})
    clash.play(aim(clash, "C2"), (3, 3), (6, 6), (6, 5))
    found = next(event for event in clash.events if isinstance(event, CrewAttacked))
    assert found.column == 8


@rules("3.3.5", "7.8", system="aslsk3")
def test_3_3_5_its_ap_leaves_residual_fp() -> None:
    firer = {"id": "T", "card": LIGHT, "at": "A2", "vca": "NE/SE", "exposed": True}
    mover = {"id": "BT", "card": "russian/BT-7 M37", "at": "D2", "vca": "NE/SE"}
    german, russian = {"vehicles": [firer]}, {"vehicles": [mover]}
    clash = Clash("MPh", LONG, german=german, russian=russian, attacker="russian")
    clash.play(MoveVehicle(VehicleId("BT"), (VehicleStep(VehicleDeed.START),), halt=True), (3, 3))
    clash.play(aim(clash, "D2"), (3, 2), (6, 6), (6, 6))
    assert clash.saw(ev.ResidualPlaced, fp=4)


def burst(clash: Clash, gun: VehicleGun, at: str = "D1") -> FireVehicle:
    """Fire of one weapon of the vehicle ``t``."""
    return FireVehicle(VehicleId("t"), (gun,), clash.hex(at))


@rules("6.8", "7.8", system="aslsk3")
def test_7_8_a_machine_gun_as_main_armament_keeps_its_rate() -> None:
    vehicle = {"id": "t", "card": "italian/L3/35", "at": "D3", "vca": "N/NE"}
    clash = Clash(
        "PFPh",
        german=side(vehicles=[vehicle]),
        russian=side(squad("e", "russian/4-4-7", at="D1"), squad("x", "russian/4-4-7", at="E2")),
    )
    assert clash.why(burst(clash, BMG)) == "7.8"
    clash.play(burst(clash, MA), (1, 6), (1, 2))
    assert next(event for event in clash.events if isinstance(event, ev.FireResolved)).column == 4
    assert clash.state.vehicles[VehicleId("t")].mark is Mark.NONE
    clash.play(burst(clash, MA), (6, 5))
    assert clash.state.vehicles[VehicleId("t")].broken == {MA: WeaponState.MALFUNCTIONED}


@rules("3.4", "7.8", system="aslsk3")
def test_3_4_a_machine_gun_as_main_armament_does_not_fire_again_after_first_fire() -> None:
    vehicle = {"id": "t", "card": "italian/L3/35", "at": "D3", "vca": "N/NE", "mark": "First Fire", "fired_in": "MPh"}
    clash = Clash(
        "DFPh",
        german=side(squad("f", at="B2"), vehicles=[{**vehicle, "guns_fired": ["MA"]}]),
        russian=side(squad("e", "russian/4-4-7", at="D2")),
        attacker="russian",
    )
    assert clash.why(burst(clash, MA, "D2")) == "3.2"
