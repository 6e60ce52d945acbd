"""The HTTP interface to company: invitations, seats that wait, rematches, and games that one wants to see no more."""

from __future__ import annotations

from typing import Any

from litestar import Request, delete, get, post
from litestar.params import FromPath, JSONBody
from litestar.response import Response

from sandtable.server.visitors import registry_of, signed_in, visitor, with_session
from sandtable.session import company
from sandtable.session.presenting.shelf import Invitation, Rematch, SeatOffer, TableMade

__all__ = ["COMPANY"]

AnyRequest = Request[Any, Any, Any]


@get("/api/join/{invite:str}", summary="What an invitation is to")
async def get_invitation(request: AnyRequest, invite: FromPath[str]) -> Invitation:
    """The game, the side, the clock and who invites."""
    return await company.invitation(registry_of(request), invite)


@post("/api/tables/{table_id:str}/seats/{seat:str}", summary="Something else for a seat that waits", status_code=200)
async def post_seat(
    request: AnyRequest, table_id: FromPath[str], seat: FromPath[str], data: JSONBody[SeatOffer]
) -> TableMade:
    """For whoever set the table up: withdraw the invitation, make another, sit there yourself, or let a bot."""
    return await company.offer(registry_of(request), await visitor(request), table_id, seat, data.who)


@post("/api/tables/{table_id:str}/rematch", summary="Play it again", status_code=201)
async def post_rematch(request: AnyRequest, table_id: FromPath[str], data: JSONBody[Rematch]) -> Response[TableMade]:
    """For whoever played here, once it is over; the second to ask comes to the first one's table."""
    person, token = await signed_in(request)
    made = await company.rematch(registry_of(request), person, table_id, swap=data.swap)
    return with_session(request, made, token, 201)


@delete("/api/tables/{table_id:str}", summary="Take a table off your list")
async def delete_table(request: AnyRequest, table_id: FromPath[str]) -> None:
    """It is gone for good once everybody who sat there has done so."""
    await company.delete(registry_of(request), await visitor(request), table_id)


COMPANY = (get_invitation, post_seat, post_rematch, delete_table)
