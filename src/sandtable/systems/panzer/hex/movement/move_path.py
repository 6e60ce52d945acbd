"""The choice of a move as a lazy tree (4.5.1.1): leg after leg, stopping where a move may end.

Every leg offered leads to a legal end, so a walk down the tree never gets stuck: not in an enemy's hex, nor on a
route whose speed the move has already used up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch, Leaf, Node, Path, Pick
from sandtable.geo.hex import DIRECTION_NAMES, Hex
from sandtable.systems.panzer.hex.actions import Action, Continue, March, Move
from sandtable.systems.panzer.hex.movement.mover import Mover
from sandtable.systems.panzer.hex.movement.reach import Destination, MoveEnd, reach
from sandtable.systems.panzer.hex.movement.shared_ends import mover_among_sharers
from sandtable.systems.panzer.hex.movement.stepping import MovementRules
from sandtable.systems.panzer.hex.progress import MoveProgress
from sandtable.systems.panzer.hex.state import Leg, LegKind, State
from sandtable.systems.panzer.movement.speed import Gait
from sandtable.systems.panzer.unit import Status, UnitId

if TYPE_CHECKING:
    from random import Random

__all__ = ["ASIDE", "EntryPath", "LegPath", "MoveOr", "MovePath", "entries", "entry_facings"]

ASIDE = "aside"
"""Key of the branch with what may be done besides going."""
_DRAWS = 60
"""Draws before the legal legs are listed instead."""
_IN_BUILDINGS = {
    LegKind.UP: "up in the buildings of",
    LegKind.DOWN: "down in the buildings of",
    LegKind.IN: "into a building of",
    LegKind.OUT: "out of the building in",
    LegKind.INTO: "straight into a building of",
}
_TURNS = {1: "turn right 1", 2: "turn right 2", 3: "turn about", -1: "turn left 1", -2: "turn left 2"}


@rule("4.5.1.1.9")
def entry_facings(rules: MovementRules, hex: Hex) -> tuple[int, ...]:
    """Facings with which a reserve may enter through a hex: inwards, from off the mapboard (4.5.1.1.9)"""
    outwards = rules.ground.map.exits.get(hex, {})
    return tuple(facing for facing in range(6) if (facing + 3) % 6 in outwards) or tuple(range(6))


def entries(mover: Mover, state: State) -> Iterator[tuple[Hex, int, MoveProgress]]:
    """Where and how a reserve may enter now, with its move so far (4.5.1.1.9)"""
    unit = mover.unit
    if unit.status is not Status.RESERVE or state.turn < unit.enters_turn:
        return
    for hex in unit.entry:
        for facing in entry_facings(mover.rules, hex):
            entered = mover.enter(hex, facing)
            if entered is not None and mover.leads_on(entered, final=False):
                yield hex, facing, entered


class LegPath(Path[Action]):
    """The ways on from one place in a move: to stop there, or one of the legs that may come next."""

    __slots__ = ("_build", "_legs", "_may_stop", "_mover", "_now")

    def __init__(
        self,
        mover: Mover,
        now: MoveProgress,
        build: Callable[[tuple[Leg, ...]], Action],
        legs: tuple[Leg, ...] = (),
        *,
        may_stop: bool | None = None,
    ) -> None:
        self._mover = mover
        self._now = now
        self._build = build
        self._legs = legs
        self._may_stop = mover.may_end(now) if may_stop is None else may_stop

    def branches(self) -> Iterator[Branch[Action]]:
        """To stop here, then every leg that may come next."""
        if self._may_stop:
            yield self._stop()
        for leg, after in self._mover.legs(self._now):
            yield self._leg(leg, after)

    def branch(self, key: str) -> Branch[Action] | None:
        """The stop, or one leg, without the others being put into words."""
        if key == "stop":
            return self._stop() if self._may_stop else None
        return next((self._leg(leg, after) for leg, after in self._mover.legs(self._now) if _key(leg) == key), None)

    def _stop(self) -> Branch[Action]:
        return Branch("stop", "stop", "stop", Leaf(self._build(self._legs)))

    def _leg(self, leg: Leg, after: MoveProgress) -> Branch[Action]:
        mover, legs = self._mover, (*self._legs, leg)
        is_end = leg.step is LegKind.STAY or after.exited
        below: Node[Action] = Leaf(self._build(legs)) if is_end else LegPath(mover, after, self._build, legs)
        ref = mover.label(after.hex)
        return Branch(_key(leg), "leg", _words(leg, after, ref), below, ref, is_hex=True)

    def count(self) -> int:
        """Number of complete moves below; a position is counted once, however it was reached."""
        known: dict[MoveProgress, int] = {}
        return int(self._may_stop) + sum(
            1 if leg.step is LegKind.STAY else _count(self._mover, after, known)
            for leg, after in self._mover.legs(self._now)
        )

    def sample(self, rng: Random) -> Action:
        """A random walk, fair at every branch, that always ends legally."""
        mover, now, may_stop = self._mover, self._now, self._may_stop
        legs = list(self._legs)
        while not now.exited:
            leg, after = _draw(mover, now, may_stop, rng)
            if leg is None:
                break
            legs.append(leg)
            if leg.step is LegKind.STAY:
                break
            now, may_stop = after, mover.may_end(after)
        return self._build(tuple(legs))

    def reach(self) -> dict[MoveEnd, Destination]:
        """Every place where the move may end, with a cheapest way there."""
        return reach(self._mover, self._now)

    def destinations(self) -> Iterator[Branch[Action]]:
        """Every place where the move may end, with a cheapest way there."""
        if self._may_stop:
            yield self._stop()
        for end in self.reach().values():
            if end.legs:
                yield self.destination(end)

    def destination(self, end: Destination) -> Branch[Action]:
        """The move to one of the places as a branch."""
        ref, way = self._mover.label(end.hex), DIRECTION_NAMES[end.facing]
        leaf = Leaf(self._build((*self._legs, *end.legs)))
        if end.exited:
            words = f"leave {ref} to {way} ({end.spent})"
            return Branch(f"{ref} exit {way}", "exit", words, leaf, ref, end.facing, end.spent, is_hex=True)
        words = f"{ref} facing {way} ({end.spent})"
        return Branch(f"{ref} {way}", "hex", words, leaf, ref, end.facing, end.spent, is_hex=True)


class EntryPath(Path[Action]):
    """The moves of a reserve: to be held back, or to enter somewhere and go on from there (4.5.1.1.9)."""

    __slots__ = ("_entries", "_hold")

    def __init__(self, mover: Mover, state: State) -> None:
        unit_id = mover.unit.id
        self._hold: Leaf[Action] = Leaf(Move(unit_id))
        self._entries = [
            (mover.label(hex), DIRECTION_NAMES[facing], LegPath(mover, entered, _entering(unit_id, hex, facing)))
            for hex, facing, entered in entries(mover, state)
        ]

    def branches(self) -> Iterator[Branch[Action]]:
        """To hold the vehicle back, then every way in."""
        yield Branch("stop", "stop", "hold in reserve", self._hold)
        for label, way, path in self._entries:
            yield Branch(f"enter {label} {way}", "hex", f"enter {label} facing {way}", path, label, is_hex=True)

    def destinations(self) -> Iterator[Branch[Action]]:
        """Every place where the move may end, with a cheapest way there."""
        yield Branch("stop", "stop", "hold in reserve", self._hold)
        best: dict[MoveEnd, tuple[LegPath, Destination]] = {}
        for _, _, path in self._entries:
            for place, end in path.reach().items():
                if place not in best or end.spent < best[place][1].spent:
                    best[place] = path, end
        for path, end in best.values():
            yield path.destination(end)


class MovePath(Path[Action]):
    """The moves of a vehicle, or what is left of one that was interrupted; nothing is worked out until asked for."""

    __slots__ = ("_gait", "_made", "_progress", "_rules", "_state", "_unit_id")

    def __init__(
        self,
        rules: MovementRules,
        state: State,
        unit_id: UnitId,
        progress: MoveProgress | None = None,
        gait: Gait = Gait.MARCH,
    ) -> None:
        self._rules = rules
        self._gait = gait if progress is None else progress.gait
        self._state = state
        self._unit_id = unit_id
        self._progress = progress
        self._made: LegPath | EntryPath | None = None

    @property
    def _path(self) -> LegPath | EntryPath:
        if self._made is None:
            self._made = self._make()
        return self._made

    def _make(self) -> LegPath | EntryPath:
        progress, unit_id = self._progress, self._unit_id
        unit = self._state.units[unit_id]
        mover = mover_among_sharers(self._rules, self._state, unit, self._gait, progress)
        if progress is not None:
            return LegPath(mover, progress, Continue, may_stop=mover.may_stop(progress, going_on=True))
        if unit.hex is None:
            return EntryPath(mover, self._state)
        now = mover.start()
        build = partial(Move, unit_id) if self._gait is Gait.MARCH else partial(March, unit_id, self._gait)
        return LegPath(mover, now, build, may_stop=mover.may_stop(now, going_on=False))

    def branches(self) -> Iterator[Branch[Action]]:
        """The first choice of the move."""
        return self._path.branches()

    def branch(self, key: str) -> Branch[Action] | None:
        """One first choice of the move."""
        return self._path.branch(key)

    def count(self) -> int | None:
        """Number of complete moves."""
        return self._path.count()

    def sample(self, rng: Random) -> Action:
        """A random move, fair at every branch."""
        return self._path.sample(rng)

    def destinations(self) -> Iterator[Branch[Action]]:
        """Every place where the move may end, with a cheapest way there."""
        return self._path.destinations()


class MoveOr(Path[Action]):
    """The moves of a unit, and behind one branch what it may do besides: take somebody on or off, overrun, bail out."""

    __slots__ = ("_make", "_path", "_words")

    def __init__(self, path: MovePath, words: str, make: Callable[[], Iterable[Branch[Action]]]) -> None:
        self._path = path
        self._words = words
        self._make = make

    def branches(self) -> Iterator[Branch[Action]]:
        """The first choices of the move, then what else there is."""
        yield from self._path.branches()
        aside = self._aside()
        if aside is not None:
            yield aside

    def branch(self, key: str) -> Branch[Action] | None:
        """One first choice of the move, or all else."""
        return self._aside() if key == ASIDE else self._path.branch(key)

    def _aside(self) -> Branch[Action] | None:
        deeds = list(self._make())
        return Branch(ASIDE, "deed", self._words, Pick(partial(list, deeds))) if deeds else None

    def destinations(self) -> Iterator[Branch[Action]]:
        """Every place where the move may end, with a cheapest way there."""
        return self._path.destinations()


def _entering(unit_id: UnitId, hex: Hex, facing: int) -> Callable[[tuple[Leg, ...]], Action]:
    return lambda legs: Move(unit_id, legs, hex, facing)


def _key(leg: Leg) -> str:
    return f"{leg.turn:+d} {leg.step}"


def _words(leg: Leg, after: MoveProgress, label: str) -> str:
    if leg.step is LegKind.STAY:
        return f"{_TURNS[leg.turn]}, stay facing {DIRECTION_NAMES[after.facing]}"
    turn = f"{_TURNS[leg.turn]}, " if leg.turn else ""
    if leg.step in _IN_BUILDINGS:
        return f"{turn}{_IN_BUILDINGS[leg.step]} {label}"
    where = "off the mapboard" if after.exited else f"to {label}"
    return f"{turn}{leg.step} {where}"


def _draw(mover: Mover, now: MoveProgress, may_stop: bool, rng: Random) -> tuple[Leg | None, MoveProgress]:
    """One of the legal legs, or to stop, each as likely as the others: draw until one is legal."""
    every = mover.all_legs
    for _ in range(_DRAWS):
        # To stop, or a leg.
        drawn = int(rng.random() * (len(every) + 1))
        leg = every[drawn - 1] if drawn else None
        if leg is None:
            if may_stop:
                return None, now
            continue
        after = mover.leg(now, leg)
        if after is not None and mover.leads_on(after, final=leg.step is LegKind.STAY):
            return leg, after
    ways: list[tuple[Leg | None, MoveProgress]] = [(None, now)] if may_stop else []
    ways += mover.legs(now)
    return ways[int(rng.random() * len(ways))]


def _count(mover: Mover, now: MoveProgress, known: dict[MoveProgress, int]) -> int:
    """Number of ways to complete a move that stands at ``now``."""
    if now.exited:
        return 1
    if not now.on_route:
        # What came of the route is past; without it equal positions are equal.
        now = replace(now, spent_route=0, entered=min(now.entered, 2), paths=0, roads=0, tracks=0, way=-1)
    found = known.get(now)
    if found is None:
        found = int(mover.may_end(now)) + sum(
            1 if leg.step is LegKind.STAY else _count(mover, after, known) for leg, after in mover.legs(now)
        )
        known[now] = found
    return found
