"""3.2.3 `sandtable odds` on a fire attack: every target by itself, and all together while that can be read."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sandtable.cli import odds as command
from sandtable.cli.main import app

SITUATION = """
system: aslsk3
phase: PFPh
map: {drawing: {shifted: even, cells: ". . .\\n. . .\\n. . ."}}
sides:
- id: german
  units: [{id: a, card: german/4-6-7, at: A1}, {id: l, card: german/9-1, at: A1}]
- id: russian
  units: [{id: r, card: russian/4-4-7, at: C1}, {id: k, card: russian/8-1, at: C1}]
steps:
- {seat: german, action: {type: Fire, units: [a], weapons: [], target: C1, leaders: [l]}}
"""


@pytest.mark.rules("3.2.3", system="aslsk3")
def test_3_2_3_odds_of_every_target(tmp_path: Path) -> None:
    path = tmp_path / "fire.yaml"
    path.write_text(SITUATION, encoding="utf-8")
    done = CliRunner().invoke(app, ["odds", str(path), "--json"])
    assert done.exit_code == 0, done.stderr
    found = json.loads(done.stdout)
    assert sum(one["probability"] for one in found["outcomes"]) == pytest.approx(1)
    assert set(found["targets"]) == {"r", "k"}
    for name, chances in found["targets"].items():
        assert sum(one["probability"] for one in chances) == pytest.approx(1)
        pinned = next(one["probability"] for one in chances if one["what"] == "pinned")
        together = [one["probability"] for one in found["outcomes"] if f"{name} pinned" in one["what"].split(", ")]
        assert sum(together) == pytest.approx(pinned)
    shown = CliRunner().invoke(app, ["odds", str(path)]).stdout
    assert "what becomes of it" in shown


def test_where_all_together_is_too_much_each_target_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "MOST_TOGETHER", 10)
    path = tmp_path / "fire.yaml"
    path.write_text(SITUATION, encoding="utf-8")
    done = CliRunner().invoke(app, ["odds", str(path), "--json"])
    assert done.exit_code == 0
    found = json.loads(done.stdout)
    assert found["outcomes"] == []
    assert set(found["targets"]) == {"r", "k"}
    assert "too many outcomes" in done.stderr
