"""3.2.4, 4.5 Mortars that fire at an empty hex, among the ways to fire (To Hit case 23)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from sandtable.core.decision import Branch, Leaf, Node
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.common.actions import Action, FireOrdnance
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.common.menu import LazyBranch, Spread
from sandtable.systems.aslsk.common.stacking import occupants
from sandtable.systems.aslsk.fire.firers import Fireground, mode_of
from sandtable.systems.aslsk.fire.muzzles import muzzles_of
from sandtable.systems.aslsk.pieces.cards import WeaponKind
from sandtable.systems.aslsk.pieces.state import State, Weapon
from sandtable.systems.aslsk.support_weapons.ordnance import refuse_empty
from sandtable.systems.aslsk.support_weapons.ordnance_choices import shot_branch, shots

__all__ = ["area_ways"]

_MTR = WeaponKind.MTR
"""A name is looked up quicker than a member of an enum."""


def area_ways(context: Context, state: State, player: str) -> Iterator[LazyBranch]:
    """Every mortar of a side that has an empty hex to fire at."""
    for weapon in muzzles_of(context, state, mode_of(state.phase), player).ordnance:
        is_mortar = context.cards.weapons[weapon.card].kind is _MTR
        if is_mortar and next(_hexes(context, state, weapon), None) is not None:
            yield partial(_branch, context, state, weapon)


def _branch(context: Context, state: State, weapon: Weapon) -> Branch[Action]:
    label = f"{context.weapon_title(weapon)} fires at an empty hex"
    then = Spread(partial(_hexes, context, state, weapon), partial(_hex_branch, context, state, weapon))
    return Branch(f"{weapon.id} empty", "weapon", label, then, weapon.id)


def _hexes(context: Context, state: State, weapon: Weapon) -> Iterator[Hex]:
    """Where there is sight beforehand every hex is judged by itself; else one in range answers for all."""
    there = occupants(context, state)
    standing = {vehicle.hex for vehicle in state.vehicles.values() if vehicle.in_play} if state.vehicles else ()
    free = context.scenario.conditions.free_sight
    judged = False
    for hex in _in_range(context, state, weapon):
        if hex in there or hex in standing:
            continue
        if free or not judged:
            action = FireOrdnance(hex, weapon=weapon.id)
            if refuse_empty(_ground(context, state, weapon, hex), action) is not None:
                if free:
                    continue
                return
            judged = True
        yield hex


def _in_range(context: Context, state: State, weapon: Weapon) -> tuple[Hex, ...]:
    """The hexes of the map that a mortar reaches from where it is, in their order."""
    card, here = context.weapon_card(weapon), state.units[weapon.owner].hex
    if here is None:
        return ()
    return context.hexes_in_range(here, card.min_range, card.range)


def _ground(context: Context, state: State, weapon: Weapon, hex: Hex) -> Fireground:
    return Fireground(context, state, mode_of(state.phase), state.units[weapon.owner].side, hex)


def _hex_branch(context: Context, state: State, weapon: Weapon, hex: Hex) -> Branch[Action]:
    label = context.label(hex)
    ways = list(shots(_ground(context, state, weapon, hex), weapon))
    then: Node[Action] = Leaf(ways[0]) if len(ways) == 1 else Spread(lambda: ways, shot_branch)
    return Branch(label, "hex", f"At {label}", then, label, is_hex=True)
