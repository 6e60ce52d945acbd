"""The tools beside the map: sight between two hexes, the field of sight of one, and what can hit it.

Each stands open where the ruleset offers the aid for it: :class:`~sandtable.geo.sight.ShowsSight`,
:class:`~sandtable.core.capabilities.WarnsOfThreats`. All are asked of the concealed state.
"""

from __future__ import annotations

from typing import Any

from sandtable.core.capabilities import ForbidsSight, WarnsOfThreats
from sandtable.core.decision import Seat
from sandtable.core.errors import BadInput, Fault, Refusal
from sandtable.core.ruleset import Ruleset
from sandtable.geo.hex import Hex
from sandtable.geo.hexside import Hexside
from sandtable.geo.sight import ShowsSight, SightResult
from sandtable.session.presenting.atlas import map_of
from sandtable.session.presenting.presenting import present_breakdown
from sandtable.session.presenting.wire import SightReport, Threat, WireHindrance, WireProfile

__all__ = ["Tools"]

_SEEING = ("sight", "field")
"""Tools that show lines of sight."""


class Tools:
    """The tools for the map of one ruleset."""

    def __init__(self, ruleset: Ruleset[Any, Any, Any]) -> None:
        self._ruleset = ruleset
        self._map = map_of(ruleset)
        self._eyes = ruleset if isinstance(ruleset, ShowsSight) and self._map is not None else None
        self._scout = ruleset if isinstance(ruleset, WarnsOfThreats) else None

    @property
    def names(self) -> tuple[str, ...]:
        """Which tools the system answers."""
        seeing = _SEEING if self._eyes is not None else ()
        return (*seeing, "threat") if self._scout is not None else seeing

    def in_play(self) -> tuple[str, ...]:
        """Which of them players may use while the game is on."""
        return tuple(name for name in self.names if self.refusal() is None or name not in _SEEING)

    def refusal(self) -> Refusal | None:
        """Why nobody may look along a line while the game is on, None if one may."""
        return self._ruleset.refuse_sight() if isinstance(self._ruleset, ForbidsSight) else None

    def sight(self, known: Any, a: str, b: str) -> SightReport:
        """All about the line between two labels; raise :class:`BadInput` if they are none."""
        if self._eyes is None or self._map is None:
            raise BadInput([Fault("sight", "this system has no sight tool")])
        return self._report(self._eyes.sight(known, self._map.hex(a, "a"), self._map.hex(b, "b")), a, b)

    def field(self, known: Any, hex: str) -> tuple[str, ...]:
        """Labels of the hexes seen from ``hex``."""
        if self._eyes is None or self._map is None:
            raise BadInput([Fault("field", "this system has no field of sight")])
        return tuple(map(self._map.label, sorted(self._eyes.field(known, self._map.hex(hex)))))

    def threats(self, known: Any, seat: Seat, hex: str) -> tuple[bool, tuple[Threat, ...]]:
        """Whether the system can tell, and what can hit ``hex``."""
        if self._scout is None:
            return False, ()
        return True, tuple(
            Threat(one.unit, one.text, present_breakdown(one.breakdown) if one.breakdown else None)
            for one in self._scout.threats(known, seat, hex)
        )

    def _report(self, result: SightResult, a: str, b: str) -> SightReport:
        """A sight result as clients draw it, hexes by their labels."""
        return SightReport(
            a=a,
            b=b,
            range=result.range_hexes,
            blocked=result.blocked,
            at=self._label(result.at),
            at_side=_place(result.at_side),
            by=result.by,
            reason=result.reason,
            rules=result.rules,
            hindrance=result.hindrance,
            hindrances=tuple(
                WireHindrance(self._label(one.hex), one.what, one.rule, one.value) for one in result.hindrances
            ),
            height_a=result.height_a,
            height_b=result.height_b,
            profile=tuple(
                WireProfile(self._label(one.hex), _place(one.side), one.ground, one.top, one.what)
                for one in result.profile
            ),
        )

    def _label(self, hex: Hex | None) -> str | None:
        if hex is None or self._map is None:
            return None
        names = self._map.labels(hex)
        return names[0] if names else None


def _place(side: Hexside | None) -> tuple[int, int, int] | None:
    return None if side is None else (*side.hex, side.dir)
