"""3.2.4, 3.3.2 Covered arcs that are changed without firing, once all fire of a side in its fire phase is over.

Whatever was turned to fire may be turned again then, and of a vehicle both hull and turret, each of them once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import partial

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch, Leaf, Seat
from sandtable.core.errors import Refusal
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import Action
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.menu import LazyBranch, Spread
from sandtable.systems.aslsk.common.refusals import refuse_spine
from sandtable.systems.aslsk.common.vehicle_actions import TurnArc
from sandtable.systems.aslsk.fire.firers import Fireground, mode_of
from sandtable.systems.aslsk.fire.vehicle_guns import refuse_crew, refuse_mount, refuse_time, refuse_turn, stance_of
from sandtable.systems.aslsk.guns.barrel import Barrel, barrel_of, barrels_of
from sandtable.systems.aslsk.guns.gun_fire import can_fire
from sandtable.systems.aslsk.pieces.cards import UnitKind
from sandtable.systems.aslsk.pieces.spines import SPINES, spine_name
from sandtable.systems.aslsk.pieces.state import FirePhase, Mark, State, Vehicle, VehicleGun, VehicleId, WeaponId

__all__ = ["refuse_turn_arc", "turn_arc", "turn_ways"]

_MAIN = VehicleGun.MAIN
_TURRET_AND_BOW = (VehicleGun.BOW, VehicleGun.COAXIAL, VehicleGun.REAR)
"""Machine guns that are no AAMG."""


@rule("3.2.4")
def refuse_turn_arc(
    context: Context, state: State, seat: Seat, action: TurnArc, turned: Collection[str] = ()
) -> Refusal | None:
    """Why a Gun, turret or hull may not change its covered arc without firing; ``turned`` has done so (3.2.4)."""
    barrel = barrel_of(context, state, action.weapon, action.vehicle)
    if bool(action.weapon) == bool(action.vehicle) or barrel is None or barrel.side != seat:
        return Refusal(
            "3.2.4",
            "a Gun of yours that somebody possesses, or a vehicle of yours, changes its arc",
            "name one of them",
        )
    return (
        _refuse_barrel(context, barrel)
        or _refuse_spine(context, barrel, action, turned)
        or (_refuse_hull(context, state, barrel) if _turns_hull(barrel, action) else None)
    )


def _refuse_barrel(context: Context, barrel: Barrel) -> Refusal | None:
    crew = barrel.crew
    if crew is not None:
        if not crew.good_order or context.card(crew).kind is UnitKind.LEADER:
            return Refusal("3.2.4", f"{crew.id} is no Good Order MMC that could turn {barrel.id}", "rally it first")
        if crew.mark is not Mark.NONE and (not crew.forfeited or _has_fired_again(barrel)):
            return Refusal(
                "3.2.4",
                f"{crew.id} has fired its own FP and does not turn {barrel.id}",
                "turn it in a phase in which its crew does not fire",
            )
    if barrel.weapon is not None and barrel.weapon.manhandled and not barrel.weapon.moved:
        return Refusal("6.5", f"{barrel.id} could not be moved, and is not turned this turn", "turn it in the next one")
    if barrel.vehicle is not None and not barrel.vehicle.is_active:
        return Refusal("7.10", f"{barrel.id} is shocked or stunned", "wait until its crew has recovered")
    return None


@rule("3.2.4", "3.3.3")
def _has_fired_again(barrel: Barrel) -> bool:
    """Whether those at a Gun used their own FP after it, as SFF or FPF: that puts it under Final Fire too (3.3.3)."""
    weapon = barrel.weapon
    return weapon is not None and weapon.mark is Mark.FINAL_FIRE and not weapon.fired


def _part(barrel: Barrel, action: TurnArc) -> str:
    """What turns: a Gun or turret, or the hull of a vehicle."""
    return f"{barrel.id} hull" if _turns_hull(barrel, action) else barrel.id


def _refuse_spine(context: Context, barrel: Barrel, action: TurnArc, turned: Collection[str]) -> Refusal | None:
    part = _part(barrel, action)
    if part in turned:
        return Refusal("3.2.4", f"{part} has been turned without firing", "turn it in another phase")
    if action.facing not in SPINES:
        return refuse_spine(action.facing)
    if barrel.vehicle is not None:
        card = context.vehicle_card(barrel.vehicle)
        return refuse_turn(card, barrel.vehicle, action.facing, turn_hull=action.turn_hull)
    if action.turn_hull:
        return Refusal("3.2.4", f"{barrel.id} has no hull to turn", "turn the Gun itself")
    if action.facing == barrel.facing:
        return Refusal("3.2.4", f"{barrel.id} points at {spine_name(action.facing)} already", "let its arc stay")
    return None


def _turns_hull(barrel: Barrel, action: TurnArc) -> bool:
    return barrel.vehicle is not None and (action.turn_hull or not barrel.turret)


@rule("3.3.2")
def _refuse_hull(context: Context, state: State, barrel: Barrel) -> Refusal | None:
    """Why a hull stays as it is: nothing in turret or bow could fire any more in this phase (3.3.2)."""
    vehicle = barrel.vehicle
    assert vehicle is not None  # noqa: S101 - a hull is a vehicle's
    ground = Fireground(context, state, mode_of(state.phase), barrel.side, barrel.hex)
    if _main_may_fire(ground, barrel) or any(_may_fire(ground, vehicle, gun) for gun in _TURRET_AND_BOW):
        return None
    return Refusal(
        "3.3.2",
        f"no weapon in turret or bow of {barrel.id} could still fire in this phase",
        "turn its turret, or turn its hull by MP",
    )


def _main_may_fire(ground: Fireground, barrel: Barrel) -> bool:
    """Whether a MA could still fire: as ordnance, if need be by Intensive Fire, or by IFE; a MG fires once (6.8)."""
    if barrel.main.is_mg:
        return barrel.mark is Mark.NONE and barrel.vehicle is not None and _may_fire(ground, barrel.vehicle, _MAIN)
    return can_fire(ground, barrel) is None


def _may_fire(ground: Fireground, vehicle: Vehicle, gun: VehicleGun) -> bool:
    context = ground.context
    refusal = refuse_crew(context, vehicle, ground.mode) or refuse_mount(context, vehicle, gun)
    return (refusal or refuse_time(ground.state, vehicle, gun)) is None


def turn_ways(context: Context, state: State, seat: Seat, turned: Collection[str] = ()) -> Iterator[LazyBranch]:
    """Every Gun and vehicle of a side that may change its arc; with the first of them its fire ends (3.2.4)."""
    for barrel in barrels_of(context, state, seat):
        if _refuse_barrel(context, barrel) is None and next(_turns(context, state, barrel, turned), None) is not None:
            yield partial(_branch, context, state, barrel, turned)


def _branch(context: Context, state: State, barrel: Barrel, turned: Collection[str]) -> Branch[Action]:
    name = context.weapon_title(barrel.weapon) if barrel.weapon is not None else barrel.id
    then = Spread(partial(_turns, context, state, barrel, turned), _turn_branch)
    label = f"{name} turns without firing{'' if turned else ', which ends all fire'}"
    return Branch(f"turn {barrel.id}", "weapon", label, then, barrel.id)


def _turns(context: Context, state: State, barrel: Barrel, turned: Collection[str]) -> Iterator[TurnArc]:
    weapon = WeaponId(barrel.id if barrel.weapon is not None else "")
    vehicle = VehicleId("" if weapon else barrel.id)
    hull_stays = barrel.vehicle is not None and _refuse_hull(context, state, barrel) is not None
    for hull in (False, True) if vehicle else (False,):
        for spine in SPINES:
            action = TurnArc(spine, weapon, vehicle, hull)
            if hull_stays and _turns_hull(barrel, action):
                continue
            if _refuse_spine(context, barrel, action, turned) is None:
                yield action


def _turn_branch(action: TurnArc) -> Branch[Action]:
    words = f"{'Hull to' if action.turn_hull else 'To'} {spine_name(action.facing)}"
    return Branch(words, "order", words, Leaf[Action](action))


@rule("3.2.4", "6.10")
def turn_arc(context: Context, play: Play, frame: FirePhase, action: TurnArc) -> None:
    """Turn; what was acquired is lost (3.2.4, 6.10)."""
    barrel = barrel_of(context, play.state, action.weapon, action.vehicle)
    assert barrel is not None  # noqa: S101 - the action was checked
    play.emit(ev.Changed(replace(frame, turned=(*frame.turned, _part(barrel, action)))))
    if action.weapon:
        play.emit(ev.ArcChanged(weapon=action.weapon, facing=action.facing, fires=False))
        return
    vehicle = play.state.vehicles[action.vehicle]
    stance = stance_of(context.vehicle_card(vehicle), vehicle, action.facing, turn_hull=action.turn_hull)
    hull = stance.vca if stance.hull else -1
    play.emit(ev.ArcChanged(vehicle=vehicle.id, facing=stance.tca, hull=hull, fires=False))
