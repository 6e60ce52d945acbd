"""Scenarios: a draft as somebody wrote it, with a head that every system shares.

The head is checked here; the body (map, forces, objectives) belongs to the system, which turns the whole draft into
a ruleset or rejects it with every fault.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from sandtable.core.content.provision import Provision
from sandtable.core.content.reading import convert
from sandtable.core.content.yaml_text import parse_yaml
from sandtable.core.errors import BadInput, Fault, Faults

__all__ = [
    "MOST_UNITS",
    "ScenarioHead",
    "SideHead",
    "check_sides",
    "check_size",
    "read_draft",
    "read_head",
    "sides_listed",
]

MOST_UNITS = 1_000
"""Units and weapons of a scenario or situation."""


class ScenarioHead(msgspec.Struct, frozen=True):
    """What a list of scenarios shows."""

    id: str
    system: str
    title: str
    turns: int
    status: str
    """``original`` for the project's own, ``published`` for one of a book."""
    summary: str = ""
    balance: tuple[Provision, ...] = ()
    """Changes that players may choose for a game."""
    level: str = ""
    """Which of a book's games it plays, where there are several: ``advanced``."""


class SideHead(msgspec.Struct, frozen=True):
    """A side as people read of it; its id is the name of a seat."""

    id: str
    title: str = ""
    colour: str = ""
    """A plain word such as ``grey``; without one the client chooses."""


def read_draft(data: bytes | str, where: str) -> dict[str, Any]:
    """A scenario or situation file as plain data."""
    draft = parse_yaml(data, where)
    if not isinstance(draft, dict):
        raise BadInput([Fault(where, "not a mapping of fields", "fields such as id, system, title")])
    return draft


def sides_listed(draft: Mapping[str, Any], colours: Mapping[str, str]) -> tuple[SideHead, ...]:
    """The heads of a list ``sides``, for systems whose drafts have one; none if it is wrong.

    ``colours`` are those of sides that the draft gives none.
    """
    given = draft.get("sides")
    if not isinstance(given, list) or not all(isinstance(side, Mapping) and "id" in side for side in given):
        return ()
    return tuple(
        SideHead(name, str(side.get("title") or ""), str(side.get("colour") or colours.get(name, "")))
        for side in given
        for name in [str(side["id"])]
    )


def check_sides(ids: Sequence[str], faults: Faults) -> None:
    """Two sides, each with an id of its own: an id is the name of a seat."""
    if len(ids) != 2:
        faults.add("sides", f"{len(ids)} sides", "two")
    for index, name in enumerate(ids):
        if not name.strip():
            faults.add(f"sides[{index}].id", "is empty", "a name")
        elif name in ids[:index]:
            faults.add(f"sides[{index}].id", f"{name!r} stands twice", "an id of its own for each side")


def check_size(counted: int, faults: Faults) -> None:
    """No more units than a scenario may have, before any of them is built."""
    if counted > MOST_UNITS:
        faults.add("sides", f"{counted} units and weapons", f"at most {MOST_UNITS}")


def read_head(draft: dict[str, Any], where: str) -> ScenarioHead:
    """The head of a scenario draft."""
    return convert(draft, ScenarioHead, where)
