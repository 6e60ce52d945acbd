"""Mutated drawings by the thousand: judge, refusal and key agree, and nothing crashes.

``python -m tests.panzer.mini.drawings 100000`` runs as many; the tests run a few hundred.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

from sandtable.core.decision import Drawing, Node
from sandtable.core.dice import SeededDice
from sandtable.core.errors import Refusal
from sandtable.testing.drawing import check_wild, mutated
from tests.panzer.mini.desk import at_random, game_of

SCENARIOS = ("pm-a-first-drive", "pm-b-the-ridge", "pm-c-the-crossroads", "pm-1-the-bridge")
_EACH = 10
"""Drawings made of one sketch."""


def check_drawings(count: int, seed: int) -> int:
    """Make so many wild drawings at open questions of random games; how many of them were legal."""
    rng = Random(seed)
    done = legal = 0
    while done < count:
        game = game_of(rng.choice(SCENARIOS), SeededDice(rng.randrange(10**9)))
        at_random(game, rng.randrange(10**6), rng.randrange(60))
        for _ in range(40):
            decision = game.decision
            if decision is None:
                break
            seat = decision.asked[0]
            node = _open(decision.options(seat).root, rng)
            if node is not None:
                before = game.state
                found = _mutate(node, partial(game.ruleset.refusal, before, seat), rng)
                done, legal = done + _EACH, legal + found
                assert game.state is before
            at_random(game, rng.randrange(10**6), 1)
            if done >= count:
                break
    return legal


def _open(node: Node[Any], rng: Random) -> Drawing[Any] | None:
    """An open question below a node, if there is one."""
    while not isinstance(node, Drawing):
        branches = list(node.branches()) if node.shape == "pick" else []
        if not branches:
            return None
        node = rng.choice(branches).then
    return node


def _mutate(node: Drawing[Any], refusal: Callable[[Any], Refusal | None], rng: Random) -> int:
    """Make a drawing wild step by step; how many were legal."""
    strokes = node.sketch(rng)
    legal = 0
    for _ in range(_EACH):
        strokes = mutated(strokes, rng)
        check_wild(node, strokes, refusal)
        legal += node.judge(strokes).refusal is None
    return legal


if __name__ == "__main__":
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    found = check_drawings(most, int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    print(f"{most} drawings, {found} of them legal: judge, refusal and key agree")  # noqa: T201
