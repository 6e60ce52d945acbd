"""3.3.2.2, 3.5: machine guns and IFE of a vehicle in its own MPh, and after it."""

from collections.abc import Sequence
from typing import Any

import pytest

from sandtable.systems.aslsk.common.events import FireResolved, ResidualPlaced
from sandtable.systems.aslsk.common.vehicle_actions import ContinueVehicle, FireVehicle, MoveVehicle
from sandtable.systems.aslsk.pieces.state import Mark, Vehicle, VehicleDeed, VehicleGun, VehicleId, VehicleStep
from tests.aslsk.clash import PLAIN, Clash, side, squad

rules = pytest.mark.rules
MA, BMG, CMG, AAMG, RMG = VehicleGun
TANK = VehicleId("t")
START, STOP = VehicleStep(VehicleDeed.START), VehicleStep(VehicleDeed.STOP)


def _clash(
    card: str = "russian/T-34/85",
    cells: str = PLAIN,
    *,
    target: str = "D1",
    features: Sequence[dict[str, Any]] = (),
    **tank: Any,
) -> Clash:
    """A vehicle in D4 that points north, and a German squad that is broken, so that nobody fires back."""
    vehicle = {"id": "t", "card": card, "at": "D4", "vca": "N/NE", **tank}
    own, other = ("german", "russian") if card.startswith("german") else ("russian", "german")
    foes = {"german": "german/4-6-7", "russian": "russian/4-4-7"}
    enemies = side(squad("e", foes[other], at=target, broken=True), squad("x", foes[other], at="E1", broken=True))
    sides: dict[str, Any] = {own: side(vehicles=[vehicle]), other: enemies}
    return Clash("MPh", cells, features=features, attacker=own, **sides)


def _fire(clash: Clash, *guns: VehicleGun, at: str = "D1", **how: Any) -> FireVehicle:
    return FireVehicle(TANK, guns, clash.hex(at), **how)


def _tank(clash: Clash) -> Vehicle:
    return clash.state.vehicles[TANK]


def _column(clash: Clash) -> int:
    return next(event for event in clash.events if isinstance(event, FireResolved)).column


@rules("3.3.2.2", system="aslsk3")
def test_3_3_2_2_half_fp_before_it_moves_and_a_quarter_while_it_is_under_way() -> None:
    clash = _clash()
    first = MoveVehicle(TANK, (), halt=True)
    assert clash.why(first) == ""
    assert any(action == first for action in _leaves(clash))
    clash.play(first)
    fire = _fire(clash, BMG, CMG)
    assert fire in _leaves(clash)
    clash.play(fire, (6, 5))
    assert _column(clash) == 2, "6 FP halved"
    assert (_tank(clash).fired_in, _tank(clash).fired_hex) == ("MPh", clash.hex("D4"))
    assert not clash.saw(ResidualPlaced)
    clash = _clash()
    clash.drive(TANK, START, "D3")
    clash.play(_fire(clash, BMG, CMG), (6, 5))
    assert _column(clash) == 1, "and halved again while it is Non-Stopped"
    clash = _clash()
    clash.drive(TANK, START, "D3", STOP)
    clash.play(_fire(clash, BMG, CMG), (6, 5))
    assert _column(clash) == 2, "it has stopped"


def _leaves(clash: Clash) -> list[Any]:
    """What is offered, but for the thousand ways to drive on."""
    found: list[Any] = []
    for branch in clash.decision.options(clash.decision.asked[0]).root.branches():
        if branch.key not in ("t", "crew"):
            found += list(branch.then)
    return found


@rules("3.3.2.2", "7.8", system="aslsk3")
def test_3_3_2_2_nothing_is_turned_to_fire() -> None:
    clash = _clash(target="F5")
    clash.drive(TANK, START)
    assert clash.why(_fire(clash, CMG, at="F5", facing=1)) == "7.8"
    assert clash.why(_fire(clash, CMG, at="F5")) == "3.2.4"


@rules("3.3.2.2", "7.8", system="aslsk3")
def test_3_3_2_2_all_its_weapons_fire_from_one_hex() -> None:
    clash = _clash()
    clash.drive(TANK, START)
    clash.play(_fire(clash, BMG), (6, 5))
    assert clash.why(_fire(clash, CMG)) == "7.8", "it should have fired with the BMG"
    assert clash.why(_fire(clash, CMG, at="E1")) == ""
    clash.drive(TANK, "D3")
    assert clash.why(_fire(clash, CMG, at="E1")) == "3.3.2.2"
    assert not any(isinstance(action, FireVehicle) for action in _leaves(clash))


@rules("3.3.2.2", "3.5", "6.8", system="aslsk3")
def test_3_3_2_2_a_main_armament_that_keeps_its_rate_fires_again_after_another_mp() -> None:
    clash = _clash("german/PSW 232")
    clash.play(MoveVehicle(TANK, (), halt=True))
    clash.play(_fire(clash, MA), (1, 6))
    assert _tank(clash).mark is Mark.NONE
    assert clash.why(_fire(clash, MA)) == "3.3.2.2"
    clash.drive(TANK, START, "D3")
    assert clash.why(_fire(clash, MA)) == "", "from another hex too"
    assert clash.why(_fire(clash, CMG, at="E1")) == "3.3.2.2"
    clash.play(_fire(clash, MA), (2, 6))
    assert _tank(clash).mark is Mark.BOUNDING_FIRE, "its ROF by IFE is 1"
    clash.drive(TANK, STOP)
    assert clash.why(_fire(clash, MA)) != ""


@rules("3.3.2.2", system="aslsk3")
def test_3_3_2_2_it_goes_on_after_it_has_fired() -> None:
    clash = _clash()
    clash.play(MoveVehicle(TANK, (), halt=True))
    clash.play(_fire(clash, CMG), (6, 5))
    clash.drive(TANK, START, "D3", STOP)
    assert _tank(clash).hex == clash.hex("D3")
    assert clash.why(ContinueVehicle()) == ""


@rules("3.2.2.1", "3.3.2.2", system="aslsk3")
def test_pf_8_fire_in_the_own_hex_on_the_move() -> None:
    """The end of the PF and Same Hex Fire example: 6 FP tripled, halved, and halved again had it not stopped."""
    cells = "\n".join([". . . . ."] * 2 + [". . . h ."] + [". . . . ."] * 2)
    for stops, column in ((True, 8), (False, 4)):
        clash = _clash(cells=cells, target="D3", vca="N/NE")
        clash.drive(TANK, START)
        enter = VehicleStep(to=clash.hex("D3"))
        clash.play(ContinueVehicle((enter,), halt=True), (3, 4))
        if stops:
            clash.drive(TANK, STOP)
        clash.play(_fire(clash, BMG, CMG, at="D3"), (3, 4))
        assert _column(clash) == column
        fired = next(event for event in clash.events if isinstance(event, FireResolved))
        assert fired.drm.total == 2
        assert fired.result == ("PTC" if stops else "")


@rules("3.3.2.2", system="aslsk3")
def test_3_3_2_2_nobody_halts_to_fire_who_cannot() -> None:
    clash = _clash("russian/T-34/85", broken=dict.fromkeys(("MA", "BMG", "CMG"), "malfunctioned"))
    assert clash.why(MoveVehicle(TANK, (), halt=True)) == "3.3.2"
    assert clash.why(MoveVehicle(TANK, ())) == "3.3.2"


@rules("3.3.2.2", system="aslsk3")
def test_odds_of_bounding_fire() -> None:
    clash = _clash()
    clash.drive(TANK, START)
    odds = clash.rules.unit_odds(clash.state, _fire(clash, BMG, CMG))
    assert sum(chance.probability for chance in odds["e"]) == pytest.approx(1)


@rules("3.3.2.2", system="aslsk3")
def test_3_3_2_2_half_a_mp_is_no_other_mp() -> None:
    road = [{"kind": "dirt_road", "line": ["D4", "D3", "D2"]}]
    clash = _clash("german/PSW 232", features=road, exposed=True)
    clash.drive(TANK, START)
    clash.play(_fire(clash, MA), (1, 6))
    clash.drive(TANK, "D3")
    assert clash.why(_fire(clash, MA)) == "3.3.2.2", "half a MP on the road"
    clash.drive(TANK, "D2")
    assert clash.why(_fire(clash, MA)) == ""


@rules("3.3.2", "3.3.2.2", system="aslsk3")
def test_3_3_2_2_a_stop_after_woods_by_all_mp_is_another_mp() -> None:
    cells = PLAIN.splitlines()
    cells[3] = ". . . w . . ."
    clash = _clash("german/PzKpfw IIF", "\n".join(cells))
    clash.drive(TANK, START)
    by_all = VehicleStep(VehicleDeed.ALL, clash.hex("D3"))
    clash.play(ContinueVehicle((by_all,), halt=True), (1, 1))
    clash.play(_fire(clash, MA), (1, 6))
    assert clash.why(_fire(clash, MA)) == "3.3.2.2"
    clash.drive(TANK, STOP)
    assert clash.why(_fire(clash, MA)) == ""
