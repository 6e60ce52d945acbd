"""4.2 Command Phase: five commands, placed in secret by both forces at once; an illegal one counts as N/C."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core.content.rule import rule
from sandtable.core.decision import Assign, Node, Seat, Slot
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking, Changed, Closed
from sandtable.systems.panzer import events as ev
from sandtable.systems.panzer.command.orders import GIVEN, commanded, refuse_placing
from sandtable.systems.panzer.frames import PlacingCommands
from sandtable.systems.panzer.hex.actions import Action, PlaceCommands
from sandtable.systems.panzer.hex.combat.fire import has_shot
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.handler import Handler, Play
from sandtable.systems.panzer.hex.state import State, Unit
from sandtable.systems.panzer.unit import Command, Status, UnitId

__all__ = ["PlacingCommandsHandler", "command_options", "refuse_command"]

_ALL = tuple(command.value for command in GIVEN)
_WATCHES = (Command.MOVE.value, Command.OVERWATCH.value, Command.NONE.value)
_MOVES = (Command.MOVE.value, Command.NONE.value)
_RESERVE = Status.RESERVE


@rule("4.2", "4.2.1")
def refuse_command(context: Context, state: State, unit: Unit, command: Command) -> Refusal | None:
    """Why a vehicle cannot be given a command (4.2.1)."""
    if command not in GIVEN:
        return Refusal("4.2", f"{command.value!r} is no command", "FIRE, MOVE, SHORT HALT, OW or N/C")
    if command in (Command.NONE, Command.MOVE):
        return None
    if unit.status is Status.RESERVE:
        return Refusal("4.5.1.1.9", f"{unit.id} is not on the mapboard yet", "MOVE brings it in, N/C holds it back")
    card = context.cards[unit.card]
    if not context.barrels[unit.card]:
        return Refusal("4.4.3", f"{card.name} has no AP weapon of the Basic Game", "MOVE or N/C")
    if command is Command.OVERWATCH:
        return None
    for target_id in state.spotted.get(unit.id, ()):
        if has_shot(context, unit, state.units[target_id]):
            return None
    reason = f"{unit.id} has no spotted target in range and field-of-fire"
    return Refusal("4.2.1", reason, "MOVE, OW or N/C")


def _carried_out(context: Context, state: State, unit: Unit) -> tuple[str, ...]:
    """The commands that :func:`refuse_command` does not refuse, without the reasons (4.2.1)."""
    if unit.status is _RESERVE or not context.barrels[unit.card]:
        return _MOVES
    units = state.units
    for target_id in state.spotted.get(unit.id, ()):
        if has_shot(context, unit, units[target_id]):
            return _ALL
    return _WATCHES


def command_options(context: Context, state: State, seat: str) -> Node[Action]:
    """A command for every vehicle, of those that it can carry out (4.2.1)."""
    units = commanded(state.units, state.turn, seat)
    slots = [
        Slot(
            unit.id,
            "command",
            f"{context.cards[unit.card].name} {unit.id}",
            _carried_out(context, state, unit),
        )
        for unit in units
    ]

    def build(values: tuple[str, ...]) -> Action:
        return PlaceCommands({unit.id: Command(value) for unit, value in zip(units, values, strict=True)})

    return Assign(slots, build)


def _place_commands(context: Context, play: Play, seat: Seat, action: PlaceCommands) -> None:
    """Place the commands face down; illegal ones are turned into N/C (4.2.1)."""
    units = commanded(play.state.units, play.state.turn, seat)
    given: dict[UnitId, Command] = {unit.id: action.commands.get(unit.id, Command.NONE) for unit in units}
    state = play.state
    play.emit(ev.CommandsPlaced(seat, given))
    for unit in units:
        if given[unit.id].value in _carried_out(context, state, unit):
            continue
        refusal = refuse_command(context, state, unit, given[unit.id])
        if refusal is not None:
            play.emit(ev.CommandConverted(unit.id, given[unit.id], refusal.rule, refusal.reason))


class PlacingCommandsHandler(Handler[PlacingCommands]):
    """4.2.1: both forces place their commands in secret."""

    frame = PlacingCommands
    answers = (PlaceCommands,)

    def question(self, state: State, frame: PlacingCommands) -> Asking:
        """Both forces, until each has placed its commands."""
        return Asking("4.2.1", "Place a command with every vehicle", frame.waiting, secret=True)

    def options(self, state: State, frame: PlacingCommands, seat: Seat) -> Node[Action]:
        """A command for every vehicle."""
        return command_options(self.context, state, seat)

    def why_not(
        self, state: State, frame: PlacingCommands, seat: Seat, keys: Sequence[str], ref: str, *, is_hex: bool
    ) -> Refusal | None:
        """A command that a vehicle could not carry out."""
        unit = next((unit for unit in commanded(state.units, state.turn, seat) if unit.id == ref), None)
        if is_hex or not keys or unit is None or keys[-1] not in set(Command):
            return None
        return refuse_command(self.context, state, unit, Command(keys[-1]))

    def refusal(self, state: State, frame: PlacingCommands, seat: Seat, action: Action) -> Refusal | None:
        """Vehicles and commands that are none."""
        assert isinstance(action, PlaceCommands)  # noqa: S101 - the only answer
        return refuse_placing(state.units, state.turn, seat, action)

    def apply(self, play: Play, frame: PlacingCommands, seat: Seat, action: Action) -> None:
        """The commands lie face down."""
        assert isinstance(action, PlaceCommands)  # noqa: S101 - the only answer
        _place_commands(self.context, play, seat, action)
        waiting = tuple(other for other in frame.waiting if other != seat)
        play.emit(Changed(PlacingCommands(waiting)) if waiting else Closed())
