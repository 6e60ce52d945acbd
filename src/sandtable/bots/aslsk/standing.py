"""What it is worth to stand somewhere: ground, cover, fields of fire, company, and the way that is left to go."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sandtable.bots.aslsk.barrage import STANDING
from sandtable.bots.aslsk.book import FAR, TURN_MARCH
from sandtable.bots.aslsk.leaving import hope_to_leave, ways_off, ways_to_score
from sandtable.bots.aslsk.sketch import Sketch
from sandtable.bots.aslsk.watching import stand_value
from sandtable.bots.explain import Reason
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.pieces.state import Unit, UnitId, WeaponId

__all__ = ["Party", "urgency"]

FAR_FROM_GOAL, FAR_FROM_HELD, UNDER_FIRE = "way to the goal", "way to what must be held", "under fire there"
FAR_FROM_EXIT, OFF_IN_TIME = "way off the map", "off the map in time"
SQUAD = 2.0
"""Points of a plain squad, by which others are measured."""


def urgency(sketch: Sketch, turns: float) -> float:
    """How much ground counts: more, the less time is left beyond the march that it takes."""
    slack = sketch.turns_left() - turns - 1.5
    return max(sketch.weights.calm, min(2.5, 1.6 - 0.3 * slack))


class Party:
    """Units that go or stay together, and what places are worth to them."""

    def __init__(self, sketch: Sketch, units: Sequence[Unit]) -> None:
        self.sketch = sketch
        self.units = units
        self.price = self.fp = squads = 0.0
        self.mmc: list[Unit] = []
        self.charges: list[WeaponId] = []
        self.flames: list[WeaponId] = []
        self.names: set[UnitId] = set()
        self.reach = morale = 0
        for unit in units:
            kit = sketch.kit(unit)
            self.price += sketch.price(unit)
            self.names.add(unit.id)
            morale += kit.morale
            if kit.is_mmc:
                self.mmc.append(unit)
                squads += kit.worth
            for shot in kit.shots:
                self.fp += shot
            self.reach = max(self.reach, kit.reach)
            self.charges += kit.charges
            self.flames += kit.flames
        self.morale = round(morale / len(units))
        self.size = squads / SQUAD or 0.3 * len(units)
        self._values: dict[Hex, float] = {}
        self._marches: list[tuple[str, float, dict[Hex, float]]] | None = None
        self._dangers: dict[Hex, float] | None = None
        self._off = ways_off(sketch, units) if sketch.gates else frozenset[Hex]()
        self._scores, self._outs = ways_to_score(sketch, units) if sketch.gates else (0.0, frozenset[Hex]())
        hex = units[0].hex
        self._wanted = sketch.errand(units)
        self._urgency = urgency(sketch, sketch.turns_to_win(hex, self._wanted))
        self._hurry = urgency(sketch, sketch.turns_to(hex, self._off)) if self._off else 0.0

    def terms(self, hex: Hex) -> list[tuple[str, float]]:
        """What speaks for and against standing in a hex, in points."""
        sketch = self.sketch
        weights = sketch.weights
        if self._marches is None:
            self._marches = list(self._far_from())
        found = [(what, points * (march.get(hex, FAR) / TURN_MARCH)) for what, points, march in self._marches]
        if self._scores:
            found.append((OFF_IN_TIME, self._scores * hope_to_leave(sketch, sketch.turns_to(hex, self._outs))))
        if self.mmc:
            found += self._ground(hex)
        if self._dangers is None:
            self._dangers = sketch.threats(STANDING, self.morale)
        danger = self._dangers.get(hex)
        if danger is None:
            danger = sketch.threat(hex, STANDING, self.morale)
        if danger:
            plan = sketch.plan()
            danger *= plan.standing(sketch) if plan is not None else 1.0
            found.append((UNDER_FIRE, -weights.stand * danger * self.price * sketch.style.care))
            there = sketch.there.get(hex)
            crowd = (
                sum([one.side == sketch.seat and one.id not in self.names and not one.broken for one in there])
                if there
                else 0
            )
            if crowd:
                found.append(("crowded", -weights.crowd * crowd * danger * 4))
        if not self.mmc:
            found.append(("company", weights.company * self._followers(hex)))
        return found

    def _ground(self, hex: Hex) -> list[tuple[str, float]]:
        """What a hex is worth to squads: ground that is taken, held or under their fire, and whom they fire at."""
        sketch, weights = self.sketch, self.sketch.weights
        found: list[tuple[str, float]] = []
        prize = sketch.prized().get(hex)
        if prize:
            found.append(("takes ground", prize))
        held = sketch.held_value(hex)
        if held:
            found.append(("holds ground", weights.hold * min(1.5, held / 4) * self._company(hex)))
        watched = stand_value(sketch, self.mmc, hex) if sketch.book.watches else 0.0
        if watched:
            found.append(("fire on ground that counts", watched))
        field = sketch.field_of_fire(hex, self.fp, self.reach)
        if self.flames:
            field = max(field, sketch.flames(hex))
        if field:
            found.append(("field of fire", weights.field * field))
        return found

    def _far_from(self) -> Iterator[tuple[str, float, dict[Hex, float]]]:
        """What they want to be near: the points for a turn of march to it, and how far it is from every hex."""
        sketch = self.sketch
        nearer, drive = sketch.weights.nearer, sketch.style.drive
        wanted, guard = self._wanted, sketch.guarded()
        if wanted:
            yield FAR_FROM_GOAL, -(nearer * self._urgency * drive * self.size), sketch.march(wanted)
        if self._off:
            yield FAR_FROM_EXIT, -(nearer * self._hurry * drive * self.size), sketch.march(self._off)
        if guard:
            share = 0.3 if wanted else 0.7
            yield FAR_FROM_HELD, -nearer * share * self.size, sketch.march(guard)

    def pace(self) -> float:
        """Points that a turn of march is worth to them."""
        if self._marches is None:
            self._marches = list(self._far_from())
        return -sum([points for _, points, _ in self._marches])

    def value(self, hex: Hex) -> float:
        """The sum."""
        found = self._values.get(hex)
        if found is None:
            found = 0.0
            for _, points in self.terms(hex):
                found += points
            self._values[hex] = found
        return found

    def _company(self, hex: Hex) -> float:
        """How much another squad adds to a place: less, if it is held already."""
        sketch = self.sketch
        hexes = sketch.book.parts_of.get(hex, {hex}) if sketch.weights.whole else {hex}
        others = [
            unit
            for near in hexes
            for unit in sketch.there.get(near, ())
            if unit.side == sketch.seat
            and unit.id not in self.names
            and unit.good_order
            and sketch.context.card(unit).is_mmc
        ]
        return 1.0 if not others else 0.35

    def _followers(self, hex: Hex) -> float:
        """Whom a leader alone would find: troops to lead, broken ones to rally."""
        sketch = self.sketch
        total = 0.0
        for unit in sketch.there.get(hex, ()):
            if unit.side == sketch.seat and unit.id not in self.names:
                if sketch.context.card(unit).is_mmc:
                    total += 2.5 if unit.broken else 1.0
                else:
                    total -= 0.8
        return min(4.0, total)

    def reasons(self, hex: Hex) -> list[Reason]:
        """The terms for a person to read."""
        sketch = self.sketch
        details = {
            FAR_FROM_GOAL: f"{sketch.turns_to(hex, self._wanted):.1f} turns from the goal",
            FAR_FROM_HELD: f"{sketch.turns_to(hex, sketch.guarded()):.1f} turns from what must be held",
            FAR_FROM_EXIT: f"{sketch.turns_to(hex, self._off):.1f} turns from the way off the map",
            OFF_IN_TIME: f"{sketch.turns_to(hex, self._outs):.1f} turns from where leaving counts",
            UNDER_FIRE: f"{sketch.threat(hex, STANDING, self.morale):.0%} of it lost under fire there",
        }
        terms = [(details.get(what, what), points) for what, points in self.terms(hex) if abs(points) >= 0.05]
        return [Reason(what, round(points, 2)) for what, points in terms]
