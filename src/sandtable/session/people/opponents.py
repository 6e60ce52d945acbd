"""The computer players that people choose from, and what they are called."""

from __future__ import annotations

import msgspec

from sandtable.bots import make_bot

__all__ = ["BotRow", "bot_rows", "bot_title"]


class BotRow(msgspec.Struct, frozen=True):
    """A computer player that can be chosen."""

    name: str
    """What a seat or a hint asks for."""
    kind: str
    title: str
    level: int | None
    """How far it looks, 1 to 3, where that can be chosen."""
    character: str
    """How it plays, where that can be chosen."""


def bot_title(name: str) -> str:
    """What people read: "Captain 2, bold"."""
    kind, *rest = name.split(":")
    title = kind.capitalize()
    if rest:
        title += f" {rest[0]}"
    return f"{title}, {rest[1]}" if len(rest) > 1 else title


def bot_rows(names: tuple[str, ...]) -> tuple[BotRow, ...]:
    """The bots of these names, each once: a name that leaves something open stands for one that says it."""
    rows = []
    for name in names:
        if make_bot(name).name != name:
            continue
        kind, *rest = name.split(":")
        level = int(rest[0]) if rest else None
        rows.append(BotRow(name, kind, bot_title(name), level, rest[1] if len(rest) > 1 else ""))
    return tuple(rows)
