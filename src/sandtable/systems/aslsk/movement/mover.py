"""3.3, 3.3.1, 4.0: what a unit or stack on the move may do next, and what it costs, before any dice.

Units that move together have spent the same; the weakest of them sets the budget. Halves of MF throughout.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

import msgspec
from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.errors import Refusal
from sandtable.geo.hex import NEIGHBOURS, Hex
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.common.fact import HALVES
from sandtable.systems.aslsk.common.numbers import numbers_of
from sandtable.systems.aslsk.common.possession import lying_at, owners, portage, refuse_gun, refuse_load
from sandtable.systems.aslsk.common.refusals import refuse_melee, refuse_off_map, refuse_overstack
from sandtable.systems.aslsk.common.stacking import at, fits, held
from sandtable.systems.aslsk.common.vehicles_here import enemy_vehicle_hexes, enemy_vehicles_at
from sandtable.systems.aslsk.movement.movement_costs import (
    WayIn,
    allowance,
    entry_halves,
    has_choice,
    mf_text,
    way_in,
    ways_out,
)
from sandtable.systems.aslsk.pieces.cards import GunFacts, WeaponKind
from sandtable.systems.aslsk.pieces.spines import SPINES
from sandtable.systems.aslsk.pieces.state import (
    Mark,
    MoveStep,
    State,
    StepKind,
    Unit,
    UnitId,
    Weapon,
    WeaponId,
    Whereabouts,
)

__all__ = ["MoveProgress", "Mover", "OpenWay", "exit_counts", "has_fired", "may_move", "refuse_mover"]


_UNMARKED, _ON_MAP, _OFF_BOARD = Mark.NONE, Whereabouts.MAP, Whereabouts.OFF_BOARD
_ENTER, _WOODS, _SMOKE, _MANHANDLE = StepKind.ENTER, StepKind.WOODS, StepKind.SMOKE, StepKind.MANHANDLE
"""Names are looked up quicker than members of enums."""


_DC = WeaponKind.DC
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


class Mover:
    """A unit or stack with its budget."""

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

    # --- entering -----------------------------------------------------------------------------------------------

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

    # --- all else that costs MF ---------------------------------------------------------------------------------

    def take(self, now: MoveProgress, step: MoveStep) -> MoveProgress | Refusal:
        """What a step leads to, or why it may not be taken."""
        refusal = _refuse_words(step)
        if refusal is not None:
            return refusal
        if step.kind is _ENTER or step.kind is _WOODS:
            assert step.to is not None  # noqa: S101 - its words were checked
            return self._enter_step(now, step.to, shun_road=step.kind is _WOODS)
        match step.kind:
            case StepKind.EXIT:
                return self._exit(now, step)
            case StepKind.SMOKE:
                return self._smoke(now, step)
            case StepKind.RECOVER:
                return self._recover(now, step)
            case StepKind.PLACE_DC:
                return self._place(now, step)
            case StepKind.DROP:
                return self._drop(now, step)
            case _:
                return self._manhandle(now, step)

    def _spend(self, now: MoveProgress, halves: int, key: str, what: str) -> MoveProgress | Refusal:
        """MF for something else than entering a hex; the road bonus is only for the road."""
        if now.hex is None:
            return Refusal("3.3", f"{what} is not for units off board", "enter the map first")
        if key and key in now.tried:
            return Refusal("3.3.1", f"{what} only once a MPh", "go on without")
        spent = now.spent + halves
        if spent > self.budget or (self.assault and spent >= self.budget):
            left = mf_text(max(0, self.budget - now.spent))
            return Refusal("3.3.1", f"{what} costs {mf_text(halves)} MF, and {left} are left", "go on without")
        tried = now.tried | {key} if key else now.tried
        return MoveProgress(now.hex, spent, road=False, hexes=now.hexes, tried=tried)

    @rule("3.3")
    def _exit(self, now: MoveProgress, step: MoveStep) -> MoveProgress | Refusal:
        """Leave the map where the victory conditions provide for it (3.3)."""
        if now.hex is None:
            return Refusal("3.3", "the units are not on the map", "enter the map first")
        if exit_counts(self.context, self.state, self.side, now.hex) is None:
            return Refusal("3.3", "units leave the map only as the victory conditions say", "stay on the map")
        if not 0 <= step.way < len(NEIGHBOURS[now.hex]) or NEIGHBOURS[now.hex][step.way] in self.context.game_map.hexes:
            return Refusal("3.3", "that way does not lead off the map", "name a hexside at the edge of the map")
        refusal = self._refuse_load(now)
        if refusal is not None:
            return refusal
        spent = now.spent + self.costs["exit"]
        road = now.road and self.context.ground.has_road(now.hex, step.way)
        if self.assault and (now.hexes or spent >= self.budget):
            return Refusal("3.3.1", "Assault Movement is a move of one hex and may not take all MF", "move without it")
        if spent > (self.budget + self.road_bonus if road else self.budget):
            return Refusal("3.3.1", "not enough MF are left to leave the map", "leave it in a later turn")
        return MoveProgress(None, spent, road, now.hexes + 1, now.tried, exited=True)

    @rule("3.3.1")
    def _smoke(self, now: MoveProgress, step: MoveStep) -> MoveProgress | Refusal:
        """Smoke grenades: one MF into the own hex, two into an adjacent one, once a MPh (3.3.1)."""
        unit = self._member(step.unit)
        if unit is None:
            return Refusal("3.3.1", f"{step.unit!r} is none of those that move", "name one that moves")
        if not self.smoke_exponent(unit):
            return Refusal("1.2.2", f"{unit.id} has no smoke exponent", "let a unit with one throw them")
        if unit.threw_smoke:
            return Refusal("3.3.1", f"{unit.id} has attempted smoke grenades in this MPh", "go on without")
        if now.hex is None or step.to not in (now.hex, *NEIGHBOURS[now.hex]):
            return Refusal("3.3.1", "smoke grenades reach the own hex or an adjacent one", "name one of these")
        if step.to not in self.context.game_map.hexes:
            return refuse_off_map("3.3.1")
        cost = self.costs["smoke_own_hex" if step.to == now.hex else "smoke_adjacent_hex"]
        return self._spend(now, cost, unit.id, "a smoke grenade attempt")

    def smoke_exponent(self, unit: Unit) -> int:
        """Smoke exponent of a unit; a scenario may take it away or raise it."""
        card, conditions = self.context.cards.units[unit.card], self.context.scenario.conditions
        return 0 if card.id in conditions.no_smoke else card.smoke + conditions.smoke.get(card.id, 0)

    def _member(self, unit_id: UnitId) -> Unit | None:
        for unit in self.units:
            if unit.id == unit_id:
                return unit
        return None

    @rule("3.3.1", "4.0")
    def _recover(self, now: MoveProgress, step: MoveStep) -> MoveProgress | Refusal:
        """Recovery of an unpossessed weapon for one MF; no weapon moves twice in a MPh (3.3.1, 4.0)."""
        unit = self._member(step.unit)
        weapon = self.state.weapons.get(step.weapon)
        if unit is None:
            return Refusal("3.3.1", f"{step.unit!r} is none of those that move", "name one that moves")
        if now.hex is None or weapon is None or weapon not in lying_at(self.context, self.state, now.hex):
            return Refusal("3.3.1", f"{step.weapon!r} does not lie unpossessed in the hex", "name one that lies there")
        if weapon.moved:
            return Refusal("4.0", f"{weapon.id} has been moved in this MPh", "leave it until another phase")
        return self._spend(now, self.costs["recovery"], "", "recovery")

    @rule("4.3")
    def _place(self, now: MoveProgress, step: MoveStep) -> MoveProgress | Refusal:
        """Place a DC on an adjacent enemy, for the MF that entering his hex would cost (4.3)."""
        owner = self._carried().get(step.weapon)
        weapon = self.state.weapons.get(step.weapon)
        if owner is None or weapon is None or self.context.weapon_card(weapon).kind is not WeaponKind.DC:
            return Refusal("4.3", f"{step.weapon!r} is no DC that one of them possesses", "name one that is")
        if now.hex is None or step.to is None or step.to not in NEIGHBOURS[now.hex] or step.to not in self._enemies:
            return Refusal("4.3", "a DC is placed on an adjacent enemy", "move beside an enemy, and name his hex")
        meant = [vehicle.id for vehicle in enemy_vehicles_at(self.state, step.to, self.side)]
        if step.unit and step.unit not in map(str, meant):
            return Refusal(
                "4.3", f"{step.unit!r} is no enemy AFV in that hex", "name one that is, or none for Infantry"
            )
        if not step.unit and all(unit.side == self.side for unit in at(self.context, self.state, step.to)):
            return Refusal("4.3", "no Infantry is in that hex", "name the AFV that the DC is placed against")
        cost = entry_halves(self.context, self.state, now.hex, step.to)
        return self._spend(now, cost, step.weapon, "placing a DC")

    @rule("4.0")
    def _drop(self, now: MoveProgress, step: MoveStep) -> MoveProgress | Refusal:
        """Drop a weapon, at no cost (4.0)."""
        if step.weapon not in self._carried() or step.weapon in now.tried:
            return Refusal("4.0", f"none of them possesses {step.weapon!r}", "name a weapon of theirs")
        if now.hex is None:
            return Refusal("4.0", "weapons are not dropped off board", "carry them onto the map")
        return replace(now, tried=now.tried | {step.weapon})

    @rule("1.2.6", "6.5")
    def _manhandle(self, now: MoveProgress, step: MoveStep) -> MoveProgress | Refusal:
        """Push a Gun into an adjacent hex at twice the MF: a QSU Gun, nothing else carried, no road bonus (6.5)."""
        context, state = self.context, self.state
        weapon, owner = state.weapons.get(step.weapon), self._carried().get(step.weapon)
        gun = context.weapon_card(weapon).gun if weapon is not None else None
        if weapon is None or owner is None or gun is None or step.weapon in now.tried:
            return Refusal("6.5", f"{step.weapon!r} is no Gun that one of them possesses", "name one that is")
        assert step.to is not None  # noqa: S101 - its words were checked
        refusal = self._refuse_hex(now, step.to) or self._refuse_push(now, weapon, gun, step)
        if refusal is not None:
            return refusal
        cost = 2 * entry_halves(context, state, now.hex, step.to)
        if now.spent + cost > self.budget:
            left = mf_text(max(0, self.budget - now.spent))
            return Refusal(
                "6.5", f"pushing it there costs {mf_text(cost)} MF, and {left} are left", "end the move here"
            )
        return MoveProgress(step.to, now.spent + cost, road=False, hexes=now.hexes + 1, tried=now.tried)

    def _refuse_push(self, now: MoveProgress, weapon: Weapon, gun: GunFacts, step: MoveStep) -> Refusal | None:
        if not 0 <= step.way < len(SPINES):
            return Refusal("3.2.4", "a Gun points at one of six hexspines", "0 to 5")
        if not gun.qsu:
            return Refusal("6.5", f"{weapon.id} is no Quick Set Up Gun and must be limbered to move", "leave it")
        if self.assault:
            return Refusal("6.5", "nobody manhandles a Gun by Assault Movement", "move without")
        if weapon.manhandled and not all(unit.hazardous for unit in self.units):
            return Refusal("4.0", f"{weapon.id} has been moved in this MPh", "leave it until another phase")
        without = {weapon.id, *self._dropped, *map(WeaponId, now.tried)}
        for unit in self.units:
            if portage(self.context, self.state, unit.id, without):
                return Refusal("6.5", f"{unit.id} carries weapons, and who manhandles a Gun carries none", "drop them")
            refusal = refuse_gun(self.context, self.state, unit, without)
            if refusal is not None:
                return refusal
        place = self.context.ground.place(step.to) if step.to is not None else None
        if place is not None and place.building and not gun.fits_building:
            return Refusal("1.2.6", f"{weapon.id} is too large for a building", "push it round the building")
        return None

    def _pushes(self, now: MoveProgress, hex: Hex) -> Iterator[tuple[MoveStep, MoveProgress]]:
        """Guns that may be pushed on, into which hexes and how they point then."""
        for weapon_id in self._carried():
            if self.context.weapon_card(self.state.weapons[weapon_id]).gun is None:
                continue
            for way in ways_out(self.context, hex):
                after = self.take(now, MoveStep(_MANHANDLE, way.to, weapon=weapon_id))
                if isinstance(after, MoveProgress):
                    yield from ((MoveStep(_MANHANDLE, way.to, weapon=weapon_id, way=spine), after) for spine in SPINES)

    def extras(self, now: MoveProgress) -> Iterator[tuple[MoveStep, MoveProgress]]:
        """Everything else that may be done next, dropping weapons apart."""
        if now.hex is None:
            return
        if self._throwers:
            yield from self._smokes(now, now.hex)
        if self._laden:
            yield from self._pushes(now, now.hex)
        for step in self._extra_steps(now.hex):
            after = self.take(now, step)
            if isinstance(after, MoveProgress):
                yield step, after

    def _smokes(self, now: MoveProgress, hex: Hex) -> Iterator[tuple[MoveStep, MoveProgress]]:
        """Smoke grenades: what they cost is the same for every hex around."""
        for unit in self._throwers:
            if unit.id in now.tried:
                continue
            step = MoveStep(_SMOKE, hex, unit.id)
            after = self._smoke(now, step)
            if isinstance(after, MoveProgress):
                yield step, after
            around = [MoveStep(_SMOKE, way.to, unit.id) for way in ways_out(self.context, hex)]
            beside = self._smoke(now, around[0]) if around else None
            if isinstance(beside, MoveProgress):
                for step in around:
                    yield step, beside

    def _extra_steps(self, hex: Hex) -> Iterator[MoveStep]:
        for weapon in lying_at(self.context, self.state, hex):
            yield from (MoveStep(StepKind.RECOVER, None, unit.id, weapon.id) for unit in self.units)
        for weapon_id in self._charges:
            near = (to for to in NEIGHBOURS[hex] if to in self._enemies)
            for to in near:
                yield MoveStep(StepKind.PLACE_DC, to, weapon=weapon_id)
                for vehicle in enemy_vehicles_at(self.state, to, self.side):
                    yield MoveStep(StepKind.PLACE_DC, to, UnitId(vehicle.id), weapon_id)
        if self.context.scenario.exits and exit_counts(self.context, self.state, self.side, hex) is not None:
            yield from (MoveStep(StepKind.EXIT, way=way) for way in range(6))

    def drops(self, now: MoveProgress) -> Iterator[tuple[MoveStep, MoveProgress]]:
        """Weapons that may be dropped here."""
        for weapon_id in self._carried():
            step = MoveStep(StepKind.DROP, weapon=weapon_id)
            after = self.take(now, step)
            if isinstance(after, MoveProgress):
                yield step, after

    def first_step(self, now: MoveProgress) -> MoveStep | None:
        """Something that may be done next, if anything is; dropping counts for those who must drop to go on."""
        for step, _ in self.entries(now):
            return step
        for step, _ in self.extras(now):
            return step
        if self._laden:
            for step, _ in self.drops(now):
                return step
        return None


_WORDS = {
    StepKind.ENTER: ("to",),
    StepKind.WOODS: ("to",),
    StepKind.EXIT: ("way",),
    StepKind.SMOKE: ("to", "unit"),
    StepKind.RECOVER: ("unit", "weapon"),
    StepKind.PLACE_DC: ("to", "weapon"),
    StepKind.DROP: ("weapon",),
    StepKind.MANHANDLE: ("to", "weapon", "way"),
}


def _refuse_words(step: MoveStep) -> Refusal | None:
    """A step says what it needs and nothing else."""
    if step.kind is _ENTER and step.to is not None and not (step.unit or step.weapon or step.way):
        return None
    needed = _WORDS[step.kind]
    for name in ("to", "unit", "weapon"):
        if name not in needed and getattr(step, name) and not (name == "unit" and step.kind is StepKind.PLACE_DC):
            return Refusal("3.3.1", f"a step that is to {step.kind.value} names no {name}", "leave it out")
    if step.way and "way" not in needed:
        return Refusal("3.3.1", f"a step that is to {step.kind.value} names no way", "leave the way out")
    if "to" in needed and step.to is None:
        return Refusal("3.3.1", f"a step that is to {step.kind.value} names a hex", "name it")
    return None
