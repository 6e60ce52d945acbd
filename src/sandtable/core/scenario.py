"""Scenarios: a draft as somebody wrote it, with a head that every system shares.

The head is checked here; the body (map, forces, objectives) belongs to the system, which turns the whole draft into
a ruleset or rejects it with every fault.
"""

from __future__ import annotations

from typing import Any

import msgspec

from sandtable.core.errors import BadInput, Fault
from sandtable.core.reading import convert
from sandtable.core.yaml_text import parse_yaml

__all__ = ["ScenarioHead", "read_draft", "read_head"]


class ScenarioHead(msgspec.Struct, frozen=True):
    """What a list of scenarios shows."""

    id: str
    system: str
    title: str
    turns: int
    status: str
    """``original`` for the project's own, ``published`` for one of a book."""
    summary: str = ""


def read_draft(data: bytes | str, where: str) -> dict[str, Any]:
    """A scenario or situation file as plain data."""
    draft = parse_yaml(data, where)
    if not isinstance(draft, dict):
        raise BadInput([Fault(where, "not a mapping of fields", "fields such as id, system, title")])
    return draft


def read_head(draft: dict[str, Any], where: str) -> ScenarioHead:
    """The head of a scenario draft."""
    return convert(draft, ScenarioHead, where)
