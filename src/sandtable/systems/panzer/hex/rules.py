"""The ruleset of one game: what ties the handlers of the frames, secrecy, words and pictures together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from sandtable.core.capabilities import StepPrice
from sandtable.core.decision import Seat
from sandtable.core.errors import Refusal
from sandtable.core.frames import FrameRules
from sandtable.core.modifier import Breakdown
from sandtable.core.odds import Supposition
from sandtable.core.ruleset import NO_EFFECT, Outcome, SystemCard
from sandtable.core.showing import Shown
from sandtable.core.view import Counter, Danger, Track, View
from sandtable.geo.hex import Hex
from sandtable.geo.map import GameMap
from sandtable.systems.panzer.hex import events as ev
from sandtable.systems.panzer.hex import secrecy
from sandtable.systems.panzer.hex.actions import (
    Action,
    spends,
)
from sandtable.systems.panzer.hex.advice import threats
from sandtable.systems.panzer.hex.combat.suppositions import suppositions
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.display import build_view, counter_of, tracks
from sandtable.systems.panzer.hex.fold import FACTS
from sandtable.systems.panzer.hex.handler import Handler, Play
from sandtable.systems.panzer.hex.narrate import Narrator
from sandtable.systems.panzer.hex.objectives import final_outcome, initial_objectives
from sandtable.systems.panzer.hex.sequence import HANDLERS, next_phase
from sandtable.systems.panzer.hex.showing import show
from sandtable.systems.panzer.hex.sight.los import LineOfSight
from sandtable.systems.panzer.hex.sight.smoke import with_smoke
from sandtable.systems.panzer.hex.state import State
from sandtable.systems.panzer.secrecy import conceal_commands, hide_commands, other_commands
from sandtable.systems.panzer.sequence import Phase
from sandtable.systems.panzer.unit import Status

__all__ = ["PanzerRules"]


class PanzerRules(FrameRules[Context, State, Action, ev.Event]):
    """A scenario of the Panzer family on hexes, ready to play."""

    base_state = State
    handlers = HANDLERS
    facts = FACTS

    def __init__(self, card: SystemCard, context: Context) -> None:
        self.card = card
        super().__init__(context)
        self.seats = context.scenario.seats
        self.narrator = Narrator(context)
        self.cards = context.cards
        """All vehicles by id, for those who look one up."""

    @property
    def game_map(self) -> GameMap:
        """The map that is played on."""
        return self.context.game_map

    def card_of(self, state: State) -> dict[str, str]:
        """Card id of every vehicle."""
        return {unit_id: unit.card for unit_id, unit in state.units.items()}

    def setup(self) -> State:
        """The vehicles and wrecks of the scenario, before the first turn."""
        scenario = self.context.scenario
        state = self.state_type(0, Phase.ADJUSTMENT, "", dict(scenario.units), scenario.wrecks)
        return replace(state, objectives=initial_objectives(state, scenario, self.context.cards))

    def opening(self, play: Play) -> None:
        """The first turn."""
        play.emit(ev.TurnBegan(1))

    def next_phase(self, play: Play) -> None:
        """The phase after the present one."""
        next_phase(self.context, play)

    def beside_the_point(self, state: State, action: Action) -> Refusal:
        """The refusal of an action that does not answer what is asked."""
        asking = self.asking(state)
        title = asking.title if asking is not None else "nothing"
        return Refusal("4.0", f"{type(action).__name__} does not answer what is asked: {title}")

    def conceal(self, state: State, seat: Seat | None) -> State:
        """The state as a seat may know it."""
        units = conceal_commands(state.units, seat)
        return replace(state, units=units, stack=self.conceal_stack(state, seat))

    def hidden_variants(self, state: State, seat: Seat) -> Iterator[State]:
        """States that a seat cannot tell from this one."""
        for stack in self.stack_variants(state, seat):
            yield replace(state, stack=stack)
        for units in other_commands(state.units, seat):
            yield replace(state, units=units)

    def may_hide(self, state: State, holder: Seat) -> bool:
        """Whether a force can have secrets now."""
        return hide_commands(state.units.values(), holder) or self.stack_may_hide(state, holder)

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

    def redact(self, event: ev.Event, seat: Seat | None) -> ev.Event | None:
        """The event as a seat may know it."""
        match event:
            case ev.Opened() | ev.Changed():
                return self.redact_frame(event, seat)
            case ev.CommandsPlaced() if event.seat != seat:
                return ev.CommandsPlaced(event.seat, {})
            case ev.CommandConverted() if self.context.scenario.units[event.unit].side != seat:
                return None
        return event

    def redact_action(self, action: Action, by: Seat, seat: Seat | None) -> Action | None:
        """The action as a seat may know it."""
        return secrecy.redact_action(action, by, seat)

    def reveals(self, event: ev.Event) -> bool:
        """Whether undo stops at the event."""
        return secrecy.reveals(event)

    def breakdowns(self, event: ev.Event) -> tuple[Breakdown, ...]:
        """The numbers that an event rests on."""
        match event:
            case ev.ShotResolved():
                return (event.number,)
            case ev.ArmourStruck():
                return (event.margin,)
            case ev.UnitMoved() | ev.UnitTurned() | ev.UnitExited() | ev.UnitEntered():
                return (event.cost,)
            case _:
                return ()

    def step_price(self, event: ev.Event) -> StepPrice | None:
        """What a step of a move costs, in Movement Points."""
        match event:
            case ev.UnitMoved() | ev.UnitTurned() | ev.UnitExited() | ev.UnitEntered():
                return StepPrice(event.cost.total, event.cost.explain())
            case _:
                return None

    def narrate(self, event: ev.Event) -> str:
        """The event in a sentence."""
        return self.narrator.event(event)

    def show(self, event: ev.Event) -> Shown | None:
        """What is to be seen of the event."""
        return show(self.context, event)

    def spends(self, action: Action) -> bool:
        """Whether the action uses something up."""
        return spends(action)

    def describe(self, action: Action) -> str:
        """The action in a phrase."""
        return self.narrator.action(action)

    def place(self, label: str) -> Hex:
        """The hex of a label."""
        return self.context.game_map.hex(label)

    def consequence(self, before: State, after: State) -> str:
        """What became of the vehicles between two states."""
        changes = []
        for unit_id, unit in sorted(after.units.items()):
            was = before.units[unit_id]
            if unit.status is not was.status and unit.status in (Status.KNOCKED_OUT, Status.BREWED_UP):
                changes.append(f"{unit_id} {unit.status.value}")
            elif unit.damaged and not was.damaged:
                changes.append(f"{unit_id} damaged")
        return ", ".join(changes) or NO_EFFECT

    def sight(self, state: State, a: Hex, b: Hex) -> LineOfSight:
        """All about the line between two hexes, with the smoke on it."""
        return with_smoke(self.context.ground.sight(a, b), state)

    def field(self, state: State, hex: Hex) -> frozenset[Hex]:  # noqa: ARG002 - smoke does not block
        """The hexes seen from a hex."""
        return self.context.ground.field_of_sight(hex)

    def threats(self, state: State, seat: Seat | None, hex: str) -> list[Danger]:
        """What could hit a vehicle of the seat in the hex."""
        return threats(self.context, state, seat, hex)

    def suppositions(self, state: State, seat: Seat, action: Action) -> Sequence[Supposition]:  # noqa: ARG002
        """What the odds of an action leave out (4.4.3.2.2, 4.4.3.2.4)."""
        return suppositions(state, action)

    def why_not(self, state: State, seat: Seat, keys: tuple[str, ...], ref: str, *, is_hex: bool) -> Refusal | None:
        """Why something cannot be picked."""
        handler, frame = self.top(state)
        return handler.why_not(state, frame, seat, keys, ref, is_hex=is_hex) if isinstance(handler, Handler) else None

    def outcome(self, state: State) -> Outcome | None:
        """How the game ended."""
        return final_outcome(state, self.context.scenario, self.context.cards) if state.ended else None
