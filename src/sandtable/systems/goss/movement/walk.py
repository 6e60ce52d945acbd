"""A move, step by step: where it may go on, what it has cost, when it is over (7.2-7.6, 7.8, 7.10.3, 7.11).

What a move keeps to decides what it costs and how far it may go (7.6.1e, 7.6.1f, 7.6.2), so a move is reckoned on
several :class:`Track` at once: along good roads only, along any roads, across country. It goes on as long as one of
them bears it.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec

from sandtable.core.content.rule import rule
from sandtable.core.modifier import Breakdown
from sandtable.geo.hex import NEIGHBOURS, Hex
from sandtable.geo.path import Reach, cheapest
from sandtable.systems.goss.movement.barriers import Barriers
from sandtable.systems.goss.movement.front import Front
from sandtable.systems.goss.movement.road_stacking import Joining
from sandtable.systems.goss.movement.ways import END, START, Ferry, Node, StepTable, WayIn
from sandtable.systems.goss.tables.movement_costs import Special

__all__ = ["MoveProgress", "Track", "Walk"]

_Ways = list[tuple[int, tuple[tuple[WayIn, ...], ...]]]
"""What has been spent at every node of a track, and the steps from there."""
_FAR = 1 << 30


class Track(NamedTuple):
    """A way to reckon a move: its steps, what each costs more, and how far it goes."""

    table: StepTable
    allowance: int
    """In sixths of a movement point, or hexes of PA movement."""
    toll: int
    """What every hex costs more, as at night (7.6.1f)."""
    closed: Container[Hex]
    """Hexes that a move of this kind does not enter."""
    told: Breakdown
    ferry: Ferry | None = None
    """Where engineers take the units over a watercourse (17.2.0)."""


class MoveProgress(msgspec.Struct, frozen=True):
    """Where a move stands."""

    hex: Hex
    costs: dict[int, dict[Node, int]]
    """For each track that bears the move, by its number, the nodes that it may stand at, with what it has cost."""
    steps: int = 0
    is_over: bool = False

    def best(self) -> tuple[int, int]:
        """The track that bears the move with most to spare by its order, and what it has cost."""
        index = min(self.costs)
        return index, min(self.costs[index].values())


class Walk:
    """The moves of those who move as one."""

    def __init__(
        self,
        start: Hex,
        tracks: Sequence[Track],
        front: Front,
        barriers: Barriers | None,
        *,
        price_near: int,
        joins: Callable[[Hex], Joining],
        join_price: int,
        counts_points: bool,
        is_commando: bool = False,
        has_minimum: bool = True,
        entry: int | None = None,
    ) -> None:
        self.tracks = tracks
        self.counts_points = counts_points
        """Whether a move costs movement points: PA movement is counted in hexes."""
        self._start = start
        self._entry = entry
        self._is_commando = is_commando
        self._has_minimum = has_minimum
        """Whether the first hex may be entered whatever it costs (7.3.0)."""
        self._front = front
        self._barriers = barriers
        self._closed = front.held if barriers is None else barriers.closed
        self._price_near = price_near
        self._joins = joins
        self._join_price = join_price

    @rule("7.2.0", "21.2.0")
    def start(self) -> MoveProgress:
        """Before the first step; who has just come onto the map has gone one, and paid for it (21.2.0).

        It costs what any hex does, at night and beside enemies, and he halts in it as in any (ruling B-106).
        """
        node = (self._start, START)
        if self._entry is None:
            return MoveProgress(self._start, {index: {node: 0} for index in range(len(self.tracks))})
        spent = self._entry + self._near(self._start)
        paid = ((index, track, spent + track.toll) for index, track in enumerate(self.tracks))
        costs = {index: {node: cost} for index, track, cost in paid if cost <= track.allowance}
        return MoveProgress(self._start, costs, steps=1, is_over=self._stops(self._start))

    def onward(self, place: MoveProgress) -> list[MoveProgress]:
        """The places after every step that may be taken."""
        if place.is_over:
            return []
        ways = self._ways(place)
        closed, found = self._closed, []
        for way, beyond in enumerate(NEIGHBOURS[place.hex]):
            if beyond not in closed:
                after = self._after(place, ways, way, beyond)
                if after is not None:
                    found.append(after)
        return found

    def go(self, place: MoveProgress, way: int) -> MoveProgress | None:
        """The place after a step in a direction; None if the move may not go there."""
        beyond = NEIGHBOURS[place.hex][way]
        if place.is_over or beyond in self._closed:
            return None
        return self._after(place, self._ways(place), way, beyond)

    def _ways(self, place: MoveProgress) -> list[tuple[int, Track, _Ways]]:
        """The tracks that bear the move, with the ways on from each."""
        ways = []
        for index, front in place.costs.items():
            track = self.tracks[index]
            steps = track.table.steps
            ways.append((index, track, [(spent, steps(node)) for node, spent in front.items()]))
        return ways

    def _after(
        self, place: MoveProgress, ways: list[tuple[int, Track, _Ways]], way: int, beyond: Hex
    ) -> MoveProgress | None:
        costs: dict[int, dict[Node, int]] = {}
        joining, near, first = None, 0, place.steps == 0
        for index, track, nodes in ways:
            steps = [(spent, six[way]) for spent, six in nodes if six[way]]
            if not steps:
                continue
            if joining is None:
                if self._is_barred(place.hex, beyond):
                    return None
                joining, near = self._joins(beyond), self._near(beyond)
            taken = self._taken(track, steps, near, joining, first=first)
            # Whether a track is closed there is asked last: it may take long to say who looks into a hex.
            if taken and beyond not in track.closed:
                costs[index] = taken
        return MoveProgress(beyond, costs, place.steps + 1, self._stops(beyond)) if costs else None

    def _is_barred(self, hex: Hex, beyond: Hex) -> bool:
        return self._barriers is not None and self._barriers.bars(hex, beyond) is not None

    def _stops(self, hex: Hex) -> bool:
        """Whether a move ends in a hex: PA movement beside any enemy (5.2.3), every move where it halts (7.7.0)."""
        return hex in self._front.halting or (not self.counts_points and hex in self._front.adjacent)

    @rule("7.3.0")
    def is_minimum(self, way: int) -> bool:
        """Whether the first step of a move is only open because one hex always is, for all that one has (7.3.0)."""
        return self.go(msgspec.structs.replace(self.start(), steps=1), way) is None

    def why_not(self, place: MoveProgress, way: int) -> tuple[str, str]:
        """The rule against a step that may not be taken, and the reason."""
        beyond = NEIGHBOURS[place.hex][way]
        if place.is_over:
            return "7.7.0", "the move halts before it"
        if self._barriers is not None:
            barred = self._barriers.closed_by(beyond) or self._barriers.bars(place.hex, beyond)
            if barred is not None:
                return barred
        joining = self._joins(beyond)
        if joining is Joining.CLOSED:
            return "5.5.5", "a unit in Strat mode is in the way"
        if joining is Joining.BARRED:
            return "7.10.3", "too many Mech units are in the way"
        return "7.2.0", "there is no way, or not enough movement points are left"

    def reach(self, place: MoveProgress, index: int) -> Reach[Node]:
        """All that may be reached from a place on one of the tracks, by cheapest ways."""
        track, starts = self.tracks[index], place.costs.get(index, {})
        is_first = place.steps == 0

        def steps(node: Node) -> Iterator[tuple[Node, int]]:
            hex, is_start = node[0], node in starts
            if place.is_over or (not is_start and self._stops(hex)):
                return
            for beyond, taken in zip(NEIGHBOURS[hex], track.table.steps(node), strict=True):
                if beyond in self._closed or beyond in track.closed or self._is_barred(hex, beyond):
                    continue
                near, joining = self._near(beyond), self._joins(beyond)
                yield from self._taken(track, [(0, taken)], near, joining, first=is_first and is_start).items()

        return cheapest(starts, steps, track.allowance)

    def _near(self, hex: Hex) -> int:
        """What enemies beside a hex add to it."""
        if not self._price_near or hex not in self._front.adjacent:
            return 0
        return self._price_near if self._front.is_dear(hex, is_commando=self._is_commando) else 0

    @rule("7.2.0", "7.3.0")
    def _taken(
        self, track: Track, taken: Iterable[tuple[int, Iterable[WayIn]]], near: int, joining: Joining, *, first: bool
    ) -> dict[Node, int]:
        """The nodes of a track after a step; the first hex may be entered for all that one has (7.3.0).

        Who may not do so whatever it costs enters it if that is just what it takes.
        """
        found: dict[Node, int] = {}
        if joining is Joining.CLOSED:
            return found
        most, dearer, is_free = track.allowance, near + track.toll, joining is Joining.FREE
        for spent, steps in taken:
            for to, price, is_open in steps:
                extra = dearer
                if not is_free and not is_open:
                    if joining is Joining.BARRED:
                        continue
                    extra += self._join_price
                    to = (to[0], END)  # noqa: PLW2901
                if isinstance(price, Special):
                    if not first:
                        continue
                    total = most
                elif (total := spent + price + extra) > most:
                    if not (first and self._has_minimum):
                        continue
                    total = most
                if total < found.get(to, _FAR):
                    found[to] = total
        return found
