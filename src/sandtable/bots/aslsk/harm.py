"""What fire does to a unit on average, from exact odds: IFT result, random selection and Morale Check in one (3.2.3).

A :class:`HarmOdds` is worked out once for a column, a DRM and a morale level and kept. Units of a stack check one after
another; each is looked at by itself here, which is exact but for the leaders that they may lose on the way.
"""

from __future__ import annotations

from typing import NamedTuple

from sandtable.systems.aslsk.common.dice import BOXCARS
from sandtable.systems.aslsk.effects.ift import Ift, IftKind, IftResult

__all__ = ["DR_CHANCES", "HarmOdds", "Harms"]

DR_CHANCES = {total: (6 - abs(total - 7)) / 36 for total in range(2, 13)}
"""Chance of every DR."""


class HarmOdds(NamedTuple):
    """Chances of what may become of a unit under fire; whatever is left over, nothing does."""

    killed: float
    reduced: float
    """Casualty Reduction, whether or not it breaks besides."""
    broken: float
    pinned: float

    def times(self, killed: float, reduced: float, broken: float, pinned: float) -> float:
        """The loss on average, given what each of these costs."""
        return self.killed * killed + self.reduced * reduced + self.broken * broken + self.pinned * pinned


NOTHING = HarmOdds(0.0, 0.0, 0.0, 0.0)


_Key = tuple[int, int, int, bool, int, int]


class Harms:
    """Odds by column, DRM and morale."""

    def __init__(self, ift: Ift) -> None:
        self.ift = ift
        self._known: dict[_Key, HarmOdds] = {}
        self._checks: dict[tuple[int, bool], HarmOdds] = {}

    def odds(
        self, column: int, drm: int, morale: int, *, broken: bool = False, cower: int = 0, targets: int = 1
    ) -> HarmOdds:
        """What fire on this column with this DRM does to one of so many targets with this morale (3.2.3)."""
        key = (column, drm, morale, broken, cower, targets)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._work_out(key)
        return found

    def of_fp(self, fp: float, drm: int, morale: int, *, broken: bool = False) -> HarmOdds:
        """The same for a number of FP, without cowering."""
        return self.odds(self.ift.number(int(fp)), drm, morale, broken=broken)

    def _work_out(self, key: _Key) -> HarmOdds:
        column, drm, morale, broken, cower, targets = key
        if column < 0:
            return NOTHING
        total = [0.0, 0.0, 0.0, 0.0]
        for coloured in range(1, 7):
            for white in range(1, 7):
                used = max(-1, column - cower) if coloured == white else column
                result = self.ift.result(used, coloured + white + drm)
                for index, chance in enumerate(self._suffered(result, morale, broken, targets)):
                    total[index] += chance / 36
        return HarmOdds(*total)

    def _suffered(self, result: IftResult, morale: int, broken: bool, targets: int) -> HarmOdds:
        """What a result does to one of the targets."""
        match result.kind:
            case IftKind.KIA:
                picked = min(result.number, targets) / targets
                other = HarmOdds(0.0, 1.0 - picked, 0.0, 0.0) if broken else HarmOdds(0.0, 0.0, 1.0 - picked, 0.0)
                return other._replace(killed=picked)
            case IftKind.K:
                picked = 1 / targets
                check = self._check(morale - result.number, broken)
                # Who is reduced checks as well, and is counted as reduced whatever comes of that.
                spared = 1.0 - picked
                return HarmOdds(
                    check.killed * spared, picked + check.reduced * spared, check.broken * spared, check.pinned * spared
                )
            case IftKind.MC:
                return self._check(morale - result.number, broken)
            case IftKind.PTC:
                fails = sum(chance for total, chance in DR_CHANCES.items() if total > morale)
                return NOTHING if broken else HarmOdds(0.0, 0.0, 0.0, fails)
            case _:
                return NOTHING

    def _check(self, number: int, broken: bool) -> HarmOdds:
        """A Morale Check passed by this DR or less (3.2.3)."""
        found = self._checks.get((number, broken))
        if found is None:
            boxcars = DR_CHANCES[BOXCARS]
            fails = sum(chance for total, chance in DR_CHANCES.items() if total > number and total < BOXCARS)
            if broken:
                found = HarmOdds(boxcars, fails, 0.0, 0.0)
            else:
                found = HarmOdds(0.0, boxcars, fails, DR_CHANCES.get(number, 0.0) if number < BOXCARS else 0.0)
            self._checks[number, broken] = found
        return found
