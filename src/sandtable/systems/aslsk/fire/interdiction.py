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
from sandtable.systems.aslsk.common.dice import BOXCARS, roll_dr
from sandtable.systems.aslsk.common.experience import lends_leadership
from sandtable.systems.aslsk.common.hidden import veiled
from sandtable.systems.aslsk.common.possession import is_captured, weapons_of
from sandtable.systems.aslsk.common.stacking import friends_at, occupants
from sandtable.systems.aslsk.common.vehicle_cover import covering_vehicle
from sandtable.systems.aslsk.common.vehicles_here import is_occupied
from sandtable.systems.aslsk.effects.casualties import LeaderLoss, eliminate
from sandtable.systems.aslsk.effects.morale import (
    Check,
    check_number,
    settle_leader_losses,
    suffer_morale_roll,
)
from sandtable.systems.aslsk.fire.acquisition import lose_acquisition
from sandtable.systems.aslsk.fire.vehicle_guns import (
    Stance,
    arc_of,
    bears,
    normal_range,
    printed_fp,
    refuse_crew_place,
)
from sandtable.systems.aslsk.pieces.cards import GunType, UnitKind, WeaponCard, WeaponKind
from sandtable.systems.aslsk.pieces.state import State, Stun, Unit, UnitId, Vehicle, VehicleGun, Weapon, WeaponState
from sandtable.systems.aslsk.terrain.covered_arc import in_covered_arc

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
) -> Iterator[Unit | Vehicle]:
    """Enemy units and vehicles that interdict a unit of ``seat`` in a hex (3.6)."""
    state = veiled(context, state, seat)
    place = context.ground.place(hex)
    if not place.open_ground and not (on_road and place.road):
        return
    if covering_vehicle(state, hex, seat) is not None:
        # Its TEM leaves no FFMO (7.4).
        return
    for there, units in occupants(context, state).items():
        able = []
        for unit in units:
            if unit.side != seat and not (unit.broken or unit.pinned or unit.melee or unit.cx):
                able.append(unit)  # noqa: PERF401 - a loop is quicker than a comprehension over so few
        if not able or not context.sees(state, there, hex):
            continue
        if there != hex and is_occupied(context, state, there, able[0].side):
            # With an enemy in its hex a unit does not fire out of it (3.2.2.1).
            continue
        if not any(_reaches(context, state, unit, hex) for unit in able):
            continue
        if is_exposed_to(context, state, there, hex, via, on_road=on_road):
            yield from (unit for unit in able if _reaches(context, state, unit, hex))
        elif is_exposed_to(context, state, there, hex, via, on_road=on_road, lobbed=True):
            # Height Advantage keeps all fire from below off but that of mortars (1.1.1).
            yield from (unit for unit in able if _lobs(context, state, unit, hex))
    yield from _vehicles(context, state, hex, seat, via, on_road=on_road)


def _vehicles(context: Context, state: State, hex: Hex, seat: str, via: int, *, on_road: bool) -> Iterator[Vehicle]:
    """The vehicles among them."""
    for vehicle in state.vehicles.values():
        there = vehicle.hex
        if vehicle.side == seat or there is None or not _vehicle_reaches(context, vehicle, hex):
            continue
        if (there != hex and is_occupied(context, state, there, vehicle.side)) or not context.sees(state, there, hex):
            continue
        if is_exposed_to(context, state, there, hex, via, on_road=on_road):
            yield vehicle


def _reaches(context: Context, state: State, unit: Unit, hex: Hex) -> bool:
    """Whether a unit or one of its weapons could fire that far, not halved and with at least one FP (3.6)."""
    assert unit.hex is not None  # noqa: S101 - it is on the map
    card = context.card(unit)
    if card.is_mmc and card.fp and distance(unit.hex, hex) <= card.range:
        return True
    return any(_weapon_reaches(context, state, unit, weapon, hex) for weapon in weapons_of(context, state, unit.id))


def _lobs(context: Context, state: State, unit: Unit, hex: Hex) -> bool:
    """Whether a mortar of the unit could fire that far (1.1.1, 3.6)."""
    return any(
        _is_mortar(context.weapon_card(weapon)) and _weapon_reaches(context, state, unit, weapon, hex)
        for weapon in weapons_of(context, state, unit.id)
    )


def _weapon_reaches(context: Context, state: State, unit: Unit, weapon: Weapon, hex: Hex) -> bool:
    if weapon.state is not WeaponState.WORKING or unit.hex is None:
        return False
    kind, is_mmc = context.weapon_card(weapon), context.card(unit).is_mmc
    range_hexes = distance(unit.hex, hex)
    if kind.gun is not None:
        return _gun_reaches(context, state, unit, weapon, hex)
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
            return not (context.ground.place(unit.hex).building or is_captured(context, state, weapon))
        case _:
            # Shaped charges are fired at Infantry in buildings only (4.4), a DC is placed (4.3).
            return False


def _is_mortar(card: WeaponCard) -> bool:
    return card.kind is WeaponKind.MTR or (card.gun is not None and card.gun.type is GunType.MORTAR)


@rule("3.6")
def _gun_reaches(context: Context, state: State, unit: Unit, weapon: Weapon, hex: Hex) -> bool:
    """Whether a Gun could hit as it points, under 17 hexes and without a positive DRM: its own crew mans it (3.6)."""
    gun = context.weapon_card(weapon).gun
    assert gun is not None  # noqa: S101 - it is a Gun
    assert unit.hex is not None  # noqa: S101 - it is on the map
    conditions = context.scenario.conditions
    reach, main = distance(unit.hex, hex), gun.main.at(conditions.year, conditions.month)
    if not main.min_range <= reach <= min(main.max_range or GUN_REACH, GUN_REACH):
        return False
    if context.card(unit).kind is not UnitKind.CREW or is_captured(context, state, weapon) or weapon.hidden:
        return False
    if gun.type is GunType.MORTAR and context.ground.place(unit.hex).building:
        return False
    return in_covered_arc(unit.hex, weapon.facing, hex)


@rule("3.6", "7.8", "7.10")
def _vehicle_reaches(context: Context, vehicle: Vehicle, hex: Hex) -> bool:
    """Whether some weapon of a vehicle could fire as it points, not halved and without a positive DRM (3.6).

    Its MA by the To Hit process has none while the crew is CE alone; a crew that was stunned always has one.
    """
    if not vehicle.is_active or vehicle.motion or vehicle.stun is Stun.PLUS_ONE or vehicle.hex is None:
        return False
    card, reach = context.vehicle_card(vehicle), distance(vehicle.hex, hex)
    stance = Stance(vehicle.vca, vehicle.tca)
    for gun in VehicleGun:
        if not vehicle.works(gun) or refuse_crew_place(context, vehicle, gun) is not None:
            continue
        if not bears(vehicle, stance, arc_of(card, gun), hex, None):
            continue
        if printed_fp(context, vehicle, gun) and reach <= normal_range(context, card, gun):
            return True
        main = gun is VehicleGun.MAIN and not card.main.is_mg
        if main and vehicle.exposed and reach <= GUN_REACH:
            return True
    return False


def _leaders_with(context: Context, state: State, unit: Unit) -> int:
    return sum(
        other.good_order and not other.pinned and context.card(other).is_leader
        for other in friends_at(context, state, unit.hex, unit.side)
    )


@rule("3.6")
def interdict(context: Context, play: Play, unit_id: UnitId, by: tuple[Unit | Vehicle, ...], escort: UnitId) -> bool:
    """The NMC of an interdicted unit, and whether it may rout on; a leader with it dies if it fails (3.6)."""
    unit = play.state.units[unit_id]
    assert unit.hex is not None  # noqa: S101 - a routing unit is on the map
    play.emit(ev.Interdicted(unit_id, tuple(UnitId(one.id) for one in by), unit.hex))
    _lose_acquisition(context, play, by)
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


@rule("6.10")
def _lose_acquisition(context: Context, play: Play, by: tuple[Unit | Vehicle, ...]) -> None:
    """Who uses interdiction loses what his Gun or MA has acquired: the first, if there is none without (6.10)."""
    held: list[list[str]] = [[one.id] if one.acquisition else [] for one in by if isinstance(one, Vehicle)]
    for one in by:
        if isinstance(one, Unit):
            guns = [gun for gun in weapons_of(context, play.state, one.id) if context.weapon_card(gun).gun is not None]
            held.append([gun.id for gun in guns if gun.acquisition])
    if held and all(held):
        lose_acquisition(context, play, held[0][0])
