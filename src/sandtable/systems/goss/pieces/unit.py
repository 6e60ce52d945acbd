"""A unit as it stands in a game: where it is, what is left of it, and the markers on it (1.4.0, 5.0, 10.2.0, 14.0).

Defaults are left out of the encoding, so that a field added later leaves the digests of old logs as they were.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NewType

import msgspec

from sandtable.core.decision import Seat
from sandtable.geo.hex import Hex
from sandtable.systems.goss.pieces.card import CardId, FormationId

__all__ = ["Box", "Mode", "Supply", "Unit", "UnitId"]

UnitId = NewType("UnitId", str)


class Mode(StrEnum):
    """5.0 Unit modes: a unit is in just one of them."""

    TAC = "Tac"
    PREPARED_ASSAULT = "PA"
    EXPLOIT = "Exploit"
    MANEUVER_RESERVE = "MR"
    STRATEGIC = "Strat"


class Supply(StrEnum):
    """15.0 How a unit is supplied."""

    GENERAL = "GenS"
    EXTENDED = "extended"
    """General supply over a long path (13.7.3)."""
    ON_HAND = "OhS"
    OUT = "OoS"


class Box(StrEnum):
    """Where a unit is that is not on the map."""

    MAP = ""
    COMING = "reinforcements"
    ELIMINATED = "eliminated"
    ISOLATED = "isolated"
    """Eliminated while isolated: it does not come back (4.2.2)."""
    WITHDRAWN = "withdrawn"


class Unit(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A unit with the markers on it."""

    id: UnitId
    card: CardId
    side: Seat
    steps: int
    hex: Hex | None = None
    box: Box = Box.MAP
    formation: FormationId = FormationId("")
    """The formation whose HQ it is attached to; ``""``: that of its card (9.1.0)."""
    mode: Mode = Mode.TAC
    is_designated: bool = False
    """Has a TA marker (5.1.2)."""
    in_battery: bool = False
    in_works: bool = False
    fatigue: int = 0
    supply: Supply = Supply.GENERAL
    is_isolated: bool = False
    surrender_checks: int = 0
    """Days on which it checked, cut off and out of supply, whether it surrenders (15.7.1)."""
    is_out_of_command: bool = False
    is_depleted: bool = False
    """Artillery without ammunition (11.8.0)."""
    shifts: int = 0
    """AS markers (11.6.1)."""
    in_reserve: bool = False
    """Combat Reserve (5.6)."""
    has_fought: bool = False
    """Attacked, or was hit by fire support, in the Combat Phase of its own side (14.3.0)."""
    arrived: int = -1
    """The game turn in which it came onto the map; -1 if it was there from the start (21.0)."""
    arrival: int = -1
    """Which of the scenario's reinforcements it came with (21.1.0)."""
    has_moved: bool = False
    """In this player turn, as far as the rules ask."""

    @property
    def is_attacking(self) -> bool:
        """Attack-designated: by a TA marker, or by Prepared Assault (10.2.0)."""
        return self.is_designated or self.mode is Mode.PREPARED_ASSAULT
