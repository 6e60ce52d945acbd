"""Questions of situation files: which of a system's answers is asked for, and what it is asked about."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Generic, NamedTuple, TypeVar

from sandtable.core.content.reading import convert
from sandtable.core.errors import BadInput, Fault, Refused

__all__ = ["Answer", "Question", "answer_one"]

C = TypeVar("C")
S = TypeVar("S")
Answer = dict[str, Any]


class Question(NamedTuple, Generic[C, S]):
    """A question that a situation file may ask of a position, and what works its answer out."""

    about: Any
    """The type of what it is asked about; the answer is given something of that type and nothing else."""
    answer: Callable[[C, S, Any, str], Answer]


def answer_one(
    known: Mapping[str, Question[C, S]],
    context: C,
    state: S,
    question: Mapping[str, Any],
    where: str,
) -> Answer:
    """Answer a question of one key; raise :class:`BadInput` if it is none that is known, or has no answer."""
    if len(question) == 1:
        ((name, about),) = question.items()
        if name in known:
            place = f"{where}: ask.{name}"
            try:
                return known[name].answer(context, state, convert(about, known[name].about, place), place)
            except Refused as refused:
                raise BadInput([Fault(place, str(refused.refusal))]) from None
    names = ", ".join(sorted(map(str, question))) or "nothing"
    raise BadInput([Fault(f"{where}: ask", names, f"one of {', '.join(known)}")])
