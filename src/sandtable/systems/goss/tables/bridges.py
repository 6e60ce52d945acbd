"""17.3.2-17.3.2c Bridges: which break under heavy vehicles, and which are blown up."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

import msgspec

from sandtable.core.content.rule import rule
from sandtable.core.errors import Faults
from sandtable.core.modifier import Breakdown, Modifier
from sandtable.systems.goss.tables.reading import Tables, column, numbers, shaped, tried

__all__ = ["Bridges", "Demolition", "Weight", "read_bridges"]

_FIELDS = ("most", "night", "many_steps", "enemy_adjacent")


class Weight(StrEnum):
    """Vehicles that bridges may not bear (17.3.2a)."""

    HEAVY = "H"
    VERY_HEAVY = "VH"


class Demolition(StrEnum):
    """How a bridge is blown up (17.3.2b, 17.3.2c)."""

    HASTY = "hasty"
    PREPARED = "prepared"


class Bridges(msgspec.Struct, frozen=True):
    """The charts of bridges."""

    collapse: Mapping[Weight, int]
    """The highest die at which a bridge breaks."""
    demolition: Mapping[tuple[Demolition, str], int]

    @rule("17.3.2a")
    def collapses(self, weight: Weight, roll: int) -> bool:
        """Whether a bridge breaks under its first such vehicle (17.3.2a)."""
        return roll <= self.collapse[weight]

    @rule("17.3.2b")
    def demolition_roll(
        self, kind: Demolition, *, is_night: bool = False, has_many_steps: bool = False, enemy_adjacent: bool = False
    ) -> Breakdown:
        """The die that destroys the bridge, or less: what the DRM leave of it (17.3.2b, 17.3.2c)."""
        causes = (
            (is_night, "night", "night"),
            (has_many_steps, "many_steps", "more than one engineer step"),
            (enemy_adjacent, "enemy_adjacent", "enemy beside the bridge"),
        )
        number = "17.3.2b" if kind is Demolition.HASTY else "17.3.2c"
        terms = tuple(Modifier(-self.demolition[kind, key], label, number) for holds, key, label in causes if holds)
        return Breakdown(f"{kind} demolition".capitalize(), number, terms, self.demolition[kind, "most"], "or less")


def read_bridges(tables: Tables) -> Bridges:
    """The charts of a pack; raise :class:`BadInput` with every fault."""
    faults = Faults()
    collapse = tried(faults, lambda: column(shaped(tables, "bridge_collapse", {"weight": tuple(Weight)})))
    axes = {"kind": tuple(Demolition), "field": _FIELDS}
    demolition = tried(faults, lambda: numbers(shaped(tables, "demolition", axes)))
    faults.check()
    return Bridges(
        {weight: collapse[weight] for weight in Weight},
        {(kind, field): demolition[kind, field] for kind in Demolition for field in _FIELDS},
    )
