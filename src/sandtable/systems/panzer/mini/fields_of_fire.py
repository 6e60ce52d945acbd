"""8.2.1 Fields-of-Fire: four of 90 degrees about a vehicle, and which of them a weapon covers.

What lies on the line between two is in both.
"""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.geo.plane.points import range_inches
from sandtable.geo.plane.sectors import sectors_of
from sandtable.systems.panzer.cards import Mount
from sandtable.systems.panzer.mini.cards import MiniCard, MiniWeapon, Traverse
from sandtable.systems.panzer.mini.state import FieldOfFire, Unit

__all__ = ["bears_on", "fields_holding", "has_shot", "reaches"]

BOOK = ("panzer-mini",)
_RAYS = (-450, 450, 1350, 2250)
_FIELDS = (FieldOfFire.FRONT, FieldOfFire.RIGHT, FieldOfFire.REAR, FieldOfFire.LEFT)


@rule("8.2.1", editions=BOOK)
def fields_holding(at: tuple[int, int], heading: int, target: tuple[int, int]) -> tuple[FieldOfFire, ...]:
    """The fields about a heading that a place lies in: one, or two where it is on the line (8.2.1)."""
    return tuple(_FIELDS[number] for number in sectors_of(at, heading, _RAYS, target))


@rule("8.2.1.1", "8.2.1.2", "8.2.1.3", "8.2.1.4", "8.2.1.5", editions=BOOK)
def bears_on(unit: Unit, card: MiniCard, weapon: MiniWeapon, target: tuple[int, int]) -> bool:
    """Whether a weapon covers a place as its vehicle stands, without turning anything (8.2.1.1-8.2.1.5)."""
    if unit.at is None:
        return False
    if weapon.mount is Mount.REAR:
        return FieldOfFire.REAR in fields_holding(unit.at, unit.heading, target)
    if weapon.mount is Mount.FRONT:
        return FieldOfFire.FRONT in fields_holding(unit.at, unit.heading, target)
    if card.traverse is Traverse.ALL_ROUND:
        return True
    return FieldOfFire.FRONT in fields_holding(unit.at, unit.turret_heading, target)


@rule("4.5", "4.5.2", "8.2", editions=BOOK)
def has_shot(unit: Unit, card: MiniCard, target: Unit) -> bool:
    """Whether some AP weapon of the Basic Game reaches a unit: in range and field-of-fire (4.5.2, 8.2)."""
    if unit.at is None or target.at is None:
        return False
    distance = range_inches(unit.at, target.at)
    return any(reaches(weapon, distance) and bears_on(unit, card, weapon, target.at) for weapon in card.weapons)


@rule("4.5.2", "8.1", editions=BOOK)
def reaches(weapon: MiniWeapon, inches: int) -> bool:
    """Whether some AP ammunition of the Basic Game reaches so far, and not only farther (4.5.2)."""
    if inches >= weapon.minimum:
        for ammo in weapon.ammo:
            if ammo.basic and ammo.range_factor(inches) is not None:
                return True
    return False
