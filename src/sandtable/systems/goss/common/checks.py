"""4.4.1 Proficiency Checks: a die less than the rating; and the check whether who is cut off surrenders (15.7.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.frames import unchanged
from sandtable.core.modifier import Breakdown, Modifier
from sandtable.geo.hex import distance
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.dice import roll_d10
from sandtable.systems.goss.common.facts import Surrendered, UnitFact
from sandtable.systems.goss.common.fog import owner_if_hidden
from sandtable.systems.goss.common.handler import Play
from sandtable.systems.goss.common.state import State, with_units
from sandtable.systems.goss.pieces.proficiency import check_roll, is_passed
from sandtable.systems.goss.pieces.unit import Supply, Unit, UnitId

__all__ = ["CHECKED", "Checked", "HeldOut", "check", "may_surrender", "surrender"]

_A_DAY, _NEIGHBOUR = 2, 1
"""What days in a pocket and others who have surrendered add to the die (15.7.1)."""
_NEAR = 2


class Checked(UnitFact, frozen=True):
    """A unit made a Proficiency Check (4.4.1)."""

    unit: UnitId
    why: str
    rating: int
    roll: int
    is_passed: bool
    terms: tuple[Modifier, ...] = ()
    """What was added to the die."""

    def sentence(self, context: Context) -> str:
        """Who, what for, and how it went."""
        passed = "passed" if self.is_passed else "failed"
        drm = sum(term.value for term in self.terms)
        die = f"{self.roll}{drm:+d}" if drm else f"{self.roll}"
        return f"{context.title(self.unit)}: check {passed} with {die} against {self.rating} ({self.why})."

    def breakdowns(self) -> tuple[Breakdown, ...]:
        """What the die had to be."""
        return (check_roll(self.rating, terms=self.terms),)

    def reveals(self) -> bool:
        """A die fell."""
        return True


class HeldOut(UnitFact, frozen=True):
    """Units that are cut off did not surrender on another morning (15.7.1)."""

    units: tuple[UnitId, ...]


def _held_out(state: State, event: HeldOut) -> State:
    units = (state.units[one] for one in event.units)
    return with_units(state, *(replace(unit, surrender_checks=unit.surrender_checks + 1) for unit in units))


CHECKED: Mapping[type, Callable[[Any, Any], Any]] = MappingProxyType({Checked: unchanged, HeldOut: _held_out})


@rule("4.4.1")
def check(play: Play, context: Context, unit: Unit, rating: int, why: str, *, terms: Iterable[Modifier] = ()) -> bool:
    """Let a unit make a Proficiency Check, with what is added to the die; whether it passed."""
    told = tuple(terms)
    drm = sum(term.value for term in told)
    roll = roll_d10(play, f"{unit.id} {why}", lambda die: is_passed(rating, die, drm))
    passed = is_passed(rating, roll, drm)
    owner = owner_if_hidden(context, play.state, unit.id)
    play.emit(Checked(unit.id, why, rating, roll, passed, told, owner=owner))
    return passed


def may_surrender(unit: Unit) -> bool:
    """Whether a unit is isolated and out of supply (13.5.1)."""
    return unit.hex is not None and unit.is_isolated and unit.supply is Supply.OUT


@rule("13.5.1")
def surrender(play: Play, context: Context, units: Sequence[Unit], *, is_morning: bool) -> None:
    """Those of the units who are isolated and out of supply check whether they surrender, by their defensive PR.

    Two more on the die for each morning after their first, one if others have surrendered near them (15.7.1).
    """
    for unit in units:
        if not may_surrender(unit):
            continue
        rating = context.card(unit).defensive or 0
        if not check(play, context, unit, rating, "surrender", terms=_terms(play.state, unit, is_morning=is_morning)):
            play.emit(Surrendered(unit.id))
        elif is_morning:
            play.emit(HeldOut((unit.id,), owner=owner_if_hidden(context, play.state, unit.id)))


def _terms(state: State, unit: Unit, *, is_morning: bool) -> list[Modifier]:
    days = unit.surrender_checks if is_morning else max(unit.surrender_checks - 1, 0)
    terms = [Modifier(_A_DAY * days, "days cut off", "15.7.1")] if days else []
    if unit.hex is not None and any(distance(unit.hex, other) <= _NEAR for other in state.surrendered):
        terms.append(Modifier(_NEIGHBOUR, "others have surrendered", "15.7.1"))
    return terms
