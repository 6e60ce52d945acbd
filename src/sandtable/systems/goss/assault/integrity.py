"""13.8.3 Regimental integrity: which regiments fight together, and who counts in them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from sandtable.core.content.rule import rule
from sandtable.geo.hex import NEIGHBOURS, Hex
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.crossing import crossing
from sandtable.systems.goss.common.state import State
from sandtable.systems.goss.pieces.card import Kind, MovementClass, Nation, Size, Trait
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
    """Tanks of a Commonwealth armoured brigade count beside infantry of it."""
    card = context.card(unit)
    return card.nation is Nation.BRITISH and card.has(Trait.PURE_ARMOUR) and bool(card.regiment)


def _regiments(context: Context, units: Iterable[Unit], most: int) -> Integrity:
    """The best regiments among eligible units, each filled up with troops of its division."""
    members: dict[tuple[str, str], list[UnitId]] = {}
    tanks: dict[tuple[str, str], list[UnitId]] = {}
    others: dict[str, list[UnitId]] = {}
    for unit in units:
        card = context.card(unit)
        key = (str(card.formation), card.regiment)
        if _is_of_regiment(context, unit):
            found = members.setdefault(key, [])
            if not card.has(Trait.ARMOURED_CAVALRY) or len(found) < _MOST_CAVALRY:
                found.append(unit.id)
        elif _is_brigade_armour(context, unit):
            tanks.setdefault(key, []).append(unit.id)
        elif _is_of_division(context, unit):
            others.setdefault(str(card.formation), []).append(unit.id)
    chosen: list[tuple[UnitId, ...]] = []
    for key, found in sorted(members.items(), key=lambda one: (-len(one[1]), one[0])):
        pool = [*tanks.get(key, ()), *others.get(key[0], ())]
        taken = pool[: max(_MOST - len(found), 0)]
        if len(found) + len(taken) >= _LEAST and len(chosen) < most:
            others[key[0]] = [one for one in others.get(key[0], ()) if one not in taken]
            chosen.append((*found[:_MOST], *taken))
    return Integrity(tuple(chosen))


@rule("13.8.3", "13.8.3a")
def attacking_integrity(context: Context, state: State, units: Sequence[Unit]) -> Integrity:
    """Of the attackers: those who take part, of two regiments (13.8.3a)."""
    return _regiments(context, [unit for unit in units if _is_eligible(context, state, unit)], 2)


@rule("13.8.3a")
def defending_integrity(context: Context, state: State, units: Sequence[Unit], target: Hex) -> Integrity:
    """Of the defenders: those in the hex, and battalions of their regiment beside it, of one regiment (13.8.3a)."""
    here = [unit for unit in units if _is_eligible(context, state, unit)]
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
                and _is_eligible(context, state, unit)
            ):
                beside.append(unit)
    return _regiments(context, [*here, *beside], 1)
