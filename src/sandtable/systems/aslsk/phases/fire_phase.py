"""3.2.5 Prep Fire Phase, 3.4 Defensive Fire Phase and 3.5 Advancing Fire Phase: one question, by three rules."""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.core.decision import Node, Seat
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import Action, DestroyWeapon, Done, Fire, FireOrdnance
from sandtable.systems.aslsk.common.context import Play
from sandtable.systems.aslsk.common.handler import PhaseHandler
from sandtable.systems.aslsk.common.hidden import has_hidden, veiled
from sandtable.systems.aslsk.common.vehicle_actions import FireGun, FireVehicle, TurnArc
from sandtable.systems.aslsk.fire.firing_handler import FiringHandler
from sandtable.systems.aslsk.phases.firing import begin_fire_phase, end_fire_phase, refuse_fire, resolve_fire
from sandtable.systems.aslsk.phases.firing_choices import fire_options, has_fire
from sandtable.systems.aslsk.pieces.state import FirePhase, Phase, RallyStep, State

__all__ = ["FirePhaseHandler"]

_TITLES = {
    Phase.PREP_FIRE: ("3.2.5", "Prep Fire"),
    Phase.DEFENSIVE_FIRE: ("3.4", "Defensive Fire: Final Fire"),
    Phase.ADVANCING_FIRE: ("3.5", "Advancing Fire"),
}
_FIRE = Fire | FireOrdnance | FireGun | FireVehicle | TurnArc | DestroyWeapon
"""Made once: a union takes longer to make than to look into."""


class FirePhaseHandler(PhaseHandler[FirePhase], FiringHandler[FirePhase]):
    """3.2, 3.4, 3.5: this player fires; the phase says how."""

    frame = FirePhase
    answers = (Done, Fire, FireGun, FireOrdnance, FireVehicle, TurnArc, DestroyWeapon)

    @rule("3.2.5", "3.4", "3.5")
    def begin(self, play: Play) -> None:
        """The ATTACKER fires in the PFPh and AFPh, the DEFENDER in the DFPh (3.2.5, 3.4, 3.5)."""
        begin_fire_phase(self.context, play)
        play.emit(ev.Opened(self._first(play.state)))

    def part(self, play: Play, player: Seat, step: RallyStep) -> FirePhase:
        """The phase says whose it is."""
        return self._first(play.state)

    def _first(self, state: State) -> FirePhase:
        attacker = state.attacker
        return FirePhase(self.context.other(attacker) if state.phase is Phase.DEFENSIVE_FIRE else attacker)

    def end(self, play: Play) -> None:
        """Charges that were placed go off."""
        end_fire_phase(self.context, play)

    def question(self, state: State, frame: FirePhase) -> Asking:
        """The phase says what the fire is called."""
        number, title = _TITLES[state.phase]
        return Asking(number, title, (frame.player,))

    def options(self, state: State, frame: FirePhase, seat: Seat) -> Node[Action]:
        """All fire that may be declared, or the end of it."""
        return fire_options(self.context, state, frame)

    def refusal(self, state: State, frame: FirePhase, seat: Seat, action: Action) -> Refusal | None:
        """Fire that may not be declared."""
        if isinstance(action, _FIRE):
            return refuse_fire(self.context, state, frame, action)
        return None

    def apply(self, play: Play, frame: FirePhase, seat: Seat, action: Action) -> None:
        """Fire, or no more of it."""
        if isinstance(action, _FIRE):
            resolve_fire(self.context, play, frame, action)
        else:
            self.finish(play, frame)

    def has_choice(self, state: State, frame: FirePhase) -> bool:
        """Anything to fire with, and at; who has somebody hidden is asked anyway, or the question would tell (6.4)."""
        if has_hidden(self.context, state, frame.player):
            return True
        return has_fire(self.context, veiled(self.context, state, frame.player), frame)
