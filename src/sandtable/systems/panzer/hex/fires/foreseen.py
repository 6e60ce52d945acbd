"""6.5.1.13 What Indirect Fire may do to each unit in its SHEAF, before anybody calls it."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.odds import Chance, Supposition
from sandtable.geo.hex import Hex
from sandtable.systems.panzer.fires.missions import Mission, MissionKind
from sandtable.systems.panzer.fires.response import Response, response_of
from sandtable.systems.panzer.hex.actions import Action, AdjustFire, CallFire, ContinueFire, StartPlan
from sandtable.systems.panzer.hex.combat.blast_odds import Blow, Fold, blast_odds, counts_as_moving
from sandtable.systems.panzer.hex.combat.gp_results import gp_attack, is_vehicle
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.fires.calls import mission_named, unsighted
from sandtable.systems.panzer.hex.fires.impact import falling, falls_short
from sandtable.systems.panzer.hex.fires.indirect_fire import planned_fire
from sandtable.systems.panzer.hex.fires.responding import endangered, response_number
from sandtable.systems.panzer.hex.fires.sheaves import area_of, caught
from sandtable.systems.panzer.hex.fires.sources import Source, source_of
from sandtable.systems.panzer.hex.handler import Play
from sandtable.systems.panzer.hex.state import State, Unit
from sandtable.systems.panzer.unit import Command, UnitId

__all__ = ["indirect_odds", "indirect_suppositions", "moving_supposed"]

BOOK = ("panzer-na",)
_FACES = 10
"""Of the roll for a response."""


def _mission_of(state: State, action: Action) -> Mission[Hex] | None:
    """The mission that an answer of the Indirect Fire step would fire, if it fires one."""
    match action:
        case CallFire():
            return Mission(
                id="",
                side=state.units[action.observer].side,
                observer=action.observer,
                sources=action.sources,
                target=action.hex,
                pattern=action.pattern,
                way=action.way,
                kind=action.kind,
                place=state.units[action.observer].hex,
            )
        case AdjustFire():
            before = mission_named(state, action.mission)
            if before is None:
                return None
            call = CallFire(before.observer, action.sources, action.hex, action.kind, action.pattern, action.way)
            return _mission_of(state, call)
        case ContinueFire():
            before = mission_named(state, action.mission)
            if before is None:
                return None
            place = state.units[before.observer].hex
            sources = unsighted(state, before, before.target)
            return replace(before, kind=action.kind, sources=sources, place=place)
        case StartPlan():
            return planned_fire(state, action.battery)
        case _:
            return None


def _firing(state: State, action: Action) -> tuple[str, ...]:
    """Sources that fire already and are adjusted."""
    before = mission_named(state, action.mission) if isinstance(action, AdjustFire) else None
    return () if before is None else before.sources


@rule("6.5.1.12", editions=BOOK)
def _response(context: Context, state: State, action: Action, mission: Mission[Hex], source: str) -> Fraction:
    """The chance that a source fires where it is called (6.5.1.12)."""
    if not isinstance(action, CallFire | AdjustFire):
        return Fraction(1)
    number = response_number(context, state, mission, source, adjusted=source in _firing(state, action))
    comes = [roll for roll in range(1, _FACES + 1) if response_of(number, roll) is Response.COMES]
    return Fraction(len(comes), _FACES)


@rule("6.5.1.13", "6.5.4.4", editions=BOOK)
def indirect_odds(context: Context, state: State, fold: Fold, action: Action) -> dict[str, list[Chance]]:
    """What may become of each unit in the SHEAF, from the response to the last bail-out; nothing for others."""
    mission = _mission_of(state, action)
    if mission is None or mission.kind is not MissionKind.GP:
        return {}
    sources = [source for name in mission.sources if (source := source_of(context, state, name)) is not None]
    areas = {source.id: area_of(context.game_map, state, mission, source.id) for source in sources}
    chances = {source.id: _response(context, state, action, mission, source.id) for source in sources}
    everywhere = tuple(dict.fromkeys(hex for hexes in areas.values() for hex in hexes))

    def blow(source: Source, unit: Unit) -> Blow:
        moving = not mission.is_planned and counts_as_moving(context, unit, mission.side)

        def strike(play: Play) -> None:
            fire = falling(mission, source, short=falls_short(context, play, source))
            if fire is not None:
                gp_attack(context, play, unit.id, fire, source.id, moving=moving)

        return Blow(chances[source.id], strike)

    targets = [
        (unit.id, [blow(source, unit) for source in sources if unit.hex in areas[source.id]])
        for unit in caught(state, everywhere)
    ]
    return blast_odds(context, state, fold, targets)


@rule("6.5.4.3", editions=BOOK)
def moving_supposed(context: Context, state: State, units: Iterator[Unit]) -> Iterator[Supposition]:
    """Owners of face-down vehicles may reveal that they move (6.5.4.3)."""
    hidden = [unit for unit in units if unit.command is Command.HIDDEN and is_vehicle(context, unit)]
    if hidden:
        moving = {unit.id: replace(unit, command=Command.MOVE, known=True) for unit in hidden}
        names = " and ".join(sorted(moving))
        supposed = replace(state, units={**state.units, **moving})
        yield Supposition(f"the owner reveals that {names} move", "6.5.4.3", supposed)


@rule("6.5.1.10", editions=BOOK)
def indirect_suppositions(context: Context, state: State, action: Action) -> Iterator[Supposition]:
    """What the odds of Indirect Fire leave out: commands that lie face down, and Danger Close (6.5.1.10)."""
    mission = _mission_of(state, action)
    if mission is None:
        return
    if mission.kind is MissionKind.GP and not mission.is_planned:
        hexes = {hex for source in mission.sources for hex in area_of(context.game_map, state, mission, source)}
        yield from moving_supposed(context, state, iter(caught(state, tuple(hexes))))
    if not isinstance(action, CallFire | AdjustFire):
        return
    for source in mission.sources:
        if endangered(context, state, mission, UnitId(source)):
            yield Supposition(f"{source} rolls a 1 and falls on friends", "6.5.1.10")
