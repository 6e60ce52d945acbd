"""Who may know what of a secret set-up, of standing orders and of actions.

Everything that a seat is shown is built from :func:`conceal` or passes through :func:`redact`. Units on the map are
open to both sides, for the Starter Kit has no concealment, but those that are set up hidden (6.4): to the other side
they are somewhere on the map and nowhere in any question that it is asked (:func:`veiled`). What is hidden in a frame,
such as the rest of a move or rout under way, is said by its handler.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import (
    Action,
    Continue,
    HideUnit,
    HoldFire,
    Move,
    PlaceGun,
    PlaceUnit,
    PlaceVehicle,
    Rout,
    SetUpAsSuggested,
)
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.common.facts.group_events import (
    GroupBrought,
    GroupJoined,
    GroupsMustered,
    JumpArranged,
    RendezvousChosen,
    UnitHeldBack,
)
from sandtable.systems.aslsk.common.hidden import has_hidden, hidden_units, veiled
from sandtable.systems.aslsk.common.vehicle_actions import ContinueVehicle, MoveVehicle
from sandtable.systems.aslsk.group_actions import BringGroup, ChooseRendezvous, JoinGroup, JumpTogether
from sandtable.systems.aslsk.group_secrecy import group_variants, has_secret_groups, without_groups
from sandtable.systems.aslsk.pieces.spines import SPINES
from sandtable.systems.aslsk.pieces.state import Frame, Hold, Phase, State, Unit, UnitId, Weapon, Whereabouts
from sandtable.systems.aslsk.setup_groups import is_arranging

__all__ = ["conceal", "conceal_scenario", "hidden_variants", "may_hide", "redact", "redact_action", "reveals"]


@rule("1.3")
def conceal(context: Context, state: State, stack: tuple[Frame, ...], seat: Seat | None) -> State:
    """The state as ``seat`` may know it, with the stack that he may know (1.3)."""
    if state.phase is Phase.SETUP:
        state = _without_set_up(context, state, seat)
    state = veiled(context, state, seat)
    state = without_groups(context, state, seat)
    holds = {owner: hold for owner, hold in state.holds.items() if owner == seat}
    if stack is not state.stack or len(holds) != len(state.holds):
        state = replace(state, stack=stack, holds=holds)
    return state


def _sets_up_unseen(context: Context, state: State, side: str) -> bool:
    """Whether a side's set-up is not shown yet: it is secret, or it may be hiding somebody (1.3, 6.4)."""
    scenario = context.scenario
    return scenario.draft.secret_set_up or (side in scenario.hiders and side not in state.set_up)


def _without_set_up(context: Context, state: State, seat: Seat | None) -> State:
    """The state with the other side's units still to be set up and its weapons not handed out."""
    scenario = context.scenario
    unseen = [side for side in scenario.seats if side != seat and _sets_up_unseen(context, state, side)]
    if not unseen:
        return state
    units = {
        unit_id: Unit(unit.id, unit.side, unit.force, unit.card, None, Whereabouts.TO_SET_UP)
        if unit.side in unseen and unit.place is Whereabouts.MAP
        else unit
        for unit_id, unit in state.units.items()
    }
    units |= {unit_id: scenario.units[unit_id] for unit_id in scenario.joins if state.units[unit_id].side in unseen}
    weapons = {
        weapon_id: Weapon(weapon.id, weapon.side, weapon.card, force=weapon.force) if weapon.side in unseen else weapon
        for weapon_id, weapon in state.weapons.items()
    }
    vehicles = {
        vehicle.id: scenario.vehicles[vehicle.id] if vehicle.side in unseen else vehicle
        for vehicle in state.vehicles.values()
    }
    # Control at the start is the scenario's; units that set up change it when play begins.
    return replace(state, units=units, weapons=weapons, vehicles=vehicles)


def may_hide(context: Context, state: State, holder: Seat) -> bool:
    """Whether a side sets up in secret, has hidden units, or may have standing orders (3.3.3, 6.4)."""
    if has_secret_groups(context, state, holder):
        return True
    if state.phase is Phase.SETUP:
        return _sets_up_unseen(context, state, holder) or holder in context.scenario.hiders
    return (state.phase is Phase.MOVEMENT and holder != state.attacker) or has_hidden(context, state, holder)


def hidden_variants(context: Context, state: State, seat: Seat | None) -> Iterator[State]:
    """States that ``seat`` cannot tell from this one: other standing orders and set-ups of the others."""
    others = [owner for owner in context.scenario.seats if owner != seat]
    yield from group_variants(context, state, seat)
    for owner in others:
        if state.phase is Phase.MOVEMENT:
            yield replace(state, holds={**state.holds, owner: Hold(open_within=4)})
    hidden = hidden_units(context, state)
    if state.phase is Phase.SETUP:
        unseen = [owner for owner in others if _sets_up_unseen(context, state, owner)]
        secret = [unit for unit in state.units.values() if unit.side in unseen and unit.place is Whereabouts.MAP]
    else:
        secret = [unit for unit in state.units.values() if unit.side in others and unit.id in hidden]
    for first, second in pairwise(secret):
        swapped = {first.id: replace(first, hex=second.hex), second.id: replace(second, hex=first.hex)}
        yield replace(state, units={**state.units, **swapped})
    yield from _other_places(context, state, [unit for unit in secret if unit.id in hidden])


def _other_places(context: Context, state: State, hidden: list[Unit]) -> Iterator[State]:
    """The state with hidden units elsewhere in their set-up areas, and Guns that point elsewhere (6.4)."""
    for unit in hidden:
        elsewhere = min(context.scenario.zones[unit.force] - {unit.hex}, default=unit.hex)
        turned = {
            weapon.id: replace(weapon, facing=(weapon.facing + 1) % len(SPINES))
            for weapon in state.weapons.values()
            if weapon.hidden and weapon.owner == unit.id
        }
        moved = {**state.units, unit.id: replace(unit, hex=elsewhere)}
        yield replace(state, units=moved, weapons={**state.weapons, **turned})


def _is_unseen(context: Context, side: str) -> bool:
    """Whether how a side sets up is not told (1.3, 6.4)."""
    return context.scenario.draft.secret_set_up or side in context.scenario.hiders


def redact(context: Context, event: ev.Event, seat: Seat | None) -> ev.Event | None:
    """The event as ``seat`` may know it."""
    match event:
        case ev.HoldOrdered() if event.seat != seat:
            return None
        case ev.UnitPlaced():
            side = context.side_of(event.unit)
        case ev.GunPlaced():
            side = context.scenario.weapons[event.weapon].side
        case ev.VehiclePlaced():
            side = context.scenario.vehicles[event.vehicle].side
        case ev.UnitHidden() | UnitHeldBack():
            side = context.side_of(event.unit)
        case GroupJoined():
            side = context.side_of(UnitId(event.piece)) if UnitId(event.piece) in context.scenario.joins else ""
            return event if side in ("", seat) or not _is_unseen(context, side) else None
        case RendezvousChosen() | GroupBrought():
            return event if context.scenario.side_of[event.force] == seat else None
        case JumpArranged():
            return event if context.side_of(event.leader) == seat else None
        case GroupsMustered():
            muster = context.scenario.draft.muster
            return event if muster is not None and muster.side == seat else None
        case _:
            return event
    return None if side != seat and _is_unseen(context, side) else event


def redact_action(context: Context, action: Action, by: Seat, seat: Seat | None) -> Action | None:
    """The action as ``seat`` may know it: no steps that are still to come, no standing order, no secret set-up."""
    if by == seat:
        return action
    match action:
        case JumpTogether() | ChooseRendezvous() | BringGroup():
            return None
        case SetUpAsSuggested() if is_arranging(context, by):
            return None
        case Move() | MoveVehicle():
            return replace(action, steps=())
        # Going on begins at once; without any step it would read as the end of the move.
        case ContinueVehicle():
            return replace(action, steps=action.steps[:1])
        case Continue():
            return replace(action, steps=action.steps[:1], path=action.path[:1])
        case Rout():
            return replace(action, path=action.path[:1])
        case HoldFire():
            return HoldFire()
        case JoinGroup() | SetUpAsSuggested() if _is_unseen(context, by):
            return None
        case PlaceUnit() | PlaceVehicle() | PlaceGun() | HideUnit() if _is_unseen(context, by):
            return None
    return action


@rule("1.3", "6.4")
def conceal_scenario(context: Context, draft: Mapping[str, Any], seat: Seat | None) -> dict[str, Any]:
    """The draft without where its author would set up the others, and give their weapons, in secret (1.3, 6.4)."""
    sides = [
        side
        if side["id"] == seat or not _is_unseen(context, side["id"])
        else {**side, "forces": [_without_suggestions(force) for force in side["forces"]]}
        for side in draft["sides"]
    ]
    known = {**draft, "sides": sides}
    for field, suggestion in (("drop", "rendezvous"), ("muster", "suggested")):
        groups = draft.get(field)
        if groups and groups["side"] != seat:
            known[field] = {name: value for name, value in groups.items() if name != suggestion}
    return known


_SUGGESTIONS = ("at", "owners", "facing", "hidden", "exposed")


def _without_suggestions(force: Mapping[str, Any]) -> dict[str, Any]:
    counters = {
        name: [{key: value for key, value in order.items() if key not in _SUGGESTIONS} for order in force[name]]
        for name in ("units", "weapons", "vehicles")
        if name in force
    }
    return {**force, **counters}


def reveals(context: Context, event: ev.Event) -> bool:
    """Whether the event shows what was hidden: the end of a secret set-up, or somebody who comes to light (6.4)."""
    return isinstance(event, ev.Revealed) or (isinstance(event, ev.SetUpFinished) and _is_unseen(context, event.seat))
