"""13.8 Step 6: the bonuses of the combat roll: proficiency, Combat Reserve, regimental integrity, armour and AT.

A bonus of the attacker counts up, one of the defender down; both sides add the same total to their rolls (13.8.0).
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from sandtable.core.content.rule import rule
from sandtable.core.modifier import Breakdown, Modifier
from sandtable.systems.goss.assault.strength import Fighter

__all__ = ["ArmourGround", "armour_bonus", "integrity_bonus", "proficiency_bonus", "reserve_bonus", "total_drm"]

_POINT = 5
"""DRM of a bonus, but for those of armour."""
_ARMOUR, _LONG_RANGE = 10, 15
_MOST = 60
_LED_RATING = 9
_MOST_RESERVES = 3
_LEAST_INTEGRITY, _MOST_INTEGRITY = 2, 3
_ATTACKING_REGIMENTS, _DEFENDING_REGIMENTS = 2, 1
_DAY, _NIGHT = 5, 2
_LONG = 5
"""From this factor on a gun outranges (13.8.4g)."""


@rule("13.8.0", "13.8.5")
def total_drm(terms: Sequence[Modifier]) -> Breakdown:
    """What both sides add to their rolls: at most 60 either way (13.8.5)."""
    told = Breakdown("Combat DRM", "13.8.0", tuple(term for term in terms if term.value))
    most = max(-_MOST, min(_MOST, told.net))
    return told if most == told.net else msgspec.structs.replace(told, result=most, result_label="at most 60")


@rule("13.8.1")
def proficiency_bonus(
    attacker: int, defender: int, *, attacker_led: bool = False, defender_led: bool = False
) -> Modifier:
    """Five for each point by which one lead unit is better; what works add to a PR is in it (13.8.1, 17.4.1a)."""
    if attacker_led:
        attacker = max(attacker, min(attacker + 1, _LED_RATING))
    if defender_led:
        defender = max(defender, min(defender + 1, _LED_RATING))
    return Modifier(_POINT * (attacker - defender), f"proficiency {attacker} against {defender}", "13.8.1")


@rule("13.8.2")
def reserve_bonus(attacking: int, defending: int) -> Modifier:
    """Five for each unit in Combat Reserve that is committed, at most three a side (13.8.2)."""
    difference = min(attacking, _MOST_RESERVES) - min(defending, _MOST_RESERVES)
    return Modifier(_POINT * difference, f"combat reserve {attacking} against {defending}", "13.8.2")


@rule("13.8.3")
def integrity_bonus(attacking: Sequence[int], defending: Sequence[int]) -> Modifier:
    """Five for each unit of a regiment that fights together: two or three of each of two regiments, of one in defence.

    Given is how many eligible units each regiment has there (13.8.3).
    """
    ours = _integrity(attacking, _ATTACKING_REGIMENTS)
    theirs = _integrity(defending, _DEFENDING_REGIMENTS)
    return Modifier(_POINT * (ours - theirs), f"regimental integrity {ours} against {theirs}", "13.8.3")


def _integrity(regiments: Sequence[int], most: int) -> int:
    counted = [min(units, _MOST_INTEGRITY) for units in regiments if units >= _LEAST_INTEGRITY]
    return sum(sorted(counted, reverse=True)[:most])


class ArmourGround(msgspec.Struct, frozen=True):
    """What the defender's terrain does to armour: the row that he chose (13.8.4a)."""

    modifier: int = 0
    """Bonuses that it takes."""
    most: int = _DAY
    """The most that are left in it."""
    works: int = 0
    """What defensive works take besides, from armour that attacks AT guns (13.8.4d)."""


class ArmourClash(msgspec.Struct, frozen=True):
    """Both sides' lead units for armour and AT, None where a side has none, and where they fight."""

    attacker: Fighter | None
    defender: Fighter | None
    ground: ArmourGround = ArmourGround()
    is_night: bool = False
    attacker_in_open: bool = False
    """Its lead Arm unit stands in a clear hex without MCT (13.8.4g)."""
    defender_in_open: bool = False
    has_mounted_infantry: bool = False
    """Of the defender (13.8.4b)."""


@rule("13.8.4", "13.8.4a", "13.8.4b", "13.8.4c", "13.8.4d", "13.8.4e", "13.8.4f", "13.8.4g")
def armour_bonus(clash: ArmourClash) -> Modifier:
    """Ten, or fifteen at long range, for each bonus of the better guns (13.8.4)."""
    ours, theirs = clash.attacker, clash.defender
    limit = _NIGHT if clash.is_night else _DAY
    ground = clash.ground
    if ours is not None and ours.arm:
        if theirs is not None and theirs.arm:
            return _arm_against_arm(clash, ours.arm, theirs.arm, limit)
        at = theirs.at if theirs is not None else 0
        if at > ours.arm:
            return _bonus(clash, -min(at - ours.arm, limit), ours.arm, at, "13.8.4d")
        left = min(ours.arm - at - ground.modifier - ground.works, ground.most, limit)
        return _bonus(clash, max(left, 0), ours.arm, at, "13.8.4d")
    at = ours.at if ours is not None else 0
    if theirs is not None and theirs.arm_attack:
        left = min(theirs.arm_attack - at - ground.modifier, ground.most, limit)
        return _bonus(clash, -max(left, 0), at, theirs.arm_attack, "13.8.4e")
    if clash.has_mounted_infantry:
        # Without armour armoured infantry has an Arm factor of one; against AT guns that is a bonus as it stands.
        return _bonus(clash, -1 if at else -max(1 - ground.modifier, 0), at, 1, "13.8.4b" if at else "13.8.4e")
    return Modifier(0, "no armour on either side", "13.8.4b")


def _arm_against_arm(clash: ArmourClash, ours: int, theirs: int, limit: int) -> Modifier:
    """The difference less the terrain, whoever is better; works do not count (13.8.4c)."""
    difference = ours - theirs
    left = max(min(abs(difference) - clash.ground.modifier, clash.ground.most, limit), 0)
    return _bonus(clash, left if difference > 0 else -left, ours, theirs, "13.8.4c")


def _bonus(clash: ArmourClash, bonuses: int, ours: int, theirs: int, number: str) -> Modifier:
    """What the bonuses are worth: more where an Arm unit stands in the open and the better gun has five or more."""
    factor = ours if bonuses > 0 else theirs
    in_open = clash.attacker_in_open or clash.defender_in_open
    value = _LONG_RANGE if in_open and factor >= _LONG else _ARMOUR
    return Modifier(value * bonuses, f"armour and AT {ours} against {theirs}", number)
