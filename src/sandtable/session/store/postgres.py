"""The store in PostgreSQL, through psycopg 3 (the extra ``postgres``), for servers that outgrow one file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import psycopg

from sandtable.core.errors import BadInput, Fault
from sandtable.session.store.claim import claimed, taken
from sandtable.session.store.interface import Conflict
from sandtable.session.store.sql import SqlStore

__all__ = ["postgres_store"]

_CLAIM = 0x53414E445441424C
"""The number of our advisory lock, of which every database of a PostgreSQL server has its own."""


def _translated(statement: str) -> bytes:
    """The statement with psycopg's marks; as bytes, since it is put together by our own code."""
    return statement.replace("?", "%s").encode()


class _Postgres:
    """Reconnects at the start of a transaction if the server went away in between."""

    def __init__(self, address: str, *, alone: bool) -> None:
        self._address = address
        self._alone = alone
        self._connection = self._connected()

    def _connected(self) -> psycopg.Connection[Any]:
        """A new connection; with it the claim on the database, which ended with the one before."""
        connection = psycopg.connect(self._address, autocommit=True)
        if self._alone and not claimed(lambda: _has_claim(connection)):
            connection.close()
            raise taken("this database")
        return connection

    def run(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        if statement == "BEGIN" and (self._connection.closed or self._connection.broken):
            self._connection = self._connected()
        try:
            cursor = self._connection.execute(_translated(statement), values or None)
        except psycopg.IntegrityError as error:
            raise Conflict(str(error)) from error
        return cursor.fetchall() if cursor.description is not None else []

    def damage(self) -> list[str]:
        """PostgreSQL looks after itself, and says in its own log where it cannot."""
        return []

    def close(self) -> None:
        self._connection.close()


def _has_claim(connection: psycopg.Connection[Any]) -> bool:
    row = connection.execute("SELECT pg_try_advisory_lock(%s)", (_CLAIM,)).fetchone()
    return bool(row and row[0])


def postgres_store(address: str, *, alone: bool = False) -> SqlStore:
    """The store at a ``postgresql://`` address; with ``alone`` no other process may have it so."""
    try:
        connection = _Postgres(address, alone=alone)
    except psycopg.Error as error:
        why = str(error).strip().splitlines()[0]
        raise BadInput([Fault("database", f"cannot be reached: {why}", "a PostgreSQL address")]) from None
    store = SqlStore(connection)
    store.migrate()
    return store
