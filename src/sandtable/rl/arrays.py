"""What a learner sees, as arrays of 32-bit floats between -1 and 1. Everything comes from the seat's own view.

``observation`` is flat: first the tracks (turn, phase), the scores of the own side and the other, and whether it is
asked under a deeper question; then for every counter, in the order of their ids, :data:`COUNTER` numbers::

    0  on the map                5  second half of the facing circle (sine)
    1  own side                  6  good markers on it
    2  column, -1 to 1           7  bad markers on it
    3  row, -1 to 1              8  hidden markers on it
    4  facing (cosine)           9  gone for good (in a box and not in reserve)

``choices`` has a row of :data:`CHOICE` numbers for every number that may be chosen::

    0  open                      7  on a marked hex
    1  about a place             8  distance to the nearest marked hex, 0 to 1
    2  column                    9  distance to the nearest enemy counter, 0 to 1
    3  row                      10  turns the page
    4  about an own unit        11  ends the question (a pass, a stop, done)
    5  about an enemy unit      12  to 27: which word it is, one of 16 bins of its key
    6  is the first choice

Marked hexes are those with a marker of tone ``good``: objectives, as every system of ours draws them.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, sin
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from sandtable.core.decision import Branch
from sandtable.core.ruleset import Ruleset
from sandtable.core.view import Counter, View
from sandtable.geo.hex import Hex, distance
from sandtable.geo.map import map_of
from sandtable.rl.stages import Stage

__all__ = ["CHOICE", "COUNTER", "Eye"]

COUNTER = 10
CHOICE = 28
WORDS = 16
HEAD = 8
"""Numbers before the counters."""
Array = NDArray[np.float32]


class _About(NamedTuple):
    """What a row of ``choices`` is described by."""

    seat: str
    counters: dict[str, Counter]
    marked: Sequence[Hex]
    enemies: Sequence[Hex]


class Eye:
    """Turns views into arrays, for one ruleset."""

    def __init__(self, ruleset: Ruleset[Any, Any, Any], counters: int, width: int) -> None:
        game_map = map_of(ruleset)
        hexes = sorted(game_map.hexes) if game_map is not None else []
        self._labels = {game_map.label(hex): hex for hex in hexes} if game_map is not None else {}
        columns = [hex.q for hex in hexes] or [0]
        rows = [2 * hex.r + hex.q for hex in hexes] or [0]
        self._middle = (max(columns) + min(columns)) / 2, (max(rows) + min(rows)) / 2
        self._half = max(1.0, (max(columns) - min(columns)) / 2), max(1.0, (max(rows) - min(rows)) / 2)
        self._far = 2 * max(self._half) or 1.0
        self._width = width
        self.features = CHOICE
        """Numbers in a row of ``choices``."""
        self.size = HEAD + COUNTER * counters
        """Length of ``observation``."""

    def observation(self, view: View, depth: int) -> Array:
        """The state of the game as the seat sees it."""
        array = np.zeros(self.size, dtype=np.float32)
        for place, track in enumerate(view.tracks[:2]):
            array[place] = (track.at + 1) / max(1, len(track.steps))
        points = {score.side: score.points for score in view.scores}
        mine = points.get(view.seat, 0)
        others = max((count for side, count in points.items() if side != view.seat), default=0)
        scale = max(100, abs(mine), abs(others))
        array[2:5] = mine / scale, others / scale, (mine - others) / (2 * scale)
        array[5] = min(1.0, depth / 5)
        for place, counter in enumerate(view.counters):
            start = HEAD + COUNTER * place
            if start + COUNTER <= self.size:
                array[start : start + COUNTER] = self._counter(view, counter)
        return np.clip(array, -1, 1)

    def _counter(self, view: View, counter: Counter) -> list[float]:
        hex = self._hex(counter.hex)
        column, row = self._place(hex)
        angle = (counter.facing or 0) * pi / 3
        tones = [marker.tone for marker in counter.markers]
        return [
            float(hex is not None),
            float(counter.side == view.seat),
            column,
            row,
            cos(angle) if counter.facing is not None else 0.0,
            sin(angle) if counter.facing is not None else 0.0,
            min(1.0, tones.count("good") / 2),
            min(1.0, tones.count("bad") / 2),
            min(1.0, tones.count("hidden") / 2),
            float(bool(counter.box) and counter.box != "reserve"),
        ]

    def choices(self, view: View, stage: Stage) -> Array:
        """A row for every number that may be chosen."""
        array = np.zeros((self._width, CHOICE), dtype=np.float32)
        about = _About(
            view.seat,
            {counter.id: counter for counter in view.counters},
            [hex for m in view.hex_markers if m.marker.tone == "good" and (hex := self._hex(m.hex)) is not None],
            [hex for c in view.counters if c.side != view.seat and (hex := self._hex(c.hex)) is not None],
        )
        for number, branch in enumerate(stage.choices):
            array[number] = self._choice(about, branch, number)
        if stage.has_more:
            array[self._width - 1, [0, 10]] = 1
        return np.clip(array, -1, 1)

    def _choice(self, about: _About, branch: Branch[Any], number: int) -> Array:
        row = np.zeros(CHOICE, dtype=np.float32)
        counter = about.counters.get(branch.ref)
        hex = self._hex(counter.hex) if counter is not None else self._hex(branch.ref)
        row[0] = 1
        row[1] = float(counter is None and hex is not None)
        row[2:4] = self._place(hex)
        row[4] = float(counter is not None and counter.side == about.seat)
        row[5] = float(counter is not None and counter.side != about.seat)
        row[6] = float(number == 0)
        if hex is not None:
            near = min((distance(hex, other) for other in about.marked), default=self._far)
            row[7] = float(near == 0)
            row[8] = min(1.0, near / self._far)
            row[9] = min(1.0, min((distance(hex, other) for other in about.enemies), default=self._far) / self._far)
        row[11] = float(branch.kind in ("pass", "stop", "done"))
        row[12 + crc32(branch.key.encode()) % WORDS] = 1
        return row

    def _hex(self, label: str) -> Hex | None:
        return self._labels.get(label)

    def _place(self, hex: Hex | None) -> tuple[float, float]:
        if hex is None:
            return 0.0, 0.0
        column = (hex.q - self._middle[0]) / self._half[0]
        return column, (2 * hex.r + hex.q - self._middle[1]) / self._half[1]
