"""3.2.3 Morale Checks and Pin Task Checks of units in one hex, leaders first; LLMC and LLTC after leader loss.

The best leader checks first; one who passes unharmed and unpinned lends his leadership DRM to the others, and so
does a Good Order leader of the hex who need not check. A leader lost makes those of lower morale check in turn.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from sandtable.core.content.rule import rule
from sandtable.core.modifier import Breakdown, Modifier
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.dice import BOXCARS, DR
from sandtable.systems.aslsk.common.experience import leadership, lends_leadership, morale_level
from sandtable.systems.aslsk.common.stacking import friends_at
from sandtable.systems.aslsk.effects.casualties import LeaderLoss, break_unit, eliminate, reduce_unit
from sandtable.systems.aslsk.effects.elr import replace_by_elr
from sandtable.systems.aslsk.pieces.state import Unit, UnitId

__all__ = [
    "Check",
    "check_all",
    "check_number",
    "helper_of",
    "is_spared",
    "loss_checks",
    "morale_check",
    "order_of_checks",
    "pin",
    "settle_leader_losses",
    "suffer_morale_roll",
    "was_harmed",
]


class Check(NamedTuple):
    """What a unit has to pass."""

    name: str
    """``NMC``, ``2MC``, ``PTC``, ``LLMC`` ..."""
    drm: int = 0
    pin_only: bool = False
    """A Task Check: failure pins."""
    penalty: int = 0
    """Leadership DRM of a lost leader, reversed (LLMC, LLTC)."""


@rule("3.2.3")
def check_all(
    context: Context,
    play: Play,
    checks: Mapping[UnitId, Check],
    losses: list[LeaderLoss],
    harmed: Iterable[UnitId] = (),
) -> None:
    """Let units of one or more sides in a hex check, best leader first (3.2.3)."""
    waiting = order_of_checks(context, play.state.units, checks)
    silent = set(harmed)
    unable = {*waiting, *silent}
    for unit_id in waiting:
        unit = play.state.units[unit_id]
        unable.discard(unit_id)
        check = checks[unit_id]
        if is_spared(unit, check):
            continue
        helper = helper_of(context, friends_at(context, play.state, unit.hex, unit.side), unit, unable)
        morale_check(context, play, unit_id, check, losses, helper=helper)
        if unit_id in silent or was_harmed(context, unit, play.state.units[unit_id]):
            unable.add(unit_id)


def order_of_checks(context: Context, units: Mapping[UnitId, Unit], checks: Iterable[UnitId]) -> list[UnitId]:
    """Those on the map in the order in which they check: the best leader first, then the other leaders, then MMC."""
    waiting = [unit_id for unit_id in checks if units[unit_id].on_map]
    if len(waiting) > 1:
        waiting.sort(key=lambda unit_id: _precedence(context, units[unit_id]))
    return waiting


def is_spared(unit: Unit, check: Check) -> bool:
    """Whether a unit need not check after all: gone by now, or under a check that only pins and past that."""
    return not unit.on_map or (check.pin_only and (unit.broken or unit.pinned))


def _precedence(context: Context, unit: Unit) -> tuple[int, int, int]:
    if context.card(unit).is_leader:
        return (0, -morale_level(context, unit), leadership(context, unit))
    return (1, 0, 0)


def was_harmed(context: Context, before: Unit, after: Unit) -> bool:
    """Whether a leader has come out of a check so that he lends his leadership no more (3.2.3)."""
    harm = after.broken or after.pinned or not after.on_map or after.wounded != before.wounded
    return harm and context.card(before).is_leader


@rule("1.2.1", "3.2.3")
def helper_of(context: Context, friends: Iterable[Unit], unit: Unit, unable: Collection[UnitId]) -> Unit | None:
    """The Good Order leader in the hex whose DRM helps a check most; lower morale leaders only are helped (3.2.3)."""
    best: Unit | None = None
    for other in friends:
        if other.id in unable or other.busy or other.melee or not lends_leadership(context, other, unit):
            continue
        if context.card(unit).is_leader and morale_level(context, other) <= morale_level(context, unit):
            continue
        if best is None or leadership(context, other) < leadership(context, best):
            best = other
    return best


def morale_check(
    context: Context,
    play: Play,
    unit_id: UnitId,
    check: Check,
    losses: list[LeaderLoss],
    *,
    helper: Unit | None = None,
) -> bool:
    """One unit's MC or Task Check with all that comes of it; whether it passed (3.2.3)."""
    unit = play.state.units[unit_id]
    number = check_number(context, unit, check, helper)
    roll = play.dice.roll(DR, f"{unit_id} {check.name}", _cuts(context, unit, check, number.total))
    play.emit(ev.MoraleChecked(unit_id, check.name, roll.faces, number, roll.total <= number.total))
    if check.pin_only:
        if roll.total > number.total:
            pin(play, unit_id)
        return roll.total <= number.total
    suffer_morale_roll(context, play, unit_id, losses, total=roll.total, number=number.total)
    return roll.total <= number.total and roll.total != BOXCARS


def check_number(context: Context, unit: Unit, check: Check, helper: Unit | None) -> Breakdown:
    """The highest DR that passes a check: morale less DRM (3.2.3)."""
    terms = []
    if check.drm:
        terms.append(Modifier(-check.drm, check.name, "3.2.3"))
    if check.penalty:
        terms.append(Modifier(-check.penalty, "leader lost", "3.2.3"))
    if helper is not None and leadership(context, helper):
        terms.append(Modifier(-leadership(context, helper), f"leadership of {helper.id}", "1.2.1"))
    label = "broken morale" if unit.broken else "morale"
    return Breakdown(check.name, "3.2.3", tuple(terms), morale_level(context, unit), label)


def _cuts(context: Context, unit: Unit, check: Check, number: int) -> tuple[int, ...]:
    """The totals that a check tells apart."""
    if check.pin_only:
        return (number,)
    if unit.broken:
        return (number, BOXCARS - 1)
    return (number - 1, number, number + context.scenario.elr(unit), BOXCARS - 1)


@rule("3.2.3", "5.1")
def suffer_morale_roll(
    context: Context, play: Play, unit_id: UnitId, losses: list[LeaderLoss], *, total: int, number: int
) -> None:
    """What a MC DR does: break, Casualty Reduction on an original 12, pin on the highest that passes (3.2.3)."""
    unit = play.state.units[unit_id]
    if unit.broken:
        if total == BOXCARS:
            eliminate(context, play, unit_id, losses, why="original 12 on a MC while broken")
        elif total > number:
            reduce_unit(context, play, unit_id, losses)
        return
    if total == BOXCARS:
        if reduce_unit(context, play, unit_id, losses):
            break_unit(context, play, unit_id, losses)
            replace_by_elr(context, play, unit_id, total - number)
    elif total > number:
        break_unit(context, play, unit_id, losses)
        replace_by_elr(context, play, unit_id, total - number)
    elif total == number:
        pin(play, unit_id)


def pin(play: Play, unit_id: UnitId) -> None:
    """A Pin counter, once a player turn at the most (3.2.3)."""
    if not play.state.units[unit_id].pinned:
        play.emit(ev.UnitPinned(unit_id))


@rule("3.2.3")
def settle_leader_losses(context: Context, play: Play, losses: list[LeaderLoss]) -> None:
    """LLMC for a leader eliminated, LLTC for one who broke, and for those whom these cost in turn (3.2.3).

    Units in close combat are spared, and Melee is that (3.8).
    """
    while losses:
        loss = losses.pop(0)
        check_all(
            context, play, loss_checks(context, friends_at(context, play.state, loss.hex, loss.side), loss), losses
        )


def loss_checks(context: Context, friends: Iterable[Unit], loss: LeaderLoss) -> dict[UnitId, Check]:
    """What a leader's loss asks of those in his hex who have a lower morale (3.2.3)."""
    stacked = [
        unit
        for unit in friends
        if unit.id != loss.leader and not unit.melee and morale_level(context, unit) < loss.morale
    ]
    penalty = max(0, -loss.drm)
    if loss.eliminated:
        return {unit.id: Check("LLMC", penalty=penalty) for unit in stacked}
    return {
        unit.id: Check("LLTC", pin_only=True, penalty=penalty)
        for unit in stacked
        if unit.good_order and not unit.pinned
    }
