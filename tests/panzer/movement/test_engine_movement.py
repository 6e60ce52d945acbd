"""4.5: the Movement Phase as it is played, with short halts, exits, reserves and vehicles in one hex."""

import pytest
from msgspec.structs import replace

from sandtable.systems.panzer import events as shared
from sandtable.systems.panzer.frames import Movement
from sandtable.systems.panzer.hex import events as ev
from sandtable.systems.panzer.hex.actions import Move
from sandtable.systems.panzer.unit import Command, Spot, Status, UnitId
from tests.rulebook.engine import BLUE, PASS, RED, Play, both_books, commands, fire, kinds, legs, move, play

FIELD = "\n".join([". . . . . . ."] * 5)


def moving(book: str, units: str, cells: str = FIELD, **rest: object) -> Play:
    """A position in the Second Player's (red's) Movement step."""
    return play(book, cells, units, **{"open": "movement", "first": "blue", **rest})


def enter(unit: str, game: Play, label: str, facing: int, words: str = "") -> Move:
    return Move(UnitId(unit), legs(words), game.hex(label), facing)


@pytest.mark.rules("4.5", "4.5.1", "4.5.1.1")
@both_books
def test_4_5_every_vehicle_with_a_moving_command_moves_once_and_is_marked(book: str) -> None:
    units = "r1 slab A1 SE MOVE\nr2 slab A2 SE SHORT_HALT\nr3 slab A3 SE OW\nb1 truck G5 N N/C"
    game = moving(book, units)
    assert game.why(RED, move("r3", "F")) == "4.5"
    assert game.why(RED, PASS) == "4.0"
    game.do(RED, move("r2", "F F"))
    assert game.why(RED, move("r2", "F")) == "4.5"
    assert game.top == Movement(RED, first=False)
    game.do(RED, move("r1", "F F F F"))
    assert [(e.unit, e.spot) for e in game.told(shared.SpotMarked)] == [("r2", Spot.MOVE), ("r1", Spot.MOVE)]
    assert (game.at("r1"), game.at("r2"), game.state.turn) == ("E3", "C3", 2)


@pytest.mark.rules("4.5.1.1.1", "3.7")
@both_books
def test_4_5_1_1_1_a_short_halt_moves_half_as_far(book: str) -> None:
    game = moving(book, "r1 slab A1 SE SHORT_HALT\nr2 slab A2 SE SHORT_HALT damaged\nb1 truck G5 N N/C")
    assert game.why(RED, move("r1", "F F F")) == "4.5.1.1.3"
    assert game.why(RED, move("r2", "F F")) == "4.5.1.1.3"
    assert game.why(RED, move("r2", "F")) == ""
    assert game.why(RED, move("r1", "F F")) == ""


@pytest.mark.rules("4.5.1", "3.4", "4.2")
@both_books
def test_4_5_1_the_move_of_a_short_halt_replaces_its_spot_fire(book: str) -> None:
    game = play(book, FIELD, "r1 slab A1 SE\nb1 slab E3 NW\nb2 truck G5 N")
    game.commands({"r1": "SHORT HALT"}, {"b1": "N/C"}, 90, 10, first="red")
    game.shoot(fire("b1", "r1"), 100)
    game.do(BLUE, PASS)
    assert (game.unit("r1").new_spot, game.unit("r1").command) == (Spot.FIRE, Command.SHORT_HALT)
    game.do(RED, move("r1", "F"))
    assert game.unit("r1").new_spot is Spot.MOVE
    game.do(BLUE, PASS)
    assert game.unit("r1").spot is Spot.MOVE


@pytest.mark.rules("4.5", "4.2.1")
@both_books
def test_4_5_a_short_halt_that_could_not_fire_still_moves(book: str) -> None:
    game = moving(book, "r2 slab A1 SE SHORT_HALT\nb2 truck G5 N N/C")
    assert game.why(RED, move("r2", "F F F")) == "4.5.1.1.3"
    game.do(RED, move("r2", "F F"))
    assert (game.told(shared.SpotMarked)[-1].spot, game.told(shared.CommandsRemoved)[0].unused) == (Spot.MOVE, {})


@pytest.mark.rules("4.5.1.1", "4.5.1.1.3")
@both_books
def test_4_5_1_1_movement_costs_are_called_out_as_they_are_spent(book: str) -> None:
    game = moving(book, "r1 slab A1 SE MOVE\nb1 truck G3 N N/C", ". . . . . . .\n. s . . . . .\n. . . . . . .")
    game.do(RED, move("r1", "F 2F"))
    told = [
        (type(event).__name__, event.cost.total)
        for event in game.events
        if isinstance(event, ev.UnitMoved | ev.UnitTurned)
    ]
    assert told == [("UnitMoved", 2), ("UnitTurned", 1), ("UnitMoved", 1)]


@pytest.mark.rules("4.5.1.1.8")
@both_books
def test_4_5_1_1_8_a_vehicle_may_stay_where_it_is_and_is_marked(book: str) -> None:
    game = moving(book, "r1 slab A1 SE MOVE\nb1 truck G5 N N/C")
    events = game.do(RED, move("r1"))
    assert kinds(events)[:3] == ["CommandRevealed", "SpotMarked", "MoveEnded"]
    assert (game.at("r1"), game.unit("r1").spot) == ("A1", Spot.NONE)
    seen = moving(book, "r1 slab A1 SE MOVE\nb1 slab G3 N N/C known")
    seen.do(RED, move("r1"))
    assert seen.unit("r1").spot is Spot.MOVE


@pytest.mark.rules("4.5.1.1.9", "3.6", "4.6.2")
@both_books
def test_4_5_1_1_9_vehicles_that_leave_count_for_victory_and_do_not_return(book: str) -> None:
    victory = {"exits": [{"side": "red", "hexes": ["A1"], "points": 7}, {"side": "blue", "hexes": ["A2"], "points": 9}]}
    units = "r1 slab A1 N MOVE\nr2 slab A2 SW MOVE\nr3 slab A5 N N/C\nb1 truck G5 N N/C"
    game = moving(book, units, victory=victory, turns=2)
    game.do(RED, move("r1", "F"))
    game.do(RED, move("r2", "F"))
    assert [(event.unit, event.way) for event in game.told(ev.UnitExited)] == [("r1", "0"), ("r2", "")]
    assert (game.unit("r1").status, game.unit("r1").hex, game.state.exits) == (Status.EXITED, None, {"0": 1})
    assert game.why(RED, commands({"r1": "MOVE"})) == "4.2.1"
    assert game.state.wrecks == ()
    game.commands({}, {}, 90, 10, first="red")
    outcome = game.rules.outcome(game.state)
    assert outcome is not None
    assert (outcome.winner, outcome.scores) == ("red", {"red": 7, "blue": 0})


@pytest.mark.rules("4.5.1.1.9")
@both_books
def test_4_5_1_1_9_reserves_enter_from_their_turn_on_through_their_hexes(book: str) -> None:
    units = "r1 slab enters:2:A1:A2 SE MOVE\nr2 slab A5 N MOVE\nb1 slab G5 N OW"
    early = moving(book, units)
    assert early.unit("r1").status is Status.RESERVE
    assert early.why(RED, enter("r1", early, "A1", 2)) == "4.5.1.1.9"
    game = moving(book, units, turn=2)
    assert game.why(RED, enter("r1", game, "A3", 2)) == "4.5.1.1.9"
    assert game.why(RED, enter("r1", game, "A1", 5)) == "4.5.1.1.9"
    assert game.why(RED, move("r1", "F")) == "4.5.1.1.9"
    assert game.why(RED, enter("r2", game, "A1", 2)) == "4.5.1.1.9"
    game.do(RED, enter("r1", game, "A1", 2, "F"))
    assert (game.at("r1"), game.asked, game.question) == ("A1", (BLUE,), "4.4.2")
    game.do(BLUE, PASS)
    assert (game.at("r1"), game.unit("r1").status) == ("B2", Status.IN_PLAY)
    assert [event.cost.total for event in game.told(ev.UnitEntered)] == [1]


@pytest.mark.rules("4.5.1.1.9")
@both_books
def test_4_5_1_1_9_a_reserve_may_be_held_back(book: str) -> None:
    game = moving(book, "r1 slab enters:1:A1 SE MOVE\nr2 slab A5 N N/C\nb1 truck G5 N N/C")
    events = game.do(RED, move("r1"))
    assert kinds(events)[:2] == ["CommandRevealed", "MoveEnded"]
    assert (game.unit("r1").status, game.unit("r1").spot) == (Status.RESERVE, Spot.NONE)
    game.commands({"r1": "MOVE"}, {}, 90, 10, first="blue")
    assert game.why(RED, enter("r1", game, "A1", 2)) == ""


@pytest.mark.rules("4.5.1.1.10")
@both_books
def test_4_5_1_1_10_whoever_moves_first_has_the_hex(book: str) -> None:
    """The one case where the winner of the initiative may want to be the Second Player."""
    game = play(book, FIELD, "r1 slab A1 SE\nb1 slab C1 SW")
    game.commands({"r1": "MOVE"}, {"b1": "MOVE"}, 90, 10, first="blue")
    game.do(RED, move("r1", "F"))
    game.do(BLUE, PASS)
    assert game.at("r1") == "B2"
    assert game.why(BLUE, move("b1", "F")) == "4.5.1.1.10"
    assert game.why(BLUE, move("b1", "F F")) == ""


@pytest.mark.rules("4.5.1.1.10")
@both_books
def test_4_5_1_1_10_friends_and_wrecks_are_passed_freely(book: str) -> None:
    game = moving(book, "r1 slab A1 SE MOVE\nr2 slab B2 SE N/C\nb1 truck G5 N N/C", wrecks={"C2": "KO"})
    game.do(RED, move("r1", "F F"))
    assert [event.cost.total for event in game.told(ev.UnitMoved)] == [1, 1]
    assert game.at("r1") == "C2"


@pytest.mark.rules("3.8", "4.5.1.1.5")
@both_books
def test_3_8_any_number_of_vehicles_may_stack(book: str) -> None:
    crowd = "\n".join(f"r{n} slab B2 SE N/C" for n in range(2, 9))
    game = moving(book, f"r1 slab A1 SE MOVE\n{crowd}\nb1 truck G5 N N/C")
    game.do(RED, move("r1", "F"))
    assert sum(unit.hex == game.hex("B2") for unit in game.state.units.values()) == 8


@pytest.mark.rules("3.3", "4.5.1.1")
@both_books
def test_3_3_a_vehicle_faces_a_hexside_and_moves_through_its_front_or_rear(book: str) -> None:
    ways = {0: "D2", 1: "E2", 2: "E3", 3: "D4", 4: "C3", 5: "C2"}
    for facing, label in ways.items():
        names = ["N", "NE", "SE", "S", "SW", "NW"]
        ahead = moving(book, f"r1 slab D3 {names[facing]} MOVE\nb1 truck G5 N N/C")
        ahead.do(RED, move("r1", "F"))
        back = moving(book, f"r1 slab D3 {names[(facing + 3) % 6]} MOVE\nb1 truck G5 N N/C")
        back.do(RED, move("r1", "R"))
        assert ahead.at("r1") == back.at("r1") == label


@pytest.mark.rules("4.5.1.1.5", "4.1.4.1.8")
@both_books
def test_4_5_1_1_5_a_wreck_made_on_the_road_slows_the_next_vehicle(book: str) -> None:
    cells = "\n".join([". . ."] * 9)
    road = [{"kind": "road", "line": ["A9", "A1"]}]
    units = "r1 tank A9 N MOVE\nr2 slab A9 N MOVE known\nb1 tank C9 SW OW\nb2 truck C1 N"
    game = moving(book, units, cells, features=road)
    assert game.why(RED, move("r2", "F F F F F F F F")) == ""
    game.do(RED, move("r1", "F F F"))
    game.do(BLUE, fire("r1", "b1"), 1)
    assert game.unit("r1").status is Status.KNOCKED_OUT
    assert game.why(RED, move("r2", "F F F F F F F F")) in {"4.5.1.1.3", "4.5.1.1.5"}
    assert game.why(RED, move("r2", "F F F F")) == ""


@pytest.mark.rules("4.5.1.1.2", "4.1.4.1.9")
@both_books
def test_4_5_1_1_2_smoke_made_this_step_costs_at_once_in_north_africa_only(book: str) -> None:
    game = moving(book, "r1 slab A1 SE MOVE\nb1 truck G5 N N/C", wrecks={"B2": "BU"})
    game.state = replace(game.state, wrecks=tuple(replace(wreck, fresh=True) for wreck in game.state.wrecks))
    game.do(RED, move("r1", "F"))
    assert [event.cost.total for event in game.told(ev.UnitMoved)] == [2 if book == "panzer-na" else 1]
