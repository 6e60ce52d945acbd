"""7.10, 7.12 Inherent crews: their Morale Checks, and attacks on the IFT against one that is Crew Exposed.

Every CE crew is attacked by itself with the DR of the attack, whoever else is in the hex: a KIA or K of it is not
shared with Infantry by random selection (ruling).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sandtable.core.content.rule import rule
from sandtable.core.modifier import Breakdown, Modifier
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.armour.vehicle_effects import button_up, stun
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.dice import BOXCARS, DR
from sandtable.systems.aslsk.common.facts import armour_events as ev
from sandtable.systems.aslsk.common.numbers import numbers_of
from sandtable.systems.aslsk.effects.ift import IftKind, IftResult, ift_of
from sandtable.systems.aslsk.pieces.state import Stun, Vehicle, VehicleId

__all__ = ["CrewAttack", "crew_check", "crew_cover", "crew_number", "exposed_crews", "strike_crew", "suffer_result"]


class CrewAttack(NamedTuple):
    """An attack on the IFT against a CE crew, with its dice."""

    kind: str
    column: int
    """Number of the IFT column used, after cowering; -1 left of the lowest."""
    faces: tuple[int, ...]
    """Of the original DR."""
    terms: tuple[Modifier, ...] = ()
    """What modifies it apart from CE and TEM."""
    covered: bool = True
    """Whether the CE DRM or the TEM of the hex modify it: not where they modified a To Hit DR (3.2.4)."""
    firepower: Breakdown | None = None
    """How the FP came about, where that is known."""


@rule("7.7", "7.12")
def crew_cover(context: Context, hex: Hex) -> Modifier:
    """The +2 of a CE crew, or the TEM of the hex if that is more: they do not add up (7.7, 7.12)."""
    place = context.ground.place(hex)
    exposed = numbers_of(context).ift_drm["crew_exposed"]
    return Modifier(place.tem, place.kind.value, "1.1.1") if place.tem > exposed.value else exposed


def exposed_crews(vehicles: Sequence[Vehicle]) -> list[VehicleId]:
    """Those of some vehicles whose crew can be attacked by itself: CE, and no wreck (7.12)."""
    return [vehicle.id for vehicle in vehicles if vehicle.exposed and vehicle.in_play]


@rule("7.12")
def strike_crew(context: Context, play: Play, vehicle_id: VehicleId, attack: CrewAttack) -> IftResult:
    """Resolve an attack against the CE crew of one AFV, and apply what comes of it (7.12)."""
    vehicle = play.state.vehicles[vehicle_id]
    assert vehicle.hex is not None  # noqa: S101 - it is on the map
    ift = ift_of(context)
    terms = (*attack.terms, crew_cover(context, vehicle.hex)) if attack.covered else attack.terms
    drm = Breakdown("DRM", "7.12", terms)
    result = ift.result(attack.column, sum(attack.faces) + drm.total)
    fp = ift.fp(attack.column)
    firepower = attack.firepower or Breakdown("Firepower", "7.12", base=fp, base_label=attack.kind, result=fp)
    play.emit(ev.CrewAttacked(attack.kind, vehicle_id, vehicle.hex, firepower, drm, attack.faces, fp, result.text))
    suffer_result(context, play, vehicle_id, result)
    return result


@rule("3.2.3", "7.10")
def suffer_result(context: Context, play: Play, vehicle_id: VehicleId, result: IftResult) -> None:
    """What a result of the IFT does to a CE crew: K and KIA STUN it, checks may Stun it or shut its hatches (3.2.3)."""
    if result.kind in (IftKind.KIA, IftKind.K):
        stun(context, play, vehicle_id, recall=True)
    elif result.kind is IftKind.MC:
        total, number = crew_check(context, play, vehicle_id, result.text, result.number)
        if total == BOXCARS:
            stun(context, play, vehicle_id, recall=True)
        elif total > number:
            stun(context, play, vehicle_id)
        elif total == number:
            button_up(play, vehicle_id)
    elif result.kind is IftKind.PTC:
        total, number = crew_check(context, play, vehicle_id, result.text)
        if total > number:
            button_up(play, vehicle_id)


@rule("7.10")
def crew_number(context: Context, vehicle: Vehicle, check: str, drm: int = 0) -> Breakdown:
    """The highest DR with which a crew passes: its morale, less the DRM of the check and of a past Stun (7.10).

    A PTC is no MC, so that a past Stun does not count for it.
    """
    terms = [Modifier(-drm, check, "3.2.3")] if drm else []
    if vehicle.stun is Stun.PLUS_ONE and check != IftKind.PTC:
        after = numbers_of(context).ift_drm["stunned_before"]
        terms.append(Modifier(-after.value, after.label, after.rule))
    return Breakdown(check, "7.10", tuple(terms), context.vehicle_card(vehicle).crew_morale, "morale of the crew")


@rule("7.10")
def crew_check(context: Context, play: Play, vehicle_id: VehicleId, check: str, drm: int = 0) -> tuple[int, int]:
    """A MC or PTC of a crew: the original DR, and the highest that passes (7.10)."""
    number = crew_number(context, play.state.vehicles[vehicle_id], check, drm)
    cuts = sorted({number.total - 1, number.total, BOXCARS - 1})
    roll = play.dice.roll(DR, f"{vehicle_id} crew {check}", cuts)
    passed = roll.total <= number.total and roll.total != BOXCARS
    play.emit(ev.CrewChecked(vehicle_id, check, roll.faces, number, passed))
    return roll.total, number.total
