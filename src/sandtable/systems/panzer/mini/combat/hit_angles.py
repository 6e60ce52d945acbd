"""8.4.5.1 Hit angles: the eight sections of the Target Angle Wheel, laid over a vehicle or over its turret."""

from __future__ import annotations

from typing import NamedTuple

from sandtable.core.content.rule import rule
from sandtable.geo.plane.sectors import sectors_of
from sandtable.systems.panzer.mini.cards import Angle
from sandtable.systems.panzer.mini.state import Unit

__all__ = ["Angles", "angles_of", "angles_struck"]

BOOK = ("panzer-mini",)
_RAYS = (-225, 225, 675, 1125, 1575, 2025, 2475, 2925)
_WHEEL = (
    *(Angle.FRONT, Angle.FRONT_SIDE, Angle.SIDE, Angle.REAR_SIDE, Angle.REAR),
    *(Angle.REAR_SIDE, Angle.SIDE, Angle.FRONT_SIDE),
)
"""The sections clockwise from the front; right and left are alike."""


class Angles(NamedTuple):
    """From where a shot strikes: what the owner of the target may pick from, where it comes down a line (8.4.5.1.1)."""

    hull: tuple[Angle, ...]
    turret: tuple[Angle, ...]
    """The same as of the hull where the turret points ahead, or there is none."""


@rule("1.1.6", "8.4.5.1", "8.4.5.1.1", editions=BOOK)
def angles_of(at: tuple[int, int], heading: int, firer: tuple[int, int]) -> tuple[Angle, ...]:
    """The angle at which a shot strikes what faces a heading; two on the line that divides them (8.4.5.1.1)"""
    return tuple(dict.fromkeys(_WHEEL[number] for number in sectors_of(at, heading, _RAYS, firer)))


@rule("8.4.5.2", editions=BOOK)
def angles_struck(target: Unit, firer: tuple[int, int]) -> Angles:
    """The angles of hull and turret; the wheel is turned to where the turret points, if it is not ahead (8.4.5.2)"""
    assert target.at is not None  # noqa: S101 - units on the table alone are fired on
    hull = angles_of(target.at, target.heading, firer)
    if target.turret_heading == target.heading:
        return Angles(hull, hull)
    return Angles(hull, angles_of(target.at, target.turret_heading, firer))
