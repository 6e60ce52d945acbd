"""7.10 Recall: the way home over the friendly edge."""

import random
from typing import Any

import pytest

from sandtable.core.dice import SeededDice
from sandtable.geo.map import Edge
from sandtable.systems.aslsk.common.actions import Done
from sandtable.systems.aslsk.common.vehicle_actions import FireGun, MoveVehicle
from sandtable.systems.aslsk.pieces.armament import Ammo, TargetType
from sandtable.systems.aslsk.pieces.state import Vehicle, VehicleDeed, VehicleId, VehicleStep, Whereabouts
from sandtable.systems.aslsk.vehicles.driver import Driver
from sandtable.systems.aslsk.vehicles.vehicle_events import VehicleExited
from sandtable.systems.aslsk.vehicles.way_home import home_ways
from tests.aslsk.clash import PLAIN, Clash, side, squad
from tests.aslsk.scenario.test_setup import open_rules

rules = pytest.mark.rules
D = VehicleDeed
TANK, CAR = "german/PzKpfw IIIN", "german/PSW 234/2"
START, STOP, DELAY, CREW = (VehicleStep(kind) for kind in (D.START, D.STOP, D.DELAY, D.CREW))
HOME = ["A1", "A2", "A3", "A4", "A5"]


def clash_of(
    cells: str = PLAIN,
    phase: str = "MPh",
    others: tuple[dict[str, Any], ...] = (),
    features: tuple[dict[str, Any], ...] = (),
    **flags: Any,
) -> Clash:
    """A recalled tank whose side came in from the left, pointing at the right unless somebody says otherwise."""
    own = {"id": "t", "card": TANK, "at": "D3", "vca": "NE/SE", "recalled": True, **flags}
    german = {"vehicles": [own], "enters": HOME}
    foes = side(squad("r", "russian/4-4-7", at="G5"), vehicles=list(others))
    return Clash(phase, cells, german=german, russian=foes, features=features)


def vehicle(clash: Clash) -> Vehicle:
    return clash.state.vehicles[VehicleId("t")]


def enter(clash: Clash, label: str, kind: VehicleDeed = D.ENTER, **more: Any) -> VehicleStep:
    return VehicleStep(kind, clash.hex(label), **more)


def turn(spine: int) -> VehicleStep:
    return VehicleStep(D.TURN, spine=spine)


def move(*steps: VehicleStep, halt: bool = False) -> MoveVehicle:
    return MoveVehicle(VehicleId("t"), steps, halt)


@rules("7.10", system="aslsk3")
def test_7_10_the_mph_does_not_end_before_a_recalled_vehicle_has_moved() -> None:
    clash = clash_of()
    assert clash.why(Done()) == "7.10"
    cases: list[dict[str, Any]] = [{"immobilized": True}, {"bog": "Bog"}, {"recalled": False}]
    for flags in cases:
        assert clash_of(**flags).why(Done()) == "", flags


@rules("7.10", system="aslsk3")
def test_7_10_it_goes_by_the_shortest_way_and_does_not_stop() -> None:
    clash = clash_of(vca="SW/NW")
    assert clash.why(move(DELAY, halt=True)) == "7.10"
    assert clash.why(move(START, STOP)) == "7.10"
    assert clash.why(move(START, turn(5), halt=True)) == "7.10"
    assert clash.why(move(START, enter(clash, "C3", extra=2), halt=True)) == "7.10"
    assert clash.why(move(START, enter(clash, "C3"))) == "7.10", "it has MP to go on"
    assert clash.why(move(START, enter(clash, "C3"), halt=True)) == ""
    away = clash_of(vca="NE/SE")
    assert away.why(move(START, enter(away, "E3"), halt=True)) == "7.10"
    assert away.why(move(START, turn(2), halt=True)) == away.why(move(START, turn(0), halt=True)) == ""


@rules("7.10", system="aslsk3")
@pytest.mark.parametrize("recalled", [True, False])
def test_7_10_no_more_mp_are_offered_to_declare(*, recalled: bool) -> None:
    """A choice with nothing to choose would be a dead end."""
    clash = clash_of(vca="SW/NW", recalled=recalled)
    clash.play(move(START, enter(clash, "C3"), halt=True))
    drive = next(iter(clash.decision.options(clash.decision.asked[0]).root.branches())).then
    after = next(branch.then for branch in drive.branches() if branch.is_hex)
    assert ("more MP" in {branch.key for branch in after.branches()}) is not recalled


@rules("3.3", "7.10", system="aslsk3")
def test_7_10_it_leaves_over_the_edge_where_its_side_came_in_and_does_not_count() -> None:
    clash = clash_of(at="A3", vca="SW/NW", motion=True)
    clash.play(move(VehicleStep(D.EXIT, way=4)))
    assert clash.saw(VehicleExited, vehicle="t", counts=False)
    assert vehicle(clash).place is Whereabouts.EXITED
    assert not vehicle(clash).away


@rules("7.10", system="aslsk3")
def test_7_10_who_is_not_recalled_leaves_by_no_edge() -> None:
    clash = clash_of(at="A3", vca="SW/NW", motion=True, recalled=False)
    assert clash.why(move(VehicleStep(D.EXIT, way=4))) == "3.3"


@rules("7.10", system="aslsk3")
@pytest.mark.parametrize("seed", range(6))
def test_7_10_whatever_it_does_it_is_off_the_map_in_a_turn_or_two(seed: int) -> None:
    rng = random.Random(seed)
    clash = clash_of(
        cells=PLAIN.replace(". . . . . . .", ". . w . . b .", 2), exposed=seed % 2 == 0, motion=seed % 3 == 0
    )
    for _ in range(60):
        if vehicle(clash).place is Whereabouts.EXITED or clash.state.phase != "MPh":
            break
        action = clash.decision.options(clash.decision.asked[0]).sample(rng)
        assert clash.why(action) == ""
        clash.state = clash.rules.resolve(clash.state, clash.decision.asked[0], action, SeededDice(seed)).state
    gone = vehicle(clash)
    assert gone.place is Whereabouts.EXITED or gone.motion or not gone.is_active or not gone.is_mobile


@rules("7.10", system="aslsk3")
def test_7_10_it_does_not_drive_into_the_hex_of_an_enemy_afv() -> None:
    foe = {"id": "foe", "card": "russian/T-34 M43", "at": "C3", "vca": "N/NE"}
    clash = clash_of(vca="SW/NW", motion=True, others=(foe,))
    assert clash.why(move(enter(clash, "C3"), halt=True)) != ""
    assert clash.why(move(enter(clash, "C4"), halt=True)) == ""


@rules("7.10", system="aslsk3")
def test_7_10_it_does_not_prep_fire_unless_it_is_immobile() -> None:
    foe = {"id": "foe", "card": "russian/T-34 M43", "at": "F3", "vca": "N/NE"}
    cases: list[tuple[dict[str, Any], bool]] = [({}, False), ({"immobilized": True}, True), ({"recalled": False}, True)]
    for flags, may in cases:
        clash = clash_of(phase="PFPh", others=(foe,), vca="NE/SE", **flags)
        shot = FireGun(clash.hex("F3"), vehicle=VehicleId("t"), target_type=TargetType.VEHICLE, ammo=Ammo.HE, at="foe")
        assert (clash.why(shot) == "") is may, flags


@rules("7.10", system="aslsk3")
def test_7_10_the_friendly_edge() -> None:
    clash = clash_of()
    assert {clash.context.label(hex) for hex in home_ways(clash.context, "german")} == set(HOME)
    assert home_ways(clash.context, "russian")


@rules("7.10", system="aslsk3")
@pytest.mark.parametrize(
    ("scenario", "force", "edges"),
    [("s25-early-battles", "tanks", {Edge.NORTH}), ("s26-last-ally-last-victory", "guards", {*Edge})],
)
def test_7_10_there_always_is_a_friendly_edge(scenario: str, force: str, edges: set[Edge]) -> None:
    """Of those that the set-up area reaches what the enemy's hexes leave, corners included; any edge if it has none."""
    context = open_rules(scenario).context
    exits, home = context.game_map.exits, home_ways(context, force)
    assert {
        edge for edge in Edge if any(exits[hex][way] == (edge,) for hex, ways in home.items() for way in ways)
    } == edges


@rules("7.10", system="aslsk3")
def test_7_10_an_edge_that_the_enemy_enters_by_is_not_friendly_to_who_sets_up_anywhere() -> None:
    """In S24 the security forces set up where they like, and the Russians come from the west."""
    context = open_rules("s24-sherman-marches-west").context
    exits = context.game_map.exits
    over = [{*exits[hex][way]} for hex, ways in home_ways(context, "security").items() for way in ways]
    assert {Edge.EAST} in over
    assert {Edge.WEST} not in over


@rules("7.10", system="aslsk3")
def test_7_10_the_steps_home_are_legal_and_end_off_the_map() -> None:
    clash = clash_of()
    driver = Driver(clash.context, clash.state, vehicle(clash))
    steps = driver.homeward(driver.begin())
    assert steps is not None
    assert steps[-1].kind is D.EXIT
    assert clash.why(move(*steps)) == ""


@rules("1.1.1", "7.10", system="aslsk3")
@pytest.mark.parametrize("card", [TANK, CAR])
def test_7_10_a_road_through_woods_is_a_short_way_home_for_an_armored_car_too(card: str) -> None:
    """Among the trees woods would cost it all its MP; the road leads through them at its rate."""
    woods = PLAIN.replace(". . . . . . .\n" * 4, ". . . . . . .\n" * 3 + ". . w . . . .\n", 1)
    road = {"kind": "dirt_road", "line": ["D3", "C4", "B3", "A4"]}
    clash = clash_of(woods, features=(road,), card=card, vca="SW/NW", motion=True, exposed=True)
    assert clash.why(move(enter(clash, "C3"), halt=True)) == "7.10", "open ground costs more than the road"
    assert clash.why(move(enter(clash, "C4", D.ALL))) == "7.10"
    assert clash.why(move(*[enter(clash, label) for label in ("C4", "B3", "A4")], halt=True)) == ""
