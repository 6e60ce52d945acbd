"""What lies between two hexes: roads, water, and whether a bridge still stands (7.10.2, 17.3.2)."""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.geo.hex import Hex
from sandtable.geo.hexside import SIDES, Hexside, hexes_of, side_between
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.state import BridgeKind, State
from sandtable.systems.goss.ground.kinds import Road, Water

__all__ = ["Crossing", "crossing"]

_RIVERS = frozenset((Water.RIVER, Water.MAJOR_RIVER, Water.GREAT_RIVER))
_MAJOR = frozenset((Water.MAJOR_RIVER, Water.GREAT_RIVER))


class Crossing:
    """The hexside between two hexes as it is now."""

    __slots__ = ("has_bridge", "has_ford", "is_marker", "is_proven", "road", "side", "water")

    def __init__(self, context: Context, state: State, side: Hexside) -> None:
        ground = context.ground
        changes = [one.kind for one in state.bridges if one.side == side]
        self.side = side
        self.water: Water | None = ground.water.get(side)
        self.has_ford = side in ground.fords
        self.is_marker = BridgeKind.BUILT in changes
        """Whether the bridge is a marker (17.3.1)."""
        self.has_bridge = self.is_marker or (side in ground.bridges and BridgeKind.DOWN not in changes)
        self.is_proven = BridgeKind.PROVEN in changes
        self.road: Road | None = ground.roads.get(side)
        """The road across it; none over water without a bridge or a ford."""
        if self.water is not None and not (self.has_bridge or self.has_ford):
            self.road = None
        elif self.is_marker and self.road is None:
            self.road = _joined(context, side)

    @property
    def is_river(self) -> bool:
        """Any river; a stream is none."""
        return self.water in _RIVERS

    @property
    def is_major(self) -> bool:
        """A major or a great river."""
        return self.water in _MAJOR

    @property
    def is_dry(self) -> bool:
        """Whether one crosses it without getting wet: no river, or a bridge or a ford."""
        return not self.is_river or self.has_bridge or self.has_ford

    @property
    def may_collapse(self) -> bool:
        """A trail or railroad bridge or a marker over a river breaks under heavy vehicles (17.3.2a; ruling B-114)."""
        is_weak = self.is_marker or (self.road is not None and not self.road.is_good)
        return self.is_river and self.has_bridge and not self.is_proven and is_weak


@rule("17.3.1d")
def _joined(context: Context, side: Hexside) -> Road | None:
    """The road over a bridge that was built: it joins the roads on both banks, a trail if one has no more (17.3.1d)."""
    roads = context.ground.roads
    banks = [min((roads[one] for one in SIDES[hex] if one in roads), default=None) for hex in hexes_of(side)]
    if None in banks:
        return None
    return Road.SECONDARY if all(road is not None and road.is_good for road in banks) else Road.TRAIL


class _Crossings:
    """Hexsides by their hexes, kept while the bridges of the map are the same."""

    def __init__(self, context: Context) -> None:  # noqa: ARG002 - rooms are made so
        self._kept: tuple[object, dict[tuple[Hex, Hex], Crossing]] = ((), {})

    def of(self, state: State) -> dict[tuple[Hex, Hex], Crossing]:
        """What is known with the bridges of a state."""
        kept = self._kept
        if kept[0] is not state.bridges and kept[0] != state.bridges:
            kept = self._kept = (state.bridges, {})
        return kept[1]


def crossing(context: Context, state: State, here: Hex, there: Hex) -> Crossing:
    """The hexside between two neighbours."""
    kept = context.room(_Crossings).of(state)
    found = kept.get((here, there))
    if found is None:
        side = side_between(here, there)
        if side is None:
            raise ValueError(f"{here} and {there} are no neighbours")
        found = kept[here, there] = Crossing(context, state, side)
    return found
