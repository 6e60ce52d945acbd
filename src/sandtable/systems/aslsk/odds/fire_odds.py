"""Exact odds of an attack for every target by itself: the chance of each thing that can become of it.

An attack on the IFT is followed target by target (:mod:`~sandtable.systems.aslsk.odds.attack_odds`); ordnance, placed
charges and fire that falls apart into several attacks are played through with every roll.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from typing import TypeVar

from msgspec.structs import replace

from sandtable.core.decision import Seat
from sandtable.core.dice import Dice, ScriptedDice, enumerate_rolls
from sandtable.core.errors import Refusal, Refused
from sandtable.core.modifier import Modifier
from sandtable.core.odds import Chance
from sandtable.core.ruleset import NO_EFFECT
from sandtable.systems.aslsk.common.actions import Fire, FireOrdnance
from sandtable.systems.aslsk.common.consequence import unit_change
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.events import Event
from sandtable.systems.aslsk.common.fold import fold
from sandtable.systems.aslsk.effects.attack import Attack, put_under_desperation
from sandtable.systems.aslsk.effects.ift import IftResult, ift_of
from sandtable.systems.aslsk.fire.fire import plan_attack, targets_of
from sandtable.systems.aslsk.fire.fire_groups import assemble, links
from sandtable.systems.aslsk.fire.firers import Fireground, mode_of
from sandtable.systems.aslsk.fire.firing_handler import FiringHandler
from sandtable.systems.aslsk.odds.attack_odds import AttackOdds
from sandtable.systems.aslsk.pieces.state import Moving, State, Unit, UnitId

__all__ = ["target_odds"]

Chances = dict[str, Fraction]
F = TypeVar("F")
Folding = Callable[[State, Event], State]


def target_odds(
    handler: FiringHandler[F], state: State, frame: F, action: Fire | FireOrdnance, folding: Folding
) -> dict[UnitId, list[Chance]]:
    """What may become of each target of an attack that answers the open question, likeliest first."""
    context, seat = handler.context, handler.question(state, frame).asked[0]
    refusal = handler.refusal(state, frame, seat, action)
    if refusal is not None:
        raise Refused(refusal)
    moving = handler.moving(state)
    attack = _plan(context, state, seat, moving, action) if isinstance(action, Fire) else None
    if attack is not None:
        found = _odds_by_target(context, state, attack)
    else:

        def played(dice: Dice) -> State:
            """The state right after the attack, before play goes on."""
            play = Play(state, folding, dice)
            handler.apply(play, frame, seat, action)
            return play.state

        found = _by_playing(context, state, targets_of(context, state, seat, action.target, moving), played)
    return {unit_id: _ranked(chances) for unit_id, chances in found.items()}


def _ranked(chances: Chances) -> list[Chance]:
    ranked = sorted(chances.items(), key=lambda item: (-item[1], item[0]))
    return [Chance(what, float(chance), str(chance)) for what, chance in ranked]


def _plan(context: Context, state: State, seat: Seat, moving: Moving | None, action: Fire) -> Attack | None:
    """The attack before the dice, or None for one of another kind: without LOS, in parts, a placed charge."""
    ground = Fireground(context, state, mode_of(state.phase), seat, action.target, moving=moving)
    group = assemble(ground, action)
    if isinstance(group, Refusal):
        return None
    seeing = [firer for firer in group if ground.sees(firer.hex)]
    if len(links(context, seeing)) != 1:
        return None
    leaders = [state.units[unit_id] for unit_id in action.leaders]
    return plan_attack(ground, seeing, leaders, moving).attack


def _by_playing(
    context: Context, state: State, targets: Sequence[UnitId], played: Callable[[Dice], State]
) -> dict[UnitId, Chances]:
    """Follow every roll of the attack as it is played."""
    found: dict[UnitId, Chances] = {unit_id: {} for unit_id in targets}
    for after, weight in enumerate_rolls(played):
        for unit_id in targets:
            _add(found[unit_id], _word(context, state.units[unit_id], after.units[unit_id]), weight)
    return found


def _add(chances: Chances, what: str, weight: Fraction) -> None:
    chances[what] = chances.get(what, Fraction(0)) + weight


def _word(context: Context, was: Unit, now: Unit) -> str:
    """What became of one unit."""
    return unit_change(context, was, now) or NO_EFFECT


# --- one target at a time ---------------------------------------------------------------------------------------


def _odds_by_target(context: Context, state: State, attack: Attack) -> dict[UnitId, Chances]:
    """What may become of every target; units that do not differ in anything but their names share theirs."""
    play = Play(replace(state, stack=()), fold, ScriptedDice(()))
    put_under_desperation(play, ift_of(context), attack)
    units = play.state.units
    leaders = [unit for unit in units.values() if unit.hex == attack.target and context.card(unit).is_leader]
    alike: dict[tuple[Unit, tuple[Modifier, ...]], list[UnitId]] = {}
    for unit_id in attack.targets:
        if units[unit_id] not in leaders:
            key = (replace(units[unit_id], id=UnitId("")), attack.own_drm.get(unit_id, ()))
            alike.setdefault(key, []).append(unit_id)
    results = [
        (tuple(zip(attack.targets, found, strict=True)), chance) for found, chance in _results(context, attack).items()
    ]
    others = [units[same[0]] for same in alike.values()]
    led, unled = AttackOdds(context, state, leaders, others).spread(results)
    found: dict[UnitId, Chances] = {}
    groups = [*([leader.id] for leader in leaders), *alike.values()]
    for same, spread in zip(groups, (*led, *unled), strict=True):
        chances: Chances = {}
        for after, chance in spread.items():
            _add(chances, _word(context, state.units[same[0]], after), chance)
        found.update((unit_id, chances) for unit_id in same)
    return {unit_id: found[unit_id] for unit_id in attack.targets}


def _results(context: Context, attack: Attack) -> dict[tuple[IftResult, ...], Fraction]:
    """Every combination of results of the targets, with its chance."""
    ift = ift_of(context)
    drms = [
        attack.drm.total + sum(term.value for term in attack.own_drm.get(unit_id, ())) for unit_id in attack.targets
    ]
    ways: dict[tuple[IftResult, ...], int] = {}
    for coloured, white in product(range(1, 7), repeat=2):
        cowers = attack.cower if coloured == white else 0
        column = max(-1, attack.column - cowers)
        results = tuple(ift.result(column, coloured + white + drm) for drm in drms)
        ways[results] = ways.get(results, 0) + 1
    return {results: Fraction(number, 36) for results, number in ways.items()}
