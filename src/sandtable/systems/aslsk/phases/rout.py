"""3.6 Rout Phase: broken units get away from the enemy, the ATTACKER's first, one unit at a time.

Who must rout comes under DM as the phase begins. A rout is announced as a whole path and executed hex by hex; a unit
that is interdicted and may go on decides anew where to. Who must rout and cannot is eliminated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from typing import TYPE_CHECKING

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch, Leaf, Node, Pick
from sandtable.core.errors import Refusal
from sandtable.geo.hex import NEIGHBOURS, Hex
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import Action, Continue, Done, Rout
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.hidden import hidden_at, reveal, veiled
from sandtable.systems.aslsk.common.known import adjacent_enemies
from sandtable.systems.aslsk.common.possession import drop, ipc, weapons_of
from sandtable.systems.aslsk.common.refusals import refuse_stranger
from sandtable.systems.aslsk.effects.casualties import LeaderLoss, eliminate
from sandtable.systems.aslsk.effects.morale import settle_leader_losses
from sandtable.systems.aslsk.fire.gun_cover import is_emplaced, manned_gun
from sandtable.systems.aslsk.fire.interdiction import interdict, interdictors
from sandtable.systems.aslsk.movement.movement_costs import entry_cost
from sandtable.systems.aslsk.phases.rout_paths import Offer, RoutMap, rout_map
from sandtable.systems.aslsk.pieces.state import Routing, RoutPhase, State, Unit, UnitId, WeaponId

if TYPE_CHECKING:
    from random import Random

__all__ = [
    "advance_routing",
    "begin_rout_phase",
    "continue_options",
    "continue_rout",
    "fail_to_rout",
    "has_rout",
    "must_rout",
    "refuse_continue_rout",
    "refuse_rout",
    "refuse_rout_done",
    "rout_options",
    "start_rout",
]


@rule("3.6")
def must_rout(context: Context, state: State, unit: Unit) -> bool:
    """Next to an unbroken Known Enemy Unit, or in Open Ground under the eyes of an interdictor (3.6)."""
    if not unit.broken or unit.melee or unit.hex is None:
        return False
    if next(adjacent_enemies(context, state, unit.hex, unit.side), None) is not None:
        return True
    gun = manned_gun(context, state, unit.id)
    if gun is not None and is_emplaced(context, gun, unit):
        # Its TEM leaves no FFMO (3.6, 6.3).
        return False
    return next(interdictors(context, state, unit.hex, unit.side), None) is not None


@rule("3.6")
def begin_rout_phase(context: Context, play: Play) -> None:
    """Broken units that must rout come under DM (3.6)."""
    for unit in play.state.units.values():
        if unit.broken and not unit.dm and must_rout(context, play.state, unit):
            play.emit(ev.Desperation(unit.id, "must rout"))


def _eligible(state: State, player: str) -> Iterator[Unit]:
    """Broken units under DM that have not routed yet."""
    for unit in state.units.values():
        if unit.broken and unit.side == player and unit.dm and unit.on_map and not unit.melee and not unit.routed:
            yield unit


def _escorts(context: Context, state: State, unit: Unit) -> Iterator[Unit]:
    """Unbroken leaders stacked with a unit that may rout with it."""
    for leader in state.units.values():
        if leader.hex == unit.hex and _refuse_escort(context, unit, leader) is None:
            yield leader


def has_rout(context: Context, state: State, frame: RoutPhase) -> bool:
    """Whether a unit of the player has a legal rout."""
    return any(rout_map(context, state, unit).can_rout() for unit in _eligible(state, frame.player))


def rout_options(context: Context, state: State, frame: RoutPhase) -> Node[Action]:
    """A unit, who goes with it, and its path; or the end of the player's routs (3.6)."""

    def ways() -> Iterator[Branch[Action]]:
        if refuse_rout_done(context, state, frame) is None:
            yield Branch("done", "done", "No more routs", Leaf[Action](Done()))
        for unit in _eligible(state, frame.player):
            if rout_map(context, state, unit).can_rout():
                label = f"{context.card(unit).name} {unit.id}"
                yield Branch(unit.id, "unit", label, _company_choice(context, state, unit), unit.id)

    return Pick(ways)


def _company_choice(context: Context, state: State, unit: Unit) -> Node[Action]:
    leaders = list(_escorts(context, state, unit))
    if not leaders:
        return _path_choice(context, state, unit, None)

    def ways() -> Iterator[Branch[Action]]:
        yield Branch("alone", "order", "Alone", _path_choice(context, state, unit, None))
        for leader in leaders:
            if rout_map(context, state, unit, leader).can_rout():
                then = _path_choice(context, state, unit, leader)
                yield Branch(leader.id, "unit", f"With {leader.id}", then, leader.id)

    return Pick(ways)


class _Routes(Node[Action]):
    """Paths of a rout: those worth taking first; somebody who has no plan takes one of these."""

    def __init__(self, make: Callable[[Iterable[Offer]], Iterator[Branch[Action]]], routes: RoutMap) -> None:
        self._make = make
        self._routes = routes

    def branches(self) -> Iterator[Branch[Action]]:
        """All legal paths."""
        return self._make(self._routes.all_offers())

    def sample(self, rng: Random) -> Action:
        """One of the paths worth taking."""
        ways = list(self._make([self._routes.any_offer(rng)]))
        return ways[int(rng.random() * len(ways))].then.sample(rng)


def _path_choice(context: Context, state: State, unit: Unit, leader: Unit | None) -> Node[Action]:
    def ways(offers: Iterable[Offer]) -> Iterator[Branch[Action]]:
        loads = _loads(context, state, unit, leader)
        escort = leader.id if leader is not None else UnitId("")
        for path, low_crawl in offers:
            names = [context.label(hex) for hex in path]
            by = f" by {', '.join(names[:-1])}" if names[1:] else ""
            label = f"Low Crawl to {names[0]}" if low_crawl else f"Rout to {names[-1]}{by}"
            for load in loads:
                action: Action = Rout(unit.id, path, low_crawl, escort, load)
                key = "-".join((*names, *(("crawl",) if low_crawl else ()), *load))
                told = f"{label} with {', '.join(load)}" if len(loads) > 1 else label
                yield Branch(key, "path", told, Leaf(action), names[-1], is_hex=True)

    return _Routes(ways, rout_map(context, state, unit, leader))


@rule("3.6", "4.0")
def keepable(context: Context, state: State, unit: Unit) -> list[tuple[WeaponId, ...]]:
    """Sets of weapons that a routing unit may carry: as close to its capacity as it can, and no Gun (3.6, 4.0)."""
    weapons = [one for one in weapons_of(context, state, unit.id) if context.weapon_card(one).gun is None]
    limit = ipc(context, unit)
    best: dict[int, list[tuple[WeaponId, ...]]] = {}
    for size in range(len(weapons) + 1):
        for some in combinations(weapons, size):
            total = sum(context.weapon_card(weapon).pp for weapon in some)
            if total <= limit:
                best.setdefault(total, []).append(tuple(weapon.id for weapon in some))
    return best[max(best)]


@rule("3.6", "4.0")
def _loads(context: Context, state: State, unit: Unit, leader: Unit | None) -> list[tuple[WeaponId, ...]]:
    """What a unit, and the leader who routs along, may carry between them: each by his own capacity (3.6, 4.0)."""
    own = keepable(context, state, unit)
    if leader is None:
        return own
    return [(*load, *his) for load in own for his in keepable(context, state, leader)]


def _refuse_escort(context: Context, unit: Unit, leader: Unit) -> Refusal | None:
    if leader.side != unit.side or leader.hex != unit.hex or not context.card(leader).is_leader:
        return Refusal("3.6", f"{leader.id} is no leader stacked with {unit.id}", "name one who is, or none")
    if not leader.good_order or leader.pinned or leader.routed:
        return Refusal("3.6", f"{leader.id} may not rout with it", "an unbroken, unpinned leader outside Melee")
    return None


@rule("3.6")
def refuse_rout(context: Context, state: State, frame: RoutPhase, action: Rout) -> Refusal | None:
    """Why a unit may not rout like this (3.6)."""
    unit = state.units.get(action.unit)
    if unit is None or unit.side != frame.player or not unit.on_map:
        return refuse_stranger("3.6", action.unit, frame.player)
    if unit not in list(_eligible(state, frame.player)):
        return Refusal("3.6", f"{unit.id} may not rout now", "a broken unit under DM, outside Melee, once a RtPh")
    leader = None
    if action.escort:
        leader = state.units.get(action.escort)
        if leader is None:
            return Refusal("3.6", f"there is no {action.escort!r}", "name a leader stacked with it, or none")
        refusal = _refuse_escort(context, unit, leader)
        if refusal is not None:
            return refusal
    if not action.path:
        return Refusal("3.6", f"{unit.id} goes nowhere", "name the hexes that it enters")
    if sorted(action.keep) not in [sorted(load) for load in _loads(context, state, unit, leader)]:
        who = f"{unit.id} and {leader.id}" if leader is not None else unit.id
        return Refusal(
            "3.6", f"{who} must carry as close to capacity as can be and drop the rest", "keep what comes closest to it"
        )
    reason = rout_map(context, state, unit, leader).path_refusal(action.path, low_crawl=action.low_crawl)
    return (
        Refusal("3.6", f"{unit.id} may not rout like this: {reason}", "take one of the paths offered")
        if reason
        else None
    )


def refuse_rout_done(context: Context, state: State, frame: RoutPhase) -> Refusal | None:
    """Why the player's routs are not over: who must rout and can, does (3.6)."""
    for unit in _eligible(state, frame.player):
        if must_rout(context, state, unit) and rout_map(context, state, unit).can_rout():
            return Refusal("3.6", f"{unit.id} must rout", "rout it first")
    return None


def start_rout(context: Context, play: Play, action: Rout) -> None:
    """Drop what is too heavy and set off (3.6)."""
    unit = play.state.units[action.unit]
    known = rout_map(context, play.state, unit).enemies_seen()
    escorted = weapons_of(context, play.state, action.escort) if action.escort else ()
    for weapon in (*weapons_of(context, play.state, unit.id), *escorted):
        if weapon.id not in action.keep:
            drop(play, weapon.id)
    frame = Routing(unit.id, action.escort, action.path, known=known, low_crawl=action.low_crawl)
    play.emit(ev.Opened(frame))


@rule("3.6")
def advance_routing(context: Context, play: Play, frame: Routing) -> bool:
    """The next hex of a rout, or its end; False if the owner decides how to go on (3.6)."""
    unit = play.state.units[frame.unit]
    if not unit.on_map or unit.pinned or (not frame.plan and not frame.interrupted):
        _end_rout(context, play, frame)
        return True
    if frame.interrupted:
        routes = _from_here(context, play.state, frame)
        if next(routes.offers(), None) is not None:
            return False
        _end_rout(context, play, frame)
        return True
    _enter_hex(context, play, frame)
    return True


def _from_here(context: Context, state: State, frame: Routing) -> RoutMap:
    unit, escort = state.units[frame.unit], state.units[frame.escort] if frame.escort else None
    state = veiled(context, state, unit.side)
    return RoutMap(context, state, unit, escort=escort, spent=frame.spent, known=frame.known, under_way=True)


@rule("3.6", "6.4")
def _enter_hex(context: Context, play: Play, frame: Routing) -> None:
    unit = play.state.units[frame.unit]
    before, hex = unit.hex, frame.plan[0]
    assert before is not None  # noqa: S101 - a routing unit is on the map
    found = hidden_at(context, play.state, hex, unit.side)
    if found:
        # It is back where it was and must rout on otherwise, and Low Crawl is no way of that (6.4).
        reveal(context, play, [one.id for one in found], f"a broken unit runs into it in {context.label(hex)}")
        play.emit(ev.Changed(replace(frame, plan=(), interrupted=True, low_crawl=False)))
        return
    shun = rout_map(context, play.state, unit).shuns_road(before, hex)
    cost = entry_cost(context, play.state, before, hex, shun_road=shun)
    play.emit(ev.UnitRouted(unit.id, hex, cost, frame.escort, frame.low_crawl))
    seen = rout_map(context, play.state, play.state.units[unit.id]).enemies_seen()
    known = (*frame.known, *seen)
    frame = replace(frame, plan=frame.plan[1:], spent=frame.spent + cost.total, known=tuple(dict.fromkeys(known)))
    play.emit(ev.Changed(frame))
    if frame.low_crawl:
        return
    by = tuple(interdictors(context, play.state, hex, unit.side, NEIGHBOURS[before].index(hex)))
    if not by:
        return
    goes_on = interdict(context, play, unit.id, by, frame.escort)
    if frame.escort and not play.state.units[frame.escort].on_map:
        frame = replace(frame, escort=UnitId(""))
    play.emit(ev.Changed(replace(frame, interrupted=goes_on and bool(frame.plan))))


def _end_rout(context: Context, play: Play, frame: Routing) -> None:
    """The end of a rout; who ends it next to an unbroken Known Enemy Unit has failed to rout (3.6)."""
    unit = play.state.units[frame.unit]
    escort = frame.escort if frame.escort and play.state.units[frame.escort].on_map else UnitId("")
    play.emit(ev.RoutEnded(frame.unit, escort))
    play.emit(ev.Closed())
    if unit.on_map and unit.hex is not None and _is_stranded(context, play.state, unit, unit.hex):
        _eliminate(context, play, unit)


def _is_stranded(context: Context, state: State, unit: Unit, hex: Hex) -> bool:
    return next(adjacent_enemies(context, state, hex, unit.side), None) is not None


def _eliminate(context: Context, play: Play, unit: Unit) -> None:
    losses: list[LeaderLoss] = []
    eliminate(context, play, unit.id, losses, why="failure to rout", number="3.6")
    settle_leader_losses(context, play, losses)


def continue_options(context: Context, state: State, frame: Routing) -> Node[Action]:
    """How to go on after interdiction (3.6)."""

    def ways(offers: Iterable[Offer]) -> Iterator[Branch[Action]]:
        for path, _ in offers:
            names = [context.label(hex) for hex in path]
            then = Leaf[Action](Continue(path=path))
            yield Branch("-".join(names), "path", f"rout {', '.join(names)}", then, names[-1], is_hex=True)

    return _Routes(ways, _from_here(context, state, frame))


def refuse_continue_rout(context: Context, state: State, frame: Routing, action: Continue) -> Refusal | None:
    """Why a rout may not go on like this (3.6)."""
    if action.units or action.steps or action.halt:
        return Refusal("3.6", "a rout goes on along a path of hexes", "name the path alone")
    if not action.path:
        return Refusal(
            "3.6", f"{frame.unit} must go on to the nearest woods or building", "name the hexes that it enters"
        )
    reason = _from_here(context, state, frame).path_refusal(action.path)
    return (
        Refusal("3.6", f"{frame.unit} may not rout like this: {reason}", "take one of the paths offered")
        if reason
        else None
    )


def continue_rout(play: Play, frame: Routing, action: Continue) -> None:
    """Go on along another path (3.6)."""
    play.emit(ev.Changed(replace(frame, plan=action.path, interrupted=False)))


@rule("3.6")
def fail_to_rout(context: Context, play: Play, player: str) -> None:
    """Units that had to rout and have not are eliminated (3.6)."""
    for unit in list(play.state.units.values()):
        now = play.state.units[unit.id]
        if now.broken and now.side == player and now.on_map and not now.routed and must_rout(context, play.state, now):
            _eliminate(context, play, now)
