"""Questions that a situation file on a table may ask: what a player would look up or work out.

A question is a mapping with one key that names it, and what it is about::

    ask: {allowance: S1}
    ask: {way: {unit: S1, draw: "go 15,12; face 180"}}
    ask: {control: bridge}
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from sandtable.core.content.questions import Answer, Question, answer_one, named
from sandtable.core.content.rule import rule
from sandtable.core.errors import BadInput, Fault
from sandtable.core.tree.drawing import read_drawing_text
from sandtable.geo.plane.points import label, range_inches
from sandtable.systems.panzer.cards import CardId
from sandtable.systems.panzer.mini.adjustment.turrets import turret_fields
from sandtable.systems.panzer.mini.combat.questions import MEASURED
from sandtable.systems.panzer.mini.command.orders import is_wasted, refuse_order
from sandtable.systems.panzer.mini.context import Context
from sandtable.systems.panzer.mini.movement.buildings import wall_net
from sandtable.systems.panzer.mini.movement.drive import DrivePath, driver
from sandtable.systems.panzer.mini.objectives import review
from sandtable.systems.panzer.mini.state import State, Unit
from sandtable.systems.panzer.percentile import read_percentile
from sandtable.systems.panzer.unit import Command, UnitId

__all__ = ["QUESTIONS", "answer"]


class WayAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A way of a vehicle, as it is drawn."""

    unit: str
    draw: str


class WallAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A vehicle that breaks into a building with a roll."""

    card: str
    building: str
    roll: int


class OrderAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An order for a unit."""

    unit: str
    order: Command


def answer(context: Context, state: State, question: Mapping[str, Any], where: str) -> Answer:
    """Answer one question; raise :class:`BadInput` if it is none."""
    return answer_one(QUESTIONS, context, state, question, where)


def _unit(state: State, name: str, where: str) -> Unit:
    return named(state.units, UnitId(name), "vehicle", where)


def _card(context: Context, state: State, about: str, where: str) -> Answer:  # noqa: ARG001
    card = named(context.cards, CardId(about), "card", where)
    reaches = {ammo.type.value: ammo.R.E for weapon in card.weapons for ammo in weapon.ammo}
    return {
        "movement": card.movement_factor,
        "enters_buildings": card.enters_buildings,
        "gp_defense": card.gp_defense,
        "maximum_range": reaches,
    }


@rule("4.5.1", editions=("panzer-mini",))
def _range(context: Context, state: State, about: tuple[str, str], where: str) -> Answer:  # noqa: ARG001
    """The range in inches, rounded down (4.5.1)."""
    one, other = (context.table.place(place, where) for place in about)
    return {"range": range_inches(one, other)}


@rule("4.2", editions=("panzer-mini",))
def _dice(context: Context, state: State, about: tuple[int, int], where: str) -> Answer:  # noqa: ARG001
    """Two dice read in order (4.2)."""
    return {"roll": read_percentile(*about)}


def _allowance(context: Context, state: State, about: str, where: str) -> Answer:
    found = driver(context, _unit(state, about, where))
    return {"cross-country": found.cross_country, "path": found.path, "road": found.road}


def _way(context: Context, state: State, about: WayAsked, where: str) -> Answer:
    strokes = read_drawing_text(about.draw)
    unit = _unit(state, about.unit, where)
    if strokes is None or unit.at is None:
        raise BadInput([Fault(f"{where}.draw", f"{about.draw!r} is no drawing", "such as go 12.5,30; face 45")])
    path = DrivePath(context, state, unit)
    judged, steps = path.judge(strokes), path.walk(strokes).steps
    last = steps[-1].after if steps else path.progress
    return {
        "legal": judged.refusal is None,
        "rule": judged.refusal.rule if judged.refusal is not None else "",
        "spent": judged.marks[-1].spent,
        "upto": label(judged.marks[-1].at),
        "rate": "cross-country" if last.rate is None else last.rate.value,
        "costs": [step.cost.total for step in steps],
    }


def _wall(context: Context, state: State, about: WallAsked, where: str) -> Answer:  # noqa: ARG001
    defense = named(context.cards, CardId(about.card), "card", f"{where}.card").gp_defense
    net, limit = wall_net(context.tables["building_entry"], about.building, defense, about.roll)
    return {"net": net.total, "hit": limit, "harmed": net.total <= limit}


def _order(context: Context, state: State, about: OrderAsked, where: str) -> Answer:
    unit = _unit(state, about.unit, where)
    refusal = refuse_order(context, unit, about.order)
    return {
        "refused": refusal.rule if refusal is not None else "",
        "wasted": refusal is None and is_wasted(context, state, unit, about.order),
    }


def _turret(context: Context, state: State, about: str, where: str) -> Answer:
    unit = _unit(state, about, where)
    return {"fields": [field.value for field in turret_fields(context.card_of(unit), unit)]}


def _control(context: Context, state: State, about: str, where: str) -> Answer:
    now = named(review(state, context.scenario, context.cards), about, "objective", where)
    return {"holder": now.holder, "occupant": now.occupant, "contested": now.contested}


QUESTIONS: Mapping[str, Question[Context, State]] = {
    **MEASURED,
    "card": Question(str, _card),
    "range": Question(tuple[str, str], _range),
    "dice": Question(tuple[int, int], _dice),
    "allowance": Question(str, _allowance),
    "way": Question(WayAsked, _way),
    "wall": Question(WallAsked, _wall),
    "order": Question(OrderAsked, _order),
    "turret": Question(str, _turret),
    "control": Question(str, _control),
}
