"""Logs with something else in them and checksums that fit it: what somebody can make who knows the format."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from sandtable import catalog
from sandtable.core import log
from sandtable.core.codec import decode, digest, encode, to_plain
from sandtable.core.opening import first_state

__all__ = ["forged", "sealed"]


def sealed(text: str) -> str:
    """The text of a log with the checksums that its lines should have."""
    return "".join(_sealed(line) for line in text.splitlines(keepends=True))


def _sealed(line: str) -> str:
    body = line.rstrip("\n")
    found = log._SUM.search(body)
    return line if found is None else log._summed(body[: found.start()] + "}") + line[len(body) :]


def forged(text: str, at: int, change: Callable[[dict[str, Any]], dict[str, Any]]) -> str:
    """A log with another entry ``at``, and digests of the states that its events give; cut off where they give none."""
    opened = catalog.open_log(text, "honest")
    ruleset = opened.ruleset
    lines: list[log.Entry[Any, Any] | log.TakeBack] = []
    states: list[Any] = []
    state = first_state(ruleset, opened.log.header)
    for honest in opened.log.lines:
        line = honest
        try:
            if line.seq == at:
                line = log._typed(decode(encode({**change(to_plain(line)), "seq": at}), log._Line), ruleset)
            if isinstance(line, log.TakeBack):
                state = states[line.to]
            else:
                for event in line.events:
                    state = ruleset.fold(state, event)
                line = replace(line, digest=digest(state))
        except Exception:  # noqa: BLE001 - the forger has gone too far
            break
        lines.append(line)
        states.append(state)
    return "".join(log.dump(replace(opened.log.header, format=log.FORMAT), lines))
