"""The door: connections before they are requests.

uvicorn waits for ever for a request that was begun, and takes as many connections as there are. Here each address has
its share of connections, and a request has its time to arrive: the header :data:`HEADER` seconds, the body
:data:`BODY`. Whoever comes through a proxy of ours is the proxy's business.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import suppress
from typing import Any, ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from sandtable.server.addresses import Proxies, share_of

__all__ = ["door", "raise_file_limit"]

HEADER, BODY = 10.0, 60.0
"""Seconds that a header, and a body, may take to arrive."""
MOST = 200
"""Connections of one address."""
_ANSWER = b"HTTP/1.1 %d %s\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n%s"


class Door(H11Protocol):
    """uvicorn's protocol with shares and alarms."""

    proxies: ClassVar[Proxies] = Proxies()
    most: ClassVar[float] = MOST
    header: ClassVar[float] = HEADER
    body: ClassVar[float] = BODY
    open_from: ClassVar[Counter[str]]
    _address = ""
    _alarm: asyncio.TimerHandle | None = None
    _state: Any = None
    """What the alarm waits for: h11.IDLE the header, h11.SEND_BODY the body."""
    _is_gone = False
    """Whether the connection was refused, or is a socket now."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count the connection in, or refuse it."""
        peer = transport.get_extra_info("peername")
        host = str(peer[0]) if peer else ""
        if host and host not in self.proxies:
            self._address = share_of(host)
            self.open_from[self._address] += 1
            if self.open_from[self._address] > self.most:
                self._is_gone = True
                _say(transport, 429, b"Too Many Requests", b"too many connections from your address\n")
                return
        super().connection_made(transport)
        self._watch(h11.IDLE)

    def data_received(self, data: bytes) -> None:
        """Read on, and watch what is still to come."""
        if not self._is_gone:
            super().data_received(data)
            self._watch(self._awaited())

    def _awaited(self) -> Any:
        """What of a request that was begun has still to arrive."""
        state = self.conn.their_state
        if self._is_gone or (state is h11.IDLE and not self.conn.trailing_data[0]):
            return None
        return state if state in (h11.IDLE, h11.SEND_BODY) else None

    def connection_lost(self, exc: Exception | None) -> None:
        """Count the connection out."""
        self._leave()
        if not self._is_gone:
            super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hand over; sockets are counted where they are served."""
        self._leave()
        self._is_gone = True
        super().handle_websocket_upgrade(event)

    def _watch(self, state: Any) -> None:
        """Set the alarm for what has to arrive next, unless it is set; with None, for nothing."""
        if state is self._state:
            return
        self._state = state
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        if state is not None:
            self._alarm = self.loop.call_later(self.header if state is h11.IDLE else self.body, self._too_late)

    def _too_late(self) -> None:
        if self._state is h11.IDLE:
            _say(self.transport, 408, b"Request Timeout", b"the request did not arrive in time\n")
        else:
            self.transport.abort()

    def _leave(self) -> None:
        self._watch(None)
        if self._address:
            self.open_from[self._address] -= 1
            if not self.open_from[self._address]:
                del self.open_from[self._address]
            self._address = ""


def door(proxies: Proxies, most: float = MOST, header: float = HEADER, body: float = BODY) -> type[asyncio.Protocol]:
    """The protocol that a server's uvicorn is to speak with whoever connects."""
    settings = {"proxies": proxies, "most": most, "header": header, "body": body, "open_from": Counter()}
    return type("Door", (Door,), settings)


def _say(transport: asyncio.Transport, status: int, phrase: bytes, text: bytes) -> None:
    transport.write(_ANSWER % (status, phrase, len(text), text))
    transport.close()


def raise_file_limit() -> None:
    """As many open files as the system allows: every connection is one."""
    try:
        import resource
    except ImportError:  # Windows, which has no such limit
        return
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
