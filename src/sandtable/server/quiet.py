"""A log that does not fill the disk: what is said again and again is said a few times a minute, then counted."""

from __future__ import annotations

import logging
import time
from typing import Any

__all__ = ["LOGGING", "Quiet"]

_MOST = 20
_MINUTE = 60.0
_KINDS = 500
_LONGEST = 4000


class Quiet(logging.Filter):
    """A filter of the log: so many messages of a kind a minute; the next one says how many were left out."""

    def __init__(self, most: int = _MOST, every: float = _MINUTE) -> None:
        super().__init__()
        self._most = most
        self._every = every
        self._seen: dict[tuple[str, str], tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a message is worth writing."""
        # A kind is a place in the program, not its words: words may come from outside.
        kind = (record.name, f"{record.pathname}:{record.lineno}")
        now = time.monotonic()
        since, count = self._seen.get(kind, (now, 0))
        if now - since >= self._every:
            if count > self._most:
                record.msg = f"{record.msg} ({count - self._most} more like this were left out)"
            since, count = now, 0
        if len(self._seen) >= _KINDS:
            self._seen.clear()
        self._seen[kind] = (since, count + 1)
        return count < self._most


class Cut(logging.Formatter):
    """Words log records so that one line says enough, and never takes a page."""

    def format(self, record: logging.LogRecord) -> str:
        """The message, cut to a length that one can read."""
        text = super().format(record)
        return text if len(text) <= _LONGEST else f"{text[: _LONGEST // 2]} ... {text[-_LONGEST // 2 :]}"


LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"quiet": {"()": Quiet}},
    "formatters": {"plain": {"()": Cut, "format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "filters": ["quiet"], "formatter": "plain"}},
    "root": {"handlers": ["stderr"], "level": "WARNING"},
}
