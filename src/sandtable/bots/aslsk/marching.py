"""Where to move: ways that spare a unit the enemy's fire, weighed with what the ground at their end is worth (3.3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from heapq import heappop, heappush

import msgspec

from sandtable.bots.aslsk.barrage import ASSAULT, MOVING
from sandtable.bots.aslsk.leaving import leave_value, way_out
from sandtable.bots.aslsk.sketch import Sketch
from sandtable.bots.aslsk.smoking import Outlook, throws
from sandtable.bots.aslsk.standing import Party
from sandtable.bots.doctrine import Idea
from sandtable.bots.explain import Reason
from sandtable.core.errors import Refusal
from sandtable.geo.hex import NEIGHBOURS, Hex
from sandtable.systems.aslsk.common.actions import Continue, Done, Move
from sandtable.systems.aslsk.common.possession import portage, refuse_load
from sandtable.systems.aslsk.movement.move_groups import mover_of, present, progress_of
from sandtable.systems.aslsk.movement.mover import Mover
from sandtable.systems.aslsk.movement.stepping import MoveProgress, OpenWay, refuse_mover
from sandtable.systems.aslsk.pieces.state import MovementPhase, MoveStep, Moving, StepKind, Unit, Whereabouts

__all__ = ["END", "continue_ideas", "gain_of_moving", "move_ideas"]

SAFE = 30.0
"""Halves of MF that a careful way is longer by, rather than lose a unit on the short one."""
SHOWN = 6
BOLD = 0.93
"""Chance to come through from which on nobody thinks of smoke."""
LOOKED = 3
"""Moves for whose way smoke is thought of."""
TOLD = 0.05
"""Points from which on a reason is told."""
CHARGE = 30.0
"""FP of a DC."""
END = Idea(Done(), 0.0, lambda: (Reason("nobody moves", 0.0),))
"""The end of the MPh, beside moves."""


class Route(msgspec.Struct, frozen=True, gc=False):
    """A way to a hex."""

    hex: Hex
    steps: tuple[MoveStep, ...]
    spared: float
    """Chance to come through, in shares of a unit's worth."""
    taken: float
    """Points of ground taken on the way, the last hex aside."""
    end: MoveProgress


_Ahead = tuple[float, int, MoveProgress, OpenWay, tuple[MoveStep, ...], float, float]
"""A hex that may be entered: its rank and number, from where and how, the steps to there, what is spared and taken."""


def routes(party: Party, mover: Mover, start: MoveProgress, *, care: float) -> dict[Hex, Route]:
    """The best way to every hex in reach."""
    sketch = party.sketch
    way = ASSAULT if mover.assault else MOVING
    plan = sketch.plan()
    risk = sketch.weights.danger * (1 + 0.1 * (len(party.mmc) - 1 if party.mmc else 0))
    if plan is not None:
        risk *= plan.moving(sketch)
    barrage, state, morale = sketch.barrage(sketch.enemy, way), sketch.state, party.morale
    exposures = barrage.exposures(way, morale)
    residual = {counter.hex: counter.fp for counter in sketch.state.residual}
    prized = sketch.prized() if party.mmc else {}
    harms = sketch.book.harms
    found: dict[Hex, Route] = {}
    seen: set[Hex] = set()
    ranks: dict[Hex, float] = {}
    """The best so far, by hex: a way that is no better is never gone first."""
    queue: list[_Ahead] = []
    number = 0
    now, before, taken = start, 1.0, 0.0
    steps: tuple[MoveStep, ...] = ()
    if now.hex is not None:
        seen.add(now.hex)
    while True:
        for open_way in mover.ways(now, without=seen):
            _, hex, spent, _ = open_way
            exposure = exposures.get(hex)
            lost = risk * (barrage.exposure(state, hex, way, morale) if exposure is None else exposure)
            if hex in residual:
                place = sketch.context.ground.place(hex)
                drm = place.tem - (way == MOVING) - place.open_ground
                odds = harms.of_fp(residual[hex], drm, morale)
                lost = 1 - (1 - lost) * (1 - sketch.suffered(odds, moving=True))
            spared = before * (1 - lost)
            rank = spent + care * (1 - spared) - 0.5 * taken
            if hex in ranks and ranks[hex] <= rank:
                continue
            ranks[hex] = rank
            number += 1
            heappush(queue, (rank, number, now, open_way, steps, spared, taken))
        while queue:
            _, _, now, open_way, steps, before, taken = heappop(queue)
            if open_way[1] not in seen:
                break
        else:
            return found
        # Most ways that are found are never gone first: steps are made of those that are.
        hex = open_way[1]
        seen.add(hex)
        step, now = mover.enter(now, open_way)
        steps = (*steps, step)
        found[hex] = Route(hex, steps, before, taken, now)
        taken += prized.get(hex, 0.0)


class Going(msgspec.Struct, frozen=True, gc=False):
    """A move that was weighed."""

    action: Move | Continue
    gain: float
    """Points over staying where it is."""
    route: Route


def _weigh(party: Party, route: Route, stay: float) -> float:
    """Points of a move over staying: those who are stopped on the way gain nothing."""
    sketch = party.sketch
    there = party.value(route.hex) - stay
    lost = (1 - route.spared) * party.price * sketch.style.care
    return route.taken + (there * route.spared if there > 0 else there) - lost


def _with_charge(party: Party, mover: Mover, route: Route) -> tuple[tuple[MoveStep, ...], float]:
    """A way with a DC placed at its end, if there is an enemy for it, and the points that it may bring (4.3)."""
    sketch = party.sketch
    best, steps = 0.0, route.steps
    for near in NEIGHBOURS[route.hex]:
        targets = [unit for unit in sketch.there.get(near, ()) if unit.side == sketch.enemy]
        step = MoveStep(StepKind.PLACE_DC, near, weapon=party.charges[0])
        if not targets or isinstance(mover.take(route.end, step), Refusal):
            continue
        harm = sum(sketch.harm_to(unit, CHARGE, sketch.context.ground.place(near).tem) for unit in targets)
        # The bearer must come through all fire unpinned, and the charge may fail.
        points = 0.7 * route.spared * harm
        if points > best:
            best, steps = points, (*route.steps, step)
    return steps, best


def _off(party: Party, mover: Mover, route: Route, stay: float) -> Iterator[tuple[tuple[MoveStep, ...], float]]:
    """A way that goes on off the map, and the points for it over staying (3.3)."""
    sketch = party.sketch
    value = leave_value(sketch, party.units, route.hex)
    if value > 0:
        for step in way_out(sketch, mover, route.end):
            lost = (1 - route.spared) * party.price * sketch.style.care
            yield (*route.steps, step), route.taken + (value - stay) * route.spared - lost


def goings(sketch: Sketch, units: Sequence[Unit], *, modes: Sequence[str]) -> list[Going]:
    """Moves of a party from where it stands, the best first."""
    party = Party(sketch, units)
    start = units[0].hex
    stay = party.value(start) if start is not None else -party.price * 2
    found: dict[Hex, Going] = {}
    names = tuple(unit.id for unit in units)
    for mode in modes:
        doubling = names if mode == "double time" else ()
        mover = Mover(sketch.context, sketch.state, tuple(units), assault=mode == "assault", double_time=doubling)
        ways = routes(party, mover, MoveProgress(start), care=SAFE)
        if party.charges and start is not None:
            spared = 1 - sketch.weights.danger * sketch.threat(start, MOVING, party.morale)
            here = Route(start, (), spared, 0.0, MoveProgress(start))
            steps, blown = _with_charge(party, mover, here)
            if steps:
                found[start] = Going(Move(names, steps), blown - (1 - spared) * party.price, here)
        if start is not None and sketch.gates:
            here = Route(start, (), 1.0, 0.0, MoveProgress(start))
            for steps, gain in _off(party, mover, here, stay):
                found[start] = Going(Move(names, steps), gain, here)
        # The careful way may take too many MF: where there is danger, the short one is tried as well.
        hurried = mode != "assault" and any(route.spared < 0.97 for route in ways.values())
        for found_ways in (ways, routes(party, mover, MoveProgress(start), care=0.0) if hurried else {}):
            for hex, route in found_ways.items():
                gain = _weigh(party, route, stay) - (0.15 * party.size if doubling else 0.0)
                steps = route.steps
                if party.charges:
                    steps, blown = _with_charge(party, mover, route)
                    gain += blown
                if sketch.gates:
                    steps, gain = max(((steps, gain), *_off(party, mover, route, stay)), key=lambda way: way[1])
                if hex not in found or gain > found[hex].gain:
                    action = Move(names, steps, assault=mode == "assault", double_time=bool(doubling))
                    found[hex] = Going(action, gain, route)
    ranked = sorted(found.values(), key=lambda going: -going.gain)
    return sorted([*ranked, *_covered(party, ranked, stay)], key=lambda going: -going.gain)


def _covered(party: Party, ranked: Sequence[Going], stay: float) -> Iterator[Going]:
    """Moves that begin with smoke grenades, where the best of those without them go through fire (3.3.1)."""
    sketch, start = party.sketch, party.units[0].hex
    if not sketch.weights.smoke or not party.mmc or start is None or not ranked or ranked[0].gain <= 0:
        return
    under_fire = [going.route for going in ranked[:LOOKED] if going.route.spared < BOLD]
    ways = [route for route in under_fire if route.steps and route.steps[0].to is not None]
    into = dict.fromkeys((*(route.steps[0].to for route in ways if route.steps[0].to is not None), start))

    def look(seen: Sketch, mover: Mover, after: MoveProgress) -> Outlook:
        found = routes(Party(seen, party.units), mover, after, care=SAFE).values()
        weighed = [(_weigh(party, route, stay), (1 - route.spared) * party.price) for route in found]
        return Outlook(*max(weighed, default=(0.0, 0.0)))

    if ways:
        lost = sketch.weights.danger * sketch.threat(start, MOVING, party.morale)
        names = tuple(unit.id for unit in party.units)
        for throw in throws(sketch, party.units, tuple(into), look):
            gain = throw.gain * (1 - lost) - lost * party.price * sketch.style.care
            here = Route(start, (throw.step,), 1 - lost, 0.0, MoveProgress(start))
            yield Going(Move(names, (throw.step,), halt=True), gain * sketch.weights.smoke, here)


def _movable(sketch: Sketch) -> list[Unit]:
    context, state = sketch.context, sketch.state
    return [
        unit
        for unit in state.units.values()
        if unit.side == sketch.seat
        and unit.place in (Whereabouts.MAP, Whereabouts.OFF_BOARD)
        and refuse_mover(unit) is None
        and refuse_load(context, unit, portage(context, state, unit.id)) is None
    ]


def _parties(sketch: Sketch, stack: list[Unit]) -> Iterator[tuple[Unit, ...]]:
    """Who of a hex may go together: squads one by one, a leader with the best of them or with all."""
    context = sketch.context
    leaders = [unit for unit in stack if context.card(unit).is_leader]
    troops = sorted((unit for unit in stack if context.card(unit).is_mmc), key=sketch.worth)
    if leaders and troops:
        yield (*troops, *leaders) if len(stack) <= 4 else (troops[-1], leaders[0])
        if len(troops) > 1:
            yield (troops[-1], leaders[0])
    yield from ((unit,) for unit in troops)
    if not troops:
        yield (leaders[0],)


def _modes(sketch: Sketch, units: Sequence[Unit]) -> list[str]:
    modes = ["", "assault"]
    far = sketch.turns_to(units[0].hex, sketch.wanted()) > 2 if sketch.wanted() else False
    if far and not any(unit.wounded or unit.tired or unit.cx for unit in units):
        modes.append("double time")
    return modes


def move_ideas(sketch: Sketch, frame: MovementPhase) -> list[Idea]:
    """The next unit or stack to move, with its best ways; or the end of the MPh."""
    del frame
    stacks: dict[object, list[Unit]] = {}
    for unit in _movable(sketch):
        stacks.setdefault(unit.hex if unit.hex is not None else unit.force, []).append(unit)
    for stack in sorted(stacks.values(), key=partial(_order, sketch)):
        best: list[tuple[Going, Sequence[Unit]]] = []
        for units in _parties(sketch, stack):
            found = goings(sketch, units, modes=_modes(sketch, units))
            best += [(going, units) for going in found[:SHOWN] if going.gain > sketch.reluctance()]
        if best:
            best.sort(key=lambda pair: -pair[0].gain)
            ideas = [
                Idea(going.action, going.gain, partial(_reasons, sketch, units, going.route))
                for going, units in best[:SHOWN]
            ]
            return [*ideas, END]
    return [Idea(Done(), 0.0, lambda: (Reason("nobody gains by moving", 0.0),))]


def _order(sketch: Sketch, stack: Sequence[Unit]) -> tuple[bool, float, str]:
    """Those off board first, then the cheapest, who draw the fire, then those nearest to the goal."""
    price = min(sketch.worth(unit) for unit in stack)
    return (stack[0].hex is not None, price + 0.1 * sketch.turns_to(stack[0].hex, sketch.wanted()), stack[0].id)


def continue_ideas(sketch: Sketch, frame: Moving) -> list[Idea]:
    """How to go on after drawing fire: the best way on, or to end it here."""
    state = sketch.state
    group = present(frame)
    units = tuple(state.units[unit_id] for unit_id in group.units)
    party = Party(sketch, units)
    mover, now = mover_of(sketch.context, state, frame, units), progress_of(state, frame, group)
    here = party.value(now.hex) if now.hex is not None else -party.price * 2
    found = []
    for route in routes(party, mover, now, care=SAFE).values():
        steps, gain = route.steps, _weigh(party, route, here)
        if sketch.gates:
            steps, gain = max(((steps, gain), *_off(party, mover, route, here)), key=lambda way: way[1])
        if gain > sketch.weights.stir:
            action = Continue(group.units, steps)
            found.append(Idea(action, gain, partial(_reasons, sketch, units, route)))
    found.sort(key=lambda idea: -idea.worth)
    return [*found[:SHOWN], Idea(Continue(), 0.0, lambda: (Reason("goes no farther", 0.0),))]


def gain_of_moving(sketch: Sketch, unit: Unit) -> float:
    """Points that a unit gains by moving, which Prep Fire would cost it (3.2.5)."""
    if refuse_mover(unit) is not None or sketch.context.card(unit).is_leader:
        return 0.0
    found = goings(sketch, (unit,), modes=("",))
    return max(0.0, found[0].gain) if found else 0.0


def _reasons(sketch: Sketch, units: Sequence[Unit], route: Route) -> list[Reason]:
    party = Party(sketch, units)
    found = party.reasons(route.hex)
    if route.taken > 0:
        found.append(Reason("takes ground on the way", round(route.taken, 2)))
    start = units[0].hex
    if start is not None and abs(party.value(start)) >= TOLD:
        found.append(Reason("against staying where it is", -round(party.value(start), 2)))
    lost = (1 - route.spared) * party.price
    if lost > 0.02:
        found.append(Reason(f"{1 - route.spared:.0%} risk on the way", -round(lost, 2)))
    return found
