"""What happened in fire and movement (3.2 to 3.5, 1.2.5)."""

from __future__ import annotations

import msgspec

from sandtable.core.decision import Seat
from sandtable.core.modifier import Breakdown
from sandtable.core.showing import Shown
from sandtable.geo.hex import DIRECTION_NAMES, Hex
from sandtable.systems.aslsk.common.fact import Fact, Numbered, OnTheIft, Priced
from sandtable.systems.aslsk.common.shown import compared, mark_word, net
from sandtable.systems.aslsk.common.words import Words, does, in_mf, led, listed, side_name
from sandtable.systems.aslsk.pieces.state import Hold, Mark, SmokeKind, UnitId, WeaponId

__all__ = [
    "BackblastStruck",
    "CounterExhausted",
    "FireDeclared",
    "FireHeld",
    "FireResolved",
    "HexesBlocked",
    "HoldOrdered",
    "MarksPlaced",
    "MoveEnded",
    "OrdnanceResolved",
    "PanzerfaustChecked",
    "ResidualPlaced",
    "SmokeCleared",
    "SmokePlaced",
    "SmokeRolled",
    "UnitsExited",
    "UnitsMoved",
    "UnitsSpent",
]


class FireDeclared(Fact, frozen=True):
    """3.2.2: who fires at which hex."""

    seat: Seat
    kind: str
    """``Prep Fire``, ``First Fire``, ``Subsequent First Fire``, ``Final Protective Fire``, ``Final Fire`` ..."""
    units: tuple[UnitId, ...]
    weapons: tuple[WeaponId, ...]
    leaders: tuple[UnitId, ...]
    target: Hex

    def sentence(self, words: Words) -> str:
        return (
            f"{self.kind} by {words.firers(self.units, self.weapons)} at {words.hex(self.target)}{led(self.leaders)}."
        )

    def shown(self, words: Words) -> Shown:
        return Shown(kind="fire", firers=(*self.units, *self.weapons), hex=words.label(self.target))


class HexesBlocked(Fact, frozen=True):
    """3.2.1: members of the attack that turn out to have no LOS."""

    hexes: tuple[Hex, ...]
    target: Hex
    why: str

    def sentence(self, words: Words) -> str:
        return f"No LOS from {listed(map(words.hex, self.hexes))} to {words.hex(self.target)}: {self.why} (3.2.1)."

    def shown(self, words: Words) -> Shown:
        return Shown(kind="mark", hex=words.label(self.target), effect="no LOS")


class FireResolved(OnTheIft, frozen=True):
    """3.2.3: an attack on the IFT: a fire attack, residual FP, a DC, an ordnance hit."""

    kind: str
    target: Hex
    targets: tuple[UnitId, ...]
    firepower: Breakdown
    """Whole FP, fractions in its words; its result is the IFT column before cowering."""
    drm: Breakdown
    faces: tuple[int, ...]
    column: int
    """IFT column used, after cowering; 0 for none."""
    cowered: bool
    result: str
    """``2KIA``, ``K/1``, ``1MC``, ``NMC``, ``PTC`` or ``""``."""

    def sentence(self, words: Words) -> str:
        total = sum(self.faces)
        cowers = ", cowers" if self.cowered else ""
        result = self.result or "no effect"
        return (
            f"{self.kind[:1].upper()}{self.kind[1:]} on {words.hex(self.target)}: {self.column} FP column{cowers}, "
            f"DR {total} {self.drm.total:+d} = {total + self.drm.total}: {result}."
        )

    def shown(self, words: Words) -> Shown:
        return Shown(
            kind="result",
            units=self.targets,
            hex=words.label(self.target),
            faces=self.faces,
            needed=f"{self.column} FP column{', cowers' if self.cowered else ''}",
            rolled=net(self.faces, self.drm.total),
            effect=self.result or "no effect",
            came_off=bool(self.result),
        )


class OrdnanceResolved(Numbered, frozen=True):
    """3.2.4: a To Hit DR."""

    weapon: WeaponId
    unit: UnitId
    target: Hex
    number: Breakdown
    faces: tuple[int, ...]
    hit: bool
    critical: bool = False

    def sentence(self, words: Words) -> str:
        verdict = "critical hit" if self.critical else "hit" if self.hit else "miss"
        who = words.weapon(self.weapon) if self.weapon else f"{self.unit}, panzerfaust,"
        return f"{who} at {words.hex(self.target)}: needs {self.number.total}, rolls {sum(self.faces)}: {verdict}."

    def shown(self, words: Words) -> Shown:
        return compared(
            firers=(self.weapon or self.unit,),
            hex=words.label(self.target),
            faces=self.faces,
            number=self.number.total,
            done=self.hit,
            words=("critical hit" if self.critical else "hit", "miss"),
        )


class PanzerfaustChecked(Numbered, frozen=True):
    """4.4.2: a PF check dr."""

    unit: UnitId
    roll: int
    number: Breakdown
    found: bool

    def sentence(self, words: Words) -> str:
        return f"{self.unit} looks for a panzerfaust: dr {self.roll}, {'has one' if self.found else 'none'} (4.4.2)."

    def shown(self, words: Words) -> Shown:
        return compared(
            units=(self.unit,),
            faces=(self.roll,),
            number=self.number.total,
            done=self.found,
            words=("has one", "has none"),
        )


class BackblastStruck(Fact, frozen=True):
    """4.4.3: the colored dr strikes the firer's own hex."""

    hex: Hex
    roll: int
    result: str

    def sentence(self, words: Words) -> str:
        return f"Backblast in {words.hex(self.hex)}: {self.roll}, {self.result or 'no effect'} (4.4.3)."

    def shown(self, words: Words) -> Shown:
        return Shown(
            kind="result",
            hex=words.label(self.hex),
            faces=(self.roll,),
            rolled=f"{self.roll}",
            effect=f"backblast: {self.result or 'no effect'}",
        )


class MarksPlaced(Fact, frozen=True):
    """3.2.5, 3.3.3, 3.4: fire markers on units and weapons."""

    mark: Mark
    units: tuple[UnitId, ...] = ()
    weapons: tuple[WeaponId, ...] = ()
    directed: dict[UnitId, tuple[str, ...]] = msgspec.field(default_factory=dict)
    """What each directing leader has directed so far this player turn."""
    busy: tuple[UnitId, ...] = ()
    """Leaders that used a weapon."""
    fired: tuple[WeaponId, ...] = ()
    """Weapons that fired, marked or not."""
    panzerfaust: bool = False
    """Whether what was directed is a panzerfaust: all that a leader directs in that phase (4.4.2)."""

    def sentence(self, words: Words) -> str:
        if self.mark is Mark.NONE or not (self.units or self.weapons):
            return ""
        return f"{self.mark.value} marker: {words.firers(self.units, self.weapons)}."

    def shown(self, words: Words) -> Shown:
        return Shown(kind="mark", units=(*self.units, *self.weapons), effect=mark_word(self.mark))


class ResidualPlaced(Fact, frozen=True):
    """3.3.5: the Residual FP counter of a hex."""

    hex: Hex
    fp: int

    def sentence(self, words: Words) -> str:
        return f"{self.fp} Residual FP in {words.hex(self.hex)} (3.3.5)."

    def shown(self, words: Words) -> Shown:
        return Shown(kind="mark", hex=words.label(self.hex), effect=f"{self.fp} residual FP")


class SmokePlaced(Fact, frozen=True):
    """1.2.5: a Smoke counter."""

    hex: Hex
    kind: SmokeKind
    seat: Seat

    def sentence(self, words: Words) -> str:
        return f"{self.kind.value.capitalize()} in {words.hex(self.hex)} (1.2.5)."

    def shown(self, words: Words) -> Shown:
        return Shown(kind="mark", hex=words.label(self.hex), effect="smoke")


class SmokeCleared(Fact, frozen=True):
    """1.2.5: a side's Dispersed Smoke goes and its full Smoke disperses."""

    seat: Seat

    def sentence(self, words: Words) -> str:
        return f"{side_name(self.seat)} smoke disperses (1.2.5)."


class FireHeld(Fact, frozen=True):
    """3.3.3: a side does not fire now."""

    seat: Seat


class HoldOrdered(Fact, frozen=True):
    """A standing order for the rest of the MPh, known to its owner alone."""

    seat: Seat
    hold: Hold

    def sentence(self, words: Words) -> str:
        return f"{side_name(self.seat)}: a standing order to hold fire."


class CounterExhausted(Fact, frozen=True):
    """3.3.1, 3.7: CX counters placed or, at the start of a unit's MPh, removed."""

    units: tuple[UnitId, ...]
    cx: bool = True

    def sentence(self, words: Words) -> str:
        return f"{'CX' if self.cx else 'No longer CX'}: {listed(self.units)}."

    def shown(self, words: Words) -> Shown:
        return Shown(kind="mark", units=self.units, effect="CX" if self.cx else "")


class UnitsMoved(Priced, frozen=True):
    """3.3.1: units entered a hex."""

    units: tuple[UnitId, ...]
    hex: Hex
    cost: Breakdown
    """In halves of MF."""
    assault: bool = False

    def sentence(self, words: Words) -> str:
        how = "assault move" if self.assault else "move"
        return f"{does(self.units, how)} to {words.hex(self.hex)}, {in_mf(self.cost.total)}."

    def shown(self, words: Words) -> Shown:
        return Shown(kind="move", units=self.units, hex=words.label(self.hex))


class UnitsSpent(Priced, frozen=True):
    """3.3.1: MF spent in a hex on something else than entering it."""

    units: tuple[UnitId, ...]
    hex: Hex
    what: str
    cost: Breakdown
    """In halves of MF."""

    def sentence(self, words: Words) -> str:
        return f"{listed(self.units)}, {self.what} in {words.hex(self.hex)}, {in_mf(self.cost.total)}."


class UnitsExited(Fact, frozen=True):
    """3.3: units left the map."""

    units: tuple[UnitId, ...]
    hex: Hex
    direction: int
    counts: bool = False
    """Whether the scenario counts this exit."""

    def sentence(self, words: Words) -> str:
        return (
            f"{does(self.units, 'leave')} the map from {words.hex(self.hex)} to the {DIRECTION_NAMES[self.direction]}."
        )

    def shown(self, words: Words) -> Shown:
        return Shown(kind="move", units=self.units)


class MoveEnded(Fact, frozen=True):
    """3.3.1: these units have ended their MPh."""

    units: tuple[UnitId, ...]


class SmokeRolled(Numbered, frozen=True):
    """3.3.1: a smoke grenade placement dr."""

    unit: UnitId
    hex: Hex
    roll: int
    number: Breakdown
    placed: bool

    def sentence(self, words: Words) -> str:
        came = "placed" if self.placed else "none"
        return f"{self.unit} throws smoke into {words.hex(self.hex)}: dr {self.roll}, {came}."

    def shown(self, words: Words) -> Shown:
        return compared(
            units=(self.unit,),
            hex=words.label(self.hex),
            faces=(self.roll,),
            number=self.number.total,
            done=self.placed,
            words=("smoke", "no smoke"),
        )
