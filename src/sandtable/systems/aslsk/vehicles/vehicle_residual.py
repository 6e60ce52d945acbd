"""3.3.5 Residual FP against a vehicle that spends MP: it can hurt a CE crew and nobody else."""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.core.modifier import Modifier
from sandtable.systems.aslsk.armour.crew import CrewAttack, crew_cover, strike_crew
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.dice import roll_dr
from sandtable.systems.aslsk.effects.ift import ift_of
from sandtable.systems.aslsk.pieces.state import VehicleMoving

__all__ = ["residual_on_crew"]


@rule("3.3.5")
def residual_on_crew(context: Context, play: Play, frame: VehicleMoving) -> int | None:
    """Residual FP attacks a CE crew once a location, and again only at a better DRM: the DRM, if it does (3.3.5)."""
    state = play.state
    vehicle = state.vehicles[frame.vehicle]
    fp = next((counter.fp for counter in state.residual if counter.hex == vehicle.hex), 0)
    if not fp or vehicle.hex is None or not vehicle.exposed:
        return None
    smoke = context.smoke_at(state, vehicle.hex)
    terms = (Modifier(smoke, "Smoke", "1.2.5"),) if smoke else ()
    drm = crew_cover(context, vehicle.hex).value + smoke
    if frame.residual_drm is not None and drm >= frame.residual_drm:
        return None
    faces = roll_dr(play, "Residual FP").faces
    strike_crew(context, play, vehicle.id, CrewAttack("Residual FP", ift_of(context).number(fp), faces, terms))
    return drm
