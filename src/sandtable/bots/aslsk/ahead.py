"""Looking ahead to the end of the player turn: what captains do where a whole turn hangs on an answer (3.0).

First sight weighs one unit, one shot or one step at a time. Whether to fire or to move, whom to stop and when to halt
is decided by what all the others do afterwards, and by what the enemy makes of it: so a few answers are played
to the end of the player turn, all in the same few worlds, and judged where that leads.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from sandtable.bots.doctrine import Idea
from sandtable.bots.policy import Question
from sandtable.bots.style import Level, Style
from sandtable.core.decision import Seat
from sandtable.core.dice import Dice
from sandtable.systems.aslsk.common.actions import Action
from sandtable.systems.aslsk.pieces.state import Phase, State

if TYPE_CHECKING:
    from sandtable.bots.aslsk.commander import AslskDoctrine

__all__ = ["MOST", "SKILLED", "Ahead", "effort"]

SKILLED = 2
"""The level from which on captains look as far."""
DOUBT = 1.0
"""Points by which first sight errs, beside a look to the end of the player turn."""
MOST = {
    2: Level(breadth=3, worlds=6, looks=0, answer_looks=15, steps=180),
    3: Level(breadth=4, worlds=12, looks=0, answer_looks=36, steps=500),
}
"""How much they look at the most, by level: a player turn is many steps, and an answer is wanted within a second."""
DRIVING = 2
"""How many times the steps there are where vehicles are: most of them are short questions about fire."""


def effort(number: int, level: Level, state: State) -> Level:
    """How much of what the level with this number allows is spent on looks as far as that."""
    most = MOST[min(number, max(MOST))]
    steps = most.steps * DRIVING if state.vehicles else most.steps
    return Level(
        breadth=min(level.breadth, most.breadth),
        worlds=min(level.worlds, most.worlds),
        looks=0,
        answer_looks=min(level.answer_looks, most.answer_looks),
        steps=min(level.steps, steps),
    )


class Ahead:
    """The doctrine, looking farther."""

    def __init__(self, doctrine: AslskDoctrine) -> None:
        self.doubt = DOUBT
        self._doctrine = doctrine
        self.imagined = doctrine.imagined

    def ideas(self, question: Question[Any], style: Style, rng: Random) -> list[Idea]:
        """The best answers at first sight, and among the first of them to do nothing more."""
        found = self._doctrine.ideas(question, style, rng)
        few = MOST[min(style.level, max(MOST))].breadth - 1
        return [*found[:few], *found[-1:], *found[few:-1]] if len(found) > few + 1 else found

    def slots(self, question: Question[Any], style: Style, rng: Random) -> list[list[Idea]] | None:
        """No question of this system is an assignment."""
        return self._doctrine.slots(question, style, rng)

    def imagine(self, question: Question[Any], style: Style, rng: Random) -> State:
        """A whole position."""
        return self._doctrine.imagine(question, style, rng)

    def rollout(self, state: State, seat: Seat, style: Style, rng: Random) -> Action:
        """A quick, sound answer."""
        return self._doctrine.rollout(state, seat, style, rng)

    def go_on(self, state: State, seat: Seat, style: Style, rng: Random, dice: Dice) -> State:
        """What that answer leads to."""
        return self._doctrine.go_on(state, seat, style, rng, dice)

    def is_over(self, begun: State, state: State) -> bool:
        """To the end of the player turn."""
        return (state.turn, state.attacker) != (begun.turn, begun.attacker)

    def worth(self, state: State, seat: Seat, style: Style) -> float:
        """The points of a position where a player turn begins: in which phase somebody is asked first is all one."""
        return self._doctrine.worth(state if state.ended else replace(state, phase=Phase.RALLY), seat, style)

    def plan(self, question: Question[Any], style: Style) -> list[str]:
        """What the side is about."""
        return self._doctrine.plan(question, style)
