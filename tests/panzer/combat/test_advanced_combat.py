"""Combat of the Advanced Game on facts made by hand: no map, no scenario (5.12-5.15, 6.5.2, 6.5.4)."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from sandtable import packs
from sandtable.core.content.table import Table, read_table
from sandtable.core.dice import Dice, enumerate_rolls
from sandtable.systems.panzer.advanced_card import (
    AdvancedCard,
    AngleArmor,
    Damage,
    DamageRow,
    GpDefense,
    HitAngle,
    HitArmor,
    Inclination,
    Location,
    TargetType,
    UnitClass,
)
from sandtable.systems.panzer.cards import RangeFactor, RateOfFire
from sandtable.systems.panzer.combat.ap_fire import hit_number
from sandtable.systems.panzer.combat.ap_hits import (
    Round,
    StruckPlate,
    armor_at,
    hits_of,
    kinds_of_hit,
    location_at,
    resolve_hit,
)
from sandtable.systems.panzer.combat.bail_out import (
    crew_leaves,
    passenger_escapes,
    passenger_leaves,
    suppressed_leaves,
)
from sandtable.systems.panzer.combat.gp_effects import (
    GpEffect,
    brews_up_on,
    foot_effect,
    half_factor,
    turret_on,
    vehicle_effect,
)
from sandtable.systems.panzer.combat.gp_fire import GpResult, defense_of, gp_modifiers, gp_result, passenger_defense
from sandtable.systems.panzer.edition import PANZER_NA
from sandtable.systems.panzer.facts import AdvancedShot, BlastFacts, BlastKind, DualFire, Hindrances, ShotFacts
from sandtable.systems.panzer.markers import HullDown
from sandtable.systems.panzer.percentile import D100
from sandtable.systems.panzer.terrain import Cover
from sandtable.systems.panzer.unit import Grade

rules = pytest.mark.rules
NA = "panzer-na"
P, S, M, L, E = RangeFactor
FILES = packs.shipped(NA).files
TABLES: dict[str, Table] = {
    name.removeprefix("tables/").removesuffix(".yaml"): read_table(data, name)
    for name, data in FILES.items()
    if name.startswith("tables/")
}
FRONT = {
    HitAngle.FRONT: AngleArmor(TF=12, HF=10),
    HitAngle.FRONT_SIDE: AngleArmor(TF=14, TS=5, HF=12, HS=5),
    HitAngle.REAR_SIDE: AngleArmor(TS=5, TR=5, HS=5, HR=7),
    HitAngle.REAR: AngleArmor(TR=5, HR=7),
}
TANK = AdvancedCard(TargetType.A, gp_defense=2, armor=HitArmor(FRONT, FRONT, FRONT, deck=2), coax_mg=True)
TRUCK = AdvancedCard(TargetType.S, gp_defense=1)
SQUAD = AdvancedCard(gp_defense=GpDefense(2, 4, 6, 8, full_cover=2))
USUAL = DamageRow(ND=1, DM=4, KO=8)
SHELL = Round(12, USUAL)


def plate(
    angle: HitAngle = HitAngle.FRONT,
    inclination: Inclination = Inclination.LEVEL,
    hull_down: HullDown = HullDown.NONE,
) -> StruckPlate:
    return StruckPlate(angle, inclination, hull_down)


# --- AP -----------------------------------------------------------------------------------------------


@rules("6.5.2.1", system=NA)
@pytest.mark.parametrize(
    ("number", "rate", "roll", "hits"),
    [
        (56, "F", 11, 3),
        (56, "F", 12, 2),
        (56, "F", 22, 2),
        (56, "F", 23, 1),
        (56, "F", 56, 1),
        (56, "F", 57, 0),
        (56, "N", 1, 1),
        (56, "Q", 1, 2),
        (4, "F", 1, 1),
        (100, "F", 1, 3),
    ],
)
def test_6_5_2_1_hits_by_the_hit_roll_and_the_rate_of_fire(number: int, rate: str, roll: int, hits: int) -> None:
    assert hits_of(TABLES["ap_hits"], number, RateOfFire(rate), roll) == hits


@rules("6.5.2.1", system=NA)
def test_6_5_2_1_a_faster_rate_never_hits_less_and_a_better_number_neither() -> None:
    for number, roll in product(range(1, 100), range(1, 101)):
        hits = [hits_of(TABLES["ap_hits"], number, rate, roll) for rate in (RateOfFire.N, RateOfFire.Q, RateOfFire.F)]
        assert hits == sorted(hits)
        for rate in RateOfFire:
            assert hits_of(TABLES["ap_hits"], number, rate, roll) <= hits_of(TABLES["ap_hits"], number + 1, rate, roll)


@rules("6.5.2.2", "6.5.2.2.2", system=NA)
@pytest.mark.parametrize(
    ("struck", "tens", "location"),
    [
        (plate(HitAngle.FRONT_SIDE), 7, "HS"),
        (plate(), 6, "HF"),
        (plate(HitAngle.REAR_SIDE), 5, "HS"),
        (plate(HitAngle.REAR), 10, "TK"),
        # 6.5.2.2.2: the Deck instead of the Turret Side, on a falling shot and a 1 only.
        (plate(HitAngle.REAR_SIDE), 1, "TS"),
        (plate(HitAngle.REAR_SIDE, Inclination.FALLING), 1, "DK"),
        (plate(HitAngle.REAR_SIDE, Inclination.FALLING), 2, "TS"),
        (plate(HitAngle.REAR_SIDE, Inclination.RISING), 1, "TS"),
    ],
)
def test_6_5_2_2_the_tens_say_where_a_hit_strikes(struck: StruckPlate, tens: int, location: str) -> None:
    assert location_at(TABLES["ap_locations"], struck, tens) == location


@rules("6.5.2.2.3", system=NA)
@pytest.mark.parametrize(
    ("hull_down", "missed"), [(HullDown.FULL, {5, 6, 7, 8, 9, 10}), (HullDown.PARTIAL, {6, 8, 9, 10})]
)
def test_6_5_2_2_3_what_a_hull_down_vehicle_hides(hull_down: HullDown, missed: set[int]) -> None:
    struck = plate(HitAngle.FRONT_SIDE, hull_down=hull_down)
    assert {tens for tens in range(1, 11) if location_at(TABLES["ap_locations"], struck, tens) is None} == missed


@rules("6.5.2.3", "6.5.2.3.1", system=NA)
def test_6_5_2_3_1_rising_and_falling_shots_meet_rows_of_their_own() -> None:
    rising = {HitAngle.FRONT: AngleArmor(TF=13, HF=16)}
    armor = HitArmor(FRONT, rising, FRONT, deck=3)
    assert armor_at(armor, plate(inclination=Inclination.RISING), Location.HF) == 16
    assert armor_at(armor, plate(), Location.HF) == 10
    assert armor_at(armor, plate(inclination=Inclination.FALLING), Location.DK) == 3
    assert armor_at(None, plate(), Location.HF) == 0


@rules("6.5.2.3.2", "6.5.2.3.3", system=NA)
def test_6_5_2_3_3_each_angle_has_its_own_factors() -> None:
    armor = HitArmor(FRONT, FRONT, FRONT, deck=3)
    turrets = [armor_at(armor, plate(angle), Location.TF) for angle in (HitAngle.FRONT, HitAngle.FRONT_SIDE)]
    rears = [armor_at(armor, plate(angle), Location.HR) for angle in (HitAngle.REAR, HitAngle.REAR_SIDE)]
    assert (turrets, rears) == ([12, 14], [7, 7])
    assert armor_at(armor, plate(HitAngle.FRONT_SIDE), Location.HS) == 5


@rules("6.5.2.5", system=NA)
def test_6_5_2_5_the_example_of_the_crusader_and_the_panzer_iii() -> None:
    crusader = Round(12, DamageRow(ND=2, DM=5, KO=9))
    hit = resolve_hit(TABLES, TANK, plate(), crusader, 64)
    assert (hit.location, hit.damage) == (Location.HF, Damage.DM)
    assert hit.margin is not None
    assert hit.margin.total == 2
    struck = plate(HitAngle.REAR_SIDE)
    reply = resolve_hit(TABLES, TANK, struck, Round(11, DamageRow(ND=1, DM=5, KO=9)), 57)
    assert (reply.location, reply.damage) == (Location.HS, Damage.KO)


@rules("6.5.2.5", system=NA)
def test_6_5_2_5_equal_penetrates_and_one_less_does_not() -> None:
    assert resolve_hit(TABLES, TANK, plate(), Round(10, USUAL), 64).damage is Damage.DM
    assert resolve_hit(TABLES, TANK, plate(), Round(9, USUAL), 64).damage is None


@rules("6.5.2.5", system=NA)
@pytest.mark.parametrize(("units", "damage"), [(1, "ND"), (2, "ND"), (3, "ND"), (4, "DM"), (7, "KO"), (0, "KO")])
def test_6_5_2_5_an_s_type_vehicle_takes_two_off_the_units_digit(units: int, damage: str) -> None:
    assert resolve_hit(TABLES, TRUCK, plate(), SHELL, 60 + units).damage == damage


@rules("6.5.2.2.1", system=NA)
def test_6_5_2_2_1_a_track_hit_asks_no_armor() -> None:
    for roll in (*range(1, 10), 100):
        hit = resolve_hit(TABLES, TANK, plate(), Round(0, USUAL), roll)
        assert (hit.location, hit.margin, hit.damage) == (Location.TK, None, None)


@rules("6.5.2.5", system=NA)
def test_6_5_2_5_three_hits_are_a_few_hundred_ways_and_exact() -> None:
    kinds = kinds_of_hit(TABLES, TANK, plate(), SHELL)

    def one(dice: Dice) -> str:
        hit = resolve_hit(TABLES, TANK, plate(), SHELL, dice.roll(D100, "location", kinds).total)
        return str(hit.damage or hit.location)

    chances: dict[str, Fraction] = {}
    for what, weight in enumerate_rolls(one):
        chances[what] = chances.get(what, Fraction(0)) + weight
    counted: dict[str, Fraction] = {}
    for roll in range(1, 101):
        hit = resolve_hit(TABLES, TANK, plate(), SHELL, roll)
        what = str(hit.damage or hit.location)
        counted[what] = counted.get(what, Fraction(0)) + Fraction(1, 100)
    assert chances == counted
    ways = sum(1 for _ in enumerate_rolls(lambda dice: [one(dice) for _ in range(3)]))
    assert ways <= 8**3


@rules("6.5.2.4", system=NA)
def test_6_5_2_4_what_the_advanced_game_adds_to_a_shot() -> None:
    def net(**facts: object) -> int:
        grade = facts.pop("grade", Grade.SEASONED)
        at = facts.pop("at", S)
        shot = AdvancedShot(grade=grade, **facts)  # type: ignore[arg-type]
        plain = ShotFacts(at, 0, False, Cover.NONE, False, 0, False, 0, False, True, False, shot)  # type: ignore[arg-type]
        return hit_number(plain, TABLES, PANZER_NA).net

    assert net() == 0
    assert net(shooter_suppressed=True) == -5
    assert net(hindrances=Hindrances(smoke_open=1)) == -3
    assert net(hindrances=Hindrances(smoke_closed=2)) == -10
    assert net(hindrances=Hindrances(barrage_open=1, barrage_closed=1)) == -4
    assert net(hindrances=Hindrances(dust=3, on_fire=1)) == -8
    assert net(ammo_short=1) == -3
    assert net(ammo_short=2) == -6
    assert net(transported=True) == -2
    assert net(heat_haze=True) == -3
    assert net(sun=-4) == -4
    assert net(dual=DualFire.SAME) == -1
    assert net(dual=DualFire.OTHER) == -3
    assert net(grade=Grade.REGULARS, at=M) == -2
    assert net(grade=Grade.REGULARS, at=P) == 0


# --- bailing out ------------------------------------------------------------------------------------------


@rules("5.15", "6.5.2.6.1", "6.5.2.6.2", "6.5.4.5", system=NA)
def test_5_15_who_leaves_and_who_gets_away() -> None:
    seasoned = Grade.SEASONED
    assert crew_leaves(TABLES, Damage.DM, seasoned).total == 30
    assert crew_leaves(TABLES, None, seasoned).total == 30
    assert passenger_leaves(TABLES, Damage.ND, seasoned).total == 50
    assert passenger_escapes(TABLES, Damage.KO, seasoned, is_towed=True).total == 61
    assert passenger_escapes(TABLES, Damage.KO, seasoned, is_towed=False).total == 21
    assert suppressed_leaves(TABLES, seasoned, indirect=False).total == 20
    # Elite adds 5 to the roll, Green takes 5 off: the one leaves less readily and gets away more easily.
    assert crew_leaves(TABLES, None, Grade.ELITE).total == 25
    assert crew_leaves(TABLES, None, Grade.GREEN).total == 35
    assert passenger_escapes(TABLES, Damage.KO, Grade.ELITE, is_towed=False).total == 16


# --- GP -----------------------------------------------------------------------------------------------


@rules("6.5.4.4", "6.5.4.4.1", system=NA)
@pytest.mark.parametrize(
    ("factor", "defense", "none", "suppressed"),
    [
        (8, 5, 40, 72),
        (8, 4, 36, 68),
        (8, 2, 27, 59),
        (5, 3, 43, 72),
        (5, 4, 48, 77),
        (6, 1, 30, 60),
        (6, 3, 39, 69),
        (3, 4, 56, 83),
    ],
)
def test_6_5_4_4_the_pairs_that_the_book_states(factor: int, defense: int, none: int, suppressed: int) -> None:
    table = TABLES["gp_combat"]
    assert gp_result(table, factor, defense, none) is GpResult.NONE
    assert gp_result(table, factor, defense, none + 1) is GpResult.SUPPRESSED
    assert gp_result(table, factor, defense, suppressed) is GpResult.SUPPRESSED
    assert gp_result(table, factor, defense, suppressed + 1) is GpResult.EFFECTIVE


@rules("6.5.4.4.2", system=NA)
@pytest.mark.parametrize(
    ("factor", "defense", "final", "result"),
    [(7, 5, 60, "Suppressed"), (2, 9, 109, "Effective"), (15, 2, -1, "No Effect"), (20, 2, -1, "No Effect")],
)
def test_6_5_4_4_results_beyond_0_and_100(factor: int, defense: int, final: int, result: str) -> None:
    assert gp_result(TABLES["gp_combat"], factor, defense, final) == result


@rules("6.5.4.2.2", system=NA)
@pytest.mark.parametrize(
    ("cover", "full_cover", "moving", "defense"),
    [
        (Cover.NONE, False, False, 2),
        (Cover.MEDIUM, False, True, 4),
        (Cover.HEAVY, True, False, 10),
        (Cover.NONE, False, True, 1),
        (Cover.LIGHT, True, True, 4),
    ],
)
def test_6_5_4_2_2_defense_of_leg_units(cover: Cover, full_cover: bool, moving: bool, defense: int) -> None:
    assert defense_of(SQUAD, cover, full_cover=full_cover, moving=moving).total == defense


@rules("6.5.4.2", "6.5.4.2.1", "6.5.4.2.3", system=NA)
def test_6_5_4_2_1_a_vehicle_has_one_defense_and_passengers_another() -> None:
    assert defense_of(TANK, Cover.HEAVY, full_cover=False, moving=True).total == 2
    assert passenger_defense(under_cover=True).total == 3
    assert passenger_defense(under_cover=False).total == 1


def blast(**facts: object) -> BlastFacts:
    return BlastFacts(**{"factor": 6, "range_factor": S, "defense": 3, **facts})  # type: ignore[arg-type]


def tank(**facts: object) -> BlastFacts:
    return blast(is_vehicle=True, target_type=TargetType.A, **facts)


@rules("6.5.4.3", system=NA)
@pytest.mark.parametrize(
    ("facts", "net"),
    [
        (blast(), 0),
        (tank(), -20),
        (blast(is_vehicle=True, target_type=TargetType.P), -10),
        (tank(moving=True), -30),
        (tank(moving=True, kind=BlastKind.INDIRECT), -40),
        (tank(moving=True, kind=BlastKind.PLANNED), -20),
        (blast(moving=True), 0),
        (tank(cover=Cover.MEDIUM), -30),
        (tank(cover=Cover.HEAVY), -40),
        (tank(cover=Cover.LIGHT), -20),
        (blast(cover=Cover.HEAVY), 0),
        (blast(crawling=True), 10),
        (blast(behind_wall=True), -10),
        (blast(behind_wall=True, kind=BlastKind.INDIRECT), 0),
        (blast(entrenched=True, kind=BlastKind.AIR), -10),
        (blast(short_halt=True), -15),
        (blast(shooter_damaged=True, shooter_suppressed=True), -30),
        (blast(smoke=2), -20),
        (blast(smoke=2, kind=BlastKind.INDIRECT), 0),
        (blast(hindrances=Hindrances(1, 1, 1, 1, 1, 1)), -70),
        (blast(hindrances=Hindrances(1, 1, 1, 1, 1, 1), kind=BlastKind.AIR), 0),
        (blast(open_sheaf=True, kind=BlastKind.INDIRECT), -20),
        (blast(overwatch=True), -5),
        (blast(overwatch=True, in_field=False), -10),
        (blast(ammo_short=True), -10),
        (blast(heat_haze=True), -10),
        (blast(heat_haze=True, kind=BlastKind.INDIRECT), 0),
        (blast(sun=-15), -15),
        (blast(sun=-15, kind=BlastKind.INDIRECT), 0),
        (blast(transported=True), -10),
        (blast(kind=BlastKind.OVERRUN), 20),
        (blast(dual=DualFire.SAME), -5),
        (blast(dual=DualFire.OTHER), -10),
        (blast(coax_mg=True), 0),
        (blast(coax_mg=True, range_factor=P), 10),
        (tank(coax_mg=True, range_factor=P), -20),
        (blast(grade=Grade.VETERAN, range_factor=L), 5),
        (blast(grade=Grade.VETERAN, range_factor=L, kind=BlastKind.INDIRECT), 0),
        (blast(beside=((20, "Low Altitude", "6.7.3.5"),), kind=BlastKind.AIR), 20),
    ],
)
def test_6_5_4_3_gp_modifiers(facts: BlastFacts, net: int) -> None:
    assert gp_modifiers(facts, TABLES).total == net


@rules("6.5.4.4.2", system=NA)
@pytest.mark.parametrize(
    ("facts", "result", "final", "effect"),
    [
        (tank(), GpResult.NONE, 40, GpEffect.NONE),
        (tank(), GpResult.SUPPRESSED, 65, GpEffect.SUPPRESSED),
        # An Effective result needs the Effectiveness to meet the Defense.
        (tank(effectiveness=2), GpResult.EFFECTIVE, 91, GpEffect.SUPPRESSED),
        (tank(effectiveness=3), GpResult.EFFECTIVE, 91, GpEffect.LOST),
        (tank(effectiveness=3), GpResult.EFFECTIVE, 95, GpEffect.DAMAGED),
        (tank(effectiveness=3), GpResult.EFFECTIVE, 110, GpEffect.TRACK),
        (tank(effectiveness=2), GpResult.EFFECTIVE, 95, GpEffect.SUPPRESSED),
        (tank(effectiveness=3, hull_down=True), GpResult.EFFECTIVE, 110, GpEffect.NONE),
        (tank(effectiveness=3, hull_down=True, kind=BlastKind.INDIRECT), GpResult.EFFECTIVE, 110, GpEffect.TRACK),
        (tank(effectiveness=3, hull_down=True), GpResult.EFFECTIVE, 95, GpEffect.DAMAGED),
        (blast(is_vehicle=True), GpResult.EFFECTIVE, 91, GpEffect.LOST),
        (blast(is_vehicle=True), GpResult.EFFECTIVE, 85, GpEffect.DAMAGED),
        # Small Arms.
        (tank(small_arms=True, range_factor=P), GpResult.SUPPRESSED, 65, GpEffect.SUPPRESSED),
        (tank(small_arms=True), GpResult.SUPPRESSED, 65, GpEffect.NONE),
        (tank(small_arms=True), GpResult.EFFECTIVE, 95, GpEffect.SUPPRESSED),
        (tank(small_arms=True, range_factor=M), GpResult.EFFECTIVE, 95, GpEffect.NONE),
        (blast(is_vehicle=True, small_arms=True, range_factor=E), GpResult.SUPPRESSED, 65, GpEffect.SUPPRESSED),
        (blast(is_vehicle=True, small_arms=True, range_factor=E), GpResult.EFFECTIVE, 91, GpEffect.LOST),
        (blast(is_vehicle=True, small_arms=True, range_factor=E), GpResult.EFFECTIVE, 90, GpEffect.TRACK),
    ],
)
def test_6_5_4_4_2_effects_on_vehicles(facts: BlastFacts, result: GpResult, final: int, effect: GpEffect) -> None:
    assert vehicle_effect(facts, result, final) is effect


@rules("6.5.4.4.2", system=NA)
@pytest.mark.parametrize(
    ("at", "suppressed", "effective"),
    [
        (P, GpEffect.SUPPRESSED, GpEffect.DAMAGED),
        (S, GpEffect.SUPPRESSED, GpEffect.SUPPRESSED),
        (M, GpEffect.NONE, GpEffect.NONE),
    ],
)
def test_6_5_4_4_2_small_arms_at_a_p_type(at: RangeFactor, suppressed: GpEffect, effective: GpEffect) -> None:
    facts = blast(is_vehicle=True, target_type=TargetType.P, small_arms=True, range_factor=at)
    assert vehicle_effect(facts, GpResult.SUPPRESSED, 61) is suppressed
    assert vehicle_effect(facts, GpResult.EFFECTIVE, 91) is effective


@rules("5.12", "6.5.4.4.2", system=NA)
def test_5_12_what_a_roll_of_ten_decides() -> None:
    assert [half_factor(factor) for factor in (1, 2, 3, 8)] == [1, 1, 1, 4]
    assert brews_up_on(blast(factor=5, small_arms=True)) == 2
    assert brews_up_on(blast(factor=5, effectiveness=3)) == 3
    assert (turret_on(is_armed=True), turret_on(is_armed=False)) == (4, 0)


@rules("6.5.4.4.3", system=NA)
def test_6_5_4_4_3_a_squad_is_reduced_and_all_else_is_gone() -> None:
    assert foot_effect(UnitClass.SQUAD, GpResult.EFFECTIVE) is GpEffect.REDUCED
    for other in (UnitClass.HALF_SQUAD, UnitClass.SECTION, UnitClass.TOWED):
        assert foot_effect(other, GpResult.EFFECTIVE) is GpEffect.ELIMINATED
    assert foot_effect(UnitClass.SQUAD, GpResult.SUPPRESSED) is GpEffect.SUPPRESSED
    assert foot_effect(UnitClass.SQUAD, GpResult.NONE) is GpEffect.NONE


@rules("6.5.4.5", system=NA)
def test_6_5_4_5_the_example_of_the_panzerjaeger_and_the_rifle_squad() -> None:
    rifles = blast(factor=6, defense=1, is_vehicle=True, target_type=TargetType.P, small_arms=True, grade=Grade.VETERAN)
    final = 81 + gp_modifiers(rifles, TABLES).total
    assert final == 71
    result = gp_result(TABLES["gp_combat"], 6, 1, final)
    assert result is GpResult.EFFECTIVE
    assert vehicle_effect(rifles, result, final) is GpEffect.SUPPRESSED
    reply = blast(factor=3, defense=4, range_factor=P, shooter_suppressed=True, grade=Grade.REGULARS)
    final = 64 + gp_modifiers(reply, TABLES).total
    assert final == 44
    assert gp_result(TABLES["gp_combat"], 3, 4, final) is GpResult.NONE
