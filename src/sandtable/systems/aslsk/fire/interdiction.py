"""3.6 Interdiction: which enemy units stop a rout through Open Ground, and the check that it costs.

An interdictor could fire on the routing unit at its normal range with an unhalved FP and no positive DRM, and would
have the FFMO DRM if it did: no hindrance between, no height advantage, Open Ground.
"""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.core.content.rule import rule
from sandtable.geo.hex import NEIGHBOURS, Hex, distance
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.context import Context, Play, TerrainKind
from sandtable.systems.aslsk.common.dice import roll_dr
from sandtable.systems.aslsk.common.experience import lends_leadership
from sandtable.systems.aslsk.common.possession import is_captured, weapons_of
from sandtable.systems.aslsk.common.stacking import friends_at, occupants
from sandtable.systems.aslsk.effects.casualties import LeaderLoss, eliminate
from sandtable.systems.aslsk.effects.morale import (
    BOXCARS,
    Check,
    check_number,
    settle_leader_losses,
    suffer_morale_roll,
)
from sandtable.systems.aslsk.pieces.cards import WeaponKind
from sandtable.systems.aslsk.pieces.state import State, Unit, UnitId, Weapon, WeaponState

__all__ = ["interdict", "interdictors", "is_exposed_to"]

GUN_REACH = 16
"""Interdiction by weapons that hit or reach farther is limited to fewer than 17 hexes (3.6)."""
_COUPLE = 2


@rule("1.1.1", "3.6")
def is_exposed_to(
    context: Context, state: State, enemy: Hex, hex: Hex, via: int = -1, *, on_road: bool = False, lobbed: bool = False
) -> bool:
    """Whether FFMO could apply to a unit in ``hex`` from an enemy's hex (1.1.1, 3.6).

    ``via`` is the direction in which the unit entered, -1 if it did not; ``on_road`` says that it came by road into a
    woods-road or orchard-road hex; ``lobbed`` is fire of a mortar, against which there is no Height Advantage.
    """
    ground = context.ground
    place = ground.place(hex)
    if not place.open_ground and not (on_road and place.road and _road_exposes(context, enemy, hex)):
        return False
    if context.hindrance(state, enemy, hex):
        return False
    return lobbed or place.level <= ground.place(enemy).level or _climbed_in_view(context, enemy, hex, via)


def _road_exposes(context: Context, enemy: Hex, hex: Hex) -> bool:
    kind = context.ground.place(hex).kind
    return kind in (TerrainKind.WOODS, TerrainKind.ORCHARD) and context.ground.on_road_only(enemy, hex)


def _climbed_in_view(context: Context, enemy: Hex, hex: Hex, via: int) -> bool:
    """No Height Advantage for one that has just crossed a crest line through the hexside that the LOS crosses."""
    if via < 0:
        return False
    came_from = NEIGHBOURS[hex][(via + 3) % 6]
    return context.ground.climbs(came_from, via) and (via + 3) % 6 in context.ground.entry_side(enemy, hex)


@rule("3.6")
def interdictors(
    context: Context, state: State, hex: Hex, seat: str, via: int = -1, *, on_road: bool = False
) -> Iterator[Unit]:
    """Enemy units that interdict a unit of ``seat`` in a hex (3.6)."""
    place = context.ground.place(hex)
    if not place.open_ground and not (on_road and place.road):
        return
    for there, units in occupants(context, state).items():
        able = [
            unit for unit in units if unit.side != seat and not (unit.broken or unit.pinned or unit.melee or unit.cx)
        ]
        if not able or not context.sees(state, there, hex):
            continue
        if there != hex and len({unit.side for unit in units}) > 1:
            # With an enemy in its hex a unit does not fire out of it (3.2.2.1).
            continue
        reach = distance(there, hex)
        if not any(_reaches(context, state, unit, reach) for unit in able):
            continue
        if is_exposed_to(context, state, there, hex, via, on_road=on_road):
            yield from (unit for unit in able if _reaches(context, state, unit, reach))
        elif is_exposed_to(context, state, there, hex, via, on_road=on_road, lobbed=True):
            # Height Advantage keeps all fire from below off but that of mortars (1.1.1).
            yield from (unit for unit in able if _lobs(context, state, unit, reach))


def _reaches(context: Context, state: State, unit: Unit, range_hexes: int) -> bool:
    """Whether a unit or one of its weapons could fire that far, not halved and with at least one FP (3.6)."""
    card = context.card(unit)
    if card.is_mmc and card.fp and range_hexes <= card.range:
        return True
    return any(
        _weapon_reaches(context, state, unit, weapon, range_hexes) for weapon in weapons_of(context, state, unit.id)
    )


def _lobs(context: Context, state: State, unit: Unit, range_hexes: int) -> bool:
    """Whether a mortar of the unit could fire that far (1.1.1, 3.6)."""
    return any(
        context.weapon_card(weapon).kind is WeaponKind.MTR
        and _weapon_reaches(context, state, unit, weapon, range_hexes)
        for weapon in weapons_of(context, state, unit.id)
    )


def _weapon_reaches(context: Context, state: State, unit: Unit, weapon: Weapon, range_hexes: int) -> bool:
    if weapon.state is not WeaponState.WORKING:
        return False
    kind, is_mmc = context.weapon_card(weapon), context.card(unit).is_mmc
    if range_hexes > min(kind.range, GUN_REACH) or range_hexes < kind.min_range:
        return False
    match kind.kind:
        case WeaponKind.LMG | WeaponKind.MMG | WeaponKind.HMG:
            # A lone leader's MG is halved; two leaders together fire it in full (4.1).
            return is_mmc or _leaders_with(context, state, unit) >= _COUPLE
        case WeaponKind.ATR | WeaponKind.FT:
            return True
        case WeaponKind.MTR:
            # Captured use is a positive DRM (3.2.4); a lone SMC loses nothing but the ROF (4.5).
            here = unit.hex
            return here is not None and not (context.ground.place(here).building or is_captured(context, state, weapon))
        case _:
            # Shaped charges are fired at Infantry in buildings only (4.4), a DC is placed (4.3).
            return False


def _leaders_with(context: Context, state: State, unit: Unit) -> int:
    return sum(
        other.good_order and not other.pinned and context.card(other).is_leader
        for other in friends_at(context, state, unit.hex, unit.side)
    )


@rule("3.6")
def interdict(context: Context, play: Play, unit_id: UnitId, by: tuple[Unit, ...], escort: UnitId) -> bool:
    """The NMC of an interdicted unit, and whether it may rout on; a leader with it dies if it fails (3.6)."""
    unit = play.state.units[unit_id]
    assert unit.hex is not None  # noqa: S101 - a routing unit is on the map
    play.emit(ev.Interdicted(unit_id, tuple(one.id for one in by), unit.hex))
    leader = play.state.units[escort] if escort else None
    helper = leader if leader is not None and lends_leadership(context, leader, unit) else None
    number = check_number(context, unit, Check("interdiction"), helper)
    cuts = sorted({number.total - 1, number.total, BOXCARS - 1})
    roll = roll_dr(play, f"interdiction of {unit_id}", cuts)
    passed = roll.total <= number.total and roll.total != BOXCARS
    play.emit(ev.MoraleChecked(unit_id, "interdiction", roll.faces, number, passed))
    losses: list[LeaderLoss] = []
    suffer_morale_roll(context, play, unit_id, losses, total=roll.total, number=number.total)
    if not passed and leader is not None:
        eliminate(context, play, leader.id, losses, why="the unit that he routed with failed its check", number="3.6")
    settle_leader_losses(context, play, losses)
    if passed and roll.total == number.total and not play.state.units[unit_id].pinned:
        play.emit(ev.UnitPinned(unit_id))
    after = play.state.units[unit_id]
    return after.on_map and not after.pinned
