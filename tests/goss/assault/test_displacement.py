"""11.6.3a, 13.11, 13.12: where a stack retreats to, how far, and how far one advances."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.geo.hex import Hex
from sandtable.systems.goss.assault.advancing import advance_limit
from sandtable.systems.goss.assault.paths import retreat_limit
from sandtable.systems.goss.common.retreat import RetreatHex, retreat_choices
from sandtable.systems.goss.common.state import FuelState

rules = pytest.mark.rules


def way(number: int, **given: Any) -> RetreatHex:
    """A hex that is as good as any, but for what is given."""
    plain = {"is_enemy_adjacent": False, "to_hq": 3, "has_cover": True, "by_road": True, "is_overstack": False}
    return RetreatHex(Hex(number, 0), **(plain | given))


def chosen(*ways: RetreatHex) -> list[int]:
    """Numbers of the hexes that are left."""
    return [one.hex.q for one in retreat_choices(ways)]


@rules("11.6.3a", "13.11.0", system="goss")
def test_each_priority_counts_before_those_after_it() -> None:
    assert chosen(way(1, is_enemy_adjacent=True, to_hq=1), way(2, to_hq=9, has_cover=False, by_road=False)) == [2]
    assert chosen(way(1, to_hq=2, has_cover=False, by_road=False, is_overstack=True), way(2)) == [1]
    assert chosen(way(1, by_road=False, is_overstack=True), way(2, has_cover=False)) == [1]
    assert chosen(way(1), way(2, is_overstack=True)) == [1]
    assert chosen(way(1), way(2)) == [1, 2], "between equals the owner chooses"
    assert chosen(way(1, is_enemy_adjacent=True), way(2, is_enemy_adjacent=True, to_hq=1)) == [2], (
        "none meets the first"
    )
    assert chosen() == []


@rules("13.11.1", system="goss")
def test_how_far_one_retreats() -> None:
    assert retreat_limit(is_mech=False, is_attacker=False) == 2
    assert retreat_limit(is_mech=True, is_attacker=False) == 4
    assert retreat_limit(is_mech=False, is_attacker=True) == 1
    assert retreat_limit(is_mech=True, is_attacker=True) == 2
    assert retreat_limit(is_mech=True, is_attacker=False, fuel=FuelState.LOW) == 4
    assert retreat_limit(is_mech=True, is_attacker=False, fuel=FuelState.NONE) == 2
    assert retreat_limit(is_mech=False, is_attacker=False, fuel=FuelState.NONE) == 2


def advance(*, is_mech: bool = True, is_prepared: bool = True, **given: Any) -> int:
    return advance_limit(is_mech=is_mech, is_prepared=is_prepared, **given)


@rules("13.12.3", "13.12.5b", "13.12.5c", "13.12.5d", system="goss")
def test_how_far_one_advances() -> None:
    assert advance(is_prepared=False) == advance(is_mech=False, is_prepared=False) == 1
    assert advance(is_mech=False) == 2
    assert advance() == 4
    assert advance(is_mud=True) == advance(is_night=True) == advance(fuel=FuelState.LOW) == 1
    assert advance(is_mud=True, on_good_road=True) == 4
    assert advance(is_mud=True, leader=2) == advance(is_night=True, leader=2) == 2
    assert advance(fuel=FuelState.LOW, leader=3) == 3
    assert advance(fuel=FuelState.NONE, leader=2) == 0
    assert advance(is_mech=False, fuel=FuelState.NONE) == 2, "on foot nobody needs fuel"
