"""5.1.2, 10.2.0 Tactical Assault designation: who of those in Tac mode attacks."""

from __future__ import annotations

from types import MappingProxyType

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Node, Seat
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking, Closed, Opened
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.handler import Action, Fact, Frame, Play, SegmentHandler
from sandtable.systems.goss.common.state import State, with_units
from sandtable.systems.goss.modes.choosing import marks, unlisted
from sandtable.systems.goss.pieces.proficiency import may_join_assault
from sandtable.systems.goss.pieces.unit import Mode, Unit, UnitId
from sandtable.systems.goss.turn.segments import Step

__all__ = ["AssaultChoice", "AssaultDesignated", "DesignateAssault", "DesignationHandler"]

_WORN_OUT = 2


class AssaultChoice(Frame, frozen=True):
    """The tactical assaults of a side."""

    player: Seat


class DesignateAssault(Action, frozen=True):
    """Who gets a TA marker."""

    units: tuple[UnitId, ...] = ()

    def phrase(self, context: Context) -> str:
        """It in a phrase."""
        return f"Tactical Assault: {'; '.join(map(context.title, self.units)) or 'nobody'}"

    def is_secret(self) -> bool:
        """The enemy sees the markers on the stacks."""
        return True


class AssaultDesignated(Fact, frozen=True):
    """Units were attack designated; the enemy sees the markers on what he sees (5.1.2)."""

    side: Seat
    units: tuple[UnitId, ...] = ()

    def sentence(self, context: Context) -> str:
        """Who."""
        return f"Tactical Assault: {'; '.join(map(context.title, self.units)) or 'nobody'}."

    def known_to(self, seat: Seat | None) -> Fact | None:
        """The owner knows it."""
        return self if seat == self.side else None


def _designated(state: State, event: AssaultDesignated) -> State:
    return with_units(state, *(replace(state.units[one], is_designated=True) for one in event.units))


@rule("5.1.2", "10.2.0")
def may_assault(context: Context, state: State, unit: Unit) -> bool:
    """Whether a unit may be given a TA marker: in Tac mode, no reserve, fit to attack, next to an enemy (5.1.2).

    Away from enemies a marker would do nothing but harm, and it goes in the adjustment (12.1.0; ruling B-25).
    """
    if unit.hex is None or unit.mode is not Mode.TAC or unit.in_reserve or unit.fatigue >= _WORN_OUT:
        return False
    if not may_join_assault(context.card(unit)):
        return False
    return context.deployment(state).is_adjacent(unit.hex, context.other(unit.side))


class DesignationHandler(SegmentHandler[AssaultChoice]):
    """3.3.2e, 10.2.0: the first segment of a Combat Phase; nobody has to attack."""

    frame, answers, step = AssaultChoice, (DesignateAssault,), Step.TACTICAL_ASSAULT
    folds = MappingProxyType({AssaultDesignated: _designated})

    def begin(self, play: Play, player: Seat) -> None:
        """Asked of who has anybody to attack with."""
        if self._units(play.state, player):
            play.emit(Opened(AssaultChoice(player)))

    def question(self, state: State, frame: AssaultChoice) -> Asking:  # noqa: ARG002
        """The side whose turn it is."""
        return Asking("10.2.0", "Designate tactical assaults", (frame.player,))

    def _units(self, state: State, seat: Seat) -> tuple[Unit, ...]:
        mine = (unit for unit in state.units.values() if unit.side == seat)
        return tuple(unit for unit in mine if may_assault(self.context, state, unit))

    def options(self, state: State, frame: AssaultChoice, seat: Seat) -> Node[Action]:  # noqa: ARG002
        """A marker or none for everybody who may have one."""
        units = self._units(state, seat)
        return marks(self.context, units, "TA", lambda unit: unit.is_designated, DesignateAssault)

    def refusal(self, state: State, frame: AssaultChoice, seat: Seat, action: Action) -> Refusal | None:  # noqa: ARG002
        """Of units that may attack."""
        assert isinstance(action, DesignateAssault)  # noqa: S101 - `answers` says so
        wrong = Refusal("5.1.2", "not all of them may be designated", "units in Tac mode next to an enemy")
        return unlisted(action.units, self._units(state, seat), wrong)

    def apply(self, play: Play, frame: AssaultChoice, seat: Seat, action: Action) -> None:  # noqa: ARG002
        """Put the markers down."""
        assert isinstance(action, DesignateAssault)  # noqa: S101 - `answers` says so
        play.emit(AssaultDesignated(seat, action.units))
        play.emit(Closed())
