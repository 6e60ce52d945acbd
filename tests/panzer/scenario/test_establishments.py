"""5.8.2, 5.9.1: what formations are made of, as the pack lists it, and scenarios that keep to it or do not."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from sandtable import catalog
from sandtable.core.content.pack import Library
from sandtable.core.errors import BadInput
from sandtable.systems.panzer.card_files import CardShelf, parse_shelf
from sandtable.systems.panzer.edition import Level
from sandtable.systems.panzer.forces.establishments import parse_establishments
from sandtable.systems.panzer.hex.rules import PanzerRules
from tests.panzer.scenario.test_equipment import draft, faults

NA = "panzer-na"
ADVANCED = [head.id for head in catalog.scenarios(NA) if head.id.startswith("na-adv-")]


def shelf(library: Library) -> CardShelf:
    return parse_shelf({place: data for _, data, place in library.section("cards")})


def listed(**changes: Any) -> dict[str, Any]:
    """A file with one company: a headquarters and two platoons of two."""
    company = {
        "id": "company",
        "title": "Company",
        "nation": "german",
        "level": "CHQ",
        "status": "reconstructed",
        "source": "test",
        "elements": [
            {"name": "HQ", "units": [{"cards": ["pz-iiij"], "roles": {"command": "CHQ"}}]},
            {"name": "Platoon", "multiple": 2, "units": [{"count": 2, "cards": ["pz-iiij", "pz-iiig"]}]},
        ],
    }
    return {"book": "test", "formations": [company | changes]}


def test_a_company_has_its_elements_so_many_times() -> None:
    found = parse_establishments({"f.yaml": yaml.safe_dump(listed()).encode()}, shelf(catalog.library(NA)))
    assert found["company"].strength == 5


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"level": "BHQ"}, "f.yaml: formations[0]"),
        (
            {"elements": [{"name": "HQ", "units": [{"cards": ["t-34"], "roles": {"command": "CHQ"}}]}]},
            "f.yaml: formations[0].elements[0].units[0].cards[0]",
        ),
        (
            {
                "elements": [
                    {
                        "name": "HQ",
                        "units": [{"cards": ["pz-iiij"], "roles": {"command": "CHQ"}, "attached": ["german-hmg"]}],
                    }
                ]
            },
            "f.yaml: formations[0].elements[0].units[0].attached",
        ),
    ],
)
def test_a_company_that_cannot_be_is_a_fault_of_its_field(changes: dict[str, Any], fault: str) -> None:
    with pytest.raises(BadInput) as bad:
        parse_establishments({"f.yaml": yaml.safe_dump(listed(**changes)).encode()}, shelf(catalog.library(NA)))
    assert [one.where for one in bad.value.faults] == [fault]


@pytest.mark.rules("5.8.2", system=NA)
def test_a_formation_has_nothing_that_is_not_in_its_establishment() -> None:
    tanks = [{"id": f"t{i}", "card": "pz-ivd", "at": "B1"} for i in range(2)]
    scenario = draft(*tanks)
    formation = {"id": "co", "establishment": "german-panzer-company", "units": ["hq", "t0", "t1"]}
    scenario["sides"][0]["formations"] = [formation]
    assert faults(scenario) == [
        (f"sides[0].formations[0].units[{i + 1}]", f"t{i} (pz-ivd) has no place in Panzer Company") for i in range(2)
    ]


@pytest.mark.rules("5.8.2", system=NA)
def test_a_formation_has_no_more_of_anything_than_its_establishment() -> None:
    scenario = draft(*({"id": f"t{i}", "card": "pz-iif", "at": "B1"} for i in range(6)))
    formation = {"id": "co", "establishment": "german-panzer-company", "units": ["hq", *(f"t{i}" for i in range(6))]}
    scenario["sides"][0]["formations"] = [formation]
    assert faults(scenario) == [("sides[0].formations[0].units[6]", "t5 (pz-iif) has no place in Panzer Company")]


def test_an_establishment_that_no_pack_has_is_a_fault() -> None:
    scenario = draft()
    scenario["sides"][0]["formations"] = [{"id": "co", "establishment": "x", "units": ["hq"]}]
    assert faults(scenario) == [("sides[0].formations[0].establishment", "no formation 'x'")]


@pytest.mark.parametrize("scenario", ADVANCED)
def test_every_formation_of_an_advanced_scenario_says_what_it_is_made_of(scenario: str) -> None:
    rules = catalog.open_scenario(scenario).ruleset
    assert isinstance(rules, PanzerRules)
    found = rules.context.scenario
    assert found.level is Level.ADVANCED
    assert found.draft.date
    for side in found.draft.sides:
        assert all(formation.establishment for formation in side.formations), side.id


def test_the_desert_has_advanced_scenarios_small_and_large() -> None:
    rules = [catalog.open_scenario(name).ruleset for name in ADVANCED]
    sizes = [len(one.context.scenario.units) for one in rules if isinstance(one, PanzerRules)]
    assert len(sizes) >= 4
    assert min(sizes) <= 20
    assert max(sizes) >= 60
