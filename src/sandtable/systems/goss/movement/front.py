"""What the enemy means to those who move: where he stands, what it costs to come near, where one must halt (7.7-7.9).

Made from a state as somebody knows it: for options from what the mover knows, for what happens from the truth. Where
the truth halts him and his knowledge did not, he is surprised (7.7.0).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

import msgspec

from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.geo.hex import NEIGHBOURS, Hex, direction_to, distance
from sandtable.geo.hexside import SIDES
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.cover import cover_at, ft_owner, strong_works
from sandtable.systems.goss.common.state import State
from sandtable.systems.goss.ground.cover import Cover, Work
from sandtable.systems.goss.observation.observing import Presence, observes, reach_from, sees
from sandtable.systems.goss.pieces.card import CardId, Trait
from sandtable.systems.goss.pieces.card import Kind as CardKind
from sandtable.systems.goss.pieces.unit import Unit, UnitId

__all__ = ["Front", "Halt"]

_GUNS = (CardKind.ANTI_TANK, CardKind.FLAK)
_STEPS = 2
"""Steps beside a hex that let artillery halt whoever enters it (7.7.1)."""


class Halt(msgspec.Struct, frozen=True):
    """A movement halt, and what proves it (7.7.0)."""

    rule: str
    why: str
    proof: tuple[UnitId, ...] = ()


class Front:
    """The enemy of a side in one state."""

    def __init__(self, context: Context, state: State, seat: Seat) -> None:
        self._context = context
        self._state = state.scenery()
        self._foe = context.other(seat)
        deployment = context.deployment(state)
        self._stacks = {hex: deployment.at(hex) for hex, holder in deployment.holders.items() if holder == self._foe}
        self._veiled = {veil.hex for veil in state.veils if veil.side == self._foe}
        self._works = {work.hex: work for work in state.works}
        self._cut_off: dict[frozenset[Hex], frozenset[Hex]] = {}
        self._watched: dict[tuple[Hex, bool], bool] = {}

    @cached_property
    def has_forts(self) -> bool:
        """Whether the enemy has Forts, which need no garrison (7.9.0)."""
        return any(work.kind is Work.FORT and work.side == self._foe for work in self._works.values())

    @cached_property
    def held(self) -> frozenset[Hex]:
        """Where enemies stand."""
        return frozenset(self._stacks)

    @cached_property
    def adjacent(self) -> frozenset[Hex]:
        """The hexes next to enemies."""
        return _grown(self._stacks)

    @cached_property
    def near(self) -> frozenset[Hex]:
        """The hexes within three of an enemy (7.7.5)."""
        return _grown(_grown(self.adjacent)) | self.adjacent | self.held

    def cut_off(self, reached: frozenset[Hex]) -> frozenset[Hex]:
        """Where enemies stand, and what is near them and not reached by supply (7.7.5)."""
        kept = self._cut_off.get(reached)
        if kept is None:
            kept = self._cut_off[reached] = self.held | (self.near - reached)
        return kept

    def cover(self, hex: Hex) -> Cover:
        """How well a hex hides who enters it from this enemy (8.2.0)."""
        return cover_at(self._context, self._state, hex, self._foe)

    @rule("8.0", "7.6.2")
    def watches(self, hex: Hex, *, is_moving: bool = True) -> bool:
        """Whether somebody of the enemy on the ground observes those who move into a hex, or stand there (7.6.2)."""
        kept = self._watched.get((hex, is_moving))
        if kept is None:
            kept = self._watched[hex, is_moving] = self._is_watched(hex, is_moving=is_moving)
        return kept

    def _is_watched(self, hex: Hex, *, is_moving: bool) -> bool:
        return any(
            distance(held, hex) <= reach and self._observes(held, hex, is_moving=is_moving)
            for held, reach in self._reaches_of.items()
        )

    @cached_property
    def _reaches_of(self) -> dict[Hex, int]:
        """How far the enemies of each hex see (8.1.2)."""
        return {hex: reach_from(self._context, self._state, hex) for hex in self._stacks}

    def _observes(self, held: Hex, hex: Hex, *, is_moving: bool) -> bool:
        if not sees(self._context, self._state, held, hex):
            return False
        unseen = (Unit(UnitId(""), CardId(""), self._foe, 1, held),)
        return any(
            observes(self._context, self._state, unit, hex, Presence(), is_moving=is_moving)
            for unit in self._stacks[held] or unseen
        )

    # --- what it costs ---

    @rule("7.8.0")
    def is_dear(self, hex: Hex, *, is_commando: bool = False) -> bool:
        """Whether entering a hex costs more because of enemies beside it (7.8.0).

        Not in movement covering terrain for commandos, or beside pure AFVs alone to whom no road leads.
        """
        if hex not in self.adjacent:
            return False
        if self.cover(hex) is not Cover.MOVEMENT:
            return True
        if is_commando:
            return False
        beside = [one for one in NEIGHBOURS[hex] if one in self._stacks]
        return not all(self._is_armour_alone(one) and not self._is_joined(hex, one) for one in beside)

    def _is_armour_alone(self, hex: Hex) -> bool:
        stack = self._stacks[hex]
        return hex not in self._veiled and all(self._context.card(unit).has(Trait.PURE_ARMOUR) for unit in stack)

    def _is_joined(self, hex: Hex, other: Hex) -> bool:
        way = direction_to(hex, other)
        return way is not None and SIDES[hex][way] in self._context.ground.roads

    # --- where one halts ---

    @rule("7.7.0")
    def halt(self, hex: Hex) -> Halt | None:
        """The movement halt of a hex, if there is one (7.7.0)."""
        return next(self._found(hex)) if hex in self.halting else None

    @cached_property
    def halting(self) -> frozenset[Hex]:
        """The hexes that have a movement halt, found from those who make it (7.7.0)."""
        guns = _grown(hex for hex, stack in self._stacks.items() if self._heavy_guns(stack))
        fighters = _grown(hex for hex, stack in self._stacks.items() if self._are_two(self._fighters(stack)))
        in_the_open = {
            hex
            for hex in guns | fighters
            if self.cover(hex) is not Cover.MOVEMENT and (hex in guns or self._battery(hex) is not None)
        }
        return _grown(self._strong).union(in_the_open)

    def _found(self, hex: Hex) -> Iterator[Halt]:
        """What halts in a hex, the plainest first."""
        yield from self._by_works(hex)
        yield from self._by_guns(hex)
        yield from self._by_artillery(hex)

    @cached_property
    def _strong(self) -> frozenset[Hex]:
        """Entrenchments and fortified areas with enemies in them, and all Forts (7.7.3)."""
        forts = frozenset(hex for hex, work in self._works.items() if work.kind is Work.FORT and work.side == self._foe)
        return forts.union(hex for hex in self._stacks if strong_works(self._context, self._state, hex, self._foe))

    @rule("7.7.3", "17.4.1b")
    def _by_works(self, hex: Hex) -> Iterator[Halt]:
        """Enemies in an entrenchment or fortified area next to it, or a Fort, held or not (7.7.3)."""
        for one in NEIGHBOURS[hex]:
            if one in self._strong:
                yield Halt("7.7.3", f"works in {self._context.label(one)}")

    @rule("7.7.2")
    def _by_guns(self, hex: Hex) -> Iterator[Halt]:
        """A heavy AT or Flak unit with a red hexagon next to it (7.7.2)."""
        for one in NEIGHBOURS[hex]:
            for unit in self._heavy_guns(self._stacks.get(one, ())):
                yield Halt("7.7.2", "heavy guns", (unit.id,))

    def _heavy_guns(self, stack: Iterable[Unit]) -> list[Unit]:
        cards = ((unit, self._context.card(unit)) for unit in stack)
        return [unit for unit, card in cards if card.kind in _GUNS and card.has(Trait.RED_HEXAGON)]

    @rule("7.7.1")
    def _by_artillery(self, hex: Hex) -> Iterator[Halt]:
        """Two steps of combat units in a hex next to it, and artillery with a red hexagon in range (7.7.1)."""
        gun = self._battery(hex)
        for one in NEIGHBOURS[hex]:
            fighters = self._fighters(self._stacks.get(one, ()))
            if gun is not None and self._are_two(fighters):
                yield Halt("7.7.1", "artillery in range", (gun.id, *(unit.id for unit in fighters)))

    def _fighters(self, stack: Iterable[Unit]) -> list[Unit]:
        return [unit for unit in stack if self._fights(unit)]

    def _are_two(self, fighters: Iterable[Unit]) -> bool:
        return sum(unit.steps for unit in fighters) >= _STEPS

    def _battery(self, hex: Hex) -> Unit | None:
        """Artillery that reaches a hex."""
        return next((unit for unit in self._batteries if self._reaches(unit, hex)), None)

    def _fights(self, unit: Unit) -> bool:
        card = self._context.card(unit)
        return not card.is_artillery and not card.is_headquarters

    def _reaches(self, unit: Unit, hex: Hex) -> bool:
        return unit.hex is not None and distance(unit.hex, hex) <= self._context.card(unit).range

    @cached_property
    def _batteries(self) -> tuple[Unit, ...]:
        """Artillery with a red hexagon and ammunition."""
        return tuple(
            unit for stack in self._stacks.values() for unit in stack if not unit.is_depleted and self._is_battery(unit)
        )

    def _is_battery(self, unit: Unit) -> bool:
        card = self._context.card(unit)
        return card.is_artillery and card.kind is not CardKind.FLAK and card.has(Trait.RED_HEXAGON)

    # --- what bars the way ---

    @rule("7.9.0", "17.4.1b")
    def bars(self, hex: Hex, beyond: Hex) -> bool:
        """Whether one may not go straight from a hex to another: both lie next to one held fortress (7.9.0)."""
        around = NEIGHBOURS[beyond]
        return any(one in around and self._is_fortress(one) for one in NEIGHBOURS[hex])

    def _is_fortress(self, hex: Hex) -> bool:
        """A Fort, or an ET-3 or fortified area that is held, for all that is known, by more than staff and guns."""
        work = self._works.get(hex)
        if work is not None and work.side == self._foe and work.kind is Work.FORT:
            return True
        is_strong = work is not None and work.side == self._foe and work.kind is Work.ET3
        if not is_strong and ft_owner(self._context, self._state, hex) != self._foe:
            return False
        return hex in self._veiled or any(unit.steps and self._fights(unit) for unit in self._stacks.get(hex, ()))


def _grown(hexes: Iterable[Hex]) -> frozenset[Hex]:
    """The hexes next to any of these."""
    return frozenset().union(*map(NEIGHBOURS.__getitem__, hexes))
