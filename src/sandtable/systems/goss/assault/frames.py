"""13 The questions of a ground assault: each a frame, above the assault that it belongs to."""

from __future__ import annotations

from enum import IntEnum, StrEnum

import msgspec

from sandtable.core.decision import Seat
from sandtable.geo.hex import Hex
from sandtable.systems.goss.common.handler import Frame, nearest
from sandtable.systems.goss.common.state import State
from sandtable.systems.goss.pieces.unit import UnitId

__all__ = [
    "Adjusting",
    "Advancing",
    "Assault",
    "Assaults",
    "Attackers",
    "Demolishing",
    "Discretion",
    "Leads",
    "Line",
    "Losses",
    "Reducing",
    "Reserves",
    "Retreat",
    "RetreatPath",
    "Settling",
    "Sparing",
    "Stage",
    "Stance",
    "StandOff",
    "Stranded",
    "SufferStage",
    "Suffering",
    "assault_of",
]


class Stage(IntEnum):
    """The steps of an assault, in their order (13.2.0)."""

    LINE = 1
    ATTACKERS = 2
    SURRENDER = 3
    STAND_OFF_ATTACKER = 4
    STAND_OFF_DEFENDER = 5
    LAY_OUT = 6
    SPARE_ATTACKER = 7
    SPARE_DEFENDER = 8
    DEMOLITION = 9
    COLLAPSE = 10
    STRANDED = 11
    LEAD_ATTACKER = 12
    LEAD_DEFENDER = 13
    RESERVE_DEFENDER = 14
    RESERVE_ATTACKER = 15
    ROLL = 16
    SUFFER_ATTACKER = 17
    SUFFER_DEFENDER = 18
    ADVANCE = 19
    END = 20


class Adjusting(Frame, frozen=True):
    """12.0 Which designations are taken back."""

    player: Seat


class Assaults(Frame, frozen=True):
    """13.2.0 Which hex is assaulted next."""

    player: Seat
    begun: int = 0
    """Assaults so far."""


class Assault(Frame, frozen=True):
    """13.0 One ground assault, as far as it has come."""

    player: Seat
    """The attacker."""
    target: Hex
    stage: Stage = Stage.LINE
    line: int = 0
    attackers: tuple[UnitId, ...] = ()
    defenders: tuple[UnitId, ...] = ()
    """Those who fight."""
    aside: tuple[UnitId, ...] = ()
    """In the hex of the defenders without a part in the fight: they share its results (13.5.5, 6.7.0)."""
    stand_off: tuple[UnitId, ...] = ()
    spared: tuple[UnitId, ...] = ()
    """Those who fight at half strength to spare supply or fatigue (13.5.3, 13.5.4)."""
    leads: tuple[tuple[str, UnitId], ...] = ()
    """The lead PR unit of each side (13.8.1)."""
    armour: tuple[tuple[str, UnitId], ...] = ()
    """The lead Arm or AT unit of each side (13.8.4a)."""
    reserves: tuple[tuple[str, int], ...] = ()
    """How many units in Combat Reserve each side commits: no more is declared (13.8.2)."""
    engineers: tuple[UnitId, ...] = ()
    """Engineers whose skill counted (13.10.3)."""
    is_below: bool = False
    """The ratio was less than the least of the line (13.10.3)."""
    results: tuple[tuple[int, int, bool], tuple[int, int, bool]] = ((0, 0, False), (0, 0, False))
    """Mandatory hits, discretionary hits and check of the attacker, and of the defender."""
    retreated: int = 0
    """Hexes that the attackers retreated (13.10.4)."""
    path: tuple[Hex, ...] = ()
    """The hexes that the defenders went through (13.11.0)."""
    unresolved: int = 0
    """Hits that nobody was left to take (13.12.3)."""


class Line(Frame, frozen=True):
    """13.3.2 The terrain line, by the defender's choice."""

    player: Seat


class Attackers(Frame, frozen=True):
    """13.4.0 Which units attack."""

    player: Seat


class StandOff(Frame, frozen=True):
    """13.5.2 Which units with an armour factor stand off."""

    player: Seat


class Sparing(Frame, frozen=True):
    """13.5.3, 13.5.4 Which units fight at half strength to spare supply or fatigue."""

    player: Seat


class Demolishing(Frame, frozen=True):
    """13.5.6a Whether a hasty demolition of the bridges is tried."""

    player: Seat


class Stranded(Frame, frozen=True):
    """13.5.6 Which AFVs stand off whose bridge is lost; the others take no part."""

    player: Seat


class Leads(Frame, frozen=True):
    """13.8.1, 13.8.4a The lead PR unit and the lead Arm or AT unit."""

    player: Seat


class Reserves(Frame, frozen=True):
    """13.8.2 Which units in Combat Reserve are committed."""

    player: Seat


class SufferStage(IntEnum):
    """How far a side has applied its result (13.10.0)."""

    CHECK = 1
    REDUCE = 2
    CONVERT = 3
    LOSSES = 4
    CHOOSE = 5
    HOLD = 6
    RETREAT = 7
    SETTLE = 8
    END = 9


class Stance(StrEnum):
    """13.10.4 What is done about discretionary hits."""

    HOLD = "hold"
    LIMITED = "limited retreat"
    FULL = "full retreat"


class Suffering(Frame, frozen=True):
    """13.10.0 A side applies its result."""

    player: Seat
    losses: int
    hits: int
    check: bool = False
    stage: SufferStage = SufferStage.CHECK
    lost: tuple[UnitId, ...] = ()
    """Who has lost a step, as often as he did."""
    as_one: tuple[tuple[UnitId, ...], ...] = ()
    """The units as they counted before the first loss: a host with those who stack for free with it (4.2.1a, 6.2.0)."""
    stance: Stance | None = None
    is_passed: bool = False
    is_left: bool = False
    """ET-3 was given up: it helps no further (13.10.4a)."""
    waiting: tuple[Hex, ...] = ()
    """Stacks that have still to retreat."""
    retreated: tuple[tuple[UnitId, int], ...] = ()
    """Hexes that each has retreated."""
    path: tuple[Hex, ...] = ()
    """Hexes that defenders went through (13.11.0)."""
    gone: int = 0
    """The most hexes that a stack has gone."""
    settled: int = 0
    """Remaining hits that have been taken."""
    fatigue: int = 0
    """Fatigue hits among them (13.10.4a)."""


class Reducing(Frame, frozen=True):
    """13.10.2 Whether a mandatory hit is reduced, or converted."""

    player: Seat
    how: str


class Losses(Frame, frozen=True):
    """13.10.3 Who loses the next step."""

    player: Seat


class Discretion(Frame, frozen=True):
    """13.10.4 Hold, limited or full retreat."""

    player: Seat


class Settling(Frame, frozen=True):
    """13.10.4a How the next discretionary hit is taken."""

    player: Seat


class RetreatPath(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where a retreat began, and the hexes that it went through."""

    start: Hex
    path: tuple[Hex, ...] = ()

    @property
    def at(self) -> Hex:
        """Where it has come to."""
        return self.path[-1] if self.path else self.start

    def on(self, hex: Hex) -> RetreatPath:
        """One hex further."""
        return RetreatPath(self.start, (*self.path, hex))


class Retreat(Frame, frozen=True):
    """13.11.0 Where a stack retreats."""

    player: Seat
    units: tuple[UnitId, ...]
    way: RetreatPath
    goal: int
    """Hexes to go."""
    is_attacker: bool = False
    may_stop: bool = False
    """After the first hex, by choice (13.10.4b)."""
    stopped: tuple[UnitId, ...] = ()
    may_shelter: bool = False
    """Of attackers, into the works of their hex (13.10.4)."""
    owes: bool = False
    """A step for having entered a hex beside the enemy (13.11.3)."""


class Advancing(Frame, frozen=True):
    """13.12.0 Who advances, and how far."""

    player: Seat
    done: tuple[UnitId, ...] = ()


def assault_of(state: State) -> Assault:
    """The assault that is being resolved."""
    return nearest(state, Assault)
