"""4.0 Possession: who carries which weapon, what it weighs, and how weapons change hands."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from sandtable.core.content.rule import rule
from sandtable.core.errors import Refusal
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.memory import Carried, Memory, Rearmed
from sandtable.systems.aslsk.common.numbers import numbers_of
from sandtable.systems.aslsk.common.refusals import refuse_unpossessed
from sandtable.systems.aslsk.common.stacking import changed_pieces, occupants
from sandtable.systems.aslsk.pieces.cards import UnitKind
from sandtable.systems.aslsk.pieces.state import State, Unit, UnitId, Weapon, WeaponId, WeaponState

__all__ = [
    "changed_weapons",
    "drop",
    "droppable",
    "guns_possessed",
    "ipc",
    "is_captured",
    "is_foreign",
    "lying_at",
    "owners",
    "portage",
    "refuse_drop",
    "refuse_gun",
    "refuse_load",
    "refuse_transfer",
    "transfer",
    "transfers",
    "weapon_hex",
    "weapons_of",
]

_Weapons = dict[WeaponId, Weapon]
_KEPT = 3
"""Of the sets of weapons before the last."""
_REMOVED = WeaponState.REMOVED
"""A name is looked up quicker than a member of an enum."""
_NOBODY = UnitId("")


def owners(context: Context, state: State) -> dict[UnitId, tuple[Weapon, ...]]:
    """The weapons of every unit that possesses some, and under "" those that nobody does."""
    last = context.memory.carried
    return last.by_owner if last.weapons is state.weapons else _carried(context.memory, state.weapons, last)


def changed_weapons(memory: Memory, before: _Weapons, after: _Weapons) -> list[tuple[Weapon, Weapon]]:
    """The weapons that have changed: as :func:`changed_units`."""
    known = memory.rearmed
    if known.before is before and known.after is after:
        return known.weapons
    found = changed_pieces(before, after)
    memory.rearmed = Rearmed(before, after, found)
    return found


def _carried(memory: Memory, weapons: dict[WeaponId, Weapon], last: Carried) -> dict[UnitId, tuple[Weapon, ...]]:
    earlier = memory.earlier_carried
    for known in earlier:
        if known.weapons is weapons:
            return known.by_owner
    index = _follow(memory, last, weapons) if len(last.weapons) == len(weapons) else None
    if index is None:
        index = _index(weapons)
    memory.earlier_carried = (last, *earlier[: _KEPT - 1])
    memory.carried = Carried(weapons, index)
    return index


def _index(weapons: dict[WeaponId, Weapon]) -> dict[UnitId, tuple[Weapon, ...]]:
    found: dict[UnitId, tuple[Weapon, ...]] = {}
    for weapon in weapons.values():
        if weapon.state is not _REMOVED and weapon.placed is None:
            owner = weapon.owner
            if owner in found:
                found[owner] += (weapon,)
            else:
                found[owner] = (weapon,)
    return found


def _follow(memory: Memory, before: Carried, weapons: _Weapons) -> dict[UnitId, tuple[Weapon, ...]] | None:
    """Who possesses what after changes to as many weapons; None if some went from hand to hand, or are others."""
    found = before.by_owner.copy()
    for old, new in changed_weapons(memory, before.weapons, weapons):
        owner = new.owner
        if old.owner != owner or old.id != new.id or old.state is not new.state or old.placed is not new.placed:
            return None
        if new.state is not _REMOVED and new.placed is None:
            carried = found[owner]
            found[owner] = (new,) if len(carried) == 1 else tuple([new if one is old else one for one in carried])
    return found


def weapons_of(context: Context, state: State, unit_id: UnitId) -> tuple[Weapon, ...]:
    """The weapons that a unit possesses."""
    return owners(context, state).get(unit_id, ())


def lying_at(context: Context, state: State, hex: Hex) -> tuple[Weapon, ...]:
    """The weapons that nobody possesses in a hex."""
    found: tuple[Weapon, ...] = ()
    for weapon in owners(context, state).get(_NOBODY, ()):
        if weapon.hex == hex:
            found += (weapon,)
    return found


def weapon_hex(state: State, weapon: Weapon) -> Hex | None:
    """Where a weapon is: with its possessor, or where it lies."""
    return state.units[weapon.owner].hex if weapon.owner else weapon.hex


@rule("4.0")
def ipc(context: Context, unit: Unit, *, helped: bool = False) -> int:
    """Inherent Portage Capacity; a Good Order SMC in the same stack adds his to one MMC's (4.0)."""
    numbers = numbers_of(context).portage
    tired = numbers["cx"] if unit.cx else 0
    if context.card(unit).is_leader:
        return max(0, numbers["ipc_wounded_smc" if unit.wounded else "ipc_smc"] + tired)
    return numbers["ipc_mmc"] + tired + (numbers["ipc_smc"] if helped else 0)


@rule("4.0")
def refuse_load(context: Context, unit: Unit, load: int) -> Refusal | None:
    """Why a unit may not move with so many portage points: a SMC never with more than two (4.0).

    That binds those who carry weapons somewhere; anybody may possess as many as he likes.
    """
    most = numbers_of(context).portage["smc_most"]
    if load <= most or not context.card(unit).is_leader:
        return None
    return Refusal("4.0", f"{unit.id} would carry {load} PP, and a SMC carries {most} at the most", "drop some")


def guns_possessed(context: Context, state: State, unit_id: UnitId) -> tuple[Weapon, ...]:
    """The Guns that a unit possesses."""
    if not context.scenario.hiders:
        # Whoever has Guns may hide them: nobody has any.
        return ()
    carried = weapons_of(context, state, unit_id)
    return tuple([weapon for weapon in carried if context.weapon_card(weapon).gun is not None]) if carried else ()


@rule("4.0", "6.5")
def refuse_gun(context: Context, state: State, unit: Unit, without: Collection[WeaponId] = ()) -> Refusal | None:
    """Why a unit may not go away with a Gun: it is no load, and moves by manhandling in the MPh alone (4.0, 6.5)."""
    for gun in guns_possessed(context, state, unit.id):
        if gun.id not in without:
            return Refusal("6.5", f"{unit.id} possesses {gun.id}, and nobody carries a Gun", "drop it, or manhandle it")
    return None


def portage(context: Context, state: State, unit_id: UnitId, without: Collection[WeaponId] = ()) -> int:
    """Portage points of the weapons that a unit possesses (1.2.4)."""
    points = 0
    for weapon in owners(context, state).get(unit_id, ()):
        if weapon.id not in without:
            points += context.cards.weapons[weapon.card].pp
    return points


@rule("3.1", "5.5")
def is_foreign(context: Context, owner: Unit, weapon: Weapon) -> bool:
    """Whether a weapon is of another nationality than the unit that possesses it (3.1, 5.5)."""
    return context.card(owner).nationality is not context.weapon_card(weapon).nationality


@rule("1.3", "5.5")
def is_captured(context: Context, state: State, weapon: Weapon) -> bool:
    """Whether a weapon is used by another nationality than its own (5.5).

    Not by a crew of the side that brought it, where a special rule says that it is used to it (1.3).
    """
    owner = state.units.get(weapon.owner)
    if owner is None or not is_foreign(context, owner, weapon):
        return False
    used_to = owner.side == weapon.side and context.card(owner).kind is UnitKind.CREW
    return not (used_to and weapon.card in context.scenario.conditions.own_weapons)


def transfers(context: Context, state: State, seat: str) -> Iterator[tuple[Weapon, Unit]]:
    """Every legal transfer, a weapon and the unit that it goes to: :func:`refuse_transfer` without the words."""
    units, there = state.units, occupants(context, state)
    for weapon in state.weapons.values():
        owner = units.get(weapon.owner)
        if owner is None or owner.side != seat or owner.hex is None or owner.advanced or weapon.recovered:
            continue
        stack = there.get(owner.hex, ())
        if len(stack) < 2 or not (owner.good_order and weapon.in_play):
            continue
        for unit in stack:
            if unit is not owner and unit.side == seat and unit.good_order:
                yield weapon, unit


@rule("3.1", "4.0")
def refuse_transfer(state: State, seat: str, weapon_id: WeaponId, to: UnitId) -> Refusal | None:
    """Why a weapon may not pass from one Good Order unit to another in the same location (3.1, 4.0)."""
    weapon, taker = state.weapons.get(weapon_id), state.units.get(to)
    giver = state.units.get(weapon.owner) if weapon is not None and weapon.in_play else None
    if weapon is None or giver is None or giver.side != seat:
        return refuse_unpossessed("4.0", weapon_id)
    if taker is None or taker.side != seat or taker.hex is None or taker.hex != giver.hex:
        return Refusal("3.1", f"{to!r} is no unit of yours in the same location", "name one that is")
    if taker.id == giver.id:
        return Refusal("3.1", f"{to} possesses {weapon_id} already", "name another unit")
    for unit in (giver, taker):
        if not unit.good_order:
            return Refusal("3.1", f"{unit.id} is not in Good Order", "wait until it is")
    if weapon.recovered:
        return Refusal("4.0", f"{weapon_id} was recovered in this phase", "transfer it in a later phase")
    if giver.advanced:
        return Refusal("4.0", f"{giver.id} has advanced with {weapon_id}", "transfer it before an advance")
    return None


def transfer(play: Play, weapon_id: WeaponId, to: UnitId) -> None:
    """Let a weapon pass to another unit."""
    play.emit(ev.WeaponPossessed(weapon_id, to))


def droppable(state: State, seat: str) -> Iterator[Weapon]:
    """The weapons that a side may drop in its MPh or APh: :func:`refuse_drop` without the words."""
    units = state.units
    for weapon in state.weapons.values():
        owner = units.get(weapon.owner)
        if owner is not None and owner.side == seat and owner.hex is not None and not (owner.broken or owner.melee):
            yield weapon


@rule("4.0")
def refuse_drop(state: State, seat: str, weapon_id: WeaponId) -> Refusal | None:
    """Why a weapon may not be dropped: its possessor is unbroken and on the map, whatever else he did (4.0)."""
    weapon = state.weapons.get(weapon_id)
    owner = state.units.get(weapon.owner) if weapon is not None else None
    if weapon is None or owner is None or owner.side != seat or owner.hex is None:
        return Refusal(
            "4.0",
            f"{weapon_id!r} is in nobody's possession on your side of the map",
            "name one that a unit of yours possesses",
        )
    if owner.broken or owner.melee:
        return Refusal("4.0", f"{owner.id} is not in Good Order", "wait until it is")
    return None


def drop(play: Play, weapon_id: WeaponId) -> None:
    """Leave a weapon where its possessor stands (4.0)."""
    owner = play.state.units[play.state.weapons[weapon_id].owner]
    play.emit(ev.WeaponPossessed(weapon_id, UnitId(""), owner.hex))
