"""7.7 When a crew may change between CE and BU."""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.core.errors import Refusal
from sandtable.systems.aslsk.armour.vehicle_effects import has_given_up
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.pieces.state import Vehicle

__all__ = ["crew_turned", "refuse_after_fire", "refuse_crew"]


def crew_turned(vehicle: Vehicle) -> Refusal:
    """A crew opens or shuts its hatches once a phase."""
    return Refusal(
        "7.7", f"the crew of {vehicle.id} has changed between CE and BU in this phase", "change it in another phase"
    )


@rule("7.7")
def refuse_crew(context: Context, vehicle: Vehicle) -> Refusal | None:
    """Why a crew may not change between CE and BU: once a phase, and not back after a Pin or Stun (7.7, 7.10)."""
    if has_given_up(context, vehicle):
        return Refusal("7.10", f"the crew of {vehicle.id} was stunned and becomes CE no more", "leave it buttoned up")
    if vehicle.turned_crew:
        return crew_turned(vehicle)
    if vehicle.shut:
        return Refusal("7.10", f"the crew of {vehicle.id} buttoned up under fire", "become CE in a later player turn")
    return None


@rule("7.7")
def refuse_after_fire(vehicle: Vehicle) -> Refusal | None:
    """In its MPh a vehicle that has fired this player turn changes no more between CE and BU (7.7)."""
    if not vehicle.has_fired:
        return None
    return Refusal("7.7", f"{vehicle.id} has fired this player turn", "change in the APh")
