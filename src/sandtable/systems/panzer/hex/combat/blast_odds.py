"""6.5.4 Exact odds of GP fire that strikes many units: each is followed by itself, with one who rides on it.

All of them together have too many ways to follow. What the fire of a source leaves of a unit is joined where it is the
same before the next one fires. Left out is what becomes of a unit through another: a vehicle that brews up beside it, a
building that falls on it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from msgspec.structs import replace

from sandtable.core.dice import Dice, enumerate_rolls
from sandtable.core.odds import Chance
from sandtable.core.ruleset import NO_EFFECT
from sandtable.systems.panzer.events import Event
from sandtable.systems.panzer.hex.combat.ap_results import became
from sandtable.systems.panzer.hex.combat.gp_results import is_vehicle
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.handler import Play
from sandtable.systems.panzer.hex.state import State, Unit
from sandtable.systems.panzer.unit import MOVING_COMMANDS, UnitId

__all__ = ["Blow", "Fold", "blast_odds", "counts_as_moving"]

Fold = Callable[[State, Event], State]
Standing = dict[tuple[Unit, ...], tuple[State, Fraction]]


class Blow(NamedTuple):
    """Fire on a unit that may come."""

    chance: Fraction
    """That it comes at all."""
    strike: Callable[[Play], None]


def counts_as_moving(context: Context, unit: Unit, shooter: str) -> bool:
    """Whether a vehicle counts as moving, for all that the shooter knows; of his own he turns the commands over."""
    told = unit.known or unit.side == shooter
    return told and unit.command in MOVING_COMMANDS and is_vehicle(context, unit)


def blast_odds(
    context: Context, state: State, fold: Fold, targets: Iterable[tuple[UnitId, Sequence[Blow]]]
) -> dict[str, list[Chance]]:
    """What may become of every target, and of those who ride on it, by the fire on each."""
    found: dict[str, list[Chance]] = {}
    for target, blows in targets:
        for group, before in _groups(state, target):
            standing: Standing = {_key(before, group): (before, Fraction(1))}
            for blow in blows:
                standing = _after(standing, fold, group, blow)
            for unit_id in group:
                found[unit_id] = _chances(context, before, standing, unit_id)
    return found


def _groups(state: State, target: UnitId) -> Iterator[tuple[tuple[UnitId, ...], State]]:
    """A target with each of those who ride on it, as if he were alone: what befalls one is nothing to the others."""
    carrier = state.units[target]
    riders = carrier.markers.passengers
    if len(riders) < 2:
        yield (target, *riders), state
        return
    for rider in riders:
        alone = replace(carrier, markers=replace(carrier.markers, passengers=(rider,)))
        yield (target, rider), replace(state, units={**state.units, target: alone})


def _key(state: State, group: tuple[UnitId, ...]) -> tuple[Unit, ...]:
    return tuple(state.units[unit_id] for unit_id in group)


def _after(standing: Standing, fold: Fold, group: tuple[UnitId, ...], blow: Blow) -> Standing:
    """All that one more blow can leave of a unit."""
    found: Standing = {}

    def add(state: State, weight: Fraction) -> None:
        key = _key(state, group)
        kept, before = found.get(key, (state, Fraction(0)))
        found[key] = kept, before + weight

    for state, weight in standing.values():
        if blow.chance < 1:
            add(state, weight * (1 - blow.chance))
        if not blow.chance or not state.units[group[0]].in_play:
            add(state, weight * blow.chance)
            continue

        def run(dice: Dice, before: State = state) -> State:
            play = Play(before, fold, dice)
            blow.strike(play)
            return play.state

        for after, share in enumerate_rolls(run):
            add(after, weight * blow.chance * share)
    return found


def _chances(context: Context, before: State, standing: Standing, unit_id: UnitId) -> list[Chance]:
    totals: dict[str, Fraction] = {}
    for after, weight in standing.values():
        what = ", ".join(became(context, before, after, unit_id)) or NO_EFFECT
        totals[what] = totals.get(what, Fraction(0)) + weight
    ranked = sorted(((what, chance) for what, chance in totals.items() if chance), key=lambda one: (-one[1], one[0]))
    return [Chance(what, float(chance), str(chance)) for what, chance in ranked]
