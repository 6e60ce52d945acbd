"""1.3 What a player says of his groups in the set-up: who jumps where and with whom, and which groups he brings."""

from __future__ import annotations

from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.common.actions import SetUpAction
from sandtable.systems.aslsk.common.words import Words
from sandtable.systems.aslsk.pieces.state import UnitId

__all__ = ["BringGroup", "ChooseRendezvous", "JoinGroup", "JumpTogether"]


class JoinGroup(SetUpAction, frozen=True):
    """1.3: a unit or weapon of a group that is divided joins one of the groups that jump."""

    deed = "dividing a group"

    piece: str
    force: str

    def phrase(self, words: Words) -> str:
        return f"{self.piece} joins {words.force(self.force)}"


class JumpTogether(SetUpAction, frozen=True):
    """1.3: a SMC jumps in the stack of a MMC, or alone."""

    deed = "jumping together"

    leader: UnitId
    unit: UnitId = UnitId("")
    """The MMC; left out, alone."""

    def phrase(self, words: Words) -> str:
        return f"{self.leader} jumps {f'with {self.unit}' if self.unit else 'alone'}"


class ChooseRendezvous(SetUpAction, frozen=True):
    """1.3: the hex around which a group that jumps is to land."""

    deed = "choosing a rendezvous"

    force: str
    hex: Hex

    def phrase(self, words: Words) -> str:
        return f"{words.force(self.force)}: rendezvous in {words.hex(self.hex)}"


class BringGroup(SetUpAction, frozen=True):
    """1.3: a group that a side chooses to bring, its turn, and the edge hex on or next to which it enters."""

    deed = "choosing a group"

    force: str
    turn: int = 0
    """0 to leave it out again."""
    hex: Hex | None = None

    def phrase(self, words: Words) -> str:
        return words.brought(self.force, self.turn, self.hex)
