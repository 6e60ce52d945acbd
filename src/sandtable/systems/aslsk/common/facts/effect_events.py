"""What happened to units and weapons (3.2.3, 4.0, 5.1)."""

from __future__ import annotations

from sandtable.core.modifier import Breakdown
from sandtable.core.showing import Shown
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.common.fact import Fact, Numbered
from sandtable.systems.aslsk.common.shown import compared
from sandtable.systems.aslsk.common.words import Words
from sandtable.systems.aslsk.pieces.cards import CardId
from sandtable.systems.aslsk.pieces.state import UnitId, WeaponId

__all__ = [
    "AcquisitionChanged",
    "DemolitionPlaced",
    "Desperation",
    "MoraleChecked",
    "UnitBroke",
    "UnitEliminated",
    "UnitPinned",
    "UnitReduced",
    "UnitReplaced",
    "UnitWounded",
    "WeaponMalfunctioned",
    "WeaponRemoved",
    "WeaponUsed",
    "WoundRolled",
]


class MoraleChecked(Numbered, frozen=True):
    """3.2.3: a MC, PTC, LLMC, LLTC, interdiction or FPF check of one unit."""

    unit: UnitId
    check: str
    """``NMC``, ``1MC`` ..., ``PTC``, ``LLMC``, ``LLTC``, ``interdiction``, ``FPF``."""
    faces: tuple[int, ...]
    number: Breakdown
    """Highest DR that passes."""
    passed: bool

    def sentence(self, words: Words) -> str:
        verdict = "passes" if self.passed else "fails"
        return f"{self.unit} {self.check}: needs {self.number.total}, rolls {sum(self.faces)}: {verdict}."

    def shown(self, words: Words) -> Shown:
        return compared(
            units=(self.unit,),
            faces=self.faces,
            number=self.number.total,
            done=self.passed,
            words=(f"{self.check} passed", f"{self.check} failed"),
        )


class UnitBroke(Fact, frozen=True):
    """3.2.3: turned to its broken side, under DM."""

    unit: UnitId

    def sentence(self, words: Words) -> str:
        return f"{self.unit} breaks."

    def shown(self, words: Words) -> Shown:
        return Shown(kind="effect", units=(self.unit,), effect="breaks")


class Desperation(Fact, frozen=True):
    """3.2.3, 3.6: a broken unit comes under DM."""

    unit: UnitId
    why: str

    def sentence(self, words: Words) -> str:
        return f"{self.unit} comes under DM: {self.why}."

    def shown(self, words: Words) -> Shown:
        return Shown(kind="effect", units=(self.unit,), effect="DM")


class UnitPinned(Fact, frozen=True):
    """3.2.3: a Pin counter."""

    unit: UnitId

    def sentence(self, words: Words) -> str:
        return f"{self.unit} is pinned."

    def shown(self, words: Words) -> Shown:
        return Shown(kind="effect", units=(self.unit,), effect="pinned")


class UnitReduced(Fact, frozen=True):
    """3.2.3: casualty reduction of a squad to a half-squad."""

    unit: UnitId
    card: CardId

    def sentence(self, words: Words) -> str:
        return f"{self.unit} is reduced to a {words.card(self.card)} (3.2.3)."

    def shown(self, words: Words) -> Shown:
        return Shown(kind="effect", units=(self.unit,), effect="reduced")


class UnitReplaced(Fact, frozen=True):
    """5.1: replaced by a unit of lower quality."""

    unit: UnitId
    card: CardId

    def sentence(self, words: Words) -> str:
        return f"{self.unit} is replaced by a {words.card(self.card)} (5.1)."

    def shown(self, words: Words) -> Shown:
        return Shown(kind="effect", units=(self.unit,), effect="replaced")


class WoundRolled(Numbered, frozen=True):
    """3.2.3: a wound severity dr."""

    unit: UnitId
    roll: int
    number: Breakdown
    killed: bool

    def sentence(self, words: Words) -> str:
        return f"{self.unit} is hit: wound dr {self.roll}, {'killed' if self.killed else 'wounded'} (3.2.3)."

    def shown(self, words: Words) -> Shown:
        return Shown(
            kind="result",
            units=(self.unit,),
            faces=(self.roll,),
            rolled=f"{self.roll}",
            effect="killed" if self.killed else "wounded",
        )


class UnitWounded(Fact, frozen=True):
    """3.2.3: a Wound counter."""

    unit: UnitId


class UnitEliminated(Fact, frozen=True):
    """3.2.3: out of the game; its weapons stay in the hex."""

    unit: UnitId
    why: str
    rule: str

    def sentence(self, words: Words) -> str:
        return f"{self.unit} is eliminated: {self.why} ({self.rule})."

    def shown(self, words: Words) -> Shown:
        return Shown(kind="effect", units=(self.unit,), effect="eliminated")


class WeaponMalfunctioned(Fact, frozen=True):
    """4.0, 4.1: turned to its malfunctioned side."""

    weapon: WeaponId

    def sentence(self, words: Words) -> str:
        return f"{words.weapon(self.weapon)} malfunctions."

    def shown(self, words: Words) -> Shown:
        return Shown(kind="effect", units=(self.weapon,), effect="malfunctions")


class WeaponRemoved(Fact, frozen=True):
    """4.0: out of the game."""

    weapon: WeaponId
    why: str

    def sentence(self, words: Words) -> str:
        return f"{words.weapon(self.weapon)} is removed: {self.why}."

    def shown(self, words: Words) -> Shown:
        return Shown(kind="effect", units=(self.weapon,), effect="gone")


class WeaponUsed(Fact, frozen=True):
    """4.0: a unit has used a weapon, and what that costs it."""

    unit: UnitId
    weapon: WeaponId
    forfeits: bool = False
    """The unit gives up its inherent FP."""


class DemolitionPlaced(Fact, frozen=True):
    """4.3: a DC lies operably placed."""

    weapon: WeaponId
    hex: Hex
    cx: bool
    fails_at: int

    def sentence(self, words: Words) -> str:
        return f"{words.weapon(self.weapon)} is placed in {words.hex(self.hex)} (4.3)."

    def shown(self, words: Words) -> Shown:
        return Shown(kind="mark", hex=words.label(self.hex), effect="DC placed")


class AcquisitionChanged(Fact, frozen=True):
    """6.11: a mortar's Acquired Target counter."""

    weapon: WeaponId
    hex: Hex | None
    drm: int
