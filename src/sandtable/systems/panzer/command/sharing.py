"""6.2.1.1.4 Executing shared commands: those who share one act together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import Any, Protocol, TypeVar

from sandtable.core.content.rule import rule
from sandtable.core.ruleset import Resolution
from sandtable.systems.panzer.events import CommandRevealed
from sandtable.systems.panzer.markers import NO_MARKERS, UnitMarkers
from sandtable.systems.panzer.unit import UnitId

__all__ = ["Sharer", "first_apart", "holder_of", "reveal", "sharers"]

P = TypeVar("P")


class Sharer(Protocol):
    """What of a unit says with whom it acts."""

    @property
    def id(self) -> UnitId: ...
    @property
    def known(self) -> bool: ...
    @property
    def in_play(self) -> bool: ...
    @property
    def markers(self) -> UnitMarkers: ...


U = TypeVar("U", bound=Sharer)


def holder_of(unit: Sharer) -> UnitId:
    """The unit that has the counter of a unit's command: itself, unless it shares one."""
    return unit.markers.shares or unit.id


def sharers(units: Mapping[UnitId, U], unit: U) -> list[U]:
    """Those who share a unit's command, itself among them, in a fixed order; itself alone if it shares with nobody."""
    holder = unit.markers.shares or unit.id
    # Asked at every shot: units without any counter, all those of the Basic Game, are passed over by identity.
    found = [one for one in units.values() if one.markers is not NO_MARKERS and one.markers.shares == holder]
    if not found:
        return [units[holder]]
    found.append(units[holder])
    found.sort(key=attrgetter("id"))
    return found


@rule("6.2.1.1.3", "6.2.1.1.4", editions=("panzer-na",))
def reveal(play: Resolution[Any, Any], unit_id: UnitId) -> None:
    """Turn the counter of a unit's command over: it is that of all who share it (6.2.1.1.3).

    So a shared Overwatch is over for all of them once some have announced their fire (6.2.1.1.4).
    """
    units = play.state.units
    for unit in sharers(units, units[unit_id]):
        if not unit.known:
            play.emit(CommandRevealed(unit.id, unit.command))


@rule("6.2.1.1.4", editions=("panzer-na",))
def first_apart(places: Sequence[P], distance: Callable[[P, P], int], reach: int) -> tuple[P, P] | None:
    """Two places that are not within Command Range of one another, or None (6.2.1.1.4)."""
    for index, one in enumerate(places):
        for other in places[index + 1 :]:
            if distance(one, other) > reach:
                return one, other
    return None
