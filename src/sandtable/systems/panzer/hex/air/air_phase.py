"""6.4, 6.7, 6.7.1, 6.7.2.1 The Air Phases: loads before the first turn, and aircraft that appear at the edge."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.core.content.rule import rule
from sandtable.core.decision import Assign, Branch, Leaf, Node, Pick, Seat, Slot
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking, Changed, Closed, Opened
from sandtable.geo.hex import DIRECTION_NAMES, Hex
from sandtable.systems.panzer.air.air_actions import Arm
from sandtable.systems.panzer.air.air_events import AircraftArmed
from sandtable.systems.panzer.air.air_frames import AirPhase, Arming
from sandtable.systems.panzer.air.aircraft import (
    Aircraft,
    Altitude,
    Load,
    Pace,
    Speed,
    loads_of,
    refuse_appearance,
    refuse_flight,
)
from sandtable.systems.panzer.hex.actions import Action, Decline
from sandtable.systems.panzer.hex.air.airways import Entrance, edges_open, entrances
from sandtable.systems.panzer.hex.air.flights import AircraftAppeared, Fly
from sandtable.systems.panzer.hex.air.flying import appearing
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.handler import Handler, Play
from sandtable.systems.panzer.hex.state import Flying, State
from sandtable.systems.panzer.unit import UnitId

__all__ = ["AirPhaseHandler", "ArmingHandler", "air_phase", "arming"]

BOOK = ("panzer-na",)


@rule("6.4", "6.7", editions=BOOK)
def air_phase(state: State) -> AirPhase | None:
    """The question of an Air Phase, for the force that has aircraft left; None where nobody has (6.4, 6.7)."""
    side = next((aircraft.side for aircraft in state.flights.values() if not aircraft.lost), None)
    return None if side is None else AirPhase(side)


def _to_arm(context: Context, state: State, seat: str) -> list[Aircraft]:
    """Aircraft of a force whose cards leave a choice that the scenario has not made."""
    return [
        aircraft
        for _, aircraft in sorted(state.flights.items())
        if aircraft.side == seat
        and aircraft.load is Load.NONE
        and len(loads_of(context.shelf.aircraft[aircraft.card])) > 1
    ]


@rule("6.7.1", editions=BOOK)
def arming(context: Context, state: State) -> Arming | None:
    """The question of loads before the scenario begins, where a card lists both (6.7.1)."""
    waiting = tuple(seat for seat in context.scenario.seats if _to_arm(context, state, seat))
    return Arming(waiting) if waiting else None


class ArmingHandler(Handler[Arming]):
    """6.7.1: bombs or rockets, noted in secret before the scenario begins."""

    frame = Arming
    answers = (Arm,)

    def question(self, state: State, frame: Arming) -> Asking:
        """The force with aircraft."""
        return Asking("6.7.1", "Bombs or rockets?", frame.waiting, secret=True)

    def options(self, state: State, frame: Arming, seat: Seat) -> Node[Action]:
        """A load for each of them."""
        aircraft = _to_arm(self.context, state, seat)
        slots = []
        for one in aircraft:
            card = self.context.shelf.aircraft[one.card]
            slots.append(Slot(one.id, "load", f"{card.name} {one.id}", tuple(load.value for load in loads_of(card))))

        def build(values: tuple[str, ...]) -> Action:
            return Arm({one.id: Load(value) for one, value in zip(aircraft, values, strict=True)})

        return Assign(slots, build)

    def refusal(self, state: State, frame: Arming, seat: Seat, action: Action) -> Refusal | None:
        """One load that fits for every aircraft that has a choice."""
        assert isinstance(action, Arm)  # noqa: S101 - the only answer
        aircraft = {one.id: one for one in _to_arm(self.context, state, seat)}
        if set(action.loads) != set(aircraft):
            return Refusal("6.7.1", "not the aircraft that have a choice", f"a load for {', '.join(aircraft)}")
        for one, load in action.loads.items():
            if load not in loads_of(self.context.shelf.aircraft[aircraft[one].card]):
                return Refusal("6.7.1", f"{one} cannot carry {load.value or 'nothing'}", "bombs or rockets")
        return None

    def apply(self, play: Play, frame: Arming, seat: Seat, action: Action) -> None:
        """The loads are noted."""
        assert isinstance(action, Arm)  # noqa: S101 - the only answer
        play.emit(AircraftArmed(seat, dict(sorted(action.loads.items()))))
        left = tuple(other for other in frame.waiting if other != seat)
        play.emit(Changed(Arming(left)) if left else Closed())


class AirPhaseHandler(Handler[AirPhase]):
    """6.4, 6.7: aircraft appear one by one."""

    frame = AirPhase
    answers = (Fly, Decline)

    def question(self, state: State, frame: AirPhase) -> Asking:
        """The force with local air superiority."""
        return Asking("6.7.2.1", "Fly an aircraft?", (frame.player,))

    def _ready(self, state: State, frame: AirPhase) -> list[Aircraft]:
        return [
            aircraft
            for _, aircraft in sorted(state.flights.items())
            if aircraft.side == frame.player and self._refuse(state, aircraft) is None
        ]

    def _refuse(self, state: State, aircraft: Aircraft) -> Refusal | None:
        sortie = self.context.scenario.sorties[aircraft.id]
        return refuse_appearance(self.context.tables["aircraft_numbers"], aircraft, state.turn, sortie.turn)

    def options(self, state: State, frame: AirPhase, seat: Seat) -> Node[Action]:
        """An aircraft, its Speed and Altitude, and where it comes in; or none."""
        return Pick(lambda: self._ways(state, frame))

    def _ways(self, state: State, frame: AirPhase) -> Iterator[Branch[Action]]:
        yield Branch("done", "pass", "No more flights in this phase", Leaf[Action](Decline()))
        for aircraft in self._ready(state, frame):
            card = self.context.shelf.aircraft[aircraft.card]
            yield Branch(
                aircraft.id, "aircraft", f"{card.name} {aircraft.id}", self._paces(state, aircraft), aircraft.id
            )

    def _paces(self, state: State, aircraft: Aircraft) -> Node[Action]:
        card = self.context.shelf.aircraft[aircraft.card]

        def ways() -> Iterator[Branch[Action]]:
            for speed in Speed:
                if refuse_flight(card, aircraft, speed) is None:
                    for altitude in Altitude:
                        pace, words = Pace(speed, altitude), f"{speed.value} at {altitude.value} Altitude"
                        key = f"{speed.value}-{altitude.value}"
                        yield Branch(key, "pace", words, self._hexes(state, aircraft, pace))

        return Pick(ways)

    def _open(self, state: State, aircraft: Aircraft) -> Iterator[Entrance]:
        edges = edges_open(self.context, state, aircraft)
        return (one for one in entrances(self.context.game_map) if not edges or set(edges) & set(one.edges))

    def _hexes(self, state: State, aircraft: Aircraft, pace: Pace) -> Node[Action]:
        def ways() -> Iterator[Branch[Action]]:
            ways_in: dict[Hex, list[int]] = {}
            for entrance in self._open(state, aircraft):
                ways_in.setdefault(entrance.hex, []).append(entrance.facing)
            for hex, facings in ways_in.items():
                label = self.context.game_map.label(hex)
                then = self._facings(aircraft.id, hex, facings, pace)
                yield Branch(label, "hex", f"At {label}", then, label, is_hex=True)

        return Pick(ways)

    def _facings(self, aircraft: UnitId, hex: Hex, facings: list[int], pace: Pace) -> Node[Action]:
        def ways() -> Iterator[Branch[Action]]:
            for facing in sorted(facings):
                name = DIRECTION_NAMES[facing]
                action = Fly(aircraft, hex, facing, pace.speed, pace.altitude)
                yield Branch(name, "facing", f"Heading {name}", Leaf[Action](action))

        return Pick(ways)

    @rule("6.7.2", "6.7.2.1", "6.7.2.2", editions=BOOK)
    def refusal(self, state: State, frame: AirPhase, seat: Seat, action: Action) -> Refusal | None:
        """Aircraft that may not fly, or not so, or not from there (6.7.2.1, 6.7.2.2)."""
        if not isinstance(action, Fly):
            return None
        aircraft = state.flights.get(action.aircraft)
        if aircraft is None or aircraft.side != seat:
            return Refusal("6.7", f"{action.aircraft!r} is no aircraft of {seat}", "name an aircraft of yours")
        card = self.context.shelf.aircraft[aircraft.card]
        refusal = self._refuse(state, aircraft) or refuse_flight(card, aircraft, action.speed)
        if refusal is not None:
            return refusal
        ways = [one for one in entrances(self.context.game_map) if one[:2] == (action.hex, action.facing)]
        if not ways:
            return Refusal("6.7.2", "an aircraft comes in over an edge, heading inwards", "a hex at the edge")
        edges = edges_open(self.context, state, aircraft)
        if edges and not set(edges) & set(ways[0].edges):
            return Refusal("6.7.2.1", f"{aircraft.id} does not come over that edge", " or ".join(edges))
        return None

    def apply(self, play: Play, frame: AirPhase, seat: Seat, action: Action) -> None:
        """It appears at the edge; or the phase is over."""
        if not isinstance(action, Fly):
            play.emit(Closed())
            return
        pace = Pace(action.speed, action.altitude)
        play.emit(AircraftAppeared(action.aircraft, play.state.turn, action.hex, action.facing, pace))
        flight = Flying(action.aircraft, action.hex, action.facing, pace)
        play.emit(Opened(appearing(self.context, play.state, flight)))

    def advance(self, play: Play, frame: AirPhase) -> bool:
        """Nothing is asked where no aircraft may fly any more."""
        if self._ready(play.state, frame):
            return False
        play.emit(Closed())
        return True
