"""Sight, cold: from one hex to every other of a map of 64 x 48, nothing worked out before.

Ours works out the whole field with the first hex that is asked for, its tables included. The anchor is a plain exact
prototype in Python (:mod:`~sandtable.cli.bench.panzer.plain_sight`) on the same map. The ratio is its time over ours.
"""

from __future__ import annotations

from random import Random

from sandtable import catalog
from sandtable.cli.bench.measure import Budget, best_of_each, times
from sandtable.cli.bench.panzer.plain_sight import PlainMap, plain_sight
from sandtable.geo.compass import compass
from sandtable.geo.map import GameMap
from sandtable.systems.panzer.hex.sight.ground import Ground
from sandtable.systems.panzer.hex.sight.sightline import sightline

__all__ = ["big_ground", "measure"]

RUNS = 5
COLUMNS, ROWS = 64, 48
LEGEND = {"w": "woods", "b": "wood_building"}


def big_ground() -> Ground:
    """The ground of the big map, with nothing seen yet."""
    drawing = {"cells": _cells(), "legend": LEGEND}
    situation = {"system": "mbt", "map": {"drawing": drawing}, "sides": [_force("a"), _force("b")]}
    position = catalog.system("mbt").position(situation, catalog.library("mbt"), "bench")
    ground: Ground = position.ruleset.context.ground  # type: ignore[attr-defined]
    return ground


def _cells(seed: str = "64 x 48") -> str:
    """A map of 64 x 48 hexes as text: hills in blobs, woods and villages scattered."""
    rng = Random(seed)
    hills = [(rng.randrange(COLUMNS), rng.randrange(ROWS), rng.randint(3, 7)) for _ in range(14)]
    rows = []
    for y in range(ROWS):
        row = []
        for x in range(COLUMNS):
            heights = [max(0, size - max(abs(x - cx), abs(y - cy))) for cx, cy, size in hills]
            level = min(3, max(heights) // 2)
            code = rng.choices(("", "w", "b"), (0.85, 0.11, 0.04))[0]
            row.append(f"{code}{level or ''}" or ".")
        rows.append(" ".join(row))
    return "\n".join(rows)


def _force(name: str) -> dict[str, object]:
    return {"id": name, "title": name, "units": []}


def measure() -> list[Budget]:
    """One hex to the whole map."""
    ground = big_ground()
    game_map = ground.map
    middle = sorted(game_map.hexes)[len(game_map.hexes) // 2]
    plain = _plain(ground, game_map)
    there = [hex for hex in game_map.hexes if hex != middle]

    def ours() -> int:
        compass.cache_clear()
        sightline.cache_clear()
        return sum(ground.sees(middle, hex) for hex in there)

    def anchor() -> int:
        return sum(plain_sight(plain, middle, hex) for hex in there)

    pairs = []
    for _ in range(RUNS):
        ground = big_ground()
        pairs.append(best_of_each(1, ours, anchor))
    quickest, theirs = min(one for one, _ in pairs), min(other for _, other in pairs)
    note = f"seconds from one hex to {len(there)} others; a plain exact prototype"
    return [times("sight, cold", quickest, theirs, floor=20, goal=50, note=note)]


def _plain(ground: Ground, game_map: GameMap) -> PlainMap:
    found: PlainMap = {}
    for hex in game_map.hexes:
        place = ground.places[hex]
        found[hex.q, hex.r] = place.height, max(0, place.obstacle - place.height)
    return found
