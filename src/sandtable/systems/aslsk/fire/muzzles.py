"""3.2.2 Everything of a side that may fire at all in a phase, by hex, with the range that it reaches.

This is asked at every MF that the opponent spends. Most of it stays the same from one to the next, so the index of
the last units and weapons is kept in the memory of the game and compared object by object.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.geo.hex import Hex, Ranges
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.common.memory import Memory
from sandtable.systems.aslsk.common.possession import changed_weapons, owners
from sandtable.systems.aslsk.common.stacking import changed_units, held, occupants
from sandtable.systems.aslsk.common.vehicles_here import shut_hexes
from sandtable.systems.aslsk.fire.fire_groups import Firer, missing_protection, newcomers, refuse_usage, was_attacked
from sandtable.systems.aslsk.fire.firers import Fireground, FireMode, Use, bar_mortar
from sandtable.systems.aslsk.pieces.cards import UnitCard, WeaponCard, WeaponKind
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
_UNMARKED, _FIRST_FIRE, _WORKING = Mark.NONE, Mark.FIRST_FIRE, WeaponState.WORKING
_FIRST, _ADVANCING, _PLAIN, _PROTECTIVE = FireMode.FIRST, FireMode.ADVANCING, Use.PLAIN, Use.PROTECTIVE
_DC, _FT, _ATR, _GUN, _MTR = WeaponKind.DC, WeaponKind.FT, WeaponKind.ATR, WeaponKind.GUN, WeaponKind.MTR
"""Names are looked up quicker than members of enums."""


class Muzzle(msgspec.Struct, frozen=True, gc=False):
    """A firer and the greatest range at which it may fire now; ``again`` if it has fired."""

    firer: Firer
    limit: int
    again: bool


class _Cell(msgspec.Struct, frozen=True, gc=False):
    """What may fire out of one hex, if anything may."""

    muzzles: list[Muzzle]
    limit: int
    """The greatest of their limits, -1 if there are none."""
    ordnance: list[Weapon]
    """Ordnance that has not fired, and may from there."""


class Muzzles(msgspec.Struct, frozen=True, gc=False):
    """All that a side may fire with in one kind of fire."""

    turn: int
    units: dict[UnitId, Unit]
    weapons: dict[WeaponId, Weapon]
    cells: dict[Hex, _Cell]
    """Of each hex with units of the side."""
    reach: dict[Hex, int]
    """The greatest limit in each hex with muzzles."""
    ordnance: list[Weapon]
    ranges: Ranges
    known: dict[Hex, bool]
    """What :meth:`reaches` has answered."""

    def reaches(self, target: Hex) -> bool:
        """Whether anything is in range of a hex."""
        found = self.known.get(target)
        if found is None:
            found = False
            ranges = self.ranges[target]
            for hex, limit in self.reach.items():
                if ranges[hex] <= limit:
                    found = True
                    break
            self.known[target] = found
        return found


def muzzles_of(context: Context, state: State, mode: FireMode, seat: str) -> Muzzles:
    """The muzzles of a side as things stand."""
    kept = context.memory.muzzles
    known: Muzzles | None = kept.get((mode, seat))
    if known is None or known.turn != state.turn:
        # Most units have done something since the same fire of the last turn.
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
    own = held(context, state, seat)[0]
    carried = owners(context, state)
    cells = {
        hex: _in_hex(context, mode, seat, units, carried) if before is None or hex in changed else before[hex]
        for hex, units in occupants(context, state).items()
        if hex in own
    }
    ranges = context.memory.ranges
    return Muzzles(state.turn, state.units, state.weapons, cells, _reach(cells), _ordnance(cells), ranges, {})


def _reach(cells: Mapping[Hex, _Cell]) -> dict[Hex, int]:
    return {hex: cell.limit for hex, cell in cells.items() if cell.limit >= 0}


def _ordnance(cells: Mapping[Hex, _Cell]) -> list[Weapon]:
    return [weapon for cell in cells.values() for weapon in cell.ordnance]


def _follow(context: Context, state: State, mode: FireMode, seat: str, before: Muzzles) -> Muzzles:
    """The muzzles after changes in a few hexes, worked out for these alone."""
    changes = _changes(context, state, seat, before)
    if changes is None:
        return _index(context, state, mode, seat)
    changed, moved = changes
    if not changed:
        return replace(before, units=state.units, weapons=state.weapons)
    if moved:
        # Hexes have an order.
        return _index(context, state, mode, seat, before=before.cells, changed=changed)
    cells, reach = before.cells.copy(), before.reach.copy()
    there, carried = occupants(context, state), owners(context, state)
    same_reach = same_order = same_ordnance = True
    for hex in changed:
        was = cells.get(hex)
        if was is not None:
            cell = cells[hex] = _in_hex(context, mode, seat, there[hex], carried)
            if cell.limit != was.limit:
                same_reach = False
                # What falls silent leaves the order of the others as it is; where fire comes anew it is made anew.
                same_order = same_order and was.limit >= 0
                reach[hex] = cell.limit
                if cell.limit < 0:
                    del reach[hex]
            same_ordnance = same_ordnance and not (cell.ordnance or was.ordnance)
    return Muzzles(
        state.turn,
        state.units,
        state.weapons,
        cells,
        before.reach if same_reach else reach if same_order else _reach(cells),
        before.ordnance if same_ordnance else _ordnance(cells),
        before.ranges,
        before.known if same_reach else {},
    )


def _changes(context: Context, state: State, seat: str, before: Muzzles) -> tuple[set[Hex], bool] | None:
    """Hexes with units of a side that have changed, or whose weapons have, and whether somebody has moved.

    None if these are other units, or so many have changed that it is quicker to begin anew.
    """
    if len(before.units) != len(state.units) or len(before.weapons) != len(state.weapons):
        return None
    units = changed_units(context.memory, before.units, state.units)
    if 2 * len(units) > len(state.units):
        return None
    changed: set[Hex] = set()
    moved = False
    for old, new in units:
        if old.id != new.id:
            return None
        if new.side != seat:
            continue
        hex = new.hex
        if (old.hex is not hex and old.hex != hex) or old.place is not new.place:
            moved = True
            if old.hex is not None:
                changed.add(old.hex)
        if hex is not None:
            changed.add(hex)
    if before.weapons is not state.weapons:
        changed.update(_rearmed(context.memory, state, seat, before))
    return changed, moved


def _rearmed(memory: Memory, state: State, seat: str, before: Muzzles) -> Iterator[Hex]:
    """Hexes with units of a side that possess, or did possess, weapons that have changed."""
    for arm, now in changed_weapons(memory, before.weapons, state.weapons):
        for owner in (arm.owner, now.owner):
            unit = state.units[owner] if owner else None
            if unit is not None and unit.hex is not None and unit.side == seat:
                yield unit.hex


def _in_hex(
    context: Context, mode: FireMode, seat: str, units: tuple[Unit, ...], carried: Mapping[UnitId, tuple[Weapon, ...]]
) -> _Cell:
    """What may fire out of a hex."""
    found: list[Muzzle] = []
    ordnance: list[Weapon] = []
    limit = -1
    cards = context.cards
    for unit in units:
        if unit.broken or unit.side != seat or unit.melee or (unit.hazardous and mode is _ADVANCING):
            continue
        own = _own(cards.units[unit.card], mode, unit)
        if own is not None:
            found.append(own)
            if own.limit > limit:  # noqa: PLR1730 - calling max would take longer than all the rest
                limit = own.limit
        if unit.id not in carried or unit.directed:
            continue
        for weapon in carried[unit.id]:
            if weapon.state is not _WORKING:
                continue
            card = cards.weapons[weapon.card]
            if card.kind in _ORDNANCE:
                if weapon.mark is _UNMARKED and not (card.kind is _MTR and _bars(context, mode, unit, weapon)):
                    ordnance.append(weapon)
                continue
            muzzle = _armed(context, card, mode, unit, weapon)
            if muzzle is not None:
                found.append(muzzle)
                if muzzle.limit > limit:  # noqa: PLR1730 - the same
                    limit = muzzle.limit
    return _Cell(found, limit, ordnance)


def _bars(context: Context, mode: FireMode, unit: Unit, weapon: Weapon) -> bool:
    """Whether a mortar fires at nothing from where it is: else it would be asked about for every target."""
    return unit.hex is not None and bar_mortar(context, mode, weapon, unit.hex) is not None


def _limit(mode: FireMode, mark: Mark, normal: int, most: int) -> int:
    """Greatest range by the marker that something has; -1 if it may not fire."""
    if mark is _UNMARKED:
        return most
    if mark not in _AGAIN[mode]:
        return -1
    return normal if mode is _FIRST and mark is _FIRST_FIRE else 1


def _own(card: UnitCard, mode: FireMode, unit: Unit) -> Muzzle | None:
    if not card.fp:
        return None
    if unit.mark is _UNMARKED:
        return None if unit.forfeited else Muzzle(Firer(unit, None, _PLAIN), 2 * card.range, False)
    limit = _limit(mode, unit.mark, card.range, 2 * card.range)
    if limit < 0 or (unit.forfeited and mode is not _FIRST):
        return None
    return Muzzle(Firer(unit, None, _PLAIN), limit, True)


def _armed(context: Context, card: WeaponCard, mode: FireMode, unit: Unit, weapon: Weapon) -> Muzzle | None:
    kind = card.kind
    if kind is _DC or kind is _GUN or (mode is _ADVANCING and weapon.moved and kind in _HEAVY):
        return None
    again = weapon.mark is not _UNMARKED
    if again and not card.is_mg:
        return None
    if kind is _FT and unit.pinned:
        return None
    most = card.range if kind is _ATR else 2 * card.range
    limit = _limit(mode, weapon.mark, card.range, most)
    reuses = again and mode is _FIRST
    if limit < 0 or refuse_usage(context, unit, (weapon.id,), own_fp=False, again=reuses) is not None:
        return None
    return Muzzle(Firer(unit, weapon, _PLAIN), limit, again)


def candidates(ground: Fireground, attacked: Sequence[Attacked] = ()) -> list[Firer]:
    """Everything that may fire at the target on the IFT now."""
    context, state, target = ground.context, ground.state, ground.target
    free = context.scenario.conditions.free_sight
    attacked = attacked if was_attacked(attacked, target) else ()
    muzzles = muzzles_of(context, state, ground.mode, ground.seat)
    enemies = shut_hexes(context, state, ground.seat)
    found: list[Firer] = []
    ranges = context.memory.ranges[target]
    for hex, limit in muzzles.reach.items():
        reach = ranges[hex]
        if reach <= limit and not (reach and hex in enemies) and (not free or ground.sees(hex)):
            found += _of_hex(ground, muzzles.cells[hex], reach, attacked)
    return found


def has_shot(ground: Fireground, attacked: Sequence[Attacked] = ()) -> bool:
    """Whether anything may fire at the target on the IFT with a line of sight."""
    context, state, target = ground.context, ground.state, ground.target
    attacked = attacked if was_attacked(attacked, target) else ()
    muzzles = muzzles_of(context, state, ground.mode, ground.seat)
    enemies = shut_hexes(context, state, ground.seat)
    ranges = context.memory.ranges[target]
    for hex, limit in muzzles.reach.items():
        reach = ranges[hex]
        if reach > limit or (reach and hex in enemies) or not context.sees(state, hex, target):
            continue
        if _has_firer(ground, muzzles.cells[hex], reach, attacked):
            return True
    return False


def _has_firer(ground: Fireground, cell: _Cell, reach: int, attacked: Sequence[Attacked]) -> bool:
    if not attacked:
        # Who fires for the first time is not kept from it by anybody else.
        for muzzle in cell.muzzles:
            if reach <= muzzle.limit and not muzzle.again and not ground.has_shot_at(muzzle.firer.name):
                return True
    return bool(_of_hex(ground, cell, reach, attacked))


def _of_hex(ground: Fireground, cell: _Cell, reach: int, attacked: Sequence[Attacked]) -> list[Firer]:
    found: list[Firer] = []
    protects = False
    for muzzle in cell.muzzles:
        if reach > muzzle.limit:
            continue
        firer = muzzle.firer
        if muzzle.again or ground.has_shot_at(firer.name):
            use = ground.unit_use(firer.unit) if firer.weapon is None else ground.weapon_use(firer.weapon)
            if not isinstance(use, Use):
                continue
            protects = protects or use is _PROTECTIVE
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
