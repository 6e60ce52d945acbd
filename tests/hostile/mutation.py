"""Seeded damage to honest files: fields taken away, values of another kind, numbers beyond reason, broken text."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any, NamedTuple

from sandtable.core.content.yaml_text import dump_yaml

__all__ = ["broken_plain", "broken_text", "damaged"]

STRANGE: tuple[Any, ...] = (
    None, True, 0, -1, 1, 7, 99, 10**6, 2**63 - 1, -(2**63), 0.5, -1e300, "", " ", "A1", "a1", "ZZ99", "A0", "nobody",
    "1-2", "B-A", "A1:N", "A1..B2", "A1-A9", "0101", "german", "x" * 300, "ü", "\u202e", "N/A", "A1:XX", "9" * 40,
    [], {}, [[]], [None], [1, 2, 3], ["A1"], ["A1", "A1"], ["A1", "ZZ99"], {"id": "x"}, {"type": "Fire"}, {1: 2},
    {"turn": 1}, [[1, 2], [3, 4]], [{}],
)  # fmt: skip


class _Spot(NamedTuple):
    """A place in plain data: the container and the key in it."""

    into: Any
    key: Any


def _spots(plain: Any) -> Iterator[_Spot]:
    pairs = (
        list(plain.items()) if isinstance(plain, dict) else list(enumerate(plain)) if isinstance(plain, list) else []
    )
    for key, value in pairs:
        yield _Spot(plain, key)
        yield from _spots(value)


def broken_plain(plain: Any, rng: Random) -> Any:
    """A copy of plain data with one to three things wrong with it."""
    broken = deepcopy(plain)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        spots = list(_spots(broken))
        if spots:
            _break_one(rng.choice(spots), spots, rng)
    return broken


def _break_one(spot: _Spot, spots: list[_Spot], rng: Random) -> None:
    into, key = spot
    value = into[key]
    match rng.randrange(7):
        case 0:
            del into[key]
        case 1:
            into[key] = deepcopy(rng.choice(STRANGE))
        case 2:
            other = rng.choice(spots)
            into[key] = deepcopy(other.into[other.key]) if other.key in _keys(other.into) else None
        case 3 if isinstance(value, list) and value:
            value.append(deepcopy(rng.choice(value)))
        case 4 if isinstance(value, int | float):
            into[key] = rng.choice((-value, value + 1, value * 1000, str(value), value / 3))
        case 5 if isinstance(value, str) and value:
            place = rng.randrange(len(value))
            into[key] = value[:place] + rng.choice(("", "Z", "9", " ", "\n", ":", "-")) + value[place + 1 :]
        case 6 if isinstance(into, dict):
            into[rng.choice(("id", "type", "unknown", "at", 3, None, True))] = deepcopy(rng.choice(STRANGE))
        case _:
            into[key] = deepcopy(rng.choice(STRANGE))


def _keys(into: Any) -> Any:
    return into.keys() if isinstance(into, dict) else range(len(into) if isinstance(into, list) else 0)


def broken_text(text: str, rng: Random) -> str:
    """A text that was cut off, or in which a stretch was lost, doubled or replaced."""
    place, length = rng.randrange(len(text)), rng.choice((1, 1, 2, 5, 40))
    match rng.randrange(4):
        case 0:
            return text[:place]
        case 1:
            return text[:place] + text[place + length :]
        case 2:
            return text[:place] + text[place : place + length] * 2 + text[place + length :]
        case _:
            return text[:place] + rng.choice(("\x00", "\t", "[", "{", "&a ", "*a", "!", "é", "9" * 30)) + text[place:]


def damaged(plain: Any, text: str, rng: Random) -> str:
    """The text of a file with something wrong with it: mostly what it says, now and then how it is written."""
    return broken_text(text, rng) if rng.randrange(6) == 0 else dump_yaml(broken_plain(plain, rng))
