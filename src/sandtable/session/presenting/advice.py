"""A bot's advice as data: what it would do, why, and where that is on the map.

Everything in it comes from a question, that is from one seat's knowledge; it is shown to whoever may look from that
seat and to nobody else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from sandtable.bots import Question
from sandtable.bots.explain import Explanation
from sandtable.core.codec import to_plain
from sandtable.core.errors import RulesBug
from sandtable.core.odds import Chance
from sandtable.core.tree.drawing import Stroke
from sandtable.geo.hex import Hex
from sandtable.geo.map import GameMap, map_of
from sandtable.geo.plane.points import Point, label
from sandtable.session.people.opponents import bot_title
from sandtable.session.presenting.foresight import steps
from sandtable.session.presenting.wire import WhatIf, WireChance, WireStep

__all__ = ["Advice", "WireConsidered", "WireReason", "advice_of"]

_MOST_CONSIDERED = 8


class WireReason(msgspec.Struct, frozen=True):
    """Something that speaks for or against an answer, in points."""

    what: str
    points: float


class WireConsidered(msgspec.Struct, frozen=True):
    """An answer that was weighed."""

    what: str
    worth: float
    """Points for the side, at first sight."""
    looked: float | None
    """Points on average in imagined continuations, where it was tried in some."""
    worlds: int
    reasons: tuple[WireReason, ...]


class Advice(msgspec.Struct, frozen=True):
    """What a bot would do and why, for all that one seat knows."""

    bot: str
    rule: str
    question: str
    chosen: str
    plan: tuple[str, ...]
    considered: tuple[WireConsidered, ...]
    """The best first."""
    chances: tuple[WireChance, ...]
    """The exact odds of what was chosen."""
    what_ifs: tuple[WhatIf, ...]
    """What those odds leave out."""
    numbers: tuple[str, ...]
    """The numbers that the odds rest on, term by term."""
    cut_short: bool
    """Whether the clock ended the thinking."""
    action: dict[str, Any]
    """The answer itself: `Act {action}` plays it."""
    units: tuple[str, ...] = ()
    """Counters that it is about, to light up."""
    hexes: tuple[str, ...] = ()
    """Labels of the places that it is about."""
    steps: tuple[WireStep, ...] = ()
    """The way of a move."""
    played: str = ""
    """Of a look back: what was done."""
    is_same: bool = True
    """Of a look back: whether these are the bot's own thoughts of that moment, and not a second opinion."""


def advice_of(question: Question[Any], why: Explanation, action: Any) -> Advice:
    """An explanation with the places on the map that it is about."""
    ids = {piece.id for piece in question.view.counters}
    words, places = _named(action)
    labels = list(_labels(map_of(question.ruleset), places))
    try:
        way = tuple(steps(question.ruleset, question.known, question.seat, action))
    except RulesBug:
        # Orders that the seat cannot see stand in the way of working the move out.
        way = ()
    return Advice(
        bot=bot_title(why.bot),
        rule=why.rule,
        question=why.question,
        chosen=why.chosen,
        plan=why.plan,
        considered=tuple(
            WireConsidered(
                one.what, one.worth, one.looked, one.worlds, tuple(WireReason(r.what, r.points) for r in one.reasons)
            )
            for one in why.considered[:_MOST_CONSIDERED]
        ),
        chances=tuple(map(_chance, why.odds)),
        what_ifs=tuple(
            WhatIf(one.what, one.rule, tuple(map(_chance, one.odds)), exact=bool(one.odds)) for one in why.left_out
        ),
        numbers=why.numbers,
        cut_short=why.cut_short,
        action=to_plain(action),
        units=tuple(dict.fromkeys(word for word in words if word in ids)),
        hexes=tuple(dict.fromkeys(labels)),
        steps=way,
    )


def _chance(chance: Chance) -> WireChance:
    return WireChance(chance.what, chance.probability, chance.exact)


def _labels(game_map: GameMap | None, places: Iterable[Hex | Point]) -> Iterator[str]:
    for place in places:
        if isinstance(place, Point):
            yield label(place)
        elif game_map is not None and place in game_map.facts:
            yield game_map.label(place)


def _named(action: Any) -> tuple[list[str], list[Hex | Point]]:
    """Every word and every place in an action."""
    words: list[str] = []
    places: list[Hex | Point] = []
    for part in _parts(action):
        if isinstance(part, str):
            words.append(part)
        elif isinstance(part, Hex):
            places.append(part)
        elif isinstance(part, Stroke) and part.at is not None:
            places.append(Point(*part.at))
    return words, places


def _parts(thing: Any) -> Iterator[Any]:
    yield thing
    if isinstance(thing, Hex | str):
        return
    if isinstance(thing, msgspec.Struct):
        for field in thing.__struct_fields__:
            yield from _parts(getattr(thing, field))
    elif isinstance(thing, dict):
        for key, value in thing.items():
            yield from _parts(key)
            yield from _parts(value)
    elif isinstance(thing, list | tuple | set | frozenset):
        for value in thing:
            yield from _parts(value)
