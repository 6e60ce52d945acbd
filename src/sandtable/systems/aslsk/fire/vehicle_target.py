"""3.2.4 Cases 22, 24 and 25: To Hit DRM that a vehicle as a target brings with it, whatever fires at it."""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.core.modifier import Modifier
from sandtable.geo.hex import Hex, distance
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.common.numbers import numbers_of
from sandtable.systems.aslsk.common.vehicles_here import halves_in_sight
from sandtable.systems.aslsk.pieces.armament import Size
from sandtable.systems.aslsk.pieces.state import State, Vehicle

__all__ = ["size_terms", "vehicle_terms"]

_SIZES = {
    Size.VERY_LARGE: "very_large",
    Size.LARGE: "large",
    Size.SMALL: "small",
    Size.VERY_SMALL: "very_small",
}
ONE_MP, THREE_MP = 2, 6
"""In halves of MP."""


@rule("3.2.4", "7.3")
def size_terms(context: Context, size: Size) -> tuple[Modifier, ...]:
    """Case 22: the target size of a Gun or vehicle (6.7, 7.3)."""
    name = _SIZES.get(size)
    return (numbers_of(context).to_hit_drm[name],) if name else ()


@rule("3.2.4")
def vehicle_terms(
    context: Context, state: State, firer: Hex, vehicle: Vehicle, *, near: bool = True
) -> tuple[Modifier, ...]:
    """Cases 22, 24 and 25: size, a moving target, a stopped one near by, which may be a moving target still (3.2.4).

    ``near`` is False for what has no benefit of a short range: the ATT, LATW but ATR, a firer that has not stopped.
    """
    terms = list(size_terms(context, context.vehicle_card(vehicle).size))
    numbers = numbers_of(context).to_hit_drm
    if vehicle.is_moving_target:
        terms.append(numbers[_speed(context, state, firer, vehicle)])
    if near and vehicle.is_stopped and vehicle.hex is not None:
        name = _STOPPED.get(distance(firer, vehicle.hex))
        if name:
            terms.append(numbers[name])
    return tuple(terms)


_STOPPED = {1: "stopped_1", 2: "stopped_2"}


def _speed(context: Context, state: State, firer: Hex, vehicle: Vehicle) -> str:
    """The line of case 24: Motion, or how many MP it has spent in the LOS of the firer."""
    seen = halves_in_sight(context, state, vehicle.trail, firer)
    if vehicle.motion or seen > THREE_MP:
        return "moving"
    return "moving_3" if seen > ONE_MP else "moving_1"
