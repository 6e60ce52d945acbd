"""What a server holds after many games: ``python -m tests.load.cycles [GAMES] [CYCLES]``.

Plays so many games of the toy in a registry, waits until they have left memory, and does it again; prints the resident
memory in KiB after each cycle as JSON. It should not grow after the first.
"""

from __future__ import annotations

import asyncio
import gc
import json
import sys

from sandtable.session import registry as registry_module
from sandtable.session.presenting.shelf import NewTable
from sandtable.session.registry import Registry
from tests.load.run import memory_kib
from tests.session.toy_registry import guests, open_registry, register_toy

_AT_ONCE = 25


async def play(registry: Registry, games: int) -> None:
    """So many games between bots, each of a new guest."""
    for start in range(0, games, _AT_ONCE):
        tables = []
        for person in await guests(registry, min(_AT_ONCE, games - start)):
            made = await registry.create(person, NewTable("crossroads", {"red": "bot:random", "blue": "bot:random"}))
            tables.append((await registry.table(made.id))[0])
        while not all(table.is_over for table in tables):  # noqa: ASYNC110 - no event tells us
            await asyncio.sleep(0.01)
    while registry.in_memory:  # noqa: ASYNC110 - as above
        await asyncio.sleep(0.05)


async def measure(games: int, cycles: int) -> list[int]:
    """The memory after each cycle."""
    registry_module._ROUND = 0.2
    found = []
    async with open_registry() as registry:
        for _ in range(cycles):
            await play(registry, games)
            gc.collect()
            found.append(memory_kib())
    return found


def main(games: str = "200", cycles: str = "3") -> None:
    register_toy()
    print(json.dumps(asyncio.run(measure(int(games), int(cycles)))))  # noqa: T201 - what it is for


if __name__ == "__main__":
    main(*sys.argv[1:])
