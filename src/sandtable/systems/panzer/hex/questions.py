"""Questions that a situation file may ask: what a player would look up or work out at the table.

A question is a mapping with one key that names it, and what it is about::

    ask: {los: [C3, K7]}
    ask: {spotting_range: tiger}
    ask: {cost: {unit: tiger, legs: [{turn: 1, step: forward}]}}
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sandtable.core.errors import BadInput, Fault
from sandtable.core.questions import Answer, answer_one
from sandtable.core.reading import convert
from sandtable.systems.panzer.cards import Card, CardId, RangeFactor
from sandtable.systems.panzer.hex.blind_zone import BlindZones
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.fire import aspect_of, in_field_of_fire, number_of
from sandtable.systems.panzer.hex.movement import refuse_move, walk
from sandtable.systems.panzer.hex.movement_costs import allowance
from sandtable.systems.panzer.hex.objectives import review
from sandtable.systems.panzer.hex.percentile import read_percentile
from sandtable.systems.panzer.hex.progress import Rate
from sandtable.systems.panzer.hex.sight_report import sight_report
from sandtable.systems.panzer.hex.spotting import can_spot, spotting_range
from sandtable.systems.panzer.hex.state import Attack, Leg, Shot, State, Unit, UnitId

__all__ = ["answer"]


def answer(context: Context, state: State, question: Mapping[str, Any], where: str) -> Answer:
    """Answer one question; raise :class:`BadInput` if it is none."""
    return answer_one(_QUESTIONS, context, state, question, where)


def _unit(state: State, name: object, where: str) -> Unit:
    unit = state.units.get(UnitId(str(name)))
    if unit is None:
        raise BadInput([Fault(where, f"no vehicle {name!r}", f"one of {', '.join(state.units)}")])
    return unit


def _card(context: Context, name: object, where: str) -> Card:
    card = context.cards.get(CardId(str(name)))
    if card is None:
        raise BadInput([Fault(where, f"no card {name!r}")])
    return card


def _los(context: Context, state: State, about: Any, where: str) -> Answer:  # noqa: ARG001
    a, b = convert(about, tuple[str, str], where)
    return sight_report(context.ground, context.game_map, a, b)


def _hex(context: Context, state: State, about: Any, where: str) -> Answer:  # noqa: ARG001
    """What a hex is to the rules."""
    place = context.ground.places[context.game_map.hex(str(about))]
    return {
        "height": place.height,
        "level": place.level,
        "terrain": list(place.terrain),
        "cover_spotting": place.cover_spotting.value,
        "cover_fire": place.cover_fire.value,
        "obstacle": place.obstacle,
    }


def _spotting_range(context: Context, state: State, about: Any, where: str) -> Answer:
    told = spotting_range(context, state, _unit(state, about, where))
    return {"range": told.total, "row": told.net, "explained": told.explain()}


def _spots(context: Context, state: State, about: Any, where: str) -> Answer:
    a, b = convert(about, tuple[str, str], where)
    verdict = can_spot(context, state, _unit(state, a, where), _unit(state, b, where))
    return {"spots": verdict.spots, "reason": verdict.reason}


def _spots_now(context: Context, state: State, about: Any, where: str) -> Answer:
    a, b = convert(about, tuple[str, str], where)
    verdict = can_spot(context, state, _unit(state, a, where), _unit(state, b, where), live=True)
    return {"spots": verdict.spots, "reason": verdict.reason}


def _shot(context: Context, state: State, about: Any, where: str) -> Answer:
    """The hit number of a shot, as the position stands."""
    fields = convert(about, dict[str, Any], where)
    shot = Shot(UnitId(str(fields["firer"])), int(fields.get("weapon", 0)), int(fields.get("ammo", 0)))
    target = _unit(state, fields["target"], where)
    attack = Attack(target.id, (shot,), bool(fields.get("overwatch")), bool(fields.get("moving")))
    facts, number = number_of(context, state, attack, shot)
    firer = _unit(state, shot.firer, where)
    weapon = context.cards[firer.card].weapons[shot.weapon]
    return {
        "range_factor": facts.range_factor.value,
        "net": number.net,
        "number": number.total,
        "aspect": aspect_of(firer, target).value,
        "in_field_of_fire": in_field_of_fire(context, weapon, firer, target),
        "explained": number.explain(),
    }


def _hit_number(context: Context, state: State, about: Any, where: str) -> Answer:  # noqa: ARG001
    fields = convert(about, dict[str, Any], where)
    number = context.tables["ap_hit"].number(int(fields["net"]), str(fields["range_factor"]))
    return {"number": number, "possible": number > 0}


def _card_facts(context: Context, state: State, about: Any, where: str) -> Answer:  # noqa: ARG001
    """What stands on a card; with a range, also what a weapon does there."""
    fields = convert(about, dict[str, Any], where)
    card = _card(context, fields["id"], where)
    found: Answer = {
        "movement": str(card.movement),
        "cross_country": card.movement.cross_country,
        "mode": card.movement.mode.value,
        "path": card.movement.path,
        "road": card.movement.road,
        "size": card.size,
        "sb": card.sb,
        "front": card.armor.front,
        "rear": card.armor.rear,
        "armed": card.armed,
    }
    if card.weapons and card.weapons[int(fields.get("weapon", 0))].ammo:
        ammo = card.weapons[int(fields.get("weapon", 0))].ammo[int(fields.get("ammo", 0))]
        found |= {"max_range": ammo.R.of(RangeFactor.E), "ammo": ammo.type.value}
        if "range" in fields:
            factor = ammo.range_factor(int(fields["range"]))
            found |= {"range_factor": factor, "penetration": ammo.penetration(int(fields["range"]))}
    return found


def _allowance(context: Context, state: State, about: Any, where: str) -> Answer:
    """Allowance of a vehicle at every rate, with its present command and damage."""
    unit = _unit(state, about, where)
    card = context.cards[unit.card]
    told = {
        rate: allowance(card, unit.command, unit.damaged, rate, context.edition, context.tables)
        for rate in (Rate.CROSS_COUNTRY, Rate.PATH, Rate.ROAD)
    }
    return {rate.value: breakdown.total for rate, breakdown in told.items()}


def _cost(context: Context, state: State, about: Any, where: str) -> Answer:
    """What a move costs, or why it is refused."""
    fields = convert(about, dict[str, Any], where)
    unit = _unit(state, fields["unit"], where)
    legs = convert(fields.get("legs", []), tuple[Leg, ...], f"{where}.legs")
    refusal = refuse_move(context, state, unit.id, legs)
    if refusal is not None:
        return {"refused": refusal.rule, "reason": refusal.reason}
    results = walk(context, state, unit.id, legs)
    if not results:
        return {"spent": 0, "costs": []}
    last = results[-1]
    costs = [sum(cost.total for cost in (leg.turn, leg.step) if cost is not None) for leg in results]
    return {
        "spent": last.spent,
        "allowance": last.progress.allowance(last.rate),
        "rate": last.rate.value,
        "at": context.game_map.label(last.hex),
        "costs": costs,
    }


def _blind_zone(context: Context, state: State, about: Any, where: str) -> Answer:  # noqa: ARG001
    """Blind zone behind an obstacle: Heights below the higher vehicle, its range, Height of the lower vehicle."""
    fields = convert(about, dict[str, int], where)
    zones = BlindZones(context.tables)
    below, lower = fields["below"], fields.get("lower", 0)
    hexes = zones.zone(below, lower, fields["range"])
    return {"hexes": hexes, "from": fields["range"] + 1, "to": fields["range"] + hexes}


def _divisors(context: Context, state: State, about: Any, where: str) -> Answer:  # noqa: ARG001
    lower = convert(about, int, where)
    return {"divisors": [BlindZones(context.tables).divisor(below, lower) for below in (1, 2, 3)]}


def _control(context: Context, state: State, about: Any, where: str) -> Answer:
    """Who would control an objective if the turn ended now."""
    reviewed = review(state, context.scenario, context.cards)
    if about not in reviewed:
        raise BadInput([Fault(where, f"no objective {about!r}", f"one of {', '.join(reviewed)}")])
    standing = reviewed[about]
    return {"holder": standing.holder, "occupant": standing.occupant, "turns": standing.turns}


def _roll(context: Context, state: State, about: Any, where: str) -> Answer:  # noqa: ARG001
    tens, units = convert(about, tuple[int, int], where)
    return {"roll": read_percentile(tens, units)}


_QUESTIONS: dict[str, Callable[[Context, State, Any, str], Answer]] = {
    "los": _los,
    "hex": _hex,
    "spotting_range": _spotting_range,
    "spots": _spots,
    "spots_now": _spots_now,
    "shot": _shot,
    "hit_number": _hit_number,
    "card": _card_facts,
    "allowance": _allowance,
    "cost": _cost,
    "blind_zone": _blind_zone,
    "divisors": _divisors,
    "control": _control,
    "roll": _roll,
}
