"""What happens at a table by itself: bots answer, and so does the table for whoever has only one answer."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from functools import partial
from typing import TYPE_CHECKING, Any

from sandtable.core.decision import Seat
from sandtable.core.forced import forced_answer
from sandtable.session.game.play import Stale, Standpoint
from sandtable.session.people.opponents import bot_title
from sandtable.session.presenting.presenting import asked_seats
from sandtable.session.store import Thought
from sandtable.session.thinking.robots import Answer, Standing

if TYPE_CHECKING:
    from sandtable.session.game.live_game import LiveGame

__all__ = ["Driver"]

_log = logging.getLogger(__name__)
_HESITATION = 0.7
"""Seconds, at least, before an only answer is played for somebody whose hand a person across the table is reading."""


class Driver:
    """Plays on until a person is asked."""

    def __init__(self, table: LiveGame) -> None:
        self._table = table
        self._task: asyncio.Task[None] | None = None

    @property
    def is_busy(self) -> bool:
        """Whether it is at work."""
        return self._task is not None and not self._task.done()

    def start(self) -> None:
        """Begin, unless it is at work already."""
        if not self._table.has_ended and not self.is_busy:
            self._task = asyncio.create_task(self._drive())

    def stop(self) -> None:
        """Leave off, unless it is the driver itself who asks."""
        if self._task is not None and self._task is not asyncio.current_task():
            self._task.cancel()

    async def _drive(self) -> None:
        table = self._table
        try:
            while await self._play_only_answer() or await self._play_bot():
                pass
        except Stale:
            pass  # the table was closed under us
        except Exception:  # noqa: BLE001 - a fault of the rules must not take the server with it
            _log.exception("table %s stands still", table.record.id)
            await table.announce("The game stands still: a fault in Sandtable itself. Its log shows where.")

    async def _play_only_answer(self) -> bool:
        """Play for a person who has just one answer, if it spends nothing; whether there was one."""
        table = self._table
        if not table.auto:
            return False
        if self._guards_a_secret():
            await asyncio.sleep(_HESITATION * (1 + secrets.randbelow(1000) / 1000))
        async with table.lock:
            if table.has_ended:
                return False
            for seat in asked_seats(table.play.decision):
                if table.seating.seats[seat].kind != "person":
                    continue
                here = table.play.standpoint(seat)
                only = await table.registry.ponder(partial(_only, here))
                if only is not None:
                    await table.resolve(Seat(seat), partial(_only, here))
                    return True
        return False

    def _guards_a_secret(self) -> bool:
        """Whether another person could tell from an instant answer what the one who is asked does not hold."""
        decision = self._table.play.decision
        people = {chair.person for chair in self._table.seating.seats.values() if chair.kind == "person"}
        return decision is not None and decision.guards and len(people) > 1

    async def _play_bot(self) -> bool:
        """Let one bot that is asked answer; whether there was one."""
        table = self._table
        play = table.play
        asked = [seat for seat in asked_seats(play.decision) if seat in table.seating.bots()]
        if table.has_ended or not asked:
            return False
        seat, v, bot = asked[0], play.v, table.seating.bots()[asked[0]]
        started = time.monotonic()
        standing = Standing(play.ruleset, play.game.header, play.known(seat))
        answer = await table.registry.robots.choose(bot, standing, seat, table.record.owner)
        if table.seating.listeners:
            await asyncio.sleep(max(0.0, table.registry.pace - (time.monotonic() - started)))
        async with table.lock:
            # The seat may have gone back to its person meanwhile, or the question away.
            is_asked = play.questions.get(seat, v + 1) <= v and table.seating.bots().get(seat) == bot
            if is_asked and not table.has_ended:
                await self._give(seat, answer)
        if is_asked and answer.bot != bot:
            instead = f"{bot_title(answer.bot)} answers" if answer.bot else "a random legal one stands in"
            await table.announce(f"{bot_title(bot)} came to no answer for {seat}; {instead}.")
        return True

    async def _give(self, seat: str, answer: Answer) -> None:
        def thought(seq: int) -> Thought:
            return Thought(seq, answer.bot, answer.seed)

        await self._table.resolve(Seat(seat), lambda: answer.action, thought if answer.bot else None)


def _only(here: Standpoint) -> Any:
    """The answer of somebody who has just one, if it spends nothing."""
    return forced_answer(here.ruleset, here.options())
