"""The log: append-only JSON lines. It is the save, the replay and the bug report.

The first line is the :class:`Header`; then one line an :class:`Entry` (an action with its rolls, events and the
digest of the state after it) or a :class:`TakeBack` (an undo: recorded, never deleted). A file that breaks off in
the middle of a line loads up to the last whole entry and says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Generic, TypeVar

import msgspec

from sandtable.core.codec import decode, encode
from sandtable.core.decision import Seat
from sandtable.core.dice import Roll
from sandtable.core.errors import BadInput, Fault, Faults
from sandtable.core.ruleset import Ruleset

__all__ = [
    "FORMAT",
    "Entry",
    "Header",
    "LoadedLog",
    "TakeBack",
    "dump",
    "dump_header",
    "dump_line",
    "load",
    "read_header",
]

A = TypeVar("A")
E = TypeVar("E")
FORMAT = 1


class Header(msgspec.Struct, frozen=True):
    """What was played: enough to set the game up again."""

    format: int
    system: str
    version: int
    """Behaviour version of the system."""
    packs: dict[str, str]
    """Digest by pack id."""
    scenario: dict[str, Any]
    """The scenario draft itself."""
    options: dict[str, str] = {}
    seats: dict[str, str] = {}
    """Who sits where, e.g. ``{"german": "human", "british": "bot:random"}``."""
    start: dict[str, Any] | msgspec.UnsetType = msgspec.UNSET
    """The position that the game starts from, where that is not the scenario's set-up."""
    taken_up: int | msgspec.UnsetType = msgspec.UNSET
    """Where another game was played on: the last entry that is that game's."""


class Entry(msgspec.Struct, Generic[A, E], frozen=True):
    """One action and what came of it; the first entry has no action."""

    seq: int
    seat: str
    action: A | None
    rolls: tuple[Roll, ...]
    events: tuple[E, ...]
    digest: str


class TakeBack(msgspec.Struct, frozen=True):
    """An undo: the state after entry ``to`` stands again."""

    seq: int
    seat: str
    to: int
    consent: tuple[str, ...] = ()


class _Line(msgspec.Struct):
    seq: int
    seat: str
    action: msgspec.Raw = msgspec.Raw(b"null")
    rolls: tuple[Roll, ...] = ()
    events: msgspec.Raw = msgspec.Raw(b"[]")
    digest: str = ""
    to: int | None = None
    consent: tuple[str, ...] = ()


class LoadedLog(msgspec.Struct, Generic[A, E]):
    """A log as read, with a warning where the file was cut off."""

    header: Header
    lines: list[Entry[A, E] | TakeBack]
    warning: str = ""


def dump_header(header: Header) -> str:
    """The header as a line of the file."""
    return encode(header).decode() + "\n"


def dump_line(line: Entry[Any, Any] | TakeBack) -> str:
    """An entry as a line of the file."""
    return encode(line).decode() + "\n"


def dump(header: Header, lines: Iterable[Entry[Any, Any] | TakeBack]) -> Iterator[str]:
    """The whole file, line by line."""
    yield dump_header(header)
    for line in lines:
        yield dump_line(line)


def read_header(text: str, where: str) -> Header:
    """The header of a log file; raise :class:`BadInput` if it is none."""
    first = text.split("\n", 1)[0]
    try:
        header = decode(first, Header)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadInput([Fault(f"{where}: line 1", f"no log header: {error}", "a Sandtable log")]) from None
    if header.format != FORMAT:
        raise BadInput([Fault(f"{where}: line 1: format", f"{header.format} is not known", str(FORMAT))])
    return header


def load(text: str, ruleset: Ruleset[Any, A, E], where: str) -> LoadedLog[A, E]:
    """Read a log; a last line without its end is left out with a warning, any other fault raises."""
    header = read_header(text, where)
    raw = text.split("\n")
    tail = raw.pop()
    warning = ""
    if tail:
        warning = f"{where}: line {len(raw) + 1}: cut off; loaded up to the last whole entry"
    lines: list[Entry[A, E] | TakeBack] = []
    faults = Faults(where)
    for number, content in enumerate(raw[1:], start=2):
        try:
            line = _typed(decode(content, _Line), ruleset)
        except msgspec.DecodeError as error:
            faults.add(f"line {number}", f"cannot be read: {error}", "a log entry")
            continue
        if line.seq != len(lines):
            faults.add(f"line {number}: seq", str(line.seq), str(len(lines)))
        if isinstance(line, TakeBack) and not 0 <= line.to < line.seq:
            faults.add(f"line {number}: to", str(line.to), f"an entry before {line.seq}")
        lines.append(line)
    faults.check()
    return LoadedLog(header, lines, warning)


def _typed(line: _Line, ruleset: Ruleset[Any, A, E]) -> Entry[A, E] | TakeBack:
    if line.to is not None:
        return TakeBack(line.seq, line.seat, line.to, line.consent)
    action: A | None = decode(bytes(line.action), ruleset.action_type | None)
    events: tuple[E, ...] = decode(bytes(line.events), tuple[ruleset.event_type, ...])  # type: ignore[name-defined]
    return Entry(line.seq, Seat(line.seat), action, line.rolls, events, line.digest)
