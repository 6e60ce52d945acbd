"""16.3.7 Replenishment: ammunition points fill up to three guns each, then the active side rolls for the others."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from operator import ge

from sandtable.core.content.rule import rule
from sandtable.core.decision import Assign, Branch, Leaf, Node, Pick, Seat, Slot
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking, Closed, Opened
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.dice import roll_d10
from sandtable.systems.goss.common.fog import owner_if_hidden
from sandtable.systems.goss.common.handler import Action, Frame, Play, SegmentHandler
from sandtable.systems.goss.common.state import State
from sandtable.systems.goss.pieces.unit import Supply, Unit, UnitId
from sandtable.systems.goss.support.facts import AmmoSpent, Replenished, ReplenishRolled
from sandtable.systems.goss.turn.segments import Step

__all__ = ["Replenish", "Replenishing", "ReplenishingHandler", "RollForAmmo"]

_A_POINT = 3
_YES, _NO = "yes", "no"
_EXTENDED = 2


class Replenishing(Frame, frozen=True):
    """A side spends ammunition points on its depleted guns."""

    player: Seat
    is_active: bool
    """The active side rolls for those that are left (16.3.7b)."""


class Replenish(Action, frozen=True):
    """Spend a point on up to three guns (16.3.7a)."""

    units: tuple[UnitId, ...]

    def phrase(self, context: Context) -> str:
        """It in a phrase."""
        return f"an AmP for {'; '.join(map(context.title, self.units))}"

    def is_secret(self) -> bool:
        """Which guns is not told."""
        return True

    def spends(self) -> bool:
        """Ammunition."""
        return True


class RollForAmmo(Action, frozen=True):
    """Spend no more points."""

    def phrase(self, context: Context) -> str:  # noqa: ARG002
        """It in a phrase."""
        return "spend no more AmP"


class ReplenishingHandler(SegmentHandler[Replenishing]):
    """16.3.7: the active side by points and by rolls, then the inactive side by points."""

    frame, answers, step = Replenishing, (Replenish, RollForAmmo), Step.REPLENISHMENT

    def begin(self, play: Play, player: Seat) -> None:
        """Both sides, the active one first; nobody who has no depleted gun."""
        last = Replenishing(self.context.other(player), is_active=False)
        for frame in (last, Replenishing(player, is_active=True)):
            if self._dry(play.state, frame):
                play.emit(Opened(frame))

    @rule("16.3.7", "16.3.7a", "15.4.3")
    def _dry(self, state: State, frame: Replenishing) -> list[Unit]:
        """Depleted guns in general supply, the strongest first; unsupported ones only in their own phase (15.4.3)."""
        if not frame.is_active and self.context.scenario.side(frame.player).adv == 0:
            return []
        supplied = (Supply.GENERAL, Supply.EXTENDED)
        found = [
            unit
            for unit in state.units.values()
            if unit.side == frame.player and unit.hex is not None and unit.is_depleted and unit.supply in supplied
        ]
        return sorted(found, key=lambda unit: (-self.context.card(unit).barrage, unit.id))

    def question(self, state: State, frame: Replenishing) -> Asking:  # noqa: ARG002
        """Asked of the owner."""
        return Asking("16.3.7a", "Spend ammunition points on depleted artillery", (frame.player,))

    def options(self, state: State, frame: Replenishing, seat: Seat) -> Node[Action]:  # noqa: ARG002
        """A point for three guns, or no more points; the points are kept while the dice may do."""

        def branches() -> Iterator[Branch[Action]]:
            spend: Branch[Action] = Branch("spend", "order", "Spend an AmP", self._tree(state, frame))
            end: Branch[Action] = Branch("done", "done", "Spend no more AmP", Leaf(RollForAmmo()))
            is_worth_it = len(self._dry(state, frame)) >= _A_POINT
            yield from (spend, end) if is_worth_it else (end, spend)

        return Pick(branches)

    def _tree(self, state: State, frame: Replenishing) -> Assign[Action]:
        dry = self._dry(state, frame)
        slots = [
            Slot(unit.id, "gun", self.context.title(unit.id), (_YES, _NO), plain=_YES if index < _A_POINT else _NO)
            for index, unit in enumerate(dry)
        ]

        def build(values: tuple[str, ...]) -> Action:
            return Replenish(tuple(unit.id for unit, value in zip(dry, values, strict=True) if value == _YES))

        def judge(values: tuple[str, ...]) -> Refusal | None:
            if values.count(_YES) > _A_POINT:
                return _TOO_MANY
            return _NOBODY if all(value == _NO for value in values) else None

        return Assign(slots, build, judge=judge)

    def refusal(self, state: State, frame: Replenishing, seat: Seat, action: Action) -> Refusal | None:  # noqa: ARG002
        """One to three depleted guns in supply."""
        if not isinstance(action, Replenish):
            return None
        dry = {unit.id for unit in self._dry(state, frame)}
        if not action.units:
            return _NOBODY
        if len(action.units) > _A_POINT:
            return _TOO_MANY
        if len(set(action.units)) < len(action.units) or not dry.issuperset(action.units):
            return Refusal("16.3.7", "that is no depleted gun in general supply", "guns that are, each once")
        return None

    @rule("16.3.7a")
    def apply(self, play: Play, frame: Replenishing, seat: Seat, action: Action) -> None:
        """A point for three at most; what is not used is lost (16.3.7a)."""
        if not isinstance(action, Replenish):
            self._end(play, frame)
            return
        play.emit(AmmoSpent(seat, 1))
        for one in action.units:
            play.emit(Replenished(one, owner=owner_if_hidden(self.context, play.state, one)))

    def advance(self, play: Play, frame: Replenishing) -> bool:
        """Over when there is nothing to fill, or nothing to fill it with."""
        if self._dry(play.state, frame) and play.state.ammo.get(frame.player, 0) > 0:
            return False
        self._end(play, frame)
        return True

    @rule("16.3.7b", "15.4.3")
    def _end(self, play: Play, frame: Replenishing) -> None:
        """The active side rolls for each gun that is left: the ADV or less fills it (16.3.7b)."""
        adv = self.context.scenario.side(frame.player).adv
        for unit in self._dry(play.state, frame) if frame.is_active and adv else ():
            extra = _EXTENDED if unit.supply is Supply.EXTENDED else 0
            roll = roll_d10(play, "replenishment", partial(ge, adv - extra)) + extra
            owner = owner_if_hidden(self.context, play.state, unit.id)
            play.emit(ReplenishRolled(unit.id, roll, adv, owner=owner))
            if roll <= adv:
                play.emit(Replenished(unit.id, owner=owner))
        play.emit(Closed())


_TOO_MANY = Refusal("16.3.7a", "too many guns for an ammunition point", "three at most")
_NOBODY = Refusal("16.3.7a", "no gun is named", "one to three depleted guns")
