"""Shapes that belong to a vehicle, for looking at: its field-of-fire, and how far it can drive."""

from __future__ import annotations

from collections.abc import Mapping

from sandtable.core.view import Zone
from sandtable.geo.plane.points import INCH
from sandtable.systems.panzer.cards import Mount
from sandtable.systems.panzer.mini.cards import MiniCard, Traverse
from sandtable.systems.panzer.mini.context import Context
from sandtable.systems.panzer.mini.movement.drive import DrivePath
from sandtable.systems.panzer.mini.setup.patterns import offset
from sandtable.systems.panzer.mini.state import State, Unit
from sandtable.systems.panzer.unit import UnitId

__all__ = ["OUTLINE_TITLES", "outlines"]

OUTLINE_TITLES: Mapping[str, str] = {"fire": "Field of fire", "reach": "How far it drives straight on"}
_ARC = range(-450, 451, 50)


def outlines(context: Context, state: State, unit: str, what: str) -> tuple[Zone, ...]:
    """The shapes of one kind for a vehicle, from a concealed state."""
    found = state.units.get(UnitId(unit))
    if found is None or found.at is None or not found.in_play:
        return ()
    if what == "fire":
        return _fire(context.card_of(found), found)
    if what == "reach":
        return tuple(
            Zone(OUTLINE_TITLES[what], outline, "good") for outline in DrivePath(context, state, found).region()
        )
    return ()


def _fire(card: MiniCard, unit: Unit) -> tuple[Zone, ...]:
    """The field-of-fire of each weapon, as far as it reaches (8.2.1)."""
    zones = []
    for weapon in card.weapons:
        reach = max((ammo.R.E for ammo in weapon.ammo if ammo.basic), default=0) * INCH
        assert unit.at is not None  # noqa: S101 - on the table
        if not reach:
            continue
        if weapon.mount is Mount.ALL and card.traverse is Traverse.ALL_ROUND:
            corners = [offset(unit.at, way, reach, 0) for way in range(0, 3600, 100)]
        else:
            hull = unit.heading if weapon.mount is not Mount.REAR else unit.heading + 1800
            middle = unit.turret_heading if weapon.mount is Mount.ALL else hull
            corners = [unit.at, *(offset(unit.at, (middle + way) % 3600, reach, 0) for way in _ARC)]
        zones.append(Zone(weapon.name, tuple((corner.x, corner.y) for corner in corners)))
    return tuple(zones)
