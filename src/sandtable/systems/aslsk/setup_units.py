"""1.3 Set-up of units: where each may be placed with what it carries, and who has a weapon (1.2.6, 3.3.1, 4.0)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache, partial

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch, Leaf, Node, Pick
from sandtable.core.errors import Refusal
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.common.actions import Action, PlaceUnit
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.common.menu import LazyBranch, Spread
from sandtable.systems.aslsk.common.possession import owners, refuse_load, weapons_of
from sandtable.systems.aslsk.common.refusals import refuse_overstack, refuse_stranger
from sandtable.systems.aslsk.common.stacking import fits, held, occupants
from sandtable.systems.aslsk.common.vehicles_here import enemy_vehicles_at
from sandtable.systems.aslsk.pieces.state import State, Unit, Weapon, WeaponId, Whereabouts
from sandtable.systems.aslsk.setup_groups import refuse_load_of_stack
from sandtable.systems.aslsk.setup_ordnance import refuse_gun_in

__all__ = [
    "refuse_handing",
    "refuse_place_unit",
    "refuse_unit_hex",
    "refuse_unplaced",
    "unit_ways",
    "unplaced_units",
    "unpossessed_weapons",
    "weapon_branch",
    "weapon_ways",
]

_TO_SET_UP = Whereabouts.TO_SET_UP
"""Names are looked up quicker than members of enums."""
_LATER = (Whereabouts.DUE_LATER, Whereabouts.OFF_BOARD)
"""Where those are who enter the map in play."""


def unplaced_units(context: Context, state: State, seat: str) -> Sequence[Unit]:
    """Units that are not set up; every answer to the question asks for them several times."""
    units, side, found = context.memory.unplaced
    if units is not state.units or side != seat:
        found = tuple([unit for unit in state.units.values() if unit.side == seat and unit.place is _TO_SET_UP])
        context.memory.unplaced = (state.units, seat, found)
    return found


def unpossessed_weapons(state: State, seat: str) -> list[Weapon]:
    """Weapons that nobody has yet."""
    return [weapon for weapon in state.weapons.values() if weapon.side == seat and not weapon.owner]


def unit_ways(context: Context, state: State, units: Sequence[Unit]) -> Iterator[LazyBranch]:
    """Those of some units that may be placed, or placed elsewhere, somewhere."""
    carried, there = owners(context, state), occupants(context, state)
    roomy: dict[str, bool] = {}
    """Whether the set-up area of a force has an empty hex, which takes anybody without weapons."""
    for unit in units:
        force = unit.force
        if force not in roomy:
            zone = context.scenario.zones[force]
            roomy[force] = not state.vehicles and len(there) < len(zone)
        if (roomy[force] and unit.id not in carried) or next(_hexes(context, state, unit), None) is not None:
            yield partial(_unit_branch, context, state, unit)


def _unit_branch(context: Context, state: State, unit: Unit) -> Branch[Action]:
    then = Spread(partial(_hexes, context, state, unit), partial(_hex_branch, context, state, unit))
    return Branch(unit.id, "unit", f"{context.card(unit).name} {unit.id}", then, unit.id)


def _hex_branch(context: Context, state: State, unit: Unit, hex: Hex) -> Branch[Action]:
    label = context.label(hex)
    return Branch(label, "hex", f"In {label}", Leaf[Action](_placing(context, state, unit, hex)), label, is_hex=True)


def _hexes(context: Context, state: State, unit: Unit) -> Iterator[Hex]:
    """Where a unit may set up, or be moved to; an empty hex takes anybody, but not every Gun."""
    carried = tuple([weapon.id for weapon in weapons_of(context, state, unit.id)])
    if carried and _refuse_weapons(context, state, unit, carried) is not None:
        return
    there = occupants(context, state)
    for hex in _in_order(context.scenario.zones[unit.force]):
        if hex == unit.hex:
            continue
        if (state.vehicles or hex in there) and refuse_unit_hex(context, state, unit, hex) is not None:
            continue
        if not carried or _refuse_guns(context, state, PlaceUnit(unit.id, hex, carried)) is None:
            yield hex


@lru_cache(maxsize=64)
def _in_order(zone: frozenset[Hex]) -> tuple[Hex, ...]:
    return tuple(sorted(zone))


def _placing(context: Context, state: State, unit: Unit, hex: Hex | None) -> PlaceUnit:
    return PlaceUnit(unit.id, hex, tuple([weapon.id for weapon in weapons_of(context, state, unit.id)]))


def weapon_ways(context: Context, state: State, seat: str) -> Iterator[LazyBranch]:
    """Weapons that somebody else could have instead."""
    for weapon in state.weapons.values():
        if weapon.side == seat and weapon.owner and next(_owner_choice(context, state, weapon).branches(), None):
            yield partial(weapon_branch, context, state, weapon)


def weapon_branch(context: Context, state: State, weapon: Weapon) -> Branch[Action]:
    """A weapon, and who may have it."""
    label = f"{context.weapon_card(weapon).name} {weapon.id}"
    return Branch(weapon.id, "weapon", label, _owner_choice(context, state, weapon), weapon.id)


def _owner_choice(context: Context, state: State, weapon: Weapon) -> Node[Action]:
    def ways() -> Iterator[Branch[Action]]:
        for unit in state.units.values():
            if unit.side != weapon.side:
                continue
            carried = tuple(other.id for other in weapons_of(context, state, unit.id))
            action = PlaceUnit(unit.id, unit.hex, (*carried, weapon.id))
            if refuse_place_unit(context, state, unit.side, action) is None:
                label = f"To {context.card(unit).name} {unit.id}"
                yield Branch(unit.id, "unit", label, Leaf[Action](action), unit.id)

    return Pick(ways)


@rule("1.3", "3.3.1", "4.0")
def refuse_place_unit(context: Context, state: State, seat: str, action: PlaceUnit) -> Refusal | None:
    """Why a unit may not set up there with these weapons (1.3, 3.3.1, 4.0)."""
    unit = state.units.get(action.unit)
    if unit is None or unit.side != seat:
        return refuse_stranger("1.3", action.unit, seat, where="")
    return (
        refuse_unit_hex(context, state, unit, action.hex)
        or refuse_handing(context, state, unit, action)
        or _refuse_weapons(context, state, unit, action.weapons)
        or _refuse_guns(context, state, action)
        or refuse_load_of_stack(context, state, unit, action)
    )


@rule("1.2.6")
def _refuse_guns(context: Context, state: State, action: PlaceUnit) -> Refusal | None:
    """Why Guns may not be set up so: a MMC mans one, and large ones stand in no building (1.2.6)."""
    for weapon_id in action.weapons:
        card = context.weapon_card(state.weapons[weapon_id])
        if card.gun is None:
            continue
        if context.card(state.units[action.unit]).is_leader:
            return Refusal("1.2.6", f"a SMC does not man {card.name}", "a crew, or another MMC")
        refusal = refuse_gun_in(card, context.ground.place(action.hex)) if action.hex is not None else None
        if refusal is not None:
            return refusal
    return None


@rule("1.3", "3.3.1")
def refuse_unit_hex(context: Context, state: State, unit: Unit, hex: Hex | None) -> Refusal | None:
    """Why a unit may not set up in a hex: its area, enemies, stacking (1.3, 3.3.1)."""
    if unit.place in _LATER:
        return None if hex is None else Refusal("3.3", f"{unit.id} enters the map in play", "name no hex")
    if hex is None or hex not in context.scenario.zones[unit.force]:
        return Refusal("1.3", f"{unit.id} may not set up there", "a hex of its set-up area")
    if not state.vehicles and hex not in occupants(context, state):
        return None
    if hex in held(context, state, unit.side)[1] or enemy_vehicles_at(state, hex, unit.side):
        return Refusal("3.3", "enemy units are set up there", "another hex of its set-up area")
    if not fits(context, state, hex, unit.side, (unit,)):
        return refuse_overstack(context.label(hex))
    return None


@rule("1.3", "4.0")
def refuse_handing(context: Context, state: State, unit: Unit, action: PlaceUnit) -> Refusal | None:
    """A unit is placed with what it carries; once all are placed it may be given one weapon more (1.3, 4.0)."""
    carried = _placing(context, state, unit, None).weapons
    if action.weapons == carried:
        return _refuse_again(context, state, unit, action.hex)
    given = action.weapons[: len(carried)] == carried and len(action.weapons) == len(carried) + 1
    if given and action.hex == unit.hex and not unplaced_units(context, state, unit.side):
        return None
    return Refusal("4.0", "weapons are handed out one by one, to units that are placed", "place every unit first")


def _refuse_again(context: Context, state: State, unit: Unit, hex: Hex | None) -> Refusal | None:
    """Who is set up may be moved once all are, and then elsewhere (1.3)."""
    if unit.place is _TO_SET_UP:
        return None
    if hex == unit.hex:
        return Refusal("1.3", f"{unit.id} is there already", "another hex, or a weapon more")
    if unplaced_units(context, state, unit.side):
        return Refusal("1.3", f"{unit.id} is set up, and others are not", "place every unit first, then move any")
    return None


def refuse_unplaced(context: Context, state: State, seat: str) -> Refusal | None:
    """Guns are pointed, and units hidden, once every unit is placed (1.3)."""
    unplaced = unplaced_units(context, state, seat)
    return Refusal("1.3", f"{unplaced[0].id} is not set up", "place every unit first") if unplaced else None


def _refuse_weapons(context: Context, state: State, unit: Unit, weapons: tuple[WeaponId, ...]) -> Refusal | None:
    if len(set(weapons)) != len(weapons):
        return Refusal("4.0", "a weapon is named twice", "name each once")
    total = 0
    for weapon_id in weapons:
        weapon = state.weapons.get(weapon_id)
        if weapon is None or weapon.force != unit.force:
            return Refusal("1.3", f"{weapon_id!r} is no weapon of {unit.id}'s group", "a weapon of the same group")
        total += context.weapon_card(weapon).pp
    # On the map he may possess what he likes; who enters it has to carry it there (4.0).
    return refuse_load(context, unit, total) if unit.place in _LATER else None
