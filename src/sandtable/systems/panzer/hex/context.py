"""What stays the same in a game: map, ground, cards, tables, scenario and the edition's switches."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import msgspec

from sandtable.core.content.table import Table
from sandtable.core.decision import Seat
from sandtable.geo.map import GameMap
from sandtable.systems.panzer.advanced_card import AdvancedCard
from sandtable.systems.panzer.card_files import CardShelf
from sandtable.systems.panzer.cards import Card, CardId, Weapon
from sandtable.systems.panzer.combat.arms import Arm, arms_of
from sandtable.systems.panzer.combat.barrels import Barrel
from sandtable.systems.panzer.command.available import command_range
from sandtable.systems.panzer.edition import Edition, Level, Module
from sandtable.systems.panzer.formations import Formation
from sandtable.systems.panzer.hex.obstacles import Obstacles
from sandtable.systems.panzer.hex.scenario.bound import Scenario
from sandtable.systems.panzer.hex.sight.ground import Ground
from sandtable.systems.panzer.hex.state import State, Unit
from sandtable.systems.panzer.movement.move_facts import MoveFacts, facts_of
from sandtable.systems.panzer.support_cards import Attachment, AttachmentKind
from sandtable.systems.panzer.unit import Grade, UnitId

__all__ = ["Context"]


class Context(msgspec.Struct, frozen=True, dict=True):
    """Everything that rules look up and never change."""

    edition: Edition
    game_map: GameMap
    ground: Ground
    cards: Mapping[CardId, Card]
    tables: Mapping[str, Table]
    scenario: Scenario
    barrels: Mapping[CardId, tuple[Barrel, ...]]
    shelf: CardShelf = CardShelf()
    """All cards: those of attached weapons, batteries and aircraft too."""
    obstacles: Obstacles = msgspec.field(default_factory=Obstacles)

    def ground_at(self, state: State) -> Ground:
        """The ground with the terrain counters that lie on it (6.1.4.3)."""
        return self.ground.now(state.features) if state.features else self.ground

    def other(self, seat: str) -> Seat:
        """The opposing force."""
        first, second = self.scenario.seats
        return second if seat == first else first

    def move_facts(self, unit: Unit) -> MoveFacts | None:
        """What a unit is to movement (6.6); None in the Basic Game."""
        enlisted = self.scenario.roster.get(unit.id)
        return None if enlisted is None else facts_of(unit, self.cards[unit.card], attached=bool(enlisted.attached))

    def arms(self, unit: Unit) -> tuple[Weapon, ...]:
        """Its weapons with the ammo it has: those of its card, then those attached; of the Advanced Game only (5.1.3).

        A shot names a weapon, and an ammo of it, by where it stands here.
        """
        enlisted = self.scenario.roster.get(unit.id)
        attached = enlisted.attached if enlisted else ()
        return self.scenario.armories[unit.side].arms(self.cards[unit.card], unit.markers, attached)

    def command_reach(self, unit: Unit) -> int:
        """Command Range of a unit's formation (6.2.1.1.2); of the Advanced Game only."""
        return command_range(self.tables["available_commands"], self.formation(unit.id).grade)

    def card_of(self, unit: Unit) -> Card:
        """The card of a unit as it is now: that of the half-squad for a squad that was reduced (6.5.4.4.3)."""
        card = self.cards[unit.card]
        if unit.markers.reduced and card.advanced is not None and card.advanced.half:
            return self.cards.get(CardId(card.advanced.half), card)
        return card

    def advanced_card(self, unit: Unit) -> AdvancedCard:
        """The Advanced part of a unit's card; a plain one for test cards that have none."""
        return self.card_of(unit).advanced or AdvancedCard()

    def guns(self, unit: Unit) -> tuple[Arm, ...]:
        """The same weapons, with the kinds of those attached."""
        # Asked for every target that anybody sees, and the same until a squad is reduced.
        key = unit.id, unit.card, unit.markers.reduced
        found = self._guns.get(key)
        if found is None:
            enlisted = self.scenario.roster.get(unit.id)
            known = self.shelf.attachments
            kinds = [known[CardId(one)].kind for one in enlisted.attached if CardId(one) in known] if enlisted else []
            firing = [kind for kind in kinds if kind is not AttachmentKind.FLAMETHROWER]
            found = self._guns[key] = arms_of(self.arms(unit), firing)
        return found

    @cached_property
    def _guns(self) -> dict[tuple[UnitId, CardId, bool], tuple[Arm, ...]]:
        return {}

    def attached(self, unit: UnitId) -> tuple[Attachment, ...]:
        """The crew-served weapons attached to a unit (5.1.3)."""
        enlisted = self.scenario.roster.get(unit)
        return tuple(self.shelf.attachments[CardId(one)] for one in enlisted.attached) if enlisted else ()

    @cached_property
    def is_advanced(self) -> bool:
        """Whether the Advanced Game is played: looked up once, for it is asked at every step of every move."""
        return self.scenario.draft.level is Level.ADVANCED

    def plays(self, module: Module) -> bool:
        """Whether a part of the Advanced Game is in force."""
        return module in self.scenario.modules

    def grade(self, unit: UnitId) -> Grade:
        """Unit Grade (5.8.3); of the Advanced Game only."""
        return self.scenario.roster[unit].grade

    def formation(self, unit: UnitId) -> Formation:
        """The formation of a unit (5.8.2); of the Advanced Game only."""
        return self.scenario.formations[self.scenario.roster[unit].formation]
