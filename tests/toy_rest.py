"""The toy with one phase more, by the steps of docs/write-a-system.md: after the march each side rests a piece.

The page shows this file from its first import on; `tests/core/test_frames.py` compares the two and plays it.
"""

from types import MappingProxyType
from typing import Any

from msgspec.structs import replace

from sandtable.core.decision import Branch, Leaf, Node, Pick, Seat
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking, Changed, Closed, Opened
from tests.toy import SEATS, Action, Fact, Frame, Order, Patrols, PhaseHandler, PieceId, State


class Resting(Frame, frozen=True):  # 1. the frame: the open question
    waiting: tuple[Seat, ...]


class Rest(Action, frozen=True):  # 2. the action: the player's words
    piece: PieceId


class Rested(Fact, frozen=True):  # 3. the event: what happened, and how the state follows
    piece: PieceId


def rested(state: State, event: Rested) -> State:
    return replace(state, pieces=state.pieces | {event.piece: replace(state.pieces[event.piece], order=Order.NONE)})


class RestingHandler(PhaseHandler[Resting]):  # 4. the handler: all about the question
    frame, answers, phase = Resting, (Rest,), "rest"
    folds = MappingProxyType({Rested: rested})

    def begin(self, play: Any) -> None:
        play.emit(Opened(Resting(SEATS)))

    def question(self, state: State, frame: Resting) -> Asking:
        return Asking("1.1", "Rest a piece", frame.waiting[:1])

    def options(self, state: State, frame: Resting, seat: Seat) -> Node[Any]:
        mine = [piece.id for piece in state.pieces.values() if piece.side == seat]
        return Pick(lambda: (Branch(key, "unit", f"rest {key}", Leaf(Rest(key)), key) for key in mine))

    def refusal(self, state: State, frame: Resting, seat: Seat, action: Any) -> Refusal | None:
        return None if action in list(self.options(state, frame, seat)) else Refusal("1.1", "not a piece of yours")

    def apply(self, play: Any, frame: Resting, seat: Seat, action: Any) -> None:
        play.emit(Rested(action.piece))
        play.emit(Changed(Resting(frame.waiting[1:])))

    def advance(self, play: Any, frame: Resting) -> bool:
        if not frame.waiting:
            play.emit(Closed())
        return not frame.waiting


class RestPatrols(Patrols):  # 5. the list of the questions, with one more
    handlers = (*Patrols.handlers, RestingHandler)
