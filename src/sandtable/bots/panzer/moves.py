"""Where to move: every place that can be reached, weighed for ground, cover, danger and shots (4.5).

A real move is searched for among all places; looking ahead is content with the places along the way
(:mod:`~sandtable.bots.panzer.marching`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import nlargest
from random import Random
from typing import Any, NamedTuple

from sandtable.bots.doctrine import Idea
from sandtable.bots.explain import Reason
from sandtable.bots.panzer.book import Book
from sandtable.bots.panzer.marching import Stop, march
from sandtable.bots.panzer.plan import Plan
from sandtable.bots.panzer.travel import Field
from sandtable.core.decision import Branch, Leaf, Path
from sandtable.geo.hex import DIRECTION_NAMES, Hex
from sandtable.systems.panzer.hex.actions import Action, Continue, Move
from sandtable.systems.panzer.hex.state import Leg, Moving, State, Unit

__all__ = ["Weighed", "move_ideas", "next_to_move", "quick_move", "quick_way_on", "weigh"]

KEPT = 24
"""Ideas that a move has."""
EXIT = 1000.0
"""Points that mark a way off the map that scores; the rest of its worth is in the plan."""
STAYS = -1
"""The number of no place: to stay."""
_ENDS = ("stop", "hex", "exit")
"""Kinds of destinations that are ends of a move."""


def next_to_move(book: Book, waiting: list[Unit]) -> Unit:
    """The vehicle to move next: the cheap ones first, to draw the fire of those who watch."""
    points = book.gunnery.points
    return min(waiting, key=lambda unit: (points[unit.card], unit.id))


def move_ideas(plan: Plan, unit: Unit, node: Path[Any]) -> list[Idea]:
    """The best ends of a move: one for each place, facing as is best there."""
    plan.alone(unit)
    best: dict[str, Idea] = {}
    for place, idea in _ideas(plan, unit, node):
        known = best.get(place)
        if known is None or idea.worth > known.worth:
            best[place] = idea
    return nlargest(KEPT, best.values(), key=lambda idea: idea.worth)


def _ideas(plan: Plan, unit: Unit, node: Path[Any]) -> Iterator[tuple[str, Idea]]:
    game_map = plan.picture.book.context.game_map
    for end in node.destinations():
        if not isinstance(end.then, Leaf) or end.kind not in _ENDS:
            continue
        if end.kind == "exit":
            yield "exit", _leaving(plan, unit, end, game_map.hex(end.ref))
            continue
        hex = game_map.hex(end.ref) if end.ref else unit.hex
        if hex is None:
            yield "", Idea(end.then.action, 0.0, what=f"{unit.id} does not come in")
            continue
        facing = DIRECTION_NAMES.index(end.key.split()[-1]) if end.ref else unit.facing
        told = (
            f"{unit.id} to {game_map.label(hex)}, facing {DIRECTION_NAMES[facing]}" if end.ref else f"{unit.id} stays"
        )
        yield end.ref, Idea(end.then.action, plan.place(unit, hex, facing), _reasons(plan, unit, hex, facing), told)


def _leaving(plan: Plan, unit: Unit, end: Branch[Any], hex: Hex) -> Idea:
    assert isinstance(end.then, Leaf)  # noqa: S101 - the caller saw to it
    way = plan.picture.book.exit_of(unit.side)
    if way is None or hex not in way[0]:
        return Idea(end.then.action, -EXIT, what=f"{unit.id} leaves the map")
    worth = way[1] - plan.leaving_costs(unit)
    told = f"{unit.id} off the map"
    return Idea(end.then.action, worth, lambda: (Reason("brought off the map", way[1]),), told)


def _reasons(plan: Plan, unit: Unit, hex: Hex, facing: int) -> Any:
    return lambda: [Reason(what, round(points, 2)) for what, points in plan.place_parts(unit, hex, facing)]


class Weighed(NamedTuple):
    """Where a quick move may end, and what each place is worth at first sight."""

    stays: float
    """What it is worth to stay."""
    stops: Sequence[Stop]
    worths: Sequence[float]
    enters: tuple[Hex, int] | None = None
    """Where a reserve comes in, and its facing there."""

    def best(self, rng: Random) -> int:
        """The number of the place that is the best to an eye that errs by up to a point, or STAYS."""
        best, chosen, chance = self.stays, STAYS, rng.random
        for number, worth in enumerate(self.worths):
            seen = worth + chance()
            if seen > best:
                best, chosen = seen, number
        return chosen

    def legs(self, chosen: int) -> tuple[Leg, ...]:
        """The way to the place of a number."""
        return () if chosen == STAYS else self.stops[chosen].legs


def weigh(plan: Plan, unit: Unit) -> Weighed:
    """The places along the way to where a vehicle is bound for."""
    field, off = _heading(plan, unit)
    if unit.hex is not None:
        return _weighed(plan, unit, plan.picture.march(unit, field, off=off))
    way = plan.picture.enter(unit, field)
    if way is None:
        return Weighed(-EXIT, (), ())
    hex, facing, stops = way
    return _weighed(plan, unit, stops)._replace(enters=(hex, facing))


def _weighed(plan: Plan, unit: Unit, stops: Sequence[Stop]) -> Weighed:
    stays = plan.place(unit, unit.hex, unit.facing) if unit.hex is not None else -EXIT
    worths = [EXIT if stop.exited else plan.place(unit, stop.hex, stop.facing) for stop in stops]
    return Weighed(stays, stops, worths)


def quick_move(weighed: Weighed, unit: Unit, chosen: int) -> Action:
    """A sound move without much thought."""
    return Move(unit.id, weighed.legs(chosen), *(weighed.enters or ()))


def quick_way_on(plan: Plan, state: State, frame: Moving, rng: Random) -> Action:
    """A sound way on without much thought."""
    unit = plan.picture.unit(frame.unit)
    field, off = _heading(plan, unit)
    stops = march(plan.picture.book.context, state, unit, field, frame.progress, off=off)
    weighed = _weighed(plan, unit, stops)
    return Continue(weighed.legs(weighed.best(rng)))


def _heading(plan: Plan, unit: Unit) -> tuple[Field, bool]:
    """What it takes from every hex to where the vehicle is bound for, and whether that is off the map."""
    aim, book = plan.alone(unit), plan.picture.book
    return book.travel.field(aim.goal, book.context.cards[unit.card].movement), aim.is_exit
