"""The glossary of a pack: reading, faults, finding a term."""

import pytest

from sandtable.core.content.glossary import find_term, read_glossary
from sandtable.core.content.pack import Library, Pack
from sandtable.core.errors import BadInput
from tests.toy_system import PACK, toy_library

WORDS = b"""
terms:
- {term: VP, meaning: Victory points., rule: "3.1"}
- {term: dr, meaning: One die.}
- {term: DR, meaning: Two dice.}
- {term: M, meaning: Medium., written: ["(M)"]}
"""


def test_a_pack_need_not_have_a_glossary() -> None:
    assert read_glossary(toy_library()) == ()


def test_terms_come_in_the_order_of_their_letters() -> None:
    found = read_glossary(toy_library(**{"glossary.yaml": WORDS}))
    assert [term.term for term in found] == ["DR", "dr", "M", "VP"]


def test_a_later_pack_adds_and_replaces() -> None:
    own = {
        "manifest.yaml": b"{id: own, title: Own, system: toy, edition: toy, version: 1, extends: toy}",
        "glossary.yaml": b"terms: [{term: VP, meaning: Points of mine.}, {term: XX, meaning: New.}]",
    }
    found = read_glossary(Library([Pack({**PACK, "glossary.yaml": WORDS}, "packs/toy"), Pack(own, "own")]))
    assert {term.term: term.meaning for term in found}["VP"] == "Points of mine."
    assert "XX" in {term.term for term in found}


def test_every_fault_is_named_with_file_and_field() -> None:
    bad = b"""
terms:
- {term: VP, meaning: Victory points., rule: "9.9"}
- {term: VP, meaning: Again.}
- {term: "", meaning: Nothing.}
"""
    with pytest.raises(BadInput) as raised:
        read_glossary(toy_library(**{"glossary.yaml": bad}))
    assert [str(fault) for fault in raised.value.faults] == [
        "packs/toy/glossary.yaml: terms[0].rule: no rule '9.9' (expected a number of rules.yaml)",
        "packs/toy/glossary.yaml: terms[1].term: VP stands twice",
        "packs/toy/glossary.yaml: terms[2]: a term without word or meaning (expected both)",
    ]


def test_an_unknown_field_is_a_fault() -> None:
    with pytest.raises(BadInput, match="meening"):
        read_glossary(toy_library(**{"glossary.yaml": b"terms: [{term: VP, meening: x}]"}))


def test_a_term_is_found_as_it_is_written_before_any_other() -> None:
    terms = read_glossary(toy_library(**{"glossary.yaml": WORDS}))
    assert [term.term for term in find_term(terms, "dr")] == ["dr"]
    assert [term.term for term in find_term(terms, "(M)")] == ["M"]
    assert [term.term for term in find_term(terms, "vp")] == ["VP"]
    assert [term.term for term in find_term(terms, "v")] == ["VP"]
    assert find_term(terms, "zz") == ()
    assert find_term(terms, "") == ()
