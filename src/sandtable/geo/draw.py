"""Maps drawn as text, for tests and situation files.

One line is one row, one word is one hex: a code from the legend and, where the ground is not level 0, its
level; a dot is clear. Columns read left to right; odd columns stand half a hex lower, as on the boards.
Roads, hexsides and all else go into a list of features as in a board file::

    cells: |
      .   .   w   w1
      .   .1  2   w1
    legend: {w: woods}
    features:
      - {kind: road, line: [A1, B1, C1]}

The hexes are A1, B1 and so on unless ``first`` names another label for the upper left one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

import msgspec

from sandtable.core.errors import BadInput, Fault, Faults
from sandtable.geo.board import MOST_HEXES, Board, BoardDraft
from sandtable.geo.feature import FeatureDraft
from sandtable.geo.grid import FirstRows, Grid
from sandtable.geo.labels import Labels, LabelScheme
from sandtable.geo.map import GameMap

__all__ = ["DrawingDraft", "drawn_board", "read_drawing"]

_TOKEN = re.compile(r"([^\d-]*)(-?[0-9]{1,3})?")
_CLEAR = ("", ".")


class DrawingDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A map drawn as text."""

    cells: str
    legend: dict[str, str | tuple[str, ...]] = {}
    """Kinds of terrain for each code."""
    features: tuple[FeatureDraft, ...] = ()
    first: str = ""
    """Label of the upper left hex; left out, the first of the scheme."""
    prefix: str = ""
    """Number of the board that it stands for, so that its labels may be written with it."""
    shifted: Literal["odd", "even"] = "odd"
    labels: LabelScheme = LabelScheme.LETTERS
    scale: int = 1
    hill: str = "hill"
    """Kind of the features that raise the ground."""
    depression: str = "depression"
    """Kind of the features that lower it."""

    def kinds(self, code: str) -> tuple[str, ...]:
        """The kinds of terrain that a code of the legend stands for."""
        entry = self.legend[code]
        return (entry,) if isinstance(entry, str) else entry


def read_drawing(draft: DrawingDraft, where: str = "map") -> GameMap:
    """The map of a drawing; :class:`BadInput` with all its faults."""
    return GameMap.of_board(Board.from_draft(drawn_board(draft, where), where))


def drawn_board(draft: DrawingDraft, where: str = "map") -> BoardDraft:
    """The drawing as a board; :class:`BadInput` with all its faults."""
    faults = Faults(where)
    rows = [line.split() for line in draft.cells.splitlines() if line.strip()]
    columns = len(rows[0]) if rows else 0
    if sum(map(len, rows)) > MOST_HEXES:
        raise BadInput([Fault(f"{where}: cells", f"{sum(map(len, rows))} hexes", f"at most {MOST_HEXES}")])
    labels = Labels(draft.labels)
    first_column, first_row = 1, 1
    if draft.first:
        with faults.gathering():
            first_column, first_row = labels.parse(draft.first, f"{where}: first")
    if not rows:
        faults.add("cells", "are empty", "one line a row, one word a hex")
    filled: dict[str, list[str]] = {code: [] for code in draft.legend}
    levels: dict[int, list[str]] = {}
    for number, words in enumerate(rows):
        if len(words) != columns:
            faults.add(f"cells, line {number + 1}", f"has {len(words)} hexes", f"{columns} as in line 1")
        for index, word in enumerate(words):
            label = labels.label(first_column + index, first_row + number)
            match = _TOKEN.fullmatch(word)
            code = match[1] if match else word
            if match is None or (code not in _CLEAR and code not in filled):
                known = ", ".join((".", *filled))
                faults.add(f"cells, line {number + 1}", f"{word!r} at {label} is not in the legend", known)
                continue
            if code in filled:
                filled[code].append(label)
            if match[2] and int(match[2]):
                levels.setdefault(int(match[2]), []).append(label)
    faults.check()
    return BoardDraft(
        id=draft.prefix or "drawing",
        columns=columns,
        rows=len(rows),
        prefix=draft.prefix,
        grid=Grid(
            shifted=draft.shifted,
            half_columns=False,
            half_rows=False,
            labels=draft.labels,
            first_column=first_column,
            first_rows=FirstRows(first_row, first_row),
        ),
        scale=draft.scale,
        features=(*_levels(draft, levels), *_terrain(draft, filled), *draft.features),
    )


def _levels(draft: DrawingDraft, levels: Mapping[int, list[str]]) -> list[FeatureDraft]:
    return [
        FeatureDraft(draft.hill if level > 0 else draft.depression, hexes=tuple(hexes), level=level)
        for level, hexes in sorted(levels.items())
    ]


def _terrain(draft: DrawingDraft, filled: Mapping[str, list[str]]) -> list[FeatureDraft]:
    return [
        FeatureDraft(kind, hexes=tuple(hexes)) for code, hexes in filled.items() for kind in draft.kinds(code) if hexes
    ]
