"""11.6.3 Retreats from fire: one hex, as a stack, by the five priorities."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.geo.hex import NEIGHBOURS, Hex
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.cover import cover_at, has_shelter
from sandtable.systems.goss.common.facts import Sheltered, Used
from sandtable.systems.goss.common.fog import hidden_of
from sandtable.systems.goss.common.handler import Play
from sandtable.systems.goss.common.harm import eliminate
from sandtable.systems.goss.common.retreat import may_displace, may_retreat, retreat_choices, retreat_hexes
from sandtable.systems.goss.common.shifts import share_shifts
from sandtable.systems.goss.common.state import State, Use
from sandtable.systems.goss.common.weak_bridges import heavy_over
from sandtable.systems.goss.ground.cover import Cover
from sandtable.systems.goss.pieces.card import Size, Trait
from sandtable.systems.goss.pieces.steps import size_of
from sandtable.systems.goss.pieces.unit import Unit
from sandtable.systems.goss.support.facts import FellBack
from sandtable.systems.goss.support.targets import FELL_BACK

__all__ = ["OUT_OF_REACH", "Outcome", "Refuges", "fall_back", "take_shelter"]

OUT_OF_REACH = "out of reach"
"""Of a vacant hex that somebody retreated into: no mission strikes it in this Combat Phase (11.6.3c)."""


class Refuges:
    """Where a stack may go: hexes, and the works of its own hex for who attacked out of them (11.6.2b)."""

    def __init__(
        self, context: Context, state: State, units: Sequence[Unit], here: Hex, *, was_designated: bool
    ) -> None:
        self._context, self._state, self._here = context, state, here
        self._units = [unit for unit in units if may_retreat(context.card(unit), unit)]
        self.has_stayers = any(
            not (may_retreat(card, unit) or card.is_artillery or card.is_fort)
            for unit, card in ((unit, context.card(unit)) for unit in units)
        )
        """Static AT or Flak that stays whoever goes: the stack as a whole cannot retreat (11.6.2b; ruling B-108)."""
        self._side = units[0].side
        self._was_designated = was_designated

    @cached_property
    def hexes(self) -> tuple[Hex, ...]:
        """The hexes that the priorities leave (11.6.3a)."""
        if not self._units:
            return ()
        found = retreat_hexes(self._context, self._state, self._units, self._here)
        return tuple(one.hex for one in retreat_choices(found))

    @property
    def has_works(self) -> bool:
        """Whether attackers may withdraw into works of their hex."""
        return self._was_designated and has_shelter(self._context, self._state, self._here, self._side)

    def __bool__(self) -> bool:
        return bool(self.hexes) or self.has_works


class Outcome(NamedTuple):
    """What a retreat has cost."""

    guns_lost: int
    """Steps of artillery that could not get away; each is a hit less (11.6.3e)."""
    is_beside_enemy: bool
    """The stack loses a step where it came to (11.6.3d)."""


def take_shelter(play: Play, owner: Seat, units: Sequence[Unit]) -> None:
    """Attackers withdraw into the works of their hex, which fulfils the retreat (11.6.2b)."""
    play.emit(Sheltered(owner, tuple(unit.id for unit in units)))


@rule("11.6.3", "11.6.3b", "11.6.3c", "11.6.3e")
def fall_back(play: Play, context: Context, units: Sequence[Unit], here: Hex, there: Hex) -> Outcome:
    """A stack retreats a hex; artillery that cannot is eliminated (11.6.3e), a Fort stays (17.6.0).

    So do static AT and Flak, which are no artillery (ruling B-108). If a bridge breaks under it, those who need it stay
    (11.6.3b; ruling B-49).
    """
    going = [unit for unit in units if may_retreat(context.card(unit), unit)]
    stuck = [unit for unit in units if unit not in going and context.card(unit).is_artillery]
    if not heavy_over(play, context, going, here, there):
        going = [unit for unit in going if may_displace(context, play.state, unit, here, there)]
        if not going:
            return Outcome(0, is_beside_enemy=False)
    eliminate(play, [unit.id for unit in stuck])
    side = units[0].side
    joins = context.deployment(play.state).held_by(there, side)
    hidden = hidden_of(context, play.state, going)
    play.emit(FellBack(side, tuple(unit.id for unit in going), there, hidden))
    if joins:
        for unit in going:
            play.emit(Used(Use(FELL_BACK, unit.id), owner=side if unit.id in hidden else Seat("")))
    else:
        play.emit(Used(Use(OUT_OF_REACH, hex=there)))
    share_shifts(play, context, there)
    return Outcome(sum(unit.steps for unit in stuck), _is_beside_enemy(context, play.state, side, there))


@rule("11.6.3d")
def _is_beside_enemy(context: Context, state: State, side: Seat, hex: Hex) -> bool:
    """Whether a hex without MCT lies beside an enemy who can make a retreating stack pay for it (11.6.3d)."""
    enemy = context.other(side)
    if cover_at(context, state, hex, enemy) is Cover.MOVEMENT:
        return False
    deployment = context.deployment(state)
    return any(
        any(_is_dangerous(context, unit) for unit in deployment.at(one))
        for one in NEIGHBOURS[hex]
        if deployment.held_by(one, enemy)
    )


def _is_dangerous(context: Context, unit: Unit) -> bool:
    card = context.card(unit)
    if card.is_headquarters or unit.shifts or size_of(card, unit.steps) is Size.Z_STEP:
        return False
    return not card.is_artillery or unit.in_battery or card.has(Trait.SELF_PROPELLED)
