"""Bots at the terminal: hints while a game runs, reasons when it is over."""

from random import Random
from typing import Any

import pytest

from sandtable import catalog
from sandtable.bots import make_bot
from sandtable.cli.terminal.advice import Advice
from sandtable.core.dice import SeededDice
from sandtable.core.errors import BadInput
from sandtable.core.game import Game


def started() -> Game[Any, Any, Any]:
    found = catalog.open_scenario("crossroads")
    return Game.start(found.ruleset, found.header, SeededDice(3))


def test_a_hint_answers_the_open_question() -> None:
    advice = Advice(started())
    told = advice.hint(["greedy"])
    assert told[0].startswith("greedy, asked under ")
    assert told[1].startswith("chooses: ")
    assert advice.hint([])[0].startswith("captain:2:steady")
    with pytest.raises(BadInput, match="no bot 'clever'"):
        advice.hint(["clever"])


def test_a_bots_reasons_are_told_when_the_game_is_over() -> None:
    game = started()
    advice, bot, rng = Advice(game), make_bot("greedy"), Random(1)
    chosen = []
    while (decision := game.decision) is not None:
        with pytest.raises(BadInput, match="the game is not over"):
            advice.why([])
        seat = decision.asked[0]
        action = advice.answer(bot, seat, rng)
        chosen.append(f"{seat}: {game.ruleset.describe(action)}")
        game.play(seat, action)
    assert [line.partition(": ")[2] for line in advice.why(["all"])] == chosen
    for number in (1, 2, len(chosen)):
        assert advice.why([str(number)])[1].removeprefix("chooses: ") == chosen[number - 1].partition(": ")[2]
    assert advice.why([]) == advice.why([str(len(chosen))])
    for wrong in ("0", "x", str(len(chosen) + 1)):
        with pytest.raises(BadInput, match="no answer"):
            advice.why([wrong])
    with pytest.raises(BadInput, match="the game is over"):
        advice.hint([])
