"""What happened in rout, advance and close combat (3.6 to 3.8)."""

from __future__ import annotations

from sandtable.core.decision import Seat
from sandtable.core.modifier import Breakdown
from sandtable.core.showing import Shown
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.common.fact import Fact, KillNumbered, Priced
from sandtable.systems.aslsk.common.shown import net
from sandtable.systems.aslsk.common.words import Words, combat_result, does, in_mf, listed, side_name, who_on_whom
from sandtable.systems.aslsk.pieces.state import CcAttack, UnitId

__all__ = [
    "AmbushRolled",
    "CloseCombatDeclared",
    "CloseCombatResolved",
    "Interdicted",
    "LeadersArranged",
    "MeleeHeld",
    "RoutEnded",
    "UnitRouted",
    "UnitsAdvanced",
]


class UnitRouted(Priced, frozen=True):
    """3.6: a routing unit, and the leader with it, entered a hex."""

    unit: UnitId
    hex: Hex
    cost: Breakdown
    """In halves of MF."""
    escort: UnitId = UnitId("")
    low_crawl: bool = False

    def sentence(self, words: Words) -> str:
        how = "low crawls" if self.low_crawl else "routs"
        with_ = f" with {self.escort}" if self.escort else ""
        return f"{self.unit}{with_} {how} to {words.hex(self.hex)}, {in_mf(self.cost.total)} (3.6)."

    def shown(self, words: Words) -> Shown:
        return Shown(
            kind="move", units=(self.unit, self.escort) if self.escort else (self.unit,), hex=words.label(self.hex)
        )


class Interdicted(Fact, frozen=True):
    """3.6: enemy units interdict a routing unit."""

    unit: UnitId
    by: tuple[UnitId, ...]
    hex: Hex

    def sentence(self, words: Words) -> str:
        return f"{self.unit} is interdicted in {words.hex(self.hex)} by {listed(self.by)} (3.6)."

    def shown(self, words: Words) -> Shown:
        return Shown(kind="fire", units=(self.unit,), firers=self.by, hex=words.label(self.hex))


class RoutEnded(Fact, frozen=True):
    """3.6: a unit, and the leader with it, has ended its RtPh."""

    unit: UnitId
    escort: UnitId = UnitId("")


class UnitsAdvanced(Priced, frozen=True):
    """3.7: units advanced into a hex."""

    units: tuple[UnitId, ...]
    hex: Hex
    cost: Breakdown
    """In halves of MF, as in the MPh."""

    def sentence(self, words: Words) -> str:
        return f"{does(self.units, 'advance')} into {words.hex(self.hex)} (3.7)."

    def shown(self, words: Words) -> Shown:
        return Shown(kind="move", units=self.units, hex=words.label(self.hex))


class LeadersArranged(Fact, frozen=True):
    """3.8: the units that a side's leaders fight with."""

    seat: Seat
    pairs: dict[UnitId, UnitId]

    def sentence(self, words: Words) -> str:
        return f"{listed(f'{a} fights with {b}' for a, b in self.pairs.items())} (3.8)."


class AmbushRolled(Fact, frozen=True):
    """3.8: both sides' ambush drs."""

    hex: Hex
    rolls: dict[Seat, int]
    numbers: tuple[Breakdown, ...]
    ambusher: str

    def breakdowns(self) -> tuple[Breakdown, ...]:
        """The numbers of the dice."""
        return self.numbers

    def sentence(self, words: Words) -> str:
        rolls = listed(f"{side_name(seat)} {roll}" for seat, roll in self.rolls.items())
        verdict = f"ambush by {side_name(self.ambusher)}" if self.ambusher else "no ambush"
        drm = listed(f"{number.total:+d}" for number in self.numbers)
        return f"Ambush in {words.hex(self.hex)}: {rolls} (drm {drm}): {verdict} (3.8)."

    def shown(self, words: Words) -> Shown:
        return Shown(
            kind="result",
            hex=words.label(self.hex),
            faces=tuple(self.rolls.values()),
            rolled=", ".join(f"{seat.title()} {roll}" for seat, roll in self.rolls.items()),
            effect=f"ambush by {self.ambusher.title()}" if self.ambusher else "no ambush",
        )


class CloseCombatDeclared(Fact, frozen=True):
    """3.8: a side's close combat attacks in a hex."""

    seat: Seat
    hex: Hex
    attacks: tuple[CcAttack, ...]

    def sentence(self, words: Words) -> str:
        attacks = "; ".join(map(who_on_whom, self.attacks)) or "no attack"
        return f"{side_name(self.seat)} in {words.hex(self.hex)}: {attacks}."


class CloseCombatResolved(KillNumbered, frozen=True):
    """3.8: one close combat attack: ``eliminated``, ``reduced`` or ``none``."""

    seat: Seat
    hex: Hex
    attack: CcAttack
    odds: str
    kill: Breakdown
    """The kill number."""
    drm: Breakdown
    faces: tuple[int, ...]
    result: str

    def sentence(self, words: Words) -> str:
        total = sum(self.faces)
        return (
            f"Close combat, {who_on_whom(self.attack)} at {self.odds}, kill number {self.kill.total}: "
            f"DR {total} {self.drm.total:+d} = {total + self.drm.total}: {combat_result(self.result)} (3.8)."
        )

    def shown(self, words: Words) -> Shown:
        return Shown(
            kind="result",
            units=tuple(self.attack.against),
            hex=words.label(self.hex),
            faces=self.faces,
            needed=f"{self.kill.total} or less at {self.odds}",
            rolled=net(self.faces, self.drm.total),
            effect=combat_result(self.result),
            came_off=self.result != "none",
        )


class MeleeHeld(Fact, frozen=True):
    """3.8: the units that are held in Melee in a hex now; those of the hex not named are free."""

    hex: Hex
    units: tuple[UnitId, ...]

    def sentence(self, words: Words) -> str:
        return f"Melee in {words.hex(self.hex)}." if self.units else f"No more Melee in {words.hex(self.hex)}."

    def shown(self, words: Words) -> Shown:
        return Shown(
            kind="mark",
            units=self.units,
            hex=words.label(self.hex),
            effect="Melee" if self.units else "no more Melee",
        )
