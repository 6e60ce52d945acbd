"""3.2.4 Case 8: the DRM of a Gun, hull or turret that has turned its covered arc to fire."""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.core.modifier import Modifier
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.pieces.armament import Mount

__all__ = ["arc_change_terms"]

_HEXSPINES = ("first", "second", "third")


@rule("3.2.4")
def arc_change_terms(context: Context, mount: Mount, spines: int, hex: Hex) -> tuple[Modifier, ...]:
    """The DRM of a turn by so many hexspines, doubled in woods or a building; nothing without a turn (3.2.4)."""
    if not spines:
        return ()
    table = context.tables["covered_arc_drm"]
    total = sum(table.number(mount.value, name) for name in _HEXSPINES[:spines])
    if context.ground.place(hex).shelter:
        total *= table.number("times_in_cover", "first")
    words = "hexspine" if spines == 1 else "hexspines"
    return (Modifier(total, f"{mount.value} turned by {spines} {words}", "3.2.4"),)
