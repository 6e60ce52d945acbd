"""What the rules ask of a card alone (1.5, 4.1-4.4, 5.6): sizes, steps, Z-steps, proficiency, guns, rounding."""

from fractions import Fraction

import pytest

from sandtable.core.modifier import Modifier
from sandtable.systems.goss.pieces.card import Card, CardId, MovementClass, Size, Strength, Trait
from sandtable.systems.goss.pieces.guns import may_move_in_battery, may_retreat_in_battery
from sandtable.systems.goss.pieces.proficiency import (
    check_roll,
    is_passed,
    may_attack_alone,
    may_join_assault,
    may_lead_attack,
    rating_of,
)
from sandtable.systems.goss.pieces.rounding import nearest, rounded_up
from sandtable.systems.goss.pieces.steps import Z, after_loss, size_of, strength
from sandtable.systems.goss.pieces.z_steps import (
    density_steps,
    may_lead,
)
from tests.goss.shelf import shelf

rules = pytest.mark.rules
BN, CO, ZS = Size.BATTALION, Size.COMPANY, Size.Z_STEP


def card(name: str) -> Card:
    return shelf().cards[CardId(name)]


@rules("1.5.0", system="goss")
def test_1_5_0_rounding() -> None:
    assert rounded_up(Fraction(13, 10)) == 2
    assert [nearest(Fraction(13, 10)), nearest(Fraction(3, 2))] == [1, 2]


@rules("4.2.0", "4.2.2", system="goss")
def test_4_2_2_a_battalion_of_three_steps() -> None:
    battalion = card("61-inf/1-481")
    assert [str(strength(battalion, steps)) for steps in (3, 2, 1)] == ["7-8", "5-6", "3-3"]
    assert [after_loss(battalion, steps) for steps in (3, 2, 1)] == [2, 1, None]
    for steps in (0, 4):
        with pytest.raises(ValueError, match="never has"):
            strength(battalion, steps)


@rules("4.1.0", "4.1.1", "4.1.2", "4.2.1", system="goss")
def test_4_2_1_losses_do_not_change_the_size() -> None:
    assert [size_of(card("61-inf/1-481"), steps) for steps in (3, 2, 1)] == [BN, BN, BN]
    fusiliers = card("791-inf/791 Fus")
    assert [size_of(fusiliers, steps) for steps in (2, 1)] == [CO, CO]
    assert [str(strength(fusiliers, steps)) for steps in (2, 1)] == ["3-4", "1-2"]
    assert [after_loss(fusiliers, steps) for steps in (2, 1)] == [1, None]
    assert size_of(card("61-inf/811 FA"), 1) is BN
    assert after_loss(card("61-inf/811 FA"), 1) is None


@rules("4.1.3", "4.2.1", system="goss")
def test_4_1_3_a_company_goes_on_as_its_z_step() -> None:
    guns = card("791-inf/791 Pak")
    assert after_loss(guns, 1) == Z
    assert size_of(guns, Z) is ZS
    assert strength(guns, Z) == Strength(0, 1)
    assert after_loss(guns, Z) is None
    assert after_loss(card("791-inf/791 Pio"), 1) is None


@rules("4.1.3", system="goss")
def test_4_1_3_z_steps_under_fire() -> None:
    assert [density_steps(steps) for steps in ((3, 0), (3, 0, 0), (0,), (3, 3, 1))] == [4, 4, 1, 7]


@rules("4.1.3", system="goss")
def test_4_1_3_z_steps_in_an_assault() -> None:
    panther, guns = card("191-pz/1-191 Pz"), card("791-inf/791 Pak")
    assert not may_lead(guns, ZS, [ZS, BN], is_attacking=True)
    assert not may_lead(guns, ZS, [ZS, BN], is_attacking=False)
    assert may_lead(guns, ZS, [ZS, ZS], is_attacking=False)
    assert may_lead(guns, CO, [CO, BN], is_attacking=True)
    assert may_lead(panther, ZS, [ZS, BN], is_attacking=True)
    assert may_lead(panther, ZS, [ZS, BN], is_attacking=False)


@rules("4.4.0", system="goss")
def test_4_4_0_who_attacks_and_leads() -> None:
    infantry, guns, police = card("61-inf/1-481"), card("61-inf/811 FA"), card("lxxxi-rear/1 Pol")
    assert [may_join_assault(one) for one in (infantry, guns, police)] == [True, False, True]
    assert not may_join_assault(card("61-inf/HQ"))
    assert not may_join_assault(card("lxxxi-corps/1 Fest Pak")), "no hex is one that it may enter (4.3.3)"
    assert [may_attack_alone(one, one.size) for one in (infantry, guns, police)] == [True, False, False]
    assert not may_attack_alone(card("191-pz/1-191 Pz"), ZS)
    assert [may_lead_attack(one) for one in (infantry, guns, police)] == [True, False, False]


@rules("4.4.1", "4.4.2", system="goss")
def test_4_4_1_a_check_is_passed_below_the_rating() -> None:
    infantry = card("61-inf/1-481")
    assert [rating_of(infantry, is_active=active) for active in (True, False)] == [6, 7]
    assert rating_of(card("61-inf/811 FA"), is_active=True) is None
    assert [is_passed(7, roll) for roll in (6, 7)] == [True, False]
    assert is_passed(7, 7, -1)
    assert check_roll(7).total == 6
    assert check_roll(7, has_leader=True).total == 7
    assert check_roll(6, terms=[Modifier(2, "later checks", "15.7.1")]).total == 3
    for rating in range(1, 10):
        led = check_roll(rating, has_leader=True).total
        assert [is_passed(rating, roll, -1) for roll in range(10)] == [roll <= led for roll in range(10)]


@rules("4.3.0", "4.3.1", "4.3.2", "4.3.3", system="goss")
def test_4_3_2_movement_classes() -> None:
    for one in shelf().cards.values():
        if one.movement is MovementClass.LEG:
            assert one.has(Trait.PERSONNEL), one.id
        if one.is_headquarters or one.has(Trait.PURE_ARMOUR) or one.is_hybrid:
            assert one.movement is MovementClass.MECH, one.id
        assert (one.ma == 0) is (one.movement is MovementClass.STATIC), one.id
    assert card("lxxxi-corps/1 Flak").movement is MovementClass.STATIC
    assert card("791-inf/I-791 AR").movement is MovementClass.MECH


@rules("4.1.4", system="goss")
def test_4_1_4_hybrids_lose_their_cheapest_tanks_first() -> None:
    hybrid = card("ccb/1-CCB")
    assert hybrid.is_hybrid
    assert hybrid.size is BN
    assert hybrid.components == ("M5", "Arm Inf", "M4")
    assert [str(strength(hybrid, steps)) for steps in (3, 2, 1)] == ["9-8", "7-7", "4-4"]


@rules("5.6.1", "5.6.2", system="goss")
@pytest.mark.parametrize(
    ("name", "moves", "retreats"),
    [
        ("61-inf/811 FA", True, True),
        ("61-inf/813 FA", True, True),
        ("vii-corps/981 FA", False, False),
        ("xl-corps/974 FA", False, False),
        ("ccb/CCB AFA", False, False),
        ("791-inf/I-791 AR", True, False),
        ("xciii-corps/99 Werfer", True, False),
        ("2-pz/III-74 AR", True, True),
        ("lxxxi-corps/628 Art", False, False),
    ],
)
def test_5_6_1_guns_in_battery(name: str, moves: bool, retreats: bool) -> None:
    """Guns labelled G and larger ones stay, those on tracks move as they like, horses do not retreat in battery."""
    assert may_move_in_battery(card(name)) is moves
    assert may_retreat_in_battery(card(name)) is retreats
