"""6.2.1.1.4 Units that share a command end their moves within Command Range of one another."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from sandtable.core.content.rule import rule
from sandtable.core.errors import Refusal
from sandtable.geo.hex import Hex, distance
from sandtable.systems.panzer.command.sharing import sharers
from sandtable.systems.panzer.hex.movement.columns import column_ends, column_of
from sandtable.systems.panzer.hex.movement.mover import Mover
from sandtable.systems.panzer.hex.movement.reach import ends_of, route_ends
from sandtable.systems.panzer.hex.movement.stepping import MovementRules
from sandtable.systems.panzer.hex.progress import MoveProgress
from sandtable.systems.panzer.hex.state import State, Unit
from sandtable.systems.panzer.movement.speed import Gait

__all__ = ["is_among_sharers", "mover_among_sharers", "refuse_end_apart"]


def mover_among_sharers(
    rules: MovementRules, state: State, unit: Unit, gait: Gait = Gait.MARCH, progress: MoveProgress | None = None
) -> Mover:
    """A unit that moves, held to the hexes where those who share its command let it end."""
    mover = Mover(rules, state, unit, gait)
    if mover.facts is None:
        return mover
    others = _others(state, unit)
    order = column_of(rules, state, unit) if others else ()
    if order and unit.hex is not None:
        mover.column = True
        own = route_ends(mover, mover.start() if progress is None else progress)
        mover.ends = mover.homes = column_ends(mover, state, order, own)
    elif others:
        _hold(mover, state, others, progress)
    return mover


def _hold(mover: Mover, state: State, others: Sequence[Unit], progress: MoveProgress | None) -> None:
    """Hold a unit to the hexes near its fellows: as they are asked for where it may stay, for then there is one."""
    among, here = _Among(mover, state, others), mover.unit.hex
    if progress is None and here is not None and here not in mover.enemies and here in among:
        mover.ends, mover.homes = among, (here,)
        return
    found = among.as_near_as_can_be(_own_ends(mover, state, progress))
    mover.ends, mover.homes = found, found or ()


def _others(state: State, unit: Unit) -> list[Unit]:
    return [other for other in sharers(state.units, unit) if other.id != unit.id and _counts(other)]


@rule("6.2.1.1.4", "4.5.1.1.9", editions=("panzer-na",))
def _own_ends(mover: Mover, state: State, progress: MoveProgress | None = None) -> AbstractSet[Hex]:
    """Where the unit itself may end; a reserve by all of its entry hexes (4.5.1.1.9)"""
    if progress is not None or mover.unit.hex is not None:
        return ends_of(mover, mover.start() if progress is None else progress)
    if state.turn < mover.unit.enters_turn:
        return set()
    ways = (mover.enter(hex, facing) for hex in mover.unit.entry for facing in range(6))
    return {end for entered in ways if entered is not None for end in ends_of(mover, entered)}


@rule("6.2.1.1.4", "6.6.11", editions=("panzer-na",))
def is_among_sharers(rules: MovementRules, state: State, unit: Unit, hex: Hex) -> bool:
    """Whether a unit that ends its move in a hex is where those who share its command can be with it (6.2.1.1.4)"""
    others = _others(state, unit)
    if not others:
        return True
    if hex in _Among(Mover(rules, state, unit), state, others):
        return True
    ends = mover_among_sharers(rules, state, unit).ends
    return ends is None or hex in ends


@rule("6.2.1.1.4", "6.6.11", editions=("panzer-na",))
def refuse_end_apart(rules: MovementRules, state: State, unit: Unit, hex: Hex) -> Refusal | None:
    """Why a unit may not end its move in a hex: those who share its command could not be with it (6.2.1.1.4)"""
    if is_among_sharers(rules, state, unit, hex):
        return None
    reason = f"{unit.id} would end its move out of Command Range of those who share its command"
    return Refusal("6.2.1.1.4", reason, "end within Command Range of all of them")


@rule("6.2.1.1.4", "6.5.2.2.1", "6.6.7", editions=("panzer-na",))
def _counts(other: Unit) -> bool:
    """Who is off the map or aboard, without a command of his own, does not count (6.6.7)

    Who has a Track Hit stays behind (6.5.2.2.1).
    """
    return other.in_play and other.hex is not None and not other.markers.track and not other.markers.is_mounted


class _Among:
    """Hexes within Command Range of those who have moved, and of an end of each who has still to move (6.2.1.1.4)

    Each hex is judged when it is asked for: who stays near needs no look at where the others get to.
    """

    __slots__ = ("_gone", "_known", "_mover", "_range", "_state", "_still")

    def __init__(self, mover: Mover, state: State, others: Sequence[Unit]) -> None:
        self._mover = mover
        self._state = state
        self._range = mover.rules.command_reach(mover.unit)
        self._gone = [other.hex for other in others if other.moved and other.hex is not None]
        self._still = [other for other in others if not other.moved]
        self._known: dict[Hex, bool] = {}

    def __contains__(self, hex: object) -> bool:
        assert isinstance(hex, Hex)  # noqa: S101 - nobody asks for anything else
        found = self._known.get(hex)
        if found is None:
            found = self._known[hex] = self._is_near(hex)
        return found

    @rule("6.2.1.1.4", editions=("panzer-na",))
    def _is_near(self, hex: Hex) -> bool:
        """Whether all others are or can be within Command Range of a hex (6.2.1.1.4)"""
        if any(distance(hex, other) > self._range for other in self._gone):
            return False
        return all(self._can_follow(other, hex) for other in self._still)

    def _can_follow(self, other: Unit, hex: Hex) -> bool:
        assert other.hex is not None  # noqa: S101 - only those on the map count
        if distance(other.hex, hex) <= self._range and other.hex not in self._mover.enemies:
            return True
        ends = _own_ends(Mover(self._mover.rules, self._state, other), self._state)
        return any(distance(hex, end) <= self._range for end in ends)

    def as_near_as_can_be(self, own: AbstractSet[Hex]) -> frozenset[Hex] | None:
        """Those of a unit's own ends where it may end; if there is none, those nearest to the ones who have moved."""
        near = frozenset(hex for hex in own if hex in self)
        if near or not self._gone or not own:
            return near or None
        apart = {hex: max(distance(hex, other) for other in self._gone) for hex in own}
        least = min(apart.values())
        return frozenset(hex for hex, far in apart.items() if far == least)
