"""5.8, 5.9: the level of a scenario, its modules, grades, formations and the counters that lie on its units."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable import catalog
from sandtable.core.errors import BadInput
from sandtable.geo.boards import situation_map
from sandtable.systems.panzer.edition import ADVANCED_MODULES, Level, Module
from sandtable.systems.panzer.formations import Headquarters
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.rules import PanzerRules
from sandtable.systems.panzer.hex.system import PanzerSystem
from sandtable.systems.panzer.markers import NO_MARKERS, HullDown, Suppression
from sandtable.systems.panzer.unit import Grade, UnitId

rules = pytest.mark.rules
NA = "panzer-na"
WHERE = "drafted.yaml"


def draft(**changes: Any) -> dict[str, Any]:
    """Two small forces of the Advanced Game, the British in two formations."""
    british = [
        {"id": "b1", "card": "crusader-i", "at": "A1", "roles": {"command": "CHQ"}},
        {"id": "b2", "card": "crusader-i", "at": "A1", "grade": "Veteran"},
        {"id": "b3", "card": "crusader-i", "at": "B1", "roles": {"recon": True}},
    ]
    formations = [
        {"id": "a", "title": "A Squadron", "grade": "Elite", "units": ["b1", "b2"]},
        {"id": "scouts", "parent": "a", "units": ["b3"]},
    ]
    german = [{"id": "g1", "card": "pz-iiig", "at": "D1", "roles": {"command": "BHQ"}}]
    found: dict[str, Any] = {
        "id": "drafted",
        "system": NA,
        "title": "drafted",
        "turns": 5,
        "status": "test",
        "level": "advanced",
        "map": {"drawing": {"cells": ". . . . . ."}},
        "sides": [
            {"id": "british", "title": "British", "grade": "Green", "units": british, "formations": formations},
            {"id": "german", "title": "Germans", "grade": "Seasoned", "units": german},
        ],
    }
    return {**found, **changes}


def bound(scenario: dict[str, Any], system: str = NA) -> Context:
    found = catalog.system(system)
    assert isinstance(found, PanzerSystem)
    library = catalog.library(system)
    return found.context(scenario, situation_map(scenario["map"], library, WHERE), library, WHERE)


def faults(scenario: dict[str, Any], system: str = NA) -> list[tuple[str, str]]:
    """Field and fault of everything that is wrong with a scenario."""
    with pytest.raises(BadInput) as bad:
        bound(scenario, system)
    assert all(fault.where.startswith(WHERE) for fault in bad.value.faults)
    return [(fault.where.removeprefix(f"{WHERE}: "), fault.wrong) for fault in bad.value.faults]


@rules("5.8", "5.8.1", "5.8.2", "5.8.3", system=NA)
def test_a_unit_has_the_grade_of_its_formation_unless_it_says_otherwise() -> None:
    context = bound(draft())
    assert context.is_advanced
    assert context.scenario.grades == {"british": Grade.GREEN, "german": Grade.SEASONED}
    assert {unit: context.grade(unit) for unit in context.scenario.units} == {
        "b1": Grade.ELITE,
        "b2": Grade.VETERAN,
        "b3": Grade.GREEN,
        "g1": Grade.SEASONED,
    }


@rules("5.9", "5.9.1", system=NA)
def test_a_formation_has_its_headquarters_or_that_of_the_formation_above() -> None:
    formations = bound(draft()).scenario.formations
    assert {name: formation.hq for name, formation in formations.items()} == {
        "a": "b1",
        "scouts": "b1",
        "german": "g1",
    }
    assert bound(draft()).scenario.roster[UnitId("g1")].roles.command is Headquarters.BHQ


@rules("5.9.1", "5.8.2", system=NA)
@pytest.mark.parametrize(
    ("formations", "fault"),
    [
        ([{"id": "a", "units": ["b2", "b3"]}, {"id": "b", "units": ["b1"]}], ("[0]", "a has no headquarters")),
        (
            [{"id": "a", "units": ["b1", "b2", "b3"]}, {"id": "b", "units": ["b2"]}],
            ("[1].units[0]", "b2 is in a already"),
        ),
        ([{"id": "a", "units": ["b1", "b1", "b2", "b3"]}], ("[0].units[1]", "b1 stands twice")),
        ([{"id": "a", "units": ["b1", "b2", "b3", "g1"]}], ("[0].units[3]", "british has no unit 'g1'")),
        ([{"id": "a", "units": ["b1", "b2", "b3"]}, {"id": "b", "units": []}], ("[1].units", "empty")),
        (
            [{"id": "a", "units": ["b2", "b3"], "parent": "z"}, {"id": "b", "units": ["b1"]}],
            ("[0].parent", "no formation 'z'"),
        ),
        ([{"id": "a", "units": ["b1", "b2"]}, {"id": "a", "units": ["b3"]}], ("[1].id", "'a' stands twice")),
    ],
)
def test_a_formation_that_cannot_be_is_a_fault_of_its_field(
    formations: list[dict[str, Any]], fault: tuple[str, str]
) -> None:
    scenario = draft()
    scenario["sides"][0]["formations"] = formations
    field, wrong = fault
    assert (f"sides[0].formations{field}", wrong) in faults(scenario)


@rules("5.8.2", system=NA)
def test_a_unit_of_no_formation_is_a_fault() -> None:
    scenario = draft()
    scenario["sides"][0]["formations"][0]["units"] = ["b1"]
    assert faults(scenario) == [("sides[0].units[1]", "b2 is in no formation")]


def test_formations_that_stand_above_one_another_are_a_fault() -> None:
    scenario = draft()
    scenario["sides"][0]["formations"] = [
        {"id": "a", "units": ["b2"], "parent": "b"},
        {"id": "b", "units": ["b3"], "parent": "a"},
        {"id": "c", "units": ["b1"]},
    ]
    assert ("sides[0].formations[0].parent", "a is above itself") in faults(scenario)


@rules("5.1.3", "5.9.3", system=NA)
@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"attached": ["boys-atr"]}, (".attached", "Crusader I cannot carry boys-atr")),
        ({"roles": {"engineer": True}}, (".roles.engineer", "Crusader I is no leg unit")),
        ({"carried_by": "g1", "at": ""}, (".carried_by", "no vehicle 'g1' of the force")),
        ({"carried_by": "b1", "at": "C1"}, (".at", "C1, but b1 is elsewhere")),
        ({"open_way": "W"}, (".open_way", "'W'")),
    ],
)
def test_equipment_and_transport_that_cannot_be_are_faults(changes: dict[str, Any], fault: tuple[str, str]) -> None:
    scenario = draft()
    scenario["sides"][0]["units"][1] |= changes
    field, wrong = fault
    assert (f"sides[0].units[1]{field}", wrong) in faults(scenario)


def test_the_counters_of_a_unit_are_those_of_its_draft() -> None:
    scenario = draft()
    scenario["sides"][0]["units"][1] |= {"suppression": "SUPPRESSION/OFF", "hull_down": "full", "open_way": "S"}
    scenario["sides"][0]["units"][0] |= {"card": "bedford-ql"}
    scenario["sides"][0]["units"][2] |= {"carried_by": "b1", "card": "british-rifle-squad"}
    scenario["sides"][0]["units"][2].pop("at")
    units = bound(scenario).scenario.units
    b1, b2, b3 = (units[UnitId(name)] for name in ("b1", "b2", "b3"))
    assert (b2.markers.suppression, b2.markers.hull_down, b2.markers.open_way) == (Suppression.OFF, HullDown.FULL, 3)
    assert (b1.markers.passengers, b3.markers.carrier, b3.hex) == (("b3",), "b1", b1.hex)
    assert units[UnitId("g1")].markers is NO_MARKERS


def test_a_scenario_is_basic_unless_it_says_otherwise_and_then_has_no_word_of_the_advanced_game() -> None:
    scenario = draft(without=["air"])
    del scenario["level"]
    found = faults(scenario)
    assert ("sides[0].grade", "belongs to the Advanced Game") in found
    assert ("sides[0].formations", "belongs to the Advanced Game") in found
    assert ("sides[0].units[0].roles", "belongs to the Advanced Game") in found
    assert ("without", "a part of the Advanced Game") in found


def test_a_scenario_may_go_without_parts_of_the_advanced_game() -> None:
    assert bound(draft()).scenario.modules == frozenset(ADVANCED_MODULES)
    context = bound(draft(without=["air", "ammunition limits"]))
    assert not context.plays(Module.AIR)
    assert not context.plays(Module.AMMO_LIMITS)
    assert context.plays(Module.COMMAND_CONTROL)


def test_every_part_of_the_advanced_game_has_its_rule_in_the_book() -> None:
    numbers = {entry.number for entry in catalog.rule_coverage(NA)}
    assert set(ADVANCED_MODULES) == set(Module)
    assert set(ADVANCED_MODULES.values()) <= numbers


def test_a_book_without_an_advanced_game_has_no_advanced_scenario() -> None:
    scenario = draft(system="mbt")
    for side in scenario["sides"]:
        for unit in side["units"]:
            unit["card"] = "m1"
    assert ("level", "mbt has no Advanced Game") in faults(scenario, "mbt")


def test_the_scenarios_of_the_basic_game_have_no_roster() -> None:
    found = catalog.open_scenario("na-a-patrol-at-tamrad").ruleset
    assert isinstance(found, PanzerRules)
    scenario = found.context.scenario
    assert (scenario.level, scenario.modules, scenario.roster, scenario.formations) == (
        Level.BASIC,
        frozenset(),
        {},
        {},
    )
