"""The store in one SQLite file: the default, with nothing to set up.

WAL mode lets readers (a backup, a look with the ``sqlite3`` command) work beside the server;
``synchronous=FULL`` flushes every commit to the disk, so that what was acknowledged survives a power cut
too.

A file that is damaged in places is served as far as it goes: what cannot be read raises :class:`Damaged`, and which of
its parts are damaged is said when it is opened.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sandtable.core.errors import BadInput, Fault
from sandtable.session.store.claim import FileClaim
from sandtable.session.store.interface import Conflict, Damaged
from sandtable.session.store.sql import SqlStore

__all__ = ["sqlite_store"]

_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


class _Sqlite:
    def __init__(self, connection: sqlite3.Connection, claim: FileClaim | None) -> None:
        self._connection = connection
        self._claim = claim

    def run(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        try:
            return self._connection.execute(statement, values).fetchall()
        except sqlite3.IntegrityError as error:
            raise Conflict(str(error)) from error
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode & 0xFF in _DAMAGED:
                raise Damaged(f"the database is damaged: {error}") from error
            raise

    def damage(self) -> list[str]:
        """The parts that cannot be read whole, each with the first thing wrong with it."""
        try:
            names = [name for (name,) in self.run("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
        except Damaged as error:
            return [f"the list of parts: {error}"]
        found = []
        for name in names:
            try:
                told = str(self.run(f"PRAGMA integrity_check({name})")[0][0])
            except (Damaged, sqlite3.Error) as error:
                told = str(error)
            if told != "ok":
                found.append(f"{name}: {told.splitlines()[0]}")
        return found

    def close(self) -> None:
        self._connection.close()
        if self._claim is not None:
            self._claim.release()


def _text(data: bytes) -> str:
    """Text that is damaged is read all the same; whoever reads it finds that it makes no sense, and says where."""
    return data.decode(errors="replace")


def sqlite_store(path: str, *, alone: bool = False) -> SqlStore:
    """The store in the file ``path``, made if there is none; ``:memory:`` forgets everything at the end.

    With ``alone`` no other process may have it so.
    """
    claim = None
    try:
        if path != ":memory:":
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            claim = FileClaim(Path(path)) if alone else None
        # The keeper's thread is the only one that uses it, but not the one that opens it.
        connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10)
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}")
        connection.text_factory = _text
        store = SqlStore(_Sqlite(connection, claim), "BEGIN IMMEDIATE")
        store.migrate()
    except (OSError, sqlite3.Error, Damaged) as error:
        if claim is not None:
            claim.release()
        raise BadInput([Fault("database", f"{path} cannot be opened: {error}", "a path one may write to")]) from None
    return store
