"""The choice of a move as a lazy tree: who, then hex after hex, stopping anywhere (7.5.0)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch, Leaf, Node, Path
from sandtable.geo.hex import Hex
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.handler import Action
from sandtable.systems.goss.movement.party import Party
from sandtable.systems.goss.movement.walk import MoveProgress, Walk
from sandtable.systems.goss.tables.movement_costs import ONE_MP

if TYPE_CHECKING:
    from random import Random

__all__ = ["MovePath", "Moves"]

Build = Callable[[tuple[Hex, ...]], Action]
Crowd = Callable[[Hex], str]
"""What would be too much in a hex if the move ended there; ``""``: nothing."""


def _nowhere(hex: Hex) -> str:  # noqa: ARG001
    """Where nobody minds how many they are."""
    return ""


class MovePath(Path[Action]):
    """The ways on from a place in a move."""

    __slots__ = ("_after", "_build", "_context", "_crowd", "_hexes", "_place", "_walk")

    def __init__(
        self,
        context: Context,
        walk: Walk,
        place: MoveProgress,
        build: Build,
        hexes: tuple[Hex, ...] = (),
        *,
        crowd: Crowd = _nowhere,
    ) -> None:
        self._context = context
        self._walk = walk
        self._place = place
        self._build = build
        self._crowd = crowd
        self._hexes = hexes
        self._after: list[MoveProgress] | None = None

    def has_answers(self) -> bool:
        """Whether there is a first step."""
        return bool(self._onward)

    @property
    def _onward(self) -> list[MoveProgress]:
        """The places after the next step, worked out once."""
        if self._after is None:
            self._after = self._walk.onward(self._place)
        return self._after

    def branches(self) -> Iterator[Branch[Action]]:
        """To stop here, then every hex that may come next."""
        if self._hexes:
            yield self._stop()
        for after in self._onward:
            yield self._leg(after)

    def _stop(self) -> Branch[Action]:
        return Branch("stop", "stop", f"stop{self._warning(self._hexes[-1])}", Leaf(self._build(self._hexes)))

    @rule("6.7.0")
    def _warning(self, hex: Hex) -> str:
        """That more would stand in a hex than may at the end of the phase (6.7.0; ruling B-77)."""
        too_much = self._crowd(hex)
        return f"; too many there: {too_much} (6.7.0)" if too_much else ""

    def _leg(self, after: MoveProgress) -> Branch[Action]:
        label = self._context.label(after.hex)
        then = MovePath(self._context, self._walk, after, self._build, (*self._hexes, after.hex), crowd=self._crowd)
        return Branch(label, "leg", f"to {label}", then, label, is_hex=True)

    def count(self) -> None:
        """Nobody counts all ways."""

    def sample(self, rng: Random) -> Action:
        """A random walk, fair at every branch."""
        after, hexes = self._onward, list(self._hexes)
        while True:
            # To stop is one more way, after the first step.
            drawn = int(rng.random() * (len(after) + bool(hexes)))
            if drawn == len(after):
                return self._build(tuple(hexes))
            hexes.append(after[drawn].hex)
            after = self._walk.onward(after[drawn])

    def destinations(self) -> Iterator[Branch[Action]]:
        """Every other hex where the move may end, with a cheapest way there."""
        walk, seen = self._walk, {self._place.hex}
        if self._hexes:
            yield self._stop()
        for index in range(len(walk.tracks)):
            found = walk.reach(self._place, index)
            for node, cost in found.costs.items():
                if node[0] in seen:
                    continue
                seen.add(node[0])
                label = self._context.label(node[0])
                way = tuple(one[0] for one in found.way(node)[1:])
                price = cost / ONE_MP if walk.counts_points else cost
                leaf = Leaf(self._build((*self._hexes, *way)))
                yield Branch(
                    label, "hex", f"{label} ({price:g}){self._warning(node[0])}", leaf, label, cost=price, is_hex=True
                )


class Moves(Node[Action]):
    """To end a segment of movement, or one of the moves of those who may move."""

    __slots__ = ("_done", "_make", "_movers", "_stacks")

    def __init__(
        self,
        done: Action | None,
        movers: Callable[[], list[Party]],
        make: Callable[[Party], Branch[Action]],
        stacks: Node[Action],
    ) -> None:
        self._done = done
        self._movers = movers
        self._make = make
        self._stacks = stacks

    def branches(self) -> Iterator[Branch[Action]]:
        """To be done, if that is allowed, then all who have somewhere to go, then the stacks that may be arranged."""
        if self._done is not None:
            yield Branch("done", "done", "Done", Leaf(self._done))
        for party in self._movers():
            branch = self._make(party)
            if _is_open(branch.then):
                yield branch
        if next(iter(self._stacks.branches()), None) is not None:
            yield Branch("top", "order", "Put another unit on top", self._stacks)

    def count(self) -> int | None:
        """One if nobody has anywhere to go."""
        return None if any(branch.key != "done" for branch in self.branches()) else 1

    def sample(self, rng: Random) -> Action:
        """To be done, somebody's move, or a stack arranged, each as likely as the others."""
        ways: list[Party | Action | None] = [*self._movers(), None]
        if self._done is not None:
            ways.append(self._done)
        while True:
            drawn = int(rng.random() * len(ways))
            way = ways.pop(drawn)
            if isinstance(way, Action):
                return way
            if way is None:
                stacks = list(self._stacks)
                if stacks:
                    return rng.choice(stacks)
            else:
                path = self._make(way).then
                if _is_open(path):
                    return path.sample(rng)


def _is_open(path: Node[Action]) -> bool:
    """Whether a move leads anywhere."""
    return not isinstance(path, MovePath) or path.has_answers()
