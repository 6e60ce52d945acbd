"""1.3 The FP that a side could bring to bear on some hexes, as a scenario card counts it at game end.

Each Good Order MMC attacks the hex in its LOS on which it has most: its own FP and that of its weapons, half beyond
Normal Range, a mortar and a bazooka for as much as the card says. Point Blank Fire, ROF, breakdown and Smoke count for
nothing, and captured weapons do not fire.
"""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.geo.hex import Hex, distance
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.common.possession import is_captured, weapons_of
from sandtable.systems.aslsk.pieces.cards import UnitKind, WeaponCard, WeaponKind
from sandtable.systems.aslsk.pieces.state import State, Unit, WeaponState

__all__ = ["covering_fp", "covering_halves"]


@rule("1.3")
def covering_fp(context: Context, state: State, side: str, hexes: Collection[Hex]) -> int:
    """Whole FP of all Good Order units of a side on hexes, each unit on the best one for it (1.3)."""
    clear = replace(state, smoke=()) if state.smoke else state
    halves = 0
    for unit in state.units.values():
        if unit.side == side and unit.good_order and unit.hex is not None and context.card(unit).is_mmc:
            seen = [hex for hex in hexes if context.sees(clear, unit.hex, hex)]
            halves += max((covering_halves(context, state, unit, distance(unit.hex, hex)) for hex in seen), default=0)
    return halves // 2


def covering_halves(context: Context, state: State, unit: Unit, far: int) -> int:
    """Halves of FP that a unit has so far away: a squad fires itself and one SW or two SW, others one or the other."""
    card = context.card(unit)
    numbers = context.tables["covering_fire"].number
    own = _reach(card.fp, card.range, far)
    arms = sorted(
        (
            _arm(context.weapon_card(weapon), far, numbers("mortar"), numbers("bazooka"), numbers("bazooka_range"))
            for weapon in weapons_of(context, state, unit.id)
            if weapon.state is WeaponState.WORKING and not is_captured(context, state, weapon)
        ),
        reverse=True,
    )
    best = arms[0] if arms else 0
    if card.kind is not UnitKind.SQUAD:
        return max(own, best)
    return max(own + best, sum(arms[:2]))


def _reach(fp: int, normal: int, far: int) -> int:
    """Halves of FP at a range: all of it in Normal Range, half of it at twice as much."""
    return 2 * fp if far <= normal else fp if far <= 2 * normal else 0


def _arm(card: WeaponCard, far: int, mortar: int, bazooka: int, bazooka_range: int) -> int:
    """Halves of FP of a weapon at a range."""
    if card.is_mg:
        return _reach(card.fp, card.range, far)
    if card.kind is WeaponKind.MTR:
        return 2 * mortar if card.min_range <= far <= card.range else 0
    return 2 * bazooka if card.kind is WeaponKind.BAZ and far <= bazooka_range else 0
