"""What it costs a hidden Gun to be shown: its crew waits for a shot that is worth the hiding place (6.4)."""

from __future__ import annotations

from collections.abc import Iterable

from sandtable.bots.aslsk.sketch import Sketch
from sandtable.systems.aslsk.pieces.state import Unit

__all__ = ["unmasking"]

AMBUSH = 0.3
"""Share of its price that a crew gives up whose Gun is hidden, when anything of it fires."""


def unmasking(sketch: Sketch, units: Iterable[Unit]) -> float:
    """Points that firing costs those of some units who man hidden Guns."""
    if not sketch.context.scenario.hiders:
        return 0.0
    crews = {weapon.owner for weapon in sketch.state.weapons.values() if weapon.hidden}
    shown = sum([sketch.price(unit) for unit in units if unit.id in crews])
    return AMBUSH * shown * min(1.0, sketch.turns_left() / 2)
