"""Events and actions in words. Events carry facts; this is the only place that words them."""

from __future__ import annotations

from sandtable.core.tree.drawing import drawing_text
from sandtable.geo.plane.points import label
from sandtable.systems.panzer import events as shared
from sandtable.systems.panzer.actions import ChooseFirstPlayer, Decline, Fire, Pass, PlaceCommands, RevealCommand
from sandtable.systems.panzer.combat.fire_events import HitResolved
from sandtable.systems.panzer.mini import events as ev
from sandtable.systems.panzer.mini.actions import (
    Action,
    ChooseAngle,
    ChooseZone,
    Deploy,
    Enter,
    HoldFire,
    Move,
    MoveOn,
    Pattern,
    Pivot,
    TurnTurrets,
)
from sandtable.systems.panzer.mini.context import Context
from sandtable.systems.panzer.mini.state import Until
from sandtable.systems.panzer.unit import UnitId, WreckKind

__all__ = ["Narrator"]


def _degrees(heading: int) -> str:
    return f"{heading / 10:g}"


def _held(until: Until, inches: int) -> str:
    return f"it comes within {inches} in" if until is Until.WITHIN else _UNTIL[until]


_UNTIL = {Until.LEAVES_COVER: "it leaves cover", Until.STOPS: "it stops", Until.MOVE_ENDS: "its move is over"}
_EFFECTS = {
    "miss": "hidden ground takes it: a miss",
    "track": "a Track hit",
    "stopped": "it does not penetrate",
    "ND": "no damage",
    "DM": "Damaged",
    "KO": "knocked out",
    "BU": "brewed up",
}


class Narrator:
    """Words what happens in one game."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def unit(self, unit: UnitId) -> str:
        """A vehicle by card and id."""
        found = self._context.scenario.units.get(unit)
        return str(unit) if found is None else self._context.name(found)

    def event(self, event: shared.Event) -> str:  # noqa: C901, PLR0912 - one line an event
        """An event in a sentence, "" for bookkeeping."""
        match event:
            case shared.TurnBegan(turn):
                return f"Turn {turn} begins."
            case shared.PhaseBegan(phase):
                return f"{phase.value} Phase."
            case ev.SetUpRolled(rolls, first):
                told = ", ".join(f"{seat.title()} {roll}" for seat, roll in rolls.items())
                return f"Set-up: {told}; {f'{first.title()} is first' if first else 'a tie: again'}."
            case ev.ZoneChosen(seat, zone):
                return f"{seat.title()} sets up in the {zone}."
            case ev.UnitsPlaced(places):
                stood = [
                    f"{self.unit(unit)} at {label(at)} facing {_degrees(way)}" for unit, (at, way) in places.items()
                ]
                return f"Set up: {', '.join(stood)}."
            case shared.CommandsPlaced(seat):
                return f"{seat.title()} has placed its orders."
            case shared.InitiativeRolled(rolls, winner):
                told = ", ".join(f"{seat.title()} {roll}" for seat, roll in rolls.items())
                return f"Initiative: {told}; {f'{winner.title()} chooses' if winner else 'a tie: again'}."
            case shared.FirstPlayerChosen(first):
                return f"{first.title()} is First Player."
            case shared.CommandRevealed(unit, command):
                return f"{self.unit(unit)} has {command.value}."
            case ev.OrderWasted(unit, command):
                return f"{self.unit(unit)} cannot carry {command.value} out: its fire is wasted."
            case shared.FireAnnounced(target, shots, overwatch):
                firers = ", ".join(self.unit(shot.firer) for shot in shots)
                return f"{'Overwatch: ' if overwatch else ''}{firers} fire on {self.unit(target)}."
            case ev.ShotFired(firer, target):
                told = "a miss" if not event.hits else "a hit" if event.hits == 1 else f"{event.hits} hits"
                far = f"{event.range_inches} in ({event.range_factor})"
                number = f"{event.roll} against {event.number.total}"
                return f"{self.unit(firer)}, {event.weapon}, {far} at {self.unit(target)}: {number}; {told}."
            case shared.ShotWasted(firer, target):
                return f"{self.unit(firer)} wastes its fire: {self.unit(target)} burns already."
            case HitResolved(_, target):
                where = f" {event.angle} {event.location}" if event.location else ""
                return f"{self.unit(target)} is hit, {event.roll}{where}: {_EFFECTS[event.effect]}."
            case shared.OverwatchDeclined(seat):
                return f"{seat.title()} does not fire overwatch."
            case ev.OverwatchHeld(seat, hold):
                return f"{seat.title()} holds its fire until {_held(hold.until, hold.inches)}."
            case shared.VehiclePartHit(unit):
                return f"{self.unit(unit)} cannot move any more."
            case ev.UnitMoved(unit, at, heading):
                return f"{self.unit(unit)} comes to {label(at)} facing {_degrees(heading)}, for {event.cost.total}."
            case ev.UnitEntered(unit, at, heading):
                return f"{self.unit(unit)} comes to the edge at {label(at)} facing {_degrees(heading)}."
            case ev.UnitTurnedBack(unit):
                return f"{self.unit(unit)} stays off the table."
            case ev.UnitExited(unit, edge):
                return f"{self.unit(unit)} leaves the table by the {edge} edge."
            case shared.MoveEnded(unit):
                return f"{self.unit(unit)} has moved: {event.spent} of {event.allowance} {event.rate}."
            case ev.UnitPivoted(unit, heading):
                return f"{self.unit(unit)} pivots to {_degrees(heading)}."
            case ev.TurretsTurned(turrets):
                told = ", ".join(f"{self.unit(unit)} to its {field.value}" for unit, field in turrets.items())
                return f"Turrets: {told}."
            case ev.WallRolled(unit, net, limit, harmed):
                told = "it is harmed" if harmed else "it gets through"
                return f"{self.unit(unit)} breaks through a wall: {net.total}, up to {limit} harms; {told}."
            case ev.WallHarmed(unit, roll, track):
                return f"{self.unit(unit)}: {roll}; {'a Track hit' if track else 'Damaged'}."
            case shared.VehicleDamaged(unit):
                return f"{self.unit(unit)} is Damaged."
            case ev.VehicleLost(unit, kind):
                return f"{self.unit(unit)} is {'brewed up' if kind is WreckKind.BU else 'knocked out'}."
            case shared.ObjectivesReviewed(objectives):
                held = [f"{name} by {one.holder.title()}" for name, one in objectives.items() if one.holder]
                return f"Objectives held: {', '.join(held) or 'none'}." if objectives else ""
            case shared.GameEnded(why):
                return f"The game is over: {why}."
            case _:
                return ""

    def action(self, action: Action) -> str:  # noqa: C901, PLR0912 - one line an action
        """An action in a phrase."""
        match action:
            case ChooseZone(zone):
                return f"set up in the {zone}"
            case Deploy(units, strokes, pattern):
                how = "" if pattern is Pattern.SINGLE else f" ({pattern.value})"
                return f"set up {', '.join(units)}{how}: {drawing_text(strokes)}"
            case PlaceCommands(commands):
                return f"place {', '.join(f'{unit} {order.value}' for unit, order in sorted(commands.items()))}"
            case ChooseFirstPlayer(first):
                return f"names {first.title()} First Player"
            case Enter(unit, strokes):
                return f"{self.unit(unit)} enters: {drawing_text(strokes)}"
            case Move(unit, strokes):
                return f"{self.unit(unit)}: {drawing_text(strokes)}"
            case MoveOn(unit, strokes):
                return f"{self.unit(unit)} goes on: {drawing_text(strokes)}" if strokes else f"{self.unit(unit)} stops"
            case Pivot(unit, strokes):
                return f"{self.unit(unit)} pivots: {drawing_text(strokes)}"
            case TurnTurrets(turrets):
                told = ", ".join(f"{unit} to its {field.value}" for unit, field in turrets.items())
                return f"turn turrets: {told or 'none'}"
            case Fire(target, shots):
                return f"fire on {self.unit(target)} by {', '.join(self.unit(shot.firer) for shot in shots)}"
            case Pass():
                return "no overwatch fire"
            case HoldFire(until, inches, everybody):
                whom = " on all movers" if everybody else ""
                return f"hold fire{whom} until {_held(until, inches)}"
            case RevealCommand(reveal):
                return "reveal the moving order" if reveal else "keep the order face down"
            case ChooseAngle(hull, turret):
                beside = "" if turret is hull else f", of the turret the {turret.value} angle"
                return f"the {hull.value} angle is struck{beside}"
            case Decline():
                return "nobody else"
            case _:
                return type(action).__name__
