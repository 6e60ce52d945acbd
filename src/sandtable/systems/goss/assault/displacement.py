"""11.6.3, 13.11, 13.12 Retreats and advances: how far, and which of the hexes that are open to a stack.

"Closer to the superior HQ" means the hexes that are nearest to it among those still in question (13.11.0; ruling B-8).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum

import msgspec

from sandtable.core.content.rule import rule
from sandtable.geo.hex import Hex

__all__ = ["Fuel", "RetreatHex", "advance_limit", "retreat_choices", "retreat_limit"]


class Fuel(StrEnum):
    """16.4.3 The fuel state of a formation."""

    NORMAL = "normal"
    LOW = "low"
    NONE = "none"


_DEFENDER_MECH, _DEFENDER_LEG, _ATTACKER_MECH, _ATTACKER_LEG = 4, 2, 2, 1
_DRY_TANKS = 2
_PREPARED_MECH, _PREPARED_LEG, _OTHERS = 4, 2, 1
_LED_LOW_FUEL = 2


class RetreatHex(msgspec.Struct, frozen=True):
    """A hex into which a stack may retreat, by what the priorities ask of it."""

    hex: Hex
    is_enemy_adjacent: bool
    to_hq: int
    """Hexes to the superior HQ."""
    has_cover: bool
    by_road: bool
    is_overstack: bool


@rule("11.6.3a", "13.11.0")
def retreat_choices(hexes: Sequence[RetreatHex]) -> tuple[RetreatHex, ...]:
    """The hexes that are left to the owner after the five priorities, in their order (11.6.3a)."""
    left = tuple(hexes)
    if not left:
        return left
    wanted: tuple[Callable[[RetreatHex], bool], ...] = (
        lambda one: not one.is_enemy_adjacent,
        lambda one: one.to_hq == min(other.to_hq for other in left),
        lambda one: one.has_cover,
        lambda one: one.by_road,
        lambda one: not one.is_overstack,
    )
    for meets in wanted:
        meeting = tuple(one for one in left if meets(one))
        # What none of them meets is passed over.
        left = meeting or left
    return left


@rule("13.11.1")
def retreat_limit(*, is_mech: bool, is_attacker: bool, fuel: Fuel = Fuel.NORMAL) -> int:
    """Hexes that a unit may retreat after an assault (13.11.1)."""
    if not is_mech:
        return _ATTACKER_LEG if is_attacker else _DEFENDER_LEG
    most = _ATTACKER_MECH if is_attacker else _DEFENDER_MECH
    return min(most, _DRY_TANKS) if fuel is Fuel.NONE else most


@rule("13.12.3", "13.12.5b", "13.12.5c", "13.12.5d")
def advance_limit(
    *,
    is_mech: bool,
    is_prepared: bool,
    is_mud: bool = False,
    is_night: bool = False,
    fuel: Fuel = Fuel.NORMAL,
    leader: int = 0,
    on_good_road: bool = False,
) -> int:
    """Hexes that a unit may advance after an assault, the defender's the first of them (13.12.3).

    ``leader``: hexes that a leader adds. ``on_good_road``: the whole advance is along primary or secondary roads, which
    mud does not hinder (19.4.3; ruling B-7).
    """
    if is_mech and fuel is Fuel.NONE:
        return 0
    most = _OTHERS
    if is_prepared:
        most = _PREPARED_MECH if is_mech else _PREPARED_LEG
    most += leader
    if is_mech and fuel is Fuel.LOW:
        most = min(most, 1 + min(leader, _LED_LOW_FUEL))
    if is_night or (is_mud and not on_good_road):
        most = min(most, 1 + min(leader, 1))
    return most
