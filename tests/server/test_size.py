"""What must not grow with the number of units: 600 of them beside 30, in one run."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from sandtable import catalog
from sandtable.cli.bench import size
from sandtable.core.errors import SandtableError
from sandtable.session.game.live_game import LiveGame
from sandtable.session.game.play import Choice
from sandtable.session.store import Person
from sandtable.testing import crowd
from tests.session.toy_registry import guests, open_registry


@pytest.fixture(autouse=True)
def crowds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalog, "_registered", dict(catalog._registered))
    crowd.register()


def test_an_update_carries_little_of_600_units() -> None:
    assert asyncio.run(size.update_bytes(60)) < size.MOST_BYTES


def test_a_preview_takes_at_most_three_times_as_long_with_600_units() -> None:
    small, large = size.previews(15)
    assert large < 3 * small


def test_many_lines_take_little_memory() -> None:
    lines = 320
    assert size.memory(lines) * 5000 / lines < size.MOST_MEGABYTES * 2**20


def test_a_search_keeps_no_other_table_waiting() -> None:
    # On the event loop itself it would be the whole time of the search.
    assert asyncio.run(size.delay(1.0)) < 1.0 / 3


def test_ways_on_a_graph_are_found_sooner() -> None:
    plain, indexed = size.ways()
    assert indexed < plain


@asynccontextmanager
async def searching(seconds: float) -> AsyncIterator[tuple[LiveGame, Person]]:
    """A table whose rules search for so long, and who plays both sides."""
    async with open_registry() as registry:
        (person,) = await guests(registry, 1)
        table = await size.new_table(registry, person, crowd.FEW)
        size.let_search(table, seconds)
        yield table, person


def test_who_goes_away_while_rules_search_leaves_nothing_half_done() -> None:
    async def run() -> None:
        async with searching(0.3) as (table, person):
            acting = asyncio.create_task(table.act(person.id, "west", 1, Choice(("w1", "hold"))))
            await asyncio.sleep(0.1)
            assert table.lock.locked()
            assert len(table.play.game.lines) == 1, "nothing is added before all of it is known"
            acting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await acting
            async with table.lock:
                assert table.play.v == len(table.play.game.lines) == 2
                assert table.play.state.units["w1"].is_done

    asyncio.run(run())


def test_answers_to_one_question_come_one_after_another() -> None:
    async def run() -> None:
        async with searching(0.2) as (table, person):
            acts = [table.act(person.id, "west", 1, Choice((unit, "hold"))) for unit in ("w1", "w2")]
            told = await asyncio.gather(*acts, return_exceptions=True)
            assert told[0] == 2
            assert isinstance(told[1], SandtableError), "the second was made for a position that is no more"
            assert table.play.v == 2

    asyncio.run(run())
