"""What of a position and of a question is not as a client had it: an update carries this and nothing else.

A change is worked out from what one viewpoint was told before and what it is told now, so it tells no more than the two
of them do. :func:`follow_scene` and :func:`follow_ask` do with plain JSON what the page does: from what one had and the
change they make what one has now.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from sandtable.core.view import Counter, FormationShown
from sandtable.session.presenting.wire import CountersChange, FormationsChange, Scene, SceneChange
from sandtable.session.presenting.wire_questions import (
    Ask,
    AskChange,
    BranchesChange,
    SlotsChange,
    WireBranch,
    WireSlot,
)

__all__ = ["ask_change", "follow_ask", "follow_scene", "scene_change"]

T = TypeVar("T")
Plain = dict[str, Any]
_Parts = tuple[tuple[str, ...], tuple[T, ...], tuple[str, ...] | None]


def scene_change(before: Scene, after: Scene) -> SceneChange:
    """What is new in ``after``, both of one viewpoint."""
    return SceneChange(
        counters=_counters(before.counters, after.counters),
        tracks=_new(before.tracks, after.tracks),
        hex_markers=_new(before.hex_markers, after.hex_markers),
        boxes=_new(before.boxes, after.boxes),
        scores=_new(before.scores, after.scores),
        stakes=_new(before.stakes, after.stakes),
        open_seats=_new(before.open_seats, after.open_seats),
        side_markers=_new(before.side_markers, after.side_markers),
        conditions=_new(before.conditions, after.conditions),
        formations=_formations(before.formations, after.formations),
        patches=_new(before.patches, after.patches),
        prompt=after.prompt,
        outcome=after.outcome,
    )


def ask_change(before: Ask | None, after: Ask | None) -> AskChange | None:
    """What is new in a question; None where it is better told whole, or there is none."""
    if before is None or after is None or before.root.shape != after.root.shape:
        return None
    if before.root.limited != after.root.limited:
        return None
    if before.root.destinations or after.root.destinations:
        return None
    if before.root.sketch != after.root.sketch:
        return None
    branches = _branches(before.root.branches, after.root.branches)
    slots = _slots(before.root.slots, after.root.slots)
    told = sum(len(one.put) for one in (branches, slots) if one is not None)
    if 2 * told > len(after.root.branches) + len(after.root.slots):
        return None
    budgets = _new(before.root.budgets, after.root.budgets)
    return AskChange(after.question, after.rule, after.title, branches, slots, budgets)


def _new(before: T, after: T) -> T | None:
    return None if before is after or before == after else after


def _counters(before: Sequence[Counter], after: Sequence[Counter]) -> CountersChange | None:
    found = _parts(before, after, lambda one: one.id)
    return None if found is None else CountersChange(*found)


def _formations(before: Sequence[FormationShown], after: Sequence[FormationShown]) -> FormationsChange | None:
    found = _parts(before, after, lambda one: one.id)
    return None if found is None else FormationsChange(*found)


def _branches(before: Sequence[WireBranch], after: Sequence[WireBranch]) -> BranchesChange | None:
    found = _parts(before, after, lambda one: one.key)
    return None if found is None else BranchesChange(*found)


def _slots(before: Sequence[WireSlot], after: Sequence[WireSlot]) -> SlotsChange | None:
    found = _parts(before, after, lambda one: one.key)
    return None if found is None else SlotsChange(*found)


def _parts(before: Sequence[T], after: Sequence[T], key: Callable[[T], str]) -> _Parts[T] | None:
    """Keys of what is gone, what is new or other than it was, and the order of all if it is not the plain one.

    In the plain order what was there stays in its place, and what is new follows. None where nothing is new.
    """
    had = {key(one): one for one in before}
    have = {key(one): one for one in after}
    put = tuple(one for name, one in have.items() if (old := had.get(name)) is not one and old != one)
    gone = tuple(name for name in had if name not in have)
    plain = [name for name in had if name in have]
    plain += [name for name in have if name not in had]
    order = tuple(have)
    if not put and not gone and plain == list(order):
        return None
    return gone, put, None if plain == list(order) else order


def follow_scene(scene: Plain, change: Plain) -> Plain:
    """The scene that a client has after a change, as plain JSON."""
    new = {name: value for name, value in change.items() if value is not None}
    parts = {name: _followed(scene[name], change[name], "id") for name in ("counters", "formations")}
    return {**scene, **new, **parts, "prompt": change["prompt"]}


def follow_ask(ask: Plain | None, update: Plain) -> Plain | None:
    """The question that a client has after an update, as plain JSON."""
    change: Plain | None = update["ask_change"]
    if change is None or ask is None:
        whole: Plain | None = update["ask"]
        return whole
    root = dict(ask["root"])
    for name in ("branches", "slots"):
        root[name] = _followed(root[name], change[name], "key")
    root["budgets"] = root["budgets"] if change["budgets"] is None else change["budgets"]
    return {"question": change["question"], "rule": change["rule"], "title": change["title"], "root": root}


def _followed(had: list[Plain], change: Plain | None, key: str) -> list[Plain]:
    if change is None:
        return had
    gone = set(change["gone"])
    now = {one[key]: one for one in had if one[key] not in gone}
    now.update((one[key], one) for one in change["put"])
    return list(now.values()) if change["order"] is None else [now[name] for name in change["order"]]
