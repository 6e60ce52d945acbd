"""A state as one side looks at it: who is where, who threatens whom, and what the enemy is about to do.

Made for one look and thrown away; what is asked for twice is kept, and in the book what follows from the enemies
alone. Only what lies open on the map is used, so it makes no difference whether the state is a seat's knowledge or an
imagined world.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from functools import cached_property
from math import ceil
from typing import NamedTuple

from sandtable.bots.panzer.book import Book
from sandtable.bots.panzer.marching import Entry, Stop, enter, march
from sandtable.bots.panzer.positions import MAY_MOVE
from sandtable.bots.panzer.travel import FAR, Field
from sandtable.bots.panzer.weights import Weights
from sandtable.core.decision import Seat
from sandtable.geo.hex import Hex, distance, in_arc
from sandtable.systems.panzer.hex.movement.movement_step import has_moved
from sandtable.systems.panzer.hex.state import State, Unit
from sandtable.systems.panzer.sequence import Phase
from sandtable.systems.panzer.unit import Command, Spot, Status, UnitId

__all__ = ["Intent", "Picture", "Threat"]


class Threat(NamedTuple):
    """An enemy gun that reaches a place."""

    at: Hex
    front: float
    """Share of the vehicle that its shot takes from the front ..."""
    rear: float
    """... and from the rear."""


class Intent(NamedTuple):
    """What a vehicle is likely to do this turn."""

    fires: float
    moves: float
    way: frozenset[Hex]
    """Hexes that it comes through when it moves."""


class _Views(NamedTuple):
    """What follows from where the enemies stand."""

    threats: dict[tuple[Hashable, Hex, Spot], list[Threat]]
    chances: dict[tuple[Hashable, Hex, int], float]
    rears: dict[tuple[Hex, int], float]


_VIEWS = "views"
"""Their place in the book."""
_IN_PLAY, _RESERVE = Status.IN_PLAY, Status.RESERVE
_MOVEMENT, _ADJUSTMENT = Phase.MOVEMENT, Phase.ADJUSTMENT
"""Names are looked up quicker than members of enums."""


class Picture:
    """One side's look at a state."""

    def __init__(self, book: Book, state: State, seat: Seat, weights: Weights) -> None:
        self.book = book
        self.state = state
        self.weights = weights
        self.seat = seat
        self.enemy = book.other(seat)
        self.mine: list[Unit] = []
        self.theirs: list[Unit] = []
        self.reserves: list[Unit] = []
        for unit in state.units.values():
            if unit.status is _IN_PLAY and unit.hex is not None:
                (self.mine if unit.side == seat else self.theirs).append(unit)
            elif unit.status is _RESERVE:
                self.reserves.append(unit)
        self.their_guns = [unit for unit in self.theirs if book.armed[unit.card]]
        self.my_guns = [unit for unit in self.mine if book.armed[unit.card]]
        self._moving = state.phase is _MOVEMENT and not state.ended
        over = self._moving or state.phase is _ADJUSTMENT or state.ended
        self._moves_left = book.turns - state.turn + (0 if over else 1)
        """Moves that every vehicle still has, this turn's apart while some have made it and some have not."""
        self._done = [side for side in book.seats if self._moving and has_moved(state, side)]
        """Sides whose moves of this turn are over, while the other still moves."""
        self._intents: dict[UnitId, Intent] = {}
        self._busy: dict[Hex, int] = {}

    @cached_property
    def _views(self) -> _Views:
        """What the book has of these enemies; found together, for to look them up takes as long as to make them out."""
        looks = self.book.gunnery.looks
        enemies = [(unit.id, looks(unit), unit.hex, unit.facing, unit.new_spot or unit.spot) for unit in self.theirs]
        kept = self.book.views[self.seat, self.weights.unseen, tuple(enemies)]
        views: _Views | None = kept.get(_VIEWS)
        if views is None:
            rears = self.book.views[tuple([gun.hex for gun in self.their_guns])]
            views = kept[_VIEWS] = _Views({}, {}, rears)
        # Where vehicles leave the map, what one is worth depends on the time that is left.
        return views if not self.book.exits else views._replace(chances={})

    def unit(self, unit_id: UnitId) -> Unit:
        """A vehicle by its id."""
        return self.state.units[unit_id]

    def armed_and_coming(self, side: Seat) -> list[Unit]:
        """The vehicles of a side that can take ground."""
        captures = self.book.captures
        found = [unit for unit in (self.mine if side == self.seat else self.theirs) if captures[unit.card]]
        if self.reserves:
            found += [unit for unit in self.reserves if unit.side == side and captures[unit.card]]
        return found

    # --- time -------------------------------------------------------------------------------------------

    def moves_left(self, unit: Unit) -> int:
        """Moves that a vehicle may still make, this turn's among them."""
        if not self._moving:
            return self._moves_left
        can = not unit.moved and unit.command in MAY_MOVE and unit.side not in self._done
        return self._moves_left + 1 if can else self._moves_left

    def turns_to(self, unit: Unit, hex: Hex | None, goal: frozenset[Hex]) -> float:
        """Turns from a hex to a goal; a reserve also has to come in."""
        field = self.book.travel.field(goal, self.book.context.cards[unit.card].movement)
        if hex is not None:
            return field.get(hex, FAR) * (2.0 if unit.damaged else 1.0)
        wait = max(0, unit.enters_turn - self.state.turn)
        return wait + 0.3 + min((field.get(entry, FAR) for entry in unit.entry), default=FAR)

    def march(self, unit: Unit, field: Field, *, off: bool = False) -> Sequence[Stop]:
        """The places along the way down a field; where nothing else stands in the way they are the same again."""
        book, state = self.book, self.state
        if book.context.is_advanced:
            return march(book.context, state, unit, field, off=off)
        known = book.marches[self._in_the_way]
        key = unit.id, unit.hex, unit.facing, unit.command, unit.damaged, off, id(field)
        found = known.get(key)
        if found is None:
            found = known[key] = march(book.context, state, unit, field, off=off)
        return found

    def enter(self, unit: Unit, field: Field) -> Entry | None:
        """Where a reserve comes in, and the places that it may go on to; known again likewise."""
        book, state = self.book, self.state
        if book.context.is_advanced:
            return enter(book.context, state, unit, field)
        known = book.entries[self._in_the_way]
        key = unit.id, unit.command, state.turn >= unit.enters_turn, id(field)
        if key not in known:
            known[key] = enter(book.context, state, unit, field)
        return known[key]

    @cached_property
    def _in_the_way(self) -> Hashable:
        """All that may stand in somebody's way in the Basic Game."""
        state = self.state
        return tuple([(unit.side, unit.hex) for unit in state.units.values() if unit.hex is not None]), state.wrecks

    # --- danger -----------------------------------------------------------------------------------------

    def threats(self, unit: Unit, hex: Hex, spot: Spot = Spot.MOVE) -> list[Threat]:
        """The enemy guns that reach a vehicle in a hex, each less the more other targets it has."""
        key = self.book.gunnery.looks(unit), hex, spot
        threats = self._views.threats
        found = threats.get(key)
        if found is None:
            found = threats[key] = list(self._find_threats(unit, hex, spot))
        return found

    def _find_threats(self, unit: Unit, hex: Hex, spot: Spot) -> Iterator[Threat]:
        gunnery = self.book.gunnery
        ranges = gunnery.ranges
        limit = gunnery.spotted_from(hex, spot)
        for gun in self.their_guns:
            a = gun.hex
            if a is None:
                continue
            gap = ranges[a, hex]
            if gap > gunnery.reach[gun.card]:
                continue
            front, rear = gunnery.both_aspects(gun, a, unit, hex)
            if rear > 0:
                weight = 1.0 if gap <= limit else self.weights.unseen
                yield Threat(a, front * weight, rear * weight)

    def danger(self, unit: Unit, hex: Hex, facing: int | None = None, spot: Spot = Spot.MOVE) -> float:
        """The share of a vehicle that the enemy's guns take in a turn; front on if not told."""
        threats = self.threats(unit, hex, spot)
        if not threats:
            return 0.0
        safe = 1.0
        for a, front, rear in threats:
            share = front if facing is None or in_arc(hex, facing, a, 90) else rear
            busy = self._busy.get(a)
            safe *= 1 - share / (1 + 0.5 * (self._others_for(a) if busy is None else busy))
        return 1 - safe

    def _others_for(self, a: Hex) -> int:
        """The number of other targets that an enemy gun in a hex has to choose from."""
        ranges = self.book.gunnery.ranges
        number = sum([ranges[a, b] <= limit for b, limit in self._marks])
        found = self._busy[a] = max(0, number - 1)
        return found

    @cached_property
    def _marks(self) -> list[tuple[Hex, int]]:
        """Where the side's own vehicles stand, and from how far each is spotted."""
        spotted_from = self.book.gunnery.spotted_from
        return [
            (unit.hex, spotted_from(unit.hex, unit.new_spot or unit.spot)) for unit in self.mine if unit.hex is not None
        ]

    def rear_shown(self, hex: Hex, facing: int) -> float:
        """The share of the enemy's guns that a vehicle turns its rear to, near ones counting more."""
        key = hex, facing
        rears = self._views.rears
        found = rears.get(key)
        if found is None:
            behind = total = 0.0
            for gun in self.their_guns:
                if gun.hex is not None:
                    weight = 1 / (4 + distance(gun.hex, hex))
                    total += weight
                    behind += weight * (not in_arc(hex, facing, gun.hex, 90))
            found = rears[key] = behind / total if total else 0.0
        return found

    # --- chances ----------------------------------------------------------------------------------------

    def chances(self, unit: Unit, hex: Hex, facing: int) -> float:
        """Points that a vehicle in a hex takes from the enemy on average with the best shot of the next turn."""
        if not self.book.armed[unit.card]:
            return 0.0
        gunnery = self.book.gunnery
        key = gunnery.looks(unit), hex, facing if not gunnery.turns_all_round[unit.card] else 0
        chances = self._views.chances
        found = chances.get(key)
        if found is None:
            found = chances[key] = self._best_shot(unit, hex, facing)
        return found

    def _best_shot(self, unit: Unit, hex: Hex, facing: int) -> float:
        gunnery = self.book.gunnery
        ranges = gunnery.ranges
        reach = gunnery.reach[unit.card]
        best = 0.0
        for target in self.theirs:
            b = target.hex
            if b is None:
                continue
            gap = ranges[b, hex]
            if gap > reach:
                continue
            share = gunnery.strike(unit, hex, target, b, target.facing, 0, facing).share
            if gap > gunnery.spotted_from(b, target.new_spot or target.spot):
                share *= self.weights.unseen
            best = max(best, share * self.value(target))
        return best

    # --- the enemy's intent -----------------------------------------------------------------------------

    def intent(self, unit: Unit) -> Intent:
        """What an enemy is likely to do this turn, by what he can see and where he wants to be."""
        found = self._intents.get(unit.id)
        if found is None:
            found = self._intents[unit.id] = self._find_intent(unit)
        return found

    def _find_intent(self, unit: Unit) -> Intent:
        if unit.known and unit.command is not Command.NONE:
            fires = float(unit.command in (Command.FIRE, Command.SHORT_HALT) and not unit.fired)
            moves = float(unit.command in (Command.MOVE, Command.SHORT_HALT) and not unit.moved)
            return Intent(fires, moves, self._way(unit) if moves else frozenset())
        gunnery = self.book.gunnery
        best = 0.0
        for target_id in self.state.spotted.get(unit.id, ()):
            target = self.state.units[target_id]
            if target.hex is not None and unit.hex is not None:
                best = max(best, gunnery.strike(unit, unit.hex, target, target.hex, target.facing).share)
        fires = self.weights.fires * min(1.0, best / 0.15)
        settled = any(unit.hex in ground.hexes for ground in self.book.grounds)
        moves = (1 - fires) * (self.weights.stands if settled else self.weights.comes)
        return Intent(fires, moves, self._way(unit))

    def _way(self, unit: Unit) -> frozenset[Hex]:
        """The hexes to the objective that is worth most for the way there."""
        if unit.hex is None:
            return frozenset()
        fields = self.book.ways_to_grounds(unit.card)
        best, way = 0.0, None
        for ground, field in zip(self.book.grounds, fields, strict=True):
            turns = field.get(unit.hex, FAR)
            worth = ground.points[unit.side] / (1 + turns) ** 2
            if turns > 0 and worth > best:
                best, way = worth, field
        if way is None:
            return frozenset()
        return frozenset(stop.hex for stop in self.march(unit, way))

    # --- worth ------------------------------------------------------------------------------------------

    def value(self, unit: Unit) -> float:
        """What is lost with a vehicle: the enemy's points, and what it may still bring."""
        worth = self.book.price(unit.card, unit.side)
        if self.book.exits:
            way = self.book.exit_of(unit.side)
            if way is not None:
                worth += way[1] * self.exit_chance(unit, unit.hex)
        return worth

    def exit_chance(self, unit: Unit, hex: Hex | None) -> float:
        """The chance that a vehicle still gets off the map, if nobody stops it."""
        way = self.book.exit_of(unit.side)
        if way is None:
            return 0.0
        # One step more takes it over the edge.
        turns = self.turns_to(unit, hex, way[0]) + 0.15
        slack = self.moves_left(unit) - ceil(turns)
        if slack < 0:
            return 0.0
        return 1 - 0.25 / (1 + slack) - 0.03 * min(turns, 5)
