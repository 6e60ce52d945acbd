"""Every worked example of the rulebooks, as a situation file."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandtable import catalog
from sandtable.core.situation import run

HERE = Path(__file__).parent
FILES = sorted(HERE.glob("*/*.yaml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_situation(path: Path) -> None:
    where = f"{path.parent.name}/{path.name}"
    opened = catalog.open_situation(path.read_text(), where)
    assert opened.head.system == path.parent.name
    assert opened.head.rules, "a situation names the rules that it shows"
    results, _ = run(opened.system, opened.position, opened.head, where)
    faults = [f"step {index}: {fault}" for index, result in enumerate(results) for fault in result.faults]
    assert not faults, "\n".join(faults)
    assert any(step.expect for step in opened.head.steps), "a situation expects something"
