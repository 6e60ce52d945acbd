"""What a learner sees, as arrays of 32-bit floats between -1 and 1. Everything comes from the seat's own view.

``observation`` is flat. It begins with :data:`HEAD` numbers::

    0  turn (place on the first track)        4  lead, -1 to 1
    1  phase (place on the last track)        5  how deep the question is inside others
    2  own points                             6  whether the seat is asked
    3  the other side's points                7  share of the choices already taken of the limit

Then come :data:`COUNTER` numbers for every counter. The counters that are there at the start have places of their own,
in the order of their ids; those that come into being later share :data:`SPARE` places after them, the first come first.

    0  on the map                5  sine of the facing
    1  own side                  6  good markers on it
    2  column, -1 to 1           7  bad markers on it
    3  row, -1 to 1              8  hidden markers on it
    4  cosine of the facing      9  lost

``choices`` has a row of :data:`CHOICE` numbers for every number that may be chosen::

    0  open                      8  distance to the nearest marked hex, 0 to 1
    1  about a place             9  distance to the nearest enemy counter, 0 to 1
    2  column                   10  turns the page
    3  row                      11  ends the question (a pass, a stop, done)
    4  about an own unit        12  nearer to a marked hex than the other choices, -1 to 1
    5  about an enemy unit      13  nearer to an enemy counter than the other choices, -1 to 1
    6  is the first choice      14  and on: which word it is, one of 24 bins of its key
    7  on a marked hex

On a table without hexes places are points: columns, rows and distances go by inches, a facing is a heading, and a
drawing is about the place where it ends. Marked hexes are those with a marker whose text is one of
:data:`OBJECTIVES`, as every system of ours draws them.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, sin
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from sandtable.core.decision import Branch
from sandtable.core.piece_count import LOST
from sandtable.core.ruleset import Ruleset
from sandtable.core.tree.drawing import read_drawing_text
from sandtable.core.view import Counter, HexMarker, View
from sandtable.geo.hex import Hex, distance
from sandtable.geo.map import GameMap, map_of
from sandtable.geo.plane.headings import CIRCLE
from sandtable.geo.plane.points import Point, label, read_point
from sandtable.geo.plane.space import table_of
from sandtable.geo.plane.table import TableMap
from sandtable.rl.stages import Stage

__all__ = ["CHOICE", "COUNTER", "HEAD", "OBJECTIVES", "SPARE", "Array", "Eye"]

COUNTER = 10
WORDS = 24
CHOICE = 14 + WORDS
HEAD = 8
SPARE = 4
OBJECTIVES = frozenset({"VP", "VC"})
"""Texts of hex markers that stand for an objective."""
Array = NDArray[np.float32]


class _Hexes:
    """Places of a map of hexes, or none at all: columns and rows are those of the hexes."""

    def __init__(self, game_map: GameMap | None) -> None:
        hexes = sorted(game_map.hexes) if game_map is not None else []
        self._labels = {game_map.label(hex): hex for hex in hexes} if game_map is not None else {}
        columns = [hex.q for hex in hexes] or [0]
        rows = [2 * hex.r + hex.q for hex in hexes] or [0]
        self._middle = (max(columns) + min(columns)) / 2, (max(rows) + min(rows)) / 2
        self._half = max(1.0, (max(columns) - min(columns)) / 2), max(1.0, (max(rows) - min(rows)) / 2)
        self.far = 2 * max(self._half)

    def place(self, label: str) -> Hex | None:
        return self._labels.get(label)

    def spot(self, place: Hex) -> tuple[float, float]:
        column = (place.q - self._middle[0]) / self._half[0]
        return column, (2 * place.r + place.q - self._middle[1]) / self._half[1]

    def distance(self, one: Hex, other: Hex) -> int:
        return distance(one, other)


class _Table:
    """Places of a table: columns and rows are inches, by :meth:`~sandtable.geo.plane.space.AnyMap.spot`."""

    def __init__(self, table: TableMap) -> None:
        self._table = table
        self._half = table.width / table.scale / 2, table.depth / table.scale / 2
        self.far = 2 * max(self._half)

    def place(self, label: str) -> Point | None:
        found = read_point(label)
        return found if found is not None and found in self._table else None

    def spot(self, place: Point) -> tuple[float, float]:
        x, y = self._table.spot(label(place))
        return x / self._half[0] - 1, y / self._half[1] - 1

    def distance(self, one: Point, other: Point) -> int:
        return self._table.range(one, other)


class _About(NamedTuple):
    """What a row of ``choices`` is described by."""

    seat: str
    counters: dict[str, Counter]
    marked: Sequence[Any]
    enemies: Sequence[Any]


class Eye:
    """Turns views into arrays, for one ruleset."""

    def __init__(self, ruleset: Ruleset[Any, Any, Any], width: int) -> None:
        table = table_of(ruleset)
        self._places: Any = _Hexes(map_of(ruleset)) if table is None else _Table(table)
        self._far: float = self._places.far
        self._width = width
        ids = sorted(counter.id for counter in ruleset.view(ruleset.setup(), ruleset.seats[0]).counters)
        self._slots = {unit: place for place, unit in enumerate(ids)}
        self.size = HEAD + COUNTER * (len(ids) + SPARE)
        """Length of ``observation``."""

    def observation(self, view: View, depth: int, asked: bool, spent: float) -> Array:
        """The state of the game as the seat sees it."""
        array = np.zeros(self.size, dtype=np.float32)
        for place, track in enumerate(view.tracks[:1] + view.tracks[1:][-1:]):
            array[place] = (track.at + 1) / max(1, len(track.steps))
        points = {score.side: score.points for score in view.scores}
        mine = points.get(view.seat, 0)
        others = max((count for side, count in points.items() if side != view.seat), default=0)
        scale = max(100, abs(mine), abs(others))
        array[2:HEAD] = mine / scale, others / scale, (mine - others) / (2 * scale), depth / 5, asked, spent
        spare = len(self._slots)
        for counter in view.counters:
            slot = self._slots.get(counter.id)
            if slot is None:
                slot, spare = spare, spare + 1
            start = HEAD + COUNTER * slot
            if start < self.size:
                array[start : start + COUNTER] = self._counter(view, counter)
        return np.clip(array, -1, 1)

    def _counter(self, view: View, counter: Counter) -> list[float]:
        place = self._places.place(counter.hex)
        column, row = self._spot(place)
        angle = _angle(counter)
        tones = [marker.tone for marker in counter.markers]
        return [
            float(place is not None),
            float(counter.side == view.seat),
            column,
            row,
            cos(angle) if angle is not None else 0.0,
            sin(angle) if angle is not None else 0.0,
            tones.count("good") / 2,
            tones.count("bad") / 2,
            tones.count("hidden") / 2,
            float(counter.box in LOST),
        ]

    def choices(self, view: View, stage: Stage) -> Array:
        """A row for every number that may be chosen."""
        array = np.zeros((self._width, CHOICE), dtype=np.float32)
        about = _About(
            view.seat,
            {counter.id: counter for counter in view.counters},
            [at for m in view.hex_markers if _is_objective(m) and (at := self._places.place(m.hex)) is not None],
            [at for c in view.counters if c.side != view.seat and (at := self._places.place(c.hex)) is not None],
        )
        found = stage.choices
        for number, branch in enumerate(found):
            array[number] = self._choice(about, branch, number)
        # Against one another: three hexes nearer than the mean of the choices that are about a place count fully.
        placed = array[:, 8] > 0
        for near, better in ((8, 12), (9, 13)):
            gaps = array[placed, near]
            if len(gaps):
                array[placed, better] = (gaps.mean() - gaps) * self._far / 3
        if stage.has_more:
            array[self._width - 1, [0, 10]] = 1
        return np.clip(array, -1, 1)

    def _choice(self, about: _About, branch: Branch[Any], number: int) -> Array:
        row = np.zeros(CHOICE, dtype=np.float32)
        counter = None if branch.is_hex else about.counters.get(branch.ref)
        place = self._places.place(counter.hex if counter is not None else branch.ref or _end_of(branch))
        row[0] = 1
        row[1] = float(counter is None and place is not None)
        row[2:4] = self._spot(place)
        row[4] = float(counter is not None and counter.side == about.seat)
        row[5] = float(counter is not None and counter.side != about.seat)
        row[6] = float(number == 0)
        if place is not None:
            gap = self._places.distance
            near = min((gap(place, other) for other in about.marked), default=self._far)
            row[7] = float(near == 0)
            # A place on the very hex is a little away too, so that 0 always means no place at all.
            row[8] = (near + 0.5) / (self._far + 0.5)
            row[9] = (min((gap(place, other) for other in about.enemies), default=self._far) + 0.5) / (self._far + 0.5)
        row[11] = float(branch.kind in ("pass", "stop", "done"))
        row[14 + crc32(branch.key.encode()) % WORDS] = 1
        return row

    def _spot(self, place: Any) -> tuple[float, float]:
        if place is None:
            return 0.0, 0.0
        column, row = self._places.spot(place)
        return column, row


def _angle(counter: Counter) -> float | None:
    """Where a counter looks; None if nowhere."""
    if counter.heading is not None:
        return counter.heading * 2 * pi / CIRCLE
    return None if counter.facing is None else counter.facing * pi / 3


def _end_of(branch: Branch[Any]) -> str:
    """The label of the place where a drawing ends; none of what is no drawing, or goes nowhere."""
    strokes = read_drawing_text(branch.key) or () if branch.kind == "drawing" else ()
    return next((label(stroke.at) for stroke in reversed(strokes) if stroke.at is not None), "")


def _is_objective(sign: HexMarker) -> bool:
    return sign.marker.text in OBJECTIVES
