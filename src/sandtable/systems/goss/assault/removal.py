"""13.13 Removal of AS markers at the end of the Ground Assault Segment."""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.systems.goss.common.facts import Shifted
from sandtable.systems.goss.common.fog import owner_if_hidden
from sandtable.systems.goss.common.handler import Frame, Play, SegmentHandler
from sandtable.systems.goss.turn.segments import Step

__all__ = ["ShiftRemoval", "ShiftRemovalHandler"]


class ShiftRemoval(Frame, frozen=True):
    """Nobody is asked."""


class ShiftRemovalHandler(SegmentHandler[ShiftRemoval]):
    """13.13.0 Both sides take their AS markers off."""

    frame, step = ShiftRemoval, Step.SHIFT_REMOVAL

    @rule("13.13.0")
    def begin(self, play: Play, player: Seat) -> None:  # noqa: ARG002
        """All of them (13.13.0)."""
        for unit in [one for one in play.state.units.values() if one.shifts]:
            play.emit(Shifted(unit.id, 0, owner=owner_if_hidden(self.context, play.state, unit.id)))
