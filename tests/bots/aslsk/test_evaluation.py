"""What a position is worth: what any player calls better or worse comes out so (1.3)."""

from typing import Any

import pytest

from sandtable.bots.aslsk.evaluation import worth
from tests.aslsk.desk import Desk, side, squad
from tests.bots.aslsk.test_guns_and_tanks import FIELD, HOUSE, MARK_III, T34, sketch, tank

rules = pytest.mark.rules


def leads(turn: int, german: dict[str, Any]) -> tuple[float, float]:
    """What a position is worth to the attacker and to the defender of a house."""
    russian = side(squad("r", "russian/4-4-7", at="N4"), vehicles=[tank("foe", T34, "O6")])
    desk = Desk("PFPh", FIELD, attacker="german", turn=turn, turns=6, german=german, russian=russian, **HOUSE)
    return worth(sketch(desk, "german")), worth(sketch(desk, "russian"))


@pytest.mark.parametrize("turn", [1, 3, 5])
@rules("1.3", "3.2.3", system="aslsk3")
def test_1_3_whoever_breaks_or_is_lost_costs_his_side_points_however_far_he_had_to_go(turn: int) -> None:
    other = squad("h", at="A6")
    sound = leads(turn, side(squad("g", at="A2"), other))
    broken = leads(turn, side(squad("g", at="A2", broken=True), other))
    lost = leads(turn, side(other))
    assert sound[0] > broken[0] > lost[0]
    assert sound[1] < broken[1] < lost[1]


@pytest.mark.parametrize("turn", [1, 3, 5])
@rules("1.3", "7.10", system="aslsk3")
def test_1_3_a_tank_that_stands_still_for_good_or_burns_costs_its_side_points(turn: int) -> None:
    man = squad("g", at="A2")
    sound = leads(turn, side(man, vehicles=[tank("t", MARK_III, "B4")]))
    stuck = leads(turn, side(man, vehicles=[tank("t", MARK_III, "B4", immobilized=True)]))
    lost = leads(turn, side(man))
    assert sound[0] > stuck[0] > lost[0]
    assert sound[1] < stuck[1] < lost[1]


@rules("1.3", "3.3", system="aslsk3")
def test_1_3_who_comes_nearer_to_the_goal_gains_and_the_defender_sees_it() -> None:
    far, near = leads(3, side(squad("g", at="A2"))), leads(3, side(squad("g", at="D2")))
    assert near[0] > far[0]
    assert near[1] < far[1]
