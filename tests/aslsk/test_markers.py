"""Markers of fire and acquisition as clients draw them: alike on units, weapons and vehicles."""

from typing import Any

import pytest

from sandtable.core.decision import Seat
from sandtable.core.view import Marker
from sandtable.systems.aslsk.pieces.state import Mark
from tests.aslsk.clash import Clash, side, squad

HELD: dict[str, Any] = {"acquired": "D1", "acquisition": -2}


def markers(mark: Mark, held: dict[str, Any]) -> dict[str, set[Marker]]:
    """Those of a light mortar, a Gun and a tank."""
    mortar = {"id": "m", "card": "german/50mm MTR", "owner": "a", "mark": mark.value, **held}
    gun = {"id": "p", "card": "german/7.5cm PaK 40", "owner": "b", "facing": "N/NE", "mark": mark.value, **held}
    tank = {"id": "t", "card": "german/PzKpfw IVH", "at": "D5", "vca": "N/NE", "mark": mark.value, **held}
    crew = squad("b", "german/2-2-8 crew", "C4")
    german = side(squad("a", at="B3"), crew, weapons=[mortar, gun], vehicles=[tank])
    clash = Clash("PFPh", german=german, russian=side(squad("r", "russian/4-4-7", "D1")))
    counters = {one.id: one for one in clash.rules.view(clash.state, Seat("german")).counters}
    return {name: {one for one in counters[name].markers if one.text not in ("BU", "emp")} for name in "mpt"}


@pytest.mark.parametrize("mark", [mark for mark in Mark if mark is not Mark.NONE])
def test_every_fire_marker_is_shown_alike(mark: Mark) -> None:
    shown = markers(mark, {})
    assert {one.title for one in shown["t"]} == {mark.value}
    assert shown["m"] == shown["p"] == shown["t"]


def test_what_is_acquired_is_shown_alike() -> None:
    shown = markers(Mark.NONE, HELD)
    assert shown["m"] == shown["p"] == shown["t"] == {Marker("-2 acq", "Has acquired a hex", "good")}
