"""11.2.4, 11.5, 11.6.0, 11.8.0 The charts of fire support: capacity, DRM of groups A, C, D, E, results, depletion.

Group B, defensive works, stands with what else works do (``works``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from sandtable.core.content.rule import rule
from sandtable.core.content.table import Key
from sandtable.core.errors import Faults
from sandtable.core.modifier import Modifier
from sandtable.systems.goss.tables.reading import TERRAIN, Tables, modifiers, numbers, shaped, tried

__all__ = ["NOTHING_HIT", "FireResult", "FireSupport", "read_fire_support"]

_LOWEST, _HIGHEST = 7, 23
_DENSEST = 7
_CAPACITIES = ("light", "medium", "heavy")
_GUNNERS = ("US", "other Allied", "Axis")
_AIR = "ground support"
_ARMOUR = ("none", "mixed", "pure")
_OTHER = (
    "vantage_point",
    "night",
    "unobserved",
    "strategic",
    "rockets",
    "massed_rockets",
    "battleship",
    "naval_overcast_rain",
    "naval_overcast",
    "naval_partial_rain",
)
_DEPLETION = ("later_volley", "all_rockets", "extended")


class FireResult(msgspec.Struct, frozen=True):
    """What volleys do (11.6.0)."""

    shifts: int = 0
    """AS hits."""
    hits: int = 0
    """Numerical hits."""

    def __add__(self, other: FireResult) -> FireResult:
        return FireResult(self.shifts + other.shifts, self.hits + other.hits)

    def __str__(self) -> str:
        shifts = f"{self.shifts if self.shifts > 1 else ''}AS" if self.shifts else ""
        return f"{shifts}{self.hits or ''}" or "no effect"


NOTHING_HIT = FireResult()


class FireSupport(msgspec.Struct, frozen=True):
    """The charts."""

    results: Mapping[int, FireResult]
    guns: Mapping[tuple[str, str], int]
    """Artillery units of a mission by capacity and whose they are; a vantage point gives one more (11.2.4)."""
    ground_support: Mapping[str, int]
    """Air missions on one hex by capacity (11.4.3)."""
    terrain: Mapping[str, int]
    """Group A (11.5.1)."""
    armour: Mapping[str, int]
    """Group C: none, mixed or pure (11.5.3)."""
    densities: Mapping[int, int]
    other: Mapping[str, Modifier]
    """Group E (11.5.5)."""
    depletion: Mapping[str, Modifier]
    """DRM of the check for ammunition (11.8.0)."""

    @rule("11.6.0")
    def result(self, fsv: int) -> FireResult:
        """What a volley of this FSV does: nothing at 7 or less, four hits at 23 or more (11.6.0)."""
        return self.results[max(_LOWEST, min(_HIGHEST, fsv))]

    def density(self, steps: int) -> int:
        """Group D by the steps in the target hex (11.5.4)."""
        return self.densities[min(steps, _DENSEST)]


def read_fire_support(tables: Tables) -> FireSupport:
    """The charts of a pack; raise :class:`BadInput` with every fault."""
    faults = Faults()
    values, steps = tuple(range(_LOWEST, _HIGHEST + 1)), tuple(range(_DENSEST + 1))

    def chart(name: str, axes: Mapping[str, Sequence[Key]]) -> dict[tuple[Key, ...], int]:
        return tried(faults, lambda: numbers(shaped(tables, name, axes)))

    results = chart("fire_results", {"fsv": values, "field": ("shifts", "hits")})
    capacity = chart("mission_capacity", {"capacity": _CAPACITIES, "who": (*_GUNNERS, _AIR)})
    terrain = chart("fire_terrain_drm", {"terrain": TERRAIN})
    armour = chart("fire_armour_drm", {"armour": _ARMOUR})
    density = chart("fire_density_drm", {"steps": steps})
    other = tried(faults, lambda: modifiers(tables, "fire_other_drm", _OTHER))
    depletion = tried(faults, lambda: modifiers(tables, "depletion_drm", _DEPLETION))
    faults.check()
    return FireSupport(
        results={fsv: FireResult(results[fsv, "shifts"], results[fsv, "hits"]) for fsv in values},
        guns={(one, gunners): capacity[one, gunners] for one in _CAPACITIES for gunners in _GUNNERS},
        ground_support={one: capacity[one, _AIR] for one in _CAPACITIES},
        terrain={kind: terrain[kind,] for kind in TERRAIN},
        armour={one: armour[one,] for one in _ARMOUR},
        densities={count: density[count,] for count in steps},
        other=other,
        depletion=depletion,
    )
