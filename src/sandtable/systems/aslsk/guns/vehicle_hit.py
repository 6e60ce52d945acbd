"""3.2.4, 7.9 to 7.12: what a hit of a Gun or MA does to vehicles, by the target type that it was made on."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core.content.rule import rule
from sandtable.core.dice import Roll
from sandtable.core.modifier import Modifier
from sandtable.systems.aslsk.armour.crew import CrewAttack, strike_crew
from sandtable.systems.aslsk.armour.strike import AreaStrike, area_strike, strike_vehicle
from sandtable.systems.aslsk.armour.to_kill import Strike, StrikeKind, gun_row
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.dice import DR
from sandtable.systems.aslsk.common.numbers import numbers_of
from sandtable.systems.aslsk.fire.drm import approach_of, tem_terms
from sandtable.systems.aslsk.guns.gun_hit import burst_of, hit_column, is_air_burst
from sandtable.systems.aslsk.guns.gun_to_hit import Shot
from sandtable.systems.aslsk.pieces.armament import Ammo, TargetType
from sandtable.systems.aslsk.pieces.state import State, UnderWay, VehicleId

__all__ = ["strike_afvs"]


@rule("3.2.4")
def strike_afvs(
    context: Context,
    play: Play,
    shot: Shot,
    hit: Sequence[VehicleId],
    *,
    chosen: str,
    faces: tuple[int, ...],
    roll: Roll | None,
    moving: UnderWay | None,
) -> None:
    """To Kill on the VTT, the IFT DR of all on the ATT, the CE crew alone on the ITT (3.2.4, 7.9-7.12)."""
    for vehicle_id in hit:
        critical = vehicle_id == chosen
        if shot.target_type is TargetType.VEHICLE:
            _kill(context, play, shot, vehicle_id, faces=faces, critical=critical)
        elif shot.target_type is TargetType.AREA:
            terms = () if critical else _area_terms(context, play.state, shot, vehicle_id, moving)
            roll = _shake(context, play, shot, vehicle_id, terms, roll=roll, critical=critical)
        else:
            roll = _expose(context, play, shot, vehicle_id, roll=roll, critical=critical)


@rule("7.9")
def _kill(
    context: Context, play: Play, shot: Shot, vehicle_id: VehicleId, *, faces: tuple[int, ...], critical: bool
) -> None:
    """A hit on the Vehicle Target Type (7.9)."""
    barrel = shot.barrel
    row = gun_row(context, barrel.main, barrel.nationality, shot.ammo)
    card = context.vehicle_card(barrel.vehicle) if barrel.vehicle is not None else None
    rows = card.to_kill_rows if card is not None and shot.ammo is Ammo.AP else ()
    kind = StrikeKind.MACHINE_GUN if barrel.main.is_mg else StrikeKind.DIRECT
    strike = Strike(
        vehicle_id,
        barrel.hex,
        shot.reach,
        shot.ammo,
        rows or (row,),
        faces,
        hit_column(context, shot),
        barrel.id,
        kind,
        critical,
    )
    strike_vehicle(context, play, strike)


@rule("7.11")
def _shake(
    context: Context,
    play: Play,
    shot: Shot,
    vehicle_id: VehicleId,
    terms: tuple[Modifier, ...],
    *,
    roll: Roll | None,
    critical: bool,
) -> Roll:
    """A hit on the Area Target Type: one IFT DR for all that it hits; a Critical Hit knows no TEM (6.1, 7.11)."""
    burst = burst_of(context, shot)
    column = burst.critical if critical else burst.column
    strike = AreaStrike(vehicle_id, column, terms, shot.barrel.id, burst.column)
    return area_strike(context, play, strike, roll).roll


@rule("1.1.1", "7.11")
def _area_terms(
    context: Context, state: State, shot: Shot, vehicle_id: VehicleId, moving: UnderWay | None
) -> tuple[Modifier, ...]:
    """TEM of the hex; mortar shells burst in the trees over a CE crew alone (1.1.1, 7.11)."""
    if is_air_burst(context, shot) and state.vehicles[vehicle_id].exposed:
        return (numbers_of(context).ift_drm["air_burst"],)
    here, lobbed = (shot.barrel.hex,), shot.barrel.is_mortar
    return tem_terms(context, here, shot.target, approach_of(moving), lobbed=lobbed)


@rule("7.12")
def _expose(
    context: Context, play: Play, shot: Shot, vehicle_id: VehicleId, *, roll: Roll | None, critical: bool
) -> Roll:
    """A hit on the Infantry Target Type: the CE crew, whose cover has modified the To Hit DR (3.2.4, 7.12)."""
    if roll is None:
        roll = play.dice.roll(DR, f"{shot.barrel.id} hit on the crew of {vehicle_id}", None)
    burst = burst_of(context, shot)
    column = burst.critical if critical else burst.column
    attack = CrewAttack("ordnance hit", column, roll.faces, covered=False)
    strike_crew(context, play, vehicle_id, attack)
    return roll
