"""6.1.4.3.12 Dust: where a vehicle raises it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from sandtable.core.content.rule import rule
from sandtable.geo.hex import Hex
from sandtable.systems.panzer.features import FeatureKind
from sandtable.systems.panzer.hex.features import Feature
from sandtable.systems.panzer.hex.sight.survey import Survey
from sandtable.systems.panzer.terrain import Placement

__all__ = ["dust_of"]


@rule("6.1.4.3.12", editions=("panzer-na",))
def dust_of(
    survey: Survey, path: Sequence[Hex], spent: int, allowance: int, *, minimum: bool = False
) -> tuple[Feature, ...]:
    """The DUST/ON counters of a vehicle's whole move along hexes, that of its start included (6.1.4.3.12)

    It must spend half of its allowance or more, rounded down, or make the ``minimum`` move of one hex (4.5.1.1.3).
    Each counter lies in the hex that it leaves for dry ground, and hinders from the end of the player step.
    """
    if spent < allowance // 2 and not minimum:
        return ()
    left = dict.fromkeys(here for here, entered in pairwise(path) if here != entered and _is_dusty(survey, entered))
    return tuple(Feature(FeatureKind.DUST, hex, fresh=True) for hex in left)


def _is_dusty(survey: Survey, hex: Hex) -> bool:
    """Whether the hex is one of those that raise Dust; a road or path through it is what it counts as."""
    table = survey.tables["dust"]
    known = table.axes[0].values
    routes = {kind for way in range(6) for kind in survey.routes_through(hex, way)}
    rated = [kind for kind in routes if survey.terrain[kind].placement is Placement.ROUTE and survey.terrain[kind].rate]
    kinds = rated or survey.places[hex].terrain
    return all(kind in known and table.number(kind) for kind in kinds)
