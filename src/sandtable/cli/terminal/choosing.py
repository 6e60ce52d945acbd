"""Walking a tree of choices with a person: each shape of node has its own way to be asked.

``Pick`` is a numbered list, ``Assign`` and ``Gather`` are one screen each that is filled in and confirmed,
and ``Path`` takes a destination, or goes leg by leg. What is drawn is one of the suggestions, or typed as text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeVar

from rich.markup import escape

from sandtable.cli.terminal.talk import Back, Talk
from sandtable.core.decision import Assign, Branch, Drawing, Gather, Leaf, Node, Path, Slot
from sandtable.core.errors import Refused

__all__ = ["choose"]

A = TypeVar("A")
MANY = 40
"""Choices that are listed whole; of more, one is to be named."""


def choose(talk: Talk, node: Node[A], *, leg_by_leg: bool = False) -> A:
    """The action that a person chooses below ``node``; raises :class:`Back` to go one step up."""
    if isinstance(node, Leaf):
        action: A = node.action
        return action
    if isinstance(node, Assign):
        assigned: A = _assign(talk, node)
        return assigned
    if isinstance(node, Gather):
        gathered: A = _gather(talk, node)
        return gathered
    if isinstance(node, Drawing):
        drawn: A = _draw(talk, node)
        return drawn
    if isinstance(node, Path) and not leg_by_leg:
        moved: A = _path(talk, node)
        return moved
    return _pick(talk, node, leg_by_leg=leg_by_leg)


def _pick(talk: Talk, node: Node[A], *, leg_by_leg: bool = False) -> A:
    branches = list(node.branches())
    if len(branches) == 1:
        return choose(talk, branches[0].then, leg_by_leg=leg_by_leg)
    while True:
        _list(talk, branches)
        branch = _named(branches, talk.choice("choice>"))
        if branch is None:
            talk.complain("none of these; type a number or a name from the list")
            continue
        try:
            return choose(talk, branch.then, leg_by_leg=leg_by_leg)
        except Back:
            continue


def _list(talk: Talk, branches: Sequence[Branch[A]]) -> None:
    for number, branch in enumerate(branches[:MANY], start=1):
        talk.console.print(f"  [cyan]{number:2}[/] {escape(branch.label)}")
    if len(branches) > MANY:
        talk.console.print(f"  ... and {len(branches) - MANY} more; name one")


def _named(branches: Sequence[Branch[A]], text: str) -> Branch[A] | None:
    """The branch of a number, a key, a unit or hex, or the beginning of a label, if it is only one."""
    if text.isdigit() and 1 <= int(text) <= len(branches):
        return branches[int(text) - 1]
    wanted = text.lower()
    if not wanted:
        return None
    for matching in (
        [branch for branch in branches if branch.key.lower() == wanted],
        [branch for branch in branches if branch.ref.lower() == wanted],
        [branch for branch in branches if branch.label.lower().startswith(wanted)],
        [branch for branch in branches if wanted in branch.label.lower()],
    ):
        if len(matching) == 1:
            return matching[0]
    return None


def _path(talk: Talk, node: Path[A]) -> A:
    """A destination by its hex, with a cheapest way to it; ``legs`` goes step by step."""
    ends = list(node.destinations())
    places = sorted({end.ref for end in ends if end.ref}, key=_by_column)
    while True:
        stays = [end.label for end in ends if not end.ref]
        talk.console.print(f"  to: {' '.join(places)}")
        talk.console.print(f"  or: {', '.join([*stays, 'legs (step by step)'])}")
        text = talk.choice("where to>").lower()
        if text == "legs":
            try:
                return choose(talk, node, leg_by_leg=True)
            except Back:
                continue
        exact = [end for end in ends if text in (end.key.lower(), end.label.lower())]
        there = exact or [end for end in ends if end.ref.lower() == text]
        if not there or not text:
            talk.complain("not a place that can be reached; type a hex of the list, or a hex and a facing")
            continue
        try:
            return _one_of(talk, there)
        except Back:
            continue


def _draw(talk: Talk, node: Drawing[A]) -> A:
    """A suggestion by its number, or a drawing of one's own; the rules say what is wrong with it."""
    branches = list(node.branches())
    example = max((branch.key for branch in branches), key=len)
    while True:
        _list(talk, branches)
        talk.console.print(f"  or draw: {', '.join(node.verbs)}; such as `{escape(example)}`")
        text = talk.choice("draw>")
        try:
            branch = _named(branches, text) or node.branch(text)
        except Refused as refused:
            talk.complain(str(refused))
            continue
        if branch is None:
            talk.complain(f"{text!r} is not understood; a number of the list, or a drawing such as {example}")
            continue
        try:
            return choose(talk, branch.then)
        except Back:
            continue


def _by_column(label: str) -> tuple[tuple[int, str], ...]:
    """Labels in the order of the map: B9 before B10, Z1 before AA1."""
    return tuple((int(part) if part.isdigit() else len(part), part) for part in re.findall(r"\d+|\D+", label))


def _one_of(talk: Talk, ends: Sequence[Branch[A]]) -> A:
    """One of several ways to end in a hex: how to face."""
    if len(ends) == 1:
        return choose(talk, ends[0].then)
    while True:
        _list(talk, ends)
        text = talk.choice("facing>")
        branch = _named(ends, text) or _named(ends, f"{ends[0].ref} {text}")
        if branch is not None:
            return choose(talk, branch.then)
        talk.complain("type a number or a facing of the list")


def _assign(talk: Talk, node: Assign[A]) -> A:
    """A value for every slot: all shown at once, changed one by one, then confirmed."""
    slots = node.slots
    values = [slot.start for slot in slots]
    groups = list(dict.fromkeys(slot.group for slot in slots))
    shown = set(groups) if len(groups) == 1 else set()
    talk.console.print("  change with `3 2` or `3 NAME`, `all NAME`; `ok` when done")
    if len(groups) > 1:
        talk.console.print("  `g2` shows the second formation or hides it, `g2 NAME` gives all of it an order")
    while True:
        _table(talk, node, values, groups, shown)
        text = talk.choice("orders>")
        if text.lower() in ("ok", "done"):
            refusals = node.refusals(tuple(values))
            for refusal in refusals:
                talk.complain(f"{', '.join(refusal.slots)}: {refusal}" if refusal.slots else str(refusal))
            if refusals:
                continue
            return node.filled(tuple(values))
        for part in filter(None, (part.strip() for part in text.split(","))):
            if len(groups) > 1 and _set_group(slots, values, groups, shown, part):
                continue
            if not _set(slots, values, part):
                talk.complain(f"{part!r} is not understood; for example `1 2`, `all {slots[0].values[-1]}` or `ok`")


def _table(talk: Talk, node: Assign[A], values: Sequence[str], groups: Sequence[str], shown: set[str]) -> None:
    """All formations, those that are shown slot by slot, and what is used of the budgets of all."""
    for place, group in enumerate(groups, start=1):
        if len(groups) > 1:
            _head(talk, node, values, place, group)
        if group in shown:
            _rows(talk, node.slots, values, group)
    for budget in node.budgets:
        if not budget.group:
            talk.console.print(f"  {escape(budget.label)}: {budget.used(node.slots, values)} of {budget.most}")


def _head(talk: Talk, node: Assign[A], values: Sequence[str], place: int, group: str) -> None:
    """The line of a formation: how many of it are changed, and its budgets."""
    mine = [(slot, value) for slot, value in zip(node.slots, values, strict=True) if slot.group == group]
    parts = [f"{sum(value != slot.start for slot, value in mine)} of {len(mine)} changed"]
    own = [budget for budget in node.budgets if budget.group and budget.group == group]
    parts += [f"{budget.label}: {budget.used(node.slots, values)} of {budget.most}" for budget in own]
    talk.console.print(f"  [cyan]g{place}[/] [bold]{escape(group or 'Others')}[/] {escape(', '.join(parts))}")


def _rows(talk: Talk, slots: Sequence[Slot], values: Sequence[str], group: str) -> None:
    """The slots of a formation, each with its values."""
    for number, (slot, value) in enumerate(zip(slots, values, strict=True), start=1):
        if slot.group != group:
            continue
        ways = " ".join(
            f"[bold green]{escape(f'[{n} {way}]')}[/]" if way == value else f" {n} {escape(way)} "
            for n, way in enumerate(slot.values, start=1)
        )
        talk.console.print(f"  [cyan]{number:2}[/] {escape(slot.label):30} {ways}")


def _set_group(slots: Sequence[Slot], values: list[str], groups: Sequence[str], shown: set[str], text: str) -> bool:
    """``g2`` shows or hides a formation, ``g2 NAME`` gives a value to all of it that can take it."""
    found = re.fullmatch(r"g(\d+)(?:\s+(.+))?", text, re.IGNORECASE)
    if found is None or not 1 <= int(found[1]) <= len(groups):
        return False
    group = groups[int(found[1]) - 1]
    if found[2] is None:
        shown ^= {group}
        return True
    able = [(index, _value(slot, found[2])) for index, slot in enumerate(slots) if slot.group == group]
    for index, value in able:
        if value is not None:
            values[index] = value
    return any(value is not None for _, value in able)


def _gather(talk: Talk, node: Gather[A]) -> A:
    """Some of the slots: all are in at first; a number takes one out, unless it must be in, or puts it back."""
    slots = node.slots
    values = [slot.values[0] for slot in slots]
    while len(slots) > 1 or len(slots[0].values) > 1:
        for number, (slot, value) in enumerate(zip(slots, values, strict=True), start=1):
            words = slot.words or slot.values
            ways = "" if len(words) == 1 else "  ".join(f"{n} {w}" for n, w in enumerate(words, 1))
            sign = "[green]![/]" if slot.required else "[green]x[/]" if value else " "
            chosen = words[slot.values.index(value)] if value and len(words) > 1 else ""
            talk.console.print(
                f"  [cyan]{number:2}[/] {sign} {escape(slot.label)} {escape(chosen)} [dim]{escape(ways)}[/]"
            )
        text = talk.choice("with> (number in or out, `1 2` for another way, `ok`)")
        if text.lower() in ("", "ok", "done"):
            settled = list(node.settle(values))
            if settled == values:
                break
            talk.complain(_settled_words(slots, values, settled))
            values = settled or values
        elif text.isdigit() and 1 <= int(text) <= len(slots):
            index = int(text) - 1
            if values[index] and slots[index].required:
                talk.complain(f"{slots[index].label} cannot be left out")
            else:
                values[index] = "" if values[index] else slots[index].values[0]
        elif not _set(slots, values, text):
            talk.complain("type a number of the list, or `ok`")
    return _follow(node, [value or "-" for value in values])


def _settled_words(slots: Sequence[Slot], wanted: Sequence[str], settled: Sequence[str]) -> str:
    """Who is left out of a gathering, and who takes part as well."""
    if not settled:
        return "at least one"
    both = list(zip(slots, wanted, settled, strict=True))
    out = [slot.key for slot, before, after in both if before and not after]
    more = [slot.key for slot, before, after in both if after and not before]
    parts = [f"{', '.join(out)} cannot go together with these" if out else ""]
    parts.append(f"{', '.join(more)} must take part as well" if more else "")
    return f"{'; '.join(filter(None, parts)) or 'another way is needed'}: look again"


def _set(slots: Sequence[Slot], values: list[str], text: str) -> bool:
    """Give a slot, or all that can take it, a value."""
    name, _, wanted = text.partition(" ")
    wanted = wanted.strip()
    if name.lower() == "all":
        found = [(index, _value(slot, wanted)) for index, slot in enumerate(slots)]
        for index, value in found:
            if value is not None:
                values[index] = value
        return any(value is not None for _, value in found)
    for index, slot in enumerate(slots):
        if name in (str(index + 1), slot.key):
            value = _value(slot, wanted)
            if value is not None:
                values[index] = value
                return True
    return False


def _value(slot: Slot, text: str) -> str | None:
    """The value of a number or of the beginning of its name."""
    if text.isdigit():
        return slot.values[int(text) - 1] if 1 <= int(text) <= len(slot.values) else None
    wanted = text.lower()
    named = zip(slot.words or slot.values, slot.values, strict=True)
    return next((value for word, value in named if wanted and word.lower().startswith(wanted)), None)


def _follow(node: Node[A], keys: Sequence[str]) -> A:
    """The action below the branches ``keys``."""
    for key in (*keys, "done"):
        branch = node.branch(key)
        assert branch is not None  # noqa: S101 - only what can be answered is followed
        node = branch.then
    (action,) = node
    return action
