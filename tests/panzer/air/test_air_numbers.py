"""Numbers of aircraft and anti-aircraft fire that need no place (5.4, 5.16.2.6, 6.7)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.core.decision import Seat
from sandtable.systems.panzer.advanced_card import GpKind, GpRow
from sandtable.systems.panzer.air.acquiring import (
    Watch,
    acquire_range,
    blocked_within,
    coming_in,
    flown_on,
    track_range,
)
from sandtable.systems.panzer.air.aircraft import (
    Aircraft,
    AirWeapon,
    Altitude,
    Load,
    Pace,
    Speed,
    attacks_left,
    loads_of,
    refuse_appearance,
    refuse_flight,
    refuse_weapon,
)
from sandtable.systems.panzer.air.anti_aircraft import AirEffect, aa_blast, aa_effect, aa_rows, refuse_aa_row
from sandtable.systems.panzer.air.strikes import air_blast, altitude_after, crash_blast, crash_distance
from sandtable.systems.panzer.card_files import parse_shelf
from sandtable.systems.panzer.cards import CardId
from sandtable.systems.panzer.combat.gp_fire import GpResult, gp_modifiers
from sandtable.systems.panzer.markers import Suppression
from sandtable.systems.panzer.ranges import RangeFactor, Row
from sandtable.systems.panzer.support_cards import AircraftCard, RocketAttack
from sandtable.systems.panzer.unit import Grade, UnitId
from tests.panzer.combat.test_advanced_combat import TABLES
from tests.panzer.grounds import PACKS

rules = pytest.mark.rules
NA = "panzer-na"
SHELF = parse_shelf({file.name: file.read_bytes() for file in sorted((PACKS / NA / "cards").glob("*.yaml"))})
STUKA = SHELF.aircraft[CardId("ju-87b")]
FIGHTER = SHELF.aircraft[CardId("bf-109e")]
FLAK = SHELF.cards[CardId("flak-36")]
ROCKETS = RocketAttack(GpRow(Row(2, 4, 6, 8, 10), Row(9, 8, 7, 6, 5), minimum=2, effectiveness=4), 2)
LOW, MEDIUM, HIGH = Altitude.LOW, Altitude.MEDIUM, Altitude.HIGH
SLOW, FAST = Speed.SLOW, Speed.FAST
A = UnitId("a")


def plane(**changes: Any) -> Aircraft:
    return replace(Aircraft(UnitId("p1"), Seat("red"), CardId("ju-87b"), Grade.SEASONED, Load.BOMBS), **changes)


def rocketeer() -> AircraftCard:
    return replace(FIGHTER, rockets=ROCKETS)


def cited(refusal: Any) -> str:
    return "" if refusal is None else str(refusal.rule)


@rules("5.4", "6.7.1", system=NA)
def test_6_7_1_either_bombs_or_rockets_and_always_guns() -> None:
    assert loads_of(STUKA) == (Load.BOMBS,)
    assert loads_of(rocketeer()) == (Load.BOMBS, Load.ROCKETS)
    assert loads_of(SHELF.aircraft[CardId("mc-202")]) == (Load.NONE,)
    assert all(card.strafe is not None for card in SHELF.aircraft.values())
    loaded = plane(load=Load.ROCKETS)
    assert cited(refuse_weapon(rocketeer(), loaded, AirWeapon.BOMBS, MEDIUM, limited=True)) == "6.7.3.3"
    assert cited(refuse_weapon(rocketeer(), loaded, AirWeapon.ROCKETS, LOW, limited=True)) == ""


@rules("5.16.2.6", "6.7.1", system=NA)
def test_5_16_2_6_limits_are_exact_numbers_of_attacks() -> None:
    assert attacks_left(STUKA, plane(strafed=1), AirWeapon.STRAFE, limited=True) == 2
    assert attacks_left(STUKA, plane(dropped=1), AirWeapon.DIVE, limited=True) == 0
    spent = plane(dropped=1)
    assert cited(refuse_weapon(STUKA, spent, AirWeapon.DIVE, HIGH, limited=True)) == "5.16.2.6"
    assert refuse_weapon(STUKA, spent, AirWeapon.DIVE, HIGH, limited=False) is None


@rules("6.7.2.1", system=NA)
@pytest.mark.parametrize(
    ("changes", "turn", "rule"),
    [
        ({}, 2, "6.7.2.1"),
        ({}, 3, ""),
        ({"appeared": 3, "flown": 3}, 3, "6.7.2.1"),
        ({"appeared": 3, "flown": 3}, 4, ""),
        ({"appeared": 3, "flown": 3}, 7, ""),
        ({"appeared": 3, "flown": 3}, 8, "6.7.2.1"),
        ({"lost": True}, 3, "6.7.4.2.1"),
    ],
)
def test_6_7_2_1_five_turns_of_loitering_and_one_flight_a_turn(changes: Any, turn: int, rule: str) -> None:
    assert cited(refuse_appearance(TABLES["aircraft_numbers"], plane(**changes), turn, 3)) == rule


@rules("6.7.2.2", "6.7.4.2.1", system=NA)
def test_6_7_2_2_the_ju_87_is_slow_and_so_is_what_was_damaged() -> None:
    assert cited(refuse_flight(STUKA, plane(), FAST)) == "6.7.2.2"
    assert refuse_flight(STUKA, plane(), SLOW) is None
    assert refuse_flight(FIGHTER, plane(), FAST) is None
    assert cited(refuse_flight(FIGHTER, plane(damaged=True), FAST)) == "6.7.4.2.1"


@rules("6.7.2.3.2", "6.7.3.2", "6.7.3.3", "6.7.3.4", system=NA)
@pytest.mark.parametrize(
    ("weapon", "altitudes"),
    [
        (AirWeapon.STRAFE, {LOW}),
        (AirWeapon.BOMBS, {MEDIUM, HIGH}),
        (AirWeapon.DIVE, {HIGH}),
    ],
)
def test_6_7_3_altitudes_of_attacks(weapon: AirWeapon, altitudes: set[Altitude]) -> None:
    allowed = {one for one in Altitude if refuse_weapon(STUKA, plane(), weapon, one, limited=True) is None}
    assert allowed == altitudes


@rules("6.7.2.3.2", system=NA)
def test_6_7_2_3_2_the_ju_87_dives_and_a_fighter_does_not() -> None:
    assert STUKA.dive_bomber
    assert altitude_after(AirWeapon.DIVE, HIGH) is LOW
    assert altitude_after(AirWeapon.BOMBS, HIGH) is HIGH
    assert cited(refuse_weapon(FIGHTER, plane(), AirWeapon.DIVE, HIGH, limited=True)) == "6.7.2.3.2"


@rules("6.7.3.4", system=NA)
def test_6_7_3_4_rockets_from_low_altitude_at_2_to_10_hexes() -> None:
    loaded = plane(load=Load.ROCKETS, grade=Grade.VETERAN)
    assert cited(refuse_weapon(rocketeer(), loaded, AirWeapon.ROCKETS, MEDIUM, limited=True)) == "6.7.3.4"
    far = air_blast(rocketeer(), loaded, AirWeapon.ROCKETS, Pace(SLOW, LOW), distance=8, tables=TABLES)
    assert (far.factor, far.range_factor, far.effectiveness) == (6, RangeFactor.L, 4)
    assert gp_modifiers(far, TABLES).total == 20 + 5
    assert ROCKETS.gp.range_factor(1) is None
    assert ROCKETS.gp.range_factor(11) is None


@rules("6.7.3.1.1", system=NA)
def test_6_7_3_1_1_fast_at_low_altitude_takes_10_hexes() -> None:
    table = TABLES["aircraft_spotting"]
    assert acquire_range(table, Pace(FAST, LOW), suppressed=False) == 10
    assert acquire_range(table, Pace(FAST, LOW), suppressed=True) == 20


@rules("6.7.4.1.1", system=NA)
def test_6_7_4_1_1_fast_at_medium_altitude_is_tracked_after_6_hexes() -> None:
    table = TABLES["aircraft_spotting"]
    assert track_range(table, Pace(FAST, MEDIUM), suppressed=False) == 6
    assert track_range(table, Pace(FAST, MEDIUM), suppressed=True) == 12


@rules("6.7.3.1.1", "6.7.4.1.1", system=NA)
def test_6_7_3_1_1_sight_that_breaks_is_begun_anew() -> None:
    watch = coming_in([A], [])
    assert (watch.flown[A], watch.got) == (1, ())
    watch = flown_on(flown_on(watch, {A: 3}), {A: 3})
    assert watch.got == (A,)
    assert flown_on(watch, {}) == Watch()
    assert flown_on(flown_on(watch, {}), {A: 3}).got == ()


@rules("6.7.3.1.1", "6.7.4.1.1", system=NA)
def test_6_7_3_1_1_suppression_doubles_what_is_not_acquired_yet() -> None:
    halfway = flown_on(coming_in([A], []), {A: 3})
    assert flown_on(halfway, {A: 6}).got == ()
    later = halfway
    for _ in range(4):
        later = flown_on(later, {A: 6})
    assert later.got == (A,), "the hexes flown before count"
    acquired = flown_on(halfway, {A: 3})
    assert flown_on(acquired, {A: 6}).got == (A,), "what is acquired stays so"


@rules("6.7.3.1.1", "6.7.4.1.1", system=NA)
def test_6_7_3_1_1_what_is_near_the_edge_is_acquired_as_it_flies_up() -> None:
    assert coming_in([A, UnitId("b")], [A]).got == (A,)


@rules("6.7.3.1.3", system=NA)
@pytest.mark.parametrize(
    ("altitude", "height", "within"),
    [(LOW, 3, 2), (LOW, 2, 1), (LOW, 1, 0), (MEDIUM, 3, 0), (MEDIUM, 4, 1), (MEDIUM, 6, 3), (HIGH, 6, 1), (HIGH, 5, 0)],
)
def test_6_7_3_1_3_how_near_an_obstacle_blocks(altitude: Altitude, height: int, within: int) -> None:
    assert blocked_within(TABLES["aircraft_sight"], altitude, height) == within


@rules("6.7.3.2", "6.7.3.5", system=NA)
def test_6_7_3_2_small_arms_strafe_at_point_blank_and_grades_go_by_extreme_range() -> None:
    green = plane(grade=Grade.GREEN)
    found = air_blast(STUKA, green, AirWeapon.STRAFE, Pace(SLOW, LOW), distance=1, tables=TABLES)
    assert (found.small_arms, found.range_factor, found.factor) == (True, RangeFactor.P, 2)
    assert [(one.value, one.label) for one in gp_modifiers(found, TABLES).terms] == [
        (20, "Attack at Low Altitude"),
        (-25, "Green Unit Grade, Extreme Range"),
    ]


@rules("6.7.3.5", system=NA)
@pytest.mark.parametrize(
    ("weapon", "pace", "total"),
    [
        (AirWeapon.STRAFE, Pace(SLOW, LOW), 20),
        (AirWeapon.STRAFE, Pace(FAST, LOW), 0),
        (AirWeapon.DIVE, Pace(SLOW, HIGH), 20),
        (AirWeapon.BOMBS, Pace(SLOW, MEDIUM), 10),
        (AirWeapon.BOMBS, Pace(SLOW, HIGH), 0),
        (AirWeapon.BOMBS, Pace(FAST, MEDIUM), -10),
    ],
)
def test_6_7_3_5_aircraft_combat_modifiers(weapon: AirWeapon, pace: Pace, total: int) -> None:
    found = air_blast(STUKA, plane(), weapon, pace, distance=1, tables=TABLES)
    assert gp_modifiers(found, TABLES).total == total


@rules("6.7.3.5", system=NA)
def test_6_7_3_5_damage_and_suppression_count_and_grades_not_for_bombs() -> None:
    worn = plane(damaged=True, suppression=Suppression.ON, grade=Grade.GREEN)
    found = air_blast(STUKA, worn, AirWeapon.BOMBS, Pace(SLOW, HIGH), distance=1, tables=TABLES)
    assert gp_modifiers(found, TABLES).total == -10 - 20


@rules("6.7.4", system=NA)
def test_6_7_4_only_units_with_an_aa_row_fire_at_aircraft() -> None:
    assert [row.kind for _, _, row in aa_rows(FLAK)] == [GpKind.ANTI_AIRCRAFT]
    assert aa_rows(SHELF.cards[CardId("pak-38")]) == ()


def fired(pace: Pace, **given: Any) -> int:
    (_, _, row) = aa_rows(FLAK)[0]
    grade = given.pop("grade", Grade.SEASONED)
    found = aa_blast(row, 10, STUKA.gp_defense, pace, TABLES["aircraft_modifiers"], grade=grade, **given)
    assert (found.defense, found.overwatch) == (STUKA.gp_defense, False)
    return gp_modifiers(found, TABLES).total


@rules("6.7.4.2", "6.5.4.2.4", system=NA)
def test_6_7_4_2_the_flak_36_has_20_and_speed_and_altitude_count() -> None:
    assert fired(Pace(SLOW, MEDIUM)) == 20
    assert fired(Pace(FAST, HIGH)) == 20 - 10 - 10
    assert fired(Pace(SLOW, LOW)) == 20 + 10
    assert fired(Pace(FAST, LOW)) == 20 - 10 + 10
    assert fired(Pace(SLOW, MEDIUM), suppressed=True, damaged=True, ammo_short=True) == 20 - 20 - 10 - 10
    assert fired(Pace(SLOW, MEDIUM), grade=Grade.GREEN) == 20 - 10


@rules("6.7.4.1.2", system=NA)
def test_6_7_4_1_2_some_do_not_reach_high_altitude() -> None:
    light = next(row for card in SHELF.cards.values() for _, _, row in aa_rows(card) if row.no_high)
    assert cited(refuse_aa_row(light, HIGH, 3)) == "6.7.4.1.2"
    assert refuse_aa_row(light, MEDIUM, 3) is None
    assert cited(refuse_aa_row(light, LOW, 99)) == "6.5.4.1"
    assert refuse_aa_row(aa_rows(FLAK)[0][2], HIGH, 3) is None


@rules("6.7.4.2.1", system=NA)
@pytest.mark.parametrize(
    ("result", "final", "damaged", "effect"),
    [
        (GpResult.NONE, 50, False, AirEffect.NONE),
        (GpResult.SUPPRESSED, 50, False, AirEffect.SUPPRESSED),
        (GpResult.EFFECTIVE, 95, False, AirEffect.DAMAGED),
        (GpResult.EFFECTIVE, 100, False, AirEffect.DAMAGED),
        (GpResult.EFFECTIVE, 100, True, AirEffect.SHOT_DOWN),
        (GpResult.EFFECTIVE, 97, False, AirEffect.SHOT_DOWN),
    ],
)
def test_6_7_4_2_1_results(result: GpResult, final: int, damaged: bool, effect: AirEffect) -> None:
    assert aa_effect(result, final, damaged=damaged) is effect


@rules("6.7.4.2.1", system=NA)
def test_6_7_4_2_1_a_crash_is_so_far_ahead_and_strikes_with_15() -> None:
    assert [crash_distance(7, altitude) for altitude in Altitude] == [3, 7, 7]
    assert crash_distance(1, LOW) == 0
    found = crash_blast(TABLES["aircraft_numbers"], 9)
    assert (found.factor, found.small_arms, found.effectiveness) == (15, False, 9)
    assert gp_modifiers(found, TABLES).total == 0
