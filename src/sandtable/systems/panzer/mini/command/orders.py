"""6.0 Basic Command Phase: five orders, placed in secret by both forces at once.

Only orders that can be carried out are offered (6.1.3). One that cannot and is given all the same is carried out and
wasted: whoever was to fire counts as having fired, whoever was to move as having moved.
"""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.core.decision import Assign, Node, Seat, Slot
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking
from sandtable.systems.panzer.command.orders import GIVEN, commanded
from sandtable.systems.panzer.frames import PlacingCommands
from sandtable.systems.panzer.mini import events as ev
from sandtable.systems.panzer.mini.actions import Action, PlaceCommands
from sandtable.systems.panzer.mini.context import Context
from sandtable.systems.panzer.mini.fields_of_fire import has_shot
from sandtable.systems.panzer.mini.handler import Handler, Play
from sandtable.systems.panzer.mini.state import State, Unit
from sandtable.systems.panzer.unit import Command, UnitId

__all__ = ["PlacingOrdersHandler", "refuse_order"]

BOOK = ("panzer-mini",)
_ORDERS = ", ".join(GIVEN)


@rule("6.1.2", "6.1.3", "6.2", "6.3", "6.4", "6.5", "6.6", "9.2.1.3", editions=BOOK)
def refuse_order(context: Context, state: State, unit: Unit, order: Command) -> Refusal | None:
    """Why a unit could not carry an order out (6.1.3)."""
    card = context.card_of(unit)
    if order is Command.NONE:
        return None
    if order in (Command.MOVE, Command.SHORT_HALT) and unit.markers.track:
        return Refusal("9.2.1.3", f"{unit.id} has a Track hit and may not move", "FIRE, OW or N/C")
    if order is Command.MOVE:
        return None
    if not any(ammo.basic for weapon in card.weapons for ammo in weapon.ammo):
        return Refusal("6.2", f"{card.name} has no AP weapon", "MOVE or N/C")
    if order is Command.OVERWATCH:
        return None
    if any(has_shot(unit, card, state.units[target]) for target in state.spotted.get(unit.id, ())):
        return None
    return Refusal("6.1.3", f"{unit.id} has no spotted target in range and field-of-fire", "MOVE, OW or N/C")


@rule("6.1", "6.1.1", "1.1.7.1", editions=BOOK)
def order_options(context: Context, state: State, seat: str) -> Node[Action]:
    """An order for every unit, of those that it can carry out (6.1)."""
    units = commanded(state.units, state.turn, seat)
    slots = [
        Slot(
            unit.id,
            "command",
            context.name(unit),
            tuple(order.value for order in GIVEN if refuse_order(context, state, unit, order) is None),
        )
        for unit in units
    ]

    def build(values: tuple[str, ...]) -> Action:
        return PlaceCommands({unit.id: Command(value) for unit, value in zip(units, values, strict=True)})

    return Assign(slots, build)


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
        """Units and orders that are none; one that cannot be carried out is wasted (6.1.3)."""
        assert isinstance(action, PlaceCommands)  # noqa: S101 - the only answer
        mine = {unit.id for unit in commanded(state.units, state.turn, seat)}
        for unit, order in action.commands.items():
            if unit not in mine:
                return Refusal("6.1", f"{unit!r} is no unit of {seat} that takes an order now")
            if order not in GIVEN:
                return Refusal("6.0", f"{order.value!r} is no order", _ORDERS)
        return None

    def apply(self, play: Play, frame: PlacingCommands, seat: Seat, action: Action) -> None:
        """The orders lie face down."""
        assert isinstance(action, PlaceCommands)  # noqa: S101 - the only answer
        units = commanded(play.state.units, play.state.turn, seat)
        given: dict[UnitId, Command] = {unit.id: action.commands.get(unit.id, Command.NONE) for unit in units}
        play.emit(ev.CommandsPlaced(seat, given))
        waiting = tuple(other for other in frame.waiting if other != seat)
        play.emit(ev.Changed(PlacingCommands(waiting)) if waiting else ev.Closed())
