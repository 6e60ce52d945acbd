"""5.1-5.4 Spotting on a table: who, where to, how far off, and what is handed on or lost."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.geo.plane.points import Point
from sandtable.systems.panzer import events as ev
from sandtable.systems.panzer.advanced_card import SizeClass
from sandtable.systems.panzer.markers import NO_MARKERS, Suppression
from sandtable.systems.panzer.mini.context import Context
from sandtable.systems.panzer.mini.sight.spotting_ranges import SpottingFacts, SpottingRanges
from sandtable.systems.panzer.mini.spotting.spotting import can_spot, determine_spotting, extraneous, spots_live
from sandtable.systems.panzer.mini.state import State, Unit
from sandtable.systems.panzer.terrain import Cover
from sandtable.systems.panzer.unit import Spot, UnitId
from tests.panzer.mini.games import at_random, events_of, game_of, position
from tests.panzer.mini.range import Story, forces, panzer, tank
from tests.panzer.mini.tables import TABLES, box

MINI = "panzer-mini"
RANGES = SpottingRanges(TABLES)


def placed(
    german: list[dict[str, Any]], soviet: list[dict[str, Any]], *features: dict[str, Any]
) -> tuple[Context, State]:
    drawn = {"table": {"width": 72, "depth": 48}, "features": list(features)}
    sides = [
        {"id": "german", "title": "Germans", "units": [{"card": "pz-ivh", **unit} for unit in german]},
        {"id": "soviet", "title": "Soviets", "units": [{"card": "t-34-76-m43", **unit} for unit in soviet]},
    ]
    found = position(map={"drawn": drawn}, sides=sides)
    ruleset: Any = found.ruleset
    return ruleset.context, found.state


def unit(state: State, name: str) -> Unit:
    return state.units[UnitId(name)]


@pytest.mark.rules("5.4.1", "5.4.2", "5.4.2.5", "5.4.2.6", system=MINI)
def test_5_4_2_6_the_ranges_of_the_examples() -> None:
    """7 and 10 of a Large unit in Light Cover, 14 and 20 if it moved; 7 of a vehicle in woods, 400 if it fired."""
    large = SpottingFacts(Cover.LIGHT, size=SizeClass.L)
    assert RANGES.inches(large) == 7
    assert RANGES.inches(replace(large, by_vehicle=False)) == 10
    moved = replace(large, spot=Spot.MOVE)
    assert RANGES.inches(moved) == 14
    assert RANGES.inches(replace(moved, by_vehicle=False)) == 20
    assert RANGES.inches(SpottingFacts(Cover.MEDIUM)) == 7
    assert RANGES.inches(SpottingFacts(Cover.NONE, spot=Spot.FIRE)) == 400


@pytest.mark.rules("5.4.3", "4.7", "5.2", system=MINI)
def test_5_4_3_parts_of_a_range_are_rounded_down_once() -> None:
    other = SpottingFacts(Cover.NONE, size=SizeClass.L, by_vehicle=False)
    assert RANGES.inches(replace(other, spotter_full_cover=True)) == 7  # a quarter of 30
    assert RANGES.inches(replace(other, leg_in_full_cover=True, spotter_suppressed=True)) == 7
    told = RANGES.told(replace(other, spot=Spot.MOVE, spotter_full_cover=True))
    assert told.total == 15
    assert [term.rule for term in told.terms] == ["5.4.2.6", "5.4.3"]


@pytest.mark.rules("5.4.2.1", "5.4.2.2", "5.4.2.3", "8.4.2.3", "8.4.2.4", "8.4.2.5", system=MINI)
@pytest.mark.parametrize(
    ("kinds", "spotting", "fire"),
    [
        (["rough", "stone_building"], "Heavy", "Heavy"),
        (["wood_building"], "Heavy", "Light"),
        (["brick_building"], "Heavy", "Medium"),
        (["scrub", "hasty_entrenchment"], "Light", "Light"),
        (["woods", "road"], "Medium", "Medium"),
        (["scrub", "improved_position"], "Heavy", "Heavy"),
        (["mines"], "None", "None"),
        (["ditch", "bridge"], "None", "None"),
        (["ditch", "bridge", "scrub"], "Light", "Light"),
    ],
)
def test_5_4_2_1_the_best_cover_of_mixed_terrain(kinds: list[str], spotting: str, fire: str) -> None:
    context, state = placed([{"id": "G1", "at": "10,10"}], [], *(box(kind, 9, 9, 11, 11) for kind in kinds))
    at = unit(state, "G1").at
    assert at is not None
    place = context.ground(state).at(at)
    assert (place.cover_spotting, place.cover_fire) == (Cover(spotting), Cover(fire))


@pytest.mark.rules("5.1", system=MINI)
def test_5_1_armed_units_spot_and_trucks_do_not() -> None:
    truck = {"id": "V1", "card": "opel-blitz", "at": "10,12"}
    context, state = placed([{"id": "G1", "at": "10,10"}, truck], [{"id": "S1", "at": "20,10"}])
    assert determine_spotting(context, state) == {"G1": ("S1",), "S1": ("G1", "V1")}
    found = can_spot(context, state, unit(state, "V1"), unit(state, "S1"))
    assert found.refusal is not None
    assert found.refusal.rule == "5.1"


@pytest.mark.rules("5.4", "5.4.2.4", "5.4.2.7", system=MINI)
def test_5_4_range_cover_and_sight_decide() -> None:
    wood = box("woods", 20, 5, 30, 15)
    context, state = placed(
        [{"id": "G1", "at": "12.5,10"}], [{"id": "S1", "at": "20.5,10"}, {"id": "S2", "at": "53,40"}], wood
    )
    found = can_spot(context, state, unit(state, "G1"), unit(state, "S1"))
    assert (found.range_inches, found.spots) == (8, False)
    assert found.refusal is not None
    assert found.refusal.rule == "5.4.2"
    moved = replace(unit(state, "S1"), spot=Spot.MOVE)
    assert can_spot(context, state, unit(state, "G1"), moved).spots
    assert can_spot(context, state, unit(state, "S1"), unit(state, "G1")).spots
    far = can_spot(context, state, unit(state, "G1"), unit(state, "S2"))
    assert (far.range_inches, far.spots) == (50, False)
    deep = replace(moved, at=Point(22000, 10000))
    hidden = can_spot(context, state, unit(state, "G1"), deep)
    assert hidden.refusal is not None
    assert hidden.refusal.rule == "5.5.2.1"
    beside = replace(unit(state, "G1"), at=Point(23500, 10000))
    assert can_spot(context, state, beside, deep).spots


@pytest.mark.rules("5.4.2", "4.5.1", system=MINI)
def test_5_4_2_the_last_inch_of_a_spotting_range_is_whole() -> None:
    """Out to 7 in is up to 8, for those who spot in their phase and in overwatch alike."""
    wood = box("woods", 20, 8, 23, 12)
    for far, seen in ((7.999, True), (8, False)):
        context, state = placed([{"id": "G1", "at": f"{20.5 - far:g},10"}], [{"id": "S1", "at": "20.5,10"}], wood)
        spotter, target = unit(state, "G1"), unit(state, "S1")
        assert can_spot(context, state, spotter, target).spots is seen
        assert spots_live(context, state, spotter, target) is seen
        assert (UnitId("G1") in determine_spotting(context, state)) is seen


@pytest.mark.rules("5.4.2.7", "5.4.3", system=MINI)
def test_5_4_2_7_an_adjacent_unit_is_spotted_whatever_the_table_says() -> None:
    """A spotter in Full Cover has a quarter of 3 in left at a vehicle in Heavy Cover."""
    house = box("stone_building", 11, 8, 14, 12)
    for far, seen in ((1.999, True), (2, False)):
        context, state = placed([{"id": "G1", "at": f"{12 - far:g},10"}], [{"id": "S1", "at": "12,10"}], house)
        spotter = replace(unit(state, "G1"), markers=replace(NO_MARKERS, full_cover=True))
        state = replace(state, units={**state.units, spotter.id: spotter})
        assert can_spot(context, state, spotter, unit(state, "S1")).spots is seen
        assert spots_live(context, state, spotter, unit(state, "S1")) is seen
        assert (spotter.id in determine_spotting(context, state)) is seen


@pytest.mark.rules("5.2", system=MINI)
def test_5_2_all_round_but_for_the_suppressed() -> None:
    context, state = placed([{"id": "G1", "at": "20,20", "turret": "right"}], [{"id": "S1", "at": "20,40"}])
    target = unit(state, "S1")
    assert can_spot(context, state, unit(state, "G1"), target).spots
    shaken = replace(unit(state, "G1"), markers=replace(NO_MARKERS, suppression=Suppression.ON))
    refusal = can_spot(context, state, shaken, target).refusal
    assert refusal is not None
    assert refusal.rule == "5.2"
    ahead = replace(target, at=Point(38000, 20000))
    assert can_spot(context, state, shaken, ahead).spots
    assert not can_spot(context, state, shaken, replace(target, at=Point(41000, 20000))).spots


@pytest.mark.rules("5.3", system=MINI)
def test_5_3_a_unit_spots_all_that_it_can() -> None:
    soviets = [{"id": f"S{number}", "at": f"{20 + 2 * number},10"} for number in range(8)]
    context, state = placed([{"id": "G1", "at": "10,10"}], soviets)
    assert len(determine_spotting(context, state)[UnitId("G1")]) == 8


@pytest.mark.rules("5.1", "5.5.4", "5.0", system=MINI)
def test_5_5_4_a_marker_stays_while_anybody_spots_its_unit() -> None:
    """B takes over the target of A, which has gone behind a wood; when nobody spots it, its marker goes."""
    wood = box("heavy_woods", 18, 8, 22, 12)
    units = [{"id": "A", "at": "10,10"}, {"id": "B", "at": "10,20"}]
    context, state = placed(units, [{"id": "C", "at": "30,10", "spot": "SPOT/MOVE"}], wood)
    spotted = determine_spotting(context, state)
    assert UnitId("A") not in spotted
    assert spotted[UnitId("B")] == ("C",)
    assert extraneous(state, spotted) == ()
    assert extraneous(state, {}) == ("C",)


@pytest.mark.rules("3.1", "5.0", "5.1", "5.4.2.6", "5.5.4", "8.1.1.2.3", system=MINI)
def test_5_0_markers_of_the_last_turn_count_from_the_next_spotting_phase_on() -> None:
    """In woods a vehicle is spotted out to 7 in, and out to 70 if it has fired; the markers of the unseen go."""
    features = [box("woods", 29, 8, 32, 22), box("heavy_woods", 36, 30, 38, 48)]
    soviet = [
        tank(at="29.5,10", new_spot="SPOT/FIRE"),
        tank(at="29.5,12") | {"id": "quiet"},
        tank(at="29.5,14", spot="SPOT/FIRE") | {"id": "before"},
        tank(at="29.5,16", spot="SPOT/FIRE", new_spot="SPOT/MOVE") | {"id": "moved"},
        tank(at="40,40", new_spot="SPOT/FIRE") | {"id": "unseen"},
    ]
    german = [panzer(at="10,40"), panzer() | {"id": "scout"}]
    story = Story(forces(german, soviet, features=features, open="end of turn"))
    assert story.state.turn == 2
    assert story.state.spotted[UnitId("scout")] == ("tank", "before", "moved")
    markers = {name: (story.unit(name).spot.value, story.unit(name).new_spot.value) for name in ("tank", "before")}
    assert markers == {"tank": ("SPOT/FIRE", ""), "before": ("SPOT/FIRE", "")}
    assert (story.unit("moved").spot, story.unit("unseen").spot) == (Spot.MOVE, Spot.NONE)


@pytest.mark.rules("8.1.2.2", system=MINI)
def test_8_1_2_2_a_marker_of_this_turn_counts_for_overwatch() -> None:
    wood = box("woods", 29.5, 9, 32, 11)
    context, state = placed([{"id": "G1", "at": "10,10"}], [{"id": "S1", "at": "30,10"}], wood)
    target = unit(state, "S1")
    assert not spots_live(context, state, unit(state, "G1"), target)
    assert spots_live(context, state, unit(state, "G1"), replace(target, new_spot=Spot.FIRE))
    assert not can_spot(context, state, unit(state, "G1"), replace(target, new_spot=Spot.FIRE)).spots


@pytest.mark.rules("3.1", "5.0", system=MINI)
def test_3_1_every_turn_begins_with_spotting() -> None:
    game = at_random(game_of("pm-b-the-ridge"), 1, 40)
    found = [event for event in events_of(game) if isinstance(event, ev.SpottingDetermined)]
    assert found
    assert found[0].spotted
