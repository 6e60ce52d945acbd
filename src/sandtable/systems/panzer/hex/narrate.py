"""Events and actions in words. Events carry facts; this is the only place that words them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sandtable.geo.hex import DIRECTION_NAMES, Hex
from sandtable.systems.panzer import events as shared
from sandtable.systems.panzer.combat.fire_events import (
    AmmoRolled,
    BailOutRolled,
    BlastResolved,
    CrewBailedOut,
    EngagementAnnounced,
    HitResolved,
    HitsScored,
    HitsSpread,
)
from sandtable.systems.panzer.hex import events as ev
from sandtable.systems.panzer.hex import mission_events as me
from sandtable.systems.panzer.hex.actions import (
    Action,
    AdjustCover,
    AdjustFire,
    AttackClose,
    BailOut,
    CallFire,
    CheckFire,
    ChooseAngle,
    ChooseAspect,
    ChooseFirstPlayer,
    Continue,
    ContinueFire,
    Decline,
    DesignatePosition,
    DismountAttack,
    Engage,
    Fire,
    FireSmoke,
    Load,
    LoadGun,
    March,
    Move,
    MoveIn,
    NamePrimary,
    Overrun,
    Pass,
    Pivot,
    PlaceCommands,
    PlaceImpact,
    PlaceOrders,
    PlanFire,
    RegisterPoint,
    RevealCommand,
    SearchHullDown,
    SpreadHits,
    StartPlan,
    UnloadGun,
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
            PlaceOrders: self._orders,
            RegisterPoint: lambda a: f"register {self.hex(a.hex)} for {a.battery}",
            PlanFire: lambda a: f"plan {a.kind.value} fire of {a.battery} on {self.hex(a.hex)}",
            CallFire: lambda a: f"{a.observer} calls {self._fire_words(a)}",
            AdjustFire: lambda a: f"adjust {a.mission}: {self._fire_words(a)}",
            ContinueFire: lambda a: f"{a.mission} goes on: {a.kind.value}",
            CheckFire: lambda a: f"check {a.mission}",
            StartPlan: lambda a: f"the Planned fire of {a.battery} arrives",
            PlaceImpact: lambda a: f"the fire falls on {self.hex(a.hex)}",
            Pivot: lambda a: f"pivot {', '.join(a.facings)}" if a.facings else "pivot nobody",
            AdjustCover: lambda a: f"Full Cover for {', '.join(a.covered) or 'nobody'}",
            ChooseFirstPlayer: lambda a: f"names {a.first.title()} First Player",
            Fire: lambda a: f"fire on {self.unit(a.target)} with {', '.join(shot.firer for shot in a.shots)}",
            Engage: self._engage,
            FireSmoke: lambda a: f"{self.unit(a.firer)} fires smoke into {self.hex(a.hex)}",
            SpreadHits: lambda a: f"further hits on {', '.join(a.targets)}",
            ChooseAngle: lambda a: f"struck at the {a.angle.value} angle",
            Pass: lambda _: "no overwatch fire",
            RevealCommand: lambda a: "reveal the moving command" if a.reveal else "keep the command face down",
            ChooseAspect: lambda a: f"the {a.aspect.value} aspect is struck",
            Move: lambda a: f"move {self.unit(a.unit)}",
            AttackClose: self._attack,
            Decline: lambda _: "nothing more in this step",
            NamePrimary: lambda a: f"{self.unit(a.unit)} leads",
            DesignatePosition: lambda a: f"a {a.position.value} hull down position",
            MoveIn: lambda a: f"move in with {', '.join(a.units)}" if a.units else "stay",
            SearchHullDown: lambda a: f"{self.unit(a.unit)} searches for a {a.position.value} hull down position",
            Overrun: lambda a: f"{self.unit(a.unit)} overruns {self.unit(a.target)}",
            DismountAttack: lambda a: f"{self.unit(a.landing.unit)} dismounts and attacks {self.unit(a.target)}",
            March: lambda a: f"{a.gait.value} {self.unit(a.unit)}",
            Load: self._load,
            UnloadGun: lambda a: f"{self.unit(a.unit)}: unload the gun",
            LoadGun: lambda a: f"{self.unit(a.unit)}: take the gun up",
            BailOut: lambda a: f"bail out of the vehicle with {', '.join(a.units)}",
            Continue: lambda a: f"go on, legs: {len(a.legs)}" if a.legs else "end the move here",
        }

    def unit(self, unit_id: UnitId) -> str:
        """A vehicle's name and id."""
        unit = self._context.scenario.units[unit_id]
        return f"{self._context.cards[unit.card].name} {unit_id}"

    def hex(self, hex: Hex) -> str:
        """A hex's label."""
        return self._context.game_map.label(hex)

    def event(self, event: shared.Event) -> str:  # noqa: C901, PLR0912 - one line an event
        """The event in a sentence, "" for bookkeeping."""
        match event:
            case shared.TurnBegan():
                return f"Turn {event.turn} begins."
            case shared.PhaseBegan():
                return f"{event.phase.value} Phase."
            case shared.SpottingDetermined():
                seen = {target for targets in event.spotted.values() for target in targets}
                return f"{len(seen)} vehicle{' is' if len(seen) == 1 else 's are'} spotted (4.1)."
            case shared.CommandsPlaced():
                return f"{event.seat.title()} has placed its commands (4.2.1)."
            case shared.OrdersPlaced():
                return f"{event.seat.title()} has given its orders (6.2.1)."
            case shared.CommandConverted():
                return f"{self.unit(event.unit)}: {event.given.value} becomes N/C: {event.reason} ({event.rule})."
            case shared.InitiativeRolled():
                rolls = ", ".join(f"{seat.title()} rolls {roll}" for seat, roll in event.rolls.items())
                verdict = f"{event.winner.title()} chooses" if event.winner else "roll again"
                return f"Initiative: {rolls}; {verdict} (4.3.1)."
            case shared.ForceRolled():
                return f"{event.seat.title()}: {event.net.explain()} (6.3.1)."
            case shared.FirstPlayerChosen():
                return f"{event.first.title()} is First Player (4.3.1)."
            case shared.CommandRevealed():
                return f"{self.unit(event.unit)} reveals {event.command.value}."
            case shared.FireAnnounced():
                firers = ", ".join(self.unit(shot.firer) for shot in event.shots)
                kind = "Overwatch fire" if event.overwatch else "Fire"
                return f"{kind} on {self.unit(event.target)} by {firers}."
            case shared.ShotResolved():
                verdict = "hit" if event.hit else "miss"
                return (
                    f"{self.unit(event.firer)}, {event.weapon} {event.ammo}, range {event.range_hexes} "
                    f"({event.range_factor}): needs {event.number.total}, rolls {event.roll}: {verdict}."
                )
            case shared.ShotWasted():
                return f"{self.unit(event.firer)} fires on a target that is already destroyed (4.4.1)."
            case shared.ArmourStruck():
                told = {"none": "does not penetrate"}.get(event.effect, event.effect)
                return (
                    f"{event.aspect.value} armor {event.armour} against penetration {event.penetration} "
                    f"({event.margin.total:+d}): {told} (4.4.3.2.6)."
                )
            case shared.VehicleDamaged():
                return f"{self.unit(event.unit)} is damaged."
            case ev.VehicleKnockedOut():
                return f"{self.unit(event.unit)} is knocked out in {self.hex(event.hex)}."
            case ev.VehicleBrewedUp():
                return f"{self.unit(event.unit)} brews up in {self.hex(event.hex)}."
            case shared.OverwatchDeclined():
                return f"{event.seat.title()} holds its fire (4.4.2)."
            case shared.SmokeTookEffect():
                what = "New smoke, or a barrage," if self._context.is_advanced else "The new Brew-Up Smoke"
                return f"{what} hinders fire from now on (4.4.3.2.2)."
            case shared.BrewUpSmokeTookEffect():
                return "The new Brew-Up Smoke hinders fire from now on (4.4.3.2.2)."
            case ev.UnitEntered():
                return f"{self.unit(event.unit)} enters at {self.hex(event.hex)}, cost {event.cost.total}."
            case ev.UnitTurned():
                return f"{self.unit(event.unit)} turns to {DIRECTION_NAMES[event.facing]}, cost {event.cost.total}."
            case ev.UnitMoved():
                return f"{self.unit(event.unit)} moves to {self.hex(event.hex)}, cost {event.cost.total}."
            case ev.UnitExited():
                return f"{self.unit(event.unit)} leaves the mapboard from {self.hex(event.hex)} (4.5.1.1.9)."
            case shared.MoveEnded():
                spent = f" after spending {event.spent} of {event.allowance}, {event.rate}" if event.rate else ""
                return f"{self.unit(event.unit)} ends its move{spent}."
            case shared.ObjectivesReviewed():
                return self._objectives(event.objectives)
            case ev.FeaturePlaced():
                return f"{event.feature.kind.value.capitalize()} in {self.hex(event.feature.hex)} (6.1.4.3)."
            case ev.FeaturesRemoved():
                gone = [f"{one.kind.value} in {self.hex(one.hex)}" for one in event.features]
                return f"Gone: {', '.join(gone)} (6.1.4.3)."
            case shared.GameEnded():
                return f"The game is over: {event.why}."
            case _:
                return self._advanced(event) or self._mission(event)

    def _advanced(self, event: shared.Event) -> str:  # noqa: C901, PLR0912 - one line an event
        """Events of the Advanced Game."""
        match event:
            case ev.UnitPivoted():
                return f"{self.unit(event.unit)} pivots to {DIRECTION_NAMES[event.facing]} (6.8.1)."
            case shared.CoverAdjusted():
                return self._cover(event)
            case shared.SuppressionRolled():
                verdict = "recovers" if event.recovered else "stays suppressed"
                needs = event.number.total
                return f"{self.unit(event.unit)} needs {needs}, rolls {event.roll}: {verdict} (6.8.3)."
            case ev.UnitsMounted():
                units = " and ".join(self.unit(one) for one in event.units)
                verb = "mounts" if len(event.units) == 1 else "mount"
                return f"{units} {verb} {self.unit(event.carrier)}, which spends {event.cost} (6.6.7.1.1)."
            case ev.UnitDismounted():
                where = self.hex(event.hex)
                return f"{self.unit(event.unit)} leaves {self.unit(event.carrier)} in {where} (6.6.7.1.1)."
            case ev.ColumnFormed():
                return f"{', '.join(self.unit(one) for one in event.units)} are a column (6.2.1.1.3)."
            case ev.GunUnloaded():
                where = self.hex(event.hex)
                gun, truck = self.unit(event.gun), self._context.cards[event.truck].name
                return f"{self.unit(event.unit)} unloads {gun} in {where} for {event.cost}, and is a {truck} (5.2.1)."
            case ev.GunLoaded():
                return f"{self.unit(event.unit)} takes {self.unit(event.gun)} up, for {event.cost} (5.2.1)."
            case shared.AssaultRolled():
                net = f"rolls {event.roll} {event.modifier.total:+d}" if event.roll else "abandoned"
                told = f"GP {event.factor} against {event.defense}, {net}: {event.result}"
                return f"Close Assault on {self.unit(event.target)}: {told} (6.6.1.1)."
            case shared.BoutRolled():
                ours, theirs = event.rolls
                told = f"{ours} {event.attack.total:+d} against {theirs} {event.defense.total:+d}"
                return f"Hand-to-Hand with {self.unit(event.target)}: {told} (6.6.1.2)."
            case BlastResolved():
                return self._blast(event)
            case BailOutRolled():
                verdict = "leaves" if event.leaves else "stays"
                return f"{self.unit(event.unit)}: Bail Out {event.number.total}, rolls {event.roll}: {verdict} (5.15)."
            case CrewBailedOut():
                return f"The crew of {self.unit(event.unit)} bails out (5.15)."
            case shared.VehiclePartHit():
                return f"{self.unit(event.unit)} has a {event.part} hit."
            case shared.UnitReduced():
                return f"{self.unit(event.unit)} is reduced to a half-squad."
            case shared.UnitEliminated():
                return f"{self.unit(event.unit)} is eliminated."
            case shared.UnitSuppressed():
                return f"{self.unit(event.unit)} is suppressed ({event.rule})."
            case shared.QuickmarchRolled():
                told = f"suppressed up to {event.number}, rolls {event.roll}"
                return f"{self.unit(event.unit)} has quickmarched: {told} (6.6.4.2)."
            case shared.UnitCrawls():
                return f"{self.unit(event.unit)} crawls (6.6.4.3)."
            case shared.WallStruck():
                told = f"harmed up to {event.number.total}, rolls {event.roll}"
                return f"{self.unit(event.unit)} goes through a wall: {told} (6.6.3)."
            case ev.UnitShifted():
                told = {"inside": "goes into a building", "up": "goes up"}.get(event.floor.value, "comes out or down")
                return f"{self.unit(event.unit)} {told} in {self.hex(event.hex)}, cost {event.cost.total}."
            case ev.PositionSearched():
                told = f"needs {event.number.total}, rolls {event.roll}"
                return f"{self.unit(event.unit)} searches for a hull down position: {told} (6.6.9)."
            case ev.PositionTaken():
                what = f"the {event.feature.kind.value} in {self.hex(event.feature.hex)}"
                return f"Nobody is in {what} now." if event.unit is None else f"{self.unit(event.unit)} is in {what}."
            case ev.EntrenchmentDug():
                told = "has dug in" if not event.turns else f"digs in, turn {event.turns}"
                return f"{self.unit(event.unit)} {told} in {self.hex(event.hex)} (6.6.8)."
            case ev.UnitThrownBack():
                return f"{self.unit(event.unit)} is back in {self.hex(event.hex)} (6.6.10.1)."
            case shared.AttackBound():
                verb = "attacks" if len(event.units) == 1 else "attack"
                return f"{', '.join(event.units)} {verb} {self.unit(event.target)}."
            case shared.PositionDesignated():
                return f"{self.unit(event.unit)} is partially Hull Down there (6.1.4.1.2)."
            case shared.PositionAbandoned():
                return f"{self.unit(event.unit)} abandons its hull down position (6.6.9)."
            case _:
                return self._fire(event)

    def _fire(self, event: shared.Event) -> str:
        """Fire of the Advanced Game."""
        match event:
            case EngagementAnnounced():
                firers = ", ".join(self.unit(one) for one in dict.fromkeys(shot.firer for shot in event.shots))
                kind = "Overwatch fire" if event.overwatch else "Fire"
                return f"{kind} on {self.unit(event.target)} by {firers}."
            case AmmoRolled():
                what = "no smoke" if event.ammo == "smoke" else f"fires {event.ammo}"
                return f"{self.unit(event.firer)} is short of ammunition: {what} (5.16)."
            case HitsScored():
                return f"{event.hits} hits (6.5.2.1)."
            case HitsSpread():
                return f"The hits strike {', '.join(self.unit(one) for one in event.targets)} (6.5.2.1)."
            case HitResolved():
                return self._hit(event)
            case ev.TerrainStruck():
                rolls = " and ".join(str(roll) for roll in event.rolls)
                verdict = "destroyed" if event.destroyed else "it stands"
                told = f"GP {event.factor} against {event.defense}, rolls {rolls} {event.modifier.total:+d}"
                what = event.terrain.replace("_", " ").capitalize()
                return f"{what} in {self.hex(event.hex)}: {told}: {verdict} (6.5.4.4.3)."
            case _:
                return ""

    def _mission(self, event: shared.Event) -> str:
        """Events of Indirect Fire."""
        match event:
            case me.FirePlotted():
                return self._plotted(event)
            case me.FireCalled():
                mission = event.mission
                verb = "adjusts the fire of" if event.adjusted else "calls fire from"
                what = f"{mission.kind.value}, {mission.pattern.value} SHEAF"
                who = f"{self.unit(mission.observer)} {verb} {' and '.join(mission.sources)}"
                return f"{who} on {self.hex(mission.target)}: {what} (6.5.1.7)."
            case me.ResponseRolled():
                told = f"needs {event.number.total}, rolls {event.roll} {event.number.net:+d}: {event.response}"
                return f"{event.source} {told} (6.5.1.12)."
            case me.FireMissed():
                return f"Danger Close: the fire of {event.source} falls on {self.hex(event.hex)} (6.5.1.10)."
            case me.MissionSet():
                sources = " and ".join(event.mission.sources)
                return f"{event.mission.kind.value} fire of {sources} on {self.hex(event.mission.target)} (6.5.1.5)."
            case me.ShellsShort():
                return f"{event.source} is short of {event.kind} ammunition (5.16.2)."
            case me.PlanBegan():
                return f"The Planned fire of {event.battery} began in turn {event.turn} (6.5.1.11.4)."
            case me.MissionEnded():
                return f"Indirect Fire {event.mission} ends: {event.reason} ({event.rule})."
            case _:
                return ""

    def _plotted(self, event: me.FirePlotted) -> str:
        told = [f"registered {self.hex(hex)}" for hex in event.registered]
        if event.plot is not None:
            steps = [
                f"{step.kind.value} {step.pattern.value} {self.hex(step.target)} for {step.turns}"
                for step in event.plot.steps
            ]
            told.append(f"planned for turn {event.plot.turn}: {', '.join(steps)}")
        return f"{event.battery}: {'; '.join(told)} (6.5.1.11.1)."

    def _fire_words(self, action: CallFire | AdjustFire) -> str:
        what = f"{action.kind.value}, {action.pattern.value}"
        return f"{' and '.join(action.sources)} on {self.hex(action.hex)}, {what}"

    def _blast(self, event: BlastResolved) -> str:
        against = f"GP {event.factor} ({event.range_factor}) against {event.defense}"
        net = f"rolls {event.roll} {event.modifier.total:+d}"
        return f"{event.source} at {self.unit(event.target)}: {against}, {net}: {event.result} (6.5.4.4)."

    def _hit(self, event: HitResolved) -> str:
        if event.effect == "miss":
            return f"{event.angle}, rolls {event.roll}: the ground hides {self.unit(event.target)}, a miss (6.5.2.2.3)."
        margin = "" if event.margin is None else f" {event.margin.total:+d}"
        told = {"track": "a Track hit", "stopped": "does not penetrate"}.get(event.effect, event.effect)
        return f"{event.angle}, rolls {event.roll}: {event.location}{margin}: {told} (6.5.2.2)."

    def _objectives(self, objectives: dict[str, Objective]) -> str:
        titles = {draft.id: draft.title for draft in self._context.scenario.draft.objectives}
        held = [f"{titles[name]}: {o.holder.title() or 'nobody'}" for name, o in objectives.items()]
        return f"Objectives: {'; '.join(held)} (3.6)." if held else ""

    def action(self, action: Action) -> str:
        """The action in a phrase."""
        return self._actions[type(action)](action)

    def _cover(self, event: shared.CoverAdjusted) -> str:
        told = [f"{self.unit(unit)} goes into Full Cover" for unit in event.into]
        told += [f"{self.unit(unit)} leaves Full Cover" for unit in event.out]
        return f"{'; '.join(told)} (6.8.2)." if told else ""

    def _orders(self, action: PlaceOrders) -> str:
        given = ", ".join(f"{unit} {order}" for unit, order in action.orders.items())
        return f"give orders: {given}" if given else "give orders"

    def _attack(self, action: AttackClose) -> str:
        return f"attack {self.unit(action.target)} at arm's length with {', '.join(action.attackers)}"

    def _engage(self, action: Engage) -> str:
        firers = ", ".join(dict.fromkeys(shot.firer for shot in action.shots))
        return f"fire on {self.unit(action.target)} with {firers}"

    def _load(self, action: Load) -> str:
        off = [f"dismount {landing.unit} in {self.hex(landing.hex)}" for landing in action.dismount]
        on = [f"mount {unit}" for unit in action.mount]
        return f"{self.unit(action.carrier)}: {', '.join(off + on)}"

    def _commands(self, action: PlaceCommands) -> str:
        given = ", ".join(f"{unit} {command.value}" for unit, command in action.commands.items())
        return f"place commands: {given}" if given else "place commands"
