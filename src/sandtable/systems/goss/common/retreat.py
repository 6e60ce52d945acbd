"""11.6.3, 13.11 Where a stack may retreat to, and where it must: terrain, water, and the five priorities.

"Closer to the superior HQ" means the hexes that are nearest to it among those still in question (13.11.0; ruling B-8).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from sandtable.core.content.rule import rule
from sandtable.geo.hex import NEIGHBOURS, Hex, distance
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.cover import cover_at
from sandtable.systems.goss.common.crossing import crossing
from sandtable.systems.goss.common.state import State
from sandtable.systems.goss.ground.cover import Cover
from sandtable.systems.goss.ground.kinds import Water
from sandtable.systems.goss.ground.weather import GroundCondition
from sandtable.systems.goss.pieces.card import Card, MovementClass, Trait
from sandtable.systems.goss.pieces.guns import may_retreat_in_battery
from sandtable.systems.goss.pieces.unit import Mode, Unit, UnitId
from sandtable.systems.goss.stacking.limits import limits, overstack
from sandtable.systems.goss.stacking.stacker import stacker
from sandtable.systems.goss.tables.movement_costs import Special

__all__ = ["RetreatHex", "is_overstacked", "may_displace", "may_retreat", "retreat_choices", "retreat_hexes"]


class RetreatHex(msgspec.Struct, frozen=True):
    """A hex into which a stack may retreat, by what the priorities ask of it."""

    hex: Hex
    is_enemy_adjacent: bool
    to_hq: int
    """Hexes to the superior HQ."""
    has_cover: bool
    by_road: bool
    is_overstack: bool


@rule("11.6.3a", "13.11.0")
def retreat_choices(hexes: Sequence[RetreatHex]) -> tuple[RetreatHex, ...]:
    """The hexes that are left to the owner after the five priorities, in their order (11.6.3a)."""
    left = tuple(hexes)
    if not left:
        return left
    wanted: tuple[Callable[[RetreatHex], bool], ...] = (
        lambda one: not one.is_enemy_adjacent,
        lambda one: one.to_hq == min(other.to_hq for other in left),
        lambda one: one.has_cover,
        lambda one: one.by_road,
        lambda one: not one.is_overstack,
    )
    for meets in wanted:
        meeting = tuple(one for one in left if meets(one))
        # What none of them meets is passed over.
        left = meeting or left
    return left


@rule("11.6.3", "11.6.3e", "13.11.0", "13.11.4")
def may_retreat(card: Card, unit: Unit) -> bool:
    """Whether a unit can leave its hex at all: static guns cannot, nor guns in battery that are too heavy (11.6.3e)."""
    if card.movement is MovementClass.STATIC:
        return False
    if not card.is_artillery or not unit.in_battery or card.has(Trait.SELF_PROPELLED):
        return True
    return may_retreat_in_battery(card)


@rule("11.6.3", "13.11.0")
def may_displace(context: Context, state: State, unit: Unit, here: Hex, there: Hex) -> bool:
    """Whether a unit may retreat or advance from a hex into the next: map, water and terrain (11.6.3; ruling B-44)."""
    if there not in context.ground.hexes:
        return False
    card = context.card(unit)
    way = crossing(context, state, here, there)
    is_leg = card.movement is MovementClass.LEG
    if way.is_river and not way.is_dry and not (is_leg and way.water is Water.RIVER):
        return False
    ground = context.ground_in(state).at(there)
    if way.road is None:
        if context.charts.costs.hex_cost(ground.features, "Leg" if is_leg else "Mech") is Special.PROHIBITED:
            return False
        if card.is_artillery and (ground.is_constricted or ground.is_embankment):
            return False
        is_dry = context.weather_at(state, there).ground is GroundCondition.DRY
        return unit.mode is not Mode.STRATEGIC or (is_dry and ground.is_clear)
    return True


def is_overstacked(context: Context, state: State, units: Sequence[Unit], hex: Hex) -> bool:
    """Whether a hex holds too much once these units are there too (6.1.0)."""
    joined = {unit.id: unit for unit in (*context.deployment(state).at(hex), *units)}
    counted = [stacker(unit, context.card(unit)) for unit in joined.values() if context.card(unit).takes_room]
    return bool(overstack(counted, limits(is_constricted=context.ground.at(hex).is_constricted)))


def _headquarters(context: Context, state: State, unit: Unit) -> Hex | None:
    """Where the nearest superior HQ of a unit is that stands on the map."""
    formation = context.formation_of(unit)
    for one in (formation, context.scenario.superiors.get(formation, formation)):
        found = state.units.get(UnitId(f"{one}/{context.formation(one).hq}"))
        if found is not None and found.hex is not None and found.id != unit.id:
            return found.hex
    return None


@rule("11.6.3", "11.6.3a", "13.11.0")
def retreat_hexes(context: Context, state: State, units: Sequence[Unit], here: Hex) -> tuple[RetreatHex, ...]:
    """Hexes that a stack may retreat into, as the priorities ask of them: open to all of it, and not the enemy's."""
    side = units[0].side
    enemy = context.other(side)
    deployment = context.deployment(state)
    hq = _headquarters(context, state, units[0])
    return tuple(
        RetreatHex(
            hex=hex,
            is_enemy_adjacent=deployment.is_adjacent(hex, enemy),
            to_hq=distance(hex, hq) if hq is not None else 0,
            has_cover=cover_at(context, state, hex, enemy) >= Cover.OBSERVATION,
            by_road=crossing(context, state, here, hex).road is not None,
            is_overstack=is_overstacked(context, state, units, hex),
        )
        for hex in NEIGHBOURS[here]
        if not deployment.held_by(hex, enemy) and all(may_displace(context, state, unit, here, hex) for unit in units)
    )
