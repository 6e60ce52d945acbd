"""A fight on one sheet, before anybody confirms it: both sides with what each unit brings, and what can come of it."""

from __future__ import annotations

import msgspec

from sandtable.core.modifier import Breakdown
from sandtable.core.odds import Chance

__all__ = ["JointOdds", "Sheet", "SheetRow", "SheetSide"]


class SheetRow(msgspec.Struct, frozen=True):
    """One counter on a sheet."""

    unit: str
    text: str
    """What it brings."""
    note: str = ""
    """Why it is not what is printed on it."""


class SheetSide(msgspec.Struct, frozen=True):
    """One side of a sheet, for all that the seat knows."""

    side: str
    title: str
    total: str
    rows: tuple[SheetRow, ...]
    note: str = ""
    """What the seat does not know of it."""


class JointOdds(msgspec.Struct, frozen=True):
    """The chances of two results that come together, as a table."""

    row_title: str
    column_title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[float, ...], ...]
    """By row, then by column."""
    note: str = ""
    """How the results are read."""
    is_partial: bool = False
    """They are the odds by what the seat knows: there may be more that counts."""


class Sheet(msgspec.Struct, frozen=True):
    """All that dice are thrown on, and what can come of them."""

    title: str
    rule: str
    sides: tuple[SheetSide, ...]
    line: str = ""
    """How the sides compare, as one says it at the table."""
    numbers: tuple[Breakdown, ...] = ()
    odds: tuple[Chance, ...] = ()
    """Likeliest first."""
    joint: JointOdds | None = None
