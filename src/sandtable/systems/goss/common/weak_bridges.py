"""17.3.2a Bridges that may break under heavy vehicles."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core.content.rule import rule
from sandtable.geo.hex import Hex
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.crossing import crossing
from sandtable.systems.goss.common.dice import roll_d10
from sandtable.systems.goss.common.facts import BridgeHeld, BridgeLost
from sandtable.systems.goss.common.handler import Play
from sandtable.systems.goss.pieces.unit import Unit
from sandtable.systems.goss.tables.bridges import Weight

__all__ = ["heavy_over"]


@rule("17.3.2", "17.3.2a", "7.10.2", "13.5.6b", "13.11.5", "11.6.3b")
def heavy_over(play: Play, context: Context, units: Sequence[Unit], here: Hex, there: Hex) -> bool:
    """Whether heavy vehicles may go over a hexside: a weak bridge is checked, and may break under them (17.3.2a)."""
    over = crossing(context, play.state, here, there)
    weights = [context.card(unit).weight for unit in units if context.card(unit).weight]
    if not weights or not over.may_collapse:
        return True
    weight = Weight.VERY_HEAVY if Weight.VERY_HEAVY in weights else Weight.HEAVY
    bridges = context.charts.bridges
    roll = roll_d10(play, "bridge collapse", lambda die: bridges.collapses(weight, die))
    broke = bridges.collapses(weight, roll)
    play.emit(BridgeLost(over.side) if broke else BridgeHeld(over.side))
    return not broke
