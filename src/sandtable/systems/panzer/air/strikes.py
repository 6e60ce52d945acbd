"""6.7.3.2-6.7.3.5 Strafing, bombs and rockets: the GP fire that each is."""

from __future__ import annotations

from collections.abc import Mapping

from sandtable.core.content.rule import rule
from sandtable.core.content.table import Table
from sandtable.systems.panzer.air.aircraft import Aircraft, AirWeapon, Altitude, Pace, Speed, weapon_of
from sandtable.systems.panzer.combat.gp_effects import half_factor
from sandtable.systems.panzer.facts import BlastFacts, BlastKind
from sandtable.systems.panzer.ranges import RangeFactor
from sandtable.systems.panzer.support_cards import AircraftCard
from sandtable.systems.panzer.unit import Grade

__all__ = ["air_blast", "altitude_after", "crash_blast", "crash_distance"]

BOOK = ("panzer-na",)
_FROM = {
    AirWeapon.STRAFE: Altitude.LOW,
    AirWeapon.DIVE: Altitude.LOW,
    AirWeapon.ROCKETS: Altitude.LOW,
}
"""From where an attack counts as made; bombs from where the aircraft flies."""


@rule("6.7.2.3.2", editions=BOOK)
def altitude_after(weapon: AirWeapon, altitude: Altitude) -> Altitude:
    """A dive bomber flies on at Low Altitude (6.7.2.3.2)."""
    return Altitude.LOW if weapon is AirWeapon.DIVE else altitude


@rule("6.7.3.5", editions=BOOK)
def _beside(
    aircraft: Aircraft, weapon: AirWeapon, pace: Pace, tables: Mapping[str, Table]
) -> tuple[tuple[int, str, str], ...]:
    """Aircraft Combat Modifiers; the grade of a strafing crew goes by Extreme Range (6.7.3.5)."""
    table = tables["aircraft_modifiers"]
    altitude = _FROM.get(weapon, pace.altitude)
    names = {Altitude.LOW: "attack_low", Altitude.MEDIUM: "attack_medium"}
    found = [names[altitude]] if altitude in names else []
    if pace.speed is Speed.FAST:
        found.append("attack_fast")
    terms = [(table.number(name, "value"), str(table.lookup(name, "label")), table.rule) for name in found]
    if weapon is AirWeapon.STRAFE:
        grade = tables["unit_grade"].number(aircraft.grade.value, f"GP_{RangeFactor.E.value}")
        if grade:
            terms.append((grade, f"{aircraft.grade.value} Unit Grade, Extreme Range", table.rule))
    return tuple(terms)


@rule("6.7.3.2", "6.7.3.3", "6.7.3.4", editions=BOOK)
def air_blast(
    card: AircraftCard,
    aircraft: Aircraft,
    weapon: AirWeapon,
    pace: Pace,
    *,
    distance: int,
    tables: Mapping[str, Table],
) -> BlastFacts:
    """GP fire from the air; small arms strafe at Point Blank Range (6.7.3.2 to 6.7.3.4).

    What it strikes is still to be filled in. Unit grades count for strafing and rockets, never for bombs.
    """
    attack = weapon_of(card, aircraft.load, weapon)
    assert attack is not None  # noqa: S101 - the caller knows
    factor, range_factor, grade = attack.factor, RangeFactor.P, Grade.SEASONED
    if weapon is AirWeapon.ROCKETS:
        assert card.rockets is not None  # noqa: S101 - it has the load
        reached = card.rockets.gp.range_factor(distance)
        assert reached is not None  # noqa: S101 - the caller knows
        factor, range_factor, grade = card.rockets.gp.F.of(reached), reached, aircraft.grade
    return BlastFacts(
        kind=BlastKind.AIR,
        factor=factor,
        range_factor=range_factor,
        defense=0,
        small_arms=attack.small_arms,
        effectiveness=attack.effectiveness,
        grade=grade,
        shooter_damaged=aircraft.damaged,
        shooter_suppressed=aircraft.is_suppressed,
        beside=_beside(aircraft, weapon, pace, tables),
    )


@rule("6.7.4.2.1", editions=BOOK)
def crash_distance(roll: int, altitude: Altitude) -> int:
    """How far an aircraft flies on before it strikes the ground; half as far from Low Altitude (6.7.4.2.1)."""
    return roll // 2 if altitude is Altitude.LOW else roll


@rule("6.7.4.2.1", editions=BOOK)
def crash_blast(numbers: Table, defense: int) -> BlastFacts:
    """What a crash does to a unit: no small arms, and enough for a vehicle of any GP Defense Factor (6.7.4.2.1)."""
    factor = numbers.number("crash_factor")
    return BlastFacts(
        kind=BlastKind.AIR,
        factor=factor,
        range_factor=RangeFactor.P,
        defense=0,
        effectiveness=max(half_factor(factor), defense),
    )
