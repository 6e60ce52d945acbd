"""6.5.2.1-6.5.2.5 Advanced AP fire from the hit on: how many hits, where each strikes, and what it does there."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from typing import NamedTuple

from sandtable.core.content.rule import rule
from sandtable.core.content.table import Table
from sandtable.core.dice import Kinds
from sandtable.core.modifier import Breakdown
from sandtable.systems.panzer.advanced_card import (
    AdvancedCard,
    Damage,
    DamageRow,
    HitAngle,
    HitArmor,
    Inclination,
    Location,
    TargetType,
)
from sandtable.systems.panzer.cards import RateOfFire
from sandtable.systems.panzer.combat.ap_fire import penetration_margin
from sandtable.systems.panzer.markers import HullDown

__all__ = [
    "Hit",
    "Round",
    "StruckPlate",
    "armor_at",
    "cuts_of_hits",
    "digits",
    "hits_of",
    "kinds_of_hit",
    "location_at",
    "resolve_hit",
]

BOOK = ("panzer-na",)
MINI = ("panzer-mini",)
SOFT = -2
"""Added to the units digit against an S-Type vehicle (6.5.2.5)."""


class StruckPlate(NamedTuple):
    """How a shot meets a vehicle, wherever both are."""

    angle: HitAngle
    inclination: Inclination
    hull_down: HullDown
    """As it counts from where the shot comes."""


class Round(NamedTuple):
    """What strikes: the Penetration Factor at the range, and the damage row of the weapon."""

    penetration: int
    damage: DamageRow


class Hit(NamedTuple):
    """What became of one hit."""

    location: Location | None
    """None where the ground took it: a miss after all (6.5.2.2.3)."""
    margin: Breakdown | None = None
    """Penetration over armor, where armor decides."""
    damage: Damage | None = None
    """None for a hit that does not penetrate, a miss or a Track hit."""


@rule("6.5.2.1", editions=BOOK)
@rule("8.4.4", "8.4.4.1", "8.4.4.2", "8.4.4.2.1", "8.4.4.2.2", editions=MINI)
def hits_of(table: Table, number: int, rate: RateOfFire, roll: int) -> int:
    """Hits of a roll (100) by the AP Hit Number and the Rate-of-Fire (6.5.2.1)."""
    if roll > number:
        return 0
    if rate is RateOfFire.N:
        return 1
    row = _row(table, number)
    for hits in (3, 2):
        column = f"{rate.value}{hits}"
        if column in table.axes[1].values and roll <= table.number(row, column):
            return hits
    return 1


@rule("3.2", editions=BOOK)
@rule("8.4.5.1.3", editions=MINI)
def digits(roll: int) -> tuple[int, int]:
    """The tens and the units of a roll (100), each 1 to 10 (6.5.2.2)."""
    return roll // 10 % 10 or 10, roll % 10 or 10


@rule("6.5.2.2", "6.5.2.2.1", "6.5.2.2.2", "6.5.2.2.3", editions=BOOK)
def location_at(table: Table, plate: StruckPlate, tens: int) -> Location | None:
    """Where a hit strikes, None where a hull down vehicle is not struck at all (6.5.2.2)."""
    cell = str(table.lookup(plate.angle.value, tens))
    location, starred = Location(cell.rstrip("*")), cell.endswith("*")
    if tens == 1 and plate.inclination is Inclination.FALLING:
        return Location.DK
    hidden = location is Location.TK or (location.is_hull and (starred or plate.hull_down is HullDown.FULL))
    return None if hidden and plate.hull_down is not HullDown.NONE else location


@rule("6.5.2.3", "6.5.2.3.1", "6.5.2.3.2", "6.5.2.3.3", "6.5.2.3.4", editions=BOOK)
def armor_at(armor: HitArmor | None, plate: StruckPlate, location: Location) -> int:
    """The Armor Factor that is struck, by KE and CE alike; an S-Type vehicle has none anywhere (6.5.2.3, 6.5.2.3.4)."""
    if armor is None:
        return 0
    if location is Location.DK:
        return armor.deck
    rows = {Inclination.LEVEL: armor.level, Inclination.RISING: armor.rising, Inclination.FALLING: armor.falling}
    factor = rows[plate.inclination][plate.angle].of(location)
    assert factor is not None  # noqa: S101 - the location table names what the angle shows, and cards are checked for it
    return factor


@rule("6.5.2.2", "6.5.2.5", editions=BOOK)
def resolve_hit(tables: Mapping[str, Table], card: AdvancedCard, plate: StruckPlate, shell: Round, roll: int) -> Hit:
    """What a hit with this roll (100) does: the tens say where, the units how badly (6.5.2.2, 6.5.2.5)."""
    tens, units = digits(roll)
    location = location_at(tables["ap_locations"], plate, tens)
    if location is None or location is Location.TK:
        return Hit(location)
    factor = armor_at(card.armor, plate, location)
    margin = penetration_margin(shell.penetration, factor, location.value)
    if margin.total < 0:
        return Hit(location, margin)
    digit = max(1, units + SOFT) if card.target_type is TargetType.S else units
    return Hit(location, margin, shell.damage.of(digit))


def kinds_of_hit(tables: Mapping[str, Table], card: AdvancedCard, plate: StruckPlate, shell: Round) -> Kinds:
    """Which rolls of a hit come to the same: what it does, and to which part.

    Armor is asked once for each tens digit, as the units change only what a penetrating hit does.
    """
    told = [_kind_of_tens(tables, card, plate, shell, tens) for tens in range(1, 11)]
    soft = SOFT if card.target_type is TargetType.S else 0
    damages = [shell.damage.of(max(1, units + soft)) for units in range(1, 11)]

    def kind(roll: int) -> object:
        tens, units = digits(roll)
        found = told[tens - 1]
        if isinstance(found, str):
            return found
        damage = damages[units - 1]
        return damage, found if damage is Damage.DM else None

    return Kinds(kind)


def _kind_of_tens(
    tables: Mapping[str, Table], card: AdvancedCard, plate: StruckPlate, shell: Round, tens: int
) -> str | bool:
    """What all hits with a tens digit have in common: no harm of some sort, or whether the hull is penetrated."""
    location = location_at(tables["ap_locations"], plate, tens)
    if location is None:
        return "miss"
    if location is Location.TK:
        return "track"
    return location.is_hull if shell.penetration >= armor_at(card.armor, plate, location) else "stopped"


def cuts_of_hits(table: Table, number: int, rate: RateOfFire) -> tuple[int, ...]:
    """The highest rolls of three, two and one hit: all that a hit roll tells apart (6.5.2.1)."""
    if number < 1 or rate is RateOfFire.N:
        return (max(0, number),)
    row = _row(table, number)
    columns = [f"{rate.value}{hits}" for hits in (3, 2)]
    return (*(table.number(row, one) for one in columns if one in table.axes[1].values), number)


def _row(table: Table, number: int) -> int:
    """The row of an AP Hit Number: the last that begins at it or below."""
    rows = [int(value) for value in table.axes[0].values]
    return rows[bisect_right(rows, number) - 1]
