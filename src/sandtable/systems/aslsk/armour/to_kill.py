"""7.9 To Kill numbers: the tables by ammunition, weapon and range, and what modifies them.

The Final TK# is the number of the table, doubled by a Critical Hit, one more against the rear, less the Armor Factor
that is struck. Whoever has two rows makes two DR: such a counter says so.
"""

from __future__ import annotations

from bisect import bisect_left
from enum import StrEnum
from typing import NamedTuple

from sandtable.core.content.rule import rule
from sandtable.core.content.table import Table
from sandtable.core.modifier import Breakdown, Modifier
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.pieces.armament import Ammo, Armament
from sandtable.systems.aslsk.pieces.cards import Nationality
from sandtable.systems.aslsk.pieces.state import Vehicle, VehicleId
from sandtable.systems.aslsk.pieces.vehicle_cards import Aspect, Facing

__all__ = [
    "CHARGE_ROW",
    "FLAME_ROW",
    "MACHINE_GUN_ROW",
    "NO_DUD",
    "PANZERFAUST_ROW",
    "Strike",
    "StrikeKind",
    "gun_row",
    "table_number",
    "to_kill_number",
]

NO_DUD = 13
"""A DR that no dice show."""
FLAME_ROW, CHARGE_ROW, PANZERFAUST_ROW, MACHINE_GUN_ROW = "FT", "DC", "PF", "MG"


class StrikeKind(StrEnum):
    """The columns of the AFV Destruction Table (7.10)."""

    DIRECT = "direct"
    AREA = "area"
    CHARGE = "DC"
    FLAME = "FT"
    MACHINE_GUN = "MG"
    CLOSE_COMBAT = "CC"


class Strike(NamedTuple):
    """A hit on an AFV that makes a To Kill attempt."""

    vehicle: VehicleId
    origin: Hex
    """Where it was fired from."""
    reach: int
    ammo: Ammo
    rows: tuple[str, ...]
    """The row of the To Kill table, or the two rows of a counter with two TK DR."""
    faces: tuple[int, ...]
    """Of the original To Hit DR, coloured die first; () of a flamethrower, which makes none."""
    fp: int
    """IFT FP of weapon and ammunition, for a collateral attack (7.12)."""
    by: str = ""
    """The weapon or vehicle that fired."""
    kind: StrikeKind = StrikeKind.DIRECT
    critical: bool = False
    side: int = -1
    """The hexside of the AFV's hex through which a DC was placed, or what is judged came in (3.3.2); -1 by the line."""
    drm: tuple[Modifier, ...] = ()
    """What modifies the TK DR: hindrances and CX of a flamethrower (4.2)."""
    dud_at: int = NO_DUD
    """Original TK DR that is a dud (4.4.2)."""


def gun_row(context: Context, main: Armament, nationality: Nationality, ammo: Ammo) -> str:
    """The row of a Gun or MA on the table of its ammunition: barrel, caliber, or least caliber (7.9)."""
    if ammo is Ammo.HEAT:
        return str(main.caliber)
    if ammo is Ammo.HE:
        return str(max(least for least in _calibers(context.tables["to_kill_he"]) if least <= main.caliber))
    own = f"{main.chart or nationality.value} {main.barrel}"
    return own if any(own in table.axes[0].values for table in _tables(context, ammo)) else main.barrel


def _calibers(table: Table) -> list[int]:
    return [int(value) for value in table.axes[0].values if isinstance(value, str) and value.isdigit()]


def _tables(context: Context, ammo: Ammo) -> tuple[Table, ...]:
    """The tables with a row for every range."""
    if ammo is Ammo.APCR:
        return (context.tables["to_kill_apcr"],)
    if ammo is Ammo.APDS:
        return (context.tables["to_kill_apds"],)
    return (context.tables["to_kill_ap"], context.tables["to_kill_ap_lost"])


@rule("7.9")
def table_number(context: Context, ammo: Ammo, row: str, reach: int) -> int | None:
    """The TK# of the table, the last column beyond its range too; None where it has none (7.9)."""
    if ammo is Ammo.HE or ammo is Ammo.HEAT:
        table = context.tables["to_kill_he"] if ammo is Ammo.HE else context.tables["to_kill_heat"]
        return table.number(row) if row in table.axes[0].values else None
    for table in _tables(context, ammo):
        weapons, ranges = (axis.values for axis in table.axes)
        if row in weapons:
            index = bisect_left([end for end in ranges if isinstance(end, int)], reach)
            found = table.lookup(row, ranges[min(index, len(ranges) - 1)])
            return found if isinstance(found, int) else None
    return None


@rule("7.1", "7.9")
def to_kill_number(
    context: Context, strike: Strike, vehicle: Vehicle, row: str, struck: tuple[Aspect, Facing]
) -> Breakdown:
    """The Final TK# against the part that is struck, with all that made it; DRM lower it (4.2, 7.9)."""
    aspect, facing = struck
    base = table_number(context, strike.ammo, row, strike.reach)
    name = row if strike.kind is not StrikeKind.DIRECT else f"{row} {strike.ammo.value}"
    if base is None:
        return Breakdown("Final TK#", "7.9", base_label=name, final="impossible: the chart has no number")
    numbers = context.tables["to_kill_modifiers"].number
    terms = []
    if strike.critical and strike.kind is not StrikeKind.MACHINE_GUN:
        terms.append(Modifier(base * (numbers("critical_times") - 1), "Critical Hit", "6.1"))
    if strike.kind is StrikeKind.FLAME:
        terms += _flame_terms(context, strike, vehicle, base)
    if facing is Facing.REAR:
        terms.append(Modifier(numbers("rear"), "rear", "7.9"))
    if strike.kind is not StrikeKind.FLAME:
        factor = context.vehicle_card(vehicle).armour.factor(aspect, facing)
        terms.append(Modifier(-factor, f"armour of {aspect.value} {facing.value}", "7.1"))
    terms += [Modifier(-term.value, term.label, term.rule) for term in strike.drm]
    return Breakdown("Final TK#", "7.9", tuple(terms), base, f"{name} at {strike.reach} hexes")


@rule("4.2")
def _flame_terms(context: Context, strike: Strike, vehicle: Vehicle, base: int) -> list[Modifier]:
    """A flamethrower at long range has half its number, one more against a CE crew, and no armour counts (4.2)."""
    numbers = context.tables["to_kill_modifiers"].number
    terms = []
    if strike.reach > 1:
        terms.append(Modifier(base // numbers("flame_long_range_over") - base, "long range", "4.2"))
    if vehicle.exposed:
        terms.append(Modifier(numbers("flame_exposed"), "Crew Exposed", "4.2"))
    return terms
