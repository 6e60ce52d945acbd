"""15 Supply in its short form: who has a free path to a source on the edge of the map is in general supply.

Who has none lives on what he carries (15.5.2) until he has used it up; who has, besides, no friend in supply within
three hexes is isolated (15.7.0), and may surrender once he is out of supply (15.7.1). HQs are units like others here
(ruling B-30).
"""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.geo.hex import distance
from sandtable.systems.goss.common.checks import CHECKED, surrender
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.facts import Isolated, SupplyBecame
from sandtable.systems.goss.common.fog import owner_if_hidden
from sandtable.systems.goss.common.handler import Frame, Play, SegmentHandler
from sandtable.systems.goss.common.state import State
from sandtable.systems.goss.movement.fuel import is_mech
from sandtable.systems.goss.movement.marches import Marches
from sandtable.systems.goss.pieces.unit import Supply, Unit
from sandtable.systems.goss.turn.segments import Step

__all__ = ["SupplyCheck", "SupplyHandler", "SurrenderCheck", "SurrenderHandler"]

_NEAR = 3
_IN_GENERAL = (Supply.GENERAL, Supply.EXTENDED)
_GRACE = 3
"""Game turns in which reinforcements are supplied wherever they are (21.0)."""


class SupplyCheck(Frame, frozen=True):
    """Nobody is asked: supply is found to reach a unit, or not."""


class SurrenderCheck(Frame, frozen=True):
    """Nobody is asked: dice decide."""


class SupplyHandler(SegmentHandler[SupplyCheck]):
    """3.3.2g, 15.1.1 The Supply Determination Segment; a side without sources, and a Fort, are as they were given."""

    frame, step = SupplyCheck, Step.SUPPLY

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._marches = context.room(Marches)

    @rule("3.3.2g")
    def begin(self, play: Play, player: Seat) -> None:
        """First whom supply reaches, then who is isolated."""
        if not self.context.scenario.sources[player]:
            return
        mine = [
            unit
            for unit in play.state.units.values()
            if unit.side == player and unit.hex is not None and not self.context.card(unit).is_fort
        ]
        for unit in mine:
            supply = self._supply(play.state, unit)
            if supply is not unit.supply:
                play.emit(SupplyBecame(unit.id, supply, owner=owner_if_hidden(self.context, play.state, unit.id)))
        for unit in (play.state.units[one.id] for one in mine):
            is_isolated = self._is_isolated(play.state, unit)
            if is_isolated is not unit.is_isolated:
                play.emit(Isolated(unit.id, is_isolated, owner=owner_if_hidden(self.context, play.state, unit.id)))

    @rule("21.0")
    def _supply(self, state: State, unit: Unit) -> Supply:
        """General supply by a path, or in the first game turns on the map (21.0); else what the unit has left."""
        is_new = 0 <= unit.arrived > state.at.turn - _GRACE
        vehicles = is_mech(self.context.card(unit))
        if is_new or unit.hex in self._marches.reached(state, unit.side, is_mech=vehicles):
            return Supply.EXTENDED if unit.supply is Supply.EXTENDED else Supply.GENERAL
        return Supply.ON_HAND if unit.supply in _IN_GENERAL else unit.supply

    def _is_isolated(self, state: State, unit: Unit) -> bool:
        """Whether no path leads to a unit and no friend in general supply is within three hexes (15.7.0)."""
        if unit.supply in _IN_GENERAL or unit.hex is None:
            return False
        friends = (one for one in state.units.values() if one.side == unit.side and one.supply in _IN_GENERAL)
        return not any(one.hex is not None and distance(one.hex, unit.hex) <= _NEAR for one in friends)


class SurrenderHandler(SegmentHandler[SurrenderCheck]):
    """3.3.1c, 15.7.1 The Surrender Segment: in the morning all who are isolated and out of supply check."""

    frame, step = SurrenderCheck, Step.SURRENDER
    folds = CHECKED

    @rule("3.3.1c")
    def begin(self, play: Play, player: Seat) -> None:  # noqa: ARG002
        """Both sides."""
        surrender(play, self.context, list(play.state.units.values()), is_morning=True)
