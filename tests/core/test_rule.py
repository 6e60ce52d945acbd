"""Rules as a book: claims, the index, coverage."""

import pytest

from sandtable.core.content.rule import RuleStatus, books, claims, coverage, is_of_book, read_rule_index, rule
from sandtable.core.errors import BadInput
from tests.toy_system import PACK


@rule("9.1")
@rule("9.2", editions=("one",))
def both_books() -> None: ...


def toy_coverage(tests: dict[str, list[str]]) -> dict[str, RuleStatus]:
    index = read_rule_index(PACK["rules.yaml"], "rules.yaml")
    return {entry.number: entry.status for entry in coverage(index, claims("tests.toy", "toy"), tests)}


def test_claims_are_found_by_package_and_edition() -> None:
    assert set(claims(__name__, "one")) == {"9.1", "9.2"}
    assert set(claims(__name__, "two")) == {"9.1"}
    assert claims("nowhere", "one") == {}


def test_claims_of_a_package_with_a_longer_name_are_not_its_own() -> None:
    assert claims(__name__[:-1], "one") == {}


def test_a_package_may_say_whose_its_unnamed_numbers_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sandtable.core.content.rule._books", {})
    books(__name__, "one", "two")
    assert set(claims(__name__, "one")) == {"9.1", "9.2"}
    assert set(claims(__name__, "two")) == {"9.1"}
    assert claims(__name__, "three") == {}
    assert [is_of_book(__name__, book) for book in ("one", "two", "three")] == [True, True, False]
    assert is_of_book("tests.toy", "three")


def test_claims_name_their_places() -> None:
    assert claims(__name__, "two")["9.1"] == [f"{__name__}.both_books"]


def test_every_section_has_its_status() -> None:
    assert toy_coverage({}) == {
        "1.0": RuleStatus.IMPLEMENTED,
        "1.1": RuleStatus.IMPLEMENTED,
        "1.2": RuleStatus.IMPLEMENTED,
        "2.0": RuleStatus.IMPLEMENTED,
        "2.1": RuleStatus.IMPLEMENTED,
        "2.2": RuleStatus.IMPLEMENTED,
        "2.2.1": RuleStatus.DATA,
        "2.3": RuleStatus.IMPLEMENTED,
        "3.1": RuleStatus.IMPLEMENTED,
        "3.2": RuleStatus.MISSING,
        "3.3": RuleStatus.NOT_APPLICABLE,
    }


def test_a_heading_is_missing_while_a_part_is() -> None:
    index = read_rule_index(PACK["rules.yaml"], "rules.yaml")
    found = {entry.number: entry for entry in coverage(index, {"2.1": ["a"], "2.2": ["b"]}, {})}
    assert found["2.0"].status is RuleStatus.MISSING


def test_a_heading_shows_the_tests_of_its_parts() -> None:
    index = read_rule_index(PACK["rules.yaml"], "rules.yaml")
    evidence = {"1.1": ["t1"], "1.2": ["t1", "t2"]}
    found = {entry.number: entry for entry in coverage(index, claims("tests.toy", "toy"), evidence)}
    assert found["1.0"].tests == ("t1", "t2")
    assert found["1.2"].tests == ("t1", "t2")
    assert found["2.1"].tests == ()


def test_an_index_may_not_name_a_number_twice() -> None:
    data = PACK["rules.yaml"].replace(b'"1.2"', b'"1.1"')
    with pytest.raises(BadInput, match=r"rules\[2\].number: 1.1 stands twice"):
        read_rule_index(data, "rules.yaml")
