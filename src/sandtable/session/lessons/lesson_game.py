"""A table at which a lesson is given: an ordinary game with scripted dice, where only the wanted action is taken.

A drawing that comes to the same as the wanted one is taken, too. What is tried is judged like anywhere else: what the
rules forbid is refused with its rule. What is legal but not what the step is about is answered kindly, and nothing
changes. Nothing of it is kept: a lesson begins at any step, and the browser remembers at which.
"""

from __future__ import annotations

import asyncio
import time
from typing import Any

from msgspec.structs import replace

from sandtable.core.decision import Options
from sandtable.core.errors import Refusal, Refused
from sandtable.core.lesson import Lecture
from sandtable.core.log import Entry, TakeBack
from sandtable.session.game.live_game import LiveGame, Services
from sandtable.session.game.notices import BooksOpened, LineAdded
from sandtable.session.game.play import Choice, Play
from sandtable.session.game.seating import Seating
from sandtable.session.presenting.route import Route, are_drawn_alike, find_route
from sandtable.session.presenting.wire import WireLesson, WireUndo
from sandtable.session.store import TableRecord, Thought

__all__ = ["LessonGame"]


class LessonGame(LiveGame):
    """Gives a lesson to one person."""

    is_kept = False

    def __init__(self, record: TableRecord, lecture: Lecture, step: int, seating: Seating, registry: Services) -> None:
        self.lecture = lecture
        self.step = max(0, min(step, len(lecture.lesson.steps) - 1))
        super().__init__(record, Play(lecture.begin(self.step)), seating, registry)
        self.auto = False

    def lesson_told(self) -> WireLesson:
        """The step that is open, and the way to what it wants."""
        lesson = self.lecture.lesson
        step = lesson.steps[self.step]
        route = self._route() or Route()
        return WireLesson(
            id=lesson.id,
            title=lesson.title,
            step=self.step,
            steps=len(lesson.steps),
            text=step.text.strip(),
            does=step.do is not None,
            want=step.want,
            units=step.light.units,
            hexes=step.light.hexes,
            parts=step.light.parts,
            keys=route.keys,
            to=route.to,
        )

    def _route(self) -> Route | None:
        if self.lecture.lesson.steps[self.step].do is None:
            return None
        wanted = self.lecture.moves[self.step][0]
        # While the other side still acts nothing is asked yet.
        asked = self.play.decision.asked if self.play.decision is not None else ()
        return find_route(self.play.standpoint(wanted.seat).options(), wanted.action) if wanted.seat in asked else None

    async def _act(self, person: str, seat: str, v: int, choice: Choice) -> int:
        async with self.lock:
            self.seating.check_plays(person, seat)
            self.play.check_fresh(seat, v)
            standpoint = self.play.standpoint(seat)
            action = standpoint.find(choice)
            standpoint.check(action)
            step = self.lecture.lesson.steps[self.step]
            if step.do is None:
                raise Refused(Refusal("", "that is legal, but here there is something to read first", "press Next"))
            wanted, *others = self.lecture.moves[self.step]
            if action != wanted.action:
                other = Refusal("", f"that is legal, but here we want to {step.want}", "what to press is lit")
                if not await asyncio.to_thread(self._is_as_good, standpoint.options(), action, wanted.action):
                    raise Refused(other)
                wanted = replace(wanted, action=action)
            for move in (wanted, *others):
                self.lecture.play(self.play.game, move)
                # The text of the next step is told with the last thing that happens.
                if move is (others[-1] if others else wanted):
                    self._go_on()
                await self.commit(self.play.game.lines[-1])
            return self.play.version(seat)

    def _is_as_good(self, options: Options[Any], action: Any, wanted: Any) -> bool:
        """Whether a hand drew what is wanted, near enough for the rest of the lesson."""
        return are_drawn_alike(options, wanted, action) and self.lecture.holds_with(self.step, action)

    def _go_on(self) -> None:
        self.step = min(self.step + 1, len(self.lecture.lesson.steps) - 1)

    async def turn_to(self, person: str, seat: str, step: int) -> int:
        """Begin a step anew: the one before, this one again, or one that is only to be read and was."""
        async with self.lock:
            self.seating.check_holds(person, seat)
            lesson = self.lecture.lesson
            if not 0 <= step < len(lesson.steps):
                raise Refused(Refusal("", f"the lesson has {len(lesson.steps)} steps"))
            self.step = step
            self.play = Play(self.lecture.begin(step))
            self.touched = time.monotonic()
            self.notify(BooksOpened())
            return self.play.version(seat)

    async def commit(self, line: Entry[Any, Any] | TakeBack, thought: Thought | None = None) -> None:  # noqa: ARG002
        """Tell everybody of a line; it is not kept."""
        self.play.advance()
        self.touched = time.monotonic()
        self.notify(LineAdded(self.play.v))

    # --- what a lesson has no use for ---

    def undo_told(self, seat: str) -> WireUndo:  # noqa: ARG002
        """A lesson goes back by its own buttons."""
        return WireUndo(reason="a lesson goes back by its own buttons")

    async def _undo(self, person: str, seat: str, v: int) -> int:  # noqa: ARG002
        raise Refused(Refusal("", "a lesson goes back by its own buttons"))

    async def _resign(self, person: str, seat: str) -> None:  # noqa: ARG002
        raise Refused(Refusal("", "a lesson is not given up, only left"))

    async def say(self, person: str, seat: str, name: str, text: str) -> None:  # noqa: ARG002
        """Nobody else is here."""
        raise Refused(Refusal("", "nobody else is at this table"))

    @property
    def gives_help(self) -> bool:
        """What to do is lit: no bot is asked."""
        return False

    async def hand_over(self, person: str, seat: str, bot: str) -> None:  # noqa: ARG002
        """A lesson is for people."""
        raise Refused(Refusal("", "a lesson is for you, not for the computer"))

    async def seated(self) -> None:
        """Who learns stays who he is."""

    def drive(self) -> None:
        """Nothing happens by itself but what the lesson says."""
