"""3.1 g, 7.10 Shock and Unconfirmed Kill: a dr at the end of every RPh removes the counter, or makes it worse."""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.systems.aslsk.armour.vehicle_effects import eliminate_vehicle
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.dice import roll_single
from sandtable.systems.aslsk.common.facts import armour_events as ev
from sandtable.systems.aslsk.pieces.state import Shock, VehicleId

__all__ = ["recuperate"]


@rule("3.1", "7.10")
def recuperate(context: Context, play: Play) -> None:
    """Every shocked AFV of both sides, the ATTACKER's first, makes its dr (3.1 g, 7.10)."""
    state = play.state
    shocked = [vehicle for vehicle in state.vehicles.values() if vehicle.in_play and vehicle.is_shocked]
    for vehicle in sorted(shocked, key=lambda one: one.side != state.attacker):
        _roll(context, play, vehicle.id)


def _roll(context: Context, play: Play, vehicle_id: VehicleId) -> None:
    before = play.state.vehicles[vehicle_id].shock
    best = context.tables["recuperation"].number(before.value)
    roll = roll_single(play, f"{vehicle_id} recuperation from {before.value}", (best,))
    play.emit(ev.RecuperationRolled(vehicle_id, roll, before, Shock.NONE if roll <= best else Shock.UNCONFIRMED_KILL))
    if roll > best and before is Shock.UNCONFIRMED_KILL:
        eliminate_vehicle(play, vehicle_id, why="no recuperation from an Unconfirmed Kill")
