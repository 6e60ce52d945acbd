"""6.10 Target Acquisition: what it is lost by, and who receives a counter that was left behind."""

from typing import Any

import pytest

from sandtable.systems.aslsk.common.actions import Done, Fire, HoldFire, Move
from sandtable.systems.aslsk.common.vehicle_actions import AttemptMotion, FireGun, FireVehicle, MoveVehicle
from sandtable.systems.aslsk.pieces.armament import Ammo, TargetType
from sandtable.systems.aslsk.pieces.state import MoveStep, UnitId, VehicleDeed, VehicleGun, VehicleId, VehicleStep
from tests.aslsk.clash import Clash, side, squad
from tests.aslsk.guns.test_gun_fire import FIELD, GUN, clash, gun, labels, resolved, shot, target
from tests.aslsk.vehicles.test_dispensers import defended
from tests.aslsk.vehicles.test_movement import STOP, enter, move, tank, turn

rules = pytest.mark.rules
D = VehicleDeed
START, DELAY = VehicleStep(D.START), VehicleStep(D.DELAY)
TANK = VehicleId("t")
HELD: dict[str, Any] = {"acquired": "D1", "acquisition": -2, "acquired_targets": ["r"]}
SCREENED = ". . . . . . . .\n. . b . . . . .\n" + FIELD.strip()[32:] + "\n"
"""From A3 the building in C2 hides D1, not D2."""


def tank_clash(phase: str = "MPh", card: str = "german/PzKpfw IVH", **fields: Any) -> Clash:
    flags = fields.pop("flags", {})
    tank = {"id": "t", "card": card, "at": "D5", "vca": "N/NE", "tca": "N/NE", **HELD, **flags}
    russian = fields.pop("russian", side(squad("r", "russian/4-4-7", "D1")))
    return Clash(phase, german={"vehicles": [tank]}, russian=russian, **fields)


@rules("6.10", system="aslsk3")
@pytest.mark.parametrize(
    ("card", "steps", "kept"),
    [
        ("german/PzKpfw IVH", (DELAY,), True),
        ("german/PzKpfw IVH", (START, STOP), True),
        ("german/PzKpfw IVH", (START, VehicleStep(D.TURN, spine=1), STOP), False),
        # The hull alone turns: the arc of a turreted MA is its TCA.
        ("german/PzKpfw IVH", (START, VehicleStep(D.TURN, spine=1, tca=0), STOP), True),
        ("german/PzKpfw IVH", (VehicleStep(D.DELAY, tca=1),), False),
        ("german/StuG IIIG", (START, VehicleStep(D.TURN, spine=1), STOP), False),
    ],
)
def test_6_10_a_main_armament_that_turns_without_firing_loses_what_it_has_acquired(
    card: str, steps: tuple[VehicleStep, ...], kept: bool
) -> None:
    on = tank_clash(card=card)
    on.play(MoveVehicle(TANK, steps))
    while on.asked == "russian":
        on.play(HoldFire())
    assert (on.state.vehicles[TANK].acquisition == -2) is kept
    assert bool(on.state.vehicles[TANK].acquired_targets) is kept


@rules("6.10", system="aslsk3")
def test_6_10_who_leaves_his_hex_loses_it() -> None:
    on = tank_clash()
    on.play(MoveVehicle(TANK, (START, VehicleStep(D.ENTER, on.hex("D4")), STOP)))
    while on.asked == "russian":
        on.play(HoldFire())
    assert on.state.vehicles[TANK].acquired is None


@rules("3.3.2.1", "6.10", system="aslsk3")
@pytest.mark.parametrize(("turned", "kept"), [((-1, -1), True), ((3, 0), True), ((-1, 1), False), ((3, -1), False)])
def test_6_10_motion_status_that_turns_the_main_armament_loses_it(turned: tuple[int, int], kept: bool) -> None:
    held: dict[str, Any] = {"acquired": "D2", "acquisition": -2}
    on = defended(tank(at="D3", card="russian/T-34 M43", tca="N/NE", **held), start="D1")
    on.play(move(turn(1), enter(on, "E2"), STOP, halt=True, name="r"))
    on.play(AttemptMotion(TANK, *turned), 1)
    assert on.state.vehicles[TANK].motion
    assert (on.state.vehicles[TANK].acquisition == -2) is kept


@rules("6.10", "7.8", system="aslsk3")
@pytest.mark.parametrize(("at", "before", "after", "kept"), [("G5", "N/NE", 1, False), ("D1", "NE/SE", 0, True)])
def test_6_10_a_turn_for_a_bow_gun_that_fires_elsewhere_loses_it(at: str, before: str, after: int, kept: bool) -> None:
    russian = side(squad("r", "russian/4-4-7", "D1"), squad("o", "russian/4-4-7", "G5"))
    on = tank_clash("PFPh", russian=russian, flags={"vca": before})
    on.play(FireVehicle(TANK, (VehicleGun.BOW,), on.hex(at), after, True), (6, 5))
    assert (on.state.vehicles[TANK].acquisition == -2) is kept


@rules("6.10", "7.10", system="aslsk3")
def test_6_10_a_crew_that_is_not_in_good_order_keeps_nothing() -> None:
    on = tank_clash(
        "PFPh", flags={"exposed": True}, attacker="russian", russian=side(squad("r", "russian/4-4-7", "D4"))
    )
    on.play(Fire((UnitId("r"),), (), on.hex("D5")), (2, 2), (6, 5))
    assert on.state.vehicles[TANK].is_stunned
    assert on.state.vehicles[TANK].acquisition == 0


@rules("3.3.2.2", "6.10", "7.9", system="aslsk3")
@pytest.mark.parametrize(
    ("held", "left"),
    [({"acquired": "", "acquisition": 0, "acquired_targets": []}, 0), ({"acquisition": -1}, -1)],
)
def test_6_10_bounding_first_fire_acquires_nothing_and_makes_nothing_better(held: dict[str, Any], left: int) -> None:
    """As in the example of 7.9: whoever waits for the AFPh may place a counter, whoever fires on his way may not."""
    on = tank_clash(flags=held)
    on.play(MoveVehicle(TANK, (), halt=True))
    on.play(FireGun(on.hex("D1"), vehicle=TANK), (5, 6))
    assert on.state.vehicles[TANK].acquisition == left
    late = tank_clash("AFPh", flags=held)
    late.play(FireGun(late.hex("D1"), vehicle=TANK), (5, 6))
    assert late.state.vehicles[TANK].acquisition == left - 1


# --- a counter that is left behind ------------------------------------------------------------------------------


def _held(on: Clash) -> tuple[Any, tuple[str, ...], int]:
    piece = on.state.weapons[GUN]
    return piece.acquired, piece.acquired_targets, piece.acquisition


def _walk(on: Clash, name: str, *labels: str) -> None:
    on.play(Move((UnitId(name),), tuple(MoveStep(to=on.hex(label)) for label in labels)))
    while on.asked == "german" and on.decision.rule == "3.3.3":
        on.play(HoldFire())


@rules("6.10", system="aslsk3")
def test_6_10_another_enemy_who_enters_the_last_hex_in_sight_receives_the_counter() -> None:
    weapon = gun(acquired="D2", acquisition=-2, acquired_targets=["target"])
    places = {"bystander": "D2", "next": "E3", "passer": "F3"}
    russian = side(target("D2"), *[squad(name, "russian/4-4-7", at) for name, at in places.items()])
    on = clash("MPh", SCREENED, attacker="russian", weapon=weapon, russian=russian)
    assert not on.context.sees(on.state, on.hex("A3"), on.hex("D1"))
    _walk(on, "target", "D1")
    assert _held(on) == (on.hex("D2"), (), -2), "it lies where he was seen last, and is nobody's there"
    _walk(on, "passer", "F4")
    assert _held(on) == (on.hex("D2"), (), -2), "who stayed there has not entered it"
    _walk(on, "bystander", "D3")
    assert _held(on) == (on.hex("D2"), (), -2)
    _walk(on, "next", "D2", "D3")
    assert _held(on) == (on.hex("D3"), ("next",), -2), "who entered has it, and takes it along"


@rules("6.10", "6.11", system="aslsk3")
@pytest.mark.parametrize(("kind", "heirs"), [(TargetType.INFANTRY, ("next",)), (TargetType.AREA, ())])
def test_6_10_the_counter_on_one_whom_the_gun_itself_kills_goes_to_the_next_enemy(
    kind: TargetType, heirs: tuple[str, ...]
) -> None:
    """Who stands beside him does not receive it; a counter of the Area Target Type stays on its hex."""
    russian = side(target(), squad("beside", "russian/4-4-7", "D2"), squad("next", "russian/4-4-7", "E3"))
    on = clash("MPh", attacker="russian", russian=russian)
    on.play(Move((UnitId("target"),), (MoveStep(to=on.hex("D2")),)))
    on.play(shot(on, "D2", target_type=kind), (2, 3), (1, 1))
    assert not on.unit("target").on_map
    assert _held(on) == (on.hex("D2"), (), -1)
    residual = [(6, 5)] * (kind is TargetType.AREA)
    on.play(Move((UnitId("next"),), (MoveStep(to=on.hex("D2")),)), *residual)
    assert _held(on) == (on.hex("D2"), heirs, -1)


@rules("6.10", system="aslsk3")
def test_6_10_who_was_there_and_comes_back_has_entered_the_hex() -> None:
    weapon = gun(acquired="D2", acquisition=-2, acquired_targets=["target"])
    russian = side(target("D2"), squad("bystander", "russian/4-4-7", "D2"))
    on = clash("MPh", SCREENED, attacker="russian", weapon=weapon, russian=russian)
    _walk(on, "target", "D1")
    _walk(on, "bystander", "D3", "D2")
    assert _held(on) == (on.hex("D2"), ("bystander",), -2)


@rules("1.2.5", "6.10", system="aslsk3")
def test_6_10_who_stays_where_he_is_stays_acquired_behind_smoke() -> None:
    """The counter is lost from him only when he has entered a new hex; six of hindrance block the line (3.2.1)."""
    weapon = gun(acquired="E3", acquisition=-2, acquired_targets=["target"])
    russian = side(target("E3"), squad("other", "russian/4-4-7", "H5"))
    fumes = dict.fromkeys(("B3", "C3", "D3"), "smoke")
    on = clash("MPh", attacker="russian", weapon=weapon, russian=russian, smoke=fumes)
    assert not on.context.sees(on.state, on.hex("A3"), on.hex("E3"))
    _walk(on, "other", "H4")
    assert _held(on) == (on.hex("E3"), ("target",), -2)


@rules("6.10", "6.11", system="aslsk3")
def test_6_11_a_counter_of_the_area_target_type_goes_to_nobody() -> None:
    weapon = gun(acquired="D2", acquisition=-2)
    on = clash("MPh", attacker="russian", weapon=weapon, russian=side(target("D3")))
    _walk(on, "target", "D2", "D1")
    assert _held(on) == (on.hex("D2"), (), -2)


@rules("6.10", "6.11", system="aslsk3")
def test_6_11_fire_on_the_area_target_type_makes_a_counter_that_was_left_one_of_the_hex() -> None:
    weapon = gun(acquired="D2", acquisition=-2, acquired_targets=["target"])
    russian = side(target("D2"), squad("stays", "russian/4-4-7", "D2"), squad("next", "russian/4-4-7", "E3"))
    on = clash("MPh", SCREENED, attacker="russian", weapon=weapon, russian=russian)
    _walk(on, "target", "D1")
    assert on.state.weapons[GUN].awaits == ("stays",)
    on.play(Done())
    on.play(shot(on, "D2", target_type=TargetType.AREA), (6, 5))
    assert labels(on)["Acquired Target"] == 2
    assert (_held(on), on.state.weapons[GUN].awaits) == ((on.hex("D2"), (), -2), None)


@rules("3.2.1", "6.10", "6.11", system="aslsk3")
@pytest.mark.parametrize(("held", "left"), [("D1", -1), ("E3", 0)])
def test_6_10_without_a_line_of_sight_nothing_is_acquired_and_another_target_is_lost(held: str, left: int) -> None:
    on = clash(cells=SCREENED, russian=side(target("D1")), weapon=gun(facing="N/NE", acquired=held, acquisition=-1))
    assert not on.context.sees(on.state, on.hex("A3"), on.hex("D1"))
    on.play(shot(on, "D1", facing=1), (3, 6))
    assert on.state.weapons[GUN].acquisition == left


@rules("6.10", "6.11", system="aslsk3")
@pytest.mark.parametrize(("targets", "number"), [(["target"], "6.10"), ([], "6.11")])
def test_6_11_the_breakdown_says_whether_the_target_or_its_hex_was_acquired(targets: list[str], number: str) -> None:
    on = clash(weapon=gun(acquired="D3", acquisition=-1, acquired_targets=targets))
    on.play(shot(on), (1, 6), (6, 6))
    term = next(one for one in resolved(on).number.terms if one.label == "Acquired Target")
    assert (term.value, term.rule) == (1, number)


@rules("6.10", system="aslsk3")
@pytest.mark.parametrize(
    ("at", "kind", "drm"),
    [
        ("D2", TargetType.INFANTRY, 2),
        ("E3", TargetType.INFANTRY, 2),
        ("D2", TargetType.AREA, 2),
        ("E3", TargetType.AREA, 2),
        ("F3", TargetType.AREA, 0),
    ],
)
def test_6_10_of_a_stack_that_scatters_any_one_may_be_fired_at_on_any_target_type(
    at: str, kind: TargetType, drm: int
) -> None:
    weapon = gun(acquired="D2", acquisition=-2, acquired_targets=["target", "other"])
    places = {"other": "D2", "far": "F3"}
    russian = side(target("D2"), *[squad(name, "russian/4-4-7", where) for name, where in places.items()])
    on = clash("MPh", attacker="russian", weapon=weapon, russian=russian)
    _walk(on, "other", "E3")
    assert on.state.weapons[GUN].acquired_targets == ("target", "other")
    on.play(Done())
    on.play(shot(on, at, target_type=kind), (6, 5))
    assert labels(on).get("Acquired Target", 0) == drm


@rules("3.3.3", "6.10", system="aslsk3")
@pytest.mark.parametrize("kind", [TargetType.INFANTRY, TargetType.AREA])
def test_6_10_who_joins_an_acquired_target_is_not_acquired(kind: TargetType) -> None:
    """Defensive First Fire is at the one who moves, and the counter is on the other one in the hex."""
    weapon = gun(acquired="D2", acquisition=-2, acquired_targets=["target"])
    russian = side(target("D2"), squad("other", "russian/4-4-7", "E3"))
    on = clash("MPh", attacker="russian", weapon=weapon, russian=russian)
    on.play(Move((UnitId("other"),), (MoveStep(to=on.hex("D2")),)))
    on.play(shot(on, "D2", target_type=kind), (6, 5))
    assert "Acquired Target" not in labels(on)


@rules("6.2", "6.10", system="aslsk3")
@pytest.mark.parametrize(("dice", "left"), [((6, 6), 0), ((6, 5), -2)])
def test_6_10_a_main_armament_that_breaks_down_for_want_of_ammunition_loses_it(
    dice: tuple[int, int], left: int
) -> None:
    """Of APCR there is none beyond a 5; only a 12 has fired, and malfunctions."""
    on = tank_clash("PFPh", "german/PzKpfw IVF2", conditions={"year": 1942})
    on.play(FireGun(on.hex("D1"), vehicle=TANK, ammo=Ammo.APCR), dice)
    assert on.state.vehicles[TANK].works(VehicleGun.MAIN) is (left != 0)
    assert on.state.vehicles[TANK].acquisition == left
