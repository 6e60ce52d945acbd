"""What of an action and of an event on hexes others may know; of commands that lie face down, see the shared rules.

What is hidden in a frame, such as the rest of a move under way, is said by its handler.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.geo.hex import Hex
from sandtable.systems.panzer import events as shared
from sandtable.systems.panzer.fires.missions import Battery, BatteryId, MissionKind, Pattern, Plot, PlotStep
from sandtable.systems.panzer.hex import events as ev
from sandtable.systems.panzer.hex.actions import (
    Action,
    Continue,
    March,
    Move,
    Overrun,
    PlaceCommands,
    PlaceOrders,
    PlanFire,
    RegisterPoint,
)
from sandtable.systems.panzer.hex.state import State

__all__ = ["conceal_artillery", "conceal_batteries", "other_batteries", "redact_action", "reveals"]


def redact_action(action: Action, by: Seat, seat: Seat | None) -> Action | None:
    """The action as ``seat`` may know it: no commands, no legs that are still to come."""
    if by == seat:
        return action
    match action:
        case PlaceCommands():
            return PlaceCommands({})
        case PlaceOrders():
            return PlaceOrders({})
        case Move():
            return Move(action.unit)
        case Overrun():
            return Overrun(action.unit, action.target, (), action.others)
        case March():
            return March(action.unit, action.gait)
        case Continue() | RegisterPoint() | PlanFire():
            return None
        case _:
            return action


_REVEALING = (
    shared.CommandRevealed,
    ev.UnitEntered,
    ev.UnitTurned,
    ev.UnitMoved,
    ev.UnitShifted,
    ev.PositionSearched,
    ev.UnitExited,
    shared.MoveEnded,
)


def reveals(event: shared.Event) -> bool:
    """Whether the event shows what was hidden: a command, or the next thing that a vehicle on its way does."""
    return isinstance(event, _REVEALING)


@rule("6.5.1.4", "6.5.1.11.1", editions=("panzer-na",))
def conceal_batteries(state: State, seat: Seat | None) -> State:
    """The state without the off-map batteries of others: what fires is seen on the map (6.5.1.4, 6.5.1.11.1)."""
    return replace(state, batteries={name: one for name, one in state.batteries.items() if one.side == seat})


def other_batteries(state: State, seat: Seat) -> Iterator[State]:
    """States that a seat cannot tell from this one: other points, plots and batteries of the others."""
    theirs = [battery for battery in state.batteries.values() if battery.side != seat]
    if not theirs:
        return
    own = {name: battery for name, battery in state.batteries.items() if battery.side == seat}
    place = next((unit.hex for unit in state.units.values() if unit.hex is not None), Hex(0, 0))
    step = PlotStep(kind=MissionKind.GP, pattern=Pattern.CLOSED, target=place)
    yield replace(state, batteries={**own, **_dealt(theirs, (), None)})
    yield replace(state, batteries={**own, **_dealt(theirs, (place,), Plot(state.turn + 3, (step,)))})


def _dealt(
    batteries: list[Battery[Hex]], points: tuple[Hex, ...], plot: Plot[Hex] | None
) -> dict[BatteryId, Battery[Hex]]:
    """Batteries with these points and this plot, where theirs has not begun."""
    return {one.id: one if one.begun else replace(one, registered=points, plot=plot) for one in batteries}


def conceal_artillery(draft: Mapping[str, Any], seat: Seat | None) -> dict[str, Any]:
    """A scenario without the off-map batteries of others."""
    if not any("batteries" in side for side in draft.get("sides", ())):
        return dict(draft)
    sides = [
        side if side.get("id") == seat else {key: value for key, value in side.items() if key != "batteries"}
        for side in draft.get("sides", ())
    ]
    return {**draft, "sides": sides}
