"""11.2.3-11.4.1 The guns of a mission: who may fire, how far, with how many points, for which spotter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.geo.hex import NEIGHBOURS, Hex, distance
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.cover import cover_at, has_strong_works, works_of
from sandtable.systems.goss.common.state import State
from sandtable.systems.goss.ground.cover import Cover
from sandtable.systems.goss.observation.observing import presence
from sandtable.systems.goss.pieces.card import Card, Echelon, FormationId, Kind, Nation, Trait
from sandtable.systems.goss.pieces.steps import size_of
from sandtable.systems.goss.pieces.unit import Mode, Supply, Unit, UnitId
from sandtable.systems.goss.support.capacity import Capacity, Gunners, Spotter, capacity_of, most_artillery
from sandtable.systems.goss.support.targets import is_fortress

__all__ = [
    "BARRAGE",
    "Call",
    "Gun",
    "Loaded",
    "Tie",
    "barrage_of",
    "call_of",
    "guns_for",
    "in_range",
    "loaded",
    "spent_by",
]

BARRAGE = "barrage"
"""Points of a unit's barrage factor that were fired (11.4.1)."""
_FLAK_RANGE, _TD_RANGE = 4, 2
_TD_FIRE_FROM = "1944-09-01"
_MOST_AXIS_MISSIONS = 2
_ASSETS = (Echelon.CORPS, Echelon.ARMY)
_FATIGUED, _SPENT = 1, 2


class Tie:
    """How a gun belongs to the spotter's formation (11.2.5); another formation goes by its id."""

    OWN = "own"
    FREE = "free"
    """An asset of its corps or army, or exempt."""


class Call(msgspec.Struct, frozen=True):
    """Who calls for fire, and where; ``spotter`` None: from the air."""

    side: Seat
    hex: Hex
    spotter: Unit | None
    is_defensive: bool
    capacity: Capacity
    most: int
    """Artillery units that may take part (11.2.4)."""


class Gun(msgspec.Struct, frozen=True):
    """A unit that may take part in a mission."""

    unit: UnitId
    points: int
    """The most that it may fire."""
    least: int = 1
    """The least, where it may not split its fire (11.4.1d)."""
    ends_in_half: bool = False
    """The last of its points is a half: fatigue has halved an odd factor (14.2.1)."""
    tie: str = Tie.FREE
    counts: bool = True
    """Against the capacity (11.2.4d)."""
    is_auxiliary: bool = False
    """Flak or tank destroyers, which only join others (11.4.1b, 11.4.1c)."""
    is_heavy: bool = False
    may_be_intensive: bool = True


def _is_asset(context: Context, formation: FormationId) -> bool:
    return context.formation(formation).echelon in _ASSETS


@rule("11.2.4", "11.2.4d")
def call_of(context: Context, state: State, seat: Seat, spotter: Unit | None, hex: Hex, *, is_defensive: bool) -> Call:
    """A call for fire with its capacity (11.2.4)."""
    if spotter is None:
        capacity, whose, is_high = Capacity.MEDIUM, Gunners.ALLIED if seat == "allied" else Gunners.AXIS, False
    else:
        card = context.card(spotter)
        capacity = capacity_of(
            Spotter(
                size_of(card, spotter.steps),
                is_asset=_is_asset(context, context.formation_of(spotter)),
                in_prepared_assault=spotter.mode is Mode.PREPARED_ASSAULT,
                in_works=has_strong_works(works_of(context, state, spotter)),
            )
        )
        whose = _GUNNERS[card.nation]
        is_high = spotter.hex is not None and context.ground.at(spotter.hex).height is not None
    most = most_artillery(context.charts.fire, capacity, whose, on_vantage_point=is_high)
    return Call(seat, hex, spotter, is_defensive, capacity, most)


_GUNNERS = {Nation.US: Gunners.US, Nation.BRITISH: Gunners.ALLIED, Nation.GERMAN: Gunners.AXIS}


def spent_by(state: State, unit: UnitId) -> tuple[int, ...]:
    """Points that a unit has fired in this Combat Phase, by missions."""
    return tuple(use.count for use in state.used if use.what == BARRAGE and use.by == unit)


@rule("11.4.1b", "11.4.1c")
def _is_auxiliary(context: Context, unit: Unit, card: Card) -> bool:
    """An 88 with a red hexagon, or from September 1944 on an Allied tank destroyer; no Z-step (11.4.1b, 11.4.1c)."""
    if unit.steps == 0:
        return False
    if card.kind is Kind.FLAK and card.nation is Nation.GERMAN:
        return card.has(Trait.RED_HEXAGON)
    return card.has(Trait.TANK_DESTROYER) and context.scenario.draft.calendar.date >= _TD_FIRE_FROM


@rule("11.4.1", "11.4.1b", "11.4.1f", "14.2.1")
def barrage_of(context: Context, unit: Unit, *, is_defensive: bool) -> int:
    """The barrage factor of a unit as it is now; 0 if it may not fire (11.4.1).

    Of half a factor the last point is a half, and a whole one again if nothing else makes it up (1.5.0).
    """
    factor = _factor(context, unit, is_defensive=is_defensive)
    return -(-factor // 2) if unit.fatigue == _FATIGUED else factor


def _factor(context: Context, unit: Unit, *, is_defensive: bool) -> int:
    """The barrage factor of a unit that is not fatigued; 0 if it may not fire, fatigued or not."""
    card = context.card(unit)
    if unit.fatigue >= _SPENT or unit.hex is None:
        return 0
    if card.is_fort:
        return 0 if unit.is_depleted else card.barrage
    if _is_auxiliary(context, unit, card):
        return unit.steps
    if card.is_artillery and not unit.is_depleted and unit.supply is not Supply.OUT:
        is_ready = unit.in_battery or card.has(Trait.SELF_PROPELLED)
        return card.barrage - (is_defensive and card.has(Trait.HEAVY_ARTILLERY)) if is_ready else 0
    return 0


@rule("11.3.0", "11.3.1", "11.4.1b", "11.4.1c")
def _range(context: Context, state: State, unit: Unit, card: Card) -> int:
    """How far a unit fires: one hex if an enemy beside it attacks or stands in the open (11.3.1)."""
    assert unit.hex is not None  # noqa: S101 - who is off the map has no barrage factor
    deployment, enemy = context.deployment(state), context.other(unit.side)
    beside = [hex for hex in NEIGHBOURS[unit.hex] if deployment.held_by(hex, enemy)]
    if card.has(Trait.TANK_DESTROYER):
        return 0 if beside else _TD_RANGE
    for hex in beside:
        if presence(context, state, hex).is_designated or cover_at(context, state, hex, unit.side) is Cover.OPEN:
            return 1
    return card.range if card.is_artillery or card.is_fort else _FLAK_RANGE


@rule("11.2.5")
def _tie(context: Context, call: Call, unit: Unit, card: Card) -> str | None:
    """How a gun belongs to the spotter's formation; None if it may not fire for him (11.2.5)."""
    if call.spotter is None or card.kind is Kind.FLAK:
        return Tie.FREE
    mine, its = context.formation_of(call.spotter), context.formation_of(unit)
    if mine == its:
        return Tie.OWN
    if context.scenario.side(call.side).adv == 0:
        return None
    if call.capacity is Capacity.LIGHT or context.formation(its).echelon is Echelon.ARMY:
        return Tie.FREE
    superiors = context.scenario.superiors
    if superiors.get(its) != superiors.get(mine):
        return None
    return Tie.FREE if _is_asset(context, its) else its


@rule("11.4.1d", "11.4.1f", "17.6.0")
def _may_split(context: Context, unit: Unit, missions: int) -> bool | None:
    """Whether a unit may fire a part of its points; None if it has split its fire as often as it may (11.4.1d)."""
    if context.card(unit).is_fort:
        return None if missions else False
    if not context.card(unit).nation.is_axis:
        return True
    if _is_asset(context, context.formation_of(unit)):
        return None if missions else False
    return None if missions >= _MOST_AXIS_MISSIONS else True


@rule("17.6.0")
def _bears(card: Card, here: Hex, there: Hex) -> bool:
    """Whether guns bear on a hex: those of a Fort through the hexes that its arrows point at (17.6.0)."""
    return not card.arc or any(distance(NEIGHBOURS[here][way], there) < distance(here, there) for way in card.arc)


class Loaded(NamedTuple):
    """A unit that has points left to fire, whoever calls for them."""

    unit: Unit
    hex: Hex
    card: Card
    left: int
    missions: int
    """In which it has fired in this Combat Phase."""
    reach: int


@rule("11.2.3")
def guns_for(context: Context, state: State, call: Call, guns: Sequence[Loaded] | None = None) -> tuple[Gun, ...]:
    """The units that may take part in a mission; ``guns`` are all that are loaded, where somebody has them."""
    if guns is None:
        guns = loaded(context, state, call.side, is_defensive=call.is_defensive)
    return tuple(_guns(context, state, call, guns))


class _Gunners:
    """The cards whose units may ever fire."""

    def __init__(self, context: Context) -> None:
        self.cards = frozenset(
            one
            for one, card in context.shelf.cards.items()
            if card.is_artillery or card.is_fort or card.kind is Kind.FLAK or card.has(Trait.TANK_DESTROYER)
        )


def loaded(context: Context, state: State, seat: Seat, *, is_defensive: bool) -> list[Loaded]:
    """The units of a side that have points left to fire."""
    cards = context.room(_Gunners).cards
    found = []
    for unit in state.units.values():
        if unit.card not in cards or unit.side != seat or unit.hex is None:
            continue
        factor, fired = barrage_of(context, unit, is_defensive=is_defensive), spent_by(state, unit.id)
        left = factor - sum(fired)
        if left > 0:
            card = context.card(unit)
            reach = _range(context, state, unit, card)
            found.append(Loaded(unit, unit.hex, card, left, len(fired), reach))
    return found


def in_range(context: Context, state: State, seat: Seat, guns: Sequence[Loaded]) -> tuple[Hex, ...]:
    """Where enemies of a side stand whom its guns reach, in the order of the map."""
    held = context.deployment(state).hexes_of(context.other(seat)) if guns else ()
    return tuple([hex for hex in held if any(distance(gun.hex, hex) <= gun.reach for gun in guns)])


def _guns(context: Context, state: State, call: Call, guns: Sequence[Loaded]) -> Iterator[Gun]:
    fortress = is_fortress(context, state, call.hex)
    for unit, hex, card, left, missions, reach in guns:
        away = distance(hex, call.hex)
        if away > reach or not _bears(card, hex, call.hex):
            continue
        tie, splits = _tie(context, call, unit, card), _may_split(context, unit, missions)
        is_heavy = card.has(Trait.HEAVY_ARTILLERY)
        if is_heavy and fortress:
            splits = None if missions else False
        if tie is None or splits is None:
            continue
        auxiliary = not card.is_artillery and not card.is_fort
        yield Gun(
            unit=unit.id,
            points=left,
            least=1 if splits else left,
            ends_in_half=unit.fatigue == _FATIGUED and bool(_factor(context, unit, is_defensive=call.is_defensive) % 2),
            tie=tie,
            counts=card.is_artillery and away > 1,
            is_auxiliary=auxiliary,
            is_heavy=is_heavy,
            may_be_intensive=unit.supply is Supply.GENERAL,
        )
