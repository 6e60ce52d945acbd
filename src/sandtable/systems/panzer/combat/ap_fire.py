"""4.4.3.2 Resolving AP Fire, from the range factor to damage.

Geometry measures, tables resolve: this code sees a :class:`ShotFacts` and no map, so that hexes and inches share it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum

from sandtable.core.content.rule import rule
from sandtable.core.content.table import Table
from sandtable.core.modifier import Breakdown, Modifier
from sandtable.systems.panzer.edition import Edition
from sandtable.systems.panzer.facts import HINDRANCES, AdvancedShot, DualFire, ShotFacts
from sandtable.systems.panzer.terrain import Cover

__all__ = ["Effect", "effect_of", "hit_number", "penetration_margin"]

_MINI = ("panzer-mini",)


class Effect(StrEnum):
    """What a penetrating shot does (4.4.3.2.6)."""

    NONE = "none"
    DAMAGED = "damaged"
    KO = "KO"
    BU = "BU"


@rule("4.4.3.2.2", "4.4.3.2.3", "3.7")
@rule("8.4.2", "8.4.3", "4.7", editions=_MINI)
def hit_number(facts: ShotFacts, tables: Mapping[str, Table], edition: Edition) -> Breakdown:
    """The AP Hit Number with every modifier that leads to it (4.4.3.2.2, 4.4.3.2.3)."""
    terms = tuple(_modifiers(facts, tables["ap_hit_modifiers"], edition))
    if facts.advanced is not None:
        terms += tuple(_advanced_modifiers(facts, facts.advanced, tables))
    net = sum(term.value for term in terms)
    number = tables["ap_hit"].number(net, facts.range_factor.value)
    return Breakdown(
        title="AP Hit Number",
        rule=tables["ap_hit"].rule,
        terms=terms,
        result=number,
        result_label=f"at range factor {facts.range_factor.value} gives {number}",
        final="impossible" if number < 1 else "",
    )


@rule(
    *("8.4.2.1", "8.4.2.2", "8.4.2.3", "8.4.2.4", "8.4.2.5", "8.4.2.6", "8.4.2.7", "8.4.2.8", "8.4.2.9", "8.4.2.10"),
    "8.4.2.11",
    editions=_MINI,
)
def _modifiers(facts: ShotFacts, table: Table, edition: Edition) -> list[Modifier]:
    found = []
    if facts.target_size:
        found.append(Modifier(facts.target_size, str(table.lookup("target_size", "label")), table.cited("target_size")))
    if facts.target_moving:
        found.append(table.modifier("target_moving"))
    if facts.cover in (Cover.LIGHT, Cover.MEDIUM, Cover.HEAVY):
        found.append(table.modifier(f"target_cover_{facts.cover.value.lower()}"))
    if facts.short_halt:
        rating = facts.stabilisation if edition.stabilised_short_halt else 0
        found.append(table.modifier(f"short_halt_sb{rating}"))
    if facts.shooter_damaged:
        found.append(table.modifier("shooter_damaged"))
    if facts.smoke:
        found.append(table.modifier("brew_up_smoke", facts.smoke))
    if facts.overwatch_row:
        found.append(table.modifier(facts.overwatch_row))
    elif facts.overwatch:
        name = "overwatch" if facts.in_field else "overwatch_adjust"
        found.append(table.modifier(f"{name}_cis" if facts.commander_sight and edition.commander_sight else name))
    return found


@rule("6.5.2.4", editions=("panzer-na",))
def _advanced_modifiers(facts: ShotFacts, shot: AdvancedShot, tables: Mapping[str, Table]) -> Iterator[Modifier]:
    """What the Advanced Game adds to the AP Hit Number (6.5.2.4)."""
    table = tables["ap_hit_modifiers_advanced"]
    times = {
        "shooter_suppressed": int(shot.shooter_suppressed),
        **{name: getattr(shot.hindrances, name) for name in HINDRANCES},
        "ammo_limit": shot.ammo_short,
        "transported": int(shot.transported),
        "heat_haze": int(shot.heat_haze),
        "dual_same": int(shot.dual is DualFire.SAME),
        "dual_other": int(shot.dual is DualFire.OTHER),
    }
    for name, number in times.items():
        if number:
            yield table.modifier(name, number)
    if shot.sun:
        yield Modifier(shot.sun, "Sun Blinding", "6.1.4.3.13")
    grade = tables["unit_grade"].number(shot.grade.value, f"AP_{facts.range_factor.value}")
    if grade:
        yield Modifier(grade, f"{shot.grade.value} Unit Grade", table.rule)


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
