"""6.5.4.4.2, 6.5.4.4.3 What a GP result does to vehicles, by type and weapon, and to leg and towed units."""

from __future__ import annotations

from enum import StrEnum

from sandtable.core.content.rule import rule
from sandtable.systems.panzer.advanced_card import TargetType, UnitClass
from sandtable.systems.panzer.cards import RangeFactor
from sandtable.systems.panzer.combat.gp_fire import GpResult
from sandtable.systems.panzer.facts import BlastFacts, BlastKind

__all__ = ["GpEffect", "brews_up_on", "foot_effect", "half_factor", "turret_on", "vehicle_effect"]

BOOK = ("panzer-na",)
TURRET_ON = 4
"""Highest roll (10) that damages the turret and not the hull (6.5.4.4.2)."""


class GpEffect(StrEnum):
    """What GP fire does to a unit."""

    NONE = ""
    SUPPRESSED = "suppressed"
    DAMAGED = "damaged"
    """A roll (10) says whether in turret or hull."""
    TRACK = "track hit"
    LOST = "lost"
    """A vehicle: a roll (10) says whether it brews up or is knocked out."""
    REDUCED = "reduced"
    """A squad becomes a half-squad, suppressed."""
    ELIMINATED = "eliminated"


@rule("6.5.4.4.2", editions=BOOK)
def vehicle_effect(facts: BlastFacts, result: GpResult, final: int) -> GpEffect:
    """What a result does to a vehicle; ``final`` is the modified roll, for the rule of fives and tens (6.5.4.4.2)."""
    if result is GpResult.NONE:
        return GpEffect.NONE
    if facts.small_arms and facts.target_type is not TargetType.S:
        return _small_arms(facts.target_type, facts.range_factor, result)
    if result is GpResult.SUPPRESSED:
        return GpEffect.SUPPRESSED
    too_weak = not facts.small_arms and facts.target_type is not TargetType.S and facts.effectiveness < facts.defense
    return GpEffect.SUPPRESSED if too_weak else fives_and_tens(facts, final)


@rule("6.5.4.4.2", editions=BOOK)
def fives_and_tens(facts: BlastFacts, final: int) -> GpEffect:
    """An Effective result that ends in 5 damages, in 0 strikes the track; every other one destroys (6.5.4.4.2)."""
    if final % 10 == 5:
        return GpEffect.DAMAGED
    if final % 10 == 0:
        spared = facts.hull_down and facts.kind in (BlastKind.DIRECT, BlastKind.OVERRUN)
        return GpEffect.NONE if spared else GpEffect.TRACK
    return GpEffect.LOST


def _small_arms(target: TargetType, range_factor: RangeFactor, result: GpResult) -> GpEffect:
    """Small Arms at an A-Type or P-Type vehicle: how near decides."""
    near, close = range_factor is RangeFactor.P, range_factor in (RangeFactor.P, RangeFactor.S)
    if result is GpResult.SUPPRESSED:
        return GpEffect.SUPPRESSED if (near if target is TargetType.A else close) else GpEffect.NONE
    if target is TargetType.P and near:
        return GpEffect.DAMAGED
    return GpEffect.SUPPRESSED if close else GpEffect.NONE


@rule("5.12", editions=BOOK)
def half_factor(factor: int) -> int:
    """Half of a GP Factor, rounded down; half of 1 is 1 (5.12)."""
    return max(1, factor // 2)


@rule("6.5.4.4.2", editions=BOOK)
def brews_up_on(facts: BlastFacts) -> int:
    """The roll (10) or less by which a lost vehicle brews up (6.5.4.4.2)."""
    return half_factor(facts.factor) if facts.small_arms else facts.effectiveness


@rule("6.5.4.4.2", editions=BOOK)
def turret_on(*, is_armed: bool) -> int:
    """The roll (10) or less by which the turret is damaged; of an unarmed vehicle always the hull (6.5.4.4.2)."""
    return TURRET_ON if is_armed else 0


@rule("6.5.4.4.3", editions=BOOK)
def foot_effect(unit: UnitClass, result: GpResult) -> GpEffect:
    """What a result does to a leg or towed unit (6.5.4.4.3)."""
    if result is GpResult.EFFECTIVE:
        return GpEffect.REDUCED if unit is UnitClass.SQUAD else GpEffect.ELIMINATED
    return GpEffect.SUPPRESSED if result is GpResult.SUPPRESSED else GpEffect.NONE
