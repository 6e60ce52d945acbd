"""3.2.5, 3.3.3, 3.4, 4.0: the markers that fire leaves on units, weapons and directing leaders, and what weapons cost.

A weapon that keeps its ROF is not marked. A unit whose own FP is spent or given up is marked once all that it uses
is; fire after First Fire marks the unit and every weapon that it has.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sandtable.core.content.rule import rule
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.possession import weapons_of
from sandtable.systems.aslsk.fire.acquisition import lose_acquisition
from sandtable.systems.aslsk.fire.fire_groups import Firer, forfeits
from sandtable.systems.aslsk.fire.firers import Fireground, FireMode, Use
from sandtable.systems.aslsk.pieces.state import Mark, Unit, UnitId, WeaponId

__all__ = ["mark_for", "place_marks", "use_weapon"]

_MARKS = {
    FireMode.PREP: Mark.PREP_FIRE,
    FireMode.FIRST: Mark.FIRST_FIRE,
    FireMode.FINAL: Mark.FINAL_FIRE,
    FireMode.ADVANCING: Mark.ADVANCING_FIRE,
    FireMode.BOUNDING: Mark.BOUNDING_FIRE,
}
_FIRST, _PLAIN, _FINAL_FIRE, _UNMARKED = FireMode.FIRST, Use.PLAIN, Mark.FINAL_FIRE, Mark.NONE
"""Names are looked up quicker than members of enums."""


@rule("3.2.5", "3.3.3", "3.4")
def mark_for(mode: FireMode, use: Use, *, cowered: bool = False) -> Mark:
    """The marker of one firer; cowering and fire after First Fire leave Final Fire (3.2.2, 3.3.3)."""
    if mode is _FIRST and (cowered or use is not _PLAIN):
        return _FINAL_FIRE
    return _MARKS[mode]


@rule("4.0")
def use_weapon(context: Context, play: Play, unit_id: UnitId, weapon_id: WeaponId, *, again: bool = False) -> None:
    """Note that a unit has used a weapon, and whether that costs it its own FP (4.0)."""
    unit = play.state.units[unit_id]
    used = len({*unit.used, weapon_id})
    gives_up = not again and forfeits(context.card(unit).kind, used)
    if weapon_id not in unit.used or (gives_up and not unit.forfeited):
        play.emit(ev.WeaponUsed(unit_id, weapon_id, gives_up))


def place_marks(
    fireground: Fireground,
    play: Play,
    group: Sequence[Firer],
    leaders: Sequence[Unit],
    *,
    kept: Collection[WeaponId] = (),
    cowered: bool = False,
    names: Sequence[str] = (),
) -> None:
    """Mark all that fired or directed; ``kept`` are the weapons that keep their ROF (3.2.5, 3.3.3, 3.4)."""
    context, mode = fireground.context, fireground.mode
    if not leaders and not cowered and _fires_plainly(group):
        play.emit(ev.MarksPlaced(_MARKS[mode], tuple([firer.unit.id for firer in group])))
        _lose_acquisitions(context, play, group)
        return
    units: dict[Mark, list[UnitId]] = {}
    weapons: dict[Mark, list[WeaponId]] = {}
    busy: list[UnitId] = []
    for firer in group:
        mark = mark_for(mode, firer.use, cowered=cowered)
        if firer.weapon is None:
            units.setdefault(mark, []).append(firer.unit.id)
        else:
            use_weapon(context, play, firer.unit.id, firer.weapon.id, again=firer.use is not _PLAIN)
            if firer.helper is not None:
                use_weapon(context, play, firer.helper.id, firer.weapon.id)
            if firer.weapon.id not in kept:
                weapons.setdefault(mark, []).append(firer.weapon.id)
            busy += [unit.id for unit in (firer.unit, firer.helper) if unit and context.card(unit).is_leader]
        if cowered and context.card(firer.unit).is_mmc:
            # The cowering unit itself is marked, even where only its weapon fired (3.2.2).
            units.setdefault(mark, []).append(firer.unit.id)
        if mode is _FIRST and mark is _FINAL_FIRE:
            units.setdefault(mark, []).append(firer.unit.id)
            weapons.setdefault(mark, []).extend(weapon.id for weapon in weapons_of(context, play.state, firer.unit.id))
    marked = set().union(*weapons.values())
    for firer in group:
        if firer.weapon is not None and firer.weapon.id in marked:
            mark = mark_for(mode, firer.use, cowered=cowered)
            units.setdefault(mark, []).extend(_spent_with(context, play, firer, marked))
    if leaders:
        uses = {firer.use for firer in group}
        own = mark_for(mode, next((use for use in uses if use is not _PLAIN), _PLAIN))
        units.setdefault(own, []).extend(leader.id for leader in leaders)
    directed = {
        leader.id: tuple(dict.fromkeys((*leader.directed, *(firer.name for firer in group), *names)))
        for leader in leaders
    }
    fired = tuple([firer.weapon.id for firer in group if firer.weapon is not None])
    for mark in sorted({*units, *weapons}) or (Mark.NONE,):
        men = tuple(dict.fromkeys(units.get(mark, ())))
        arms = tuple(dict.fromkeys(weapons.get(mark, ())))
        play.emit(ev.MarksPlaced(mark, men, arms, directed, tuple(dict.fromkeys(busy)), fired))
        directed, busy, fired = {}, [], ()
    _lose_acquisitions(context, play, group)


def _fires_plainly(group: Sequence[Firer]) -> bool:
    """Whether nobody uses anything but his own FP, for the first time."""
    for firer in group:  # noqa: SIM110 - a loop is twice as quick as all() over so few
        if firer.weapon is not None or firer.use is not _PLAIN:
            return False
    return True


def _spent_with(context: Context, play: Play, firer: Firer, marked: Collection[WeaponId]) -> list[UnitId]:
    """Those at a weapon that has lost its ROF who have nothing else to fire: SMC, and MMC that gave up their own FP."""
    found = []
    for unit in (firer.unit, firer.helper):
        if unit is None:
            continue
        now = play.state.units[unit.id]
        if context.cards.units[unit.card].is_leader or (now.forfeited and _has_spent(context, play, now, marked)):
            found.append(unit.id)
    return found


def _has_spent(context: Context, play: Play, unit: Unit, marked: Collection[WeaponId]) -> bool:
    """Whether every weapon that a unit has used and still has is marked, or will be."""
    for weapon in weapons_of(context, play.state, unit.id):
        if weapon.id in unit.used and weapon.id not in marked and weapon.mark is _UNMARKED:
            return False
    return True


@rule("4.5")
def _lose_acquisitions(context: Context, play: Play, group: Sequence[Firer]) -> None:
    """A mortar loses its Acquired Target when its crew fires its own FP (4.5, 6.10)."""
    for firer in group:
        if firer.weapon is not None:
            continue
        for weapon in weapons_of(context, play.state, firer.unit.id):
            if weapon.acquisition:
                lose_acquisition(context, play, weapon.id)
