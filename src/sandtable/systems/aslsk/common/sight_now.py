"""1.2.5, 3.2.1, 7.4.1: the line of sight as it is now: terrain, and Smoke, AFV and wrecks that hinder or close it."""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.geo.hex import Hex
from sandtable.geo.sight import Hindrance
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.pieces.state import State
from sandtable.systems.aslsk.terrain.ground import Ground
from sandtable.systems.aslsk.terrain.sight import MOST_HINDRANCE, Sight, too_much

__all__ = ["sight_now"]

_SMOKE_RULE = "1.2.5"
_WRECK_RULE = "7.4.1"


@rule("1.2.5", "3.2.1", "7.4.1")
def sight_now(context: Context, state: State, a: Hex, b: Hex) -> Sight:
    """The line between two hexes with all that lies in its way, Smoke in its two ends too (1.2.5, 3.2.1)."""
    ground = context.ground
    assert isinstance(ground, Ground)  # noqa: S101 - the system makes no other
    sight = ground.sight(a, b)
    way = dict.fromkeys((a, *sight.between, b))
    smoke = [Hindrance(hex, "smoke", _SMOKE_RULE, drm) for hex in way if (drm := context.smoke_at(state, hex))]
    wrecks = [Hindrance(hex, "AFV or wreck", _WRECK_RULE) for hex in context.screens_between(state, a, b)]
    more = [*smoke, *wrecks]
    if not more:
        return sight
    told = dict.fromkeys((*sight.rules, *(one.rule for one in more)))
    sight = replace(sight, hindrances=(*sight.hindrances, *more), rules=tuple(told))
    if sight.blocked or sight.hindrance < MOST_HINDRANCE:
        return sight
    first = too_much(more[-1].at)
    return replace(
        sight,
        blocked=True,
        at=first.hex,
        by=first.what,
        reason=first.why,
        rules=tuple(dict.fromkeys((first.rule, *sight.rules))),
        first=first,
    )
