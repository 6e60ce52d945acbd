"""7.1, 7.6: what a unit has to spend in a phase."""

from __future__ import annotations

import pytest

from sandtable.systems.goss.ground.weather import GroundCondition
from sandtable.systems.goss.movement.allowance import Going, MarchFacts, allowance


def points(printed: int, **given: object) -> int:
    """The allowance of such a unit."""
    return allowance(MarchFacts(printed, **given)).total  # type: ignore[arg-type]


def test_example_5_5_3b_strat_mode_gains_half_of_what_fuel_leaves() -> None:
    assert points(12, is_mech=True, fuel=8, is_strategic=True, going=Going.GOOD_ROAD) == 12
    wet = {"is_mech": True, "is_strategic": True, "going": Going.ROAD, "ground": GroundCondition.WET}
    assert points(12, **wet) == 15, "the ground takes its part first"


@pytest.mark.rules("7.6.1c", "7.6.1d", "14.2.1", system="goss")
def test_one_reason_halves_two_quarter_and_more_take_no_more() -> None:
    assert points(7, is_out_of_supply=True) == 4
    assert points(12, is_out_of_supply=True, is_out_of_command=True) == 3
    assert points(12, is_out_of_supply=True, is_out_of_command=True, fatigue=1, is_day_exploit=True) == 3
    assert points(12, fatigue=2) == points(12, fatigue=2, is_out_of_supply=True) == 3
    assert points(12, fatigue=1) == 6


@pytest.mark.rules("7.6.2", system="goss")
def test_two_more_on_foot_along_roads() -> None:
    assert points(6, is_road_march=True, going=Going.GOOD_ROAD) == 8


@pytest.mark.rules("19.4.0", "19.4.2", "19.4.4", "19.4.5", "19.4.1", system="goss")
@pytest.mark.parametrize(
    ("ground", "good_road", "road", "off_road", "on_foot"),
    [
        (GroundCondition.DRY, 12, 12, 12, 6),
        (GroundCondition.WET, 12, 10, 10, 6),
        (GroundCondition.MUD, 12, 6, 6, 3),
        (GroundCondition.FREEZE, 11, 11, 12, 6),
        (GroundCondition.SNOW, 11, 11, 8, 4),
    ],
)
def test_what_the_ground_takes(ground: GroundCondition, good_road: int, road: int, off_road: int, on_foot: int) -> None:
    of_mech = [points(12, is_mech=True, going=going, ground=ground) for going in Going]
    assert of_mech == [good_road, road, off_road]
    assert points(6, ground=ground) == on_foot
    assert points(6, ground=ground, going=Going.ROAD) == on_foot, "only good roads help those on foot"
    assert points(6, ground=ground, going=Going.GOOD_ROAD) == 6


@pytest.mark.rules("7.1.0", system="goss")
def test_the_reasons_add_up() -> None:
    told = allowance(MarchFacts(12, is_mech=True, fuel=10, fatigue=1, ground=GroundCondition.WET, has_leader=True))
    assert told.base + sum(term.value for term in told.terms) == told.total == 4
