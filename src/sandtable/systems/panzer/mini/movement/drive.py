"""9.1 Where does it drive? Any way that a hand can draw; the rules judge every one of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from sandtable.core.content.rule import rule
from sandtable.core.decision import Judged, Mark, Stroke, Suggestion, Sweep
from sandtable.core.errors import Refusal
from sandtable.core.tree.drawing import MOST_STROKES, Outline, Strokes
from sandtable.geo.plane.bases import Base
from sandtable.geo.plane.points import INCH, Point, label
from sandtable.geo.plane.ways import ALONG, BACK, FACE, GO
from sandtable.systems.panzer.mini.actions import Action, Move, MoveOn
from sandtable.systems.panzer.mini.context import Context
from sandtable.systems.panzer.mini.going import Going
from sandtable.systems.panzer.mini.movement.allowance import Driver, driver_of
from sandtable.systems.panzer.mini.movement.routes import start_rate
from sandtable.systems.panzer.mini.movement.walk import Field, Others, Terms, Walk, Walker
from sandtable.systems.panzer.mini.moves import InchStep, MoveProgress, Moving
from sandtable.systems.panzer.mini.scenario.bound import base_of
from sandtable.systems.panzer.mini.setup.patterns import offset
from sandtable.systems.panzer.mini.state import State, Unit

if TYPE_CHECKING:
    from random import Random

__all__ = ["DrivePath", "driver"]

BOOK = ("panzer-mini",)
_COMPASS = range(0, 3600, 225)
_MOST_RAILS = 6
_SLANT = 900


def driver(context: Context, unit: Unit, progress: MoveProgress | None = None) -> Driver:
    """A vehicle with its allowances, as its move stands if it is on its way."""
    hurt_at = None if progress is None else progress.hurt_at
    return driver_of(unit, context.card_of(unit), context.tables["movement_numbers"], hurt_at)


def _terms(context: Context) -> Terms:
    """The numbers of movement, read once."""
    found: Terms | None = context.memory.terms
    if found is None:
        found = context.memory.terms = _read_terms(context)
    return found


def _read_terms(context: Context) -> Terms:
    table = context.tables["movement_numbers"]

    def number(name: str) -> int:
        return table.number(name, "value")

    return Terms(
        reverse=number("reverse_factor"),
        height=number("height_cost"),
        most_height=number("most_height_cost"),
        free_turn=10 * number("free_turn_degrees"),
        always=INCH * number("always_inches"),
        discount=number("route_height_discount"),
    )


class _Whence(NamedTuple):
    """All that the steps of a drawing rest on."""

    going: Going
    bases: Mapping[str, Base]
    driver: tuple[Any, ...]
    start: tuple[int, int]
    heading: int
    progress: MoveProgress

    def is_same(self, other: _Whence) -> bool:
        """Whether the same drawing has the same steps from both."""
        return self.going is other.going and self.bases is other.bases and self[2:] == other[2:]


class _Walked(NamedTuple):
    """A way that was walked."""

    whence: _Whence
    strokes: Strokes
    walk: Walk


class DrivePath(Sweep[Action]):
    """The ways of one vehicle, from where it stands or as it goes on from a move under way."""

    verbs = (GO, BACK, FACE, ALONG)

    def __init__(self, context: Context, state: State, unit: Unit, under_way: Moving | None = None) -> None:
        assert unit.at is not None  # noqa: S101 - on the table
        self._context, self._state, self._unit = context, state, unit
        self._under_way = under_way
        self.start, self.heading = unit.at, unit.heading
        self._driver = driver(context, unit, None if under_way is None else under_way.progress)
        base = base_of(context.card_of(unit), unit.at, unit.heading)
        self.base = base.width, base.depth
        going = context.going(state)
        self.rails = context.rails
        field = Field(context.table, going, self.rails)
        others = Others(context.standing(state), context.sides)
        self._walker = Walker(field, self._driver, others, _terms(context))
        rate = start_rate(going, unit.at, unit.heading) if under_way is None else None
        self.progress = MoveProgress(rate=rate) if under_way is None else under_way.progress
        self._whence = _Whence(field.going, others.bases, self._driver.terms, self.start, self.heading, self.progress)

    # --- the rules ---

    def walk(self, strokes: Strokes) -> Walk:
        """The steps of a drawing; the last one walked is kept, for what is drawn is judged and driven next."""
        kept: _Walked | None = self._context.memory.walked
        if kept is not None and kept.strokes == strokes and kept.whence.is_same(self._whence):
            return kept.walk
        walk = self._walker.walk(self.start, self.heading, self.progress, strokes)
        self._context.memory.walked = _Walked(self._whence, strokes, walk)
        return walk

    @rule("9.0", "9.1", "9.1.1", "9.1.2", "9.1.4", "4.3", "4.5.3", editions=BOOK)
    def judge(self, strokes: Strokes) -> Judged:
        """What the rules say of a way, with its cost at every inch (9.1.1)."""
        here = self._mark(self.start, self.heading, self.progress)
        walk = self.walk(strokes)
        if walk.refusal is None:
            return Judged(None, len(strokes), self._marks(walk.steps) or (here,))
        free = list(walk.steps)
        while free and self._is_no_end(free[-1]):
            free.pop()
        marks = self._marks(free) or (here,)
        most = min(len(strokes), MOST_STROKES) - 1
        upto = next((count for count in range(most, 0, -1) if self.walk(strokes[:count]).refusal is None), 0)
        remedy = f"{walk.refusal.remedy}; as far as {label(marks[-1].at)}".removeprefix("; ")
        return Judged(Refusal(walk.refusal.rule, walk.refusal.reason, remedy), upto, marks)

    def _marks(self, steps: Sequence[InchStep]) -> tuple[Mark, ...]:
        return tuple(self._mark(step.at, step.heading, step.after) for step in steps)

    def _mark(self, at: tuple[int, int], heading: int, progress: MoveProgress) -> Mark:
        """A moment of the way, with what is left of the allowance at its rate; none after the inch always allowed."""
        left = max(0, self._driver.allowance(progress.rate) - progress.spent)
        return Mark(at, heading, progress.spent, left)

    def affords(self, step: InchStep) -> bool:
        """Whether its allowance, as it is now, holds for a step that was planned before."""
        return self._walker.affords(step.after)

    def _is_no_end(self, step: InchStep) -> bool:
        return self._walker.refuse_end(step) is not None

    @property
    def may_stop(self) -> bool:
        """Whether it may stay where it is now: upon nobody, and wholly on the table (9.9)."""
        return not self._walker.upon(self.start, self.heading) and self._walker.holds(self.start, self.heading)

    # --- words ---

    def worded(self, strokes: Strokes) -> Action:
        return Move(self._unit.id, strokes) if self._under_way is None else MoveOn(self._unit.id, strokes)

    def strokes_of(self, action: Action) -> Strokes | None:
        kind = Move if self._under_way is None else MoveOn
        return action.strokes if isinstance(action, kind) and action.unit == self._unit.id else None

    # --- what is drawn for those who do not draw ---

    def _reach(self) -> int:
        """How far it could get on clear ground, in thousandths of an inch."""
        left = self._driver.allowance(self.progress.rate) - self.progress.spent
        return max(1, left) * INCH

    def _goals(self) -> Iterator[tuple[str, Strokes]]:
        table, reach = self._context.table, self._reach()
        for name in self._near_rails():
            for end in (self.rails[name][0], self.rails[name][-1]):
                yield f"along {name}", (Stroke(ALONG, (end[0], end[1]), ref=name),)
        across = max(1, self._driver.cross_country - self.progress.spent) * INCH
        for way in _COMPASS:
            at = offset(self.start, (self.heading + way) % 3600, min(across, reach), 0)
            inside = (min(max(at.x, 0), table.width), min(max(at.y, 0), table.depth))
            yield f"{(self.heading + way) % 3600 / 10:g} degrees", (Stroke(GO, inside),)
        for area in self._context.scenario.objectives.values():
            middle = (sum(one.x for one in area) // len(area), sum(one.y for one in area) // len(area))
            yield "towards an objective", (Stroke(GO, middle),)
        for back in (1, 3):
            yield f"back {back} in", (Stroke(BACK, offset(self.start, self.heading, -back * INCH, 0)),)
        for way in range(450, 3600, 450):
            heading = (self.heading + way) % 3600
            yield f"face {heading / 10:g}", (Stroke(FACE, heading=heading),)

    def _near_rails(self) -> list[str]:
        """Roads that it stands on or beside."""
        near = [
            name for name, line in self.rails.items() if any(_is_within(self.start, one, 12 * INCH) for one in line)
        ]
        on = {
            self._context.table.areas[number].text for number in self._context.going(self._state).at(self.start).routes
        }
        return sorted(near, key=lambda name: name not in on)[:_MOST_RAILS]

    def suggestions(self) -> Iterator[Suggestion]:
        yield Suggestion("stay", ())
        seen: set[Strokes] = {()}
        for told, goal in self._goals():
            strokes = self._cut(goal)
            if strokes not in seen:
                seen.add(strokes)
                yield Suggestion(told, strokes)

    def sketch(self, rng: Random) -> Strokes:
        """A way at random: towards some place, perhaps with a bend, a turn at the end or backwards."""
        roll = rng.random()
        rails = self._near_rails() if roll < 0.15 else []
        if rails:
            name = rng.choice(rails)
            end = rng.choice((self.rails[name][0], self.rails[name][-1]))
            return self._cut((Stroke(ALONG, (end[0], end[1]), ref=name),))
        reach = self._driver.cross_country * INCH
        ahead = rng.choice((self.heading, self.heading, rng.randrange(3600)))
        bend = (ahead + rng.randint(-_SLANT, _SLANT)) % 3600
        at = self._on_table(offset(self.start, bend, rng.randint(INCH // 2, max(INCH, reach)), 0))
        goals = [Stroke(BACK if roll > 0.95 else GO, at)]
        if roll > 0.9:
            goals.append(Stroke(FACE, heading=rng.randrange(3600)))
        elif roll > 0.7:
            goals.append(Stroke(GO, self._on_table(offset(at, rng.randrange(3600), rng.randint(INCH, 4 * INCH), 0))))
        return self._cut(tuple(goals))

    def _on_table(self, at: Point) -> tuple[int, int]:
        """The place, or the nearest to it where a base has room."""
        table = self._context.table
        return min(max(at.x, INCH), table.width - INCH), min(max(at.y, INCH), table.depth - INCH)

    def _cut(self, strokes: Strokes) -> Strokes:
        """A drawing up to the last inch mark of its first wrong stroke where one may stop; to stay if there is none."""
        walk = self.walk(strokes)
        if walk.refusal is None:
            return strokes
        for count in range(len(strokes) - 1, -1, -1):
            held = strokes[:count]
            if count and self.walk(held).refusal is not None:
                continue
            one = strokes[count]
            if one.at is not None:
                for step in reversed(walk.steps):
                    cut = (*held, Stroke(one.verb, (step.at.x, step.at.y), ref=one.ref))
                    if not self._is_no_end(step) and self.walk(cut).refusal is None:
                        return cut
            if count:
                return held
        return ()

    def region(self) -> Sequence[Outline]:
        """Where it may come to in a straight line, for showing."""
        ends = []
        for way in _COMPASS:
            at = offset(self.start, (self.heading + way) % 3600, self._reach(), 0)
            steps = self.walk((Stroke(GO, (at.x, at.y)),)).steps
            ends.append((steps[-1].at.x, steps[-1].at.y) if steps else self.start)
        return (tuple(ends),)


def _is_within(one: tuple[int, int], other: tuple[int, int], units: int) -> bool:
    return abs(one[0] - other[0]) <= units and abs(one[1] - other[1]) <= units
