"""Questions of movement that a situation may ask: allowances, what a way costs, where units may go (5.2.3, 7)."""

from __future__ import annotations

import msgspec

from sandtable.core.content.questions import Answer, Question
from sandtable.core.errors import BadInput, Fault
from sandtable.geo.hex import direction_to
from sandtable.systems.goss.common.asking import hex_named, number_told, units_named
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.crossing import crossing
from sandtable.systems.goss.common.state import State
from sandtable.systems.goss.movement.allowance import MarchFacts, allowance
from sandtable.systems.goss.movement.bottlenecks import crossings_of
from sandtable.systems.goss.movement.marches import Marches
from sandtable.systems.goss.movement.marching import Leg, March
from sandtable.systems.goss.movement.move_path import MovePath
from sandtable.systems.goss.movement.party import Party
from sandtable.systems.goss.movement.walk import MoveProgress, Walk
from sandtable.systems.goss.movement.ways import Kind
from sandtable.systems.goss.tables.movement_costs import ONE_MP

__all__ = ["QUESTIONS"]


class _Move(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Units that move as one."""

    units: tuple[str, ...]
    by: Kind
    way: tuple[str, ...] = ()


def _walk(context: Context, state: State, about: _Move, where: str) -> tuple[Party, Walk]:
    units = units_named(state, about.units, f"{where}.units")
    marches = context.room(Marches)
    party = marches.party(state, units[0].side, about.by, [unit.id for unit in units])
    if party is None:
        raise BadInput([Fault(f"{where}.units", "they do not move as one by it now", "units that do (7.5.1)")])
    return party, marches.walk(state, party, about.by)


def _allowance(context: Context, state: State, about: MarchFacts, where: str) -> Answer:  # noqa: ARG001
    """The movement allowance that follows from facts (7.6.1)."""
    return number_told(allowance(about))


def _paid(walk: Walk, place: MoveProgress) -> float:
    spent = place.best()[1]
    return spent / ONE_MP if walk.counts_points else spent


def _cost(context: Context, state: State, about: _Move, where: str) -> Answer:
    """What a way costs, hex by hex; where it cannot be gone on, the rule against it."""
    _, walk = _walk(context, state, about, where)
    place, costs = walk.start(), list[float]()
    for index, label in enumerate(about.way):
        way = direction_to(place.hex, hex_named(context, label, f"{where}.way[{index}]"))
        if way is None:
            raise BadInput([Fault(f"{where}.way[{index}]", f"{label} is no neighbour", "hex after hex")])
        after = walk.go(place, way)
        if after is None:
            number, reason = walk.why_not(place, way)
            return {"costs": costs, "refused": number, "reason": reason, "at": context.label(place.hex)}
        costs.append(_paid(walk, after) - _paid(walk, place))
        place = after
    told = walk.tracks[place.best()[0]].told
    return {"costs": costs, "cost": _paid(walk, place), "allowance": told.total}


def _reach(context: Context, state: State, about: _Move, where: str) -> Answer:
    """Where units may go, with what each hex costs."""
    party, walk = _walk(context, state, about, where)
    ids = tuple(unit.id for unit in party)
    path = MovePath(context, walk, walk.start(), lambda hexes: March(ids, tuple(map(Leg, hexes))))
    found = sorted((branch.ref, branch.cost) for branch in path.destinations())
    return {"hexes": [label for label, _ in found], "costs": dict(found)}


def _crossed(context: Context, state: State, about: tuple[str, str], where: str) -> Answer:
    """Mech units that have crossed a bridge by road in this phase, and how many still may (7.10.2a)."""
    here, there = (hex_named(context, label, f"{where}[{index}]") for index, label in enumerate(about))
    crossed, left = crossings_of(state, crossing(context, state, here, there).side)
    return {"crossed": crossed, "left": left}


QUESTIONS = {
    "allowance": Question(MarchFacts, _allowance),
    "cost": Question(_Move, _cost),
    "reach": Question(_Move, _reach),
    "bottleneck": Question(tuple[str, str], _crossed),
}
