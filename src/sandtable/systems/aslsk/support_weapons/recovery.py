"""3.1, 4.0 Recovery of unpossessed weapons and repair of malfunctioned ones."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.core.content.rule import rule
from sandtable.core.errors import Refusal
from sandtable.core.modifier import Breakdown, Modifier
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.dice import roll_single
from sandtable.systems.aslsk.common.possession import is_foreign, lying_at, owners
from sandtable.systems.aslsk.common.refusals import refuse_unpossessed
from sandtable.systems.aslsk.pieces.state import State, Unit, UnitId, Weapon, WeaponId, WeaponState

__all__ = [
    "attempt_recovery",
    "recover",
    "recoveries",
    "recovery_number",
    "refuse_recovery",
    "refuse_repair",
    "repair",
    "repairs",
    "roll_repair",
]

RECOVERY_BELOW = 6
LOST = 6
"""The dr that eliminates a weapon, or disables that of a vehicle, for good (3.1)."""
_MALFUNCTIONED = WeaponState.MALFUNCTIONED
"""A name is looked up quicker than a member of an enum."""


def recoveries(context: Context, state: State, seat: str) -> Iterator[tuple[Unit, Weapon]]:
    """Every attempt at recovery that a side may make in the RPh."""
    lying = {weapon.hex for weapon in owners(context, state).get(UnitId(""), ())}
    if not lying:
        return
    for unit in state.units.values():
        if unit.side == seat and unit.hex in lying and unit.good_order and not unit.acted and unit.hex is not None:
            for weapon in lying_at(context, state, unit.hex):
                if refuse_recovery(context, state, seat, unit.id, weapon.id) is None:
                    yield unit, weapon


@rule("3.1", "4.0")
def refuse_recovery(context: Context, state: State, seat: str, unit_id: UnitId, weapon_id: WeaponId) -> Refusal | None:
    """Why a unit may not attempt to recover a weapon in the RPh (3.1, 4.0)."""
    unit, weapon = state.units.get(unit_id), state.weapons.get(weapon_id)
    if unit is None or unit.side != seat or not unit.good_order or unit.hex is None:
        return Refusal("3.1", f"{unit_id!r} is no Good Order unit of {seat}", "name one that is")
    if weapon is None or weapon not in lying_at(context, state, unit.hex):
        return Refusal(
            "3.1", f"{weapon_id!r} does not lie unpossessed in the hex of {unit_id}", "name one that lies there"
        )
    if unit.acted:
        return Refusal("3.1", f"{unit_id} has undertaken its one action of this RPh", "let another unit try")
    return None


def recovery_number(unit: Unit) -> Breakdown:
    """Highest dr that recovers a weapon: less than 6, +1 drm if CX (3.1)."""
    terms = (Modifier(-1, "CX", "3.1"),) if unit.cx else ()
    return Breakdown("Recovery number", "3.1", terms, RECOVERY_BELOW - 1, "dr less than 6")


def attempt_recovery(context: Context, play: Play, unit_id: UnitId, weapon_id: WeaponId) -> bool:  # noqa: ARG001
    """Roll to recover a weapon, in the RPh or for 1 MF in the MPh (3.1, 3.3.1)."""
    number = recovery_number(play.state.units[unit_id])
    roll = roll_single(play, f"recovery of {weapon_id}", (number.total,))
    recovered = roll <= number.total
    play.emit(ev.RecoveryAttempted(unit_id, weapon_id, roll, number, recovered))
    if recovered:
        play.emit(ev.WeaponPossessed(weapon_id, unit_id, recovered=True))
    return recovered


def recover(context: Context, play: Play, unit_id: UnitId, weapon_id: WeaponId) -> None:
    """A recovery attempt of the RPh (3.1)."""
    attempt_recovery(context, play, unit_id, weapon_id)


def repairs(context: Context, state: State, seat: str) -> Iterator[Weapon]:
    """The malfunctioned weapons that a side may attempt to repair."""
    for weapon in state.weapons.values():
        if weapon.state is _MALFUNCTIONED and refuse_repair(context, state, seat, weapon.id) is None:
            yield weapon


@rule("3.1")
def refuse_repair(context: Context, state: State, seat: str, weapon_id: WeaponId) -> Refusal | None:
    """Why a weapon may not be repaired: by a Good Order possessor of its own nationality only (3.1).

    Crews that a special rule spares the penalties of Captured Use when they fire do not repair it either (1.3).
    """
    weapon = state.weapons.get(weapon_id)
    owner = state.units.get(weapon.owner) if weapon is not None else None
    if weapon is None or owner is None or owner.side != seat:
        return refuse_unpossessed("3.1", weapon_id)
    if weapon.state is not WeaponState.MALFUNCTIONED:
        return Refusal("3.1", f"{weapon_id} is not malfunctioned", "use it as it is")
    if not owner.good_order:
        return Refusal("3.1", f"{owner.id} is not in Good Order", "wait until it is")
    if is_foreign(context, owner, weapon):
        return Refusal(
            "3.1", f"{weapon_id} is of another nationality than {owner.id}", "let a unit of its nationality have it"
        )
    if owner.acted:
        return Refusal("3.1", f"{owner.id} has undertaken its one action of this RPh", "let it act in the next RPh")
    if not context.weapon_card(weapon).repair:
        return Refusal("3.1", f"{weapon_id} has no repair number", "do without it")
    return None


@rule("3.1")
def roll_repair(play: Play, name: str, needed: int) -> tuple[int, Breakdown, str]:
    """The dr of an attempt, what it needs, and whether the weapon is ``repaired``, ``removed`` or neither (3.1)."""
    number = Breakdown("Repair number", "3.1", (), needed, "repair number")
    roll = roll_single(play, f"repair of {name}", (needed, LOST - 1))
    return roll, number, "removed" if roll == LOST else "repaired" if roll <= needed else "none"


@rule("1.2.4", "3.1")
def repair(context: Context, play: Play, weapon_id: WeaponId) -> None:
    """A dr up to the repair number repairs; an original 6 eliminates the weapon (3.1)."""
    weapon = play.state.weapons[weapon_id]
    needed = context.weapon_card(weapon).repair
    roll, number, result = roll_repair(play, weapon_id, needed)
    play.emit(ev.RepairAttempted(weapon.owner, weapon_id, roll, number, result))
    if result == "removed":
        play.emit(ev.WeaponRemoved(weapon_id, "repair dr of 6"))
