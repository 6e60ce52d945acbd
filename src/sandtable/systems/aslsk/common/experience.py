"""5.2 Nationality, 5.4 Inexperienced MMC, 5.5 captured weapons, and the morale and leadership of a unit as it stands.

Green MMC without a Good Order leader and all Conscripts are Inexperienced: fewer MF, worse cowering, weapons that
break down sooner. A scenario may exempt some of them.
"""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.core.modifier import Modifier
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.common.numbers import numbers_of
from sandtable.systems.aslsk.common.possession import is_captured
from sandtable.systems.aslsk.common.stacking import friends_at
from sandtable.systems.aslsk.pieces.cards import Quality, UnitKind
from sandtable.systems.aslsk.pieces.state import State, Unit, Weapon

__all__ = [
    "breakdown_terms",
    "has_good_order_leader",
    "is_elite",
    "is_inexperienced",
    "leadership",
    "lends_leadership",
    "morale_level",
    "rate_of_fire",
]


def has_good_order_leader(context: Context, state: State, unit: Unit) -> bool:
    """Whether a Good Order leader of its side is stacked with the unit."""
    return any(
        other.good_order and other.id != unit.id and context.card(other).is_leader
        for other in friends_at(context, state, unit.hex, unit.side)
    )


@rule("5.4")
def is_inexperienced(context: Context, state: State, unit: Unit, *, led: bool | None = None) -> bool:
    """Conscript, or Green without a Good Order leader; ``led`` where he is known to be there or not (5.4)."""
    card = context.cards.units[unit.card]
    if card.quality not in _POOR or card.kind is UnitKind.LEADER:
        return False
    if card.id in context.scenario.conditions.seasoned:
        return False
    if card.quality is Quality.CONSCRIPT:
        return True
    return not (has_good_order_leader(context, state, unit) if led is None else led)


_POOR = frozenset((Quality.GREEN, Quality.CONSCRIPT))


def is_elite(context: Context, unit: Unit) -> bool:
    """Elite, as leaders and crews always are (1.2.1, 1.2.2)."""
    return context.card(unit).quality is Quality.ELITE


@rule("1.2.1", "1.2.3", "3.2.3")
def morale_level(context: Context, unit: Unit) -> int:
    """Current Morale Level: of the side that is up, one less for a wounded SMC (1.2.3, 3.2.3)."""
    card = context.card(unit)
    return (card.broken_morale if unit.broken else card.morale) - unit.wounded


@rule("1.2.1", "3.2.3")
def leadership(context: Context, unit: Unit) -> int:
    """Leadership DRM, one worse for a wounded leader (1.2.1, 3.2.3)."""
    return context.card(unit).leadership + unit.wounded


def lends_leadership(context: Context, leader: Unit, unit: Unit) -> bool:
    """Whether the leader may use his leadership on the unit: unbroken, unpinned, and not alien to it by SSR."""
    card = context.card(leader)
    if not card.is_leader or leader.broken or leader.pinned or leader.id == unit.id or leader.side != unit.side:
        return False
    return not context.scenario.conditions.own_leaders or card.nationality is context.card(unit).nationality


@rule("4.0", "5.4", "5.5")
def breakdown_terms(context: Context, state: State, weapon: Weapon, user: Unit) -> tuple[Modifier, ...]:
    """What lowers the B# or X# of a weapon in these hands (4.0, 5.4, 5.5)."""
    terms = []
    numbers = numbers_of(context).weapon_numbers
    if is_captured(context, state, weapon):
        terms.append(numbers["captured"])
    if is_inexperienced(context, state, user):
        terms.append(numbers["inexperienced"])
    return tuple(terms)


@rule("1.2.4.1", "5.5")
def rate_of_fire(context: Context, state: State, weapon: Weapon) -> int:
    """ROF on the counter, one less for a captured weapon (1.2.4.1, 5.5)."""
    return max(0, context.weapon_card(weapon).rof - is_captured(context, state, weapon))
