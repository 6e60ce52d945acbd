import numpy as np
import pytest

from sandtable.rl.arrays import CHOICE
from sandtable.rl.example import train, win_share


@pytest.mark.slow
def test_the_example_learns_to_beat_random() -> None:
    told: list[str] = []
    weights = train(generations=5, population=16, games=2, tell=told.append)
    assert len(told) == 5
    assert win_share(np.zeros(CHOICE), 20) < 0.6
    assert win_share(weights, 20) > 0.65
