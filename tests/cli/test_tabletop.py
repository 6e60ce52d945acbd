"""A table without hexes in the terminal, for lines of sight, and as arrays for learners."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from sandtable import catalog
from sandtable.cli.terminal.table_drawing import arrow_of
from sandtable.core.decision import Seat
from sandtable.rl.arrays import COUNTER, HEAD
from sandtable.rl.table import LearnersTable
from tests.cli.running import run, run_json
from tests.tabletop_system import register_tabletop


@pytest.fixture(autouse=True)
def tabletop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalog, "_registered", dict(catalog._registered))
    register_tabletop()


def play(script: Sequence[str]) -> str:
    return run("play", "mill", text="".join(f"{line}\n" for line in script)).stdout


def test_a_table_is_drawn_as_text() -> None:
    text = play(["put 4,4 facing 135", "look 4,4", "look 17,7", "look A1", "quit"])
    assert "r1↘" in text or "r1." in text
    assert "r1  r1  4,4 135°" in text
    assert "numbers are levels, edges in inches" in text
    assert "4,4: clear, level 0" in text
    assert "r1, r1 of red, at 4,4" in text
    assert "17,7: woods, road, level 0" in text
    assert "'A1' is no place" in text


def test_arrows_point_to_the_nearest_eighth() -> None:
    assert "".join(arrow_of(heading) for heading in (0, 224, 226, 900, 1800, 3374, 3376)) == "↑↑↗→↓↖↑"


def test_sight_between_places_of_a_table() -> None:
    assert "blocked at 15," in run("los", "meadow", "15,2", "15,12", "--system", "tabletop").stdout
    found = run_json("los", "meadow", "2,2", "8.5,2", "--system", "tabletop")
    assert (found["range"], found["blocked"]) == (6, False)
    assert "off the table" in run("los", "meadow", "2,2", "99,2", "--system", "tabletop", code=2).stderr


def test_a_learner_is_shown_places_in_inches() -> None:
    table = LearnersTable("mill")
    table.begin(1)
    rng = np.random.default_rng(1)
    for _ in range(4):
        table.choose(int(rng.choice(np.flatnonzero(table.sees(table.asked)["action_mask"]))))
    seen = table.sees(Seat("red"))
    first = seen["observation"][HEAD : HEAD + COUNTER]
    assert first[0] == 1
    assert -1 <= first[2] <= 1
    assert abs(first[4] ** 2 + first[5] ** 2 - 1) < 1e-5
