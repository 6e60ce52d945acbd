"""8.2, 8.4.1, 8.4.2 A shot measured on the table: whether it can be fired, and all that the tables ask of it."""

from __future__ import annotations

from typing import NamedTuple

from sandtable.core.content.rule import rule
from sandtable.core.errors import Refusal
from sandtable.geo.plane.points import Point, range_inches
from sandtable.systems.panzer.cards import Mount
from sandtable.systems.panzer.facts import ShotFacts
from sandtable.systems.panzer.mini.cards import MiniAmmo, MiniCard, MiniWeapon, Traverse
from sandtable.systems.panzer.mini.combat.hit_angles import angles_struck
from sandtable.systems.panzer.mini.combat.hits import Plate
from sandtable.systems.panzer.mini.combat.hull_down import is_falling, is_hull_down
from sandtable.systems.panzer.mini.context import Context
from sandtable.systems.panzer.mini.fields_of_fire import bears_on, fields_holding, reaches
from sandtable.systems.panzer.mini.sight.smoke import smoke_on
from sandtable.systems.panzer.mini.state import FieldOfFire, State, Unit
from sandtable.systems.panzer.unit import Command

__all__ = ["Aim", "Swing", "has_overwatch_shot", "plates_of", "refuse_shot", "shot_of", "swing_of"]

BOOK = ("panzer-mini",)
_ROUND = tuple(FieldOfFire)
"""Clockwise."""
_SIDES = {FieldOfFire.FRONT: "front", FieldOfFire.RIGHT: "side", FieldOfFire.REAR: "rear", FieldOfFire.LEFT: "side"}
_ALL_SIDES = ("front", "side", "rear")
_NONE = "none"


class Aim(NamedTuple):
    """A weapon that is fired: by whom, with which ammo, and whether in overwatch."""

    firer: Unit
    weapon: int = 0
    ammo: int = 0
    overwatch: bool = False


class Swing(NamedTuple):
    """How overwatch brings a weapon to bear."""

    row: str
    """Of the AP Hit Modifiers."""
    turret: FieldOfFire
    """Where the turret points after the shot."""


def _place(unit: Unit) -> Point:
    assert unit.at is not None  # noqa: S101 - units on the table alone fire and are fired on
    return unit.at


def _weapon(context: Context, aim: Aim) -> tuple[MiniCard, MiniWeapon, MiniAmmo]:
    card = context.card_of(aim.firer)
    weapon = card.weapons[aim.weapon]
    return card, weapon, weapon.ammo[aim.ammo]


# --- fields of fire -----------------------------------------------------------------------------------


def _mount(card: MiniCard, weapon: MiniWeapon, unit: Unit) -> str:
    """The row of the table of overwatch modifiers; a damaged vehicle's turret is Slow (8.4.7.4)."""
    if weapon.mount is not Mount.ALL:
        return "front" if weapon.mount is Mount.FRONT else "rear"
    if card.traverse is Traverse.ALL_ROUND:
        return "all_round"
    return "slow" if unit.damaged else card.traverse.value.lower()


@rule(
    *("8.4.2.9", "8.4.2.9.1", "8.4.2.10", "8.4.2.10.1", "8.4.2.10.2", "8.4.2.10.3", "8.4.2.10.4", "8.4.2.10.5"),
    *("8.4.2.10.6", "8.4.2.10.7", "8.4.2.11", "8.4.2.11.1", "8.4.2.11.2", "8.4.2.11.3", "8.4.2.11.4", "8.4.2.11.5"),
    *("8.4.2.11.6", "8.4.2.11.7", "8.2.1.2"),
    editions=BOOK,
)
def swing_of(context: Context, aim: Aim, place: Point) -> Swing | None:
    """How a weapon fires in overwatch at a place, None where it may not (8.4.2.9-8.4.2.11)

    On the line between two fields either one applies, so the better. A turret then points to the target's field.
    """
    card, weapon, _ = _weapon(context, aim)
    unit, table, modifiers = aim.firer, context.tables["overwatch"], context.tables["ap_hit_modifiers"]
    turns = weapon.mount is Mount.ALL and card.has_turret
    heading = unit.turret_heading if turns else unit.heading
    mount = _mount(card, weapon, unit)
    found: list[tuple[int, Swing]] = []
    for field in fields_holding(_place(unit), heading, place):
        row = str(table.lookup(mount, _SIDES[field]))
        if row != _NONE:
            turret = _ROUND[(_ROUND.index(unit.turret) + _ROUND.index(field)) % 4] if turns else unit.turret
            found.append((modifiers.number(row, "value"), Swing(row, turret)))
    return max(found, key=lambda one: one[0])[1] if found else None


def has_overwatch_shot(context: Context, firer: Unit, target: Unit) -> bool:
    """Whether some weapon can be fired in overwatch at a unit, spotted or not."""
    if firer.at is None or target.at is None:
        return False
    distance, card = range_inches(firer.at, target.at), context.card_of(firer)
    for number, weapon in enumerate(card.weapons):
        if reaches(weapon, distance):
            mount = _mount(card, weapon, firer)
            # Most turn to all sides, and nobody asks where the target is.
            if all(context.tables["overwatch"].lookup(mount, side) != _NONE for side in _ALL_SIDES):
                return True
            if swing_of(context, Aim(firer, number, overwatch=True), target.at) is not None:
                return True
    return False


def _forbidding(context: Context, aim: Aim, place: Point) -> str:
    """The rule by which a weapon may not fire at a place in overwatch."""
    card, weapon, _ = _weapon(context, aim)
    turns = weapon.mount is Mount.ALL and card.has_turret
    heading = aim.firer.turret_heading if turns else aim.firer.heading
    field = fields_holding(_place(aim.firer), heading, place)[0]
    return str(context.tables["overwatch"].lookup(_mount(card, weapon, aim.firer), f"{_SIDES[field]}_rule"))


# --- the shot -----------------------------------------------------------------------------------------


@rule("4.5.2", "8.2", "8.4.1", "8.4.1.1", editions=BOOK)
def refuse_shot(context: Context, aim: Aim, target: Unit) -> Refusal | None:
    """Why a weapon cannot be fired at a unit, spotted or not: ammo, range, field-of-fire (4.5.2, 8.2, 8.4.1.1)"""
    card, weapon, ammo = _weapon(context, aim)
    a, b = _place(aim.firer), _place(target)
    distance = range_inches(a, b)
    if not ammo.basic:
        return Refusal("8.4.1.1", f"{ammo.type.value} is ammo of the Advanced Game", "AP")
    if ammo.range_factor(distance) is None:
        reason = f"{target.id} is {distance} in off, and {weapon.name} reaches {ammo.R.E} in"
        return Refusal("4.5.2", reason, "choose a nearer target, or a weapon that reaches")
    if distance < weapon.minimum:
        reason = f"{target.id} is {distance} in off, under the minimum range of {weapon.minimum} in"
        return Refusal("4.5.2", reason, "choose a target farther off")
    if aim.overwatch:
        if swing_of(context, aim, b) is None:
            reason = f"{target.id} lies where {weapon.name} of {aim.firer.id} does not turn in overwatch"
            return Refusal(_forbidding(context, aim, b), reason, "a target in another field-of-fire")
    elif not bears_on(aim.firer, card, weapon, b):
        reason = f"{target.id} is outside of the field-of-fire of {weapon.name}"
        return Refusal("8.2", reason, "a target in the field-of-fire, or a turret turned there before")
    return None


@rule("8.4.1.2", "8.4.2", "4.5.1", editions=BOOK)
def shot_of(context: Context, state: State, aim: Aim, target: Unit, *, moving: bool) -> ShotFacts:
    """All that the AP Hit Table asks of a shot that may be fired (8.4.1.2, 8.4.2)

    ``moving``: the target has a MOVE or SHORT HALT, and its owner shows it (8.4.2.2).
    """
    _, _, ammo = _weapon(context, aim)
    a, b = _place(aim.firer), _place(target)
    factor = ammo.range_factor(range_inches(a, b))
    assert factor is not None  # noqa: S101 - asked by refuse_shot
    swing = swing_of(context, aim, b) if aim.overwatch else None
    ground = context.ground(state)
    return ShotFacts(
        range_factor=factor,
        target_size=context.card_of(target).size,
        target_moving=moving,
        cover=ground.at(b).cover_fire,
        short_halt=aim.firer.command is Command.SHORT_HALT,
        stabilisation=0,
        shooter_damaged=aim.firer.damaged,
        smoke=len(smoke_on(ground, context.tables["line_of_sight"], a, b)),
        overwatch=aim.overwatch,
        in_field=True,
        commander_sight=False,
        overwatch_row="" if swing is None else swing.row,
    )


@rule("8.1.1.2", editions=BOOK)
def plates_of(context: Context, state: State, firer: Unit, target: Unit) -> tuple[Plate, ...]:
    """How a shot meets a vehicle where both stand now: one plate, or those that its owner may pick from (8.4.5.1.1)"""
    a, b = _place(firer), _place(target)
    ground = context.ground(state)
    angles = angles_struck(target, a)
    hidden = is_hull_down(ground, context.tables["measures"], a, b)
    falls = is_falling(ground, a, b)
    # A turret that points ahead is read with its hull, another by itself.
    pairs = (
        [(hull, hull) for hull in angles.hull]
        if angles.turret is angles.hull
        else [(hull, turret) for hull in angles.hull for turret in angles.turret]
    )
    return tuple(Plate(hull, turret, falls, hidden) for hull, turret in pairs)
