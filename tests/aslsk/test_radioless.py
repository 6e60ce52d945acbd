"""1.3: a vehicle without a radio is told to leave its hex by a DR (S25), and AFV that are still mobile (S25)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable import catalog
from sandtable.systems.aslsk.common.vehicle_actions import ContinueVehicle, MoveVehicle
from sandtable.systems.aslsk.pieces.state import VehicleDeed, VehicleId, VehicleStep, Whereabouts
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


@rules("1.3", system="aslsk3")
def test_1_3_early_battles_counts_afv_that_are_neither_eliminated_nor_immobile() -> None:
    game = catalog.open_scenario("s25-early-battles").ruleset
    assert isinstance(game, AslskRules)
    state = game.setup()
    hex = min(game.context.game_map.hexes)
    germans = [one for one in state.vehicles.values() if one.side == "german"]
    changes: list[dict[str, Any]] = [{}, {}, {"immobilized": True}, {"wreck": True}, {"place": Whereabouts.ELIMINATED}]
    for one, change in zip(germans, changes, strict=False):
        placed = replace(one, **{"hex": hex, "place": Whereabouts.MAP, **change})
        state = replace(state, vehicles={**state.vehicles, one.id: placed})
    (aim,) = [aim for aim in stakes(game.context, state).aims if aim.side == "german"]
    assert [(tally.title, tally.have, tally.need) for tally in aim.tallies] == [
        ("places held", 0, 4),
        ("mobile AFV", 2, 2),
    ]
