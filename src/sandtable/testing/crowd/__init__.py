"""Crowds: a generated game of any size with toy rules, to measure with how things grow.

Hundreds of units on one large map take turns: a unit moves (1.1), fires at an enemy near by (1.2) or holds (1.3), each
once a turn. How strong a unit is stays its owner's secret until it fires or is hit (1.4). ``crowd-600`` has 600 units
on 2,500 hexes, ``crowd-30`` has 30 on the same map. Everything is worked out from the numbers of units and hexes.
"""

from __future__ import annotations

from sandtable.testing.crowd.pieces import Fire, Hold, Leg, Move, Pass, State, Unit
from sandtable.testing.crowd.rules import CrowdRules
from sandtable.testing.crowd.system import CROWD, FEW, CrowdSystem, register

__all__ = [
    "CROWD",
    "FEW",
    "CrowdRules",
    "CrowdSystem",
    "Fire",
    "Hold",
    "Leg",
    "Move",
    "Pass",
    "State",
    "Unit",
    "register",
]
