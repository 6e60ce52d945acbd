"""6.5.2, 6.5.4 Who may fire which of his weapons on whom in the Advanced Game, spotting apart."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, product

from sandtable.core.content.rule import rule
from sandtable.core.errors import Refusal
from sandtable.geo.hex import Hex, distance, in_arc, opposite
from sandtable.systems.panzer.advanced_card import GpKind
from sandtable.systems.panzer.cards import ALL_ROUND, Mount
from sandtable.systems.panzer.combat.arms import Arm, Gunner, refuse_volley
from sandtable.systems.panzer.combat.bail_out import refuse_crewless
from sandtable.systems.panzer.combat.barrels import LIMITED, field_of_fire, refuse_bearing, refuse_range, refuse_row
from sandtable.systems.panzer.edition import Module
from sandtable.systems.panzer.hex.combat.gp_results import is_vehicle
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.spotting.hull_down import position_of
from sandtable.systems.panzer.hex.spotting.standing import is_upstairs
from sandtable.systems.panzer.hex.state import State, Unit
from sandtable.systems.panzer.markers import HullDown
from sandtable.systems.panzer.movement.move_facts import class_now
from sandtable.systems.panzer.support_cards import AttachmentKind
from sandtable.systems.panzer.unit import Command, FireKind, UnitId, WeaponShot

__all__ = [
    "Volley",
    "bears",
    "can_engage",
    "command_over",
    "grouped",
    "gunner_of",
    "has_more",
    "in_front",
    "leg_bears",
    "refuse_arm",
    "refuse_weapon",
    "shooter_of",
    "shots_of",
    "volleys_at",
]

_BOOK = ("panzer-na",)
Volley = tuple[WeaponShot, ...]


@rule("6.6.7.2", editions=_BOOK)
def shooter_of(state: State, unit: Unit) -> Unit:
    """The unit under whose command one fires and whose SPOT counter shows it: its vehicle, if mounted (6.6.7.2)."""
    return state.units[unit.markers.carrier] if unit.markers.carrier else unit


def command_over(state: State, unit: Unit) -> Command:
    """The command under which a unit fires (6.6.7.2)."""
    return shooter_of(state, unit).command


def gunner_of(context: Context, unit: Unit) -> Gunner:
    """What decides how many weapons a unit fires (5.14)."""
    kind = class_now(context.cards[unit.card].unit_class, unit.markers)
    return Gunner(kind, unit.markers.is_suppressed, unit.markers.arms, context.plays(Module.DUAL_FIRE))


@rule("5.1", "5.2", editions=_BOOK)
def bears(context: Context, state: State, unit: Unit, arm: Arm, hex: Hex) -> bool:
    """Whether a hex is in the field-of-fire of a weapon (5.1, 5.2)."""
    card = context.cards[unit.card]
    mount = arm.weapon.mount
    if card.unit_class.is_leg:
        return leg_bears(state, unit, hex, mount)
    degrees = field_of_fire(card, mount, context.tables["fields_of_fire"])
    return degrees == ALL_ROUND or _in_arc(state, unit, mount, degrees, hex)


@rule("5.1", editions=_BOOK)
def leg_bears(state: State, unit: Unit, hex: Hex, mount: Mount = Mount.FRONT) -> bool:
    """Leg units fire all round unless they are suppressed (5.1)."""
    return not unit.markers.is_suppressed or _in_arc(state, unit, mount, LIMITED, hex)


def _in_arc(state: State, unit: Unit, mount: Mount, degrees: int, hex: Hex) -> bool:
    assert unit.hex is not None  # noqa: S101 - the caller knows
    facing = shooter_of(state, unit).facing
    return in_arc(unit.hex, opposite(facing) if mount is Mount.REAR else facing, hex, degrees // 2)


@rule("6.5.4.3", editions=_BOOK)
def in_front(context: Context, state: State, unit: Unit, arm: Arm, hex: Hex) -> bool:
    """Whether Overwatch fire of a vehicle or gun needs no adjusting; leg units fire all round (6.5.4.3)."""
    card = context.cards[unit.card]
    if card.unit_class.is_leg:
        return True
    return _in_arc(
        state, unit, arm.weapon.mount, field_of_fire(card, Mount.FRONT, context.tables["fields_of_fire"]), hex
    )


@rule("5.1.3.1", "5.1.3.2", "5.1.3.3", "5.1.3.4", "6.6.7.2", "6.1.4.1.2", "5.15", editions=_BOOK)
def refuse_arm(context: Context, state: State, unit: Unit, arm: Arm) -> Refusal | None:
    """Why a unit may not fire a weapon at all where it is now (5.1.3, 6.6.7.2)."""
    markers, name = unit.markers, arm.weapon.name
    if markers.bailed:
        return refuse_crewless(unit.id)
    if markers.carrier:
        if not context.cards[unit.card].unit_class.is_leg:
            return Refusal("6.6.7.2", f"{unit.id} is towed", "a leg unit")
        if arm.kind is not None and not arm.kind.fires_transported:
            return Refusal("6.6.7.2", f"the {name} may not fire while it is transported", "small arms or an ATR")
    if arm.kind is not None and not arm.kind.fires_upstairs and is_upstairs(context, unit):
        return Refusal("5.1.3.1", f"the {name} may not fire from upper floors", "go down first")
    if arm.weapon.hull_limited and position_of(context, state, unit) is HullDown.FULL:
        reason = f"the {name} may not fire from a Hull Down position"
        return Refusal("6.1.4.1.2", reason, "fire another weapon, or leave the position")
    return None


@rule("5.6", "5.1.3.4", "6.5.2", "6.5.4", "6.5.4.1", editions=_BOOK)
def refuse_weapon(context: Context, state: State, shot: WeaponShot, target: Unit) -> Refusal | None:
    """Why this row of a weapon cannot be fired at the target, spotting apart (6.5.2, 6.5.4)."""
    firer = state.units[shot.firer]
    arms = context.guns(firer)
    if not 0 <= shot.weapon < len(arms):
        return Refusal("6.5.2", f"{firer.id} has no weapon {shot.weapon}", f"0 to {len(arms) - 1}")
    if firer.hex is None or target.hex is None:
        return Refusal("6.5.2", "both units must be on the mapboard", "bring both on to the mapboard first")
    arm = arms[shot.weapon]
    refusal = refuse_arm(context, state, firer, arm) or _refuse_row(
        context, shot, arm, target, distance(firer.hex, target.hex)
    )
    if refusal is None and not bears(context, state, firer, arm, target.hex):
        return refuse_bearing("4.4.3.1", arm.weapon)
    return refusal


def _refuse_row(context: Context, shot: WeaponShot, arm: Arm, target: Unit, far: int) -> Refusal | None:
    """Why the row cannot be fired over the range."""
    weapon = arm.weapon
    if shot.fire is FireKind.AP:
        if not is_vehicle(context, target):
            return Refusal("6.5.2", "AP fire is directed only at vehicles", "GP fire")
        if not 0 <= shot.row < len(weapon.ammo):
            return refuse_row("6.5.2", weapon, f"AP ammunition {shot.row}")
        ammo = weapon.ammo[shot.row]
        if far < 1:
            return Refusal("5.6", "the target is in the same hex", "at least 1 hex")
        if ammo.range_factor(far) is None:
            return refuse_range("3.5.2", weapon.name, far, ammo.R.E)
        return None
    if not 0 <= shot.row < len(weapon.gp) or weapon.gp[shot.row].kind is not GpKind.DIRECT:
        return refuse_row("6.5.4", weapon, f"GP-DF row {shot.row}")
    if arm.kind is AttachmentKind.HAND_HELD and is_vehicle(context, target):
        return Refusal("5.1.3.4", f"the {weapon.name} fires GP at leg and towed units only", "AP fire")
    row = weapon.gp[shot.row]
    if far < row.minimum:
        return Refusal("5.6", f"the target is {far} hexes away", f"at least {row.minimum}, the minimum range")
    if row.factor(far) is None:
        return refuse_range("6.5.4.1", weapon.name, far, row.R.E)
    return None


def has_more(context: Context, unit: Unit) -> bool:
    """Whether a unit that has fired may fire another of its weapons at a second target (5.14)."""
    arms, gunner = context.guns(unit), gunner_of(context, unit)
    return any(refuse_volley(gunner, arms, [index]) is None for index in range(len(arms)))


def _rows(context: Context, state: State, firer: Unit, target: Unit) -> list[list[WeaponShot]]:
    """The shots that each weapon of a unit can fire at the target."""
    found = []
    for index, arm in enumerate(context.guns(firer)):
        shots = [WeaponShot(firer.id, index, row) for row in range(len(arm.weapon.ammo))]
        shots += [WeaponShot(firer.id, index, row, FireKind.GP) for row in range(len(arm.weapon.gp))]
        found.append([shot for shot in shots if refuse_weapon(context, state, shot, target) is None])
    return found


def shots_of(context: Context, state: State, firer: Unit, target: Unit) -> Iterator[WeaponShot]:
    """The single shots that a unit can fire at the target, spotting apart."""
    if firer.hex is not None and target.hex is not None and not target.markers.carrier:
        yield from chain.from_iterable(_rows(context, state, firer, target))


def volleys_at(context: Context, state: State, firer: Unit, target: Unit) -> Iterator[Volley]:
    """All that a unit can fire at the target at once, single weapons first (5.14)."""
    rows = _rows(context, state, firer, target)
    arms, gunner = context.guns(firer), gunner_of(context, firer)
    choices: list[list[WeaponShot | None]] = [[None, *shots] for shots in rows]
    ways = sorted((tuple(shot for shot in way if shot is not None) for way in product(*choices)), key=len)
    for way in ways:
        if way and refuse_volley(gunner, arms, [shot.weapon for shot in way]) is None:
            yield way


def can_engage(context: Context, state: State, firer: Unit, target: Unit) -> bool:
    """Whether a unit can fire anything at the target, spotting apart."""
    if firer.hex is None or target.hex is None or target.markers.carrier:
        return False
    if firer.markers.arms:
        return next(volleys_at(context, state, firer, target), None) is not None
    far, vehicle = distance(firer.hex, target.hex), is_vehicle(context, target)
    return any(
        _reaches(arm, far, vehicle=vehicle)
        and bears(context, state, firer, arm, target.hex)
        and refuse_arm(context, state, firer, arm) is None
        for arm in context.guns(firer)
    )


def _reaches(arm: Arm, far: int, *, vehicle: bool) -> bool:
    """Whether a row of the weapon can be fired so far; as :func:`_refuse_row` has it, without the reasons."""
    weapon = arm.weapon
    if vehicle and far and any(far <= ammo.R.E for ammo in weapon.ammo):
        return True
    if vehicle and arm.kind is AttachmentKind.HAND_HELD:
        return False
    return any(row.kind is GpKind.DIRECT and row.minimum <= far <= row.R.E for row in weapon.gp)


def grouped(shots: Volley) -> dict[UnitId, list[WeaponShot]]:
    """The announced shots of each unit."""
    found: dict[UnitId, list[WeaponShot]] = {}
    for shot in shots:
        found.setdefault(shot.firer, []).append(shot)
    return found
