"""6.6.7 Transport on hexes: who can get on and off a vehicle where it stands, what it costs, and emergencies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.errors import Refusal
from sandtable.core.modifier import Breakdown
from sandtable.geo.hex import DIRECTION_NAMES, NEIGHBOURS, Hex, distance
from sandtable.systems.panzer import events as shared
from sandtable.systems.panzer.advanced_card import UnitClass
from sandtable.systems.panzer.command.sharing import reveal
from sandtable.systems.panzer.hex import events as ev
from sandtable.systems.panzer.hex.actions import BailOut, Landing, Load
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.fires.impact import is_under_barrage, under_barrages
from sandtable.systems.panzer.hex.handler import Play
from sandtable.systems.panzer.hex.movement.mover import Mover
from sandtable.systems.panzer.hex.movement.positions import leave_full_cover, leave_position, take_position
from sandtable.systems.panzer.hex.movement.shared_ends import refuse_end_apart
from sandtable.systems.panzer.hex.progress import MoveProgress, Rate
from sandtable.systems.panzer.hex.state import State, Unit
from sandtable.systems.panzer.markers import Floor
from sandtable.systems.panzer.movement.move_facts import MoveFacts
from sandtable.systems.panzer.movement.transport import (
    mounting_cost,
    reach_aboard,
    refuse_bail_out,
    refuse_dismount,
    refuse_load,
    refuse_mount,
)
from sandtable.systems.panzer.unit import UnitId, refuse_stranger

__all__ = [
    "after_loading",
    "bail_out",
    "bail_outs",
    "load",
    "loads",
    "may_load",
    "refuse_bailing",
    "refuse_crowd",
    "refuse_landing",
    "refuse_loading",
    "refuse_mounting",
]

_BOOK = ("panzer-na",)


def _facts(context: Context, state: State, unit_id: UnitId) -> MoveFacts:
    facts = context.move_facts(state.units[unit_id])
    assert facts is not None  # noqa: S101 - of the Advanced Game only
    return facts


def may_load(context: Context, state: State, carrier: Unit, progress: MoveProgress | None) -> bool:
    """Whether the vehicle could take anybody on or off now."""
    return next(loads(context, state, carrier, progress), None) is not None


@rule("6.6.7.1.1", editions=_BOOK)
def refuse_loading(context: Context, state: State, action: Load, progress: MoveProgress | None) -> Refusal | None:
    """Why a vehicle may not take these units on and off here (6.6.7.1.1)

    ``progress`` is the vehicle's move so far, None for one that does not move this turn.
    """
    number, carrier = "6.6.7.1.1", state.units[action.carrier]
    if not action.mount and not action.dismount:
        return Refusal(number, "nobody mounts or dismounts", "name a unit")
    if carrier.hex is None:
        return Refusal(number, f"{carrier.id} is not on the mapboard", "move it on to the mapboard first")
    leaving = {landing.unit for landing in action.dismount}
    if len(leaving) < len(action.dismount) or len(set(action.mount)) < len(action.mount):
        return Refusal(number, "a unit gets on or off twice", "name each unit once")
    for landing in action.dismount:
        refusal = refuse_landing(context, state, carrier, landing)
        if refusal is not None:
            return refusal
    for unit_id in action.mount:
        refusal = refuse_mounting(context, state, carrier, unit_id)
        if refusal is not None:
            return refusal
    staying = [one for one in carrier.markers.passengers if one not in leaving]
    refusal = refuse_crowd(context, state, carrier, staying, action.mount)
    if refusal is not None or progress is None:
        return refusal
    return (
        None
        if after_loading(context, state, carrier, progress) is not None
        else Refusal(number, f"{carrier.id} has not half of its allowance left", "mount and dismount earlier")
    )


@rule("6.6.7.1", editions=_BOOK)
def refuse_crowd(
    context: Context, state: State, carrier: Unit, staying: Sequence[UnitId], mounting: Sequence[UnitId]
) -> Refusal | None:
    """Why those that get on have no room beside those that stay aboard (6.6.7.1)"""
    aboard = [_facts(context, state, one) for one in (*staying, *mounting)]
    return refuse_load(_facts(context, state, carrier.id), aboard) if mounting else None


def _refuse_facing(facing: int, number: str) -> Refusal | None:
    """Whoever gets off or bails out faces any hexside (5.5, 6.6.7.1.1, 6.6.7.1.2)"""
    if not 0 <= facing < len(DIRECTION_NAMES):
        return Refusal(number, f"a facing of {facing}", "0 to 5, clockwise from N")
    return None


def refuse_landing(context: Context, state: State, carrier: Unit, landing: Landing) -> Refusal | None:
    """Why a passenger may not get off there."""
    number = "6.6.7.1.1"
    if landing.unit not in carrier.markers.passengers or carrier.hex is None:
        return Refusal(number, f"{landing.unit!r} is no passenger of {carrier.id}", "name one of its passengers")
    if landing.hex not in context.game_map.hexes:
        return Refusal(number, f"{landing.unit} may not dismount off the map", "choose a hex of the mapboard")
    if state.units[landing.unit].moved:
        return Refusal(number, f"{landing.unit} has spent its movement on mounting", "it gets off next turn")
    passenger, facts = _facts(context, state, landing.unit), _facts(context, state, carrier.id)
    refusal = _refuse_facing(landing.facing, number)
    if refusal is not None:
        return refusal
    refusal = refuse_dismount(passenger, facts, apart=distance(carrier.hex, landing.hex))
    if refusal is None and landing.hex != carrier.hex and not _steps(context, state, landing.unit, landing.hex):
        reason = f"{landing.unit} could not move to {context.game_map.label(landing.hex)}"
        return Refusal(number, reason, f"dismount in the hex of {carrier.id}")
    return refusal


def _steps(context: Context, state: State, unit_id: UnitId, to: Hex) -> bool:
    """Whether a unit could go from where it is to an adjacent hex: no enemies, no counter and no step bar it."""
    mover = Mover(context, state, state.units[unit_id])
    start = state.units[unit_id].hex
    return (
        start is not None
        and to not in mover.enemies
        and to not in mover.closed
        and any(step is not None and step.to == to for step in mover.steps[start])
    )


@rule("6.6.7.1.1", "6.2.1.1.4", editions=_BOOK)
def refuse_mounting(context: Context, state: State, carrier: Unit, unit_id: UnitId) -> Refusal | None:
    """Why a unit may not get on, whether or not there is room; its move ends with it (6.6.7.1.1, 6.2.1.1.4)"""
    number, unit = "6.6.7.1.1", state.units.get(unit_id)
    if unit is None or unit.side != carrier.side or not unit.in_play or unit.hex is None or carrier.hex is None:
        return refuse_stranger(unit_id, carrier.side, number=number)
    if unit.markers.floor is Floor.UP:
        return Refusal("6.6.4.1", f"{unit_id} is on an upper floor", "it goes down first")
    apart = distance(unit.hex, carrier.hex)
    facts = _facts(context, state, carrier.id)
    refusal = refuse_mount(_facts(context, state, unit_id), facts, apart=apart, moved=unit.moved)
    if refusal is None and apart and not _steps(context, state, unit_id, carrier.hex):
        return Refusal(number, f"{unit_id} cannot get to {carrier.id}", f"bring {carrier.id} into its hex")
    return refusal or refuse_end_apart(context, state, unit, carrier.hex)


@rule("6.6.7.1.1", "5.2.1", editions=_BOOK)
def after_loading(context: Context, state: State, carrier: Unit, progress: MoveProgress) -> MoveProgress | None:
    """The move after half of the allowance went into mounting, None if it has not so much (6.6.7.1.1)

    It is paid once in a hex, for any number of passengers on and off.
    """
    if progress.loaded:
        return progress
    facts = _facts(context, state, carrier.id)
    cost, cost_route = (
        mounting_cost(facts, progress.allowance(rate), context.tables, portee_loads=False)
        for rate in (Rate.CROSS_COUNTRY, progress.route_rate)
    )
    after = replace(
        progress, spent=progress.spent + cost, spent_route=progress.spent_route + cost_route, paid=True, loaded=True
    )
    fits = after.spent <= after.cross_country
    on_route = after.on_route and after.spent_route <= after.allowance(after.route_rate)
    return after if fits or on_route else None


def loads(context: Context, state: State, carrier: Unit, progress: MoveProgress | None) -> Iterator[Load]:
    """Every single unit that could get on or off now, in the same hex or beside it."""
    if carrier.hex is None or (progress is not None and after_loading(context, state, carrier, progress) is None):
        return
    for unit_id in carrier.markers.passengers:
        places = [carrier.hex]
        if reach_aboard(_facts(context, state, unit_id)):
            places += NEIGHBOURS[carrier.hex]
        for hex in places:
            action = Load(carrier.id, (), (Landing(unit_id, hex, carrier.facing),))
            if refuse_loading(context, state, action, progress) is None:
                yield action
    if _facts(context, state, carrier.id).unit_class is not UnitClass.VEHICLE:
        return
    for unit in sorted(state.units.values(), key=lambda unit: unit.id):
        if unit.side == carrier.side and unit.hex is not None and distance(unit.hex, carrier.hex) <= 1:
            action = Load(carrier.id, (unit.id,))
            if unit.id != carrier.id and refuse_loading(context, state, action, progress) is None:
                yield action


@rule("6.6.6", "6.6.7.1.1", editions=_BOOK)
def load(
    context: Context, play: Play, action: Load, progress: MoveProgress | None, struck: tuple[str, ...] = ()
) -> MoveProgress | None:
    """Passengers get off, then on; the vehicle's move after it (6.6.7.1.1)

    Who gets off into another hex has moved there; Barrages that have ``struck`` the vehicle have struck him (6.6.6).
    Who gets on from beside comes into the vehicle's hex, and gets on if its Barrages leave him.
    """
    carrier = play.state.units[action.carrier]
    after = None if progress is None else after_loading(context, play.state, carrier, progress)
    cost = 0 if after is None or progress is None else after.spent - progress.spent
    for landing in action.dismount:
        play.emit(ev.UnitDismounted(carrier.id, landing.unit, landing.hex, landing.facing, cost))
        take_position(context, play, landing.unit)
        if landing.hex != carrier.hex:
            under_barrages(context, play, landing.unit, landing.hex, struck)
    for unit_id in action.mount:
        unit = play.state.units[unit_id]
        reveal(play, unit_id)
        leave_position(play, unit, moves=True)
        if unit.hex != carrier.hex:
            _come_beside(context, play, unit_id, carrier)
    mounting = tuple(one for one in action.mount if play.state.units[one].in_play)
    if mounting:
        play.emit(ev.UnitsMounted(carrier.id, mounting, cost))
    return after


@rule("6.6.6", "6.6.7.1.1", editions=_BOOK)
def _come_beside(context: Context, play: Play, unit_id: UnitId, carrier: Unit) -> None:
    """A unit that mounts from the next hex is under the Barrages of the vehicle's hex before it is aboard (6.6.6)."""
    assert carrier.hex is not None  # noqa: S101 - it was checked
    if not is_under_barrage(context, play.state, carrier.hex):
        return
    unit = play.state.units[unit_id]
    allowance = Mover(context, play.state, unit).start().cross_country
    leave_full_cover(play, unit)
    cost = Breakdown("Movement cost", "6.6.7.1.1", (), allowance, "mounting takes the whole allowance")
    play.emit(ev.UnitMoved(unit_id, carrier.hex, cost))
    under_barrages(context, play, unit_id, carrier.hex, ())


# --- emergencies ----------------------------------------------------------------------------------------


@rule("6.6.7.1.2", editions=_BOOK)
def refuse_bailing(context: Context, state: State, carrier: Unit, action: BailOut) -> Refusal | None:
    """Why these passengers may not leave the moving vehicle now (6.6.7.1.2)

    While Overwatch Fire that was announced is resolved nobody is asked, so it cannot be avoided.
    """
    number = "6.6.7.1.2"
    if not action.units:
        return Refusal(number, "nobody bails out", "name a passenger")
    for unit_id, facing in action.units.items():
        if unit_id not in carrier.markers.passengers:
            return Refusal(number, f"{unit_id!r} is no passenger of {carrier.id}", "name one of its passengers")
        passenger, facts = _facts(context, state, unit_id), _facts(context, state, carrier.id)
        refusal = _refuse_facing(facing, number)
        refusal = refusal or refuse_bail_out(passenger, facts, under_announced_fire=False)
        if refusal is not None:
            return refusal
    return None


def bail_outs(context: Context, state: State, carrier: Unit) -> Iterator[BailOut]:
    """Every single passenger that may bail out."""
    for unit_id in carrier.markers.passengers:
        action = BailOut({unit_id: carrier.facing})
        if refuse_bailing(context, state, carrier, action) is None:
            yield action


@rule("6.6.7.1.2", editions=_BOOK)
def bail_out(context: Context, play: Play, carrier: Unit, action: BailOut) -> None:
    """They are in the vehicle's hex, suppressed, at no cost to it (6.6.7.1.2)"""
    assert carrier.hex is not None  # noqa: S101 - it moves
    for unit_id, facing in action.units.items():
        play.emit(ev.UnitDismounted(carrier.id, unit_id, carrier.hex, facing, 0))
        play.emit(shared.UnitSuppressed(unit_id, "6.6.7.1.2"))
        take_position(context, play, unit_id)
