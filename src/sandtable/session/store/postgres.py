"""The store in PostgreSQL, through psycopg 3 (the extra ``postgres``), for servers that outgrow one file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.core.errors import BadInput, Fault
from sandtable.session.store.interface import Conflict
from sandtable.session.store.sql import SqlStore

try:
    import psycopg
except ModuleNotFoundError:  # pragma: no cover - the tests have it
    raise BadInput(
        [Fault("database", "PostgreSQL needs the package psycopg", "pip install 'sandtable[postgres]'")]
    ) from None

__all__ = ["postgres_store"]


def _translated(statement: str) -> bytes:
    """The statement with psycopg's marks; as bytes, since it is put together by our own code."""
    return statement.replace("?", "%s").encode()


class _Postgres:
    """Reconnects at the start of a transaction if the server went away in between."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._connection = psycopg.connect(address, autocommit=True)

    def run(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        if statement == "BEGIN" and (self._connection.closed or self._connection.broken):
            self._connection = psycopg.connect(self._address, autocommit=True)
        try:
            cursor = self._connection.execute(_translated(statement), values or None)
        except psycopg.IntegrityError as error:
            raise Conflict(str(error)) from error
        return cursor.fetchall() if cursor.description is not None else []

    def close(self) -> None:
        self._connection.close()


def postgres_store(address: str) -> SqlStore:
    """The store at a ``postgresql://`` address."""
    try:
        connection = _Postgres(address)
    except psycopg.Error as error:
        why = str(error).strip().splitlines()[0]
        raise BadInput([Fault("database", f"cannot be reached: {why}", "a PostgreSQL address")]) from None
    store = SqlStore(connection)
    store.migrate()
    return store
