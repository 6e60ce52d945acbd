"""The store's interface, and the records that it keeps.

A game is its log: the header and the lines are kept as they are in a log file, so export is joining them.
Beside the log stands only what is not in it: who sits where, clocks, chat, and a digest of the position for
the lobby.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

import msgspec

from sandtable.core.errors import SandtableError

__all__ = [
    "ChatRecord",
    "Conflict",
    "Damaged",
    "GameProgress",
    "Invite",
    "Person",
    "SeatRecord",
    "Store",
    "TableKind",
    "TableRecord",
    "Thought",
]

TableKind = Literal["game", "replay", "situation"]


class Conflict(SandtableError):
    """What should be written clashes with what is there: a line of the same number, a name that is taken."""


class Damaged(SandtableError):
    """What should be read cannot be: the database is damaged there."""


class Person(msgspec.Struct, frozen=True):
    """Somebody who plays; a guest has no password."""

    id: str
    name: str
    password: str
    """The argon2 hash, or ``""``."""
    created: float

    @property
    def is_guest(self) -> bool:
        """Whether there is no account yet."""
        return not self.password


class GameProgress(msgspec.Struct, frozen=True):
    """Where a game stands: what changes with every line beside the log itself."""

    asked: str = ""
    """The seats that are asked, joined by commas."""
    result: str = ""
    """An :class:`~sandtable.session.presenting.wire.WireOutcome` as JSON once the game is over, else ``""``."""
    clocks: str = ""
    """A :class:`~sandtable.session.game.clock.Clocks` as JSON, else ``""``."""
    updated: float = 0.0


class TableRecord(msgspec.Struct, frozen=True):
    """What is kept of a table beside its lines and its seats: scenario, owner, options and how it stands."""

    id: str
    kind: TableKind
    system: str
    scenario: str
    title: str
    owner: str
    header: str
    """The log's header as JSON; for a situation, the file itself."""
    options: str
    """Options of the table as JSON."""
    clock: str
    """A :class:`~sandtable.session.presenting.wire.Clock` as JSON, or ``""``."""
    created: float
    progress: GameProgress = GameProgress()
    v: int = 0
    """Number of lines; the store counts."""


class SeatRecord(msgspec.Struct, frozen=True):
    """Who sits in a seat."""

    table: str
    seat: str
    kind: Literal["person", "bot", "open"]
    person: str = ""
    bot: str = ""
    """The bot that plays it; of a person's seat, the one that has taken over for him."""


class Invite(msgspec.Struct, frozen=True):
    """A seat for whoever has the token."""

    token: str
    table: str
    seat: str
    is_public: bool = False
    """Whether the lobby shows it to everybody."""


class Thought(msgspec.Struct, frozen=True):
    """With which stream a bot thought before it answered, so that it can be asked about it afterwards."""

    seq: int
    """The line of the log that it answered with."""
    bot: str
    seed: int


class ChatRecord(msgspec.Struct, frozen=True):
    """Something said at a table; the store numbers them."""

    n: int
    name: str
    seat: str
    text: str
    at: float


class Store(Protocol):
    """All that is kept. Calls are made from one thread, several in one transaction."""

    # --- transactions ---

    def begin(self) -> None: ...
    def commit(self) -> None: ...
    def rollback(self) -> None: ...
    def savepoint(self) -> None:
        """Mark the place to which :meth:`rollback_to_savepoint` goes back."""
        ...

    def rollback_to_savepoint(self) -> None: ...
    def release_savepoint(self) -> None: ...
    def close(self) -> None: ...

    def damage(self) -> list[str]:
        """The parts of the database that cannot be read whole, where it can tell."""
        ...

    def every_table(self) -> list[str]:
        """Ids of all tables."""
        ...

    # --- people ---

    def add_person(self, person: Person) -> None: ...
    def person(self, person_id: str) -> Person | None: ...
    def account(self, key: str) -> Person | None:
        """The account whose name has that key."""
        ...

    def open_account(self, person_id: str, name: str, key: str, password: str) -> None:
        """Make a guest an account; raise :class:`Conflict` if the name is taken."""
        ...

    def move_seats(self, guest_id: str, person_id: str) -> None:
        """Give a guest's seats and tables to an account."""
        ...

    def add_session(self, digest: str, person_id: str, at: float) -> None: ...
    def session(self, digest: str, since: float) -> Person | None:
        """Whose session it is, if it was used since then."""
        ...

    def use_session(self, digest: str, at: float, before: float) -> None:
        """Note that a session is used, unless that was noted after ``before``."""
        ...

    def drop_session(self, digest: str) -> None: ...
    def drop_sessions(self, person_id: str) -> None:
        """End every session of somebody."""
        ...

    def expire_sessions(self, before: float) -> list[str]:
        """End the sessions that nobody used since ``before``; the ids of those who have no other."""
        ...

    def forget_guests(self, before: float) -> list[str]:
        """Remove the guests without a game who have not been here since ``before``; their ids."""
        ...

    # --- the server's own time ---

    def uptime(self) -> float:
        """Seconds that servers of this database have run, as far as they noted it."""
        ...

    def keep_uptime(self, seconds: float) -> None:
        """Note for how long servers of this database have run."""
        ...

    # --- tables ---

    def create_table(
        self,
        table: TableRecord,
        seats: Sequence[SeatRecord],
        invites: Sequence[Invite],
        lines: Sequence[str],
    ) -> None: ...
    def table(self, table_id: str) -> TableRecord | None: ...
    def seats(self, table_id: str) -> list[SeatRecord]: ...
    def lines(self, table_id: str) -> list[str]:
        """The log's lines after the header, in order."""
        ...

    def append(self, table_id: str, seq: int, line: str, progress: GameProgress) -> None:
        """Add a line; raise :class:`Conflict` if ``seq`` is not the next number."""
        ...

    def update(self, table_id: str, progress: GameProgress) -> None:
        """Note where a game stands, without a line."""
        ...

    def stand_in(self, table_id: str, seat: str, bot: str) -> None:
        """Let a bot play a person's seat, or (``""``) the person again."""
        ...

    def keep_thought(self, table_id: str, thought: Thought) -> None:
        """Note how a bot thought."""
        ...

    def thought(self, table_id: str, seq: int) -> Thought | None:
        """How a bot thought before that line."""
        ...

    def tables_of(self, person_id: str) -> list[tuple[TableRecord, list[SeatRecord]]]:
        """Tables where he sits or that he opened, newest first; headers are left out."""
        ...

    def forget_exhibits(self, person_id: str, keep: int) -> None:
        """Remove the oldest files that he opened, all but ``keep``."""
        ...

    def forget_table(self, person_id: str, table_id: str) -> bool:
        """Leave a table out of his list; once all have who sat there, it is removed: whether it was."""
        ...

    def rematch(self, table_id: str, rematch: str = "") -> str:
        """The table at which a game is played again, noting it first if one is given; ``""`` if there is none."""
        ...

    def unfinished_with_bots(self) -> list[str]:
        """Ids of the running games in which a bot plays."""
        ...

    # --- invitations and chat ---

    def invites_of(self, person_id: str) -> list[Invite]:
        """Open invitations to the tables that he made."""
        ...

    def invite(self, token: str) -> Invite | None: ...
    def public_invites(self, person_id: str, limit: int) -> list[Invite]:
        """Seats that anybody may take, at tables where he does not sit, the newest first."""
        ...

    def offer_seat(self, seat: SeatRecord, invite: Invite | None) -> bool:
        """Let somebody else have a seat that nobody has taken: the old invitation is no longer good."""
        ...

    def take_invite(self, token: str, person_id: str) -> Invite | None:
        """Seat a person; None if the token is not, or no longer, good."""
        ...

    def say(self, table_id: str, said: ChatRecord) -> ChatRecord:
        """Keep what was said and number it."""
        ...

    def chat(self, table_id: str, limit: int) -> list[ChatRecord]:
        """The newest, oldest first."""
        ...

    def names(self, person_ids: Sequence[str]) -> dict[str, str]:
        """Names by id."""
        ...
