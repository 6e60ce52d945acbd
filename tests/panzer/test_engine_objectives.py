"""3.6 and 4.6.2: who holds an objective turn after turn, and who has won."""

import pytest

from sandtable.systems.panzer.hex.objectives import review
from sandtable.systems.panzer.objective import Objective
from tests.rulebook.engine import BLUE, PASS, RED, Play, both_books, fire, move, play

FIELD = "\n".join([". . . . . . ."] * 3)
VILLAGE = {"id": "village", "title": "Village", "hexes": ["C1", "C2"], "points": {"red": 30, "blue": 20}}


def field(book: str, units: str, **rest: object) -> Play:
    objective = {**VILLAGE, **rest.pop("objective", {})}  # type: ignore[dict-item]
    return play(book, FIELD, units, **{"objectives": [objective], **rest})


def village(game: Play) -> Objective:
    return game.state.objectives["village"]


def turn(game: Play, red: dict[str, str], *moves: tuple[str, str]) -> None:
    """A turn in which red moves and nothing else happens."""
    game.commands(red, {}, 90, 10, first="blue")
    for unit, words in moves:
        game.do(RED, move(unit, words))
        while game.asked == (BLUE,):
            game.do(BLUE, PASS)


@pytest.mark.rules("3.6")
@both_books
def test_3_6_an_objective_is_captured_by_a_complete_turn_of_occupation(book: str) -> None:
    game = field(book, "r1 slab B1 SE\nb1 truck G3 N")
    turn(game, {"r1": "MOVE"}, ("r1", "F"))
    assert game.at("r1") == "C1"
    assert village(game) == Objective(holder="", occupant="red", turns=0)
    turn(game, {})
    assert village(game) == Objective(holder="red", occupant="red", turns=1)


@pytest.mark.rules("3.6")
@both_books
def test_3_6_a_dash_in_the_last_turn_captures_nothing(book: str) -> None:
    game = field(book, "r1 slab B1 SE\nb1 truck G3 N", turns=1)
    turn(game, {"r1": "MOVE"}, ("r1", "F"))
    assert game.state.ended
    outcome = game.rules.outcome(game.state)
    assert outcome is not None
    assert outcome.scores == {"red": 0, "blue": 0}


@pytest.mark.rules("3.6")
@both_books
def test_3_6_another_vehicle_may_complete_the_occupation(book: str) -> None:
    game = field(book, "r1 slab C1 S\nr2 slab B1 SE\nb1 truck G3 N")
    turn(game, {"r1": "MOVE", "r2": "MOVE"}, ("r1", "F F"), ("r2", "F"))
    assert (game.at("r1"), game.at("r2")) == ("C3", "C1")
    assert village(game).holder == "red"


@pytest.mark.rules("3.6")
@both_books
def test_3_6_once_captured_it_need_not_stay_occupied(book: str) -> None:
    game = field(book, "r1 slab C1 S\nb1 truck G3 N")
    turn(game, {})
    turn(game, {"r1": "MOVE"}, ("r1", "F F"))
    assert game.at("r1") == "C3"
    assert village(game) == Objective(holder="red", occupant="", turns=0)


@pytest.mark.rules("3.6")
@both_books
def test_3_6_the_scenario_says_how_many_turns_it_takes(book: str) -> None:
    game = field(book, "r1 slab C1 S\nb1 truck G3 N", objective={"turns": 2})
    turn(game, {})
    assert village(game) == Objective(holder="", occupant="red", turns=1)
    turn(game, {})
    assert village(game).holder == "red"


@pytest.mark.rules("3.6")
@both_books
def test_3_6_unarmed_vehicles_capture_nothing(book: str) -> None:
    game = field(book, "r1 truck C1 S\nr2 slab A3 N\nb1 truck G3 N", objective={"holder": "blue"})
    turn(game, {})
    turn(game, {})
    assert village(game) == Objective(holder="blue", occupant="", turns=0)


@pytest.mark.rules("3.6")
@both_books
def test_3_6_a_contested_objective_is_controlled_by_nobody(book: str) -> None:
    game = field(book, "r1 slab C1 S\nb1 slab C2 S", objective={"holder": "red"})
    found = review(game.state, game.context.scenario, game.context.cards)
    assert found["village"] == Objective()


@pytest.mark.rules("3.6")
@both_books
def test_3_6_a_force_that_drives_the_other_out_counts_its_own_turns(book: str) -> None:
    game = field(book, "r1 slab B1 SE\nb1 truck G3 N\nb2 truck C2 N", objective={"holder": "blue"})
    turn(game, {"r1": "MOVE"}, ("r1", "F"))
    assert village(game).holder == "blue"
    turn(game, {})
    assert village(game).holder == "red"


@pytest.mark.rules("4.6.2", "3.6")
@both_books
@pytest.mark.parametrize(
    ("victory", "winner", "scores"),
    [
        ({}, "red", {"red": 40, "blue": 0}),
        ({"losses": {"red": 50}}, "red", {"red": 35, "blue": 0}),
        ({"handicap": {"blue": 40}}, "", {"red": 40, "blue": 40}),
        ({"handicap": {"blue": 41}}, "blue", {"red": 40, "blue": 41}),
        ({"draw_within": 40}, "", {"red": 40, "blue": 0}),
        ({"draw_within": 39}, "red", {"red": 40, "blue": 0}),
    ],
)
def test_4_6_2_points_for_objectives_and_losses_decide(
    book: str, victory: dict[str, object], winner: str, scores: dict[str, int]
) -> None:
    units = "r1 tank C1 SE\nb1 tank F2 NW\nb2 truck G3 N"
    game = field(book, units, victory=victory, turns=1)
    game.commands({"r1": "FIRE"}, {}, 90, 10, first="red")
    game.shoot(fire("b1", "r1"), 1)
    outcome = game.rules.outcome(game.state)
    assert outcome is not None
    assert (outcome.winner, outcome.scores, outcome.rule) == (winner, scores, "4.6.2")


@pytest.mark.rules("4.6.2")
@both_books
def test_4_6_2_no_outcome_while_the_game_runs(book: str) -> None:
    game = field(book, "r1 tank C1 SE\nb1 tank F2 NW")
    assert game.rules.outcome(game.state) is None
    turn(game, {})
    assert game.rules.outcome(game.state) is None
