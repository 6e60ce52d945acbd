"""Card files of a pack: units, attached weapons, batteries, aircraft and guns, each read and checked.

Cards are read from a pack's ``cards`` folder; every fault of every file is reported at once, with file and field.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import pairwise

import msgspec

from sandtable.core.content.reading import read_yaml
from sandtable.core.errors import Faults
from sandtable.systems.panzer.advanced_card import (
    AdvancedCard,
    AmmoLimits,
    AngleArmor,
    GpDefense,
    GpRow,
    HitAngle,
    HitArmor,
    Location,
    TargetType,
    UnitClass,
)
from sandtable.systems.panzer.cards import ALL_ROUND, Ammo, Card, CardId, Mount, Weapon
from sandtable.systems.panzer.history import Gun, GunId
from sandtable.systems.panzer.ranges import RangeFactor, Row
from sandtable.systems.panzer.support_cards import AircraftCard, Attachment, AttachmentKind, BatteryCard
from sandtable.systems.panzer.terrain import Sourced, Traction, unknown_paths

__all__ = ["SEEN_FROM", "CardShelf", "parse_shelf"]

_TT_FACTORS = {1, 2, 3, ALL_ROUND, 0, 60, 120, 180, None}
_DATE = re.compile(r"(early|mid|late)-\d\d|\d{4}-\d\d")
SEEN_FROM = {
    HitAngle.FRONT: (Location.TF, Location.HF),
    HitAngle.FRONT_SIDE: (Location.TF, Location.TS, Location.HF, Location.HS),
    HitAngle.REAR_SIDE: (Location.TS, Location.TR, Location.HS, Location.HR),
    HitAngle.REAR: (Location.TR, Location.HR),
}
"""What a shot from an angle may strike beside the tracks and the deck (6.5.2.2)."""

_Thing = Card | Gun | Attachment | BatteryCard | AircraftCard


class CardShelf(msgspec.Struct, frozen=True):
    """All cards and guns of a game's packs."""

    cards: dict[CardId, Card] = {}
    guns: dict[GunId, Gun] = {}
    attachments: dict[CardId, Attachment] = {}
    batteries: dict[CardId, BatteryCard] = {}
    aircraft: dict[CardId, AircraftCard] = {}


class _CardFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    book: str
    cards: tuple[Card, ...] = ()
    guns: tuple[Gun, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    batteries: tuple[BatteryCard, ...] = ()
    aircraft: tuple[AircraftCard, ...] = ()


def parse_shelf(files: Mapping[str, bytes]) -> CardShelf:
    """Read card and gun files, content by place; raise ``BadInput`` with the faults of all files.

    A file of another folder (a later pack's) replaces cards and guns by id; within one an id stands once.
    """
    return _shelf_of(tuple(files.items()))


@lru_cache(maxsize=8)
def _shelf_of(files: tuple[tuple[str, bytes], ...]) -> CardShelf:
    """Cards do not change: games of the same packs share them."""
    faults = Faults()
    shelf = CardShelf({}, {}, {}, {}, {})
    places: dict[str, str] = {}
    seen: set[tuple[str, str]] = set()
    for where, data in files:
        with faults.gathering():
            file = read_yaml(data, _CardFile, where)
            found = Faults(where)
            for field, thing in _things(file):
                key = (where.rpartition("/")[0], thing.id)
                if key in seen:
                    found.add(f"{field}.id", f"{thing.id} stands twice", "an id of its own")
                seen.add(key)
                places[thing.id] = f"{where}: {field}"
                _shelve(thing, field, shelf, found)
            found.check()
    _check_names(shelf, places, faults)
    faults.check()
    return shelf


def _things(file: _CardFile) -> Iterator[tuple[str, _Thing]]:
    for name in ("guns", "cards", "attachments", "batteries", "aircraft"):
        things: tuple[_Thing, ...] = getattr(file, name)
        for index, thing in enumerate(things):
            yield f"{name}[{index}]", thing


def _shelve(thing: _Thing, field: str, shelf: CardShelf, faults: Faults) -> None:
    match thing:
        case Gun():
            shelf.guns[thing.id] = thing
        case Card():
            shelf.cards[thing.id] = thing
            _check_card(thing, field, faults)
        case Attachment():
            shelf.attachments[thing.id] = thing
            if (thing.weapon is None) != (thing.kind is AttachmentKind.FLAMETHROWER):
                faults.add(f"{field}.weapon", "present" if thing.weapon else "missing", "one, but for a flamethrower")
            if thing.weapon is not None:
                _check_rows(thing.weapon, f"{field}.weapon", faults)
        case BatteryCard():
            shelf.batteries[thing.id] = thing
            _check_gp(thing.gp, f"{field}.gp", faults)
            _check_limits(thing.limits, f"{field}.limits", faults)
        case AircraftCard():
            shelf.aircraft[thing.id] = thing
            if thing.dive_bomber and thing.fast:
                faults.add(f"{field}.fast", "a dive bomber", "false: all of them fly at Slow Speed (6.7.2.3.2)")
    if isinstance(thing, Sourced):
        for path in unknown_paths(thing):
            faults.add(f"{field}.{path}", "names no field of this card", "a path such as armor.front")


def _check_names(shelf: CardShelf, places: Mapping[str, str], faults: Faults) -> None:
    """Guns, half-squads, trucks and guns of Portées that cards name must be there."""
    weapons = [(card.id, f"weapons[{i}]", one) for card in shelf.cards.values() for i, one in enumerate(card.weapons)]
    weapons += [(one.id, "weapon", one.weapon) for one in shelf.attachments.values() if one.weapon is not None]
    for owner, field, weapon in weapons:
        if weapon.gun and weapon.gun not in shelf.guns:
            faults.add(f"{places[owner]}.{field}.gun", f"no gun {weapon.gun!r}", "a gun of the pack")
    for card in shelf.cards.values():
        for field, name in _named(card):
            if name not in shelf.cards:
                faults.add(f"{places[card.id]}.advanced.{field}", f"no card {name!r}", "a card of the pack")


def _named(card: Card) -> Iterator[tuple[str, str]]:
    if card.advanced is not None and card.advanced.half:
        yield "half", card.advanced.half
    if card.advanced is not None and card.advanced.portee is not None:
        yield "portee.truck", card.advanced.portee.truck
        yield "portee.gun", card.advanced.portee.gun


# --- the card -----------------------------------------------------------------------------------------


class _Expect:
    """Adds a fault at a field of one card where something does not hold."""

    def __init__(self, field: str, faults: Faults) -> None:
        self.field, self.faults = field, faults

    def __call__(self, holds: bool, part: str, wrong: str, right: str) -> None:
        if not holds:
            self.faults.add(f"{self.field}.{part}", wrong, right)


def _check_card(card: Card, field: str, faults: Faults) -> None:
    expect = _Expect(field, faults)
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
    slowest = 0 if card.unit_class is UnitClass.TOWED else 1
    expect(min(speeds) >= slowest and list(speeds) == sorted(speeds), "movement", f"{card.movement}", "rising from 1")
    expect(card.points > 0, "points", f"{card.points}", "more than 0")
    for index, weapon in enumerate(card.weapons):
        if weapon.mount is Mount.ALL and not card.has_turret:
            right = "front or rear, or a TT Factor of 1, 2, 3 or 360"
            faults.add(f"{field}.weapons[{index}].mount", "all without a turret", right)
        _check_rows(weapon, f"{field}.weapons[{index}]", faults)
    _check_class(card, expect)
    if card.advanced is not None:
        _check_advanced(card, card.advanced, expect)


def _check_class(card: Card, expect: _Expect) -> None:
    """What a vehicle, a leg unit and a towed gun must have and may not."""
    figures = {"history": card.history, "troops": card.troops, "carriage": card.carriage}
    vehicle, towed = card.unit_class is UnitClass.VEHICLE, card.unit_class is UnitClass.TOWED
    wanted = "history" if vehicle else "carriage" if towed else "troops"
    for name, value in figures.items():
        if name == wanted:
            expect(value is not None, name, "missing", f"the figures of a {card.unit_class.value}")
        else:
            expect(value is None, name, f"of a {card.unit_class.value}", f"{wanted} instead")
    expect(vehicle or card.advanced is not None, "advanced", "missing", "Advanced values: it is no vehicle")
    if card.advanced is None or not card.advanced.motorcycle:
        right = "T, H or W of a vehicle, L of a leg or towed unit"
        expect(vehicle == (card.movement.mode is not Traction.LEG), "movement.mode", card.movement.mode.value, right)


def _check_advanced(card: Card, advanced: AdvancedCard, expect: _Expect) -> None:
    vehicle = card.unit_class is UnitClass.VEHICLE
    factors = advanced.gp_defense
    single = not isinstance(factors, GpDefense)
    expect(single == vehicle, "advanced.gp_defense", "wrong kind", "one factor of a vehicle, by cover of the others")
    listed = (
        (factors.none, factors.light, factors.medium, factors.heavy) if isinstance(factors, GpDefense) else (factors,)
    )
    right = "1 to 10, never falling with better cover (6.5.4.2.2)"
    expect(
        all(1 <= one <= 10 for one in listed) and list(listed) == sorted(listed),
        "advanced.gp_defense",
        f"{listed}",
        right,
    )
    soft = advanced.target_type is TargetType.S
    expect(vehicle or soft, "advanced.target_type", advanced.target_type.value, "S: all but vehicles are (6.5.4.2.2)")
    wrong = "armor of an S-Type" if soft else "missing"
    expect(soft == (advanced.armor is None), "advanced.armor", wrong, "armor of an A-Type or P-Type vehicle (6.5.2.3)")
    if advanced.armor is not None:
        _check_armor(advanced.armor, expect)
    right = "a card only of a squad"
    expect(not advanced.half or card.unit_class is UnitClass.SQUAD, "advanced.half", advanced.half, right)
    expect(vehicle or advanced.portee is None, "advanced.portee", "no vehicle", "only of a vehicle (5.2.1)")


def _check_armor(armor: HitArmor, expect: _Expect) -> None:
    grids = {"level": armor.level, "rising": armor.rising, "falling": armor.falling}
    for name, grid in grids.items():
        for angle, seen in SEEN_FROM.items():
            row = grid.get(angle, AngleArmor())
            has = tuple(one for one in Location if one not in (Location.TK, Location.DK) and row.of(one) is not None)
            listed = ", ".join(seen)
            expect(set(has) == set(seen), f"advanced.armor.{name}.{angle.value}", ", ".join(has) or "missing", listed)
            low = min((row.of(one) or 0 for one in has), default=0)
            expect(low >= 0, f"advanced.armor.{name}.{angle.value}", f"{low}", "0 or more")
    expect(armor.deck >= 0, "advanced.armor.deck", f"{armor.deck}", "0 or more")


# --- weapons ------------------------------------------------------------------------------------------


def _check_rows(weapon: Weapon, field: str, faults: Faults) -> None:
    for index, ammo in enumerate(weapon.ammo):
        _check_ammo(ammo, f"{field}.ammo[{index}]", faults)
    kinds = [row.kind for row in weapon.gp]
    if len(set(kinds)) < len(kinds):
        faults.add(f"{field}.gp", "a kind of fire twice", "one row each")
    for index, row in enumerate(weapon.gp):
        _check_gp(row, f"{field}.gp[{index}]", faults)
    _check_limits(weapon.limits, f"{field}.limits", faults)


def _check_ammo(ammo: Ammo, field: str, faults: Faults) -> None:
    _check_ranges(ammo.R, f"{field}.R", faults)
    factors = [ammo.P.of(factor) for factor in RangeFactor]
    if factors[-1] < 0 or any(far > near for near, far in pairwise(factors)):
        faults.add(f"{field}.P", f"{factors}", "penetration that never rises with range")
    if ammo.available_from and not _DATE.fullmatch(ammo.available_from):
        faults.add(f"{field}.available_from", repr(ammo.available_from), "early-41, mid-41, late-41 or 1941-06")
    row = ammo.damage
    if row is not None and not 0 <= row.ND <= row.DM <= row.KO <= 10:
        faults.add(f"{field}.damage", f"{row.ND}, {row.DM}, {row.KO}", "digits up to 10, none below the one before")


def _check_ranges(row: Row, field: str, faults: Faults) -> None:
    ranges = [row.of(factor) for factor in RangeFactor]
    if ranges[0] < 1 or any(far < near for near, far in pairwise(ranges)):
        faults.add(field, f"{ranges}", "ranges from 1, none shorter than the one before")


def _check_gp(row: GpRow, field: str, faults: Faults) -> None:
    _check_ranges(row.R, f"{field}.R", faults)
    factors = [row.F.of(factor) for factor in RangeFactor]
    if factors[-1] < 1 or any(far > near for near, far in pairwise(factors)):
        faults.add(f"{field}.F", f"{factors}", "GP Factors from 1 that never rise with range")
    if not 1 <= row.minimum <= row.R.E:
        faults.add(f"{field}.minimum", f"{row.minimum}", "1 to the greatest range")


def _check_limits(limits: AmmoLimits, field: str, faults: Faults) -> None:
    for name in AmmoLimits.__struct_fields__:
        value: int | None = getattr(limits, name)
        if value is not None and not 1 <= value <= 9:
            faults.add(f"{field}.{name}", f"{value}", "1 to 9: a roll (10) above it is short (5.16.2)")
