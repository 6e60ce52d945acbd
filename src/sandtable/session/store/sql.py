"""The store in SQL that SQLite and PostgreSQL both understand; each brings a connection and its ways.

Statements are written with ``?`` for values. Migrations are the numbered files beside this one; they are
applied in order when a store is opened, each with its number noted in the database.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from importlib import resources
from typing import Any, Protocol

from sandtable.core.errors import BadInput, Fault
from sandtable.session.store.interface import (
    ChatRecord,
    Conflict,
    Damaged,
    GameProgress,
    Invite,
    Person,
    SeatRecord,
    TableRecord,
    Thought,
)
from sandtable.session.store.names import name_key

__all__ = ["Connection", "SqlStore"]

_TABLE = "id, kind, system, scenario, title, owner, header, options, clock, created, asked, result, clocks, updated, v"
_LONGEST_UPTIME = 1e10
"""Seconds, some centuries: whatever is above was not noted by a server."""
_LISTED = _TABLE.replace("header", "''")


class Connection(Protocol):
    """What differs between the databases."""

    def run(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run a statement; its rows, if it gives any. A broken constraint raises :class:`Conflict`."""
        ...

    def damage(self) -> list[str]:
        """The parts that cannot be read whole."""
        ...

    def close(self) -> None: ...


class SqlStore:
    """A :class:`~sandtable.session.store.interface.Store` over SQL."""

    def __init__(self, connection: Connection, begin: str = "BEGIN") -> None:
        self._connection = connection
        self._begin = begin

    def _run(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run a statement; raise :class:`BadInput` for text that not every database can keep."""
        for value in values:
            if isinstance(value, str) and not _can_be_kept(value):
                raise BadInput(
                    [Fault("text", "characters that cannot be kept", "text without NUL and half characters")]
                )
        return self._connection.run(statement, values)

    # --- transactions ---

    def begin(self) -> None:
        """Start a transaction."""
        self._run(self._begin)

    def commit(self) -> None:
        """Make it last."""
        self._run("COMMIT")

    def rollback(self) -> None:
        """Leave everything as it was."""
        self._run("ROLLBACK")

    def savepoint(self) -> None:
        """Mark a place."""
        self._run("SAVEPOINT job")

    def rollback_to_savepoint(self) -> None:
        """Undo what was done since the mark."""
        self._run("ROLLBACK TO SAVEPOINT job")

    def release_savepoint(self) -> None:
        """Forget the mark."""
        self._run("RELEASE SAVEPOINT job")

    def close(self) -> None:
        """Let go of the database."""
        self._connection.close()

    def damage(self) -> list[str]:
        """The parts of the database that cannot be read whole, where it can tell."""
        return self._connection.damage()

    def migrate(self) -> None:
        """Apply the migrations that the database lacks."""
        self._run("CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY, at DOUBLE PRECISION NOT NULL)")
        done = {number for (number,) in self._run("SELECT number FROM migrations")}
        for number, statements in migrations():
            if number in done:
                continue
            self.begin()
            try:
                for statement in statements:
                    self._run(statement)
                self._run("INSERT INTO migrations VALUES (?, ?)", (number, time.time()))
            except BaseException:
                self.rollback()
                raise
            self.commit()

    # --- people ---

    def add_person(self, person: Person) -> None:
        """Add somebody."""
        account = name_key(person.name) if person.password else None
        self._run(
            "INSERT INTO people (id, name, account, password, created) VALUES (?, ?, ?, ?, ?)",
            (person.id, person.name, account, person.password, person.created),
        )

    def person(self, person_id: str) -> Person | None:
        """Somebody by his id."""
        return self._person("id = ?", person_id)

    def account(self, key: str) -> Person | None:
        """Somebody by the key of his account's name."""
        return self._person("account = ?", key)

    def session(self, digest: str, since: float) -> Person | None:
        """Somebody by his session."""
        return self._person("id = (SELECT person FROM sessions WHERE digest = ? AND seen >= ?)", digest, since)

    def _person(self, where: str, *values: Any) -> Person | None:
        rows = self._run(f"SELECT id, name, password, created FROM people WHERE {where}", values)  # noqa: S608
        return Person(*rows[0]) if rows else None

    def open_account(self, person_id: str, name: str, key: str, password: str) -> None:
        """Make a guest an account."""
        self._run(
            "UPDATE people SET name = ?, account = ?, password = ? WHERE id = ?",
            (name, key, password, person_id),
        )

    def move_seats(self, guest_id: str, person_id: str) -> None:
        """Give a guest's seats and tables to an account."""
        self._run("UPDATE seats SET person = ? WHERE person = ?", (person_id, guest_id))
        self._run("UPDATE tables SET owner = ? WHERE owner = ?", (person_id, guest_id))
        self._run(
            "INSERT INTO forgotten (person, table_id) SELECT ?, table_id FROM forgotten WHERE person = ?"
            " ON CONFLICT DO NOTHING",
            (person_id, guest_id),
        )

    def add_session(self, digest: str, person_id: str, at: float) -> None:
        """Open a session."""
        self._run(
            "INSERT INTO sessions (digest, person, created, seen) VALUES (?, ?, ?, ?)", (digest, person_id, at, at)
        )

    def use_session(self, digest: str, at: float, before: float) -> None:
        """Note that a session is used, unless that was noted after ``before``."""
        self._run("UPDATE sessions SET seen = ? WHERE digest = ? AND seen < ?", (at, digest, before))

    def drop_session(self, digest: str) -> None:
        """End a session."""
        self._run("DELETE FROM sessions WHERE digest = ?", (digest,))

    def drop_sessions(self, person_id: str) -> None:
        """End every session of somebody."""
        self._run("DELETE FROM sessions WHERE person = ?", (person_id,))

    def expire_sessions(self, before: float) -> list[str]:
        """End the sessions that nobody used since ``before``; whose they were, if he has no other."""
        gone = self._run("DELETE FROM sessions WHERE seen < ? RETURNING person", (before,))
        left = self._run("SELECT DISTINCT person FROM sessions")
        return sorted({person for (person,) in gone} - {person for (person,) in left})

    def forget_guests(self, before: float) -> list[str]:
        """Remove the guests without a game who have not been here since ``before``."""
        rows = self._run(
            "SELECT id FROM people WHERE account IS NULL AND created < ?"
            " AND id NOT IN (SELECT person FROM sessions WHERE seen >= ?)"
            " AND id NOT IN (SELECT person FROM seats)"
            " AND id NOT IN (SELECT owner FROM tables WHERE kind = 'game')",
            (before, before),
        )
        gone = [key for (key,) in rows]
        for person in gone:
            self.forget_exhibits(person, 0)
            self.drop_sessions(person)
            self._run("DELETE FROM people WHERE id = ?", (person,))
        return gone

    # --- the server's own time ---

    def uptime(self) -> float:
        """Seconds that servers of this database have run, as far as they noted it."""
        rows = self._run("SELECT seconds FROM running WHERE name = 'uptime'")
        seconds = rows[0][0] if rows else 0.0
        if not isinstance(seconds, int | float) or not 0 <= seconds < _LONGEST_UPTIME:
            raise Damaged(f"the database is damaged: servers of it have run for {str(seconds)[:40]} seconds")
        return float(seconds)

    def keep_uptime(self, seconds: float) -> None:
        """Note for how long servers of this database have run."""
        self._run(
            "INSERT INTO running (name, seconds) VALUES ('uptime', ?)"
            " ON CONFLICT (name) DO UPDATE SET seconds = excluded.seconds",
            (seconds,),
        )

    def names(self, person_ids: Sequence[str]) -> dict[str, str]:
        """Names by id."""
        if not person_ids:
            return {}
        marks = ", ".join("?" * len(person_ids))
        return dict(self._run(f"SELECT id, name FROM people WHERE id IN ({marks})", person_ids))  # noqa: S608

    # --- tables ---

    def create_table(
        self,
        table: TableRecord,
        seats: Sequence[SeatRecord],
        invites: Sequence[Invite],
        lines: Sequence[str],
    ) -> None:
        """Add a table with all that belongs to it."""
        now = table.progress
        self._run(
            f"INSERT INTO tables ({_TABLE}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",  # noqa: S608
            (
                *(table.id, table.kind, table.system, table.scenario, table.title, table.owner, table.header),
                *(table.options, table.clock, table.created),
                *(now.asked, now.result, now.clocks, now.updated, len(lines)),
            ),
        )
        for place, seat in enumerate(seats):
            self._run(
                "INSERT INTO seats (table_id, seat, place, kind, person, bot) VALUES (?, ?, ?, ?, ?, ?)",
                (table.id, seat.seat, place, seat.kind, seat.person, seat.bot),
            )
        for invite in invites:
            self._run("INSERT INTO invites (token, table_id, seat, is_public) VALUES (?, ?, ?, ?)", _invite_row(invite))
        for seq, line in enumerate(lines):
            self._run("INSERT INTO lines (table_id, seq, line) VALUES (?, ?, ?)", (table.id, seq, line))

    def table(self, table_id: str) -> TableRecord | None:
        """A table by its id."""
        rows = self._run(f"SELECT {_TABLE} FROM tables WHERE id = ?", (table_id,))  # noqa: S608
        return _table(rows[0]) if rows else None

    def seats(self, table_id: str) -> list[SeatRecord]:
        """The seats of a table in their order."""
        rows = self._run(
            "SELECT table_id, seat, kind, person, bot FROM seats WHERE table_id = ? ORDER BY place", (table_id,)
        )
        return [SeatRecord(*row) for row in rows]

    def lines(self, table_id: str) -> list[str]:
        """The log's lines after the header, in order."""
        return [line for (line,) in self._run("SELECT line FROM lines WHERE table_id = ? ORDER BY seq", (table_id,))]

    def append(self, table_id: str, seq: int, line: str, progress: GameProgress) -> None:
        """Add a line."""
        self._run("INSERT INTO lines (table_id, seq, line) VALUES (?, ?, ?)", (table_id, seq, line))
        done = self._run(
            "UPDATE tables SET asked = ?, result = ?, clocks = ?, updated = ?, v = ?"
            " WHERE id = ? AND v = ? RETURNING v",
            (*_values(progress), seq + 1, table_id, seq),
        )
        if not done:
            raise Conflict(f"line {seq} is not the next one of table {table_id}")

    def update(self, table_id: str, progress: GameProgress) -> None:
        """Note where a game stands."""
        self._run(
            "UPDATE tables SET asked = ?, result = ?, clocks = ?, updated = ? WHERE id = ?",
            (*_values(progress), table_id),
        )

    def stand_in(self, table_id: str, seat: str, bot: str) -> None:
        """Let a bot play a person's seat, or the person again."""
        self._run("UPDATE seats SET bot = ? WHERE table_id = ? AND seat = ? AND kind = 'person'", (bot, table_id, seat))

    def keep_thought(self, table_id: str, thought: Thought) -> None:
        """Note how a bot thought."""
        # A number of 63 bits as text: not every database has a wide enough INTEGER.
        self._run(
            "INSERT INTO thoughts (table_id, seq, bot, seed) VALUES (?, ?, ?, ?)",
            (table_id, thought.seq, thought.bot, str(thought.seed)),
        )

    def thought(self, table_id: str, seq: int) -> Thought | None:
        """How a bot thought before that line."""
        rows = self._run("SELECT seq, bot, seed FROM thoughts WHERE table_id = ? AND seq = ?", (table_id, seq))
        return Thought(rows[0][0], rows[0][1], int(rows[0][2])) if rows else None

    def tables_of(self, person_id: str) -> list[tuple[TableRecord, list[SeatRecord]]]:
        """Tables where he sits or that he opened, newest first."""
        rows = self._run(
            f"SELECT {_LISTED} FROM tables"  # noqa: S608
            " WHERE (owner = ? OR id IN (SELECT table_id FROM seats WHERE person = ?))"
            " AND id NOT IN (SELECT table_id FROM forgotten WHERE person = ?) ORDER BY updated DESC",
            (person_id, person_id, person_id),
        )
        return [(table, self.seats(table.id)) for table in map(_table, rows)]

    def forget_exhibits(self, person_id: str, keep: int) -> None:
        """Remove the oldest files that he opened."""
        rows = self._run(
            "SELECT id FROM tables WHERE owner = ? AND kind <> 'game' ORDER BY created DESC, id", (person_id,)
        )
        for (table_id,) in rows[keep:]:
            self._remove(table_id)

    def forget_table(self, person_id: str, table_id: str) -> bool:
        """Leave a table out of his list; remove it once all have who sat there."""
        self._run(
            "INSERT INTO forgotten (person, table_id) VALUES (?, ?) ON CONFLICT DO NOTHING", (person_id, table_id)
        )
        left = self._run(
            "SELECT owner FROM tables WHERE id = ? AND owner NOT IN (SELECT person FROM forgotten WHERE table_id = ?)"
            " UNION SELECT person FROM seats WHERE table_id = ? AND kind = 'person'"
            " AND person NOT IN (SELECT person FROM forgotten WHERE table_id = ?)",
            (table_id,) * 4,
        )
        if not left:
            self._remove(table_id)
        return not left

    def _remove(self, table_id: str) -> None:
        for table in ("lines", "chat", "seats", "invites", "thoughts", "forgotten"):
            self._run(f"DELETE FROM {table} WHERE table_id = ?", (table_id,))  # noqa: S608
        self._run("DELETE FROM tables WHERE id = ?", (table_id,))

    def rematch(self, table_id: str, rematch: str = "") -> str:
        """The table at which a game is played again."""
        if rematch:
            self._run("UPDATE tables SET rematch = ? WHERE id = ?", (rematch, table_id))
        rows = self._run("SELECT rematch FROM tables WHERE id = ?", (table_id,))
        return str(rows[0][0]) if rows else ""

    def every_table(self) -> list[str]:
        """Ids of all tables."""
        return [key for (key,) in self._run("SELECT id FROM tables ORDER BY created")]

    def unfinished_with_bots(self) -> list[str]:
        """Ids of the running games in which a bot plays."""
        rows = self._run(
            "SELECT id FROM tables WHERE kind = 'game' AND result = '' AND asked <> ''"
            " AND id IN (SELECT table_id FROM seats WHERE bot <> '')"
        )
        return [key for (key,) in rows]

    # --- invitations and chat ---

    def invites_of(self, person_id: str) -> list[Invite]:
        """Open invitations to the tables that he made."""
        rows = self._run(
            "SELECT token, table_id, seat, is_public FROM invites"
            " WHERE table_id IN (SELECT id FROM tables WHERE owner = ?) ORDER BY table_id, seat",
            (person_id,),
        )
        return [_invite(row) for row in rows]

    def public_invites(self, person_id: str, limit: int) -> list[Invite]:
        """Seats that anybody may take, at tables where he does not sit."""
        rows = self._run(
            "SELECT token, table_id, seat, is_public FROM invites JOIN tables ON tables.id = invites.table_id"
            " WHERE is_public = 1 AND result = '' AND owner <> ?"
            " AND table_id NOT IN (SELECT table_id FROM seats WHERE person = ?)"
            " ORDER BY created DESC, seat LIMIT ?",
            (person_id, person_id, limit),
        )
        return [_invite(row) for row in rows]

    def offer_seat(self, seat: SeatRecord, invite: Invite | None) -> bool:
        """Let somebody else have a seat that nobody has taken."""
        done = self._run(
            "UPDATE seats SET kind = ?, person = ?, bot = ? WHERE table_id = ? AND seat = ? AND kind = 'open'"
            " RETURNING seat",
            (seat.kind, seat.person, seat.bot, seat.table, seat.seat),
        )
        if done:
            self._run("DELETE FROM invites WHERE table_id = ? AND seat = ?", (seat.table, seat.seat))
            if invite is not None:
                self._run(
                    "INSERT INTO invites (token, table_id, seat, is_public) VALUES (?, ?, ?, ?)", _invite_row(invite)
                )
        return bool(done)

    def invite(self, token: str) -> Invite | None:
        """An open invitation."""
        rows = self._run("SELECT token, table_id, seat, is_public FROM invites WHERE token = ?", (token,))
        return _invite(rows[0]) if rows else None

    def take_invite(self, token: str, person_id: str) -> Invite | None:
        """Seat a person; the token is used up."""
        rows = self._run("DELETE FROM invites WHERE token = ? RETURNING token, table_id, seat, is_public", (token,))
        if not rows:
            return None
        invite = _invite(rows[0])
        self._run(
            "UPDATE seats SET kind = 'person', person = ? WHERE table_id = ? AND seat = ? AND kind = 'open'",
            (person_id, invite.table, invite.seat),
        )
        return invite

    def say(self, table_id: str, said: ChatRecord) -> ChatRecord:
        """Keep what was said."""
        rows = self._run(
            "INSERT INTO chat (table_id, n, name, seat, text, at)"
            " SELECT ?, COALESCE(MAX(n), 0) + 1, ?, ?, ?, ? FROM chat WHERE table_id = ? RETURNING n",
            (table_id, said.name, said.seat, said.text, said.at, table_id),
        )
        return ChatRecord(rows[0][0], said.name, said.seat, said.text, said.at)

    def chat(self, table_id: str, limit: int) -> list[ChatRecord]:
        """The newest, oldest first."""
        rows = self._run(
            "SELECT n, name, seat, text, at FROM chat WHERE table_id = ? ORDER BY n DESC LIMIT ?", (table_id, limit)
        )
        return [ChatRecord(*row) for row in reversed(rows)]


def _invite(row: tuple[Any, ...]) -> Invite:
    return Invite(row[0], row[1], row[2], bool(row[3]))


def _invite_row(invite: Invite) -> tuple[str, str, str, int]:
    return invite.token, invite.table, invite.seat, int(invite.is_public)


def _can_be_kept(text: str) -> bool:
    """Whether both databases keep a text; half of a surrogate pair is no character."""
    return "\0" not in text and (text.isascii() or not any("\ud800" <= c <= "\udfff" for c in text))


def _values(progress: GameProgress) -> tuple[str, str, str, float]:
    return progress.asked, progress.result, progress.clocks, progress.updated


def _table(row: tuple[Any, ...]) -> TableRecord:
    names = ("id", "kind", "system", "scenario", "title", "owner", "header", "options", "clock", "created")
    *_, asked, result, clocks, updated, v = row
    head: dict[str, Any] = dict(zip(names, row, strict=False))
    return TableRecord(**head, progress=GameProgress(asked, result, clocks, updated), v=v)


def migrations() -> Iterator[tuple[int, list[str]]]:
    """Number and statements of each migration, in order."""
    folder = resources.files(__package__).joinpath("migrations")
    for file in sorted(folder.iterdir(), key=lambda one: one.name):
        if file.name.endswith(".sql"):
            text = file.read_text(encoding="utf-8")
            yield int(file.name[:4]), [part.strip() for part in text.split(";") if part.strip()]
