"""Patrols: a whole game with hidden orders, to test the kernel with and to learn the contract from.

Two sides walk a track towards each other. Orders are secret (1.1), a roll says who marches first (1.2), a
march may draw fire from pieces that were told to aim (2.2), and the marcher may duck before the dice fall
(2.3). It uses all four shapes of choice, a reaction inside an action, a table, a breakdown, redaction and a
Path of its own. Its pack and its System are in `tests/toy_system.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from itertools import permutations
from typing import NewType

import msgspec
from msgspec.structs import replace

from sandtable.core.content.pack import Library
from sandtable.core.content.rule import rule
from sandtable.core.decision import (
    Assign,
    Branch,
    Decision,
    Gather,
    Leaf,
    Node,
    Options,
    Path,
    Pick,
    Seat,
    Slot,
)
from sandtable.core.dice import Dice, DiceSpec
from sandtable.core.errors import BadInput, Fault, Refusal
from sandtable.core.modifier import Breakdown, Modifier
from sandtable.core.odds import Supposition
from sandtable.core.ruleset import Outcome, Resolution
from sandtable.core.stakes import Aim, Stakes
from sandtable.core.view import Counter, Face, Marker, Prompt, Score, Track, View
from tests.toy_card import CARD

PieceId = NewType("PieceId", str)
RED, BLUE = Seat("red"), Seat("blue")
SEATS = (RED, BLUE)
TWO_DICE = DiceSpec(2, 6)
ONE_DIE = DiceSpec(1, 6)
FARTHEST = 3


class Order(StrEnum):
    MARCH = "march"
    AIM = "aim"
    NONE = "none"
    HIDDEN = "?"


# --- state: what changes, and the open questions --------------------------------------------------


class Piece(msgspec.Struct, frozen=True):
    id: PieceId
    side: Seat
    at: int
    order: Order = Order.NONE
    shown: bool = True
    up: bool = True


class Ordering(msgspec.Struct, frozen=True, tag=True):
    waiting: tuple[Seat, ...]


class Marching(msgspec.Struct, frozen=True, tag=True):
    player: Seat
    then: tuple[Seat, ...]


class Ambush(msgspec.Struct, frozen=True, tag=True):
    asked: Seat
    target: PieceId


class UnderFire(msgspec.Struct, frozen=True, tag=True):
    target: PieceId
    shooters: tuple[PieceId, ...]


Frame = Ordering | Marching | Ambush | UnderFire


class State(msgspec.Struct, frozen=True):
    turn: int
    pieces: dict[PieceId, Piece]
    stack: tuple[Frame, ...]
    ended: str = ""


# --- actions: the player's words only -------------------------------------------------------------


class GiveOrders(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    orders: dict[PieceId, Order]


class March(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    piece: PieceId
    steps: int


class Halt(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    pass


class Shoot(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    shooters: tuple[PieceId, ...]


class HoldFire(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    pass


class Duck(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    duck: bool


Action = GiveOrders | March | Halt | Shoot | HoldFire | Duck


# --- events: facts enough to fold -----------------------------------------------------------------


class OrdersGiven(msgspec.Struct, frozen=True, tag=True):
    side: Seat
    orders: dict[PieceId, Order]


class FirstRolled(msgspec.Struct, frozen=True, tag=True):
    roll: int
    first: Seat


class Marched(msgspec.Struct, frozen=True, tag=True):
    piece: PieceId
    to: int


class FireInvited(msgspec.Struct, frozen=True, tag=True):
    asked: Seat
    target: PieceId


class FireAnnounced(msgspec.Struct, frozen=True, tag=True):
    shooters: tuple[PieceId, ...]


class QuestionClosed(msgspec.Struct, frozen=True, tag=True):
    pass


class Shot(msgspec.Struct, frozen=True, tag=True):
    shooter: PieceId
    target: PieceId
    roll: int
    needed: Breakdown
    hit: bool


class StepEnded(msgspec.Struct, frozen=True, tag=True):
    side: Seat


class TurnBegan(msgspec.Struct, frozen=True, tag=True):
    turn: int


class GameEnded(msgspec.Struct, frozen=True, tag=True):
    why: str


Event = (
    OrdersGiven
    | FirstRolled
    | Marched
    | FireInvited
    | FireAnnounced
    | QuestionClosed
    | Shot
    | StepEnded
    | TurnBegan
    | GameEnded
)


# --- the scenario ---------------------------------------------------------------------------------


class Scenario(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    system: str
    title: str
    turns: int
    status: str
    length: int
    red: list[PieceId]
    blue: list[PieceId]
    summary: str = ""


AIMS = tuple(Aim(side, "reach the far end, or have more pieces left", "3.1") for side in SEATS)


class MarchPath(Path[Action]):
    """2.1: step after step, stopping after any; the last place is where one must stop."""

    def __init__(self, rules: Patrols, piece: Piece, taken: int = 0) -> None:
        self._rules = rules
        self._piece = piece
        self._taken = taken

    def branches(self) -> Iterator[Branch[Action]]:
        if self._taken:
            yield Branch("stop", "stop", "stop here", Leaf(March(self._piece.id, self._taken)))
        if self._taken < self._rules.longest_march(self._piece):
            place = str(self._rules.place_after(self._piece, self._taken + 1))
            further = MarchPath(self._rules, self._piece, self._taken + 1)
            yield Branch("on", "leg", f"to {place}", further, place, is_hex=True)

    def destinations(self) -> Iterator[Branch[Action]]:
        for steps in range(1, self._rules.longest_march(self._piece) + 1):
            place = str(self._rules.place_after(self._piece, steps))
            yield Branch(place, "hex", f"to {place}", Leaf(March(self._piece.id, steps)), place, is_hex=True)


class Patrols:
    """The ruleset of one scenario."""

    card = CARD
    seats: tuple[Seat, ...] = SEATS
    state_type = State
    action_type = Action
    event_type = Event

    def __init__(self, scenario: Scenario, library: Library) -> None:
        self.scenario = scenario
        self.to_hit = library.table("to_hit")

    # --- questions ---

    def setup(self) -> State:
        pieces = {key: Piece(key, RED, 0) for key in self.scenario.red}
        pieces |= {key: Piece(key, BLUE, self.scenario.length) for key in self.scenario.blue}
        return State(turn=0, pieces=pieces, stack=())

    def begin(self, state: State, dice: Dice) -> Resolution[State, Event]:
        going = Resolution(state, self.fold, dice)
        going.emit(TurnBegan(1))
        return going

    def decision(self, state: State) -> Decision[Action] | None:
        if not state.stack:
            return None
        frame = state.stack[-1]
        depth = len(state.stack)

        def options(seat: Seat) -> Options[Action]:
            return Options(self._root(state, seat), lambda action: self.refusal(state, seat, action))

        match frame:
            case Ordering(waiting):
                return Decision("1.1", "Give orders", waiting, options, depth, secret=True)
            case Marching(player):
                return Decision("2.1", "March a piece, or end the step", (player,), options, depth)
            case Ambush(asked, target):
                return Decision("2.2", f"Fire at {target}", (asked,), options, depth)
            case UnderFire(target):
                return Decision("2.3", f"Duck with {target}", (state.pieces[target].side,), options, depth)

    def _root(self, state: State, seat: Seat) -> Node[Action]:
        match state.stack[-1]:
            case Ordering():
                mine = [piece for piece in state.pieces.values() if piece.side == seat and piece.up]
                slots = [Slot(p.id, "order", p.id, (Order.MARCH, Order.AIM, Order.NONE)) for p in mine]

                def build(values: tuple[str, ...]) -> Action:
                    return GiveOrders({p.id: Order(value) for p, value in zip(mine, values, strict=True)})

                return Assign(slots, build)
            case Marching():
                return Pick(lambda: self._marches(state, seat))
            case Ambush():
                return Pick(lambda: self._reactions(state, seat))
            case UnderFire():
                return Pick(
                    lambda: (
                        Branch("stand", "order", "stand", Leaf(Duck(duck=False))),
                        Branch("duck", "order", "duck", Leaf(Duck(duck=True))),
                    )
                )

    def _marches(self, state: State, seat: Seat) -> Iterator[Branch[Action]]:
        for piece in state.pieces.values():
            if piece.side == seat and self._march_refusal(state, March(piece.id, 1)) is None:
                yield Branch(piece.id, "unit", f"march {piece.id}", MarchPath(self, piece), piece.id)
        yield Branch("halt", "pass", "end the step", Leaf(Halt()))

    def _reactions(self, state: State, seat: Seat) -> Iterator[Branch[Action]]:
        able = self._able_to_shoot(state, seat)
        yield Branch("hold", "pass", "hold fire", Leaf(HoldFire()))
        if able:
            slots = [Slot(key, "unit", key, ("fire",)) for key in able]

            def build(values: tuple[str, ...]) -> Action:
                return Shoot(tuple(key for key, value in zip(able, values, strict=True) if value))

            yield Branch("fire", "order", "fire", Gather(slots, build))

    # --- refusals ---

    def refusal(self, state: State, seat: Seat, action: Action) -> Refusal | None:
        match state.stack[-1], action:
            case Ordering(), GiveOrders(orders):
                mine = {piece.id for piece in state.pieces.values() if piece.side == seat and piece.up}
                if set(orders) != mine or Order.HIDDEN in orders.values():
                    right = f"order {', '.join(sorted(mine))}"
                    return Refusal("1.1", "not one order for each of your pieces", right)
            case Marching(), March(piece):
                if piece not in state.pieces or state.pieces[piece].side != seat:
                    return Refusal("2.1", f"{piece} is not yours")
                return self._march_refusal(state, action)
            case Ambush(), Shoot(shooters):
                able = self._able_to_shoot(state, seat)
                ordered = [key for key in able if key in shooters]
                if not shooters or list(shooters) != ordered:
                    return Refusal("2.2", "not pieces that aim, in their order", f"some of {', '.join(able)}")
            case (Marching(), Halt()) | (Ambush(), HoldFire()) | (UnderFire(), Duck()):
                pass
            case frame, _:
                return Refusal("1.0", f"{type(action).__name__} does not answer {type(frame).__name__}")
        return None

    @rule("2.1")
    def _march_refusal(self, state: State, march: March) -> Refusal | None:
        piece = state.pieces[march.piece]
        if not piece.up or piece.order is not Order.MARCH:
            return Refusal("2.1", f"{piece.id} has no order to march")
        if not 1 <= march.steps <= self.longest_march(piece):
            return Refusal("2.1", f"{march.steps} steps", f"1 to {self.longest_march(piece)}")
        return None

    def longest_march(self, piece: Piece) -> int:
        """2.1: how far a piece can go."""
        left = self.scenario.length - piece.at if piece.side == RED else piece.at
        return min(FARTHEST, left)

    def place_after(self, piece: Piece, steps: int) -> int:
        """2.1: where so many steps lead."""
        return piece.at + (steps if piece.side == RED else -steps)

    def _able_to_shoot(self, state: State, seat: Seat) -> list[PieceId]:
        frame = state.stack[-1]
        target = state.pieces[frame.target] if isinstance(frame, Ambush) else None
        return [
            piece.id
            for piece in state.pieces.values()
            if target and piece.side == seat and piece.order is Order.AIM and _in_reach(piece, target)
        ]

    # --- what comes of an action ---

    def resolve(self, state: State, seat: Seat, action: Action, dice: Dice) -> Resolution[State, Event]:
        going = Resolution(state, self.fold, dice)
        match action:
            case GiveOrders(orders):
                going.emit(OrdersGiven(seat, orders))
                if not going.state.stack:
                    self._roll_for_first(going)
            case March(key):
                piece = state.pieces[key]
                going.emit(Marched(key, self.place_after(piece, action.steps)))
                self._invite_fire(going, key)
            case Halt():
                going.emit(StepEnded(seat))
            case HoldFire():
                going.emit(QuestionClosed())
            case Shoot(shooters):
                going.emit(FireAnnounced(shooters))
            case Duck(duck):
                self._fire(going, duck)
        self._end(going)
        return going

    @rule("1.2")
    def _roll_for_first(self, going: Resolution[State, Event]) -> None:
        roll = going.dice.roll(ONE_DIE, "first player", cuts=(3,)).total
        going.emit(FirstRolled(roll, RED if roll <= 3 else BLUE))

    @rule("2.2")
    def _invite_fire(self, going: Resolution[State, Event], key: PieceId) -> None:
        """The question is put whatever the hidden orders are, or it would give them away."""
        mover = going.state.pieces[key]
        others = [piece for piece in going.state.pieces.values() if piece.side != mover.side]
        if any(_in_reach(piece, mover) and not piece.shown for piece in others):
            going.emit(FireInvited(others[0].side, key))

    @rule("2.2", "2.3")
    def _fire(self, going: Resolution[State, Event], duck: bool) -> None:
        frame = going.state.stack[-1]
        assert isinstance(frame, UnderFire)
        for key in frame.shooters:
            shooter, target = going.state.pieces[key], going.state.pieces[frame.target]
            if not target.up:
                break
            reach = abs(shooter.at - target.at)
            base = self.to_hit.number(reach)
            needed = Breakdown("To Hit", "2.2", base=base, base_label=f"at range {reach}")
            if duck:
                needed = needed.plus([Modifier(2, "target ducks", "2.3")])
            roll = going.dice.roll(TWO_DICE, f"{key} fires at {target.id}", cuts=(needed.total - 1,)).total
            going.emit(Shot(key, target.id, roll, needed, hit=roll >= needed.total))
        going.emit(QuestionClosed())
        going.emit(QuestionClosed())

    @rule("1.1", "3.1")
    def _end(self, going: Resolution[State, Event]) -> None:
        state = going.state
        for side, goal in ((RED, self.scenario.length), (BLUE, 0)):
            if any(piece.side == side and piece.up and piece.at == goal for piece in state.pieces.values()):
                going.emit(GameEnded(f"{side} takes the prize"))
                return
        if not any(isinstance(frame, Ordering | Marching) for frame in state.stack):
            if state.turn >= self.scenario.turns:
                going.emit(GameEnded("time is up"))
            else:
                going.emit(TurnBegan(state.turn + 1))

    def fold(self, state: State, event: Event) -> State:
        stack, pieces = state.stack, state.pieces
        match event:
            case TurnBegan(turn):
                clear = {key: replace(piece, order=Order.NONE, shown=True) for key, piece in pieces.items()}
                return State(turn, clear, (Ordering(SEATS),))
            case OrdersGiven(side, orders):
                given = {key: replace(pieces[key], order=order, shown=False) for key, order in orders.items()}
                (frame,) = stack
                assert isinstance(frame, Ordering)
                waiting = tuple(seat for seat in frame.waiting if seat != side)
                return replace(state, pieces=pieces | given, stack=(Ordering(waiting),) if waiting else ())
            case FirstRolled(_, first):
                return replace(state, stack=(Marching(first, tuple(s for s in SEATS if s != first)),))
            case Marched(key, to):
                moved = replace(pieces[key], at=to, order=Order.NONE, shown=True)
                return replace(state, pieces=pieces | {key: moved})
            case FireInvited(asked, target):
                return replace(state, stack=(*stack, Ambush(asked, target)))
            case FireAnnounced(shooters):
                # The question to duck stands over the one to fire, so that odds know that it belongs to it.
                ambush = stack[-1]
                assert isinstance(ambush, Ambush)
                shown = {key: replace(pieces[key], order=Order.NONE, shown=True) for key in shooters}
                return replace(state, pieces=pieces | shown, stack=(*stack, UnderFire(ambush.target, shooters)))
            case Shot(_, target):
                struck = replace(pieces[target], up=pieces[target].up and not event.hit)
                return replace(state, pieces=pieces | {target: struck})
            case QuestionClosed():
                return replace(state, stack=stack[:-1])
            case StepEnded():
                (step,) = stack
                assert isinstance(step, Marching)
                return replace(state, stack=(Marching(step.then[0], ()),) if step.then else ())
            case GameEnded(why):
                return replace(state, stack=(), ended=why)

    # --- who may know what ---

    def conceal(self, state: State, seat: Seat | None) -> State:
        hidden = {
            key: replace(piece, order=Order.HIDDEN)
            for key, piece in state.pieces.items()
            if piece.side != seat and not piece.shown
        }
        return replace(state, pieces=state.pieces | hidden)

    def hidden_variants(self, state: State, seat: Seat | None) -> Iterator[State]:
        """States that ``seat`` cannot tell from this one: the hidden orders dealt out in other ways."""
        keys = [key for key, piece in state.pieces.items() if piece.side != seat and not piece.shown]
        for orders in permutations((Order.MARCH, Order.AIM, Order.NONE), len(keys)):
            dealt = {key: replace(state.pieces[key], order=o) for key, o in zip(keys, orders, strict=True)}
            yield replace(state, pieces=state.pieces | dealt)

    def view(self, state: State, seat: Seat | None) -> View:
        known = self.conceal(state, seat)
        decision = self.decision(known)
        turns = tuple(map(str, range(1, self.scenario.turns + 1)))
        return View(
            seat=seat or "",
            tracks=(Track("turn", "Turn", turns, state.turn - 1),),
            counters=tuple(_counter(piece) for piece in known.pieces.values() if piece.up),
            hex_markers=(),
            boxes=(),
            scores=tuple(Score(s, n) for s, n in self._scores(known).items()),
            prompt=Prompt(decision.rule, decision.title, tuple(decision.asked), seat in decision.asked)
            if decision is not None
            else None,
            outcome=state.ended,
            state=known,
            stakes=Stakes(known.turn, len(turns), f"The game ends after turn {len(turns)}.", "1.0", AIMS),
        )

    def redact(self, event: Event, seat: Seat | None) -> Event | None:
        if isinstance(event, OrdersGiven) and event.side != seat:
            return OrdersGiven(event.side, dict.fromkeys(event.orders, Order.HIDDEN))
        return event

    def redact_action(self, action: Action, by: Seat, seat: Seat | None) -> Action | None:
        if isinstance(action, GiveOrders) and by != seat:
            return GiveOrders(dict.fromkeys(action.orders, Order.HIDDEN))
        return action

    def reveals(self, event: Event) -> bool:
        return isinstance(event, Marched | FireAnnounced)

    # --- words ---

    def breakdowns(self, event: Event) -> tuple[Breakdown, ...]:
        return (event.needed,) if isinstance(event, Shot) else ()

    def narrate(self, event: Event) -> str:
        match event:
            case TurnBegan(turn):
                return f"Turn {turn} begins."
            case OrdersGiven(side):
                return f"{side} has given orders."
            case FirstRolled(roll, first):
                return f"A {roll}: {first} marches first."
            case Marched(piece, to):
                return f"{piece} marches to {to}."
            case Shot(shooter, target, roll):
                return f"{shooter} fires at {target} with a {roll}: {'a hit' if event.hit else 'a miss'}."
            case GameEnded(why):
                return f"The game is over: {why}."
            case _:
                return ""

    def spends(self, action: Action) -> bool:
        return isinstance(action, March | Shoot)

    def describe(self, action: Action) -> str:
        match action:
            case GiveOrders(orders):
                return ", ".join(f"{key} {order}" for key, order in orders.items())
            case March(piece, steps):
                return f"march {piece} by {steps}"
            case Shoot(shooters):
                return f"fire with {', '.join(shooters)}"
            case Duck(duck):
                return "duck" if duck else "stand"
            case _:
                return type(action).__name__

    def suppositions(self, state: State, seat: Seat, action: Action) -> list[Supposition]:
        """Odds take it that the marcher stands (2.3)."""
        frame = state.stack[-1]
        if not isinstance(action, Shoot) or not isinstance(frame, Ambush):
            return []
        return [Supposition(f"{frame.target} ducks", "2.3", state, lambda decision, seat: Duck(duck=True))]

    def place(self, label: str) -> int:
        if not label.isdecimal():
            raise BadInput([Fault("place", label, "a number of the track")])
        return int(label)

    def consequence(self, before: State, after: State) -> str:
        lost = [key for key, piece in before.pieces.items() if piece.up and not after.pieces[key].up]
        return f"{', '.join(lost)} lost" if lost else "no effect"

    def _scores(self, state: State) -> dict[str, int]:
        return {s: sum(piece.up for piece in state.pieces.values() if piece.side == s) for s in SEATS}

    def outcome(self, state: State) -> Outcome | None:
        if not state.ended:
            return None
        scores = self._scores(state)
        winner = state.ended.split()[0] if "prize" in state.ended else ""
        if not winner and scores[RED] != scores[BLUE]:
            winner = max(scores, key=lambda side: scores[side])
        return Outcome(winner, state.ended, "3.1", scores)


def _in_reach(piece: Piece, target: Piece) -> bool:
    return piece.up and target.up and abs(piece.at - target.at) <= FARTHEST


def _counter(piece: Piece) -> Counter:
    markers = () if piece.shown else (Marker(piece.order, f"order: {piece.order}", "hidden"),)
    face = Face("foot", piece.id, piece.id, piece.side)
    return Counter(piece.id, piece.side, face, hex=str(piece.at), markers=markers)
