"""7.2, 7.6.2, 7.8-7.11, 17.2 The Movement Terrain Effects Chart: what hexes, roads and watercourses cost.

Movement points are counted in sixths, so that a half, a third and one and a half are all whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum

import msgspec

from sandtable.core.content.table import Key
from sandtable.core.errors import Faults
from sandtable.systems.goss.tables.reading import TERRAIN, Tables, entries, shaped, tried

__all__ = ["ONE_MP", "Cost", "Costs", "Crossing", "Special", "dearest", "mp_text", "read_costs", "together"]

ONE_MP = 6
"""Sixths of a movement point."""
_CLASSES = ("Leg", "Mech")
_ROADS = ("primary_road", "secondary_road", "trail", "railroad")
_CLEAR = "clear"
_ROAD_USES = ("Leg", "Mech road", "Mech road in clear")
_WATERCOURSES = ("stream", "river", "major_river", "great_river")
_EXTRAS = ("adjacent enemy", "night", "constricted", "embankment", "own Ft Area", "overrun", "joins a Mech unit")


class Special(StrEnum):
    """A cost that is no number."""

    ALL = "all"
    """The whole allowance."""
    PROHIBITED = "prohibited"


Cost = int | Special


class Crossing(StrEnum):
    """How a watercourse is crossed (7.6.2, 7.10.2, 7.11.0, 17.2)."""

    LEG = "Leg"
    LEG_BRIDGE = "Leg bridge"
    LEG_FORD = "Leg ford"
    LEG_FERRY = "Leg ferry"
    MECH = "Mech"
    MECH_FORD = "Mech ford"
    MECH_BRIDGE = "Mech bridge"
    ROAD_BRIDGE = "road bridge"
    ROAD_FORD = "road ford"


def dearest(costs: Iterable[Cost]) -> Cost:
    """The highest of several costs; nothing is dearer than what is prohibited."""
    return max(costs, key=_rank)


def together(costs: Iterable[Cost]) -> Cost:
    """Costs added up: one that takes all takes all, and one that is prohibited forbids (7.2.0)."""
    given = list(costs)
    for special in (Special.PROHIBITED, Special.ALL):
        if special in given:
            return special
    return sum(cost for cost in given if isinstance(cost, int))


def _rank(cost: Cost) -> tuple[int, int]:
    if isinstance(cost, int):
        return 0, cost
    return (1, 0) if cost is Special.ALL else (2, 0)


_FRACTIONS = {0: "", 1: "1/6", 2: "1/3", 3: "1/2", 4: "2/3", 5: "5/6"}


def mp_text(cost: Cost) -> str:
    """A cost as players write it, e.g. ``1 1/2``."""
    if not isinstance(cost, int):
        return "all MP" if cost is Special.ALL else "prohibited"
    whole, rest = divmod(cost, ONE_MP)
    fraction = _FRACTIONS[rest]
    return f"{whole} {fraction}".strip() if whole or not fraction else fraction


class Costs(msgspec.Struct, frozen=True):
    """The chart."""

    terrain: Mapping[tuple[str, str], Cost]
    """By terrain and class; nothing where the other terrain of the hex decides."""
    roads: Mapping[tuple[str, str], int]
    water: Mapping[tuple[str, Crossing], Cost]
    extras: Mapping[tuple[str, str], Cost]

    def hex_cost(self, terrain: Iterable[str], movement_class: str) -> Cost:
        """What a hex costs off the roads: its dearest terrain, clear where there is none that decides."""
        known = [self.terrain[kind, movement_class] for kind in terrain if (kind, movement_class) in self.terrain]
        return dearest(known) if known else self.terrain["clear", movement_class]

    def road_cost(self, road: str, movement_class: str, *, in_clear: bool = False) -> int:
        """What a hex costs that is entered along a road: of a clear hex less, where it lies on a trail."""
        if movement_class == "Leg":
            return self.roads[road, "Leg"]
        return self.roads[road, "Mech road in clear" if in_clear else "Mech road"]

    @property
    def open_road(self) -> int:
        """What a dry clear hex costs that Mech road movement takes as a road (7.10.0)."""
        return self.roads["clear", "Mech road in clear"]

    def water_cost(self, watercourse: str, crossing: Crossing) -> Cost:
        """What a watercourse costs besides the hex beyond it."""
        return self.water[watercourse, crossing]

    def extra_cost(self, cause: str, movement_class: str) -> Cost:
        """What something else costs besides hex and hexside."""
        return self.extras[cause, movement_class]


def read_costs(tables: Tables) -> Costs:
    """The chart of a pack; raise :class:`BadInput` with every fault."""
    faults = Faults()

    def chart(name: str, axes: Mapping[str, Sequence[Key]], whole: Sequence[str]) -> dict[tuple[str, str], Cost]:
        return tried(faults, lambda: _costs(tables, name, axes, whole))

    terrain = chart("terrain_costs", {"terrain": TERRAIN, "class": _CLASSES}, ("clear",))
    roads = chart("road_costs", {"road": (*_ROADS, _CLEAR), "use": _ROAD_USES}, _ROADS)
    water = chart("watercourse_costs", {"watercourse": _WATERCOURSES, "use": tuple(Crossing)}, _WATERCOURSES)
    extras = chart("movement_extras", {"cause": _EXTRAS, "class": _CLASSES}, _EXTRAS)
    for (road, use), cost in roads.items():
        if not isinstance(cost, int):
            faults.add(f"table road_costs: {road}, {use}", f"{cost}", "sixths of a movement point")
    if roads and (_CLEAR, _ROAD_USES[2]) not in roads:
        faults.add(f"table road_costs: {_CLEAR}, {_ROAD_USES[2]}", "nothing", "sixths of a movement point")
    faults.check()
    return Costs(
        terrain=terrain,
        roads={keys: cost for keys, cost in roads.items() if isinstance(cost, int)},
        water={(kind, Crossing(use)): cost for (kind, use), cost in water.items()},
        extras=extras,
    )


def _costs(
    tables: Tables, name: str, axes: Mapping[str, Sequence[Key]], whole: Sequence[str]
) -> dict[tuple[str, str], Cost]:
    """The costs of a table; rows of ``whole`` may leave nothing out."""
    table = shaped(tables, name, axes)
    faults = Faults(table.place)
    found: dict[tuple[str, str], Cost] = {}
    for keys, cell in entries(table):
        row, use = map(str, keys)
        if isinstance(cell, int) and cell >= 0:
            found[row, use] = cell
        elif cell in tuple(Special):
            found[row, use] = Special(str(cell))
        elif cell is not None or row in whole:
            faults.add(
                f"{row}, {use}", f"{cell!r} is no cost", "sixths of a movement point, all, prohibited or nothing"
            )
    faults.check()
    return found
