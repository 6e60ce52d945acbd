"""ASL: `sandtable los BOARD --pairs FILE --json` on every pair of a board: the whole command, and its answers alone.

The command is measured from its start; libraries of the command line take a quarter of its time. Its answers
alone are worked out from labels on a board of which nothing is known yet. The anchor is a constant: VASL's own engine
answers up to 7,000 pairs a second on one core of the machine that the budget was agreed on.
"""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from itertools import combinations
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import process_time

from sandtable import catalog
from sandtable.cli.bench.measure import Budget, rates
from sandtable.geo.boards import Boards
from sandtable.geo.line import relative
from sandtable.geo.map import GameMap
from sandtable.systems.aslsk.terrain.line_path import line_path

__all__ = ["measure"]

BOARD = "t"
VASL = 7_000
RUNS = 3


def measure() -> list[Budget]:
    """All pairs of hexes of a board in any order."""
    board = GameMap.of_board(Boards(catalog.library("aslsk3"))[BOARD])
    pairs = list(combinations(sorted(map(board.label, board.hexes)), 2))
    Random("pairs").shuffle(pairs)
    with TemporaryDirectory() as folder:
        path = Path(folder, "pairs.txt")
        path.write_text("".join(f"{a} {b}\n" for a, b in pairs), encoding="utf-8")
        words = ["los", BOARD, "--system", "aslsk3", "--pairs", str(path), "--json"]
        # The first run compiles the modules.
        seconds = min(_run(words, str(Path(folder, "compiled"))) for _ in range(RUNS + 1))
    whole = f"pairs a second of {len(pairs):,}, start of the command included; VASL's engine"
    alone = f"pairs a second of {len(pairs):,}, nothing known before; VASL's engine"
    answered = len(pairs) / min(_answer(pairs) for _ in range(RUNS))
    return [
        rates("sight, pairs", len(pairs) / seconds, VASL, floor=30_000 / VASL, goal=10, note=whole),
        rates("sight, pairs answered", answered, VASL, floor=45_000 / VASL, goal=10, note=alone),
    ]


def _answer(pairs: list[tuple[str, str]]) -> float:
    """Answer the pairs on a new ground; the time of the processor."""
    relative.cache_clear()
    line_path.cache_clear()
    reader = catalog.system("aslsk3").sight(BOARD, catalog.library("aslsk3"))
    gc.disable()
    begun = process_time()
    reader.many(pairs)  # type: ignore[attr-defined]
    seconds = process_time() - begun
    gc.enable()
    return seconds


def _run(words: list[str], compiled: str) -> float:
    """Run a command; its time of the processor, so that others who use the machine do not count.

    Modules are compiled as they are where a package is installed, whatever the environment says.
    """
    code = f"import sys; sys.argv = ['sandtable', *{words!r}]; from sandtable.cli.main import app; app()"
    around = {**os.environ, "PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": compiled}
    before = os.times()
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, env=around)  # noqa: S603 - our own
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system
