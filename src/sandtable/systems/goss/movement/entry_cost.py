"""21.2.0 What the hex costs by which a unit has come onto the map."""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.geo.hex import Hex
from sandtable.geo.hexside import SIDES
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.state import State
from sandtable.systems.goss.ground.weather import GroundCondition
from sandtable.systems.goss.movement.party import Party
from sandtable.systems.goss.movement.ways import Kind, Tread
from sandtable.systems.goss.pieces.unit import Unit
from sandtable.systems.goss.tables.movement_costs import Special, dearest, together

__all__ = ["ENTERED", "enters_by_trail", "entry_cost", "is_arriving", "road_entry"]

ENTERED = "entered"
"""The word under which an entry is remembered for its phase."""
_ALL = 1 << 30
"""What takes the whole allowance, whatever it is: nothing is left to go on with."""


def is_arriving(state: State, unit: Unit) -> bool:
    """Whether a unit came in this phase and has not moved: on the road it is in nobody's way yet (ruling B-27)."""
    return not unit.has_moved and any(use.what == ENTERED and use.by == unit.id for use in state.used)


def road_entry(context: Context, state: State, hex: Hex) -> int | None:
    """What a hex costs Mech road movement from off the map: its best road, or dry clear ground; None without."""
    ground, costs = context.ground_in(state), context.charts.costs
    here = ground.at(hex)
    kinds = [ground.roads[side].kind for side in SIDES[hex] if side in ground.roads]
    prices = [costs.road_cost(kind, "Mech", in_clear=here.is_clear) for kind in kinds]
    if here.is_clear and context.weather_at(state, hex).ground is GroundCondition.DRY:
        prices.append(costs.open_road)
    return min(prices, default=None)


@rule("21.2.0", "7.6.1e")
def enters_by_trail(context: Context, state: State, party: Party) -> bool:
    """Whether those who move have come by a road that is no good one: it is a part of their move (21.2.0)."""
    hex = party[0].hex
    if hex is None or not any(is_arriving(state, unit) for unit in party):
        return False
    ground = context.ground_in(state)
    return not any(ground.roads[side].is_good for side in SIDES[hex] if side in ground.roads)


@rule("21.2.0", "7.11.3", "7.11.4")
def entry_cost(context: Context, state: State, party: Party, tread: Tread, kind: Kind) -> int | None:
    """What those who move have spent to come onto the map in this phase, in sixths; None if they were there (21.2.0).

    By road each Mech unit pays once for every one that came the same way, itself included. In PA movement the entry
    hex is the first of its hexes (ruling B-32).
    """
    ids = {unit.id for unit in party}
    places = [use.count for use in state.used if use.what == ENTERED and use.by in ids]
    if not places:
        return None
    hex = party[0].hex
    assert hex is not None  # noqa: S101 - who has entered is on the map
    if not kind.counts_points:
        return 1
    if kind is Kind.ROAD:
        return (road_entry(context, state, hex) or 0) * max(places)
    here, costs = context.ground_in(state).at(hex), context.charts.costs
    if not tread.is_mech and here.joints:
        return costs.road_cost("trail", "Leg")
    cause = "constricted" if here.is_constricted else "embankment" if here.is_embankment else ""
    price = dearest(
        together((costs.hex_cost(here.features, name), costs.extra_cost(cause, name) if cause else 0))
        for name in tread.classes
    )
    return _ALL if isinstance(price, Special) else price
