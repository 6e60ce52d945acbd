"""1.2, 1.3: faults of Guns, vehicles and hidden units in scenario, situation and card files, with file and field."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable import catalog
from sandtable.core.dice import SeededDice
from sandtable.core.errors import BadInput
from sandtable.systems.aslsk.common.actions import PlaceVehicle
from sandtable.systems.aslsk.pieces.card_files import parse_cards
from sandtable.systems.aslsk.pieces.state import VehicleId
from sandtable.systems.aslsk.rules import AslskRules
from tests.aslsk.clash import Clash
from tests.aslsk.hidden_draft import hidden_draft

rules = pytest.mark.rules


def faults_of(draft: dict[str, Any]) -> list[str]:
    with pytest.raises(BadInput) as bad:
        catalog.system("aslsk3").ruleset(draft, catalog.library("aslsk3"), "mine.yaml")
    return [str(fault) for fault in bad.value.faults]


@rules("1.2.6", "1.3", system="aslsk3")
def test_1_2_6_a_gun_without_a_crew() -> None:
    draft = hidden_draft()
    force = draft["sides"][0]["forces"][0]
    force["units"][1] |= {"count": 1, "ids": ["C1"], "at": ["K5"]}
    force["weapons"][0]["owners"] = ["C1", "C1"]
    assert faults_of(draft) == [
        (
            "mine.yaml: sides[0].forces[0].weapons[0]: OQF 6-Pounder without a crew"
            " (expected a crew in the force for every Gun)"
        )
    ]


@rules("1.3", "6.4", system="aslsk3")
def test_6_4_a_hidden_unit_outside_its_zone() -> None:
    draft = hidden_draft()
    draft["sides"][0]["forces"][0]["units"][0]["at"] = ["M7", "A5"]
    assert faults_of(draft) == [
        "mine.yaml: sides[0].forces[0].units[0].at[1]: A5 is not in the set-up area of B-2 (expected a hex of set_up)"
    ]


def with_car(card: str, **conditions: bool) -> dict[str, Any]:
    draft = hidden_draft()
    force = draft["sides"][0]["forces"][0]
    force["vehicles"] = [{"card": card, "at": ["K4"], "facing": ["N/NE"]}]
    draft["conditions"] |= conditions
    return draft


@rules("7.7", system="aslsk3")
def test_7_7_the_crew_of_a_vehicle_that_enters_is_its_players_to_expose() -> None:
    draft = hidden_draft()
    force = {"id": "late", "title": "Late", "prefix": "Z", "elr": 3, "enters": {"turn": 2, "zone": [{"edge": "east"}]}}
    car = {"card": "british/Daimler AC", "exposed": True}
    draft["sides"][0]["forces"].append(force | {"units": [], "vehicles": [car]})
    assert faults_of(draft) == [
        (
            "mine.yaml: sides[0].forces[1].vehicles[0].exposed: who enters is asked whether his crew is exposed (7.7)"
            " (expected left out)"
        )
    ]


@rules("1.1.1", "1.3", system="aslsk3")
@pytest.mark.parametrize(
    ("card", "barred", "wrong"),
    [
        ("british/Daimler AC", False, "K4 is a building, where Daimler AC may not set up"),
        ("british/Sherman II(a)", True, "K4 is a building, which no vehicle may enter here"),
    ],
)
def test_1_1_1_a_vehicle_in_a_building_where_none_may_be(card: str, barred: bool, wrong: str) -> None:
    assert faults_of(with_car(card, no_vehicles_in_buildings=barred)) == [
        f"mine.yaml: sides[0].forces[0].vehicles[0].at[0]: {wrong} (expected a hex without one)"
    ]


@rules("1.1.1", "1.3", system="aslsk3")
@pytest.mark.parametrize("barred", [False, True])
def test_1_3_no_vehicle_sets_up_in_a_building_where_none_may_enter(barred: bool) -> None:
    draft = with_car("british/Sherman II(a)", no_vehicles_in_buildings=barred)
    draft["sides"][0]["forces"][0]["vehicles"][0] = {"card": "british/Sherman II(a)"}
    game = catalog.system("aslsk3").ruleset(draft, catalog.library("aslsk3"), "mine.yaml")
    assert isinstance(game, AslskRules)
    state = game.begin(game.setup(), SeededDice(0)).state
    decision = game.decision(state)
    assert decision is not None
    refusal = game.refusal(
        state, decision.asked[0], PlaceVehicle(VehicleId("B-V1"), game.context.game_map.hex("K4"), 0, 0)
    )
    assert (refusal is not None) is barred


@rules("1.2.7", "3.2.4", "6.2", system="aslsk3")
@pytest.mark.parametrize(
    ("vehicle", "fault"),
    [
        (
            {"card": "german/StuG IIIG", "at": "B2", "vca": "N/NE", "tca": "NE/SE"},
            "clash: sides[0].vehicles[0].tca: StuG IIIG has no turret (expected no tca: it points as its hull does)",
        ),
        (
            {"card": "german/PzKpfw IVF2", "at": "B2", "exhausted": ["APCR"]},
            "clash: sides[0].vehicles[0].exhausted: PzKpfw IVF2 has no APCR in 1941-06 (expected of APCR, smoke)",
        ),
        (
            {"card": "german/PSW 232", "at": "C1"},
            (
                "clash: sides[0].vehicles[0].at: an Armored Car may not set up in a building (1.1.1)"
                " (expected a hex without a building)"
            ),
        ),
    ],
)
def test_1_2_7_turrets_ammunition_and_buildings_of_situations(vehicle: dict[str, Any], fault: str) -> None:
    with pytest.raises(BadInput) as bad:
        Clash(
            "PFPh",
            ". . b\n. . .",
            german={"vehicles": [{"id": "v", **vehicle}]},
            conditions={"year": 1941, "month": 6},
        )
    assert [str(one) for one in bad.value.faults] == [fault]


@rules("6.2", system="aslsk3")
def test_6_2_a_gun_whose_ammunition_is_used_up_before_its_date() -> None:
    with pytest.raises(BadInput) as bad:
        Clash(
            "PFPh",
            german={
                "units": [{"id": "c", "card": "german/2-2-8 crew", "at": "B2"}],
                "weapons": [{"id": "g", "card": "german/7.5cm PaK 40", "owner": "c", "exhausted": ["APCR"]}],
            },
            conditions={"year": 1941, "month": 12},
        )
    assert [str(one) for one in bad.value.faults] == [
        "clash: sides[0].weapons[0].exhausted: 7.5cm PaK 40 has no APCR in 1941-12 (expected of APCR, smoke)"
    ]


CARD = """vehicles:
  - {id: "german/Trial", nationality: german, type: fully tracked, mp: 10, turret: NT, crew_morale: 8,
     armour: {front: 11, side: 5, turret_front: 11, turret_side: 6},
     main: {barrel: "75L", supplies: [{ammo: APCR, number: 5, since: "autumn 1942"}]},
     source: "trial", status: published}
"""


@rules("1.2.7", "6.2", system="aslsk3")
def test_1_2_7_an_armor_factor_that_the_chart_lacks_and_a_date_that_is_none() -> None:
    with pytest.raises(BadInput) as bad:
        parse_cards({"mine/cards/trial.yaml": CARD.encode()})
    assert [str(fault) for fault in bad.value.faults] == [
        (
            "mine/cards/trial.yaml: german/Trial.main.supplies[0].since: 'autumn 1942' is no date"
            " (expected a year, or year and month as 1944-06)"
        ),
        (
            "mine/cards/trial.yaml: german/Trial.armour.side: 5 is no Armor Factor"
            " (expected one of 0, 1, 2, 3, 4, 6, 8, 11, 14, 18, 26)"
        ),
    ]
