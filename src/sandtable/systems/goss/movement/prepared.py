"""5.2.1, 5.2.2 Who may enter Prepared Assault mode."""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.state import State
from sandtable.systems.goss.movement.fuel import prepares_on
from sandtable.systems.goss.movement.marches import Marches
from sandtable.systems.goss.movement.road_stacking import overstack_in
from sandtable.systems.goss.pieces.card import MovementClass
from sandtable.systems.goss.pieces.unit import Mode, Supply, Unit

__all__ = ["may_prepare"]

_MODES = (Mode.TAC, Mode.PREPARED_ASSAULT)
_WORN_OUT = 2


@rule("5.2.1")
def may_prepare(context: Context, state: State, marches: Marches, unit: Unit) -> bool:
    """Whether a unit may be put into PA mode (5.2.1).

    How many assaults there are ammunition for is seen to in the Adjustment Segment (16.3.3; ruling B-102).
    """
    card = context.card(unit)
    if unit.hex is None or unit.mode not in _MODES or card.is_artillery or card.is_headquarters:
        return False
    if unit.supply is Supply.OUT or unit.fatigue >= _WORN_OUT or unit.is_out_of_command:
        return False
    if card.movement is MovementClass.STATIC or not prepares_on(context, state, (unit,)):
        return False
    if not marches.may_close_in(state, unit):
        return False
    return not overstack_in(context, context.deployment(state).at(unit.hex), unit.hex)
