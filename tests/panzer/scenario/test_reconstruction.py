"""The method of docs/reconstruction.md: it gives back every known card value, and every card of the packs."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

import sandtable
from sandtable.systems.panzer.advanced_card import DamageRow, HitAngle
from sandtable.systems.panzer.card_files import CardShelf, parse_shelf
from sandtable.systems.panzer.cards import Card, CardId, RangeFactor, Row
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
from sandtable.systems.panzer.reconstruct_advanced import (
    HEXES,
    INCHES,
    damage,
    gp_rows,
    hit_armor,
    rebuild_advanced,
    rebuild_aircraft,
    rebuild_attachment,
    rebuild_battery,
)
from sandtable.systems.panzer.terrain import Traction

PACKS = Path(sandtable.__file__).parent / "packs"


BUILDS_ON = {"panzer-east": "panzer-na"}
"""Packs that use the method, guns and cards of another."""
OWN = {**{pack: pack for pack in METHODS}, **BUILDS_ON}


def shelf(pack: str) -> CardShelf:
    folders = [PACKS / name / "cards" for name in dict.fromkeys((OWN[pack], pack))]
    return parse_shelf({str(file): file.read_bytes() for folder in folders for file in sorted(folder.glob("*.yaml"))})


SHELVES = {pack: shelf(pack) for pack in OWN}
CARDS = [
    pytest.param(pack, card, id=card.id)
    for pack, below in OWN.items()
    for card in SHELVES[pack].cards.values()
    if pack == below or card.id not in SHELVES[below].cards
]


def value_at(card: Card, path: str) -> Any:
    plain: Any = msgspec.to_builtins(card)
    for part in path.split("."):
        plain = plain[int(part)] if part.isdigit() else plain[part]
    return plain


def again(pack: str, card: Card) -> Card:
    """The card computed anew: with its Advanced part in the book that has one."""
    guns = SHELVES[pack].guns
    basic = rebuild(card, guns, METHODS[OWN[pack]])
    return rebuild_advanced(basic, guns) if OWN[pack] == "panzer-na" else basic


@pytest.mark.parametrize(("pack", "card"), CARDS)
def test_a_card_is_what_the_method_makes_of_its_history(pack: str, card: Card) -> None:
    assert again(pack, card) == card


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


LEVEL, RISING = "advanced.armor.level", "advanced.armor.rising"
# Everything that the rulebook says about a card of the Advanced Game.
KNOWN_ADVANCED: list[tuple[str, str, str, Any]] = [
    ("panzer-na", card, path, value)
    for card, path, value in [
        ("pz-ib", "advanced.open_topped", False),
        ("pz-iiij", f"{LEVEL}.Front.HF", 10),
        ("pz-iiij", "advanced.coax_mg", True),
        ("pz-ivd", "weapons.0.smoke", True),
        ("panzerjager-i", "advanced.open_topped", True),
        ("panzerjager-i", "advanced.gp_defense", 1),
        ("panzerjager-i", "advanced.target_type", "P"),
        ("panzerjager-i", "weapons.0.gp.0.F.P", 3),
        ("panzerjager-i", "weapons.0.gp.0.F.S", 2),
        ("panzerjager-i", "weapons.0.gp.0.effectiveness", 2),
        ("panzerjager-i", "weapons.0.limits.A", 4),
        ("spw-251-1", "advanced.under_cover", True),
        ("spw-251-1", "weapons.0.small_arms", True),
        ("sdkfz-10", "advanced.transports", {"towed": 1, "leg": 2}),
        ("crusader-i", f"{LEVEL}.Rear/Side.HS", 5),
        ("matilda-ii", "advanced.gp_defense", 4),
        ("matilda-ii", "advanced.target_type", "A"),
        ("grant-i", f"{RISING}.Front.HF", 16),
        ("grant-i", f"{LEVEL}.Front/Side.HF", 19),
        ("sherman-iii", "advanced.gp_defense", 3),
        ("sherman-iii", "advanced.target_type", "A"),
        ("sherman-iii", "weapons.0.gp.0.F.P", 5),
        ("sherman-iii", "advanced.coax_mg", True),
        ("a10-cs", "weapons.0.limits.basic", 3),
        ("morris-cs9", "weapons.1.dual", True),
        ("portee-2pdr", "advanced.portee", {"truck": "bedford-ql", "gun": "qf-2pdr"}),
        ("m11-39", "weapons.0.hull_limited", True),
        ("semovente-75-18", "advanced.gp_defense", 2),
        ("semovente-75-18", "advanced.target_type", "A"),
        ("semovente-75-18", "advanced.helpless", True),
        ("german-rifle-half", "weapons.0.gp.0.F.P", 6),
        ("german-rifle-half", "advanced.gp_defense.light", 4),
        ("british-rifle-squad", "weapons.0.gp.0.F.S", 6),
        ("british-rifle-squad", "advanced.gp_defense.light", 4),
        ("british-rifle-squad", "weapons.0.small_arms", True),
        ("british-infantry-squad", "weapons.0.gp.0.F.P", 5),
        ("italian-lmg-squad", "weapons.0.gp.0.F.M", 5),
        ("italian-lmg-squad", "advanced.gp_defense.none", 2),
        ("italian-lmg-squad", "advanced.gp_defense.medium", 6),
        ("italian-lmg-squad", "advanced.gp_defense.heavy", 8),
        ("italian-lmg-squad", "advanced.gp_defense.full_cover", 2),
        ("italian-lmg-squad", "movement.cross_country", 2),
        ("italian-lmg-squad", "advanced.quickmarch", 3),
        ("italian-section", "movement.cross_country", 2),
        ("italian-section", "advanced.quickmarch", 3),
        ("italian-section", "advanced.burdened", 1),
        ("italian-section", "advanced.needs", {"towed": 0, "leg": 1}),
        ("pak-40", "weapons.0.limits.basic", 6),
        ("pak-40", "weapons.0.limits.S", 4),
        ("pak-40", "weapons.0.limits.A", 4),
        ("flak-36", "advanced.size_class", "L"),
        ("flak-36", "weapons.0.rof", "Q"),
        ("flak-36", "advanced.needs", {"towed": 3, "leg": 3}),
        ("flak-36", "weapons.0.gp.1.modifier", 20),
        ("qf-2pdr", "advanced.size_class", "S"),
        ("qf-2pdr", "advanced.gp_defense.medium", 5),
        ("qf-25pdr", "weapons.0.gp.1.kind", "IF"),
    ]
]


@pytest.mark.parametrize(("card", "digit", "result"), [("crusader-i", 4, "DM"), ("pz-iiij", 7, "KO")])
def test_6_5_2_6_2_known_damage(card: str, digit: int, result: str) -> None:
    found = next(c for c in SHELVES["panzer-na"].cards.values() if c.id == card)
    assert found.weapons[0].ammo[0].damage_row.of(digit).value == result


@pytest.mark.parametrize(
    ("card", "range_hexes", "column", "factor"),
    [
        ("panzerjager-i", 3, "P", 3),
        ("panzerjager-i", 7, "S", 2),
        ("sherman-iii", 1, "P", 5),
        ("british-rifle-squad", 3, "S", 6),
        ("german-rifle-half", 1, "P", 6),
        ("italian-lmg-squad", 5, "M", 5),
    ],
)
def test_6_5_4_1_known_gp_factors(card: str, range_hexes: int, column: str, factor: int) -> None:
    row = next(c for c in SHELVES["panzer-na"].cards.values() if c.id == card).weapons[0].gp[0]
    assert row.range_factor(range_hexes) == RangeFactor(column)
    assert row.factor(range_hexes) == factor


def test_attached_weapons_batteries_and_aircraft_are_what_the_method_makes_of_them() -> None:
    cards = SHELVES["panzer-east"]
    assert [rebuild_attachment(one, cards.guns) for one in cards.attachments.values()] == [*cards.attachments.values()]
    assert [rebuild_battery(one) for one in cards.batteries.values()] == [*cards.batteries.values()]
    assert [rebuild_aircraft(one) for one in cards.aircraft.values()] == [*cards.aircraft.values()]


def test_5_1_3_4_a_hand_held_weapon_has_one_gp_factor_at_every_range_that_it_reaches() -> None:
    cards = SHELVES["panzer-east"]
    weapon = cards.attachments[CardId("panzerfaust")].weapon
    assert weapon is not None
    assert not weapon.small_arms
    assert [weapon.range_factor(0, far) for far in (1, 2)] == [RangeFactor.P, None]
    (row,) = weapon.gp
    assert row.R == weapon.ammo[0].R
    assert (row.factor(1), row.factor(2)) == (3, None)


def test_the_eastern_front_has_the_public_cards_of_the_family() -> None:
    """The quoted example: at 300 m the PzKpfw IVH and the T-34/76 have P 25 and 19; a T-34 is no large target."""
    cards = SHELVES["panzer-east"].cards
    found = [cards[CardId(name)] for name in ("pz-ivh", "t-34-76-m42", "t-34-76-m43")]
    assert [card.weapons[0].penetration(0, 3) for card in found] == [25, 19, 19]
    assert [card.size for card in found] == [0, 0, 0]


def test_what_is_known_of_them() -> None:
    cards = SHELVES["panzer-na"]
    mortar = cards.attachments[CardId("grw-34")].weapon
    assert mortar is not None
    assert [row.minimum for row in mortar.gp] == [2, 2]
    battery = cards.batteries[CardId("german-medium-battery")].gp
    assert (battery.range_factor(12), battery.factor(12)) == (RangeFactor.S, 8)
    inches = rebuild_battery(cards.batteries[CardId("german-medium-battery")], INCHES).gp
    assert (inches.factor(26), inches.factor(27)) == (8, 7)
    stuka = cards.aircraft[CardId("ju-87b")]
    assert stuka.dive_bomber
    assert not stuka.fast


def test_the_hull_of_the_public_su_76m() -> None:
    plates = ArmorHistory(turret_front=(Plate(35, 26),), hull_front=(Plate(25.5, 63),), roof_mm=6)
    found = hit_armor(plates, HEXES)
    front = [(grid[HitAngle.FRONT].TF, grid[HitAngle.FRONT].HF) for grid in (found.level, found.rising, found.falling)]
    side = [
        (row.TF, row.HF) for row in (grid[HitAngle.FRONT_SIDE] for grid in (found.level, found.rising, found.falling))
    ]
    assert front == [(8, 14), (8, 18), (7, 11)]
    assert side == [(9, 17), (10, 22), (9, 13)]
    assert found.deck == 7
    assert damage(ZIS_3, AmmoType.AP) == DamageRow(1, 4, 8)


def test_its_gp_row() -> None:
    gun = msgspec.structs.replace(ZIS_3, shell_ms=680)
    row = gp_rows(gun, HEXES)[0]
    assert (Row(5, 9, 16, 23, 27), Row(5, 4, 3, 3, 2)) == (row.R, row.F)


@pytest.mark.parametrize(("pack", "card", "path", "value"), KNOWN + KNOWN_ADVANCED)
def test_the_method_gives_every_known_value(pack: str, card: str, path: str, value: Any) -> None:
    known = next(c for c in SHELVES[pack].cards.values() if c.id == card)
    assert value_at(again(pack, known), path) == value
    assert path in known.verbatim


@pytest.mark.parametrize(("pack", "card"), CARDS)
def test_every_verbatim_value_stands_in_the_table_above(pack: str, card: Card) -> None:
    checked = {path for _, name, path, _ in KNOWN + KNOWN_ADVANCED if name == card.id}
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
