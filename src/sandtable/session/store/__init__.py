"""Where tables, people and chat are kept: one small interface, SQLite by default, PostgreSQL when asked for."""

from __future__ import annotations

from sandtable.core.errors import BadInput, Fault
from sandtable.core.extras import needs_extra
from sandtable.session.store.interface import (
    ChatRecord,
    Conflict,
    Damaged,
    GameProgress,
    Invite,
    Person,
    SeatRecord,
    Store,
    TableRecord,
    Thought,
)
from sandtable.session.store.keeper import Keeper
from sandtable.session.store.sqlite import sqlite_store

__all__ = [
    "ChatRecord",
    "Conflict",
    "Damaged",
    "GameProgress",
    "Invite",
    "Keeper",
    "Person",
    "SeatRecord",
    "Store",
    "TableRecord",
    "Thought",
    "open_store",
]


def open_store(database: str, *, alone: bool = False) -> Store:
    """The store at ``database``: a ``postgresql://`` address, or the path of an SQLite file.

    A server asks to have it ``alone``: :class:`BadInput` if another server has it.
    """
    scheme, colon, _ = database.partition("://")
    if scheme in ("postgresql", "postgres") and colon:
        with needs_extra("postgres", "database", "a store in PostgreSQL"):
            from sandtable.session.store.postgres import postgres_store

        return postgres_store(database, alone=alone)
    if colon and scheme != "sqlite":
        wrong = f"no database {scheme!r} is known"
        raise BadInput([Fault("database", wrong, "a file, sqlite://FILE or postgresql://...")])
    return sqlite_store(database.removeprefix("sqlite://"), alone=alone)
