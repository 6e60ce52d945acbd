"""6.6.1.1, 6.6.1.2 Close Assaults and Hand-to-Hand combats that were announced on one target, one after the other.

Each is made from one hex under a primary attacker. Units that move up for it draw overwatch fire before the attack.
"""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch, Leaf, Node, Pick, Seat
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking, Changed, Closed, Opened
from sandtable.systems.panzer import events as ev
from sandtable.systems.panzer.advanced_card import UnitClass
from sandtable.systems.panzer.command.sharing import reveal
from sandtable.systems.panzer.frames import CommandReveal, PrimaryChoice
from sandtable.systems.panzer.hex.actions import Action, NamePrimary
from sandtable.systems.panzer.hex.combat.overwatch import overwatch_at
from sandtable.systems.panzer.hex.handler import Handler, Play
from sandtable.systems.panzer.hex.movement.close_combat.announcing import moving_up
from sandtable.systems.panzer.hex.movement.close_combat.assaults import assault
from sandtable.systems.panzer.hex.movement.close_combat.charges import facts_of, is_able, without_first
from sandtable.systems.panzer.hex.movement.close_combat.moving_in import move_up
from sandtable.systems.panzer.hex.movement.close_combat.roll_offs import fight
from sandtable.systems.panzer.hex.movement.shared_ends import refuse_end_apart
from sandtable.systems.panzer.hex.state import Charge, CloseAttack, State, Unit
from sandtable.systems.panzer.unit import MOVING_COMMANDS, Spot

__all__ = ["CloseAttackHandler", "PrimaryChoiceHandler"]

_BOOK = ("panzer-na",)


class CloseAttackHandler(Handler[CloseAttack]):
    """6.6.1.1, 6.6.1.2: announced attacks go on by themselves."""

    frame = CloseAttack

    def advance(self, play: Play, frame: CloseAttack) -> bool:
        """The next attack: its units show themselves, move up under fire, and strike (6.6.1.1)."""
        state = play.state
        target = state.units[frame.target]
        if not frame.charges or not target.in_play:
            play.emit(Closed())
            return True
        charge = frame.charges[0]
        if not frame.led:
            units = [one for other in frame.charges for one in other.units if is_able(state.units[one])]
            asked = len(units) > 1
            play.emit(Opened(PrimaryChoice(tuple(units))) if asked else Changed(replace(frame, led=True)))
            return True
        if not frame.begun:
            self._begin(play, frame, charge)
            return True
        ready = [one for one in charge.units if _is_ready(state.units[one], charge)]
        facts = facts_of(self.context, target)
        if not ready:
            play.emit(Changed(without_first(frame)))
        elif charge.units[0] not in ready and len(ready) > 1:
            play.emit(Opened(PrimaryChoice(tuple(ready))))
        elif facts.unit_class is not UnitClass.VEHICLE:
            fight(self.context, play, frame, ready)
        elif frame.moving is None and target.known:
            play.emit(Changed(replace(frame, moving=target.command in MOVING_COMMANDS)))
        elif frame.moving is None:
            play.emit(Opened(CommandReveal(frame.target)))
        else:
            assault(self.context, play, frame, ready)
        return True

    @rule("6.6.1.1", "6.6.1.2", "6.6.11", editions=_BOOK)
    def _begin(self, play: Play, frame: CloseAttack, charge: Charge) -> None:
        """Commands are turned over and SPOT/MOVE marked; only who moves up draws overwatch fire (6.6.1.1).

        Whoever was suppressed, can no longer move up or would end out of Command Range of those who share his command
        does not attack, and may move later (6.6.11).
        """
        up = []
        for unit_id in charge.units:
            unit = play.state.units[unit_id]
            comes = unit.hex != charge.hex
            if not is_able(unit) or (comes and moving_up(self.context, play.state, unit, charge.hex) is None):
                continue
            if refuse_end_apart(self.context, play.state, unit, charge.hex) is not None:
                continue
            reveal(play, unit_id)
            play.emit(ev.SpotMarked(unit_id, Spot.MOVE))
            if comes:
                up.append(unit_id)
                move_up(self.context, play, unit_id, charge.hex)
            play.emit(ev.MoveEnded(unit_id))
        begun = replace(charge, advanced=tuple(up))
        play.emit(Changed(replace(frame, charges=(begun, *frame.charges[1:]), begun=True)))
        up = [one for one in up if play.state.units[one].in_play]
        if up:
            watch = overwatch_at(self.context, play.state, self.context.other(play.state.units[up[0]].side), tuple(up))
            if watch is not None:
                play.emit(Opened(watch))


def _is_ready(unit: Unit, charge: Charge) -> bool:
    """Whether it has begun to attack, and can still do so from where the others do."""
    return is_able(unit) and unit.moved and unit.hex == charge.hex


class PrimaryChoiceHandler(Handler[PrimaryChoice]):
    """6.6.1.1, 6.6.1.2.3: which attack is the next, and who leads it; who leads a Hand-to-Hand combat on."""

    frame = PrimaryChoice
    answers = (NamePrimary,)

    def question(self, state: State, frame: PrimaryChoice) -> Asking:
        """The attackers' owner."""
        return Asking("6.6.1.1", "Name the primary attacker", (state.units[frame.attackers[0]].side,))

    def options(self, state: State, frame: PrimaryChoice, seat: Seat) -> Node[Action]:
        """One of those that are left."""
        return Pick(lambda: [Branch(one, "unit", one, Leaf(NamePrimary(one)), one) for one in frame.attackers])

    def refusal(self, state: State, frame: PrimaryChoice, seat: Seat, action: Action) -> Refusal | None:
        """Somebody else."""
        assert isinstance(action, NamePrimary)  # noqa: S101 - the only answer
        if action.unit not in frame.attackers:
            return Refusal("6.6.1.2.3", f"{action.unit!r} does not attack", f"one of {', '.join(frame.attackers)}")
        return None

    @rule("6.6.1.1", "6.6.1.2", "6.6.1.2.3", editions=_BOOK)
    def apply(self, play: Play, frame: PrimaryChoice, seat: Seat, action: Action) -> None:
        """His attack is the next one, under him: attacks from several hexes are resolved in any order (6.6.1.1)."""
        assert isinstance(action, NamePrimary)  # noqa: S101 - the only answer
        play.emit(Closed())
        attack = play.state.stack[-1]
        assert isinstance(attack, CloseAttack)  # noqa: S101 - it is asked inside one only
        chosen = next(charge for charge in attack.charges if action.unit in charge.units)
        units = (action.unit, *(one for one in chosen.units if one != action.unit))
        others = (charge for charge in attack.charges if charge is not chosen)
        play.emit(Changed(replace(attack, charges=(replace(chosen, units=units), *others), led=True)))
