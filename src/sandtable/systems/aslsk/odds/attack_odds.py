"""3.2.3 How the results of an attack spread through a hex, exactly: every way that checks may go, with its weight.

Leaders check before all others, and what becomes of others never touches a leader. So the leaders of the hex are
followed together once, ways that have come to the same going on as one; of each way is kept what others feel of it
(:class:`_Story`): whom random selection has taken, whose leadership helps in which check, which leaders are lost.
Everybody else is then followed alone through each story. Who checks when, who helps whom and what a DR does is asked
of the rules that play asks (:mod:`~sandtable.systems.aslsk.effects.morale`); each check is worked out once.

Weights are whole numbers: a check has a DR and at the most one dr, so the weight of a way is divided by 216 at each.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from math import lcm
from typing import Generic, NamedTuple, TypeVar

from msgspec.structs import replace

from sandtable.core.dice import Dice, ScriptedDice, enumerate_rolls
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.experience import leadership
from sandtable.systems.aslsk.common.fold import fold
from sandtable.systems.aslsk.effects.casualties import LeaderLoss
from sandtable.systems.aslsk.effects.effects import Hit, strike
from sandtable.systems.aslsk.effects.ift import IftResult
from sandtable.systems.aslsk.effects.morale import (
    Check,
    helper_of,
    is_spared,
    loss_checks,
    morale_check,
    order_of_checks,
    was_harmed,
)
from sandtable.systems.aslsk.effects.random_selection import PICKED, selections
from sandtable.systems.aslsk.pieces.state import State, Unit, UnitId

__all__ = ["AttackOdds", "Results"]

T = TypeVar("T")
Results = Sequence[tuple[Sequence[Hit], Fraction]]
"""The results of all targets together, each with its chance."""
_Spread = dict[Unit, Fraction]
_SPLIT = 216
"""Ways of a DR and a dr."""
_STAYS = 32
"""So many bits above the one of a leader stands one that says that he stays unable: a K has struck him."""
_INITIAL = -1
"""Stands for the attack itself where a story tells which loss brings a check about."""
_NOTHING = -1
"""Stands for no check."""


class _Numbers(Generic[T]):
    """Gives equal things one number, which is quicker to compare than they are."""

    __slots__ = ("_known", "things")

    def __init__(self) -> None:
        self.things: list[T] = []
        self._known: dict[T, int] = {}

    def of(self, thing: T) -> int:
        found = self._known.get(thing)
        if found is None:
            found = self._known[thing] = len(self.things)
            self.things.append(thing)
        return found


class _Story(NamedTuple):
    """What the other targets feel of the leaders' fate, up to a point."""

    before: int
    """The story up to the check before, by its number; of a beginning the number of the results."""
    taken: tuple[tuple[IftResult, int], ...] = ()
    """Of a beginning: how many others a KIA or K has taken."""
    cause: int = _INITIAL
    """The loss that brings a check about, by its number."""
    drms: tuple[int, ...] = ()
    """The leadership that helps each of the others in it; empty at a beginning."""


class _Way(NamedTuple):
    """How far the leaders have come: all that what follows depends on. Leaders are known by their places."""

    units: tuple[int, ...]
    waiting: tuple[tuple[int, int], ...]
    """Who has still to check what, in this order."""
    unable: int
    """Bits of those who lend no leadership in these checks, and of those whom even a check passed does not help."""
    cause: int
    losses: tuple[int, ...]
    """Losses that are not settled yet."""
    story: int


class _Outcome(NamedTuple):
    """One way that a check may end."""

    unit: int
    losses: tuple[int, ...]
    harmed: bool
    ways: int
    """Of 216."""


class _Told(NamedTuple):
    """What a story has made of one unit."""

    weights: dict[tuple[int, int], int]
    """By unit and the check that the attack asks of it."""
    scale: int
    """Sum of the weights."""


_Weights = dict[_Way, int]
_Waiting = tuple[tuple[tuple[int, int], ...], int]


class AttackOdds:
    """What becomes of the targets of one attack."""

    def __init__(self, context: Context, state: State, leaders: Sequence[Unit], others: Sequence[Unit]) -> None:
        self._context = context
        self._state = replace(state, weapons={}, stack=())
        self._leaders = leaders
        self._others = others
        self._units: _Numbers[Unit] = _Numbers()
        self._checks: _Numbers[Check] = _Numbers()
        self._losses: _Numbers[LeaderLoss] = _Numbers()
        self._stories: _Numbers[_Story] = _Numbers()
        self._outcomes: dict[tuple[int, int, int], tuple[_Outcome, ...]] = {}
        self._next: dict[tuple[tuple[int, ...], tuple[int, int], int], tuple[_Outcome, ...]] = {}
        self._helped: dict[tuple[tuple[int, ...], int], tuple[int, ...]] = {}
        self._after_loss: dict[tuple[tuple[int, ...], int], _Waiting] = {}
        self._lost_checks: dict[tuple[int, int], int] = {}

    def spread(self, results: Results) -> tuple[list[_Spread], list[_Spread]]:
        """The distributions of each leader's fate, and of each other target's."""
        begun = [
            (way, chance * share)
            for number, (hits, chance) in enumerate(results)
            for way, share in self._begin(number, hits)
        ]
        # Every leader checks once, and again for each of them who breaks and who dies.
        rounds = len(self._leaders) * (1 + 2 * len(self._leaders))
        whole = _SPLIT**rounds * lcm(*(chance.denominator for _, chance in begun))
        ways: _Weights = {}
        for way, chance in begun:
            ways[way] = ways.get(way, 0) + whole // chance.denominator * chance.numerator
        ends: _Weights = {}
        while ways:
            following: _Weights = {}
            for way, weight in ways.items():
                self._advance(way, weight, following, ends)
            ways = following
        led: list[dict[int, int]] = [{} for _ in self._leaders]
        stories: dict[int, int] = {}
        for way, weight in ends.items():
            stories[way.story] = stories.get(way.story, 0) + weight
            for found, unit in zip(led, way.units, strict=True):
                found[unit] = found.get(unit, 0) + weight
        others = [self._follow(index, results, stories, whole) for index in range(len(self._others))]
        return [self._as_spread(found, whole) for found in led], others

    def _as_spread(self, weights: Mapping[int, int], whole: int) -> _Spread:
        return {self._units.things[unit]: Fraction(weight, whole) for unit, weight in weights.items()}

    # --- the leaders --------------------------------------------------------------------------------------------

    def _begin(self, number: int, hits: Sequence[Hit]) -> Iterator[tuple[_Way, Fraction]]:
        """KIA and K among the leaders, and the checks that follow from them."""
        for picks, taken, share in selections(hits, self._spared(hits)):
            story = self._stories.of(_Story(number, taken))
            for way, weight in enumerate_rolls(partial(self._strike, hits, picks, story)):
                yield way, share * weight

    def _spared(self, hits: Sequence[Hit]) -> frozenset[UnitId]:
        """Targets that are no leaders."""
        leaders = {unit.id for unit in self._leaders}
        return frozenset(unit_id for unit_id, _ in hits if unit_id not in leaders)

    def _strike(self, hits: Sequence[Hit], picks: Sequence[int], story: int, dice: Dice) -> _Way:
        left = list(picks)
        play = Play(replace(self._state, units={unit.id: unit for unit in self._leaders}), fold, dice)
        checks, losses, harmed = strike(
            self._context, play, hits, 0, choose=lambda *_: left.pop(0), spared=self._spared(hits)
        )
        units = list(play.state.units.values())
        waiting, unable = self._in_order(units, checks)
        for index, unit in enumerate(units):
            if unit.id in harmed:
                unable |= 1 << index | 1 << index + _STAYS
        numbers = tuple(map(self._units.of, units))
        return _Way(numbers, waiting, unable, _INITIAL, tuple(map(self._losses.of, losses)), story)

    def _in_order(self, units: Sequence[Unit], checks: Mapping[UnitId, Check]) -> _Waiting:
        """Who checks, in order; until he has, he lends nobody his leadership."""
        places = {unit.id: index for index, unit in enumerate(units)}
        order = order_of_checks(self._context, {unit.id: unit for unit in units}, checks)
        waiting = tuple((places[unit_id], self._checks.of(checks[unit_id])) for unit_id in order)
        return waiting, sum(1 << place for place, _ in waiting)

    def _advance(self, way: _Way, weight: int, following: _Weights, ends: _Weights) -> None:
        """The next check of a way, with its outcomes; or its end."""
        units, waiting, unable, cause, losses, story = way
        while True:
            while waiting:
                first, waiting = waiting[0], waiting[1:]
                index = first[0]
                if not unable >> index + _STAYS & 1:
                    unable &= ~(1 << index)
                outcomes = self._next_check(units, first, unable)
                if not outcomes:
                    continue
                part = weight // _SPLIT
                before, after = units[:index], units[index + 1 :]
                for unit, lost, harmed, share in outcomes:
                    now, silent = (*before, unit, *after), unable | harmed << index
                    then = _Way(now, waiting, silent, cause, losses + lost, story)
                    following[then] = following.get(then, 0) + part * share
                return
            story = self._stories.of(_Story(story, (), cause, self._help(units, unable)))
            if not losses:
                end = _Way(units, (), 0, cause, (), story)
                ends[end] = ends.get(end, 0) + weight
                return
            cause, losses = losses[0], losses[1:]
            waiting, unable = self._after(units, cause)

    def _next_check(self, units: tuple[int, ...], waiting: tuple[int, int], unable: int) -> tuple[_Outcome, ...]:
        """The outcomes of the next check; none if it need not be made."""
        found = self._next.get((units, waiting, unable))
        if found is None:
            things = [self._units.things[unit] for unit in units]
            unit, check = things[waiting[0]], self._checks.things[waiting[1]]
            spared = is_spared(unit, check)
            found = () if spared else self._rolled(unit, check, self._help_for(things, unit, unable))
            self._next[units, waiting, unable] = found
        return found

    def _help_for(self, leaders: Sequence[Unit], unit: Unit, unable: int) -> int:
        """The leadership DRM that helps a unit in a check."""
        silent = {leader.id for index, leader in enumerate(leaders) if unable >> index & 1}
        helper = helper_of(self._context, _beside(leaders, unit), unit, silent)
        return 0 if helper is None else leadership(self._context, helper)

    def _help(self, units: tuple[int, ...], unable: int) -> tuple[int, ...]:
        """The same for each of the others."""
        found = self._helped.get((units, unable))
        if found is None:
            leaders = [self._units.things[unit] for unit in units]
            found = tuple(self._help_for(leaders, unit, unable) for unit in self._others)
            self._helped[units, unable] = found
        return found

    def _after(self, units: tuple[int, ...], loss: int) -> _Waiting:
        """The checks that a leader's loss brings upon the other leaders."""
        found = self._after_loss.get((units, loss))
        if found is None:
            things = [self._units.things[unit] for unit in units]
            lost = self._losses.things[loss]
            found = self._in_order(things, loss_checks(self._context, _beside(things, lost), lost))
            self._after_loss[units, loss] = found
        return found

    # --- everybody else -----------------------------------------------------------------------------------------

    def _follow(self, index: int, results: Results, stories: Mapping[int, int], whole: int) -> _Spread:
        """One of the others through all stories."""
        told: dict[int, _Told] = {}
        found = [(weight, self._tell(index, story, results, told)) for story, weight in stories.items()]
        scale = lcm(*(one.scale for _, one in found))
        total: dict[int, int] = {}
        for weight, one in found:
            for (unit, _), part in one.weights.items():
                total[unit] = total.get(unit, 0) + weight * part * (scale // one.scale)
        return self._as_spread(total, whole * scale)

    def _tell(self, index: int, number: int, results: Results, told: dict[int, _Told]) -> _Told:
        """What a story makes of one of the others."""
        found = told.get(number)
        if found is not None:
            return found
        story = self._stories.things[number]
        if not story.drms:
            found = self._taken(self._others[index], results[story.before][0], dict(story.taken))
        else:
            before = self._tell(index, story.before, results, told)
            weights: dict[tuple[int, int], int] = {}
            for (unit, check), weight in before.weights.items():
                asked = check if story.cause == _INITIAL else self._loss_check(unit, story.cause)
                outcomes = self._suffered(unit, asked, story.drms[index])
                for after, ways in outcomes or ((unit, _SPLIT),):
                    weights[after, _NOTHING] = weights.get((after, _NOTHING), 0) + weight * ways
            found = _Told(weights, before.scale * _SPLIT)
        told[number] = found
        return found

    def _taken(self, unit: Unit, hits: Sequence[Hit], taken: Mapping[IftResult, int]) -> _Told:
        """Whether a KIA or K takes a unit, and what it has to check."""
        result = next(result for unit_id, result in hits if unit_id == unit.id)
        if result.kind not in PICKED:
            return _Told({self._strike_alone(unit, result, picked=False): 1}, 1)
        spared = self._spared(hits)
        number = sum(1 for unit_id, one in hits if one == result and unit_id in spared)
        struck, missed = (self._strike_alone(unit, result, picked=picked) for picked in (True, False))
        weights = {struck: taken[result]}
        weights[missed] = weights.get(missed, 0) + number - taken[result]
        return _Told({key: weight for key, weight in weights.items() if weight}, number)

    def _strike_alone(self, unit: Unit, result: IftResult, *, picked: bool) -> tuple[int, int]:
        """A unit that is picked, or that is one more than those who are; and its check."""
        others = [UnitId(f"{number}") for number in range(0 if picked else max(1, result.number))]
        hits = [(unit_id, result) for unit_id in (unit.id, *others)]
        play = Play(replace(self._state, units={unit.id: unit}), fold, ScriptedDice(()))
        choice = 0 if picked else 1
        checks = strike(self._context, play, hits, 0, choose=lambda *_: choice, spared=others).checks
        check = checks.get(unit.id)
        return self._units.of(play.state.units[unit.id]), _NOTHING if check is None else self._checks.of(check)

    def _loss_check(self, unit: int, cause: int) -> int:
        """What a leader's loss asks of a unit."""
        found = self._lost_checks.get((unit, cause))
        if found is None:
            loss = self._losses.things[cause]
            stack = _beside([self._units.things[unit]], loss)
            asked = [self._checks.of(check) for check in loss_checks(self._context, stack, loss).values()]
            found = self._lost_checks[unit, cause] = asked[0] if asked else _NOTHING
        return found

    def _suffered(self, unit: int, check: int, drm: int) -> list[tuple[int, int]]:
        """The units that a check may leave, of 216 ways; none if there is none to make."""
        if check == _NOTHING or is_spared(self._units.things[unit], self._checks.things[check]):
            return []
        outcomes = self._rolled(self._units.things[unit], self._checks.things[check], drm)
        return [(outcome.unit, outcome.ways) for outcome in outcomes]

    # --- a check ------------------------------------------------------------------------------------------------

    def _rolled(self, unit: Unit, check: Check, drm: int) -> tuple[_Outcome, ...]:
        """The outcomes of a check that a leader helps by ``drm``."""
        key = (self._units.of(unit), self._checks.of(check), drm)
        found = self._outcomes.get(key)
        if found is None:
            run = partial(self._check, unit, check._replace(penalty=check.penalty + drm))
            found = self._outcomes[key] = tuple(
                _Outcome(self._units.of(after), lost, was_harmed(self._context, unit, after), int(weight * _SPLIT))
                for (after, lost), weight in enumerate_rolls(run)
            )
        return found

    def _check(self, unit: Unit, check: Check, dice: Dice) -> tuple[Unit, tuple[int, ...]]:
        losses: list[LeaderLoss] = []
        play = Play(replace(self._state, units={unit.id: unit}), fold, dice)
        morale_check(self._context, play, unit.id, check, losses)
        return play.state.units[unit.id], tuple(map(self._losses.of, losses))


def _beside(units: Sequence[Unit], one: Unit | LeaderLoss) -> list[Unit]:
    """Those of one's side in his hex."""
    return [unit for unit in units if unit.on_map and unit.hex == one.hex and unit.side == one.side]
