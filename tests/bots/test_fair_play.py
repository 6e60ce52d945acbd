"""Fair play, proved: a bot knows what its seat may know, draws from its own chance, and can reach nothing else.

For every system in the catalogue and every kind of bot, on fixed seeds. A system that lands later is tested by being
there.
"""

import ast
import gc
import random
from collections.abc import Iterator
from functools import cache
from random import Random
from types import FunctionType, ModuleType
from typing import Any

import msgspec
import pytest

from sandtable import catalog
from sandtable.bots import Question, ask, captain, make_bot
from sandtable.bots.style import LEVELS, Level
from sandtable.core.codec import encode
from sandtable.core.decision import Seat
from sandtable.core.dice import SeededDice
from sandtable.core.game import Game
from sandtable.core.log import Header
from sandtable.core.ruleset import Ruleset
from sandtable.sim.playout import start
from tests.architecture.checkout import PACKAGE, python_files
from tests.architecture.purity import imports, impurities

AnyRuleset = Ruleset[Any, Any, Any]

SYSTEMS = catalog.system_ids()
NAMES = ("random", "greedy", "captain:1:bold", "captain:2:steady", "captain:3:cautious")
ASKED = {"random": 100, "greedy": 12, "captain:1:bold": 8, "captain:2:steady": 4, "captain:3:cautious": 3}
"""Moments at which a bot is asked, spread over a game, by how long it thinks."""
SMALL = {"panzer-mini": "pm-c-the-crossroads"}
"""Of systems whose first scenario is a large one."""
MOMENTS = 300
"""Decisions of a game that are looked at."""


@pytest.fixture(autouse=True)
def _few_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Captains look ahead less often than in a real game: how often changes nothing in what they may know."""
    few = {number: Level(breadth=1 + number, worlds=3, looks=12, answer_looks=6 * number - 6) for number in LEVELS}
    monkeypatch.setattr(captain, "LEVELS", few)


@cache
def game_of(system: str) -> tuple[AnyRuleset, tuple[tuple[Any, Seat], ...]]:
    """A game that greedy and random players play against one another: each state, and who is asked."""
    ruleset = rules_of(system)
    dice, rng = SeededDice(3), Random(3)
    players = dict(zip(ruleset.seats, (make_bot("greedy", None), make_bot("random", None)), strict=True))
    state = start(ruleset, dice)
    moments: list[tuple[Any, Seat]] = []
    for _ in range(MOMENTS):
        decision = ruleset.decision(state)
        if decision is None:
            break
        moments += ((state, seat) for seat in decision.asked)
        seat = decision.asked[-1]
        state = ruleset.resolve(state, seat, ask(players[seat], ruleset, state, seat, rng), dice).state
    return ruleset, tuple(moments)


def rules_of(system: str) -> AnyRuleset:
    """The rules of a small scenario, with nothing worked out yet."""
    return catalog.open_scenario(SMALL.get(system, catalog.scenarios(system)[0].id)).ruleset


@cache
def secrets_of(system: str) -> tuple[tuple[Any, Seat, list[Any]], ...]:
    """The moments of that game at which something is hidden, with other states that the seat cannot tell from it."""
    ruleset, moments = game_of(system)
    offered: Any = getattr(ruleset, "hidden_variants", lambda *_: ())
    dealt = ((state, seat, [way for way in offered(state, seat) if way != state]) for state, seat in moments)
    return tuple(one for one in dealt if one[2])


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("system", SYSTEMS)
def test_nothing_hidden_changes_a_choice_or_what_is_said_of_it(system: str, name: str) -> None:
    """Deal out the hidden facts in other ways: with the same chance the bot chooses and says the same."""
    ruleset, _ = game_of(system)
    bot = make_bot(name, None)
    hiding = secrets_of(system)
    compared = 0
    for number, (state, seat, variants) in enumerate(hiding[:: -(-len(hiding) // ASKED[name])]):
        chosen = ask(bot, ruleset, state, seat, Random(number))
        assert ruleset.refusal(state, seat, chosen) is None
        told = bot.explain(Question(ruleset, ruleset.conceal(state, seat), seat), Random(number))
        other = Question(ruleset, ruleset.conceal(variants[0], seat), seat)
        assert bot.explain(other, Random(number)) == told
        for variant in variants if name == "random" else variants[-1:]:
            assert ask(bot, ruleset, variant, seat, Random(number)) == chosen
            compared += 1
    assert compared >= 2


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("system", SYSTEMS)
def test_a_bot_draws_from_its_own_chance_and_not_from_the_dice(system: str, name: str) -> None:
    """The game goes on in the same way whether a bot is asked, how often, and with what chance of its own."""

    def played(streams: tuple[int, ...]) -> bytes:
        ruleset = rules_of(system)
        dice, rng, bot = SeededDice(8), Random(8), make_bot(name, None)
        state = start(ruleset, dice)
        for number in range(13):
            decision = ruleset.decision(state)
            assert decision is not None
            seat = decision.asked[0]
            for stream in streams if number % 4 == 0 else ():
                ask(bot, ruleset, state, seat, Random(stream))
            state = ruleset.resolve(state, seat, decision.options(seat).sample(rng), dice).state
        return encode(state)

    everybodys = random.getstate()
    assert played(()) == played((1,)) == played((2, 3))
    assert random.getstate() == everybodys


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("system", SYSTEMS)
def test_the_same_chance_gives_the_same_answer(system: str, name: str) -> None:
    """Else the permutations above would show nothing: another maker, another copy of the rules, the same choice."""
    first, moments = game_of(system)
    asked = []
    for ruleset in (first, rules_of(system)):
        bot = make_bot(name, None)
        asked.append([ask(bot, ruleset, state, seat, Random(4)) for state, seat in moments[:30:6]])
    assert asked[0] == asked[1]


# --- out of reach ---------------------------------------------------------------------------------------


def reachable(root: object) -> Iterator[object]:
    """Everything that can be got at from an object; modules, classes and what functions find by name apart."""
    seen: set[int] = set()
    waiting: list[object] = [root]
    while waiting:
        thing = waiting.pop()
        if id(thing) in seen or isinstance(thing, ModuleType | type):
            continue
        seen.add(id(thing))
        yield thing
        if isinstance(thing, FunctionType):
            waiting += [thing.__closure__, thing.__defaults__, thing.__kwdefaults__]
        else:
            waiting += gc.get_referents(thing)


def leaks(question: Question[Any]) -> list[object]:
    """What a question gives away: states with something in them that the seat may not know, games, logs, dice."""
    ruleset, seat = question.ruleset, question.seat
    return [
        thing
        for thing in reachable(question)
        if isinstance(thing, Game | Header | SeededDice | Random)
        or (isinstance(thing, ruleset.state_type) and ruleset.conceal(thing, seat) != thing)
    ]


@pytest.mark.parametrize("system", SYSTEMS)
def test_no_secret_can_be_reached_from_a_question(system: str) -> None:
    """Options, view, odds and the rules themselves are walked through, reference by reference, after use."""
    ruleset, moments = game_of(system)
    hiding = [(state, seat) for state, seat in moments if ruleset.conceal(state, seat) != state]
    questions = []
    for state, seat in hiding[:: -(-len(hiding) // 3)]:
        question = Question(ruleset, ruleset.conceal(state, seat), seat)
        answer = question.options.sample(Random(0))
        assert question.view is not None
        assert question.preview(answer) is not None
        questions.append(question)
    assert len(questions) > 1
    assert leaks(questions[0]) == []
    assert leaks(questions[-1]) == []


def structs(root: object) -> dict[int, msgspec.Struct]:
    """The structs that can be got at from an object, by what they are and not by what they hold."""
    return {id(thing): thing for thing in reachable(root) if isinstance(thing, msgspec.Struct)}


MIDDLES = ("sk-6-steel-in-the-corn", "na-a-patrol-at-tamrad", "pm-c-the-crossroads", "goss-0-the-lorn-crossing")


@pytest.mark.parametrize("scenario", MIDDLES)
def test_what_the_rules_remember_of_a_game_is_out_of_reach_too(scenario: str) -> None:
    """Asked in the middle of a game, by rules that have just resolved what the seat knows nothing of.

    Neither whole states can be got at nor any piece of one that was never part of what the seat knew.
    """
    ruleset = catalog.open_scenario(scenario).ruleset
    common = structs(ruleset)
    dice, rng = SeededDice(3), Random(3)
    state = start(ruleset, dice)
    happened: dict[int, msgspec.Struct] = {}
    known_to: dict[Seat, dict[int, msgspec.Struct]] = {seat: dict(common) for seat in ruleset.seats}
    hiding = secrets = 0
    for _ in range(90):
        decision = ruleset.decision(state)
        if decision is None:
            break
        happened |= structs(state)
        for seat in ruleset.seats:
            known = ruleset.conceal(state, seat)
            known_to[seat] |= structs(known)
            if known == state or seat not in decision.asked:
                continue
            hiding += 1
            if hiding % 6 == 2:
                question = Question(ruleset, known, seat)
                assert question.preview(question.options.sample(Random(0))) is not None
                assert leaks(question) == []
                secret = happened.keys() - known_to[seat].keys()
                assert [thing for thing in reachable(question) if id(thing) in secret] == []
                secrets += len(secret)
        seat = decision.asked[-1]
        state = ruleset.resolve(state, seat, decision.options(seat).sample(rng), dice).state
    assert hiding > 6
    assert secrets > 6


def test_the_walk_finds_a_secret_that_is_there() -> None:
    ruleset, moments = game_of("panzer-na")
    state, seat = next((state, seat) for state, seat in moments if ruleset.conceal(state, seat) != state)
    question = Question(ruleset, ruleset.conceal(state, seat), seat)
    dice = SeededDice(1)
    question.options.refusal = lambda action, kept=(state, dice): ruleset.refusal(kept[0], seat, action)  # type: ignore[misc]
    found = leaks(question)
    assert any(thing is state for thing in found)
    assert any(thing is dice for thing in found)


OUT_OF_REACH = (
    *("sandtable.core.game", "sandtable.core.log", "sandtable.core.replay", "sandtable.catalog"),
    *("sandtable.session", "sandtable.server", "sandtable.sim", "sandtable.testing", "sandtable.cli"),
    *("gc", "inspect", "sys", "ctypes", "builtins", "traceback", "weakref"),
)
"""Where whole states, logs and dice are kept, and the ways to look into the rest of a program."""
ALLOWED = {
    "clock.py": frozenset({"threading", "time"}),
}
"""What a file may use beside chance; the stream itself is always given."""


@pytest.mark.parametrize("path", python_files(PACKAGE / "bots"), ids=lambda path: path.stem)
def test_a_bot_cannot_import_state(path: Any) -> None:
    """No file of the bots names what holds a whole game, and none looks at files, clocks or the network."""
    source = path.read_text(encoding="utf-8")
    named = {one.module for one in imports(ast.parse(source))}
    assert [module for module in named for bad in OUT_OF_REACH if module == bad or module.startswith(f"{bad}.")] == []
    assert impurities(source, ALLOWED.get(path.name, frozenset()) | {"random"}) == []
