"""Events and actions in words. Events carry facts; this is the only place that words them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from sandtable.geo.hex import DIRECTION_NAMES, Hex
from sandtable.systems.aslsk.common import actions as ac
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.pieces.state import CcAttack, Mark, MoveStep, Phase, StepKind, UnitId

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


def _names(ids: Iterable[str]) -> str:
    return ", ".join(ids)


def _side(seat: str) -> str:
    """A side as the beginning of a sentence has it."""
    return seat.title()


def _does(names: Sequence[str], verb: str) -> str:
    """Those who do something, with a verb that fits their number."""
    return f"{_names(names)} {verb if len(names) > 1 else verb + 's'}"


def _mf(halves: int) -> str:
    return f"{halves / 2:g} MF"


class Narrator:
    """Words what happens in one game."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._events: dict[type, Callable[[Any], str]] = {
            ev.UnitPlaced: self._placed,
            ev.SetUpFinished: lambda e: f"{_side(e.seat)}: the set-up is finished.",
            ev.DiceDealt: self._dealt,
            ev.TurnBegan: lambda e: f"Turn {e.turn}, ATTACKER: {_side(e.attacker)}.",
            ev.PhaseBegan: lambda e: f"{_PHASE_NAMES[e.phase]}.",
            ev.ReinforcementsArrived: lambda e: f"Due, off board: {_names(e.units)} (3.1).",
            ev.ControlGained: lambda e: f"Control of {self.place(e.place)}: {_side(e.seat)}.",
            ev.GameEnded: lambda e: f"{e.why[:1].upper()}{e.why[1:]}. Winner: {_side(e.winner) or 'nobody'}.",
            ev.RecoveryAttempted: self._recovery,
            ev.RepairAttempted: lambda e: f"{e.unit} repairs {self.weapon(e.weapon)}: dr {e.roll}, {e.result} (3.1).",
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
            ev.MeleeHeld: lambda e: (
                f"Melee in {self.hex(e.hex)}." if e.units else f"No more Melee in {self.hex(e.hex)}."
            ),
        }
        self._actions: dict[type, Callable[[Any], str]] = {
            ac.PlaceUnit: lambda a: f"set up {a.unit} in {self.hex(a.hex)}{self._load(a.weapons)}",
            ac.SetUpAsSuggested: lambda _: "set up as suggested",
            ac.Done: lambda _: "has finished",
            ac.RecoverWeapon: lambda a: f"{a.unit} recovers {self.weapon(a.weapon)}",
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
            ac.Move: self._move,
            ac.Continue: self._continue,
            ac.HoldFire: lambda a: "hold fire" if a.until is None else "hold fire by standing order",
            ac.Rout: lambda a: f"rout {a.unit} by {'Low Crawl ' if a.low_crawl else ''}{_names(map(self.hex, a.path))}",
            ac.Advance: lambda a: f"advance {_names(a.units)} into {self.hex(a.hex)}",
            ac.Exit: lambda a: f"leave the map with {_names(a.units)}",
            ac.ChooseCombat: lambda a: f"close combat in {self.hex(a.hex)}",
            ac.ArrangeLeaders: lambda a: _names(f"{x} with {y}" for x, y in a.pairs.items()) or "leaders stand alone",
            ac.DeclareCloseCombat: lambda a: "; ".join(map(self._cc, a.attacks)) or "no close combat attack",
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
            f"{event.kind} on {self.hex(event.target)}: {event.column} FP column{cowers}, "
            f"DR {total} {event.drm.total:+d} = {total + event.drm.total}: {result}."
        )

    def _ordnance(self, event: ev.OrdnanceResolved) -> str:
        verdict = "critical hit" if event.critical else "hit" if event.hit else "miss"
        who = self.weapon(event.weapon) if event.weapon else f"{event.unit}, panzerfaust,"
        return f"{who} at {self.hex(event.target)}: needs {event.number.total}, rolls {sum(event.faces)}: {verdict}."

    def _marks(self, event: ev.MarksPlaced) -> str:
        if event.mark is Mark.NONE or not (event.units or event.weapons):
            return ""
        return f"{event.mark.value} marker: {self._firers(event)}."

    def _moved(self, event: ev.UnitsMoved) -> str:
        how = "assault move" if event.assault else "move"
        return f"{_does(event.units, how)} to {self.hex(event.hex)}, {_mf(event.cost.total)}."

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
                return f"{step.unit} places {self.weapon(step.weapon)} in {self.hex(step.to)}"
            case StepKind.DROP:
                return f"drop {self.weapon(step.weapon)}"
