"""Looks that others take: whoever takes them, and whatever becomes of him, the same is chosen."""

import os
import signal
import time
from collections import deque
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from sandtable import catalog
from sandtable.bots import Question, captain
from sandtable.bots.captain import Captain
from sandtable.bots.clock import Clock, OutOfTime
from sandtable.bots.looking import Errand, Found, Look, Looking, Outlook
from sandtable.bots.sharing import SharedLooks, Wanted
from sandtable.bots.style import LEVELS, Level
from sandtable.core.codec import encode, pack
from sandtable.core.dice import SeededDice
from sandtable.session.thinking import brain
from sandtable.session.thinking.brain import PackedStanding
from sandtable.session.thinking.crew import Crew
from sandtable.sim.playout import start

SMALL = {"panzer": "na-a-patrol-at-tamrad", "aslsk": "sk-1-the-road-into-bretteville"}
FEW = 12
"""Questions of a game that are thought about where not the whole of it is."""


@pytest.fixture(autouse=True)
def _few_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Captains look ahead less often than in a real game."""
    few = {number: Level(breadth=3, worlds=4, looks=9, answer_looks=6, steps=40) for number in LEVELS}
    monkeypatch.setattr(captain, "LEVELS", few)


def questions(scenario: str, thinker: Captain) -> Iterator[tuple[Question[Any], int, Any]]:
    """A game that a captain plays against himself: each question, its number and his answer."""
    ruleset, dice = catalog.open_scenario(scenario).ruleset, SeededDice("shared")
    state = start(ruleset, dice)
    number = 0
    while (decision := ruleset.decision(state)) is not None:
        seat, number = decision.asked[0], number + 1
        question: Question[Any] = Question(ruleset, ruleset.conceal(state, seat), seat)
        answer = thinker.choose(question, Random(number))
        yield question, number, answer
        state = ruleset.resolve(state, seat, answer, dice).state


def again(question: Question[Any]) -> Question[Any]:
    """The question, of which nothing is worked out yet."""
    return Question(question.ruleset, question.known, question.seat)


@pytest.mark.parametrize("scenario", SMALL.values(), ids=SMALL)
def test_two_processes_choose_what_one_does_over_a_whole_game(scenario: str) -> None:
    crew = Crew(catalog.open_scenario(scenario).header, helpers=1)
    open_errands: set[int] = set()
    told = 0
    until = time.monotonic() + 120

    class Counted:
        def ask(self, question: Question[Any], errand: Errand, *, ahead: bool) -> int | None:
            number = crew.ask(question, errand, ahead=ahead)
            if number is not None:
                open_errands.add(number)
            return number

        def told(self) -> list[tuple[int, Found | None]]:
            nonlocal told
            found = crew.told()
            # On a busy machine the captain would have taken every look himself before the other is ready.
            while not found and open_errands and told <= 10 and time.monotonic() < until:
                time.sleep(0.01)
                found = crew.told()
            open_errands.difference_update(number for number, _ in found)
            told += sum(outlook is not None for _, outlooks in found for outlook in outlooks or ())
            return found

    try:
        alone, helped = Captain(seconds=None), Captain(seconds=None, helpers=Counted())
        for question, number, answer in questions(scenario, alone):
            assert helped.choose(again(question), Random(number)) == answer
        assert helped.looks == alone.looks
        assert told > 10, "the other process took its part"
    finally:
        crew.close()


def test_helpers_who_are_killed_or_stopped_lose_nothing() -> None:
    scenario = SMALL["panzer"]
    crew = Crew(catalog.open_scenario(scenario).header, helpers=2)
    seen: set[int] = set()
    try:
        alone, helped = Captain(seconds=None), Captain(seconds=None, helpers=crew)
        for question, number, answer in questions(scenario, alone):
            assert helped.choose(again(question), Random(number)) == answer
            for helper in crew.processes if number % 4 == 0 else ():
                os.kill(helper, signal.SIGKILL if number % 8 == 0 else signal.SIGSTOP)
            seen.update(crew.processes)
            if number == FEW:
                break
        assert len(seen) > 2, "others came for those who died"
    finally:
        crew.close()
    assert crew.processes == ()


class Odd:
    """Helpers of one captain who take looks truly, but when and whether they tell is their own affair."""

    def __init__(self, seed: int, most: int) -> None:
        self._rng, self._most = Random(seed), most
        self._captain = Captain(seconds=None)
        self._asked: deque[tuple[int, Found | None]] = deque()
        self._number = 0
        self.silent = 0

    def ask(self, question: Question[Any], errand: Errand, *, ahead: bool) -> int | None:
        if len(self._asked) >= self._most:
            return None
        self._number += 1
        # Every fourth is never heard of again, and of another nothing comes.
        if self._number % 4 == 1:
            self.silent += 1
        else:
            found = self._captain.look(again(question), errand) if self._number % 4 else None
            self._asked.insert(self._rng.randint(0, len(self._asked)), (self._number, found))
        return self._number

    def told(self) -> list[tuple[int, Found | None]]:
        return [self._asked.popleft()] if self._asked and self._rng.random() < 0.4 else []


@pytest.mark.parametrize("most", [1, 20])
@pytest.mark.parametrize("scenario", SMALL.values(), ids=SMALL)
def test_in_whatever_order_looks_are_told_the_same_is_found(scenario: str, most: int) -> None:
    odd = Odd(most, most)
    alone, helped = Captain(seconds=None), Captain(seconds=None, helpers=odd)
    for question, number, _ in questions(scenario, alone):
        plain = Captain(seconds=None).explain(again(question), Random(number))
        assert helped.explain(again(question), Random(number)) == plain
        if number == FEW:
            break
    assert odd.silent > 0


def test_while_another_is_at_a_look_the_next_ones_are_taken_and_none_twice() -> None:
    ruleset = catalog.open_scenario(SMALL["panzer"]).ruleset
    state = start(ruleset, SeededDice("next"))
    seat = ruleset.decision(state).asked[0]  # type: ignore[union-attr]
    question: Question[Any] = Question(ruleset, ruleset.conceal(state, seat), seat)
    taken: list[int] = []

    class Noted(Looking):
        def take(self, action: Any, number: int, seed: int, attend: Any) -> Outlook | None:
            taken.append(number)
            attend()
            return Outlook(float(number), 1)

    class Slow:
        """One who takes the look in world 1 and tells of it when that in world 2 is taken here."""

        asked = 0

        def ask(self, question: Question[Any], errand: Errand, *, ahead: bool) -> int | None:
            if self.asked or errand.looks[0].world != 1:
                return None
            self.asked = 1
            return 1

        def told(self) -> list[tuple[int, Found | None]]:
            return [(1, (Outlook(1.0, 1),))] if self.asked and 2 in taken else []

    looking = Noted(question, None, None, horizons=1, dice_seed=0)  # type: ignore[arg-type]
    shared = SharedLooks("captain", question, looking, Slow(), Clock(None), dice_seed=0)
    answer = shared.number(question.options.sample(Random(0)))
    after = [Wanted(answer, 2), Wanted(answer, 3)]
    shared.plan([Wanted(answer, 0), Wanted(answer, 1)], range(4), lambda: after)
    found = [shared.take(Wanted(answer, world)) for world in range(3)]
    assert found == [Outlook(float(world), 1) for world in range(3)]
    assert taken == [0, 2], "none twice"


class Nobody:
    """Helpers who are never free."""

    def ask(self, question: Question[Any], errand: Errand, *, ahead: bool) -> int | None:
        return None

    def told(self) -> list[tuple[int, Found | None]]:
        return []


def test_all_looks_that_there_are_steps_for_are_planned(monkeypatch: pytest.MonkeyPatch) -> None:
    some = Level(breadth=3, worlds=6, looks=0, answer_looks=15, steps=70)
    monkeypatch.setattr(captain, "LEVELS", dict.fromkeys(LEVELS, some))
    taken = 0
    take = Looking.take

    def counted(self: Looking, *given: Any) -> Outlook | None:
        nonlocal taken
        taken += 1
        return take(self, *given)

    monkeypatch.setattr(Looking, "take", counted)
    thinker = Captain(seconds=None, helpers=Nobody())
    for _, number, _ in questions(SMALL["aslsk"], thinker):
        assert taken == thinker.looks, "no look is taken that was not wanted in the end"
        if number == 4 * FEW:
            break
    assert taken > FEW


def test_the_last_looks_of_a_plan_are_for_who_is_free_first() -> None:
    asked: list[tuple[int, bool]] = []

    class Asked(Nobody):
        def ask(self, question: Question[Any], errand: Errand, *, ahead: bool) -> int | None:
            asked.append((len(errand.looks), ahead))
            return len(asked)

    shared = SharedLooks("captain", None, None, Asked(), Clock(None), dice_seed=0)  # type: ignore[arg-type]
    answer = shared.number(None)
    shared.plan([Wanted(answer, world) for world in range(6)], range(6))
    assert asked == [(2, True), (1, True), (1, True), (1, False), (1, False)]


def test_errands_of_an_earlier_question_are_left_off(monkeypatch: pytest.MonkeyPatch) -> None:
    opened = catalog.open_scenario(SMALL["panzer"])
    ruleset, state = opened.ruleset, start(opened.ruleset, SeededDice("turns"))
    seat = ruleset.decision(state).asked[0]  # type: ignore[union-attr]
    question: Question[Any] = Question(ruleset, ruleset.conceal(state, seat), seat)
    answer = encode(question.options.sample(Random(0)))
    errand = Errand("captain", tuple(Look(answer, world, world) for world in range(3)), 0, None)
    position = PackedStanding(opened.header.system, encode(opened.header.scenario), pack(question.known), question.seat)

    class Turn:
        """It passes when it has been looked at so often."""

        def __init__(self, looks: int) -> None:
            self._left = looks

        @property
        def value(self) -> int:
            self._left -= 1
            return 1 if self._left >= 0 else 2

    def found(*turns: Turn) -> list[bool]:
        monkeypatch.setattr(brain, "_turns", list(turns))
        return [outlook is not None for outlook in brain.look_task(position, errand, 60.0, 1)]

    assert found() == found(Turn(10_000)) == [True, True, True]
    assert found(Turn(0)) == found(Turn(2)) == [False, False, False]
    steps = next(n for n in range(10_000) if found(Turn(n))[0])
    assert found(Turn(steps)) == [True, False, False]


@pytest.mark.parametrize("checks", range(6))
@pytest.mark.parametrize("scenario", SMALL.values(), ids=SMALL)
def test_time_that_runs_out_in_a_look_is_no_fault(scenario: str, checks: int, monkeypatch: pytest.MonkeyPatch) -> None:
    ruleset = catalog.open_scenario(scenario).ruleset
    state = start(ruleset, SeededDice("late"))
    decision = ruleset.decision(state)
    assert decision is not None
    seat, left = decision.asked[0], iter(range(checks))

    def check(_: Clock) -> None:
        if next(left, None) is None:
            raise OutOfTime

    monkeypatch.setattr(Clock, "check", check)
    question: Question[Any] = Question(ruleset, ruleset.conceal(state, seat), seat)
    assert Captain(seconds=None, helpers=Nobody()).choose(question, Random(1)) in question.options
