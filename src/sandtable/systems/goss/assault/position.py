"""What an assault asks of hexes and of units where they stand: terrain, cover, works, classes (8.2, 13.3-13.6)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.geo.hex import Hex
from sandtable.systems.goss.assault.strength import Fighter, combined_arms
from sandtable.systems.goss.common.as_one import stacks_of
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.cover import cover_at, works_of
from sandtable.systems.goss.common.state import State
from sandtable.systems.goss.ground.cover import Cover
from sandtable.systems.goss.pieces.card import Kind, MovementClass, Trait
from sandtable.systems.goss.pieces.proficiency import rating_of
from sandtable.systems.goss.pieces.steps import size_of, strength
from sandtable.systems.goss.pieces.unit import Supply, Unit
from sandtable.systems.goss.tables.works import WorksEffect

__all__ = [
    "fighter",
    "is_armoured_infantry",
    "is_commando",
    "is_engineer",
    "is_mct",
    "is_mech",
    "is_pure_afv",
    "lacking_infantry",
    "rating",
    "works_for",
]


def is_mct(context: Context, state: State, hex: Hex, against: Seat) -> bool:
    """Whether a hex hides who moves in it from a side; at night more does (8.2.1, 8.1.2b)."""
    return cover_at(context, state, hex, against) is Cover.MOVEMENT


@rule("13.6.1d")
def lacking_infantry(
    context: Context, state: State, target: Hex, attackers: Sequence[Unit], defenders: Sequence[Unit]
) -> frozenset[str]:
    """AFVs that miss their infantry where the hex is MCT, works and the night included, or marsh (13.6.1d, B-86)."""
    enemy = next((unit.side for unit in attackers), "")
    if not (is_mct(context, state, target, Seat(enemy)) or context.ground_in(state).at(target).is_wet):
        return frozenset()
    lacking: set[str] = set()
    for stack in (*stacks_of(attackers).values(), defenders):
        fighters = [fighter(context, unit, is_attacker=stack is not defenders) for unit in stack]
        lacking |= {one.id for one in fighters if one.is_pure_afv} - combined_arms(fighters)
    return frozenset(lacking)


@rule("17.4.0", "17.4.1", "17.5.0")
def works_for(context: Context, state: State, units: Iterable[Unit]) -> WorksEffect | None:
    """The works that defend a hex: the best that any of its defenders is in (17.4.1; ruling B-62)."""
    names = [name for name in (works_of(context, state, unit) for unit in units) if name]
    effects = [context.charts.defences.works[name] for name in names]
    return max(effects, key=lambda works: works.shifts, default=None)


def is_mech(context: Context, unit: Unit) -> bool:
    """Whether a unit fights as Mech (4.3.0)."""
    return context.card(unit).movement is MovementClass.MECH


def is_pure_afv(context: Context, unit: Unit) -> bool:
    """Tanks, tank destroyers and the like without infantry (13.6.1d)."""
    return context.card(unit).has(Trait.PURE_ARMOUR)


@rule("26.0", "13.8.4")
def is_armoured_infantry(context: Context, unit: Unit) -> bool:
    """Infantry in armoured vehicles, engineers in such among them (26.0)."""
    card = context.card(unit)
    return card.kind is Kind.ARMOURED_INFANTRY or (card.kind is Kind.ENGINEERS and card.has(Trait.MIXED_ARMOUR))


@rule("17.0", "14.2.0")
def is_engineer(context: Context, unit: Unit) -> bool:
    """Engineers who can use their skill: neither fatigued nor out of supply (14.2.0, 15.6.0)."""
    return context.card(unit).kind is Kind.ENGINEERS and not unit.fatigue and unit.supply is not Supply.OUT


@rule("13.7.4c", "14.2.0")
def is_commando(context: Context, unit: Unit) -> bool:
    """Commandos who can use the skill of engineers: neither fatigued nor out of supply (13.7.4c, 14.2.0, 15.6.0)."""
    return context.card(unit).has(Trait.COMMANDO) and not unit.fatigue and unit.supply is not Supply.OUT


def rating(context: Context, unit: Unit, *, is_attacker: bool) -> int:
    """The PR of a unit; 0 of one that has none (4.4.1)."""
    return rating_of(context.card(unit), is_active=is_attacker) or 0


def fighter(
    context: Context, unit: Unit, *, is_attacker: bool, stands_off: bool = False, is_saving: bool = False
) -> Fighter:
    """A unit as an assault counts it."""
    card = context.card(unit)
    now = strength(card, unit.steps)
    is_idle_gun = unit.is_depleted or (card.has(Trait.TOWED) and card.is_artillery and not unit.in_battery)
    return Fighter(
        id=unit.id,
        strength=now.attack if is_attacker else now.defence,
        size=size_of(card, unit.steps),
        is_mech=is_mech(context, unit),
        is_personnel=card.has(Trait.PERSONNEL),
        is_pure_afv=card.has(Trait.PURE_ARMOUR),
        is_hybrid=card.is_hybrid,
        is_recon=card.kind is Kind.RECON,
        is_rear_echelon=card.has(Trait.REAR_ECHELON),
        is_artillery=card.is_artillery,
        arm=card.arm_attack if is_attacker else card.arm_defence,
        arm_attack=card.arm_attack,
        at=0 if is_idle_gun else card.at,
        fatigue=unit.fatigue,
        is_out_of_supply=unit.supply is Supply.OUT,
        is_saving=is_saving,
        is_rest_turn=is_saving and unit.supply is not Supply.ON_HAND,
        stands_off=stands_off,
        is_depleted=unit.is_depleted,
    )
