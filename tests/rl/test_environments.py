"""The environments by PettingZoo's and Gymnasium's own tests, and by what a seat may know."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from sandtable.core.decision import Seat
from sandtable.core.errors import BadInput
from sandtable.rl.arrays import CHOICE, COUNTER, HEAD, OBJECTIVES, SPARE
from sandtable.rl.gym import SandtableGym
from sandtable.rl.spaces import seen_space
from sandtable.rl.stages import Stage
from sandtable.rl.table import LearnersTable
from sandtable.rl.zoo import env, raw_env

SCENARIOS = ("na-a-patrol-at-tamrad", "mbt-a-crossroads-at-reinbach", "sk-3-room-by-room", "pm-a-first-drive")
# They warn where an environment is unlike most: seats have names here, and an observation is a dictionary.
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


def open_numbers(mask: Any) -> list[int]:
    return [int(number) for number in np.flatnonzero(mask)]


def played(table: LearnersTable, seed: int, choices: int) -> Iterator[LearnersTable]:
    """A game of random choices, yielded at every one of them."""
    rng = np.random.default_rng(seed)
    table.begin(seed)
    for _ in range(choices):
        if table.is_over:
            return
        yield table
        table.choose(int(rng.choice(open_numbers(table.sees(table.asked)["action_mask"]))))


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_pettingzoo_finds_no_fault(scenario: str, capsys: pytest.CaptureFixture[str]) -> None:
    api_test(env(scenario), num_cycles=400)
    seed_test(lambda: env(scenario), num_cycles=100)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_gymnasium_finds_no_fault(scenario: str) -> None:
    check_env(SandtableGym(scenario, render_mode="ansi"), skip_render_check=False)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_what_a_seat_sees_does_not_change_with_what_is_hidden_from_it(scenario: str) -> None:
    table = LearnersTable(scenario)
    changed = 0
    for now in played(table, 5, 400):
        if now.chosen % 9:
            continue
        for seat in table.seats:
            before = now.sees(seat)
            for variant in list(table.ruleset.hidden_variants(now.state, seat))[:2]:  # type: ignore[attr-defined]
                changed += 1
                after = _with_state(now, variant, seat)
                for name, array in before.items():
                    assert np.array_equal(array, after[name]), f"{name} of {seat} after {now.chosen} choices"
    assert changed > 10


def _with_state(table: LearnersTable, state: Any, seat: Seat) -> dict[str, Any]:
    """What a seat would see in another state, having come as far in the question that it is asked."""
    twin = LearnersTable.__new__(LearnersTable)
    twin.__dict__.update(table.__dict__)
    twin.state, twin._views = state, {}
    if table.asked == seat and table.stage is not None:
        known = table.ruleset.decision(table.ruleset.conceal(state, seat))
        assert known is not None
        twin.stage = Stage(known.options(seat), table.width)
        for number in table.stage.taken:
            twin.stage.choose(number)
    return twin.sees(seat)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_arrays_keep_within_their_space_and_counters_keep_their_places(scenario: str) -> None:
    table = LearnersTable(scenario)
    space = seen_space(table)
    ids = sorted(counter.id for counter in table.ruleset.view(table.ruleset.setup(), table.seats[0]).counters)
    assert table.eye.size == HEAD + COUNTER * (len(ids) + SPARE)
    for now in played(table, 3, 250):
        seat = now.asked
        seen = now.sees(seat)
        assert space.contains(seen)
        assert seen["observation"][6] == 1
        assert (seen["choices"][seen["action_mask"] == 0] == 0).all()
        assert (seen["choices"][seen["action_mask"] == 1][:, 0] == 1).all()
        for counter in now.ruleset.view(now.state, seat).counters:
            if counter.id in ids:
                row = seen["observation"][HEAD + COUNTER * ids.index(counter.id) :][:COUNTER]
                assert row[0] == bool(counter.hex)
                assert row[1] == (counter.side == seat)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_objectives_are_known_by_their_markers(scenario: str) -> None:
    table = LearnersTable(scenario)
    signs = table.ruleset.view(table.ruleset.setup(), table.seats[0]).hex_markers
    assert any(sign.marker.text in OBJECTIVES for sign in signs)


def test_every_answer_can_be_reached_with_few_numbers() -> None:
    """With a row of four, pages are turned until all of the choices have been shown."""
    narrow, wide = (LearnersTable(SCENARIOS[0], width=width) for width in (4, 64))
    narrow.begin(1)
    wide.begin(1)
    while len(wide.stage.choices if wide.stage else ()) < 8:
        for table in (narrow, wide):
            assert table.stage is not None
            table.choose(0)
    assert narrow.stage is not None
    assert wide.stage is not None
    seen: list[str] = []
    for _ in range(-(-len(wide.stage.choices) // 3)):
        seen += [branch.key for branch in narrow.stage.choices]
        assert narrow.stage.has_more
        narrow.choose(3)
    assert seen == [branch.key for branch in wide.stage.choices]


def test_a_game_ends_with_a_winner_and_a_loser_or_with_neither() -> None:
    game = raw_env(SCENARIOS[2])
    totals = set()
    for seed in range(4):
        game.reset(seed=seed)
        rng = np.random.default_rng(seed)
        while not any(game.terminations.values()):
            mask = game.observe(game.agent_selection)["action_mask"]
            game.step(int(rng.choice(open_numbers(mask))))
        totals.add(tuple(sorted(game.rewards.values())))
    assert totals <= {(-1.0, 1.0), (0.0, 0.0)}
    assert (-1.0, 1.0) in totals


def test_a_choice_that_is_closed_loses() -> None:
    game = SandtableGym(SCENARIOS[0])
    seen, _ = game.reset(seed=0)
    closed = int(np.flatnonzero(seen["action_mask"] == 0)[0])
    _, reward, done, cut, _ = game.step(closed)
    assert (reward, done, cut) == (-1.0, True, False)


def test_a_game_of_endless_choices_is_cut_off() -> None:
    game = SandtableGym(SCENARIOS[0], limit=10)
    seen, info = game.reset(seed=0)
    for step in range(1, 11):
        seen, _, done, cut, info = game.step(open_numbers(seen["action_mask"])[0])
        assert not done
        assert cut == (step == 10)
    assert info["action_mask"].any()


def test_shaping_pays_for_the_lead_as_it_grows() -> None:
    leads = []
    for seed in range(1, 6):
        (plain, lead), (shaped, same) = (_random_game(seed, worth) for worth in (0.0, 0.01))
        assert lead == same
        assert shaped == pytest.approx(plain + 0.01 * lead)
        leads.append(lead)
    assert any(leads)


def _random_game(seed: int, shaping: float) -> tuple[float, float]:
    """All rewards of a game, and the lead at its end."""
    game = SandtableGym(SCENARIOS[2], shaping=shaping)
    seen, info = game.reset(seed=seed)
    rng = np.random.default_rng(1)
    total, done = 0.0, False
    while not done:
        seen, reward, done, _, info = game.step(int(rng.choice(open_numbers(seen["action_mask"]))))
        total += reward
    return total, float(info["lead"])


def test_a_seat_or_an_opponent_that_is_none_is_told() -> None:
    with pytest.raises(BadInput, match="one of german, british"):
        SandtableGym(SCENARIOS[0], seat="french")
    with pytest.raises(BadInput, match="no bot 'nobody'"):
        SandtableGym(SCENARIOS[0], opponent="nobody")


def test_the_rows_of_choices_are_as_long_as_documented() -> None:
    seen, _ = SandtableGym(SCENARIOS[0]).reset(seed=0)
    assert seen["choices"].shape == (64, CHOICE)
    assert seen["choices"].dtype == np.float32
