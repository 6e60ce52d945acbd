"""11.6.3, 13.11.4, 17.4.1: who may retreat, over which hexsides, and which works one is in; on the map of the Lorn."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from sandtable.systems.goss.common.cover import FT_AREA, works_of
from sandtable.systems.goss.common.facts import UnitsPlaced
from sandtable.systems.goss.common.retreat import may_displace, may_retreat, retreat_hexes
from sandtable.systems.goss.common.state import BridgeChange, BridgeKind, State, WorkHere, with_units
from sandtable.systems.goss.ground.cover import Work
from sandtable.systems.goss.ground.weather import GroundCondition, Weather
from sandtable.systems.goss.pieces.unit import Mode, Unit, UnitId
from sandtable.systems.goss.support.facts import FellBack
from sandtable.systems.goss.support.targets import target_facts
from tests.goss.lorn import lorn
from tests.goss.positions import position

rules = pytest.mark.rules
RULES = lorn()
CONTEXT = RULES.context
START = RULES.setup()


def at(name: str, label: str) -> Unit:
    return replace(START.units[UnitId(name)], hex=RULES.place(label))


def goes(name: str, here: str, there: str, state: State = START) -> bool:
    return may_displace(CONTEXT, state, at(name, here), RULES.place(here), RULES.place(there))


@rules("11.6.3", "13.11.0", system="goss")
def test_water_stops_those_who_cannot_cross_it() -> None:
    assert goes("61-inf/1-481", "0905", "1005"), "on foot over a river"
    assert not goes("ccb/1-CCB", "0905", "1005"), "vehicles need a bridge or a ford"
    assert goes("ccb/1-CCB", "0907", "1007") is goes("ccb/1-CCB", "0911", "1011") is True
    side = next(side for side in CONTEXT.ground.bridges if RULES.place("0907") == side.hex)
    down = replace(START, bridges=(BridgeChange(side, BridgeKind.DOWN),))
    assert not goes("ccb/1-CCB", "0907", "1007", down)
    assert not goes("61-inf/1-481", "1605", "1705"), "nobody over a major river"
    assert goes("61-inf/1-481", "1607", "1707"), "but by its bridge (ruling B-44)"


@rules("11.6.3", "5.5.5", system="goss")
def test_columns_on_the_road_retreat_by_road() -> None:
    column = at("ccb/1-CCB", "0507")
    column = replace(column, mode=Mode.STRATEGIC)
    wet = replace(START, weather=Weather(ground=GroundCondition.WET))
    here, off = RULES.place("0507"), RULES.place("0407")
    assert may_displace(CONTEXT, wet, column, here, off)
    assert not may_displace(CONTEXT, wet, column, here, RULES.place("0408"))
    assert may_displace(CONTEXT, START, column, here, RULES.place("0408")), "clear and dry"


@rules("11.6.3e", "13.11.4", system="goss")
def test_guns_in_battery_that_cannot_be_limbered_up_in_time() -> None:
    def can(name: str, *, in_battery: bool = True) -> bool:
        unit = replace(START.units[UnitId(name)], in_battery=in_battery)
        return may_retreat(CONTEXT.card(unit), unit)

    assert can("61-inf/811 FA")
    assert can("ccb/CCB AFA")
    assert not can("xl-corps/974 FA")
    assert not can("791-inf/I-791 AR"), "behind horses"
    assert can("791-inf/I-791 AR", in_battery=False)


@rules("11.6.3", system="goss")
def test_nobody_retreats_into_the_enemy() -> None:
    unit = at("791-inf/I-1571", "1007")
    found = {CONTEXT.label(one.hex) for one in retreat_hexes(CONTEXT, START, [unit], RULES.place("1007"))}
    assert "0907" not in found
    assert "1107" in found


@rules("17.4.1", system="goss")
def test_who_comes_into_a_hex_with_works_of_his_side_is_in_them() -> None:
    hex = RULES.place("0803")
    dug = replace(START, works=(WorkHere(hex, Work.ET2, CONTEXT.seats[0]),))
    ours, theirs = UnitId("61-inf/1-482"), UnitId("791-inf/I-1571")
    for event, unit, is_inside in (
        (UnitsPlaced(CONTEXT.seats[0], (ours,), hex), START.units[ours], True),
        (FellBack(CONTEXT.seats[0], (ours,), hex), START.units[ours], True),
        (UnitsPlaced(CONTEXT.seats[0], (ours,), hex), replace(START.units[ours], is_designated=True), False),
        (UnitsPlaced(CONTEXT.seats[1], (theirs,), hex), START.units[theirs], False),
    ):
        assert RULES.fold(with_units(dug, unit), event).units[unit.id].in_works is is_inside


@rules("17.4.1", system="goss")
def test_which_works_one_is_in() -> None:
    hex = RULES.place("0803")
    dug = replace(START, works=(WorkHere(hex, Work.ET2, CONTEXT.seats[0]),))
    unit = replace(at("61-inf/1-482", "0803"), in_works=True)
    state = with_units(dug, unit)
    assert works_of(CONTEXT, state, unit) == "ET-2"
    assert works_of(CONTEXT, state, replace(unit, in_works=False)) == "", "above the marker"
    assert works_of(CONTEXT, state, replace(unit, is_designated=True)) == ""
    assert works_of(CONTEXT, state, replace(unit, mode=Mode.EXPLOIT)) == ""
    assert works_of(CONTEXT, START, at("791-inf/I-1571", "1506")) == FT_AREA
    assert works_of(CONTEXT, START, at("61-inf/1-482", "1506")) == "", "the enemy's"


@rules("19.4.4", "19.4.5", "11.5.1", system="goss")
def test_frost_makes_soft_ground_clear_and_marsh_rough() -> None:
    cells = ". . . ."
    soft = [{"kind": "soft_ground", "hexes": ["0201"]}, {"kind": "swamp", "hexes": ["0301"]}]
    found = position(cells, {"0101": ["61-inf/799 Tk"]}, {"0401": ["791-inf/I-1571"]}, features=soft)
    context, place = found.ruleset.context, found.ruleset.place
    for ground, drms in ((GroundCondition.WET, [-1, -1]), (GroundCondition.FREEZE, [0, -1])):
        state = replace(found.state, weather=Weather(ground=ground))
        assert [target_facts(context, state, place(hex), None).terrain for hex in ("0201", "0301")] == drms


@rules("13.11.0", "11.6.3", "7.11.4", system="goss")
@pytest.mark.parametrize("kind", ["constricted", "rr_embankment"])
def test_7_11_4_guns_go_onto_an_embankment_by_road_alone(kind: str) -> None:
    steep = {"kind": kind, "hexes": ["0201"]}
    for more, may in (([], False), ([{"kind": "trail", "line": ["0101", "0201"]}], True)):
        found = position(". .", {"0101": ["61-inf/811 FA"]}, {}, features=[steep, *more])
        guns = replace(found.state.units[UnitId("61-inf/811 FA")], in_battery=False)
        here, there = map(found.ruleset.place, ("0101", "0201"))
        assert may_displace(found.ruleset.context, found.state, guns, here, there) is may


@rules("11.6.3a", "13.11.0", system="goss")
def test_11_6_3a_a_staff_falls_back_towards_that_of_its_corps() -> None:
    staff, corps = UnitId("61-inf/HQ"), "xl-corps/HQ"
    found = position(" ".join("." * 6), {"0301": [staff], "0601": [corps]}, {})
    hexes = retreat_hexes(found.ruleset.context, found.state, [found.state.units[staff]], found.ruleset.place("0301"))
    assert {found.ruleset.context.label(one.hex): one.to_hq for one in hexes} == {"0201": 4, "0401": 2}
