"""Questions of situation files: which of a system's answers is asked for, and what it is asked about."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Generic, NamedTuple, TypeVar

from sandtable.core.content.reading import convert
from sandtable.core.errors import BadInput, Fault, Refused

__all__ = ["Answer", "Question", "answer_one", "named"]

C = TypeVar("C")
S = TypeVar("S")
K = TypeVar("K", bound=str)
V = TypeVar("V")
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
            except BadInput as bad:
                raise BadInput([_placed(fault, where, place) for fault in bad.faults]) from None
    names = ", ".join(sorted(map(str, question))) or "nothing"
    raise BadInput([Fault(f"{where}: ask", names, f"one of {', '.join(known)}")])


def _placed(fault: Fault, where: str, place: str) -> Fault:
    """A fault with the file and field of the question: maps and tables name their own."""
    return fault if fault.where.startswith(where) else Fault(f"{place}: {fault.where}", fault.wrong, fault.right)


def named(things: Mapping[K, V], name: K, what: str, where: str) -> V:
    """What a question is about, by its name; raise :class:`BadInput` if there is none of that name."""
    found = things.get(name)
    if found is None:
        raise BadInput([Fault(where, f"no {what} {name!r}", f"one of {', '.join(things)}")])
    return found
