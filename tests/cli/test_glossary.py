"""``sandtable glossary``, ``?TERM`` in the terminal, and the page of the documentation."""

from pathlib import Path

from sandtable.cli.glossary import glossary_page
from tests.cli.running import run, run_json
from tests.cli.test_play import play

ROOT = Path(__file__).parents[2]


def test_a_system_has_its_glossary() -> None:
    found = run_json("glossary", "aslsk3")
    assert {tuple(entry) for entry in found} == {("term", "meaning", "rule")}
    assert "IFT" in {entry["term"] for entry in found}


def test_one_term() -> None:
    text = " ".join(run("glossary", "aslsk3", "drm").stdout.split())
    assert "roll of one die" in text
    assert "two dice" not in text
    assert "perhaps" in run("glossary", "aslsk3", "DRMM", code=2).stderr
    assert "one of" in run("glossary", code=2).stderr


def test_the_page_of_the_documentation_is_current() -> None:
    assert (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8") == glossary_page()


def test_the_terminal_answers_a_question_about_a_word() -> None:
    text = " ".join(play("na-a-patrol-at-tamrad", script=["?ow", "?4.1.2", "?nonsense", "?9.9", "quit"]).split())
    assert "OW: Overwatch" in text
    assert "4.1.2 Spotting Orientation" in text
    assert "Vehicles look all around" in text
    assert "no term 'nonsense'" in text
    assert "no rule '9.9'" in text
