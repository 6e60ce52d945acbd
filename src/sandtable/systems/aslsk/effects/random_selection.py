"""3.2.3 Random selection, exactly: every way that a KIA or K may fall on the targets of an attack, with its chance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import comb, prod

from sandtable.systems.aslsk.effects.effects import Hit
from sandtable.systems.aslsk.effects.ift import IftKind, IftResult
from sandtable.systems.aslsk.pieces.state import UnitId

__all__ = ["PICKED", "selections"]

PICKED = (IftKind.KIA, IftKind.K)
"""Results that fall on some of those who suffer them."""


def selections(
    hits: Sequence[Hit], spared: frozenset[UnitId]
) -> Iterator[tuple[tuple[int, ...], tuple[tuple[IftResult, int], ...], Fraction]]:
    """The ways that random selection may fall, as indices in the order they are asked for, with their chances.

    Ways that differ only in units that are spared count as one; with each goes how many of these it takes.
    """
    groups: dict[IftResult, list[UnitId]] = {}
    for unit_id, result in hits:
        groups.setdefault(result, []).append(unit_id)
    ways = [
        list(_victims(units, result, spared))
        for result, units in sorted(groups.items(), key=lambda item: -item[0].severity)
        if result.kind in PICKED
    ]
    for combination in product(*ways):
        picks = tuple(pick for one, _, _ in combination for pick in one)
        yield (
            picks,
            tuple(taken for _, taken, _ in combination),
            prod((share for _, _, share in combination), start=Fraction(1)),
        )


def _victims(
    units: Sequence[UnitId], result: IftResult, spared: frozenset[UnitId]
) -> Iterator[tuple[list[int], tuple[IftResult, int], Fraction]]:
    """Who of a group is picked: every part of those that matter, with so many of the others as are missing."""
    number = min(result.number, len(units)) if result.kind is IftKind.KIA else 1
    matter = [index for index, unit_id in enumerate(units) if unit_id not in spared]
    others = [index for index, unit_id in enumerate(units) if unit_id in spared]
    for size in range(max(0, number - len(others)), min(number, len(matter)) + 1):
        share = Fraction(comb(len(others), number - size), comb(len(units), number))
        for some in combinations(matter, size):
            yield _as_picks((*some, *others[: number - size])), (result, number - size), share


def _as_picks(order: Sequence[int]) -> list[int]:
    """Members chosen one after the other, as indices among those that are left each time."""
    return [index - sum(before < index for before in order[:place]) for place, index in enumerate(order)]
