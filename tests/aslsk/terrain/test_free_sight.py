"""3.2.1: no line of sight is checked before fire is declared, unless the players turn free_sight on."""

import asyncio
from typing import Any

import pytest

from sandtable import catalog
from sandtable.bots.preview import preview
from sandtable.core.errors import BadInput
from sandtable.session.presenting.foresight import foresee
from sandtable.session.presenting.shelf import NewTable
from sandtable.session.queries import info
from sandtable.systems.aslsk.common.actions import Fire
from sandtable.systems.aslsk.pieces.state import UnitId
from tests.aslsk.clash import Clash, side, squad
from tests.cli.running import run
from tests.session.toy_registry import guests, open_registry

rules = pytest.mark.rules
STRICT, LEARNERS = "sk-3-room-by-room", "sk-1-the-road-into-bretteville"
A = UnitId("a")


def clash(cells: str, *, free: bool) -> Clash:
    return Clash(
        "PFPh",
        cells,
        german=side(squad("a", at="A1")),
        russian=side(squad("r", "russian/4-4-7", at="E1")),
        conditions={"free_sight": free},
    )


@rules("3.2.1", system="aslsk3")
def test_3_2_1_fire_without_a_los_may_be_declared_and_is_spent_unless_sight_is_free() -> None:
    wall = ". b b b ."
    strict = clash(wall, free=False)
    shot = Fire((A,), (), strict.hex("E1"))
    assert shot in strict.options()
    assert clash(wall, free=True).state.phase.value != "PFPh", "nothing is left to fire at"


@rules("3.2.1", system="aslsk3")
def test_3_2_1_odds_before_the_declaration_say_nothing_about_the_line() -> None:
    told = []
    for cells in (". . . . .", ". g g g .", ". b b b ."):
        strict = clash(cells, free=False)
        shot = Fire((A,), (), strict.hex("E1"))
        found = foresee(strict.rules, strict.state, strict.asked, shot)  # type: ignore[arg-type]
        told.append((found.chances, found.breakdowns))
        assert found.text.endswith("if nothing blocks or hinders the line (3.2.1)")
    assert told[0] == told[1] == told[2]
    assert told[0][0], "there are odds all the same"


@rules("3.2.1", system="aslsk3")
def test_3_2_1_with_free_sight_odds_tell_what_is_so() -> None:
    plain, hindered = (clash(cells, free=True) for cells in (". . . . .", ". g g . ."))
    shot = Fire((A,), (), plain.hex("E1"))
    odds = [preview(one.rules, one.state, one.decision.asked[0], shot).chances for one in (plain, hindered)]
    assert odds[0] != odds[1]


@rules("3.2.1", system="aslsk3")
@pytest.mark.parametrize(
    ("scenario", "value", "refused"),
    [(STRICT, "", True), (STRICT, "on", False), (LEARNERS, "", False), (LEARNERS, "off", True)],
)
def test_3_2_1_the_switch_stands_as_the_scenario_says_until_players_turn_it(
    scenario: str, value: str, refused: bool
) -> None:
    opened = catalog.open_scenario(scenario, options={"free_sight": value} if value else {})
    assert (opened.ruleset.refuse_sight() is not None) == refused  # type: ignore[attr-defined]
    again = catalog.system("aslsk3").ruleset(opened.header.scenario, catalog.library("aslsk3"), "log")
    assert (again.refuse_sight() is not None) == refused, "a log remembers it"  # type: ignore[attr-defined]


def test_switches_that_are_none_are_named() -> None:
    for options in ({"free_site": "on"}, {"free_sight": "perhaps"}):
        with pytest.raises(BadInput):
            catalog.open_scenario(STRICT, options=options)


def test_the_terminal_takes_the_switch_and_keeps_sight_dark_without_it() -> None:
    words: tuple[Any, ...] = ("play", STRICT, "--seed", 1)
    dark = run(*words, text="sight uK5 uK6\nquit\n").stdout
    assert "3.2.1" in dark
    light = run(*words, "--option", "free_sight=on", text="sight uK5 uK6\nquit\n").stdout
    assert "blocked" in light
    run(*words, "--option", "free_sight", text="quit\n", code=2)


def test_a_table_takes_the_switch() -> None:
    async def go() -> None:
        async with open_registry() as house:
            (person,) = await guests(house, 1)
            rows = {row.id: row.switches for row in house.books.scenarios}
            assert [(one.name, one.on) for one in rows[STRICT]] == [("free_sight", False)]
            assert [(one.name, one.on) for one in rows[LEARNERS]] == [("free_sight", True)]
            for value in ("on", "off"):
                seats = dict.fromkeys(("german", "russian"), "hotseat")
                made = await house.create(person, NewTable(STRICT, seats, options={"free_sight": value}))
                table, _ = await house.table(made.id)
                ruleset = table.play.game.ruleset
                assert (ruleset.refuse_sight() is None) == (value == "on")  # type: ignore[attr-defined]
                told = await info(house, person, made.id, None)
                assert ("sight" in told.tools) == (value == "on")
            with pytest.raises(BadInput):
                await house.create(person, NewTable(STRICT, {}, options={"free_site": "on"}))

    asyncio.run(asyncio.wait_for(go(), 60))
