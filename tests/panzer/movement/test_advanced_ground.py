"""6.6.3, 6.6.8 to 6.6.11, 6.1.4.3: buildings, positions, overruns, terrain counters and Dust, as they are played."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.core.decision import Leaf, Path
from sandtable.core.dice import ScriptedDice
from sandtable.core.ruleset import Resolution
from sandtable.systems.panzer import events as shared
from sandtable.systems.panzer.combat.fire_events import BlastResolved
from sandtable.systems.panzer.features import FeatureKind
from sandtable.systems.panzer.frames import AdjustingCover, EndingTurn, Movement, Pivoting
from sandtable.systems.panzer.hex import events as ev
from sandtable.systems.panzer.hex.actions import DismountAttack, Landing, March, Overrun, SearchHullDown
from sandtable.systems.panzer.hex.features import Feature
from sandtable.systems.panzer.hex.movement.move_path import MovePath
from sandtable.systems.panzer.hex.state import Leg, LegKind
from sandtable.systems.panzer.markers import Floor, HullDown, Suppression, UnitMarkers
from sandtable.systems.panzer.movement.speed import Gait
from sandtable.systems.panzer.unit import Command, Grade, UnitId
from tests.panzer.movement.test_advanced_moves import advanced, at
from tests.rulebook.engine import BLUE, NO_EFFECT, RED, Play, legs, move

rules = pytest.mark.rules
NA = "panzer-na"
FAR = "\nb1 truck G5 N N/C"
TOWN = "\n".join([". . . . . . ."] * 2 + [". . b . . . ."] + [". . . . . . ."] * 2)


def one(line: str, card: str, **given: Any) -> Play:
    """Red's one unit on its move, with a lorry of blue's far off."""
    cards = {line.split(maxsplit=1)[0]: card, "b1": "lorry"}
    return at(advanced(line + FAR, cards, "blue", {}, **given), Movement(RED, first=False))


def lay(game: Play, kind: FeatureKind, label: str, **more: Any) -> Play:
    game.state = replace(game.state, features=(*game.state.features, Feature(kind, game.hex(label), **more)))
    return game


@rules("6.1.4.3", "6.1.4.3.3", "6.1.4.3.4", "6.1.4.3.5", "6.1.4.3.9", "6.1.4.3.11", system=NA)
@pytest.mark.parametrize(
    ("kind", "card", "refused"),
    [
        (FeatureKind.BLOCK, "sherman", "6.1.4.3.3"),
        (FeatureKind.BLOCK, "squad", ""),
        (FeatureKind.DITCH, "gun", "6.1.4.3.4"),
        (FeatureKind.DITCH, "squad", ""),
        (FeatureKind.ON_FIRE, "squad", "6.1.4.3.5"),
        (FeatureKind.RUBBLE, "gun", "6.1.4.3.9"),
        (FeatureKind.RUBBLE, "sherman", ""),
        (FeatureKind.WIRE, "squad", "6.1.4.3.11"),
        (FeatureKind.WIRE, "sherman", ""),
        (FeatureKind.MINES, "squad", ""),
    ],
)
def test_6_1_4_3_terrain_counters_bar_some_units(kind: FeatureKind, card: str, refused: str) -> None:
    game = lay(one("r1 tank C3 N MOVE", card), kind, "C2")
    assert game.why(RED, move("r1", "F")) == refused
    path = MovePath(game.context, game.state, UnitId("r1"))
    assert ("C2" in {branch.ref for branch in path.destinations()}) is not bool(refused)


@rules("6.1.4.3.11", system=NA)
def test_6_1_4_3_11_a_tracked_vehicle_flattens_wire() -> None:
    game = lay(one("r1 tank C3 N MOVE", "sherman"), FeatureKind.WIRE, "C2")
    game.do(RED, move("r1", "F"))
    assert game.state.features == ()


@rules("6.6.4.1", "6.1.4.3.1", system=NA)
def test_6_6_4_1_up_and_down_costs_one_and_nobody_leaves_from_the_top_floor() -> None:
    tall = {"conditions": {"building_storeys": {"C3": 3}}}
    game = one("r1 tank C3 N MOVE", "squad", field=TOWN, rest=tall)
    up, down = Leg(0, LegKind.UP), Leg(0, LegKind.DOWN)
    assert game.why(RED, move("r1", "F")) == ""
    climb = replace(move("r1"), legs=(up, Leg()))
    assert game.why(RED, climb) == "6.6.4.1"
    assert game.why(RED, replace(move("r1"), legs=(up, down, Leg()))) == "4.5.1.1.3"
    game.do(RED, replace(move("r1"), legs=(up,)))
    assert game.unit("r1").markers.floor is Floor.UP
    low = one("r1 tank C3 N MOVE", "squad", field=TOWN)
    assert low.why(RED, replace(move("r1"), legs=(up,))) == "6.6.4.1"
    roof = one("r1 tank C3 N MOVE", "squad", field=TOWN, rest={"conditions": {"desert_buildings": True}})
    assert roof.why(RED, replace(move("r1"), legs=(up,))) == ""
    assert one("r1 tank C3 N MOVE", "gun", field=TOWN, rest=tall).why(RED, replace(move("r1"), legs=(up,))) == "6.6.4.1"


@rules("6.6.3", "6.1.4.3.1", system=NA)
def test_6_6_3_the_example_of_the_semovente_and_the_brick_building() -> None:
    into = replace(move("r1"), legs=(Leg(0, LegKind.INTO),))
    game = one("r1 tank C4 N MOVE", "semovente", field=TOWN)
    game.do(RED, into, 32, 77, 9)
    (struck,) = game.told(shared.WallStruck)
    assert (struck.number.total, struck.roll) == (55, 32)
    assert game.unit("r1").markers.hull_damaged
    assert (game.at("r1"), game.unit("r1").markers.floor) == ("C3", Floor.INSIDE)
    unharmed = one("r1 tank C4 N MOVE", "semovente", field=TOWN)
    unharmed.do(RED, into, 56)
    assert (unharmed.at("r1"), unharmed.unit("r1").markers.is_damaged) == ("C3", False)


@rules("6.6.3", system=NA)
def test_6_6_3_a_track_hit_stops_a_vehicle_before_the_wall() -> None:
    inwards, outwards = Leg(0, LegKind.IN), Leg(0, LegKind.OUT)
    game = one("r1 tank C3 N MOVE", "semovente", field=TOWN)
    game.do(RED, replace(move("r1"), legs=(inwards,)), 1, 65)
    assert game.unit("r1").markers == UnitMarkers(track=True)
    assert len(game.told(shared.MoveEnded)) == 1
    inside = one("r1 tank C3 N MOVE", "semovente", field=TOWN, r1=UnitMarkers(floor=Floor.INSIDE))
    inside.do(RED, replace(move("r1"), legs=(outwards,)), 1, 65)
    assert (inside.unit("r1").markers.floor, inside.unit("r1").markers.track) == (Floor.INSIDE, True)
    out = one("r1 tank C3 N MOVE", "semovente", field=TOWN, r1=UnitMarkers(floor=Floor.INSIDE))
    out.do(RED, move("r1", "F"), 100)
    assert (out.at("r1"), out.unit("r1").markers.floor) == ("C2", Floor.GROUND)


@rules("6.6.3", system=NA)
@pytest.mark.parametrize(("dice", "harm"), [((1, 65), "track"), ((1, 66, 10), "hull")])
def test_6_6_3_who_comes_from_the_next_hex_and_does_not_get_through_is_in_the_alley(
    dice: tuple[int, ...], harm: str
) -> None:
    into = (Leg(), Leg(0, LegKind.INTO)) if harm == "hull" else (Leg(0, LegKind.INTO),)
    game = one(f"r1 tank {'C5' if harm == 'hull' else 'C4'} N MOVE", "semovente", field=TOWN)
    card = game.context.cards[game.unit("r1").card]
    fast = replace(card, movement=replace(card.movement, cross_country=5))
    game.rules = type(game.rules)(game.rules.card, replace(game.context, cards={**game.context.cards, card.id: fast}))
    game.do(RED, replace(move("r1"), legs=into), *dice)
    assert (game.at("r1"), game.unit("r1").markers.floor) == ("C3", Floor.GROUND)
    assert [part.part for part in game.told(shared.VehiclePartHit)] == [harm]


@rules("6.6.3", "6.1.4.3.1", system=NA)
def test_6_6_3_who_may_not_enter_buildings() -> None:
    into = replace(move("r1"), legs=(Leg(0, LegKind.INTO),))
    assert one("r1 truck C4 N MOVE", "squad", field=TOWN).why(RED, into) == "6.6.3"
    carrying = one("r1 truck C4 N MOVE", "lorry", field=TOWN, r1=UnitMarkers(passengers=(UnitId("b1"),)))
    assert carrying.why(RED, into) == "6.6.3"
    assert one("r1 tank C4 S MOVE", "semovente", field=TOWN).why(RED, into) == "6.6.3"
    within = replace(move("r1"), legs=(Leg(0, LegKind.IN),))
    for place, action in (("C4", into), ("C3", within)):
        game = one(f"r1 tank {place} N MOVE", "semovente", field=TOWN)
        assert game.why(RED, action) == ""
        card = game.context.cards[game.unit("r1").card]
        assert card.advanced is not None
        without_roof = replace(card, advanced=replace(card.advanced, open_topped=True))
        cards = {**game.context.cards, card.id: without_roof}
        game.rules = type(game.rules)(game.rules.card, replace(game.context, cards=cards))
        assert game.why(RED, action) == "6.6.3"


@rules("6.6.9", system=NA)
def test_6_6_9_a_search_asks_for_its_facing_and_so_is_no_place_to_go() -> None:
    game = one("r1 tank C3 N MOVE", "sherman")
    decision = game.rules.decision(game.state)
    assert decision is not None
    path = decision.options(RED).at("r1")
    assert isinstance(path, Path)
    assert all(isinstance(way.then, Leaf) for way in path.destinations())
    searches = [branch for branch in path.branches() if branch.kind == "deed"]
    assert [(branch.key, branch.then.count()) for branch in searches] == [("search full", 12), ("search partial", 12)]


@rules("6.6.9", "6.1.4.1.1", "6.1.4.1.2", system=NA)
def test_6_6_9_a_vehicle_searches_with_all_of_its_allowance() -> None:
    game = one("r1 tank C3 N MOVE", "sherman", grades={"r1": Grade.ELITE})
    partial = SearchHullDown(UnitId("r1"), HullDown.PARTIAL, 2)
    game.do(RED, partial, 50)
    (found,) = game.told(ev.PositionSearched)
    clear = game.context.ground.terrain[game.context.ground.places[game.hex("C3")].terrain[0]].hull_down
    assert clear is not None
    assert found.number.total == clear + 20 + 10
    markers = game.unit("r1").markers
    assert (markers.hull_down, markers.open_way, game.unit("r1").facing) == (HullDown.PARTIAL, 5, 2)
    assert [ended.unit for ended in game.told(shared.MoveEnded)] == ["r1"]
    failed = one("r1 tank C3 N MOVE", "sherman")
    failed.do(RED, SearchHullDown(UnitId("r1"), HullDown.FULL, 0), clear + 1)
    assert failed.unit("r1").markers.hull_down is HullDown.NONE
    assert one("r1 tank C3 N SHORT_HALT", "sherman").why(RED, partial) == "6.6.9"
    assert one("r1 tank C3 N MOVE", "squad").why(RED, partial) == "6.6.9"


@rules("6.6.9", system=NA)
def test_6_6_9_the_position_is_given_up_by_a_move_of_no_hex() -> None:
    game = one("r1 tank C3 N MOVE", "sherman", r1=UnitMarkers(hull_down=HullDown.FULL, open_way=3))
    game.do(RED, move("r1"))
    assert game.unit("r1").markers.hull_down is HullDown.NONE


@rules("6.6.8", "6.8.2", "6.1.4.3.6", system=NA)
def test_6_6_8_four_turns_of_digging_and_what_was_begun_is_gone_on_with() -> None:
    cards = {"r1": "squad", "r2": "lorry", "b1": "lorry"}
    game = advanced("r1 tank C3 N N/C\nr2 truck A1 N MOVE" + FAR, cards, "blue", {}, r1=UnitMarkers(full_cover=True))
    sides = []
    for _ in range(4):
        game.state = replace(game.state, stack=(EndingTurn(), AdjustingCover((RED, BLUE)), Pivoting(())))
        turning = Resolution(game.state, game.rules.fold, ScriptedDice(()))
        game.rules.advance(turning)
        sides.append(turning.state.features[0].turns)
        game.state = replace(game.state, features=turning.state.features)
    assert sides == [1, 2, 3, 0]
    (done,) = game.state.features
    assert (done.unit, done.hex) == ("r1", game.hex("C3"))
    left = replace(game.state.units[UnitId("r1")], command=Command.MOVE, markers=UnitMarkers())
    game.state = replace(game.state, units={**game.state.units, left.id: left})
    at(game, Movement(RED, first=False)).do(RED, move("r1", "F"))
    assert game.state.features[0].unit == ""


@rules("6.1.4.3.6", "6.1.4.3.7", system=NA)
def test_6_1_4_3_6_an_abandoned_position_is_occupied_by_who_ends_there() -> None:
    game = lay(one("r1 tank C3 N MOVE", "squad"), FeatureKind.HASTY_ENTRENCHMENT, "C2")
    game.do(RED, move("r1", "F"))
    assert game.state.features[0].unit == "r1"
    tank = lay(one("r1 tank C3 N MOVE", "sherman"), FeatureKind.HASTY_ENTRENCHMENT, "C2")
    tank.do(RED, move("r1", "F"))
    assert tank.state.features[0].unit == ""
    fort = lay(one("r1 tank C3 N MOVE", "sherman"), FeatureKind.IMPROVED_POSITION, "C2")
    fort.do(RED, move("r1", "F"))
    assert (fort.state.features[0].unit, fort.unit("r1").markers.open_way) == ("r1", 3)


def overrun(*, dice: tuple[int, ...], speed: int = 3, **given: Any) -> Play:
    """The book's example from the moment that the Sherman sets off."""
    scrub = "\n".join([". . . . . . .", ". . s . . . .", *[". . . . . . ."] * 3])
    game = advanced(
        "r1 tank C4 N MOVE\nb1 tank C2 N N/C known",
        {"r1": "sherman", "b1": "half"},
        "blue",
        {"r1": ["b1"]},
        field=scrub,
        grades={"r1": Grade.VETERAN},
        **given,
    )
    card = game.context.cards[game.unit("r1").card]
    slow = replace(card, movement=replace(card.movement, cross_country=speed))
    context = replace(game.context, cards={**game.context.cards, card.id: slow})
    game.rules = type(game.rules)(game.rules.card, context)
    at(game, Movement(RED, first=False))
    if dice:
        game.do(RED, Overrun(UnitId("r1"), UnitId("b1"), legs("F F")), *dice)
    return game


@rules("6.6.10", "6.6.10.1", "6.6.10.2", system=NA)
def test_6_6_10_2_the_example_of_the_sherman_and_the_half_squad() -> None:
    game = overrun(dice=(49,))
    (blast,) = game.told(BlastResolved)
    assert (blast.factor, blast.defense, blast.modifier.total, blast.result) == (5, 4, 30, "Effective")
    assert not game.unit("b1").in_play
    assert game.at("r1") == "C2"


@rules("6.6.10.1", "6.6.10.2", system=NA)
def test_6_6_10_1_who_has_not_cleared_the_hex_is_placed_back() -> None:
    game = overrun(dice=(1,), b1=UnitMarkers(suppression=Suppression.OFF))
    assert [told.rule for told in game.told(shared.UnitSuppressed)] == ["6.6.10.2"]
    assert game.at("r1") == "C3"
    on = overrun(dice=(1,), speed=5)
    assert on.asked == (RED,)
    assert on.at("r1") == "C2"


@rules("6.6.10", "6.1.4.3.7", system=NA)
def test_6_6_10_what_an_overrun_needs() -> None:
    drive = Overrun(UnitId("r1"), UnitId("b1"), legs("F F"))
    assert overrun(dice=(), speed=2).why(RED, drive) == "6.6.10"
    game = overrun(dice=())
    assert game.why(RED, drive) == ""
    assert game.why(RED, Overrun(UnitId("r1"), UnitId("b1"), legs("F"))) == "6.6.10"
    game.state = replace(game.state, spotted={})
    assert game.why(RED, drive) == "6.6.10"
    fort = lay(overrun(dice=()), FeatureKind.IMPROVED_POSITION, "C2", unit=UnitId("b1"))
    assert fort.why(RED, drive) == "6.1.4.3.7"
    decision = overrun(dice=()).rules.decision(overrun(dice=()).state)
    assert decision is not None
    assert any(isinstance(decision.options(RED).sample(Random(seed)), Overrun) for seed in range(60))


@rules("6.6.1.1", "6.6.1.1.2", "6.6.7.1.1", system=NA)
def test_6_6_1_1_a_passenger_dismounts_into_a_close_assault() -> None:
    game = advanced(
        "r1 truck C4 N N/C\nr2 tank C4 N N/C\nr3 truck A1 N MOVE\nb1 tank C2 N N/C",
        {"r1": "lorry", "r2": "squad", "r3": "lorry", "b1": "sherman"},
        "blue",
        {"r2": ["b1"]},
        r1=UnitMarkers(passengers=(UnitId("r2"),)),
        r2=UnitMarkers(carrier=UnitId("r1")),
    )
    at(game, Movement(RED, first=False))
    near = DismountAttack(UnitId("r1"), Landing(UnitId("r2"), game.hex("C3"), 0), UnitId("b1"))
    far = DismountAttack(UnitId("r1"), Landing(UnitId("r2"), game.hex("C4"), 0), UnitId("b1"))
    assert game.why(RED, far) == "6.6.1.1"
    game.do(RED, near)
    game.do(BLUE, NO_EFFECT, 1)
    (rolled,) = game.told(shared.AssaultRolled)
    assert [term.value for term in rolled.modifier.terms] == [-10]
    assert game.at("r2") == "C3"


@rules("6.1.4.3.12", "6.8.4", system=NA)
def test_6_1_4_3_12_a_fast_vehicle_raises_dust_behind_it() -> None:
    game = one("r1 tank C4 N MOVE", "sherman", rest={"conditions": {"dust": True}})
    game.do(RED, move("r1", "F F"))
    assert {(dust.kind, dust.hex) for dust in game.state.features} == {
        (FeatureKind.DUST, game.hex("C4")),
        (FeatureKind.DUST, game.hex("C3")),
    }
    slow = one("r1 tank C4 N MOVE", "sherman", rest={"conditions": {"dust": True}})
    slow.do(RED, move("r1", "F"))
    assert slow.state.features == ()


@rules("6.6.4.3", "6.1.4.2", system=NA)
def test_6_6_4_3_nobody_crawls_up_to_a_spotted_enemy_and_who_marches_leaves_full_cover() -> None:
    game = advanced(
        "r1 tank C4 N MOVE\nb1 tank C2 N N/C",
        {"r1": "squad", "b1": "squad"},
        "blue",
        {"r1": ["b1"]},
        r1=UnitMarkers(full_cover=True),
    )
    at(game, Movement(RED, first=False))
    assert game.why(RED, March(UnitId("r1"), Gait.CRAWL, legs("F"))) == "6.6.4.3"
    assert game.why(RED, March(UnitId("r1"), Gait.CRAWL, legs("3F"))) == ""
    game.do(RED, move("r1", "3F"))
    assert not game.unit("r1").markers.full_cover
