"""Who sends a request: the session cookie, guests who get one, and whether he still waits for the answer."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie
from litestar.exceptions import ClientException
from litestar.response import Response

from sandtable.server.addresses import share_of
from sandtable.server.limits import Rates
from sandtable.session.people.person import SESSION
from sandtable.session.registry import Registry
from sandtable.session.store import Person

__all__ = [
    "COOKIE",
    "NOBODY",
    "address_of",
    "new_guest",
    "registry_of",
    "signed_in",
    "visitor",
    "while_connected",
    "with_session",
]

T = TypeVar("T")

COOKIE = "sandtable"
NOBODY = Person("", "Watcher", "", 0.0)
"""Somebody without a session: he may look at what everybody may see."""


def registry_of(connection: ASGIConnection[Any, Any, Any, Any]) -> Registry:
    """The registry that the application serves."""
    found: Registry = connection.app.state.registry
    return found


def address_of(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    """Where a request or a socket comes from, as far as it counts as one address."""
    client = connection.client
    return share_of(client.host) if client is not None else ""


async def visitor(connection: ASGIConnection[Any, Any, Any, Any]) -> Person:
    """Whose session a request or a socket has, without opening one."""
    return await registry_of(connection).people.of_session(connection.cookies.get(COOKIE, "")) or NOBODY


async def signed_in(request: Request[Any, Any, Any]) -> tuple[Person, str]:
    """Whose session a request has, and the token of a new one for a guest who had none (else ``""``)."""
    person = await visitor(request)
    if person is not NOBODY:
        return person, ""
    return await new_guest(request)


async def new_guest(request: Request[Any, Any, Any]) -> tuple[Person, str]:
    """A guest and the token of his session; raise :class:`TooMany` if too many come from there."""
    rates: Rates = request.app.state.rates
    rates.check_guest(address_of(request))
    return await registry_of(request).people.new_guest()


async def while_connected(request: Request[Any, Any, Any], work: Coroutine[Any, Any, T]) -> T:
    """What the work comes to; it is cancelled when the one who asked for it has gone."""
    task = asyncio.ensure_future(work)
    gone = asyncio.ensure_future(_gone(request))
    try:
        await asyncio.wait((task, gone), return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise ClientException("nobody waits for the answer")
        return task.result()
    finally:
        task.cancel()
        gone.cancel()
        await asyncio.gather(task, gone, return_exceptions=True)


async def _gone(request: Request[Any, Any, Any]) -> None:
    # The body was read before: whatever comes now is the end of the connection, or more of nothing.
    while (await request.receive())["type"] != "http.disconnect":
        pass


def with_session(request: Request[Any, Any, Any], content: Any, token: str, status: int = 200) -> Response[Any]:
    """An answer that sets the session cookie if there is a new token."""
    response: Response[Any] = Response(content, status_code=status, media_type="application/json")
    if token:
        response.set_cookie(
            Cookie(
                key=COOKIE,
                value=token,
                path="/",
                max_age=int(SESSION),
                httponly=True,
                samesite="lax",
                secure=request.url.scheme == "https",
            )
        )
    return response
