"""13.1, 13.6.2, 13.7.2, 13.9 The Ground Assault Table: ratio to column, shifts, both sides' rolls to results.

The table lies in the pack as its card does: four terrain lines with their ratios, ten rows of rolls for the attacker
and ten for the defender, and beside them two lists of results. It can be replaced whole; a fault in any cell is named.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise

import msgspec

from sandtable.core.content.rule import rule
from sandtable.core.content.table import Cell, Table
from sandtable.core.errors import Faults
from sandtable.systems.goss.tables.reading import Tables, shaped

__all__ = ["COLUMNS", "NO_RESULT", "AssaultResult", "GroundAssaultTable", "Odds", "read_ground_assault"]

COLUMNS = "ABCDEFGHIJKLMN"
"""Letters of the columns; the rules count them from 0."""
LINES = (1, 2, 3, 4)
_ROWS = range(1, 11)
_LISTS = {"results A-H": COLUMNS[:8], "results I-N": COLUMNS[8:]}
_AXES = {
    "row": (
        *(f"line {line}" for line in LINES),
        *(f"attacker {row}" for row in _ROWS),
        *(f"defender {row}" for row in _ROWS),
    ),
    "column": (*COLUMNS[:8], "results A-H", *COLUMNS[8:], "results I-N"),
}
_RANGE = re.compile(r"(-?\d+)(?:\.\.(-?\d+))?")
_RATIO = re.compile(r"(\d+(?:\.\d+)?):(\d+(?:\.\d+)?)")
_RESULT = re.compile(r"(\*?)([1-3]?)(?:\(([1-3])\))?")
_ROLLS = 100
"""Ways that two dice fall."""


class AssaultResult(msgspec.Struct, frozen=True):
    """What a side suffers (13.9.2)."""

    losses: int = 0
    """Mandatory hits."""
    hits: int = 0
    """Discretionary hits."""
    check: bool = False
    """Whether its lead unit makes a mandatory PRC."""

    @property
    def severity(self) -> tuple[int, int, bool]:
        """By mandatory hits, then discretionary ones, then the check: higher is worse."""
        return self.losses, self.hits, self.check

    def __str__(self) -> str:
        text = f"{'*' if self.check else ''}{self.hits or ''}"
        return (f"{text}({self.losses})" if self.losses else text) or "no effect"


NO_RESULT = AssaultResult()


class Odds(msgspec.Struct, frozen=True):
    """A column of a terrain line."""

    column: int
    is_below: bool = False
    """Whether the ratio, or the column before it was held to the line, lies left of the line's first (13.10.3)."""

    @property
    def letter(self) -> str:
        """The column's letter."""
        return COLUMNS[self.column]


class _Line(msgspec.Struct, frozen=True):
    """The ratios of a terrain line, from its left-most column on."""

    first: int
    ratios: tuple[Fraction, ...]

    @property
    def last(self) -> int:
        return self.first + len(self.ratios) - 1


class _Block(msgspec.Struct, frozen=True):
    """The rows of one column: where each begins and ends, and what it says."""

    lows: tuple[int, ...]
    highs: tuple[int, ...]
    results: tuple[AssaultResult, ...]


class GroundAssaultTable(msgspec.Struct, frozen=True):
    """The table, with columns numbered from 0."""

    lines: Mapping[int, _Line]
    attacker: tuple[_Block, ...]
    """Rolls of the attacker: what the defender suffers, by column."""
    defender: tuple[_Block, ...]
    """Rolls of the defender: what the attacker suffers, by column."""

    @rule("13.6.2")
    def odds(self, line: int, attack: int, defence: int) -> Odds:
        """The column of two Ground Assault Values: the ratio rounded down to one of the line (13.6.2).

        A defence of nothing, that of a lone Z-step, is met in the right-most column (4.1.3).
        """
        found = self.lines[line]
        if not defence:
            return Odds(found.last)
        place = bisect_right(found.ratios, Fraction(attack, defence)) - 1
        return Odds(found.first + max(place, 0), is_below=place < 0)

    @rule("13.7.2")
    def shifted(self, line: int, odds: Odds, shifts: int) -> Odds:
        """The final assault column: no further than the ends of the line (13.7.2)."""
        found = self.lines[line]
        wanted = odds.column + shifts
        return Odds(max(found.first, min(found.last, wanted)), is_below=wanted < found.first)

    @rule("13.9.0", "13.9.1", "13.1.1")
    def defender_result(self, column: int, dr: int) -> AssaultResult:
        """What the attacker's modified roll does to the defender: below all rows nothing, above them the last."""
        block = self.attacker[column]
        row = bisect_right(block.lows, dr) - 1
        return NO_RESULT if row < 0 else block.results[row]

    @rule("13.9.0", "13.9.1", "13.1.1")
    def attacker_result(self, column: int, dr: int) -> AssaultResult:
        """What the defender's modified roll does to the attacker: below all rows the first, above them nothing."""
        block = self.defender[column]
        row = bisect_left(block.highs, dr)
        return NO_RESULT if row == len(block.highs) else block.results[row]

    def chances(self, column: int, drm: int) -> tuple[dict[AssaultResult, int], dict[AssaultResult, int]]:
        """How many of a hundred rolls bring each result on the defender, and on the attacker."""
        on_defender: dict[AssaultResult, int] = {}
        on_attacker: dict[AssaultResult, int] = {}
        for roll in range(_ROLLS):
            suffered = self.defender_result(column, roll + drm)
            on_defender[suffered] = on_defender.get(suffered, 0) + 1
            suffered = self.attacker_result(column, roll + drm)
            on_attacker[suffered] = on_attacker.get(suffered, 0) + 1
        return on_defender, on_attacker


@rule("13.1.0")
def read_ground_assault(tables: Tables) -> GroundAssaultTable:
    """The table of a pack; raise :class:`BadInput` with every fault."""
    table = shaped(tables, "ground_assault", _AXES)
    faults = Faults(table.place)
    lines = {line: _line(table, line, faults) for line in LINES}
    attacker = _blocks(table, "attacker", faults)
    defender = _blocks(table, "defender", faults)
    faults.check()
    return GroundAssaultTable(lines, attacker, defender)


def _line(table: Table, line: int, faults: Faults) -> _Line:
    """A line's ratios: they rise to the right, and its columns lie side by side."""
    row = f"line {line}"
    ratios: dict[int, Fraction] = {}
    for index, letter in enumerate(COLUMNS):
        cell = table.lookup(row, letter)
        found = _RATIO.fullmatch(cell) if isinstance(cell, str) else None
        if found is not None and Fraction(found[2]):
            ratios[index] = Fraction(found[1]) / Fraction(found[2])
        elif cell is not None:
            faults.add(
                f"{row}, {letter}", f"{cell!r} is no ratio", "one such as 3:1, or nothing beyond the line's ends"
            )
    places, values = tuple(ratios), tuple(ratios.values())
    if not places or places != tuple(range(places[0], places[0] + len(places))):
        faults.add(row, "its columns do not lie side by side", "ratios from the line's first column to its last")
        return _Line(0, ())
    if any(left >= right for left, right in pairwise(values)):
        faults.add(row, "its ratios do not rise to the right", "rising ratios")
    return _Line(places[0], values)


def _blocks(table: Table, side: str, faults: Faults) -> tuple[_Block, ...]:
    """The ten rows of every column, with the list of results to its right (13.9.1)."""
    results = {
        letter: found
        for name, letters in _LISTS.items()
        for found in [tuple(_result(table, f"{side} {row}", name, faults) for row in _ROWS)]
        for letter in letters
    }
    return tuple(_block(table, side, letter, results[letter], faults) for letter in COLUMNS)


@rule("13.9.2")
def _result(table: Table, row: str, name: str, faults: Faults) -> AssaultResult:
    cell = table.lookup(row, name)
    text = str(cell) if isinstance(cell, int | str) else ""
    found = _RESULT.fullmatch(text)
    if not text or found is None:
        faults.add(f"{row}, {name}", f"{cell!r} is no result", "such as *, 2, *1, 2(1) or *2(3)")
        return NO_RESULT
    return AssaultResult(int(found[3] or 0), int(found[2] or 0), check=bool(found[1]))


def _block(table: Table, side: str, letter: str, results: tuple[AssaultResult, ...], faults: Faults) -> _Block:
    """A column's rows; each begins where the one before it ends (13.1.1)."""
    ranges: list[tuple[int, int]] = []
    for row in _ROWS:
        place = f"{side} {row}, {letter}"
        found = _range(table.lookup(f"{side} {row}", letter))
        if found is None:
            wrong = f"{table.lookup(f'{side} {row}', letter)!r} is no range of rolls"
            faults.add(place, wrong, "two numbers, the lower first, such as -21..-14")
            continue
        if ranges and found[0] != ranges[-1][1] + 1:
            faults.add(place, f"begins at {found[0]}", f"{ranges[-1][1] + 1}, where the row before it ends")
        ranges.append(found)
    return _Block(tuple(low for low, _ in ranges), tuple(high for _, high in ranges), results)


def _range(cell: Cell) -> tuple[int, int] | None:
    found = _RANGE.fullmatch(str(cell)) if isinstance(cell, int | str) else None
    if found is None:
        return None
    low, high = int(found[1]), int(found[2] or found[1])
    return (low, high) if low <= high else None
