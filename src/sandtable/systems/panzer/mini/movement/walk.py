"""9.1-9.9 A way over the table, inch by inch: what each costs, and what stands against it.

The centre of the base decides the ground, the base decides bodies. An inch costs its dearest ground (ruling M6), what
is left at the end counts as a whole inch; pivots add up until an inch has been driven since (ruling M8).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sandtable.core.content.rule import rule
from sandtable.core.errors import Refusal
from sandtable.core.tree.drawing import MOST_STROKES, Strokes
from sandtable.geo.plane.bases import Base, overlap, run_into
from sandtable.geo.plane.points import INCH, Point, box_of
from sandtable.geo.plane.table import TableMap
from sandtable.geo.plane.ways import BACK, Inch, Leg, Way, lay
from sandtable.systems.panzer.mini.going import Body, Footing, Going
from sandtable.systems.panzer.mini.movement.allowance import Driver
from sandtable.systems.panzer.mini.movement.inch import InchCost
from sandtable.systems.panzer.mini.movement.routes import is_along, rate_of_move
from sandtable.systems.panzer.mini.moves import InchStep, MoveProgress, Wall
from sandtable.systems.panzer.mini.scenario.bound import base_of, holds_base

__all__ = ["Field", "Others", "Terms", "Walk", "Walker"]

BOOK = ("panzer-mini",)


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

    steps: tuple[InchStep, ...]
    refusal: Refusal | None


class Others(NamedTuple):
    """What else stands on the table."""

    bases: Mapping[str, Base]
    """All units, the one that drives among them."""
    sides: Mapping[str, str]
    """Their forces."""


class Field(NamedTuple):
    """Where it is driven."""

    table: TableMap
    going: Going
    rails: Mapping[str, Sequence[tuple[int, int]]]
    """Roads and paths that may be followed, by their names."""


class _Around(NamedTuple):
    """What lies near enough to a way to be met on it."""

    bases: list[tuple[str, Base]]
    wrecks: list[Body]
    has_bodies: bool


class Walker:
    """Judges ways of one vehicle from where it stands."""

    def __init__(self, field: Field, driver: Driver, others: Others, terms: Terms) -> None:
        self._table, self._going, self._rails = field
        self._driver, self._others, self._terms = driver, others, terms
        self._costs = self._going.costs(driver.traction)
        base = base_of(driver.card, (0, 0), 0)
        self._width, self._depth, self._reach = base.width, base.depth, base.reach

    def walk(self, start: tuple[int, int], heading: int, progress: MoveProgress, strokes: Strokes) -> Walk:
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

    def _run(self, way: Way, progress: MoveProgress, strokes: Strokes) -> Walk:
        steps: list[InchStep] = []
        around = self._around([way.start, *(leg.end for leg in way.legs)])
        if not way.length and not progress.driven:
            around = self._turning(way, around)
        inside = frozenset(self._inside(way.start, way.heading)) if around.has_bodies else frozenset[Body]()
        walking = _Walking(around, self._going.at(way.start), inside, progress)
        for inch in way.inches():
            step = self._inch(inch, walking, strokes)
            if isinstance(step, Refusal):
                return Walk(tuple(steps), step)
            steps.append(step)
            if step.edge:
                left = walking.leg is not way.legs[-1]
                return Walk(
                    tuple(steps), Refusal("9.8", "it has left the table", "end the way there") if left else None
                )
        return Walk(tuple(steps), self.refuse_end(steps[-1]) if steps else None)

    def _around(self, places: Sequence[tuple[int, int]]) -> _Around:
        """What a base might meet that goes straight from place to place."""
        left, top, right, bottom = box = box_of(places, self._reach)
        mine = self._driver.unit.id
        bases = []
        for key, base in self._others.bases.items():
            (x, y), reach = base.at, (base.width + base.depth) // 2
            if left - reach <= x <= right + reach and top - reach <= y <= bottom + reach and key != mine:
                bases.append((key, base))
        wrecks = [wreck for wreck in self._going.wrecks if wreck.is_near(box)]
        return _Around(bases, wrecks, any(body.is_near(box) for body in self._going.bodies))

    @rule("9.1.4", "9.9", editions=BOOK)
    def _turning(self, way: Way, around: _Around) -> _Around:
        """The same for one that only turns: a wreck that lies where it stands already bars no heading (9.1.4)."""
        here = self._base(way.start, way.heading)
        return around._replace(wrecks=[one for one in around.wrecks if not run_into(here, here, one.outline)])

    @rule("9.9", "9.9.2", editions=BOOK)
    def refuse_end(self, step: InchStep) -> Refusal | None:
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
        return Base(at, heading, self._width, self._depth)

    def _inside(self, at: tuple[int, int], heading: int) -> list[Body]:
        base = self._base(at, heading)
        return self._going.met(base, base)

    def _inch(self, inch: Inch, walking: _Walking, strokes: Strokes) -> InchStep | Refusal:
        """One inch: its step, and how all stands after it (``walking``), or why it cannot be driven."""
        terms = self._terms
        cost = InchCost(self._going, self._driver.traction, terms.most_height)
        walls: list[Wall] = []
        edge = ""
        for leg, a, b in inch.parts:
            before = walking.footing
            if leg is not walking.leg:
                walking.begin(leg)
                if leg.pivot:
                    self._pivot(leg, walking, cost)
            if a != b:
                if strokes[leg.stroke].verb == BACK:
                    cost.is_reverse = True
                refusal = self._drive(a, b, walking, cost)
                if refusal is not None:
                    return refusal
            if walking.rate is not None:
                self._keep_route(leg, a, b, before, walking)
            if walking.around.has_bodies:
                met = self._bodies(leg, a, b, walking)
                if isinstance(met, Refusal):
                    return met
                walls += met
            if b not in self._table:
                # There it has left, whatever is drawn of the inch beyond (9.8).
                edge = _edge(self._table, b)
                break
        walking.driven += inch.length
        walking.spent += cost.total(terms.reverse)
        after = walking.progress()
        refusal = self._refuse_spending(after, cost)
        if refusal is not None:
            return refusal
        return InchStep(
            at=b,
            heading=leg.heading,
            ground=cost.ground,
            base=cost.dearest,
            terms=cost.terms(terms.reverse),
            after=after,
            upon="" if edge else self._upon(b, leg.heading, walking.around),
            edge=edge,
            walls=tuple(walls),
        )

    def _pivot(self, leg: Leg, walking: _Walking, cost: InchCost) -> None:
        """A turn: those within the last inch add up, and are paid for together (9.4; ruling M8)."""
        run = walking.run
        pivots = (*((at, by) for at, by in walking.pivots if run - at < INCH), (run, leg.pivot))
        if sum(by for _, by in pivots) > self._terms.free_turn:
            cost.turn += self._going.turn_cost(walking.footing)
            pivots, walking.turned = (), True
        walking.pivots = pivots

    def _keep_route(self, leg: Leg, a: Point, b: Point, before: Footing, walking: _Walking) -> None:
        """Whether nobody is on its route and it faces along it; if not, it has lost its rate (9.5).

        It has to face along it where it turns, and at every inch (9.5.1; ruling M12).
        """
        turned = leg.pivot > 0 and a == leg.start
        if a != b and self._crosses(leg, a, b, walking.around):
            walking.lose_rate("a wreck or an enemy is on the route", "9.5.5")
        elif (turned and not is_along(self._going, before, a, leg.heading)) or not is_along(
            self._going, walking.footing, b, leg.heading
        ):
            walking.lose_rate("it does not face along the route", "9.5.1")

    def _drive(self, a: Point, b: Point, walking: _Walking, cost: InchCost) -> Refusal | None:
        """Straight from one place to another: what its ground costs, and its rate; or what of it is in the way."""
        for footing in self._going.along(a, b):
            before, walking.footing = walking.footing, footing
            refusal = self._refuse_ground(before, footing)
            if refusal is not None:
                return refusal
            cost.enter(before, footing, self._terms.height, self._terms.discount)
            if walking.rate is not None:
                walking.rate = rate_of_move(self._going, walking.rate, footing)
                if walking.rate is None:
                    walking.lose_rate("it does not keep to the route", "9.5.2")
        return None

    @rule("9.3.2", "9.5.7", "9.6", "5.5.1.11", "5.5.1.17", editions=BOOK)
    def _refuse_ground(self, before: Footing, now: Footing) -> Refusal | None:
        """Ground that may not be entered, or not from here (9.3.2)."""
        going, traction = self._going, self._driver.traction
        if now.barred is not None:
            return Refusal("9.3.2", f"{going.title(now.barred)} is in the way", "a bridge or a ford")
        if self._costs[now.kind] is None:
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
        if now.routes != before.routes and not (going.leads_onto(before, now) and going.leads_onto(now, before)):
            return Refusal("9.6", "a bridge is entered and left by its path or road only", "along the road")
        return None

    @rule("9.7.1", "9.7.2", editions=BOOK)
    def _bodies(self, leg: Leg, a: Point, b: Point, walking: _Walking) -> list[Wall] | Refusal:
        """Buildings that it enters or leaves with its base (9.7.2), or why it may not (9.7.1)."""
        inside, end = walking.inside, self._base(b, leg.heading)
        met = self._going.met(self._base(a, leg.heading), end)
        for body in met:
            title = self._going.title(body.kind)
            if self._costs[body.kind] is None or not self._driver.card.enters_buildings:
                number = "9.7.1" if self._going.is_building(body.kind) else "9.3.2"
                return Refusal(number, f"{self._driver.card.name} may not enter a {title}", "round it")
            if body not in inside and not self._driver.turret_is_lengthways:
                return Refusal("9.7.1", f"its turret must point ahead or back to enter a {title}", "round it")
        now = frozenset(self._going.met(end, end)) if met else frozenset[Body]()
        walls = [Wall(body.kind) for body in met if body not in inside]
        left = {*inside, *met} - now
        walking.inside = now
        return [*walls, *(Wall(body.kind, leaves=True) for body in self._going.bodies if body in left)]

    @rule("9.5.5", "9.6", editions=BOOK)
    def _crosses(self, leg: Leg, a: Point, b: Point, around: _Around) -> bool:
        """Whether a wreck or an opposing unit is on its part of a route; friends are ignored (9.5.5)."""
        start, end = self._base(a, leg.heading), self._base(b, leg.heading)
        sides, mine = self._others.sides, self._driver.unit.side
        enemies = (base.outline for key, base in around.bases if sides[key] != mine)
        return any(run_into(start, end, one) for one in (*enemies, *(wreck.outline for wreck in around.wrecks)))

    def upon(self, at: tuple[int, int], heading: int) -> str:
        """Whom its base would stand upon somewhere."""
        return self._upon(at, heading, self._around([at]))

    def _upon(self, at: tuple[int, int], heading: int, around: _Around) -> str:
        if not (around.bases or around.wrecks):
            return ""
        base = self._base(at, heading)
        for key, other in around.bases:
            if overlap(base, other):
                return key
        return "a wreck" if any(run_into(base, base, wreck.outline) for wreck in around.wrecks) else ""

    @rule("9.2.1", "9.3.5", editions=BOOK)
    def affords(self, after: MoveProgress) -> bool:
        """Whether a move may come to this: within the allowance, or the one inch that is always allowed (9.3.5)."""
        is_first = after.driven <= self._terms.always and not after.turned
        return is_first or after.spent <= self._driver.allowance(after.rate)

    @rule("9.4.1", "9.5.2", editions=BOOK)
    def _refuse_spending(self, after: MoveProgress, cost: InchCost) -> Refusal | None:
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


class _Walking:
    """How a way stands, as it is walked."""

    __slots__ = (
        *("around", "footing", "inside", "leg", "run"),
        *("driven", "hurt_at", "lost", "lost_rule", "pivots", "rate", "spent", "turned"),
    )

    def __init__(self, around: _Around, footing: Footing, inside: frozenset[Body], so_far: MoveProgress) -> None:
        self.around, self.footing, self.inside = around, footing, inside
        self.leg: Leg | None = None
        self.run = so_far.driven
        """Where on the way the leg begins."""
        self.driven, self.spent, self.hurt_at = so_far.driven, so_far.spent, so_far.hurt_at
        self.rate, self.lost, self.lost_rule = so_far.rate, so_far.lost, so_far.lost_rule
        self.pivots, self.turned = so_far.pivots, so_far.turned

    def begin(self, leg: Leg) -> None:
        """It comes to another leg: where the one before ends, whatever inch marks were rounded to."""
        if self.leg is not None:
            self.run += self.leg.length
        self.leg = leg

    def lose_rate(self, why: str, number: str) -> None:
        """It moves across country from now on."""
        self.rate, self.lost, self.lost_rule = None, why, number

    def progress(self) -> MoveProgress:
        """How the move stands."""
        return MoveProgress(
            self.driven,
            self.spent,
            self.rate,
            self.lost,
            self.lost_rule,
            self.turned,
            self.pivots,
            self.hurt_at,
        )


def _edge(table: TableMap, at: Point) -> str:
    """The edge beyond which a place lies farthest (9.8)."""
    beyond = {"north": -at.y, "east": at.x - table.width, "south": at.y - table.depth, "west": -at.x}
    return max(beyond, key=lambda edge: beyond[edge])
