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
from sandtable.geo.plane.space import space_of
from sandtable.session.presenting.presenting import open_seats, present_scene
from sandtable.systems.aslsk.common import actions as squad
from sandtable.systems.aslsk.pieces.state import FirstFire, Hold, Phase
from sandtable.systems.panzer.hex import actions as tank
from sandtable.systems.panzer.unit import Status, UnitId
from tests.toy import Action, Halt, PieceId, Shoot
from tests.toy_system import toy_game, toy_ruleset

SHIPPED = [head.id for system in catalog.system_ids() for head in catalog.scenarios(system)]


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
    stakes = view.stakes
    space: Any = space_of(game.ruleset)
    assert space is not None
    assert stakes.turns
    assert str(stakes.turns) in stakes.end
    assert all(aim.text and aim.rule for aim in stakes.aims)
    assert {aim.side for aim in stakes.aims} <= {"", *game.ruleset.seats}
    assert stakes.aims
    for holding in stakes.holdings:
        assert holding.rule
        assert holding.hexes
        assert all(space.place(label) in space for label in holding.hexes)
        assert holding.holder in ("", *game.ruleset.seats)
    assert present_scene(game.ruleset, view).stakes == stakes


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
    """Whoever is open to another knows nothing that the other does not, and that is told by nothing hidden."""
    game, rng = started(scenario), Random(1)
    ruleset = game.ruleset
    variants: Any = ruleset.hidden_variants  # type: ignore[attr-defined]
    for _ in range(60):
        decision = game.decision
        if decision is None:
            break
        for seat in (*ruleset.seats, None):
            told = open_seats(ruleset, game.state, seat or "")
            for asked in told:
                known = ruleset.conceal(game.state, Seat(asked))
                assert not decision.secret
                assert ruleset.conceal(known, seat) == known
            for other in variants(game.state, seat):
                assert open_seats(ruleset, other, seat or "") == told
        mover = decision.asked[0]
        game.play(mover, decision.options(mover).sample(rng))


@pytest.mark.parametrize("phase", [Phase.PREP_FIRE, Phase.MOVEMENT, Phase.ADVANCING_FIRE])
def test_who_moves_and_fires_openly_is_open(phase: Phase) -> None:
    """Else the screen changed hands for every question of a game at one table."""
    game, rng = started("sk-1-the-road-into-bretteville"), Random(1)
    while game.state.phase is not phase:
        decision = game.decision
        assert decision is not None
        game.play(decision.asked[0], decision.options(decision.asked[0]).sample(rng))
    other = next(seat for seat in game.ruleset.seats if seat != game.state.attacker)
    assert open_seats(game.ruleset, game.state, other) == (game.state.attacker,)


def test_a_standing_order_does_not_show_in_who_is_open() -> None:
    """Whoever fires at movers may have ordered when to fire next: that is not to be read off the screen (3.3.3)."""
    found = catalog.open_scenario("sk-1-the-road-into-bretteville")
    game, rng = Game.start(found.ruleset, found.header, SeededDice("stakes")), Random(1)
    while not isinstance(game.state.stack[-1], FirstFire):
        decision = game.decision
        assert decision is not None
        game.play(decision.asked[0], decision.options(decision.asked[0]).sample(rng))
    asked = game.state.stack[-1].asked
    mover = next(seat for seat in game.ruleset.seats if seat != asked)
    for holds in ({}, {asked: Hold(open_within=3)}):
        assert open_seats(game.ruleset, replace(game.state, holds=holds), mover) == ()


def test_secret_orders_are_not_open() -> None:
    game = toy_game()
    assert open_seats(game.ruleset, game.state, "red") == ()
