"""5.1-5.3 Who spots whom.

In the Spotting Phase it is settled for the whole turn who spots whom, with the SPOT markers that lie there then
(:func:`determine_spotting`); FIRE and SHORT HALT rest on that. Overwatch is checked as it is announced
(:func:`spots_live`), and then a SPOT marker placed earlier in the same turn counts already (8.1.2.2). Each unit spots
for itself; but a SPOT marker stays with its unit as long as anybody spots it, so one spotter hands a target on to the
next (5.1, 5.5.4).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

import msgspec

from sandtable.core.content.rule import rule
from sandtable.core.errors import Refusal
from sandtable.core.modifier import Breakdown
from sandtable.geo.plane.points import INCH, Point, range_inches
from sandtable.systems.panzer.mini.cards import MiniCard
from sandtable.systems.panzer.mini.context import Context
from sandtable.systems.panzer.mini.fields_of_fire import fields_holding
from sandtable.systems.panzer.mini.sight.heights import CLOSE_BY
from sandtable.systems.panzer.mini.sight.lines import LineOfSight
from sandtable.systems.panzer.mini.sight.spotting_ranges import SpottingFacts
from sandtable.systems.panzer.mini.state import FieldOfFire, State, Unit
from sandtable.systems.panzer.unit import Spot, UnitId

__all__ = [
    "Spotting",
    "can_spot",
    "determine_spotting",
    "extraneous",
    "live_spotters",
    "may_spot",
    "spot_in_force",
    "spots_live",
    "spotting_facts",
]

BOOK = ("panzer-mini",)
_NO_SPOT = Spot.NONE


class Spotting(msgspec.Struct, frozen=True):
    """Whether one unit spots another, and why."""

    spots: bool
    reason: str
    refusal: Refusal | None = None
    """Why not, if it does not."""
    range_inches: int = 0
    limit: Breakdown | None = None
    """How far off the target is spotted, if it came to that."""
    sight: LineOfSight | None = None
    """The line between the two, if it came to that."""


@rule("5.1", editions=BOOK)
def may_spot(card: MiniCard, unit: Unit) -> bool:
    """Whether a unit spots: in play, with some form of offensive firepower, its crew in it (5.1)"""
    return unit.in_play and unit.at is not None and card.armed and not unit.markers.bailed


def spot_in_force(unit: Unit, *, live: bool) -> Spot:
    """The SPOT marker that counts: that of the Spotting Phase, or live a newer one of this turn (8.1.1.2.3, 8.1.2.2)"""
    return unit.new_spot if live and unit.new_spot is not _NO_SPOT else unit.spot


def spotting_facts(context: Context, state: State, spotter: Unit, target: Unit, *, live: bool) -> SpottingFacts:
    """What the Spotting Ranges Table asks of the two: both are vehicles, whatever their size (5.4.2.5)"""
    assert target.at is not None  # noqa: S101 - units on the table alone are spotted
    return SpottingFacts(
        cover=context.ground(state).at(target.at).cover_spotting,
        spot=spot_in_force(target, live=live),
        spotter_full_cover=spotter.markers.full_cover,
        spotter_suppressed=spotter.markers.is_suppressed,
    )


@rule("5.2", editions=BOOK)
def _looks_to(context: Context, unit: Unit, place: Point) -> bool:
    """All round; suppressed to the front field-of-fire of the turret, or of the hull without one (5.2)"""
    if unit.at is None or not unit.markers.is_suppressed:
        return True
    heading = unit.turret_heading if context.card_of(unit).has_turret else unit.heading
    return FieldOfFire.FRONT in fields_holding(unit.at, heading, place)


def _case(spotter: Unit) -> tuple[bool, bool]:
    """All that is asked of a spotter for the range: whether it is in Full Cover, and whether it is suppressed."""
    return spotter.markers.full_cover, spotter.markers.is_suppressed


def _limit(context: Context, state: State, spotter: Unit, target: Unit, *, live: bool) -> int:
    """How far off a target is spotted, adjacent ones always (5.4.2.7): the square of the distance is less than this."""
    inches = context.spotting_ranges.inches(spotting_facts(context, state, spotter, target, live=live))
    return ((max(CLOSE_BY, inches) + 1) * INCH) ** 2


@rule("5.4", "5.4.2.7", editions=BOOK)
def can_spot(context: Context, state: State, spotter: Unit, target: Unit, *, live: bool = False) -> Spotting:
    """Whether one unit spots another, with every reason; adjacent units always do (5.4, 5.4.2.7)"""
    refusal = _refuse_pair(context, spotter, target)
    if refusal is not None or spotter.at is None or target.at is None:
        return Spotting(False, str(refusal), refusal)
    a, b = spotter.at, target.at
    distance = range_inches(a, b)
    limit = context.spotting_ranges.told(spotting_facts(context, state, spotter, target, live=live))
    sight = context.sights(state).line(a, b)
    if distance > max(CLOSE_BY, limit.total):
        refusal = Refusal(
            "5.4.2", f"{target.id} is {distance} in off and spotted out to {limit.total} in", "come nearer"
        )
    elif sight.blocked:
        refusal = Refusal(
            sight.rules[0], f"the line of sight to {target.id} is blocked: {sight.reason}", "look from another place"
        )
    elif not _looks_to(context, spotter, b):
        reason = f"{spotter.id} is suppressed and {target.id} outside of its front field-of-fire"
        refusal = Refusal("5.2", reason, "turn it that way, or wait until it recovers")
    reason = str(refusal) if refusal is not None else f"{distance} in off, spotted out to {limit.total} in"
    return Spotting(refusal is None, reason, refusal, distance, limit, sight)


def _refuse_pair(context: Context, spotter: Unit, target: Unit) -> Refusal | None:
    """Why one unit cannot spot another wherever they are (5.1)."""
    if spotter.side == target.side:
        return Refusal("5.1", f"{target.id} is on the same side as {spotter.id}", "name an opposing unit")
    for unit in (spotter, target):
        if unit.at is None or not unit.in_play:
            return Refusal("5.1", f"{unit.id} is not in play on the table", "name a unit on the table")
    if not may_spot(context.card_of(spotter), spotter):
        return Refusal("5.1", f"{spotter.id} is unarmed and may not spot", "look out with an armed unit")
    return None


def spots_live(context: Context, state: State, spotter: Unit, target: Unit) -> bool:
    """Whether a unit spots another at this moment: what overwatch asks (8.1.2.2)"""
    return next(live_spotters(context, state, (spotter,), target), None) is not None


def live_spotters(
    context: Context,
    state: State,
    units: Iterable[Unit],
    target: Unit,
    *,
    wanted: Callable[[Unit], bool] = lambda _: True,
) -> Iterator[Unit]:
    """Those of some units that are wanted and spot another at this moment (8.1.2.2); sight is asked last."""
    at = target.at
    if at is None or not target.in_play:
        return
    x, y = at
    sees = context.sights(state).sees
    cards = context.cards
    limits: dict[tuple[bool, bool], int] = {}
    for unit in units:
        place = unit.at
        if place is None or unit.side == target.side:
            continue
        case = _case(unit)
        limit = limits.get(case)
        if limit is None:
            limit = limits[case] = _limit(context, state, unit, target, live=True)
        is_near = (place[0] - x) ** 2 + (place[1] - y) ** 2 < limit and may_spot(cards[unit.card], unit)
        if is_near and _looks_to(context, unit, at) and wanted(unit) and sees(place, at):
            yield unit


@rule("5.1", "5.3", "5.0", editions=BOOK)
def determine_spotting(context: Context, state: State) -> dict[UnitId, tuple[UnitId, ...]]:
    """Every spotter with all the enemies that it spots, by the SPOT markers in force (5.1, 5.3)"""
    present = [unit for unit in state.units.values() if unit.at is not None and unit.in_play]
    sees = context.sights(state).sees
    found: dict[UnitId, tuple[UnitId, ...]] = {}
    limits: dict[tuple[str, bool, bool], list[tuple[UnitId, Point, int]]] = {}
    for spotter in present:
        at = spotter.at
        if at is None or not may_spot(context.card_of(spotter), spotter):
            continue
        key = spotter.side, *_case(spotter)
        if key not in limits:
            limits[key] = [
                (unit.id, unit.at, _limit(context, state, spotter, unit, live=False))
                for unit in present
                if unit.at is not None and unit.side != spotter.side
            ]
        x, y = at
        all_round = not spotter.markers.is_suppressed
        seen = [
            enemy
            for enemy, place, limit in limits[key]
            if (place[0] - x) ** 2 + (place[1] - y) ** 2 < limit
            and sees(at, place)
            and (all_round or _looks_to(context, spotter, place))
        ]
        if seen:
            found[spotter.id] = tuple(seen)
    return found


@rule("5.5.4", editions=BOOK)
def extraneous(state: State, spotted: Mapping[UnitId, Iterable[UnitId]]) -> tuple[UnitId, ...]:
    """Units whose SPOT marker goes because nobody spots them (5.5.4)"""
    seen = {target for targets in spotted.values() for target in targets}
    return tuple(unit.id for unit in state.units.values() if unit.spot is not _NO_SPOT and unit.id not in seen)
