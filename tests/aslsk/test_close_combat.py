"""3.8 Close Combat Phase: odds, DRM, ambush, sequence, Melee."""

from typing import Any

import pytest

from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import Advance, ArrangeLeaders, ChooseCombat, DeclareCloseCombat
from sandtable.systems.aslsk.phases.close_combat_odds import ambush_drm, attack_drm, odds_of
from sandtable.systems.aslsk.pieces.state import CcAttack, CloseCombat, CloseCombats, UnitId, Whereabouts
from tests.aslsk.desk import Desk, side, squad

rules = pytest.mark.rules
A, B, L, R, S = map(UnitId, ("a", "b", "l", "r", "s"))
HOUSE = """
. . .
. b .
. . .
"""


def melee(*units: dict[str, Any], foes: list[dict[str, Any]], **more: Any) -> Desk:
    """A Melee in B2, so that no ambush comes first."""
    held = [{**unit, "at": "B2", "melee": True} for unit in units]
    others = [{**unit, "at": "B2", "melee": True} for unit in foes]
    return Desk("CCPh", HOUSE, german=side(*held), russian=side(*others), **more)


def fight(by: tuple[UnitId, ...], against: tuple[UnitId, ...]) -> DeclareCloseCombat:
    return DeclareCloseCombat((CcAttack(by, against),))


@rules("3.8", system="aslsk3")
@pytest.mark.parametrize(
    ("attack", "defence", "odds", "kill"),
    [
        (1, 9, "under 1-8", 0),
        (1, 8, "1-8", 1),
        (1, 5, "1-6", 2),
        (2, 5, "1-4", 3),
        (4, 6, "1-2", 4),
        (5, 4, "1-1", 5),
        (6, 4, "3-2", 6),
        (8, 4, "2-1", 7),
        (10, 1, "10-1", 12),
        (11, 1, "over 10-1", 13),
    ],
)
def test_3_8_odds_are_rounded_down_to_the_table(attack: int, defence: int, odds: str, kill: int) -> None:
    desk = melee(squad("a"), foes=[squad("r", "russian/4-4-7")])
    found = odds_of(desk.context, desk.state.units, {A: attack, R: defence}, CcAttack((A,), (R,)))
    assert (found.name, found.kill.total) == (odds, kill)


@rules("3.8", system="aslsk3")
def test_3_8_a_pinned_unit_attacks_with_half_its_fp_and_defends_with_all() -> None:
    desk = melee(squad("a", pinned=True), foes=[squad("r", "russian/4-4-7")])
    units = desk.state.units
    assert odds_of(desk.context, units, {A: 4, R: 4}, CcAttack((A,), (R,))).name == "1-2"
    assert odds_of(desk.context, units, {A: 4, R: 4}, CcAttack((R,), (A,))).name == "1-1"


@rules("3.3.1", "3.8", system="aslsk3")
def test_3_8_drm() -> None:
    desk = melee(
        squad("a", cx=True),
        squad("l", "german/9-1"),
        foes=[squad("r", "russian/4-4-7", broken=True), squad("s", "russian/4-4-7")],
    )
    units = desk.state.units

    def drm(by: tuple[UnitId, ...], on: tuple[UnitId, ...], seat: str, ambusher: str = "") -> int:
        return attack_drm(desk.context, units, CcAttack(by, on), seat, ambusher).total

    assert drm((A,), (R,), "german") == 1 - 2
    assert drm((A, L), (R,), "german") == 1 - 2 - 1
    assert drm((L,), (R,), "german") == -2, "no leadership for a leader alone"
    assert drm((A,), (R, S), "german") == 1, "not all that are attacked are broken"
    assert drm((S,), (A,), "russian") == -1
    assert drm((S,), (A,), "russian", "russian") == -2
    assert drm((S,), (A,), "russian", "german") == 0


@rules("3.8", "5.4", system="aslsk3")
def test_3_8_ambush_drm() -> None:
    desk = melee(
        squad("a", cx=True),
        squad("b", pinned=True),
        squad("l", "german/9-2"),
        foes=[squad("r", "russian/4-2-6"), squad("s", "russian/8-1", broken=True)],
    )
    hex = desk.hex("B2")
    assert ambush_drm(desk.context, desk.state, hex, "german").total == 1 + 1 - 2
    assert ambush_drm(desk.context, desk.state, hex, "russian").total == 1


@rules("3.8", system="aslsk3")
def test_3_8_only_unbroken_units_attack_and_each_once() -> None:
    desk = melee(squad("a"), squad("b", broken=True), foes=[squad("r", "russian/4-4-7"), squad("s", "russian/4-4-7")])
    assert desk.why(fight((B,), (R,))) == "3.8"
    twice = DeclareCloseCombat((CcAttack((A,), (R,)), CcAttack((A,), (S,))))
    assert desk.why(twice) == "3.8"
    assert desk.why(DeclareCloseCombat((CcAttack((A,), ()),))) == "3.8"
    assert desk.why(DeclareCloseCombat()) == ""


@rules("3.8", system="aslsk3")
def test_3_8_simultaneous_even_the_eliminated_attack() -> None:
    desk = melee(squad("a"), foes=[squad("r", "russian/4-4-7")])
    desk.play(fight((A,), (R,)))
    desk.play(fight((R,), (A,)), (1, 2), (1, 2))
    assert desk.unit("a").place is Whereabouts.ELIMINATED
    assert desk.unit("r").place is Whereabouts.ELIMINATED


@rules("3.8", system="aslsk3")
def test_3_8_melee_ends_when_one_side_is_gone() -> None:
    desk = melee(squad("a"), foes=[squad("r", "russian/4-4-7")])
    desk.play(fight((A,), (R,)))
    desk.play(DeclareCloseCombat(), (1, 2))
    assert not desk.unit("a").melee


@rules("3.8", system="aslsk3")
def test_3_8_equal_to_the_kill_number_reduces_one_at_random() -> None:
    desk = melee(squad("a"), squad("b"), foes=[squad("r", "russian/4-4-7"), squad("s", "russian/4-4-7")])
    desk.play(fight((A, B), (R, S)))
    desk.play(DeclareCloseCombat(), (2, 3), 2)
    assert desk.unit("s").card == "russian/2-3-7"
    assert desk.unit("r").card == "russian/4-4-7"


@rules("3.8", system="aslsk3")
def test_3_8_the_ambushed_attack_only_with_what_is_left() -> None:
    desk = Desk(
        "APh",
        HOUSE,
        german=side(squad("a", at="A2"), squad("b", at="A2")),
        russian=side(squad("r", "russian/4-4-7", at="B2")),
    )

    desk.play(Advance((A, B), desk.hex("B2")), 1, 4)
    assert desk.saw(ev.AmbushRolled, ambusher="german")
    assert desk.asked == "german"
    desk.play(fight((A, B), (R,)), (2, 3))
    assert desk.unit("r").place is Whereabouts.ELIMINATED
    assert not isinstance(desk.state.stack[-1], CloseCombat) if desk.state.stack else True


@rules("3.8", system="aslsk3")
def test_3_8_no_ambush_in_the_open() -> None:
    desk = Desk(
        "APh",
        HOUSE,
        german=side(squad("a", at="A2")),
        russian=side(squad("r", "russian/4-4-7", at="A3")),
    )
    desk.play(Advance((A,), desk.hex("A3")))
    assert not desk.saw(ev.AmbushRolled)


@rules("1.2.1", "3.8", system="aslsk3")
def test_3_8_leaders_fight_with_a_unit_or_alone() -> None:
    desk = melee(squad("a"), squad("l", "german/8-1"), foes=[squad("r", "russian/4-4-7")])
    assert desk.why(ArrangeLeaders({A: L})) == "3.8"
    assert desk.why(ArrangeLeaders({L: R})) == "3.8"
    desk.play(ArrangeLeaders({}))
    desk.play(fight((L,), (R,)))
    frame = desk.state.stack[-1]
    assert isinstance(frame, CloseCombat)
    desk.play(fight((R,), (L,)), (6, 6), (3, 3))
    assert desk.unit("l").place is Whereabouts.ELIMINATED, "4 to 1: killed on less than 9"


@rules("3.8", system="aslsk3")
def test_3_8_the_attacker_orders_the_hexes() -> None:
    units = [squad("a", at="A1", melee=True), squad("b", at="C3", melee=True)]
    foes = [squad("r", "russian/4-4-7", at="A1", melee=True), squad("s", "russian/4-4-7", at="C3", melee=True)]
    desk = Desk("CCPh", HOUSE, german=side(*units), russian=side(*foes))
    assert isinstance(desk.state.stack[-1], CloseCombats)
    assert desk.why(ChooseCombat(desk.hex("B2"))) == "3.8"
    desk.play(ChooseCombat(desk.hex("C3")))
    desk.play(DeclareCloseCombat())
    desk.play(DeclareCloseCombat())
    frame = desk.state.stack[-1]
    assert isinstance(frame, CloseCombat)
    assert frame.hex == desk.hex("A1")


@rules("5.3", system="aslsk3")
def test_5_3_a_new_leader_counts_in_both_attacks_of_the_moment() -> None:
    desk = melee(squad("a", "german/4-4-7"), foes=[squad("r", "russian/4-4-7")])
    desk.play(fight((A,), (R,)))
    desk.play(fight((R,), (A,)), (1, 1), 3, (6, 5))
    created = desk.unit("german-L1")
    assert created.card == "german/8-0"
    resolved = [event for event in desk.events if isinstance(event, ev.CloseCombatResolved)]
    assert resolved[0].attack.by == (A, created.id)
    assert resolved[1].attack.against == (A, created.id)
    assert resolved[1].odds == "1-2"
    assert desk.unit("r").place is Whereabouts.ELIMINATED


@rules("3.8", system="aslsk3")
def test_3_8_the_odds_of_an_attack_are_known_before_it_is_declared() -> None:
    desk = melee(squad("a", "german/4-4-7"), foes=[squad("r", "russian/4-4-7")])
    action = fight((A,), (R,))
    # At 1-1 the kill number is 5: a DR of 2 to 4 eliminates, 5 reduces.
    told = {chance.what: chance.exact for chance in desk.rules.unit_odds(desk.state, action)["r"]}
    assert told == {"no effect": "13/18", "eliminated": "1/6", "reduced to 2-3-7": "1/9"}
    kill, drm = desk.rules.numbers_ahead(desk.state, action)
    assert (kill.total, drm.total) == (5, 0)
    # Who attacks first, or at the same time, does not count; nor does an attack that is not declared.
    assert desk.rules.unit_odds(desk.state, DeclareCloseCombat()) == {}
    assert desk.rules.numbers_ahead(desk.state, DeclareCloseCombat()) == []


@rules("3.8", system="aslsk3")
def test_3_8_of_several_who_are_attacked_one_may_be_reduced() -> None:
    desk = melee(
        squad("a", "german/4-4-7"),
        squad("b", "german/4-4-7"),
        foes=[squad("r", "russian/4-4-7"), squad("s", "russian/4-4-7")],
    )
    fates = desk.rules.unit_odds(desk.state, fight((A, B), (R, S)))
    for unit in ("r", "s"):
        told = {chance.what: chance.exact for chance in fates[unit]}
        assert told == {"no effect": "7/9", "eliminated": "1/6", "reduced to 2-3-7": "1/18"}
