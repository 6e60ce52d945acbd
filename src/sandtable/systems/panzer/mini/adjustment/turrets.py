"""10.2 Adjust Turret Step: to any field-of-fire, with a Slow turret to the next one only."""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.core.decision import Assign, Node, Seat, Slot
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking, Changed, Closed
from sandtable.systems.panzer.mini import events as ev
from sandtable.systems.panzer.mini.actions import Action, TurnTurrets
from sandtable.systems.panzer.mini.adjustment.frames import AdjustingTurrets
from sandtable.systems.panzer.mini.cards import MiniCard, Traverse
from sandtable.systems.panzer.mini.context import Context
from sandtable.systems.panzer.mini.handler import Handler, Play
from sandtable.systems.panzer.mini.state import FieldOfFire, State, Unit

__all__ = ["AdjustingTurretsHandler", "turret_fields"]

BOOK = ("panzer-mini",)
_ROUND = tuple(FieldOfFire)
"""Clockwise."""


@rule("10.2", "10.2.1", "10.2.2", "8.4.5.3.3", "8.4.7.4", editions=BOOK)
def turret_fields(card: MiniCard, unit: Unit) -> tuple[FieldOfFire, ...]:
    """Where a turret may point after the step, its present field first (10.2.1, 10.2.2)."""
    if not card.has_turret:
        return (unit.turret,)
    number = _ROUND.index(unit.turret)
    beside = (_ROUND[(number + 1) % 4], _ROUND[number - 1])
    slow = card.traverse is Traverse.SLOW or unit.damaged
    return (unit.turret, *beside) if slow else (unit.turret, *beside, _ROUND[(number + 2) % 4])


def _turreted(context: Context, state: State, seat: str) -> list[Unit]:
    units = [unit for unit in state.units.values() if unit.side == seat and unit.in_play]
    return [unit for unit in units if context.card_of(unit).has_turret]


class AdjustingTurretsHandler(Handler[AdjustingTurrets]):
    """10.2: force after force, all turrets at once."""

    frame = AdjustingTurrets
    answers = (TurnTurrets,)

    def question(self, state: State, frame: AdjustingTurrets) -> Asking:
        """The force whose turrets may turn."""
        return Asking("10.2", "Adjust the turrets", frame.waiting[:1])

    def options(self, state: State, frame: AdjustingTurrets, seat: Seat) -> Node[Action]:
        """A field-of-fire for every turret; the present one is plain."""
        units = _turreted(self.context, state, seat)
        slots = []
        for unit in units:
            fields = tuple(field.value for field in turret_fields(self.context.card_of(unit), unit))
            slots.append(Slot(unit.id, "turret", self.context.name(unit), fields, plain=unit.turret.value))

        def build(values: tuple[str, ...]) -> Action:
            turned = zip(units, map(FieldOfFire, values), strict=True)
            return TurnTurrets({unit.id: field for unit, field in turned if field is not unit.turret})

        return Assign(slots, build)

    @rule("10.2.2", "10.2.3", "10.2.4", editions=BOOK)
    def refusal(self, state: State, frame: AdjustingTurrets, seat: Seat, action: Action) -> Refusal | None:
        """A turret that is not there or too slow; one that has fired or pivoted may turn (10.2.3, 10.2.4)."""
        assert isinstance(action, TurnTurrets)  # noqa: S101 - the only answer
        mine = {unit.id: unit for unit in _turreted(self.context, state, seat)}
        for unit_id, field in action.turrets.items():
            unit = mine.get(unit_id)
            if unit is None:
                return Refusal("10.2", f"{unit_id!r} has no turret of {seat} that turns", "leave it out")
            if field not in turret_fields(self.context.card_of(unit), unit):
                reason = f"the turret of {unit_id} is Slow and points to its {unit.turret.value}"
                return Refusal("10.2.2", reason, "the field-of-fire beside it")
        return None

    def apply(self, play: Play, frame: AdjustingTurrets, seat: Seat, action: Action) -> None:
        """They point there."""
        assert isinstance(action, TurnTurrets)  # noqa: S101 - the only answer
        turned = {unit: field for unit, field in action.turrets.items() if play.state.units[unit].turret is not field}
        if turned:
            play.emit(ev.TurretsTurned(turned))
        play.emit(Changed(AdjustingTurrets(frame.waiting[1:])))

    def advance(self, play: Play, frame: AdjustingTurrets) -> bool:
        """The next force; one without a turret is not asked."""
        if frame.waiting and _turreted(self.context, play.state, frame.waiting[0]):
            return False
        play.emit(Changed(AdjustingTurrets(frame.waiting[1:])) if frame.waiting else Closed())
        return True
