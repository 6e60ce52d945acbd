"""The store in one SQLite file: the default, with nothing to set up.

WAL mode lets readers (a backup, a look with the ``sqlite3`` command) work beside the server;
``synchronous=FULL`` flushes every commit to the disk, so that what was acknowledged survives a power cut
too.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sandtable.core.errors import BadInput, Fault
from sandtable.session.store.interface import Conflict
from sandtable.session.store.sql import SqlStore

__all__ = ["sqlite_store"]


class _Sqlite:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def run(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        try:
            return self._connection.execute(statement, values).fetchall()
        except sqlite3.IntegrityError as error:
            raise Conflict(str(error)) from error

    def close(self) -> None:
        self._connection.close()


def sqlite_store(path: str) -> SqlStore:
    """The store in the file ``path``, made if there is none; ``:memory:`` forgets everything at the end."""
    try:
        if path != ":memory:":
            Path(path).parent.mkdir(parents=True, exist_ok=True)
        # The keeper's thread is the only one that uses it, but not the one that opens it.
        connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10)
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}")
    except (OSError, sqlite3.Error) as error:
        raise BadInput([Fault("database", f"{path} cannot be opened: {error}", "a path one may write to")]) from None
    store = SqlStore(_Sqlite(connection), "BEGIN IMMEDIATE")
    store.migrate()
    return store
