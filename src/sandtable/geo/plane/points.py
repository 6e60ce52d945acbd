"""Places on a table, in whole thousandths of an inch from its top left corner, x to the right and y down.

A place is written as its label, ``36.25,24``: inches with three decimals at most. Ranges are rounded down to whole
inches, and two places are within so many inches if their range is no more: an inch and a half is within 1.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import isqrt
from typing import NamedTuple

from sandtable.core.thousandths import WHOLE, read_thousandths, thousandths

__all__ = [
    "INCH",
    "Box",
    "Point",
    "box_of",
    "label",
    "length",
    "range_inches",
    "read_inches",
    "read_point",
    "square",
    "within",
]

INCH = WHOLE
"""Units of an inch."""


class Point(NamedTuple):
    """A place, in thousandths of an inch."""

    x: int
    y: int


Box = tuple[int, int, int, int]
"""Left, top, right and bottom."""


def box_of(places: Iterable[tuple[int, int]], reach: int = 0) -> Box:
    """The box around some places and all that is no farther from one of them, in either axis, than so many units."""
    xs, ys = zip(*places, strict=True)
    return min(xs) - reach, min(ys) - reach, max(xs) + reach, max(ys) + reach


def read_inches(value: str | float) -> int | None:
    """Units of a number of inches; None if it is none, has more than three decimals or is far off."""
    return read_thousandths(value.strip() if isinstance(value, str) else repr(value).removesuffix(".0"))


def label(point: tuple[int, int]) -> str:
    """A place as people write it: ``36.25,24``."""
    return f"{thousandths(point[0])},{thousandths(point[1])}"


def read_point(text: str) -> Point | None:
    """The place of a label; None if it is none."""
    parts = text.split(",")
    if len(parts) != 2:
        return None
    x, y = read_inches(parts[0]), read_inches(parts[1])
    return None if x is None or y is None else Point(x, y)


def square(a: tuple[int, int], b: tuple[int, int]) -> int:
    """The square of the distance."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    return dx * dx + dy * dy


def range_inches(a: tuple[int, int], b: tuple[int, int]) -> int:
    """The range in whole inches, rounded down."""
    return isqrt(square(a, b)) // INCH


def within(a: tuple[int, int], b: tuple[int, int], distance: int) -> bool:
    """Whether the range is no more than so many inches."""
    return square(a, b) < ((distance + 1) * INCH) ** 2


def length(a: tuple[int, int], b: tuple[int, int]) -> int:
    """How long the straight way is, in units rounded up: so cutting it in two never makes it shorter."""
    found = square(a, b)
    root = isqrt(found)
    return root if root * root == found else root + 1
