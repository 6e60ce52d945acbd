"""A drawing under the hand until the rules have judged it: ``Try`` to ``Tried`` on loopback.

The position is the first way that somebody is asked to draw in the first scenario of a system without hexes. Ways of
one to three legs are tried one after the other, as a hand that drags them would. The anchor is 50 ms: what a person
does not notice.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any

from sandtable import catalog
from sandtable.cli.bench.broadcast import running
from sandtable.cli.bench.clients import Client, join, open_table, p95
from sandtable.cli.bench.measure import Budget, Missing, times
from sandtable.core.ruleset import Space
from sandtable.core.tree.drawing import Stroke, drawing_text

__all__ = ["drag", "measure"]

UNNOTICED = 0.050
TRIES = 200
MOST_ACTIONS = 400
"""Answers that are given until a way is asked for."""


def measure() -> list[Budget]:
    """The 95th percentile of many drawings."""
    if find_spec("litestar") is None:
        raise Missing("the server is not installed (pip install 'sandtable[server]')")
    scenario = _scenario()
    with tempfile.TemporaryDirectory() as folder:
        database = str(Path(folder) / "bench.db")
        with running(f"run_server({database!r})") as address:
            found = asyncio.run(drag(address, scenario))
    note = f"p95 seconds from Try to Tried, {len(found)} drawings of {scenario}; 50 ms is what nobody notices"
    return [times("dragging", p95(found), UNNOTICED, floor=1, goal=2, note=note)]


def _scenario() -> str:
    for key in catalog.system_ids():
        if catalog.system(key).card.space is Space.PLANE and (rows := catalog.scenarios(key)):
            return rows[0].id
    raise Missing("no system is played on a table without hexes")


async def drag(address: str, scenario: str) -> list[float]:
    """Seconds that each of many drawings took."""
    seats = catalog.open_scenario(scenario).ruleset.seats
    table, cookie = await open_table(address, scenario, seats)
    players = [await join(address, table, seat, cookie) for seat in seats]
    mover, node = await _asked_to_draw(players)
    rng, found = Random(scenario), []
    x, y = node["sketch"]["start"]
    for _ in range(TRIES):
        ends = [(x + rng.randint(-9000, 9000), y + rng.randint(-9000, 9000)) for _ in range(rng.randint(1, 3))]
        text = drawing_text([Stroke("go", end) for end in ends])
        started = time.perf_counter()
        told = await mover.answer(await mover.send("Try", v=mover.v, keys=node["keys"], strokes=text))
        found.append(time.perf_counter() - started)
        if told["type"] != "Tried":
            raise Missing(f"a drawing was answered by {told['type']}")
    for one in players:
        await one.close()
    return found


async def _asked_to_draw(players: list[Client]) -> tuple[Client, Any]:
    """Who is asked for a way, and the node; before that, orders of all kinds in turn, else the first answer."""
    for number in range(MOST_ACTIONS):
        mover = next((one for one in players if one.ask is not None), None)
        if mover is None:
            break
        node = mover.ask["root"]
        while node["shape"] == "pick" and not node["branches"][0]["leaf"]:
            keys = [*node["keys"], node["branches"][0]["key"]]
            node = (await mover.answer(await mover.send("Walk", v=mover.v, keys=keys)))["node"]
        if node["shape"] == "sweep":
            return mover, node
        choice, goal = await mover.choice(number), mover.v + 1
        await mover.send("Act", v=mover.v, **choice)
        for one in players:
            await one.reach(goal)
    raise Missing("nobody is asked to draw a way")
