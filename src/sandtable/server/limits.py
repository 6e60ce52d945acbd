"""Limits at the door: how often, from where, and with which headers.

A token bucket a client for each kind of request, the Origin of what changes something, and the headers that
tell browsers to be strict. The middleware is plain ASGI, so that it also holds for static files.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from urllib.parse import urlsplit

from litestar.datastructures import MutableScopeHeaders
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from sandtable.core.codec import encode

__all__ = ["Bucket", "Buckets", "Guard", "is_own_origin"]

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


class Bucket:
    """So many at once, and so many a second after that."""

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


def is_own_origin(origin: str | None, host: str | None, allowed: Iterable[str]) -> bool:
    """Whether a request comes from our own page; one without an Origin does not come from a page at all."""
    if origin is None:
        return True
    return origin in allowed or (bool(host) and urlsplit(origin).netloc == host)


class Guard:
    """Checks Origin and rate of API requests, and adds the security headers to every answer."""

    def __init__(self, app: ASGIApp, origins: tuple[str, ...], scale: float = 1.0) -> None:
        self._app = app
        self._origins = origins
        self._all = Buckets(50 * scale, 200 * scale)
        self._strict = {
            "/api/account/": Buckets(0.2 * scale, 10 * scale),
            "/api/open": Buckets(0.2 * scale, 10 * scale),
            "/api/tables": Buckets(1 * scale, 30 * scale),
            "/api/join/": Buckets(1 * scale, 30 * scale),
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request pass, or answer it at once."""
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableScopeHeaders.from_message(message)
                for name, value in _HEADERS.items():
                    headers[name] = value
            await send(message)

        refusal = self._refusal(scope) if scope["path"].startswith("/api/") else None
        if refusal is None:
            await self._app(scope, receive, send_with_headers)
        else:
            await _answer(send_with_headers, *refusal)

    def _refusal(self, scope: Scope) -> tuple[int, str, str] | None:
        client = scope.get("client")
        who = client[0] if client else ""
        if not self._all.take(who):
            return 429, "too many requests", "fewer a second"
        if scope["method"] in _SAFE:  # type: ignore[typeddict-item]
            return None
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        if not is_own_origin(headers.get("origin"), headers.get("host"), self._origins):
            return 403, f"requests from {headers['origin']} are not answered", "the server's own page"
        for prefix, buckets in self._strict.items():
            if scope["path"].startswith(prefix) and not buckets.take(who):
                return 429, "too many requests of this kind", "a little later"
        return None


async def _answer(send: Send, status: int, wrong: str, right: str) -> None:
    body = encode({"faults": [{"where": "request", "wrong": wrong, "right": right}]})
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})
