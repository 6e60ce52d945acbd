"""3.5.4, 8.4.1 What comes of a move besides its end: men tire, recon units report."""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.geo.hex import Hex, distance
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.facts import Tired
from sandtable.systems.goss.common.fog import owner_if_hidden
from sandtable.systems.goss.common.handler import Play
from sandtable.systems.goss.movement.front import Front
from sandtable.systems.goss.movement.party import Party
from sandtable.systems.goss.movement.ways import Kind
from sandtable.systems.goss.observation.disclosure import ReconReported, recon_reports

__all__ = ["is_spared", "report_recon", "tire"]

_FAR = 6
"""Hexes from all enemies at which a march by road tires nobody (3.5.4a)."""
_WORN_OUT = 2


@rule("3.5.4a")
def is_spared(kind: Kind, way: list[Hex], front: Front) -> bool:
    """Whether a move tires nobody: guns in battery, Mech road movement far from all enemies (3.5.4a), PA movement."""
    if not kind.counts_points:
        return True
    return kind is Kind.ROAD and all(distance(hex, foe) >= _FAR for hex in way for foe in front.held)


@rule("3.5.4")
def tire(context: Context, play: Play, party: Party) -> None:
    """Who moves by more than half of his allowance in his rest game turn is tired (3.5.4)."""
    if play.state.rests.get(party[0].side) is not context.part(play.state):
        return
    for unit in party:
        if unit.fatigue < _WORN_OUT:
            owner = owner_if_hidden(context, play.state, unit.id)
            play.emit(Tired(unit.id, unit.fatigue + 1, owner=owner))


@rule("8.4.1")
def report_recon(context: Context, play: Play, party: Party) -> None:
    """Recon units that end their move beside enemies are told of them (8.4.1)."""
    for unit in party:
        reports = recon_reports(context, play.state, play.state.units[unit.id])
        if reports:
            play.emit(ReconReported(unit.id, unit.side, reports))
