"""13.3.2, 13.8.4a, 17.4.1 What terrain and works are worth to a defender: terrain lines, shifts, armour rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from sandtable.core.content.rule import rule
from sandtable.core.errors import Faults
from sandtable.systems.goss.tables.reading import TERRAIN, WORKS, Tables, entries, numbers, shaped, tried

__all__ = ["ArmourRow", "Defences", "WorksEffect", "read_defences"]

_FORTRESSES = frozenset(("Ft Area", "Fort", "StP"))
_FIELDS = ("shifts", "fire DRM", "armour", "rating")
_STREAM = "stream"
_BEST_RATING = 8
_LINES = range(1, 5)


class WorksEffect(msgspec.Struct, frozen=True):
    """What one kind of defensive works does (17.4.1)."""

    kind: str
    shifts: int
    """Columns that an assault is shifted to the left (13.7.4f)."""
    fire_drm: int
    """DRM against fire support (11.5.2)."""
    armour: int
    """Armour bonuses taken from an attacker whose armour meets AT guns (13.8.4d)."""
    rating: int
    """What it adds to a defensive PR (17.4.1a)."""

    @property
    def is_fortress(self) -> bool:
        """A Fort, strongpoint or Ft Area, where terrain helps no further against fire (11.5.2)."""
        return self.kind in _FORTRESSES

    @rule("17.4.1a")
    def rated(self, rating: int) -> int:
        """A defensive PR in these works: one better, to at most eight (17.4.1a)."""
        return max(rating, min(rating + self.rating, _BEST_RATING))


class ArmourRow(msgspec.Struct, frozen=True):
    """What a terrain leaves of armour bonuses (13.8.4a)."""

    modifier: int
    """Bonuses that it takes."""
    most: int
    """The most that are left in it."""


class Defences(msgspec.Struct, frozen=True):
    """Terrain and works as an assault finds them."""

    lines: Mapping[str, int]
    """Terrain lines of the Ground Assault Table; a location has none (13.3.2)."""
    works: Mapping[str, WorksEffect]
    armour: Mapping[str, ArmourRow]
    stream: int
    """Bonuses that a stream between the two takes (13.8.4a, 26.0)."""

    @rule("13.3.2")
    def terrain_lines(self, terrain: Iterable[str]) -> tuple[int, ...]:
        """The lines that a defender may choose from, the best for him first.

        Clear ground is there only where nothing else counts, as for armour (13.8.4a; ruling B-112).
        """
        found = {self.lines[kind] for kind in terrain if kind in self.lines} or {self.lines["clear"]}
        return tuple(sorted(found, reverse=True))


def read_defences(tables: Tables) -> Defences:
    """The charts of a pack; raise :class:`BadInput` with every fault."""
    faults = Faults()
    works = tried(faults, lambda: numbers(shaped(tables, "works", {"works": WORKS, "field": _FIELDS})))
    armour = tried(faults, lambda: _armour(tables))
    lines = tried(faults, lambda: _lines(tables))
    faults.check()
    return Defences(
        lines=lines,
        works={kind: WorksEffect(kind, *(works[kind, field] for field in _FIELDS)) for kind in WORKS},
        armour={kind: armour[kind] for kind in TERRAIN},
        stream=armour[_STREAM].modifier,
    )


def _lines(tables: Tables) -> dict[str, int]:
    table = shaped(tables, "assault_lines", {"terrain": TERRAIN})
    faults = Faults(table.place)
    found = {}
    for (kind,), cell in entries(table):
        if isinstance(cell, int) and cell in _LINES:
            found[str(kind)] = cell
        elif cell is not None or kind == "clear":
            faults.add(str(kind), f"{cell!r} is no terrain line", "1 to 4, or nothing")
    faults.check()
    return found


def _armour(tables: Tables) -> dict[str, ArmourRow]:
    table = shaped(tables, "armour_terrain", {"terrain": (*TERRAIN, _STREAM), "field": ("modifier", "most")})
    faults = Faults(table.place)
    found = {}
    for kind in (*TERRAIN, _STREAM):
        modifier, most = table.lookup(kind, "modifier"), table.lookup(kind, "most")
        if isinstance(modifier, int) and (isinstance(most, int) or kind == _STREAM):
            found[kind] = ArmourRow(modifier, most if isinstance(most, int) else 0)
        else:
            faults.add(kind, f"{[modifier, most]}", "two whole numbers: what it takes, and the most that is left")
    faults.check()
    return found
