"""1.2.6, 6.3, 6.4: set-up of Guns and vehicles, who is hidden from whom, and what brings him to light."""

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable import catalog, testing
from sandtable.core.decision import Seat
from sandtable.core.dice import SeededDice
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import (
    Action,
    Done,
    HideUnit,
    HoldFire,
    Move,
    PlaceGun,
    PlaceUnit,
    PlaceVehicle,
    SetUpAsSuggested,
)
from sandtable.systems.aslsk.common.hidden import hidden_units
from sandtable.systems.aslsk.pieces.state import (
    MoveStep,
    Phase,
    State,
    UnitId,
    VehicleId,
    WeaponId,
    Whereabouts,
)
from sandtable.systems.aslsk.rules import AslskRules
from tests.aslsk.clash import Clash, side, squad
from tests.aslsk.hidden_draft import hidden_draft, hidden_rules

rules = pytest.mark.rules
BRITISH, GERMAN = Seat("british"), Seat("german")


def begun(game: AslskRules) -> State:
    return game.begin(game.setup(), SeededDice(0)).state


def after(game: AslskRules, state: State, *actions: Action) -> State:
    for action in actions:
        decision = game.decision(state)
        assert decision is not None
        refusal = game.refusal(state, decision.asked[0], action)
        assert refusal is None, refusal
        state = game.resolve(state, decision.asked[0], action, SeededDice(0)).state
    return state


@pytest.fixture(name="game", scope="module")
def _game() -> AslskRules:
    return hidden_rules()


@pytest.fixture(name="british")
def _british(game: AslskRules) -> State:
    """The British have set up as suggested, and have not said that they have done."""
    return after(game, begun(game), SetUpAsSuggested())


@pytest.fixture(name="playing")
def _playing(game: AslskRules, british: State) -> State:
    return after(game, british, Done(), SetUpAsSuggested(), Done())


def why(game: AslskRules, state: State, seat: Seat, action: Action) -> str:
    refusal = game.refusal(state, seat, action)
    return refusal.rule if refusal is not None else ""


@rules("1.3", "3.2.4", "6.3", "6.4", system="aslsk3")
def test_6_4_guns_set_up_pointed_emplaced_and_hidden(british: State) -> None:
    gun = british.weapons[WeaponId("Q1")]
    assert (gun.owner, gun.facing, gun.emplaced, gun.hidden) == ("C1", 1, True, True)
    assert british.units[UnitId("B-1")].hidden
    assert not british.units[UnitId("B-L1")].hidden


@rules("6.3", "6.4", system="aslsk3")
def test_6_3_on_a_paved_road_a_gun_is_neither_emplaced_nor_hidden(game: AslskRules, british: State) -> None:
    moved = after(game, british, PlaceUnit(UnitId("C1"), game.place("J4"), (WeaponId("Q1"),)))
    assert moved.weapons[WeaponId("Q1")].facing == -1, "set up elsewhere it is pointed anew"
    assert why(game, moved, BRITISH, Done()) == "3.2.4"
    assert why(game, moved, BRITISH, PlaceGun(WeaponId("Q1"), 2, hidden=True)) == "6.4"
    seen = after(game, moved, PlaceGun(WeaponId("Q1"), 2))
    gun = seen.weapons[WeaponId("Q1")]
    assert (gun.facing, gun.emplaced, gun.hidden) == (2, False, False)


@rules("6.3", "6.4", system="aslsk3")
def test_6_3_only_a_crew_emplaces_or_hides_a_gun(game: AslskRules, british: State) -> None:
    given = after(game, british, PlaceUnit(UnitId("B-2"), game.place("I5"), (WeaponId("Q1"),)))
    assert why(game, given, BRITISH, PlaceGun(WeaponId("Q1"), 2, hidden=True)) == "6.4"
    gun = after(game, given, PlaceGun(WeaponId("Q1"), 2)).weapons[WeaponId("Q1")]
    assert not gun.emplaced


@rules("1.2.6", system="aslsk3")
@pytest.mark.parametrize(
    ("card", "allowed"),
    [
        ("british/OQF 6-Pounder", True),
        ("british/OML 3-in. MTR", True),
        ("british/OQF 25-Pounder", False),
        ("german/8.8cm FlaK 18/36", False),
        ("german/8.8cm PaK 43", True),
    ],
)
def test_1_2_6_which_guns_stand_in_buildings(card: str, allowed: bool) -> None:
    draft = hidden_draft()
    draft["sides"][0]["forces"][0]["weapons"][0]["card"] = card
    found = catalog.system("aslsk3").ruleset(draft, catalog.library("aslsk3"), "hidden")
    assert isinstance(found, AslskRules)
    state = begun(found)
    refusal = found.refusal(state, BRITISH, SetUpAsSuggested())
    assert (refusal is None) is allowed
    assert refusal is None or refusal.rule == "1.2.6"


@rules("1.2.6", system="aslsk3")
def test_1_2_6_a_leader_mans_no_gun(game: AslskRules, british: State) -> None:
    assert why(game, british, BRITISH, PlaceUnit(UnitId("B-L1"), game.place("K5"), (WeaponId("Q1"),))) == "1.2.6"


@rules("1.1.1", "1.3", "3.2.4", "3.3.1", system="aslsk3")
def test_1_3_vehicles_set_up_in_their_area_pointed(game: AslskRules, british: State) -> None:
    state = after(game, british, Done())
    car, b6 = VehicleId("S-V1"), game.place("B6")
    assert why(game, state, GERMAN, Done()) == "1.3"
    assert why(game, state, GERMAN, PlaceVehicle(car, game.place("E6"), 0, 0)) == "1.3"
    assert why(game, state, GERMAN, PlaceVehicle(car, b6, 6, 0)) == "3.2.4"
    assert why(game, state, GERMAN, PlaceVehicle(VehicleId("Q1"), b6, 0, 0)) == "1.3"
    placed = after(game, state, PlaceVehicle(car, b6, 3, 5, exposed=True)).vehicles[car]
    assert (placed.hex, placed.vca, placed.tca, placed.exposed, placed.motion) == (b6, 3, 5, True, False)


@rules("1.1.1", "3.2.4", "3.3.1", system="aslsk3")
def test_1_1_1_no_armored_car_in_a_building_and_one_vehicle_in_a_hex() -> None:
    draft = hidden_draft()
    scouts = draft["sides"][1]["forces"][1]
    scouts["set_up"] = [{"hexrows": "A-C"}, {"hexes": ["P3"]}]
    scouts["vehicles"] = [
        {"card": "german/PSW 232", "count": 2, "at": ["B6", "B6"], "facing": ["N/NE", "N/NE"]},
        {"card": "german/StuG IIIG", "at": ["C5"], "facing": ["N/NE"]},
    ]
    found = hidden_rules(sides=draft["sides"])
    state = after(found, begun(found), SetUpAsSuggested(), Done())
    first, second, gun = (VehicleId(f"S-V{number}") for number in (1, 2, 3))
    p3 = found.place("P3")
    assert found.context.ground.place(p3).building
    assert why(found, state, GERMAN, PlaceVehicle(first, p3, 0, 0)) == "1.1.1"
    assert why(found, state, GERMAN, PlaceVehicle(gun, p3, 0, 0)) == "", "a tracked one may"
    assert why(found, state, GERMAN, PlaceVehicle(gun, found.place("C5"), 0, 1)) == "3.2.4", "it has no turret"
    assert why(found, state, GERMAN, SetUpAsSuggested()) == "3.3.1"
    state = after(found, state, PlaceVehicle(first, found.place("B6"), 0, 0))
    assert why(found, state, GERMAN, PlaceVehicle(second, found.place("B6"), 0, 0)) == "3.3.1"


@rules("6.4", system="aslsk3")
def test_6_4_a_special_rule_hides_units_off_open_ground(game: AslskRules, british: State) -> None:
    open_ground = after(game, british, PlaceUnit(UnitId("B-1"), game.place("H4"), (WeaponId("B-W1"),)))
    assert not open_ground.units[UnitId("B-1")].hidden, "who is placed elsewhere is seen again"
    assert why(game, open_ground, BRITISH, HideUnit(UnitId("B-1"))) == "6.4"
    shown = after(game, british, HideUnit(UnitId("B-1"), hidden=False))
    assert not shown.units[UnitId("B-1")].hidden
    assert why(game, british, BRITISH, HideUnit(UnitId("G-1"))) == "1.3"
    plain = hidden_rules(conditions={"year": 1944})
    state = after(plain, begun(plain), SetUpAsSuggested())
    assert why(plain, state, BRITISH, HideUnit(UnitId("B-1"))) == "6.4"


@rules("6.4", system="aslsk3")
def test_6_4_nobody_hides_where_an_enemy_may_set_up() -> None:
    draft = hidden_draft()
    draft["sides"][1]["forces"][1]["set_up"] = [{"hexrows": "A-B"}, {"hexes": ["K5"]}]
    found = hidden_rules(sides=draft["sides"])
    state = after(found, begun(found), SetUpAsSuggested())
    assert not state.weapons[WeaponId("Q1")].hidden
    assert state.weapons[WeaponId("Q2")].hidden
    assert why(found, state, BRITISH, PlaceGun(WeaponId("Q1"), 1, hidden=True)) == "6.4"


@rules("6.4", system="aslsk3")
def test_6_4_the_enemy_sees_neither_the_set_up_nor_who_is_hidden(game: AslskRules, british: State) -> None:
    known = game.conceal(british, GERMAN)
    assert all(unit.hex is None for unit in known.units.values() if unit.side == BRITISH)
    playing = after(game, british, Done(), SetUpAsSuggested(), Done())
    known = game.conceal(playing, GERMAN)
    assert known.units[UnitId("C1")].place is Whereabouts.HIDDEN
    assert known.units[UnitId("B-L1")].hex == playing.units[UnitId("B-L1")].hex, "he is not hidden"
    assert (known.weapons[WeaponId("Q1")].owner, known.weapons[WeaponId("Q1")].facing) == ("", -1)
    own = game.conceal(playing, BRITISH)
    assert own.weapons == playing.weapons
    boxes = {counter.id: counter.box for counter in game.view(playing, GERMAN).counters}
    assert boxes["Q1"] == boxes["C1"] == "hidden"
    spines = {counter.id: counter.spine for counter in game.view(playing, BRITISH).counters}
    assert spines["Q1"] == 1


@rules("6.4", system="aslsk3")
def test_6_4_events_and_scenario_do_not_tell(game: AslskRules, british: State) -> None:
    begin = begun(game)
    for action in (SetUpAsSuggested(), PlaceUnit(UnitId("B-1"), game.place("M7"))):
        assert game.redact_action(action, BRITISH, GERMAN) is None
    events = game.resolve(begin, BRITISH, SetUpAsSuggested(), SeededDice(0)).events
    assert all(game.redact(event, GERMAN) is None for event in events)
    text = str(game.conceal_scenario(hidden_draft(), GERMAN)["sides"][0])
    assert "K5" not in text
    assert "NE/SE" not in text
    assert british.phase is Phase.SETUP


@rules("6.4", "7.7", system="aslsk3")
def test_6_4_the_scenario_does_not_tell_which_crews_its_author_would_expose(game: AslskRules) -> None:
    draft = hidden_draft()
    draft["sides"][0]["forces"][0]["vehicles"] = [{"card": "british/Sherman II(a)", "at": ["K5"], "exposed": True}]
    shown = game.conceal_scenario(draft, GERMAN)["sides"][0]["forces"][0]["vehicles"]
    assert shown == [{"card": "british/Sherman II(a)"}]


def _to_movement(game: AslskRules, state: State) -> State:
    while state.phase is not Phase.MOVEMENT:
        state = after(game, state, Done())
    return state


def _entry(game: AslskRules, state: State) -> Move:
    """Any move of a squad onto the map."""
    hexes = sorted(game.context.scenario.entry["harder"])
    moves = [Move((UnitId("G-1"),), (MoveStep(to=hex),)) for hex in hexes]
    return next(move for move in moves if game.refusal(state, GERMAN, move) is None)


@rules("3.3.3", "6.4", system="aslsk3")
def test_6_4_who_has_somebody_hidden_is_asked_for_fire_at_every_step(game: AslskRules, playing: State) -> None:
    state = _to_movement(game, playing)
    asked = after(game, state, _entry(game, state))
    decision = game.decision(asked)
    assert decision is not None
    assert decision.asked == (BRITISH,)
    assert why(game, asked, BRITISH, HoldFire()) == ""


@rules("6.4", system="aslsk3")
def test_6_4_who_acts_comes_to_light(game: AslskRules, playing: State) -> None:
    state = _to_movement(game, playing)
    state = replace(state, attacker=BRITISH, stack=(type(state.stack[-1])(BRITISH),))
    move = Move((UnitId("B-2"),), (MoveStep(to=game.place("H4")),))
    events = game.resolve(state, BRITISH, move, SeededDice(0)).events
    assert events[0] == ev.Revealed((UnitId("B-2"),), (), "it acts")


def _watched(**gun: Any) -> Clash:
    """A hidden Gun in C3, and a Russian squad in G3 that sees it."""
    weapons = [{"id": "AT", "card": "german/5cm PaK 38", "owner": "C", "facing": "NE/SE", "hidden": True, **gun}]
    return Clash(
        "PFPh",
        attacker="german",
        german=side(squad("C", "german/2-2-8 crew", "C3"), weapons=weapons),
        russian=side(squad("R", "russian/4-4-7", "G3")),
    )


@rules("6.4", system="aslsk3")
def test_6_4_in_open_ground_a_gun_is_seen_by_good_order_enemies() -> None:
    assert not hidden_units(_watched().context, _watched().state)
    clash = Clash(
        "RPh",
        ". . . . . . .\n. . . . . . .\n. . w . . . .\n. . . . . . .",
        german=side(
            squad("C", "german/2-2-8 crew", "C3"),
            weapons=[{"id": "AT", "card": "german/5cm PaK 38", "owner": "C", "facing": "NE/SE", "hidden": True}],
        ),
        russian=side(squad("R", "russian/4-4-7", "G3")),
    )
    assert hidden_units(clash.context, clash.state) == {UnitId("C")}, "in woods nobody sees it"


@rules("6.4", system="aslsk3")
def test_6_4_random_games_with_hidden_guns_keep_their_secrets() -> None:
    draft = hidden_draft()
    del draft["sides"][1]["forces"][1]
    header = replace(catalog.open_scenario("s20-joseph-351").header, scenario=draft)
    found = testing.check_scenario(hidden_rules(sides=draft["sides"]), header, games=4, seed=6, thorough=0.3)
    assert found.failures == []


@rules("1.2.7", system="aslsk3")
def test_1_2_7_a_vehicle_counter_shows_what_is_printed_and_where_it_points(game: AslskRules, playing: State) -> None:
    car = game.counter(game.conceal(playing, GERMAN), "S-V1")
    assert car is not None
    printed = {value.name: value.text for value in car.face.values}
    assert (printed["main armament"], printed["front armor"], printed["side and rear armor"]) == ("20L", "3", "1")
    assert (printed["MP"], printed["turret"], printed["movement"]) == ("33", "slow (ST)", "armored car")
    assert (printed["machine guns"], printed["IFE"], printed["ROF"]) == ("-/5/-", "(6)", "[2]")
    assert car.face.layout == "vehicle disc square boxed-id"
    assert (car.spine, car.turret, car.hex, [marker.text for marker in car.markers]) == (1, 1, "B6", ["CE"])
    wreck = replace(playing.vehicles[VehicleId("S-V1")], wreck=True)
    burnt = game.counter(replace(playing, vehicles={wreck.id: wreck}), "S-V1")
    assert burnt is not None
    assert (burnt.spine, burnt.turret, [marker.text for marker in burnt.markers]) == (None, None, ["wreck"])


@pytest.mark.parametrize(
    ("scenario", "gun"), [("sk-5-the-gun-in-the-village", "R-W1"), ("sk-6-steel-in-the-corn", "G-W1")]
)
def test_the_gun_that_a_scenario_is_about_is_suggested_hidden(scenario: str, gun: str) -> None:
    ruleset, _ = catalog.open_scenario(scenario)
    assert isinstance(ruleset, AslskRules)
    assert WeaponId(gun) in ruleset.context.scenario.concealed
