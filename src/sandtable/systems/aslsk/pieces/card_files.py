"""1.2 The counters of a library: how the packs' card files are read and checked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import msgspec

from sandtable.core.content.reading import read_yaml
from sandtable.core.errors import Faults
from sandtable.systems.aslsk.pieces.armament import Armament
from sandtable.systems.aslsk.pieces.cards import CardId, UnitCard, WeaponCard, WeaponKind
from sandtable.systems.aslsk.pieces.vehicle_cards import RATINGS, VehicleCard

__all__ = ["Cards", "parse_cards"]


_DATE = re.compile(r"\d{4}(-(0[1-9]|1[0-2]))?")


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    units: tuple[UnitCard, ...] = ()
    weapons: tuple[WeaponCard, ...] = ()
    vehicles: tuple[VehicleCard, ...] = ()


class Cards(msgspec.Struct, frozen=True):
    """All counters of a library by id."""

    units: Mapping[CardId, UnitCard]
    weapons: Mapping[CardId, WeaponCard]
    vehicles: Mapping[CardId, VehicleCard]


def parse_cards(files: Mapping[str, bytes]) -> Cards:
    """Read card files, later ones replacing earlier ones' cards; raise :class:`BadInput` with every fault."""
    faults = Faults()
    units: dict[CardId, UnitCard] = {}
    weapons: dict[CardId, WeaponCard] = {}
    vehicles: dict[CardId, VehicleCard] = {}
    places: dict[CardId, str] = {}
    for where, data in files.items():
        with faults.gathering():
            read = read_yaml(data, _File, where)
            units.update((card.id, card) for card in read.units)
            weapons.update((card.id, card) for card in read.weapons)
            vehicles.update((card.id, card) for card in read.vehicles)
            places.update((one.id, where) for some in (read.units, read.weapons, read.vehicles) for one in some)
    for card in units.values():
        for field, link in (("half_squad", card.half_squad), ("replacement", card.replacement)):
            if link and link not in units:
                faults.add(f"{places[card.id]}: {card.id}.{field}", f"no card {link!r}")
    for weapon in weapons.values():
        _check_gun(weapon, places[weapon.id], faults)
    for vehicle in vehicles.values():
        _check_vehicle(vehicle, places[vehicle.id], faults)
    faults.check()
    return Cards(units, weapons, vehicles)


def _check_gun(card: WeaponCard, file: str, faults: Faults) -> None:
    is_gun = card.kind is WeaponKind.GUN
    if is_gun is not (card.gun is not None):
        faults.add(f"{file}: {card.id}.gun", "of a Gun and of nothing else", "kind: Gun with gun, or neither")
    if card.gun is not None:
        for field, wrong, right in _armament_faults(card.gun.main):
            faults.add(f"{file}: {card.id}.gun.main.{field}", wrong, right)


def _check_vehicle(card: VehicleCard, file: str, faults: Faults) -> None:
    where = f"{file}: {card.id}"
    for field, wrong, right in _armament_faults(card.main):
        faults.add(f"{where}.main.{field}", wrong, right)
    for field, factor in msgspec.structs.asdict(card.armour).items():
        if factor not in RATINGS:
            right = f"one of {', '.join(map(str, RATINGS))}"
            faults.add(f"{where}.armour.{field}", f"{factor} is no Armor Factor", right)
    if card.turret.is_turret and card.turns_turret:
        faults.add(f"{where}.turns_turret", "it has a turret anyway", "leave it out")
    if bool(card.usage) is not (card.dispenser is not None):
        faults.add(f"{where}.usage", "a usage number and a dispenser belong together", "both or neither")
    if card.main.is_mg and not (card.bmg or card.cmg):
        faults.add(f"{where}.main", "its MA is a MG, and it has none", "a bmg or cmg")


def _armament_faults(main: Armament) -> Iterator[tuple[str, str, str]]:
    if not main.is_mg and not main.caliber:
        yield "barrel", f"{main.barrel!r} is no barrel", "a caliber and a length code, such as 75L, or MG"
    if main.max_range and main.max_range < main.min_range:
        yield "max_range", f"{main.max_range} is less than min_range", f"{main.min_range} or more"
    for index, supply in enumerate(main.supplies):
        if not 2 <= supply.number <= 12:
            yield f"supplies[{index}].number", str(supply.number), "2 to 12"
        if supply.since and not _DATE.fullmatch(supply.since):
            yield f"supplies[{index}].since", f"{supply.since!r} is no date", "a year, or year and month as 1944-06"
