"""Questions and their answers: options, keys, counts and refusals agree with one another."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from random import Random
from typing import Any

from sandtable.core.codec import decode, digest, encode
from sandtable.core.decision import Assign, Decision, Drawing, Leaf, Node, Path, Seat
from sandtable.core.dice import SeededDice
from sandtable.core.errors import Refusal, Refused
from sandtable.core.game import Game
from sandtable.core.ruleset import Ruleset
from sandtable.testing.broken import require, same, text
from sandtable.testing.drawing import check_drawing
from sandtable.testing.filling import check_filling, check_slots
from sandtable.testing.looking import is_offered
from sandtable.testing.wording import Vocabulary, worded

__all__ = ["LISTED", "check_options", "check_question", "check_refusals"]

AnyRuleset = Ruleset[Any, Any, Any]
AnyGame = Game[Any, Any, Any]
LISTED = 24
"""How many of the options are taken from a list, at the most."""
SAMPLED = 3
"""How many of the options are taken apart to word others."""
WORDED = 12
"""How many actions are worded outside the tree, at the most."""


def check_question(ruleset: AnyRuleset, state: Any, decision: Decision[Any]) -> None:
    """A question is put to somebody at the table, under a rule, and has an answer; the game is not over."""
    require(bool(decision.asked), "question", f"nobody is asked: {decision.title}")
    strangers = set(decision.asked) - set(ruleset.seats)
    require(not strangers, "question", f"asked are {sorted(strangers)}, who have no seat")
    require(bool(decision.rule and decision.title), "question", "it has no rule or no title")
    for seat, asked in (decision.wordings or {}).items():
        require(seat in decision.asked, "question", f"it is worded for {seat}, who is not asked")
        require(bool(asked.rule and asked.title), "question", f"{seat} is asked without a rule or a title")
    require(ruleset.outcome(state) is None, "question", "the game is over, yet somebody is asked")
    for seat in decision.asked:
        require(bool(decision.options(seat)), "dead end", f"{seat} has no answer: {decision.title}")


def check_options(ruleset: AnyRuleset, state: Any, seat: Seat, rng: Random) -> None:
    """What the options sample, list, count and lead to is accepted, and survives encoding."""
    decision = ruleset.decision(state)
    assert decision is not None  # noqa: S101 - callers have asked
    options = decision.options(seat)
    listed = list(islice(options, LISTED + 1))
    if len(listed) <= LISTED:
        # A tree that has more is not walked to its end. What can be drawn is listed in part and never counted.
        number = options.count()
        require(number is None or not options.root.holds_open(), "options", "what is open is counted")
        require(number in (None, len(listed)), "options", f"count {number}, listed {len(listed)}")
    strolled, keys = _stroll(options.root, rng, partial(ruleset.refusal, state, seat))
    found = [*listed, *(options.sample(rng) for _ in range(3)), strolled]
    require(list(options.at(*keys)) == [strolled], "options", f"{' > '.join(keys)} leads elsewhere than its branches")
    found += _destinations(options.root, rng)
    for action in found:
        refusal = ruleset.refusal(state, seat, action)
        require(refusal is None, "options", f"{text(action)} is offered but refused: {refusal}")
        require(action in options, "options", f"{text(action)} is offered but not `in` the options")
        again = decode(encode(action), ruleset.action_type)
        require(again == action, "codec", f"{text(action)} does not survive encoding")
        require(isinstance(ruleset.describe(action), str), "words", "describe gives no text")


def check_refusals(game: AnyGame, seat: Seat, rng: Random, foreign: Sequence[Any] = ()) -> None:
    """Actions of other moments and worded ones: `in` and refusal agree, and a refused one changes nothing.

    What is hidden from the seat makes no difference to any refusal, and what is accepted is offered.
    """
    decision = game.decision
    assert decision is not None  # noqa: S101 - callers have asked
    ruleset, state = game.ruleset, game.state
    before = digest(state)
    options = decision.options(seat)
    offered = [options.sample(rng) for _ in range(SAMPLED)]
    composed = list(worded(ruleset, Vocabulary(ruleset.action_type, state, [*offered, *foreign]), offered, rng, WORDED))
    _check_offered(ruleset, state, seat, composed)
    tried = [*foreign, *composed, offered[0]]
    known = ruleset.conceal(state, seat)
    for other in set(ruleset.seats) - set(decision.asked):
        require(game.refusal(other, tried[0]) is not None, "refusal", f"{other} may act but is not asked")
    for action in tried:
        refusal = ruleset.refusal(state, seat, action)
        require((refusal is None) == (action in options), "refusal", f"`in` disagrees about {text(action)}")
        same(ruleset.refusal(known, seat, action), refusal, "leak", f"{seat} learns hidden facts by {text(action)}")
        if refusal is None:
            require(bool(ruleset.resolve(state, seat, action, SeededDice(0)).events), "resolve", "no event")
            require(digest(state) == before, "purity", f"{text(action)} changed the state it was tried in")
            continue
        require(bool(refusal.reason), "refusal", f"{text(action)} is refused without a reason")
        lines = len(game.lines)
        try:
            game.play(seat, action)
        except Refused:
            require(digest(game.state) == before, "refusal", f"refused {text(action)} changed the state")
        require(len(game.lines) == lines, "refusal", f"refused {text(action)} went into the log")


def _check_offered(ruleset: AnyRuleset, state: Any, seat: Seat, composed: Sequence[Any]) -> None:
    """An action from outside the tree that is accepted is one of the options, found by looking for it."""
    for action in composed:
        if ruleset.refusal(state, seat, action) is None:
            found = is_offered(ruleset, state, seat, action)
            require(found is not False, "refusal", f"accepted but never offered: {text(action)}")


def _stroll(node: Node[Any], rng: Random, refusal: Callable[[Any], Refusal | None]) -> tuple[Any, tuple[str, ...]]:
    """The action at the end of a walk from branch to branch, as a client makes it, and the keys on the way."""
    keys: tuple[str, ...] = ()
    before: Node[Any] | None = None
    assigned: tuple[Assign[Any], int] | None = None
    while not isinstance(node, Leaf):
        if type(before) is not type(node):
            check_slots(node)
            if isinstance(node, Drawing):
                check_drawing(node, refusal, rng)
            assigned = (node, len(keys)) if isinstance(node, Assign) else assigned
        branches = list(node.branches())
        require(bool(branches), "dead end", f"a {node.shape} without a branch")
        require(
            len({branch.key for branch in branches}) == len(branches), "options", f"{node.shape}: a key stands twice"
        )
        branch = rng.choice(branches)
        before, node, keys = node, branch.then, (*keys, branch.key)
    if assigned is not None:
        root, depth = assigned
        check_filling(root, keys[depth : depth + len(root.slots)], refusal, rng)
    return node.action, keys


def _destinations(node: Node[Any], rng: Random) -> Iterator[Any]:
    """Actions of some destinations, of a path that a walk meets."""
    while not isinstance(node, Leaf):
        if isinstance(node, Path):
            places = list(node.destinations())
            yield from (branch.then.sample(rng) for branch in rng.sample(places, min(4, len(places))))
            return
        node = rng.choice(list(node.branches())).then
