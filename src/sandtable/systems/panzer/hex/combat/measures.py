"""6.5.2, 6.5.4 A shot of the Advanced Game measured on hexes: all that the tables need to know of it, and no more."""

from __future__ import annotations

from typing import NamedTuple

from sandtable.core.content.rule import rule
from sandtable.geo.hex import Hex, distance, sector
from sandtable.systems.panzer.advanced_card import HitAngle, Inclination
from sandtable.systems.panzer.cards import Ammo
from sandtable.systems.panzer.combat.ap_hits import StruckPlate
from sandtable.systems.panzer.combat.arms import Arm
from sandtable.systems.panzer.edition import Module
from sandtable.systems.panzer.facts import AdvancedShot, BlastFacts, DualFire, ShotFacts
from sandtable.systems.panzer.hex.combat.gp_results import is_vehicle
from sandtable.systems.panzer.hex.combat.weapons import in_front
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.spotting.hull_down import crosses_wall, hull_down_of
from sandtable.systems.panzer.hex.spotting.obscured import obscured
from sandtable.systems.panzer.hex.spotting.standing import cover_of, height_of
from sandtable.systems.panzer.hex.state import State, Unit
from sandtable.systems.panzer.markers import HullDown
from sandtable.systems.panzer.unit import MOVING_COMMANDS, Command

__all__ = ["Aim", "angles_of", "blast_of", "is_moving", "plate_of", "shot_of"]

_BOOK = ("panzer-na",)
_ANGLES = (
    HitAngle.FRONT,
    HitAngle.FRONT_SIDE,
    HitAngle.REAR_SIDE,
    HitAngle.REAR,
    HitAngle.REAR_SIDE,
    HitAngle.FRONT_SIDE,
)
"""The six Hit Angles by the sectors about a vehicle's facing, clockwise (6.5.2.2)."""


class Aim(NamedTuple):
    """A weapon that is fired: who fires it, under which circumstances."""

    firer: Unit
    arm: Arm
    overwatch: bool = False
    dual: DualFire = DualFire.NONE
    short: int = 0
    """Ammo types that are short (5.16)."""


def _place(unit: Unit) -> Hex:
    assert unit.hex is not None  # noqa: S101 - units on the map alone fire and are fired on
    return unit.hex


def is_moving(unit: Unit) -> bool:
    """Whether a unit has a moving command, which for leg and towed units is never left untold (6.5.4.2.2)."""
    return unit.command in MOVING_COMMANDS and not unit.markers.crawling


# --- AP fire ------------------------------------------------------------------------------------------


@rule("6.5.2.4", editions=_BOOK)
def shot_of(context: Context, state: State, aim: Aim, ammo: Ammo, target: Unit, *, moving: bool) -> ShotFacts:
    """An AP shot at a vehicle (6.5.2.4)."""
    firer, markers = aim.firer, aim.firer.markers
    card = context.card_of(firer)
    factor = ammo.range_factor(distance(_place(firer), _place(target)))
    assert factor is not None  # noqa: S101 - within range, as it was announced
    seen = obscured(context, state, firer, target)
    return ShotFacts(
        range_factor=factor,
        target_size=context.cards[target.card].size,
        target_moving=moving,
        cover=cover_of(context, state, target, fire=True),
        short_halt=not markers.carrier and firer.command is Command.SHORT_HALT,
        stabilisation=card.sb,
        shooter_damaged=firer.damaged or markers.turret_damaged,
        smoke=seen.smoke,
        overwatch=aim.overwatch,
        in_field=in_front(context, state, firer, aim.arm, _place(target)),
        commander_sight=card.cis,
        advanced=AdvancedShot(
            grade=context.grade(firer.id),
            shooter_suppressed=markers.is_suppressed,
            hindrances=seen.hindrances,
            ammo_short=aim.short,
            transported=bool(markers.carrier),
            heat_haze=seen.heat_haze,
            sun=seen.sun_ap if context.plays(Module.SUN) else 0,
            dual=aim.dual,
        ),
    )


@rule("6.5.2.2", editions=_BOOK)
def angles_of(firer: Unit, target: Unit) -> tuple[HitAngle, ...]:
    """The Hit Angle of a shot; two on the hexside that divides them, where the target's owner chooses (6.5.2.2)."""
    return tuple(_ANGLES[step] for step in sector(_place(target), target.facing, _place(firer)))


@rule("6.5.2.3.1", editions=_BOOK)
def plate_of(context: Context, state: State, firer: Unit, target: Unit, angle: HitAngle) -> StruckPlate:
    """How a shot meets a vehicle: rising, level or falling, and Hull Down as it counts from there (6.5.2.3.1)."""
    above = height_of(context, state, firer) - height_of(context, state, target)
    inclination = Inclination.LEVEL
    if above:
        inclination = Inclination.FALLING if above > 0 else Inclination.RISING
    return StruckPlate(angle, inclination, _hull_down(context, state, firer, target))


def _hull_down(context: Context, state: State, firer: Unit, target: Unit) -> HullDown:
    return hull_down_of(context, state, firer, target) if context.plays(Module.HULL_DOWN) else HullDown.NONE


# --- GP fire ------------------------------------------------------------------------------------------


@rule("6.5.4.1", "6.5.4.3", editions=_BOOK)
def blast_of(context: Context, state: State, aim: Aim, row: int, target: Unit) -> BlastFacts:
    """GP Direct Fire at a target: its GP Factor and what hinders the shooter; ``struck`` adds whom it strikes."""
    firer, markers, weapon = aim.firer, aim.firer.markers, aim.arm.weapon
    gp = weapon.gp[row]
    far = distance(_place(firer), _place(target))
    factor, range_factor = gp.factor(far), gp.range_factor(far)
    assert factor is not None  # noqa: S101 - within range, as it was announced
    assert range_factor is not None  # noqa: S101
    seen = obscured(context, state, firer, target)
    return BlastFacts(
        factor=factor,
        range_factor=range_factor,
        defense=0,
        small_arms=aim.arm.is_small_arms,
        effectiveness=gp.effectiveness,
        grade=context.grade(firer.id),
        behind_wall=not is_vehicle(context, target) and crosses_wall(context, _place(firer), _place(target)),
        short_halt=not markers.carrier and firer.command is Command.SHORT_HALT,
        shooter_damaged=firer.damaged or markers.turret_damaged,
        shooter_suppressed=markers.is_suppressed,
        smoke=seen.smoke,
        hindrances=seen.hindrances,
        overwatch=aim.overwatch,
        in_field=in_front(context, state, firer, aim.arm, _place(target)),
        ammo_short=bool(aim.short),
        heat_haze=seen.heat_haze,
        sun=seen.sun_gp if context.plays(Module.SUN) else 0,
        transported=bool(markers.carrier),
        dual=aim.dual,
        coax_mg=context.advanced_card(firer).coax_mg,
        hull_down=_hull_down(context, state, firer, target) is not HullDown.NONE,
    )
