"""Who sends a request: the session cookie, and guests who get one."""

from __future__ import annotations

from typing import Any

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie
from litestar.response import Response

from sandtable.session.house import House
from sandtable.session.store import Person

__all__ = ["COOKIE", "NOBODY", "house_of", "signed_in", "visitor", "with_session"]

COOKIE = "sandtable"
NOBODY = Person("", "Watcher", "", 0.0)
"""Somebody without a session: he may look at what everybody may see."""
_YEAR = 365 * 24 * 3600


def house_of(connection: ASGIConnection[Any, Any, Any, Any]) -> House:
    """The house that the application serves."""
    found: House = connection.app.state.house
    return found


async def visitor(connection: ASGIConnection[Any, Any, Any, Any]) -> Person:
    """Whose session a request or a socket has, without opening one."""
    return await house_of(connection).people.of_session(connection.cookies.get(COOKIE, "")) or NOBODY


async def signed_in(request: Request[Any, Any, Any]) -> tuple[Person, str]:
    """Whose session a request has, and the token of a new one for a guest who had none (else ``""``)."""
    person = await visitor(request)
    if person is not NOBODY:
        return person, ""
    return await house_of(request).people.new_guest()


def with_session(request: Request[Any, Any, Any], content: Any, token: str, status: int = 200) -> Response[Any]:
    """An answer that sets the session cookie if there is a new token."""
    response: Response[Any] = Response(content, status_code=status, media_type="application/json")
    if token:
        response.set_cookie(
            Cookie(
                key=COOKIE,
                value=token,
                path="/",
                max_age=_YEAR,
                httponly=True,
                samesite="lax",
                secure=request.url.scheme == "https",
            )
        )
    return response
