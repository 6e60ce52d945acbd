"""6.0, 6.7.0 The end of a Movement Phase: whoever is too many in a hex is eliminated."""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch, Leaf, Node, Pick, Seat
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking, Closed, Opened
from sandtable.geo.hex import Hex
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.handler import Action, Frame, Play, SegmentHandler
from sandtable.systems.goss.common.harm import eliminate
from sandtable.systems.goss.common.state import State
from sandtable.systems.goss.movement.party import is_mobile
from sandtable.systems.goss.movement.road_stacking import overstack_in
from sandtable.systems.goss.movement.withdrawing import withdraw
from sandtable.systems.goss.pieces.unit import Unit, UnitId
from sandtable.systems.goss.turn.segments import Step

__all__ = ["Overstacked", "OverstackedHandler", "Remove"]


class Overstacked(Frame, frozen=True):
    """Too many units of a side in a hex."""

    player: Seat
    hex: Hex


class Remove(Action, frozen=True):
    """A unit that is eliminated so that the others may stay."""

    unit: UnitId

    def phrase(self, context: Context) -> str:
        """Who."""
        return f"eliminate {context.title(self.unit)}"

    def is_secret(self) -> bool:
        """Who it is may lie under others (8.4.0)."""
        return True


class OverstackedHandler(SegmentHandler[Overstacked]):
    """6.7.0: in the last segment of the Movement Phase, hex by hex."""

    frame, answers, step = Overstacked, (Remove,), Step.QUICK_CONSTRUCTION

    @rule("6.0", "6.7.0")
    def begin(self, play: Play, player: Seat) -> None:
        """Who is to leave the map does if he can (21.4.0); asked for each hex with too many (6.7.0).

        Not where nobody could have left: an overstack by retreat stands until somebody of it may move (6.0; B-99).
        """
        withdraw(play, self.context, player)
        state = play.state
        for hex, stack in sorted(self.context.deployment(state).stacks.items()):
            if stack[0].side != player or not overstack_in(self.context, stack, hex):
                continue
            if any(is_mobile(self.context, state, unit) for unit in stack):
                play.emit(Opened(Overstacked(player, hex)))

    def question(self, state: State, frame: Overstacked) -> Asking:  # noqa: ARG002
        """The owner chooses."""
        return Asking("6.7.0", f"Too many units in {self.context.label(frame.hex)}: eliminate one", (frame.player,))

    def _units(self, state: State, frame: Overstacked) -> tuple[Unit, ...]:
        stack = self.context.deployment(state).at(frame.hex)
        return tuple(unit for unit in stack if self.context.card(unit).takes_room)

    def options(self, state: State, frame: Overstacked, seat: Seat) -> Node[Action]:  # noqa: ARG002
        """One of the units, the weakest first, and HQs last."""
        cards = {unit: self.context.card(unit) for unit in self._units(state, frame)}
        units = sorted(cards, key=lambda unit: (cards[unit].is_headquarters, unit.steps))
        return Pick(
            lambda: (
                Branch(unit.id, "unit", self.context.title(unit.id), Leaf(Remove(unit.id)), unit.id) for unit in units
            )
        )

    def refusal(self, state: State, frame: Overstacked, seat: Seat, action: Action) -> Refusal | None:  # noqa: ARG002
        """A unit of the hex that counts for stacking."""
        assert isinstance(action, Remove)  # noqa: S101 - `answers` says so
        if any(unit.id == action.unit for unit in self._units(state, frame)):
            return None
        return Refusal("6.7.0", "that does not help", "a unit of the hex that counts for stacking")

    def apply(self, play: Play, frame: Overstacked, seat: Seat, action: Action) -> None:  # noqa: ARG002
        """It is gone; the question stays as long as there are too many."""
        assert isinstance(action, Remove)  # noqa: S101 - `answers` says so
        eliminate(play, (action.unit,))
        if not overstack_in(self.context, self.context.deployment(play.state).at(frame.hex), frame.hex):
            play.emit(Closed())
