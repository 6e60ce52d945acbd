"""Counters of a position, looked up one by one: whoever needs a few does not have all of them made."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, cached_property
from typing import Any, cast

from sandtable.core.codec import to_plain
from sandtable.core.decision import Seat
from sandtable.core.ruleset import Ruleset
from sandtable.core.view import Counter, ShowsCounters, Track, View

__all__ = ["Pieces", "words_in"]


@cache
def _shows_counters(kind: type) -> bool:
    """Whether rulesets of a type show single counters; asking a protocol takes longer than looking a counter up."""
    return issubclass(kind, ShowsCounters)


class Pieces:
    """What a viewpoint sees of single counters in a state that was concealed for it."""

    def __init__(self, ruleset: Ruleset[Any, Any, Any], known: Any, viewpoint: Seat | None) -> None:
        self._ruleset = ruleset
        self._shower = cast("ShowsCounters", ruleset) if _shows_counters(type(ruleset)) else None
        self._known = known
        self._viewpoint = viewpoint

    @cached_property
    def _view(self) -> View:
        """The whole view, of a system that shows no single counters."""
        return self._ruleset.view(self._known, self._viewpoint)

    @cached_property
    def _all(self) -> dict[str, Counter]:
        return {piece.id: piece for piece in self._view.counters}

    def get(self, unit: str) -> Counter | None:
        """The counter of that id, if there is one."""
        return self._all.get(unit) if self._shower is None else self._shower.counter(self._known, unit)

    def __contains__(self, unit: str) -> bool:
        return self.get(unit) is not None

    @property
    def tracks(self) -> tuple[Track, ...]:
        """The tracks as they stand."""
        return self._view.tracks if self._shower is None else self._shower.tracks(self._known)

    def named_in(self, value: object) -> tuple[str, ...]:
        """Ids of the counters that an action or an event names, in its order."""
        return tuple(word for word in dict.fromkeys(words_in(to_plain(value))) if word in self)


def words_in(plain: Any) -> Iterator[str]:
    """Every string in plain data."""
    if isinstance(plain, str):
        yield plain
    elif isinstance(plain, dict):
        for key, value in plain.items():
            yield key
            yield from words_in(value)
    elif isinstance(plain, list):
        for value in plain:
            yield from words_in(value)
