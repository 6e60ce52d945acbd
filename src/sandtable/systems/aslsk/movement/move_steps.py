"""3.3.1, 4.3: carrying a step of a move out: entering and leaving hexes, smoke grenades, recovery, placing a DC."""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.modifier import Breakdown, Modifier
from sandtable.geo.hex import NEIGHBOURS
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.context import Context, Play, TerrainKind
from sandtable.systems.aslsk.common.dice import roll_single
from sandtable.systems.aslsk.common.facts import manhandling_events as mh
from sandtable.systems.aslsk.common.facts.armour_events import ChargeAimed
from sandtable.systems.aslsk.common.numbers import numbers_of
from sandtable.systems.aslsk.common.possession import drop
from sandtable.systems.aslsk.fire.breakdowns import removal_number
from sandtable.systems.aslsk.fire.fire_marks import use_weapon
from sandtable.systems.aslsk.movement.manhandling import STAYS, STOPS, push
from sandtable.systems.aslsk.movement.movement_costs import entry_cost, is_road_entry
from sandtable.systems.aslsk.movement.stepping import MoveProgress, exit_counts
from sandtable.systems.aslsk.pieces.state import MoveStep, Moving, SmokeKind, StepKind, UnitId, VehicleId, WeaponId
from sandtable.systems.aslsk.support_weapons.recovery import attempt_recovery

__all__ = ["execute", "finish_placing"]

_ENTER, _WOODS, _MANHANDLE = StepKind.ENTER, StepKind.WOODS, StepKind.MANHANDLE
"""Names are looked up quicker than members of enums."""
_TREES = (TerrainKind.WOODS, TerrainKind.ORCHARD)


def execute(context: Context, play: Play, frame: Moving, now: MoveProgress, after: MoveProgress) -> None:
    """Take the first step of the plan, which was checked."""
    step = frame.plan[0]
    spent = {**frame.spent, **dict.fromkeys(frame.movers, after.spent)}
    frame = replace(frame, plan=frame.plan[1:], spent=spent, road=after.road, hexes=after.hexes)
    if step.kind is _ENTER or step.kind is _WOODS:
        _enter(context, play, frame, now, step)
        return
    match step.kind:
        case StepKind.MANHANDLE:
            _manhandle(context, play, frame, now, step)
        case StepKind.EXIT:
            _exit(context, play, frame, now, step)
        case StepKind.DROP:
            play.emit(ev.Changed(frame))
            drop(play, step.weapon)
        case _:
            _spend(context, play, frame, step, now=now, halves=after.spent - now.spent)


@rule("3.3.1")
def _enter(context: Context, play: Play, frame: Moving, now: MoveProgress, step: MoveStep) -> None:
    """The movers enter a hex (3.3.1)."""
    to = step.to
    assert to is not None  # noqa: S101 - the step was checked
    shun = step.kind is _WOODS
    cost = entry_cost(context, play.state, now.hex, to, shun_road=shun)
    if step.kind is _MANHANDLE:
        cost = cost.plus((Modifier(cost.total, "manhandling", "6.5"),))
    on_road = not shun and is_road_entry(context, now.hex, to)
    covered = on_road and context.ground.place(to).kind in _TREES
    frame = replace(
        frame,
        here=cost.total,
        via=NEIGHBOURS[now.hex].index(to) if now.hex is not None else -1,
        open_road=covered,
        shots={},
        residual_drm=None,
        watched=False,
        trail=(*frame.trail, (to, cost.total)) if play.state.vehicles else (),
    )
    play.emit(ev.Changed(frame))
    play.emit(ev.UnitsMoved(frame.movers, to, cost, frame.assault))


@rule("6.5")
def _manhandle(context: Context, play: Play, frame: Moving, now: MoveProgress, step: MoveStep) -> None:
    """The DR first; who fails goes nowhere, and who makes it just so goes no farther this player turn (6.5)."""
    assert step.to is not None  # noqa: S101 - the step was checked
    result = push(context, play, step.weapon, frame.movers, start=now.hex, to=step.to)
    if result == STAYS:
        spent = {**frame.spent, **dict.fromkeys(frame.movers, now.spent)}
        play.emit(ev.Changed(replace(frame, plan=(), spent=spent, hexes=now.hexes)))
        play.emit(ev.MoveEnded(frame.movers))
        return
    _enter(context, play, frame, now, step)
    play.emit(mh.GunManhandled(step.weapon, step.way))
    if result == STOPS:
        play.emit(ev.MoveEnded(frame.movers))


@rule("3.3")
def _exit(context: Context, play: Play, frame: Moving, now: MoveProgress, step: MoveStep) -> None:
    """The movers leave the map (3.3)."""
    assert now.hex is not None  # noqa: S101 - the step was checked
    side = play.state.units[frame.movers[0]].side
    counts = bool(exit_counts(context, play.state, side, now.hex))
    play.emit(ev.Changed(frame))
    play.emit(ev.UnitsExited(frame.movers, now.hex, step.way, counts))


def _spend(context: Context, play: Play, frame: Moving, step: MoveStep, *, now: MoveProgress, halves: int) -> None:
    """MF for something done in the hex, which the DEFENDER may fire at (3.3.3)."""
    assert now.hex is not None  # noqa: S101 - the step was checked
    placing = step.kind is StepKind.PLACE_DC
    play.emit(
        ev.Changed(
            replace(
                frame,
                here=frame.here + halves,
                watched=False,
                trail=(*frame.trail, (now.hex, halves)) if play.state.vehicles else (),
                placing=step.weapon if placing else WeaponId(""),
                placing_in=step.to if placing else None,
                placing_on=step.unit if placing else "",
            )
        )
    )
    cost = Breakdown("Halves of MF", "3.3.1", base=halves, base_label=step.kind.value)
    play.emit(ev.UnitsSpent(frame.movers, now.hex, step.kind.value, cost))
    if step.kind is StepKind.SMOKE:
        _throw_smoke(context, play, step)
    elif step.kind is StepKind.RECOVER:
        attempt_recovery(context, play, step.unit, step.weapon)


@rule("1.2.5", "3.3.1")
def _throw_smoke(context: Context, play: Play, step: MoveStep) -> None:
    """A dr up to the smoke exponent places smoke, +1 drm if CX; an original 6 ends the unit's MPh (3.3.1)."""
    assert step.to is not None  # noqa: S101 - the step was checked
    unit = play.state.units[step.unit]
    numbers = numbers_of(context).smoke_grenades
    terms = (Modifier(-numbers["cx"], "CX", "3.3.1"),) if unit.cx else ()
    number = Breakdown("Smoke grenades", "3.3.1", terms, context.card(unit).smoke, "smoke exponent")
    ends = numbers["ends_move"]
    roll = roll_single(play, f"{unit.id} smoke grenades", (number.total, ends - 1))
    play.emit(ev.SmokeRolled(unit.id, step.to, roll, number, roll <= number.total))
    if roll <= number.total:
        play.emit(ev.SmokePlaced(step.to, SmokeKind.GRENADE, unit.side))
    if roll == ends:
        play.emit(ev.MoveEnded((unit.id,)))


@rule("4.3")
def finish_placing(context: Context, play: Play, frame: Moving) -> None:
    """A DC is operably placed if its bearer has come through all fire, neither broken nor pinned (4.3)."""
    state = play.state
    weapon = state.weapons[frame.placing]
    bearer = state.units.get(weapon.owner)
    play.emit(ev.Changed(replace(frame, placing=WeaponId(""), placing_in=None, placing_on="")))
    if bearer is None or not bearer.good_order or bearer.pinned or frame.placing_in is None:
        return
    fails_at = removal_number(context, state, weapon, bearer).total
    use_weapon(context, play, UnitId(bearer.id), weapon.id)
    play.emit(ev.DemolitionPlaced(weapon.id, frame.placing_in, bearer.cx, fails_at))
    if (frame.placing_on or context.scenario.hiders - {bearer.side}) and bearer.hex is not None:
        side = NEIGHBOURS[frame.placing_in].index(bearer.hex)
        play.emit(ChargeAimed(weapon.id, VehicleId(frame.placing_on), side))
