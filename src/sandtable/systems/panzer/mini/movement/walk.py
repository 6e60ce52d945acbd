"""9.1-9.9 A way over the table, inch by inch: what each costs, and what stands against it.

The centre of the base decides the ground, the base decides bodies. An inch costs its dearest ground (R6), what is
left at the end counts as a whole inch; pivots add up until an inch has been driven since (R8).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sandtable.core.content.rule import rule
from sandtable.core.errors import Refusal
from sandtable.core.tree.drawing import MOST_STROKES, Strokes
from sandtable.geo.plane.bases import Base, overlap, run_into
from sandtable.geo.plane.points import INCH, Point, length
from sandtable.geo.plane.table import TableMap
from sandtable.geo.plane.ways import BACK, Inch, Leg, Way, lay
from sandtable.systems.panzer.mini.going import Body, Footing, Going
from sandtable.systems.panzer.mini.movement.allowance import Driver
from sandtable.systems.panzer.mini.movement.inch import InchCost
from sandtable.systems.panzer.mini.movement.routes import is_along, rate_of_move
from sandtable.systems.panzer.mini.moves import Progress, Step, Wall
from sandtable.systems.panzer.mini.scenario.bound import base_of, holds_base
from sandtable.systems.panzer.terrain import Rate

__all__ = ["Field", "Others", "Terms", "Walk", "Walker"]

BOOK = ("panzer-mini",)
_NEAR = 9000
"""Beyond so many units, in either axis, nobody's base is asked exactly."""


class Terms(NamedTuple):
    """The numbers of movement that no terrain sets."""

    reverse: int
    height: int
    most_height: int
    free_turn: int
    """In tenths of a degree."""
    always: int
    """In thousandths of an inch."""
    discount: int


class Walk(NamedTuple):
    """A way as far as it holds."""

    steps: tuple[Step, ...]
    refusal: Refusal | None


class Others(NamedTuple):
    """What else stands on the table."""

    bases: Mapping[str, Base]
    """All units but the one that drives."""
    enemies: frozenset[str]
    wrecks: Sequence[tuple[tuple[int, int], ...]]


class Field(NamedTuple):
    """Where it is driven."""

    table: TableMap
    going: Going
    rails: Mapping[str, Sequence[tuple[int, int]]]
    """Roads and paths that may be followed, by their names."""


class Walker:
    """Judges ways of one vehicle from where it stands."""

    def __init__(self, field: Field, driver: Driver, others: Others, terms: Terms) -> None:
        self._table, self._going, self._rails = field
        self._driver, self._others, self._terms = driver, others, terms

    def walk(self, start: tuple[int, int], heading: int, progress: Progress, strokes: Strokes) -> Walk:
        """The steps of a way, up to what stands against it."""
        if len(strokes) > MOST_STROKES or any(
            one.heading is not None and not 0 <= one.heading < 3600 for one in strokes
        ):
            return Walk(
                (), Refusal("9.1.2", "it cannot be driven", f"{MOST_STROKES} strokes at the most, headings below 360")
            )
        if strokes and self._driver.unit.markers.track:
            return Walk((), Refusal("9.2.1.3", "it has a Track hit and may neither move nor pivot", "stay"))
        way = lay(start, heading, strokes, self._rails)
        if isinstance(way, int):
            held = self.walk(start, heading, progress, strokes[:way])
            refusal = Refusal(
                "9.1.2", f"{strokes[way]} is no stroke that can be driven", "go, back, face, or along a road"
            )
            return Walk(held.steps, held.refusal or refusal)
        return self._run(way, progress, strokes)

    def _run(self, way: Way, progress: Progress, strokes: Strokes) -> Walk:
        steps: list[Step] = []
        walked = _Walked(self._going.at(way.start), frozenset(self._inside(way.start, way.heading)), None)
        for inch in way.inches():
            found = self._inch(inch, progress, walked, strokes)
            if isinstance(found, Refusal):
                return Walk(tuple(steps), found)
            step, walked = found
            steps.append(step)
            progress = step.after
            if step.edge:
                left = inch.leg is not way.legs[-1]
                return Walk(
                    tuple(steps), Refusal("9.8", "it has left the table", "end the way there") if left else None
                )
        return Walk(tuple(steps), self.refuse_end(steps[-1]) if steps else None)

    @rule("9.9", "9.9.2", editions=BOOK)
    def refuse_end(self, step: Step) -> Refusal | None:
        """Nobody ends upon another (9.9)."""
        if step.upon:
            return Refusal("9.9", f"it would end upon {step.upon}", "a place that is free")
        if not step.edge and not self.holds(step.at, step.heading):
            return Refusal("9.9", "its base would hang over the edge", "wholly on the table, or off it")
        return None

    def holds(self, at: tuple[int, int], heading: int) -> bool:
        """Whether its base would lie wholly on the table."""
        return holds_base(self._table, self._base(at, heading))

    def _base(self, at: tuple[int, int], heading: int) -> Base:
        return base_of(self._driver.card, at, heading)

    def _inside(self, at: tuple[int, int], heading: int) -> list[Body]:
        base = self._base(at, heading)
        return self._going.met(base, base)

    def _inch(
        self, inch: Inch, progress: Progress, walked: _Walked, strokes: Strokes
    ) -> tuple[Step, _Walked] | Refusal:
        """One inch: its step and how all stands after it, or why it cannot be driven."""
        cost = InchCost(self._going, self._driver.traction, self._terms.most_height)
        pivots, turned, run = list(progress.pivots), progress.turned, progress.driven
        rate, lost, lost_rule = progress.rate, progress.lost, progress.lost_rule
        walls: list[Wall] = []
        edge = ""
        for leg, a, b in inch.parts:
            if leg is not walked.leg:
                walked = walked._replace(leg=leg)
                if leg.pivot:
                    pivots = [*((at, by) for at, by in pivots if run - at < INCH), (run, leg.pivot)]
                    if sum(by for _, by in pivots) > self._terms.free_turn:
                        cost.turn += self._going.turn_cost(walked.footing)
                        pivots, turned = [], True
            if a != b:
                cost.is_reverse = cost.is_reverse or strokes[leg.stroke].verb == BACK
                kept = rate
                driven = self._drive(a, b, walked.footing, rate, cost)
                if isinstance(driven, Refusal):
                    return driven
                footing, rate = driven
                walked = walked._replace(footing=footing)
                if rate is None and kept is not None:
                    lost, lost_rule = "it does not keep to the route", "9.5.2"
                elif rate is not None and self._crosses(leg, a, b):
                    rate, lost, lost_rule = None, "a wreck or an enemy is on the route", "9.5.5"
                run += length(a, b)
            if rate is not None and not is_along(self._going, walked.footing, b, leg.heading):
                rate, lost, lost_rule = None, "it does not face along the route", "9.5.1"
            met = self._bodies(leg, a, b, walked.inside)
            if isinstance(met, Refusal):
                return met
            walls += met[0]
            walked = walked._replace(inside=met[1])
            if b not in self._table:
                edge = _edge(self._table, b)
                break
        after = Progress(
            driven=progress.driven + inch.length,
            spent=progress.spent + cost.total(self._terms.reverse),
            rate=rate,
            lost=lost,
            lost_rule=lost_rule,
            turned=turned or progress.turned,
            pivots=tuple(pivots),
            hurt_at=progress.hurt_at,
        )
        end = Point(*inch.end)
        step = Step(
            at=end,
            heading=inch.leg.heading,
            ground=cost.ground,
            base=cost.dearest,
            terms=cost.terms(self._terms.reverse),
            after=after,
            upon="" if edge else self.upon(end, inch.leg.heading),
            edge=edge,
            walls=tuple(walls),
        )
        refusal = self._refuse_spending(after, cost)
        return (step, walked) if refusal is None else refusal

    def _drive(
        self, a: Point, b: Point, before: Footing, rate: Rate | None, cost: InchCost
    ) -> tuple[Footing, Rate | None] | Refusal:
        """Straight from one place to another: what its ground costs, and its rate; or what of it is in the way."""
        for footing in self._going.along(a, b):
            refusal = self._refuse_ground(before, footing)
            if refusal is not None:
                return refusal
            cost.enter(before, footing, self._terms.height, self._terms.discount)
            rate = rate_of_move(self._going, rate, footing)
            before = footing
        return before, rate

    @rule("9.3.2", "9.5.7", "9.6", "5.5.1.11", "5.5.1.17", editions=BOOK)
    def _refuse_ground(self, before: Footing, now: Footing) -> Refusal | None:
        """Ground that may not be entered, or not from here (9.3.2)."""
        going, traction = self._going, self._driver.traction
        if now.barred is not None:
            return Refusal("9.3.2", f"{going.title(now.barred)} is in the way", "a bridge or a ford")
        if going.cost(now.kind, traction) is None:
            rule_number = "9.5.7" if before.routes else "9.3.2"
            return Refusal(
                rule_number, f"it may not enter {going.title(now.kind)}", "round it, or along a road through it"
            )
        for number in now.markers:
            if number not in before.markers and going.adder(number, traction) is None:
                return Refusal("9.3.2", f"it may not enter {going.title(going.kind_of(number))}", "round it")
        if now.level != before.level and not (now.slopes or before.slopes):
            return Refusal("5.5.1.11", "the edge is sheer here", "up or down by a slope")
        if abs(now.level - before.level) > 1:
            return Refusal("5.5.1.17", "a slope leads up or down by one height, and more are a cliff", "round it")
        if not (going.leads_onto(before, now) and going.leads_onto(now, before)):
            return Refusal("9.6", "a bridge is entered and left by its path or road only", "along the road")
        return None

    @rule("9.7.1", "9.7.2", editions=BOOK)
    def _bodies(
        self, leg: Leg, a: Point, b: Point, inside: frozenset[Body]
    ) -> tuple[list[Wall], frozenset[Body]] | Refusal:
        """Buildings that it enters or leaves with its base (9.7.2), or why it may not (9.7.1)."""
        if not self._going.bodies:
            return [], inside
        end = self._base(b, leg.heading)
        met = self._going.met(self._base(a, leg.heading), end)
        for body in met:
            title = self._going.title(body.kind)
            if self._going.cost(body.kind, self._driver.traction) is None or not self._driver.card.enters_buildings:
                number = "9.7.1" if self._going.is_building(body.kind) else "9.3.2"
                return Refusal(number, f"{self._driver.card.name} may not enter a {title}", "round it")
            if body not in inside and not self._driver.turret_is_lengthways:
                return Refusal("9.7.1", f"its turret must point ahead or back to enter a {title}", "round it")
        now = frozenset(self._going.met(end, end)) if met else frozenset[Body]()
        walls = [Wall(body.kind) for body in met if body not in inside]
        left = {*inside, *met} - now
        walls += [Wall(body.kind, leaves=True) for body in self._going.bodies if body in left]
        return walls, now

    @rule("9.5.5", "9.6", editions=BOOK)
    def _crosses(self, leg: Leg, a: Point, b: Point) -> bool:
        """Whether a wreck or an opposing unit is on its part of a route; friends are ignored (9.5.5)."""
        start, end = self._base(a, leg.heading), self._base(b, leg.heading)
        others = self._others
        enemies = [base for key, base in others.bases.items() if key in others.enemies and _is_near(base.at, a, b)]
        if any(run_into(start, end, base.outline) for base in enemies):
            return True
        return any(_is_near(wreck[0], a, b) and run_into(start, end, wreck) for wreck in others.wrecks)

    def upon(self, at: tuple[int, int], heading: int) -> str:
        """Whom its base would stand upon somewhere."""
        base = self._base(at, heading)
        x, y = at
        for key, other in self._others.bases.items():
            ox, oy = other.at
            if -_NEAR <= ox - x <= _NEAR and -_NEAR <= oy - y <= _NEAR and overlap(base, other):
                return key
        near = (wreck for wreck in self._others.wrecks if _is_near(wreck[0], base.at, base.at))
        return "a wreck" if any(run_into(base, base, wreck) for wreck in near) else ""

    @rule("9.2.1", "9.3.5", editions=BOOK)
    def affords(self, after: Progress) -> bool:
        """Whether a move may come to this: within the allowance, or the one inch that is always allowed (9.3.5)."""
        is_first = after.driven <= self._terms.always and not after.turned
        return is_first or after.spent <= self._driver.allowance(after.rate)

    @rule("9.4.1", "9.5.2", editions=BOOK)
    def _refuse_spending(self, after: Progress, cost: InchCost) -> Refusal | None:
        """More than the allowance, unless it is the one inch that is always allowed (9.3.5)."""
        if self.affords(after):
            return None
        allowance = self._driver.allowance(after.rate)
        told = f"it costs {after.spent} of {allowance}"
        if cost.turn and after.spent - cost.turn <= allowance:
            return Refusal("9.4.1", f"{told}: it may not exceed its allowance by turning", "turn by 90 degrees or less")
        if after.lost and after.spent <= self._driver.road:
            return Refusal(after.lost_rule, f"{told} across country: {after.lost}", "keep to the route, or go less far")
        return Refusal("9.2.1", told, "go less far")


class _Walked(NamedTuple):
    """How all stands between two inches."""

    footing: Footing
    inside: frozenset[Body]
    leg: Leg | None


def _is_near(at: tuple[int, int], a: tuple[int, int], b: tuple[int, int]) -> bool:
    return (
        min(a[0], b[0]) - _NEAR <= at[0] <= max(a[0], b[0]) + _NEAR
        and min(a[1], b[1]) - _NEAR <= at[1] <= max(a[1], b[1]) + _NEAR
    )


def _edge(table: TableMap, at: Point) -> str:
    """The edge beyond which a place lies farthest (9.8)."""
    beyond = {"north": -at.y, "east": at.x - table.width, "south": at.y - table.depth, "west": -at.x}
    return max(beyond, key=lambda edge: beyond[edge])
