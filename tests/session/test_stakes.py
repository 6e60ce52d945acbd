"""What is at stake: told in every system, from what a seat may know, with the rule of every part."""

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from sandtable import catalog
from sandtable.core.decision import Leaf, Options, Seat
from sandtable.core.dice import SeededDice
from sandtable.core.forced import forced_answer
from sandtable.core.game import Game
from sandtable.geo.hex import Hex
from sandtable.geo.map import map_of
from sandtable.session.telling import open_seats, tell_scene
from sandtable.systems.aslsk import actions as squad
from sandtable.systems.panzer.hex import actions as tank
from sandtable.systems.panzer.hex.state import Status, UnitId
from tests.toy import Action, Halt, PieceId, Shoot
from tests.toy_system import toy_game, toy_ruleset

SHIPPED = [head.id for system in ("panzer-na", "mbt", "aslsk3") for head in catalog.scenarios(system)]


def started(scenario: str, seed: int = 0) -> Game[Any, Any, Any]:
    found = catalog.open_scenario(scenario)
    return Game.start(found.ruleset, found.header, SeededDice(f"stakes {seed}"))


def played(game: Game[Any, Any, Any], actions: int, seed: int = 0) -> Game[Any, Any, Any]:
    rng = Random(seed)
    while actions and (decision := game.decision) is not None:
        seat = decision.asked[0]
        game.play(seat, decision.options(seat).sample(rng))
        actions -= 1
    return game


@pytest.mark.parametrize("scenario", SHIPPED)
def test_every_scenario_says_what_counts_who_holds_it_and_when_it_ends(scenario: str) -> None:
    game = started(scenario)
    view = game.ruleset.view(game.state, game.ruleset.seats[0])
    stakes, game_map = view.stakes, map_of(game.ruleset)
    assert game_map is not None
    assert stakes.turns
    assert str(stakes.turns) in stakes.end
    assert all(aim.text and aim.rule for aim in stakes.aims)
    assert {aim.side for aim in stakes.aims} <= {"", *game.ruleset.seats}
    assert stakes.aims
    for holding in stakes.holdings:
        assert holding.rule
        assert holding.hexes
        assert all(game_map.hex(label) in game_map for label in holding.hexes)
        assert holding.holder in ("", *game.ruleset.seats)
    assert tell_scene(game.ruleset, game.state, view).stakes == stakes


@pytest.mark.parametrize("scenario", SHIPPED)
def test_the_score_names_the_rule_of_every_part(scenario: str) -> None:
    game = played(started(scenario), 20)
    for score in game.ruleset.view(game.state, None).scores:
        assert score.parts
        assert all(part.rule for part in score.parts)


def test_4_6_2_enemy_losses_are_told_vehicle_by_vehicle() -> None:
    game = started(SHIPPED[0])
    unit = next(iter(game.state.units.values()))
    lost = replace(unit, status=Status.KNOCKED_OUT, hex=None)
    state = replace(game.state, units={**game.state.units, unit.id: lost})
    (score,) = (one for one in game.ruleset.view(state, None).scores if one.side != unit.side)
    (part,) = (one for one in score.parts if one.name == "enemy losses")
    assert int(part.text) == score.points > 0
    assert unit.id in part.note
    assert part.rule == "4.6.2"


def test_4_1_3_counters_say_who_spots_them() -> None:
    game = played(started(SHIPPED[0]), 40)
    for counter in game.ruleset.view(game.state, None).counters:
        spotters = [spotter for spotter, targets in game.state.spotted.items() if counter.id in targets]
        assert list(counter.spotted_by or ()) == (spotters if counter.hex else [])


def test_a_shot_is_asked_for_though_it_is_the_only_answer() -> None:
    rules = toy_ruleset()
    shot: Options[Action] = Options(Leaf(Shoot((PieceId("r1"),))), lambda _: None)
    halt: Options[Action] = Options(Leaf(Halt()), lambda _: None)
    assert forced_answer(rules, shot) is None
    assert forced_answer(rules, halt) == Halt()


def test_shots_moves_and_tries_spend_something_and_saying_no_does_not() -> None:
    panzer, asl = (catalog.open_scenario(one).ruleset for one in (SHIPPED[0], SHIPPED[-1]))
    assert panzer.spends(tank.Fire(UnitId("B1"), ()))
    assert not panzer.spends(tank.Pass())
    assert not panzer.spends(tank.Move(UnitId("B1")))
    assert asl.spends(squad.Fire((), (), Hex(0, 0)))
    assert asl.spends(squad.FireOrdnance(Hex(0, 0)))
    assert not asl.spends(squad.HoldFire())
    assert not asl.spends(squad.Done())


@pytest.mark.parametrize("scenario", SHIPPED)
def test_whose_question_hides_nothing_is_open(scenario: str) -> None:
    """A seat is open to the other exactly if neither its answers nor what it knows are secret."""
    game, rng = started(scenario), Random(1)
    for _ in range(25):
        decision = game.decision
        if decision is None:
            break
        for seat in game.ruleset.seats:
            for asked in open_seats(game.ruleset, game.state, seat):
                known = game.ruleset.conceal(game.state, Seat(asked))
                assert not decision.secret
                assert game.ruleset.conceal(known, seat) == known
        mover = decision.asked[0]
        game.play(mover, decision.options(mover).sample(rng))


def test_secret_orders_are_not_open() -> None:
    game = toy_game()
    assert open_seats(game.ruleset, game.state, "red") == ()
