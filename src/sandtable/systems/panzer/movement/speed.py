"""5.1.2, 6.5.2.2.4, 6.6.2 Movement speed allowances under suppression, hull damage and short halts, and gaits."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from sandtable.core.content.rule import rule
from sandtable.core.content.table import Table
from sandtable.core.modifier import Breakdown, Modifier
from sandtable.systems.panzer.cards import Movement
from sandtable.systems.panzer.movement.move_facts import MoveFacts
from sandtable.systems.panzer.unit import Command

__all__ = ["Gait", "leg_factor", "speed"]

BOOK = ("panzer-na",)


class Gait(StrEnum):
    """How a leg unit goes (6.6.4)."""

    MARCH = "march"
    QUICKMARCH = "quickmarch"
    CRAWL = "crawl"


@rule("6.6.2", "6.5.2.2.4", "6.6.4.1", editions=BOOK)
def speed(full: int, told: str, facts: MoveFacts, tables: Mapping[str, Table]) -> Breakdown:
    """An allowance of the card, halved for each of suppression, Hull Damage and a SHORT HALT (6.6.2).

    It is rounded down once and never less than 1.
    """
    causes = [words for holds, words in _causes(facts) if holds]
    parts = tables["movement_halvings"].number(len(causes))
    left = full // parts
    terms = []
    if causes:
        words = f"{' and '.join(causes)} leaves 1/{parts}, rounded down"
        terms.append(Modifier(left - full, words, "6.6.2"))
    least = tables["movement_costs"].number("minimum_allowance")
    if left < least:
        terms.append(Modifier(least - left, f"never less than {least}", "6.6.2"))
    return Breakdown("Movement speed allowance", "6.6.2", tuple(terms), full, told)


def _causes(facts: MoveFacts) -> tuple[tuple[bool, str], ...]:
    markers = facts.markers
    return (
        (markers.is_suppressed, "Suppressed"),
        (markers.hull_damaged, "Hull Damaged"),
        (facts.command is Command.SHORT_HALT, "Short Halt"),
    )


@rule("5.1.2", "6.6.4.1", "6.6.4.2", "6.6.5", editions=BOOK)
def leg_factor(movement: Movement, facts: MoveFacts, gait: Gait) -> tuple[int, str]:
    """The element of a leg or towed unit's Movement Factor that counts, and what it is (6.6.4.1)."""
    if gait is Gait.QUICKMARCH:
        return facts.card.quickmarch, "Quickmarch"
    if facts.is_burdened and not facts.card.motorcycle:
        return facts.card.burdened, "with attached weapons"
    return movement.cross_country, "Cross-Country"
