"""13.6-13.8: strengths, column shifts and bonuses of a ground assault, from facts alone."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.core.modifier import Modifier
from sandtable.systems.goss.assault.bonuses import (
    ArmourClash,
    ArmourGround,
    armour_bonus,
    integrity_bonus,
    proficiency_bonus,
    reserve_bonus,
    total_drm,
)
from sandtable.systems.goss.assault.shifts import (
    AttackStack,
    ShiftFacts,
    SupportingHex,
    column_shifts,
    supporting_shifts,
)
from sandtable.systems.goss.assault.strength import (
    Approach,
    Fighter,
    attack_share,
    combined_arms,
    defence_share,
)
from sandtable.systems.goss.ground.kinds import Water
from sandtable.systems.goss.pieces.card import Size
from tests.goss.shelf import charts

rules = pytest.mark.rules
PLAIN = Approach()


def fighter(strength: int = 8, name: str = "", **given: Any) -> Fighter:
    """A unit of that strength."""
    return Fighter(name or f"unit {strength}", strength, **given)


def attack(approach: Approach = PLAIN, *, has_combined_arms: bool = True, **given: Any) -> int:
    """Quarters that an attacker of strength 8 adds."""
    return attack_share(fighter(**given), approach, has_combined_arms=has_combined_arms).quarters


def defence(*, in_marsh: bool = False, has_combined_arms: bool = True, **given: Any) -> int:
    """Quarters that a defender of strength 8 adds, alone in its hex."""
    unit = fighter(**given)
    return defence_share(unit, [unit], in_marsh=in_marsh, has_combined_arms=has_combined_arms).quarters


@rules("13.6.1", "13.6.1a", system="goss")
def test_one_reason_halves_two_or_more_quarter() -> None:
    assert attack() == 32
    assert attack(fatigue=1) == attack(is_out_of_supply=True) == 16
    assert attack(fatigue=1, is_out_of_supply=True) == 8
    assert attack(Approach(water=Water.RIVER), fatigue=1, is_out_of_supply=True) == 8


@rules("13.6.1a", system="goss")
def test_rivers_take_from_those_who_cross_them() -> None:
    assert attack(Approach(water=Water.STREAM)) == 32
    assert attack(Approach(water=Water.RIVER, has_bridge=True)) == 16, "a bridge does not help"
    assert attack(Approach(water=Water.RIVER, is_ferried=True)) == 32
    assert attack(Approach(water=Water.RIVER), is_mech=True) == 16
    assert attack(Approach(water=Water.MAJOR_RIVER, is_ferried=True)) == 16
    assert attack(Approach(water=Water.MAJOR_RIVER, has_bridge=True)) == 8
    assert attack(Approach(water=Water.GREAT_RIVER, has_bridge=True)) == 8


@rules("13.6.1a", system="goss")
def test_marsh_halves_on_foot_and_quarters_on_wheels() -> None:
    assert attack(Approach(has_marsh=True)) == 16
    assert attack(Approach(has_marsh=True), is_mech=True) == 8
    assert defence(in_marsh=True) == 32
    assert defence(in_marsh=True, is_mech=True) == 8


@rules("13.5.2", system="goss")
def test_who_stands_off_suffers_nothing_for_the_hexside() -> None:
    river = Approach(water=Water.RIVER)
    assert attack(river, is_mech=True, is_pure_afv=True, stands_off=True) == 16
    assert attack(river, is_mech=True, is_pure_afv=True) == 16


@rules("13.6.1b", "13.6.1c", system="goss")
def test_what_takes_from_a_defender() -> None:
    assert defence(fatigue=1) == defence(is_saving=True) == defence(is_out_of_supply=True) == 16
    assert defence(fatigue=2) == defence(is_saving=True, is_out_of_supply=True) == 8
    assert defence(is_artillery=True, is_depleted=True) == 4
    gun, infantry = fighter(2, "gun", is_artillery=True), fighter(6, "inf")
    assert defence_share(gun, [gun, infantry]).quarters == 4
    assert defence_share(gun, [gun]).quarters == 8
    other = fighter(4, "other gun", is_artillery=True)
    assert [defence_share(one, [gun, other]).quarters for one in (gun, other)] == [4, 16], "only one of guns alone"


@rules("13.6.1d", system="goss")
def test_a_battalion_covers_all_tanks_a_company_one() -> None:
    tanks = [fighter(4, f"tank {number}", is_pure_afv=True, arm=number) for number in (1, 2, 3)]
    company = fighter(2, "co", size=Size.COMPANY, is_personnel=True)
    assert combined_arms(tanks) == frozenset()
    assert combined_arms([*tanks, company]) == {"tank 3"}
    assert combined_arms([*tanks, company, fighter(2, "rec", size=Size.COMPANY, is_recon=True)]) == {"tank 2", "tank 3"}
    assert len(combined_arms([*tanks, fighter(7, "bn", is_personnel=True)])) == 3
    assert len(combined_arms([*tanks, fighter(9, "hyb", is_hybrid=True)])) == 3
    mixed = fighter(4, "mixed", size=Size.COMPANY, is_hybrid=True)
    assert combined_arms([*tanks, mixed]) == frozenset(), "a hybrid company covers no battalion"
    light = fighter(2, "light", size=Size.COMPANY, is_pure_afv=True)
    assert combined_arms([*tanks, light, mixed, company]) == {"tank 3", "light"}
    assert combined_arms([*tanks, fighter(3, "sec", is_personnel=True, is_rear_echelon=True)]) == frozenset()
    assert attack(is_pure_afv=True, has_combined_arms=False) == 16


def shifts(**given: Any) -> int:
    """Columns by which such an assault moves."""
    return column_shifts(ShiftFacts(**given)).total


_ONE_RIGHT = (
    "attacker_bonus_period",
    "has_defending_reserve",
    "is_defender_overstacked",
    "is_defender_unsupported",
    "is_after_lull",
    "is_defender_extended",
    "has_defender_in_exploit",
    "attacker_leader",
    "is_defender_green",
    "is_defender_mixed",
    "is_coup_de_main",
)
_ONE_LEFT = (
    "on_vantage_point",
    "is_attacker_extended",
    "is_attacker_overstacked",
    "is_night",
    "defender_leader",
    "is_attacker_mixed",
    "is_attacker_green",
    "defender_bonus_period",
    "from_bridgehead",
    "is_attacker_in_exploit",
)


@rules("13.7.3", "13.7.4", "13.7.1", "13.7.0", "9.9.0", system="goss")
@pytest.mark.parametrize(
    ("facts", "moved"),
    [
        ({"in_prepared_assault": True}, 1),
        ({"defender_markers": 3}, 2),
        ({"has_defender_in_strat": True}, 2),
        ({"has_defender_in_exploit": True, "is_defender_green": True}, 2),
        ({"is_defender_mixed": True}, 1),
        ({"is_attacker_mixed": True}, -1),
        ({"attacker_markers": 5}, -2),
        ({"is_attacker_green": True}, -1),
        ({"is_attacker_raw": True, "is_attacker_green": True}, -2),
        ({"is_night": True, "on_vantage_point": True}, -2),
        ({"works": 2, "in_prepared_assault": True}, -1),
        ({"is_attacker_in_exploit": True, "defender_leader": True}, -2),
        *(({one: True}, 1) for one in _ONE_RIGHT),
        *(({one: True}, -1) for one in _ONE_LEFT),
    ],
)
def test_what_shifts_the_column(facts: dict[str, Any], moved: int) -> None:
    assert shifts(**facts) == moved


PIONEERS = AttackStack(has_engineer=True, has_other=True)


@rules("13.7.4b", system="goss")
def test_engineers_against_works_towns_and_cities() -> None:
    assert shifts(works=2, stacks=(PIONEERS, PIONEERS, PIONEERS)) == 0, "never more than the works give"
    assert shifts(is_town=True, stacks=(PIONEERS,) * 5) == 3
    assert shifts(is_city=True, stacks=(PIONEERS,) * 5) == 4
    assert shifts(is_town=True, works=1, stacks=(PIONEERS, PIONEERS)) == 1
    assert shifts(is_town=True, works=2, stacks=(PIONEERS,)) == -1, "works first, and all of them"
    assert shifts(works=1, stacks=(AttackStack(has_engineer=True),)) == -1, "engineers need somebody beside them"


@rules("13.7.4a", system="goss")
def test_adjacent_defenders_support_with_vantage_points_and_less_their_markers() -> None:
    assert supporting_shifts(SupportingHex(beside_defender=True, beside_open_attacker=False)) == 1
    assert supporting_shifts(SupportingHex(beside_defender=False, beside_open_attacker=True)) == 1
    assert supporting_shifts(SupportingHex(beside_defender=False, beside_open_attacker=False)) == 0
    high = SupportingHex(beside_defender=True, beside_open_attacker=True, is_vantage_point=True)
    assert supporting_shifts(high) == 2
    marked = SupportingHex(beside_defender=True, beside_open_attacker=True, markers=2)
    assert supporting_shifts(marked) == 0
    assert shifts(supports=(high, marked)) == -2


@rules("13.8.1", system="goss")
def test_proficiency_is_five_a_point_with_works_and_leaders() -> None:
    assert proficiency_bonus(7, 5).value == 10
    trenches = charts().defences.works["ET-2"]
    assert proficiency_bonus(5, trenches.rated(7)).value == -15
    assert proficiency_bonus(5, trenches.rated(8)).value == -15, "at most eight"
    assert proficiency_bonus(9, 5, attacker_led=True).value == 20, "at most nine"
    assert proficiency_bonus(6, 6, attacker_led=True, defender_led=True).value == 0


@rules("13.8.2", "13.8.3", system="goss")
def test_reserves_and_regiments() -> None:
    assert reserve_bonus(2, 1).value == 5
    assert reserve_bonus(5, 0).value == 15
    assert integrity_bonus([3], []).value == 15
    assert integrity_bonus([4, 2, 3], []).value == 30, "three of each of two regiments"
    assert integrity_bonus([1], [2, 3]).value == -15, "one alone counts nothing; one regiment defends"


def clash(ours: dict[str, Any] | None, theirs: dict[str, Any] | None, **given: Any) -> int:
    """The DRM of armour and AT."""
    attacker = None if ours is None else fighter(3, "att", **ours)
    defender = None if theirs is None else fighter(3, "def", **theirs)
    return armour_bonus(ArmourClash(attacker, defender, **given)).value


WOODS = ArmourGround(modifier=2, most=2)


@rules("13.8.4c", "13.8.4f", system="goss")
def test_arm_against_arm_less_the_terrain_whoever_is_better() -> None:
    assert clash({"arm": 6}, {"arm": 4}) == 20
    assert clash({"arm": 4}, {"arm": 4}) == 0
    assert clash({"arm": 3}, {"arm": 6, "arm_attack": 6}, ground=WOODS) == -10
    assert clash({"arm": 6}, {"arm": 4}, ground=WOODS) == 0
    assert clash({"arm": 6}, {"arm": 3}, ground=ArmourGround(works=3)) == 30, "works do not count"


@rules("13.8.4f", system="goss")
def test_by_day_five_bonuses_at_most() -> None:
    assert clash({"arm": 8}, {"arm": 1}) == 50


@rules("13.8.4d", "13.8.4a", system="goss")
def test_arm_against_at() -> None:
    assert clash({"arm": 4}, {"at": 6}, ground=WOODS) == -20, "the guns gain whatever the terrain is"
    assert clash({"arm": 2}, {"at": 7}, is_night=True) == -20
    assert clash({"arm": 6}, {"at": 2}, ground=ArmourGround(modifier=1, works=1)) == 20
    assert clash({"arm": 4}, {"at": 4}) == 0
    assert clash({"arm": 4}, None, ground=WOODS) == 20, "nobody to stop it: the whole factor, less the terrain"


@rules("13.8.4e", "13.8.4b", system="goss")
def test_at_against_arm_and_at_against_at() -> None:
    assert clash({"at": 3}, {"arm": 5, "arm_attack": 6}) == -30, "the defender uses the factor of his attack"
    assert clash({"at": 6}, {"arm": 5, "arm_attack": 6}) == 0
    assert clash(None, {"arm": 3, "arm_attack": 4}, ground=WOODS) == -20
    assert clash({"at": 3}, {"at": 5}) == 0
    assert clash({"at": 3}, {"at": 1}, has_mounted_infantry=True) == -10


@rules("13.8.4g", system="goss")
def test_long_guns_in_the_open_are_worth_fifteen() -> None:
    assert clash({"arm": 6}, {"arm": 4}, attacker_in_open=True) == 30
    assert clash({"arm": 6}, {"arm": 4}, defender_in_open=True) == 30
    assert clash({"arm": 4}, {"arm": 2}, attacker_in_open=True) == 20, "only of five or more"
    assert clash({"arm": 4}, {"at": 6}, attacker_in_open=True) == -30


@rules("13.8.0", "13.8.5", system="goss")
def test_no_more_than_sixty_either_way() -> None:
    assert total_drm([Modifier(50, "a", "x"), Modifier(30, "b", "x")]).total == 60
    assert total_drm([Modifier(-50, "a", "x"), Modifier(-30, "b", "x")]).total == -60
    assert total_drm([Modifier(50, "a", "x"), Modifier(-30, "b", "x")]).total == 20


@rules("13.8.4", "13.8.4b", "13.8.4e", system="goss")
def test_armoured_infantry_without_armour_has_an_arm_factor_of_one() -> None:
    at = fighter(at=2)
    assert armour_bonus(ArmourClash(at, None, has_mounted_infantry=True)).value == -10
    assert armour_bonus(ArmourClash(None, None, has_mounted_infantry=True)).value == -10, "nobody has AT guns"
    rough = ArmourGround(modifier=1, most=4)
    assert armour_bonus(ArmourClash(None, None, rough, has_mounted_infantry=True)).value == 0, "less the terrain"
    assert armour_bonus(ArmourClash(at, None, rough, has_mounted_infantry=True)).value == -10


@rules("13.8.4g", system="goss")
def test_a_factor_of_five_in_the_open_is_long_range() -> None:
    for factor, value in ((4, 40), (5, 75)):
        clash = ArmourClash(fighter(arm=factor), None, attacker_in_open=True)
        assert armour_bonus(clash).value == value
