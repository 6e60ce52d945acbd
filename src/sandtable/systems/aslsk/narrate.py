"""Events and actions in words. Events carry facts; this is the only place that words them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from sandtable.geo.hex import DIRECTION_NAMES, Hex
from sandtable.systems.aslsk import group_actions as ga
from sandtable.systems.aslsk.common import actions as ac
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.common.facts import armour_events as ar
from sandtable.systems.aslsk.common.facts import group_events as gr
from sandtable.systems.aslsk.common.facts import manhandling_events as mh
from sandtable.systems.aslsk.common.facts import melee_events as me
from sandtable.systems.aslsk.common.facts import vehicle_fire_events as vf
from sandtable.systems.aslsk.pieces.spines import SPINES, spine_name
from sandtable.systems.aslsk.pieces.state import (
    CcAttack,
    Mark,
    MoveStep,
    Phase,
    StepKind,
    UnitId,
    VehicleDeed,
    VehicleStep,
    WeaponState,
)
from sandtable.systems.aslsk.vehicles import vehicle_events as ve

__all__ = ["Narrator"]

_PHASE_NAMES = {
    Phase.SETUP: "Set-up",
    Phase.RALLY: "Rally Phase",
    Phase.PREP_FIRE: "Prep Fire Phase",
    Phase.MOVEMENT: "Movement Phase",
    Phase.DEFENSIVE_FIRE: "Defensive Fire Phase",
    Phase.ADVANCING_FIRE: "Advancing Fire Phase",
    Phase.ROUT: "Rout Phase",
    Phase.ADVANCE: "Advance Phase",
    Phase.CLOSE_COMBAT: "Close Combat Phase",
}


_BROKEN = {WeaponState.MALFUNCTIONED: "malfunctions", WeaponState.REMOVED: "is disabled"}
_DEEDS = {VehicleDeed.SMOKE: "uses its dispenser", VehicleDeed.UNBOG: "struggles with its Bog"}
_COMBAT_RESULTS = {
    "eliminated": "eliminated",
    "immobilized": "immobilized",
    "reduced": "casualty reduction",
    "none": "no effect",
}


_POSITIONS = {"armour": "the armour", "crew": "the crew alone", "ground": "the ground"}


def _names(ids: Iterable[str]) -> str:
    return ", ".join(ids)


def _side(seat: str) -> str:
    """A side as the beginning of a sentence has it."""
    return seat.title()


def _does(names: Sequence[str], verb: str) -> str:
    """Those who do something, with a verb that fits their number."""
    return f"{_names(names)} {verb if len(names) > 1 else verb + 's'}"


def _repaired(event: ev.RepairAttempted | vf.VehicleRepairAttempted) -> str:
    return f"dr {event.roll}, {'no effect' if event.result == 'none' else event.result}"


def _mp(halves: int) -> str:
    return f"{halves / 2:g} MP"


def _mf(halves: int) -> str:
    return f"{halves / 2:g} MF"


def _turn(action: ac.FireVehicle) -> str:
    """What a vehicle turns to fire, whatever hexspine somebody named."""
    if action.facing < 0:
        return ""
    where = spine_name(action.facing) if action.facing in SPINES else f"{action.facing}"
    return f", {'hull' if action.turn_hull else 'turret'} to {where}"


class Narrator:
    """Words what happens in one game."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._events: dict[type, Callable[[Any], str]] = {
            ev.UnitPlaced: self._placed,
            ev.VehiclePlaced: lambda e: (
                f"{self.vehicle(e.vehicle)} sets up in {self.hex(e.hex)}, {self._pointing(e.vca, e.tca)}"
                f", {'CE' if e.exposed else 'BU'}."
            ),
            ev.GunPlaced: lambda e: (
                f"{self.weapon(e.weapon)} points at {self._spine(e.facing)}"
                f"{', emplaced' if e.emplaced else ''}{', hidden' if e.hidden else ''}."
            ),
            ev.UnitHidden: lambda e: f"{e.unit} is {'hidden' if e.hidden else 'not hidden'}.",
            ev.SetUpFinished: lambda e: f"{_side(e.seat)}: the set-up is finished.",
            gr.GroupJoined: lambda e: f"{e.piece} joins {self._force(e.force)} (1.3).",
            gr.UnitHeldBack: lambda e: f"{e.unit} enters in turn {e.turn} (1.3).",
            gr.JumpArranged: lambda e: f"{e.leader} jumps {f'with {e.unit}' if e.unit else 'alone'} (1.3).",
            gr.RendezvousChosen: lambda e: f"{self._force(e.force)}: rendezvous in {self.hex(e.hex)} (1.3).",
            gr.StackDropped: lambda e: (
                f"{_names(e.units)}: direction {e.faces[0]}, distance {e.faces[1]}, landed in {self.hex(e.hex)}"
                f"{', from off board: pinned and CX' if e.strayed else ''} (1.3)."
            ),
            gr.GroupBrought: lambda e: f"{self._brought(e)} (1.3).",
            gr.GroupsMustered: lambda _: "The groups are chosen (1.3).",
            ev.DiceDealt: self._dealt,
            ev.TurnBegan: lambda e: f"Turn {e.turn}, ATTACKER: {_side(e.attacker)}.",
            ev.PhaseBegan: lambda e: f"{_PHASE_NAMES[e.phase]}.",
            ev.ReinforcementsArrived: lambda e: f"Due, off board: {_names(e.units)} (3.1).",
            ev.ControlGained: lambda e: f"Control of {self.place(e.place)}: {_side(e.seat)}.",
            ev.GameEnded: lambda e: f"{e.why[:1].upper()}{e.why[1:]}. Winner: {_side(e.winner) or 'nobody'}.",
            ev.RecoveryAttempted: self._recovery,
            ev.RepairAttempted: lambda e: f"{e.unit} repairs {self.weapon(e.weapon)}: {_repaired(e)} (3.1).",
            ev.WeaponPossessed: self._possessed,
            ev.RallyAttempted: self._rally,
            ev.DesperationKept: lambda e: f"{_does(e.units, 'keep')} DM (3.1).",
            ev.DesperationLifted: lambda e: f"{_does(e.units, 'lose')} DM (3.1).",
            ev.LeaderCreated: self._created,
            ev.MoraleChecked: self._checked,
            ev.UnitBroke: lambda e: f"{self.unit(e.unit)} breaks.",
            ev.Desperation: lambda e: f"{self.unit(e.unit)} comes under DM: {e.why}.",
            ev.UnitPinned: lambda e: f"{self.unit(e.unit)} is pinned.",
            ev.UnitReduced: lambda e: f"{e.unit} is reduced to a {self.card(e.card)} (3.2.3).",
            ev.UnitReplaced: lambda e: f"{e.unit} is replaced by a {self.card(e.card)} (5.1).",
            ev.WoundRolled: lambda e: (
                f"{e.unit} is hit: wound dr {e.roll}, {'killed' if e.killed else 'wounded'} (3.2.3)."
            ),
            ev.UnitEliminated: lambda e: f"{self.unit(e.unit)} is eliminated: {e.why} ({e.rule}).",
            ev.WeaponMalfunctioned: lambda e: f"{self.weapon(e.weapon)} malfunctions.",
            ev.WeaponRemoved: lambda e: f"{self.weapon(e.weapon)} is removed: {e.why}.",
            ev.DemolitionPlaced: lambda e: f"{self.weapon(e.weapon)} is placed in {self.hex(e.hex)} (4.3).",
            ev.FireDeclared: self._declared,
            ev.HexesBlocked: lambda e: (
                f"No LOS from {_names(map(self.hex, e.hexes))} to {self.hex(e.target)}: {e.why} (3.2.1)."
            ),
            ev.FireResolved: self._fire,
            ev.OrdnanceResolved: self._ordnance,
            ev.ShotDeclared: self._shot_declared,
            ev.ShotResolved: self._shot,
            ev.ArcChanged: lambda e: (
                f"{self.weapon(e.weapon) if e.weapon else e.vehicle} turns to {spine_name(e.facing)} (3.2.4)."
            ),
            ev.AmmoRunOut: lambda e: (
                f"{self.weapon(e.firer)} {'has no' if e.never else 'fires its last'} {e.ammo.value} (6.2)."
            ),
            ev.GunAcquired: self._acquired,
            ev.LowAmmo: lambda e: f"{e.vehicle} is low on ammunition (7.2.1).",
            ev.PanzerfaustChecked: lambda e: (
                f"{e.unit} looks for a panzerfaust: dr {e.roll}, {'has one' if e.found else 'none'} (4.4.2)."
            ),
            ev.BackblastStruck: lambda e: (
                f"Backblast in {self.hex(e.hex)}: {e.roll}, {e.result or 'no effect'} (4.4.3)."
            ),
            ev.MarksPlaced: self._marks,
            ev.ResidualPlaced: lambda e: f"{e.fp} Residual FP in {self.hex(e.hex)} (3.3.5).",
            ev.SmokePlaced: lambda e: f"{e.kind.value.capitalize()} in {self.hex(e.hex)} (1.2.5).",
            ev.SmokeCleared: lambda e: f"{_side(e.seat)} smoke disperses (1.2.5).",
            ev.HoldOrdered: lambda e: f"{_side(e.seat)}: a standing order to hold fire.",
            ev.CounterExhausted: lambda e: f"{'CX' if e.cx else 'No longer CX'}: {_names(e.units)}.",
            ev.UnitsMoved: self._moved,
            ev.UnitsSpent: lambda e: f"{_names(e.units)}, {e.what} in {self.hex(e.hex)}, {_mf(e.cost.total)}.",
            ev.UnitsExited: lambda e: (
                f"{_does(e.units, 'leave')} the map from {self.hex(e.hex)} to the {DIRECTION_NAMES[e.direction]}."
            ),
            ev.SmokeRolled: lambda e: (
                f"{e.unit} throws smoke into {self.hex(e.hex)}: dr {e.roll}, {'placed' if e.placed else 'none'}."
            ),
            ev.UnitRouted: self._routed,
            ev.Interdicted: lambda e: f"{e.unit} is interdicted in {self.hex(e.hex)} by {_names(e.by)} (3.6).",
            ev.UnitsAdvanced: lambda e: f"{_does(e.units, 'advance')} into {self.hex(e.hex)} (3.7).",
            ev.LeadersArranged: lambda e: f"{_names(f'{a} fights with {b}' for a, b in e.pairs.items())} (3.8).",
            ev.AmbushRolled: self._ambush,
            ev.CloseCombatDeclared: lambda e: (
                f"{_side(e.seat)} in {self.hex(e.hex)}: {'; '.join(map(self._cc, e.attacks)) or 'no attack'}."
            ),
            ev.CloseCombatResolved: self._combat,
            mh.ManhandlingRolled: lambda e: (
                f"{_does(e.units, 'push')} {self.weapon(e.weapon)} towards {self.hex(e.hex)}: needs {e.number.total}, "
                f"rolls {sum(e.faces)}: it {e.result} (6.5)."
            ),
            mh.GunManhandled: lambda e: f"{self.weapon(e.weapon)} points {spine_name(e.facing)} now (6.5).",
            me.VehicleAssaulted: self._assault,
            me.VehicleFought: self._fight,
            me.CombatPassed: lambda e: f"{_side(e.seat)} attacks no more in {self.hex(e.hex)} (3.8).",
            ev.Revealed: lambda e: (
                f"{_does((*e.units, *map(self.weapon, e.weapons)), 'come')} to light: {e.why} (6.4)."
            ),
            ev.MeleeHeld: lambda e: (
                f"Melee in {self.hex(e.hex)}." if e.units else f"No more Melee in {self.hex(e.hex)}."
            ),
        }
        self._events |= {
            ar.ToKillResolved: self._to_kill,
            ar.AreaHitResolved: self._area_hit,
            ar.CrewAttacked: lambda e: f"{e.kind.capitalize()} on the crew of {self._rolled(e.vehicle, e)} (7.12).",
            ar.CrewChecked: lambda e: (
                f"Crew of {e.vehicle}, {e.check}: needs {e.number.total}, rolls {sum(e.faces)}: "
                f"{'passes' if e.passed else 'fails'}."
            ),
            ar.ChargeAimed: lambda e: (
                f"{self.weapon(e.weapon)} is meant for {self.vehicle(e.vehicle)} (4.3)."
                if e.vehicle
                else f"{self.weapon(e.weapon)} is meant for all in the hex (4.3)."
            ),
            ar.ChargePositioned: lambda e: (
                f"Position of {self.weapon(e.weapon)}: {sum(e.faces)} {e.drm.total:+d}, on {_POSITIONS[e.lies]} (4.3)."
            ),
            ar.CrewButtonedUp: lambda e: f"The crew of {e.vehicle} buttons up (3.2.3).",
            ar.VehicleEliminated: lambda e: f"{self.vehicle(e.vehicle)} is a wreck: {e.why} ({e.rule}).",
            ar.VehicleImmobilized: lambda e: f"{self.vehicle(e.vehicle)} is immobilized: {e.why} ({e.rule}).",
            ar.VehicleShocked: lambda e: f"{self.vehicle(e.vehicle)} is shocked (7.10).",
            ar.VehicleStunned: lambda e: f"{self.vehicle(e.vehicle)} is {'STUNNED' if e.recall else 'Stunned'} (7.10).",
            ar.VehicleRecalled: lambda e: f"{self.vehicle(e.vehicle)} is recalled: {e.why} (7.10).",
            ar.RecuperationRolled: lambda e: (
                f"{e.vehicle} under {e.before.value}: dr {e.roll}, {e.after.value or 'recuperates'} (7.10)."
            ),
            vf.VehicleFireDeclared: lambda e: (
                f"{e.kind} by {_names(gun.value for gun in e.guns)} of {e.vehicle} at {self.hex(e.target)}."
            ),
            vf.VehicleTurned: lambda e: (
                f"{e.vehicle} points its hull at {spine_name(e.vca)}, its turret at {spine_name(e.tca)} (3.2.4)."
            ),
            vf.VehicleGunsFired: lambda e: f"{e.mark.value} marker: {e.vehicle} MA." if e.mark is not Mark.NONE else "",
            vf.VehicleRepairAttempted: lambda e: (
                f"The crew of {e.vehicle} repairs its {e.gun.value}: {_repaired(e)} (3.1)."
            ),
            vf.VehicleGunBroke: lambda e: f"{e.vehicle} {e.gun.value} {_BROKEN[e.state]}.",
        }
        self._events.update(
            {
                ve.VehicleMoved: lambda e: f"{e.vehicle} enters {self.hex(e.hex)}, {_mp(e.cost.total)} (3.3.2).",
                ve.VehicleSpent: self._vehicle_spent,
                ve.VehicleExited: lambda e: (
                    f"{e.vehicle} leaves the map from {self.hex(e.hex)} to the {DIRECTION_NAMES[e.direction]}."
                ),
                ve.VehicleMoveEnded: lambda e: f"{e.vehicle} ends its MPh{' in Motion' if e.motion else ''} (3.3.2).",
                ve.ReliabilityChecked: lambda e: f"{e.vehicle} starts: DR {sum(e.faces)}, it {e.result} (3.3.2).",
                ve.SignalRolled: lambda e: (
                    f"{e.vehicle} has no radio: DR {sum(e.faces)}, it {'is' if e.told else 'is not'} told to go (1.3)."
                ),
                ve.StallRolled: lambda e: f"{e.vehicle} has stalled: {sum(e.faces)} MP of Delay.",
                ve.BogChecked: lambda e: (
                    f"Bog Check of {e.vehicle}: DR {sum(e.faces)} {e.drm.total:+d}: "
                    f"{'bogged' if e.bogged else 'passes'} (7.6)."
                ),
                ve.BogRemovalRolled: lambda e: (
                    f"{e.vehicle} tries to get out of Bog: {e.faces[0]} and {e.faces[1]}: "
                    f"{e.bog.value if e.bog else 'free'} (7.6)."
                ),
                ve.DispenserUsed: lambda e: (
                    f"{e.vehicle} tries its smoke dispenser: needs {e.number.total}, rolls {sum(e.faces)}: "
                    f"{'smoke' if e.placed else 'none'} (7.5)."
                ),
                ve.MotionAttempted: lambda e: (
                    f"{e.vehicle} attempts Motion Status: needs {e.number.total}, dr {e.roll}: "
                    f"{'succeeds' if e.succeeded else 'fails'} (3.3.2.1)."
                ),
                ve.MotionGained: lambda e: f"{e.vehicle} is in Motion (3.3.2.1).",
                ve.VehicleLost: lambda e: f"{e.vehicle} is eliminated: {e.why} ({e.rule}).",
                ve.VehiclesArrived: lambda e: f"Due, off board: {_names(e.vehicles)} (3.1).",
                ve.CrewChanged: lambda e: f"{e.vehicle}: {'Crew Exposed' if e.exposed else 'buttoned up'} (7.7).",
            }
        )
        self._actions: dict[type, Callable[[Any], str]] = {
            ac.PlaceUnit: lambda a: f"set up {a.unit} in {self.hex(a.hex)}{self._load(a.weapons)}",
            ac.PlaceVehicle: lambda a: (
                f"set up {self.vehicle(a.vehicle)} in {self.hex(a.hex)}, {self._pointing(a.vca, a.tca)}"
                f", {'CE' if a.exposed else 'BU'}"
            ),
            ac.PlaceGun: lambda a: (
                f"point {self.weapon(a.weapon)} at {self._spine(a.facing)}{', hidden' if a.hidden else ''}"
            ),
            ac.HideUnit: lambda a: f"{a.unit} sets up {'hidden' if a.hidden else 'in the open'}",
            ga.JoinGroup: lambda a: f"{a.piece} joins {self._force(a.force)}",
            ga.JumpTogether: lambda a: f"{a.leader} jumps {f'with {a.unit}' if a.unit else 'alone'}",
            ga.ChooseRendezvous: lambda a: f"{self._force(a.force)}: rendezvous in {self.hex(a.hex)}",
            ga.BringGroup: self._brought,
            ac.SetUpAsSuggested: lambda _: "set up as suggested",
            ac.Done: lambda _: "has finished",
            ac.RecoverWeapon: lambda a: f"{a.unit} recovers {self.weapon(a.weapon)}",
            ac.RepairVehicleGun: lambda a: f"repair the {a.gun.value} of {a.vehicle}",
            ac.RepairWeapon: lambda a: f"repair {self.weapon(a.weapon)}",
            ac.TransferWeapon: lambda a: f"transfer {self.weapon(a.weapon)} to {a.to}",
            ac.DropWeapon: lambda a: f"drop {self.weapon(a.weapon)}",
            ac.DestroyWeapon: lambda a: f"destroy {self.weapon(a.weapon)}",
            ac.SelfRally: lambda a: f"{a.unit} self rally",
            ac.Rally: lambda a: f"{a.leader} rallies {a.unit}",
            ac.KeepDesperation: lambda a: f"keep DM on {_names(a.units)}" if a.units else "keep no DM",
            ac.Fire: lambda a: f"fire at {self.hex(a.target)} with {self._firers(a)}{self._led(a.leaders)}",
            ac.FireOrdnance: lambda a: (
                f"fire {self.weapon(a.weapon) if a.weapon else f'a panzerfaust of {a.unit}'} at {self.hex(a.target)}"
            ),
            ac.FireVehicle: lambda a: (
                f"fire at {self.hex(a.target)} with {_names(gun.value for gun in a.guns)} of {a.vehicle}{_turn(a)}"
            ),
            ac.FireGun: self._fire_gun,
            ac.TurnArc: self._turn_arc,
            ac.Move: self._move,
            ac.Continue: self._continue,
            ac.HoldFire: lambda a: "hold fire" if a.until is None else "hold fire by standing order",
            ac.Rout: lambda a: f"rout {a.unit} by {'Low Crawl ' if a.low_crawl else ''}{_names(map(self.hex, a.path))}",
            ac.Advance: lambda a: f"advance {_names(a.units)} into {self.hex(a.hex)}",
            ac.Exit: lambda a: f"leave the map with {_names(a.units)}",
            ac.ChooseCombat: lambda a: f"close combat in {self.hex(a.hex)}",
            ac.ArrangeLeaders: lambda a: _names(f"{x} with {y}" for x, y in a.pairs.items()) or "leaders stand alone",
            ac.CloseAttack: self._close_attack,
            ac.ReactionFire: lambda a: f"{_names(a.units)} on {a.vehicle} in close combat",
            ac.DeclareCloseCombat: lambda a: "; ".join(map(self._cc, a.attacks)) or "no close combat attack",
            ac.MoveVehicle: lambda a: f"move {a.vehicle} {self._vehicle_steps(a.steps)}".rstrip(),
            ac.ContinueVehicle: lambda a: f"go on {self._vehicle_steps(a.steps)}" if a.steps else "go no farther",
            ac.AttemptMotion: lambda a: f"{a.vehicle} attempts Motion Status",
            ac.DispenseSmoke: lambda a: f"{a.vehicle} dispenses smoke{f' in {self.hex(a.hex)}' if a.hex else ''}",
            ac.FlipVehicle: lambda a: f"turn {a.vehicle} over",
            ac.ChangeCrew: lambda a: f"the crew of {a.vehicle} changes between CE and BU",
        }

    def event(self, event: ev.Event) -> str:
        """The event in a sentence, "" for bookkeeping."""
        told = self._events.get(type(event))
        return told(event) if told is not None else ""

    def action(self, action: ac.Action) -> str:
        """The action in a phrase."""
        return self._actions[type(action)](action)

    def unit(self, unit_id: UnitId) -> str:
        """A unit of the order of battle by its id; what it is may have changed since."""
        return unit_id

    def weapon(self, weapon_id: str) -> str:
        """A weapon of the order of battle: what it is, and its id."""
        return self._context.weapon_name(weapon_id)

    def vehicle(self, vehicle_id: str) -> str:
        """A vehicle of the order of battle: what it is, and its id."""
        return self._context.vehicle_name(vehicle_id)

    def _spine(self, spine: int) -> str:
        """A hexspine, whatever number somebody named."""
        return spine_name(spine) if spine in SPINES else str(spine)

    def _pointing(self, vca: int, tca: int) -> str:
        """Where front and turret point."""
        front = f"front {self._spine(vca)}"
        return front if vca == tca else f"{front}, turret {self._spine(tca)}"

    def card(self, card: str) -> str:
        """A counter's strength factor."""
        return card.partition("/")[2]

    def hex(self, hex: Hex | None) -> str:
        """A hex's label, whatever hex somebody named."""
        if hex is None:
            return "off board"
        return self._context.label(hex) if hex in self._context.game_map.facts else f"({hex[0]}, {hex[1]})"

    def place(self, name: str) -> str:
        """A place of the victory conditions."""
        place = self._context.scenario.places.get(name)
        return place.title if place is not None else name

    # --- events -------------------------------------------------------------------------------------------------

    def _load(self, weapons: tuple[str, ...]) -> str:
        return f" with {_names(map(self.weapon, weapons))}" if weapons else ""

    def _firers(self, group: ac.Fire | ev.FireDeclared | ev.MarksPlaced) -> str:
        return _names((*group.units, *map(self.weapon, group.weapons)))

    def _led(self, leaders: tuple[str, ...]) -> str:
        return f", directed by {_names(leaders)}" if leaders else ""

    def _brought(self, group: gr.GroupBrought | ga.BringGroup) -> str:
        gate = f" at {self.hex(group.hex)}" if group.hex is not None else ""
        return f"{self._force(group.force)} {f'enters in turn {group.turn}{gate}' if group.turn else 'stays away'}"

    def _force(self, force: str) -> str:
        return self._context.scenario.forces[force].title or force

    def _placed(self, event: ev.UnitPlaced) -> str:
        where = f"in {self.hex(event.hex)}" if event.hex is not None else "off board"
        return f"{event.unit} sets up {where}{self._load(event.weapons)}."

    def _dealt(self, event: ev.DiceDealt) -> str:
        dealt = _names(f"{number} {name.upper()}" for name, number in event.dealt.items())
        return f"{event.title}: dr {event.roll}{f', {dealt}' if dealt else ''}."

    def _recovery(self, event: ev.RecoveryAttempted) -> str:
        verdict = "recovered" if event.recovered else "not recovered"
        return f"{event.unit} reaches for {self.weapon(event.weapon)}: dr {event.roll}, {verdict} (3.1)."

    def _possessed(self, event: ev.WeaponPossessed) -> str:
        if event.unit:
            return f"{self.weapon(event.weapon)} is in the possession of {event.unit}."
        return f"{self.weapon(event.weapon)} is left in {self.hex(event.hex)}."

    def _rally(self, event: ev.RallyAttempted) -> str:
        by = f"{event.leader} rallies" if event.leader else "Self rally of"
        verdict = "rallies" if event.rallied else "does not rally"
        total = sum(event.faces)
        return f"{by} {event.unit}: needs {event.number.total}, rolls {total}: it {verdict} (3.1)."

    def _created(self, event: ev.LeaderCreated) -> str:
        found = f"{self.card(event.leader.card)} {event.leader.id}" if event.leader is not None else "no leader"
        return f"Field promotion from {event.unit}: dr {event.roll} {event.number.total:+d}: {found} (5.3)."

    def _checked(self, event: ev.MoraleChecked) -> str:
        verdict = "passes" if event.passed else "fails"
        return f"{event.unit} {event.check}: needs {event.number.total}, rolls {sum(event.faces)}: {verdict}."

    def _declared(self, event: ev.FireDeclared) -> str:
        return f"{event.kind} by {self._firers(event)} at {self.hex(event.target)}{self._led(event.leaders)}."

    def _fire(self, event: ev.FireResolved) -> str:
        total = sum(event.faces)
        cowers = ", cowers" if event.cowered else ""
        result = event.result or "no effect"
        return (
            f"{event.kind[:1].upper()}{event.kind[1:]} on {self.hex(event.target)}: {event.column} FP column{cowers}, "
            f"DR {total} {event.drm.total:+d} = {total + event.drm.total}: {result}."
        )

    def _ordnance(self, event: ev.OrdnanceResolved) -> str:
        verdict = "critical hit" if event.critical else "hit" if event.hit else "miss"
        who = self.weapon(event.weapon) if event.weapon else f"{event.unit}, panzerfaust,"
        return f"{who} at {self.hex(event.target)}: needs {event.number.total}, rolls {sum(event.faces)}: {verdict}."

    def _to_kill(self, event: ar.ToKillResolved) -> str:
        by = self.weapon(event.by) if event.by in self._context.scenario.weapons else self.vehicle(event.by)
        part = f"{event.aspect.value} {event.facing.value} of {self.vehicle(event.vehicle)}"
        verdict = "dud" if event.dud else event.result or "no effect"
        rolled = f"Final TK# {event.number.total}, rolls {sum(event.faces)}"
        return f"{by or 'Panzerfaust'} hits the {part}: {rolled}: {verdict} (7.9)."

    def _area_hit(self, event: ar.AreaHitResolved) -> str:
        return f"Hit on {self._rolled(event.vehicle, event)}, {event.aspect.value} (7.11)."

    def _rolled(self, vehicle: str, event: ar.AreaHitResolved | ar.CrewAttacked) -> str:
        """Column, DR and result of an attack on the IFT against a vehicle or its crew."""
        total = sum(event.faces)
        return (
            f"{self.vehicle(vehicle)}: {event.column} FP column, DR {total} {event.drm.total:+d} = "
            f"{total + event.drm.total}: {event.result or 'no effect'}"
        )

    def _shot_declared(self, event: ev.ShotDeclared) -> str:
        how = "Intensive Fire" if event.intensive else event.kind
        at = f"{event.at} in {self.hex(event.target)}" if event.at else self.hex(event.target)
        return f"{how} by {self.weapon(event.firer)} at {at}: {event.target_type.value}, {event.ammo.value}."

    def _shot(self, event: ev.ShotResolved) -> str:
        verdict = f"hits {_names(event.hit)}" if event.hit else "hit" if event.landed else "miss"
        critical = f", a Critical Hit on {event.critical}" if event.critical else ""
        rolled = f"needs {event.number.total}, rolls {sum(event.faces)}"
        return f"{self.weapon(event.firer)} at {self.hex(event.target)}: {rolled}: {verdict}{critical}."

    def _acquired(self, event: ev.GunAcquired) -> str:
        if event.hex is None:
            return f"{self.weapon(event.firer)} loses its Acquired Target (6.10)."
        what = _names(event.targets) or self.hex(event.hex)
        return f"{self.weapon(event.firer)} has acquired {what}: {event.drm:+d} (6.10)."

    def _turn_arc(self, action: ac.TurnArc) -> str:
        what = (
            self.weapon(action.weapon)
            if action.weapon
            else f"{'the hull of ' if action.turn_hull else ''}{action.vehicle}"
        )
        where = spine_name(action.facing) if action.facing in SPINES else f"hexspine {action.facing}"
        return f"turn {what} to {where}"

    def _fire_gun(self, action: ac.FireGun) -> str:
        what = self.weapon(action.weapon) if action.weapon else f"the MA of {action.vehicle}"
        at = f"{action.at} in {self.hex(action.target)}" if action.at else self.hex(action.target)
        turn = f", turned to {spine_name(action.facing)}" if 0 <= action.facing < len(SPINES) else ""
        how = ", Intensive Fire" if action.intensive else ""
        return f"fire {what} at {at}, {action.target_type.value}, {action.ammo.value}{turn}{how}"

    def _marks(self, event: ev.MarksPlaced) -> str:
        if event.mark is Mark.NONE or not (event.units or event.weapons):
            return ""
        return f"{event.mark.value} marker: {self._firers(event)}."

    def _moved(self, event: ev.UnitsMoved) -> str:
        how = "assault move" if event.assault else "move"
        return f"{_does(event.units, how)} to {self.hex(event.hex)}, {_mf(event.cost.total)}."

    def _vehicle_spent(self, event: ve.VehicleSpent) -> str:
        does = _DEEDS.get(event.what, f"{event.what.value}s")
        to = f" to {spine_name(event.vca)}" if event.what is VehicleDeed.TURN else ""
        return f"{event.vehicle} {does}{to} in {self.hex(event.hex)}, {_mp(event.cost.total)} (3.3.2)."

    def _vehicle_steps(self, steps: tuple[VehicleStep, ...]) -> str:
        return _names(self._vehicle_step(step) for step in steps)

    def _vehicle_step(self, step: VehicleStep) -> str:
        words = self.hex(step.to) if step.kind is VehicleDeed.ENTER else step.kind.value
        if step.kind is not VehicleDeed.ENTER and step.to is not None:
            words += f" {self.hex(step.to)}"
        if step.spine >= 0:
            words += f" facing {spine_name(step.spine)}"
        if step.tca >= 0:
            words += f" with the turret to {spine_name(step.tca)}"
        return f"{words} for {_mp(step.extra)} more" if step.extra else words

    def _routed(self, event: ev.UnitRouted) -> str:
        how = "low crawls" if event.low_crawl else "routs"
        with_ = f" with {event.escort}" if event.escort else ""
        return f"{event.unit}{with_} {how} to {self.hex(event.hex)}, {_mf(event.cost.total)} (3.6)."

    def _ambush(self, event: ev.AmbushRolled) -> str:
        rolls = _names(f"{_side(seat)} {roll}" for seat, roll in event.rolls.items())
        verdict = f"ambush by {_side(event.ambusher)}" if event.ambusher else "no ambush"
        drm = _names(f"{number.total:+d}" for number in event.numbers)
        return f"Ambush in {self.hex(event.hex)}: {rolls} (drm {drm}): {verdict} (3.8)."

    def _cc(self, attack: CcAttack) -> str:
        return f"{_names(attack.by)} on {_names(attack.against)}"

    def _assault(self, event: me.VehicleAssaulted) -> str:
        total = sum(event.faces)
        third = f", third die {event.third}" if event.third else ""
        return (
            f"{_does(event.by, 'attack')} {event.vehicle}: CCV {event.value.total}, DR {total} {event.drm.total:+d} = "
            f"{total + event.drm.total}{third}: {_COMBAT_RESULTS[event.result]} (3.8)."
        )

    def _fight(self, event: me.VehicleFought) -> str:
        total = sum(event.faces)
        return (
            f"{event.vehicle} with its {_names(event.guns)} on {_names(event.against)} at {event.odds}: kill number "
            f"{event.kill.total}, DR {total} {event.drm.total:+d} = {total + event.drm.total}: "
            f"{_COMBAT_RESULTS[event.result]} (3.8)."
        )

    def _close_attack(self, action: ac.CloseAttack) -> str:
        if action.vehicle and not action.guns:
            return f"{action.vehicle} uses its close defence weapon"
        who = f"{action.vehicle} with its {_names(action.guns)}" if action.vehicle else _names(action.by)
        return f"{who} on {action.at or _names(action.against)}"

    def _combat(self, event: ev.CloseCombatResolved) -> str:
        total = sum(event.faces)
        result = {"none": "no effect", "reduced": "casualty reduction"}.get(event.result, event.result)
        return (
            f"Close combat, {self._cc(event.attack)} at {event.odds}, kill number {event.kill.total}: "
            f"DR {total} {event.drm.total:+d} = {total + event.drm.total}: {result} (3.8)."
        )

    # --- actions ------------------------------------------------------------------------------------------------

    def _move(self, action: ac.Move) -> str:
        how = "assault move" if action.assault else "double time" if action.double_time else "move"
        return f"{how} {_names(action.units)} {self._steps(action.steps)}".rstrip()

    def _continue(self, action: ac.Continue) -> str:
        way = f"{self._steps(action.steps)}{_names(map(self.hex, action.path))}"
        return f"go on {way}" if way else "go no farther"

    def _steps(self, steps: tuple[MoveStep, ...]) -> str:
        return _names(self._step(step) for step in steps)

    def _step(self, step: MoveStep) -> str:
        match step.kind:
            case StepKind.ENTER:
                return self.hex(step.to)
            case StepKind.WOODS:
                return f"{self.hex(step.to)} off the road"
            case StepKind.EXIT:
                return "off the map"
            case StepKind.SMOKE:
                return f"{step.unit} smoke into {self.hex(step.to)}"
            case StepKind.RECOVER:
                return f"{step.unit} recovers {self.weapon(step.weapon)}"
            case StepKind.PLACE_DC:
                against = f" against {self.vehicle(step.unit)}" if step.unit else ""
                return f"place {self.weapon(step.weapon)} in {self.hex(step.to)}{against}"
            case StepKind.MANHANDLE:
                return f"push {self.weapon(step.weapon)} into {self.hex(step.to)}, pointing {spine_name(step.way)}"
            case StepKind.DROP:
                return f"drop {self.weapon(step.weapon)}"
