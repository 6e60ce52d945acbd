"""The way down a tree of answers to one of them: what somebody has to press to give it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import msgspec

from sandtable.core.codec import to_plain
from sandtable.core.decision import Assign, Drawing, Gather, Leaf, Node, Options, Path
from sandtable.core.tree.drawing import drawing_text
from sandtable.session.presenting.pieces import words_in

__all__ = ["Route", "find_route"]

_MOST_NODES = 400
_MOST_FILLINGS = 20_000
"""How much of a tree is looked at; lessons are small."""


class Route(msgspec.Struct, frozen=True):
    """Branches, and below them the destination of a path, as a client names an answer."""

    keys: tuple[str, ...] = ()
    to: str = ""


def find_route(options: Options[Any], action: Any) -> Route | None:
    """How ``action`` is reached, or None where the tree does not lead to just that action."""
    words = frozenset(words_in(to_plain(action))) - {""}
    return _search(options.root, action, words, (), iter(range(_MOST_NODES)))


def _search(
    node: Node[Any], action: Any, words: frozenset[str], keys: tuple[str, ...], budget: Iterator[int]
) -> Route | None:
    if next(budget, None) is None:
        return None
    if isinstance(node, Leaf):
        return Route(keys) if node.action == action else None
    if isinstance(node, Assign | Gather):
        return _filled(node, action, keys)
    if isinstance(node, Drawing):
        return _drawn(node, action, words, keys, budget)
    if isinstance(node, Path):
        for way in node.destinations():
            if isinstance(way.then, Leaf) and way.then.action == action:
                return Route(keys, way.key)
        deeds = (branch for branch in node.branches() if branch.kind == "deed")
        routes = (_search(branch.then, action, words, (*keys, branch.key), budget) for branch in deeds)
        return next((route for route in routes if route is not None), None)
    # What the action names is tried before all else.
    for branch in sorted(node.branches(), key=lambda one: one.ref not in words and not words & set(one.key.split("+"))):
        found = _search(branch.then, action, words, (*keys, branch.key), budget)
        if found is not None:
            return found
    return None


def _drawn(
    node: Drawing[Any], action: Any, words: frozenset[str], keys: tuple[str, ...], budget: Iterator[int]
) -> Route | None:
    """The drawing of the action, and what follows it."""
    strokes = node.strokes_of(action)
    if strokes is None or node.judge(strokes).refusal is not None:
        return None
    return _search(node.answer(strokes), action, words, (*keys, drawing_text(strokes)), budget)


def _filled(node: Node[Any], action: Any, keys: tuple[str, ...]) -> Route | None:
    """The values of all slots that make the action."""
    found = (route for route, made in islice(_fillings(node, keys), _MOST_FILLINGS) if made == action)
    return next(found, None)


def _fillings(node: Node[Any], chosen: tuple[str, ...]) -> Iterator[tuple[Route, Any]]:
    if isinstance(node, Leaf):
        yield Route(chosen), node.action
    for branch in node.branches():
        yield from _fillings(branch.then, (*chosen, branch.key))
