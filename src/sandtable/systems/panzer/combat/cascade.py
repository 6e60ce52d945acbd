"""4.4.2, 8.1.2.1 The cascade of overwatch: force by force at those that acted, until both have passed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, TypeVar

from msgspec.structs import replace

from sandtable.core.decision import Seat
from sandtable.core.frames import Changed, Closed
from sandtable.core.ruleset import Resolution
from sandtable.systems.panzer.frames import Overwatch
from sandtable.systems.panzer.unit import UnitId

__all__ = ["go_on", "targets", "turned"]


class Target(Protocol):
    """A unit that may have acted."""

    @property
    def id(self) -> UnitId: ...
    @property
    def side(self) -> Seat: ...
    @property
    def in_play(self) -> bool: ...


T = TypeVar("T", bound=Target)


def targets(units: Mapping[UnitId, T], frame: Overwatch) -> list[T]:
    """Those that acted, are enemies of the force asked and were not fired on already."""
    acted = (units[unit_id] for unit_id in frame.triggers)
    return [unit for unit in acted if unit.side != frame.asked and unit.in_play and unit.id not in frame.engaged]


def turned(frame: Overwatch, other: Seat) -> Overwatch | None:
    """The question put to the other force when this one fires no more; None if that has passed before."""
    return None if frame.passed else replace(frame, asked=other, passed=True)


def go_on(play: Resolution[Any, Any], frame: Overwatch, asked: Overwatch | None, moving: type[Any]) -> bool:
    """Ask on, or close where nobody is asked; False if it is the force that is asked already.

    When both forces are done, a mover that drew fire decides anew: ``moving`` is his frame.
    """
    if asked is frame:
        return False
    if asked is not None:
        play.emit(Changed(asked))
        return False
    play.emit(Closed())
    below = play.state.stack[-1] if play.state.stack else None
    if isinstance(below, moving) and len(frame.triggers) > 1:
        play.emit(Changed(replace(below, interrupted=True)))
    return True
