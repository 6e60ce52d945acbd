"""What is kept from one state to the next never shows: a game on a table is the same with everything forgotten."""

from __future__ import annotations

from typing import Any

from sandtable import catalog
from tests.remembering import SEEDS, always, forgetful, played, played_on_threads

SCENARIO = "pm-1-the-bridge"


def _rules() -> Any:
    return catalog.open_scenario(SCENARIO).ruleset


def test_a_game_is_the_same_with_everything_forgotten_before_every_answer() -> None:
    remembered = list(played("kept", always(_rules())))
    assert len(remembered) > 100
    assert list(played("kept", forgetful(_rules()))) == remembered


def test_games_on_several_threads_do_not_disturb_one_another() -> None:
    """All tables of a scenario share its rules."""
    alone = [list(played(seed, always(_rules()))) for seed in SEEDS]
    assert played_on_threads(_rules()) == alone
