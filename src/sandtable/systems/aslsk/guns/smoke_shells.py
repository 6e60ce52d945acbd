"""1.2.5, 6.2 Smoke and White Phosphorus fired by ordnance: the counter that a hit places, and what WP does besides."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core.content.rule import rule
from sandtable.systems.aslsk.armour.crew import crew_cover, exposed_crews, suffer_result
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.hidden import reveal
from sandtable.systems.aslsk.common.stacking import at
from sandtable.systems.aslsk.common.vehicles_here import vehicles_at
from sandtable.systems.aslsk.effects.casualties import LeaderLoss
from sandtable.systems.aslsk.effects.ift import IftKind, IftResult
from sandtable.systems.aslsk.effects.morale import Check, check_all, settle_leader_losses
from sandtable.systems.aslsk.fire.drm import approach_of, tem_terms
from sandtable.systems.aslsk.fire.fire import targets_of
from sandtable.systems.aslsk.fire.firers import Fireground, FireMode
from sandtable.systems.aslsk.guns.gun_hit import is_air_burst, own_cover
from sandtable.systems.aslsk.guns.gun_to_hit import Shot
from sandtable.systems.aslsk.pieces.armament import Ammo
from sandtable.systems.aslsk.pieces.state import SmokeKind, State, UnderWay, UnitId

__all__ = ["place_smoke"]

_CHECK = "WP NMC"
_COUNTERS = {
    (Ammo.SMOKE, True): SmokeKind.FULL,
    (Ammo.SMOKE, False): SmokeKind.DISPERSED,
    (Ammo.WP, True): SmokeKind.WP,
    (Ammo.WP, False): SmokeKind.DISPERSED_WP,
}


@rule("1.2.5", "6.2")
def place_smoke(ground: Fireground, play: Play, shot: Shot, moving: UnderWay | None, *, critical: bool) -> None:
    """Full in the PFPh, dispersed in the DFPh or MPh; WP shakes those whom it hits (1.2.5, 6.2)."""
    kind = _COUNTERS[shot.ammo, shot.mode is FireMode.PREP]
    play.emit(ev.SmokePlaced(shot.target, kind, ground.seat))
    if shot.ammo is Ammo.WP:
        _shake(ground, play, shot, moving, critical=critical)


@rule("6.2")
def _shake(ground: Fireground, play: Play, shot: Shot, moving: UnderWay | None, *, critical: bool) -> None:
    """Units of both sides and CE crews take a NMC, which TEM eases and a Critical Hit makes worse (6.2).

    Broken ones come under DM first, as by any attack that could inflict a NMC (3.2.3).
    """
    context, state, hex = ground.context, play.state, shot.target
    if moving is None:
        struck = tuple([unit.id for unit in at(context, state, hex)])
        crews = exposed_crews(vehicles_at(state, hex))
    else:
        struck = targets_of(context, state, ground.seat, hex, moving)
        crews = exposed_crews([vehicle for vehicle in vehicles_at(state, hex) if vehicle.id == moving.vehicle])
    reveal(context, play, struck, "WP hits it")
    for unit_id in struck:
        if play.state.units[unit_id].broken and not play.state.units[unit_id].dm:
            play.emit(ev.Desperation(unit_id, _CHECK))
    checks = _checks(context, play.state, shot, struck, moving, critical=critical)
    losses: list[LeaderLoss] = []
    check_all(context, play, checks, losses)
    settle_leader_losses(context, play, losses)
    drm = 1 if is_air_burst(context, shot) else (1 if critical else -1) * crew_cover(context, hex).value
    for vehicle_id in crews:
        suffer_result(context, play, vehicle_id, IftResult(_CHECK, IftKind.MC, drm))


@rule("6.2", "6.3", "7.4")
def _checks(
    context: Context, state: State, shot: Shot, struck: Sequence[UnitId], moving: UnderWay | None, *, critical: bool
) -> dict[UnitId, Check]:
    """The NMC of each, by the TEM that it has against the shot; shells in trees make it worse instead (1.1.1, 6.2)."""
    burst, way = is_air_burst(context, shot), 1 if critical else -1
    here, lobbed = (shot.barrel.hex,), shot.barrel.is_mortar
    terms = () if burst else tem_terms(context, here, shot.target, approach_of(moving), lobbed=lobbed)
    checks = {}
    for unit_id in struck:
        cover = (*terms, *own_cover(context, state, shot, unit_id, terms))
        checks[unit_id] = Check(_CHECK, burst + way * sum(term.value for term in cover))
    return checks
