"""3.2.2 Everything of a side that may fire at all in a phase, by hex, with the range that it reaches.

This is asked at every MF that the opponent spends. Most of it stays the same from one to the next, so the index of
the last units and weapons is kept in the memory of the game and compared object by object.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence

import msgspec

from sandtable.core.content.rule import rule
from sandtable.geo.hex import Hex, distance
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.common.possession import owners
from sandtable.systems.aslsk.common.stacking import changed_pieces, held, occupants
from sandtable.systems.aslsk.fire.fire_groups import Firer, missing_protection, newcomers, refuse_usage
from sandtable.systems.aslsk.fire.firers import Fireground, FireMode, Use
from sandtable.systems.aslsk.pieces.cards import WeaponKind
from sandtable.systems.aslsk.pieces.state import (
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
_UNMARKED, _WORKING, _FIRST, _PLAIN = Mark.NONE, WeaponState.WORKING, FireMode.FIRST, Use.PLAIN
"""Names are looked up quicker than members of enums."""


class Muzzle(msgspec.Struct, frozen=True):
    """A firer and the greatest range at which it may fire now; ``again`` if it has fired."""

    firer: Firer
    limit: int
    again: bool


class _Cell(msgspec.Struct, frozen=True):
    """What may fire out of one hex."""

    muzzles: list[Muzzle]
    limit: int
    """The greatest of their limits, -1 if there are none."""
    ordnance: list[Weapon]
    """Ordnance that has not fired."""


class Muzzles(msgspec.Struct, frozen=True):
    """All that a side may fire with in one kind of fire."""

    units: dict[UnitId, Unit]
    weapons: dict[WeaponId, Weapon]
    cells: dict[Hex, _Cell]
    reach: dict[Hex, int]
    """The greatest limit in each hex with muzzles."""
    ordnance: list[Weapon]
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


def muzzles_of(context: Context, state: State, mode: FireMode, seat: str) -> Muzzles:
    """The muzzles of a side as things stand."""
    kept = context.memory.muzzles
    known: Muzzles | None = kept.get((mode, seat))
    if known is None:
        found = _index(context, state, mode, seat)
    elif known.units is state.units and known.weapons is state.weapons:
        return known
    else:
        found = _follow(context, state, mode, seat, known)
    kept[mode, seat] = found
    return found


def _index(
    context: Context,
    state: State,
    mode: FireMode,
    seat: str,
    *,
    before: Mapping[Hex, _Cell] | None = None,
    changed: Container[Hex] = (),
) -> Muzzles:
    """The muzzles hex by hex; where nothing has changed, as they were before."""
    cells: dict[Hex, _Cell] = {}
    own = held(context, state, seat)[0]
    for hex, units in occupants(context, state).items():
        if hex in own:
            cell = _in_hex(context, state, mode, seat, units) if before is None or hex in changed else before.get(hex)
            if cell is not None:
                cells[hex] = cell
    return _of_cells(state, cells)


def _of_cells(state: State, cells: dict[Hex, _Cell]) -> Muzzles:
    reach = {hex: cell.limit for hex, cell in cells.items() if cell.muzzles}
    ordnance = [weapon for cell in cells.values() for weapon in cell.ordnance]
    return Muzzles(state.units, state.weapons, cells, reach, ordnance, {})


def _follow(context: Context, state: State, mode: FireMode, seat: str, before: Muzzles) -> Muzzles:
    """The muzzles after changes in a few hexes, worked out for these alone."""
    changes = _changes(state, seat, before)
    if changes is None:
        return _index(context, state, mode, seat)
    changed, moved = changes
    if not changed:
        return Muzzles(state.units, state.weapons, before.cells, before.reach, before.ordnance, before.known)
    if moved:
        # Hexes have an order.
        return _index(context, state, mode, seat, before=before.cells, changed=changed)
    cells = before.cells.copy()
    there = occupants(context, state)
    for hex in changed:
        cell = _in_hex(context, state, mode, seat, there.get(hex, ()))
        if cell is None:
            cells.pop(hex, None)
        elif hex in cells:
            cells[hex] = cell
        else:
            return _index(context, state, mode, seat, before=before.cells, changed=changed)
    after = _of_cells(state, cells)
    if after.reach == before.reach:
        # What was in range of somebody still is.
        after.known.update(before.known)
    return after


def _changes(state: State, seat: str, before: Muzzles) -> tuple[set[Hex], bool] | None:
    """Hexes with units of a side that have changed, or whose weapons have, and whether somebody has moved.

    None if these are other units.
    """
    if len(before.units) != len(state.units) or len(before.weapons) != len(state.weapons):
        return None
    changed = set[Hex]()
    moved = False
    for old, new in changed_pieces(before.units, state.units):
        if old.id != new.id or old.side != new.side:
            return None
        if new.side == seat:
            if old.hex != new.hex or old.place is not new.place:
                moved = True
                if old.hex is not None:
                    changed.add(old.hex)
            if new.hex is not None:
                changed.add(new.hex)
    if before.weapons is not state.weapons:
        for arm, now in changed_pieces(before.weapons, state.weapons):
            for owner in (arm.owner, now.owner):
                hex = state.units[owner].hex if owner else None
                if hex is not None:
                    changed.add(hex)
    return changed, moved


def _in_hex(context: Context, state: State, mode: FireMode, seat: str, units: tuple[Unit, ...]) -> _Cell | None:
    """What may fire out of a hex; None if nothing may."""
    found: list[Muzzle] = []
    ordnance: list[Weapon] = []
    limit = -1
    carried = owners(context, state)
    for unit in units:
        if unit.side != seat or unit.broken or unit.melee:
            continue
        own = _own(context, mode, unit)
        if own is not None:
            found.append(own)
            limit = max(limit, own.limit)
        if unit.directed or unit.id not in carried:
            continue
        for weapon in carried[unit.id]:
            if weapon.state is not _WORKING:
                continue
            if context.weapon_card(weapon).kind in _ORDNANCE:
                if weapon.mark is _UNMARKED:
                    ordnance.append(weapon)
                continue
            muzzle = _armed(context, mode, unit, weapon)
            if muzzle is not None:
                found.append(muzzle)
                limit = max(limit, muzzle.limit)
    return _Cell(found, limit, ordnance) if found or ordnance else None


def _limit(mode: FireMode, mark: Mark, normal: int, most: int) -> int:
    """Greatest range by the marker that something has; -1 if it may not fire."""
    if mark is _UNMARKED:
        return most
    if mark not in _AGAIN[mode]:
        return -1
    return normal if mode is _FIRST and mark is Mark.FIRST_FIRE else 1


def _own(context: Context, mode: FireMode, unit: Unit) -> Muzzle | None:
    card = context.card(unit)
    if not card.fp:
        return None
    again = unit.mark is not _UNMARKED
    limit = _limit(mode, unit.mark, card.range, 2 * card.range) if again else 2 * card.range
    if limit < 0 or (unit.forfeited and not (again and mode is _FIRST)):
        return None
    return Muzzle(Firer(unit, None, _PLAIN), limit, again)


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
    return Muzzle(Firer(unit, weapon, _PLAIN), limit, again)


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
    if reach and hex in held(ground.context, ground.state, ground.seat)[1]:
        return found
    for muzzle in muzzles.cells[hex].muzzles:
        if reach > muzzle.limit:
            continue
        firer = muzzle.firer
        if muzzle.again or ground.has_shot_at(firer.name):
            use = ground.unit_use(firer.unit) if firer.weapon is None else ground.weapon_use(firer.weapon)
            if not isinstance(use, Use):
                continue
            protects = protects or use is Use.PROTECTIVE
            firer = Firer(firer.unit, firer.weapon, use)
        if not attacked or newcomers(ground, (firer,), attacked) is None:
            found.append(firer)
    return _whole_protectors(ground, found) if protects else found


@rule("3.3.3")
def _whole_protectors(ground: Fireground, found: list[Firer]) -> list[Firer]:
    """Final Protective Fire takes all FP and MG of a unit: where part of them may not fire, none may (3.3.3)."""
    names = {firer.name for firer in found}
    return [
        firer for firer in found if firer.use is not Use.PROTECTIVE or not missing_protection(ground, firer.unit, names)
    ]
