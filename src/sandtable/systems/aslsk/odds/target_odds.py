"""3.2.3 Exact odds of one attack on the IFT: what may become of every target, each followed by itself."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from msgspec.structs import replace

from sandtable.core.dice import ScriptedDice
from sandtable.core.modifier import Modifier
from sandtable.core.ruleset import NO_EFFECT
from sandtable.systems.aslsk.common.consequence import unit_change
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.fold import fold
from sandtable.systems.aslsk.effects.attack import Attack, put_under_desperation
from sandtable.systems.aslsk.effects.ift import IftResult, ift_of
from sandtable.systems.aslsk.odds.attack_odds import AttackOdds
from sandtable.systems.aslsk.pieces.state import State, Unit, UnitId

__all__ = ["Chances", "add_chance", "odds_by_target"]

Chances = dict[str, Fraction]


def add_chance(chances: Chances, what: str, chance: Fraction) -> None:
    """One more way for something to happen."""
    chances[what] = chances.get(what, Fraction(0)) + chance


def odds_by_target(context: Context, state: State, attack: Attack) -> dict[UnitId, Chances]:
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
            add_chance(chances, unit_change(context, state.units[same[0]], after) or NO_EFFECT, chance)
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
