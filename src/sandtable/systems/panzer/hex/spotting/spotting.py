"""Who spots whom (3.8, 4.1, 4.1.1, 4.1.2, 4.1.3, 4.1.3.2, 4.1.5).

There are two layers. In the Spotting Phase it is settled for the whole turn who spots whom, with the SPOT counters
that stand then (:func:`determine_spotting`); FIRE and SHORT HALT rest on that. Overwatch is checked as it is announced
(:func:`spots_live`), and then a SPOT counter placed earlier in the same turn counts already, for a vehicle that fires
or moves shows itself at once. Each vehicle spots for itself; but a SPOT counter stays with its vehicle as long as
anybody spots it (:func:`extraneous`), so one spotter hands a target on to the next.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from sandtable.core.content.rule import rule
from sandtable.core.content.table import Table
from sandtable.core.errors import Refusal, Refused
from sandtable.core.modifier import Breakdown, Modifier
from sandtable.geo.hex import Hex, distance
from sandtable.systems.panzer.cards import Card
from sandtable.systems.panzer.edition import Edition
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.sight.los import LineOfSight
from sandtable.systems.panzer.hex.state import State, Unit
from sandtable.systems.panzer.terrain import Cover
from sandtable.systems.panzer.unit import Spot, UnitId

__all__ = [
    "Spotting",
    "can_spot",
    "cover_of",
    "determine_spotting",
    "extraneous",
    "is_over_stacked",
    "may_spot",
    "spot_in_force",
    "spots_live",
    "spotters_live",
    "spotting_range",
    "vehicles_in",
]


class Spotting(msgspec.Struct, frozen=True):
    """Whether one vehicle spots another, and why."""

    spots: bool
    reason: str
    refusal: Refusal | None = None
    """Why not, if it does not."""
    range_hexes: int = 0
    limit: Breakdown | None = None
    """How far off the target is spotted, if it came to that."""
    sight: LineOfSight | None = None
    """The line between the two, if it came to that."""


def vehicles_in(state: State, hex: Hex) -> list[Unit]:
    """The vehicles of both forces in a hex; wrecks do not count (3.8)"""
    return [unit for unit in state.units.values() if unit.hex == hex and unit.in_play]


@rule("3.8")
def is_over_stacked(state: State, hex: Hex, tables: Mapping[str, Table]) -> bool:
    """Whether six vehicles or more are in the hex (3.8)"""
    return len(vehicles_in(state, hex)) >= tables["stacking"].number("over_stacked_from")


@rule("4.1.1")
def may_spot(edition: Edition, card: Card) -> bool:
    """Whether a vehicle of this kind spots: armed, or with fire support sights where the book has them (4.1.1)"""
    return card.armed or (edition.fire_support_spots and card.fire_support)


def spot_in_force(unit: Unit, *, live: bool) -> Spot:
    """The SPOT counter that counts: that of the Spotting Phase, or live a newer one of this turn (4.4.1, 4.4.2)"""
    return unit.new_spot if live and unit.new_spot is not Spot.NONE else unit.spot


@rule("4.1.3", "4.1.3.2")
def cover_of(context: Context, state: State, hex: Hex) -> Cover:
    """Cover for spotting of a vehicle in the hex; none where it is over-stacked (4.1.3, 4.1.3.2)"""
    cover = context.ground.places[hex].cover_spotting
    if cover is not Cover.NONE and is_over_stacked(state, hex, context.tables):
        return Cover.NONE
    return cover


@rule("4.1.3", "4.1.3.1", "4.1.3.2")
def spotting_range(context: Context, state: State, target: Unit, *, live: bool = False) -> Breakdown:
    """How far off a vehicle on the map is spotted, term by term (4.1.3)"""
    ranges = context.ground.spotting_ranges
    hex = _place(target)
    cover = cover_of(context, state, hex)
    terms = ranges.modifiers(cover, spot_in_force(target, live=live))
    if cover is not context.ground.places[hex].cover_spotting:
        terms = (Modifier(0, "over-stacked hex, no Cover", "4.1.3.2"), *terms)
    told = Breakdown("Spotting range", "4.1.3", terms, base_label="base row")
    found = ranges.range(told.net)
    return msgspec.structs.replace(told, result=found, result_label=f"row of the Spotting Ranges Table: {found} hexes")


def _place(unit: Unit) -> Hex:
    if unit.hex is None:
        raise Refused(Refusal("4.1.3", f"{unit.id} is not on the mapboard"))
    return unit.hex


def _limit(context: Context, state: State, target: Unit, hex: Hex, *, live: bool) -> int:
    """The same number without its reasons."""
    return context.ground.spotting_ranges.of[cover_of(context, state, hex), spot_in_force(target, live=live)]


@rule("4.1", "4.1.1", "4.1.2")
def can_spot(context: Context, state: State, spotter: Unit, target: Unit, *, live: bool = False) -> Spotting:
    """Whether one vehicle spots another, all round, with every reason (4.1.1, 4.1.2)"""
    if spotter.side == target.side:
        return _no("4.1.1", f"{target.id} is on the same side as {spotter.id}")
    for unit in (spotter, target):
        if unit.hex is None or not unit.in_play:
            return _no("4.1.1", f"{unit.id} is not in play on the mapboard")
    if not may_spot(context.edition, context.cards[spotter.card]):
        return _no("4.1.1", f"{spotter.id} is unarmed and may not spot")
    a, b = _place(spotter), _place(target)
    limit = spotting_range(context, state, target, live=live)
    sight = context.ground.sight(a, b)
    refusal = None
    if sight.range_hexes > limit.total:
        refusal = Refusal("4.1.3", f"{target.id} is {sight.range_hexes} hexes off and spotted out to {limit.total}")
    elif sight.blocked:
        refusal = Refusal(sight.rule, f"the line of sight to {target.id} is blocked: {sight.reason}")
    reason = str(refusal) if refusal is not None else f"{sight.range_hexes} hexes off, spotted out to {limit.total}"
    return Spotting(refusal is None, reason, refusal, sight.range_hexes, limit, sight)


def _no(number: str, reason: str) -> Spotting:
    refusal = Refusal(number, reason)
    return Spotting(False, str(refusal), refusal)


@rule("4.1", "4.4.2")
def spots_live(context: Context, state: State, spotter: Unit, target: Unit) -> bool:
    """Whether a vehicle spots another at this moment: what overwatch asks (4.4.2)"""
    return next(spotters_live(context, state, (spotter,), target), None) is not None


def spotters_live(context: Context, state: State, spotters: Iterable[Unit], target: Unit) -> Iterator[Unit]:
    """Those of the vehicles that spot the target at this moment (4.4.2)"""
    b = target.hex
    if b is None or not target.in_play:
        return
    limit = -1
    seen = context.ground.fields[b]
    for unit in spotters:
        a = unit.hex
        # Sight is asked first: it is known after the first game, and seldom there.
        if a is None or a not in seen or unit.side == target.side:
            continue
        if limit < 0:
            limit = _limit(context, state, target, b, live=True)
        if distance(a, b) > limit:
            continue
        if unit.in_play and may_spot(context.edition, context.cards[unit.card]):
            yield unit


@rule("4.1", "4.1.1", "4.1.2")
def determine_spotting(context: Context, state: State) -> dict[UnitId, tuple[UnitId, ...]]:
    """Every spotter with the enemies that it spots, by the SPOT counters in force (4.1)"""
    present = [(unit, unit.hex) for unit in state.units.values() if unit.hex is not None and unit.in_play]
    enemies: dict[str, list[tuple[UnitId, Hex, int]]] = {unit.side: [] for unit, _ in present}
    for target, hex in present:
        limit = _limit(context, state, target, hex, live=False)
        for side, targets in enemies.items():
            if side != target.side:
                targets.append((target.id, hex, limit))
    fields = context.ground.fields
    found: dict[UnitId, tuple[UnitId, ...]] = {}
    for spotter, a in present:
        if not may_spot(context.edition, context.cards[spotter.card]):
            continue
        seen = fields[a]
        spotted = [unit for unit, b, limit in enemies[spotter.side] if b in seen and distance(a, b) <= limit]
        if spotted:
            found[spotter.id] = tuple(spotted)
    return found


@rule("4.1.1", "4.1.5")
def extraneous(state: State, spotted: Mapping[UnitId, Iterable[UnitId]]) -> tuple[UnitId, ...]:
    """Vehicles whose SPOT counter goes because nobody spots them (4.1.5)"""
    seen = {target for targets in spotted.values() for target in targets}
    return tuple(unit.id for unit in state.units.values() if unit.spot is not Spot.NONE and unit.id not in seen)
