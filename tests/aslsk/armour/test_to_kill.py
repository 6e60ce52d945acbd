"""7.9 To Kill: rows, numbers, and the part that is struck."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.core.modifier import Modifier
from sandtable.systems.aslsk.armour.struck_part import facing_struck
from sandtable.systems.aslsk.armour.to_kill import StrikeKind, gun_row, table_number
from sandtable.systems.aslsk.pieces.armament import Ammo, Armament
from sandtable.systems.aslsk.pieces.cards import CardId, Nationality
from sandtable.systems.aslsk.pieces.vehicle_cards import Aspect, Facing
from tests.aslsk.firing_range import HULL, KV, TURRET, Range

rules = pytest.mark.rules


@rules("3.2.4", "7.9", system="aslsk3")
@pytest.mark.parametrize(
    ("ammo", "row", "reach", "number"),
    [
        (Ammo.AP, "75L", 0, 18),
        (Ammo.AP, "75L", 1, 18),
        (Ammo.AP, "75L", 2, 17),
        (Ammo.AP, "37", 2, 9),
        (Ammo.AP, "37", 3, 8),
        (Ammo.AP, "37", 6, 8),
        (Ammo.AP, "MG", 6, 5),
        (Ammo.AP, "MG", 7, 4),
        (Ammo.AP, "MG", 18, 4),
        (Ammo.AP, "MG", 19, None),
        (Ammo.AP, "12.7", 13, 5),
        (Ammo.AP, "german ATR", 12, 5),
        (Ammo.AP, "german ATR", 13, None),
        (Ammo.AP, "russian ATR", 0, 8),
        (Ammo.AP, "75L", 24, 16),
        (Ammo.AP, "75L", 25, 16),
        (Ammo.AP, "russian 76", 3, 12),
        (Ammo.AP, "russian 76", 19, 11),
        (Ammo.AP, "russian 76L", 3, 13),
        (Ammo.AP, "76L", 3, 17),
        (Ammo.APCR, "50L", 12, 17),
        (Ammo.APCR, "75LL", 1, None),
        (Ammo.APDS, "57L", 7, 18),
        (Ammo.APDS, "50L", 7, None),
        (Ammo.HEAT, "PF", 3, 31),
        (Ammo.HEAT, "BAZ 43", 3, 13),
        (Ammo.HEAT, "BAZ 44", 3, 16),
        (Ammo.HEAT, "PIAT", 3, 15),
        (Ammo.HEAT, "PSK", 3, 26),
        (Ammo.HEAT, "75", 12, 13),
        (Ammo.HEAT, "88", 12, None),
        (Ammo.HE, "70", 12, 7),
        (Ammo.HE, "DC", 1, 16),
        (Ammo.HE, "FT", 1, 8),
    ],
)
def test_7_9_number_of_the_table(ammo: Ammo, row: str, reach: int, number: int | None) -> None:
    assert table_number(Range().clash.context, ammo, row, reach) == number


@rules("7.9", system="aslsk3")
@pytest.mark.parametrize(
    ("barrel", "nation", "ammo", "row"),
    [
        ("76L", Nationality.RUSSIAN, Ammo.AP, "russian 76L"),
        ("76L", Nationality.RUSSIAN, Ammo.APCR, "russian 76L"),
        ("76L", Nationality.AMERICAN, Ammo.AP, "76L"),
        ("76", Nationality.RUSSIAN, Ammo.AP, "russian 76"),
        ("75", Nationality.RUSSIAN, Ammo.AP, "75"),
        ("57L", Nationality.BRITISH, Ammo.APDS, "57L"),
        ("75*", Nationality.GERMAN, Ammo.HEAT, "75"),
        ("37L", Nationality.GERMAN, Ammo.HEAT, "37"),
        ("76L", Nationality.RUSSIAN, Ammo.HE, "70"),
        ("69", Nationality.RUSSIAN, Ammo.HE, "50"),
        ("152*", Nationality.RUSSIAN, Ammo.HE, "150"),
        ("20L", Nationality.GERMAN, Ammo.HE, "20"),
    ],
)
def test_7_9_row_of_a_gun(barrel: str, nation: Nationality, ammo: Ammo, row: str) -> None:
    context = Range().clash.context
    assert gun_row(context, Armament(barrel), nation, ammo) == row
    assert table_number(context, ammo, row, 3) is not None


@rules("7.9", system="aslsk3")
def test_7_9_a_gun_may_use_the_chart_of_another_nation() -> None:
    context = Range().clash.context
    assert gun_row(context, Armament("76L", chart="american"), Nationality.RUSSIAN, Ammo.AP) == "76L"


def test_every_gun_of_the_kit_has_its_rows() -> None:
    context = Range().clash.context
    mains = [(card.id, card.nationality, card.main) for card in context.cards.vehicles.values()]
    mains += [(card.id, card.nationality, card.gun.main) for card in context.cards.weapons.values() if card.gun]
    for name, nation, main in mains:
        if main.is_mg:
            continue
        if main.ap:
            assert table_number(context, Ammo.AP, gun_row(context, main, nation, Ammo.AP), 12), name
        for supply in main.supplies:
            if supply.ammo in (Ammo.APCR, Ammo.APDS, Ammo.HEAT):
                assert table_number(context, supply.ammo, gun_row(context, main, nation, supply.ammo), 12), name


def test_the_counters_of_shaped_charges_agree_with_the_table() -> None:
    context = Range().clash.context
    found = {card.name: card.to_kill for card in context.cards.weapons.values() if card.to_kill}
    assert found == {name: context.tables["to_kill_heat"].number(name) for name in found}
    assert set(found) == {"BAZ 43", "BAZ 44", "PSK", "PIAT"}


@rules("3.2.4", "7.1", system="aslsk3")
@pytest.mark.parametrize(
    ("origin", "faces", "aspect", "facing", "number"),
    [
        # VCA and TCA at N/NE; Armor Factors 6 in front, 3 at the hull's side, 4 at the turret's.
        ("D1", (1, 2), Aspect.TURRET, Facing.FRONT, 11),
        ("D1", (2, 2), Aspect.HULL, Facing.FRONT, 11),
        ("D1", (6, 5), Aspect.HULL, Facing.FRONT, 11),
        ("F4", HULL, Aspect.HULL, Facing.SIDE, 14),
        ("F4", TURRET, Aspect.TURRET, Facing.SIDE, 13),
        ("D5", HULL, Aspect.HULL, Facing.REAR, 15),
        ("D5", TURRET, Aspect.TURRET, Facing.REAR, 14),
    ],
)
def test_3_2_4_part_that_is_struck(
    origin: str, faces: tuple[int, ...], aspect: Aspect, facing: Facing, number: int
) -> None:
    assert Range().part(origin, faces) == (aspect, facing, number)


@rules("3.2.4", system="aslsk3")
def test_3_2_4_turret_and_hull_face_apart() -> None:
    """The hull by the VCA, the turret by the TCA."""
    tank = Range(tca="S/SW")
    assert tank.part("D1", HULL)[1] is Facing.FRONT
    assert tank.part("D1", TURRET)[1] is Facing.REAR
    assert tank.part("D5", HULL)[1] is Facing.REAR
    assert tank.part("D5", TURRET)[1] is Facing.FRONT


@rules("3.2.4", "7.1", system="aslsk3")
@pytest.mark.parametrize(
    ("card", "hull", "turret"),
    [
        # 11 in front, 8 and 11 at the side of hull and turret; 3 in front, 1 and 1; 3 and 2 in front, 3 and 4.
        (KV, (Facing.FRONT, Facing.SIDE, Facing.REAR), (Facing.FRONT, Facing.SIDE, Facing.REAR)),
        ("german/PzKpfw 35t", (Facing.FRONT, Facing.SIDE, Facing.REAR), (Facing.FRONT, Facing.SIDE, Facing.REAR)),
        ("german/PzKpfw IIIF", (Facing.FRONT, Facing.SIDE, Facing.REAR), (Facing.SIDE, Facing.SIDE, Facing.REAR)),
        ("russian/BT-7 M37", (Facing.FRONT, Facing.SIDE, Facing.REAR), (Facing.SIDE, Facing.SIDE, Facing.REAR)),
    ],
)
def test_3_2_4_between_two_facings_the_worst_for_the_firer_counts(
    card: str, hull: tuple[Facing, ...], turret: tuple[Facing, ...]
) -> None:
    """Along the hexspines between front and side, side and rear, rear and rear: the thicker armour is struck."""
    armour = Range().clash.context.cards.vehicles[CardId(card)].armour
    between = ((1, 2), (2, 3), (3, 4))
    for order in (1, -1):
        assert tuple(facing_struck(armour, Aspect.HULL, 0, sides[::order]) for sides in between) == hull
        assert tuple(facing_struck(armour, Aspect.TURRET, 0, sides[::order]) for sides in between) == turret


@rules("3.2.4", "7.1", system="aslsk3")
def test_3_2_4_a_turret_that_is_thinner_in_front_is_struck_at_the_side() -> None:
    """F3 lies on the hexspine where the front ends: 2 in front of the turret, 4 at its side, 3 all around the hull."""
    tank = Range("german/PzKpfw IIIF")
    assert tank.part("F3", TURRET) == (Aspect.TURRET, Facing.SIDE, 17 - 4)
    assert tank.part("F3", HULL) == (Aspect.HULL, Facing.FRONT, 17 - 3)


@rules("3.2.4", "7.2", system="aslsk3")
def test_3_2_4_without_a_turret_the_hull_says_the_facing() -> None:
    gun = Range("german/StuG IIIG(L)")
    assert gun.part("D1", TURRET) == (Aspect.TURRET, Facing.FRONT, 17 - 8)


@rules("3.2.4", system="aslsk3")
@pytest.mark.parametrize(
    ("coloured", "facing"),
    [(1, Facing.REAR), (2, Facing.REAR), (3, Facing.SIDE), (4, Facing.SIDE), (5, Facing.FRONT), (6, Facing.FRONT)],
)
def test_3_2_4_inside_the_hex_the_coloured_die_says_the_facing(coloured: int, facing: Facing) -> None:
    assert Range().part("D3", (coloured, 1))[1] is facing


@rules("3.2.4", "4.2", system="aslsk3")
@pytest.mark.parametrize(
    ("origin", "reach", "exposed", "number"),
    [
        ("D3", 0, False, 9),
        ("D2", 1, False, 8),
        ("D4", 1, False, 9),
        ("D1", 2, False, 4),
        ("D1", 2, True, 5),
        ("D2", 1, True, 9),
        ("D5", 2, True, 6),
    ],
)
def test_4_2_flame_counts_no_armour(origin: str, reach: int, exposed: bool, number: int) -> None:
    tank = Range(KV, exposed=exposed)
    fields: dict[str, Any] = {"reach": reach, "kind": StrikeKind.FLAME, "ammo": Ammo.HE, "rows": ("FT",)}
    assert tank.part(origin, (), **fields)[2] == number


@rules("4.2", system="aslsk3")
def test_4_2_hindrances_modify_the_to_kill_dr_of_flame() -> None:
    tank = Range(KV)
    drm = (Modifier(1, "Hindrance", "3.2.1"),)
    fields: dict[str, Any] = {"reach": 1, "kind": StrikeKind.FLAME, "ammo": Ammo.HE, "rows": ("FT",), "drm": drm}
    assert tank.part("D2", (), **fields)[2] == 7


@rules("6.1", "7.9", system="aslsk3")
@pytest.mark.parametrize(
    ("kind", "row", "number"),
    [(StrikeKind.DIRECT, "75L", 34 + 1 - 3), (StrikeKind.MACHINE_GUN, "MG", 5 + 1 - 3)],
)
def test_7_9_a_critical_hit_doubles_the_number_but_of_a_mg(kind: StrikeKind, row: str, number: int) -> None:
    assert Range().part("D5", HULL, rows=(row,), kind=kind, critical=True)[2] == number


@rules("4.3", system="aslsk3")
def test_4_3_a_charge_strikes_by_the_hexside_of_its_placing() -> None:
    """Its facing is that of the hexside, wherever the placer stands."""
    tank = Range()
    fields: dict[str, Any] = {"kind": StrikeKind.CHARGE, "ammo": Ammo.HE, "rows": ("DC",), "reach": 1}
    assert tank.part("D3", HULL, side=0, **fields) == (Aspect.HULL, Facing.FRONT, 10)
    assert tank.part("D3", HULL, side=3, **fields) == (Aspect.HULL, Facing.REAR, 14)
    assert tank.part("D3", TURRET, side=2, **fields) == (Aspect.TURRET, Facing.SIDE, 12)
