"""The pieces of a game as statistics count them: what each is, where it is, and how much of it is left.

A ruleset may have a method ``count_pieces(state) -> Iterable[Piece]`` that says so in the system's own terms, such as a
squad of which half is left. Without one, :func:`count_pieces` reads the view: every counter is a piece named by its
title, lost when it lies in a box of one of the names in :data:`LOST`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple, Protocol, runtime_checkable

from sandtable.core.view import View

__all__ = ["LOST", "CountsPieces", "Piece", "count_pieces"]

LOST = frozenset({"destroyed", "eliminated", "killed", "lost"})
"""Ids of boxes from which nothing comes back."""


class Piece(NamedTuple):
    """A unit or weapon."""

    id: str
    side: str
    kind: str
    """What statistics call it; what it was called at first counts."""
    hex: str
    """Label of its hex, or ``""`` off the map."""
    left: float
    """1 for a whole one, 0 for one that is lost."""


@runtime_checkable
class CountsPieces(Protocol):
    """A ruleset that tells its pieces itself."""

    def count_pieces(self, state: Any) -> Iterable[Piece]:
        """All pieces of both sides, the lost ones too."""
        ...


def count_pieces(ruleset: object, state: Any, view: View) -> Iterable[Piece]:
    """The pieces of a state, by the ruleset's own count or by its view."""
    if isinstance(ruleset, CountsPieces):
        return ruleset.count_pieces(state)
    return (
        Piece(counter.id, counter.side, counter.face.title, counter.hex, 0.0 if counter.box in LOST else 1.0)
        for counter in view.counters
    )
