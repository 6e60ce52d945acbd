"""Whole games of the Starter Kit, and what the doctrine gives to those who look ahead."""

from random import Random
from typing import Any

import pytest

from sandtable import catalog
from sandtable.bots import Policy, Question, ask, make_bot
from sandtable.bots.aslsk.commander import AslskDoctrine
from sandtable.bots.aslsk.evaluation import WON
from sandtable.bots.doctrine import doctrine_of
from sandtable.bots.style import CHARACTERS, Character
from sandtable.core.decision import Seat
from sandtable.core.dice import SeededDice
from sandtable.core.ruleset import Ruleset
from sandtable.sim.playout import Playout, play_out, start
from sandtable.systems.aslsk.pieces.state import FirstFire, Moving, Phase, State, Whereabouts

rules = pytest.mark.rules
STEADY = CHARACTERS[Character.STEADY]
ROOMS = "sk-3-room-by-room"


def rooms() -> Ruleset[Any, Any, Any]:
    return catalog.open_scenario(ROOMS).ruleset


def match(
    ruleset: Ruleset[Any, Any, Any], bots: dict[Seat, Policy], seed: int, limit: int | None = None
) -> Playout[State]:
    dice, rng = SeededDice(f"rooms {seed}"), Random(seed)

    def choose(state: Any, decision: Any, seat: Seat, rng: Random) -> Any:
        action = ask(bots[seat], ruleset, state, seat, rng)
        assert ruleset.refusal(state, seat, action) is None
        return action

    return play_out(ruleset, start(ruleset, dice), dice, rng, choose=choose, limit=limit)


def doctrine(ruleset: Ruleset[Any, Any, Any]) -> AslskDoctrine:
    found = doctrine_of(ruleset)
    assert isinstance(found, AslskDoctrine)
    return found


def test_greedy_beats_chance_on_both_sides() -> None:
    ruleset = rooms()
    for game in range(6):
        side = ruleset.seats[game % 2]
        bots = {seat: make_bot("greedy" if seat == side else "random", None) for seat in ruleset.seats}
        outcome = match(ruleset, bots, game).outcome
        assert outcome is not None
        assert outcome.winner == side


def test_a_captain_plays_a_game_to_its_end_and_the_same_one_again() -> None:
    ruleset = rooms()
    bots = {seat: make_bot("captain:1", None) for seat in ruleset.seats}
    first, again = (match(ruleset, bots, 4) for _ in range(2))
    assert first.outcome is not None
    assert first.state == again.state


def test_every_idea_is_an_answer_and_the_best_stands_first() -> None:
    ruleset = rooms()
    bots = {seat: make_bot("greedy", None) for seat in ruleset.seats}
    asked = 0
    for moment in range(0, 80, 4):
        state = match(ruleset, bots, 2, limit=moment).state
        decision = ruleset.decision(state)
        if decision is None:
            break
        seat = decision.asked[0]
        question: Question[Any] = Question(ruleset, ruleset.conceal(state, seat), seat)
        for style in (STEADY, STEADY._replace(plans=False)):
            ideas = doctrine(ruleset).ideas(question, style, Random(0))
            assert all(idea.answer in question.options for idea in ideas)
            assert [idea.worth for idea in ideas] == sorted((idea.worth for idea in ideas), reverse=True)
            assert all(isinstance(reason.what, str) for idea in ideas for reason in idea.reasons())
            asked += 1
    assert asked > 20


@rules("1.3", system="aslsk3")
def test_1_3_an_unseen_set_up_is_imagined_in_its_zone() -> None:
    ruleset = rooms()
    bots = {seat: make_bot("greedy", None) for seat in ruleset.seats}
    moments = (match(ruleset, bots, 1, limit=moment).state for moment in range(2, 60))
    state = next(state for state in moments if state.set_up)
    assert state.phase is Phase.SETUP
    decision = ruleset.decision(state)
    assert decision is not None
    seat = decision.asked[0]
    question: Question[Any] = Question(ruleset, ruleset.conceal(state, seat), seat)
    worlds = [doctrine(ruleset).imagine(question, STEADY, Random(number)) for number in range(3)]
    zones = ruleset.context.scenario.zones  # type: ignore[attr-defined]
    for world in worlds:
        theirs = [unit for unit in world.units.values() if unit.side != seat]
        assert theirs
        assert all(unit.place is Whereabouts.MAP and unit.hex in zones[unit.force] for unit in theirs)
    assert worlds[0] != worlds[1]


@rules("3.3.3", system="aslsk3")
def test_3_3_3_a_mover_whose_plan_is_unknown_decides_as_he_goes() -> None:
    ruleset = rooms()
    bots = {seat: make_bot("random", None) for seat in ruleset.seats}
    moments = (match(ruleset, bots, 3, limit=moment).state for moment in range(4, 120))
    state = next(state for state in moments if state.stack and isinstance(state.stack[-1], FirstFire))
    window = state.stack[-1]
    assert isinstance(window, FirstFire)
    question: Question[Any] = Question(ruleset, ruleset.conceal(state, window.asked), window.asked)
    world = doctrine(ruleset).imagine(question, STEADY, Random(0))
    moving = world.stack[-2]
    assert isinstance(moving, Moving)
    assert moving.interrupted
    assert moving.plan == ()


def test_a_game_that_is_over_is_worth_all_there_is() -> None:
    ruleset = rooms()
    bots = {seat: make_bot("greedy", None) for seat in ruleset.seats}
    end = match(ruleset, bots, 5)
    assert end.outcome is not None
    for seat in ruleset.seats:
        worth = doctrine(ruleset).worth(end.state, seat, STEADY)
        assert worth == (WON if seat == end.outcome.winner else -WON)
