"""The pages about playing and situations say what is so."""

import re
from pathlib import Path

import pytest

from tests.architecture.checkout import ROOT
from tests.cli.running import run, run_json, written

SITUATIONS = (ROOT / "docs" / "situations.md").read_text(encoding="utf-8")
PLAY = (ROOT / "docs" / "play.md").read_text(encoding="utf-8")


def example() -> str:
    return SITUATIONS.split("```yaml\n")[1].split("```")[0]


def test_the_example_resolves_as_it_says(tmp_path: Path) -> None:
    path = written(tmp_path, "example.yaml", example())
    assert "range: 6" in run("resolve", path).stdout
    chances = {chance["what"]: chance["probability"] for chance in run_json("odds", path)["outcomes"]}
    assert chances == {"no effect": pytest.approx(11 / 20), "B1 damaged": pytest.approx(9 / 20)}


def test_the_breakdown_shown_is_the_real_one(tmp_path: Path) -> None:
    path = written(tmp_path, "example.yaml", example())
    line = next(line.strip() for line in PLAY.splitlines() if "AP Hit Number 45" in line)
    assert line in run("resolve", path).stdout


def test_every_question_is_named() -> None:
    from sandtable.systems.panzer.hex.questions import _QUESTIONS

    missing = [name for name in _QUESTIONS if f"`{name}`" not in SITUATIONS]
    assert not missing


def test_every_option_of_play_is_named() -> None:
    options = set(re.findall(r"--[a-z]+", run("play", "--help").stdout)) - {"--help"}
    assert not [option for option in options if option not in PLAY]


def test_every_word_of_the_terminal_is_named() -> None:
    from sandtable.cli.terminal.session import HELP

    words = [line.split()[0].rstrip(",") for line in HELP.splitlines() if line.startswith("  ")]
    assert not [word for word in words if f"`{word}" not in PLAY]


def test_the_example_of_a_pack_is_whole_and_played() -> None:
    folder = ROOT / "docs" / "examples" / "my-desert"
    page = (ROOT / "docs" / "write-a-pack.md").read_text(encoding="utf-8")
    assert "no faults" in run("pack", "check", str(folder)).stderr
    shown = page.split("```yaml\n")[1].split("```")[0]
    assert shown.split("cells:")[1] in (folder / "tables" / "ap_damage.yaml").read_text(encoding="utf-8")
    played = run_json("sim", "my-duel", "--pack", str(folder), "--games", "4", "--bots", "greedy", "--jobs", "1")
    assert played["balance"]["games"] == 4
    assert {side["points"] for side in played["balance"]["sides"]} != {0.0}
