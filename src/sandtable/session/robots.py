"""Bots at work: they think in threads of their own, a few at a time, and always come to an answer.

A bot that fails or takes too long is stood in for by a random answer, so that no game hangs on it; the log
of the server says so.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any

from sandtable.bots import Policy, Question, make_bot
from sandtable.core.decision import Seat
from sandtable.core.ruleset import Ruleset

__all__ = ["Robots"]

_log = logging.getLogger(__name__)


class Robots:
    """The bots of all tables."""

    def __init__(self, at_once: int = 2, patience: float = 20.0) -> None:
        self._threads = ThreadPoolExecutor(at_once, thread_name_prefix="bot")
        self._patience = patience

    async def choose(self, name: str, ruleset: Ruleset[Any, Any, Any], known: Any, seat: str) -> Any:
        """The answer of the bot ``name`` for ``seat``; ``known`` is the concealed state, all that it gets."""
        question: Question[Any] = Question(ruleset, known, Seat(seat))
        policy: Policy = make_bot(name)
        rng = Random(secrets.randbits(64))
        loop = asyncio.get_running_loop()
        thinking = loop.run_in_executor(self._threads, policy.choose, question, rng)
        try:
            action = await asyncio.wait_for(asyncio.shield(thinking), self._patience)
        except TimeoutError:
            _log.warning("bot %s takes longer than %s s; a random answer stands in", name, self._patience)
        except Exception:  # noqa: BLE001 - whatever a bot does wrong, the game goes on
            _log.exception("bot %s failed; a random answer stands in", name)
        else:
            if action in question.options:
                return action
            _log.error("bot %s answered %r, which is not possible; a random answer stands in", name, action)
        return question.options.sample(rng)

    def close(self) -> None:
        """Let the threads go."""
        self._threads.shutdown(wait=False, cancel_futures=True)
