"""1.1.1, 3.3.2, 7.4: what it costs a vehicle to enter a hex, in halves of MP.

What the ground alone asks of a kind of vehicle never changes, so it is kept for every hexside in the memory of the
game. What depends on the vehicle (its MP allotment, its crew) and on the moment (Smoke, vehicles, wrecks) is added.
"""

from __future__ import annotations

import msgspec

from sandtable.core.content.rule import rule
from sandtable.core.modifier import Breakdown, Modifier
from sandtable.geo.hex import NEIGHBOURS, Hex, opposite
from sandtable.systems.aslsk.common.context import Context, TerrainKind
from sandtable.systems.aslsk.common.fact import HALVES
from sandtable.systems.aslsk.pieces.spines import SPINES
from sandtable.systems.aslsk.pieces.state import State, Vehicle
from sandtable.systems.aslsk.pieces.vehicle_cards import VehicleType
from sandtable.systems.aslsk.vehicles.vehicle_numbers import HALF, vehicle_numbers

__all__ = [
    "DriveWay",
    "covers",
    "drive_ways",
    "entry_cost",
    "entry_halves",
    "exit_halves",
    "gates",
    "has_rate_choice",
    "least_halves",
    "mp_text",
    "turn_halves",
]


class DriveWay(msgspec.Struct, frozen=True, gc=False):
    """What the ground asks of a kind of vehicle that enters a hex in one direction."""

    to: Hex
    direction: int
    terrain: int
    """Halves of MP, or one of HALF, ALL and NEVER."""
    by_road: bool
    climbs: bool
    kind: TerrainKind

    @property
    def covered(self) -> bool:
        """Whether the road runs through woods or an orchard."""
        return self.kind is TerrainKind.WOODS or self.kind is TerrainKind.ORCHARD


def mp_text(halves: int) -> str:
    """MP as players write them."""
    return f"{halves / HALVES:g}"


def covers(spine: int, direction: int) -> bool:
    """Whether the neighbour in a direction lies in the arc of what points at a hexspine (3.2.4)."""
    return spine in SPINES and direction in (spine, (spine + 1) % 6)


@rule("3.3.2")
def turn_halves(context: Context, hex: Hex) -> int:
    """Halves of MP to turn by a hexspine: doubled in woods and buildings (3.3.2)."""
    return vehicle_numbers(context).costs["turn_sheltered" if context.ground.place(hex).shelter else "turn"]


@rule("3.3")
def exit_halves(context: Context, hex: Hex, way: int, kind: VehicleType, *, exposed: bool) -> int:
    """Halves of MP to leave the map: as if Open Ground lay beyond, or by the road that leads there (3.3)."""
    numbers = vehicle_numbers(context)
    if context.ground.has_road(hex, way):
        return numbers.costs["road_exposed" if exposed else "road"]
    return numbers.terrain[TerrainKind.OPEN.value, kind]


def drive_ways(context: Context, hex: Hex, kind: VehicleType) -> tuple[DriveWay, ...]:
    """The ways out of a hex, one a direction that stays on the map."""
    ways = context.memory.drive_ways
    found: tuple[DriveWay, ...] | None = ways.get((hex, kind))
    if found is None:
        hexes = context.game_map.hexes
        near = enumerate(NEIGHBOURS[hex])
        found = ways[hex, kind] = tuple(_way(context, hex, to, way, kind) for way, to in near if to in hexes)
    return found


@rule("3.3")
def gates(context: Context, to: Hex, kind: VehicleType) -> tuple[DriveWay, ...]:
    """The ways from off board into a hex of the edge, one a direction; roads extend off board (3.3)."""
    known = context.memory.drive_gates
    found: tuple[DriveWay, ...] | None = known.get((to, kind))
    if found is None:
        hexes = context.game_map.hexes
        sides = (side for side, there in enumerate(NEIGHBOURS[to]) if there not in hexes)
        found = known[to, kind] = tuple(_way(context, None, to, opposite(side), kind) for side in sides)
    return found


@rule("1.1.1")
def _way(context: Context, a: Hex | None, to: Hex, direction: int, kind: VehicleType) -> DriveWay:
    """Terrain of the hex, whether a road leads into it, and whether a crest line lies on the way up (1.1.1)."""
    place = context.ground.place(to)
    return DriveWay(
        to,
        direction,
        vehicle_numbers(context).terrain[place.kind.value, kind],
        by_road=place.road and not place.building and context.ground.has_road(to, opposite(direction)),
        climbs=a is not None and context.ground.climbs(a, direction),
        kind=place.kind,
    )


@rule("3.3.2", "7.4")
def _crowd(context: Context, state: State, vehicle: Vehicle, way: DriveWay, *, by_road: bool) -> int:
    """Halves of MP for every other vehicle or wreck in the hex, more at the road rate and in woods (3.3.2, 7.4)."""
    number = sum([other.hex == way.to and other.on_map and other.id != vehicle.id for other in state.vehicles.values()])
    if not number:
        return 0
    costs = vehicle_numbers(context).costs
    halves = number * costs["vehicle"]
    if by_road:
        halves *= costs["vehicle_by_road_times"]
    return halves * costs["vehicle_in_woods_times"] if way.kind is TerrainKind.WOODS else halves


@rule("1.1.1", "3.3.2")
def has_rate_choice(context: Context, state: State, vehicle: Vehicle, way: DriveWay) -> bool:
    """The road rate may be declined where that matters: for cover, or past vehicles and wrecks (1.1.1, 3.3.2)."""
    return way.by_road and (way.covered or _crowd(context, state, vehicle, way, by_road=False) > 0)


@rule("1.1.1", "1.2.5", "3.3.2", "7.7")
def entry_halves(
    context: Context, state: State, vehicle: Vehicle, way: DriveWay, *, exposed: bool, off_road: bool = False
) -> int:
    """Halves of MP to enter a hex; NEVER, or ALL, where that is what the terrain costs (1.1.1, 3.3.2)."""
    costs = vehicle_numbers(context).costs
    by_road = way.by_road and not off_road
    if by_road:
        halves = costs["road_exposed" if exposed else "road"]
    elif way.terrain == HALF:
        halves = context.vehicle_card(vehicle).mp
    elif way.terrain < 0:
        return way.terrain
    else:
        halves = way.terrain
    if way.climbs:
        halves += costs["crest_by_road" if by_road else "crest"]
    if state.smoke and context.smoke_at(state, way.to):
        halves += costs["smoke_entry"]
    return halves + _crowd(context, state, vehicle, way, by_road=by_road)


@rule("1.1.1", "3.3.2")
def least_halves(context: Context, state: State, vehicle: Vehicle, way: DriveWay, *, exposed: bool) -> int:
    """The same by the cheaper rate, where a road may be left for it: what costs all MP is none (1.1.1, 3.3.2)."""
    halves = entry_halves(context, state, vehicle, way, exposed=exposed)
    if not has_rate_choice(context, state, vehicle, way):
        return halves
    beside = entry_halves(context, state, vehicle, way, exposed=exposed, off_road=True)
    return min(halves, beside) if beside >= 0 else halves


def entry_cost(
    context: Context,
    state: State,
    vehicle: Vehicle,
    way: DriveWay,
    *,
    exposed: bool,
    off_road: bool = False,
    extra: int = 0,
) -> Breakdown:
    """The same with its reasons, and what was declared beyond it."""
    costs = vehicle_numbers(context).costs
    by_road = way.by_road and not off_road
    terms = []
    if way.climbs:
        uphill = costs["crest_by_road" if by_road else "crest"]
        terms.append(Modifier(uphill, "crest line uphill", "1.1.1"))
    if state.smoke and context.smoke_at(state, way.to):
        terms.append(Modifier(costs["smoke_entry"], "smoke", "1.2.5"))
    crowd = _crowd(context, state, vehicle, way, by_road=by_road)
    if crowd:
        terms.append(Modifier(crowd, "vehicles and wrecks", "7.4"))
    if extra:
        terms.append(Modifier(extra, "declared", "3.3.2"))
    total = entry_halves(context, state, vehicle, way, exposed=exposed, off_road=off_road) + extra
    name = ("road, CE" if exposed else "road") if by_road else way.kind.value
    return Breakdown("Halves of MP", "3.3.2", tuple(terms), total - sum(term.value for term in terms), name)
