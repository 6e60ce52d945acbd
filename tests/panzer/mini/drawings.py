"""Mutated drawings by the thousand: judge, refusal, key and ``in`` agree, and what is refused changes nothing.

``python -m tests.panzer.mini.drawings 100000`` runs as many; the tests run a few hundred.
"""

from __future__ import annotations

import sys
from functools import partial
from random import Random
from typing import Any

import pytest

from sandtable.core.decision import Drawing, Node, Seat
from sandtable.core.dice import SeededDice
from sandtable.core.errors import Refused
from sandtable.core.game import Game
from sandtable.core.tree.drawing import Strokes
from sandtable.testing.drawing import check_wild, mutated
from tests.panzer.mini.games import at_random, game_of

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
                done, legal = done + _EACH, legal + _mutate(game, seat, node, rng)
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


def _mutate(game: Game[Any, Any, Any], seat: Seat, node: Drawing[Any], rng: Random) -> int:
    """Make a drawing wild step by step; how many were legal. What is refused changes nothing."""
    decision = game.decision
    assert decision is not None
    options, state, lines = decision.options(seat), game.state, len(game.lines)
    refusal = partial(game.ruleset.refusal, state, seat)
    strokes: Strokes = ()
    legal = 0
    for _ in range(_EACH):
        strokes = mutated(strokes or node.sketch(rng), rng)
        check_wild(node, strokes, refusal)
        action = node.worded(strokes)
        is_legal = refusal(action) is None
        assert (action in options) is is_legal, f"{action}: in the options or not, and legal or not"
        if not is_legal:
            with pytest.raises(Refused):
                game.play(seat, action)
        assert game.state is state
        assert len(game.lines) == lines
        legal += is_legal
    return legal


if __name__ == "__main__":
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    found = check_drawings(most, int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    print(f"{most} drawings, {found} of them legal: judge, refusal, key and in agree")  # noqa: T201
