"""9.7.3 Vehicles and buildings: two rolls for every wall that a vehicle breaks through."""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.core.content.table import Table
from sandtable.core.modifier import Breakdown, Modifier
from sandtable.systems.panzer.mini import events as ev
from sandtable.systems.panzer.mini.handler import Play
from sandtable.systems.panzer.mini.moves import Wall
from sandtable.systems.panzer.percentile import D100
from sandtable.systems.panzer.unit import UnitId

__all__ = ["Harmed", "break_through", "wall_net"]

BOOK = ("panzer-mini",)
_TIMES = 5
Harmed = str
"""``""``, ``damaged`` or ``track``."""


@rule("9.7.3", "9.7.3.1", editions=BOOK)
def wall_net(table: Table, building: str, defense: int, roll: int) -> tuple[Breakdown, int]:
    """A roll with five times the GP Defense Factor added, and the highest result that harms (9.7.3.1)."""
    added = Modifier(_TIMES * defense, "five times the GP Defense Factor", "9.7.3.1")
    return Breakdown("Building damage", "9.7.3.1", (added,), roll, "roll"), table.number(building, "hit")


@rule("9.7", "9.7.2", "9.7.3.2", editions=BOOK)
def break_through(play: Play, table: Table, unit: UnitId, wall: Wall, defense: int) -> Harmed:
    """Roll for one wall before it is passed (9.7.2): what it does to the vehicle (9.7.3.2)."""
    least = max(0, table.number(wall.kind, "hit") - _TIMES * defense)
    roll = play.dice.roll(D100, f"{unit} breaks through a wall", cuts=(least,)).total
    net, limit = wall_net(table, wall.kind, defense, roll)
    harmed = net.total <= limit
    play.emit(ev.WallRolled(unit, net, limit, harmed))
    if not harmed:
        return ""
    most = table.number(wall.kind, "damaged")
    again = play.dice.roll(D100, f"what the wall does to {unit}", cuts=(most,)).total
    play.emit(ev.WallHarmed(unit, again, again > most))
    return "track" if again > most else "damaged"
