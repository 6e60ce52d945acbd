"""The ruleset of one game on a table: what ties the handlers of the frames, secrecy, words and pictures together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.core.errors import Refusal
from sandtable.core.frames import Changed, FrameRules, Opened
from sandtable.core.modifier import Breakdown
from sandtable.core.odds import Supposition
from sandtable.core.ruleset import NO_EFFECT, Outcome, SystemCard
from sandtable.core.showing import Shown
from sandtable.core.view import Area, Counter, Danger, Track, View, Zone
from sandtable.geo.plane.points import Point
from sandtable.geo.plane.sight import PlaneSight
from sandtable.geo.plane.table import TableMap
from sandtable.systems.panzer import events as shared
from sandtable.systems.panzer.combat.fire_events import HitResolved
from sandtable.systems.panzer.mini import events as ev
from sandtable.systems.panzer.mini.actions import (
    Action,
    ChooseZone,
    Enter,
    Fire,
    HoldFire,
    Move,
    MoveOn,
    Pass,
    PlaceCommands,
)
from sandtable.systems.panzer.mini.combat.suppositions import suppositions
from sandtable.systems.panzer.mini.combat.threats import threats
from sandtable.systems.panzer.mini.context import Context
from sandtable.systems.panzer.mini.display import build_view, counter_of, tracks
from sandtable.systems.panzer.mini.fold import FACTS
from sandtable.systems.panzer.mini.handler import Play
from sandtable.systems.panzer.mini.narrate import Narrator
from sandtable.systems.panzer.mini.objectives import final_outcome
from sandtable.systems.panzer.mini.outlines import OUTLINE_TITLES, outlines
from sandtable.systems.panzer.mini.sequence import HANDLERS, next_phase
from sandtable.systems.panzer.mini.setup.handlers import open_set_up
from sandtable.systems.panzer.mini.showing import show
from sandtable.systems.panzer.mini.sight.field import seen_from
from sandtable.systems.panzer.mini.state import Hold, State, Until
from sandtable.systems.panzer.secrecy import conceal_commands, hide_commands, other_commands
from sandtable.systems.panzer.sequence import Phase
from sandtable.systems.panzer.unit import Status

__all__ = ["MiniRules"]

_REVEALING = (shared.CommandRevealed, ev.UnitEntered, ev.UnitMoved, ev.UnitExited, shared.MoveEnded)
_GONE = {Status.KNOCKED_OUT: "knocked out", Status.BREWED_UP: "brewed up", Status.EXITED: "leaves the table"}


class MiniRules(FrameRules[Context, State, Action, shared.Event]):
    """A scenario of Panzer miniatures, ready to play."""

    base_state = State
    handlers = HANDLERS
    facts = FACTS

    def __init__(self, card: SystemCard, context: Context) -> None:
        self.card = card
        super().__init__(context)
        self.seats = context.scenario.seats
        self.narrator = Narrator(context)
        played = sorted({unit.card for unit in context.scenario.units.values()})
        self.cards = {name: context.cards[name] for name in played}
        """The cards of the scenario by id, for those who look one up."""

    @property
    def table(self) -> TableMap:
        """The table that is played on."""
        return self.context.table

    def card_of(self, state: State) -> dict[str, str]:
        """Card id of every unit."""
        return {unit_id: unit.card for unit_id, unit in state.units.items()}

    def setup(self) -> State:
        """The units of the scenario, before anybody sets up."""
        scenario = self.context.scenario
        return self.state_type(0, Phase.ADJUSTMENT, "", dict(scenario.units), patches=scenario.patches)

    def opening(self, play: Play) -> None:
        """Set-up, where there is one."""
        open_set_up(self.context, play)

    def next_phase(self, play: Play) -> None:
        """The phase after the present one."""
        next_phase(self.context, play)

    def beside_the_point(self, state: State, action: Action) -> Refusal:
        """The refusal of an action that does not answer what is asked."""
        return replace(super().beside_the_point(state, action), rule="3.0")

    def conceal(self, state: State, seat: Seat | None) -> State:
        """The state as a seat may know it."""
        holds = {holder: hold for holder, hold in state.holds.items() if holder == seat}
        units = conceal_commands(state.units, seat)
        return replace(state, units=units, holds=holds, stack=self.conceal_stack(state, seat))

    def hidden_variants(self, state: State, seat: Seat) -> Iterator[State]:
        """States that a seat cannot tell from this one."""
        for stack in self.stack_variants(state, seat):
            yield replace(state, stack=stack)
        for units in other_commands(state.units, seat):
            yield replace(state, units=units)
        if state.phase is Phase.MOVEMENT:
            own = {holder: hold for holder, hold in state.holds.items() if holder == seat}
            yield replace(state, holds={**own, self.context.other(seat): Hold(Until.MOVE_ENDS)})

    def may_hide(self, state: State, holder: Seat) -> bool:
        """Whether a force can have secrets now."""
        standing = state.phase is Phase.MOVEMENT
        return standing or hide_commands(state.units.values(), holder) or self.stack_may_hide(state, holder)

    def view(self, state: State, seat: Seat | None) -> View:
        """What a seat may see."""
        concealed = self.conceal(state, seat)
        return build_view(self.context, concealed, seat, self.asking(concealed), self.outcome(concealed))

    def counter(self, known: State, unit: str) -> Counter | None:
        """One counter as the view has it."""
        return counter_of(self.context, known, unit)

    def tracks(self, known: State) -> tuple[Track, ...]:
        """The tracks as the view has them."""
        return tracks(self.context, known)

    def redact(self, event: shared.Event, seat: Seat | None) -> shared.Event | None:
        """The event as a seat may know it."""
        match event:
            case Opened() | Changed():
                return self.redact_frame(event, seat)
            case shared.CommandsPlaced() if event.seat != seat:
                return shared.CommandsPlaced(event.seat, {})
            case ev.OverwatchHeld() if event.seat != seat:
                return None
        return event

    def redact_action(self, action: Action, by: Seat, seat: Seat | None) -> Action | None:
        """The action as a seat may know it: no orders, and no way that is still to come."""
        if by == seat:
            return action
        match action:
            case PlaceCommands():
                return PlaceCommands({})
            case Move():
                return Move(action.unit)
            case MoveOn():
                return None
            case HoldFire():
                return Pass()
            case _:
                return action

    def reveals(self, event: shared.Event) -> bool:
        """Whether undo stops at the event."""
        return isinstance(event, _REVEALING)

    def breakdowns(self, event: shared.Event) -> tuple[Breakdown, ...]:
        """The numbers that an event rests on."""
        match event:
            case ev.UnitMoved() | ev.UnitExited():
                return (event.cost,)
            case ev.WallRolled():
                return (event.net,)
            case ev.ShotFired():
                return (event.number,)
            case HitResolved() if event.margin is not None:
                return (event.margin,)
            case _:
                return ()

    def narrate(self, event: shared.Event) -> str:
        """The event in a sentence."""
        return self.narrator.event(event)

    def show(self, event: shared.Event) -> Shown | None:
        """What is to be seen of the event."""
        return show(event)

    @property
    def outline_titles(self) -> Mapping[str, str]:
        """The shapes that a vehicle has."""
        return OUTLINE_TITLES

    def outlines(self, state: State, seat: Seat | None, unit: str, what: str) -> Sequence[Zone]:  # noqa: ARG002
        """The shapes of one kind for a vehicle."""
        return outlines(self.context, state, unit, what)

    def areas(self, state: State, action: Action) -> Sequence[Area]:  # noqa: ARG002
        """The zone in which a force would set up (23.1.3)."""
        match action:
            case ChooseZone(zone=name) if name in self.context.scenario.zones:
                outline = tuple((corner.x, corner.y) for corner in self.context.scenario.zones[name])
                return (Area(f"your zone, {name}", (), outlines=(outline,)),)
            case _:
                return ()

    def describe(self, action: Action) -> str:
        """The action in a phrase."""
        return self.narrator.action(action)

    def spends(self, action: Action) -> bool:
        """Whether the action uses something up."""
        return isinstance(action, Fire | Enter | Move | MoveOn)

    @rule("4.5", "4.5.3", editions=("panzer-mini",))
    def sight_line(self, state: State, a: Point, b: Point) -> PlaneSight:
        """All about the line between two places, its range first: anybody may measure at any time (4.5.3)"""
        return self.context.sights(state).line(a, b)

    def sight_field(self, state: State, at: Point) -> Sequence[tuple[Point, ...]]:
        """What is seen from a place, as strips of an inch for showing."""
        return seen_from(self.context.sights(state), self.context.table, at)

    def threats(self, state: State, seat: Seat | None, hex: str) -> list[Danger]:
        """What could hit a vehicle of the seat at a place."""
        return threats(self.context, state, seat, self.context.table.place(hex))

    def place(self, label: str) -> Point:
        """The point of a label."""
        return self.context.table.place(label)

    def consequence(self, before: State, after: State) -> str:
        """What became of the vehicles between two states."""
        changes = []
        for unit_id, unit in sorted(after.units.items()):
            was = before.units[unit_id]
            if unit.status is not was.status and unit.status in _GONE:
                changes.append(f"{unit_id} {_GONE[unit.status]}")
            elif unit.damaged and not was.damaged:
                changes.append(f"{unit_id} damaged")
            if unit.markers.track and not was.markers.track:
                changes.append(f"{unit_id} tracked")
        return ", ".join(changes) or NO_EFFECT

    @property
    def merges_odds(self) -> bool:
        """Hits, locations and damage lead to few positions in many ways."""
        return True

    def suppositions(self, state: State, seat: Seat, action: Action) -> Sequence[Supposition]:  # noqa: ARG002
        """What the odds of an action leave out (8.4.2.2, 8.4.5.1.1)."""
        return suppositions(self.context, state, action)

    def outcome(self, state: State) -> Outcome | None:
        """How the game ended."""
        return final_outcome(state, self.context.scenario, self.context.cards) if state.ended else None
