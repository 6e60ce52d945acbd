from random import Random
from typing import Any

import msgspec
import pytest

from sandtable import catalog
from sandtable.bots import Judgement, RandomBot
from sandtable.core.dice import SeededDice
from sandtable.core.errors import BadInput
from sandtable.core.piece_count import count_pieces
from sandtable.sim.match import play_game, play_match, turn_of
from sandtable.sim.playout import any_answer, play_out, start
from sandtable.sim.setting import bound, read_setting
from tests.sim.scene import SHORT, quick

SCENARIOS = ("na-a-patrol-at-tamrad", "mbt-a-crossroads-at-reinbach", "sk-3-room-by-room", "pm-a-first-drive")


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_record_agrees_with_the_end_of_the_game(scenario: str) -> None:
    setting = read_setting(scenario, ("random",))
    ruleset = bound(setting)
    record = play_game(setting, 3, 0)
    # The same game, played by hand.
    dice = SeededDice("3/0/dice")
    chance = {seat: Random(f"3/0/{seat}") for seat in ruleset.seats}
    state: Any = start(ruleset, dice)
    while (decision := ruleset.decision(state)) is not None:
        seat = decision.asked[0]
        known = ruleset.decision(ruleset.conceal(state, seat))
        assert known is not None
        state = ruleset.resolve(state, seat, known.options(seat).sample(chance[seat]), dice).state
    outcome = ruleset.outcome(state)
    view = ruleset.view(state, None)
    assert outcome is not None
    assert record.winner == outcome.winner
    assert record.scores == {str(seat): outcome.scores[seat] for seat in ruleset.seats}
    assert outcome.summary.startswith(record.ending)
    assert record.turns == turn_of(view)
    gone = sum(1 - piece.left for piece in count_pieces(ruleset, state, view))
    assert sum(loss.share for loss in record.losses) == pytest.approx(gone)


def test_half_of_a_squad_is_half_a_loss_and_a_broken_squad_none() -> None:
    setting = read_setting("sk-3-room-by-room", ("random",))
    losses = [loss for game in range(12) for loss in play_game(setting, 0, game).losses]
    assert any(loss.share == 0.5 and loss.kind.endswith("squad") for loss in losses)
    assert not any("broken" in loss.kind for loss in losses)
    assert all(loss.hex and loss.turn for loss in losses)


def test_a_system_that_counts_no_pieces_is_read_off_its_view() -> None:
    ruleset = catalog.open_scenario(SHORT).ruleset
    dice = SeededDice(4)
    end = play_out(ruleset, start(ruleset, dice), dice, Random(4), choose=any_answer)
    view = ruleset.view(end.state, None)
    pieces = {piece.id: piece for piece in count_pieces(ruleset, end.state, view)}
    assert pieces.keys() == {"G1", "G2", "G3", "B1", "B2"}
    for counter in view.counters:
        assert pieces[counter.id].left == (0.0 if counter.box == "destroyed" else 1.0)


def test_a_worker_with_other_packs_refuses() -> None:
    other = msgspec.structs.replace(quick(), digests=(("panzer-na", "0"),))
    with pytest.raises(BadInput, match="this worker has panzer-na"):
        bound(other)


def test_a_worker_of_another_version_refuses() -> None:
    other = msgspec.structs.replace(quick(), version="Sandtable 0.0.1 with panzer-na 1")
    with pytest.raises(BadInput, match="this worker has Sandtable"):
        bound(other)


class Noted(RandomBot):
    """A random bot that draws a number of times more, and notes its answers down."""

    def __init__(self, more: int = 0) -> None:
        self.answers: list[Any] = []
        self._more = more

    def consider(self, question: Any, rng: Random) -> Judgement[Any]:
        for _ in range(self._more):
            rng.random()
        judgement = super().consider(question, rng)
        self.answers.append(judgement.action)
        return judgement


def test_what_one_bot_draws_changes_neither_the_others_answers_nor_the_dice() -> None:
    ruleset = bound(quick())
    one, other = ruleset.seats
    pairs = [(Noted(), Noted()), (Noted(more=3), Noted())]
    for first, second in pairs:
        play_match(ruleset, {one: first, other: second}, "s")
    assert pairs[0][0].answers[0] != pairs[1][0].answers[0]
    assert pairs[0][1].answers[0] == pairs[1][1].answers[0]
