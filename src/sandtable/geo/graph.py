"""A graph whose places are numbered once, and cheapest ways through it by buckets.

:func:`sandtable.geo.path.cheapest` asks for the steps from every state that it comes to, keeps states in dicts and its
front in a heap. Where the same ground is searched again and again, a :class:`Graph` has its steps listed beforehand and
works with numbers; whole costs need no heap, for what costs the same lies in one bucket. Its answers are those of
:func:`cheapest`, in the same order, and between equal ways it chooses the same one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from typing import Generic, TypeVar

from sandtable.geo.path import Reach

__all__ = ["Graph"]

T = TypeVar("T", bound=Hashable)
_FAR = 1 << 60


class Graph(Generic[T]):
    """Places and the steps between them, with whole costs of 0 or more."""

    __slots__ = ("_number", "_steps", "places")

    def __init__(self, places: Iterable[T], steps: Callable[[T], Iterable[tuple[T, int]]]) -> None:
        self.places: tuple[T, ...] = tuple(dict.fromkeys(places))
        """All of them; steps to any other are left out."""
        self._number: dict[T, int] = {place: number for number, place in enumerate(self.places)}
        self._steps: list[tuple[tuple[int, int], ...]] = [
            tuple((self._number[beyond], price) for beyond, price in steps(place) if beyond in self._number)
            for place in self.places
        ]

    def cheapest(
        self, starts: Mapping[T, int] | Iterable[T], limit: int | None = None, closed: Collection[T] = ()
    ) -> Reach[T]:
        """The places within ``limit`` of the starts, without entering those that are ``closed``."""
        best = [_FAR] * len(self.places)
        came_from = [-1] * len(self.places)
        most = _FAR - 1 if limit is None else limit
        # What is closed looks as if it had been reached for less than nothing, so no step improves on it.
        for place in closed:
            if place in self._number:
                best[self._number[place]] = -1
        buckets: list[list[int]] = []
        costs = dict(starts) if isinstance(starts, Mapping) else dict.fromkeys(starts, 0)
        for place, cost in costs.items():
            number = self._number[place]
            best[number] = cost
            _bucket(buckets, cost).append(number)
        settled = self._spread(buckets, best, came_from, most)
        places = self.places
        return Reach(
            {places[number]: cost for number, cost in settled.items()},
            {places[number]: places[came_from[number]] for number in settled if came_from[number] >= 0},
        )

    def _spread(self, buckets: list[list[int]], best: list[int], came_from: list[int], most: int) -> dict[int, int]:
        """Cost by number of all that is reached, the cheapest first."""
        steps, settled, cost = self._steps, dict[int, int](), 0
        while cost < len(buckets) and cost <= most:
            # Steps that cost nothing add to the bucket while it is read.
            for number in buckets[cost]:
                if number in settled or best[number] < cost:
                    continue
                settled[number] = cost
                for beyond, price in steps[number]:
                    total = cost + price
                    if total < best[beyond] and total <= most:
                        best[beyond] = total
                        came_from[beyond] = number
                        while len(buckets) <= total:
                            buckets.append([])
                        buckets[total].append(beyond)
            cost += 1
        return settled


def _bucket(buckets: list[list[int]], cost: int) -> list[int]:
    while len(buckets) <= cost:
        buckets.append([])
    return buckets[cost]
