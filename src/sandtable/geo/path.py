"""Cheapest ways through a graph of any states.

:func:`cheapest` is Dijkstra's search over whatever a system moves through: hexes, or hexes with a facing,
or hexes with a mode of travel. Costs are whole numbers. The order in which steps are offered decides
between equals, so the same question always has the same answer.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Generic, TypeVar

from sandtable.geo.hex import NEIGHBOURS, Hex

__all__ = ["Reach", "cheapest", "hex_steps"]

T = TypeVar("T", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Reach(Generic[T]):
    """What can be reached, what it costs, and from where."""

    costs: Mapping[T, int]
    """Least cost of every state within the limit, in the order of cost."""
    came_from: Mapping[T, T]
    """The state before, on the cheapest way; starts have none."""

    def way(self, to: T) -> tuple[T, ...]:
        """The states of the cheapest way to ``to``, from its start; empty if it is out of reach."""
        if to not in self.costs:
            return ()
        states = [to]
        while (before := self.came_from.get(states[-1])) is not None:
            states.append(before)
        return tuple(reversed(states))


def cheapest(
    starts: Mapping[T, int] | Iterable[T],
    steps: Callable[[T], Iterable[tuple[T, int]]],
    limit: int | None = None,
    until: Callable[[T], bool] | None = None,
) -> Reach[T]:
    """The states within ``limit`` of the starts; stops early at the first for which ``until`` holds.

    ``steps`` offers the states next to one and the cost, 0 or more, of going there. Starts may have costs of their own.
    """
    best: dict[T, int] = dict(starts) if isinstance(starts, Mapping) else dict.fromkeys(starts, 0)
    settled: dict[T, int] = {}
    came_from: dict[T, T] = {}
    heap: list[tuple[int, int, T]] = []
    for start, cost in best.items():
        heappush(heap, (cost, len(heap), start))
    count = len(heap)
    while heap:
        cost, _, state = heappop(heap)
        if state in settled:
            continue
        if limit is not None and cost > limit:
            break
        settled[state] = cost
        if until is not None and until(state):
            break
        for beyond, price in steps(state):
            total = cost + price
            if (limit is None or total <= limit) and (beyond not in best or total < best[beyond]):
                best[beyond] = total
                came_from[beyond] = state
                # The count keeps equals in the order in which they were found and states from being compared.
                heappush(heap, (total, count, beyond))
                count += 1
    return Reach(settled, {state: came_from[state] for state in settled if state in came_from})


def hex_steps(cost: Callable[[Hex, int, Hex], int | None]) -> Callable[[Hex], Iterable[tuple[Hex, int]]]:
    """Steps from hex to hex for :func:`cheapest`; ``cost(from, direction, to)`` is ``None`` where there is no way."""

    def steps(hex: Hex) -> Iterable[tuple[Hex, int]]:
        for direction, beyond in enumerate(NEIGHBOURS[hex]):
            price = cost(hex, direction, beyond)
            if price is not None:
                yield beyond, price

    return steps
