"""3.1 Rally Phase: its steps, the ATTACKER's part and the DEFENDER's."""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.core.decision import Node, Seat
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking
from sandtable.systems.aslsk.armour.recuperation import recuperate
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import (
    Action,
    Done,
    KeepDesperation,
    Rally,
    RecoverWeapon,
    RepairWeapon,
    SelfRally,
    TransferWeapon,
)
from sandtable.systems.aslsk.common.context import Play
from sandtable.systems.aslsk.common.handler import PhaseHandler
from sandtable.systems.aslsk.common.vehicle_actions import RepairVehicleGun
from sandtable.systems.aslsk.phases.rally import (
    apply_rally_step,
    has_rally_step,
    lift_desperation,
    rally_options,
    refuse_rally_step,
)
from sandtable.systems.aslsk.pieces.state import Rallying, RallyStep, State, Whereabouts
from sandtable.systems.aslsk.vehicles.vehicle_events import VehiclesArrived

__all__ = ["RallyingHandler"]

_STEPS = tuple(RallyStep)
_UNIT_RALLY, _DM_REMOVAL, _DUE_LATER = RallyStep.UNIT_RALLY, RallyStep.DM_REMOVAL, Whereabouts.DUE_LATER
"""Names are looked up quicker than members of enums."""
_TITLES = {
    RallyStep.RECOVERY: "Recover unpossessed weapons",
    RallyStep.REPAIR: "Repair malfunctioned weapons",
    RallyStep.TRANSFER: "Transfer weapons",
    RallyStep.SELF_RALLY: "Self rally",
    RallyStep.UNIT_RALLY: "Rally broken units",
    RallyStep.DM_REMOVAL: "Keep DM on any unit?",
}


class RallyingHandler(PhaseHandler[Rallying]):
    """3.1: this side's part of a step of the RPh."""

    frame = Rallying
    answers = (Done, RecoverWeapon, RepairWeapon, RepairVehicleGun, TransferWeapon, SelfRally, Rally, KeepDesperation)

    @rule("3.1")
    def begin(self, play: Play) -> None:
        """Reinforcements of the ATTACKER are set up off board, then the steps of the RPh follow (3.1 a)."""
        attacker = play.state.attacker
        due = tuple(
            unit.id
            for unit in play.state.units.values()
            if unit.side == attacker and unit.place is _DUE_LATER and unit.turn <= play.state.turn
        )
        if due:
            play.emit(ev.ReinforcementsArrived(due))
        vehicles = tuple(
            vehicle.id
            for vehicle in play.state.vehicles.values()
            if vehicle.side == attacker and vehicle.place is _DUE_LATER and vehicle.turn <= play.state.turn
        )
        if vehicles:
            play.emit(VehiclesArrived(vehicles))
        play.emit(ev.Opened(Rallying(attacker, _STEPS[0])))

    def part(self, play: Play, player: Seat, step: RallyStep) -> Rallying:
        """Either side's, in any step."""
        return Rallying(player, step, defending=player != play.state.attacker)

    def question(self, state: State, frame: Rallying) -> Asking:
        """The step says what."""
        return Asking("3.1", _TITLES[frame.step], (frame.seat,))

    def options(self, state: State, frame: Rallying, seat: Seat) -> Node[Action]:
        """What may be done in the step."""
        return rally_options(self.context, state, frame)

    def is_answer(self, frame: Rallying, action: Action) -> bool:
        """Whoever does something else is told where the RPh is."""
        return True

    def refusal(self, state: State, frame: Rallying, seat: Seat, action: Action) -> Refusal | None:
        """The steps are taken in order."""
        return refuse_rally_step(self.context, state, frame, action)

    def apply(self, play: Play, frame: Rallying, seat: Seat, action: Action) -> None:
        """Recovery, repair, transfer, rally, or what becomes of DM."""
        if isinstance(action, Done):
            self.finish(play, frame)
        else:
            apply_rally_step(self.context, play, frame, action)

    def has_choice(self, state: State, frame: Rallying) -> bool:
        """Somebody whom the step is for; about DM it is said only once."""
        return not frame.answered and has_rally_step(self.context, state, frame)

    @rule("3.1")
    def finish(self, play: Play, frame: Rallying) -> None:
        """ATTACKER first in every step, then the DEFENDER, then the next step; Shock before markers go (3.1)."""
        if frame.step is _DM_REMOVAL:
            lift_desperation(self.context, play, frame)
        if not frame.defending:
            play.emit(ev.Changed(Rallying(self.context.other(frame.seat), frame.step, defending=True)))
            return
        if frame.step is _UNIT_RALLY:
            recuperate(self.context, play)
        following = _STEPS.index(frame.step) + 1
        if following == len(_STEPS):
            play.emit(ev.Closed())
        else:
            play.emit(ev.Changed(Rallying(play.state.attacker, _STEPS[following])))
