"""3.5.0-3.5.2 Rest game turns: which of them is whose, by the level that the players have agreed on."""

from __future__ import annotations

from collections.abc import Iterable

from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.facts import RestShown
from sandtable.systems.goss.common.handler import Play
from sandtable.systems.goss.common.state import State
from sandtable.systems.goss.pieces.card import Echelon, FormationId
from sandtable.systems.goss.pieces.unit import Unit
from sandtable.systems.goss.scenario.draft import RestLevel

__all__ = ["is_resting", "owner_of_rest", "rest_of", "rests_of", "show_rest", "title_of_rest"]

_HEADS = {
    RestLevel.ARMY: (Echelon.ARMY,),
    RestLevel.CORPS: (Echelon.CORPS, Echelon.ARMY),
    RestLevel.FORMATION: tuple(Echelon),
}
"""The HQs that designate a rest game turn for all below them."""


class _Rests:
    """Who rests together: a side, or a part of it that goes by the formation at its head."""

    def __init__(self, context: Context) -> None:
        self.of: dict[FormationId, str] = {}
        self.owners: dict[str, Seat] = {}
        draft = context.scenario.draft
        for side in draft.sides:
            is_one = draft.rules.rests is RestLevel.ALL or side.rest is not None
            for form in side.formations:
                formation = FormationId(form.id)
                name = side.id if is_one else _head(context, formation, draft.rules.rests)
                self.of[formation] = name
                self.owners[name] = Seat(side.id)


def _head(context: Context, formation: FormationId, level: RestLevel) -> FormationId:
    """The formation at the head of those who rest together; the highest there is, where that level is missing."""
    while context.formation(formation).echelon not in _HEADS[level]:
        above = context.scenario.superiors.get(formation, formation)
        if above == formation:
            break
        formation = above
    return formation


@rule("3.5.2")
def rest_of(context: Context, formation: FormationId, side: str) -> str:
    """The name under which the rest game turn of a formation stands: its side, or the formation that designates it."""
    return context.room(_Rests).of.get(formation, side)


def _rest_of(context: Context, unit: Unit) -> str:
    return rest_of(context, context.formation_of(unit), unit.side)


def rests_of(context: Context, seat: Seat) -> tuple[str, ...]:
    """All parts of a side that rest each by themselves."""
    return tuple(name for name, owner in context.room(_Rests).owners.items() if owner == seat)


def owner_of_rest(context: Context, name: str) -> str:
    """The side whose rest game turn stands under a name."""
    return context.room(_Rests).owners.get(name, name)


def title_of_rest(context: Context, name: str) -> str:
    """Whose it is, for people."""
    return name if name in context.seats else context.formation(FormationId(name)).title


@rule("3.5.0")
def is_resting(context: Context, state: State, unit: Unit) -> bool:
    """Whether it is the rest game turn of a unit (3.5.0)."""
    part = state.rests.get(_rest_of(context, unit), state.rests.get(unit.side))
    return part is context.part(state)


@rule("3.5.2")
def show_rest(play: Play, context: Context, units: Iterable[Unit]) -> None:
    """Units did at night what nobody does in his rest game turn: their owner tells when they rest (3.5.2)."""
    state = play.state
    if not context.is_night(state):
        return
    for name in dict.fromkeys(_rest_of(context, unit) for unit in units):
        part = state.rests.get(name)
        owner = Seat(owner_of_rest(context, name))
        if part is not None and name not in state.rests_shown and context.scenario.side(owner).rest is None:
            play.emit(RestShown(owner, name, part))
