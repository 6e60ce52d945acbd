"""What differs between the books of the family, as named switches, each with its rule.

Rules code asks the switch, never which book it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

import msgspec

__all__ = ["ADVANCED_MODULES", "MBT", "PANZER_MINI", "PANZER_NA", "Edition", "Level", "Module"]


class Level(StrEnum):
    """Which of a book's games a scenario plays."""

    BASIC = "basic"
    ADVANCED = "advanced"


class Module(StrEnum):
    """Parts of the Advanced Game that a scenario may go without; the edition says by which rule it has each."""

    COMMAND_CONTROL = "command control"
    """Formations share a number of commands. Without it every unit has a command of its own, as in 4.2."""
    INDIRECT_FIRE = "indirect fire"
    AIR = "air"
    AMMO_LIMITS = "ammunition limits"
    BAIL_OUT = "bail out"
    DUAL_FIRE = "dual fire"
    HULL_DOWN = "hull down"
    DUST = "dust"
    SUN = "sun"
    CLOSE_ASSAULT = "close assault"
    HAND_TO_HAND = "hand-to-hand"
    ENTRENCHING = "entrenching"
    OVERRUN = "overrun"


class Edition(msgspec.Struct, frozen=True):
    """The switches of one book."""

    id: str
    stabilised_short_halt: bool
    """4.4.3.2.2 (MBT): a Short Halt's hit modifier follows the SB rating. Else it is the same for all."""
    short_halt_keeps_three_quarters_at_sb1: bool
    """3.7, 4.5.1.1.1 (MBT): SB 1 keeps 3/4 of the allowance on a Short Halt."""
    fire_support_spots: bool
    """4.1.1 (MBT): a vehicle with fire support sights spots although it is unarmed."""
    sunken_terrain: frozenset[str]
    """4.1.4.1.6: terrain at Height -1 under the rule of adjacent hexes."""
    sunken_lines: frozenset[str]
    """4.1.4.1.6: sunken terrain along which a straight line sees."""
    commander_sight: bool
    """4.4.3.2.2 (MBT): the independent commander's sight betters overwatch."""
    any_ap_ammo: bool
    """4.4.3 (MBT): every AP type may be used. Else AP only (4.4.3.2.1)."""
    fresh_smoke_slows: bool
    """4.4.3.2.2: Brew-Up Smoke of the current player step already slows movement; MBT lets it have no effect at all."""
    road_rate_without_start: bool
    """4.5.1.1.5 (MBT): 1 per hex along a road even if the move did not start on it."""
    road_height_discount_needs_road_rate: bool
    """4.5.1.1.5 (MBT): no height discount for a move that did not start on the road."""
    tracks: bool
    """4.5.1.1.11 (North Africa): Track hexes."""
    desert_buildings: bool
    """4.1.4.1.3.1 (North Africa): a scenario may call for flat roofs."""
    modules: Mapping[Module, str] = {}
    """The Advanced Game (6.0), part by part with the rule of each; empty where the book has none."""

    def __str__(self) -> str:
        return self.id

    def __hash__(self) -> int:
        return hash(self.id)


ADVANCED_MODULES: Mapping[Module, str] = {
    Module.COMMAND_CONTROL: "6.2.1",
    Module.INDIRECT_FIRE: "6.5.1",
    Module.AIR: "6.7",
    Module.AMMO_LIMITS: "5.16",
    Module.BAIL_OUT: "5.15",
    Module.DUAL_FIRE: "5.14",
    Module.HULL_DOWN: "6.1.4.1",
    Module.DUST: "6.1.4.3.12",
    Module.SUN: "6.1.4.3.13",
    Module.CLOSE_ASSAULT: "6.6.1.1",
    Module.HAND_TO_HAND: "6.6.1.2",
    Module.ENTRENCHING: "6.6.8",
    Module.OVERRUN: "6.6.10",
}
"""Numbers of *Panzer North Africa*."""

PANZER_NA = Edition(
    id="panzer-na",
    stabilised_short_halt=False,
    short_halt_keeps_three_quarters_at_sb1=False,
    fire_support_spots=False,
    # Rivers, streams and fords are beds like a wadi; they come with the Eastern Front.
    sunken_terrain=frozenset({"gully", "ditch", "river", "stream", "ford"}),
    sunken_lines=frozenset({"gully", "ditch", "river", "stream"}),
    commander_sight=False,
    any_ap_ammo=False,
    fresh_smoke_slows=True,
    road_rate_without_start=False,
    road_height_discount_needs_road_rate=False,
    tracks=True,
    desert_buildings=True,
    modules=ADVANCED_MODULES,
)

MBT = Edition(
    id="mbt",
    stabilised_short_halt=True,
    short_halt_keeps_three_quarters_at_sb1=True,
    fire_support_spots=True,
    sunken_terrain=frozenset({"gully", "ford", "stream"}),
    sunken_lines=frozenset({"gully", "stream"}),
    commander_sight=True,
    any_ap_ammo=True,
    fresh_smoke_slows=False,
    road_rate_without_start=True,
    road_height_discount_needs_road_rate=True,
    tracks=False,
    desert_buildings=False,
)

PANZER_MINI = Edition(
    id="panzer-mini",
    stabilised_short_halt=False,
    short_halt_keeps_three_quarters_at_sb1=False,
    fire_support_spots=False,
    sunken_terrain=frozenset(),
    sunken_lines=frozenset(),
    commander_sight=False,
    any_ap_ammo=False,
    fresh_smoke_slows=True,
    road_rate_without_start=False,
    road_height_discount_needs_road_rate=False,
    tracks=False,
    desert_buildings=False,
)
"""The miniatures book: what it says of terrain and roads is its own, so that most switches are idle."""
