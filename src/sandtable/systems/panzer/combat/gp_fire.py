"""6.5.4 GP fire on one unit: its defense, the modifiers, and the numbers that the roll is compared with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum

from sandtable.core.content.rule import rule
from sandtable.core.content.table import Table
from sandtable.core.modifier import Breakdown, Modifier
from sandtable.systems.panzer.advanced_card import AdvancedCard, GpDefense, TargetType
from sandtable.systems.panzer.facts import HINDRANCES, BlastFacts, BlastKind, DualFire
from sandtable.systems.panzer.terrain import Cover

__all__ = ["GpResult", "defense_of", "gp_modifiers", "gp_result", "passenger_defense"]

BOOK = ("panzer-na",)
LEAST, MOST = 1, 10
"""GP Defense Factors that there are (6.5.4.2.2)."""
MOVING = -2
UNDER_COVER, EXPOSED = 3, 1
"""GP Defense Factors of passengers (6.5.4.2.3)."""
_INDIRECT = (BlastKind.INDIRECT, BlastKind.PLANNED)
_OVERHEAD = (*_INDIRECT, BlastKind.AIR)
"""What no Smoke, Barrage or Fire on the line hinders, nor Dust, which is treated like Smoke (6.5.4.3, 6.1.4.3.12)."""


class GpResult(StrEnum):
    """What the GP Combat Results Table says (6.5.4.4)."""

    NONE = "No Effect"
    SUPPRESSED = "Suppressed"
    EFFECTIVE = "Effective"


@rule("6.5.4.2", "6.5.4.2.1", "6.5.4.2.2", editions=BOOK)
def defense_of(card: AdvancedCard, cover: Cover, *, full_cover: bool, moving: bool) -> Breakdown:
    """The GP Defense Factor of a unit: one of a vehicle, by cover of all others (6.5.4.2.1, 6.5.4.2.2)."""
    if not isinstance(card.gp_defense, GpDefense):
        return Breakdown("GP Defense Factor", "6.5.4.2.1", base=card.gp_defense, base_label="of the vehicle")
    by_cover = {
        Cover.LIGHT: card.gp_defense.light,
        Cover.MEDIUM: card.gp_defense.medium,
        Cover.HEAVY: card.gp_defense.heavy,
    }
    terms = []
    if full_cover:
        terms.append(Modifier(card.gp_defense.full_cover, "Full Cover", "6.5.4.2.2"))
    if moving:
        terms.append(Modifier(MOVING, "moving", "6.5.4.2.2"))
    base = by_cover.get(cover, card.gp_defense.none)
    found = Breakdown("GP Defense Factor", "6.5.4.2.2", tuple(terms), base, f"in {cover.value} Cover")
    bounded = min(MOST, max(LEAST, found.net))
    if bounded == found.net:
        return found
    told = f"never {'under' if bounded == LEAST else 'over'} {bounded}"
    return Breakdown(found.title, found.rule, found.terms, base, found.base_label, bounded, told)


@rule("6.5.4.2.3", editions=BOOK)
def passenger_defense(*, under_cover: bool) -> Breakdown:
    """The GP Defense Factor of a passenger, whatever the ground (6.5.4.2.3)."""
    base, told = (UNDER_COVER, "Under Cover") if under_cover else (EXPOSED, "not Under Cover")
    return Breakdown("GP Defense Factor", "6.5.4.2.3", base=base, base_label=f"passenger {told}")


@rule("6.5.4.3", editions=BOOK)
def gp_modifiers(facts: BlastFacts, tables: Mapping[str, Table]) -> Breakdown:
    """All that is added to the roll (6.5.4.3)."""
    return Breakdown("GP modifier", tables["gp_modifiers"].rule, tuple(_terms(facts, tables)))


def _terms(facts: BlastFacts, tables: Mapping[str, Table]) -> Iterator[Modifier]:
    table = tables["gp_modifiers"]
    for name, number in {**_of_target(facts), **_of_fire(facts)}.items():
        if number:
            yield table.modifier(name, number)
    if facts.sun and facts.kind is BlastKind.DIRECT:
        yield Modifier(facts.sun, "Sun Blinding", "6.1.4.3.13")
    if facts.kind in (BlastKind.DIRECT, BlastKind.AIR, BlastKind.ANTI_AIRCRAFT, BlastKind.OVERRUN):
        grade = tables["unit_grade"].number(facts.grade.value, f"GP_{facts.range_factor.value}")
        if grade:
            yield Modifier(grade, f"{facts.grade.value} Unit Grade", table.rule)
    for value, label, cited in facts.beside:
        yield Modifier(value, label, cited)


def _of_target(facts: BlastFacts) -> dict[str, int]:
    """Modifiers by what the target is and does, and how often."""
    vehicle = facts.is_vehicle
    indirect = facts.kind in _INDIRECT
    return {
        "target_moving_DF": int(vehicle and facts.moving and not indirect),
        "target_moving_IF": int(vehicle and facts.moving and facts.kind is BlastKind.INDIRECT),
        "target_P": int(vehicle and facts.target_type is TargetType.P),
        "target_A": int(vehicle and facts.target_type is TargetType.A),
        "vehicle_cover_medium": int(vehicle and facts.cover is Cover.MEDIUM),
        "vehicle_cover_heavy": int(vehicle and facts.cover is Cover.HEAVY),
        "crawling": int(facts.crawling),
        "wall": int(facts.behind_wall and facts.kind is BlastKind.DIRECT),
        "entrenched": int(facts.entrenched),
    }


def _of_fire(facts: BlastFacts) -> dict[str, int]:
    """Modifiers by who fires, how and through what, and how often."""
    on_the_line = facts.kind not in _OVERHEAD
    soft = not facts.is_vehicle or facts.target_type is not TargetType.A
    return {
        "short_halt": int(facts.short_halt),
        "shooter_damaged": int(facts.shooter_damaged),
        "shooter_suppressed": int(facts.shooter_suppressed),
        "brew_up_smoke": facts.smoke if on_the_line else 0,
        **{name: getattr(facts.hindrances, name) if on_the_line else 0 for name in HINDRANCES},
        "open_sheaf": int(facts.open_sheaf),
        "overwatch": int(facts.overwatch and facts.in_field),
        "overwatch_adjust": int(facts.overwatch and not facts.in_field),
        "ammo_limit": int(facts.ammo_short),
        "heat_haze": int(facts.heat_haze and facts.kind not in _INDIRECT),
        "transported": int(facts.transported),
        "overrun": int(facts.kind is BlastKind.OVERRUN),
        "dual_same": int(facts.dual is DualFire.SAME),
        "dual_other": int(facts.dual is DualFire.OTHER),
        "coax_mg": int(facts.coax_mg and facts.range_factor.value == "P" and soft),
    }


@rule("6.5.4.4", "6.5.4.4.1", editions=BOOK)
def gp_result(table: Table, factor: int, defense: int, final: int) -> GpResult:
    """What a modified roll comes to (6.5.4.4)."""
    if final <= table.number(defense, factor, "N"):
        return GpResult.NONE
    return GpResult.SUPPRESSED if final <= table.number(defense, factor, "S") else GpResult.EFFECTIVE
