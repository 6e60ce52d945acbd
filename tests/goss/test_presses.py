"""How many presses a game turn of the Lorn Crossing asks of those who accept what is offered, both sides together.

A press for every branch on the way to an answer, one for every slot that is changed, and one to confirm.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from sandtable.core.decision import Assign, Leaf, Node
from sandtable.core.dice import SeededDice
from sandtable.core.game import Game
from sandtable.systems.goss.modes.designation import AssaultChoice
from tests.goss.lorn import header, lorn

MOST = 60


def offered(node: Node[Any]) -> tuple[Any, int]:
    """The first answer, and the presses that it takes."""
    presses = 0
    while not isinstance(node, Leaf):
        if isinstance(node, Assign):
            return next(iter(node)), presses + 1
        presses += 1
        node = next(iter(node.branches())).then
    return node.action, presses + (not node.action.is_plain())


def everybody_attacks(node: Assign[Any]) -> tuple[Any, int]:
    """Whoever may be designated is; a press for each, and one to confirm."""
    return node.filled(tuple(slot.values[-1] for slot in node.slots)), len(node.slots) + 1


def presses_by_turn(seed: int, *, attacks: bool) -> Counter[int]:
    """A whole game: presses by game turn."""
    game = Game.start(lorn(), header(), SeededDice(seed))
    found: Counter[int] = Counter()
    while (decision := game.decision) is not None:
        (seat,) = decision.asked
        root = decision.options(seat).root
        is_designation = isinstance(game.state.stack[-1], AssaultChoice)
        if attacks and is_designation and isinstance(root, Assign):
            action, presses = everybody_attacks(root)
        else:
            action, presses = offered(root)
        found[game.state.at.turn] += presses
        game.play(seat, action)
    return found


@pytest.mark.parametrize("attacks", [False, True], ids=["as offered", "everybody attacks"])
@pytest.mark.parametrize("seed", [1, 2])
def test_a_game_turn_takes_few_presses(seed: int, *, attacks: bool) -> None:
    found = presses_by_turn(seed, attacks=attacks)
    assert set(found) == set(range(6)), "the game goes to its end"
    assert max(found.values()) < MOST, found
