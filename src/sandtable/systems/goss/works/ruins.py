"""17.4.1f Fortified areas are destroyed by engineers in them, and their ruins belong to whoever holds them."""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.cover import ft_owner, has_foreign_ruins
from sandtable.systems.goss.common.facts import WorksTaken
from sandtable.systems.goss.common.handler import Frame, Play, SegmentHandler
from sandtable.systems.goss.pieces.card import Kind
from sandtable.systems.goss.turn.segments import Step

__all__ = ["RuinHandler", "Ruining", "take_ruins"]


class Ruining(Frame, frozen=True):
    """Nobody is asked: engineers blow up what they stand in."""


class RuinHandler(SegmentHandler[Ruining]):
    """17.4.1f The beginning of a Construction Phase: engineers of any size destroy an enemy fortified area."""

    frame, step = Ruining, Step.CONSTRUCTION

    @rule("17.4.1f")
    def begin(self, play: Play, player: Seat) -> None:
        """Wherever engineers of the active side stand in one."""
        for unit in play.state.units.values():
            if unit.side != player or unit.hex is None or self.context.card(unit).kind is not Kind.ENGINEERS:
                continue
            if ft_owner(self.context, play.state, unit.hex) not in ("", player):
                play.emit(WorksTaken(unit.hex, player))


@rule("17.4.1f")
def take_ruins(context: Context, play: Play) -> None:
    """Improved positions in ruins stay without a garrison, and are those of whoever comes in (17.4.1f; ruling B-34)."""
    if not play.state.ruins:
        return
    holders = context.deployment(play.state).holders
    for hex in play.state.ruins:
        holder = holders.get(hex)
        if holder is not None and has_foreign_ruins(play.state, hex, holder):
            play.emit(WorksTaken(hex, holder))
