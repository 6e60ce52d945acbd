"""Sight between two labels, as the command line, situations and the browser ask for it (3.2.1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.geo.hex import Hex, distance
from sandtable.geo.map import GameMap
from sandtable.geo.sight import SightCache
from sandtable.systems.aslsk.terrain.ground import Ground
from sandtable.systems.aslsk.terrain.sight import Finding

__all__ = ["SightReader", "sight_report"]

_Reason = tuple[str | None, str | None, str | None]
"""Where a line is blocked, by what and by which rule."""
_CLEAR: _Reason = (None, None, None)


class SightReader:
    """Answers pairs of labels; made for many."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self._hexes: dict[str, Hex] = {}
        self._answers: dict[tuple[str, str], dict[str, Any]] = {}
        self._labels = {hex: ground.map.label(hex) for hex in ground.map.facts}
        self._reasons: SightCache[int, _Reason] = SightCache(self._reason)

    def __call__(self, a: str, b: str) -> dict[str, Any]:
        """Whether two hexes see one another, what blocks first, and the sum of hindrances."""
        found = self._answers.get((a, b))
        if found is None:
            found = self._answers[a, b] = self._answer(a, b)
        return found

    def _answer(self, a: str, b: str) -> dict[str, Any]:
        one = self._hexes.get(a) or self._find(a)
        other = self._hexes.get(b) or self._find(b)
        return self._told(one, other, self.ground.measured[one, other])

    def many(self, pairs: Sequence[tuple[str, str]]) -> list[dict[str, Any]]:
        """The same for many pairs, worked out together."""
        for label in {label for pair in pairs for label in pair}.difference(self._hexes):
            self._find(label)
        hexes = self._hexes
        lines = [(hexes[a], hexes[b]) for a, b in pairs]
        told = self._told
        return [told(a, b, measured) for (a, b), measured in zip(lines, self.ground.measure_many(lines), strict=True)]

    def _told(self, a: Hex, b: Hex, measured: int) -> dict[str, Any]:
        labels = self._labels
        blocked = measured < 0
        at, by, rule = self._reasons[measured] if blocked else _CLEAR
        return {
            "a": labels[a],
            "b": labels[b],
            "range": distance(a, b),
            "blocked": blocked,
            "at": at,
            "by": by,
            "hindrance": 0 if blocked else measured,
            "rule": rule,
        }

    def _reason(self, measured: int) -> _Reason:
        finding = self.ground.reason(measured)
        return self._labels.get(finding.hex), finding.what, finding.rule

    def explain(self, a: str, b: str) -> dict[str, Any]:
        """The same, with everything that the line meets and why it matters."""
        return sight_report(self.ground, self.ground.map, a, b)

    def _find(self, label: str) -> Hex:
        hex = self.ground.map.hex(label)
        self._hexes[label] = hex
        return hex


def sight_report(ground: Ground, game_map: GameMap, a: str, b: str) -> dict[str, Any]:
    """All about the line between two labels."""
    one, other = game_map.hex(a), game_map.hex(b)
    sight = ground.sight(one, other)
    label = game_map.label
    return {
        "a": label(one),
        "b": label(other),
        "range": sight.range_hexes,
        "blocked": sight.blocked,
        "at": None if sight.at is None or sight.at not in ground.places else label(sight.at),
        "by": sight.by or None,
        "hindrance": 0 if sight.blocked else sight.hindrance,
        "rule": sight.rules[0] if sight.blocked else None,
        "reason": sight.reason,
        "levels": [sight.height_a, sight.height_b],
        "hindrances": [f"{label(one.at)} {one.what} ({one.rule})" for one in sight.hindrances],
        "found": [_told(finding, ground) for finding in sight.findings],
        "between": [label(hex) for hex in sight.between if hex in ground.places],
    }


def _told(finding: Finding, ground: Ground) -> str:
    where = ground.map.label(finding.hex) if finding.hex in ground.places else "off the map"
    what = "blocks" if finding.blocks else "hinders"
    return f"{where}: {finding.what} {what}, {finding.why} ({finding.rule})"
