"""Questions as data: the tree of answers node by node, what may be drawn, how a question differs from the last."""

from __future__ import annotations

from typing import Literal

import msgspec

__all__ = [
    "Ask",
    "AskChange",
    "BranchesChange",
    "Destination",
    "SlotsChange",
    "WireBranch",
    "WireBudget",
    "WireNode",
    "WireSketch",
    "WireSlot",
]

Shape = Literal["pick", "assign", "gather", "path", "sweep", "put", "leaf"]


class WireBranch(msgspec.Struct, frozen=True):
    """One way to go on from a node."""

    key: str
    kind: str
    """`unit`, `order`, `target`, `hex`, `leg`, `pass`, `stop`, `done` ..."""
    label: str
    ref: str
    """Id of the counter or label of the hex that it is about, else `""`."""
    is_hex: bool
    """Whether `ref` is a hex: a counter may have the name of one."""
    leaf: bool
    """Whether choosing it completes the answer."""


class WireSlot(msgspec.Struct, frozen=True):
    """Something that takes one of several values."""

    key: str
    """Id of the counter that it is about, where it is about one."""
    kind: str
    label: str
    values: tuple[str, ...]
    required: bool
    """Whether a gathering may not leave it out."""
    words: tuple[str, ...] = ()
    """The values for people, in the same order; empty where the values speak for themselves."""
    listed: bool = True
    """Whether `values` and `words` are told; else `ListValues` tells them, and `plain` is one of them."""
    plain: str = ""
    """What it stands at if it is left alone; `""` where nothing is said."""
    group: str = ""
    """The formation that it is listed under."""
    note: str = ""
    """What one should know before one fills it."""


class WireBudget(msgspec.Struct, frozen=True):
    """So much of something for all slots together, or for those of one group."""

    label: str
    most: int
    rule: str
    costs: dict[str, int]
    """What each value takes of it; others take nothing."""
    group: str = ""
    weights: dict[str, int] = {}
    """How many times the cost a slot pays, by its key; others pay it once."""
    note: str = ""
    """What it comes from."""


class Destination(msgspec.Struct, frozen=True):
    """A place that a path can lead to; the answer is `keys` to the node and `to` this key."""

    key: str
    kind: str
    label: str
    ref: str
    """Label of the hex."""
    facing: int | None = None
    cost: float | None = None
    """As players count it; None where the system does not say."""


class WireSketch(msgspec.Struct, frozen=True):
    """What may be drawn; lengths are thousandths, headings tenths of a degree. The key of a drawing is its text."""

    verbs: tuple[str, ...]
    turns: bool
    """Whether what is moved or put looks some way."""
    base: tuple[int, int] | None
    """Its width and depth."""
    start: tuple[int, int] | None = None
    """Where a way begins."""
    heading: int | None = None
    rails: dict[str, tuple[tuple[int, int], ...]] = {}
    """Lines that may be followed, by their names."""
    region: tuple[tuple[tuple[int, int], ...], ...] = ()
    """Outlines of where it may lead, for showing."""
    followers: tuple[tuple[int, int], ...] = ()
    """Who is put down with it, as so far to its right and so far behind it, for showing."""


class WireNode(msgspec.Struct, frozen=True):
    """A place in the tree of choices."""

    shape: Shape
    keys: tuple[str, ...]
    """How one came here from the root."""
    branches: tuple[WireBranch, ...] = ()
    slots: tuple[WireSlot, ...] = ()
    """For `assign` and `gather`: what is to be filled, in order."""
    destinations: tuple[Destination, ...] = ()
    """For `path`: the short cuts."""
    budgets: tuple[WireBudget, ...] = ()
    """For `assign`: what all slots together may take."""
    limited: bool = False
    """For `assign`: whether not every filling is an answer; `Judge` says what stands against one."""
    foretold: bool = False
    """For `assign`: whether `Price` has something to tell of a filling before it is confirmed."""
    sketch: WireSketch | None = None
    """For `sweep` and `put`: what may be drawn, of which the branches are suggestions; `Judge` takes its text."""


class Ask(msgspec.Struct, frozen=True):
    """What this viewpoint is asked."""

    question: int
    """The version at which it was put; while this stays the same, a half-made answer stays good."""
    rule: str
    title: str
    root: WireNode


class BranchesChange(msgspec.Struct, frozen=True):
    """Which branches of the root are not as they were, told like counters."""

    gone: tuple[str, ...]
    """Their keys."""
    put: tuple[WireBranch, ...]
    order: tuple[str, ...] | None = None


class SlotsChange(msgspec.Struct, frozen=True):
    """Which slots of the root are not as they were, told like counters."""

    gone: tuple[str, ...]
    """Their keys."""
    put: tuple[WireSlot, ...]
    order: tuple[str, ...] | None = None


class AskChange(msgspec.Struct, frozen=True):
    """A question whose answers are mostly those of the one before; the shape of its root is the same."""

    question: int
    rule: str
    title: str
    branches: BranchesChange | None
    """Null where they are as they were."""
    slots: SlotsChange | None
    budgets: tuple[WireBudget, ...] | None = None
    """All of them, or null where they are as they were."""
