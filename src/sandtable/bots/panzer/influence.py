"""Who can be at which objective in time, how strong, and what that makes of its points (3.6).

The chance that a side holds an objective at the end follows from the strength that both can bring to it: the points of
its armed vehicles, the less the longer their way. One that comes too late to capture may still contest. Numbers in
lists by objective, because a look ahead asks for them thousands of times.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from math import ceil

from sandtable.bots.panzer.picture import Picture
from sandtable.bots.panzer.travel import FAR
from sandtable.geo.hex import Hex
from sandtable.systems.panzer.hex.state import Unit
from sandtable.systems.panzer.sequence import Phase
from sandtable.systems.panzer.unit import UnitId

__all__ = ["Influence", "reviews_left"]

Strength = tuple[float, float]
"""What a vehicle counts towards being there at all, and towards capturing."""
NOTHING: Strength = (0.0, 0.0)
Force = tuple[dict[UnitId, list[Strength]], list[Strength]]
"""What each of some vehicles counts at every objective, and all of them together."""


def reviews_left(picture: Picture) -> int:
    """How often it is still looked at who stands on the objectives (3.6)."""
    state = picture.state
    if state.ended:
        return 0
    return picture.book.turns - state.turn + (0 if state.phase is Phase.ADJUSTMENT else 1)


class Influence:
    """The strength of both sides at every objective."""

    def __init__(self, picture: Picture) -> None:
        self.picture = picture
        book, state = picture.book, picture.state
        self.reviews = reviews_left(picture)
        self._inertia, self._decay, self._there = picture.weights.inertia, picture.weights.decay, picture.weights.there
        standing = [state.objectives[ground.id] for ground in book.grounds]
        self._holder = [
            1 if now.holder == picture.seat else -1 if now.holder == picture.enemy else 0 for now in standing
        ]
        self._occupied = [(now.occupant, now.turns) for now in standing]
        self._mine_worth = [ground.points[picture.seat] for ground in book.grounds]
        self._their_worth = [ground.points[picture.enemy] for ground in book.grounds]
        self._needed = [ground.turns for ground in book.grounds]
        moment = self.reviews, state.turn, tuple(self._occupied), picture.weights
        self._kept: dict[Hashable, list[Strength]] = book.strengths[moment]
        self._forces: dict[Hashable, Force] = book.forces[moment]
        self.each, self._mine = self._force(picture.armed_and_coming(picture.seat))
        """What each vehicle of the seat counts where it is now."""
        self._theirs = self._force(picture.armed_and_coming(picture.enemy))[1]

    def _force(self, units: list[Unit]) -> Force:
        """What vehicles count where they are now: most stand as they stood in the look before."""
        moves_left = self.picture.moves_left
        key = tuple([(unit.id, unit.hex, unit.damaged, moves_left(unit)) for unit in units])
        found = self._forces.get(key)
        if found is None:
            each = {unit.id: self.strengths(unit, unit.hex) for unit in units}
            found = self._forces[key] = each, _sum(len(self._needed), each.values())
        return found

    def strengths(self, unit: Unit, hex: Hex | None) -> list[Strength]:
        """What a vehicle counts at every objective, from a hex."""
        left = self.picture.moves_left(unit)
        key = unit.card, unit.side, unit.damaged, left, hex if hex is not None else unit.id
        found = self._kept.get(key)
        if found is None:
            found = self._kept[key] = self._strengths(unit, hex, left)
        return found

    def _strengths(self, unit: Unit, hex: Hex | None, left: int) -> list[Strength]:
        picture = self.picture
        weight = picture.book.gunnery.points[unit.card] * (0.5 if unit.damaged else 1.0)
        slow = 2.0 if unit.damaged else 1.0
        found = []
        for index, field in enumerate(picture.book.ways_to_grounds(unit.card)):
            turns = slow * field.get(hex, FAR) if hex is not None else self._from_reserve(unit, field)
            arrival = ceil(turns)
            if arrival > left:
                found.append(NOTHING)
                continue
            strength = weight / (1 + turns) ** self._decay if turns else weight * self._there
            occupant, held = self._occupied[index]
            if turns == 0 and occupant == unit.side:
                in_time = self._needed[index] - held <= self.reviews
            else:
                in_time = max(1, arrival) + self._needed[index] <= self.reviews
            found.append((strength, strength if in_time else 0.0))
        return found

    def _from_reserve(self, unit: Unit, field: dict[Hex, float]) -> float:
        """Turns for a vehicle that still has to come in (4.5.1.1.9)."""
        wait = max(0, unit.enters_turn - self.picture.state.turn)
        return 0.3 + wait + min((field.get(place, FAR) for place in unit.entry), default=FAR)

    def points(self, index: int, present: float, capturing: float) -> float:
        """Points of an objective for the seat, with this strength of its own there."""
        their_present, their_capturing = self._theirs[index]
        holder = self._holder[index]
        if not self.reviews:
            mine, theirs = float(holder > 0), float(holder < 0)
        else:
            mine = capturing / (capturing + their_present + self._inertia)
            theirs = their_capturing / (their_capturing + present + self._inertia)
            if holder > 0:
                spoilt = their_present / (their_present + 2 * present + 4 * self._inertia)
                mine = (1 - theirs) * (1 - 0.5 * spoilt)
            elif holder < 0:
                spoilt = present / (present + 2 * their_present + 4 * self._inertia)
                theirs = (1 - mine) * (1 - 0.5 * spoilt)
        return mine * self._mine_worth[index] - theirs * self._their_worth[index]

    def total(self) -> float:
        """Points of all objectives as things stand."""
        return sum(self.points(index, *mine) for index, mine in enumerate(self._mine))

    def without(self, unit: Unit) -> list[Strength]:
        """The seat's strength everywhere, but for one vehicle."""
        own = self.each.get(unit.id)
        if own is None:
            return self._mine
        return [(max(0.0, a - c), max(0.0, b - d)) for (a, b), (c, d) in zip(self._mine, own, strict=True)]


def _sum(number: int, vehicles: Iterable[list[Strength]]) -> list[Strength]:
    """What vehicles count together at so many objectives, added up in their order."""
    present, capturing = [0.0] * number, [0.0] * number
    for strengths in vehicles:
        for index, (there, in_time) in enumerate(strengths):
            if there:
                present[index] += there
                capturing[index] += in_time
    return list(zip(present, capturing, strict=True))
