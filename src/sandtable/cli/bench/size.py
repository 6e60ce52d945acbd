"""What a large game costs: 600 units on 2,500 hexes, beside the promise or beside the same game with 30 units.

The bytes of an update; the time of a preview; the memory of 5,000 lines; how long a table waits while another one
searches for a second; cheapest ways on an indexed graph beside the plain search.
"""

from __future__ import annotations

import asyncio
import sys
import time
import tracemalloc
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from random import Random
from typing import TYPE_CHECKING, Any

from sandtable import catalog
from sandtable.cli.bench.measure import Budget, Missing, best_of, best_of_each, rates, times
from sandtable.core.codec import to_plain
from sandtable.core.decision import Seat
from sandtable.core.dice import Dice, SeededDice
from sandtable.core.game import Game
from sandtable.core.ruleset import Resolution
from sandtable.geo.graph import Graph
from sandtable.geo.path import cheapest
from sandtable.server.connection import Connection
from sandtable.session.game.live_game import LiveGame
from sandtable.session.game.play import Choice, Play
from sandtable.session.presenting.foresight import foresee
from sandtable.session.presenting.shelf import NewTable
from sandtable.testing import crowd

if TYPE_CHECKING:
    from sandtable.session.registry import Registry
    from sandtable.session.store import Person

__all__ = ["delay", "let_search", "measure", "memory", "new_table", "previews", "update_bytes", "ways"]

MOST_BYTES, MOST_MEGABYTES, MOST_DELAY = 20_000, 60.0, 0.05
ACTIONS, LINES, SEARCH = 200, 5000, 1.0
_MEGABYTE = 1 << 20


def measure() -> list[Budget]:
    """All of them."""
    small, large = previews()
    with _crowds():
        size = asyncio.run(update_bytes(ACTIONS))
        waited = asyncio.run(delay(SEARCH))
    held = memory(LINES) / _MEGABYTE
    plain, indexed = ways()
    return [
        times("update at 600 units", size, MOST_BYTES, floor=1, goal=4, note="bytes, 95 of 100 are smaller; at most"),
        times("preview at 600 units", large, small, floor=1 / 3, goal=1 / 2, note="seconds; with 30 units"),
        times(f"{LINES:,} lines of 600 units", held, MOST_MEGABYTES, floor=1, goal=2, note="MB; at most"),
        times("wait for another's search", waited, MOST_DELAY, floor=1, goal=2, note="seconds longer; at most"),
        rates("cheapest ways, indexed", 1 / indexed, 1 / plain, floor=2, goal=4, note="a second; plain search"),
    ]


@contextmanager
def _crowds() -> Iterator[None]:
    """The catalog with crowds, and threads that take turns as they do in the server."""
    crowd.register()
    before = sys.getswitchinterval()
    sys.setswitchinterval(0.001)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def _game(scenario: str) -> Game[crowd.State, Any, Any]:
    crowd.register()
    ruleset, header = catalog.open_scenario(scenario)
    return Game.start(ruleset, header, SeededDice(1))


# --- updates ---------------------------------------------------------------------------------------------


@asynccontextmanager
async def _house() -> AsyncIterator[Registry]:
    """A registry without a server around it."""
    try:
        from sandtable.session.registry import Registry
    except ImportError:
        raise Missing("the packages of a server are not installed") from None
    from sandtable.session.store import open_store

    registry = Registry(open_store(":memory:"))
    await registry.open()
    try:
        yield registry
    finally:
        await registry.close()


async def new_table(
    registry: Registry, person: Person, scenario: str, seats: tuple[str, str] = ("west", "east")
) -> LiveGame:
    """A table of a crowd, or of another scenario, both sides one person's."""
    who = dict(zip(seats, ("me", "hotseat"), strict=True))
    made = await registry.create(person, NewTable(scenario, who, options={"auto": "off"}))
    return (await registry.table(made.id))[0]


async def update_bytes(actions: int, scenario: str = crowd.CROWD, seats: tuple[str, str] = ("west", "east")) -> int:
    """The size under which 95 of 100 updates are, of both seats and a watcher."""
    async with _house() as registry:
        person, _ = await registry.people.new_guest()
        table, rng, sizes = await new_table(registry, person, scenario, seats), Random(5), []
        here = [Connection(table, person, viewpoint) for viewpoint in (*seats, "")]
        for one in here:
            await one.come()
        for _ in range(actions):
            decision = table.play.decision
            if decision is None:
                break
            action = decision.options(decision.asked[0]).sample(rng)
            await table.act(person.id, decision.asked[0], table.play.v, Choice(action=to_plain(action)))
            for one in here:
                sizes += [len(text) for text in one.waiting() if text.startswith('{"type":"Update"')]
        return sorted(sizes)[int(len(sizes) * 0.95)]


# --- previews --------------------------------------------------------------------------------------------


def previews(runs: int = 5) -> tuple[float, float]:
    """Seconds of a look at a move and a shot with 30 units, and with 600."""
    small, large = (_hovering(_game(scenario)) for scenario in (crowd.FEW, crowd.CROWD))
    return best_of_each(runs, small, large)


def _hovering(game: Game[crowd.State, Any, Any]) -> Any:
    play = Play(game)
    play.prepare(["west"], with_questions=True)
    here = play.standpoint("west")
    keys = [("w1", "move"), ("w1", "fire e1")]
    goal = next(iter(here.options().at("w1", "move").destinations())).key  # type: ignore[attr-defined]

    def hover() -> None:
        for choice in (Choice(keys[0], goal), Choice(keys[1])):
            fresh = play.standpoint("west")
            action = fresh.read(fresh.settled(choice))
            foresee(fresh.ruleset, fresh.known, fresh.seat, action)

    return hover


# --- memory ----------------------------------------------------------------------------------------------


def memory(lines: int) -> float:
    """Bytes that so many lines hold, with what both seats and a watcher were told of them."""
    game = _game(crowd.CROWD)
    play, rng = Play(game), Random(3)
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    while len(game.lines) < lines:
        seat = game.state.player
        ready = [unit for unit in game.state.units.values() if unit.side == seat and not unit.is_done]
        unit = ready[int(rng.random() * len(ready))] if ready else None
        action = crowd.Pass() if unit is None else crowd.Hold(unit.id)
        if game.state.turn == game.ruleset.scenario.turns and unit is None:  # type: ignore[attr-defined]
            game.undo(seat, game.ruleset.seats)
        else:
            game.play(seat, action)
        play.advance()
        for viewpoint in ("west", "east", ""):
            play.entry(play.v - 1, viewpoint)
    held = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    return held


# --- waiting for others ----------------------------------------------------------------------------------


class _Slow(crowd.CrowdRules):
    """Rules that search for a while before they answer."""

    seconds = 0.0

    def resolve(self, state: crowd.State, seat: Seat, action: Any, dice: Dice) -> Resolution[crowd.State, Any]:
        """Search first."""
        until = time.perf_counter() + self.seconds
        while time.perf_counter() < until:
            pass
        return super().resolve(state, seat, action, dice)


def let_search(table: LiveGame, seconds: float) -> None:
    """Have the rules of a table search for so long before every answer."""
    rules = table.play.game.ruleset
    assert isinstance(rules, crowd.CrowdRules)  # noqa: S101 - the scenario's
    table.play.game.ruleset = searching = _Slow(rules.scenario)
    searching.seconds = seconds


async def delay(seconds: float) -> float:
    """How much longer an action takes, at the worst, while another table searches for so long."""
    async with _house() as registry:
        person, _ = await registry.people.new_guest()
        slow, quick = [await new_table(registry, person, crowd.FEW) for _ in range(2)]
        let_search(slow, seconds)
        alone = [await _acted(quick, person) for _ in range(20)]
        search = asyncio.create_task(slow.act(person.id, "west", slow.play.v, Choice(("pass",))))
        beside = []
        # A quick machine plays the other game to its end meanwhile.
        while not search.done() and not quick.is_over:
            beside.append(await _acted(quick, person))
        await search
        return max(0.0001, max(beside) - max(alone))


async def _acted(table: LiveGame, person: Person) -> float:
    """Seconds until an action is done."""
    seat = table.play.state.player
    ready = [unit for unit in table.play.state.units.values() if unit.side == seat and not unit.is_done]
    keys = (ready[0].id, "hold") if ready else ("pass",)
    started = time.perf_counter()
    await table.act(person.id, seat, table.play.v, Choice(keys))
    return time.perf_counter() - started


# --- ways ------------------------------------------------------------------------------------------------


def ways() -> tuple[float, float]:
    """Seconds for the ways over some 500 hexes: plain, and on an indexed graph."""
    game = _game(crowd.FEW)
    rules, unit = game.ruleset, game.state.units["w1"]
    assert isinstance(rules, crowd.CrowdRules)  # noqa: S101 - the scenario's
    steps = rules.steps(game.state, unit)
    graph = Graph(sorted(rules.game_map.hexes), steps)
    plain = best_of(5, lambda: cheapest((unit.hex,), steps, 16))
    return plain, best_of(5, lambda: graph.cheapest((unit.hex,), 16))
