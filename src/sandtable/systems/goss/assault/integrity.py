"""13.8.3 Regimental integrity: which regiments fight together, and who counts in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from sandtable.core.content.rule import rule
from sandtable.geo.hex import NEIGHBOURS, Hex
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.crossing import crossing
from sandtable.systems.goss.common.state import State
from sandtable.systems.goss.pieces.card import Card, Kind, MovementClass, Nation, Size, Trait
from sandtable.systems.goss.pieces.steps import size_of
from sandtable.systems.goss.pieces.unit import Mode, Supply, Unit, UnitId

__all__ = ["INTEGRITY", "Integrity", "attacking_integrity", "defending_integrity"]

INTEGRITY = "regimental integrity"
"""Use: a unit that has counted for it in this segment (13.8.3)."""
_MOST, _LEAST = 3, 2
_MOST_CAVALRY = 2
_MODES = frozenset((Mode.TAC, Mode.PREPARED_ASSAULT))
_INFANTRY = frozenset((Kind.INFANTRY, Kind.ARMOURED_INFANTRY))
_AFVS = frozenset((Kind.TANKS, Kind.TANK_DESTROYERS))


_Regiment = tuple[str, str]
"""A formation, and a regiment of it."""


class Integrity(msgspec.Struct, frozen=True):
    """The regiments of a side that count, each by its units."""

    regiments: tuple[tuple[UnitId, ...], ...] = ()

    @property
    def counts(self) -> tuple[int, ...]:
        """How many units of each."""
        return tuple(len(units) for units in self.regiments)

    @property
    def units(self) -> tuple[UnitId, ...]:
        """All of them."""
        return tuple(unit for units in self.regiments for unit in units)


@rule("13.8.3b")
def _is_eligible(context: Context, state: State, unit: Unit) -> bool:
    """Fit to count: assigned and not attached, in Tac or PA mode, fresh, supplied, in command (13.8.3b)."""
    card = context.card(unit)
    return (
        unit.mode in _MODES
        and context.formation_of(unit) == card.formation
        and not unit.fatigue
        and unit.supply is not Supply.OUT
        and not unit.is_out_of_command
        and size_of(card, unit.steps) is not Size.Z_STEP
        and not card.has(Trait.BREAKDOWN)
        and not card.has(Trait.REAR_ECHELON)
        and not state.has_used(INTEGRITY, by=unit.id)
    )


def _is_of_regiment(context: Context, unit: Unit) -> bool:
    """Infantry, hybrids and armoured cavalry count in their regiment."""
    card = context.card(unit)
    return bool(card.regiment) and (card.kind in _INFANTRY or card.is_hybrid or card.has(Trait.ARMOURED_CAVALRY))


def _is_of_division(context: Context, unit: Unit) -> bool:
    """German engineers, fusiliers and recon count with a regiment of their formation; AFVs in a Mech one."""
    card = context.card(unit)
    if card.nation is not Nation.GERMAN:
        return False
    if card.kind in (Kind.ENGINEERS, Kind.RECON) or card.has(Trait.FUSILIER):
        return True
    return card.kind in _AFVS and context.formation(card.formation).type is MovementClass.MECH


def _is_brigade_armour(context: Context, unit: Unit) -> bool:
    """Battalions of tanks of a Commonwealth armoured brigade count beside an infantry battalion of it."""
    card = context.card(unit)
    is_tanks = card.has(Trait.PURE_ARMOUR) and card.size is Size.BATTALION
    return card.nation is Nation.BRITISH and is_tanks and bool(card.regiment)


@rule("13.8.3b")
def _with_infantry(context: Context, units: Iterable[Unit]) -> set[_Regiment]:
    """The regiments of which an infantry battalion takes part, be it fit to count or not: their tanks count."""
    return {
        _regiment(card)
        for unit in units
        for card in [context.card(unit)]
        if card.kind in _INFANTRY and card.size is Size.BATTALION and context.formation_of(unit) == card.formation
    }


def _regiment(card: Card) -> _Regiment:
    return str(card.formation), card.regiment


def _regiments(context: Context, state: State, units: Sequence[Unit], most: int) -> Integrity:
    """The regiments among the units that make the most of them, each filled up with troops of its division."""
    members: dict[_Regiment, list[UnitId]] = {}
    tanks: dict[_Regiment, list[UnitId]] = {}
    others: dict[str, tuple[UnitId, ...]] = {}
    for unit in units:
        if not _is_eligible(context, state, unit):
            continue
        card = context.card(unit)
        key = _regiment(card)
        if _is_of_regiment(context, unit):
            found = members.setdefault(key, [])
            if not card.has(Trait.ARMOURED_CAVALRY) or len(found) < _MOST_CAVALRY:
                found.append(unit.id)
        elif _is_brigade_armour(context, unit):
            tanks.setdefault(key, []).append(unit.id)
        elif _is_of_division(context, unit):
            others[key[0]] = (*others.get(key[0], ()), unit.id)
    with_infantry = _with_infantry(context, units)
    own = {
        key: (*members.get(key, ()), *(tanks.get(key, ()) if key in with_infantry else ()))[:_MOST]
        for key in (*members, *(one for one in tanks if one not in members))
    }
    return Integrity(_best(sorted(own.items(), key=lambda one: (-len(one[1]), one[0])), others, most))


def _best(
    regiments: Sequence[tuple[_Regiment, tuple[UnitId, ...]]], others: Mapping[str, tuple[UnitId, ...]], most: int
) -> tuple[tuple[UnitId, ...], ...]:
    """The choice of so many regiments, and of who of their divisions goes with which, that counts the most units."""
    if not regiments or not most:
        return ()
    ((formation, _), own), *rest = regiments
    pool = others.get(formation, ())
    ways = []
    for added in range(min(_MOST - len(own), len(pool)), -1, -1):
        if len(own) + added >= _LEAST:
            left = {**others, formation: pool[added:]}
            ways.append(((*own, *pool[:added]), *_best(rest, left, most - 1)))
    return max((*ways, _best(rest, others, most)), key=lambda chosen: sum(map(len, chosen)))


@rule("13.8.3", "13.8.3a")
def attacking_integrity(context: Context, state: State, units: Sequence[Unit]) -> Integrity:
    """Of the attackers: those who take part, of two regiments (13.8.3a)."""
    return _regiments(context, state, units, 2)


@rule("13.8.3a")
def defending_integrity(context: Context, state: State, units: Sequence[Unit], target: Hex) -> Integrity:
    """Of the defenders: those in the hex, and battalions of their regiment beside it, of one regiment (13.8.3a)."""
    regiments = {
        (context.card(unit).formation, context.card(unit).regiment) for unit in units if context.card(unit).regiment
    }
    beside = []
    for near in NEIGHBOURS[target]:
        if near not in context.ground.hexes or crossing(context, state, near, target).is_major:
            continue
        for unit in context.deployment(state).at(near):
            card = context.card(unit)
            if (
                unit.side == units[0].side
                and card.size is Size.BATTALION
                and unit.steps >= _LEAST
                and (card.formation, card.regiment) in regiments
            ):
                beside.append(unit)
    return _regiments(context, state, [*units, *beside], 1)
