"""What hinders fire along a line and does not block it: Fire, Smoke, Barrages, Dust, the sun (5.11, 6.1.4.3).

Brew-Up Smoke is counted by :mod:`~sandtable.systems.panzer.hex.sight.smoke`.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.geo.hex import NEIGHBOURS, Hex, distance
from sandtable.geo.map import Edge, GameMap
from sandtable.geo.sight import Hindrance
from sandtable.systems.panzer.combat.hindrances import Met, coexisting
from sandtable.systems.panzer.facts import CLEAR, Hindrances
from sandtable.systems.panzer.features import HINDERING
from sandtable.systems.panzer.hex.features import Feature
from sandtable.systems.panzer.hex.sight.los import LineOfSight
from sandtable.systems.panzer.hex.sight.sightline import sightline
from sandtable.systems.panzer.hex.sight.survey import Survey

__all__ = ["clouds_on", "hindrances_on", "sun_blinds", "with_hindrances"]

_BOOK = ("panzer-na",)


@rule("6.1.4.3.5", "6.1.4.3.10", "6.1.4.3.12", editions=_BOOK)
def _hindering(
    survey: Survey, features: Iterable[Feature], a: Hex, b: Hex, heights: tuple[int, int]
) -> dict[Hex, list[Feature]]:
    """The counters on a line by their hexes, in order from ``a`` (6.1.4.3.5, 6.1.4.3.10, 6.1.4.3.12)

    They count in the hexes of both ends; between these only if they rise above the lower one of the two. What came
    about in the current player step does not hinder yet.
    """
    found: dict[Hex, list[Feature]] = {}
    lying = [feature for feature in features if feature.kind in HINDERING and not feature.fresh]
    if not lying:
        return found
    stations = sightline(b[0] - a[0], b[1] - a[1]).stations
    for hex in (a + there for station in stations for there in station):
        for feature in lying:
            if feature.hex == hex and (hex in (a, b) or _top(survey, feature) > min(heights)):
                found.setdefault(hex, []).append(feature)
    return found


def _top(survey: Survey, feature: Feature) -> int:
    """How high a cloud reaches."""
    return survey.places[feature.hex].height + survey.tables["hindrance_heights"].number(feature.kind.value)


def hindrances_on(survey: Survey, features: Iterable[Feature], a: Hex, b: Hex, heights: tuple[int, int]) -> Hindrances:
    """What hinders fire from ``a`` to ``b`` between units at these Heights, and how often (5.11, 6.5.2.4)."""
    found = _hindering(survey, features, a, b, heights)
    if not found:
        return CLEAR
    return coexisting(([_met(feature) for feature in there] for there in found.values()), survey.tables)


def clouds_on(survey: Survey, features: Iterable[Feature], a: Hex, b: Hex, heights: tuple[int, int]) -> frozenset[Met]:
    """The occurrences of Smoke, Barrages, Fire and Dust on a line, each once (6.5.1.12.1)."""
    found = _hindering(survey, features, a, b, heights)
    return frozenset(_met(feature) for there in found.values() for feature in there)


def _met(feature: Feature) -> Met:
    """Smoke and Barrages of one mission are one occurrence, all else one for each hex."""
    return Met(feature.kind, feature.sheaf, feature.source or str(tuple(feature.hex)))


def with_hindrances(sight: LineOfSight, survey: Survey, features: Iterable[Feature]) -> LineOfSight:
    """The line with the counters on it that hinder (6.1.4.3)."""
    found = _hindering(survey, features, sight.a, sight.b, (sight.height_a, sight.height_b))
    table = survey.tables.get("terrain_counters")
    if not found or table is None:
        return sight
    told = tuple(
        Hindrance(hex, feature.kind.value, str(table.lookup(feature.kind.value, "rule")))
        for hex, there in found.items()
        for feature in there
    )
    return replace(sight, hindrances=(*sight.hindrances, *told))


@rule("6.1.4.3.13", editions=_BOOK)
def sun_blinds(game_map: GameMap, edge: Edge, a: Hex, b: Hex) -> bool:
    """Whether the line from a firer to a target, drawn on, leaves the mapboard over the edge of the sun (6.1.4.3.13)"""
    if a == b:
        return False
    step = b - a
    far = b
    while far in game_map or distance(b, far) == 0:
        far = far + step
    stations = [[b + there for there in station] for station in sightline(far[0] - b[0], far[1] - b[1]).stations]
    for here, beyond in pairwise(stations):
        out = [
            (hex, NEIGHBOURS[hex].index(there))
            for hex in here
            for there in beyond
            if hex in game_map and there not in game_map and there in NEIGHBOURS[hex]
        ]
        if out:
            return any(edge in game_map.exits[hex].get(way, ()) for hex, way in out)
    return False
