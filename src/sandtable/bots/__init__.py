"""Computer players: they see what their seat may see, and answer what it is asked."""

from __future__ import annotations

from sandtable.bots.policy import Policy, Question, ask
from sandtable.bots.random import RandomBot
from sandtable.bots.simple import SimpleBot

__all__ = ["BOTS", "Policy", "Question", "RandomBot", "SimpleBot", "ask"]

BOTS: dict[str, type[Policy]] = {"random": RandomBot, "simple": SimpleBot}
"""Policies by the names that commands know."""
