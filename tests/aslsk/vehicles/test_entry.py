"""3.3, 3.3.2: vehicles that come onto the map, leave it, never enter, or are recalled over several turns."""

from typing import Any

import pytest

from sandtable.systems.aslsk.common.actions import Done, HoldFire
from sandtable.systems.aslsk.common.vehicle_actions import ChangeCrew, ContinueVehicle, MoveVehicle
from sandtable.systems.aslsk.fire.vehicle_target import vehicle_terms
from sandtable.systems.aslsk.pieces.state import Phase, VehicleDeed, VehicleId, VehicleStep, Whereabouts
from sandtable.systems.aslsk.vehicles.driver import Driver
from sandtable.systems.aslsk.vehicles.vehicle_events import VehicleExited, VehicleLost
from tests.aslsk.clash import PLAIN, Clash, side, squad
from tests.aslsk.vehicles.test_movement import CREW, DELAY, START, STOP, TANK, enter, move, spent, turn, vehicle

rules = pytest.mark.rules
D = VehicleDeed
NE_SE, SW_NW = 1, 4
"""Hexspines that point right and left."""
EDGE = ["A1", "A2", "A3", "A4", "A5"]


def off_board(cells: str = PLAIN, *, russian: dict[str, Any] | None = None, **more: Any) -> Clash:
    flags = more.pop("flags", {})
    german = {"vehicles": [{"id": "t", "card": TANK, **flags}], "enters": EDGE}
    foes = russian or side(squad("r", "russian/8-1", at="G1"))
    return Clash("MPh", cells, german=german, russian=foes, **more)


# --- entering ---------------------------------------------------------------------------------------------------


@rules("3.3", "3.3.2", system="aslsk3")
def test_3_3_2_off_board_it_is_in_motion_and_enters_without_a_start() -> None:
    clash = off_board()
    assert clash.why(move(START)) == clash.why(move(CREW, halt=True)) == "3.3"
    clash.play(move(enter(clash, "A3", spine=NE_SE), STOP))
    assert spent(clash) == [1, 1, 11]
    tank = vehicle(clash)
    assert (tank.vca, tank.tca, tank.moving_target, tank.motion) == (NE_SE, NE_SE, True, False)


@rules("3.3", "7.7", system="aslsk3")
def test_7_7_it_is_set_up_off_board_with_its_crew_exposed_or_not() -> None:
    clash = off_board()
    change = ChangeCrew(VehicleId("t"))
    crews = clash.decision.options(clash.decision.asked[0]).at("crew")
    assert list(crews) == [change]
    clash.play(change)
    assert vehicle(clash).exposed
    assert clash.why(change) == "7.7", "said once"
    clash.play(move(enter(clash, "A3", spine=NE_SE), halt=True))
    while clash.asked == "russian":
        clash.play(HoldFire())
    # That was no change of this MPh: it may button up in it, and not open again.
    clash.play(ContinueVehicle((CREW, STOP), halt=True))
    assert not vehicle(clash).exposed
    assert clash.why(ContinueVehicle((CREW,), halt=True)) == "7.7"


@rules("3.2.4", "3.3.2", system="aslsk3")
def test_3_3_2_who_comes_from_off_board_is_a_target_in_motion_until_it_stops() -> None:
    """Case 24: +2 for Motion, however few MP were spent in sight."""
    clash = off_board(russian=side(squad("r", "russian/8-1", at="G1"), squad("s", "russian/4-4-7", at="D3")))

    def drm() -> list[int]:
        terms = vehicle_terms(clash.context, clash.state, clash.hex("D3"), vehicle(clash), near=False)
        return [term.value for term in terms]

    clash.play(move(enter(clash, "A3", spine=NE_SE), halt=True))
    assert (vehicle(clash).motion, drm()) == (True, [2])
    while clash.asked == "russian":
        clash.play(HoldFire())
    clash.play(ContinueVehicle((STOP,), halt=True))
    assert (vehicle(clash).motion, drm()) == (False, [3]), "it has stopped, and 2 MP were spent in sight"


@rules("3.3", "3.3.2", system="aslsk3")
def test_3_3_it_enters_where_the_card_says_with_its_front_into_the_map() -> None:
    clash = off_board()
    assert clash.why(move(enter(clash, "B3", spine=NE_SE), STOP)) == "3.3"
    assert clash.why(move(enter(clash, "A3", spine=SW_NW), STOP)) == "3.3.2"
    assert clash.why(move(enter(clash, "A3"), STOP)) == "3.3.2"
    # From the left a vehicle that points N/NE or SE/S comes in as well.
    assert (
        clash.why(move(enter(clash, "A3", spine=0), STOP)) == clash.why(move(enter(clash, "A3", spine=2), STOP)) == ""
    )


@rules("1.1.1", "3.3", system="aslsk3")
@pytest.mark.parametrize(("letter", "cost"), [(".", 1), ("x", 2), ("b", 6.5)])
def test_3_3_entering_costs_what_the_hex_costs(letter: str, cost: float) -> None:
    clash = off_board(PLAIN.replace(". . . . . . .\n", f"{letter} . . . . . .\n"))
    clash.play(move(enter(clash, "A3", spine=NE_SE), STOP), *([(1, 1)] if letter == "b" else []))
    assert spent(clash)[0] == cost


@rules("3.3.2", system="aslsk3")
def test_3_3_2_woods_are_entered_from_off_board_by_all_mp_too() -> None:
    clash = off_board(PLAIN.replace(". . . . . . .\n", "w . . . . . .\n"))
    clash.play(move(enter(clash, "A3", D.ALL, spine=NE_SE), STOP), (1, 1))
    assert spent(clash) == [13, 1]


@rules("3.3", "3.3.2", system="aslsk3")
def test_3_3_what_is_left_after_entering_is_as_in_any_mph() -> None:
    clash = off_board()
    clash.play(move(enter(clash, "A3", spine=NE_SE), enter(clash, "B3"), turn(2), STOP, DELAY))
    assert spent(clash) == [1, 1, 1, 1, 1, 8]


@rules("3.3.2", system="aslsk3")
def test_3_3_2_from_off_board_into_the_hex_of_an_enemy_afv() -> None:
    def foe(vca: str) -> dict[str, Any]:
        return side(vehicles=[{"id": "e", "card": "russian/BT-7 M37", "at": "A3", "vca": vca}])

    assert off_board(russian=foe("N/NE")).why(move(enter(off_board(), "A3", spine=NE_SE), STOP)) == ""
    strong = side(vehicles=[{"id": "e", "card": "russian/KV-1E", "at": "A3", "vca": "N/NE"}])
    clash = off_board(russian=strong)
    assert clash.why(move(enter(clash, "A3", spine=NE_SE), STOP)) == "3.3.2"
    assert clash.why(move(enter(clash, "A3", spine=NE_SE), enter(clash, "B3"), STOP)) == ""


@rules("3.3", system="aslsk3")
def test_3_3_a_vehicle_that_does_not_enter_is_lost_and_leaves_no_wreck() -> None:
    clash = off_board()
    lost = []
    while clash.state.attacker == "german":
        events = clash.play(HoldFire() if clash.decision.rule == "3.3.3" else Done())
        lost += [event for event in events if isinstance(event, VehicleLost)]
    assert [event.rule for event in lost] == ["3.3"]
    assert (vehicle(clash).place, vehicle(clash).hex, vehicle(clash).wreck) == (Whereabouts.ELIMINATED, None, False)


# --- leaving ----------------------------------------------------------------------------------------------------


def leaving(at: str = "A3", vca: str = "SW/NW", **more: Any) -> Clash:
    flags = more.pop("flags", {})
    exits = [{"side": "german", "zone": [{"hexes": ["A3", "A5"]}]}]
    german = {"vehicles": [{"id": "t", "card": TANK, "at": at, "vca": vca, **flags}]}
    return Clash("MPh", german=german, russian=side(squad("r", "russian/8-1", at="G1")), exits=exits, **more)


@rules("3.3", "3.3.2", system="aslsk3")
def test_3_3_a_vehicle_leaves_within_its_vca_where_the_victory_conditions_say() -> None:
    clash = leaving()
    gone = VehicleStep(D.EXIT, way=4)
    assert clash.why(move(gone)) == "3.3.2", "it has not started"
    assert leaving("A2").why(move(START, gone)) == "3.3"
    assert leaving(vca="NE/SE").why(move(START, gone)) == "3.3.2"
    assert clash.why(move(START, VehicleStep(D.EXIT, way=1))) == "3.3", "that way lies the map"
    assert clash.why(move(START, gone, STOP)) == clash.why(move(START, gone, halt=True)) == "3.3"
    clash.play(move(START, gone))
    assert clash.saw(VehicleExited, counts=True)
    assert (vehicle(clash).place, vehicle(clash).away) == (Whereabouts.EXITED, True)


@rules("3.3", system="aslsk3")
def test_3_3_leaving_costs_a_hex_of_open_ground() -> None:
    clash = leaving()
    gone = VehicleStep(D.EXIT, way=4)
    # 13 MP: a start, a hex, and as many turns as leave one MP, or half of one, to go.
    assert clash.why(move(START, *[turn(spine) for spine in (3, 4) * 5], turn(3), turn(4))) == ""
    assert clash.why(move(START, *[turn(spine) for spine in (3, 4) * 5], gone)) == ""
    assert clash.why(move(START, *[turn(spine) for spine in (3, 4) * 5], turn(3), turn(4), gone)) == "3.3.2"


# --- recalled ---------------------------------------------------------------------------------------------------


@rules("7.10", system="aslsk3")
def test_7_10_a_recalled_vehicle_drives_home_over_several_turns() -> None:
    wide = "\n".join([". " * 24] * 3)
    german = {"vehicles": [{"id": "t", "card": TANK, "at": "W2", "vca": "SW/NW", "recalled": True}], "enters": ["A2"]}
    clash = Clash("MPh", wide, german=german, russian=side(squad("r", "russian/8-1", at="X3")), turns=6)
    stages = []
    for _ in range(40):
        tank = vehicle(clash)
        if tank.place is Whereabouts.EXITED:
            break
        if clash.asked == "german" and clash.state.phase is Phase.MOVEMENT and clash.why(Done()) == "7.10":
            driver = Driver(clash.context, clash.state, tank)
            steps = driver.homeward(driver.begin())
            assert steps is not None
            clash.play(MoveVehicle(tank.id, steps))
            tank = vehicle(clash)
            stages.append((clash.context.label(tank.hex) if tank.hex is not None else "", tank.motion))
        else:
            clash.play(HoldFire() if clash.decision.rule == "3.3.3" else Done())
    # It starts and spends 12 MP, ends its MPh in Motion, and goes on without a start.
    assert stages == [("K3", True), ("", False)]
    assert (vehicle(clash).place, vehicle(clash).away) == (Whereabouts.EXITED, False)
