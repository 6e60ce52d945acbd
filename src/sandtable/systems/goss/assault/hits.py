"""13.10 Who takes the hits of an assault: mandatory ones, discretionary ones, and who has still to take any."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.systems.goss.assault.frames import Assault, RetreatPath, Stance, Suffering, assault_of
from sandtable.systems.goss.assault.paths import longest
from sandtable.systems.goss.assault.position import rating, works_for
from sandtable.systems.goss.common.as_one import stacks_of, with_own_rating
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.cover import has_shelter
from sandtable.systems.goss.common.handler import nearest
from sandtable.systems.goss.common.harm import MOST_FATIGUE, living
from sandtable.systems.goss.common.retreat import may_retreat
from sandtable.systems.goss.common.state import State
from sandtable.systems.goss.pieces.card import Size
from sandtable.systems.goss.pieces.proficiency import rating_of
from sandtable.systems.goss.pieces.steps import size_of
from sandtable.systems.goss.pieces.unit import Unit, UnitId

__all__ = [
    "can_lose",
    "can_retreat",
    "can_shelter",
    "can_tire",
    "fighters",
    "forced_losers",
    "is_z",
    "lagging",
    "lead_first",
    "lowest_rated",
    "must_lose",
    "old_z_steps",
    "participants",
    "strong_works",
    "suffering_of",
]


def suffering_of(state: State) -> Suffering:
    """The side that applies its result now."""
    return nearest(state, Suffering)


def participants(state: State, assault: Assault, seat: Seat) -> list[Unit]:
    """All whom the result of a side affects, those included who only shared the hex (13.5.5)."""
    ids = assault.attackers if seat == assault.player else (*assault.defenders, *assault.aside)
    return living(state, ids)


@rule("13.5.5", "6.7.0")
def fighters(state: State, assault: Assault, seat: Seat) -> list[Unit]:
    """Those of a side who have taken part in the assault: not who only shared the hex (13.5.5, 6.7.0)."""
    return living(state, assault.attackers if seat == assault.player else assault.defenders)


def is_z(context: Context, unit: Unit) -> bool:
    """Whether a unit is down to a Z-step."""
    return size_of(context.card(unit), unit.steps) is Size.Z_STEP


def old_z_steps(context: Context, units: Sequence[Unit], frame: Suffering) -> list[Unit]:
    """Z-steps among units that were not made in this assault, be it by a hit or on the retreat (4.1.3)."""
    larger = {one for group in frame.as_one for one in group}
    return [unit for unit in units if is_z(context, unit) and unit.id not in larger]


@rule("4.2.1", "4.2.1a", "13.10.3")
def can_lose(context: Context, units: Sequence[Unit], frame: Suffering, *, is_limited: bool) -> list[UnitId]:
    """Who may lose the next step: the least hit so far, HQs and artillery after all others (13.10.3).

    ``is_limited``: Max step loss, one for each unit and those who stack for free with it, the eliminated ones among
    them too (4.2.1a, 6.2.0).
    """
    larger = [unit for unit in units if not is_z(context, unit)]
    hits = Counter(frame.lost)
    if is_limited:
        free = {one for group in frame.as_one if not any(hits[member] for member in group) for one in group}
        larger = [unit for unit in larger if unit.id in free]
    else:
        least = min((hits[unit.id] for unit in larger), default=0)
        larger = [unit for unit in larger if hits[unit.id] == least]
    first = [unit for unit in larger if not _is_rear(context, unit)]
    return [unit.id for unit in first or larger]


def _is_rear(context: Context, unit: Unit) -> bool:
    card = context.card(unit)
    return card.is_headquarters or card.is_artillery


@rule("13.10.3")
def _has_max_loss(assault: Assault, frame: Suffering) -> bool:
    """Whether Max step loss holds for a side: not for attackers below the least ratio of the line (13.10.3)."""
    return not (assault.is_below and frame.player == assault.player)


@rule("13.10.3", "17.6.0")
def must_lose(context: Context, state: State, frame: Suffering) -> list[UnitId]:
    """Who may take the next mandatory hit: lead PR unit, lead gun, engineers who counted, then anybody (13.10.3).

    When all have met Max step loss, the Fort that they are in, as often as it must.
    """
    assault = assault_of(state)
    units = participants(state, assault, frame.player)
    troops = [one for one in units if not context.card(one).is_fort]
    able = can_lose(context, troops, frame, is_limited=_has_max_loss(assault, frame))
    if not able:
        return [unit.id for unit in units if context.card(unit).is_fort]
    first = (dict(assault.leads).get(frame.player), dict(assault.armour).get(frame.player))
    for one in first:
        if one is not None and one in able and one not in frame.lost:
            return [one]
    engineers = [one for one in able if one in assault.engineers]
    if engineers and not any(one in assault.engineers for one in frame.lost):
        return engineers
    return able


# --- discretionary hits -----------------------------------------------------------------------------------------


def lagging(state: State, frame: Suffering) -> list[Unit]:
    """Those who have not made up for all hits by the hexes that they retreated (13.10.4a)."""
    gone = dict(frame.retreated)
    units = participants(state, assault_of(state), frame.player)
    return [unit for unit in units if frame.hits - gone.get(unit.id, 0) > frame.settled]


def can_tire(frame: Suffering, units: Sequence[Unit]) -> bool:
    """Whether a hit may still be taken as fatigue: two at most, while somebody can suffer it (ruling B-69)."""
    return frame.fatigue < MOST_FATIGUE and any(unit.fatigue < MOST_FATIGUE for unit in units)


@rule("13.10.4a", "13.10.4c")
def forced_losers(context: Context, state: State, frame: Suffering) -> list[UnitId]:
    """Who may take the next hit as a step after a failed check or a full retreat; nobody while fatigue has its turn.

    First up to Max step loss, unless a part of those who failed has retreated as far as it had to; then fatigue; then
    steps again, but after a full retreat only of those who could not go a single hex.
    """
    assault, affected, gone = assault_of(state), lagging(state, frame), dict(frame.retreated)
    everybody = participants(state, assault, frame.player)
    is_full = frame.stance is Stance.FULL
    is_split = not is_full and any(gone.get(unit.id, 0) >= frame.hits for unit in everybody)
    first = [] if is_split else can_lose(context, affected, frame, is_limited=_has_max_loss(assault, frame))
    if first or can_tire(frame, affected):
        return first
    if is_full:
        affected = [unit for unit in affected if not gone.get(unit.id)]
    return can_lose(context, affected, frame, is_limited=False)


@rule("13.8.1")
def lead_first(state: State, frame: Suffering, able: list[UnitId]) -> list[UnitId]:
    """Of those who may take a hit as a step the lead PR unit alone, if it is the first step of its side (13.8.1)."""
    lead = dict(assault_of(state).leads).get(frame.player)
    return [lead] if lead in able and not frame.lost else able


@rule("13.10.4a", "4.4.0")
def lowest_rated(context: Context, units: Sequence[Unit], *, is_attacker: bool) -> Unit:
    """Whose PR a side checks to hold by: the lowest, companies that ride with a battalion left out (13.10.4a).

    Who has no PR for it does not count beside others (4.4.0).
    """
    counted = with_own_rating(context, units)
    rated = [unit for unit in counted if rating_of(context.card(unit), is_active=is_attacker) is not None]
    return min(rated or counted, key=lambda unit: (rating(context, unit, is_attacker=is_attacker), unit.id))


# --- where they are ---------------------------------------------------------------------------------------------


def strong_works(context: Context, state: State, frame: Suffering) -> str:
    """The works that a defending side is in; ``""`` for attackers and after ET-3 was given up."""
    assault = assault_of(state)
    if frame.player == assault.player or frame.is_left:
        return ""
    works = works_for(context, state, living(state, assault.defenders))
    return works.kind if works is not None else ""


def can_retreat(context: Context, state: State, units: Sequence[Unit]) -> bool:
    """Whether all stacks have a way of one hex at least."""
    movable = [unit for unit in units if may_retreat(context.card(unit), unit)]
    return len(movable) == len(units) and all(
        longest(context, state, stack, RetreatPath(hex), 1) for hex, stack in stacks_of(units).items()
    )


def can_shelter(context: Context, state: State, stack: Sequence[Unit]) -> bool:
    """Whether works of its own lie in the hex of a stack."""
    first = stack[0]
    return first.hex is not None and has_shelter(context, state, first.hex, first.side)
