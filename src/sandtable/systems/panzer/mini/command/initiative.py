"""7.0 Basic Initiative Phase: both roll, ties are rolled again, and the winner says who is First Player."""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.systems.panzer.command.initiative import ChooseFirstHandler, roll_initiative
from sandtable.systems.panzer.mini.context import Context
from sandtable.systems.panzer.mini.handler import Play

__all__ = ["MiniChooseFirstHandler", "initiative"]

BOOK = ("panzer-mini",)


@rule("7.1", "4.2", editions=BOOK)
def initiative(context: Context, play: Play) -> Seat:
    """The winner of the roll (7.1)."""
    return roll_initiative(play, context.scenario.seats, "")


@rule("7.1", "7.2", "4.1", editions=BOOK)
class MiniChooseFirstHandler(ChooseFirstHandler):
    """7.1: the winner chooses to be First or Second Player."""

    number = "7.1"
