"""10.1 Pivot Step: orders are turned over; a vehicle whose MOVE was not used may face another way."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch, Judged, Leaf, Mark, Node, Pick, Seat, Stroke, Suggestion, Sweep
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking, Changed, Closed, Opened
from sandtable.core.tree.drawing import Strokes
from sandtable.geo.plane.bases import Base, overlap, run_into
from sandtable.geo.plane.ways import FACE
from sandtable.systems.panzer import events as shared
from sandtable.systems.panzer.mini import events as ev
from sandtable.systems.panzer.mini.actions import Action, Decline, Pivot
from sandtable.systems.panzer.mini.adjustment.frames import PivotStep
from sandtable.systems.panzer.mini.context import Context
from sandtable.systems.panzer.mini.handler import Handler, Play
from sandtable.systems.panzer.mini.scenario.bound import base_of, holds_base
from sandtable.systems.panzer.mini.standing import refuse_ground
from sandtable.systems.panzer.mini.state import State, Unit
from sandtable.systems.panzer.unit import MOVING_COMMANDS, Spot, Status, UnitId

if TYPE_CHECKING:
    from random import Random

__all__ = ["PivotPath", "PivotStepHandler", "may_pivot", "open_pivots"]

BOOK = ("panzer-mini",)
_COMPASS = range(0, 3600, 450)


@rule("10.1", editions=BOOK)
def open_pivots(context: Context, play: Play) -> None:
    """Turn all orders over, mark those that were to move and did not, and ask who pivots (10.1)."""
    for unit in play.state.units.values():
        if not unit.known and (unit.in_play or unit.status is Status.RESERVE):
            play.emit(shared.CommandRevealed(unit.id, unit.command))
    for unit in play.state.units.values():
        if _is_unused(unit):
            play.emit(shared.SpotMarked(unit.id, Spot.MOVE))
    first = Seat(play.state.first)
    order = (first, context.other(first))
    play.emit(Opened(PivotStep(order, may_pivot(play.state, first))))


def _is_unused(unit: Unit) -> bool:
    """Has a MOVE, or the move part of a SHORT HALT, that it has not executed."""
    return unit.in_play and unit.command in MOVING_COMMANDS and not unit.moved


def may_pivot(state: State, player: str) -> tuple[UnitId, ...]:
    """Vehicles that may pivot: not those with Track hits (8.4.5.3)."""
    units = [unit for unit in state.units.values() if unit.side == player]
    return tuple(unit.id for unit in units if _is_unused(unit) and not unit.markers.track)


class PivotPath(Sweep[Action]):
    """A vehicle that turns where it stands."""

    verbs = (FACE,)

    def __init__(self, context: Context, state: State, unit: Unit) -> None:
        assert unit.at is not None  # noqa: S101 - on the table
        self._context, self._state, self._unit = context, state, unit
        self._card = context.card_of(unit)
        self.start, self.heading = unit.at, unit.heading
        base = base_of(self._card, unit.at, unit.heading)
        self.base = base.width, base.depth

    def worded(self, strokes: Strokes) -> Action:
        return Pivot(self._unit.id, strokes)

    def strokes_of(self, action: Action) -> Strokes | None:
        return action.strokes if isinstance(action, Pivot) and action.unit == self._unit.id else None

    @rule("10.1", editions=BOOK)
    def judge(self, strokes: Strokes) -> Judged:
        """Any heading, but no step (10.1); and on nobody (9.9)."""
        here = Mark(self.start, self.heading, 0)
        match strokes:
            case ():
                return Judged(None, 0, (here,))
            case (Stroke(verb="face", at=None, heading=int(heading), ref=""),) if 0 <= heading < 3600:
                refusal = self._refusal(heading)
                return (
                    Judged(None, 1, (Mark(self.start, heading, 0),)) if refusal is None else Judged(refusal, 0, (here,))
                )
            case _:
                return Judged(Refusal("10.1", "it turns once and does not move", "face 45"), 0, (here,))

    @rule("10.1", "9.7.2", "9.9", editions=BOOK)
    def _refusal(self, heading: int) -> Refusal | None:
        """Over the edge, upon somebody, or through a wall: walls are for those who move (9.7.2)."""
        if heading == self.heading:
            return None
        base = base_of(self._card, self.start, heading)
        if not holds_base(self._context.table, base):
            return Refusal("10.1", "it would stand over the edge of the table", "another heading")
        upon = next((key for key, other in self._others().items() if overlap(base, other)), "")
        here = base_of(self._card, self.start, self.heading)
        going = self._context.going(self._state)
        wrecks = [wreck.outline for wreck in going.wrecks]
        # Whoever was lost upon it bars no heading.
        if upon or any(run_into(base, base, wreck) and not run_into(here, here, wreck) for wreck in wrecks):
            return Refusal("9.9", f"it would stand upon {upon or 'a wreck'}", "another heading")
        if set(going.met(here, here)) != set(going.met(base, base)):
            return Refusal("9.7.2", "it would break through the wall of a building", "another heading")
        return refuse_ground(going, self._card, base)

    def _others(self) -> dict[str, Base]:
        return {key: base for key, base in self._context.standing(self._state).items() if key != self._unit.id}

    def suggestions(self) -> Iterator[Suggestion]:
        yield Suggestion("stay", ())
        for heading in _COMPASS:
            if self._refusal(heading) is None:
                yield Suggestion(f"face {heading / 10:g}", (Stroke(FACE, heading=heading),))

    def sketch(self, rng: Random) -> Strokes:
        heading = rng.randrange(3600)
        return (Stroke(FACE, heading=heading),) if self._refusal(heading) is None else ()


class PivotStepHandler(Handler[PivotStep]):
    """10.1: force after force, vehicle after vehicle."""

    frame = PivotStep
    answers = (Pivot, Decline)

    def question(self, state: State, frame: PivotStep) -> Asking:
        """The force whose vehicles may pivot."""
        return Asking("10.1", "Pivot a vehicle", frame.waiting[:1])

    def options(self, state: State, frame: PivotStep, seat: Seat) -> Node[Action]:
        """A vehicle and its new heading, or nobody else."""
        return Pick(partial(self._ways, state, frame))

    def _ways(self, state: State, frame: PivotStep) -> Iterator[Branch[Action]]:
        yield Branch("done", "pass", "nobody else pivots", Leaf(Decline()))
        for unit_id in frame.units:
            unit = state.units[unit_id]
            yield Branch(unit_id, "unit", self.context.name(unit), PivotPath(self.context, state, unit), unit_id)

    def refusal(self, state: State, frame: PivotStep, seat: Seat, action: Action) -> Refusal | None:
        """A vehicle that has no unused MOVE, or pivots upon somebody."""
        if isinstance(action, Decline):
            return None
        assert isinstance(action, Pivot)  # noqa: S101 - the only other answer
        if action.unit not in frame.units:
            return Refusal(
                "10.1", f"{action.unit!r} has no unused MOVE or SHORT HALT", "one that has, and has not pivoted"
            )
        return PivotPath(self.context, state, state.units[action.unit]).judge(action.strokes).refusal

    def apply(self, play: Play, frame: PivotStep, seat: Seat, action: Action) -> None:
        """It faces the other way."""
        if isinstance(action, Decline):
            play.emit(Changed(PivotStep(frame.waiting, ())))
            return
        assert isinstance(action, Pivot)  # noqa: S101 - the only other answer
        for stroke in action.strokes:
            assert stroke.heading is not None  # noqa: S101 - of a legal drawing
            play.emit(ev.UnitPivoted(action.unit, stroke.heading))
        play.emit(Changed(PivotStep(frame.waiting, tuple(unit for unit in frame.units if unit != action.unit))))

    def advance(self, play: Play, frame: PivotStep) -> bool:
        """The next force, when this one is done."""
        if frame.units:
            return False
        waiting = frame.waiting[1:]
        if waiting:
            play.emit(Changed(PivotStep(waiting, may_pivot(play.state, waiting[0]))))
        else:
            play.emit(Closed())
        return True
