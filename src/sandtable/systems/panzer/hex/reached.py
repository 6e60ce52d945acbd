"""Where units get to in the last few positions: asked again for every answer of all who share a command.

Threads may meet here: what is kept is replaced as a whole, and what two of them find out twice is the same.
"""

from __future__ import annotations

from sandtable.geo.hex import Hex
from sandtable.systems.panzer.hex.progress import MoveProgress
from sandtable.systems.panzer.hex.state import State
from sandtable.systems.panzer.movement.speed import Gait
from sandtable.systems.panzer.unit import UnitId

__all__ = ["Ends", "Reached"]

Ends = dict[tuple[UnitId, Gait, MoveProgress | None], frozenset[Hex]]
"""Hexes where the move of a unit may end, by how it goes and how far it has come."""
KEPT = 8
"""Positions: what is known of one is checked against a few others that look the same to a seat."""


class Reached:
    """What is known of the last positions; gone with the context of the game."""

    __slots__ = ("_kept",)

    def __init__(self) -> None:
        self._kept: tuple[tuple[object, State, Ends], ...] = ()

    def at(self, rules: object, state: State) -> Ends:
        """What is known of a position by some rules, to be added to."""
        for known_rules, known, ends in self._kept:
            if known is state and known_rules is rules:
                return ends
        ends = {}
        self._kept = ((rules, state, ends), *self._kept[: KEPT - 1])
        return ends
