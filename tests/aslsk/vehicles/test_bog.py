"""3.3.2 and 7.6: woods and buildings, Bog and its removal, mechanical reliability and stalling."""

import pytest

from sandtable.systems.aslsk.common.vehicle_actions import ContinueVehicle
from sandtable.systems.aslsk.pieces.state import Bog, VehicleDeed, VehicleStep
from sandtable.systems.aslsk.vehicles.vehicle_events import BogChecked, ReliabilityChecked, StallRolled
from tests.aslsk.clash import Clash
from tests.aslsk.vehicles.test_movement import (
    CAR,
    DELAY,
    START,
    STOP,
    TANK,
    clash_of,
    ended,
    enter,
    move,
    spent,
    turn,
    vehicle,
)

rules = pytest.mark.rules
D = VehicleDeed
UNBOG = VehicleStep(D.UNBOG)
LOW, HIGH = "german/PzKpfw IIF", "german/PzKpfw VIB"


def tank(card: str = TANK, **flags: object) -> dict[str, object]:
    return {"id": "t", "card": card, "at": "C3", "vca": "N/NE", **flags}


def before(letter: str, card: str = TANK, **flags: object) -> Clash:
    cells = f". . . . .\n. . {letter} . .\n. . . . .\n. . . . .\n"
    return clash_of(tank(card, **flags), cells=cells)


@rules("7.6", system="aslsk3")
@pytest.mark.parametrize(
    ("letter", "card", "kind", "drm"),
    [
        ("w", TANK, D.ENTER, 4),
        ("w", TANK, D.ALL, 1),
        ("w", LOW, D.ENTER, 3),
        ("w", LOW, D.ALL, 0),
        ("w", CAR, D.ALL, 2),
        ("h", TANK, D.ENTER, 4),
        ("b", TANK, D.ENTER, 5),
        ("h", LOW, D.ENTER, 3),
        ("b", LOW, D.ENTER, 4),
    ],
)
def test_7_6_the_drm_of_a_bog_check(letter: str, card: str, kind: VehicleDeed, drm: int) -> None:
    clash = before(letter, card)
    bogs_at = 12 - drm
    clash.play(move(START, enter(clash, "C2", kind), halt=True), _dice(bogs_at - 1))
    assert [event.drm.total for event in clash.events if isinstance(event, BogChecked)] == [drm]
    assert vehicle(clash).bog is Bog.NONE
    stuck = before(letter, card)
    stuck.play(move(START, enter(stuck, "C2", kind), halt=True), _dice(bogs_at))
    assert stuck.saw(BogChecked, bogged=True)
    assert vehicle(stuck).bog is Bog.BOGGED


def _dice(total: int) -> tuple[int, int]:
    return (total // 2, total - total // 2)


@rules("7.6", system="aslsk3")
def test_7_6_high_ground_pressure_and_going_uphill() -> None:
    hill = [{"kind": "hill", "hexes": ["C2"], "level": 1}]
    cells = ". . . . .\n. . w . .\n. . . . .\n. . . . .\n"
    clash = clash_of(tank(HIGH), cells=cells, features=hill)
    clash.play(move(START, enter(clash, "C2", D.ALL), halt=True), (1, 1), (1, 1))
    assert [event.drm.total for event in clash.events if isinstance(event, BogChecked)] == [3]


@rules("3.3.2", "7.6", system="aslsk3")
@pytest.mark.parametrize("letter", ["h", "b"])
def test_7_6_a_building_entered_by_all_mp_is_not_entered_at_half(letter: str) -> None:
    """Uphill and past two wrecks it costs 12.5 MP of the 12 that are left: one hex by all of them (3.3.2)."""
    wrecks = [{"id": name, "card": TANK, "at": "C2", "vca": "N/NE", "wreck": True} for name in ("x", "y")]
    cells, hill = f". . . . .\n. . {letter} . .\n. . . . .\n", [{"kind": "hill", "hexes": ["C2"], "level": 1}]
    clash = clash_of(tank(), *wrecks, cells=cells, features=hill)
    assert clash.why(move(START, enter(clash, "C2"))) == "3.3.2"
    clash.play(move(START, enter(clash, "C2", D.ALL)), (4, 6))
    assert [event.drm.total for event in clash.events if isinstance(event, BogChecked)] == [1], "ground pressure alone"
    assert ended(clash)


@rules("7.6", system="aslsk3")
def test_7_6_whoever_bogs_stops_and_ends_its_mph() -> None:
    clash = before("w")
    clash.play(move(START, enter(clash, "C2"), turn(1), STOP), (4, 4))
    assert spent(clash) == [1, 6.5, 5.5]
    assert not ended(clash)
    assert vehicle(clash).vca == 0


@rules("7.6", system="aslsk3")
def test_7_6_a_road_through_woods_asks_for_no_check() -> None:
    road = [{"kind": "dirt_road", "line": ["C1", "C2", "C3"]}]
    clash = clash_of(tank(), cells=". . . . .\n. . w . .\n. . . . .\n. . . . .\n", features=road)
    clash.play(move(START, enter(clash, "C2"), STOP))
    assert not clash.saw(BogChecked)
    off = clash_of(tank(), cells=". . . . .\n. . w . .\n. . . . .\n. . . . .\n", features=road)
    off.play(move(START, enter(off, "C2", D.OFF_ROAD), STOP), (1, 1))
    assert off.saw(BogChecked, bogged=False)
    assert spent(off)[1] == 6.5


@rules("1.1.1", "7.6", system="aslsk3")
@pytest.mark.parametrize(("card", "drm"), [(TANK, 1), (CAR, 2)])
def test_1_1_1_woods_with_a_road_are_entered_by_all_mp_off_the_road(card: str, drm: int) -> None:
    road = [{"kind": "dirt_road", "line": ["C1", "C2", "C3"]}]
    clash = clash_of(tank(card), cells=". . . . .\n. . w . .\n. . . . .\n. . . . .\n", features=road)
    action = move(START, enter(clash, "C2", D.ALL), STOP)
    assert clash.why(action) == ""
    clash.play(action, (1, 1))
    assert next(event for event in clash.events if isinstance(event, BogChecked)).drm.total == drm
    assert not ended(clash)


@rules("1.1.1", "3.3.2", system="aslsk3")
def test_3_3_2_woods_by_all_mp_leave_one_to_start_and_one_to_stop() -> None:
    clash = before("w")
    clash.play(move(START, enter(clash, "C2", D.ALL), STOP), (1, 1))
    assert spent(clash) == [1, 13, 1]
    assert not ended(clash)
    moving = before("w")
    moving.play(move(START, enter(moving, "C2", D.ALL)), (1, 1))
    assert ended(moving)
    assert before("w").why(move(START, enter(moving, "C2", D.ALL), turn(1))) == "3.3.2"
    assert before("w").why(move(START, turn(1), turn(0), enter(moving, "C2", D.ALL))) == "3.3.2"
    assert before("w").why(move(DELAY, START, enter(moving, "C2", D.ALL))) == "3.3.2"
    assert before("w", CAR).why(move(START, enter(moving, "C2"))) == "1.1.1"


@rules("3.3.2", system="aslsk3")
def test_3_3_2_one_hex_may_always_be_entered_by_all_mp() -> None:
    # Half of 9 MP and a crest line are more than it has once it has started.
    cells = ". . . . .\n. . b . .\n. . . . .\n. . . . .\n"
    hill = [{"kind": "hill", "hexes": ["C2"], "level": 1}]
    clash = clash_of(tank("russian/KV-2"), cells=cells, features=hill)
    assert clash.why(move(START, enter(clash, "C2"), halt=True)) == "3.3.2"
    assert clash.why(move(START, enter(clash, "C2", D.ALL), STOP)) == "3.3.2"
    clash.play(move(START, enter(clash, "C2", D.ALL)), (1, 1), (1, 1))
    assert spent(clash) == [1, 9]
    assert ended(clash)
    plain = before(".")
    assert plain.why(move(START, enter(plain, "C2", D.ALL))) == "3.3.2"
    car = before("b", CAR)
    assert car.why(move(START, enter(car, "C2", D.ALL))) == "1.1.1"


# --- removal ----------------------------------------------------------------------------------------------------


@rules("7.6", system="aslsk3")
def test_7_6_bog_is_removed_by_a_dear_start() -> None:
    clash = before(".", bog="Bog")
    assert clash.why(move(START, STOP)) == "7.6"
    clash.play(move(UNBOG), (3, 2))
    assert vehicle(clash).bog is Bog.NONE
    assert spent(clash) == [6]
    clash.play(ContinueVehicle((enter(clash, "C2"), STOP)))
    assert spent(clash) == [1, 1, 5]


@rules("7.6", system="aslsk3")
def test_7_6_freed_with_no_mp_left_it_is_in_motion() -> None:
    clash = before(".", bog="Bog")
    clash.play(move(UNBOG), (4, 6))
    assert spent(clash) == [13]
    clash.play(ContinueVehicle())
    assert ended(clash)


@rules("7.6", system="aslsk3")
@pytest.mark.parametrize(
    ("bog", "coloured", "after", "stuck"),
    [
        ("Bog", 4, "", False),
        ("Bog", 5, "Mired", False),
        ("Bog", 6, "Bog", True),
        ("Mired", 3, "", False),
        ("Mired", 4, "Mired", False),
        ("Mired", 5, "Mired", True),
        ("Mired", 6, "Mired", True),
    ],
)
def test_7_6_the_coloured_die_frees_mires_or_immobilizes(bog: str, coloured: int, after: str, stuck: bool) -> None:
    clash = before(".", bog=bog)
    clash.play(move(UNBOG), (coloured, 1))
    assert vehicle(clash).bog == after
    assert vehicle(clash).immobilized is stuck
    assert spent(clash) == [coloured]


@rules("7.6", system="aslsk3")
def test_7_6_wheels_pay_double_and_only_the_start_of_a_mph_is_for_it() -> None:
    clash = before(".", CAR, bog="Bog")
    clash.play(move(UNBOG), (3, 2))
    assert spent(clash) == [12]
    later = before(".", bog="Bog")
    assert later.why(move(DELAY, UNBOG)) == "7.6"
    assert before(".").why(move(UNBOG)) == "7.6"
    assert before(".", bog="Bog", immobilized=True).why(move(UNBOG)) == "7.6"


@rules("7.6", system="aslsk3")
def test_7_6_a_bogged_vehicle_turns_no_hull_but_may_delay() -> None:
    clash = before(".", bog="Bog")
    assert clash.why(move(turn(1))) == "7.6"
    assert clash.why(move(enter(clash, "C2"))) == "7.6"
    assert clash.why(move(VehicleStep(D.DELAY, tca=3))) == ""


# --- engines ----------------------------------------------------------------------------------------------------


@rules("3.3.2", system="aslsk3")
def test_3_3_2_red_mp_break_down_at_12() -> None:
    clash = before(".", "german/PzKpfw VIE")
    clash.play(move(START, enter(clash, "C2"), STOP), (6, 6))
    assert vehicle(clash).immobilized
    assert vehicle(clash).is_stopped
    assert spent(clash) == [1]
    assert clash.why(ContinueVehicle((START,), halt=True)) == "7.10"
    fine = before(".", "german/PzKpfw VIE")
    fine.play(move(START, enter(fine, "C2"), STOP, START, STOP), (6, 5), (5, 6))
    assert fine.saw(ReliabilityChecked, result="runs")
    assert before(".").play(move(START, STOP)) is not None


@rules("3.3.2", system="aslsk3")
def test_3_3_2_some_stall_at_11_and_a_dr_of_mp_is_lost() -> None:
    clash = before(".", "russian/T-34 M41")
    clash.play(move(START, enter(clash, "C2"), STOP), (6, 5), (3, 4))
    assert clash.saw(ReliabilityChecked, result="stalls")
    assert clash.saw(StallRolled)
    assert spent(clash) == [1, 7]
    assert vehicle(clash).is_stopped
    assert not vehicle(clash).is_moving_target
    clash.play(ContinueVehicle((START, enter(clash, "C2"), STOP)), (1, 1))
    assert spent(clash) == [1, 1, 1, 6]
    broken = before(".", "russian/T-34 M41")
    broken.play(move(START, STOP), (6, 6))
    assert vehicle(broken).immobilized


@rules("3.3.2", system="aslsk3")
def test_3_3_2_a_panther_stalls_at_12_and_loses_no_more_mp_than_it_has() -> None:
    clash = before(".", "german/PzKpfw VG")
    turns = [turn(spine) for spine in (1, 0, 1, 0, 1, 0)]
    clash.play(move(START, *turns, STOP, START, STOP), (5, 6), (6, 6), (6, 6))
    assert spent(clash)[-1] == 6
    assert not vehicle(clash).immobilized
    clash.play(ContinueVehicle())
    assert not ended(clash)
