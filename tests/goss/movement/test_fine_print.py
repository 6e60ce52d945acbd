"""5.2.3-7.11, 17.2: half sentences of movement, each where one of them alone decides."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.systems.goss.common.state import FormationState, FuelState
from sandtable.systems.goss.ground.weather import GroundCondition
from sandtable.systems.goss.movement.marches import Marches
from sandtable.systems.goss.pieces.card import FormationId, Trait
from sandtable.systems.goss.pieces.unit import UnitId
from sandtable.systems.goss.turn.segments import Part
from tests.goss.moving import AXIS, NON_ROAD, PREPARED, ROAD, Field

FOOT, SECOND, TRUCKS, TANKS = "61-inf/1-481", "61-inf/2-481", "ccb/2-CCB", "61-inf/799 Tk"
GUNS, COMPANY, PIONEERS = "61-inf/811 FA", "61-inf/A-61 Eng", "xl-corps/277 Eng"
ENEMY = "791-inf/I-1571"


def rules(*numbers: str) -> pytest.MarkDecorator:
    return pytest.mark.rules(*numbers, system="goss")


def road(kind: str, *hexes: str) -> dict[str, object]:
    return {"kind": kind, "line": list(hexes)}


@rules("7.11.2", "7.11.3")
def test_7_11_2_who_starts_on_constricted_ground_leaves_it_along_any_of_its_lines() -> None:
    lines = [road("contour", "0101", "0202", "0203"), road("contour", "0201", "0202", "0302")]
    features = [{"kind": "constricted", "hexes": ["0202"]}, *lines]
    cells = ". . . .\n. . . .\n. . . ."
    field = Field(NON_ROAD, cells, {"0202": [FOOT]}, features=features)
    ends = field.reach(FOOT)
    assert [ends[hex] for hex in ("0101", "0203", "0201", "0302")] == [1, 1, 1, 1]
    assert ends["0301"] == 2, "beside the lines"
    came = Field(NON_ROAD, cells, {"0101": [TANKS]}, features=features)
    assert came.refused(TANKS, "0202", "0203") == ""
    assert came.refused(TANKS, "0202", "0302") == "7.2.0", "he came by the other line"


@rules("7.3.0", "16.4.5b")
def test_7_3_0_vehicles_without_fuel_that_are_held_to_its_value_may_not_always_move_a_hex() -> None:
    field = Field(NON_ROAD, ". f", {"0101": [TRUCKS]})

    def may(fuel: FuelState, *, is_by_units: bool = False) -> bool:
        state = FormationState(fuel, fuel_value=3, is_by_units=is_by_units)
        field.state = replace(field.state, formations={FormationId("ccb"): state})
        return field.refused(TRUCKS, "0201") == ""

    assert may(FuelState.LOW), "a forest costs 4"
    assert not may(FuelState.NONE)
    assert field.reach(TRUCKS) == {}
    assert may(FuelState.NONE, is_by_units=True), "given its full MA"
    field.state = replace(field.state, formations={FormationId("ccb"): FormationState(FuelState.NONE, fuel_value=4)})
    assert field.reach(TRUCKS) == {"0201": 4}
    steep = Field(NON_ROAD, ". k", {"0101": [TRUCKS]})
    steep.state = replace(steep.state, formations={FormationId("ccb"): FormationState(FuelState.NONE, fuel_value=1)})
    assert steep.reach(TRUCKS) == {"0201": 1}, "constricted ground takes all that there is, and no more"


@rules("7.9.1b")
def test_7_9_1b_vehicles_leave_a_fortified_area_of_the_enemy_for_all_they_have_by_road_too() -> None:
    area = {"kind": "ft_area", "hexes": ["0101"], "attributes": {"owner": "axis"}}
    line = road("primary_road", "0101", "0201", "0301")
    for segment in (ROAD, NON_ROAD):
        assert Field(segment, ". . .", {"0101": [TRUCKS]}, features=[area, line]).reach(TRUCKS) == {"0201": 12}


@rules("7.9.0")
def test_7_9_0_nobody_slips_past_an_et3_whose_garrison_is_out_of_sight() -> None:
    works = [{"hex": "0302", "kind": "ET-3", "side": "axis"}]
    field = Field(NON_ROAD, ". . . .\n. . . .\n. . . .", {"0202": [TANKS]}, {"0302": [ENEMY]}, works=works)
    inside = replace(field.unit(ENEMY), in_works=True)
    field.state = replace(field.state, units=field.state.units | {inside.id: inside})
    known = field.rules.conceal(field.state, field.seat)
    assert ENEMY not in known.units
    assert field.rules.refusal(known, field.seat, field.march(TANKS, "0203")).rule == "7.9.0"


@rules("7.6.2")
def test_7_6_2_who_is_seen_where_he_starts_has_no_more_on_foot() -> None:
    labels = [f"{column:02}01" for column in range(1, 13)]
    for foe, rule in (("1201", ""), ("1101", "7.2.0")):
        features = [road("secondary_road", *labels), {"kind": "vantage_point", "hexes": [foe]}]
        field = Field(NON_ROAD, " ".join("." * 12), {"0801": [FOOT]}, {foe: [ENEMY]}, features=features)
        assert field.refused(FOOT, *labels[6::-1]) == rule, "seven hexes"


@rules("5.2.3")
def test_5_2_3_commandos_prepare_two_hexes_on_dry_ground_by_day_and_vehicles_one_at_night() -> None:
    def ends(name: str, **more: Any) -> set[str]:
        field = Field(PREPARED, ". . . .", {"0101": [name]}, markers={name: {"mode": "PA"}}, **more)
        return set(field.endow(name, Trait.COMMANDO).reach(name))

    assert ends(FOOT) == {"0201", "0301"}
    assert ends(FOOT, ground=GroundCondition.MUD) == ends(FOOT, part=Part.NIGHT) == {"0201"}
    assert ends(TANKS) == {"0201", "0301"}
    assert ends(TANKS, part=Part.NIGHT) == {"0201"}


@rules("7.7.5", "7.7.2")
def test_7_7_5_supply_comes_into_a_movement_halt_but_not_through_it() -> None:
    ways = [(f"{column:02}01", way) for column in range(1, 6) for way in (("S", "SE", "SW") if column % 2 else ("S",))]
    ravine = [{"kind": "great_river", "sides": [f"{hex}:{way}" for hex, way in ways]}]
    for foe, is_through in ((ENEMY, True), ("944-flak/3-944 Flak", False)):
        field = Field(NON_ROAD, ". . . . .\n. . . . .", {"0101": [FOOT]}, {"0302": [foe]}, features=ravine)
        reached = field.rules.context.room(Marches).reached(field.state, field.seat, is_mech=False)
        there = [field.rules.place(label) in reached for label in ("0201", "0301", "0401", "0501")]
        assert there == [True, True, is_through, is_through]


@rules("5.6.1")
def test_5_6_1_guns_beside_the_enemy_stay_beside_him_only_where_they_must() -> None:
    cells, near = ". . . .\n. . . .", {"0301": [ENEMY]}
    assert set(Field(NON_ROAD, cells, {"0201": [GUNS]}, near).reach(GUNS)) == {"0101"}
    assert set(Field(NON_ROAD, "k . . .\n. . . .", {"0201": [GUNS]}, near).reach(GUNS)) == {"0202"}


@rules("17.2.1")
def test_17_2_1_engineers_who_come_to_the_bank_ferry_nobody_in_that_phase() -> None:
    far = ("0201", "0301", "0401", "0501")
    water = [{"kind": "river", "sides": ["0101:NE", "0101:SE"]}]
    cells = ". . . . . .\n. . . . . ."
    there = Field(NON_ROAD, cells, {"0101": [FOOT, COMPANY]}, features=water)
    assert there.refused(FOOT, *far) == ""
    came = Field(NON_ROAD, cells, {"0101": [FOOT], "0102": [COMPANY]}, features=water).go(COMPANY, "0101")
    assert came.refused(FOOT, *far) == "7.2.0"


@rules("17.2.1", "6.2.0")
def test_17_2_1_engineers_who_take_others_along_do_not_take_themselves() -> None:
    far = ("0201", "0301", "0401", "0501")
    water = [{"kind": "river", "sides": ["0101:NE", "0101:SE"]}]
    field = Field(NON_ROAD, ". . . . . .", {"0101": [FOOT, PIONEERS]}, features=water)
    assert field.refused(FOOT, *far) == field.refused(PIONEERS, *far) == ""
    assert field.refused([FOOT, PIONEERS], *far) == "7.2.0", "two units, and nobody else to ferry"


@rules("6.7.0", "7.10.0")
def test_6_7_0_nobody_takes_the_road_out_of_an_overstack() -> None:
    line = [road("primary_road", "0101", "0201", "0301")]
    field = Field(ROAD, "w w w", {"0101": [TRUCKS, FOOT], "0301": [SECOND]}, features=line)
    assert field.reach(TRUCKS) == {"0201": 0.5, "0301": 1}
    crowded = replace(field.unit(SECOND), hex=field.unit(FOOT).hex)
    field.state = replace(field.state, units=field.state.units | {UnitId(SECOND): crowded})
    assert field.refused(TRUCKS, "0201") == "7.5.1"


@rules("6.2.0", "7.9.1a")
def test_7_9_1a_on_foot_ones_own_fortified_area_costs_nothing_more() -> None:
    area = {"kind": "ft_area", "hexes": ["0101"], "attributes": {"owner": "axis"}}
    field = Field(NON_ROAD, ". . .", {}, {"0201": [ENEMY, "191-pz/1-191 Pz"]}, seat=AXIS, features=[area])
    assert (field.reach(ENEMY)["0101"], field.reach("191-pz/1-191 Pz")["0101"]) == (1, 3)
    assert field.reach([ENEMY, "191-pz/1-191 Pz"])["0101"] == 3, "what is dearer for one of them"
