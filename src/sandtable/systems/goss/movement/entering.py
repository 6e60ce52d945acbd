"""21.0-21.4.0 Reinforcements: who is due comes onto the map, and moves on from there; who is to leave it leaves.

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
from sandtable.systems.goss.common.rest import is_resting, show_rest
from sandtable.systems.goss.common.state import State, Use, with_units
from sandtable.systems.goss.movement.entry_cost import ENTERED, road_entry
from sandtable.systems.goss.movement.fuel import is_mech
from sandtable.systems.goss.movement.marches import Marches
from sandtable.systems.goss.movement.prepared import may_prepare
from sandtable.systems.goss.movement.ways import Kind
from sandtable.systems.goss.movement.withdrawing import WITHDRAWAL_FOLDS, withdraw
from sandtable.systems.goss.pieces.unit import Box, Mode, Unit, UnitId
from sandtable.systems.goss.turn.segments import Step

__all__ = ["EndEntry", "Enter", "Entered", "Entering", "EntryHandler"]


class Entering(Frame, frozen=True):
    """The reinforcements of a side."""

    player: Seat


class Enter(Action, frozen=True):
    """A unit comes onto the map."""

    unit: UnitId
    hex: Hex
    mode: Mode = Mode.TAC

    def phrase(self, context: Context) -> str:
        """Who, where, and how."""
        how = f" in {self.mode} mode" if self.mode is not Mode.TAC else ""
        return f"{context.title(self.unit)} enters in {context.label(self.hex)}{how}"


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
    """Which it is of the Mech units that came this way in the phase; 0 on foot, and in PA mode."""
    mode: Mode = Mode.TAC
    arrival: int = -1
    """Which of the scenario's reinforcements it came with (21.1.0)."""

    def sentence(self, context: Context) -> str:
        """Who, and where."""
        return f"{context.title(self.unit)} enters in {context.label(self.hex)}."


def _entered(state: State, event: Entered) -> State:
    used = (*state.used, Use(ENTERED, event.unit, event.hex, event.place))
    unit = replace(
        state.units[event.unit],
        hex=event.hex,
        box=Box.MAP,
        mode=event.mode,
        arrived=state.at.turn,
        arrival=event.arrival,
    )
    return replace(with_units(state, unit), used=used)


class EntryHandler(SegmentHandler[Entering]):
    """3.3.2c, 21.0: asked of who has units that are due; they may be held back (21.3.0)."""

    frame, answers, step = Entering, (Enter, EndEntry), Step.ENTRY
    folds = MappingProxyType({Entered: _entered, **WITHDRAWAL_FOLDS})

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._marches = context.room(Marches)

    @rule("21.0")
    def begin(self, play: Play, player: Seat) -> None:
        """Who is to leave the map does if he can (21.4.0); asked while somebody can come."""
        withdraw(play, self.context, player)
        if any(self._entries(play.state, player)):
            play.emit(Opened(Entering(player)))

    @rule("21.0", "21.2.0", "21.3.0", "21.3.1")
    def _entries(self, state: State, seat: Seat) -> Iterator[Entered]:
        """Who is due, and where each may enter: no enemy is there, and on a road it has the points (21.2.0)."""
        holders, foe = self.context.deployment(state).holders, self.context.other(seat)
        for index, arrival in enumerate(self.context.scenario.arrivals):
            if arrival.side != seat or arrival.turn > state.at.turn:
                continue
            for unit in (state.units[one] for one in (*arrival.units, *self._assets(state, index))):
                if unit.box is Box.COMING:
                    for hex in (one for one in arrival.entry if holders.get(one) != foe):
                        yield from self._ways(state, unit, hex, index)

    @rule("21.1.0")
    def _assets(self, state: State, index: int) -> tuple[UnitId, ...]:
        """Support units of a division that may still come with one of its regiments (21.1.0).

        An equal part with each, what is over with one of them; the HQ with any.
        """
        arrivals = self.context.scenario.arrivals
        formation = arrivals[index].formation
        assets = self.context.scenario.assets.get(formation, ())
        staff = [one for one in assets if self.context.card(state.units[one]).is_headquarters]
        others = [one for one in assets if one not in staff]
        groups = [number for number, one in enumerate(arrivals) if one.formation == formation]
        share, over = divmod(len(others), len(groups))
        came = {group: sum(state.units[one].arrival == group for one in others) for group in groups}
        has_over = came[index] > share or not any(number > share for number in came.values())
        is_open = came[index] < share + (over if has_over else 0)
        return (*staff, *(others if is_open else ()))

    @rule("21.0", "5.1.3")
    def _ways(self, state: State, unit: Unit, hex: Hex, index: int) -> Iterator[Entered]:
        """The modes in which a unit may enter in a hex: Tac, and PA if it is fit for that (21.0; ruling B-32).

        For whom the way by road has become too long may come off it, but guns into constricted ground (7.11.3).
        """
        card = self.context.card(unit)
        vehicles = is_mech(card)
        price = road_entry(self.context, state, hex) if vehicles else None
        place = self._behind(state, hex) + 1 if vehicles else 0
        here = self.context.ground.at(hex)
        needs_road = card.is_artillery and (here.is_constricted or here.is_embankment)
        entered = Entered(unit.id, hex, place, arrival=index)
        if not needs_road or (price is not None and self._can_pay(state, entered)):
            yield entered
        ready = Entered(unit.id, hex, 0, Mode.PREPARED_ASSAULT, index)
        there = _entered(state, ready)
        if not is_resting(self.context, state, unit) and may_prepare(
            self.context, there, self._marches, there.units[unit.id]
        ):
            yield ready

    @rule("21.2.0", "7.11.3")
    def _can_pay(self, state: State, entered: Entered) -> bool:
        """Whether a unit has the points for its place on the road, as it would move from there (21.2.0)."""
        there = _entered(state, entered)
        walk = self._marches.walk(there, (there.units[entered.unit],), Kind.ROAD, runs=True)
        return bool(walk.start().costs)

    def _behind(self, state: State, hex: Hex) -> int:
        """How many Mech units came this way before."""
        return sum(use.what == ENTERED and use.hex == hex and use.count > 0 for use in state.used)

    def question(self, state: State, frame: Entering) -> Asking:  # noqa: ARG002
        """The side whose turn it is."""
        return Asking("21.0", "Bring reinforcements onto the map", (frame.player,))

    def options(self, state: State, frame: Entering, seat: Seat) -> Node[Action]:  # noqa: ARG002
        """Everybody in his first entry hex and the others, or nobody else."""

        def branches() -> Iterator[Branch[Action]]:
            for one in self._entries(state, seat):
                enter = Enter(one.unit, one.hex, one.mode)
                key = f"{one.unit} {self.context.label(one.hex)}{'' if one.mode is Mode.TAC else ' PA'}"
                yield Branch(key, "unit", enter.phrase(self.context), Leaf(enter), one.unit)
            yield Branch("done", "done", "Done", Leaf(EndEntry()))

        return Pick(branches)

    def _found(self, state: State, seat: Seat, action: Enter) -> Entered | None:
        wanted = (action.unit, action.hex, action.mode)
        return next((one for one in self._entries(state, seat) if (one.unit, one.hex, one.mode) == wanted), None)

    def refusal(self, state: State, frame: Entering, seat: Seat, action: Action) -> Refusal | None:  # noqa: ARG002
        """Somebody who is due, where and in a mode in which he may enter."""
        if isinstance(action, EndEntry) or (isinstance(action, Enter) and self._found(state, seat, action)):
            return None
        return Refusal("21.2.0", "it cannot enter there now", "a unit that is due, in one of its entry hexes")

    def apply(self, play: Play, frame: Entering, seat: Seat, action: Action) -> None:  # noqa: ARG002
        """It comes; the question stays while somebody can."""
        entered = self._found(play.state, seat, action) if isinstance(action, Enter) else None
        if entered is not None:
            play.emit(entered)
            if entered.mode is Mode.PREPARED_ASSAULT:
                show_rest(play, self.context, [play.state.units[entered.unit]])
        if entered is None or not any(self._entries(play.state, seat)):
            play.emit(Closed())
