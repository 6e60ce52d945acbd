"""Every system we ship holds what the kernel promises, in every scenario."""

from random import Random

import pytest

from sandtable import catalog, testing
from sandtable.core.codec import to_plain
from sandtable.core.dice import SeededDice
from sandtable.core.game import Game

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


@pytest.mark.parametrize("system_id", SYSTEMS)
def test_what_a_card_promises_comes_about(system_id: str) -> None:
    """The suite looks for what a card denies; here is that what it says happens in some game."""
    seen: set[str] = set()
    for number, head in enumerate(catalog.scenarios(system_id)):
        found = catalog.open_scenario(head.id)
        card, rng = found.ruleset.card, Random(number)
        says = {"hidden": card.hidden, "chance": card.chance, "simultaneous": card.simultaneous}
        promised = {name for name, is_so in says.items() if is_so}
        game = Game.start(found.ruleset, found.header, SeededDice(number))
        while promised > seen and (decision := game.decision) is not None:
            seen |= {"simultaneous"} if len(decision.asked) > 1 else set()
            seen |= {"hidden"} if found.ruleset.conceal(game.state, None) != game.state else set()
            seat = rng.choice(decision.asked)
            seen |= {"chance"} if game.play(seat, decision.options(seat).sample(rng)).rolls else set()
        if seen == promised:
            return
    raise AssertionError(f"of {system_id} was seen only {sorted(seen)}")
