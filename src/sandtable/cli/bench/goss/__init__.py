"""What is measured of GOSS: random play of the Lorn Crossing, exact odds, and what 600 units cost."""

from sandtable.cli.bench.brought import Bounds, Brought

__all__ = ["BENCH"]

BENCH = Brought(
    decisions=Bounds(0.1, 0.13),
    games=Bounds(0.13, 0.16),
    scenario="goss-0-the-lorn-crossing",
    budgets={
        "battle_odds": f"{__name__}.battle_odds",
        "front": f"{__name__}.front",
        "front_pan": f"{__name__}.front_pan",
    },
    stress={"goss-stress": f"{__name__}.stress:register"},
)
