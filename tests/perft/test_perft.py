"""Perft: the number of ways in which small positions can go on, as the files of this folder have it."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from sandtable import catalog
from sandtable.core.dice import ScriptedDice
from sandtable.sim.perft import divide, perft

HERE = Path(__file__).parent
LISTED = 1000


class Line(NamedTuple):
    """A position and its counts."""

    id: str
    file: Path
    counts: tuple[int, ...]


def lines() -> Iterator[Line]:
    for path in sorted(HERE.glob("*.perft")):
        for text in path.read_text(encoding="utf-8").splitlines():
            if text.strip() and not text.startswith("#"):
                name, file, *counts = text.split()
                yield Line(name, HERE / file, tuple(map(int, counts)))


LINES = list(lines())


def position(file: Path) -> tuple[Any, Any]:
    """The rules and the state of a situation file, or of a scenario at its first question."""
    text = catalog.read_text(file)
    if "\nsteps:" in text:
        opened = catalog.open_situation(text, file.name)
        return opened.position.ruleset, opened.position.state
    ruleset = catalog.open_scenario(str(file)).ruleset
    return ruleset, ruleset.begin(ruleset.setup(), ScriptedDice(())).state


def test_there_are_positions_of_every_book() -> None:
    assert len(LINES) >= 6
    assert {line.id.partition("-")[0] for line in LINES} == {"na", "mbt", "sk", "goss", "pm"}


@pytest.mark.parametrize("line", LINES, ids=lambda line: line.id)
def test_the_number_of_ways_on(line: Line) -> None:
    ruleset, state = position(line.file)
    assert tuple(perft(ruleset, state, depth) for depth in range(1, len(line.counts) + 1)) == line.counts


@pytest.mark.parametrize("line", LINES, ids=lambda line: line.id)
def test_the_ways_counted_are_those_that_are_listed(line: Line) -> None:
    ruleset, state = position(line.file)
    decision = ruleset.decision(state)
    assert decision is not None
    seat = decision.asked[0]
    listed = list(islice(decision.options(seat), LISTED))
    assert len(listed) == line.counts[0]
    assert len(set(map(repr, listed))) == len(listed)
    assert all(ruleset.refusal(state, seat, action) is None for action in listed)
    assert [action for action, _ in divide(ruleset, state, 1)] == listed
