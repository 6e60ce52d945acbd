"""3.3.2.2, 3.5: machine guns and IFE of a vehicle in its own MPh, and after it."""

from collections.abc import Sequence
from typing import Any

import pytest

from sandtable.systems.aslsk.common.actions import ContinueVehicle, FireVehicle, MoveVehicle
from sandtable.systems.aslsk.common.events import FireResolved, ResidualPlaced
from sandtable.systems.aslsk.pieces.state import Mark, Vehicle, VehicleDeed, VehicleGun, VehicleId, VehicleStep
from tests.aslsk.desk import PLAIN, Desk, side, squad

rules = pytest.mark.rules
MA, BMG, CMG, AAMG, RMG = VehicleGun
TANK = VehicleId("t")
START, STOP = VehicleStep(VehicleDeed.START), VehicleStep(VehicleDeed.STOP)


def _desk(
    card: str = "russian/T-34/85",
    cells: str = PLAIN,
    *,
    target: str = "D1",
    features: Sequence[dict[str, Any]] = (),
    **tank: Any,
) -> Desk:
    """A vehicle in D4 that points north, and a German squad that is broken, so that nobody fires back."""
    vehicle = {"id": "t", "card": card, "at": "D4", "vca": "N/NE", **tank}
    own, other = ("german", "russian") if card.startswith("german") else ("russian", "german")
    foes = {"german": "german/4-6-7", "russian": "russian/4-4-7"}
    enemies = side(squad("e", foes[other], at=target, broken=True), squad("x", foes[other], at="E1", broken=True))
    sides: dict[str, Any] = {own: side(vehicles=[vehicle]), other: enemies}
    return Desk("MPh", cells, features=features, attacker=own, **sides)


def _fire(desk: Desk, *guns: VehicleGun, at: str = "D1", **how: Any) -> FireVehicle:
    return FireVehicle(TANK, guns, desk.hex(at), **how)


def _tank(desk: Desk) -> Vehicle:
    return desk.state.vehicles[TANK]


def _column(desk: Desk) -> int:
    return next(event for event in desk.events if isinstance(event, FireResolved)).column


@rules("3.3.2.2", system="aslsk3")
def test_3_3_2_2_half_fp_before_it_moves_and_a_quarter_while_it_is_under_way() -> None:
    desk = _desk()
    first = MoveVehicle(TANK, (), halt=True)
    assert desk.why(first) == ""
    assert any(action == first for action in _leaves(desk))
    desk.play(first)
    fire = _fire(desk, BMG, CMG)
    assert fire in _leaves(desk)
    desk.play(fire, (6, 5))
    assert _column(desk) == 2, "6 FP halved"
    assert (_tank(desk).fired_in, _tank(desk).fired_hex) == ("MPh", desk.hex("D4"))
    assert not desk.saw(ResidualPlaced)
    desk = _desk()
    desk.drive(TANK, START, "D3")
    desk.play(_fire(desk, BMG, CMG), (6, 5))
    assert _column(desk) == 1, "and halved again while it is Non-Stopped"
    desk = _desk()
    desk.drive(TANK, START, "D3", STOP)
    desk.play(_fire(desk, BMG, CMG), (6, 5))
    assert _column(desk) == 2, "it has stopped"


def _leaves(desk: Desk) -> list[Any]:
    """What is offered, but for the thousand ways to drive on."""
    found: list[Any] = []
    for branch in desk.decision.options(desk.decision.asked[0]).root.branches():
        if branch.key not in ("t", "crew"):
            found += list(branch.then)
    return found


@rules("3.3.2.2", "7.8", system="aslsk3")
def test_3_3_2_2_nothing_is_turned_to_fire() -> None:
    desk = _desk(target="F5")
    desk.drive(TANK, START)
    assert desk.why(_fire(desk, CMG, at="F5", facing=1)) == "7.8"
    assert desk.why(_fire(desk, CMG, at="F5")) == "3.2.4"


@rules("3.3.2.2", "7.8", system="aslsk3")
def test_3_3_2_2_all_its_weapons_fire_from_one_hex() -> None:
    desk = _desk()
    desk.drive(TANK, START)
    desk.play(_fire(desk, BMG), (6, 5))
    assert desk.why(_fire(desk, CMG)) == "7.8", "it should have fired with the BMG"
    assert desk.why(_fire(desk, CMG, at="E1")) == ""
    desk.drive(TANK, "D3")
    assert desk.why(_fire(desk, CMG, at="E1")) == "3.3.2.2"
    assert not any(isinstance(action, FireVehicle) for action in _leaves(desk))


@rules("3.3.2.2", "3.5", "6.8", system="aslsk3")
def test_3_3_2_2_a_main_armament_that_keeps_its_rate_fires_again_after_another_mp() -> None:
    desk = _desk("german/PSW 232")
    desk.play(MoveVehicle(TANK, (), halt=True))
    desk.play(_fire(desk, MA), (1, 6))
    assert _tank(desk).mark is Mark.NONE
    assert desk.why(_fire(desk, MA)) == "3.3.2.2"
    desk.drive(TANK, START, "D3")
    assert desk.why(_fire(desk, MA)) == "", "from another hex too"
    assert desk.why(_fire(desk, CMG, at="E1")) == "3.3.2.2"
    desk.play(_fire(desk, MA), (2, 6))
    assert _tank(desk).mark is Mark.BOUNDING_FIRE, "its ROF by IFE is 1"
    desk.drive(TANK, STOP)
    assert desk.why(_fire(desk, MA)) != ""


@rules("3.3.2.2", system="aslsk3")
def test_3_3_2_2_it_goes_on_after_it_has_fired() -> None:
    desk = _desk()
    desk.play(MoveVehicle(TANK, (), halt=True))
    desk.play(_fire(desk, CMG), (6, 5))
    desk.drive(TANK, START, "D3", STOP)
    assert _tank(desk).hex == desk.hex("D3")
    assert desk.why(ContinueVehicle()) == ""


@rules("3.2.2.1", "3.3.2.2", system="aslsk3")
def test_pf_8_fire_in_the_own_hex_on_the_move() -> None:
    """The end of the PF and Same Hex Fire example: 6 FP tripled, halved, and halved again had it not stopped."""
    cells = "\n".join([". . . . ."] * 2 + [". . . h ."] + [". . . . ."] * 2)
    for stops, column in ((True, 8), (False, 4)):
        desk = _desk(cells=cells, target="D3", vca="N/NE")
        desk.drive(TANK, START)
        enter = VehicleStep(to=desk.hex("D3"))
        desk.play(ContinueVehicle((enter,), halt=True), (3, 4))
        if stops:
            desk.drive(TANK, STOP)
        desk.play(_fire(desk, BMG, CMG, at="D3"), (3, 4))
        assert _column(desk) == column
        fired = next(event for event in desk.events if isinstance(event, FireResolved))
        assert fired.drm.total == 2
        assert fired.result == ("PTC" if stops else "")


@rules("3.3.2.2", system="aslsk3")
def test_3_3_2_2_nobody_halts_to_fire_who_cannot() -> None:
    desk = _desk("russian/T-34/85", broken=dict.fromkeys(("MA", "BMG", "CMG"), "malfunctioned"))
    assert desk.why(MoveVehicle(TANK, (), halt=True)) == "3.3.2"
    assert desk.why(MoveVehicle(TANK, ())) == "3.3.2"


@rules("3.3.2.2", system="aslsk3")
def test_odds_of_bounding_fire() -> None:
    desk = _desk()
    desk.drive(TANK, START)
    odds = desk.rules.unit_odds(desk.state, _fire(desk, BMG, CMG))
    assert sum(chance.probability for chance in odds["e"]) == pytest.approx(1)


@rules("3.3.2.2", system="aslsk3")
def test_3_3_2_2_half_a_mp_is_no_other_mp() -> None:
    road = [{"kind": "dirt_road", "line": ["D4", "D3", "D2"]}]
    desk = _desk("german/PSW 232", features=road, exposed=True)
    desk.drive(TANK, START)
    desk.play(_fire(desk, MA), (1, 6))
    desk.drive(TANK, "D3")
    assert desk.why(_fire(desk, MA)) == "3.3.2.2", "half a MP on the road"
    desk.drive(TANK, "D2")
    assert desk.why(_fire(desk, MA)) == ""


@rules("3.3.2", "3.3.2.2", system="aslsk3")
def test_3_3_2_2_a_stop_after_woods_by_all_mp_is_another_mp() -> None:
    cells = PLAIN.splitlines()
    cells[3] = ". . . w . . ."
    desk = _desk("german/PzKpfw IIF", "\n".join(cells))
    desk.drive(TANK, START)
    by_all = VehicleStep(VehicleDeed.ALL, desk.hex("D3"))
    desk.play(ContinueVehicle((by_all,), halt=True), (1, 1))
    desk.play(_fire(desk, MA), (1, 6))
    assert desk.why(_fire(desk, MA)) == "3.3.2.2"
    desk.drive(TANK, STOP)
    assert desk.why(_fire(desk, MA)) == ""
