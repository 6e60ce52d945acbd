"""The ruleset of one game: what ties the handlers of the frames, secrecy, words and pictures together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from msgspec.structs import replace

from sandtable.core.capabilities import StepPrice
from sandtable.core.content.rule import rule
from sandtable.core.decision import Options, Seat
from sandtable.core.dice import Dice
from sandtable.core.errors import Refusal, Refused
from sandtable.core.frames import Changed, FrameRules, Opened
from sandtable.core.modifier import Breakdown
from sandtable.core.odds import Chance, Supposition
from sandtable.core.piece_count import Piece
from sandtable.core.ruleset import Outcome, Resolution, SystemCard
from sandtable.core.showing import Shown
from sandtable.core.view import Counter, Track, View
from sandtable.geo.hex import Hex
from sandtable.geo.map import GameMap
from sandtable.systems.aslsk import secrecy
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import (
    Action,
    CloseAttack,
    DeclareCloseCombat,
    Fire,
    FireOrdnance,
    ReactionFire,
)
from sandtable.systems.aslsk.common.consequence import consequence
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.fact import HALVES, Fact, cost_in_mf
from sandtable.systems.aslsk.common.fold import FACTS
from sandtable.systems.aslsk.common.handler import Handler
from sandtable.systems.aslsk.common.hidden import hidden_units, reveal_those_who_act, veiled
from sandtable.systems.aslsk.common.memory import Memory
from sandtable.systems.aslsk.common.sight_now import sight_now
from sandtable.systems.aslsk.common.vehicle_actions import FireGun, FireVehicle
from sandtable.systems.aslsk.common.words import Words
from sandtable.systems.aslsk.display import build_view, counter_of, tracks
from sandtable.systems.aslsk.fire.firing_handler import FiringHandler
from sandtable.systems.aslsk.foresight import TrustedGround, is_dark, refuse_sight, trusting
from sandtable.systems.aslsk.odds.close_combat_odds import combat_numbers, combat_odds
from sandtable.systems.aslsk.odds.fire_odds import target_odds
from sandtable.systems.aslsk.odds.vehicle_combat_odds import close_attack_numbers, close_attack_odds, reaction_odds
from sandtable.systems.aslsk.phases.close_combat_phase import CloseCombatHandler
from sandtable.systems.aslsk.piece_count import pieces
from sandtable.systems.aslsk.pieces.cards import CardId, UnitCard, WeaponCard
from sandtable.systems.aslsk.pieces.state import Phase, State
from sandtable.systems.aslsk.pieces.vehicle_cards import VehicleCard
from sandtable.systems.aslsk.sequence import HANDLERS, SequenceOfPlay, settle
from sandtable.systems.aslsk.terrain.sight import Sight
from sandtable.systems.aslsk.vehicles.vehicle_events import VehicleMoved, VehicleSpent
from sandtable.systems.aslsk.victory import final_outcome, starting_control

__all__ = ["AslskRules"]


class AslskRules(FrameRules[Context, State, Action, ev.Event]):
    """A scenario of the Starter Kit, ready to play."""

    base_state = State
    handlers = HANDLERS
    facts = FACTS

    def __init__(self, card: SystemCard, context: Context) -> None:
        self.card = card
        super().__init__(context)
        self.sequence = SequenceOfPlay(context)
        self.seats = context.scenario.seats
        self._words = Words(context)
        self._for_seats: dict[Seat, AslskRules] = {}
        self.cards: dict[CardId, UnitCard | WeaponCard | VehicleCard] = {
            **context.cards.units,
            **context.cards.weapons,
            **context.cards.vehicles,
        }
        """All counters by id, for those who look one up."""

    def for_seat(self, seat: Seat) -> AslskRules:
        """The same rules with a memory of their own, of what a seat may know."""
        found = self._for_seats.get(seat)
        if found is None:
            context = replace(self.context, memory=Memory())
            found = self._for_seats.setdefault(seat, AslskRules(self.card, context))
        return found

    @property
    def game_map(self) -> GameMap:
        """The map that is played on."""
        return self.context.game_map

    def card_of(self, state: State) -> dict[str, str]:
        """Card id of every unit, weapon and vehicle."""
        return {
            piece.id: piece.card for pieces in (state.units, state.weapons, state.vehicles) for piece in pieces.values()
        }

    def setup(self) -> State:
        """The order of battle, before anybody has set up."""
        scenario = self.context.scenario
        return self.state_type(
            turn=0,
            attacker=scenario.seats[0],
            phase=Phase.SETUP,
            units=dict(scenario.units),
            weapons=dict(scenario.weapons),
            vehicles=dict(scenario.vehicles),
            control=starting_control(self.context),
        )

    def next_phase(self, play: Play) -> None:
        """The phase after the present one."""
        self.sequence.go_on(play)

    def settle(self, play: Play) -> None:
        """What holds at any moment."""
        settle(self.context, play)

    def _options(self, state: State, frame: Any, seat: Seat) -> Options[Action]:
        """The answers as they are without what is hidden from who is asked: it makes no difference to them (6.4)."""
        known = veiled(self.context, state, seat) if self.context.scenario.hiders else state
        return super()._options(known, frame, seat)

    def refusal(self, state: State, seat: Seat, action: Action) -> Refusal | None:
        """Why the action does not answer the open question; nothing that is hidden from the seat is a reason (6.4)."""
        return super().refusal(veiled(self.context, state, seat), seat, action)

    @rule("6.4")
    def resolve(self, state: State, seat: Seat, action: Action, dice: Dice) -> Play:
        """What comes of a legal action; whoever acts is hidden no longer (6.4)."""
        if self.context.scenario.hiders and hidden_units(self.context, state):
            play: Play = Resolution(state, self.fold, dice)
            reveal_those_who_act(self.context, play, seat, action)
            handler, frame = self.top(play.state)
            if handler is not None:
                handler.apply(play, frame, seat, action)
        else:
            play = self.start(state, seat, action, dice)
        self.advance(play)
        return play

    @rule("3.0")
    def beside_the_point(self, state: State, action: Action) -> Refusal:
        """The refusal of an action that does not answer what is asked: when it is taken (3.0)."""
        asking = self.asking(state)
        if asking is None:
            return Refusal("3.0", "the game is over", "look at it in the replay, or begin another")
        return Refusal(
            asking.rule,
            f"{action.deed} is for {action.when}, and what is asked now is: {asking.title}",
            "answer that first",
        )

    def conceal(self, state: State, seat: Seat | None) -> State:
        """The state as a seat may know it."""
        return secrecy.conceal(self.context, state, self.conceal_stack(state, seat), seat)

    def hidden_variants(self, state: State, seat: Seat | None) -> Iterator[State]:
        """States that a seat cannot tell from this one."""
        for stack in self.stack_variants(state, seat):
            yield replace(state, stack=stack)
        yield from secrecy.hidden_variants(self.context, state, seat)

    def may_hide(self, state: State, holder: Seat) -> bool:
        """Whether a side can have secrets now."""
        return secrecy.may_hide(self.context, state, holder) or self.stack_may_hide(state, holder)

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
        if isinstance(event, Opened | Changed):
            return self.redact_frame(event, seat)
        return secrecy.redact(self.context, event, seat)

    def redact_action(self, action: Action, by: Seat, seat: Seat | None) -> Action | None:
        """The action as a seat may know it."""
        return secrecy.redact_action(self.context, action, by, seat)

    def conceal_scenario(self, draft: Mapping[str, Any], seat: Seat | None) -> dict[str, Any]:
        """The scenario as a seat may read it while the game runs."""
        return secrecy.conceal_scenario(self.context, draft, seat)

    def reveals(self, event: ev.Event) -> bool:
        """Whether undo stops at the event."""
        return secrecy.reveals(self.context, event)

    def breakdowns(self, event: ev.Event) -> tuple[Breakdown, ...]:
        """The numbers that an event rests on."""
        return event.breakdowns() if isinstance(event, Fact) else ()

    def step_price(self, event: ev.Event) -> StepPrice | None:
        """What a step of a move costs in MF or MP, of which there are halves (3.3.1, 3.3.2)."""
        match event:
            case (
                ev.UnitsMoved()
                | ev.UnitsSpent()
                | ev.UnitRouted()
                | ev.UnitsAdvanced()
                | VehicleMoved()
                | VehicleSpent()
            ):
                mf = event.cost.total / HALVES
                return StepPrice(mf, cost_in_mf(event.cost).explain() if mf.is_integer() else self.narrate(event))
            case _:
                return None

    def narrate(self, event: ev.Event) -> str:
        """The event in a sentence."""
        return event.sentence(self._words) if isinstance(event, Fact) else ""

    def show(self, event: ev.Event) -> Shown | None:
        """What is to be seen of the event."""
        return event.shown(self._words) if isinstance(event, Fact) else None

    def spends(self, action: Action) -> bool:
        """Whether the action uses something up."""
        return action.spends()

    def describe(self, action: Action) -> str:
        """The action in a phrase."""
        text = action.phrase(self._words)
        return f"{text}, if nothing blocks or hinders the line (3.2.1)" if self._is_trusting else text

    def foresight(self, action: Action) -> AslskRules:
        """The rules that odds of an action are worked out with before it is declared (3.2.1)."""
        return self._trusting if is_dark(self.context, action) else self

    @cached_property
    def _trusting(self) -> AslskRules:
        return AslskRules(self.card, trusting(self.context))

    @property
    def _is_trusting(self) -> bool:
        return isinstance(self.context.ground, TrustedGround)

    def unit_odds(self, state: State, action: Action) -> dict[str, list[Chance]]:
        """The exact odds of what becomes of each target of fire or close combat; nothing for others (3.2.3, 3.8)."""
        handler, frame = self.top(state)
        if isinstance(action, Fire | FireOrdnance | FireGun | FireVehicle):
            if not isinstance(handler, FiringHandler):
                raise Refused(Refusal("3.2", "nobody is asked to fire now", "ask again when fire may be declared"))
            return target_odds(handler, state, frame, action, self.fold)
        if isinstance(action, CloseAttack) and isinstance(handler, CloseCombatHandler):
            return close_attack_odds(self.context, state, frame, action)
        if isinstance(action, ReactionFire) and isinstance(handler, FiringHandler):
            return reaction_odds(self.context, state, action)
        if isinstance(action, DeclareCloseCombat) and isinstance(handler, CloseCombatHandler):
            found = combat_odds(self.context, state, frame, action)
        else:
            return {}
        return {str(unit_id): chances for unit_id, chances in found.items()}

    def numbers_ahead(self, state: State, action: Action) -> Sequence[Breakdown]:
        """Kill numbers and DRM of close combat: its dice fall when both sides have declared (3.8)."""
        handler, frame = self.top(state)
        if isinstance(action, DeclareCloseCombat) and isinstance(handler, CloseCombatHandler):
            return combat_numbers(self.context, state, frame, action)
        if isinstance(action, CloseAttack) and isinstance(handler, CloseCombatHandler):
            return close_attack_numbers(self.context, state, frame, action)
        return ()

    def suppositions(self, state: State, seat: Seat, action: Action) -> Sequence[Supposition]:  # noqa: ARG002
        """What the odds of an action leave out, and the position in which they hold with it (3.8)."""
        handler, frame = self.top(state)
        return handler.suppositions(state, frame, action) if isinstance(handler, Handler) else ()

    def sight(self, state: State, a: Hex, b: Hex) -> Sight:
        """All about the line between two hexes as it is now, Smoke and all (3.2.1)."""
        return sight_now(self.context, state, a, b)

    def field(self, state: State, hex: Hex) -> frozenset[Hex]:
        """The hexes seen from a hex now (3.2.1)."""
        return frozenset(other for other in self.context.game_map.hexes if self.context.sees(state, hex, other))

    def refuse_sight(self) -> Refusal | None:
        """Why a player may not look along a line of sight while the game is on (3.2.1)."""
        return refuse_sight(self.context)

    def place(self, label: str) -> Hex:
        """The hex of a label."""
        return self.context.game_map.hex(label)

    def consequence(self, before: State, after: State) -> str:
        """What became of the units and weapons between two states."""
        return consequence(self.context, before, after)

    def count_pieces(self, state: State) -> Iterator[Piece]:
        """The pieces, as statistics count them."""
        return pieces(self.context, state)

    def outcome(self, state: State) -> Outcome | None:
        """How the game ended."""
        return final_outcome(self.context, state) if state.ended else None
