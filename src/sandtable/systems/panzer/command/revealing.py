"""4.4.3.2.2 The owner of a target may reveal its moving command: the fire on it is resolved by his answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch, Leaf, Node, Pick, Seat
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking, Changed, Closed, FrameHandler
from sandtable.core.ruleset import Resolution
from sandtable.systems.panzer.actions import Action, RevealCommand
from sandtable.systems.panzer.command.sharing import reveal
from sandtable.systems.panzer.frames import CommandReveal
from sandtable.systems.panzer.unit import MOVING_COMMANDS

__all__ = ["CommandRevealHandler"]


class CommandRevealHandler(FrameHandler[Any, Any, Any, Any, CommandReveal]):
    """4.4.3.2.2: the target's owner may reveal a moving command.

    It is asked within an attack, by fire or at arm's length, whose frame lies below and has ``moving``.
    """

    frame = CommandReveal
    answers = (RevealCommand,)
    number = "4.4.3.2.2"
    """Of the rule, in the book that is played."""

    def question(self, state: Any, frame: CommandReveal) -> Asking:
        """The target's owner, whatever his command is."""
        owner = state.units[frame.target].side
        return Asking(self.number, "Reveal a moving command?", (owner,), guards=True)

    def options(self, state: Any, frame: CommandReveal, seat: Seat) -> Node[Any]:
        """Reveal it, if it is one, or keep it face down."""
        return Pick(lambda: _reveal_ways(state, frame))

    @rule("3.4")
    def refusal(self, state: Any, frame: CommandReveal, seat: Seat, action: Any) -> Refusal | None:
        """Only a MOVE or SHORT HALT command is worth revealing to the firer (4.4.3.2.2)."""
        assert isinstance(action, RevealCommand)  # noqa: S101 - the only answer
        if action.reveal and state.units[frame.target].command not in MOVING_COMMANDS:
            return Refusal(self.number, f"{frame.target} has no moving command to reveal", "keep it face down")
        return None

    def apply(self, play: Resolution[Any, Any], frame: CommandReveal, seat: Seat, action: Any) -> None:
        """The attack knows whether its target moves."""
        assert isinstance(action, RevealCommand)  # noqa: S101 - the only answer
        play.emit(Closed())
        if action.reveal:
            reveal(play, frame.target)
        play.emit(Changed(replace(play.state.stack[-1], moving=action.reveal)))


def _reveal_ways(state: Any, frame: CommandReveal) -> Iterator[Branch[Action]]:
    if state.units[frame.target].command in MOVING_COMMANDS:
        yield Branch("reveal", "answer", "Reveal it: the target is moving", Leaf[Action](RevealCommand(reveal=True)))
    yield Branch(
        "decline", "answer", "Keep it face down: no modifier for movement", Leaf[Action](RevealCommand(reveal=False))
    )
