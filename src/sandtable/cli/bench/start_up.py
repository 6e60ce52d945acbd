"""``sandtable --help`` beside ``python -c "import typer"``: what a person waits for before anything happens.

The ratio is the anchor's time over ours: three times as long as Typer alone is the floor of a third.
"""

from __future__ import annotations

import subprocess
import sys

from sandtable.cli.bench.measure import Budget, best_of_each, times

__all__ = ["measure"]

RUNS = 7


def measure() -> list[Budget]:
    """Two processes, start to end."""
    run_app = "import sys; sys.argv = ['sandtable', '--help']; from sandtable.cli.main import app; app()"
    ours, anchor = best_of_each(RUNS, lambda: _run(run_app), lambda: _run("import typer"))
    note = 'seconds for `sandtable --help`; for `python -c "import typer"`'
    return [times("start", ours, anchor, floor=1 / 3, goal=1 / 1.5, note=note)]


def _run(code: str) -> None:
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)  # noqa: S603 - our own code
