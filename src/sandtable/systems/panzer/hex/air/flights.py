"""What a player says of a flight on hexes, and what happened in it (6.7.2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sandtable.geo.hex import Hex
from sandtable.systems.panzer.actions import Action
from sandtable.systems.panzer.air.air_events import AIR_FACTS, with_aircraft
from sandtable.systems.panzer.air.aircraft import Altitude, Pace, Speed
from sandtable.systems.panzer.events import Fact
from sandtable.systems.panzer.hex.state import State
from sandtable.systems.panzer.unit import UnitId

__all__ = [
    "FLIGHT_FACTS",
    "AircraftAppeared",
    "AircraftCrashed",
    "AircraftFlew",
    "AircraftLeft",
    "AircraftTurned",
    "Fly",
]


class Fly(Action, frozen=True):
    """6.7.2.1, 6.7.2.2: an aircraft appears at the edge, with the Speed and Altitude that are announced."""

    aircraft: UnitId
    hex: Hex
    facing: int
    speed: Speed
    altitude: Altitude


class AircraftAppeared(Fact, frozen=True):
    """6.7.2.1: an aircraft is at the edge of the mapboard."""

    aircraft: UnitId
    turn: int
    hex: Hex
    facing: int
    pace: Pace


class AircraftFlew(Fact, frozen=True):
    """6.7.2.3: it has flown into the next hex."""

    aircraft: UnitId
    hex: Hex


class AircraftTurned(Fact, frozen=True):
    """6.7.2.3.1: it has turned by one hexside."""

    aircraft: UnitId
    facing: int


class AircraftLeft(Fact, frozen=True):
    """6.7.2: it has left the mapboard over an edge."""

    aircraft: UnitId
    hex: Hex
    """The last hex that it was in."""
    edges: tuple[str, ...]


class AircraftCrashed(Fact, frozen=True):
    """6.7.4.2.1: it has struck the ground, off the mapboard where there is no hex."""

    aircraft: UnitId
    roll: int
    hex: Hex | None


def _appeared(state: State, event: AircraftAppeared) -> State:
    first = state.flights[event.aircraft].appeared or event.turn
    return with_aircraft(state, event.aircraft, appeared=first, flown=event.turn)


def _left(state: State, event: AircraftLeft) -> State:
    return with_aircraft(state, event.aircraft, edges=event.edges)


def _unchanged(state: State, event: Fact) -> State:  # noqa: ARG001
    return state


FLIGHT_FACTS: Mapping[type, Callable[[Any, Any], Any]] = {
    **AIR_FACTS,
    AircraftAppeared: _appeared,
    AircraftFlew: _unchanged,
    AircraftTurned: _unchanged,
    AircraftLeft: _left,
    AircraftCrashed: _unchanged,
}
"""How all that happens in the air changes a state."""
