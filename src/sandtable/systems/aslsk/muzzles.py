"""3.2.2 Everything of a side that may fire at all in a phase, by hex, with the range that it reaches.

This is asked at every MF that the opponent spends. Most of it stays the same from one to the next, so the index of
the last few sets of units and weapons is kept and compared object by object.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import is_
from typing import NamedTuple

from sandtable.geo.hex import Hex, distance
from sandtable.systems.aslsk.cards import WeaponKind
from sandtable.systems.aslsk.context import Context
from sandtable.systems.aslsk.fire_groups import Firer, newcomers, refuse_usage
from sandtable.systems.aslsk.firers import Fireground, FireMode, Use
from sandtable.systems.aslsk.stacking import occupants
from sandtable.systems.aslsk.state import (
    Attacked,
    Mark,
    Place,
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


class Muzzle(NamedTuple):
    """A firer and the greatest range at which it may fire now; ``again`` if it has fired."""

    firer: Firer
    limit: int
    again: bool


class Muzzles(NamedTuple):
    """All that a side may fire with in one kind of fire."""

    units: tuple[Unit, ...]
    weapons: tuple[Weapon, ...]
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
            found = any(distance(hex, target) <= limit for hex, limit in self.reach.items())
            self.known[target] = found
        return found


_recent: list[tuple[Context, FireMode, str, Muzzles]] = []
_last: list[tuple[Context, dict[UnitId, Unit], dict[WeaponId, Weapon], FireMode, str, Muzzles]] = []
_KEPT = 4


def _same(one: Sequence[object], other: Sequence[object]) -> bool:
    return len(one) == len(other) and all(map(is_, one, other))


def muzzles_of(context: Context, state: State, mode: FireMode, seat: str) -> Muzzles:
    """The muzzles of a side as things stand."""
    for known, units, weapons, kind, side, muzzles in _last:
        same = units is state.units and weapons is state.weapons and known is context
        if same and kind is mode and side == seat:
            return muzzles
    muzzles = _kept(context, state, mode, seat)
    _last[:] = [(context, state.units, state.weapons, mode, seat, muzzles)]
    return muzzles


def _kept(context: Context, state: State, mode: FireMode, seat: str) -> Muzzles:
    units = tuple(
        unit
        for unit in state.units.values()
        if unit.side == seat and unit.place is Place.MAP and not unit.broken and not unit.melee
    )
    weapons = tuple(weapon for weapon in state.weapons.values() if weapon.owner)
    for known, kind, side, muzzles in _recent:
        same = known is context and kind is mode and side == seat
        if same and _same(muzzles.units, units) and _same(muzzles.weapons, weapons):
            return muzzles
    muzzles = _index(context, mode, units, weapons)
    _recent.insert(0, (context, mode, seat, muzzles))
    del _recent[_KEPT:]
    return muzzles


def _index(context: Context, mode: FireMode, units: tuple[Unit, ...], weapons: tuple[Weapon, ...]) -> Muzzles:
    carried: dict[UnitId, list[Weapon]] = {}
    for weapon in weapons:
        if weapon.state is WeaponState.WORKING and weapon.placed is None:
            carried.setdefault(weapon.owner, []).append(weapon)
    by_hex: dict[Hex, list[Muzzle]] = {}
    ordnance = []
    for unit in units:
        assert unit.hex is not None  # noqa: S101 - it is on the map
        found = by_hex.setdefault(unit.hex, [])
        own = _single(context, mode, unit, None)
        if own is not None:
            found.append(own)
        for weapon in () if unit.directed else carried.get(unit.id, ()):
            if context.weapon_card(weapon).kind in _ORDNANCE:
                if weapon.mark is Mark.NONE:
                    ordnance.append(weapon)
                continue
            muzzle = _single(context, mode, unit, weapon)
            if muzzle is not None:
                found.append(muzzle)
    full = {hex: tuple(found) for hex, found in by_hex.items() if found}
    reach = {hex: max(muzzle.limit for muzzle in found) for hex, found in full.items()}
    return Muzzles(units, weapons, full, reach, tuple(ordnance), {})


def _limit(mode: FireMode, mark: Mark, normal: int, most: int) -> int:
    """Greatest range by the marker that something has; -1 if it may not fire."""
    if mark is Mark.NONE:
        return most
    if mark not in _AGAIN[mode]:
        return -1
    return normal if mode is FireMode.FIRST and mark is Mark.FIRST_FIRE else 1


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
    again = unit.mark is not Mark.NONE
    if limit < 0 or (unit.forfeited and not (again and mode is FireMode.FIRST)):
        return None
    return Muzzle(Firer(unit, None, Use.PLAIN), limit, again)


def _armed(context: Context, mode: FireMode, unit: Unit, weapon: Weapon) -> Muzzle | None:
    card = context.weapon_card(weapon)
    if card.kind is WeaponKind.DC or (mode is FireMode.ADVANCING and weapon.moved and card.kind in _HEAVY):
        return None
    again = weapon.mark is not Mark.NONE
    if again and not card.is_mg:
        return None
    if card.kind is WeaponKind.FT and unit.pinned:
        return None
    most = card.range if card.kind is WeaponKind.ATR else 2 * card.range
    limit = _limit(mode, weapon.mark, card.range, most)
    reuses = again and mode is FireMode.FIRST
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
        if next(_of_hex(ground, muzzles, hex, reach, attacked), None) is not None:
            return True
    return False


def _of_hex(
    ground: Fireground, muzzles: Muzzles, hex: Hex, reach: int, attacked: Sequence[Attacked]
) -> Iterator[Firer]:
    seat = ground.seat
    if reach and any(unit.side != seat for unit in occupants(ground.state)[hex]):
        return
    for firer, limit, again in muzzles.by_hex[hex]:
        if reach > limit:
            continue
        if again or ground.has_shot_at(firer.name):
            use = ground.unit_use(firer.unit) if firer.weapon is None else ground.weapon_use(firer.weapon)
            if not isinstance(use, Use):
                continue
            firer = firer._replace(use=use)  # noqa: PLW2901
        if not attacked or newcomers(ground.context, (firer,), ground.target, attacked) is None:
            yield firer
