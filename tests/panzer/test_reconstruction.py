"""The method of docs/reconstruction.md: it gives back every known card value, and every card of the packs."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

import sandtable
from sandtable.systems.panzer.cards import Card, CardShelf, RangeFactor, Row, parse_shelf
from sandtable.systems.panzer.history import (
    AmmoType,
    ArmorHistory,
    Gun,
    GunId,
    History,
    Material,
    Plate,
    Rangefinder,
    Round,
)
from sandtable.systems.panzer.reconstruct import (
    LONG_ROD_ERA,
    METHODS,
    SOLID_SHOT_ERA,
    armor,
    brackets,
    extreme_range,
    movement,
    penetration,
    rebuild,
    size,
)
from sandtable.systems.panzer.terrain import Traction

PACKS = Path(sandtable.__file__).parent / "packs"


def shelf(pack: str) -> CardShelf:
    return parse_shelf({str(file): file.read_bytes() for file in sorted((PACKS / pack / "cards").glob("*.yaml"))})


SHELVES = {pack: shelf(pack) for pack in METHODS}
CARDS = [pytest.param(pack, card, id=card.id) for pack in METHODS for card in SHELVES[pack].cards.values()]


def value_at(card: Card, path: str) -> Any:
    plain: Any = msgspec.to_builtins(card)
    for part in path.split("."):
        plain = plain[int(part)] if part.isdigit() else plain[part]
    return plain


@pytest.mark.parametrize(("pack", "card"), CARDS)
def test_a_card_is_what_the_method_makes_of_its_history(pack: str, card: Card) -> None:
    assert rebuild(card, SHELVES[pack].guns, METHODS[pack]) == card


# Everything that the two rulebooks say about a card of the Basic Game: card, field, value.
KNOWN: list[tuple[str, str, str, Any]] = [
    ("panzer-na", "panzerjager-i", "movement", {"cross_country": 4, "mode": "T", "path": 6, "road": 9}),
    ("panzer-na", "panzerjager-i", "size", -1),
    ("panzer-na", "panzerjager-i", "armor", {"front": 3, "rear": 2}),
    ("panzer-na", "panzerjager-i", "weapons.0.mount", "front"),
    ("panzer-na", "panzerjager-i", "weapons.0.rof", "N"),
    ("panzer-na", "panzerjager-i", "weapons.0.ammo.0.R.E", 14),
    ("panzer-na", "panzerjager-i", "weapons.0.ammo.0.P.M", 10),
    ("panzer-na", "panzerjager-i", "weapons.0.ammo.1.available_from", "early-41"),
    ("panzer-na", "pz-iiij", "size", 0),
    ("panzer-na", "pz-iiij", "armor.front", 11),
    ("panzer-na", "pz-iiij", "weapons.0.ammo.0.P.S", 11),
    ("panzer-na", "pz-iiij-lang", "movement.cross_country", 4),
    ("panzer-na", "crusader-i", "size", 0),
    ("panzer-na", "crusader-i", "armor.rear", 7),
    ("panzer-na", "crusader-i", "weapons.0.ammo.0.P.S", 12),
    ("panzer-na", "sherman-iii", "movement.cross_country", 3),
    ("mbt", "t-80bv", "movement", {"cross_country": 8, "mode": "T", "path": 10, "road": 16}),
    ("mbt", "t-80bv", "size", 0),
    ("mbt", "t-80bv", "armor", {"front": 90, "rear": 34}),
    ("mbt", "t-80bv", "weapons.0.ammo.0.R.E", 33),
    ("mbt", "t-80bv", "weapons.0.ammo.0.P.M", 86),
    ("mbt", "bmp-2", "size", -1),
    ("mbt", "bmp-2", "sb", 3),
    ("mbt", "bmp-2", "armor.front", 5),
    ("mbt", "bmp-2", "weapons.0.ammo.0.type", "APDS"),
    ("mbt", "bmp-2", "weapons.0.ammo.0.P.P", 12),
    ("mbt", "m2a1", "size", 0),
    ("mbt", "m2a1", "armor.rear", 9),
    ("mbt", "m2a1", "weapons.0.ammo.0.type", "APDS"),
    ("mbt", "m2a1", "weapons.0.ammo.0.P.P", 12),
    ("mbt", "m981", "fire_support", True),
    ("mbt", "m60-avlb", "armed", False),
    ("mbt", "mt-55a", "armed", False),
    ("mbt", "ural-375", "armed", False),
    ("mbt", "m35-truck", "armed", False),
]


@pytest.mark.parametrize(("pack", "card", "path", "value"), KNOWN)
def test_the_method_gives_every_known_value(pack: str, card: str, path: str, value: Any) -> None:
    known = next(c for c in SHELVES[pack].cards.values() if c.id == card)
    again = rebuild(known, SHELVES[pack].guns, METHODS[pack])
    assert value_at(again, path) == value
    assert path in known.verbatim


@pytest.mark.parametrize(("pack", "card"), CARDS)
def test_every_verbatim_value_stands_in_the_table_above(pack: str, card: Card) -> None:
    checked = {path for _, name, path, _ in KNOWN if name == card.id}
    words = {"reference", "name", "weapons.0.name"}
    assert set(card.verbatim) - words == checked


@pytest.mark.parametrize(
    ("pack", "card", "range_hexes", "factor", "points"),
    [
        ("panzer-na", "panzerjager-i", 9, "M", 10),
        ("panzer-na", "pz-iiij", 3, "S", 11),
        ("panzer-na", "crusader-i", 3, "S", 12),
        ("mbt", "t-80bv", 15, "M", 86),
        ("mbt", "bmp-2", 3, "P", 12),
        ("mbt", "m2a1", 3, "P", 12),
    ],
)
def test_4_4_3_2_1_known_range_factors(pack: str, card: str, range_hexes: int, factor: str, points: int) -> None:
    weapon = next(c for c in SHELVES[pack].cards.values() if c.id == card).weapons[0]
    assert weapon.range_factor(0, range_hexes) == RangeFactor(factor)
    assert weapon.penetration(0, range_hexes) == points


# The one complete card of the family that is public: SU-76M M43, with its gun's figures at the vertical.
ZIS_3 = Gun(
    id=GunId("zis-3"),
    name="76.2mm L43",
    calibre_mm=76.2,
    rounds=(
        Round(name="BR-350B", type=AmmoType.AP, muzzle_ms=662, mm={100: 101, 500: 88, 1000: 75, 1500: 63.5}),
        Round(name="BR-350P", type=AmmoType.APCR, muzzle_ms=950, mm={300: 115, 500: 105}),
    ),
)
SU_76M = History(road_kmh=45, cross_country_kmh=20, length_m=5.0, width_m=2.74, height_m=2.1)
KWK_40_L48 = Gun(
    id=GunId("kwk40-l48"),
    name="75mm L48",
    calibre_mm=75,
    rounds=(Round(name="PzGr 39", type=AmmoType.AP, muzzle_ms=750, mm={100: 106, 500: 96, 1000: 85}, slope=30),),
)


def test_the_public_card_of_the_su_76m() -> None:
    shot, cored = ZIS_3.rounds
    row = brackets(extreme_range(ZIS_3, shot, Rangefinder.EYE))
    assert row == Row(3, 6, 10, 14, 17)
    assert penetration(shot, row, SOLID_SHOT_ERA) == Row(19, 17, 15, 13, 12)
    assert brackets(extreme_range(ZIS_3, cored, Rangefinder.EYE)) == Row(3, 5, 9, 13, 15)
    assert (movement(SU_76M, Traction.TRACKED).path, movement(SU_76M, Traction.TRACKED).road) == (6, 10)
    assert size(SU_76M, SOLID_SHOT_ERA) == -1


def test_its_gp_row_has_the_same_columns() -> None:
    assert brackets(27) == Row(5, 9, 16, 23, 27)


def test_the_pz_ivh_of_the_consolidated_rules_example() -> None:
    shot = KWK_40_L48.rounds[0]
    row = brackets(extreme_range(KWK_40_L48, shot, Rangefinder.EYE))
    assert row.P == 3
    assert penetration(shot, row, SOLID_SHOT_ERA).P == 25


def test_short_ranges_still_have_five_columns() -> None:
    assert brackets(5) == Row(1, 2, 3, 4, 5)


def test_soft_skins_and_open_tops() -> None:
    assert armor(None, SOLID_SHOT_ERA).front == 0
    closed = ArmorHistory(turret_front=(Plate(50),), turret_side=(Plate(30),), turret_rear=(Plate(30),))
    opened = ArmorHistory(turret_front=(Plate(50),), turret_side=(Plate(30),))
    assert armor(closed, SOLID_SHOT_ERA).rear > armor(opened, SOLID_SHOT_ERA).rear


def test_slope_helps_a_thick_plate_more_and_a_rod_cares_less() -> None:
    def front(plate: Plate) -> int:
        return armor(ArmorHistory(hull_front=(plate,)), SOLID_SHOT_ERA).front

    assert front(Plate(50, 60)) == round(50 * 2**1.5 / 5)
    assert front(Plate(10, 60)) == round(10 * 2**0.5 / 5)
    assert armor(ArmorHistory(hull_front=(Plate(100, 60),)), LONG_ROD_ERA).front == 40
    assert front(Plate(100, 60, Material.EQUIVALENT)) == 20


def test_missiles_reach_as_far_as_their_maker_says() -> None:
    missile = Round(name="TOW", type=AmmoType.ATGM, muzzle_ms=300, mm={0: 800}, reach_m=3750)
    launcher = Gun(id=GunId("tow"), name="TOW", calibre_mm=152, rounds=(missile,))
    assert extreme_range(launcher, missile, Rangefinder.STADIA) == 38
