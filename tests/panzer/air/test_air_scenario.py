"""Aircraft of a scenario: who has them, what they carry, when they come (6.7, 6.7.1, 6.7.2.1)."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.systems.panzer.air.aircraft import Load
from sandtable.systems.panzer.air.sorties import Sortie
from sandtable.systems.panzer.unit import Grade, UnitId
from tests.panzer.scenario.test_roster import bound, draft, faults

rules = pytest.mark.rules
NA = "panzer-na"
STUKA = {"id": "p1", "card": "ju-87b"}


def flying(german: list[dict[str, Any]], british: list[dict[str, Any]] | None = None, **changes: Any) -> dict[str, Any]:
    found = draft(**changes)
    found["sides"][1]["aircraft"] = german
    found["sides"][0]["aircraft"] = british or []
    return found


@rules("5.4", "6.7.1", "6.7.2.1", system=NA)
def test_an_aircraft_has_the_load_of_its_card_and_the_grade_of_its_force() -> None:
    scenario = bound(flying([STUKA, {**STUKA, "id": "p2", "grade": "Elite", "turn": 3, "edges": ["east"]}])).scenario
    first, second = scenario.aircraft.values()
    assert (first.load, first.grade, first.side) == (Load.BOMBS, Grade.SEASONED, "german")
    assert second.grade is Grade.ELITE
    assert scenario.sorties == {UnitId("p1"): Sortie(1, ()), UnitId("p2"): Sortie(3, ("east",))}


@rules("6.7", "6.7.1", system=NA)
@pytest.mark.parametrize(
    ("german", "british", "field", "wrong"),
    [
        ([{**STUKA, "load": "rockets"}], [], "sides[1].aircraft[0].load", "Ju 87 B-1 carries no rockets"),
        ([{"id": "p1", "card": "zeppelin"}], [], "sides[1].aircraft[0].card", "no aircraft 'zeppelin'"),
        ([{**STUKA, "id": "g1"}], [], "sides[1].aircraft[0].id", "'g1' stands twice"),
        ([STUKA, STUKA], [], "sides[1].aircraft[1].id", "'p1' stands twice"),
        ([{**STUKA, "turn": 6}], [], "sides[1].aircraft[0].turn", "6"),
        ([STUKA], [{"id": "q", "card": "kittyhawk"}], "sides[1].aircraft", "a second force with aircraft"),
    ],
)
def test_loads_that_do_not_fit_and_other_faults(german: Any, british: Any, field: str, wrong: str) -> None:
    assert faults(flying(german, british)) == [(field, wrong)]


@rules("5.4", system=NA)
def test_an_aircraft_after_its_time_is_a_fault() -> None:
    found = faults(flying([STUKA], date="1943-03"))
    assert ("sides[1].aircraft[0].card", "Ju 87 B-1 did not serve in 1943-03") in found


@rules("6.7", system=NA)
def test_without_air_there_are_no_aircraft_and_in_the_basic_game_neither() -> None:
    assert faults(flying([STUKA], without=["air"])) == [("sides[1].aircraft", "the scenario goes without air")]
    basic = flying([STUKA], level="basic")
    assert ("sides[1].aircraft", "belongs to the Advanced Game") in faults(basic)


@rules("6.7.1", system=NA)
def test_a_load_must_be_one_that_there_is() -> None:
    ((field, wrong),) = faults(flying([{**STUKA, "load": "torpedo"}]))
    assert field.endswith("load")
    assert "torpedo" in wrong
