"""4.4.3 Which weapons of a card fire, how far and how far round."""

from __future__ import annotations

from typing import NamedTuple

from sandtable.core.content.rule import rule
from sandtable.core.content.table import Table
from sandtable.core.errors import Refusal
from sandtable.systems.panzer.cards import ALL_ROUND, AmmoType, Card, Mount, Weapon
from sandtable.systems.panzer.edition import Edition

__all__ = ["LIMITED", "Barrel", "barrels_of", "field_of_fire", "refuse_bearing", "refuse_range", "refuse_row"]


class Barrel(NamedTuple):
    """A weapon with one kind of ammunition of the Basic Game: what decides in a moment whether it reaches."""

    weapon: int
    ammo: int
    mount: Mount
    degrees: int
    """Field-of-fire."""
    reach: int
    """Maximum range in hexes (3.5.2)."""


LIMITED = 60
"""Degrees of a weapon in the hull of a vehicle whose turret goes all round."""


@rule("4.4.3.1")
def field_of_fire(card: Card, mount: Mount, arcs: Table) -> int:
    """Degrees about the front or rear that a weapon covers, by its mount and the card's TT Factor (4.4.3.1)."""
    if mount is Mount.ALL or card.tt is None:
        return ALL_ROUND
    degrees = arcs.number(card.tt) if card.tt in arcs.axes[0].values else card.tt or LIMITED
    return LIMITED if degrees == ALL_ROUND else degrees


@rule("4.4.3")
def barrels_of(card: Card, edition: Edition, arcs: Table) -> tuple[Barrel, ...]:
    """The weapons of a card that fire in the Basic Game: AP, or every AP type where the book says so (4.4.3)."""
    return tuple(
        Barrel(number, index, weapon.mount, field_of_fire(card, weapon.mount, arcs), ammo.R.E)
        for number, weapon in enumerate(card.weapons)
        for index, ammo in enumerate(weapon.ammo)
        if ammo.basic and (edition.any_ap_ammo or ammo.type is AmmoType.AP)
    )


def refuse_row(number: str, weapon: Weapon, row: str) -> Refusal:
    """Why a row that a weapon does not have is not fired."""
    return Refusal(number, f"the {weapon.name} has no {row}", "choose a row of its card, or another weapon")


def refuse_range(number: str, fired: str, far: int, reach: int) -> Refusal:
    """Why nobody fires farther than the Extreme range (3.5.2)."""
    reason = f"the target is {far} hexes away, the {fired} reaches {reach}"
    return Refusal(number, reason, "choose a nearer target, or a weapon that reaches")


def refuse_bearing(number: str, weapon: Weapon) -> Refusal:
    """Why nobody fires out of the field-of-fire (4.4.3.1)."""
    reason = f"the target is outside the {weapon.name}'s field-of-fire"
    return Refusal(number, reason, "choose a target in it, or a weapon that bears")
