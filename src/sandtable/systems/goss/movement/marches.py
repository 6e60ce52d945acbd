"""7.4-7.9 The moves that are open to units in a state: ground, enemy, supply and friends put together."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from weakref import ref

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.core.modifier import Breakdown
from sandtable.geo.hex import NEIGHBOURS, Hex
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.state import FuelState, State
from sandtable.systems.goss.ground.weather import GroundCondition, Weather
from sandtable.systems.goss.movement.allowance import Going
from sandtable.systems.goss.movement.barriers import Barriers
from sandtable.systems.goss.movement.bottlenecks import blocked_bridges
from sandtable.systems.goss.movement.entry_cost import ENTERED, enters_by_trail, entry_cost, is_arriving
from sandtable.systems.goss.movement.ferrying import ferries
from sandtable.systems.goss.movement.free_paths import supplied
from sandtable.systems.goss.movement.front import Front
from sandtable.systems.goss.movement.fuel import FUELLED, fuel_of, has_fuel, may_always_move, sharers
from sandtable.systems.goss.movement.party import Party, can_move, hex_of, kind_of, march_allowance, parties, tread_of
from sandtable.systems.goss.movement.road_stacking import Joining, joining, joining_off_road, may_take_the_road
from sandtable.systems.goss.movement.walk import Track, Walk
from sandtable.systems.goss.movement.ways import START, Ferry, Kind, StepTable, Tread
from sandtable.systems.goss.pieces.card import Trait
from sandtable.systems.goss.pieces.unit import Mode, Supply, Unit, UnitId
from sandtable.systems.goss.tables.movement_costs import ONE_MP

__all__ = ["Marches"]

_KEPT = 24
"""Fronts that are remembered."""
_KEPT_TABLES = 200
_SAID = (ENTERED, FUELLED)
"""Uses that say who may move as one."""
_SUPPLIED = (Supply.GENERAL, Supply.EXTENDED)


class Marches:
    """The moves of a game, with what they rest on kept as long as it holds."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._plain: dict[object, StepTable] = {}
        """Steps on the ground as the map has it; what becomes of bridges leads to others beside them."""
        self._tables: dict[object, StepTable] = {}
        self._fronts: dict[object, Front] = {}
        self._latest: dict[Seat, tuple[ref[State], Front]] = {}
        self._supplied: dict[object, frozenset[Hex]] = {}
        self._parties: dict[Kind, dict[Hex, tuple[tuple[Unit, ...], object, tuple[Party, ...]]]] = {
            kind: {} for kind in Kind
        }

    # --- what is kept ---

    def table(self, state: State, tread: Tread, kind: Kind, going: Going, *, ferry: Ferry | None = None) -> StepTable:
        """The steps of a tread on the ground as it is."""
        weather = _roads(state.weather) if kind is Kind.ROAD else self._context.frost(state)
        ground = (tread, kind, going, state.ruins, weather)
        plain = self._plain.get(ground)
        if plain is None:
            if len(self._plain) >= _KEPT_TABLES:
                self._plain = {}
            as_mapped = replace(state, bridges=())
            plain = self._plain[ground] = StepTable(self._context, as_mapped, tread, kind, going)
        if not state.bridges and ferry is None:
            return plain
        key = (plain, state.bridges, ferry)
        found = self._tables.get(key)
        if found is None:
            if len(self._tables) >= _KEPT_TABLES:
                self._tables = {}
            found = self._tables[key] = StepTable(self._context, state, tread, kind, going, ferry=ferry, plain=plain)
        return found

    def front(self, state: State, seat: Seat) -> Front:
        """The enemy as a state has him: the same front while he stands still."""
        latest = self._latest.get(seat)
        if latest is not None and latest[0]() is state:
            return latest[1]
        key = self._key(state, seat)
        found = self._fronts.get(key)
        if found is None:
            if len(self._fronts) >= _KEPT:
                self._fronts = {}
            found = self._fronts[key] = Front(self._context, state, seat)
        self._latest[seat] = ref(state), found
        return found

    def _key(self, state: State, seat: Seat) -> object:
        foes = [(unit.id, unit.hex, unit.steps, unit.is_depleted) for unit in state.units.values() if unit.side != seat]
        return (seat, tuple(foes), state.veils, state.works, state.ruins, state.weather, self._context.is_night(state))

    @rule("7.7.5")
    def reached(self, state: State, seat: Seat, *, is_mech: bool) -> frozenset[Hex]:
        """Where supply reaches the Leg or the Mech units of a side, as far as the enemy is known (15.2.1)."""
        front = self.front(state, seat)
        table = self.table(state, Tread(seat, is_leg=not is_mech, is_mech=is_mech), Kind.PREPARED, Going.OFF_ROAD)
        key = (table, front.held, front.halting)
        found = self._supplied.get(key)
        if found is None:
            if len(self._supplied) >= _KEPT:
                self._supplied = {}
            found = self._supplied[key] = supplied(front, table, self._context.scenario.sources[seat])
        return found

    # --- who moves ---

    def parties(self, state: State, seat: Seat, kind: Kind) -> list[Party]:
        """Those who may move as one."""
        facts, found = _facts(self._context, state), list[Party]()
        for hex, stack in self._context.deployment(state).stacks.items():
            if stack[0].side == seat:
                found += self._kept_at(state, hex, stack, kind, facts)
        return found

    def parties_at(self, state: State, hex: Hex, kind: Kind) -> tuple[Party, ...]:
        """Those in a hex who may move as one."""
        return self._kept_at(state, hex, self._context.deployment(state).at(hex), kind, _facts(self._context, state))

    def _kept_at(self, state: State, hex: Hex, stack: tuple[Unit, ...], kind: Kind, facts: object) -> tuple[Party, ...]:
        """Kept while nothing that they hang on has changed."""
        at = self._parties[kind]
        kept = at.get(hex)
        if kept is None or kept[0] != stack or kept[1] != facts:
            kept = at[hex] = stack, facts, tuple(self._listed(state, hex, stack, kind))
        return kept[2]

    @rule("6.2.0")
    def _listed(self, state: State, hex: Hex, stack: tuple[Unit, ...], kind: Kind) -> Iterator[Party]:
        """Only who began the phase together moves as one: not who has just come with who was there (6.2.0)."""
        context = self._context
        movers = tuple(unit for unit in stack if can_move(context, state, unit, kind))
        if not movers:
            return
        settled = tuple(unit for unit in stack if not is_arriving(state, unit))
        there = [unit for unit in movers if unit in settled]
        coming = [unit for unit in movers if unit not in settled]
        for party in (*parties(context, there, kind), *parties(context, coming, kind)):
            if len(party) > 1 and not has_fuel(context, state, party):
                continue
            is_free = kind is not Kind.ROAD or len(stack) == 1 or any(unit not in settled for unit in party)
            if is_free or may_take_the_road(context, party, settled, hex):
                yield party

    def party(self, state: State, seat: Seat, kind: Kind, ids: Sequence[UnitId]) -> Party | None:
        """Those units, if they may move as one."""
        first = state.units.get(ids[0]) if ids else None
        if first is None or first.side != seat or first.hex is None:
            return None
        named = set(ids)
        found = self.parties_at(state, first.hex, kind)
        return next((one for one in found if len(one) == len(ids) and {unit.id for unit in one} == named), None)

    # --- how they move ---

    def may_close_in(self, state: State, unit: Unit) -> bool:
        """Whether PA movement brings a unit next to an enemy, or it is there (5.2.1)."""
        front = self.front(state, unit.side)
        adjacent = front.adjacent
        if unit.hex in adjacent or unit.hex not in front.near:
            return unit.hex in adjacent
        is_slow = max(self._prepared_hexes(state, (unit,), tread_of(self._context, (unit,))).values()) == 1
        if is_slow and adjacent.isdisjoint(NEIGHBOURS[unit.hex]):
            return False
        walk = self.walk(state, (unit,), Kind.PREPARED)
        places, seen = [walk.start()], set[Hex]()
        while places:
            after = walk.onward(places.pop())
            if any(one.hex in adjacent for one in after):
                return True
            places += [one for one in after if one.hex not in seen]
            seen.update(one.hex for one in after)
        return False

    def walk(self, state: State, party: Party, kind: Kind, *, runs: bool = False) -> Walk:
        """The moves of a party; ``runs`` if one that was allowed is carried out, and only halts can stop it."""
        context, seat, start = self._context, party[0].side, hex_of(party)
        kind = kind_of(context, party, kind)
        tread, front = tread_of(context, party), self.front(state, seat)
        barriers = None
        if not runs:
            reached, blocked = self.reached(state, seat, is_mech=tread.is_mech), blocked_bridges(context, state, kind)
            barriers = Barriers(context, state, party, front, reached, blocked=blocked)
        costs = context.charts.costs
        near = max(_number(costs.extra_cost("adjacent enemy", name)) for name in tread.classes)
        return Walk(
            start,
            tuple(self._tracks(state, party, tread, kind)),
            front,
            barriers,
            price_near=near if kind.counts_points else 0,
            joins=self._joins(state, party, tread, kind),
            join_price=_number(costs.extra_cost("joins a Mech unit", "Mech")),
            counts_points=kind.counts_points,
            is_commando=all(context.card(unit).has(Trait.COMMANDO) for unit in party),
            has_minimum=may_always_move(context, state, party),
            entry=entry_cost(context, state, party, tread, kind),
        )

    @rule("5.5.5")
    def _joins(self, state: State, party: Party, tread: Tread, kind: Kind) -> Callable[[Hex], Joining]:
        """What friends in a hex mean to a party: on the road all Mech units, elsewhere those in Strat mode (5.5.5)."""
        if kind is Kind.ROAD:
            judge = joining
        elif tread.is_mech and any(unit.mode is Mode.STRATEGIC for unit in state.units.values()):
            judge = joining_off_road
        else:
            return _alone
        context, deployment = self._context, self._context.deployment(state)

        def joins(hex: Hex) -> Joining:
            there = [unit for unit in deployment.at(hex) if not is_arriving(state, unit)]
            if not there:
                return Joining.FREE
            return judge(context, party, there, is_constricted=context.ground.at(hex).is_constricted)

        return joins

    @rule("7.4.0", "7.6.1f")
    def _tracks(self, state: State, party: Party, tread: Tread, kind: Kind) -> Iterator[Track]:
        """The ways to reckon a move, the best first: at night all but the best roads cost more (7.6.1f)."""
        night = ONE_MP if self._context.is_night(state) else 0
        match kind:
            case Kind.PREPARED:
                yield from self._prepared(state, party, tread)
                return
            case Kind.BATTERY:
                yield from self._in_battery(state, party, tread)
                return
            case Kind.ROAD:
                tolls = {Going.GOOD_ROAD: 0, Going.ROAD: night}
                if enters_by_trail(self._context, state, party):
                    del tolls[Going.GOOD_ROAD]
            case _ if tread.is_mech:
                tolls = {Going.OFF_ROAD: night}
            case _:
                tolls = {Going.GOOD_ROAD: 0, Going.ROAD: 0, Going.OFF_ROAD: night}
                yield from self._road_march(state, party, tread)
        for going, toll in tolls.items():
            told = march_allowance(self._context, state, party, going, is_road_march=False)
            yield Track(self.table(state, tread, kind, going), told.total * ONE_MP, toll, (), told)
        if kind is Kind.NON_ROAD:
            for ferry in ferries(self._context, state, party):
                told = march_allowance(self._context, state, party, Going.OFF_ROAD, is_road_march=False)
                table = self.table(state, tread, kind, Going.OFF_ROAD, ferry=ferry)
                yield Track(table, told.total * ONE_MP, night, (), told, ferry)

    @rule("7.6.2")
    def _road_march(self, state: State, party: Party, tread: Tread) -> Iterator[Track]:
        """On foot along good roads, supplied and in command, never next to an enemy nor seen by one (7.6.2)."""
        front, start = self.front(state, party[0].side), hex_of(party)
        if any(unit.supply not in _SUPPLIED or unit.is_out_of_command for unit in party):
            return
        if start in front.adjacent or front.watches(start, is_moving=False):
            return
        told = march_allowance(self._context, state, party, Going.GOOD_ROAD, is_road_march=True)
        table = self.table(state, tread, Kind.NON_ROAD, Going.GOOD_ROAD)
        yield Track(table, told.total * ONE_MP, 0, _Watched(front), told)

    @rule("5.6.1")
    def _in_battery(self, state: State, party: Party, tread: Tread) -> Iterator[Track]:
        """Guns in battery: one hex, and not next to an enemy, unless they are and every hex is (5.6.1)."""
        front, start = self.front(state, party[0].side), hex_of(party)
        table = self.table(state, tread, Kind.BATTERY, Going.OFF_ROAD)
        away: Container[Hex] = front.adjacent
        if start in front.adjacent:
            barriers = Barriers(
                self._context, state, party, front, self.reached(state, party[0].side, is_mech=tread.is_mech)
            )
            steps = zip(NEIGHBOURS[start], table.steps((start, START)), strict=True)
            open_hexes = {hex for hex, step in steps if step and barriers.is_open(start, hex)}
            if open_hexes <= front.adjacent:
                away = ()
        told = Breakdown("In-battery movement", "5.6.1", base=1, base_label="hex")
        yield Track(table, 1, 0, away, told)

    @rule("5.2.3")
    def _prepared_hexes(self, state: State, party: Party, tread: Tread) -> dict[Going, int]:
        """PA movement: a hex on foot, two on wheels and tracks by day, fewer in mud or without fuel (5.2.3)."""
        is_mud = self._context.weather_at(state, hex_of(party)).ground is GroundCondition.MUD
        is_short = any(fuel_of(self._context, state, unit).fuel is not FuelState.NORMAL for unit in party)
        is_slow = self._context.is_night(state) or is_short
        is_commando = all(self._context.card(unit).has(Trait.COMMANDO) for unit in party)
        if tread.is_leg:
            return {Going.OFF_ROAD: 2 if is_commando and not is_mud and not self._context.is_night(state) else 1}
        return {Going.OFF_ROAD: 1} if is_slow else {Going.GOOD_ROAD: 2, Going.OFF_ROAD: 1 if is_mud else 2}

    def _prepared(self, state: State, party: Party, tread: Tread) -> Iterator[Track]:
        goings = self._prepared_hexes(state, party, tread)
        for going, hexes in goings.items():
            told = Breakdown("PA movement", "5.2.3", base=hexes, base_label="hexes")
            yield Track(self.table(state, tread, Kind.PREPARED, going), hexes, 0, (), told)
        for ferry in ferries(self._context, state, party):
            hexes = goings[Going.OFF_ROAD]
            told = Breakdown("PA movement", "5.2.3", base=hexes, base_label="hexes")
            table = self.table(state, tread, Kind.PREPARED, Going.OFF_ROAD, ferry=ferry)
            yield Track(table, hexes, 0, (), told, ferry)


def _roads(weather: Weather) -> tuple[object, ...]:
    """What of the weather says how one moves by road: the ground, zone by zone."""
    return (weather.ground, *((zone, one.ground) for zone, one in weather.zones))


def _facts(context: Context, state: State) -> object:
    """What of a state says who may move as one, besides the stack."""
    uses = tuple([use for use in state.used if use.what in _SAID])
    if not state.formations:
        return (uses,)
    return (uses, state.at.turn, state.formations, sharers(context, state))


def _number(cost: object) -> int:
    assert isinstance(cost, int)  # noqa: S101 - the chart has numbers here
    return cost


class _Watched:
    """The hexes next to an enemy, or that he looks into."""

    def __init__(self, front: Front) -> None:
        self._front = front

    def __contains__(self, hex: object) -> bool:
        return isinstance(hex, Hex) and (hex in self._front.adjacent or self._front.watches(hex))


def _alone(hex: Hex) -> Joining:  # noqa: ARG001
    return Joining.FREE
