"""The lab on a local cluster: the same games, and none lost with a worker."""

import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sandtable.core.codec import encode
from sandtable.core.errors import BadInput
from sandtable.sim.batch import play_batch
from sandtable.sim.cluster import on_cluster
from sandtable.sim.match import Record
from tests.cli.running import run_json
from tests.sim.scene import SHORT, quick

# The library closes its own sockets and loops late; that is its business.
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, host="127.0.0.1", silence_logs=50
    ) as found:
        yield found


def test_a_cluster_plays_the_same_games_and_a_killed_worker_loses_none(cluster: Any) -> None:
    setting = quick("greedy", "random")
    alone = play_batch(setting, 5, 24)
    with on_cluster(cluster.scheduler_address) as team:
        assert encode(play_batch(setting, 5, 24, team)) == encode(alone)
        done: list[int] = []

        def kill_one_worker(record: Record) -> None:
            done.append(record.game)
            if len(done) == 3:
                nanny = next(iter(cluster.workers.values()))
                os.kill(nanny.process.pid, signal.SIGKILL)

        assert encode(play_batch(setting, 5, 24, team, keep=kill_one_worker)) == encode(alone)


def test_the_command_gives_the_same_answer_on_a_cluster(cluster: Any, tmp_path: Path) -> None:
    words = ("sim", SHORT, "--bots", "random", "--games", 16, "--all")
    alone, spread = tmp_path / "alone", tmp_path / "spread"
    here = run_json(*words, "--jobs", 1, "--out", alone)
    assert run_json(*words, "--cluster", cluster.scheduler_address, "--out", spread) == here
    assert spread.read_bytes() == alone.read_bytes()


def test_where_no_cluster_answers_that_is_told() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{taken.getsockname()[1]}"
    with pytest.raises(BadInput, match="no cluster answers there"), on_cluster(address, patience="1s"):
        pass


@pytest.mark.parametrize("address", ["nonsense://here", "not an address"])
def test_an_address_that_is_none_is_told(address: str) -> None:
    with pytest.raises(BadInput, match="no cluster answers there"), on_cluster(address, patience="1s"):
        pass


def test_a_scheduler_without_workers_is_told() -> None:
    from distributed import LocalCluster

    with (
        LocalCluster(n_workers=0, dashboard_address=None, host="127.0.0.1", silence_logs=50) as empty,
        pytest.raises(BadInput, match="no workers"),
        on_cluster(empty.scheduler_address),
    ):
        pass
