"""What a client draws: counters as the kit prints them, markers, tracks and scores, from the concealed state.

A squad shows FP-range-morale, broken its morale alone; a leader his morale and leadership DRM; a weapon FP-range or
what it is. Markers carry the kit's words: DM, Pin, CX, Prep Fire, First Fire, Final Fire, Wound, Melee.
"""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.core.frames import Asking
from sandtable.core.ruleset import Outcome
from sandtable.core.view import Box, Counter, Face, HexMarker, Marker, Track, Value, View
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.common.experience import leadership, morale_level
from sandtable.systems.aslsk.common.possession import weapon_hex
from sandtable.systems.aslsk.display_markers import acquisition_markers, fire_markers
from sandtable.systems.aslsk.display_ordnance import (
    gun_markers,
    gun_symbol,
    gun_values,
    vehicle_layout,
    vehicle_markers,
    vehicle_symbol,
    vehicle_values,
)
from sandtable.systems.aslsk.pieces.cards import COLOURS, UnitCard, UnitKind, WeaponCard, WeaponKind
from sandtable.systems.aslsk.pieces.counters import UnitId, WeaponId
from sandtable.systems.aslsk.pieces.state import (
    Phase,
    State,
    Unit,
    Vehicle,
    VehicleId,
    Weapon,
    WeaponState,
    Whereabouts,
)
from sandtable.systems.aslsk.victory import holder, scores, stakes

__all__ = ["build_view", "counter_of", "tracks"]

_BOXES = {
    Whereabouts.TO_SET_UP: Box("set-up", "To set up"),
    Whereabouts.DUE_LATER: Box("due", "Due later"),
    Whereabouts.HIDDEN: Box("hidden", "Hidden on the map"),
    Whereabouts.OFF_BOARD: Box("off-board", "Off board, entering this turn"),
    Whereabouts.EXITED: Box("exited", "Off the map"),
    Whereabouts.ELIMINATED: Box("eliminated", "Eliminated"),
}
_SYMBOLS = {
    UnitKind.SQUAD: "squad",
    UnitKind.HALF_SQUAD: "team",
    UnitKind.CREW: "crew",
    UnitKind.LEADER: "leader",
}
_WEAPON_SYMBOLS = {
    WeaponKind.LMG: "machine gun",
    WeaponKind.MMG: "machine gun",
    WeaponKind.HMG: "machine gun",
    WeaponKind.MTR: "mortar",
    WeaponKind.FT: "flamethrower",
    WeaponKind.DC: "demolition charge",
    WeaponKind.BAZ: "rocket launcher",
    WeaponKind.PSK: "rocket launcher",
    WeaponKind.PIAT: "rocket launcher",
    WeaponKind.ATR: "anti-tank rifle",
}
_FRONT, _BACK = "strength", "strength-back"
_MOST_DR = 12


def build_view(
    context: Context,
    state: State,
    seat: Seat | None,
    asking: Asking | None,
    outcome: Outcome | None,
) -> View:
    """The view of ``seat`` from a state that was concealed for it."""
    return View(
        seat=seat or "",
        tracks=tracks(context, state),
        counters=tuple(_counters(context, state)),
        hex_markers=tuple(_hex_markers(context, state)),
        boxes=tuple(_BOXES.values()),
        scores=scores(context, state),
        prompt=asking.prompt(seat) if asking is not None else None,
        outcome=outcome.summary if outcome is not None else "",
        state=state,
        stakes=stakes(context, state),
    )


def tracks(context: Context, state: State) -> tuple[Track, ...]:
    """Turn, whose player turn it is, and phase."""
    phases = tuple(phase.value for phase in Phase)
    turns = tuple(str(turn + 1) for turn in range(context.scenario.draft.turns))
    sides = context.scenario.seats
    return (
        Track("turn", "Turn", turns, max(0, state.turn - 1)),
        Track("attacker", "Attacker", tuple(sides), sides.index(state.attacker)),
        Track("phase", "Sequence of Play", phases, phases.index(state.phase.value)),
    )


def counter_of(context: Context, state: State, key: str) -> Counter | None:
    """The counter of one unit, weapon or vehicle, from a concealed state."""
    unit = state.units.get(UnitId(key))
    if unit is not None:
        return _unit_counter(context, unit)
    weapon = state.weapons.get(WeaponId(key))
    if weapon is not None:
        return _weapon_counter(context, state, weapon)
    vehicle = state.vehicles.get(VehicleId(key))
    return None if vehicle is None else _vehicle_counter(context, vehicle)


def _counters(context: Context, state: State) -> Iterator[Counter]:
    """Wrecks and vehicles, then squads, leaders last, each with its weapons next to it: so a stack can be read."""
    rank = {UnitKind.SQUAD: 0, UnitKind.HALF_SQUAD: 1, UnitKind.CREW: 2, UnitKind.LEADER: 3}
    for vehicle in sorted(state.vehicles.values(), key=lambda vehicle: (not vehicle.wreck, vehicle.id)):
        yield _vehicle_counter(context, vehicle)
    weapons = sorted(state.weapons.values(), key=lambda weapon: weapon.id)
    for weapon in weapons:
        if weapon.owner not in state.units:
            yield _weapon_counter(context, state, weapon)
    for unit in sorted(state.units.values(), key=lambda unit: (rank[context.card(unit).kind], unit.id)):
        yield _unit_counter(context, unit)
        for weapon in weapons:
            if weapon.owner == unit.id:
                yield _weapon_counter(context, state, weapon)


def _colour(context: Context, side: str) -> str:
    given = next((draft.colour for draft in context.scenario.draft.sides if draft.id == side), "")
    return given or COLOURS.get(side, side)


@rule("1.2")
def _unit_counter(context: Context, unit: Unit) -> Counter:
    """A personnel counter, the side that is up (1.2)."""
    card = context.card(unit)
    return Counter(
        id=unit.id,
        side=unit.side,
        face=Face(
            "broken" if unit.broken else _SYMBOLS[card.kind],
            _title(card, unit),
            _code(card, unit),
            _colour(context, unit.side),
            _values(context, card, unit),
            _BACK if unit.broken else _FRONT,
        ),
        hex=context.label(unit.hex) if unit.hex is not None else "",
        box="" if unit.on_map else _BOXES[unit.place].id,
        markers=tuple(_markers(unit)),
    )


def _title(card: UnitCard, unit: Unit) -> str:
    return f"{card.name} broken" if unit.broken else card.name


def _code(card: UnitCard, unit: Unit) -> str:
    return "brk" if unit.broken else card.name.partition(" ")[0]


def _values(context: Context, card: UnitCard, unit: Unit) -> tuple[Value, ...]:
    now = morale_level(context, unit)
    mark = "_" if card.elr_immune and card.kind is not UnitKind.CREW else ""
    level = Value("morale", f"[{now}]" if unit.broken and card.boxed else f"{now}{mark}")
    if card.is_leader:
        drm = leadership(context, unit)
        return (level,) if unit.broken else (level, Value("leadership", f"{'+' if drm > 0 else '-'}{abs(drm)}"))
    if unit.broken:
        return (level,)
    fp = f"{card.fp}{'_' if card.assault_fire else ''}{f'^{card.smoke}' if card.smoke else ''}"
    return (Value("FP", fp), Value("range", str(card.range)), level)


def _markers(unit: Unit) -> Iterator[Marker]:
    if unit.hidden:
        yield Marker("hidden", "Hidden", "hidden")
    if unit.dm:
        yield Marker("DM", "Desperation Morale", "bad")
    elif unit.broken:
        yield Marker("brk", "Broken", "bad")
    if unit.melee:
        yield Marker("Melee", "Held in Melee", "bad")
    if unit.pinned:
        yield Marker("Pin", "Pinned", "bad")
    if unit.cx:
        yield Marker("CX", "Counter Exhausted", "bad")
    if unit.wounded:
        yield Marker("Wound", "Wounded", "bad")
    yield from fire_markers(unit.mark)
    if unit.advanced and not unit.melee:
        yield Marker("adv", "Has advanced")


@rule("1.2.7")
def _vehicle_counter(context: Context, vehicle: Vehicle) -> Counter:
    """A vehicle with where its hull and turret point, or its wreck (1.2.7)."""
    card = context.vehicle_card(vehicle)
    shown = vehicle.on_map and not vehicle.wreck
    return Counter(
        id=vehicle.id,
        side=vehicle.side,
        face=Face(
            vehicle_symbol(card, vehicle),
            f"{card.name} wreck" if vehicle.wreck else card.name,
            card.name.rpartition(" ")[2],
            _colour(context, vehicle.side),
            () if vehicle.wreck else vehicle_values(card),
            "" if vehicle.wreck else vehicle_layout(card),
        ),
        hex=context.label(vehicle.hex) if vehicle.hex is not None else "",
        box="" if vehicle.on_map else _BOXES[vehicle.place].id,
        markers=tuple(vehicle_markers(vehicle)),
        spine=vehicle.vca if shown else None,
        turret=vehicle.tca if shown and card.has_turret else None,
    )


@rule("1.2.4", "1.2.6")
def _weapon_counter(context: Context, state: State, weapon: Weapon) -> Counter:
    """A support weapon or Gun, with its possessor or lying in a hex (1.2.4, 1.2.6)."""
    card = context.weapon_card(weapon)
    hex = weapon.placed or weapon_hex(state, weapon)
    owner = state.units.get(weapon.owner)
    box = ""
    if weapon.state is WeaponState.REMOVED:
        box, hex = _BOXES[Whereabouts.ELIMINATED].id, None
    elif hex is None:
        box = _BOXES[owner.place if owner is not None and not owner.on_map else _absent(state)].id
    return Counter(
        id=weapon.id,
        side=owner.side if owner is not None else weapon.side,
        face=Face(
            gun_symbol(card) if card.gun is not None else _WEAPON_SYMBOLS[card.kind],
            card.name,
            card.gun.type.value if card.gun is not None else card.kind.value,
            _colour(context, weapon.side),
            _weapon_values(card, weapon),
            _FRONT if weapon.state is WeaponState.WORKING else _BACK,
        ),
        hex=context.label(hex) if hex is not None else "",
        box=box,
        markers=tuple(_weapon_markers(weapon)),
        held_by=owner.id if owner is not None else "",
        spine=weapon.facing if weapon.facing >= 0 and hex is not None else None,
    )


def _absent(state: State) -> Whereabouts:
    """Where a weapon is that is nowhere: not set up yet, or with somebody who is hidden."""
    return Whereabouts.TO_SET_UP if state.phase is Phase.SETUP else Whereabouts.HIDDEN


def _weapon_values(card: WeaponCard, weapon: Weapon) -> tuple[Value, ...]:
    if weapon.state is WeaponState.MALFUNCTIONED:
        return (Value("repair", f"R{card.repair}"),) if card.repair else ()
    if card.gun is not None:
        return gun_values(card)
    found = []
    if card.kind is WeaponKind.MTR:
        found.append(Value("caliber", f"{card.caliber}*"))
        found.append(Value("range", f"[{card.min_range}-{card.range}]"))
    elif card.fp:
        found.append(Value("strength", f"{card.fp}-{card.range}"))
    if card.rof:
        found.append(Value("ROF", f"[{card.rof}]", "left"))
    if card.breakdown <= _MOST_DR:
        found.append(Value("breakdown", f"B{card.breakdown}", "right"))
    if card.removal <= _MOST_DR:
        found.append(Value("removal", f"X{card.removal}", "right"))
    found.append(Value("portage", f"{card.pp}PP", "right"))
    return tuple(found)


def _weapon_markers(weapon: Weapon) -> Iterator[Marker]:
    if weapon.state is WeaponState.MALFUNCTIONED:
        yield Marker("malf", "Malfunctioned", "bad")
    if weapon.placed is not None:
        yield Marker("placed", "Operably placed", "bad")
    yield from fire_markers(weapon.mark)
    yield from acquisition_markers(weapon)
    yield from gun_markers(weapon)


def _hex_markers(context: Context, state: State) -> Iterator[HexMarker]:
    for counter in state.residual:
        yield HexMarker(context.label(counter.hex), Marker(f"{counter.fp} res", f"{counter.fp} Residual FP", "bad"))
    for smoke in state.smoke:
        drm = context.tables["smoke"].number(smoke.kind.value)
        yield HexMarker(context.label(smoke.hex), Marker(f"+{drm}", smoke.kind.value.capitalize(), "smoke"))
    pieces: tuple[Vehicle | Weapon, ...] = (*state.vehicles.values(), *state.weapons.values())
    for piece in pieces:
        if piece.acquired is not None:
            sign = Marker(f"{piece.acquisition} acq", f"Acquired by {piece.id}", "bad")
            yield HexMarker(context.label(piece.acquired), sign)
    for name, place in context.scenario.places.items():
        side = holder(context, state, name)
        for hex in sorted(place.hexes):
            title = f"{place.title}: {side.title() or 'nobody'}"
            yield HexMarker(context.label(hex), Marker("VC", title, "good" if side else "neutral"))
