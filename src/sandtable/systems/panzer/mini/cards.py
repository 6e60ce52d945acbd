"""Data Cards of the miniatures book: vehicles with a base, five hit angles and a turret (1.1.3, 1.1.4)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise

import msgspec

from sandtable.core.content.reading import read_yaml
from sandtable.core.content.rule import rule
from sandtable.core.errors import Faults
from sandtable.systems.panzer.advanced_card import AngleArmor, Location, TargetType
from sandtable.systems.panzer.cards import CardId, Kind, Mount, Movement, RateOfFire
from sandtable.systems.panzer.history import AmmoType
from sandtable.systems.panzer.ranges import RangeFactor, Row
from sandtable.systems.panzer.terrain import Sourced, Traction, unknown_paths

__all__ = ["SEEN_FROM", "Angle", "MiniAmmo", "MiniCard", "MiniWeapon", "Points", "Roof", "Traverse", "parse_cards"]

BOOK = ("panzer-mini",)
_LARGEST = 6.0
"""Side of a base in inches."""


class Traverse(StrEnum):
    """How a vehicle turns its guns (8.2.1)."""

    SLOW = "Slow"
    NORMAL = "Normal"
    FAST = "Fast"
    ALL_ROUND = "Turretless 360"
    FIXED = "Non-Turreted"

    @property
    def is_turret(self) -> bool:
        """Has a turret that points somewhere (8.2.1.1)."""
        return self in (Traverse.SLOW, Traverse.NORMAL, Traverse.FAST)


class Roof(StrEnum):
    """What is over the crew (9.7.1)."""

    FULL = "full"
    OPEN = "open"


class Angle(StrEnum):
    """Hit Angle: eight sections of the Target Angle Wheel in five classes (8.4.5.1)."""

    FRONT = "Front"
    FRONT_SIDE = "Front/Side"
    SIDE = "Side"
    REAR_SIDE = "Rear/Side"
    REAR = "Rear"


SEEN_FROM: Mapping[Angle, tuple[Location, ...]] = {
    Angle.FRONT: (Location.TF, Location.HF),
    Angle.FRONT_SIDE: (Location.TF, Location.TS, Location.HF, Location.HS),
    Angle.SIDE: (Location.TS, Location.HS),
    Angle.REAR_SIDE: (Location.TS, Location.TR, Location.HS, Location.HR),
    Angle.REAR: (Location.TR, Location.HR),
}
"""What the Armor Chart has a factor for at an angle (8.4.6.1)."""


class MiniAmmo(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An AP ammo type: range limits, penetration, damage modifier (8.4.1, 8.4.6.2, 8.4.7.1)."""

    type: AmmoType
    R: Row
    P: Row
    D: int = 0
    basic: bool = True
    """Whether the Basic Game fires it (8.1)."""

    def range_factor(self, inches: int) -> RangeFactor | None:
        """First column whose limit reaches; none beyond the maximum range (4.5.2, 8.4.1)"""
        return self.R.reached(inches)


class MiniWeapon(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A weapon of a card; without ammo it has no AP line."""

    name: str
    rof: RateOfFire = RateOfFire.N
    mount: Mount = Mount.ALL
    """Underscored or overscored ammo has a limited field-of-fire (8.2.1.4, 8.2.1.5)."""
    ammo: tuple[MiniAmmo, ...] = ()
    minimum: int = 0
    """Minimum range in inches (4.5.2)."""


class Points(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Victory points of a vehicle (10.4.3.2)."""

    eliminated: int
    damaged: int
    tracked: int


class MiniCard(Sourced, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The Data Card of a vehicle."""

    id: CardId
    name: str
    nation: str
    kind: Kind
    reference: str = ""
    """Number of the printed card."""
    movement: Movement
    size: int
    """Target Size, -2 to +2 (8.4.2.1)."""
    gp_defense: int
    target_type: TargetType
    traverse: Traverse
    roof: Roof = Roof.FULL
    top: int = 0
    """Top armor (8.4.5.4)."""
    armor: dict[Angle, AngleArmor] = msgspec.field(default_factory=dict)
    """The Armor Chart; empty of a soft vehicle, which has 0 everywhere (8.4.6.1)."""
    weapons: tuple[MiniWeapon, ...] = ()
    points: Points
    base: tuple[float, float] = (1.0, 1.0)
    """Width and depth in inches; an even number of thousandths each."""
    notes: tuple[str, ...] = ()

    @property
    def armed(self) -> bool:
        """A combat unit: some form of offensive firepower (4.6, 5.1)"""
        return bool(self.weapons)

    @property
    def has_turret(self) -> bool:
        """Points its turret to one of four fields-of-fire (8.2.1.1)"""
        return self.traverse.is_turret

    @property
    def movement_factor(self) -> str:
        """As printed: 11T 14-22 (9.2)"""
        return str(self.movement)

    @property
    def enters_buildings(self) -> bool:
        """Tracked, with full top armor (9.7.1)"""
        return self.movement.mode is Traction.TRACKED and self.roof is Roof.FULL and bool(self.armor)


class _CardFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    book: str
    cards: tuple[MiniCard, ...] = ()


@rule("1.1.3", "1.1.4", editions=BOOK)
def parse_cards(files: Mapping[str, bytes]) -> dict[CardId, MiniCard]:
    """Read card files, content by place (1.1.4); :class:`BadInput` with the faults of all files."""
    return _cards_of(tuple(files.items()))


@lru_cache(maxsize=8)
def _cards_of(files: tuple[tuple[str, bytes], ...]) -> dict[CardId, MiniCard]:
    """Cards do not change: games of the same packs share them."""
    faults = Faults()
    found: dict[CardId, MiniCard] = {}
    for where, data in files:
        with faults.gathering():
            wrong = Faults(where)
            listed: set[str] = set()
            for index, card in enumerate(read_yaml(data, _CardFile, where).cards):
                if card.id in listed:
                    wrong.add(f"cards[{index}].id", f"{card.id} stands twice", "an id of its own")
                listed.add(card.id)
                found[card.id] = card
                _check(card, f"cards[{index}]", wrong)
            wrong.check()
    faults.check()
    return found


def _check(card: MiniCard, field: str, faults: Faults) -> None:
    def expect(holds: bool, part: str, wrong: str, right: str) -> None:
        if not holds:
            faults.add(f"{field}.{part}", wrong, right)

    speeds = (card.movement.cross_country, card.movement.path, card.movement.road)
    expect(speeds[0] >= 1 and list(speeds) == sorted(speeds), "movement", f"{card.movement}", "rising from 1")
    expect(card.movement.mode is not Traction.LEG, "movement.mode", "L", "T, H or W of a vehicle")
    expect(-2 <= card.size <= 2, "size", f"{card.size}", "-2 to 2")
    expect(0 <= card.gp_defense <= 10, "gp_defense", f"{card.gp_defense}", "0 to 10")
    sides = [side * 500 for side in card.base]
    fits = all(0 < side <= _LARGEST for side in card.base) and all(side == int(side) for side in sides)
    expect(fits, "base", f"{card.base}", f"up to {_LARGEST:g} in, an even number of thousandths")
    for angle, seen in SEEN_FROM.items():
        if card.armor:
            row = card.armor.get(angle, AngleArmor())
            has = {one for one in seen if row.of(one) is not None}
            expect(has == set(seen), f"armor.{angle.value}", "missing parts", ", ".join(seen))
    for index, weapon in enumerate(card.weapons):
        part = f"weapons[{index}]"
        turns = card.traverse is not Traverse.FIXED
        expect(turns or weapon.mount is not Mount.ALL, f"{part}.mount", "all without a turret", "front or rear")
        for number, ammo in enumerate(weapon.ammo):
            _check_ammo(ammo, f"{part}.ammo[{number}]", expect)
    for path in unknown_paths(card):
        faults.add(f"{field}.{path}", "names no field of this card", "a path such as armor")


def _check_ammo(ammo: MiniAmmo, part: str, expect: Callable[[bool, str, str, str], None]) -> None:
    ranges = [ammo.R.of(factor) for factor in RangeFactor]
    rising = ranges[0] >= 1 and all(near <= far for near, far in pairwise(ranges))
    expect(rising, f"{part}.R", f"{ranges}", "ranges from 1, none shorter than the one before")
    falling = [ammo.P.of(factor) for factor in RangeFactor]
    sinks = falling[-1] >= 0 and all(near >= far for near, far in pairwise(falling))
    expect(sinks, f"{part}.P", f"{falling}", "penetration that never rises with range")
