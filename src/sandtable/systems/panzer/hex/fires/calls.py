"""6.5.1.7 to 6.5.1.9 Why fire may not be called, continued, adjusted or checked like this."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from sandtable.core.content.rule import rule
from sandtable.core.errors import Refusal
from sandtable.geo.hex import Hex, distance
from sandtable.systems.panzer.advanced_card import GpKind
from sandtable.systems.panzer.combat.announcing import refuse_second_fire
from sandtable.systems.panzer.combat.bail_out import refuse_crewless
from sandtable.systems.panzer.fires.missions import BatteryId, Mission, MissionKind, refuse_pattern
from sandtable.systems.panzer.fires.observers import capacity, observer_kind, sources_needed
from sandtable.systems.panzer.fires.planned import is_busy
from sandtable.systems.panzer.fires.response import ObserverKind
from sandtable.systems.panzer.frames import IndirectFire
from sandtable.systems.panzer.hex.actions import AdjustFire, CallFire
from sandtable.systems.panzer.hex.combat.shared_commands import refuse_shared_place
from sandtable.systems.panzer.hex.combat.weapons import bears
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.fires.sources import Source, measured, source_of
from sandtable.systems.panzer.hex.spotting.standing import floor_height
from sandtable.systems.panzer.hex.state import State, Unit
from sandtable.systems.panzer.unit import Command, UnitId, refuse_stranger

__all__ = [
    "ADJUSTMENT",
    "able_sources",
    "command_of",
    "kind_of",
    "may_observe",
    "mission_named",
    "observers",
    "refuse_adjustment",
    "refuse_call",
    "refuse_continuing",
    "refuse_observer",
    "refuse_source",
    "sees",
    "source_sets",
    "spotted_hexes",
    "unsighted",
    "why_unobserved",
]

BOOK = ("panzer-na",)
_ANOTHER = "call by another observer, or wait for the next turn"
ADJUSTMENT = 3
"""How far a Target Point may be adjusted (6.5.1.8.2)."""


def command_of(state: State, unit: Unit) -> Command:
    """The command of a unit; of a passenger that of its vehicle (6.6.7.2)."""
    carrier = unit.markers.carrier
    return state.units[carrier].command if carrier else unit.command


@rule("6.5.1", "6.6.7.2", editions=BOOK)
def may_observe(state: State, unit: Unit) -> bool:
    """Whether the command of a unit lets it observe: OW, or for a passenger any of its vehicle but MOVE (6.6.7.2)."""
    carrier = unit.markers.carrier
    return state.units[carrier].command is not Command.MOVE if carrier else unit.command is Command.OVERWATCH


def kind_of(context: Context, unit: UnitId) -> ObserverKind | None:
    """What sort of observer a unit is, None if it is none (6.5.1.1)."""
    return observer_kind(context.scenario.roster[unit].roles)


def mission_named(state: State, name: str) -> Mission[Hex] | None:
    """A mission that fires."""
    return next((mission for mission in state.missions if mission.id == name), None)


@rule("6.5.1.7", "6.6.7.2", editions=BOOK)
def spotted_hexes(state: State, observer: UnitId) -> dict[Hex, tuple[Unit, ...]]:
    """Where an observer has spotted targets, as of the Spotting Phase; aboard, what his vehicle has too (6.5.1.7)."""
    found: dict[Hex, tuple[Unit, ...]] = {}
    unit = state.units.get(observer)
    carrier = unit.markers.carrier if unit is not None else UnitId("")
    seen = state.spotted.get(observer, ())
    for target_id in dict.fromkeys((*seen, *state.spotted.get(carrier, ()))) if carrier else seen:
        target = state.units[target_id]
        if target.in_play and target.hex is not None:
            found[target.hex] = (*found.get(target.hex, ()), target)
    return found


@rule("6.1.4.3.1", "6.5.1.9", editions=BOOK)
def sees(context: Context, state: State, unit: Unit, hex: Hex) -> bool:
    """Whether a unit, on whatever floor, has a line of sight to a hex, or to a target that it spots there (6.5.1.9)."""
    if unit.hex is None:
        return False
    up = floor_height(context, state, unit)
    return (
        unit.hex == hex
        or hex in spotted_hexes(state, unit.id)
        or context.ground_at(state).sees_up(unit.hex, hex, up, 0)
    )


# --- who observes --------------------------------------------------------------------------------------


@rule("6.5.1", "6.5.1.1", "6.5.1.1.1", "6.5.1.1.2", "6.5.1.1.3", "6.5.1.7", "6.5.1.9", editions=BOOK)
def refuse_observer(
    context: Context, state: State, frame: IndirectFire, observer: UnitId, *, mission: str = ""
) -> Refusal | None:
    """Why a unit may not call fire now, or go on with its mission (6.5.1, 6.5.1.1)."""
    unit = state.units.get(observer)
    if unit is None or unit.side != frame.player or not unit.in_play or unit.hex is None:
        return Refusal("6.5.1.7", f"{observer!r} is no unit of {frame.player} in play", "an observer")
    if kind_of(context, observer) is None:
        return Refusal("6.5.1.7", f"{observer} is no observer", "an FO, command or Recon unit")
    if unit.markers.bailed:
        return refuse_crewless(observer)
    if not may_observe(state, unit):
        return Refusal("6.5.1", f"{observer} has no OW command", "an observer with OW, or a vehicle that does not move")
    if observer in frame.spent:
        reason = f"{observer} has called or checked fire this turn"
        return Refusal("6.5.1.1", reason, _ANOTHER)
    if observer in state.guided:
        reason = f"{observer} spots {state.guided[observer]} for aircraft this turn"
        return Refusal("6.7.3.1.2", reason, _ANOTHER)
    if unit.fired:
        reason = f"{observer} has done something else on Overwatch this turn"
        return Refusal("6.5.1", reason, _ANOTHER)
    busy = next((one for one in state.missions if one.observer == observer and one.id != mission), None)
    if busy is not None:
        return Refusal("6.5.1.9", f"{observer} observes the fire on {context.game_map.label(busy.target)}", "check it")
    return None


def observers(context: Context, state: State, frame: IndirectFire) -> Iterator[Unit]:
    """The units that may call fire now."""
    for unit_id, unit in sorted(state.units.items()):
        if unit.side == frame.player and refuse_observer(context, state, frame, unit_id) is None:
            yield unit


# --- what fires ----------------------------------------------------------------------------------------


@rule("6.5.1", "6.5.1.7", "6.5.1.9", "6.5.1.13", "5.6", editions=BOOK)
def refuse_source(
    context: Context, state: State, frame: IndirectFire, call: CallFire | AdjustFire, source: str
) -> Refusal | None:
    """Why a battery or unit cannot take part in a call (6.5.1, 6.5.1.7)."""
    found = source_of(context, state, source)
    battery = state.batteries.get(BatteryId(source))
    if found is None or (battery is not None and battery.side != frame.player):
        return Refusal("6.5.1", f"{source!r} fires no Indirect Fire", "an off-map battery, or a unit with a GP-IF row")
    refusal = _refuse_battery(state, source) if found.unit is None else _refuse_unit(frame, found.unit)
    if refusal is not None:
        return refusal
    mission = next((one for one in state.missions if source in one.sources), None)
    own = call.mission if isinstance(call, AdjustFire) else ""
    if mission is not None and mission.id != own:
        return Refusal("6.5.1.9", f"{found.name} fires on {context.game_map.label(mission.target)}", "check that first")
    if source in frame.spent:
        return Refusal("6.5.1", f"{found.name} has answered or checked a call this turn", "another one")
    if call.kind not in found.kinds:
        return Refusal("6.5.1.6", f"{found.name} fires no {call.kind.value}", ", ".join(found.kinds))
    return _refuse_target(context, state, found, call)


def _refuse_battery(state: State, source: str) -> Refusal | None:
    battery = state.batteries[BatteryId(source)]
    if is_busy(battery, state.turn):
        return Refusal("6.5.1.11.1", f"{source} follows its plot, or waits after it", "another battery")
    if battery.used >= state.turn:
        return Refusal("6.5.1.7", f"{source} has completed its orders this turn", "another battery")
    return None


def _refuse_unit(frame: IndirectFire, unit: Unit) -> Refusal | None:
    if unit.side != frame.player or not unit.in_play or unit.hex is None:
        return refuse_stranger(unit.id, frame.player, number="6.5.1")
    if unit.markers.carrier:
        return Refusal("6.6.7.2", f"{unit.id} is transported", "a dismounted unit")
    if unit.markers.bailed:
        return refuse_crewless(unit.id)
    if unit.command is not Command.FIRE:
        return Refusal("6.5.1", f"{unit.id} has no FIRE command", "a unit with FIRE")
    if unit.fired:
        return refuse_second_fire(unit.id, "6.5.1")
    return None


def _refuse_target(context: Context, state: State, source: Source, call: CallFire | AdjustFire) -> Refusal | None:
    observer = _observer_of(state, call)
    place = state.units[observer].hex
    range_hexes = measured(source, place, call.hex)
    if source.row.range_factor(range_hexes) is None:
        reach = f"{source.row.minimum} to {source.row.R.E} hexes"
        return Refusal("6.5.1.13", f"the Target Point is {range_hexes} hexes off for {source.name}", reach)
    unit = source.unit
    if unit is None or unit.hex is None:
        return None
    if distance(unit.hex, call.hex) < source.row.minimum:
        return Refusal("5.6", f"{source.name} has a minimum range of {source.row.minimum}", "a target farther off")
    if _spots_itself(state, source.id, call.hex):
        return Refusal("6.5.1", f"{source.name} spots its target itself", "Direct Fire")
    if not _bears(context, state, unit, call.hex):
        return Refusal("5.2", f"the Target Point is outside the Field-of-Fire of {source.name}", "one that bears")
    return refuse_shared_place(context, state, unit, call.hex)


@rule("5.1", "5.2", "6.5.1", editions=BOOK)
def _bears(context: Context, state: State, unit: Unit, hex: Hex) -> bool:
    """Whether a hex is in the Field-of-Fire of a unit's indirect weapon: guns fire to their front (5.2, 6.5.1)."""
    arms = (arm for arm in context.guns(unit) if arm.weapon.gp_row(GpKind.INDIRECT) is not None)
    return any(bears(context, state, unit, arm, hex) for arm in arms)


@rule("6.5.1", editions=BOOK)
def _spots_itself(state: State, source: str, hex: Hex) -> bool:
    """Whether a unit on the map spots a target in the Target Point, and so may not fire on it indirectly (6.5.1)."""
    return hex in spotted_hexes(state, UnitId(source))


@rule("6.5.1", "6.5.1.8", editions=BOOK)
def unsighted(state: State, mission: Mission[Hex], hex: Hex) -> tuple[str, ...]:
    """The sources of a mission that may fire on a hex: those that do not spot a target there themselves (6.5.1)."""
    return tuple(source for source in mission.sources if not _spots_itself(state, source, hex))


def _observer_of(state: State, call: CallFire | AdjustFire) -> UnitId:
    if isinstance(call, CallFire):
        return call.observer
    mission = mission_named(state, call.mission)
    assert mission is not None  # noqa: S101 - seen to before
    return mission.observer


@rule("6.5.1.1", "6.5.1.1.1", "6.5.1.1.4", editions=BOOK)
def _refuse_sources(context: Context, state: State, frame: IndirectFire, call: CallFire | AdjustFire) -> Refusal | None:
    """Why these sources do not go together (6.5.1.1)."""
    if not call.sources:
        return Refusal("6.5.1.7", "nobody fires", "a battery, or a unit with a GP-IF row")
    if len(set(call.sources)) < len(call.sources):
        return Refusal("6.5.1.1", "a source is named twice", "name each source once")
    for source in call.sources:
        refusal = refuse_source(context, state, frame, call, source)
        if refusal is not None:
            return refusal
    kind = kind_of(context, _observer_of(state, call))
    assert kind is not None  # noqa: S101 - seen to before
    most = capacity(kind)
    needed = _distinct(context, state, call.sources)
    if needed > most:
        remedy = f"{most}; two units on the map within Command Range count as one"
        return Refusal("6.5.1.1.1", f"{needed} distinct sources for an observer of kind {kind.value}", remedy)
    off_map = any(source not in state.units for source in call.sources)
    return refuse_pattern(call.kind, call.pattern, call.way, off_map=off_map)


def _distinct(context: Context, state: State, sources: Sequence[str]) -> int:
    units = [UnitId(source) for source in sources if source in state.units]

    def within(one: UnitId, other: UnitId) -> bool:
        a, b = state.units[one], state.units[other]
        if a.hex is None or b.hex is None:
            return False
        return distance(a.hex, b.hex) <= min(context.command_reach(a), context.command_reach(b))

    return sources_needed(len(sources) - len(units), units, within)


def source_sets(
    context: Context, state: State, frame: IndirectFire, call: CallFire | AdjustFire, *, kept: tuple[str, ...] = ()
) -> Iterator[tuple[str, ...]]:
    """The sources that can be called together by their ids, those ``kept`` among them; what is fired is left open."""
    kind = kind_of(context, _observer_of(state, call))
    if kind is None:
        return
    most = capacity(kind)
    mine = [name for name, battery in sorted(state.batteries.items()) if battery.side == frame.player]
    names = sorted((*mine, *(unit.id for unit in state.units.values() if unit.side == frame.player)))
    able = [one for one in names if one not in kept and refuse_source(context, state, frame, call, one) is None]
    for size in range(0 if kept else 1, 2 * most + 1 - len(kept)):
        for more in combinations(able, size):
            together = (*kept, *more)
            if _distinct(context, state, together) <= most:
                yield tuple(sorted(together))


# --- calls, adjustments, going on ----------------------------------------------------------------------


@rule("6.5.1.1", "6.5.1.7", editions=BOOK)
def refuse_call(context: Context, state: State, frame: IndirectFire, call: CallFire) -> Refusal | None:
    """Why fire may not be called like this (6.5.1.7)."""
    refusal = refuse_observer(context, state, frame, call.observer)
    if refusal is not None:
        return refusal
    if call.hex not in spotted_hexes(state, call.observer):
        label = _label(context, call.hex)
        return Refusal("6.5.1.7", f"{call.observer} has no spotted target in {label}", "the hex of a spotted unit")
    return _refuse_sources(context, state, frame, call)


@rule("6.5.1.8", "6.5.1.8.2", editions=BOOK)
def refuse_adjustment(context: Context, state: State, frame: IndirectFire, call: AdjustFire) -> Refusal | None:
    """Why fire may not be adjusted like this (6.5.1.8.2)."""
    mission = mission_named(state, call.mission)
    refusal = _refuse_mission(context, state, frame, mission, call.mission)
    if refusal is not None or mission is None:
        return refusal
    apart = distance(mission.target, call.hex)
    if apart > ADJUSTMENT:
        return Refusal("6.5.1.8.2", f"the Target Point moves {apart} hexes", f"{ADJUSTMENT} or less")
    spotted = spotted_hexes(state, mission.observer)
    stays = not apart and any(distance(hex, call.hex) <= 1 for hex in spotted)
    if call.hex not in spotted and not stays:
        label = _label(context, call.hex)
        return Refusal("6.5.1.8.2", f"{mission.observer} has no spotted target in {label}", "the hex of a spotted unit")
    left = [source for source in unsighted(state, mission, call.hex) if source not in call.sources]
    if left:
        return Refusal("6.5.1.8.2", f"{left[0]} fires already", "all that fire are adjusted together")
    same = call.hex == mission.target and (call.pattern, call.way) == (mission.pattern, mission.way)
    if same and set(call.sources) == set(mission.sources) and call.kind is mission.kind:
        return Refusal("6.5.1.8.2", "nothing is adjusted", "continue the fire")
    return _refuse_sources(context, state, frame, call)


@rule("6.5.1.8", "6.5.1.11.1", editions=BOOK)
def able_sources(context: Context, state: State, mission: Mission[Hex]) -> tuple[str, ...]:
    """Those of a mission that can go on: units with a FIRE command that bear, batteries without a plot that begins."""
    found = []
    for source in mission.sources:
        unit, battery = state.units.get(UnitId(source)), state.batteries.get(BatteryId(source))
        fires = (
            unit is not None
            and unit.in_play
            and unit.command is Command.FIRE
            and not unit.markers.bailed
            and _bears(context, state, unit, mission.target)
        )
        if fires or (battery is not None and not is_busy(battery, state.turn)):
            found.append(source)
    return tuple(found)


def _refuse_mission(
    context: Context, state: State, frame: IndirectFire, mission: Mission[Hex] | None, name: str
) -> Refusal | None:
    if mission is None or mission.side != frame.player:
        return Refusal("6.5.1.8", f"{frame.player} has no fire {name!r}", "name one of your fires")
    if mission.is_planned:
        return Refusal("6.5.1.9", f"{name} is Planned fire", "it follows its plot")
    if mission.turn >= state.turn:
        return Refusal("6.5.1.8", f"{name} has fired this turn", "wait for the next turn")
    return refuse_observer(context, state, frame, mission.observer, mission=mission.id)


@rule("6.5.1.8.1", editions=BOOK)
def refuse_continuing(
    context: Context, state: State, frame: IndirectFire, name: str, kind: MissionKind
) -> Refusal | None:
    """Why fire may not go on where it falls (6.5.1.8.1)."""
    mission = mission_named(state, name)
    refusal = _refuse_mission(context, state, frame, mission, name)
    if refusal is not None or mission is None:
        return refusal
    if not any(distance(hex, mission.target) <= 1 for hex in spotted_hexes(state, mission.observer)):
        reason = f"{mission.observer} has no spotted target in or next to {_label(context, mission.target)}"
        return Refusal("6.5.1.8.1", reason, "adjust or check the fire")
    if kind is not mission.kind and MissionKind.ILLUMINATION in (kind, mission.kind):
        return Refusal("6.5.1.8.1", f"from {mission.kind.value} to {kind.value}", "adjust the fire")
    firing = unsighted(state, mission, mission.target)
    if not firing:
        return Refusal("6.5.1", f"{mission.sources[0]} spots its target itself", "adjust or check the fire")
    for source in firing:
        found = source_of(context, state, source)
        if found is not None and kind not in found.kinds:
            return Refusal("6.5.1.6", f"{found.name} fires no {kind.value}", ", ".join(found.kinds))
    return None


@rule("6.5.1.8", "6.5.1.9", "6.5.1.10", editions=BOOK)
def why_unobserved(context: Context, state: State, mission: Mission[Hex]) -> tuple[str, str] | None:
    """Rule and reason by which called fire checks by itself, None if it does not (6.5.1.9)."""
    observer = state.units[mission.observer]
    if mission.danger_close:
        return "6.5.1.10", "it was Danger Close"
    if not observer.in_play or observer.markers.bailed:
        return "6.5.1.9", f"{observer.id} is gone"
    if not may_observe(state, observer):
        return "6.5.1.9", f"{observer.id} has no OW command"
    if not sees(context, state, observer, mission.target):
        return "6.5.1.9", f"{observer.id} does not see the Target Point"
    if not able_sources(context, state, mission):
        return "6.5.1.8", "none of those that fired can go on"
    return None


def _label(context: Context, hex: Hex) -> str:
    return context.game_map.label(hex) if hex in context.game_map else f"{tuple(hex)}"
