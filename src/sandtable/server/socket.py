"""The WebSocket of a table: reads messages, checks them, and lets the session layer answer.

Messages of one client are handled one after the other, so answers come in the order of the questions; only a hint,
which takes a bot's time to think, is answered when it is ready. What
takes long (previews, sight, walks through large trees) is worked out in threads, a few at a time for the
whole server.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec
from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath, FromQuery

from sandtable.core.decision import Seat
from sandtable.core.errors import BadInput, Fault, Refused
from sandtable.server import messages as wire
from sandtable.server.addresses import is_own_origin
from sandtable.server.connection import Closing, Connection
from sandtable.server.limits import Bucket
from sandtable.server.visitors import registry_of, visitor
from sandtable.session.files.books import Books
from sandtable.session.game.live_game import LiveGame
from sandtable.session.game.play import Choice, Stale, Standpoint
from sandtable.session.presenting.choice import judge, tell_node, tell_values, try_drawing, walk
from sandtable.session.presenting.foresight import foresee, why_not, why_not_picked
from sandtable.session.presenting.presenting import viewpoint_of
from sandtable.session.registry import NotFound
from sandtable.session.store import Damaged

__all__ = ["table_socket"]

T = TypeVar("T")
_Consulting = wire.Walk | wire.ListValues | wire.Judge | wire.Try | wire.Price | wire.WhyNot
"""Questions about options."""
AnySocket = WebSocket[Any, Any, Any]
_log = logging.getLogger(__name__)
_decoder: msgspec.json.Decoder[wire.ClientMessage] = msgspec.json.Decoder(wire.ClientMessage)
_RATE, _BURST = 20.0, 80.0
_TRIES = 10.0
"""Drawings of one client that are judged in a second."""
_STRIKES = 40
"""Messages over the rate before a client is cut off."""


class _Id(msgspec.Struct):
    id: wire.Number | None = None


@websocket("/api/tables/{table_id:str}/socket")
async def table_socket(socket: AnySocket, table_id: FromPath[str], seat: FromQuery[str | None] = None) -> None:
    """Play or watch at a table."""
    await socket.accept()
    try:
        connection, books = await _enter(socket, table_id, seat)
    except Closing as closing:
        await socket.close(closing.code, closing.reason)
        return
    sending = asyncio.create_task(_send_all(socket, connection))
    try:
        await connection.come()
        await _Answering(socket, connection, books).serve()
    except Closing as closing:
        connection.cut(closing)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(sending), 5)
    except WebSocketDisconnect:
        pass
    finally:
        connection.table.leave(connection)
        sending.cancel()
        with contextlib.suppress(asyncio.CancelledError, Exception):
            await sending


async def _enter(socket: AnySocket, table_id: str, seat: str | None) -> tuple[Connection, Books]:
    """Check who comes and from where; raise :class:`Closing` if he may not."""
    origins: tuple[str, ...] = socket.app.state.origins
    if not is_own_origin(socket.headers.get("origin"), socket.headers.get("host"), origins):
        raise Closing(4403, "connections from that page are not answered")
    person = await visitor(socket)
    try:
        table, books = await registry_of(socket).table(table_id)
    except NotFound as error:
        raise Closing(4404, str(error)) from None
    except (BadInput, Damaged) as bad:
        _log.warning("table %s cannot be read: %s", table_id, bad)
        raise Closing(4500, "the table cannot be read") from None
    held = table.seating.held_by(person.id)
    if seat is None:
        asked = [one for one in held if one in table.play.questions]
        seat = (asked or [*held, ""])[0]
    elif seat and seat not in held:
        raise Closing(4403, f"the seat {seat[:40]} is not yours")
    return Connection(table, person, seat), books


async def _send_all(socket: AnySocket, connection: Connection) -> None:
    """Send what waits until the connection ends."""
    try:
        while True:
            await socket.send_text(await connection.next())
    except Closing as closing:
        with contextlib.suppress(Exception):  # it may be gone already
            await socket.close(closing.code, closing.reason)


class _Answering:
    """Answers one client."""

    def __init__(self, socket: AnySocket, connection: Connection, books: Books) -> None:
        self._socket = socket
        self._connection = connection
        self._table: LiveGame = connection.table
        self._books = books
        scale: float = socket.app.state.limits
        self._bucket = Bucket(_RATE * scale, _BURST * scale)
        self._tries = Bucket(_TRIES * scale, _TRIES * scale)
        self._strikes = 0
        self._pondering: asyncio.Task[None] | None = None

    async def serve(self) -> None:
        """Handle messages until the client goes away."""
        while True:
            text = await self._socket.receive_text()
            if not self._bucket.take():
                await self._slow_down()
                continue
            if len(text) > wire.MAX_MESSAGE or len(text.encode(errors="replace")) > wire.MAX_MESSAGE:
                self._reject(None, "message", "too large", f"at most {wire.MAX_MESSAGE} bytes")
                raise Closing(1009, "message too large")
            try:
                message = _decoder.decode(text)
            except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
                self._reject(_id_of(text), "message", str(error)[:300], "a message of the protocol")
                continue
            if isinstance(message, wire.Hint):
                self._ponder(message)
            else:
                await self._handle(message)

    def _ponder(self, message: wire.Hint) -> None:
        """Let a bot think about a hint while the client goes on; one hint at a time."""
        if self._pondering is not None and not self._pondering.done():
            self._connection.send(wire.Refused(message.id, "", "the computer still thinks about your last one", ""))
            return
        self._pondering = asyncio.create_task(self._handle(message))

    async def _slow_down(self) -> None:
        self._strikes += 1
        if self._strikes > _STRIKES:
            raise Closing(4429, "too many messages")
        self._reject(None, "message", "too many messages: this one was not read", "fewer a second")
        await asyncio.sleep(0.05)

    def _reject(self, re: int | None, where: str, wrong: str, right: str = "") -> None:
        self._connection.send(wire.Rejected(re, (Fault(where, wrong, right),)))

    async def _handle(self, message: wire.ClientMessage) -> None:
        re = message.id
        send = self._connection.send
        try:
            answer = await self._answer(message)
        except Refused as refused:
            refusal = refused.refusal
            answer = wire.Refused(re, refusal.rule, refusal.reason, refusal.remedy, refusal.slots)
        except Stale as stale:
            answer = wire.Stale(re, stale.v)
        except BadInput as bad:
            answer = wire.Rejected(re, bad.faults[:20])
        except Closing:
            raise
        except Exception:  # noqa: BLE001 - one bad question must not end the connection, and says nothing of the inside
            _log.exception("table %s: %s failed", self._table.record.id, type(message).__name__)
            answer = wire.Rejected(re, (Fault("server", "a fault in Sandtable itself; nothing changed"),))
        if answer is not None:
            send(answer)

    async def _answer(self, message: wire.ClientMessage) -> wire.ServerMessage | None:
        table, me, seat, re = self._table, self._connection.person, self._connection.viewpoint, message.id
        match message:
            case wire.Act():
                return wire.Done(re, await table.act(me, seat, message.v, _choice(message)))
            case wire.TurnTo():
                return wire.Done(re, await table.turn_to(me, seat, message.step))
            case wire.Undo() | wire.ConsentUndo() | wire.Resign() | wire.Say() | wire.HandOver():
                return wire.Done(re, await self._do(message))
            case wire.Sit():
                await self._sit(message.seat)
                return None
            case wire.Hint():
                v = table.play.version(seat)
                return wire.Hinted(re, v, await table.hint(me, seat, message.v, message.bot))
            case wire.Resync():
                await self._connection.resync()
                return None
            case wire.Try() if not self._tries.take():
                raise BadInput([Fault("Try", "too many drawings: this one was not judged", f"{_TRIES:.0f} a second")])
            case wire.Walk() | wire.ListValues() | wire.Judge() | wire.Try() | wire.Price() | wire.WhyNot():
                table.play.check_fresh(seat, message.v)
                standpoint = table.play.standpoint(seat)
                return await self._think(lambda: _consult(standpoint, message))
            case wire.Sight() | wire.Field() | wire.Threaten() | wire.Outline():
                return await self._look(message)

    async def _look(self, message: wire.Sight | wire.Field | wire.Threaten | wire.Outline) -> wire.ServerMessage:
        """What the tools beside the map tell."""
        tools, seat, re = self._books.tools, self._connection.viewpoint, message.id
        known = self._table.play.known(seat)
        match message:
            case wire.Sight():
                self._check_sight()
                return wire.Sighted(re, await self._think(lambda: tools.sight(known, message.a, message.b)))
            case wire.Field():
                self._check_sight()
                return await self._think(lambda: self._field(message))
            case wire.Threaten():
                can_tell, found = await self._think(lambda: tools.threats(known, Seat(seat), message.hex))
                return wire.Threats(re, message.hex, can_tell, found)
            case wire.Outline():
                viewpoint = viewpoint_of(seat)
                zones = await self._think(lambda: tools.outlines(known, viewpoint, message.unit, message.what))
                return wire.Outlined(re, message.unit, message.what, zones)

    async def _do(self, message: wire.Undo | wire.ConsentUndo | wire.Resign | wire.Say | wire.HandOver) -> int:
        """What somebody does beside acting; the version then."""
        table, me, seat = self._table, self._connection.person, self._connection.viewpoint
        match message:
            case wire.Undo():
                return await table.undo(me, seat, message.v)
            case wire.ConsentUndo():
                return await table.answer_undo(me, seat, message.v, agree=message.agree)
            case wire.Resign():
                await table.resign(me, seat)
            case wire.Say():
                await table.say(me, seat, self._connection.name, message.text)
            case wire.HandOver():
                await table.hand_over(me, message.seat or seat, message.bot)
        return table.play.version(seat)

    def _check_sight(self) -> None:
        """Refuse to look along a line where the rules forbid it while the game is on."""
        refusal = self._books.tools.refusal()
        if refusal is not None and not self._table.is_over:
            raise Refused(refusal)

    async def _think(self, work: Callable[[], T]) -> T:
        async with registry_of(self._socket).thinking:
            return await asyncio.to_thread(work)

    async def _sit(self, seat: str) -> None:
        if seat and not self._table.seating.holds(self._connection.person, seat):
            raise BadInput([Fault("seat", f"{seat[:40]} is not yours")])
        await self._connection.sit(seat)

    def _field(self, message: wire.Field) -> wire.FieldSeen:
        play, seat = self._table.play, self._connection.viewpoint
        hex = message.hex
        if message.unit:
            counters = play.scene(play.v - 1, seat).counters
            hex = next((one.hex for one in counters if one.id == message.unit), "")
        if not hex:
            raise BadInput([Fault("field", "no place, and no counter on the map", "hex or unit")])
        known, tools = play.known(seat), self._books.tools
        return wire.FieldSeen(message.id, hex, tools.field(known, hex), tools.field_outlines(known, hex))


def _consult(here: Standpoint, message: _Consulting) -> wire.ServerMessage:
    """Answer a question about options, as they were when it was asked."""
    match message:
        case wire.Walk():
            node = walk(here.options(), message.keys)
            return wire.Walked(message.id, here.v, tell_node(node, message.keys))
        case wire.ListValues():
            found = tell_values(here.options(), message.keys, message.slots)
            return wire.ValuesListed(message.id, here.v, found)
        case wire.Judge():
            return wire.Judged(message.id, here.v, judge(here.options(), message.keys, message.values))
        case wire.Try():
            tried = try_drawing(here.options(), message.keys, message.strokes)
            return wire.Tried(message.id, here.v, tried.marks, tried.upto, tried.refusal)
        case wire.Price():
            choice = here.settled(_choice(message))
            action = here.find(choice)
            here.check(action)
            preview = foresee(here.ruleset, here.known, here.seat, action, estimate=message.estimate)
            return wire.Priced(message.id, here.v, preview, choice.keys, choice.to)
        case wire.WhyNot():
            options = here.options()
            if message.ref:
                about = (here.ruleset, here.known, here.seat, message.keys, message.ref)
                why = why_not_picked(*about, is_hex=message.is_hex)
            else:
                why = why_not(options, here.find(_choice(message)))
            return wire.WireWhy(message.id, here.v, why)


def _choice(message: wire.Act | wire.Price | wire.WhyNot) -> Choice:
    return Choice(message.keys, message.to, message.action)


def _id_of(text: str) -> int | None:
    """The number of a message that is otherwise no good."""
    try:
        return msgspec.json.decode(text, type=_Id).id
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
