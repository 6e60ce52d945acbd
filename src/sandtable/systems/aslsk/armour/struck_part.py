"""3.2.4, 7.9 Which part of a vehicle a hit strikes: hull or turret, and from which side."""

from __future__ import annotations

from collections.abc import Iterable

from sandtable.core.content.rule import rule
from sandtable.systems.aslsk.armour.to_kill import Strike
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.pieces.state import Vehicle
from sandtable.systems.aslsk.pieces.vehicle_cards import Armour, Aspect, Facing
from sandtable.systems.aslsk.terrain.covered_arc import facings_struck

__all__ = ["aspect_struck", "facing_struck", "struck_facing"]

_WITHIN_HEX = (Facing.REAR, Facing.REAR, Facing.SIDE, Facing.SIDE, Facing.FRONT, Facing.FRONT)
"""By the coloured die of a shot inside the hex."""


@rule("3.2.4")
def aspect_struck(faces: tuple[int, ...]) -> Aspect:
    """The turret if the coloured die of the original DR is less than the white one, else the hull (3.2.4)."""
    return Aspect.TURRET if faces and faces[0] < faces[1] else Aspect.HULL


@rule("3.2.4", "7.1")
def facing_struck(armour: Armour, aspect: Aspect, spine: int, sides: Iterable[int]) -> Facing:
    """The facing by the hexsides that a line enters by; of two the worst for the firer, the one armoured best (3.2.4).

    That may be the side: some turrets are thinner in front. As armour goes, the rear is a side that is hit better.
    """
    return min(facings_struck(spine, sides), key=lambda one: (-armour.factor(aspect, one), _BEST.index(one)))


_BEST = (Facing.FRONT, Facing.SIDE, Facing.REAR)


@rule("3.2.4")
def struck_facing(context: Context, vehicle: Vehicle, strike: Strike, aspect: Aspect) -> Facing:
    """The facing by TCA or VCA, as the line of sight enters the hex, or by the hexside of a DC (3.2.4, 4.3).

    Fire inside the hex goes by the coloured die; a flamethrower, which rolls none, strikes the rear.
    """
    assert vehicle.hex is not None  # noqa: S101 - what is struck is on the map
    card = context.vehicle_card(vehicle)
    spine = vehicle.tca if aspect is Aspect.TURRET and card.has_turret else vehicle.vca
    if strike.side >= 0:
        return facing_struck(card.armour, aspect, spine, (strike.side,))
    if strike.origin == vehicle.hex:
        return _WITHIN_HEX[strike.faces[0] - 1] if strike.faces else Facing.REAR
    return facing_struck(card.armour, aspect, spine, context.ground.entry_side(strike.origin, vehicle.hex))
