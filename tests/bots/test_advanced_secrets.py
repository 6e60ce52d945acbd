"""Panzer, Advanced Game: hidden commands, plots, registered points, loads and off-map assets change nothing for others.

Random games are dealt anew at some moments: all that is hidden from the seat that is asked at once, and the enemy's
off-map batteries in the scenario too. What the seat sees, may answer, is refused, is told of odds
and what bots choose for it stay the same.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from random import Random
from typing import Any

import pytest

from sandtable import catalog
from sandtable.bots import Question, captain, make_bot
from sandtable.bots.style import LEVELS, Level
from sandtable.core.decision import Seat
from sandtable.core.dice import SeededDice
from sandtable.core.ruleset import Ruleset
from sandtable.sim.playout import start

AnyRuleset = Ruleset[Any, Any, Any]
SCENARIOS = ("na-adv-box-on-asfar", "na-adv-stukas-at-the-pass", "pe-2-higher-ground")
BESIDES = (
    "na-adv-a-wells-at-bir-hamra",
    "na-adv-breakthrough",
    "pe-1-the-bridge",
    "pe-3-the-turning-tide",
    "pe-4-battle-of-ponyri",
    "pe-5-twilight",
)
"""The other Advanced scenarios, of which a few moments are looked at."""
MOMENTS = 120
"""Decisions of a game that are looked at ..."""
FEW = 30
"""... and of those besides."""
COMPARED = 12
"""Of the moments with a secret, those at which all is compared ..."""
ASKED = 3
"""... and those at which bots are asked."""


def moments(ruleset: AnyRuleset, number: int = MOMENTS) -> Iterator[tuple[Any, Seat]]:
    """Positions of a random game with a question that is no matter of course, and who is asked."""
    dice, rng = SeededDice(5), Random(5)
    state = start(ruleset, dice)
    for _ in range(number):
        decision = ruleset.decision(state)
        if decision is None:
            return
        yield from ((state, seat) for seat in decision.asked if decision.options(seat).only() is None)
        seat = rng.choice(decision.asked)
        state = ruleset.resolve(state, seat, decision.options(seat).sample(rng), dice).state


def dealt(ruleset: Any, state: Any, seat: Seat) -> Any:
    """The state with everything that is hidden from the seat dealt anew."""
    for hidden in ("units", "flights", "batteries"):
        ways = [one for one in ruleset.hidden_variants(state, seat) if getattr(one, hidden) != getattr(state, hidden)]
        state = ways[-1] if ways else state
    return state


def with_more_assets(scenario: str, seat: Seat) -> AnyRuleset:
    """The rules of a scenario in which the enemies of a seat have twice as much off the map."""
    draft = catalog.open_scenario(scenario).header.scenario
    system = str(draft["system"])
    sides = [
        side
        if side["id"] == seat
        else {**side, "batteries": [one for all_ in _twice(side.get("batteries", ())) for one in all_]}
        for side in draft["sides"]
    ]
    return catalog.system(system).ruleset({**draft, "sides": sides}, catalog.library(system), scenario)


def _twice(batteries: Iterable[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], ...]]:
    return ((one, {**one, "id": f"{one['id']}-more"}) for one in batteries)


def told(ruleset: AnyRuleset, state: Any, seat: Seat, foreign: list[Any], *, odds: bool = True) -> list[Any]:
    """All that a seat is told: view, question, options, refusals, and odds as far as they are wanted."""
    known = ruleset.conceal(state, seat)
    question = Question(ruleset, known, seat)
    answers = [*islice(question.options, 6), *(question.options.sample(Random(number)) for number in range(4))]
    refusals = [ruleset.refusal(state, seat, action) for action in foreign]
    return [
        ruleset.view(state, seat),
        ruleset.decision(known).wording(seat),  # type: ignore[union-attr]
        answers,
        refusals,
        [question.preview(answer) for answer in answers[:odds]],
    ]


@pytest.fixture(params=SCENARIOS)
def played(request: pytest.FixtureRequest) -> tuple[str, AnyRuleset, list[tuple[Any, Seat, Any]]]:
    """A game with the moments at which something is hidden, and the same dealt anew."""
    ruleset = catalog.open_scenario(request.param).ruleset
    hiding = [(state, seat, dealt(ruleset, state, seat)) for state, seat in moments(ruleset)]
    return request.param, ruleset, [(state, seat, other) for state, seat, other in hiding if other != state]


def spread(found: list[Any], number: int) -> list[Any]:
    return found[:: max(1, len(found) // number)][:number]


def test_nobody_is_told_what_is_hidden(played: tuple[str, AnyRuleset, list[tuple[Any, Seat, Any]]]) -> None:
    scenario, ruleset, hiding = played
    richer = {seat: with_more_assets(scenario, seat) for seat in ruleset.seats}
    foreign: list[Any] = []
    for state, seat, other in spread(hiding, COMPARED):
        expected = told(ruleset, state, seat, foreign)
        assert told(ruleset, other, seat, foreign) == expected
        assert told(richer[seat], ruleset.conceal(state, seat), seat, foreign) == expected
        foreign = [*foreign[-8:], expected[2][-1]]
    assert len(foreign) > 4


@pytest.mark.parametrize("name", ["greedy", "captain:2:steady"])
def test_no_bot_chooses_by_what_is_hidden(
    played: tuple[str, AnyRuleset, list[tuple[Any, Seat, Any]]], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(captain, "LEVELS", {number: Level(2, 3, 6, 6) for number in LEVELS})
    scenario, ruleset, hiding = played
    for number, (state, seat, other) in enumerate(spread(hiding, ASKED)):
        ways = [(ruleset, state), (ruleset, other), (with_more_assets(scenario, seat), state)]
        # Each is asked by a bot of its own: nothing is remembered from one to the next.
        chosen = [
            make_bot(name, None).choose(Question(rules, ruleset.conceal(now, seat), seat), Random(number))
            for rules, now in ways
        ]
        assert chosen[1:] == chosen[:1] * 2


@pytest.mark.parametrize("scenario", BESIDES)
def test_nobody_is_told_and_no_bot_chooses_by_what_is_hidden_in_any_scenario(scenario: str) -> None:
    ruleset = catalog.open_scenario(scenario).ruleset
    hiding = [(state, seat, dealt(ruleset, state, seat)) for state, seat in moments(ruleset, FEW)]
    hiding = spread([one for one in hiding if one[2] != one[0]], 3)
    assert hiding
    richer = {seat: with_more_assets(scenario, seat) for seat in ruleset.seats}
    foreign: list[Any] = []
    for state, seat, other in hiding:
        # The odds of orders are those of all fire that is planned: that takes long.
        odds = ruleset.decision(state).asked == (seat,)  # type: ignore[union-attr]
        expected = told(ruleset, state, seat, foreign, odds=odds)
        assert told(ruleset, other, seat, foreign, odds=odds) == expected
        assert told(richer[seat], ruleset.conceal(state, seat), seat, foreign, odds=odds) == expected
        foreign.append(expected[2][-1])
    state, seat, other = hiding[-1]
    ways = [(ruleset, state), (ruleset, other), (richer[seat], state)]
    chosen = [
        make_bot("greedy", None).choose(Question(rules, ruleset.conceal(now, seat), seat), Random(1))
        for rules, now in ways
    ]
    assert chosen[1:] == chosen[:1] * 2


def test_every_advanced_scenario_is_looked_at() -> None:
    advanced = {one.id for one in catalog.scenarios() if one.id.startswith(("na-adv-", "pe-"))}
    assert advanced == {*SCENARIOS, *BESIDES}
