"""Line of sight (3.5.1, 4.1.4, 4.1.4.1.3, 4.1.4.1.5.1, 4.1.4.1.6 to 4.1.4.1.9, 4.1.4.2, 4.1.4.2.1 to 4.1.4.2.4).

The line runs from centre to centre. Every hex between the ends and every hexside on the way is an obstacle of a
certain Height, which is compared with the Heights of both vehicles; roads through buildings and trees, continuous
slopes and sunken beds are the exceptions. :func:`line_of_sight` keeps the verdict on everything that the line meets,
so that each "blocked" is explained. Vehicles, wrecks and smoke take no part (4.1.4.1, 4.1.4.1.8, 4.1.4.1.9): sight
depends on the ground alone. Everything is judged from the higher vehicle, so it is the same in both directions.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from sandtable.core.content.rule import rule
from sandtable.geo.hex import Hex, opposite
from sandtable.geo.hexside import SIDES, Hexside, side_between, translate_side
from sandtable.geo.sight import HexSight, Profile
from sandtable.systems.panzer.hex.sight.sightline import Barrier, Between, How, Sightline, sightline
from sandtable.systems.panzer.hex.sight.survey import MapHex, Survey

__all__ = ["LineOfSight", "SightStep", "Sighting", "Verdict", "line_of_sight"]


class Verdict(NamedTuple):
    """What one obstacle does to a line."""

    blocks: bool
    rule: str
    top: int
    name: str
    reason: str
    zone: int | None = None
    """Hexes hidden behind it, where that had to be worked out (4.1.4.2.4)."""


class SightStep(msgspec.Struct, frozen=True, kw_only=True):
    """One hex or hexside that the line meets, with the verdict on it."""

    label: str
    hex: Hex | None = None
    side: Hexside | None = None
    how: How
    name: str
    """What stands there, "" for open ground."""
    ground: int
    top: int
    range_a: int
    range_b: int
    zone: int | None = None
    blocks: bool
    rule: str
    reason: str


class LineOfSight(HexSight, frozen=True, kw_only=True):
    """All about the line between two hexes."""

    label_a: str
    label_b: str
    at_label: str = ""
    """Label of the hex or hexside that blocks."""
    steps: tuple[SightStep, ...] = ()
    """Everything that the line meets, from ``a`` to ``b``."""

    @property
    def rule(self) -> str:
        """Number of the decisive rule, "" for a line that meets nothing."""
        return self.rules[0] if self.rules else ""


class Sighting(NamedTuple):
    """A line between two hexes of a map and the Heights of vehicles at its ends."""

    survey: Survey
    a: Hex
    b: Hex
    line: Sightline
    low: int
    high: int
    a_is_high: bool

    @classmethod
    def of(cls, survey: Survey, a: Hex, b: Hex, up_a: int = 0, up_b: int = 0) -> Sighting:
        """The line from ``a`` to ``b``, or from and to floors so many Heights up in their buildings (6.1.4.3.1)."""
        height_a, height_b = survey.places[a].height + up_a, survey.places[b].height + up_b
        line = sightline(b[0] - a[0], b[1] - a[1])
        return cls(survey, a, b, line, min(height_a, height_b), max(height_a, height_b), height_a >= height_b)

    def is_blocked(self) -> bool:
        """Whether anything that the line meets blocks it."""
        for met in self.line.met():
            if isinstance(met, Between):
                if self.of_hex(met).blocks:
                    return True
            elif any(verdict.blocks for _, verdict in self.of_barrier(met)):
                return True
        return self.sunken() is not None

    @rule("4.1.4.1.2", "4.1.4.2")
    def of_hex(self, at: Between) -> Verdict:
        """What a hex between the ends does to the line (4.1.4.2)"""
        hex = self.a + at.hex
        place = self.survey.places.get(hex)
        if place is None:
            return Verdict(False, "4.1.4.1.1", 0, "", "off the mapboards")
        top, name = place.obstacle, place.obstacle_name
        if top > self.low and top > 0:
            if place.opened < top and self._follows_route(hex):
                top, name = place.opened, place.opened_name
                if top <= max(self.low, 0):
                    reason = f"a Road or Path runs straight through the {place.obstacle_name}"
                    return Verdict(False, place.obstacle_rule, top, name, reason)
            if place.bare and self.high > self.low and self._is_continuous_slope(place, at):
                return Verdict(False, "4.1.4.1.5.1", top, name, "part of a Continuous Slope")
        return self._by_height(top, name, at.from_a if self.a_is_high else at.from_b)

    @rule("4.1.4.1.5", "4.1.4.1.10", "4.1.4.2.6")
    def of_barrier(self, barrier: Barrier) -> tuple[tuple[Hexside, Verdict], ...]:
        """What obstacle hexsides on the way do to the line (4.1.4.1.5, 4.1.4.1.10, 4.1.4.2.6)"""
        sides = [translate_side(side, self.a) for side in barrier.sides]
        found = [(side, self.survey.sides.get(side)) for side in sides]
        verdicts = []
        for side, facts in found:
            if facts is None or facts.obstacle is None:
                # Of two hexsides that meet the line in a vertex one alone does not close it.
                return ()
            near = barrier.from_a if self.a_is_high else barrier.from_b
            verdicts.append((side, self._by_height(facts.obstacle, facts.obstacle_name, near)))
        return tuple(verdicts)

    @rule("4.1.4.1.6")
    def sunken(self) -> Verdict | None:
        """Out of a gully, ford or stream one sees adjacent hexes, higher ground and along the bed (4.1.4.1.6)

        From a bed to ground one Height above it, and from one bed to another of the same Height, only adjacent hexes
        are seen, unless the line stays in gully or stream hexes all the way.
        """
        one, other = self.survey.places[self.a], self.survey.places[self.b]
        rise = self.high - self.low
        if rise > 1 or self.line.range_hexes <= 1:
            return None
        lower = other if self.a_is_high else one
        if not lower.sunken or (rise == 0 and not (one.sunken and other.sunken)):
            return None
        if one.channel and other.channel and all(self._is_channel(station) for station in self.line.stations[1:-1]):
            return None
        name = next(row.title for row in lower.footing if row.height < 0)
        reason = f"from the {name} at Height {self.low} only adjacent hexes at Height {self.high} are seen"
        return Verdict(True, "4.1.4.1.6", lower.height, name, reason)

    def _is_channel(self, station: tuple[Hex, ...]) -> bool:
        places = (self.survey.places.get(self.a + hex) for hex in station)
        return all(place is not None and place.channel for place in places)

    @rule("4.1.4.1.3", "4.1.4.1.7")
    def _follows_route(self, hex: Hex) -> bool:
        """Whether the line follows a Road or Path straight through the hex (4.1.4.1.3, 4.1.4.1.7)"""
        direction = self.line.direction
        if direction is None:
            return False
        sides = SIDES[hex]
        openings = self.survey.openings
        return sides[direction] in openings and sides[opposite(direction)] in openings

    @rule("4.1.4.1.5.1")
    def _is_continuous_slope(self, place: MapHex, at: Between) -> bool:
        """Whether the ground falls over Slopes into this hex and on out of it, seen from above (4.1.4.1.5.1)"""
        above, below = (at.before, at.after) if self.a_is_high else (at.after, at.before)
        return all(self._slopes(self.a + hex, place.hex) for hex in above) and all(
            self._slopes(place.hex, self.a + hex) for hex in below
        )

    def _slopes(self, upper: Hex, lower: Hex) -> bool:
        side = side_between(upper, lower)
        facts = None if side is None else self.survey.sides.get(side)
        over, under = self.survey.places.get(upper), self.survey.places.get(lower)
        if facts is None or over is None or under is None:
            return False
        return facts.slope and over.level > under.level

    @rule("4.1.4.1.1", "4.1.4.2.1", "4.1.4.2.2", "4.1.4.2.3")
    def _by_height(self, top: int, name: str, from_high: int) -> Verdict:
        """The four cases: compare the obstacle with both vehicles (4.1.4.2.1 to 4.1.4.2.4)"""
        if top <= 0:
            return Verdict(False, "4.1.4.1.1", top, name, "Height 0 or less does not block")
        if top <= self.low:
            return Verdict(False, "4.1.4.2.3", top, name, "not higher than either vehicle")
        if top > self.high:
            return Verdict(True, "4.1.4.2.1", top, name, "higher than both vehicles")
        if top == self.high:
            return Verdict(True, "4.1.4.2.2", top, name, "as high as one vehicle and higher than the other")
        return self._blind_zone(top, name, from_high)

    @rule("4.1.4.2.4", "4.1.4.2.4.1")
    def _blind_zone(self, top: int, name: str, from_high: int) -> Verdict:
        """Whether the lower vehicle is in the blind zone behind the obstacle (4.1.4.2.4)"""
        zone = self.survey.blind_zones.zone(self.high - top, self.low, from_high)
        last = from_high + zone
        blocks = from_high < self.line.range_hexes <= last
        hidden = f"{from_high + 1}" if zone == 1 else f"{from_high + 1}-{last}"
        reason = f"hides range {hidden} from the higher vehicle, which is at range {self.line.range_hexes}"
        cited = "4.1.4.2.4" if self.low == 0 else "4.1.4.2.4.1"
        return Verdict(blocks, cited, top, name, reason, zone)


@rule("3.5", "3.5.1", "4.1.4", "4.1.4.1", "4.1.4.1.8", "4.1.4.1.9")
def line_of_sight(survey: Survey, a: Hex, b: Hex, up_a: int = 0, up_b: int = 0) -> LineOfSight:
    """The line from ``a`` to ``b`` with every obstacle considered, worked out anew (4.1.4)"""
    sighting = Sighting.of(survey, a, b, up_a, up_b)
    steps = _steps(sighting)
    one, other = survey.places[a], survey.places[b]
    sunken = sighting.sunken()
    blocking = next((step for step in steps if step.blocks), None)
    at: Hex | None = None
    side: Hexside | None = None
    by, reason, rules, at_label = "", "", _passed(steps, one, other), ""
    if sunken is not None:
        at = b if sighting.a_is_high else a
        by, reason, rules, at_label = sunken.name, sunken.reason, (sunken.rule,), survey.label(at)
    elif blocking is not None:
        at, side, by, at_label = blocking.hex, blocking.side, blocking.name, blocking.label
        reason = f"{by} at Height {blocking.top} in {at_label}: {blocking.reason}"
        rules = (blocking.rule, *_tie_rules(blocking))
    return LineOfSight(
        a=a,
        b=b,
        label_a=one.label,
        label_b=other.label,
        range_hexes=sighting.line.range_hexes,
        blocked=sunken is not None or blocking is not None,
        at=side.hex if side is not None else at,
        at_side=side,
        at_label=at_label,
        by=by,
        reason=reason,
        height_a=one.height + up_a,
        height_b=other.height + up_b,
        profile=tuple(Profile(step.hex, step.ground, step.top, step.name, step.side) for step in steps),
        rules=rules,
        steps=steps,
    )


def _passed(steps: tuple[SightStep, ...], one: MapHex, other: MapHex) -> tuple[str, ...]:
    """The rules under which a clear line passes what stands on its way and at its ends."""
    found = [step.rule for step in steps if step.name and step.how is not How.END]
    if not (one.bare and other.bare):
        found.append("4.1.4.2.5")
    return tuple(dict.fromkeys(found))


def _tie_rules(step: SightStep) -> tuple[str, ...]:
    return ("4.1.4.2.6",) if step.how not in (How.THROUGH, How.ACROSS) else ()


def _steps(sighting: Sighting) -> tuple[SightStep, ...]:
    """Everything that the line meets, the ends included, in order from ``a``."""
    steps = [_end(sighting, sighting.a)]
    for met in sighting.line.met():
        if isinstance(met, Between):
            if sighting.a + met.hex in sighting.survey.places:
                steps.append(_hex_step(sighting, met))
        else:
            steps += [_side_step(sighting, met, side, verdict) for side, verdict in sighting.of_barrier(met)]
    if sighting.a != sighting.b:
        steps.append(_end(sighting, sighting.b))
    return tuple(steps)


def _end(sighting: Sighting, hex: Hex) -> SightStep:
    """A vehicle's own hex does not hide it (4.1.4.2.5)"""
    place = sighting.survey.places[hex]
    first = hex == sighting.a
    return SightStep(
        label=place.label,
        hex=hex,
        how=How.END,
        name=place.obstacle_name,
        ground=place.height,
        top=max(place.obstacle, place.height),
        range_a=0 if first else sighting.line.range_hexes,
        range_b=sighting.line.range_hexes if first else 0,
        blocks=False,
        rule="4.1.4.2.5",
        reason="one sees into and out of the first hex",
    )


def _hex_step(sighting: Sighting, at: Between) -> SightStep:
    place = sighting.survey.places[sighting.a + at.hex]
    verdict = sighting.of_hex(at)
    return SightStep(
        label=place.label,
        hex=place.hex,
        how=at.how,
        name=verdict.name if verdict.blocks else place.obstacle_name,
        ground=place.height,
        top=verdict.top if verdict.blocks else place.obstacle,
        range_a=at.from_a,
        range_b=at.from_b,
        zone=verdict.zone,
        blocks=verdict.blocks,
        rule=verdict.rule,
        reason=verdict.reason,
    )


def _side_step(sighting: Sighting, barrier: Barrier, side: Hexside, verdict: Verdict) -> SightStep:
    facts = sighting.survey.sides[side]
    return SightStep(
        label=sighting.survey.label(side),
        side=side,
        how=barrier.how,
        name=verdict.name,
        ground=facts.ground,
        top=verdict.top,
        range_a=barrier.from_a,
        range_b=barrier.from_b,
        zone=verdict.zone,
        blocks=verdict.blocks,
        rule=verdict.rule,
        reason=verdict.reason,
    )
