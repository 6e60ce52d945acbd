import multiprocessing
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandtable.core.codec import encode
from sandtable.core.errors import RulesBug
from sandtable.sim import batch
from sandtable.sim.balance import Judge
from sandtable.sim.batch import Task, in_order, on_cores, one_by_one, play_batch
from sandtable.sim.match import Record, play_game
from sandtable.sim.setting import read_setting
from tests.sim.scene import SHORT, made, quick


def test_a_game_is_a_function_of_setting_seed_and_number() -> None:
    setting = quick()
    assert play_game(setting, 7, 3) == play_game(setting, 7, 3)
    assert play_game(setting, 7, 3) != play_game(setting, 7, 4)
    assert play_game(setting, 7, 3) != play_game(setting, 8, 3)


@pytest.mark.parametrize(("scenario", "games"), [("panzer-na", 10), ("mbt", 3), ("aslsk3", 3), ("panzer-mini", 2)])
def test_two_processes_play_the_games_of_one(scenario: str, games: int) -> None:
    """Other processes have other hashes of words: nothing may hang on the order of a set."""
    setting = read_setting(str(Path(SHORT).with_name(f"{scenario}.yaml")), ("greedy", "random"))
    alone = play_batch(setting, 5, games, one_by_one)
    with on_cores(2) as team:
        together = play_batch(setting, 5, games, team)
    assert encode(alone) == encode(together)


def test_results_are_put_in_order() -> None:
    shuffled = [made(n, "red", 20, 0) for n in (2, 0, 1, 4, 3)]
    assert [r.game for r in in_order((r.game, r) for r in shuffled)] == [0, 1, 2, 3, 4]


def test_what_is_kept_does_not_depend_on_who_was_first() -> None:
    def backwards(tasks: Iterator[Task]) -> Iterator[tuple[Task, Record]]:
        yield from reversed([(task, made(task.game, "red", 20, 0)) for task in tasks])

    kept: list[int] = []
    play_batch(quick(), 0, 5, backwards, keep=lambda record: kept.append(record.game))
    assert kept == [0, 1, 2, 3, 4]


def test_a_batch_stops_when_it_is_clear_and_not_before() -> None:
    def one_sided(tasks: Iterator[Task]) -> Iterator[tuple[Task, Record]]:
        yield from ((task, made(task.game, "red", 20, 0)) for task in tasks)

    def even(tasks: Iterator[Task]) -> Iterator[tuple[Task, Record]]:
        yield from ((task, made(task.game, ("red", "blue")[task.game % 2], 20, 20)) for task in tasks)

    seats = ("red", "blue")
    setting = quick()
    clear = play_batch(setting, 0, 1000, one_sided, is_clear=Judge(seats, 0.1, planned=100))
    assert 10 < len(clear) < 60
    balanced = play_batch(setting, 0, 3000, even, is_clear=Judge(seats, 0.1, planned=400))
    assert 100 < len(balanced) < 1500
    hard = play_batch(setting, 0, 50, even, is_clear=Judge(seats, 0.1, planned=50))
    assert len(hard) == 50


def test_early_stopping_gives_the_same_games_on_any_number_of_cores() -> None:
    setting = quick("greedy", "random")
    runs = []
    for jobs in (1, 2):
        with on_cores(jobs) as team:
            runs.append(play_batch(setting, 1, 200, team, is_clear=Judge(setting.seats, 0.1, planned=50)))
    assert len(runs[0]) < 200
    assert encode(runs[0]) == encode(runs[1])


def test_known_games_are_not_played_again() -> None:
    setting = quick()
    known = {record.game: record for record in play_batch(setting, 2, 6)}
    del known[3]
    asked: list[int] = []

    def watched(tasks: Iterator[Task]) -> Iterator[tuple[Task, Record]]:
        for task, record in one_by_one(tasks):
            asked.append(task.game)
            yield task, record

    again = play_batch(setting, 2, 6, watched, known=known)
    assert asked == [3]
    assert again == play_batch(setting, 2, 6)


def test_a_killed_worker_loses_nothing() -> None:
    setting = quick("greedy", "random")
    done: list[int] = []

    def kill_one_worker(record: Record) -> None:
        done.append(record.game)
        if len(done) == 3:
            os.kill(multiprocessing.active_children()[0].pid or 0, signal.SIGKILL)

    with on_cores(2) as team:
        records = play_batch(setting, 5, 16, team, keep=kill_one_worker)
    assert encode(records) == encode(play_batch(setting, 5, 16))


def _die(task: Task) -> Record:
    os.kill(os.getpid(), signal.SIGKILL)
    return made(task.game, "red", 0, 0)


def test_a_game_that_kills_every_worker_ends_the_batch_with_its_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "play_task", _die)
    monkeypatch.setattr(batch, "LIVES", 1)
    with pytest.raises(RulesBug, match="workers keep dying while they play game 0"), on_cores(2) as team:
        play_batch(quick(), 0, 1, team)


def test_the_processes_are_gone_when_the_team_is() -> None:
    """Else the end of a program may take their pipes apart twice, and says so."""
    with on_cores(2) as team:
        assert len(play_batch(quick(), 0, 2, team)) == 2
        assert multiprocessing.active_children()
    assert multiprocessing.active_children() == []
