"""5.8.0 Combat Reserve: who is held back to be thrown into an assault."""

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
from sandtable.systems.goss.movement.marching import MovesCleared
from sandtable.systems.goss.pieces.card import Size, Trait
from sandtable.systems.goss.pieces.unit import Mode, Supply, Unit, UnitId
from sandtable.systems.goss.turn.segments import Step

__all__ = ["DesignateReserves", "ReserveChoice", "ReserveHandler", "ReservesSet"]

_STEPS = 2


class ReserveChoice(Frame, frozen=True):
    """The Combat Reserve of a side."""

    player: Seat


class DesignateReserves(Action, frozen=True):
    """Who is in Combat Reserve; all others are not."""

    units: tuple[UnitId, ...] = ()

    def phrase(self, context: Context) -> str:
        """It in a phrase."""
        return f"Combat Reserve: {'; '.join(map(context.title, self.units)) or 'nobody'}"

    def is_secret(self) -> bool:
        """The enemy sees the markers on what he sees."""
        return True


class ReservesSet(Fact, frozen=True):
    """A side's Combat Reserve changed; the enemy sees the markers on what he sees (5.8.0)."""

    side: Seat
    marked: tuple[UnitId, ...] = ()
    freed: tuple[UnitId, ...] = ()

    def sentence(self, context: Context) -> str:
        """Who."""
        told = (("Combat Reserve", self.marked), ("No longer in reserve", self.freed))
        return " ".join(f"{what}: {'; '.join(map(context.title, units))}." for what, units in told if units)

    def known_to(self, seat: Seat | None) -> Fact | None:
        """The owner knows it."""
        return self if seat == self.side else None


def _set(state: State, event: ReservesSet) -> State:
    units = state.units
    return with_units(
        state,
        *(replace(units[one], in_reserve=True) for one in event.marked),
        *(replace(units[one], in_reserve=False) for one in event.freed),
    )


@rule("5.8.0", "5.1.3", "14.2.0")
def may_be_reserve(context: Context, state: State, unit: Unit) -> bool:
    """Whether a unit may be held back: a fit personnel battalion in Tac mode, away from the enemy (5.8.0)."""
    card = context.card(unit)
    if unit.hex is None or unit.mode is not Mode.TAC or card.size is not Size.BATTALION or unit.steps < _STEPS:
        return False
    if not card.has(Trait.PERSONNEL) or card.has(Trait.REAR_ECHELON):
        return False
    if unit.supply is Supply.OUT or unit.is_out_of_command or unit.fatigue:
        return False
    return not context.deployment(state).is_adjacent(unit.hex, context.other(unit.side))


def _may_stay(unit: Unit) -> bool:
    return unit.in_reserve and unit.hex is not None and unit.mode is Mode.TAC


class ReserveHandler(SegmentHandler[ReserveChoice]):
    """3.3.2c, 5.8.0: the first segment of a Movement Phase."""

    frame, answers, step = ReserveChoice, (DesignateReserves,), Step.RESERVE
    folds = MappingProxyType({ReservesSet: _set})

    @rule("5.8.0")
    def begin(self, play: Play, player: Seat) -> None:
        """Reserves next to an enemy are reserves no more (5.8.0); asked of who has anybody to hold back."""
        play.emit(MovesCleared(player))
        context, state = self.context, play.state
        mine = [unit for unit in state.units.values() if unit.side == player and unit.hex is not None]
        freed = tuple(unit.id for unit in mine if unit.in_reserve and self._is_in_contact(state, unit))
        if freed:
            play.emit(ReservesSet(player, freed=freed))
        if any(unit.in_reserve or may_be_reserve(context, state, unit) for unit in mine):
            play.emit(Opened(ReserveChoice(player)))

    def _is_in_contact(self, state: State, unit: Unit) -> bool:
        foe = self.context.other(unit.side)
        return unit.hex is not None and self.context.deployment(state).is_adjacent(unit.hex, foe)

    def question(self, state: State, frame: ReserveChoice) -> Asking:  # noqa: ARG002
        """The side whose turn it is."""
        return Asking("5.8.0", "Choose the Combat Reserve", (frame.player,))

    @rule("5.8.0")
    def _units(self, state: State, seat: Seat) -> tuple[Unit, ...]:
        """Who may be held back, and who is: tired or cut off, he enters no reserve, but stays in it (5.8.0)."""
        mine = (unit for unit in state.units.values() if unit.side == seat)
        return tuple(unit for unit in mine if _may_stay(unit) or may_be_reserve(self.context, state, unit))

    def options(self, state: State, frame: ReserveChoice, seat: Seat) -> Node[Action]:  # noqa: ARG002
        """A marker or none for everybody who may have one; all stay as they are if they are left alone."""
        units = self._units(state, seat)
        return marks(self.context, units, "CR", lambda unit: unit.in_reserve, DesignateReserves)

    def refusal(self, state: State, frame: ReserveChoice, seat: Seat, action: Action) -> Refusal | None:  # noqa: ARG002
        """Of units that may be in reserve."""
        assert isinstance(action, DesignateReserves)  # noqa: S101 - `answers` says so
        wrong = Refusal("5.8.0", "not all of them may be held back", "fit personnel battalions away from enemies")
        return unlisted(action.units, self._units(state, seat), wrong)

    def apply(self, play: Play, frame: ReserveChoice, seat: Seat, action: Action) -> None:  # noqa: ARG002
        """Put the markers down, and take the others off."""
        assert isinstance(action, DesignateReserves)  # noqa: S101 - `answers` says so
        chosen = set(action.units)
        mine = [unit for unit in play.state.units.values() if unit.side == seat]
        marked = tuple(unit.id for unit in mine if unit.id in chosen and not unit.in_reserve)
        freed = tuple(unit.id for unit in mine if unit.in_reserve and unit.id not in chosen)
        play.emit(ReservesSet(seat, marked, freed))
        play.emit(Closed())
