"""Vehicles where Infantry rallies, moves, routs and holds places (2.0, 3.2.3, 3.3, 3.6)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.core.decision import Seat
from sandtable.geo.hex import NEIGHBOURS
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import Move
from sandtable.systems.aslsk.phases.rout import must_rout
from sandtable.systems.aslsk.phases.rout_paths import rout_map
from sandtable.systems.aslsk.piece_count import pieces
from sandtable.systems.aslsk.pieces.state import MoveStep, Shock, Stun, UnitId, VehicleId
from sandtable.systems.aslsk.victory import casualty_points, exit_points, holder
from tests.aslsk.clash import Clash, side, squad

rules = pytest.mark.rules
A = UnitId("A")


def tank(at: str = "B2", name: str = "V", card: str = "german/PzKpfw IIF", **flags: Any) -> dict[str, Any]:
    return {"id": name, "card": card, "at": at, "vca": "N/NE", **flags}


def against(*vehicles: dict[str, Any], units: list[dict[str, Any]], phase: str = "MPh", **fields: Any) -> Clash:
    """The Russian's phase, with German vehicles about."""
    german = side(*fields.pop("german", ()), vehicles=list(vehicles))
    return Clash(phase, german=german, russian=side(*units), attacker="russian", player="russian", **fields)


def red(at: str, name: str = "A", card: str = "russian/4-4-7", **flags: Any) -> dict[str, Any]:
    return squad(name, card, at, **flags)


@rules("3.3", system="aslsk3")
@pytest.mark.parametrize(("wreck", "why"), [(False, "3.3"), (True, "")])
def test_3_3_infantry_does_not_move_into_a_vehicles_hex(wreck: bool, why: str) -> None:
    clash = against(tank(wreck=wreck), units=[red("B1")])
    assert clash.why(Move((A,), (MoveStep(to=clash.hex("B2")),))) == why
    entered = [action.steps[0].to for action in clash.options() if isinstance(action, Move) and action.steps]
    assert (clash.hex("B2") in entered) is wreck


@rules("3.2.3", system="aslsk3")
@pytest.mark.parametrize(
    ("vehicle", "shaken"), [(tank("B2"), True), (tank("B2", wreck=True), False), (tank("B4"), False)]
)
def test_3_2_3_a_broken_unit_beside_an_enemy_vehicle_comes_under_dm(vehicle: dict[str, Any], shaken: bool) -> None:
    clash = against(vehicle, units=[red("B1", broken=True), red("G5", "B")])
    clash.play(Move((UnitId("B"),), (MoveStep(to=clash.hex("G4")),)))
    assert clash.unit("A").dm is shaken


@rules("3.6", system="aslsk3")
@pytest.mark.parametrize(("vehicle", "must"), [(tank("B2"), True), (tank("B2", wreck=True), False)])
def test_3_6_a_unit_beside_an_enemy_vehicle_must_rout(vehicle: dict[str, Any], must: bool) -> None:
    clash = against(vehicle, units=[red("B1", broken=True, dm=True)], phase="RtPh")
    assert must_rout(clash.context, clash.state, clash.unit("A")) is must


@rules("3.6", system="aslsk3")
def test_3_6_nobody_routs_into_towards_or_beside_a_vehicle() -> None:
    clash = against(tank("D3"), units=[red("D2", broken=True, dm=True)], phase="RtPh")
    routes = rout_map(clash.context, clash.state, clash.unit("A"))
    assert routes.path_refusal((clash.hex("D3"),)) == "enemy units are there"
    beside = next(hex for hex in NEIGHBOURS[clash.hex("D2")] if hex in NEIGHBOURS[clash.hex("D3")])
    assert routes.path_refusal((beside,)) == "it would stay adjacent to the enemy in D3"
    assert routes.path_refusal((clash.hex("D1"),)) == ""


@rules("3.6", system="aslsk3")
def test_3_6_a_vehicle_once_seen_is_remembered() -> None:
    clash = against(tank("D3"), units=[red("D2", broken=True, dm=True)], phase="RtPh")
    assert rout_map(clash.context, clash.state, clash.unit("A")).enemies_seen() == ("V",)


PLACE = [{"id": "house", "title": "House", "zone": [{"hexes": ["B2"]}], "holder": "russian"}]
TWO = [{"id": "house", "title": "House", "zone": [{"hexes": ["B2", "B3"]}], "holder": "russian"}]


@rules("2.0", system="aslsk3")
def test_2_0_an_afv_controls_its_hex_while_it_is_there() -> None:
    clash = against(tank(), units=[red("G5")], places=PLACE)
    assert holder(clash.context, clash.state, "house") == "german"
    assert clash.state.control["house"] == "russian"


@rules("2.0", system="aslsk3")
def test_2_0_not_beside_a_good_order_enemy_nor_more_than_its_hex() -> None:
    for unit, held in ((red("B2", melee=False), "russian"), (red("B2", broken=True), "german")):
        clash = against(tank(), units=[unit, red("G5", "B")], places=PLACE, phase="CCPh")
        assert holder(clash.context, clash.state, "house") == held
    clash = against(tank(), units=[red("G5")], places=TWO)
    assert holder(clash.context, clash.state, "house") == "russian"


@rules("2.0", "7.10", system="aslsk3")
@pytest.mark.parametrize(
    ("counters", "held"),
    [
        ({}, "russian"),
        ({"stun": Stun.PLUS_ONE}, "russian"),
        ({"shock": Shock.SHOCK}, "german"),
        ({"wreck": True}, "german"),
    ],
)
def test_2_0_not_beside_an_enemy_afv_in_good_order_either(counters: dict[str, Any], held: str) -> None:
    clash = against(tank(), tank(name="W"), units=[red("G5")], places=PLACE)
    other = replace(clash.state.vehicles[VehicleId("W")], side=Seat("russian"), **counters)
    state = replace(clash.state, vehicles={**clash.state.vehicles, other.id: other})
    assert holder(clash.context, state, "house") == held


@rules("2.0", system="aslsk3")
def test_2_0_infantry_gains_no_control_with_an_enemy_vehicle_in_the_place() -> None:
    for vehicle, gained in ((tank("B3"), False), (tank("B3", wreck=True), True)):
        place = [{**TWO[0], "holder": "german"}]
        clash = against(vehicle, units=[red("B1"), red("G5", "B")], places=place)
        clash.play(Move((A,), (MoveStep(to=clash.hex("B2")),)))
        assert clash.saw(ev.ControlGained) is gained


@rules("1.3", system="aslsk3")
def test_1_3_points_of_vehicles_that_are_lost() -> None:
    clash = against(tank(wreck=True), tank("D2", "W"), units=[red("G5")])
    assert casualty_points(clash.context, clash.state, "german") == 7
    assert exit_points(clash.context, clash.state, "german") == 0


@rules("1.3", system="aslsk3")
def test_1_3_points_of_vehicles_that_have_left() -> None:
    clash = against(tank(), tank("D2", "W", broken={"MA": "removed"}), units=[red("G5")])
    away = {key: replace(vehicle, away=True) for key, vehicle in clash.state.vehicles.items()}
    assert exit_points(clash.context, replace(clash.state, vehicles=away), "german") == 13


def test_vehicles_are_counted_among_the_pieces() -> None:
    clash = against(tank(wreck=True), tank("D2", "W"), units=[red("G5")])
    counted = {piece.id: piece.left for piece in pieces(clash.context, clash.state)}
    assert (counted["V"], counted["W"]) == (0.0, 1.0)
