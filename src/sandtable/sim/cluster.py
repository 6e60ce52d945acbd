"""The same games on a ``dask.distributed`` cluster.

Only settings, seeds and numbers travel there, and records back. A worker that dies loses nothing: the scheduler gives
its games to another, and a game is the same wherever it is played.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sandtable.core.errors import BadInput, Fault, RulesBug
from sandtable.core.extras import needs_extra
from sandtable.sim.batch import Task, Team, play_task
from sandtable.sim.match import Record

__all__ = ["on_cluster"]

PATIENCE = "10s"
RETRIES = 5
"""How often a game may take its worker down before it is given up."""


@contextmanager
def on_cluster(address: str, patience: str | None = None) -> Iterator[Team]:
    """A team made of a cluster's workers; raise :class:`BadInput` if there is none at the address."""
    with needs_extra("lab", "--cluster", "playing on a cluster"):
        from distributed import Client
    try:
        client = Client(address, timeout=patience or PATIENCE, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        wrong = f"no cluster answers there: {_first_line(error)}"
        raise BadInput([Fault(f"--cluster {address}", wrong, "the address of a scheduler")]) from None
    try:
        if not client.scheduler_info()["workers"]:
            raise BadInput([Fault(f"--cluster {address}", "it has no workers", "a scheduler with workers")])
        yield _Client(client)
    finally:
        client.close()


def _first_line(error: BaseException) -> str:
    return (str(error) or type(error).__name__).splitlines()[0]


class _Client:
    """Keeps a few games a core under way."""

    def __init__(self, client: Any) -> None:
        self._client = client

    def __call__(self, tasks: Iterator[Task]) -> Iterator[tuple[Task, Record]]:
        from distributed import KilledWorker, as_completed
        from distributed.client import FutureCancelledError

        cores = sum(worker["nthreads"] for worker in self._client.scheduler_info()["workers"].values())
        under_way: dict[str, Task] = {}
        waiting = as_completed(loop=self._client.loop)
        while True:
            for task in tasks:
                future = self._client.submit(play_task, task, pure=False, retries=RETRIES)
                under_way[future.key] = task
                waiting.add(future)
                if len(under_way) >= 3 * max(1, cores):
                    break
            if not under_way:
                return
            future = next(waiting)
            task = under_way.pop(future.key)
            try:
                record = future.result()
            except KilledWorker:
                raise RulesBug(f"workers keep dying while they play game {task.game} of the batch") from None
            except (FutureCancelledError, OSError) as error:
                wrong = f"the cluster was lost: {_first_line(error)}"
                raise BadInput(
                    [Fault("--cluster", wrong, "a cluster that lasts; --out keeps what was played")]
                ) from None
            yield task, record
