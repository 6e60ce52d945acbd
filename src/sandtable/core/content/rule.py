"""Rules as a book: code cites the numbers it enforces, and the index says which are still missing.

``@rule("4.1.3")`` on a function claims that number for the systems of its package. A pack's ``rules.yaml`` lists
every numbered section of the book; :func:`coverage` lays claims and tests beside the list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from typing import Any, TypeVar

import msgspec

from sandtable.core.content.reading import read_yaml
from sandtable.core.errors import Faults

__all__ = [
    "RuleCoverage",
    "RuleEntry",
    "RuleIndex",
    "RuleKind",
    "RuleStatus",
    "books",
    "claims",
    "coverage",
    "is_of_book",
    "read_rule_index",
    "rule",
]

F = TypeVar("F", bound=Callable[..., Any] | type)

_claims: dict[str, dict[str, list[str]]] = {}
_books: dict[str, frozenset[str]] = {}


def rule(*numbers: str, editions: Iterable[str] = ()) -> Callable[[F], F]:
    """Claim that the decorated function or class enforces these rules (in ``editions`` only, if given)."""

    def claim(thing: F) -> F:
        for number in numbers:
            for edition in tuple(editions) or ("",):
                key = f"{edition}:{number}" if edition else number
                package = _claims.setdefault(thing.__module__, {})
                package.setdefault(key, []).append(f"{thing.__module__}.{thing.__qualname__}")
        return thing

    return claim


def books(package: str, *editions: str) -> None:
    """Say which books the numbers are of that a package claims without an edition.

    A book that counts its sections otherwise may share the package: what it is claimed for names it.
    """
    _books[package] = frozenset(editions)


def is_of_book(package: str, edition: str) -> bool:
    """Whether a number of the package that names no edition is one of this book: of every one, unless it is said."""
    said = _books.get(package)
    return said is None or edition in said


def claims(package: str, edition: str) -> dict[str, list[str]]:
    """Rule numbers claimed by the modules of ``package`` for ``edition``, with the places that claim them."""
    found: dict[str, list[str]] = {}
    scopes = {"", edition} if is_of_book(package, edition) else {edition}
    for module, numbers in _claims.items():
        if module == package or module.startswith(package + "."):
            for key, places in numbers.items():
                scope, _, number = key.rpartition(":")
                if scope in scopes:
                    found.setdefault(number, []).extend(places)
    return found


class RuleKind(StrEnum):
    """What sort of section a number heads."""

    RULE = "rule"
    DATA = "data"
    """A table, card or board: the pack holds it."""
    CONTAINER = "container"
    """A heading whose parts hold the rules."""
    COMPONENT = "component"
    """A piece of the printed game."""


class RuleEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One numbered section of a book."""

    number: str
    title: str
    chapter: str
    level: str
    kind: RuleKind = RuleKind.RULE
    summary: str = ""
    """What it says, in one or two sentences of our own."""
    not_applicable: str = ""
    """Why a program has nothing to do here, in words that a player accepts."""
    waits: str = ""
    """What of an implemented section is not there yet, and what it waits for."""


class RuleIndex(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All numbered sections of a book, in the book's order."""

    book: str
    rules: tuple[RuleEntry, ...]


class RuleStatus(StrEnum):
    """Whether a section of the book is implemented in code, held as data, not applicable, or missing."""

    IMPLEMENTED = "implemented"
    DATA = "data"
    NOT_APPLICABLE = "not-applicable"
    MISSING = "missing"


class RuleCoverage(msgspec.Struct, frozen=True):
    """A section with its standing and the tests that show it."""

    number: str
    title: str
    chapter: str
    status: RuleStatus
    tests: tuple[str, ...] = ()
    level: str = ""
    reason: str = ""
    places: tuple[str, ...] = ()
    summary: str = ""
    waits: str = ""
    """What of it is not there yet."""


def read_rule_index(data: bytes | str, where: str) -> RuleIndex:
    """Read a rule index; numbers must be unique."""
    index = read_yaml(data, RuleIndex, where)
    faults = Faults(where)
    seen: set[str] = set()
    for place, entry in enumerate(index.rules):
        if entry.number in seen:
            faults.add(f"rules[{place}].number", f"{entry.number} stands twice")
        seen.add(entry.number)
    faults.check()
    return index


def coverage(
    index: RuleIndex, claimed: Mapping[str, Iterable[str]], tests: Mapping[str, Iterable[str]]
) -> list[RuleCoverage]:
    """Every section of ``index`` with its status, the code that claims it and the tests that show it.

    A heading stands as the sections below it do, once none of them is missing; a section without a claim is missing.
    """
    children: dict[str, list[RuleEntry]] = {}
    for entry in index.rules:
        for heading in _headings(entry.number):
            children.setdefault(heading, []).append(entry)
    own = {entry.number: _own_status(entry, claimed) for entry in index.rules}
    result = []
    for entry in index.rules:
        status = own[entry.number]
        shown = list(tests.get(entry.number, ()))
        if entry.kind is RuleKind.CONTAINER and status is RuleStatus.MISSING:
            parts = [own[part.number] for part in children.get(entry.number, ()) if part.kind is not entry.kind]
            if parts and RuleStatus.MISSING not in parts:
                status = next(one for one in _STRONGEST if one in parts)
                shown += [t for part in children[entry.number] for t in tests.get(part.number, ())]
        result.append(
            RuleCoverage(
                number=entry.number,
                title=entry.title,
                chapter=entry.chapter,
                status=status,
                tests=tuple(dict.fromkeys(shown)),
                level=entry.level,
                reason=entry.not_applicable,
                places=tuple(claimed.get(entry.number, ())),
                summary=entry.summary,
                waits=entry.waits,
            )
        )
    return result


_STRONGEST = (RuleStatus.IMPLEMENTED, RuleStatus.DATA, RuleStatus.NOT_APPLICABLE)


def _headings(number: str) -> list[str]:
    """The numbers of the headings over ``number``, e.g. 4.1.3 under 4.1 and 4.0."""
    parts = number.split(".")
    found = [".".join(parts[:length]) for length in range(2, len(parts))]
    return [f"{parts[0]}.0", *found] if number != f"{parts[0]}.0" else []


def _own_status(entry: RuleEntry, claimed: Mapping[str, Iterable[str]]) -> RuleStatus:
    if entry.number in claimed:
        return RuleStatus.IMPLEMENTED
    if entry.not_applicable:
        return RuleStatus.NOT_APPLICABLE
    if entry.kind is RuleKind.DATA:
        return RuleStatus.DATA
    return RuleStatus.MISSING
