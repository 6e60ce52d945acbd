"""Every system we ship holds what the kernel promises, in every scenario."""

from random import Random
from typing import Any

import pytest

from sandtable import catalog, testing
from sandtable.core.codec import to_plain
from sandtable.core.dice import SeededDice
from sandtable.core.game import Game
from sandtable.core.ruleset import Ruleset
from tests.whole import share

SYSTEMS = catalog.system_ids()
SMALL, LARGE = 10, 25
"""Counters."""
SCENARIOS = [head.id for system in SYSTEMS for head in catalog.scenarios(system)]


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_random_games_conform(scenario: str) -> None:
    found = catalog.open_scenario(scenario)
    # A game of a large scenario has as many positions as two of a small one; `sandtable fuzz` plays any number.
    # Of a large one fewer are looked at closely, but there are as many more of them.
    counters = _counters(found.ruleset)
    games, thorough = (2, 0.05) if counters <= LARGE else (1, 0.04) if counters <= 2 * LARGE else (1, 0.02)
    thorough *= share(1, whole=4)
    report = testing.check_scenario(found.ruleset, found.header, games=games, seed=1, thorough=thorough)
    assert report.failures == []
    assert report.decisions > 20


@pytest.mark.parametrize("system_id", SYSTEMS)
def test_many_states_of_a_small_scenario_conform(system_id: str) -> None:
    found = [catalog.open_scenario(head.id) for head in catalog.scenarios(system_id)]
    smallest = min(found, key=lambda one: _counters(one.ruleset))
    # Looking at every state takes ten times as long as at some; other games of it are among those above.
    thorough = 1.0 if _counters(smallest.ruleset) <= SMALL else 0.25
    assert testing.check_scenario(smallest.ruleset, smallest.header, games=1, seed=2, thorough=thorough).failures == []


def _counters(ruleset: Ruleset[Any, Any, Any]) -> int:
    return len(ruleset.view(ruleset.setup(), None).counters)


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
