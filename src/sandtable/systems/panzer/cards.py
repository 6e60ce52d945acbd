"""Data Cards of vehicles (1.5, 1.6 of *Panzer North Africa*; 1.4, 1.5 of *MBT*) and the history behind them.

A card says what a vehicle can do in the Basic Game: its Movement Factor (4.5.1.1.1), Target Size (4.4.3.2.2),
weapons with range and penetration rows (4.4.3.2.1, 4.4.3.2.5), field-of-fire (4.4.3.1) and armor (4.4.3.2.5).
Few printed cards are known, so a card also carries the historical figures from which ``reconstruct``
computes its values, and names those that a rulebook states. Cards are read from a pack's ``cards`` folder;
every fault is reported at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from itertools import pairwise
from typing import NewType

import msgspec

from sandtable.core.content.reading import read_yaml
from sandtable.core.content.table import Status
from sandtable.core.errors import Faults
from sandtable.systems.panzer.history import AmmoType, Gun, GunId, History
from sandtable.systems.panzer.terrain import Sourced, Traction, unknown_paths

__all__ = [
    "ALL_ROUND",
    "Ammo",
    "AmmoType",
    "Armor",
    "Available",
    "Card",
    "CardId",
    "CardShelf",
    "Kind",
    "Mount",
    "Movement",
    "RangeFactor",
    "RateOfFire",
    "Row",
    "Weapon",
    "parse_cards",
    "parse_shelf",
]

CardId = NewType("CardId", str)

ALL_ROUND = 360
"""Field-of-fire of a turret or pivot mount in degrees (4.4.3.1.1, 4.4.3.1.2)."""
_NAMES = {"id", "name", "nation", "kind"}
_FIGURES = "figures as commonly given, unchecked (docs/reconstruction.md)"
_TT_FACTORS = {1, 2, 3, ALL_ROUND, 0, 60, 120, 180, None}


class RangeFactor(StrEnum):
    """Pointblank, Short, Medium, Long, Extreme (4.4.3.2.1)."""

    P = "P"
    S = "S"
    M = "M"
    L = "L"
    E = "E"


class Mount(StrEnum):
    """Where a weapon points: the underscored and overscored ammo of the card (4.4.3.1.4, 4.4.3.1.5)."""

    ALL = "all"
    FRONT = "front"
    REAR = "rear"


class RateOfFire(StrEnum):
    """ROF letter of the card: normal, quick, rapid, full automatic (6.5.2.1)."""

    N = "N"
    Q = "Q"
    R = "R"
    F = "F"


class Kind(StrEnum):
    """What sort of vehicle a card describes."""

    TANK = "tank"
    TANK_DESTROYER = "tank destroyer"
    ASSAULT_GUN = "assault gun"
    ARMORED_CAR = "armored car"
    CARRIER = "carrier"
    FIGHTING_VEHICLE = "fighting vehicle"
    OBSERVER = "observer"
    PRIME_MOVER = "prime mover"
    TRUCK = "truck"
    BRIDGELAYER = "bridgelayer"


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Five values of a card, one a range factor."""

    P: int
    S: int
    M: int
    L: int
    E: int

    def of(self, factor: RangeFactor) -> int:
        """The value under ``factor``."""
        value: int = getattr(self, factor.value)
        return value


class Ammo(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One ammo type of a weapon: its R and P sub-rows."""

    type: AmmoType
    R: Row
    P: Row
    basic: bool = True
    """Whether the Basic Game uses it (4.4.3)."""
    available_from: str = ""

    def range_factor(self, range_hexes: int) -> RangeFactor | None:
        """First column whose R value reaches the range; none beyond E (3.5.2, 4.4.3.2.1)"""
        return next((factor for factor in RangeFactor if range_hexes <= self.R.of(factor)), None)

    def penetration(self, range_hexes: int) -> int | None:
        """The P value under the range factor; none beyond E (4.4.3.2.5)"""
        factor = self.range_factor(range_hexes)
        return None if factor is None else self.P.of(factor)


class Weapon(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A weapon of a card; one without ammo has no AP row and does not fire in the Basic Game."""

    name: str
    rof: RateOfFire
    mount: Mount
    gun: GunId = GunId("")
    """The gun in the pack's history."""
    ammo: tuple[Ammo, ...] = ()

    def range_factor(self, ammo: int, range_hexes: int) -> RangeFactor | None:
        """The range factor of the ammo at index ``ammo`` (4.4.3.2.1)"""
        return self.ammo[ammo].range_factor(range_hexes)

    def penetration(self, ammo: int, range_hexes: int) -> int | None:
        """The Penetration Factor of the ammo at index ``ammo`` (4.4.3.2.5)"""
        return self.ammo[ammo].penetration(range_hexes)


class Movement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Movement Factor, e.g. 4T 6-9 (4.5.1.1.1)."""

    cross_country: int
    mode: Traction
    path: int
    road: int

    def __str__(self) -> str:
        return f"{self.cross_country}{self.mode} {self.path}-{self.road}"


class Armor(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Armor of the Basic Game (4.4.3.2.5)."""

    front: int
    rear: int


class Available(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """When a vehicle served in the theatre, as year-month; an empty end is open."""

    first: str = msgspec.field(name="from", default="")
    last: str = msgspec.field(name="to", default="")


# --- the card -----------------------------------------------------------------------------------------


class Card(Sourced, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A vehicle's Data Card."""

    id: CardId
    name: str
    nation: str
    kind: Kind
    reference: str = ""
    """Number of the printed card, where the rulebook gives it."""
    available: Available = Available()
    armed: bool
    fire_support: bool = False
    """Has fire support sights, so it spots although unarmed (MBT 4.1.1)."""
    movement: Movement
    size: int
    """Target Size, -2 to +2 (4.4.3.2.2)."""
    sb: int
    """Stabilisation: 1 best, 3 worst, 0 none."""
    tt: int | None
    """TT Factor: 1 to 3 a turret, 360 a pivot, 0 or 60, 120, 180 fixed; nothing where unarmed."""
    cis: bool = False
    """Commander's independent sight (MBT 4.4.3.2.2)."""
    armor: Armor
    weapons: tuple[Weapon, ...] = ()
    points: int
    """Value for balancing scenarios; the project's own."""
    notes: tuple[str, ...] = ()
    advanced: dict[str, str] = msgspec.field(default_factory=dict)
    """What the book says of it for the Advanced Game, fact by fact; all of it verbatim."""
    history: History

    def provenance(self, path: str) -> tuple[Status, str]:
        """Status and source of a field; what a vehicle is called is public, its figures are commonly given."""
        status, source = super().provenance(path)
        if status is not Status.RECONSTRUCTED:
            return status, source
        field = path.partition(".")[0]
        if field in _NAMES or path.endswith((".name", ".gun")):
            return Status.PUBLISHED, "public history"
        return status, _FIGURES if field in {"history", "available"} else source

    @property
    def has_turret(self) -> bool:
        """Turreted or turretless 360 (4.4.3.1.1, 4.4.3.1.2)"""
        return self.tt in {1, 2, 3, ALL_ROUND}


class CardShelf(msgspec.Struct, frozen=True):
    """All cards and guns of a game's packs."""

    cards: dict[CardId, Card]
    guns: dict[GunId, Gun]


class _CardFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    book: str
    cards: tuple[Card, ...] = ()
    guns: tuple[Gun, ...] = ()


def parse_cards(files: Mapping[str, bytes]) -> dict[CardId, Card]:
    """Read card files; see :func:`parse_shelf`."""
    return parse_shelf(files).cards


def parse_shelf(files: Mapping[str, bytes]) -> CardShelf:
    """Read card and gun files, content by place; raise ``BadInput`` with the faults of all files.

    A file of another folder (a later pack's) replaces cards and guns by id; within one an id stands once.
    """
    faults = Faults()
    shelf = CardShelf({}, {})
    places: dict[CardId, str] = {}
    seen: set[tuple[str, str]] = set()
    for where, data in files.items():
        with faults.gathering():
            file = read_yaml(data, _CardFile, where)
            found = Faults(where)
            for field, thing in _things(file):
                key = (where.rpartition("/")[0], thing.id)
                if key in seen:
                    found.add(f"{field}.id", f"{thing.id} stands twice", "an id of its own")
                seen.add(key)
                if isinstance(thing, Card):
                    shelf.cards[thing.id] = thing
                    places[thing.id] = f"{where}: {field}"
                    _check_card(thing, field, found)
                else:
                    shelf.guns[thing.id] = thing
            found.check()
    for card in shelf.cards.values():
        for index, weapon in enumerate(card.weapons):
            if weapon.gun and weapon.gun not in shelf.guns:
                faults.add(f"{places[card.id]}.weapons[{index}].gun", f"no gun {weapon.gun!r}", "a gun of the pack")
    faults.check()
    return shelf


def _things(file: _CardFile) -> Iterator[tuple[str, Card | Gun]]:
    for index, gun in enumerate(file.guns):
        yield f"guns[{index}]", gun
    for index, card in enumerate(file.cards):
        yield f"cards[{index}]", card


def _check_card(card: Card, field: str, faults: Faults) -> None:
    def expect(holds: bool, part: str, wrong: str, right: str) -> None:
        if not holds:
            faults.add(f"{field}.{part}", wrong, right)

    expect(
        card.armed == bool(card.weapons),
        "armed",
        f"armed is {card.armed}",
        "true with weapons, false without",
    )
    expect(-2 <= card.size <= 2, "size", f"{card.size}", "-2 to 2")
    expect(0 <= card.sb <= 3, "sb", f"{card.sb}", "0 to 3")
    expect(card.tt in _TT_FACTORS, "tt", f"{card.tt}", "1, 2, 3, 360, 0, 60, 120, 180 or nothing")
    expect(
        (card.tt is None) == (not card.armed),
        "tt",
        f"{card.tt}",
        "a TT Factor where armed, nothing where not",
    )
    expect(min(card.armor.front, card.armor.rear) >= 0, "armor", "below 0", "0 or more")
    speeds = (card.movement.cross_country, card.movement.path, card.movement.road)
    expect(min(speeds) >= 1 and list(speeds) == sorted(speeds), "movement", f"{card.movement}", "rising from 1")
    expect(card.points > 0, "points", f"{card.points}", "more than 0")
    for index, weapon in enumerate(card.weapons):
        _check_weapon(card, weapon, f"{field}.weapons[{index}]", faults)
    for path in unknown_paths(card):
        faults.add(f"{field}.{path}", "names no field of this card", "a path such as armor.front")


def _check_weapon(card: Card, weapon: Weapon, field: str, faults: Faults) -> None:
    if weapon.mount is Mount.ALL and not card.has_turret:
        faults.add(f"{field}.mount", "all without a turret", "front or rear, or a TT Factor of 1, 2, 3 or 360")
    for index, ammo in enumerate(weapon.ammo):
        ranges = [ammo.R.of(factor) for factor in RangeFactor]
        if ranges[0] < 1 or any(far <= near for near, far in pairwise(ranges)):
            faults.add(f"{field}.ammo[{index}].R", f"{ranges}", "ranges from 1, each longer than the one before")
        factors = [ammo.P.of(factor) for factor in RangeFactor]
        if factors[-1] < 0 or any(far > near for near, far in pairwise(factors)):
            faults.add(f"{field}.ammo[{index}].P", f"{factors}", "penetration that never rises with range")
