"""What a system brings to the bench: its own floors, positions and budgets. Its card says where (``SystemCard.bench``).

A system that brings nothing is measured all the same, with the floors that stand here.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from sandtable import catalog

__all__ = ["Bounds", "Brought", "Looks", "Played", "brought_by", "budgets", "make_stress"]


class Bounds(NamedTuple):
    """What a ratio must reach, and what it should."""

    floor: float
    goal: float


class Looks(NamedTuple):
    """Where a captain's looks ahead are counted."""

    scenario: str
    bounds: Bounds
    passed: int
    """Questions of a game that are answered quickly ..."""
    asked: int
    """... and those after them that are looked ahead from."""


class Played(NamedTuple):
    """A scenario in which random play is measured besides."""

    scenario: str
    decisions: Bounds
    games: Bounds


class Brought(NamedTuple):
    """What the bench is told of a system."""

    decisions: Bounds = Bounds(0.3, 1)
    """Of random play, beside plies of chess."""
    games: Bounds = Bounds(0.3, 1)
    scenario: str = ""
    """Where random play is measured; the one that comes nearest to so many units if none is named."""
    besides: tuple[Played, ...] = ()
    looks: Looks | None = None
    crowd: Callable[[Mapping[str, Any], int], dict[str, Any]] | None = None
    """The scenario with units doubled in their places until there are so many; None where that would be no game."""
    budgets: Mapping[str, str] = {}
    """Budgets of its own: their names and the modules with a function ``measure() -> list[Budget]``."""
    stress: Mapping[str, str] = {}
    """Large scenarios that are made and not shipped: their ids, and the functions that let the catalog have them."""


def brought_by(system_id: str) -> Brought:
    """What a system brings."""
    where = catalog.system(system_id).card.bench
    found: Brought = pkgutil.resolve_name(where) if where else Brought()
    return found


def make_stress(scenario_id: str) -> None:
    """Let the catalog of this process have a scenario, if a system brings one of that name to be made."""
    for one in catalog.system_ids():
        where = brought_by(one).stress.get(scenario_id)
        if where is not None:
            pkgutil.resolve_name(where)()


def budgets() -> dict[str, str]:
    """The budgets that systems bring, by name."""
    return {name: module for one in catalog.system_ids() for name, module in brought_by(one).budgets.items()}
