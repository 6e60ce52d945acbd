"""What happened to aircraft, as far as it needs no place, and how it changes a state (6.7)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from sandtable.core.decision import Seat
from sandtable.core.modifier import Breakdown
from sandtable.systems.panzer.air.air_actions import AaShot
from sandtable.systems.panzer.air.aircraft import AirWeapon, Load
from sandtable.systems.panzer.air.anti_aircraft import AirEffect
from sandtable.systems.panzer.events import Fact
from sandtable.systems.panzer.fold import with_unit
from sandtable.systems.panzer.markers import Suppression
from sandtable.systems.panzer.unit import UnitId

__all__ = [
    "AIR_FACTS",
    "AaAnnounced",
    "AaHeld",
    "AaRolled",
    "AaWasted",
    "AircraftArmed",
    "AircraftCounterTurned",
    "AircraftRecovered",
    "AirstrikeMade",
    "ObserverGuided",
    "with_aircraft",
]

S = TypeVar("S", bound=Struct)


class AircraftArmed(Fact, frozen=True):
    """6.7.1: what aircraft carry was noted before the scenario began."""

    seat: Seat
    loads: dict[UnitId, Load]


class AaAnnounced(Fact, frozen=True):
    """6.7.4.1.1: all AA fire on an aircraft."""

    aircraft: UnitId
    shots: tuple[AaShot, ...]


class AaRolled(Fact, frozen=True, kw_only=True):
    """6.7.4.2: AA fire at an aircraft."""

    firer: UnitId
    aircraft: UnitId
    weapon: str
    distance: int
    range_factor: str
    factor: int
    defense: int
    modifier: Breakdown
    roll: int
    effect: AirEffect


class AaWasted(Fact, frozen=True):
    """6.7.4.1.1: announced AA fire that comes too late: the aircraft, or the AA unit, is gone."""

    firer: UnitId
    aircraft: UnitId


class AaHeld(Fact, frozen=True):
    """6.7.4: a force does not fire at the aircraft now, or as long as it flies."""

    seat: Seat
    whole_flight: bool


class AirstrikeMade(Fact, frozen=True):
    """6.7.3: an attack by an aircraft uses one of its loads, whatever it strikes (5.16.2.6)."""

    aircraft: UnitId
    weapon: AirWeapon
    target: UnitId


class ObserverGuided(Fact, frozen=True):
    """6.7.3.1.2: an FO unit spots a target for aircraft, and does nothing else on Overwatch this turn."""

    observer: UnitId
    target: UnitId


class AircraftRecovered(Fact, frozen=True):
    """6.8.3: an attempt to get over suppression; aircraft have their base range."""

    aircraft: UnitId
    number: Breakdown
    roll: int
    recovered: bool


class AircraftCounterTurned(Fact, frozen=True):
    """6.8.4: SUPPRESSION/ON of aircraft becomes SUPPRESSION/OFF."""

    aircraft: tuple[UnitId, ...]


def with_aircraft(state: S, aircraft: UnitId, **changes: Any) -> S:
    """The state with one aircraft changed."""
    standing: Any = state
    flights = dict(standing.flights)
    flights[aircraft] = replace(flights[aircraft], **changes)
    return replace(state, flights=flights)


def _armed(state: Any, event: AircraftArmed) -> Any:
    for aircraft, load in event.loads.items():
        state = with_aircraft(state, aircraft, load=load, shown=False)
    return state


def _aa_rolled(state: Any, event: AaRolled) -> Any:
    state = with_unit(state, event.firer, fired=True)
    match event.effect:
        case AirEffect.SUPPRESSED:
            return with_aircraft(state, event.aircraft, suppression=Suppression.ON)
        case AirEffect.DAMAGED:
            return with_aircraft(state, event.aircraft, damaged=True)
        case AirEffect.SHOT_DOWN:
            return with_aircraft(state, event.aircraft, lost=True)
        case _:
            return state


def _aa_wasted(state: Any, event: AaWasted) -> Any:
    return with_unit(state, event.firer, fired=True)


def _airstrike_made(state: Any, event: AirstrikeMade) -> Any:
    aircraft = state.flights[event.aircraft]
    if event.weapon is AirWeapon.STRAFE:
        return with_aircraft(state, event.aircraft, strafed=aircraft.strafed + 1)
    load = Load.ROCKETS if event.weapon is AirWeapon.ROCKETS else Load.BOMBS
    return with_aircraft(state, event.aircraft, dropped=aircraft.dropped + 1, load=load, shown=True)


def _observer_guided(state: Any, event: ObserverGuided) -> Any:
    return replace(with_unit(state, event.observer, fired=True), guided={**state.guided, event.observer: event.target})


def _recovered(state: Any, event: AircraftRecovered) -> Any:
    return with_aircraft(state, event.aircraft, suppression=Suppression.NONE) if event.recovered else state


def _counter_turned(state: Any, event: AircraftCounterTurned) -> Any:
    for aircraft in event.aircraft:
        state = with_aircraft(state, aircraft, suppression=Suppression.OFF)
    return state


def _unchanged(state: Any, event: Fact) -> Any:  # noqa: ARG001
    return state


AIR_FACTS: Mapping[type, Callable[[Any, Any], Any]] = {
    AircraftArmed: _armed,
    AaAnnounced: _unchanged,
    AaRolled: _aa_rolled,
    AaWasted: _aa_wasted,
    AaHeld: _unchanged,
    AirstrikeMade: _airstrike_made,
    ObserverGuided: _observer_guided,
    AircraftRecovered: _recovered,
    AircraftCounterTurned: _counter_turned,
}
"""How events of aircraft that need no place change a state."""
