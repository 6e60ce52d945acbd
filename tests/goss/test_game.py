"""The Lorn Crossing is set up, and its segments follow one another to the end."""

from __future__ import annotations

import pytest

from sandtable.core.decision import Seat
from sandtable.systems.goss.victory import outcome
from sandtable.testing import check_scenario
from tests.goss.lorn import header, lorn


@pytest.mark.rules("2.2.0", "3.5.2", "8.4.0", system="goss")
def test_set_up() -> None:
    rules = lorn()
    state = rules.setup()
    assert len(state.units) == 40
    known = rules.conceal(state, Seat("axis"))
    assert "61-inf/1-481" in known.units
    assert "61-inf/A-61 Eng" not in known.units
    assert rules.place("0907") in [veil.hex for veil in known.veils]


@pytest.mark.rules("3.3.0", "3.3.4", "3.5.0", "3.5.1", "19.1.0", system="goss")
def test_random_games_keep_the_contract_to_the_end() -> None:
    report = check_scenario(lorn(), header(), games=2, seed=1, thorough=0.25)
    assert [failure.message for failure in report.failures] == []


@pytest.mark.rules("3.3.4", system="goss")
def test_whoever_reaches_no_level_is_told_what_the_least_takes() -> None:
    rules = lorn()
    told = outcome(rules.context, rules.setup())
    assert (told.winner, told.summary) == ("axis", "Axis holds: Allied has 0 points, Allied marginal victory takes 15")
