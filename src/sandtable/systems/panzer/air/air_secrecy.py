"""6.7.1 Loads that were chosen before the scenario are their owner's secret until they are used."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.systems.panzer.air.aircraft import Aircraft, Load
from sandtable.systems.panzer.unit import UnitId

__all__ = ["conceal_loads", "hide_loads", "other_loads"]


@rule("6.7.1", editions=("panzer-na",))
def conceal_loads(flights: Mapping[UnitId, Aircraft], seat: Seat | None) -> dict[UnitId, Aircraft]:
    """The aircraft as ``seat`` may know them."""
    return {
        one: aircraft if aircraft.shown or aircraft.side == seat else replace(aircraft, load=Load.HIDDEN)
        for one, aircraft in flights.items()
    }


def hide_loads(flights: Iterable[Aircraft], holder: Seat) -> bool:
    """Whether a force has loads that others do not know."""
    return any(not aircraft.shown for aircraft in flights if aircraft.side == holder)


def other_loads(flights: Mapping[UnitId, Aircraft], seat: Seat) -> Iterator[dict[UnitId, Aircraft]]:
    """Aircraft that ``seat`` cannot tell from these: the other load on each whose load is secret."""
    swapped = {Load.BOMBS: Load.ROCKETS, Load.ROCKETS: Load.BOMBS}
    hidden = [one for one in flights.values() if not one.shown and one.side != seat and one.load in swapped]
    if hidden:
        yield {**flights, **{one.id: replace(one, load=swapped[one.load]) for one in hidden}}
