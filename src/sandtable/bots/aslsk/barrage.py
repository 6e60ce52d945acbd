"""The fire that a side can bring down on every hex: what stands in each of its hexes, and what that does on average.

Asked at every step of every move that is weighed, so the answers are kept for as long as neither the side's units and
weapons, the hexes that it shares with enemies, nor the smoke change (:meth:`Barrage.holds`); what a single battery does
is kept beyond that.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import is_
from typing import NamedTuple

from sandtable.bots.aslsk.arms.batteries import Battery, Shot, shell_shot, vehicle_batteries
from sandtable.bots.aslsk.eye import likelihood
from sandtable.bots.aslsk.harm import Harms
from sandtable.bots.aslsk.weights import Weights
from sandtable.bots.kept import Kept
from sandtable.geo.hex import Hex, distance
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.common.experience import leadership
from sandtable.systems.aslsk.common.possession import weapons_of
from sandtable.systems.aslsk.common.stacking import held, occupants
from sandtable.systems.aslsk.pieces.cards import WeaponKind
from sandtable.systems.aslsk.pieces.state import Mark, Phase, Smoke, State, Unit, Vehicle, Weapon, WeaponState

__all__ = ["ASSAULT", "MOVING", "ON_IFT", "STANDING", "Barrage", "Battery", "Effects", "Forces", "forces"]

STANDING, MOVING, ASSAULT = 0, 1, 2
"""How a unit is met by fire: where it stands, on the move, in Assault Movement."""
ON_IFT = frozenset((WeaponKind.LMG, WeaponKind.MMG, WeaponKind.HMG))


class Forces(NamedTuple):
    """What a side fires with."""

    units: list[Unit]
    """Those on the map."""
    weapons: list[Weapon]
    """All that somebody has, of either side."""
    beset: frozenset[Hex]
    """Hexes that an enemy is in as well: nobody fires out of them (3.2.2.1), though units there may be as they were."""


Met = tuple[int, int]
"""How a unit is met by fire, and its morale."""
_Spares = dict[Met, dict[Hex, float]]
Spared = dict[tuple[Battery, tuple[Smoke, ...], Weights], _Spares]
"""By battery, with the smoke that there is: the share of a unit's worth that its fire on a hex spares."""
MOST_BATTERIES = 2000
"""After so many all are forgotten."""
MOST_BARRAGES = 64
"""The same for batteries that fire together."""


class Effects:
    """What batteries do, each by itself and all that fire together: most are in many barrages."""

    def __init__(self) -> None:
        self.spared: Spared = {}
        self.exposed: Kept[Met, dict[Hex, float]] = Kept(MOST_BARRAGES)
        """By the batteries, with the smoke that there is: the share of a unit's worth that all their fire costs."""

    def spared_by(self, batteries: Sequence[Battery], smoke: tuple[Smoke, ...], weights: Weights) -> list[_Spares]:
        """What is known of the fire of each of some."""
        if len(self.spared) > MOST_BATTERIES:
            self.spared.clear()
        return [self.spared.setdefault((battery, smoke, weights), {}) for battery in batteries]


class Barrage:
    """The fire of one side; ``fresh`` as if nobody had fired this turn."""

    def __init__(
        self,
        context: Context,
        harms: Harms,
        state: State,
        side: str,
        weights: Weights,
        *,
        effects: Effects,
        fresh: bool,
    ) -> None:
        """``effects`` are kept by who asks for barrages."""
        self._context = context
        self._harms = harms
        self._side = side
        self._weights = weights
        self._fresh = fresh
        self._forces = forces(context, state, side)
        self._smoke: tuple[Smoke, ...] = state.smoke
        self._vehicles = _vehicles(state, side)
        found = (self._battery(state, hex, units) for hex, units in occupants(context, state).items())
        self.batteries = tuple(battery for battery in found if battery is not None)
        if self._vehicles:
            self.batteries += tuple(vehicle_batteries(context, self._vehicles, fresh=fresh))
        self._effects = effects
        self._known = effects.exposed[self.batteries, state.smoke, weights]
        self._shares: dict[Met, list[tuple[Battery, dict[Hex, float]]]] = {}

    def holds(self, forces: Forces, state: State, side: str, weights: Weights, *, fresh: bool) -> bool:
        """Whether nothing has changed that this rests on; ``forces`` are those of the side in that state."""
        if side != self._side or fresh != self._fresh or weights is not self._weights or state.smoke != self._smoke:
            return False
        mine = self._forces
        if not _same(forces.units, mine.units) or not _same(forces.weapons, mine.weapons):
            return False
        if forces.beset != mine.beset:
            return False
        return not (state.vehicles or self._vehicles) or _same(_vehicles(state, side), self._vehicles)

    def _battery(self, state: State, hex: Hex, units: tuple[Unit, ...]) -> Battery | None:
        context, fresh = self._context, self._fresh
        own = [unit for unit in units if unit.side == self._side and not unit.broken and not unit.melee]
        if not own or hex in self._forces.beset:
            return None
        shots: list[Shot] = []
        drm = 0
        for unit in own:
            card = context.card(unit)
            if card.is_leader:
                if not unit.pinned and (fresh or not unit.directed):
                    drm = min(drm, leadership(context, unit))
                continue
            half = 0.5 if unit.pinned and not fresh else 1.0
            shot = _shot(card.fp * half, card.range, unit.mark, fresh=fresh)
            if shot is not None and not (unit.forfeited and not fresh and unit.mark is Mark.NONE):
                shots.append(shot)
            for weapon in weapons_of(context, state, unit.id):
                gun = context.weapon_card(weapon)
                if weapon.state is WeaponState.WORKING and gun.kind in ON_IFT:
                    # A gun that keeps its ROF fires again: what it does in a turn is more than one shot.
                    rate = 1 + gun.rof / 6
                    shot = _shot(gun.fp * half * rate, gun.range, weapon.mark, fresh=fresh)
                    if shot is not None:
                        shots.append(shot)
                elif (
                    weapon.state is WeaponState.WORKING and gun.gun is not None and (fresh or weapon.mark is Mark.NONE)
                ):
                    shots.append(shell_shot(context, gun.gun))
        if not shots:
            return None
        return Battery(hex, context.ground.place(hex).level, tuple(shots), drm, max(shot.most for shot in shots))

    def exposures(self, way: int, morale: int) -> dict[Hex, float]:
        """What :meth:`exposure` has answered so far for units of this morale that are met so, by hex."""
        return self._known.setdefault((way, morale), {})

    def exposure(self, state: State, hex: Hex, way: int, morale: int) -> float:
        """The share of its worth that all this fire on a hex costs a unit of this morale on average."""
        answers = self.exposures(way, morale)
        found = answers.get(hex)
        if found is None:
            shares = self._shares.get((way, morale))
            if shares is None:
                spares = self._effects.spared_by(self.batteries, self._smoke, self._weights)
                known = [spared.setdefault((way, morale), {}) for spared in spares]
                shares = self._shares[way, morale] = list(zip(self.batteries, known, strict=True))
            spared = 1.0
            for battery, by_hex in shares:
                share = by_hex.get(hex)
                if share is None:
                    share = by_hex[hex] = self._spare(state, battery, hex, way, morale)
                spared *= share
            found = answers[hex] = 1 - spared
        return found

    def _spare(self, state: State, battery: Battery, hex: Hex, way: int, morale: int) -> float:
        """The share of its worth that the fire of one battery spares a unit on average."""
        context = self._context
        reach = distance(battery.hex, hex)
        if state.vehicles:
            # What is kept must not depend on who stands in between.
            state = State(0, state.attacker, Phase.SETUP, {}, smoke=state.smoke)
        if reach > battery.farthest or not context.sees(state, battery.hex, hex):
            return 1.0
        place = context.ground.place(hex)
        hindrance = context.hindrance(state, battery.hex, hex)
        drm = battery.drm + hindrance + place.tem
        above = place.level > battery.level
        if above and not place.tem:
            drm += 1
        if way != STANDING:
            drm -= way == MOVING
            drm -= place.open_ground and not hindrance and not above
        odds = self._harms.of_fp(battery.fp(reach), drm, morale)
        suffered = self._weights.suffered(odds, moving=way != STANDING)
        return 1 - suffered * likelihood(context, battery.hex, hex)


def forces(context: Context, state: State, side: str) -> Forces:
    """What a side fires with as things stand."""
    units = [unit for unit in state.units.values() if unit.side == side and unit.hex is not None]
    own, hostile = held(context, state, side)
    return Forces(units, [weapon for weapon in state.weapons.values() if weapon.owner], own & hostile)


def _vehicles(state: State, side: str) -> list[Vehicle]:
    """Vehicles of a side on the map, wrecks apart."""
    return [vehicle for vehicle in state.vehicles.values() if vehicle.side == side and vehicle.in_play]


def _same(one: Sequence[object], other: Sequence[object]) -> bool:
    return len(one) == len(other) and all(map(is_, one, other))


def _shot(fp: float, normal: int, mark: Mark, *, fresh: bool) -> Shot | None:
    """What is left of a firer's shot with the marker that it has (3.3.3)."""
    if fp <= 0:
        return None
    if fresh or mark is Mark.NONE:
        return Shot(fp, normal, 2 * normal)
    if mark is Mark.FIRST_FIRE:
        return Shot(fp / 2, normal, min(normal, 4))
    return Shot(fp / 2, 1, 1) if mark is Mark.FINAL_FIRE else None
