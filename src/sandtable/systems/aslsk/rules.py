"""The ruleset of one game: frames ask, actions answer, events follow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Any

from sandtable.core.capabilities import StepPrice
from sandtable.core.decision import Decision, Node, Options, Seat
from sandtable.core.dice import Dice
from sandtable.core.errors import Refusal, RulesBug
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
    ArrangeLeaders,
    ChooseCombat,
    Continue,
    DeclareCloseCombat,
    DestroyWeapon,
    Done,
    DropWeapon,
    Fire,
    FireOrdnance,
    HoldFire,
    Move,
    PlaceUnit,
    Rout,
    SetUpAsSuggested,
    spends,
)
from sandtable.systems.aslsk.common.consequence import consequence
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.fold import fold
from sandtable.systems.aslsk.common.occasions import occasion
from sandtable.systems.aslsk.common.possession import drop, refuse_drop
from sandtable.systems.aslsk.common.sight_now import sight_now
from sandtable.systems.aslsk.display import build_view, counter_of, tracks
from sandtable.systems.aslsk.foresight import TrustedGround, is_dark, refuse_sight, trusting
from sandtable.systems.aslsk.movement.move_choices import move_options
from sandtable.systems.aslsk.movement.movement_costs import HALVES, cost_in_mf
from sandtable.systems.aslsk.movement.moving import continue_move, refuse_move, start_move
from sandtable.systems.aslsk.narrate import Narrator
from sandtable.systems.aslsk.odds.close_combat_fates import combat_numbers, combat_odds
from sandtable.systems.aslsk.odds.fire_odds import target_odds
from sandtable.systems.aslsk.phases.advance import advance_options, apply_advance_phase, refuse_advance_phase
from sandtable.systems.aslsk.phases.close_combat import arrange, declare, open_combat
from sandtable.systems.aslsk.phases.close_combat_answers import combat_suppositions
from sandtable.systems.aslsk.phases.close_combat_choices import (
    arrange_options,
    combat_options,
    declare_options,
    refuse_arrange,
    refuse_combat,
    refuse_declare,
)
from sandtable.systems.aslsk.phases.firing import fire_options, refuse_fire, resolve_fire
from sandtable.systems.aslsk.phases.first_fire import (
    first_fire_options,
    hold_fire,
    refuse_first_fire,
    resolve_first_fire,
)
from sandtable.systems.aslsk.phases.rally import apply_rally_step, rally_options, refuse_rally_step
from sandtable.systems.aslsk.phases.rout import (
    continue_options,
    continue_rout,
    refuse_continue_rout,
    refuse_rout,
    refuse_rout_done,
    rout_options,
    start_rout,
)
from sandtable.systems.aslsk.piece_count import pieces
from sandtable.systems.aslsk.pieces.cards import CardId, UnitCard, WeaponCard
from sandtable.systems.aslsk.pieces.state import (
    Advances,
    CcStage,
    CloseCombat,
    CloseCombats,
    FirePhase,
    FirstFire,
    Frame,
    MovementPhase,
    Moving,
    Phase,
    Rallying,
    RallyStep,
    Routing,
    RoutPhase,
    SettingUp,
    State,
)
from sandtable.systems.aslsk.sequence import advance, begin, end_part
from sandtable.systems.aslsk.setup import (
    place_unit,
    refuse_place,
    refuse_set_up_done,
    refuse_suggested,
    set_up_as_suggested,
    set_up_options,
)
from sandtable.systems.aslsk.showing import Showings
from sandtable.systems.aslsk.terrain.sight import Sight
from sandtable.systems.aslsk.victory import final_outcome, starting_control

__all__ = ["AslskRules"]

_RALLY_TITLES = {
    RallyStep.RECOVERY: "Recover unpossessed weapons",
    RallyStep.REPAIR: "Repair malfunctioned weapons",
    RallyStep.TRANSFER: "Transfer weapons",
    RallyStep.SELF_RALLY: "Self rally",
    RallyStep.UNIT_RALLY: "Rally broken units",
    RallyStep.DM_REMOVAL: "Keep DM on any unit?",
}
_FIRE_TITLES = {
    Phase.PREP_FIRE: ("3.2.5", "Prep Fire"),
    Phase.DEFENSIVE_FIRE: ("3.4", "Defensive Fire: Final Fire"),
    Phase.ADVANCING_FIRE: ("3.5", "Advancing Fire"),
}


class AslskRules:
    """A scenario of the Starter Kit, ready to play."""

    state_type = State
    action_type = Action
    event_type = ev.Event

    def __init__(self, card: SystemCard, context: Context) -> None:
        self.card = card
        self.context = context
        self.seats = context.scenario.seats
        self.narrator = Narrator(context)
        self._showings = Showings(context)
        self.cards: dict[CardId, UnitCard | WeaponCard] = {**context.cards.units, **context.cards.weapons}
        """All counters by id, for those who look one up."""

    @property
    def game_map(self) -> GameMap:
        """The map that is played on."""
        return self.context.game_map

    def card_of(self, state: State) -> dict[str, str]:
        """Card id of every unit and weapon."""
        return {piece.id: piece.card for pieces in (state.units, state.weapons) for piece in pieces.values()}

    def setup(self) -> State:
        """The order of battle, before anybody has set up."""
        scenario = self.context.scenario
        return State(
            turn=0,
            attacker=scenario.seats[0],
            phase=Phase.SETUP,
            units=dict(scenario.units),
            weapons=dict(scenario.weapons),
            control=starting_control(self.context),
        )

    def begin(self, state: State, dice: Dice) -> Resolution[State, ev.Event]:
        """The set-up."""
        play: Play = Resolution(state, fold, dice)
        begin(self.context, play)
        return play

    def decision(self, state: State) -> Decision[Action] | None:
        """The question on top of the stack."""
        if not state.stack:
            return None
        frame = state.stack[-1]
        number, title, seat = self._question(state, frame)
        secret = isinstance(frame, SettingUp) and self.context.scenario.draft.secret_set_up
        options = partial(self._options, state, frame)
        return Decision(number, title, (seat,), options, len(state.stack), secret=secret)

    def _question(self, state: State, frame: Frame) -> tuple[str, str, Seat]:
        match frame:
            case FirePhase():
                number, title = _FIRE_TITLES[state.phase]
                return number, title, frame.player
            case FirstFire():
                return "3.3.3", f"Defensive First Fire at {self.context.label(frame.hex)}?", frame.asked
            case MovementPhase():
                return "3.3", "Move a unit or stack", frame.player
            case Moving():
                return "3.3.1", "Go on with the move", state.units[frame.stack[0]].side
            case SettingUp():
                return "1.3", "Set up", frame.seat
            case Rallying():
                return "3.1", _RALLY_TITLES[frame.step], frame.seat
            case RoutPhase():
                return "3.6", "Rout broken units", frame.player
            case Routing():
                return "3.6", "Go on with the rout", state.units[frame.unit].side
            case Advances():
                return "3.7", "Advance units", frame.player
            case CloseCombats():
                return "3.8", "Which close combat is resolved next?", frame.player
            case CloseCombat():
                place = self.context.label(frame.hex)
                what = "With whom do the leaders fight" if frame.stage is CcStage.ARRANGE else "Declare close combat"
                return "3.8", f"{what} in {place}", frame.asked

    def _options(self, state: State, frame: Frame, seat: Seat) -> Options[Action]:
        return Options(self._tree(state, frame), partial(self.refusal, state, seat))

    def _tree(self, state: State, frame: Frame) -> Node[Action]:
        context = self.context
        match frame:
            case FirePhase():
                return fire_options(context, state, frame)
            case FirstFire():
                return first_fire_options(context, state, frame)
            case MovementPhase() | Moving():
                return move_options(context, state, frame)
            case SettingUp():
                return set_up_options(context, state, frame)
            case Rallying():
                return rally_options(context, state, frame)
            case RoutPhase():
                return rout_options(context, state, frame)
            case Routing():
                return continue_options(context, state, frame)
            case Advances():
                return advance_options(context, state, frame)
            case CloseCombats():
                return combat_options(context, state, frame)
            case CloseCombat():
                if frame.stage is CcStage.ARRANGE:
                    return arrange_options(context, state, frame)
                return declare_options(context, state, frame)

    def refusal(self, state: State, seat: Seat, action: Action) -> Refusal | None:  # noqa: ARG002
        """Why the action does not answer the open question legally."""
        frame = state.stack[-1] if state.stack else None
        if frame is None:
            return Refusal("3.0", "the game is over")
        refusal = self._refusal(state, frame, action)
        return refusal if refusal is not _OTHER else self._beside_the_point(state, frame, action)

    def _refusal(self, state: State, frame: Frame, action: Action) -> Refusal | None:  # noqa: C901, PLR0912 - a question a case
        context = self.context
        match frame, action:
            case SettingUp(), PlaceUnit():
                return refuse_place(context, state, frame.seat, action)
            case SettingUp(), SetUpAsSuggested():
                return refuse_suggested(context, state, frame)
            case SettingUp(), Done():
                return refuse_set_up_done(context, state, frame)
            case Rallying(), _:
                return refuse_rally_step(context, state, frame, action)
            case FirePhase(), Done() | Fire() | FireOrdnance() | DestroyWeapon():
                return None if isinstance(action, Done) else refuse_fire(context, state, frame, action)
            case MovementPhase(), Done():
                return None
            case MovementPhase(), Move():
                return refuse_move(context, state, frame, action)
            case MovementPhase(), DropWeapon():
                return refuse_drop(state, frame.player, action.weapon)
            case Moving(), Continue():
                return refuse_move(context, state, frame, action)
            case FirstFire(), HoldFire() | Fire() | FireOrdnance():
                return refuse_first_fire(context, state, frame, action)
            case RoutPhase(), Done():
                return refuse_rout_done(context, state, frame)
            case RoutPhase(), Rout():
                return refuse_rout(context, state, frame, action)
            case Routing(), Continue():
                return refuse_continue_rout(context, state, frame, action)
            case Advances(), _:
                return refuse_advance_phase(context, state, frame, action)
            case CloseCombats(), ChooseCombat():
                return refuse_combat(context, state, frame, action.hex)
            case CloseCombat(stage=CcStage.ARRANGE), ArrangeLeaders():
                return refuse_arrange(context, state, frame, action)
            case CloseCombat(stage=CcStage.DECLARE), DeclareCloseCombat():
                return refuse_declare(context, state, frame, action)
            case _:
                return _OTHER

    def _beside_the_point(self, state: State, frame: Frame, action: Action) -> Refusal:
        number, title, _ = self._question(state, frame)
        return Refusal(number, f"{occasion(action)}, and what is asked now is: {title}")

    def resolve(self, state: State, seat: Seat, action: Action, dice: Dice) -> Resolution[State, ev.Event]:  # noqa: ARG002
        """What comes of a legal action, up to the next question."""
        play: Play = Resolution(state, fold, dice)
        self._apply(play, action)
        advance(self.context, play)
        return play

    def _apply(self, play: Play, action: Action) -> None:  # noqa: C901, PLR0912 - a question a case
        context = self.context
        frame = play.state.stack[-1]
        match frame, action:
            case _, Done():
                end_part(context, play, frame)
            case FirePhase(), Fire() | FireOrdnance() | DestroyWeapon():
                resolve_fire(context, play, frame, action)
            case Advances(), _:
                apply_advance_phase(context, play, frame, action)
            case MovementPhase(), DropWeapon():
                drop(play, action.weapon)
            case MovementPhase(), Move():
                start_move(context, play, frame, action)
            case Moving(), Continue():
                continue_move(context, play, frame, action)
            case FirstFire(), HoldFire():
                hold_fire(context, play, frame, action)
            case FirstFire(), Fire() | FireOrdnance():
                resolve_first_fire(context, play, frame, action)
            case SettingUp(), PlaceUnit():
                place_unit(play, action)
            case SettingUp(), SetUpAsSuggested():
                set_up_as_suggested(context, play, frame)
            case Rallying(), _:
                apply_rally_step(context, play, frame, action)
            case RoutPhase(), Rout():
                start_rout(context, play, action)
            case Routing(), Continue():
                continue_rout(play, frame, action)
            case CloseCombats(), ChooseCombat():
                open_combat(context, play, frame, action.hex)
            case CloseCombat(), ArrangeLeaders():
                arrange(context, play, frame, action.pairs)
            case CloseCombat(), DeclareCloseCombat():
                declare(context, play, frame, action.attacks)
            case _:
                raise RulesBug(f"{action!r} does not answer {frame!r}")

    def fold(self, state: State, event: ev.Event) -> State:
        """The state after an event."""
        return fold(state, event)

    def conceal(self, state: State, seat: Seat | None) -> State:
        """The state as a seat may know it."""
        return secrecy.conceal(self.context, state, seat)

    def hidden_variants(self, state: State, seat: Seat | None) -> Iterator[State]:
        """States that a seat cannot tell from this one."""
        return secrecy.hidden_variants(self.context, state, seat)

    def may_hide(self, state: State, holder: Seat) -> bool:
        """Whether a side can have secrets now."""
        return secrecy.may_hide(self.context, state, holder)

    def view(self, state: State, seat: Seat | None) -> View:
        """What a seat may see."""
        concealed = self.conceal(state, seat)
        frame = concealed.stack[-1] if concealed.stack else None
        question = self._question(concealed, frame) if frame is not None else None
        return build_view(self.context, concealed, seat, question, self.outcome(concealed))

    def counter(self, known: State, unit: str) -> Counter | None:
        """One counter as the view has it."""
        return counter_of(self.context, known, unit)

    def tracks(self, known: State) -> tuple[Track, ...]:
        """The tracks as the view has them."""
        return tracks(self.context, known)

    def redact(self, event: ev.Event, seat: Seat | None) -> ev.Event | None:
        """The event as a seat may know it."""
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
        match event:
            case ev.FireResolved():
                return (event.firepower, event.drm)
            case ev.CloseCombatResolved():
                return (event.kill, event.drm)
            case ev.AmbushRolled():
                return event.numbers
            case _:
                number, cost = getattr(event, "number", None), getattr(event, "cost", None)
                if isinstance(cost, Breakdown):
                    return (cost_in_mf(cost),)
                return (number,) if isinstance(number, Breakdown) else ()

    def step_price(self, event: ev.Event) -> StepPrice | None:
        """What a step of a move costs in MF, of which there are halves (3.3.1)."""
        match event:
            case ev.UnitsMoved() | ev.UnitsSpent() | ev.UnitRouted() | ev.UnitsAdvanced():
                mf = event.cost.total / HALVES
                return StepPrice(mf, cost_in_mf(event.cost).explain() if mf.is_integer() else self.narrate(event))
            case _:
                return None

    def narrate(self, event: ev.Event) -> str:
        """The event in a sentence."""
        return self.narrator.event(event)

    def show(self, event: ev.Event) -> Shown | None:
        """What is to be seen of the event."""
        return self._showings.show(event)

    def spends(self, action: Action) -> bool:
        """Whether the action uses something up."""
        return spends(action)

    def describe(self, action: Action) -> str:
        """The action in a phrase."""
        text = self.narrator.action(action)
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
        match action:
            case Fire() | FireOrdnance():
                found = target_odds(self.context, state, action)
            case DeclareCloseCombat():
                found = combat_odds(self.context, state, action)
            case _:
                return {}
        return {str(unit_id): chances for unit_id, chances in found.items()}

    def numbers_ahead(self, state: State, action: Action) -> Sequence[Breakdown]:
        """Kill numbers and DRM of close combat: its dice fall when both sides have declared (3.8)."""
        return combat_numbers(self.context, state, action) if isinstance(action, DeclareCloseCombat) else ()

    def suppositions(self, state: State, seat: Seat, action: Action) -> Sequence[Supposition]:  # noqa: ARG002
        """What the odds of an action leave out, and the position in which they hold with it (3.8)."""
        return [*combat_suppositions(self.context, state, action)] if isinstance(action, DeclareCloseCombat) else ()

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


_OTHER = Refusal("", "")
"""Stands for an action that answers another question."""
