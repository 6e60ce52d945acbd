"""3.3.2, 7.6, 7.7: where a vehicle may go with its MP: ways within its VCA, terrain, enemy AFV, edges of the map."""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.errors import Refusal
from sandtable.geo.hex import NEIGHBOURS, Hex
from sandtable.systems.aslsk.common.context import Context, TerrainKind
from sandtable.systems.aslsk.common.fact import HALVES
from sandtable.systems.aslsk.common.vehicles_here import enemy_vehicles_at
from sandtable.systems.aslsk.pieces.spines import SPINES, spines_apart
from sandtable.systems.aslsk.pieces.state import State, Vehicle, VehicleDeed, VehicleStep
from sandtable.systems.aslsk.vehicles.drive_progress import DriveProgress, standing
from sandtable.systems.aslsk.vehicles.driving_costs import (
    DriveWay,
    covers,
    drive_ways,
    entry_halves,
    exit_halves,
    gates,
    has_rate_choice,
    least_halves,
    turn_halves,
)
from sandtable.systems.aslsk.vehicles.menace import could_hurt
from sandtable.systems.aslsk.vehicles.vehicle_numbers import ALL, NEVER, vehicle_numbers
from sandtable.systems.aslsk.vehicles.way_home import HomeBound

__all__ = ["Bounds", "may_not_stay"]


def _allowance(context: Context, state: State, vehicle: Vehicle) -> int:
    """Halves of MP that it has; some enter with half of them spent, if their scenario says so (1.3)."""
    mp = HALVES * context.vehicle_card(vehicle).mp
    enters = context.scenario.forces[vehicle.force].enters
    return mp // 2 if enters is not None and enters.half_mp and state.turn == enters.turn else mp


class Bounds:
    """A vehicle with its budget, and where that and the map let it go."""

    __slots__ = ("allowance", "card", "context", "costs", "home", "state", "vehicle")

    def __init__(self, context: Context, state: State, vehicle: Vehicle) -> None:
        self.context = context
        self.state = state
        self.vehicle = vehicle
        self.card = context.vehicle_card(vehicle)
        self.allowance = _allowance(context, state, vehicle)
        self.costs = vehicle_numbers(context).costs
        self.home = HomeBound(context, state, vehicle) if vehicle.recalled else None

    def begin(self) -> DriveProgress:
        """Where it stands before it spends any MP."""
        return standing(self.vehicle)

    def left(self, now: DriveProgress) -> int:
        """Halves of MP that are left."""
        return self.allowance - now.spent

    # --- hexes --------------------------------------------------------------------------------------------------

    def way(self, now: DriveProgress, step: VehicleStep) -> DriveWay | Refusal:
        """The way into the hex that a step names, within the VCA (3.3.2)."""
        context, to = self.context, step.to
        if to is None or to not in context.game_map.hexes:
            return Refusal("3.3", "that hex is not on the map", "choose a hex of the map")
        if now.hex is None:
            if to not in context.entry(self.state, self.vehicle.force):
                return Refusal(
                    "3.3",
                    f"{context.label(to)} is no hex through which {self.vehicle.id} enters",
                    "enter where its force enters",
                )
            ways = [way for way in gates(context, to, self.card.type) if covers(step.spine, way.direction)]
            if not ways:
                return Refusal("3.3.2", "a vehicle enters the map within its VCA", "point its front into the map")
            # Where a road and open ground lead in the same way, the road is taken.
            return max(ways, key=lambda way: way.by_road)
        if to not in NEIGHBOURS[now.hex]:
            here, there = context.label(now.hex), context.label(to)
            return Refusal("3.3", f"{there} is not adjacent to {here}", "vehicles may not skip hexes")
        found = next(way for way in drive_ways(context, now.hex, self.card.type) if way.to == to)
        if not covers(now.vca, found.direction):
            label = context.label(to)
            return Refusal("3.3.2", f"{label} is not within the VCA of {self.vehicle.id}", "turn first")
        return found

    def refuse_terrain(self, now: DriveProgress, way: DriveWay) -> Refusal | None:
        building = self.context.ground.place(way.to).building
        if way.terrain == NEVER:
            return Refusal("1.1.1", f"an armored car may not enter {way.kind.value}", "go round it")
        if building and self.context.scenario.conditions.no_vehicles_in_buildings:
            return Refusal("1.3", "in this scenario vehicles may not enter buildings", "go round it")
        if building and now.exposed:
            return Refusal("7.7", f"{self.vehicle.id} is CE and may not enter a building", "button up first")
        return None

    @rule("1.1.1", "3.3.2")
    def refuse_all(self, now: DriveProgress, way: DriveWay) -> Refusal | None:
        """All MP are spent on woods, or on one hex that costs more than there are; before them only a start (3.3.2).

        Woods with a road are entered like this too, by whoever stays off the road (1.1.1). Whoever comes onto the map
        with half of its MP spent pays half for woods like anybody, and bogs as easily (1.3).
        """
        if not now.only_started:
            return Refusal("3.3.2", "some of its MP are spent", "a hex entered by all MP comes first")
        if way.kind is TerrainKind.WOODS and self.allowance == HALVES * self.card.mp:
            return None
        halves = entry_halves(self.context, self.state, self.vehicle, way, exposed=now.exposed)
        if 0 <= halves <= self.left(now):
            return Refusal("3.3.2", f"{self.context.label(way.to)} does not take all MP", "declare more MP on entering")
        return None

    def price(self, now: DriveProgress, way: DriveWay, step: VehicleStep) -> int | Refusal:
        off_road = step.kind is VehicleDeed.OFF_ROAD
        if off_road and not has_rate_choice(self.context, self.state, self.vehicle, way):
            return Refusal("1.1.1", "nothing is gained by leaving the road there", "enter at the road rate")
        halves = entry_halves(self.context, self.state, self.vehicle, way, exposed=now.exposed, off_road=off_road)
        if halves == ALL:
            return Refusal("1.1.1", f"{way.kind.value} cost an armored car all its MP", "enter by all MP")
        return halves

    # --- enemy AFV in the hex -----------------------------------------------------------------------------------

    @rule("3.3.2")
    def among_enemies(self, after: DriveProgress, side: int) -> DriveProgress | Refusal:
        """Where it could not hurt an enemy AFV it may not choose to stay, so it must be able to go on (3.3.2)."""
        enemies = enemy_vehicles_at(self.state, after.hex, self.vehicle.side)
        if all(could_hurt(self.context, self.vehicle, one, side, exposed=after.exposed) for one in enemies):
            return after
        after = replace(after, uninvited=after.hex)
        return after if self.can_leave(after) else may_not_stay(self.vehicle)

    def must_leave(self, now: DriveProgress) -> bool:
        return now.uninvited is not None and now.uninvited == now.hex and self.can_leave(now)

    def can_leave(self, now: DriveProgress) -> bool:
        """Whether it can enter another hex with the MP that it has, turning first if need be."""
        if now.hex is None or now.stopped:
            return False
        turn = turn_halves(self.context, now.hex)
        exit_ways = self.exit_ways(now)
        for spine in SPINES:
            left = self.left(now) - spines_apart(now.vca, spine) * turn
            if left < 0:
                continue
            for way in drive_ways(self.context, now.hex, self.card.type):
                if covers(spine, way.direction) and self.refuse_terrain(now, way) is None:
                    halves = least_halves(self.context, self.state, self.vehicle, way, exposed=now.exposed)
                    enemies = enemy_vehicles_at(self.state, way.to, self.vehicle.side)
                    if 0 <= halves <= left and not enemies:
                        return True
            if any(covers(spine, way) and halves <= left for way, halves in exit_ways):
                return True
        return False

    # --- off the map --------------------------------------------------------------------------------------------

    @rule("3.3", "7.10")
    def exit_counts(self, hex: Hex) -> bool | None:
        """Whether it may leave the map from a hex now, and if so whether that counts; None if it may not (3.3).

        A recalled vehicle leaves over its friendly edge too, and never counts (7.10).
        """
        counts = self.context.scenario.exit_counts(self.vehicle.side, hex, self.state.turn)
        if self.home is None:
            return counts
        return None if counts is None and hex not in self.home.gates else False

    def exit_ways(self, now: DriveProgress) -> list[tuple[int, int]]:
        """Directions in which it may leave the map from here, each with its cost."""
        if now.hex is None or self.exit_counts(now.hex) is None:
            return []
        hexes = self.context.game_map.hexes
        ways = [way for way, there in enumerate(NEIGHBOURS[now.hex]) if there not in hexes]
        kind = self.card.type
        return [(way, exit_halves(self.context, now.hex, way, kind, exposed=now.exposed)) for way in ways]


def may_not_stay(vehicle: Vehicle) -> Refusal:
    """Why it does not end its MPh here (3.3.2)."""
    return Refusal("3.3.2", f"{vehicle.id} may not choose to stay with an enemy AFV that it cannot hurt", "go on")
