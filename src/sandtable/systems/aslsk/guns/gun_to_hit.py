"""3.2.4 To Hit Process of Guns and Main Armament: the number of the chart and every DRM, target by target.

A breakdown gives the highest original DR that hits: the To Hit number less every DRM (cases 1 to 25).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.content.table import Table
from sandtable.core.modifier import Breakdown, Modifier
from sandtable.geo.hex import Hex, distance
from sandtable.systems.aslsk.armour.crew import crew_cover
from sandtable.systems.aslsk.common.arc_change import arc_change_terms
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.common.experience import leadership
from sandtable.systems.aslsk.common.numbers import numbers_of
from sandtable.systems.aslsk.common.possession import is_captured
from sandtable.systems.aslsk.common.vehicles_here import halves_in_sight
from sandtable.systems.aslsk.fire.acquisition import acquired_drm, acquired_term
from sandtable.systems.aslsk.fire.drm import (
    approach_of,
    cover_terms,
    glare_terms,
    hindrance_terms,
    mover_terms,
    tem_terms,
)
from sandtable.systems.aslsk.fire.firers import FireMode
from sandtable.systems.aslsk.fire.gun_cover import Shield, gun_cover_terms, manned_gun
from sandtable.systems.aslsk.fire.to_hit_chart import range_band
from sandtable.systems.aslsk.fire.vehicle_guns import arc_terms, stance_of
from sandtable.systems.aslsk.fire.vehicle_target import size_terms, vehicle_terms
from sandtable.systems.aslsk.guns.barrel import Barrel, is_non_qualified, uses_red_numbers
from sandtable.systems.aslsk.pieces.armament import SMOKE_SHELLS, Ammo, TargetType
from sandtable.systems.aslsk.pieces.spines import spines_apart
from sandtable.systems.aslsk.pieces.state import (
    Phase,
    State,
    Stun,
    UnderWay,
    Unit,
    UnitId,
    Vehicle,
    VehicleGun,
    VehicleId,
)

__all__ = [
    "Shot",
    "Targets",
    "ToHit",
    "firer_terms",
    "has_number",
    "is_bounding",
    "shot_acquired_drm",
    "to_hit",
    "turn_terms",
    "turns",
]

_ITT, _ATT, _VTT = TargetType.INFANTRY, TargetType.AREA, TargetType.VEHICLE
FAR = 13
"""Hexes from which on Smoke has no advantage and APCR and APDS are less accurate (cases 7, 11)."""
TWO_MP, THREE_MP = 4, 6
"""In halves of MP (case 14)."""
_SABOTS = frozenset((Ammo.APCR, Ammo.APDS))


class Targets(NamedTuple):
    """Whom a shot can hit."""

    units: tuple[UnitId, ...] = ()
    vehicles: tuple[VehicleId, ...] = ()
    hidden: frozenset[UnitId] = frozenset()
    """Those of the units whom the firer does not see (6.4)."""


class Shot(NamedTuple):
    """What fires at what, and how."""

    barrel: Barrel
    target: Hex
    mode: FireMode
    target_type: TargetType = _ITT
    ammo: Ammo = Ammo.HE
    facing: int = -1
    """The hexspine at which it points from now on; -1 if it stays."""
    turn_hull: bool = False
    intensive: bool = False
    at: VehicleId = VehicleId("")
    leader: UnitId = UnitId("")
    """Who directs a Gun by a special rule (1.3)."""

    @property
    def reach(self) -> int:
        """Range in hexes."""
        return distance(self.barrel.hex, self.target)


class ToHit(NamedTuple):
    """The numbers of a shot."""

    number: Breakdown
    """Highest original DR that hits a target with no DRM of its own."""
    drm: tuple[Modifier, ...]
    """The DRM that all targets share."""
    own: dict[str, tuple[Modifier, ...]]
    """DRM of single targets."""
    critical: int = 0
    """On the ITT: the highest original DR that is a Critical Hit, before DRM of single targets (6.1)."""
    doubled: bool = False
    """Whether the lower die is doubled (case 16)."""

    def counted(self, faces: Sequence[int]) -> int:
        """The DR as it is compared."""
        return sum(faces) + (min(faces) if self.doubled else 0)

    def hits(self, target: str, faces: Sequence[int]) -> bool:
        """Whether a DR hits a target."""
        return self.counted(faces) + self._own(target) <= self.number.total

    def is_critical(self, target: str, faces: Sequence[int]) -> bool:
        """Whether a DR is a Critical Hit by its Final DR (6.1)."""
        return self.counted(faces) + self._own(target) <= self.critical

    def _own(self, target: str) -> int:
        return sum(term.value for term in self.own.get(target, ()))


# --- the chart --------------------------------------------------------------------------------------------------


def _charts(context: Context, kind: TargetType) -> tuple[Table, Table]:
    """The chart of a target type, and the rows that it lacks."""
    tables = context.tables
    match kind:
        case TargetType.INFANTRY:
            return tables["to_hit_infantry"], tables["to_hit_infantry_lost"]
        case TargetType.AREA:
            return tables["to_hit_area"], tables["to_hit_area_lost"]
        case TargetType.VEHICLE:
            return tables["to_hit_vehicle"], tables["to_hit_vehicle_lost"]


def _chart(context: Context, kind: TargetType, row: str) -> Table | None:
    """The chart in which a barrel has a row."""
    for table in _charts(context, kind):
        if row in table.axes[0].values:
            return table
    return None


def chart_row(context: Context, barrel: Barrel, kind: TargetType) -> tuple[Table, str] | None:
    """The row of a barrel on the chart of a target type; None if it has no numbers there."""
    row = "all/MG" if barrel.main.is_mg else f"{barrel.nationality.value}/{barrel.main.barrel}"
    table = _chart(context, kind, row)
    return (table, row) if table is not None else None


@rule("3.2.4")
def has_number(context: Context, barrel: Barrel, kind: TargetType, reach: int) -> bool:
    """Whether the chart of a target type has a number for a barrel at a range: machine guns end at 18 (3.2.4)."""
    found = chart_row(context, barrel, kind)
    if found is None:
        return False
    table, row = found
    keys = (row, range_band(table, reach)) if kind is _ATT else (row, range_band(table, reach), "black")
    return table.lookup(*keys) is not None


@rule("3.2.4")
def _chart_number(context: Context, state: State, shot: Shot) -> tuple[int, int, str]:
    """To Hit number, Critical Hit number of the ITT, and what they are called; black or red (3.2.4)."""
    found = chart_row(context, shot.barrel, shot.target_type)
    assert found is not None  # noqa: S101 - the target type was checked
    table, row = found
    name = f"{row.partition('/')[2]} at {shot.reach} hexes, {shot.target_type.value}"
    band = range_band(table, shot.reach)
    if shot.target_type is _ATT:
        return table.number(row, band), 0, name
    red = uses_red_numbers(context, state, shot.barrel)
    colour = "red" if red else "black"
    label = f"{name}, {colour}" if table.lookup(row, band, "red") != table.lookup(row, band, "black") else name
    if shot.target_type is _VTT:
        return table.number(row, band, colour), 0, label
    return table.number(row, band, colour), table.number(row, band, "critical_red" if red else "critical"), label


# --- firer based ------------------------------------------------------------------------------------------------


def turns(shot: Shot) -> int:
    """By how many hexspines it turns to fire."""
    if shot.facing < 0:
        return 0
    vehicle = shot.barrel.vehicle
    now = vehicle.vca if vehicle is not None and shot.turn_hull else shot.barrel.facing
    return spines_apart(now, shot.facing)


@rule("3.2.4", "7.8")
def turn_terms(context: Context, shot: Shot) -> tuple[Modifier, ...]:
    """Case 8: a turn to fire; a MA suffers the turn of a turret weapon that fired before it too (3.2.4, 7.8)."""
    barrel = shot.barrel
    if barrel.vehicle is not None:
        card = context.vehicle_card(barrel.vehicle)
        stance = stance_of(card, barrel.vehicle, shot.facing, turn_hull=shot.turn_hull)
        return arc_terms(context, barrel.vehicle, VehicleGun.MAIN, stance)
    return arc_change_terms(context, barrel.mount, turns(shot), barrel.hex)


@rule("3.3.2.2", "3.5")
def is_bounding(state: State, shot: Shot) -> bool:
    """Fire of a vehicle in its own MPh, or in the AFPh once it has entered a hex or while it has not stopped (3.5)."""
    vehicle = shot.barrel.vehicle
    if vehicle is None or vehicle.side != state.attacker:
        return False
    if state.phase is Phase.MOVEMENT:
        return True
    return shot.mode is FireMode.ADVANCING and (vehicle.moving_target or not vehicle.is_stopped)


@rule("3.2.4", "3.5", "5.5", "6.2")
def firer_terms(context: Context, state: State, shot: Shot) -> tuple[Modifier, ...]:
    """Firer based DRM, cases 1 to 16 (3.2.4)."""
    numbers = numbers_of(context).to_hit_drm
    barrel = shot.barrel
    in_cover = context.ground.place(barrel.hex).shelter
    terms: list[Modifier] = []
    if shot.mode is FireMode.ADVANCING and not is_bounding(state, shot):
        terms.append(numbers["afph_in_cover" if in_cover else "afph"])
    terms += _crew_terms(context, state, barrel, state.units.get(shot.leader))
    if shot.ammo in SMOKE_SHELLS and shot.reach < FAR:
        terms.append(numbers["smoke_under_13"])
    terms += turn_terms(context, shot)
    if shot.intensive:
        terms.append(numbers["intensive_fire"])
    if shot.target == barrel.hex:
        terms.append(numbers["own_hex_cover" if in_cover else "own_hex"])
    if shot.ammo in _SABOTS and shot.reach >= FAR:
        terms.append(numbers["far_sabot"])
    if barrel.vehicle is not None:
        terms += _vehicle_firer_terms(context, state, shot, barrel.vehicle)
    return tuple(terms)


def _crew_terms(context: Context, state: State, barrel: Barrel, leader: Unit | None) -> list[Modifier]:
    """Cases 2 to 6, of those who man a Gun, and of a leader who directs it by a special rule (1.3)."""
    numbers = numbers_of(context).to_hit_drm
    terms: list[Modifier] = []
    if barrel.crew is None or barrel.weapon is None:
        return terms
    if barrel.crew.pinned:
        terms.append(numbers["pinned"])
    if is_non_qualified(context, barrel):
        terms.append(numbers["non_qualified"])
    if is_captured(context, state, barrel.weapon):
        terms.append(numbers["captured"])
    if barrel.crew.cx or (leader is not None and leader.cx):
        terms.append(numbers["cx"])
    if leader is not None and leadership(context, leader):
        terms.append(Modifier(leadership(context, leader), f"directed by {leader.id}, by special rule", "1.3"))
    return terms


@rule("3.3.2.2", "7.7", "7.10")
def _vehicle_firer_terms(context: Context, state: State, shot: Shot, vehicle: Vehicle) -> list[Modifier]:
    """Cases 13 to 16: Buttoned Up, Bounding Fire, Stun, Motion (3.2.4)."""
    numbers = numbers_of(context).to_hit_drm
    terms = [] if vehicle.exposed else [numbers["buttoned_up"]]
    if is_bounding(state, shot) or not vehicle.is_stopped:
        terms.append(numbers[_bounding_line(context, state, shot, vehicle)])
    if vehicle.stun is Stun.PLUS_ONE:
        terms.append(numbers["stun"])
    if not vehicle.is_stopped and shot.target_type is _ITT:
        name = {1: "motion_itt_1", 2: "motion_itt_2"}.get(shot.reach)
        if name:
            terms.append(numbers[name])
    return terms


def _bounding_line(context: Context, state: State, shot: Shot, vehicle: Vehicle) -> str:
    """The line of case 14, by the MP that it has spent in LOS of the target in its own MPh."""
    line = "bounding" if shot.barrel.mount.is_turret else "bounding_nt"
    if state.phase is not Phase.MOVEMENT or vehicle.side != state.attacker:
        return line
    seen = halves_in_sight(context, state, vehicle.trail, shot.target)
    if seen > THREE_MP:
        return line
    return f"{line}_3" if seen > TWO_MP else f"{line}_2"


# --- target based -----------------------------------------------------------------------------------------------


def shot_acquired_drm(shot: Shot, targets: Targets) -> int:
    """The DRM of the Acquired Target counter, if it is on what is fired at (6.10, 6.11)."""
    return acquired_drm(shot.barrel.piece, shot.target, (*targets.units, *targets.vehicles))


def _shared_terms(
    context: Context, state: State, shot: Shot, targets: Targets, moving: UnderWay | None
) -> tuple[Modifier, ...]:
    """Cases 17, 18, 20 and 23: what all in the hex share."""
    terms: list[Modifier] = []
    if shot.target_type is not _ATT:
        terms += tem_terms(context, (shot.barrel.hex,), shot.target, approach_of(moving))
    terms += hindrance_terms(context, state, (shot.barrel.hex,), shot.target)
    drm = shot_acquired_drm(shot, targets)
    if drm:
        terms.append(acquired_term(shot.barrel.piece, drm))
    seen = [unit_id for unit_id in targets.units if unit_id not in targets.hidden]
    if not seen and not targets.vehicles and shot.ammo not in SMOKE_SHELLS:
        terms.append(numbers_of(context).to_hit_drm["empty_hex"])
    return tuple(terms)


@rule("3.2.4", "6.4", "6.7", "7.4")
def _unit_terms(
    context: Context, state: State, shot: Shot, targets: Targets, unit_id: UnitId, *, moving: UnderWay | None, tem: int
) -> tuple[Modifier, ...]:
    """Cases 17, 19, 21 and 22 of one unit: its own cover, movement, the size of its Gun, and that it is hidden."""
    numbers, unit = numbers_of(context).to_hit_drm, state.units[unit_id]
    here = (shot.barrel.hex,)
    terms: list[Modifier] = []
    if unit.hazardous and not unit.pinned:
        terms.append(numbers["hazardous"])
    else:
        terms += mover_terms(context, state, here, unit, approach_of(moving), lobbed=shot.barrel.is_mortar)
    terms += glare_terms(context, state, unit)
    weapon = manned_gun(context, state, unit_id)
    if weapon is not None:
        gun = context.weapon_card(weapon).gun
        assert gun is not None  # noqa: S101 - it is a Gun
        terms += size_terms(context, gun.size)
    if shot.target_type is not _ATT:
        dug_in = gun_cover_terms(context, state, unit, here, tem=tem, shield=Shield.NONE)
        terms += dug_in or (() if tem else cover_terms(context, state, unit, ()))
    seen = [one for one in targets.units if one not in targets.hidden] or targets.vehicles
    if unit_id in targets.hidden and seen:
        # In a hex that seems empty case 23 is what stands for it.
        terms.append(numbers["hidden_gun"])
    return tuple(terms)


@rule("7.7")
def _crew_cover(context: Context, shot: Shot, tem: int) -> tuple[Modifier, ...]:
    """What being inside adds for a CE crew to the TEM of its hex (7.7)."""
    cover = crew_cover(context, shot.target)
    return (replace(cover, value=cover.value - tem),) if cover.value > tem else ()


@rule("3.2.4")
def to_hit(context: Context, state: State, shot: Shot, targets: Targets, moving: UnderWay | None) -> ToHit:
    """The numbers of a shot, with the DRM of all and of single targets (3.2.4)."""
    base, critical, label = _chart_number(context, state, shot)
    shared = _shared_terms(context, state, shot, targets, moving)
    drm = (*firer_terms(context, state, shot), *shared)
    total = sum(term.value for term in drm)
    own: dict[str, tuple[Modifier, ...]] = {}
    tem = sum(term.value for term in shared if term.rule == "1.1.1")
    for unit_id in targets.units:
        own[unit_id] = _unit_terms(context, state, shot, targets, unit_id, moving=moving, tem=tem)
    firer = shot.barrel.vehicle
    near = shot.target_type is not _ATT and (firer is None or firer.is_stopped)
    for vehicle_id in targets.vehicles:
        vehicle = state.vehicles[vehicle_id]
        found = vehicle_terms(context, state, shot.barrel.hex, vehicle, near=near)
        own[vehicle_id] = (*found, *_crew_cover(context, shot, tem)) if shot.target_type is _ITT else found
    terms = tuple([Modifier(-term.value, term.label, term.rule) for term in drm])
    doubled = firer is not None and not firer.is_stopped
    return ToHit(Breakdown("To Hit", "3.2.4", terms, base, label), drm, own, critical - total, doubled)
