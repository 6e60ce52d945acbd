"""3.2.3 The Infantry Fire Table: columns, column shifts and results.

FP is counted in 64ths while it is put together, since it may be halved several times over (3.2.2); a column is found
only for the total.
"""

from __future__ import annotations

from bisect import bisect_right
from enum import StrEnum
from typing import NamedTuple

from sandtable.core.content.rule import rule
from sandtable.core.content.table import Table
from sandtable.core.errors import BadInput, Fault
from sandtable.systems.aslsk.common.context import Context

__all__ = ["NO_EFFECT", "ONE_FP", "Ift", "IftKind", "IftResult", "fp_text", "ift_of", "read_ift"]

ONE_FP = 64
"""FP is counted in this many parts."""


class IftKind(StrEnum):
    """What a result of the IFT asks for (3.2.3)."""

    KIA = "KIA"
    K = "K"
    MC = "MC"
    PTC = "PTC"
    NONE = ""


class IftResult(NamedTuple):
    """A cell of the IFT."""

    text: str
    kind: IftKind
    number: int = 0
    """Of KIA: units eliminated; of K and MC: DRM of the Morale Check."""

    @property
    def severity(self) -> int:
        """Higher is worse for the target."""
        return _SEVERITY[self.kind] + self.number


_SEVERITY = {IftKind.NONE: 0, IftKind.PTC: 10, IftKind.MC: 20, IftKind.K: 30, IftKind.KIA: 40}
NO_EFFECT = IftResult("", IftKind.NONE)


def _parse(cell: object, where: str) -> IftResult:
    text = cell if isinstance(cell, str) else ""
    if not text:
        return NO_EFFECT
    if text == "PTC":
        return IftResult(text, IftKind.PTC)
    if text == "NMC":
        return IftResult(text, IftKind.MC)
    for head, tail, kind in (("", "KIA", IftKind.KIA), ("K/", "", IftKind.K), ("", "MC", IftKind.MC)):
        middle = text.removeprefix(head).removesuffix(tail)
        if text == f"{head}{middle}{tail}" and middle.isdigit():
            return IftResult(text, kind, int(middle))
    raise BadInput([Fault(where, f"{text!r} is no result", "1KIA, K/1, 1MC, NMC, PTC or nothing")])


class Ift:
    """The table, with columns numbered from the left; column -1 lies left of the lowest and has no effect."""

    __slots__ = ("_rows", "_steps", "columns")

    def __init__(self, columns: tuple[int, ...], rows: tuple[tuple[IftResult, ...], ...]) -> None:
        self.columns = columns
        self._rows = rows
        self._steps = [column * ONE_FP for column in columns]

    @rule("3.2.3")
    def column(self, fp_parts: int) -> int:
        """Number of the rightmost column whose FP does not exceed the total (3.2.3)."""
        return bisect_right(self._steps, fp_parts) - 1

    def fp(self, column: int) -> int:
        """The FP that heads a column; 0 left of the lowest."""
        return self.columns[column] if column >= 0 else 0

    def number(self, fp: int) -> int:
        """Number of the column headed by ``fp``."""
        return bisect_right(self.columns, fp) - 1

    def result(self, column: int, final_dr: int) -> IftResult:
        """The result of a final DR; beyond the ends of the table the end holds (3.2.3)."""
        if column < 0:
            return NO_EFFECT
        return self._rows[0 if final_dr < 0 else min(final_dr, len(self._rows) - 1)][column]


def read_ift(table: Table) -> Ift:
    """The IFT of a pack; raise :class:`BadInput` if a cell is no result."""
    columns = tuple(value for value in table.axes[1].values if isinstance(value, int))
    rows = tuple(
        tuple(_parse(cell, f"table {table.name} row {index}") for cell in row) for index, row in enumerate(table.cells)
    )
    return Ift(columns, rows)


def ift_of(context: Context) -> Ift:
    """The IFT of the game's pack."""
    found: Ift | None = context.memory.ift
    if found is None:
        found = context.memory.ift = read_ift(context.tables["ift"])
    return found


_FRACTIONS = {0: "", 8: "1/8", 16: "1/4", 24: "3/8", 32: "1/2", 40: "5/8", 48: "3/4", 56: "7/8"}


def fp_text(parts: int) -> str:
    """FP as players write it, e.g. ``3 1/2``."""
    whole, rest = divmod(parts, ONE_FP)
    fraction = _FRACTIONS.get(rest, f"{rest}/{ONE_FP}")
    return f"{whole} {fraction}".strip() if whole or not fraction else fraction
