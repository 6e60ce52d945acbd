"""A table: the one authority over a game, with its seats, clocks and listeners.

Everything that changes a game goes through here, one thing at a time (a lock), and each line is in the
store before anybody hears of it. If the store fails, the table closes and is read again from its log: what
is in memory never runs ahead of what is kept.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Iterable
from typing import Any, Protocol, TypeVar

from sandtable.bots import make_bot
from sandtable.core.codec import encode
from sandtable.core.decision import Seat
from sandtable.core.errors import Refusal, Refused
from sandtable.core.log import Entry, TakeBack, dump_line
from sandtable.session.game.clock import Clocks
from sandtable.session.game.driver import Driver
from sandtable.session.game.notices import (
    BooksOpened,
    ChatHeard,
    ClocksTurned,
    LineAdded,
    Listener,
    Notice,
    PresenceTurned,
    TableClosed,
    UndoTurned,
)
from sandtable.session.game.play import Choice, Play, Stale
from sandtable.session.game.seating import Seating
from sandtable.session.game.takeback import Request, agreed_by, reaches_back_to, tell_undo
from sandtable.session.presenting.advice import Advice
from sandtable.session.presenting.presenting import asked_seats, present_outcome
from sandtable.session.presenting.wire import ChatLine, WireClock, WireLesson, WireOutcome, WireUndo
from sandtable.session.store import ChatRecord, GameProgress, Keeper, Store, TableRecord, Thought
from sandtable.session.store.names import clean_text
from sandtable.session.thinking.brain import Mind
from sandtable.session.thinking.robots import Robots, Standing, new_seed

__all__ = ["LiveGame", "Services"]

T = TypeVar("T")
_KEPT_CHAT = 100
_LONGEST_CHAT = 500
_LONGEST_ALARM = 3600.0


class Services(Protocol):
    """What a table needs of the registry that it stands in."""

    keeper: Keeper
    robots: Robots
    pace: float
    """Seconds between two actions of a bot, so that people can follow."""

    def now(self) -> float:
        """Seconds that the server has run, by which clocks run."""
        ...

    async def ponder(self, work: Callable[[], T]) -> T:
        """Have rules worked out in a thread, so that no other table waits for it."""
        ...

    def drop(self, table: LiveGame) -> None:
        """Forget a table: the next who asks for it has it read anew."""
        ...


class LiveGame:
    """A game in play."""

    is_kept = True
    """Whether the store has it, so that it can be read again."""

    def __init__(self, record: TableRecord, play: Play, seating: Seating, registry: Services) -> None:
        self.record = record
        self.play = play
        self.seating = seating
        self.clocks: Clocks | None = None
        self.result: WireOutcome | None = None
        self.chat: list[ChatLine] = []
        self.request: Request | None = None
        self.auto = True
        """Whether an answer that is the only one is played without asking."""
        self.help = False
        """Whether people may ask bots for help against one another."""
        self.touched = time.monotonic()
        self._updated = record.progress.updated
        """When something was done last that everybody was told of."""
        self.lock = asyncio.Lock()
        self.registry = registry
        self._tasks: set[asyncio.Task[Any]] = set()
        self._driver = Driver(self)
        self._alarm: asyncio.TimerHandle | None = None
        self._closed = False

    # --- who listens ---

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by its rules or otherwise."""
        return self.result is not None

    @property
    def is_idle(self) -> bool:
        """Whether nobody is here and nothing is going on."""
        return not self.seating.listeners and not self._tasks and not self._driver.is_busy

    def join(self, listener: Listener) -> None:
        """Somebody comes to the table; call it with the lock held, then tell him how things stand."""
        self.seating.listeners.add(listener)
        self.touched = time.monotonic()
        self.notify(PresenceTurned(), but=listener)

    def leave(self, listener: Listener) -> None:
        """Somebody goes away."""
        self.seating.listeners.discard(listener)
        self.touched = time.monotonic()
        self.notify(PresenceTurned())

    def notify(self, notice: Notice, but: Listener | None = None) -> None:
        """Tell all listeners."""
        for listener in list(self.seating.listeners):
            if listener is not but:
                listener.hear(notice)

    def clocks_told(self, viewpoint: str = "") -> tuple[WireClock, ...]:
        """The clocks as they stand; of others as they have run since the last line that all were told of."""
        if self.clocks is None:
            return ()
        now = self.registry.now()
        others = self.clocks.shown.told(now)
        own = {one.seat: one for one in self.clocks.told(now)}
        return tuple(own[one.seat] if self.is_over or one.seat == viewpoint else one for one in others)

    def undo_told(self, seat: str) -> WireUndo:
        """Whether ``seat`` can take back."""
        return tell_undo(self.play, self.request, seat, over=self.is_over)

    def lesson_told(self) -> WireLesson | None:
        """The step of the lesson that is given here; an ordinary game is none."""
        return None

    async def turn_to(self, person: str, seat: str, step: int) -> int:  # noqa: ARG002 - a lesson's table knows
        """Of a lesson: begin a step anew."""
        raise Refused(Refusal("", f"no lesson is given here, and so no step {step}"))

    # --- what people do ---

    async def act(self, person: str, seat: str, v: int, choice: Choice) -> int:
        """Do what ``choice`` names; the version in which it shows.

        Raises :class:`Refused`, :class:`Stale` or :class:`BadInput`, with nothing changed.
        """
        return await self._apart(self._act(person, seat, v, choice))

    async def _act(self, person: str, seat: str, v: int, choice: Choice) -> int:
        async with self.lock:
            self.seating.check_plays(person, seat)
            await self._check_running()
            self.play.check_fresh(seat, v)
            await self.resolve(Seat(seat), lambda: self.play.standpoint(seat).read(choice))
            done = self.play.version(seat)
        self.drive()
        return done

    async def undo(self, person: str, seat: str, v: int) -> int:
        """Take back, or ask the others to agree."""
        return await self._apart(self._undo(person, seat, v))

    async def _undo(self, person: str, seat: str, v: int) -> int:
        async with self.lock:
            self.seating.check_plays(person, seat)
            await self._check_running()
            if v != self.play.version(seat):
                raise Stale(self.play.version(seat))
            game = self.play.game
            if game.undo_refusal(Seat(seat)) is None:
                await self.commit(game.undo(Seat(seat)))
            else:
                target = await self.registry.ponder(lambda: reaches_back_to(self.play, seat))
                if isinstance(target, Refusal):
                    raise Refused(target)
                self.request = Request(seat, self.seating.others(seat))
                if self.request.waits_for:
                    self.notify(UndoTurned())
                else:
                    await self._take_back()
            done = self.play.version(seat)
        self.drive()
        return done

    async def answer_undo(self, person: str, seat: str, v: int, *, agree: bool) -> int:
        """Agree, or not, that somebody takes back."""
        return await self._apart(self._answer_undo(person, seat, v, agree))

    async def _answer_undo(self, person: str, seat: str, v: int, agree: bool) -> int:
        async with self.lock:
            self.seating.check_holds(person, seat)
            await self._check_running()
            if self.request is None or v != self.play.version(seat):
                raise Stale(self.play.version(seat))
            if not agree:
                self.request = None
                self.notify(UndoTurned())
            elif seat not in self.request.waits_for:
                raise Refused(Refusal("", "it is for the others to agree"))
            else:
                self.request = agreed_by(self.request, self.seating.held_by(person))
                if set(self.request.waits_for) <= set(self.request.agreed):
                    await self._take_back()
                else:
                    self.notify(UndoTurned())
            done = self.play.version(seat)
        self.drive()
        return done

    async def _take_back(self) -> None:
        """Go back to before the asker's last choice, line by line."""
        assert self.request is not None  # noqa: S101 - the callers made one
        by = Seat(self.request.by)
        others = tuple(seat for seat in self.play.ruleset.seats if seat != by)
        target = reaches_back_to(self.play, by)
        while isinstance(target, int):
            line = self.play.game.undo(by, others)
            await self.commit(line)
            if line.to < target:
                break

    async def resign(self, person: str, seat: str) -> None:
        """Give the game up."""
        await self._apart(self._resign(person, seat))

    async def _resign(self, person: str, seat: str) -> None:
        async with self.lock:
            self.seating.check_holds(person, seat)
            await self._check_running()
            await self._forfeit(seat, "resigns")

    async def say(self, person: str, seat: str, name: str, text: str) -> None:
        """Say something to everybody here."""
        if not person:
            raise Refused(Refusal("", "nobody knows who you are", "come in through the lobby first"))
        words = clean_text(text, _LONGEST_CHAT)
        if not words:
            raise Refused(Refusal("", "there is nothing to say"))
        # Somebody who looks on without his seat is still who he is.
        place = seat if self.seating.holds(person, seat) else next(iter(self.seating.held_by(person)), "")
        said = ChatRecord(0, name, place, words, time.time())
        await self._spread(said)

    async def announce(self, text: str) -> None:
        """Say something that nobody in particular says."""
        await self._spread(ChatRecord(0, "Table", "", text, time.time()))

    async def _spread(self, said: ChatRecord) -> None:
        kept = await self.registry.keeper.run(lambda store: store.say(self.record.id, said))
        line = ChatLine(kept.n, kept.name, kept.seat, kept.text, kept.at)
        self.chat = [*self.chat, line][-_KEPT_CHAT:]
        self.notify(ChatHeard(line))

    # --- help from the computer ---

    async def hint(self, person: str, seat: str, v: int, bot: str) -> Advice:
        """What a bot would do in his place, for all that he knows."""
        self.seating.check_plays(person, seat)
        make_bot(bot)
        self.check_help()
        self.play.check_fresh(seat, v)
        here = self.play.standpoint(seat)
        here.options()
        standing = Standing(self.play.ruleset, self.play.game.header, here.known)
        return await self.registry.robots.advise(standing, Mind(bot, seat, new_seed()), person, or_plain=True)

    async def hand_over(self, person: str, seat: str, bot: str) -> None:
        """Let a bot play his seat, or (``""``) take it back."""
        self.seating.check_holds(person, seat)
        if bot:
            make_bot(bot)
            self.check_help()
        await self.registry.keeper.run(lambda store: store.stand_in(self.record.id, seat, bot))
        await self.seated()

    @property
    def gives_help(self) -> bool:
        """Whether people may ask bots for help: against others only if whoever set the table up allows it."""
        people = {chair.person for chair in self.seating.seats.values() if chair.kind != "bot"}
        return not self.is_over and (self.help or len(people) <= 1)

    def check_help(self) -> None:
        """Raise :class:`Refused` if bots give no help in this game."""
        if self.is_over:
            raise Refused(Refusal("", "the game is over"))
        if not self.gives_help:
            remedy = "whoever sets up a game between people may allow it"
            raise Refused(Refusal("", "no help from the computer against another person", remedy))

    async def seated(self) -> None:
        """Somebody took a seat: read who sits where, and begin if all are there."""
        seats, names = await self.registry.keeper.run(
            lambda store: (
                (found := store.seats(self.record.id)),
                store.names([one.person for one in found if one.person]),
            )
        )
        async with self.lock:
            self.seating.rename(seats, names)
            await self._start_clocks()
            self.notify(PresenceTurned())
        self.drive()

    # --- the log first, then the news ---

    async def resolve(
        self, seat: Seat, answer: Callable[[], Any], thought: Callable[[int], Thought] | None = None
    ) -> None:
        """Work out in a thread what comes of an answer, then keep it; call it with the lock held.

        The game stays as it is until all of it is known: whoever goes away meanwhile leaves nothing half done.
        """
        resolved = await self.registry.ponder(lambda: self.play.game.resolve(seat, answer()))
        if self._closed:
            raise Stale(self.play.v)
        line = self.play.game.add(resolved)
        await self.commit(line, thought(line.seq) if thought is not None else None)

    async def commit(self, line: Entry[Any, Any] | TakeBack, thought: Thought | None = None) -> None:
        """Keep a line that the game has just added, with how a bot came to it, then tell everybody."""
        state = self.play.states[-1]
        asked = asked_seats(self.play.ruleset.decision(state))
        result = present_outcome(self.play.ruleset.outcome(state))
        clocks, now = self.clocks, self.registry.now()
        is_open = self._is_open(line.seq)
        if clocks is not None and self.seating.is_full:
            # What is done in secret earns no increment: the clock would count it for the others.
            mover = line.seat if isinstance(line, Entry) and (is_open or clocks.clock.per == "move") else ""
            after = clocks.stop(now) if result is not None else clocks.after(asked, mover, now)
            clocks = after if is_open else after.unseen(clocks)
        updated = time.time() if is_open else self._updated
        progress = _progress(asked, result, clocks, updated)
        text = dump_line(line).rstrip("\n")

        def write(store: Store) -> None:
            store.append(self.record.id, line.seq, text, progress)
            if thought is not None:
                store.keep_thought(self.record.id, thought)

        await self._keep(lambda: self.registry.keeper.run(write))
        self.clocks, self.result, self.request = clocks, result, None
        self._updated = updated
        self.play.advance()
        self.touched = time.monotonic()
        self._set_alarm()
        await self.prepare({listener.viewpoint for listener in self.seating.listeners})
        self.notify(LineAdded(self.play.v))
        if result is not None:
            self.open_books()

    async def prepare(self, viewpoints: Iterable[str]) -> None:
        """Have worked out, in a thread, what is told from these viewpoints; telling it takes no time then."""
        play, seats = self.play, [seat for seat in viewpoints if self.play.is_told(seat, self.play.v - 1)]
        if seats:
            await self.registry.ponder(lambda: play.prepare(seats, with_questions=not self.is_over))

    def _is_open(self, seq: int) -> bool:
        """Whether everybody is told of a line."""
        return all(self.play.is_told(seat, seq) for seat in (*self.play.ruleset.seats, ""))

    async def _keep(self, write: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Write; if that fails, nobody knows what was kept, so the table is read anew."""
        try:
            await write()
        except BaseException:
            self.close()
            raise

    async def _forfeit(self, seat: str, how: str) -> None:
        """End the game against ``seat``."""
        others = [other for other in self.play.ruleset.seats if other != seat]
        title = next((side.title for side in self.seating.sides if side.id == seat), seat)
        result = WireOutcome(others[0] if len(others) == 1 else "", f"{title} {how}", "", {})
        clocks = self.clocks.stop(self.registry.now()) if self.clocks is not None else None
        progress = _progress((), result, clocks, time.time())
        await self._keep(lambda: self.registry.keeper.run(lambda store: store.update(self.record.id, progress)))
        self.clocks, self.result, self.request = clocks, result, None
        self._set_alarm()
        self.notify(ClocksTurned())
        self.open_books()

    def open_books(self) -> None:
        """The game is over: everybody may know all of it, and counts all lines."""
        had_secrets = any(self.play.version(seat) < self.play.v for seat in (*self.play.ruleset.seats, ""))
        self.play.is_over = True
        if had_secrets:
            self.notify(BooksOpened())

    async def _check_running(self) -> None:
        """Raise :class:`Refused` if the game is over, or is over just now because time is up."""
        if self._closed:
            raise Stale(self.play.v)
        flagged = self.clocks.flagged(self.registry.now()) if self.clocks is not None and not self.is_over else ""
        if flagged:
            await self._forfeit(flagged, "ran out of time")
        if self.is_over:
            raise Refused(Refusal("", "the game is over"))

    # --- clocks ---

    async def _start_clocks(self) -> None:
        """Let the clocks run once all seats are taken."""
        if self.clocks is None or self.clocks.running or self.is_over or not self.seating.is_full:
            return
        asked = asked_seats(self.play.decision)
        self.clocks = self.clocks.after(asked, "", self.registry.now())
        self._updated = time.time()
        progress = _progress(asked, None, self.clocks, self._updated)
        await self._keep(lambda: self.registry.keeper.run(lambda store: store.update(self.record.id, progress)))
        self._set_alarm()
        self.notify(ClocksTurned())

    def _set_alarm(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        left = self.clocks.next_flag(self.registry.now()) if self.clocks is not None and not self.is_over else None
        if left is not None:
            # A little late rather than early: the flag must have fallen when we look.
            wait = min(max(left, 0.0) + 0.01, _LONGEST_ALARM)
            self._alarm = asyncio.get_running_loop().call_later(wait, self._ring)

    def _ring(self) -> None:
        self._spawn(self._look_at_clocks())

    async def _look_at_clocks(self) -> None:
        async with self.lock:
            if self.has_ended:
                return
            try:
                await self._check_running()
            except Refused:
                return
            self._set_alarm()

    # --- what happens by itself ---

    async def wake(self) -> None:
        """Take up where the table was left: clocks, bots, answers that are the only ones."""
        async with self.lock:
            await self._start_clocks()
            self._set_alarm()
        self.drive()

    def drive(self) -> None:
        """Let bots and only answers have their way, until a person is asked."""
        self._driver.start()

    @property
    def has_ended(self) -> bool:
        """Whether nothing more happens here."""
        return self._closed or self.is_over

    # --- housekeeping ---

    async def _apart(self, work: Coroutine[Any, Any, T]) -> T:
        """Run ``work`` to its end even if the one who asked goes away meanwhile."""
        return await asyncio.shield(self._spawn(work))

    def _spawn(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def close(self) -> None:
        """Stop everything; listeners come back to the table as it is read anew."""
        if self._closed:
            return
        self._closed = True
        self.registry.drop(self)
        if self._alarm is not None:
            self._alarm.cancel()
        self._driver.stop()
        self.notify(TableClosed())
        self.seating.listeners.clear()


def _progress(
    asked: tuple[str, ...], result: WireOutcome | None, clocks: Clocks | None, updated: float
) -> GameProgress:
    return GameProgress(
        asked=",".join(asked) if result is None else "",
        result="" if result is None else encode(result).decode(),
        clocks="" if clocks is None else encode(clocks).decode(),
        updated=updated,
    )
