"""What every event of this system is, and the numbers that it rests on."""

from __future__ import annotations

from typing import Protocol

import msgspec
from msgspec.structs import replace

from sandtable.core.modifier import Breakdown
from sandtable.core.showing import Shown
from sandtable.systems.aslsk.common.words import Words

__all__ = ["HALVES", "Fact", "KillNumbered", "Numbered", "OnTheIft", "Priced", "cost_in_mf"]

HALVES = 2
"""MF and MP are counted in halves."""
_HALVES_OF = "Halves of "


def cost_in_mf(cost: Breakdown) -> Breakdown:
    """A cost that is counted in halves as players read it: in MF or MP, where no half is among them."""
    unit = cost.title.removeprefix(_HALVES_OF)
    if cost.base % HALVES or any(term.value % HALVES for term in cost.terms):
        return replace(cost, title=f"{unit} in halves")
    terms = tuple(replace(term, value=term.value // HALVES) for term in cost.terms)
    return replace(cost, title=unit, base=cost.base // HALVES, terms=terms)


class Fact(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Something that happened; the folds of a ruleset say what there is."""

    def sentence(self, words: Words) -> str:
        """It in a sentence; ``""`` for bookkeeping."""
        return ""

    def shown(self, words: Words) -> Shown | None:
        """What is to be seen of it on the map, or None."""
        return None

    def breakdowns(self) -> tuple[Breakdown, ...]:
        """The numbers that it rests on."""
        return ()


class _HasNumber(Protocol):
    @property
    def number(self) -> Breakdown: ...


class _HasCost(Protocol):
    @property
    def cost(self) -> Breakdown: ...


class _HasFirepower(Protocol):
    @property
    def firepower(self) -> Breakdown: ...

    @property
    def drm(self) -> Breakdown: ...


class _HasKillNumber(Protocol):
    @property
    def kill(self) -> Breakdown: ...

    @property
    def drm(self) -> Breakdown: ...


class Numbered(Fact, frozen=True):
    """A fact with the one ``number`` that its dice were compared with."""

    def breakdowns(self: _HasNumber) -> tuple[Breakdown, ...]:
        """That number."""
        return (self.number,)


class OnTheIft(Fact, frozen=True):
    """A fact with the ``firepower`` and the ``drm`` of an attack on the IFT."""

    def breakdowns(self: _HasFirepower) -> tuple[Breakdown, ...]:
        """The numbers of the dice."""
        return (self.firepower, self.drm)


class KillNumbered(Fact, frozen=True):
    """A fact with the ``kill`` number and the ``drm`` of an attack in close combat."""

    def breakdowns(self: _HasKillNumber) -> tuple[Breakdown, ...]:
        """The numbers of the dice."""
        return (self.kill, self.drm)


class Priced(Fact, frozen=True):
    """A step with its ``cost`` in halves of MF or MP."""

    def breakdowns(self: _HasCost) -> tuple[Breakdown, ...]:
        """The cost, as players read it."""
        return (cost_in_mf(self.cost),)
