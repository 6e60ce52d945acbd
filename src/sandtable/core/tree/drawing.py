"""Drawings: answers that nobody can list, stroke by stroke, what is said of them, and their text.

A stroke has a verb and what the verb is about: somebody's name, a place in whole thousandths, a heading in tenths of
a degree. The text of a drawing is the key of its branch, as ``go 12.5,30; face 45; along north road to 20,31``; it
reads back.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from sandtable.core.errors import Refusal
from sandtable.core.thousandths import read_thousandths, thousandths

__all__ = ["MOST_STROKES", "Judged", "Mark", "Outline", "Stroke", "Strokes", "drawing_text", "read_drawing_text"]

MOST_STROKES = 64
"""Of one drawing; whoever needs more draws it in parts."""
_LONGEST = 4000
_STROKE = re.compile(
    r"(?P<verb>[a-z]+)"
    r"(?: (?P<ref>[^;]*\S) to)?"
    r"(?: (?P<x>-?[\d.]+),(?P<y>-?[\d.]+))?"
    r"(?:(?: facing)? (?P<degrees>\d{1,3})(?:\.(?P<tenth>\d))?)?",
    re.ASCII,
)


class Stroke(msgspec.Struct, frozen=True):
    """One stroke of a drawing."""

    verb: str
    at: tuple[int, int] | None = None
    """The place that it leads to, in thousandths."""
    heading: int | None = None
    """Tenths of a degree, 0 to 3599."""
    ref: str = ""
    """What it follows, such as a road."""

    def __str__(self) -> str:
        text = f"{self.verb} {self.ref} to" if self.ref else self.verb
        if self.at is not None:
            text += f" {thousandths(self.at[0])},{thousandths(self.at[1])}"
        if self.heading is not None:
            degrees, tenth = divmod(self.heading, 10)
            text += f"{' facing' if self.at is not None else ''} {degrees}{f'.{tenth}' if tenth else ''}"
        return text


Strokes = tuple[Stroke, ...]

Outline = tuple[tuple[int, int], ...]
"""Corners of a polygon, in thousandths."""


class Mark(msgspec.Struct, frozen=True):
    """A moment of a drawing: where it has come to, and what it has taken so far."""

    at: tuple[int, int]
    heading: int | None = None
    spent: float | None = None
    left: float | None = None
    """What is left then; None where the rules do not count it."""


class Judged(msgspec.Struct, frozen=True):
    """What the rules say of a drawing."""

    refusal: Refusal | None = None
    """Why it is no answer; its remedy names the last place up to which it would be one."""
    upto: int = 0
    """How many strokes hold."""
    marks: tuple[Mark, ...] = ()
    """As far as it holds, the last one being the last place that is legal."""


def drawing_text(strokes: Sequence[Stroke]) -> str:
    """The text of a drawing; no stroke at all is to stay."""
    return "; ".join(map(str, strokes)) or "stay"


def read_drawing_text(text: str) -> Strokes | None:
    """The drawing of a text; None if it is none."""
    if text == "stay":
        return ()
    if len(text) > _LONGEST:
        return None
    found = [_read(part.strip()) for part in text.split(";")]
    strokes = tuple(stroke for stroke in found if stroke is not None)
    return strokes if len(strokes) == len(found) <= MOST_STROKES else None


def _read(text: str) -> Stroke | None:
    match = _STROKE.fullmatch(text)
    if match is None:
        return None
    at = heading = None
    if match["x"] is not None:
        x, y = read_thousandths(match["x"]), read_thousandths(match["y"])
        if x is None or y is None:
            return None
        at = x, y
    if match["degrees"] is not None:
        heading = 10 * int(match["degrees"]) + int(match["tenth"] or 0)
        if heading >= 3600:
            return None
    return Stroke(match["verb"], at, heading, match["ref"] or "")
