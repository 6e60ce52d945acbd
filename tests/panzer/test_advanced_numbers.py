"""Numbers of the Advanced Game that need no place: commands, close combat, ammunition, response, recovery."""

from __future__ import annotations

import pytest

from sandtable.core.dice import ScriptedDice
from sandtable.systems.panzer.advanced_card import AmmoLimits, TargetType, UnitClass
from sandtable.systems.panzer.combat.ammo_limits import supply
from sandtable.systems.panzer.combat.close_assault import (
    AssaultFacts,
    assault_blast,
    assault_defense,
    assault_factor,
    assault_modifiers,
)
from sandtable.systems.panzer.combat.gp_effects import GpEffect, brews_up_on, fives_and_tens
from sandtable.systems.panzer.combat.gp_fire import GpResult, gp_result
from sandtable.systems.panzer.combat.hand_to_hand import Fighters, fight_modifiers
from sandtable.systems.panzer.combat.hazards import building_number, hull_down_number, quickmarch_number, track_number
from sandtable.systems.panzer.command.available import available_commands, command_range
from sandtable.systems.panzer.command.recovery import recovery_number
from sandtable.systems.panzer.fires.response import (
    Attachment,
    CallFacts,
    ObserverKind,
    Response,
    response_of,
    response_to,
)
from sandtable.systems.panzer.history import AmmoType
from sandtable.systems.panzer.unit import Grade
from tests.panzer.combat.test_advanced_combat import TABLES, blast

rules = pytest.mark.rules
NA = "panzer-na"


@rules("6.2.1", "6.2.1.1", "6.2.1.1.1", "6.2.1.1.2", system=NA)
@pytest.mark.parametrize(
    ("grade", "active", "commands"),
    [("Regulars", 7, 3), ("Veteran", 12, 8), ("Seasoned", 27, 16), ("Green", 1, 1), ("Elite", 0, 1), ("Elite", 20, 16)],
)
def test_6_2_1_1_1_available_commands(grade: str, active: int, commands: int) -> None:
    assert available_commands(TABLES["available_commands"], Grade(grade), active) == commands


@rules("6.2.1.1.2", system=NA)
def test_6_2_1_1_2_command_range() -> None:
    assert [command_range(TABLES["available_commands"], grade) for grade in Grade] == [2, 1, 1, 0, 0]


@rules("6.6.1.1.1", "6.6.1.1.2", "6.6.1.1.3", system=NA)
def test_6_6_1_1_3_the_example_of_the_squad_and_the_semovente() -> None:
    facts = AssaultFacts(attacker=UnitClass.SQUAD, grade=Grade.REGULARS, moving=True, helpless=True, suppressed=True)
    assert assault_factor(TABLES["close_assault"], UnitClass.SQUAD) == 8
    final = 45 + assault_modifiers(facts, TABLES).total
    assert final == 65
    assert gp_result(TABLES["gp_combat"], 8, assault_defense(2), final) is GpResult.EFFECTIVE
    assert fives_and_tens(blast(is_vehicle=True), final) is GpEffect.DAMAGED


@rules("6.6.1.1.2", system=NA)
@pytest.mark.parametrize(
    ("facts", "net"),
    [
        ({}, 0),
        ({"advanced": True, "uphill": True}, -20),
        ({"dismounted": True}, -10),
        ({"unsupported": True}, 30),
        ({"others": (UnitClass.SQUAD, UnitClass.SECTION, UnitClass.SECTION)}, 30),
        ({"others": (UnitClass.HALF_SQUAD,)}, 10),
        ({"target_type": TargetType.P}, 20),
        ({"target_type": TargetType.S}, 30),
        ({"flamethrower": True, "grade": Grade.VETERAN}, 30),
    ],
)
def test_6_6_1_1_2_close_assault_modifiers(facts: dict[str, object], net: int) -> None:
    whole = AssaultFacts(**{"attacker": UnitClass.SQUAD, "grade": Grade.SEASONED, **facts})  # type: ignore[arg-type]
    assert assault_modifiers(whole, TABLES).total == net


@rules("6.6.1.1.1", "6.6.1.1.3", system=NA)
def test_6_6_1_1_3_brewing_up_and_the_strongest_defense() -> None:
    table = TABLES["close_assault"]
    on = [
        brews_up_on(assault_blast(table, AssaultFacts(attacker=kind, grade=Grade.SEASONED)))
        for kind in (UnitClass.SQUAD, UnitClass.HALF_SQUAD, UnitClass.SECTION)
    ]
    assert on == [4, 2, 1]
    assert [assault_defense(defense) for defense in (1, 5, 6, 9)] == [1, 5, 5, 5]


@rules("6.6.1.2.1", "6.6.1.2.2", "6.6.1.2.3", system=NA)
def test_6_6_1_2_3_the_example_of_three_roll_offs() -> None:
    def net(unit: UnitClass, grade: Grade, *others: UnitClass) -> int:
        return fight_modifiers(Fighters(unit=unit, grade=grade, others=others), TABLES).total

    squad, half = UnitClass.SQUAD, UnitClass.HALF_SQUAD
    assert (13 + net(squad, Grade.VETERAN, half), 65 + net(squad, Grade.REGULARS)) == (33, 55)
    assert (72 + net(half, Grade.VETERAN, half), 51 + net(squad, Grade.REGULARS)) == (67, 41)
    assert (48 + net(half, Grade.VETERAN, half), 62 + net(half, Grade.REGULARS)) == (43, 27)


@rules("6.6.1.2.2", system=NA)
@pytest.mark.parametrize(
    ("side", "net"),
    [
        ({"unit": UnitClass.SECTION}, -30),
        ({"unit": UnitClass.TOWED, "suppressed": True}, -60),
        ({"advanced": True, "uphill": True, "dismounted": True}, -30),
        ({"others": (UnitClass.SQUAD, UnitClass.SECTION)}, 25),
        ({"flamethrower": True}, 20),
    ],
)
def test_6_6_1_2_2_hand_to_hand_modifiers(side: dict[str, object], net: int) -> None:
    whole = Fighters(**{"unit": UnitClass.SQUAD, "grade": Grade.SEASONED, **side})  # type: ignore[arg-type]
    assert fight_modifiers(whole, TABLES).total == net


@rules("5.16.2", "5.16.2.1", "5.16.2.2", system=NA)
@pytest.mark.parametrize(
    ("limits", "ammo", "rolls", "special", "short"),
    [
        (AmmoLimits(A=4), AmmoType.APCR, [7], False, 1),
        (AmmoLimits(A=4), AmmoType.APCR, [4], True, 0),
        (AmmoLimits(A=4), AmmoType.AP, [], False, 0),
        (AmmoLimits(basic=6, A=4), AmmoType.APCR, [5, 7], False, 2),
        (AmmoLimits(basic=6, A=4), AmmoType.APCR, [5, 6], False, 1),
        (AmmoLimits(basic=3), AmmoType.AP, [4], False, 1),
        (AmmoLimits(basic=3), AmmoType.AP, [3], False, 0),
        (AmmoLimits(H=5), AmmoType.HEAT, [6], False, 1),
        (AmmoLimits(), AmmoType.HEAT, [], True, 0),
    ],
)
def test_5_16_2_rolls_for_ammunition(
    limits: AmmoLimits, ammo: AmmoType, rolls: list[int], special: bool, short: int
) -> None:
    dice = ScriptedDice(rolls)
    assert supply(dice, limits, ammo, unlimited=False) == (special, short)
    assert dice.left == 0


@rules("5.16.2.1", "5.16.2.4", system=NA)
def test_5_16_2_4_basic_ammo_at_a_dump_is_unlimited_and_heat_alone_is_basic() -> None:
    assert supply(ScriptedDice([]), AmmoLimits(basic=3), AmmoType.AP, unlimited=True) == (False, 0)
    assert supply(ScriptedDice([7]), AmmoLimits(basic=6, A=4), AmmoType.APCR, unlimited=True) == (False, 1)
    only = supply(ScriptedDice([7]), AmmoLimits(basic=6, H=2), AmmoType.HEAT, unlimited=False, only_heat=True)
    assert only == (False, 1)


@rules("6.5.1.12", "6.5.1.12.1", "6.5.1.13", system=NA)
def test_6_5_1_13_the_example_of_two_batteries() -> None:
    fo = CallFacts(observer=ObserverKind.FO, attachment=Attachment.ATTACHED, grade=Grade.SEASONED)
    assert response_of(response_to(fo, TABLES), 5) is Response.COMES
    assert response_of(response_to(fo, TABLES), 2) is Response.COMES
    organic = CallFacts(observer=ObserverKind.FO, attachment=Attachment.ORGANIC, grade=Grade.SEASONED, registered=True)
    assert response_to(organic, TABLES).total == 4
    assert response_of(response_to(organic, TABLES), 2) is Response.COMES
    assert response_of(response_to(organic, TABLES), 1) is Response.ASTRAY


@rules("6.5.1.12.1", system=NA)
@pytest.mark.parametrize(
    ("facts", "net"),
    [
        ({}, 0),
        ({"registered": True}, 2),
        ({"command_recon": True, "adjusted": True}, 2),
        ({"suppressed": True, "damaged": True}, -4),
        ({"hindered": 3}, -3),
        ({"heat_haze": True}, -1),
        ({"grade": Grade.ELITE}, 1),
        ({"grade": Grade.GREEN}, -1),
    ],
)
def test_6_5_1_12_1_response_modifiers(facts: dict[str, object], net: int) -> None:
    plain = {"observer": ObserverKind.BHQ, "attachment": Attachment.UNATTACHED, "grade": Grade.SEASONED}
    number = response_to(CallFacts(**{**plain, **facts}), TABLES)  # type: ignore[arg-type]
    assert (number.net, number.total) == (net, 8)
    if net > -4:
        assert response_of(number, 8 - net) is Response.COMES
        assert response_of(number, 7 - net) is Response.FAILS


@rules("6.8.3", "6.8.3.1", "6.8.3.1.1", "6.8.3.1.2", "6.8.3.2", system=NA)
def test_6_8_3_2_the_example_of_the_italian_squad() -> None:
    number = recovery_number(TABLES, Grade.REGULARS, commanded=True, under_fire=True)
    assert number.total == 20
    assert recovery_number(TABLES, Grade.REGULARS, commanded=False, under_fire=False).total == 50
    assert recovery_number(TABLES, Grade.REGULARS, commanded=False, under_fire=True).total == 40


@rules("6.6.3", "6.6.4.2", "6.6.9", system=NA)
def test_6_6_3_what_a_move_risks() -> None:
    number = building_number(TABLES["building_entry"], "brick", 2)
    # A net 42 of 32 falls within 01-65.
    assert number.total == 55
    assert track_number(TABLES["building_entry"], "brick") == 65
    assert quickmarch_number(TABLES["unit_grade"], Grade.VETERAN) == 40
    assert hull_down_number(TABLES, 30, 0, Grade.SEASONED, partial=False).total == 30
    assert hull_down_number(TABLES, 30, 2, Grade.GREEN, partial=False).total == 10
    assert hull_down_number(TABLES, 30, -1, Grade.VETERAN, partial=True).total == 60
