"""13.11, 13.12 Retreats and advances: how far; ``common.retreat`` says where to."""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.systems.goss.common.state import FuelState

__all__ = ["advance_limit", "retreat_limit"]

_DEFENDER_MECH, _DEFENDER_LEG, _ATTACKER_MECH, _ATTACKER_LEG = 4, 2, 2, 1
_DRY_TANKS = 2
_PREPARED_MECH, _PREPARED_LEG, _OTHERS = 4, 2, 1
_LED_LOW_FUEL = 2


@rule("13.11.1")
def retreat_limit(*, is_mech: bool, is_attacker: bool, fuel: FuelState = FuelState.NORMAL) -> int:
    """Hexes that a unit may retreat after an assault (13.11.1)."""
    if not is_mech:
        return _ATTACKER_LEG if is_attacker else _DEFENDER_LEG
    most = _ATTACKER_MECH if is_attacker else _DEFENDER_MECH
    return min(most, _DRY_TANKS) if fuel is FuelState.NONE else most


@rule("13.12.3", "13.12.5b", "13.12.5c", "13.12.5d")
def advance_limit(
    *,
    is_mech: bool,
    is_prepared: bool,
    is_mud: bool = False,
    is_night: bool = False,
    fuel: FuelState = FuelState.NORMAL,
    leader: int = 0,
    on_good_road: bool = False,
) -> int:
    """Hexes that a unit may advance after an assault, the defender's the first of them (13.12.3).

    ``leader``: hexes that a leader adds. ``on_good_road``: the whole advance is along primary or secondary roads, which
    mud does not hinder (19.4.3; ruling B-7).
    """
    if is_mech and fuel is FuelState.NONE:
        return 0
    most = _OTHERS
    if is_prepared:
        most = _PREPARED_MECH if is_mech else _PREPARED_LEG
    most += leader
    if is_mech and fuel is FuelState.LOW:
        most = min(most, 1 + min(leader, _LED_LOW_FUEL))
    if is_night or (is_mud and not on_good_road):
        most = min(most, 1 + min(leader, 1))
    return most
