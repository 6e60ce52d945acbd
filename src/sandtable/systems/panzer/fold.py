"""Folding events that need no place: with the folds of a space, the only place where state changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.frames import unchanged
from sandtable.systems.panzer import events as ev
from sandtable.systems.panzer.markers import HullDown, Suppression
from sandtable.systems.panzer.objective import Objective
from sandtable.systems.panzer.unit import Command, Spot, Status, UnitId

__all__ = ["SHARED_FACTS", "with_markers", "with_unit"]

S = TypeVar("S", bound=Struct)


def with_unit(state: S, unit_id: UnitId, **changes: Any) -> S:
    """The state with one vehicle changed."""
    standing: Any = state
    units = dict(standing.units)
    units[unit_id] = replace(units[unit_id], **changes)
    return replace(state, units=units)


def with_markers(state: S, unit_id: UnitId, **changes: Any) -> S:
    """The state with counters of the Advanced Game changed on one unit."""
    standing: Any = state
    return with_unit(state, unit_id, markers=replace(standing.units[unit_id].markers, **changes))


def _turn_began(state: Any, event: ev.TurnBegan) -> Any:
    return replace(state, turn=event.turn, first="")


def _phase_began(state: Any, event: ev.PhaseBegan) -> Any:
    return replace(state, phase=event.phase)


def _spotting_determined(state: Any, event: ev.SpottingDetermined) -> Any:
    """New SPOT counters come into force (4.4.1); those of vehicles that nobody spots go (4.1.5)."""
    lost = set(event.unspotted)
    units = {}
    for unit_id, unit in state.units.items():
        spot = Spot.NONE if unit_id in lost else unit.new_spot or unit.spot
        if spot is not unit.spot or unit.new_spot:
            unit = replace(unit, spot=spot, new_spot=Spot.NONE)  # noqa: PLW2901
        units[unit_id] = unit
    return replace(state, units=units, spotted=event.spotted, sightings=event.sightings)


def _commands_placed(state: Any, event: ev.CommandsPlaced) -> Any:
    units = dict(state.units)
    for unit_id, unit in state.units.items():
        if unit.side == event.seat and unit.status in (Status.IN_PLAY, Status.RESERVE):
            units[unit_id] = replace(unit, command=event.commands.get(unit_id, Command.NONE), known=False)
    return replace(state, units=units)


def _orders_placed(state: Any, event: ev.OrdersPlaced) -> Any:
    units = dict(state.units)
    for unit_id, unit in state.units.items():
        if unit.side == event.seat and unit.status in (Status.IN_PLAY, Status.RESERVE):
            order = event.orders.get(unit_id)
            command, shares = (Command.NONE, UnitId("")) if order is None else (order.command, order.shares)
            markers = replace(unit.markers, shares=shares)
            units[unit_id] = replace(unit, command=command, known=False, markers=markers)
    return replace(state, units=units)


def _command_converted(state: Any, event: ev.CommandConverted) -> Any:
    return with_unit(state, event.unit, command=Command.NONE)


def _first_player_chosen(state: Any, event: ev.FirstPlayerChosen) -> Any:
    return replace(state, first=event.first)


def _command_revealed(state: Any, event: ev.CommandRevealed) -> Any:
    return with_unit(state, event.unit, command=event.command, known=True)


def _shot_resolved(state: Any, event: ev.ShotResolved | ev.ShotWasted) -> Any:
    return with_unit(state, event.firer, fired=True)


def _vehicle_damaged(state: Any, event: ev.VehicleDamaged) -> Any:
    return with_unit(state, event.unit, damaged=True)


@rule("6.1.3", editions=("panzer-na",))
def _spot_marked(state: Any, event: ev.SpotMarked) -> Any:
    """Small Arms do not take back what a larger weapon has shown, be it in an earlier turn (6.1.3)"""
    spot, unit = event.spot, state.units[event.unit]
    if spot is Spot.FIRE_SA and Spot.FIRE in (unit.spot, unit.new_spot):
        spot = Spot.FIRE
    return with_unit(state, event.unit, new_spot=spot)


def _smoke_took_effect(state: Any, event: ev.SmokeTookEffect | ev.BrewUpSmokeTookEffect) -> Any:  # noqa: ARG001
    wrecks = tuple(replace(wreck, fresh=False) if wreck.fresh else wreck for wreck in state.wrecks)
    return replace(state, wrecks=wrecks)


def _move_ended(state: Any, event: ev.MoveEnded) -> Any:
    return with_unit(state, event.unit, moved=True)


def _unit_suppressed(state: Any, event: ev.UnitSuppressed) -> Any:
    return with_markers(state, event.unit, suppression=Suppression.ON)


_PARTS = {"turret": "turret_damaged", "hull": "hull_damaged", "track": "track"}


def _vehicle_part_hit(state: Any, event: ev.VehiclePartHit) -> Any:
    return with_markers(state, event.unit, **{_PARTS[event.part]: True})


@rule("6.8.3.1.2", editions=("panzer-na",))
def _attacked_close(state: Any, event: ev.AssaultRolled) -> Any:
    """A Close Assault is GP Direct Fire; a Hand-to-Hand combat is no fire (6.6.1.1.1, 6.8.3.1.2)"""
    return with_markers(state, event.target, under_fire=True)


def _unit_reduced(state: Any, event: ev.UnitReduced) -> Any:
    return with_markers(state, event.unit, reduced=True)


def _unit_crawls(state: Any, event: ev.UnitCrawls) -> Any:
    return with_markers(state, event.unit, crawling=True)


def _position_abandoned(state: Any, event: ev.PositionAbandoned) -> Any:
    return with_markers(state, event.unit, hull_down=HullDown.NONE, open_way=-1)


def _position_designated(state: Any, event: ev.PositionDesignated) -> Any:
    return with_markers(state, event.unit, hull_down=HullDown.PARTIAL)


def _commands_removed(state: Any, event: ev.CommandsRemoved) -> Any:
    """4.6.1: an unused FIRE or SHORT HALT leaves SPOT/FIRE, an unused MOVE leaves SPOT/MOVE."""
    units = {}
    for unit_id, unit in state.units.items():
        new_spot = unit.new_spot
        unused = event.unused.get(unit_id)
        if unused is not None:
            new_spot = Spot.MOVE if unused is Command.MOVE else Spot.FIRE
        units[unit_id] = _cleared(unit, new_spot)
    return replace(state, units=units)


def _cleared(unit: Any, new_spot: Spot) -> Any:
    markers = unit.markers
    if markers.shares or markers.crawling or markers.arms:
        markers = replace(markers, shares=UnitId(""), crawling=False, arms=())
    return replace(unit, command=Command.NONE, known=True, fired=False, moved=False, new_spot=new_spot, markers=markers)


def _cover_adjusted(state: Any, event: ev.CoverAdjusted) -> Any:
    units = dict(state.units)
    for unit_id in (*event.into, *event.out):
        unit = units[unit_id]
        units[unit_id] = replace(unit, markers=replace(unit.markers, full_cover=unit_id in event.into))
    return replace(state, units=units)


def _suppression_rolled(state: Any, event: ev.SuppressionRolled) -> Any:
    return with_markers(state, event.unit, suppression=Suppression.NONE) if event.recovered else state


def _counters_adjusted(state: Any, event: ev.CountersAdjusted) -> Any:
    units = dict(state.units)
    for unit_id, unit in state.units.items():
        markers = unit.markers
        if markers.under_fire or unit_id in event.turned:
            suppression = Suppression.OFF if unit_id in event.turned else markers.suppression
            units[unit_id] = replace(unit, markers=replace(markers, under_fire=False, suppression=suppression))
    return replace(state, units=units)


def _objectives_reviewed(state: Any, event: ev.ObjectivesReviewed) -> Any:
    objectives: dict[str, Objective] = {**state.objectives, **event.objectives}
    return replace(state, objectives=objectives)


def _game_ended(state: Any, event: ev.GameEnded) -> Any:
    return replace(state, ended=event.why, stack=())


SHARED_FACTS: Mapping[type, Callable[[Any, Any], Any]] = {
    ev.TurnBegan: _turn_began,
    ev.PhaseBegan: _phase_began,
    ev.SpottingDetermined: _spotting_determined,
    ev.CommandsPlaced: _commands_placed,
    ev.OrdersPlaced: _orders_placed,
    ev.CommandConverted: _command_converted,
    ev.InitiativeRolled: unchanged,
    ev.ForceRolled: unchanged,
    ev.FirstPlayerChosen: _first_player_chosen,
    ev.CommandRevealed: _command_revealed,
    ev.FireAnnounced: unchanged,
    ev.ShotResolved: _shot_resolved,
    ev.ShotWasted: _shot_resolved,
    ev.ArmourStruck: unchanged,
    ev.VehicleDamaged: _vehicle_damaged,
    ev.SpotMarked: _spot_marked,
    ev.OverwatchDeclined: unchanged,
    ev.SmokeTookEffect: _smoke_took_effect,
    ev.BrewUpSmokeTookEffect: _smoke_took_effect,
    ev.MoveEnded: _move_ended,
    ev.CoverAdjusted: _cover_adjusted,
    ev.SuppressionRolled: _suppression_rolled,
    ev.CountersAdjusted: _counters_adjusted,
    ev.UnitSuppressed: _unit_suppressed,
    ev.QuickmarchRolled: unchanged,
    ev.UnitCrawls: _unit_crawls,
    ev.VehiclePartHit: _vehicle_part_hit,
    ev.WallStruck: unchanged,
    ev.UnitReduced: _unit_reduced,
    ev.AssaultRolled: _attacked_close,
    ev.BoutRolled: unchanged,
    ev.PositionAbandoned: _position_abandoned,
    ev.PositionDesignated: _position_designated,
    ev.CommandsRemoved: _commands_removed,
    ev.ObjectivesReviewed: _objectives_reviewed,
    ev.GameEnded: _game_ended,
}
"""How events that need no place change a state: part of the facts of every space."""
