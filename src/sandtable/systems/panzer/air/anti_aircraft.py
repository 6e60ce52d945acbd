"""6.7.4 Anti-aircraft fire: the GP fire that it is, and what comes of it."""

from __future__ import annotations

from enum import StrEnum

from sandtable.core.content.rule import rule
from sandtable.core.content.table import Table
from sandtable.core.errors import Refusal
from sandtable.systems.panzer.advanced_card import GpKind, GpRow
from sandtable.systems.panzer.air.aircraft import Altitude, Pace, Speed
from sandtable.systems.panzer.cards import Card, Weapon
from sandtable.systems.panzer.combat.gp_fire import GpResult
from sandtable.systems.panzer.facts import BlastFacts, BlastKind
from sandtable.systems.panzer.unit import Grade

__all__ = ["AirEffect", "aa_blast", "aa_effect", "aa_rows", "refuse_aa_row"]

BOOK = ("panzer-na",)


class AirEffect(StrEnum):
    """What AA fire does to an aircraft (6.7.4.2.1)."""

    NONE = "missed"
    SUPPRESSED = "suppressed"
    DAMAGED = "damaged"
    SHOT_DOWN = "shot down"


@rule("6.7.4", editions=BOOK)
def aa_rows(card: Card) -> tuple[tuple[int, Weapon, GpRow], ...]:
    """The weapons of a unit that have an AA row; without one it never fires at aircraft (6.7.4)."""
    found = ((index, weapon, weapon.gp_row(GpKind.ANTI_AIRCRAFT)) for index, weapon in enumerate(card.weapons))
    return tuple((index, weapon, row) for index, weapon, row in found if row is not None)


@rule("6.7.4.1.2", editions=BOOK)
def refuse_aa_row(row: GpRow, altitude: Altitude, distance: int) -> Refusal | None:
    """Why an AA row does not reach an aircraft: some are N/A vs. High Altitude (6.7.4.1.2)."""
    if row.no_high and altitude is Altitude.HIGH:
        return Refusal("6.7.4.1.2", "not available against High Altitude", "fire another weapon, or pass")
    if row.range_factor(distance) is None:
        return Refusal("6.5.4.1", f"the aircraft is {distance} hexes away", f"{row.minimum} to {row.R.E}")
    return None


@rule("6.7.4.2", "6.5.4.2.4", editions=BOOK)
def aa_blast(
    row: GpRow,
    distance: int,
    defense: int,
    pace: Pace,
    table: Table,
    *,
    grade: Grade,
    small_arms: bool = False,
    suppressed: bool = False,
    damaged: bool = False,
    ammo_short: bool = False,
) -> BlastFacts:
    """GP fire on an aircraft, which is S-Type; no overwatch modifiers (6.5.4.2.4, 6.7.4.2)."""
    reached = row.range_factor(distance)
    assert reached is not None  # noqa: S101 - the caller knows
    beside = [(row.modifier, "AA modifier of the card", "6.7.4.2")] if row.modifier else []
    against = {
        "aa_fast": pace.speed is Speed.FAST,
        "aa_high": pace.altitude is Altitude.HIGH,
        "aa_low": pace.altitude is Altitude.LOW,
    }
    for name, holds in against.items():
        if holds:
            beside.append((table.number(name, "value"), str(table.lookup(name, "label")), "6.7.4.2"))
    return BlastFacts(
        kind=BlastKind.ANTI_AIRCRAFT,
        factor=row.F.of(reached),
        range_factor=reached,
        defense=defense,
        small_arms=small_arms,
        grade=grade,
        shooter_suppressed=suppressed,
        shooter_damaged=damaged,
        ammo_short=ammo_short,
        beside=tuple(beside),
    )


@rule("6.7.4.2.1", editions=BOOK)
def aa_effect(result: GpResult, final: int, *, damaged: bool) -> AirEffect:
    """What a result does; Effective that ends in 5 or 10 damages, the second time it is the end (6.7.4.2.1)."""
    if result is GpResult.NONE:
        return AirEffect.NONE
    if result is GpResult.SUPPRESSED:
        return AirEffect.SUPPRESSED
    return AirEffect.DAMAGED if final % 5 == 0 and not damaged else AirEffect.SHOT_DOWN
