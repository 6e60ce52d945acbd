"""11.2-11.8: capacity, volleys, DRMs and depletion of fire support."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.systems.goss.pieces.card import Size
from sandtable.systems.goss.support.capacity import (
    Capacity,
    Gunners,
    Spotter,
    capacity_of,
    most_artillery,
    spotting_targets,
)
from sandtable.systems.goss.support.volleys import (
    Armour,
    TargetFacts,
    depletion_drm,
    mission_drm,
    rocket_drm,
)
from tests.goss.shelf import charts

rules = pytest.mark.rules
BN, CO, Z = Size.BATTALION, Size.COMPANY, Size.Z_STEP
CHART = charts().fire
PURE = Armour(is_pure=True)


@rules("11.2.4", "11.2.4a", "11.2.4b", "11.2.4c", system="goss")
@pytest.mark.parametrize(
    ("spotter", "capacity"),
    [
        (Spotter(CO), Capacity.LIGHT),
        (Spotter(CO, in_works=True), Capacity.MEDIUM),
        (Spotter(CO, in_prepared_assault=True), Capacity.LIGHT),
        (Spotter(BN), Capacity.MEDIUM),
        (Spotter(BN, in_prepared_assault=True), Capacity.HEAVY),
        (Spotter(BN, in_works=True), Capacity.HEAVY),
        (Spotter(BN, is_asset=True, in_prepared_assault=True), Capacity.LIGHT),
        (Spotter(BN, is_overrun=True), Capacity.LIGHT),
        (Spotter(CO, is_overrun=True, in_works=True), Capacity.MEDIUM),
        (Spotter(BN, is_overrun=True, in_works=True), Capacity.MEDIUM),
        (Spotter(BN, from_the_air=True), Capacity.MEDIUM),
        (Spotter(BN, in_works=True, is_unobserved=True), Capacity.LIGHT),
    ],
)
def test_what_a_spotter_may_call(spotter: Spotter, capacity: Capacity) -> None:
    assert capacity_of(spotter) is capacity


@rules("11.2.4a", "11.2.4b", "11.2.4c", "11.2.4d", system="goss")
def test_how_many_guns_each_nation_may_fire() -> None:
    table = {level: [most_artillery(CHART, level, whose) for whose in Gunners] for level in Capacity}
    assert table == {Capacity.LIGHT: [2, 2, 1], Capacity.MEDIUM: [3, 3, 2], Capacity.HEAVY: [16, 12, 8]}
    assert most_artillery(CHART, Capacity.LIGHT, Gunners.AXIS, on_vantage_point=True) == 2


@rules("11.2.1a", system="goss")
def test_how_many_targets_one_spots_for() -> None:
    assert [spotting_targets(size) for size in (BN, CO, Z)] == [2, 1, 0]
    assert spotting_targets(CO, is_hybrid=True) == 2


@rules("11.5.4", system="goss")
def test_density() -> None:
    assert [drm(steps) for steps in range(1, 9)] == [-1, -1, 0, 0, 1, 1, 2, 2]


def drm(steps: int = 3, **given: Any) -> int:
    """The net DRM on such a target."""
    return mission_drm(CHART, TargetFacts(steps, **given)).total


@rules("11.5.3", "11.5.1", "11.5.2", system="goss")
def test_terrain_and_works_without_armour() -> None:
    assert drm(terrain=-1, works=-1) == -2, "without armour both count"
    assert drm(terrain=-3, works=-2, bars_terrain=True) == -2


@rules("11.5.1", "11.5.2", system="goss")
def test_who_attacks_or_is_on_the_road_has_no_cover() -> None:
    cover = {"terrain": -3, "works": -2}
    assert drm(**cover, is_designated=True) == 0
    assert drm(**cover, in_strat=True) == 4
    assert drm(**cover, in_exploit=True) == drm(**cover, is_bridging=True) == -3
    assert drm(**cover, armour=PURE, is_designated=True) == -3


@rules("11.5.5", "11.5.0", system="goss")
def test_other_conditions_and_the_limit() -> None:
    assert drm(spotter_higher=True) == 1
    assert drm(is_night=True) == -1
    assert drm(is_unobserved=True) == -4
    assert drm(1, terrain=-4, works=-5, is_night=True, is_unobserved=True) == -10


@rules("11.5.5", system="goss")
def test_rockets_at_targets_without_any_cover() -> None:
    open_target, woods = (mission_drm(CHART, facts) for facts in (TargetFacts(3), TargetFacts(3, terrain=-1)))
    some = {"has_rockets": True, "is_all_rockets": False}
    assert [rocket_drm(CHART, number, open_target, **some) for number in (0, 1)] == [1, 0]
    alone = {"has_rockets": True, "is_all_rockets": True}
    assert [rocket_drm(CHART, number, open_target, **alone) for number in (0, 1)] == [1, 1]
    assert rocket_drm(CHART, 0, woods, **alone) == 0
    assert rocket_drm(CHART, 0, open_target, has_rockets=False, is_all_rockets=False) == 0


@rules("11.8.0", system="goss")
def test_depletion_rises_with_the_volleys() -> None:
    assert depletion_drm(CHART, 1).total == 0
    assert depletion_drm(CHART, 4).total == 3
    assert depletion_drm(CHART, 2, is_all_rockets=True).total == 3
    assert depletion_drm(CHART, 1, is_extended=True).total == 2
