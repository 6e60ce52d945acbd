"""How bots think about the Panzer family on hexes: objectives, fields of fire, cover, concentration, withdrawal.

:func:`doctrine` is what :mod:`sandtable.bots.doctrine` looks for; each module beside it has one subject.
"""

from __future__ import annotations

from typing import Any

from sandtable.bots.panzer.combined.commander import CombinedArms
from sandtable.bots.panzer.commander import PanzerDoctrine
from sandtable.core.ruleset import Ruleset
from sandtable.systems.panzer.hex.context import Context

__all__ = ["doctrine"]


def doctrine(ruleset: Ruleset[Any, Any, Any]) -> PanzerDoctrine:
    """The doctrine of a ruleset of this family: of its Basic Game, or of combined arms."""
    context: Context = ruleset.context  # type: ignore[attr-defined]
    return CombinedArms(ruleset) if context.is_advanced else PanzerDoctrine(ruleset)
