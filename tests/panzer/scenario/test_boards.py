"""Boards and scenarios of the shipped packs: sound, geomorphic, playable from end to end."""

from functools import cache
from itertools import product
from random import Random
from typing import NamedTuple

import pytest

from sandtable import catalog, packs
from sandtable.core.content.pack import Library
from sandtable.core.content.reading import convert, read_yaml
from sandtable.core.content.scenario import read_draft
from sandtable.core.dice import SeededDice
from sandtable.geo.board import BoardDraft
from sandtable.geo.boards import Boards, scenario_map
from sandtable.geo.hex import NEIGHBOURS, Hex
from sandtable.geo.hexside import SIDES, hexes_of
from sandtable.geo.map import GameMap
from sandtable.geo.placing import PlacementDraft
from sandtable.sim.playout import play_out, start
from sandtable.systems.panzer.edition import Level
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.movement.going import vehicle_going
from sandtable.systems.panzer.hex.movement.movement_costs import cost_table
from sandtable.systems.panzer.hex.sight.ground import Ground
from sandtable.systems.panzer.hex.system import MBT_BASIC, PANZER_NA_BASIC
from sandtable.systems.panzer.terrain import Placement, Special, Terrain, TerrainId, Traction, parse_terrain
from sandtable.systems.panzer.unit import Status

SYSTEMS = {system.card.id: system for system in (PANZER_NA_BASIC, MBT_BASIC)}
ROUTES = {"road", "path", "track"}
BENCHMARKS = {"na-brigade-clash", "mbt-battalion-attack"}
FIRST = {"panzer-na": "na-a-patrol-at-tamrad", "mbt": "mbt-a-crossroads-at-reinbach"}


@cache
def library(pack: str) -> Library:
    return Library([packs.shipped(pack)])


@cache
def boards(pack: str) -> Boards:
    return Boards(library(pack))


@cache
def terrain(pack: str) -> dict[TerrainId, Terrain]:
    return parse_terrain({"terrain.yaml": library(pack).file("terrain.yaml")[0]})


@cache
def ground(pack: str, board: str) -> Ground:
    return ground_of(pack, GameMap.of_board(boards(pack)[board]))


def ground_of(pack: str, game_map: GameMap) -> Ground:
    return Ground(game_map, terrain(pack), SYSTEMS[pack].edition, library(pack).tables())


@cache
def context(pack: str, scenario: str) -> Context:
    data, where = library(pack).file(f"scenarios/{scenario}.yaml")
    draft = read_draft(data, where)
    game_map = scenario_map(draft["map"], library(pack), where)
    return SYSTEMS[pack].context(draft, game_map, library(pack), where)


BOARDS = [(pack, board) for pack in SYSTEMS for board in boards(pack)]
SCENARIOS = [(pack, name) for pack in SYSTEMS for name, _, _ in library(pack).section("scenarios")]

each_board = pytest.mark.parametrize(("pack", "board"), BOARDS, ids=[board for _, board in BOARDS])
each_scenario = pytest.mark.parametrize(("pack", "name"), SCENARIOS, ids=[name for _, name in SCENARIOS])


class Join(NamedTuple):
    pack: str
    first: str
    second: str
    side: str
    turned: bool

    def __str__(self) -> str:
        return f"{self.second}-{self.side}-{self.first}{'-turned' if self.turned else ''}"

    def map(self) -> GameMap:
        second = {"board": self.second, "name": "b", "turned": self.turned, self.side: "a"}
        drafts = [PlacementDraft(self.first, name="a"), convert(second, PlacementDraft, "second")]
        return GameMap.from_boards(boards(self.pack), drafts)


MIDDLE = {"right_of": "aU7", "left_of": "aA7", "below": "aK14", "above": "aK0"}
"""The hex in the middle of the first board's edge."""

JOINS = [
    Join(pack, *rest)
    for pack in SYSTEMS
    for rest in product(sorted(boards(pack)), sorted(boards(pack)), MIDDLE, (False, True))
]
each_join = pytest.mark.parametrize("join", JOINS, ids=str)


# --- boards -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("pack", SYSTEMS)
@pytest.mark.rules("1.2")
def test_1_2_a_pack_has_boards_of_its_own(pack: str) -> None:
    assert len(boards(pack)) >= 2
    assert len({board.prefix for board in boards(pack).values()}) == len(boards(pack))


@each_board
def test_a_board_is_original_and_named_as_its_file(pack: str, board: str) -> None:
    data, where = library(pack).file(f"boards/{board}.yaml")
    draft = read_yaml(data, BoardDraft, where)
    assert draft.id == board
    assert draft.status == "original"
    assert (draft.columns, draft.rows) == (21, 14)


@each_board
def test_every_kind_of_feature_is_terrain_of_the_book_where_it_may_lie(pack: str, board: str) -> None:
    known = terrain(pack)
    for feature in boards(pack)[board].features:
        if feature.at is not None:
            assert feature.kind == "name"
            assert feature.text
            continue
        placement = known[TerrainId(feature.kind)].placement
        if feature.line:
            assert placement is Placement.ROUTE or feature.kind in SYSTEMS[pack].edition.sunken_lines
        elif feature.sides:
            assert placement is Placement.HEXSIDE
        else:
            assert placement in {Placement.HEX, Placement.LEVEL}


@each_board
def test_a_hex_holds_one_terrain(pack: str, board: str) -> None:
    for place in ground(pack, board).places.values():
        assert len(place.terrain) == 1, place.label


@each_board
@pytest.mark.rules("1.2")
def test_1_2_edges_are_bare_level_ground_with_a_route_in_the_middle(pack: str, board: str) -> None:
    layout = boards(pack)[board].layout
    game_map = ground(pack, board).map
    middles = {layout.hex(label) for label in ("A7", "U7", "K0", "K14")}
    for hex in layout.hexes():
        facts = game_map.at(hex)
        place = layout.place_of(hex)
        assert place is not None
        if place[1] in {1, layout.rows}:
            assert facts.level == 0, layout.label(hex)
        if layout.cut_by(hex):
            assert (facts.level, facts.terrain) == (0, ()), layout.label(hex)
            assert bool(ROUTES & set(facts.routes)) == (hex in middles), layout.label(hex)


@each_board
@pytest.mark.rules("4.1.4.1.5")
def test_4_1_4_1_5_every_hill_edge_is_drawn_as_slope_or_cliff(pack: str, board: str) -> None:
    game_map = ground(pack, board).map
    for side in {side for hex in game_map.hexes for side in SIDES[hex]}:
        one, other = hexes_of(side)
        if one not in game_map or other not in game_map:
            assert not game_map.side(side)
            continue
        steps = abs(game_map.at(one).level - game_map.at(other).level)
        edges = {"slope", "cliff"} & set(game_map.side(side))
        where = f"{game_map.label(one)} {game_map.label(other)}"
        assert len(edges) == (1 if steps else 0), where
        assert steps <= 1 or edges == {"cliff"}, where


@each_board
@pytest.mark.rules("4.5.1.1.5")
def test_4_5_1_1_5_routes_meet_no_obstacle(pack: str, board: str) -> None:
    game_map = ground(pack, board).map
    for kind in ROUTES & set(game_map.routes):
        for side in game_map.routes[kind]:
            one, other = hexes_of(side)
            assert set(game_map.side(side)) <= {"slope"}, game_map.label(one)
            assert abs(game_map.at(one).level - game_map.at(other).level) <= 1, game_map.label(one)


@each_board
@pytest.mark.rules("4.5.1.1.6")
def test_4_5_1_1_6_routes_cross_beds_on_bridges_and_fords_only(pack: str, board: str) -> None:
    survey = ground(pack, board)
    for hex, place in survey.places.items():
        ways = [side for side in SIDES[hex] if ROUTES & set(survey.routes.get(side, ()))]
        if place.bridge:
            assert len(ways) == 2, place.label
        elif place.channel:
            assert not ways, place.label


@each_board
@pytest.mark.rules("4.5.1.1.2")
def test_4_5_1_1_2_every_hex_is_reached_or_prohibited(pack: str, board: str) -> None:
    survey = ground(pack, board)
    steps = cost_table(survey, vehicle_going(Traction.TRACKED, survey.tables)).steps
    reached = {survey.map.hex("K7")}
    edge = list(reached)
    while edge:
        for step in steps[edge.pop()]:
            if step is not None and step.to is not None and step.to not in reached:
                reached.add(step.to)
                edge.append(step.to)
    missed = [place for hex, place in survey.places.items() if hex not in reached]
    assert all(is_prohibited(place.footing, Traction.TRACKED) for place in missed), missed


def is_prohibited(footing: tuple[Terrain, ...], traction: Traction) -> bool:
    costs = [row.cost.of(traction) for row in footing if row.cost is not None]
    return Special.PROHIBITED in costs


# --- joins ------------------------------------------------------------------------------------------


@each_join
@pytest.mark.rules("1.2")
def test_1_2_boards_join_at_every_edge_and_roads_meet(join: Join) -> None:
    game_map = join.map()
    middle = game_map.hex(MIDDLE[join.side])
    assert len(game_map.labels(middle)) == 2
    ways = [hexes_of(side) for kind in ROUTES & set(game_map.routes) for side in game_map.routes[kind]]
    beyond = {hex for way in ways if middle in way for hex in way} - {middle}
    assert {game_map.boards[hex][0] for hex in beyond} == {"a", "b"}
    seam = [hex for hex in game_map.hexes if len(game_map.boards[hex]) == 2]
    assert len(seam) == (15 if join.side in {"right_of", "left_of"} else 11)
    assert len(game_map.hexes) == 2 * 305 - len(seam)
    assert all(game_map.at(hex).level == 0 for hex in seam)


@each_join
def test_joining_changes_no_hex_and_no_hexside(join: Join) -> None:
    game_map = join.map()
    for placed in game_map.placed:
        alone = ground(join.pack, placed.board.id).map
        for local in placed.board.layout.hexes():
            hex = placed.transform.hex(local)
            before, after = alone.at(local), game_map.at(hex)
            assert (after.terrain, after.level) == (before.terrain, before.level)
            assert set(before.routes) <= set(after.routes)
        for side, kinds in alone.sides.items():
            assert game_map.side(placed.transform.side(side)) == kinds


@pytest.mark.parametrize("pack", SYSTEMS)
def test_joined_ground_has_no_cliff_that_is_not_drawn(pack: str) -> None:
    names = sorted(boards(pack))
    for side, turned in product(MIDDLE, (False, True)):
        survey = ground_of(pack, Join(pack, names[0], names[1], side, turned).map())
        assert all("cliff" in edge.kinds for edge in survey.sides.values() if edge.cliff)


# --- scenarios --------------------------------------------------------------------------------------


@pytest.mark.parametrize("pack", SYSTEMS)
@pytest.mark.rules("2.0")
def test_2_0_every_scenario_opens_from_the_catalog(pack: str) -> None:
    heads = catalog.scenarios(pack)
    assert [head.id for head in heads] == sorted(head.id for head in heads)
    assert heads[0].id == FIRST[pack]
    for head in heads:
        ruleset = catalog.open_scenario(head.id).ruleset
        assert ruleset.decision(start(ruleset, SeededDice(1))) is not None
        assert head.status == ("reconstructed" if head.id.startswith("pe-") else "original")
        assert head.summary


@each_scenario
@pytest.mark.rules("4.6.2")
def test_4_6_2_a_random_game_ends_with_an_outcome(pack: str, name: str) -> None:
    ruleset = catalog.open_scenario(name).ruleset
    dice = SeededDice(7)
    played = play_out(ruleset, start(ruleset, dice), dice, Random(7))
    assert played.outcome is not None
    assert set(played.outcome.scores) == set(context(pack, name).scenario.seats)


@each_scenario
@pytest.mark.rules("2.0")
def test_2_0_a_scenario_has_its_size_and_its_points(pack: str, name: str) -> None:
    scenario = context(pack, name).scenario
    draft = scenario.draft
    assert draft.id == name
    assert 8 <= draft.turns <= 12
    assert len(draft.briefing.splitlines()) == 1, "one paragraph"
    assert draft.objectives
    sizes = [len(side.units) for side in draft.sides]
    least, most = (10, 35) if draft.level is Level.ADVANCED else (4, 10)
    assert sizes == [15, 15] if name in BENCHMARKS else min(sizes) >= least and max(sizes) <= most
    for objective in draft.objectives:
        assert all(points > 0 for points in objective.points.values())
        assert set(objective.points) <= set(scenario.seats)


@each_scenario
@pytest.mark.rules("4.5.1.1.2")
def test_4_5_1_1_2_vehicles_start_where_they_may_stand(pack: str, name: str) -> None:
    found = context(pack, name)
    survey = found.ground
    held: dict[Hex, list[str]] = {}
    for unit in found.scenario.units.values():
        traction = found.cards[unit.card].movement.mode
        for hex in (unit.hex,) if unit.hex is not None else unit.entry:
            place = survey.places[hex]
            ways = any(survey.routes.get(side) for side in SIDES[hex])
            assert ways or not is_prohibited(place.footing, traction), f"{unit.id} {place.label}"
        if unit.hex is not None:
            held.setdefault(unit.hex, []).append(unit.side)
    limit = found.tables["stacking"].number("over_stacked_from")
    for hex, sides in held.items():
        assert len(set(sides)) == 1, survey.places[hex].label
        assert len(sides) < limit, survey.places[hex].label


@each_scenario
@pytest.mark.rules("4.5.1.1.9")
def test_4_5_1_1_9_reserves_and_exits_use_the_edge_of_the_map(pack: str, name: str) -> None:
    found = context(pack, name)
    exits = set(found.game_map.exits)
    for unit in found.scenario.units.values():
        assert set(unit.entry) <= exits, unit.id
        assert unit.hex is not None or unit.entry or unit.status is Status.ABOARD
        assert unit.enters_turn < found.scenario.draft.turns
    for hexes in found.scenario.exits:
        assert hexes <= exits


@each_scenario
def test_a_vehicle_has_a_way_to_every_objective(pack: str, name: str) -> None:
    found = context(pack, name)
    steps = cost_table(found.ground, vehicle_going(Traction.TRACKED, found.tables)).steps
    reached = {unit.hex for unit in found.scenario.units.values() if unit.hex is not None}
    edge = list(reached)
    while edge:
        for step in steps[edge.pop()]:
            if step is not None and step.to is not None and step.to not in reached:
                reached.add(step.to)
                edge.append(step.to)
    for hexes in found.scenario.objectives.values():
        assert set(hexes) <= reached


@pytest.mark.parametrize("pack", SYSTEMS)
def test_the_scenarios_use_what_the_format_has(pack: str) -> None:
    drafts = [context(pack, name).scenario.draft for book, name in SCENARIOS if book == pack]
    places = [place for draft in drafts for place in draft.map["placements"]]
    units = [unit for draft in drafts for side in draft.sides for unit in side.units]
    assert len(drafts) >= 4
    assert any(len(draft.map["placements"]) == 1 for draft in drafts)
    assert any(len(draft.map["placements"]) == 2 for draft in drafts)
    assert any(place.get("turned") for place in places)
    assert any(place.get("rows") or place.get("columns") for place in places)
    assert any(unit.enters for unit in units)
    assert any(draft.victory.exits for draft in drafts)


@each_scenario
def test_forces_are_matched_by_their_points(pack: str, name: str) -> None:
    found = context(pack, name)
    points = {
        seat: sum(found.cards[unit.card].points for unit in found.scenario.units.values() if unit.side == seat)
        for seat in found.scenario.seats
    }
    weaker, stronger = sorted(points.values())
    attack = any(objective.holder for objective in found.scenario.draft.objectives)
    assert stronger <= (1.8 if attack else 1.1) * weaker, points


@each_scenario
def test_no_vehicle_starts_facing_off_the_map(pack: str, name: str) -> None:
    found = context(pack, name)
    for unit in found.scenario.units.values():
        if unit.hex is not None:
            assert NEIGHBOURS[unit.hex][unit.facing] in found.game_map, unit.id
