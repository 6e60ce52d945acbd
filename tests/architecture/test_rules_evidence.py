"""Which tests show which rules: the packaged lists are fresh, and no rule is claimed without a test."""

from collections import Counter
from pathlib import Path

import pytest

from sandtable import catalog, packs
from sandtable.cli.evidence import evidence, main, shown_by_tests
from sandtable.core.content import rule
from sandtable.core.content.rule import RuleStatus
from tests.architecture.checkout import ROOT

SYSTEMS = catalog.system_ids()


def test_the_evidence_is_fresh() -> None:
    stale = [
        name
        for name, text in main(ROOT).items()
        if not (ROOT / name).is_file() or (ROOT / name).read_text(encoding="utf-8") != text
    ]
    assert not stale, f"run `python -m sandtable.cli.evidence`: {stale}"


@pytest.mark.parametrize("system_id", SYSTEMS)
def test_every_implemented_rule_has_a_test(system_id: str) -> None:
    bare = [
        f"{entry.number} {entry.title}"
        for entry in catalog.rule_coverage(system_id)
        if entry.status is RuleStatus.IMPLEMENTED and not entry.tests
    ]
    assert not bare, "\n".join(bare)


@pytest.mark.parametrize(("system_id", "chapters"), [("panzer-na", "3456"), ("mbt", "34")])
def test_every_rule_of_the_games_of_panzer_is_settled(system_id: str, chapters: str) -> None:
    """All implemented: the Basic Game, and of North Africa the Advanced Game too."""
    found = [entry for entry in catalog.rule_coverage(system_id) if entry.number[0] in chapters]
    missing = [f"{entry.number} {entry.title}" for entry in found if entry.status is not RuleStatus.IMPLEMENTED]
    assert not missing, "\n".join(missing)


def test_every_rule_of_the_starter_kit_is_settled() -> None:
    """Sections 1 to 7: all implemented."""
    chapters = [entry for entry in catalog.rule_coverage("aslsk3") if entry.number[0] in "1234567"]
    missing = [f"{entry.number} {entry.title}" for entry in chapters if entry.status is RuleStatus.MISSING]
    assert not missing, "\n".join(missing)
    waiting = {entry.number: entry.reason for entry in chapters if entry.status is RuleStatus.NOT_APPLICABLE}
    assert waiting == {}


@pytest.mark.parametrize("system_id", SYSTEMS)
def test_what_is_not_applicable_says_why(system_id: str) -> None:
    found = [e for e in catalog.rule_coverage(system_id) if e.status is RuleStatus.NOT_APPLICABLE]
    assert all(len(entry.reason) > 10 for entry in found)


@pytest.mark.parametrize("system_id", ["panzer-na", "mbt", "aslsk3", "panzer-mini"])
def test_what_is_implemented_gives_no_reason_for_being_left_out(system_id: str) -> None:
    found = [e for e in catalog.rule_coverage(system_id) if e.status is not RuleStatus.NOT_APPLICABLE and e.reason]
    assert not found, [entry.number for entry in found]


@pytest.mark.parametrize("system_id", SYSTEMS)
def test_code_claims_only_numbers_that_the_book_has(system_id: str) -> None:
    from sandtable.core.content.rule import claims

    numbers = {entry.number for entry in catalog.rule_coverage(system_id)}
    claimed = claims(catalog.system(system_id).card.package, system_id)
    strange = {number: places for number, places in claimed.items() if number not in numbers}
    assert not strange


PANZER = ("panzer-na", "mbt", "panzer-mini")


@pytest.mark.parametrize("system_id", PANZER)
def test_no_claim_and_no_test_of_one_book_of_a_family_counts_for_another(system_id: str) -> None:
    """41 numbers stand in the miniatures book and in one on hexes: hexes show nothing of inches."""
    others = "panzer.hex" if system_id == "panzer-mini" else "panzer.mini"
    own = "tests/panzer/mini/", "tests/rulebook/panzer-mini/"
    for entry in catalog.rule_coverage(system_id):
        assert not [place for place in entry.places if f".systems.{others}." in place], entry.number
        for test in entry.tests:
            is_of_inches = test.startswith(own)
            if test.startswith("tests/rulebook/"):
                assert test.split("/")[2] == system_id, f"{entry.number}: {test}"
            elif test.startswith("tests/panzer/"):
                assert is_of_inches == (system_id == "panzer-mini"), f"{entry.number}: {test}"


@pytest.mark.parametrize("book", ["panzer-na", "mbt"])
def test_a_number_of_two_books_has_claims_and_tests_of_its_own_in_each(book: str) -> None:
    one, other = ({e.number: e for e in catalog.rule_coverage(system)} for system in (book, "panzer-mini"))
    both = [
        number
        for number in one.keys() & other.keys()
        if one[number].status is other[number].status is RuleStatus.IMPLEMENTED
    ]
    assert both
    assert not [number for number in both if set(one[number].tests) & set(other[number].tests)]


def test_every_rule_of_the_miniatures_basic_game_is_settled() -> None:
    """Chapters 1 to 10: 273 headings, implemented and tested, or not applicable for a reason."""
    found = [entry for entry in catalog.rule_coverage("panzer-mini") if int(entry.number.partition(".")[0]) <= 10]
    assert len(found) == 273
    counted = Counter(entry.status for entry in found)
    assert counted[RuleStatus.MISSING] == 0
    assert counted[RuleStatus.NOT_APPLICABLE] <= 22


SOURCE = """
import pytest
pytestmark = pytest.mark.rules("1.1")

@pytest.mark.rules("4.1.3", "4.1.4", system="mbt")
def test_marked(): ...

class TestIt:
    @pytest.mark.rules("2.0")
    def test_inside(self): ...

def test_4_1_3_2_hexes_away(): ...
def test_4_1_3(): ...
def helper_4_1(): ...
"""


def test_the_reader_finds_markers_and_names(tmp_path: Path) -> None:
    for folder in ("panzer", "bots", "aslsk"):
        (tmp_path / "tests" / folder).mkdir(parents=True)
    (tmp_path / "tests" / "panzer" / "test_a.py").write_text(SOURCE)
    # A test shows rules of the book whose folder or marker it carries, and a bot's test none.
    (tmp_path / "tests" / "bots" / "test_b.py").write_text(SOURCE)
    (tmp_path / "tests" / "aslsk" / "test_c.py").write_text("def test_4_1_3_of_another_family(): ...")
    rulebook = tmp_path / "tests" / "rulebook" / "mbt"
    rulebook.mkdir(parents=True)
    (rulebook / "4.1.yaml").write_text("{system: mbt, rules: ['4.1.3', '9.9']}")
    book = frozenset({"1.1", "2.0", "4.1.3", "4.1.4"})
    found = evidence(tmp_path, {"mbt": book, "panzer-na": book})
    names = {number: [test.split("::", 1)[-1] for test in tests] for number, tests in found["mbt"].items()}
    assert names["4.1.4"] == ["test_marked"]
    assert set(names["4.1.3"]) == {
        "tests/rulebook/mbt/4.1.yaml",
        "test_4_1_3",
        "test_4_1_3_2_hexes_away",
        "test_marked",
    }
    assert names["2.0"] == ["TestIt::test_inside"]
    assert len(names["1.1"]) == 4
    assert "4.1.4" not in found["panzer-na"]
    assert len(found["panzer-na"]["4.1.3"]) == 2


NAMED = """
import pytest

ONE = "panzer-na"

@pytest.mark.rules("4.1.4", system=ONE)
def test_4_1_3_of_one_book(): ...

@pytest.mark.rules("4.1.4")
def test_4_1_3_of_all_books(): ...

@pytest.mark.rules("4.1.4", system="mbt")
@pytest.mark.rules("1.1", system="panzer-na")
def test_4_1_3_of_two_books(): ...
"""


def test_a_marker_says_which_book_the_name_of_its_test_is_about(tmp_path: Path) -> None:
    (tmp_path / "tests" / "panzer").mkdir(parents=True)
    (tmp_path / "tests" / "panzer" / "test_a.py").write_text(NAMED)
    book = frozenset({"1.1", "4.1.3", "4.1.4"})
    found = evidence(tmp_path, {"mbt": book, "panzer-na": book})
    shown = {name: [test.split("::")[1] for test in tests["4.1.3"]] for name, tests in found.items()}
    assert shown["panzer-na"] == ["test_4_1_3_of_all_books", "test_4_1_3_of_one_book", "test_4_1_3_of_two_books"]
    assert shown["mbt"] == ["test_4_1_3_of_all_books", "test_4_1_3_of_two_books"]


def test_no_test_or_claim_without_a_book_counts_for_one_that_is_numbered_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tests" / "panzer").mkdir(parents=True)
    (tmp_path / "tests" / "panzer" / "test_a.py").write_text(NAMED)
    monkeypatch.setitem(rule._books, "sandtable.systems.panzer", frozenset({"mbt"}))
    book = frozenset({"4.1.3"})
    found = evidence(tmp_path, {"mbt": book, "panzer-na": book})
    assert "tests/panzer/test_a.py::test_4_1_3_of_all_books" in found["mbt"]["4.1.3"]
    assert "tests/panzer/test_a.py::test_4_1_3_of_all_books" not in found["panzer-na"]["4.1.3"]
    assert "4.2.1" in rule.claims("sandtable.systems.panzer", "mbt")
    assert "4.2.1" not in rule.claims("sandtable.systems.panzer", "panzer-na")


def test_the_panzer_family_says_whose_its_numbers_are() -> None:
    assert rule.is_of_book("sandtable.systems.panzer", "panzer-na")
    assert rule.is_of_book("sandtable.systems.panzer", "mbt")
    assert not rule.is_of_book("sandtable.systems.panzer", "panzer-mini")


def test_every_marker_names_a_rule_of_a_book() -> None:
    """Also of a book whose pack is there before its system."""
    shipped = [packs.shipped(pack_id).files for pack_id in packs.shipped_ids()]
    indexes = [rule.read_rule_index(files["rules.yaml"], "") for files in shipped if "rules.yaml" in files]
    numbers = {entry.number for index in indexes for entry in index.rules}
    unknown = [shown for shown in shown_by_tests(ROOT) if not numbers.intersection(shown.numbers)]
    assert not unknown
