"""Every worked example of chapters 4 to 10, as a situation file."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandtable.core.content.rule import read_rule_index
from sandtable.core.content.yaml_text import parse_yaml
from sandtable.core.situation import read_situation_head, run
from sandtable.systems.panzer.mini.system import PANZER_MINIATURES
from tests.panzer.mini.desk import LIBRARY

ROOT = Path(__file__).parents[3]
FILES = sorted((ROOT / "tests" / "rulebook" / "panzer-mini").glob("*.yaml"))
NUMBERS = {entry.number for entry in read_rule_index(*LIBRARY.file("rules.yaml")).rules}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_situation(path: Path) -> None:
    draft = parse_yaml(path.read_bytes(), path.name)
    head = read_situation_head(draft, path.name)
    assert path.name.split("-", 1)[0] in head.rules
    assert set(head.rules) <= NUMBERS
    results, _ = run(PANZER_MINIATURES, PANZER_MINIATURES.position(draft, LIBRARY, path.name), head, path.name)
    assert not [f"step {index}: {fault}" for index, result in enumerate(results) for fault in result.faults]
    assert any(step.expect for step in head.steps)
    if head.ruling:
        page, _, anchor = head.ruling.partition(" ")[0].partition("#")
        text = (ROOT / page).read_text(encoding="utf-8")
        assert f"## {anchor}" in text.lower().replace(" ", "-").replace("##-", "## ")
