"""3.8 What the odds of a close combat attack leave out, and what they are with it."""

from fractions import Fraction
from typing import Any

import pytest

from sandtable.core.decision import Seat
from sandtable.core.odds import Chance, Supposition
from sandtable.session.presenting.foresight import foresee
from sandtable.systems.aslsk.common.actions import Advance, ArrangeLeaders, DeclareCloseCombat
from sandtable.systems.aslsk.pieces.state import CcAttack, CloseCombat, UnitId
from tests.aslsk.clash import Clash, side, squad

rules = pytest.mark.rules
A, B, L, R, S = map(UnitId, ("a", "b", "l", "r", "s"))
HOUSE = """
. . .
. b .
. . .
"""


def melee(*units: dict[str, Any], foes: list[dict[str, Any]]) -> Clash:
    held = [{**unit, "at": "B2", "melee": True} for unit in units]
    others = [{**unit, "at": "B2", "melee": True} for unit in foes]
    return Clash("CCPh", HOUSE, german=side(*held), russian=side(*others))


def fight(by: tuple[UnitId, ...], against: tuple[UnitId, ...]) -> DeclareCloseCombat:
    return DeclareCloseCombat((CcAttack(by, against),))


def supposed(clash: Clash, action: DeclareCloseCombat) -> list[Supposition]:
    return list(clash.rules.suppositions(clash.state, Seat(clash.asked), action))


def exact(chances: list[Chance], what: str) -> Fraction:
    return next((Fraction(one.exact) for one in chances if one.what == what), Fraction(0))


@rules("3.8", system="aslsk3")
def test_3_8_the_first_to_declare_is_told_what_the_best_answer_does() -> None:
    clash = melee(squad("a", "german/4-4-7"), foes=[squad("r", "russian/4-4-7")])
    action = fight((A,), (R,))
    (answer,) = supposed(clash, action)
    assert supposed(clash, DeclareCloseCombat()) == [], "without an attack there are no odds"
    assert answer.rule == "3.8"
    assert answer.what == "Russian declares its best answer: r on a"
    with_it = clash.rules.unit_odds(answer.state, action)
    without = clash.rules.unit_odds(clash.state, action)
    assert set(without) == {"r"}
    assert set(with_it) == {"r", "a"}, "one's own losses are told as well"
    # An original 2 of r may bring forth a leader, who counts in its defence at once (5.3).
    assert exact(without["r"], "eliminated") == Fraction(1, 6)
    assert Fraction(1, 6) - Fraction(1, 36) < exact(with_it["r"], "eliminated") < Fraction(1, 6)
    assert exact(with_it["a"], "eliminated") > Fraction(1, 7)


@rules("3.8", system="aslsk3")
def test_3_8_the_second_to_declare_has_exact_odds_with_what_was_declared() -> None:
    clash = melee(squad("a", "german/4-4-7"), foes=[squad("r", "russian/4-4-7")])
    first = fight((A,), (R,))
    (answer,) = supposed(clash, first)
    foreseen = clash.rules.unit_odds(answer.state, first)
    clash.play(first)
    second = fight((R,), (A,))
    assert supposed(clash, second) == []
    told = clash.rules.unit_odds(clash.state, second)
    assert told == {"a": foreseen["a"], "r": foreseen["r"]}
    idle = clash.rules.unit_odds(clash.state, DeclareCloseCombat())
    assert exact(idle["r"], "eliminated") == Fraction(1, 6), "nobody of r rolls a 2 then"


@rules("3.8", system="aslsk3")
def test_3_8_the_best_answer_is_the_one_that_hurts_most() -> None:
    clash = melee(
        squad("a", "german/4-4-7"),
        squad("l", "german/8-0"),
        foes=[squad("r", "russian/4-4-7"), squad("s", "russian/4-4-7")],
    )
    clash.play(ArrangeLeaders({L: A}))
    (answer,) = supposed(clash, fight((A, L), (R,)))
    assert answer.what == "Russian declares its best answer: r, s on a, l"


@rules("3.8", system="aslsk3")
def test_3_8_broken_enemies_do_not_answer() -> None:
    clash = melee(squad("a", "german/4-4-7"), foes=[squad("r", "russian/4-4-7", broken=True)])
    assert supposed(clash, fight((A,), (R,))) == []


@rules("3.8", system="aslsk3")
def test_3_8_an_ambusher_strikes_first_and_is_told_that_survivors_may_strike_back() -> None:
    clash = Clash("APh", HOUSE, german=side(squad("a", at="A2")), russian=side(squad("r", "russian/4-4-7", at="B2")))
    clash.play(Advance((A,), clash.hex("B2")), 1, 4)
    frame = clash.state.stack[-1]
    assert isinstance(frame, CloseCombat)
    (answer,) = supposed(clash, fight((A,), (R,)))
    assert (answer.what, answer.rule, answer.state) == ("the Russian units that are left attack back", "3.8", None)
    clash.play(fight((A,), (R,)), (6, 5))
    assert supposed(clash, fight((R,), (A,))) == []


@rules("3.8", system="aslsk3")
def test_3_8_a_player_sees_both_numbers() -> None:
    clash = melee(squad("a", "german/4-4-7"), foes=[squad("r", "russian/4-4-7")])
    told = foresee(clash.rules, clash.state, Seat("german"), fight((A,), (R,)))
    assert [struck.unit for struck in told.unit_odds] == ["r"]
    (what_if,) = told.what_ifs
    assert what_if.exact
    assert [struck.unit for struck in what_if.unit_odds] == ["r", "a"]
