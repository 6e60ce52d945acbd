"""Looking ahead: fated dice, fair comparisons, and how far to believe a difference."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from sandtable.bots import Question
from sandtable.bots.clock import Clock
from sandtable.bots.common_dice import CommonDice
from sandtable.bots.doctrine import Idea
from sandtable.bots.kept import Kept
from sandtable.bots.search import Search, Tried
from sandtable.bots.style import CHARACTERS, Character, Level, Style
from sandtable.core.decision import Seat
from sandtable.core.dice import DiceSpec, SeededDice
from sandtable.sim.playout import start
from tests.toy import RED, GiveOrders
from tests.toy_system import toy_ruleset

D100 = DiceSpec(1, 100)
STEADY = CHARACTERS[Character.STEADY]
DEEP = Level(breadth=8, worlds=12, looks=80, answer_looks=60)


def tried(worth: float, *values: float) -> Tried:
    one = Tried(Idea("answer", worth), "answer")
    one.values = dict(enumerate(values))
    return one


class Oracle:
    """A doctrine that judges answers by a list of its own, with luck that is the same for all of a world."""

    doubt = 3.0

    def __init__(self, question: Question[Any], truth: list[float], noise: float = 0.0) -> None:
        self._question = question
        self.imagined = question.ruleset
        self.answers: list[Any] = list(question.options)[: len(truth)]
        self._truth, self._noise = truth, noise
        self.worlds_imagined = 0

    def ideas(self, question: Question[Any], style: Style, rng: Random) -> list[Idea]:
        return [Idea(answer, -float(place)) for place, answer in enumerate(self.answers)]

    def slots(self, question: Question[Any], style: Style, rng: Random) -> list[list[Idea]] | None:
        return None

    def imagine(self, question: Question[Any], style: Style, rng: Random) -> Any:
        self.worlds_imagined += 1
        return question.known

    def rollout(self, state: Any, seat: Seat, style: Style, rng: Random) -> Any:
        raise AssertionError("nothing is to be played on")

    def is_over(self, begun: Any, state: Any) -> bool:
        return True

    def worth(self, state: Any, seat: Seat, style: Style) -> float:
        given = GiveOrders({piece.id: piece.order for piece in state.pieces.values() if piece.side == seat})
        return self._truth[self.answers.index(given)]

    def plan(self, question: Question[Any], style: Style) -> list[str]:
        return []


def question() -> Question[Any]:
    ruleset = toy_ruleset()
    return Question(ruleset, ruleset.conceal(start(ruleset, SeededDice(0)), RED), RED)


def test_first_sight_counts_alone_where_nothing_was_tried() -> None:
    assert tried(3).edge_over(tried(1), doubt=2) == 2


def test_many_worlds_outweigh_first_sight_and_one_does_not() -> None:
    """First sight prefers the second by 2; the worlds prefer the first by 4."""
    few = tried(0, 4).edge_over(tried(2, 0), doubt=1)
    many = tried(0, *[4.0] * 40).edge_over(tried(2, *[0.0] * 40), doubt=1)
    assert few < 1
    assert 3 < many < 4


def test_differences_that_vary_are_believed_less() -> None:
    calm = tried(0, 4, 4, 4, 4).edge_over(tried(0, 0, 0, 0, 0), doubt=2)
    wild = tried(0, 40, -32, 44, -36).edge_over(tried(0, 0, 0, 0, 0), doubt=2)
    assert 0 < wild < calm


def test_only_worlds_that_both_were_tried_in_are_compared() -> None:
    lucky = tried(0, 1, 1, 100)
    other = tried(0, 1, 1)
    assert lucky.edge_over(other, doubt=1) == 0


def test_a_fated_roll_depends_on_what_it_is_for_and_not_on_the_rolls_before() -> None:
    one, other = CommonDice(7, 3), CommonDice(7, 3)
    other.roll(D100, "something else")
    assert one.roll(D100, "shot of G1 at B2") == other.roll(D100, "shot of G1 at B2")
    assert one.roll(D100, "shot of G1 at B2", (50,)).faces == other.roll(D100, "shot of G1 at B2").faces


def test_over_the_worlds_of_a_question_luck_is_spread_evenly() -> None:
    hits = [sum(CommonDice(salt, world).roll(D100, "shot").total <= 60 for world in range(20)) for salt in range(50)]
    assert min(hits) >= 9
    assert max(hits) <= 15
    assert 11.5 < sum(hits) / len(hits) < 12.5


def test_fated_dice_are_fair() -> None:
    faces = Counter(
        CommonDice(salt, world).roll(DiceSpec(2, 6), f"why {n}").faces
        for salt in range(10)
        for world in range(20)
        for n in range(18)
    )
    assert len(faces) == 36
    assert min(faces.values()) > 60
    assert max(faces.values()) < 140


def test_the_look_ahead_finds_the_better_answer() -> None:
    asked = question()
    oracle = Oracle(asked, truth=[0.0, 30.0, 0.0, 0.0])
    search = Search(asked, oracle, Random(1), style=STEADY, level=DEEP, clock=Clock(None))
    ranked = search.answers(oracle.ideas(asked, STEADY, Random(1)))
    assert ranked[0].action == oracle.answers[1]
    assert len(ranked) == 4


def test_each_world_is_imagined_once_for_all_answers() -> None:
    asked = question()
    oracle = Oracle(asked, truth=[0.0, 1.0, 0.0, 0.0])
    search = Search(asked, oracle, Random(1), style=STEADY, level=DEEP, clock=Clock(None))
    ranked = search.answers(oracle.ideas(asked, STEADY, Random(1)))
    assert 0 < oracle.worlds_imagined <= DEEP.worlds
    assert sum(len(one.values) for one in ranked) > oracle.worlds_imagined


@pytest.mark.parametrize("looks", [0, 5, 17])
def test_the_number_of_looks_is_kept(looks: int) -> None:
    asked = question()
    oracle = Oracle(asked, truth=[0.0, 1.0, 2.0, 3.0])
    level = DEEP._replace(answer_looks=looks)
    search = Search(asked, oracle, Random(1), style=STEADY, level=level, clock=Clock(None))
    ranked = search.answers(oracle.ideas(asked, STEADY, Random(1)))
    assert sum(len(one.values) for one in ranked) <= looks
    assert len(ranked) == 4


class Marcher(Oracle):
    """An oracle to whom a look of one horizon tells one thing, and a look of two another."""

    def __init__(self, question: Question[Any], near: list[float], far: list[float], steps: int = 1) -> None:
        super().__init__(question, near)
        self._far, self._length = far, steps
        self.played = 0
        self._left, self._answer = 0, 0
        self._is_new, self._is_far = True, False

    def is_over(self, begun: Any, state: Any) -> bool:
        if self._is_new:
            given = GiveOrders({piece.id: piece.order for piece in state.pieces.values() if piece.side == RED})
            self._answer, self._left = self.answers.index(given), self._length
            self._is_new = self._is_far = False
        elif begun is not self._question.known and not self._is_far:
            self._left, self._is_far = self._length, True
        return self._left == 0

    def rollout(self, state: Any, seat: Seat, style: Style, rng: Random) -> Any:
        self.played += 1
        self._left -= 1
        decision = toy_ruleset().decision(state)
        assert decision is not None
        return decision.options(seat).sample(rng)

    def worth(self, state: Any, seat: Seat, style: Style) -> float:
        self._is_new = True
        return (self._far if self._is_far else self._truth)[self._answer]


def ranked_by(marcher: Marcher, asked: Question[Any], level: Level) -> list[Tried]:
    search = Search(asked, marcher, Random(1), style=STEADY, level=level, clock=Clock(None))
    return search.answers(marcher.ideas(asked, STEADY, Random(1)))


def test_a_look_goes_on_for_as_many_horizons_as_the_level_has() -> None:
    """The second is best for one horizon, the third for two."""
    asked = question()
    near, far = [0.0, 30.0, 28.0, 0.0], [0.0, 0.0, 60.0, 0.0]
    short, long = Marcher(asked, near, far), Marcher(asked, near, far)
    assert ranked_by(short, asked, DEEP)[0].action == short.answers[1]
    ranked = ranked_by(long, asked, DEEP._replace(horizons=2))
    assert ranked[0].action == long.answers[2]
    assert ranked[0].mean == 60.0


def test_looks_that_take_many_steps_are_fewer() -> None:
    """What a level allows is kept however large the force is: fewer answers are tried, but never less than two."""
    asked = question()
    truth = [0.0, 1.0, 2.0, 3.0]
    level = DEEP._replace(steps=60)
    short = Marcher(asked, truth, truth, steps=1)
    long = Marcher(asked, truth, truth, steps=4)
    tried_short = [len(one.values) for one in ranked_by(short, asked, level)]
    tried_long = [len(one.values) for one in ranked_by(long, asked, level)]
    assert short.played + sum(tried_short) <= 60
    assert long.played + sum(tried_long) <= 60
    assert tried_short.count(0) == 0
    assert tried_long.count(0) == 2
    assert len(tried_long) == 4


def test_two_answers_are_compared_where_there_are_steps_for_two_looks() -> None:
    """The first look tells what looks cost; it is one of the two."""
    asked = question()
    truth = [0.0, 1.0, 2.0, 3.0]
    marcher = Marcher(asked, truth, truth, steps=4)
    tried = [len(one.values) for one in ranked_by(marcher, asked, DEEP._replace(steps=10))]
    assert sorted(tried) == [0, 0, 1, 1]


def test_what_is_kept_is_forgotten_where_there_would_be_too_much() -> None:
    kept: Kept[str, int] = Kept(2)
    kept["a"]["x"] = 1
    assert kept["a"] is kept["a"]
    kept["b"]["y"] = 2
    assert kept["a"] == {"x": 1}
    assert kept["c"] == {}
    assert set(kept) == {"c"}
