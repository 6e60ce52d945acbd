"""Questions that a situation file may ask: what a player would look up or work out at the table.

A question is a mapping with one key that names it, and what it is about::

    ask: {los: [I2, F3]}
    ask: {rout: N7}
    ask: {allowance: {units: [A, L], double_time: true}}
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import pairwise
from typing import Any

import msgspec

from sandtable.core.content.questions import Answer, Question, answer_one, named
from sandtable.core.content.reading import convert
from sandtable.core.errors import BadInput, Fault
from sandtable.core.places import with_places
from sandtable.geo.hex import distance
from sandtable.systems.aslsk.common.actions import Fire, FireOrdnance
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.common.experience import is_inexperienced, leadership, morale_level
from sandtable.systems.aslsk.common.possession import ipc, portage
from sandtable.systems.aslsk.common.vehicle_actions import FireGun, FireVehicle
from sandtable.systems.aslsk.fire.interdiction import interdictors
from sandtable.systems.aslsk.movement.manhandling import manhandling_number
from sandtable.systems.aslsk.movement.movement_costs import allowance, entry_halves
from sandtable.systems.aslsk.phases.close_combat_odds import ambush_drm, attack_drm, cc_firepower, odds_of
from sandtable.systems.aslsk.phases.rally import rally_number
from sandtable.systems.aslsk.phases.rout import must_rout
from sandtable.systems.aslsk.phases.rout_paths import rout_map
from sandtable.systems.aslsk.pieces.state import CcAttack, State, Unit, UnitId, WeaponId
from sandtable.systems.aslsk.rules import AslskRules
from sandtable.systems.aslsk.terrain.ground import Ground
from sandtable.systems.aslsk.terrain.sight_report import sight_report
from sandtable.systems.aslsk.victory import casualty_points, exit_points

__all__ = ["answer"]


class AllowanceAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Units that move together."""

    units: tuple[str, ...]
    double_time: bool = False


class RallyAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A unit that rallies, with a leader or by itself."""

    unit: str
    leader: str = ""


class ManhandlingAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Units that push a Gun into a hex."""

    units: tuple[str, ...]
    weapon: str
    to: str


class SideAt(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A side in a hex."""

    hex: str
    side: str


def answer(rules: AslskRules, state: State, question: Mapping[str, Any], where: str) -> Answer:
    """Answer one question; raise :class:`BadInput` if it is none."""
    fire: Question[Context, State] = Question(dict[str, Any], partial(_fire, rules))
    return answer_one({**_QUESTIONS, "fire": fire}, rules.context, state, question, where)


def _unit(state: State, name: str, where: str) -> Unit:
    return named(state.units, UnitId(name), "unit", where)


def _side(context: Context, name: str, where: str) -> str:
    seats = context.scenario.seats
    if name not in seats:
        raise BadInput([Fault(where, f"no side {name!r}", f"one of {', '.join(seats)}")])
    return name


def _los(context: Context, state: State, about: tuple[str, str], where: str) -> Answer:
    one, other = (context.game_map.hex(label, where) for label in about)
    ground = context.ground
    assert isinstance(ground, Ground)  # noqa: S101 - the system makes no other
    report = sight_report(ground, context.game_map, *about)
    return {**report, "sees": context.sees(state, one, other), "drm": context.hindrance(state, one, other)}


def _hex(context: Context, state: State, about: str, where: str) -> Answer:
    """What a hex is to the rules."""
    hex = context.game_map.hex(about, where)
    place = context.ground.place(hex)
    return {**place._asdict(), "kind": place.kind.value, "smoke": context.smoke_at(state, hex)}


def _cost(context: Context, state: State, about: tuple[str, ...], where: str) -> Answer:
    """MF from hex to hex along a path."""
    hexes = [context.game_map.hex(label, where) for label in about]
    for (a, b), label in zip(pairwise(hexes), about[1:], strict=False):
        if distance(a, b) != 1:
            raise BadInput([Fault(where, f"{label} does not touch {context.label(a)}", "hexes that lie side by side")])
    costs = [entry_halves(context, state, a, b) / 2 for a, b in pairwise(hexes)]
    return {"costs": costs, "total": sum(costs)}


def _allowance(context: Context, state: State, about: AllowanceAsked, where: str) -> Answer:
    """MF of units that move together."""
    units = [_unit(state, name, f"{where}.units") for name in about.units]
    hurried = [unit.id for unit in units] if about.double_time else []
    found = allowance(context, state, units, double_time=hurried)
    return {unit_id: halves / 2 for unit_id, halves in found.items()}


def _facts(context: Context, state: State, about: str, where: str) -> Answer:
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


def _rally(context: Context, state: State, about: RallyAsked, where: str) -> Answer:
    """The rally number of a unit, with a leader or by itself."""
    leader = _unit(state, about.leader, f"{where}.leader") if about.leader else None
    if leader is not None and not context.card(leader).is_leader:
        raise BadInput([Fault(f"{where}.leader", f"{leader.id} is no leader", "a leader")])
    number = rally_number(context, _unit(state, about.unit, f"{where}.unit"), leader)
    return {"number": number.total, "drm": number.base - number.total, "explained": number.explain()}


def _manhandling(context: Context, state: State, about: ManhandlingAsked, where: str) -> Answer:
    """The highest DR that moves a Gun, and what makes it up."""
    units = [_unit(state, name, f"{where}.units") for name in about.units]
    weapon = state.weapons.get(WeaponId(about.weapon))
    if weapon is None or weapon.owner not in about.units or context.weapon_card(weapon).gun is None:
        raise BadInput(
            [Fault(f"{where}.weapon", f"{about.weapon!r} is no Gun of theirs", "a Gun that one of them has")]
        )
    to = context.game_map.hex(about.to, f"{where}.to")
    number = manhandling_number(context, state, weapon, units, start=units[0].hex, to=to)
    return {"number": number.total, "explained": number.explain()}


def _rout(context: Context, state: State, about: str, where: str) -> Answer:
    """Whether a unit must rout, where to, and how it may."""
    unit = _unit(state, about, where)
    if unit.hex is None:
        raise BadInput([Fault(where, f"{unit.id} is not on the map", "a unit in a hex")])
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


def _interdicted(context: Context, state: State, about: SideAt, where: str) -> Answer:
    """Who would interdict a unit of a side in a hex."""
    hex, side = context.game_map.hex(about.hex, where), _side(context, about.side, where)
    return {"by": sorted(unit.id for unit in interdictors(context, state, hex, side))}


def _odds(context: Context, state: State, about: CcAttack, where: str) -> Answer:
    """Odds, kill number and DRM of a close combat attack."""
    for field, names in (("by", about.by), ("against", about.against)):
        if not names:
            raise BadInput([Fault(f"{where}.{field}", "nobody", "one unit or more")])
    factors = {name: cc_firepower(context, _unit(state, name, where)) for name in (*about.by, *about.against)}
    odds = odds_of(context, state.units, factors, about)
    drm = attack_drm(context, state.units, about, state.units[about.by[0]].side, "")
    return {"odds": odds.name, "kill": odds.kill.total, "drm": drm.total}


def _ambush(context: Context, state: State, about: SideAt, where: str) -> Answer:
    """A side's ambush drm in a hex."""
    hex, side = context.game_map.hex(about.hex, where), _side(context, about.side, where)
    number = ambush_drm(context, state, hex, side)
    return {"drm": number.total, "explained": number.explain()}


def _points(context: Context, state: State, about: str, where: str) -> Answer:
    """Victory points that a side has lost and brought off the map."""
    side = _side(context, about, where)
    return {"lost": casualty_points(context, state, side), "exited": exit_points(context, state, side)}


def _fire(rules: AslskRules, context: Context, state: State, about: Any, where: str) -> Answer:
    """The exact chances of each target of an attack, as fractions."""
    named = with_places(about, Fire | FireOrdnance | FireGun | FireVehicle, context.game_map.hex)
    action = convert(named, Fire | FireOrdnance | FireGun | FireVehicle, where)  # type: ignore[arg-type]
    return {
        unit_id: {chance.what: chance.exact for chance in chances}
        for unit_id, chances in rules.unit_odds(state, action).items()
    }


_QUESTIONS: dict[str, Question[Context, State]] = {
    "los": Question(tuple[str, str], _los),
    "hex": Question(str, _hex),
    "cost": Question(tuple[str, ...], _cost),
    "allowance": Question(AllowanceAsked, _allowance),
    "unit": Question(str, _facts),
    "rally": Question(RallyAsked, _rally),
    "manhandling": Question(ManhandlingAsked, _manhandling),
    "rout": Question(str, _rout),
    "interdicted": Question(SideAt, _interdicted),
    "odds": Question(CcAttack, _odds),
    "ambush": Question(SideAt, _ambush),
    "points": Question(str, _points),
}
