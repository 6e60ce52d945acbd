"""The registry: all tables, who may come to which, and the lobby.

Tables are read from the store when somebody asks for them and put away when nobody has for a while; games
in which a bot is to move are taken up when the registry opens.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import time
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from sandtable.bots import make_bot
from sandtable.core.codec import decode, encode
from sandtable.core.content.pack import Pack
from sandtable.core.errors import BadInput, Faults, Refusal, Refused
from sandtable.core.game import Game
from sandtable.core.log import dump_header, dump_line, load, read_header
from sandtable.core.replay import resume
from sandtable.session.files.books import Books, Bookshelf
from sandtable.session.files.exhibit import Exhibit, load_exhibit, the_files_fault
from sandtable.session.files.soundness import inspect
from sandtable.session.files.taking_up import check_may_take_up, game_from
from sandtable.session.files.workshop import Workshop
from sandtable.session.game.clock import Clocks, Uptime, check_clock
from sandtable.session.game.dice import SystemDice
from sandtable.session.game.live_game import LiveGame
from sandtable.session.game.notices import SignedOut
from sandtable.session.game.play import Play
from sandtable.session.game.seating import Seating
from sandtable.session.people.person import People, new_id
from sandtable.session.people.shares import Turns
from sandtable.session.presenting.presenting import asked_seats, present_outcome
from sandtable.session.presenting.shelf import NewTable, OpenFile, PlayOn, TableMade
from sandtable.session.presenting.wire import ChatLine, WireOutcome
from sandtable.session.store import Damaged, GameProgress, Invite, Keeper, Person, SeatRecord, Store, TableRecord
from sandtable.session.store.names import clean_text
from sandtable.session.thinking.robots import Robots

__all__ = ["NotFound", "Registry"]

T = TypeVar("T")

_log = logging.getLogger(__name__)
_MOST_UNFINISHED = 300
"""Unfinished games of one person."""
_MOST_OF_BOTS = 50
"""Unfinished games of one person that only bots play: they think all the time."""
_MOST_EXHIBITS = 50
"""Opened files of one person; the oldest make room."""
_MOST_SHOWN, _SHOWN = 8, 120.0
"""Opened files in memory, of all people, and seconds for which one stays there that nobody looks at."""
_KEPT_CHAT = 100
_MOST_IDLE = 200
"""Games in memory at which nobody sits and nothing happens; the others are read again when somebody comes."""
_MOST_PONDERING = 16
"""Tables whose rules are worked out at once; the next waits."""
_ROUND, _ROUNDS = 20.0, 180
"""Seconds between two rounds of tidying up, and rounds between two looks at sessions and guests."""


class NotFound(Exception):
    """There is no such table or invitation."""


class Registry:
    """Every table of a server."""

    def __init__(
        self,
        store: Store,
        packs: Sequence[Pack] = (),
        *,
        pace: float = 0.0,
        idle: float = 900.0,
        workers: int = 0,
        robots: Robots | None = None,
    ) -> None:
        self.keeper = Keeper(store)
        self.people = People(self.keeper, reserved=self._reserved)
        self.robots = robots or Robots(workers, packs)
        self.books = Bookshelf(packs)
        self.workshop = Workshop(min(2, workers), packs)
        self._exhibiting = ThreadPoolExecutor(1, thread_name_prefix="exhibit")
        """Apart from the threads that tables use: what people bring may take a while to set up."""
        self._pondering = ThreadPoolExecutor(_MOST_PONDERING, thread_name_prefix="rules")
        self.pace = pace
        self.thinking = asyncio.Semaphore(4)
        """How many previews and the like are worked out at once."""
        self.turns = Turns()
        """Of those who want much to be shown."""
        self._packs = tuple(packs)
        self._idle = idle
        self._tables: dict[str, tuple[LiveGame | Exhibit, Books]] = {}
        self._loading: dict[str, asyncio.Lock] = {}
        self._sweeper: asyncio.Task[None] | None = None
        self._inspection: asyncio.Task[list[str]] | None = None
        self._uptime = Uptime()

    # --- opening and closing ---

    async def open(self) -> None:
        """Take up the games that wait for a bot, and begin to tidy up."""
        try:
            self._uptime = Uptime(await self.keeper.run(lambda store: store.uptime()))
        except Damaged as error:
            # What was noted of a time that has not come yet counts from now: nobody loses time by it.
            _log.error("clocks count from now: %s", error)
        try:
            waiting = await self.keeper.run(lambda store: store.unfinished_with_bots())
        except Damaged as error:
            _log.error("games that wait for a bot are not taken up: %s", error)
            waiting = []
        for table_id in waiting:
            try:
                await self.table(table_id)
            except (BadInput, NotFound, Damaged) as error:
                _log.warning("table %s cannot be taken up: %s", table_id, error)
        self._inspection = asyncio.create_task(inspect(self.keeper))
        self._sweeper = asyncio.create_task(self._sweep())

    async def close(self) -> None:
        """Close all tables; everything that was acknowledged is in the store already."""
        for task in (self._sweeper, self._inspection):
            if task is not None:
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await task
        for table, _ in list(self._tables.values()):
            if isinstance(table, LiveGame):
                async with table.lock:
                    table.close()
        await self.robots.close()
        await self.workshop.close()
        self._exhibiting.shutdown(wait=False, cancel_futures=True)
        self._pondering.shutdown(wait=False, cancel_futures=True)
        await self._note_uptime()
        await asyncio.to_thread(self.keeper.close)

    def now(self) -> float:
        """Seconds that servers of this database have run."""
        return self._uptime.now()

    async def ponder(self, work: Callable[[], T]) -> T:
        """Have rules worked out in a thread, so that no other table waits for it."""
        return await asyncio.get_running_loop().run_in_executor(self._pondering, work)

    async def _note_uptime(self) -> None:
        seconds = self.now()
        try:
            await self.keeper.run(lambda store: store.keep_uptime(seconds))
        except Damaged as error:
            _log.error("for how long the server has run cannot be noted: %s", error)

    def _reserved(self) -> list[str]:
        """Names that are nobody's: those of the systems, whole, up to a comma, and their first word."""
        return [
            name
            for row in self.books.systems
            for name in (row.id, row.title, row.title.partition(",")[0], row.title.partition(" ")[0])
        ]

    def drop(self, table: LiveGame) -> None:
        """Forget a table."""
        held = self._tables.get(table.record.id)
        if held is not None and held[0] is table:
            del self._tables[table.record.id]

    async def put_away(self, table_id: str) -> None:
        """Forget a table that was removed; whoever is there hears that it closes."""
        held = self._tables.pop(table_id, None)
        if held is not None and isinstance(held[0], LiveGame):
            async with held[0].lock:
                held[0].close()

    async def _sweep(self) -> None:
        rounds = 0
        while True:
            if rounds % _ROUNDS == 0:
                await self._tidy_people()
            rounds += 1
            await asyncio.sleep(min(_ROUND, self._idle))
            self.tidy(time.monotonic() - self._idle)
            await self._note_uptime()

    async def _tidy_people(self) -> None:
        """End what sessions nobody uses, with their connections, and forget guests."""
        try:
            gone = await self.people.tidy()
        except Damaged as error:
            _log.error("sessions and guests are not tidied up: %s", error)
            return
        for person in gone:
            self.sign_out(person)

    def tidy(self, before: float) -> None:
        """Put away what nobody has touched since ``before``, and whatever is over or too much."""
        idle: list[LiveGame] = []
        self._put_away_exhibits(_MOST_SHOWN, time.monotonic() - _SHOWN)
        for table, _ in list(self._tables.values()):
            if isinstance(table, Exhibit):
                continue
            if table.is_idle and not table.lock.locked():
                idle.append(table)
        idle.sort(key=lambda table: table.touched)
        spare = len(idle) - _MOST_IDLE
        for number, table in enumerate(idle):
            if table.is_over or table.touched < before or number < spare:
                table.close()

    def _put_away_exhibits(self, most: int, before: float = 0.0) -> None:
        """Keep so many exhibits, those that somebody looked at last, and none that nobody has since ``before``."""
        found = [(table.touched, key) for key, (table, _) in self._tables.items() if isinstance(table, Exhibit)]
        for place, (touched, key) in enumerate(sorted(found, reverse=True)):
            if place >= most or touched < before:
                del self._tables[key]

    async def _apart(self, work: Callable[..., T], *given: Any) -> T:
        """Have work on what people brought done apart from the threads that tables use."""
        return await asyncio.get_running_loop().run_in_executor(self._exhibiting, work, *given)

    def sign_out(self, person: str) -> None:
        """End whatever connections somebody has."""
        for table, _ in list(self._tables.values()):
            if isinstance(table, LiveGame):
                table.notify(SignedOut(person))

    async def logout(self, token: str) -> None:
        """End all sessions of the one whose session it is, here and elsewhere, with their connections."""
        person = await self.people.logout(token)
        if person is not None:
            self.sign_out(person.id)

    # --- finding ---

    async def look(self, table_id: str) -> tuple[LiveGame | Exhibit, Books]:
        """A table or an exhibit; raise :class:`NotFound` if there is none."""
        held = self._tables.get(table_id)
        if held is not None:
            if isinstance(held[0], Exhibit):
                held[0].touched = time.monotonic()
            return held
        lock = self._loading.setdefault(table_id, asyncio.Lock())
        try:
            async with lock:
                if table_id not in self._tables:
                    self._tables[table_id] = await self._load(table_id)
                    table = self._tables[table_id][0]
                    if isinstance(table, LiveGame):
                        await table.wake()
                return self._tables[table_id]
        finally:
            self._loading.pop(table_id, None)

    @property
    def in_memory(self) -> int:
        """How many tables there are that need not be read first."""
        return len(self._tables)

    def seat_learner(self, person: str, table: LiveGame, books: Books) -> None:
        """Have a table that is in no store, in place of the last one that ``person`` learned at."""
        for before, _ in list(self._tables.values()):
            if isinstance(before, LiveGame) and not before.is_kept and before.record.owner == person:
                before.close()
        self._tables[table.record.id] = table, books

    @property
    def packs(self) -> tuple[Pack, ...]:
        """Packs besides the shipped ones."""
        return self._packs

    def live(self, table_id: str) -> LiveGame | None:
        """A game that is in memory."""
        held = self._tables.get(table_id)
        return held[0] if held is not None and isinstance(held[0], LiveGame) else None

    async def table(self, table_id: str) -> tuple[LiveGame, Books]:
        """A game; raise :class:`NotFound` if there is none."""
        found, books = await self.look(table_id)
        if not isinstance(found, LiveGame):
            raise NotFound(f"{table_id} is no game that is played here")
        return found, books

    async def _load(self, table_id: str) -> tuple[LiveGame | Exhibit, Books]:
        record, seats, lines, chat = await self.keeper.run(
            lambda store: (
                store.table(table_id),
                store.seats(table_id),
                store.lines(table_id),
                store.chat(table_id, _KEPT_CHAT),
            )
        )
        if record is None:
            raise NotFound(f"no table {table_id}")
        books = None
        if record.kind != "situation":
            books = await self.books.of_header(read_header(record.header, table_id), table_id)
        if record.kind != "game" or books is None:
            async with self.turns.of(record.owner):
                exhibit = await self._apart(load_exhibit, record, lines, books, self._packs)
            self._put_away_exhibits(_MOST_SHOWN - 1)
            return exhibit, exhibit.books
        play = await asyncio.to_thread(_resumed, record.header, lines, books, table_id)
        names = await self.keeper.run(lambda store: store.names([one.person for one in seats if one.person]))
        table = LiveGame(record, play, Seating(books.sides, seats, names), self)
        options = decode(record.options, dict[str, str])
        table.auto = options.get("auto") != "off"
        table.help = options.get("help") == "on"
        table.chat = [ChatLine(one.n, one.name, one.seat, one.text, one.at) for one in chat]
        progress = record.progress
        table.clocks = decode(progress.clocks, Clocks).taken_up(self.now()) if progress.clocks else None
        table.result = decode(progress.result, WireOutcome) if progress.result else None
        if table.is_over:
            table.open_books()
        return table, books

    # --- making ---

    async def create(self, person: Person, wanted: NewTable) -> TableMade:
        """Set a game up; raise :class:`BadInput` with all that is wrong with the wish."""
        books, _ = await self.books.open_scenario(wanted.scenario, {})
        known = self.books.switches(wanted.scenario)
        _check_wish(wanted, books.ruleset.seats, known)
        switches = {name: value for name, value in wanted.options.items() if name in known}
        seats = {seat: wanted.seats.get(seat, "invite") for seat in books.ruleset.seats}
        told: dict[str, str] = {seat: who if who.startswith("bot:") else "human" for seat, who in seats.items()}
        books, header = await self.books.open_scenario(wanted.scenario, told, switches)
        game = await asyncio.to_thread(Game.start, books.ruleset, header, SystemDice())
        return await self._keep_game(person, wanted, game)

    async def go_on(self, person: Person, file: OpenFile) -> TableMade:
        """Play on a game that was brought as its log."""
        name = _name(file)
        opened = await self.workshop.open_log(file.text, name, person.id)
        header = read_header(opened.header, name)
        books = await self.books.of_header(header, name)
        wanted = NewTable(opened.scenario, file.seats)
        _check_wish(wanted, books.ruleset.seats)
        with the_files_fault(name):
            game = (await self._apart(_resumed, opened.header, opened.lines, books, name)).game
        if game.outcome is not None:
            raise Refused(Refusal("", "this game is over", "open it without seats to look at it"))
        return await self._keep_game(person, wanted, game)

    async def play_on(self, person: Person, table_id: str, wish: PlayOn) -> TableMade:
        """Make a new game of a moment of a game that is over, of one's own, or of an opened file."""
        found, books = await self.look(table_id)
        check_may_take_up(found, person.id)
        wanted = NewTable(found.record.scenario, wish.seats, wish.clock, wish.options)
        _check_wish(wanted, books.ruleset.seats)
        seats = {seat: wish.seats.get(seat, "invite") for seat in books.ruleset.seats}
        told: dict[str, str] = {seat: who if who.startswith("bot:") else "human" for seat, who in seats.items()}
        if isinstance(found, LiveGame):
            game = await asyncio.to_thread(game_from, found, wish.at, told, self._packs)
        else:
            with the_files_fault(found.record.title):
                game = await self._apart(game_from, found, wish.at, told, self._packs)
        return await self._keep_game(person, wanted, game)

    async def _keep_game(self, person: Person, wanted: NewTable, game: Game[Any, Any, Any]) -> TableMade:
        """Give a game a table, with the seats that were wished for."""
        mine = await self.keeper.run(lambda store: store.tables_of(person.id))
        running = [seats for one, seats in mine if one.kind == "game" and not one.progress.result]
        if len(running) >= _MOST_UNFINISHED:
            raise Refused(Refusal("", f"you have {_MOST_UNFINISHED} unfinished games", "finish or resign some"))
        of_bots = sum(all(seat.kind == "bot" for seat in seats) for seats in running)
        if of_bots >= _MOST_OF_BOTS and all(
            wanted.seats.get(seat, "").startswith("bot:") for seat in game.ruleset.seats
        ):
            raise Refused(Refusal("", f"you have {of_bots} games that only bots play", "wait until some have ended"))
        header, table_id, now = game.header, new_id(), time.time()
        clocks = None if wanted.clock is None else Clocks.start(wanted.clock, game.ruleset.seats)
        record = TableRecord(
            id=table_id,
            kind="game",
            system=header.system,
            scenario=wanted.scenario,
            title=str(header.scenario.get("title") or wanted.scenario),
            owner=person.id,
            header=dump_header(header).rstrip("\n"),
            options=encode(wanted.options).decode(),
            clock="" if wanted.clock is None else encode(wanted.clock).decode(),
            created=now,
            progress=_first_progress(game, clocks, now),
        )
        seated = [_seat(table_id, seat, wanted.seats.get(seat, "invite"), person) for seat in game.ruleset.seats]
        invites = [
            Invite(secrets.token_urlsafe(18), table_id, one.seat, is_public=wanted.seats.get(one.seat) == "open")
            for one in seated
            if one.kind == "open"
        ]
        lines = [dump_line(line).rstrip("\n") for line in game.lines]
        await self.keeper.run(lambda store: store.create_table(record, seated, invites, lines))
        await self.table(table_id)
        return TableMade(table_id, {one.seat: one.token for one in invites})

    async def join(self, person: Person, token: str) -> TableMade:
        """Take the seat of an invitation."""
        invite = await self.keeper.run(lambda store: store.invite(token))
        if invite is None:
            raise NotFound("this invitation is not, or no longer, good")
        table, _ = await self.table(invite.table)
        if table.seating.held_by(person.id):
            remedy = "send the link to somebody else"
            raise Refused(Refusal("", "you already sit at this table", remedy))
        taken = await self.keeper.run(lambda store: store.take_invite(token, person.id))
        if taken is None:
            raise NotFound("this invitation is not, or no longer, good")
        await table.seated()
        return TableMade(taken.table)

    async def login(self, guest: Person | None, name: str, password: str) -> Person:
        """Log in; the seats that somebody had as a guest are the account's from now on, at every table."""
        account = await self.people.login(guest, name, password)
        if guest is not None and guest.is_guest:
            for table, _ in list(self._tables.values()):
                if isinstance(table, LiveGame) and table.seating.held_by(guest.id):
                    await table.seated()
        return account

    async def open_file(self, person: Person, file: OpenFile) -> TableMade:
        """Make an exhibit of a log or a situation; with seats, play the log on."""
        if file.seats:
            return await self.go_on(person, file)
        opened = await self.workshop.open(file.text, _name(file), person.id)
        table_id, now = new_id(), time.time()
        record = TableRecord(
            id=table_id,
            kind="replay" if opened.lines else "situation",
            system=opened.system,
            scenario=opened.scenario,
            title=opened.title,
            owner=person.id,
            header=opened.header,
            options="{}",
            clock="",
            created=now,
            progress=GameProgress(updated=now),
        )

        def keep(store: Store) -> None:
            store.forget_exhibits(person.id, _MOST_EXHIBITS - 1)
            store.create_table(record, [], [], opened.lines)

        await self.keeper.run(keep)
        return TableMade(table_id, warnings=opened.warnings)


def _check_wish(wanted: NewTable, seats: Sequence[str], switches: Collection[str] = ()) -> None:
    faults = Faults()
    for seat, who in wanted.seats.items():
        if seat not in seats:
            faults.add(f"seats.{seat}", "no such seat", f"one of {', '.join(seats)}")
        kind, _, bot = who.partition(":")
        if kind == "bot":
            with faults.gathering():
                make_bot(bot, where=f"seats.{seat}")
        elif who not in ("me", "invite", "open", "hotseat"):
            faults.add(f"seats.{seat}", repr(who), "me, invite, open, hotseat or bot:NAME")
    for option, value in wanted.options.items():
        names = ("auto", "help", *switches)
        if option not in names or value not in ("on", "off"):
            faults.add(f"options.{option}", repr(value), f"one of {', '.join(names)}: on or off")
    if wanted.clock is not None and (wrong := check_clock(wanted.clock)):
        faults.add("clock", wrong)
    faults.check()


def _seat(table_id: str, seat: str, who: str, person: Person) -> SeatRecord:
    if who.startswith("bot:"):
        return SeatRecord(table_id, seat, "bot", bot=who.removeprefix("bot:"))
    if who in ("invite", "open"):
        return SeatRecord(table_id, seat, "open")
    return SeatRecord(table_id, seat, "person", person.id)


def _first_progress(game: Game[Any, Any, Any], clocks: Clocks | None, now: float) -> GameProgress:
    outcome = present_outcome(game.outcome)
    return GameProgress(
        asked=",".join(asked_seats(game.decision)),
        result="" if outcome is None else encode(outcome).decode(),
        clocks="" if clocks is None else encode(clocks).decode(),
        updated=now,
    )


def _name(file: OpenFile) -> str:
    return clean_text(file.name, 100) or "file"


def _resumed(header: str, lines: Sequence[str], books: Books, where: str) -> Play:
    log = load("\n".join((header, *lines, "")), books.ruleset, where)
    return Play(resume(books.ruleset, log, SystemDice()))
