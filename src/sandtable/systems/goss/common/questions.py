"""Questions of units and hexes that a situation may ask: rounding, counters, steps, stacks, hexsides (1.5.0, 4, 6)."""

from __future__ import annotations

from fractions import Fraction

import msgspec

from sandtable.core.content.questions import Answer, Question
from sandtable.core.errors import BadInput, Fault
from sandtable.geo.hex import direction_to
from sandtable.systems.goss.common.asking import hex_named, unit_named, units_named
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.crossing import crossing
from sandtable.systems.goss.common.state import State
from sandtable.systems.goss.pieces.card import Card, Trait
from sandtable.systems.goss.pieces.rounding import nearest, rounded_up
from sandtable.systems.goss.pieces.steps import after_loss, size_of, strength
from sandtable.systems.goss.stacking.limits import grouped, limits, overstack
from sandtable.systems.goss.stacking.stacker import stacker

__all__ = ["QUESTIONS"]


class _Losses(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A unit that loses steps."""

    unit: str
    losses: int = 1


class _Stack(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Units that would stand in a hex together, wherever they are now."""

    hex: str
    units: tuple[str, ...]


def _rounded(context: Context, state: State, about: str, where: str) -> Answer:  # noqa: ARG001
    """A number, e.g. ``"1.3"``, rounded both ways (1.5.0)."""
    try:
        exact = Fraction(about)
    except (ValueError, ZeroDivisionError):
        raise BadInput([Fault(where, f"{about!r} is no number", "one such as 1.3, in quotes")]) from None
    return {"up": rounded_up(exact), "nearest": nearest(exact)}


def _counter(card: Card, steps: int) -> Answer:
    return {
        "size": size_of(card, steps).value,
        "kind": card.kind.value,
        "class": card.movement.value,
        "type": "personnel" if card.has(Trait.PERSONNEL) else "vehicular",
        "steps": steps,
        "strength": list(strength(card, steps)),
        "ratings": [card.offensive, card.defensive],
        "ma": card.ma,
    }


def _unit(context: Context, state: State, about: str, where: str) -> Answer:
    """What is on a unit's counter, and the markers on it."""
    unit = unit_named(state, about, where)
    return {
        **_counter(context.card(unit), unit.steps),
        "formation": context.formation_of(unit),
        "regiment": context.card(unit).regiment,
        "at": "" if unit.hex is None else context.label(unit.hex),
        "box": unit.box.value,
        "mode": unit.mode.value,
        "designated": unit.is_designated,
        "fatigue": unit.fatigue,
        "shifts": unit.shifts,
        "in_works": unit.in_works,
        "depleted": unit.is_depleted,
    }


def _losses(context: Context, state: State, about: _Losses, where: str) -> Answer:
    """A unit after so many losses (4.2.2)."""
    unit = unit_named(state, about.unit, f"{where}.unit")
    card, left = context.card(unit), unit.steps
    for _ in range(about.losses):
        after = after_loss(card, left)
        if after is None:
            return {"eliminated": True}
        left = after
    return {"eliminated": False, **_counter(card, left)}


def _stack(context: Context, state: State, about: _Stack, where: str) -> Answer:
    """Whether units may stack in a hex, and as how many they count (6.1.0, 6.2.0)."""
    most = limits(is_constricted=context.ground.at(hex_named(context, about.hex, f"{where}.hex")).is_constricted)
    units = units_named(state, about.units, f"{where}.units")
    counted = [stacker(unit, context.card(unit)) for unit in units]
    too_much = overstack(counted, most)
    return {
        "legal": not too_much,
        "too_much": too_much,
        "units": len(units),
        "counted": [[one.id for one in group] for group in grouped(counted, most)],
    }


def _hexside(context: Context, state: State, about: tuple[str, str], where: str) -> Answer:
    """What lies between two neighbours (26.0)."""
    here, there = (hex_named(context, label, f"{where}[{index}]") for index, label in enumerate(about))
    if direction_to(here, there) is None:
        raise BadInput([Fault(where, f"{about[0]} and {about[1]} are no neighbours", "two hexes side by side")])
    over = crossing(context, state, here, there)
    return {
        "water": over.water.value if over.water is not None else None,
        "river": over.is_river,
        "bridge": over.has_bridge,
    }


QUESTIONS = {
    "rounded": Question(str, _rounded),
    "unit": Question(str, _unit),
    "losses": Question(_Losses, _losses),
    "stack": Question(_Stack, _stack),
    "hexside": Question(tuple[str, str], _hexside),
}
