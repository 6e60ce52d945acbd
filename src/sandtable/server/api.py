"""The HTTP interface: the lobby, tables, accounts. Each handler reads the request and asks the session layer."""

from __future__ import annotations

from typing import Any

from litestar import Request, get, post
from litestar.params import FromPath, FromQuery, JSONBody
from litestar.response import Response, Stream

from sandtable.server.company import COMPANY
from sandtable.server.limits import Rates
from sandtable.server.reviews import Reviews, WireReview
from sandtable.server.visitors import (
    COOKIE,
    NOBODY,
    address_of,
    new_guest,
    registry_of,
    signed_in,
    visitor,
    while_connected,
    with_session,
)
from sandtable.session import queries
from sandtable.session.files.exhibit import MOST_LOG
from sandtable.session.lessons.learning import learn
from sandtable.session.presenting.advice import Advice
from sandtable.session.presenting.shelf import (
    Credentials,
    Learn,
    Moment,
    NewTable,
    OpenFile,
    PlayOn,
    TableInfo,
    TableMade,
    WireLobby,
    WirePerson,
)
from sandtable.session.presenting.wire import WireEntry
from sandtable.session.registry import NotFound

__all__ = ["HANDLERS"]

AnyRequest = Request[Any, Any, Any]


@get("/api/lobby", summary="Everything that one finds when one comes in")
async def get_lobby(request: AnyRequest) -> Response[WireLobby]:
    """Who you are, what can be played, your tables and invitations."""
    person, token = await signed_in(request)
    return with_session(request, await queries.lobby(registry_of(request), person), token)


@post("/api/tables", summary="Set a game up", status_code=201)
async def post_table(request: AnyRequest, data: JSONBody[NewTable]) -> Response[TableMade]:
    """The table's id and a token for every invited seat."""
    person, token = await signed_in(request)
    rates: Rates = request.app.state.rates
    rates.check_table(person.id)
    return with_session(request, await registry_of(request).create(person, data), token, 201)


@post("/api/lessons/{lesson:str}", summary="Take a lesson", status_code=201)
async def post_lesson(request: AnyRequest, lesson: FromPath[str], data: JSONBody[Learn]) -> Response[TableMade]:
    """A table at which it is given, from a step on."""
    person, token = await signed_in(request)
    return with_session(request, await learn(registry_of(request), person, lesson, data.step), token, 201)


@post("/api/join/{invite:str}", summary="Take the seat of an invitation", status_code=200)
async def post_join(request: AnyRequest, invite: FromPath[str]) -> Response[TableMade]:
    """The table."""
    person, token = await signed_in(request)
    return with_session(request, await registry_of(request).join(person, invite), token)


@post(
    "/api/open",
    summary="Open a log or a situation file",
    status_code=201,
    request_max_body_size=2 * MOST_LOG,
)
async def post_open(request: AnyRequest, data: JSONBody[OpenFile]) -> Response[TableMade]:
    """A read-only table that shows it."""
    person, token = await signed_in(request)
    made = await while_connected(request, registry_of(request).open_file(person, data))
    return with_session(request, made, token, 201)


@post("/api/tables/{table_id:str}/play-on", summary="A new game from a moment of this one", status_code=201)
async def post_play_on(request: AnyRequest, table_id: FromPath[str], data: JSONBody[PlayOn]) -> Response[TableMade]:
    """Of a game that is over, of one whose seats are all yours, or of an opened file."""
    person, token = await signed_in(request)
    return with_session(request, await registry_of(request).play_on(person, table_id, data), token, 201)


@get("/api/tables/{table_id:str}", summary="What does not change at a table")
async def get_table(request: AnyRequest, table_id: FromPath[str], seat: FromQuery[str | None] = None) -> TableInfo:
    """Scenario, sides, seats, rule titles, tables and unit cards."""
    return await queries.info(registry_of(request), await visitor(request), table_id, seat)


@get("/api/tables/{table_id:str}/map", summary="The map as vector features (MapDrawing)")
async def get_map(request: AnyRequest, table_id: FromPath[str]) -> Response[bytes]:
    """The drawing; it never changes, so its digest is its tag."""
    _, books = await registry_of(request).look(table_id)
    if books.drawing is None:
        raise NotFound("this game has no map")
    body, digest = books.drawing
    headers = {"ETag": f'"{digest}"', "Cache-Control": "private, max-age=3600"}
    if request.headers.get("if-none-match") == headers["ETag"]:
        return Response(b"", status_code=304, headers=headers)
    return Response(body, media_type="application/json", headers=headers)


@get("/api/tables/{table_id:str}/entries", summary="Lines of the log as a viewpoint may know them")
async def get_entries(
    request: AnyRequest,
    table_id: FromPath[str],
    seat: FromQuery[str | None] = None,
    start: FromQuery[int] = 0,
    end: FromQuery[int | None] = None,
) -> list[WireEntry]:
    """From ``start`` to ``end`` (exclusive), at most 500."""
    person, owner = await visitor(request), address_of(request)
    return await queries.entries(registry_of(request), person, table_id, seat, start, end, owner=owner)


@get("/api/tables/{table_id:str}/replay/{seq:int}", summary="The position after an entry")
async def get_moment(
    request: AnyRequest, table_id: FromPath[str], seq: FromPath[int], seat: FromQuery[str | None] = None
) -> Moment:
    """While the game runs your own seats only, once it is over any seat."""
    return await queries.moment(registry_of(request), await visitor(request), table_id, seat, seq)


@get("/api/tables/{table_id:str}/thoughts/{seq:int}", summary="Why a bot answered as it did")
async def get_thoughts(
    request: AnyRequest,
    table_id: FromPath[str],
    seq: FromPath[int],
    bot: FromQuery[str] = "",
    seat: FromQuery[str | None] = None,
) -> Advice:
    """Or what ``bot`` would have done; ``seat`` is the viewpoint that counts the lines.

    While the game runs for your own seats only, once it is over for all.
    """
    person = await visitor(request)
    owner = person.id or address_of(request)
    return await queries.thoughts(registry_of(request), person, table_id, seat, seq, bot, owner=owner)


@get("/api/tables/{table_id:str}/review", summary="How the review of a finished game stands")
async def get_review(request: AnyRequest, table_id: FromPath[str]) -> WireReview:
    """The review itself once it is done."""
    reviews: Reviews = request.app.state.reviews
    return reviews.look(await queries.finished_log(registry_of(request), table_id))


@post("/api/tables/{table_id:str}/review", summary="Have a finished game reviewed", status_code=202)
async def post_review(request: AnyRequest, table_id: FromPath[str]) -> WireReview:
    """Begins it, unless it was begun already; ask with GET how far it is."""
    reviews: Reviews = request.app.state.reviews
    person, address = await visitor(request), address_of(request)
    return reviews.start(await queries.finished_log(registry_of(request), table_id), person.id or address, address)


@get("/api/tables/{table_id:str}/log", summary="The log as a download")
async def get_log(request: AnyRequest, table_id: FromPath[str], seat: FromQuery[str | None] = None) -> Stream:
    """Whole once the game is over, before that as the viewpoint may know it."""
    lines = await queries.log_of(registry_of(request), await visitor(request), table_id, seat)
    name = f'attachment; filename="{table_id}.sandtable.jsonl"'
    return Stream(lines, media_type="application/jsonl", headers={"Content-Disposition": name})


@post("/api/account/register", summary="Make the guest that you are an account", status_code=200)
async def post_register(request: AnyRequest, data: JSONBody[Credentials]) -> Response[WirePerson]:
    """Your games stay yours."""
    person, fresh = await signed_in(request)
    people = registry_of(request).people
    account = await people.register(person, data.name, data.password)
    token = await people.new_session(account, fresh or request.cookies.get(COOKIE, ""))
    return with_session(request, WirePerson(account.name, guest=False), token)


@post("/api/account/login", summary="Log in", status_code=200)
async def post_login(request: AnyRequest, data: JSONBody[Credentials]) -> Response[WirePerson]:
    """The games that you began as a guest go with you."""
    registry = registry_of(request)
    guest = await visitor(request)
    account = await registry.login(None if guest is NOBODY else guest, data.name, data.password)
    token = await registry.people.new_session(account, request.cookies.get(COOKIE, ""))
    return with_session(request, WirePerson(account.name, guest=False), token)


@post("/api/account/logout", summary="Log out", status_code=200)
async def post_logout(request: AnyRequest) -> Response[WirePerson]:
    """You are a new guest then."""
    await registry_of(request).logout(request.cookies.get(COOKIE, ""))
    guest, token = await new_guest(request)
    return with_session(request, WirePerson(guest.name, guest=True), token)


HANDLERS = (
    *COMPANY,
    get_lobby,
    post_table,
    post_lesson,
    post_join,
    post_open,
    post_play_on,
    get_table,
    get_map,
    get_entries,
    get_moment,
    get_thoughts,
    get_review,
    post_review,
    get_log,
    post_register,
    post_login,
    post_logout,
)
