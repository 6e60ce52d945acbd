"""3.5.3, 7.5.0, 7.7.5, 7.9.0 Where units may not go though the ground would bear them."""

from __future__ import annotations

from functools import cached_property

from sandtable.core.content.rule import rule
from sandtable.geo.hex import Hex, distance
from sandtable.geo.hexside import Hexside, side_between
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.rest import is_resting
from sandtable.systems.goss.common.state import State
from sandtable.systems.goss.movement.front import Front
from sandtable.systems.goss.movement.party import Party, hex_of, kind_of
from sandtable.systems.goss.movement.ways import Kind
from sandtable.systems.goss.pieces.card import Trait
from sandtable.systems.goss.pieces.unit import Supply

__all__ = ["Barriers", "breaks_rest"]

_SUPPLY = "no supply would reach it, and enemies are within three hexes"


@rule("3.5.3", "3.5.4a")
def breaks_rest(context: Context, party: Party, front: Front, hex: Hex, beyond: Hex) -> bool:
    """Whether a step leads from beside an enemy to beside an enemy, as nobody goes who rests (3.5.3).

    But guns that move in battery (3.5.4a), and who is isolated or out of supply on his way to it.
    """
    if hex not in front.adjacent or beyond not in front.adjacent:
        return False
    if kind_of(context, party, Kind.NON_ROAD) is Kind.BATTERY:
        return False
    is_lost = all(unit.is_isolated or unit.supply is Supply.OUT for unit in party)
    return not (is_lost and _leads_home(context, party, hex, beyond))


def _leads_home(context: Context, party: Party, hex: Hex, beyond: Hex) -> bool:
    """Whether a step leads towards a source of supply: nearer to one of them (ruling B-22)."""
    sources = context.scenario.sources[party[0].side]
    return any(distance(beyond, source) < distance(hex, source) for source in sources)


class Barriers:
    """What bars the way of those who move as one."""

    def __init__(
        self,
        context: Context,
        state: State,
        party: Party,
        front: Front,
        reached: frozenset[Hex],
        *,
        blocked: frozenset[Hexside] = frozenset(),
    ) -> None:
        self._context = context
        self._party = party
        self._front = front
        self._reached = reached
        self._blocked = blocked
        self._rests = any(is_resting(context, state, unit) for unit in party)
        self._is_starved = any(unit.supply is Supply.OUT for unit in party)
        self._is_cut_off = hex_of(party) not in reached
        self._is_daring = all(context.card(unit).has(Trait.COMMANDO) for unit in party)
        """Commandos go where no supply reaches them (7.7.5)."""

    @cached_property
    @rule("7.7.5")
    def closed(self) -> frozenset[Hex]:
        """Hexes that may not be entered at all (7.7.5): held by enemies, or out of supply and near them.

        Who is cut off already may pass such hexes towards supply; who is out of supply keeps away from enemies.
        """
        front = self._front
        if self._is_daring:
            return front.held
        closed = front.held if self._is_cut_off else front.cut_off(self._reached)
        return closed | front.adjacent if self._is_starved else closed

    def closed_by(self, hex: Hex) -> tuple[str, str] | None:
        """The rule that closes a hex, and the reason; None if it is open."""
        if hex in self._front.held:
            return "7.5.0", "an enemy holds it"
        return ("7.7.5", _SUPPLY) if hex in self.closed else None

    def is_open(self, hex: Hex, beyond: Hex) -> bool:
        """Whether nothing bars the way from a hex to another."""
        return beyond not in self.closed and self.bars(hex, beyond) is None

    @rule("3.5.3")
    def bars(self, hex: Hex, beyond: Hex) -> tuple[str, str] | None:
        """The rule against going straight from a hex to another, and the reason."""
        front = self._front
        if (
            self._is_cut_off
            and not self._is_daring
            and beyond in front.near
            and beyond not in self._reached
            and not _leads_home(self._context, self._party, hex, beyond)
        ):
            return "7.7.5", _SUPPLY
        if self._blocked and side_between(hex, beyond) in self._blocked:
            return "7.10.2a", "the bridge is blocked by all who have crossed it"
        if beyond not in front.adjacent and not front.has_forts:
            return None
        if front.bars(hex, beyond):
            return "7.9.0", "both hexes lie next to one fortress"
        if self._rests and breaks_rest(self._context, self._party, front, hex, beyond):
            return "3.5.3", "who rests does not go from enemy to enemy"
        return None
