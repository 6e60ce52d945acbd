"""Checks of questions with slots: slots are well made, and limits and rules say the same of every filling."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from sandtable.core.decision import Assign, Gather, Leaf, Node, Options
from sandtable.core.errors import Refusal
from sandtable.testing.broken import require

__all__ = ["check_filling", "check_slots", "told_of_slots"]

Values = tuple[str, ...]
_WILD = 3
"""How many fillings are made without a look at the limits."""


def check_slots(node: Node[Any]) -> None:
    """Keys and values stand once, a slot stands at one of its values, and budgets are about what there is."""
    if not isinstance(node, Assign | Gather):
        return
    keys = [slot.key for slot in node.slots]
    require(len(set(keys)) == len(keys), "options", f"{node.shape}: a slot's key stands twice")
    for slot in node.slots:
        values = slot.values
        require(all(values) and len(set(values)) == len(values), "options", f"{slot.key}: a value is empty or twice")
        require(not slot.plain or slot.plain in values, "options", f"{slot.key} cannot stand at {slot.plain!r}")
        require(len(slot.words) in (0, len(values)), "options", f"{slot.key} has not one word for each value")
    groups = {"", *(slot.group for slot in node.slots)}
    for budget in node.budgets if isinstance(node, Assign) else ():
        require(bool(budget.label and budget.rule), "options", "a budget has no name or no rule")
        require(budget.group in groups, "options", f"{budget.label}: there is no group {budget.group}")
        require(set(budget.weights) <= set(keys), "options", f"{budget.label} weighs slots that there are not")
        least = min((*budget.costs.values(), *budget.weights.values()), default=0)
        require(least >= 0, "options", f"{budget.label} is given to by a value, and not taken from")


def check_filling(node: Assign[Any], values: Values, refusal: Callable[[Any], Refusal | None], rng: Random) -> None:
    """An answer is one from its first slot to its last; what limits refuse and what the rules refuse is the same.

    ``values`` are those of an answer. Of fillings that are made at random budgets and judge say what the rules say.
    """
    require(not node.refusals(values), "options", f"{', '.join(values)} is offered, and refused as a whole")
    half = tuple(value if rng.random() < rng.random() else "" for value in values)
    require(node.may_become(half), "options", f"{', '.join(half)} is refused half made, and can become an answer")
    keys = {slot.key for slot in node.slots}
    for wild in _wild(node, rng):
        found = node.refusals(wild)
        by_rules = refusal(node.filled(wild))
        require(bool(found) == (by_rules is not None), "options", f"limits and rules disagree on {', '.join(wild)}")
        for one in found:
            require(bool(one.rule and one.reason), "options", f"{', '.join(wild)} is refused without rule or reason")
            require(set(one.slots) <= keys, "options", f"a refusal is about slots that there are not: {one.slots}")


def told_of_slots(options: Options[Any], seed: float) -> list[Any]:
    """What a client can find out about slots on a walk: what they take, and what stands against some fillings."""
    rng, node = Random(seed), options.root
    while not isinstance(node, Leaf | Assign | Gather):
        node = rng.choice(list(node.branches())).then
    if isinstance(node, Leaf):
        return []
    found: list[Any] = [
        (one.key, one.label, one.required, one.plain, one.group, one.values, one.words) for one in node.slots
    ]
    if isinstance(node, Assign):
        found += [node.budgets, *(node.refusals(wild) for wild in _wild(node, rng))]
    return found


def _wild(node: Assign[Any], rng: Random) -> Iterator[Values]:
    """Fillings that may be answers or not: all at random, or mostly as they stand."""
    for _ in range(_WILD):
        share = rng.random()
        yield tuple(rng.choice(slot.values) if rng.random() < share else slot.start for slot in node.slots)
