"""What any player does with tanks, and what he leaves alone (3.3.2, 7.0)."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from sandtable.bots import Question
from sandtable.bots.aslsk.armour.tanks import SUPPORT
from sandtable.bots.doctrine import doctrine_of
from sandtable.core.decision import Seat
from sandtable.geo.hex import distance
from sandtable.systems.aslsk.common.actions import Action, Done, HoldFire
from sandtable.systems.aslsk.common.vehicle_actions import (
    AttemptMotion,
    DispenseSmoke,
    FireGun,
    FlipVehicle,
    MoveVehicle,
)
from sandtable.systems.aslsk.pieces.armament import Ammo, TargetType
from sandtable.systems.aslsk.pieces.state import Crowded, VehicleDeed, VehicleId, VehicleStep
from tests.aslsk.clash import Clash, side, squad
from tests.bots.aslsk.test_guns_and_tanks import (
    FIELD,
    HOUSE,
    MARK_III,
    STEADY,
    T34,
    TIGER,
    answer,
    end_of,
    sketch,
    spine,
    tank,
)

rules = pytest.mark.rules


# --- never two in a hex ---------------------------------------------------------------------------------------------


@rules("3.3.2", system="aslsk3")
def test_3_3_2_no_drive_ends_where_another_vehicle_of_the_side_is() -> None:
    def ends(*others: dict[str, Any]) -> str:
        clash = Clash(
            "MPh",
            FIELD,
            attacker="german",
            turn=1,
            german=side(squad("g", at="A7"), vehicles=[tank("t", MARK_III, "B4", "NE/SE"), *others]),
            russian=side(squad("r", "russian/4-4-7", at="N4")),
            **HOUSE,
        )
        return end_of(clash, answer(clash))[0]

    best = ends()
    assert ends(tank("stuck", MARK_III, best, "NE/SE", immobilized=True)) != best


@rules("3.3.2", system="aslsk3")
def test_3_3_2_of_two_in_a_hex_the_lesser_one_is_turned_over() -> None:
    clash = Clash(
        "MPh",
        FIELD,
        attacker="german",
        german=side(squad("g", at="A7"), vehicles=[tank("great", TIGER, "H4"), tank("small", MARK_III, "H4")]),
        russian=side(squad("r", "russian/4-4-7", at="O7")),
    )
    clash.play(Done())
    assert isinstance(clash.state.stack[-1], Crowded)
    assert answer(clash) == FlipVehicle(VehicleId("small"))


# --- what wins the game ---------------------------------------------------------------------------------------------


@rules("1.3", system="aslsk3")
def test_1_3_where_afv_lost_decide_tanks_leave_by_the_way_that_counts() -> None:
    def leaves(kind: str) -> bool:
        goal = {"kind": kind, "at_least": 1}
        clash = Clash(
            "MPh",
            FIELD,
            attacker="german",
            german=side(vehicles=[tank("t", MARK_III, "M4", "NE/SE")]),
            russian=side(squad("r", "russian/4-4-7", at="A1"), vehicles=[tank("r1", T34, "A3", "NE/SE")]),
            exits=[{"side": "german", "zone": [{"edge": "east"}]}],
            victory=[{"side": "german", "goals": [goal]}],
        )
        found = answer(clash)
        return isinstance(found, MoveVehicle) and found.steps[-1].kind is VehicleDeed.EXIT

    assert leaves("afv lead")
    assert not leaves("casualties")


@rules("1.3", "3.3", system="aslsk3")
@pytest.mark.parametrize("bot", ["greedy", "captain:2"])
def test_1_3_a_tank_that_must_leave_the_map_dashes_past_a_gun_while_there_is_just_time(bot: str) -> None:
    def drives(turn: int) -> bool:
        gun = {"id": "gun", "card": "russian/76.2mm obr. 39", "owner": "crew", "facing": "SW/NW"}
        clash = Clash(
            "MPh",
            FIELD,
            attacker="german",
            turn=turn,
            turns=6,
            german=side(vehicles=[tank("t", MARK_III, "A4", "NE/SE")]),
            russian=side(squad("crew", "russian/2-2-8 crew", at="H4"), weapons=[gun]),
            exits=[{"side": "german", "zone": [{"edge": "east"}]}],
            victory=[{"side": "german", "goals": [{"kind": "exit", "at_least": 7}]}],
        )
        found = answer(clash, bot)
        return isinstance(found, MoveVehicle) and end_of(clash, found)[0] > "K"

    assert [drives(turn) for turn in (3, 5, 6)] == [False, True, False]


@rules("1.3", system="aslsk3")
@pytest.mark.parametrize("row", [1, 7])
def test_1_3_a_tank_goes_where_the_enemy_is_about_to_leave_the_map(row: int) -> None:
    clash = Clash(
        "MPh",
        FIELD,
        attacker="german",
        german=side(vehicles=[tank("t", MARK_III, "F4", "NE/SE")]),
        russian=side(squad("r", "russian/4-4-7", at=f"A{row}")),
        exits=[{"side": "russian", "zone": [{"edge": "east"}]}],
        victory=[{"side": "russian", "goals": [{"kind": "exit", "at_least": 1}]}],
    )
    seen = sketch(clash, "german")
    gate = next(iter(seen.barred()))
    assert {*seen.barred()} == {clash.hex(f"O{row}")}
    assert distance(clash.hex(end_of(clash, answer(clash))[0]), gate) <= SUPPORT
    assert not sketch(clash, "russian").barred()


@rules("1.3", system="aslsk3")
def test_1_3_an_afv_is_worth_more_where_afv_lost_decide() -> None:
    def price(kind: str) -> float:
        clash = Clash(
            "PFPh",
            FIELD,
            attacker="german",
            german=side(squad("g", at="A7"), vehicles=[tank("t", MARK_III, "H4")]),
            russian=side(squad("r", "russian/4-4-7", at="O7")),
            victory=[{"side": "russian", "goals": [{"kind": kind, "at_least": 1}]}],
        )
        return sketch(clash, "russian").price_of(clash.state.vehicles[VehicleId("t")])

    assert price("afv lead") > price("exit") + 2


@rules("3.2.4", system="aslsk3")
def test_3_2_4_a_tank_in_the_hex_of_another_fires_at_it() -> None:
    clash = Clash(
        "PFPh",
        FIELD,
        attacker="german",
        german=side(vehicles=[tank("t", TIGER, "H4", "NE/SE")]),
        russian=side(squad("r", "russian/4-4-7", at="O7"), vehicles=[tank("r1", T34, "H4", "NE/SE")]),
    )
    found = answer(clash)
    assert isinstance(found, FireGun)
    assert (found.target_type, found.at) == (TargetType.VEHICLE, "r1")


# --- evading --------------------------------------------------------------------------------------------------------


WOOD = "\n".join([*[". " * 15 for _ in range(5)], ". . " + "w " * 13, ". . " + "w " * 13])


def surprised(card: str, vca: str, steps: Sequence[str]) -> Clash:
    """A tank of the defender in whose sight a T-34 has come round a wood and spends MP, and nobody has fired."""
    clash = Clash(
        "MPh",
        WOOD,
        attacker="russian",
        turn=1,
        russian=side(vehicles=[tank("r", "russian/T-34/85", "B7", "N/NE", motion=True)]),
        german=side(squad("g", at="O1"), vehicles=[tank("t", card, "M4", vca)]),
    )
    way = tuple(VehicleStep(to=clash.hex(label)) for label in steps)
    clash.play(MoveVehicle(VehicleId("r"), way, halt=True))
    while clash.asked == "german" and clash.state.vehicles[VehicleId("r")].hex != clash.hex(steps[-1]):
        clash.play(HoldFire())
    return clash


@rules("3.3.2.1", system="aslsk3")
def test_3_3_2_1_who_shows_a_flank_and_has_no_good_shot_waits_for_a_fair_chance_and_gets_going() -> None:
    hunter = "german/JgdPz IV/70"
    found = answer(surprised(hunter, "NE/SE", ("B6", "B5", "B4", "B3")))
    assert found == AttemptMotion(VehicleId("t"), spine("SW/NW"))
    assert not isinstance(answer(surprised(hunter, "NE/SE", ("B6", "B5"))), AttemptMotion)


@rules("7.5", system="aslsk3")
def test_7_5_who_may_be_killed_tries_his_smoke_and_who_can_kill_fires() -> None:
    assert answer(surprised(TIGER, "NE/SE", ("B6", "B5"))) == DispenseSmoke(VehicleId("t"))
    assert isinstance(answer(surprised(TIGER, "SW/NW", ("B6", "B5"))), FireGun)


# --- smoke shells ---------------------------------------------------------------------------------------------------


def assault(*, behind: bool = False) -> Clash:
    """Five squads before open ground that a machine gun in a house commands, and a mortar behind them."""
    cells = [[*"."] * 15 for _ in range(7)]
    cells[3][13] = "b"
    for row in cells if behind else ():
        row[10] = row[11] = "w"
    return Clash(
        "PFPh",
        "\n".join(" ".join(row) for row in cells),
        attacker="german",
        turn=5,
        german=side(
            *[squad(f"g{number}", at=f"J{number + 2}") for number in range(5)],
            squad("crew", "german/2-2-8 crew", at="A4"),
            weapons=[{"id": "mortar", "card": "german/8cm GrW 34", "owner": "crew", "facing": "NE/SE"}],
        ),
        russian=side(
            squad("r1", "russian/6-2-8", at="N4"),
            squad("r2", "russian/4-4-7", at="N4"),
            weapons=[{"id": "mmg", "card": "russian/MMG", "owner": "r1"}],
        ),
        **HOUSE,
    )


@rules("6.2", system="aslsk3")
def test_6_2_smoke_on_a_machine_gun_before_an_assault_and_none_where_nobody_is_in_its_sight() -> None:
    def first(clash: Clash) -> Action:
        question: Question[Any] = Question(
            clash.rules, clash.rules.conceal(clash.state, Seat("german")), Seat("german")
        )
        found: Action = doctrine_of(clash.rules).ideas(question, STEADY, Random(1))[0].answer
        return found

    found, house = first(assault()), assault().hex("N4")
    assert isinstance(found, FireGun)
    assert (found.weapon, found.ammo, found.target) == ("mortar", Ammo.SMOKE, house)
    found = first(assault(behind=True))
    assert not isinstance(found, FireGun) or found.ammo is not Ammo.SMOKE
