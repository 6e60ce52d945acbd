"""14.3 Recovery from fatigue: who neither moved nor fought, and whom no enemy sees, rests a hit off."""

from __future__ import annotations

from types import MappingProxyType

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.facts import Tired
from sandtable.systems.goss.common.fog import owner_if_hidden
from sandtable.systems.goss.common.handler import Fact, Frame, Play, SegmentHandler
from sandtable.systems.goss.common.state import State, with_units
from sandtable.systems.goss.observation.observing import is_observed
from sandtable.systems.goss.pieces.card import MovementClass
from sandtable.systems.goss.pieces.unit import Mode, Unit
from sandtable.systems.goss.turn.segments import Step

__all__ = ["FatigueRecovery", "FatigueRecoveryHandler", "recovers"]


class FatigueRecovery(Frame, frozen=True):
    """Nobody is asked: whoever may recover does."""


class FightsForgotten(Fact, frozen=True):
    """The fights of a player turn count no more (14.3.0)."""

    side: Seat


def _forgotten(state: State, event: FightsForgotten) -> State:
    fought = (unit for unit in state.units.values() if unit.side == event.side and unit.has_fought)
    return with_units(state, *(replace(unit, has_fought=False) for unit in fought))


@rule("14.3.0", "5.1.3")
def recovers(context: Context, state: State, unit: Unit) -> bool:
    """Whether a unit recovers a fatigue hit (14.3.0); in Tac mode only (5.1.3)."""
    if not unit.fatigue or unit.hex is None or unit.has_moved or unit.has_fought or unit.mode is not Mode.TAC:
        return False
    is_mech = context.card(unit).movement is MovementClass.MECH
    if is_mech and context.deployment(state).is_adjacent(unit.hex, context.other(unit.side)):
        return False
    return not is_observed(context, state, unit)


class FatigueRecoveryHandler(SegmentHandler[FatigueRecovery]):
    """14.3.0 One hit in the Administrative Phase of the own player turn."""

    frame, step = FatigueRecovery, Step.FATIGUE_RECOVERY
    folds = MappingProxyType({FightsForgotten: _forgotten})

    @rule("14.3.0")
    def begin(self, play: Play, player: Seat) -> None:
        """Everybody of the active side who may."""
        state = play.state
        for unit in [one for one in state.units.values() if one.side == player]:
            if recovers(self.context, state, unit):
                owner = owner_if_hidden(self.context, state, unit.id)
                play.emit(Tired(unit.id, unit.fatigue - 1, owner=owner))
        if any(unit.has_fought for unit in play.state.units.values() if unit.side == player):
            play.emit(FightsForgotten(player))
