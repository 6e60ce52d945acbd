"""The tree of answers as data, and how a client's words become an action.

Nodes are told one at a time, from the shapes of :mod:`sandtable.core.decision` alone: a new system needs no
code here. All of it works on options that were made from the concealed state.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any

import msgspec

from sandtable.core.codec import decode, encode
from sandtable.core.decision import Assign, Drawing, Gather, Leaf, Node, Options, Path, Put, Slot, Sweep
from sandtable.core.errors import BadInput, Fault, Refusal
from sandtable.core.ruleset import Ruleset
from sandtable.core.tree.drawing import Judged, read_drawing_text
from sandtable.session.presenting.wire_questions import (
    Destination,
    WireBranch,
    WireBudget,
    WireNode,
    WireSketch,
    WireSlot,
)

__all__ = ["MOST_KEYS", "find_action", "judge", "read_action", "tell_node", "tell_values", "try_drawing", "walk"]

AnyRuleset = Ruleset[Any, Any, Any]
MOST_KEYS = 1000
"""Longest way down a tree; longer ones are no answers but attacks."""
FEW_SLOTS = 24
"""So many slots of an assignment are told with their values; of more, those are told whose values are at hand."""


def tell_node(node: Node[Any], keys: Sequence[str] = ()) -> WireNode:
    """A node as data."""
    here = tuple(keys)
    if isinstance(node, Leaf):
        return WireNode("leaf", here)
    if isinstance(node, Gather):
        return WireNode("gather", here, slots=tuple(map(tell_slot, node.slots)))
    if isinstance(node, Assign):
        are_few = len(node.slots) <= FEW_SLOTS
        slots = tuple(tell_slot(slot, listed=are_few or slot.is_listed or not slot.plain) for slot in node.slots)
        budgets = tuple(
            WireBudget(one.label, one.most, one.rule, dict(one.costs), one.group, dict(one.weights), one.note)
            for one in node.budgets
        )
        return WireNode(
            "assign", here, slots=slots, budgets=budgets, limited=node.is_limited, foretold=node.is_foretold
        )
    branches = tuple(
        WireBranch(branch.key, branch.kind, branch.label, branch.ref, branch.is_hex, isinstance(branch.then, Leaf))
        for branch in node.branches()
    )
    if isinstance(node, Drawing):
        return WireNode("sweep" if isinstance(node, Sweep) else "put", here, branches, sketch=_sketch(node))
    if isinstance(node, Path):
        ways = tuple(
            Destination(way.key, way.kind, way.label, way.ref, way.facing, way.cost) for way in node.destinations()
        )
        return WireNode("path", here, branches, destinations=ways)
    return WireNode("pick", here, branches)


def _sketch(node: Drawing[Any]) -> WireSketch:
    region = tuple(node.region())
    if not isinstance(node, Sweep):
        followers = node.followers if isinstance(node, Put) else ()
        return WireSketch(node.verbs, node.turns, node.base, region=region, followers=followers)
    rails = {name: tuple(line) for name, line in node.rails.items()}
    return WireSketch(node.verbs, node.turns, node.base, node.start, node.heading, rails, region)


def tell_slot(slot: Slot, *, listed: bool = True) -> WireSlot:
    """A slot as data, with its values or without."""
    values, words = (slot.values, slot.words) if listed else ((), ())
    told = (slot.key, slot.kind, slot.label, values, slot.required, words, listed, slot.plain, slot.group, slot.note)
    return WireSlot(*told)


def tell_values(options: Options[Any], keys: Sequence[str], wanted: Sequence[str]) -> tuple[WireSlot, ...]:
    """The slots ``wanted`` of the node below ``keys``, with their values; raise :class:`BadInput` if there are none."""
    node = walk(options, keys)
    slots = {slot.key: slot for slot in node.slots} if isinstance(node, Assign | Gather) else {}
    unknown = [key for key in wanted if key not in slots]
    if unknown:
        raise BadInput([Fault("slots", f"no slot {unknown[0][:40]!r}", "slots of the node")])
    return tuple(tell_slot(slots[key]) for key in dict.fromkeys(wanted))


def judge(options: Options[Any], keys: Sequence[str], values: Sequence[str]) -> tuple[Refusal, ...]:
    """What stands against values for all slots of the assignment below ``keys``, or against the text of a drawing."""
    node = walk(options, keys)
    if isinstance(node, Drawing):
        refusal = _judged(node, values[0] if len(values) == 1 else "", "values").refusal
        return () if refusal is None else (refusal,)
    if not isinstance(node, Assign):
        raise BadInput([Fault("keys", "the node is no assignment", "keys of an assignment or a drawing")])
    return tuple(node.refusals(tuple(values)))


def try_drawing(options: Options[Any], keys: Sequence[str], text: str) -> Judged:
    """What the rules say of a drawing below ``keys``; raise :class:`BadInput` if nothing is drawn there."""
    node = walk(options, keys)
    if not isinstance(node, Drawing):
        raise BadInput([Fault("keys", "nothing is drawn there", "keys of a sweep or a put")])
    return _judged(node, text, "strokes")


def _judged(node: Drawing[Any], text: str, where: str) -> Judged:
    strokes = read_drawing_text(text)
    if strokes is None:
        raise BadInput([Fault(where, "no drawing", f"one such as {next(node.branches()).key}")])
    return node.judge(strokes)


def walk(options: Options[Any], keys: Sequence[str]) -> Node[Any]:
    """The node below ``keys``; raise :class:`BadInput` if there is none."""
    if len(keys) > MOST_KEYS:
        raise BadInput([Fault("keys", f"{len(keys)} of them", f"at most {MOST_KEYS}")])
    return options.at(*keys)


def find_action(options: Options[Any], keys: Sequence[str], to: str) -> Any:
    """The complete action that ``keys`` and ``to`` name; raise :class:`BadInput` if they name none."""
    node = walk(options, keys)
    if to:
        if not isinstance(node, Path):
            raise BadInput([Fault("to", "the node is no path", "keys of a path")])
        for way in node.destinations():
            if way.key == to:
                node = way.then
                break
        else:
            raise BadInput([Fault("to", f"no destination {to!r}")])
    if isinstance(node, Leaf):
        return node.action
    ways = ", ".join(branch.key for branch in islice(node.branches(), 20))
    raise BadInput([Fault("keys", "the answer is not complete", f"one more of {ways}")])


def read_action(ruleset: AnyRuleset, plain: dict[str, Any]) -> Any:
    """An action that a program sent as data; raise :class:`BadInput` if it is none of the system's."""
    try:
        return decode(encode(plain), ruleset.action_type)
    except (msgspec.DecodeError, UnicodeEncodeError) as error:
        raise BadInput([Fault("action", str(error), "an action of the system")]) from None
