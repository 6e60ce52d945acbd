"""Checks of open questions: what is suggested or sampled is accepted, and of anything else all say the same.

Drawings are made wild from legal ones: places moved a little or far, strokes dropped, doubled and swapped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from msgspec.structs import replace

from sandtable.core.decision import Drawing, Node, Options, Sweep
from sandtable.core.errors import Refusal, Refused
from sandtable.core.tree.drawing import MOST_STROKES, Strokes, drawing_text, read_drawing_text
from sandtable.core.tree.open import MOST_SUGGESTIONS
from sandtable.testing.broken import require

__all__ = ["check_drawing", "mutated", "told_of_drawing"]

_WILD = 4
"""How many drawings are made wild at each open question."""
_FARTHEST = 5000


def check_drawing(node: Drawing[Any], refusal: Callable[[Any], Refusal | None], rng: Random) -> None:
    """Suggestions and samples are accepted, keys read back, and judge and rules agree on whatever is drawn."""
    suggested = [one.strokes for one in node.suggestions()]
    require(0 < len(suggested) <= MOST_SUGGESTIONS, "drawing", f"{len(suggested)} suggestions at a {node.shape}")
    sketched = node.sketch(rng)
    for strokes in (*suggested, sketched):
        _check_legal(node, strokes, refusal, rng)
    for length in range(len(sketched)):
        check_wild(node, sketched[:length], refusal)
    for strokes in _wild(rng.choice([*suggested, sketched]), rng):
        check_wild(node, strokes, refusal)


def _check_legal(node: Drawing[Any], strokes: Strokes, refusal: Callable[[Any], Refusal | None], rng: Random) -> None:
    text = drawing_text(strokes)
    judged = node.judge(strokes)
    require(judged.refusal is None, "drawing", f"{text} is offered and refused: {judged.refusal}")
    require(judged.upto == len(strokes), "drawing", f"{text} is legal and holds up to stroke {judged.upto} only")
    branch = node.branch(text)
    require(branch is not None and branch.key == text, "drawing", f"{text} does not lead to its own branch")
    action = node.answer(strokes).sample(rng)
    why = refusal(action)
    require(why is None, "drawing", f"{text} is legal, and what follows it is refused: {why}")
    require(node.strokes_of(action) == strokes, "drawing", f"{text} is not the drawing of the action that it leads to")


def check_wild(node: Drawing[Any], strokes: Strokes, refusal: Callable[[Any], Refusal | None]) -> None:
    """Judge, rules and key say the same of a drawing, and a refusal says why and how far it holds."""
    text = drawing_text(strokes)
    require(read_drawing_text(text) == strokes, "drawing", f"{text} does not read back")
    judged = node.judge(strokes)
    by_rules = refusal(node.worded(strokes))
    told = f"judge says {judged.refusal} and the rules {by_rules} of {text}"
    require((judged.refusal is None) == (by_rules is None), "drawing", told)
    try:
        found = node.branch(text)
    except Refused as refused:
        require(refused.refusal == judged.refusal, "drawing", f"{text} has two refusals")
    else:
        require(judged.refusal is None and found is not None, "drawing", f"{text} is refused and has a branch")
    if judged.refusal is not None:
        require(bool(judged.refusal.rule and judged.refusal.reason), "drawing", f"{text}: no rule or no reason")
        require(0 <= judged.upto <= len(strokes), "drawing", f"{text} holds up to stroke {judged.upto}")
        held = node.judge(strokes[: judged.upto]).refusal if isinstance(node, Sweep) else None
        require(held is None, "drawing", f"{text} does not hold as far as it is said: {held}")


def _wild(strokes: Strokes, rng: Random) -> Iterator[Strokes]:
    for _ in range(_WILD):
        strokes = mutated(strokes, rng)
        yield strokes


def mutated(strokes: Strokes, rng: Random) -> Strokes:
    """A drawing with a stroke moved, turned, dropped, doubled or swapped with another."""
    found = list(strokes)
    if not found:
        return strokes
    index = rng.randrange(len(found))
    one = found[index]
    match rng.randrange(5):
        case 0 if one.at is not None:
            reach = rng.choice((1, 50, 1000, _FARTHEST))
            x, y = one.at[0] + rng.randint(-reach, reach), one.at[1] + rng.randint(-reach, reach)
            found[index] = replace(one, at=(x, y))
        case 0 | 1:
            found[index] = replace(one, heading=None if one.heading is None else rng.randrange(3600))
        case 2:
            del found[index]
        case 3 if len(found) < MOST_STROKES:
            found.insert(index, one)
        case _:
            other = rng.randrange(len(found))
            found[index], found[other] = found[other], one
    return tuple(found)


def told_of_drawing(options: Options[Any], seed: float) -> list[Any]:
    """What a client can find out about an open question on a walk: what may be drawn, and what is said of it."""
    rng, node = Random(seed), options.root
    while not isinstance(node, Drawing):
        branches = list(node.branches())
        if not branches:
            return []
        node = _next(branches, rng)
    strokes = node.sketch(rng)
    judged = [node.judge(one) for one in (strokes, *_wild(strokes, rng))]
    return [node.shape, node.verbs, node.base, node.turns, node.region(), *judged]


def _next(branches: list[Any], rng: Random) -> Node[Any]:
    then: Node[Any] = rng.choice(branches).then
    return then
