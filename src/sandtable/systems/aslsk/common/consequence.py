"""What changed between two states, as players tell it: the unit of exact odds."""

from __future__ import annotations

from sandtable.core.ruleset import NO_EFFECT
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.pieces.state import State, Unit, Weapon, WeaponState, Whereabouts

__all__ = ["consequence", "unit_change"]


def consequence(context: Context, before: State, after: State) -> str:
    """What became of every unit and weapon, in a fixed order; ``no effect`` if nothing did."""
    changes = []
    for unit_id, unit in sorted(after.units.items()):
        was = before.units.get(unit_id)
        if unit is was:
            continue
        if was is None:
            changes.append(f"{unit_id} created")
        elif told := unit_change(context, was, unit):
            changes.append(f"{unit_id} {told}")
    for weapon_id, weapon in sorted(after.weapons.items()):
        old = before.weapons.get(weapon_id)
        if old is not None and (told := _weapon_change(old, weapon)):
            changes.append(f"{weapon_id} {told}")
    return ", ".join(changes) or NO_EFFECT


def unit_change(context: Context, was: Unit, now: Unit) -> str:
    """What became of one unit, "" if nothing did."""
    if now.place is not was.place:
        return {Whereabouts.ELIMINATED: "eliminated", Whereabouts.EXITED: "exited"}.get(now.place, "enters")
    told = []
    if now.card != was.card:
        word = "reduced to" if now.reduced and not was.reduced else "replaced by"
        told.append(f"{word} {context.unit_card(now.card).name}")
    if now.broken and not was.broken:
        told.append("broken")
    if was.broken and not now.broken:
        told.append("rallied")
    if now.broken and was.broken and now.dm and not was.dm:
        told.append("DM")
    if now.wounded and not was.wounded:
        told.append("wounded")
    if now.pinned and not was.pinned:
        told.append("pinned")
    return " and ".join(told)


def _weapon_change(was: Weapon, now: Weapon) -> str:
    if now.state is not was.state:
        return {WeaponState.WORKING: "repaired"}.get(now.state, now.state.value)
    if now.owner and now.owner != was.owner:
        return f"to {now.owner}"
    return ""
