"""What the tools of sight show: the line between two hexes at this hour, and all that is seen from one (8.1).

They tell what terrain, light and sky allow. Whether somebody there is observed depends on cover and on what he does too
(8.2).
"""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.core.content.rule import rule
from sandtable.geo.hex import Hex, disk
from sandtable.geo.sight import HexSight, Hindrance
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.state import State
from sandtable.systems.goss.ground.kinds import Height
from sandtable.systems.goss.ground.weather import Sky
from sandtable.systems.goss.observation.observing import reach_from, sees

__all__ = ["field_of_sight", "line_of_sight"]

_NEAR_SIGHTED = {
    Sky.OVERCAST: "with the sky overcast",
    Sky.STORM: "in a storm",
    Sky.SNOW: "in snow",
    Sky.FOG: "in fog",
}


@rule("8.1.0", "8.1.1", "8.1.2", "8.1.2a")
def line_of_sight(context: Context, state: State, a: Hex, b: Hex) -> HexSight:
    """The line from an observer's hex to another, and what ends it: terrain in its way, or its range (8.1.0)."""
    line = context.sight(state).line(a, b)
    limits = tuple(_limits(context, state, a))
    rules, words = tuple(number for number, _ in limits), "".join(f" {why}" for _, why in limits if why)
    rough = (Hindrance(b, "rough terrain takes one hex off the range", "8.1.2a"),) if line.is_rough else ()
    at, by, reason = line.blocked_at, "", ""
    if at is not None:
        by, rules = _obstacle(context, at), ("8.1.1",)
        reason = f"{by} in {context.label(at)} stands in the way"
    elif a != b and not sees(context, state, a, b):
        reach = max(reach_from(context, state, a) - line.is_rough, 1)
        by, rules = "the range", (*rules, *(one.rule for one in rough))
        reason = f"one sees {reach} hex{'es' * (reach > 1)} from {context.label(a)}{words}"
    return HexSight(
        a=a,
        b=b,
        blocked=bool(by),
        at=at,
        by=by,
        reason=reason,
        hindrances=rough,
        rules=rules,
        range_hexes=line.range,
    )


def field_of_sight(context: Context, state: State, hex: Hex) -> frozenset[Hex]:
    """All hexes that are seen from a hex, itself among them (8.1.0)."""
    hexes = context.game_map.hexes
    near = disk(hex, reach_from(context, state, hex))
    return frozenset(one for one in near if one in hexes and (one == hex or sees(context, state, hex, one)))


def _obstacle(context: Context, hex: Hex) -> str:
    here = context.ground.at(hex)
    what = here.height or here.population
    return f"a {what.value.replace('_', ' ')}" if what else ""


@rule("8.1.2", "8.1.2b", "8.1.2c", "8.1.2d")
def _limits(context: Context, state: State, hex: Hex) -> Iterator[tuple[str, str]]:
    """The rules that say how far one sees from a hex, the decisive one first, and in words what comes of the hour."""
    sky, is_night = context.weather_at(state, hex).sky, context.is_night(state)
    if reach_from(context, state, hex) < context.sight(state).reach(hex, Sky.CLEAR, is_night=False):
        yield ("8.1.2b", "by night") if is_night else ("8.1.2c", _NEAR_SIGHTED.get(sky, ""))
    elif context.ground.at(hex).height is Height.HIGH_VANTAGE_POINT:
        yield "8.1.2d", ""
    yield "8.1.2", ""
