"""1.3 Set-up: sides place their units and hand out their weapons, in the order that the scenario card says.

Units that enter later are not placed, but their weapons are given to them here: a weapon is never without a
possessor at the start (4.0). An author may suggest a set-up, which saves a newcomer the work.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch, Leaf, Node, Seat
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import (
    Action,
    Done,
    HideUnit,
    PlaceGun,
    PlaceUnit,
    PlaceVehicle,
    SetUpAsSuggested,
)
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.dice import roll_single
from sandtable.systems.aslsk.common.handler import PhaseHandler
from sandtable.systems.aslsk.common.menu import LazyBranch, Menu
from sandtable.systems.aslsk.pieces.state import RallyStep, SettingUp, State, Unit, UnitId, Whereabouts
from sandtable.systems.aslsk.setup_groups import (
    GROUP_ANSWERS,
    apply_group,
    follow_set_up,
    group_ways,
    is_arranging,
    refuse_arranged,
    refuse_group,
)
from sandtable.systems.aslsk.setup_ordnance import (
    gun_ways,
    guns_to_point,
    hiding_ways,
    is_emplaced,
    refuse_hiding,
    refuse_place_gun,
    refuse_place_vehicle,
    unplaced_vehicles,
    vehicle_ways,
)
from sandtable.systems.aslsk.setup_suggested import refuse_suggested, set_up_as_suggested
from sandtable.systems.aslsk.setup_units import (
    refuse_place_unit,
    refuse_unplaced,
    unit_ways,
    unplaced_units,
    unpossessed_weapons,
    weapon_branch,
    weapon_ways,
)

__all__ = ["SettingUpHandler", "open_set_up"]

_ON_MAP = Whereabouts.MAP
"""Names are looked up quicker than members of enums."""


def _needs_set_up(context: Context, state: State, seat: str) -> bool:
    """Whether a side has anything to set up, to hand out or to point."""
    if unplaced_units(context, state, seat) or unpossessed_weapons(state, seat) or unplaced_vehicles(state, seat):
        return True
    if refuse_arranged(context, state, seat) is not None:
        return True
    return bool(guns_to_point(context, state, seat))


def _set_up_options(context: Context, state: State, frame: SettingUp) -> Node[Action]:
    """A unit and its hex, a weapon and its possessor, a vehicle, a Gun, or the end of the set-up (1.3)."""

    def ways() -> Iterator[LazyBranch]:
        unplaced = unplaced_units(context, state, frame.seat)
        if not unplaced and _refuse_set_up_done(context, state, frame) is None:
            yield _finished
        elif _refuse_suggested(context, state, frame) is None:
            yield _as_suggested
        if unplaced:
            yield from unit_ways(context, state, unplaced)
        else:
            yield from _ways_again(context, state, frame.seat)
        yield from _ordnance_ways(context, state, frame.seat)
        if is_arranging(context, frame.seat):
            yield from group_ways(context, state, frame.seat)

    return Menu(ways)


def _ways_again(context: Context, state: State, seat: str) -> Iterator[LazyBranch]:
    """Once every unit is placed: to place one elsewhere, weapons to hand out, and to hand to others."""
    placed = [unit for unit in state.units.values() if unit.side == seat and unit.place is _ON_MAP]
    if placed and next(unit_ways(context, state, placed), None) is not None:
        yield partial(_again, context, state, placed)
    for weapon in unpossessed_weapons(state, seat):
        yield partial(weapon_branch, context, state, weapon)
    if next(weapon_ways(context, state, seat), None) is not None:
        yield partial(_hand_over, context, state, seat)


def _ordnance_ways(context: Context, state: State, seat: str) -> Iterator[LazyBranch]:
    """Vehicles to place, Guns to point, units to hide; then the same of those that are set up, to do it otherwise."""
    if waiting := unplaced_vehicles(state, seat):
        yield from vehicle_ways(context, state, waiting)
    if placed := [one for one in state.vehicles.values() if one.side == seat and one.on_map]:
        yield lambda: Branch(
            "vehicle again", "order", "Place a vehicle otherwise", Menu(lambda: vehicle_ways(context, state, placed))
        )
    if seat not in context.scenario.hiders or unplaced_units(context, state, seat):
        return
    pointed = [weapon for weapon in state.weapons.values() if weapon.side == seat and weapon.facing >= 0]
    yield from gun_ways(context, state, guns_to_point(context, state, seat))
    if pointed:
        yield lambda: Branch(
            "gun again", "order", "Point a Gun otherwise", Menu(lambda: gun_ways(context, state, pointed))
        )
    if next(hiding_ways(context, state, seat), None) is not None:
        yield lambda: Branch("hide", "order", "Hide or show a unit", Menu(lambda: hiding_ways(context, state, seat)))


def _finished() -> Branch[Action]:
    return Branch("done", "done", "The set-up is finished", Leaf[Action](Done()))


def _as_suggested() -> Branch[Action]:
    return Branch("suggested", "order", "Set up the rest as the scenario suggests", Leaf[Action](SetUpAsSuggested()))


def _again(context: Context, state: State, placed: list[Unit]) -> Branch[Action]:
    return Branch("again", "order", "Place a unit elsewhere", Menu(lambda: unit_ways(context, state, placed)))


def _hand_over(context: Context, state: State, seat: str) -> Branch[Action]:
    return Branch("hand", "order", "Give a weapon to somebody else", Menu(lambda: weapon_ways(context, state, seat)))


def _refuse_set_up_done(context: Context, state: State, frame: SettingUp) -> Refusal | None:
    """Why the set-up is not finished (1.3, 4.0)."""
    refusal = refuse_unplaced(context, state, frame.seat)
    if refusal is not None:
        return refusal
    if unpossessed := unpossessed_weapons(state, frame.seat):
        return Refusal("4.0", f"{unpossessed[0].id} has no possessor", "give every weapon to a unit first")
    if vehicles := unplaced_vehicles(state, frame.seat):
        return Refusal("1.3", f"{vehicles[0].id} is not set up", "place every vehicle first")
    if guns := guns_to_point(context, state, frame.seat):
        return Refusal("3.2.4", f"{guns[0].id} points nowhere", "point every Gun at a hexspine first")
    return refuse_arranged(context, state, frame.seat)


def _refuse_suggested(context: Context, state: State, frame: SettingUp) -> Refusal | None:
    """Why the side does not set up as the author suggests: nothing is left, or it does not go so (1.3)."""
    if not _needs_set_up(context, state, frame.seat):
        return Refusal("1.3", "everything is set up", "end the set-up")
    return refuse_suggested(context, state, frame)


def _finish_set_up(context: Context, play: Play, seat: Seat) -> None:
    """A side has set up; the scenario's own roll follows, if it is made now (1.3)."""
    play.emit(ev.SetUpFinished(seat))
    follow_set_up(context, play, seat)
    play.emit(ev.Closed())
    deal = context.scenario.draft.deal
    if deal is None or deal.after != seat:
        return
    roll = roll_single(play, deal.title)
    row = deal.chart[str(roll)]
    counts = {name: number for name, number in row.items() if name in context.cards.units}
    absent: list[UnitId] = []
    for unit in play.state.units.values():
        if unit.force == deal.force and unit.card in counts:
            counts[unit.card] -= 1
            if counts[unit.card] < 0:
                absent.append(unit.id)
    dealt = {name: number for name, number in row.items() if name not in counts}
    play.emit(ev.DiceDealt(deal.title, roll, dealt, tuple(absent)))


# --- the question -----------------------------------------------------------------------------------------------


@rule("1.3")
def open_set_up(context: Context, play: Play) -> bool:
    """Ask the next side of the scenario card's order; False when all have set up (1.3)."""
    for seat in context.scenario.set_up_order:
        if seat in play.state.set_up:
            continue
        play.emit(ev.Opened(SettingUp(seat)))
        if not _needs_set_up(context, play.state, seat):
            _finish_set_up(context, play, seat)
        return True
    return False


class SettingUpHandler(PhaseHandler[SettingUp]):
    """1.3: this side sets up."""

    frame = SettingUp
    answers = (PlaceUnit, PlaceVehicle, PlaceGun, HideUnit, SetUpAsSuggested, Done, *GROUP_ANSWERS)

    def begin(self, play: Play) -> None:
        """The first side of the order is asked."""
        open_set_up(self.context, play)

    def part(self, play: Play, player: Seat, step: RallyStep) -> SettingUp:
        """Any side's."""
        return SettingUp(player)

    def question(self, state: State, frame: SettingUp) -> Asking:
        """The side, in secret where the scenario card says so."""
        scenario = self.context.scenario
        secret = scenario.draft.secret_set_up or frame.seat in scenario.hiders
        secret = secret or is_arranging(self.context, frame.seat)
        return Asking("1.3", "Set up", (frame.seat,), secret=secret)

    def options(self, state: State, frame: SettingUp, seat: Seat) -> Node[Action]:
        """Units, weapons, vehicles, or the end of it."""
        return _set_up_options(self.context, state, frame)

    def refusal(self, state: State, frame: SettingUp, seat: Seat, action: Action) -> Refusal | None:
        """What may not stand there, or is not finished."""
        if isinstance(action, PlaceUnit):
            return refuse_place_unit(self.context, state, frame.seat, action)
        if isinstance(action, PlaceVehicle):
            return refuse_place_vehicle(self.context, state, frame.seat, action)
        if isinstance(action, PlaceGun):
            unplaced = refuse_unplaced(self.context, state, frame.seat)
            return unplaced or refuse_place_gun(self.context, state, frame.seat, action)
        if isinstance(action, HideUnit):
            unplaced = refuse_unplaced(self.context, state, frame.seat)
            return unplaced or refuse_hiding(self.context, state, frame.seat, action)
        if isinstance(action, SetUpAsSuggested):
            return _refuse_suggested(self.context, state, frame)
        if isinstance(action, GROUP_ANSWERS):
            return refuse_group(self.context, state, frame.seat, action)
        return _refuse_set_up_done(self.context, state, frame)

    def apply(self, play: Play, frame: SettingUp, seat: Seat, action: Action) -> None:
        """A unit is set up, or all the rest; or the side has done."""
        if isinstance(action, PlaceUnit):
            play.emit(ev.UnitPlaced(action.unit, action.hex, action.weapons))
        elif isinstance(action, PlaceVehicle):
            play.emit(ev.VehiclePlaced(action.vehicle, action.hex, action.vca, action.tca, action.exposed))
        elif isinstance(action, PlaceGun):
            emplaced = is_emplaced(self.context, play.state, play.state.weapons[action.weapon])
            play.emit(ev.GunPlaced(action.weapon, action.facing, emplaced, action.hidden))
        elif isinstance(action, HideUnit):
            play.emit(ev.UnitHidden(action.unit, action.hidden))
        elif isinstance(action, SetUpAsSuggested):
            set_up_as_suggested(self.context, play, frame)
        elif isinstance(action, GROUP_ANSWERS):
            apply_group(self.context, play, action)
        else:
            self.finish(play, frame)

    def has_choice(self, state: State, frame: SettingUp) -> bool:
        """Until he says that he has done."""
        return True

    def finish(self, play: Play, frame: SettingUp) -> None:
        """The side has set up."""
        _finish_set_up(self.context, play, frame.seat)
