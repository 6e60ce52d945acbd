"""Folding events into the state: the only place where state changes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.core.frames import FRAME_FOLDS, unchanged
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.facts import melee_events as me
from sandtable.systems.aslsk.common.facts.armour_fold import ARMOUR_FACTS
from sandtable.systems.aslsk.common.facts.group_events import GROUP_FACTS
from sandtable.systems.aslsk.common.facts.gun_events import GUN_FACTS, NOTHING_ACQUIRED
from sandtable.systems.aslsk.common.facts.hidden_events import HIDDEN_FACTS
from sandtable.systems.aslsk.common.facts.manhandling_fold import MANHANDLING_FACTS
from sandtable.systems.aslsk.common.facts.vehicle_fire_fold import VEHICLE_FIRE_FACTS
from sandtable.systems.aslsk.common.phase_end import phase_ended
from sandtable.systems.aslsk.pieces.state import (
    Mark,
    Residual,
    Smoke,
    SmokeKind,
    State,
    UnitId,
    Weapon,
    WeaponId,
    WeaponState,
    Whereabouts,
)

__all__ = ["FACTS", "fold"]

_UNMARKED, _ON_MAP = Mark.NONE, Whereabouts.MAP
"""Names are looked up quicker than members of enums."""


def _unit(state: State, unit_id: UnitId, /, **changes: Any) -> State:
    units = dict(state.units)
    units[unit_id] = replace(units[unit_id], **changes)
    return replace(state, units=units)


def _units(state: State, unit_ids: Iterable[UnitId], /, **changes: Any) -> State:
    units = dict(state.units)
    for unit_id in unit_ids:
        units[unit_id] = replace(units[unit_id], **changes)
    return replace(state, units=units)


def _weapon(state: State, weapon_id: WeaponId, /, **changes: Any) -> State:
    weapons = dict(state.weapons)
    weapons[weapon_id] = replace(weapons[weapon_id], **changes)
    return replace(state, weapons=weapons)


def _weapons_with(state: State, owners: Collection[UnitId], change: Callable[[Weapon], Weapon]) -> State:
    """Change every weapon that one of the units possesses."""
    changed = {}
    for weapon in state.weapons.values():
        if weapon.owner in owners:
            after = change(weapon)
            if after is not weapon:
                changed[weapon.id] = after
    return replace(state, weapons={**state.weapons, **changed}) if changed else state


@rule("4.5")
def _unaimed(weapon: Weapon) -> Weapon:
    """A weapon without its Acquired Target: its crew has left the place, the weapon or Good Order (4.5, 6.10)."""
    if weapon.acquired is None:
        return weapon
    return replace(weapon, **NOTHING_ACQUIRED)


def _unit_placed(state: State, event: ev.UnitPlaced) -> State:
    before = state.units[event.unit]
    place = Whereabouts.MAP if event.hex is not None else before.place
    stays = event.hex == before.hex
    state = _unit(state, event.unit, hex=event.hex, place=place, hidden=stays and before.hidden)
    weapons = {}
    for weapon in state.weapons.values():
        if weapon.id in event.weapons:
            # A Gun that is set up elsewhere, or by somebody else, is pointed anew.
            same = stays and weapon.owner == event.unit
            unpointed = weapon if same else replace(weapon, facing=-1, emplaced=False, hidden=False)
            weapons[weapon.id] = replace(unpointed, owner=event.unit)
        elif weapon.owner == event.unit:
            weapons[weapon.id] = replace(weapon, owner=UnitId(""), facing=-1, emplaced=False, hidden=False)
    return replace(state, weapons={**state.weapons, **weapons}) if weapons else state


def _set_up_finished(state: State, event: ev.SetUpFinished) -> State:
    return replace(state, set_up=(*state.set_up, event.seat))


def _dice_dealt(state: State, event: ev.DiceDealt) -> State:
    units = {unit_id: unit for unit_id, unit in state.units.items() if unit_id not in event.absent}
    return replace(state, units=units, dealt={**state.dealt, **event.dealt})


def _turn_began(state: State, event: ev.TurnBegan) -> State:
    return replace(state, turn=event.turn, attacker=event.attacker)


def _phase_began(state: State, event: ev.PhaseBegan) -> State:
    return replace(state, phase=event.phase)


def _phase_ended(state: State, event: ev.PhaseEnded) -> State:
    return phase_ended(state, event.phase)


def _reinforcements_arrived(state: State, event: ev.ReinforcementsArrived) -> State:
    return _units(state, event.units, place=Whereabouts.OFF_BOARD)


def _control_gained(state: State, event: ev.ControlGained) -> State:
    return replace(state, control={**state.control, event.place: event.seat})


def _game_ended(state: State, event: ev.GameEnded) -> State:
    return replace(state, ended=event.why, winner=event.winner, stack=())


def _recovery_attempted(state: State, event: ev.RecoveryAttempted) -> State:
    return _unit(state, event.unit, acted=True)


def _repair_attempted(state: State, event: ev.RepairAttempted) -> State:
    state = _unit(state, event.unit, acted=True)
    if event.result == "repaired":
        return _weapon(state, event.weapon, state=WeaponState.WORKING)
    return state


def _weapon_possessed(state: State, event: ev.WeaponPossessed) -> State:
    return _weapon(
        state,
        event.weapon,
        owner=event.unit,
        hex=event.hex,
        recovered=event.recovered,
        **NOTHING_ACQUIRED,
    )


def _rally_attempted(state: State, event: ev.RallyAttempted) -> State:
    return _unit(state, event.unit, rallied=True, acted=True)


def _unit_rallied(state: State, event: ev.UnitRallied) -> State:
    return _unit(state, event.unit, broken=False, dm=False)


def _desperation_lifted(state: State, event: ev.DesperationLifted) -> State:
    return _units(state, event.units, dm=False)


def _leader_created(state: State, event: ev.LeaderCreated) -> State:
    if event.leader is None:
        return state
    return replace(state, units={**state.units, event.leader.id: event.leader}, created=state.created + 1)


def _unit_broke(state: State, event: ev.UnitBroke) -> State:
    state = _unit(state, event.unit, broken=True, dm=True, pinned=False)
    return _weapons_with(state, (event.unit,), _unaimed)


def _desperation(state: State, event: ev.Desperation) -> State:
    return _unit(state, event.unit, dm=True)


def _unit_pinned(state: State, event: ev.UnitPinned) -> State:
    return _unit(state, event.unit, pinned=True)


def _unit_reduced(state: State, event: ev.UnitReduced) -> State:
    return _unit(state, event.unit, card=event.card, reduced=True)


def _unit_replaced(state: State, event: ev.UnitReplaced) -> State:
    return _unit(state, event.unit, card=event.card)


def _unit_wounded(state: State, event: ev.UnitWounded) -> State:
    return _unit(state, event.unit, wounded=True)


def _unit_eliminated(state: State, event: ev.UnitEliminated) -> State:
    """The unit goes; its weapons lie unpossessed in its hex (4.0), or are lost with it off the map."""
    hex = state.units[event.unit].hex
    state = _unit(state, event.unit, place=Whereabouts.ELIMINATED, hex=None, melee=False, pinned=False, dm=False)

    def left(weapon: Weapon) -> Weapon:
        if hex is None:
            return replace(weapon, owner=UnitId(""), state=WeaponState.REMOVED)
        return _unaimed(replace(weapon, owner=UnitId(""), hex=hex))

    return _weapons_with(state, (event.unit,), left)


def _weapon_malfunctioned(state: State, event: ev.WeaponMalfunctioned) -> State:
    weapon = _unaimed(state.weapons[event.weapon])
    return replace(state, weapons={**state.weapons, weapon.id: replace(weapon, state=WeaponState.MALFUNCTIONED)})


def _weapon_removed(state: State, event: ev.WeaponRemoved) -> State:
    return _weapon(
        state, event.weapon, state=WeaponState.REMOVED, owner=UnitId(""), hex=None, placed=None, acquired=None
    )


def _weapon_used(state: State, event: ev.WeaponUsed) -> State:
    unit = state.units[event.unit]
    used = unit.used if event.weapon in unit.used else (*unit.used, event.weapon)
    return _unit(state, event.unit, used=used, forfeited=unit.forfeited or event.forfeits)


def _demolition_placed(state: State, event: ev.DemolitionPlaced) -> State:
    return _weapon(
        state,
        event.weapon,
        placed=event.hex,
        owner=UnitId(""),
        hex=event.hex,
        placer_cx=event.cx,
        fails_at=event.fails_at,
    )


def _acquisition_changed(state: State, event: ev.AcquisitionChanged) -> State:
    changes = {**NOTHING_ACQUIRED, "acquired": event.hex, "acquisition": event.drm}
    return _weapon(state, event.weapon, **changes)


def _marks_placed(state: State, event: ev.MarksPlaced) -> State:
    units, weapons = state.units, state.weapons
    if event.units or event.directed or event.busy:
        units = dict(units)
    if event.fired or event.weapons:
        weapons = dict(weapons)
    if event.mark is not _UNMARKED:
        for unit_id in event.units:
            units[unit_id] = replace(units[unit_id], mark=event.mark)
    for unit_id, directed in event.directed.items():
        what = "panzerfaust" if event.panzerfaust else "fire"
        units[unit_id] = replace(units[unit_id], directed=directed, directing=what)
    for unit_id in event.busy:
        units[unit_id] = replace(units[unit_id], busy=True)
    for weapon_id in event.fired:
        weapons[weapon_id] = replace(weapons[weapon_id], fired=True)
    if event.mark is not _UNMARKED:
        for weapon_id in event.weapons:
            weapons[weapon_id] = replace(weapons[weapon_id], mark=event.mark)
    return replace(state, units=units, weapons=weapons)


def _residual_placed(state: State, event: ev.ResidualPlaced) -> State:
    others = tuple(counter for counter in state.residual if counter.hex != event.hex)
    return replace(state, residual=(*others, Residual(event.hex, event.fp)))


def _smoke_placed(state: State, event: ev.SmokePlaced) -> State:
    return replace(state, smoke=(*state.smoke, Smoke(event.hex, event.kind, event.seat)))


_AGED = {SmokeKind.FULL: SmokeKind.DISPERSED, SmokeKind.WP: SmokeKind.DISPERSED_WP}


def _smoke_cleared(state: State, event: ev.SmokeCleared) -> State:
    """A side's full Smoke turns to Dispersed, its Dispersed Smoke goes (1.2.5)."""
    kept = []
    for smoke in state.smoke:
        if smoke.side != event.seat:
            kept.append(smoke)
        elif smoke.kind in _AGED:
            kept.append(replace(smoke, kind=_AGED[smoke.kind]))
    return replace(state, smoke=tuple(kept))


def _hold_ordered(state: State, event: ev.HoldOrdered) -> State:
    return replace(state, holds={**state.holds, event.seat: event.hold})


def _panzerfaust_checked(state: State, event: ev.PanzerfaustChecked) -> State:
    if not event.found:
        return state
    side: Seat = state.units[event.unit].side
    fired = state.panzerfausts.get(side, 0) + 1
    return replace(state, panzerfausts={**state.panzerfausts, side: fired})


def _counter_exhausted(state: State, event: ev.CounterExhausted) -> State:
    if event.cx:
        return _units(state, event.units, cx=True)
    return _units(state, event.units, cx=False, tired=True)


def _units_moved(state: State, event: ev.UnitsMoved) -> State:
    state = _units(state, event.units, hex=event.hex, place=_ON_MAP)
    return _weapons_with(state, event.units, _carried_on)


def _carried_on(weapon: Weapon) -> Weapon:
    return weapon if weapon.moved and weapon.acquired is None else replace(_unaimed(weapon), moved=True)


def _units_exited(state: State, event: ev.UnitsExited) -> State:
    state = _units(state, event.units, hex=None, place=Whereabouts.EXITED, away=event.counts)
    return _weapons_with(
        state, event.units, lambda weapon: replace(weapon, state=WeaponState.REMOVED, owner=UnitId(""))
    )


def _move_ended(state: State, event: ev.MoveEnded) -> State:
    return _units(state, event.units, moved=True)


def _smoke_rolled(state: State, event: ev.SmokeRolled) -> State:
    return _unit(state, event.unit, threw_smoke=True)


def _unit_routed(state: State, event: ev.UnitRouted) -> State:
    movers = (event.unit, event.escort) if event.escort else (event.unit,)
    return _weapons_with(_units(state, movers, hex=event.hex), movers, _unaimed)


def _rout_ended(state: State, event: ev.RoutEnded) -> State:
    movers = (event.unit, event.escort) if event.escort else (event.unit,)
    return _units(state, movers, routed=True)


def _units_advanced(state: State, event: ev.UnitsAdvanced) -> State:
    state = _units(state, event.units, hex=event.hex, place=_ON_MAP, advanced=True)
    return _weapons_with(state, event.units, _unaimed)


def _melee_held(state: State, event: ev.MeleeHeld) -> State:
    units = dict(state.units)
    for unit_id, unit in state.units.items():
        if unit.hex == event.hex and unit.melee != (unit_id in event.units):
            units[unit_id] = replace(unit, melee=not unit.melee)
    return _weapons_with(replace(state, units=units), event.units, _unaimed)


def _afv_faced(state: State, event: me.AfvFaced) -> State:
    return _unit(state, event.unit, faced=(*state.units[event.unit].faced, event.vehicle))


FACTS: Mapping[type, Callable[[State, Any], State]] = {
    **ARMOUR_FACTS,
    **GROUP_FACTS,
    **GUN_FACTS,
    ev.UnitPlaced: _unit_placed,
    ev.SetUpFinished: _set_up_finished,
    ev.DiceDealt: _dice_dealt,
    ev.TurnBegan: _turn_began,
    ev.PhaseBegan: _phase_began,
    ev.PhaseEnded: _phase_ended,
    ev.ReinforcementsArrived: _reinforcements_arrived,
    ev.ControlGained: _control_gained,
    ev.GameEnded: _game_ended,
    ev.RecoveryAttempted: _recovery_attempted,
    ev.RepairAttempted: _repair_attempted,
    ev.WeaponPossessed: _weapon_possessed,
    ev.RallyAttempted: _rally_attempted,
    ev.UnitRallied: _unit_rallied,
    ev.DesperationLifted: _desperation_lifted,
    ev.LeaderCreated: _leader_created,
    ev.UnitBroke: _unit_broke,
    ev.Desperation: _desperation,
    ev.UnitPinned: _unit_pinned,
    ev.UnitReduced: _unit_reduced,
    ev.UnitReplaced: _unit_replaced,
    ev.UnitWounded: _unit_wounded,
    ev.UnitEliminated: _unit_eliminated,
    ev.WeaponMalfunctioned: _weapon_malfunctioned,
    ev.WeaponRemoved: _weapon_removed,
    ev.WeaponUsed: _weapon_used,
    ev.DemolitionPlaced: _demolition_placed,
    ev.AcquisitionChanged: _acquisition_changed,
    ev.PanzerfaustChecked: _panzerfaust_checked,
    ev.MarksPlaced: _marks_placed,
    ev.ResidualPlaced: _residual_placed,
    ev.SmokePlaced: _smoke_placed,
    ev.SmokeCleared: _smoke_cleared,
    ev.HoldOrdered: _hold_ordered,
    ev.CounterExhausted: _counter_exhausted,
    ev.UnitsMoved: _units_moved,
    ev.UnitsExited: _units_exited,
    ev.MoveEnded: _move_ended,
    ev.SmokeRolled: _smoke_rolled,
    ev.UnitRouted: _unit_routed,
    ev.RoutEnded: _rout_ended,
    ev.UnitsAdvanced: _units_advanced,
    ev.MeleeHeld: _melee_held,
    ev.DesperationKept: unchanged,
    ev.MoraleChecked: unchanged,
    ev.WoundRolled: unchanged,
    ev.FireDeclared: unchanged,
    ev.HexesBlocked: unchanged,
    ev.FireResolved: unchanged,
    ev.OrdnanceResolved: unchanged,
    ev.BackblastStruck: unchanged,
    ev.FireHeld: unchanged,
    ev.UnitsSpent: unchanged,
    ev.Interdicted: unchanged,
    ev.LeadersArranged: unchanged,
    ev.AmbushRolled: unchanged,
    ev.CloseCombatDeclared: unchanged,
    ev.CloseCombatResolved: unchanged,
    **VEHICLE_FIRE_FACTS,
    me.AfvFaced: _afv_faced,
    me.VehicleAssaulted: unchanged,
    me.VehicleFought: unchanged,
    me.CombatPassed: unchanged,
    **MANHANDLING_FACTS,
    **HIDDEN_FACTS,
}
"""How every fact changes the state."""
_FOLDS: Mapping[type, Callable[[State, Any], State]] = {**FRAME_FOLDS, **FACTS}


def fold(state: State, event: ev.Event) -> State:
    """The state after a frame moved or one of these facts: for odds that play a few effects through."""
    return _FOLDS[type(event)](state, event)
