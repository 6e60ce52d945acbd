"""What the hexes and hexsides of a map are, taken from the features that lie on them.

Later features lie on top of earlier ones: they come later in the list of a hex's terrain, and their level
and attributes hold.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from sandtable.geo.feature import Feature, Scalar
from sandtable.geo.hex import Hex, hex_at
from sandtable.geo.hexside import Hexside

__all__ = ["CLEAR", "HexFacts", "hex_facts", "named_hexes", "routes_of", "side_facts"]


class HexFacts(msgspec.Struct, frozen=True):
    """What lies in one hex: its terrain, its level, and the roads and streams through it."""

    terrain: tuple[str, ...] = ()
    """Kinds of the features that fill it, in the order in which they were drawn."""
    level: int = 0
    """Level of its ground."""
    routes: tuple[str, ...] = ()
    """Kinds of the lines that run through its centre."""
    attributes: dict[str, Scalar] = {}
    """Attributes of everything that fills it; of two with one name, that of the later feature."""


CLEAR = HexFacts()
"""A hex that no feature fills."""


class _Notes:
    """What has been found about one hex so far."""

    __slots__ = ("attributes", "level", "routes", "terrain")

    def __init__(self) -> None:
        self.terrain: dict[str, None] = {}
        self.level = 0
        self.routes: dict[str, None] = {}
        self.attributes: dict[str, Scalar] = {}


def hex_facts(features: Iterable[Feature], hexes: Iterable[Hex]) -> dict[Hex, HexFacts]:
    """The facts of every hex of ``hexes``."""
    notes: dict[Hex, _Notes | None] = dict.fromkeys(hexes)
    for feature in features:
        if feature.is_route:
            for hex in feature.hexes:
                if hex in notes:
                    note = notes[hex] = notes[hex] or _Notes()
                    note.routes[feature.kind] = None
            continue
        for hex in feature.hexes:
            if hex in notes:
                note = notes[hex] = notes[hex] or _Notes()
                note.terrain[feature.kind] = None
                note.attributes.update(feature.attributes)
                if feature.level is not None:
                    note.level = feature.level
    return {
        hex: CLEAR if note is None else HexFacts(tuple(note.terrain), note.level, tuple(note.routes), note.attributes)
        for hex, note in notes.items()
    }


def side_facts(features: Iterable[Feature]) -> dict[Hexside, tuple[str, ...]]:
    """The kinds of feature on each hexside that has any, in the order in which they were drawn."""
    found: dict[Hexside, dict[str, None]] = {}
    for feature in features:
        if not feature.is_route:
            for side in feature.sides:
                found.setdefault(side, {})[feature.kind] = None
    return {side: tuple(kinds) for side, kinds in found.items()}


def routes_of(features: Iterable[Feature]) -> dict[str, frozenset[Hexside]]:
    """For each kind of line, the hexsides across which it runs."""
    found: dict[str, set[Hexside]] = {}
    for feature in features:
        if feature.is_route:
            found.setdefault(feature.kind, set()).update(feature.sides)
    return {kind: frozenset(sides) for kind, sides in found.items()}


def named_hexes(features: Iterable[Feature], scale: int) -> dict[str, tuple[Hex, ...]]:
    """The hexes of everything that has a ``name`` attribute or a text, by that name."""
    found: dict[str, dict[Hex, None]] = {}
    for feature in features:
        name = str(feature.attributes.get("name", feature.text))
        if not name:
            continue
        hexes = found.setdefault(name, {})
        hexes.update(dict.fromkeys(feature.hexes))
        if feature.at is not None and (hex := hex_at(feature.at[0] // scale, feature.at[1] // scale)) is not None:
            hexes[hex] = None
    return {name: tuple(hexes) for name, hexes in found.items()}
