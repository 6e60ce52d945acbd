"""1.3 What a player says of his groups in the set-up: who jumps where and with whom, and which groups he brings."""

from __future__ import annotations

from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.common.actions import SetUpAction
from sandtable.systems.aslsk.pieces.state import UnitId

__all__ = ["BringGroup", "ChooseRendezvous", "JoinGroup", "JumpTogether"]


class JoinGroup(SetUpAction, frozen=True):
    """1.3: a unit or weapon of a group that is divided joins one of the groups that jump."""

    deed = "dividing a group"

    piece: str
    force: str


class JumpTogether(SetUpAction, frozen=True):
    """1.3: a SMC jumps in the stack of a MMC, or alone."""

    deed = "jumping together"

    leader: UnitId
    unit: UnitId = UnitId("")
    """The MMC; left out, alone."""


class ChooseRendezvous(SetUpAction, frozen=True):
    """1.3: the hex around which a group that jumps is to land."""

    deed = "choosing a rendezvous"

    force: str
    hex: Hex


class BringGroup(SetUpAction, frozen=True):
    """1.3: a group that a side chooses to bring, its turn, and the edge hex on or next to which it enters."""

    deed = "choosing a group"

    force: str
    turn: int = 0
    """0 to leave it out again."""
    hex: Hex | None = None
