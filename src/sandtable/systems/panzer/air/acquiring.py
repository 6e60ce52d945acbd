"""6.7.3.1.1, 6.7.4.1.1 How far an aircraft flies in sight of a target to acquire it, or of an AA unit to be tracked."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import msgspec

from sandtable.core.content.rule import rule
from sandtable.core.content.table import Table
from sandtable.systems.panzer.air.aircraft import Altitude, Pace
from sandtable.systems.panzer.unit import UnitId

__all__ = ["NOBODY", "Watch", "acquire_range", "blocked_within", "coming_in", "flown_on", "track_range", "turned_about"]

BOOK = ("panzer-na",)


class Watch(msgspec.Struct, frozen=True, omit_defaults=True):
    """Units that an aircraft has in sight, or that have it, without a break."""

    flown: dict[UnitId, int] = {}
    """How far it has flown so."""
    got: tuple[UnitId, ...] = ()
    """Those for whom it was enough: acquired, or tracking."""


NOBODY = Watch()


def _required(table: Table, pace: Pace, who: str, *, suppressed: bool) -> int:
    found = table.number(pace.speed.value, pace.altitude.value, who)
    return 2 * found if suppressed else found


@rule("6.7.3.1.1", editions=BOOK)
def acquire_range(table: Table, pace: Pace, *, suppressed: bool) -> int:
    """Acquisition Range; twice as far for a suppressed aircraft (6.7.3.1.1)."""
    return _required(table, pace, "acquire", suppressed=suppressed)


@rule("6.7.4.1.1", editions=BOOK)
def track_range(table: Table, pace: Pace, *, suppressed: bool) -> int:
    """Tracking Range; twice as far for a suppressed AA unit (6.7.4.1.1)."""
    return _required(table, pace, "track", suppressed=suppressed)


@rule("6.7.3.1.1", "6.7.4.1.1", editions=BOOK)
def coming_in(seen: Collection[UnitId], at_once: Collection[UnitId]) -> Watch:
    """As it appears: it has flown up to the edge in sight of some of them already (6.7.3.1.1, 6.7.4.1.1)."""
    return Watch(dict.fromkeys(sorted(seen), 1), tuple(sorted(unit for unit in seen if unit in at_once)))


@rule("6.7.3.1.1", "6.7.4.1.1", editions=BOOK)
def flown_on(watch: Watch, seen: Mapping[UnitId, int]) -> Watch:
    """One step further; ``seen`` says of each that is in sight now how far it takes (6.7.3.1.1, 6.7.4.1.1).

    Who was got before stays so, though it be suppressed since; who is out of sight has to be begun anew.
    """
    flown = {unit: watch.flown.get(unit, 0) + 1 for unit in sorted(seen)}
    return Watch(flown, tuple(unit for unit in flown if unit in watch.got or flown[unit] >= seen[unit]))


@rule("6.7.3.1.1", editions=BOOK)
def turned_about(watch: Watch, seen: Collection[UnitId]) -> Watch:
    """After a turn: those that are still in sight are kept (6.7.3.1.1)."""
    flown = {unit: steps for unit, steps in watch.flown.items() if unit in seen}
    return Watch(flown, tuple(unit for unit in watch.got if unit in seen))


@rule("6.7.3.1.3", editions=BOOK)
def blocked_within(table: Table, altitude: Altitude, height: int) -> int:
    """How near to an obstacle so high a unit is out of an aircraft's sight, 0 where it never is (6.7.3.1.3)."""
    return max(0, height - table.number(altitude.value) + 1)
