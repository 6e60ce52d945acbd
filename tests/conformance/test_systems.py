"""Every system we ship holds what the kernel promises, in every scenario."""

import pytest

from sandtable import catalog, testing
from sandtable.core.codec import to_plain

SYSTEMS = catalog.system_ids()
SCENARIOS = [head.id for system in SYSTEMS for head in catalog.scenarios(system)]


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_random_games_conform(scenario: str) -> None:
    found = catalog.open_scenario(scenario)
    report = testing.check_scenario(found.ruleset, found.header, games=2, seed=1, thorough=0.1)
    assert report.failures == []
    assert report.decisions > 20


@pytest.mark.parametrize("system_id", SYSTEMS)
def test_every_state_of_a_small_scenario_conforms(system_id: str) -> None:
    first = catalog.scenarios(system_id)[0].id
    assert testing.check_system(system_id, [first], games=2, seed=2).games == 2


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_scenario_survives_the_header_of_a_log(scenario: str) -> None:
    """What YAML reads as a date or a number for a key would come back from JSON as something else."""
    draft = catalog.open_scenario(scenario).header.scenario
    assert to_plain(draft) == draft
