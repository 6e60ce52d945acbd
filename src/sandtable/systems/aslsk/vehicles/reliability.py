"""3.3.2 Mechanical reliability and stalling: what a start may come to."""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.systems.aslsk.armour.vehicle_effects import immobilize
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.dice import roll_dr
from sandtable.systems.aslsk.common.fact import HALVES
from sandtable.systems.aslsk.pieces.state import VehicleId
from sandtable.systems.aslsk.vehicles.vehicle_events import ReliabilityChecked, StallRolled

__all__ = ["check_reliability", "stall_halves"]


@rule("3.3.2")
def check_reliability(context: Context, play: Play, vehicle_id: VehicleId) -> bool:
    """The DR of a vehicle with red MP, or that may stall, when it starts; whether it runs (3.3.2, notes)."""
    card = context.vehicle_card(play.state.vehicles[vehicle_id])
    if not card.red_mp and not card.stall:
        return True
    cuts = {number + off for number in (card.stall, card.breaks_down_at) if number for off in (-1, 0)}
    roll = roll_dr(play, f"{vehicle_id} mechanical reliability", sorted(cuts))
    broken = card.red_mp and roll.total == card.breaks_down_at
    stalled = not broken and bool(card.stall) and roll.total == card.stall
    result = "breaks down" if broken else "stalls" if stalled else "runs"
    play.emit(ReliabilityChecked(vehicle_id, roll.faces, result))
    if broken:
        immobilize(play, vehicle_id, why="mechanical breakdown", number="3.3.2")
    return not broken and not stalled


@rule("3.3.2")
def stall_halves(play: Play, vehicle_id: VehicleId) -> int:
    """Halves of MP that a stalled vehicle has used in Delay, stopping included: a DR of MP (notes)."""
    roll = roll_dr(play, f"{vehicle_id} stalls")
    play.emit(StallRolled(vehicle_id, roll.faces))
    return HALVES * roll.total
