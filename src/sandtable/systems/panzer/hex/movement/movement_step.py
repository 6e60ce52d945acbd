"""4.5 Movement Phase: whose turn it is to move, and what each unit may set out to do: move, search, overrun, load.

A move is announced as a whole path; ``moving`` is about the vehicle on its way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch, Leaf, Node, Path, Pick, Seat
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking, Changed, Closed
from sandtable.systems.panzer import events as ev
from sandtable.systems.panzer.advanced_card import UnitClass
from sandtable.systems.panzer.combat.wreck_smoke import smoke_takes_effect
from sandtable.systems.panzer.frames import Movement
from sandtable.systems.panzer.hex.actions import (
    Action,
    Decline,
    DismountAttack,
    Load,
    LoadGun,
    March,
    Move,
    Overrun,
    SearchHullDown,
    UnloadGun,
)
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.handler import Handler, Play
from sandtable.systems.panzer.hex.movement.boarding import load_branch, resting_carriers
from sandtable.systems.panzer.hex.movement.close_combat.dismount_attacks import (
    dismount_attack,
    dismount_attacks,
    refuse_dismount_attack,
)
from sandtable.systems.panzer.hex.movement.columns import refuse_out_of_order
from sandtable.systems.panzer.hex.movement.move_path import MovePath
from sandtable.systems.panzer.hex.movement.movement import refuse_move
from sandtable.systems.panzer.hex.movement.out_of_reach import out_of_reach
from sandtable.systems.panzer.hex.movement.overrunning import (
    overruns,
    refuse_overrunning,
)
from sandtable.systems.panzer.hex.movement.portee import gun_branches, refuse_gun, shift_gun
from sandtable.systems.panzer.hex.movement.positions import (
    refuse_searching,
    search,
    searches,
)
from sandtable.systems.panzer.hex.movement.transporting import (
    load,
    refuse_loading,
)
from sandtable.systems.panzer.hex.movement.under_way import start_move
from sandtable.systems.panzer.hex.state import State, Unit
from sandtable.systems.panzer.movement.march import refuse_gait
from sandtable.systems.panzer.movement.speed import Gait
from sandtable.systems.panzer.unit import MOVING_COMMANDS, Status, refuse_stranger

if TYPE_CHECKING:
    from random import Random

__all__ = ["MovementHandler", "has_moved", "waiting_to_move"]


_MAY_MOVE = (Status.IN_PLAY, Status.RESERVE)
_DEEDS = ("search ", "overrun ")
"""How the keys of what a vehicle does instead of a move begin."""
_DARING = 0.2
"""How often random play looks for such a deed."""


@rule("4.5")
def waiting_to_move(state: State, player: str) -> list[Unit]:
    """The vehicles that must still execute a MOVE or SHORT HALT (4.5)."""
    waiting = list(_waiting(state, player))
    waiting.sort(key=attrgetter("id"))
    return waiting


def _waiting(state: State, player: str) -> Iterator[Unit]:
    for unit in state.units.values():
        if not unit.moved and unit.side == player and unit.command in MOVING_COMMANDS and unit.status in _MAY_MOVE:
            yield unit


@rule("4.5.1.1")
def _refuse_move(context: Context, state: State, frame: Movement, action: Move | March) -> Refusal | None:
    """Why the vehicle may not make this move (4.5.1.1)."""
    unit = state.units.get(action.unit)
    if unit is None or unit.side != frame.player:
        return Refusal("3.1", f"{action.unit!r} is no vehicle of {frame.player}", "name one of yours")
    if unit not in waiting_to_move(state, frame.player):
        return Refusal("4.5", f"{unit.id} has no MOVE or SHORT HALT left to execute", "name one that has still to move")
    refusal = refuse_out_of_order(context, state, unit) if context.scenario.roster else None
    if refusal is not None:
        return refusal
    if isinstance(action, March):
        if action.gait is Gait.MARCH:
            return Refusal("6.6.4", f"{unit.id} marches by a plain move", "a move, a quickmarch or crawling")
        return refuse_move(context, state, unit.id, action.legs, gait=action.gait)
    return refuse_move(context, state, unit.id, action.legs, enter=action.enter, facing=action.facing)


def has_moved(state: State, side: str) -> bool:
    """Whether the Movement step of a side is over: the First Player's is the last (4.5)."""
    bottom = state.stack[0] if state.stack else None
    return isinstance(bottom, Movement) and bottom.first and side != state.first


class _Moves(Node[Action]):
    """A vehicle that must still move, and its path; whoever draws one move has that of one vehicle made."""

    __slots__ = ("_context", "_frame", "_player", "_state")

    def __init__(self, context: Context, state: State, frame: Movement) -> None:
        self._context = context
        self._state = state
        self._frame = frame
        self._player = frame.player

    def branches(self) -> Iterator[Branch[Action]]:
        """Every vehicle."""
        for unit in self._ready():
            yield self._way(unit)
        if self._context.is_advanced:
            yield from self._resting()

    def _ready(self) -> list[Unit]:
        """Those whose turn it is: a column moves from its head to its tail (6.2.1.1.3)."""
        waiting = waiting_to_move(self._state, self._player)
        if not self._context.scenario.roster:
            return waiting
        return [unit for unit in waiting if refuse_out_of_order(self._context, self._state, unit) is None]

    def _resting(self) -> Iterator[Branch[Action]]:
        """Who may get on or off vehicles that do not move; and that nobody does, when all others have moved."""
        context, state = self._context, self._state
        for carrier in resting_carriers(context, state, self._player):
            label = f"{context.cards[carrier.card].name} {carrier.id}"
            board = load_branch(context, state, carrier, None)
            ways = [] if board is None else [board]
            ways += gun_branches(context, state, carrier, None)
            ways += dismount_attacks(context, state, carrier, None)
            below: Node[Action] = Pick(partial(list, ways))
            yield Branch(carrier.id, "unit", label, below, carrier.id)
        if next(_waiting(state, self._player), None) is None:
            yield Branch("done", "pass", "nobody mounts or dismounts", Leaf(Decline()))

    def branch(self, key: str) -> Branch[Action] | None:
        """One vehicle."""
        found = next((unit for unit in self._ready() if unit.id == key), None)
        if found is None and self._context.is_advanced:
            return next((branch for branch in self._resting() if branch.key == key), None)
        return None if found is None else self._way(found)

    def _way(self, unit: Unit) -> Branch[Action]:
        label = f"{self._context.cards[unit.card].name} {unit.id}"
        return Branch(unit.id, "unit", label, self._moves(unit), unit.id)

    def _moves(self, unit: Unit) -> Node[Action]:
        """The moves of a unit, by its gaits where it has a choice of them (6.6.4)."""
        context, state = self._context, self._state
        if not context.scenario.roster:
            return MovePath(context, state, unit.id)
        gaits = _gaits(context, unit)
        if len(gaits) > 1:
            return Pick(
                lambda: [Branch(gait, "order", gait, MovePath(context, state, unit.id, gait=gait)) for gait in gaits]
            )
        path = MovePath(context, state, unit.id)
        if unit.hex is None or context.cards[unit.card].unit_class is not UnitClass.VEHICLE:
            return path
        return _MoveOr(path, partial(_deeds, context, state, self._frame, unit))

    def sample(self, rng: Random) -> Action:
        """A fair choice among the vehicles, then a move of it."""
        waiting = self._ready()
        if not waiting:
            return super().sample(rng)
        unit = waiting[int(rng.random() * len(waiting))]
        return self._moves(unit).sample(rng)


class _MoveOr(Path[Action]):
    """The moves of a vehicle, or what it may do instead: search for a position, overrun somebody."""

    __slots__ = ("_deeds", "_path")

    def __init__(self, path: MovePath, deeds: Callable[[], Iterator[Branch[Action]]]) -> None:
        self._path = path
        self._deeds = deeds

    def branches(self) -> Iterator[Branch[Action]]:
        """The first choices of the move, then the deeds."""
        yield from self._path.branches()
        yield from self._deeds()

    def destinations(self) -> Iterator[Branch[Action]]:
        """Every place where the move may end, then the deeds that ask for nothing more."""
        yield from self._path.destinations()
        yield from (deed for deed in self._deeds() if isinstance(deed.then, Leaf))

    def count(self) -> int | None:
        """Number of complete moves and of deeds."""
        moves = self._path.count()
        return None if moves is None else moves + sum(1 for _ in self._deeds())

    def branch(self, key: str) -> Branch[Action] | None:
        """One first choice of the move, or one of the deeds."""
        if key.startswith(_DEEDS):
            return next((branch for branch in self._deeds() if branch.key == key), None)
        return self._path.branch(key)

    def sample(self, rng: Random) -> Action:
        """A random move, or now and then one of the deeds, if there are any."""
        if rng.random() < _DARING:
            deeds = list(self._deeds())
            if deeds:
                return deeds[int(rng.random() * len(deeds))].then.sample(rng)
        return self._path.sample(rng)


def _deeds(context: Context, state: State, frame: Movement, unit: Unit) -> Iterator[Branch[Action]]:
    """What a vehicle may do instead of a move."""
    yield from searches(context, state, unit)
    yield from overruns(context, state, frame, unit)


def _gaits(context: Context, unit: Unit) -> list[Gait]:
    """The gaits that a unit may use: march, and for some quickmarch or crawl (6.6.4)."""
    facts = context.move_facts(unit)
    if facts is None or not facts.unit_class.is_leg or unit.hex is None:
        return [Gait.MARCH]
    return [gait for gait in Gait if refuse_gait(facts, gait) is None]


class MovementHandler(Handler[Movement]):
    """4.5: a player's Movement step."""

    frame = Movement
    answers = (Move, March, Overrun, SearchHullDown, Load, UnloadGun, LoadGun, DismountAttack, Decline)

    def question(self, state: State, frame: Movement) -> Asking:
        """The player of the step; when all have moved, who still gets on or off (6.6.7.1.1)."""
        if self.context.is_advanced and next(_waiting(state, frame.player), None) is None:
            return Asking("6.6.7.1.1", "Mount or dismount units", (frame.player,))
        what = "unit" if self.context.is_advanced else "vehicle"
        return Asking("4.5.1.1", f"Move a {what}", (frame.player,))

    def options(self, state: State, frame: Movement, seat: Seat) -> Node[Action]:
        """A vehicle and its path (4.5.1.1)."""
        return _Moves(self.context, state, frame)

    def why_not(
        self, state: State, frame: Movement, seat: Seat, keys: Sequence[str], ref: str, *, is_hex: bool
    ) -> Refusal | None:
        """A hex that the vehicle picked before does not get to."""
        return out_of_reach(self.context, state, keys[0], ref, is_hex=is_hex) if keys else None

    def refusal(self, state: State, frame: Movement, seat: Seat, action: Action) -> Refusal | None:
        """A vehicle that may not move, or not like this."""
        if isinstance(action, Move):
            return _refuse_move(self.context, state, frame, action)
        if isinstance(action, Load | UnloadGun | LoadGun | DismountAttack):
            return _refuse_resting_load(self.context, state, frame, action)
        if isinstance(action, Overrun | SearchHullDown):
            return _refuse_deed(self.context, state, frame, action)
        if isinstance(action, Decline):
            if self.context.is_advanced and next(_waiting(state, frame.player), None) is None:
                return None
            return Refusal("6.6.7.1.1", "there are units that have still to move", "move them first")
        assert isinstance(action, March)  # noqa: S101 - the only other answer
        return _refuse_move(self.context, state, frame, action)

    def apply(self, play: Play, frame: Movement, seat: Seat, action: Action) -> None:
        """The vehicle sets off, or takes passengers on and off where it stands."""
        if isinstance(action, Move):
            start_move(self.context, play, action)
            return
        if isinstance(action, Load):
            load(self.context, play, action, None)
            return
        if isinstance(action, UnloadGun | LoadGun):
            shift_gun(self.context, play, action, None)
            return
        if isinstance(action, DismountAttack):
            dismount_attack(self.context, play, action, None)
            return
        if isinstance(action, Decline):
            play.emit(Changed(replace(frame, done=True)))
            return
        if isinstance(action, SearchHullDown):
            search(self.context, play, action)
            return
        if isinstance(action, Overrun):
            units = (action.unit, *action.others)
            announced = {**frame.overruns, **dict.fromkeys(units, action.target)}
            play.emit(Changed(replace(frame, overruns=announced)))
            play.emit(ev.AttackBound(action.target, units))
            start_move(self.context, play, action)
            return
        assert isinstance(action, March)  # noqa: S101 - the only other answer
        start_move(self.context, play, action)

    @rule("4.5", "4.5.1")
    def advance(self, play: Play, frame: Movement) -> bool:
        """The Second Player moves all his vehicles, then the First Player (4.5)."""
        if next(_waiting(play.state, frame.player), None) is not None:
            return False
        if self.context.is_advanced and not frame.done and resting_carriers(self.context, play.state, frame.player):
            return False
        smoke_takes_effect(play)
        if frame.first:
            play.emit(Closed())
        else:
            play.emit(Changed(Movement(self.context.other(frame.player), first=True)))
        return True


def _refuse_deed(context: Context, state: State, frame: Movement, action: Overrun | SearchHullDown) -> Refusal | None:
    """Why a vehicle may not search for a position, or overrun somebody."""
    unit = state.units.get(action.unit)
    if unit is None or unit.side != frame.player:
        return Refusal("3.1", f"{action.unit!r} is no vehicle of {frame.player}", "name one of yours")
    if unit not in waiting_to_move(state, frame.player):
        return Refusal("4.5", f"{unit.id} has no MOVE left to execute", "name one that has still to move")
    refusal = refuse_out_of_order(context, state, unit)
    if refusal is not None:
        return refusal
    if isinstance(action, SearchHullDown):
        return refuse_searching(context, state, unit, action)
    return refuse_overrunning(context, state, frame, action)


@rule("6.6.7.1.1", editions=("panzer-na",))
def _refuse_resting_load(
    context: Context, state: State, frame: Movement, action: Load | UnloadGun | LoadGun | DismountAttack
) -> Refusal | None:
    """Why a vehicle that does not move may not take these units on and off (6.6.7.1.1)."""
    name = action.unit if isinstance(action, UnloadGun | LoadGun) else action.carrier
    carrier = state.units.get(name)
    if carrier is None or carrier.side != frame.player or not carrier.in_play:
        return refuse_stranger(name, frame.player, "vehicle")
    if context.move_facts(carrier) is None:
        return Refusal("6.6.7", "the Basic Game has no transport", "move a vehicle")
    if carrier.command in MOVING_COMMANDS:
        return Refusal("6.6.7.1.1", f"{carrier.id} has a {carrier.command} command", "mount and dismount on its move")
    if isinstance(action, DismountAttack):
        return refuse_dismount_attack(context, state, action, None)
    if isinstance(action, UnloadGun | LoadGun):
        return refuse_gun(context, state, action, None)
    return refuse_loading(context, state, action, None)
