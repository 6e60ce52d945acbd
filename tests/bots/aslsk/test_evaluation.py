"""What a position is worth: what any player calls better or worse comes out so (1.3)."""

from typing import Any

import pytest

from sandtable.bots.aslsk.evaluation import worth
from sandtable.bots.aslsk.sketch import Sketch
from sandtable.systems.aslsk.pieces.state import UnitId
from tests.aslsk.clash import Clash, side, squad
from tests.bots.aslsk.test_guns_and_tanks import FIELD, HOUSE, MARK_III, T34, sketch, tank

rules = pytest.mark.rules


def leads(turn: int, german: dict[str, Any]) -> tuple[float, float]:
    """What a position is worth to the attacker and to the defender of a house."""
    russian = side(squad("r", "russian/4-4-7", at="N4"), vehicles=[tank("foe", T34, "O6")])
    clash = Clash("PFPh", FIELD, attacker="german", turn=turn, turns=6, german=german, russian=russian, **HOUSE)
    return worth(sketch(clash, "german")), worth(sketch(clash, "russian"))


@pytest.mark.parametrize("turn", [1, 3, 5])
@rules("1.3", "3.2.3", system="aslsk3")
def test_1_3_whoever_breaks_or_is_lost_costs_his_side_points_however_far_he_had_to_go(turn: int) -> None:
    other = squad("h", at="A6")
    sound = leads(turn, side(squad("g", at="A2"), other))
    broken = leads(turn, side(squad("g", at="A2", broken=True), other))
    lost = leads(turn, side(other))
    assert sound[0] > broken[0] > lost[0]
    assert sound[1] < broken[1] < lost[1]


@pytest.mark.parametrize("turn", [1, 3, 5])
@rules("1.3", "7.10", system="aslsk3")
def test_1_3_a_tank_that_stands_still_for_good_or_burns_costs_its_side_points(turn: int) -> None:
    man = squad("g", at="A2")
    sound = leads(turn, side(man, vehicles=[tank("t", MARK_III, "B4")]))
    stuck = leads(turn, side(man, vehicles=[tank("t", MARK_III, "B4", immobilized=True)]))
    lost = leads(turn, side(man))
    assert sound[0] > stuck[0] > lost[0]
    assert sound[1] < stuck[1] < lost[1]


@rules("1.3", "3.3", system="aslsk3")
def test_1_3_who_comes_nearer_to_the_goal_gains_and_the_defender_sees_it() -> None:
    far, near = leads(3, side(squad("g", at="A2"))), leads(3, side(squad("g", at="D2")))
    assert near[0] > far[0]
    assert near[1] < far[1]


@rules("1.3", "3.3", system="aslsk3")
def test_1_3_squads_are_shared_out_among_the_places_that_are_needed() -> None:
    """Both are nearer to the first house, which one of them takes."""
    houses = [
        {"id": name, "title": name, "zone": [{"hexes": [hex]}], "holder": "russian"}
        for name, hex in (("near", "D4"), ("far", "N4"))
    ]
    both = [{"side": "german", "goals": [{"kind": "control", "places": ["near", "far"]}]}]
    german = side(squad("g", at="B4"), squad("h", at="A2"))
    clash = Clash("MPh", FIELD, attacker="german", turns=6, german=german, places=houses, victory=both)
    led = sketch(clash, "german")
    seen = Sketch(led.book, led.state, led.seat, led.style._replace(plans=False))
    goals = {unit.id: seen.errand((unit,)) for unit in seen.mine}
    assert goals == {"g": {clash.hex("D4")}, "h": {clash.hex("N4")}}
    assert seen.turns_to_win(clash.hex("B4"), goals[UnitId("g")]) > seen.turns_to(clash.hex("B4"), seen.wanted())


ROAD: dict[str, Any] = {
    "places": [{"id": "road", "title": "the road", "zone": [{"hexes": ["A1", "B1", "C1"]}]}],
    "victory": [{"side": "german", "goals": [{"kind": "firepower", "places": ["road"], "at_least": 8}]}],
}


def covers(turn: int, *german: dict[str, Any]) -> float:
    """What a position is worth to a side that must have a road under fire."""
    russian = side(squad("r", "russian/4-4-7", at="N4", broken=True))
    clash = Clash("RPh", FIELD, attacker="german", turn=turn, turns=6, german=side(*german), russian=russian, **ROAD)
    return worth(sketch(clash, "german"))


@rules("1.3", system="aslsk3")
def test_1_3_fire_on_ground_that_counts_gains_most_at_the_end_and_less_for_who_is_broken() -> None:
    gains = [covers(turn, squad("g", at="C4")) - covers(turn, squad("g", at="O4")) for turn in (1, 6)]
    assert 0 < gains[0] < gains[1]
    shaken = covers(6, squad("g", at="C4", broken=True)) - covers(6, squad("g", at="O4", broken=True))
    assert shaken < gains[1] / 2, "but for the way to the enemy"


@rules("1.3", system="aslsk3")
def test_1_3_who_must_keep_fire_off_hunts_those_who_have_it() -> None:
    clash = Clash("MPh", FIELD, attacker="russian", turns=6, german=side(squad("g", at="C4")), **ROAD)
    assert sketch(clash, "russian").wanted() == {clash.hex("C4")}
    assert clash.hex("A1") in sketch(clash, "german").wanted()
