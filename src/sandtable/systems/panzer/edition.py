"""What differs between the books of the family, as named switches, each with its rule.

Rules code asks the switch, never which book it is.
"""

from __future__ import annotations

import msgspec

__all__ = ["MBT", "PANZER_NA", "Edition"]


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

    def __str__(self) -> str:
        return self.id


PANZER_NA = Edition(
    id="panzer-na",
    stabilised_short_halt=False,
    short_halt_keeps_three_quarters_at_sb1=False,
    fire_support_spots=False,
    sunken_terrain=frozenset({"gully"}),
    sunken_lines=frozenset({"gully"}),
    commander_sight=False,
    any_ap_ammo=False,
    fresh_smoke_slows=True,
    road_rate_without_start=False,
    road_height_discount_needs_road_rate=False,
    tracks=True,
    desert_buildings=True,
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
