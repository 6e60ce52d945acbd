"""What events look like on the table."""

from __future__ import annotations

from sandtable.core.showing import Shown
from sandtable.geo.plane.points import label
from sandtable.systems.panzer import events as shared
from sandtable.systems.panzer.combat.fire_events import HitResolved
from sandtable.systems.panzer.mini import events as ev
from sandtable.systems.panzer.unit import WreckKind

__all__ = ["show"]


def show(event: shared.Event) -> Shown | None:  # noqa: C901, PLR0912 - one line an event
    """What is to be seen of an event, or None."""
    match event:
        case shared.TurnBegan() | shared.PhaseBegan() | shared.FirstPlayerChosen() | shared.GameEnded():
            return Shown(kind="phase")
        case shared.InitiativeRolled(rolls, winner):
            rolled = ", ".join(f"{seat.title()} {roll}" for seat, roll in rolls.items())
            effect = f"{winner.title()} chooses" if winner else "a tie: again"
            return Shown(kind="result", faces=tuple(rolls.values()), rolled=rolled, effect=effect)
        case ev.SetUpRolled(rolls, first):
            rolled = ", ".join(f"{seat.title()} {roll}" for seat, roll in rolls.items())
            effect = f"{first.title()} sets up first" if first else "a tie: again"
            return Shown(kind="result", faces=tuple(rolls.values()), rolled=rolled, effect=effect)
        case ev.UnitsPlaced(places):
            at, _ = next(iter(places.values()))
            return Shown(kind="move", units=tuple(places), hex=label(at) if len(places) == 1 else "")
        case ev.UnitMoved(unit, at) | ev.UnitEntered(unit, at):
            return Shown(kind="move", units=(unit,), hex=label(at))
        case ev.UnitExited(unit) | ev.UnitTurnedBack(unit):
            return Shown(kind="move", units=(unit,))
        case ev.UnitPivoted(unit):
            return Shown(kind="mark", units=(unit,), effect="pivots")
        case ev.TurretsTurned(turrets):
            return Shown(kind="mark", units=tuple(turrets), effect="turrets turn")
        case shared.CommandRevealed(unit, command):
            return Shown(kind="mark", units=(unit,), effect=command.value)
        case shared.FireAnnounced():
            return Shown(kind="fire", units=(event.target,), firers=tuple(shot.firer for shot in event.shots))
        case ev.ShotFired():
            return Shown(
                kind="result",
                units=(event.target,),
                firers=(event.firer,),
                faces=(event.roll,),
                needed=f"{event.number.total} or less",
                rolled=f"{event.roll}",
                effect=f"{event.hits} hits" if event.hits > 1 else "hit" if event.hits else "miss",
                came_off=event.hits > 0,
            )
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
        case ev.WallRolled(unit, net, limit, harmed):
            effect = "harmed" if harmed else "through"
            return Shown(
                kind="result",
                units=(unit,),
                faces=(net.base,),
                needed=f"more than {limit}",
                rolled=f"{net.total}",
                effect=effect,
                came_off=not harmed,
            )
        case ev.WallHarmed(unit, roll, track):
            effect = "Track hit" if track else "Damaged"
            return Shown(kind="result", units=(unit,), faces=(roll,), rolled=f"{roll}", effect=effect)
        case shared.VehicleDamaged(unit):
            return Shown(kind="effect", units=(unit,), effect="damaged")
        case shared.VehiclePartHit(unit, part):
            return Shown(kind="effect", units=(unit,), effect=f"{part} hit")
        case ev.VehicleLost(unit, kind):
            effect = "brewed up" if kind is WreckKind.BU else "knocked out"
            return Shown(kind="effect", units=(unit,), effect=effect)
        case _:
            return None
