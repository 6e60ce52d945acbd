"""3.0 Sequence of Play: the phases in their order, the questions that there are in them, and what holds at any moment.

Every question is a frame, and all about it stands in its handler. Between any two steps the things are settled that
hold at any moment: DM next to the enemy, Melee, Control, victory at once.
"""

from __future__ import annotations

from typing import Any

from sandtable.core.content.rule import rule
from sandtable.geo.hex import NEIGHBOURS, Hex
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.handler import Handler, PhaseHandler
from sandtable.systems.aslsk.common.hidden import reveal_in_the_open
from sandtable.systems.aslsk.common.known import desperate_neighbours
from sandtable.systems.aslsk.common.stacking import changed_units
from sandtable.systems.aslsk.guns.acquisition import track_targets
from sandtable.systems.aslsk.movement.movement_phase import MovementPhaseHandler, MovingHandler
from sandtable.systems.aslsk.phases.advance_phase import AdvancesHandler
from sandtable.systems.aslsk.phases.close_combat import release
from sandtable.systems.aslsk.phases.close_combat_phase import CloseCombatHandler, CloseCombatsHandler
from sandtable.systems.aslsk.phases.fire_phase import FirePhaseHandler
from sandtable.systems.aslsk.phases.first_fire import FirstFireHandler
from sandtable.systems.aslsk.phases.rally_phase import RallyingHandler
from sandtable.systems.aslsk.phases.rout_phase import RoutingHandler, RoutPhaseHandler
from sandtable.systems.aslsk.pieces.state import Phase, State
from sandtable.systems.aslsk.setup import SettingUpHandler, open_set_up
from sandtable.systems.aslsk.vehicles.crowding import CrowdedHandler
from sandtable.systems.aslsk.vehicles.vehicle_moving import VehicleMovingHandler
from sandtable.systems.aslsk.victory import gain_control, met_now, settle_end

__all__ = ["HANDLERS", "PHASES", "SequenceOfPlay", "settle"]

PHASES: dict[Phase, type[PhaseHandler[Any]]] = {
    Phase.SETUP: SettingUpHandler,
    Phase.RALLY: RallyingHandler,
    Phase.PREP_FIRE: FirePhaseHandler,
    Phase.MOVEMENT: MovementPhaseHandler,
    Phase.DEFENSIVE_FIRE: FirePhaseHandler,
    Phase.ADVANCING_FIRE: FirePhaseHandler,
    Phase.ROUT: RoutPhaseHandler,
    Phase.ADVANCE: AdvancesHandler,
    Phase.CLOSE_COMBAT: CloseCombatsHandler,
}
"""The Sequence of Play: every phase, and the question that it has by itself."""
WINDOWS: tuple[type[Handler[Any]], ...] = (
    MovingHandler,
    VehicleMovingHandler,
    CrowdedHandler,
    FirstFireHandler,
    RoutingHandler,
    CloseCombatHandler,
)
"""The questions inside a phase."""
HANDLERS: tuple[type[Handler[Any]], ...] = (*dict.fromkeys(PHASES.values()), *WINDOWS)

_ORDER = tuple(PHASES)
_SETUP = Phase.SETUP
"""A name is looked up quicker than a member of an enum."""


class SequenceOfPlay:
    """The phases of one game."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._phases = {phase: handler(context) for phase, handler in PHASES.items()}

    def of(self, phase: Phase) -> PhaseHandler[Any]:
        """All about the question of a phase."""
        return self._phases[phase]

    @rule("3.0", "3.9")
    def go_on(self, play: Play) -> None:
        """The phase after the present one; after the CCPh the other side becomes the ATTACKER (3.0, 3.9)."""
        context, state = self._context, play.state
        if state.phase is _SETUP:
            if not open_set_up(context, play):
                play.emit(ev.TurnBegan(1, context.scenario.seats[0]))
                self._begin(play, Phase.RALLY)
            return
        self.of(state.phase).end(play)
        play.emit(ev.PhaseEnded(state.phase))
        if state.phase is not _ORDER[-1]:
            self._begin(play, _ORDER[_ORDER.index(state.phase) + 1])
        elif not settle_end(context, play):
            first = context.scenario.seats[0]
            other = context.other(state.attacker)
            play.emit(ev.TurnBegan(state.turn + (other == first), other))
            self._begin(play, Phase.RALLY)

    def _begin(self, play: Play, phase: Phase) -> None:
        play.emit(ev.PhaseBegan(phase))
        self.of(phase).begin(play)


# --- what holds at any moment -----------------------------------------------------------------------------------


def _unsettled(context: Context, state: State) -> set[Hex | None] | None:
    """Where something has changed since the last settled state that could call for anything, off board too.

    None if that cannot be told hex by hex.
    """
    before = context.memory.settled
    if (
        before is None
        or before.smoke is not state.smoke
        or before.control is not state.control
        or before.vehicles is not state.vehicles
    ):
        return None
    hexes: set[Hex | None] = set()
    if before.units is state.units:
        return hexes
    if len(before.units) != len(state.units):
        return None
    for one, other in changed_units(context.memory, before.units, state.units):
        if (
            (one.hex is not other.hex and one.hex != other.hex)
            or one.broken is not other.broken
            or one.dm is not other.dm
            or one.melee is not other.melee
            or one.place is not other.place
            or one.card != other.card
            or one.reduced is not other.reduced
            or one.away is not other.away
        ):
            hexes.add(one.hex)
            hexes.add(other.hex)
    return hexes


def settle(context: Context, play: Play) -> None:
    """What holds at any moment once both sides have set up."""
    if context.scenario.hiders and play.state.phase is not _SETUP and not play.state.ended:
        reveal_in_the_open(context, play)
    state, before = play.state, context.memory.settled
    if (
        before is not None
        and before.units is state.units
        and before.smoke is state.smoke
        and before.control is state.control
        and before.vehicles is state.vehicles
    ):
        return
    if state.phase is _SETUP or state.ended:
        return
    hexes = _unsettled(context, state)
    if hexes is None or hexes:
        _settle_changes(context, play, hexes)
    if not play.state.ended:
        context.memory.settled = play.state


def _settle_changes(context: Context, play: Play, hexes: set[Hex | None] | None) -> None:
    """Melee, DM next to the enemy, Control, and victory at once; ``hexes`` says where, if that is known."""
    state = play.state
    melee = False
    shaken = []
    for unit in state.units.values():
        if unit.melee:
            melee = True
        if unit.broken and not unit.dm and unit.hex is not None:
            near = hexes is None or unit.hex in hexes or not hexes.isdisjoint(NEIGHBOURS[unit.hex])
            if near:
                shaken.append(unit)
    if melee:
        for hex, left in tuple(release(context, state)):
            play.emit(ev.MeleeHeld(hex, left))
    if shaken:
        desperate_neighbours(context, play, shaken)
    # Those who are released from a Melee may take Control of what they had not.
    if hexes is None or melee or not hexes.isdisjoint(context.scenario.places_at):
        gain_control(context, play)
    track_targets(context, play)
    victory = met_now(context, play.state)
    if victory is not None:
        play.emit(ev.GameEnded(victory.title or f"{victory.side} meets the victory conditions", victory.side))
