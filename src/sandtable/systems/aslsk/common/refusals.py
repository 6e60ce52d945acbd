"""What several rooms refuse, in the same words: strangers, places that are none, who is held in Melee."""

from __future__ import annotations

from sandtable.core.errors import Refusal

__all__ = [
    "refuse_melee",
    "refuse_off_map",
    "refuse_overstack",
    "refuse_shocked",
    "refuse_spine",
    "refuse_stranger",
    "refuse_unpossessed",
]


def refuse_stranger(number: str, name: str, seat: str, kind: str = "unit", where: str = " on the map") -> Refusal:
    """A unit or vehicle that a side does not have, or not there."""
    return Refusal(number, f"{name!r} is no {kind} of {seat}{where}", "name one of your own")


def refuse_unpossessed(number: str, weapon: str) -> Refusal:
    """A weapon that nobody of the side has."""
    reason = f"{weapon!r} is in nobody's possession on your side"
    return Refusal(number, reason, "name one that a unit of yours possesses")


def refuse_off_map(number: str) -> Refusal:
    """A hex that is none of the map."""
    return Refusal(number, "that hex is not on the map", "name a hex of the map")


def refuse_overstack(label: str) -> Refusal:
    """Too many in a hex (3.3.1)."""
    reason = f"stacking limits would be exceeded in {label}"
    return Refusal("3.3.1", reason, "three squad-equivalents and four SMC a side stack in a hex")


def refuse_melee(unit: str) -> Refusal:
    """Who is held in Melee (3.8)."""
    return Refusal("3.8", f"{unit} is held in Melee and does nothing but close combat", "attack with it in the CCPh")


def refuse_shocked(number: str, vehicle: str) -> Refusal:
    """A vehicle whose crew does nothing (7.10)."""
    return Refusal(number, f"the crew of {vehicle} is shocked or stunned", "wait until it has recovered")


def refuse_spine(facing: int) -> Refusal:
    """A facing that is no hexspine (3.2.4)."""
    return Refusal("3.2.4", f"there is no hexspine {facing}", "0 to 5, clockwise from N/NE")
