"""What happens in a worker: a bot is given a question and answers it, within its time.

A worker is sent names and plain data, never a state that its seat may not know: the scenario to bind, the concealed
state, the seat, the bot and the seed of its stream. The same seed thinks the same thoughts again, which is how a bot's
answer is explained afterwards. A captain asks other workers to take looks for him; they are sent the same.
"""

from __future__ import annotations

import gc
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple, Protocol

from sandtable import catalog
from sandtable.bots import Judgement, Question, make_bot
from sandtable.bots.captain import Captain
from sandtable.bots.looking import Errand, Found, Helpers
from sandtable.core.codec import decode, encode
from sandtable.core.content.pack import Pack
from sandtable.core.decision import Seat
from sandtable.core.errors import RulesBug
from sandtable.core.ruleset import Ruleset
from sandtable.session.presenting.advice import Advice, advice_of
from sandtable.session.thinking.worker import Colleagues

__all__ = [
    "Mind",
    "PackedStanding",
    "Task",
    "TookTooLong",
    "advise_task",
    "choose_task",
    "look_task",
    "prepare_worker",
    "think_undisturbed",
]

AnyRuleset = Ruleset[Any, Any, Any]
_BOUND = 4
"""Scenarios that a worker keeps bound, with their tables of sight and movement."""
_COLLECTION = 100_000, 20, 100
"""When the collector looks for what refers back to itself: positions and looks do not, so there is little to find."""
_packs: list[Pack] = []


class _Turn(Protocol):
    """Which question looks are wanted for now, as another process says."""

    @property
    def value(self) -> int:
        """Its number."""
        ...


_turns: list[_Turn] = []
"""That of the captains whom this process helps, if there is one."""


class TookTooLong(Exception):
    """A bot did not come to an answer in its time."""


class Mind(NamedTuple):
    """Who thinks: the bot, the seat that it thinks for and the seed of its stream of chance."""

    bot: str
    seat: str
    seed: int


class PackedStanding(NamedTuple):
    """Where a question is asked, packed for another process."""

    system: str
    scenario: bytes
    """The scenario's draft as JSON."""
    known: bytes
    """The concealed state as JSON, in its own order."""
    seat: str


class Task(NamedTuple):
    """A question on its way to another process."""

    position: PackedStanding
    mind: Mind
    patience: float
    """Seconds."""


def prepare_worker(packs: Sequence[tuple[str, dict[str, bytes]]], turn: _Turn | None = None) -> None:
    """Make a process ready: it has the packs, and thinks undisturbed; it may see whose turn it is."""
    _packs[:] = [Pack(files, where) for where, files in packs]
    _turns[:] = [turn] if turn is not None else []
    think_undisturbed()


def think_undisturbed() -> None:
    """Let the collector of this process come by seldom: it takes a tenth of a look's time and finds next to nothing.

    This is for whoever runs a process in which bots think; no bot has the collector in its own reach.
    """
    gc.freeze()
    gc.set_threshold(*_COLLECTION)


@lru_cache(maxsize=_BOUND)
def _bound(system: str, scenario: bytes) -> AnyRuleset:
    library = catalog.library(system, _packs)
    return catalog.rules_of(catalog.system(system), decode(scenario, dict[str, Any]), library, "scenario")


@lru_cache(maxsize=_BOUND)
def _question(position: PackedStanding) -> Question[Any]:
    """The question: kept, since several looks are taken from one."""
    ruleset = _bound(position.system, position.scenario)
    return Question(ruleset, decode(position.known, ruleset.state_type), Seat(position.seat))


class _Crew:
    """Other workers, as a captain asks them for looks at the question of a task."""

    def __init__(self, task: Task, colleagues: Colleagues) -> None:
        self._task = task
        self._colleagues = colleagues

    def ask(
        self,
        question: Question[Any],  # noqa: ARG002 - it is the task's
        errand: Errand,
        *,
        ahead: bool,  # noqa: ARG002 - nobody here is given anything ahead
    ) -> int | None:
        return self._colleagues.ask(look_task, self._task.position, errand, self._task.patience)

    def told(self) -> Sequence[tuple[int, Found | None]]:
        return self._colleagues.told()


@contextmanager
def _in_time(seconds: float) -> Iterator[None]:
    """Raise :class:`TookTooLong` when the time is up, where the machine can interrupt a process that works."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def ring(*_: object) -> None:
        raise TookTooLong

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _crew(task: Task, colleagues: Colleagues | None) -> _Crew | None:
    return _Crew(task, colleagues) if colleagues is not None else None


def choose_task(task: Task, colleagues: Colleagues | None = None) -> bytes:
    """The answer to a task, as JSON."""
    question = _question(task.position)
    with _in_time(task.patience):
        return encode(choose(question, task.mind, _crew(task, colleagues)))


def advise_task(task: Task, colleagues: Colleagues | None = None) -> Advice:
    """The answer to a task and the reasons for it."""
    question = _question(task.position)
    with _in_time(task.patience):
        return advise(question, task.mind, _crew(task, colleagues))


def look_task(position: PackedStanding, errand: Errand, patience: float, turn: int | None = None) -> Found:
    """What comes of looks that a captain wants to be taken, as long as it is the turn of his question."""

    def is_wanted() -> bool:
        return turn is None or all(now.value == turn for now in _turns)

    if not is_wanted():
        return (None,) * len(errand.looks)
    question = _question(position)
    captain = make_bot(errand.bot)
    assert isinstance(captain, Captain)  # noqa: S101 - nobody else looks ahead
    with _in_time(patience):
        return captain.look(question, errand, is_wanted)


def choose(question: Question[Any], mind: Mind, helpers: Helpers | None = None) -> Any:
    """The bot's answer; raise :class:`RulesBug` if it is none."""
    return _consider(question, mind, helpers).action


def advise(question: Question[Any], mind: Mind, helpers: Helpers | None = None) -> Advice:
    """The bot's answer with its reasons, out of one thinking."""
    judgement = _consider(question, mind, helpers)
    return advice_of(question, judgement.explanation, judgement.action)


def _consider(question: Question[Any], mind: Mind, helpers: Helpers | None) -> Judgement[Any]:
    judgement = make_bot(mind.bot, helpers=helpers).consider(question, Random(mind.seed))
    if judgement.action not in question.options:
        raise RulesBug(f"{mind.bot} answered {judgement.action!r}, which is not possible")
    return judgement
