"""4.4.3 Backblast: a BAZ, PSK or PF fired from inside a building strikes its own hex, or is fired with more care."""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.stacking import friends_at
from sandtable.systems.aslsk.effects.effects import apply_results
from sandtable.systems.aslsk.effects.ift import ift_of

__all__ = ["backblast"]

COLUMN = 0
"""The IFT column of 1 FP."""


@rule("4.4.3")
def backblast(context: Context, play: Play, hex: Hex, seat: str, coloured: int) -> None:
    """All occupants of the firer's hex suffer the 1 FP column with the coloured die of the To Hit DR (4.4.3)."""
    result = ift_of(context).result(COLUMN, coloured)
    play.emit(ev.BackblastStruck(hex, coloured, result.text))
    for unit in friends_at(context, play.state, hex, seat):
        if unit.broken and not unit.dm:
            # The column can inflict a NMC, whatever the die says (3.2.3).
            play.emit(ev.Desperation(unit.id, "backblast"))
    apply_results(context, play, [(unit.id, result) for unit in friends_at(context, play.state, hex, seat)], COLUMN)
