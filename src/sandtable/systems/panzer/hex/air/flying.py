"""6.7.2.3, 6.7.3 A flight over the mapboard: straight on, one turn, attacks, and out over the edge."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch, Leaf, Node, Pick, Seat
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking, Changed, Closed, Opened
from sandtable.geo.hex import distance, neighbour
from sandtable.systems.panzer.advanced_card import UnitClass
from sandtable.systems.panzer.air.acquiring import NOBODY, acquire_range, coming_in, flown_on, turned_about
from sandtable.systems.panzer.air.air_actions import FlyOn, Strike
from sandtable.systems.panzer.air.air_events import AirstrikeMade, ObserverGuided
from sandtable.systems.panzer.air.air_frames import AntiAircraft
from sandtable.systems.panzer.air.aircraft import AirWeapon, Speed, refuse_weapon
from sandtable.systems.panzer.combat.wreck_smoke import smoke_takes_effect
from sandtable.systems.panzer.command.sharing import reveal
from sandtable.systems.panzer.edition import Module
from sandtable.systems.panzer.hex.actions import Action
from sandtable.systems.panzer.hex.air.aa_fire import aa_possible, strike_hex
from sandtable.systems.panzer.hex.air.airways import (
    acquirable,
    needs_observer,
    observer_for,
    pattern,
    reach_ahead,
    trackers,
)
from sandtable.systems.panzer.hex.air.flights import FLIGHT_FACTS, AircraftFlew, AircraftLeft, AircraftTurned
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.handler import Handler, Play
from sandtable.systems.panzer.hex.state import AirStrike, Flying, State, Unit
from sandtable.systems.panzer.unit import UnitId

__all__ = ["FlyingHandler", "appearing"]

BOOK = ("panzer-na",)
_TURNS = {1: ("right", "then turn right"), -1: ("left", "then turn left")}


@rule("6.7.3.1.1", "6.7.4.1.1", editions=BOOK)
def appearing(context: Context, state: State, flight: Flying) -> Flying:
    """A flight as it begins: what is near the edge is acquired, and all who see the aircraft track it (6.7.3.1.1).

    Suppression does not bring more within reach.
    """
    seen = acquirable(context, state, flight)
    least = acquire_range(context.tables["aircraft_spotting"], flight.pace, suppressed=False)
    near = [unit for unit in seen if _range(flight, state.units[unit]) < least]
    tracking = trackers(context, state, flight)
    return replace(flight, acquiring=coming_in(seen, near), tracking=coming_in(tracking, tracking))


def _range(flight: Flying, unit: Unit) -> int:
    assert unit.hex is not None  # noqa: S101 - it is in sight
    return distance(flight.hex, unit.hex)


@rule("6.7.2.3", "6.7.2.3.1", editions=BOOK)
def _refuse_way(context: Context, flight: Flying, action: FlyOn) -> Refusal | None:
    """Why it cannot fly so: straight on, and one turn of one hexside at Slow Speed (6.7.2.3, 6.7.2.3.1)."""
    reach = reach_ahead(context.game_map, flight.hex, flight.facing)
    if action.steps < 0 or action.steps > reach + 1:
        return Refusal("6.7.2.3", f"{action.steps} hexes", f"up to {reach + 1}, which leaves the mapboard")
    if action.turn not in (-1, 0, 1):
        return Refusal("6.7.2.3.1", f"a turn of {action.turn} hexsides", "one hexside to the right or left")
    if action.steps == 0 and action.turn == 0:
        return Refusal("6.7.2.3", "an aircraft does not stay where it is", "a hex or more")
    if not action.turn:
        return None
    if flight.pace.speed is Speed.FAST:
        return Refusal("6.7.2.3.1", "no turn at Fast Speed", "straight on")
    if flight.turned:
        return Refusal("6.7.2.3.1", f"{flight.aircraft} has made its turn", "straight on")
    if action.steps > reach:
        return Refusal("6.7.2.3.1", "it has left the mapboard by then", f"up to {reach} hexes")
    return None


@rule("6.7.3", "6.7.3.1", "6.7.3.1.1", "6.7.3.1.2", editions=BOOK)
def _refuse_strike(context: Context, state: State, flight: Flying, action: Strike) -> Refusal | None:
    """Why it cannot attack so from here (6.7.3)."""
    aircraft, target = state.flights[flight.aircraft], state.units.get(action.target)
    if target is None or target.side == aircraft.side or not target.in_play or target.hex is None:
        return Refusal(
            "6.7.3", f"{action.target!r} is no enemy unit on the mapboard", "name a unit that it has acquired"
        )
    card = context.shelf.aircraft[aircraft.card]
    limited = context.plays(Module.AMMO_LIMITS)
    refusal = refuse_weapon(card, aircraft, action.weapon, flight.pace.altitude, limited=limited)
    if refusal is not None:
        return refusal
    if action.target not in flight.acquiring.got:
        return Refusal("6.7.3.1.1", f"{action.target} is not acquired", "fly on in sight of it")
    if not pattern(context, flight, action.weapon, target.hex):
        where = "straight ahead" if action.weapon is AirWeapon.ROCKETS else "in the hex in front of the aircraft"
        return Refusal("6.7.3", f"{action.target} is not where it has to be", where)
    if action.weapon is AirWeapon.ROCKETS and card.rockets is not None:
        gp, far = card.rockets.gp, _range(flight, target)
        if gp.range_factor(far) is None:
            return Refusal("6.7.3.4", f"{action.target} is {far} hexes away", f"{gp.minimum} to {gp.R.E}")
    if needs_observer(context, state, target) and observer_for(context, state, aircraft.side, target) is None:
        return Refusal("6.7.3.1.2", f"{action.target} is hidden from the air", "an FO unit with OW that spots it")
    return None


def strikes_from(context: Context, state: State, flight: Flying) -> Iterator[Strike]:
    """The attacks that an aircraft can make from where it is."""
    for target in flight.acquiring.got:
        for weapon in AirWeapon:
            action = Strike(target, weapon)
            if _refuse_strike(context, state, flight, action) is None:
                yield action


class FlyingHandler(Handler[Flying]):
    """6.7.2.3: an aircraft flies hex by hex until it is off the mapboard."""

    frame = Flying
    answers = (FlyOn, Strike)
    folds = FLIGHT_FACTS

    def question(self, state: State, frame: Flying) -> Asking:
        """Its owner."""
        return Asking("6.7.2.3", f"Fly {frame.aircraft} on, or attack", (state.flights[frame.aircraft].side,))

    def options(self, state: State, frame: Flying, seat: Seat) -> Node[Action]:
        """Attacks from here, then every hex ahead with the turn that may follow."""
        return Pick(lambda: self._ways(state, frame))

    def _ways(self, state: State, frame: Flying) -> Iterator[Branch[Action]]:
        for strike in strikes_from(self.context, state, frame):
            name = self.context.cards[state.units[strike.target].card].name
            label = f"{strike.weapon.value.capitalize()}: {name} {strike.target}"
            key = f"{strike.weapon.name.lower()}-{strike.target}"
            yield Branch(key, "attack", label, Leaf[Action](strike), strike.target)
        may_turn = frame.pace.speed is Speed.SLOW and not frame.turned
        reach, hex = reach_ahead(self.context.game_map, frame.hex, frame.facing), frame.hex
        if may_turn:
            for turn, (key, _) in _TURNS.items():
                yield Branch(key, "turn", f"Turn {key} here", Leaf[Action](FlyOn(0, turn)))
        for steps in range(1, reach + 1):
            hex = neighbour(hex, frame.facing)
            label = self.context.game_map.label(hex)
            then = self._turns(steps) if may_turn else Leaf[Action](FlyOn(steps))
            yield Branch(f"to-{steps}", "flight", f"Fly to {label}", then, label, is_hex=True)
        yield Branch("leave", "leave", "Leave the mapboard straight ahead", Leaf[Action](FlyOn(reach + 1)))

    def _turns(self, steps: int) -> Node[Action]:
        def ways() -> Iterator[Branch[Action]]:
            yield Branch("straight", "turn", "No turn", Leaf[Action](FlyOn(steps)))
            for turn, (key, words) in _TURNS.items():
                yield Branch(key, "turn", words, Leaf[Action](FlyOn(steps, turn)))

        return Pick(ways)

    def refusal(self, state: State, frame: Flying, seat: Seat, action: Action) -> Refusal | None:
        """Ways and attacks that there are not."""
        if isinstance(action, FlyOn):
            return _refuse_way(self.context, frame, action)
        assert isinstance(action, Strike)  # noqa: S101 - the other answer
        return _refuse_strike(self.context, state, frame, action)

    def apply(self, play: Play, frame: Flying, seat: Seat, action: Action) -> None:
        """It flies on, or its attack is announced."""
        if isinstance(action, FlyOn):
            play.emit(Changed(replace(frame, plan=action)))
            return
        assert isinstance(action, Strike)  # noqa: S101 - the other answer
        self._announce(play, frame, action)

    @rule("6.7.3.1.2", "6.7.3.2", "6.7.3.3", "6.7.3.4", editions=BOOK)
    def _announce(self, play: Play, frame: Flying, action: Strike) -> None:
        """The attack uses up one of its kind, whatever it strikes; the next target is acquired from here on (6.7.3)."""
        state, context = play.state, self.context
        target = state.units[action.target]
        assert target.hex is not None  # noqa: S101 - it is acquired
        if needs_observer(context, state, target):
            observer = observer_for(context, state, state.flights[frame.aircraft].side, target)
            assert observer is not None  # noqa: S101 - or it were refused
            reveal(play, state.units[observer].markers.carrier or observer)
            if observer not in state.guided:
                play.emit(ObserverGuided(observer, action.target))
        hexes = pattern(context, frame, action.weapon, target.hex)
        units = strike_hex(state, hexes)
        hidden = {state.units[unit].side for unit in units if is_face_down_vehicle(context, state, unit)}
        waiting = tuple(seat for seat in context.scenario.seats if seat in hidden)
        play.emit(AirstrikeMade(frame.aircraft, action.weapon, action.target))
        play.emit(Changed(replace(frame, acquiring=NOBODY, watched=True)))
        play.emit(Opened(AirStrike(frame.aircraft, action.target, action.weapon, hexes, units, waiting)))

    def advance(self, play: Play, frame: Flying) -> bool:
        """AA fire as it comes, then what its owner has planned, hex by hex."""
        state = play.state
        if state.flights[frame.aircraft].lost:
            play.emit(Closed())
            smoke_takes_effect(play)
            return True
        if not frame.watched:
            play.emit(Changed(replace(frame, watched=True)))
            asked = self.context.other(state.flights[frame.aircraft].side)
            if aa_possible(self.context, state, frame, asked):
                play.emit(Opened(AntiAircraft(frame.aircraft, asked)))
            return True
        plan = frame.plan
        if plan is None:
            return False
        if plan.steps:
            self._step(play, frame, plan)
        else:
            self._turn(play, frame, plan)
        return True

    @rule("5.5", "6.7.2", "6.7.2.3", editions=BOOK)
    def _step(self, play: Play, frame: Flying, plan: FlyOn) -> None:
        """Into the hex that its front faces, or off the mapboard (6.7.2.3)."""
        hex = neighbour(frame.hex, frame.facing)
        if hex not in self.context.game_map:
            edges = self.context.game_map.exits[frame.hex][frame.facing]
            play.emit(AircraftLeft(frame.aircraft, frame.hex, tuple(edge.value for edge in edges)))
            play.emit(Closed())
            smoke_takes_effect(play)
            return
        left = FlyOn(plan.steps - 1, plan.turn)
        flown = replace(frame, hex=hex, plan=left if left.steps or left.turn else None, watched=False)
        flown = replace(
            flown,
            acquiring=flown_on(frame.acquiring, acquirable(self.context, play.state, flown)),
            tracking=flown_on(frame.tracking, trackers(self.context, play.state, flown)),
        )
        play.emit(AircraftFlew(frame.aircraft, hex))
        play.emit(Changed(flown))

    @rule("6.7.2.3.1", editions=BOOK)
    def _turn(self, play: Play, frame: Flying, plan: FlyOn) -> None:
        """One hexside; what it has still in front stays in sight, and who tracks it goes on (6.7.2.3.1, 6.7.4.1.1)."""
        facing = (frame.facing + plan.turn) % 6
        turned = replace(frame, facing=facing, turned=True, plan=None)
        seen = acquirable(self.context, play.state, turned)
        play.emit(AircraftTurned(frame.aircraft, facing))
        play.emit(Changed(replace(turned, acquiring=turned_about(frame.acquiring, seen))))

    def conceal(self, frame: Flying, seat: Seat | None) -> Flying:
        """Where it is to fly is its owner's secret."""
        if frame.plan is None or self.context.scenario.aircraft[frame.aircraft].side == seat:
            return frame
        return replace(frame, plan=None)

    def may_hide(self, frame: Flying, holder: Seat) -> bool:
        """The owner may have planned further."""
        return self.context.scenario.aircraft[frame.aircraft].side == holder


def is_face_down_vehicle(context: Context, state: State, unit_id: UnitId) -> bool:
    """Whether a unit is a vehicle whose command others do not know: it may be one that moves (6.5.4.3)."""
    unit = state.units[unit_id]
    return not unit.known and context.cards[unit.card].unit_class is UnitClass.VEHICLE
