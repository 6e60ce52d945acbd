"""The glossary of a pack: what an abbreviation means, in our own words, and where the book explains it.

``glossary.yaml`` belongs to a pack as ``rules.yaml`` does; a user's pack adds terms or replaces them by name. The page
marks the terms wherever it shows words of the system, the terminal answers ``?TERM``.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from sandtable.core.content.pack import Library
from sandtable.core.content.reading import read_yaml
from sandtable.core.content.rule import read_rule_index
from sandtable.core.errors import BadInput, Faults

__all__ = ["Term", "find_term", "read_glossary"]


class Term(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An abbreviation: what it means, and the rule that has it."""

    term: str
    meaning: str
    rule: str = ""
    written: tuple[str, ...] = ()
    """How it stands in texts, where not as the term itself: a single letter says nothing by itself."""


class _Glossary(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    terms: tuple[Term, ...]


def read_glossary(library: Library) -> tuple[Term, ...]:
    """All terms of the packs in order of their letters; raise :class:`BadInput` with all faults.

    A pack need not have a glossary. A rule that a term names must stand in the rule index.
    """
    faults = Faults()
    found: dict[str, Term] = {}
    numbers = _numbers(library)
    for where, data in library.every("glossary.yaml").items():
        with faults.gathering():
            terms = read_yaml(data, _Glossary, where).terms
            _check(terms, numbers, where)
            found.update((term.term, term) for term in terms)
    faults.check()
    return tuple(sorted(found.values(), key=lambda term: (term.term.lower(), term.term)))


def find_term(terms: Iterable[Term], wanted: str) -> tuple[Term, ...]:
    """The terms that somebody may mean: written just so, else in any case, else those that begin so."""
    known = tuple(terms)
    lower = wanted.lower()
    for fits in (
        lambda term: wanted in (term.term, *term.written),
        lambda term: lower == term.term.lower(),
        lambda term: bool(lower) and term.term.lower().startswith(lower),
    ):
        found = tuple(term for term in known if fits(term))
        if found:
            return found
    return ()


def _numbers(library: Library) -> frozenset[str]:
    try:
        return frozenset(entry.number for entry in read_rule_index(*library.file("rules.yaml")).rules)
    except BadInput:
        return frozenset()


def _check(terms: Iterable[Term], numbers: frozenset[str], where: str) -> None:
    faults = Faults(where)
    seen: set[str] = set()
    for place, term in enumerate(terms):
        field = f"terms[{place}]"
        if not term.term.strip() or not term.meaning.strip():
            faults.add(field, "a term without word or meaning", "both")
        if term.term in seen:
            faults.add(f"{field}.term", f"{term.term} stands twice")
        seen.add(term.term)
        if term.rule and term.rule not in numbers:
            faults.add(f"{field}.rule", f"no rule {term.rule!r}", "a number of rules.yaml")
    faults.check()
