"""Limits at the door: how often, from where, and with which headers.

A token bucket an address for each kind of request, so many sockets for each, the Host that was asked for, the Origin of
what changes something, and the headers that tell browsers to be strict. The middleware is plain ASGI, so that it also
holds for static files.
"""

from __future__ import annotations

import time
from collections import Counter

from litestar.datastructures import MutableScopeHeaders
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from sandtable.core.codec import encode
from sandtable.core.errors import Refusal, Refused
from sandtable.server.addresses import Hosts, is_origin, is_own_origin, share_of

__all__ = ["Bucket", "Buckets", "Guard", "Rates", "TooMany"]

_MOST_REASON = 123
"""Bytes: WebSockets take no longer reason for a connection's end."""
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; connect-src 'self'; "
        "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # An invitation's token may stand in an address; it must not travel further.
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_SAFE = {"GET", "HEAD", "OPTIONS"}
_MOST_SOCKETS = 100
"""Sockets of one address."""


class TooMany(Refused):
    """So many in so short a time are not allowed."""

    def __init__(self, what: str) -> None:
        super().__init__(Refusal("", f"too many {what} in a short time", "try again in a while"))

    def __reduce__(self) -> tuple[type[Refused], tuple[Refusal]]:
        """As a plain refusal."""
        return (Refused, (self.refusal,))


class Bucket:
    """A limit that fills up again: so many at once, and so many a second after that."""

    __slots__ = ("_burst", "_left", "_rate", "_then")

    def __init__(self, rate: float, burst: float) -> None:
        self._rate = rate
        self._burst = burst
        self._left = burst
        self._then = time.monotonic()

    def take(self) -> bool:
        """Whether one more is allowed now."""
        now = time.monotonic()
        self._left = min(self._burst, self._left + (now - self._then) * self._rate)
        self._then = now
        if self._left < 1:
            return False
        self._left -= 1
        return True

    @property
    def is_full(self) -> bool:
        """Whether nothing was taken for so long that it may be forgotten."""
        return self._left + (time.monotonic() - self._then) * self._rate >= self._burst


class Buckets:
    """A bucket for each client."""

    def __init__(self, rate: float, burst: float, most: int = 10_000) -> None:
        self._rate = rate
        self._burst = burst
        self._most = most
        self._of: dict[str, Bucket] = {}

    def take(self, client: str) -> bool:
        """Whether ``client`` may have one more now."""
        bucket = self._of.get(client)
        if bucket is None:
            if len(self._of) >= self._most:
                self._of = {key: one for key, one in self._of.items() if not one.is_full}
            bucket = self._of[client] = Bucket(self._rate, self._burst)
        return bucket.take()


class Rates:
    """How many guests an address, and how many tables a person, may have made."""

    def __init__(self, scale: float = 1.0) -> None:
        self._guests = Buckets(0.1 * scale, 30 * scale)
        self._tables = Buckets(0.2 * scale, 40 * scale)

    def check_guest(self, address: str) -> None:
        """Raise :class:`TooMany` if too many guests come from an address."""
        if not self._guests.take(address):
            raise TooMany("new guests from your address")

    def check_table(self, person: str) -> None:
        """Raise :class:`TooMany` if somebody sets up too many tables."""
        if not self._tables.take(person):
            raise TooMany("new tables")


class Guard:
    """Checks where requests and sockets come from and how many there are; adds the security headers to every answer."""

    def __init__(self, app: ASGIApp, origins: tuple[str, ...], scale: float = 1.0, hosts: Hosts | None = None) -> None:
        self._app = app
        self._origins = origins
        self._hosts = hosts
        self._sockets: Counter[str] = Counter()
        self._most_sockets = _MOST_SOCKETS * scale
        self._all = Buckets(50 * scale, 200 * scale)
        self._strict = {
            "/api/account/": Buckets(0.2 * scale, 10 * scale),
            "/api/open": Buckets(0.2 * scale, 10 * scale),
            "/api/tables": Buckets(1 * scale, 30 * scale),
            "/api/join/": Buckets(1 * scale, 30 * scale),
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request or a socket pass, or answer it at once."""
        if scope["type"] == ScopeType.HTTP:
            await self._http(scope, receive, send)
        else:
            await self._websocket(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableScopeHeaders.from_message(message)
                for name, value in _HEADERS.items():
                    headers[name] = value
            await send(message)

        refusal = self._misaddressed(scope)
        if refusal is None and scope["path"].startswith("/api/"):
            refusal = self._refusal(scope)
        if refusal is None:
            await self._app(scope, receive, send_with_headers)
        else:
            await _answer(send_with_headers, *refusal)

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_in_short(message: Message) -> None:
            if message["type"] == "websocket.close":
                # It may repeat what somebody asked for.
                reason = (message["reason"] or "").encode(errors="replace")[:_MOST_REASON]
                message["reason"] = reason.decode(errors="ignore")
            await send(message)

        refusal = self._misaddressed(scope)
        if refusal is not None:
            await _hang_up(receive, send_in_short, 4400, refusal[1])
            return
        who = _who(scope)
        if self._sockets[who] >= self._most_sockets:
            await _hang_up(receive, send_in_short, 4429, "too many connections from your address")
            return
        self._sockets[who] += 1
        try:
            await self._app(scope, receive, send_in_short)
        finally:
            self._sockets[who] -= 1
            if not self._sockets[who]:
                del self._sockets[who]

    def _misaddressed(self, scope: Scope) -> tuple[int, str, str] | None:
        """What is wrong with the address that was asked for."""
        host = _headers(scope).get("host", "")
        if self._hosts is not None and host not in self._hosts:
            return 400, f"this server does not answer to the name {host[:100]!r}", "--allow-host names it"
        query = scope["query_string"]
        if "\0" in scope["path"] or b"%00" in query or b"\0" in query or not scope["path"].isprintable():
            return 400, "control characters in the address", "an address without them"
        return None

    def _refusal(self, scope: Scope) -> tuple[int, str, str] | None:
        who = _who(scope)
        if not self._all.take(who):
            return 429, "too many requests", "fewer a second"
        if scope["method"] in _SAFE:  # type: ignore[typeddict-item]
            return None
        headers = _headers(scope)
        if not is_origin(headers.get("origin", "null")):
            return 400, "the Origin is none", "scheme, host and port, as browsers send them"
        if not is_own_origin(headers.get("origin"), headers.get("host"), self._origins):
            return 403, f"requests from {headers['origin'][:100]} are not answered", "the server's own page"
        for prefix, buckets in self._strict.items():
            if scope["path"].startswith(prefix) and not buckets.take(who):
                return 429, "too many requests of this kind", "a little later"
        return None


def _who(scope: Scope) -> str:
    client = scope.get("client")
    return share_of(client[0]) if client else ""


def _headers(scope: Scope) -> dict[str, str]:
    return {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}


async def _hang_up(receive: Receive, send: Send, code: int, reason: str) -> None:
    """Let a socket in only to say why it cannot stay."""
    await receive()
    await send({"type": "websocket.accept", "subprotocol": None, "headers": []})
    await send({"type": "websocket.close", "code": code, "reason": reason})


async def _answer(send: Send, status: int, wrong: str, right: str) -> None:
    body = encode({"faults": [{"where": "request", "wrong": wrong, "right": right}]})
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})
