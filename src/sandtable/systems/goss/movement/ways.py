"""What every step of a move costs, before the enemy is looked at (7.2, 7.6.2, 7.9.1, 7.10, 7.11, 5.2.3).

A step leads from a :data:`Node` to another: a hex, and the line by which it was entered. On Mech road movement that is
the joint of the road (7.10.1), off the roads the dashed line through constricted ground (7.11.2). Costs are in sixths
of a movement point; those of PA movement are hexes.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from functools import partial
from typing import NamedTuple

from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.geo.hex import NEIGHBOURS, Hex, opposite
from sandtable.geo.hexside import SIDES, Hexside, hexes_of
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.cover import ft_owner
from sandtable.systems.goss.common.crossing import Crossing
from sandtable.systems.goss.common.state import State
from sandtable.systems.goss.ground.ground import HexGround
from sandtable.systems.goss.ground.kinds import Road, Terrain
from sandtable.systems.goss.ground.weather import GroundCondition
from sandtable.systems.goss.movement.allowance import Going
from sandtable.systems.goss.tables.movement_costs import Cost, Special, dearest, together
from sandtable.systems.goss.tables.movement_costs import Crossing as Use

__all__ = ["END", "START", "Ferry", "Kind", "Node", "StepTable", "Tread", "WayIn"]


class Kind(StrEnum):
    """7.4.0 Movement types."""

    ROAD = "Mech road movement"
    NON_ROAD = "non-road movement"
    PREPARED = "PA movement"
    BATTERY = "in-battery movement"
    """One hex of guns that stay in battery (5.6.1)."""

    @property
    def counts_points(self) -> bool:
        """Whether it costs movement points: else it is counted in hexes."""
        return self in (Kind.ROAD, Kind.NON_ROAD)


Node = tuple[Hex, int]
"""A hex, and the line through it that one came by."""
START = -1
"""The line of one who starts in a hex, or has entered it as open ground: any."""
NONE = -2
"""The line of one who came by none."""
END = -3
"""The line of one whose move is over."""
Ferry = tuple[Hex, Hex]
"""Engineers take Leg units from a hex over the water to another (17.2.0)."""
_LEG, _MECH = "Leg", "Mech"
_CLINGING = frozenset(
    (
        Terrain.WOODS,
        Terrain.FOREST,
        Terrain.MARSH,
        Terrain.SOFT_GROUND,
        Terrain.SWAMP,
        Terrain.BOCAGE,
        Terrain.HEDGEROW,
    )
)
"""Where a Mech unit ends its PA movement, off roads (5.2.3)."""


class WayIn(NamedTuple):
    """One way to enter the next hex."""

    to: Node
    price: Cost
    is_open: bool = False
    """The hex is entered as open ground by Mech road movement: road stacking does not matter (7.10.0)."""


class Tread(NamedTuple):
    """What the ground asks of those who move."""

    side: Seat
    is_leg: bool
    is_mech: bool
    is_artillery: bool = False
    is_heavy: bool = False
    """A heavy or very heavy AFV (7.10.0)."""

    @property
    def classes(self) -> tuple[str, ...]:
        """Movement classes whose rules they all keep (6.2.0)."""
        return (*((_LEG,) if self.is_leg else ()), *((_MECH,) if self.is_mech else ()))


class _Alike:
    """Steps, and sets of hexes, that many nodes and tables have alike: each is kept once."""

    def __init__(self, context: Context) -> None:  # noqa: ARG002 - rooms are made so
        self.steps: dict[tuple[WayIn, ...], tuple[WayIn, ...]] = {}
        self.hexes: dict[frozenset[Hex], frozenset[Hex]] = {}


class StepTable:
    """The steps from every node for one tread, kind and going; listed when they are first asked for.

    ``plain`` has them with all bridges as the map has them and without ferries: it holds wherever nothing has changed.
    """

    def __init__(
        self,
        context: Context,
        state: State,
        tread: Tread,
        kind: Kind,
        going: Going,
        *,
        ferry: Ferry | None = None,
        plain: StepTable | None = None,
    ) -> None:
        self._ferry = ferry
        self._alike = context.room(_Alike)
        self._ft_owner = partial(ft_owner, context, state.scenery())
        self._ground = context.ground_in(state)
        self._costs = context.charts.costs
        self._crossing = partial(Crossing, context, state.scenery())
        self._tread = tread
        self._kind = kind
        self._going = going
        self._weather = partial(context.weather_at, state.scenery())
        self._plain = plain
        self._sides = {bridge.side for bridge in state.bridges}
        """Sides that are not as the map has them: beyond all others the steps are the plain ones."""
        if ferry is not None:
            self._sides.update(side for side in SIDES[ferry[0]] if ferry[1] in hexes_of(side))
        self._changed = {hex for side in self._sides for hex in hexes_of(side)}
        self._kept: dict[Node, tuple[tuple[WayIn, ...], ...]] = {}
        self._open: dict[Hex, frozenset[Hex]] = {}

    def steps(self, node: Node) -> tuple[tuple[WayIn, ...], ...]:
        """The steps from a node in each of the six directions."""
        kept = self._kept.get(node)
        if kept is None:
            kept = self._kept[node] = self._six(node)
        return kept

    def _six(self, node: Node) -> tuple[tuple[WayIn, ...], ...]:
        if node[1] == END:
            return ((),) * 6
        around = enumerate(NEIGHBOURS[node[0]])
        if self._plain is None:
            return tuple([self._listed(node, way, beyond) for way, beyond in around])
        plain = self._plain.steps(node)
        if node[0] not in self._changed:
            return plain
        is_changed = [side in self._sides for side in SIDES[node[0]]]
        return tuple([self._listed(node, way, beyond) if is_changed[way] else plain[way] for way, beyond in around])

    def _listed(self, node: Node, way: int, beyond: Hex) -> tuple[WayIn, ...]:
        """The steps from a node in a direction."""
        listed = self._by_road if self._kind is Kind.ROAD else self._across
        steps = tuple(listed(node, way, beyond))
        return self._alike.steps.setdefault(steps, steps)

    def open_from(self, hex: Hex) -> frozenset[Hex]:
        """The neighbours that one who starts in a hex may enter."""
        kept = self._open.get(hex)
        if kept is None and self._plain is not None and hex not in self._changed:
            kept = self._open[hex] = self._plain.open_from(hex)
        elif kept is None:
            ways = zip(NEIGHBOURS[hex], self.steps((hex, START)), strict=True)
            found = frozenset(beyond for beyond, steps in ways if steps)
            kept = self._open[hex] = self._alike.hexes.setdefault(found, found)
        return kept

    def _is_foreign_fort(self, hex: Hex) -> bool:
        """Whether it is an intact fortified area of the other side (7.9.1b)."""
        return self._ft_owner(hex) not in ("", self._tread.side)

    # --- off the roads, and PA movement ---

    def _across(self, node: Node, way: int, beyond: Hex) -> Iterator[WayIn]:
        ground = self._ground
        if beyond not in ground.hexes:
            return
        road = self._crossing(SIDES[node[0]][way]).road
        if not self._keeps_to(road):
            return
        price = dearest(self._price(name, node, way, beyond, road) for name in self._tread.classes)
        if price is Special.PROHIBITED:
            return
        back = opposite(way)
        line = next((index for index, line in enumerate(ground.at(beyond).contours) if back in line), NONE)
        if self._kind is Kind.BATTERY:
            if self._is_dry_shod(SIDES[node[0]][way]):
                yield WayIn((beyond, END), 1)
        elif self._kind is Kind.PREPARED:
            yield WayIn((beyond, END if self._holds(beyond, road) else line), 1)
        else:
            yield WayIn((beyond, line), price)

    def _keeps_to(self, road: Road | None) -> bool:
        """Whether a road is one that the whole move keeps to."""
        if self._going is Going.OFF_ROAD:
            return True
        return road is not None and (self._going is Going.ROAD or road.is_good)

    @rule("5.6.1")
    def _is_dry_shod(self, side: Hexside) -> bool:
        """Whether guns in battery may be drawn over a side: over water only by a bridge (5.6.1; ruling B-26)."""
        crossing = self._crossing(side)
        return crossing.water is None or crossing.has_bridge

    @rule("5.2.3", "7.9.1b")
    def _holds(self, hex: Hex, road: Road | None) -> bool:
        """Whether a Mech unit ends its PA movement there: thick, soft or constricted ground off a road (5.2.3)."""
        if not self._tread.is_mech:
            return False
        if self._obstacle(hex, by_road=road is not None):
            return True
        return road is None and bool(self._ground.at(hex).terrain & _CLINGING)

    @rule("7.2.0", "7.6.2", "7.9.1a", "7.11.1", "7.11.4")
    def _price(self, name: str, node: Node, way: int, beyond: Hex, road: Road | None) -> Cost:
        """What a hex costs a unit of a class off the roads: ground, hexside, and what constricts it (7.2.0)."""
        costs, there = self._costs, self._ground.at(beyond)
        if name == _LEG and road is not None:
            ground: Cost = costs.road_cost(road.kind, _LEG)
        else:
            ground = costs.hex_cost(there.features, name)
        is_ferried = name == _LEG and self._ferry == (node[0], beyond)
        parts = [ground, self._water(name, SIDES[node[0]][way], is_ferried=is_ferried)]
        if self._ft_owner(beyond) == self._tread.side:
            parts.append(costs.extra_cost("own Ft Area", name))
        on_foot_by_road = name == _LEG and road is not None
        parts.extend(self._leaving(name, node, way, by_road=on_foot_by_road))
        parts.extend(self._entering(name, way, beyond, by_road=on_foot_by_road))
        return together(parts)

    @rule("7.11.0", "17.2.1", "17.2.2", "17.2.3")
    def _water(self, name: str, side: Hexside, *, is_ferried: bool) -> Cost:
        """What the watercourse of a side costs; a bridge is a ford to Mech units off the road (7.11.0)."""
        crossing = self._crossing(side)
        if crossing.water is None:
            return 0
        if is_ferried:
            use = Use.LEG_FERRY
        elif crossing.has_bridge:
            use = Use.LEG_BRIDGE if name == _LEG else Use.MECH_BRIDGE
        elif crossing.has_ford:
            use = Use.LEG_FORD if name == _LEG else Use.MECH_FORD
        else:
            use = Use.LEG if name == _LEG else Use.MECH
        return self._costs.water_cost(crossing.water.value, use)

    @rule("7.11.2", "7.11.3", "7.9.1b")
    def _leaving(self, name: str, node: Node, way: int, *, by_road: bool) -> Iterator[Cost]:
        """What constricted ground costs to leave, but along a road on foot or the dashed line one came by (7.11.2)."""
        here = self._ground.at(node[0])
        cause = self._obstacle(node[0], by_road=by_road)
        if not cause:
            return
        line = node[1]
        lines = here.contours if line == START else here.contours[line : line + 1] if line >= 0 else ()
        if not any(way in one for one in lines):
            yield self._costs.extra_cost(cause, name)

    @rule("7.11.2", "7.11.3", "7.9.1b")
    def _entering(self, name: str, way: int, beyond: Hex, *, by_road: bool) -> Iterator[Cost]:
        """What constricted ground costs to enter, but along a road on foot or a dashed line; guns may not (7.11.3)."""
        cause, there = self._obstacle(beyond, by_road=by_road), self._ground.at(beyond)
        if cause and self._tread.is_artillery:
            yield Special.PROHIBITED
        elif cause and not any(opposite(way) in line for line in there.contours):
            yield self._costs.extra_cost(cause, name)

    def _obstacle(self, hex: Hex, *, by_road: bool) -> str:
        """What of a hex constricts whoever moves; roads do not help at an enemy fortified area (7.9.1b)."""
        if self._is_foreign_fort(hex):
            return "constricted"
        if by_road:
            return ""
        here = self._ground.at(hex)
        return "constricted" if here.is_constricted else "embankment" if here.is_embankment else ""

    # --- Mech road movement ---

    @rule("7.10.0", "7.10.1", "7.10.2")
    def _by_road(self, node: Node, way: int, beyond: Hex) -> Iterator[WayIn]:
        """The steps along roads, and on dry ground into clear hexes as if they were roads (7.10.0)."""
        hex, line = node
        ground = self._ground
        if beyond not in ground.hexes:
            return
        here, there = ground.at(hex), ground.at(beyond)
        side = SIDES[hex][way]
        crossing = self._crossing(side)
        road = crossing.road
        is_new = side not in ground.roads  # a bridge that was built joins all roads of its banks (17.3.1d)
        on_line = road is not None and (line == START or is_new or way in here.joints[line])
        fords = self._ford(crossing)
        siege = Special.ALL if self._is_foreign_fort(hex) or self._is_foreign_fort(beyond) else 0
        if road is not None and on_line and self._keeps_to(road) and not self._too_heavy(road, here, there):
            price = self._costs.road_cost(road.kind, _MECH, in_clear=there.is_clear)
            joint = next((index for index, ways in enumerate(there.joints) if opposite(way) in ways), START)
            yield WayIn((beyond, joint), together((price, fords, siege)))
        if self._going is not Going.ROAD or not there.is_clear:
            return
        if self._weather(beyond).ground is not GroundCondition.DRY:
            return
        is_open = here.is_clear and self._weather(hex).ground is GroundCondition.DRY
        if on_line or (is_open and (crossing.water is None or fords)):
            yield WayIn((beyond, START), together((self._costs.open_road, fords, siege)), is_open=True)

    def _ford(self, crossing: Crossing) -> Cost:
        """What a ford adds; bridges cost nothing (7.10.2)."""
        if crossing.water is None or crossing.has_bridge or not crossing.has_ford:
            return 0
        return self._costs.water_cost(crossing.water.value, Use.ROAD_FORD)

    def _too_heavy(self, road: Road, here: HexGround, there: HexGround) -> bool:
        """Whether a heavy AFV would follow a trail into or out of constricted ground (7.10.0)."""
        return self._tread.is_heavy and not road.is_good and (here.is_constricted or there.is_constricted)
