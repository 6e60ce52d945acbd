"""Where a vehicle can go, and the cheapest way there (4.5.1.1).

Dijkstra's search over hexes and facings, once at cross-country costs and once along the routes, where the count of
Road and Path hexes belongs to the place; then the moves of just one hex that exceed the allowance (4.5.1.1.3).
"""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import count
from operator import attrgetter, itemgetter
from typing import NamedTuple

from sandtable.geo.hex import NEIGHBOURS, Hex
from sandtable.systems.panzer.hex.movement.movement_costs import KeptEnds
from sandtable.systems.panzer.hex.movement.mover import Mover
from sandtable.systems.panzer.hex.movement.stepping import LEGS
from sandtable.systems.panzer.hex.progress import MoveProgress, Rate, spent_at
from sandtable.systems.panzer.hex.state import Leg, LegKind

__all__ = ["Destination", "Found", "MoveEnd", "ends_of", "found_from", "reach", "route_ends", "way_into"]


class Destination(NamedTuple):
    """An end of a move, and a cheapest way to it."""

    hex: Hex
    facing: int
    """The facing at the end; off the mapboard, the direction in which it was left."""
    exited: bool
    spent: int
    """At the rate used."""
    legs: tuple[Leg, ...]


class MoveEnd(NamedTuple):
    """Where a move may end."""

    hex: Hex
    facing: int
    exited: bool = False


class _Trail(NamedTuple):
    """The legs up to a place, the last one first: shared by all that pass through it."""

    before: _Trail | None
    leg: Leg


Found = dict[MoveEnd, tuple[int, _Trail | None]]
"""Places with what it costs to get there, and how; some of them hold enemies."""

_STAY, _FORWARD, _REVERSE = (
    tuple(Leg(turn, how) for turn in (0, 1, 2, 3, -2, -1)) for how in (LegKind.STAY, LegKind.FORWARD, LegKind.REVERSE)
)
"""Legs by hexsides turned clockwise."""
_PLACE = attrgetter("hex", "facing", "turned", "floor")
"""Where a unit on foot is, whichever way it came."""
_MOST_KEPT, _VARIANTS = 400, 2
"""Moves whose ends are kept on one ground, and how often each where what lies near has changed."""


def reach(mover: Mover, now: MoveProgress) -> dict[MoveEnd, Destination]:
    """Every place where a move that stands at ``now`` may end, each with a cheapest way to it."""
    return {
        place: Destination(*place, spent, _legs(trail))
        for place, (spent, trail) in found_from(mover, now).items()
        if place.exited or (place.hex not in mover.enemies and (mover.ends is None or place.hex in mover.ends))
    }


def ends_of(mover: Mover, now: MoveProgress) -> frozenset[Hex]:
    """The hexes of the mapboard where a move that stands at ``now`` may end, whoever else shares its command.

    All who share a command ask for one another's, after every move: what is known holds until something changes there.
    """
    assert mover.facts is not None  # noqa: S101 - of the Advanced Game only
    kept = mover.table.ends
    # Who may go into buildings comes to no other hexes than who may not: their alleys cost no more.
    key = now, mover.is_stuck, mover.reverses
    known = kept.get(key, ())
    for one in known:
        if _still_holds(mover, one):
            return one.ends
    routed: set[Hex] = set()
    enemies, found = mover.enemies, found_from(mover, now, routed)
    ends = frozenset(place.hex for place in found if not place.exited and place.hex not in enemies)
    if len(kept) >= _MOST_KEPT:
        kept.clear()
    kept[key] = (_keep(mover, now, found, routed, ends), *known[: _VARIANTS - 1])
    return ends


def _still_holds(mover: Mover, kept: KeptEnds) -> bool:
    near = kept.near
    return (
        near & mover.smoke == kept.smoke
        and near & mover.closed.keys() == kept.closed
        and near & mover.enemies == kept.enemies
        and (not kept.routed or kept.routed & mover.barred == kept.barred)
    )


def _keep(mover: Mover, now: MoveProgress, found: Found, routed: set[Hex], ends: frozenset[Hex]) -> KeptEnds:
    """The ends of a move with all that they depend on: what lies where the search came by, and next to that."""
    passed = {now.hex, *routed, *(place.hex for place in found)}
    near = frozenset(passed.union(*(NEIGHBOURS[hex] for hex in passed)))
    ways = (passed if mover.going.is_limited else {now.hex, *routed}) if now.on_route else ()
    steps = (step for hex in ways for step in mover.steps[hex] if step is not None and step.route)
    along = frozenset(step.to for step in steps if step.to is not None)
    closed = near.intersection(mover.closed)
    barred = along & mover.barred if along else along
    return KeptEnds(near, along, near & mover.smoke, closed, near & mover.enemies, barred, ends)


def route_ends(mover: Mover, now: MoveProgress) -> set[Hex]:
    """The hexes where a move along roads and paths may end at their speed, or stays (4.5.1.1.5, 6.2.1.1.3)."""
    found: Found = {}
    if now.on_route:
        _along_routes(mover, now, found)
    return {now.hex, *(place.hex for place in found if not place.exited and place.hex not in mover.enemies)}


def way_into(found: Found, hex: Hex, *, indoors: bool) -> tuple[Leg, ...] | None:
    """A cheapest way into a hex that enemies hold, or from beside it straight into its buildings (6.6.10).

    ``found`` is what :func:`found_from` says, for as many hexes as one likes.
    """
    if not indoors:
        ways = [(spent, trail) for place, (spent, trail) in found.items() if place.hex == hex and not place.exited]
        legs = _legs(min(ways, key=itemgetter(0))[1]) if ways else ()
        return tuple(leg for leg in legs if leg.step is not LegKind.STAY) or None
    ways = []
    for way, beside in enumerate(NEIGHBOURS[hex]):
        there = found.get(MoveEnd(beside, (way + 3) % 6))
        if there is not None:
            ways.append(there)
    if not ways:
        return None
    legs = _legs(min(ways, key=itemgetter(0))[1])
    if legs and legs[-1].step is LegKind.STAY:
        return (*legs[:-1], Leg(legs[-1].turn, LegKind.INTO))
    return (*legs, Leg(0, LegKind.INTO))


def found_from(mover: Mover, now: MoveProgress, routed: set[Hex] | None = None) -> Found:
    """Every place that a move which stands at ``now`` gets to, whoever is there; ``routed`` gets the routes taken."""
    found: Found = {}
    if mover.column:
        _note(found, MoveEnd(now.hex, now.facing), now.spent_route, None)
        if now.on_route:
            _along_routes(mover, now, found, routed)
        return found
    if mover.going.on_foot or mover.going.is_limited or mover.is_stuck:
        _on_foot(mover, now, found)
    elif now.spent <= now.cross_country:
        _cross_country(mover, now, found)
    if now.on_route:
        _along_routes(mover, now, found, routed)
    if not now.entered and not now.paid:
        _one_hex(mover, now, found)
    return found


def _legs(trail: _Trail | None) -> tuple[Leg, ...]:
    legs = []
    while trail is not None:
        legs.append(trail.leg)
        trail = trail.before
    return tuple(reversed(legs))


def _note(found: Found, place: MoveEnd, spent: int, trail: _Trail | None) -> None:
    known = found.get(place)
    if known is None or spent < known[0]:
        found[place] = spent, trail


def _cross_country(mover: Mover, now: MoveProgress, found: Found) -> None:
    """All places within the cross-country allowance, in the order of their cost."""
    limit, reverses = now.cross_country, mover.reverses
    ring: list[list[tuple[Hex, int, int, _Trail | None]]] = [[] for _ in range(limit + 1)]
    ring[now.spent].append((now.hex, now.facing, now.turned, None))
    settled: set[tuple[Hex, int, int]] = set()
    for spent in range(now.spent, limit + 1):
        for hex, facing, turned, trail in ring[spent]:
            if (hex, facing, turned) in settled:
                continue
            settled.add((hex, facing, turned))
            dear = mover.turns[hex][0] + (mover.table.smoke_turn if hex in mover.smoke else 0)
            for turn in range(6):
                hexsides = turned + (turn if turn <= 3 else 6 - turn)
                cost = spent + (dear if hexsides > mover.table.free_turn >= turned else 0)
                if cost > limit:
                    continue
                faces = (facing + turn) % 6
                _note(found, MoveEnd(hex, faces), cost, _Trail(trail, _STAY[turn]) if turn else trail)
                for leg, way, reverse in ((_FORWARD[turn], faces, False), (_REVERSE[turn], (faces + 3) % 6, True)):
                    step = mover.steps[hex][way]
                    if step is None or (reverse and not reverses) or step.to in mover.closed:
                        continue
                    total = cost + (step.reverse if reverse else step.forward)
                    if (hex if step.to is None else step.to) in mover.smoke:
                        total += mover.table.smoke
                    if total > limit:
                        continue
                    if step.to is None:
                        _note(found, MoveEnd(hex, way, exited=True), total, _Trail(trail, leg))
                    elif (step.to, faces, 0) not in settled:
                        ring[total].append((step.to, faces, 0, _Trail(trail, leg)))


def _on_foot(mover: Mover, now: MoveProgress, found: Found) -> None:
    """All places that a unit gets to on foot or with limits of its own, hex by hex: they are few (6.6.4.1, 6.6.4.3)"""
    order = count()
    # The first hex may exceed the allowance; how many follow counts for those alone who may enter but a few.
    counted = 2 if mover.going.most_hexes is None else mover.going.most_hexes + 1
    ends: list[tuple[int, int, MoveProgress, _Trail | None]] = [(now.spent, next(order), now, None)]
    _note(found, MoveEnd(now.hex, now.facing), now.spent, None)
    settled = set()
    while ends:
        _, _, here, trail = heappop(ends)
        # Off its route it does not matter how a unit came to a place: the cheapest way there comes first.
        key = here if here.on_route else (*_PLACE(here), min(here.entered, counted), here.climbed, here.paid)
        if key in settled:
            continue
        settled.add(key)
        for leg in mover.all_legs:
            after = mover.leg(here, leg)
            if after is None or not mover.is_paid_for(after):
                continue
            on = _Trail(trail, leg)
            facing = after.way if after.exited else after.facing
            _note(found, MoveEnd(after.hex, facing, after.exited), spent_at(after, Rate.CROSS_COUNTRY), on)
            if leg.step is not LegKind.STAY and not after.exited:
                heappush(ends, (after.spent, next(order), after, on))


def _along_routes(mover: Mover, now: MoveProgress, found: Found, routed: set[Hex] | None = None) -> None:
    """All places within the allowance of a move that follows routes to its end (4.5.1.1.5)"""
    order = count()
    ends: list[tuple[int, int, MoveProgress, _Trail | None]] = [(now.spent_route, next(order), now, None)]
    settled = set()
    while ends:
        _, _, here, trail = heappop(ends)
        key = here.hex, here.facing, here.turned, here.roads - here.paths, here.tracks > 0
        if key in settled:
            continue
        settled.add(key)
        if routed is not None:
            routed.add(here.hex)
        steps, facing = mover.steps[here.hex], here.facing
        for leg in LEGS:
            if leg.step is not LegKind.STAY:
                # Most hexsides have no route: nobody need work out what a step over them comes to.
                step = steps[(facing + leg.turn + (3 if leg.step is LegKind.REVERSE else 0)) % 6]
                if step is None or not step.route:
                    continue
            after = mover.leg(here, leg)
            if after is None or not after.on_route:
                continue
            on = _Trail(trail, leg)
            if after.entered and not after.askew and after.spent_route <= after.allowance(after.route_rate):
                end = MoveEnd(after.hex, after.way if after.exited else after.facing, after.exited)
                _note(found, end, after.spent_route, on)
            if leg.step is not LegKind.STAY and not after.exited:
                heappush(ends, (after.spent_route, next(order), after, on))


def _one_hex(mover: Mover, now: MoveProgress, found: Found) -> None:
    """Moves of just one hex, which may exceed the allowance, with a free turn before and after (4.5.1.1.3)"""
    for leg in mover.all_legs:
        if leg.step is LegKind.STAY:
            continue
        after = mover.leg(now, leg)
        if after is None or not mover.may_end(after):
            continue
        for turn in (0,) if after.exited else (0, 1, -1):
            end = mover.turn(after, turn) if turn else after
            if end is None or not mover.may_end(end):
                continue
            place = MoveEnd(end.hex, end.way if end.exited else end.facing, end.exited)
            if place not in found:
                trail: _Trail | None = _Trail(None, leg)
                if turn:
                    trail = _Trail(trail, Leg(turn, LegKind.STAY))
                found[place] = spent_at(end, Rate.CROSS_COUNTRY), trail
