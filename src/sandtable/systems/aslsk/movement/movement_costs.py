"""3.3.1 and 1.1.1: what it costs to enter a hex, and how many MF units have that move together.

MF are counted in halves. What the ground alone costs never changes, so it is kept for every hexside in the memory of
the game.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec
from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.modifier import Breakdown, Modifier
from sandtable.geo.hex import NEIGHBOURS, Hex
from sandtable.systems.aslsk.common.context import Context, TerrainKind
from sandtable.systems.aslsk.common.experience import is_inexperienced
from sandtable.systems.aslsk.common.fact import HALVES
from sandtable.systems.aslsk.common.numbers import numbers_of
from sandtable.systems.aslsk.common.possession import ipc, owners, portage
from sandtable.systems.aslsk.pieces.cards import UnitKind
from sandtable.systems.aslsk.pieces.state import State, Unit, UnitId, WeaponId

__all__ = [
    "WayIn",
    "allowance",
    "entry_cost",
    "entry_halves",
    "has_choice",
    "is_road_entry",
    "mf_text",
    "road_off_board",
    "way_in",
    "ways_out",
]

OFF_BOARD = Hex(-(10**6), 0)
"""Stands for the off-board side in the keys of kept costs."""


class WayIn(msgspec.Struct, frozen=True, gc=False):
    """What the ground asks of a unit that enters a hex from another."""

    to: Hex
    direction: int
    """-1 from off board."""
    halves: int
    by_road: bool
    off_road: int
    """Halves of MF if it shuns the road of a woods-road or orchard-road for its cover; -1 if it has no choice."""


_SMC = UnitKind.LEADER
"""A name is looked up quicker than a member of an enum."""
_ROAD_TERRAIN = (TerrainKind.WOODS, TerrainKind.ORCHARD)


def mf_text(halves: int) -> str:
    """MF as players write them."""
    whole, half = divmod(halves, HALVES)
    return f"{whole} 1/2" if half else str(whole)


def ways_out(context: Context, hex: Hex) -> tuple[WayIn, ...]:
    """The hexes of the map next to one, in the order of directions, with what the ground asks for each."""
    ways = context.memory.ways_out
    found: tuple[WayIn, ...] | None = ways.get(hex)
    if found is None:
        near = (to for to in NEIGHBOURS[hex] if to in context.game_map.hexes)
        found = ways[hex] = tuple(way_in(context, hex, to) for to in near)
    return found


def way_in(context: Context, a: Hex | None, b: Hex) -> WayIn:
    """What the ground asks of a unit that enters ``b`` from ``a`` or from off board."""
    halves, by_road = _ground_cost(context, a, b, shun_road=False)
    direction = NEIGHBOURS[a].index(b) if a is not None else -1
    off_road = _ground_cost(context, a, b, shun_road=True)[0] if has_choice(context, a, b) else -1
    return WayIn(b, direction, halves, by_road, off_road)


@rule("1.1.1")
def has_choice(context: Context, a: Hex | None, b: Hex) -> bool:
    """A woods-road or orchard-road may be entered off the road, for its cover (1.1.1)."""
    place = context.ground.place(b)
    return place.road and place.kind in _ROAD_TERRAIN and is_road_entry(context, a, b)


def road_off_board(context: Context, hex: Hex) -> bool:
    """Whether a road runs off board from a hex of the edge: roads extend off board (3.3)."""
    hexes = context.game_map.hexes
    sides = enumerate(NEIGHBOURS[hex])
    return any(there not in hexes and context.ground.has_road(hex, way) for way, there in sides)


def _ground_cost(context: Context, a: Hex | None, b: Hex, *, shun_road: bool) -> tuple[int, bool]:
    """Halves of MF that terrain alone costs, and whether it was entered at the road rate; kept."""
    costs = context.memory.entry_costs
    key = (OFF_BOARD if a is None else a, b, shun_road)
    found = costs.get(key)
    if found is None:
        found = costs[key] = _work_out(context, a, b, shun_road=shun_road)
    return found


@rule("1.1.1")
def _work_out(context: Context, a: Hex | None, b: Hex, *, shun_road: bool) -> tuple[int, bool]:
    """Terrain of the hex or the road rate, doubled across a crest line uphill (1.1.1)."""
    numbers = numbers_of(context)
    place = context.ground.place(b)
    way = NEIGHBOURS[a].index(b) if a is not None else -1
    by_road = place.road and not shun_road
    if by_road:
        by_road = context.ground.has_road(a, way) if a is not None else road_off_board(context, b)
    halves = numbers.terrain_halves["road" if by_road else place.kind.value]
    if a is not None and context.ground.climbs(a, way):
        halves *= 2
    return halves, by_road


def entry_halves(context: Context, state: State, a: Hex | None, b: Hex, *, shun_road: bool = False) -> int:
    """Halves of MF to enter ``b`` from ``a``, or from off board; smoke costs one MF more (1.1.1, 1.2.5)."""
    halves = _ground_cost(context, a, b, shun_road=shun_road)[0]
    if state.smoke and context.smoke_at(state, b):
        halves += HALVES * numbers_of(context).mf_costs["smoke_entry"]
    return halves


def is_road_entry(context: Context, a: Hex | None, b: Hex) -> bool:
    """Whether ``b`` is entered through a road hexside (1.1.1)."""
    return _ground_cost(context, a, b, shun_road=False)[1]


@rule("1.1.1", "1.2.5", "3.3.1")
def entry_cost(context: Context, state: State, a: Hex | None, b: Hex, *, shun_road: bool = False) -> Breakdown:
    """The cost of entering a hex, in halves of MF, with its reasons (1.1.1, 1.2.5, 3.3.1)."""
    known = context.memory.entry_breakdowns
    key = (OFF_BOARD if a is None else a, b, shun_road)
    cost = known.get(key)
    if cost is None:
        cost = known[key] = _ground_breakdown(context, a, b, shun_road=shun_road)
    smoke = entry_halves(context, state, a, b, shun_road=shun_road) - cost.total if state.smoke else 0
    return cost.plus((Modifier(smoke, "smoke", "1.2.5"),)) if smoke else cost


def _ground_breakdown(context: Context, a: Hex | None, b: Hex, *, shun_road: bool) -> Breakdown:
    halves, by_road = _ground_cost(context, a, b, shun_road=shun_road)
    name = "road" if by_road else context.ground.place(b).kind.value
    if a is None or not context.ground.climbs(a, NEIGHBOURS[a].index(b)):
        return Breakdown("Halves of MF", "3.3.1", (), halves, name)
    base = halves // 2
    uphill = Modifier(halves - base, "crest line uphill", "1.1.1")
    return Breakdown("Halves of MF", "3.3.1", (uphill,), base, name)


@rule("3.3.1", "4.0", "5.4")
def allowance(
    context: Context,
    state: State,
    units: Sequence[Unit],
    *,
    double_time: Collection[UnitId] = (),
    dropped: Collection[WeaponId] = (),
) -> dict[UnitId, int]:
    """Halves of MF of each unit that moves in this stack: leader bonus, Double Time, portage (3.3.1, 4.0)."""
    mf = numbers_of(context).mf
    cards = context.cards.units
    tired = units
    if double_time:
        tired = [replace(unit, cx=True) if unit.id in double_time and not unit.cx else unit for unit in units]
    carried = owners(context, state)
    leaders = []
    laden = False
    for unit in tired:
        if cards[unit.card].kind is _SMC and not unit.broken and not unit.pinned:
            leaders.append(unit)
        laden = laden or unit.id in carried
    excess = _excess_portage(context, state, tired, leaders, dropped) if laden else {}
    found = {}
    for unit in tired:
        if cards[unit.card].kind is _SMC:
            factors = mf["wounded_smc"] if unit.wounded else mf["smc"]
        else:
            factors = mf["inexperienced_mmc" if is_inexperienced(context, state, unit, led=bool(leaders)) else "mmc"]
            if leaders:
                factors += mf["leader_bonus"]
        if unit.id in double_time:
            factors += mf["double_time"]
        if excess:
            factors = max(0, factors - excess[unit.id])
        found[unit.id] = HALVES * factors
    return found


@rule("4.0")
def _excess_portage(
    context: Context, state: State, units: Sequence[Unit], leaders: Sequence[Unit], dropped: Collection[WeaponId]
) -> dict[UnitId, int]:
    """PP over the IPC; each free-handed SMC adds his IPC to one MMC, the most laden first (4.0).

    Nothing where nobody carries more than he can.
    """
    excess = {unit.id: portage(context, state, unit.id, dropped) - ipc(context, unit) for unit in units}
    for over in excess.values():
        if over > 0:
            break
    else:
        return {}
    free = [ipc(context, leader) for leader in leaders if excess[leader.id] + ipc(context, leader) == 0]
    if free:
        hands = sorted(free, reverse=True)
        laden = sorted(
            (unit.id for unit in units if not context.card(unit).is_leader and excess[unit.id] > 0),
            key=lambda unit_id: -excess[unit_id],
        )
        for unit_id, help_given in zip(laden, hands, strict=False):
            excess[unit_id] -= help_given
    return {unit_id: max(0, over) for unit_id, over in excess.items()}
