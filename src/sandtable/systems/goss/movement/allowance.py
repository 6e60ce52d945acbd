"""7.1, 7.6 Movement Allowance: what a unit has to spend in a phase, in the order in which the book changes it.

Every division rounds up at its own step (7.6.1). A unit in Strat mode is given its half more after the ground has taken
its part (5.5.3b; ruling B-2). In snow what is off the roads loses a third, and on foot what is off the good ones
(19.4.5; ruling B-3).
"""

from __future__ import annotations

from enum import IntEnum

import msgspec

from sandtable.core.content.rule import rule
from sandtable.core.modifier import Breakdown, Modifier
from sandtable.systems.goss.ground.weather import GroundCondition

__all__ = ["Going", "MarchFacts", "allowance"]


class Going(IntEnum):
    """What a whole move keeps to, the best first."""

    GOOD_ROAD = 0
    """Mech road movement, or the march of a Leg unit, along primary and secondary roads only."""
    ROAD = 1
    """Any other Mech road movement."""
    OFF_ROAD = 2


class MarchFacts(msgspec.Struct, frozen=True):
    """What the allowance of a unit hangs on."""

    printed: int
    is_mech: bool = False
    going: Going = Going.OFF_ROAD
    ground: GroundCondition = GroundCondition.DRY
    fuel: int | None = None
    """The most that its HQ's fuel value leaves it; None in normal fuel, and for who needs none (16.4.5b)."""
    is_strategic: bool = False
    bonus: int = 0
    """Of a Maneuver Reserve bonus period (5.4.4a)."""
    has_leader: bool = False
    is_road_march: bool = False
    """A Leg unit that meets all that 7.6.2 asks for."""
    is_out_of_supply: bool = False
    is_out_of_command: bool = False
    fatigue: int = 0
    is_day_exploit: bool = False


_LEG_ROAD, _WET, _ROAD_FROST = 2, 2, 1
_TIRED, _WORN_OUT = 1, 2


class _Sum:
    """A number and how it came about."""

    def __init__(self, printed: int) -> None:
        self.value = printed
        self.terms: list[Modifier] = []

    def become(self, value: int, label: str, number: str) -> None:
        """Change the number, and say why."""
        if value != self.value:
            self.terms.append(Modifier(value - self.value, label, number))
            self.value = value


@rule("7.1.0", "7.6.1", "7.6.1a", "7.6.1b", "7.6.1c", "7.6.1d", "7.6.1e", "7.6.2")
def allowance(facts: MarchFacts) -> Breakdown:
    """The movement points that a unit may spend in a phase (7.1.0)."""
    total = _Sum(facts.printed)
    if facts.is_mech and facts.fuel is not None:
        total.become(min(total.value, facts.fuel), "fuel value", "7.6.1a")
    if facts.bonus:
        total.become(total.value + facts.bonus, "Maneuver Reserve bonus", "5.4.4a")
    if facts.is_road_march:
        total.become(total.value + _LEG_ROAD, "on foot along roads", "7.6.2")
    if facts.has_leader:
        total.become(total.value + 1, "leader", "23.2.1a")
    _divide(total, facts)
    _ground(total, facts)
    if facts.is_strategic:
        total.become(_up(3 * total.value, 2), "Strat mode", "5.5.3b")
    return Breakdown("Movement Allowance", "7.1.0", tuple(total.terms), facts.printed, "printed")


def _up(number: int, by: int) -> int:
    return -(-number // by)


@rule("14.2.1", "14.2.2")
def _divide(total: _Sum, facts: MarchFacts) -> None:
    """Halve for one reason, quarter for two or for fatigue 2, and never more than that (7.6.1c, 7.6.1d)."""
    reasons = [
        label
        for label, holds in (
            ("out of supply", facts.is_out_of_supply),
            ("out of command", facts.is_out_of_command),
            ("fatigue 1", facts.fatigue == _TIRED),
            ("day Exploit Phase", facts.is_day_exploit),
        )
        if holds
    ]
    if facts.fatigue >= _WORN_OUT:
        total.become(_up(total.value, 4), "quartered: fatigue 2", "7.6.1d")
    elif len(reasons) > 1:
        total.become(_up(total.value, 4), f"quartered: {', '.join(reasons)}", "7.6.1d")
    elif reasons:
        total.become(_up(total.value, 2), f"halved: {reasons[0]}", "7.6.1c")


@rule("19.4.0", "19.4.1", "19.4.2", "19.4.3", "19.4.4", "19.4.5")
def _ground(total: _Sum, facts: MarchFacts) -> None:
    """What the ground takes, after all else (7.6.1e)."""
    going, value = facts.going, total.value
    match facts.ground:
        case GroundCondition.WET if facts.is_mech and going is not Going.GOOD_ROAD:
            total.become(max(value - _WET, 0), "wet ground", "19.4.2")
        case GroundCondition.MUD if going is not Going.GOOD_ROAD:
            total.become(_up(value, 2), "mud", "19.4.3")
        case GroundCondition.FREEZE if facts.is_mech and going is not Going.OFF_ROAD:
            total.become(max(value - _ROAD_FROST, 0), "frozen roads", "19.4.4")
        case GroundCondition.SNOW if going is Going.OFF_ROAD or (going is Going.ROAD and not facts.is_mech):
            total.become(_up(2 * value, 3), "snow", "19.4.5")
        case GroundCondition.SNOW if facts.is_mech:
            total.become(max(value - _ROAD_FROST, 0), "snow on the roads", "19.4.5")
