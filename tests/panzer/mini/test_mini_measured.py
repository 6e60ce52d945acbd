"""4.5.3 What anybody may measure: the sight tool, the field of sight, and sight on named tables."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from sandtable.core.decision import Seat
from sandtable.geo.shapes.polygon import PointPosition, locate
from sandtable.systems.panzer.mini.system import PANZER_MINIATURES
from sandtable.systems.panzer.unit import Command
from tests.panzer.mini.games import LIBRARY, ruleset_of
from tests.panzer.mini.tables import inch

MINI = "panzer-mini"


@pytest.mark.rules("4.5", "4.5.3", system=MINI)
def test_4_5_3_anybody_may_measure_and_see_the_section() -> None:
    ruleset = ruleset_of("pm-b-the-ridge")
    state = ruleset.setup()
    line = ruleset.sight_line(state, inch(8, 3), inch(16.9, 13.9))
    assert (line.range_inches, line.height_a, line.height_b) == (14, 0, 2)
    assert line.profile[0].at == inch(8, 3)
    strips = ruleset.sight_field(state, inch(8, 3))
    assert any(locate(inch(10.5, 4.5), strip) is not PointPosition.OUTSIDE for strip in strips)
    assert all(locate(inch(20.5, 25.5), strip) is PointPosition.OUTSIDE for strip in strips)


def test_sight_is_told_for_tables_and_scenarios() -> None:
    for name in ("the-ridge", "pm-b-the-ridge"):
        told = PANZER_MINIATURES.sight(name, LIBRARY)("8,3", "20.5,25.5")
        assert (told["blocked"], told["range"]) == (True, 25)


def test_threats_at_a_place_ask_nothing_of_orders() -> None:
    ruleset = ruleset_of("pm-b-the-ridge")
    state = ruleset.setup()
    found = ruleset.threats(state, Seat("german"), "21.5,3")
    assert [danger.unit for danger in found][:1] == ["S1"]
    assert ruleset.threats(state, Seat("german"), "34,29") == []
    ordered = {key: replace(unit, command=Command.SHORT_HALT, known=False) for key, unit in state.units.items()}
    assert ruleset.threats(replace(state, units=ordered), Seat("german"), "21.5,3") == found
