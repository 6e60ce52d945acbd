"""Computer players: they see what their seat may see, and answer what it is asked."""

from __future__ import annotations

from sandtable.bots.explain import Explanation
from sandtable.bots.policy import Judgement, Policy, Question, ask
from sandtable.bots.random import RandomBot
from sandtable.bots.roster import BOTS, make_bot

__all__ = ["BOTS", "Explanation", "Judgement", "Policy", "Question", "RandomBot", "ask", "make_bot"]
