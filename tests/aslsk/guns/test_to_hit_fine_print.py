"""3.2.4, 6.1, 6.2, 6.10, 7.5, 7.9: what a second reading of To Hit and To Kill found."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.core.dice import ScriptedDice
from sandtable.systems.aslsk.armour.to_kill import table_number
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.context import Play
from sandtable.systems.aslsk.common.facts import armour_events as ar
from sandtable.systems.aslsk.common.vehicle_actions import DispenseSmoke, FireGun, MoveVehicle
from sandtable.systems.aslsk.fire.interdiction import interdict, interdictors
from sandtable.systems.aslsk.pieces.armament import Ammo, TargetType
from sandtable.systems.aslsk.pieces.state import UnitId, VehicleDeed, VehicleId, VehicleStep
from sandtable.testing.looking import is_offered
from tests.aslsk.clash import Clash, side, squad
from tests.aslsk.guns.test_gun_fire import FIELD, GUN, clash, gun, shot

rules = pytest.mark.rules
YANK_MORTAR = "american/M1 81mm MTR"
ATT, VTT = TargetType.AREA, TargetType.VEHICLE
HILL = {"kind": "hill", "level": 1, "hexes": ["D3"], "outline": [[86, 60], [106, 60], [106, 84], [86, 84]]}
"""Around the centre of D3."""


def tank(name: str, at: str, card: str = "russian/T-34/85", **flags: Any) -> dict[str, Any]:
    return {"id": name, "card": card, "at": at, "vca": "NW/N", **flags}


def attack(on: Clash) -> ev.FireResolved:
    return next(event for event in on.events if isinstance(event, ev.FireResolved))


@rules("1.1.1", "6.1")
@pytest.mark.parametrize(("card", "drm"), [("german/8cm GrW 34", 0), ("german/7.5cm PaK 40", -1)])
def test_6_1_shells_from_above_know_no_height_advantage_to_turn_around(card: str, drm: int) -> None:
    """A Critical Hit reverses TEM; Height Advantage is none against a mortar."""
    on = clash(weapon=gun(card), features=[HILL])
    assert on.context.ground.place(on.hex("D3")).level == 1
    on.play(shot(on, target_type=ATT), (1, 1), (6, 6), (1, 1))
    assert attack(on).drm.total == drm


@rules("7.9")
def test_7_9_the_last_column_holds_beyond_24_hexes_as_that_of_the_to_hit_chart() -> None:
    on = clash()
    near, far = (table_number(on.context, Ammo.AP, "75L", reach) for reach in (24, 30))
    assert near == far == 16
    assert table_number(on.context, Ammo.APCR, "75L", 30) == 17
    assert table_number(on.context, Ammo.AP, "MG", 30) is None


def wp(**fields: Any) -> Clash:
    return clash(weapon=gun(YANK_MORTAR), conditions={"year": 1944, "month": 7}, **fields)


@rules("6.2")
def test_6_2_wp_spares_no_friends() -> None:
    on = wp(
        german=side(squad("crew", "american/2-2-7 crew", "A3"), squad("near", at="D3"), weapons=[gun(YANK_MORTAR)]),
        russian=side(squad("target", "russian/4-4-7", "H5")),
    )
    on.play(shot(on, target_type=ATT, ammo=Ammo.WP), (1, 3), (6, 5))
    assert on.unit("near").broken


@rules("6.2", "7.10")
@pytest.mark.parametrize(("exposed", "dice"), [(True, [(6, 5)]), (False, [])])
def test_6_2_wp_shakes_a_crew_that_is_ce(*, exposed: bool, dice: list[tuple[int, int]]) -> None:
    """Its +2 eases the NMC: 10 passes, 11 does not."""
    russian = side(squad("away", "russian/4-4-7", "H5"), vehicles=[tank("T", "D3", exposed=exposed)])
    on = wp(russian=russian)
    on.play(shot(on, target_type=ATT, ammo=Ammo.WP), (1, 3), *dice)
    assert on.saw(ar.CrewChecked, vehicle=VehicleId("T"), check="WP NMC") == exposed
    assert on.state.vehicles[VehicleId("T")].is_stunned == exposed


@rules("3.2.4", "6.10")
def test_3_2_4_a_machine_gun_acquires_nothing() -> None:
    """Case 20 is not for machine guns, the MA of a vehicle among them."""
    russian = side(squad("away", "russian/4-4-7", "H5"), vehicles=[tank("T", "D3")])
    tankette = {"id": "L3", "card": "italian/L3/35", "at": "A3", "vca": "NE/SE"}
    on = clash(german=side(squad("idle", at="A5"), vehicles=[tankette]), russian=russian)
    aim = FireGun(on.hex("D3"), vehicle=VehicleId("L3"), target_type=VTT, ammo=Ammo.AP, at="T")
    on.play(aim, (5, 5))
    assert on.state.vehicles[VehicleId("L3")].acquisition == 0


def interdicted(*others: dict[str, Any]) -> int:
    """What a Gun has acquired is worth after a unit routed under its eyes."""
    german = side(squad("crew", "german/2-2-8 crew", "A3"), *others, weapons=[gun(acquired="C5", acquisition=-2)])
    broken = squad("target", "russian/4-4-7", "D3", broken=True, dm=True)
    on = Clash("RtPh", FIELD, german=german, russian=side(broken), attacker="german")
    play = Play(on.state, on.rules.fold, ScriptedDice([(1, 1)]))
    by = tuple(interdictors(on.context, on.state, on.hex("D3"), "russian"))
    assert len(by) == 1 + len(others)
    interdict(on.context, play, UnitId("target"), by, UnitId(""))
    return play.state.weapons[GUN].acquisition


@rules("6.10")
def test_6_10_interdiction_costs_the_acquisition_where_nobody_else_interdicts() -> None:
    assert interdicted() == 0
    assert interdicted(squad("near", at="C4")) == -2


@rules("7.5")
def test_7_5_smoke_in_the_own_hex_is_found_among_the_options() -> None:
    german = side(squad("idle", at="A5"), vehicles=[tank("P", "A3", "german/PzKpfw IVH", exposed=True)])
    russian = side(squad("away", "russian/4-4-7", "H5"), vehicles=[tank("T", "D3")])
    on = Clash("MPh", FIELD, german=german, russian=russian, attacker="russian", conditions={"year": 1943, "month": 6})
    on.play(MoveVehicle(VehicleId("T"), (VehicleStep(VehicleDeed.START),), halt=True))
    smoke = DispenseSmoke(VehicleId("P"))
    assert on.why(smoke) == ""
    assert is_offered(on.rules, on.state, on.decision.asked[0], smoke)
