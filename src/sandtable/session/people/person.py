"""People: guests, accounts, sessions and names.

A guest is somebody with a cookie. An account adds a name and a password (argon2). Tokens are random; the
store has only their digests, so that a copy of the database opens no session.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import time
from collections.abc import Callable, Iterable

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from sandtable.core.errors import BadInput, Fault, Refusal, Refused
from sandtable.session.store import Conflict, Keeper, Person, Store
from sandtable.session.store.names import clean_name, is_reserved, name_key

__all__ = ["SESSION", "People", "new_id"]

_ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"
_LONGEST_NAME = 24
_SHORTEST_PASSWORD = 8
_LONGEST_PASSWORD = 200
_DAY = 24 * 3600.0
SESSION = 90 * _DAY
"""Seconds after which a session that nobody used has ended."""
_GUEST = 3 * _DAY
"""Seconds after which a guest without a game is forgotten."""


def new_id(length: int = 12) -> str:
    """A random id that is easy to read out: 60 bits with twelve letters."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(length))


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


class People:
    """Accounts, guests and their sessions: whose a session is, and how one signs up and in."""

    def __init__(
        self,
        keeper: Keeper,
        hasher: PasswordHasher | None = None,
        reserved: Callable[[], Iterable[str]] = lambda: (),
    ) -> None:
        """``reserved`` gives names that are nobody's, beside those that never are."""
        self._keeper = keeper
        self._reserved = reserved
        self._hasher = hasher or PasswordHasher()
        # Hashing takes memory and time on purpose; a crowd at the door must not take all of either.
        self._hashing = asyncio.Semaphore(2)

    async def of_session(self, token: str) -> Person | None:
        """Whose session ``token`` is."""
        if not token:
            return None
        now = time.time()

        def read(store: Store) -> Person | None:
            person = store.session(_digest(token), now - SESSION)
            if person is not None:
                store.use_session(_digest(token), now, now - _DAY)
            return person

        return await self._keeper.run(read)

    async def new_guest(self) -> tuple[Person, str]:
        """A guest and the token of his session."""
        person = Person(new_id(), f"Guest {secrets.randbelow(9000) + 1000}", "", time.time())
        await self._keeper.run(lambda store: store.add_person(person))
        return person, await self.new_session(person)

    async def new_session(self, person: Person, instead_of: str = "") -> str:
        """The token of a new session; the one that it replaces ends."""
        token = secrets.token_urlsafe(32)

        def change(store: Store) -> None:
            store.add_session(_digest(token), person.id, time.time())
            if instead_of:
                store.drop_session(_digest(instead_of))

        await self._keeper.run(change)
        return token

    async def register(self, person: Person, name: str, password: str) -> Person:
        """Make a guest an account of that name; raise :class:`Refused` if it is taken."""
        name = self._checked(name, password)
        if not person.is_guest:
            raise Refused(Refusal("", f"you already have the account {person.name}", "log out first"))
        async with self._hashing:
            hashed = await asyncio.to_thread(self._hasher.hash, password)
        try:
            await self._keeper.run(lambda store: store.open_account(person.id, name, name_key(name), hashed))
        except Conflict:
            raise Refused(Refusal("", f"the name {name} is taken", "another name")) from None
        return Person(person.id, name, hashed, person.created)

    async def login(self, guest: Person | None, name: str, password: str) -> Person:
        """The account of that name; the games of the guest that somebody was go with him."""
        name = clean_name(name, _LONGEST_NAME)
        # Accounts from before names had keys are found by their small letters.
        account = await self._keeper.run(lambda store: store.account(name_key(name)) or store.account(name.casefold()))
        async with self._hashing:
            is_right = await asyncio.to_thread(self._is_right, account, password[:_LONGEST_PASSWORD])
        if account is None or not is_right:
            raise Refused(Refusal("", "no account of that name with that password"))
        if guest is not None and guest.is_guest:
            before, now = guest.id, account.id
            await self._keeper.run(lambda store: store.move_seats(before, now))
        return account

    async def logout(self, token: str) -> Person | None:
        """End every session of the one whose session it is, wherever he has one; who that was."""

        def end(store: Store) -> Person | None:
            person = store.session(_digest(token), 0.0)
            if person is not None:
                store.drop_sessions(person.id)
            return person

        return await self._keeper.run(end)

    async def tidy(self) -> list[str]:
        """End sessions that nobody uses and forget guests without games; the ids of those who have no session left."""
        now = time.time()

        def sweep(store: Store) -> list[str]:
            gone = store.expire_sessions(now - SESSION)
            return [*gone, *store.forget_guests(now - _GUEST)]

        return await self._keeper.run(sweep)

    def _is_right(self, account: Person | None, password: str) -> bool:
        if account is None:
            # Takes as long as a wrong password, so that the time does not tell which names exist.
            self._hasher.hash(password)
            return False
        try:
            return self._hasher.verify(account.password, password)
        except (VerificationError, InvalidHashError):
            return False

    def _checked(self, name: str, password: str) -> str:
        """The name as it will stand; raise :class:`BadInput` with all that is wrong."""
        cleaned = clean_name(name, _LONGEST_NAME + 1)
        faults = []
        if not 2 <= len(cleaned) <= _LONGEST_NAME:
            wrong = "too long" if len(cleaned) > _LONGEST_NAME else "too short"
            faults.append(Fault("name", wrong, f"2 to {_LONGEST_NAME} characters"))
        elif is_reserved(cleaned, self._reserved()):
            faults.append(Fault("name", f"{cleaned} is not for people", "another name"))
        if not _SHORTEST_PASSWORD <= len(password) <= _LONGEST_PASSWORD:
            wrong = "too long" if len(password) > _LONGEST_PASSWORD else "too short"
            faults.append(Fault("password", wrong, f"{_SHORTEST_PASSWORD} to {_LONGEST_PASSWORD} characters"))
        if faults:
            raise BadInput(faults)
        return cleaned
