"""What a game of crowds consists of: units, the state, actions and events."""

from __future__ import annotations

import msgspec

from sandtable.core.decision import Seat
from sandtable.core.modifier import Breakdown
from sandtable.core.ruleset import Space, SystemCard
from sandtable.geo.hex import Hex

__all__ = [
    "CARD",
    "Action",
    "Event",
    "Fire",
    "GameEnded",
    "Held",
    "Hold",
    "Leg",
    "Move",
    "Pass",
    "Scenario",
    "Shot",
    "State",
    "Stepped",
    "TurnPassed",
    "Unit",
]


class Unit(msgspec.Struct, frozen=True, omit_defaults=True):
    """A unit on the map."""

    id: str
    side: Seat
    hex: Hex
    strength: int
    """1 or 2; 0 where it is hidden."""
    is_shown: bool = False
    is_done: bool = False


class State(msgspec.Struct, frozen=True):
    """What changes."""

    turn: int
    player: Seat
    units: dict[str, Unit]
    ended: str = ""


class Leg(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A hex of a way."""

    to: Hex


class Move(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """1.1: go hex by hex."""

    unit: str
    path: tuple[Leg, ...]


class Fire(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """1.2: fire at an enemy."""

    unit: str
    target: str


class Hold(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """1.3: stay."""

    unit: str


class Pass(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """1.0: end the turn of the side."""


Action = Move | Fire | Hold | Pass


class Stepped(msgspec.Struct, frozen=True, tag=True):
    """A unit came to a hex."""

    unit: str
    to: Hex
    at: str
    """Its label."""
    cost: Breakdown


class Held(msgspec.Struct, frozen=True, tag=True):
    """A unit has done what it does this turn."""

    unit: str


class Shot(msgspec.Struct, frozen=True, tag=True):
    """A unit fired."""

    unit: str
    target: str
    roll: int
    needed: Breakdown
    left: int
    """Strength that the target has left; -1 for a miss."""


class TurnPassed(msgspec.Struct, frozen=True, tag=True):
    """It is for the other side."""

    turn: int
    player: Seat


class GameEnded(msgspec.Struct, frozen=True, tag=True):
    """It is over."""

    why: str


Event = Stepped | Held | Shot | TurnPassed | GameEnded


class Scenario(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many there are, and for how long."""

    id: str
    system: str
    title: str
    turns: int
    status: str
    units: int
    summary: str = ""


CARD = SystemCard(
    id="crowd",
    title="Crowds",
    rulebook="The Book of Crowds",
    version=1,
    package="sandtable.testing.crowd",
    pack="crowd",
    players=2,
    hidden=True,
    chance=True,
    simultaneous=False,
    space=Space.HEXES,
)
