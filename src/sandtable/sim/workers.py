"""Pools of processes for the lab: spawned, deaf to interrupts, and gone when their parent is."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from threading import Thread
from typing import Any

__all__ = ["new_pool"]


def new_pool(jobs: int, begin: Callable[..., None] | None = None, *args: Any) -> ProcessPoolExecutor:
    """A pool of so many processes, each of which runs ``begin(*args)`` first."""
    # Spawned, not forked: the same on every platform, and no threads of ours are copied.
    return ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), _begin, (begin, args))


def _begin(begin: Callable[..., None] | None, args: tuple[Any, ...]) -> None:
    # An interrupt is for the parent, who then ends the pool in order.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # A parent that is killed leaves no word; without this its workers would wait for work for ever.
    Thread(target=_leave_with_the_parent, daemon=True).start()
    if begin is not None:
        begin(*args)


def _leave_with_the_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
