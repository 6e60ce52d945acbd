"""What the rules of movement need to know of a unit, wherever it stands (5.1, 5.2, 6.6)."""

from __future__ import annotations

from typing import Protocol

import msgspec

from sandtable.core.content.rule import rule
from sandtable.core.errors import Refusal
from sandtable.systems.panzer.advanced_card import AdvancedCard, UnitClass
from sandtable.systems.panzer.cards import Card
from sandtable.systems.panzer.markers import NO_MARKERS, UnitMarkers
from sandtable.systems.panzer.terrain import Traction
from sandtable.systems.panzer.unit import Command, UnitId

__all__ = ["MoveFacts", "class_now", "facts_of", "refuse_suppressed", "refuse_without_move"]

BOOK = ("panzer-na",)


@rule("6.5.4.4.3", editions=BOOK)
def class_now(unit_class: UnitClass, markers: UnitMarkers) -> UnitClass:
    """What a unit is now: a squad that was reduced is a half-squad (6.5.4.4.3)."""
    return UnitClass.HALF_SQUAD if unit_class is UnitClass.SQUAD and markers.reduced else unit_class


class MoveFacts(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A unit as movement sees it."""

    name: str
    """How refusals call it."""
    unit_class: UnitClass
    """What it is now: a reduced squad is a half-squad."""
    card: AdvancedCard
    attached: bool = False
    """Whether crew-served weapons are attached to it (5.1.3)."""
    heavy: bool = False
    """A gun without a Movement Factor: nobody manhandles it (5.2, 6.6.5)."""
    mode: Traction = Traction.LEG
    """Mode of Traction."""
    command: Command = Command.MOVE
    markers: UnitMarkers = NO_MARKERS

    @property
    def is_burdened(self) -> bool:
        """A section with attached weapons (5.1.2)."""
        return self.unit_class is UnitClass.SECTION and self.attached

    @property
    def is_light(self) -> bool:
        """A squad, a half-squad, or a section without attached weapons."""
        return self.unit_class.is_leg and not self.is_burdened

    @property
    def is_on_foot(self) -> bool:
        """A dismounted leg unit without motorcycles."""
        return self.unit_class.is_leg and not self.card.motorcycle and not self.markers.is_mounted


class _Counter(Protocol):
    @property
    def id(self) -> UnitId: ...
    @property
    def command(self) -> Command: ...
    @property
    def markers(self) -> UnitMarkers: ...


def facts_of(unit: _Counter, card: Card, *, attached: bool) -> MoveFacts:
    """What movement needs to know of a unit with that card."""
    return MoveFacts(
        name=unit.id,
        unit_class=class_now(card.unit_class, unit.markers),
        card=card.advanced or AdvancedCard(),
        attached=attached,
        heavy=card.unit_class is UnitClass.TOWED and not card.movement.cross_country,
        mode=card.movement.mode,
        command=unit.command,
        markers=unit.markers,
    )


def refuse_suppressed(number: str, facts: MoveFacts) -> Refusal:
    """Why a suppressed unit does not do what asks for more than to move (6.6.2)."""
    return Refusal(number, f"{facts.name} is suppressed", "wait until it recovers")


def refuse_without_move(number: str, facts: MoveFacts) -> Refusal:
    """Why a unit does not do what takes a MOVE command."""
    return Refusal(number, f"{facts.name} has no MOVE command but {facts.command}", "give it MOVE next turn")
