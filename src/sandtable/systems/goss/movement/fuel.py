"""16.4.5b, 5.2.2 Fuel as the scenario gives it: an MA for all Mech units, or a number of them that move in full."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from sandtable.core.content.rule import rule
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.facts import Used
from sandtable.systems.goss.common.handler import Play
from sandtable.systems.goss.common.state import FormationState, FuelState, State, Use
from sandtable.systems.goss.pieces.card import Card, Echelon, FormationId, MovementClass, Size, Trait
from sandtable.systems.goss.pieces.steps import size_of
from sandtable.systems.goss.pieces.unit import Unit, UnitId

__all__ = ["FUELLED", "fuel_of", "has_fuel", "is_mech", "may_always_move", "prepares_on", "sharers", "take_fuel"]

FUELLED = "fuelled"
"""Use: a Mech unit that was given its fuel in this phase (16.4.5b)."""
_FEW = 10
"""Mech units up to which only half of the fuel value counts (16.4.5b)."""
_PREPARING = 6
"""Fuel value that lets Mech units prepare assaults (5.2.2)."""
_ENOUGH = FormationState()
_COUNTS = {Size.BATTALION: Fraction(1), Size.COMPANY: Fraction(1, 2), Size.Z_STEP: Fraction(0)}


def is_mech(card: Card) -> bool:
    """Whether a unit moves by vehicles, or horses that draw guns (4.3.2, 5.6.2)."""
    return card.movement is MovementClass.MECH


def _needs_fuel(context: Context, state: State, unit: Unit) -> bool:
    """Whether a unit burns fuel: not on foot, not behind horses, not on the day of its arrival (16.4.3a, 21.0)."""
    card = context.card(unit)
    return is_mech(card) and not card.has(Trait.HORSE_DRAWN) and not _is_new(context, state, unit)


def _is_new(context: Context, state: State, unit: Unit) -> bool:
    return unit.arrived >= 0 and context.calendar.day(unit.arrived) == context.calendar.day(state.at.turn)


def _source(context: Context, unit: Unit) -> FormationId:
    """The formation whose fuel a unit burns: Mech units of an Axis Leg formation draw on their corps (16.4.4)."""
    own = context.formation_of(unit)
    formation = context.formation(own)
    is_subordinate = formation.echelon in (Echelon.DIVISION, Echelon.BATTLE_GROUP)
    if context.card(unit).nation.is_axis and formation.type is MovementClass.LEG and is_subordinate:
        return context.scenario.superiors.get(own, own)
    return own


@rule("16.4.3a", "21.0")
def fuel_of(context: Context, state: State, unit: Unit) -> FormationState:
    """The fuel of a unit's formation; who needs none has enough (16.4.3a)."""
    if not state.formations or not _needs_fuel(context, state, unit):
        return _ENOUGH
    return state.formations.get(_source(context, unit), _ENOUGH)


def has_fuel(context: Context, state: State, units: Sequence[Unit]) -> bool:
    """Whether units that move as one have fuel: each some, or a share of those that are left (16.4.5b)."""
    wanted: dict[FormationId, set[str]] = {}
    for unit in units:
        fuel = fuel_of(context, state, unit)
        if not fuel.is_by_units:
            if fuel.fuel_value == 0:
                return False
            continue
        source = _source(context, unit)
        sharing = wanted.setdefault(source, _given(context, state, source))
        sharing.add(unit.id)
        if len(sharing) > _shares(context, state, unit):
            return False
    return True


@rule("7.3.0")
def may_always_move(context: Context, state: State, units: Iterable[Unit]) -> bool:
    """Whether units may move one hex whatever it costs: not who has no fuel and is held to its value (7.3.0)."""
    fuels = (fuel_of(context, state, unit) for unit in units)
    return not any(fuel.fuel is FuelState.NONE and not fuel.is_by_units for fuel in fuels)


def _given(context: Context, state: State, source: FormationId) -> set[str]:
    """Units that have been given fuel in this phase."""
    uses = (use.by for use in state.used if use.what == FUELLED and use.by in state.units)
    return {one for one in uses if _source(context, state.units[UnitId(one)]) == source}


@rule("16.4.4b", "16.4.5b", "21.0")
def _shares(context: Context, state: State, unit: Unit) -> int:
    """How many units move in full: the fuel value, half of it where ten or fewer draw on it (16.4.5b).

    An HQ is one of them, companies are halves, and what is over is left out; so is who came today (21.0).
    """
    source, value = _source(context, unit), fuel_of(context, state, unit).fuel_value or 0
    drawing = [one for one in state.units.values() if one.hex is not None and _source(context, one) == source]
    is_allied = not context.card(unit).nation.is_axis
    counted = [
        one for one in drawing if (is_allied and not _is_new(context, state, one)) or _needs_fuel(context, state, one)
    ]
    count = int(sum(_COUNTS[size_of(context.card(one), one.steps)] for one in counted))
    return value if count > _FEW else -(-value // 2)


def take_fuel(play: Play, context: Context, units: Iterable[UnitId]) -> None:
    """Note who has been given fuel, where units share it (16.4.5b)."""
    for one in units:
        unit = play.state.units[one]
        if fuel_of(context, play.state, unit).is_by_units and not play.state.has_used(FUELLED, one):
            play.emit(Used(Use(FUELLED, by=one), owner=unit.side))


@rule("5.2.2")
def prepares_on(context: Context, state: State, units: Iterable[Unit]) -> bool:
    """Whether fuel lets these units be in PA mode together (5.2.2; ruling B-24).

    In low fuel or none: all of a formation by a fuel value of six, or no more than it where units share it.
    """
    sharing: dict[FormationId, int] = {}
    for unit in units:
        fuel = fuel_of(context, state, unit)
        if fuel.fuel is FuelState.NORMAL:
            continue
        value, source = fuel.fuel_value or 0, _source(context, unit)
        sharing[source] = sharing.get(source, 0) + 1
        if value < (sharing[source] if fuel.is_by_units else _PREPARING):
            return False
    return True


def sharers(context: Context, state: State) -> tuple[tuple[UnitId, int], ...]:
    """Who draws on fuel that units share, with their steps: they say how many of them move in full (16.4.5b)."""
    shared = {source for source, fuel in state.formations.items() if fuel.is_by_units}
    if not shared:
        return ()
    there = (unit for unit in state.units.values() if unit.hex is not None and _source(context, unit) in shared)
    return tuple((unit.id, unit.steps) for unit in there)
