"""Gymnasium: one seat learns, a bot plays the other.

The reward is 1 for a won game, -1 for a lost one and 0 for a draw or while it runs; ``shaping`` adds that many for
every point that the lead grows by. A choice that the mask closes loses the game at once, as PettingZoo's wrapper has
it.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from sandtable.bots import ask, make_bot
from sandtable.core.content.pack import Pack
from sandtable.core.decision import Seat
from sandtable.core.errors import BadInput, Fault
from sandtable.core.extras import comes_with
from sandtable.rl.table import LIMIT, WIDTH, LearnersTable

with comes_with("research", __name__, "a learning environment"):
    import gymnasium
    from gymnasium import spaces

    from sandtable.rl.spaces import seen_space

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
        limit: int = LIMIT,
        shaping: float = 0.0,
        render_mode: str | None = None,
        extra: Sequence[Pack] = (),
    ) -> None:
        self._table = LearnersTable(scenario, extra, width=width, limit=limit)
        seats = self._table.seats
        if seat is not None and seat not in seats:
            raise BadInput([Fault("seat", repr(seat), f"one of {', '.join(seats)}")])
        self._seat = Seat(seat) if seat is not None else seats[0]
        self._bot = make_bot(opponent, None, "opponent")
        self._shaping = shaping
        self.render_mode = render_mode
        self.action_space = spaces.Discrete(width)
        self.observation_space = seen_space(self._table)
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
        return self._told()

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Take a choice; the reward is for all that happens until the learner is asked again."""
        table = self._table
        if table.stage is None or not table.stage.is_open(int(action)):
            seen, info = self._told()
            return seen, -1.0, True, False, info
        before = table.lead(self._seat)
        table.choose(int(action))
        self._let_the_bot_play()
        reward = table.rewards()[self._seat] + self._shaping * (table.lead(self._seat) - before)
        seen, info = self._told()
        return seen, reward, table.is_over, not table.is_over and table.is_too_long, info

    def _let_the_bot_play(self) -> None:
        table = self._table
        while not table.is_over and table.asked != self._seat:
            table.play(ask(self._bot, table.ruleset, table.state, table.asked, self._chance))

    def _told(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """What the learner sees, and beside it the mask again, where some libraries look for it, and the lead."""
        seen = self._table.sees(self._seat)
        return seen, {"action_mask": seen["action_mask"], "lead": self._table.lead(self._seat)}

    def render(self) -> str | None:
        """The position in a line."""
        if self.render_mode != "ansi":
            return None
        view = self._table.ruleset.view(self._table.state, self._seat)
        return ", ".join(f"{score.side} {score.points}" for score in view.scores)
