"""The way down a tree of answers to one of them: what somebody has to press to give it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import msgspec

from sandtable.core.codec import to_plain
from sandtable.core.decision import Assign, Drawing, Gather, Leaf, Node, Options, Path
from sandtable.core.tree.drawing import Mark, drawing_text, read_drawing_text
from sandtable.session.presenting.pieces import words_in

__all__ = ["Route", "are_drawn_alike", "find_route"]

_MOST_NODES = 400
_MOST_FILLINGS = 20_000
"""How much of a tree is looked at; lessons are small."""
_NEAR = 1000
"""A hand hits a place to an inch ..."""
_ASKEW = 450
"""... and a heading to an eighth of a circle."""
_CIRCLE = 3600


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


def are_drawn_alike(options: Options[Any], one: Any, other: Any) -> bool:
    """Whether two actions differ in nothing but how a hand drew them: their drawings end nearly alike."""
    routes = find_route(options, one), find_route(options, other)
    if routes[0] is None or routes[1] is None or len(routes[0].keys) != len(routes[1].keys):
        return False
    different = [i for i, keys in enumerate(zip(routes[0].keys, routes[1].keys, strict=True)) if keys[0] != keys[1]]
    if len(different) != 1:
        return False
    at = different[0]
    node = options.at(*routes[0].keys[:at])
    if not isinstance(node, Drawing):
        return False
    ends = [_end(node, route.keys[at]) for route in routes if route is not None]
    return _is_near(*ends)


def _end(node: Drawing[Any], text: str) -> Mark | None:
    marks = node.judge(read_drawing_text(text) or ()).marks
    return marks[-1] if marks else None


def _is_near(one: Mark | None, other: Mark | None) -> bool:
    if one is None or other is None:
        return False
    off = abs((one.heading or 0) - (other.heading or 0))
    square = (one.at[0] - other.at[0]) ** 2 + (one.at[1] - other.at[1]) ** 2
    return square <= _NEAR**2 and min(off, _CIRCLE - off) <= _ASKEW
