"""The rule index of GOSS 2020: every numbered section of the book, in its order."""

import re
from collections import Counter

import pytest

from sandtable.core.content.glossary import read_glossary
from sandtable.core.content.rule import RuleEntry, read_rule_index
from tests.goss.shelf import SHARED, library

BOOK = SHARED / "rulebooks" / "goss-2020.txt"
HEADING = re.compile(r"#+ (?:\*\*)?(\d+\.\d+(?:\.\d+[a-z]?)?)(?:\*\*)? ")


@pytest.fixture(scope="module")
def rules() -> tuple[RuleEntry, ...]:
    return read_rule_index(*library().file("rules.yaml")).rules


def test_the_index_holds_every_number_of_the_book(rules: tuple[RuleEntry, ...]) -> None:
    levels = Counter(entry.level for entry in rules)
    assert levels == {"battle": 327, "command": 160, "war": 110}
    chapters = [entry.number for entry in rules if re.fullmatch(r"\d+\.0", entry.number)]
    assert chapters == [f"{chapter}.0" for chapter in range(1, 27)]


def test_every_number_says_what_it_asks_or_why_it_asks_nothing(rules: tuple[RuleEntry, ...]) -> None:
    assert [entry.number for entry in rules if not entry.summary and not entry.not_applicable] == []
    assert [entry.number for entry in rules if entry.summary and entry.not_applicable] == []


@pytest.mark.skipif(not BOOK.is_file(), reason="no ../shared with the rulebook beside the checkout")
def test_every_heading_of_the_text_is_in_the_index(rules: tuple[RuleEntry, ...]) -> None:
    lines = BOOK.read_text(encoding="utf-8").splitlines()
    begins = lines.index("## 1.0 GAME COMPONENTS")
    found = [match[1] for line in lines[begins:] if (match := HEADING.match(line))]
    numbers = [entry.number for entry in rules]
    assert len(found) > 400
    assert [number for number in found if number not in numbers] == []
    assert found == [number for number in numbers if number in found]


def test_the_glossary_is_read() -> None:
    terms = {term.term for term in read_glossary(library())}
    assert {"GA", "FSV", "MCT", "PRC", "Z-step"} <= terms
