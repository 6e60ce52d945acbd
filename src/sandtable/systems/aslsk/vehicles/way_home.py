"""7.10 The way home of a recalled vehicle: over its friendly edge by the route that costs the fewest MP.

The search goes back from the edge over hexes and VCA. What it found is kept until another vehicle or Smoke comes or
goes.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heapify, heappop, heappush

from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.core.errors import Refusal
from sandtable.geo.hex import NEIGHBOURS, Hex, opposite
from sandtable.geo.map import Edge
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.common.fact import HALVES
from sandtable.systems.aslsk.common.vehicles_here import enemy_vehicle_hexes
from sandtable.systems.aslsk.pieces.spines import SPINES
from sandtable.systems.aslsk.pieces.state import State, Vehicle, VehicleDeed, VehicleStep
from sandtable.systems.aslsk.vehicles.drive_progress import ENTRIES, DriveProgress
from sandtable.systems.aslsk.vehicles.driving_costs import (
    DriveWay,
    covers,
    drive_ways,
    exit_halves,
    least_halves,
    turn_halves,
)
from sandtable.systems.aslsk.vehicles.vehicle_numbers import ALL, NEVER

__all__ = ["HomeBound", "must_go_home"]


@rule("7.10")
def home_ways(context: Context, force: str) -> dict[Hex, tuple[int, ...]]:
    """Hexes with the directions in which a recalled vehicle of a force leaves the map: its friendly edge (7.10).

    Where it entered; else over the edges that its set-up area reaches and no enemy's area does. Failing that, over
    those that it reaches; failing that, anywhere.
    """
    known = context.memory.home_ways
    found = known.get(force)
    if found is None:
        found = known[force] = _home_ways(context, force)
    return found


def _home_ways(context: Context, force: str) -> dict[Hex, tuple[int, ...]]:
    scenario, exits = context.scenario, context.game_map.exits
    entry = scenario.entry[force]
    if entry:
        return {hex: tuple(exits[hex]) for hex in sorted(entry) if hex in exits}
    side = scenario.side_of[force]
    own = _edges(context, scenario.zones[force])
    enemy = {
        edge
        for other, owner in scenario.side_of.items()
        if owner != side
        for edge in _edges(context, scenario.zones[other] | scenario.entry[other])
    }
    edges = own - enemy or own or {*Edge}
    found = {hex: tuple([way for way, over in ways.items() if edges & {*over}]) for hex, ways in exits.items()}
    return {hex: ways for hex, ways in found.items() if ways}


def _edges(context: Context, zone: frozenset[Hex]) -> set[Edge]:
    """The edges of the map that an area reaches."""
    exits = context.game_map.exits
    return {edge for hex in zone if hex in exits for over in exits[hex].values() for edge in over}


class HomeBound:
    """A recalled vehicle, and the ways home that it is bound to (7.10)."""

    __slots__ = ("_context", "_state", "_vehicle", "_ways", "gates")

    def __init__(self, context: Context, state: State, vehicle: Vehicle) -> None:
        self._context = context
        self._state = state
        self._vehicle = vehicle
        self._ways: dict[bool, WayHome] = {}
        self.gates = home_ways(context, vehicle.force)
        """Where it leaves the map, by hex and directions."""

    def way(self, now: DriveProgress) -> WayHome | None:
        """The way that it is bound to, if there is one."""
        if not self._vehicle.is_mobile or now.hex is None or now.held:
            return None
        known = self._ways.get(now.exposed)
        if known is None:
            known = way_home(self._context, self._state, self._vehicle, exposed=now.exposed)
            self._ways[now.exposed] = known
        return known if known.left(now.hex, now.vca) is not None else None

    @rule("7.10")
    def refuse_detour(self, now: DriveProgress, step: VehicleStep, after: DriveProgress) -> Refusal | None:
        """It goes home by the shortest way and as fast as it can, and does not stop (7.10)."""
        home = self.way(now)
        if home is None or step.kind in (VehicleDeed.START, VehicleDeed.CREW):
            return None
        paid = after.spent - now.spent
        rest: int | None = None
        if step.kind is VehicleDeed.EXIT:
            assert now.hex is not None  # noqa: S101 - the step was checked
            rest = 0 if step.way in self.gates.get(now.hex, ()) else None
        elif step.kind is VehicleDeed.ALL:
            paid = HALVES * self._context.vehicle_card(self._vehicle).mp
            rest = home.left(after.hex, after.vca)
        elif step.kind in (VehicleDeed.TURN, *ENTRIES):
            rest = home.left(after.hex, after.vca)
        if rest is not None and rest + paid == home.left(now.hex, now.vca):
            return None
        return must_go_home(self._vehicle)


def must_go_home(vehicle: Vehicle) -> Refusal:
    """Why a recalled vehicle may not do something else (7.10)."""
    return Refusal("7.10", f"{vehicle.id} is recalled", "drive it home by the shortest way, without a stop")


def way_home(context: Context, state: State, vehicle: Vehicle, *, exposed: bool) -> WayHome:
    """The way home of a vehicle as it is barred and encumbered now: the last one, if that has not changed."""
    known = context.memory.ways_home
    others = tuple(
        [(one.hex, one.side, one.in_play) for one in state.vehicles.values() if one.on_map and one.id != vehicle.id]
    )
    found: WayHome | None = known.get((vehicle.id, exposed))
    if found is None or found.others != others or found.smoke != state.smoke:
        found = known[vehicle.id, exposed] = WayHome(context, state, vehicle, others, exposed=exposed)
    return found


class WayHome:
    """What is left of the way, in halves of MP, for a vehicle with its crew as it is."""

    __slots__ = ("_left", "others", "smoke")

    def __init__(
        self,
        context: Context,
        state: State,
        vehicle: Vehicle,
        others: tuple[tuple[Hex | None, Seat, bool], ...],
        *,
        exposed: bool,
    ) -> None:
        self.others = others
        """Hex, side and whether it is in play of each other vehicle and wreck."""
        self.smoke = state.smoke
        self._left = _Search(context, state, vehicle, exposed=exposed).run()

    def left(self, hex: Hex | None, vca: int) -> int | None:
        """Halves of MP from a hex with the VCA as it is; None where no way leads home."""
        return None if hex is None else self._left.get((hex, vca))


class _Search:
    """From the edge back to wherever a way leads home from."""

    __slots__ = ("_context", "_enemies", "_exposed", "_kind", "_most", "_state", "_vehicle")

    def __init__(self, context: Context, state: State, vehicle: Vehicle, *, exposed: bool) -> None:
        card = context.vehicle_card(vehicle)
        self._context = context
        self._state = state
        self._vehicle = vehicle
        self._exposed = exposed
        self._kind = card.type
        self._most = HALVES * card.mp
        self._enemies = enemy_vehicle_hexes(state, vehicle.side)

    def run(self) -> dict[tuple[Hex, int], int]:
        """By hex and VCA: halves of MP to the edge."""
        found: dict[tuple[Hex, int], int] = {}
        queue = [
            (exit_halves(self._context, hex, way, self._kind, exposed=self._exposed), hex, vca)
            for hex, ways in home_ways(self._context, self._vehicle.force).items()
            for way in ways
            for vca in SPINES
            if covers(vca, way)
        ]
        heapify(queue)
        turns: dict[Hex, int] = {}
        legs: dict[Hex, list[tuple[Hex, int, int]]] = {}
        while queue:
            cost, hex, vca = heappop(queue)
            if (hex, vca) in found:
                continue
            found[hex, vca] = cost
            if hex not in legs:
                turns[hex] = turn_halves(self._context, hex)
                legs[hex] = list(self._legs_into(hex))
            for spine in _BESIDE[vca]:
                if (hex, spine) not in found:
                    heappush(queue, (cost + turns[hex], hex, spine))
            for near, direction, price in legs[hex]:
                if (near, vca) not in found and covers(vca, direction):
                    heappush(queue, (cost + price, near, vca))
        return found

    def _legs_into(self, hex: Hex) -> Iterator[tuple[Hex, int, int]]:
        """Where it comes into a hex from, in which direction, and what that costs; nowhere if it may not enter."""
        if hex in self._enemies or (self._exposed and self._context.ground.place(hex).building):
            return
        for side, near in enumerate(NEIGHBOURS[hex]):
            if near in self._context.game_map.hexes:
                direction = opposite(side)
                way = next(way for way in drive_ways(self._context, near, self._kind) if way.direction == direction)
                if way.terrain != NEVER:
                    yield near, direction, self._price(way)

    def _price(self, way: DriveWay) -> int:
        """Halves of MP by the cheaper rate; all MP where they are not enough."""
        halves = least_halves(self._context, self._state, self._vehicle, way, exposed=self._exposed)
        return self._most if halves == ALL or halves > self._most else halves


_BESIDE = tuple(((spine + 1) % len(SPINES), (spine - 1) % len(SPINES)) for spine in SPINES)
"""The hexspines to which a turn leads."""
