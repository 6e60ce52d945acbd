"""6.1.4.1 Hull Down on hexes: positions found or built, buildings, walls, defilade, higher ground."""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.geo.hex import Hex, distance, sector
from sandtable.geo.hexside import SIDES, Hexside, hexes_of, translate_side
from sandtable.systems.panzer.advanced_card import UnitClass
from sandtable.systems.panzer.cover import automatic_hull_down, better_hull_down
from sandtable.systems.panzer.features import FeatureKind
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.features import occupied
from sandtable.systems.panzer.hex.sight.sightline import How, sightline
from sandtable.systems.panzer.hex.spotting.standing import height_of
from sandtable.systems.panzer.hex.state import State, Unit
from sandtable.systems.panzer.markers import Floor, HullDown
from sandtable.systems.panzer.terrain import TerrainId

__all__ = ["crosses_wall", "hull_down_of", "position_of"]

_BOOK = ("panzer-na",)
WALL = TerrainId("wall")
DEFILADE = TerrainId("defilade")
_MASSIVE = (TerrainId("brick_building"), TerrainId("stone_building"))
_ACROSS = (How.ACROSS, How.VERTEX, How.MEETING)
_REAR = (0,)
"""Sectors about the open way that an Improved Position leaves open: the Rear Angle."""
_REAR_AND_SIDES = (5, 0, 1)
"""The same for a position that was searched: Rear and Rear/Side (6.6.9)."""


@rule("6.1.4.1", "6.1.4.1.1", "6.1.4.1.2", editions=_BOOK)
def hull_down_of(context: Context, state: State, firer: Unit, target: Unit) -> HullDown:
    """How much of a vehicle the ground hides from AP Direct Fire of a firer (6.1.4.1)"""
    if firer.hex is None or target.hex is None or context.cards[target.card].unit_class is not UnitClass.VEHICLE:
        return HullDown.NONE
    found = [HullDown.FULL if _behind_hexside(context, firer.hex, target.hex) else HullDown.NONE]
    position, open_sectors = _position(context, state, target)
    if position is not HullDown.NONE and not _from_open_way(firer.hex, target, open_sectors):
        found.append(position)
    heights = height_of(context, state, target), height_of(context, state, firer)
    found.append(automatic_hull_down(*heights, distance(firer.hex, target.hex)))
    return better_hull_down(*found)


def position_of(context: Context, state: State, unit: Unit) -> HullDown:
    """The position that a vehicle is in itself; a limited weapon may not fire from a full one (6.1.4.1.2)."""
    return _position(context, state, unit)[0]


@rule("6.1.4.3.1", "6.1.4.3.7", "6.6.9", editions=_BOOK)
def _position(context: Context, state: State, unit: Unit) -> tuple[HullDown, tuple[int, ...]]:
    """A vehicle's position, and the sectors about its open way from which it does not hide (6.1.4.3.1, 6.1.4.3.7)

    Brick and Stone Buildings hide on all sides. In an Improved Position it is fully Hull Down unless it has been
    designated as Partial.
    """
    markers = unit.markers
    if markers.floor is Floor.INSIDE and unit.hex is not None:
        massive = any(kind in _MASSIVE for kind in context.ground_at(state).places[unit.hex].terrain)
        return (HullDown.FULL if massive else HullDown.NONE), ()
    if state.features and occupied(state.features, unit.id, FeatureKind.IMPROVED_POSITION) is not None:
        return (markers.hull_down if markers.hull_down is not HullDown.NONE else HullDown.FULL), _REAR
    return markers.hull_down, _REAR_AND_SIDES


def _from_open_way(firer: Hex, target: Unit, open_sectors: tuple[int, ...]) -> bool:
    """Whether fire comes from where a position is open; on the dividing line its owner chooses that it does not."""
    way = target.markers.open_way
    if target.hex is None or way < 0 or not open_sectors:
        return False
    return all(one in open_sectors for one in sector(target.hex, way, firer))


@rule("6.1.4.3.2", editions=_BOOK)
def _behind_hexside(context: Context, firer: Hex, target: Hex, along: tuple[TerrainId, ...] = (WALL,)) -> bool:
    """Whether fire comes over a Wall, or from a Defilade hex over its hexside, beside the target (6.1.4.3.2)

    A line may also run exactly along a Wall that begins at a corner of the target's hex.
    """
    own = SIDES[target]
    for barrier in sightline(target.q - firer.q, target.r - firer.r).barriers:
        sides = [translate_side(side, firer) for side in barrier.sides]
        if barrier.how in _ACROSS and all(side in own for side in sides):
            if all(_has(context, side, WALL) for side in sides):
                return True
            if all(_has(context, side, DEFILADE) and _is_defiladed(context, side, target) for side in sides):
                return True
        elif barrier.how is How.ALONG and barrier.from_b <= 1 and any(_has(context, sides[0], kind) for kind in along):
            return True
    return False


@rule("6.5.4.3", editions=_BOOK)
def crosses_wall(context: Context, firer: Hex, target: Hex) -> bool:
    """Whether Direct Fire crosses or runs along a Wall or Defilade beside leg or towed units (6.5.4.3)"""
    return _behind_hexside(context, firer, target, (WALL, DEFILADE))


def _has(context: Context, side: Hexside, kind: TerrainId) -> bool:
    facts = context.ground.sides.get(side)
    return facts is not None and kind in facts.kinds


def _is_defiladed(context: Context, side: Hexside, hex: Hex) -> bool:
    """Whether a hex is the one that a Defilade shelters: that of the overlay, either where none is marked."""
    facts = context.game_map.facts
    marked = [one for one in hexes_of(side) if one in facts and facts[one].attributes.get("defilade")]
    return not marked or hex in marked
