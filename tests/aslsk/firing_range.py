"""A tank in a clash, and something that hits it (7.9-7.12)."""

from __future__ import annotations

from typing import Any

from sandtable.core.dice import ScriptedDice
from sandtable.core.modifier import Modifier
from sandtable.core.ruleset import Resolution
from sandtable.systems.aslsk.armour.crew import CrewAttack, strike_crew
from sandtable.systems.aslsk.armour.strike import (
    AreaStrike,
    Killed,
    area_strike,
    strike_target,
    strike_vehicle,
)
from sandtable.systems.aslsk.armour.to_kill import Strike, StrikeKind
from sandtable.systems.aslsk.common.context import Play
from sandtable.systems.aslsk.common.events import PhaseEnded
from sandtable.systems.aslsk.common.facts import armour_events as ev
from sandtable.systems.aslsk.effects.ift import ift_of
from sandtable.systems.aslsk.pieces.armament import Ammo
from sandtable.systems.aslsk.pieces.state import Phase, Vehicle, VehicleId
from sandtable.systems.aslsk.pieces.vehicle_cards import Aspect, Facing
from tests.aslsk.clash import PLAIN, Clash, side, squad

IIIN, KV, T34 = "german/PzKpfw IIIN", "russian/KV-1E", "russian/T-34/85"
TANK = VehicleId("p")
HULL, TURRET = (3, 2), (2, 3)
"""To Hit DR that strike the hull and the turret."""


class Range:
    """A German tank in D3, and something that hits it from a hex."""

    def __init__(
        self, card: str = IIIN, *, cells: str = PLAIN, phase: str = "PFPh", at: str = "D3", **flags: Any
    ) -> None:
        tank = {"id": "p", "card": card, "at": at, "vca": "N/NE", **flags}
        self.clash = Clash(
            phase,
            cells,
            german={**side(squad("g", at=at)), "vehicles": [tank]},
            russian=side(squad("r", "russian/4-4-7", at="A1")),
        )
        self.play: Play = self.rolling()

    def rolling(self, *dice: Any) -> Play:
        """A play with these dice."""
        return Resolution(self.clash.state, self.clash.rules.fold, ScriptedDice(dice))

    def strike(self, origin: str = "D1", rows: tuple[str, ...] = ("75L",), **fields: Any) -> Strike:
        return Strike(
            **{
                "vehicle": TANK,
                "origin": self.clash.hex(origin),
                "reach": 2,
                "ammo": Ammo.AP,
                "rows": rows,
                "faces": HULL,
                "fp": 2,
                "by": "gun",
                **fields,
            }
        )

    def hit(self, *dice: Any, **fields: Any) -> Killed:
        """Resolve a hit with these dice."""
        self.play = self.rolling(*dice)
        killed = strike_vehicle(self.clash.context, self.play, self.strike(**fields))
        self._ended()
        return killed

    def area(self, *dice: Any, fp: int = 6, terms: tuple[Modifier, ...] = ()) -> Killed:
        self.play = self.rolling(*dice)
        column = ift_of(self.clash.context).number(fp)
        killed = area_strike(self.clash.context, self.play, AreaStrike(TANK, column, terms, "gun", column))
        self._ended()
        return killed

    def crew(self, *dice: Any, fp: int = 8, faces: tuple[int, int] = (1, 1), **fields: Any) -> None:
        self.play = self.rolling(*dice)
        column = ift_of(self.clash.context).number(fp)
        strike_crew(self.clash.context, self.play, TANK, CrewAttack("fire", column, faces, **fields))
        self._ended()

    def _ended(self) -> None:
        dice = self.play.dice
        assert isinstance(dice, ScriptedDice)
        assert not dice.left
        self.clash.state = self.play.state

    @property
    def tank(self) -> Vehicle:
        return self.clash.state.vehicles[TANK]

    @property
    def numbers(self) -> list[int]:
        """The Final TK# of the DR made."""
        return [event.number.total for event in self.play.events if isinstance(event, ev.ToKillResolved)]

    def saw(self, kind: type[Any]) -> bool:
        return any(isinstance(event, kind) for event in self.play.events)

    def part(self, origin: str, faces: tuple[int, ...], **fields: Any) -> tuple[Aspect, Facing, int]:
        target = strike_target(self.clash.context, self.strike(origin, faces=faces, **fields), self.tank)
        return target.aspect, target.facing, target.numbers[0].total


def ended(phase: Phase) -> PhaseEnded:
    """The end of a phase."""
    return PhaseEnded(phase)


GUN: dict[str, Any] = {}
HE: dict[str, Any] = {"ammo": Ammo.HE, "rows": ("100",)}
HEAT: dict[str, Any] = {"ammo": Ammo.HEAT, "rows": ("75",)}
MG: dict[str, Any] = {"rows": ("MG",), "kind": StrikeKind.MACHINE_GUN, "origin": "F4"}
FT: dict[str, Any] = {
    "ammo": Ammo.HE,
    "rows": ("FT",),
    "kind": StrikeKind.FLAME,
    "faces": (),
    "reach": 1,
    "origin": "D2",
}
DC: dict[str, Any] = {"ammo": Ammo.HE, "rows": ("DC",), "kind": StrikeKind.CHARGE, "side": 0}
