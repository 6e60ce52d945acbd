"""The front of 600 units that the bench measures: as large as it says, and played by the same rules."""

from __future__ import annotations

from random import Random

import pytest

from sandtable import catalog, testing
from sandtable.cli.bench.goss.stress import open_stress
from sandtable.core.dice import SeededDice
from sandtable.core.game import Game

DECISIONS = 20


@pytest.fixture(autouse=True)
def _registry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalog, "_registered", dict(catalog._registered))


def test_the_front_is_as_large_as_it_says_and_is_played() -> None:
    ruleset, header = open_stress()
    game = Game.start(ruleset, header, SeededDice(1))
    assert len(game.state.units) == 600
    assert len(ruleset.game_map.hexes) == 2500  # type: ignore[attr-defined]
    rng = Random(1)
    for number in range(DECISIONS):
        decision = game.decision
        assert decision is not None
        if number == DECISIONS // 2:
            testing.check_secrets(ruleset, game.state, rng)
        before, seat = game.state, decision.asked[0]
        testing.check_action(game, seat, decision.options(seat).sample(rng))
        testing.check_names(game, before)
    testing.check_log(game)


@pytest.mark.rules("13.2.0", system="goss")
def test_13_2_0_whether_all_can_attack_is_found_along_a_whole_front() -> None:
    """Assaults were begun while scores of units along the front had one to find: too many ways to try them all."""
    ruleset, header = open_stress()
    game, rng = Game.start(ruleset, header, SeededDice(1)), Random(3)
    asked = 0
    while len(game.lines) < 210:
        decision = game.decision
        assert decision is not None
        asked += decision.title == "Assault a hex"
        game.play(decision.asked[0], decision.options(decision.asked[0]).sample(rng))
    assert asked > 20
