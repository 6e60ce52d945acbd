"""4.5.1.1 A vehicle on its way: it goes turn by turn and hex by hex, and the opponent may fire on it after each.

The opponent sees what was executed only (4.5, 4.5.1.1.4). A vehicle that draws fire and survives is asked anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from msgspec.structs import replace

from sandtable.core.decision import Branch, Node, Seat
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking, Changed
from sandtable.systems.panzer.hex.actions import (
    Action,
    BailOut,
    Continue,
    DismountAttack,
    Load,
    LoadGun,
    UnloadGun,
)
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.handler import Handler, Play
from sandtable.systems.panzer.hex.movement.boarding import bail_out_branch, load_branch, may_board
from sandtable.systems.panzer.hex.movement.close_combat.dismount_attacks import (
    dismount_attack,
    dismount_attacks,
    refuse_dismount_attack,
)
from sandtable.systems.panzer.hex.movement.move_path import MoveOr, MovePath
from sandtable.systems.panzer.hex.movement.movement import refuse_move
from sandtable.systems.panzer.hex.movement.mover import Mover
from sandtable.systems.panzer.hex.movement.out_of_reach import out_of_reach
from sandtable.systems.panzer.hex.movement.overrunning import (
    overrun_onward,
    refuse_way_on,
)
from sandtable.systems.panzer.hex.movement.portee import gun_branches, refuse_gun, shift_gun
from sandtable.systems.panzer.hex.movement.transporting import (
    after_loading,
    bail_out,
    load,
    refuse_bailing,
    refuse_loading,
)
from sandtable.systems.panzer.hex.movement.under_way import advance_moving
from sandtable.systems.panzer.hex.state import Leg, Moving, State

__all__ = ["MovingHandler"]


def _on_the_way(context: Context, state: State, frame: Moving) -> Iterator[Branch[Action]]:
    """What the owner of a vehicle on its way may do besides going on: take passengers on and off, overrun, bail out."""
    carrier = state.units[frame.unit]
    board = load_branch(context, state, carrier, frame.progress)
    if board is not None:
        yield board
    yield from gun_branches(context, state, carrier, frame.progress)
    yield from dismount_attacks(context, state, carrier, frame.progress)
    yield from overrun_onward(context, state, Mover(context, state, carrier), frame)
    bail = bail_out_branch(context, state, carrier)
    if bail is not None:
        yield bail


class MovingHandler(Handler[Moving]):
    """4.5.1.1: a vehicle on its way. What it has still to go is known to its owner alone."""

    frame = Moving
    answers = (Continue, Load, UnloadGun, LoadGun, DismountAttack, BailOut)

    def question(self, state: State, frame: Moving) -> Asking:
        """The owner, after drawing fire."""
        return Asking("4.5.1.1", "Go on with the move", (state.units[frame.unit].side,))

    def options(self, state: State, frame: Moving, seat: Seat) -> Node[Action]:
        """How to go on (4.5.1.1)."""
        carrier, path = state.units[frame.unit], MovePath(self.context, state, frame.unit, frame.progress)
        if (
            carrier.markers.passengers
            or frame.overrun
            or (self.context.is_advanced and may_board(self.context, state, carrier, frame.progress))
        ):
            deeds = partial(_on_the_way, self.context, state, frame)
            return MoveOr(path, "mount, dismount, overrun or bail out…", deeds)
        return path

    def why_not(
        self, state: State, frame: Moving, seat: Seat, keys: Sequence[str], ref: str, *, is_hex: bool
    ) -> Refusal | None:
        """A hex that it does not get to."""
        return out_of_reach(self.context, state, frame.unit, ref, is_hex=is_hex)

    def refusal(self, state: State, frame: Moving, seat: Seat, action: Action) -> Refusal | None:
        """Why the vehicle may not go on like this (4.5.1.1)."""
        if not isinstance(action, Continue) and not self.context.is_advanced:
            return Refusal("6.6.7", "the Basic Game has no transport", "go on with the move")
        if isinstance(action, UnloadGun | LoadGun):
            if action.unit != frame.unit:
                return Refusal("5.2.1", f"{frame.unit} is on its way, not {action.unit}", f"go on with {frame.unit}")
            return refuse_gun(self.context, state, action, frame.progress)
        if isinstance(action, Load | DismountAttack):
            if action.carrier != frame.unit:
                return Refusal(
                    "6.6.7.1.1", f"{frame.unit} is on its way, not {action.carrier}", f"go on with {frame.unit}"
                )
            if isinstance(action, DismountAttack):
                return refuse_dismount_attack(self.context, state, action, frame.progress)
            return refuse_loading(self.context, state, action, frame.progress)
        if isinstance(action, BailOut):
            return refuse_bailing(self.context, state, state.units[frame.unit], action)
        assert isinstance(action, Continue)  # noqa: S101 - the only other answer
        if frame.overrun and self._leads_to_target(state, frame, action.legs):
            return None
        return refuse_move(self.context, state, frame.unit, action.legs, progress=frame.progress)

    def apply(self, play: Play, frame: Moving, seat: Seat, action: Action) -> None:
        """Go on after drawing fire, take passengers on or off, or end the move here (4.5.1.1)."""
        if isinstance(action, Load | UnloadGun | LoadGun):
            if isinstance(action, Load):
                progress = load(self.context, play, action, frame.progress, frame.struck)
            else:
                progress = shift_gun(self.context, play, action, frame.progress)
            assert progress is not None  # noqa: S101 - it was checked
            play.emit(Changed(replace(frame, progress=progress)))
            return
        if isinstance(action, DismountAttack):
            play.emit(Changed(replace(frame, interrupted=True)))
            progress = after_loading(self.context, play.state, play.state.units[frame.unit], frame.progress)
            assert progress is not None  # noqa: S101 - it was checked
            play.emit(Changed(replace(frame, progress=progress)))
            dismount_attack(self.context, play, action, frame.progress, frame.struck)
            return
        if isinstance(action, BailOut):
            bail_out(self.context, play, play.state.units[frame.unit], action)
            return
        assert isinstance(action, Continue)  # noqa: S101 - the only other answer
        settled = self.context.is_advanced and not action.legs
        play.emit(Changed(replace(frame, plan=action.legs, interrupted=False, settled=settled)))

    def _leads_to_target(self, state: State, frame: Moving, legs: Sequence[Leg]) -> bool:
        """Whether the way on is that into the hex of the Overrun's target."""
        target, mover = state.units[frame.overrun], Mover(self.context, state, state.units[frame.unit])
        return target.in_play and refuse_way_on(self.context, mover, frame, legs, target) is None

    def advance(self, play: Play, frame: Moving) -> bool:
        """The next thing that the vehicle does, or the opponent's chance to fire."""
        return advance_moving(self.context, play, frame)

    def conceal(self, frame: Moving, seat: Seat | None) -> Moving:
        """The way ahead is the owner's secret."""
        if not frame.plan or self._owner(frame) == seat:
            return frame
        return replace(frame, plan=())

    def may_hide(self, frame: Moving, holder: Seat) -> bool:
        """A vehicle on its way may be going on."""
        return self._owner(frame) == holder

    def _owner(self, frame: Moving) -> Seat:
        """Vehicles never change sides."""
        return self.context.scenario.units[frame.unit].side
