"""Flights in words and on the map: what is told of them, and the counters that are drawn."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.core.modifier import Breakdown
from sandtable.core.showing import Shown
from sandtable.core.view import Box, Counter, Face, Marker, Value
from sandtable.geo.hex import DIRECTION_NAMES
from sandtable.systems.panzer import events as ev
from sandtable.systems.panzer.air import air_events as air
from sandtable.systems.panzer.air.air_actions import Arm, FireAa, FlyOn, HoldAa, ShowMoving, Strike
from sandtable.systems.panzer.air.aircraft import Aircraft, AirWeapon, Load, attacks_left
from sandtable.systems.panzer.hex.actions import Action
from sandtable.systems.panzer.hex.air import flights
from sandtable.systems.panzer.hex.air.aa_fire import flight_seen
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.scenario.draft import COLOURS
from sandtable.systems.panzer.hex.state import Flying, State
from sandtable.systems.panzer.unit import UnitId

__all__ = ["AIR_BOX", "air_action", "air_breakdowns", "air_consequences", "air_counters", "air_event", "air_show"]

AIR_BOX = Box("aircraft", "Aircraft")


def _aircraft(context: Context, aircraft: UnitId) -> str:
    card = context.shelf.aircraft[context.scenario.aircraft[aircraft].card]
    return f"{card.name} {aircraft}"


def _unit(context: Context, unit: UnitId) -> str:
    return f"{context.cards[context.scenario.units[unit].card].name} {unit}"


def air_event(context: Context, event: ev.Event) -> str | None:  # noqa: C901, PLR0912 - one line an event
    """An event of a flight in a sentence; None of any other."""
    label = context.game_map.label
    match event:
        case air.AircraftArmed():
            return f"{event.seat.title()} has noted the loads of its aircraft (6.7.1)."
        case flights.AircraftAppeared():
            pace = f"{event.pace.speed.value} at {event.pace.altitude.value} Altitude"
            heading = DIRECTION_NAMES[event.facing]
            return f"{_aircraft(context, event.aircraft)} appears at {label(event.hex)} heading {heading}, {pace}."
        case flights.AircraftFlew():
            return f"{_aircraft(context, event.aircraft)} flies to {label(event.hex)}."
        case flights.AircraftTurned():
            return f"{_aircraft(context, event.aircraft)} turns to {DIRECTION_NAMES[event.facing]} (6.7.2.3.1)."
        case flights.AircraftLeft():
            edges = " and ".join(event.edges)
            return f"{_aircraft(context, event.aircraft)} leaves the mapboard in the {edges} (6.7.2)."
        case flights.AircraftCrashed():
            where = "off the mapboard" if event.hex is None else f"in {label(event.hex)}"
            return f"{_aircraft(context, event.aircraft)} crashes {where}, rolls {event.roll} (6.7.4.2.1)."
        case air.AirstrikeMade():
            told = f"{event.weapon.value} at {_unit(context, event.target)}"
            return f"{_aircraft(context, event.aircraft)} attacks: {told} (6.7.3)."
        case air.ObserverGuided():
            return f"{_unit(context, event.observer)} spots {_unit(context, event.target)} for aircraft (6.7.3.1.2)."
        case air.AaAnnounced():
            firers = ", ".join(_unit(context, shot.firer) for shot in event.shots)
            return f"Anti-aircraft fire on {_aircraft(context, event.aircraft)} by {firers}."
        case air.AaHeld():
            return f"{event.seat.title()} holds its anti-aircraft fire (6.7.4)."
        case air.AaWasted():
            return f"{_unit(context, event.firer)} comes too late to fire at {event.aircraft} (6.7.4.1.1)."
        case air.AaRolled():
            against = f"GP {event.factor} ({event.range_factor}) against {event.defense}, range {event.distance}"
            net = f"rolls {event.roll} {event.modifier.total:+d}: {event.effect.value}"
            who = f"{_unit(context, event.firer)}, {event.weapon}, at {_aircraft(context, event.aircraft)}"
            return f"{who}: {against}, {net} (6.7.4.2)."
        case air.AircraftRecovered():
            verdict = "recovers" if event.recovered else "stays suppressed"
            needs = f"needs {event.number.total}, rolls {event.roll}"
            return f"{_aircraft(context, event.aircraft)} {needs}: {verdict} (6.8.3)."
        case air.AircraftCounterTurned():
            return ""
        case _:
            return None


def air_action(context: Context, action: Action) -> str | None:
    """An action of a flight in a phrase; None of any other."""
    match action:
        case Arm():
            given = ", ".join(f"{one} {load.value}" for one, load in action.loads.items())
            return f"loads: {given}" if given else "note the loads of aircraft"
        case flights.Fly():
            where = f"{context.game_map.label(action.hex)} heading {DIRECTION_NAMES[action.facing]}"
            pace = f"{action.speed.value} at {action.altitude.value} Altitude"
            return f"fly {_aircraft(context, action.aircraft)} in at {where}, {pace}"
        case FlyOn():
            turn = {0: "", 1: ", then turn right", -1: ", then turn left"}.get(action.turn, "")
            hexes = "1 hex" if action.steps == 1 else f"{action.steps} hexes"
            return f"fly on {hexes}{turn}" if action.steps else f"fly on{turn}"
        case Strike():
            return f"{action.weapon.value} at {_unit(context, action.target)}"
        case FireAa():
            return f"anti-aircraft fire with {', '.join(shot.firer for shot in action.shots)}"
        case HoldAa():
            return "no anti-aircraft fire at this aircraft"
        case ShowMoving():
            return f"reveal that {', '.join(action.units)} move" if action.units else "keep the commands face down"
        case _:
            return None


def air_show(context: Context, event: ev.Event) -> Shown | None:
    """What is to be seen of a flight, or None."""
    label = context.game_map.label
    match event:
        case flights.AircraftAppeared():
            return Shown(kind="move", units=(event.aircraft,), hex=label(event.hex), facing=event.facing)
        case flights.AircraftFlew():
            return Shown(kind="move", units=(event.aircraft,), hex=label(event.hex))
        case flights.AircraftTurned():
            return Shown(kind="mark", units=(event.aircraft,), facing=event.facing)
        case flights.AircraftLeft():
            return Shown(kind="move", units=(event.aircraft,))
        case flights.AircraftCrashed():
            where = "" if event.hex is None else label(event.hex)
            return Shown(kind="effect", units=(event.aircraft,), hex=where, effect="crashes")
        case air.AirstrikeMade():
            return Shown(kind="fire", units=(event.target,), firers=(event.aircraft,))
        case air.AaAnnounced():
            return Shown(kind="fire", units=(event.aircraft,), firers=tuple(shot.firer for shot in event.shots))
        case air.AaRolled():
            return Shown(
                kind="result",
                units=(event.aircraft,),
                firers=(event.firer,),
                faces=(event.roll,),
                needed=f"GP {event.factor} against {event.defense}",
                rolled=f"{event.roll} {event.modifier.total:+d}",
                effect=event.effect.value,
                came_off=event.effect is not event.effect.NONE,
            )
        case _:
            return None


def air_breakdowns(event: ev.Event) -> tuple[Breakdown, ...]:
    """The numbers that an event of a flight rests on."""
    match event:
        case air.AaRolled():
            return (event.modifier,)
        case air.AircraftRecovered():
            return (event.number,)
        case _:
            return ()


def air_consequences(before: State, after: State) -> Iterator[str]:
    """What became of the aircraft between two states."""
    for aircraft_id, aircraft in sorted(after.flights.items()):
        was = before.flights[aircraft_id]
        if aircraft.lost and not was.lost:
            yield f"{aircraft_id} shot down"
        elif aircraft.damaged and not was.damaged:
            yield f"{aircraft_id} damaged"
        elif aircraft.is_suppressed and not was.is_suppressed:
            yield f"{aircraft_id} suppressed"


def air_counters(context: Context, state: State) -> tuple[Counter, ...]:
    """The aircraft from a concealed state: on the map while one flies, else beside it."""
    flight = flight_seen(state)
    return tuple(
        _counter(context, aircraft, flight if flight is not None and flight.aircraft == aircraft_id else None)
        for aircraft_id, aircraft in sorted(state.flights.items())
    )


def _counter(context: Context, aircraft: Aircraft, flight: Flying | None) -> Counter:
    card = context.shelf.aircraft[aircraft.card]
    side = next(side for side in context.scenario.draft.sides if side.id == aircraft.side)
    flying = flight is not None and not aircraft.lost
    box = "" if flying else "destroyed" if aircraft.lost else AIR_BOX.id
    colour = side.colour or COLOURS.get(aircraft.side, aircraft.side)
    words = [word for word in card.name.split() if word[0].isupper() or word[0].isdigit()]
    return Counter(
        id=aircraft.id,
        side=aircraft.side,
        face=Face("aircraft", card.name, words[-1][:4], colour, tuple(_values(context, aircraft))),
        hex=context.game_map.label(flight.hex) if flying and flight is not None else "",
        box=box,
        facing=flight.facing if flying and flight is not None else None,
        markers=tuple(_markers(aircraft, flight)),
    )


def _values(context: Context, aircraft: Aircraft) -> Iterator[Value]:
    card = context.shelf.aircraft[aircraft.card]
    yield Value("defense", f"{card.gp_defense}S")
    for weapon in (AirWeapon.STRAFE, AirWeapon.BOMBS, AirWeapon.ROCKETS):
        left = attacks_left(card, aircraft, weapon, limited=True)
        if left > 0:
            yield Value(weapon.value, str(left))


def _markers(aircraft: Aircraft, flight: Flying | None) -> Iterator[Marker]:
    if flight is not None:
        pace = f"{flight.pace.speed.value}/{flight.pace.altitude.value}"
        yield Marker(pace.upper(), f"Speed {flight.pace.speed.value}, Altitude {flight.pace.altitude.value}")
    if aircraft.load is Load.HIDDEN:
        yield Marker("?", "Bombs or rockets", "hidden")
    if aircraft.damaged:
        yield Marker("DMGD", "Damaged", "bad")
    if aircraft.is_suppressed:
        yield Marker(aircraft.suppression.value, "Suppressed", "bad")
