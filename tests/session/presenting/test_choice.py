"""Nodes as data, and words as actions."""

from __future__ import annotations

from random import Random

import pytest

from sandtable.core.decision import Node, Path, Seat
from sandtable.core.dice import SeededDice
from sandtable.core.errors import BadInput
from sandtable.core.log import LoadedLog
from sandtable.core.replay import resume
from sandtable.session.game.play import Choice, Play, Stale
from sandtable.session.presenting.choice import find_action, judge, read_action, tell_node, tell_values, walk
from tests.corps import ATTACK, ATTACKER, HOLD, MOVE, corps_ruleset
from tests.toy import RED, Action, GiveOrders, March, Order, PieceId
from tests.toy_system import play_out, toy_game, toy_ruleset


def test_an_assignment_is_told_by_its_slots() -> None:
    play = Play(toy_game())
    root = tell_node(play.standpoint("red").options().root)
    assert root.shape == "assign"
    assert [slot.key for slot in root.slots] == ["r1", "r2"]
    action = play.standpoint("red").find(Choice(("march", "aim", "done")))
    assert action == GiveOrders({PieceId("r1"): Order.MARCH, PieceId("r2"): Order.AIM})


def test_a_path_is_told_with_its_destinations() -> None:
    game = toy_game()
    game.play(Seat("red"), GiveOrders({PieceId("r1"): Order.MARCH, PieceId("r2"): Order.NONE}))
    game.play(Seat("blue"), GiveOrders({PieceId("b1"): Order.MARCH, PieceId("b2"): Order.MARCH}))
    play = Play(game)
    mover = play.decision.asked[0] if play.decision else ""
    unit = "r1" if mover == RED else "b1"
    options = play.standpoint(mover).options()
    node = tell_node(walk(options, [unit]), [unit])
    assert (node.shape, node.keys) == ("path", (unit,))
    assert [way.ref for way in node.destinations] == (["1", "2", "3"] if mover == RED else ["5", "4", "3"])
    assert [branch.kind for branch in node.branches] == ["leg"]
    assert find_action(options, [unit], node.destinations[1].key) == March(PieceId(unit), 2)
    assert find_action(options, [unit, "on", "on", "stop"], "") == March(PieceId(unit), 2)
    for keys, to in (((unit,), "99"), ((unit, "on"), ""), (("nobody",), ""), ((), "1"), (("on",) * 2000, "")):
        with pytest.raises(BadInput):
            find_action(options, keys, to)


def test_every_node_of_whole_games_can_be_told_and_walked_to_each_sampled_leaf() -> None:
    rng = Random(3)
    game = toy_game()
    while (decision := game.decision) is not None:
        seat = rng.choice(decision.asked)
        options = decision.options(seat)
        node: Node[Action] = options.root
        keys: list[str] = []
        while node.shape != "leaf":
            told = tell_node(node, keys)
            assert told.keys == tuple(keys)
            assert told.branches or told.slots
            if isinstance(node, Path) and (ends := list(node.destinations())):
                end = rng.choice(ends)
                assert find_action(options, keys, end.key) in options
            branch = rng.choice(list(node.branches()))
            keys.append(branch.key)
            node = branch.then
        action = find_action(options, keys, "")
        assert action in options
        game.play(seat, action)


def test_actions_of_programs_are_read_strictly() -> None:
    ruleset = toy_ruleset()
    assert read_action(ruleset, {"type": "March", "piece": "r1", "steps": 2}) == March(PieceId("r1"), 2)
    for bad in ({}, {"type": "Teleport"}, {"type": "March", "piece": "r1"}, {"type": "Halt", "extra": 1}):
        with pytest.raises(BadInput):
            read_action(ruleset, bad)


def test_a_question_keeps_its_age_while_others_answer_beside_it() -> None:
    game = toy_game()
    play = Play(game)
    assert play.questions == {"red": 1, "blue": 1}
    game.play(Seat("red"), GiveOrders({PieceId("r1"): Order.MARCH, PieceId("r2"): Order.NONE}))
    assert play.v == 1, "a line counts when it is kept"
    play.advance()
    assert play.questions == {"blue": 1}
    play.check_fresh("blue", 1)
    play.check_fresh("blue", 2)
    for seat, v in (("blue", 0), ("blue", 3)):
        with pytest.raises(Stale):
            play.check_fresh(seat, v)
    game.undo(Seat("red"))
    play.advance()
    assert play.questions == {"red": 3, "blue": 3}, "after an undo all are asked anew"


def test_question_ages_are_found_again_after_a_restart() -> None:
    game = toy_game()
    live = Play(game)
    play_out(game, Random(5))
    while live.v < len(game.lines):
        live.advance()
        again = resume(game.ruleset, LoadedLog(game.header, game.lines[: live.v]), game.dice)
        assert Play(again).questions == live.questions


def test_many_slots_are_told_without_values_that_nobody_has_read() -> None:
    ruleset = corps_ruleset()
    state = ruleset.begin(ruleset.setup(), SeededDice(1)).state
    decision = ruleset.decision(state)
    assert decision is not None
    options = decision.options(ATTACKER)
    root = tell_node(options.root)
    assert len(root.slots) == 120
    assert not any(slot.listed or slot.values for slot in root.slots)
    assert {slot.plain for slot in root.slots} == {HOLD}
    assert [slot.group for slot in root.slots[::12]] == [f"Division {n}" for n in range(1, 11)]
    assert (root.limited, root.budgets[0].label, root.budgets[0].most, len(root.budgets)) == (True, "Supply", 20, 11)
    assert ruleset.listed == []
    (slot,) = tell_values(options, (), ("B3.4",))
    assert (slot.values, slot.listed) == ((HOLD, MOVE, ATTACK), True)
    assert ruleset.listed == ["B3.4"]
    with pytest.raises(BadInput, match="no slot 'X1'"):
        tell_values(options, (), ("X1",))


def test_a_draft_is_judged_whole() -> None:
    ruleset = corps_ruleset()
    state = ruleset.begin(ruleset.setup(), SeededDice(1)).state
    decision = ruleset.decision(state)
    assert decision is not None
    options = decision.options(ATTACKER)
    values = [HOLD] * 120
    assert judge(options, (), values) == ()
    values[:4] = [ATTACK] * 4
    too_many, alone = judge(options, (), values)
    assert (too_many.rule, too_many.slots) == ("1.3", ("B1.1", "B1.2", "B1.3", "B1.4"))
    assert (alone.rule, alone.slots) == ("1.4", ("B1.1", "B1.2", "B1.3", "B1.4"))
    with pytest.raises(BadInput, match="no assignment"):
        judge(options, (*[HOLD] * 120, "done"), values)
