"""Moves on maps drawn as text: who may go where, for how much, and what comes of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from sandtable.core.decision import Branch, Path, Seat
from sandtable.core.dice import ScriptedDice
from sandtable.systems.goss.movement.marching import Leg, March
from sandtable.systems.goss.pieces.card import CardId, Trait
from sandtable.systems.goss.pieces.unit import Unit, UnitId
from sandtable.systems.goss.rules import GossRules
from tests.goss.positions import Units, position

ROAD, NON_ROAD, PREPARED = "Mech road movement", "non-road movement", "PA movement"
ALLIED, AXIS = Seat("allied"), Seat("axis")


class Field:
    """A position in a segment of movement; the Allies move, and their supply comes from the first hex."""

    def __init__(
        self, segment: str, cells: str, allied: Units, axis: Units | None = None, seat: Seat = ALLIED, **more: Any
    ) -> None:
        more.setdefault("us", {"sources": ["0101"]})
        more.setdefault("them", {"sources": ["0101"]})
        found = position(cells, allied, axis or {}, segment=segment, player=seat, **more)
        self.rules, self.state, self.seat = found.ruleset, found.state, seat
        self.events: list[Any] = []

    def unit(self, name: str) -> Unit:
        """A unit as it is now."""
        found: Unit = self.state.units[UnitId(name)]
        return found

    def where(self, name: str) -> str:
        """The hex of a unit."""
        hex = self.unit(name).hex
        return "" if hex is None else str(self.rules.context.label(hex))

    def march(self, units: str | Iterable[str], *way: str) -> March:
        """The move of units along hexes."""
        names = [units] if isinstance(units, str) else units
        return March(tuple(map(UnitId, names)), tuple(Leg(self.rules.place(label)) for label in way))

    def refused(self, units: str | Iterable[str], *way: str) -> str:
        """The rule against a move; ``""`` if it is allowed."""
        refusal = self.rules.refusal(self.state, self.seat, self.march(units, *way))
        return "" if refusal is None else str(refusal.rule)

    def go(self, units: str | Iterable[str], *way: str, dice: Iterable[int] = ()) -> Field:
        """Carry a move out."""
        assert self.refused(units, *way) == ""
        return self.do(self.march(units, *way), dice)

    def do(self, action: Any, dice: Iterable[int] = ()) -> Field:
        """Carry anything out."""
        assert self.rules.refusal(self.state, self.seat, action) is None
        play = self.rules.resolve(self.state, self.seat, action, ScriptedDice([[die] for die in dice]))
        self.state, self.events = play.state, play.events
        return self

    def told(self, kind: type) -> Any:
        """The first event of a kind, None if there is none."""
        return next((event for event in self.events if isinstance(event, kind)), None)

    def endow(self, name: str, trait: Trait) -> Field:
        """Give a unit a trait that its card does not have."""
        context = self.rules.context
        card = context.shelf.cards[CardId(name)]
        cards = {**context.shelf.cards, card.id: replace(card, traits=card.traits | {trait})}
        self.rules = GossRules(self.rules.card, replace(context, shelf=replace(context.shelf, cards=cards)))
        return self

    def reach(self, units: str | Iterable[str]) -> dict[str, float]:
        """Where units may go, with what it costs; nothing if they cannot move."""
        return {one.ref: one.cost for one in self.ends(units) if one.cost is not None}

    def ends(self, units: str | Iterable[str]) -> list[Branch[Any]]:
        """The destinations that units are offered."""
        names = [units] if isinstance(units, str) else list(units)
        decision = self.rules.decision(self.state)
        assert decision is not None
        branch = decision.options(self.seat).root.branch("+".join(names))
        if branch is None:
            return []
        return list(branch.then.destinations() if isinstance(branch.then, Path) else branch.then.branches())
