"""3.3.1 What a player may move next: who of a hex, in which way, and where; and how a stack on its way goes on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from sandtable.core.decision import Branch, Leaf, Node, Pick
from sandtable.systems.aslsk.common.actions import Action, Continue, Done, DropWeapon, Move
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.common.possession import droppable
from sandtable.systems.aslsk.common.stacking import may_stack
from sandtable.systems.aslsk.movement.move_groups import MOST_SUBSETS, mover_of, parts_of, present, progress_of
from sandtable.systems.aslsk.movement.move_path import MovePath
from sandtable.systems.aslsk.movement.mover import Mover
from sandtable.systems.aslsk.movement.moving import refuse_continue
from sandtable.systems.aslsk.movement.stepping import MoveProgress, may_move
from sandtable.systems.aslsk.pieces.state import MoveGroup, MovementPhase, MoveStep, Moving, State, Unit, UnitId
from sandtable.systems.aslsk.vehicles.vehicle_moving import (
    crew_branches,
    drivable,
    drive_path,
    fires_first,
    refuse_standing_by,
)

if TYPE_CHECKING:
    from random import Random

__all__ = ["can_move", "continue_options", "move_options"]


def _movable(state: State, player: str) -> Iterator[Unit]:
    for unit in state.units.values():
        if unit.side == player and may_move(unit):
            yield unit


def can_move(context: Context, state: State, player: str) -> bool:
    """Whether any unit of a side may spend MF; or, where nobody moves at all, drop a weapon (4.0)."""
    for unit in _movable(state, player):
        if _has_way(context, state, (unit,)):
            return True
    # Who has moved somebody was asked, and could drop what he liked: he is not asked once more for that alone.
    for unit in state.units.values():
        if unit.moved and unit.side == player:
            return False
    return next(droppable(state, player), None) is not None


def _has_way(context: Context, state: State, units: tuple[Unit, ...], mode: str = "") -> bool:
    mover, now = _start(context, state, units, mode)
    return mover.first_step(now) is not None


def _start(context: Context, state: State, units: tuple[Unit, ...], mode: str) -> tuple[Mover, MoveProgress]:
    doubling = [unit.id for unit in units] if mode == "double time" else []
    mover = Mover(context, state, units, assault=mode == "assault", double_time=doubling)
    return mover, MoveProgress(units[0].hex)


def move_options(context: Context, state: State, frame: MovementPhase) -> Node[Action]:
    """A unit or stack and its move (3.3.1)."""
    return MoveRoot(context, state, frame)


def continue_options(context: Context, state: State, frame: Moving) -> Node[Action]:
    """How the unit or stack on its way goes on (3.3.1)."""
    return Pick(lambda: _ways_on(context, state, frame))


class MoveRoot(Node[Action]):
    """Who moves: by hex, then alone or together."""

    __slots__ = ("_context", "_frame", "_state")

    def __init__(self, context: Context, state: State, frame: MovementPhase) -> None:
        self._context = context
        self._state = state
        self._frame = frame

    def branches(self) -> Iterator[Branch[Action]]:
        """The end of the MPh, every unit and stack with a way to go, and weapons that may be dropped."""
        vehicles = self._state.vehicles
        if not vehicles or refuse_standing_by(self._context, self._state, self._frame.player) is None:
            yield Branch("done", "done", "End the MPh", Leaf[Action](Done()))
        if vehicles:
            yield from self._vehicles()
        for hex_units in self._stacks():
            for units in parts_of(self._context, hex_units):
                node = self._node(units)
                if node is not None:
                    names = "+".join(unit.id for unit in units)
                    yield Branch(names, "unit", _title(self._context, units), node, units[0].id)
            if len(hex_units) > MOST_SUBSETS and next(self._company((), hex_units), None) is not None:
                yield self._company_branch(hex_units)
        if next(droppable(self._state, self._frame.player), None) is not None:
            yield Branch("drop", "order", "Drop a weapon", Pick(self._drops))

    def _vehicles(self) -> Iterator[Branch[Action]]:
        """Vehicles that may spend MP, and crews that may change between CE and BU without any."""
        for vehicle in drivable(self._context, self._state, self._frame.player):
            path = drive_path(self._context, self._state, vehicle)
            yield Branch(vehicle.id, "unit", self._context.vehicle_title(vehicle), path, vehicle.id)
            first = fires_first(self._context, self._state, vehicle)
            if first is not None:
                yield first
        crews = list(crew_branches(self._context, self._state, self._frame.player))
        if crews:
            yield Branch("crew", "order", "Crew Exposed or buttoned up", Pick(lambda: crews))

    def _drops(self) -> Iterator[Branch[Action]]:
        """Weapons that anybody unbroken may leave where he stands, whether or not he may move (4.0)."""
        for weapon in droppable(self._state, self._frame.player):
            label = f"{weapon.owner} drops {self._context.weapon_title(weapon)}"
            yield Branch(weapon.id, "weapon", label, Leaf[Action](DropWeapon(weapon.id)), weapon.id)

    def _company_branch(self, stack: Sequence[Unit]) -> Branch[Action]:
        """Of a stack too large for every part of it to be listed, those who move together are named one by one."""
        then = Pick(partial(self._company, (), stack))
        if stack[0].hex is None:
            return Branch(f"{stack[0].force}+", "stack", "Units off board together", then)
        label = self._context.label(stack[0].hex)
        return Branch(f"{label}+", "stack", f"Units in {label} together", then, label, is_hex=True)

    def _company(self, chosen: tuple[Unit, ...], rest: Sequence[Unit]) -> Iterator[Branch[Action]]:
        """Off together, or one more of those that stand behind them in the stack, within its limits (3.3.1)."""
        if len(chosen) > 1:
            yield from (self._mode_branch(chosen, mode) for mode in self._ways(chosen))
        for index, unit in enumerate(rest, start=1):
            more, later = (*chosen, unit), rest[index:]
            if may_stack(self._context, self._state, more) and (self._ways(more) if chosen else later):
                then = Pick(partial(self._company, more, later))
                if chosen or next(self._company(more, later), None) is not None:
                    yield Branch(unit.id, "unit", _title(self._context, (unit,)), then, unit.id)

    def _stacks(self) -> list[list[Unit]]:
        found: dict[object, list[Unit]] = {}
        for unit in _movable(self._state, self._frame.player):
            place = (unit.hex, unit.force) if unit.hex is None else unit.hex
            found.setdefault(place, []).append(unit)
        return list(found.values())

    def _node(self, units: tuple[Unit, ...]) -> Node[Action] | None:
        modes = self._ways(units)
        if not modes:
            return None
        return Pick(lambda: (self._mode_branch(units, mode) for mode in modes))

    def _ways(self, units: tuple[Unit, ...]) -> list[str]:
        return [mode for mode in _modes(units) if _has_way(self._context, self._state, units, mode)]

    def _mode_branch(self, units: tuple[Unit, ...], mode: str) -> Branch[Action]:
        mover, now = _start(self._context, self._state, units, mode)
        build = partial(_move, tuple(unit.id for unit in units), mode)
        return Branch(mode or "move", "order", _MODES[mode], MovePath(mover, now, build))

    def sample(self, rng: Random) -> Action:
        """A random unit, stack or vehicle on a random move; now and then the end of the MPh."""
        stacks = self._stacks()
        if self._state.vehicles:
            # Those who must move come before those who may: nobody ends the MPh before them.
            waits = refuse_standing_by(self._context, self._state, self._frame.player) is not None
            action = self._sample_vehicle(rng, 0 if waits else len(stacks))
            if action is not None:
                return action
        for _ in range(4):
            if not stacks or rng.random() < 1 / (1 + 4 * len(stacks)):
                return Done()
            units = _some(stacks[int(rng.random() * len(stacks))], rng)
            modes = _modes(units)
            mode = modes[int(rng.random() * len(modes))]
            mover, now = _start(self._context, self._state, units, mode)
            if next(mover.ways(now), None) is not None or next(mover.extras(now), None) is not None:
                return MovePath(mover, now, partial(_move, tuple([unit.id for unit in units]), mode)).sample(rng)
        return Done()

    def _sample_vehicle(self, rng: Random, stacks: int) -> Action | None:
        """A random vehicle's move, as likely as that of a stack; one that must move comes before the end of the MPh."""
        vehicles = list(drivable(self._context, self._state, self._frame.player))
        if not vehicles or (rng.random() * (len(vehicles) + stacks) >= len(vehicles) and stacks):
            return None
        if (
            rng.random() < 1 / (1 + 4 * len(vehicles))
            and refuse_standing_by(self._context, self._state, self._frame.player) is None
        ):
            return Done()
        vehicle = vehicles[int(rng.random() * len(vehicles))]
        first = fires_first(self._context, self._state, vehicle) if rng.random() < FIRES_FIRST else None
        return (first.then if first is not None else drive_path(self._context, self._state, vehicle)).sample(rng)


def _some(stack: Sequence[Unit], rng: Random) -> tuple[Unit, ...]:
    """One of a stack, or all of it."""
    if len(stack) == 1 or rng.random() < 0.5:
        return (stack[int(rng.random() * len(stack))],)
    return tuple(stack)


FIRES_FIRST = 0.2
"""How often a random vehicle that could fire before it moves does so."""
_MODES = {"": "Move", "assault": "Assault Movement", "double time": "Double Time"}
"""The ways to move, in the kit's words (3.3.1)."""


def _modes(units: Sequence[Unit]) -> list[str]:
    for unit in units:
        if unit.wounded or unit.tired or unit.cx:
            return ["", "assault"]
    return ["", "assault", "double time"]


def _move(units: tuple[UnitId, ...], mode: str, steps: tuple[MoveStep, ...], halt: bool) -> Action:
    return Move(units, steps, assault=mode == "assault", double_time=mode == "double time", halt=halt)


def _title(context: Context, units: Sequence[Unit]) -> str:
    return " + ".join(f"{context.card(unit).name} {unit.id}" for unit in units)


# --- going on ---------------------------------------------------------------------------------------------------


def _ways_on(context: Context, state: State, frame: Moving) -> Iterator[Branch[Action]]:
    yield Branch("end", "stop", "Go no farther", Leaf[Action](Continue()))
    for group in (present(frame), *frame.waiting):
        stack = [state.units[unit_id] for unit_id in group.units]
        for units in parts_of(context, stack):
            names = tuple(unit.id for unit in units)
            if len(frame.stack) > 1:
                yield from _ending(context, state, frame, names)
            node = _path_on(context, state, frame, group, units)
            if node is not None:
                yield Branch("+".join(names), "unit", f"Go on with {_title(context, units)}", node, names[0])


def _ending(context: Context, state: State, frame: Moving, names: tuple[UnitId, ...]) -> Iterator[Branch[Action]]:
    action = Continue(names)
    if refuse_continue(context, state, frame, action) is None:
        label = f"{', '.join(names)}: go no farther"
        yield Branch(f"end {'+'.join(names)}", "stop", label, Leaf[Action](action), names[0])


def _path_on(
    context: Context, state: State, frame: Moving, group: MoveGroup, units: tuple[Unit, ...]
) -> Node[Action] | None:
    mover, now = mover_of(context, state, frame, units), progress_of(state, frame, group)
    first = mover.first_step(now)
    names = tuple(unit.id for unit in units)
    if first is None or refuse_continue(context, state, frame, Continue(names, (first,))) is not None:
        return None
    return MovePath(mover, now, lambda steps, halt: Continue(names, steps, halt=halt))
