"""The ruleset of one game: frames ask, actions answer, events follow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch, Decision, Leaf, Node, Options, Pick, Seat
from sandtable.core.dice import Dice
from sandtable.core.errors import Refusal, RulesBug
from sandtable.core.modifier import Breakdown
from sandtable.core.odds import Supposition
from sandtable.core.ruleset import Outcome, Resolution, SystemCard
from sandtable.core.showing import Shown
from sandtable.core.view import Counter, Danger, Track, View
from sandtable.geo.hex import Hex
from sandtable.geo.map import GameMap
from sandtable.systems.panzer.hex import events as ev
from sandtable.systems.panzer.hex import secrecy
from sandtable.systems.panzer.hex.actions import (
    Action,
    ChooseAspect,
    ChooseFirstPlayer,
    Continue,
    Fire,
    Move,
    Pass,
    PlaceCommands,
    RevealCommand,
    spends,
)
from sandtable.systems.panzer.hex.advice import threats, why_not
from sandtable.systems.panzer.hex.combat.fire import announce_direct_fire, direct_fire_options, refuse_direct_fire
from sandtable.systems.panzer.hex.combat.overwatch import (
    fire_overwatch,
    overwatch_options,
    pass_overwatch,
    refuse_overwatch,
)
from sandtable.systems.panzer.hex.combat.suppositions import suppositions
from sandtable.systems.panzer.hex.command.commands import command_options, place_commands, refuse_place_commands
from sandtable.systems.panzer.hex.command.initiative import choose_first_options, refuse_choose_first
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.display import build_view, counter_of, tracks
from sandtable.systems.panzer.hex.fold import fold
from sandtable.systems.panzer.hex.movement.moving import (
    continue_move,
    move_options,
    refuse_continue,
    refuse_unit_move,
    start_move,
)
from sandtable.systems.panzer.hex.narrate import Narrator
from sandtable.systems.panzer.hex.objectives import final_outcome, initial_objectives
from sandtable.systems.panzer.hex.sequence import advance, begin, finish_shot
from sandtable.systems.panzer.hex.showing import show
from sandtable.systems.panzer.hex.sight.los import LineOfSight
from sandtable.systems.panzer.hex.sight.smoke import with_smoke
from sandtable.systems.panzer.hex.state import (
    MOVING_COMMANDS,
    Aspect,
    AspectChoice,
    Attack,
    ChooseFirst,
    CommandReveal,
    DirectFire,
    Frame,
    Movement,
    Moving,
    Overwatch,
    Phase,
    PlacingCommands,
    State,
    Status,
)

__all__ = ["PanzerRules"]


class PanzerRules:
    """A scenario of the Panzer family on hexes, ready to play."""

    state_type = State
    action_type = Action
    event_type = ev.Event

    def __init__(self, card: SystemCard, context: Context) -> None:
        self.card = card
        self.context = context
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
        state = State(0, Phase.ADJUSTMENT, "", dict(scenario.units), scenario.wrecks)
        return replace(state, objectives=initial_objectives(state, scenario, self.context.cards))

    def begin(self, state: State, dice: Dice) -> Resolution[State, ev.Event]:
        """The first Spotting Phase."""
        play = Resolution[State, ev.Event](state, fold, dice)
        begin(self.context, play)
        return play

    def decision(self, state: State) -> Decision[Action] | None:
        """The question on top of the stack."""
        if not state.stack:
            return None
        frame = state.stack[-1]
        number, title, asked = self._question(state, frame)
        guards = isinstance(frame, Overwatch | CommandReveal)
        secret = isinstance(frame, PlacingCommands)
        return Decision(number, title, asked, partial(self._options, state, frame), len(state.stack), guards, secret)

    def _question(self, state: State, frame: Frame) -> tuple[str, str, tuple[Seat, ...]]:
        match frame:
            case PlacingCommands():
                return "4.2.1", "Place a command with every vehicle", frame.waiting
            case ChooseFirst():
                return "4.3.1", "Choose the First Player", (frame.winner,)
            case DirectFire():
                return "4.4.1", "Announce fire on a target", (frame.player,)
            case CommandReveal():
                return "4.4.3.2.2", "Reveal a moving command?", (state.units[frame.target].side,)
            case AspectChoice():
                return "4.4.3.2.4", "Choose the aspect that is struck", (state.units[frame.target].side,)
            case Overwatch():
                return "4.4.2", "Overwatch fire?", (frame.asked,)
            case Movement():
                return "4.5.1.1", "Move a vehicle", (frame.player,)
            case Moving():
                return "4.5.1.1", "Go on with the move", (state.units[frame.unit].side,)
            case Attack():
                raise RulesBug("an attack goes on by itself")

    def _options(self, state: State, frame: Frame, seat: Seat) -> Options[Action]:
        return Options(self._tree(state, frame, seat), partial(self.refusal, state, seat))

    def _tree(self, state: State, frame: Frame, seat: Seat) -> Node[Action]:
        context = self.context
        match frame:
            case PlacingCommands():
                return command_options(context, state, seat)
            case ChooseFirst():
                return choose_first_options(self.seats, frame)
            case DirectFire():
                return direct_fire_options(context, state, frame)
            case CommandReveal():
                return Pick(lambda: _reveal_ways(state, frame))
            case AspectChoice():
                return Pick(_aspect_ways)
            case Overwatch():
                return overwatch_options(context, state, frame)
            case Movement() | Moving():
                return move_options(context, state, frame)
            case Attack():
                raise RulesBug("an attack goes on by itself")

    def refusal(self, state: State, seat: Seat, action: Action) -> Refusal | None:
        """Why the action does not answer the open question legally."""
        context = self.context
        frame = state.stack[-1] if state.stack else None
        match frame, action:
            case PlacingCommands(), PlaceCommands():
                return refuse_place_commands(state, seat, action)
            case ChooseFirst(), ChooseFirstPlayer():
                return refuse_choose_first(self.seats, action)
            case DirectFire(), Fire():
                return refuse_direct_fire(context, state, frame, action)
            case CommandReveal(), RevealCommand():
                return _refuse_reveal(state, frame, action)
            case AspectChoice(), ChooseAspect():
                if action.aspect is Aspect.EITHER:
                    return Refusal("4.4.3.2.4", "one aspect is struck", "Front or Rear")
                return None
            case Overwatch(), Fire():
                return refuse_overwatch(context, state, frame, action)
            case Overwatch(), Pass():
                return None
            case Movement(), Move():
                return refuse_unit_move(context, state, frame, action)
            case Moving(), Continue():
                return refuse_continue(context, state, frame, action)
            case _:
                asked = "nothing" if frame is None else self._question(state, frame)[1]
                return Refusal("4.0", f"{type(action).__name__} does not answer what is asked: {asked}")

    def resolve(self, state: State, seat: Seat, action: Action, dice: Dice) -> Resolution[State, ev.Event]:
        """What comes of a legal action, up to the next question."""
        play = Resolution[State, ev.Event](state, fold, dice)
        self._apply(play, seat, action)
        advance(self.context, play)
        return play

    def _apply(self, play: Resolution[State, ev.Event], seat: Seat, action: Action) -> None:
        context = self.context
        frame = play.state.stack[-1]
        match frame, action:
            case PlacingCommands(), PlaceCommands():
                place_commands(context, play, seat, action)
                play.emit(ev.Changed(PlacingCommands(tuple(s for s in frame.waiting if s != seat))))
            case ChooseFirst(), ChooseFirstPlayer():
                play.emit(ev.FirstPlayerChosen(action.first))
                play.emit(ev.Closed())
            case DirectFire(), Fire():
                announce_direct_fire(play, frame, action)
            case CommandReveal(), RevealCommand():
                _answer_reveal(play, frame, action)
            case AspectChoice(), ChooseAspect():
                play.emit(ev.Closed())
                attack = play.state.stack[-1]
                assert isinstance(attack, Attack)  # noqa: S101 - an aspect is asked for inside an attack only
                finish_shot(context, play, attack, action.aspect)
            case Overwatch(), Fire():
                fire_overwatch(context, play, frame, action)
            case Overwatch(), Pass():
                pass_overwatch(context, play, frame)
            case Movement(), Move():
                start_move(context, play, action)
            case Moving(), Continue():
                continue_move(play, frame, action)
            case _:
                raise RulesBug(f"{action!r} does not answer {frame!r}")

    def fold(self, state: State, event: ev.Event) -> State:
        """The state after an event."""
        return fold(state, event)

    def conceal(self, state: State, seat: Seat | None) -> State:
        """The state as a seat may know it."""
        return secrecy.conceal(state, seat)

    def hidden_variants(self, state: State, seat: Seat | None) -> Iterator[State]:
        """States that a seat cannot tell from this one."""
        return secrecy.hidden_variants(state, seat)

    def may_hide(self, state: State, holder: Seat) -> bool:
        """Whether a force can have secrets now."""
        return secrecy.may_hide(state, holder)

    def view(self, state: State, seat: Seat | None) -> View:
        """What a seat may see."""
        concealed = secrecy.conceal(state, seat)
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
        return secrecy.redact(event, seat, self._owner(event))

    def _owner(self, event: ev.Event) -> Seat | None:
        """The force of the unit that the event is about; vehicles never change sides."""
        frame = event.frame if isinstance(event, ev.Opened | ev.Changed) else None
        unit_id = getattr(frame if frame is not None else event, "unit", None)
        return self.context.scenario.units[unit_id].side if unit_id is not None else None

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
        return ", ".join(changes) or "no effect"

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
        return why_not(self.context, state, seat, keys, ref, is_hex=is_hex)

    def outcome(self, state: State) -> Outcome | None:
        """How the game ended."""
        return final_outcome(state, self.context.scenario, self.context.cards) if state.ended else None


def _reveal_ways(state: State, frame: CommandReveal) -> Iterator[Branch[Action]]:
    if state.units[frame.target].command in MOVING_COMMANDS:
        yield Branch("reveal", "answer", "Reveal it: the target is moving", Leaf[Action](RevealCommand(reveal=True)))
    yield Branch(
        "decline", "answer", "Keep it face down: no modifier for movement", Leaf[Action](RevealCommand(reveal=False))
    )


@rule("3.4")
def _refuse_reveal(state: State, frame: CommandReveal, action: RevealCommand) -> Refusal | None:
    """Only a MOVE or SHORT HALT command is worth revealing to the firer (4.4.3.2.2)."""
    if action.reveal and state.units[frame.target].command not in MOVING_COMMANDS:
        return Refusal("4.4.3.2.2", f"{frame.target} has no moving command to reveal", "keep it face down")
    return None


def _answer_reveal(play: Resolution[State, ev.Event], frame: CommandReveal, action: RevealCommand) -> None:
    play.emit(ev.Closed())
    if action.reveal:
        play.emit(ev.CommandRevealed(frame.target, play.state.units[frame.target].command))
    attack = play.state.stack[-1]
    assert isinstance(attack, Attack)  # noqa: S101 - the question is asked inside an attack only
    play.emit(ev.Changed(replace(attack, moving=action.reveal)))


def _aspect_ways() -> Iterator[Branch[Action]]:
    for aspect in (Aspect.FRONT, Aspect.REAR):
        yield Branch(aspect.value, "answer", f"{aspect.value} aspect", Leaf[Action](ChooseAspect(aspect)))
