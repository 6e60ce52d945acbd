"""3.1 Rally Phase: recovery, repair, transfer, self rally, unit rally and the removal of DM, in this order.

Each step is a frame for the ATTACKER, then one for the DEFENDER; a side is asked only where it can do something.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch, Gather, Leaf, Node, Pick, Slot
from sandtable.core.errors import Refusal, RulesBug
from sandtable.core.modifier import Breakdown, Modifier
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import (
    Action,
    Done,
    KeepDesperation,
    Rally,
    RecoverWeapon,
    RepairWeapon,
    SelfRally,
    TransferWeapon,
)
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.dice import BOXCARS, SNAKE_EYES, roll_dr
from sandtable.systems.aslsk.common.experience import leadership, lends_leadership, morale_level
from sandtable.systems.aslsk.common.known import adjacent_enemies
from sandtable.systems.aslsk.common.menu import LazyBranch, Menu
from sandtable.systems.aslsk.common.possession import refuse_transfer, transfer, transfers
from sandtable.systems.aslsk.common.refusals import refuse_melee, refuse_stranger
from sandtable.systems.aslsk.common.vehicle_actions import RepairVehicleGun
from sandtable.systems.aslsk.effects.casualties import LeaderLoss, reduce_unit
from sandtable.systems.aslsk.effects.field_promotion import create_leader
from sandtable.systems.aslsk.effects.morale import settle_leader_losses
from sandtable.systems.aslsk.pieces.state import (
    Rallying,
    RallyStep,
    State,
    Unit,
    UnitId,
    Vehicle,
    VehicleGun,
    Weapon,
    Whereabouts,
)
from sandtable.systems.aslsk.support_weapons.recovery import (
    recover,
    recoveries,
    refuse_recovery,
    refuse_repair,
    repair,
    repairs,
)
from sandtable.systems.aslsk.vehicles.vehicle_repair import (
    refuse_vehicle_repair,
    repair_vehicle_gun,
    vehicle_repairs,
)

__all__ = [
    "apply_rally_step",
    "has_rally_step",
    "lift_desperation",
    "rally_options",
    "refuse_rally_step",
    "transfer_branch",
]


def has_rally_step(context: Context, state: State, frame: Rallying) -> bool:
    """Whether the side can do anything in this step."""
    return next(_WAYS[frame.step](context, state, frame), None) is not None


def rally_options(context: Context, state: State, frame: Rallying) -> Node[Action]:
    """What the side may do in this step, or go on (3.1)."""
    if frame.step is _DM_REMOVAL:
        return _keep_options(context, state, frame)

    def ways() -> Iterator[LazyBranch]:
        yield partial(_no_more, frame.step)
        yield from _WAYS[frame.step](context, state, frame)

    return Menu(ways)


def _no_more(step: RallyStep) -> Branch[Action]:
    return Branch("done", "done", f"No more {step.value}", Leaf[Action](Done()))


def _recoveries(context: Context, state: State, frame: Rallying) -> Iterator[LazyBranch]:
    for unit, weapon in recoveries(context, state, frame.seat):
        yield partial(_recovery_branch, context, unit, weapon)


def _recovery_branch(context: Context, unit: Unit, weapon: Weapon) -> Branch[Action]:
    label = f"{unit.id} recovers {context.weapon_title(weapon)}"
    return Branch(f"{unit.id}+{weapon.id}", "unit", label, Leaf[Action](RecoverWeapon(unit.id, weapon.id)), unit.id)


def _repairs(context: Context, state: State, frame: Rallying) -> Iterator[LazyBranch]:
    for weapon in repairs(context, state, frame.seat):
        yield partial(_repair_branch, context, weapon)
    for vehicle, gun in vehicle_repairs(state, frame.seat):
        yield partial(_vehicle_repair_branch, vehicle, gun)


def _repair_branch(context: Context, weapon: Weapon) -> Branch[Action]:
    label = f"Repair {context.weapon_title(weapon)}"
    return Branch(weapon.id, "weapon", label, Leaf[Action](RepairWeapon(weapon.id)), weapon.id)


def _vehicle_repair_branch(vehicle: Vehicle, gun: VehicleGun) -> Branch[Action]:
    label = f"Repair the {gun.value} of {vehicle.id}"
    mend = Leaf[Action](RepairVehicleGun(vehicle.id, gun))
    return Branch(f"{vehicle.id} {gun.value}", "unit", label, mend, vehicle.id)


def _transfers(context: Context, state: State, frame: Rallying) -> Iterator[LazyBranch]:
    for weapon, unit in transfers(context, state, frame.seat):
        if not unit.acted and not state.units[weapon.owner].acted:
            yield partial(transfer_branch, context, weapon, unit)


def transfer_branch(context: Context, weapon: Weapon, unit: Unit) -> Branch[Action]:
    """A weapon that passes to another unit, here and in the APh."""
    label = f"{context.weapon_title(weapon)} from {weapon.owner} to {unit.id}"
    action: Action = TransferWeapon(weapon.id, unit.id)
    return Branch(f"{weapon.id}>{unit.id}", "weapon", label, Leaf(action), weapon.id)


def _self_rallies(context: Context, state: State, frame: Rallying) -> Iterator[LazyBranch]:
    for unit in _own(state, frame):
        if _refuse_self_rally(context, frame, unit) is None:
            yield partial(_self_rally_branch, unit)


def _self_rally_branch(unit: Unit) -> Branch[Action]:
    return Branch(unit.id, "unit", f"Self rally of {unit.id}", Leaf[Action](SelfRally(unit.id)), unit.id)


def _unit_rallies(context: Context, state: State, frame: Rallying) -> Iterator[LazyBranch]:
    for unit in _own(state, frame):
        for leader in _leaders_with(context, state, unit):
            yield partial(_unit_rally_branch, unit, leader)


def _unit_rally_branch(unit: Unit, leader: Unit) -> Branch[Action]:
    label = f"{leader.id} rallies {unit.id}"
    return Branch(f"{unit.id}<{leader.id}", "unit", label, Leaf[Action](Rally(unit.id, leader.id)), unit.id)


def _keepers(context: Context, state: State, frame: Rallying) -> Iterator[LazyBranch]:
    for unit in _may_keep(context, state, frame.seat):
        yield partial(_keeper_branch, unit)


def _keeper_branch(unit: Unit) -> Branch[Action]:
    return Branch(unit.id, "unit", f"{unit.id} keeps DM", Leaf[Action](KeepDesperation((unit.id,))), unit.id)


_WAYS: Mapping[RallyStep, Callable[[Context, State, Rallying], Iterator[LazyBranch]]] = {
    RallyStep.RECOVERY: _recoveries,
    RallyStep.REPAIR: _repairs,
    RallyStep.TRANSFER: _transfers,
    RallyStep.SELF_RALLY: _self_rallies,
    RallyStep.UNIT_RALLY: _unit_rallies,
    RallyStep.DM_REMOVAL: _keepers,
}
"""What may be done in each step."""
_DM_REMOVAL = RallyStep.DM_REMOVAL
"""A name is looked up quicker than a member of an enum."""


def _own(state: State, frame: Rallying) -> Iterator[Unit]:
    """The side's broken units that may still attempt to rally."""
    for unit in state.units.values():
        if unit.broken and unit.side == frame.seat and unit.on_map and not unit.melee and not unit.rallied:
            yield unit


def _leaders_with(context: Context, state: State, unit: Unit) -> Iterator[Unit]:
    for leader in state.units.values():
        if leader.hex == unit.hex and leader.side == unit.side and _is_rallier(context, leader):
            yield leader


def _is_rallier(context: Context, leader: Unit) -> bool:
    return leader.good_order and context.card(leader).is_leader and not _has_other_work(leader)


@rule("1.2.1", "3.1")
def _has_other_work(leader: Unit) -> bool:
    """Whether a leader's one action of this RPh was recovery or repair; his own rally does not count (3.1, 4.0)."""
    return leader.acted and not leader.rallied


# --- what is refused --------------------------------------------------------------------------------------------


@rule("3.1")
def refuse_rally_step(context: Context, state: State, frame: Rallying, action: Action) -> Refusal | None:
    """Why an action is not allowed in this step of the RPh; the steps are taken in order (3.1)."""
    match frame.step, action:
        case RallyStep.DM_REMOVAL, KeepDesperation():
            return _refuse_keep(context, state, frame, action)
        case RallyStep.DM_REMOVAL, _:
            return Refusal("3.1", "the RPh is at the removal of DM", "say which units keep it, or none")
        case _, Done():
            return None
        case RallyStep.RECOVERY, RecoverWeapon():
            return refuse_recovery(context, state, frame.seat, action.unit, action.weapon)
        case RallyStep.REPAIR, RepairWeapon():
            return refuse_repair(context, state, frame.seat, action.weapon)
        case RallyStep.REPAIR, RepairVehicleGun():
            return refuse_vehicle_repair(state, frame.seat, action)
        case RallyStep.TRANSFER, TransferWeapon():
            return _refuse_rally_transfer(state, frame, action)
        case RallyStep.SELF_RALLY, SelfRally():
            unit = state.units.get(action.unit)
            refusal = _refuse_rallier(unit, action.unit, frame)
            if refusal is not None or unit is None:
                return refusal
            return _refuse_self_rally(context, frame, unit)
        case RallyStep.UNIT_RALLY, Rally():
            return _refuse_unit_rally(context, state, frame, action)
        case _:
            return Refusal("3.1", f"the RPh is at its step of {frame.step.value}", "these actions are done in order")


def _refuse_rally_transfer(state: State, frame: Rallying, action: TransferWeapon) -> Refusal | None:
    refusal = refuse_transfer(state, frame.seat, action.weapon, action.to)
    if refusal is not None:
        return refusal
    for unit_id in (state.weapons[action.weapon].owner, action.to):
        if state.units[unit_id].acted:
            return Refusal("3.1", f"{unit_id} has undertaken its one action of this RPh", "transfer it in the APh")
    return None


def _refuse_rallier(unit: Unit | None, name: str, frame: Rallying) -> Refusal | None:
    if unit is None or unit.side != frame.seat or unit.place is not Whereabouts.MAP:
        return refuse_stranger("3.1", name, frame.seat)
    if not unit.broken:
        return Refusal("3.1", f"{unit.id} is not broken", "name a broken one")
    if unit.melee:
        return refuse_melee(unit.id)
    if unit.rallied:
        return Refusal("3.1", f"{unit.id} has attempted to rally this player turn", "try again in the next player turn")
    return None


@rule("1.2.3", "3.1")
def _refuse_self_rally(context: Context, frame: Rallying, unit: Unit) -> Refusal | None:
    """Boxed broken morale, or the ATTACKER's one additional MMC, or a scenario's rule (3.1)."""
    card = context.card(unit)
    if card.boxed or unit.force in context.scenario.conditions.self_rally:
        return None
    if card.is_leader:
        return Refusal("1.2.3", f"{unit.id} has no boxed broken morale", "let a leader who is in Good Order rally it")
    if not _is_attacker(frame):
        return Refusal(
            "3.1",
            f"{unit.id} has no boxed broken morale, and only the ATTACKER may try one such MMC",
            "let a leader rally it",
        )
    if frame.extra_used:
        return Refusal(
            "3.1", "the ATTACKER has tried his one additional MMC in this RPh", "let a leader rally the others"
        )
    return None


def _is_attacker(frame: Rallying) -> bool:
    return not frame.defending


def _refuse_unit_rally(context: Context, state: State, frame: Rallying, action: Rally) -> Refusal | None:
    unit, leader = state.units.get(action.unit), state.units.get(action.leader)
    refusal = _refuse_rallier(unit, action.unit, frame)
    if refusal is not None or unit is None:
        return refusal
    if leader is None or leader.side != frame.seat or leader.hex != unit.hex or not context.card(leader).is_leader:
        return Refusal("3.1", f"{action.leader!r} is no leader stacked with {unit.id}", "name one who is")
    if not leader.good_order:
        return Refusal("3.1", f"{leader.id} is not in Good Order", "he must rally himself first")
    if _has_other_work(leader):
        return Refusal(
            "3.1",
            f"{leader.id} has undertaken his one action of this RPh: recovery or repair",
            "let another leader rally it",
        )
    return None


# --- what happens -----------------------------------------------------------------------------------------------


def apply_rally_step(context: Context, play: Play, frame: Rallying, action: Action) -> None:
    """Do what a side does in a step of the RPh (3.1)."""
    match action:
        case RecoverWeapon():
            recover(context, play, action.unit, action.weapon)
        case RepairWeapon():
            repair(context, play, action.weapon)
        case RepairVehicleGun():
            repair_vehicle_gun(context, play, action)
        case TransferWeapon():
            transfer(play, action.weapon, action.to)
        case SelfRally():
            _self_rally(context, play, frame, action.unit)
        case Rally():
            _attempt(context, play, action.unit, play.state.units[action.leader])
        case KeepDesperation():
            if action.units:
                play.emit(ev.DesperationKept(action.units))
            play.emit(ev.Changed(replace(frame, kept=action.units, answered=True)))
        case _:
            raise RulesBug(f"{action!r} is no action of the RPh")


@rule("3.1")
def _self_rally(context: Context, play: Play, frame: Rallying, unit_id: UnitId) -> None:
    """A unit attempts to rally by itself; an MMC that rolls an original 2 may bring forth a leader (3.1, 5.3)."""
    unit = play.state.units[unit_id]
    card = context.card(unit)
    extra = not card.boxed and unit.force not in context.scenario.conditions.self_rally
    attempts = frame.mmc_attempts + card.is_mmc
    play.emit(ev.Changed(replace(frame, extra_used=frame.extra_used or extra, mmc_attempts=attempts)))
    total = _attempt(context, play, unit_id, None)
    if total == SNAKE_EYES and card.is_mmc and frame.mmc_attempts == 0:
        create_leader(context, play, unit)


@rule("3.1")
def rally_number(context: Context, unit: Unit, leader: Unit | None) -> Breakdown:
    """Highest original DR that rallies a unit: broken morale less all DRM (3.1)."""
    drm = context.tables["rally"].number
    terms = []
    if leader is None:
        terms.append(Modifier(-drm("self_rally"), "self rally", "3.1"))
    elif lends_leadership(context, leader, unit):
        terms.append(Modifier(-leadership(context, leader), f"leadership of {leader.id}", "3.1"))
    if unit.dm:
        terms.append(Modifier(-drm("dm"), "Desperation Morale", "3.1"))
    if unit.hex is not None and context.ground.place(unit.hex).shelter:
        terms.append(Modifier(-drm("shelter"), "woods or building", "3.1"))
    return Breakdown("Rally number", "3.1", tuple(terms), morale_level(context, unit), "broken morale")


def _attempt(context: Context, play: Play, unit_id: UnitId, leader: Unit | None) -> int:
    """Roll to rally a unit; the original DR (3.1)."""
    unit = play.state.units[unit_id]
    number = rally_number(context, unit, leader)
    roll = roll_dr(play, f"rally of {unit_id}", sorted({SNAKE_EYES, number.total, BOXCARS - 1}))
    rallied = roll.total <= number.total
    play.emit(ev.RallyAttempted(unit_id, leader.id if leader else UnitId(""), roll.faces, number, rallied))
    if rallied:
        play.emit(ev.UnitRallied(unit_id))
    elif roll.total == BOXCARS:
        losses: list[LeaderLoss] = []
        reduce_unit(context, play, unit_id, losses, why="original 12 to rally", number="3.1")
        settle_leader_losses(context, play, losses)
    return roll.total


# --- DM ---------------------------------------------------------------------------------------------------------


def _may_lose(context: Context, state: State, seat: str) -> Iterator[Unit]:
    """Units whose DM is removed: those not adjacent to a Known Enemy Unit (3.1 h)."""
    for unit in state.units.values():
        if not unit.dm or unit.side != seat or unit.hex is None:
            continue
        if next(adjacent_enemies(context, state, unit.hex, seat, unbroken=False), None) is None:
            yield unit


def _may_keep(context: Context, state: State, seat: str) -> Iterator[Unit]:
    """Of these, broken units that may opt to keep it: not in woods or building (3.1 h)."""
    for unit in _may_lose(context, state, seat):
        if unit.broken and unit.hex is not None and not context.ground.place(unit.hex).shelter:
            yield unit


def _keep_options(context: Context, state: State, frame: Rallying) -> Node[Action]:
    def ways() -> Iterator[Branch[Action]]:
        yield Branch("done", "done", "Remove every DM that may go", Leaf[Action](KeepDesperation()))
        slots = tuple(
            Slot(unit.id, "unit", f"{context.card(unit).name} {unit.id}", ("keep",))
            for unit in _may_keep(context, state, frame.seat)
        )

        def build(chosen: tuple[str, ...]) -> Action:
            kept = (slot.key for slot, value in zip(slots, chosen, strict=True) if value)
            return KeepDesperation(tuple(UnitId(key) for key in kept))

        if slots:
            yield Branch("keep", "order", "Keep DM on some units", Gather(slots, build))

    return Pick(ways)


def _refuse_keep(context: Context, state: State, frame: Rallying, action: KeepDesperation) -> Refusal | None:
    able = {unit.id for unit in _may_keep(context, state, frame.seat)}
    if len(set(action.units)) != len(action.units):
        return Refusal("3.1", "a unit is named twice", "name each once")
    for unit_id in action.units:
        if unit_id not in able:
            reason = f"{unit_id!r} has no DM that it may choose to keep"
            return Refusal("3.1", reason, "a broken unit outside woods and buildings, no Known Enemy adjacent")
    return None


@rule("3.1")
def lift_desperation(context: Context, play: Play, frame: Rallying) -> None:
    """DM goes at the end of the RPh unless a Known Enemy Unit is adjacent or its owner keeps it (3.1 h)."""
    lifted = tuple(unit.id for unit in _may_lose(context, play.state, frame.seat) if unit.id not in frame.kept)
    if lifted:
        play.emit(ev.DesperationLifted(lifted))
