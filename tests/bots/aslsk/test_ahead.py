"""How levels differ at the Starter Kit: beginners misjudge, captains look ahead to the end of the player turn."""

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from sandtable import catalog
from sandtable.bots import Question, make_bot
from sandtable.bots.aslsk.ahead import MOST, Ahead
from sandtable.bots.aslsk.commander import AslskDoctrine, is_grave
from sandtable.bots.doctrine import doctrine_of
from sandtable.bots.style import CHARACTERS, LEVELS, Character
from sandtable.core.decision import Seat
from sandtable.core.dice import SeededDice
from sandtable.systems.aslsk.common.actions import Done, Fire
from sandtable.systems.aslsk.pieces.state import Phase
from tests.aslsk.clash import Clash

rules = pytest.mark.rules
STEADY = CHARACTERS[Character.STEADY]
MEN = [{"id": "a", "card": "german/4-6-7", "at": "B2"}, {"id": "b", "card": "german/4-6-7", "at": "C3"}]
FOES = [{"id": "r", "card": "russian/4-4-7", "at": "F3"}, {"id": "s", "card": "russian/4-4-7", "at": "F4"}]


def firing(phase: str = "PFPh", **fields: Any) -> Clash:
    return Clash(phase, attacker="german", german={"units": MEN}, russian={"units": FOES}, **fields)


def asked(clash: Clash) -> Question[Any]:
    seat = Seat(clash.asked)
    return Question(clash.rules, clash.rules.conceal(clash.state, seat), seat)


def doctrine(clash: Clash) -> AslskDoctrine:
    found = doctrine_of(clash.rules)
    assert isinstance(found, AslskDoctrine)
    return found


@rules("3.0", system="aslsk3")
@pytest.mark.parametrize("number", [2, 3])
def test_3_0_a_look_ends_with_the_player_turn(number: int) -> None:
    clash = firing()
    found, level = doctrine(clash).at(asked(clash), number, LEVELS[number])
    assert isinstance(found, Ahead)
    assert level == MOST[number]
    later = replace(clash.state, phase=Phase.CLOSE_COMBAT)
    assert not found.is_over(clash.state, later)
    assert found.is_over(clash.state, replace(clash.state, attacker=Seat("russian"), phase=Phase.RALLY))
    assert found.is_over(clash.state, replace(clash.state, turn=clash.state.turn + 1))


@rules("1.3", "3.0", system="aslsk3")
def test_3_0_what_is_left_of_the_game_at_the_end_of_a_look_is_the_same_in_whatever_phase_somebody_is_asked() -> None:
    fields: dict[str, Any] = {
        "exits": [{"side": "german", "zone": [{"hexes": ["A1", "A2", "A3"]}]}],
        "victory": [{"side": "german", "goals": [{"kind": "exit", "at_least": 4}]}],
    }
    clash = firing(turn=5, turns=6, **fields)
    begun, moving = (replace(clash.state, phase=phase) for phase in (Phase.RALLY, Phase.MOVEMENT))
    seat, found = Seat("german"), doctrine(clash)
    looking, _ = found.at(asked(clash), 2, LEVELS[2])
    assert isinstance(looking, Ahead)
    assert looking.worth(begun, seat, STEADY) == looking.worth(moving, seat, STEADY)
    assert found.worth(begun, seat, STEADY) > found.worth(moving, seat, STEADY), "there is a march more"


@rules("3.0", "7.0", system="aslsk3")
def test_7_0_looks_have_more_steps_where_there_are_vehicles() -> None:
    tank = {"id": "t", "card": "russian/T-34 M43", "at": "F5", "vca": "SW/NW"}
    clash = Clash("PFPh", attacker="german", german={"units": MEN}, russian={"units": FOES, "vehicles": [tank]})
    _, level = doctrine(clash).at(asked(clash), 2, LEVELS[2])
    assert level == MOST[2]._replace(steps=2 * MOST[2].steps)


@pytest.mark.parametrize("scenario", ["sk-1-the-road-into-bretteville", "sk-2-the-second-wave"])
def test_what_is_kept_between_looks_never_shows(scenario: str) -> None:
    """A captain who has thought about the questions before answers as one who comes to each of them anew."""
    ruleset: Any = catalog.open_scenario(scenario).ruleset
    captain, quick, dice = make_bot("captain:2", seconds=None), make_bot("greedy", seconds=None), SeededDice("kept")
    state = ruleset.begin(ruleset.setup(), dice).state
    compared = 0
    for number in range(90):
        seat = ruleset.decision(state).asked[0]
        question = Question(ruleset, ruleset.conceal(state, seat), seat)
        bot = captain if number >= 84 else quick
        action = bot.choose(question, Random(number))
        if bot is captain:
            fresh: Any = catalog.open_scenario(scenario).ruleset
            assert captain.choose(Question(fresh, question.known, seat), Random(number)) == action
            compared += is_grave(question.known)
        state = ruleset.resolve(state, seat, action, dice).state
    assert compared


def test_beginners_do_not_look_ahead_and_nobody_does_where_little_hangs_on_it() -> None:
    clash = firing()
    shared = doctrine(clash)
    found, level = shared.at(asked(clash), 1, LEVELS[1])
    assert (found, level.answer_looks) == (shared, 0)
    broken = [{**MEN[0], "broken": True}, {"id": "boss", "card": "german/8-1", "at": "B2"}]
    rally = Clash("RPh", step="unit rally", attacker="german", german={"units": broken}, russian={"units": FOES})
    shared = doctrine(rally)
    assert shared.at(asked(rally), 3, LEVELS[3]) == (shared, LEVELS[3])


@pytest.mark.parametrize("number", [2, 3])
def test_a_captain_tries_the_best_answers_and_to_do_nothing_more(number: int) -> None:
    told = make_bot(f"captain:{number}", None).explain(asked(firing()), Random(1))
    tried = [one for one in told.considered if one.worlds]
    breadth = MOST[number].breadth
    assert 2 <= len(tried) <= breadth
    assert max(one.worlds for one in tried) >= 3
    clash = firing()
    ideas = Ahead(doctrine(clash)).ideas(asked(clash), STEADY._replace(level=number), Random(1))
    answers = [idea.answer for idea in ideas[:breadth]]
    assert isinstance(answers[0], Fire)
    assert Done() in answers


def test_a_beginner_is_led_astray_and_a_captain_is_not() -> None:
    def worths(level: int, seed: int) -> list[float]:
        told = make_bot(f"captain:{level}", None).explain(asked(firing()), Random(seed))
        return [one.worth for one in told.considered]

    assert sorted(worths(2, 1)) == sorted(worths(2, 2))
    assert sorted(worths(1, 1)) != sorted(worths(1, 2))
    for seed in range(5):
        assert worths(1, seed) == sorted(worths(1, seed), reverse=True)
