"""4.0 to 4.3 and 4.6: the phases in their order, commands in secret, initiative, the end of a turn and of a game."""

import pytest
from msgspec.structs import replace

from sandtable.core.codec import digest
from sandtable.core.decision import Seat
from sandtable.core.dice import ScriptedDice
from sandtable.systems.panzer import events as ev
from sandtable.systems.panzer.frames import DirectFire, Movement
from sandtable.systems.panzer.hex.actions import ChooseFirstPlayer
from sandtable.systems.panzer.sequence import Phase
from sandtable.systems.panzer.unit import Command, Spot
from tests.rulebook.engine import BLUE, PASS, RED, both_books, commands, fire, kinds, move, plain, play

OPEN = ". . . . . .\n. . . . . ."
PAIR = """
r1 tank A1 NE
b1 tank E1 NW
"""


# --- 4.0 Sequence of Play -------------------------------------------------------------------------------


@pytest.mark.rules("4.0", "4.1", "4.2", "4.3", "4.4", "4.5", "4.6")
@both_books
def test_4_0_the_phases_of_a_turn_follow_in_order(book: str) -> None:
    game = play(book, OPEN, PAIR)
    game.commands({}, {}, 60, 40, first="red")
    phases = [event.phase for event in game.told(ev.PhaseBegan)]
    assert phases == [
        Phase.INITIATIVE,
        Phase.COMBAT,
        Phase.MOVEMENT,
        Phase.ADJUSTMENT,
        Phase.SPOTTING,
        Phase.COMMAND,
    ]
    assert (game.state.turn, game.question, game.asked) == (2, "4.2.1", (RED, BLUE))


@pytest.mark.rules("4.0", "4.1", "2.0")
@both_books
def test_4_0_a_game_begins_with_the_spotting_phase_of_turn_1(book: str) -> None:
    game = play(book, OPEN, PAIR)
    start = game.rules.setup()
    begun = game.rules.begin(start, ScriptedDice(()))
    assert (start.turn, start.stack) == (0, ())
    assert kinds(begun.events) == ["TurnBegan", "PhaseBegan", "SpottingDetermined", "PhaseBegan"]
    assert begun.state.spotted == {"r1": ("b1",), "b1": ("r1",)}


@both_books
def test_a_state_is_digested_without_the_pairs_of_who_spots_whom(book: str) -> None:
    game = play(book, OPEN, PAIR)
    state = game.rules.begin(game.rules.setup(), ScriptedDice(())).state
    assert state.sightings == digest(state.spotted)
    assert digest(state) == digest(replace(state, spotted={}))
    blind = replace(state, spotted={}, sightings=digest({}))
    assert digest(state) != digest(blind)
    # A log of version 1 names no fingerprint: its states are digested whole.
    assert digest(replace(state, sightings="")) != digest(replace(state, sightings="", spotted={}))


@pytest.mark.rules("4.0")
@both_books
def test_4_0_an_action_that_answers_another_question_is_refused(book: str) -> None:
    game = play(book, OPEN, PAIR)
    before = game.state
    assert game.why(RED, PASS) == "4.0"
    assert game.why(RED, move("r1")) == "4.0"
    assert game.why(RED, fire("b1", "r1")) == "4.0"
    assert game.state is before


@pytest.mark.rules("3.1", "4.3.2")
@both_books
def test_3_1_each_player_acts_for_his_own_vehicles(book: str) -> None:
    game = play(book, OPEN, "r1 tank A1 NE FIRE\nb1 tank E1 NW FIRE", open="direct fire", first="red")
    assert game.why(BLUE, fire("r1", "b1")) == "4.4.1"
    assert game.why(RED, fire("b1", "b1")) == "3.1"
    assert game.why(RED, fire("r1", "r1")) == "4.4.3"
    moving = play(book, OPEN, "r1 tank A1 NE MOVE\nb1 tank E1 NW MOVE", open="movement", first="blue")
    assert moving.why(RED, move("b1")) == "3.1"


# --- 4.2 Command Phase ----------------------------------------------------------------------------------


@pytest.mark.rules("4.2", "4.2.1")
@both_books
def test_4_2_1_both_forces_place_commands_at_once_in_either_order(book: str) -> None:
    game = play(book, OPEN, PAIR)
    assert list(game.asked) == [RED, BLUE]
    game.do(BLUE, commands({"b1": "OW"}))
    assert list(game.asked) == [RED]
    assert game.why(BLUE, commands({"b1": "FIRE"})) == "4.2.1"
    game.do(RED, commands({"r1": "MOVE"}), 10, 90)
    assert (game.unit("r1").command, game.unit("b1").command) == (Command.MOVE, Command.OVERWATCH)


@pytest.mark.rules("4.2.1")
@both_books
def test_4_2_1_a_vehicle_without_a_command_has_n_c(book: str) -> None:
    game = play(book, OPEN, PAIR)
    game.do(RED, commands({}))
    assert (game.unit("r1").command, game.unit("r1").known) == (Command.NONE, False)


@pytest.mark.rules("4.2.1")
@both_books
def test_4_2_1_what_is_no_command_or_no_vehicle_of_his_is_refused(book: str) -> None:
    game = play(book, OPEN, PAIR)
    assert game.why(RED, commands({"b1": "MOVE"})) == "4.2.1"
    assert game.why(RED, commands({"r9": "MOVE"})) == "4.2.1"
    assert game.why(RED, commands({"r1": "?"})) == "4.2"


@pytest.mark.rules("4.2.1", "4.4.3", "3.5.2")
@both_books
@pytest.mark.parametrize(
    ("vehicle", "command", "converted"),
    [
        ("r1 tank A1 NE", "FIRE", ""),
        ("r1 tank A1 SW", "SHORT HALT", ""),
        ("r1 fixed A1 NE", "FIRE", ""),
        ("r1 fixed A1 SW", "FIRE", "4.2.1"),
        ("r1 fixed A1 SW", "SHORT HALT", "4.2.1"),
        ("r1 fixed A1 SW", "OW", ""),
        ("r1 truck A1 NE", "OW", "4.4.3"),
        ("r1 truck A1 NE", "FIRE", "4.4.3"),
        ("r1 truck A1 NE", "MOVE", ""),
    ],
)
def test_4_2_1_a_command_that_cannot_be_executed_counts_as_n_c(
    book: str, vehicle: str, command: str, converted: str
) -> None:
    game = play(book, OPEN, f"{vehicle}\nb1 tank E1 NW")
    game.do(RED, commands({"r1": command}))
    assert [event.rule for event in game.told(ev.CommandConverted)] == ([converted] if converted else [])
    assert game.unit("r1").command == ("N/C" if converted else command)


@pytest.mark.rules("4.2.1", "4.1.1")
@both_books
def test_4_2_1_no_fire_command_in_anticipation_of_a_target(book: str) -> None:
    game = play(book, ". . .\nw w w\n. . .", "r1 tank B1 S\nb1 tank B3 N")
    game.do(RED, commands({"r1": "FIRE"}))
    assert game.unit("r1").command is Command.NONE
    offered = [option.commands["b1"] for option in game.rules.decision(game.state).options(BLUE)]  # type: ignore[union-attr]
    assert offered == [Command.MOVE, Command.OVERWATCH, Command.NONE]


@pytest.mark.rules("4.2.1", "4.5.1.1.9")
@both_books
def test_4_2_1_a_reserve_moves_or_waits_and_takes_no_command_before_its_turn(book: str) -> None:
    game = play(book, OPEN, "r1 tank enters:1:A1 NE\nr2 tank enters:2:A1 NE\nb1 tank E1 NW")
    assert game.why(RED, commands({"r2": "MOVE"})) == "4.2.1"
    game.do(RED, commands({"r1": "FIRE"}))
    assert [event.rule for event in game.told(ev.CommandConverted)] == ["4.5.1.1.9"]


@pytest.mark.rules("4.2.1")
@both_books
def test_4_2_1_the_opponent_learns_nothing_of_commands_that_were_not_revealed(book: str) -> None:
    shown = []
    for given in ("FIRE", "MOVE", "SHORT HALT", "OW", "N/C"):
        game = play(book, OPEN, PAIR)
        events = game.do(RED, commands({"r1": given}))
        told = [game.rules.redact(event, BLUE) for event in events]
        shown.append((plain(game.rules.view(game.state, BLUE)), plain(told)))
        assert game.rules.conceal(game.state, BLUE).units[game.unit("r1").id].command is Command.HIDDEN
        assert game.rules.conceal(game.state, RED).units[game.unit("r1").id].command == given
    assert all(one == shown[0] for one in shown)


@pytest.mark.rules("4.2.1")
@both_books
def test_4_2_1_a_converted_command_is_told_to_its_owner_alone(book: str) -> None:
    game = play(book, OPEN, "r1 truck A1 NE\nb1 tank E1 NW")
    events = game.do(RED, commands({"r1": "FIRE"}))
    assert "CommandConverted" in kinds([e for e in (game.rules.redact(event, RED) for event in events) if e])
    assert "CommandConverted" not in kinds([e for e in (game.rules.redact(event, BLUE) for event in events) if e])


# --- 4.3 Initiative Phase -------------------------------------------------------------------------------


@pytest.mark.rules("4.3", "4.3.1")
@both_books
def test_4_3_1_the_higher_roll_says_who_is_first_player(book: str) -> None:
    game = play(book, OPEN, PAIR)
    game.do(RED, commands({}))
    game.do(BLUE, commands({}), 40, 41)
    assert (game.question, game.asked) == ("4.3.1", (BLUE,))
    assert game.why(BLUE, ChooseFirstPlayer(Seat("green"))) == "4.3.1"
    assert game.why(RED, ChooseFirstPlayer(RED)) == "4.3.1"
    game.do(BLUE, ChooseFirstPlayer(RED))
    assert [event.first for event in game.told(ev.FirstPlayerChosen)] == [RED]


@pytest.mark.rules("4.3.1")
@both_books
def test_4_3_1_ties_are_rolled_again(book: str) -> None:
    game = play(book, OPEN, PAIR)
    game.do(RED, commands({}))
    game.do(BLUE, commands({}), 50, 50, 1, 1, 100, 2)
    assert [event.winner for event in game.told(ev.InitiativeRolled)] == ["", "", RED]


@pytest.mark.rules("4.3.1")
@both_books
def test_4_3_1_unless_the_special_conditions_settle_them(book: str) -> None:
    game = play(book, OPEN, PAIR, conditions={"initiative_tie": "blue"})
    game.do(RED, commands({}))
    game.do(BLUE, commands({}), 50, 50)
    assert game.asked == (BLUE,)


@pytest.mark.rules("4.3.2", "4.4.1", "4.5")
@both_books
@pytest.mark.parametrize("first", [RED, BLUE])
def test_4_3_2_the_first_player_fires_first_and_moves_last(book: str, first: Seat) -> None:
    second = BLUE if first == RED else RED
    game = play(book, OPEN, "r1 slab A1 NE\nr2 slab A1 NE\nb1 slab E1 NW\nb2 slab E1 NW")
    game.commands({"r1": "FIRE", "r2": "MOVE"}, {"b1": "FIRE", "b2": "MOVE"}, 90, 10, first=first)
    order = []
    while game.state.turn == 1:
        seat = game.asked[0]
        mine, his = ("r", "b") if seat == RED else ("b", "r")
        if game.question == "4.4.1":
            order.append((Phase.COMBAT, seat))
            game.shoot(fire(f"{his}1", f"{mine}1"), 100)
        elif game.question == "4.5.1.1":
            order.append((Phase.MOVEMENT, seat))
            game.do(seat, move(f"{mine}2"))
        else:
            game.do(seat, PASS)
    fires, moves = [(Phase.COMBAT, first), (Phase.COMBAT, second)], [(Phase.MOVEMENT, second), (Phase.MOVEMENT, first)]
    assert order == fires + moves


@pytest.mark.rules("4.3.2", "4.4")
@both_books
def test_4_4_a_step_without_anything_to_do_passes_by_itself(book: str) -> None:
    game = play(book, OPEN, PAIR)
    game.commands({"r1": "OW"}, {"b1": "MOVE"}, 90, 10, first="red")
    assert isinstance(game.top, Movement)
    assert game.asked == (BLUE,)
    firing = play(book, OPEN, PAIR)
    firing.commands({"r1": "OW"}, {"b1": "FIRE"}, 90, 10, first="red")
    assert firing.top == DirectFire(BLUE, first=False)


# --- 4.6 Adjustment Phase -------------------------------------------------------------------------------


@pytest.mark.rules("4.6", "4.6.1")
@both_books
def test_4_6_1_all_commands_are_turned_over_and_taken_off(book: str) -> None:
    game = play(book, OPEN, PAIR)
    game.commands({"r1": "OW"}, {}, 90, 10, first="red")
    assert [(event.unit, event.command) for event in game.told(ev.CommandRevealed)] == [
        ("r1", Command.OVERWATCH),
        ("b1", Command.NONE),
    ]
    assert [event.unused for event in game.told(ev.CommandsRemoved)] == [{}]
    assert {unit.command for unit in game.state.units.values()} == {Command.NONE}
    assert not any(unit.fired or unit.moved or unit.new_spot or unit.spot for unit in game.state.units.values())


@pytest.mark.rules("4.6.1", "4.2.1")
@both_books
def test_4_6_1_an_unused_fire_command_leaves_spot_fire(book: str) -> None:
    game = play(book, OPEN, "r1 tank A1 NE FIRE\nb1 tank E1 NW N/C", open="movement")
    assert (game.state.turn, game.unit("r1").spot) == (2, Spot.FIRE)


@pytest.mark.rules("4.6.2")
@both_books
def test_4_6_2_the_game_ends_with_its_last_turn(book: str) -> None:
    game = play(book, OPEN, PAIR, turn=3, turns=3)
    game.commands({}, {}, 90, 10, first="red")
    assert (game.state.ended, game.asked) == ("turn 3 was the last", ())
    outcome = game.rules.outcome(game.state)
    assert outcome is not None
    assert (outcome.winner, outcome.rule, outcome.scores) == ("", "4.6.2", {"red": 0, "blue": 0})


@pytest.mark.rules("4.6.2")
@both_books
def test_4_6_2_the_game_ends_when_a_force_has_no_vehicle_left(book: str) -> None:
    game = play(book, OPEN, "r1 tank A1 NE FIRE\nb1 tank E1 NW N/C known", open="direct fire", first="red")
    game.do(RED, fire("b1", "r1"), 1)
    assert game.state.ended == "blue has no vehicle left"
    outcome = game.rules.outcome(game.state)
    assert outcome is not None
    assert (outcome.winner, outcome.scores) == ("red", {"red": 10, "blue": 0})
