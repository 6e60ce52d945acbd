"""PettingZoo: both seats learn. ``env("na-a-patrol-at-tamrad")`` is wrapped as PettingZoo wants its games."""

from __future__ import annotations

from typing import Any

from sandtable.core.extras import comes_with
from sandtable.rl.table import LearnersTable

with comes_with("research", __name__, "a learning environment"):
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers

    from sandtable.rl.spaces import seen_space

__all__ = ["SandtableZoo", "env", "raw_env"]


def env(scenario: str, **options: Any) -> Any:
    """The environment with PettingZoo's usual wrappers: a masked choice loses the game."""
    wrapped = wrappers.TerminateIllegalWrapper(raw_env(scenario, **options), illegal_reward=-1)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


def raw_env(scenario: str, **options: Any) -> SandtableZoo:
    """The environment itself."""
    return SandtableZoo(scenario, **options)


class SandtableZoo(AECEnv):  # type: ignore[misc]
    """An agent for every seat; the one that is asked chooses, stage by stage."""

    metadata = {"render_modes": ["ansi"], "name": "sandtable_v0", "is_parallelizable": False}  # noqa: RUF012

    def __init__(self, scenario: str, *, shaping: float = 0.0, render_mode: str | None = None, **table: Any) -> None:
        super().__init__()
        self._table = LearnersTable(scenario, **table)
        self._shaping = shaping
        self.render_mode = render_mode
        self.possible_agents = [str(seat) for seat in self._table.seats]
        self._seat_of = {str(seat): seat for seat in self._table.seats}
        self._action_spaces = {agent: spaces.Discrete(self._table.width) for agent in self.possible_agents}
        self._observation_spaces = {agent: seen_space(self._table) for agent in self.possible_agents}
        self._games = 0

    def observation_space(self, agent: str) -> Any:
        """What ``observe`` gives."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The numbers."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Begin a game; without a seed, another one each time."""
        self._games += 1
        self._table.begin(self._games if seed is None else seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = str(self._table.asked)

    def observe(self, agent: str) -> dict[str, Any]:
        """What the agent's seat sees, with the mask of what it may choose."""
        return self._table.sees(self._seat_of[agent])

    def step(self, action: int | None) -> None:
        """Take a choice for the agent whose turn it is."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None  # noqa: S101 - only the dead choose nothing
        self._cumulative_rewards[agent] = 0.0
        seat = self._seat_of[agent]
        before = self._table.lead(seat) if self._shaping else 0.0
        self._table.choose(int(action))
        self.rewards = {str(seat): reward for seat, reward in self._table.rewards().items()}
        if self._shaping:
            gain = self._shaping * (self._table.lead(seat) - before)
            for other in self.agents:
                self.rewards[other] += gain if other == agent else -gain
        if self._table.is_over:
            self.terminations = dict.fromkeys(self.agents, True)
        elif self._table.is_too_long:
            self.truncations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = str(self._table.asked)
        self._accumulate_rewards()

    def render(self) -> str | None:
        """The position in a line."""
        if self.render_mode != "ansi":
            return None
        view = self._table.ruleset.view(self._table.state, None)
        tracks = ", ".join(f"{track.title} {track.steps[track.at]}" for track in view.tracks)
        return f"{tracks}; " + ", ".join(f"{score.side} {score.points}" for score in view.scores)

    def close(self) -> None:
        """Nothing is held open."""
