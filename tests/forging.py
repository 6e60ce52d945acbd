"""Logs with something else in them and checksums that fit it: what somebody can make who knows the format."""

from sandtable.core import log

__all__ = ["sealed"]


def sealed(text: str) -> str:
    """The text of a log with the checksums that its lines should have."""
    return "".join(_sealed(line) for line in text.splitlines(keepends=True))


def _sealed(line: str) -> str:
    body = line.rstrip("\n")
    found = log._SUM.search(body)
    return line if found is None else log._summed(body[: found.start()] + "}") + line[len(body) :]
