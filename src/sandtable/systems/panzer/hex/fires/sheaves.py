"""6.5.1.5 SHEAF Patterns on hexes, and what lies in them."""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.geo.hex import DIRECTION_NAMES, DIRECTIONS, Hex, disk
from sandtable.geo.map import GameMap
from sandtable.systems.panzer.features import FeatureKind
from sandtable.systems.panzer.fires.missions import Mission, MissionKind, Pattern, sheaf_of
from sandtable.systems.panzer.hex.features import Feature
from sandtable.systems.panzer.hex.state import State, Unit

__all__ = ["area", "area_of", "caught", "clouds", "fire_words", "sheaf_words"]

BOOK = ("panzer-na",)
_RADIUS = {Pattern.ON_MAP: 0, Pattern.CLOSED: 1, Pattern.OPEN: 2}
_LINE = 6
"""Hexes that a Closed Linear SHEAF runs out from its Target Point."""


@rule("6.5.1.5", editions=BOOK)
def area(game_map: GameMap, target: Hex, pattern: Pattern, way: int = -1) -> tuple[Hex, ...]:
    """The hexes of the mapboard that a pattern covers, the Target Point among them (6.5.1.5)."""
    if pattern is Pattern.LINEAR:
        step = DIRECTIONS[way]
        found = [Hex(target[0] + step[0] * out, target[1] + step[1] * out) for out in range(_LINE + 1)]
    else:
        found = list(disk(target, _RADIUS[pattern]))
    return tuple(hex for hex in found if hex in game_map)


def area_of(game_map: GameMap, state: State, mission: Mission[Hex], source: str) -> tuple[Hex, ...]:
    """The hexes that one source of a mission covers: a unit on the map the Target Point alone (6.5.1.5)."""
    pattern = Pattern.ON_MAP if source in state.units else mission.pattern
    return area(game_map, mission.target, pattern, mission.way)


def sheaf_words(pattern: Pattern, way: int = -1) -> str:
    """A pattern for people."""
    if pattern is Pattern.ON_MAP:
        return "the Target Point alone"
    return f"{pattern.value} SHEAF" + (f" to {DIRECTION_NAMES[way]}" if way >= 0 else "")


def fire_words(kind: MissionKind, pattern: Pattern, way: int) -> tuple[str, str, str]:
    """Key, kind and words of the choice to fire something in a pattern."""
    towards = f" to {DIRECTION_NAMES[way]}" if way >= 0 else ""
    return f"{kind.value}, {pattern.value}{towards}", "fire", f"{kind.value}, {sheaf_words(pattern, way)}"


@rule("6.5.1", "6.5.1.7", editions=BOOK)
def caught(state: State, hexes: tuple[Hex, ...]) -> tuple[Unit, ...]:
    """The units in an area, of both forces, spotted or not; passengers are struck with their vehicle (6.5.1)."""
    inside = frozenset(hexes)
    there = (unit for _, unit in sorted(state.units.items()) if unit.in_play and unit.hex in inside)
    return tuple(unit for unit in there if not unit.markers.carrier)


@rule("6.1.4.3.10", "6.5.1.6.1", editions=BOOK)
def clouds(mission: Mission[Hex], hexes: tuple[Hex, ...]) -> tuple[Feature, ...]:
    """The Barrage of a mission, with the Smoke if it fires that: they hinder from the next step on (6.1.4.3.10).

    All of it is one occurrence, for which Smoke counts before the Barrage (5.11, 6.5.2.4).
    """
    if mission.kind is MissionKind.ILLUMINATION:
        return ()
    kinds = (FeatureKind.BARRAGE, FeatureKind.SMOKE) if mission.kind is MissionKind.SMOKE else (FeatureKind.BARRAGE,)
    sheaf = sheaf_of(mission.pattern)
    return tuple(Feature(kind, hex, sheaf=sheaf, source=mission.id, fresh=True) for kind in kinds for hex in hexes)
