"""Setting up Guns and vehicles: pointed at where the enemy will come from, hidden where that is allowed (1.3, 6.4)."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.bots.aslsk.sketch import Sketch
from sandtable.bots.doctrine import Idea
from sandtable.geo.hex import Hex, distance
from sandtable.systems.aslsk.common.actions import PlaceGun, PlaceVehicle
from sandtable.systems.aslsk.pieces.spines import SPINES
from sandtable.systems.aslsk.pieces.state import Vehicle, Weapon
from sandtable.systems.aslsk.setup_ordnance import refuse_vehicle_hex, unplaced_vehicles
from sandtable.systems.aslsk.terrain.covered_arc import in_covered_arc

__all__ = ["ordnance_set_up_ideas"]

WATCHED = 16
"""Hexes up to which an arc is looked at."""
BEHIND = 0.2
"""What a hex counts that lies farther from the enemy than the Gun itself."""
SHOWN = 6


def ordnance_set_up_ideas(sketch: Sketch) -> list[Idea]:
    """The next Gun to point or hide, or the next vehicle for which the author suggests nothing."""
    for weapon in sketch.state.weapons.values():
        found = list(_gun(sketch, weapon))
        if found:
            return found
    for vehicle in unplaced_vehicles(sketch.state, sketch.seat):
        if vehicle.id not in sketch.context.scenario.suggested:
            return _vehicle(sketch, vehicle)
    return []


def _gun(sketch: Sketch, weapon: Weapon) -> Iterator[Idea]:
    """Point a Gun that points nowhere, and hide it; the rules say where it may not be."""
    context, owner = sketch.context, sketch.state.units.get(weapon.owner)
    if owner is None or owner.side != sketch.seat or owner.hex is None or context.weapon_card(weapon).gun is None:
        return
    if weapon.facing < 0:
        facing = context.scenario.facings.get(weapon.id, -1)
        if facing < 0 or owner.hex != context.scenario.suggested.get(owner.id):
            facing = _approach(sketch, owner.hex)
        yield Idea(PlaceGun(weapon.id, facing, hidden=True), 0.6)
        yield Idea(PlaceGun(weapon.id, facing), 0.5)
    elif not weapon.hidden:
        yield Idea(PlaceGun(weapon.id, weapon.facing, hidden=True), 0.6)


def _enemies(sketch: Sketch) -> frozenset[Hex]:
    """Where the enemy stands, sets up or enters."""
    scenario = sketch.context.scenario
    found = {unit.hex for unit in sketch.theirs if unit.hex is not None}
    for places in (scenario.zones, scenario.entry):
        for force, hexes in places.items():
            if scenario.side_of[force] == sketch.enemy:
                found |= set(hexes)
    return frozenset(found)


def _approach(sketch: Sketch, hex: Hex) -> int:
    """The hexspine in whose arc most of the ground is seen over which the enemy will come."""
    context, enemies = sketch.context, _enemies(sketch)
    march = sketch.book.march(enemies) if enemies else {}
    here = march.get(hex, 0.0)
    seen = [
        (there, 1.0 if march.get(there, 0.0) <= here else BEHIND)
        for there in sorted(context.game_map.hexes)
        if there != hex and distance(hex, there) <= WATCHED and context.sees(sketch.state, hex, there)
    ]

    def covered(spine: int) -> float:
        return sum([weight for there, weight in seen if in_covered_arc(hex, spine, there)])

    return max(SPINES, key=lambda spine: (covered(spine), -spine))


def _vehicle(sketch: Sketch, vehicle: Vehicle) -> list[Idea]:
    """A vehicle in the hex of its area that is nearest to where it is wanted, or farthest on the enemy's way."""
    context = sketch.context
    goals = sketch.wanted() or sketch.guarded() or _enemies(sketch)
    drive = sketch.book.drive(goals, context.vehicle_card(vehicle).type) if goals else {}
    able = [
        hex
        for hex in sorted(context.scenario.zones[vehicle.force])
        if refuse_vehicle_hex(context, sketch.state, vehicle, hex) is None
    ]
    able.sort(key=lambda hex: (drive.get(hex, 0.0), hex))
    found = []
    for number, hex in enumerate(able[:SHOWN]):
        vca = _approach(sketch, hex)
        found.append(Idea(PlaceVehicle(vehicle.id, hex, vca, vca), 0.5 - 0.01 * number))
    return found
