"""7.4-7.5, 5.2.3 The Movement Segment: by road, off the roads, in PA mode, move after move.

A move is units and a whole path, carried out hex by hex. It ends early where a halt is proved that the mover could not
know (7.7.0).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any, ClassVar

import msgspec
from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch, Leaf, Node, Pick, Seat
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking, Closed, Opened, unchanged
from sandtable.core.modifier import Breakdown
from sandtable.geo.hex import Hex, direction_to
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.fog import top_of
from sandtable.systems.goss.common.handler import Action, Fact, Frame, Play, SegmentHandler
from sandtable.systems.goss.common.harm import tire
from sandtable.systems.goss.common.rest import is_resting, show_rest
from sandtable.systems.goss.common.state import State, entered, with_units
from sandtable.systems.goss.common.weak_bridges import heavy_over
from sandtable.systems.goss.movement.aftermath import is_spared, report_recon, spend_supply
from sandtable.systems.goss.movement.barriers import breaks_rest
from sandtable.systems.goss.movement.bottlenecks import count_crossings
from sandtable.systems.goss.movement.ferrying import FERRY_FOLDS, ferry_over
from sandtable.systems.goss.movement.front import Halt
from sandtable.systems.goss.movement.fuel import take_fuel
from sandtable.systems.goss.movement.marches import Marches
from sandtable.systems.goss.movement.move_path import MovePath, Moves
from sandtable.systems.goss.movement.party import Party, can_move, hex_of, kind_of
from sandtable.systems.goss.movement.road_stacking import overstack_in
from sandtable.systems.goss.movement.walk import MoveProgress
from sandtable.systems.goss.movement.ways import Kind
from sandtable.systems.goss.movement.withdrawing import is_due, may_leave_from
from sandtable.systems.goss.observation.arranging import (
    ARRANGING_FOLDS,
    PutOnTop,
    arranged,
    arranging_refusal,
    put_on_top,
)
from sandtable.systems.goss.observation.disclosure import ReconReported
from sandtable.systems.goss.pieces.unit import Unit, UnitId
from sandtable.systems.goss.tables.movement_costs import ONE_MP, mp_text
from sandtable.systems.goss.turn.segments import Step

__all__ = [
    "EndMoves",
    "Halted",
    "Leg",
    "March",
    "Marched",
    "MovesCleared",
    "NonRoadHandler",
    "NonRoadMarch",
    "PreparedHandler",
    "PreparedMarch",
    "RoadHandler",
    "RoadMarch",
]


class RoadMarch(Frame, frozen=True):
    """Mech road movement of a side (7.10.0)."""

    player: Seat


class NonRoadMarch(Frame, frozen=True):
    """Movement of a side off the roads (7.11.0)."""

    player: Seat


class PreparedMarch(Frame, frozen=True):
    """PA movement of a side (5.2.3)."""

    player: Seat


AnyMarch = RoadMarch | NonRoadMarch | PreparedMarch


class Leg(msgspec.Struct, frozen=True):
    """A step of a move."""

    to: Hex


class March(Action, frozen=True):
    """Units move along a path, as one."""

    units: tuple[UnitId, ...]
    way: tuple[Leg, ...]

    def phrase(self, context: Context) -> str:
        """Who, and where to."""
        return f"{'; '.join(map(context.title, self.units))} to {context.label(self.way[-1].to) if self.way else '-'}"

    def is_plain(self) -> bool:
        """The way is shown."""
        return False

    def is_secret(self) -> bool:
        """Who goes under the first counter, and where he meant to go on to, is not told (8.4.0)."""
        return True


class EndMoves(Action, frozen=True):
    """All have moved who are to move."""

    def phrase(self, context: Context) -> str:  # noqa: ARG002
        """It in a phrase."""
        return "end the moves"


class Marched(Fact, frozen=True):
    """Units moved along a path (7.5.0); what they spent, and who is under the first, is the owner's to know."""

    side: Seat
    units: tuple[UnitId, ...]
    way: tuple[Hex, ...]
    spent: int = 0
    """In sixths of a movement point; in hexes of PA movement."""
    allowance: Breakdown | None = None

    def sentence(self, context: Context) -> str:
        """Who, where to, and for how much."""
        who = "; ".join(map(context.title, self.units))
        paid = ""
        if self.allowance is not None:
            in_points = self.allowance.rule == "7.1.0"
            spent = f"{mp_text(self.spent)} of {self.allowance.total} MP" if in_points else f"{self.spent} hexes"
            paid = f" ({spent})"
        return f"{who} to {context.label(self.way[-1])}{paid}." if self.way else f"{who} cannot move."

    def breakdowns(self) -> tuple[Breakdown, ...]:
        """The allowance."""
        return (self.allowance,) if self.allowance is not None else ()

    def known_to(self, seat: Seat | None) -> Fact | None:
        """The enemy sees a counter move (8.4.0)."""
        return self if seat == self.side else Marched(self.side, self.units[:1], self.way)


class Halted(Fact, frozen=True):
    """A move was halted by what its owner did not know, and it was proved to him (7.7.0)."""

    units: tuple[UnitId, ...]
    hex: Hex
    halt: Halt

    def sentence(self, context: Context) -> str:
        """Who, where, why."""
        proof = "; ".join(map(context.title, self.halt.proof))
        why = f"{self.halt.why}: {proof}" if proof else self.halt.why
        return f"{context.title(self.units[0])} must halt in {context.label(self.hex)} ({self.halt.rule}): {why}."

    def known_to(self, seat: Seat | None) -> Fact | None:  # noqa: ARG002
        """Both see it; the enemy of the mover only whom he saw move."""
        return self if len(self.units) == 1 else replace(self, units=self.units[:1])

    def reveals(self) -> bool:
        """It shows what was hidden."""
        return True


class MovesCleared(Fact, frozen=True):
    """A Movement Phase begins: nobody of the side has moved yet."""

    side: Seat


def _cleared(state: State, event: MovesCleared) -> State:
    movers = (unit for unit in state.units.values() if unit.side == event.side and unit.has_moved)
    return with_units(state, *(replace(unit, has_moved=False) for unit in movers))


def _marched(state: State, event: Marched) -> State:
    units = (state.units[one] for one in event.units)
    if not event.way:
        return with_units(state, *(replace(unit, has_moved=True) for unit in units))
    return with_units(state, *(replace(entered(state, unit, event.way[-1]), has_moved=True) for unit in units))


_FOLDS: Mapping[type, Callable[[Any, Any], Any]] = {
    Marched: _marched,
    Halted: unchanged,
    MovesCleared: _cleared,
    ReconReported: unchanged,
    **ARRANGING_FOLDS,
    **FERRY_FOLDS,
}


_MUST_LEAVE = Refusal(
    "21.4.0", "units that are to be withdrawn must go where they can leave from", "the quickest way to such a hex"
)


class _MarchHandler(SegmentHandler[Any]):
    """What all kinds of movement have in common."""

    kind: ClassVar[Kind]
    number: ClassVar[str]
    answers = (March, EndMoves, PutOnTop)
    folds = _FOLDS

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._marches = context.room(Marches)

    def begin(self, play: Play, player: Seat) -> None:
        """Asked only if somebody may move."""
        if self._has_movers(play.state, player):
            play.emit(Opened(self.frame(player)))

    def _has_movers(self, state: State, player: Seat) -> bool:
        return any(
            unit.side == player and can_move(self.context, state, unit, self.kind) for unit in state.units.values()
        )

    def question(self, state: State, frame: AnyMarch) -> Asking:  # noqa: ARG002
        """The side whose turn it is moves."""
        return Asking(self.number, f"Move units: {self.kind}", (frame.player,))

    def options(self, state: State, frame: AnyMarch, seat: Seat) -> Node[Action]:  # noqa: ARG002
        """To be done, or the moves of those who may move as one."""
        done = None if self._debtors(state, seat) else EndMoves()
        return Moves(
            done,
            lambda: self._parties(state, seat),
            lambda party: self._branch(state, party),
            arranged(self.context, state, seat),
        )

    @rule("21.4.0")
    def _debtors(self, state: State, seat: Seat) -> list[Party]:
        """Units that are to be withdrawn and have not moved where they can leave from, though they can (21.4.0).

        Who can do so off the roads need not do it by road.
        """
        if not self.context.scenario.withdrawals or self.kind is Kind.PREPARED:
            return []
        mine = [unit for unit in state.units.values() if unit.side == seat and is_due(self.context, state, unit)]
        able = [unit for unit in mine if can_move(self.context, state, unit, self.kind)]
        return [(unit,) for unit in able if self._goals(state, (unit,)) and not self._can_wait(state, unit)]

    def _can_wait(self, state: State, unit: Unit) -> bool:
        is_later = self.kind is Kind.ROAD and can_move(self.context, state, unit, Kind.NON_ROAD)
        return is_later and bool(self._goals(state, (unit,), Kind.NON_ROAD))

    def _goals(self, state: State, party: Party, kind: Kind | None = None) -> list[Branch[Action]]:
        """The moves by which units that are to be withdrawn can leave the map, the quickest to each hex (21.4.0)."""
        if not any(is_due(self.context, state, unit) for unit in party):
            return []
        places = {
            self.context.game_map.hex(branch.ref): branch for branch in self._path(state, party, kind).destinations()
        }
        return [
            branch
            for hex, branch in places.items()
            if all(may_leave_from(self.context, state, unit, hex) for unit in party)
        ]

    def _parties(self, state: State, seat: Seat) -> list[Party]:
        return self._marches.parties(state, seat, self.kind)

    def _branch(self, state: State, party: Party) -> Branch[Action]:
        ids = tuple(unit.id for unit in party)
        goals = self._goals(state, party)
        path: Node[Action] = Pick(lambda: goals) if goals else self._path(state, party)
        label = "; ".join(map(self.context.title, ids))
        return Branch("+".join(ids), "unit", label, path, ids[0])

    def _path(self, state: State, party: Party, kind: Kind | None = None) -> MovePath:
        ids = tuple(unit.id for unit in party)
        walk = self._marches.walk(state, party, kind or self.kind)
        stacks = self.context.deployment(state)

        def crowd(hex: Hex) -> str:
            others = (unit for unit in stacks.at(hex) if unit.side == party[0].side and unit.id not in ids)
            return overstack_in(self.context, (*others, *party), hex)

        def build(hexes: tuple[Hex, ...]) -> March:
            return March(ids, tuple(Leg(hex) for hex in hexes))

        return MovePath(self.context, walk, walk.start(), build, crowd=crowd)

    @rule("7.0", "7.5.0", "7.5.2")
    def refusal(self, state: State, frame: AnyMarch, seat: Seat, action: Action) -> Refusal | None:  # noqa: ARG002
        """Units that may move as one now, along a path that each of its steps allows."""
        if isinstance(action, EndMoves):
            return _MUST_LEAVE if self._debtors(state, seat) else None
        if isinstance(action, PutOnTop):
            return arranging_refusal(self.context, state, seat, action.unit)
        assert isinstance(action, March)  # noqa: S101 - `answers` says so
        party = self._marches.party(state, seat, self.kind, action.units)
        if party is None:
            return Refusal("7.5.1", "they do not move as one now", "a unit, or a stack, that may move in this segment")
        if not action.way:
            return Refusal("7.5.0", "a move leads somewhere", "a path of at least one hex")
        walk = self._marches.walk(state, party, self.kind)
        place: MoveProgress | None = walk.start()
        for leg in action.way:
            assert place is not None  # noqa: S101 - else it was refused
            way = direction_to(place.hex, leg.to)
            if way is None:
                return Refusal("7.5.0", f"{self.context.label(place.hex)} has no such neighbour", "hex after hex")
            here, place = place, walk.go(place, way)
            if place is None:
                number, reason = walk.why_not(here, way)
                return Refusal(number, f"{self._name(leg.to)}: {reason}", "another way, or a shorter one")
        goals = self._goals(state, party)
        if goals and not any(isinstance(goal.then, Leaf) and goal.then.action == action for goal in goals):
            return _MUST_LEAVE
        return None

    def _name(self, hex: Hex) -> str:
        return self.context.label(hex) if hex in self.context.ground.hexes else "off the map"

    def apply(self, play: Play, frame: AnyMarch, seat: Seat, action: Action) -> None:
        """Carry a move out, hex by hex."""
        if isinstance(action, EndMoves):
            play.emit(Closed())
            return
        if isinstance(action, PutOnTop):
            put_on_top(play, action.unit)
            return
        assert isinstance(action, March)  # noqa: S101 - `answers` says so
        party = self._marches.party(play.state, seat, self.kind, action.units)
        assert party is not None  # noqa: S101 - else it was refused
        self._run(play, party, [leg.to for leg in action.way])
        if not self._has_movers(play.state, frame.player):
            play.emit(Closed())

    @rule("8.4.0")
    def _top_first(self, state: State, party: Party) -> tuple[UnitId, ...]:
        """The units with the one first that lies on top of them while they move: it is what the enemy sees (8.4.0)."""
        moving = tuple(replace(unit, in_works=False) for unit in party)
        top = top_of(self.context, moving, state.tops)
        return tuple(unit.id for unit in sorted(moving, key=lambda unit: unit is not top))

    @rule("7.7.0")
    def _run(self, play: Play, party: Party, way: list[Hex]) -> None:
        """Step after step, until it is done or something stops it (7.7.0)."""
        context, side = self.context, party[0].side
        walk = self._marches.walk(play.state, party, self.kind, runs=True)
        front = self._marches.front(play.state, side)
        place, gone = walk.start(), list[Hex]()
        for hex in way:
            direction = direction_to(place.hex, hex)
            after = None if direction is None or place.is_over else walk.go(place, direction)
            if after is None or not heavy_over(play, context, party, place.hex, hex):
                break
            place = after
            gone.append(hex)
        track, spent = place.best()
        ids, told = self._top_first(play.state, party), walk.tracks[track].told
        over = walk.tracks[track].ferry
        if over is not None and over in pairwise([hex_of(party), *gone]):
            ferry_over(play, context, party, over)
        play.emit(Marched(side, ids, tuple(gone), spent, told))
        kind = kind_of(context, party, self.kind)
        if kind is not Kind.BATTERY:
            take_fuel(play, context, ids)
        count_crossings(context, play, self.kind, [hex_of(party), *gone])
        halt = front.halt(place.hex)
        if place.is_over and len(gone) < len(way) and halt is not None:
            play.emit(Halted(ids, place.hex, halt))
        if 2 * spent > told.total * ONE_MP and not is_spared(kind, [hex_of(party), *gone], front):
            tire(play, context, [unit.id for unit in party if is_resting(context, play.state, unit)])
        if any(breaks_rest(context, party, front, *step) for step in pairwise([hex_of(party), *gone])):
            show_rest(play, context, [unit for unit in party if not is_resting(context, play.state, unit)])
        if kind.counts_points:
            first = direction_to(hex_of(party), gone[0]) if len(gone) == 1 else None
            spend_supply(play, context, ids, spent, is_minimum=first is not None and walk.is_minimum(first))
        report_recon(context, play, party)


class RoadHandler(_MarchHandler):
    """7.10 Mech road movement."""

    frame, step, kind, number = RoadMarch, Step.ROAD, Kind.ROAD, "7.10.0"


class NonRoadHandler(_MarchHandler):
    """7.11 Non-road movement."""

    frame, step, kind, number = NonRoadMarch, Step.NON_ROAD, Kind.NON_ROAD, "7.11.0"


class PreparedHandler(_MarchHandler):
    """5.2.3 PA movement."""

    frame, step, kind, number = PreparedMarch, Step.PREPARED, Kind.PREPARED, "5.2.3"
