"""3.1, 5.0 The Spotting Phase: new SPOT markers count, then it is settled who spots whom."""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.core.codec import digest
from sandtable.core.content.rule import rule
from sandtable.systems.panzer import events as ev
from sandtable.systems.panzer.mini.context import Context
from sandtable.systems.panzer.mini.handler import Play
from sandtable.systems.panzer.mini.spotting.spotting import determine_spotting, extraneous
from sandtable.systems.panzer.sequence import Phase
from sandtable.systems.panzer.unit import Spot

__all__ = ["spotting_phase"]

BOOK = ("panzer-mini",)


@rule("3.1", "5.0", "5.5.4", editions=BOOK)
def spotting_phase(context: Context, play: Play) -> None:
    """New SPOT markers count, then it is settled who spots whom this turn (5.0); those of the unseen go (5.5.4)"""
    play.emit(ev.PhaseBegan(Phase.SPOTTING))
    units = {
        unit_id: replace(unit, spot=unit.new_spot) if unit.new_spot is not Spot.NONE else unit
        for unit_id, unit in play.state.units.items()
    }
    standing = replace(play.state, units=units)
    spotted = determine_spotting(context, standing)
    play.emit(ev.SpottingDetermined(spotted, extraneous(standing, spotted), digest(spotted)))
