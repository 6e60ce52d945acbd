"""What a side can fire at vehicles: all of its weapons that pierce armour, and what each does on average (3.2.4, 7.9).

Asked for every hex and facing of every drive that is weighed, so answers are kept as those of
:mod:`sandtable.bots.aslsk.barrage` are: for as long as the side's pieces stay the same, and beyond that by weapon.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import is_
from typing import NamedTuple

from msgspec.structs import replace

from sandtable.bots.aslsk.arms.plating import HitFacing, Plating, chance_of
from sandtable.bots.aslsk.barrage import Forces
from sandtable.bots.aslsk.eye import likelihood
from sandtable.core.content.table import Table
from sandtable.geo.hex import Hex, distance
from sandtable.systems.aslsk.armour.struck_part import facing_struck
from sandtable.systems.aslsk.armour.to_kill import StrikeKind, gun_row, table_number
from sandtable.systems.aslsk.common.arc_change import arc_change_terms
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.common.numbers import numbers_of
from sandtable.systems.aslsk.fire.vehicle_target import size_terms
from sandtable.systems.aslsk.guns.ammunition import depletion
from sandtable.systems.aslsk.guns.barrel import Barrel, barrels_of, gun_barrel, uses_red_numbers
from sandtable.systems.aslsk.guns.gun_to_hit import chart_row
from sandtable.systems.aslsk.pieces.armament import Ammo, TargetType
from sandtable.systems.aslsk.pieces.cards import Nationality, WeaponCard, WeaponKind
from sandtable.systems.aslsk.pieces.spines import spines_apart
from sandtable.systems.aslsk.pieces.state import (
    Mark,
    Phase,
    Smoke,
    State,
    Unit,
    Vehicle,
    VehicleGun,
    Weapon,
    WeaponState,
    Whereabouts,
)
from sandtable.systems.aslsk.pieces.vehicle_cards import Aspect, Facing, VehicleCard
from sandtable.systems.aslsk.support_weapons.panzerfaust import has_panzerfausts, panzerfaust_range
from sandtable.systems.aslsk.terrain.covered_arc import spines_covering

__all__ = ["Cannon", "Cannons", "Feared", "Holes", "Stand", "struck"]

FARTHEST = 24
"""Hexes up to which shots at vehicles are reckoned with."""
SPENT = 0.4
"""What is left of a weapon that has fired in this phase: Intensive Fire, or none."""
SPECIAL = (Ammo.APCR, Ammo.APDS, Ammo.HEAT)
WITHIN = HitFacing(Facing.SIDE, Facing.SIDE)
"""What fire inside the hex strikes, about (3.2.4)."""
MOST_CANNONS = 2000
"""After so many all are forgotten."""
FOUND = 0.5
"""How often a panzerfaust is at hand, about (4.4.2)."""


class Shell(NamedTuple):
    """A kind of ammunition: how it strikes, how often it is at hand, and its TK numbers by range."""

    kind: StrikeKind
    ammo: Ammo
    at_hand: float
    numbers: tuple[int | None, ...]


class Cannon(NamedTuple):
    """A weapon as it stands."""

    hex: Hex
    facing: int
    """The hexspine at which it points; -1 of what has no covered arc."""
    turning: tuple[int, ...]
    """To Hit DRM of a turn by one, two or three hexspines."""
    to_hit: tuple[int | None, ...]
    """By range, what is always the same for it included."""
    shells: tuple[Shell, ...]
    rate: float
    """Shots in a turn, about."""


class Feared(NamedTuple):
    """A Gun that is hidden somewhere."""

    weapon: Weapon
    crew: Unit
    hexes: tuple[Hex, ...]


class Stand(NamedTuple):
    """A vehicle as it might stand."""

    hex: Hex
    vca: int
    tca: int
    moving: bool


Holes = dict[tuple[Cannon, tuple[Smoke, ...]], dict[tuple[Stand, str], float]]
"""By weapon, with the smoke that there is: the share of its worth that its fire costs a vehicle."""


def struck(context: Context, card: VehicleCard, origin: Hex, stand: Stand) -> HitFacing:
    """The facings of a vehicle that fire from a hex strikes (3.2.4)."""
    if origin == stand.hex:
        return WITHIN
    sides = tuple(context.ground.entry_side(origin, stand.hex))
    turret = stand.tca if card.has_turret else stand.vca
    return HitFacing(
        facing_struck(card.armour, Aspect.HULL, stand.vca, sides),
        facing_struck(card.armour, Aspect.TURRET, turret, sides),
    )


class Cannons:
    """All such weapons of one side; ``fresh`` as if none had fired this turn."""

    def __init__(
        self,
        context: Context,
        plating: Plating,
        state: State,
        side: str,
        *,
        holes: Holes,
        fresh: bool,
        feared: Sequence[Feared] = (),
    ) -> None:
        """``holes`` are kept by who asks for them: most weapons stay where they are; ``feared`` are hidden Guns."""
        self._context = context
        self._plating = plating
        self._side = side
        self._fresh = fresh
        self._units = [unit for unit in state.units.values() if unit.side == side and unit.hex is not None]
        self._weapons = [weapon for weapon in state.weapons.values() if weapon.owner]
        self._vehicles = [vehicle for vehicle in state.vehicles.values() if vehicle.side == side]
        self._bare = State(0, state.attacker, Phase.SETUP, {}, smoke=state.smoke)
        """Ground and smoke alone: what is kept must not depend on who stands in between."""
        self.by_name: dict[str, Cannon] = {}
        """By the id of Gun, vehicle or weapon; panzerfausts as ``PF`` and the unit."""
        self.all = (*self._found(state), *[ghost for gun in feared for ghost in self._ghosts(state, gun)])
        self.barrels = len(feared) + sum(cannon.facing >= 0 for cannon in self.all)
        """Guns and vehicles among them, hidden Guns too."""
        if len(holes) > MOST_CANNONS:
            holes.clear()
        self._holes = [holes.setdefault((cannon, state.smoke), {}) for cannon in self.all]
        self._known: dict[tuple[Stand, str], float] = {}

    def holds(self, forces: Forces, state: State, side: str, *, fresh: bool) -> bool:
        """Whether nothing has changed that this rests on."""
        if side != self._side or fresh != self._fresh or state.smoke != self._bare.smoke:
            return False
        vehicles = [vehicle for vehicle in state.vehicles.values() if vehicle.side == side]
        pairs = ((forces.units, self._units), (forces.weapons, self._weapons), (vehicles, self._vehicles))
        return all(len(one) == len(other) and all(map(is_, one, other)) for one, other in pairs)

    # --- weapons ----------------------------------------------------------------------------------------

    def _found(self, state: State) -> Iterator[Cannon]:
        context = self._context
        for barrel in barrels_of(context, state, self._side):
            cannon = self._gun(state, barrel) if _serves(barrel) else None
            if cannon is not None:
                self.by_name[barrel.id] = cannon
                yield cannon
        for unit in self._units:
            if not unit.broken and not unit.melee:
                yield from self._carried(unit)

    def _rate(self, mark: Mark, rof: int) -> float:
        return (1 + rof / 6) if self._fresh or mark is Mark.NONE else SPENT

    def _ghosts(self, state: State, gun: Feared) -> Iterator[Cannon]:
        """A hidden Gun, as likely in each hex where it is feared, and pointed at whoever comes (6.4)."""
        for hex in gun.hexes[:1]:
            crew = replace(gun.crew, place=Whereabouts.MAP, hex=hex)
            weapon = replace(gun.weapon, owner=crew.id, facing=0)
            manned = replace(state, units={**state.units, crew.id: crew}, weapons={**state.weapons, weapon.id: weapon})
            barrel = gun_barrel(self._context, manned, weapon)
            cannon = self._gun(manned, barrel) if barrel is not None else None
            if cannon is not None:
                likely = cannon._replace(
                    facing=-1, rate=cannon.rate / len(gun.hexes), to_hit=(None, *cannon.to_hit[1:])
                )
                yield from [likely._replace(hex=there) for there in gun.hexes]

    def _gun(self, state: State, barrel: Barrel) -> Cannon | None:
        context = self._context
        chart = chart_row(context, barrel, TargetType.VEHICLE)
        if chart is None or barrel.is_mortar:
            return None
        colour = "red" if uses_red_numbers(context, state, barrel) else "black"
        vehicle = barrel.vehicle
        always = 1 if vehicle is not None and not vehicle.exposed else 0
        to_hit = tuple([_on_chart(chart, reach, colour, always) for reach in range(FARTHEST + 1)])
        shells = tuple(self._shells(barrel))
        turning = tuple(
            [
                sum(term.value for term in arc_change_terms(context, barrel.mount, spines, barrel.hex))
                for spines in (1, 2, 3)
            ]
        )
        rate = self._rate(barrel.mark, barrel.main.rof)
        return Cannon(barrel.hex, barrel.facing, turning, to_hit, shells, rate) if shells else None

    def _shells(self, barrel: Barrel) -> Iterator[Shell]:
        context, main = self._context, barrel.main
        kind = StrikeKind.MACHINE_GUN if main.is_mg else StrikeKind.DIRECT
        for ammo in (Ammo.AP, Ammo.HE, *SPECIAL):
            supply = depletion(context, barrel, ammo)
            always = (ammo is Ammo.AP and main.ap) or (ammo is Ammo.HE and main.he and not main.is_mg)
            if ammo in barrel.exhausted or (supply is None and not always):
                continue
            row = "MG" if main.is_mg else gun_row(context, main, barrel.nationality, ammo)
            yield Shell(kind, ammo, chance_of(supply.number) if supply else 1.0, self._numbers(ammo, row))

    def _numbers(self, ammo: Ammo, row: str) -> tuple[int | None, ...]:
        return tuple([table_number(self._context, ammo, row, reach) for reach in range(FARTHEST + 1)])

    def _carried(self, unit: Unit) -> Iterator[Cannon]:
        """Support weapons of a unit that pierce armour, and its panzerfausts."""
        context = self._context
        assert unit.hex is not None  # noqa: S101 - it is on the map
        for weapon in self._weapons:
            if weapon.owner != unit.id or weapon.state is not WeaponState.WORKING:
                continue
            card = context.weapon_card(weapon)
            shell = self._light_shell(card)
            if shell is not None:
                rate = self._rate(weapon.mark, card.rof)
                found = Cannon(unit.hex, -1, (), self._light_to_hit(card), (shell,), rate)
                self.by_name[weapon.id] = found
                yield found
        reach = panzerfaust_range(context) if has_panzerfausts(context, unit.side) else 0
        if reach and context.card(unit).nationality is Nationality.GERMAN and context.card(unit).is_mmc:
            numbers = numbers_of(context).panzerfaust
            to_hit = tuple([numbers["to_hit"] + numbers["to_hit_per_hex"] * hexes for hexes in range(reach + 1)])
            shell = Shell(StrikeKind.DIRECT, Ammo.HEAT, FOUND, self._numbers(Ammo.HEAT, "PF"))
            found = self.by_name[f"PF {unit.id}"] = Cannon(unit.hex, -1, (), to_hit, (shell,), self._rate(unit.mark, 0))
            yield found

    def _light_shell(self, card: WeaponCard) -> Shell | None:
        if card.is_mg:
            return Shell(StrikeKind.MACHINE_GUN, Ammo.AP, 1.0, self._numbers(Ammo.AP, "MG"))
        if card.kind is WeaponKind.ATR:
            return Shell(StrikeKind.DIRECT, Ammo.AP, 1.0, self._numbers(Ammo.AP, card.id.replace("/", " ")))
        if card.kind in (WeaponKind.BAZ, WeaponKind.PSK, WeaponKind.PIAT):
            return Shell(StrikeKind.DIRECT, Ammo.HEAT, 1.0, self._numbers(Ammo.HEAT, card.name))
        return None

    def _light_to_hit(self, card: WeaponCard) -> tuple[int | None, ...]:
        if not card.is_mg and card.kind is not WeaponKind.ATR:
            return card.to_hit
        table = self._context.tables["to_hit_vehicle"]
        row = "all/MG" if card.is_mg else "all/ATR"
        return tuple([_on_chart((table, row), reach, "black", 0) for reach in range(FARTHEST + 1)])

    # --- what they do -----------------------------------------------------------------------------------

    def exposure(self, card: VehicleCard, stand: Stand) -> float:
        """The share of its worth that all this fire costs a vehicle that stands or moves there on average."""
        key = (stand, card.id)
        found = self._known.get(key)
        if found is None:
            spared = 1.0
            for cannon, known in zip(self.all, self._holes, strict=True):
                share = known.get(key)
                if share is None:
                    share = known[key] = self.share(cannon, card, stand)
                spared *= 1 - share
            found = self._known[key] = 1 - spared
        return found

    def share(self, cannon: Cannon, card: VehicleCard, stand: Stand) -> float:
        """The share of its worth that one weapon costs a vehicle on average."""
        context, bare = self._context, self._bare
        reach = distance(cannon.hex, stand.hex)
        if reach >= len(cannon.to_hit) or not context.sees(bare, cannon.hex, stand.hex):
            return 0.0
        if reach == 0 and cannon.facing >= 0:
            return 0.0
        number = cannon.to_hit[reach]
        if number is None:
            return 0.0
        drm = context.ground.place(stand.hex).tem + context.hindrance(bare, cannon.hex, stand.hex)
        drm += sum(term.value for term in size_terms(context, card.size))
        if stand.moving:
            drm += numbers_of(context).to_hit_drm["moving"].value
        if cannon.facing >= 0:
            turned = min(spines_apart(cannon.facing, spine) for spine in spines_covering(cannon.hex, stand.hex))
            drm += cannon.turning[turned - 1] if turned else 0
        hits = chance_of(number - drm)
        if not hits:
            return 0.0
        facing = struck(context, card, cannon.hex, stand)
        harm = 0.0
        for shell in cannon.shells:
            pierces = shell.numbers[reach] if reach < len(shell.numbers) else None
            if pierces is not None:
                harm = max(harm, shell.at_hand * self._plating.share(card, facing, shell.kind, shell.ammo, pierces))
        return min(1.0, hits * harm * cannon.rate) * likelihood(context, cannon.hex, stand.hex)


def _on_chart(chart: tuple[Table, str], reach: int, colour: str, always: int) -> int | None:
    table, row = chart
    band = max(value for value in table.axes[1].values if isinstance(value, int) and value <= max(1, reach))
    cell = table.lookup(row, band, colour)
    return cell - always if isinstance(cell, int) else None


def _serves(barrel: Barrel) -> bool:
    """Whether somebody is there to fire it."""
    vehicle: Vehicle | None = barrel.vehicle
    if vehicle is not None:
        return not vehicle.is_shocked and vehicle.works(VehicleGun.MAIN)
    crew, weapon = barrel.crew, barrel.weapon
    return crew is not None and weapon is not None and not crew.broken and weapon.state is WeaponState.WORKING
