"""Roads, paths, tracks and bridges as ways to move (4.5.1.1.5, 4.5.1.1.6, 4.5.1.1.11).

A vehicle moves along a route when it crosses a hexside that the route crosses. What the hex entered counts as follows
from that hexside; a bridge is a continuation of the routes that it joins, and a Road if one of them is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import IntEnum
from typing import Any, Protocol

from sandtable.core.content.rule import rule
from sandtable.core.content.table import Table
from sandtable.core.errors import Refusal
from sandtable.geo.hex import NEIGHBOURS, Hex
from sandtable.geo.hexside import SIDES, Hexside
from sandtable.geo.map import GameMap
from sandtable.systems.panzer.edition import Edition
from sandtable.systems.panzer.hex.features import Feature
from sandtable.systems.panzer.hex.scenario.draft import Conditions
from sandtable.systems.panzer.hex.sight.survey import BRIDGE_RUBBLE, MapHex, Side
from sandtable.systems.panzer.terrain import Rate, Terrain, TerrainId

__all__ = ["MovementGround", "Route", "refuse_bridge", "route_across"]


class MovementGround(Protocol):
    """What movement asks of the ground."""

    map: GameMap
    terrain: Mapping[TerrainId, Terrain]
    edition: Edition
    tables: Mapping[str, Table]
    places: dict[Hex, MapHex]
    """Every playable hex."""
    sides: dict[Hexside, Side]
    routes: dict[Hexside, tuple[TerrainId, ...]]
    """The routes in force across each hexside."""
    conditions: Conditions
    costs: dict[Any, Any]
    """The tables of movement costs worked out so far; they refer to the ground, so they live and go with it."""

    def now(self, features: tuple[Feature, ...]) -> MovementGround:
        """The ground as terrain counters have changed it (6.1.4.3)."""
        ...


class Route(IntEnum):
    """What a hex counts as when it is entered along a route, the better the higher."""

    NONE = 0
    TRACK = 1
    PATH = 2
    ROAD = 3


_ROUTES = {Rate.ROAD: Route.ROAD, Rate.PATH: Route.PATH, Rate.TRACK: Route.TRACK}


@rule("4.5.1.1.5")
def route_across(ground: MovementGround, hex: Hex, direction: int) -> Route:
    """What the hex beyond a hexside counts as for a vehicle that follows a route there (4.5.1.1.5)

    Where several run side by side the vehicle takes the best. ``Route.NONE`` if none crosses the hexside.
    """
    kinds = ground.routes.get(SIDES[hex][direction], ())
    if not kinds or _is_broken(ground, hex) or _is_broken(ground, NEIGHBOURS[hex][direction]):
        return Route.NONE
    rates = {ground.terrain[kind].rate for kind in kinds} - {None}
    if not rates:
        return Route.NONE
    beyond = NEIGHBOURS[hex][direction]
    place = ground.places.get(beyond)
    if place is not None and place.bridge:
        return _bridge(ground, beyond)
    if rates == {Rate.CONNECTED}:
        return max(_bridge(ground, hex), _bridge(ground, beyond))
    return max(_ROUTES[rate] for rate in rates if rate in _ROUTES)


@rule("6.5.4.4.3", editions=("panzer-na",))
def _is_broken(ground: MovementGround, hex: Hex) -> bool:
    """Whether the bridge of a hex was destroyed: no road leads over its Rubble any more (6.5.4.4.3)"""
    place = ground.places.get(hex)
    return place is not None and BRIDGE_RUBBLE in place.terrain


@rule("4.5.1.1.6")
def _bridge(ground: MovementGround, hex: Hex) -> Route:
    """What a bridge counts as: the best of the routes that it joins (4.5.1.1.6)"""
    return max((_best(ground, ground.routes.get(side, ())) for side in SIDES[hex]), default=Route.NONE)


def _best(ground: MovementGround, kinds: Iterable[TerrainId]) -> Route:
    rates = (ground.terrain[kind].rate for kind in kinds)
    return max((_ROUTES[rate] for rate in rates if rate in _ROUTES), default=Route.NONE)


@rule("4.5.1.1.6")
def refuse_bridge(ground: MovementGround, hex: Hex, direction: int, route: Route) -> Refusal | None:
    """A bridge is entered and left along its routes only (4.5.1.1.6)"""
    if route is not Route.NONE:
        return None
    remedy = "follow the road or path across the bridge"
    beyond = ground.places.get(NEIGHBOURS[hex][direction])
    if ground.places[hex].bridge:
        return Refusal("4.5.1.1.6", f"no road or path leaves the bridge in {ground.places[hex].label} that way", remedy)
    if beyond is not None and beyond.bridge:
        return Refusal("4.5.1.1.6", f"the bridge in {beyond.label} is entered along its road or path only", remedy)
    return None
