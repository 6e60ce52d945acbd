"""The generated crowd keeps the promises of a system, and is as large as it says."""

import pytest

from sandtable import catalog, testing
from sandtable.core.dice import SeededDice
from sandtable.core.game import Game
from sandtable.testing import crowd


@pytest.fixture(autouse=True)
def registry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalog, "_registered", dict(catalog._registered))
    crowd.register()


def test_a_small_crowd_conforms() -> None:
    ruleset, header = catalog.open_scenario(crowd.FEW)
    assert not testing.check_scenario(ruleset, header, games=1, seed=1, thorough=0.1).failures


def test_the_crowd_is_as_large_as_it_says() -> None:
    ruleset, header = catalog.open_scenario(crowd.CROWD)
    game = Game.start(ruleset, header, SeededDice(1))
    assert len(game.state.units) == 600
    assert isinstance(ruleset, crowd.CrowdRules)
    assert len(ruleset.game_map.hexes) == 2500
    assert game.state == Game.start(ruleset, header, SeededDice(2)).state
