"""How a unit stands in its hex: Height, Cover, over-stacking (3.8, 4.1.3, 4.1.3.2, 5.13, 6.1.4.3.1, 6.1.4.3.7)."""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.geo.hex import Hex
from sandtable.systems.panzer.advanced_card import UnitClass
from sandtable.systems.panzer.features import FeatureKind
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.features import occupied
from sandtable.systems.panzer.hex.state import State, Unit
from sandtable.systems.panzer.markers import Floor
from sandtable.systems.panzer.terrain import Cover, TerrainId

__all__ = ["cover_of", "floor_height", "height_of", "is_over_stacked", "is_upstairs", "stacked_in"]

_BOOK = ("panzer-na",)
_IMPROVED = TerrainId("improved_position")
# Bound once: to look a member up in its enum takes as long as the rest of a question.
_VEHICLE, _GROUND, _NONE = UnitClass.VEHICLE, Floor.GROUND, Cover.NONE


@rule("3.8")
@rule("5.13", editions=_BOOK)
def stacked_in(context: Context, state: State, hex: Hex) -> list[Unit]:
    """The vehicles and dismounted towed units of both forces in a hex; wrecks and leg units do not count (3.8, 5.13)"""
    return [
        unit
        for unit in state.units.values()
        if unit.hex == hex
        and unit.in_play
        and not unit.markers.carrier
        and ((kind := context.cards[unit.card].unit_class) is _VEHICLE or not kind.is_leg)
    ]


@rule("3.8")
@rule("5.13", editions=_BOOK)
def is_over_stacked(context: Context, state: State, hex: Hex) -> bool:
    """Whether six of them or more are in the hex (3.8, 5.13)"""
    return len(stacked_in(context, state, hex)) >= context.tables["stacking"].number("over_stacked_from")


@rule("6.1.4.3.1", editions=_BOOK)
def floor_height(context: Context, state: State, unit: Unit) -> int:
    """Heights that a unit is above the ground of its hex: the top floor of a building, or its roof (6.1.4.3.1)"""
    if unit.markers.floor is not Floor.UP or unit.hex is None:
        return 0
    storeys = context.ground_at(state).places[unit.hex].storeys
    return storeys if context.ground.conditions.desert_buildings else max(0, storeys - 1)


@rule("6.1.4.3.1", editions=_BOOK)
def is_upstairs(context: Context, unit: Unit) -> bool:
    """Whether a unit is on the top floor inside a building; on a Desert Building it is on the roof (6.1.4.3.1)"""
    return unit.markers.floor is Floor.UP and not context.ground.conditions.desert_buildings


def height_of(context: Context, state: State, unit: Unit) -> int:
    """Height of a unit on the map (4.1.4.1.4, 6.1.4.3.1)."""
    assert unit.hex is not None  # noqa: S101 - the caller knows
    return context.ground_at(state).places[unit.hex].height + floor_height(context, state, unit)


@rule("4.1.3", "4.1.3.2", "4.4.3.2.2")
def cover_of(context: Context, state: State, unit: Unit, *, fire: bool = False, crowded: bool = True) -> Cover:
    """Cover of a unit for spotting or against fire; none where the hex is over-stacked (4.1.3.2, 4.4.3.2.2, 6.1.4.3)

    Without ``crowded`` it is that of the ground alone.
    """
    hex = unit.hex
    if hex is None:
        return Cover.NONE
    place = context.ground_at(state).places[hex]
    unit_class = context.cards[unit.card].unit_class
    leg = unit_class is not _VEHICLE and unit_class.is_leg
    if leg or unit.markers.floor is not _GROUND:
        cover = _inside(context, unit, place.inside_fire if fire else place.inside_spotting)
    else:
        cover = place.cover_fire if fire else place.cover_spotting
    if state.features and occupied(state.features, unit.id, FeatureKind.IMPROVED_POSITION):
        row = context.ground.terrain[_IMPROVED]
        cover = row.cover_fire if fire else row.cover_spotting
    if crowded and cover is not _NONE and not leg and is_over_stacked(context, state, hex):
        return Cover.NONE
    return cover


@rule("6.1.4.3.1", "6.5.4.2.2", editions=_BOOK)
def _inside(context: Context, unit: Unit, cover: Cover) -> Cover:
    """Cover in the buildings of a hex; on the roof of Desert Buildings it is Light (6.1.4.3.1, 6.5.4.2.2)"""
    on_roof = unit.markers.floor is Floor.UP and context.ground.conditions.desert_buildings
    return Cover.LIGHT if on_roof else cover
