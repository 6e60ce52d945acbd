"""8.2, 8.4 What is measured of a shot: overwatch by turret, hit angles, hull down, and what the hits come to."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from sandtable.core.content.table import Table
from sandtable.geo.plane.points import Point
from sandtable.systems.panzer.advanced_card import Damage, Location
from sandtable.systems.panzer.cards import CardId, RateOfFire
from sandtable.systems.panzer.combat.ap_hits import cuts_of_hits, hits_of
from sandtable.systems.panzer.mini.cards import Angle, Traverse
from sandtable.systems.panzer.mini.combat.hit_angles import angles_of, angles_struck
from sandtable.systems.panzer.mini.combat.hits import Plate, Shell, resolve_hit
from sandtable.systems.panzer.mini.combat.hull_down import is_hull_down
from sandtable.systems.panzer.mini.combat.measures import Aim, plates_of, refuse_shot, shot_of, swing_of
from sandtable.systems.panzer.mini.context import Context
from sandtable.systems.panzer.mini.ground import Ground
from sandtable.systems.panzer.mini.state import FieldOfFire, State, Unit
from sandtable.systems.panzer.ranges import RangeFactor
from sandtable.systems.panzer.unit import UnitId
from tests.panzer.mini.games import position
from tests.panzer.mini.tables import TABLES, TERRAIN, box, inch, table_of

MINI = "panzer-mini"
CENTRE = inch(36, 24)


def placed(**soviet: Any) -> tuple[Context, State, Unit]:
    """A vehicle in the middle of an empty table."""
    unit = {"id": "S1", "card": "t-34-76-m43", "at": "36,24", **soviet}
    sides = [
        {"id": "soviet", "title": "Soviets", "units": [unit]},
        {"id": "german", "title": "Germans", "units": [{"id": "G1", "card": "pz-ivh", "at": "1,1"}]},
    ]
    found = position(map={"drawn": {"table": {"width": 72, "depth": 48}}}, sides=sides)
    ruleset: Any = found.ruleset
    return ruleset.context, found.state, found.state.units[UnitId("S1")]


# --- overwatch ----------------------------------------------------------------------------------------

SIDES = {"front": inch(36, 14), "side": inch(46, 24), "rear": inch(36, 34)}


@pytest.mark.rules("8.4.2.9", "8.4.2.9.1", "8.4.2.10", "8.4.2.10.1", "8.4.2.10.2", "8.4.2.10.3", system=MINI)
@pytest.mark.rules("8.4.2.10.4", "8.4.2.10.5", "8.4.2.10.6", "8.4.2.11", "8.4.2.11.1", "8.4.2.11.2", system=MINI)
@pytest.mark.rules("8.4.2.11.3", "8.4.2.11.4", "8.4.2.11.5", "8.4.2.11.6", "8.2.1.2", "8.2.1.5", system=MINI)
@pytest.mark.parametrize(
    ("traverse", "mount", "expected"),
    [
        (Traverse.FAST, "all", (-1, -1, -3)),
        (Traverse.NORMAL, "all", (-1, -3, -5)),
        (Traverse.SLOW, "all", (-1, -5, None)),
        (Traverse.ALL_ROUND, "all", (-1, -1, -1)),
        (Traverse.FIXED, "front", (-1, None, None)),
        (Traverse.FIXED, "rear", (None, None, -1)),
    ],
)
def test_8_4_2_9_overwatch_by_traverse_and_field(
    traverse: Traverse, mount: str, expected: tuple[int | None, ...]
) -> None:
    context, _, unit = placed()
    card = context.card_of(unit)
    weapon = replace(card.weapons[0], mount=type(card.weapons[0].mount)(mount))
    cards = {**context.cards, card.id: replace(card, traverse=traverse, weapons=(weapon,))}
    changed = replace(context, cards=cards)
    swings = [swing_of(changed, Aim(unit, overwatch=True), place) for place in SIDES.values()]
    modifiers = context.tables["ap_hit_modifiers"]
    assert tuple(None if one is None else modifiers.number(one.row, "value") for one in swings) == expected


@pytest.mark.rules("8.4.2.10.7", "8.4.2.11.7", "8.4.7.4", "8.2.1.1", system=MINI)
def test_8_4_2_10_7_the_turret_turns_to_the_target() -> None:
    context, _, unit = placed(turret="right")
    aim = Aim(unit, overwatch=True)
    found = {name: swing_of(context, aim, place) for name, place in SIDES.items()}
    turrets = {name: swing.turret for name, swing in found.items() if swing is not None}
    assert turrets == {"front": FieldOfFire.FRONT, "side": FieldOfFire.RIGHT, "rear": FieldOfFire.REAR}
    damaged = aim._replace(firer=replace(unit, damaged=True))
    assert swing_of(context, damaged, inch(26, 24)) is None  # a Slow turret does not get round to its rear


@pytest.mark.rules("8.2", "4.5.2", "8.4.1.1", system=MINI)
def test_8_2_what_cannot_be_fired_says_why() -> None:
    context, state, unit = placed()
    target = replace(state.units[UnitId("G1")], at=inch(46, 24))
    assert refuse_shot(context, Aim(unit), replace(target, at=inch(36, 10))) is None
    numbers = [
        refuse_shot(context, Aim(unit), target),
        refuse_shot(context, Aim(unit, ammo=1), replace(target, at=inch(36, 10))),
        refuse_shot(context, Aim(replace(unit, at=inch(71, 47))), replace(target, at=inch(1, 1))),
    ]
    assert [refusal.rule if refusal else "" for refusal in numbers] == ["8.2", "8.4.1.1", "4.5.2"]


@pytest.mark.rules("8.4.2.1", "8.4.2.3", "8.4.2.5", "8.4.2.8", "4.7", system=MINI)
def test_8_4_2_the_facts_of_a_shot() -> None:
    context, state, unit = placed()
    target = replace(state.units[UnitId("G1")], at=inch(36, 10))
    facts = shot_of(context, state, Aim(unit), target, moving=True)
    assert (facts.range_factor, facts.target_moving, facts.cover.value) == (RangeFactor.M, True, "None")
    assert facts.smoke == 0


# --- hit angles ---------------------------------------------------------------------------------------


@pytest.mark.rules("1.1.6", "8.4.5.1", "8.4.5.1.1", system=MINI)
@pytest.mark.parametrize(
    ("dx", "dy", "angles"),
    [
        (0, -10, [Angle.FRONT]),
        (10, -10, [Angle.FRONT_SIDE]),
        (-10, -10, [Angle.FRONT_SIDE]),
        (10, 0, [Angle.SIDE]),
        (10, 10, [Angle.REAR_SIDE]),
        (0, 10, [Angle.REAR]),
        (-10, 0, [Angle.SIDE]),
        (4.142, -10, [Angle.FRONT, Angle.FRONT_SIDE]),
        (-4.142, -10, [Angle.FRONT, Angle.FRONT_SIDE]),
    ],
)
def test_8_4_5_1_1_eight_sections_in_five_angles(dx: float, dy: float, angles: list[Angle]) -> None:
    found = angles_of(CENTRE, 0, inch(36 + dx, 24 + dy))
    assert sorted(found) == sorted(angles)


@settings(max_examples=50, deadline=None)
@given(st.integers(-20000, 20000), st.integers(-20000, 20000), st.integers(0, 3599), st.integers(0, 3))
def test_hit_angles_turn_and_mirror_with_the_table(dx: int, dy: int, heading: int, quarters: int) -> None:
    x, y = dx, dy
    for _ in range(quarters):
        x, y = -y, x
    there = set(angles_of(CENTRE, heading, (CENTRE.x + dx, CENTRE.y + dy)))
    assert set(angles_of(CENTRE, (heading + 900 * quarters) % 3600, (CENTRE.x + x, CENTRE.y + y))) == there
    assert set(angles_of(CENTRE, -heading % 3600, (CENTRE.x - dx, CENTRE.y + dy))) == there


@pytest.mark.rules("8.4.5.2", "8.1.1.2", system=MINI)
def test_8_4_5_2_the_turret_has_its_own_angle() -> None:
    context, state, unit = placed(turret="rear")
    found = angles_struck(unit, inch(36, 14))
    assert (found.hull, found.turret) == ((Angle.FRONT,), (Angle.REAR,))
    plates = plates_of(context, state, replace(state.units[UnitId("G1")], at=inch(40.142, 14)), unit)
    assert len(plates) == 4  # on the line of both: the owner picks


# --- hits ---------------------------------------------------------------------------------------------


@pytest.mark.rules("8.4.4", "8.4.4.1", "8.4.4.2", "8.4.4.2.1", "8.4.4.2.2", system=MINI)
def test_8_4_4_bands_of_hits() -> None:
    table = TABLES["ap_hits"]
    assert cuts_of_hits(table, 56, RateOfFire.F) == (11, 22, 56)
    assert [hits_of(table, 56, RateOfFire.F, roll) for roll in (11, 12, 22, 23, 56, 57)] == [3, 2, 2, 1, 1, 0]
    assert hits_of(table, 56, RateOfFire.N, 1) == 1
    assert hits_of(table, 4, RateOfFire.F, 1) == 1


@pytest.mark.rules("8.4.3", system=MINI)
def test_8_4_3_the_hit_numbers_of_the_book() -> None:
    table: Table = TABLES["ap_hit"]
    assert (table.number(-2, "S"), table.number(-6, "S"), table.number(-7, "P")) == (56, 28, 27)
    assert table.number(-15, "E") == 0
    assert table.number(9, "P") == 100


@pytest.mark.rules("8.4.5.3", "8.4.5.4", "8.4.5.5", "8.4.6.1.1", "8.4.6.1.2", "8.4.6.1.3", "8.4.7.2", system=MINI)
def test_8_4_5_5_where_hits_strike_and_what_they_do() -> None:
    context, _, unit = placed()
    card = context.card_of(unit)
    shell = Shell(context.cards[CardId("pz-ivh")].weapons[0].ammo[0], RangeFactor.P)
    front = Plate(Angle.FRONT, Angle.FRONT)

    def strike(plate: Plate, roll: int) -> tuple[Location | None, Damage | None]:
        hit = resolve_hit(TABLES, card, plate, shell, roll)
        return hit.location, hit.damage

    assert strike(front, 100) == (Location.TK, None)
    assert strike(front, 55) == (Location.HF, Damage.KO)
    hidden = front._replace(hull_down=True)
    assert [strike(hidden, tens * 10 + 5)[0] is None for tens in (5, 6, 7, 8, 9, 0)] == [
        False,
        True,
        False,
        True,
        True,
        True,
    ]
    assert strike(front._replace(falling=True), 15)[0] is Location.DK
    assert strike(front._replace(hull=Angle.SIDE, turret=Angle.SIDE), 71) == (Location.HS, Damage.ND)
    assert strike(Plate(Angle.REAR_SIDE, Angle.FRONT), 19)[0] is Location.TF
    truck = context.cards[CardId("opel-blitz")]
    soft = resolve_hit(TABLES, truck, front._replace(falling=True), shell, 15)
    assert (soft.location, soft.damage) == (Location.TF, Damage.DM)  # 5 - 3


@pytest.mark.rules("5.5.3", "5.5.1.3", "5.5.1.12", "5.5.1.19", "5.5.1.23", system=MINI)
@pytest.mark.parametrize(
    ("kind", "hidden"),
    [("brick_building", True), ("stone_building", True), ("wood_building", False), ("improved_position", True)],
)
def test_5_5_3_positions_that_hide_the_hull(kind: str, hidden: bool) -> None:
    ground = Ground(table_of([box(kind, 35, 23, 37, 25)]), TERRAIN)
    assert is_hull_down(ground, TABLES["measures"], inch(60, 24), CENTRE) is hidden
    assert not is_hull_down(ground, TABLES["measures"], CENTRE, Point(60000, 24000))
