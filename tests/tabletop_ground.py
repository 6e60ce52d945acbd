"""The ground of the tabletop game: what may be driven and where things may be put, by geometry alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import NamedTuple, TypeVar

from sandtable.core.decision import Judged, Mark, Put, Stroke, Suggestion, Sweep
from sandtable.core.errors import Refusal
from sandtable.core.tree.drawing import Outline
from sandtable.geo.plane.bases import Base, is_half_inside, overlap, run_into
from sandtable.geo.plane.headings import vector
from sandtable.geo.plane.lines import Zone, is_longer, shared, zones_of
from sandtable.geo.plane.points import INCH, Point, label, range_inches, square, within
from sandtable.geo.plane.sectors import sectors_of
from sandtable.geo.plane.sight import PlaneSight
from sandtable.geo.plane.table import TableMap
from sandtable.geo.plane.ways import ALONG, BACK, FACE, GO, Inch, Way, lay
from sandtable.geo.sight import Profile

A = TypeVar("A")
Strokes = tuple[Stroke, ...]
Word = Callable[[Strokes], A]
Read = Callable[[A], Strokes | None]

SIZE = INCH
"""Of a tank's base, both ways."""
TEMPLATE = 4 * INCH
ALLOWANCE = 24
CLEAR, WOODS, ROAD, PIVOT = 2, 4, 1, 2
"""What an inch costs, and a turn of more than 90 degrees."""
STRIP = 8 * INCH
"""How deep the edges are where tanks are set down."""
AHEAD = (-450, 450, 1350, 2250)
FARTHEST = 15


class Field(NamedTuple):
    """The table, and where tanks stand on it."""

    table: TableMap
    standing: Mapping[str, tuple[Point, int]]

    def base(self, tank: str) -> Base:
        at, heading = self.standing[tank]
        return Base(at, heading, SIZE, SIZE)

    def holds(self, base: Base) -> bool:
        """Whether a base lies on the table, corners and all."""
        return all(0 <= x <= self.table.width * 10**9 and 0 <= y <= self.table.depth * 10**9 for x, y in base.corners)

    def outlines(self, kind: str) -> list[tuple[tuple[int, int], ...]]:
        return [feature.outline for feature in self.table.areas if feature.kind == kind]

    def upon(self, base: Base, but: str = "") -> str:
        """Whom a base would stand on."""
        return next((key for key in self.standing if key != but and overlap(base, self.base(key))), "")


def struck(field: Field, at: Point, heading: int) -> list[str]:
    """1.2: tanks of which half or more lies under the template."""
    template = Base(at, heading, TEMPLATE, TEMPLATE)
    return [tank for tank in field.standing if is_half_inside(field.base(tank), template)]


def sees(field: Field, a: Point, b: Point) -> bool:
    """3.1: no house on the line, but for one close to either end, and no more than an inch of woods."""
    return not sight_of(field, a, b).blocked


def sight_of(field: Field, a: Point, b: Point) -> PlaneSight:
    """3.1: the line between two places, and what blocks it."""
    found = field.table.shapes.spans(a, b)
    profile = [Profile(at, level, level) for at in (a, b) for level in (field.table.level(at),)]
    for number, spans in found.items():
        kind = field.table.areas[number].kind
        is_house = kind == "house" and any(Zone.MIDWAY in zones_of(a, b, span) for span in spans)
        if is_house or (kind == "woods" and is_longer(a, b, shared(spans), INCH)):
            at = _along(a, b, spans[0][0])
            step = Profile(at, field.table.level(at), field.table.level(at) + 2, kind)
            return PlaneSight(
                a=a,
                b=b,
                range_inches=range_inches(a, b),
                blocked=True,
                at=at,
                by=kind,
                reason=f"the {kind} is in the way",
                rules=("3.1",),
                profile=(profile[0], step, profile[1]),
            )
    return PlaneSight(a=a, b=b, range_inches=range_inches(a, b), blocked=False, profile=tuple(profile))


def _along(a: Point, b: Point, share: Fraction) -> Point:
    return Point(a.x + round((b.x - a.x) * share), a.y + round((b.y - a.y) * share))


def ahead_of(at: Point, heading: int) -> Outline:
    """3.1: what lies ahead within range, as an outline."""
    rim = (vector(heading + turn) for turn in range(-450, 451, 75))
    reach = FARTHEST * INCH
    return (at, *(Point(at.x + x * reach // 10**9, at.y + y * reach // 10**9) for x, y in rim))


def target_of(field: Field, tank: str, enemies: Sequence[str]) -> str | None:
    """3.1: the nearest enemy ahead that is seen."""
    at, heading = field.standing[tank]
    found = [
        (square(at, field.standing[enemy][0]), enemy)
        for enemy in enemies
        if enemy in field.standing
        and range_inches(at, field.standing[enemy][0]) <= FARTHEST
        and 0 in sectors_of(at, heading, AHEAD, field.standing[enemy][0])
        and sees(field, at, field.standing[enemy][0])
    ]
    return min(found)[1] if found else None


class DrivePath(Sweep[A]):
    """2.1: any way, up to the allowance."""

    verbs = (GO, BACK, FACE, ALONG)
    base = (SIZE, SIZE)

    def __init__(self, field: Field, tank: str, word: Word[A], read: Read[A]) -> None:
        self._field = field
        self._tank = tank
        self._word = word
        self._read = read
        self.start, self.heading = field.standing[tank]
        self.rails = {
            name: line for name, line in field.table.rails.items() if not name.startswith(("stream", "bridge"))
        }

    def worded(self, strokes: Strokes) -> A:
        return self._word(strokes)

    def strokes_of(self, action: A) -> Strokes | None:
        return self._read(action)

    def way(self, strokes: Strokes) -> Way:
        """The way of a legal drawing."""
        way = lay(self.start, self.heading, strokes, self.rails)
        assert isinstance(way, Way)
        return way

    def judge(self, strokes: Strokes) -> Judged:
        refusal, marks = self._examined(strokes)
        if refusal is None:
            return Judged(None, len(strokes), marks)
        upto = next(number for number in range(len(strokes) - 1, -1, -1) if self._examined(strokes[:number])[0] is None)
        place = label(marks[-1].at) if marks else label(self.start)
        return Judged(Refusal(refusal.rule, refusal.reason, f"as far as {place}"), upto, marks)

    def _examined(self, strokes: Strokes) -> tuple[Refusal | None, tuple[Mark, ...]]:
        """What stands against a way, and its inch marks up to there."""
        way = lay(self.start, self.heading, strokes, self.rails)
        if isinstance(way, int):
            return Refusal("2.1", f"{strokes[way]} is no stroke that can be driven"), ()
        spent, pivots = 0, 0
        marks: list[Mark] = []
        for inch in way.inches():
            pivots = sum(leg.pivot for leg, start, _ in inch.parts if start == leg.start) + (
                0 if inch.length else pivots
            )
            spent += self._price(inch) + (PIVOT if pivots > 900 else 0)
            refusal = self._barred(inch) or (
                Refusal("2.2", f"it costs {spent} of {ALLOWANCE}") if spent > ALLOWANCE else None
            )
            if refusal is not None:
                return refusal, tuple(marks)
            marks.append(Mark(inch.end, inch.leg.heading, spent, ALLOWANCE - spent))
        at, heading = way.end
        upon = self._field.upon(Base(at, heading, SIZE, SIZE), self._tank)
        if upon:
            return Refusal("2.4", f"it would stand on {upon}"), tuple(marks)
        return None, tuple(marks)

    def _price(self, inch: Inch) -> int:
        """2.2: an inch costs its dearest ground, and less if all of it lies on a road."""
        if not inch.length:
            return 0
        kinds: list[set[str]] = []
        on_road = True
        for _, a, b in inch.parts:
            if a == b:
                continue
            spans = self._field.table.shapes.spans(a, b)
            kinds.append({self._field.table.areas[number].kind for number in spans})
            on_road = on_road and any(
                self._field.table.areas[number].kind == "road" and shared(one) == 1 for number, one in spans.items()
            )
        if on_road:
            return ROAD
        return WOODS if any("woods" in one for one in kinds) else CLEAR

    def _barred(self, inch: Inch) -> Refusal | None:
        """2.3, 2.4: the edge of the table, of a hill, of a stream, and houses."""
        table = self._field.table
        for leg, a, b in inch.parts:
            start, end = (Base(at, leg.heading, SIZE, SIZE) for at in (a, b))
            if not self._field.holds(end):
                return Refusal("2.1", "it leaves the table")
            if any(run_into(start, end, house) for house in self._field.outlines("house")):
                return Refusal("2.4", "there is a house in the way")
            if a == b:
                continue
            held = {table.areas[number].kind for number, spans in table.shapes.spans(a, b).items() if shared(spans)}
            if "stream" in held and "bridge" not in held:
                return Refusal("2.3", "there is a stream and no bridge")
            if table.level(a) != table.level(b) and "slope" not in held:
                return Refusal("2.3", "the hill is too steep here", "a slope")
        return None

    def suggestions(self) -> Iterator[Suggestion]:
        yield Suggestion("stay", ())
        seen: set[Strokes] = {()}
        goals: list[Stroke] = []
        for way in range(0, 3600, 450):
            x, y = vector(way)
            reach = ALLOWANCE // CLEAR * INCH
            goals.append(Stroke(GO, (self.start[0] + x * reach // 10**9, self.start[1] + y * reach // 10**9)))
        goals += [Stroke(ALONG, end, ref=name) for name, line in self.rails.items() for end in (line[0], line[-1])]
        for goal in goals:
            strokes = self._cut((goal,))
            if strokes not in seen:
                seen.add(strokes)
                yield Suggestion(", ".join(map(str, strokes)), strokes)

    def sketch(self, rng: Random) -> Strokes:
        goals = []
        for _ in range(rng.randint(1, 3)):
            at = tuple(start + rng.randint(-8 * INCH, 8 * INCH) for start in self.start)
            goals.append(Stroke(rng.choice((GO, GO, GO, BACK)), (at[0], at[1])))
        if rng.random() < 0.5:
            goals.append(Stroke(FACE, heading=rng.randrange(3600)))
        return self._cut(tuple(goals))

    def _cut(self, strokes: Strokes) -> Strokes:
        """A drawing up to the last inch mark of its first wrong stroke where one may stop; to stay if there is none."""
        judged = self.judge(strokes)
        if judged.refusal is None:
            return strokes
        held = strokes[: judged.upto]
        one = strokes[judged.upto]
        if one.verb == GO:
            for mark in reversed(judged.marks):
                cut = (*held, Stroke(GO, mark.at))
                if self.judge(cut).refusal is None:
                    return cut
        return held

    def region(self) -> Sequence[Outline]:
        ends = [self.way(one.strokes).end[0] for one in list(self.suggestions())[1:9]]
        return (tuple(ends),) if len(ends) > 2 else ()


class FieldPut(Put[A]):
    """Something that is put on the table, facing some way."""

    def __init__(self, field: Field, word: Word[A], read: Read[A]) -> None:
        self._field = field
        self._word = word
        self._read = read

    def worded(self, strokes: Strokes) -> A:
        return self._word(strokes)

    def strokes_of(self, action: A) -> Strokes | None:
        return self._read(action)

    def judge(self, strokes: Strokes) -> Judged:
        match strokes:
            case (Stroke(verb="put", at=(x, y), heading=int(heading), ref=""),):
                refusal = self._refusal(Point(x, y), heading)
                marks = () if refusal is not None else (Mark((x, y), heading),)
                return Judged(refusal, 0 if refusal is not None else 1, marks)
            case _:
                return Judged(Refusal("1.0", "it is put down once, somewhere and facing some way"))

    def _refusal(self, at: Point, heading: int) -> Refusal | None:
        raise NotImplementedError

    def _places(self) -> Iterator[Point]:
        """Places to try, every fourth inch."""
        table = self._field.table
        for y in range(2 * INCH, table.depth, 4 * INCH):
            for x in range(2 * INCH, table.width, 4 * INCH):
                yield Point(x, y)

    def suggestions(self) -> Iterator[Suggestion]:
        legal = [at for at in self._places() if self._refusal(at, self._faces) is None]
        for at in legal[:: max(1, len(legal) // 24)][:24]:
            yield Suggestion(f"at {label(at)}", self.at(*at, self._faces))

    _faces = 0

    def sketch(self, rng: Random) -> Strokes:
        table = self._field.table
        for _ in range(20):
            at, heading = Point(rng.randrange(table.width), rng.randrange(table.depth)), rng.randrange(3600)
            if self._refusal(at, heading) is None:
                return self.at(*at, heading)
        return super().sketch(rng)


class TankPut(FieldPut[A]):
    """1.1: near the edge of one's side, in no house and on nobody."""

    base = (SIZE, SIZE)

    def __init__(self, field: Field, word: Word[A], read: Read[A], *, north: bool) -> None:
        super().__init__(field, word, read)
        self._top = 0 if north else field.table.depth - STRIP
        self._faces = 1800 if north else 0

    def _refusal(self, at: Point, heading: int) -> Refusal | None:
        base = Base(at, heading, SIZE, SIZE)
        if not self._field.holds(base) or not self._top <= at.y <= self._top + STRIP:
            return Refusal("1.1", f"{label(at)} is not near your edge", f"within {STRIP // INCH} in of it")
        if any(run_into(base, base, house) for house in self._field.outlines("house")):
            return Refusal("1.1", "there is a house")
        upon = self._field.upon(base)
        return Refusal("1.1", f"it would stand on {upon}") if upon else None

    def region(self) -> Sequence[Outline]:
        right, bottom = self._field.table.width, self._top + STRIP
        return (((0, self._top), (right, self._top), (right, bottom), (0, bottom)),)


class ShellPut(FieldPut[A]):
    """1.2: with its middle on the table, more than six inches from one's own."""

    base = (TEMPLATE, TEMPLATE)

    def __init__(self, field: Field, word: Word[A], read: Read[A], own: Sequence[Point]) -> None:
        super().__init__(field, word, read)
        self._own = own

    def _refusal(self, at: Point, heading: int) -> Refusal | None:
        if at not in self._field.table:
            return Refusal("1.2", f"{label(at)} is off the table")
        near = next((one for one in self._own if within(at, one, 6)), None)
        return None if near is None else Refusal("1.2", f"one of yours stands at {label(near)}", "7 in or more away")
