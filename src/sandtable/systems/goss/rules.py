"""The ruleset of one game: what ties the handlers of the frames, secrecy, words and pictures together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from weakref import ref

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Options, Seat
from sandtable.core.dice import SeededDice
from sandtable.core.errors import Refusal
from sandtable.core.frames import Changed, FrameRules, Opened
from sandtable.core.modifier import Breakdown
from sandtable.core.odds import first_answer
from sandtable.core.ruleset import NO_EFFECT, Outcome, SystemCard
from sandtable.core.sheet import Sheet
from sandtable.core.view import Counter, Track, View
from sandtable.geo.hex import Hex
from sandtable.geo.map import GameMap
from sandtable.geo.sight import HexSight
from sandtable.systems.goss import secrecy
from sandtable.systems.goss.assault.forecast import assault_sheet
from sandtable.systems.goss.assault.frames import assault_of
from sandtable.systems.goss.assault.resolving import is_at_dice
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.facts import FACTS, GameEnded
from sandtable.systems.goss.common.handler import Action, Fact, Handler, Play, SegmentHandler, nearest
from sandtable.systems.goss.common.state import BridgeChange, BridgeKind, FormationState, FuelState, State, WorkHere
from sandtable.systems.goss.display import build_view, counter_of, tracks
from sandtable.systems.goss.observation.sight_tool import field_of_sight, line_of_sight
from sandtable.systems.goss.pieces.card import FormationId
from sandtable.systems.goss.sequence import HANDLERS, begin_segment
from sandtable.systems.goss.support.fire_plan import Fire
from sandtable.systems.goss.support.firing import Laying
from sandtable.systems.goss.support.forecast import mission_sheet
from sandtable.systems.goss.turn.segments import Moment, following
from sandtable.systems.goss.victory import outcome

__all__ = ["GossRules"]

_MOST_STEPS = 60
"""Of an assault until the dice."""


class GossRules(FrameRules[Context, State, Action, object]):
    """A scenario of GOSS, ready to play."""

    base_state = State
    handlers = HANDLERS
    facts = FACTS

    def __init__(self, card: SystemCard, context: Context) -> None:
        self.card = card
        super().__init__(context)
        self.seats: tuple[Seat, ...] = context.seats
        self.cards = context.shelf.cards
        self._known: dict[Seat | None, tuple[ref[State], ref[State]]] = {}
        self._for_seats: dict[Seat, GossRules] = {}
        self._segments = {
            handler.step: handler for handler in self.all_handlers() if isinstance(handler, SegmentHandler)
        }

    def for_seat(self, seat: Seat) -> GossRules:
        """The same rules with a memory of their own, of what a seat may know."""
        found = self._for_seats.get(seat)
        if found is None:
            found = self._for_seats.setdefault(seat, GossRules(self.card, self.context.apart()))
        return found

    @property
    def game_map(self) -> GameMap:
        """The map that is played on."""
        return self.context.game_map

    def card_of(self, state: State) -> dict[str, str]:
        """Card id of every unit."""
        return {unit.id: unit.card for unit in state.units.values()}

    @rule("2.2.0")
    def setup(self) -> State:
        """Everybody where the scenario has him."""
        scenario = self.context.scenario
        return self.state_type(
            at=Moment(0),
            units=dict(scenario.units),
            weather=scenario.weather[0],
            works=tuple(WorkHere(hex, kind, side) for hex, kind, side in scenario.works),
            bridges=tuple(BridgeChange(side, BridgeKind.DOWN) for side in scenario.bridges_down),
            ammo={side.id: side.amp for side in scenario.draft.sides if side.amp},
            formations={
                FormationId(form.id): FormationState(
                    FuelState(form.fuel), form.fuel_value, is_by_units=form.fuel_for == "units"
                )
                for side in scenario.draft.sides
                for form in side.formations
                if form.fuel != FuelState.NORMAL
            },
        )

    def next_phase(self, play: Play) -> None:
        """The segment after the present one."""
        at = following(play.state.at, self.context.calendar, self.context.seats)
        if at is None:
            play.emit(GameEnded("The last game turn is over."))
        else:
            self.open_segment(play, at)

    def open_segment(self, play: Play, at: Moment) -> None:
        """Begin a segment."""
        begin_segment(self.context, self._segments, play, at)

    def known(self, state: State, seat: Seat | None) -> State:
        """The state with what is hidden from a seat taken off the map; the questions stay.

        Remembered for the last state, of which much is asked, as long as somebody else holds it: from the rules nobody
        gets at what is hidden. What is known already stays as it is. Threads that meet here may work it out twice.
        """
        kept = self._known.get(seat)
        known = kept[1]() if kept is not None and (kept[0]() is state or kept[1]() is state) else None
        if known is None:
            known = secrecy.conceal(self.context, state, state.stack, seat)
            self._known[seat] = (ref(state), ref(known))
        return known

    @rule("8.4.0")
    def _options(self, state: State, frame: Any, seat: Seat) -> Options[Action]:
        """The answers by what the seat knows: nothing hidden makes a difference to them."""
        return super()._options(self.known(state, seat), frame, seat)

    def refusal(self, state: State, seat: Seat, action: Action) -> Refusal | None:
        """Why the action does not answer the open question; nothing that is hidden from the seat is a reason."""
        return super().refusal(self.known(state, seat), seat, action)

    def conceal(self, state: State, seat: Seat | None) -> State:
        """The state as a seat may know it."""
        return secrecy.conceal(self.context, state, self.conceal_stack(state, seat), seat)

    def hidden_variants(self, state: State, seat: Seat | None) -> Iterator[State]:
        """States that a seat cannot tell from this one."""
        for stack in self.stack_variants(state, seat):
            yield replace(state, stack=stack)
        yield from secrecy.hidden_variants(self.context, state, seat)

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

    def redact(self, event: Any, seat: Seat | None) -> Any:
        """The event as a seat may know it."""
        if isinstance(event, Opened | Changed):
            return self.redact_frame(event, seat)
        return event.known_to(seat) if isinstance(event, Fact) else event

    def redact_action(self, action: Action, by: Seat, seat: Seat | None) -> Action | None:
        """The action as a seat may know it."""
        return None if action.is_secret() and by != seat else action

    def reveals(self, event: object) -> bool:
        """Whether undo stops at the event."""
        return isinstance(event, Fact) and event.reveals()

    def breakdowns(self, event: object) -> tuple[Breakdown, ...]:
        """The numbers that an event rests on."""
        return event.breakdowns() if isinstance(event, Fact) else ()

    def narrate(self, event: object) -> str:
        """The event in a sentence."""
        return event.sentence(self.context) if isinstance(event, Fact) else ""

    def describe(self, action: Action) -> str:
        """The action in a phrase."""
        return action.phrase(self.context)

    def spends(self, action: Action) -> bool:
        """Whether the action uses something up."""
        return action.spends()

    def place(self, label: str) -> Hex:
        """The hex of a number."""
        return self.context.game_map.hex(label)

    def sight(self, state: State, a: Hex, b: Hex) -> HexSight:
        """All about the line between two hexes, at this time of the day."""
        return line_of_sight(self.context, state, a, b)

    def field(self, state: State, hex: Hex) -> frozenset[Hex]:
        """The hexes seen from a hex, at this time of the day."""
        return field_of_sight(self.context, state, hex)

    def is_plain(self, action: Action) -> bool:
        """Whether nothing need be worked out before an action is confirmed."""
        return action.is_plain()

    def sheet(self, state: State, seat: Seat, action: Action) -> Sheet | None:
        """The assault or the mission that an action would begin or change, on its sheet."""
        if isinstance(action, Fire):
            return mission_sheet(self.context, state, nearest(state, Laying), action)
        if not self._is_before_dice(state):
            return None
        coming = self._before_the_dice(state, seat, action)
        return None if coming is None else assault_sheet(self.context, coming, assault_of(coming))

    def _before_the_dice(self, state: State, seat: Seat, action: Action) -> State | None:
        """The state in which an assault comes to the dice, with plain answers to all that is asked until then."""
        dice = SeededDice(0)
        play = self.start(state, seat, action, dice)
        for _ in range(_MOST_STEPS):
            if is_at_dice(play.state):
                return play.state
            if not self._is_before_dice(play.state):
                return None
            if not self.step(play):
                decision = self.decision(play.state)
                if decision is None or isinstance(self.top(play.state)[0], SegmentHandler):
                    return None
                (other,) = decision.asked
                play = self.start(play.state, other, first_answer(decision, other), dice)
        return None

    def _is_before_dice(self, state: State) -> bool:
        """Whether an assault whose dice have not fallen yet is under way, or the next segment may begin one."""
        handler, _ = self.top(state)
        return not isinstance(handler, Handler) or handler.is_before_dice

    def consequence(self, before: State, after: State) -> str:
        """What became of the units between two states."""
        told = [
            f"{self.context.title(one)} {now.box or f'{now.steps} step' + 's' * (now.steps != 1)}"
            for one, now in after.units.items()
            if one in before.units and (now.box, now.steps) != (before.units[one].box, before.units[one].steps)
        ]
        return "; ".join(told) or NO_EFFECT

    def outcome(self, state: State) -> Outcome | None:
        """How the game ended."""
        return outcome(self.context, state) if state.ended else None
