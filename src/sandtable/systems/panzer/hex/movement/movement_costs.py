"""What movement costs (3.7, 4.5.1.1.1, 4.5.1.1.2, 4.5.1.1.4, 4.5.1.1.7).

Every step from a hex through a hexside is worked out once for a Mode of Traction, with its reasons
(:class:`StepCost`); :class:`CostTable` keeps the bare numbers for those who try many steps. So the quick number and
the explained one come from the same sum.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple

from sandtable.core.content.rule import rule
from sandtable.core.content.table import Table
from sandtable.core.errors import Refusal
from sandtable.core.modifier import Breakdown, Modifier
from sandtable.geo.hex import NEIGHBOURS, Hex
from sandtable.geo.hexside import SIDES
from sandtable.systems.panzer.advanced_card import UnitClass
from sandtable.systems.panzer.cards import Card
from sandtable.systems.panzer.cards import Movement as MovementFactor
from sandtable.systems.panzer.edition import Edition
from sandtable.systems.panzer.hex.movement.going import Going, going_of, vehicle_going
from sandtable.systems.panzer.hex.movement.routes import MovementGround, Route, refuse_bridge, route_across
from sandtable.systems.panzer.hex.progress import FORBIDDEN, WHOLE, Rate
from sandtable.systems.panzer.hex.sight.survey import MapHex
from sandtable.systems.panzer.movement.move_facts import MoveFacts
from sandtable.systems.panzer.movement.speed import Gait
from sandtable.systems.panzer.terrain import Cost, Placement, Special, Terrain, TerrainId, Traction
from sandtable.systems.panzer.unit import Command

__all__ = ["CostTable", "KeptEnds", "StepCost", "allowance", "cost_table", "costs_of", "factor_at", "vehicle_costs"]

SMOKE = TerrainId("brew_up_smoke")
CREST = TerrainId("crest")
WALLS = (TerrainId("wall"), TerrainId("defilade"))
CLEAR = TerrainId("clear")


def factor_at(factor: MovementFactor, rate: Rate) -> int:
    """The element of a Movement Factor that counts at a rate."""
    return {Rate.PATH: factor.path, Rate.ROAD: factor.road}.get(rate, factor.cross_country)


@rule("3.7", "4.5.1.1.1")
def allowance(  # noqa: PLR0917 - all that the rule depends on
    card: Card, command: Command, damaged: bool, rate: Rate, edition: Edition, tables: Mapping[str, Table]
) -> Breakdown:
    """The movement speed allowance at a rate (4.5.1.1.1)"""
    factor = card.movement
    full = factor_at(factor, rate)
    state, words = _fraction(card, command, damaged, edition)
    fractions, costs = tables["movement_fractions"], tables["movement_costs"]
    numerator, denominator = fractions.number(state, "numerator"), fractions.number(state, "denominator")
    part = full * numerator // denominator
    least = costs.number("minimum_allowance")
    terms = []
    if words:
        terms.append(Modifier(part - full, f"{words} leaves {numerator}/{denominator}, rounded down", "3.7"))
    if part < least:
        terms.append(Modifier(least - part, f"never less than {least}", "3.7"))
    return Breakdown(f"{rate.capitalize()} allowance", "4.5.1.1.1", tuple(terms), full, f"of {factor}")


def _fraction(card: Card, command: Command, damaged: bool, edition: Edition) -> tuple[str, str]:
    """Row of the fractions table, and what it is for (3.7)"""
    if command is not Command.SHORT_HALT:
        return ("damaged", "Damaged") if damaged else ("move", "")
    if damaged:
        return "damaged_short_halt", "Damaged with a Short Halt"
    if edition.short_halt_keeps_three_quarters_at_sb1 and card.sb == 1:
        return "short_halt_sb1", "Short Halt with SB 1"
    return "short_halt", "Short Halt"


class StepCost(NamedTuple):
    """What a step costs at cross-country costs and along the route, before smoke and reverse."""

    to: Hex | None
    """None off the mapboard."""
    route: Route
    base: int
    """Cross-country: the terrain entered, or the route where that counts; ``FORBIDDEN`` at route speed only."""
    base_label: str
    base_rule: str
    adders: tuple[Modifier, ...]
    """Hexsides and change of Height, cross-country."""
    whole: bool
    """Whether it takes the whole allowance (4.5.1.1.2)."""
    route_base: int
    route_adders: tuple[Modifier, ...]


class StepCosts(NamedTuple):
    """The bare numbers of a step: forward and in reverse, cross-country and along the route."""

    to: Hex | None
    forward: int
    reverse: int
    route_forward: int
    route_reverse: int
    route: Route


class _Steps(dict[Hex, tuple[StepCosts | None, ...]]):
    """Steps out of every hex asked for so far; None where the way is barred."""

    def __init__(self, table: CostTable) -> None:
        super().__init__()
        self._table = table

    def __missing__(self, hex: Hex) -> tuple[StepCosts | None, ...]:
        six = tuple(self._table.step(hex, direction) for direction in range(6))
        self[hex] = six
        return six


class _Turns(dict[Hex, tuple[int, int]]):
    """Turn cost of every hex asked for so far, cross-country and on the route."""

    def __init__(self, table: CostTable) -> None:
        super().__init__()
        self._table = table

    def __missing__(self, hex: Hex) -> tuple[int, int]:
        costs = self._table.turn_cost(hex)
        self[hex] = costs
        return costs


class KeptEnds(NamedTuple):
    """Where a move may end, as far as nothing has changed that the search for it looked at."""

    near: frozenset[Hex]
    """The hexes that it looked at ..."""
    routed: frozenset[Hex]
    """... and those of them that a route leads into."""
    smoke: frozenset[Hex]
    """Which of those near slowed it, were closed or held enemies; which of those on a route were barred."""
    closed: frozenset[Hex]
    enemies: frozenset[Hex]
    barred: frozenset[Hex]
    ends: frozenset[Hex]


class CostTable:
    """Costs for one way of going on one ground, worked out as they are asked for; and where moves have led at them."""

    def __init__(self, ground: MovementGround, going: Going) -> None:
        self.ground = ground
        self.going = going
        self.allowances: dict[Hashable, tuple[int, int, int]] = {}
        """Cross-country, Path and Road, by all of a unit that they depend on."""
        self.ends: dict[Hashable, tuple[KeptEnds, ...]] = {}
        """By how far a move has come, and by what of the unit matters."""
        self.traction = traction = going.traction
        tables = ground.tables
        self.reverse_factor = going.reverse_factor
        self.free_turn = going.free_turn
        self.height_limit = going.height_limit
        self.over_stacked = tables["stacking"].number("over_stacked_from")
        smoke = ground.terrain[SMOKE]
        self.smoke = _number(smoke.adder.of(traction))
        self.smoke_turn = smoke.turn_adder
        self.steps = _Steps(self)
        self.turns = _Turns(self)
        self.told: dict[tuple[Hex | None, Hex, int, bool, bool, bool], Breakdown] = {}
        """Breakdowns of steps made so far, for ``movement_told``."""
        self._explained: dict[tuple[Hex, int], StepCost | Refusal] = {}

    def explained(self, hex: Hex, direction: int) -> StepCost | Refusal:
        """The step with its reasons, or why there is none."""
        key = hex, direction
        found = self._explained.get(key)
        if found is None:
            found = self._explained[key] = self._work_out(hex, direction)
        return found

    def step(self, hex: Hex, direction: int) -> StepCosts | None:
        """The bare numbers of the step, None where the way is barred."""
        cost = self.explained(hex, direction)
        return None if isinstance(cost, Refusal) else _bare(cost, self.reverse_factor)

    def entry(self, hex: Hex, facing: int) -> StepCost | Refusal:
        """What a vehicle held off the mapboard pays to enter, facing inwards (4.5.1.1.9)"""
        route = route_across(self.ground, hex, (facing + 3) % 6)
        if route is Route.NONE and self.ground.places[hex].bridge:
            label = self.ground.places[hex].label
            reason = f"the bridge in {label} is entered along its road or path only"
            return Refusal("4.5.1.1.6", reason, "enter along its road or path")
        return self._price(hex, hex, route, (), (), whole=False)

    def entry_step(self, hex: Hex, facing: int) -> StepCosts | None:
        """The bare numbers of entering."""
        cost = self.entry(hex, facing)
        return None if isinstance(cost, Refusal) else _bare(cost, self.reverse_factor)

    @rule("4.5.1.1.4")
    def turn_cost(self, hex: Hex) -> tuple[int, int]:
        """Turn cost of the hex's terrain, and that of the route in it (4.5.1.1.4)"""
        ground = self.ground
        own = max((row.turn or 0 for row in ground.places[hex].footing), default=0)
        kinds = {kind for side in SIDES[hex] for kind in ground.routes.get(side, ())}
        on_route = [row.turn for kind in kinds if (row := ground.terrain[kind]).rate and row.turn is not None]
        return own, min(on_route, default=own)

    def _work_out(self, hex: Hex, direction: int) -> StepCost | Refusal:
        ground = self.ground
        route = route_across(ground, hex, direction)
        refusal = refuse_bridge(ground, hex, direction, route)
        if refusal is not None:
            return refusal
        to = NEIGHBOURS[hex][direction]
        if to not in ground.map.hexes:
            return self._price(None, hex, route, (), (), whole=False)
        heights = self._heights(hex, to, direction, route)
        if isinstance(heights, Refusal):
            return heights
        # A route leads through walls and hedgerows by a gap.
        hexside = self._hexside(hex, direction) if route is Route.NONE else ((), False)
        if isinstance(hexside, Refusal):
            return hexside
        adders, whole = hexside
        return self._price(to, to, route, (*adders, *heights[0]), heights[1], whole=whole)

    @rule("4.5.1.1.2")
    def _heights(
        self, hex: Hex, to: Hex, direction: int, route: Route
    ) -> tuple[tuple[Modifier, ...], tuple[Modifier, ...]] | Refusal:
        """What the change of Height adds, cross-country and on the route; too steep is refused (4.5.1.1.2)"""
        ground = self.ground
        side = ground.sides.get(SIDES[hex][direction])
        change = abs(ground.places[hex].level - ground.places[to].level)
        if change > self.height_limit:
            return Refusal(
                "4.5.1.1.2",
                f"{ground.places[to].label} is {change} Heights away: "
                f"{self.going.who} changes {self.height_limit} at most",
                "go round by a gentler slope",
            )
        if side is not None and side.cliff and route is Route.NONE:
            reason = f"the hill's edge towards {ground.places[to].label} is no Slope but a cliff"
            return Refusal("4.1.4.1.5", reason, "go by a slope, or along a road")
        crest = side is not None and side.crest and not change
        if not change and not crest:
            return (), ()
        label = "across a Crest" if crest else f"change of {change} Height{'s' if change > 1 else ''}"
        costs = ground.tables["height_change_costs"]
        plain, eased = costs.number(change or 1, "cross_country"), costs.number(change or 1, "route")
        if crest:
            eased -= plain
            plain = _number(ground.terrain[CREST].adder.of(self.traction))
            eased = max(0, plain + eased)
        full = Modifier(plain, label, "4.5.1.1.2")
        if route not in (Route.ROAD, Route.PATH):
            return (full,), (full,)
        less = Modifier(eased, f"{label} along the {_word(route)}", "4.5.1.1.5")
        return (full if ground.edition.road_height_discount_needs_road_rate else less,), (less,)

    @rule("4.5.1.1.2")
    def _hexside(self, hex: Hex, direction: int) -> tuple[tuple[Modifier, ...], bool] | Refusal:
        """What the hexside adds, and whether it takes the whole allowance (4.5.1.1.2)"""
        side = self.ground.sides.get(SIDES[hex][direction])
        adders = []
        whole = False
        for kind in side.kinds if side is not None else ():
            row = self.ground.terrain[kind]
            cost = row.adder.of(self.traction)
            if cost is Special.PROHIBITED or (kind in WALLS and not self.going.walls):
                reason = f"{self.going.who} may not cross a {row.title} hexside"
                return Refusal("4.5.1.1.2", reason, "go round it")
            if cost is Special.WHOLE_ALLOWANCE:
                whole = True
            elif cost and kind != CREST:
                adders.append(Modifier(cost, f"across a {row.title}", "4.5.1.1.2"))
        return tuple(adders), whole

    @rule("4.5.1.1.2", "4.5.1.1.9")
    @rule("4.5.1.1.11", editions=("panzer-na",))
    def _price(
        self,
        to: Hex | None,
        terrain_of: Hex,
        route: Route,
        adders: tuple[Modifier, ...],
        route_adders: tuple[Modifier, ...],
        *,
        whole: bool,
    ) -> StepCost | Refusal:
        """The terrain entered, or left for good, and the route that may stand for it (4.5.1.1.2)"""
        edition, on_foot = self.ground.edition, self.going.on_foot
        place = self.ground.places[terrain_of]
        row = max(self._rows(place), key=self.entry_cost)
        base, label, number = self.entry_cost(row), row.title, "4.5.1.1.2"
        route_base = self._route_cost(route)
        by_route = route is Route.TRACK or (route is not Route.NONE and (edition.road_rate_without_start or on_foot))
        if base == FORBIDDEN and route is Route.NONE:
            what = f"{place.label} is {row.title}: prohibited to {self.going.who.removeprefix('a ')}s"
            return Refusal("4.5.1.1.2", what, "only a road or path leads through it")
        if self.going.open_only and route not in (Route.PATH, Route.ROAD) and place.terrain != (CLEAR,):
            what = f"{place.label} is {row.title}: a quickmarch leads through Clear, Path and Road hexes alone"
            return Refusal("6.6.4.2", what, "march")
        if by_route or base == FORBIDDEN:
            number = "4.5.1.1.11" if route is Route.TRACK else "4.5.1.1.5"
            base, label = route_base, f"along the {_word(route)}"
        elif route is Route.NONE:
            adders = (*self._railroad(place.hex), *adders)
        return StepCost(to, route, base, label, number, adders, whole, route_base, route_adders)

    @rule("6.1.4.3.1", editions=("panzer-na",))
    def _rows(self, place: MapHex) -> Sequence[Terrain]:
        """The terrain that the unit enters: leg units go into the buildings, others among them (6.1.4.3.1)"""
        if not self.going.indoors:
            return place.footing
        rows = [row for kind in place.terrain if (row := self.ground.terrain[kind]).inside is not None]
        return rows or place.footing

    def entry_cost(self, row: Terrain) -> int:
        """What the terrain costs to enter."""
        costs = row.inside if self.going.indoors and row.inside is not None else row.cost
        cost: Cost = costs.of(self.traction) if costs is not None else 0
        return cost if isinstance(cost, int) else FORBIDDEN

    @rule("6.6.3", editions=("panzer-na",))
    def building_cost(self, hex: Hex) -> int:
        """What a vehicle pays to go into the buildings of a hex, 0 where there are none for it (6.6.3)"""
        rows = (self.ground.terrain[kind].inside for kind in self.ground.places[hex].terrain)
        costs = [row.of(self.traction) for row in rows if row is not None]
        return max((cost for cost in costs if isinstance(cost, int)), default=0)

    def _route_cost(self, route: Route) -> int:
        """What a hex costs along a route (4.5.1.1.5)"""
        return 0 if route is Route.NONE else self.ground.tables["movement_costs"].number("route_hex")

    def _railroad(self, hex: Hex) -> tuple[Modifier, ...]:
        """What routes without a rate of their own add to the hex (4.5.1.1.2)"""
        ground = self.ground
        kinds = dict.fromkeys(kind for side in SIDES[hex] for kind in ground.routes.get(side, ()))
        rows = [row for kind in kinds if (row := ground.terrain[kind]).placement is Placement.ROUTE and not row.rate]
        return tuple(
            Modifier(cost, row.title, "4.5.1.1.2") for row in rows if (cost := _number(row.adder.of(self.traction)))
        )


def _bare(cost: StepCost, reverse_factor: int) -> StepCosts:
    """The bare numbers of a step; reverse doubles the terrain and not what is added to it (4.5.1.1.7)"""
    added = WHOLE if cost.whole else sum(term.value for term in cost.adders)
    route_added = sum(term.value for term in cost.route_adders)
    return StepCosts(
        cost.to,
        cost.base + added,
        cost.base * reverse_factor + added,
        cost.route_base + route_added,
        cost.route_base * reverse_factor + route_added,
        cost.route,
    )


def _number(cost: Cost) -> int:
    return cost if isinstance(cost, int) else FORBIDDEN


def _word(route: Route) -> str:
    return route.name.capitalize()


_Key = Going | Traction | tuple[Traction, UnitClass, bool, bool, bool, Gait]


def cost_table(ground: MovementGround, going: Going) -> CostTable:
    """The costs on ``ground`` for a way of going: a pure function of both, remembered while the ground lives."""
    tables: dict[_Key, CostTable] = ground.costs
    found = tables.get(going)
    if found is None:
        found = tables[going] = CostTable(ground, going)
    return found


def costs_of(ground: MovementGround, card: Card, facts: MoveFacts, gait: Gait) -> CostTable:
    """The costs of a unit of the Advanced Game: by all of it that says how it goes."""
    tables: dict[_Key, CostTable] = ground.costs
    key = card.movement.mode, facts.unit_class, facts.card.motorcycle, facts.attached, facts.heavy, gait
    found = tables.get(key)
    if found is None:
        found = tables[key] = cost_table(ground, going_of(card, facts, gait, ground.tables))
    return found


def vehicle_costs(ground: MovementGround, mode: Traction) -> CostTable:
    """The costs of a vehicle of the Basic Game."""
    tables: dict[_Key, CostTable] = ground.costs
    found = tables.get(mode)
    if found is None:
        found = tables[mode] = cost_table(ground, vehicle_going(mode, ground.tables))
    return found
