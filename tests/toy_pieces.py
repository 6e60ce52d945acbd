"""What changes in the toy game, what players say and what happens: pieces, frames, actions, events, the scenario."""

from __future__ import annotations

from enum import StrEnum
from typing import NewType

import msgspec

from sandtable.core.content.table import Table
from sandtable.core.decision import Seat
from sandtable.core.dice import DiceSpec
from sandtable.core.frames import Changed, Closed, Opened
from sandtable.core.modifier import Breakdown
from sandtable.core.ruleset import Resolution
from sandtable.core.stakes import Aim

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


class Frame(msgspec.Struct, frozen=True, tag=True):
    """An open question."""


class Ordering(Frame, frozen=True):
    waiting: tuple[Seat, ...]


class Marching(Frame, frozen=True):
    player: Seat
    then: tuple[Seat, ...]


class Ambush(Frame, frozen=True):
    asked: Seat
    target: PieceId


class UnderFire(Frame, frozen=True):
    target: PieceId
    shooters: tuple[PieceId, ...]


class State(msgspec.Struct, frozen=True):
    turn: int
    pieces: dict[PieceId, Piece]
    stack: tuple[Frame, ...]
    ended: str = ""
    phase: str = ""


# --- actions: the player's words only -------------------------------------------------------------


class Action(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """What a player says."""


class GiveOrders(Action, frozen=True):
    orders: dict[PieceId, Order]


class March(Action, frozen=True):
    piece: PieceId
    steps: int


class Halt(Action, frozen=True):
    pass


class Shoot(Action, frozen=True):
    shooters: tuple[PieceId, ...]


class HoldFire(Action, frozen=True):
    pass


class Duck(Action, frozen=True):
    duck: bool


# --- events: facts enough to fold -----------------------------------------------------------------


class Fact(msgspec.Struct, frozen=True, tag=True):
    """What happened."""


class OrdersGiven(Fact, frozen=True):
    side: Seat
    orders: dict[PieceId, Order]


class FirstRolled(Fact, frozen=True):
    roll: int
    first: Seat


class Marched(Fact, frozen=True):
    piece: PieceId
    to: int


class FireAnnounced(Fact, frozen=True):
    shooters: tuple[PieceId, ...]


class Shot(Fact, frozen=True):
    shooter: PieceId
    target: PieceId
    roll: int
    needed: Breakdown
    hit: bool


class TurnBegan(Fact, frozen=True):
    turn: int


class PhaseBegan(Fact, frozen=True):
    phase: str


class GameEnded(Fact, frozen=True):
    why: str


Event = Opened[Frame] | Changed[Frame] | Closed | Fact
Play = Resolution[State, Event]


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


class Book(msgspec.Struct, frozen=True):
    """What never changes in a game, for everybody who has to know the rules."""

    scenario: Scenario
    to_hit: Table

    def longest_march(self, piece: Piece) -> int:
        """2.1: how far a piece can go."""
        left = self.scenario.length - piece.at if piece.side == RED else piece.at
        return min(FARTHEST, left)

    def place_after(self, piece: Piece, steps: int) -> int:
        """2.1: where so many steps lead."""
        return piece.at + (steps if piece.side == RED else -steps)
