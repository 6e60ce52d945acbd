"""What is measured of Panzer: forces of any size, odds of Advanced fire, and sight over a map that fills a table."""

from collections.abc import Mapping
from typing import Any

from sandtable.cli.bench.brought import Bounds, Brought, Looks, Played

__all__ = ["MBT", "MINIATURES", "NORTH_AFRICA"]


def crowd(draft: Mapping[str, Any], units: int) -> dict[str, Any]:
    """A scenario whose forces have copies of their vehicles, until there are so many."""
    sides = draft["sides"]
    return {**draft, "sides": [_filled(side, units // len(sides)) for side in sides]}


def _filled(side: Mapping[str, Any], wanted: int) -> dict[str, Any]:
    own = side["units"]
    copies = [{**own[n % len(own)], "id": f"{own[n % len(own)]['id']}-{n}"} for n in range(len(own), wanted)]
    return {**side, "units": [*own, *copies]}


NORTH_AFRICA = Brought(
    decisions=Bounds(0.65, 1),
    games=Bounds(0.5, 1),
    scenario="na-brigade-clash",
    besides=(Played("na-adv-breakthrough", Bounds(0.08, 0.1), Bounds(0.03, 0.1)),),
    looks=Looks("na-a-patrol-at-tamrad", Bounds(15, 25), passed=0, asked=40),
    crowd=crowd,
    budgets={"advanced_odds": f"{__name__}.advanced_odds"},
)
MBT = Brought(
    decisions=Bounds(0.45, 1),
    games=Bounds(0.8, 1),
    crowd=crowd,
    budgets={"sight_cold": f"{__name__}.sight_cold", "sight_warm": f"{__name__}.sight_warm"},
)
MINIATURES = Brought(
    decisions=Bounds(0.1, 0.3),
    games=Bounds(0.05, 0.3),
    scenario="pm-1-the-bridge",
    budgets={"mini_sight": f"{__name__}.mini_sight"},
)
