"""What events look like on the map."""

from __future__ import annotations

from sandtable.core.showing import Shown
from sandtable.systems.panzer import events as shared
from sandtable.systems.panzer.combat.fire_events import (
    BailOutRolled,
    BlastResolved,
    CrewBailedOut,
    EngagementAnnounced,
    HitResolved,
)
from sandtable.systems.panzer.hex import events as ev
from sandtable.systems.panzer.hex import mission_events as me
from sandtable.systems.panzer.hex.context import Context

__all__ = ["show"]

_ARMOUR_EFFECTS = {"none": "no penetration", "damaged": "damaged", "KO": "knocked out", "BU": "brewed up"}


def show(context: Context, event: shared.Event) -> Shown | None:  # noqa: C901, PLR0912 - one line an event
    """What is to be seen of an event, or None."""
    label = context.game_map.label
    match event:
        case shared.TurnBegan() | shared.PhaseBegan() | shared.FirstPlayerChosen() | shared.GameEnded():
            return Shown(kind="phase")
        case shared.InitiativeRolled():
            rolled = ", ".join(f"{seat.title()} {roll}" for seat, roll in event.rolls.items())
            effect = f"{event.winner.title()} chooses" if event.winner else "a tie: again"
            return Shown(kind="result", faces=tuple(event.rolls.values()), rolled=rolled, effect=effect)
        case shared.FireAnnounced():
            return Shown(kind="fire", units=(event.target,), firers=tuple(shot.firer for shot in event.shots))
        case shared.ShotResolved():
            return Shown(
                kind="result",
                units=(event.target,),
                firers=(event.firer,),
                faces=(event.roll,),
                needed=f"{event.number.total} or less",
                rolled=f"{event.roll}",
                effect="hit" if event.hit else "miss",
                came_off=event.hit,
            )
        case shared.ArmourStruck():
            return Shown(
                kind="result",
                units=(event.target,),
                firers=(event.firer,),
                needed=f"{event.aspect.value} armor {event.armour}",
                rolled=f"penetration {event.penetration}",
                effect=_ARMOUR_EFFECTS.get(event.effect, event.effect),
                came_off=event.effect != "none",
            )
        case BlastResolved():
            return Shown(
                kind="result",
                units=(event.target,),
                faces=(event.roll,),
                needed=f"GP {event.factor} against {event.defense}",
                rolled=f"{event.roll} {event.modifier.total:+d}",
                effect=event.result,
                came_off=event.result != "No Effect",
            )
        case BailOutRolled():
            effect = "leaves" if event.leaves else "stays"
            return Shown(kind="result", units=(event.unit,), faces=(event.roll,), rolled=f"{event.roll}", effect=effect)
        case CrewBailedOut():
            return Shown(kind="effect", units=(event.unit,), effect="bailed out")
        case me.FireCalled():
            where = label(event.mission.target)
            return Shown(kind="fire", firers=(event.mission.observer,), hex=where, effect=event.mission.kind.value)
        case me.ResponseRolled():
            return Shown(
                kind="result",
                faces=(event.roll,),
                needed=f"{event.number.total} or more",
                rolled=f"{event.roll} {event.number.net:+d}",
                effect=event.response,
                came_off=event.response == "responds",
            )
        case me.FireMissed():
            return Shown(kind="effect", hex=label(event.hex), effect="Danger Close")
        case me.MissionSet():
            return Shown(kind="fire", hex=label(event.mission.target), effect=event.mission.kind.value)
        case shared.ShotWasted():
            return Shown(kind="fire", units=(event.target,), firers=(event.firer,))
        case shared.VehicleDamaged():
            return Shown(kind="effect", units=(event.unit,), effect="damaged")
        case ev.VehicleKnockedOut():
            return Shown(kind="effect", units=(event.unit,), hex=label(event.hex), effect="knocked out")
        case ev.VehicleBrewedUp():
            return Shown(kind="effect", units=(event.unit,), hex=label(event.hex), effect="brewed up")
        case shared.CommandRevealed():
            return Shown(kind="mark", units=(event.unit,), effect=event.command.value)
        case ev.UnitEntered():
            return Shown(kind="move", units=(event.unit,), hex=label(event.hex), facing=event.facing)
        case ev.UnitTurned():
            return Shown(kind="mark", units=(event.unit,), facing=event.facing)
        case ev.UnitMoved():
            return Shown(kind="move", units=(event.unit,), hex=label(event.hex))
        case ev.UnitExited():
            return Shown(kind="move", units=(event.unit,))
        case _:
            return _show_engagement(event)


def _show_engagement(event: shared.Event) -> Shown | None:
    """Fire of the Advanced Game."""
    match event:
        case EngagementAnnounced():
            firers = tuple(dict.fromkeys(shot.firer for shot in event.shots))
            return Shown(kind="fire", units=(event.target,), firers=firers)
        case HitResolved():
            return Shown(
                kind="result",
                units=(event.target,),
                firers=(event.firer,),
                faces=(event.roll,),
                needed=event.angle,
                rolled=f"{event.roll}",
                effect=f"{event.location} {event.effect}".strip(),
                came_off=event.effect not in ("miss", "stopped"),
            )
        case shared.UnitSuppressed():
            return Shown(kind="effect", units=(event.unit,), effect="suppressed")
        case shared.VehiclePartHit():
            return Shown(kind="effect", units=(event.unit,), effect=f"{event.part} hit")
        case shared.UnitReduced():
            return Shown(kind="effect", units=(event.unit,), effect="reduced")
        case shared.UnitEliminated():
            return Shown(kind="effect", units=(event.unit,), effect="eliminated")
        case _:
            return None
