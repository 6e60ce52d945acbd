"""ASL: exact odds of a shot at a tank with its crew exposed, beside 10,000 sampled resolutions of it.

Hit by location, To Kill, the checks of the crew and the collateral attack on it all count. The ratio is the samples'
time over ours.
"""

from __future__ import annotations

from typing import Any

from sandtable.cli.bench.aslsk.odds import odds_budget
from sandtable.cli.bench.measure import Budget
from sandtable.systems.aslsk.common.vehicle_actions import FireGun
from sandtable.systems.aslsk.pieces.armament import Ammo, TargetType
from sandtable.systems.aslsk.pieces.state import VehicleId, WeaponId
from sandtable.systems.aslsk.rules import AslskRules

__all__ = ["measure"]


def measure() -> list[Budget]:
    """The odds of a shot at a tank."""
    what = "a shot at a tank"
    return [odds_budget("exact odds at a tank, ASL", _situation(), _shot, what, floor=100, goal=300)]


def _shot(rules: AslskRules) -> FireGun:
    target = rules.context.game_map.hex("C1")
    return FireGun(target, WeaponId(""), VehicleId("p"), TargetType.VEHICLE, Ammo.AP, at="t")


def _situation() -> dict[str, Any]:
    tanks = (
        ("german", {"id": "p", "card": "german/PzKpfw IVH", "at": "C4", "vca": "N/NE"}),
        ("russian", {"id": "t", "card": "russian/T-34/85", "at": "C1", "vca": "SE/S", "exposed": True}),
    )
    return {
        "system": "aslsk3",
        "phase": "PFPh",
        "map": {"drawing": {"cells": "\n".join([". . . . ."] * 5), "shifted": "even"}},
        "sides": [{"id": side, "vehicles": [tank]} for side, tank in tanks],
    }
