"""6.5.1.13, 6.7.3: exact odds of each unit that Indirect Fire or an aircraft strikes."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sandtable.core.decision import Seat
from sandtable.core.odds import Chance, odds
from sandtable.systems.panzer.air.air_actions import FlyOn
from sandtable.systems.panzer.hex.actions import Action, ContinueFire
from tests.panzer.batteries import BATTERY, GP, NA, PASS, RED, SMOKE, battle, call, gun, next_turn, observer, unit
from tests.panzer.skies import fly, sky, strike
from tests.rulebook.engine import Play

rules = pytest.mark.rules
NOTHING = "no effect"


def shares(chances: list[Chance]) -> dict[str, Fraction]:
    return {one.what: Fraction(one.exact) for one in chances}


def marginal(game: Play, action: Action, name: str) -> dict[str, Fraction]:
    """What becomes of one unit, from the odds of all together."""
    found: dict[str, Fraction] = {}
    for chance in odds(game.rules, game.state, [(Seat(RED), action)]):
        told = [one.removeprefix(f"{name} ") for one in chance.what.split(", ") if one.startswith(f"{name} ")]
        what = ", ".join(told) or NOTHING
        found[what] = found.get(what, Fraction(0)) + Fraction(chance.exact)
    return found


@rules("6.5.1.12", "6.5.1.13", "6.5.4.4", system=NA)
def test_odds_of_each_unit_are_those_of_all_together() -> None:
    tank = unit("t1", "K5", "crusader-i", command="N/C", known=True)
    game = battle(targets=(gun(), tank))
    action = call(game)
    found = game.rules.unit_odds(game.state, action)
    assert set(found) == {"g1", "t1"}
    for name, chances in found.items():
        assert sum(shares(chances).values()) == 1
        assert shares(chances) == marginal(game, action, name)


@rules("6.5.1.12", "6.5.1.13", system=NA)
def test_two_batteries_on_one_gun_strike_one_after_the_other() -> None:
    game = battle(batteries=(BATTERY, {**BATTERY, "id": "b2"}))
    action = call(game, "b1", "b2")
    assert shares(game.rules.unit_odds(game.state, action)["g1"]) == marginal(game, action, "g1")


@rules("6.5.1.8.1", "6.5.1.6.1", system=NA)
def test_fire_that_goes_on_needs_no_response_and_smoke_harms_nobody() -> None:
    game = battle()
    called = shares(game.rules.unit_odds(game.state, call(game))["g1"])
    assert game.rules.unit_odds(game.state, call(game, kind=SMOKE)) == {}
    assert game.rules.unit_odds(game.state, PASS) == {}
    game.do(RED, call(game), 5, 10)
    game.do(RED, PASS)
    next_turn(game)
    going_on = shares(game.rules.unit_odds(game.state, ContinueFire("fo-1", GP))["g1"])
    assert 1 - called[NOTHING] == Fraction(9, 10) * (1 - going_on[NOTHING])


@rules("6.5.4.2.3", "6.5.4.5", system=NA)
def test_passengers_have_odds_of_their_own_and_friends_are_told_too() -> None:
    truck = unit("t1", "K5", "opel-blitz", known=True)
    squad = unit("s1", "K5", "german-rifle-squad", carried_by="t1", known=True)
    game = battle(observer(), truck, squad)
    found = game.rules.unit_odds(game.state, call(game))
    assert set(found) == {"g1", "t1", "s1"}
    assert any("off its vehicle" in one.what for one in found["s1"])


@rules("6.5.4.3", "6.5.1.10", system=NA)
def test_what_the_odds_leave_out_is_named_with_its_odds() -> None:
    tank = unit("t1", "K5", "crusader-i", command="MOVE", known=False)
    friend = unit("p1", "H4", "pz-iiij", command="N/C", known=True)
    game = battle(observer(), friend, targets=(gun(), tank), spotted={"fo": ["g1"], "g1": ["p1"]})
    red = game.rules.seats[0]
    known = game.rules.conceal(game.state, red)
    moving, danger = game.rules.suppositions(known, red, call(game))
    assert (moving.rule, danger.rule, danger.state) == ("6.5.4.3", "6.5.1.10", None)
    plain = shares(game.rules.unit_odds(known, call(game))["t1"])
    assert plain[NOTHING] < shares(game.rules.unit_odds(moving.state, call(game))["t1"])[NOTHING]


@rules("6.7.3.2", "6.5.4.4", system=NA)
def test_odds_of_an_attack_from_the_air() -> None:
    game = sky("b1 pz-iiig F5 N", "b2 german-rifle-squad F6 N")
    game.do("red", fly(game, "F1"))
    game.do("red", FlyOn(3))
    action = strike("b1")
    found = game.rules.unit_odds(game.state, action)
    assert set(found) == {"b1", "b2"}
    for name, chances in found.items():
        assert shares(chances) == marginal(game, action, name)
