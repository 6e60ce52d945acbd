"""4.3, 4.4, 4.5: ordnance, panzerfausts and placed charges among the ways to fire."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import product

from sandtable.core.decision import Branch, Leaf
from sandtable.systems.aslsk.common.actions import Action, Fire, FireOrdnance
from sandtable.systems.aslsk.common.menu import LazyBranch, Spread
from sandtable.systems.aslsk.common.possession import weapons_of
from sandtable.systems.aslsk.common.stacking import at
from sandtable.systems.aslsk.fire.fire_groups import is_free_smc
from sandtable.systems.aslsk.fire.firers import Fireground, Use
from sandtable.systems.aslsk.fire.muzzles import muzzles_of
from sandtable.systems.aslsk.pieces.cards import Nationality
from sandtable.systems.aslsk.pieces.state import Phase, State, Unit, UnitId, Weapon, WeaponId
from sandtable.systems.aslsk.support_weapons.anti_tank import is_gun_there, is_infantry_there, vehicle_targets
from sandtable.systems.aslsk.support_weapons.demolition import placed_charges
from sandtable.systems.aslsk.support_weapons.ordnance import has_backblast, refuse_ordnance
from sandtable.systems.aslsk.support_weapons.panzerfaust import (
    has_panzerfausts,
    panzerfaust_range,
    refuse_panzerfaust,
)

__all__ = ["charge_branches", "ordnance_branches", "ordnance_firers", "ordnance_ways", "shot_branch", "shots"]

_ADVANCING_FIRE = Phase.ADVANCING_FIRE
"""A name is looked up quicker than a member of an enum."""


def charge_branches(state: State) -> Iterator[Branch[Action]]:
    """The placed charges that may go off now (4.3)."""
    if state.phase is not _ADVANCING_FIRE:
        return
    for weapon in placed_charges(state):
        if weapon.placed is not None:
            action = Fire((), (weapon.id,), weapon.placed)
            yield Branch(weapon.id, "weapon", f"{weapon.id} goes off", Leaf[Action](action), weapon.id)


def ordnance_branches(fireground: Fireground) -> Iterator[Branch[Action]]:
    """Every ordnance weapon and panzerfaust that may fire at the target, with its leaders and ways (4.4, 4.5)."""
    return (way() for way in ordnance_ways(fireground))


def ordnance_ways(fireground: Fireground) -> Iterator[LazyBranch]:
    """The same, not yet put into words."""
    for weapon in _able_weapons(fireground):
        if _has_shot(fireground, weapon):
            yield partial(_weapon_branch, fireground, weapon)
    for unit in _able_units(fireground):
        yield partial(_panzerfaust_branch, fireground, unit)


def _weapon_branch(fireground: Fireground, weapon: Weapon) -> Branch[Action]:
    label = f"{fireground.context.weapon_title(weapon)} fires"
    return Branch(weapon.id, "weapon", label, Spread(partial(shots, fireground, weapon), shot_branch), weapon.id)


def _panzerfaust_branch(fireground: Fireground, unit: Unit) -> Branch[Action]:
    then = Spread(partial(_panzerfaust_shots, fireground, unit), shot_branch)
    return Branch(f"PF {unit.id}", "unit", f"Panzerfaust of {unit.id}", then, unit.id)


def ordnance_firers(fireground: Fireground, *, in_sight: bool = False) -> Iterator[Unit]:
    """Units that may fire ordnance or a panzerfaust at the target, or those alone that see it."""
    for weapon in _able_weapons(fireground, in_sight=in_sight):
        if _has_shot(fireground, weapon):
            yield fireground.state.units[weapon.owner]
    for unit in _able_units(fireground):
        if not in_sight or (unit.hex is not None and fireground.sees(unit.hex)):
            yield unit


def _able_weapons(fireground: Fireground, *, in_sight: bool = False) -> Iterator[Weapon]:
    muzzles = muzzles_of(fireground.context, fireground.state, fireground.mode, fireground.seat)
    for weapon in muzzles.ordnance:
        hex = fireground.state.units[weapon.owner].hex
        if in_sight and (hex is None or not fireground.sees(hex)):
            continue
        if isinstance(fireground.ordnance_use(weapon), Use):
            yield weapon
    if not fireground.state.vehicles or not vehicle_targets(fireground):
        return
    for hex, cell in muzzles.cells.items():
        if in_sight and not fireground.sees(hex):
            continue
        for muzzle in cell.muzzles:
            arm = muzzle.firer.weapon
            if arm is not None and not muzzle.again and fireground.reach(hex) <= muzzle.limit:
                yield arm


def _able_units(fireground: Fireground) -> Iterator[Unit]:
    context, state = fireground.context, fireground.state
    if not has_panzerfausts(context, fireground.seat):
        return
    victims = _panzerfaust_victims(fireground)
    if not victims:
        return
    most = panzerfaust_range(context)
    for unit in state.units.values():
        if unit.side != fireground.seat or unit.hex is None or fireground.reach(unit.hex) > most:
            continue
        if unit.on_map and context.card(unit).nationality is Nationality.GERMAN:
            action = FireOrdnance(fireground.target, unit=unit.id, victim=victims[0])
            if refuse_panzerfaust(fireground, action) is None:
                yield unit


def _panzerfaust_victims(fireground: Fireground) -> list[UnitId]:
    """Whom a panzerfaust may be meant for: nobody of Infantry or Guns, units that man a weapon, vehicles."""
    context, state = fireground.context, fireground.state
    found = []
    in_building = context.ground.place(fireground.target).building
    if is_infantry_there(fireground) if in_building else is_gun_there(fireground):
        armed = [one.id for one in at(context, state, fireground.target) if weapons_of(context, state, one.id)]
        found = [UnitId(""), *armed]
    return [*found, *[UnitId(vehicle.id) for vehicle in vehicle_targets(fireground)]]


def _has_shot(fireground: Fireground, weapon: Weapon) -> bool:
    """Whether there is any of the :func:`shots`: as a rule the plainest will do."""
    plain = FireOrdnance(fireground.target, weapon=weapon.id)
    return refuse_ordnance(fireground, plain) is None or next(shots(fireground, weapon), None) is not None


def shots(fireground: Fireground, weapon: Weapon) -> Iterator[FireOrdnance]:
    """The ways in which a weapon may fire: directed or not, with a second SMC, taking the backblast, at a vehicle."""
    context, state = fireground.context, fireground.state
    owner = state.units[weapon.owner]
    stack = [unit for unit in at(context, state, owner.hex) if context.card(unit).is_leader]
    leaders = ["", *[unit.id for unit in stack if unit.id != owner.id]]
    seconds = ["", *[unit.id for unit in stack if is_free_smc(context, unit, owner, weapon)]]
    blasts = (False, True) if has_backblast(context, weapon, owner) else (False,)
    victims = ["", *[vehicle.id for vehicle in vehicle_targets(fireground)]]
    for leader, second, blast, victim in product(leaders, seconds, blasts, victims):
        action = FireOrdnance(
            fireground.target,
            weapon=weapon.id,
            unit=UnitId(second),
            leader=UnitId(leader),
            backblast=blast,
            victim=UnitId(victim),
        )
        if refuse_ordnance(fireground, action) is None:
            yield action


def _panzerfaust_shots(fireground: Fireground, unit: Unit) -> Iterator[FireOrdnance]:
    context, state = fireground.context, fireground.state
    leaders = [
        "",
        *(one.id for one in at(context, state, unit.hex) if one.id != unit.id and context.card(one).is_leader),
    ]
    blasts = (False, True) if has_backblast(context, None, unit) else (False,)
    for leader in leaders:
        for victim in _panzerfaust_victims(fireground):
            for blast in blasts:
                action = FireOrdnance(
                    fireground.target,
                    unit=unit.id,
                    leader=UnitId(leader),
                    backblast=blast,
                    victim=victim,
                )
                if refuse_panzerfaust(fireground, action) is None:
                    yield action


def shot_branch(action: FireOrdnance) -> Branch[Action]:
    """One of these, in words."""
    parts = [("directed by", action.leader), ("with", action.unit if action.weapon else ""), ("at", action.victim)]
    words = [f"{word} {name}" for word, name in parts if name]
    if action.backblast:
        words.append("taking the backblast")
    label = ", ".join(words) or "fire"
    return Branch(label, "order", label, Leaf[Action](action), WeaponId(action.weapon))
