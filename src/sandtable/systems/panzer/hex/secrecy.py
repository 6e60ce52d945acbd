"""Who may know what: face-down commands (4.2.1) and the rest of a move that is under way.

Everything that a seat is shown is built from :func:`conceal` or passes through :func:`redact`.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.systems.panzer.hex import events as ev
from sandtable.systems.panzer.hex.actions import Action, Continue, Move, PlaceCommands
from sandtable.systems.panzer.hex.state import Command, Frame, Moving, State

__all__ = ["conceal", "hidden_variants", "may_hide", "redact", "redact_action", "reveals"]


@rule("4.2.1")
def conceal(state: State, seat: Seat | None) -> State:
    """The state as ``seat`` may know it: enemy commands that were not revealed are face down (4.2.1)."""
    units = {
        unit_id: unit if unit.known or unit.side == seat else replace(unit, command=Command.HIDDEN)
        for unit_id, unit in state.units.items()
    }
    stack = tuple(_conceal_frame(state, frame, seat) for frame in state.stack)
    return replace(state, units=units, stack=stack)


def _conceal_frame(state: State, frame: Frame, seat: Seat | None) -> Frame:
    if isinstance(frame, Moving) and state.units[frame.unit].side != seat:
        return replace(frame, plan=())
    return frame


def may_hide(state: State, holder: Seat) -> bool:
    """Whether a force has commands that lie face down, or a vehicle on its way that may be going on (4.2.1)."""
    if any(not unit.known for unit in state.units.values() if unit.side == holder):
        return True
    return any(isinstance(frame, Moving) and state.units[frame.unit].side == holder for frame in state.stack)


def hidden_variants(state: State, seat: Seat | None) -> Iterator[State]:
    """States that ``seat`` cannot tell from this one: other commands under the enemy's face-down counters."""
    for index, frame in enumerate(state.stack):
        if isinstance(frame, Moving) and state.units[frame.unit].side != seat and frame.plan:
            stops = replace(frame, plan=())
            yield replace(state, stack=(*state.stack[:index], stops, *state.stack[index + 1 :]))
    hidden = [unit for unit in state.units.values() if not unit.known and unit.side != seat]
    commands = (Command.NONE, Command.OVERWATCH, Command.MOVE, Command.FIRE, Command.SHORT_HALT)
    dealt = [[command] * len(hidden) for command in commands]
    dealt.append([commands[place % len(commands)] for place in range(len(hidden))])
    for given in dealt if hidden else ():
        changed = {unit.id: replace(unit, command=command) for unit, command in zip(hidden, given, strict=True)}
        yield replace(state, units={**state.units, **changed})


def redact(event: ev.Event, seat: Seat | None, owner: Seat | None) -> ev.Event | None:
    """The event as ``seat`` may know it; ``owner`` is the force of the unit that the event is about."""
    match event:
        case ev.CommandsPlaced() if event.seat != seat:
            return ev.CommandsPlaced(event.seat, {})
        case ev.CommandConverted() if owner != seat:
            return None
        case ev.Opened(frame=Moving() as frame) if owner != seat:
            return ev.Opened(replace(frame, plan=()))
        case ev.Changed(frame=Moving() as frame) if owner != seat:
            return ev.Changed(replace(frame, plan=()))
    return event


def redact_action(action: Action, by: Seat, seat: Seat | None) -> Action | None:
    """The action as ``seat`` may know it: no commands, no legs that are still to come."""
    if by == seat:
        return action
    match action:
        case PlaceCommands():
            return PlaceCommands({})
        case Move():
            return Move(action.unit)
        case Continue():
            return None
        case _:
            return action


_REVEALING = (
    ev.CommandRevealed,
    ev.UnitEntered,
    ev.UnitTurned,
    ev.UnitMoved,
    ev.UnitExited,
    ev.MoveEnded,
)


def reveals(event: ev.Event) -> bool:
    """Whether the event shows what was hidden: a command, or the next thing that a vehicle on its way does."""
    return isinstance(event, _REVEALING)
