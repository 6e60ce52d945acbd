"""3.2.4, 4.2, 7.6: half sentences about vehicles and their fire that the rulings settle."""

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.systems.aslsk.armour.to_kill import FLAME_ROW, StrikeKind
from sandtable.systems.aslsk.common.actions import Fire, HoldFire
from sandtable.systems.aslsk.common.arc_change import arc_change_terms
from sandtable.systems.aslsk.common.facts.armour_events import CrewAttacked, VehicleStunned
from sandtable.systems.aslsk.common.vehicle_actions import ContinueVehicle, FireGun
from sandtable.systems.aslsk.pieces.armament import Ammo, Mount, TargetType
from sandtable.systems.aslsk.pieces.state import UnitId, VehicleDeed, VehicleId, VehicleMoving, VehicleStep
from sandtable.systems.aslsk.vehicles.vehicle_events import (
    BogChecked,
    ReliabilityChecked,
    VehicleMoveEnded,
    VehicleSpent,
)
from tests.aslsk.clash import Clash, side, squad
from tests.aslsk.firing_range import Range
from tests.aslsk.guns.test_gun_fire import clash, crew, gun, manned, shot
from tests.aslsk.vehicles.test_movement import START, STOP, clash_of, enter, move, spent, tank, turn

rules = pytest.mark.rules
STUG, FOE = VehicleId("s"), VehicleId("e")


@rules("3.2.4", "7.6", system="aslsk3")
@pytest.mark.parametrize(
    ("card", "flags", "start", "entering", "later"),
    [
        ("german/StuG IIIG", {"bog": "Bog"}, "D2", True, False),
        ("german/StuG IIIG", {"bog": "Mired"}, "D2", True, False),
        # Through the rear, where it does not point.
        ("german/StuG IIIG", {"bog": "Bog"}, "D4", False, False),
        ("german/StuG IIIG", {"immobilized": True}, "D2", True, True),
        # A turret is not in the bow.
        ("german/PzKpfw IVH", {"bog": "Bog"}, "D2", True, True),
    ],
)
def test_7_6_bow_weapons_of_a_bogged_vehicle_reach_who_enters_only_as_he_enters(
    card: str, flags: dict[str, Any], start: str, entering: bool, later: bool
) -> None:
    bogged = {"id": "s", "card": card, "at": "D3", "vca": "N/NE", **flags}
    mover = {"id": "e", "card": "russian/T-34/85", "at": start, "vca": "S/SW" if start == "D2" else "N/NE"}
    on = Clash("MPh", german={"vehicles": [bogged]}, russian={"vehicles": [mover]}, attacker="russian")
    on.play(move(START, enter(on, "D3"), STOP, name="e"))
    while on.state.vehicles[FOE].hex != on.hex("D3"):
        on.play(HoldFire())
    fire = FireGun(on.hex("D3"), vehicle=STUG, target_type=TargetType.VEHICLE, ammo=Ammo.AP, at="e")
    assert on.asked == "german"
    assert on.why(fire) == ("" if entering else "3.2.4")
    on.play(HoldFire())
    assert (on.asked, on.state.vehicles[FOE].is_stopped) == ("german", True)
    assert on.why(fire) == ("" if later else "3.2.4")


@rules("3.2.4", system="aslsk3")
def test_3_2_4_turns_beyond_three_hexspines_add_nothing() -> None:
    on = clash()
    totals = [arc_change_terms(on.context, Mount.SLOW, spines, on.hex("D3"))[0].value for spines in (1, 2, 3, 4, 6)]
    assert totals == [2, 3, 4, 4, 4]


@rules("3.2.4", system="aslsk3")
def test_3_2_4_intensive_fire_after_a_shot_on_the_area_target_type() -> None:
    on = clash()
    on.play(shot(on, target_type=TargetType.AREA), (1, 6), (6, 6))
    assert on.why(shot(on)) == "3.2.4", "its ROF is used up"
    assert on.why(shot(on, intensive=True)) == ""


@rules("4.2", "7.9", system="aslsk3")
def test_4_2_a_flamethrower_in_the_hex_strikes_the_rear_at_one_more() -> None:
    flame: dict[str, Any] = {"rows": (FLAME_ROW,), "ammo": Ammo.HE, "kind": StrikeKind.FLAME}
    assert Range().part("D3", (), reach=0, **flame)[2] == 9
    assert Range().part("D2", (), reach=1, **flame)[2] == 8


@rules("6.9", system="aslsk3")
@pytest.mark.parametrize(("year", "month", "rule"), [(1942, 8, "6.9"), (1942, 9, ""), (1943, 1, "")])
def test_6_9_the_british_mortar_fires_nearer_from_september_1942_on(year: int, month: int, rule: str) -> None:
    mortar = manned(crew(card="british/2-2-8 crew"), gun("british/OML 3-in. MTR"))
    on = clash(german=mortar, conditions={"year": year, "month": month})
    assert on.why(shot(on, target_type=TargetType.AREA)) == rule


@rules("3.3.3", system="aslsk3")
@pytest.mark.parametrize(("extra", "shots"), [(0, 1), (1, 1), (2, 2), (4, 3)])
def test_3_3_3_a_weapon_fires_at_a_vehicle_as_often_as_it_spends_whole_mp(extra: int, shots: int) -> None:
    """A MA that keeps its ROF, at a vehicle that declares halves of MP beyond the one that the hex costs."""
    own = {"id": "s", "card": "german/PzKpfw IVH", "at": "D1", "vca": "SE/S", "tca": "SE/S"}
    mover = {"id": "e", "card": "russian/KV-1E", "at": "D5", "vca": "N/NE", "motion": True}
    on = Clash("MPh", german={"vehicles": [own]}, russian={"vehicles": [mover]}, attacker="russian")
    on.play(move(enter(on, "D4", extra=extra), STOP, name="e"))
    fire = FireGun(on.hex("D4"), vehicle=STUG, target_type=TargetType.VEHICLE, ammo=Ammo.AP, at="e")
    for _ in range(shots):
        assert on.why(fire) == ""
        on.play(fire, (1, 6), (6, 6))
    assert on.asked != "german" or on.state.vehicles[FOE].is_stopped or on.why(fire) == "3.3.3"


@rules("3.3.3", system="aslsk3")
def test_3_3_3_in_every_location_it_may_be_fired_at_anew() -> None:
    own = {"id": "s", "card": "german/PzKpfw IVH", "at": "D1", "vca": "SE/S", "tca": "SE/S"}
    mover = {"id": "e", "card": "russian/KV-1E", "at": "D5", "vca": "N/NE", "motion": True}
    on = Clash("MPh", german={"vehicles": [own]}, russian={"vehicles": [mover]}, attacker="russian")
    on.play(move(enter(on, "D4"), enter(on, "D3"), STOP, name="e"))
    for label in ("D4", "D3"):
        fire = FireGun(on.hex(label), vehicle=STUG, target_type=TargetType.VEHICLE, ammo=Ammo.AP, at="e")
        assert (on.why(fire), on.state.vehicles[FOE].is_stopped) == ("", False)
        on.play(fire, (1, 6), (6, 6))
        if label == "D4":
            on.play(ContinueVehicle((enter(on, "D3"), STOP)))


@rules("3.3.2", "7.5", system="aslsk3")
def test_3_3_2_a_plan_that_leaves_mp_because_of_the_dice_is_decided_anew() -> None:
    """The MP of a dispenser that fails are not spent, and with one left it cannot end in Motion."""
    on = clash_of(tank(motion=True, exposed=True))
    steps = (*[turn(spine) for spine in (1, 0) * 6], VehicleStep(VehicleDeed.SMOKE))
    assert on.why(move(*steps)) == ""
    on.play(move(*steps), (6, 6))
    assert (on.asked, on.decision.rule) == ("german", "3.3.2")
    assert on.why(ContinueVehicle()) == "3.3.2"
    on.play(ContinueVehicle((STOP,)))


@rules("3.3.2", "7.10", system="aslsk3")
def test_7_10_a_crew_that_is_stunned_on_its_way_spends_no_more_mp() -> None:
    own = {"id": "t", "card": "german/PzKpfw IVH", "at": "D5", "vca": "N/NE", "motion": True, "exposed": True}
    foe = squad("r", "russian/4-4-7", "D3")
    on = Clash("MPh", german={"vehicles": [own]}, russian=side(foe))
    on.play(move(enter(on, "D4"), STOP))
    on.play(Fire((UnitId("r"),), (), on.hex("D4")), (1, 2), (6, 5))
    assert on.saw(VehicleStunned)
    assert on.saw(VehicleMoveEnded, motion=False)
    assert not on.saw(VehicleSpent)


# --- what mutants of driving showed to be untested --------------------------------------------------------------

UP = [{"kind": "hill", "hexes": ["D2"], "level": 1}]
ROAD = {"kind": "dirt_road", "line": ["D1", "D2", "D3", "D4", "D5"]}
PLAIN_2 = ". . . . . . .\n. . . {} . . .\n. . . . . . .\n. . . . . . .\n. . . . . . ."


@rules("1.1.1", "3.3.2", "7.4", system="aslsk3")
@pytest.mark.parametrize(
    ("letter", "features", "wreck", "cost"),
    [
        (".", UP, False, 5),
        (".", [*UP, ROAD], False, 3),
        ("b", [ROAD], False, 6.5),
        ("o", [], True, 2),
    ],
)
def test_3_3_2_crests_roads_buildings_and_wrecks_in_orchards(
    letter: str, features: list[dict[str, Any]], wreck: bool, cost: float
) -> None:
    others = [tank("w", at="D2", wreck=True)] if wreck else []
    on = clash_of(tank(), *others, cells=PLAIN_2.format(letter), features=features)
    on.play(move(START, enter(on, "D2"), halt=True), *([(1, 1)] if letter == "b" else []))
    assert spent(on)[1] == cost


@rules("1.1.1", system="aslsk3")
def test_1_1_1_downhill_costs_nothing_more() -> None:
    on = clash_of(tank(at="D2", vca="S/SW"), features=UP)
    on.play(move(START, enter(on, "D3"), halt=True))
    assert spent(on)[1] == 1


@rules("7.6", system="aslsk3")
def test_7_6_going_uphill_into_a_building_bogs_no_sooner() -> None:
    for features in ([], UP):
        # Normal ground pressure and stone.
        on = clash_of(tank(), cells=PLAIN_2.format("b"), features=features)
        on.play(move(START, enter(on, "D2"), halt=True), (1, 1))
        assert [event.drm.total for event in on.events if isinstance(event, BogChecked)] == [5]


@rules("7.7", "7.10", system="aslsk3")
def test_7_10_a_crew_that_buttoned_up_under_fire_opens_no_more_in_that_turn() -> None:
    on, opens = clash_of(tank()), move(VehicleStep(VehicleDeed.CREW), halt=True)
    assert on.why(opens) == ""
    shut = replace(on.state.vehicles[VehicleId("t")], shut=True)
    on.state = replace(on.state, vehicles={**on.state.vehicles, shut.id: shut})
    assert on.why(opens) == "7.10"


@rules("7.5", system="aslsk3")
@pytest.mark.parametrize(("letter", "rule"), [("w", ""), ("b", "7.5"), ("h", "7.5")])
def test_7_5_a_smoke_mortar_is_fired_in_woods_but_not_in_a_building(letter: str, rule: str) -> None:
    on = clash_of(tank(card="american/M4A1", at="D2"), cells=PLAIN_2.format(letter))
    assert on.why(move(VehicleStep(VehicleDeed.SMOKE, on.hex("D1")), halt=True)) == rule


@rules("3.3.5", system="aslsk3")
def test_3_3_5_residual_fp_attacks_a_ce_crew_in_every_location() -> None:
    on = clash_of(tank(exposed=True, motion=True), residual={"D2": 4, "D1": 4})
    on.play(move(enter(on, "D2"), halt=True), (6, 5))
    on.play(ContinueVehicle((turn(1), turn(0)), True))
    assert not on.saw(CrewAttacked), "once a location"
    on.play(ContinueVehicle((enter(on, "D1"),), True), (6, 5))
    assert on.saw(CrewAttacked)


@rules("7.7", system="aslsk3")
def test_7_7_who_opens_a_hatch_may_be_fired_at_by_the_mp_spent_last() -> None:
    own = {"id": "t", "card": "german/PzKpfw IVH", "at": "D5", "vca": "N/NE", "motion": True}
    on = Clash("MPh", german={"vehicles": [own]}, russian=side(squad("r", "russian/4-4-7", "D2")))
    on.play(move(enter(on, "D4"), halt=True))
    assert on.asked == "german", "nobody can hurt a crew that is BU"
    on.play(ContinueVehicle((VehicleStep(VehicleDeed.CREW),), True))
    assert (on.asked, on.why(Fire((UnitId("r"),), (), on.hex("D4")))) == ("russian", "")


@rules("3.3.2", "7.6", system="aslsk3")
def test_7_6_only_an_engine_that_is_free_of_bog_is_put_to_the_test() -> None:
    on = clash_of(tank(card="russian/KV-1 M41", bog="Bog"))
    on.play(move(VehicleStep(VehicleDeed.UNBOG), halt=True), (5, 1))
    assert not on.saw(ReliabilityChecked)
    free = clash_of(tank(card="russian/KV-1 M41", bog="Bog"))
    free.play(move(VehicleStep(VehicleDeed.UNBOG), halt=True), (1, 1), (1, 1))
    assert free.saw(ReliabilityChecked, result="runs")


@rules("1.1.1", system="aslsk3")
@pytest.mark.parametrize(("kind", "open_road"), [(VehicleDeed.ENTER, True), (VehicleDeed.OFF_ROAD, False)])
def test_1_1_1_off_the_road_the_trees_cover_a_crew(kind: VehicleDeed, open_road: bool) -> None:
    on = clash_of(tank(), cells=PLAIN_2.format("w"), features=[ROAD])
    on.play(move(START, enter(on, "D2", kind), halt=True), *([] if open_road else [(1, 1)]))
    moving = on.state.stack[-1]
    assert isinstance(moving, VehicleMoving)
    assert moving.open_road is open_road


@rules("3.3.2", "7.4", system="aslsk3")
@pytest.mark.parametrize(("kind", "cost"), [(VehicleDeed.ENTER, 3), (VehicleDeed.OFF_ROAD, 2)])
def test_7_4_past_a_wreck_the_road_rate_is_dearer_than_the_ground_beside_it(kind: VehicleDeed, cost: float) -> None:
    on = clash_of(tank(), tank("w", at="D2", wreck=True), features=[ROAD])
    on.play(move(START, enter(on, "D2", kind), halt=True))
    assert spent(on)[1] == cost
