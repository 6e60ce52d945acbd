"""Memory of a process that plays game after game: after many games beside after few.

Flat is 1: tables that a scenario fills once are full after the first games, and nothing else may stay. How it is after
10,000 games, ``python -m tests.load.memory`` tells.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from sandtable.cli.bench.measure import Budget, Missing, times
from sandtable.cli.bench.scenes import first_scenario

__all__ = ["measure", "resident", "told_apart", "watch"]

FEW, MANY = 200, 2000
_STATUS = Path("/proc/self/status")


def measure() -> list[Budget]:
    """Megabytes after few games and after many, in a process of its own."""
    few, many = told_apart(f"from {__name__} import watch; watch()")
    note = f"MB after {MANY:,} random games; after {FEW:,}"
    return [times("memory of a long batch", many, few, floor=0.95, goal=0.97, note=note)]


def watch() -> None:
    """Play, and print the memory after few games and after many."""
    from sandtable.sim.match import play_game
    from sandtable.sim.setting import read_setting

    setting = read_setting(first_scenario(), ("random",))
    for game in range(1, MANY + 1):
        play_game(setting, 0, game)
        if game in (FEW, MANY):
            print(resident())


def told_apart(code: str) -> list[float]:
    """The numbers that a process of its own prints, whose memory nothing else has filled."""
    if not _STATUS.exists():
        raise Missing("this system does not tell how much memory a process has")
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout  # noqa: S603
    return [float(word) for word in told.split()]


def resident() -> float:
    """Megabytes that this process has."""
    return int(_STATUS.read_text(encoding="ascii").split("VmRSS:")[1].split()[0]) / 1024
