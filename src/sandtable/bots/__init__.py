"""Computer players: they see what their seat may see, and answer what it is asked."""

from __future__ import annotations

from sandtable.bots.policy import Policy, Question, ask
from sandtable.bots.random import RandomBot
from sandtable.bots.simple import SimpleBot
from sandtable.core.errors import BadInput, Fault

__all__ = ["BOTS", "Policy", "Question", "RandomBot", "SimpleBot", "ask", "make_bot"]

BOTS: dict[str, type[Policy]] = {"random": RandomBot, "simple": SimpleBot}
"""Policies by the names that commands know, the strongest last."""


def make_bot(name: str, where: str = "bot") -> Policy:
    """The bot of a name; raise :class:`BadInput` if there is none."""
    if name not in BOTS:
        raise BadInput([Fault(where, f"no bot {name!r}", f"one of {', '.join(BOTS)}")])
    return BOTS[name]()
