"""7.12 Fire on the IFT at a hex with vehicles: the crews in it that are Crew Exposed, and what the attack does to them.

In the MPh of a vehicle only that vehicle is a target (3.3.3). A buttoned up crew is safe.
"""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.armour.crew import CrewAttack, exposed_crews, strike_crew
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.vehicles_here import enemy_vehicles_at
from sandtable.systems.aslsk.effects.attack import Attack, Resolved
from sandtable.systems.aslsk.pieces.state import State, UnderWay, VehicleId

__all__ = ["crews_under_fire", "strike_crews"]

_COVER = ("1.1.1", "7.4")
"""Terms of cover, which are not added to the +2 of a CE crew (7.7)."""


@rule("3.2.2.1", "3.3.3", "7.12")
def crews_under_fire(state: State, seat: str, hex: Hex, moving: UnderWay | None) -> tuple[VehicleId, ...]:
    """The CE crews that fire of a side on a hex affects: in the MPh of the vehicle that moves alone (3.3.3, 7.12)."""
    if not state.vehicles:
        return ()
    crews = exposed_crews(enemy_vehicles_at(state, hex, seat))
    return tuple([crew for crew in crews if moving is None or crew == moving.vehicle])


@rule("7.7", "7.12")
def strike_crews(
    context: Context, play: Play, attack: Attack, resolved: Resolved, crews: tuple[VehicleId, ...]
) -> None:
    """The same DR against every CE crew in the hex, with its own cover (7.7, 7.12)."""
    terms = tuple(term for term in attack.drm.terms if term.rule not in _COVER)
    for vehicle_id in crews:
        strike_crew(
            context,
            play,
            vehicle_id,
            CrewAttack(attack.kind, resolved.column, resolved.roll.faces, terms, firepower=attack.firepower),
        )
