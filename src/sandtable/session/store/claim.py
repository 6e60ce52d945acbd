"""The claim that a server has on its database: two servers on one would each think that they alone write to it.

Of an SQLite file it is a lock on the file ``NAME.lock`` beside it, which the operating system takes back when the
process ends, however it ends: a lock file that was left behind blocks nobody. PostgreSQL has advisory locks, which end
with the connection.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

from sandtable.core.errors import BadInput, Fault

__all__ = ["FileClaim", "claimed", "taken"]

_PATIENCE = 3.0
"""Seconds in which a server that was just ended may let go."""


def taken(database: str) -> BadInput:
    """The error for a database that another server has."""
    return BadInput(
        [Fault("database", f"another server is using {database}", "end it first, or another --database for this one")]
    )


def claimed(attempt: Callable[[], bool], patience: float = _PATIENCE) -> bool:
    """Whether an attempt succeeds within a little while."""
    until = time.monotonic() + patience
    while not attempt():
        if time.monotonic() > until:
            return False
        time.sleep(0.05)
    return True


class FileClaim:
    """A lock on a file, for as long as it is not released and the process lives."""

    def __init__(self, path: Path, *, patience: float = _PATIENCE) -> None:
        """Take it; raise :class:`BadInput` if another process has it."""
        self._handle = os.open(path.with_name(f"{path.name}.lock"), os.O_RDWR | os.O_CREAT, 0o644)
        if not claimed(self._lock, patience):
            os.close(self._handle)
            raise taken(str(path))

    def _lock(self) -> bool:
        try:
            if os.name == "nt":
                import msvcrt

                msvcrt.locking(self._handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
            else:
                import fcntl

                fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True

    def release(self) -> None:
        """Let go; the file stays, for to remove it could take another's lock away."""
        os.close(self._handle)
