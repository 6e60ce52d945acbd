"""Gymnasium: one seat learns, a bot plays the other.

A choice that the mask closes loses the game at once, as PettingZoo's wrapper has it.
"""

from __future__ import annotations

from random import Random
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from sandtable.bots import Question, make_bot
from sandtable.core.decision import Seat
from sandtable.core.errors import BadInput, Fault
from sandtable.rl.arrays import CHOICE
from sandtable.rl.table import WIDTH, LearnersTable

__all__ = ["SandtableGym"]


class SandtableGym(gymnasium.Env[dict[str, Any], Any]):
    """A scenario against a bot."""

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012

    def __init__(
        self,
        scenario: str,
        *,
        seat: str | None = None,
        opponent: str = "random",
        width: int = WIDTH,
        shaping: float = 0.0,
        render_mode: str | None = None,
    ) -> None:
        self._table = LearnersTable(scenario, width=width)
        seats = self._table.seats
        if seat is not None and seat not in seats:
            raise BadInput([Fault("seat", repr(seat), f"one of {', '.join(seats)}")])
        self._seat = Seat(seat) if seat is not None else seats[0]
        self._bot = make_bot(opponent, None, "opponent")
        self._shaping = shaping
        self.render_mode = render_mode
        self.action_space = spaces.Discrete(width)
        self.observation_space = spaces.Dict(
            {
                "observation": spaces.Box(-1.0, 1.0, (self._table.eye.size,), dtype=np.float32),
                "choices": spaces.Box(-1.0, 1.0, (width, CHOICE), dtype=np.float32),
                "action_mask": spaces.Box(0, 1, (width,), dtype=np.int8),
            }
        )
        self._chance = Random(0)

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats of the scenario."""
        return tuple(map(str, self._table.seats))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin a game, and let the bot answer until it is the learner's turn."""
        super().reset(seed=seed, options=options)
        number = int(self.np_random.integers(2**31))
        self._chance = Random(f"opponent {number}")
        self._table.begin(number)
        self._let_the_bot_play()
        return self._seen(), self._info()

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Take a choice; the reward is for all that happens until the learner is asked again."""
        table = self._table
        assert table.stage is not None or table.is_over  # noqa: S101
        if table.is_over or table.stage is None or not table.stage.is_open(int(action)):
            return self._seen(), -1.0, True, False, self._info()
        before = table.lead(self._seat)
        table.choose(int(action))
        self._let_the_bot_play()
        reward = table.rewards()[self._seat] + self._shaping * (table.lead(self._seat) - before)
        return self._seen(), reward, table.is_over, False, self._info()

    def _let_the_bot_play(self) -> None:
        table = self._table
        while not table.is_over and table.asked != self._seat:
            known = table.ruleset.conceal(table.state, table.asked)
            question: Question[Any] = Question(table.ruleset, known, table.asked)
            table.play(self._bot.choose(question, self._chance))

    def _seen(self) -> dict[str, Any]:
        observation, choices, mask = self._table.sees(self._seat)
        return {"observation": observation, "choices": choices, "action_mask": mask}

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._seen_mask(), "lead": self._table.lead(self._seat)}

    def _seen_mask(self) -> Any:
        return self._table.sees(self._seat)[2]

    def render(self) -> str | None:
        """The position in a line."""
        if self.render_mode != "ansi":
            return None
        view = self._table.ruleset.view(self._table.state, self._seat)
        return ", ".join(f"{score.side} {score.points}" for score in view.scores)
