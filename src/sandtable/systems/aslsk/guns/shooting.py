"""3.2.4 A shot of a Gun or MA, from its declaration to its marker."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from sandtable.core.content.rule import rule
from sandtable.core.dice import Roll
from sandtable.core.modifier import Modifier
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.dice import DR, one_of
from sandtable.systems.aslsk.common.facts.vehicle_fire_events import VehicleGunsFired
from sandtable.systems.aslsk.common.hidden import reveal
from sandtable.systems.aslsk.common.possession import weapons_of
from sandtable.systems.aslsk.common.vehicle_actions import FireGun
from sandtable.systems.aslsk.fire.acquisition import lose_acquisition
from sandtable.systems.aslsk.fire.drm import outside_drm
from sandtable.systems.aslsk.fire.fire_groups import Firer
from sandtable.systems.aslsk.fire.fire_marks import mark_for, place_marks, use_weapon
from sandtable.systems.aslsk.fire.firers import Fireground, FireMode, Use
from sandtable.systems.aslsk.fire.residual import leave_residual, residual_left
from sandtable.systems.aslsk.fire.to_hit_chart import CRITICAL
from sandtable.systems.aslsk.fire.vehicle_guns import fire_time, stance_of, turn_for
from sandtable.systems.aslsk.guns.acquisition import acquire
from sandtable.systems.aslsk.guns.ammunition import depletion
from sandtable.systems.aslsk.guns.barrel import barrel_of
from sandtable.systems.aslsk.guns.gun_fire import gun_targets, shot_of
from sandtable.systems.aslsk.guns.gun_hit import SOLID, burst_of, is_air_burst, strike_units
from sandtable.systems.aslsk.guns.gun_to_hit import Shot, Targets, ToHit, to_hit
from sandtable.systems.aslsk.guns.smoke_shells import place_smoke
from sandtable.systems.aslsk.guns.vehicle_hit import strike_afvs
from sandtable.systems.aslsk.guns.wear import break_gun, keeps_gun_rate, wear_of
from sandtable.systems.aslsk.pieces.armament import SMOKE_SHELLS, TargetType
from sandtable.systems.aslsk.pieces.state import Mark, UnderWay, Unit, UnitId, VehicleGun, VehicleId

__all__ = ["critical_targets", "fire_gun"]


@rule("3.2.4", "6.2")
def fire_gun(ground: Fireground, play: Play, action: FireGun, moving: UnderWay | None = None) -> bool:
    """Declare, turn, roll To Hit, let a hit take effect, break down, mark, acquire; whether it fired (3.2.4, 6.2)."""
    context = ground.context
    barrel = barrel_of(context, play.state, action.weapon, action.vehicle)
    assert barrel is not None  # noqa: S101 - the action was checked
    shot = shot_of(ground, action, barrel)
    play.emit(
        ev.ShotDeclared(
            ground.seat,
            ground.mode.value,
            barrel.id,
            action.target,
            shot.target_type,
            shot.ammo,
            shot.at,
            shot.intensive,
        )
    )
    sees = ground.sees(barrel.hex)
    if not sees:
        play.emit(ev.HexesBlocked((barrel.hex,), action.target, "no line of sight"))
    targets = gun_targets(ground, shot.target_type, moving, action.at)
    if shot.ammo in SMOKE_SHELLS:
        targets = Targets()
    numbers = to_hit(context, play.state, shot, targets, moving)
    roll = play.dice.roll(DR, f"{barrel.id} To Hit {context.label(action.target)}", None)
    found = _look_for_ammo(context, play, shot, roll.total)
    if found is not Found.SHOT:
        return found is Found.BREAKDOWN
    _turn(context, play, shot)
    residual = _resolve(ground, play, shot, targets, numbers, roll=roll, moving=moving) if sees else 0
    broken = break_gun(context, play, barrel, roll.total, intensive=shot.intensive)
    kept = not broken and keeps_gun_rate(context, play.state, shot, roll.faces[0])
    _mark(ground, play, shot, kept=kept)
    if moving is not None and not broken and not kept:
        leave_residual(play, action.target, residual)
    acquire(context, play, shot, targets, sees=sees)
    return True


class Found(Enum):
    """What comes of looking for special ammunition (6.2)."""

    SHOT = "shot"
    NONE = "none"
    BREAKDOWN = "breakdown"


@rule("6.2", "6.10")
def _look_for_ammo(context: Context, play: Play, shot: Shot, total: int) -> Found:
    """Whether there is a shot: beyond the depletion number there is none, and it has not fired (6.2).

    A DR that breaks the weapon down has fired it all the same, and loses what it had acquired (6.10).
    """
    barrel = shot.barrel
    supply = depletion(context, barrel, shot.ammo)
    if supply is None or total < supply.number:
        return Found.SHOT
    play.emit(ev.AmmoRunOut(barrel.id, shot.ammo, never=total > supply.number))
    if total == supply.number:
        return Found.SHOT
    if total < wear_of(context, play.state, barrel, intensive=shot.intensive).least:
        return Found.NONE
    if break_gun(context, play, barrel, total, intensive=shot.intensive):
        lose_acquisition(context, play, barrel.id)
    _mark_fired(context, play, shot)
    return Found.BREAKDOWN


def _mark_fired(context: Context, play: Play, shot: Shot) -> None:
    """A weapon that broke down while it looked for ammunition has fired."""
    mark = _mark_of(shot, kept=False)
    if shot.barrel.weapon is not None and shot.barrel.crew is not None:
        use_weapon(context, play, shot.barrel.crew.id, shot.barrel.weapon.id)
        name = shot.barrel.weapon.id
        directed = {leader.id: tuple(dict.fromkeys((*leader.directed, name))) for leader in _directing(play, shot)}
        play.emit(ev.MarksPlaced(mark, tuple(directed), (name,), directed, fired=(name,)))
    elif shot.barrel.vehicle is not None:
        _main_fired(play, shot, mark)


def _directing(play: Play, shot: Shot) -> list[Unit]:
    """Who directs a Gun by a special rule (1.3)."""
    return [play.state.units[shot.leader]] if shot.leader else []


def _main_fired(play: Play, shot: Shot, mark: Mark) -> None:
    assert shot.barrel.vehicle is not None  # noqa: S101 - a MA fires
    when = fire_time(play.state.phase)
    play.emit(VehicleGunsFired(shot.barrel.vehicle.id, (VehicleGun.MAIN,), when, shot.barrel.hex, mark))


def _turn(context: Context, play: Play, shot: Shot) -> None:
    """The covered arc as it is from now on; a hull takes its turret along (3.2.4)."""
    barrel = shot.barrel
    if shot.facing < 0:
        return
    if barrel.weapon is not None:
        play.emit(ev.ArcChanged(weapon=barrel.weapon.id, facing=shot.facing))
    elif barrel.vehicle is not None:
        vehicle = barrel.vehicle
        stance = stance_of(context.vehicle_card(vehicle), vehicle, shot.facing, turn_hull=shot.turn_hull)
        play.emit(turn_for(context.vehicle_card(vehicle), vehicle, stance, (VehicleGun.MAIN,)))


# --- the DR -----------------------------------------------------------------------------------------------------


def _resolve(
    ground: Fireground,
    play: Play,
    shot: Shot,
    targets: Targets,
    numbers: ToHit,
    *,
    roll: Roll,
    moving: UnderWay | None,
) -> int:
    """Who is hit, and what that does; the Residual FP that it would leave."""
    context = ground.context
    hit = [name for name in (*targets.units, *targets.vehicles) if numbers.hits(name, roll.faces)]
    empty = not targets.vehicles and targets.hidden.issuperset(targets.units)
    landed = bool(hit) or (empty and numbers.counted(roll.faces) <= numbers.number.total)
    chosen = _critical(play, shot, numbers, hit, roll.faces)
    reveal(context, play, [UnitId(name) for name in hit if name in targets.hidden], "it is hit")
    first = next((terms for name, terms in numbers.own.items() if name not in targets.hidden or name in hit), ())
    shown = numbers.number.plus(Modifier(-term.value, term.label, term.rule) for term in first)
    play.emit(
        ev.ShotResolved(
            shot.barrel.id, shot.target, shot.target_type, shot.ammo, shown, roll.faces, tuple(hit), chosen, landed
        )
    )
    if not landed:
        return 0
    if shot.ammo in SMOKE_SHELLS:
        place_smoke(ground, play, shot, moving, critical=sum(roll.faces) == CRITICAL)
        return 0
    units = [UnitId(name) for name in hit if name in targets.units]
    victim = UnitId(chosen) if chosen in targets.units else None
    effect = strike_units(context, play, shot, units, chosen=victim, moving=moving)
    afvs = [VehicleId(name) for name in hit if name in targets.vehicles]
    strike_afvs(context, play, shot, afvs, chosen=chosen, faces=roll.faces, roll=effect, moving=moving)
    if shot.ammo in SOLID and not shot.barrel.main.is_mg:
        return 0
    lessened = outside_drm(context, play.state, numbers.drm, shot.target)
    return residual_left(context, burst_of(context, shot).column, lessened, air_burst=is_air_burst(context, shot))


@rule("6.1")
def critical_targets(shot: Shot, numbers: ToHit, hit: Sequence[str], faces: Sequence[int]) -> list[str]:
    """Those of whom one suffers a Critical Hit: by the Final DR on the ITT, by an original 2 else (6.1)."""
    if shot.target_type is TargetType.INFANTRY:
        return [name for name in hit if numbers.is_critical(name, faces)]
    return list(hit) if sum(faces) == CRITICAL else []


def _critical(play: Play, shot: Shot, numbers: ToHit, hit: Sequence[str], faces: Sequence[int]) -> str:
    """The one of those hit that suffers a Critical Hit (6.1)."""
    able = critical_targets(shot, numbers, hit, faces)
    return able[one_of(play, len(able), "Critical Hit random selection")] if able else ""


# --- markers ----------------------------------------------------------------------------------------------------


@rule("3.2.4")
def _mark_of(shot: Shot, *, kept: bool) -> Mark:
    """Its marker: Intensive Fire after that, or after a turn of what has no ROF; none if it keeps its ROF (3.2.4)."""
    barrel = shot.barrel
    turned = shot.facing >= 0 or barrel.piece.turned
    if shot.intensive or (turned and not barrel.main.rof and shot.mode is not FireMode.ADVANCING):
        return Mark.INTENSIVE_FIRE
    if kept:
        return Mark.NONE
    return mark_for(shot.mode, Use.PLAIN)


def _mark(ground: Fireground, play: Play, shot: Shot, *, kept: bool) -> None:
    context, barrel = ground.context, shot.barrel
    mark = _mark_of(shot, kept=kept)
    if barrel.vehicle is not None:
        _main_fired(play, shot, mark)
        return
    weapon, crew = barrel.weapon, barrel.crew
    assert weapon is not None  # noqa: S101 - a Gun or a vehicle
    assert crew is not None  # noqa: S101 - somebody mans it
    firer, leaders = Firer(crew, weapon, Use.PLAIN), _directing(play, shot)
    place_marks(ground, play, [firer], leaders, kept=(weapon.id,) if kept else ())
    if mark is Mark.INTENSIVE_FIRE:
        if shot.mode is FireMode.FIRST:
            others = [one.id for one in weapons_of(context, play.state, crew.id) if one.id != weapon.id]
            play.emit(ev.MarksPlaced(Mark.FINAL_FIRE, (crew.id,), tuple(others)))
        play.emit(ev.MarksPlaced(mark, (), (weapon.id,)))
