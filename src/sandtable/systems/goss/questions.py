"""Questions that a situation file may ask: what a player would look up or work out at the table.

A question is a mapping with one key that names it, and what it is about; every room brings those of its chapter.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sandtable.core.content.questions import Answer, Question, answer_one
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.state import State
from sandtable.systems.goss.ground.sight_report import sight_report
from sandtable.systems.goss.observation import questions as observation

__all__ = ["answer"]


def _sight(context: Context, state: State, about: tuple[str, str], where: str) -> Answer:  # noqa: ARG001
    return sight_report(context.ground, context.game_map, *about)


QUESTIONS: Mapping[str, Question[Context, State]] = {
    "los": Question(tuple[str, str], _sight),
    **observation.QUESTIONS,
}


def answer(context: Context, state: State, question: Mapping[str, Any], where: str) -> Answer:
    """Answer a question of a situation file."""
    return answer_one(QUESTIONS, context, state, question, where)
