"""Situations: positions with steps, dice and expectations."""

from typing import Any

import pytest

from sandtable.core.errors import BadInput
from sandtable.core.situation import StepResult, read_situation_head, run, situation_odds
from tests.toy_system import Toy, toy_library

PIECES = {
    "r1": {"id": "r1", "side": "red", "at": 1, "order": "march", "shown": False},
    "b1": {"id": "b1", "side": "blue", "at": 5, "order": "aim", "shown": False},
}
MARCH = {"seat": "red", "action": {"type": "March", "piece": "r1", "steps": 2}}
SHOOT = {"seat": "blue", "action": {"type": "Shoot", "shooters": ["b1"]}}
STAND = {"seat": "red", "action": {"type": "Duck", "duck": False}, "dice": [[4, 4]]}


def outcome(*steps: dict[str, Any]) -> tuple[list[StepResult], Any]:
    draft = {"system": "toy", "pieces": PIECES, "march": "red", "steps": list(steps)}
    position = Toy().position(draft, toy_library(), "s.yaml")
    return run(Toy(), position, read_situation_head(draft, "s.yaml"), "s.yaml")


def faults(*steps: dict[str, Any]) -> list[str]:
    return [fault for result in outcome(*steps)[0] for fault in result.faults]


def test_steps_run_one_after_another() -> None:
    results, state = outcome(MARCH, SHOOT, STAND)
    assert [type(event).__name__ for event in results[2].events] == [
        "Shot",
        "Closed",
        "Closed",
    ]
    assert results[2].narration == ("b1 fires at r1 with a 8: a hit.",)
    assert results[2].breakdowns[0].total == 8
    assert not state.pieces["r1"].up


def test_met_expectations_leave_no_fault() -> None:
    expect = {
        "events": [{"type": "Shot", "hit": True}],
        "totals": {"To Hit": 8},
        "nets": {"To Hit": 8},
        "state": {"pieces": {"r1": {"up": False}}},
    }
    assert faults(MARCH, SHOOT, {**STAND, "expect": expect}) == []


@pytest.mark.parametrize(
    ("expect", "fault"),
    [
        ({"events": [{"type": "Shot", "hit": False}]}, "no event like"),
        ({"totals": {"To Hit": 9}}, "totals.To Hit: 8, expected 9"),
        ({"nets": {"Luck": 9}}, "nets.Luck: missing"),
        ({"state": {"pieces": {"r1": {"at": 4}}}}, "state.pieces.r1.at: 3, expected 4"),
        ({"refused": "2.3"}, "accepted, but expected a refusal under 2.3"),
        ({"event": []}, "unknown expectation 'event'"),
    ],
)
def test_missed_expectations_are_named(expect: dict[str, Any], fault: str) -> None:
    (found,) = faults(MARCH, SHOOT, {**STAND, "expect": expect})
    assert fault in found


def test_refusals_can_be_expected() -> None:
    far = {"seat": "red", "action": {"type": "March", "piece": "r1", "steps": 5}}
    assert faults({**far, "expect": {"refused": "2.1"}}) == []
    assert faults(far) == ["refused: 5 steps (2.1); 1 to 3"]
    assert faults({**far, "expect": {"refused": "2.2"}}) == ["refusal.refused: '2.1', expected '2.2'"]


def test_a_refused_step_changes_nothing() -> None:
    far = {"seat": "red", "action": {"type": "March", "piece": "r1", "steps": 5}}
    assert outcome(far)[1] == outcome()[1]


def test_dice_left_over_are_a_fault() -> None:
    assert faults({**MARCH, "dice": [3]}) == ["1 dice were not rolled"]


def test_questions_are_answered_by_the_system() -> None:
    assert faults({"ask": {"range": ["r1", "b1"]}, "expect": {"range": 4}}) == []
    assert faults({"ask": {"range": ["r1", "b1"]}, "expect": {"range": 5}}) == ["answer.range: 4, expected 5"]


@pytest.mark.parametrize(
    ("step", "wrong"),
    [
        ({}, r"steps\[0\]: neither action nor ask"),
        ({"ask": {"range": ["r1", "b1"]}, **MARCH}, r"steps\[0\]: both action and ask"),
        ({**MARCH, "dice": ["six"]}, r"steps\[0\].dice\[0\]: 'six'"),
        ({**MARCH, "expect": {"events": "Shot"}}, r"steps\[0\].expect.events: is no list"),
        ({"seat": "red", "action": {"type": "Fly"}}, r"steps\[0\]: action: Invalid value 'Fly'"),
        ({"ask": {"colour": 1}}, r"steps\[0\]: ask"),
        ({"action": {"type": "Halt"}, "dices": []}, r"steps\[0\].dices: unknown field"),
    ],
)
def test_a_bad_step_is_named(step: dict[str, Any], wrong: str) -> None:
    with pytest.raises(BadInput, match=wrong):
        outcome(step)


def test_odds_of_a_situation_are_those_of_its_first_action() -> None:
    draft = {"system": "toy", "pieces": PIECES, "march": "red", "steps": [MARCH]}
    position = Toy().position(draft, toy_library(), "s.yaml")
    (chance,) = situation_odds(position, read_situation_head(draft, "s.yaml"), "s.yaml")
    assert (chance.what, chance.exact) == ("no effect", "1")


@pytest.mark.parametrize(
    ("steps", "wrong"),
    [
        ([], "no action to give odds for"),
        ([SHOOT], "refused: blue is not asked now"),
        ([{"action": {"type": "Fly"}}, {"action": {"type": "Swim"}}], r"(?s)steps\[0\].*steps\[1\]"),
    ],
)
def test_odds_need_a_legal_action(steps: list[dict[str, Any]], wrong: str) -> None:
    draft = {"system": "toy", "pieces": PIECES, "march": "red", "steps": steps}
    position = Toy().position(draft, toy_library(), "s.yaml")
    with pytest.raises(BadInput, match=wrong):
        situation_odds(position, read_situation_head(draft, "s.yaml"), "s.yaml")
