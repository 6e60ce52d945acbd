"""Exhibits: logs and situation files that people open to look at, move by move.

A log is replayed, which checks that its events give the states that it claims. A situation's steps become
the entries of a short game. Neither can be played on.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import msgspec

from sandtable import catalog
from sandtable.core.content.pack import Pack
from sandtable.core.content.scenario import read_draft
from sandtable.core.errors import BadInput, Fault, Refused
from sandtable.core.log import Entry, Header, dump_header, dump_line, load
from sandtable.core.replay import look_through, replay
from sandtable.core.situation import play_steps
from sandtable.session.files.books import Books
from sandtable.session.game.play import Record
from sandtable.session.store import TableRecord

__all__ = [
    "Exhibit",
    "LoadedExhibit",
    "load_exhibit",
    "looks_like_log",
    "open_log_file",
    "open_situation_file",
    "the_files_fault",
]

MOST_LOG = 8 * 1024 * 1024
MOST_SITUATION = 256 * 1024
"""Bytes of a file that somebody opens."""
MOST_LINES = 10_000
"""Lines of a log."""
MOST_SHOWING = 4.0
"""Seconds of work: what is shown is read and played again when somebody comes back to it."""


class LoadedExhibit(msgspec.Struct, frozen=True):
    """A log or situation that somebody brought, as it was read and played in the workshop."""

    system: str
    scenario: str
    title: str
    header: str
    lines: tuple[str, ...]
    warnings: tuple[str, ...] = ()


class Exhibit:
    """A finished log or a situation on display: a table at which nobody plays."""

    def __init__(self, record: TableRecord, shown: Record, books: Books, header: Header) -> None:
        self.record = record
        self.header = header
        """Of the log, or of the game that a situation would begin."""
        self.shown = shown
        self.books = books
        self.touched = time.monotonic()


@contextmanager
def the_files_fault(name: str) -> Iterator[None]:
    """Raise :class:`BadInput` where the rules fail on what somebody brought.

    A log that is forged with care gives positions that no game has. Whatever they break is named as its fault.
    """
    try:
        yield
    except (BadInput, Refused):
        raise
    except Exception as error:  # noqa: BLE001 - in a state that the rules did not make, they may fail anyhow
        wrong = f"gives no position of its game ({type(error).__name__}: {error})"
        raise BadInput([Fault(name, wrong, "a log as Sandtable wrote it")]) from None


def looks_like_log(text: str) -> bool:
    """Whether a file is a log rather than a situation."""
    return text.lstrip()[:1] == "{" and '"format"' in text.split("\n", 1)[0]


def open_log_file(text: str, name: str, packs: Sequence[Pack]) -> LoadedExhibit:
    """Read a log and check it; raise :class:`BadInput` with all faults."""
    _check_size(text, name, MOST_LOG)
    if text.count("\n") > MOST_LINES:
        raise BadInput([Fault(name, f"{text.count(chr(10))} lines", f"at most {MOST_LINES}")])
    with _affordable(name):
        opened = catalog.open_log(text, name, packs)
        states = replay(opened.ruleset, opened.log)
    if not states:
        raise BadInput([Fault(name, "it has no entries", "a game with at least one")])
    look_through(opened.ruleset, opened.log, states)
    header = opened.log.header
    return LoadedExhibit(
        system=header.system,
        scenario=str(header.scenario.get("id", "")),
        title=str(header.scenario.get("title") or name),
        header=dump_header(header).rstrip("\n"),
        lines=tuple(dump_line(line).rstrip("\n") for line in opened.log.lines),
        warnings=tuple(opened.warnings),
    )


def open_situation_file(text: str, name: str, packs: Sequence[Pack]) -> LoadedExhibit:
    """Read a situation and play its steps once; raise :class:`BadInput` with all faults."""
    _check_size(text, name, MOST_SITUATION)
    opened = catalog.open_situation(text, name, packs)
    situation_record(opened, name)
    with _affordable(name):
        _situation_shown(text, name, packs)
    return LoadedExhibit(opened.head.system, "", opened.head.title or name, text, ())


@contextmanager
def _affordable(name: str) -> Iterator[None]:
    """Raise :class:`BadInput` if what is done inside is too much work to be done whenever somebody looks."""
    start = time.thread_time()
    yield
    if time.thread_time() - start > MOST_SHOWING:
        raise BadInput([Fault(name, f"takes more than {MOST_SHOWING:g} seconds to show", "a smaller file")])


def _check_size(text: str, name: str, most: int) -> None:
    if len(text.encode()) > most:
        raise BadInput([Fault(name, f"{len(text.encode())} bytes", f"at most {most}")])


def situation_record(opened: catalog.OpenSituation, where: str) -> Record:
    """A situation as a short game: the position, then each of its actions that the rules allow."""
    ruleset, state = opened.position
    lines: list[Entry[Any, Any]] = [Entry(0, "", None, (), (), "")]
    states = [state]
    for one in play_steps(opened.system, opened.position, opened.head, where):
        if one.action is not None and not one.result.refused:
            lines.append(Entry(len(lines), one.step.seat, one.action, (), one.result.events, ""))
            states.append(one.state)
    return Record(ruleset, lines, states)


def _situation_shown(text: str, name: str, packs: Sequence[Pack]) -> tuple[catalog.OpenSituation, Record]:
    """A situation as it is shown: its questions were answered once, when it was opened, and are no part of that."""
    opened = catalog.open_situation(text, name, packs)
    acted = [step for step in opened.head.steps if step.action is not None]
    opened = opened._replace(head=msgspec.structs.replace(opened.head, steps=acted))
    return opened, situation_record(opened, name)


def load_exhibit(record: TableRecord, lines: Sequence[str], books: Books | None, packs: Sequence[Pack]) -> Exhibit:
    """An exhibit as the store has it."""
    if record.kind == "situation":
        opened, shown = _situation_shown(record.header, record.title, packs)
        library = catalog.library(opened.head.system, packs)
        books = Books(shown.ruleset, opened.system, library, {"title": record.title})
        draft = read_draft(record.header, record.title)
        return _drawn(Exhibit(record, shown, books, catalog.situation_header(opened, draft, shown.states[0], packs)))
    assert books is not None  # noqa: S101 - a log names its scenario
    text = "\n".join((record.header, *lines, ""))
    log = load(text, books.ruleset, record.id)
    return _drawn(Exhibit(record, Record(books.ruleset, log.lines, replay(books.ruleset, log)), books, log.header))


def _drawn(exhibit: Exhibit) -> Exhibit:
    """With its map drawn here, where nobody else waits for it."""
    _ = exhibit.books.drawing
    return exhibit
