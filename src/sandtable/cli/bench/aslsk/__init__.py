"""What is measured of the ASL Starter Kit: sight beside VASL's, exact odds of fire, looks ahead."""

from sandtable.cli.bench.brought import Bounds, Brought, Looks

__all__ = ["BENCH"]

BENCH = Brought(
    looks=Looks("sk-2-the-second-wave", Bounds(6, 10), passed=60, asked=20),
    budgets={"sight_pairs": f"{__name__}.sight_pairs", "fire_odds": f"{__name__}.fire_odds"},
)
