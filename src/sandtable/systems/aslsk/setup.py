"""1.3 Set-up: sides place their units and hand out their weapons, in the order that the scenario card says.

Units that enter later are not placed, but their weapons are given to them here: a weapon is never without a
possessor at the start (4.0). An author may suggest a set-up, which saves a newcomer the work.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache, partial

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch, Leaf, Node, Pick, Seat
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking
from sandtable.geo.hex import Hex
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
from sandtable.systems.aslsk.common.menu import Menu, Spread, Way
from sandtable.systems.aslsk.common.possession import owners, refuse_load, weapons_of
from sandtable.systems.aslsk.common.refusals import refuse_overstack, refuse_stranger
from sandtable.systems.aslsk.common.stacking import fits, held, occupants
from sandtable.systems.aslsk.common.vehicles_here import enemy_vehicles_at
from sandtable.systems.aslsk.pieces.state import (
    RallyStep,
    SettingUp,
    State,
    Unit,
    UnitId,
    Weapon,
    WeaponId,
    Whereabouts,
)
from sandtable.systems.aslsk.setup_groups import (
    GROUP_ANSWERS,
    apply_group,
    arrange_as_suggested,
    follow_set_up,
    group_ways,
    is_arranging,
    refuse_arranged,
    refuse_group,
    refuse_load_of_stack,
    refuse_suggested_groups,
)
from sandtable.systems.aslsk.setup_ordnance import (
    ONE_VEHICLE,
    gun_ways,
    guns_to_point,
    hiding_ways,
    is_emplaced,
    refuse_gun_in,
    refuse_hiding,
    refuse_place_gun,
    refuse_place_vehicle,
    refuse_vehicle_hex,
    unplaced_vehicles,
    vehicle_ways,
)

__all__ = ["SettingUpHandler", "open_set_up"]

_TO_SET_UP, _ON_MAP = Whereabouts.TO_SET_UP, Whereabouts.MAP
"""Names are looked up quicker than members of enums."""
_LATER = (Whereabouts.DUE_LATER, Whereabouts.OFF_BOARD)
"""Where those are who enter the map in play."""


def _unplaced(context: Context, state: State, seat: str) -> Sequence[Unit]:
    """Units that are not set up; every answer to the question asks for them several times."""
    units, side, found = context.memory.unplaced
    if units is not state.units or side != seat:
        found = tuple([unit for unit in state.units.values() if unit.side == seat and unit.place is _TO_SET_UP])
        context.memory.unplaced = (state.units, seat, found)
    return found


def _unpossessed(state: State, seat: str) -> list[Weapon]:
    return [weapon for weapon in state.weapons.values() if weapon.side == seat and not weapon.owner]


def _needs_set_up(context: Context, state: State, seat: str) -> bool:
    """Whether a side has anything to set up, to hand out or to point."""
    if _unplaced(context, state, seat) or _unpossessed(state, seat) or unplaced_vehicles(state, seat):
        return True
    if refuse_arranged(context, state, seat) is not None:
        return True
    return bool(guns_to_point(context, state, seat))


def _set_up_options(context: Context, state: State, frame: SettingUp) -> Node[Action]:
    """A unit and its hex, a weapon and its possessor, a vehicle, a Gun, or the end of the set-up (1.3)."""

    def ways() -> Iterator[Way]:
        unplaced = _unplaced(context, state, frame.seat)
        if not unplaced and _refuse_set_up_done(context, state, frame) is None:
            yield _finished
        elif _refuse_suggested(context, state, frame) is None:
            yield _as_suggested
        if unplaced:
            yield from _unit_ways(context, state, unplaced)
        else:
            yield from _ways_again(context, state, frame.seat)
        yield from _ordnance_ways(context, state, frame.seat)
        if is_arranging(context, frame.seat):
            yield from group_ways(context, state, frame.seat)

    return Menu(ways)


def _ways_again(context: Context, state: State, seat: str) -> Iterator[Way]:
    """Once every unit is placed: to place one elsewhere, weapons to hand out, and to hand to others."""
    placed = [unit for unit in state.units.values() if unit.side == seat and unit.place is _ON_MAP]
    if placed and next(_unit_ways(context, state, placed), None) is not None:
        yield partial(_again, context, state, placed)
    for weapon in _unpossessed(state, seat):
        yield partial(_weapon_branch, context, state, weapon)
    if next(_handed(context, state, seat), None) is not None:
        yield partial(_hand_over, context, state, seat)


def _ordnance_ways(context: Context, state: State, seat: str) -> Iterator[Way]:
    """Vehicles to place, Guns to point, units to hide; then the same of those that are set up, to do it otherwise."""
    if waiting := unplaced_vehicles(state, seat):
        yield from vehicle_ways(context, state, waiting)
    if placed := [one for one in state.vehicles.values() if one.side == seat and one.on_map]:
        yield lambda: Branch(
            "vehicle again", "order", "Place a vehicle otherwise", Menu(lambda: vehicle_ways(context, state, placed))
        )
    if seat not in context.scenario.hiders or _unplaced(context, state, seat):
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
    return Branch("again", "order", "Place a unit elsewhere", Menu(lambda: _unit_ways(context, state, placed)))


def _handed(context: Context, state: State, seat: str) -> Iterator[Way]:
    """Weapons that somebody else could have instead."""
    for weapon in state.weapons.values():
        if weapon.side == seat and weapon.owner and next(_owner_choice(context, state, weapon).branches(), None):
            yield partial(_weapon_branch, context, state, weapon)


def _hand_over(context: Context, state: State, seat: str) -> Branch[Action]:
    return Branch("hand", "order", "Give a weapon to somebody else", Menu(lambda: _handed(context, state, seat)))


def _weapon_branch(context: Context, state: State, weapon: Weapon) -> Branch[Action]:
    label = f"{context.weapon_card(weapon).name} {weapon.id}"
    return Branch(weapon.id, "weapon", label, _owner_choice(context, state, weapon), weapon.id)


def _unit_ways(context: Context, state: State, units: Sequence[Unit]) -> Iterator[Way]:
    carried, there = owners(context, state), occupants(context, state)
    roomy: dict[str, bool] = {}
    """Whether the set-up area of a force has an empty hex, which takes anybody without weapons."""
    for unit in units:
        force = unit.force
        if force not in roomy:
            zone = context.scenario.zones[force]
            roomy[force] = not state.vehicles and len(there) < len(zone)
        if (roomy[force] and unit.id not in carried) or next(_hexes(context, state, unit), None) is not None:
            yield partial(_unit_branch, context, state, unit)


def _unit_branch(context: Context, state: State, unit: Unit) -> Branch[Action]:
    then = Spread(partial(_hexes, context, state, unit), partial(_hex_branch, context, state, unit))
    return Branch(unit.id, "unit", f"{context.card(unit).name} {unit.id}", then, unit.id)


def _hex_branch(context: Context, state: State, unit: Unit, hex: Hex) -> Branch[Action]:
    label = context.label(hex)
    return Branch(label, "hex", f"In {label}", Leaf[Action](_placing(context, state, unit, hex)), label, is_hex=True)


def _hexes(context: Context, state: State, unit: Unit) -> Iterator[Hex]:
    """Where a unit may set up, or be moved to; an empty hex takes anybody, but not every Gun."""
    carried = tuple([weapon.id for weapon in weapons_of(context, state, unit.id)])
    if carried and _refuse_weapons(context, state, unit, carried) is not None:
        return
    there = occupants(context, state)
    for hex in _in_order(context.scenario.zones[unit.force]):
        if hex == unit.hex:
            continue
        if (state.vehicles or hex in there) and _refuse_hex(context, state, unit, hex) is not None:
            continue
        if not carried or _refuse_guns(context, state, PlaceUnit(unit.id, hex, carried)) is None:
            yield hex


@lru_cache(maxsize=64)
def _in_order(zone: frozenset[Hex]) -> tuple[Hex, ...]:
    return tuple(sorted(zone))


def _placing(context: Context, state: State, unit: Unit, hex: Hex | None) -> PlaceUnit:
    return PlaceUnit(unit.id, hex, tuple([weapon.id for weapon in weapons_of(context, state, unit.id)]))


def _owner_choice(context: Context, state: State, weapon: Weapon) -> Node[Action]:
    def ways() -> Iterator[Branch[Action]]:
        for unit in state.units.values():
            if unit.side != weapon.side:
                continue
            carried = tuple(other.id for other in weapons_of(context, state, unit.id))
            action = PlaceUnit(unit.id, unit.hex, (*carried, weapon.id))
            if _refuse_place(context, state, unit.side, action) is None:
                label = f"To {context.card(unit).name} {unit.id}"
                yield Branch(unit.id, "unit", label, Leaf[Action](action), unit.id)

    return Pick(ways)


@rule("1.3", "3.3.1", "4.0")
def _refuse_place(context: Context, state: State, seat: str, action: PlaceUnit) -> Refusal | None:
    """Why a unit may not set up there with these weapons (1.3, 3.3.1, 4.0)."""
    unit = state.units.get(action.unit)
    if unit is None or unit.side != seat:
        return refuse_stranger("1.3", action.unit, seat, where="")
    return (
        _refuse_hex(context, state, unit, action.hex)
        or _refuse_handing(context, state, unit, action)
        or _refuse_weapons(context, state, unit, action.weapons)
        or _refuse_guns(context, state, action)
        or refuse_load_of_stack(context, state, unit, action)
    )


@rule("1.2.6")
def _refuse_guns(context: Context, state: State, action: PlaceUnit) -> Refusal | None:
    """Why Guns may not be set up so: a MMC mans one, and large ones stand in no building (1.2.6)."""
    for weapon_id in action.weapons:
        card = context.weapon_card(state.weapons[weapon_id])
        if card.gun is None:
            continue
        if context.card(state.units[action.unit]).is_leader:
            return Refusal("1.2.6", f"a SMC does not man {card.name}", "a crew, or another MMC")
        refusal = refuse_gun_in(card, context.ground.place(action.hex)) if action.hex is not None else None
        if refusal is not None:
            return refusal
    return None


@rule("1.3", "3.3.1")
def _refuse_hex(context: Context, state: State, unit: Unit, hex: Hex | None) -> Refusal | None:
    """Why a unit may not set up in a hex: its area, enemies, stacking (1.3, 3.3.1)."""
    if unit.place in _LATER:
        return None if hex is None else Refusal("3.3", f"{unit.id} enters the map in play", "name no hex")
    if hex is None or hex not in context.scenario.zones[unit.force]:
        return Refusal("1.3", f"{unit.id} may not set up there", "a hex of its set-up area")
    if not state.vehicles and hex not in occupants(context, state):
        return None
    if hex in held(context, state, unit.side)[1] or enemy_vehicles_at(state, hex, unit.side):
        return Refusal("3.3", "enemy units are set up there", "another hex of its set-up area")
    if not fits(context, state, hex, unit.side, (unit,)):
        return refuse_overstack(context.label(hex))
    return None


@rule("1.3", "4.0")
def _refuse_handing(context: Context, state: State, unit: Unit, action: PlaceUnit) -> Refusal | None:
    """A unit is placed with what it carries; once all are placed it may be given one weapon more (1.3, 4.0)."""
    carried = _placing(context, state, unit, None).weapons
    if action.weapons == carried:
        return _refuse_again(context, state, unit, action.hex)
    given = action.weapons[: len(carried)] == carried and len(action.weapons) == len(carried) + 1
    if given and action.hex == unit.hex and not _unplaced(context, state, unit.side):
        return None
    return Refusal("4.0", "weapons are handed out one by one, to units that are placed", "place every unit first")


def _refuse_unplaced(context: Context, state: State, seat: str) -> Refusal | None:
    """Guns are pointed, and units hidden, once every unit is placed (1.3)."""
    unplaced = _unplaced(context, state, seat)
    return Refusal("1.3", f"{unplaced[0].id} is not set up", "place every unit first") if unplaced else None


def _refuse_again(context: Context, state: State, unit: Unit, hex: Hex | None) -> Refusal | None:
    """Who is set up may be moved once all are, and then elsewhere (1.3)."""
    if unit.place is _TO_SET_UP:
        return None
    if hex == unit.hex:
        return Refusal("1.3", f"{unit.id} is there already", "another hex, or a weapon more")
    if _unplaced(context, state, unit.side):
        return Refusal("1.3", f"{unit.id} is set up, and others are not", "place every unit first, then move any")
    return None


def _refuse_weapons(context: Context, state: State, unit: Unit, weapons: tuple[WeaponId, ...]) -> Refusal | None:
    if len(set(weapons)) != len(weapons):
        return Refusal("4.0", "a weapon is named twice", "name each once")
    total = 0
    for weapon_id in weapons:
        weapon = state.weapons.get(weapon_id)
        if weapon is None or weapon.force != unit.force:
            return Refusal("1.3", f"{weapon_id!r} is no weapon of {unit.id}'s group", "a weapon of the same group")
        total += context.weapon_card(weapon).pp
    # On the map he may possess what he likes; who enters it has to carry it there (4.0).
    return refuse_load(context, unit, total) if unit.place in _LATER else None


def _refuse_set_up_done(context: Context, state: State, frame: SettingUp) -> Refusal | None:
    """Why the set-up is not finished (1.3, 4.0)."""
    refusal = _refuse_unplaced(context, state, frame.seat)
    if refusal is not None:
        return refusal
    if unpossessed := _unpossessed(state, frame.seat):
        return Refusal("4.0", f"{unpossessed[0].id} has no possessor", "give every weapon to a unit first")
    if vehicles := unplaced_vehicles(state, frame.seat):
        return Refusal("1.3", f"{vehicles[0].id} is not set up", "place every vehicle first")
    if guns := guns_to_point(context, state, frame.seat):
        return Refusal("3.2.4", f"{guns[0].id} points nowhere", "point every Gun at a hexspine first")
    return refuse_arranged(context, state, frame.seat)


def _refuse_suggested(context: Context, state: State, frame: SettingUp) -> Refusal | None:
    """Why what is left cannot be set up as the author suggests (1.3)."""
    scenario = context.scenario
    unplaced, carried = _unplaced(context, state, frame.seat), owners(context, state)
    if not unplaced and not _needs_set_up(context, state, frame.seat):
        return Refusal("1.3", "everything is set up", "end the set-up")
    arriving: dict[Hex, list[Unit]] = {}
    for unit in unplaced:
        hex = scenario.suggested.get(unit.id)
        if hex is None:
            return Refusal("1.3", f"the scenario suggests no hex for {unit.id}", "place it yourself")
        refusal = _refuse_hex(context, state, unit, hex)
        if refusal is None and unit.id in carried:
            refusal = _refuse_handing(context, state, unit, PlaceUnit(unit.id, hex))
        if refusal is not None:
            return refusal
        arriving.setdefault(hex, []).append(unit)
    for hex, units in arriving.items():
        if not fits(context, state, hex, frame.seat, units):
            return Refusal(
                "3.3.1", f"the suggested stack in {context.label(hex)} is too large now", "place one of them elsewhere"
            )
    for weapon in _unpossessed(state, frame.seat):
        if scenario.possessors.get(weapon.id) not in state.units:
            return Refusal("4.0", f"the scenario suggests nobody for {weapon.id}", "hand it out yourself")
    refusal = refuse_suggested_groups(context, state, frame.seat)
    return refusal or _refuse_suggested_ordnance(context, state, frame.seat)


def _refuse_suggested_ordnance(context: Context, state: State, seat: str) -> Refusal | None:
    """Why vehicles and Guns cannot be set up as the author suggests (1.3)."""
    scenario = context.scenario
    taken: set[Hex] = set()
    for vehicle in unplaced_vehicles(state, seat):
        hex = scenario.suggested.get(vehicle.id)
        if hex is None or vehicle.id not in scenario.facings:
            return Refusal(
                "1.3", f"the scenario does not suggest where and how {vehicle.id} sets up", "place it yourself"
            )
        if hex in taken:
            return Refusal("3.3.1", f"two vehicles are suggested for {context.label(hex)}", ONE_VEHICLE)
        taken.add(hex)
        refusal = refuse_vehicle_hex(context, state, vehicle, hex)
        if refusal is not None:
            return refusal
    for weapon in state.weapons.values():
        if weapon.side != seat or weapon.facing >= 0 or context.weapon_card(weapon).gun is None:
            continue
        owner = state.units[weapon.owner or scenario.possessors[weapon.id]]
        hex = owner.hex or scenario.suggested.get(owner.id)
        if hex is None:
            continue
        if weapon.id not in scenario.facings:
            return Refusal("3.2.4", f"the scenario does not suggest where {weapon.id} points", "point it yourself")
        refusal = refuse_gun_in(context.weapon_card(weapon), context.ground.place(hex))
        if refusal is not None:
            return refusal
    return None


def _set_up_as_suggested(context: Context, play: Play, frame: SettingUp) -> None:
    """Set up the rest as the author suggests (1.3)."""
    scenario = context.scenario
    gifts: dict[UnitId, list[WeaponId]] = {}
    for weapon in _unpossessed(play.state, frame.seat):
        gifts.setdefault(scenario.possessors[weapon.id], []).append(weapon.id)
    for unit in _unplaced(context, play.state, frame.seat):
        carried = tuple(weapon.id for weapon in weapons_of(context, play.state, unit.id))
        play.emit(ev.UnitPlaced(unit.id, scenario.suggested[unit.id], (*carried, *gifts.pop(unit.id, ()))))
    for unit_id, weapons in gifts.items():
        carried = tuple(weapon.id for weapon in weapons_of(context, play.state, unit_id))
        play.emit(ev.UnitPlaced(unit_id, play.state.units[unit_id].hex, (*carried, *weapons)))
    arrange_as_suggested(context, play, frame.seat)
    _suggested_ordnance(context, play, frame.seat)


def _suggested_ordnance(context: Context, play: Play, seat: Seat) -> None:
    """Vehicles, Guns and hidden units as the author suggests; who may not hide there stays to be seen (1.3, 6.4)."""
    scenario = context.scenario
    for vehicle in unplaced_vehicles(play.state, seat):
        facing = scenario.facings[vehicle.id]
        exposed = vehicle.id in scenario.exposed
        play.emit(ev.VehiclePlaced(vehicle.id, scenario.suggested[vehicle.id], facing, facing, exposed))
    for weapon in guns_to_point(context, play.state, seat):
        facing, hidden = scenario.facings[weapon.id], weapon.id in scenario.concealed
        if hidden and refuse_place_gun(context, play.state, seat, PlaceGun(weapon.id, facing, hidden)) is not None:
            hidden = False
        play.emit(ev.GunPlaced(weapon.id, facing, is_emplaced(context, play.state, weapon), hidden))
    for unit_id in scenario.concealed:
        hide = HideUnit(UnitId(unit_id))
        if unit_id in play.state.units and refuse_hiding(context, play.state, seat, hide) is None:
            play.emit(ev.UnitHidden(hide.unit, hidden=True))


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
            return _refuse_place(self.context, state, frame.seat, action)
        if isinstance(action, PlaceVehicle):
            return refuse_place_vehicle(self.context, state, frame.seat, action)
        if isinstance(action, PlaceGun):
            unplaced = _refuse_unplaced(self.context, state, frame.seat)
            return unplaced or refuse_place_gun(self.context, state, frame.seat, action)
        if isinstance(action, HideUnit):
            unplaced = _refuse_unplaced(self.context, state, frame.seat)
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
            _set_up_as_suggested(self.context, play, frame)
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
