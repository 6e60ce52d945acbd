"""What a player asks before he confirms: what would come of it, and why something cannot be done.

Both are worked out from the concealed state, so an answer says nothing that the seat does not know. The
odds are those of :mod:`sandtable.bots.preview`; where the dice can fall in too many ways for exact odds, a
sample stands in and says so.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from time import monotonic
from typing import Any, NamedTuple

from sandtable.bots.preview import MAX_WAYS, foreseeing, suppositions
from sandtable.bots.preview import preview as exact_preview
from sandtable.core.capabilities import (
    ExplainsPicks,
    HasCards,
    KnowsPlainDeeds,
    PricesSteps,
    ShowsAreas,
    ShowsSheets,
    TellsNumbersAhead,
    TellsUnitOdds,
)
from sandtable.core.codec import to_plain
from sandtable.core.decision import Assign, Decision, Gather, Node, Options, Seat
from sandtable.core.dice import SeededDice
from sandtable.core.errors import BadInput, Refusal, RulesBug
from sandtable.core.odds import first_answer, settle
from sandtable.core.ruleset import NO_EFFECT, Ruleset
from sandtable.core.sheet import Sheet
from sandtable.core.view import Area, ShowsCounters
from sandtable.core.view import Counter as Piece
from sandtable.session.presenting.choice import read_action, walk
from sandtable.session.presenting.pieces import Pieces, words_in
from sandtable.session.presenting.presenting import present_breakdown
from sandtable.session.presenting.wire import (
    Preview,
    WhatIf,
    Why,
    WireBreakdown,
    WireChance,
    WireSheet,
    WireStep,
    WireUnitOdds,
)

__all__ = ["foresee", "steps", "why_not", "why_not_picked"]

AnyRuleset = Ruleset[Any, Any, Any]
Reply = Callable[[Decision[Any], Seat], Any]
_SAMPLES = 400
_SECONDS = 1.5
"""Time for a sample."""
_AREA_WAYS = 200
"""Ways that are followed of what strikes an area: rolls for all the ground there soon make more than can be."""
_MOST_STEPS = 120
"""Events of a move that are looked at for steps."""
_MOST_QUESTIONS = 40
"""Questions to others on the way of a move."""
_TRIED = 60
"""Answers that are looked at for one that a pick could have been like."""


def foresee(ruleset: AnyRuleset, known: Any, seat: Seat, action: Any, *, estimate: bool = True) -> Preview:
    """What ``action`` would bring, for all that ``seat`` knows.

    What has too many ways to follow is estimated with dice, which takes a moment, unless that is not wanted.
    """
    given, ruleset = ruleset, foreseeing(ruleset, action)
    text = ruleset.describe(action)
    areas = tuple(ruleset.areas(known, action)) if isinstance(ruleset, ShowsAreas) else ()
    if ruleset is not given and ruleset.refusal(known, seat, action) is not None:
        # What is taken for granted stands in the way of an action that the ground allows: nothing can be told.
        return Preview(text, (), exact=False, breakdowns=(), units=_units(given, known, seat, action), areas=areas)
    units = _units(ruleset, known, seat, action)
    sheet = ruleset.sheet(known, seat, action) if isinstance(ruleset, ShowsSheets) else None
    if sheet is not None:
        return _on_a_sheet(text, units, areas, sheet)
    if isinstance(ruleset, KnowsPlainDeeds) and ruleset.is_plain(action):
        return Preview(text, (), exact=True, breakdowns=(), units=units, areas=areas)
    try:
        bounds = _Bounds(_AREA_WAYS if any(not one.is_way for one in areas) else MAX_WAYS, estimate)
        price = _price(ruleset, known, seat, action, first_answer, bounds=bounds)
        what_ifs = tuple(_what_ifs(ruleset, known, seat, action, bounds))
        # All targets together are too many cases to read, and so is the way of what strikes them.
        way = () if price.is_told_apart else tuple(_way(ruleset, known, seat, action))
    except RulesBug:
        # Orders that the seat cannot see stand in the way of working it out: it cannot be told.
        return Preview(text, (), exact=False, breakdowns=(), areas=areas)
    # What a step costs is told with the step.
    costs = [cost for step in way for cost in step.costs]
    numbers = tuple(number for number in price.breakdowns if number not in costs)
    legs = tuple(step.told for step in way)
    return Preview(
        text, price.chances, price.exact, numbers, legs, units, price.unit_odds, what_ifs, price.effect, areas
    )


def _on_a_sheet(text: str, units: tuple[str, ...], areas: tuple[Area, ...], sheet: Sheet) -> Preview:
    """A preview whose odds the system has worked out."""
    chances = tuple(WireChance(one.what, one.probability, one.exact) for one in sheet.odds)
    return Preview(
        text,
        chances,
        exact=True,
        breakdowns=tuple(map(present_breakdown, sheet.numbers)),
        units=units,
        effect=_effect((), chances),
        areas=areas,
        sheet=WireSheet(sheet.title, sheet.rule, sheet.sides, sheet.line, sheet.joint),
    )


class _Bounds(NamedTuple):
    """How much is done for odds."""

    ways: int
    """Ways that are followed for exact ones."""
    estimate: bool
    """Whether a sample stands in where there are more."""


class _Price(NamedTuple):
    """Odds and numbers of an action in one position."""

    chances: tuple[WireChance, ...]
    exact: bool
    breakdowns: tuple[WireBreakdown, ...]
    unit_odds: tuple[WireUnitOdds, ...] = ()
    is_told_apart: bool = False
    effect: float | None = None


def _price(ruleset: AnyRuleset, known: Any, seat: Seat, action: Any, reply: Reply, *, bounds: _Bounds) -> _Price:
    """What the action would bring in a position, with ``reply`` to the questions on the way."""
    unit_odds = tuple(_unit_odds(ruleset, known, action))
    numbers_ahead = ruleset.numbers_ahead(known, action) if isinstance(ruleset, TellsNumbersAhead) else ()
    if len(unit_odds) > 1 or numbers_ahead:
        # All of them together are too many cases to read, and to work out while somebody waits.
        numbers = tuple(map(present_breakdown, numbers_ahead)) or tuple(_numbers(ruleset, known, seat, action))
        return _told_apart(ruleset, known, seat, unit_odds, numbers)
    found = exact_preview(ruleset, known, seat, action, reply, most=bounds.ways)
    numbers = tuple(map(present_breakdown, found.breakdowns))
    chances = tuple(WireChance(one.what, one.probability, one.exact) for one in found.chances)
    is_exact = bool(chances)
    if unit_odds and not is_exact and bounds.ways < MAX_WAYS:
        return _told_apart(ruleset, known, seat, unit_odds, numbers)
    effect = _effect(unit_odds, chances)
    if not is_exact and bounds.estimate:
        chances = tuple(_sampled(ruleset, known, seat, action, reply))
    return _Price(chances, is_exact, numbers, effect=effect)


def _told_apart(
    ruleset: AnyRuleset,
    known: Any,
    seat: Seat,
    unit_odds: tuple[WireUnitOdds, ...],
    numbers: tuple[WireBreakdown, ...],
) -> _Price:
    """What becomes of each that the action strikes, by itself."""
    effect = _effect(tuple(_struck(ruleset, known, seat, unit_odds)), ())
    return _Price((), exact=True, breakdowns=numbers, unit_odds=unit_odds, is_told_apart=True, effect=effect)


def _struck(ruleset: AnyRuleset, known: Any, seat: Seat, unit_odds: Sequence[WireUnitOdds]) -> Iterator[WireUnitOdds]:
    """Those that are not the actor's own: what becomes of his weapon is told, and is no effect of it."""
    for one in unit_odds:
        counter = ruleset.counter(known, one.unit) if isinstance(ruleset, ShowsCounters) else None
        if counter is None or counter.side != seat:
            yield one


def _effect(unit_odds: Sequence[WireUnitOdds], chances: Sequence[WireChance]) -> float | None:
    """The chance that something becomes of what is struck: of the counter that it strikes likeliest."""
    told: list[Sequence[WireChance]] = [struck.chances for struck in unit_odds]
    if not told and chances:
        told = [chances]
    happens = [1 - sum(one.probability for one in odds if one.what == NO_EFFECT) for odds in told]
    return max(happens, default=None)


def _what_ifs(ruleset: AnyRuleset, known: Any, seat: Seat, action: Any, bounds: _Bounds) -> Iterator[WhatIf]:
    """What the odds leave out, by the system's own account, with the odds if it comes about."""
    for one in suppositions(ruleset, known, seat, action):
        if one.state is None:
            yield WhatIf(one.what, one.rule)
            continue
        price = _price(ruleset, one.state, seat, action, one.reply, bounds=bounds)
        yield WhatIf(one.what, one.rule, price.chances, price.exact, price.breakdowns, price.unit_odds)


def _unit_odds(ruleset: AnyRuleset, known: Any, action: Any) -> Iterator[WireUnitOdds]:
    """What may become of each counter that the action strikes, where the system tells them apart."""
    if not isinstance(ruleset, TellsUnitOdds):
        return
    for unit, chances in ruleset.unit_odds(known, action).items():
        yield WireUnitOdds(unit, tuple(WireChance(one.what, one.probability, one.exact) for one in chances))


def _numbers(ruleset: AnyRuleset, known: Any, seat: Seat, action: Any) -> Iterator[WireBreakdown]:
    """The numbers that an action rests on before its first roll is followed by others."""
    seen: set[str] = set()
    for event in ruleset.resolve(known, seat, action, SeededDice(0)).events:
        for breakdown in ruleset.breakdowns(event):
            if breakdown.title not in seen:
                seen.add(breakdown.title)
                yield present_breakdown(breakdown)


def _units(ruleset: AnyRuleset, known: Any, seat: Seat, action: Any) -> tuple[str, ...]:
    """The counters that an action names."""
    return Pieces(ruleset, known, seat).named_in(action)


def _sampled(ruleset: AnyRuleset, known: Any, seat: Seat, action: Any, reply: Reply) -> Iterator[WireChance]:
    dice = SeededDice(secrets.randbits(64))
    found: Counter[str] = Counter()
    until = monotonic() + _SECONDS
    for _ in range(_SAMPLES):
        found[ruleset.consequence(known, settle(ruleset, known, [(seat, action)], dice, reply))] += 1
        if monotonic() > until:
            break
    total = found.total()
    for what, count in sorted(found.items(), key=lambda item: (-item[1], item[0])):
        yield WireChance(what, count / total, "")


class _Step(NamedTuple):
    """A step of a way, and the numbers that its cost comes from."""

    told: WireStep
    costs: tuple[WireBreakdown, ...]


def steps(ruleset: AnyRuleset, known: Any, seat: Seat, action: Any) -> Iterator[WireStep]:
    """How the seat's own counters come from place to place, and what they spend in one, if nobody interrupts them.

    Of counters that go together the first one is told.
    """
    return (step.told for step in _way(ruleset, known, seat, action))


def _way(ruleset: AnyRuleset, known: Any, seat: Seat, action: Any) -> Iterator[_Step]:
    """The steps of an action; whoever is asked on the way gives the plain reply, as long as it goes on."""
    dice = SeededDice(0)
    resolution = ruleset.resolve(known, seat, action, dice)
    state = known
    for _ in range(_MOST_QUESTIONS):
        legs = list(_legs(ruleset, state, islice(resolution.events, _MOST_STEPS), seat))
        yield from legs
        state = resolution.state
        decision = ruleset.decision(state)
        if not legs or decision is None or seat in decision.asked or len(decision.asked) > 1:
            return
        (other,) = decision.asked
        resolution = ruleset.resolve(state, other, first_answer(decision, other), dice)


def _legs(ruleset: AnyRuleset, state: Any, events: Iterable[Any], seat: Seat) -> Iterator[_Step]:
    """The steps among events."""
    before = Pieces(ruleset, state, seat)
    for event in events:
        state = ruleset.fold(state, event)
        after = Pieces(ruleset, state, seat)
        try:
            yield from _arrivals(ruleset, event, before, after, seat)
        except RulesBug:
            # In the middle of an action nothing may be asked yet, and a system need not show such a state.
            continue
        before = after


def _arrivals(ruleset: AnyRuleset, event: Any, before: Pieces, after: Pieces, seat: Seat) -> Iterator[_Step]:
    """The steps of one event: whoever it names and is elsewhere than before, or pays for something where he is."""
    arrived: set[tuple[str, int | None, int | None]] = set()
    for unit in after.named_in(event):
        was, piece = before.get(unit), after.get(unit)
        if was is None or piece is None or piece.side != seat:
            continue
        place = (piece.hex, piece.facing, piece.heading)
        step = None if place in arrived else _step(ruleset, event, piece)
        is_elsewhere = (was.hex, was.facing, was.heading) != place
        if step is None or not (is_elsewhere or step.cost):
            continue
        arrived.add(place)
        # What is placed from a box has come no way; what enters the map has, and pays for it.
        if was.hex or step.cost is not None:
            yield _Step(step, tuple(map(present_breakdown, ruleset.breakdowns(event))))


def _step(ruleset: AnyRuleset, event: Any, piece: Piece) -> WireStep:
    price = ruleset.step_price(event) if isinstance(ruleset, PricesSteps) else None
    cost, text = price or (None, ruleset.narrate(event))
    return WireStep(piece.id, piece.hex, piece.facing, cost, text, piece.heading)


# --- why not --------------------------------------------------------------------------------------------


def why_not(options: Options[Any], action: Any) -> Why:
    """Why a whole answer is not possible."""
    refusal = options.refusal(action)
    return Why(refusal is None, refusal)


def why_not_picked(
    ruleset: AnyRuleset, known: Any, seat: Seat, keys: Sequence[str], ref: str, *, is_hex: bool | None = None
) -> Why:
    """Why ``ref``, a counter or a hex, cannot be picked at the node below ``keys``.

    A counter may have the name of a hex: ``is_hex`` says which is meant, else it is the counter, if there is one.

    A system may answer itself (:class:`~sandtable.core.capabilities.ExplainsPicks`). Else the picked counter is put
    into the place that a counter of the same side has in a possible answer, and the rules say what is wrong with that.
    """
    if is_hex is None:
        is_hex = ref not in Pieces(ruleset, known, seat)
    told = ruleset.why_not(known, seat, tuple(keys), ref, is_hex=is_hex) if isinstance(ruleset, ExplainsPicks) else None
    if told is not None:
        return Why(allowed=False, refusal=told)
    decision = ruleset.decision(known)
    if decision is None:
        raise RulesBug("nothing is asked")
    options = decision.options(seat)
    try:
        node = walk(options, keys)
    except BadInput:
        return _no_such_value(options, decision.wording(seat).rule, keys, ref)
    if any(branch.ref == ref and branch.is_hex is is_hex for branch in node.branches()):
        return Why(allowed=True)
    for action in () if is_hex else _likened(ruleset, known, seat, node, ref):
        refusal = options.refusal(action)
        if refusal is not None:
            return Why(allowed=False, refusal=refusal)
    asked = decision.wording(seat)
    return Why(allowed=False, refusal=Refusal(asked.rule, f"{ref} cannot be chosen now; you are asked: {asked.title}"))


def _no_such_value(options: Options[Any], rule: str, keys: Sequence[str], ref: str) -> Why:
    """Why a slot does not take the value that the last of ``keys`` names; raise if that is not what is asked."""
    parent = walk(options, keys[:-1])
    slots = parent.slots if isinstance(parent, Assign | Gather) else ()
    slot = next((one for one in slots if one.key == ref), None)
    if slot is None:
        walk(options, keys)
        raise RulesBug("a walk failed, and then it did not")
    if keys[-1] in slot.values:
        return Why(allowed=True)
    remedy = f"one of {', '.join(map(slot.word, slot.values))}"
    return Why(allowed=False, refusal=Refusal(rule, f"{slot.label} cannot have {keys[-1]} now", remedy))


def _likened(ruleset: AnyRuleset, known: Any, seat: Seat, node: Node[Any], ref: str) -> Iterator[Any]:
    """Answers below ``node`` with the counter ``ref`` in the place of one of its kind."""
    card_of, cards = (ruleset.card_of(known), ruleset.cards) if isinstance(ruleset, HasCards) else ({}, {})
    kinds = {
        piece.id: (piece.side, type(cards.get(card_of.get(piece.id, ""))))
        for piece in ruleset.view(known, seat).counters
    }
    kin = {key for key, kind in kinds.items() if kind == kinds.get(ref) and key != ref}
    seen: set[str] = set()
    for branch in islice(node.branches(), _TRIED):
        action = next(iter(branch.then), None)
        if action is None:
            continue
        plain = to_plain(action)
        for old in kin & set(words_in(plain)):
            likened = _replaced(plain, old, ref)
            if str(likened) in seen:
                continue
            seen.add(str(likened))
            try:
                yield read_action(ruleset, likened)
            except BadInput:
                continue


def _replaced(plain: Any, old: str, new: str) -> Any:
    if plain == old:
        return new
    if isinstance(plain, dict):
        return {new if key == old else key: _replaced(value, old, new) for key, value in plain.items()}
    if isinstance(plain, list):
        return [_replaced(value, old, new) for value in plain]
    return plain
