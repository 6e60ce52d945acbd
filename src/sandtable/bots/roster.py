"""The bots by name: ``random``, ``greedy`` and ``captain``, the last with a level and a character.

``captain:3:bold`` is a captain of level 3; what is left out is level 2 and steady. A name is all that a log, a table
or a command needs to say who plays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches

from sandtable.bots.captain import Captain
from sandtable.bots.clock import DEFAULT_SECONDS
from sandtable.bots.greedy import GreedyBot
from sandtable.bots.looking import Helpers
from sandtable.bots.policy import Policy
from sandtable.bots.random import RandomBot
from sandtable.bots.style import LEVELS, Character
from sandtable.core.errors import BadInput, Fault

__all__ = ["BOTS", "Roster", "make_bot"]

ALIASES = {"simple": "greedy"}
"""Names of earlier bots, which old logs may hold."""


def make_bot(
    name: str, seconds: float | None = DEFAULT_SECONDS, where: str = "bot", helpers: Helpers | None = None
) -> Policy:
    """The bot of a name; raise :class:`BadInput` if there is none.

    ``seconds`` None is for games without a clock; ``helpers`` take looks for a captain.
    """
    kind, *rest = ALIASES.get(name, name).split(":")
    if kind == "random" and not rest:
        return RandomBot()
    if kind == "greedy" and not rest:
        return GreedyBot(seconds)
    if kind == "captain" and len(rest) <= 2:
        level, character = (*rest, *("2", Character.STEADY.value)[len(rest) :])
        if level in map(str, LEVELS) and character in set(Character):
            return Captain(int(level), Character(character), seconds, helpers)
    near = get_close_matches(name, list(BOTS), n=3, cutoff=0.4)
    right = f"perhaps {' or '.join(near)}" if near else "random, greedy or captain:LEVEL:CHARACTER"
    raise BadInput([Fault(where, f"no bot {name!r}", right)])


class Roster(Mapping[str, Callable[[], Policy]]):
    """Makers of bots by name: lists the usual names, knows all."""

    def __iter__(self) -> Iterator[str]:
        yield from ("random", "greedy", "captain")
        for level in LEVELS:
            for character in Character:
                yield f"captain:{level}:{character}"
        yield from ALIASES

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, name: object) -> bool:
        try:
            make_bot(str(name))
        except BadInput:
            return False
        return True

    def __getitem__(self, name: str) -> Callable[[], Policy]:
        if name not in self:
            raise KeyError(name)
        return lambda: make_bot(name)


BOTS: Mapping[str, Callable[[], Policy]] = Roster()
"""Bots by the names that commands know."""
