"""A worker that plays game after game keeps nothing of them. ``tests/load/memory.py`` does it with 10,000 games."""

import gc
import tracemalloc
from collections.abc import Iterator

import pytest

from sandtable.sim.match import play_game
from tests.sim.scene import quick


@pytest.fixture
def traced() -> Iterator[None]:
    tracemalloc.start()
    yield
    tracemalloc.stop()


def test_memory_stays_flat_over_games(traced: None) -> None:
    setting = quick()

    def play(first: int, games: int) -> int:
        for game in range(first, first + games):
            play_game(setting, 0, game)
        gc.collect()
        return tracemalloc.get_traced_memory()[0]

    full = play(0, 50)
    grown = play(50, 30) - full
    # Tables of sight and of movement are still being filled here and there; the states of 30 games would be three times
    # as much.
    assert grown < 250_000
