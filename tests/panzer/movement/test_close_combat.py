"""5.4, 6.6.1 and 6.6.11 read a second time: half sentences about close combat, and who shares a command in it."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.systems.panzer import events as shared
from sandtable.systems.panzer.cards import CardId
from sandtable.systems.panzer.combat.fire_events import BailOutRolled
from sandtable.systems.panzer.events import AssaultRolled, BoutRolled
from sandtable.systems.panzer.features import FeatureKind
from sandtable.systems.panzer.frames import CloseCombat, Movement
from sandtable.systems.panzer.hex import events as ev
from sandtable.systems.panzer.hex.actions import Continue, Load, MoveIn, NamePrimary
from sandtable.systems.panzer.hex.state import MovingIn
from sandtable.systems.panzer.markers import Suppression, UnitMarkers
from sandtable.systems.panzer.terrain import Traction
from sandtable.systems.panzer.unit import Grade, UnitId
from tests.panzer.movement.test_advanced_ground import lay
from tests.panzer.movement.test_advanced_moves import NA, advanced, at, attack
from tests.panzer.movement.test_fine_print import formed
from tests.panzer.movers import legs
from tests.rulebook.engine import BLUE, NO_EFFECT, PASS, RED, REVEALED, Play, move

rules = pytest.mark.rules
R1, R2, R3, B1, B2 = map(UnitId, ("r1", "r2", "r3", "b1", "b2"))
GUN = {"r1": "squad", "r2": "squad", "b1": "gun"}
SHARED = {"r2": UnitMarkers(shares=R1)}


def fighting(units: str, cards: dict[str, str], spotted: dict[str, list[str]], **given: Any) -> Play:
    """Red's part of the step."""
    return at(advanced(units, cards, "red", spotted, **given), CloseCombat(RED, first=True))


def sharing(units: str, cards: dict[str, str], grade: Grade = Grade.REGULARS, **given: Any) -> Play:
    """The same for r1 and r2, who share a command and see b1; Command Range is 0 hexes unless it is said."""
    game = formed(advanced(units, cards, "red", {"r1": ["b1"], "r2": ["b1"]}, **{**SHARED, **given}), grade)
    return at(game, CloseCombat(RED, first=True))


def offered(game: Play) -> set[tuple[str, str]]:
    """Who may attack from where, by the options."""
    decision = game.rules.decision(game.state)
    assert decision is not None
    return {
        (slot.key, value)
        for branch in decision.options(RED).root.branches()
        if branch.kind == "target"
        for slot in branch.then.slots  # type: ignore[attr-defined]
        for value in slot.values
    }


def changed(game: Play, unit: UnitId, **fields: Any) -> Play:
    game.state = replace(game.state, units={**game.state.units, unit: replace(game.state.units[unit], **fields)})
    return game


# --- whether the target moves is asked in each attack -----------------------------------------------------


@rules("6.6.1.1", "6.6.1.1.2", system=NA)
@pytest.mark.parametrize(
    ("answers", "modifiers"),
    [((NO_EFFECT, NO_EFFECT), [0, 0]), ((NO_EFFECT, REVEALED), [0, -10]), ((REVEALED,), [-10, -10])],
)
def test_6_6_1_1_2_the_owner_may_show_the_command_in_each_attack(
    answers: tuple[Any, ...], modifiers: list[int]
) -> None:
    game = fighting(
        "r1 tank C2 N MOVE\nr2 tank D3 N MOVE\nb1 tank C3 N MOVE",
        {"r1": "squad", "r2": "squad", "b1": "sherman"},
        {"r1": ["b1"], "r2": ["b1"]},
    )
    game.do(RED, attack(game, "b1", r1="C2", r2="D3"))
    game.do(RED, NamePrimary(R1))
    for answer in answers[:-1]:
        game.do(BLUE, answer, 1)
    game.do(BLUE, answers[-1], *([1] if len(answers) > 1 else [1, 1]))
    assert [one.modifier.total for one in game.told(AssaultRolled)] == modifiers


# --- Advancing Attacks ------------------------------------------------------------------------------------


@rules("6.6.1.2.2", "6.6.1.1.2", system=NA)
@pytest.mark.parametrize(("stopped", "modifier"), [(True, 0), (False, -10 + 20)])
def test_6_6_1_2_2_who_was_stopped_on_his_way_up_makes_no_advancing_attack(stopped: bool, modifier: int) -> None:
    game = fighting(
        "r1 tank C2 N MOVE\nr2 tank C1 N MOVE\nb1 tank C3 N N/C",
        {"r1": "squad", "r2": "squad", "b1": "gun"},
        {"r1": ["b1"], "r2": ["b1"]},
    )
    game.do(RED, attack(game, "b1", r1="C2", r2="C2"))
    game.do(RED, NamePrimary(R1))
    assert (game.at("r2"), game.asked) == ("C2", (BLUE,))
    if stopped:
        changed(game, R2, markers=UnitMarkers(suppression=Suppression.ON))
    game.do(BLUE, PASS, 50, 1)
    assert [one.attack.total for one in game.told(BoutRolled)] == [modifier]


@rules("6.6.4.4", "6.6.1.1", system=NA)
@pytest.mark.parametrize(("motorcycle", "facing"), [(True, 2), (False, 1)])
def test_6_6_4_4_motorcycles_turn_to_where_they_move_up_as_vehicles_do(motorcycle: bool, facing: int) -> None:
    game = advanced("r1 tank C2 NE MOVE\nb1 tank D4 N N/C known", {"r1": "squad", "b1": "gun"}, "red", {"r1": ["b1"]})
    card = game.context.cards[CardId("squad")]
    assert card.advanced is not None
    riders = replace(
        card,
        movement=replace(card.movement, mode=Traction.WHEELED if motorcycle else Traction.LEG, cross_country=4),
        advanced=replace(card.advanced, motorcycle=motorcycle),
    )
    game.rules = type(game.rules)(game.rules.card, replace(game.context, cards={**game.context.cards, card.id: riders}))
    at(game, CloseCombat(RED, first=True))
    game.do(RED, attack(game, "b1", r1="D3"), 1, 100, 1, 100)
    assert len(game.told(ev.UnitTurned)) == motorcycle
    assert game.unit("r1").facing == facing


@rules("6.6.1.1", "6.6.1.2", system=NA)
@pytest.mark.parametrize("why", ["suppressed", "barred"])
def test_6_6_1_2_who_can_no_longer_attack_when_his_turn_comes_may_still_move(why: str) -> None:
    game = fighting(
        "r1 tank C2 N MOVE\nr2 tank E3 N MOVE\nb1 tank C4 N N/C\nb2 tank G1 N OW",
        {"r1": "squad", "r2": "squad", "b1": "sherman", "b2": "sherman"},
        {"r1": ["b1"], "r2": ["b1"]},
    )
    game.do(RED, attack(game, "b1", r1="C3", r2="D4"))
    game.do(RED, NamePrimary(R1))
    assert game.asked == (BLUE,)
    if why == "suppressed":
        changed(game, R2, markers=UnitMarkers(suppression=Suppression.ON))
    else:
        lay(game, FeatureKind.ON_FIRE, "D4")
    game.do(BLUE, PASS)
    game.do(BLUE, NO_EFFECT, 1)
    assert [one.attackers for one in game.told(AssaultRolled)] == [(R1,)]
    assert (game.at("r2"), game.unit("r2").moved, game.unit("r2").known) == ("E3", False, False)


@rules("6.1.4.3.6", "6.6.1.2", system=NA)
def test_6_1_4_3_6_who_moves_up_into_an_abandoned_entrenchment_is_in_it() -> None:
    game = fighting("r1 tank C2 N MOVE\nb1 tank C4 N N/C known", {"r1": "squad", "b1": "gun"}, {"r1": ["b1"]})
    lay(game, FeatureKind.HASTY_ENTRENCHMENT, "C3")
    game.do(RED, attack(game, "b1", r1="C3"), 1, 100, 1, 100)
    assert not game.unit("r1").in_play
    again = fighting("r1 tank C2 N MOVE\nb1 tank C4 N N/C known", {"r1": "squad", "b1": "sherman"}, {"r1": ["b1"]})
    lay(again, FeatureKind.HASTY_ENTRENCHMENT, "C3")
    again.do(RED, attack(again, "b1", r1="C3"), 1)
    assert again.state.features[0].unit == "r1"


@rules("6.6.1.1", "6.6.1.2", system=NA)
def test_6_6_1_1_an_advancing_attack_spends_one_and_no_more() -> None:
    def why(terrain: str) -> str:
        rows = [". . . . . . ."] * 2 + [f". . {terrain} . . . ."] + [". . . . . . ."] * 2
        units = "r1 tank C2 N MOVE\nr2 tank D4 N MOVE\nb1 tank C4 N N/C known"
        game = fighting(units, GUN, {"r1": ["b1"], "r2": ["b1"]}, field="\n".join(rows))
        return game.why(RED, attack(game, "b1", r1="C3"))

    assert why(".") == ""
    assert why("r") == "6.6.1.1"


@rules("6.6.1.1", "6.6.1.2", system=NA)
def test_6_6_1_1_all_attacks_on_a_target_are_announced_at_once_and_nobody_turns_to_another() -> None:
    game = fighting(
        "r1 tank C2 N MOVE\nr2 tank D3 N MOVE\nr3 tank B3 N MOVE\nb1 tank C3 N N/C known\nb2 tank D4 N N/C known",
        {"r1": "squad", "r2": "squad", "r3": "squad", "b1": "gun", "b2": "sherman"},
        {"r1": ["b1"], "r2": ["b1", "b2"], "r3": ["b1"]},
    )
    game.do(RED, attack(game, "b1", r1="C2", r2="D3"))
    game.do(RED, NamePrimary(R1), 100, 1)
    game.do(RED, MoveIn())
    assert (game.unit("b1").in_play, game.unit("r2").moved) == (False, False)
    if isinstance(game.top, CloseCombat):
        assert game.why(RED, attack(game, "b2", r2="D3")) == "6.6.1.1"
    frame = CloseCombat(RED, first=True, announced=(R2,))
    game.state = replace(game.state, stack=(frame,))
    assert game.why(RED, attack(game, "b2", r2="D3")) == "6.6.1.1"
    game.state = replace(game.state, stack=(replace(frame, announced=(), engaged=(B2,)),))
    assert game.why(RED, attack(game, "b2", r2="D3")) == "6.6.1.1"
    game.state = replace(game.state, stack=(replace(frame, announced=()),))
    assert game.why(RED, attack(game, "b2", r2="D3")) == ""


@rules("6.6.1.1.3", "6.6.1.2.3", system=NA)
@pytest.mark.parametrize("other", ["squad", "lorry", "gun"])
def test_6_6_1_2_3_nobody_moves_into_a_hex_that_others_still_hold(other: str) -> None:
    game = fighting(
        "r1 tank C2 N MOVE\nb1 tank C3 N N/C known\nb2 tank C3 N N/C known",
        {"r1": "squad", "b1": "gun", "b2": other},
        {"r1": ["b1"]},
    )
    changed(game, B2, markers=UnitMarkers(bailed=other == "lorry"))
    game.do(RED, attack(game, "b1", r1="C2"), 100, 1)
    assert not game.unit("b1").in_play
    assert not isinstance(game.top, MovingIn)


# --- modifiers as they are measured -----------------------------------------------------------------------


def on_a_hill(card: str, level: int) -> Play:
    rows = [". . . . . . ."] * 2 + [f". . .{level} . . . ."] + [". . . . . . ."] * 2
    return fighting(
        "r1 tank C2 N MOVE\nb1 tank C3 N N/C known", {"r1": "squad", "b1": card}, {"r1": ["b1"]}, field="\n".join(rows)
    )


@rules("6.6.1.1.2", "6.6.1.2.2", system=NA)
@pytest.mark.parametrize(("level", "modifier"), [(0, 0), (1, -10)])
def test_6_6_1_1_2_uphill_is_harder_in_both_kinds_of_attack(level: int, modifier: int) -> None:
    assault = on_a_hill("sherman", level)
    assault.do(RED, attack(assault, "b1", r1="C2"), 1)
    assert assault.told(AssaultRolled)[0].modifier.total == modifier
    fight = on_a_hill("gun", level)
    fight.do(RED, attack(fight, "b1", r1="C2"), 100, 1)
    assert fight.told(BoutRolled)[0].attack.total == modifier


def armed(game: Play, unit: UnitId) -> Play:
    """The same with a flamethrower attached to a unit."""
    roster = game.context.scenario.roster
    changed_ = {**roster, unit: replace(roster[unit], attached=("german-flamethrower",))}
    scenario = replace(game.context.scenario, roster=changed_)
    game.rules = type(game.rules)(game.rules.card, replace(game.context, scenario=scenario))
    return game


@rules("6.6.1.1.2", "6.6.1.1.3", system=NA)
def test_6_6_1_1_3_a_flamethrower_brews_up_without_a_roll() -> None:
    game = armed(assaulted("sherman"), R1)
    game.do(RED, attack(game, "b1", r1="C2"), 79)
    assert game.told(AssaultRolled)[0].modifier.total == 20
    assert [one.unit for one in game.told(ev.VehicleBrewedUp)] == ["b1"]


@rules("6.6.1.2.2", system=NA)
def test_6_6_1_2_2_flamethrowers_and_suppression_of_both_sides_of_a_fight() -> None:
    def totals(*flames: UnitId, **markers: Any) -> tuple[int, int]:
        units, cards = "r1 tank C2 N MOVE\nb1 tank C3 N N/C known", {"r1": "squad", "b1": "squad"}
        game = fighting(units, cards, {"r1": ["b1"]}, b1=UnitMarkers(**markers))
        for one in flames:
            armed(game, one)
        game.do(RED, attack(game, "b1", r1="C2"), 100, 1, 100, 1)
        bout = game.told(BoutRolled)[0]
        return bout.attack.total, bout.defense.total

    assert totals() == (0, 0)
    assert totals(R1) == (20, 0)
    assert totals(B1) == (0, 20)
    assert totals(suppression=Suppression.OFF) == (0, -20)


# --- Command Range ----------------------------------------------------------------------------------------


@rules("6.6.11", "6.2.1.1.4", "6.6.1.1", system=NA)
def test_6_6_11_an_advancing_attack_does_not_leave_behind_who_has_moved() -> None:
    game = sharing(
        "r1 tank C2 N MOVE\nr2 tank C2 N MOVE\nb1 tank C4 N N/C", {"r1": "squad", "r2": "squad", "b1": "gun"}
    )
    assert offered(game) == {("r1", "C3"), ("r2", "C3")}
    changed(game, R2, moved=True)
    assert offered(game) == set()
    assert game.why(RED, attack(game, "b1", r1="C3")) == "6.2.1.1.4"
    wide = formed(game, Grade.SEASONED)
    assert offered(wide) == {("r1", "C3")}


@rules("6.6.11", "6.2.1.1.4", system=NA)
def test_6_6_11_who_has_moved_up_keeps_one_who_shares_his_command_from_attacking_elsewhere() -> None:
    game = sharing(
        "r1 tank B3 N MOVE\nr2 tank C3 N MOVE\nb1 tank C4 N N/C known",
        {"r1": "squad", "r2": "squad", "b1": "sherman"},
    )
    game.do(RED, attack(game, "b1", r1="B4", r2="C3"))
    game.do(RED, NamePrimary(R1), 1)
    assert [one.attackers for one in game.told(AssaultRolled)] == [(R1,)]
    assert (game.unit("r1").moved, game.unit("r2").moved) == (True, False)
    assert not isinstance(game.top, CloseCombat) or R2 in game.top.announced


@rules("6.6.1.2.3", "6.6.11", "6.2.1.1.4", system=NA)
def test_6_6_11_those_who_share_a_command_move_in_together() -> None:
    game = sharing(
        "r1 tank C2 N MOVE\nr2 tank C2 N MOVE\nb1 tank C3 N N/C", {"r1": "squad", "r2": "squad", "b1": "gun"}
    )
    game.do(RED, attack(game, "b1", r1="C2", r2="C2"))
    game.do(RED, NamePrimary(R1), 100, 1)
    assert isinstance(game.top, MovingIn)
    assert game.why(RED, MoveIn((R1,))) == "6.2.1.1.4"
    assert game.why(RED, MoveIn(())) == ""
    game.do(RED, MoveIn((R1, R2)))
    assert (game.at("r1"), game.at("r2")) == ("C3", "C3")


@rules("6.6.1.2.3", "6.6.11", "6.2.1.1.4", system=NA)
@pytest.mark.parametrize("moved", [True, False])
def test_6_6_11_nobody_moves_in_away_from_one_who_has_moved(moved: bool) -> None:
    game = sharing(
        "r1 tank C2 N MOVE\nr2 tank C2 N MOVE\nb1 tank C3 N N/C", {"r1": "squad", "r2": "squad", "b1": "gun"}
    )
    changed(game, R2, moved=moved)
    game.do(RED, attack(game, "b1", r1="C2"), 100, 1)
    assert isinstance(game.top, MovingIn) is not moved


@rules("6.6.7.1.1", "6.2.1.1.4", system=NA)
def test_6_2_1_1_4_who_mounts_ends_his_move_with_those_who_share_his_command() -> None:
    game = advanced(
        "r1 tank C3 N MOVE\nr2 tank C2 N MOVE\nr3 truck C4 N N/C\nb1 truck G5 N N/C",
        {"r1": "squad", "r2": "squad", "r3": "lorry", "b1": "lorry"},
        "blue",
        {},
        **SHARED,
    )
    game = at(formed(game), Movement(RED, first=False))
    assert game.why(RED, Load(R3, (R1,))) == ""
    changed(game, R2, moved=True)
    assert game.why(RED, Load(R3, (R1,))) == "6.2.1.1.4"
    changed(game, R2, hex=game.hex("C3"))
    assert game.why(RED, Load(R3, (R1,))) == ""


@rules("6.6.7", "6.6.7.1.1", "6.2.1.1.4", system=NA)
def test_6_6_7_who_is_aboard_does_not_hold_the_vehicle_that_shares_his_command() -> None:
    game = advanced(
        "r1 tank C4 N MOVE\nr2 truck C4 N MOVE\nb1 truck G5 N N/C",
        {"r1": "squad", "r2": "lorry", "b1": "lorry"},
        "blue",
        {},
        **SHARED,
    )
    game = at(formed(game), Movement(RED, first=False))
    game.do(RED, move("r2", ""))
    game.do(RED, Load(R2, (R1,)))
    game.do(RED, Continue(legs("F F")))
    assert (game.at("r1"), game.at("r2")) == ("C2", "C2")


@rules("6.6.1.2.3", "6.6.11", "6.2.1.1.4", system=NA)
def test_6_6_11_who_was_out_of_range_before_keeps_nobody_from_moving_in() -> None:
    game = sharing("r1 tank C2 N MOVE\nr2 tank C2 N MOVE\nb1 tank C4 N N/C", GUN)
    game.do(RED, attack(game, "b1", r1="C3"))
    assert game.asked == (BLUE,)
    changed(game, R2, moved=True, hex=game.hex("G5"))
    game.do(BLUE, PASS, 100, 1)
    assert isinstance(game.top, MovingIn)
    game.do(RED, MoveIn((R1,)))
    assert game.at("r1") == "C4"


@rules("6.6.7.1.1", "6.2.1.1.4", system=NA)
@pytest.mark.parametrize(("truck", "why"), [("C4", ""), ("C5", "6.2.1.1.4"), ("D5", "6.2.1.1.4")])
def test_6_2_1_1_4_who_cannot_be_with_those_who_have_moved_mounts_as_near_as_he_can(truck: str, why: str) -> None:
    game = advanced(
        f"r1 tank C5 N MOVE\nr2 tank C1 N MOVE\nr3 truck {truck} N N/C\nb1 truck G1 N N/C",
        {"r1": "squad", "r2": "squad", "r3": "lorry", "b1": "lorry"},
        "blue",
        {},
        **SHARED,
    )
    card = game.context.cards[CardId("squad")]
    slow = replace(card, movement=replace(card.movement, cross_country=1))
    game.rules = type(game.rules)(game.rules.card, replace(game.context, cards={**game.context.cards, card.id: slow}))
    game = at(changed(formed(game), R2, moved=True), Movement(RED, first=False))
    assert game.why(RED, Load(R3, (R1,))) == why


@rules("6.6.7.1.1", "6.1.4.3.5", system=NA)
def test_6_6_7_1_1_nobody_mounts_from_beside_in_a_hex_that_he_may_not_enter() -> None:
    game = advanced(
        "r1 tank C3 N MOVE\nr3 truck C4 N N/C\nb1 truck G1 N N/C",
        {"r1": "squad", "r3": "lorry", "b1": "lorry"},
        "blue",
        {},
    )
    at(game, Movement(RED, first=False))
    assert game.why(RED, Load(R3, (R1,))) == ""
    lay(game, FeatureKind.WIRE, "C4")
    assert game.why(RED, Load(R3, (R1,))) == "6.6.7.1.1"


# --- losses -----------------------------------------------------------------------------------------------


def assaulted(card: str, *, riders: bool = False, **markers: Any) -> Play:
    units = "r1 tank C2 N MOVE\nb1 tank C3 N N/C known" + ("\nb2 tank C3 N N/C known" if riders else "")
    given = {"b1": UnitMarkers(passengers=(B2,) if riders else (), **markers)}
    if riders:
        given["b2"] = UnitMarkers(carrier=B1)
    return fighting(units, {"r1": "squad", "b1": card, "b2": "squad"}, {"r1": ["b1"]}, **given)


@rules("6.6.1.1.3", "6.5.4.5", "6.5.2.6.2", system=NA)
@pytest.mark.parametrize(("roll", "gets_away"), [(20, False), (21, True)])
def test_6_6_1_1_3_passengers_of_a_vehicle_that_is_lost_are_told_what_they_need_to_get_away(
    roll: int, gets_away: bool
) -> None:
    game = assaulted("lorry", riders=True)
    game.do(RED, attack(game, "b1", r1="C2"), 99, 5, roll)
    (told,) = game.told(BailOutRolled)
    assert (told.unit, told.number.total, told.leaves) == ("b2", 21, gets_away)
    assert [one.unit for one in game.told(ev.VehicleKnockedOut)] == ["b1"]
    assert game.unit("b2").in_play is gets_away
    assert game.unit("b2").markers.is_suppressed is gets_away


@rules("6.6.1.1.3", "6.5.4.4.2", system=NA)
@pytest.mark.parametrize(("roll", "event"), [(4, ev.VehicleBrewedUp), (5, ev.VehicleKnockedOut)])
def test_6_6_1_1_3_half_of_the_factor_of_a_squad_brews_a_vehicle_up(roll: int, event: Any) -> None:
    game = assaulted("sherman")
    game.do(RED, attack(game, "b1", r1="C2"), 99, roll)
    assert [one.unit for one in game.told(event)] == ["b1"]


@rules("6.6.1.1.3", "6.5.4.4.2", "6.5.2.2.4", system=NA)
def test_6_6_1_1_3_fives_and_tens_follow_those_of_gp_fire() -> None:
    unarmed = assaulted("lorry")
    unarmed.rules = type(unarmed.rules)(
        unarmed.rules.card,
        replace(
            unarmed.context,
            cards={
                **unarmed.context.cards,
                CardId("lorry"): replace(unarmed.context.cards[CardId("lorry")], armed=False),
            },
        ),
    )
    unarmed.do(RED, attack(unarmed, "b1", r1="C2"), 65)
    assert unarmed.unit("b1").markers.hull_damaged, "without a roll"
    again = assaulted("sherman", hull_damaged=True)
    again.do(RED, attack(again, "b1", r1="C2"), 95)
    assert [one.unit for one in again.told(ev.VehicleKnockedOut)] == ["b1"]
    tracked = assaulted("sherman", track=True)
    tracked.do(RED, attack(tracked, "b1", r1="C2"), 90)
    assert tracked.told(shared.VehiclePartHit) == []
    assert tracked.unit("b1").in_play
