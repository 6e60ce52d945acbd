"""6.7.3.2-6.7.3.4 An attack from the air that was announced: AA fire, moving vehicles, and what each unit suffers."""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Assign, Node, Seat, Slot
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking, Changed, Closed, Opened
from sandtable.geo.hex import Hex, distance
from sandtable.systems.panzer.air.air_actions import ShowMoving
from sandtable.systems.panzer.air.air_frames import AntiAircraft
from sandtable.systems.panzer.air.aircraft import AirWeapon
from sandtable.systems.panzer.air.strikes import air_blast, altitude_after
from sandtable.systems.panzer.combat.hindrances import in_heat_haze
from sandtable.systems.panzer.command.sharing import reveal
from sandtable.systems.panzer.facts import BlastFacts
from sandtable.systems.panzer.hex.actions import Action
from sandtable.systems.panzer.hex.air.aa_fire import aa_possible, flight_of, resolve_aa
from sandtable.systems.panzer.hex.air.flying import is_face_down_vehicle
from sandtable.systems.panzer.hex.combat.gp_results import gp_attack
from sandtable.systems.panzer.hex.combat.terrain_fire import strike_terrain, vulnerable_in
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.handler import Handler, Play
from sandtable.systems.panzer.hex.spotting.spotting import size_class
from sandtable.systems.panzer.hex.state import AirStrike, Flying, State, Unit
from sandtable.systems.panzer.unit import MOVING_COMMANDS, UnitId

__all__ = ["AirStrikeHandler", "fire_in", "fire_on"]

BOOK = ("panzer-na",)
_MOVES, _SECRET = "moves", "keep it face down"


def fire_in(context: Context, state: State, flight: Flying, weapon: AirWeapon, hex: Hex) -> BlastFacts:
    """An attack from the air as it falls in a hex."""
    aircraft = state.flights[flight.aircraft]
    return air_blast(
        context.shelf.aircraft[aircraft.card],
        aircraft,
        weapon,
        flight.pace,
        distance=distance(flight.hex, hex),
        tables=context.tables,
    )


@rule("6.5.4.3", editions=BOOK)
def fire_on(context: Context, state: State, flight: Flying, weapon: AirWeapon, unit: Unit) -> BlastFacts:
    """An attack from the air on a unit: of all that hinders a line of sight Heat Haze alone counts (6.5.4.3)."""
    assert unit.hex is not None  # noqa: S101 - it is in the pattern
    fire = fire_in(context, state, flight, weapon, unit.hex)
    if not context.scenario.draft.conditions.heat_haze:
        return fire
    size, far = size_class(context.cards[unit.card]), distance(flight.hex, unit.hex)
    return replace(fire, heat_haze=in_heat_haze(context.tables, size, far))


class AirStrikeHandler(Handler[AirStrike]):
    """6.7.3: an announced attack."""

    frame = AirStrike
    answers = (ShowMoving,)

    def question(self, state: State, frame: AirStrike) -> Asking:
        """Owners of face-down vehicles in the pattern, one after the other, whatever the commands are."""
        return Asking("6.5.4.3", "Reveal moving commands?", frame.waiting[:1], guards=True)

    def _hidden(self, state: State, frame: AirStrike, seat: Seat) -> list[Unit]:
        """Vehicles of a force under attack whose commands lie face down."""
        found = [unit for unit in frame.units if is_face_down_vehicle(self.context, state, unit)]
        return [state.units[unit] for unit in found if state.units[unit].side == seat]

    def options(self, state: State, frame: AirStrike, seat: Seat) -> Node[Action]:
        """Which of them move."""
        units = self._hidden(state, frame, seat)
        slots = []
        for unit in units:
            values = (_SECRET, _MOVES) if unit.command in MOVING_COMMANDS else (_SECRET,)
            slots.append(Slot(unit.id, "answer", f"{self.context.cards[unit.card].name} {unit.id}", values))

        def build(values: tuple[str, ...]) -> Action:
            return ShowMoving(tuple(unit.id for unit, value in zip(units, values, strict=True) if value == _MOVES))

        return Assign(slots, build)

    def refusal(self, state: State, frame: AirStrike, seat: Seat, action: Action) -> Refusal | None:
        """Only a MOVE or SHORT HALT command is worth revealing (6.5.4.3)."""
        assert isinstance(action, ShowMoving)  # noqa: S101 - the only answer
        units = [unit.id for unit in self._hidden(state, frame, seat)]
        if action.units != tuple(unit for unit in units if unit in action.units):
            reason = "each is a vehicle of yours under attack, named once in its order"
            return Refusal("6.5.4.3", reason, f"some of {', '.join(units)}")
        for unit in action.units:
            if state.units[unit].command not in MOVING_COMMANDS:
                return Refusal("6.5.4.3", f"{unit} has no moving command to reveal", "keep it face down")
        return None

    def apply(self, play: Play, frame: AirStrike, seat: Seat, action: Action) -> None:
        """The attack knows who moves."""
        assert isinstance(action, ShowMoving)  # noqa: S101 - the only answer
        for unit in action.units:
            reveal(play, unit)
        play.emit(Changed(replace(frame, waiting=frame.waiting[1:])))

    @rule("6.7.4.1.1", editions=BOOK)
    def advance(self, play: Play, frame: AirStrike) -> bool:
        """AA fire is announced, commands are shown, the attack falls, and the AA fire after it (6.7.4.1.1)."""
        state = play.state
        if not frame.watched:
            play.emit(Changed(replace(frame, watched=True)))
            asked = self.context.other(state.flights[frame.aircraft].side)
            if aa_possible(self.context, state, flight_of(state), asked):
                play.emit(Opened(AntiAircraft(frame.aircraft, asked, after=True)))
            return True
        if frame.waiting:
            return False
        for unit in frame.units:
            self._strike(play, frame, unit)
        self._strike_ground(play, frame)
        play.emit(Closed())
        flight = flight_of(play.state)
        pace = replace(flight.pace, altitude=altitude_after(frame.weapon, flight.pace.altitude))
        play.emit(Changed(replace(flight, pace=pace, held=flight.held or frame.held)))
        resolve_aa(self.context, play, frame.shots)
        return True

    @rule("6.7.3.2", "6.7.3.3", "6.7.3.4", editions=BOOK)
    def _strike(self, play: Play, frame: AirStrike, unit_id: UnitId) -> None:
        """One unit in the pattern, friend or enemy (6.7.3.2 to 6.7.3.4)."""
        context, state = self.context, play.state
        unit = state.units[unit_id]
        if not unit.in_play or unit.hex is None:
            return
        moving = unit.known and unit.command in MOVING_COMMANDS
        fire = fire_on(context, state, flight_of(state), frame.weapon, unit)
        gp_attack(context, play, unit_id, fire, frame.aircraft, moving=moving)

    @rule("6.5.4.2.5", editions=BOOK)
    def _strike_ground(self, play: Play, frame: AirStrike) -> None:
        """Terrain in the pattern that can be destroyed, after all units and with or without one in it (6.5.4.2.5)."""
        for hex in frame.hexes:
            fire = fire_in(self.context, play.state, flight_of(play.state), frame.weapon, hex)
            for what in list(vulnerable_in(self.context, play.state, hex)):
                strike_terrain(self.context, play, frame.aircraft, what, fire)
