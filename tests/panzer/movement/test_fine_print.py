"""6.6 read a second time: half sentences about overruns, transport, close combat and cover."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.core.decision import Node
from sandtable.core.dice import SeededDice
from sandtable.systems.panzer.combat.fire_events import AmmoRolled, BlastResolved
from sandtable.systems.panzer.events import AssaultRolled, BoutRolled, MoveEnded, PositionAbandoned
from sandtable.systems.panzer.features import FeatureKind
from sandtable.systems.panzer.formations import Formation, FormationId
from sandtable.systems.panzer.frames import CloseCombat, Movement
from sandtable.systems.panzer.hex.actions import (
    AttackClose,
    BailOut,
    Continue,
    DismountAttack,
    Engage,
    Landing,
    Load,
    Move,
    NamePrimary,
    Overrun,
    SearchHullDown,
)
from sandtable.systems.panzer.hex.events import PositionSearched
from sandtable.systems.panzer.hex.features import Feature
from sandtable.systems.panzer.hex.state import Leg, LegKind, Moving
from sandtable.systems.panzer.markers import Floor, HullDown, Suppression, UnitMarkers
from sandtable.systems.panzer.unit import FireKind, Grade, UnitId, WeaponShot
from tests.panzer.advanced_fire import Field
from tests.panzer.movement.test_advanced_moves import NA, advanced, at
from tests.panzer.movers import legs
from tests.rulebook.engine import BLUE, PASS, RED, Play, move

rules = pytest.mark.rules
R1, R2, R3, B1, B2 = map(UnitId, ("r1", "r2", "r3", "b1", "b2"))


def formed(game: Play, grade: Grade = Grade.SEASONED) -> Play:
    """The same with all of red in one formation of a grade."""
    one = Formation(FormationId("f"), RED, "F", grade, tuple(game.state.units))
    changed = replace(game.context.scenario, formations={one.id: one})
    game.rules = type(game.rules)(game.rules.card, replace(game.context, scenario=changed))
    return game


def overrunning(**markers: Any) -> Play:
    """A Sherman two hexes from a gun that nobody else is near; r2 stands beside it."""
    game = advanced(
        "r1 tank C5 N MOVE\nr2 tank D5 N MOVE\nb1 tank C3 N N/C known",
        {"r1": "sherman", "r2": "sherman", "b1": "gun"},
        "blue",
        {"r1": ["b1"], "r2": ["b1"]},
        **markers,
    )
    return at(game, Movement(RED, first=False))


def node(game: Play, unit: str) -> Node[Any]:
    """The moves of a unit."""
    decision = game.rules.decision(game.state)
    assert decision is not None
    return decision.options(RED).at(unit)


def overruns_of(game: Play, unit: str) -> list[str]:
    """The Overruns that a unit is offered."""
    return [branch.key for branch in node(game, unit).branches() if branch.kind == "attack"]


def with_limit(game: Play, limit: int) -> Play:
    """The same with ammunition of the Sherman limited."""
    card = game.context.cards[game.unit("r1").card]
    weapons = tuple(replace(weapon, limits=replace(weapon.limits, basic=limit)) for weapon in card.weapons)
    changed = replace(game.context, cards={**game.context.cards, card.id: replace(card, weapons=weapons)})
    game.rules = type(game.rules)(game.rules.card, changed)
    return game


@rules("6.6.10.1", "5.16.2.1", system=NA)
@pytest.mark.parametrize(("roll", "modifier"), [(3, 0), (4, -10)])
def test_6_6_10_1_an_overrun_is_subject_to_ammo_limits(roll: int, modifier: int) -> None:
    plain = overrunning()
    plain.do(RED, Overrun(R1, B1, legs("F F")), 50)
    (without,) = plain.told(BlastResolved)
    game = with_limit(overrunning(), 3)
    game.do(RED, Overrun(R1, B1, legs("F F")), roll, 50)
    (blast,) = game.told(BlastResolved)
    assert blast.modifier.total - without.modifier.total == modifier
    assert len(game.told(AmmoRolled)) == bool(modifier)


@rules("6.6.10.1", system=NA)
def test_6_6_10_1_men_aboard_fire_and_a_gun_in_tow_does_not() -> None:
    def factor(name: str, **more: Any) -> int:
        game = advanced(
            "r1 tank C5 N MOVE\nr2 tank C5 N N/C\nb1 tank C3 N N/C known",
            {"r1": "sherman", "r2": name, "b1": "gun"},
            "blue",
            {"r1": ["b1"]},
            r1=UnitMarkers(passengers=(R2,)),
            r2=UnitMarkers(carrier=R1, **more),
        )
        at(game, Movement(RED, first=False))
        game.do(RED, Overrun(R1, B1, legs("F F")), 1)
        return int(game.told(BlastResolved)[0].factor)

    assert factor("gun") == 5


@rules("6.6.10", system=NA)
def test_6_6_10_all_overruns_of_a_target_are_announced_together_and_offered_so() -> None:
    game = overrunning()
    assert overruns_of(game, "r1") == ["overrun b1", "overrun b1, then by r2"]
    both = node(game, "r1").branch("overrun b1, then by r2")
    assert both is not None
    (action,) = list(both.then)
    assert isinstance(action, Overrun)
    assert action.others == (R2,)
    assert game.why(RED, replace(action, others=(R2, R2))) == "6.6.10"
    game.do(RED, action, 1)
    game.do(RED, Continue(legs("F")))
    assert (game.at("r1"), game.unit("b1").in_play) == ("C2", True)
    assert overruns_of(game, "r2") == ["overrun b1"]


@rules("6.6.10", "6.2.1.1.4", "6.6.11", system=NA)
def test_6_6_11_an_overrun_does_not_leave_those_behind_who_share_the_command() -> None:
    markers = {"r2": UnitMarkers(shares=R1)}
    game = formed(overrunning(**markers))
    assert game.why(RED, Overrun(R1, B1, legs("F F"))) == ""
    ended = replace(game.unit("r2"), moved=True, hex=game.hex("G5"))
    game.state = replace(game.state, units={**game.state.units, R2: ended})
    assert game.why(RED, Overrun(R1, B1, legs("F F"))) == "6.2.1.1.4"
    assert overruns_of(game, "r1") == []


@rules("6.6.7.1.1", system=NA)
def test_6_6_7_1_1_who_has_mounted_this_turn_does_not_get_off_again() -> None:
    game = advanced(
        "r1 truck C4 N MOVE\nr2 tank C3 N MOVE\nr3 tank C4 N N/C\nb1 truck G5 N N/C",
        {"r1": "lorry", "r2": "squad", "r3": "squad", "b1": "lorry"},
        "blue",
        {},
        r1=UnitMarkers(passengers=(R3,)),
        r3=UnitMarkers(carrier=R1),
    )
    at(game, Movement(RED, first=False))
    game.do(RED, move("r1", ""))
    game.do(RED, Load(R1, (R2,)))
    here = game.hex("C4")
    assert game.why(RED, Load(R1, (), (Landing(R2, here, 0),))) == "6.6.7.1.1"
    assert game.why(RED, Load(R1, (), (Landing(R3, here, 0),))) == ""
    game.do(RED, Load(R1, (), (Landing(R3, here, 0),)))
    top = game.top
    assert isinstance(top, Moving)
    assert top.progress.spent == top.progress.cross_country // 2, "paid once in a hex"
    game.do(RED, BailOut({R2: 0}))
    assert game.unit("r2").markers.is_suppressed


@rules("6.6.7.1.2", system=NA)
def test_6_6_7_1_2_men_may_bail_out_of_a_vehicle_that_has_spent_all() -> None:
    game = advanced(
        "r1 truck C5 N MOVE\nr2 tank C5 N N/C\nb1 truck G5 N N/C",
        {"r1": "lorry", "r2": "squad", "b1": "lorry"},
        "blue",
        {},
        r1=UnitMarkers(passengers=(R2,)),
        r2=UnitMarkers(carrier=R1),
    )
    at(game, Movement(RED, first=False))
    game.do(RED, move("r1", "F F F F"))
    assert game.asked == (RED,)
    assert game.why(RED, Load(R1, (), (Landing(R2, game.hex("C1"), 0),))) == "6.6.7.1.1"
    game.do(RED, BailOut({R2: 0}))
    assert (game.at("r2"), game.unit("r2").markers.suppression) == ("C1", Suppression.ON)


@rules("6.6.9", "6.6.7.1.2", system=NA)
def test_6_6_9_passengers_of_a_vehicle_that_searches_may_only_bail_out() -> None:
    game = advanced(
        "r1 tank C4 N MOVE\nr2 tank C4 N N/C\nb1 truck G5 N N/C",
        {"r1": "lorry", "r2": "squad", "b1": "lorry"},
        "blue",
        {},
        field="\n".join([". . r . . . ."] * 5),
        rest={"legend": {"r": "rough"}},
        r1=UnitMarkers(passengers=(R2,)),
        r2=UnitMarkers(carrier=R1),
    )
    at(game, Movement(RED, first=False))
    game.do(RED, SearchHullDown(R1, HullDown.FULL, 0), 99)
    assert game.why(RED, Load(R1, (), (Landing(R2, game.hex("C4"), 0),))) == "6.6.7.1.1"
    assert game.why(RED, Continue(legs("1"))) != ""
    game.do(RED, BailOut({R2: 0}))
    assert (game.unit("r1").moved, game.unit("r2").markers.is_suppressed) == (True, True)


@rules("6.6.4.1", "6.6.7.1.1", "6.1.4.3.6", system=NA)
def test_6_6_7_1_1_who_mounts_leaves_his_entrenchment_and_nobody_mounts_from_upstairs() -> None:
    game = advanced(
        "r1 truck C4 N N/C\nr2 tank C4 N MOVE\nr3 tank C4 N MOVE\nb1 truck G5 N N/C",
        {"r1": "lorry", "r2": "squad", "r3": "squad", "b1": "lorry"},
        "blue",
        {},
        r3=UnitMarkers(floor=Floor.UP),
    )
    trench = Feature(FeatureKind.HASTY_ENTRENCHMENT, game.hex("C4"), unit=R2)
    game.state = replace(game.state, features=(trench,))
    at(game, Movement(RED, first=False))
    assert game.why(RED, Load(R1, (R3,))) == "6.6.4.1"
    game.do(RED, Load(R1, (R2,)))
    assert [one.unit for one in game.state.features] == [""]


@rules("6.1.4.2", "6.6.1.2", system=NA)
@pytest.mark.parametrize(("start", "stays"), [("C2", False), ("C3", True)])
def test_6_1_4_2_an_advancing_attack_leaves_full_cover(start: str, stays: bool) -> None:
    game = advanced(
        f"r1 tank {start} N MOVE\nb1 tank C4 N N/C known",
        {"r1": "squad", "b1": "gun"},
        "red",
        {"r1": ["b1"]},
        r1=UnitMarkers(full_cover=True),
    )
    trench = Feature(FeatureKind.HASTY_ENTRENCHMENT, game.hex(start), unit=R1)
    game.state = replace(game.state, features=(trench,))
    at(game, CloseCombat(RED, first=True))
    game.do(RED, AttackClose(B1, {R1: game.hex("C3")}), 100, 1)
    assert game.unit("r1").markers.full_cover is stays
    assert [one.unit for one in game.state.features] == ["r1" if stays else ""]


@rules("6.6.1.2.3", system=NA)
def test_6_6_1_2_3_only_a_squad_takes_the_lead_from_one_that_was_reduced() -> None:
    game = advanced(
        "r1 tank C2 N MOVE\nr2 tank C2 N MOVE\nr3 tank C2 N MOVE\nb1 tank C3 N OW",
        {"r1": "squad", "r2": "half", "r3": "squad", "b1": "squad"},
        "red",
        {"r1": ["b1"], "r2": ["b1"], "r3": ["b1"]},
    )
    at(game, CloseCombat(RED, first=True))
    here = game.hex("C2")
    game.do(RED, AttackClose(B1, {R1: here, R2: here, R3: here}))
    game.do(RED, NamePrimary(R1), 1, 100)
    assert game.why(RED, NamePrimary(R2)) == "6.6.1.2.3"
    game.do(RED, NamePrimary(R3), 1, 100, 100, 1, 100, 1)
    assert (game.unit("r3").markers.reduced, game.unit("b1").in_play) == (True, False)


@rules("6.8.3.1.2", "6.6.1.2", system=NA)
def test_6_8_3_1_2_hand_to_hand_is_no_fire_and_a_close_assault_is() -> None:
    for card, under_fire in (("squad", False), ("sherman", True)):
        game = advanced("r1 tank C2 N MOVE\nb1 tank C3 N N/C known", {"r1": "half", "b1": card}, "red", {"r1": ["b1"]})
        units = {**game.state.units, B1: replace(game.unit("b1"), known=True)}
        game.state = replace(game.state, units=units)
        at(game, CloseCombat(RED, first=True))
        game.do(RED, AttackClose(B1, {R1: game.hex("C2")}), *((1, 100) if card == "squad" else (1,)))
        assert (len(game.told(AssaultRolled)), len(game.told(BoutRolled))) == ((1, 0) if under_fire else (0, 1))
        assert game.unit("b1").markers.under_fire is (under_fire and game.state.turn == 1)


@rules("6.6.11", "6.6.1.2", system=NA)
def test_6_6_11_a_dismount_attack_binds_those_who_share_the_vehicles_command() -> None:
    game = advanced(
        "r1 truck C4 N MOVE\nr2 tank C4 N N/C\nr3 tank D4 N MOVE\nb1 tank C3 N N/C known\nb2 tank D3 N N/C known",
        {"r1": "lorry", "r2": "squad", "r3": "sherman", "b1": "gun", "b2": "gun"},
        "blue",
        {"r2": ["b1", "b2"], "r3": ["b1", "b2"]},
        r1=UnitMarkers(passengers=(R2,)),
        r2=UnitMarkers(carrier=R1),
        r3=UnitMarkers(shares=R1),
    )
    at(formed(game), Movement(RED, first=False))
    game.do(RED, move("r1", ""))
    game.do(RED, DismountAttack(R1, Landing(R2, game.hex("C4"), 0), B1), 1, 100, 1, 100)
    assert game.state.bound_to == {R1: B1}
    if isinstance(game.top, Moving):
        game.do(RED, Continue(()))
    assert game.why(RED, Overrun(R3, B2, legs("F"))) == "6.6.11"


@rules("6.6.3", system=NA)
def test_6_6_3_hull_damage_on_the_way_out_leaves_the_rest_of_the_move_to_its_owner() -> None:
    game = advanced(
        "r1 tank C3 N MOVE\nb1 truck G5 N N/C",
        {"r1": "sherman", "b1": "lorry"},
        "blue",
        {},
        field="\n".join([". . b . . . ."] * 5),
        r1=UnitMarkers(floor=Floor.INSIDE),
    )
    at(game, Movement(RED, first=False))
    way = (Leg(0, LegKind.OUT), Leg(0, LegKind.FORWARD))
    game.do(RED, Move(R1, way), 1, 100, 10)
    top = game.top
    assert isinstance(top, Moving)
    assert (game.unit("r1").markers.hull_damaged, game.unit("r1").markers.floor, top.plan) == (True, Floor.GROUND, ())
    game.do(RED, Continue(()))
    assert game.at("r1") == "C3"


@rules("6.6.10", system=NA)
def test_6_6_10_neither_who_got_off_this_turn_nor_a_target_announced_before_is_overrun() -> None:
    game = overrunning()
    got_off = replace(game.unit("b1"), moved=True)
    here = game.state
    game.state = replace(here, units={**here.units, B1: got_off})
    assert game.why(RED, Overrun(R1, B1, legs("F F"))) == "6.6.10"
    game.state = here
    game.do(RED, Overrun(R1, B1, legs("F F")), 1)
    game.do(RED, Continue(legs("F")))
    assert overruns_of(game, "r2") == []
    assert game.why(RED, Overrun(R2, B1, legs("F -1F"))) == "6.6.10"


@rules("6.6.10.1", "6.6.10.2", "6.6.2", system=NA)
def test_6_6_10_1_a_vehicle_without_allowance_is_put_back_and_the_target_stays_suppressed() -> None:
    game = overrunning(r1=UnitMarkers(suppression=Suppression.OFF), b1=UnitMarkers(suppression=Suppression.OFF))
    allowance = game.context.cards[game.unit("r1").card].movement.cross_country // 2
    assert allowance == 2
    game.do(RED, Overrun(R1, B1, legs("F F")), 1)
    assert game.unit("b1").markers.suppression is Suppression.ON
    assert (game.at("r1"), game.unit("r1").moved) == ("C4", True)


@rules("6.6.9", system=NA)
@pytest.mark.parametrize(("reverse", "open_way"), [(False, 4), (True, 1)])
def test_6_6_9_a_position_is_open_where_the_vehicle_came_in(reverse: bool, open_way: int) -> None:
    game = advanced(
        "r1 tank C4 N MOVE\nb1 truck G5 N N/C",
        {"r1": "sherman", "b1": "lorry"},
        "blue",
        {},
        field="\n".join([". . r . . . ."] * 5),
        rest={"legend": {"r": "rough"}},
    )
    at(game, Movement(RED, first=False))
    game.do(RED, SearchHullDown(R1, HullDown.FULL, 1, reverse=reverse), 1)
    assert (game.unit("r1").markers.hull_down, game.unit("r1").markers.open_way) == (HullDown.FULL, open_way)


def _on_the_way(markers: UnitMarkers) -> Play:
    """A Sherman that has been harmed after the first of four hexes."""
    game = advanced("r1 tank C5 N MOVE\nb1 tank G5 N OW", {"r1": "sherman", "b1": "sherman"}, "blue", {"b1": ["r1"]})
    at(game, Movement(RED, first=False))
    game.do(RED, move("r1", "F F F F"))
    assert (game.at("r1"), game.asked) == ("C4", (BLUE,))
    game.state = replace(game.state, units={**game.state.units, R1: replace(game.unit("r1"), markers=markers)})
    game.do(BLUE, PASS)
    return game


@rules("6.6.2", system=NA)
def test_6_6_2_one_harm_halves_what_is_left_once() -> None:
    game = _on_the_way(UnitMarkers(suppression=Suppression.ON))
    assert game.asked == (RED,)
    game.do(RED, Continue(legs("1")))
    assert game.asked == (BLUE,)
    game.do(BLUE, PASS)
    top = game.top
    assert not isinstance(top, Moving) or top.progress.cross_country - top.progress.spent == 1


@rules("6.5.2.2.1", system=NA)
def test_6_5_2_2_1_a_track_hit_on_the_way_ends_the_move() -> None:
    game = _on_the_way(UnitMarkers(track=True))
    assert (game.at("r1"), [one.unit for one in game.told(MoveEnded)]) == ("C4", ["r1"])


@rules("6.6.9", system=NA)
def test_6_6_9_a_partial_position_is_found_20_more_often() -> None:
    def searched(position: HullDown, roll: int) -> PositionSearched:
        game = advanced(
            "r1 tank C4 N MOVE\nb1 truck G5 N N/C",
            {"r1": "sherman", "b1": "lorry"},
            "blue",
            {},
            field="\n".join([". . r . . . ."] * 5),
            rest={"legend": {"r": "rough"}},
        )
        at(game, Movement(RED, first=False))
        game.do(RED, SearchHullDown(R1, position, 1), roll)
        (told,) = game.told(PositionSearched)
        found = position if roll <= told.number.total else HullDown.NONE
        assert game.unit("r1").markers.hull_down is found
        return told

    full, partial = (searched(position, 1).number.total for position in (HullDown.FULL, HullDown.PARTIAL))
    assert partial == full + 20
    searched(HullDown.FULL, full + 1)
    searched(HullDown.PARTIAL, full + 1)
    searched(HullDown.PARTIAL, partial + 1)


@rules("6.6.2", "6.5.2.2.4", system=NA)
@pytest.mark.parametrize(
    ("markers", "left"),
    [
        (UnitMarkers(), 3),
        (UnitMarkers(suppression=Suppression.ON), 1),
        (UnitMarkers(hull_damaged=True), 1),
        (UnitMarkers(suppression=Suppression.ON, hull_damaged=True), 0),
    ],
)
def test_6_6_2_what_is_left_is_halved_for_each_harm_on_the_way(markers: UnitMarkers, left: int) -> None:
    game = _on_the_way(markers)
    if markers == UnitMarkers():
        assert game.asked == (BLUE,), "it goes on"
        return
    frame = game.top if isinstance(game.top, Moving) else None
    assert (0 if frame is None else frame.progress.cross_country - frame.progress.spent) == left


@rules("6.6.1.1.2", system=NA)
def test_6_6_1_1_2_a_vehicle_with_riders_leaves_the_support_of_others_to_those_that_have_none() -> None:
    def modifiers(markers: dict[str, UnitMarkers]) -> str:
        game = advanced(
            "r1 tank C2 N MOVE\nb1 tank C3 N N/C known\nb2 tank C3 N N/C known\nb3 tank C3 N N/C known"
            "\nb4 tank C3 N N/C known",
            {"r1": "squad", "b1": "lorry", "b2": "sherman", "b3": "half", "b4": "half"},
            "red",
            {"r1": ["b2"]},
            field="\n".join([". . g . . . ."] * 5),
            rest={"legend": {"g": "medium_grove"}},
            **markers,
        )
        at(game, CloseCombat(RED, first=True))
        game.do(RED, AttackClose(B2, {R1: game.hex("C2")}), 1)
        return str(game.told(AssaultRolled)[0].modifier)

    riding = {"b1": UnitMarkers(passengers=(UnitId("b4"),)), "b4": UnitMarkers(carrier=B1)}
    assert "upport" not in modifiers(riding)


@rules("6.2.1.1.4", "6.5.2.2.1", system=NA)
def test_6_2_1_1_4_who_shares_a_command_does_not_wait_for_one_with_a_track_hit() -> None:
    game = formed(overrunning(r2=UnitMarkers(shares=R1, track=True)))
    ended = replace(game.unit("r2"), moved=True, hex=game.hex("G5"))
    game.state = replace(game.state, units={**game.state.units, R2: ended})
    assert game.why(RED, Overrun(R1, B1, legs("F F"))) == ""


@rules("6.6.9", system=NA)
@pytest.mark.parametrize(("command", "left"), [("SHORT HALT", True), ("FIRE", False)])
def test_6_6_9_a_short_halt_gives_a_position_up_as_soon_as_it_is_shown(command: str, left: bool) -> None:
    tank = {"id": "r1", "card": "pz-iiij-lang", "at": "C10", "facing": "N", "command": command}
    enemy = {"id": "b1", "card": "crusader-i", "at": "C4", "facing": "S", "command": "N/C", "known": True}
    field = Field([tank], [enemy], spotted={"r1": ["b1"]})
    found = replace(field.unit("r1"), markers=UnitMarkers(hull_down=HullDown.FULL, open_way=3))
    field.state = replace(field.state, units={**field.state.units, R1: found})
    events = field.run(Engage(B1, (WeaponShot(R1, 0, 0, FireKind.AP),)), SeededDice(1))
    abandoned = [event for event in events if isinstance(event, PositionAbandoned)]
    assert bool(abandoned) is left
