"""Markers that units, weapons and vehicles share as a client draws them: what has fired, and what was acquired."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.core.view import Marker
from sandtable.systems.aslsk.pieces.state import Mark, Vehicle, Weapon

__all__ = ["acquisition_markers", "fire_markers"]

_SHORT = {
    Mark.PREP_FIRE: "Prep",
    Mark.FIRST_FIRE: "First",
    Mark.FINAL_FIRE: "Final",
    Mark.ADVANCING_FIRE: "fired",
    Mark.INTENSIVE_FIRE: "Intens",
    Mark.BOUNDING_FIRE: "Bound",
}


def fire_markers(mark: Mark) -> Iterator[Marker]:
    """The fire counter, if there is one."""
    if mark is not Mark.NONE:
        yield Marker(_SHORT[mark], mark.value, "bad" if mark is Mark.FINAL_FIRE else "neutral")


def acquisition_markers(piece: Weapon | Vehicle) -> Iterator[Marker]:
    """What a weapon or MA has acquired (6.10, 6.11)."""
    if piece.acquisition:
        what = ", ".join(piece.acquired_targets) or "a hex"
        yield Marker(f"{piece.acquisition} acq", f"Has acquired {what}", "good")
