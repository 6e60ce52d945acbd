"""6.5.0, 7.10.3 Stacking during Mech road movement: who is in the way, who may join whom."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

from sandtable.core.content.rule import rule
from sandtable.geo.hex import Hex
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.movement.fuel import is_mech
from sandtable.systems.goss.movement.party import Party, is_small
from sandtable.systems.goss.pieces.card import Size, Trait
from sandtable.systems.goss.pieces.steps import size_of
from sandtable.systems.goss.pieces.unit import Mode, Unit
from sandtable.systems.goss.stacking.limits import Limits, grouped, limits, overstack
from sandtable.systems.goss.stacking.stacker import stacker

__all__ = ["Joining", "joining", "joining_off_road", "may_take_the_road", "overstack_in"]

_MOST = 2
"""Mech units in a hex of a road (7.10.3)."""


class Joining(IntEnum):
    """What those in a hex mean to Mech road movement."""

    FREE = 0
    JOIN = 1
    """It may be entered for more, and the move ends there."""
    BARRED = 2
    CLOSED = 3
    """To Mech units by whatever movement: somebody is there in Strat mode (5.5.5)."""


@rule("6.5.0", "5.7.0")
def _is_in_the_way(context: Context, unit: Unit) -> bool:
    """Whether a unit counts for road stacking: Mech, but no HQ, no Luftwaffe Flak, no guns in battery (6.5.0)."""
    card = context.card(unit)
    if not is_mech(card) or card.is_headquarters or unit.in_battery or size_of(card, unit.steps) is Size.Z_STEP:
        return False
    return not card.has(Trait.LUFTWAFFE)


def _count(context: Context, units: Sequence[Unit], most: Limits) -> int:
    """How many units they are, those together who stack for free (6.2.0)."""
    return len(grouped([stacker(unit, context.card(unit)) for unit in units], most))


def _together(context: Context, party: Party, others: Sequence[Unit], most: Limits) -> int:
    """How many units those who move as one make with others: a unit more, or fewer where they stack for free."""
    return min(_count(context, [*others, *party], most), _count(context, others, most) + 1)


def _are_staff(context: Context, party: Party) -> bool:
    """Whether nobody of them counts on the road: HQs and Z-steps (5.7.0, 6.1.0)."""
    return all(context.card(unit).is_headquarters or unit.steps == 0 for unit in party)


@rule("7.10.3", "5.5.5")
def joining(context: Context, party: Party, there: Sequence[Unit], *, is_constricted: bool) -> Joining:
    """Whether units on the road may enter a hex with friends: past none, to join one, to make no more than two.

    Strat mode is joined by nobody, and joins nobody, but who is one unit with it (5.5.5).
    """
    if _are_staff(context, party):
        return Joining.FREE
    others = [unit for unit in there if unit not in party and _is_in_the_way(context, unit)]
    if not others:
        return Joining.FREE
    most = limits(is_constricted=is_constricted)
    if any(unit.mode is Mode.STRATEGIC for unit in (*others, *party)):
        return Joining.JOIN if _count(context, [*others, *party], most) == 1 else Joining.CLOSED
    if len(others) == 1:
        return Joining.JOIN
    return Joining.JOIN if _together(context, party, others, most) <= _MOST else Joining.BARRED


@rule("5.5.5")
def joining_off_road(context: Context, party: Party, there: Sequence[Unit], *, is_constricted: bool) -> Joining:
    """Whether Mech units may enter a hex off the roads: not one with a unit in Strat mode, but as one unit with it."""
    found = joining(
        context, party, [unit for unit in there if unit.mode is Mode.STRATEGIC], is_constricted=is_constricted
    )
    return Joining.CLOSED if found is Joining.CLOSED else Joining.FREE


@rule("6.0", "6.5.0", "6.7.0")
def overstack_in(context: Context, stack: Sequence[Unit], hex: Hex) -> str:
    """What is too much in a hex, in a few words; ``""`` if it is within the limits (6.1.0); an HQ is a battalion."""
    counted = [unit for unit in stack if context.card(unit).takes_room]
    if len(counted) < 2:
        return ""
    most = limits(is_constricted=context.ground.at(hex).is_constricted)
    return overstack([stacker(unit, context.card(unit)) for unit in counted], most)


@rule("7.10.0", "6.7.0")
def may_take_the_road(context: Context, party: Party, here: Sequence[Unit], hex: Hex) -> bool:
    """Whether units may use Mech road movement: no overstack, and no more than one other Mech unit (7.10.0).

    An HQ is no Mech unit here (5.7.0), and two companies of one step that were there before count as one.
    """
    if overstack_in(context, here, hex):
        return False
    if _are_staff(context, party):
        return True
    most = limits(is_constricted=context.ground.at(hex).is_constricted)
    others = [unit for unit in here if unit not in party and _is_in_the_way(context, unit)]
    pair = [unit for unit in others if is_small(context, unit) and not unit.has_moved]
    found = [others, *([unit for unit in others if unit is not one] for one in pair if len(pair) > 1)]
    return any(_together(context, party, counted, most) <= _MOST for counted in found)
