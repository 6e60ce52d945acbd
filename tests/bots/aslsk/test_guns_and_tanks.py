"""Sound answers with Guns and vehicles: what any player would do (6.0, 7.0)."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from sandtable import catalog
from sandtable.bots import Question, ask, make_bot
from sandtable.bots.aslsk.arms.cannons import Stand
from sandtable.bots.aslsk.barrage import STANDING
from sandtable.bots.aslsk.commander import AslskDoctrine
from sandtable.bots.aslsk.sketch import Sketch
from sandtable.bots.doctrine import doctrine_of
from sandtable.bots.style import CHARACTERS, Character
from sandtable.core.decision import Seat
from sandtable.core.dice import SeededDice
from sandtable.core.game import Game
from sandtable.core.log import Entry
from sandtable.systems.aslsk.common.actions import Action, Advance, Done, Fire, HoldFire, ReactionFire
from sandtable.systems.aslsk.common.vehicle_actions import FireGun, FireVehicle, MoveVehicle
from sandtable.systems.aslsk.pieces.armament import Ammo, TargetType
from sandtable.systems.aslsk.pieces.cards import CardId
from sandtable.systems.aslsk.pieces.spines import spine_named
from sandtable.systems.aslsk.pieces.state import Phase, VehicleDeed, VehicleId, VehicleStep, WeaponId
from sandtable.systems.aslsk.vehicles.drive_progress import DriveProgress
from sandtable.systems.aslsk.vehicles.driver import Driver
from tests.aslsk.clash import Clash, side, squad

rules = pytest.mark.rules
STEADY = CHARACTERS[Character.STEADY]
FIELD = "\n".join(". " * 15 for _ in range(7))
WOODS = "\n".join([". " * 15] * 3 + [". w " + ". " * 13] + [". " * 15] * 3)
"""The field with woods in B4."""
HOUSE = {
    "places": [{"id": "house", "title": "the house", "zone": [{"hexes": ["N4"]}], "holder": "russian"}],
    "victory": [{"side": "german", "goals": [{"kind": "control", "places": ["house"]}]}],
}
HOWITZER = "russian/76.2mm PP obr. 27"
TIGER, MARK_III, T34 = "german/PzKpfw VIE", "german/PzKpfw IIIH", "russian/T-34 M43"


def answer(clash: Clash, bot: str = "greedy") -> Action:
    """What a bot does in a clash."""
    seat = Seat(clash.asked)
    question: Question[Any] = Question(clash.rules, clash.rules.conceal(clash.state, seat), seat)
    action: Action = make_bot(bot, None).choose(question, Random(1))
    return action


def sketch(clash: Clash, seat: str) -> Sketch:
    """The position through the eyes of a side."""
    doctrine = doctrine_of(clash.rules)
    assert isinstance(doctrine, AslskDoctrine)
    return Sketch(doctrine.book, clash.state, Seat(seat), STEADY)


def spine(name: str) -> int:
    """A hexspine by its name."""
    found = spine_named(name)
    assert found is not None
    return found


def tank(name: str, card: str, at: str, vca: str = "N/NE", **fields: Any) -> dict[str, Any]:
    """A vehicle of a clash."""
    return {"id": name, "card": card, "at": at, "vca": vca, **fields}


# --- worth ----------------------------------------------------------------------------------------------------------


@rules("1.2.7", "7.10", system="aslsk3")
def test_7_10_a_vehicle_is_worth_what_its_counter_prints_and_what_is_left_of_it() -> None:
    russians = side(
        squad("r", "russian/4-4-7", at="A1"),
        vehicles=[
            tank("whole", T34, "E3"),
            tank("stuck", T34, "F3", immobilized=True),
            tank("dazed", T34, "G3", shock="Shock"),
            tank("dead", T34, "H3", wreck=True),
            tank("light", "russian/BT-7 M37", "I3"),
        ],
    )
    clash = Clash("PFPh", FIELD, attacker="german", german=side(squad("g", at="O7")), russian=russians)
    seen = sketch(clash, "german")
    prices = {str(name): seen.price_of(vehicle) for name, vehicle in clash.state.vehicles.items()}
    assert prices["whole"] > prices["dazed"] > prices["stuck"] > prices["dead"] == 0
    assert prices["whole"] > 1.5 * prices["light"]


# --- fire -----------------------------------------------------------------------------------------------------------


def duel(gun: str, tank_vca: str, **fields: Any) -> Clash:
    """A Russian Gun that points east at a German tank, and a German squad far off."""
    weapon = {"id": "gun", "card": gun, "owner": "crew", "facing": "NE/SE", **fields}
    return Clash(
        "PFPh",
        FIELD,
        attacker="russian",
        russian=side(squad("crew", "russian/2-2-8 crew", at="B4"), weapons=[weapon]),
        german=side(squad("g", at="O7"), vehicles=[tank("t", MARK_III, "H4", tank_vca)]),
    )


@rules("3.2.4", system="aslsk3")
def test_3_2_4_a_gun_fires_at_armour_on_the_vehicle_target_type() -> None:
    found = answer(duel("russian/76.2mm obr. 39", "N/NE"))
    assert isinstance(found, FireGun)
    assert (found.weapon, found.target_type, found.at) == ("gun", TargetType.VEHICLE, "t")
    assert found.ammo in (Ammo.AP, Ammo.APCR)
    assert found.facing == -1


@rules("3.2.4", system="aslsk3")
def test_3_2_4_he_at_men_and_machine_guns_too() -> None:
    clash = Clash(
        "PFPh",
        FIELD,
        attacker="german",
        german=side(squad("g", at="A7"), vehicles=[tank("t", MARK_III, "C4", "NE/SE")]),
        russian=side(squad("r", "russian/4-4-7", at="G4")),
    )
    found = answer(clash)
    assert isinstance(found, FireGun | FireVehicle)
    if isinstance(found, FireGun):
        assert (found.target_type, found.ammo) == (TargetType.INFANTRY, Ammo.HE)


# --- driving --------------------------------------------------------------------------------------------------------


def end_of(clash: Clash, action: Action) -> tuple[str, int, bool]:
    """Hex and VCA at the end of a drive, and whether the vehicle has stopped."""
    assert isinstance(action, MoveVehicle)
    driver = Driver(clash.context, clash.state, clash.state.vehicles[action.vehicle])
    now = driver.begin()
    for step in action.steps:
        after = driver.take(now, step)
        assert isinstance(after, DriveProgress)
        now = after
    return clash.context.label(now.hex), now.vca, now.stopped


def drive(cells: str = FIELD, *, card: str = MARK_III, **russian: Any) -> Clash:
    """A German tank far from the house that its side must take."""
    return Clash(
        "MPh",
        cells,
        attacker="german",
        turn=1,
        german=side(squad("g", at="A7"), vehicles=[tank("t", card, "B4", "NE/SE")]),
        russian=side(squad("r", "russian/4-4-7", at="N4"), **russian),
        **HOUSE,
    )


@rules("3.3.2", system="aslsk3")
def test_3_3_2_a_tank_makes_for_the_goal() -> None:
    clash = drive()
    hex, _, _ = end_of(clash, answer(clash))
    assert hex[0] > "F"


@rules("3.3.2", "7.1", system="aslsk3")
def test_7_1_what_a_gun_can_pierce_drives_at_it_over_the_open_only_with_others() -> None:
    def goes(card: str, *, at: tuple[str, ...] = ("B4",)) -> bool:
        clash = Clash(
            "MPh",
            FIELD,
            attacker="german",
            turn=1,
            german=side(squad("g", at="A7"), vehicles=[tank(f"t{hex}", card, hex, "NE/SE") for hex in at]),
            russian=side(
                squad("r", "russian/4-4-7", at="N4"),
                squad("crew", "russian/2-2-8 crew", at="M2"),
                weapons=[{"id": "gun", "card": "russian/76.2mm obr. 39", "owner": "crew", "facing": "SW/NW"}],
            ),
            **HOUSE,
        )
        found = answer(clash)
        return isinstance(found, MoveVehicle) and any(step.to is not None for step in found.steps)

    assert goes(TIGER)
    assert not goes(MARK_III)
    assert goes(MARK_III, at=("B2", "B4", "B6", "C3"))


@rules("3.3.2", system="aslsk3")
def test_3_3_2_one_in_motion_moves_or_stops() -> None:
    clash = Clash(
        "MPh",
        FIELD,
        attacker="german",
        german=side(squad("g", at="A7"), vehicles=[tank("t", MARK_III, "B4", "NE/SE", motion=True)]),
        russian=side(squad("r", "russian/4-4-7", at="O7")),
    )
    found = answer(clash)
    assert isinstance(found, MoveVehicle)
    assert found.vehicle == "t"


@rules("7.5", "7.7", system="aslsk3")
def test_7_5_smoke_where_a_gun_is_too_strong_and_heads_in_under_fire() -> None:
    clash = Clash(
        "MPh",
        FIELD,
        attacker="german",
        german=side(squad("g", at="A7"), vehicles=[tank("t", TIGER, "I4", "NE/SE", exposed=True)]),
        russian=side(
            squad("r", "russian/4-4-7", at="N4"),
            squad("crew", "russian/2-2-8 crew", at="N2"),
            weapons=[{"id": "gun", "card": "russian/122mm P obr. 31", "owner": "crew", "facing": "SW/NW"}],
        ),
        conditions={"year": 1943, "month": 7},
        **HOUSE,
    )
    found = answer(clash)
    assert isinstance(found, MoveVehicle)
    deeds = [step.kind for step in found.steps]
    assert deeds[0] is VehicleDeed.CREW
    assert VehicleDeed.SMOKE in deeds


# --- the front to the threat ----------------------------------------------------------------------------------------


@rules("3.2.4", "7.1", system="aslsk3")
def test_7_1_a_flank_is_in_more_danger_than_a_front() -> None:
    clash = duel("russian/76.2mm obr. 39", "SW/NW")
    seen = sketch(clash, "german")
    card = clash.context.cards.vehicles[CardId(T34)]
    cannons = seen.cannons("russian", STANDING)
    front, flank = (
        cannons.exposure(card, Stand(clash.hex("H4"), vca, vca, moving=False))
        for vca in (spine("SW/NW"), spine("N/NE"))
    )
    assert 0 < front < flank
    moving = Stand(clash.hex("H4"), spine("N/NE"), spine("N/NE"), moving=True)
    assert cannons.exposure(card, moving) < flank


# --- close combat ---------------------------------------------------------------------------------------------------


@rules("3.7", "3.8", system="aslsk3")
def test_3_8_squads_go_for_a_tank_that_cannot_defend_itself_and_leave_a_sound_one_alone() -> None:
    def goes(**state: Any) -> bool:
        clash = Clash(
            "APh",
            FIELD,
            attacker="german",
            german=side(squad("g", "german/8-3-8", at="C4")),
            russian=side(squad("r", "russian/4-4-7", at="O7"), vehicles=[tank("t", T34, "D4", **state)]),
        )
        found = answer(clash)
        return isinstance(found, Advance) and found.hex == clash.hex("D4")

    assert goes(shock="Shock", immobilized=True)
    assert not goes()


@rules("3.3.4", system="aslsk3")
def test_3_3_4_a_vehicle_that_comes_into_the_hex_is_attacked() -> None:
    clash = Clash(
        "MPh",
        FIELD,
        attacker="russian",
        german=side(squad("g", "german/8-3-8", at="D4")),
        russian=side(squad("r", "russian/4-4-7", at="O7"), vehicles=[tank("t", T34, "C4", "NE/SE")]),
        conditions={"year": 1942, "month": 6},
    )
    into, on = clash.hex("D4"), clash.hex("E4")
    steps = (VehicleStep(VehicleDeed.START), VehicleStep(to=into), VehicleStep(to=on))
    clash.play(MoveVehicle(VehicleId("t"), steps, halt=True))
    while clash.asked == "german" and clash.state.vehicles[VehicleId("t")].hex != into:
        clash.play(HoldFire())
    found = answer(clash)
    assert isinstance(found, ReactionFire)
    assert found.units == ("g",)


# --- First Fire -----------------------------------------------------------------------------------------------------


def ambush(card: str, vca: str, *dice: tuple[int, int], gun: str = HOWITZER, **weapon: Any) -> Clash:
    """A German vehicle has just started in sight of a Russian Gun in the woods."""
    clash = Clash(
        "MPh",
        WOODS,
        attacker="german",
        german=side(squad("g", at="O7"), vehicles=[tank("t", card, "H4", vca)]),
        russian=side(
            squad("crew", "russian/2-2-8 crew", at="B4"),
            weapons=[{"id": "gun", "card": gun, "owner": "crew", "facing": "NE/SE", "emplaced": True, **weapon}],
        ),
    )
    clash.play(MoveVehicle(VehicleId("t"), (VehicleStep(VehicleDeed.START),), halt=True), *dice)
    assert clash.asked == "russian"
    return clash


@rules("3.3.3", "7.9", system="aslsk3")
def test_3_3_3_a_flank_is_fired_at_and_a_front_that_is_proof_is_not() -> None:
    found = answer(ambush(MARK_III, "N/NE"))
    assert isinstance(found, FireGun)
    assert (found.target_type, found.at) == (TargetType.VEHICLE, "t")
    assert isinstance(answer(ambush(TIGER, "SW/NW", (3, 4))), HoldFire)


@rules("6.4", system="aslsk3")
def test_6_4_a_hidden_gun_waits_for_a_flank() -> None:
    card = "german/PzKpfw IVH"
    assert isinstance(answer(ambush(card, "SW/NW")), FireGun)
    assert isinstance(answer(ambush(card, "SW/NW", hidden=True)), HoldFire)
    assert isinstance(answer(ambush(card, "N/NE", hidden=True)), FireGun)


@rules("6.4", system="aslsk3")
def test_6_4_a_hidden_crew_does_not_show_its_gun_for_a_few_shots_with_rifles() -> None:
    def shot(**weapon: Any) -> Action:
        gun = {"id": "gun", "card": HOWITZER, "owner": "crew", "facing": "NE/SE", "emplaced": True, **weapon}
        return answer(
            Clash(
                "DFPh",
                WOODS,
                attacker="german",
                german=side(squad("g", at="D4")),
                russian=side(squad("crew", "russian/2-2-8 crew", at="B4"), weapons=[gun]),
            )
        )

    assert isinstance(shot(state="malfunctioned"), Fire)
    assert shot(state="malfunctioned", hidden=True) == Done()
    assert isinstance(shot(), FireGun)
    assert shot(hidden=True) == Done()


# --- set-up, and whole games ------------------------------------------------------------------------------------------

SCENARIO = str(Path(__file__).with_name("guns-and-tanks.yaml"))


def play(bots: tuple[str, str], seed: int, *, to: Phase | None = None) -> Game[Any, Any, Any]:
    """A game of two bots, or its beginning."""
    ruleset, header = catalog.open_scenario(SCENARIO)
    game: Game[Any, Any, Any] = Game.start(ruleset, header, SeededDice(f"{bots} {seed}"))
    players = {seat: make_bot(bot, None) for seat, bot in zip(("russian", "german"), bots, strict=True)}
    rng = Random(seed)
    while (decision := game.decision) is not None and game.state.phase is not to:
        seat = decision.asked[0]
        game.play(seat, ask(players[seat], ruleset, game.state, seat, rng))
    return game


@pytest.mark.parametrize("bot", ["greedy", "captain:1"])
@rules("1.3", "6.4", system="aslsk3")
def test_6_4_a_gun_is_set_up_hidden_and_pointed(bot: str) -> None:
    game = play((bot, bot), 1, to=Phase.RALLY)
    gun = game.state.weapons[WeaponId("R-W1")]
    assert gun.hidden
    assert gun.facing >= 0
    assert all(vehicle.hex is not None for vehicle in game.state.vehicles.values())


@rules("3.2.4", "3.3.2", system="aslsk3")
def test_a_game_with_guns_and_tanks_is_played_to_its_end() -> None:
    game = play(("greedy", "greedy"), 3)
    said = {type(line.action) for line in game.lines if isinstance(line, Entry)}
    assert game.state.ended
    assert {MoveVehicle, FireGun} <= said
