"""Tables as data: axes, clamps, cells, and where the numbers come from.

A table says how far it can be trusted (:class:`Status`), so that a player sees which numbers are the publisher's
and which are reconstructed, and can put his own in their place with a pack.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cached_property
from typing import Any

import msgspec

from sandtable.core.content.reading import read_yaml
from sandtable.core.errors import BadInput, Fault, Faults
from sandtable.core.modifier import Modifier

__all__ = ["Axis", "Status", "Table", "read_table"]

Key = int | str
Cell = int | str | None


class Status(StrEnum):
    """How far a number can be trusted."""

    VERBATIM = "verbatim"
    """Stated in the rulebook's text or examples."""
    PUBLISHED = "published"
    """Transcribed from a published card."""
    RECONSTRUCTED = "reconstructed"
    """Fitted to everything that is known."""


class Axis(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One direction of a table."""

    name: str
    values: tuple[Key, ...]
    clamp: bool = False
    """Whether a number beyond the ends is read as the end."""


_FILE = "file"


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """A rulebook's table."""

    name: str
    title: str
    rule: str
    source: str
    status: Status
    axes: tuple[Axis, ...]
    cells: list[Any]
    """Nested lists in the order of the axes."""
    note: str = ""
    verbatim: tuple[tuple[Key, ...], ...] = ()
    """Cells that the book states although the table as a whole is reconstructed."""

    def lookup(self, *keys: Key) -> Cell:
        """The cell at ``keys``, one key an axis; a clamped axis takes what lies beyond its ends as the end."""
        known = self._known
        if keys in known:
            return known[keys]
        cell: Any = self.cells
        for axis, key in zip(self.axes, keys, strict=True):
            cell = cell[self._index(axis, key)]
        found: Cell = cell
        known[keys] = found
        return found

    @property
    def place(self) -> str:
        """Where its faults are: its file, if it was read from one."""
        return str(vars(self).get(_FILE, f"table {self.name}"))

    @cached_property
    def _known(self) -> dict[tuple[Key, ...], Cell]:
        """The cells looked up so far: a table never changes, and rules ask for the same ones again and again."""
        return {}

    def number(self, *keys: Key) -> int:
        """The cell at ``keys``, which must be a whole number."""
        cell = self.lookup(*keys)
        if not isinstance(cell, int):
            raise BadInput([Fault(f"table {self.name}", f"cell {keys} is {cell!r}", "a whole number")])
        return cell

    def modifier(self, name: str, times: int = 1) -> Modifier:
        """The term of a row with ``value`` and ``label``, under the rule of the row or of the whole table."""
        return Modifier(self.number(name, "value") * times, str(self.lookup(name, "label")), self.cited(name))

    def cited(self, name: str) -> str:
        """The rule of a row, or of the whole table where rows have none."""
        return str(self.lookup(name, "rule")) if "rule" in self.axes[-1].values else self.rule

    def cell_status(self, *keys: Key) -> Status:
        """How far the cell at ``keys`` can be trusted."""
        return Status.VERBATIM if keys in self.verbatim else self.status

    def _index(self, axis: Axis, key: Key) -> int:
        if key in axis.values:
            return axis.values.index(key)
        if axis.clamp and isinstance(key, int):
            numbers = [value for value in axis.values if isinstance(value, int)]
            if numbers:
                return axis.values.index(max(min(numbers), min(max(numbers), key)))
        raise BadInput([Fault(f"table {self.name}", f"{axis.name} has no {key!r}", f"one of {list(axis.values)}")])


def read_table(data: bytes | str, where: str) -> Table:
    """Read a table file and check its shape; raise :class:`BadInput` with every fault."""
    table = read_yaml(data, Table, where)
    vars(table)[_FILE] = where
    faults = Faults(where)
    _check_cells(table.cells, table.axes, "cells", faults)
    for index, keys in enumerate(table.verbatim):
        if len(keys) != len(table.axes):
            faults.add(f"verbatim[{index}]", f"{len(keys)} keys", f"{len(table.axes)}, one an axis")
    faults.check()
    return table


def _check_cells(cells: object, axes: tuple[Axis, ...], path: str, faults: Faults) -> None:
    if not axes:
        if not (cells is None or isinstance(cells, int | str)):
            faults.add(path, f"{cells!r} is no cell", "a number, a word or nothing")
        return
    want = len(axes[0].values)
    if not isinstance(cells, list):
        faults.add(path, f"{cells!r} is no list", f"{want} entries along {axes[0].name}")
        return
    if len(cells) != want:
        faults.add(path, f"{len(cells)} entries along {axes[0].name}", f"{want}")
    for index, inner in enumerate(cells):
        _check_cells(inner, axes[1:], f"{path}[{index}]", faults)
