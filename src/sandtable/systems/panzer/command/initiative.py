"""4.3 Initiative Phase: both forces roll, the higher says who is First Player."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sandtable.core.content.rule import rule
from sandtable.core.content.table import Table
from sandtable.core.decision import Branch, Leaf, Node, Pick, Seat
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking, Closed, FrameHandler
from sandtable.core.modifier import Breakdown
from sandtable.core.ruleset import Resolution
from sandtable.systems.panzer.actions import ChooseFirstPlayer
from sandtable.systems.panzer.events import FirstPlayerChosen, ForceRolled, InitiativeRolled
from sandtable.systems.panzer.frames import ChooseFirst
from sandtable.systems.panzer.percentile import D100
from sandtable.systems.panzer.unit import Grade

__all__ = ["ChooseFirstHandler", "roll_graded_initiative", "roll_initiative"]


@rule("4.3", "4.3.1")
def roll_initiative(play: Resolution[Any, Any], seats: tuple[Seat, ...], tie: str) -> Seat:
    """Roll (100) for each force until they differ; the winner (4.3.1)."""
    while True:
        rolls = {seat: play.dice.roll(D100, f"initiative of {seat}").total for seat in seats}
        best = max(rolls.values())
        leaders = [seat for seat in seats if rolls[seat] == best]
        winner = leaders[0] if len(leaders) == 1 else tie
        play.emit(InitiativeRolled(rolls, winner))
        if winner:
            return Seat(winner)


@rule("6.3", "6.3.1", "6.3.2", editions=("panzer-na",))
def roll_graded_initiative(play: Resolution[Any, Any], grades: Mapping[Seat, Grade], table: Table, tie: str) -> Seat:
    """Roll (100) for each Force and add its Force Grade Modifier, until they differ; the winner (6.3.1)."""
    while True:
        nets: dict[Seat, int] = {}
        for seat, grade in grades.items():
            roll = play.dice.roll(D100, f"initiative of {seat}").total
            modifier = table.modifier(grade.value)
            net = Breakdown("Initiative", "6.3.1", (modifier,), roll, "roll")
            nets[seat] = net.total
            play.emit(ForceRolled(seat, roll, net))
        best = max(nets.values())
        leaders = [seat for seat, net in nets.items() if net == best]
        winner = leaders[0] if len(leaders) == 1 else tie
        play.emit(InitiativeRolled(nets, winner))
        if winner:
            return Seat(winner)


def _ways(seats: tuple[Seat, ...], frame: ChooseFirst) -> Node[Any]:
    """The winner first of all may take the First Player's part himself (4.3.1)."""
    order = sorted(seats, key=lambda seat: seat != frame.winner)

    def ways() -> list[Branch[Any]]:
        return [
            Branch(seat, "seat", f"{seat} is First Player", Leaf[Any](ChooseFirstPlayer(seat)), seat) for seat in order
        ]

    return Pick(ways)


@rule("4.3.2", "3.1")
def _refuse_choice(number: str, seats: tuple[Seat, ...], action: ChooseFirstPlayer) -> Refusal | None:
    """First Player is one of the two forces (3.1, 4.3.2)."""
    if action.first not in seats:
        return Refusal(number, f"{action.first!r} is no force of this scenario", f"one of {', '.join(seats)}")
    return None


class ChooseFirstHandler(FrameHandler[Any, Any, Any, Any, ChooseFirst]):
    """4.3.1: the winner of the roll says who is First Player."""

    frame = ChooseFirst
    answers = (ChooseFirstPlayer,)
    number = "4.3.1"
    """Of the section that asks it; other books have another."""

    def question(self, state: Any, frame: ChooseFirst) -> Asking:
        """The winner."""
        return Asking(self.number, "Choose the First Player", (frame.winner,))

    def options(self, state: Any, frame: ChooseFirst, seat: Seat) -> Node[Any]:
        """Either force."""
        return _ways(self.context.scenario.seats, frame)

    def refusal(self, state: Any, frame: ChooseFirst, seat: Seat, action: Any) -> Refusal | None:
        """Somebody who does not play."""
        assert isinstance(action, ChooseFirstPlayer)  # noqa: S101 - the only answer
        return _refuse_choice(self.number, self.context.scenario.seats, action)

    def apply(self, play: Resolution[Any, Any], frame: ChooseFirst, seat: Seat, action: Any) -> None:
        """The turn has its First Player."""
        assert isinstance(action, ChooseFirstPlayer)  # noqa: S101 - the only answer
        play.emit(FirstPlayerChosen(action.first))
        play.emit(Closed())
