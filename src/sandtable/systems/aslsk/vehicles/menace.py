"""3.3.2 Whether a vehicle that comes into the hex of an enemy AFV could hurt it, and so may stay there."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.core.content.rule import rule
from sandtable.systems.aslsk.armour.strike import AfvResult, area_result, area_terms, destruction, strike_target
from sandtable.systems.aslsk.armour.to_kill import Strike, StrikeKind, gun_row
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.effects.ift import ift_of
from sandtable.systems.aslsk.fire.drm import tem_terms
from sandtable.systems.aslsk.guns.ammunition import supply_of
from sandtable.systems.aslsk.guns.gun_hit import he_fp
from sandtable.systems.aslsk.pieces.armament import Ammo, Mount
from sandtable.systems.aslsk.pieces.cards import Nationality
from sandtable.systems.aslsk.pieces.state import Vehicle, VehicleGun
from sandtable.systems.aslsk.pieces.vehicle_cards import Aspect

__all__ = ["could_hurt"]

_EFFECTS_DR = 5
"""The original TK or IFT DR by which it is judged (3.3.2)."""
_HURT = (AfvResult.ELIMINATED, AfvResult.SHOCK, AfvResult.POSSIBLE_SHOCK)
_FACES = {Aspect.TURRET: (2, 3), Aspect.HULL: (3, 2)}
"""Dice of a hit on each part."""


@rule("3.3.2")
def could_hurt(context: Context, vehicle: Vehicle, target: Vehicle, side: int, *, exposed: bool) -> bool:
    """Whether a DR of 5 would destroy or shock an AFV, by what its MA has without end (3.3.2).

    ``side`` is the hexside through which the vehicle comes in; ``exposed`` whether its crew is CE by then.
    """
    card = context.vehicle_card(vehicle)
    if not vehicle.works(VehicleGun.MAIN) or (exposed and card.turret is Mount.RESTRICTED_SLOW):
        return False
    return any(
        _kills(context, vehicle, target, ammo, side) or (ammo is Ammo.HE and _shakes(context, vehicle, target))
        for ammo in _lasting(context, vehicle)
    )


def _lasting(context: Context, vehicle: Vehicle) -> Iterator[Ammo]:
    """Ammunition that needs no depletion number (6.2)."""
    main = context.vehicle_card(vehicle).main
    for ammo, has in ((Ammo.AP, main.ap), (Ammo.HE, main.he and not main.is_mg)):
        if has and supply_of(context, main, ammo) is None:
            yield ammo


@rule("7.9")
def _kills(context: Context, vehicle: Vehicle, target: Vehicle, ammo: Ammo, side: int) -> bool:
    """By a hit on the VTT, in hull or turret (7.9)."""
    card = context.vehicle_card(vehicle)
    main = card.main
    nation = Nationality(main.chart) if main.chart else card.nationality
    kind = StrikeKind.MACHINE_GUN if main.is_mg else StrikeKind.DIRECT
    rows = (card.to_kill_rows if ammo is Ammo.AP else ()) or (gun_row(context, main, nation, ammo),)
    assert target.hex is not None  # noqa: S101 - it is on the map
    for faces in _FACES.values():
        strike = Strike(target.id, target.hex, 0, ammo, rows, faces, 0, vehicle.id, kind, side=side)
        struck = strike_target(context, strike, target)
        for number in struck.numbers:
            if not number.final:
                result = destruction(context, kind, ammo, _EFFECTS_DR - number.total, struck.aspect)
                if result in _HURT:
                    return True
    return False


@rule("7.11")
def _shakes(context: Context, vehicle: Vehicle, target: Vehicle) -> bool:
    """By a hit of HE on the ATT, in hull or turret (7.11)."""
    assert target.hex is not None  # noqa: S101 - it is on the map
    terms = (*tem_terms(context, (target.hex,), target.hex), *area_terms(context, context.vehicle_card(target)))
    column = ift_of(context).number(he_fp(context, context.vehicle_card(vehicle).main.caliber) // 2)
    final = _EFFECTS_DR + sum(term.value for term in terms)
    return any(area_result(context, column, final, aspect) in _HURT for aspect in _FACES)
