"""6.5.1.13 Fire that falls: areas of Barrage and Smoke, and every unit that GP fire catches."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.frames import Changed, Closed, Opened
from sandtable.geo.hex import Hex
from sandtable.systems.panzer import events as shared
from sandtable.systems.panzer.combat.ammo_limits import is_short
from sandtable.systems.panzer.command.sharing import reveal
from sandtable.systems.panzer.edition import Module
from sandtable.systems.panzer.facts import BlastFacts
from sandtable.systems.panzer.features import FeatureKind
from sandtable.systems.panzer.fires.missions import Mission, MissionKind, Pattern
from sandtable.systems.panzer.frames import CommandReveal, Impact
from sandtable.systems.panzer.hex import events as ev
from sandtable.systems.panzer.hex import mission_events as me
from sandtable.systems.panzer.hex.combat.engagement import has_ammo_dump
from sandtable.systems.panzer.hex.combat.gp_results import gp_attack, is_vehicle
from sandtable.systems.panzer.hex.combat.terrain_fire import strike_terrain, vulnerable_in
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.fires.calls import mission_named
from sandtable.systems.panzer.hex.fires.sheaves import area_of, caught, clouds
from sandtable.systems.panzer.hex.fires.sources import Source, fire_of, measured, source_of, spot_of
from sandtable.systems.panzer.hex.handler import Handler, Play
from sandtable.systems.panzer.hex.state import State, Unit
from sandtable.systems.panzer.unit import MOVING_COMMANDS, UnitId

__all__ = [
    "ImpactHandler",
    "end_mission",
    "falling",
    "falls_short",
    "fire_mission",
    "is_under_barrage",
    "under_barrages",
]

BOOK = ("panzer-na",)


@rule("6.5.1.9", "6.1.4.3.10", editions=BOOK)
def end_mission(play: Play, mission: Mission[Hex], cited: str, reason: str) -> None:
    """The impact counter and its Barrage go; Smoke drifts off by itself (6.5.1.5, 6.5.1.9)."""
    play.emit(me.MissionEnded(mission.id, cited, reason))
    _lift(play, mission, frozenset())


def _lift(play: Play, mission: Mission[Hex], kept: frozenset[Hex]) -> None:
    """The Barrage of a mission is gone but for some hexes."""
    gone = tuple(
        feature
        for feature in play.state.features
        if feature.kind is FeatureKind.BARRAGE and feature.source == mission.id and feature.hex not in kept
    )
    if gone:
        play.emit(ev.FeaturesRemoved(gone))


@rule("5.16.2.3", "5.16.2.5", "6.5.1.11.4", editions=BOOK)
def _has_shells(context: Context, play: Play, source: Source, kind: MissionKind) -> bool:
    """Roll (10) for Smoke or Illumination; GP of batteries has no limit (5.16.2.3, 5.16.2.5)."""
    if kind is MissionKind.GP or not context.plays(Module.AMMO_LIMITS):
        return True
    limit = source.limits.S if kind is MissionKind.SMOKE else source.limits.I
    if not is_short(play.dice, limit, f"{kind.value} of {source.id}"):
        return True
    play.emit(me.ShellsShort(source.id, kind.value))
    return False


@rule("6.5.1.5", "6.5.1.6.1", "6.5.1.12", "6.5.1.13", "6.1.4.3.10", editions=BOOK)
def fire_mission(context: Context, play: Play, called: Mission[Hex]) -> None:
    """A mission fires this turn: its counter, its Barrage with or without Smoke, and GP fire on all that it catches."""
    observer = play.state.units.get(called.observer)
    place = None if observer is None else observer.hex
    mission = replace(called, turn=play.state.turn, place=place)
    firing = _loaded(context, play, mission)
    if not firing:
        _has_no_shells(play, mission)
        return
    if all(source.unit is not None for source in firing):
        mission = replace(mission, pattern=Pattern.ON_MAP, way=-1)
    mission = replace(mission, sources=tuple(source.id for source in firing))
    play.emit(me.MissionSet(mission))
    covered = {hex for source in firing for hex in area_of(context.game_map, play.state, mission, source.id)}
    _lift(play, mission, frozenset(() if mission.kind is MissionKind.ILLUMINATION else covered))
    cloud = clouds(mission, tuple(sorted(covered)))
    if cloud:
        play.emit(me.AreaCovered(cloud))
    if mission.kind is MissionKind.GP:
        play.emit(Opened(Impact(mission.id, tuple(source.id for source in firing))))
        return
    for source in firing:
        _has_fired(context, play, mission, source)


def _loaded(context: Context, play: Play, mission: Mission[Hex]) -> list[Source]:
    """The sources of a mission that have shells for it; the others have fired all the same (5.16.2.3)."""
    firing = []
    for name in mission.sources:
        source = source_of(context, play.state, name)
        assert source is not None  # noqa: S101 - seen to when it was called
        if source.unit is not None:
            reveal(play, source.unit.id)
        if _has_shells(context, play, source, mission.kind):
            firing.append(source)
        else:
            _has_fired(context, play, mission, source)
    return firing


@rule("5.16.2.3", "6.5.1.11.4", editions=BOOK)
def _has_no_shells(play: Play, mission: Mission[Hex]) -> None:
    """No counter is placed, and one that lies there goes; a plot begins and goes on all the same (6.5.1.11.4)."""
    if mission.is_planned:
        play.emit(me.PlanBegan(mission.sources[0], mission.begun))
    standing = mission_named(play.state, mission.id)
    if standing is not None:
        cited = "6.5.1.11.4" if mission.is_planned else "5.16.2.3"
        end_mission(play, standing, cited, f"no {mission.kind.value} shells")


@rule("5.16.2", "5.16.2.1", editions=BOOK)
def falls_short(context: Context, play: Play, source: Source) -> bool:
    """Roll (10) for the basic ammo of a unit on the map that is away from its supply (5.16.2, 5.16.2.4)."""
    unit = source.unit
    if unit is None or not context.plays(Module.AMMO_LIMITS) or has_ammo_dump(context, play.state, unit):
        return False
    short = is_short(play.dice, source.limits.basic, f"basic ammo of {source.id}")
    if short:
        play.emit(me.ShellsShort(source.id, MissionKind.GP.value))
    return short


@rule("6.5.1", editions=BOOK)
def _has_fired(context: Context, play: Play, mission: Mission[Hex], source: Source) -> None:
    """A unit that fires gets its SPOT counter at once (6.5.1)."""
    play.emit(me.MissionFired(mission.id, source.id))
    if source.unit is not None:
        play.emit(shared.SpotMarked(source.unit.id, spot_of(context, source.unit)))


def falling(mission: Mission[Hex], source: Source, *, short: bool = False) -> BlastFacts | None:
    """The fire of a source; the range is that of the Target Point for all that are caught (6.5.1.13)."""
    range_hexes = max(measured(source, mission.place, mission.target), source.row.minimum)
    return fire_of(source, mission, range_hexes, short=short)


@rule("6.5.1", "6.5.4.2.5", editions=BOOK)
def _strike_terrain(context: Context, play: Play, mission: Mission[Hex], source: Source, *, short: bool) -> None:
    """Terrain in the SHEAF is attacked too, after the units and whether or not there are any (6.5.4.2.5)."""
    fire = falling(mission, source, short=short)
    if fire is None:
        return
    for hex in area_of(context.game_map, play.state, mission, source.id):
        for what in list(vulnerable_in(context, play.state, hex)):
            strike_terrain(context, play, source.id, what, fire)


def _barrages(context: Context, state: State, hex: Hex) -> Iterator[tuple[Mission[Hex], Source]]:
    """The Barrages of this turn that lie on a hex; units on the map that are gone do not fire any more."""
    for mission in state.missions:
        if mission.kind is not MissionKind.GP or mission.turn != state.turn:
            continue
        for name in mission.sources:
            source = source_of(context, state, name)
            if source is None or (source.unit is not None and not source.unit.in_play):
                continue
            if hex in area_of(context.game_map, state, mission, name):
                yield mission, source


def is_under_barrage(context: Context, state: State, hex: Hex) -> bool:
    """Whether who moves into a hex is attacked by Barrages."""
    return next(_barrages(context, state, hex), None) is not None


@rule("6.6.6", editions=BOOK)
def under_barrages(context: Context, play: Play, unit: UnitId, hex: Hex, struck: tuple[str, ...]) -> tuple[str, ...]:
    """Attack a unit that moves into a hex under Barrages, each source once a move; those that have attacked it now.

    The modifier of moving vehicles does not apply (6.6.6).
    """
    found = []
    for mission, source in list(_barrages(context, play.state, hex)):
        key = f"{mission.id} {source.id}"
        if key in struck:
            continue
        found.append(key)
        if play.state.units[unit].in_play:
            fire = falling(mission, source, short=falls_short(context, play, source))
            if fire is not None:
                gp_attack(context, play, unit, fire, source.id, moving=False)
    return tuple(found)


class ImpactHandler(Handler[Impact]):
    """6.5.1.13: GP fire strikes unit after unit."""

    frame = Impact

    def advance(self, play: Play, frame: Impact) -> bool:
        """The next source, the next unit, or the end."""
        mission = mission_named(play.state, frame.mission)
        if mission is None or not frame.sources:
            play.emit(Closed())
            return True
        source = source_of(self.context, play.state, frame.sources[0])
        assert source is not None  # noqa: S101 - it was called
        if frame.targets is None:
            self._begin(play, frame, mission, source)
        elif not frame.targets:
            play.emit(Changed(Impact(frame.mission, frame.sources[1:])))
            _strike_terrain(self.context, play, mission, source, short=frame.short)
        else:
            self._strike(play, frame, mission, source)
        return True

    def _begin(self, play: Play, frame: Impact, mission: Mission[Hex], source: Source) -> None:
        """The source fires; whom it catches is settled now."""
        _has_fired(self.context, play, mission, source)
        short = falls_short(self.context, play, source)
        there = caught(play.state, area_of(self.context.game_map, play.state, mission, source.id))
        play.emit(Changed(replace(frame, targets=tuple(one.id for one in there), short=short)))

    @rule("6.5.1.7", "6.5.1.13", "6.5.4.3", editions=BOOK)
    def _strike(self, play: Play, frame: Impact, mission: Mission[Hex], source: Source) -> None:
        """Roll for the next unit, once its owner has said whether it moves (6.5.4.3)."""
        assert frame.targets  # noqa: S101 - seen to
        target = play.state.units[frame.targets[0]]
        fire = falling(mission, source, short=frame.short)
        after = replace(frame, targets=frame.targets[1:], moving=None)
        if fire is None or not target.in_play:
            play.emit(Changed(after))
            return
        moving = self._moves(target, mission, answer=frame.moving)
        if moving is None:
            play.emit(Opened(CommandReveal(target.id)))
            return
        play.emit(Changed(after))
        gp_attack(self.context, play, target.id, fire, source.id, moving=moving)

    def _moves(self, target: Unit, mission: Mission[Hex], *, answer: bool | None) -> bool | None:
        """Whether a vehicle counts as moving; None if its owner has to be asked. Never for Planned fire (6.5.4.3)."""
        if mission.is_planned or not is_vehicle(self.context, target):
            return False
        return target.command in MOVING_COMMANDS if target.known else answer
