from random import Random

import pytest

from sandtable.sim.statistics import anytime, mean_interval, quantiles, ratings, sign_test, wilson


def test_wilson_gives_the_published_values() -> None:
    low, share, high = wilson(8, 10)
    assert (round(low, 4), share, round(high, 4)) == (0.4902, 0.8, 0.9433)


def test_no_games_say_nothing() -> None:
    assert wilson(0, 0) == anytime(0, 0) == (0.0, 0.5, 1.0)


@pytest.mark.parametrize("chance", [0.5, 0.8])
def test_the_anytime_interval_may_be_looked_at_after_every_game(chance: float) -> None:
    rng = Random(1)
    missed = 0
    for _ in range(200):
        points = 0
        for games in range(1, 301):
            points += rng.random() < chance
            low, _, high = anytime(points, games, planned=100)
            if not low <= chance <= high:
                missed += 1
                break
    # Five in a hundred are allowed over the whole run; the interval of one moment would miss about a third.
    assert missed <= 10


def test_the_anytime_interval_is_wider_than_that_of_a_settled_number() -> None:
    assert anytime(150, 300).low < wilson(150, 300).low
    assert anytime(150, 300).high > wilson(150, 300).high


def test_a_mean_has_the_usual_interval() -> None:
    low, mean, high = mean_interval([1.0, 2.0, 3.0, 4.0])
    assert mean == 2.5
    assert high - mean == pytest.approx(1.96 * 1.29099 / 2, abs=1e-3)
    assert mean - low == pytest.approx(high - mean)


def test_one_value_has_no_spread_to_speak_of() -> None:
    assert mean_interval([3.0])[0] == float("-inf")


def test_the_sign_test_tells_chance_from_more() -> None:
    assert sign_test(0, 0) == 1
    assert sign_test(10, 10) == 1
    assert sign_test(15, 5) == pytest.approx(0.0442, abs=0.003)
    assert sign_test(100, 10) < 1e-9


def test_quantiles_lie_between_values() -> None:
    assert quantiles([1, 2, 3, 4, 5], 0.25, 0.5, 0.75) == [2, 3, 4]
    assert quantiles([0, 10], 0.5) == [5]
    assert quantiles([], 0.5) == [0.0]


def test_ratings_say_how_often_one_beats_another() -> None:
    found = {rating.bot: rating for rating in ratings({("a", "b"): (1000, 1100), ("b", "c"): (550, 1100)})}
    assert found["a"].rating - found["b"].rating == pytest.approx(400, abs=15)
    assert found["b"].rating == pytest.approx(found["c"].rating, abs=15)
    assert found["a"].low < found["a"].rating < found["a"].high
    assert found["a"].games == 1100


def test_one_who_wins_all_still_has_a_rating() -> None:
    best, worst = ratings({("a", "b"): (20, 20)})
    assert (best.bot, worst.bot) == ("a", "b")
    assert 300 < best.rating - worst.rating < 2000
