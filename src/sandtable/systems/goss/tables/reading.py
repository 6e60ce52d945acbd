"""How a chart is read: its axes are those that the rules know, and every fault is named.

A user's pack may replace any table whole. What the rules look up is read once, so that a table with other axes or a
cell of the wrong kind is refused when the pack is loaded and not in the middle of a game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import TypeVar

from sandtable.core.content.table import Cell, Key, Table
from sandtable.core.errors import BadInput, Fault, Faults
from sandtable.core.modifier import Modifier

__all__ = ["POPULATION", "TERRAIN", "WORKS", "Tables", "column", "entries", "modifiers", "numbers", "shaped", "tried"]

K = TypeVar("K")
V = TypeVar("V")

Tables = Mapping[str, Table]
POPULATION = ("location", "village", "town", "city")
TERRAIN = (
    "clear",
    "rough",
    "rough2",
    "hedgerow",
    "bocage",
    "woods",
    "forest",
    "soft_ground",
    "marsh",
    "swamp",
    *POPULATION,
)
"""Terrain of a hex as the boards call it, population features with it (26.0)."""
WORKS = ("IP", "ET-2", "ET-3", "Ft Area", "Fort", "StP")
"""Defensive works (17.4.0); StP is a strongpoint (11.5.2)."""
_FIELDS = ("value", "label", "rule")


def shaped(tables: Tables, name: str, axes: Mapping[str, Sequence[Key]]) -> Table:
    """The table ``name`` with just these axes; raise :class:`BadInput` with every fault."""
    if name not in tables:
        raise BadInput([Fault(f"table {name}", "missing", "a table of this name in the pack")])
    table = tables[name]
    faults = Faults(table.place)
    found = [axis.name for axis in table.axes]
    if found != list(axes):
        faults.add("axes", ", ".join(found) or "none", ", ".join(axes))
    else:
        for axis, values in zip(table.axes, axes.values(), strict=True):
            if axis.values != tuple(values):
                right = ", ".join(map(str, values))
                faults.add(f"axes.{axis.name}", f"has {', '.join(map(str, axis.values))}", right)
    faults.check()
    return table


def entries(table: Table) -> Iterator[tuple[tuple[Key, ...], Cell]]:
    """Every cell of a table with its keys."""
    for keys in product(*(axis.values for axis in table.axes)):
        yield keys, table.lookup(*keys)


def numbers(table: Table) -> dict[tuple[Key, ...], int]:
    """A table of whole numbers by its keys; raise :class:`BadInput` with every cell that is none."""
    faults = Faults(table.place)
    found: dict[tuple[Key, ...], int] = {}
    for keys, cell in entries(table):
        if isinstance(cell, int):
            found[keys] = cell
        else:
            faults.add(", ".join(map(str, keys)), f"{cell!r} is no number", "a whole number")
    faults.check()
    return found


def column(table: Table) -> dict[str, int]:
    """A table with one axis of words."""
    return {str(key): number for (key,), number in numbers(table).items()}


def modifiers(tables: Tables, name: str, causes: Sequence[str]) -> dict[str, Modifier]:
    """A table of DRM with their labels and rules, by their causes."""
    table = shaped(tables, name, {"cause": causes, "field": _FIELDS})
    faults = Faults(table.place)
    found: dict[str, Modifier] = {}
    for cause in causes:
        value, label, number = (table.lookup(cause, field) for field in _FIELDS)
        if isinstance(value, int) and isinstance(label, str) and isinstance(number, str):
            found[cause] = Modifier(value, label, number)
        else:
            faults.add(cause, f"{[value, label, number]} is no modifier", "a whole number, a label and a rule number")
    faults.check()
    return found


def tried(faults: Faults, read: Callable[[], dict[K, V]]) -> dict[K, V]:
    """What ``read`` reads; its faults are gathered with others', and nothing stands in until they are checked."""
    found: dict[K, V] = {}
    with faults.gathering():
        found |= read()
    return found
