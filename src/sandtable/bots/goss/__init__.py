"""How bots think about GOSS: where the front is, who moves up, who attacks at which ratio, who is held back."""

from __future__ import annotations

from typing import Any

from sandtable.bots.goss.commander import GossDoctrine
from sandtable.core.ruleset import Ruleset

__all__ = ["doctrine"]


def doctrine(ruleset: Ruleset[Any, Any, Any]) -> GossDoctrine:
    """The doctrine of GOSS."""
    return GossDoctrine(ruleset)
