"""The numbers of the pack's charts, read once: DRM, FP modifiers, MF, and the B# and X# modifiers.

A user's pack may replace any table, so rules take their numbers from here and never write them out. A table is
looked up by name on every use otherwise; the memory of the game keeps the numbers ready.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from sandtable.core.content.table import Table
from sandtable.core.errors import BadInput, Fault
from sandtable.core.modifier import Modifier
from sandtable.systems.aslsk.common.context import Context

__all__ = ["Halving", "Numbers", "numbers_of"]


class Halving(NamedTuple):
    """A factor on FP, with its reason (3.2.2)."""

    times: int
    over: int
    label: str
    rule: str


class Numbers(NamedTuple):
    """What the charts say."""

    ift_drm: Mapping[str, Modifier]
    to_hit_drm: Mapping[str, Modifier]
    weapon_numbers: Mapping[str, Modifier]
    fp: Mapping[str, Halving]
    cower: Mapping[str, int]
    residual: Mapping[int, int]
    terrain_halves: Mapping[str, int]
    """MF in halves by terrain (1.1.1)."""
    mf: Mapping[str, int]
    mf_costs: Mapping[str, int]
    portage: Mapping[str, int]
    calibers: Mapping[int, int]
    """IFT column of HE, with the least caliber in mm that attacks on it (3.2.4)."""
    cost_halves: Mapping[str, int]
    """The same in halves of MF."""
    panzerfaust: Mapping[str, int]
    smoke_grenades: Mapping[str, int]


def numbers_of(context: Context) -> Numbers:
    """The numbers of the game's pack."""
    found = context.memory.numbers
    if found is None:
        found = context.memory.numbers = _read(context.tables)
    return found


def _read(tables: Mapping[str, Table]) -> Numbers:
    return Numbers(
        ift_drm=_modifiers(tables["ift_drm"]),
        to_hit_drm=_modifiers(tables["to_hit_drm"]),
        weapon_numbers=_modifiers(tables["weapon_numbers"]),
        fp=_halvings(tables["fp_modifiers"]),
        cower=_column(tables["cowering"]),
        residual={int(key): value for key, value in _column(tables["residual_fp"]).items()},
        terrain_halves={key: row[0] for key, row in _rows(tables["terrain_effects"]) if isinstance(row[0], int)},
        mf=_column(tables["movement_factors"]),
        mf_costs=_column(tables["mf_costs"]),
        portage=_column(tables["portage"]),
        calibers={int(key): value for key, value in _column(tables["ift_calibers"]).items()},
        cost_halves={key: 2 * value for key, value in _column(tables["mf_costs"]).items()},
        panzerfaust=_column(tables["panzerfaust"]),
        smoke_grenades=_column(tables["smoke_grenades"]),
    )


def _rows(table: Table) -> list[tuple[str, list[object]]]:
    return [(str(key), list(row)) for key, row in zip(table.axes[0].values, table.cells, strict=True)]


def _halvings(table: Table) -> dict[str, Halving]:
    return {
        key: Halving(table.number(key, "times"), table.number(key, "over"), str(label), str(rule))
        for key, (_, _, label, rule) in _rows(table)
    }


def _modifiers(table: Table) -> dict[str, Modifier]:
    found = {}
    for key, (value, label, rule) in _rows(table):
        if not isinstance(value, int):
            raise BadInput([Fault(f"table {table.name}", f"{key} is {value!r}", "a whole number")])
        found[key] = Modifier(value, str(label), str(rule))
    return found


def _column(table: Table) -> dict[str, int]:
    return {str(key): table.number(key) for key in table.axes[0].values}
