"""6.2.0 Units that count as one: a host with those who stack for free with it, and whose PR is theirs together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sandtable.core.content.rule import rule
from sandtable.geo.hex import Hex
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.pieces.card import Size
from sandtable.systems.goss.pieces.unit import Unit, UnitId
from sandtable.systems.goss.stacking.limits import grouped, limits
from sandtable.systems.goss.stacking.stacker import stacker

__all__ = ["stacks_of", "units_as_one", "with_own_rating"]


def stacks_of(units: Iterable[Unit]) -> Mapping[Hex, list[Unit]]:
    """Units by the hex they stand in."""
    stacks: dict[Hex, list[Unit]] = {}
    for unit in units:
        if unit.hex is not None:
            stacks.setdefault(unit.hex, []).append(unit)
    return stacks


@rule("6.2.0")
def units_as_one(context: Context, units: Iterable[Unit]) -> list[tuple[UnitId, ...]]:
    """The units of each stack as they count: a host with those who stack for free with it is one unit (6.2.0)."""
    found: list[tuple[UnitId, ...]] = []
    for hex, stack in stacks_of(units).items():
        most = limits(is_constricted=context.ground.at(hex).is_constricted)
        groups = grouped([stacker(unit, context.card(unit)) for unit in stack], most)
        found += [tuple(UnitId(one.id) for one in group) for group in groups]
    return found


@rule("6.2.0")
def with_own_rating(context: Context, units: Sequence[Unit]) -> list[Unit]:
    """Those whose PR counts where the lowest is asked for: companies that ride with a larger unit have its PR (6.2.0).

    Of companies alone the lowest counts, so that none of them is left out.
    """
    by_id = {unit.id: unit for unit in units}
    counted: list[Unit] = []
    for group in units_as_one(context, units):
        host = context.card(by_id[group[0]])
        rides = host.size is Size.BATTALION or host.is_hybrid
        counted += [by_id[one] for one in (group[:1] if rides else group)]
    return counted
