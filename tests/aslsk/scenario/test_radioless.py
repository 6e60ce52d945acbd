"""1.3: a vehicle without a radio is told to leave its hex by a DR (S25), and AFV that are still mobile (S25)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable import catalog
from sandtable.systems.aslsk.common.vehicle_actions import ContinueVehicle, MoveVehicle
from sandtable.systems.aslsk.pieces.state import Bog, Shock, Stun, VehicleDeed, VehicleId, VehicleStep, Whereabouts
from sandtable.systems.aslsk.rules import AslskRules
from sandtable.systems.aslsk.vehicles.vehicle_events import SignalRolled
from sandtable.systems.aslsk.victory import stakes
from tests.aslsk.clash import Clash

rules = pytest.mark.rules
BT, START, STOP = VehicleId("t"), VehicleStep(VehicleDeed.START), VehicleStep(VehicleDeed.STOP)
RUNS = [2, 2]
"""The DR of its engine."""


def _clash(**conditions: Any) -> Clash:
    return Clash(
        "MPh",
        ". . . .\n. . . .\n. . . .",
        attacker="russian",
        russian={"vehicles": [{"id": "t", "card": "russian/BT-7 M37", "at": "B2", "vca": "NE/SE"}]},
        conditions={"radioless": {"russian/BT-7 M37": 8}, **conditions},
    )


@rules("1.3", system="aslsk3")
@pytest.mark.parametrize(("dice", "told"), [([4, 4], True), ([5, 4], False)])
def test_1_3_without_a_radio_it_leaves_its_hex_on_8_or_less(dice: list[int], told: bool) -> None:
    clash = _clash()
    clash.play(MoveVehicle(BT, (START, VehicleStep(to=clash.hex("C2"))), halt=True), RUNS, dice)
    (rolled,) = [event for event in clash.events if isinstance(event, SignalRolled)]
    assert rolled.told is told
    assert clash.state.vehicles[BT].hex == clash.hex("C2" if told else "B2")
    if told:
        clash.play(ContinueVehicle((VehicleStep(to=clash.hex("D2")),), halt=True))
        assert clash.state.vehicles[BT].hex == clash.hex("D2"), "it is told once a MPh"
    else:
        assert clash.why(ContinueVehicle((VehicleStep(to=clash.hex("C2")),), halt=True)) == "1.3"
        clash.play(ContinueVehicle((STOP,)))
        assert not clash.state.vehicles[BT].motion


@rules("1.3", system="aslsk3")
def test_1_3_without_a_radio_it_does_the_rest_unasked() -> None:
    clash = _clash()
    turn = VehicleStep(VehicleDeed.TURN, spine=(clash.state.vehicles[BT].vca + 1) % 6)
    clash.play(MoveVehicle(BT, (START, turn, STOP)), RUNS)
    assert not [event for event in clash.events if isinstance(event, SignalRolled)]


def test_other_vehicles_need_nobody_to_tell_them() -> None:
    clash = _clash(radioless={"russian/KV-2": 8})
    clash.play(MoveVehicle(BT, (START, VehicleStep(to=clash.hex("C2"))), halt=True), RUNS)
    assert clash.state.vehicles[BT].hex == clash.hex("C2")


def tallies(*changes: dict[str, Any]) -> list[tuple[str, int, int]]:
    """How far the Germans are in S25 with some of their AFV on the map, each with other counters on it."""
    game = catalog.open_scenario("s25-early-battles").ruleset
    assert isinstance(game, AslskRules)
    state = game.setup()
    hex = min(game.context.game_map.hexes)
    germans = [one for one in state.vehicles.values() if one.side == "german"]
    for one, change in zip(germans, changes, strict=False):
        placed = replace(one, **{"hex": hex, "place": Whereabouts.MAP, **change})
        state = replace(state, vehicles={**state.vehicles, one.id: placed})
    (aim,) = [aim for aim in stakes(game.context, state).aims if aim.side == "german"]
    return [(tally.title, tally.have, tally.need) for tally in aim.tallies]


@rules("1.3", system="aslsk3")
def test_1_3_early_battles_counts_afv_that_are_neither_eliminated_nor_immobile() -> None:
    counted = tallies({}, {}, {"immobilized": True}, {"wreck": True}, {"place": Whereabouts.ELIMINATED})
    assert counted == [("places held", 0, 4), ("mobile AFV", 2, 2)]


@rules("1.3", "2.0", "7.10", system="aslsk3")
@pytest.mark.parametrize(
    "counter", [{"shock": Shock.SHOCK}, {"shock": Shock.UNCONFIRMED_KILL}, {"bog": Bog.BOGGED}, {"bog": Bog.MIRED}]
)
def test_2_0_mobile_is_who_is_in_good_order_and_not_bogged(counter: dict[str, Any]) -> None:
    assert tallies({}, {"stun": Stun.PLUS_ONE}, counter)[1] == ("mobile AFV", 2, 2)
