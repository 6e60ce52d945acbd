"""4.3 A Demolition Charge placed against an AFV: the position DR, and the attack that comes of it."""

from __future__ import annotations

from enum import StrEnum

from sandtable.core.content.rule import rule
from sandtable.core.modifier import Breakdown, Modifier
from sandtable.systems.aslsk.armour.crew import CrewAttack, strike_crew
from sandtable.systems.aslsk.armour.strike import strike_vehicle
from sandtable.systems.aslsk.armour.to_kill import CHARGE_ROW, Strike, StrikeKind
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.dice import DR
from sandtable.systems.aslsk.common.facts import armour_events as ev
from sandtable.systems.aslsk.common.numbers import numbers_of
from sandtable.systems.aslsk.effects.ift import ift_of
from sandtable.systems.aslsk.pieces.armament import Ammo
from sandtable.systems.aslsk.pieces.state import Vehicle, VehicleId, Weapon
from sandtable.systems.aslsk.pieces.vehicle_cards import Facing
from sandtable.systems.aslsk.terrain.covered_arc import facings_struck

__all__ = ["Lies", "blow_up", "position_terms"]


class Lies(StrEnum):
    """Where a charge has come to lie (4.3)."""

    ARMOUR = "armour"
    CREW = "crew"
    GROUND = "ground"


def _term(context: Context, name: str) -> Modifier:
    return context.tables["dc_position"].modifier(name)


@rule("4.3")
def position_terms(context: Context, charge: Weapon, vehicle: Vehicle) -> tuple[Modifier, ...]:
    """The DRM of the position DR: Motion, CX, CE, front or rear of the hull, an immobile AFV (4.3)."""
    (facing,) = facings_struck(vehicle.vca, (charge.placed_side,))
    holds = {
        "moving": not vehicle.is_stopped,
        "cx": charge.placer_cx,
        "exposed": vehicle.exposed,
        "front": facing is Facing.FRONT,
        "rear": facing is Facing.REAR,
        "immobile": not vehicle.is_mobile or vehicle.is_shocked or vehicle.is_stunned,
    }
    return tuple([_term(context, name) for name, held in holds.items() if held])


@rule("4.3")
def blow_up(context: Context, play: Play, charge: Weapon) -> Lies:
    """The position DR of a charge, and its attack on the armour or on a CE crew; where it lies (4.3).

    The position DR says hull or turret, the hexside of its placing the facing, wherever the AFV points by now.
    """
    vehicle = play.state.vehicles[VehicleId(charge.placed_on)]
    drm = Breakdown("DRM", "4.3", position_terms(context, charge, vehicle))
    roll = play.dice.roll(DR, f"{charge.id} position on {vehicle.id}", None)
    final = roll.total + drm.total
    table = context.tables["dc_position"].number
    lies = Lies.GROUND
    if final <= table("crew_to", "value"):
        lies = Lies.ARMOUR if final <= table("on_armour_to", "value") else Lies.CREW
    play.emit(ev.ChargePositioned(charge.id, vehicle.id, roll.faces, drm, lies.value))
    if lies is Lies.ARMOUR:
        strike_vehicle(context, play, _strike(context, charge, vehicle, roll.faces))
    elif lies is Lies.CREW and vehicle.exposed:
        attack = play.dice.roll(DR, f"{charge.id} on the crew of {vehicle.id}", None)
        if attack.total < charge.fails_at:
            column = ift_of(context).number(context.weapon_card(charge).fp)
            terms = (numbers_of(context).ift_drm["cx"],) if charge.placer_cx else ()
            strike_crew(context, play, vehicle.id, CrewAttack("demolition charge", column, attack.faces, terms))
    return lies


def _strike(context: Context, charge: Weapon, vehicle: Vehicle, faces: tuple[int, ...]) -> Strike:
    assert charge.placed is not None  # noqa: S101 - its placing was checked
    return Strike(
        vehicle=vehicle.id,
        origin=charge.placed,
        reach=1,
        ammo=Ammo.HE,
        rows=(CHARGE_ROW,),
        faces=faces,
        fp=context.weapon_card(charge).fp,
        by=charge.id,
        kind=StrikeKind.CHARGE,
        side=charge.placed_side,
        drm=(numbers_of(context).ift_drm["cx"],) if charge.placer_cx else (),
        dud_at=charge.fails_at,
    )
