"""What is measured of the ASL Starter Kit: sight beside VASL's, exact odds of fire, looks ahead."""

from sandtable.cli.bench.brought import Bounds, Brought, Looks, Played

__all__ = ["BENCH"]

BENCH = Brought(
    # Infantry alone, as before there were Guns and vehicles; then a card with both.
    decisions=Bounds(0.38, 0.4),
    games=Bounds(0.36, 0.37),
    scenario="sk-4-tools-of-the-trade",
    besides=(Played("s23-montys-gamble", Bounds(0.1, 0.13), Bounds(0.1, 0.13)),),
    looks=Looks("sk-2-the-second-wave", Bounds(1.5, 2), passed=60, asked=20),
    budgets={
        "sight_pairs": f"{__name__}.sight_pairs",
        "fire_odds": f"{__name__}.fire_odds",
        "shot_odds": f"{__name__}.shot_odds",
    },
)
