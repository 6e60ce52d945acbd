"""Every worked example of the rulebooks, as a situation file."""

import re
from pathlib import Path

import pytest

from sandtable import catalog
from sandtable.core.situation import run

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
FILES = sorted(path for path in HERE.glob("*/*.yaml"))
PANZER = [path for path in FILES if path.parent.name in {"panzer-na", "mbt", "panzer-mini"}]
GOSS = [path for path in FILES if path.parent.name == "goss"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_situation(path: Path) -> None:
    where = f"{path.parent.name}/{path.name}"
    opened = catalog.open_situation(path.read_text(encoding="utf-8"), where)
    assert opened.head.system == path.parent.name
    assert opened.head.rules, "a situation names the rules that it shows"
    results, _ = run(opened.system, opened.position, opened.head, where)
    faults = [f"step {index}: {fault}" for index, result in enumerate(results) for fault in result.faults]
    assert not faults, "\n".join(faults)
    assert any(step.expect for step in opened.head.steps), "a situation expects something"


@pytest.mark.parametrize("path", PANZER, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_situation_is_named_by_a_rule_that_it_shows_and_its_ruling_is_written_down(path: Path) -> None:
    head = catalog.open_situation(path.read_text(encoding="utf-8"), path.name).head
    number = path.name.split("-", 1)[0]
    assert any(rule == number or rule.startswith(f"{number}.") for rule in head.rules)
    known = {entry.number for entry in catalog.rule_coverage(head.system)}
    assert set(head.rules) <= known
    if head.ruling:
        page, _, anchor = head.ruling.partition(" ")[0].partition("#")
        assert anchor in _anchors(ROOT / page)


def test_the_table_of_worked_examples_names_every_situation_of_the_advanced_game_and_nothing_else() -> None:
    folder = HERE / "panzer-na"
    named = set(re.findall(r"`([^`]+\.(?:yaml|py))`", (folder / "README.md").read_text(encoding="utf-8")))
    missing = {name for name in named if not ((folder / name).exists() or (ROOT / name).exists())}
    assert not missing
    assert {path.name for path in folder.glob("[56].*.yaml")} <= named


def test_the_table_of_worked_examples_of_the_miniatures_names_every_situation_and_nothing_else() -> None:
    folder = HERE / "panzer-mini"
    named = set(re.findall(r"`([^`]+\.(?:yaml|py))`", (folder / "README.md").read_text(encoding="utf-8")))
    assert {path.name for path in folder.glob("*.yaml")} == {name for name in named if "/" not in name}
    assert not {name for name in named if "/" in name and not (ROOT / name).exists()}


@pytest.mark.parametrize("path", GOSS, ids=lambda path: path.stem)
def test_a_situation_of_goss_is_named_by_a_rule_that_it_shows_and_its_rulings_are_written_down(path: Path) -> None:
    head = catalog.open_situation(path.read_text(encoding="utf-8"), path.name).head
    assert path.name.split("-", 1)[0] in head.rules
    assert set(head.rules) <= {entry.number for entry in catalog.rule_coverage("goss")}
    for page, ruling in re.findall(r"(docs/rulings/\S+\.md) \(([BT]-\d+)\)", head.ruling):
        assert f"| {ruling} |" in (ROOT / page).read_text(encoding="utf-8")


def test_the_table_of_worked_examples_of_goss_names_every_situation_and_nothing_else() -> None:
    table = (HERE / "goss" / "README.md").read_text(encoding="utf-8")
    assert {path.name for path in GOSS} == set(re.findall(r"`([^`]+\.yaml)`", table))


def _anchors(page: Path) -> set[str]:
    """The headings of a page as links name them."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
