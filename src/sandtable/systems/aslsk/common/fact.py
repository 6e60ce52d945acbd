"""What every event of this system is, and the numbers that it rests on."""

from __future__ import annotations

from typing import Protocol

import msgspec
from msgspec.structs import replace

from sandtable.core.modifier import Breakdown

__all__ = ["HALVES", "Fact", "Numbered", "Priced", "cost_in_mf"]

HALVES = 2
"""MF are counted in halves."""


def cost_in_mf(cost: Breakdown) -> Breakdown:
    """A cost that is counted in halves as players read it: in MF, where no half is among them."""
    if cost.base % HALVES or any(term.value % HALVES for term in cost.terms):
        return replace(cost, title="MF in halves")
    terms = tuple(replace(term, value=term.value // HALVES) for term in cost.terms)
    return replace(cost, title="MF", base=cost.base // HALVES, terms=terms)


class Fact(msgspec.Struct, frozen=True, tag=True):
    """Something that happened; the folds of a ruleset say what there is."""

    def breakdowns(self) -> tuple[Breakdown, ...]:
        """The numbers that it rests on."""
        return ()


class _HasNumber(Protocol):
    @property
    def number(self) -> Breakdown: ...


class _HasCost(Protocol):
    @property
    def cost(self) -> Breakdown: ...


class Numbered(Fact, frozen=True):
    """A fact with the one ``number`` that its dice were compared with."""

    def breakdowns(self: _HasNumber) -> tuple[Breakdown, ...]:
        """That number."""
        return (self.number,)


class Priced(Fact, frozen=True):
    """A step with its ``cost`` in halves of MF."""

    def breakdowns(self: _HasCost) -> tuple[Breakdown, ...]:
        """The cost, as players read it."""
        return (cost_in_mf(self.cost),)
