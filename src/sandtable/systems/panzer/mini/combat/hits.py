"""8.4.5-8.4.7 From the hit on: where it strikes, whether it goes through, and what it does there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from sandtable.core.content.rule import rule
from sandtable.core.content.table import Table
from sandtable.core.dice import Kinds
from sandtable.core.modifier import Breakdown, Modifier
from sandtable.systems.panzer.advanced_card import Damage, Location, TargetType
from sandtable.systems.panzer.combat.ap_hits import digits
from sandtable.systems.panzer.mini.cards import Angle, MiniAmmo, MiniCard
from sandtable.systems.panzer.ranges import RangeFactor

__all__ = ["Hit", "Plate", "Shell", "kinds_of_hit", "resolve_hit"]

BOOK = ("panzer-mini",)
_STAR = "*"


class Plate(NamedTuple):
    """How a shot meets a vehicle."""

    hull: Angle
    turret: Angle
    falling: bool = False
    hull_down: bool = False


class Shell(NamedTuple):
    """What strikes: the ammo, and the range factor at which it was fired."""

    ammo: MiniAmmo
    factor: RangeFactor


class Hit(NamedTuple):
    """What became of one hit."""

    location: Location | None
    """None where the ground took it: a miss after all (8.4.5.5). DK is the top."""
    angle: Angle | None = None
    """At which it struck: that of the turret for its parts."""
    margin: Breakdown | None = None
    """Penetration over armor, where armor decides."""
    damage: Damage | None = None
    """None for a hit that does not penetrate, a miss or a track hit."""

    @property
    def effect(self) -> str:
        """``miss``, ``track``, ``stopped``, ``ND``, ``DM``, ``KO`` or ``BU``."""
        if self.location is None:
            return "miss"
        if self.location is Location.TK:
            return "track"
        return "stopped" if self.damage is None else self.damage.value


@rule("8.4.5", "8.4.5.1.2", "8.4.5.1.3", "8.4.5.2", "8.4.5.4", "8.4.5.5", editions=BOOK)
def location_of(table: Table, card: MiniCard, plate: Plate, tens: int) -> tuple[Location | None, Angle]:
    """Where a hit strikes, and at which angle; None where a hull down vehicle is not struck (8.4.5.1.3, 8.4.5.5)

    A hit on the turret is read again by the way that the turret points; a falling shot strikes the top on a 1.
    """
    cell = str(table.lookup(plate.hull.value, tens))
    location = Location(cell.rstrip(_STAR))
    if plate.hull_down and (cell.endswith(_STAR) or location is Location.TK):
        return None, plate.hull
    if tens == 1 and plate.falling and card.target_type is not TargetType.S:
        return Location.DK, plate.hull
    if location in (Location.TF, Location.TS, Location.TR):
        return Location(str(table.lookup(plate.turret.value, tens)).rstrip(_STAR)), plate.turret
    return location, plate.hull


@rule("8.4.6.1", "8.4.6.1.1", "8.4.6.1.2", "8.4.6.1.3", editions=BOOK)
def armor_at(card: MiniCard, location: Location, angle: Angle) -> int:
    """The armor that is struck; a soft vehicle has none, and the top counts at every angle (8.4.6.1)"""
    if not card.armor:
        return 0
    if location is Location.DK:
        return card.top
    factor = card.armor[angle].of(location)
    assert factor is not None  # noqa: S101 - the wheel names what the angle shows, and cards are checked for it
    return factor


@rule("8.4.7.1", "8.4.7.2", editions=BOOK)
def damage_of(tables: Mapping[str, Table], card: MiniCard, ammo: MiniAmmo, units: int) -> Damage:
    """By the units digit, the ammo's D and, against a soft vehicle, -3; a rolled 1 stays 1 (8.4.7.1, 8.4.7.2)"""
    soft = tables["ap_damage_modifiers"].number("soft", "value") if card.target_type is TargetType.S else 0
    return Damage(str(tables["ap_damage"].lookup(1 if units == 1 else units + ammo.D + soft)))


@rule("8.4.6", "8.4.6.2", editions=BOOK)
def penetration_over(shell: Shell, armor: int, location: Location) -> Breakdown:
    """Penetration Factor less armor: 0 or more penetrates (8.4.6.2)"""
    return Breakdown(
        title="Penetration over armor",
        rule="8.4.6.2",
        base=shell.ammo.P.of(shell.factor),
        base_label=f"Penetration Factor at {shell.factor.value}",
        terms=(Modifier(-armor, f"{'top' if location is Location.DK else location.value} armor", "8.4.6.1"),),
    )


@rule("8.4.5.3", "8.4.7", editions=BOOK)
def resolve_hit(tables: Mapping[str, Table], card: MiniCard, plate: Plate, shell: Shell, roll: int) -> Hit:
    """What a hit with this roll (100) does: the tens say where, the units how badly (8.4.5.1.3, 8.4.7.2)"""
    tens, units = digits(roll)
    location, angle = location_of(tables["ap_locations"], card, plate, tens)
    if location is None or location is Location.TK:
        return Hit(location, angle)
    margin = penetration_over(shell, armor_at(card, location, angle), location)
    if margin.total < 0:
        return Hit(location, angle, margin)
    return Hit(location, angle, margin, damage_of(tables, card, shell.ammo, units))


def kinds_of_hit(tables: Mapping[str, Table], card: MiniCard, plate: Plate, shell: Shell) -> Kinds:
    """Which rolls of a hit come to the same, for odds."""
    return Kinds(lambda roll: resolve_hit(tables, card, plate, shell, roll).effect)
