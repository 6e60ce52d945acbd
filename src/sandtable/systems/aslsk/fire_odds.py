"""Exact odds of an attack for every target by itself: the chance of each thing that can become of it.

Units check one after the other, and what becomes of one depends on the others only through leaders and through
random selection. So each target is followed with the leaders of its hex alone, which keeps the tree small; the
effects themselves are those of play (:func:`~sandtable.systems.aslsk.effects.apply_results`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import permutations, product
from math import prod

from msgspec.structs import replace

from sandtable.core.decision import Seat
from sandtable.core.dice import Dice, ScriptedDice, enumerate_rolls
from sandtable.core.errors import Refusal, Refused
from sandtable.core.odds import Chance
from sandtable.systems.aslsk.actions import Fire, FireOrdnance
from sandtable.systems.aslsk.attack import Attack, put_under_desperation
from sandtable.systems.aslsk.consequence import consequence
from sandtable.systems.aslsk.context import Context, Play
from sandtable.systems.aslsk.effects import Hit, apply_results
from sandtable.systems.aslsk.fire import plan_attack, targets_of
from sandtable.systems.aslsk.fire_groups import assemble, links
from sandtable.systems.aslsk.firers import Fireground, mode_of
from sandtable.systems.aslsk.firing import refuse_fire, resolve_fire
from sandtable.systems.aslsk.first_fire import refuse_first_fire, resolve_first_fire
from sandtable.systems.aslsk.fold import fold
from sandtable.systems.aslsk.ift import IftKind, IftResult, ift_of
from sandtable.systems.aslsk.state import FirePhase, FirstFire, Moving, State, UnitId

__all__ = ["target_odds"]

Fates = dict[str, Fraction]


def target_odds(context: Context, state: State, action: Fire | FireOrdnance) -> dict[UnitId, list[Chance]]:
    """What may become of each target of an attack that is legal now, likeliest first."""
    refusal = _refusal(context, state, action)
    if refusal is not None:
        raise Refused(refusal)
    attack = _plan(context, state, action) if isinstance(action, Fire) else None
    if attack is None:
        fates = _by_playing(context, state, action)
    else:
        fates = {unit_id: _fate(context, state, attack, unit_id) for unit_id in attack.targets}
    return {unit_id: _ranked(found) for unit_id, found in fates.items()}


def _refusal(context: Context, state: State, action: Fire | FireOrdnance) -> Refusal | None:
    frame = state.stack[-1] if state.stack else None
    if isinstance(frame, FirePhase):
        return refuse_fire(context, state, frame, action)
    if isinstance(frame, FirstFire):
        return refuse_first_fire(context, state, frame, action)
    return Refusal("3.2", "nobody is asked to fire now")


def _ranked(fates: Fates) -> list[Chance]:
    ranked = sorted(fates.items(), key=lambda item: (-item[1], item[0]))
    return [Chance(what, float(chance), str(chance)) for what, chance in ranked]


def _frame(state: State) -> tuple[Seat, Moving | None]:
    frame = state.stack[-1]
    if isinstance(frame, FirstFire):
        moving = state.stack[-2]
        assert isinstance(moving, Moving)  # noqa: S101 - it is asked inside a move
        return frame.asked, moving
    assert isinstance(frame, FirePhase)  # noqa: S101 - the action was legal
    return frame.player, None


def _plan(context: Context, state: State, action: Fire) -> Attack | None:
    """The attack before the dice, or None for one of another kind: without LOS, in parts, a placed charge."""
    seat, moving = _frame(state)
    ground = Fireground(context, state, mode_of(state.phase), seat, action.target, moving=moving)
    group = assemble(ground, action)
    if isinstance(group, Refusal):
        return None
    seeing = [firer for firer in group if ground.sees(firer.hex)]
    if len(links(context, seeing)) != 1:
        return None
    leaders = [state.units[unit_id] for unit_id in action.leaders]
    return plan_attack(ground, seeing, leaders, moving).attack


def _by_playing(context: Context, state: State, action: Fire | FireOrdnance) -> dict[UnitId, Fates]:
    """Follow every roll of the attack as it is played."""
    seat, moving = _frame(state)
    targets = targets_of(state, seat, action.target, moving)
    fates: dict[UnitId, Fates] = {unit_id: {} for unit_id in targets}
    for after, weight in enumerate_rolls(partial(_played, context, state, action)):
        for unit_id in targets:
            _add(fates[unit_id], _word(context, state, after, unit_id), weight)
    return fates


def _played(context: Context, state: State, action: Fire | FireOrdnance, dice: Dice) -> State:
    """The state right after the attack, before play goes on."""
    play = Play(state, fold, dice)
    frame = state.stack[-1]
    if isinstance(frame, FirstFire):
        resolve_first_fire(context, play, frame, action)
    elif isinstance(frame, FirePhase):
        resolve_fire(context, play, frame, action)
    return play.state


def _add(fates: Fates, what: str, weight: Fraction) -> None:
    fates[what] = fates.get(what, Fraction(0)) + weight


def _word(context: Context, before: State, after: State, unit_id: UnitId) -> str:
    """What became of one unit."""
    was = replace(before, units={unit_id: before.units[unit_id]}, weapons={})
    now = replace(after, units={unit_id: after.units[unit_id]}, weapons={})
    return consequence(context, was, now).removeprefix(f"{unit_id} ")


# --- one target at a time ---------------------------------------------------------------------------------------


def _fate(context: Context, state: State, attack: Attack, unit_id: UnitId) -> Fates:
    """The fates of one target."""
    units = state.units
    keep = {unit_id, *(one for one in attack.targets if context.card(units[one]).is_leader)}
    keep |= {unit.id for unit in units.values() if unit.hex == attack.target and context.card(unit).is_leader}
    spared = frozenset(one for one in attack.targets if one not in keep)
    bare = replace(
        state,
        units={key: unit for key, unit in units.items() if key in keep or unit.hex != attack.target},
        weapons={},
        stack=(),
    )
    play = Play(bare, fold, ScriptedDice(()))
    put_under_desperation(play, ift_of(context), attack._replace(targets=tuple(keep & set(attack.targets))))
    fates: Fates = {}
    for results, weight in _results(context, attack).items():
        hits = list(zip(attack.targets, results, strict=True))
        for picks, share in _selections(hits, spared):
            strike = partial(_struck, context, play.state, hits, picks=picks, spared=spared)
            for after, chance in enumerate_rolls(strike):
                _add(fates, _word(context, state, after, unit_id), weight * share * chance)
    return fates


def _results(context: Context, attack: Attack) -> dict[tuple[IftResult, ...], Fraction]:
    """Every combination of results of the targets, with its chance."""
    ift = ift_of(context)
    drms = [
        attack.drm.total + sum(term.value for term in attack.own_drm.get(unit_id, ())) for unit_id in attack.targets
    ]
    found: dict[tuple[IftResult, ...], Fraction] = {}
    for coloured, white in product(range(1, 7), repeat=2):
        cowers = attack.cower if coloured == white else 0
        column = max(-1, attack.column - cowers)
        results = tuple(ift.result(column, coloured + white + drm) for drm in drms)
        found[results] = found.get(results, Fraction(0)) + Fraction(1, 36)
    return found


def _selections(hits: Sequence[Hit], spared: frozenset[UnitId]) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """The ways that random selection may fall, as indices in the order they are asked for, with their chances.

    Ways that differ only in units that are spared count as one.
    """
    groups: dict[IftResult, list[UnitId]] = {}
    for unit_id, result in hits:
        groups.setdefault(result, []).append(unit_id)
    ways: list[list[tuple[tuple[int, ...], frozenset[UnitId]]]] = []
    for result in sorted(groups, key=lambda one: -one.severity):
        units = groups[result]
        if result.kind not in (IftKind.KIA, IftKind.K):
            continue
        number = min(result.number, len(units)) if result.kind is IftKind.KIA else 1
        orders = permutations(range(len(units)), number)
        ways.append([(_as_picks(order), frozenset(units[index] for index in order) - spared) for order in orders])
    total = prod(len(way) for way in ways)
    found: dict[tuple[frozenset[UnitId], ...], tuple[tuple[int, ...], int]] = {}
    for combination in product(*ways):
        key = tuple(victims for _, victims in combination)
        picks = tuple(pick for one, _ in combination for pick in one)
        found[key] = (picks, found[key][1] + 1 if key in found else 1)
    for picks, number in found.values():
        yield picks, Fraction(number, total)


def _as_picks(order: Sequence[int]) -> tuple[int, ...]:
    """Members chosen one after the other, as indices among those that are left each time."""
    return tuple(index - sum(before < index for before in order[:place]) for place, index in enumerate(order))


def _struck(
    context: Context,
    state: State,
    hits: Sequence[Hit],
    dice: Dice,
    *,
    picks: Sequence[int],
    spared: frozenset[UnitId],
) -> State:
    """The state after the results, with random selection settled beforehand."""
    left = list(picks)
    play = Play(state, fold, dice)
    apply_results(context, play, hits, 0, choose=lambda *_: left.pop(0), spared=spared)
    return play.state
