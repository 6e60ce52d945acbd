"""Help from the computer: hints, a seat handed over and taken back, and what a bot thought."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest

from sandtable.bots.random import RandomBot
from sandtable.core.errors import BadInput, Refused
from sandtable.session import queries
from sandtable.session.game.play import Choice, Stale
from sandtable.session.presenting.shelf import NewTable
from sandtable.session.queries import Denied
from tests.session.toy_registry import guests, open_registry, orders, toy_table, until

pytestmark = pytest.mark.usefixtures("toy")


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 60))


def test_a_hint_is_an_answer_that_can_be_played() -> None:
    async def go() -> None:
        async with open_registry() as registry:
            table, me = await toy_table(registry, blue="bot:random")
            await until(lambda: table.play.v > 1)
            advice = await table.hint(me.id, "red", table.play.v, "greedy")
            assert advice.chosen
            assert advice.question
            assert set(advice.units) <= {one.id for one in table.play.scene(table.play.v - 1, "red").counters}
            v = table.play.v
            assert await table.act(me.id, "red", v, Choice(action=advice.action)) > v
            with pytest.raises(BadInput, match="no bot"):
                await table.hint(me.id, "red", table.play.v, "deep-thought")

    run(go())


def test_a_hint_is_only_for_who_is_asked_and_only_about_now() -> None:
    async def go() -> None:
        async with open_registry() as registry:
            table, me = await toy_table(registry, blue="invite")
            (other,) = await guests(registry, 1)
            with pytest.raises(Refused, match="not yours"):
                await table.hint(other.id, "red", 1, "random")
            with pytest.raises(Refused, match="another person"):
                await table.hint(me.id, "red", 1, "random")
            table.help = True
            with pytest.raises(Stale):
                await table.hint(me.id, "red", 0, "random")
            await table.act(me.id, "red", 1, orders("aim", "aim"))
            with pytest.raises(Refused):
                await table.hint(me.id, "red", table.play.v, "random")

    run(go())


def test_a_seat_is_handed_over_and_taken_back() -> None:
    async def go() -> None:
        async with open_registry() as registry:
            table, me = await toy_table(registry, blue="hotseat", options={"auto": "off"})
            await table.hand_over(me.id, "red", "random")
            await until(lambda: table.play.v > 1)
            told = {one.seat: one for one in table.seating.told(me.id)}
            assert (told["red"].stand_in, told["red"].kind, told["red"].yours) == ("Random", "person", True)
            assert told["blue"].stand_in == ""
            with pytest.raises(Refused, match="take the seat back"):
                await table.act(me.id, "red", table.play.v, orders("aim", "aim"))
            await table.hand_over(me.id, "red", "")
            assert table.seating.bots() == {}
            await table.hand_over(me.id, "red", "random")
            await table.hand_over(me.id, "blue", "random")
            await until(lambda: table.is_over)
            assert table.seating.held_by(me.id) == ("red", "blue")

    run(go())


def test_a_stand_in_goes_on_after_a_restart(tmp_path: Any) -> None:
    database = str(tmp_path / "games.db")

    async def go() -> None:
        async with open_registry(database) as registry:
            table, _ = await toy_table(registry, blue="hotseat")
            await registry.keeper.run(lambda store: store.stand_in(table.record.id, "red", "random"))
            await registry.keeper.run(lambda store: store.stand_in(table.record.id, "blue", "random"))
        async with open_registry(database) as registry:
            again = registry.live(table.record.id)
            assert again is not None
            await until(lambda: again.is_over)

    run(go())


def test_what_a_bot_thought_is_for_its_own_seat_until_the_game_is_over() -> None:
    async def go() -> None:
        async with open_registry() as registry:
            table, me = await toy_table(registry, blue="bot:greedy", options={"auto": "off"})
            await until(lambda: any(line.seat == "blue" for line in table.play.lines[: table.play.v]))
            seq = next(line.seq for line in table.play.lines if line.seat == "blue")
            with pytest.raises(Denied, match="while the game runs"):
                await queries.thoughts(registry, me, table.record.id, None, seq, "")
            with pytest.raises(Denied, match="while the game runs"):
                await queries.thoughts(registry, me, table.record.id, None, seq, "random")
            await table.act(me.id, "red", table.play.v, orders("march", "aim"))
            mine = max(line.seq for line in table.play.lines if line.seat == "red")
            second = await queries.thoughts(registry, me, table.record.id, None, mine, "greedy")
            assert not second.is_same
            assert second.played
            await table.resign(me.id, "red")
            advice = await queries.thoughts(registry, me, table.record.id, None, seq, "")
            assert advice.is_same
            assert advice.chosen == advice.played
            with pytest.raises(BadInput, match="nobody answered"):
                await queries.thoughts(registry, me, table.record.id, None, 0, "")

    run(go())


def test_people_hear_of_a_bot_that_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> object:
        raise ValueError("no idea")

    monkeypatch.setattr(RandomBot, "consider", fail)

    async def go() -> None:
        async with open_registry() as registry:
            table, _ = await toy_table(registry, blue="bot:random")
            await until(lambda: table.chat)
            assert "Random came to no answer for blue; Greedy answers" in table.chat[0].text
            assert table.chat[0].name == "Table"

    run(go())


def test_help_is_an_option_of_games_between_people() -> None:
    async def go() -> None:
        async with open_registry() as registry:
            (me,) = await guests(registry, 1)
            made = await registry.create(
                me, NewTable("crossroads", {"red": "me", "blue": "invite"}, options={"help": "on"})
            )
            table, _ = await registry.table(made.id)
            assert table.help
            assert (await table.hint(me.id, "red", 1, "random")).chosen
            with pytest.raises(BadInput, match="auto, help"):
                await registry.create(me, NewTable("crossroads", options={"cheat": "on"}))

    run(go())
