"""21.4.0 Withdrawals: units that a scenario takes out of the game leave it as soon as they can."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.geo.hex import Hex
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.handler import Fact, Play
from sandtable.systems.goss.common.state import State, with_units
from sandtable.systems.goss.movement.fuel import is_mech
from sandtable.systems.goss.movement.marches import Marches
from sandtable.systems.goss.pieces.unit import Box, Unit, UnitId

__all__ = ["WITHDRAWAL_FOLDS", "Withdrawn", "is_due", "may_leave_from", "withdraw"]


class Withdrawn(Fact, frozen=True):
    """A unit left the game by order of the scenario (21.4.0)."""

    unit: UnitId

    def sentence(self, context: Context) -> str:
        """Who."""
        return f"{context.title(self.unit)} is withdrawn."


def _withdrawn(state: State, event: Withdrawn) -> State:
    return with_units(state, replace(state.units[event.unit], hex=None, box=Box.WITHDRAWN))


WITHDRAWAL_FOLDS: Mapping[type, Callable[[Any, Any], Any]] = {Withdrawn: _withdrawn}


def is_due(context: Context, state: State, unit: Unit) -> bool:
    """Whether a unit is to leave the game."""
    orders = context.scenario.withdrawals
    return any(order.turn <= state.at.turn and unit.id in order.units for order in orders)


@rule("21.4.0")
def may_leave_from(context: Context, state: State, unit: Unit, hex: Hex) -> bool:
    """Whether a unit is taken off the map from a hex: in general supply, and next to no enemy (21.4.0)."""
    if context.deployment(state).is_adjacent(hex, context.other(unit.side)):
        return False
    vehicles = is_mech(context.card(unit))
    return hex in context.room(Marches).reached(state, unit.side, is_mech=vehicles)


@rule("21.4.0")
def withdraw(play: Play, context: Context, player: Seat) -> None:
    """Take off who is due and can leave; who has not come yet stays away (21.4.0)."""
    for unit in list(play.state.units.values()):
        if unit.side != player or not is_due(context, play.state, unit):
            continue
        is_away = unit.hex is None and unit.box is Box.COMING
        if is_away or (unit.hex is not None and may_leave_from(context, play.state, unit, unit.hex)):
            play.emit(Withdrawn(unit.id))
