"""3.2.2 Everything of a side that may fire at all in a phase, by hex, with the range that it reaches.

This is asked at every MF that the opponent spends. Most of it stays the same from one to the next, so the index of
the last few sets of units and weapons is kept and compared object by object.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sandtable.core.rule import rule
from sandtable.geo.hex import Hex, distance
from sandtable.systems.aslsk.cards import WeaponKind
from sandtable.systems.aslsk.context import Context
from sandtable.systems.aslsk.fire_groups import Firer, missing_protection, newcomers, refuse_usage
from sandtable.systems.aslsk.firers import Fireground, FireMode, Use
from sandtable.systems.aslsk.possession import weapons_of
from sandtable.systems.aslsk.stacking import changed_units, held, occupants
from sandtable.systems.aslsk.state import (
    Attacked,
    Mark,
    State,
    Unit,
    UnitId,
    Weapon,
    WeaponId,
    WeaponState,
)

__all__ = ["Muzzles", "candidates", "has_shot", "muzzles_of"]

_AGAIN = {
    FireMode.PREP: (),
    FireMode.ADVANCING: (),
    FireMode.FIRST: (Mark.FIRST_FIRE, Mark.FINAL_FIRE),
    FireMode.FINAL: (Mark.FIRST_FIRE,),
}
"""Markers with which something may fire once more."""
_ORDNANCE = frozenset((WeaponKind.BAZ, WeaponKind.PSK, WeaponKind.PIAT, WeaponKind.MTR))
_HEAVY = frozenset((WeaponKind.MMG, WeaponKind.HMG))
_UNMARKED, _WORKING, _FIRST = Mark.NONE, WeaponState.WORKING, FireMode.FIRST
"""Names are looked up quicker than members of enums."""


class Muzzle(NamedTuple):
    """A firer and the greatest range at which it may fire now; ``again`` if it has fired."""

    firer: Firer
    limit: int
    again: bool


class Muzzles(NamedTuple):
    """All that a side may fire with in one kind of fire."""

    units: dict[UnitId, Unit]
    weapons: dict[WeaponId, Weapon]
    by_hex: dict[Hex, tuple[Muzzle, ...]]
    reach: dict[Hex, int]
    """The greatest limit in each hex."""
    ordnance: tuple[Weapon, ...]
    known: dict[Hex, bool]
    """What :meth:`reaches` has answered."""

    def reaches(self, target: Hex) -> bool:
        """Whether anything is in range of a hex."""
        found = self.known.get(target)
        if found is None:
            found = False
            for hex, limit in self.reach.items():
                if distance(hex, target) <= limit:
                    found = True
                    break
            self.known[target] = found
        return found


_recent: dict[tuple[int, FireMode, str], tuple[Context, Muzzles]] = {}
"""The last answer for each kind of fire of each side, in the games at hand."""
_KEPT = 32


def muzzles_of(context: Context, state: State, mode: FireMode, seat: str) -> Muzzles:
    """The muzzles of a side as things stand."""
    key = (id(context), mode, seat)
    known = _recent.get(key)
    if known is None or known[0] is not context:
        if len(_recent) >= _KEPT:
            _recent.clear()
        found = _index(context, state, mode, seat)
    else:
        muzzles = known[1]
        if muzzles.units is state.units and muzzles.weapons is state.weapons:
            return muzzles
        found = _follow(context, state, mode, seat, muzzles)
    _recent[key] = context, found
    return found


def _index(context: Context, state: State, mode: FireMode, seat: str) -> Muzzles:
    by_hex: dict[Hex, tuple[Muzzle, ...]] = {}
    ordnance: list[Weapon] = []
    for hex, units in occupants(state).items():
        found, heavy = _in_hex(context, state, mode, seat, units)
        ordnance += heavy
        if found:
            by_hex[hex] = found
    reach = {hex: max([muzzle.limit for muzzle in found]) for hex, found in by_hex.items()}
    return Muzzles(state.units, state.weapons, by_hex, reach, tuple(ordnance), {})


def _follow(context: Context, state: State, mode: FireMode, seat: str, before: Muzzles) -> Muzzles:
    """The muzzles after changes in a few hexes, worked out for these alone; all anew once somebody has moved."""
    changed = _changes(state, seat, before)
    if changed is None:
        return _index(context, state, mode, seat)
    if not changed:
        return Muzzles(state.units, state.weapons, before.by_hex, before.reach, before.ordnance, before.known)
    by_hex = before.by_hex.copy()
    reach = before.reach.copy()
    there = occupants(state)
    for hex in changed:
        found, heavy = _in_hex(context, state, mode, seat, there.get(hex, ()))
        if heavy or (found and hex not in by_hex):
            # Ordnance and hexes have an order.
            return _index(context, state, mode, seat)
        if found:
            by_hex[hex] = found
            reach[hex] = max([muzzle.limit for muzzle in found])
        elif hex in by_hex:
            del by_hex[hex], reach[hex]
    ordnance = tuple([weapon for weapon in before.ordnance if state.units[weapon.owner].hex not in changed])
    known = before.known if reach == before.reach else {}
    return Muzzles(state.units, state.weapons, by_hex, reach, ordnance, known)


def _changes(state: State, seat: str, before: Muzzles) -> set[Hex] | None:
    """Hexes with units of a side that have changed, or whose weapons have; None if somebody has moved."""
    if len(before.units) != len(state.units) or len(before.weapons) != len(state.weapons):
        return None
    changed = set[Hex]()
    for old, new in changed_units(before.units, state.units):
        if new.side == seat:
            if old.hex != new.hex or old.place is not new.place or old.id != new.id:
                return None
            if new.hex is not None:
                changed.add(new.hex)
    if before.weapons is not state.weapons:
        for arm, now in zip(before.weapons.values(), state.weapons.values(), strict=True):
            if arm is not now:
                hexes = (state.units[owner].hex for owner in (arm.owner, now.owner) if owner)
                changed.update(hex for hex in hexes if hex is not None)
    return changed


def _in_hex(
    context: Context, state: State, mode: FireMode, seat: str, units: tuple[Unit, ...]
) -> tuple[tuple[Muzzle, ...], list[Weapon]]:
    """The muzzles of a hex, and the ordnance in it that has not fired."""
    found: list[Muzzle] = []
    ordnance: list[Weapon] = []
    for unit in units:
        if unit.side != seat or unit.broken or unit.melee:
            continue
        own = _single(context, mode, unit, None)
        if own is not None:
            found.append(own)
        for weapon in () if unit.directed else weapons_of(state, unit.id):
            if weapon.state is not _WORKING:
                continue
            if context.weapon_card(weapon).kind in _ORDNANCE:
                if weapon.mark is _UNMARKED:
                    ordnance.append(weapon)
                continue
            muzzle = _single(context, mode, unit, weapon)
            if muzzle is not None:
                found.append(muzzle)
    return tuple(found), ordnance


def _limit(mode: FireMode, mark: Mark, normal: int, most: int) -> int:
    """Greatest range by the marker that something has; -1 if it may not fire."""
    if mark is _UNMARKED:
        return most
    if mark not in _AGAIN[mode]:
        return -1
    return normal if mode is _FIRST and mark is Mark.FIRST_FIRE else 1


_singles: dict[tuple[int, int, FireMode], tuple[Context, Unit, Weapon | None, Muzzle | None]] = {}
_MOST_SINGLES = 20_000


def _single(context: Context, mode: FireMode, unit: Unit, weapon: Weapon | None) -> Muzzle | None:
    """The muzzle of one unit's FP or one weapon; the same objects give the same again."""
    key = (id(unit), id(weapon), mode)
    found = _singles.get(key)
    if found is not None and found[0] is context and found[1] is unit and found[2] is weapon:
        return found[3]
    muzzle = _own(context, mode, unit) if weapon is None else _armed(context, mode, unit, weapon)
    if len(_singles) >= _MOST_SINGLES:
        _singles.clear()
    _singles[key] = (context, unit, weapon, muzzle)
    return muzzle


def _own(context: Context, mode: FireMode, unit: Unit) -> Muzzle | None:
    card = context.card(unit)
    if not card.fp:
        return None
    limit = _limit(mode, unit.mark, card.range, 2 * card.range)
    again = unit.mark is not _UNMARKED
    if limit < 0 or (unit.forfeited and not (again and mode is _FIRST)):
        return None
    return Muzzle(Firer(unit, None, Use.PLAIN), limit, again)


def _armed(context: Context, mode: FireMode, unit: Unit, weapon: Weapon) -> Muzzle | None:
    card = context.weapon_card(weapon)
    if card.kind is WeaponKind.DC or (mode is FireMode.ADVANCING and weapon.moved and card.kind in _HEAVY):
        return None
    again = weapon.mark is not _UNMARKED
    if again and not card.is_mg:
        return None
    if card.kind is WeaponKind.FT and unit.pinned:
        return None
    most = card.range if card.kind is WeaponKind.ATR else 2 * card.range
    limit = _limit(mode, weapon.mark, card.range, most)
    reuses = again and mode is _FIRST
    if limit < 0 or refuse_usage(context, unit, (weapon.id,), own_fp=False, again=reuses) is not None:
        return None
    return Muzzle(Firer(unit, weapon, Use.PLAIN), limit, again)


def candidates(ground: Fireground, attacked: Sequence[Attacked] = ()) -> Iterator[Firer]:
    """Everything that may fire at the target on the IFT now, one by one."""
    free = ground.context.scenario.conditions.free_sight
    muzzles = muzzles_of(ground.context, ground.state, ground.mode, ground.seat)
    for hex, limit in muzzles.reach.items():
        reach = distance(hex, ground.target)
        if reach <= limit and (not free or ground.sees(hex)):
            yield from _of_hex(ground, muzzles, hex, reach, attacked)


def has_shot(ground: Fireground, attacked: Sequence[Attacked] = ()) -> bool:
    """Whether anything may fire at the target on the IFT with a line of sight."""
    muzzles = muzzles_of(ground.context, ground.state, ground.mode, ground.seat)
    for hex, limit in muzzles.reach.items():
        reach = distance(hex, ground.target)
        if reach > limit or not ground.sees(hex):
            continue
        if _of_hex(ground, muzzles, hex, reach, attacked):
            return True
    return False


def _of_hex(ground: Fireground, muzzles: Muzzles, hex: Hex, reach: int, attacked: Sequence[Attacked]) -> list[Firer]:
    found: list[Firer] = []
    protects = False
    if reach and hex in held(ground.state, ground.seat)[1]:
        return found
    for firer, limit, again in muzzles.by_hex[hex]:
        if reach > limit:
            continue
        if again or ground.has_shot_at(firer.name):
            use = ground.unit_use(firer.unit) if firer.weapon is None else ground.weapon_use(firer.weapon)
            if not isinstance(use, Use):
                continue
            protects = protects or use is Use.PROTECTIVE
            firer = Firer(firer.unit, firer.weapon, use)  # noqa: PLW2901
        if not attacked or newcomers(ground.context, (firer,), ground.target, attacked) is None:
            found.append(firer)
    return _whole_protectors(ground, found) if protects else found


@rule("3.3.3")
def _whole_protectors(ground: Fireground, found: list[Firer]) -> list[Firer]:
    """Final Protective Fire takes all FP and MG of a unit: where part of them may not fire, none may (3.3.3)."""
    names = {firer.name for firer in found}
    return [
        firer for firer in found if firer.use is not Use.PROTECTIVE or not missing_protection(ground, firer.unit, names)
    ]
