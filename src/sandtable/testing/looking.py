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
from sandtable.core.decision import Assign, Branch, Gather, Leaf, Node, Path, Seat, Slot
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

    def names(other: Any) -> Any:
        return _unordered(to_plain(other))

    def comes_to(other: Any) -> Any:
        return to_plain(ruleset.resolve(state, seat, other, SeededDice(0)).state)

    try:
        root = decision.options(seat).root
        return any(_Search(action, meaning, ruleset.place).holds(root) for meaning in (names, comes_to))
    except _Tired:
        return None


class _Search:
    def __init__(self, action: Any, meaning: Callable[[Any], Any], place: Callable[[str], Any]) -> None:
        self._plain = _unordered(to_plain(action))
        self._meaning = meaning
        self._meant = meaning(action)
        self._names = set(_names(to_plain(action)))
        self._place = place
        self._seen = 0

    def holds(self, node: Node[Any]) -> bool:
        """Whether the action is below the node."""
        self._seen += 1
        if self._seen > MOST_NODES:
            raise _Tired
        if isinstance(node, Leaf):
            return bool(self._meaning(node.action) == self._meant)
        if type(node) in (Assign, Gather):
            return self._fills(node)  # type: ignore[arg-type]
        return any(self._may_hold(node, branch) and self.holds(branch.then) for branch in node.branches())

    def _may_hold(self, node: Node[Any], branch: Branch[Any]) -> bool:
        if isinstance(node, Path):
            # Where one may not stop, what else ends the path there is no beginning of what goes on.
            below = ((one.kind, one.then) for one in branch.then.branches())
            stop = next((then for kind, then in below if kind == "stop" and isinstance(then, Leaf)), None)
            return stop is None or _begins(_unordered(to_plain(stop.action)), self._plain)
        if isinstance(node, Gather):
            # Of its own kind: which values go together only it knows.
            return True
        if not branch.ref or branch.ref in self._names or branch.kind == "pass":
            return True
        hex = self._hex(branch.ref)
        # Units that are named by the hex where they are need not go there.
        return hex in self._names or (bool(hex) and branch.kind not in ("hex", "target"))

    def _hex(self, label: str) -> str:
        try:
            return encode(self._place(label)).decode()
        except BadInput:
            return ""

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
        is_path = any(isinstance(part, dict) and {"to", "step"} & part.keys() for part in parts) or _is_numbers(parts)
        return parts if is_path else sorted(parts, key=encode)
    return plain


def _is_numbers(parts: Sequence[Any]) -> bool:
    return all(isinstance(part, int) for part in parts)


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
    """Whether lists in ``start`` are beginnings of those in ``whole``, counts no larger, and other words the same."""
    if isinstance(start, dict) and isinstance(whole, dict):
        return all(key in whole and _begins(value, whole[key]) for key, value in start.items())
    if isinstance(start, list) and isinstance(whole, list):
        return start == whole[: len(start)]
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
