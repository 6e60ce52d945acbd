"""3.0-3.3 The Game Turn: its phases and segments in their order, and when each comes round."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from sandtable.core.content.rule import rule

__all__ = ["JOINT", "PASSING", "PLAYER", "Calendar", "Moment", "Part", "Phase", "Segment", "Step", "following"]


class Part(StrEnum):
    """The game turns of a game day (3.0)."""

    AM = "AM"
    PM = "PM"
    NIGHT = "Night"


_PARTS = tuple(Part)


class Phase(StrEnum):
    """The phases of a game turn (3.3.1, 3.3.2)."""

    AIR_ALLOCATION = "Joint Air Allocation Phase"
    WEATHER = "Joint Weather Phase"
    COMMAND = "Joint Command Phase"
    LOGISTICS = "Joint Logistics Phase"
    FUEL_VALUE = "Joint Fuel Value Determination Phase"
    MODES = "Mode Determination Phase"
    CONSTRUCTION = "Construction Phase"
    MOVEMENT = "Movement Phase"
    INACTIVE_EXPLOIT = "Inactive Player Exploit Phase"
    COMBAT = "Combat Phase"
    ACTIVE_EXPLOIT = "Active Player Exploit Phase"
    ADMINISTRATIVE = "Administrative Phase"


class Step(StrEnum):
    """The segments, and those steps of a segment that have an order of their own."""

    AIR_ALLOCATION = "air allocation"
    WEATHER = "weather"
    INTERDICTION_VALUE = "ground interdiction value"
    REST = "rest GT designation"
    COMMAND = "command"
    NAVAL = "naval unit assignment"
    LULL = "lull determination"
    LEADERS = "leader activation"
    SURRENDER = "surrender"
    TRUCKS = "truck point assignment"
    SUPPLY_INTERDICTION = "supply interdiction"
    AMMO = "ammo delivery"
    FUEL = "fuel delivery"
    DEPOTS = "depot placement"
    REPLACEMENT_POINTS = "replacement points"
    FUEL_VALUE = "fuel value"
    MODES = "modes"
    CONSTRUCTION = "construction"
    DEMOLITION = "demolition"
    RESERVE = "combat reserve designation"
    ENTRY = "reinforcements and withdrawals"
    STRATEGIC = "strategic movement"
    COUP_DE_MAIN = "coup de main"
    ROAD = "Mech road movement"
    NON_ROAD = "non-road movement"
    PREPARED = "PA movement"
    COMMAND_STATUS = "command status"
    QUICK_CONSTRUCTION = "quick construction"
    INACTIVE_EXPLOIT = "exploitation by the inactive player"
    TACTICAL_ASSAULT = "tactical assault designation"
    REPLACEMENTS = "replacements"
    AIR_SUPPORT = "offensive air support"
    DEFENSIVE_SUPPORT = "defensive support"
    OFFENSIVE_SUPPORT = "offensive support"
    ADJUSTMENT = "attacker status adjustment"
    ASSAULT = "ground assault"
    SHIFT_REMOVAL = "artillery shift marker removal"
    ACTIVE_EXPLOIT = "exploitation by the active player"
    AIR_SUPPLY = "air resupply"
    SUPPLY = "supply determination"
    REPLENISHMENT = "ammo replenishment"
    FATIGUE_RECOVERY = "fatigue recovery"
    DELAY_REMOVAL = "delay marker removal"


class Segment(msgspec.Struct, frozen=True):
    """One segment of the Sequence of Play."""

    step: Step
    phase: Phase
    rule: str
    is_daily: bool = False
    """Of the joint phases: only before the first game turn of a day (3.3.1)."""


def _of(phase: Phase, number: str, *steps: Step, is_daily: bool = False) -> tuple[Segment, ...]:
    return tuple(Segment(step, phase, number, is_daily) for step in steps)


JOINT: tuple[Segment, ...] = (
    *_of(Phase.AIR_ALLOCATION, "3.3.1a", Step.AIR_ALLOCATION, is_daily=True),
    *_of(Phase.WEATHER, "3.3.1b", Step.WEATHER, Step.INTERDICTION_VALUE),
    *_of(
        Phase.COMMAND,
        "3.3.1c",
        Step.REST,
        Step.COMMAND,
        Step.NAVAL,
        Step.LULL,
        Step.LEADERS,
        Step.SURRENDER,
        is_daily=True,
    ),
    *_of(
        Phase.LOGISTICS,
        "3.3.1d",
        Step.TRUCKS,
        Step.SUPPLY_INTERDICTION,
        Step.AMMO,
        Step.FUEL,
        Step.DEPOTS,
        Step.REPLACEMENT_POINTS,
        is_daily=True,
    ),
    *_of(Phase.FUEL_VALUE, "3.3.1e", Step.FUEL_VALUE),
)
"""What both sides do before the player turns of a game turn (3.3.1)."""

PLAYER: tuple[Segment, ...] = (
    *_of(Phase.MODES, "3.3.2a", Step.MODES),
    *_of(Phase.CONSTRUCTION, "3.3.2b", Step.CONSTRUCTION, Step.DEMOLITION),
    *_of(
        Phase.MOVEMENT,
        "3.3.2c",
        Step.RESERVE,
        Step.ENTRY,
        Step.STRATEGIC,
        Step.COUP_DE_MAIN,
        Step.ROAD,
        Step.NON_ROAD,
        Step.PREPARED,
        Step.COMMAND_STATUS,
        Step.QUICK_CONSTRUCTION,
    ),
    *_of(Phase.INACTIVE_EXPLOIT, "3.3.2d", Step.INACTIVE_EXPLOIT),
    *_of(
        Phase.COMBAT,
        "3.3.2e",
        Step.TACTICAL_ASSAULT,
        Step.REPLACEMENTS,
        Step.AIR_SUPPORT,
        Step.DEFENSIVE_SUPPORT,
        Step.OFFENSIVE_SUPPORT,
        Step.ADJUSTMENT,
        Step.ASSAULT,
        Step.SHIFT_REMOVAL,
    ),
    *_of(Phase.ACTIVE_EXPLOIT, "3.3.2f", Step.ACTIVE_EXPLOIT),
    *_of(
        Phase.ADMINISTRATIVE,
        "3.3.2g",
        Step.AIR_SUPPLY,
        Step.SUPPLY,
        Step.REPLENISHMENT,
        Step.FATIGUE_RECOVERY,
        Step.DELAY_REMOVAL,
    ),
)
"""What a player turn consists of; the Allied one comes first, the Axis one is the same (3.3.2, 3.3.3)."""

PASSING = frozenset(
    (
        Step.AIR_ALLOCATION,
        Step.INTERDICTION_VALUE,
        Step.COMMAND,
        Step.NAVAL,
        Step.LULL,
        Step.LEADERS,
        Step.TRUCKS,
        Step.SUPPLY_INTERDICTION,
        Step.AMMO,
        Step.FUEL,
        Step.DEPOTS,
        Step.REPLACEMENT_POINTS,
        Step.FUEL_VALUE,
        Step.DEMOLITION,
        Step.STRATEGIC,
        Step.COUP_DE_MAIN,
        Step.COMMAND_STATUS,
        Step.INACTIVE_EXPLOIT,
        Step.REPLACEMENTS,
        Step.AIR_SUPPORT,
        Step.ACTIVE_EXPLOIT,
        Step.AIR_SUPPLY,
        Step.DELAY_REMOVAL,
    )
)
"""In their places, but with rules that are not in yet: they always pass, and nothing is said of them."""


class Moment(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where in the Sequence of Play a game stands."""

    turn: int
    """Game turns since the first, which is 0."""
    player: str = ""
    """The active side; ``""`` in the joint phases (3.2.1)."""
    index: int = -1
    """Which of the segments; -1 before the first."""

    @property
    def segment(self) -> Segment | None:
        """The segment, None before the first one."""
        if self.index < 0:
            return None
        return (PLAYER if self.player else JOINT)[self.index]

    @property
    def step(self) -> Step | None:
        """The step, None before the first one."""
        segment = self.segment
        return None if segment is None else segment.step


class Calendar(msgspec.Struct, frozen=True):
    """The days of a scenario (3.0, 3.1.1)."""

    first: Part
    """The part of the day on which it begins."""
    turns: int
    """How many game turns it has."""

    @rule("1.6.0")
    def part(self, turn: int) -> Part:
        """AM, PM or night."""
        return _PARTS[(_PARTS.index(self.first) + turn) % len(_PARTS)]

    def day(self, turn: int) -> int:
        """The game day, counted from 1."""
        return 1 + (_PARTS.index(self.first) + turn) // len(_PARTS)

    def begins_day(self, turn: int) -> bool:
        """Whether the joint phases of a day come before it: an AM turn, or the first of the scenario (3.3.1)."""
        return turn == 0 or self.part(turn) is Part.AM


@rule("3.0", "3.2.1", "3.3.0", "3.3.1", "3.3.2", "3.3.3", "3.3.4", "3.3.5")
@rule("3.3.1a", "3.3.1b", "3.3.1c", "3.3.1d", "3.3.1e")
@rule("3.3.2a", "3.3.2b", "3.3.2c", "3.3.2d", "3.3.2e", "3.3.2f", "3.3.2g")
def following(moment: Moment, calendar: Calendar, players: tuple[str, str]) -> Moment | None:
    """What comes after a moment; None after the last turn. ``players`` in the order of their turns."""
    turn, player, index = moment.turn, moment.player, moment.index + 1
    if not player:
        daily = calendar.begins_day(turn)
        while index < len(JOINT) and JOINT[index].is_daily and not daily:
            index += 1
        if index < len(JOINT):
            return Moment(turn, "", index)
        return Moment(turn, players[0], 0)
    if index < len(PLAYER):
        return Moment(turn, player, index)
    if player == players[0]:
        return Moment(turn, players[1], 0)
    return following(Moment(turn + 1), calendar, players) if turn + 1 < calendar.turns else None
