"""3.3.2.1 Motion Status attempts, 3.3.5 Residual FP on crews, and 7.5 vehicular smoke dispensers."""

from typing import Any

import pytest

from sandtable.systems.aslsk.common.actions import Done, HoldFire, Move
from sandtable.systems.aslsk.common.facts.armour_events import CrewAttacked
from sandtable.systems.aslsk.common.vehicle_actions import AttemptMotion, ChangeCrew, DispenseSmoke
from sandtable.systems.aslsk.pieces.state import (
    MoveStep,
    Phase,
    SmokeKind,
    StepKind,
    UnitId,
    VehicleDeed,
    VehicleId,
    VehicleMoving,
    VehicleStep,
)
from sandtable.systems.aslsk.vehicles.vehicle_events import DispenserUsed, MotionAttempted
from tests.aslsk.clash import PLAIN, Clash, side, squad
from tests.aslsk.vehicles.test_movement import START, STOP, clash_of, enter, move, spent, tank, turn, vehicle

rules = pytest.mark.rules
D = VehicleDeed
SMOKE, CREW = VehicleStep(D.SMOKE), VehicleStep(D.CREW)
SHERMAN, PANTHER, T3485 = "american/M4A1", "german/PzKpfw VG", "russian/T-34/85"
T = VehicleId("t")


def smoke_in(clash: Clash) -> list[str]:
    return [clash.context.label(smoke.hex) for smoke in clash.state.smoke if smoke.kind is SmokeKind.DISPERSED]


# --- dispensers in the own MPh ----------------------------------------------------------------------------------


@rules("7.5", system="aslsk3")
def test_7_5_a_discharger_smokes_its_own_hex_for_a_mp_if_it_works() -> None:
    clash = clash_of(tank(exposed=True))
    clash.play(move(SMOKE, START, STOP, halt=True), (3, 4))
    assert smoke_in(clash) == ["D3"]
    assert spent(clash) == [1, 1, 1]
    dud = clash_of(tank(exposed=True))
    dud.play(move(SMOKE, START, STOP, halt=True), (4, 4))
    assert smoke_in(dud) == []
    assert spent(dud) == [1, 1]


@rules("7.5", system="aslsk3")
def test_7_5_buttoned_up_the_number_is_one_lower() -> None:
    clash = clash_of(tank())
    clash.play(move(SMOKE, halt=True), (3, 4))
    assert clash.saw(DispenserUsed, placed=False)
    again = clash_of(tank())
    again.play(move(SMOKE, halt=True), (3, 3))
    assert again.saw(DispenserUsed, placed=True)


@rules("7.5", system="aslsk3")
@pytest.mark.parametrize(("year", "rule"), [(1943, "7.5"), (1944, "")])
def test_7_5_some_have_a_dispenser_from_a_date_on(year: int, rule: str) -> None:
    clash = Clash("MPh", german={"vehicles": [tank(card=PANTHER)]}, conditions={"year": year, "month": 6})
    assert clash.why(move(SMOKE, halt=True)) == rule


@rules("7.5", system="aslsk3")
def test_7_5_once_a_player_turn_and_not_after_fire_nor_stunned() -> None:
    clash = clash_of(tank())
    assert clash.why(move(SMOKE, SMOKE, halt=True)) == "7.5"
    assert clash_of(tank(dispensed=True)).why(move(SMOKE, halt=True)) == "7.5"
    assert clash_of(tank(guns_fired=["CMG"])).why(move(SMOKE, halt=True)) != ""
    assert clash_of(tank(card="russian/T-34 M43")).why(move(SMOKE, halt=True)) == "7.5"
    immobile = clash_of(tank(immobilized=True))
    immobile.play(move(SMOKE, halt=True), (1, 1))
    assert smoke_in(immobile) == ["D3"]


@rules("7.5", system="aslsk3")
def test_7_5_a_close_defence_weapon_is_for_a_crew_that_is_bu() -> None:
    assert clash_of(tank(card=PANTHER, exposed=True)).why(move(SMOKE, halt=True)) == "7.5"
    clash = clash_of(tank(card=PANTHER))
    assert clash.why(move(SMOKE, halt=True)) == ""
    shut = clash_of(tank(card=PANTHER, exposed=True))
    assert shut.why(move(CREW, SMOKE, halt=True)) == ""


@rules("7.5", system="aslsk3")
def test_7_5_some_dispense_once_a_scenario() -> None:
    clash = Clash("MPh", german={"vehicles": [tank(card=T3485)]}, russian=side(squad("r", "russian/8-1", at="A1")))
    clash.play(move(SMOKE, halt=True), (6, 6))
    assert not vehicle(clash).dispenser_empty
    used = Clash("MPh", german={"vehicles": [tank(card=T3485)]}, russian=side(squad("r", "russian/8-1", at="A1")))
    used.play(move(SMOKE, halt=True), (1, 1))
    assert vehicle(used).dispenser_empty


@rules("7.5", system="aslsk3")
@pytest.mark.parametrize(
    ("steps", "to", "tca", "drm"),
    [
        ((), "D1", -1, 0),
        ((START,), "D1", -1, 2),
        ((START, STOP), "D1", -1, 0),
        ((), "D5", 2, 2),
        ((), "D5", 3, 3),
    ],
)
def test_7_5_a_smoke_mortar_and_its_drm(steps: tuple[VehicleStep, ...], to: str, tca: int, drm: int) -> None:
    clash = clash_of(tank(card=SHERMAN, exposed=True), conditions={"year": 1944, "month": 6})
    shot = VehicleStep(D.SMOKE, clash.hex(to), tca=tca)
    clash.play(move(*steps, shot, halt=True), (1, 1))
    number = next(event.number for event in clash.events if isinstance(event, DispenserUsed))
    assert number.base - number.total == drm
    assert smoke_in(clash) == [to]
    assert vehicle(clash).tca == max(tca, 0)
    behind = clash_of(tank(card=SHERMAN, exposed=True, tca="SE/S"), conditions={"year": 1944, "month": 6})
    behind.play(move(VehicleStep(D.SMOKE, behind.hex("D1"), tca=0), halt=True), (1, 1))
    number = next(event.number for event in behind.events if isinstance(event, DispenserUsed))
    assert number.base - number.total == 2, "two hexspines to N/NE"


@rules("3.3.3", "7.5", system="aslsk3")
def test_3_3_3_the_mp_for_smoke_counts_among_those_spent_in_the_hex() -> None:
    clash = clash_of(tank(exposed=True))
    clash.play(move(START, SMOKE, halt=True), (3, 4))
    frame = next(one for one in clash.state.stack if isinstance(one, VehicleMoving))
    assert frame.here == 4, "in halves"


@rules("7.5", system="aslsk3")
def test_7_5_a_smoke_mortar_reaches_one_to_three_hexes_within_los_and_tca() -> None:
    cells = PLAIN.replace(". . . . . . .", ". . . b . . .", 1)
    clash = clash_of(tank(card=SHERMAN, at="D4"), cells=cells)

    def why(to: str, tca: int = -1) -> str:
        return clash.why(move(VehicleStep(D.SMOKE, clash.hex(to), tca=tca), halt=True))

    assert why("D4") == "7.5"
    assert why("D3") == ""
    assert why("D3", 5) == "7.5", "nothing is turned for what is within the TCA"
    assert why("D3", 0) == "7.5", "nor to where it points"
    assert why("D5") == "7.5"
    assert why("D5", 0) == "7.5"
    assert why("D5", 2) == ""
    assert clash.why(move(SMOKE, halt=True)) == "7.5"
    far = clash_of(tank(card=SHERMAN, at="D5"))
    assert far.why(move(VehicleStep(D.SMOKE, far.hex("D1")), halt=True)) == "7.5"
    inside = clash_of(tank(card=SHERMAN, at="D1", vca="SE/S"), cells=cells)
    assert inside.why(move(VehicleStep(D.SMOKE, inside.hex("D2")), halt=True)) == "7.5"
    hidden = clash_of(tank(card=SHERMAN, at="D3"), cells=PLAIN.replace(". . . . . . .", ". . . b . . .", 2))
    assert hidden.why(move(VehicleStep(D.SMOKE, hidden.hex("D1")), halt=True)) == "7.5"


@rules("7.5", system="aslsk3")
def test_7_5_what_grass_hinders_counts_against_a_smoke_mortar() -> None:
    cells = ". . . . . . .\n. . . x . . .\n. . . . . . .\n. . . . . . .\n. . . . . . .\n"
    clash = clash_of(tank(card=SHERMAN, exposed=True), cells=cells)
    clash.play(move(VehicleStep(D.SMOKE, clash.hex("D1")), halt=True), (1, 1))
    number = next(event.number for event in clash.events if isinstance(event, DispenserUsed))
    assert number.base - number.total == 1


# --- the enemy's MPh --------------------------------------------------------------------------------------------

HILL = ". . . . . . .\n. . . w . . .\n. . . . . . .\n. . . . . . .\n. . . . . . .\n"


def defended(*vehicles: dict[str, Any], start: str = "D1", cells: str = HILL) -> Clash:
    """A Russian tank comes out behind woods; German vehicles watch from below."""
    russian = {"vehicles": [{"id": "r", "card": T3485, "at": start, "vca": "N/NE", "motion": True}]}
    return Clash("MPh", cells, attacker="russian", german={"vehicles": list(vehicles)}, russian=russian)


@rules("7.5", "3.3.3", system="aslsk3")
def test_7_5_in_the_enemys_mph_smoke_costs_nothing_and_needs_sight() -> None:
    clash = defended(tank(at="F4", exposed=True), start="F1")
    clash.play(move(turn(1), turn(2), halt=True, name="r"))
    assert clash.asked == "german"
    assert clash.why(DispenseSmoke(T, clash.hex("D3"))) == "7.5"
    clash.play(DispenseSmoke(T), (3, 4))
    assert smoke_in(clash) == ["F4"]
    assert spent(clash) == []
    blind = defended(tank(at="D3"), start="D1")
    blind.play(move(turn(1), halt=True, name="r"))
    assert blind.asked == "russian"


@rules("3.3.2.1", system="aslsk3")
def test_3_3_2_1_the_dr_is_compared_with_mp_spent_in_sight() -> None:
    for dr, succeeds in ((3, True), (4, False)):
        clash = defended(tank(at="D3", card="russian/T-34 M43"), start="D1")
        # Out of sight in D1, then E2 and two turns in sight.
        clash.play(move(turn(1), enter(clash, "E2"), turn(2), turn(3), halt=True, name="r"))
        assert clash.asked == "german"
        clash.play(HoldFire())
        clash.play(HoldFire())
        clash.play(AttemptMotion(T), dr)
        assert clash.saw(MotionAttempted, succeeded=succeeds)
        assert vehicle(clash).motion is succeeds
        assert clash.asked == "russian" or clash.why(AttemptMotion(T, 3)) == "3.3.2.1"


@rules("3.3.2.1", system="aslsk3")
def test_3_3_2_1_not_against_who_was_in_sight_nor_twice_nor_after_fire() -> None:
    seen = defended(tank(at="D3", card="russian/T-34 M43"), start="E2")
    seen.play(move(turn(1), halt=True, name="r"))
    assert seen.context.sees(seen.state, seen.hex("D3"), seen.hex("E2"))
    assert seen.asked == "russian" or seen.why(AttemptMotion(T)) == "3.3.2.1"

    def may(**flags: Any) -> bool:
        clash = defended(tank(at="D3", card="russian/T-34 M43", **flags), start="D1")
        clash.play(move(turn(1), enter(clash, "E2"), STOP, halt=True, name="r"))
        return clash.asked == "german" and clash.why(AttemptMotion(T)) == ""

    assert may()
    assert not may(tried_motion=True)
    assert may(guns_fired=["MA"]), "a MA that kept its ROF has no First Fire counter"
    assert not may(guns_fired=["MA", "CMG"])
    assert not may(guns_fired=["CMG"])
    assert not may(mark="First Fire")
    assert not may(immobilized=True)
    assert not may(bog="Bog")
    assert not may(stun="Stun")


@rules("3.3.2.1", system="aslsk3")
def test_3_3_2_1_it_turns_as_it_likes_if_it_succeeds() -> None:
    clash = defended(tank(at="D3", card="russian/T-34 M43"), start="D1")
    clash.play(move(turn(1), enter(clash, "E2"), STOP, halt=True, name="r"))
    assert clash.why(AttemptMotion(T, 0)) == "3.3.2.1"
    assert clash.why(AttemptMotion(T, 7)) == "3.3.2.1"
    assert clash.why(AttemptMotion(VehicleId("r"))) == "3.3.2.1"
    assert clash.why(AttemptMotion(VehicleId("nobody"))) == "3.3.2.1"
    clash.play(AttemptMotion(T, 3, 1), 1)
    assert (vehicle(clash).vca, vehicle(clash).tca) == (3, 1)
    moving = defended(tank(at="D3", card="russian/T-34 M43", motion=True), start="D1")
    moving.play(move(turn(1), enter(moving, "E2"), STOP, halt=True, name="r"))
    assert moving.why(AttemptMotion(T)) == "3.3.2.1"
    assert moving.why(AttemptMotion(T, 1)) == ""


@rules("3.3.2.1", system="aslsk3")
def test_3_3_2_1_a_turret_goes_with_the_hull_before_it_turns() -> None:
    clash = defended(tank(at="D3", card="russian/T-34 M43", tca="NW/N"), start="D1")
    clash.play(move(turn(1), enter(clash, "E2"), STOP, halt=True, name="r"))
    assert (vehicle(clash).vca, vehicle(clash).tca) == (0, 5)
    assert clash.why(AttemptMotion(T, 3, 2)) == "3.3.2.1", "the hull takes it there"
    clash.play(AttemptMotion(T, 3), 1)
    assert (vehicle(clash).vca, vehicle(clash).tca) == (3, 2)


@rules("3.3.2", "3.3.2.1", system="aslsk3")
def test_3_3_2_1_an_engine_that_fails_fails_the_attempt() -> None:
    for dice, stuck in (((6, 6), True), ((5, 6), False)):
        clash = defended(tank(at="D3", card="russian/T-34 M41"), start="D1")
        clash.play(move(turn(1), enter(clash, "E2"), STOP, halt=True, name="r"))
        clash.play(AttemptMotion(T), 1, dice)
        assert not vehicle(clash).motion
        assert vehicle(clash).immobilized is stuck
        assert vehicle(clash).tried_motion


@rules("3.3.2.1", system="aslsk3")
def test_3_3_2_1_infantry_that_comes_into_sight_counts_by_its_mf() -> None:
    russian = side(squad("r", "russian/4-4-7", at="D1"))
    clash = Clash(
        "MPh",
        HILL,
        attacker="russian",
        german={"vehicles": [tank(at="D3", card="russian/T-34 M43", guns_fired=[])]},
        russian=russian,
    )
    there = MoveStep(StepKind.ENTER, clash.hex("E2"))
    clash.play(Move((UnitId("r"),), (there, MoveStep(StepKind.ENTER, clash.hex("E3")))))
    assert clash.why(AttemptMotion(T)) == ""
    clash.play(AttemptMotion(T), 2)
    assert not vehicle(clash).motion


# --- residual FP and crews --------------------------------------------------------------------------------------


@rules("3.3.5", system="aslsk3")
def test_3_3_5_residual_fp_attacks_a_ce_crew_once_a_location() -> None:
    clash = clash_of(tank(exposed=True), residual={"D2": 4})
    clash.play(move(START, enter(clash, "D2"), turn(1), STOP, halt=True), (6, 5))
    assert [event.drm.total for event in clash.events if isinstance(event, CrewAttacked)] == [2]
    assert clash.asked == "german"
    shut = clash_of(tank(), residual={"D2": 4})
    shut.play(move(START, enter(shut, "D2"), STOP, halt=True))
    assert not shut.saw(CrewAttacked)


@rules("3.3.5", system="aslsk3")
def test_3_3_5_a_stunned_crew_stops_and_its_mph_is_over() -> None:
    clash = clash_of(tank(exposed=True), residual={"D2": 12})
    clash.play(move(START, enter(clash, "D2"), enter(clash, "D1"), STOP), (1, 2), (6, 4))
    assert clash.context.label(vehicle(clash).hex) == "D2"
    assert vehicle(clash).is_stopped


@rules("3.7", "7.7", system="aslsk3")
def test_7_7_crews_change_in_the_aph_even_after_fire() -> None:
    clash = Clash(
        "APh",
        german={"vehicles": [tank(guns_fired=["CMG"])]},
        russian=side(squad("r", "russian/8-1", at="A1")),
    )
    clash.play(ChangeCrew(T))
    assert vehicle(clash).exposed
    assert clash.state.phase is not Phase.ADVANCE or clash.why(ChangeCrew(T)) == "7.7"
    shut = Clash(
        "APh",
        german={"vehicles": [tank(guns_fired=["CMG"])], "units": [squad("a", at="C1")]},
        russian=side(squad("r", "russian/8-1", at="A1")),
    )
    assert any(isinstance(action, ChangeCrew) for action in shut.options())
    assert shut.why(Done()) == ""
