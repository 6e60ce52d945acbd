"""6.2.1.1.3 Columns: vehicles that share a MOVE along a road or path, one behind the other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sandtable.core.content.rule import rule
from sandtable.core.errors import Refusal
from sandtable.geo.hex import NEIGHBOURS, Hex, distance
from sandtable.geo.hexside import SIDES
from sandtable.systems.panzer.advanced_card import UnitClass
from sandtable.systems.panzer.command.sharing import first_apart, holder_of, sharers
from sandtable.systems.panzer.hex.movement.mover import Mover
from sandtable.systems.panzer.hex.movement.reach import route_ends
from sandtable.systems.panzer.hex.movement.stepping import MovementRules
from sandtable.systems.panzer.hex.state import State, Unit
from sandtable.systems.panzer.terrain import Rate
from sandtable.systems.panzer.unit import Command, UnitId

__all__ = ["column_ends", "column_of", "refuse_out_of_order"]

_BOOK = ("panzer-na",)
_FAR = 1_000


def _onward(rules: MovementRules, hex: Hex) -> list[Hex]:
    """The hexes that a road or path leads to."""
    ground = rules.ground
    return [
        NEIGHBOURS[hex][way]
        for way in range(6)
        if any(ground.terrain[kind].rate in (Rate.ROAD, Rate.PATH) for kind in ground.routes.get(SIDES[hex][way], ()))
    ]


def _along(rules: MovementRules, start: Hex, among: Iterable[Hex] | None = None) -> dict[Hex, int]:
    """How many hexes along roads and paths it is from one to others; ``among`` some hexes alone."""
    allowed = None if among is None else set(among)
    far = {start: 0}
    found = [start]
    for here in found:
        for there in _onward(rules, here):
            if there not in far and there in rules.ground.map.hexes and (allowed is None or there in allowed):
                far[there] = far[here] + 1
                found.append(there)
    return far


@rule("6.2.1.1.3", editions=_BOOK)
def column_of(rules: MovementRules, state: State, unit: Unit) -> tuple[UnitId, ...]:
    """The column that a vehicle is part of, its head first; () if it is in none (6.2.1.1.3)

    Those within Command Range of one another share as all units do. Before any of them has moved, the vehicle itself is
    taken for the head: whoever moves first leads.
    """
    known = state.columns.get(holder_of(unit))
    if known is not None:
        return known
    group = sharers(state.units, unit)
    if len(group) < 2 or unit.command is not Command.MOVE or any(one.moved for one in group):
        return ()
    places = [one.hex for one in group if one.hex is not None]
    vehicles = all(rules.cards[one.card].unit_class is UnitClass.VEHICLE for one in group)
    if not vehicles or len(places) < len(group) or first_apart(places, distance, rules.command_reach(unit)) is None:
        return ()
    assert unit.hex is not None  # noqa: S101 - all of them are on the mapboard
    far = _along(rules, unit.hex, places)
    if any(place not in far for place in places):
        return ()
    ordered = sorted(group, key=lambda one: (far[one.hex or places[0]], one.id != unit.id, one.id))
    return tuple(one.id for one in ordered)


@rule("6.2.1.1.3", editions=_BOOK)
def refuse_out_of_order(rules: MovementRules, state: State, unit: Unit) -> Refusal | None:
    """Why it is not yet the turn of a vehicle of a column: they move from the head to the tail (6.2.1.1.3)"""
    order = column_of(rules, state, unit)
    if not order or unit.hex is None:
        return None
    units = state.units
    if holder_of(unit) not in state.columns:
        places = {place for one in order if (place := units[one].hex) is not None}
        if len(places.intersection(_onward(rules, unit.hex))) > 1:
            return Refusal("6.2.1.1.3", f"{unit.id} is in the middle of a column", "who is at its head moves first")
        return None
    waiting = [units[one] for one in order if units[one].in_play and not units[one].moved]
    if waiting and unit.hex != waiting[0].hex:
        return Refusal("6.2.1.1.3", f"{waiting[0].id} is before {unit.id} in the column", f"move {waiting[0].id} first")
    return None


@rule("6.2.1.1.3", "6.2.1.1.4", editions=_BOOK)
def column_ends(mover: Mover, state: State, order: Sequence[UnitId], own: set[Hex]) -> frozenset[Hex]:
    """Where a vehicle of a column may end: behind the one before it or with it, so that the next can follow (6.2.1.1.3)

    Who cannot get so near comes as near as it can. The hex may not be over-stacked by it.
    """
    unit, rules = mover.unit, mover.rules
    assert unit.hex is not None  # noqa: S101 - columns are on the mapboard
    at = order.index(unit.id)
    before = [one for name in order[:at] if (one := state.units[name]).in_play and one.hex is not None and one.moved]
    behind = [one for name in order[at + 1 :] if (one := state.units[name]).in_play and not one.moved]
    own = {hex for hex in own if hex == unit.hex or not _is_full(rules, state, hex)}
    if before:
        front = before[-1].hex
        assert front is not None  # noqa: S101 - just seen to
        far = _along(rules, unit.hex)
        own = {hex for hex in own if far.get(hex, _FAR) <= far.get(front, _FAR)} or {unit.hex}
        near = {hex for hex in own if distance(hex, front) <= 1}
        if not near:
            least = min(distance(hex, front) for hex in own)
            near = {hex for hex in own if distance(hex, front) == least}
    else:
        last = next((one.hex for one in behind if one.hex not in (None, unit.hex)), None)
        far, back = _along(rules, unit.hex), {} if last is None else _along(rules, last)
        # Whoever is led to by way of the next one has turned on the column.
        near = {hex for hex in own if last is None or far.get(hex, 0) != far[last] + back.get(hex, _FAR)}
    return frozenset(_followed(rules, state, near, behind) or near)


def _followed(rules: MovementRules, state: State, near: set[Hex], behind: Sequence[Unit]) -> set[Hex]:
    """Those of the hexes to which all who come after can close up, each to the one before it."""
    allowed: set[Hex] | None = None
    for unit in reversed(behind):
        mover = Mover(rules, state, unit)
        reached = route_ends(mover, mover.start())
        allowed = reached if allowed is None else _beside(reached, allowed) or reached
    return near if allowed is None else _beside(near, allowed)


def _beside(hexes: set[Hex], others: set[Hex]) -> set[Hex]:
    return {hex for hex in hexes if any(distance(hex, other) <= 1 for other in others)}


def _is_full(rules: MovementRules, state: State, hex: Hex) -> bool:
    """Whether one more vehicle over-stacks the hex (5.13)."""
    there = [
        one
        for one in state.units.values()
        if one.hex == hex and one.in_play and not one.markers.carrier and not rules.cards[one.card].unit_class.is_leg
    ]
    return len(there) + 1 >= rules.tables["stacking"].number("over_stacked_from")
