"""Questions of situation files: which of a system's answers is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from sandtable.core.errors import BadInput, Fault

__all__ = ["Answer", "answer_one"]

C = TypeVar("C")
S = TypeVar("S")
Answer = dict[str, Any]


def answer_one(
    known: Mapping[str, Callable[[C, S, Any, str], Answer]],
    context: C,
    state: S,
    question: Mapping[str, Any],
    where: str,
) -> Answer:
    """Answer a question of one key; raise :class:`BadInput` if it is none that is known."""
    if len(question) == 1:
        ((name, about),) = question.items()
        if name in known:
            return known[name](context, state, about, f"{where}: ask.{name}")
    raise BadInput([Fault(f"{where}: ask", f"{sorted(question)}", f"one of {', '.join(known)}")])
