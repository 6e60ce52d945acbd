"""4.1-4.4: half sentences of support weapons against AFV."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.systems.aslsk.common.actions import HoldFire
from sandtable.systems.aslsk.common.vehicle_actions import MoveVehicle
from sandtable.systems.aslsk.pieces.state import UnitId, VehicleDeed, VehicleId, VehicleStep
from tests.aslsk.clash import squad
from tests.aslsk.support_weapons.test_anti_tank import KV, TANK, driven, shot, stand, tank

rules = pytest.mark.rules


@rules("4.2", system="aslsk3")
@pytest.mark.parametrize(
    ("owner", "smoke", "wreck"),
    [({}, {}, True), ({"cx": True}, {}, False), ({}, {"D3": "smoke grenades"}, False)],
)
def test_4_2_exhaustion_and_smoke_modify_the_to_kill_dr_of_flame(
    owner: dict[str, Any], smoke: dict[str, str], wreck: bool
) -> None:
    clash = stand("german/FT", card=KV, owner=owner, unit="german/8-3-8", smoke=smoke)
    clash.play(shot(clash), (4, 4))
    assert tank(clash).wreck is wreck


@rules("4.1", system="aslsk3")
def test_4_1_a_squad_needs_no_second_smc_at_its_mg() -> None:
    clash = stand("german/LMG", mates=(squad("l", "german/9-1", at="D2"),))
    assert clash.why(shot(clash, unit=UnitId("l"))) == "4.1"


@rules("3.3.5", system="aslsk3")
def test_3_3_5_exhaustion_lessens_the_residual_fp_of_a_to_kill_attempt() -> None:
    clash = driven("german/PSK", owner={"cx": True})
    clash.play(shot(clash), (3, 3), (6, 6))
    assert sum(counter.fp for counter in clash.state.residual) == 4


@rules("3.3.5", "7.3", system="aslsk3")
@pytest.mark.parametrize("card", ["russian/T-34/85", "british/Stuart III(a)"])
def test_3_3_5_how_a_vehicle_moves_and_how_small_it_is_lessen_no_residual_fp(card: str) -> None:
    """Half of the 12 column: the DRM of cases 22 and 24 are no conditions outside the hex that was hit."""
    clash = stand("german/PSK", phase="MPh", tank="D5", card=card, attacker="russian")
    clash.play(MoveVehicle(TANK, (VehicleStep(VehicleDeed.START), VehicleStep(to=clash.hex("D4"))), halt=True))
    clash.play(HoldFire())
    assert tank(clash).is_moving_target
    clash.play(shot(clash, at="D4"), (1, 2), (6, 6))
    assert sum(counter.fp for counter in clash.state.residual) == 6


@rules("3.3.3", system="aslsk3")
def test_3_3_3_a_tank_that_stands_where_another_moves_is_no_target() -> None:
    clash = stand("german/ATR", phase="MPh", card=KV, attacker="russian")
    other = replace(tank(clash), id=VehicleId("other"))
    clash.state = replace(clash.state, vehicles={**clash.state.vehicles, other.id: other})
    clash.play(MoveVehicle(TANK, (VehicleStep(VehicleDeed.START),), halt=True), (3, 3))
    assert clash.why(shot(clash)) == ""
    assert clash.why(shot(clash, victim=UnitId("other"))) == "3.2.4"
