"""Questions of situation files with other words in them: each is answered, or is a fault that names its field."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from sandtable import catalog
from sandtable.core.errors import BadInput
from tests.whole import share

FILES = sorted((Path(__file__).parent.parent / "rulebook").glob("*/*.yaml"))
ROUNDS = share(2, whole=20)
WORDS = ("nope", "", "99", "A1:N", "12,30")
NUMBERS = (-1, 0, 99, 10**6)


def other(value: Any, rng: Random) -> Any:
    """A value with some of its words and numbers changed."""
    match value:
        case str():
            return rng.choice(WORDS)
        case bool():
            return value
        case int():
            return rng.choice(NUMBERS)
        case dict():
            return {key: other(part, rng) if rng.random() < 0.6 else part for key, part in value.items()}
        case list():
            return [other(part, rng) if rng.random() < 0.6 else part for part in value]
        case _:
            return value


@pytest.mark.parametrize("book", sorted({path.parent.name for path in FILES}))
def test_a_question_about_what_there_is_not_is_bad_input(book: str) -> None:
    rng = Random(book)
    faults = []
    for path in FILES:
        if path.parent.name != book:
            continue
        opened = catalog.open_situation(path.read_text(encoding="utf-8"), path.name)
        for ask in [step.ask for step in opened.head.steps if step.ask]:
            for _ in range(ROUNDS):
                changed = {key: other(about, rng) for key, about in ask.items()}
                try:
                    opened.system.answer(opened.position, changed, path.name)
                except BadInput as bad:
                    faults += [(path.name, fault.where) for fault in bad.faults]
    assert faults
    assert all(where.startswith(f"{name}: ask.") for name, where in faults)
