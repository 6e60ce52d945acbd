"""4.4.3.2 Resolving AP Fire, from the range factor to damage.

Geometry measures, tables resolve: this code sees a :class:`ShotFacts` and no map, so that hexes and inches share it.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

import msgspec

from sandtable.core.content.rule import rule
from sandtable.core.content.table import Table
from sandtable.core.modifier import Breakdown, Modifier
from sandtable.systems.panzer.cards import RangeFactor
from sandtable.systems.panzer.edition import Edition
from sandtable.systems.panzer.terrain import Cover

__all__ = ["Effect", "ShotFacts", "effect_of", "hit_number", "penetration_margin"]

HIT = "4.4.3.2.2"


class Effect(StrEnum):
    """What a penetrating shot does (4.4.3.2.6)."""

    NONE = "none"
    DAMAGED = "damaged"
    KO = "KO"
    BU = "BU"


class ShotFacts(msgspec.Struct, frozen=True):
    """All that the tables need to know of a shot."""

    range_factor: RangeFactor
    target_size: int
    target_moving: bool
    cover: Cover
    short_halt: bool
    stabilisation: int
    shooter_damaged: bool
    smoke: int
    """Occurrences of Brew-Up Smoke that the line meets."""
    overwatch: bool
    in_field: bool
    """Target within the front (or rear) field-of-fire, which overwatch asks."""
    commander_sight: bool


@rule("4.4.3.2.2", "4.4.3.2.3", "3.7")
def hit_number(facts: ShotFacts, tables: Mapping[str, Table], edition: Edition) -> Breakdown:
    """The AP Hit Number with every modifier that leads to it (4.4.3.2.2, 4.4.3.2.3)."""
    terms = tuple(_modifiers(facts, tables["ap_hit_modifiers"], edition))
    net = sum(term.value for term in terms)
    number = tables["ap_hit"].number(net, facts.range_factor.value)
    return Breakdown(
        title="AP Hit Number",
        rule="4.4.3.2.3",
        terms=terms,
        result=number,
        result_label=f"at range factor {facts.range_factor.value} gives {number}",
        final="impossible" if number < 1 else "",
    )


def _modifiers(facts: ShotFacts, table: Table, edition: Edition) -> list[Modifier]:
    def entry(name: str, times: int = 1) -> Modifier:
        return Modifier(table.number(name, "value") * times, str(table.lookup(name, "label")), HIT)

    found = []
    if facts.target_size:
        found.append(Modifier(facts.target_size, str(table.lookup("target_size", "label")), HIT))
    if facts.target_moving:
        found.append(entry("target_moving"))
    if facts.cover in (Cover.LIGHT, Cover.MEDIUM, Cover.HEAVY):
        found.append(entry(f"target_cover_{facts.cover.value.lower()}"))
    if facts.short_halt:
        rating = facts.stabilisation if edition.stabilised_short_halt else 0
        found.append(entry(f"short_halt_sb{rating}"))
    if facts.shooter_damaged:
        found.append(entry("shooter_damaged"))
    if facts.smoke:
        found.append(entry("brew_up_smoke", facts.smoke))
    if facts.overwatch:
        name = "overwatch" if facts.in_field else "overwatch_adjust"
        found.append(entry(f"{name}_cis" if facts.commander_sight and edition.commander_sight else name))
    return found


@rule("4.4.3.2.5")
def penetration_margin(penetration: int, armor: int, aspect: str) -> Breakdown:
    """Penetration Factor less Armor Factor: 0 or more penetrates (4.4.3.2.5)."""
    return Breakdown(
        title="Penetration over armor",
        rule="4.4.3.2.5",
        base=penetration,
        base_label="Penetration Factor",
        terms=(Modifier(-armor, f"{aspect} Armor Factor", "4.4.3.2.5"),),
    )


@rule("4.4.3.2.6")
def effect_of(margin: int, damaged_before: bool, tables: Mapping[str, Table]) -> Effect:
    """Damage by margin; a second Damaged result is a KO (4.4.3.2.6)."""
    effect = Effect(str(tables["ap_damage"].lookup(margin)))
    return Effect.KO if effect is Effect.DAMAGED and damaged_before else effect
