"""6.8 Adjustment Phase of the Advanced Game: pivots, Full Cover, getting over suppression, counters.

The forces are asked in turn, step by step; a step that nobody has a unit for is passed over. Then the turn ends as in
the Basic Game (4.6).
"""

from __future__ import annotations

from collections.abc import Mapping

from sandtable.core.content.rule import rule
from sandtable.core.decision import Assign, Node, Seat, Slot
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking, Changed, Closed, Opened
from sandtable.geo.hex import DIRECTION_NAMES
from sandtable.systems.panzer import events as shared
from sandtable.systems.panzer.advanced_card import UnitClass
from sandtable.systems.panzer.air.air_events import AircraftCounterTurned, AircraftRecovered
from sandtable.systems.panzer.command.recovery import recovery_number
from sandtable.systems.panzer.edition import Module
from sandtable.systems.panzer.features import FeatureKind
from sandtable.systems.panzer.frames import AdjustingCover, EndingTurn, Pivoting
from sandtable.systems.panzer.hex import events as ev
from sandtable.systems.panzer.hex.actions import Action, AdjustCover, Pivot
from sandtable.systems.panzer.hex.adjustment import adjustment_phase
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.features import features_in, positions_of
from sandtable.systems.panzer.hex.handler import Handler, Play
from sandtable.systems.panzer.hex.state import State, Unit
from sandtable.systems.panzer.markers import Suppression
from sandtable.systems.panzer.movement.digging import dug_after, refuse_digging
from sandtable.systems.panzer.percentile import D100
from sandtable.systems.panzer.unit import Command, Status, UnitId

__all__ = [
    "AdjustingCoverHandler",
    "EndingTurnHandler",
    "PivotingHandler",
    "may_pivot",
    "may_take_cover",
    "open_steps",
]

BOOK = ("panzer-na",)
_FULL = "Full Cover"
_OPEN = "no Full Cover"
_NO_COVER = frozenset({"ford", "stream"})


@rule("6.8", editions=BOOK)
def open_steps(context: Context, play: Play) -> None:
    """The steps of the phase in their order, the first of them on top (6.8)."""
    seats = context.scenario.seats
    play.emit(Opened(EndingTurn()))
    play.emit(Opened(AdjustingCover(seats)))
    play.emit(Opened(Pivoting(seats)))


def _dismounted(context: Context, state: State, seat: str) -> list[Unit]:
    """The leg and towed units of a force that nobody carries, in a fixed order."""
    return [
        unit
        for _, unit in sorted(state.units.items())
        if unit.side == seat
        and unit.in_play
        and not unit.markers.carrier
        and context.cards[unit.card].unit_class is not UnitClass.VEHICLE
    ]


@rule("6.8.1", editions=BOOK)
def may_pivot(context: Context, state: State, seat: str) -> list[Unit]:
    """The units of a force that may change their facing now (6.8.1)."""
    return _dismounted(context, state, seat)


@rule("6.8.2", editions=BOOK)
def may_take_cover(context: Context, state: State, seat: str) -> list[Unit]:
    """The units of a force that may go into Full Cover or out of it (6.8.2); none on bridges, in fords and streams."""
    places = context.ground_at(state).places
    return [
        unit
        for unit in _dismounted(context, state, seat)
        if unit.hex is not None and not (place := places[unit.hex]).bridge and not _NO_COVER.intersection(place.terrain)
    ]


def _left(waiting: tuple[Seat, ...], having: Mapping[Seat, object]) -> tuple[Seat, ...]:
    """Those who wait and have something to decide."""
    return tuple(seat for seat in waiting if having[seat])


class PivotingHandler(Handler[Pivoting]):
    """6.8.1: units on foot and guns turn as they like."""

    frame = Pivoting
    answers = (Pivot,)

    def question(self, state: State, frame: Pivoting) -> Asking:
        """Every force that has such units, one after the other: all of it is seen."""
        return Asking("6.8.1", "Pivot leg and towed units", frame.waiting[:1])

    def options(self, state: State, frame: Pivoting, seat: Seat) -> Node[Action]:
        """A facing for each of them."""
        units = may_pivot(self.context, state, seat)
        slots = [
            Slot(unit.id, "facing", self._label(unit), tuple(DIRECTION_NAMES), plain=DIRECTION_NAMES[unit.facing])
            for unit in units
        ]

        def build(values: tuple[str, ...]) -> Action:
            facings = [DIRECTION_NAMES.index(value) for value in values]
            turned = zip(units, facings, strict=True)
            return Pivot({unit.id: facing for unit, facing in turned if facing != unit.facing})

        return Assign(slots, build)

    def _label(self, unit: Unit) -> str:
        return f"{self.context.cards[unit.card].name} {unit.id}"

    def refusal(self, state: State, frame: Pivoting, seat: Seat, action: Action) -> Refusal | None:
        """Units that may not pivot, and facings that are none."""
        assert isinstance(action, Pivot)  # noqa: S101 - the only answer
        mine = {unit.id: unit for unit in may_pivot(self.context, state, seat)}
        for unit_id, facing in action.facings.items():
            if unit_id not in mine:
                return Refusal("6.8.1", f"{unit_id!r} is no dismounted leg or towed unit of {seat}", "leave it out")
            if not 0 <= facing < len(DIRECTION_NAMES) or facing == mine[unit_id].facing:
                return Refusal("6.8.1", f"{unit_id} cannot pivot to {facing}", "another facing of 0 to 5")
        return None

    def apply(self, play: Play, frame: Pivoting, seat: Seat, action: Action) -> None:
        """They turn; it is no movement."""
        assert isinstance(action, Pivot)  # noqa: S101 - the only answer
        for unit_id, facing in sorted(action.facings.items()):
            play.emit(ev.UnitPivoted(unit_id, facing))
        play.emit(Changed(Pivoting(tuple(other for other in frame.waiting if other != seat))))

    def advance(self, play: Play, frame: Pivoting) -> bool:
        """Forces without such units are passed over."""
        having = {seat: may_pivot(self.context, play.state, seat) for seat in frame.waiting}
        left = _left(frame.waiting, having)
        if left == frame.waiting and left:
            return False
        if not left:
            _dig(self.context, play)
        play.emit(Changed(Pivoting(left)) if left else Closed())
        return True


@rule("6.6.8", "6.8.2", editions=BOOK)
def _dig(context: Context, play: Play) -> None:
    """Units that were in Full Cover with N/C all turn long dig in, or take what lies dug beside them (6.6.8)."""
    if not context.plays(Module.ENTRENCHING):
        return
    for unit_id, unit in sorted(play.state.units.items()):
        facts = context.move_facts(unit)
        if facts is None or not unit.in_play or unit.hex is None or refuse_digging(facts) is not None:
            continue
        if any(not one.turns for one in positions_of(play.state.features, unit_id)):
            continue
        here = list(features_in(play.state.features, unit.hex, FeatureKind.HASTY_ENTRENCHMENT))
        done = next((one for one in here if not one.unit and not one.turns), None)
        if done is not None:
            play.emit(ev.PositionTaken(done, unit_id))
            continue
        begun = next((one.turns for one in here if one.turns and one.unit in (unit_id, "")), 0)
        engineers = context.scenario.roster[unit_id].roles.engineer
        side = dug_after(begun, context.tables, engineers=engineers)
        whole = context.tables["foot_movement"].number("turns_to_dig", "value")
        play.emit(ev.EntrenchmentDug(unit_id, unit.hex, 0 if side >= whole else side))


class AdjustingCoverHandler(Handler[AdjustingCover]):
    """6.8.2: units on foot and guns go into Full Cover or out of it."""

    frame = AdjustingCover
    answers = (AdjustCover,)

    def question(self, state: State, frame: AdjustingCover) -> Asking:
        """Every force that has such units, one after the other: all of it is seen."""
        return Asking("6.8.2", "Move leg and towed units into or out of Full Cover", frame.waiting[:1])

    def options(self, state: State, frame: AdjustingCover, seat: Seat) -> Node[Action]:
        """Full Cover or none for each of them."""
        units = may_take_cover(self.context, state, seat)
        slots = [
            Slot(
                unit.id,
                "cover",
                f"{self.context.cards[unit.card].name} {unit.id}",
                (_FULL, _OPEN),
                plain=_FULL if unit.markers.full_cover else _OPEN,
            )
            for unit in units
        ]

        def build(values: tuple[str, ...]) -> Action:
            return AdjustCover(tuple(unit.id for unit, value in zip(units, values, strict=True) if value == _FULL))

        return Assign(slots, build)

    def refusal(self, state: State, frame: AdjustingCover, seat: Seat, action: Action) -> Refusal | None:
        """Units that cannot be in Full Cover, or are named twice."""
        assert isinstance(action, AdjustCover)  # noqa: S101 - the only answer
        mine = [unit.id for unit in may_take_cover(self.context, state, seat)]
        for unit_id in action.covered:
            if unit_id not in mine:
                return Refusal(
                    "6.8.2", f"{unit_id!r} is no unit of {seat} that may be in Full Cover now", "leave it out"
                )
        if action.covered != tuple(sorted(set(action.covered))):
            return Refusal(
                "6.8.2", "each unit is named once, in the order of their ids", ", ".join(sorted(set(action.covered)))
            )
        return None

    def apply(self, play: Play, frame: AdjustingCover, seat: Seat, action: Action) -> None:
        """Their Full Cover is that of the next turn."""
        assert isinstance(action, AdjustCover)  # noqa: S101 - the only answer
        units = may_take_cover(self.context, play.state, seat)
        into = tuple(unit.id for unit in units if unit.id in action.covered and not unit.markers.full_cover)
        out = tuple(unit.id for unit in units if unit.id not in action.covered and unit.markers.full_cover)
        if into or out:
            play.emit(shared.CoverAdjusted(seat, into, out))
        play.emit(Changed(AdjustingCover(tuple(other for other in frame.waiting if other != seat))))

    def advance(self, play: Play, frame: AdjustingCover) -> bool:
        """Forces without such units are passed over."""
        having = {seat: may_take_cover(self.context, play.state, seat) for seat in frame.waiting}
        left = _left(frame.waiting, having)
        if left == frame.waiting and left:
            return False
        play.emit(Changed(AdjustingCover(left)) if left else Closed())
        return True


class EndingTurnHandler(Handler[EndingTurn]):
    """6.8.3, 6.8.4: what needs no decision, up to the next turn."""

    frame = EndingTurn

    def advance(self, play: Play, frame: EndingTurn) -> bool:
        """Suppression, counters, commands, objectives, the end of the turn."""
        play.emit(Closed())
        for unit in play.state.units.values():
            if not unit.known and unit.status in (Status.IN_PLAY, Status.RESERVE):
                play.emit(shared.CommandRevealed(unit.id, unit.command))
        _recover(self.context, play)
        _recover_aircraft(self.context, play)
        _burn(play)
        _turn_counters(play)
        adjustment_phase(self.context, play)
        return True


@rule("6.8.3", "6.8.3.1", "6.8.3.1.1", "6.8.3.1.2", "6.8.3.2", "5.10", editions=BOOK)
def _recover(context: Context, play: Play) -> None:
    """Everybody with a SUPPRESSION/OFF counter tries to get over it (6.8.3)."""
    for unit_id, unit in sorted(play.state.units.items()):
        if unit.in_play and unit.markers.suppression is Suppression.OFF:
            number = recovery_number(
                context.tables,
                context.grade(UnitId(unit_id)),
                commanded=unit.command is not Command.NONE,
                under_fire=unit.markers.under_fire,
            )
            roll = play.dice.roll(D100, f"recovery of {unit_id}", (number.total,)).total
            play.emit(shared.SuppressionRolled(unit.id, number, roll, roll <= number.total))


@rule("6.8.3", "6.8.3.1", editions=BOOK)
def _recover_aircraft(context: Context, play: Play) -> None:
    """Aircraft recover by their base range, whatever happened to them (6.8.3, 6.8.3.1)."""
    for aircraft_id, aircraft in sorted(play.state.flights.items()):
        if not aircraft.lost and aircraft.suppression is Suppression.OFF:
            number = recovery_number(context.tables, aircraft.grade, commanded=False, under_fire=False)
            roll = play.dice.roll(D100, f"recovery of {aircraft_id}", (number.total,)).total
            play.emit(AircraftRecovered(aircraft_id, number, roll, roll <= number.total))
    turned = tuple(one.id for one in play.state.flights.values() if one.suppression is Suppression.ON)
    if turned:
        play.emit(AircraftCounterTurned(turned))


@rule("6.1.4.3.5", editions=BOOK)
def _burn(play: Play) -> None:
    """Units that have not left a hex that is On Fire by the end of a turn are eliminated, passengers too (6.1.4.3.5).

    Fires burn from before the first turn on, as the scenario has them.
    """
    burning = {feature.hex for feature in play.state.features if feature.kind is FeatureKind.ON_FIRE}
    units = [unit for unit in play.state.units.values() if unit.in_play and unit.hex in burning]
    for unit in sorted(units, key=lambda one: (not one.markers.carrier, one.id)):
        play.emit(shared.UnitEliminated(unit.id))


@rule("6.8.4", editions=BOOK)
def _turn_counters(play: Play) -> None:
    """UNDER FIRE counters go, and what came about this turn is turned over (6.8.4)."""
    units = play.state.units.values()
    turned = tuple(unit.id for unit in units if unit.markers.suppression is Suppression.ON)
    if turned or any(unit.markers.under_fire for unit in units):
        play.emit(shared.CountersAdjusted(turned))
    if any(one.kind in (FeatureKind.SMOKE, FeatureKind.DUST) for one in play.state.features):
        play.emit(ev.FeaturesAdjusted())
