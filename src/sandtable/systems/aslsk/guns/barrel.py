"""6.0, 7.2 What fires ordnance: a Gun with those who man it, or a vehicle with its Main Armament."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.fire.to_hit_chart import has_red_numbers
from sandtable.systems.aslsk.pieces.armament import Ammo, Armament, Mount
from sandtable.systems.aslsk.pieces.cards import GunFacts, GunType, Nationality, UnitKind
from sandtable.systems.aslsk.pieces.state import Mark, State, Unit, Vehicle, VehicleId, Weapon, WeaponId

__all__ = [
    "Barrel",
    "barrel_of",
    "barrels_of",
    "gun_barrel",
    "gun_ids",
    "has_barrels",
    "is_non_qualified",
    "uses_red_numbers",
]


class Barrel(NamedTuple):
    """A Gun or MA as it stands."""

    id: str
    side: Seat
    hex: Hex
    main: Armament
    nationality: Nationality
    """Whose rows of the charts it uses."""
    mount: Mount
    facing: int
    """The hexspine at which it points: the covered arc of a Gun, the TCA of a turret, the VCA of a bow mounted MA."""
    weapon: Weapon | None = None
    gun: GunFacts | None = None
    crew: Unit | None = None
    """Who mans the Gun."""
    vehicle: Vehicle | None = None
    turret: bool = False
    """Of a vehicle: whether it has a TCA apart from its VCA."""

    @property
    def is_mortar(self) -> bool:
        """A mortar, which must use the ATT (6.9)."""
        return self.gun is not None and self.gun.type is GunType.MORTAR

    @property
    def piece(self) -> Weapon | Vehicle:
        """The counter."""
        piece = self.weapon if self.weapon is not None else self.vehicle
        assert piece is not None  # noqa: S101 - one of the two
        return piece

    @property
    def mark(self) -> Mark:
        """Its fire marker."""
        return self.piece.mark

    @property
    def exhausted(self) -> tuple[Ammo, ...]:
        """Ammunition that it has no more of."""
        return self.piece.exhausted

    @property
    def is_pinned(self) -> bool:
        """Manned by pinned Infantry."""
        return self.crew is not None and self.crew.pinned


def gun_barrel(context: Context, state: State, weapon: Weapon) -> Barrel | None:
    """A Gun that somebody possesses on the map; None of everything else."""
    card = context.weapon_card(weapon)
    crew = state.units.get(weapon.owner)
    if card.gun is None or crew is None or crew.hex is None or not weapon.in_play:
        return None
    conditions = context.scenario.conditions
    main = card.gun.main.at(conditions.year, conditions.month)
    nation = Nationality(main.chart) if main.chart else card.nationality
    return Barrel(weapon.id, crew.side, crew.hex, main, nation, card.gun.mount, weapon.facing, weapon, card.gun, crew)


def _vehicle_barrel(context: Context, vehicle: Vehicle) -> Barrel | None:
    if not vehicle.in_play or vehicle.hex is None:
        return None
    card = context.vehicle_card(vehicle)
    nation = Nationality(card.main.chart) if card.main.chart else card.nationality
    turret = card.has_turret
    facing = vehicle.tca if turret else vehicle.vca
    mount = card.turret
    return Barrel(
        vehicle.id, vehicle.side, vehicle.hex, card.main, nation, mount, facing, vehicle=vehicle, turret=turret
    )


def barrel_of(context: Context, state: State, weapon: WeaponId, vehicle: VehicleId) -> Barrel | None:
    """The Gun or MA of a name; None if there is none such on the map."""
    if weapon:
        found = state.weapons.get(weapon)
        return gun_barrel(context, state, found) if found is not None else None
    tank = state.vehicles.get(vehicle)
    return _vehicle_barrel(context, tank) if tank is not None else None


def barrels_of(context: Context, state: State, seat: str) -> Iterator[Barrel]:
    """All Guns that a side possesses, and its vehicles."""
    for weapon_id in gun_ids(context):
        weapon = state.weapons.get(weapon_id)
        barrel = gun_barrel(context, state, weapon) if weapon is not None else None
        if barrel is not None and barrel.side == seat:
            yield barrel
    for vehicle in state.vehicles.values():
        tank = _vehicle_barrel(context, vehicle) if vehicle.side == seat else None
        if tank is not None:
            yield tank


def has_barrels(context: Context, state: State) -> bool:
    """Whether there are Guns or vehicles at all: games of Infantry alone need not look for them."""
    return bool(state.vehicles or gun_ids(context))


def gun_ids(context: Context) -> tuple[WeaponId, ...]:
    """The Guns of the order of battle; most scenarios have none."""
    found = context.memory.guns
    if found is None:
        weapons = context.scenario.weapons.values()
        found = tuple([weapon.id for weapon in weapons if context.weapon_card(weapon).gun is not None])
        context.memory.guns = found
    return found


@rule("1.2.6", "3.2.4")
def is_non_qualified(context: Context, barrel: Barrel) -> bool:
    """A Gun in the hands of a squad or HS (3.2.4)."""
    return barrel.crew is not None and context.card(barrel.crew).kind is not UnitKind.CREW


@rule("3.2.4", "5.4", "5.5")
def uses_red_numbers(context: Context, state: State, barrel: Barrel) -> bool:
    """Russian, Italian and pre-1944 American, Non-Qualified, captured, Inexperienced (3.2.4, 5.4, 5.5)."""
    year = context.scenario.conditions.year
    if barrel.main.black_since:
        return year < barrel.main.black_since
    if is_non_qualified(context, barrel):
        return True
    return has_red_numbers(context, state, barrel.nationality, barrel.weapon, barrel.crew)
