"""Whether an action is among the options, by looking for it in the tree and not by asking the rules.

The same answer may be worded in several ways: firers named in another order, a default left out. It is offered if one
wording of it is: one that names the same things, or comes to the same position.

A tree may hold millions of answers. The search goes down only where the action can be: past branches about a counter or
a hex that the action does not name, into paths that it begins with, and through slots one by one. It gives up after so
many nodes: then nothing is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from sandtable.core.codec import encode, to_plain
from sandtable.core.decision import Assign, Branch, Drawing, Gather, Leaf, Node, Path, Seat, Slot
from sandtable.core.dice import SeededDice
from sandtable.core.errors import BadInput
from sandtable.core.ruleset import Ruleset

__all__ = ["is_offered"]

AnyRuleset = Ruleset[Any, Any, Any]
MOST_NODES = 4000


class _Tired(Exception):
    """The search has looked at too many nodes."""


def is_offered(ruleset: AnyRuleset, state: Any, seat: Seat, action: Any) -> bool | None:
    """Whether ``action``, which is legal, is a leaf of the tree; None if the search gave up."""
    decision = ruleset.decision(state)
    if decision is None:
        return False

    def comes_to(other: Any) -> Any:
        return to_plain(ruleset.resolve(state, seat, other, SeededDice(0)).state)

    try:
        root = decision.options(seat).root
        return any(_Search(action, meaning, ruleset.place).holds(root) for meaning in (_named, comes_to))
    except _Tired:
        return None


def _named(action: Any) -> Any:
    return _unordered(to_plain(action))


class _Search:
    def __init__(self, action: Any, meaning: Callable[[Any], Any], place: Callable[[str], Any]) -> None:
        self._action = action
        self._plain = _named(action)
        self._meaning = meaning
        self._meant = meaning(action)
        self._names = set(_names(to_plain(action)))
        self._place = place
        self._seen = 0

    def holds(self, node: Node[Any], *, on_way: bool = False) -> bool:
        """Whether the action is below the node; ``on_way`` if that is inside a path."""
        self._seen += 1
        if self._seen > MOST_NODES:
            raise _Tired
        if isinstance(node, Leaf):
            if self._meaning is _named:
                return _is_alike(to_plain(node.action), self._meant)
            return bool(self._meaning(node.action) == self._meant)
        if isinstance(node, Drawing):
            return self._draws(node, on_way=on_way)
        if type(node) in (Assign, Gather):
            return self._fills(node)  # type: ignore[arg-type]
        on_way = on_way or isinstance(node, Path)
        return any(
            self._may_hold(node, branch, on_way=on_way) and self.holds(branch.then, on_way=on_way)
            for branch in node.branches()
        )

    def _may_hold(self, node: Node[Any], branch: Branch[Any], *, on_way: bool) -> bool:
        if isinstance(node, Path) or (on_way and isinstance(branch.then, Path)):
            # Where one may not stop, what else ends the path there is no beginning of what goes on.
            below = ((one.kind, one.then) for one in branch.then.branches())
            stop = next((then for kind, then in below if kind == "stop" and isinstance(then, Leaf)), None)
            return stop is None or _begins(to_plain(stop.action), self._plain)
        if isinstance(node, Gather):
            # Of its own kind: which values go together only it knows.
            return True
        if not branch.ref or branch.ref in self._names or branch.kind == "pass" or isinstance(branch.then, Path):
            # A path tells by its first steps whether it is the one; whoever is on his way already need not be named.
            return True
        hex = self._hex(branch.ref)
        # Units that are named by the hex where they are need not go there.
        return hex in self._names or (bool(hex) and branch.kind not in ("hex", "target"))

    def _hex(self, label: str) -> str:
        try:
            return encode(self._place(label)).decode()
        except BadInput:
            return ""

    def _draws(self, node: Drawing[Any], *, on_way: bool) -> bool:
        """Whether the action's own drawing is legal here, and leads to it."""
        strokes = node.strokes_of(self._action)
        if strokes is None or node.judge(strokes).refusal is not None:
            return False
        return self.holds(node.answer(strokes), on_way=on_way)

    def _fills(self, node: Assign[Any] | Gather[Any]) -> bool:
        """Whether some filling of the slots gives the action: each slot takes what makes it most like it."""
        slots: Sequence[Slot] = node.slots
        values: tuple[str, ...] = tuple(_values(node, slot)[-1] for slot in slots)
        for _ in range(2):
            for index, slot in enumerate(slots):
                ways = [(*values[:index], value, *values[index + 1 :]) for value in _values(node, slot)]
                values = max(ways, key=lambda way: self._likeness(node, way))
            if self._meaning(node.filled(values)) == self._meant:
                return not isinstance(node, Assign) or not node.refusals(values)
        return False

    def _likeness(self, node: Assign[Any] | Gather[Any], values: tuple[str, ...]) -> int:
        """How like the action a filling is; nothing gathered is unlike all."""
        return _likeness(self._meaning(node.filled(values)), self._meant) if any(values) else -1_000_000


def _values(node: Node[Any], slot: Slot) -> tuple[str, ...]:
    return ("", *slot.values) if isinstance(node, Gather) and not slot.required else slot.values


def _unordered(plain: Any) -> Any:
    """The data with names in the order of the alphabet; steps of a path stay in theirs."""
    if isinstance(plain, dict):
        return {key: _unordered(value) for key, value in plain.items()}
    if isinstance(plain, list):
        parts = [_unordered(value) for value in plain]
        return parts if _has_order(plain) else sorted(parts, key=encode)
    return plain


def _has_order(parts: Sequence[Any]) -> bool:
    """Whether parts are the steps of a path, or numbers."""
    for part in parts:
        if isinstance(part, dict) and ("to" in part or "step" in part or "kind" in part):
            return True
    return all(isinstance(part, int) for part in parts)


def _is_alike(plain: Any, other: Any) -> bool:
    """Whether the data is ``other`` once it is unordered, as that is; told by the first part that differs."""
    if isinstance(plain, dict):
        if not isinstance(other, dict) or plain.keys() != other.keys():
            return False
        return all(_is_alike(value, other[key]) for key, value in plain.items())
    if isinstance(plain, list):
        if not isinstance(other, list) or len(plain) != len(other):
            return False
        return all(map(_is_alike, plain, other)) if _has_order(plain) else bool(_unordered(plain) == other)
    return bool(plain == other)


def _starts(parts: Sequence[Any], others: Sequence[Any]) -> bool:
    """Whether a list, once it is unordered, is the beginning of one that is; more may be said of its last step."""
    if len(parts) > len(others):
        return False
    if not _has_order(parts):
        return bool(_unordered(parts) == others[: len(parts)])
    if not all(map(_is_alike, parts[:-1], others)):
        return False
    return not parts or _is_part(parts[-1], others[len(parts) - 1])


def _is_part(step: Any, whole: Any) -> bool:
    if isinstance(step, dict) and isinstance(whole, dict):
        return all(key in whole and _is_alike(value, whole[key]) for key, value in step.items())
    return _is_alike(step, whole)


def _names(plain: Any) -> Iterator[str]:
    """Every word and every part of data, as text."""
    if isinstance(plain, str):
        yield plain
    elif isinstance(plain, dict):
        for key, value in plain.items():
            yield key
            yield from _names(value)
    elif isinstance(plain, list):
        yield encode(plain).decode()
        for value in plain:
            yield from _names(value)


def _begins(start: Any, whole: Any) -> bool:
    """Whether lists in ``start`` are beginnings of those in ``whole``, counts no larger, and other words the same.

    ``whole`` is unordered already.
    """
    if isinstance(start, dict) and isinstance(whole, dict):
        return all(key in whole and _begins(value, whole[key]) for key, value in start.items())
    if isinstance(start, list) and isinstance(whole, list):
        return _starts(start, whole)
    if type(start) is int and type(whole) is int:
        return start <= whole
    # Flags may say how a path ends, and what is left out may be a default.
    return isinstance(start, bool) or whole is None or bool(start == whole)


def _likeness(one: Any, other: Any) -> int:
    """How many parts of the data are the same."""
    mine, theirs = list(_leaves(one, ())), list(_leaves(other, ()))
    shared = len(set(mine) & set(theirs))
    return 4 * shared - len(set(mine) ^ set(theirs))


def _leaves(plain: Any, path: tuple[str, ...]) -> Iterator[tuple[Any, ...]]:
    if isinstance(plain, dict):
        for key, value in plain.items():
            yield from _leaves(value, (*path, key))
    elif isinstance(plain, list):
        for value in plain:
            yield (*path, "[]", encode(value).decode())
    else:
        yield (*path, encode(plain).decode())
