"""9.8 Those that are held off the table: where on its edge one comes onto it. From there it is moved like any other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from sandtable.core.content.rule import rule
from sandtable.core.decision import Judged, Mark, Put, Stroke, Suggestion
from sandtable.core.errors import Refusal
from sandtable.core.tree.drawing import Outline, Strokes
from sandtable.geo.plane.headings import turn
from sandtable.geo.plane.points import INCH, Point, label
from sandtable.systems.panzer.mini.actions import Action, Enter
from sandtable.systems.panzer.mini.context import Context
from sandtable.systems.panzer.mini.scenario.bound import base_of
from sandtable.systems.panzer.mini.setup.patterns import offset
from sandtable.systems.panzer.mini.standing import refuse_ground
from sandtable.systems.panzer.mini.state import State, Unit

if TYPE_CHECKING:
    from random import Random

__all__ = ["EnterPut"]

BOOK = ("panzer-mini",)
_QUARTER = 900
_COARSE, _FINE = 3 * INCH, INCH // 4
"""Steps between places that are suggested, and that are tried where there is little room."""
_MOST = 24
_TRIES = 12


class EnterPut(Put[Action]):
    """A place on the edge where its centre comes onto the table, and the way that it faces there."""

    def __init__(self, context: Context, state: State, unit: Unit) -> None:
        self._unit, self._card = unit, context.card_of(unit)
        self._going = context.going(state)
        self._entry = context.scenario.entries[unit.id]
        self._rails = context.rails
        self.faces = self._entry.inward
        base = base_of(self._card, (0, 0), 0)
        self.base = base.width, base.depth

    def worded(self, strokes: Strokes) -> Action:
        return Enter(self._unit.id, strokes)

    def strokes_of(self, action: Action) -> Strokes | None:
        return action.strokes if isinstance(action, Enter) and action.unit == self._unit.id else None

    @rule("9.8", editions=BOOK)
    def judge(self, strokes: Strokes) -> Judged:
        """On its stretch of the edge, facing onto the table, on ground that it may enter (9.8)"""
        match strokes:
            case (Stroke(verb="put", at=(x, y), heading=int(heading), ref=""),) if 0 <= heading < 3600:
                refusal = self._refusal(Point(x, y), heading)
                marks = () if refusal is not None else (Mark((x, y), heading),)
                return Judged(refusal, 0 if refusal is not None else 1, marks)
            case _:
                return Judged(Refusal("9.8", "it comes on once, somewhere and facing some way", "put 12,0 facing 180"))

    def stands(self, strokes: Strokes) -> tuple[Point, int]:
        """Where it comes on by a legal drawing, and its heading."""
        (stroke,) = strokes
        assert stroke.at is not None and stroke.heading is not None  # noqa: S101, PT018 - of a legal drawing
        return Point(*stroke.at), stroke.heading

    def _refusal(self, at: Point, heading: int) -> Refusal | None:
        begin, end = self._entry.begin, self._entry.end
        if not (begin.x <= at.x <= end.x and begin.y <= at.y <= end.y):
            told = f"it comes on by the {self._entry.edge.value} edge, from {label(begin)} to {label(end)}"
            return Refusal("9.8", f"{label(at)} is not where {self._unit.id} comes on", told)
        if turn(self.faces, heading) >= _QUARTER:
            return Refusal("9.8", f"{self._unit.id} does not face onto the table", f"face {self.faces / 10:g}")
        return refuse_ground(self._going, self._card, base_of(self._card, at, heading))

    def _along(self, step: int) -> Iterator[Point]:
        begin, end = self._entry.begin, self._entry.end
        long = max(end.x - begin.x, end.y - begin.y)
        for far in (*range(long % step // 2, long, step), long):
            yield Point(begin.x + (far if end.x > begin.x else 0), begin.y + (far if end.y > begin.y else 0))

    def suggestions(self) -> Iterator[Suggestion]:
        """By roads that lead there, then along the edge; where little of it may be entered, the first place."""
        seen: set[Point] = set()
        roads = [Point(*end) for line in self._rails.values() for end in (line[0], line[-1])]
        for at in (*roads, *self._along(_COARSE)):
            if at not in seen and len(seen) < _MOST and self._refusal(at, self.faces) is None:
                seen.add(at)
                yield Suggestion(f"at {label(at)}", self.at(*at, self.faces))
        if not seen:
            fine = (at for at in self._along(_FINE) if self._refusal(at, self.faces) is None)
            yield from (Suggestion(f"at {label(at)}", self.at(*at, self.faces)) for at in (next(fine, None),) if at)

    def sketch(self, rng: Random) -> Strokes:
        begin, end = self._entry.begin, self._entry.end
        for _ in range(_TRIES):
            at = Point(rng.randint(begin.x, end.x), rng.randint(begin.y, end.y))
            heading = self.faces if rng.random() < 0.7 else (self.faces + rng.randint(-_QUARTER, _QUARTER)) % 3600
            if self._refusal(at, heading) is None:
                return self.at(*at, heading)
        return super().sketch(rng)

    def region(self) -> Sequence[Outline]:
        """The stretch, an inch deep."""
        begin, end = self._entry.begin, self._entry.end
        return ((begin, end, offset(end, self.faces, INCH, 0), offset(begin, self.faces, INCH, 0)),)
