"""A log opened for review, and the work to be done on it piece by piece: by this process or by several.

There are two kinds of work: what the dice of an exchange did against their expectation (:mod:`sandtable.sim.luck`), and
games that bots play on from a state of the log. Both look at the whole state, with nothing concealed but from the bots:
a review is for when the game is over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

from sandtable import catalog
from sandtable.bots import ask, make_bot
from sandtable.bots.doctrine import doctrine_of
from sandtable.bots.style import CHARACTERS, Character
from sandtable.core.content.pack import Pack
from sandtable.core.decision import Seat
from sandtable.core.dice import SeededDice
from sandtable.core.errors import BadInput, Fault
from sandtable.core.log import Entry, Header, LoadedLog, TakeBack
from sandtable.core.opening import first_state
from sandtable.core.replay import look_through, replay
from sandtable.core.ruleset import Ruleset
from sandtable.sim.luck import EntryLuck, Exchange, exchanges, luck_of
from sandtable.sim.match import turn_of
from sandtable.sim.playout import play_out
from sandtable.sim.workers import new_pool

__all__ = ["Case", "LuckTask", "PlayTask", "Played", "open_case", "worked"]

AnyRuleset = Ruleset[Any, Any, Any]


class Played(NamedTuple):
    """How games went that were played on from one state."""

    games: int
    points: float
    """Of the first seat: 1 for a win, 1/2 for a draw."""
    lead: float
    """Sum of its leads at the end."""


class LuckTask(NamedTuple):
    """An exchange to be weighed."""

    place: int


class PlayTask(NamedTuple):
    """Games to be played on from the state after an entry."""

    seq: int
    bot: str
    seed: int
    first: int
    games: int


Task = LuckTask | PlayTask
Result = EntryLuck | Played


class Case:
    """A game that was played, for its review: its log and the state after every entry."""

    def __init__(self, ruleset: AnyRuleset, log: LoadedLog[Any, Any], warnings: Sequence[str]) -> None:
        self.ruleset = ruleset
        self.header: Header = log.header
        self.warnings = tuple(warnings)
        self.states = replay(ruleset, log)
        look_through(ruleset, log, self.states)
        standing = list(_standing(log))
        self.exchanges: list[Exchange] = list(
            exchanges(ruleset, first_state(ruleset, log.header), standing, self.states)
        )
        self.samples = list(self._samples([entry.seq for entry in standing]))
        """Where the curve is measured: sequence number and turn."""

    def _samples(self, standing: Sequence[int]) -> Iterator[tuple[int, int]]:
        """The first entry of every turn, and of every player's part of it where a track tells that; and the last."""
        seen: tuple[int, ...] | None = None
        last = None
        for seq in standing:
            view = self.ruleset.view(self.states[seq], None)
            last = seq, turn_of(view)
            # The last track is the finest: the sequence of play within what the others count.
            moment = tuple(track.at for track in view.tracks[: max(1, len(view.tracks) - 1)])
            if moment != seen:
                seen = moment
                yield last
                last = None
        if last is not None:
            yield last

    def is_over(self, seq: int) -> bool:
        """Whether the game has ended with this entry."""
        return self.ruleset.outcome(self.states[seq]) is not None

    def do(self, task: Task) -> Result:
        """Do a piece of the work."""
        return self._luck(task) if isinstance(task, LuckTask) else self._play_on(task)

    def _luck(self, task: LuckTask) -> EntryLuck:
        doctrine = doctrine_of(self.ruleset)
        style = CHARACTERS[Character.STEADY]
        first = self.ruleset.seats[0]
        exchange = self.exchanges[task.place]
        turn = turn_of(self.ruleset.view(exchange.before, None))
        return luck_of(self.ruleset, exchange, lambda state: doctrine.worth(state, first, style), turn)

    def _play_on(self, task: PlayTask) -> Played:
        first = self.ruleset.seats[0]
        points = lead = 0.0
        for game in range(task.first, task.first + task.games):
            winner, margin = self._one_game(self.states[task.seq], task.bot, f"{task.seed}/{game}")
            points += 0.5 if not winner else float(winner == first)
            lead += margin
        return Played(task.games, points, lead)

    def _one_game(self, state: Any, name: str, seed: str) -> tuple[str, int]:
        ruleset = self.ruleset
        bots = {seat: make_bot(name, None) for seat in ruleset.seats}
        chance = {seat: Random(f"{seed}/{seat}") for seat in ruleset.seats}

        def choose(now: Any, decision: Any, seat: Seat, rng: Random) -> Any:  # noqa: ARG001
            return ask(bots[seat], ruleset, now, seat, chance[seat])

        end = play_out(ruleset, state, SeededDice(f"{seed}/dice"), Random(seed), choose=choose)
        assert end.outcome is not None  # noqa: S101 - played without a limit
        scores = [end.outcome.scores.get(seat, 0) for seat in ruleset.seats]
        return end.outcome.winner, scores[0] - scores[1] if len(scores) > 1 else 0


def _standing(log: LoadedLog[Any, Any]) -> Iterator[Entry[Any, Any]]:
    """The entries that were not taken back."""
    kept: list[Entry[Any, Any]] = []
    for line in log.lines:
        if isinstance(line, TakeBack):
            kept = [entry for entry in kept if entry.seq <= line.to]
        else:
            kept.append(line)
    yield from kept


def open_case(text: str, where: str, extra: Sequence[Pack] = ()) -> Case:
    """Open a log; raise :class:`BadInput` if it cannot be read or has nothing in it."""
    found = catalog.open_log(text, where, extra)
    if not found.log.lines:
        raise BadInput([Fault(where, "it has no entries", "a game with at least one")])
    return Case(found.ruleset, found.log, found.warnings)


def worked(
    case: Case, tasks: Sequence[Task], jobs: int, reopen: Callable[[], tuple[str, str, Sequence[Pack]]]
) -> Iterator[Result]:
    """The results of the tasks in their order; with several jobs each process opens the log for itself."""
    if jobs <= 1:
        yield from map(case.do, tasks)
        return
    with new_pool(jobs, _begin, *reopen()) as pool:
        yield from pool.map(_do, tasks)


_opened: list[Case] = []
"""The case of a worker process."""


def _begin(text: str, where: str, extra: Sequence[Pack]) -> None:
    _opened[:] = [open_case(text, where, extra)]


def _do(task: Task) -> Result:
    return _opened[0].do(task)
