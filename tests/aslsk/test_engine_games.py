"""Whole games at close quarters, checked at many states; tests/conformance plays the scenarios that are shipped."""

from random import Random
from typing import Any

from sandtable import catalog
from sandtable.bots import BOTS, ask
from sandtable.core.dice import SeededDice
from sandtable.core.game import Game
from sandtable.core.log import Entry
from sandtable.testing import check_action, check_log, check_scenario, check_state
from tests.architecture.checkout import ROOT

SHARE = 0.03
"""Of the states, those that get the costly checks."""


def test_games_at_arm_s_length_hold_what_the_kernel_promises() -> None:
    """Random players seldom close in; here they start beside one another, with every weapon of the kit."""
    found = catalog.open_scenario(str(ROOT / "tests" / "aslsk" / "brawl.yaml"))
    report = check_scenario(found.ruleset, found.header, games=4, seed=7, thorough=0.1)
    assert not report.failures, [(failure.seed, failure.message) for failure in report.failures]


def test_so_do_games_that_are_played_with_sense() -> None:
    """A computer player that means to win comes to close combat, rout and rally more often than chance does."""
    ruleset, header = catalog.open_scenario(str(ROOT / "tests" / "aslsk" / "brawl.yaml"))
    seen: set[str] = set()
    for number in range(4):
        bot, rng = BOTS["greedy"](), Random(number)
        game: Game[Any, Any, Any] = Game.start(ruleset, header, SeededDice(f"sense {number}"))
        while (decision := game.decision) is not None:
            if rng.random() < SHARE:
                check_state(game, decision, rng)
            seat = decision.asked[0]
            check_action(game, seat, ask(bot, ruleset, game.state, seat, rng))
            last = game.lines[-1]
            assert isinstance(last, Entry)
            seen.update(type(event).__name__ for event in last.events)
        check_log(game)
    assert seen >= {"CloseCombatResolved", "UnitRouted"}
