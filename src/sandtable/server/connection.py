"""One client of a table: what it is sent, and in which order.

A connection hears the table's notices and turns them into messages for its viewpoint. Messages wait in a
queue, so a slow client holds nobody up; one whose queue is full is cut off and starts again with a
snapshot.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import NamedTuple
from weakref import WeakKeyDictionary

from sandtable.core.codec import encode
from sandtable.server import messages as wire
from sandtable.session.game.live_game import LiveGame
from sandtable.session.game.notices import (
    BooksOpened,
    ChatHeard,
    ClocksTurned,
    LineAdded,
    Notice,
    PresenceTurned,
    SignedOut,
    TableClosed,
    UndoTurned,
)
from sandtable.session.game.play import Play
from sandtable.session.presenting.changes import ask_change, scene_change
from sandtable.session.presenting.wire import Scene
from sandtable.session.presenting.wire_questions import Ask
from sandtable.session.store import Person

__all__ = ["Closing", "Connection"]

_QUEUE = 512
_LOG_TAIL = 60


class Closing(Exception):
    """The connection ends; the code says why."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


class _Told(NamedTuple):
    """What a client was told of the position: an update says what is other than this."""

    scene: Scene
    ask: Ask | None

    def is_same(self, other: _Told) -> bool:
        """Whether it is the very same; who looks from one viewpoint is mostly told the very same."""
        return self.scene is other.scene and self.ask is other.ask


class _Sent(NamedTuple):
    """An update that leads from what was told to what is told now."""

    v: int
    before: _Told
    after: _Told
    text: str


_updates: WeakKeyDictionary[Play, dict[str, _Sent]] = WeakKeyDictionary()
"""The newest update by game and viewpoint: all who look from there and had the same are sent the same text."""


def _update(table: LiveGame, v: int, viewpoint: str, had: _Told) -> _Sent:
    play = table.play
    made = _updates.setdefault(play, {})
    sent = made.get(viewpoint)
    if sent is None or sent.v != v or not sent.before.is_same(had):
        entry, scene = play.told(v - 1, viewpoint)
        now = _Told(scene, None if table.is_over else play.ask(viewpoint, v))
        change = ask_change(had.ask, now.ask)
        text = encode(
            wire.Update(
                v=play.version(viewpoint, v),
                entry=entry,
                scene=scene_change(had.scene, scene),
                ask=now.ask if change is None else None,
                ask_change=change,
                clocks=table.clocks_told(viewpoint),
                undo=table.undo_told(viewpoint),
                outcome=table.result,
                lesson=table.lesson_told(),
            )
        ).decode()
        sent = made[viewpoint] = _Sent(v, had, now, text)
    return sent


class Connection:
    """A client of a table; a :class:`~sandtable.session.game.notices.Listener`."""

    def __init__(self, table: LiveGame, person: Person, viewpoint: str) -> None:
        self.table = table
        self.person = person.id
        self.name = person.name
        self.viewpoint = viewpoint
        self._had: _Told | None = None
        """What the client has, from the viewpoint that it has; nothing before the first snapshot."""
        self._queue: asyncio.Queue[str | Closing] = asyncio.Queue(_QUEUE)
        self._closing: Closing | None = None

    # --- to the client ---

    def hear(self, notice: Notice) -> None:
        """Tell the client what changed, as far as its viewpoint may know."""
        match notice:
            case LineAdded(v):
                # Of what is secret to its last line nobody else hears.
                if self._had is not None and self.table.play.is_told(self.viewpoint, v - 1):
                    sent = _update(self.table, v, self.viewpoint, self._had)
                    self._had = sent.after
                    self.put(sent.text)
            case PresenceTurned():
                seating = self.table.seating
                self.send(wire.Presence(seating.told(self.person), seating.watchers, self.table.gives_help))
            case ClocksTurned():
                self.send(wire.Clocks(self.table.clocks_told(self.viewpoint), self.table.result))
            case UndoTurned():
                self.send(wire.UndoChanged(self.table.undo_told(self.viewpoint)))
            case ChatHeard(line):
                self.send(wire.Said(line))
            case BooksOpened():
                self._snapshot()
            case SignedOut(person):
                if person == self.person:
                    self.cut(Closing(4403, "you have logged out"))
            case TableClosed():
                self.cut(Closing(4503, "the table is read anew; come back"))

    def send(self, message: wire.ServerMessage) -> None:
        """Send a message when the client is ready for it."""
        self.put(encode(message).decode())

    def put(self, text: str) -> None:
        """Send an encoded message when the client is ready for it."""
        if self._closing is not None:
            return
        try:
            self._queue.put_nowait(text)
        except asyncio.QueueFull:
            self.cut(Closing(4408, "messages are not being read; come back"))

    def cut(self, closing: Closing) -> None:
        """End the connection, after what is already waiting unless that is too much."""
        if self._closing is not None:
            return
        self._closing = closing
        if self._queue.full():
            while not self._queue.empty():
                self._queue.get_nowait()
        self._queue.put_nowait(closing)

    def waiting(self) -> Iterator[str]:
        """The messages that wait to be sent, taken out of the queue."""
        while not self._queue.empty():
            message = self._queue.get_nowait()
            if isinstance(message, str):
                yield message

    async def next(self) -> str:
        """The next message to send; raise :class:`Closing` when there are no more."""
        message = await self._queue.get()
        if isinstance(message, Closing):
            raise message
        return message

    # --- how things stand ---

    async def come(self) -> None:
        """Join the table; the first message is a snapshot, and nothing is missed after it."""
        async with self.table.lock:
            await self.table.prepare([self.viewpoint])
            self.table.join(self)
            self._snapshot()

    async def resync(self) -> None:
        """Send a snapshot."""
        async with self.table.lock:
            await self.table.prepare([self.viewpoint])
            self._snapshot()

    async def sit(self, seat: str) -> None:
        """Look from ``seat`` from now on. What changes is told from one viewpoint, so a snapshot comes first."""
        async with self.table.lock:
            await self.table.prepare([seat])
            self.viewpoint = seat
            self._snapshot()

    def _snapshot(self) -> None:
        table, play, seat = self.table, self.table.play, self.viewpoint
        v = play.version(seat)
        tail = [play.line(seat, number) for number in range(max(0, v - _LOG_TAIL), v)]
        ask = None if table.is_over else play.ask(seat, play.v)
        self._had = _Told(play.scene(play.v - 1, seat), ask)
        self.send(
            wire.Snapshot(
                v=v,
                scene=self._had.scene,
                ask=ask,
                log=tuple(play.entry(seq, seat) for seq in tail),
                seats=table.seating.told(self.person),
                watchers=table.seating.watchers,
                help=table.gives_help,
                clocks=table.clocks_told(seat),
                chat=tuple(table.chat),
                undo=table.undo_told(seat),
                outcome=table.result,
                lesson=table.lesson_told(),
            )
        )
