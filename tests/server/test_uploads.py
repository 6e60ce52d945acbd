"""Files that people open on the server: every example of the rulebooks, and what no server should suffer from."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.rulebook.test_situations import FILES
from tests.server.players import Server, Visitor, serving


@pytest.fixture(scope="module")
def shipped() -> Iterator[Server]:
    with serving() as running:
        yield running


def opened(visitor: Visitor, text: str) -> Any:
    return visitor.post("/api/open", {"name": "file.yaml", "text": text})


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_situation_of_the_rulebooks_opens(shipped: Server, path: Path) -> None:
    ann = shipped.visitor()
    made = opened(ann, path.read_text(encoding="utf-8"))
    assert made.status_code == 201, made.text
    table = made.json()["id"]
    info = ann.get(f"/api/tables/{table}")
    assert info.status_code == 200, info.text
    last = ann.get(f"/api/tables/{table}/replay/{info.json()['last']}")
    assert last.status_code == 200, last.text


MAP = "system: panzer-na\nsides: [{id: a, title: A, units: []}, {id: b, title: B, units: []}]\nmap:\n  drawing:\n"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("{a: " * 40_000, "nested deeper"),
        ("[" * 5_000, "nested deeper"),
        (MAP + "    cells: |\n" + ("      " + ". " * 400 + "\n") * 300, "120000 hexes"),
        (MAP + "    cells: |\n      .\n    first: " + "A" * 200_000 + "1", "a label such as K12"),
        (MAP + "    cells: |\n      .\nsteps: [" + "{ask: {roll: [1, 1]}}," * 300 + "]", "300 steps"),
        (
            "system: panzer-na\nmap: {drawing: {cells: .}}\nsides: [{id: a, title: A, units: ["
            + "{id: x, card: y, at: A1, facing: N}," * 1_100
            + "]}, {id: b, title: B, units: []}]",
            "1100 units",
        ),
    ],
    ids=["braces", "brackets", "hexes", "label", "steps", "units"],
)
def test_what_no_honest_file_has_is_a_fault(shipped: Server, text: str, fault: str) -> None:
    answer = opened(shipped.visitor(), text)
    assert answer.status_code == 400
    assert fault in answer.text
