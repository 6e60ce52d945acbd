"""Hex labels: the names that a board prints in its hexes.

Labels exist at the edges of the program only; inside, a hex is a :class:`~sandtable.geo.hex.Hex`. Three
schemes cover the boards in use: letters that double after Z (K12, AA3, BB3), letters as in a spreadsheet
(AA, AB), and numbers, columns first (0314).
"""

from __future__ import annotations

import re
from enum import StrEnum

import msgspec

from sandtable.core.errors import BadInput, Fault

__all__ = ["LabelScheme", "Labels"]

_LETTERED = re.compile(r"([A-Za-z]{1,250})([0-9]{1,6})")


class LabelScheme(StrEnum):
    """How columns and rows are written."""

    LETTERS = "letters"
    """A to Z, then AA, BB, CC, then AAA."""
    SPREADSHEET = "spreadsheet"
    """A to Z, then AA, AB, AC."""
    NUMBERS = "numbers"
    """Column and row as digits of a fixed width, such as 0314."""


_EXAMPLE = {
    LabelScheme.LETTERS: "a label such as K12 or BB3",
    LabelScheme.SPREADSHEET: "a label such as K12 or AB3",
    LabelScheme.NUMBERS: "a label such as 0314",
}


class Labels(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A label scheme; columns are counted from 1, rows are the printed numbers."""

    scheme: LabelScheme = LabelScheme.LETTERS
    column_digits: int = 2
    row_digits: int = 2

    def column_name(self, column: int) -> str:
        """How the column is written."""
        if self.scheme is LabelScheme.NUMBERS:
            return f"{column:0{self.column_digits}d}"
        if self.scheme is LabelScheme.LETTERS:
            repeats, letter = divmod(column - 1, 26)
            return chr(65 + letter) * (repeats + 1)
        name = ""
        while column:
            column, letter = divmod(column - 1, 26)
            name = chr(65 + letter) + name
        return name

    def column_number(self, name: str, where: str = "column") -> int:
        """The column of that name; :class:`BadInput` if no column can have it."""
        number = self._column_number(name.strip().upper())
        if number is None:
            example = "01" if self.scheme is LabelScheme.NUMBERS else "K"
            raise BadInput([Fault(where, f"{name!r} is no column", f"a column such as {example}")])
        return number

    def _column_number(self, name: str) -> int | None:
        if self.scheme is LabelScheme.NUMBERS:
            return int(name) if name.isascii() and name.isdigit() else None
        if not (name.isascii() and name.isalpha()):
            return None
        if self.scheme is LabelScheme.LETTERS:
            if len(set(name)) > 1:
                return None
            return (len(name) - 1) * 26 + ord(name[0]) - 64
        number = 0
        for letter in name:
            number = number * 26 + ord(letter) - 64
        return number

    def label(self, column: int, row: int) -> str:
        """The label of the hex in that column and row."""
        if self.scheme is LabelScheme.NUMBERS:
            return f"{self.column_name(column)}{row:0{self.row_digits}d}"
        return f"{self.column_name(column)}{row}"

    def parse(self, text: str, where: str = "label") -> tuple[int, int]:
        """Column and row of a label, in either case; :class:`BadInput` if it is none."""
        label = text.strip()
        if self.scheme is LabelScheme.NUMBERS:
            digits = self.column_digits + self.row_digits
            if label.isascii() and label.isdigit() and len(label) == digits:
                return int(label[: self.column_digits]), int(label[self.column_digits :])
        elif match := _LETTERED.fullmatch(label):
            column = self._column_number(match[1].upper())
            if column is not None:
                return column, int(match[2])
        raise BadInput([Fault(where, f"{text!r} is no hex label", _EXAMPLE[self.scheme])])
