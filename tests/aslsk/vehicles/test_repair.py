"""3.1, 7.2, 7.8: repair of vehicular weapons."""

from typing import Any

import pytest

from sandtable.systems.aslsk.common.facts.armour_events import VehicleRecalled
from sandtable.systems.aslsk.common.phase_end import phase_ended
from sandtable.systems.aslsk.common.vehicle_actions import RepairVehicleGun
from sandtable.systems.aslsk.pieces.state import Phase, Vehicle, VehicleGun, VehicleId, WeaponState
from tests.aslsk.clash import Clash, side, squad

rules = pytest.mark.rules
MA, BMG, CMG, AAMG, RMG = VehicleGun
TANK = VehicleId("t")
BROKEN = {"MA": "malfunctioned", "CMG": "malfunctioned", "BMG": "removed", "AAMG": "malfunctioned"}


def _clash(**tank: Any) -> Clash:
    vehicle = {"id": "t", "card": "german/PzKpfw VIB", "at": "D3", "vca": "N/NE", "broken": BROKEN, **tank}
    mg = {"id": "mg", "card": "german/LMG", "owner": "g", "state": "malfunctioned"}
    return Clash(
        "RPh",
        step="repair",
        german=side(squad("g", at="A1"), weapons=[mg], vehicles=[vehicle]),
        russian=side(squad("r", "russian/4-4-7", at="G5")),
    )


def _repair(gun: VehicleGun) -> RepairVehicleGun:
    return RepairVehicleGun(TANK, gun)


def _tank(clash: Clash) -> Vehicle:
    return clash.state.vehicles[TANK]


@rules("3.1", "7.2", system="aslsk3")
def test_3_1_a_one_repairs_a_six_disables_and_each_is_tried_once() -> None:
    clash = _clash()
    assert {action.gun for action in clash.options() if isinstance(action, RepairVehicleGun)} == {MA, CMG}
    clash.play(_repair(CMG), 1)
    assert CMG not in _tank(clash).broken
    assert clash.why(_repair(CMG)) == "3.1"
    clash.play(_repair(MA), 2)
    assert _tank(clash).broken[MA] is WeaponState.MALFUNCTIONED
    assert clash.rules.narrate(clash.events[0]) == "The crew of t repairs its MA: dr 2, no effect (3.1)."
    assert clash.why(_repair(MA)) == "3.1"
    assert _repair(MA) not in clash.options()
    assert phase_ended(clash.state, Phase.RALLY).vehicles[TANK].repaired == ()
    clash = _clash()
    clash.play(_repair(CMG), 6)
    assert _tank(clash).broken[CMG] is WeaponState.REMOVED
    assert not _tank(clash).recalled


@rules("3.1", "7.10", system="aslsk3")
def test_7_10_a_vehicle_whose_main_armament_is_disabled_is_recalled() -> None:
    clash = _clash()
    clash.play(_repair(MA), 6)
    assert clash.saw(VehicleRecalled)
    assert _tank(clash).recalled


@rules("3.1", "7.2", "7.8", system="aslsk3")
@pytest.mark.parametrize(
    ("flags", "gun", "rule"),
    [
        ({}, BMG, "3.1"),
        ({}, RMG, "3.1"),
        ({}, AAMG, "7.8"),
        ({"exposed": True}, AAMG, ""),
        ({"shock": "Shock"}, CMG, "7.2"),
        ({"shock": "UK"}, CMG, "7.2"),
        ({"stun": "Stun"}, CMG, "7.2"),
        ({"stun": "+1"}, CMG, ""),
        ({"motion": True}, CMG, ""),
        ({"wreck": True}, CMG, "3.1"),
    ],
)
def test_3_1_who_may_repair(flags: dict[str, Any], gun: VehicleGun, rule: str) -> None:
    assert _clash(**flags).why(_repair(gun)) == rule
