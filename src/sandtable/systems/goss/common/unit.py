"""A unit as it is now: where it is, what is left of it, and the markers on it (4.2, 5, 14, 15)."""

from __future__ import annotations

from enum import StrEnum
from typing import NewType

import msgspec

from sandtable.core.decision import Seat
from sandtable.geo.hex import Hex

__all__ = ["Box", "CardId", "FormationId", "Mode", "Stance", "Supply", "Unit", "UnitId"]

UnitId = NewType("UnitId", str)
CardId = NewType("CardId", str)
FormationId = NewType("FormationId", str)


class Mode(StrEnum):
    """5.0 The five modes; a unit is in one of them at a time."""

    TAC = "Tac"
    PA = "PA"
    EXPLOIT = "Exploit"
    MANEUVER_RESERVE = "MR"
    STRAT = "Strat"


class Stance(StrEnum):
    """5.6.0 In battery to fire, or out of battery to move; of artillery only."""

    NONE = ""
    IN_BATTERY = "IB"
    OUT_OF_BATTERY = "OoB"


class Supply(StrEnum):
    """15.1.2 As of the last Supply Determination Segment."""

    GENERAL = "GenS"
    ON_HAND = "OhS"
    OUT = "OoS"


class Box(StrEnum):
    """Where a unit is that is not on the map."""

    NONE = ""
    REINFORCEMENTS = "reinforcements"
    ELIMINATED = "eliminated"
    ISOLATED = "eliminated while isolated"
    WITHDRAWN = "withdrawn"


class Unit(msgspec.Struct, frozen=True, omit_defaults=True):
    """A unit with the markers on it."""

    id: UnitId
    side: Seat
    card: CardId
    hex: Hex | None
    """None while it is in a box."""
    steps: int
    """0 of a Z-step unit (4.1.3)."""
    box: Box = Box.NONE
    formation: FormationId = FormationId("")
    """The HQ that it is subordinate to now, if that is not its own (9.1.0)."""
    mode: Mode = Mode.TAC
    stance: Stance = Stance.NONE
    is_assaulting: bool = False
    """Marked TA (5.1.2)."""
    is_reserve: bool = False
    """Marked CR (5.8.0)."""
    in_works: bool = False
    """Under the works of its hex."""
    fatigue: int = 0
    supply: Supply = Supply.GENERAL
    is_isolated: bool = False
    is_out_of_command: bool = False
    is_depleted: bool = False
    """Marked AD: artillery without ammunition (11.8.0)."""
    shifts: int = 0
    """AS markers, 0 to 2 (11.6.1)."""

    @property
    def is_designated(self) -> bool:
        """Attack designated: in PA mode, or marked TA (10.2.0)."""
        return self.is_assaulting or self.mode is _PA

    @property
    def in_play(self) -> bool:
        """On the map."""
        return self.hex is not None


_PA = Mode.PA
