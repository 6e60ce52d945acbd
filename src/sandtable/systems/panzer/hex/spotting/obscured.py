"""What makes a target hard to see that is in sight: smoke and the like, Heat Haze, the sun (6.5.2.4, 6.5.4.3)."""

from __future__ import annotations

from typing import NamedTuple

from sandtable.geo.hex import distance
from sandtable.systems.panzer.combat.hindrances import in_heat_haze
from sandtable.systems.panzer.facts import CLEAR, Hindrances
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.sight.hindrances import hindrances_on, sun_blinds
from sandtable.systems.panzer.hex.sight.smoke import smoke_hexes_on_line, smoking
from sandtable.systems.panzer.hex.spotting.spotting import size_class
from sandtable.systems.panzer.hex.spotting.standing import height_of
from sandtable.systems.panzer.hex.state import State, Unit

__all__ = ["Obscured", "obscured"]


class Obscured(NamedTuple):
    """All of it, for Direct Fire from one unit at another."""

    smoke: int = 0
    """Occurrences of Brew-Up Smoke."""
    hindrances: Hindrances = CLEAR
    heat_haze: bool = False
    sun_ap: int = 0
    sun_gp: int = 0


def obscured(context: Context, state: State, firer: Unit, target: Unit) -> Obscured:
    """What obscures a target on the map from a firer on it."""
    a, b = firer.hex, target.hex
    if a is None or b is None:
        return Obscured()
    conditions, tables = context.ground.conditions, context.tables
    hindrances = CLEAR
    if state.features:
        heights = height_of(context, state, firer), height_of(context, state, target)
        hindrances = hindrances_on(context.ground_at(state), state.features, a, b, heights)
    sun = conditions.sun
    if sun is not None and not sun_blinds(context.game_map, sun.edge, a, b):
        sun = None
    return Obscured(
        len(smoke_hexes_on_line(a, b, smoking(state))),
        hindrances,
        conditions.heat_haze and in_heat_haze(tables, size_class(context.cards[target.card]), distance(a, b)),
        0 if sun is None else sun.ap,
        0 if sun is None else sun.gp,
    )
