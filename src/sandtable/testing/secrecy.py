"""What a seat may not know: nothing that it is shown, asked or told depends on it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

from sandtable.core.capabilities import ConcealsScenario, HasHiddenVariants, Remembers, TellsWhoHides
from sandtable.core.codec import encode
from sandtable.core.decision import Decision, Seat
from sandtable.core.dice import SeededDice
from sandtable.core.game import Game
from sandtable.core.log import Entry, Header
from sandtable.core.ruleset import Ruleset
from sandtable.core.view import ShowsCounters, View
from sandtable.testing.answers import LISTED
from sandtable.testing.broken import Broken, require, same, text
from sandtable.testing.drawing import told_of_drawing
from sandtable.testing.filling import told_of_slots

__all__ = ["check_names", "check_scenario_file", "check_secret_answers", "check_secrets", "check_unseen_answers"]

AnyRuleset = Ruleset[Any, Any, Any]
AnyGame = Game[Any, Any, Any]
VARIANTS = 6
"""How many ways of dealing out the hidden facts are compared, at the most."""


def check_names(game: AnyGame, before: Any) -> None:
    """The last action is told to nobody with the name of a counter that he did not see, and that no event told him."""
    ruleset, entry = game.ruleset, game.lines[-1]
    assert isinstance(entry, Entry)  # noqa: S101 - an action was played
    actor = Seat(entry.seat)

    def seen(seat: Seat | None) -> set[str]:
        return {counter.id for state in (before, game.state) for counter in ruleset.view(state, seat).counters}

    own = seen(actor)
    for seat in (*ruleset.seats, None):
        action = ruleset.redact_action(entry.action, actor, seat) if seat != actor else None
        if action is not None:
            words, events = encode(action), encode([ruleset.redact(event, seat) for event in entry.events])
            secret = [one for one in sorted(own - seen(seat)) if encode(one) in words and encode(one) not in events]
            require(not secret, "leak", f"{text(entry.action)} tells {seat} of {', '.join(secret)}")


def check_secrets(ruleset: AnyRuleset, state: Any, rng: Random) -> None:
    """A seat's view comes from what it may know: hidden facts dealt out otherwise change nothing that it sees."""
    for seat in (*ruleset.seats, None):
        known = ruleset.conceal(state, seat)
        same(ruleset.conceal(known, seat), known, "conceal", f"{seat}: concealing twice differs")
        seen = ruleset.view(state, seat)
        same(ruleset.view(known, seat), seen, "view", f"{seat} sees more than the concealed state holds")
        same(seen.state, known, "view", f"{seat}: the view's state is not the concealed one")
        _check_counters(ruleset, known, seen)
        for variant in islice(_variants(ruleset, state, seat), VARIANTS):
            same(ruleset.conceal(variant, seat), known, "leak", f"{seat}: the concealed state tells hidden facts")
            same(ruleset.view(variant, seat), seen, "leak", f"{seat}: the view tells hidden facts")
        _check_open_seats(ruleset, state, seat)
        decision = ruleset.decision(state)
        if seat is not None and decision is not None and seat in decision.asked:
            shown = None if seen.prompt is None else (seen.prompt.rule, seen.prompt.title)
            require(shown == decision.wording(seat), "view", f"{seat} is asked in other words than it is shown")
            seed = rng.random()
            _check_same_question(decision, ruleset.decision(known), seat, seed)
            if isinstance(ruleset, Remembers):
                own = ruleset.for_seat(seat)
                require(own is ruleset.for_seat(seat), "memory", f"{seat} is given other rules whenever it asks")
                _check_same_question(decision, own.decision(known), seat, seed)


def _check_counters(ruleset: AnyRuleset, known: Any, seen: View) -> None:
    """Counters have ids of their own, and one that is looked up is the one of the view."""
    ids = [counter.id for counter in seen.counters]
    require(len(ids) == len(set(ids)), "counters", "two counters have one id")
    if isinstance(ruleset, ShowsCounters):
        found = [ruleset.counter(known, counter.id) for counter in seen.counters]
        same(found, list(seen.counters), "counters", "a single counter is not as in the view")
        same(ruleset.tracks(known), seen.tracks, "counters", "the tracks are not as in the view")
        require(ruleset.counter(known, "\0") is None, "counters", "there is a counter that the view has not")


def _check_open_seats(ruleset: AnyRuleset, state: Any, seat: Seat | None) -> None:
    """Whoever cannot hide anything from a seat, by what that seat knows, hides nothing from it."""
    if not isinstance(ruleset, TellsWhoHides):
        return
    open_to = [holder for holder in ruleset.seats if not ruleset.may_hide(ruleset.conceal(state, seat), holder)]
    for holder in open_to:
        held = ruleset.conceal(state, holder)
        same(ruleset.conceal(held, seat), held, "open", f"{holder} hides something from {seat} all the same")


def _check_same_question(one: Decision[Any], other: Decision[Any] | None, seat: Seat, seed: float) -> None:
    """What a seat may answer depends on nothing that it may not know: the question as it is, and by what is known."""
    if other is None:
        raise Broken("leak", f"{seat} is asked something only if what is hidden from it is known")
    asked = [(decision.wording(seat), decision.wording(None), decision.asked) for decision in (one, other)]
    require(asked[0] == asked[1], "leak", f"{seat}: the question depends on hidden facts")
    ways = [list(islice(decision.options(seat), LISTED)) for decision in (one, other)]
    same(ways[0], ways[1], "leak", f"{seat}: the options depend on hidden facts")
    slots = [told_of_slots(decision.options(seat), seed) for decision in (one, other)]
    same(slots[0], slots[1], "leak", f"{seat}: slots, or what is said of fillings, depend on hidden facts")
    drawn = [told_of_drawing(decision.options(seat), seed) for decision in (one, other)]
    same(drawn[0], drawn[1], "leak", f"{seat}: what may be drawn, or what is said of it, depends on hidden facts")
    samples = [decision.options(seat).sample(Random(seed)) for decision in (one, other)]
    same(samples[0], samples[1], "leak", f"{seat}: a sampled option depends on hidden facts")


def check_secret_answers(ruleset: AnyRuleset, state: Any, decision: Decision[Any], rng: Random) -> None:
    """Where several answer in secret at once, nobody learns from another's answer what it was."""
    if len(decision.asked) < 2:
        return
    for actor in decision.asked:
        options = decision.options(actor)
        one, other = options.sample(rng), options.sample(rng)
        results = [ruleset.resolve(state, actor, action, SeededDice(1)) for action in (one, other)]
        for seat in (*ruleset.seats, None):
            if seat == actor:
                continue
            shown = [ruleset.redact_action(action, actor, seat) for action in (one, other)]
            same(shown[0], shown[1], "leak", f"{seat} sees the secret action of {actor}")
            told = [[ruleset.redact(event, seat) for event in result.events] for result in results]
            same(told[0], told[1], "leak", f"events tell {seat} what {actor} did in secret")
            seen = [ruleset.view(result.state, seat) for result in results]
            same(seen[0], seen[1], "leak", f"the view tells {seat} what {actor} did in secret")


def check_unseen_answers(ruleset: AnyRuleset, state: Any, decision: Decision[Any], rng: Random) -> None:
    """Whoever sees nothing of what comes of an answer is told nothing of the answer itself.

    Else the wording would tell: a set-up as suggested, when units that are placed one by one are not shown.
    """
    for actor in decision.asked:
        options = decision.options(actor)
        answers = [branch.then.sample(rng) for branch in islice(options.root.branches(), LISTED)]
        for seat in (*ruleset.seats, None):
            if seat == actor:
                continue
            unseen = [action for action in answers if _is_unseen(ruleset, state, actor, action, seat)]
            shown = [ruleset.redact_action(action, actor, seat) for action in unseen]
            for action, told in zip(unseen, shown, strict=True):
                same(told, shown[0], "leak", f"{seat} tells secret answers of {actor} apart, such as {text(action)}")


def _is_unseen(ruleset: AnyRuleset, state: Any, actor: Seat, action: Any, seat: Seat | None) -> bool:
    events = ruleset.resolve(state, actor, action, SeededDice(1)).events
    return all(ruleset.redact(event, seat) is None for event in events)


def check_scenario_file(ruleset: AnyRuleset, header: Header) -> None:
    """What a seat may read of the scenario of a running game is concealed once and for all."""
    if not isinstance(ruleset, ConcealsScenario):
        return
    for seat in (*ruleset.seats, None):
        known = ruleset.conceal_scenario(header.scenario, seat)
        same(ruleset.conceal_scenario(known, seat), known, "conceal", f"{seat}: concealing the scenario twice differs")
        watched = ruleset.conceal_scenario(known, None)
        same(ruleset.conceal_scenario(header.scenario, None), watched, "leak", f"watchers read more than {seat}")


def _variants(ruleset: AnyRuleset, state: Any, seat: Seat | None) -> Iterator[Any]:
    return iter(ruleset.hidden_variants(state, seat)) if isinstance(ruleset, HasHiddenVariants) else iter(())
