"""Names: what people may be called, and which names are one and the same to a reader.

A name is normalised (NFKC) and has no characters that cannot be seen or that turn the direction of writing. Two names
that a reader cannot tell apart have the same key, so that nobody passes for another; the names of the table itself, of
systems and of computer players are nobody's.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

__all__ = ["clean_name", "clean_text", "is_reserved", "name_key"]

_MOST_MARKS = 2
"""Accents on one letter; more of them grow over other people's lines."""
_UNSEEN = frozenset("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\u034f\u180b\u180c\u180d\u180f\ufe0e\ufe0f")
"""Characters that count as letters or marks and show nothing."""
_RESERVED = frozenset(
    {"table", "watcher", "guest", "sandtable", "server", "system", "host", "bot", "bots", "computer", "nobody"}
    | {"admin", "administrator", "moderator", "referee", "umpire", "random", "greedy", "captain"}
)
_LOOKALIKES = str.maketrans(
    {
        # Cyrillic, Greek and other small letters that are drawn like Latin ones.
        "\u0430": "a",
        "\u0432": "b",
        "\u0435": "e",
        "\u0433": "r",
        "\u0437": "z",
        "\u0456": "i",
        "\u0458": "j",
        "\u043a": "k",
        "\u043c": "m",
        "\u043d": "h",
        "\u043e": "o",
        "\u0440": "p",
        "\u0441": "c",
        "\u0442": "t",
        "\u0443": "y",
        "\u0445": "x",
        "\u0455": "s",
        "\u0501": "d",
        "\u051b": "q",
        "\u051d": "w",
        "\u04bb": "h",
        "\u04cf": "l",
        "\u044c": "b",
        "\u03b1": "a",
        "\u03b2": "b",
        "\u03b5": "e",
        "\u03b7": "n",
        "\u03b9": "i",
        "\u03ba": "k",
        "\u03bd": "v",
        "\u03bf": "o",
        "\u03c1": "p",
        "\u03c4": "t",
        "\u03c5": "u",
        "\u03c7": "x",
        "\u03b3": "y",
        "\u03c9": "w",
        "\u0131": "i",
        "\u0269": "i",
        "\u0261": "g",
        "\u0251": "a",
        "\u0185": "b",
    }
)


def clean_text(text: str, longest: int) -> str:
    """``text`` without control characters, unseen ones and needless space, cut to ``longest``."""
    return _cleaned(unicodedata.normalize("NFC", text[: 8 * longest]), longest)


def clean_name(text: str, longest: int) -> str:
    """A name as it will stand."""
    return _cleaned(unicodedata.normalize("NFKC", text[: 8 * longest]), longest)


def _cleaned(text: str, longest: int) -> str:
    shown: list[str] = []
    marks = 0
    for c in text:
        category = unicodedata.category(c)
        marks = marks + 1 if category in ("Mn", "Me") else 0
        if c in _UNSEEN or "\U000e0100" <= c <= "\U000e01ef" or marks > _MOST_MARKS:
            continue
        shown.append(c if c == " " or category[0] not in "CZ" else " ")
    return " ".join("".join(shown).split())[:longest]


def name_key(name: str) -> str:
    """The same for names that look the same; of a name in plain letters, the name in small letters."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold()).translate(_LOOKALIKES)


def is_reserved(name: str, more: Iterable[str] = ()) -> bool:
    """Whether a name belongs to the table itself, to a guest or a computer player, or to one of ``more``."""
    key = name_key(name)
    first, _, rest = key.partition(" ")
    # "Guest 1234", "Captain 2, bold"
    is_numbered = _letters(first) in _RESERVED and rest[:1].isdigit()
    return is_numbered or _letters(key) in _RESERVED | {_letters(name_key(one)) for one in more}


def _letters(key: str) -> str:
    return "".join(c for c in key if c.isalnum())
