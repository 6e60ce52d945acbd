"""11.2.4 Mission capacity: how many artillery units, ground support missions and ships a spotter may call."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from sandtable.core.content.rule import rule
from sandtable.systems.goss.pieces.card import Size
from sandtable.systems.goss.tables.fire_support import FireSupport

__all__ = ["Capacity", "Gunners", "Spotter", "capacity_of", "most_artillery", "spotting_targets"]


class Capacity(StrEnum):
    """The three levels."""

    LIGHT = "light"
    MEDIUM = "medium"
    HEAVY = "heavy"


class Gunners(StrEnum):
    """Whose guns fire, as the Mission Capacity Table tells nations apart; Free French count as US (11.2.4)."""

    US = "US"
    ALLIED = "other Allied"
    AXIS = "Axis"


class Spotter(msgspec.Struct, frozen=True):
    """What capacity asks of who observes."""

    size: Size
    is_asset: bool = False
    """Of a corps or army, and attached to no division or BG (11.2.4a)."""
    in_prepared_assault: bool = False
    in_works: bool = False
    """In an entrenchment, a fort or a fortified area."""
    is_overrun: bool = False
    from_the_air: bool = False
    is_unobserved: bool = False


@rule("5.2.4", "11.2.4", "11.2.4a", "11.2.4b", "11.2.4c")
def capacity_of(spotter: Spotter) -> Capacity:
    """The greatest capacity that a spotter has (11.2.4)."""
    if spotter.is_unobserved:
        return Capacity.LIGHT
    if spotter.from_the_air:
        return Capacity.MEDIUM
    if spotter.is_overrun:
        return Capacity.MEDIUM if spotter.in_works else Capacity.LIGHT
    if spotter.is_asset:
        return Capacity.LIGHT
    if spotter.size is Size.BATTALION:
        return Capacity.HEAVY if spotter.in_prepared_assault or spotter.in_works else Capacity.MEDIUM
    return Capacity.MEDIUM if spotter.in_works else Capacity.LIGHT


@rule("11.2.4a", "11.2.4b", "11.2.4c", "11.2.4d")
def most_artillery(chart: FireSupport, capacity: Capacity, whose: Gunners, *, on_vantage_point: bool = False) -> int:
    """Artillery units that may take part: one more if the spotter is on a vantage point (11.2.4d)."""
    return chart.guns[capacity, whose] + on_vantage_point


@rule("11.2.1a")
def spotting_targets(size: Size, *, is_hybrid: bool = False) -> int:
    """Target hexes that one unit may spot for: a battalion two, a company one, a Z-step unit none (11.2.1a)."""
    if size is Size.Z_STEP:
        return 0
    return 2 if size is Size.BATTALION or is_hybrid else 1
