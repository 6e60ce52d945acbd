"""3.2.5 Prep Fire, 3.4 Final Fire and 3.5 Advancing Fire: the fire phases, attack by attack."""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.errors import Refusal
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import Action, DestroyWeapon, Fire, FireOrdnance
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.stacking import held
from sandtable.systems.aslsk.common.vehicle_actions import FireGun, FireVehicle, TurnArc
from sandtable.systems.aslsk.fire.crews import crews_under_fire
from sandtable.systems.aslsk.fire.fire import fire, is_suspected
from sandtable.systems.aslsk.fire.fire_groups import Firer, assemble, firers_of, is_flame, refuse_usage
from sandtable.systems.aslsk.fire.fire_marks import mark_for, use_weapon
from sandtable.systems.aslsk.fire.firers import Fireground, Use, mode_of
from sandtable.systems.aslsk.guns.gun_choices import has_smoke
from sandtable.systems.aslsk.guns.gun_fire import refuse_gun
from sandtable.systems.aslsk.guns.shooting import fire_gun
from sandtable.systems.aslsk.guns.turning import refuse_turn_arc, turn_arc
from sandtable.systems.aslsk.pieces.armament import SMOKE_SHELLS
from sandtable.systems.aslsk.pieces.state import Attacked, FirePhase, Mark, Phase, State, UnitId, Weapon
from sandtable.systems.aslsk.support_weapons.anti_tank import meant_vehicle
from sandtable.systems.aslsk.support_weapons.demolition import detonate, placed_charges, refuse_detonation
from sandtable.systems.aslsk.support_weapons.ordnance import fire_ordnance, refuse_empty, refuse_ordnance
from sandtable.systems.aslsk.support_weapons.panzerfaust import fire_panzerfaust, refuse_panzerfaust
from sandtable.systems.aslsk.vehicles.vehicle_fire import fire_vehicle, fired_with, refuse_vehicle_fire

__all__ = [
    "attacks_made",
    "begin_fire_phase",
    "end_fire_phase",
    "fireground_of",
    "refuse_destruction",
    "refuse_fire",
    "resolve_fire",
]


@rule("1.2.5")
def begin_fire_phase(context: Context, play: Play) -> None:  # noqa: ARG001
    """At the start of the ATTACKER's PFPh his Dispersed Smoke goes and his full Smoke disperses (1.2.5)."""
    state = play.state
    if state.phase is Phase.PREP_FIRE and any(smoke.side == state.attacker for smoke in state.smoke):
        play.emit(ev.SmokeCleared(state.attacker))


@rule("4.3")
def end_fire_phase(context: Context, play: Play) -> None:
    """Charges that were placed go off in the AFPh, whether their owner says so or not (4.3)."""
    if play.state.phase is Phase.ADVANCING_FIRE:
        for weapon in tuple(placed_charges(play.state)):
            detonate(context, play, play.state.attacker, weapon.id)


def fireground_of(context: Context, state: State, frame: FirePhase, target: Hex) -> Fireground:
    """Fire of the player on a hex, as the phase goes."""
    return Fireground(context, state, mode_of(state.phase), frame.player, target)


@rule("3.2.2", "3.2.5", "3.4", "3.5")
def refuse_fire(
    context: Context,
    state: State,
    frame: FirePhase,
    action: Fire | FireOrdnance | FireGun | FireVehicle | TurnArc | DestroyWeapon,
) -> Refusal | None:
    """Why this fire may not be declared now (3.2.2)."""
    if isinstance(action, TurnArc):
        return refuse_turn_arc(context, state, frame.player, action, frame.turned)
    if frame.turned:
        return Refusal("3.2.4", "covered arcs are changed at the end, and all fire is over", "change others, or end")
    if isinstance(action, DestroyWeapon):
        weapon = state.weapons.get(action.weapon)
        if weapon is None:
            return Refusal("4.0", f"there is no weapon {action.weapon!r}", "name one of your own")
        return refuse_destruction(context, state, frame, weapon)
    if isinstance(action, Fire) and (charge := _charge(state, action)) is not None:
        return _refuse_charge(state, action, charge)
    ground = fireground_of(context, state, frame, action.target)
    if isinstance(action, FireVehicle):
        return refuse_vehicle_fire(ground, action, frame.attacked)
    if isinstance(action, FireGun):
        return refuse_gun(ground, action, smoke_first=frame.smoke)
    aimed = isinstance(action, FireOrdnance) and meant_vehicle(state, action) is not None
    if not aimed and action.target not in held(context, state, frame.player)[1]:
        if isinstance(action, FireOrdnance):
            return refuse_empty(ground, action)
        if not crews_under_fire(state, frame.player, action.target, None) and not is_suspected(ground):
            return Refusal("3.2", "no enemy unit is in the target hex", "mortars alone fire at an empty hex")
    if isinstance(action, Fire):
        found = assemble(ground, action, frame.attacked)
        return found if isinstance(found, Refusal) else None
    return refuse_ordnance(ground, action) if action.weapon else refuse_panzerfaust(ground, action)


def _charge(state: State, action: Fire) -> Weapon | None:
    """The placed DC that an action sets off, if it does."""
    if len(action.weapons) != 1:
        return None
    weapon = state.weapons.get(action.weapons[0])
    return weapon if weapon is not None and weapon.placed is not None else None


def _refuse_charge(state: State, action: Fire, weapon: Weapon) -> Refusal | None:
    if action.units or action.leaders:
        return Refusal("4.3", "nobody fires with a placed DC", "name no units")
    if action.target != weapon.placed:
        return Refusal("4.3", f"{weapon.id} is not placed there", "name the hex in which it is placed")
    return refuse_detonation(state, weapon)


@rule("4.0")
def refuse_destruction(context: Context, state: State, frame: FirePhase, weapon: Weapon) -> Refusal | None:
    """Why a weapon may not be destroyed: by its unbroken possessor, in the PFPh or DFPh, as a use of it (4.0)."""
    owner = state.units.get(weapon.owner)
    if owner is None or owner.side != frame.player or not owner.on_map or not weapon.in_play:
        return Refusal(
            "4.0", f"{weapon.id} is in nobody's possession on your side", "name one that a unit of yours possesses"
        )
    if state.phase is Phase.ADVANCING_FIRE:
        return Refusal("4.0", "weapons are destroyed in the PFPh or DFPh", "wait for that phase")
    if not owner.good_order:
        return Refusal("4.0", f"{owner.id} is not in Good Order", "rally it first")
    if weapon.mark is not Mark.NONE or weapon.fired:
        return Refusal("4.0", f"{weapon.id} has been used", "destroy it in another phase")
    return refuse_usage(context, owner, (weapon.id,), own_fp=False, again=False)


# --- what happens -----------------------------------------------------------------------------------------------


def resolve_fire(
    context: Context,
    play: Play,
    frame: FirePhase,
    action: Fire | FireOrdnance | FireGun | FireVehicle | TurnArc | DestroyWeapon,
) -> None:
    """Fire, change a covered arc, or destroy a weapon."""
    if isinstance(action, _Attack):
        _resolve_attack(context, play, frame, action)
    elif isinstance(action, TurnArc):
        turn_arc(context, play, frame, action)
    else:
        _destroy(context, play, action)


def _resolve_attack(
    context: Context, play: Play, frame: FirePhase, action: Fire | FireOrdnance | FireGun | FireVehicle
) -> None:
    ground, before = fireground_of(context, play.state, frame, action.target), frame
    if frame.smoke and _ends_smoke(context, play.state, frame, action):
        frame = replace(frame, smoke=False)
        play.emit(ev.Changed(frame))
    if isinstance(action, Fire):
        if _charge(play.state, action) is not None:
            detonate(context, play, frame.player, action.weapons[0])
            return
        group = firers_of(ground, action)
        play.emit(ev.Changed(replace(frame, attacked=attacks_made(context, frame.attacked, group, action.target))))
        fire(ground, play, group, action)
    elif isinstance(action, FireGun):
        if not fire_gun(ground, play, action) and frame is not before:
            # For want of its ammunition it has not fired, and Smoke may be fired still (6.2).
            play.emit(ev.Changed(before))
    elif isinstance(action, FireVehicle):
        attacked = fired_with(frame.attacked, play.state.vehicles[action.vehicle], action)
        play.emit(ev.Changed(replace(frame, attacked=attacked)))
        fire_vehicle(ground, play, action)
    elif action.weapon:
        fire_ordnance(ground, play, action)
    else:
        fire_panzerfaust(ground, play, action)


@rule("1.2.5", "6.2")
def _ends_smoke(context: Context, state: State, frame: FirePhase, action: Action) -> bool:
    """Whether a side that has Smoke or WP to fire may do so no more, having fired something else (1.2.5, 6.2)."""
    if not has_smoke(context, state, frame.player):
        return False
    return not (isinstance(action, FireGun) and action.ammo in SMOKE_SHELLS)


def attacks_made(
    context: Context, attacked: tuple[Attacked, ...], group: tuple[Firer, ...], target: Hex
) -> tuple[Attacked, ...]:
    """Who of which hex has fired at a target, this attack included; a flamethrower binds nobody (3.2.2, 4.2)."""
    found = list(attacked)
    for firer in group:
        if is_flame(context, firer):
            continue
        for index, one in enumerate(found):
            if one.on == target and one.by == firer.hex and not one.vehicle:
                names = one.firers if firer.name in one.firers else (*one.firers, firer.name)
                found[index] = Attacked(firer.hex, target, names, (*one.subsequent, *_subsequent(firer)))
                break
        else:
            found.append(Attacked(firer.hex, target, (firer.name,), _subsequent(firer)))
    return tuple(found)


def _subsequent(firer: Firer) -> tuple[UnitId, ...]:
    return (firer.unit.id,) if firer.use is _SUBSEQUENT and firer.weapon is None else ()


_Attack = Fire | FireOrdnance | FireGun | FireVehicle
"""Made once: a union takes longer to make than to look into."""
_SUBSEQUENT = Use.SUBSEQUENT
"""A name is looked up quicker than a member of an enum."""


@rule("4.0")
def _destroy(context: Context, play: Play, action: DestroyWeapon) -> None:
    """The possessor destroys a weapon, which is a use of it (4.0)."""
    weapon = play.state.weapons[action.weapon]
    owner = weapon.owner
    use_weapon(context, play, owner, weapon.id)
    now = play.state.units[owner]
    if context.card(now).is_leader or now.forfeited:
        play.emit(ev.MarksPlaced(mark_for(mode_of(play.state.phase), Use.PLAIN), (owner,)))
    play.emit(ev.WeaponRemoved(weapon.id, f"destroyed by {owner}"))
