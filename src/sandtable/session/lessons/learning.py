"""Taking a lesson: a table for one person, which stands as long as he is there."""

from __future__ import annotations

import asyncio
import time

from sandtable import catalog
from sandtable.session.files.books import Books
from sandtable.session.game.seating import Seating
from sandtable.session.lessons.lesson_game import LessonGame
from sandtable.session.people.person import new_id
from sandtable.session.presenting.shelf import TableMade
from sandtable.session.registry import Registry
from sandtable.session.store import Person, SeatRecord, TableRecord

__all__ = ["learn"]


async def learn(registry: Registry, person: Person, lesson_id: str, step: int) -> TableMade:
    """Give ``person`` a lesson from a step on; raise :class:`BadInput` if there is no such lesson.

    One table a person: a new lesson takes the place of the last one.
    """
    lecture = await asyncio.to_thread(catalog.open_lesson, lesson_id, registry.packs)
    lesson = lecture.lesson
    record = TableRecord(
        id=new_id(),
        kind="game",
        system=lesson.system,
        scenario="",
        title=lesson.title,
        owner=person.id,
        header="",
        options="{}",
        clock="",
        created=time.time(),
    )
    books = Books(lecture.ruleset, lecture.system, lecture.library, lecture.draft)
    seats = [
        SeatRecord(record.id, side.id, "person", person.id if side.id == lesson.seat else "") for side in books.sides
    ]
    seating = Seating(books.sides, seats, {person.id: person.name, "": "the lesson"})
    table = await asyncio.to_thread(LessonGame, record, lecture, step, seating, registry)
    registry.seat_learner(person.id, table, books)
    return TableMade(record.id)
