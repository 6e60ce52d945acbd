"""Lessons: every shipped one can be played as it says; every fault of one is named with its file and field."""

from typing import Any

import pytest
import yaml

from sandtable import catalog
from sandtable.core.content.pack import Pack
from sandtable.core.content.yaml_text import dump_yaml
from sandtable.core.errors import BadInput
from sandtable.core.lesson import check_lessons, open_lecture
from tests.toy_system import Toy, toy_library

LESSONS = [lesson.id for lesson in catalog.lessons()]

GOOD: dict[str, Any] = {
    "id": "toy-first",
    "system": "toy",
    "title": "Learn Patrols",
    "summary": "A march and a shot.",
    "seat": "red",
    "position": {
        "march": "red",
        "pieces": {
            "r1": {"id": "r1", "side": "red", "at": 3, "order": "march", "shown": False},
            "b1": {"id": "b1", "side": "blue", "at": 6, "order": "aim", "shown": False},
        },
    },
    "steps": [
        {"text": "This is r1.", "light": {"units": ["r1"]}},
        {
            "text": "March.",
            "want": "march one step",
            "do": {"type": "March", "piece": "r1", "steps": 1},
            "then": [
                {"seat": "blue", "action": {"type": "Shoot", "shooters": ["b1"]}},
                {
                    "seat": "red",
                    "action": {"type": "Duck", "duck": True},
                    "dice": [[6, 5]],
                    "expect": {"events": [{"type": "Shot", "hit": True}]},
                },
            ],
        },
    ],
}


def faults_of(**changes: Any) -> list[str]:
    text = yaml.safe_dump({**GOOD, **changes}).encode()
    try:
        check_lessons(Toy(), toy_library(**{"lessons/first.yaml": text}))
    except BadInput as bad:
        return [str(fault).removeprefix("packs/toy/lessons/first.yaml: ") for fault in bad.faults]
    return []


def step(**changes: Any) -> list[dict[str, Any]]:
    return [GOOD["steps"][0], {**GOOD["steps"][1], **changes}]


@pytest.mark.parametrize("lesson_id", LESSONS)
def test_a_shipped_lesson_can_be_played_to_its_end(lesson_id: str) -> None:
    lecture = catalog.open_lesson(lesson_id)
    assert [str(fault) for fault in lecture.faults()] == []
    game = lecture.begin(len(lecture.lesson.steps))
    assert len(game.lines) == 1 + sum(map(len, lecture.moves))
    assert sum(lesson.do is not None for lesson in lecture.lesson.steps) >= 6


@pytest.mark.parametrize("lesson_id", LESSONS)
def test_a_shipped_lesson_is_short_and_says_what_to_do(lesson_id: str) -> None:
    lesson = catalog.open_lesson(lesson_id).lesson
    assert lesson.minutes <= 10
    assert all(len(one.text) < 480 for one in lesson.steps)
    assert lesson.steps[-1].do is None, "the last step says how to go on"


def test_every_system_has_a_lesson() -> None:
    assert {lesson.system for lesson in catalog.lessons()} == set(catalog.system_ids())


@pytest.mark.parametrize("system_id", catalog.system_ids())
def test_every_system_checks_the_lessons_of_its_packs(system_id: str) -> None:
    shipped = catalog.library(system_id).packs[-1].manifest
    head = dump_yaml(
        {"id": "mine", "title": "Mine", "system": shipped.system, "edition": shipped.edition, "version": 1}
    )
    mine = Pack({"manifest.yaml": head.encode(), "lessons/first.yaml": b"id: first\n"}, "mine")
    with pytest.raises(BadInput) as bad:
        catalog.system(system_id).check_pack(catalog.library(system_id, (mine,)))
    assert all("lessons/first.yaml" in fault.where for fault in bad.value.faults)


def test_a_good_lesson_has_no_faults() -> None:
    assert faults_of() == []


def test_a_lesson_begins_at_any_step() -> None:
    lecture = open_lecture(Toy(), toy_library(), yaml.safe_dump(GOOD), "first.yaml")
    assert len(lecture.begin(1).lines) == 1
    assert len(lecture.begin(2).lines) == 4


def test_a_lesson_may_take_its_position_from_a_scenario() -> None:
    orders = {"type": "GiveOrders", "orders": {"r1": "march", "r2": "aim"}}
    position = {"scenario": "crossroads", "changes": {"turns": 2}}
    steps = [{"text": "Order.", "want": "march with r1", "do": orders}]
    assert [fault for fault in faults_of(position=position, steps=steps) if "scenario" in fault] == []
    assert "no scenario 'nowhere'" in faults_of(position={"scenario": "nowhere"})[0]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"seat": "green"}, "seat: no seat 'green' (expected one of red, blue)"),
        ({"system": "mbt"}, "system: 'mbt' (expected toy)"),
        ({"steps": []}, "steps: none (expected at least one)"),
        ({"stepps": []}, "stepps: unknown field"),
        ({"steps": step(light={"units": ["r9"]})}, "steps[1].light.units: no unit 'r9' there"),
        ({"steps": step(light={"parts": ["moon"]})}, "steps[1].light.parts: no part 'moon'"),
        ({"steps": step(do={"type": "Fly"})}, "steps[1].do: Invalid value 'Fly'"),
        ({"steps": step(do={"type": "March", "piece": "b1", "steps": 1})}, "steps[1].do: not legal"),
        ({"steps": step(dice=[3])}, "steps[1].do.dice: 1 dice were not rolled"),
        ({"steps": step(want="")}, "steps[1].want: missing"),
        ({"steps": step(text=" ")}, "steps[1].text: nothing to read"),
        ({"steps": step(do=None)}, "steps[1]: want, dice or expect without do"),
        (
            {"steps": step(then=[*GOOD["steps"][1]["then"][:1], {**GOOD["steps"][1]["then"][1], "dice": []}])},
            "steps[1].then[1].dice: no roll left",
        ),
        (
            {"steps": step(expect={"events": [{"type": "Nothing"}]})},
            "steps[1].do.expect: no event like {'type': 'Nothing'}",
        ),
    ],
)
def test_a_fault_is_named_with_its_field(changes: dict[str, Any], said: str) -> None:
    found = faults_of(**changes)
    assert any(fault.startswith(said) for fault in found), found
