"""A gathering is one thing: what is ticked, what is told of it, what is sent and what comes of it.

Random ticks go through every gathering that occurs in random games of every system. What the server settles them to is
what a client shows ticked; it must be the action that is priced, and those whom the events name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

import pytest

from sandtable import catalog
from sandtable.core.codec import to_plain
from sandtable.core.decision import LEFT_OUT, Gather, Node, Options, Seat
from sandtable.core.dice import SeededDice
from sandtable.core.errors import BadInput, Refused
from sandtable.core.game import Game
from sandtable.session.game.play import Choice, Standpoint
from sandtable.session.presenting.foresight import foresee
from sandtable.session.presenting.pieces import words_in
from tests.toy_system import toy_game

SCENARIOS = ("toy", "na-brigade-clash", "mbt-battalion-attack", "sk-3-room-by-room", "sk-4-tools-of-the-trade")
ANNOUNCING = frozenset(("FireAnnounced", "FireDeclared", "DesperationKept"))
"""Events that name those who take part, in each system."""
ENOUGH = 100
"""Wishes that are followed in each scenario."""


class Found(NamedTuple):
    """A gathering in the tree of answers."""

    keys: tuple[str, ...]
    node: Gather[Any]


def gatherings(node: Node[Any], keys: tuple[str, ...] = ()) -> Iterator[Found]:
    """The gatherings of a tree, as far as picks lead to them."""
    if isinstance(node, Gather):
        yield Found(keys, node)
    elif node.shape == "pick":
        for branch in node.branches():
            yield from gatherings(branch.then, (*keys, branch.key))


def new_game(scenario: str, seed: int) -> Game[Any, Any, Any]:
    if scenario == "toy":
        return toy_game(SeededDice(seed))
    opened = catalog.open_scenario(scenario)
    return Game.start(opened.ruleset, opened.header, SeededDice(seed))


def wish(node: Gather[Any], rng: Random) -> list[str]:
    """Whom somebody ticks, in any order: few, many, or one alone."""
    share = rng.choice((0.15, 0.5, 0.9))
    return [rng.choice(slot.values) if rng.random() < share else "" for slot in node.slots]


def named(plain: Any, node: Gather[Any]) -> set[str]:
    return {slot.key for slot in node.slots} & set(words_in(plain))


def check(game: Game[Any, Any, Any], seat: Seat, found: Found, wanted: list[str]) -> bool:
    """One wish, through all that becomes of it; whether anything can."""
    here = Standpoint(game.ruleset, game.ruleset.conceal(game.state, seat), seat, 0)
    asked = Choice((*found.keys, *(value or LEFT_OUT for value in wanted), "done"))
    try:
        answer = here.settled(asked)
    except BadInput:
        # Only leaders are wanted, and there is nobody whom they could direct; or nobody is wanted at all.
        assert {slot.kind for slot, value in zip(found.node.slots, wanted, strict=True) if value} <= {"leader"}
        return False
    assert here.settled(answer) == answer, "what is settled stays so"
    values = answer.keys[len(found.keys) : -1]
    ticked = {slot.key for slot, value in zip(found.node.slots, values, strict=True) if value != LEFT_OUT}
    action = here.find(answer)
    here.check(action)
    if answer != asked:
        # What is sent is what was shown, or nothing is done.
        with pytest.raises((BadInput, Refused)):
            here.check(here.find(asked))
    assert named(to_plain(action), found.node) == ticked
    told = foresee(here.ruleset, here.known, seat, action, estimate=False)
    slots = {slot.key for slot in found.node.slots}
    assert set(told.units) & slots == ticked
    events = game.ruleset.resolve(game.state, seat, action, SeededDice(1)).events
    announced = next(event for event in events if type(event).__name__ in ANNOUNCING)
    assert named(to_plain(announced), found.node) == ticked
    return True


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_ticks_action_preview_and_firers_are_one(scenario: str) -> None:
    done: Counter[str] = Counter()
    for seed in range(200):
        game, rng = new_game(scenario, seed), Random(seed)
        while (decision := game.decision) is not None:
            seat = rng.choice(decision.asked)
            options: Options[Any] = decision.options(seat)
            seen = list(gatherings(options.root))
            for found in rng.sample(seen, min(2, len(seen))):
                for _ in range(3):
                    done[found.node.slots[0].kind] += check(game, seat, found, wish(found.node, rng))
            if done.total() >= ENOUGH:
                return
            game.play(seat, options.sample(rng))
    pytest.fail(f"hardly anything was gathered: {done}")
