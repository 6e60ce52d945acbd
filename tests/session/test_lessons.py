"""Lessons at a table: what is wanted can be pressed, what is not wanted changes nothing."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from msgspec.structs import replace

from sandtable import catalog
from sandtable.core.codec import to_plain
from sandtable.core.errors import BadInput, Refused
from sandtable.core.tree.drawing import Stroke
from sandtable.geo.plane.points import label
from sandtable.session.game.play import Choice, Play
from sandtable.session.lessons.learning import learn
from sandtable.session.lessons.lesson_game import LessonGame
from sandtable.session.presenting.choice import find_action
from sandtable.session.presenting.route import find_route
from sandtable.session.registry import Registry
from sandtable.session.store import Person, open_store

LESSONS = [lesson.id for lesson in catalog.lessons()]


@pytest.mark.parametrize("lesson_id", LESSONS)
def test_what_a_lesson_wants_can_be_pressed(lesson_id: str) -> None:
    lecture = catalog.open_lesson(lesson_id)
    for number, step in enumerate(lecture.lesson.steps):
        if step.do is None:
            continue
        wanted = lecture.moves[number][0]
        options = Play(lecture.begin(number)).standpoint(wanted.seat).options()
        route = find_route(options, wanted.action)
        assert route is not None, f"steps[{number}].do is not what any press gives"
        assert find_action(options, route.keys, route.to) == wanted.action


async def at_lesson(lesson_id: str, step: int = 0) -> tuple[Registry, Person, LessonGame]:
    registry = Registry(open_store(":memory:"))
    person, _ = await registry.people.new_guest()
    made = await learn(registry, person, lesson_id, step)
    table, _ = await registry.table(made.id)
    assert isinstance(table, LessonGame)
    return registry, person, table


def given(lesson_id: str, step: int) -> dict[str, Any]:
    lecture = catalog.open_lesson(lesson_id)
    plain: dict[str, Any] = to_plain(lecture.moves[step][0].action)
    return plain


def test_the_wanted_action_goes_on_and_others_answer_by_script() -> None:
    async def go() -> None:
        registry, person, table = await at_lesson("na-first-steps", 2)
        v = table.play.version("german")
        await table.act(person.id, "german", v, Choice(action=given("na-first-steps", 2)))
        assert table.step == 3
        assert [line.seat for line in table.play.lines] == ["", "german", "british"]
        await registry.close()

    asyncio.run(go())


def test_a_legal_action_that_is_not_wanted_changes_nothing() -> None:
    async def go() -> None:
        registry, person, table = await at_lesson("na-first-steps", 2)
        other = {"type": "PlaceCommands", "commands": {"G1": "OW", "G2": "OW"}}
        with pytest.raises(Refused, match="legal, but here we want to give G1 the command FIRE"):
            await table.act(person.id, "german", table.play.version("german"), Choice(action=other))
        bad = {"type": "Move", "unit": "G1", "legs": []}
        with pytest.raises(Refused, match="does not answer what is asked"):
            await table.act(person.id, "german", table.play.version("german"), Choice(action=bad))
        assert (table.step, table.play.v) == (2, 1)
        await registry.close()

    asyncio.run(go())


@pytest.mark.parametrize(
    ("drawn", "is_taken"),
    [
        ("along Post road to 8.4,12.82", True),
        ("go 7.5,12.2", True),
        ("go 6.5,12.4", False),
        ("along Post road to 8,12.5; face 180", False),
        ("stay", False),
    ],
)
def test_a_hand_need_not_draw_to_a_hair_what_is_wanted(drawn: str, *, is_taken: bool) -> None:
    async def go() -> None:
        registry, person, table = await at_lesson("mini-first-drive", 5)
        choice = Choice(keys=("G2", drawn))
        if is_taken:
            await table.act(person.id, "german", table.play.version("german"), choice)
            assert table.step == 6
            moved = next(one for one in table.play.game.state.units.values() if one.id == "G2")
            assert label(moved.at) == drawn.rpartition(" ")[2]
        else:
            with pytest.raises(Refused, match="legal, but here we want to drive G2 along the road"):
                await table.act(person.id, "german", table.play.version("german"), choice)
            assert table.step == 5
        await registry.close()

    asyncio.run(go())


def test_the_rest_of_a_lesson_holds_only_with_what_it_is_told_about() -> None:
    lecture = catalog.open_lesson("mini-first-drive")
    wanted = lecture.moves[5][0].action
    assert lecture.holds_with(5, wanted)
    # From there the slope is out of reach.
    assert not lecture.holds_with(5, replace(wanted, strokes=(Stroke("go", (6000, 14000)),)))


def test_a_step_that_is_read_takes_no_action_and_steps_are_turned_to() -> None:
    async def go() -> None:
        registry, person, table = await at_lesson("na-first-steps")
        with pytest.raises(Refused, match="something to read first"):
            await table.act(person.id, "german", 1, Choice(action=given("na-first-steps", 2)))
        await table.turn_to(person.id, "german", 4)
        assert table.step == 4
        assert table.play.v > 2
        await table.turn_to(person.id, "german", 3)
        assert table.lesson_told().want == "be First Player"
        with pytest.raises(Refused, match="has 11 steps"):
            await table.turn_to(person.id, "german", 11)
        with pytest.raises(Refused, match="not yours"):
            await table.turn_to("somebody", "german", 1)
        with pytest.raises(Refused):
            await table.resign(person.id, "german")
        with pytest.raises(Refused):
            await table.undo(person.id, "german", table.play.version("german"))
        await registry.close()

    asyncio.run(go())


def test_one_table_a_learner_and_no_unknown_lesson() -> None:
    async def go() -> None:
        registry, person, table = await at_lesson("na-first-steps")
        again = await learn(registry, person, "mbt-first-steps", 99)
        assert registry.live(table.record.id) is None
        live = registry.live(again.id)
        assert isinstance(live, LessonGame)
        assert live.step == len(live.lecture.lesson.steps) - 1
        with pytest.raises(BadInput, match="no lesson 'nowhere'"):
            await learn(registry, person, "nowhere", 0)
        await registry.close()

    asyncio.run(go())
