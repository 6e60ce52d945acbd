"""7.8 Fire of vehicular MG and IFE on the IFT: who may fire at what, with which FP and DRM, and what is left of it.

All that one vehicle fires at one target fires together, and with nobody else. It does not cower, nobody directs it,
and all weapons of a vehicle fire in the same phase of a player turn; for the DEFENDER MPh and DFPh are one.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from sandtable.core.content.rule import rule
from sandtable.core.dice import Roll
from sandtable.core.errors import Refusal
from sandtable.core.modifier import Breakdown, Modifier
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.armour.crew import crew_number
from sandtable.systems.aslsk.armour.vehicle_effects import button_up, recall, stun
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.dice import BOXCARS, DR, one_of
from sandtable.systems.aslsk.common.facts import armour_events as ar
from sandtable.systems.aslsk.common.facts import vehicle_fire_events as vf
from sandtable.systems.aslsk.common.numbers import Halving, numbers_of
from sandtable.systems.aslsk.common.refusals import refuse_stranger
from sandtable.systems.aslsk.common.vehicle_actions import FireVehicle
from sandtable.systems.aslsk.common.vehicles_here import is_occupied
from sandtable.systems.aslsk.effects.attack import Attack
from sandtable.systems.aslsk.effects.ift import ift_of
from sandtable.systems.aslsk.fire.acquisition import lose_acquisition
from sandtable.systems.aslsk.fire.crews import crews_under_fire, strike_crews
from sandtable.systems.aslsk.fire.drm import approach_of, hindrance_terms, outside_drm, tem_terms
from sandtable.systems.aslsk.fire.fire import can_hurt, own_terms, targets_of
from sandtable.systems.aslsk.fire.fire_marks import mark_for
from sandtable.systems.aslsk.fire.firepower import Share, firepower_breakdown, range_factors, share_of
from sandtable.systems.aslsk.fire.firers import Bar, Fireground, FireMode, Use
from sandtable.systems.aslsk.fire.hidden_targets import resolve_fire
from sandtable.systems.aslsk.fire.residual import leave_residual, residual_left
from sandtable.systems.aslsk.fire.vehicle_guns import (
    Stance,
    arc_of,
    arc_terms,
    bears,
    fire_time,
    normal_range,
    printed_fp,
    refuse_crew,
    refuse_mount,
    refuse_time,
    refuse_turn,
    stance_of,
    turn_for,
    weapon_name,
)
from sandtable.systems.aslsk.pieces.state import (
    Attacked,
    Mark,
    Stun,
    Vehicle,
    VehicleGun,
    VehicleId,
    WeaponState,
)

__all__ = ["fire_vehicle", "fired_with", "plan_salvo", "refuse_gun", "refuse_vehicle", "refuse_vehicle_fire"]

_MAIN = VehicleGun.MAIN


# --- who may fire -----------------------------------------------------------------------------------------------


@rule("3.2.2.1", "7.8")
def refuse_vehicle(ground: Fireground, vehicle: Vehicle | None, name: str) -> Refusal | None:
    """Why a vehicle does not fire at a target at all, whatever its weapons (7.8)."""
    if vehicle is None or vehicle.side != ground.seat or not vehicle.in_play:
        return refuse_stranger("7.8", name, ground.seat, "vehicle")
    refusal = refuse_crew(ground.context, vehicle, ground.mode)
    if refusal is not None:
        return refusal
    if vehicle.hex != ground.target and is_occupied(ground.context, ground.state, vehicle.hex, ground.seat):
        return Bar.ENEMY_IN_HEX.refusal(name)
    return None


@rule("3.5", "6.8", "7.2", "7.7", "7.8")
def refuse_gun(ground: Fireground, vehicle: Vehicle, gun: VehicleGun) -> Refusal | None:
    """Why one weapon does not fire at a target; its arc apart (7.8)."""
    use = gun_use(ground, vehicle, gun)
    return use if isinstance(use, Refusal) else None


def gun_use(ground: Fireground, vehicle: Vehicle, gun: VehicleGun) -> Use | Refusal:
    """In which way one weapon fires at a target, its arc apart; or why it does not (7.8)."""
    name = weapon_name(vehicle, gun)
    refusal = refuse_mount(ground.context, vehicle, gun) or refuse_time(ground.state, vehicle, gun)
    if refusal is not None:
        return refusal
    assert vehicle.hex is not None  # noqa: S101 - it is on the map
    card = ground.context.vehicle_card(vehicle)
    normal = normal_range(ground.context, card, gun)
    if ground.reach(vehicle.hex) > 2 * normal:
        return Bar.OUT_OF_RANGE.refusal(name)
    if ground.spent_shots(vehicle.id if gun is _MAIN else name):
        return Bar.TOO_OFTEN.refusal(name)
    if gun is not _MAIN:
        return Use.PLAIN
    if card.main.is_mg and vehicle.mark is not Mark.NONE:
        return Bar.FIRED.refusal(name)
    use = ground.by_mark(vehicle.mark, vehicle.hex, normal)
    return use.refusal(name) if isinstance(use, Bar) else use


@rule("3.2.4", "3.3.2", "7.8")
def refuse_vehicle_fire(ground: Fireground, action: FireVehicle, attacked: Sequence[Attacked] = ()) -> Refusal | None:
    """Why a vehicle may not fire like this (7.8)."""
    vehicle = ground.state.vehicles.get(action.vehicle)
    refusal = refuse_vehicle(ground, vehicle, action.vehicle)
    if refusal is not None or vehicle is None:
        return refusal
    if not action.guns:
        return Refusal("7.8", "nothing fires", "name at least one weapon")
    if len(set(action.guns)) != len(action.guns):
        return Refusal("7.8", "a weapon is named twice", "name each once")
    if not can_hurt(ground):
        return Refusal("7.12", "nobody in the target hex can be hurt on the IFT", "vehicles are for ordnance")
    for gun in action.guns:
        refusal = refuse_gun(ground, vehicle, gun)
        if refusal is not None:
            return refusal
    return (
        _refuse_stance(ground, vehicle, action)
        or _refuse_apart(vehicle, action, attacked)
        or _refuse_sight(ground, vehicle)
    )


def _refuse_stance(ground: Fireground, vehicle: Vehicle, action: FireVehicle) -> Refusal | None:
    """What fires must bear, and nothing is turned for nothing, nor in its own MPh (3.2.4, 7.8)."""
    if ground.mode is FireMode.BOUNDING and action.facing >= 0:
        return Refusal("7.8", "machine guns fire within the present arcs in the own MPh", "turn by spending MP")
    card = ground.context.vehicle_card(vehicle)
    refusal = refuse_turn(card, vehicle, action.facing, turn_hull=action.turn_hull)
    if refusal is not None:
        return refusal
    stance = stance_of(card, vehicle, action.facing, turn_hull=action.turn_hull)
    for gun in action.guns:
        if not bears(vehicle, stance, arc_of(card, gun), ground.target, ground.moving):
            reason = f"the target is outside the {arc_of(card, gun).value} of {weapon_name(vehicle, gun)}"
            return Refusal("3.2.4", reason, "turn turret or hull, or leave the weapon out")
    if stance.spines and not any(_needs_turn(ground, vehicle, gun) for gun in action.guns):
        return Refusal("3.2.4", "all that fires has the target in its arc without a turn", "turn nothing")
    return None


def _needs_turn(ground: Fireground, vehicle: Vehicle, gun: VehicleGun) -> bool:
    card = ground.context.vehicle_card(vehicle)
    now = Stance(vehicle.vca, vehicle.tca)
    return not bears(vehicle, now, arc_of(card, gun), ground.target, ground.moving)


@rule("7.8")
def _refuse_apart(vehicle: Vehicle, action: FireVehicle, attacked: Sequence[Attacked]) -> Refusal | None:
    """What fires at a target that others of the vehicle have fired at should have fired with them (7.8)."""
    for before in attacked:
        if before.vehicle == vehicle.id and before.on == action.target:
            for gun in action.guns:
                if weapon_name(vehicle, gun) not in before.firers:
                    reason = f"other weapons of {vehicle.id} have fired at this target without its {gun.value}"
                    return Refusal("7.8", reason, "MG and IFE of a vehicle attack the same target together")
    return None


def _refuse_sight(ground: Fireground, vehicle: Vehicle) -> Refusal | None:
    """For learners only: fire without a LOS is refused rather than lost (3.2.1)."""
    assert vehicle.hex is not None  # noqa: S101 - it is on the map
    if ground.context.scenario.conditions.free_sight and not ground.sees(vehicle.hex):
        return Bar.NO_LOS.refusal(vehicle.id)
    return None


def fired_with(attacked: tuple[Attacked, ...], vehicle: Vehicle, action: FireVehicle) -> tuple[Attacked, ...]:
    """Who has fired at which target, this attack included (7.8)."""
    assert vehicle.hex is not None  # noqa: S101 - it is on the map
    names = tuple(weapon_name(vehicle, gun) for gun in action.guns)
    for index, one in enumerate(attacked):
        if one.vehicle == vehicle.id and one.on == action.target:
            every = tuple(dict.fromkeys((*one.firers, *names)))
            return (*attacked[:index], Attacked(one.by, one.on, every, vehicle=vehicle.id), *attacked[index + 1 :])
    return (*attacked, Attacked(vehicle.hex, action.target, names, vehicle=vehicle.id))


# --- the attack -------------------------------------------------------------------------------------------------


class Salvo(NamedTuple):
    """An attack before the dice, with the shares that Residual FP asks for again."""

    attack: Attack
    shares: dict[VehicleGun, Share]
    uses: dict[VehicleGun, Use]


@rule("3.2.2", "3.2.2.1", "3.3.2.2", "3.5", "7.8")
def _share(ground: Fireground, vehicle: Vehicle, gun: VehicleGun, use: Use) -> Share:
    """FP of one weapon: PBF, TPBF, long range, and halved in the AFPh, in Motion and fired again (3.2.2, 7.8)."""
    assert vehicle.hex is not None  # noqa: S101 - it is on the map
    context = ground.context
    numbers = numbers_of(context)
    normal = normal_range(context, context.vehicle_card(vehicle), gun)
    factors: list[Halving] = range_factors(numbers, ground.reach(vehicle.hex), normal)
    if ground.mode is FireMode.ADVANCING:
        factors.append(numbers.fp["advancing_fire"])
    elif ground.mode is FireMode.BOUNDING:
        factors.append(numbers.fp["bounding"])
    if not vehicle.is_stopped:
        factors.append(numbers.fp["motion"])
    if use is not Use.PLAIN:
        factors.append(numbers.fp["marked_fire"])
    return share_of(weapon_name(vehicle, gun), printed_fp(context, vehicle, gun), factors, "7.8")


@rule("7.8", "7.10")
def _firer_terms(ground: Fireground, vehicle: Vehicle, guns: Sequence[VehicleGun], stance: Stance) -> list[Modifier]:
    """The worst CA DRM of what fires, a past Stun, a fixed BMG at movers (7.8, 7.10)."""
    context = ground.context
    numbers = numbers_of(context).ift_drm
    turns = [arc_terms(context, vehicle, gun, stance) for gun in guns]
    terms = list(max(turns, key=lambda one: sum(term.value for term in one)))
    if vehicle.stun is Stun.PLUS_ONE:
        terms.append(numbers["stunned_before"])
    if VehicleGun.BOW in guns and context.vehicle_card(vehicle).bmg_fixed and ground.moving is not None:
        terms.append(numbers["fixed_bmg"])
    return terms


@rule("3.2.2", "7.8")
def plan_salvo(ground: Fireground, action: FireVehicle) -> Salvo:
    """Put FP and DRM of an attack together; a vehicle does not cower (3.2.2, 7.8)."""
    context, state, target = ground.context, ground.state, ground.target
    vehicle = state.vehicles[action.vehicle]
    assert vehicle.hex is not None  # noqa: S101 - it is on the map
    card = context.vehicle_card(vehicle)
    stance = stance_of(card, vehicle, action.facing, turn_hull=action.turn_hull)
    uses = {}
    for gun in action.guns:
        use = gun_use(ground, vehicle, gun)
        assert isinstance(use, Use)  # noqa: S101 - the action was checked
        uses[gun] = use
    shares = {gun: _share(ground, vehicle, gun, use) for gun, use in uses.items()}
    firepower, column = firepower_breakdown(ift_of(context), shares.values())
    hexes, approach = (vehicle.hex,), approach_of(ground.moving)
    targets = targets_of(context, state, ground.seat, target, ground.moving)
    crews = crews_under_fire(state, ground.seat, target, ground.moving)
    tem = tem_terms(context, hexes, target, approach)
    terms = (
        *tem,
        *hindrance_terms(context, state, hexes, target),
        *_firer_terms(ground, vehicle, action.guns, stance),
    )
    attack = Attack(
        kind=_kind(ground, uses),
        target=target,
        targets=targets,
        column=column,
        firepower=firepower,
        drm=Breakdown("DRM", "3.2.3", terms),
        own_drm=own_terms(context, state, hexes, targets, approach, tem=tem),
        fussy=bool(crews) or (_MAIN in uses and _rate(ground, vehicle, uses[_MAIN]) > 0),
        marks=tuple(sorted({_breakdown_number(context, vehicle, gun, use) for gun, use in uses.items()})),
    )
    return Salvo(attack, shares, uses)


def _kind(ground: Fireground, uses: dict[VehicleGun, Use]) -> str:
    use = uses.get(_MAIN, Use.PLAIN)
    return use.value if use in (Use.SUBSEQUENT, Use.PROTECTIVE) else ground.mode.value


@rule("6.8", "7.8")
def _breakdown_number(context: Context, vehicle: Vehicle, gun: VehicleGun, use: Use) -> int:
    """The original IFT DR at which a weapon malfunctions (6.8, 7.8)."""
    if gun is not _MAIN:
        return context.tables["vehicular_mg"].number(gun.value, "breakdown")
    number = context.vehicle_card(vehicle).main.breakdown
    lowered = numbers_of(context).weapon_numbers["subsequent_fire"].value
    return number if use is Use.PLAIN else number + lowered


@rule("1.2.4.1", "3.5", "6.8")
def _rate(ground: Fireground, vehicle: Vehicle, use: Use) -> int:
    """ROF of the MA by IFE: one less; none in the AFPh or fired again (3.5, 6.8)."""
    if ground.mode is FireMode.ADVANCING or use is not Use.PLAIN:
        return 0
    main = ground.context.vehicle_card(vehicle).main
    return main.rof if main.is_mg else main.rof - 1


@rule("3.2.1", "3.2.2", "7.8")
def fire_vehicle(ground: Fireground, play: Play, action: FireVehicle) -> None:
    """Declare, turn, check LOS, resolve, break weapons down, mark what fired (3.2.1, 7.8)."""
    context, vehicle = ground.context, play.state.vehicles[action.vehicle]
    assert vehicle.hex is not None  # noqa: S101 - it is on the map
    salvo = plan_salvo(ground, action)
    play.emit(vf.VehicleFireDeclared(ground.seat, salvo.attack.kind, vehicle.id, action.guns, ground.target))
    card = context.vehicle_card(vehicle)
    stance = stance_of(card, vehicle, action.facing, turn_hull=action.turn_hull)
    if stance.spines:
        play.emit(turn_for(card, vehicle, stance, action.guns))
    sees = ground.sees(vehicle.hex)
    if sees:
        crews = crews_under_fire(ground.state, ground.seat, ground.target, ground.moving)
        parts = sum(share.parts for share in salvo.shares.values())
        resolved = resolve_fire(context, play, salvo.attack, parts=parts, crews=bool(crews))
        roll = resolved.roll
        strike_crews(context, play, salvo.attack, resolved, crews)
    else:
        play.emit(ev.HexesBlocked((vehicle.hex,), ground.target, "no line of sight"))
        roll = play.dice.roll(DR, "fire without a line of sight", None)
    silent = _break_down(context, play, vehicle, salvo.uses, roll.total)
    kept = _MAIN in salvo.uses and _MAIN not in silent and _keeps(ground, vehicle, salvo.uses[_MAIN], roll)
    _mark(ground, play, vehicle, salvo.uses, kept=kept)
    _lose_acquisition(context, play, vehicle, salvo.uses, ground.target)
    if sees and ground.moving is not None:
        _leave_residual(ground, play, salvo, {*silent, *((_MAIN,) if kept else ())})
        if salvo.uses.get(_MAIN) is Use.PROTECTIVE:
            _check_crew(context, play, vehicle.id, roll)


@rule("3.3.3", "6.8")
def _check_crew(context: Context, play: Play, vehicle_id: VehicleId, roll: Roll) -> None:
    """The DR of Final Protective Fire is a NMC of the crew that used it, if it is CE (3.3.3, 6.8)."""
    vehicle = play.state.vehicles[vehicle_id]
    if not vehicle.exposed:
        return
    number = crew_number(context, vehicle, "FPF")
    passed = roll.total <= number.total and roll.total != BOXCARS
    play.emit(ar.CrewChecked(vehicle_id, "FPF", roll.faces, number, passed))
    if not passed:
        stun(context, play, vehicle_id, recall=roll.total == BOXCARS)
    elif roll.total == number.total:
        button_up(play, vehicle_id)


def _keeps(ground: Fireground, vehicle: Vehicle, use: Use, roll: Roll) -> bool:
    return roll.faces[0] <= _rate(ground, vehicle, use)


@rule("4.1", "6.8", "6.12", "7.8")
def _break_down(
    context: Context, play: Play, vehicle: Vehicle, uses: dict[VehicleGun, Use], total: int
) -> tuple[VehicleGun, ...]:
    """One weapon of those whose number the original DR reaches malfunctions (4.1, 7.8).

    A MA whose IFE is fired again is lost at its original B#, which is 12 unless its counter says less (6.8, 6.12).
    """
    worn = [gun for gun, use in uses.items() if total >= _breakdown_number(context, vehicle, gun, use)]
    if not worn:
        return ()
    gun = worn[one_of(play, len(worn), "which weapon breaks down")]
    lost = uses[gun] is not Use.PLAIN and total >= _breakdown_number(context, vehicle, gun, Use.PLAIN)
    play.emit(vf.VehicleGunBroke(vehicle.id, gun, WeaponState.REMOVED if lost else WeaponState.MALFUNCTIONED))
    if lost:
        recall(play, vehicle.id, why="its MA is disabled")
    return (gun,)


@rule("3.2.5", "3.3.3", "3.4", "7.8")
def _mark(ground: Fireground, play: Play, vehicle: Vehicle, uses: dict[VehicleGun, Use], *, kept: bool) -> None:
    """Note what has fired, and mark the MA that lost its ROF (7.8)."""
    assert vehicle.hex is not None  # noqa: S101 - it is on the map
    mark = mark_for(ground.mode, uses[_MAIN]) if _MAIN in uses and not kept else Mark.NONE
    play.emit(vf.VehicleGunsFired(vehicle.id, tuple(uses), fire_time(ground.state.phase), vehicle.hex, mark))


@rule("6.8", "6.10")
def _lose_acquisition(
    context: Context, play: Play, vehicle: Vehicle, uses: Collection[VehicleGun], target: Hex
) -> None:
    """What the MA has acquired is lost when it uses IFE, or when the CMG fires at another hex (6.8, 6.10).

    So it is when its arc was turned for another weapon that fires elsewhere: it has changed without firing.
    """
    turned = play.state.vehicles[vehicle.id].tca != vehicle.tca
    if _MAIN in uses or ((VehicleGun.COAXIAL in uses or turned) and vehicle.acquired != target):
        lose_acquisition(context, play, vehicle.id)


@rule("3.3.5")
def _leave_residual(ground: Fireground, play: Play, salvo: Salvo, silent: set[VehicleGun]) -> None:
    """Residual FP of what neither broke down nor kept ROF (3.3.5)."""
    shares = [share for gun, share in salvo.shares.items() if gun not in silent]
    if not shares:
        return
    column = ift_of(ground.context).column(sum(share.parts for share in shares))
    lessened = outside_drm(ground.context, ground.state, salvo.attack.drm.terms, ground.target)
    leave_residual(play, ground.target, residual_left(ground.context, column, lessened))
