"""3.3.2 Vehicle movement: MP in halves, start, stop, delay, VCA and TCA, Motion, terrain and roads."""

import random
from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.core.decision import Path
from sandtable.core.dice import SeededDice
from sandtable.systems.aslsk.common.actions import Continue, Done
from sandtable.systems.aslsk.common.vehicle_actions import ChangeCrew, ContinueVehicle, FlipVehicle, MoveVehicle
from sandtable.systems.aslsk.pieces.state import MoveStep, Vehicle, VehicleDeed, VehicleId, VehicleMoving, VehicleStep
from sandtable.systems.aslsk.vehicles.driving_costs import covers, turn_halves
from sandtable.systems.aslsk.vehicles.vehicle_events import VehicleMoved, VehicleMoveEnded, VehicleSpent
from tests.aslsk.clash import PLAIN, Clash, side, squad

rules = pytest.mark.rules
D = VehicleDeed
TANK, CAR = "german/PzKpfw IIIN", "german/PSW 234/2"
START, STOP, DELAY, CREW = (VehicleStep(kind) for kind in (D.START, D.STOP, D.DELAY, D.CREW))


def tank(name: str = "t", card: str = TANK, at: str = "D3", vca: str = "N/NE", **flags: Any) -> dict[str, Any]:
    return {"id": name, "card": card, "at": at, **({"vca": vca} if at else {}), **flags}


def clash_of(
    *vehicles: dict[str, Any], cells: str = PLAIN, russian: dict[str, Any] | None = None, **more: Any
) -> Clash:
    german = {"vehicles": list(vehicles), **more.pop("german", {})}
    return Clash("MPh", cells, german=german, russian=russian or side(squad("r", "russian/8-1", at="A1")), **more)


def vehicle(clash: Clash, name: str = "t") -> Vehicle:
    return clash.state.vehicles[VehicleId(name)]


def enter(clash: Clash, label: str, kind: VehicleDeed = D.ENTER, **more: Any) -> VehicleStep:
    return VehicleStep(kind, clash.hex(label), **more)


def turn(spine: int) -> VehicleStep:
    return VehicleStep(D.TURN, spine=spine)


def move(*steps: VehicleStep, halt: bool = False, name: str = "t") -> MoveVehicle:
    return MoveVehicle(VehicleId(name), steps, halt)


def spent(clash: Clash) -> list[float]:
    """MP of every expenditure among the last events."""
    return [e.cost.total / 2 for e in clash.events if isinstance(e, VehicleMoved | VehicleSpent)]


def ended(clash: Clash) -> bool:
    """Whether the vehicle that ended its MPh last did so in Motion."""
    return next(event.motion for event in clash.events if isinstance(event, VehicleMoveEnded))


def reason(clash: Clash, action: MoveVehicle) -> str:
    refusal = clash.rules.refusal(clash.state, clash.decision.asked[0], action)
    return refusal.reason if refusal is not None else ""


@rules("3.3.2", system="aslsk3")
def test_3_3_2_start_enter_stop_and_the_rest_is_spent_in_place() -> None:
    clash = clash_of(tank())
    clash.play(move(START, enter(clash, "D2"), STOP))
    assert spent(clash) == [1, 1, 1, 10]
    assert not ended(clash)


def test_a_move_is_told_in_sentences() -> None:
    clash = clash_of(tank())
    clash.play(move(START, turn(1), STOP))
    told = [words for event in clash.events if (words := clash.rules.narrate(event))]
    assert told[:5] == [
        "t starts in D3, 1 MP (3.3.2).",
        "t turns to NE/SE in D3, 1 MP (3.3.2).",
        "t stops in D3, 1 MP (3.3.2).",
        "t delays in D3, 10 MP (3.3.2).",
        "t ends its MPh (3.3.2).",
    ]


@rules("3.3.2", system="aslsk3")
def test_3_3_2_no_hex_and_no_turn_before_a_start() -> None:
    clash = clash_of(tank())
    assert clash.why(move(enter(clash, "D2"), STOP)) == "3.3.2"
    assert clash.why(move(turn(1), STOP)) == "3.3.2"
    assert clash.why(move(STOP)) == "3.3.2"
    moving = clash_of(tank(motion=True))
    assert moving.why(move(START)) == "3.3.2"
    moving.play(move(enter(moving, "D2"), STOP))
    assert spent(moving) == [1, 1, 11]


@rules("3.3.2", system="aslsk3")
def test_3_3_2_it_may_start_again_after_stopping() -> None:
    clash = clash_of(tank())
    clash.play(move(START, enter(clash, "D2"), STOP, DELAY, START, enter(clash, "D1"), STOP))
    assert spent(clash) == [1, 1, 1, 1, 1, 1, 1, 6]
    assert clash.why(Done()) == ""


@rules("3.3.2", system="aslsk3")
def test_3_3_2_delay_only_while_stopped() -> None:
    clash = clash_of(tank())
    assert clash.why(move(START, DELAY)) == "3.3.2"
    assert clash.why(move(START, DELAY, halt=True)) == "3.3.2", "not as a halt on its way either"
    assert clash.why(move(START, STOP, DELAY, halt=True)) == ""
    assert clash.why(move(DELAY)) == ""


@rules("3.3.2", system="aslsk3")
def test_3_3_2_a_vehicle_moves_within_its_vca_and_turns_for_one_mp_a_hexspine() -> None:
    clash = clash_of(tank())
    assert clash.why(move(START, enter(clash, "E4"), STOP)) == "3.3.2"
    assert clash.why(move(START, turn(2), STOP)) == "3.3.2"
    clash.play(move(START, turn(1), enter(clash, "E4"), turn(2), turn(3), STOP))
    assert spent(clash)[:6] == [1, 1, 1, 1, 1, 1]
    assert vehicle(clash).vca == 3


@rules("3.3.2", system="aslsk3")
@pytest.mark.parametrize("letter", ["w", "b", "h"])
def test_3_3_2_turning_costs_double_in_woods_and_buildings(letter: str) -> None:
    clash = clash_of(tank(), cells=f". . . . . . .\n. . . . . . .\n{letter} . . . . . .\n. . . . . . .\n. . . . . . .")
    assert turn_halves(clash.context, clash.hex("A3")) == 4
    assert turn_halves(clash.context, clash.hex("D3")) == 2


@rules("3.2.4", "3.3.2", system="aslsk3")
def test_3_3_2_a_turret_is_carried_past_the_last_hexspine() -> None:
    clash = clash_of(tank(tca="NW/N"))
    clash.play(move(START, turn(1), halt=True))
    assert (vehicle(clash).vca, vehicle(clash).tca) == (1, 0)
    assert [[way for way in range(6) if covers(spine, way)] for spine in (0, 5)] == [[0, 1], [0, 5]]


@rules("3.2.4", "3.3.2", system="aslsk3")
def test_3_3_2_the_turret_goes_with_the_hull_and_turns_freely_while_mp_are_spent() -> None:
    clash = clash_of(tank(tca="SE/S"))
    clash.play(move(START, turn(1), STOP))
    assert (vehicle(clash).vca, vehicle(clash).tca) == (1, 3)
    free = clash_of(tank())
    free.play(move(START, enter(free, "D2", tca=4), VehicleStep(D.STOP)))
    assert spent(free) == [1, 1, 1, 10]
    assert (vehicle(free).vca, vehicle(free).tca) == (0, 4)


@rules("3.2.4", system="aslsk3")
def test_3_2_4_what_has_no_turret_turns_none() -> None:
    clash = clash_of(tank(card="german/StuG IIIG"))
    assert clash.why(move(START, enter(clash, "D2", tca=4), STOP)) == "3.2.4"
    turret = clash_of(tank())
    assert turret.why(move(VehicleStep(D.CREW, tca=3), DELAY)) == "3.3.2"
    assert turret.why(move(START, enter(turret, "D2", tca=6), STOP)) == "3.2.4"


@rules("3.3.2", system="aslsk3")
def test_3_3_2_motion_needs_all_mp_spent_or_a_hex_that_costs_too_much() -> None:
    clash = clash_of(tank())
    assert clash.why(move(START, enter(clash, "D2"))) == "3.3.2"
    assert "has 11 MP left" in reason(clash, move(START, enter(clash, "D2")))
    clash.play(move(START, enter(clash, "D2", extra=22)))
    assert spent(clash) == [1, 12]
    assert ended(clash)


@rules("3.3.2", system="aslsk3")
def test_3_3_2_insufficient_mp_for_the_hex_ahead_leave_it_in_motion() -> None:
    woods = ". . . w . . .\n. . . . . . .\n. . . . . . .\n"
    clash = clash_of(tank(), cells=woods)
    # Two hexes, then half of 13 MP are more than are left.
    clash.play(move(START, enter(clash, "D2", extra=10)))
    assert spent(clash) == [1, 6, 6]
    assert ended(clash)


@rules("3.3.2", system="aslsk3")
def test_3_3_2_to_end_in_motion_and_to_stop_are_told_apart() -> None:
    clash = clash_of(tank(motion=True), cells=". . . w . . .\n. . . . . . .\n. . . . . . .\n")
    keys = _keys(clash, "t", "D2", "more MP", "6")
    assert {"stop", "stop MP"} <= set(keys)
    assert len(set(keys)) == len(keys)
    assert "stop" in _keys(clash, "t", "D2", "more MP", "6", "stop MP")


def _keys(clash: Clash, *way: str) -> list[str]:
    """The keys below a way through the options."""
    node = clash.decision.options(clash.decision.asked[0]).at(way[0])
    for key in way[1:]:
        node = next(branch.then for branch in node.branches() if branch.key == key)
    return [branch.key for branch in node.branches()]


@rules("3.3.2", system="aslsk3")
def test_3_3_2_more_mp_are_declared_on_entering_only_and_not_beyond_what_is_left() -> None:
    clash = clash_of(tank())
    assert clash.why(move(START, VehicleStep(D.STOP, extra=2))) == "3.3.2"
    assert clash.why(move(START, enter(clash, "D2", extra=23))) == "3.3.2"
    assert clash.why(move(START, enter(clash, "D2", extra=-1), STOP)) == "3.3.2"


@rules("3.3.2", system="aslsk3")
def test_3_3_2_what_began_in_motion_must_spend_mp() -> None:
    clash = clash_of(tank(motion=True))
    assert clash.why(Done()) == "3.3.2"
    assert not any(isinstance(action, Done) for action in _first(clash, 40))
    clash.play(move(STOP))
    assert spent(clash) == [1, 12]
    assert not vehicle(clash).motion


def _first(clash: Clash, number: int) -> list[object]:
    return [action for _, action in zip(range(number), clash.decision.options(clash.decision.asked[0]), strict=False)]


@rules("3.3.2", system="aslsk3")
def test_3_3_2_a_moving_target_has_entered_a_hex_or_been_in_motion() -> None:
    clash = clash_of(tank())
    clash.play(move(START, halt=True))
    assert not vehicle(clash).is_stopped
    assert not vehicle(clash).is_moving_target
    clash.play(ContinueVehicle((enter(clash, "D2"),), halt=True))
    assert vehicle(clash).is_moving_target
    clash.play(ContinueVehicle((STOP,), halt=True))
    assert vehicle(clash).is_stopped
    assert vehicle(clash).is_moving_target
    began = clash_of(tank(motion=True))
    began.play(move(STOP, halt=True))
    assert began.state.vehicles[VehicleId("t")].is_moving_target


@rules("3.3.2", system="aslsk3")
def test_3_3_2_where_mp_were_spent_is_kept_for_the_player_turn() -> None:
    clash = clash_of(tank())
    clash.play(move(START, enter(clash, "D2"), STOP, DELAY, halt=True))
    assert vehicle(clash).trail == ((clash.hex("D3"), 2), (clash.hex("D2"), 6))
    clash.play(ContinueVehicle())
    while clash.state.attacker == "german":
        assert vehicle(clash).trail
        clash.play(Done())
    assert vehicle(clash).trail == ()
    assert not vehicle(clash).moving_target


@rules("1.1.1", "3.3.2", system="aslsk3")
@pytest.mark.parametrize(
    ("letter", "tracked", "wheeled"),
    [(".", 1, 3), ("o", 1, 3), ("x", 2, 4), ("g", 1, 4), ("w", 6.5, None), ("h", 6.5, None), ("b", 6.5, None)],
)
def test_1_1_1_what_terrain_costs(letter: str, tracked: float, wheeled: float | None) -> None:
    cells = f". . . . .\n. . {letter} . .\n. . . . .\n"
    july = {"conditions": {"month": 7}}
    clash = clash_of(tank(at="C3"), cells=cells, **july)
    clash.play(move(START, enter(clash, "C2"), halt=True), *([(1, 1)] if letter in "whb" else []))
    assert spent(clash)[1] == tracked
    car = clash_of(tank(at="C3", card=CAR), cells=cells, **july)
    if wheeled is None:
        assert car.why(move(START, enter(car, "C2"), halt=True)) == "1.1.1"
    else:
        car.play(move(START, enter(car, "C2"), halt=True))
        assert spent(car)[1] == wheeled


ROAD = {"kind": "dirt_road", "line": ["D1", "D2", "D3", "D4", "D5"]}


@rules("3.3.2", "7.4", system="aslsk3")
@pytest.mark.parametrize(("letter", "road", "cost"), [(".", 0, 2), (".", 1, 3), ("w", 0, 8.5), ("w", 1, 5)])
def test_7_4_each_wreck_or_vehicle_makes_a_hex_dearer(letter: str, road: int, cost: float) -> None:
    cells = f". . . . . . .\n. . . {letter} . . .\n. . . . . . .\n. . . . . . .\n. . . . . . ."
    features = [ROAD] if road else []
    clash = clash_of(tank(), tank("wreck", at="D2", wreck=True), cells=cells, features=features)
    clash.play(move(START, enter(clash, "D2"), halt=True), *([(1, 1)] if letter == "w" and not road else []))
    assert spent(clash)[1] == cost


@rules("1.1.1", "7.7", system="aslsk3")
@pytest.mark.parametrize(("card", "exposed", "cost"), [(TANK, 0, 1), (TANK, 1, 0.5), (CAR, 0, 1), (CAR, 1, 0.5)])
def test_1_1_1_the_road_rate(card: str, exposed: int, cost: float) -> None:
    clash = clash_of(tank(card=card, exposed=bool(exposed)), features=[ROAD])
    clash.play(move(START, enter(clash, "D2"), halt=True))
    assert spent(clash)[1] == cost


@rules("7.7", system="aslsk3")
def test_7_7_a_crew_changes_once_a_phase_and_for_no_mp() -> None:
    clash = clash_of(tank())
    assert clash.why(move(CREW, CREW, START, STOP)) == "7.7"
    clash.play(move(START, CREW, STOP, halt=True))
    assert vehicle(clash).exposed
    assert spent(clash) == [1, 1]
    assert clash.why(ContinueVehicle((CREW,), halt=True)) == "7.7"
    alone = clash_of(tank())
    alone.play(ChangeCrew(VehicleId("t")))
    assert vehicle(alone).exposed
    assert alone.why(ChangeCrew(VehicleId("t"))) == "7.7"
    assert alone.why(move(START, STOP)) == ""


@rules("7.7", "7.10", system="aslsk3")
def test_7_7_no_change_after_prep_fire_nor_while_stunned() -> None:
    assert clash_of(tank(mark="Prep Fire")).why(ChangeCrew(VehicleId("t"))) != ""
    stunned = clash_of(tank(stun="Stun"), tank("u", at="E5"))
    assert stunned.why(ChangeCrew(VehicleId("t"))) == "7.10"
    assert stunned.why(move(START, STOP)) == "7.10"


@rules("7.7", system="aslsk3")
@pytest.mark.parametrize("letter", ["b", "h"])
def test_7_7_a_ce_vehicle_enters_no_building(letter: str) -> None:
    cells = f". . . . .\n. . {letter} . .\n. . . . .\n"
    clash = clash_of(tank(at="C3", exposed=True), cells=cells)
    assert clash.why(move(START, enter(clash, "C2"), STOP)) == "7.7"
    assert clash.why(move(START, CREW, enter(clash, "C2"), STOP)) == ""


@rules("3.3.2", system="aslsk3")
def test_3_3_2_steps_say_what_they_need_and_no_more() -> None:
    clash = clash_of(tank())
    for step in (
        VehicleStep(D.START, clash.hex("D2")),
        VehicleStep(D.STOP, spine=2),
        VehicleStep(D.DELAY, way=1),
        VehicleStep(D.ALL, clash.hex("D2"), extra=2),
    ):
        assert clash.why(move(step, halt=True)) == "3.3.2"
    assert clash.why(move()) == "3.3.2"
    assert clash.why(move(START, STOP, name="nobody")) == "3.3"
    assert clash.why(move(START, VehicleStep(D.ENTER), STOP)) == "3.3"


@rules("3.3.2", system="aslsk3")
def test_3_3_2_whoever_reaches_a_hex_by_the_list_may() -> None:
    clash = clash_of(tank())
    path = clash.decision.options(clash.decision.asked[0]).at("t")
    assert isinstance(path, Path)
    found = list(path.destinations())
    assert len(found) > 20
    for branch in found:
        assert clash.why(next(iter(branch.then))) == ""
    costs = {branch.key: branch.cost for branch in found}
    assert (costs["D2"], costs["E4"], costs["D4"]) == (2, 3, 4)


@rules("3.3.2", system="aslsk3")
@pytest.mark.parametrize("seed", range(12))
def test_3_3_2_random_drives_are_legal_and_end(seed: int) -> None:
    rng = random.Random(seed)
    clash = clash_of(tank(exposed=seed % 2 == 0, motion=seed % 3 == 0), tank("u", CAR, at="F4"))
    for _ in range(40):
        if clash.state.phase != "MPh":
            break
        action = clash.decision.options(clash.decision.asked[0]).sample(rng)
        assert clash.why(action) == ""
        clash.state = clash.rules.resolve(clash.state, clash.decision.asked[0], action, SeededDice(seed)).state
    assert clash.state.phase != "MPh" or clash.state.attacker == "russian"


@rules("3.3.2", system="aslsk3")
def test_3_3_2_the_plan_is_its_owners_secret() -> None:
    clash = clash_of(tank())
    frame = VehicleMoving(VehicleId("t"), (START, STOP), 26)
    state = replace(clash.state, stack=(*clash.state.stack, frame))
    german, russian = clash.rules.seats
    assert clash.rules.conceal(state, german).stack[-1] == frame
    assert clash.rules.conceal(state, russian).stack[-1] == replace(frame, plan=())
    assert clash.rules.redact_action(move(START, STOP), german, russian) == move()
    # Who goes on does the first step at once: it is told, so that going on is not taken for the end of the move.
    told = clash.rules.redact_action(ContinueVehicle((turn(1), STOP)), german, russian)
    assert told == ContinueVehicle((turn(1),))
    assert clash.rules.redact_action(ContinueVehicle(), german, russian) == ContinueVehicle()
    on_foot = clash.rules.redact_action(
        Continue((), (MoveStep(to=clash.hex("D2")), MoveStep(to=clash.hex("D1")))), german, russian
    )
    assert on_foot is not None
    assert clash.rules.describe(on_foot) == "go on D2"


@rules("3.3.2", system="aslsk3")
def test_3_3_2_of_two_vehicles_in_a_hex_one_becomes_a_wreck_at_the_end_of_the_mph() -> None:
    clash = clash_of(tank(), tank("u", at="D3"), tank("v", at="F4"))
    clash.play(Done())
    assert clash.decision.rule == "3.3.2"
    assert clash.why(FlipVehicle(VehicleId("v"))) == "3.3.2"
    assert len(clash.options()) == 2
    clash.play(FlipVehicle(VehicleId("u")))
    assert vehicle(clash, "u").wreck
    assert not vehicle(clash).wreck


@rules("3.3.2", system="aslsk3")
def test_3_3_2_one_mp_left_is_spent_and_a_hex_that_takes_just_what_is_left_is_no_move_by_all_mp() -> None:
    clash = clash_of(tank())
    turns = [turn(spine) for spine in (1, 0) * 5]
    assert clash.why(move(START, *turns, turn(1))) == "3.3.2", "one MP is left for a hex ahead, or to stop"
    assert clash.why(move(START, *turns, turn(1), turn(0))) == ""
    wrecks = [tank(f"w{number}", at="D2", wreck=True) for number in range(12)]
    for number, kind in ((11, D.ENTER), (12, D.ALL)):
        crowded = clash_of(tank(), *wrecks[:number])
        legal = {one for one in (D.ENTER, D.ALL) if not crowded.why(move(START, enter(crowded, "D2", one)))}
        assert legal == {kind}


@rules("3.3.2", system="aslsk3")
def test_3_3_2_woods_ahead_of_a_car_leave_it_in_motion_once_it_has_spent_more_than_a_start() -> None:
    cells = PLAIN.replace(". . . . . . .\n. . . . . . .\n", ". . . . . . .\n. . . w . . .\n", 1)
    clash = clash_of(tank(card=CAR, at="D4"), cells=cells)
    assert clash.why(move(START, enter(clash, "D3"))) == ""
    near = clash_of(tank(card=CAR, at="D3"), cells=cells)
    assert near.why(move(START)) == "3.3.2", "it may enter them by all its MP"
