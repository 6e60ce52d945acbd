"""Events and actions in words. Events carry facts; this is the only place that words them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sandtable.geo.hex import DIRECTION_NAMES, Hex
from sandtable.systems.panzer.hex import events as ev
from sandtable.systems.panzer.hex.actions import (
    Action,
    ChooseAspect,
    ChooseFirstPlayer,
    Continue,
    Fire,
    Move,
    Pass,
    PlaceCommands,
    RevealCommand,
)
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.objective import Objective
from sandtable.systems.panzer.unit import UnitId

__all__ = ["Narrator"]


class Narrator:
    """Words what happens in one game."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._actions: dict[type, Callable[[Any], str]] = {
            PlaceCommands: self._commands,
            ChooseFirstPlayer: lambda a: f"names {a.first.title()} First Player",
            Fire: lambda a: f"fire on {self.unit(a.target)} with {', '.join(shot.firer for shot in a.shots)}",
            Pass: lambda _: "no overwatch fire",
            RevealCommand: lambda a: "reveal the moving command" if a.reveal else "keep the command face down",
            ChooseAspect: lambda a: f"the {a.aspect.value} aspect is struck",
            Move: lambda a: f"move {self.unit(a.unit)}",
            Continue: lambda a: f"go on, {len(a.legs)} legs" if a.legs else "end the move here",
        }

    def unit(self, unit_id: UnitId) -> str:
        """A vehicle's name and id."""
        unit = self._context.scenario.units[unit_id]
        return f"{self._context.cards[unit.card].name} {unit_id}"

    def hex(self, hex: Hex) -> str:
        """A hex's label."""
        return self._context.game_map.label(hex)

    def event(self, event: ev.Event) -> str:  # noqa: C901, PLR0912 - one line an event
        """The event in a sentence, "" for bookkeeping."""
        match event:
            case ev.TurnBegan():
                return f"Turn {event.turn} begins."
            case ev.PhaseBegan():
                return f"{event.phase.value} Phase."
            case ev.SpottingDetermined():
                seen = {target for targets in event.spotted.values() for target in targets}
                return f"{len(seen)} vehicle{' is' if len(seen) == 1 else 's are'} spotted (4.1)."
            case ev.CommandsPlaced():
                return f"{event.seat.title()} has placed its commands (4.2.1)."
            case ev.CommandConverted():
                return f"{self.unit(event.unit)}: {event.given.value} becomes N/C: {event.reason} ({event.rule})."
            case ev.InitiativeRolled():
                rolls = ", ".join(f"{seat.title()} rolls {roll}" for seat, roll in event.rolls.items())
                verdict = f"{event.winner.title()} chooses" if event.winner else "roll again"
                return f"Initiative: {rolls}; {verdict} (4.3.1)."
            case ev.FirstPlayerChosen():
                return f"{event.first.title()} is First Player (4.3.1)."
            case ev.CommandRevealed():
                return f"{self.unit(event.unit)} reveals {event.command.value}."
            case ev.FireAnnounced():
                firers = ", ".join(self.unit(shot.firer) for shot in event.shots)
                kind = "Overwatch fire" if event.overwatch else "Fire"
                return f"{kind} on {self.unit(event.target)} by {firers}."
            case ev.ShotResolved():
                verdict = "hit" if event.hit else "miss"
                return (
                    f"{self.unit(event.firer)}, {event.weapon} {event.ammo}, range {event.range_hexes} "
                    f"({event.range_factor}): needs {event.number.total}, rolls {event.roll}: {verdict}."
                )
            case ev.ShotWasted():
                return f"{self.unit(event.firer)} fires on a target that is already destroyed (4.4.1)."
            case ev.ArmourStruck():
                told = {"none": "does not penetrate"}.get(event.effect, event.effect)
                return (
                    f"{event.aspect.value} armor {event.armour} against penetration {event.penetration} "
                    f"({event.margin.total:+d}): {told} (4.4.3.2.6)."
                )
            case ev.VehicleDamaged():
                return f"{self.unit(event.unit)} is damaged."
            case ev.VehicleKnockedOut():
                return f"{self.unit(event.unit)} is knocked out in {self.hex(event.hex)}."
            case ev.VehicleBrewedUp():
                return f"{self.unit(event.unit)} brews up in {self.hex(event.hex)}."
            case ev.OverwatchDeclined():
                return f"{event.seat.title()} holds its fire (4.4.2)."
            case ev.SmokeTookEffect():
                return "The new Brew-Up Smoke hinders fire from now on (4.4.3.2.2)."
            case ev.UnitEntered():
                return f"{self.unit(event.unit)} enters at {self.hex(event.hex)}, cost {event.cost.total}."
            case ev.UnitTurned():
                return f"{self.unit(event.unit)} turns to {DIRECTION_NAMES[event.facing]}, cost {event.cost.total}."
            case ev.UnitMoved():
                return f"{self.unit(event.unit)} moves to {self.hex(event.hex)}, cost {event.cost.total}."
            case ev.UnitExited():
                return f"{self.unit(event.unit)} leaves the mapboard from {self.hex(event.hex)} (4.5.1.1.9)."
            case ev.MoveEnded():
                spent = f" after spending {event.spent} of {event.allowance}, {event.rate}" if event.rate else ""
                return f"{self.unit(event.unit)} ends its move{spent}."
            case ev.ObjectivesReviewed():
                return self._objectives(event.objectives)
            case ev.GameEnded():
                return f"The game is over: {event.why}."
            case _:
                return ""

    def _objectives(self, objectives: dict[str, Objective]) -> str:
        titles = {draft.id: draft.title for draft in self._context.scenario.draft.objectives}
        held = [f"{titles[name]}: {o.holder.title() or 'nobody'}" for name, o in objectives.items()]
        return f"Objectives: {'; '.join(held)} (3.6)." if held else ""

    def action(self, action: Action) -> str:
        """The action in a phrase."""
        return self._actions[type(action)](action)

    def _commands(self, action: PlaceCommands) -> str:
        given = ", ".join(f"{unit} {command.value}" for unit, command in action.commands.items())
        return f"place commands: {given}" if given else "place commands"
