"""9.3 Movement Costs of one inch, as its ground is entered stretch by stretch."""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.systems.panzer.mini.going import Footing, Going
from sandtable.systems.panzer.mini.moves import Term
from sandtable.systems.panzer.terrain import TerrainId, Traction

__all__ = ["InchCost"]

BOOK = ("panzer-mini",)
_CREST = TerrainId("crest")


class InchCost:
    """What an inch comes to."""

    def __init__(self, going: Going, traction: Traction, most_height: int) -> None:
        self._going, self._traction, self._most = going, traction, most_height
        self._costs = going.costs(traction)
        self.dearest = 0
        self.ground = "turn"
        self.heights = 0
        """For changes of height, as far as they count (9.3.3)."""
        self._climbed = self._by_route = 0
        """What all changes of height come to, across country and along a route."""
        self.added: list[tuple[str, int]] = []
        """For what lies on the ground (9.3.4)."""
        self.turn = 0
        self.is_reverse = False

    @rule("9.3", "9.3.1", "9.3.3", "9.3.4", "9.5.6", "9.2.3", editions=BOOK)
    def enter(self, before: Footing, now: Footing, height: int, discount: int) -> None:
        """Come from one ground to another: the dearest counts (9.3.1), heights and what lies there are added.

        What all heights of the inch come to is one less along a route, not each of them (9.3.3, 9.5.6).
        """
        going = self._going
        price = self._costs[now.kind] or 0
        if price > self.dearest:
            self.dearest, self.ground = price, going.title(now.kind)
        climbed = abs(now.level - before.level)
        if _CREST in now.slopes and _CREST not in before.slopes:
            climbed += now.slopes.count(_CREST)
        if climbed:
            if now.routes and before.routes:
                self._by_route += climbed * height
            else:
                self._climbed += climbed * height
            self.heights = min(self._most, self._climbed + max(0, self._by_route - discount))
        for number in now.markers:
            if number not in before.markers:
                self.added.append((going.title(going.kind_of(number)), going.adder(number, self._traction) or 0))

    def driving(self) -> int:
        """What it costs to drive it forward."""
        return self.dearest + self.heights + sum(value for _, value in self.added)

    @rule("9.1.3", "9.4.3", editions=BOOK)
    def total(self, reverse: int) -> int:
        """All of it: driving backward costs more, turning does not (9.1.3, 9.4.3)."""
        return self.driving() * (reverse if self.is_reverse else 1) + self.turn

    def terms(self, reverse: int) -> tuple[Term, ...]:
        """What is added to the dearest ground."""
        found = [Term(self.heights, "change of height", "9.3.3")] if self.heights else []
        found += [Term(value, title, "9.3.4") for title, value in self.added if value]
        if self.is_reverse:
            found.append(Term(self.driving() * (reverse - 1), "reverse", "9.1.3"))
        if self.turn:
            found.append(Term(self.turn, "turn of more than 90 degrees", "9.4.1"))
        return tuple(found)
