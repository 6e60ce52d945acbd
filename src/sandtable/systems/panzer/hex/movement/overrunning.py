"""6.6.10 Overrun: a vehicle drives into the hex of a leg or towed unit and fires all that it has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch, Leaf
from sandtable.core.errors import Refusal
from sandtable.geo.hex import Hex, distance
from sandtable.systems.panzer import events as shared
from sandtable.systems.panzer.advanced_card import GpKind, UnitClass
from sandtable.systems.panzer.combat.ammo_limits import is_short
from sandtable.systems.panzer.combat.close_combat import overrun_factor, refuse_overrun
from sandtable.systems.panzer.combat.fire_events import AmmoRolled
from sandtable.systems.panzer.command.sharing import holder_of
from sandtable.systems.panzer.edition import Module
from sandtable.systems.panzer.facts import BlastFacts, BlastKind
from sandtable.systems.panzer.features import FeatureKind
from sandtable.systems.panzer.frames import Movement
from sandtable.systems.panzer.hex import events as ev
from sandtable.systems.panzer.hex.actions import Action, Continue, Overrun
from sandtable.systems.panzer.hex.combat.gp_results import gp_attack
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.features import occupied
from sandtable.systems.panzer.hex.handler import Play
from sandtable.systems.panzer.hex.movement.mover import Mover
from sandtable.systems.panzer.hex.movement.reach import Found, found_from, way_into
from sandtable.systems.panzer.hex.movement.shared_ends import is_among_sharers, refuse_end_apart
from sandtable.systems.panzer.hex.progress import MoveProgress
from sandtable.systems.panzer.hex.spotting.obscured import obscured
from sandtable.systems.panzer.hex.state import Leg, LegKind, Moving, State, Unit
from sandtable.systems.panzer.markers import Suppression
from sandtable.systems.panzer.ranges import RangeFactor
from sandtable.systems.panzer.unit import MOVING_COMMANDS, Command, UnitId, refuse_no_target

__all__ = ["overrun_on", "overrun_onward", "overruns", "refuse_overrunning", "refuse_way_on", "throw_back"]

_BOOK = ("panzer-na",)
_RANGE = 1
"""The GP Factors of an Overrun are those at a range of 1 hex (6.6.10.1)."""


@rule("6.6.10", "6.6.11", "6.1.4.3.7", editions=_BOOK)
def refuse_overrunning(context: Context, state: State, frame: Movement, action: Overrun) -> Refusal | None:
    """Why a vehicle may not overrun the target like this (6.6.10)"""
    unit = state.units[action.unit]
    refusal = _refuse_target(context, state, frame, unit, action.target)
    if refusal is not None:
        return refusal
    if len(set(action.others)) < len(action.others):
        return Refusal("6.6.10", "a vehicle is announced twice", "name each once")
    for other in action.others:
        also = state.units.get(other)
        if also is None or also.side != frame.player or other == unit.id or also.moved:
            return Refusal(
                "6.6.10", f"{other!r} is no other vehicle of {frame.player} that has still to move", "leave it out"
            )
        refusal = _refuse_target(context, state, frame, also, action.target)
        if refusal is not None:
            return refusal
    target = state.units[action.target]
    assert target.hex is not None  # noqa: S101 - it is in play
    mover = Mover(context, state, unit)
    start = mover.start()
    refusal = _refuse_way(context, mover, start, action.legs, target)
    return refusal or _refuse_apart(context, state, unit, target, action.legs)


def _refuse_target(context: Context, state: State, frame: Movement, unit: Unit, target_id: UnitId) -> Refusal | None:
    target = state.units.get(target_id)
    vehicle = context.move_facts(unit)
    if vehicle is None or not context.plays(Module.OVERRUN):
        return Refusal("6.6.10", "this scenario has no Overruns", "move normally")
    if unit.hex is None:
        return Refusal("6.6.10", f"{unit.id} is not on the mapboard", "move it on to the mapboard first")
    if target is None or target.side == unit.side or not target.in_play or target.hex is None:
        return refuse_no_target(target_id, "6.6.10")
    facts = context.move_facts(target)
    assert facts is not None  # noqa: S101 - of the Advanced Game
    spotted = target_id in state.spotted.get(unit.id, ())
    refusal = refuse_overrun(vehicle, facts, armed=context.cards[unit.card].armed, spotted=spotted)
    if refusal is not None:
        return refusal
    if target.moved and target.command not in MOVING_COMMANDS:
        return Refusal("6.6.10", f"{target_id} was not dismounted when the turn began", "wait for the next turn")
    if occupied(state.features, target_id, FeatureKind.IMPROVED_POSITION) is not None:
        return Refusal(
            "6.1.4.3.7", f"{target_id} is in an Improved Position, which is not overrun", "choose another target"
        )
    announced = frame.overruns.get(unit.id)
    if announced is not None and announced != target_id:
        return Refusal("6.6.10", f"{unit.id} was announced to overrun {announced}", "it may move normally")
    if announced is None and target_id in frame.overruns.values():
        return Refusal("6.6.10", f"the Overruns of {target_id} were announced before", "all of them at once")
    bound = state.bound_to.get(holder_of(unit))
    if bound is not None and bound != target_id:
        reason = f"{unit.id} shares its command with units that attack {bound}"
        return Refusal("6.6.11", reason, "attack the same target, or move normally")
    return None


@rule("6.6.10", editions=_BOOK)
def _refuse_way(context: Context, mover: Mover, now: MoveProgress, legs: Sequence[Leg], target: Unit) -> Refusal | None:
    """Why legs do not lead the vehicle into the target's hex within its allowance (6.6.10)"""
    assert target.hex is not None  # noqa: S101 - it is in play
    where = mover.label(target.hex)
    for leg in legs:
        if leg not in mover.all_legs or leg.step is LegKind.STAY or now.exited:
            return Refusal("6.6.10", "the way must lead on into the hex of the target", f"end the way in {where}")
        after = mover.leg(now, leg)
        if after is None:
            return Refusal("6.6.10", f"{mover.unit.id} cannot go that way", "choose another way")
        now = after
    if now.hex != target.hex or not legs or now.exited:
        return Refusal("6.6.10", f"the way does not lead into {where}", f"end the way in {where}")
    if not _affords(now):
        reason = f"{mover.unit.id} has not the movement speed allowance to enter {where}"
        return Refusal("6.6.10", reason, "choose a shorter way, or a nearer target")
    if _is_housed(context, mover, target) and legs[-1].step is not LegKind.INTO:
        return Refusal("6.6.10", f"{target.id} is inside a building", "enter the building")
    return None


def _affords(now: MoveProgress) -> bool:
    by_route = now.on_route and now.spent_route <= now.allowance(now.route_rate)
    return now.spent <= now.cross_country or by_route


def _is_housed(context: Context, mover: Mover, target: Unit) -> bool:
    assert target.hex is not None  # noqa: S101 - it is in play
    houses = mover.ground.places[target.hex].storeys > 0
    return houses and (context.cards[target.card].unit_class.is_leg or bool(target.markers.floor))


def _way(context: Context, mover: Mover, now: MoveProgress, found: Found, target: Unit) -> tuple[Leg, ...] | None:
    assert target.hex is not None  # noqa: S101 - it is in play
    legs = way_into(found, target.hex, indoors=_is_housed(context, mover, target))
    return None if legs is None or _refuse_way(context, mover, now, legs, target) is not None else legs


def overruns(context: Context, state: State, frame: Movement, unit: Unit) -> Iterator[Branch[Action]]:
    """Every target that the vehicle can overrun, each by a cheapest way."""
    targets = [
        target for target in _near(context, state, unit) if _refuse_target(context, state, frame, unit, target) is None
    ]
    if not targets:
        return
    mover = Mover(context, state, unit)
    start = mover.start()
    found = found_from(mover, start)
    for target_id in targets:
        legs = _way(context, mover, start, found, state.units[target_id])
        if legs is None or _refuse_apart(context, state, unit, state.units[target_id], legs) is not None:
            continue
        yield _branch(mover, state.units[target_id], Overrun(unit.id, target_id, legs))
        others = _others(context, state, frame, unit, target_id)
        if others:
            action = Overrun(unit.id, target_id, legs, others)
            yield _branch(mover, state.units[target_id], action, f", then by {', '.join(others)}")


def _others(context: Context, state: State, frame: Movement, unit: Unit, target: UnitId) -> tuple[UnitId, ...]:
    """The other vehicles that might overrun the same target, once it is announced (6.6.10)."""
    if unit.id in frame.overruns:
        return ()
    return tuple(
        other.id
        for _, other in sorted(state.units.items())
        if other.side == unit.side
        and other is not unit
        and other.in_play
        and not other.moved
        and target in _near(context, state, other)
        and _refuse_target(context, state, frame, other, target) is None
    )


@rule("6.2.1.1.4", "6.6.11", editions=_BOOK)
def _refuse_apart(context: Context, state: State, unit: Unit, target: Unit, legs: Sequence[Leg]) -> Refusal | None:
    """Why an Overrun would lead a vehicle away from those who share its command (6.2.1.1.4, 6.6.11)

    It ends in the target's hex, or is put back into the one from which it entered.
    """
    mover = Mover(context, state, unit)
    now = mover.start()
    for leg in legs[:-1]:
        after = mover.leg(now, leg)
        assert after is not None  # noqa: S101 - the way was checked
        now = after
    if target.hex is not None and is_among_sharers(context, state, unit, target.hex):
        return None
    return refuse_end_apart(context, state, unit, now.hex)


def _branch(mover: Mover, target: Unit, action: Action, more: str = "") -> Branch[Action]:
    """A choice in the hex of the target."""
    assert target.hex is not None  # noqa: S101 - it is in play
    words = f"overrun {target.id}{more}"
    return Branch(words, "attack", words, Leaf(action), mover.label(target.hex), is_hex=True)


def _near(context: Context, state: State, unit: Unit) -> list[UnitId]:
    """Those that a vehicle spots and might get to: every hex costs one at the least."""
    card = context.cards[unit.card]
    if unit.hex is None or card.unit_class is not UnitClass.VEHICLE or unit.command is not Command.MOVE:
        return []
    far = max(card.movement.cross_country, card.movement.path, card.movement.road)
    near = []
    for target_id in state.spotted.get(unit.id, ()):
        hex = state.units[target_id].hex
        if hex is not None and distance(unit.hex, hex) <= far:
            near.append(target_id)
    return near


def refuse_way_on(context: Context, mover: Mover, frame: Moving, legs: Sequence[Leg], target: Unit) -> Refusal | None:
    """Why a vehicle that drew fire on its way may not go on into the hex of its target so."""
    return _refuse_way(context, mover, frame.progress, legs, target)


def overrun_onward(context: Context, state: State, mover: Mover, frame: Moving) -> Iterator[Branch[Action]]:
    """The way on into the hex of the target, after drawing fire."""
    target = state.units.get(frame.overrun)
    if target is None or not target.in_play:
        return
    legs = _way(context, mover, frame.progress, found_from(mover, frame.progress), target)
    if legs is not None:
        yield _branch(mover, target, Continue(legs))


@rule("6.6.10.1", "6.6.10.2", "6.6.2", editions=_BOOK)
def overrun_on(context: Context, play: Play, vehicle: UnitId, target: UnitId) -> None:
    """All weapons at a range of 1 and those of its passengers, as one GP attack (6.6.10.1)

    A SUPPRESSION/OFF counter of the target is turned whatever comes of it (6.6.10.2).
    """
    unit = play.state.units[vehicle]
    if play.state.units[target].markers.suppression is Suppression.OFF:
        play.emit(shared.UnitSuppressed(target, "6.6.10.2"))
    facts = context.move_facts(unit)
    assert facts is not None  # noqa: S101 - of the Advanced Game
    own = _factors(context, unit)
    riders = [play.state.units[one] for one in unit.markers.passengers]
    aboard = [max(_factors(context, one), default=0) for one in riders if context.card_of(one).unit_class.is_leg]
    factor = overrun_factor(own, aboard, context.tables)
    if not factor:
        return
    seen = obscured(context, play.state, unit, play.state.units[target])
    fire = BlastFacts(
        kind=BlastKind.OVERRUN,
        factor=factor,
        range_factor=RangeFactor.P,
        defense=0,
        grade=context.grade(vehicle),
        shooter_damaged=facts.markers.turret_damaged,
        shooter_suppressed=facts.markers.is_suppressed,
        smoke=seen.smoke,
        hindrances=seen.hindrances,
        ammo_short=_runs_short(context, play, unit),
        coax_mg=facts.card.coax_mg,
    )
    gp_attack(context, play, target, fire, vehicle, moving=False)


def _factors(context: Context, unit: Unit) -> list[int]:
    """GP Factors of a unit's own weapons at a range of 1, without AA and what is attached (6.6.10.1)."""
    rows = (weapon.gp_row(GpKind.DIRECT) for weapon in context.card_of(unit).weapons)
    return [factor for row in rows if row is not None and (factor := row.factor(_RANGE))]


@rule("6.6.10.1", "5.16.2.1", editions=_BOOK)
def _runs_short(context: Context, play: Play, unit: Unit) -> bool:
    """Roll (10) for each weapon with a limit that takes part; one that is short hampers the whole attack (6.6.10.1)."""
    if not context.plays(Module.AMMO_LIMITS):
        return False
    short = 0
    for weapon in context.cards[unit.card].weapons:
        row = weapon.gp_row(GpKind.DIRECT)
        if row is not None and row.factor(_RANGE):
            short += is_short(play.dice, weapon.limits.basic, "basic ammo")
    if short:
        play.emit(AmmoRolled(unit.id, "GP", short))
    return bool(short)


@rule("6.6.10.1", editions=_BOOK)
def throw_back(play: Play, frame: Moving) -> None:
    """A vehicle that can go no farther and has not cleared the hex is where it came from (6.6.10.1)"""
    unit = play.state.units[frame.unit]
    if frame.came_from is None or not unit.in_play or unit.hex is None:
        return
    if _held(play.state, unit.hex, unit.side):
        play.emit(ev.UnitThrownBack(unit.id, frame.came_from))


def _held(state: State, hex: Hex, side: str) -> bool:
    return any(other.hex == hex and other.side != side and other.in_play for other in state.units.values())
