"""7.0-7.11: what moves cost, where they lead, and where they end."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.core.decision import Seat
from sandtable.geo.hex import NW
from sandtable.geo.hexside import hexside
from sandtable.systems.goss.common.state import BridgeChange, BridgeKind, FormationState, FuelState, Use
from sandtable.systems.goss.ground.weather import GroundCondition
from sandtable.systems.goss.movement.entering import EndEntry, Enter
from sandtable.systems.goss.movement.entry_cost import ENTERED
from sandtable.systems.goss.movement.marching import EndMoves, Halted, Marched
from sandtable.systems.goss.movement.overstacked import Remove
from sandtable.systems.goss.pieces.card import FormationId, Trait
from sandtable.systems.goss.pieces.unit import Box, Supply, UnitId
from sandtable.systems.goss.rules import GossRules
from sandtable.systems.goss.turn.segments import Part
from tests.goss.moving import AXIS, NON_ROAD, PREPARED, ROAD, Field

FOOT, TRUCKS, TANKS, STAFF = "61-inf/1-481", "ccb/2-CCB", "61-inf/799 Tk", "61-inf/HQ"
ENEMY = "791-inf/I-1571"


def rules(*numbers: str) -> pytest.MarkDecorator:
    return pytest.mark.rules(*numbers, system="goss")


def road(kind: str, *hexes: str, **more: object) -> dict[str, object]:
    return {"kind": kind, "line": list(hexes), **more}


@rules("7.10.0", "7.4.0")
def test_roads_cost_vehicles_what_they_are_and_dry_clear_ground_is_a_road() -> None:
    lines = [
        road("primary_road", "0101", "0201"),
        road("secondary_road", "0201", "0301"),
        road("trail", "0301", "0401"),
    ]
    field = Field(ROAD, "w w w w .", {"0101": [TRUCKS]}, features=lines)
    assert field.reach(TRUCKS) == {"0201": 0.5, "0301": 1.5, "0401": 3}
    dry = Field(ROAD, ". . w", {"0101": [TRUCKS]})
    assert dry.reach(TRUCKS) == {"0201": 1.5}
    wet = Field(ROAD, ". . w", {"0101": [TRUCKS]}, ground=GroundCondition.WET)
    assert wet.reach(TRUCKS) == {}
    assert Field(ROAD, "w w", {"0101": [TRUCKS, FOOT]}, features=[road("trail", "0101", "0201")]).reach(FOOT) == {}


@rules("7.10.1")
def test_roads_that_pass_each_other_by_are_changed_only_on_dry_clear_ground() -> None:
    lines = [
        road("secondary_road", "0101", "0202", "0302"),
        road("trail", "0201", "0202", "0203", attributes={"apart": "0202"}),
    ]
    cells = "w w w\nw {} w\nw w w"
    woods = Field(ROAD, cells.format("w"), {"0101": [TRUCKS]}, features=lines)
    assert set(woods.reach(TRUCKS)) == {"0202", "0302"}
    clear = Field(ROAD, cells.format("."), {"0101": [TRUCKS]}, features=lines)
    assert clear.reach(TRUCKS) == {"0202": 1, "0302": 2, "0201": 3, "0203": 3}


@rules("7.10.2", "17.3.2a")
def test_a_bridge_costs_nothing_and_a_trail_bridge_may_break_under_heavy_tanks() -> None:
    panther, lines = "191-pz/1-191 Pz", [road("trail", "0101", "0201"), {"kind": "river", "sides": ["0101:NE"]}]
    for die, at, bridge in ((1, "0101", BridgeKind.DOWN), (8, "0201", BridgeKind.PROVEN)):
        field = Field(ROAD, "w w", {}, {"0101": [panther]}, seat=AXIS, features=lines)
        assert field.reach(panther) == {"0201": 1.5}
        field.go(panther, "0201", dice=[die + 1])
        assert field.where(panther) == at
        assert [change.kind for change in field.state.bridges] == [bridge]
        assert field.unit(panther).has_moved


@rules("17.3.1d", "7.10.2")
def test_a_bridge_that_was_built_joins_the_roads_of_both_banks() -> None:
    lines = [road("secondary_road", "0101", "0201"), road("trail", "0301", "0401")]
    field = Field(ROAD, "w w w w", {"0101": [TRUCKS]}, features=[*lines, {"kind": "river", "sides": ["0301:NW"]}])
    assert field.reach(TRUCKS) == {"0201": 1}
    side = hexside(field.rules.place("0301"), NW)
    field.state = replace(field.state, bridges=(BridgeChange(side, BridgeKind.BUILT),))
    assert field.reach(TRUCKS) == {"0201": 1, "0301": 2.5, "0401": 4}


@rules("16.4.3a")
def test_who_walks_or_goes_by_horse_needs_no_fuel() -> None:
    horses, staff = "791-inf/I-791 AR", "791-inf/HQ"
    field = Field(NON_ROAD, ". .", {}, {"0101": [ENEMY, horses], "0201": [staff]}, seat=AXIS)
    none = FormationState(FuelState.NONE, fuel_value=0)
    field.state = replace(field.state, formations={FormationId("xciii-corps"): none})
    assert field.reach(ENEMY) == field.reach(horses) == {"0201": 1}
    assert field.reach(staff) == {}


@rules("7.10.3", "6.5.0", "5.7.0", "7.10.0")
def test_on_the_road_one_vehicle_unit_may_be_joined_and_two_bar_the_way() -> None:
    line = [road("primary_road", "0101", "0201", "0301")]
    one = Field(ROAD, "w w w", {"0101": [TRUCKS], "0201": [TANKS]}, features=line)
    assert one.reach(TRUCKS) == {"0201": 2.5}
    two = Field(ROAD, "w w w", {"0101": [TRUCKS], "0201": [TANKS, "ccb/1-CCB"]}, features=line)
    assert two.reach(TRUCKS) == {}
    assert two.refused(TRUCKS, "0201") == "7.10.3"
    ignored = Field(
        ROAD, "w w w", {"0101": [TRUCKS], "0201": [STAFF, "61-inf/811 FA", "61-inf/A-61 Eng"]}, features=line
    )
    assert ignored.reach(TRUCKS) == {"0201": 0.5, "0301": 1}
    crowd = Field(ROAD, "w w w", {"0101": [TRUCKS, TANKS, "61-inf/61 Rcn"]}, features=line)
    assert crowd.reach(TRUCKS) == {}


@rules("7.10.0", "5.7.0")
def test_who_takes_the_road_out_of_a_stack_of_vehicles() -> None:
    line = [road("primary_road", "0101", "0201", "0301")]
    staff = Field(ROAD, "w w w", {"0101": [TRUCKS, "61-inf/61 Rcn", STAFF]}, features=line)
    assert staff.reach(STAFF) == {"0201": 0.5, "0301": 1}, "an HQ is no Mech unit here"
    companies = ["61-inf/61 Rcn", "47-inf/B-899 TD"]
    two = Field(ROAD, "w w w", {"0101": [*companies, TANKS]}, features=line)
    assert two.reach(companies) == {"0201": 0.5, "0301": 1}
    assert two.reach(companies[:1]) == {}, "two others, unless they go as one"
    assert two.reach(TANKS) == {"0201": 0.5, "0301": 1}, "past the two, who are one"
    came = replace(two.unit(companies[0]), has_moved=True)
    two.state = replace(two.state, units=two.state.units | {came.id: came})
    assert two.reach(TANKS) == {}, "they did not start together"
    riding = Field(ROAD, "w w w", {"0101": [*companies, TRUCKS]}, features=line)
    assert riding.reach(companies) == riding.reach([TRUCKS, companies[1]]) == {"0201": 0.5, "0301": 1}


@rules("6.2.0", "6.2.1", "7.10.3")
def test_a_battalion_takes_along_whom_it_likes_of_those_who_stack_for_free() -> None:
    line = [road("primary_road", "0101", "0201", "0301")]
    stack = ["191-pz/I-191 PzG", "191-pz/1-191 Pz", "191-pz/2-191 Pz"]
    field = Field(ROAD, "w w w", {}, {"0101": stack}, seat=AXIS, features=line)
    for company in stack[1:]:
        assert field.reach([stack[0], company]) == {"0201": 0.5, "0301": 1}
    assert field.refused(stack, "0201") == "7.5.1", "one AFV company with each"


@rules("7.3.0", "7.6.1")
def test_vehicles_with_three_points_enter_a_forest_for_all_they_have_and_without_any_none() -> None:
    field = Field(NON_ROAD, ". f .", {"0101": [TRUCKS]}, ground=GroundCondition.MUD)
    low = FormationState(FuelState.LOW, fuel_value=6)
    field.state = replace(field.state, formations={FormationId("ccb"): low})
    assert field.reach(TRUCKS) == {"0201": 3}
    assert field.refused(TRUCKS, "0201", "0301") == "7.2.0"
    field.state = replace(field.state, formations={FormationId("ccb"): replace(low, fuel_value=0)})
    assert field.refused(TRUCKS, "0201") == "7.5.1"


@rules("7.6.1f")
def test_at_night_a_hex_costs_one_more_but_along_roads() -> None:
    line = [road("trail", "0101", "0201", "0301")]
    field = Field(NON_ROAD, "w w w", {"0101": [FOOT, TANKS]}, features=line, part=Part.NIGHT)
    field.state = replace(field.state, rests={})
    assert field.reach(FOOT) == {"0201": 1, "0301": 2}
    assert field.reach(TANKS) == {"0201": 4, "0301": 8}
    by_road = Field(ROAD, "w w w", {"0101": [TANKS]}, features=line, part=Part.NIGHT)
    assert by_road.reach(TANKS) == {"0201": 2.5, "0301": 5}


@rules("7.6.2")
def test_on_foot_along_good_roads_out_of_sight_two_points_more() -> None:
    labels = [f"{column:02}01" for column in range(1, 13)]
    cells, line = " ".join("." * 12), [road("secondary_road", *labels)]
    assert len(Field(NON_ROAD, cells, {"0101": [FOOT]}, features=line).reach(FOOT)) == 8
    assert len(Field(NON_ROAD, cells, {"0101": [FOOT]}, features=[road("trail", *labels)]).reach(FOOT)) == 6
    hungry = Field(NON_ROAD, cells, {"0101": [FOOT]}, features=line, markers={FOOT: {"out_of_command": True}})
    assert len(hungry.reach(FOOT)) == 3
    watched = Field(NON_ROAD, cells, {"0101": [FOOT]}, {"0901": [ENEMY]}, features=line)
    assert set(watched.reach(FOOT)) == set(labels[1:7])


@rules("7.8.0")
def test_enemies_beside_a_hex_make_it_dear() -> None:
    field = Field(NON_ROAD, ". . . .", {"0101": [FOOT, TANKS]}, {"0401": [ENEMY]})
    assert field.reach(FOOT)["0301"] == 3
    assert field.reach(TANKS)["0301"] == 4
    tanks = Field(NON_ROAD, ". . w .", {"0101": [FOOT]}, {"0401": ["191-pz/1-191 Pz"]})
    assert tanks.reach(FOOT)["0301"] == 2.5
    joined = Field(
        NON_ROAD,
        ". . w .",
        {"0101": [FOOT]},
        {"0401": ["191-pz/1-191 Pz"]},
        features=[road("trail", "0301", "0401")],
    )
    assert joined.reach(FOOT)["0301"] == 3.5
    hidden = Field(NON_ROAD, ". . w .", {"0101": [FOOT]}, {"0401": ["191-pz/1-191 Pz", "191-pz/2-191 Pz"]})
    assert hidden.reach(FOOT)["0301"] == 3.5, "nobody knows what lies under it"
    for cells, cost in ((". . w .", 2.5), (". . . .", 3)):
        field = Field(NON_ROAD, cells, {"0101": [FOOT]}, {"0401": [ENEMY]}).endow(FOOT, Trait.COMMANDO)
        assert field.reach(FOOT)["0301"] == cost


@rules("7.7.0", "7.7.2")
def test_hidden_guns_halt_a_move_and_are_shown() -> None:
    guns, cells = "944-flak/3-944 Flak", ". . . .\n. . . ."
    field = Field(NON_ROAD, cells, {"0101": [TRUCKS]}, {"0301": [ENEMY, guns]})
    assert field.refused(TRUCKS, "0201", "0202") == ""
    field.go(TRUCKS, "0201", "0202")
    assert field.where(TRUCKS) == "0201"
    halted = field.told(Halted)
    assert (halted.halt.rule, halted.halt.proof) == ("7.7.2", (guns,))
    assert field.rules.reveals(halted)
    seen = Field(NON_ROAD, cells, {"0101": [TRUCKS]}, {"0301": [guns]})
    assert seen.refused(TRUCKS, "0201", "0202") == "7.7.0"
    woods = Field(NON_ROAD, cells.replace(". .", ". w", 1), {"0101": [TRUCKS]}, {"0301": [guns]})
    assert woods.refused(TRUCKS, "0201", "0202") == ""


@rules("7.7.1")
def test_artillery_in_range_halts_who_comes_next_to_two_steps() -> None:
    guns, cells = "791-inf/I-791 AR", ". . . . . . . .\n. . . . . . . ."
    for away, halt in (("0701", "7.7.0"), ("0801", "")):
        field = Field(NON_ROAD, cells, {"0101": [FOOT]}, {"0301": [ENEMY], away: [guns]})
        assert field.refused(FOOT, "0201", "0202") == halt
    under = "791-inf/791 Pio"
    surprised = Field(NON_ROAD, cells, {"0101": [FOOT]}, {"0301": [ENEMY, under], "0701": [guns]})
    worn = replace(surprised.unit(ENEMY), steps=1)
    surprised.state = replace(surprised.state, units=surprised.state.units | {worn.id: worn})
    assert surprised.refused(FOOT, "0201", "0202") == "", "one step is seen"
    halted = surprised.go(FOOT, "0201", "0202").told(Halted)
    assert (halted.halt.rule, halted.halt.proof) == ("7.7.1", (guns, ENEMY, under))
    enemies, marks = {"0301": [ENEMY], "0701": [guns]}, {guns: {"depleted": True}}
    assert Field(NON_ROAD, cells, {"0101": [FOOT]}, enemies, markers=marks).refused(FOOT, "0201", "0202") == ""


@rules("7.7.3", "7.9.0", "7.7.0", "17.4.1b")
def test_works_halt_and_nobody_slips_from_one_side_of_an_et3_to_another() -> None:
    cells = ". . . .\n. . . .\n. . . ."
    for kind, held, halt, slip in (
        ("ET-2", [ENEMY], "7.7.0", ""),
        ("ET-3", [ENEMY], "7.7.0", "7.9.0"),
        ("ET-3", ["791-inf/HQ"], "7.7.0", ""),
        ("IP", [ENEMY], "", ""),
        ("Fort", [], "7.7.0", "7.9.0"),
    ):
        works = [{"hex": "0302", "kind": kind, "side": "axis"}]
        field = Field(NON_ROAD, cells, {"0101": [FOOT], "0202": [TANKS]}, {"0302": held} if held else {}, works=works)
        assert field.refused(FOOT, "0201", "0202", "0203") == halt, kind
        assert field.refused(TANKS, "0203") == slip, kind


@rules("7.9.1a", "7.9.1b")
def test_fortified_areas_hamper_friend_and_foe() -> None:
    area = {"kind": "ft_area", "hexes": ["0201"], "attributes": {"owner": "allied"}}
    line = road("primary_road", "0101", "0201", "0301")
    own = Field(NON_ROAD, ". . .", {"0101": [FOOT, TANKS]}, features=[area, line])
    assert (own.reach(TANKS)["0201"], own.reach(FOOT)["0201"]) == (3, 1)
    for segment, cost in ((ROAD, {"0201": 12}), (NON_ROAD, {"0201": 12})):
        field = Field(segment, ". . .", {}, {"0101": ["191-pz/I-191 PzG"]}, seat=AXIS, features=[area, line])
        assert field.reach("191-pz/I-191 PzG") == cost
    on_foot = Field(NON_ROAD, ". . .", {}, {"0101": [ENEMY]}, seat=AXIS, features=[area, line])
    assert on_foot.reach(ENEMY) == {"0201": 2, "0301": 4}


@rules("5.2.3", "7.9.1b")
def test_a_fortified_area_of_the_enemy_ends_prepared_movement_even_along_a_road() -> None:
    vehicles = "191-pz/I-191 PzG"
    line = road("primary_road", "0101", "0201", "0301")
    for owner, ends in (("allied", {"0201": 1}), ("axis", {"0201": 1, "0301": 2})):
        area = {"kind": "ft_area", "hexes": ["0201"], "attributes": {"owner": owner}}
        more: dict[str, Any] = {"features": [area, line], "markers": {vehicles: {"mode": "PA"}}}
        assert Field(PREPARED, ". . .", {}, {"0101": [vehicles]}, seat=AXIS, **more).reach(vehicles) == ends


@rules("7.7.5")
def test_nobody_leaves_supply_near_the_enemy() -> None:
    cells = "\n".join([". . . . ."] * 5)
    wall = {"0301": [ENEMY], "0303": ["791-inf/II-1571"], "0305": ["791-inf/I-1572"]}
    field = Field(NON_ROAD, cells, {"0202": [TANKS], "0402": [FOOT]}, wall, us={"sources": ["0102"]})
    assert field.refused(TANKS, "0302", "0402", "0502") == "7.7.5"
    assert field.refused(FOOT, "0502") == "7.7.5"
    assert field.refused(FOOT, "0302") == ""
    assert field.endow(FOOT, Trait.COMMANDO).refused(FOOT, "0502") == ""
    starved = Field(NON_ROAD, ". . . .", {"0101": [FOOT]}, {"0401": [ENEMY]}, markers={FOOT: {"supply": "OoS"}})
    assert starved.unit(FOOT).supply is Supply.OUT
    assert starved.refused(FOOT, "0201", "0301") == "7.7.5"
    assert starved.endow(FOOT, Trait.COMMANDO).refused(FOOT, "0201", "0301") == ""


@rules("7.11.0", "17.2.3")
def test_vehicles_cross_rivers_by_bridges_and_fords_alone() -> None:
    river, bridge = {"kind": "river", "sides": ["0101:NE"]}, road("trail", "0101", "0201")
    ford = {"kind": "ford", "sides": ["0101:NE"]}
    for features, costs in (([river], (None, 4)), ([river, bridge], (4, 1)), ([river, ford], (4, 2))):
        field = Field(NON_ROAD, ". .", {"0101": [TANKS, FOOT]}, features=features)
        assert (field.reach(TANKS).get("0201"), field.reach(FOOT).get("0201")) == costs
    down = Field(NON_ROAD, ". .", {"0101": [TANKS]}, features=[river, bridge], bridges_down=["0101:NE"])
    assert down.reach(TANKS) == {}
    stream = Field(NON_ROAD, ". .", {"0101": [TANKS]}, features=[{"kind": "stream", "sides": ["0101:NE"]}])
    assert stream.reach(TANKS) == {"0201": 4}


@rules("7.11.1", "7.11.2", "7.11.3", "7.11.4")
@pytest.mark.parametrize("kind", ["constricted", "rr_embankment"])
def test_constricted_ground_is_free_along_its_line_alone(kind: str) -> None:
    cells = ". . .\n. . .\n. . ."
    features = [{"kind": kind, "hexes": ["0202"]}, road("contour", "0101", "0202", "0203")]
    field = Field(NON_ROAD, cells, {"0101": [TANKS, FOOT], "0301": ["ccb/2-CCB"]}, features=features)
    assert field.refused(TANKS, "0202", "0203") == ""
    assert field.refused(TANKS, "0202", "0302") == "7.2.0"
    assert field.refused("ccb/2-CCB", "0202") == ""
    assert field.refused("ccb/2-CCB", "0202", "0203") == "7.2.0"
    assert field.reach(FOOT)["0203"] == 2
    assert field.go(FOOT, "0202", "0302").told(Marched).spent == 18
    guns = Field(NON_ROAD, cells, {"0101": ["ccb/CCB AFA"]}, features=features)
    assert guns.refused("ccb/CCB AFA", "0202") == "7.2.0"


@rules("6.0", "6.1.0", "6.7.0")
def test_too_many_at_the_end_of_the_phase_are_eliminated() -> None:
    names = [FOOT, "61-inf/2-481", "61-inf/3-481"]
    field = Field(NON_ROAD, ". .", {"0101": names[:2], "0201": names[2:]})
    (there,) = [one for one in field.ends(names[2]) if one.ref == "0101"]
    assert "too many there: 3 battalions, at most 2 (6.7.0)" in there.label
    field.go(names[2], "0101").do(EndMoves())
    asked = field.rules.decision(field.state)
    assert asked.rule == "6.7.0"
    field.do(Remove(UnitId(names[2])))
    assert field.unit(names[2]).box is Box.ELIMINATED
    assert field.rules.decision(field.state).rule != "6.7.0"


@rules("6.0", "6.7.0", "7.5.1")
def test_too_many_stand_after_a_retreat_until_one_of_them_may_move() -> None:
    crowd, source = [TRUCKS, "ccb/1-CCB", "ccb/3-CCB"], FormationId("ccb")
    for value, asked in ((0, False), (4, True)):
        field = Field(NON_ROAD, ". . .", {"0101": [FOOT], "0201": crowd[:2], "0301": crowd[2:]})
        moved = replace(field.unit(crowd[2]), hex=field.unit(TRUCKS).hex)
        fuel = {source: FormationState(FuelState.NONE, fuel_value=value)}
        field.state = replace(field.state, units=field.state.units | {moved.id: moved}, formations=fuel)
        field.do(EndMoves())
        assert (field.rules.decision(field.state).rule == "6.7.0") is asked
    names = [ENEMY, "791-inf/II-1571", "791-inf/I-1572"]
    theirs = Field(NON_ROAD, ". . .", {"0101": [FOOT]}, {"0201": names[:2], "0301": names[2:]})
    moved = replace(theirs.unit(names[2]), hex=theirs.unit(ENEMY).hex)
    theirs.state = replace(theirs.state, units=theirs.state.units | {moved.id: moved})
    assert theirs.do(EndMoves()).rules.decision(theirs.state).rule != "6.7.0", "it is not their phase"


@rules("3.5.3", "3.5.4", "3.5.4a")
def test_who_rests_clings_to_no_enemy_and_tires_by_long_moves() -> None:
    cells = ". . . .\n. . . ."
    field = Field(NON_ROAD, cells, {"0201": [FOOT]}, {"0301": [ENEMY]}, part=Part.NIGHT)
    assert field.refused(FOOT, "0202") == "3.5.3"
    field.state = replace(field.state, rests={})
    assert field.refused(FOOT, "0202") == ""
    for length, fatigue in ((1, 0), (2, 1)):
        tired = Field(NON_ROAD, ". . . . .", {"0101": [FOOT]}, part=Part.NIGHT)
        tired.go(FOOT, *("0201", "0301")[:length])
        assert tired.unit(FOOT).fatigue == fatigue
    labels = ["0201", "0301", "0401"]
    afar = Field(ROAD, "w w w w", {"0101": [TRUCKS]}, features=[road("trail", "0101", *labels)], part=Part.NIGHT)
    afar.go(TRUCKS, *labels)
    assert afar.unit(TRUCKS).fatigue == 0
    back, cells = ["0901", "0801", "0701", "0601"], " ".join("w" * 15)
    for foe, fatigue in (("1401", 1), ("1501", 0)):
        line = [road("trail", *back)]
        near = Field(ROAD, cells, {"0901": [TRUCKS]}, {foe: [ENEMY]}, features=line, part=Part.NIGHT)
        assert near.go(TRUCKS, *back[1:]).unit(TRUCKS).fatigue == fatigue, "from its first hex on"


@rules("5.2.3", "7.4.0")
def test_prepared_movement_is_counted_in_hexes_and_ends_beside_an_enemy() -> None:
    marks = {name: {"mode": "PA"} for name in (FOOT, TANKS)}
    field = Field(PREPARED, ". . . w . .", {"0101": [FOOT, TANKS]}, {"0601": [ENEMY]}, markers=marks)
    assert field.reach(FOOT) == {"0201": 1}
    assert field.reach(TANKS) == {"0201": 1, "0301": 2}
    assert field.reach([FOOT, TANKS]) == {"0201": 1}
    wood = Field(PREPARED, ". w . .", {"0101": [TANKS]}, markers={TANKS: {"mode": "PA"}})
    assert wood.reach(TANKS) == {"0201": 1}
    trail = [road("trail", "0101", "0201")]
    by_road = Field(PREPARED, ". w . .", {"0101": [TANKS]}, features=trail, markers={TANKS: {"mode": "PA"}})
    assert by_road.reach(TANKS) == {"0201": 1, "0301": 2}
    mud = Field(PREPARED, ". . .", {"0101": [TANKS]}, markers={TANKS: {"mode": "PA"}}, ground=GroundCondition.MUD)
    assert mud.reach(TANKS) == {"0201": 1}
    near = Field(PREPARED, ". . . .", {"0101": [TANKS]}, {"0301": [ENEMY]}, markers={TANKS: {"mode": "PA"}})
    assert near.reach(TANKS) == {"0201": 1}


@rules("3.5.3", "3.5.4a", "5.6.1")
def test_guns_in_battery_go_along_the_front_though_they_rest() -> None:
    """They are moved a hex beside the enemy only where no other is open; a rest game turn does not forbid it."""
    howitzers, cells = "61-inf/811 FA", "k . . .\n. . . ."
    field = Field(NON_ROAD, cells, {"0201": [howitzers]}, {"0301": [ENEMY]}, part=Part.NIGHT)
    assert field.reach(howitzers) == {"0202": 1}
    field.go(howitzers, "0202")
    assert field.unit(howitzers).fatigue == 0


@rules("16.4.5b", "5.6.1")
def test_guns_in_battery_take_no_share_of_the_fuel() -> None:
    howitzers = "61-inf/811 FA"
    field = Field(NON_ROAD, ". . .", {"0101": [howitzers], "0201": [TANKS]})
    shared = FormationState(FuelState.LOW, fuel_value=1, is_by_units=True)
    field.state = replace(field.state, formations={FormationId("61-inf"): shared})
    field.go(howitzers, "0201")
    assert field.reach(TANKS), "the one share is left"


@rules("5.6.0", "5.6.1", "5.6.2")
def test_guns_in_battery_move_one_hex_or_not_at_all() -> None:
    howitzers, self_propelled, heavy = "61-inf/811 FA", "ccb/CCB AFA", "xl-corps/974 FA"
    field = Field(NON_ROAD, ". . .", {"0101": [howitzers, self_propelled], "0301": [heavy]})
    assert field.reach(howitzers) == {"0201": 1}
    assert set(field.reach(self_propelled)) == {"0201", "0301"}
    assert field.reach(heavy) == {}
    assert field.go(howitzers, "0201").unit(howitzers).in_battery
    by_road = Field(ROAD, ". . .", {"0101": [howitzers, TANKS]}, features=[road("trail", "0101", "0201")])
    assert by_road.reach(howitzers) == {}
    near = Field(NON_ROAD, ". . . .", {"0201": [howitzers]}, {"0401": [ENEMY]})
    assert near.reach(howitzers) == {"0101": 1}
    wet = Field(NON_ROAD, ". .", {"0101": [howitzers]}, features=[{"kind": "stream", "sides": ["0101:NE"]}])
    assert wet.reach(howitzers) == {}
    horses = Field(NON_ROAD, ". .", {}, {"0101": ["791-inf/I-791 AR"]}, seat=Seat("axis"))
    assert horses.reach("791-inf/I-791 AR") == {"0201": 1}


@rules("21.2.0", "21.3.0")
def test_each_unit_that_enters_by_a_road_pays_for_those_before_it_or_comes_later() -> None:
    names = ["1-CCB", "2-CCB", "3-CCB"]
    coming = {"turn": 0, "formation": "ccb", "units": names, "entry": ["0101"]}
    more: dict[str, Any] = {
        "features": [road("primary_road", "0101", "0201", "0301")],
        "us": {"sources": ["0101"], "reinforcements": [coming]},
    }
    field = Field("reinforcements and withdrawals", "w w w", {"0301": ["ccb/CCB AFA"]}, **more)
    assert field.rules.decision(field.state).rule == "21.0"
    for name in names:
        field.do(Enter(UnitId(f"ccb/{name}"), field.rules.place("0101")))
    assert [field.reach(f"ccb/{name}")["0201"] for name in names] == [1, 1.5, 2]
    late = Field("reinforcements and withdrawals", "w w w", {"0301": ["ccb/CCB AFA"]}, **more).do(EndEntry())
    assert late.unit("ccb/1-CCB").box is Box.COMING


@rules("21.2.0", "7.11.3")
def test_whoever_comes_too_late_for_the_road_may_enter_off_it() -> None:
    guns, trucks = UnitId("ccb/CCB AFA"), UnitId("ccb/2-CCB")
    coming = {"turn": 0, "formation": "ccb", "units": ["2-CCB", "CCB AFA"], "entry": ["0101"]}
    more: dict[str, Any] = {
        "features": [road("trail", "0101", "0201")],
        "us": {"sources": ["0101"], "reinforcements": [coming]},
        "ground": GroundCondition.WET,
    }

    def after_nine(cells: str) -> Field:
        """Nine units have come along the trail, so that it is too long for a tenth."""
        field = Field("reinforcements and withdrawals", cells, {"0301": ["ccb/1-CCB"]}, **more)
        ahead = tuple(Use(ENTERED, "somebody", field.rules.place("0101"), 1) for _ in range(9))
        field.state = replace(field.state, used=ahead)
        return field

    for cells, rule in ((". w w", ""), ("k w w", "21.2.0"), ("e w w", "21.2.0")):
        field = after_nine(cells)
        refusal = field.rules.refusal(field.state, field.seat, Enter(guns, field.rules.place("0101")))
        assert ("" if refusal is None else refusal.rule) == rule, "guns enter constricted ground by road alone"
    field = after_nine(". w w")
    field.do(Enter(trucks, field.rules.place("0101"))).do(EndEntry())
    assert field.reach(trucks) == {}, "by road"
    field.do(EndMoves())
    assert field.reach(trucks) == {"0201": 4, "0301": 7}, "a point for the clear hex of entry, three for the wood"


@rules("7.10.0", "19.4.0")
def test_a_clear_hex_is_a_road_where_the_ground_of_its_own_zone_is_dry() -> None:
    for hexes, ends in ((["0301"], {"0201": 1.5}), (["0101"], {}), (["0201"], {})):
        zones = {"mud": {"hexes": hexes, "ground": "Mud"}}
        assert Field(ROAD, ". . w", {"0101": [TRUCKS]}, zones=zones).reach(TRUCKS) == ends, hexes


@rules("21.2.0", "7.2.0", "7.11.3")
def test_the_hex_of_entry_costs_what_it_costs_anybody() -> None:
    """Off the road very rough ground takes all that vehicles have, and constricted ground a point more on foot."""
    for name, terrain, cost in (
        ("2-CCB", "", 2),
        ("2-CCB", "rough2", None),
        ("1-481", "rough2", 3),
        ("1-481", "constricted", 4),
    ):
        formation = "ccb" if name == "2-CCB" else "61-inf"
        coming = {"turn": 0, "formation": formation, "units": [name], "entry": ["0101"]}
        features = [{"kind": terrain, "hexes": ["0101"]}] if terrain else []
        us = {"sources": ["0101"], "reinforcements": [coming]}
        more: dict[str, Any] = {"features": features, "us": us, "ground": GroundCondition.WET}
        field = Field(
            "reinforcements and withdrawals", ". . .\n. . .", {"0301": ["ccb/1-CCB"], "0302": ["61-inf/2-481"]}, **more
        )
        unit = UnitId(f"{formation}/{name}")
        field.do(Enter(unit, field.rules.place("0101"))).do(EndMoves())
        assert field.reach(unit).get("0201") == cost, (name, terrain)


@rules("7.10.2a")
def test_thirteen_units_cross_a_bridge_by_road_where_a_scenario_says_so() -> None:
    features = [road("primary_road", "0101", "0201", "0301"), {"kind": "river", "sides": ["0101:NE"]}]
    field = Field(ROAD, "w w w", {"0101": [TRUCKS, TANKS], "0301": [STAFF]}, features=features)
    draft = field.rules.context.scenario.draft
    scenario = replace(field.rules.context.scenario, draft=replace(draft, rules=replace(draft.rules, bottlenecks=True)))
    field.rules = GossRules(field.rules.card, replace(field.rules.context, scenario=scenario))
    field.go(TRUCKS, "0201", "0301")
    assert [use.what for use in field.state.used] == ["crossed a bridge"]
    assert field.refused(TANKS, "0201") == ""
    field.state = replace(field.state, used=field.state.used * 13)
    assert field.refused(TANKS, "0201") == "7.10.2a"


@rules("8.4.0")
def test_the_enemy_sees_the_top_unit_of_a_stack_that_moves() -> None:
    field = Field(NON_ROAD, ". . .", {"0101": [STAFF, FOOT]})
    seen = field.go((STAFF, FOOT), "0201").told(Marched).known_to(AXIS)
    assert seen.units == (FOOT,), "HQs lie under the others"


def test_who_moves_into_own_works_is_in_them() -> None:
    works = [{"hex": "0201", "kind": "IP", "side": "allied"}]
    field = Field(NON_ROAD, ". . .", {"0101": [FOOT, TANKS], "0201": ["61-inf/2-482"]}, works=works)
    assert field.go(FOOT, "0201").unit(FOOT).in_works
    assert not field.go(TANKS, "0201", "0301").unit(TANKS).in_works


@rules("5.5.5")
@pytest.mark.parametrize("kind", [ROAD, NON_ROAD])
def test_5_5_5_vehicles_enter_no_hex_with_a_unit_in_strat_mode_by_any_movement(kind: Any) -> None:
    there = {"0101": [TANKS], "0201": [TRUCKS]}
    assert "0201" in Field(kind, ". . .", there).reach(TANKS)
    field = Field(kind, ". . .", there, markers={TRUCKS: {"mode": "Strat"}})
    assert "0201" not in field.reach(TANKS)
    assert field.refused(TANKS, "0201") == "5.5.5"
    on_foot = Field(NON_ROAD, ". . .", {"0101": [FOOT], "0201": [TRUCKS]}, markers={TRUCKS: {"mode": "Strat"}})
    assert "0201" in on_foot.reach(FOOT)


@rules("19.4.4", "19.4.5")
def test_on_frozen_ground_soft_hexes_cost_as_clear_ones_and_marsh_as_rough() -> None:
    soft = [{"kind": "soft_ground", "hexes": ["0201"]}, {"kind": "swamp", "hexes": ["0401"]}]
    found = {}
    for ground in (GroundCondition.WET, GroundCondition.FREEZE, GroundCondition.SNOW):
        field = Field(NON_ROAD, ". . . . m", {"0101": [FOOT], "0301": [TANKS]}, features=soft, ground=ground)
        found[ground] = [field.reach(FOOT)["0201"], *(field.reach(TANKS)[hex] for hex in ("0201", "0401", "0501"))]
    assert found[GroundCondition.WET] == [2, 4, 5, 10]
    assert found[GroundCondition.FREEZE] == [1, 1, 2, 4]
    assert found[GroundCondition.SNOW] == [1, 1, 2, 4]


@rules("5.2.3", "19.4.4")
def test_frozen_marsh_does_not_hold_vehicles_that_prepare_an_assault() -> None:
    prepared = {TANKS: {"mode": "PA"}}
    for ground, ends in ((GroundCondition.WET, {"0201"}), (GroundCondition.FREEZE, {"0201", "0301"})):
        field = Field(PREPARED, ". m .", {"0101": [TANKS]}, markers=prepared, ground=ground)
        assert {one.ref for one in field.ends(TANKS)} == ends
