"""Who spots whom (3.8, 4.1, 4.1.1, 4.1.2, 4.1.3, 4.1.3.2, 4.1.5, 6.1.1, 6.1.2, 6.1.3, 6.1.3.1, 6.1.3.2).

There are two layers. In the Spotting Phase it is settled for the whole turn who spots whom, with the SPOT counters
that stand then (:func:`determine_spotting`); FIRE and SHORT HALT rest on that. Overwatch is checked as it is announced
(:func:`spots_live`), and then a SPOT counter placed earlier in the same turn counts already, for a unit that fires or
moves shows itself at once. Each unit spots for itself; but a SPOT counter stays with its unit as long as anybody spots
it (:func:`extraneous`), so one spotter hands a target on to the next.

A vehicle of the Basic Game has none of the counters of the Advanced Game, and what these do costs it next to nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from sandtable.core.content.rule import rule
from sandtable.core.errors import Refusal, Refused
from sandtable.core.modifier import Breakdown, Modifier
from sandtable.geo.hex import Hex, distance, in_arc, opposite
from sandtable.systems.panzer.advanced_card import SizeClass, UnitClass
from sandtable.systems.panzer.cards import ALL_ROUND, Card, Mount
from sandtable.systems.panzer.combat.bail_out import refuse_crewless
from sandtable.systems.panzer.combat.barrels import LIMITED, field_of_fire
from sandtable.systems.panzer.edition import Edition
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.sight.ground import Ground
from sandtable.systems.panzer.hex.sight.los import LineOfSight
from sandtable.systems.panzer.hex.spotting.standing import cover_of, floor_height, is_over_stacked
from sandtable.systems.panzer.hex.state import State, Unit
from sandtable.systems.panzer.markers import NO_MARKERS, UnitMarkers
from sandtable.systems.panzer.spotting_ranges import Sightedness
from sandtable.systems.panzer.terrain import Cover
from sandtable.systems.panzer.unit import Spot, UnitId

__all__ = [
    "Spotting",
    "can_spot",
    "determine_spotting",
    "extraneous",
    "is_lookout",
    "may_spot",
    "size_class",
    "spot_in_force",
    "spots_live",
    "spotters_live",
    "spotting_range",
]

_BOOK = ("panzer-na",)
# Bound once: to look a member up in its enum takes as long as the rest of a question.
_VEHICLE, _V, _NO_SPOT, _NO_COVER = UnitClass.VEHICLE, SizeClass.V, Spot.NONE, Cover.NONE


class Spotting(msgspec.Struct, frozen=True):
    """Whether one unit spots another, and why."""

    spots: bool
    reason: str
    refusal: Refusal | None = None
    """Why not, if it does not."""
    range_hexes: int = 0
    limit: Breakdown | None = None
    """How far off the target is spotted, if it came to that."""
    sight: LineOfSight | None = None
    """The line between the two, if it came to that."""


@rule("4.1.1")
def may_spot(edition: Edition, card: Card) -> bool:
    """Whether a unit of this kind spots: armed, with fire support sights, on foot or towed (4.1.1, 6.1.1)"""
    return card.armed or (edition.fire_support_spots and card.fire_support) or card.unit_class is not _VEHICLE


@rule("6.1.1", editions=_BOOK)
def is_lookout(context: Context, state: State, unit: Unit) -> bool:
    """Whether a unit in play spots: passengers only where their vehicle does not, nobody from one that was left (6.1.1)

    A passenger of an unarmed vehicle spots as if it stood there.
    """
    markers, edition = unit.markers, context.edition
    if markers is NO_MARKERS:
        return may_spot(edition, context.cards[unit.card])
    if markers.bailed or not may_spot(edition, context.cards[unit.card]):
        return False
    return not markers.carrier or not may_spot(edition, context.cards[state.units[markers.carrier].card])


@rule("6.1.3", editions=_BOOK)
def size_class(card: Card) -> SizeClass:
    """The column of the Spotting Ranges Table: V for every vehicle, L or S by the card of any other (4.1.3.1, 6.1.3)"""
    if card.unit_class is _VEHICLE or card.advanced is None:
        return _V
    return card.advanced.size_class


def spot_in_force(unit: Unit, *, live: bool) -> Spot:
    """The SPOT counter that counts: that of the Spotting Phase, or live a newer one of this turn (4.4.1, 4.4.2)"""
    return unit.new_spot if live and unit.new_spot is not _NO_SPOT else unit.spot


def _sightedness(target: UnitMarkers, spotter: UnitMarkers | None) -> Sightedness:
    if spotter is None:
        return Sightedness(target_full_cover=target.full_cover)
    return Sightedness(spotter.is_suppressed, target.full_cover, spotter.full_cover)


@rule("4.1.3", "4.1.3.1", "4.1.3.2")
def spotting_range(
    context: Context, state: State, target: Unit, spotter: Unit | None = None, *, live: bool = False
) -> Breakdown:
    """How far off a unit on the map is spotted, by anybody or by one spotter, term by term (4.1.3, 6.1.3)"""
    ranges = context.ground.spotting_ranges
    _place(target)
    cover = cover_of(context, state, target)
    terms = ranges.modifiers(cover, spot_in_force(target, live=live))
    terms += ranges.beside(_sightedness(target.markers, None if spotter is None else spotter.markers))
    if cover is Cover.NONE and cover_of(context, state, target, crowded=False) is not cover:
        terms = (Modifier(0, "over-stacked hex, no Cover", "4.1.3.2"), *terms)
    told = Breakdown("Spotting range", "4.1.3", terms, base_label="base row")
    found = ranges.range(told.net, size_class(context.cards[target.card]))
    return msgspec.structs.replace(told, result=found, result_label=f"row of the Spotting Ranges Table: {found} hexes")


def _place(unit: Unit) -> Hex:
    if unit.hex is None:
        raise Refused(Refusal("4.1.3", f"{unit.id} is not on the mapboard", "name a unit on the mapboard"))
    return unit.hex


class _Target(NamedTuple):
    """A unit that may be spotted: all that does not depend on who looks."""

    id: UnitId
    hex: Hex
    limit: int
    """How far off it is spotted by a spotter whom nothing ails."""
    row: int
    size: SizeClass
    up: int


def _target(context: Context, state: State, unit: Unit, hex: Hex, *, live: bool) -> _Target:
    ranges = context.ground.spotting_ranges
    key = cover_of(context, state, unit), spot_in_force(unit, live=live)
    size = size_class(context.cards[unit.card])
    if size is _V and not unit.markers.full_cover:
        return _Target(unit.id, hex, ranges.of[key], ranges.rows[key], size, 0)
    row = ranges.rows[key] + sum(term.value for term in ranges.beside(_sightedness(unit.markers, None)))
    return _Target(unit.id, hex, ranges.range(row, size), row, size, floor_height(context, state, unit))


class _Lookout(NamedTuple):
    """A spotter whom the Advanced Game hinders or lifts: Suppressed, in Full Cover, upstairs."""

    hex: Hex
    rows: int
    up: int
    facing: int
    arcs: tuple[tuple[bool, int], ...]
    """Suppressed: to the rear or to the front, and half the degrees of that arc."""


@rule("6.1.2", "6.1.3.1", editions=_BOOK)
def _lookout(context: Context, state: State, unit: Unit, hex: Hex) -> _Lookout:
    """What a spotter is by its counters; Suppressed it looks to its front, or where its guns point (6.1.2, 6.1.3.1)"""
    markers = unit.markers
    hindered = Sightedness(markers.is_suppressed, spotter_full_cover=markers.full_cover)
    rows = sum(term.value for term in context.ground.spotting_ranges.beside(hindered))
    arcs: tuple[tuple[bool, int], ...] = ()
    if markers.is_suppressed:
        card, table = context.cards[unit.card], context.tables["fields_of_fire"]
        rear = {weapon.mount is Mount.REAR for weapon in card.weapons} or {False}
        degrees = field_of_fire(card, Mount.FRONT, table)
        half = (LIMITED if degrees == ALL_ROUND else degrees) // 2
        arcs = tuple((to_rear, half) for to_rear in sorted(rear))
    facing = state.units[markers.carrier].facing if markers.carrier else unit.facing
    return _Lookout(hex, rows, floor_height(context, state, unit), facing, arcs)


def _looks_to(lookout: _Lookout, hex: Hex) -> bool:
    """Whether a hex lies where a spotter can look (6.1.3.1)."""
    return not lookout.arcs or any(
        in_arc(lookout.hex, opposite(lookout.facing) if to_rear else lookout.facing, hex, half)
        for to_rear, half in lookout.arcs
    )


def _spots(context: Context, ground: Ground, lookout: _Lookout, target: _Target) -> bool:
    """Whether a spotter with counters on him spots a target."""
    a, b = lookout.hex, target.hex
    if not ground.sees_up(a, b, lookout.up, target.up) or not _looks_to(lookout, b):
        return False
    limit = context.ground.spotting_ranges.range(target.row + lookout.rows, target.size)
    return distance(a, b) <= limit


def _is_plain(markers: UnitMarkers) -> bool:
    """Whether nothing of the Advanced Game changes how a unit spots."""
    return markers is NO_MARKERS or not (markers.suppression or markers.full_cover or markers.floor)


@rule("4.1", "4.1.1", "4.1.2")
def can_spot(context: Context, state: State, spotter: Unit, target: Unit, *, live: bool = False) -> Spotting:
    """Whether one unit spots another, all round, with every reason (4.1.1, 4.1.2, 6.1)"""
    refusal = _refuse_pair(context, state, spotter, target)
    if refusal is not None:
        return Spotting(False, str(refusal), refusal)
    a, b = _place(spotter), _place(target)
    limit = spotting_range(context, state, target, spotter, live=live)
    ups = floor_height(context, state, spotter), floor_height(context, state, target)
    sight = context.ground_at(state).sight(a, b, *ups)
    if sight.range_hexes > limit.total:
        refusal = Refusal(
            "4.1.3", f"{target.id} is {sight.range_hexes} hexes off and spotted out to {limit.total}", "come nearer"
        )
    elif sight.blocked:
        refusal = Refusal(
            sight.rule, f"the line of sight to {target.id} is blocked: {sight.reason}", "look from another hex"
        )
    elif not _looks_to(_lookout(context, state, spotter, a), b):
        reason = f"{spotter.id} is Suppressed and {target.id} outside of its front field-of-fire"
        refusal = Refusal("6.1.3.1", reason, "turn it that way, or wait until it recovers")
    reason = str(refusal) if refusal is not None else f"{sight.range_hexes} hexes off, spotted out to {limit.total}"
    return Spotting(refusal is None, reason, refusal, sight.range_hexes, limit, sight)


def _refuse_pair(context: Context, state: State, spotter: Unit, target: Unit) -> Refusal | None:
    """Why one unit cannot spot another wherever they are (4.1.1, 6.1.1, 6.1.3)."""
    if spotter.side == target.side:
        return Refusal("4.1.1", f"{target.id} is on the same side as {spotter.id}", "name an opposing unit")
    for unit in (spotter, target):
        if unit.hex is None or not unit.in_play:
            return Refusal("4.1.1", f"{unit.id} is not in play on the mapboard", "name a unit on the mapboard")
    if not may_spot(context.edition, context.cards[spotter.card]):
        return Refusal("4.1.1", f"{spotter.id} is unarmed and may not spot", "look out with an armed unit")
    if not is_lookout(context, state, spotter):
        if spotter.markers.bailed:
            return refuse_crewless(spotter.id)
        return Refusal(
            "6.1.1", f"{spotter.id} rides on {spotter.markers.carrier}, which spots itself", "look out from the vehicle"
        )
    if target.markers.carrier:
        reason = f"{target.id} rides on {target.markers.carrier} and is not spotted by itself"
        return Refusal("6.1.3", reason, "look for the vehicle")
    return None


@rule("4.1", "4.4.2")
def spots_live(context: Context, state: State, spotter: Unit, target: Unit) -> bool:
    """Whether a unit spots another at this moment: what overwatch asks (4.4.2)"""
    return next(spotters_live(context, state, (spotter,), target), None) is not None


def spotters_live(context: Context, state: State, spotters: Iterable[Unit], target: Unit) -> Iterator[Unit]:
    """Those of the units that spot the target at this moment (4.4.2)"""
    if context.scenario.roster:
        return _lookouts_live(context, state, spotters, target)
    return _vehicles_live(context, state, spotters, target)


def _vehicles_live(context: Context, state: State, spotters: Iterable[Unit], target: Unit) -> Iterator[Unit]:
    """The same in the Basic Game, where all units are vehicles and nothing ails those who look."""
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


def _limit(context: Context, state: State, target: Unit, hex: Hex, *, live: bool) -> int:
    """How far off a vehicle of the Basic Game is spotted."""
    ground = context.ground
    cover = ground.places[hex].cover_spotting
    if cover is not _NO_COVER and is_over_stacked(context, state, hex):
        cover = _NO_COVER
    spot = target.new_spot if live and target.new_spot is not _NO_SPOT else target.spot
    return ground.spotting_ranges.of[cover, spot]


def _lookouts_live(context: Context, state: State, spotters: Iterable[Unit], target: Unit) -> Iterator[Unit]:
    b = target.hex
    if b is None or not target.in_play or target.markers.carrier:
        return
    found: _Target | None = None
    ground = context.ground_at(state)
    seen = ground.fields[b]
    upstairs = bool(target.markers.floor)
    for unit in spotters:
        a = unit.hex
        if a is None or unit.side == target.side:
            continue
        plain = not upstairs and (unit.markers is NO_MARKERS or _is_plain(unit.markers))
        # Sight is asked first: it is known after the first game, and seldom there.
        if a not in seen and (plain or not (upstairs or unit.markers.floor)):
            continue
        if found is None:
            found = _target(context, state, target, b, live=True)
        if plain:
            if distance(a, b) > found.limit:
                continue
        elif not _spots(context, ground, _lookout(context, state, unit, a), found):
            continue
        if unit.in_play and is_lookout(context, state, unit):
            yield unit


@rule("4.1", "4.1.1", "4.1.2")
@rule("6.1", "6.1.4", editions=("panzer-na",))
def determine_spotting(context: Context, state: State) -> dict[UnitId, tuple[UnitId, ...]]:
    """Every spotter with the enemies that it spots, by the SPOT counters in force (4.1)"""
    present = [(unit, unit.hex) for unit in state.units.values() if unit.hex is not None and unit.in_play]
    if not context.scenario.roster:
        return _vehicles_spotted(context, state, present)
    enemies: dict[str, list[_Target]] = {unit.side: [] for unit, _ in present}
    for unit, hex in present:
        if unit.markers.carrier:
            continue
        target = _target(context, state, unit, hex, live=False)
        for side, targets in enemies.items():
            if side != unit.side:
                targets.append(target)
    ground = context.ground_at(state)
    upstairs = {side: any(target.up for target in targets) for side, targets in enemies.items()}
    found: dict[UnitId, tuple[UnitId, ...]] = {}
    for spotter, a in present:
        if not is_lookout(context, state, spotter):
            continue
        targets = enemies[spotter.side]
        if _is_plain(spotter.markers) and not upstairs[spotter.side]:
            seen = ground.fields[a]
            spotted = [unit for unit, b, limit, _, _, _ in targets if b in seen and distance(a, b) <= limit]
        else:
            lookout = _lookout(context, state, spotter, a)
            spotted = [target.id for target in targets if _spots(context, ground, lookout, target)]
        if spotted:
            found[spotter.id] = tuple(spotted)
    return found


def _vehicles_spotted(
    context: Context, state: State, present: Sequence[tuple[Unit, Hex]]
) -> dict[UnitId, tuple[UnitId, ...]]:
    """The same in the Basic Game."""
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
    """Units whose SPOT counter goes because nobody spots them (4.1.5)"""
    seen = {target for targets in spotted.values() for target in targets}
    return tuple(unit.id for unit in state.units.values() if unit.spot is not Spot.NONE and unit.id not in seen)
