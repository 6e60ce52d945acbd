"""7.8 Fire of vehicles: cases beside those that the book speaks of first."""

import pytest

from sandtable.systems.aslsk.fire.vehicle_guns import stance_of, turn_for
from tests.aslsk.vehicles.test_fire import BMG, CMG, _clash, _fire, _tank

rules = pytest.mark.rules


@rules("3.2.1", "7.8", system="aslsk3")
@pytest.mark.parametrize(("wall", "free", "rule"), [(False, True, ""), (True, True, "3.2.1"), (True, False, "")])
def test_3_2_1_where_sight_is_free_fire_without_a_line_is_refused(wall: bool, free: bool, rule: str) -> None:
    row = ". . . b . . .\n" if wall else ". . . . . . .\n"
    cells = f". . . . . . .\n{row}" + ". . . . . . .\n" * 3
    clash = _clash("german/PzKpfw IVH", cells=cells, conditions={"free_sight": free})
    assert clash.why(_fire(clash, CMG)) == rule


@rules("7.8", system="aslsk3")
@pytest.mark.parametrize(("turn_hull", "turret", "bow"), [(True, 1, 1), (False, 1, 0)])
def test_7_8_a_turret_that_turns_leaves_the_bow_as_it_is(turn_hull: bool, turret: int, bow: int) -> None:
    clash = _clash("russian/T-34/85", "D1")
    card, tank = clash.context.vehicle_card(_tank(clash)), _tank(clash)
    found = turn_for(card, tank, stance_of(card, tank, (tank.vca + 1) % 6, turn_hull=turn_hull), (BMG, CMG))
    assert (found.spines, found.bow) == (turret, bow)
