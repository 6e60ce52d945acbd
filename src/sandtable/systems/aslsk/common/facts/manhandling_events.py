"""What happened while a Gun was pushed (6.5)."""

from __future__ import annotations

from sandtable.core.modifier import Breakdown
from sandtable.core.showing import Shown
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.common.fact import Fact, Numbered
from sandtable.systems.aslsk.common.shown import compared
from sandtable.systems.aslsk.common.words import Words, does
from sandtable.systems.aslsk.pieces.spines import spine_name
from sandtable.systems.aslsk.pieces.state import UnitId, WeaponId

__all__ = ["GunManhandled", "ManhandlingRolled"]


class ManhandlingRolled(Numbered, frozen=True):
    """6.5: a manhandling DR: the Gun moves on, moves and stops, or stays."""

    units: tuple[UnitId, ...]
    weapon: WeaponId
    hex: Hex
    """The hex that they push it into."""
    faces: tuple[int, ...]
    number: Breakdown
    """Highest DR that moves it; equal to it, it stops there."""
    result: str
    """``moves``, ``moves and stops`` or ``stays``."""

    def sentence(self, words: Words) -> str:
        return (
            f"{does(self.units, 'push')} {words.weapon(self.weapon)} towards {words.hex(self.hex)}: "
            f"needs {self.number.total}, rolls {sum(self.faces)}: it {self.result} (6.5)."
        )

    def shown(self, words: Words) -> Shown:
        return compared(
            units=self.units,
            hex=words.label(self.hex),
            faces=self.faces,
            number=self.number.total,
            done=self.result != "stays",
            words=(self.result, self.result),
        )


class GunManhandled(Fact, frozen=True):
    """6.5: a Gun was pushed into the hex of those who man it, and points so."""

    weapon: WeaponId
    facing: int

    def sentence(self, words: Words) -> str:
        return f"{words.weapon(self.weapon)} points {spine_name(self.facing)} now (6.5)."

    def shown(self, words: Words) -> Shown:
        return Shown(kind="mark", units=(self.weapon,))
