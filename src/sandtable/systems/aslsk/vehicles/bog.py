"""7.6 Bog: the check of whoever enters woods or a building, and how a vehicle gets out again."""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.core.modifier import Breakdown, Modifier
from sandtable.systems.aslsk.armour.vehicle_effects import immobilize
from sandtable.systems.aslsk.common.context import Context, Play, TerrainKind
from sandtable.systems.aslsk.common.dice import roll_dr
from sandtable.systems.aslsk.common.fact import HALVES
from sandtable.systems.aslsk.pieces.state import Bog, Vehicle, VehicleDeed, VehicleId
from sandtable.systems.aslsk.pieces.vehicle_cards import GroundPressure, VehicleType
from sandtable.systems.aslsk.vehicles.driving_costs import DriveWay
from sandtable.systems.aslsk.vehicles.vehicle_events import BogChecked, BogRemovalRolled

__all__ = ["attempt_removal", "bog_number", "check_bog"]

_SHELTER = (TerrainKind.WOODS, TerrainKind.WOODEN_BUILDING, TerrainKind.STONE_BUILDING)
_PRESSURES = {GroundPressure.NORMAL: "normal_pressure", GroundPressure.HIGH: "high_pressure"}


def _drm(context: Context, cause: str) -> Modifier:
    return context.tables["bog"].modifier(cause)


@rule("7.6")
def bog_number(context: Context, vehicle: Vehicle, way: DriveWay, kind: VehicleDeed) -> Breakdown | None:
    """The DRM of the Bog Check that entering a hex asks for; None if it asks for none (7.6).

    A woods-road entered at the road rate is no woods.
    """
    if way.kind not in _SHELTER or (way.by_road and kind is VehicleDeed.ENTER):
        return None
    card = context.vehicle_card(vehicle)
    terms = []
    if card.ground_pressure in _PRESSURES:
        terms.append(_drm(context, _PRESSURES[card.ground_pressure]))
    if card.type is not VehicleType.FULLY_TRACKED:
        terms.append(_drm(context, "not_tracked"))
    woods = way.kind is TerrainKind.WOODS
    if woods and way.climbs:
        terms.append(_drm(context, "uphill_into_woods"))
    if kind is not VehicleDeed.ALL:
        terms.append(_drm(context, way.kind.value))
    return Breakdown("DRM", "7.6", tuple(terms))


@rule("7.6")
def check_bog(context: Context, play: Play, vehicle_id: VehicleId, drm: Breakdown) -> bool:
    """A Bog Check: whether the vehicle bogs (7.6)."""
    bogs_at = context.tables["bog"].number("bogs_at", "value")
    roll = roll_dr(play, f"{vehicle_id} Bog Check", (bogs_at - drm.total - 1,))
    bogged = roll.total + drm.total >= bogs_at
    play.emit(BogChecked(vehicle_id, roll.faces, drm, bogged))
    return bogged


@rule("7.6")
def attempt_removal(context: Context, play: Play, vehicle_id: VehicleId) -> int:
    """Try to get out of Bog: halves of MP that the attempt takes (7.6).

    The start costs coloured times white dr, twice that if the vehicle is not tracked; the coloured die says whether it
    is free, Mired, or immobilized.
    """
    numbers = context.tables["bog_removal"].number
    vehicle = play.state.vehicles[vehicle_id]
    roll = roll_dr(play, f"{vehicle_id} Bog removal")
    coloured, white = roll.faces
    final = coloured + (numbers("mired_drm") if vehicle.bog is Bog.MIRED else 0)
    halves = HALVES * coloured * white
    if context.vehicle_card(vehicle).type is not VehicleType.FULLY_TRACKED:
        halves *= numbers("not_tracked_times")
    stuck = Bog.MIRED if final == numbers("mired_at") else vehicle.bog
    bog = Bog.NONE if final <= numbers("freed_to") else stuck
    play.emit(BogRemovalRolled(vehicle_id, roll.faces, final, bog))
    if final > numbers("mired_at"):
        immobilize(play, vehicle_id, why="stuck in Bog", number="7.6")
    return halves
