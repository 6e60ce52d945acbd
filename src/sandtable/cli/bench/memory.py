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

__all__ = ["measure", "watch"]

FEW, MANY = 200, 2000


def measure() -> list[Budget]:
    """Megabytes after few games and after many, in a process of its own."""
    if not Path("/proc/self/status").exists():
        raise Missing("this system does not tell how much memory a process has")
    code = f"from {__name__} import watch; watch()"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout  # noqa: S603
    few, many = (float(word) for word in told.split())
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
            status = Path("/proc/self/status").read_text(encoding="ascii")
            print(int(status.split("VmRSS:")[1].split()[0]) / 1024)
