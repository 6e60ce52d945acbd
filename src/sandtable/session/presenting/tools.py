"""The tools beside the map: sight between two places, the field of sight of one, what can hit it, shapes of counters.

Each stands open where the ruleset offers the aid for it: :class:`~sandtable.geo.sight.ShowsSight` or
:class:`~sandtable.geo.plane.sight.ShowsPlaneSight`, :class:`~sandtable.core.capabilities.WarnsOfThreats`,
:class:`~sandtable.core.capabilities.ShowsOutlines`. All are asked of the concealed state.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from sandtable.core.capabilities import ForbidsSight, ShowsOutlines, WarnsOfThreats
from sandtable.core.decision import Seat
from sandtable.core.errors import BadInput, Fault, Refusal
from sandtable.core.ruleset import Ruleset
from sandtable.core.tree.drawing import Outline
from sandtable.core.view import Zone
from sandtable.geo.hex import Hex
from sandtable.geo.hexside import Hexside
from sandtable.geo.map import map_of
from sandtable.geo.plane.points import label
from sandtable.geo.plane.sight import ShowsPlaneSight
from sandtable.geo.plane.space import table_of
from sandtable.geo.sight import ShowsSight, SightLine
from sandtable.session.presenting.presenting import present_breakdown
from sandtable.session.presenting.wire import SightReport, Threat, WireHindrance, WireProfile

__all__ = ["Tools"]

P = TypeVar("P")

_SEEING = ("sight", "field")
"""Tools that show lines of sight."""


class Tools:
    """The tools for the map of one ruleset."""

    def __init__(self, ruleset: Ruleset[Any, Any, Any]) -> None:
        self._ruleset = ruleset
        self._map = map_of(ruleset)
        self._eyes = ruleset if isinstance(ruleset, ShowsSight) and self._map is not None else None
        self._table = table_of(ruleset)
        self._plane_eyes = ruleset if isinstance(ruleset, ShowsPlaneSight) and self._table is not None else None
        self._scout = ruleset if isinstance(ruleset, WarnsOfThreats) else None
        self._outliner = ruleset if isinstance(ruleset, ShowsOutlines) else None

    @property
    def names(self) -> tuple[str, ...]:
        """Which tools the system answers."""
        seeing = _SEEING if self._eyes is not None or self._plane_eyes is not None else ()
        return (*seeing, "threat") if self._scout is not None else seeing

    def in_play(self) -> tuple[str, ...]:
        """Which of them players may use while the game is on."""
        return tuple(name for name in self.names if self.refusal() is None or name not in _SEEING)

    def refusal(self) -> Refusal | None:
        """Why nobody may look along a line while the game is on, None if one may."""
        return self._ruleset.refuse_sight() if isinstance(self._ruleset, ForbidsSight) else None

    def sight(self, known: Any, a: str, b: str) -> SightReport:
        """All about the line between two labels; raise :class:`BadInput` if they are none."""
        if self._plane_eyes is not None and self._table is not None:
            drawn = self._plane_eyes.sight_line(known, self._table.place(a, "a"), self._table.place(b, "b"))
            return _report(drawn, (label(drawn.a), label(drawn.b)), drawn.range_inches, None, label)
        if self._eyes is None or self._map is None:
            raise BadInput([Fault("sight", "this system has no sight tool")])
        line = self._eyes.sight(known, self._map.hex(a, "a"), self._map.hex(b, "b"))
        return _report(line, (a, b), line.range_hexes, line.at_side, self._label)

    def field(self, known: Any, hex: str) -> tuple[str, ...]:
        """Labels of the hexes seen from ``hex``; none on a table."""
        if self._plane_eyes is not None:
            return ()
        if self._eyes is None or self._map is None:
            raise BadInput([Fault("field", "this system has no field of sight")])
        return tuple(map(self._map.label, sorted(self._eyes.field(known, self._map.hex(hex)))))

    def field_outlines(self, known: Any, place: str) -> tuple[Outline, ...]:
        """On a table: what is seen from ``place``."""
        if self._plane_eyes is None or self._table is None:
            return ()
        return tuple(self._plane_eyes.sight_field(known, self._table.place(place)))

    @property
    def outline_titles(self) -> dict[str, str]:
        """What shapes of a counter may be asked for."""
        return dict(self._outliner.outline_titles) if self._outliner is not None else {}

    def outlines(self, known: Any, seat: Seat | None, unit: str, what: str) -> tuple[Zone, ...]:
        """Shapes that belong to a counter; raise :class:`BadInput` for what there is none of."""
        if self._outliner is None or what not in self.outline_titles:
            right = f"one of {', '.join(self.outline_titles)}" if self.outline_titles else ""
            raise BadInput([Fault("what", f"no outlines {what[:40]!r}", right)])
        return tuple(self._outliner.outlines(known, seat, unit, what))

    def threats(self, known: Any, seat: Seat, hex: str) -> tuple[bool, tuple[Threat, ...]]:
        """Whether the system can tell, and what can hit ``hex``."""
        if self._scout is None:
            return False, ()
        return True, tuple(
            Threat(one.unit, one.text, present_breakdown(one.breakdown) if one.breakdown else None)
            for one in self._scout.threats(known, seat, hex)
        )

    def _label(self, hex: Hex) -> str | None:
        names = self._map.labels(hex) if self._map is not None else ()
        return names[0] if names else None


def _report(
    line: SightLine[P], ends: tuple[str, str], range: int, at_side: Hexside | None, name: Callable[[P], str | None]
) -> SightReport:
    """A line of sight as clients draw it, places by their labels."""
    return SightReport(
        a=ends[0],
        b=ends[1],
        range=range,
        blocked=line.blocked,
        at=None if line.at is None else name(line.at),
        at_side=_place(at_side),
        by=line.by,
        reason=line.reason,
        rules=line.rules,
        hindrance=line.hindrance,
        hindrances=tuple(WireHindrance(name(one.at), one.what, one.rule, one.value) for one in line.hindrances),
        height_a=line.height_a,
        height_b=line.height_b,
        profile=tuple(
            WireProfile(None if one.at is None else name(one.at), _place(one.side), one.ground, one.top, one.what)
            for one in line.profile
        ),
    )


def _place(side: Hexside | None) -> tuple[int, int, int] | None:
    return None if side is None else (*side.hex, side.dir)
