"""The system of crowds: its pack and its scenarios are made, not read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sandtable import catalog
from sandtable.core.content.pack import Library, Pack
from sandtable.core.content.reading import convert
from sandtable.core.errors import BadInput, Fault
from sandtable.core.ruleset import Position
from sandtable.testing.crowd.pieces import CARD, Scenario
from sandtable.testing.crowd.rules import CrowdRules

__all__ = ["CROWD", "FEW", "CrowdSystem", "register"]

CROWD, FEW = "crowd-600", "crowd-30"
_SCENARIOS = {CROWD: 600, FEW: 30}


class CrowdSystem:
    """The system: binds scenarios to the rules."""

    card = CARD

    def ruleset(self, scenario: Mapping[str, Any], library: Library, where: str) -> CrowdRules:  # noqa: ARG002
        """The rules of a scenario."""
        return CrowdRules(convert(dict(scenario), Scenario, where))

    def position(self, situation: Mapping[str, Any], library: Library, where: str) -> Position:  # noqa: ARG002
        """There are no situations."""
        raise BadInput([Fault(where, "crowds have no situations", "a scenario")])

    def answer(self, position: Position, question: Mapping[str, Any], where: str) -> dict[str, Any]:  # noqa: ARG002
        """There are no situations."""
        raise BadInput([Fault(where, "crowds have no situations", "a scenario")])

    def sight(self, map_name: str, library: Library) -> Callable[[str, str], dict[str, Any]]:  # noqa: ARG002
        """There is no sight."""
        raise BadInput([Fault("map", "crowds know no sight")])

    def check_pack(self, library: Library) -> None:
        """There is nothing to read."""


def _pack() -> Pack:
    files = {
        "manifest.yaml": "{id: crowd, title: Crowds, system: crowd, edition: crowd, version: 1}",
        "rules.yaml": _RULES,
    }
    for key, units in _SCENARIOS.items():
        head = f"{{id: {key}, system: crowd, title: A crowd of {units}, turns: 20, status: original, units: {units}}}"
        files[f"scenarios/{key}.yaml"] = head
    return Pack({name: text.encode() for name, text in files.items()}, "packs/crowd")


_RULES = """
book: The Book of Crowds
rules:
- {number: "1.0", title: The Turn, chapter: "1", level: basic, kind: container}
- {number: "1.1", title: Moving, chapter: "1", level: basic}
- {number: "1.2", title: Fire, chapter: "1", level: basic}
- {number: "1.3", title: Holding, chapter: "1", level: basic}
- {number: "1.4", title: Strength, chapter: "1", level: basic}
- {number: "2.0", title: The End, chapter: "2", level: basic}
"""


def register() -> None:
    """Let the catalog know crowds, beside the systems that are played."""
    catalog.register(catalog.Registration(CARD.id, CrowdSystem, _pack))
