"""Whole random games of every scenario, checked at many states: the conformance suite on the Starter Kit."""

import pytest

from sandtable import catalog
from sandtable.core.scenario import ScenarioHead
from sandtable.testing import check_scenario
from tests.architecture.checkout import ROOT

SHARE = 0.03
"""Of the states, those that get the costly checks."""


@pytest.mark.parametrize("head", catalog.scenarios("aslsk3"), ids=lambda head: head.id)
def test_random_games_hold_what_the_kernel_promises(head: ScenarioHead) -> None:
    found = catalog.open_scenario(head.id)
    report = check_scenario(found.ruleset, found.header, games=2, seed=7, thorough=SHARE)
    assert not report.failures, [(failure.seed, failure.message) for failure in report.failures]
    assert report.decisions > 100


def test_so_do_games_at_arm_s_length() -> None:
    """Random players seldom close in; here they start beside one another, with every weapon of the kit."""
    found = catalog.open_scenario(str(ROOT / "tests" / "aslsk" / "brawl.yaml"))
    report = check_scenario(found.ruleset, found.header, games=4, seed=7, thorough=0.1)
    assert not report.failures, [(failure.seed, failure.message) for failure in report.failures]
