"""8.2.3, 11.4.1g, 11.6.0, 11.7.0: worked examples of the book; maps that only a picture shows satisfy its words."""

from __future__ import annotations

import pytest

from sandtable.systems.goss.observation.observing import observes_hex
from sandtable.systems.goss.pieces.unit import Mode, UnitId
from sandtable.systems.goss.support.calling import Spot
from sandtable.systems.goss.support.fire_plan import Fire, FirePlan, Shot
from sandtable.systems.goss.support.occupying import MoveIn
from sandtable.systems.goss.support.struck import Choose, GoBack
from sandtable.systems.goss.tables.fire_support import FireResult
from tests.goss.battles import ALLIED, AXIS, GUN, GUN2, GUN3, THEM, Battle
from tests.goss.positions import position
from tests.goss.shelf import charts

rules = pytest.mark.rules

VALLEY = """
. . . . . . . . .
. . . . . V . . .
f . H w w . . . .
. . . . w w . . .
. . r . . w . . .
. . . . . . . . .
"""


@rules("8.1.2d", "8.2.1", "8.2.2", "8.2.3", system="goss")
def test_example_8_2_3_who_observes_whom() -> None:
    us = {
        "0103": ["61-inf/1-481"],
        "0303": ["61-inf/2-481"],
        "0403": ["61-inf/3-481"],
        "0504": ["61-inf/1-482"],
        "0604": ["61-inf/2-482"],
    }
    attacker = "791-inf/II-1572"
    clear = {"0301": ["791-inf/I-1571"], "0306": ["791-inf/II-1571"], "0702": ["791-inf/I-1572"]}
    them = {**clear, "0503": [attacker], "0605": ["791-inf/791 Fus"]}
    village = [{"kind": "village", "hexes": ["0103"]}, {"kind": "rough", "hexes": ["0103"]}]
    found = position(VALLEY, us, them, village, markers={attacker: {"mode": "PA"}})
    context, state = found.ruleset.context, found.state

    def seen_by(label: str, held: dict[str, list[str]]) -> list[str]:
        (unit,) = state.on(found.ruleset.place(label))
        return [one for one in sorted(held) if observes_hex(context, state, unit, found.ruleset.place(one))]

    assert seen_by("0103", them) == [], "in a village, rough and forest, with a range of one"
    assert seen_by("0303", them) == ["0301", "0306", "0503", "0702"], "the height: all in the clear, and who attacks"
    assert seen_by("0403", them) == seen_by("0504", them) == seen_by("0604", them) == ["0503"]
    assert seen_by("0503", us) == ["0403", "0504", "0604"], "only the attacker sees anybody"
    assert all(seen_by(one, us) == [] for one in them if one != "0503")


@rules("11.4.1g", system="goss")
def test_example_11_4_1g_sixteen_points_and_two_ammunition_points() -> None:
    order = Fire((Shot(GUN, 8), Shot(GUN2, 8)), intensive=2)
    assert FirePlan.volleys(order) == (8, 8, 8, 8)


@rules("11.6.0", system="goss")
def test_example_11_6_0_three_hits() -> None:
    chart = charts().fire
    assert [8 + 7 - 1, 6 + 5 - 1] == [14, 10]
    assert chart.result(14) + chart.result(10) == FireResult(0, 3)


@rules("11.6.2b", "11.6.3c", "11.7.0", "11.6.1", system="goss")
def test_example_11_7_0_advances_after_two_missions() -> None:
    """The attackers in PA mode stay in it, the one with a TA marker loses it; a second stack falls back and bleeds."""
    prepared, tactical = UnitId("61-inf/1-481"), UnitId("61-inf/2-481")
    second = UnitId("791-inf/II-1571")
    cells = """
    . . . . . . .
    . . . . . . .
    . . . . . . .
    """
    us = {"0201": [GUN], "0202": [GUN2], "0203": [GUN3], "0301": [prepared], "0303": [tactical]}
    marks = {prepared: {"mode": "PA"}, tactical: {"designated": True}}
    field = Battle(cells, us, {"0401": [THEM], "0403": [second]}, markers=marks)

    field.play(ALLIED, Spot(prepared, field.hex("0401")))
    field.play(ALLIED, Fire((Shot(GUN, 1), Shot(GUN2, 2))), 9)
    field.play(AXIS, Choose(as_retreat=True), 0)
    assert (field.state.units[THEM].steps, field.state.units[THEM].shifts) == (3, 2), "AS1, and an AS for the retreat"
    field.play(ALLIED, MoveIn((prepared,)))
    assert (field.at(prepared), field.state.units[prepared].mode) == ("0401", Mode.PREPARED_ASSAULT)
    assert field.refusal(ALLIED, Spot(tactical, field.state.units[THEM].hex)) == "11.6.3c"

    field.play(ALLIED, Spot(tactical, field.hex("0403")))
    field.play(ALLIED, Fire((Shot(GUN, 2), Shot(GUN2, 1), Shot(GUN3, 3))), 8)
    field.play(AXIS, Choose(as_retreat=True))
    field.play(AXIS, GoBack(field.hex("0503")), 0)
    assert field.state.units[second].steps == 2, "two hits: the retreat takes one, and half of the other is one"
    field.play(ALLIED, MoveIn((tactical,)))
    assert (field.at(tactical), field.state.units[tactical].is_designated) == ("0403", False)
