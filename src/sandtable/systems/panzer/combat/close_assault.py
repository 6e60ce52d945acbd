"""6.6.1.1 Close Assault: leg units at a vehicle beside them, as GP fire with modifiers of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from sandtable.core.content.rule import rule
from sandtable.core.content.table import Table
from sandtable.core.modifier import Breakdown, Modifier
from sandtable.systems.panzer.advanced_card import TargetType, UnitClass
from sandtable.systems.panzer.facts import BlastFacts
from sandtable.systems.panzer.ranges import RangeFactor
from sandtable.systems.panzer.unit import Grade

__all__ = ["AssaultFacts", "assault_blast", "assault_defense", "assault_factor", "assault_modifiers"]

BOOK = ("panzer-na",)
STRONGEST = 5
"""Defense that the strongest vehicle has against Close Assault (6.6.1.1.1)."""
NAMES = {UnitClass.SQUAD: "squad", UnitClass.HALF_SQUAD: "half_squad", UnitClass.SECTION: "section"}


class AssaultFacts(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """All that the tables need to know of a Close Assault."""

    attacker: UnitClass
    """The primary attacker ..."""
    grade: Grade
    """... and his Unit Grade, the only one that counts."""
    others: tuple[UnitClass, ...] = ()
    """Additional attackers from the same hex."""
    advanced: bool = False
    """Moved adjacent for it."""
    uphill: bool = False
    dismounted: bool = False
    flamethrower: bool = False
    target_type: TargetType = TargetType.A
    moving: bool = False
    """The vehicle moves, and its owner has shown it."""
    suppressed: bool = False
    helpless: bool = False
    unsupported: bool = False
    """In terrain that asks for support, with no leg unit of its own to give it."""


@rule("6.6.1.1.1", editions=BOOK)
def assault_factor(table: Table, attacker: UnitClass) -> int:
    """GP Factor of an attacker by his size (6.6.1.1.1)."""
    return table.number(f"factor_{NAMES[attacker]}", "value")


@rule("6.6.1.1.3", "6.5.4.4.2", editions=BOOK)
def assault_blast(table: Table, facts: AssaultFacts) -> BlastFacts:
    """An Effective result as GP fire, for the rule of fives and tens; half of the factor brews up (6.6.1.1.3).

    Where the vehicle stands has no impact, so Hull Down does not spare its tracks (6.6.1.1.2).
    """
    factor = assault_factor(table, facts.attacker)
    return BlastFacts(factor=factor, range_factor=RangeFactor.P, defense=0, is_vehicle=True, small_arms=True)


@rule("6.6.1.1.1", editions=BOOK)
def assault_defense(defense: int) -> int:
    """The vehicle's GP Defense Factor, at most 5 (6.6.1.1.1)."""
    return min(STRONGEST, defense)


@rule("6.6.1.1.2", editions=BOOK)
def assault_modifiers(facts: AssaultFacts, tables: Mapping[str, Table]) -> Breakdown:
    """All that is added to the roll, and nothing of GP fire (6.6.1.1.2)."""
    return Breakdown("Close Assault modifier", tables["close_assault"].rule, tuple(_terms(facts, tables)))


def _terms(facts: AssaultFacts, tables: Mapping[str, Table]) -> Iterator[Modifier]:
    table = tables["close_assault"]
    times = {
        "advance": int(facts.advanced),
        "uphill": int(facts.uphill),
        "dismount": int(facts.dismounted),
        "moving": int(facts.moving),
        "suppressed": int(facts.suppressed),
        "helpless": int(facts.helpless),
        "unsupported": int(facts.unsupported),
        **{f"extra_{name}": facts.others.count(kind) for kind, name in NAMES.items()},
        "target_P": int(facts.target_type is TargetType.P),
        "target_S": int(facts.target_type is TargetType.S),
        "flamethrower": int(facts.flamethrower),
    }
    for name, number in times.items():
        if number:
            yield table.modifier(name, number)
    grade = tables["unit_grade"].number(facts.grade.value, "close")
    if grade:
        yield Modifier(grade, f"{facts.grade.value} Unit Grade", table.rule)
