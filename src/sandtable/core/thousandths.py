"""Lengths in whole thousandths, written with a decimal point: ``12.5`` is 12,500."""

from __future__ import annotations

import re

__all__ = ["MOST", "WHOLE", "read_thousandths", "thousandths"]

WHOLE = 1000
MOST = 1000 * WHOLE
"""No table is larger, and nobody draws beyond."""
_NUMBER = re.compile(r"(-?)(\d{1,4})(?:\.(\d{1,3}))?", re.ASCII)


def thousandths(number: int) -> str:
    """The text of a number, without decimals that say nothing."""
    whole, part = divmod(abs(number), WHOLE)
    text = f"{whole}.{part:03}".rstrip("0") if part else str(whole)
    return f"-{text}" if number < 0 else text


def read_thousandths(text: str) -> int | None:
    """The number of a text; None if it is none, has more than three decimals or is far off."""
    match = _NUMBER.fullmatch(text)
    if match is None:
        return None
    number = int(match[2]) * WHOLE + int((match[3] or "").ljust(3, "0"))
    if number > MOST:
        return None
    return -number if match[1] else number
