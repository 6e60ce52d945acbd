"""8.1-8.3 Observation: who sees the units of a hex, or a population feature in it, from the ground and from the air.

Asked of what a seat knows: the top unit of a stack and the markers that lie on the others (8.4.0).
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.geo.hex import Hex, distance
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.cover import cover_at
from sandtable.systems.goss.common.state import State
from sandtable.systems.goss.ground.cover import Cover
from sandtable.systems.goss.ground.kinds import Height
from sandtable.systems.goss.ground.weather import Sky
from sandtable.systems.goss.pieces.unit import Mode, Supply, Unit

__all__ = [
    "Presence",
    "is_observed",
    "observes",
    "observes_from_the_air",
    "observes_hex",
    "presence",
    "reach_from",
    "sees",
    "sees_feature",
    "sees_over_hedges",
]

_FROM_THE_AIR = {Sky.CLEAR: 6, Sky.PARTIAL_OVERCAST: 3}
"""Hexes from a supplied friendly unit within which aircraft observe (8.3.0)."""


class Presence(msgspec.Struct, frozen=True):
    """What anybody sees of the units of a hex: the markers on them."""

    is_designated: bool = False
    in_strat: bool = False


def presence(context: Context, state: State, hex: Hex) -> Presence:
    """The markers in a hex, on whomever they lie."""
    deployment = context.deployment(state)
    units, veil = deployment.at(hex), deployment.veil(hex)
    return Presence(
        is_designated=any(unit.is_attacking for unit in units) or (veil is not None and veil.is_designated),
        in_strat=any(unit.mode is Mode.STRATEGIC for unit in units) or (veil is not None and veil.in_strat),
    )


@rule("8.0", "8.1.0")
def sees(context: Context, state: State, here: Hex, hex: Hex) -> bool:
    """Whether a valid line of sight leads from a hex into another (8.1.0)."""
    return context.sight(state).sees(here, hex, context.weather_at(state, here).sky, is_night=context.is_night(state))


def reach_from(context: Context, state: State, here: Hex) -> int:
    """How many hexes one sees from a hex, before rough terrain is counted (8.1.2)."""
    return context.sight(state).reach(here, context.weather_at(state, here).sky, is_night=context.is_night(state))


@rule("8.2.1")
def sees_over_hedges(context: Context, state: State, here: Hex, hex: Hex) -> bool:
    """Whether bocage and hedgerow hide nobody who moves from an observer: from a height that is near enough (8.2.1)."""
    height, away = context.ground.at(here).height, distance(here, hex)
    if height is None:
        return False
    if away == 1:
        return True
    return height is Height.HIGH_VANTAGE_POINT and 2 * away <= reach_from(context, state, here)


@rule("5.2.4", "8.0", "8.2.0", "8.2.1", "8.2.2", "8.2.3", "17.4.1c")
def observes(
    context: Context, state: State, observer: Unit, hex: Hex, target: Presence, *, is_moving: bool = False
) -> bool:
    """Whether a unit observes enemy units with such markers in a hex (8.2.1-8.2.3)."""
    here = observer.hex
    if here is None or not sees(context, state, here, hex):
        return False
    if target.in_strat:
        return True
    if distance(here, hex) == 1 and (observer.is_attacking or target.is_designated):
        return True
    ground = context.ground.at(here)
    if target.is_designated and (ground.height is not None or ground.is_built_up):
        return True
    over_hedges = sees_over_hedges(context, state, here, hex)
    cover = cover_at(context, state, hex, observer.side, over_hedges=over_hedges)
    return cover < (Cover.MOVEMENT if is_moving else Cover.OBSERVATION)


def observes_hex(context: Context, state: State, observer: Unit, hex: Hex) -> bool:
    """Whether a unit observes any of those who stand in a hex."""
    return observes(context, state, observer, hex, presence(context, state, hex))


def is_observed(context: Context, state: State, unit: Unit) -> bool:
    """Whether any enemy unit on the ground observes a unit."""
    if unit.hex is None:
        return False
    here, target = unit.hex, Presence(unit.is_attacking, unit.mode is Mode.STRATEGIC)
    return any(observes(context, state, one, here, target) for one in _on_map(state, context.other(unit.side)))


def sees_feature(context: Context, state: State, here: Hex, hex: Hex) -> bool:
    """Whether a population feature in a hex is in sight: fire may be called on it though nobody is seen (11.2.1)."""
    return context.ground.at(hex).population is not None and sees(context, state, here, hex)


def _on_map(state: State, seat: Seat) -> Iterator[Unit]:
    return (unit for unit in state.units.values() if unit.side == seat and unit.hex is not None)


@rule("8.3.0")
def observes_from_the_air(context: Context, state: State, seat: Seat, hex: Hex) -> bool:
    """Whether aircraft of a side observe those who stand in a hex, where its scenario has them do so (8.3.0)."""
    sky = context.weather_at(state, hex).sky
    reach = _FROM_THE_AIR.get(sky)
    if reach is None or context.is_night(state) or seat not in context.scenario.draft.rules.air_observation:
        return False
    cover = cover_at(context, state, hex, seat, over_hedges=True)
    if presence(context, state, hex).in_strat:
        return sky is Sky.CLEAR or cover < Cover.MOVEMENT
    if cover is not Cover.OPEN:
        return False
    supplied = (Supply.GENERAL, Supply.EXTENDED)
    return any(
        unit.supply in supplied and unit.hex is not None and distance(unit.hex, hex) <= reach
        for unit in _on_map(state, seat)
    )
