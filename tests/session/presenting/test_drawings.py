"""A table at which things are drawn: an answer is the text of a drawing, and a wrong one changes nothing."""

from __future__ import annotations

import asyncio

import pytest

from sandtable import catalog
from sandtable.core.errors import BadInput, Refused
from sandtable.session.game.play import Choice
from sandtable.session.presenting.changes import ask_change
from sandtable.session.presenting.shelf import NewTable
from sandtable.session.presenting.wire_questions import Ask, WireNode, WireSketch
from tests.session.toy_registry import guests, open_registry
from tests.tabletop_system import register_tabletop


@pytest.fixture(autouse=True)
def tabletop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalog, "_registered", dict(catalog._registered))
    register_tabletop()


def test_a_game_is_played_by_texts() -> None:
    async def play() -> None:
        async with open_registry() as registry:
            (me,) = await guests(registry, 1)
            made = await registry.create(me, NewTable("mill", {"red": "me", "blue": "hotseat"}))
            table, _ = await registry.table(made.id)
            v = table.play.v
            with pytest.raises(Refused, match="not near your edge"):
                await table.act(me.id, "red", v, Choice(("put 4,20 facing 180",)))
            with pytest.raises(BadInput, match="a drawing such as put"):
                await table.act(me.id, "red", v, Choice(("over there",)))
            assert table.play.v == v
            v = await table.act(me.id, "red", v, Choice(("put 4,4 facing 180",)))
            assert "r1" in {counter.id for counter in table.play.scene(table.play.v - 1, "red").counters}

    asyncio.run(play())


def test_a_question_with_another_sketch_is_told_whole() -> None:
    def asked(start: tuple[int, int]) -> Ask:
        sketch = WireSketch(("go",), turns=True, base=None, start=start)
        return Ask(1, "2.1", "Drive", WireNode("sweep", (), sketch=sketch))

    assert ask_change(asked((1, 1)), asked((1, 2))) is None
    assert ask_change(asked((1, 1)), asked((1, 1))) is not None
