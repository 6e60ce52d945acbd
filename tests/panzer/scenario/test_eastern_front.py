"""The pack of the Eastern Front: five boards and five battles over the rules of North Africa."""

from functools import cache

import pytest

from sandtable import catalog
from sandtable.geo.boards import Boards
from sandtable.geo.hex import NEIGHBOURS, Hex
from sandtable.geo.hexside import SIDES, hexes_of
from sandtable.geo.map import GameMap
from sandtable.systems.panzer.edition import Level
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.movement.going import vehicle_going
from sandtable.systems.panzer.hex.movement.movement_costs import cost_table
from sandtable.systems.panzer.hex.rules import PanzerRules
from sandtable.systems.panzer.hex.sight.ground import Ground
from sandtable.systems.panzer.hex.system import PANZER_NA_BASIC
from sandtable.systems.panzer.terrain import Special, Terrain, Traction, parse_terrain

LIBRARY = catalog.library("panzer-na")
EAST = next(pack for pack in LIBRARY.packs if pack.manifest.id == "panzer-east")
SCENARIOS = [name for name, _, _ in EAST.section("scenarios")]
BOARDS = [name for name, _, _ in EAST.section("boards")]
RIVERS = {"river-bend": "K7", "berezovka-heights": "K7", "twin-bridges": "F9"}
"""Boards that an impassable river cuts in two, and a crossing of each."""

each_board = pytest.mark.parametrize("board", BOARDS)
each_scenario = pytest.mark.parametrize("name", SCENARIOS)


@cache
def ground(board: str) -> Ground:
    terrain = parse_terrain(LIBRARY.every("terrain.yaml"))
    game_map = GameMap.of_board(Boards(LIBRARY)[board])
    return Ground(game_map, terrain, PANZER_NA_BASIC.edition, LIBRARY.tables())


@cache
def context(name: str) -> Context:
    ruleset = catalog.open_scenario(name).ruleset
    assert isinstance(ruleset, PanzerRules)
    return ruleset.context


def reached(survey: Ground, start: Hex, barred: frozenset[Hex] = frozenset()) -> set[Hex]:
    """Where a tracked vehicle comes to from a hex."""
    steps = cost_table(survey, vehicle_going(Traction.TRACKED, survey.tables)).steps
    found, edge = {start}, [start]
    while edge:
        for step in steps[edge.pop()]:
            if step is not None and step.to is not None and step.to not in found | barred:
                found.add(step.to)
                edge.append(step.to)
    return found


def is_prohibited(footing: tuple[Terrain, ...], traction: Traction) -> bool:
    return Special.PROHIBITED in [row.cost.of(traction) for row in footing if row.cost is not None]


def test_the_pack_lies_over_that_of_north_africa() -> None:
    assert [pack.manifest.id for pack in LIBRARY.packs][:2] == ["panzer-na", "panzer-east"]
    assert EAST.manifest.extends == "panzer-na"
    assert "panzer-east" not in catalog.library("mbt").digests
    assert len(SCENARIOS) == len(BOARDS)


@each_board
def test_a_hex_holds_one_terrain_and_hills_have_slopes(board: str) -> None:
    survey = ground(board)
    for place in survey.places.values():
        assert len(place.terrain) == 1, place.label
    for side in {side for hex in survey.map.hexes for side in SIDES[hex]}:
        one, other = hexes_of(side)
        if one in survey.map and other in survey.map:
            steps = abs(survey.map.at(one).level - survey.map.at(other).level)
            assert steps <= 1, survey.label(one)
            assert ("slope" in survey.map.side(side)) == bool(steps), survey.label(one)


@each_board
def test_every_hex_is_reached_or_prohibited(board: str) -> None:
    survey = ground(board)
    missed = survey.places.keys() - reached(survey, survey.map.hex("K3"))
    left = [survey.label(hex) for hex in missed if not is_prohibited(survey.places[hex].footing, Traction.TRACKED)]
    assert left == []


@pytest.mark.parametrize("board", RIVERS)
def test_a_river_is_crossed_by_its_bridges_and_fords_alone(board: str) -> None:
    survey = ground(board)
    beds = {hex for hex, place in survey.places.items() if {"river", "ford"} & set(place.terrain)}
    crossings = {hex for hex in beds if not is_prohibited(survey.places[hex].footing, Traction.TRACKED)}
    assert survey.map.hex(RIVERS[board]) in crossings
    north = reached(survey, survey.map.hex("K3"), frozenset(beds))
    south = {hex for hex in survey.places if hex not in north | beds}
    assert survey.map.hex("K13") in south
    assert len(crossings) == {"river-bend": 3, "berezovka-heights": 1, "twin-bridges": 2}[board]


@each_scenario
@pytest.mark.rules("2.0", system="panzer-na")
def test_a_battle_has_its_forces_where_they_may_stand(name: str) -> None:
    found = context(name)
    draft, survey = found.scenario.draft, found.ground
    assert draft.id == name
    assert (draft.level, draft.status) == (Level.ADVANCED, "reconstructed")
    assert 8 <= draft.turns <= 12
    assert "miniatures rules" in draft.briefing
    assert len(draft.briefing.splitlines()) == 1
    assert all(formation.establishment for side in draft.sides for formation in side.formations)
    limit = found.tables["stacking"].number("over_stacked_from")
    held: dict[Hex, list[str]] = {}
    for unit in found.scenario.units.values():
        traction = found.cards[unit.card].movement.mode
        for hex in (unit.hex,) if unit.hex is not None else unit.entry:
            ways = any(survey.routes.get(side) for side in SIDES[hex])
            assert ways or not is_prohibited(survey.places[hex].footing, traction), f"{unit.id} {survey.label(hex)}"
        if unit.hex is not None:
            assert NEIGHBOURS[unit.hex][unit.facing] in found.game_map, unit.id
            if not unit.markers.carrier:
                held.setdefault(unit.hex, []).append(unit.side)
        else:
            assert set(unit.entry) <= set(found.game_map.exits), unit.id
            assert unit.enters_turn < draft.turns
    for hex, sides in held.items():
        assert len(set(sides)) == 1, survey.label(hex)
        assert len(sides) < limit, survey.label(hex)
    assert all(hexes <= set(found.game_map.exits) for hexes in found.scenario.exits)


@each_scenario
def test_both_sides_have_a_way_to_every_objective(name: str) -> None:
    found = context(name)
    for seat in found.scenario.seats:
        start = next(unit.hex for unit in found.scenario.units.values() if unit.side == seat and unit.hex is not None)
        ways = reached(found.ground, start)
        for objective, hexes in found.scenario.objectives.items():
            assert set(hexes) <= ways, f"{seat} {objective}"
