"""3.3, 3.3.1, 4.0: units on the move, hex by hex: who may move, with what, and what the next hex costs them.

Units that move together have spent the same; the weakest of them sets the budget. Halves of MF throughout.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

import msgspec

from sandtable.core.content.rule import rule
from sandtable.core.errors import Refusal
from sandtable.geo.hex import NEIGHBOURS, Hex
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.common.fact import HALVES
from sandtable.systems.aslsk.common.numbers import numbers_of
from sandtable.systems.aslsk.common.possession import owners, portage, refuse_gun, refuse_load
from sandtable.systems.aslsk.common.refusals import refuse_melee, refuse_off_map, refuse_overstack
from sandtable.systems.aslsk.common.stacking import fits, held
from sandtable.systems.aslsk.common.vehicles_here import enemy_vehicle_hexes
from sandtable.systems.aslsk.movement.movement_costs import (
    WayIn,
    allowance,
    entry_halves,
    has_choice,
    mf_text,
    way_in,
    ways_out,
)
from sandtable.systems.aslsk.pieces.cards import WeaponKind
from sandtable.systems.aslsk.pieces.state import Mark, MoveStep, State, StepKind, Unit, UnitId, WeaponId, Whereabouts

__all__ = ["MoveProgress", "OpenWay", "Stepper", "exit_counts", "has_fired", "may_move", "refuse_exit", "refuse_mover"]

_UNMARKED, _ON_MAP, _OFF_BOARD = Mark.NONE, Whereabouts.MAP, Whereabouts.OFF_BOARD
_ENTER, _WOODS, _DC = StepKind.ENTER, StepKind.WOODS, WeaponKind.DC
"""Names are looked up quicker than members of enums."""

OpenWay = tuple[StepKind, Hex, int, bool]
"""A step into a hex, with the MF spent by then, in halves, and whether all of it was by road."""


class MoveProgress(msgspec.Struct, frozen=True, gc=False):
    """How far a move has come."""

    hex: Hex | None
    """None off board, and once it has left the map."""
    spent: int = 0
    road: bool = True
    """Whether it crossed road hexsides only, at the road rate."""
    hexes: int = 0
    """Hexes entered."""
    tried: frozenset[str] = frozenset()
    """Units that threw smoke and weapons that were handled, by id."""
    exited: bool = False


@rule("3.2.5", "3.3")
def has_fired(unit: Unit) -> bool:
    """Whether a unit has fired, used a weapon or directed fire in the PFPh (3.3)."""
    return unit.mark is not _UNMARKED or bool(unit.used) or bool(unit.directed)


def may_move(unit: Unit) -> bool:
    """Whether a unit may move in this MPh: :func:`refuse_mover` without the words."""
    return (
        not (unit.moved or unit.broken or unit.melee or unit.pinned)
        and (unit.place is _ON_MAP or unit.place is _OFF_BOARD)
        and not has_fired(unit)
    )


@rule("3.3", "3.3.1")
def refuse_mover(unit: Unit) -> Refusal | None:
    """Why a unit may not move in this MPh (3.3)."""
    if unit.place not in (Whereabouts.MAP, Whereabouts.OFF_BOARD):
        return Refusal("3.3", f"{unit.id} is not in play", "name one on the map or about to enter")
    if unit.broken:
        return Refusal("3.3", f"{unit.id} is broken", "broken units only rout and rally")
    if unit.melee:
        return refuse_melee(unit.id)
    if unit.pinned:
        return Refusal("3.2.3", f"{unit.id} is pinned and does not move this player turn", "move another")
    if has_fired(unit):
        return Refusal("3.3", f"{unit.id} fired, used a weapon or directed fire in the PFPh", "advance it in the APh")
    if unit.moved:
        return Refusal("3.3.1", f"{unit.id} has ended its MPh", "move another")
    return None


@rule("3.3")
def exit_counts(context: Context, state: State, side: str, hex: Hex) -> bool | None:
    """Whether a side may leave the map from a hex now, and if so whether that counts; None if it may not (3.3)."""
    return context.scenario.exit_counts(side, hex, state.turn)


@rule("3.3")
def refuse_exit(context: Context, state: State, side: str, hex: Hex, way: int) -> Refusal | None:
    """Why a side may not leave the map from a hex that way (3.3)."""
    if exit_counts(context, state, side, hex) is None:
        return Refusal("3.3", "units leave the map only as the victory conditions say", "stay on the map")
    if not 0 <= way < len(NEIGHBOURS[hex]) or NEIGHBOURS[hex][way] in context.game_map.hexes:
        return Refusal("3.3", "that way does not lead off the map", "name a hexside at the edge of the map")
    return None


class Stepper:
    """A unit or stack with its budget, hex by hex."""

    __slots__ = (
        "_charges",
        "_dropped",
        "_enemies",
        "_friends",
        "_laden",
        "_room",
        "_throwers",
        "assault",
        "budget",
        "context",
        "costs",
        "road_bonus",
        "side",
        "state",
        "units",
    )

    def __init__(
        self,
        context: Context,
        state: State,
        units: tuple[Unit, ...],
        *,
        assault: bool = False,
        double_time: Collection[UnitId] = (),
        dropped: Collection[WeaponId] = (),
    ) -> None:
        self.context = context
        self.state = state
        self.units = units
        self.side = units[0].side
        self.assault = assault
        self.budget = min(allowance(context, state, units, double_time=double_time, dropped=dropped).values())
        numbers = numbers_of(context)
        self.road_bonus = HALVES * numbers.mf["road_bonus"]
        self.costs = numbers.cost_halves
        self._friends, self._enemies = held(context, state, self.side)
        if state.vehicles:
            self._enemies |= enemy_vehicle_hexes(state, self.side)
        self._dropped = dropped
        carried = owners(context, state)
        self._laden: list[Unit] = []
        self._charges: list[WeaponId] = []
        """The DC that they take along."""
        self._throwers: list[Unit] = []
        """Those who have smoke grenades to throw."""
        for unit in units:
            if unit.id in carried:
                if self._refuse_weapons(unit, ()) is not None:
                    self._laden.append(unit)
                for weapon in carried[unit.id]:
                    if weapon.id not in dropped and context.cards.weapons[weapon.card].kind is _DC:
                        self._charges.append(weapon.id)
            if not unit.threw_smoke and self.smoke_exponent(unit):
                self._throwers.append(unit)
        self._room: dict[Hex, bool] = {}

    def _carried(self) -> dict[WeaponId, Unit]:
        """The weapons that they take along, and who has each."""
        carried = owners(self.context, self.state)
        found: dict[WeaponId, Unit] = {}
        for unit in self.units:
            for weapon in carried.get(unit.id, ()):
                if weapon.id not in self._dropped:
                    found[weapon.id] = unit
        return found

    @rule("4.0", "6.5")
    def _refuse_weapons(self, unit: Unit, without: Collection[WeaponId]) -> Refusal | None:
        """Why one may not take along what he possesses: a SMC carries two PP at the most, nobody a Gun (4.0, 6.5)."""
        context, state = self.context, self.state
        if context.cards.units[unit.card].is_leader:
            refusal = refuse_load(context, unit, portage(context, state, unit.id, without))
            if refusal is not None:
                return refusal
        return refuse_gun(context, state, unit, without)

    def _refuse_load(self, now: MoveProgress) -> Refusal | None:
        """Why they may not take along what they possess and have not dropped."""
        for unit in self._laden:
            refusal = self._refuse_weapons(unit, {*self._dropped, *map(WeaponId, now.tried)})
            if refusal is not None:
                return refusal
        return None

    @rule("3.3", "3.3.1")
    def _enter_step(self, now: MoveProgress, to: Hex, *, shun_road: bool) -> MoveProgress | Refusal:
        """Enter a hex: no enemy in it, room in it, MF for it; the road bonus lasts while the road does (3.3.1)."""
        refusal = self._refuse_hex(now, to) or self._refuse_load(now)
        if refusal is not None:
            return refusal
        if shun_road and not has_choice(self.context, now.hex, to):
            return Refusal(
                "1.1.1",
                "only a woods-road or orchard-road entered by road gives that choice",
                "enter it at the usual cost",
            )
        after = self._pay(now, self._way(now.hex, to), shun_road=shun_road)
        return self._unaffordable(now, to) if after is None else after

    def _way(self, hex: Hex | None, to: Hex) -> WayIn:
        for way in ways_out(self.context, hex) if hex is not None else ():
            if way.to == to:
                return way
        return way_in(self.context, hex, to)

    def _pay(self, now: MoveProgress, way: WayIn, *, shun_road: bool) -> MoveProgress | None:
        paid = self._price(now, way, shun_road)
        return None if paid is None else MoveProgress(way.to, *paid, now.hexes + 1, now.tried)

    def _price(self, now: MoveProgress, way: WayIn, shun_road: bool) -> tuple[int, bool] | None:
        """MF spent with a way in, in halves, and whether it is still by road; None if there are not enough."""
        spent = now.spent + (way.off_road if shun_road else way.halves)
        road = now.road and way.by_road and not shun_road
        if self.state.smoke and self.context.smoke_at(self.state, way.to):
            spent += self.costs["smoke_entry"]
            road = False
        if spent > self.budget and (not road or spent > self.budget + self.road_bonus):
            return None
        if self.assault and (now.hexes or spent >= self.budget):
            return None
        return spent, road

    def _refuse_hex(self, now: MoveProgress, to: Hex) -> Refusal | None:
        context = self.context
        if to not in context.game_map.hexes:
            return refuse_off_map("3.3")
        if now.exited:
            return Refusal("3.3", "the units have left the map", "end the move with that")
        if now.hex is None:
            if any(to not in context.entry(self.state, unit.force) for unit in self.units):
                return Refusal(
                    "3.3",
                    f"{context.label(to)} is no hex through which they enter",
                    "name a hex where their group enters",
                )
        elif to not in NEIGHBOURS[now.hex]:
            here, there = context.label(now.hex), context.label(to)
            return Refusal("3.3", f"{there} is not adjacent to {here}", "units may not skip hexes")
        if to in self._enemies:
            return Refusal("3.3", f"an enemy unit is in {context.label(to)}", "advance into it in the APh")
        if not self._has_room(to):
            return refuse_overstack(context.label(to))
        return None

    def _has_room(self, to: Hex) -> bool:
        if to not in self._friends and len(self.units) == 1:
            return True
        found = self._room.get(to)
        if found is None:
            found = self._room[to] = fits(self.context, self.state, to, self.side, self.units)
        return found

    def _unaffordable(self, now: MoveProgress, to: Hex) -> Refusal:
        cost = entry_halves(self.context, self.state, now.hex, to)
        left = max(0, self.budget - now.spent)
        label = self.context.label(to)
        if self.assault and now.hexes:
            return Refusal("3.3.1", "Assault Movement is a move of one hex", "move without it")
        if self.assault and now.spent + cost <= self.budget:
            return Refusal("3.3.1", "Assault Movement may not take all MF", "move without it")
        return Refusal(
            "3.3.1", f"{label} costs {mf_text(cost)} MF, and {mf_text(left)} are left", "end the move before it"
        )

    def entries(self, now: MoveProgress, *, without: Collection[Hex] = ()) -> Iterator[tuple[MoveStep, MoveProgress]]:
        """Every hex that may be entered next, but for those that nobody asks about."""
        for way in self.ways(now, without=without):
            yield self.enter(now, way)

    def enter(self, now: MoveProgress, way: OpenWay) -> tuple[MoveStep, MoveProgress]:
        """The step by a way that is open, and what it leads to."""
        kind, to, spent, road = way
        return MoveStep(kind, to), MoveProgress(to, spent, road, now.hexes + 1, now.tried)

    def ways(self, now: MoveProgress, *, without: Collection[Hex] = ()) -> Iterator[OpenWay]:
        """The same, not yet made into steps: most ways that are listed nobody goes."""
        if now.exited or (self.assault and now.hexes) or (self._laden and self._refuse_load(now) is not None):
            return
        enemies, friends, alone = self._enemies, self._friends, len(self.units) == 1
        for way in self._gates() if now.hex is None else ways_out(self.context, now.hex):
            to = way.to
            if to in without or to in enemies or not ((alone and to not in friends) or self._has_room(to)):
                continue
            paid = self._price(now, way, False)
            if paid is not None:
                spent, road = paid
                yield _ENTER, to, spent, road
            if way.off_road >= 0:
                paid = self._price(now, way, True)
                if paid is not None:
                    spent, road = paid
                    yield _WOODS, to, spent, road

    def _gates(self) -> Iterator[WayIn]:
        """The ways in for all of them from off board."""
        hexes = self.context.game_map.hexes
        gates = (self.context.entry(self.state, unit.force) for unit in self.units)
        for to in sorted(frozenset.intersection(*gates)):
            if to in hexes:
                yield way_in(self.context, None, to)

    def smoke_exponent(self, unit: Unit) -> int:
        """Smoke exponent of a unit; a scenario may take it away or raise it."""
        card, conditions = self.context.cards.units[unit.card], self.context.scenario.conditions
        return 0 if card.id in conditions.no_smoke else card.smoke + conditions.smoke.get(card.id, 0)
