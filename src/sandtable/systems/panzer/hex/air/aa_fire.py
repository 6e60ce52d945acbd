"""6.7.4 Anti-aircraft fire on hexes: who may fire, the question of it, and what comes of it.

A force is asked when, for all that the other knows, one of its units could fire: the question must not tell where the
OW commands are.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch, Gather, Leaf, Node, Pick, Seat, Slot
from sandtable.core.dice import Kinds
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking, Changed, Closed
from sandtable.geo.hex import distance, in_arc, neighbour
from sandtable.systems.panzer import events as ev
from sandtable.systems.panzer.advanced_card import UnitClass
from sandtable.systems.panzer.air.air_actions import AaShot, FireAa, HoldAa
from sandtable.systems.panzer.air.air_events import AaAnnounced, AaHeld, AaRolled, AaWasted
from sandtable.systems.panzer.air.air_frames import AntiAircraft
from sandtable.systems.panzer.air.aircraft import Speed
from sandtable.systems.panzer.air.anti_aircraft import AirEffect, aa_blast, aa_effect, aa_rows, refuse_aa_row
from sandtable.systems.panzer.air.strikes import crash_blast, crash_distance
from sandtable.systems.panzer.cards import Weapon
from sandtable.systems.panzer.combat.ammo_limits import is_short
from sandtable.systems.panzer.combat.announcing import refuse_second_fire
from sandtable.systems.panzer.combat.fire_events import AmmoRolled
from sandtable.systems.panzer.combat.gp_fire import gp_modifiers, gp_result
from sandtable.systems.panzer.command.sharing import reveal
from sandtable.systems.panzer.edition import Module
from sandtable.systems.panzer.hex.actions import Action, Pass
from sandtable.systems.panzer.hex.air.airways import FRONT
from sandtable.systems.panzer.hex.air.flights import AircraftCrashed
from sandtable.systems.panzer.hex.combat.engagement import has_ammo_dump
from sandtable.systems.panzer.hex.combat.gp_results import gp_attack
from sandtable.systems.panzer.hex.combat.terrain_fire import strike_terrain, vulnerable_in
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.handler import Handler, Play
from sandtable.systems.panzer.hex.state import AirStrike, Flying, State, Unit
from sandtable.systems.panzer.percentile import D10, D100
from sandtable.systems.panzer.unit import Command, Spot, UnitId, refuse_stranger

__all__ = ["AntiAircraftHandler", "aa_possible", "flight_of", "flight_seen", "resolve_aa", "strike_hex"]

BOOK = ("panzer-na",)


def flight_of(state: State) -> Flying:
    """The flight under way."""
    found = flight_seen(state)
    assert found is not None  # noqa: S101 - AA fire and attacks are part of one
    return found


def flight_seen(state: State) -> Flying | None:
    """The flight that is to be seen over the mapboard, if there is one."""
    return next((frame for frame in reversed(state.stack) if isinstance(frame, Flying)), None)


@rule("6.7.4.1.2", editions=BOOK)
def _refuse_field(context: Context, unit: Unit, flight: Flying) -> Refusal | None:
    """Vehicles fire all round, towed units to their front (6.7.4.1.2)."""
    if unit.hex is None:
        return Refusal("6.7.4.1.2", f"{unit.id} is not on the mapboard", "name a unit on the mapboard")
    towed = context.cards[unit.card].unit_class is UnitClass.TOWED
    if towed and not in_arc(unit.hex, unit.facing, flight.hex, FRONT):
        reason = f"the aircraft is outside of the Front Field-of-Fire of {unit.id}"
        return Refusal("6.7.4.1.2", reason, "name a unit that bears, or pass")
    return None


@rule("6.7.4.1", "6.7.4.1.1", "6.7.4.1.2", editions=BOOK)
def _refuse_weapon(context: Context, unit: Unit, weapon: int, flight: Flying) -> Refusal | None:
    """Why a unit cannot fire a weapon at the aircraft, its command apart (6.7.4.1, 6.7.4.1.2)."""
    row = next((row for index, _, row in aa_rows(context.cards[unit.card]) if index == weapon), None)
    if row is None:
        return Refusal("6.7.4", f"{unit.id} has no AA row for weapon {weapon}", "name a weapon with an AA row")
    if unit.id not in flight.tracking.got:
        return Refusal("6.7.4.1.1", f"{unit.id} does not track {flight.aircraft} yet", "pass until it does")
    assert unit.hex is not None  # noqa: S101 - it tracks
    reached = refuse_aa_row(row, flight.pace.altitude, distance(unit.hex, flight.hex))
    return reached or _refuse_field(context, unit, flight)


def _weapons(context: Context, unit: Unit, flight: Flying) -> list[int]:
    """The weapons that a unit could fire at the aircraft if its command allows it."""
    rows = aa_rows(context.cards[unit.card])
    return [index for index, _, _ in rows if _refuse_weapon(context, unit, index, flight) is None]


def _gunners(context: Context, state: State, flight: Flying, seat: str) -> Iterator[tuple[Unit, list[int]]]:
    """Units of a force that could fire, whatever their commands are, for all that others know."""
    for unit_id in flight.tracking.got:
        unit = state.units[unit_id]
        secret = not unit.known or unit.command is Command.OVERWATCH
        if unit.side == seat and unit.in_play and not unit.fired and secret:
            weapons = _weapons(context, unit, flight)
            if weapons:
                yield unit, weapons


def aa_possible(context: Context, state: State, flight: Flying, seat: str) -> bool:
    """Whether a force could fire at the aircraft now, for all that the other knows."""
    return not flight.held and next(_gunners(context, state, flight, seat), None) is not None


@rule("6.7.4", "6.7.4.1.1", editions=BOOK)
def _refuse(context: Context, state: State, frame: AntiAircraft, action: FireAa) -> Refusal | None:
    """Why this AA fire may not be announced: an OW command and one shot a turn (6.7.4, 6.7.4.1.1)."""
    if not action.shots:
        return Refusal("6.7.4", "no unit fires", "name at least one shot, or pass")
    flight, seen = flight_of(state), set[UnitId]()
    for shot in action.shots:
        unit = state.units.get(shot.firer)
        if unit is None or unit.side != frame.asked or not unit.in_play:
            return refuse_stranger(shot.firer, frame.asked)
        if unit.fired or unit.id in seen:
            return refuse_second_fire(unit.id, "6.7.4.1.1")
        if unit.command is not Command.OVERWATCH:
            return Refusal("6.7.4", f"{unit.id} has no OVERWATCH command", "name a unit with OW, or pass")
        refusal = _refuse_weapon(context, unit, shot.weapon, flight)
        if refusal is not None:
            return refusal
        seen.add(unit.id)
    return None


class AntiAircraftHandler(Handler[AntiAircraft]):
    """6.7.4: AA fire at an aircraft as it flies, or as it has announced its attack."""

    frame = AntiAircraft
    answers = (FireAa, Pass, HoldAa)

    def question(self, state: State, frame: AntiAircraft) -> Asking:
        """A force that could fire, whatever its commands are."""
        return Asking("6.7.4", "Anti-aircraft fire?", (frame.asked,), guards=True)

    def options(self, state: State, frame: AntiAircraft, seat: Seat) -> Node[Action]:
        """Fire with any of those who can; or not now; or not at this aircraft while it flies."""
        return Pick(lambda: self._ways(state, frame))

    def _ways(self, state: State, frame: AntiAircraft) -> Iterator[Branch[Action]]:
        yield Branch("pass", "pass", "No anti-aircraft fire now", Leaf[Action](Pass()))
        yield Branch("hold", "pass", f"Let {frame.aircraft} fly on", Leaf[Action](HoldAa()))
        ready = [
            (unit, weapons)
            for unit, weapons in _gunners(self.context, state, flight_of(state), frame.asked)
            if unit.command is Command.OVERWATCH
        ]
        if ready:
            yield Branch("fire", "fire", f"Fire at {frame.aircraft}", self._fire(ready))

    def _fire(self, ready: list[tuple[Unit, list[int]]]) -> Node[Action]:
        slots = []
        for unit, weapons in ready:
            card = self.context.cards[unit.card]
            words = tuple(card.weapons[weapon].name for weapon in weapons)
            slots.append(Slot(unit.id, "firer", f"{card.name} {unit.id}", tuple(map(str, weapons)), words=words))

        def build(values: tuple[str, ...]) -> Action:
            chosen = zip(slots, values, strict=True)
            return FireAa(tuple(AaShot(UnitId(slot.key), int(value)) for slot, value in chosen if value))

        return Gather(slots, build)

    def refusal(self, state: State, frame: AntiAircraft, seat: Seat, action: Action) -> Refusal | None:
        """Fire that may not be announced; one may always hold it."""
        return _refuse(self.context, state, frame, action) if isinstance(action, FireAa) else None

    def apply(self, play: Play, frame: AntiAircraft, seat: Seat, action: Action) -> None:
        """Announced fire is resolved at once, or after the attack that was announced before it (6.7.4.1.1)."""
        play.emit(Closed())
        if not isinstance(action, FireAa):
            whole = isinstance(action, HoldAa)
            play.emit(AaHeld(frame.asked, whole))
            if whole:
                self._hold(play)
            return
        play.emit(AaAnnounced(frame.aircraft, action.shots))
        for shot in action.shots:
            reveal(play, shot.firer)
        below = play.state.stack[-1]
        if isinstance(below, AirStrike):
            play.emit(Changed(replace(below, shots=action.shots)))
        else:
            resolve_aa(self.context, play, action.shots)

    def _hold(self, play: Play) -> None:
        """No more is asked as long as the aircraft flies."""
        below = play.state.stack[-1]
        if isinstance(below, Flying | AirStrike):
            play.emit(Changed(replace(below, held=True)))


@rule("6.7.4.2", "6.7.4.2.1", editions=BOOK)
def resolve_aa(context: Context, play: Play, shots: tuple[AaShot, ...]) -> None:
    """All announced AA fire, shot by shot; its flight lies on top (6.7.4.2)."""
    for shot in shots:
        unit, flight = play.state.units[shot.firer], flight_of(play.state)
        mans = unit.in_play and not unit.markers.bailed
        if not mans or play.state.flights[flight.aircraft].lost:
            play.emit(AaWasted(shot.firer, flight.aircraft))
        else:
            _resolve_shot(context, play, unit, shot.weapon, flight)
        if mans:
            weapon = context.cards[unit.card].weapons[shot.weapon]
            play.emit(ev.SpotMarked(unit.id, Spot.FIRE_SA if weapon.small_arms else Spot.FIRE))
    flight = flight_of(play.state)
    if not play.state.flights[flight.aircraft].lost and flight.plan is not None:
        play.emit(Changed(replace(flight, plan=None)))


def _resolve_shot(context: Context, play: Play, unit: Unit, index: int, flight: Flying) -> None:
    """Roll (100) for one AA shot, and what it does to the aircraft (6.7.4.2, 6.7.4.2.1)."""
    aircraft = play.state.flights[flight.aircraft]
    card = context.shelf.aircraft[aircraft.card]
    row = next(row for number, _, row in aa_rows(context.cards[unit.card]) if number == index)
    weapon = context.cards[unit.card].weapons[index]
    assert unit.hex is not None  # noqa: S101 - it tracks
    far = distance(unit.hex, flight.hex)
    short = _is_short(context, play, unit, weapon)
    facts = aa_blast(
        row,
        far,
        card.gp_defense,
        flight.pace,
        context.tables["aircraft_modifiers"],
        grade=context.grade(unit.id),
        small_arms=weapon.small_arms,
        suppressed=unit.markers.is_suppressed,
        damaged=unit.markers.turret_damaged,
        ammo_short=short,
    )
    modifier, table = gp_modifiers(facts, context.tables), context.tables["gp_combat"]

    def effect_of(roll: int) -> AirEffect:
        final = roll + modifier.total
        return aa_effect(gp_result(table, facts.factor, facts.defense, final), final, damaged=aircraft.damaged)

    roll = play.dice.roll(D100, f"{unit.id} fires at {aircraft.id}", Kinds(effect_of)).total
    effect = effect_of(roll)
    play.emit(
        AaRolled(
            firer=unit.id,
            aircraft=aircraft.id,
            weapon=weapon.name,
            distance=far,
            range_factor=facts.range_factor,
            factor=facts.factor,
            defense=facts.defense,
            modifier=modifier,
            roll=roll,
            effect=effect,
        )
    )
    if effect is AirEffect.DAMAGED and flight.pace.speed is Speed.FAST:
        play.emit(Changed(replace(flight, pace=replace(flight.pace, speed=Speed.SLOW))))
    elif effect is AirEffect.SHOT_DOWN:
        _crash(context, play, flight)


@rule("5.16.2.1", editions=BOOK)
def _is_short(context: Context, play: Play, unit: Unit, weapon: Weapon) -> bool:
    """Whether the basic ammo of an AA gun is short, as of all GP fire (5.16.2.1, 5.16.2.4)."""
    if not context.plays(Module.AMMO_LIMITS) or has_ammo_dump(context, play.state, unit):
        return False
    short = is_short(play.dice, weapon.limits.basic, "basic ammo")
    if short:
        play.emit(AmmoRolled(unit.id, "AA", 1))
    return short


@rule("6.7.4.2.1", editions=BOOK)
def _crash(context: Context, play: Play, flight: Flying) -> None:
    """It strikes the ground ahead of where it was hit, and all who are there (6.7.4.2.1)."""
    roll = play.dice.roll(D10, f"{flight.aircraft} crashes").total
    hex = flight.hex
    for _ in range(crash_distance(roll, flight.pace.altitude)):
        hex = neighbour(hex, flight.facing)
    on_map = hex in context.game_map
    play.emit(AircraftCrashed(flight.aircraft, roll, hex if on_map else None))
    if not on_map:
        return
    numbers = context.tables["aircraft_numbers"]
    for unit_id in strike_hex(play.state, (hex,)):
        if play.state.units[unit_id].in_play:
            advanced = context.cards[play.state.units[unit_id].card].advanced
            defense = advanced.gp_defense if advanced is not None and isinstance(advanced.gp_defense, int) else 0
            gp_attack(context, play, unit_id, crash_blast(numbers, defense), flight.aircraft, moving=False)
    for what in list(vulnerable_in(context, play.state, hex)):
        strike_terrain(context, play, flight.aircraft, what, crash_blast(numbers, what.defense))


def strike_hex(state: State, hexes: tuple[object, ...]) -> tuple[UnitId, ...]:
    """The units of both forces in some hexes, in the order of these; passengers are struck with their vehicles."""
    return tuple(
        unit_id
        for hex in hexes
        for unit_id, unit in sorted(state.units.items())
        if unit.hex == hex and unit.in_play and not unit.markers.carrier
    )
