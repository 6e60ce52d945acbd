"""6.0 Basic Command Phase: five orders, placed in secret by both forces at once.

An order to fire that has no target should not be given (6.1.3). It may be all the same, and is then carried out and
wasted: whoever was to fire counts as having fired.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from sandtable.core.content.rule import rule
from sandtable.core.decision import Assign, Node, Seat, Slot
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking, Changed, Closed
from sandtable.systems.panzer import events as ev
from sandtable.systems.panzer.command.orders import GIVEN, commanded
from sandtable.systems.panzer.frames import PlacingCommands
from sandtable.systems.panzer.mini.actions import Action, PlaceCommands
from sandtable.systems.panzer.mini.cards import MiniCard
from sandtable.systems.panzer.mini.context import Context
from sandtable.systems.panzer.mini.fields_of_fire import has_shot
from sandtable.systems.panzer.mini.handler import Handler, Play
from sandtable.systems.panzer.mini.state import State, Unit
from sandtable.systems.panzer.unit import MOVING_COMMANDS, Command, Status, UnitId

__all__ = ["PlacingOrdersHandler", "is_wasted", "refuse_order"]

BOOK = ("panzer-mini",)


@rule("6.2", "6.3", "6.4", "6.5", "6.6", "9.2.1.3", "9.8", editions=BOOK)
def refuse_order(context: Context, unit: Unit, order: Command) -> Refusal | None:
    """Why a unit cannot be given an order at all: to fire without a weapon, to move with a Track hit (6.2, 9.2.1.3).

    One that is held off the table may come onto it, and nothing else (9.8).
    """
    if order not in GIVEN:
        return Refusal("6.0", f"{order.value!r} is no order", ", ".join(GIVEN))
    if unit.status is Status.RESERVE and order not in (Command.MOVE, Command.NONE):
        return Refusal("9.8", f"{unit.id} is held off the table", "MOVE or N/C")
    if order in MOVING_COMMANDS and unit.markers.track:
        return Refusal("9.2.1.3", f"{unit.id} has a Track hit and may not move", "FIRE, OW or N/C")
    card = context.card_of(unit)
    if order not in (Command.NONE, Command.MOVE) and not _is_armed(card):
        return Refusal("6.2", f"{card.name} has no AP weapon", "MOVE or N/C")
    return None


def _is_armed(card: MiniCard) -> bool:
    return any(ammo.basic for weapon in card.weapons for ammo in weapon.ammo)


@rule("6.1.2", "6.1.3", editions=BOOK)
def is_wasted(context: Context, state: State, unit: Unit, order: Command) -> bool:
    """Whether an order to fire has no spotted target in range and field-of-fire: it would be wasted (6.1.3)."""
    if order not in (Command.FIRE, Command.SHORT_HALT):
        return False
    card = context.card_of(unit)
    return not any(has_shot(unit, card, state.units[target]) for target in state.spotted.get(unit.id, ()))


@rule("6.1", "6.1.1", "1.1.7.1", editions=BOOK)
def order_options(context: Context, state: State, seat: str) -> Node[Action]:
    """An order for every unit (6.1); those that would be wasted say so."""
    units = commanded(state.units, state.turn, seat)
    platoons = {unit: name for name, members in context.scenario.platoons.items() for unit in members}
    slots = []
    for unit in units:
        values = tuple([order.value for order in GIVEN if refuse_order(context, unit, order) is None])
        name, group, plain = context.name(unit), platoons.get(unit.id, ""), Command.NONE.value
        words = partial(_words, context, state, unit, values)
        slots.append(Slot(unit.id, "command", name, values, words=words, plain=plain, group=group))

    def build(values: tuple[str, ...]) -> Action:
        return PlaceCommands({unit.id: Command(value) for unit, value in zip(units, values, strict=True)})

    return Assign(slots, build)


def _words(context: Context, state: State, unit: Unit, values: Iterable[str]) -> tuple[str, ...]:
    """Orders for people."""
    return tuple(
        f"{value} (wasted: no target)" if is_wasted(context, state, unit, Command(value)) else value for value in values
    )


class PlacingOrdersHandler(Handler[PlacingCommands]):
    """6.1: both forces place their orders face down."""

    frame = PlacingCommands
    answers = (PlaceCommands,)

    def question(self, state: State, frame: PlacingCommands) -> Asking:
        """Both forces, until each has placed its orders."""
        return Asking("6.1", "Place an order with every unit", frame.waiting, secret=True)

    def options(self, state: State, frame: PlacingCommands, seat: Seat) -> Node[Action]:
        """An order for every unit."""
        return order_options(self.context, state, seat)

    @rule("6.1.3", editions=BOOK)
    def refusal(self, state: State, frame: PlacingCommands, seat: Seat, action: Action) -> Refusal | None:
        """Units and orders that are none, and orders that cannot be; one without a target is wasted (6.1.3)."""
        assert isinstance(action, PlaceCommands)  # noqa: S101 - the only answer
        mine = {unit.id: unit for unit in commanded(state.units, state.turn, seat)}
        for unit_id, order in action.commands.items():
            unit = mine.get(unit_id)
            if unit is None:
                return Refusal("6.1", f"{unit_id!r} is no unit of {seat} that takes an order now", "leave it out")
            refusal = refuse_order(self.context, unit, order)
            if refusal is not None:
                return refusal
        return None

    def apply(self, play: Play, frame: PlacingCommands, seat: Seat, action: Action) -> None:
        """The orders lie face down."""
        assert isinstance(action, PlaceCommands)  # noqa: S101 - the only answer
        units = commanded(play.state.units, play.state.turn, seat)
        given: dict[UnitId, Command] = {unit.id: action.commands.get(unit.id, Command.NONE) for unit in units}
        play.emit(ev.CommandsPlaced(seat, given))
        waiting = tuple(other for other in frame.waiting if other != seat)
        play.emit(Changed(PlacingCommands(waiting)) if waiting else Closed())
