"""The log: append-only JSON lines. It is the save, the replay and the bug report.

The first line is the :class:`Header`; then one line an :class:`Entry` (an action with its rolls, events and the
digest of the state after it) or a :class:`TakeBack` (an undo: recorded, never deleted). A file that breaks off in
the middle of a line loads up to the last whole entry and says so.

Every line ends with a checksum over all of its bytes before (``sum``), so that no byte changes unnoticed. Format 1 had
none: its logs load as before, and a line without a checksum is searched for fields that nothing reads. A game begun in
format 1 goes on in it, its new lines with checksums.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from typing import Any, Generic, TypeVar

import msgspec

from sandtable.core.codec import decode, encode, spell_out
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
    "check_sums",
    "dump",
    "dump_header",
    "dump_line",
    "load",
    "read_header",
]

A = TypeVar("A")
E = TypeVar("E")
FORMAT = 2
_WITHOUT_SUMS = 1
_CONTROL = re.compile(
    r"[\x7f-\x9f]|(?<!\\)(?:\\\\)*\\(?:[bfr]|u00(?:0[0-8b-f]|1[0-9a-f]|7f|[89][0-9a-f]))", re.IGNORECASE
)
"""Characters that make a terminal do something, as they stand in a line and as JSON spells them."""
_SUM = re.compile(r',"sum":"([0-9a-f]{16})"\}')
_SUM_LENGTH = len(',"sum":"0123456789abcdef"}')


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
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


class _Line(msgspec.Struct, forbid_unknown_fields=True):
    seq: int
    seat: str
    action: msgspec.Raw = msgspec.Raw(b"null")
    rolls: tuple[Roll, ...] = ()
    events: msgspec.Raw = msgspec.Raw(b"[]")
    digest: str = ""
    to: int | None = None
    consent: tuple[str, ...] = ()


class _Head(msgspec.Struct):
    """What must be known of a header before it is read."""

    format: int
    redacted: str = ""


class LoadedLog(msgspec.Struct, Generic[A, E]):
    """A log as read, with a warning where the file was cut off."""

    header: Header
    lines: list[Entry[A, E] | TakeBack]
    warning: str = ""


def dump_header(header: Header) -> str:
    """The header as a line of the file."""
    plain = encode(header).decode()
    return (plain if header.format == _WITHOUT_SUMS else _summed(plain)) + "\n"


def dump_line(line: Entry[Any, Any] | TakeBack) -> str:
    """An entry as a line of the file."""
    return _summed(encode(line).decode()) + "\n"


def dump(header: Header, lines: Iterable[Entry[Any, Any] | TakeBack]) -> Iterator[str]:
    """The whole file, line by line."""
    yield dump_header(header)
    for line in lines:
        yield dump_line(line)


def read_header(text: str, where: str) -> Header:
    """The header of a log file; raise :class:`BadInput` if it is none."""
    first = text.split("\n", 1)[0]
    try:
        head = decode(_unsummed(first), _Head)
        if head.redacted:
            wrong, right = "is what one seat knew of a running game", "the log of a finished game"
            raise BadInput([Fault(where, wrong, right)])
        if head.format not in (_WITHOUT_SUMS, FORMAT):
            raise BadInput([Fault(f"{where}: line 1: format", f"{head.format} is not known", str(FORMAT))])
        return decode(_unsummed(first, is_needed=head.format != _WITHOUT_SUMS), Header)
    except msgspec.DecodeError as error:
        raise BadInput([Fault(f"{where}: line 1", f"no log header: {error}", "a Sandtable log")]) from None


def check_sums(text: str, where: str) -> None:
    """Raise :class:`BadInput` with every line of a log whose checksum does not fit, without reading what they say."""
    header = read_header(text, where)
    faults = Faults(where)
    for number, content in enumerate(text.split("\n")[1:-1], start=2):
        try:
            _unsummed(content, is_needed=header.format != _WITHOUT_SUMS)
        except msgspec.DecodeError as error:
            faults.add(f"line {number}", str(error))
    faults.check()


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
            body = _unsummed(content, is_needed=header.format != _WITHOUT_SUMS)
            line = _typed(decode(body, _Line), ruleset)
            if body is content:
                _check_keys(decode(body, dict[str, Any]), spell_out(line), "")
        except msgspec.DecodeError as error:
            faults.add(f"line {number}", f"cannot be read: {error}", "a log entry")
            continue
        if line.seq != number - 2:
            faults.add(f"line {number}: seq", str(line.seq), str(number - 2))
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


def _summed(line: str) -> str:
    """A line with its checksum."""
    return f'{line[:-1]},"sum":"{_checksum(line)}"}}'


def _unsummed(line: str, *, is_needed: bool = False) -> str:
    """The line without its checksum; raise :class:`msgspec.DecodeError` if that does not fit, or it is no text."""
    if _CONTROL.search(line):
        raise msgspec.DecodeError("it has a control character")
    found = _SUM.fullmatch(line, max(0, len(line) - _SUM_LENGTH))
    if found is None:
        if is_needed:
            raise msgspec.DecodeError("it does not end with its checksum")
        return line
    plain = line[: found.start()] + "}"
    if _checksum(plain) != found[1]:
        raise msgspec.DecodeError("its checksum does not fit: it was changed")
    return plain


def _checksum(line: str) -> str:
    return blake2b(line.encode(errors="replace"), digest_size=8).hexdigest()


def _check_keys(written: object, read: object, path: str) -> None:
    """Raise :class:`msgspec.DecodeError` if something written is nowhere in what was read."""
    if isinstance(written, dict) and isinstance(read, dict):
        for key, value in written.items():
            if key not in read:
                raise msgspec.DecodeError(f"unknown field {path}{key}")
            _check_keys(value, read[key], f"{path}{key}.")
    elif isinstance(written, list) and isinstance(read, list):
        for one, other in zip(written, read, strict=False):
            _check_keys(one, other, path)
