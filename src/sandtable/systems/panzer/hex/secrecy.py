"""What of an action and of an event on hexes others may know; of commands that lie face down, see the shared rules.

What is hidden in a frame, such as the rest of a move under way, is said by its handler.
"""

from __future__ import annotations

from sandtable.core.decision import Seat
from sandtable.systems.panzer.hex import events as ev
from sandtable.systems.panzer.hex.actions import Action, Continue, Move, PlaceCommands

__all__ = ["redact_action", "reveals"]


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
