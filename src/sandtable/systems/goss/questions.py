"""Questions that a situation file may ask: what a player would look up or work out at the table.

A question is a mapping with one key that names it, and what it is about; every room brings those of its chapter.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sandtable.core.content.questions import Answer, Question, answer_one
from sandtable.systems.goss.assault import questions as assault
from sandtable.systems.goss.common import questions as common
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.state import State
from sandtable.systems.goss.ground.sight_report import sight_report
from sandtable.systems.goss.movement import questions as movement
from sandtable.systems.goss.observation import questions as observation
from sandtable.systems.goss.support import questions as support

__all__ = ["answer"]


def _sight(context: Context, state: State, about: tuple[str, str], where: str) -> Answer:  # noqa: ARG001
    return sight_report(context.ground_in(state), context.game_map, *about)


def _turn(context: Context, state: State, about: None, where: str) -> Answer:  # noqa: ARG001
    """What is played now: the game turn, its segment, and whose player turn it is (3.2.1)."""
    player, segment = state.at.player, state.at.segment
    return {
        "part": context.part(state).value,
        "phase": segment.phase.value if segment is not None else "",
        "segment": segment.step.value if segment is not None else "",
        "active": player,
        "inactive": context.other(player) if player else "",
    }


QUESTIONS: Mapping[str, Question[Context, State]] = {
    "los": Question(tuple[str, str], _sight),
    "turn": Question(None, _turn),
    **common.QUESTIONS,
    **movement.QUESTIONS,
    **observation.QUESTIONS,
    **support.QUESTIONS,
    **assault.QUESTIONS,
}


def answer(context: Context, state: State, question: Mapping[str, Any], where: str) -> Answer:
    """Answer a question of a situation file."""
    return answer_one(QUESTIONS, context, state, question, where)
