"""6.6.1.2 Hand-to-Hand combat: both sides roll until one of them is gone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from sandtable.core.content.rule import rule
from sandtable.core.content.table import Table
from sandtable.core.modifier import Breakdown, Modifier
from sandtable.systems.panzer.advanced_card import UnitClass
from sandtable.systems.panzer.combat.close_assault import NAMES
from sandtable.systems.panzer.unit import Grade

__all__ = ["Fighters", "fight_modifiers"]

BOOK = ("panzer-na",)
_ALL = {**NAMES, UnitClass.TOWED: "towed"}


class Fighters(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One side of a Hand-to-Hand combat."""

    unit: UnitClass
    """The primary attacker, or the defender."""
    grade: Grade
    others: tuple[UnitClass, ...] = ()
    """Additional attackers."""
    suppressed: bool = False
    """Of the defender."""
    advanced: bool = False
    uphill: bool = False
    dismounted: bool = False
    flamethrower: bool = False


@rule("6.6.1.2", "6.6.1.2.1", "6.6.1.2.2", editions=BOOK)
def fight_modifiers(side: Fighters, tables: Mapping[str, Table]) -> Breakdown:
    """All that is added to the roll of a side (6.6.1.2.2)."""
    return Breakdown("Hand-to-Hand modifier", tables["hand_to_hand"].rule, tuple(_terms(side, tables)))


def _terms(side: Fighters, tables: Mapping[str, Table]) -> Iterator[Modifier]:
    table = tables["hand_to_hand"]
    times = {
        _ALL[side.unit]: 1,
        "suppressed": int(side.suppressed),
        "advance": int(side.advanced),
        "uphill": int(side.uphill),
        "dismount": int(side.dismounted),
        **{f"extra_{name}": side.others.count(kind) for kind, name in NAMES.items()},
        "flamethrower": int(side.flamethrower),
    }
    for name, number in times.items():
        if (term := table.modifier(name, number)).value:
            yield term
    grade = tables["unit_grade"].number(side.grade.value, "close")
    if grade:
        yield Modifier(grade, f"{side.grade.value} Unit Grade", table.rule)
