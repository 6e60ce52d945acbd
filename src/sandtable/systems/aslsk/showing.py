"""What events look like on the map."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sandtable.core.showing import Shown
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.common.facts import armour_events as ar
from sandtable.systems.aslsk.common.facts import manhandling_events as mh
from sandtable.systems.aslsk.common.facts import melee_events as me
from sandtable.systems.aslsk.common.facts import vehicle_fire_events as vf
from sandtable.systems.aslsk.pieces.state import Mark, WeaponState

__all__ = ["Showings"]


def _check(
    *,
    units: tuple[str, ...] = (),
    firers: tuple[str, ...] = (),
    hex: str = "",
    faces: tuple[int, ...],
    number: int,
    done: bool,
    words: tuple[str, str],
) -> Shown:
    """A roll that must not be higher than a number."""
    return Shown(
        kind="result",
        units=units,
        firers=firers,
        hex=hex,
        faces=faces,
        needed=f"{number} or less",
        rolled=f"{sum(faces)}",
        effect=words[0] if done else words[1],
        came_off=done,
    )


def _sum(faces: tuple[int, ...], drm: int) -> str:
    return f"{sum(faces)} {drm:+d} = {sum(faces) + drm}" if drm else f"{sum(faces)}"


def _effect(words: str) -> Callable[[Any], Shown]:
    return lambda e: Shown(kind="effect", units=(e.unit,), effect=words)


def _on_vehicle(words: str) -> Callable[[Any], Shown]:
    return lambda e: Shown(kind="effect", units=(e.vehicle,), effect=words)


def _phase(_: object) -> Shown:
    return Shown(kind="phase")


class Showings:
    """Shows what happens in one game."""

    def __init__(self, context: Context) -> None:
        self._context = context
        hex = self._hex
        self._events: dict[type, Callable[[Any], Shown]] = {
            ev.TurnBegan: _phase,
            ev.PhaseBegan: _phase,
            ev.SetUpFinished: _phase,
            ev.GameEnded: _phase,
            ev.UnitPlaced: lambda e: Shown(kind="move", units=(e.unit,), hex=hex(e.hex)),
            ev.UnitsMoved: lambda e: Shown(kind="move", units=e.units, hex=hex(e.hex)),
            ev.UnitsAdvanced: lambda e: Shown(kind="move", units=e.units, hex=hex(e.hex)),
            ev.UnitsExited: lambda e: Shown(kind="move", units=e.units),
            ev.UnitRouted: lambda e: Shown(
                kind="move", units=(e.unit, e.escort) if e.escort else (e.unit,), hex=hex(e.hex)
            ),
            ev.FireDeclared: lambda e: Shown(kind="fire", firers=(*e.units, *e.weapons), hex=hex(e.target)),
            ev.Interdicted: lambda e: Shown(kind="fire", units=(e.unit,), firers=e.by, hex=hex(e.hex)),
            ev.FireResolved: self._fire,
            ev.OrdnanceResolved: self._ordnance,
            ev.ShotDeclared: lambda e: Shown(kind="fire", firers=(e.firer,), hex=hex(e.target)),
            ev.ShotResolved: self._shot,
            ev.CloseCombatResolved: self._close_combat,
            me.VehicleAssaulted: lambda e: Shown(
                kind="result",
                units=(e.vehicle,),
                firers=e.by,
                hex=hex(e.hex),
                faces=e.faces,
                needed=f"{e.value.total} or less",
                rolled=_sum(e.faces, e.drm.total),
                effect=_COMBATS.get(e.result, e.result),
                came_off=e.result != "none",
            ),
            me.VehicleFought: lambda e: Shown(
                kind="result",
                units=e.against,
                firers=(e.vehicle,),
                hex=hex(e.hex),
                faces=e.faces,
                needed=f"{e.kill.total} or less at {e.odds}",
                rolled=_sum(e.faces, e.drm.total),
                effect=_COMBATS.get(e.result, e.result),
                came_off=e.result != "none",
            ),
            mh.ManhandlingRolled: lambda e: _check(
                units=e.units,
                hex=hex(e.hex),
                faces=e.faces,
                number=e.number.total,
                done=e.result != "stays",
                words=(e.result, e.result),
            ),
            ev.MoraleChecked: lambda e: _check(
                units=(e.unit,),
                faces=e.faces,
                number=e.number.total,
                done=e.passed,
                words=(f"{e.check} passed", f"{e.check} failed"),
            ),
            ev.RallyAttempted: lambda e: _check(
                units=(e.unit,),
                faces=e.faces,
                number=e.number.total,
                done=e.rallied,
                words=("rallies", "does not rally"),
            ),
            ev.PanzerfaustChecked: lambda e: _check(
                units=(e.unit,), faces=(e.roll,), number=e.number.total, done=e.found, words=("has one", "has none")
            ),
            ev.SmokeRolled: lambda e: _check(
                units=(e.unit,),
                hex=hex(e.hex),
                faces=(e.roll,),
                number=e.number.total,
                done=e.placed,
                words=("smoke", "no smoke"),
            ),
            ev.RecoveryAttempted: lambda e: _check(
                units=(e.unit,),
                faces=(e.roll,),
                number=e.number.total,
                done=e.recovered,
                words=("recovered", "not recovered"),
            ),
            ev.RepairAttempted: lambda e: Shown(
                kind="result", units=(e.unit,), faces=(e.roll,), rolled=f"{e.roll}", effect=_REPAIRS[e.result]
            ),
            ev.WoundRolled: lambda e: Shown(
                kind="result",
                units=(e.unit,),
                faces=(e.roll,),
                rolled=f"{e.roll}",
                effect="killed" if e.killed else "wounded",
            ),
            ev.LeaderCreated: lambda e: Shown(
                kind="result",
                units=(e.unit,),
                faces=(e.roll,),
                rolled=_sum((e.roll,), e.number.total),
                effect="a leader" if e.leader is not None else "no leader",
                came_off=e.leader is not None,
            ),
            ev.BackblastStruck: lambda e: Shown(
                kind="result",
                hex=hex(e.hex),
                faces=(e.roll,),
                rolled=f"{e.roll}",
                effect=f"backblast: {e.result or 'no effect'}",
            ),
            ev.AmbushRolled: lambda e: Shown(
                kind="result",
                hex=hex(e.hex),
                faces=tuple(e.rolls.values()),
                rolled=", ".join(f"{seat.title()} {roll}" for seat, roll in e.rolls.items()),
                effect=f"ambush by {e.ambusher.title()}" if e.ambusher else "no ambush",
            ),
            ev.DiceDealt: lambda e: Shown(kind="result", faces=(e.roll,), rolled=f"{e.roll}", effect=e.title),
            ev.UnitBroke: _effect("breaks"),
            ev.Desperation: _effect("DM"),
            ev.UnitPinned: _effect("pinned"),
            ev.UnitReduced: _effect("reduced"),
            ev.UnitReplaced: _effect("replaced"),
            ev.UnitEliminated: _effect("eliminated"),
            ev.WeaponMalfunctioned: lambda e: Shown(kind="effect", units=(e.weapon,), effect="malfunctions"),
            ev.WeaponRemoved: lambda e: Shown(kind="effect", units=(e.weapon,), effect="gone"),
            ev.MarksPlaced: lambda e: Shown(
                kind="mark",
                units=(*e.units, *e.weapons),
                effect=e.mark.value if e.mark is not Mark.NONE else "",
            ),
            ev.CounterExhausted: lambda e: Shown(kind="mark", units=e.units, effect="CX" if e.cx else ""),
            ev.DesperationKept: lambda e: Shown(kind="mark", units=e.units, effect="keeps DM"),
            ev.DesperationLifted: lambda e: Shown(kind="mark", units=e.units, effect="no DM"),
            ev.WeaponPossessed: lambda e: Shown(kind="mark", units=(e.weapon,), hex=hex(e.hex)),
            ev.ResidualPlaced: lambda e: Shown(kind="mark", hex=hex(e.hex), effect=f"{e.fp} residual FP"),
            ev.SmokePlaced: lambda e: Shown(kind="mark", hex=hex(e.hex), effect="smoke"),
            ev.DemolitionPlaced: lambda e: Shown(kind="mark", hex=hex(e.hex), effect="DC placed"),
            ev.HexesBlocked: lambda e: Shown(kind="mark", hex=hex(e.target), effect="no LOS"),
            ev.MeleeHeld: lambda e: Shown(
                kind="mark", units=e.units, hex=hex(e.hex), effect="Melee" if e.units else "no more Melee"
            ),
            ev.Revealed: lambda e: Shown(kind="mark", units=(*e.units, *e.weapons), effect="revealed"),
            ev.ReinforcementsArrived: lambda e: Shown(kind="mark", units=e.units),
            ar.ToKillResolved: lambda e: Shown(
                kind="result",
                units=(e.vehicle,),
                firers=(e.by,) if e.by else (),
                faces=e.faces,
                needed=f"less than {e.number.total}",
                rolled=f"{sum(e.faces)}",
                effect="dud" if e.dud else e.result or "no effect",
                came_off=bool(e.result),
            ),
            ar.AreaHitResolved: self._on_ift,
            ar.CrewAttacked: self._on_ift,
            ar.CrewChecked: lambda e: _check(
                units=(e.vehicle,),
                faces=e.faces,
                number=e.number.total,
                done=e.passed,
                words=(f"{e.check} passed", f"{e.check} failed"),
            ),
            ar.ChargePositioned: lambda e: Shown(
                kind="result",
                units=(e.vehicle,),
                faces=e.faces,
                rolled=_sum(e.faces, e.drm.total),
                effect=f"on the {e.lies}",
            ),
            ar.CrewButtonedUp: _on_vehicle("buttons up"),
            ar.VehicleEliminated: _on_vehicle("wreck"),
            ar.VehicleImmobilized: _on_vehicle("immobilized"),
            ar.VehicleShocked: _on_vehicle("shocked"),
            ar.VehicleStunned: lambda e: Shown(
                kind="effect", units=(e.vehicle,), effect="STUNNED" if e.recall else "Stunned"
            ),
            ar.VehicleRecalled: _on_vehicle("recalled"),
            ar.RecuperationRolled: lambda e: Shown(
                kind="result",
                units=(e.vehicle,),
                faces=(e.roll,),
                rolled=f"{e.roll}",
                effect=e.after.value or "recuperates",
                came_off=not e.after.value,
            ),
            vf.VehicleFireDeclared: lambda e: Shown(kind="fire", firers=(e.vehicle,), hex=hex(e.target)),
            vf.VehicleTurned: lambda e: Shown(kind="mark", units=(e.vehicle,)),
            vf.VehicleGunsFired: lambda e: Shown(
                kind="mark", units=(e.vehicle,), effect=e.mark.value if e.mark is not Mark.NONE else ""
            ),
            vf.VehicleRepairAttempted: lambda e: Shown(
                kind="result", units=(e.vehicle,), faces=(e.roll,), rolled=f"{e.roll}", effect=_REPAIRS[e.result]
            ),
            vf.VehicleGunBroke: lambda e: Shown(
                kind="effect",
                units=(e.vehicle,),
                effect=f"{e.gun.value} {'malfunctions' if e.state is WeaponState.MALFUNCTIONED else 'disabled'}",
            ),
        }

    def show(self, event: ev.Event) -> Shown | None:
        """What is to be seen of an event, or None."""
        shown = self._events.get(type(event))
        return shown(event) if shown is not None else None

    def _hex(self, hex: Hex | None) -> str:
        return "" if hex is None or hex not in self._context.game_map.facts else self._context.label(hex)

    def _fire(self, event: ev.FireResolved) -> Shown:
        return Shown(
            kind="result",
            units=event.targets,
            hex=self._hex(event.target),
            faces=event.faces,
            needed=f"{event.column} FP column{', cowers' if event.cowered else ''}",
            rolled=_sum(event.faces, event.drm.total),
            effect=event.result or "no effect",
            came_off=bool(event.result),
        )

    def _on_ift(self, event: ar.AreaHitResolved | ar.CrewAttacked) -> Shown:
        return Shown(
            kind="result",
            units=(event.vehicle,),
            faces=event.faces,
            needed=f"{event.column} FP column",
            rolled=_sum(event.faces, event.drm.total),
            effect=event.result or "no effect",
            came_off=bool(event.result),
        )

    def _ordnance(self, event: ev.OrdnanceResolved) -> Shown:
        return _check(
            firers=(event.weapon or event.unit,),
            hex=self._hex(event.target),
            faces=event.faces,
            number=event.number.total,
            done=event.hit,
            words=("critical hit" if event.critical else "hit", "miss"),
        )

    def _shot(self, event: ev.ShotResolved) -> Shown:
        return _check(
            units=event.hit,
            firers=(event.firer,),
            hex=self._hex(event.target),
            faces=event.faces,
            number=event.number.total,
            done=event.landed,
            words=("critical hit" if event.critical else "hit", "miss"),
        )

    def _close_combat(self, event: ev.CloseCombatResolved) -> Shown:
        return Shown(
            kind="result",
            units=tuple(event.attack.against),
            hex=self._hex(event.hex),
            faces=event.faces,
            needed=f"{event.kill.total} or less at {event.odds}",
            rolled=_sum(event.faces, event.drm.total),
            effect=_COMBATS.get(event.result, event.result),
            came_off=event.result != "none",
        )


_REPAIRS = {"repaired": "repaired", "removed": "gone", "none": "no effect"}
_COMBATS = {"none": "no effect", "reduced": "casualty reduction"}
