"""Questions that a situation file may ask: what a player would look up or work out at the table.

A question is a mapping with one key that names it, and what it is about::

    ask: {los: [C3, K7]}
    ask: {spotting_range: tiger}
    ask: {cost: {unit: tiger, legs: [{turn: 1, step: forward}]}}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from sandtable.core.content.questions import Answer, Question, answer_one, named
from sandtable.core.errors import BadInput, Fault
from sandtable.geo.hex import distance
from sandtable.systems.panzer.advanced_card import AdvancedCard
from sandtable.systems.panzer.cards import Ammo, Card, CardId, RangeFactor
from sandtable.systems.panzer.command.available import available_commands, command_range
from sandtable.systems.panzer.formations import FormationId
from sandtable.systems.panzer.frames import Attack
from sandtable.systems.panzer.hex.combat.attack import aspect_of
from sandtable.systems.panzer.hex.combat.fire import in_field_of_fire, number_of
from sandtable.systems.panzer.hex.combat.questions import FIRE_QUESTIONS
from sandtable.systems.panzer.hex.command.orders import formation_status
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.fires.questions import CALL_QUESTIONS
from sandtable.systems.panzer.hex.movement.movement import refuse_move, walk
from sandtable.systems.panzer.hex.movement.movement_costs import allowance
from sandtable.systems.panzer.hex.objectives import review
from sandtable.systems.panzer.hex.progress import Rate
from sandtable.systems.panzer.hex.sight.blind_zone import BlindZones
from sandtable.systems.panzer.hex.sight.sight_report import sight_report
from sandtable.systems.panzer.hex.spotting.questions import SPOTTING_QUESTIONS
from sandtable.systems.panzer.hex.spotting.spotting import can_spot, spotting_range
from sandtable.systems.panzer.hex.state import Leg, State, Unit
from sandtable.systems.panzer.percentile import D10, read_percentile
from sandtable.systems.panzer.unit import Grade, Shot, UnitId

__all__ = ["answer"]


class ShotAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A shot that nobody has announced."""

    firer: str
    target: str
    weapon: int = 0
    ammo: int = 0
    overwatch: bool = False
    moving: bool = False


class HitNumberAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A cell of the AP Hit table."""

    net: int
    range_factor: str


class CardAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A card, and what one of its weapons does at a range."""

    id: str
    weapon: int = 0
    ammo: int = 0
    range: int | None = None


class CostAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A move of a vehicle."""

    unit: str
    legs: tuple[Leg, ...] = ()


class BlindZoneAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An obstacle so many Heights below the higher vehicle, at a range; Height of the lower vehicle."""

    below: int
    range: int
    lower: int = 0


class CommandsAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A formation of a grade with so many active units."""

    grade: Grade
    active: int


def answer(context: Context, state: State, question: Mapping[str, Any], where: str) -> Answer:
    """Answer one question; raise :class:`BadInput` if it is none."""
    return answer_one(_QUESTIONS, context, state, question, where)


def _unit(state: State, name: str, where: str) -> Unit:
    return named(state.units, UnitId(name), "vehicle", where)


def _ammo(card: Card, weapon: int, ammo: int, where: str) -> Ammo:
    """The ammunition of a weapon, by their numbers on the card."""
    if not 0 <= weapon < len(card.weapons):
        raise BadInput([Fault(f"{where}.weapon", f"{card.name} has no weapon {weapon}", _numbers(card.weapons))])
    kinds = card.weapons[weapon].ammo
    if not 0 <= ammo < len(kinds):
        name = card.weapons[weapon].name
        raise BadInput([Fault(f"{where}.ammo", f"the {name} has no AP ammunition {ammo}", _numbers(kinds))])
    return kinds[ammo]


def _numbers(things: Sequence[object]) -> str:
    return f"0 to {len(things) - 1}" if things else "a card that has one"


def _los(context: Context, state: State, about: tuple[str, str], where: str) -> Answer:
    for label in about:
        context.game_map.hex(label, where)
    return sight_report(context.ground_at(state), context.game_map, *about)


def _hex(context: Context, state: State, about: str, where: str) -> Answer:
    """What a hex is to the rules."""
    place = context.ground_at(state).places[context.game_map.hex(about, where)]
    return {
        "height": place.height,
        "level": place.level,
        "terrain": list(place.terrain),
        "cover_spotting": place.cover_spotting.value,
        "cover_fire": place.cover_fire.value,
        "obstacle": place.obstacle,
    }


def _spotting_range(context: Context, state: State, about: str, where: str) -> Answer:
    told = spotting_range(context, state, _unit(state, about, where))
    return {"range": told.total, "row": told.net, "explained": told.explain()}


def _spots(context: Context, state: State, about: tuple[str, str], where: str) -> Answer:
    a, b = about
    verdict = can_spot(context, state, _unit(state, a, where), _unit(state, b, where))
    return {"spots": verdict.spots, "reason": verdict.reason}


def _spots_now(context: Context, state: State, about: tuple[str, str], where: str) -> Answer:
    a, b = about
    verdict = can_spot(context, state, _unit(state, a, where), _unit(state, b, where), live=True)
    return {"spots": verdict.spots, "reason": verdict.reason}


def _shot(context: Context, state: State, about: ShotAsked, where: str) -> Answer:
    """The hit number of a shot, as the position stands."""
    firer, target = _unit(state, about.firer, f"{where}.firer"), _unit(state, about.target, f"{where}.target")
    card = context.cards[firer.card]
    ammo = _ammo(card, about.weapon, about.ammo, where)
    if firer.hex is None or target.hex is None:
        raise BadInput([Fault(where, "both vehicles must be on the mapboard")])
    far = distance(firer.hex, target.hex)
    if ammo.range_factor(far) is None:
        raise BadInput([Fault(where, f"{target.id} is {far} hexes away", f"at most {ammo.R.E}, the maximum range")])
    weapon = card.weapons[about.weapon]
    shot = Shot(firer.id, about.weapon, about.ammo)
    attack = Attack(target.id, (shot,), about.overwatch, about.moving)
    facts, number = number_of(context, state, attack, shot)
    return {
        "range_factor": facts.range_factor.value,
        "net": number.net,
        "number": number.total,
        "aspect": aspect_of(firer, target).value,
        "in_field_of_fire": in_field_of_fire(context, weapon, firer, target),
        "explained": number.explain(),
    }


def _hit_number(context: Context, state: State, about: HitNumberAsked, where: str) -> Answer:  # noqa: ARG001
    number = context.tables["ap_hit"].number(about.net, about.range_factor)
    return {"number": number, "possible": number > 0}


def _card_facts(context: Context, state: State, about: CardAsked, where: str) -> Answer:  # noqa: ARG001
    """What stands on a card; with a range, also what a weapon does there."""
    card = context.cards.get(CardId(about.id))
    if card is None:
        raise BadInput([Fault(f"{where}.id", f"no card {about.id!r}")])
    found: Answer = {
        "movement": card.movement_factor,
        "cross_country": card.movement.cross_country,
        "mode": card.movement.mode.value,
        "path": card.movement.path,
        "road": card.movement.road,
        "size": card.size,
        "sb": card.sb,
        "front": card.armor.front,
        "rear": card.armor.rear,
        "armed": card.armed,
        "class": card.unit_class.value,
    }
    if card.advanced is not None:
        found |= _advanced_facts(card.advanced)
    if about != CardAsked(about.id) or (card.weapons and card.weapons[0].ammo):
        ammo = _ammo(card, about.weapon, about.ammo, where)
        found |= {"max_range": ammo.R.of(RangeFactor.E), "ammo": ammo.type.value}
        if about.range is not None:
            factor = ammo.range_factor(about.range)
            found |= {"range_factor": factor, "penetration": ammo.penetration(about.range)}
    return found


def _advanced_facts(card: AdvancedCard) -> Answer:
    """What stands on a card for the Advanced Game, beside its weapons and armor."""
    return {
        "target_type": card.target_type.value,
        "size_class": card.size_class.value,
        "open_topped": card.open_topped,
        "quickmarch": card.quickmarch,
        "burdened": card.burdened,
        "helpless": card.helpless,
        "coax_mg": card.coax_mg,
        "under_cover": card.under_cover,
        "transports": [card.transports.towed, card.transports.leg],
        "needs": [card.needs.towed, card.needs.leg],
    }


def _allowance(context: Context, state: State, about: str, where: str) -> Answer:
    """Allowance of a vehicle at every rate, with its present command and damage."""
    unit = _unit(state, about, where)
    card = context.cards[unit.card]
    told = {
        rate: allowance(card, unit.command, unit.damaged, rate, context.edition, context.tables)
        for rate in (Rate.CROSS_COUNTRY, Rate.PATH, Rate.ROAD)
    }
    return {rate.value: breakdown.total for rate, breakdown in told.items()}


def _cost(context: Context, state: State, about: CostAsked, where: str) -> Answer:
    """What a move costs, or why it is refused."""
    unit, legs = _unit(state, about.unit, f"{where}.unit"), about.legs
    if unit.hex is None:
        raise BadInput([Fault(f"{where}.unit", f"{unit.id} is not on the mapboard")])
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


def _blind_zone(context: Context, state: State, about: BlindZoneAsked, where: str) -> Answer:  # noqa: ARG001
    """The blind zone behind an obstacle."""
    hexes = BlindZones(context.tables).zone(about.below, about.lower, about.range)
    return {"hexes": hexes, "from": about.range + 1, "to": about.range + hexes}


def _divisors(context: Context, state: State, about: int, where: str) -> Answer:  # noqa: ARG001
    return {"divisors": [BlindZones(context.tables).divisor(below, about) for below in (1, 2, 3)]}


def _control(context: Context, state: State, about: str, where: str) -> Answer:
    """Who would control an objective if the turn ended now."""
    standing = named(review(state, context.scenario, context.cards), about, "objective", where)
    return {"holder": standing.holder, "occupant": standing.occupant, "turns": standing.turns}


def _roll(context: Context, state: State, about: tuple[int, int], where: str) -> Answer:  # noqa: ARG001
    for die in about:
        if not 0 <= die < D10.sides:
            raise BadInput([Fault(where, f"{die} is no face of a ten-sided die", "two faces, 0 to 9")])
    return {"roll": read_percentile(*about)}


def _formation(context: Context, state: State, about: str, where: str) -> Answer:
    """A formation of the Advanced Game as it stands: active units, available commands, Command Range."""
    named(context.scenario.formations, FormationId(about), "formation", where)
    status = formation_status(context, state, about)
    active = sorted(status.active)
    return {
        "active": active,
        "count": len(active),
        "combat_units": sum(member.armed for member in status.members.values()),
        "commands": status.commands,
        "range": status.reach,
    }


def _commands(context: Context, state: State, about: CommandsAsked, where: str) -> Answer:  # noqa: ARG001
    """A row of the Available Commands Table."""
    table = context.tables["available_commands"]
    return {
        "commands": available_commands(table, about.grade, about.active),
        "range": command_range(table, about.grade),
    }


_QUESTIONS: dict[str, Question[Context, State]] = {
    "los": Question(tuple[str, str], _los),
    "hex": Question(str, _hex),
    "spotting_range": Question(str, _spotting_range),
    "spots": Question(tuple[str, str], _spots),
    "spots_now": Question(tuple[str, str], _spots_now),
    "shot": Question(ShotAsked, _shot),
    "hit_number": Question(HitNumberAsked, _hit_number),
    "card": Question(CardAsked, _card_facts),
    "allowance": Question(str, _allowance),
    "cost": Question(CostAsked, _cost),
    "blind_zone": Question(BlindZoneAsked, _blind_zone),
    "divisors": Question(int, _divisors),
    "control": Question(str, _control),
    "formation": Question(str, _formation),
    "commands": Question(CommandsAsked, _commands),
    "roll": Question(tuple[int, int], _roll),
    **SPOTTING_QUESTIONS,
    **FIRE_QUESTIONS,
    **CALL_QUESTIONS,
}
