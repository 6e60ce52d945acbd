"""13.11 Retreats: a stack goes hex by hex, loses a step beside the enemy, and leaves behind who can go no further."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch, Leaf, Node, Pick, Seat
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking, Changed, Closed
from sandtable.geo.hex import NEIGHBOURS, Hex
from sandtable.systems.goss.assault.frames import Retreat, Suffering
from sandtable.systems.goss.assault.paths import choices, limit_of, must_stop, open_hexes
from sandtable.systems.goss.assault.position import is_mct
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.facts import LeftBattery, Sheltered, UnitsPlaced
from sandtable.systems.goss.common.fog import hidden_of, owner_if_hidden
from sandtable.systems.goss.common.handler import Action, Handler, Play
from sandtable.systems.goss.common.harm import living, lose_step
from sandtable.systems.goss.common.state import State
from sandtable.systems.goss.common.weak_bridges import heavy_over
from sandtable.systems.goss.pieces.card import Size, Trait
from sandtable.systems.goss.pieces.steps import size_of
from sandtable.systems.goss.pieces.unit import Unit, UnitId

__all__ = ["PayStep", "RetreatHandler", "RetreatTo", "StopRetreat", "WithdrawIntoWorks"]


class RetreatTo(Action, frozen=True):
    """Retreat into a hex."""

    hex: Hex

    def phrase(self, context: Context) -> str:
        """It in a phrase."""
        return f"retreat to {context.label(self.hex)}"


class StopRetreat(Action, frozen=True):
    """Retreat no further."""

    def phrase(self, context: Context) -> str:  # noqa: ARG002
        """It in a phrase."""
        return "retreat no further"


class WithdrawIntoWorks(Action, frozen=True):
    """Attackers withdraw into the works of their hex instead (13.10.4)."""

    def phrase(self, context: Context) -> str:  # noqa: ARG002
        """It in a phrase."""
        return "withdraw into the works"


class PayStep(Action, frozen=True):
    """A unit loses the step that the way past the enemy costs."""

    unit: UnitId

    def phrase(self, context: Context) -> str:
        """It in a phrase."""
        return f"{context.title(self.unit)} loses a step"


def _here(state: State, frame: Retreat) -> list[Unit]:
    """Those of the stack who have come as far as the retreat has."""
    return [unit for unit in living(state, frame.units) if unit.hex == frame.way.at]


class RetreatHandler(Handler[Retreat]):
    """13.11.0 The owner retreats his stack, as far as it must and can."""

    frame, answers = Retreat, (RetreatTo, StopRetreat, WithdrawIntoWorks, PayStep)

    def question(self, state: State, frame: Retreat) -> Asking:  # noqa: ARG002
        """The owner."""
        if frame.owes:
            return Asking("13.11.3", "Choose the unit that loses a step", (frame.player,))
        return Asking("13.11.0", "Choose the hex to retreat into", (frame.player,))

    def _going(self, state: State, frame: Retreat) -> list[Unit]:
        """Who can go on."""
        gone = len(frame.way.path)
        return [
            unit
            for unit in _here(state, frame)
            if unit.id not in frame.stopped
            and limit_of(self.context, state, unit, is_attacker=frame.is_attacker) > gone
        ]

    def _payers(self, state: State, frame: Retreat) -> list[UnitId]:
        """Who may lose the step: no Z-step beside others (13.11.3)."""
        here = _here(state, frame)
        larger = [unit for unit in here if size_of(self.context.card(unit), unit.steps) is not Size.Z_STEP]
        return [unit.id for unit in larger or here]

    @rule("13.11.0", "13.11.1", "13.10.4a")
    def advance(self, play: Play, frame: Retreat) -> bool:
        """Go on where there is no choice, and end where nobody can."""
        if frame.owes:
            payers = self._payers(play.state, frame)
            if len(payers) > 1:
                return False
            play.emit(Changed(replace(frame, owes=False)))
            for payer in payers:
                lose_step(play, self.context, payer)
            return True
        going = self._going(play.state, frame)
        if frame.may_shelter and not frame.way.path:
            return False
        if len(frame.way.path) >= frame.goal or not going:
            self._finish(play, frame)
            return True
        hexes = choices(self.context, play.state, going, frame.way, self._goals(play.state, frame, going))
        if not hexes:
            play.emit(Changed(replace(frame, stopped=(*frame.stopped, *self._stuck(play.state, frame, going)))))
            return True
        if len(hexes) > 1 or (frame.may_stop and frame.way.path):
            return False
        self._move(play, frame, hexes[0])
        return True

    @rule("13.10.4a", "13.10.4c")
    def _goals(self, state: State, frame: Retreat, going: Sequence[Unit]) -> list[tuple[Sequence[Unit], int]]:
        """Hexes that those who go on have still to go: as far as all may, then those who may go further (13.10.4a).

        None where the owner may stop.
        """
        if frame.may_stop:
            return []
        limits = {unit.id: limit_of(self.context, state, unit, is_attacker=frame.is_attacker) for unit in going}
        found: list[tuple[Sequence[Unit], int]] = []
        for most in sorted(set(limits.values())):
            some = [unit for unit in going if limits[unit.id] >= most]
            found.append((some, min(frame.goal, most) - len(frame.way.path)))
        return found

    def _stuck(self, state: State, frame: Retreat, going: Sequence[Unit]) -> tuple[UnitId, ...]:
        """Who stays behind where not all can go the same way: those without any, else all but the first with his."""
        stuck = [unit.id for unit in going if not open_hexes(self.context, state, [unit], frame.way)]
        if stuck:
            return tuple(stuck)
        first = going[0]
        return tuple(
            unit.id for unit in going[1:] if not open_hexes(self.context, state, [first, unit], frame.way)
        ) or tuple(unit.id for unit in going[1:])

    def _move(self, play: Play, frame: Retreat, hex: Hex) -> None:
        """One hex: bridges, guns that leave their battery, who must stop, and the step beside the enemy."""
        here = frame.way.at
        going = self._going(play.state, frame)
        heavy = [unit for unit in going if self.context.card(unit).weight]
        if heavy and not heavy_over(play, self.context, heavy, here, hex):
            play.emit(Changed(replace(frame, stopped=(*frame.stopped, *(unit.id for unit in heavy)))))
            return
        for unit in going:
            card = self.context.card(unit)
            if frame.way.path and unit.in_battery and not card.has(Trait.SELF_PROPELLED):
                play.emit(LeftBattery(unit.id, owner=owner_if_hidden(self.context, play.state, unit.id)))
        hidden = hidden_of(self.context, play.state, going)
        play.emit(UnitsPlaced(going[0].side, tuple(unit.id for unit in going), hex, hidden))
        halted = [unit.id for unit in going if must_stop(self.context, play.state, unit, here, hex)]
        owes = self._costs_step(play.state, hex, frame.player)
        play.emit(Changed(replace(frame, way=frame.way.on(hex), stopped=(*frame.stopped, *halted), owes=owes)))

    @rule("13.11.3")
    def _costs_step(self, state: State, hex: Hex, side: Seat) -> bool:
        """Whether an enemy who can fight stands beside a hex without MCT (13.11.3)."""
        enemy = self.context.other(side)
        if is_mct(self.context, state, hex, enemy):
            return False
        deployment = self.context.deployment(state)
        return any(
            unit.side == enemy and self._can_harm(unit) for near in NEIGHBOURS[hex] for unit in deployment.at(near)
        )

    def _can_harm(self, unit: Unit) -> bool:
        card = self.context.card(unit)
        is_idle = card.is_artillery and not unit.in_battery
        is_z = size_of(card, unit.steps) is Size.Z_STEP
        return not (card.is_headquarters or is_idle or is_z or unit.shifts)

    def _finish(self, play: Play, frame: Retreat, *, is_sheltered: bool = False) -> None:
        """Tell the frame below how far each has come."""
        way = (frame.way.start, *frame.way.path)
        hexes = [
            (unit.id, 1 if is_sheltered else way.index(unit.hex))
            for unit in living(play.state, frame.units)
            if unit.hex in way
        ]
        play.emit(Closed())
        below = play.state.stack[-1]
        assert isinstance(below, Suffering)  # noqa: S101 - it alone opens retreats
        path = below.path if frame.is_attacker else (*below.path, *frame.way.path)
        gone = max(below.gone, len(frame.way.path))
        play.emit(Changed(replace(below, retreated=(*below.retreated, *hexes), path=path, gone=gone)))

    def options(self, state: State, frame: Retreat, seat: Seat) -> Node[Action]:  # noqa: ARG002
        """The hexes that the priorities leave; to stop where one may."""
        return Pick(lambda: self._branches(state, frame))

    def _branches(self, state: State, frame: Retreat) -> Iterator[Branch[Action]]:
        title, label = self.context.title, self.context.label
        if frame.owes:
            for payer in self._payers(state, frame):
                yield Branch(payer, "unit", f"{title(payer)} loses a step", Leaf(PayStep(payer)), payer)
            return
        if frame.may_shelter and not frame.way.path:
            yield Branch("works", "choice", "Into the works", Leaf(WithdrawIntoWorks()))
        if frame.may_stop and frame.way.path:
            yield Branch("stop", "pass", "No further", Leaf(StopRetreat()))
        going = self._going(state, frame)
        if going:
            for hex in choices(self.context, state, going, frame.way, self._goals(state, frame, going)):
                yield Branch(label(hex), "hex", label(hex), Leaf(RetreatTo(hex)), label(hex), is_hex=True)

    def refusal(self, state: State, frame: Retreat, seat: Seat, action: Action) -> Refusal | None:
        """What is not offered is not allowed."""
        if action in list(self.options(state, frame, seat)):
            return None
        return Refusal("13.11.0", "the stack may not retreat so", "a hex that the five priorities leave")

    def apply(self, play: Play, frame: Retreat, seat: Seat, action: Action) -> None:  # noqa: ARG002
        """Go, stop, or pay."""
        match action:
            case RetreatTo(hex=hex):
                moved = replace(frame, may_shelter=False)
                play.emit(Changed(moved))
                self._move(play, moved, hex)
            case WithdrawIntoWorks():
                play.emit(Sheltered(frame.player, frame.units))
                self._finish(play, frame, is_sheltered=True)
            case PayStep(unit=unit):
                play.emit(Changed(replace(frame, owes=False)))
                lose_step(play, self.context, unit)
            case _:
                self._finish(play, frame)
