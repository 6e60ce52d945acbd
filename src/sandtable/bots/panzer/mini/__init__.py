"""How bots think about Panzer miniatures: shots by what they are worth, orders, ways towards objectives, turrets."""

from __future__ import annotations

from typing import Any

from sandtable.bots.panzer.mini.commander import MiniDoctrine
from sandtable.core.ruleset import Ruleset

__all__ = ["doctrine"]


def doctrine(ruleset: Ruleset[Any, Any, Any]) -> MiniDoctrine:
    """The doctrine of the miniatures."""
    return MiniDoctrine(ruleset)
