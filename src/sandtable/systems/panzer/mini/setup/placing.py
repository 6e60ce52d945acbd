"""Where a vehicle may be set down: in its zone, on ground that it may enter, and on nobody (23.1.3, 9.3.2, 9.9)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from sandtable.core.decision import Judged, Mark, Put, Stroke, Suggestion
from sandtable.core.errors import Refusal
from sandtable.core.tree.drawing import Outline, Strokes
from sandtable.geo.plane.bases import Base, overlap, run_into
from sandtable.geo.plane.points import INCH, Point, label
from sandtable.geo.shapes.polygon import PointPosition, locate
from sandtable.systems.panzer.mini.actions import Action, Deploy, Pattern
from sandtable.systems.panzer.mini.context import Context
from sandtable.systems.panzer.mini.scenario.bound import base_of, holds_base
from sandtable.systems.panzer.mini.setup.patterns import places
from sandtable.systems.panzer.mini.standing import refuse_ground
from sandtable.systems.panzer.mini.state import State, Unit
from sandtable.systems.panzer.unit import UnitId

if TYPE_CHECKING:
    from random import Random

__all__ = ["DeployPut"]

_COARSE, _FINE = 4 * INCH, INCH // 2
"""Steps between places that are tried."""
_MOST = 24
_TRIES = 12


class DeployPut(Put[Action]):
    """Set vehicles down in their zone, the first where the drawing says and the others by their pattern (23.1.3)."""

    def __init__(self, context: Context, state: State, units: Sequence[UnitId], pattern: Pattern) -> None:
        self._context = context
        self._units = [state.units[unit] for unit in units]
        self._pattern = pattern
        self._going = context.going(state)
        zone = state.zones[self._units[0].side]
        self._zone = context.scenario.zones[zone]
        self.faces = context.scenario.inward[zone]
        """The heading onto the table."""
        self._standing = context.standing(state)
        bases = (base_of(context.card_of(unit), (0, 0), 0) for unit in self._units)
        self._sizes = [(base.width, base.depth) for base in bases]
        self.base = self._sizes[0]
        self._spread = 0, places(pattern, (0, 0), 0, self._sizes)
        """A heading, and where they stand then when the first of them stands at the corner of the table."""
        self.followers = tuple((at.x, at.y) for at in self._spread[1][1:])

    def worded(self, strokes: Strokes) -> Action:
        return Deploy(tuple(unit.id for unit in self._units), strokes, self._pattern)

    def strokes_of(self, action: Action) -> Strokes | None:
        units = tuple(unit.id for unit in self._units)
        fits = isinstance(action, Deploy) and action.units == units and action.pattern is self._pattern
        return action.strokes if fits and isinstance(action, Deploy) else None

    def judge(self, strokes: Strokes) -> Judged:
        match strokes:
            case (Stroke(verb="put", at=(x, y), heading=int(heading), ref=""),) if 0 <= heading < 3600:
                refusal = self._refusal((x, y), heading)
                marks = () if refusal is not None else (Mark((x, y), heading),)
                return Judged(refusal, 0 if refusal is not None else 1, marks)
            case _:
                return Judged(
                    Refusal("23.1.3", "it is set down once, somewhere and facing some way", "put 12,6 facing 0")
                )

    def stands(self, strokes: Strokes) -> dict[UnitId, tuple[Point, int]]:
        """Where each stands after a legal drawing, and its heading."""
        (stroke,) = strokes
        assert stroke.at is not None and stroke.heading is not None  # noqa: S101, PT018 - of a legal drawing
        heading = stroke.heading
        found = self._places(stroke.at, heading)
        return {unit.id: (at, heading) for unit, at in zip(self._units, found, strict=True)}

    def _places(self, first: tuple[int, int], heading: int) -> list[Point]:
        """Where they stand if the first of them stands somewhere."""
        known, spread = self._spread
        if known != heading:
            spread = places(self._pattern, (0, 0), heading, self._sizes)
            self._spread = heading, spread
        x, y = first
        return [Point(x + aside, y + ahead) for aside, ahead in spread]

    def _refusal(self, first: tuple[int, int], heading: int) -> Refusal | None:
        beside: dict[str, Base] = dict(self._standing)
        found = self._places(first, heading)
        for unit, at, (width, depth) in zip(self._units, found, self._sizes, strict=True):
            base = Base(at, heading, width, depth)
            refusal = self._refuse_one(unit, base, beside)
            if refusal is not None:
                return refusal
            beside[unit.id] = base
        return None

    def _refuse_one(self, unit: Unit, base: Base, beside: dict[str, Base]) -> Refusal | None:
        at = base.at
        if not holds_base(self._context.table, base):
            return Refusal(
                "23.1.3", f"{unit.id} would stand over the edge of the table", "set it down wholly on the table"
            )
        if locate(at, self._zone) is PointPosition.OUTSIDE:
            return Refusal("23.1.3", f"{unit.id} at {label(at)} is outside its zone", "a place inside it")
        upon = next((key for key, other in beside.items() if overlap(base, other)), "")
        if upon:
            return Refusal("9.9", f"{unit.id} would stand upon {upon}", "a place that is free")
        if any(run_into(base, base, wreck.outline) for wreck in self._going.wrecks):
            return Refusal("9.9", f"{unit.id} would stand upon a wreck", "a place that is free")
        return refuse_ground(self._going, self._context.card_of(unit), base)

    def _lattice(self, step: int) -> Iterator[tuple[int, int]]:
        xs, ys = [corner.x for corner in self._zone], [corner.y for corner in self._zone]
        columns = range(min(xs) + INCH, max(xs), step)
        return ((x, y) for y in range(min(ys) + INCH, max(ys), step) for x in columns)

    def suggestions(self) -> Iterator[Suggestion]:
        """Places all over the zone; where it is crowded, the first that is free."""
        found = 0
        for step, most in ((_COARSE, _MOST), (_FINE, 1)):
            for at in self._lattice(step) if found == 0 else ():
                if found < most and self._refusal(at, self.faces) is None:
                    found += 1
                    yield Suggestion(f"at {label(at)}", self.at(*at, self.faces))

    def has_room(self) -> bool:
        """Whether there is any suggestion."""
        return next(self.suggestions(), None) is not None

    def sketch(self, rng: Random) -> Strokes:
        xs, ys = [corner.x for corner in self._zone], [corner.y for corner in self._zone]
        for _ in range(_TRIES):
            at = rng.randint(min(xs), max(xs)), rng.randint(min(ys), max(ys))
            heading = self.faces if rng.random() < 0.7 else rng.randrange(3600)
            if self._refusal(at, heading) is None:
                return self.at(*at, heading)
        return super().sketch(rng)

    def region(self) -> Sequence[Outline]:
        return (tuple((corner.x, corner.y) for corner in self._zone),)
