"""5.0-5.2, 5.6 The Mode Determination Phase: who prepares an assault, which guns are in battery."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Assign, Node, Seat, Slot
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking, Closed, Opened
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.handler import Action, Fact, Frame, Play, SegmentHandler
from sandtable.systems.goss.common.rest import is_resting, show_rest
from sandtable.systems.goss.common.state import State, with_units
from sandtable.systems.goss.modes.choosing import marker_slots, unlisted
from sandtable.systems.goss.movement.fuel import prepares_on
from sandtable.systems.goss.movement.marches import Marches
from sandtable.systems.goss.movement.prepared import may_prepare
from sandtable.systems.goss.pieces.card import MovementClass
from sandtable.systems.goss.pieces.unit import Mode, Unit, UnitId
from sandtable.systems.goss.turn.segments import Step

__all__ = ["ModeChoice", "ModeHandler", "ModesSet", "SetModes"]

_PA, _IB, _OOB = "PA", "IB", "OoB"
_TOO_MANY = Refusal("5.2.2", "fuel does not last for so many", "no more units than the fuel value")


class ModeChoice(Frame, frozen=True):
    """The modes of a side's units."""

    player: Seat


class SetModes(Action, frozen=True):
    """Who is in PA mode, and which artillery is in battery; all others are in Tac mode and out of battery."""

    prepared: tuple[UnitId, ...] = ()
    in_battery: tuple[UnitId, ...] = ()

    def phrase(self, context: Context) -> str:
        """It in a phrase."""
        who, guns = ("; ".join(map(context.title, units)) or "nobody" for units in (self.prepared, self.in_battery))
        return f"PA mode: {who}. In battery: {guns}"

    def is_secret(self) -> bool:
        """The enemy sees the markers on what he sees."""
        return True


class ModesSet(Fact, frozen=True):
    """The modes of a side's units changed; the enemy sees the markers on what he sees (5.0)."""

    side: Seat
    prepared: tuple[UnitId, ...] = ()
    tactical: tuple[UnitId, ...] = ()
    in_battery: tuple[UnitId, ...] = ()
    out_of_battery: tuple[UnitId, ...] = ()

    def sentence(self, context: Context) -> str:
        """Who, and what."""
        told = (
            ("PA mode", self.prepared),
            ("Tac mode", self.tactical),
            ("in battery", self.in_battery),
            ("out of battery", self.out_of_battery),
        )
        return " ".join(f"{what}: {'; '.join(map(context.title, units))}." for what, units in told if units)

    def known_to(self, seat: Seat | None) -> Fact | None:
        """The owner knows it."""
        return self if seat == self.side else None


def _set(state: State, event: ModesSet) -> State:
    units = state.units
    return with_units(
        state,
        *(replace(units[one], mode=Mode.PREPARED_ASSAULT) for one in event.prepared),
        *(replace(units[one], mode=Mode.TAC) for one in event.tactical),
        *(replace(units[one], in_battery=True) for one in event.in_battery),
        *(replace(units[one], in_battery=False) for one in event.out_of_battery),
    )


def _is_prepared(unit: Unit) -> bool:
    return unit.mode is Mode.PREPARED_ASSAULT


class ModeHandler(SegmentHandler[ModeChoice]):
    """3.3.2a, 5.0: asked of who has units that could be in another mode."""

    frame, answers, step = ModeChoice, (SetModes,), Step.MODES
    folds = MappingProxyType({ModesSet: _set})

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._marches = context.room(Marches)

    def begin(self, play: Play, player: Seat) -> None:
        """Asked if anybody is on the map: who could prepare an assault depends on what is known of the enemy."""
        if any(unit.side == player and unit.hex is not None for unit in play.state.units.values()):
            play.emit(Opened(ModeChoice(player)))

    def question(self, state: State, frame: ModeChoice) -> Asking:  # noqa: ARG002
        """The side whose turn it is."""
        return Asking("5.0", "Choose the modes of units", (frame.player,))

    @rule("5.0", "5.1.0", "5.2.0", "3.5.3")
    def _assaulters(self, state: State, seat: Seat) -> tuple[Unit, ...]:
        """Who may be in PA mode; nobody in his rest game turn (3.5.3)."""
        context = self.context
        mine = (unit for unit in state.units.values() if unit.side == seat and not is_resting(context, state, unit))
        return tuple(unit for unit in mine if may_prepare(self.context, state, self._marches, unit))

    @rule("5.6.0")
    def _artillery(self, state: State, seat: Seat) -> tuple[Unit, ...]:
        """Who may change its stance: artillery that can move, in Tac mode (5.6.0)."""
        return tuple(unit for unit in state.units.values() if unit.side == seat and self._may_limber(unit))

    def _may_limber(self, unit: Unit) -> bool:
        card = self.context.card(unit)
        is_mobile = card.is_artillery and card.movement is not MovementClass.STATIC
        return is_mobile and unit.hex is not None and unit.mode is Mode.TAC

    def options(self, state: State, frame: ModeChoice, seat: Seat) -> Node[Action]:  # noqa: ARG002
        """A mode for everybody who has a choice; all stay as they are if they are left alone."""
        fighters, guns = self._assaulters(state, seat), self._artillery(state, seat)
        slots = [*marker_slots(self.context, fighters, _PA, _is_prepared, "Tac"), *self._stances(guns)]

        def chosen(values: tuple[str, ...]) -> Action:
            picked = dict(zip((unit.id for unit in (*fighters, *guns)), values, strict=True))
            return SetModes(
                tuple(one for one, value in picked.items() if value == _PA),
                tuple(one for one, value in picked.items() if value == _IB),
            )

        def judge(values: tuple[str, ...]) -> Refusal | None:
            prepared = [unit.id for unit, value in zip(fighters, values, strict=False) if value == _PA]
            return self._shares(state, prepared)

        is_shared = any(fuel.is_by_units for fuel in state.formations.values())
        return Assign(slots, chosen, judge=judge if is_shared else None)

    def _stances(self, guns: Sequence[Unit]) -> list[Slot]:
        return [
            Slot(
                unit.id,
                "order",
                self.context.card(unit).title,
                (_IB, _OOB),
                words=("in battery", "out of battery"),
                plain=_IB if unit.in_battery else _OOB,
                group=self.context.formation(self.context.formation_of(unit)).title,
            )
            for unit in guns
        ]

    def refusal(self, state: State, frame: ModeChoice, seat: Seat, action: Action) -> Refusal | None:  # noqa: ARG002
        """Of units that may be so."""
        assert isinstance(action, SetModes)  # noqa: S101 - `answers` says so
        fighters, guns = self._assaulters(state, seat), self._artillery(state, seat)
        named = [state.units[one] for one in action.prepared if one in state.units]
        number = "3.5.3" if any(is_resting(self.context, state, unit) for unit in named) else "5.2.1"
        wrong = Refusal(number, "not all of them may enter PA mode", "units that can reach an enemy and are fit")
        return (
            unlisted(action.prepared, fighters, wrong)
            or unlisted(
                action.in_battery, guns, Refusal("5.6.0", "not all of them are artillery", "artillery in Tac mode")
            )
            or self._shares(state, action.prepared)
        )

    def _shares(self, state: State, prepared: Sequence[UnitId]) -> Refusal | None:
        """Where units share fuel, no more prepare than it lasts for (5.2.2)."""
        is_enough = prepares_on(self.context, state, (state.units[one] for one in prepared))
        return None if is_enough else _TOO_MANY

    def apply(self, play: Play, frame: ModeChoice, seat: Seat, action: Action) -> None:  # noqa: ARG002
        """Put the markers down."""
        assert isinstance(action, SetModes)  # noqa: S101 - `answers` says so
        mine = [unit for unit in play.state.units.values() if unit.side == seat and unit.hex is not None]
        prepared, batteries = set(action.prepared), set(action.in_battery)
        guns = [unit for unit in mine if self._may_limber(unit)]
        changed = ModesSet(
            seat,
            tuple(unit.id for unit in mine if unit.id in prepared and not _is_prepared(unit)),
            tuple(unit.id for unit in mine if unit.id not in prepared and _is_prepared(unit)),
            tuple(unit.id for unit in guns if unit.id in batteries and not unit.in_battery),
            tuple(unit.id for unit in guns if unit.id not in batteries and unit.in_battery),
        )
        play.emit(changed)
        show_rest(play, self.context, [unit for unit in mine if unit.id in prepared])
        play.emit(Closed())
