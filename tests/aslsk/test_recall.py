"""7.10 Recall: the way home over the friendly edge."""

import random
from typing import Any

import pytest

from sandtable.core.dice import SeededDice
from sandtable.systems.aslsk.common.actions import Done, FireGun, MoveVehicle
from sandtable.systems.aslsk.pieces.armament import Ammo, TargetType
from sandtable.systems.aslsk.pieces.state import Vehicle, VehicleDeed, VehicleId, VehicleStep, Whereabouts
from sandtable.systems.aslsk.vehicles.driver import Driver
from sandtable.systems.aslsk.vehicles.vehicle_events import VehicleExited
from sandtable.systems.aslsk.vehicles.way_home import home_ways
from tests.aslsk.desk import PLAIN, Desk, side, squad

rules = pytest.mark.rules
D = VehicleDeed
TANK, CAR = "german/PzKpfw IIIN", "german/PSW 234/2"
START, STOP, DELAY, CREW = (VehicleStep(kind) for kind in (D.START, D.STOP, D.DELAY, D.CREW))
HOME = ["A1", "A2", "A3", "A4", "A5"]


def desk_of(cells: str = PLAIN, phase: str = "MPh", others: tuple[dict[str, Any], ...] = (), **flags: Any) -> Desk:
    """A recalled tank whose side came in from the left, pointing at the right unless somebody says otherwise."""
    own = {"id": "t", "card": TANK, "at": "D3", "vca": "NE/SE", "recalled": True, **flags}
    german = {"vehicles": [own], "enters": HOME}
    foes = side(squad("r", "russian/4-4-7", at="G5"), vehicles=list(others))
    return Desk(phase, cells, german=german, russian=foes)


def vehicle(desk: Desk) -> Vehicle:
    return desk.state.vehicles[VehicleId("t")]


def enter(desk: Desk, label: str, kind: VehicleDeed = D.ENTER, **more: Any) -> VehicleStep:
    return VehicleStep(kind, desk.hex(label), **more)


def turn(spine: int) -> VehicleStep:
    return VehicleStep(D.TURN, spine=spine)


def move(*steps: VehicleStep, halt: bool = False) -> MoveVehicle:
    return MoveVehicle(VehicleId("t"), steps, halt)


@rules("7.10", system="aslsk3")
def test_7_10_the_mph_does_not_end_before_a_recalled_vehicle_has_moved() -> None:
    desk = desk_of()
    assert desk.why(Done()) == "7.10"
    cases: list[dict[str, Any]] = [{"immobilized": True}, {"bog": "Bog"}, {"recalled": False}]
    for flags in cases:
        assert desk_of(**flags).why(Done()) == "", flags


@rules("7.10", system="aslsk3")
def test_7_10_it_goes_by_the_shortest_way_and_does_not_stop() -> None:
    desk = desk_of(vca="SW/NW")
    assert desk.why(move(DELAY, halt=True)) == "7.10"
    assert desk.why(move(START, STOP)) == "7.10"
    assert desk.why(move(START, turn(5), halt=True)) == "7.10"
    assert desk.why(move(START, enter(desk, "C3", extra=2), halt=True)) == "7.10"
    assert desk.why(move(START, enter(desk, "C3"))) == "7.10", "it has MP to go on"
    assert desk.why(move(START, enter(desk, "C3"), halt=True)) == ""
    away = desk_of(vca="NE/SE")
    assert away.why(move(START, enter(away, "E3"), halt=True)) == "7.10"
    assert away.why(move(START, turn(2), halt=True)) == away.why(move(START, turn(0), halt=True)) == ""


@rules("7.10", system="aslsk3")
@pytest.mark.parametrize("recalled", [True, False])
def test_7_10_no_more_mp_are_offered_to_declare(*, recalled: bool) -> None:
    """A choice with nothing to choose would be a dead end."""
    desk = desk_of(vca="SW/NW", recalled=recalled)
    desk.play(move(START, enter(desk, "C3"), halt=True))
    drive = next(iter(desk.decision.options(desk.decision.asked[0]).root.branches())).then
    after = next(branch.then for branch in drive.branches() if branch.is_hex)
    assert ("more MP" in {branch.key for branch in after.branches()}) is not recalled


@rules("3.3", "7.10", system="aslsk3")
def test_7_10_it_leaves_over_the_edge_where_its_side_came_in_and_does_not_count() -> None:
    desk = desk_of(at="A3", vca="SW/NW", motion=True)
    desk.play(move(VehicleStep(D.EXIT, way=4)))
    assert desk.saw(VehicleExited, vehicle="t", counts=False)
    assert vehicle(desk).place is Whereabouts.EXITED
    assert not vehicle(desk).away


@rules("7.10", system="aslsk3")
def test_7_10_who_is_not_recalled_leaves_by_no_edge() -> None:
    desk = desk_of(at="A3", vca="SW/NW", motion=True, recalled=False)
    assert desk.why(move(VehicleStep(D.EXIT, way=4))) == "3.3"


@rules("7.10", system="aslsk3")
@pytest.mark.parametrize("seed", range(6))
def test_7_10_whatever_it_does_it_is_off_the_map_in_a_turn_or_two(seed: int) -> None:
    rng = random.Random(seed)
    desk = desk_of(
        cells=PLAIN.replace(". . . . . . .", ". . w . . b .", 2), exposed=seed % 2 == 0, motion=seed % 3 == 0
    )
    for _ in range(60):
        if vehicle(desk).place is Whereabouts.EXITED or desk.state.phase != "MPh":
            break
        action = desk.decision.options(desk.decision.asked[0]).sample(rng)
        assert desk.why(action) == ""
        desk.state = desk.rules.resolve(desk.state, desk.decision.asked[0], action, SeededDice(seed)).state
    gone = vehicle(desk)
    assert gone.place is Whereabouts.EXITED or gone.motion or not gone.is_active or not gone.is_mobile


@rules("7.10", system="aslsk3")
def test_7_10_it_does_not_drive_into_the_hex_of_an_enemy_afv() -> None:
    foe = {"id": "foe", "card": "russian/T-34 M43", "at": "C3", "vca": "N/NE"}
    desk = desk_of(vca="SW/NW", motion=True, others=(foe,))
    assert desk.why(move(enter(desk, "C3"), halt=True)) != ""
    assert desk.why(move(enter(desk, "C4"), halt=True)) == ""


@rules("7.10", system="aslsk3")
def test_7_10_it_does_not_prep_fire_unless_it_is_immobile() -> None:
    foe = {"id": "foe", "card": "russian/T-34 M43", "at": "F3", "vca": "N/NE"}
    cases: list[tuple[dict[str, Any], bool]] = [({}, False), ({"immobilized": True}, True), ({"recalled": False}, True)]
    for flags, may in cases:
        desk = desk_of(phase="PFPh", others=(foe,), vca="NE/SE", **flags)
        shot = FireGun(desk.hex("F3"), vehicle=VehicleId("t"), target_type=TargetType.VEHICLE, ammo=Ammo.HE, at="foe")
        assert (desk.why(shot) == "") is may, flags


@rules("7.10", system="aslsk3")
def test_7_10_the_friendly_edge() -> None:
    desk = desk_of()
    assert {desk.context.label(hex) for hex in home_ways(desk.context, "german")} == set(HOME)
    assert home_ways(desk.context, "russian")


@rules("7.10", system="aslsk3")
def test_7_10_the_steps_home_are_legal_and_end_off_the_map() -> None:
    desk = desk_of()
    driver = Driver(desk.context, desk.state, vehicle(desk))
    steps = driver.homeward(driver.begin())
    assert steps is not None
    assert steps[-1].kind is D.EXIT
    assert desk.why(move(*steps)) == ""
