"""Who may move now, and which units move as one (6.2.0, 6.5.0, 7.5.0, 7.5.1, 7.10.0)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from sandtable.core.content.rule import rule
from sandtable.core.modifier import Breakdown
from sandtable.geo.hex import Hex
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.state import State
from sandtable.systems.goss.movement.allowance import Going, MarchFacts, allowance
from sandtable.systems.goss.movement.fuel import fuel_of, has_fuel, is_mech
from sandtable.systems.goss.movement.ways import Kind, Tread
from sandtable.systems.goss.pieces.card import Card, MovementClass, Size, Trait
from sandtable.systems.goss.pieces.guns import may_move_in_battery
from sandtable.systems.goss.pieces.steps import size_of
from sandtable.systems.goss.pieces.unit import Mode, Supply, Unit, UnitId
from sandtable.systems.goss.stacking.limits import grouped, limits
from sandtable.systems.goss.stacking.stacker import stacker

__all__ = [
    "Party",
    "can_move",
    "hex_of",
    "is_emplaced",
    "is_mobile",
    "is_small",
    "kind_of",
    "march_allowance",
    "parties",
    "tread_of",
]

Party = tuple[Unit, ...]
"""Units that move as one, in the order in which they are kept."""
_SEVERAL = 2
_MODES = {Kind.ROAD: Mode.TAC, Kind.NON_ROAD: Mode.TAC, Kind.PREPARED: Mode.PREPARED_ASSAULT}


@rule("7.5.1")
def can_move(context: Context, state: State, unit: Unit, kind: Kind) -> bool:
    """Whether a unit may move in a step of the movement order (7.5.1, 7.5.2).

    Towed artillery that is in battery may not use roads (5.6.0).
    """
    card = context.card(unit)
    if unit.hex is None or unit.has_moved or unit.in_reserve or unit.mode is not _MODES[kind]:
        return False
    if _is_static(card):
        return False
    if is_emplaced(unit, card):
        return kind is Kind.NON_ROAD and may_move_in_battery(card)
    return (kind is not Kind.ROAD or is_mech(card)) and has_fuel(context, state, (unit,))


def _is_static(card: Card) -> bool:
    return card.movement is MovementClass.STATIC or card.ma == 0


@rule("6.0", "7.5.1")
def is_mobile(context: Context, state: State, unit: Unit) -> bool:
    """Whether a unit may move in a phase, if its owner wants it to: it is not static, and has fuel (7.5.1)."""
    return not _is_static(context.card(unit)) and fuel_of(context, state, unit).fuel_value != 0


@rule("5.6.0", "5.6.2")
def is_emplaced(unit: Unit, card: Card) -> bool:
    """Whether it is in battery and does not move on its own tracks (5.6.0)."""
    return unit.in_battery and not card.has(Trait.SELF_PROPELLED)


def kind_of(context: Context, party: Party, kind: Kind) -> Kind:
    """How units move in a step of the movement order: guns in battery in their own way (5.6.1)."""
    return Kind.BATTERY if is_emplaced(party[0], context.card(party[0])) else kind


@rule("7.5.0", "6.2.0", "7.10.0")
def parties(context: Context, units: Sequence[Unit], kind: Kind) -> Iterator[Party]:
    """Who of a hex may move as one: each unit, those who stack for free, and off the road the whole stack (7.5.0).

    A host leaves behind whom he likes, or takes another along. Two Mech companies of one step are one unit on the
    road (7.10.0).
    """
    yield from ((unit,) for unit in units)
    units = [unit for unit in units if not is_emplaced(unit, context.card(unit))]
    if len(units) < _SEVERAL:
        return
    joined = list(_riding(context, units))
    if kind is Kind.ROAD:
        companies = [unit for unit in units if is_small(context, unit)]
        pairs = [(one, other) for index, one in enumerate(companies) for other in companies[index + 1 :]]
        joined += [pair for pair in pairs if not any(set(pair) == set(group) for group in joined)]
    elif not any(len(group) == len(units) for group in joined):
        joined.append(tuple(units))
    yield from joined


@rule("6.2.0")
def _riding(context: Context, units: Sequence[Unit]) -> Iterator[Party]:
    """A host with those who stack for free with it: an AFV company, engineers or AT, or one of each (6.2.1, 6.2.2)."""
    found = {unit.id: unit for unit in units}
    counted = [stacker(unit, context.card(unit)) for unit in units if _stacks(context, unit)]
    most = limits(is_constricted=False)
    for count in (_SEVERAL + 1, _SEVERAL):
        for chosen in combinations(counted, count):
            if sum(one.size is Size.BATTALION or one.steps > 1 for one in chosen) > 1:
                continue  # two who could only be hosts
            group, *others = grouped(chosen, most)
            if not others:
                yield tuple(found[UnitId(one.id)] for one in group)


def _stacks(context: Context, unit: Unit) -> bool:
    card = context.card(unit)
    return not card.is_headquarters and size_of(card, unit.steps) is not Size.Z_STEP


def is_small(context: Context, unit: Unit) -> bool:
    """Whether it is a Mech company of one step: on the road two of them are one unit (7.10.0)."""
    card = context.card(unit)
    return card.size is Size.COMPANY and unit.steps == 1 and is_mech(card) and not card.is_headquarters


def tread_of(context: Context, party: Party) -> Tread:
    """What the ground asks of units that move as one: the rules of all their classes (6.2.0)."""
    cards = [context.card(unit) for unit in party]
    return Tread(
        party[0].side,
        is_leg=any(card.movement is MovementClass.LEG for card in cards),
        is_mech=any(is_mech(card) for card in cards),
        is_artillery=any(card.is_artillery for card in cards),
        is_heavy=any(card.weight for card in cards),
    )


@rule("6.2.0")
def march_allowance(context: Context, state: State, party: Party, going: Going, *, is_road_march: bool) -> Breakdown:
    """The movement allowance of units that move as one: that of the slowest (6.2.0)."""
    kept = context.room(_Allowances).kept
    found = []
    for unit in party:
        facts = _facts(context, state, unit, going, is_road_march)
        told = kept.get(facts)
        if told is None:
            told = kept[facts] = allowance(facts)
        found.append(told)
    return found[0] if len(found) == 1 else min(found, key=lambda told: told.total)


class _Allowances:
    """The allowances that were reckoned: cards, grounds and fatigues are few."""

    def __init__(self, context: Context) -> None:  # noqa: ARG002 - rooms are made so
        self.kept: dict[MarchFacts, Breakdown] = {}


def _facts(context: Context, state: State, unit: Unit, going: Going, is_road_march: bool) -> MarchFacts:
    card, fuel = context.card(unit), fuel_of(context, state, unit)
    return MarchFacts(
        printed=card.ma,
        is_mech=is_mech(card),
        going=going,
        ground=(context.weather_at(state, unit.hex) if unit.hex is not None else state.weather).ground,
        fuel=None if fuel.is_by_units else fuel.fuel_value,
        is_road_march=is_road_march,
        is_out_of_supply=unit.supply is Supply.OUT,
        is_out_of_command=unit.is_out_of_command,
        fatigue=unit.fatigue,
    )


def hex_of(party: Party) -> Hex:
    """Where units that move as one start."""
    hex = party[0].hex
    assert hex is not None  # noqa: S101 - who moves is on the map
    return hex
