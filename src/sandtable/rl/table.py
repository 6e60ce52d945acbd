"""A game as learners play it: whose turn it is, what he sees and may choose, what comes of it, what it was worth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from sandtable import catalog
from sandtable.core.content.pack import Pack
from sandtable.core.decision import Decision, Seat
from sandtable.core.dice import SeededDice
from sandtable.core.ruleset import Ruleset
from sandtable.core.view import View
from sandtable.rl.arrays import CHOICE, Eye
from sandtable.rl.stages import Stage

__all__ = ["LIMIT", "WIDTH", "LearnersTable"]

WIDTH = 64
"""Numbers that there are to choose from, unless told otherwise."""
LIMIT = 20_000
"""Choices after which a game is cut off, unless told otherwise."""


class LearnersTable:
    """One scenario; :meth:`begin` starts a game of it."""

    def __init__(self, scenario: str, extra: Sequence[Pack] = (), *, width: int = WIDTH, limit: int = LIMIT) -> None:
        self.ruleset: Ruleset[Any, Any, Any] = catalog.open_scenario(scenario, extra).ruleset
        self.width = width
        self.limit = limit
        self.seats = self.ruleset.seats
        self.eye = Eye(self.ruleset, width)
        self.state: Any = None
        self.decision: Decision[Any] | None = None
        self.stage: Stage | None = None
        self._dice = SeededDice(0)
        self._views: dict[Seat, View] = {}
        self.chosen = 0
        """Choices taken in this game."""

    def begin(self, seed: int) -> None:
        """Set up, and go on to the first question with something to choose."""
        self._dice = SeededDice(f"rl {seed}")
        self.state = self.ruleset.begin(self.ruleset.setup(), self._dice).state
        self._views.clear()
        self.chosen = 0
        self._ask()

    def _ask(self) -> None:
        """The next question that has more than one answer; the others are answered at once."""
        while True:
            self.decision = self.ruleset.decision(self.state)
            if self.decision is None:
                self.stage = None
                return
            self.stage = Stage(self._known_decision().options(self.asked), self.width)
            if self.stage.action is None:
                return
            self._play(self.stage.action)

    def _known_decision(self) -> Decision[Any]:
        """The question as the asked seat knows it: options are worked out from its own knowledge."""
        known = self.ruleset.decision(self.ruleset.conceal(self.state, self.asked))
        assert known is not None  # noqa: S101 - what is asked does not depend on who looks
        return known

    @property
    def asked(self) -> Seat:
        """The seat that has to choose."""
        assert self.decision is not None  # noqa: S101 - asked only while the game runs
        return self.decision.asked[0]

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.decision is None

    @property
    def is_too_long(self) -> bool:
        """Whether the learners have had all the choices that a game may take: one may turn pages for ever."""
        return self.chosen >= self.limit

    def choose(self, number: int) -> None:
        """Take the choice of this number for the asked seat."""
        assert self.stage is not None  # noqa: S101 - only while the game runs
        self.chosen += 1
        self.stage.choose(number)
        if self.stage.action is not None:
            self._play(self.stage.action)
            self._ask()

    def _play(self, action: Any) -> None:
        self.state = self.ruleset.resolve(self.state, self.asked, action, self._dice).state
        self._views.clear()

    def play(self, action: Any) -> None:
        """A whole answer for the asked seat, as bots give it."""
        self._play(action)
        self._ask()

    def _view(self, seat: Seat) -> View:
        """The view of a seat, made once for a state."""
        if seat not in self._views:
            self._views[seat] = self.ruleset.view(self.state, seat)
        return self._views[seat]

    def sees(self, seat: Seat) -> dict[str, Any]:
        """What a seat sees: observation, choices and mask; for one who is not asked there is nothing to choose."""
        view = self._view(seat)
        asked = self.decision is not None and seat == self.asked
        depth = self.decision.depth if self.decision is not None else 0
        mask = np.zeros(self.width, dtype=np.int8)
        choices = np.zeros((self.width, CHOICE), dtype=np.float32)
        if self.stage is not None and asked:
            choices = self.eye.choices(view, self.stage)
            mask[: len(self.stage.choices)] = 1
            if self.stage.has_more:
                mask[self.width - 1] = 1
        observation = self.eye.observation(view, depth, asked, self.chosen / self.limit)
        return {"observation": observation, "choices": choices, "action_mask": mask}

    def rewards(self) -> dict[Seat, float]:
        """1 for the winner, -1 for the loser, 0 for a draw or while the game runs."""
        outcome = self.ruleset.outcome(self.state) if self.is_over else None
        if outcome is None or not outcome.winner:
            return dict.fromkeys(self.seats, 0.0)
        return {seat: 1.0 if seat == outcome.winner else -1.0 for seat in self.seats}

    def lead(self, seat: Seat) -> float:
        """Points of a seat over the best of the others, as the view counts them."""
        points = {score.side: score.points for score in self._view(seat).scores}
        others = [count for side, count in points.items() if side != seat]
        return points.get(seat, 0) - max(others, default=0)
