"""5.1.3, 5.16.1, 6.6.7.1: attached weapons, ammunition by date, passengers, and what is wrong with them in a file."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable import catalog
from sandtable.core.content.pack import Pack
from sandtable.core.errors import BadInput
from sandtable.geo.boards import situation_map
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.system import PanzerSystem
from sandtable.systems.panzer.unit import UnitId
from tests.rulebook.engine import card_pack

rules = pytest.mark.rules
NA = "panzer-na"
WHERE = "drafted.yaml"


def draft(*german: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """A German force as given behind its headquarters, against a British tank."""
    hq = {"id": "hq", "card": "pz-iiij", "at": "A1", "roles": {"command": "CHQ"}}
    british = {"id": "b1", "card": "crusader-ii", "at": "D1", "roles": {"command": "CHQ"}}
    found: dict[str, Any] = {
        "id": "drafted",
        "system": NA,
        "title": "drafted",
        "turns": 5,
        "status": "test",
        "level": "advanced",
        "map": {"drawing": {"cells": ". . . . . ."}},
        "sides": [
            {"id": "german", "title": "Germans", "grade": "Seasoned", "units": [hq, *german]},
            {"id": "british", "title": "British", "grade": "Seasoned", "units": [british]},
        ],
    }
    return {**found, **changes}


def bound(scenario: dict[str, Any], *packs: Pack) -> Context:
    system, library = catalog.system(NA), catalog.library(NA, list(packs))
    assert isinstance(system, PanzerSystem)
    return system.context(scenario, situation_map(scenario["map"], library, WHERE), library, WHERE)


def faults(scenario: dict[str, Any], *packs: Pack) -> list[tuple[str, str]]:
    with pytest.raises(BadInput) as bad:
        bound(scenario, *packs)
    assert all(fault.where.startswith(WHERE) for fault in bad.value.faults)
    return [(fault.where.removeprefix(f"{WHERE}: "), fault.wrong) for fault in bad.value.faults]


def ammo(context: Context, name: str) -> list[str]:
    """The AP types of a unit's first weapon."""
    return [one.type.value for one in context.arms(context.scenario.units[UnitId(name)])[0].ammo]


@rules("5.1.3", "5.1.3.5", system=NA)
def test_a_unit_is_armed_with_its_own_weapons_and_those_attached() -> None:
    squad = {"id": "s", "card": "german-pioneer-squad", "at": "B1", "attached": ["german-flamethrower", "pzb-39"]}
    context = bound(draft(squad))
    names = [weapon.name for weapon in context.arms(context.scenario.units[UnitId("s")])]
    assert names == ["Small arms", "PzB 39 ATR"]


@rules("5.1.1", system=NA)
def test_a_reduced_squad_is_armed_as_the_half_squad_that_it_has_become() -> None:
    squad = {"id": "s", "card": "german-rifle-squad", "at": "B1", "attached": ["german-hmg"]}
    context = bound(draft(squad))
    unit = context.scenario.units[UnitId("s")]
    reduced = context.arms(replace(unit, markers=replace(unit.markers, reduced=True)))
    assert reduced[0] == context.shelf.cards[context.cards[unit.card].advanced.half].weapons[0]  # type: ignore[union-attr,index]
    assert reduced[0] != context.arms(unit)[0]
    assert reduced[1:] == context.arms(unit)[1:]


@rules("5.16", "5.16.1", system=NA)
def test_special_ammo_is_there_from_its_date_on() -> None:
    tank = {"id": "t", "card": "pz-ivd", "at": "B1"}
    assert ammo(bound(draft(tank)), "t") == ["AP", "HEAT"]
    assert ammo(bound(draft(tank, date="1941-12")), "t") == ["AP"]
    assert ammo(bound(draft(tank, date="1942-01")), "t") == ["AP", "HEAT"]


@rules("5.16.1", system=NA)
def test_a_force_has_the_special_ammo_that_it_is_issued() -> None:
    tank = {"id": "t", "card": "pz-ivd", "at": "B1"}
    scenario = draft(tank, date="1942-01")
    scenario["sides"][0]["special_ammo"] = ["APCR"]
    context = bound(scenario)
    assert (ammo(context, "hq"), ammo(context, "t")) == (["AP", "APCR"], ["AP"])


@rules("5.1.3", "5.9.3", "5.16.1", "6.6.7.1", system=NA)
@pytest.mark.parametrize(
    ("units", "date", "fault"),
    [
        (
            [{"id": "s", "card": "german-section", "at": "B1", "attached": ["longbow"]}],
            "",
            ("sides[0].units[1].attached[0]", "no attached weapon 'longbow'"),
        ),
        (
            [{"id": "g", "card": "pak-38", "at": "B1", "attached": ["german-hmg"]}],
            "",
            ("sides[0].units[1].attached", "5cm PaK 38 cannot carry german-hmg"),
        ),
        ([{"id": "p", "card": "pak-40", "at": "B1"}], "1942-01", ("sides[0].units[1].card", "7.5cm PaK 40 in 1942-01")),
        ([{"id": "p", "card": "pak-36", "at": "B1"}], "1942-07", ("sides[0].units[1].card", "3.7cm PaK 36 in 1942-07")),
        ([], "november", ("date", "'november'")),
        (
            [{"id": "s", "card": "german-section", "carried_by": "hq2"}],
            "",
            ("sides[0].units[1].carried_by", "no vehicle 'hq2' of the force"),
        ),
        (
            [{"id": "v", "card": "spw-251-1", "at": "B1"}]
            + [{"id": f"s{i}", "card": "german-rifle-squad", "carried_by": "v"} for i in range(3)],
            "",
            ("sides[0].units[4].carried_by", "v has a Leg Capacity of 2, and s0, s1, s2 need 6"),
        ),
        (
            [{"id": "g", "card": "pak-38", "at": "B1"}, {"id": "s", "card": "german-section", "carried_by": "g"}],
            "",
            ("sides[0].units[2].carried_by", "g is no vehicle"),
        ),
        (
            [{"id": "t", "card": "pz-iiij", "carried_by": "hq"}],
            "",
            ("sides[0].units[1].carried_by", "t is no passenger unit"),
        ),
    ],
)
def test_equipment_that_cannot_be_is_a_fault_of_its_field(
    units: list[dict[str, Any]], date: str, fault: tuple[str, str]
) -> None:
    assert fault in faults(draft(*units, date=date))


@rules("5.16.1", system=NA)
@pytest.mark.parametrize(
    ("kind", "wrong"),
    [
        ("HEAT", "HEAT in 1941-12"),
        ("HESH", "no weapon of Germans has HESH"),
        ("AP", "AP"),
    ],
)
def test_ammo_that_a_force_cannot_have_is_a_fault(kind: str, wrong: str) -> None:
    scenario = draft({"id": "t", "card": "pz-ivd", "at": "B1"}, date="1941-12")
    scenario["sides"][0]["special_ammo"] = [kind]
    assert faults(scenario) == [("sides[0].special_ammo[0]", wrong)]


def test_a_card_without_advanced_values_is_a_fault_of_an_advanced_scenario() -> None:
    scenario = draft({"id": "t", "card": "tank", "at": "B1"})
    assert faults(scenario, card_pack(NA)) == [("sides[0].units[1].card", "tank has no Advanced values")]
