"""Many games at once: over processes, over a cluster, and going on where a run was broken off.

Every game is a function of its setting, the seed and its number, so it does not matter who plays it or in which
order. Whether a batch is clear enough to stop is judged on the games in the order of their numbers, and games beyond
that are not used: the answer is the same on one core and on a hundred.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import NamedTuple, Protocol

from sandtable.core.errors import RulesBug
from sandtable.sim.match import Record, play_game
from sandtable.sim.setting import Setting
from sandtable.sim.workers import new_pool

__all__ = ["Task", "Team", "Verdict", "in_order", "on_cores", "one_by_one", "play_batch"]

LIVES = 5
"""How often a game may be under way while a worker dies, before it is taken for the cause."""


class Task(NamedTuple):
    """A game to be played."""

    setting: Setting
    seed: int
    game: int


class Team(Protocol):
    """Plays games, in whatever order."""

    def __call__(self, tasks: Iterator[Task]) -> Iterator[tuple[Task, Record]]:
        """The tasks with their records, as they are done; tasks are taken as they are needed."""
        ...


class Verdict(Protocol):
    """Judges whether enough games were played."""

    def __call__(self, records: Sequence[Record]) -> bool:
        """Whether the answer is clear after these games."""
        ...


def play_task(task: Task) -> Record:
    """Play a game; a function of the module, so that other processes can run it."""
    return play_game(task.setting, task.seed, task.game)


def one_by_one(tasks: Iterator[Task]) -> Iterator[tuple[Task, Record]]:
    """A team of one."""
    for task in tasks:
        yield task, play_task(task)


@contextmanager
def on_cores(jobs: int) -> Iterator[Team]:
    """A team of processes, gone in the end. A process that dies is replaced, and its games are played again."""
    if jobs <= 1:
        yield one_by_one
        return
    crew = _Crew(jobs)
    try:
        yield crew
    except BaseException:
        # Whoever breaks off hears why at once, and not after the games that are under way.
        crew.dismiss(wait=False)
        raise
    crew.dismiss(wait=True)


class _Crew:
    """Processes with a few games in hand each; they stay for the next batch."""

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._pool = new_pool(jobs)
        self._under_way: dict[Future[Record], Task] = {}
        self._lost: Counter[Task] = Counter()

    def __call__(self, tasks: Iterator[Task]) -> Iterator[tuple[Task, Record]]:
        """Play games; when nobody wants more of them, those that were not begun are dropped."""
        try:
            while True:
                for task in tasks:
                    self._submit(task)
                    if len(self._under_way) >= 2 * self._jobs:
                        break
                if not self._under_way:
                    return
                done, _ = wait(self._under_way, return_when=FIRST_COMPLETED)
                yield from self._collect(done)
        finally:
            for future in self._under_way:
                future.cancel()
            self._under_way.clear()

    def dismiss(self, *, wait: bool) -> None:
        """Let the processes go; a pool that is just dropped may be taken apart while the program ends."""
        self._pool.shutdown(wait=wait, cancel_futures=True)

    def _submit(self, task: Task) -> None:
        try:
            self._under_way[self._pool.submit(play_task, task)] = task
        except BrokenProcessPool:
            self._begin_anew([task])

    def _collect(self, done: set[Future[Record]]) -> Iterator[tuple[Task, Record]]:
        finished: list[tuple[Task, Record]] = []
        lost: list[Task] = []
        for future in done:
            task = self._under_way.pop(future)
            try:
                finished.append((task, future.result()))
            except BrokenProcessPool:
                lost.append(task)
        if lost:
            self._begin_anew(lost)
        yield from finished

    def _begin_anew(self, lost: list[Task]) -> None:
        """A worker has died and taken the pool with it: all that was under way is played again."""
        again = [*lost, *self._under_way.values()]
        self._lost.update(again)
        if fatal := [task.game for task in again if self._lost[task] > LIVES]:
            games = ", ".join(map(str, sorted(fatal)))
            raise RulesBug(f"workers keep dying while they play game {games} of the batch")
        self._under_way.clear()
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._pool = new_pool(self._jobs)
        for task in again:
            self._submit(task)


def in_order(results: Iterator[tuple[int, Record]], first: int = 0) -> Iterator[Record]:
    """Records in the order of their numbers, each as soon as all before it are there."""
    waiting: dict[int, Record] = {}
    due = first
    for number, record in results:
        waiting[number] = record
        while due in waiting:
            yield waiting.pop(due)
            due += 1


def play_batch(
    setting: Setting,
    seed: int,
    games: int,
    team: Team = one_by_one,
    *,
    known: dict[int, Record] | None = None,
    keep: Callable[[Record], None] | None = None,
    is_clear: Verdict | None = None,
    tell: Callable[[int, int], None] | None = None,
) -> list[Record]:
    """The records of a batch in order, up to where it was clear.

    ``known`` are records of an earlier run; ``keep`` is given every new one in the order of their numbers, so that what
    is kept does not depend on who was first; ``tell`` is given the progress.
    """
    known = known or {}
    stopped = False
    records: list[Record] = []

    def missing() -> Iterator[Task]:
        for number in range(games):
            if stopped:
                return
            if number not in known:
                yield Task(setting, seed, number)

    def results() -> Iterator[tuple[int, Record]]:
        yield from ((number, record) for number, record in sorted(known.items()) if number < games)
        for task, record in team(missing()):
            yield task.game, record

    for record in in_order(results()):
        records.append(record)
        if keep is not None and record.game not in known:
            keep(record)
        if tell is not None:
            tell(len(records), games)
        if is_clear is not None and is_clear(records):
            stopped = True
            break
    return records
