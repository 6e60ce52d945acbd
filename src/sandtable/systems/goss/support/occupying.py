"""11.7.0 Advance after a mission: attackers beside a hex that fire has emptied may move in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch, Leaf, Node, Pick, Seat
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking, Closed
from sandtable.geo.hex import NEIGHBOURS, Hex
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.cover import cover_at
from sandtable.systems.goss.common.crossing import crossing
from sandtable.systems.goss.common.facts import Used
from sandtable.systems.goss.common.fog import hidden_of
from sandtable.systems.goss.common.handler import Action, Frame, Handler, Play
from sandtable.systems.goss.common.harm import tire
from sandtable.systems.goss.common.rest import is_resting
from sandtable.systems.goss.common.retreat import is_overstacked, may_displace
from sandtable.systems.goss.common.shifts import share_shifts
from sandtable.systems.goss.common.state import State, Use
from sandtable.systems.goss.common.weak_bridges import heavy_over
from sandtable.systems.goss.ground.cover import Cover
from sandtable.systems.goss.ground.kinds import Water
from sandtable.systems.goss.movement.ferrying import FERRIED, can_ferry
from sandtable.systems.goss.pieces.card import MovementClass
from sandtable.systems.goss.pieces.unit import Mode, Unit, UnitId
from sandtable.systems.goss.support.facts import MovedIn
from sandtable.systems.goss.support.spotting import ADVANCED

__all__ = ["MoveIn", "Occupying", "OccupyingHandler", "StayPut"]


class Occupying(Frame, frozen=True):
    """A hex that fire has emptied."""

    player: Seat
    hex: Hex


class MoveIn(Action, frozen=True):
    """Units of one hex advance."""

    units: tuple[UnitId, ...]
    to_tac: bool = False
    """Those in PA mode go back to Tac mode, which covering terrain allows."""

    def phrase(self, context: Context) -> str:
        """It in a phrase."""
        more = ", back to Tac mode" if self.to_tac else ""
        return f"{'; '.join(map(context.title, self.units))} advance{more}"

    def is_secret(self) -> bool:
        """Who lies under the top unit is not told (8.4.0)."""
        return True


class StayPut(Action, frozen=True):
    """Nobody (else) advances."""

    def phrase(self, context: Context) -> str:  # noqa: ARG002
        """It in a phrase."""
        return "no more advance"


class OccupyingHandler(Handler[Occupying]):
    """11.7.0: stack by stack, or unit by unit."""

    frame, answers = Occupying, (MoveIn, StayPut)

    def question(self, state: State, frame: Occupying) -> Asking:  # noqa: ARG002
        """Asked of the firer."""
        return Asking("11.7.0", f"Advance into {self.context.label(frame.hex)}", (frame.player,))

    @rule("11.7.0")
    def _able(self, state: State, frame: Occupying, here: Hex) -> list[Unit]:
        """Units of a hex that may advance: attack designated, not advanced before, over open ground (11.7.0)."""
        return [
            unit
            for unit in self.context.deployment(state).at(here)
            if unit.side == frame.player
            and unit.is_attacking
            and not state.has_used(ADVANCED, unit.id)
            and (may_displace(self.context, state, unit, here, frame.hex) or self._ferryman(state, frame, unit))
        ]

    @rule("17.2.2")
    def _ferryman(self, state: State, frame: Occupying, unit: Unit) -> Unit | None:
        """Engineers in PA mode who take a Leg unit of their hex over a major river, and stay themselves (17.2.2)."""
        here = unit.hex
        if here is None or unit.mode is not Mode.PREPARED_ASSAULT:
            return None
        over = crossing(self.context, state, here, frame.hex)
        if over.is_dry or over.water is not Water.MAJOR_RIVER:
            return None
        if self.context.card(unit).movement is not MovementClass.LEG:
            return None
        stack = (one for one in self.context.deployment(state).at(here) if one.id != unit.id)
        ready = (one for one in stack if one.mode is Mode.PREPARED_ASSAULT and can_ferry(self.context, one))
        return next((one for one in ready if not state.has_used(FERRIED, one.id)), None)

    def _parties(self, state: State, frame: Occupying) -> Iterator[tuple[Unit, ...]]:
        """Whole stacks first, then each of their units."""
        for here in NEIGHBOURS[frame.hex]:
            able = self._able(state, frame, here)
            is_ferry = any(self._ferryman(state, frame, unit) for unit in able)
            parties = ([tuple(able)] if len(able) > 1 and not is_ferry else []) + [(unit,) for unit in able]
            yield from (party for party in parties if not is_overstacked(self.context, state, party, frame.hex))

    def _may_stand_down(self, state: State, frame: Occupying, party: Sequence[Unit]) -> bool:
        """In MCT who is in PA mode may go back to Tac mode at once; who is ferried must anyhow."""
        if self._ferryman(state, frame, party[0]):
            return False
        cover = cover_at(self.context, state, frame.hex, self.context.other(frame.player))
        return cover is Cover.MOVEMENT and any(unit.mode is Mode.PREPARED_ASSAULT for unit in party)

    def advance(self, play: Play, frame: Occupying) -> bool:
        """Over when nobody is left who may."""
        if next(self._parties(play.state, frame), None) is not None:
            return False
        play.emit(Closed())
        return True

    def options(self, state: State, frame: Occupying, seat: Seat) -> Node[Action]:  # noqa: ARG002
        """Stacks, units, nobody."""

        def branches() -> Iterator[Branch[Action]]:
            for party in self._parties(state, frame):
                ids = tuple(unit.id for unit in party)
                for to_tac in (False, True) if self._may_stand_down(state, frame, party) else (False,):
                    move = MoveIn(ids, to_tac)
                    key = "+".join(ids) + ("+Tac" if to_tac else "")
                    yield Branch(key, "unit", move.phrase(self.context), Leaf(move), ids[0])
            yield Branch("done", "done", "No more advance", Leaf(StayPut()))

        return Pick(branches)

    def refusal(self, state: State, frame: Occupying, seat: Seat, action: Action) -> Refusal | None:  # noqa: ARG002
        """A stack or a unit that may advance."""
        if isinstance(action, StayPut):
            return None
        assert isinstance(action, MoveIn)  # noqa: S101 - `answers` says so
        for party in self._parties(state, frame):
            if action.units == tuple(unit.id for unit in party):
                if action.to_tac and not self._may_stand_down(state, frame, party):
                    return Refusal("11.7.0", "only in MCT units in PA mode go back to Tac mode", "advance as they are")
                return None
        return Refusal("11.7.0", "they may not advance there", "a stack, or one of its units, that may")

    @rule("11.7.0", "3.5.4")
    def apply(self, play: Play, frame: Occupying, seat: Seat, action: Action) -> None:
        """They advance: a TA marker is gone, PA mode stays; a bridge may break under them (11.7.0, 17.3.2a).

        In a rest game turn it costs who had a TA marker fatigue (3.5.4b).
        """
        if not isinstance(action, MoveIn):
            play.emit(Closed())
            return
        moving = [play.state.units[one] for one in action.units]
        here = moving[0].hex
        assert here is not None  # noqa: S101 - who advances stands beside the hex
        if not heavy_over(play, self.context, moving, here, frame.hex):
            moving = [unit for unit in moving if may_displace(self.context, play.state, unit, here, frame.hex)]
            if not moving:
                return
        ferryman = self._ferryman(play.state, frame, moving[0])
        if ferryman is not None:
            play.emit(Used(Use(FERRIED, ferryman.id), owner=seat))
        ids = tuple(unit.id for unit in moving)
        hidden = hidden_of(self.context, play.state, moving)
        play.emit(MovedIn(seat, ids, frame.hex, hidden, to_tac=action.to_tac or ferryman is not None))
        marked = [unit for unit in moving if unit.is_designated and is_resting(self.context, play.state, unit)]
        tire(play, self.context, [unit.id for unit in marked])
        for one in ids:
            play.emit(Used(Use(ADVANCED, one), owner=seat if one in hidden else Seat("")))
        share_shifts(play, self.context, frame.hex)
