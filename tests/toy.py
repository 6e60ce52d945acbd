"""Patrols: a whole game with hidden orders, to test the kernel with and to learn the contract from.

Two sides walk a track towards each other. Orders are secret (1.1), a roll says who marches first (1.2), a
march may draw fire from pieces that were told to aim (2.2), and the marcher may duck before the dice fall
(2.3). It uses all four shapes of choice, a reaction inside an action, a table, a breakdown, redaction and a
Path of its own. Pieces, actions and events are in `tests/toy_pieces.py`, its pack and its
System in `tests/toy_system.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import permutations
from typing import Any, TypeVar

from msgspec.structs import replace

from sandtable.core.content.pack import Library
from sandtable.core.content.rule import rule
from sandtable.core.decision import (
    Assign,
    Branch,
    Gather,
    Leaf,
    Node,
    Path,
    Pick,
    Seat,
    Slot,
)
from sandtable.core.errors import BadInput, Fault, Refusal
from sandtable.core.frames import Asking, Changed, Closed, FrameHandler, FrameRules, Opened, unchanged
from sandtable.core.modifier import Breakdown, Modifier
from sandtable.core.odds import Supposition
from sandtable.core.ruleset import Outcome
from sandtable.core.stakes import Stakes
from sandtable.core.view import Counter, Face, Marker, Prompt, Score, Track, View
from tests.toy_card import CARD
from tests.toy_pieces import (
    AIMS,
    BLUE,
    FARTHEST,
    ONE_DIE,
    RED,
    SEATS,
    TWO_DICE,
    Action,
    Ambush,
    Book,
    Duck,
    Event,
    Fact,
    FireAnnounced,
    FirstRolled,
    Frame,
    GameEnded,
    GiveOrders,
    Halt,
    HoldFire,
    March,
    Marched,
    Marching,
    Order,
    Ordering,
    OrdersGiven,
    PhaseBegan,
    Piece,
    PieceId,
    Play,
    Scenario,
    Shoot,
    Shot,
    State,
    TurnBegan,
    UnderFire,
)

__all__ = [
    "AIMS",
    "BLUE",
    "FACTS",
    "FARTHEST",
    "ONE_DIE",
    "RED",
    "SEATS",
    "TWO_DICE",
    "Action",
    "Ambush",
    "AmbushHandler",
    "Book",
    "Duck",
    "Event",
    "Fact",
    "FireAnnounced",
    "FirstRolled",
    "Frame",
    "GameEnded",
    "GiveOrders",
    "Halt",
    "Handler",
    "HoldFire",
    "March",
    "MarchPath",
    "Marched",
    "Marching",
    "MarchingHandler",
    "Order",
    "Ordering",
    "OrderingHandler",
    "OrdersGiven",
    "Patrols",
    "PhaseBegan",
    "PhaseHandler",
    "Piece",
    "PieceId",
    "Play",
    "Scenario",
    "Shoot",
    "Shot",
    "State",
    "TurnBegan",
    "UnderFire",
    "UnderFireHandler",
]

F = TypeVar("F")


# --- a handler a frame: all about one question ------------------------------------------------------


class Handler(FrameHandler[Book, State, Action, Event, F]):
    """A question of this game."""


class PhaseHandler(Handler[F]):
    """A question that a turn has by itself: a phase. A turn has them in the order of the handlers."""

    phase = ""

    def begin(self, play: Play) -> None:
        """How the phase begins."""
        raise NotImplementedError


class OrderingHandler(PhaseHandler[Ordering]):
    """1.1: both sides give orders in secret."""

    frame = Ordering
    answers = (GiveOrders,)
    phase = "orders"

    @rule("1.1")
    def begin(self, play: Play) -> None:
        play.emit(Opened(Ordering(SEATS)))

    def question(self, state: State, frame: Ordering) -> Asking:
        return Asking("1.1", "Give orders", frame.waiting, secret=True)

    def options(self, state: State, frame: Ordering, seat: Seat) -> Node[Action]:
        mine = [piece for piece in state.pieces.values() if piece.side == seat and piece.up]
        slots = [Slot(p.id, "order", p.id, (Order.MARCH, Order.AIM, Order.NONE)) for p in mine]

        def build(values: tuple[str, ...]) -> Action:
            return GiveOrders({p.id: Order(value) for p, value in zip(mine, values, strict=True)})

        return Assign(slots, build)

    def refusal(self, state: State, frame: Ordering, seat: Seat, action: Action) -> Refusal | None:
        assert isinstance(action, GiveOrders)
        mine = {piece.id for piece in state.pieces.values() if piece.side == seat and piece.up}
        if set(action.orders) != mine or Order.HIDDEN in action.orders.values():
            right = f"order {', '.join(sorted(mine))}"
            return Refusal("1.1", "not one order for each of your pieces", right)
        return None

    def apply(self, play: Play, frame: Ordering, seat: Seat, action: Action) -> None:
        assert isinstance(action, GiveOrders)
        play.emit(OrdersGiven(seat, action.orders))
        play.emit(Changed(Ordering(tuple(other for other in frame.waiting if other != seat))))

    def advance(self, play: Play, frame: Ordering) -> bool:
        if frame.waiting:
            return False
        play.emit(Closed())
        return True


class MarchPath(Path[Action]):
    """2.1: step after step, stopping after any; the last place is where one must stop."""

    def __init__(self, book: Book, piece: Piece, taken: int = 0) -> None:
        self._book = book
        self._piece = piece
        self._taken = taken

    def branches(self) -> Iterator[Branch[Action]]:
        if self._taken:
            yield Branch("stop", "stop", "stop here", Leaf(March(self._piece.id, self._taken)))
        if self._taken < self._book.longest_march(self._piece):
            place = str(self._book.place_after(self._piece, self._taken + 1))
            further = MarchPath(self._book, self._piece, self._taken + 1)
            yield Branch("on", "leg", f"to {place}", further, place, is_hex=True)

    def destinations(self) -> Iterator[Branch[Action]]:
        for steps in range(1, self._book.longest_march(self._piece) + 1):
            place = str(self._book.place_after(self._piece, steps))
            yield Branch(place, "hex", f"to {place}", Leaf(March(self._piece.id, steps)), place, is_hex=True)


class MarchingHandler(PhaseHandler[Marching]):
    """1.2, 2.1: a roll says who marches first, then the sides march one after the other."""

    frame = Marching
    answers = (March, Halt)
    phase = "march"

    @rule("1.2")
    def begin(self, play: Play) -> None:
        roll = play.dice.roll(ONE_DIE, "first player", cuts=(3,)).total
        first = RED if roll <= 3 else BLUE
        play.emit(FirstRolled(roll, first))
        play.emit(Opened(Marching(first, tuple(side for side in SEATS if side != first))))

    def question(self, state: State, frame: Marching) -> Asking:
        return Asking("2.1", "March a piece, or end the step", (frame.player,))

    def options(self, state: State, frame: Marching, seat: Seat) -> Node[Action]:
        return Pick(lambda: self.marches(state, seat))

    def marches(self, state: State, seat: Seat) -> Iterator[Branch[Action]]:
        for piece in state.pieces.values():
            if piece.side == seat and self.march_refusal(state, March(piece.id, 1)) is None:
                yield Branch(piece.id, "unit", f"march {piece.id}", MarchPath(self.context, piece), piece.id)
        yield Branch("halt", "pass", "end the step", Leaf(Halt()))

    def refusal(self, state: State, frame: Marching, seat: Seat, action: Action) -> Refusal | None:
        if not isinstance(action, March):
            return None
        if action.piece not in state.pieces or state.pieces[action.piece].side != seat:
            return Refusal("2.1", f"{action.piece} is not yours")
        return self.march_refusal(state, action)

    @rule("2.1")
    def march_refusal(self, state: State, march: March) -> Refusal | None:
        piece = state.pieces[march.piece]
        if not piece.up or piece.order is not Order.MARCH:
            return Refusal("2.1", f"{piece.id} has no order to march")
        longest = self.context.longest_march(piece)
        if not 1 <= march.steps <= longest:
            return Refusal("2.1", f"{march.steps} steps", f"1 to {longest}")
        return None

    def apply(self, play: Play, frame: Marching, seat: Seat, action: Action) -> None:
        if isinstance(action, March):
            piece = play.state.pieces[action.piece]
            play.emit(Marched(piece.id, self.context.place_after(piece, action.steps)))
            self.invite_fire(play, piece.id)
        elif frame.then:
            play.emit(Changed(Marching(frame.then[0], ())))
        else:
            play.emit(Closed())

    @rule("2.2")
    def invite_fire(self, play: Play, key: PieceId) -> None:
        """The question is put whatever the hidden orders are, or it would give them away."""
        mover = play.state.pieces[key]
        others = [piece for piece in play.state.pieces.values() if piece.side != mover.side]
        if any(_in_reach(piece, mover) and not piece.shown for piece in others):
            play.emit(Opened(Ambush(others[0].side, key)))


class AmbushHandler(Handler[Ambush]):
    """2.2: those that aim may fire at what has just marched."""

    frame = Ambush
    answers = (Shoot, HoldFire)

    def question(self, state: State, frame: Ambush) -> Asking:
        return Asking("2.2", f"Fire at {frame.target}", (frame.asked,))

    def options(self, state: State, frame: Ambush, seat: Seat) -> Node[Action]:
        return Pick(lambda: self.reactions(state, frame))

    def reactions(self, state: State, frame: Ambush) -> Iterator[Branch[Action]]:
        able = self.able_to_shoot(state, frame)
        yield Branch("hold", "pass", "hold fire", Leaf(HoldFire()))
        if able:
            slots = [Slot(key, "unit", key, ("fire",)) for key in able]

            def build(values: tuple[str, ...]) -> Action:
                return Shoot(tuple(key for key, value in zip(able, values, strict=True) if value))

            yield Branch("fire", "order", "fire", Gather(slots, build))

    def able_to_shoot(self, state: State, frame: Ambush) -> list[PieceId]:
        target = state.pieces[frame.target]
        return [
            piece.id
            for piece in state.pieces.values()
            if piece.side == frame.asked and piece.order is Order.AIM and _in_reach(piece, target)
        ]

    def refusal(self, state: State, frame: Ambush, seat: Seat, action: Action) -> Refusal | None:
        if not isinstance(action, Shoot):
            return None
        able = self.able_to_shoot(state, frame)
        ordered = [key for key in able if key in action.shooters]
        if not action.shooters or list(action.shooters) != ordered:
            return Refusal("2.2", "not pieces that aim, in their order", f"some of {', '.join(able)}")
        return None

    def apply(self, play: Play, frame: Ambush, seat: Seat, action: Action) -> None:
        if isinstance(action, Shoot):
            play.emit(FireAnnounced(action.shooters))
            # The question to duck stands over the one to fire, so that odds know that it belongs to it.
            play.emit(Opened(UnderFire(frame.target, action.shooters)))
        else:
            play.emit(Closed())


class UnderFireHandler(Handler[UnderFire]):
    """2.3: the marcher may duck, then the dice fall."""

    frame = UnderFire
    answers = (Duck,)

    def question(self, state: State, frame: UnderFire) -> Asking:
        return Asking("2.3", f"Duck with {frame.target}", (state.pieces[frame.target].side,))

    def options(self, state: State, frame: UnderFire, seat: Seat) -> Node[Action]:
        return Pick(
            lambda: (
                Branch("stand", "order", "stand", Leaf(Duck(duck=False))),
                Branch("duck", "order", "duck", Leaf(Duck(duck=True))),
            )
        )

    @rule("2.2", "2.3")
    def apply(self, play: Play, frame: UnderFire, seat: Seat, action: Action) -> None:
        assert isinstance(action, Duck)
        for key in frame.shooters:
            shooter, target = play.state.pieces[key], play.state.pieces[frame.target]
            if not target.up:
                break
            reach = abs(shooter.at - target.at)
            base = self.context.to_hit.number(reach)
            needed = Breakdown("To Hit", "2.2", base=base, base_label=f"at range {reach}")
            if action.duck:
                needed = needed.plus([Modifier(2, "target ducks", "2.3")])
            roll = play.dice.roll(TWO_DICE, f"{key} fires at {target.id}", cuts=(needed.total - 1,)).total
            play.emit(Shot(key, target.id, roll, needed, hit=roll >= needed.total))
        play.emit(Closed())
        play.emit(Closed())


# --- folds: the only place where state changes ------------------------------------------------------


def _turn_began(state: State, event: TurnBegan) -> State:
    clear = {key: replace(piece, order=Order.NONE, shown=True) for key, piece in state.pieces.items()}
    return replace(state, turn=event.turn, pieces=clear, stack=(), phase="")


def _phase_began(state: State, event: PhaseBegan) -> State:
    return replace(state, phase=event.phase)


def _orders_given(state: State, event: OrdersGiven) -> State:
    given = {key: replace(state.pieces[key], order=order, shown=False) for key, order in event.orders.items()}
    return replace(state, pieces=state.pieces | given)


def _marched(state: State, event: Marched) -> State:
    moved = replace(state.pieces[event.piece], at=event.to, order=Order.NONE, shown=True)
    return replace(state, pieces=state.pieces | {event.piece: moved})


def _fire_announced(state: State, event: FireAnnounced) -> State:
    shown = {key: replace(state.pieces[key], order=Order.NONE, shown=True) for key in event.shooters}
    return replace(state, pieces=state.pieces | shown)


def _shot(state: State, event: Shot) -> State:
    target = state.pieces[event.target]
    return replace(state, pieces=state.pieces | {target.id: replace(target, up=target.up and not event.hit)})


def _game_ended(state: State, event: GameEnded) -> State:
    return replace(state, stack=(), ended=event.why)


FACTS: Mapping[type, Callable[[State, Any], State]] = {
    OrdersGiven: _orders_given,
    FirstRolled: unchanged,
    Marched: _marched,
    FireAnnounced: _fire_announced,
    Shot: _shot,
    TurnBegan: _turn_began,
    PhaseBegan: _phase_began,
    GameEnded: _game_ended,
}


class Patrols(FrameRules[Book, State, Action, Event]):
    """The ruleset of one scenario."""

    card = CARD
    seats: tuple[Seat, ...] = SEATS
    base_state = State
    facts = FACTS
    handlers: tuple[type[FrameHandler[Book, State, Action, Event, Any]], ...] = (
        OrderingHandler,
        MarchingHandler,
        AmbushHandler,
        UnderFireHandler,
    )

    def __init__(self, scenario: Scenario, library: Library) -> None:
        super().__init__(Book(scenario, library.table("to_hit")))
        self.scenario = scenario

    # --- the sequence of play ---

    def setup(self) -> State:
        pieces = {key: Piece(key, RED, 0) for key in self.scenario.red}
        pieces |= {key: Piece(key, BLUE, self.scenario.length) for key in self.scenario.blue}
        return self.state_type(turn=0, pieces=pieces, stack=())

    def opening(self, play: Play) -> None:
        play.emit(TurnBegan(1))

    def next_phase(self, play: Play) -> None:
        phases = [handler for handler in self.all_handlers() if isinstance(handler, PhaseHandler)]
        done = [handler.phase for handler in phases].index(play.state.phase) + 1 if play.state.phase else 0
        if done < len(phases):
            play.emit(PhaseBegan(phases[done].phase))
            phases[done].begin(play)
        elif play.state.turn < self.scenario.turns:
            play.emit(TurnBegan(play.state.turn + 1))
        else:
            play.emit(GameEnded("time is up"))

    @rule("1.1", "3.1")
    def settle(self, play: Play) -> None:
        """Who reaches the far end takes the prize, at any moment."""
        pieces = play.state.pieces.values()
        for side, goal in ((RED, self.scenario.length), (BLUE, 0)):
            if not play.state.ended and any(piece.side == side and piece.up and piece.at == goal for piece in pieces):
                play.emit(GameEnded(f"{side} takes the prize"))

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
