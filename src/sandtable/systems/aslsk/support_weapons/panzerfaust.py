"""4.4.2 Panzerfaust: an inherent weapon of German Infantry from October 1943 on, with enemy AFV or by SSR.

A unit makes a check dr; with a 3 or less it has one and must fire it, at a vehicle, at Infantry in a building, or at a
Gun anywhere (4.4). The check is a use of a weapon either way.
"""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.core.dice import Roll
from sandtable.core.errors import Refusal
from sandtable.core.modifier import Breakdown, Modifier
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.armour.strike import strike_vehicle
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import FireOrdnance
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.dice import BOXCARS, DR, one_of, roll_single
from sandtable.systems.aslsk.common.experience import is_inexperienced
from sandtable.systems.aslsk.common.hidden import hidden_units
from sandtable.systems.aslsk.common.numbers import numbers_of
from sandtable.systems.aslsk.common.possession import weapons_of
from sandtable.systems.aslsk.common.refusals import refuse_stranger
from sandtable.systems.aslsk.effects.casualties import LeaderLoss, break_unit, reduce_unit
from sandtable.systems.aslsk.effects.morale import pin, settle_leader_losses
from sandtable.systems.aslsk.fire.fire import targets_of
from sandtable.systems.aslsk.fire.fire_groups import Firer, refuse_usage
from sandtable.systems.aslsk.fire.fire_marks import mark_for, use_weapon
from sandtable.systems.aslsk.fire.firers import Bar, Fireground, Use
from sandtable.systems.aslsk.fire.gun_cover import manned_gun
from sandtable.systems.aslsk.fire.to_hit import Aim, to_hit
from sandtable.systems.aslsk.fire.to_hit_chart import CRITICAL
from sandtable.systems.aslsk.pieces.cards import Nationality, UnitKind
from sandtable.systems.aslsk.pieces.state import Mark, State, UnderWay, Unit, UnitId, Vehicle, WeaponId
from sandtable.systems.aslsk.support_weapons.anti_tank import (
    is_gun_there,
    is_infantry_there,
    meant_vehicle,
    refuse_vehicle,
    vehicle_number,
    weapon_strike,
)
from sandtable.systems.aslsk.support_weapons.backblast import backblast
from sandtable.systems.aslsk.support_weapons.ordnance import has_backblast, refuse_leader
from sandtable.systems.aslsk.support_weapons.ordnance_hit import strike_hex

__all__ = ["fire_panzerfaust", "has_panzerfausts", "panzerfaust_range", "refuse_panzerfaust"]

FIRST_MONTH = (1943, 10)
NO_PANZERFAUST = 6
"""The original dr that pins the unit."""


@rule("4.4.2")
def has_panzerfausts(context: Context, seat: str) -> bool:
    """Whether a side may have panzerfausts: its enemy has AFV, or a SSR says so (4.4.2)."""
    scenario = context.scenario
    if not scenario.vehicles:
        return seat in scenario.conditions.panzerfausts
    return seat in scenario.conditions.panzerfausts or any(
        vehicle.side != seat for vehicle in scenario.vehicles.values()
    )


@rule("4.4.2")
def panzerfaust_range(context: Context) -> int:
    """Range in hexes by the date of the scenario; 0 before panzerfausts (4.4.2)."""
    conditions = context.scenario.conditions
    date = (conditions.year, conditions.month)
    numbers = numbers_of(context).panzerfaust
    if date < FIRST_MONTH:
        return 0
    if date < (1944, 6):
        return numbers["range_before_1944-06"]
    return numbers["range_1944" if date < (1945, 1) else "range_1945"]


@rule("4.4.2")
def panzerfausts_left(context: Context, state: State, seat: str) -> int:
    """Shots that a side has left: its squads in 1943, half as many again in 1944, twice as many in 1945 (4.4.2)."""
    squads = sum(
        unit.side == seat and context.card(unit).kind is UnitKind.SQUAD for unit in context.scenario.units.values()
    )
    year = context.scenario.conditions.year
    most = squads * 2 if year >= 1945 else squads * 3 // 2 if year == 1944 else squads
    return most - state.panzerfausts.get(seat, 0)


@rule("4.4.2")
def refuse_panzerfaust(fireground: Fireground, action: FireOrdnance) -> Refusal | None:
    """Why a unit may not make a PF check now (4.4.2)."""
    context, state = fireground.context, fireground.state
    unit = state.units.get(action.unit)
    if unit is None or unit.side != fireground.seat or not unit.on_map:
        return refuse_stranger("4.4.2", action.unit, fireground.seat)
    if not has_panzerfausts(context, fireground.seat) or not panzerfaust_range(context):
        return Refusal("4.4.2", f"the scenario gives {fireground.seat} no panzerfausts", "fire another weapon")
    if context.card(unit).nationality is not Nationality.GERMAN:
        return Refusal("4.4.2", f"{unit.id} is not German", "let a German unit check")
    return (
        _refuse_state(fireground, unit)
        or _refuse_shot(fireground, unit, action)
        or refuse_usage(context, unit, (next_id(unit),), own_fp=False, again=False)
        or _refuse_second_direction(state, action.leader)
        or refuse_leader(fireground, Firer(unit, None, Use.PLAIN), action)
    )


@rule("4.4.2")
def _refuse_second_direction(state: State, leader_id: UnitId) -> Refusal | None:
    """A leader directs one panzerfaust in a phase, and nothing else beside it (4.4.2)."""
    leader = state.units.get(leader_id)
    if leader is None or not leader.directing:
        return None
    return Refusal("4.4.2", f"{leader_id} has directed fire in this phase", "a PF would be all that he directs in it")


def next_id(unit: Unit) -> WeaponId:
    """The name under which a unit's next panzerfaust counts as a weapon used."""
    return WeaponId(f"PF {1 + sum(name.startswith('PF ') for name in unit.used)}")


def _refuse_state(fireground: Fireground, unit: Unit) -> Refusal | None:
    bar = fireground.bar_unit(unit)
    if bar is not None:
        return bar.refusal(unit.id)
    squad = fireground.context.card(unit).kind is UnitKind.SQUAD
    if not squad and (unit.mark is not Mark.NONE or unit.directed):
        return Refusal("4.4.2", f"{unit.id} has fired already", "let another unit check")
    if unit.mark is Mark.FINAL_FIRE:
        return Refusal("4.4.2", f"{unit.id} has a Final Fire marker", "check for a PF before its own FP fires")
    if panzerfausts_left(fireground.context, fireground.state, fireground.seat) <= 0:
        return Refusal("4.4.2", "every panzerfaust of the order of battle has been fired", "fire another weapon")
    return None


def _refuse_shot(fireground: Fireground, unit: Unit, action: FireOrdnance) -> Refusal | None:
    context = fireground.context
    reach, most = fireground.reach(unit.hex) if unit.hex is not None else 0, panzerfaust_range(context)
    if reach > most:
        return Refusal(
            "4.4.2", f"the target is {reach} hexes away, and a panzerfaust reaches {most}", "fire from nearer by"
        )
    aimed = meant_vehicle(fireground.state, action) is not None
    if not aimed and not context.ground.place(fireground.target).building and not is_gun_there(fireground):
        return Refusal(
            "4.4",
            "a panzerfaust is fired at a Gun, or at Infantry only where it can have building TEM",
            "fire at one of these, or name a vehicle",
        )
    if not aimed and not is_infantry_there(fireground):
        return Refusal("4.4.2", "no Infantry is in the hex that it could hit", "name the vehicle that is meant")
    if fireground.spent_shots(f"{unit.id} PF"):
        return Bar.TOO_OFTEN.refusal(unit.id)
    if context.scenario.conditions.free_sight and unit.hex is not None and not fireground.sees(unit.hex):
        return Bar.NO_LOS.refusal(unit.id)
    if action.smoke:
        return Refusal("6.2", "a panzerfaust fires no Smoke", "fire it without")
    if action.backblast and not has_backblast(context, None, unit):
        return Refusal("4.4.3", "there is no backblast here", "fire without that choice")
    if aimed:
        return refuse_vehicle(fireground, action.victim)
    return _refuse_victim(fireground, action.victim) if action.victim else None


def _refuse_victim(fireground: Fireground, victim: UnitId) -> Refusal | None:
    """Why the firer may not pick this unit: it must be a target that mans a weapon (4.4.2)."""
    unit = fireground.state.units.get(victim)
    if unit is None or not fireground.is_target(unit):
        return Refusal(
            "4.4.2",
            f"{victim!r} is no target of this shot",
            "name a target in the hex, or leave it to random selection",
        )
    if not weapons_of(fireground.context, fireground.state, victim):
        return Refusal("4.4.2", f"{victim!r} mans no weapon", "leave the choice to random selection")
    if not _may_be_struck(fireground.context, fireground.state, victim, fireground.target):
        return Refusal("4.4", f"{victim!r} mans no Gun, and is in no building", "leave the choice to random selection")
    return None


@rule("4.4")
def _may_be_struck(context: Context, state: State, unit_id: UnitId, target: Hex) -> bool:
    """Whether a hit can be on this unit: in a building anybody, elsewhere those alone who man a Gun (4.4)."""
    return bool(context.ground.place(target).building) or manned_gun(context, state, unit_id) is not None


@rule("4.4.2")
def check_number(context: Context, unit: Unit, *, afv: bool) -> Breakdown:
    """The highest dr with which a unit has a panzerfaust for a target, an AFV or not (4.4.2)."""
    numbers = numbers_of(context).panzerfaust
    terms = [] if afv else [Modifier(-numbers["drm_not_afv"], "target is no AFV", "4.4.2")]
    if context.scenario.conditions.year >= 1945:
        terms.append(Modifier(-numbers["drm_1945"], "1945", "4.4.2"))
    if unit.cx:
        terms.append(Modifier(-numbers["drm_cx"], "CX", "4.4.2"))
    kind = context.card(unit).kind
    if kind is UnitKind.LEADER:
        terms.append(Modifier(-numbers["drm_smc"], "SMC", "4.4.2"))
    elif kind is not UnitKind.SQUAD:
        terms.append(Modifier(-numbers["drm_half_squad"], kind.value, "4.4.2"))
    return Breakdown("Panzerfaust", "4.4.2", tuple(terms), numbers["found_to"], "PF check")


@rule("4.4.2")
def fire_panzerfaust(fireground: Fireground, play: Play, action: FireOrdnance, moving: UnderWay | None = None) -> None:
    """PF check dr, then To Hit and the 16 column on one unit of the hex, or To Kill (4.4.2)."""
    context = fireground.context
    unit = play.state.units[action.unit]
    leaders = (action.leader,) if action.leader else ()
    play.emit(ev.FireDeclared(fireground.seat, "Panzerfaust", (unit.id,), (), leaders, action.target))
    use_weapon(context, play, unit.id, next_id(unit))
    _mark(fireground, play, unit)
    number = check_number(context, unit, afv=meant_vehicle(play.state, action) is not None)
    roll = roll_single(play, f"{unit.id} PF check", (number.total, NO_PANZERFAUST - 1))
    play.emit(ev.PanzerfaustChecked(unit.id, roll, number, roll <= number.total))
    if roll == NO_PANZERFAUST:
        _no_panzerfaust(context, play, unit)
    if roll <= number.total:
        _shoot(fireground, play, action, moving)


def _no_panzerfaust(context: Context, play: Play, unit: Unit) -> None:
    """An original 6 pins the unit, or breaks it if it is pinned already (4.4.2)."""
    if not unit.pinned:
        pin(play, unit.id)
        return
    losses: list[LeaderLoss] = []
    break_unit(context, play, unit.id, losses)
    settle_leader_losses(context, play, losses)


def _mark(fireground: Fireground, play: Play, unit: Unit) -> None:
    now = play.state.units[unit.id]
    is_leader = fireground.context.card(unit).is_leader
    marked = (unit.id,) if is_leader or now.forfeited else ()
    busy = (unit.id,) if is_leader else ()
    play.emit(ev.MarksPlaced(mark_for(fireground.mode, Use.PLAIN), marked, busy=busy))


@rule("4.4.2")
def _mark_leader(fireground: Fireground, play: Play, unit: Unit, leader: Unit) -> None:
    """A leader has directed once there is a To Hit DR, not by a check in vain; and nothing else this phase (4.4.2)."""
    directed = {leader.id: tuple(dict.fromkeys((*leader.directed, unit.id)))}
    mark = mark_for(fireground.mode, Use.PLAIN)
    play.emit(ev.MarksPlaced(mark, (leader.id,), directed=directed, panzerfaust=True))


@rule("3.2.1", "4.4.2", "4.4.3")
def _shoot(fireground: Fireground, play: Play, action: FireOrdnance, moving: UnderWay | None) -> None:
    """The To Hit DR: without a line of sight it hits nobody, but its 12 and its backblast strike (3.2.1, 4.4.2)."""
    context, state = fireground.context, play.state
    unit = state.units[action.unit]
    leader = state.units[action.leader] if action.leader else None
    if leader is not None:
        _mark_leader(fireground, play, unit, leader)
    shielded = has_backblast(context, None, unit) and not action.backblast
    aim = Aim(None, unit, action.target, fireground.mode, leader, shielded)
    vehicle = meant_vehicle(state, action)
    if not fireground.sees(aim.hex):
        play.emit(ev.HexesBlocked((aim.hex,), action.target, "no line of sight"))
        roll = play.dice.roll(DR, "fire without a line of sight", None)
    elif vehicle is not None:
        roll = _at_vehicle(context, play, aim, vehicle, moving)
    else:
        roll = _at_infantry(fireground, play, aim, action.victim, moving)
    if action.backblast:
        backblast(context, play, aim.hex, fireground.seat, roll.faces[0])
    if _is_desperate(context, state, unit, roll) and play.state.units[unit.id].on_map:
        losses: list[LeaderLoss] = []
        reduce_unit(context, play, unit.id, losses, why="original 12 with a panzerfaust", number="4.4.2")
        settle_leader_losses(context, play, losses)


@rule("4.4.2", "5.4")
def _is_desperate(context: Context, state: State, unit: Unit, roll: Roll) -> bool:
    """An original 12 To Hit, or 11 of Inexperienced Infantry, is a miss that costs its firer dear (4.4.2)."""
    return roll.total >= BOXCARS - is_inexperienced(context, state, unit)


def _at_infantry(fireground: Fireground, play: Play, aim: Aim, victim: UnitId, moving: UnderWay | None) -> Roll:
    """The To Hit DR at Infantry or Guns, and the hit on one unit of it; who is hidden is not selected (6.4)."""
    context, state, unit = fireground.context, play.state, aim.firer
    hidden = hidden_units(context, state)
    there = targets_of(context, state, fireground.seat, aim.target, moving)
    targets = [one for one in there if one not in hidden and _may_be_struck(context, state, one, aim.target)]
    number, own, _ = to_hit(context, state, aim, targets, moving)
    roll = play.dice.roll(DR, f"{unit.id} PF To Hit {context.label(aim.target)}", None)
    hit = [one for one in targets if roll.total <= number.total - sum(term.value for term in own.get(one, ()))]
    hit = [] if _is_desperate(context, state, unit, roll) else hit
    critical = bool(hit) and roll.total == CRITICAL
    first = victim if victim in targets else next(iter(targets), UnitId(""))
    shown = number.plus(Modifier(-term.value, term.label, term.rule) for term in own.get(first, ()))
    play.emit(ev.OrdnanceResolved(WeaponId(""), unit.id, aim.target, shown, roll.faces, bool(hit), critical))
    if hit:
        chosen = victim if victim in hit else hit[one_of(play, len(hit), "PF random selection")]
        strike_hex(context, play, aim, (chosen,), critical=critical)
    return roll


@rule("4.4.2")
def _at_vehicle(context: Context, play: Play, aim: Aim, vehicle: Vehicle, moving: UnderWay | None) -> Roll:
    """The To Hit DR at a vehicle, and the To Kill attempt of a hit (4.4.2)."""
    state, unit = play.state, aim.firer
    number, _ = vehicle_number(context, state, aim, vehicle, moving)
    roll = play.dice.roll(DR, f"{unit.id} PF To Hit {vehicle.id}", None)
    hit = roll.total <= number.total and not _is_desperate(context, state, unit, roll)
    critical = hit and roll.total == CRITICAL
    play.emit(ev.OrdnanceResolved(WeaponId(""), unit.id, aim.target, number, roll.faces, hit, critical))
    if hit:
        strike_vehicle(context, play, weapon_strike(context, aim, vehicle, roll, critical=critical))
    return roll
