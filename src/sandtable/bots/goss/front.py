"""The front as a side knows it: where the enemy is and how strong, what is to be taken and what to be held."""

from __future__ import annotations

from functools import cached_property

from sandtable.core.decision import Seat
from sandtable.geo.hex import NEIGHBOURS, Hex, distance
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.crossing import crossing
from sandtable.systems.goss.common.state import State
from sandtable.systems.goss.ground.cover import Work
from sandtable.systems.goss.pieces.steps import strength
from sandtable.systems.goss.pieces.unit import Unit, UnitId
from sandtable.systems.goss.victory import holders

__all__ = ["FrontLine"]

_HIDDEN = 3.0
"""Defence of those who may lie under a top unit, where nobody counts their steps."""
_A_STEP = 2.0
_WORKS = {Work.IP: 1.2, Work.ET2: 1.5, Work.ET3: 2.0, Work.FORT: 3.0}
_LINE = 0.35
"""How much more strength each worse terrain line asks for."""
_OVER_WATER = 0.5
_ENOUGH = 1.6
"""Times the defence that an attack in clear terrain should have."""


class FrontLine:
    """What one side makes of a position."""

    def __init__(self, context: Context, known: State, seat: Seat) -> None:
        self.context, self.known, self.seat = context, known, seat
        self.enemy = context.other(seat)
        self.deployment = context.deployment(known)

    @cached_property
    def foes(self) -> tuple[Hex, ...]:
        """Where the enemy stands."""
        return self.deployment.hexes_of(self.enemy)

    @cached_property
    def goals(self) -> dict[Hex, int]:
        """Hexes that count and are not held by the side, with their points."""
        return {hex: points for hex, points in self._points.items() if self._holders[hex] != self.seat}

    @cached_property
    def charges(self) -> dict[Hex, int]:
        """Hexes that count and are the side's to hold."""
        return {hex: points for hex, points in self._points.items() if self._holders[hex] == self.seat}

    @property
    def is_attacker(self) -> bool:
        """Whether there is more to take than to hold."""
        return sum(self.goals.values()) > sum(self.charges.values()) or not self.charges

    @cached_property
    def _points(self) -> dict[Hex, int]:
        place = self.context.game_map.hex
        return {place(one.hex): one.points for one in self.context.scenario.draft.victory.points}

    @cached_property
    def _holders(self) -> dict[Hex, Seat]:
        return {self.context.game_map.hex(label): side for label, side in holders(self.context, self.known).items()}

    def to_enemy(self, hex: Hex) -> int:
        """Hexes to the nearest enemy."""
        return min((distance(hex, foe) for foe in self.foes), default=99)

    def is_beside_enemy(self, hex: Hex) -> bool:
        """Whether an enemy stands next to a hex."""
        return self.deployment.is_adjacent(hex, self.enemy)

    def attack(self, unit: Unit) -> float:
        """The strength of a unit in attack."""
        return strength(self.context.card(unit), unit.steps).attack

    def defence(self, hex: Hex) -> float:
        """What an attack on a hex has to reckon with: known units, others beneath them, works and terrain."""
        units, veil = self.deployment.at(hex), self.deployment.veil(hex)
        total = float(sum(strength(self.context.card(unit), unit.steps).defence for unit in units))
        if veil is not None:
            seen = sum(unit.steps for unit in units)
            total += _A_STEP * max(veil.steps - seen, 1) if veil.steps is not None else _HIDDEN
        work = self.known.work_at(hex)
        total *= _WORKS[work.kind] if work is not None and work.side == self.enemy else 1.0
        lines = self.context.charts.defences.terrain_lines(self.context.ground_in(self.known).at(hex).features)
        return max(total, 1.0) * (1 + _LINE * (lines[0] - 1))

    def push(self, unit: Unit, target: Hex) -> float:
        """The strength of a unit against a hex beside it: over water less."""
        assert unit.hex is not None  # noqa: S101 - it stands beside the target
        over = crossing(self.context, self.known, unit.hex, target)
        if over.is_major and not over.has_bridge:
            return 0.0
        return self.attack(unit) * (_OVER_WATER if over.is_river else 1.0)

    def ratios(self, units: tuple[Unit, ...]) -> dict[Hex, tuple[float, tuple[UnitId, ...]]]:
        """Attacks that units beside the enemy could make together, each unit in the one that it helps most.

        By target: the ratio to what is expected there, and who takes part.
        """
        parties: dict[Hex, list[Unit]] = {}
        for unit in units:
            if unit.hex is None or not self.attack(unit):
                continue
            near = [hex for hex in NEIGHBOURS[unit.hex] if self.deployment.held_by(hex, self.enemy)]
            near = [hex for hex in near if self.push(unit, hex)]
            if near:
                best = max(near, key=lambda hex: (self.worth(hex) + self.push(unit, hex) / self.defence(hex), hex))
                parties.setdefault(best, []).append(unit)
        return {
            hex: (sum(self.push(unit, hex) for unit in party) / self.defence(hex), tuple(unit.id for unit in party))
            for hex, party in parties.items()
        }

    def worth(self, hex: Hex) -> float:
        """How much a hex of the enemy's matters: what it counts, and whether it is on the way to what does."""
        near = min((distance(hex, goal) for goal in self.goals), default=9)
        return self.goals.get(hex, 0) / 10 + max(0, 5 - near) / 20

    def attacks(self, units: tuple[Unit, ...]) -> tuple[UnitId, ...]:
        """Those who should attack: where the ratio is enough."""
        found = self.ratios(units).items()
        return tuple(one for hex, (ratio, party) in found if ratio + self.worth(hex) >= _ENOUGH for one in party)
