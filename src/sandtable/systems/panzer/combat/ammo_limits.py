"""5.16.2 Ammo Limits: when a roll is asked, and what comes of being short."""

from __future__ import annotations

from typing import NamedTuple

from sandtable.core.content.rule import rule
from sandtable.core.dice import Dice
from sandtable.systems.panzer.advanced_card import AmmoLimits
from sandtable.systems.panzer.history import AmmoType
from sandtable.systems.panzer.percentile import D10

__all__ = ["Supply", "is_short", "limit_of", "supply"]

BOOK = ("panzer-na",)


class Supply(NamedTuple):
    """What a shot is fired with after the rolls for ammunition."""

    is_special: bool
    """Whether the special ammo type that was asked for is fired."""
    short: int
    """Ammo types that were short, each with its modifier; the Rate-of-Fire is N then."""


@rule("5.16.2", editions=BOOK)
def limit_of(limits: AmmoLimits, ammo: AmmoType) -> int | None:
    """The limit of a special ammo type, None where it has none (5.16.2)."""
    if ammo.is_shaped_charge:
        return limits.H
    return None if ammo is AmmoType.AP else limits.A


@rule("5.16.2", editions=BOOK)
def is_short(dice: Dice, limit: int | None, why: str) -> bool:
    """Roll (10) against a limit: above it the unit is short (5.16.2)."""
    return limit is not None and dice.roll(D10, why, (limit,)).total > limit


@rule("5.16.2.1", "5.16.2.2", editions=BOOK)
def supply(dice: Dice, limits: AmmoLimits, ammo: AmmoType, *, unlimited: bool, only_heat: bool = False) -> Supply:
    """Roll for the ammunition of an AP shot (5.16.2.1, 5.16.2.2).

    ``unlimited`` is basic ammo beside a transport or a dump (5.16.2.4); HEAT is basic where a card has no other AP.
    """
    if ammo is AmmoType.AP or only_heat:
        short = not unlimited and is_short(dice, limits.basic, "basic ammo")
        return Supply(is_special=False, short=int(short))
    if not is_short(dice, limit_of(limits, ammo), f"{ammo.value} ammo"):
        return Supply(is_special=True, short=0)
    basic = not unlimited and is_short(dice, limits.basic, "basic ammo")
    return Supply(is_special=False, short=1 + int(basic))
