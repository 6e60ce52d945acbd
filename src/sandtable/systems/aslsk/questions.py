"""Questions that a situation file may ask: what a player would look up or work out at the table.

A question is a mapping with one key that names it, and what it is about::

    ask: {los: [I2, F3]}
    ask: {rout: N7}
    ask: {allowance: {units: [A, L], double_time: true}}
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

from sandtable.core.errors import BadInput, Fault
from sandtable.core.places import with_places
from sandtable.core.questions import Answer, answer_one
from sandtable.core.reading import convert
from sandtable.systems.aslsk.actions import Fire, FireOrdnance
from sandtable.systems.aslsk.close_combat_odds import ambush_drm, attack_drm, cc_firepower, odds_of
from sandtable.systems.aslsk.context import Context
from sandtable.systems.aslsk.experience import is_inexperienced, leadership, morale_level
from sandtable.systems.aslsk.fire_odds import target_odds
from sandtable.systems.aslsk.ground import Ground
from sandtable.systems.aslsk.interdiction import interdictors
from sandtable.systems.aslsk.movement_costs import allowance, entry_halves
from sandtable.systems.aslsk.possession import ipc, portage
from sandtable.systems.aslsk.rally import rally_number
from sandtable.systems.aslsk.rout import must_rout
from sandtable.systems.aslsk.rout_paths import rout_map
from sandtable.systems.aslsk.sight_report import sight_report
from sandtable.systems.aslsk.state import CcAttack, State, Unit, UnitId
from sandtable.systems.aslsk.victory import casualty_points, exit_points

__all__ = ["answer"]


def answer(context: Context, state: State, question: Mapping[str, Any], where: str) -> Answer:
    """Answer one question; raise :class:`BadInput` if it is none."""
    return answer_one(_QUESTIONS, context, state, question, where)


def _unit(state: State, name: object, where: str) -> Unit:
    unit = state.units.get(UnitId(str(name)))
    if unit is None:
        raise BadInput([Fault(where, f"no unit {name!r}", f"one of {', '.join(state.units)}")])
    return unit


def _los(context: Context, state: State, about: Any, where: str) -> Answer:
    a, b = convert(about, tuple[str, str], where)
    ground = context.ground
    assert isinstance(ground, Ground)  # noqa: S101 - the system makes no other
    report = sight_report(ground, context.game_map, a, b)
    one, other = context.game_map.hex(a, where), context.game_map.hex(b, where)
    return {**report, "sees": context.sees(state, one, other), "drm": context.hindrance(state, one, other)}


def _hex(context: Context, state: State, about: Any, where: str) -> Answer:
    """What a hex is to the rules."""
    hex = context.game_map.hex(str(about), where)
    place = context.ground.place(hex)
    return {**place._asdict(), "kind": place.kind.value, "smoke": context.smoke_at(state, hex)}


def _cost(context: Context, state: State, about: Any, where: str) -> Answer:
    """MF from hex to hex along a path."""
    labels = convert(about, tuple[str, ...], where)
    hexes = [context.game_map.hex(label, where) for label in labels]
    costs = [entry_halves(context, state, a, b) / 2 for a, b in pairwise(hexes)]
    return {"costs": costs, "total": sum(costs)}


def _allowance(context: Context, state: State, about: Any, where: str) -> Answer:
    """MF of units that move together."""
    fields = convert(about, dict[str, Any], where)
    units = [_unit(state, name, where) for name in fields["units"]]
    hurried = [unit.id for unit in units] if fields.get("double_time") else []
    found = allowance(context, state, units, double_time=hurried)
    return {unit_id: halves / 2 for unit_id, halves in found.items()}


def _facts(context: Context, state: State, about: Any, where: str) -> Answer:
    """A unit's numbers as it stands."""
    unit = _unit(state, about, where)
    card = context.card(unit)
    found: Answer = {
        "card": card.name,
        "morale": morale_level(context, unit),
        "good_order": unit.good_order,
        "inexperienced": is_inexperienced(context, state, unit),
        "ipc": ipc(context, unit),
        "portage": portage(context, state, unit.id),
    }
    if card.is_leader:
        found["leadership"] = leadership(context, unit)
    return found


def _rally(context: Context, state: State, about: Any, where: str) -> Answer:
    """The rally number of a unit, with a leader or by itself."""
    fields = convert(about, dict[str, str], where)
    leader = _unit(state, fields["leader"], where) if "leader" in fields else None
    number = rally_number(context, _unit(state, fields["unit"], where), leader)
    return {"number": number.total, "drm": number.base - number.total, "explained": number.explain()}


def _rout(context: Context, state: State, about: Any, where: str) -> Answer:
    """Whether a unit must rout, where to, and how it may."""
    unit = _unit(state, about, where)
    routes = rout_map(context, state, unit)
    label = context.label
    goals = routes.destinations()
    offers = list(routes.offers())
    return {
        "must": must_rout(context, state, unit),
        "can": bool(offers),
        "to": None if goals is None else sorted(map(label, goals)),
        "ends": sorted({label(path[-1]) for path, crawl in offers if not crawl}),
        "crawls": sorted(label(path[0]) for path, crawl in offers if crawl),
    }


def _interdicted(context: Context, state: State, about: Any, where: str) -> Answer:
    """Who would interdict a unit of a side in a hex."""
    fields = convert(about, dict[str, str], where)
    hex = context.game_map.hex(fields["hex"], where)
    return {"by": sorted(unit.id for unit in interdictors(context, state, hex, fields["side"]))}


def _odds(context: Context, state: State, about: Any, where: str) -> Answer:
    """Odds, kill number and DRM of a close combat attack."""
    attack = convert(about, CcAttack, where)
    factors = {name: cc_firepower(context, _unit(state, name, where)) for name in (*attack.by, *attack.against)}
    odds = odds_of(context, state.units, factors, attack)
    drm = attack_drm(context, state.units, attack, state.units[attack.by[0]].side, "")
    return {"odds": odds.name, "kill": odds.kill.total, "drm": drm.total}


def _ambush(context: Context, state: State, about: Any, where: str) -> Answer:
    """A side's ambush drm in a hex."""
    fields = convert(about, dict[str, str], where)
    number = ambush_drm(context, state, context.game_map.hex(fields["hex"], where), fields["side"])
    return {"drm": number.total, "explained": number.explain()}


def _points(context: Context, state: State, about: Any, where: str) -> Answer:  # noqa: ARG001
    """Victory points that a side has lost and brought off the map."""
    side = str(about)
    return {"lost": casualty_points(context, state, side), "exited": exit_points(context, state, side)}


def _fire(context: Context, state: State, about: Any, where: str) -> Answer:
    """The exact chances of each target of an attack, as fractions."""
    named = with_places(about, Fire | FireOrdnance, context.game_map.hex)
    action = convert(named, Fire | FireOrdnance, where)  # type: ignore[arg-type]
    return {
        unit_id: {chance.what: chance.exact for chance in chances}
        for unit_id, chances in target_odds(context, state, action).items()
    }


_QUESTIONS: dict[str, Callable[[Context, State, Any, str], Answer]] = {
    "los": _los,
    "hex": _hex,
    "cost": _cost,
    "allowance": _allowance,
    "unit": _facts,
    "rally": _rally,
    "rout": _rout,
    "interdicted": _interdicted,
    "odds": _odds,
    "ambush": _ambush,
    "points": _points,
    "fire": _fire,
}
