"""Tables: acting, taking back, clocks, bots, restarts."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest

from sandtable.core.errors import BadInput, Refused
from sandtable.core.log import TakeBack, dump_line
from sandtable.session.game.live_game import LiveGame
from sandtable.session.game.notices import ClocksTurned, LineAdded, TableClosed, UndoTurned
from sandtable.session.game.play import Choice, Stale
from sandtable.session.presenting.shelf import NewTable
from sandtable.session.presenting.wire import Clock
from sandtable.session.registry import NotFound
from sandtable.session.store import Conflict, GameProgress
from tests.session.toy_registry import Ear, LoadedDice, fix_dice, guests, open_registry, orders, toy_table, until

pytestmark = pytest.mark.usefixtures("toy")


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 60))


def test_acting_writes_the_log_first_and_then_tells() -> None:
    async def go() -> None:
        async with open_registry() as registry:
            table, me = await toy_table(registry)
            ear = Ear(me.id, "red")
            table.join(ear)
            kept: list[int] = []
            ear.hear = lambda notice: kept.append(len(seen())) if isinstance(notice, LineAdded) else None  # type: ignore[method-assign]

            def seen() -> list[str]:
                # The keeper is idle while listeners hear, so its store may be read here.
                return registry.keeper._store.lines(table.record.id)

            assert await table.act(me.id, "red", 1, orders("march", "aim")) == 2
            assert kept == [2]

    run(go())


@pytest.mark.parametrize(
    ("seat", "v", "choice", "error"),
    [
        ("", 1, orders("aim", "aim"), Refused),
        ("blue", 1, orders("aim", "aim"), Refused),
        ("green", 1, orders("aim", "aim"), Refused),
        ("red", 0, orders("aim", "aim"), Stale),
        ("red", 2, orders("aim", "aim"), Stale),
        ("red", 1, orders("aim"), BadInput),
        ("red", 1, orders("fly", "aim"), BadInput),
        ("red", 1, Choice(action={"type": "Halt"}), Refused),
        ("red", 1, Choice(action={"type": "GiveOrders", "orders": {"b1": "aim", "b2": "aim"}}), Refused),
        ("red", 1, Choice(action={"type": "Nonsense"}), BadInput),
    ],
)
def test_what_is_refused_changes_nothing(seat: str, v: int, choice: Choice, error: type[Exception]) -> None:
    async def go() -> None:
        async with open_registry() as registry:
            table, me = await toy_table(registry, blue="invite")
            with pytest.raises(error):
                await table.act(me.id, seat, v, choice)
            assert (table.play.v, len(table.play.game.lines)) == (1, 1)
            assert await table.act(me.id, "red", 1, orders("aim", "aim")) == 2

    run(go())


def test_secret_orders_of_both_do_not_make_each_other_stale() -> None:
    async def go() -> None:
        async with open_registry() as registry:
            table, me = await toy_table(registry)
            await table.act(me.id, "blue", 1, orders("aim", "aim"))
            assert await table.act(me.id, "red", 1, orders("march", "aim")) == 3

    run(go())


def test_two_at_once_for_one_question() -> None:
    async def go() -> None:
        async with open_registry() as registry:
            table, me = await toy_table(registry)
            acts = [table.act(me.id, "red", 1, orders("aim", "aim")) for _ in range(5)]
            results = await asyncio.gather(*acts, return_exceptions=True)
            assert [r for r in results if isinstance(r, int)] == [2]
            assert all(isinstance(r, int | Stale | Refused) for r in results)
            assert table.play.v == 2

    run(go())


def test_an_act_goes_on_when_the_one_who_asked_goes_away() -> None:
    async def go() -> None:
        async with open_registry() as registry:
            table, me = await toy_table(registry)
            asking = asyncio.create_task(table.act(me.id, "red", 1, orders("aim", "aim")))
            await asyncio.sleep(0)
            asking.cancel()
            with pytest.raises(asyncio.CancelledError):
                await asking
            await until(lambda: table.play.v >= 2)
            assert len(await registry.keeper.run(lambda store: store.lines(table.record.id))) == 2

    run(go())


def test_a_table_whose_line_cannot_be_written_is_read_anew() -> None:
    async def go() -> None:
        async with open_registry() as registry:
            table, me = await toy_table(registry)
            ear = Ear(me.id)
            table.join(ear)
            # Somebody else writes to the same database.
            line = dump_line(TakeBack(1, "", 0)).rstrip("\n")
            await registry.keeper.run(lambda store: store.append(table.record.id, 1, line, GameProgress()))
            with pytest.raises(Conflict):
                await table.act(me.id, "red", 1, orders("aim", "aim"))
            assert isinstance(ear.heard[-1], TableClosed)
            again, _ = await registry.table(table.record.id)
            assert again is not table
            assert again.play.v == 2

    run(go())


# --- taking back ---


def test_orders_are_taken_back_freely_until_dice_fall() -> None:
    async def go() -> None:
        async with open_registry() as registry:
            table, me = await toy_table(registry, blue="invite")
            assert not table.undo_told("red").free
            await table.act(me.id, "red", 1, orders("aim", "aim"))
            assert table.undo_told("red").free
            assert not table.undo_told("").free
            with pytest.raises(Stale):
                await table.undo(me.id, "red", 1)
            assert await table.undo(me.id, "red", 2) == 3
            assert table.play.entry(2, "blue").kind == "undo"
            assert table.play.questions == {"red": 3, "blue": 3}

    run(go())


def test_after_dice_the_other_must_agree() -> None:
    async def go() -> None:
        async with open_registry() as registry:
            table, me, other = await two_people(registry, options={"auto": "off"})
            await table.act(other, "blue", 1, orders("none", "none"))
            v = await table.act(me, "red", 1, orders("none", "none"))
            ear = Ear(other, "blue")
            table.join(ear)
            assert await table.undo(me, "red", v) == v, "asked, not done"
            assert isinstance(ear.heard[-1], UndoTurned)
            told = table.undo_told("blue")
            assert (told.asked_by, told.waits_for, told.agreed) == ("red", ("blue",), ())
            with pytest.raises(Refused):
                await table.answer_undo(me, "red", v, agree=True)
            await table.answer_undo(other, "blue", v, agree=False)
            assert table.undo_told("red").asked_by == ""
            with pytest.raises(Stale):
                await table.answer_undo(other, "blue", v, agree=True)
            await table.undo(me, "red", v)
            after = await table.answer_undo(other, "blue", v, agree=True)
            assert after > v
            assert "red" in table.play.questions
            assert "blue" not in table.play.questions, "what blue ordered stands"

    run(go())


async def two_people(registry: Any, **wish: Any) -> tuple[LiveGame, str, str]:
    me, other = await guests(registry)
    made = await registry.create(me, NewTable("crossroads", {"red": "me", "blue": "invite"}, **wish))
    await registry.join(other, made.invites["blue"])
    table, _ = await registry.table(made.id)
    return table, me.id, other.id


def test_against_a_bot_undo_goes_back_to_ones_own_last_choice() -> None:
    async def go() -> None:
        async with open_registry() as registry:
            table, me = await toy_table(registry, blue="bot:random")
            await until(lambda: table.is_over or "red" in table.play.questions)
            await asyncio.sleep(0.2)
            v = await table.act(me.id, "red", table.play.v, orders("march", "march"))
            await until(lambda: table.is_over or "red" in table.play.questions)
            await asyncio.sleep(0.2)
            if table.is_over:
                return
            assert table.play.v >= v
            await table.undo(me.id, "red", table.play.v)
            ask = table.play.ask("red", table.play.v)
            assert ask is not None
            assert ask.rule == "1.1"

    run(go())


# --- by itself ---


def test_only_answers_are_played_for_people_and_look_like_given_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    fix_dice(monkeypatch)

    async def go(auto: str) -> int:
        async with open_registry() as registry:
            table, me = await toy_table(registry, options={"auto": auto})
            table.play.game.dice = LoadedDice(1)
            await table.act(me.id, "red", 1, orders("march", "march"))
            await table.act(me.id, "blue", 1, orders("none", "none"))
            v = await table.act(me.id, "red", 3, Choice(("r1",), "3"))
            await asyncio.sleep(0.1)
            assert table.play.states[v - 1].stack[-1].__class__.__name__ == "Ambush", (
                "blue is asked whatever it ordered"
            )
            return table.play.v - v

    assert asyncio.run(go("on")) == 1
    assert asyncio.run(go("off")) == 0


def test_bots_play_a_game_to_its_end() -> None:
    async def go() -> None:
        async with open_registry() as registry:
            table, _ = await toy_table(registry, red="bot:greedy", blue="bot:random")
            await until(lambda: table.is_over)
            assert table.result is not None
            record = await registry.keeper.run(lambda store: store.table(table.record.id))
            assert record is not None
            assert record.progress.asked == ""
            assert record.v == table.play.v

    run(go())


def test_a_bot_that_fails_does_not_stop_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    from sandtable.bots.random import RandomBot

    def fail(*_: object) -> object:
        raise ValueError("no idea")

    monkeypatch.setattr(RandomBot, "consider", fail)

    async def go() -> None:
        async with open_registry() as registry:
            table, _ = await toy_table(registry, red="bot:random", blue="bot:random")
            await until(lambda: table.is_over)

    run(go())


# --- clocks and giving up ---


def test_a_clock_begins_when_all_are_there_and_ends_the_game() -> None:
    async def go() -> None:
        async with open_registry() as registry:
            me, other = await guests(registry)
            wish = NewTable("crossroads", {"red": "me", "blue": "invite"}, Clock("move", 1))
            made = await registry.create(me, wish)
            table, _ = await registry.table(made.id)
            assert [one.running for one in table.clocks_told()] == [False, False]
            await registry.join(other, made.invites["blue"])
            assert [one.running for one in table.clocks_told()] == [True, True]
            ear = Ear(me.id)
            table.join(ear)
            await table.act(me.id, "red", 1, orders("aim", "aim"))
            await until(lambda: table.is_over)
            assert table.result is not None
            assert table.result.winner == "red"
            assert "ran out of time" in table.result.summary
            assert isinstance(ear.heard[-1], ClocksTurned)
            with pytest.raises(Refused, match="over"):
                await table.act(other.id, "blue", 2, orders("aim", "aim"))

    run(go())


def test_resigning() -> None:
    async def go() -> None:
        async with open_registry() as registry:
            table, me, other = await two_people(registry)
            with pytest.raises(Refused):
                await table.resign(other, "red")
            await table.resign(me, "red")
            assert table.result is not None
            assert (table.result.winner, table.is_over) == ("blue", True)

    run(go())


# --- the registry ---


def test_everything_is_there_again_after_a_restart(tmp_path: Path) -> None:
    database = str(tmp_path / "registry.db")

    async def first() -> tuple[str, str]:
        async with open_registry(database) as registry:
            table, me = await toy_table(registry, clock=Clock("game", 1000))
            await table.act(me.id, "red", 1, orders("aim", "none"))
            await table.say(me.id, "red", "Me", "  hello\n there\x00 ")
            return table.record.id, me.id

    async def second(table_id: str, me: str) -> None:
        async with open_registry(database) as registry:
            table, _ = await registry.table(table_id)
            assert table.play.v == 2
            assert [line.text for line in table.chat] == ["hello there"]
            assert table.clocks is not None
            assert await table.act(me, "blue", 1, orders("none", "none")) == 3

    asyncio.run(second(*asyncio.run(first())))


def test_games_with_bots_are_taken_up_at_the_start(tmp_path: Path) -> None:
    database = str(tmp_path / "registry.db")

    async def first() -> str:
        async with open_registry(database) as registry:
            table, _ = await toy_table(registry, blue="bot:random", options={"auto": "off"})
            table._driver.stop()
            return table.record.id

    async def second(table_id: str) -> None:
        async with open_registry(database) as registry:
            table = registry.live(table_id)
            assert table is not None
            await until(lambda: "blue" not in table.play.questions)

    asyncio.run(second(asyncio.run(first())))


def test_idle_tables_are_put_away_and_come_back() -> None:
    async def go() -> None:
        async with open_registry() as registry:
            table, me = await toy_table(registry)
            await table.act(me.id, "red", 1, orders("aim", "aim"))
            await asyncio.sleep(0.05)
            ear = Ear(me.id)
            table.join(ear)
            registry.tidy(float("inf"))
            assert registry.live(table.record.id) is table
            table.leave(ear)
            registry.tidy(float("inf"))
            assert registry.live(table.record.id) is None
            again, _ = await registry.table(table.record.id)
            assert again.play.v == 2

    run(go())


def test_wishes_that_cannot_be_met_list_all_their_faults() -> None:
    async def go() -> None:
        async with open_registry() as registry:
            (me,) = await guests(registry, 1)
            wish = NewTable("crossroads", {"green": "me", "red": "bot:hal"}, Clock("move", 0), {"cheat": "on"})
            with pytest.raises(BadInput) as caught:
                await registry.create(me, wish)
            assert len(caught.value.faults) == 4
            with pytest.raises(BadInput, match="crossroads"):
                await registry.create(me, NewTable("crossroad"))
            with pytest.raises(NotFound):
                await registry.table("nothing")

    run(go())
