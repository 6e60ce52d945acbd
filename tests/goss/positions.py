"""Positions on maps drawn as text, for tests of rules that need units on the ground."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sandtable.core.ruleset import Position
from sandtable.systems.goss.system import GOSS
from tests.goss.maps import LEGEND
from tests.goss.shelf import library

Units = Mapping[str, Sequence[str]]
"""By hex: units as ``formation/name``."""


def position(cells: str, allied: Units, axis: Units, features: list[dict[str, Any]] | None = None, **more: Any) -> Any:
    """A position of a situation: rules and state, at the segment that ``more`` names."""
    raw = {
        "system": "goss",
        "map": {"drawing": {"cells": cells, "legend": LEGEND, "features": features or [], "labels": "numbers"}},
        "sides": [
            {"id": "allied", "sources": [], "formations": _formations(allied, "xl-corps"), **more.pop("us", {})},
            {"id": "axis", "sources": [], "formations": _formations(axis, "xciii-corps"), **more.pop("them", {})},
        ],
        **more,
    }
    found: Position = GOSS.position(raw, library(), "test")
    return found


def _formations(units: Units, corps: str) -> list[dict[str, Any]]:
    stacks: dict[str, list[dict[str, Any]]] = {corps: []}
    for hex, names in units.items():
        for name in names:
            formation, _, unit = name.partition("/")
            stacks.setdefault(formation, []).append({"hex": hex, "units": [unit], "in_battery": True})
    return [{"id": one, "corps": "" if one == corps else corps, "set_up": set_up} for one, set_up in stacks.items()]
