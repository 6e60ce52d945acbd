"""4.4.2: overwatch at those that fired and at the one that moves, its cascades, and what it does to a move."""

import pytest
from msgspec.structs import replace

from sandtable.systems.panzer import events as shared
from sandtable.systems.panzer.frames import Movement, Overwatch
from sandtable.systems.panzer.hex import events as ev
from sandtable.systems.panzer.hex.state import Moving
from sandtable.systems.panzer.sequence import Phase
from sandtable.systems.panzer.unit import Command, Spot, Status
from tests.rulebook.engine import BLUE, PASS, RED, Play, both_books, fire, go_on, kinds, legs, move, play, watch

OPEN = ". . . . . . .\n. . . . . . ."
FIELD = "\n".join([". . . . . . ."] * 5)


def combat(book: str, units: str, cells: str = OPEN, **rest: object) -> Play:
    """A position in the First Player's (red's) Direct Fire step."""
    return play(book, cells, units, open="direct fire", first="red", **rest)


def moving(book: str, units: str, cells: str = OPEN, **rest: object) -> Play:
    """A position in the Second Player's (red's) Movement step."""
    return play(book, cells, units, open="movement", first="blue", **rest)


# --- in the Combat Phase --------------------------------------------------------------------------------


@pytest.mark.rules("4.4.2")
@both_books
def test_4_4_2_all_direct_fire_comes_before_any_overwatch(book: str) -> None:
    game = combat(book, "r1 slab A1 NE FIRE\nr2 slab A1 NE OW\nb1 slab E1 NW FIRE\nb2 slab E1 NW OW")
    game.shoot(fire("b1", "r1"), 100)
    assert (game.question, game.asked) == ("4.4.1", (BLUE,))
    game.shoot(fire("r1", "b1"), 100)
    assert game.top == watch(RED, "r1", "b1")
    game.do(RED, PASS)
    assert game.top == watch(BLUE, "r1", "b1", passed=True)
    game.do(BLUE, PASS)
    assert game.state.turn == 2


@pytest.mark.rules("4.4.2")
@both_books
def test_4_4_2_only_vehicles_that_fired_are_targets(book: str) -> None:
    game = combat(book, "r1 slab A1 NE FIRE\nr2 slab A1 NE N/C\nb1 slab E1 NW N/C\nb2 slab E1 NW OW")
    game.shoot(fire("b1", "r1"), 100)
    assert game.asked == (BLUE,)
    assert game.why(BLUE, fire("r2", "b2")) == "4.4.2"
    assert game.why(BLUE, fire("r1")) == "4.4.2"
    assert game.why(BLUE, fire("r1", "b2")) == ""


@pytest.mark.rules("4.4.2", "4.2")
@both_books
def test_4_4_2_who_may_not_fire_overwatch(book: str) -> None:
    units = """
r1 slab A1 NE FIRE
b1 slab E1 NW N/C
b2 slab E1 NW MOVE
b3 fixed E1 SE OW
b4 slab E1 NW OW
"""
    game = combat(book, units)
    game.shoot(fire("b1", "r1"), 100)
    assert game.why(BLUE, fire("r1", "b2")) == "4.2"
    assert game.why(BLUE, fire("r1", "b3")) == "4.4.3.1.4"
    assert game.why(BLUE, fire("r1", "r1")) == "3.1"
    assert game.why(BLUE, fire("r1", "b4", "b4")) == "4.4.1"
    assert game.why(BLUE, fire("r1", "b4")) == ""


@pytest.mark.rules("4.4.2", "4.1")
@both_books
def test_4_4_2_spotting_is_confirmed_as_the_fire_is_announced(book: str) -> None:
    cells = "w . . . . . . . . . . . . ."
    game = combat(book, "r1 slab A1 SE FIRE\nb1 slab M1 NW N/C\nb2 slab M1 NW OW", cells)
    assert game.state.spotted == {"r1": ("b1", "b2")}
    game.shoot(fire("b1", "r1"), 100)
    assert (game.unit("r1").spot, game.unit("r1").new_spot) == (Spot.NONE, Spot.FIRE)
    assert game.why(BLUE, fire("r1", "b2")) == ""


@pytest.mark.rules("4.4.2")
@both_books
def test_4_4_2_a_vehicle_out_of_sight_does_not_fire_overwatch(book: str) -> None:
    cells = ". . . . .\n. . w . .\n. . . . ."
    game = combat(book, "r1 slab C1 SE FIRE\nb1 slab E1 NW N/C\nb2 slab E1 NW OW\nb3 slab C3 N OW", cells)
    game.shoot(fire("b1", "r1"), 100)
    assert game.why(BLUE, fire("r1", "b3")) == "4.4.2"
    assert game.why(BLUE, fire("r1", "b2")) == ""


@pytest.mark.rules("4.4.2", "4.4.1")
@both_books
def test_4_4_2_overwatch_fire_may_be_answered_by_overwatch_until_both_pass(book: str) -> None:
    units = """
r1 slab A1 NE FIRE
r2 slab A1 NE OW
r3 slab A1 NE OW
b1 slab E1 NW N/C known
b2 slab E1 NW OW
b3 slab E1 NW OW
"""
    game = combat(book, units)
    game.shoot(fire("b1", "r1"), 100)
    assert game.top == watch(BLUE, "r1", passed=True)
    game.do(BLUE, fire("r1", "b2"), 100)
    assert game.asked == (RED,)
    game.do(RED, fire("b2", "r2"), 100)
    assert game.asked == (BLUE,)
    game.do(BLUE, fire("r2", "b3"), 100)
    assert game.why(RED, fire("b3", "r2")) == "4.4.1"
    game.do(RED, fire("b3", "r3"), 100)
    assert (game.state.turn, game.question) == (2, "4.2.1")
    assert [event.number.net for event in game.told(shared.ShotResolved)] == [0, -1, -1, -1, -1]


@pytest.mark.rules("4.4.2")
@both_books
def test_4_4_2_several_vehicles_fire_overwatch_on_one_target_together(book: str) -> None:
    units = "r1 tank A1 NE FIRE\nr2 truck A1 NE N/C\nb1 slab E1 NW N/C\nb2 tank E1 NW OW\nb3 tank E1 NW OW"
    game = combat(book, units)
    game.shoot(fire("b1", "r1"), 100)
    events = game.do(BLUE, fire("r1", "b2", "b3"), 1)
    assert "ShotWasted" in kinds(events)
    assert game.unit("r1").status is Status.KNOCKED_OUT


@pytest.mark.rules("4.4.2", "4.2.1")
@both_books
def test_4_4_2_a_force_is_asked_whether_or_not_it_holds_an_overwatch_command(book: str) -> None:
    """Else the question itself would give the command away; one without it can only pass."""
    for command in ("OW", "MOVE", "N/C"):
        game = combat(book, f"r1 slab A1 NE FIRE\nb1 slab E1 NW N/C\nb2 slab E1 NW {command}")
        game.shoot(fire("b1", "r1"), 100)
        assert (game.question, game.asked) == ("4.4.2", (BLUE,))
        decision = game.rules.decision(game.state)
        assert decision is not None
        assert len(decision.options(BLUE)) == (2 if command == "OW" else 1)


@pytest.mark.rules("4.4.2")
@both_books
def test_4_4_2_nobody_is_asked_who_could_not_fire_whatever_his_command(book: str) -> None:
    game = combat(book, "r1 slab A1 NE FIRE\nb1 slab E1 NW N/C known\nb2 fixed E1 SE N/C\nb3 truck E1 NW N/C")
    game.shoot(fire("b1", "r1"), 100)
    assert game.state.turn == 2


# --- in the Movement Phase ------------------------------------------------------------------------------


@pytest.mark.rules("4.4.2", "4.5", "4.5.1.1")
@both_books
def test_4_5_overwatch_may_be_fired_after_every_hex_of_a_move(book: str) -> None:
    game = moving(book, "r1 slab A1 NE MOVE\nb1 slab G1 NW OW")
    game.do(RED, move("r1", "F 1F F"))
    stops = []
    while isinstance(game.top, Overwatch):
        stops.append((game.at("r1"), game.unit("r1").facing))
        game.do(BLUE, PASS)
    assert stops == [("B1", 1), ("B1", 2), ("C1", 2), ("D2", 2)]
    assert game.told(shared.OverwatchDeclined)
    assert (game.at("r1"), game.state.turn) == ("D2", 2)


@pytest.mark.rules("4.5.1.1.4", "4.4.2")
@both_books
def test_4_5_1_1_4_turning_in_place_can_trigger_overwatch(book: str) -> None:
    game = moving(book, "r1 tank A1 NE MOVE\nr2 truck A2 NE\nb1 tank E1 NW OW")
    game.do(RED, move("r1", "1"))
    assert game.top == watch(BLUE, "r1")
    game.do(BLUE, fire("r1", "b1"), 1)
    (shot,) = game.told(shared.ShotResolved)
    assert shot.number.net == -3
    assert game.unit("r1").status is Status.KNOCKED_OUT


@pytest.mark.rules("4.4.2", "4.1.3", "4.5.1")
@both_books
def test_4_5_1_a_mover_is_seen_by_its_movement_at_once(book: str) -> None:
    cells = " ".join(["w", *["."] * 14])
    game = moving(book, "r1 slab A1 NE MOVE\nb1 slab O1 NW OW", cells)
    assert game.state.spotted == {"r1": ("b1",)}
    game.do(RED, move("r1", "1"))
    assert game.unit("r1").new_spot is Spot.MOVE
    assert game.why(BLUE, fire("r1", "b1")) == ""


@pytest.mark.rules("4.4.2", "4.5")
@both_books
def test_4_5_only_the_mover_is_a_target_of_its_move(book: str) -> None:
    game = moving(book, "r1 slab A1 NE MOVE\nr2 slab A1 NE MOVE\nb1 slab G1 NW OW")
    game.do(RED, move("r1", "F"))
    assert game.why(BLUE, fire("r2", "b1")) == "4.4.2"


@pytest.mark.rules("4.4.2", "4.5")
@both_books
def test_4_5_overwatch_is_unrevealed_and_fires_once_a_turn(book: str) -> None:
    game = moving(book, "r1 slab A3 NE MOVE\nr2 slab A3 NE MOVE known\nb1 slab G3 NW OW", FIELD)
    game.do(RED, move("r1", "F F"))
    game.do(BLUE, fire("r1", "b1"), 100)
    assert (game.unit("b1").known, game.unit("b1").fired) == (True, True)
    game.do(RED, go_on("1F"))
    assert game.top == Movement(RED, first=False)
    game.do(RED, move("r2", "F"))
    assert game.state.turn == 2
    fired = moving(book, "r1 slab A1 NE MOVE\nb1 slab G1 NW OW known fired")
    fired.do(RED, move("r1", "F"))
    assert fired.state.turn == 2


@pytest.mark.rules("4.4.1", "4.4.2")
@both_books
def test_4_4_2_all_overwatch_at_one_opportunity_is_announced_at_once(book: str) -> None:
    game = moving(book, "r1 slab A3 NE MOVE\nb1 slab G3 NW OW\nb2 slab G3 NW OW", FIELD)
    game.do(RED, move("r1", "F 1F"))
    game.do(BLUE, fire("r1", "b1"), 100)
    assert game.question == "4.5.1.1"
    game.do(RED, go_on("1F"))
    assert game.top == watch(BLUE, "r1")
    assert game.why(BLUE, fire("r1", "b1")) == "4.4.1"
    assert game.why(BLUE, fire("r1", "b2")) == ""


@pytest.mark.rules("4.5.1.1")
@both_books
def test_4_5_1_1_a_mover_that_drew_fire_decides_anew(book: str) -> None:
    game = moving(book, "r1 slab A3 NE MOVE\nb1 slab G3 NW OW", FIELD)
    game.do(RED, move("r1", "F 1F F"))
    game.do(BLUE, fire("r1", "b1"), 100)
    assert isinstance(game.top, Moving)
    assert (game.question, game.asked) == ("4.5.1.1", (RED,))
    assert game.why(RED, move("r1", "F")) == "4.0"
    assert game.why(RED, go_on("F F F F")) == "4.5.1.1.3"
    game.do(RED, go_on("3F"))
    assert (game.at("r1"), game.state.turn) == ("A3", 2)
    assert game.told(ev.UnitTurned)[-1].cost.total == 1


@pytest.mark.rules("4.5.1.1")
@both_books
def test_4_5_1_1_or_stops_where_it_is(book: str) -> None:
    game = moving(book, "r1 slab A1 NE MOVE\nb1 slab G1 NW OW")
    game.do(RED, move("r1", "F 1F F"))
    game.do(BLUE, fire("r1", "b1"), 100)
    game.do(RED, go_on())
    assert (game.at("r1"), game.state.turn) == ("B1", 2)


@pytest.mark.rules("4.5.1.1", "4.4.2")
@both_books
def test_4_5_1_1_when_the_opponent_holds_his_fire_the_move_goes_on_by_itself(book: str) -> None:
    game = moving(book, "r1 slab A1 NE MOVE\nb1 slab G1 NW OW")
    game.do(RED, move("r1", "F 1F"))
    while game.state.turn == 1:
        assert game.asked == (BLUE,)
        game.do(BLUE, PASS)
    assert game.at("r1") == "C1"


@pytest.mark.rules("4.4.3.2.6", "3.7", "4.5.1.1.1")
@both_books
def test_4_4_3_2_6_damage_on_the_way_halves_what_is_left(book: str) -> None:
    """Of 4 it has spent 1; half of the 3 left is 1."""
    game = moving(book, "r1 tank A1 NE MOVE\nb1 light G1 NW OW")
    game.do(RED, move("r1", "F 1F F"))
    game.do(BLUE, fire("r1", "b1"), 1)
    assert game.unit("r1").damaged
    assert isinstance(game.top, Moving)
    assert (game.top.progress.spent, game.top.progress.cross_country) == (1, 2)
    assert game.why(RED, go_on("1F F")) == "4.5.1.1.3"
    game.do(RED, go_on("1F"))
    assert (game.at("r1"), game.state.turn) == ("C1", 2)


@pytest.mark.rules("4.4.3.2.6", "4.5.1.1.1")
@both_books
def test_4_4_3_2_6_damaged_with_nothing_left_only_the_free_turn_remains(book: str) -> None:
    game = moving(book, "r1 tank A1 NE MOVE\nb1 light G2 NW OW", "s s s s s s s\ns s s s s s s")
    game.do(RED, move("r1", "F 1F"))
    game.do(BLUE, PASS)
    game.do(BLUE, PASS)
    game.do(BLUE, fire("r1", "b1"), 1)
    assert game.unit("r1").damaged
    decision = game.rules.decision(game.state)
    assert decision is not None
    assert list(decision.options(RED)) == [go_on(), go_on("1"), go_on("-1")]


@pytest.mark.rules("4.4.3.2.6", "4.5", "4.1.4.1.8")
@both_books
def test_4_4_3_2_6_a_mover_that_is_knocked_out_leaves_its_wreck_where_it_was(book: str) -> None:
    game = moving(book, "r1 tank A1 NE MOVE\nr2 slab A1 NE MOVE known\nb1 tank G1 NW OW")
    game.do(RED, move("r1", "F 1F F"))
    events = game.do(BLUE, fire("r1", "b1"), 1)
    assert kinds(events)[-2:] == ["VehicleKnockedOut", "MoveEnded"]
    assert [wreck.hex for wreck in game.state.wrecks] == [game.hex("B1")]
    assert game.top == Movement(RED, first=False)
    assert game.why(RED, move("r1")) == "4.5"
    game.do(RED, move("r2", "F"))
    assert (game.at("r2"), game.state.turn) == ("B1", 2)


@pytest.mark.rules("4.4.2", "4.5")
@both_books
def test_4_5_overwatch_at_a_mover_may_draw_overwatch_of_the_movers_side(book: str) -> None:
    game = moving(book, "r1 slab A1 NE MOVE\nr2 slab A1 NE OW\nb1 tank G1 NW OW\nb2 truck G2 NW")
    game.do(RED, move("r1", "F 1F"))
    game.do(BLUE, fire("r1", "b1"), 100)
    assert game.top == replace(watch(RED, "r1", "b1"), engaged=("r1",))
    events = game.do(RED, fire("b1", "r2"), 1)
    assert "VehicleKnockedOut" in kinds(events)
    assert isinstance(game.top, Moving)
    assert [event.number.net for event in game.told(shared.ShotResolved)] == [-3, -1]
    game.do(RED, go_on("1F"))
    assert (game.at("r1"), game.state.turn) == ("C1", 2)


@pytest.mark.rules("4.4.2", "4.5.1.1.10", "3.5.1")
@both_books
def test_4_5_1_1_10_overwatch_in_the_same_hex_is_at_range_0(book: str) -> None:
    game = moving(book, "r1 slab A1 NE MOVE\nb1 slab B1 NW OW")
    game.do(RED, move("r1", "F 1F"))
    assert game.at("r1") == "B1"
    game.do(BLUE, fire("r1", "b1"), 100)
    (shot,) = game.told(shared.ShotResolved)
    assert (shot.range_hexes, shot.range_factor) == (0, "P")
    assert game.why(RED, go_on()) == "4.5.1.1.10"
    game.do(RED, go_on("1F"))
    assert game.at("r1") == "C1"


@pytest.mark.rules("4.5.1.1.8", "4.4.2")
@both_books
def test_4_5_1_1_8_a_no_move_move_is_subject_to_overwatch(book: str) -> None:
    game = moving(book, "r1 tank A1 NE MOVE\nr2 truck A2 NE\nb1 tank E1 NW OW")
    game.do(RED, move("r1"))
    assert game.top == watch(BLUE, "r1")
    game.do(BLUE, fire("r1", "b1"), 1)
    assert game.told(shared.ShotResolved)[0].number.net == -3
    assert game.state.phase is not Phase.COMBAT


@pytest.mark.rules("4.4.2", "4.5")
@both_books
def test_4_5_the_first_player_moves_under_the_second_players_overwatch(book: str) -> None:
    game = play(book, OPEN, "r1 slab A1 NE MOVE\nb1 slab G1 NW OW", open="movement", first="red", player="red")
    assert game.top == Movement(RED, first=True)
    game.do(RED, move("r1", "F"))
    assert game.asked == (BLUE,)


@pytest.mark.rules("4.2.1", "4.5.1.1")
@both_books
def test_4_5_1_1_the_opponent_sees_only_what_was_executed(book: str) -> None:
    shown = []
    for words in ("F 1F F", "F -1F F", "F"):
        game = moving(book, "r1 slab A3 NE MOVE\nb1 slab G3 NW OW", FIELD)
        events = game.do(RED, move("r1", words))
        told = [game.rules.redact(event, BLUE) for event in events]
        known = game.rules.conceal(game.state, BLUE)
        assert all(not frame.plan for frame in known.stack if isinstance(frame, Moving))
        assert game.rules.redact_action(move("r1", words), RED, BLUE) == move("r1")
        shown.append((told, known))
        mine = [frame for frame in game.rules.conceal(game.state, RED).stack if isinstance(frame, Moving)]
        assert mine[0].plan == legs(words)[1:]
    assert shown[0] == shown[1] == shown[2]


@pytest.mark.rules("4.4.2", "4.4.3.2.2")
@both_books
def test_4_4_3_2_2_overwatch_outside_the_front_costs_more(book: str) -> None:
    for facing, net in (("NW", -3), ("SW", -3), ("SE", -5), ("N", -5)):
        game = moving(book, f"r1 slab A1 NE MOVE\nb1 slab E1 {facing} OW")
        game.do(RED, move("r1"))
        game.do(BLUE, fire("r1", "b1"), 100)
        assert game.told(shared.ShotResolved)[0].number.net == net
    rear = moving(book, "r1 slab A1 NE MOVE\nb1 rear E1 SE OW")
    rear.do(RED, move("r1"))
    rear.do(BLUE, fire("r1", "b1"), 100)
    assert rear.told(shared.ShotResolved)[0].number.net == -3


@pytest.mark.rules("4.2", "4.4.2")
@both_books
def test_4_2_overwatch_need_not_be_executed(book: str) -> None:
    game = play(book, OPEN, "r1 slab A1 NE\nb1 slab E1 NW")
    game.commands({"r1": "MOVE"}, {"b1": "OW"}, 90, 10, first="blue")
    game.do(RED, move("r1"))
    game.do(BLUE, PASS)
    assert (game.state.turn, game.unit("b1").spot) == (2, Spot.NONE)
    assert [(e.unit, e.command) for e in game.told(shared.CommandRevealed)][-1] == ("b1", Command.OVERWATCH)
