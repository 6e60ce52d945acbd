"""What features of a table must lie on: a bridge on water, a slope on the edge of a hill."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from sandtable.core.errors import Faults
from sandtable.geo.feature import Feature
from sandtable.geo.shapes.polygon import Polygon, Relation, segment_and_polygon, shares_area

__all__ = ["Footing", "check_footings"]


class Footing(msgspec.Struct, frozen=True):
    """What a kind of feature must lie on; nothing where a field is empty."""

    over: frozenset[str] = frozenset()
    """It has area in common with a feature of one of these kinds."""
    edge_of: frozenset[str] = frozenset()
    """The outline of a feature of one of these kinds runs through it."""


def check_footings(features: Sequence[Feature], footings: Mapping[str, Footing], faults: Faults) -> None:
    """Note every feature that lies on nothing of what it must."""
    for index, feature in enumerate(features):
        footing = footings.get(feature.kind)
        if footing is None or not feature.outline:
            continue
        where = f"features[{index}]"
        if footing.over and not any(
            other.kind in footing.over and other.outline and shares_area(feature.outline, other.outline)
            for other in features
        ):
            faults.add(where, f"a {feature.kind} that lies on no {_words(footing.over)}", "one that it crosses")
        if footing.edge_of and not any(
            other.kind in footing.edge_of and other.outline and _runs_through(other.outline, feature.outline)
            for other in features
        ):
            faults.add(where, f"a {feature.kind} on no edge of a {_words(footing.edge_of)}", "one that it crosses")


def _runs_through(edges: Polygon, figure: Polygon) -> bool:
    """Whether an outline runs inside another, or along an edge of it."""
    relations = (segment_and_polygon(edges[index - 1], corner, figure) for index, corner in enumerate(edges))
    return any(relation in (Relation.CROSSES, Relation.ALONG) for relation in relations)


def _words(kinds: frozenset[str]) -> str:
    return " or ".join(kind.replace("_", " ") for kind in sorted(kinds))
