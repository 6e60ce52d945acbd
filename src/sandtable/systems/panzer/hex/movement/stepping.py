"""Moving a vehicle leg by leg (3.3, 4.5.1.1.3 to 4.5.1.1.5, 4.5.1.1.7, 4.5.1.1.9).

A :class:`Stepper` is one vehicle among all others at one moment. It turns a :class:`MoveProgress` and a leg into the
next Progress, or into nothing where the rules end the move before that. Numbers only: ``movement`` finds the words.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from functools import cached_property
from typing import Final, Protocol

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.content.table import Table
from sandtable.core.errors import RulesBug
from sandtable.core.modifier import Breakdown
from sandtable.geo.hex import NEIGHBOURS, Hex
from sandtable.systems.panzer.advanced_card import UnitClass
from sandtable.systems.panzer.cards import Card, CardId
from sandtable.systems.panzer.edition import Edition
from sandtable.systems.panzer.hex.movement.floors import INDOORS, shifted
from sandtable.systems.panzer.hex.movement.going import Going
from sandtable.systems.panzer.hex.movement.movement_costs import (
    CostTable,
    StepCosts,
    allowance,
    costs_of,
    factor_at,
    vehicle_costs,
)
from sandtable.systems.panzer.hex.movement.routes import MovementGround, Route
from sandtable.systems.panzer.hex.obstacles import Obstacles
from sandtable.systems.panzer.hex.progress import FORBIDDEN, MoveProgress, Rate
from sandtable.systems.panzer.hex.state import Leg, LegKind, State, Unit
from sandtable.systems.panzer.markers import Floor
from sandtable.systems.panzer.movement.march import hinders_routes, is_immobile
from sandtable.systems.panzer.movement.move_facts import MoveFacts
from sandtable.systems.panzer.movement.speed import Gait, leg_factor, speed
from sandtable.systems.panzer.movement.transport import may_reverse
from sandtable.systems.panzer.unit import UnitId

__all__ = ["FLOOR_LEGS", "LEGS", "MovementRules", "Stepper"]

LEGS: Final = tuple(
    Leg(turn, how)
    for turn in (0, 1, -1, 2, -2, 3)
    for how in (LegKind.FORWARD, LegKind.REVERSE, LegKind.STAY)
    if turn or how is not LegKind.STAY
)
"""Every leg that leads from hex to hex, in a fixed order."""
FLOOR_LEGS: Final = (
    *(Leg(0, how) for how in (LegKind.UP, LegKind.DOWN, LegKind.IN, LegKind.OUT)),
    *(Leg(turn, LegKind.INTO) for turn in (0, 1, -1, 2, -2, 3)),
)
"""Legs into, inside and out of buildings (6.6.3, 6.6.4.1)."""
_WITH_FLOORS: Final = (*LEGS, *FLOOR_LEGS)
_STAY, _REVERSE, _PATH, _ROAD, _TRACK = LegKind.STAY, LegKind.REVERSE, Route.PATH, Route.ROAD, Route.TRACK
_UP, _CRAWL, _VEHICLE, _TOWED = Floor.UP, Gait.CRAWL, UnitClass.VEHICLE, UnitClass.TOWED
"""Names are looked up quicker than members of enums."""


_NO_SMOKE: Final[frozenset[Hex]] = frozenset()


class MovementRules(Protocol):
    """What movement asks of the rules in force."""

    @property
    def edition(self) -> Edition: ...
    @property
    def ground(self) -> MovementGround: ...
    @property
    def cards(self) -> Mapping[CardId, Card]: ...
    @property
    def tables(self) -> Mapping[str, Table]: ...
    @property
    def obstacles(self) -> Obstacles: ...
    def move_facts(self, unit: Unit) -> MoveFacts | None:
        """What a unit is to movement; None in the Basic Game."""
        ...

    def command_reach(self, unit: Unit) -> int:
        """Command Range of a unit's formation (6.2.1.1.2); of the Advanced Game only."""
        ...


@rule("6.6.4.3", editions=("panzer-na",))
def _beside_spotted(state: State, unit: Unit) -> dict[Hex, str]:
    """Hexes beside opposing units that any friendly unit spots: nobody crawls there (6.6.4.3)"""
    seen = {target for spotter, found in state.spotted.items() for target in found if _is_of(state, spotter, unit)}
    places = (state.units[target].hex for target in seen if target in state.units)
    return {near: "6.6.4.3" for hex in places if hex is not None for near in NEIGHBOURS[hex]}


def _is_of(state: State, spotter: UnitId, unit: Unit) -> bool:
    other = state.units.get(spotter)
    return other is not None and other.side == unit.side


class Stepper:
    """A vehicle that moves, what stands in its way, and what one more leg leads to."""

    # As they are in the Basic Game, and for most units.
    is_stuck = False
    closed: Mapping[Hex, str] = {}
    """Hexes that terrain counters bar to it, with the rule."""
    all_legs: tuple[Leg, ...] = LEGS

    def __init__(self, rules: MovementRules, state: State, unit: Unit, gait: Gait = Gait.MARCH) -> None:
        self.rules = rules
        self.unit = unit
        self.gait = gait
        self._state = state
        self.facts = facts = rules.move_facts(unit)
        if facts is None:
            self.ground = rules.ground
            table = vehicle_costs(rules.ground, rules.cards[unit.card].movement.mode)
        else:
            table = self._look_around(facts)
        self.table: CostTable = table
        self.steps = table.steps
        self.turns = table.turns
        wrecks, features = state.wrecks, state.features
        self.smoke = rules.obstacles.smoke(rules.edition, wrecks, features) if wrecks or features else _NO_SMOKE

    def _look_around(self, facts: MoveFacts) -> CostTable:
        """What the Advanced Game puts in its way, and what its way costs then."""
        rules, features = self.rules, self._state.features
        self.is_stuck = is_immobile(facts)
        self.ground = rules.ground.now(features) if features else rules.ground
        if features:
            table = rules.tables["terrain_counters"]
            self.closed = rules.obstacles.closed(table, features, facts.unit_class, facts.mode)
        if self.gait is _CRAWL:
            self.closed = {**self.closed, **_beside_spotted(self._state, self.unit)}
        self.all_legs = self._all_legs(facts)
        return costs_of(self.ground, rules.cards[self.unit.card], facts, self.gait)

    @property
    def going(self) -> Going:
        """How it goes."""
        return self.table.going

    def _all_legs(self, facts: MoveFacts) -> tuple[Leg, ...]:
        """The legs that it may make somewhere: towed units stay out of buildings (6.1.4.3.1)."""
        return LEGS if facts.unit_class is _TOWED else _WITH_FLOORS

    @property
    @rule("6.6.2", "6.5.2.2.4", editions=("panzer-na",))
    def harm(self) -> int:
        """How often suppression and Hull Damage halve the allowance of the unit; 0 in the Basic Game (6.6.2)"""
        return 0 if self.facts is None else self.facts.markers.is_suppressed + self.facts.markers.hull_damaged

    @cached_property
    @rule("6.6.7.1", editions=("panzer-na",))
    def reverses(self) -> bool:
        """Whether it may move in reverse: not with a towed unit behind it (6.6.7.1)"""
        if self.facts is None or not self.facts.markers.passengers:
            return True
        found = (self.rules.move_facts(self._state.units[one]) for one in self.facts.markers.passengers)
        return may_reverse([facts for facts in found if facts is not None])

    @cached_property
    def enemies(self) -> set[Hex]:
        """Hexes with an opposing vehicle in play."""
        side = self.unit.side
        return {unit.hex for unit in self._state.units.values() if unit.hex is not None and unit.side != side}

    @cached_property
    @rule("4.5.1.1.5", "3.8")
    def barred(self) -> set[Hex]:
        """Hexes with a wreck, an opposing vehicle, or over-stacked once this vehicle is there (4.5.1.1.5)"""
        unit = self.unit
        crowd: dict[Hex, int] = {}
        for other in self._state.units.values():
            hex = other.hex
            if hex is None or other is unit:
                continue
            counts = 1 if self.facts is None else self._in_the_way(other)
            if other.side == unit.side:
                crowd[hex] = crowd.get(hex, 1) + counts
            elif counts:
                crowd[hex] = self.table.over_stacked
        limit = self.table.over_stacked
        barred = {hex for hex, vehicles in crowd.items() if vehicles >= limit}
        barred.update(wreck.hex for wreck in self._state.wrecks)
        return barred

    @rule("6.6.4.1", editions=("panzer-na",))
    def _in_the_way(self, other: Unit) -> int:
        """How many vehicles another unit counts as on a Path or Road: guns and motorcycles stop all (6.6.4.1)"""
        if self.rules.cards[other.card].unit_class is _VEHICLE:
            return 1
        facts = self.rules.move_facts(other)
        if facts is None:
            return 1
        return self.table.over_stacked if hinders_routes(facts) else 0

    def _is_barred(self, hex: Hex) -> bool:
        """Whether one hex is barred: most moves leave the roads, and never ask about another."""
        unit = self.unit
        vehicles = 1
        for other in self._state.units.values():
            if other.hex == hex and other is not unit:
                counts = 1 if self.facts is None else self._in_the_way(other)
                if counts and other.side != unit.side:
                    return True
                vehicles += counts
        return vehicles >= self.table.over_stacked or any(wreck.hex == hex for wreck in self._state.wrecks)

    # --- the beginning ----------------------------------------------------------------------------------

    def start(self) -> MoveProgress:
        """The move of a vehicle on the mapboard before its first leg."""
        unit = self.unit
        if unit.hex is None:
            raise RulesBug(f"{unit.id} is not on the mapboard")
        cross_country, path, road = self.allowances()
        clear = not self.going.on_foot and not self._is_barred(unit.hex)
        return MoveProgress(
            unit.hex,
            unit.facing,
            cross_country,
            cross_country,
            path,
            road,
            on_route=clear,
            gait=self.gait,
            floor=unit.markers.floor,
        )

    @rule("4.5.1.1.9")
    def enter(self, hex: Hex, facing: int) -> MoveProgress | None:
        """The move of a reserve that has come on to the mapboard in ``hex``, for its terrain's cost (4.5.1.1.9)"""
        if hex in self.closed:
            return None
        step = self.table.entry_step(hex, facing)
        cross_country, path, road = self.allowances()
        off_map = MoveProgress(
            hex, facing, cross_country, cross_country, path, road, on_route=not self.going.on_foot, gait=self.gait
        )
        return None if step is None else self._stepped(off_map, step, facing, hex, reverse=False)

    def allowances(self) -> tuple[int, int, int]:
        """Cross-country, Path and Road allowance at the start of the move (4.5.1.1.1)"""
        unit = self.unit
        card = self.rules.cards[unit.card]
        known, facts = self.table.allowances, self.facts
        key: Hashable = card.movement, card.sb, unit.command, unit.damaged
        if facts is not None:
            slowed = facts.markers.is_suppressed, facts.markers.hull_damaged, facts.command
            key = unit.card, self.gait, facts.unit_class, facts.attached, slowed
        found = known.get(key)
        if found is None:
            found = known[key] = self._allowances()
        return found

    def _allowances(self) -> tuple[int, int, int]:
        cross_country, path, road = (self.allowance(rate).total for rate in (Rate.CROSS_COUNTRY, Rate.PATH, Rate.ROAD))
        return cross_country, path, road

    def allowance(self, rate: Rate) -> Breakdown:
        """The allowance at the start of the move at a rate."""
        rules, unit, facts = self.rules, self.unit, self.facts
        card = rules.cards[unit.card]
        if facts is None:
            return allowance(card, unit.command, unit.damaged, rate, rules.edition, rules.tables)
        full, told = factor_at(card.movement, rate), f"{rate.capitalize()} of {card.movement}"
        if self.going.on_foot or self.gait is not Gait.MARCH:
            full, told = leg_factor(card.movement, facts, self.gait)
        return speed(full, told, facts, rules.tables)

    # --- one leg ----------------------------------------------------------------------------------------

    def leg(self, now: MoveProgress, leg: Leg) -> MoveProgress | None:
        """The move after one more leg, or nothing if the vehicle cannot make it."""
        turned = self.turn(now, leg.turn) if leg.turn else now
        if turned is None or leg.step is _STAY:
            return turned
        if leg.step in INDOORS:
            return shifted(self, turned, leg.step)
        return self.step(turned, reverse=leg.step is _REVERSE)

    @rule("4.5.1.1.4")
    def turn(self, now: MoveProgress, turn: int) -> MoveProgress | None:
        """The move after a turn in the hex: one hexside is free, more costs the terrain's Turn cost (4.5.1.1.4)"""
        if self.is_stuck:
            return None
        hex = now.hex
        facing = (now.facing + turn) % 6
        turned = now.turned + (turn if turn > 0 else -turn)
        spent, spent_route, paid = now.spent, now.spent_route, now.paid
        free = self.table.free_turn
        if turned > free >= now.turned:
            cost, cost_route = self.turns[hex]
            smoke = self.table.smoke_turn if hex in self.smoke else 0
            spent += cost + smoke
            spent_route += cost_route + smoke
            paid = True
        on_route, askew = now.on_route, False
        if on_route and now.way >= 0:
            on_route, askew = self._follows(now, facing)
        after = MoveProgress(
            hex,
            facing,
            now.cross_country,
            now.track,
            now.path,
            now.road,
            spent,
            spent_route,
            on_route,
            now.entered,
            now.paths,
            now.roads,
            now.tracks,
            turned,
            paid,
            now.way,
            now.backing,
            False,
            askew,
            now.climbed,
            now.gait,
            now.floor,
            now.loaded,
        )
        return after if self.is_afoot(after) else None

    def faced(self, now: MoveProgress, facing: int) -> MoveProgress | None:
        """The move of a counter that is replaced by one facing any way, at no cost (5.2.1)"""
        on_route, askew = now.on_route, False
        if on_route and now.way >= 0:
            on_route, askew = self._follows(now, facing)
        after = replace(now, facing=facing, on_route=on_route, askew=askew)
        return after if self.is_afoot(after) else None

    @rule("4.5.1.1.5")
    def _follows(self, now: MoveProgress, facing: int) -> tuple[bool, bool]:
        """Whether a new facing in a hex of the route lies along it, and whether it may not be the last (4.5.1.1.5)

        The vehicle faces the next hex of its route, or has its rear to it when it moves in reverse.
        """
        ahead, behind = self.steps[now.hex][facing], self.steps[now.hex][facing - 3]
        onward = behind if now.backing else ahead
        way = (facing + 3) % 6 if now.backing else facing
        goes_on = onward is not None and bool(onward.route) and way != (now.way + 3) % 6
        along = (ahead is not None and ahead.route) or (behind is not None and behind.route)
        return bool(along), not goes_on

    @rule("3.3", "4.5.1.1.7")
    def step(self, now: MoveProgress, *, reverse: bool) -> MoveProgress | None:
        """The move after one hex straight ahead or straight back (3.3, 4.5.1.1.7)"""
        if self.facts is not None and (self.is_stuck or (reverse and not self.reverses) or now.floor is _UP):
            return None
        direction = (now.facing + 3) % 6 if reverse else now.facing
        step = self.steps[now.hex][direction]
        if step is None or (self.closed and step.to in self.closed):
            return None
        return self._stepped(now, step, direction, now.hex, reverse=reverse)

    def _stepped(
        self, now: MoveProgress, step: StepCosts, direction: int, left: Hex, *, reverse: bool
    ) -> MoveProgress | None:
        to, forward, back, route_forward, route_back, route = step
        # Off the mapboard the terrain that counts is that of the hex left (4.5.1.1.9), and so is its smoke.
        hex = left if to is None else to
        smoke = self.table.smoke if hex in self.smoke else 0
        on_route = bool(now.on_route and route and (to is None or to not in self.barred))
        after = MoveProgress(
            hex,
            now.facing,
            now.cross_country,
            now.track,
            now.path,
            now.road,
            now.spent + smoke + (back if reverse else forward),
            now.spent_route + smoke + (route_back if reverse else route_forward),
            on_route,
            now.entered + 1,
            now.paths + (route is _PATH),
            now.roads + (route is _ROAD),
            now.tracks + (route is _TRACK),
            0,
            now.paid,
            direction,
            reverse,
            to is None,
            on_route and to is not None and self._bends(to, direction),
            now.climbed,
            now.gait,
        )
        if self.facts is not None:
            return self._limited(after, left)
        return after if self.is_afoot(after) else None

    @rule("6.6.4.2", "6.6.4.3", "6.6.5", editions=("panzer-na",))
    def _limited(self, after: MoveProgress, left: Hex) -> MoveProgress | None:
        """The step, unless it is one hex or one Height too many for a gun or a gait (6.6.4.2, 6.6.4.3, 6.6.5)"""
        going, places = self.going, self.ground.places
        if going.most_hexes is not None and after.entered > going.most_hexes:
            return None
        if going.most_heights is not None:
            climbed = after.climbed + abs(places[after.hex].level - places[left].level)
            if climbed > going.most_heights:
                return None
            after = replace(after, climbed=climbed)
        return after if self.is_afoot(after) else None

    @rule("4.5.1.1.5")
    def _bends(self, hex: Hex, way: int) -> bool:
        """Whether the route turns in a hex entered that way: it goes on, but not straight (4.5.1.1.5)"""
        back = (way + 3) % 6
        onward = [side for side, step in enumerate(self.steps[hex]) if step is not None and step.route and side != back]
        return bool(onward) and way not in onward

    def price(self, now: MoveProgress, *, reverse: bool) -> int:
        """Cross-country cost of a step that is not barred."""
        step = self.steps[now.hex][(now.facing + 3) % 6 if reverse else now.facing]
        if step is None:
            return FORBIDDEN
        smoke = self.table.smoke if (now.hex if step.to is None else step.to) in self.smoke else 0
        return smoke + (step.reverse if reverse else step.forward)

    def label(self, hex: Hex) -> str:
        """How players name a hex."""
        return self.ground.places[hex].label

    # --- what is left ------------------------------------------------------------------------------------

    @rule("4.5.1.1.3")
    def is_afoot(self, now: MoveProgress) -> bool:
        """Whether some allowance may still cover the move, or it is just one hex (4.5.1.1.3)"""
        if now.spent <= now.cross_country:
            return True
        if now.on_route and self._route_may_cover(now):
            return True
        return now.entered == 1 and not now.paid and (now.on_route or now.spent < FORBIDDEN)

    def _route_may_cover(self, now: MoveProgress) -> bool:
        """Whether the move may yet end within the allowance of its route."""
        if now.tracks:
            return now.spent_route <= now.track
        if now.spent_route <= now.path and now.roads <= now.paths:
            return True
        # Each hex that Road lacks to be the greatest number costs one at the least.
        lacking = max(0, now.paths - now.roads + 1)
        return now.spent_route + lacking <= now.road
