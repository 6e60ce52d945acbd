"""How far a move has come (4.5.1.1): where the vehicle is, what it has spent, and at which rates.

A move is judged as a whole: whether it may use the Road or Path allowance is known only when it is over (4.5.1.1.5).
So :class:`MoveProgress` keeps the account at both sets of costs, those of cross-country movement and those of movement
along a route, until the move ends; it is small, immutable and part of the state while a vehicle is on its way.
"""

from __future__ import annotations

from enum import StrEnum

import msgspec

from sandtable.core.content.rule import rule
from sandtable.geo.hex import Hex
from sandtable.systems.panzer.markers import Floor
from sandtable.systems.panzer.movement.speed import Gait

__all__ = ["FORBIDDEN", "WHOLE", "MoveProgress", "Rate", "damaged_on_the_way", "rates", "spent_at"]

WHOLE = 1_000
"""Cost of what takes the whole allowance: more than any allowance, so only a move of one hex affords it."""
FORBIDDEN = 1_000_000
"""Cross-country cost of a step that is open to vehicles at Path or Road speed only."""


class Rate(StrEnum):
    """Which allowance a move uses, and at which costs (4.5.1.1.1)."""

    CROSS_COUNTRY = "cross-country"
    TRACK = "track"
    """Cross-country allowance at the costs of a route (4.5.1.1.11)."""
    PATH = "path"
    ROAD = "road"


_CROSS_COUNTRY, _TRACK, _PATH, _ROAD = Rate.CROSS_COUNTRY, Rate.TRACK, Rate.PATH, Rate.ROAD
"""Names are looked up quicker than members of enums."""


class MoveProgress(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A move up to now."""

    hex: Hex
    """Where the vehicle is; the last hex of the mapboard once it has left."""
    facing: int
    cross_country: int
    """The allowance at each rate, as it now is."""
    track: int
    path: int
    road: int
    spent: int = 0
    """At cross-country costs."""
    spent_route: int = 0
    """At the costs of movement along a route."""
    on_route: bool = True
    """Whether all of the move so far followed a route at route speed."""
    entered: int = 0
    """Hexes entered; leaving the mapboard counts as one."""
    paths: int = 0
    """Path hexes among them."""
    roads: int = 0
    tracks: int = 0
    turned: int = 0
    """Hexsides turned in the present hex."""
    paid: bool = False
    """Whether any of the allowance went into turning (4.5.1.1.3)."""
    way: int = -1
    """Direction of the last step, -1 before the first."""
    backing: bool = False
    """Whether the last step was made in reverse."""
    exited: bool = False
    """Whether the vehicle has left the mapboard (4.5.1.1.9)."""
    askew: bool = False
    """Whether it turned, in a hex of its route, to face another way than the route goes on (4.5.1.1.5)."""
    climbed: int = 0
    """Heights changed so far, counted where the whole of a move is limited (6.6.4.2)."""
    gait: Gait = Gait.MARCH
    """How a leg unit goes (6.6.4)."""
    floor: Floor = Floor.GROUND
    """Where in a building hex it is (6.1.4.3.1)."""
    loaded: bool = False
    """Whether it has paid for mounting and dismounting in the present hex (6.6.7.1.1)."""

    @property
    def route_rate(self) -> Rate:
        """The rate of a move along a route: that of the most hexes, Path when equal (4.5.1.1.5, 4.5.1.1.11)"""
        if self.tracks:
            return _TRACK
        return _ROAD if self.roads > self.paths else _PATH

    def allowance(self, rate: Rate) -> int:
        """The allowance at ``rate`` as it now is (4.5.1.1.1)"""
        if rate is _CROSS_COUNTRY:
            return self.cross_country
        if rate is _TRACK:
            return self.track
        return self.road if rate is _ROAD else self.path


def spent_at(progress: MoveProgress, rate: Rate) -> int:
    """What the move has spent at the costs of ``rate``; crossing a Hedgerow spends the whole allowance."""
    if rate is not _CROSS_COUNTRY:
        return progress.spent_route
    return progress.cross_country if progress.spent >= WHOLE else progress.spent


@rule("4.5.1.1.5")
def rates(progress: MoveProgress) -> list[Rate]:
    """The rates at which a move that ends here may be made, the one with most left first (4.5.1.1.5)

    There is always one: a move of just one hex may exceed its allowance (4.5.1.1.3).
    """
    route = progress.route_rate
    found = []
    if (
        progress.on_route
        and progress.entered
        and not progress.askew
        and progress.spent_route <= progress.allowance(route)
    ):
        found.append(route)
    if progress.spent <= progress.cross_country:
        found.append(_CROSS_COUNTRY)
    if len(found) == 2 and progress.cross_country - progress.spent > progress.allowance(route) - progress.spent_route:
        found.reverse()
    return found or [route if progress.spent >= FORBIDDEN else _CROSS_COUNTRY]


@rule("4.4.3.2.6", "3.7")
def damaged_on_the_way(progress: MoveProgress) -> MoveProgress:
    """The move of a vehicle that is damaged now: what is left of its allowance is halved (4.4.3.2.6)"""
    return msgspec.structs.replace(
        progress,
        cross_country=_halved(progress.cross_country, progress.spent),
        track=_halved(progress.track, progress.spent_route),
        path=_halved(progress.path, progress.spent_route),
        road=_halved(progress.road, progress.spent_route),
    )


def _halved(allowance: int, spent: int) -> int:
    """The allowance with its unspent part halved, rounded down, and never under 1 (3.7)"""
    return allowance if spent >= allowance else max(1, spent + (allowance - spent) // 2)
