"""What events look like, with the places at which they happen, as one viewpoint may know it.

Made from redacted events and the pieces that this viewpoint sees before and after them, and from nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.core.showing import Shown
from sandtable.session.presenting.pieces import Pieces
from sandtable.session.presenting.wire import WireAim, WireBeat

__all__ = ["Stage"]


class Stage:
    """Where counters are while the events of one line are told one after another."""

    def __init__(self, before: Pieces | None, after: Pieces) -> None:
        self._before = before
        self._after = after
        self._moved: dict[str, str] = {}

    def tell(self, shown: Shown) -> WireBeat:
        """What a client draws of an event; whoever moves is elsewhere from then on."""
        path: tuple[str, ...] = ()
        if shown.kind == "move" and shown.units:
            path = tuple(filter(None, (self._place(shown.units[0]), shown.hex)))
            self._moved.update(dict.fromkeys(shown.units, shown.hex))
        hex = shown.hex
        if not hex and shown.kind != "move":
            hex = next(filter(None, map(self._place, shown.units)), "")
        return WireBeat(
            kind=shown.kind,
            units=shown.units,
            lines=tuple(self._lines(shown.firers, hex)),
            path=path,
            hex=hex,
            facing=shown.facing,
            faces=shown.faces,
            needed=shown.needed,
            rolled=shown.rolled,
            effect=shown.effect,
            came_off=shown.came_off,
        )

    def _lines(self, firers: tuple[str, ...], hex: str) -> Iterator[WireAim]:
        for place in dict.fromkeys(map(self._place, firers)):
            if place and hex and place != hex:
                yield WireAim(place, hex)

    def _place(self, unit: str) -> str:
        """The hex of a counter; what lies on another is where that one is."""
        if unit in self._moved:
            return self._moved[unit]
        # As it was before; some there are only afterwards.
        piece = self._before.get(unit) if self._before is not None else None
        piece = self._after.get(unit) if piece is None else piece
        if piece is None:
            return ""
        return self._place(piece.held_by) if piece.held_by else piece.hex
