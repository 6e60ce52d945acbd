"""Who may know what of a secret set-up, of standing orders and of actions.

Everything that a seat is shown is built from :func:`conceal` or passes through :func:`redact`. Units on the map are
open to both sides: the Starter Kit has no concealment. What is hidden in a frame, such as the rest of a move or rout
under way, is said by its handler.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import Action, Continue, HoldFire, Move, PlaceUnit, Rout, SetUpAsSuggested
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.pieces.state import Frame, Hold, Phase, State, UnitId, Whereabouts

__all__ = ["conceal", "conceal_scenario", "hidden_variants", "may_hide", "redact", "redact_action", "reveals"]


@rule("1.3")
def conceal(context: Context, state: State, stack: tuple[Frame, ...], seat: Seat | None) -> State:
    """The state as ``seat`` may know it, with the stack that he may know (1.3)."""
    if state.phase is Phase.SETUP and context.scenario.draft.secret_set_up:
        state = _without_set_up(state, seat)
    holds = {owner: hold for owner, hold in state.holds.items() if owner == seat}
    if stack is not state.stack or len(holds) != len(state.holds):
        state = replace(state, stack=stack, holds=holds)
    return state


def _without_set_up(state: State, seat: Seat | None) -> State:
    """The state with the other side's units still to be set up and its weapons not handed out."""
    units = {
        unit_id: unit
        if unit.side == seat or unit.place is not Whereabouts.MAP
        else replace(unit, place=Whereabouts.TO_SET_UP, hex=None)
        for unit_id, unit in state.units.items()
    }
    weapons = {
        weapon_id: weapon if weapon.side == seat else replace(weapon, owner=UnitId(""))
        for weapon_id, weapon in state.weapons.items()
    }
    # Control at the start is the scenario's; units that set up change it when play begins.
    return replace(state, units=units, weapons=weapons)


def may_hide(context: Context, state: State, holder: Seat) -> bool:
    """Whether a side sets up in secret, or may have standing orders (3.3.3)."""
    if state.phase is Phase.SETUP:
        return context.scenario.draft.secret_set_up
    return state.phase is Phase.MOVEMENT and holder != state.attacker


def hidden_variants(context: Context, state: State, seat: Seat | None) -> Iterator[State]:
    """States that ``seat`` cannot tell from this one: other standing orders and set-ups of the others."""
    others = [owner for owner in context.scenario.seats if owner != seat]
    for owner in others:
        if state.phase is Phase.MOVEMENT:
            yield replace(state, holds={**state.holds, owner: Hold(open_within=4)})
    if state.phase is not Phase.SETUP or not context.scenario.draft.secret_set_up:
        return
    hidden = [unit for unit in state.units.values() if unit.side in others and unit.place is Whereabouts.MAP]
    for first, second in pairwise(hidden):
        swapped = {first.id: replace(first, hex=second.hex), second.id: replace(second, hex=first.hex)}
        yield replace(state, units={**state.units, **swapped})


def redact(context: Context, event: ev.Event, seat: Seat | None) -> ev.Event | None:
    """The event as ``seat`` may know it."""
    match event:
        case ev.HoldOrdered() if event.seat != seat:
            return None
        case ev.UnitPlaced() if context.scenario.draft.secret_set_up and context.side_of(event.unit) != seat:
            return None
    return event


def redact_action(context: Context, action: Action, by: Seat, seat: Seat | None) -> Action | None:
    """The action as ``seat`` may know it: no steps that are still to come, no standing order, no secret set-up."""
    if by == seat:
        return action
    match action:
        case Move():
            return replace(action, steps=())
        case Continue():
            return replace(action, steps=(), path=())
        case Rout():
            return replace(action, path=action.path[:1])
        case HoldFire():
            return HoldFire()
        case PlaceUnit() | SetUpAsSuggested() if context.scenario.draft.secret_set_up:
            return None
    return action


@rule("1.3")
def conceal_scenario(context: Context, draft: Mapping[str, Any], seat: Seat | None) -> dict[str, Any]:
    """The draft without where its author would set up the others, and give their weapons, in secret (1.3)."""
    if not context.scenario.draft.secret_set_up:
        return dict(draft)
    sides = [
        side if side["id"] == seat else {**side, "forces": [_without_suggestions(force) for force in side["forces"]]}
        for side in draft["sides"]
    ]
    return {**draft, "sides": sides}


def _without_suggestions(force: Mapping[str, Any]) -> dict[str, Any]:
    counters = {
        name: [{key: value for key, value in order.items() if key not in ("at", "owners")} for order in force[name]]
        for name in ("units", "weapons")
        if name in force
    }
    return {**force, **counters}


def reveals(context: Context, event: ev.Event) -> bool:
    """Whether the event shows what was hidden: the end of a secret set-up."""
    return isinstance(event, ev.SetUpFinished) and context.scenario.draft.secret_set_up
