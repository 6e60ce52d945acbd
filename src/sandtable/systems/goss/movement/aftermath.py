"""3.5.4, 8.4.1, 15.5.2 What comes of a move besides its end: whom it tires, what is reported, whose supply it takes."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core.content.rule import rule
from sandtable.geo.hex import Hex, distance
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.handler import Play
from sandtable.systems.goss.common.harm import run_out
from sandtable.systems.goss.movement.front import Front
from sandtable.systems.goss.movement.party import Party
from sandtable.systems.goss.movement.ways import Kind
from sandtable.systems.goss.observation.disclosure import ReconReported, recon_reports
from sandtable.systems.goss.pieces.card import MovementClass
from sandtable.systems.goss.pieces.unit import Supply, UnitId
from sandtable.systems.goss.tables.movement_costs import ONE_MP

__all__ = ["is_spared", "report_recon", "spend_supply"]

_FAR = 6
"""Hexes from all enemies at which a march by road tires nobody (3.5.4a)."""


@rule("3.5.4a")
def is_spared(kind: Kind, way: list[Hex], front: Front) -> bool:
    """Whether a move tires nobody: guns in battery, Mech road movement far from all enemies (3.5.4a), PA movement."""
    if not kind.counts_points:
        return True
    return kind is Kind.ROAD and all(distance(hex, foe) >= _FAR for hex in way for foe in front.held)


@rule("8.4.1")
def report_recon(context: Context, play: Play, party: Party) -> None:
    """Recon units that end their move beside enemies are told of them (8.4.1)."""
    for unit in party:
        reports = recon_reports(context, play.state, play.state.units[unit.id])
        if reports:
            play.emit(ReconReported(unit.id, unit.side, reports))


@rule("7.3.0")
def spend_supply(play: Play, context: Context, units: Sequence[UnitId], spent: int, *, is_minimum: bool) -> None:
    """Who lives on what he carries has used it up by more than half of his printed MA (15.5.2).

    A minimum move takes all the printed MA of a Leg unit, however little of it was left (7.3.0).
    """
    for one in units:
        unit = play.state.units[one]
        card = context.card(unit)
        printed = card.ma * ONE_MP
        used = printed if is_minimum and card.movement is MovementClass.LEG else spent
        if unit.supply is Supply.ON_HAND and 2 * used > printed:
            run_out(play, context, one)
