"""8.4.7.5, 8.4.7.6 A lost vehicle becomes a wreck, and smokes if it was brewed up."""

from __future__ import annotations

from sandtable.geo.plane.points import Point
from sandtable.systems.panzer.mini import events as ev
from sandtable.systems.panzer.mini.context import Context
from sandtable.systems.panzer.mini.handler import Play
from sandtable.systems.panzer.mini.state import SMOKE, WRECK, Patch, Unit
from sandtable.systems.panzer.unit import WreckKind

__all__ = ["lose"]


def lose(context: Context, play: Play, unit: Unit, kind: WreckKind = WreckKind.KO) -> None:
    """A vehicle is knocked out or brewed up where it stands: its wreck, and its smoke, lie there from now on."""
    base = context.base(unit)
    outline = () if base is None else tuple(Point(*corner) for corner in base.outline)
    kinds = (WRECK, SMOKE) if kind is WreckKind.BU else (WRECK,)
    patches = tuple(Patch(one, outline, unit.id) for one in kinds) if outline else ()
    play.emit(ev.VehicleLost(unit.id, kind, patches))
