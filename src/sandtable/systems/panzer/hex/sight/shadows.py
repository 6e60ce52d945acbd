"""Fields of sight, worked out whole: what every obstacle hides from a hex (4.1.4, 4.1.4.1.5.1, 4.1.4.1.6, 4.1.4.2).

The hexes of the map are put in the order of their bearings from the origin and become bits of a number. What an
obstacle stands in front of is then one run of bits among those that are farther away; which of these it hides
follows from their Heights and ranges, which are bits too. So no line is walked: an obstacle is compared once with all
the lines that it meets. The answers are those of :mod:`~sandtable.systems.panzer.hex.sight.los`, which explains one
line at a time; it also judges the few lines for which a rule looks at several hexes together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sandtable.core.content.rule import rule
from sandtable.geo.compass import compass
from sandtable.geo.hex import Hex, distance, straight_line
from sandtable.geo.hexside import SIDES, hexes_of
from sandtable.systems.panzer.hex.sight.los import Sighting
from sandtable.systems.panzer.hex.sight.survey import MapHex, Survey

__all__ = ["Shadows"]

_ORIGIN = Hex(0, 0)


class _Obstacle(NamedTuple):
    """A hex that stands in the way of lines."""

    q: int
    r: int
    top: int
    opened: int
    """Height for a line that follows a road or path through it ..."""
    routes: tuple[int, ...]
    """... in one of these directions."""
    rising: tuple[int, ...]
    """Directions in which the ground rises from it over a Slope, if it also falls over one ..."""
    falling: tuple[int, ...]


class _Fence(NamedTuple):
    """A hexside that stands in the way of lines."""

    q: int
    r: int
    direction: int
    top: int


class _Effect(NamedTuple):
    """What an obstacle of one Height does to the hexes behind it."""

    hidden: int
    """Hexes that it hides at any range (4.1.4.2.1, 4.1.4.2.2)."""
    lower: tuple[tuple[int, int], ...]
    """Heights below it, lower than the origin, and the hexes with vehicles at that Height: it has a blind zone."""
    higher: tuple[tuple[int, int], ...]
    """Heights above it, with the origin below: the origin may lie in its blind zone."""


class Shadows:
    """Works out the fields of sight of a map."""

    def __init__(self, survey: Survey) -> None:
        self.survey = survey
        self.hexes = list(survey.places)
        self.heights = [place.height for place in survey.places.values()]
        columns, half_rows = [hex[0] for hex in self.hexes], [2 * hex[1] + hex[0] for hex in self.hexes]
        self.compass = compass(max(columns) - min(columns), max(half_rows) - min(half_rows))
        self.indices = [self.compass.index(hex) for hex in self.hexes]
        # Nothing up to the lower vehicle's Height, or up to 0, blocks (4.1.4.1.1, 4.1.4.2.3).
        floor = max(0, min(self.heights))
        slopes = self._slopes()
        obstacles = [
            self._obstacle(place, slopes.get(place.hex, {}))
            for place in survey.places.values()
            if place.obstacle > floor
        ]
        # Those that slopes excuse come last: the others leave fewer lines to look at.
        self.obstacles = sorted(obstacles, key=lambda obstacle: bool(obstacle.rising))
        self.fences = [
            _Fence(*side.hex, side.dir, facts.obstacle)
            for side, facts in survey.sides.items()
            if facts.obstacle is not None and facts.obstacle > floor
        ]
        self.sunken = [place.hex for place in survey.places.values() if place.sunken]
        self.channels = [place.hex for place in survey.places.values() if place.channel]

    def _slopes(self) -> dict[Hex, dict[int, int]]:
        """How much the ground rises from hexes over Slopes, by their directions."""
        found: dict[Hex, dict[int, int]] = {}
        places = self.survey.places
        for side, facts in self.survey.sides.items():
            one, other = hexes_of(side)
            if facts.slope and one in places and other in places:
                rise = places[other].level - places[one].level
                found.setdefault(one, {})[side.dir] = rise
                found.setdefault(other, {})[side.dir + 3] = -rise
        return found

    def _obstacle(self, place: MapHex, slopes: Mapping[int, int]) -> _Obstacle:
        routes: tuple[int, ...] = ()
        rising: tuple[int, ...] = ()
        falling: tuple[int, ...] = ()
        if place.opened < place.obstacle:
            sides, openings = SIDES[place.hex], self.survey.openings
            routes = tuple(way for way in range(6) if sides[way] in openings and sides[(way + 3) % 6] in openings)
        if place.bare:
            rising = tuple(way for way, rise in slopes.items() if rise > 0)
            falling = tuple(way for way, rise in slopes.items() if rise < 0)
        excused = rising and falling
        return _Obstacle(
            *place.hex, place.obstacle, place.opened, routes, rising if excused else (), falling if excused else ()
        )

    @rule("4.1.4")
    def field(self, origin: Hex) -> frozenset[Hex]:
        """The hexes in line of sight of a hex, itself among them (4.1.4)"""
        return _Outlook(self, origin).field()


class _Outlook:
    """The map as seen from one hex."""

    def __init__(self, shadows: Shadows, origin: Hex) -> None:
        self.shadows = shadows
        self.survey = shadows.survey
        self.compass = shadows.compass
        self.origin = origin
        self.place = shadows.survey.places[origin]
        bit, base = self.compass.bit, self.compass.middle - self.compass.index(origin)
        self.bits = [bit[base + index] for index in shadows.indices]
        """The bits of the hexes of the map."""
        self.at_height = self.compass.gather(zip(self.bits, shadows.heights, strict=True))
        self.left = sum(self.at_height.values())
        """The hexes that nothing found so far hides."""
        self.doubtful = 0
        """Hexes whose lines are to be judged by themselves."""
        own = self.place.height
        self._down = sum(there for height, there in self.at_height.items() if height < own)
        self._up = sum(there for height, there in self.at_height.items() if height > own)
        self._effects: dict[int, _Effect] = {}

    def field(self) -> frozenset[Hex]:
        """The hexes that nothing hides."""
        self._hide_behind_hexes()
        for fence in self.shadows.fences:
            self._hide_behind(fence)
        self._hide_sunken()
        seen = self._hexes(self.left)
        if self.left & self.doubtful:
            judged = self._hexes(self.left & self.doubtful)
            seen -= {hex for hex in judged if Sighting.of(self.survey, self.origin, hex).is_blocked()}
        return seen

    def _hexes(self, bits: int) -> frozenset[Hex]:
        """The hexes of some bits."""
        found = bits.to_bytes(len(self.compass.bearings) // 8 + 1, "little")
        return frozenset(
            [hex for hex, bit in zip(self.shadows.hexes, self.bits, strict=True) if found[bit >> 3] >> (bit & 7) & 1]
        )

    def _bits_of(self, hexes: Sequence[Hex]) -> int:
        q, r = self.origin
        return sum(self.compass.bit_of(hex[0] - q, hex[1] - r) for hex in hexes)

    def _hide_behind_hexes(self) -> None:
        """What the hexes of the map hide (4.1.4.2)"""
        aq, ar = self.origin
        behind, beyond, bits, left = self.compass.behind, self.compass.beyond, self.compass.bits, self.left
        for obstacle in self.shadows.obstacles:
            hq, hr, top, _, routes, rising, _ = obstacle
            if hq == aq and hr == ar:
                continue
            far, start, end = behind(hq - aq, hr - ar)
            shadow = left & ((1 << end) - (1 << start) if start <= end else bits((start, end))) & beyond[far]
            if not shadow:
                continue
            opened = self._opened(obstacle) & shadow if routes else 0
            hidden = self._hidden(top, far, far, shadow ^ opened)
            if opened:
                hidden |= self._hidden(obstacle.opened, far, far, opened)
            if hidden and rising:
                hidden = self._unexcused(obstacle, hidden)
            left ^= hidden
        self.left = left

    @rule("4.1.4.1.1", "4.1.4.2.1", "4.1.4.2.2", "4.1.4.2.3", "4.1.4.2.4", "4.1.4.2.4.1")
    def _hidden(self, top: int, near: int, far: int, shadow: int) -> int:
        """What an obstacle hides of the hexes behind it (4.1.4.2.1 to 4.1.4.2.4)

        ``near`` is its range from the origin; it is ``far`` hexes nearer to what is behind it than the origin is.
        """
        effect = self._effects.get(top) or self._effect(top)
        found = shadow & effect.hidden
        zones, height, farther = self.survey.blind_zones, self.place.height, self.compass.farther
        for lower, there in effect.lower:
            if shadow & there:
                last = near + zones.zone(height - top, lower, near)
                found |= shadow & there & (farther(near) ^ farther(last))
        for higher, there in effect.higher:
            if shadow & there:
                least = zones.least_range(higher - top, height, far)
                if least is not None:
                    found |= shadow & there & farther(least + far - 1)
        return found

    def _effect(self, top: int) -> _Effect:
        hidden, own = 0, self.place.height
        lower: list[tuple[int, int]] = []
        higher: list[tuple[int, int]] = []
        for height, there in self.at_height.items():
            if top > max(0, min(own, height)):
                if top >= max(own, height):
                    hidden |= there
                else:
                    (lower if height < own else higher).append((height, there))
        found = self._effects[top] = _Effect(hidden, tuple(lower), tuple(higher))
        return found

    @rule("4.1.4.1.3", "4.1.4.1.7")
    def _opened(self, obstacle: _Obstacle) -> int:
        """The hexes seen along a Road or Path straight through an obstacle (4.1.4.1.3, 4.1.4.1.7)"""
        hex = Hex(obstacle.q, obstacle.r)
        if straight_line(self.origin, hex) not in obstacle.routes:
            return 0
        return self.compass.bits(self.compass.in_line(*(hex - self.origin)))

    @rule("4.1.4.1.5.1")
    def _unexcused(self, obstacle: _Obstacle, hidden: int) -> int:
        """What bare ground hides but where it is part of a Continuous Slope (4.1.4.1.5.1)"""
        in_from_above, out_to_above = self._crossing(obstacle, obstacle.rising)
        in_from_below, out_to_below = self._crossing(obstacle, obstacle.falling)
        excused = (in_from_above & out_to_below & self._down) | (in_from_below & out_to_above & self._up)
        # Lines along hexsides have two hexes at a time before and behind them.
        along = self.compass.rays & (self._down | self._up)
        self.doubtful |= hidden & along
        return hidden & ~(excused | along)

    def _crossing(self, obstacle: _Obstacle, directions: tuple[int, ...]) -> tuple[int, int]:
        """The hexes whose lines enter an obstacle by its sides in some directions, and those whose lines leave."""
        q, r = obstacle.q - self.origin[0], obstacle.r - self.origin[1]
        entering = leaving = 0
        for direction in directions:
            side = self.compass.crossing(q, r, direction)
            if side.leaves:
                leaving |= self.compass.bits(side.run)
            else:
                entering |= self.compass.bits(side.run)
        return entering, leaving

    @rule("4.1.4.1.5", "4.1.4.1.10", "4.1.4.2.6")
    def _hide_behind(self, fence: _Fence) -> None:
        """What an obstacle hexside hides (4.1.4.1.5, 4.1.4.1.10, 4.1.4.2.6)"""
        card = self.compass
        run, _, rays, near, far, behind = card.crossing(
            fence.q - self.origin[0], fence.r - self.origin[1], fence.direction
        )
        # Where a line begins or ends to run along hexsides, it is two of them together that count.
        for ray in rays:
            self.doubtful |= card.bits(ray) & card.farther(near)
        shadow = self.left & card.bits(run)
        if shadow:
            shadow &= card.farther(distance(_ORIGIN, behind)) | card.bit_of(*behind)
            self.left ^= self._hidden(fence.top, near, far, shadow)

    @rule("4.1.4.1.6")
    def _hide_sunken(self) -> None:
        """Out of a gully, ford or stream one sees adjacent hexes, higher ground and along the bed (4.1.4.1.6)"""
        own, at = self.place, self.at_height
        if not self.shadows.sunken:
            return
        sunken = self._bits_of(self.shadows.sunken)
        hidden = sunken & at.get(own.height - 1, 0)
        if own.sunken:
            hidden |= sunken & at[own.height] | at.get(own.height + 1, 0)
        hidden &= self.compass.farther(1)
        if own.channel:
            along = hidden & self._bits_of(self.shadows.channels)
            self.doubtful |= along
            hidden ^= along
        self.left &= ~hidden
