"""What happened in the sequence of play, the set-up and the Rally Phase (1.3, 3.0, 3.1, 3.9, 5.3)."""

from __future__ import annotations

import msgspec

from sandtable.core.decision import Seat
from sandtable.core.modifier import Breakdown
from sandtable.core.showing import Shown
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.common.fact import Fact, Numbered
from sandtable.systems.aslsk.common.shown import PHASE, REPAIRS, compared, net
from sandtable.systems.aslsk.common.words import Words, does, listed, repaired, side_name
from sandtable.systems.aslsk.pieces.state import Phase, Unit, UnitId, WeaponId

__all__ = [
    "ControlGained",
    "DesperationKept",
    "DesperationLifted",
    "DiceDealt",
    "GameEnded",
    "LeaderCreated",
    "PhaseBegan",
    "PhaseEnded",
    "RallyAttempted",
    "RecoveryAttempted",
    "ReinforcementsArrived",
    "RepairAttempted",
    "SetUpFinished",
    "TurnBegan",
    "UnitPlaced",
    "UnitRallied",
    "WeaponPossessed",
]

_PHASE_NAMES = {
    Phase.SETUP: "Set-up",
    Phase.RALLY: "Rally Phase",
    Phase.PREP_FIRE: "Prep Fire Phase",
    Phase.MOVEMENT: "Movement Phase",
    Phase.DEFENSIVE_FIRE: "Defensive Fire Phase",
    Phase.ADVANCING_FIRE: "Advancing Fire Phase",
    Phase.ROUT: "Rout Phase",
    Phase.ADVANCE: "Advance Phase",
    Phase.CLOSE_COMBAT: "Close Combat Phase",
}


class UnitPlaced(Fact, frozen=True):
    """1.3: a unit is set up, with weapons."""

    unit: UnitId
    hex: Hex | None
    """None to an opponent who may not see it yet."""
    weapons: tuple[WeaponId, ...] = ()

    def sentence(self, words: Words) -> str:
        where = f"in {words.hex(self.hex)}" if self.hex is not None else "off board"
        return f"{self.unit} sets up {where}{words.load(self.weapons)}."

    def shown(self, words: Words) -> Shown:
        return Shown(kind="move", units=(self.unit,), hex=words.label(self.hex))


class SetUpFinished(Fact, frozen=True):
    """1.3: a side has set up."""

    seat: Seat

    def sentence(self, words: Words) -> str:
        return f"{side_name(self.seat)}: the set-up is finished."

    def shown(self, words: Words) -> Shown:
        return PHASE


class DiceDealt(Fact, frozen=True):
    """1.3: a scenario's own roll: numbers that it fixes and units that it takes out of the order of battle."""

    title: str
    roll: int
    dealt: dict[str, int] = msgspec.field(default_factory=dict)
    absent: tuple[UnitId, ...] = ()

    def sentence(self, words: Words) -> str:
        dealt = listed(f"{number} {name.upper()}" for name, number in self.dealt.items())
        return f"{self.title}: dr {self.roll}{f', {dealt}' if dealt else ''}."

    def shown(self, words: Words) -> Shown:
        return Shown(kind="result", faces=(self.roll,), rolled=f"{self.roll}", effect=self.title)


class TurnBegan(Fact, frozen=True):
    """3.9: a player turn begins."""

    turn: int
    attacker: Seat

    def sentence(self, words: Words) -> str:
        return f"Turn {self.turn}, ATTACKER: {side_name(self.attacker)}."

    def shown(self, words: Words) -> Shown:
        return PHASE


class PhaseBegan(Fact, frozen=True):
    """3.0: a new phase."""

    phase: Phase

    def sentence(self, words: Words) -> str:
        return f"{_PHASE_NAMES[self.phase]}."

    def shown(self, words: Words) -> Shown:
        return PHASE


class PhaseEnded(Fact, frozen=True):
    """3.0: a phase is over and the markers go that last no longer than it."""

    phase: Phase


class ReinforcementsArrived(Fact, frozen=True):
    """3.1: units due this player turn are set up off board."""

    units: tuple[UnitId, ...]

    def sentence(self, words: Words) -> str:
        return f"Due, off board: {listed(self.units)} (3.1)."

    def shown(self, words: Words) -> Shown:
        return Shown(kind="mark", units=self.units)


class ControlGained(Fact, frozen=True):
    """2.0: a side controls a place that the victory conditions name."""

    place: str
    seat: Seat

    def sentence(self, words: Words) -> str:
        return f"Control of {words.place(self.place)}: {side_name(self.seat)}."


class GameEnded(Fact, frozen=True):
    """3.9: the last turn is over, or the victory conditions are met at once."""

    why: str
    winner: str

    def sentence(self, words: Words) -> str:
        return f"{self.why[:1].upper()}{self.why[1:]}. Winner: {side_name(self.winner) or 'nobody'}."

    def shown(self, words: Words) -> Shown:
        return PHASE


class RecoveryAttempted(Numbered, frozen=True):
    """3.1, 3.3.1: a dr to recover a weapon."""

    unit: UnitId
    weapon: WeaponId
    roll: int
    number: Breakdown
    recovered: bool

    def sentence(self, words: Words) -> str:
        verdict = "recovered" if self.recovered else "not recovered"
        return f"{self.unit} reaches for {words.weapon(self.weapon)}: dr {self.roll}, {verdict} (3.1)."

    def shown(self, words: Words) -> Shown:
        return compared(
            units=(self.unit,),
            faces=(self.roll,),
            number=self.number.total,
            done=self.recovered,
            words=("recovered", "not recovered"),
        )


class RepairAttempted(Numbered, frozen=True):
    """3.1: a dr to repair a weapon: ``repaired``, ``removed`` or ``none``."""

    unit: UnitId
    weapon: WeaponId
    roll: int
    number: Breakdown
    result: str

    def sentence(self, words: Words) -> str:
        return f"{self.unit} repairs {words.weapon(self.weapon)}: {repaired(self.roll, self.result)} (3.1)."

    def shown(self, words: Words) -> Shown:
        return Shown(
            kind="result", units=(self.unit,), faces=(self.roll,), rolled=f"{self.roll}", effect=REPAIRS[self.result]
        )


class WeaponPossessed(Fact, frozen=True):
    """4.0: a weapon has another possessor, or none and lies in the hex."""

    weapon: WeaponId
    unit: UnitId = UnitId("")
    hex: Hex | None = None
    recovered: bool = False

    def sentence(self, words: Words) -> str:
        if self.unit:
            return f"{words.weapon(self.weapon)} is in the possession of {self.unit}."
        return f"{words.weapon(self.weapon)} is left in {words.hex(self.hex)}."

    def shown(self, words: Words) -> Shown:
        return Shown(kind="mark", units=(self.weapon,), hex=words.label(self.hex))


class RallyAttempted(Numbered, frozen=True):
    """3.1: a rally DR."""

    unit: UnitId
    leader: UnitId
    """"" for a self rally."""
    faces: tuple[int, ...]
    number: Breakdown
    """What the DR is compared with: broken morale less DRM."""
    rallied: bool

    def sentence(self, words: Words) -> str:
        by = f"{self.leader} rallies" if self.leader else "Self rally of"
        verdict = "rallies" if self.rallied else "does not rally"
        total = sum(self.faces)
        return f"{by} {self.unit}: needs {self.number.total}, rolls {total}: it {verdict} (3.1)."

    def shown(self, words: Words) -> Shown:
        return compared(
            units=(self.unit,),
            faces=self.faces,
            number=self.number.total,
            done=self.rallied,
            words=("rallies", "does not rally"),
        )


class UnitRallied(Fact, frozen=True):
    """3.1: back to its unbroken side."""

    unit: UnitId


class DesperationKept(Fact, frozen=True):
    """3.1: units keep their DM by choice."""

    units: tuple[UnitId, ...]

    def sentence(self, words: Words) -> str:
        return f"{does(self.units, 'keep')} DM (3.1)."

    def shown(self, words: Words) -> Shown:
        return Shown(kind="mark", units=self.units, effect="keeps DM")


class DesperationLifted(Fact, frozen=True):
    """3.1: DM counters are removed."""

    units: tuple[UnitId, ...]

    def sentence(self, words: Words) -> str:
        return f"{does(self.units, 'lose')} DM (3.1)."

    def shown(self, words: Words) -> Shown:
        return Shown(kind="mark", units=self.units, effect="no DM")


class LeaderCreated(Numbered, frozen=True):
    """5.3: the dr on the Leader Creation table, and the leader, if any."""

    unit: UnitId
    roll: int
    number: Breakdown
    leader: Unit | None

    def sentence(self, words: Words) -> str:
        found = f"{words.card(self.leader.card)} {self.leader.id}" if self.leader is not None else "no leader"
        return f"Field promotion from {self.unit}: dr {self.roll} {self.number.total:+d}: {found} (5.3)."

    def shown(self, words: Words) -> Shown:
        return Shown(
            kind="result",
            units=(self.unit,),
            faces=(self.roll,),
            rolled=net((self.roll,), self.number.total),
            effect="a leader" if self.leader is not None else "no leader",
            came_off=self.leader is not None,
        )
