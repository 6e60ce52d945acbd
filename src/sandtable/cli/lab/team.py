"""Who plays the games of a batch: this process, several, or a cluster."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sandtable.sim.batch import Team

__all__ = ["the_team"]


def the_team(jobs: int, cluster: str | None) -> AbstractContextManager[Team]:
    """The team that the options of a command ask for."""
    if cluster is not None:
        from sandtable.sim.cluster import on_cluster

        return on_cluster(cluster)
    from sandtable.sim.batch import on_cores

    return on_cores(jobs)
