"""Who may know what of commands that lie face down (4.2.1) and of actions.

What is hidden in a frame, such as the rest of a move under way, is said by its handler.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.systems.panzer.hex import events as ev
from sandtable.systems.panzer.hex.actions import Action, Continue, Move, PlaceCommands
from sandtable.systems.panzer.hex.state import Command, Frame, State

__all__ = ["conceal", "hidden_commands", "may_hide", "redact_action", "reveals"]


@rule("4.2.1")
def conceal(state: State, stack: tuple[Frame, ...], seat: Seat | None) -> State:
    """The state as ``seat`` may know it, with the stack that he may know: enemy commands lie face down (4.2.1)."""
    units = {
        unit_id: unit if unit.known or unit.side == seat else replace(unit, command=Command.HIDDEN)
        for unit_id, unit in state.units.items()
    }
    return replace(state, units=units, stack=stack)


def may_hide(state: State, holder: Seat) -> bool:
    """Whether a force has commands that lie face down (4.2.1)."""
    return any(not unit.known for unit in state.units.values() if unit.side == holder)


def hidden_commands(state: State, seat: Seat) -> Iterator[State]:
    """States that ``seat`` cannot tell from this one: other commands under the enemy's face-down counters."""
    hidden = [unit for unit in state.units.values() if not unit.known and unit.side != seat]
    commands = (Command.NONE, Command.OVERWATCH, Command.MOVE, Command.FIRE, Command.SHORT_HALT)
    dealt = [[command] * len(hidden) for command in commands]
    dealt.append([commands[place % len(commands)] for place in range(len(hidden))])
    for given in dealt if hidden else ():
        changed = {unit.id: replace(unit, command=command) for unit, command in zip(hidden, given, strict=True)}
        yield replace(state, units={**state.units, **changed})


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
