"""21.0, 21.2.0, 21.3.0 Reinforcements: who is due comes onto the map, and moves on from there.

A unit is placed in its entry hex before any move (3.3.2c). What that hex costs it is spent when it moves: on a road a
Mech unit pays for all that came that way before it (21.2.0).
"""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch, Leaf, Node, Pick, Seat
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking, Closed, Opened
from sandtable.geo.hex import Hex
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.handler import Action, Fact, Frame, Play, SegmentHandler
from sandtable.systems.goss.common.state import State, Use, with_units
from sandtable.systems.goss.movement.entry_cost import ENTERED, road_entry
from sandtable.systems.goss.movement.party import is_mech
from sandtable.systems.goss.pieces.unit import Box, Unit, UnitId
from sandtable.systems.goss.tables.movement_costs import ONE_MP
from sandtable.systems.goss.turn.segments import Step

__all__ = ["EndEntry", "Enter", "Entered", "Entering", "EntryHandler"]


class Entering(Frame, frozen=True):
    """The reinforcements of a side."""

    player: Seat


class Enter(Action, frozen=True):
    """A unit comes onto the map."""

    unit: UnitId
    hex: Hex

    def phrase(self, context: Context) -> str:
        """Who, and where."""
        return f"{context.title(self.unit)} enters in {context.label(self.hex)}"


class EndEntry(Action, frozen=True):
    """The others come later (21.3.0)."""

    def phrase(self, context: Context) -> str:  # noqa: ARG002
        """It in a phrase."""
        return "nobody else enters"


class Entered(Fact, frozen=True):
    """A unit came onto the map (21.0)."""

    unit: UnitId
    hex: Hex
    place: int
    """Which it is of the Mech units that came this way in the phase; 0 on foot."""

    def sentence(self, context: Context) -> str:
        """Who, and where."""
        return f"{context.title(self.unit)} enters in {context.label(self.hex)}."


def _entered(state: State, event: Entered) -> State:
    used = (*state.used, Use(ENTERED, event.unit, event.hex, event.place))
    unit = replace(state.units[event.unit], hex=event.hex, box=Box.MAP)
    return replace(with_units(state, unit), used=used)


class EntryHandler(SegmentHandler[Entering]):
    """3.3.2c, 21.0: asked of who has units that are due; they may be held back (21.3.0)."""

    frame, answers, step = Entering, (Enter, EndEntry), Step.ENTRY
    folds = MappingProxyType({Entered: _entered})

    def begin(self, play: Play, player: Seat) -> None:
        """Asked while somebody can come."""
        if any(self._entries(play.state, player)):
            play.emit(Opened(Entering(player)))

    @rule("21.2.0", "21.3.0")
    def _entries(self, state: State, seat: Seat) -> Iterator[tuple[Unit, Hex]]:
        """Who is due, and where each may enter: no enemy is there, and on a road it has the points (21.2.0)."""
        holders, foe = self.context.deployment(state).holders, self.context.other(seat)
        for arrival in self.context.scenario.arrivals:
            if arrival.side != seat or arrival.turn > state.at.turn:
                continue
            for unit in (state.units[one] for one in arrival.units):
                if unit.box is Box.COMING:
                    free = (hex for hex in arrival.entry if holders.get(hex) != foe)
                    yield from ((unit, hex) for hex in free if self._fits(state, unit, hex))

    def _fits(self, state: State, unit: Unit, hex: Hex) -> bool:
        card = self.context.card(unit)
        price = road_entry(self.context, state, hex) if is_mech(card) else None
        return price is None or (self._behind(state, hex) + 1) * price <= card.ma * ONE_MP

    def _behind(self, state: State, hex: Hex) -> int:
        """How many Mech units came this way before."""
        return sum(use.what == ENTERED and use.hex == hex and use.count > 0 for use in state.used)

    def question(self, state: State, frame: Entering) -> Asking:  # noqa: ARG002
        """The side whose turn it is."""
        return Asking("21.0", "Bring reinforcements onto the map", (frame.player,))

    def options(self, state: State, frame: Entering, seat: Seat) -> Node[Action]:  # noqa: ARG002
        """Everybody in his first entry hex and the others, or nobody else."""

        def branches() -> Iterator[Branch[Action]]:
            for unit, hex in self._entries(state, seat):
                label = self.context.label(hex)
                words = f"{self.context.title(unit.id)} in {label}"
                yield Branch(f"{unit.id} {label}", "unit", words, Leaf(Enter(unit.id, hex)), unit.id)
            yield Branch("done", "done", "Done", Leaf(EndEntry()))

        return Pick(branches)

    def refusal(self, state: State, frame: Entering, seat: Seat, action: Action) -> Refusal | None:  # noqa: ARG002
        """Somebody who is due, where he may enter."""
        if isinstance(action, EndEntry):
            return None
        assert isinstance(action, Enter)  # noqa: S101 - `answers` says so
        if any(unit.id == action.unit and hex == action.hex for unit, hex in self._entries(state, seat)):
            return None
        return Refusal("21.2.0", "it cannot enter there now", "a unit that is due, in one of its entry hexes")

    def apply(self, play: Play, frame: Entering, seat: Seat, action: Action) -> None:  # noqa: ARG002
        """It comes; the question stays while somebody can."""
        if isinstance(action, Enter):
            card = self.context.card(play.state.units[action.unit])
            place = self._behind(play.state, action.hex) + 1 if is_mech(card) else 0
            play.emit(Entered(action.unit, action.hex, place))
        if isinstance(action, EndEntry) or not any(self._entries(play.state, seat)):
            play.emit(Closed())
