"""6.6.1 What Close Assaults and Hand-to-Hand combats of a charge have in common."""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.systems.panzer.advanced_card import UnitClass
from sandtable.systems.panzer.cards import CardId
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.state import Charge, CloseAttack, State, Unit
from sandtable.systems.panzer.movement.move_facts import MoveFacts
from sandtable.systems.panzer.support_cards import AttachmentKind
from sandtable.systems.panzer.unit import UnitId

__all__ = ["classes_of", "facts_of", "has_advanced", "has_flamethrower", "heights", "is_able", "without_first"]

_BOOK = ("panzer-na",)


def facts_of(context: Context, unit: Unit) -> MoveFacts:
    """What a unit of the Advanced Game is to movement."""
    facts = context.move_facts(unit)
    assert facts is not None  # noqa: S101 - of the Advanced Game only
    return facts


def is_able(unit: Unit) -> bool:
    """A unit that is suppressed before it can attack does not attack (6.6.1.1)."""
    return unit.in_play and not unit.markers.is_suppressed


@rule("6.6.1.1.2", "6.6.1.2.2", editions=_BOOK)
def has_advanced(charge: Charge, ready: list[UnitId]) -> bool:
    """Whether one of those that attack moved up for it; who was stopped or lost on the way does not count."""
    return any(one in charge.advanced for one in ready)


def without_first(frame: CloseAttack) -> CloseAttack:
    """The attacks that are left after the first; whether the target moves is asked in each (6.6.1.1.2)."""
    return replace(frame, charges=frame.charges[1:], moving=None, led=False, begun=False)


def has_flamethrower(context: Context, units: list[UnitId]) -> bool:
    """Whether one of them has an attached flamethrower."""
    attached = (CardId(card) for one in units for card in context.scenario.roster[one].attached)
    cards = (context.shelf.attachments.get(card) for card in attached)
    return any(card is not None and card.kind is AttachmentKind.FLAMETHROWER for card in cards)


def heights(context: Context, attacker: Unit, target: Unit) -> int:
    """By how much the target is higher."""
    assert attacker.hex is not None  # noqa: S101
    assert target.hex is not None  # noqa: S101
    return context.ground.places[target.hex].level - context.ground.places[attacker.hex].level


def classes_of(context: Context, state: State, units: list[UnitId]) -> list[UnitClass]:
    """What they are now, squads that were reduced as half-squads."""
    return [facts_of(context, state.units[one]).unit_class for one in units]
