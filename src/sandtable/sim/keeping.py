"""Keeping the games of a run: JSON lines, one a game, so that a run that was broken off goes on.

Games stand in the order of their numbers, so the file of a run is the same whoever played them and however often it was
broken off. The first line says what was played; a file of another setting or seed, or one that is used by another run,
is refused and left as it is. A last line that was cut off is dropped, and its game played again.
"""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec

from sandtable.core.codec import decode, encode
from sandtable.core.errors import BadInput, Fault
from sandtable.sim.match import Record
from sandtable.sim.setting import Setting

__all__ = ["Keeper", "Kept"]


class Kept(msgspec.Struct, frozen=True):
    """The first line of a file of games."""

    scenario: str
    bots: dict[str, str]
    changes: tuple[str, ...]
    seed: int
    fingerprint: str


class _Line(msgspec.Struct):
    """A game of one of the settings of a run."""

    setting: str
    record: Record


class Keeper:
    """A file of games. Open it, and what it holds is in ``known``; add games as they come."""

    def __init__(self, path: Path, settings: list[Setting], seed: int) -> None:
        self._path = path
        self._names = {setting.fingerprint for setting in settings}
        first = settings[0]
        self._head = Kept(first.scenario, dict(first.bots), first.changes, seed, first.fingerprint)
        self.known: dict[str, dict[int, Record]] = {name: {} for name in self._names}
        """Records by game, by setting."""
        whole = self._read()
        try:
            self._file = path.open("ab")
            self._lock()
            self._file.truncate(whole)
            if not whole:
                self._file.write(encode(self._head) + b"\n")
                self._file.flush()
        except OSError as error:
            raise BadInput([Fault(f"--out {path}", f"cannot be written: {error.strerror}", "a file")]) from None

    def _read(self) -> int:
        """Read what is there; the number of bytes that are whole lines of this run."""
        try:
            data = self._path.read_bytes()
        except FileNotFoundError:
            return 0
        except OSError as error:
            raise BadInput([Fault(f"--out {self._path}", f"cannot be read: {error.strerror}", "a file")]) from None
        lines = data.split(b"\n")
        tail = lines.pop()
        whole = len(data) - len(tail)
        if not lines:
            if not encode(self._head).startswith(tail):
                raise self._no_run()
            return 0
        self._check(lines[0])
        for number, line in enumerate(lines[1:], start=2):
            try:
                found = decode(line, _Line)
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                wrong = f"cannot be read: {error}"
                raise BadInput([Fault(f"{self._path}: line {number}", wrong, "a game of this run")]) from None
            if found.setting in self.known:
                self.known[found.setting][found.record.game] = found.record
        return whole

    def _check(self, line: bytes) -> None:
        try:
            head = decode(line, Kept)
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise self._no_run() from None
        if head != self._head:
            wrong = f"games of {head.scenario} by {', '.join(head.bots.values())} with seed {head.seed}"
            if (head.scenario, head.bots, head.seed) == (self._head.scenario, self._head.bots, self._head.seed):
                wrong += ", played with other cards, changes or packs"
            raise BadInput([Fault(f"{self._path}: line 1", wrong, "another file, or the same run")])

    def _no_run(self) -> BadInput:
        return BadInput([Fault(f"{self._path}: line 1", "no games of a run", "a file made by --out")])

    def _lock(self) -> None:
        """Keep a second run away from the file; where files cannot be locked, nobody is kept away."""
        try:
            from fcntl import LOCK_EX, LOCK_NB, flock
        except ImportError:
            return
        try:
            flock(self._file, LOCK_EX | LOCK_NB)
        except BlockingIOError:
            self._file.close()
            raise BadInput([Fault(f"--out {self._path}", "another run is writing it", "another file")]) from None

    def add(self, setting: Setting, record: Record) -> None:
        """Keep a game; it is on its way to the disk when this returns."""
        self._file.write(encode(_Line(setting.fingerprint, record)) + b"\n")
        self._file.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()
