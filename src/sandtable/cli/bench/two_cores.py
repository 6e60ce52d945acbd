"""``sandtable sim`` on two cores, beside the same on one.

Both play the same games between greedy bots. The time runs from the first game that is done to the last, so that what
starting the processes takes, a second or two once in a run, is left out.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from time import perf_counter

from sandtable.cli.bench.measure import Budget, Missing, rates
from sandtable.cli.bench.scenes import first_scenario
from sandtable.sim.batch import Task, Team, on_cores
from sandtable.sim.setting import Setting, read_setting

__all__ = ["measure"]

WARM_UP, GAMES, ROUNDS = 8, 80, 3


def measure() -> list[Budget]:
    """Games a second."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if cores < 2:
        raise Missing("there is one core only")
    setting = read_setting(first_scenario(), ("greedy",))
    seen: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(ROUNDS):
        for jobs, found in seen.items():
            with on_cores(jobs) as team:
                found.append(_rate(setting, team))
    one, two = max(seen[1]), max(seen[2])
    return [rates("sim on two cores", two, one, floor=1.7, goal=1.9, note="games a second; the same on one core")]


def _rate(setting: Setting, team: Team) -> float:
    def tasks() -> Iterator[Task]:
        yield from (Task(setting, 0, number) for number in range(WARM_UP + GAMES))

    begun = 0.0
    for done, _ in enumerate(team(tasks()), start=1):
        if done == WARM_UP:
            begun = perf_counter()
    return GAMES / (perf_counter() - begun)
