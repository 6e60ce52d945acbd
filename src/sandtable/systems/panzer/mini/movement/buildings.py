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

__all__ = ["Harmed", "break_through", "wall_number"]

BOOK = ("panzer-mini",)
_TIMES = 5
Harmed = str
"""``""``, ``damaged`` or ``track``."""


@rule("9.7.3", "9.7.3.1", editions=BOOK)
def wall_number(table: Table, wall: Wall, defense: int) -> Breakdown:
    """The highest roll that harms a vehicle: its GP Defense Factor counts five times (9.7.3.1)."""
    hit = table.number(wall.kind, "hit")
    saved = Modifier(-_TIMES * defense, "five times the GP Defense Factor", "9.7.3.1")
    return Breakdown("Building damage", "9.7.3.1", (saved,), hit, "Hit # of the building")


@rule("9.7.2", "9.7.3.2", editions=BOOK)
def break_through(play: Play, table: Table, unit: UnitId, wall: Wall, defense: int) -> Harmed:
    """Roll for one wall before it is passed (9.7.2): what it does to the vehicle (9.7.3.2)."""
    number = wall_number(table, wall, defense)
    limit = max(0, number.total)
    roll = play.dice.roll(D100, f"{unit} breaks through a wall", cuts=(limit,)).total
    play.emit(ev.WallStruck(unit, number, roll))
    if roll > limit:
        return ""
    most = table.number(wall.kind, "damaged")
    again = play.dice.roll(D100, f"what the wall does to {unit}", cuts=(most,)).total
    track = again > most
    play.emit(ev.WallHarmed(unit, again, track))
    return "track" if track else "damaged"
