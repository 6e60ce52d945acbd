"""3.8 Close Combat Phase: odds, DRM, ambush, sequence, Melee."""

from typing import Any

import pytest

from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import Advance, ArrangeLeaders, ChooseCombat, DeclareCloseCombat
from sandtable.systems.aslsk.phases.close_combat_odds import ambush_drm, attack_drm, odds_of
from sandtable.systems.aslsk.pieces.state import CcAttack, CloseCombat, CloseCombats, UnitId, Whereabouts
from tests.aslsk.clash import Clash, side, squad

rules = pytest.mark.rules
A, B, L, R, S = map(UnitId, ("a", "b", "l", "r", "s"))
HOUSE = """
. . .
. b .
. . .
"""


def melee(*units: dict[str, Any], foes: list[dict[str, Any]], **more: Any) -> Clash:
    """A Melee in B2, so that no ambush comes first."""
    held = [{**unit, "at": "B2", "melee": True} for unit in units]
    others = [{**unit, "at": "B2", "melee": True} for unit in foes]
    return Clash("CCPh", HOUSE, german=side(*held), russian=side(*others), **more)


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
    clash = melee(squad("a"), foes=[squad("r", "russian/4-4-7")])
    found = odds_of(clash.context, clash.state.units, {A: attack, R: defence}, CcAttack((A,), (R,)))
    assert (found.name, found.kill.total) == (odds, kill)


@rules("3.8", system="aslsk3")
def test_3_8_a_pinned_unit_attacks_with_half_its_fp_and_defends_with_all() -> None:
    clash = melee(squad("a", pinned=True), foes=[squad("r", "russian/4-4-7")])
    units = clash.state.units
    assert odds_of(clash.context, units, {A: 4, R: 4}, CcAttack((A,), (R,))).name == "1-2"
    assert odds_of(clash.context, units, {A: 4, R: 4}, CcAttack((R,), (A,))).name == "1-1"


@rules("3.3.1", "3.8", system="aslsk3")
def test_3_8_drm() -> None:
    clash = melee(
        squad("a", cx=True),
        squad("l", "german/9-1"),
        foes=[squad("r", "russian/4-4-7", broken=True), squad("s", "russian/4-4-7")],
    )
    units = clash.state.units

    def drm(by: tuple[UnitId, ...], on: tuple[UnitId, ...], seat: str, ambusher: str = "") -> int:
        return attack_drm(clash.context, units, CcAttack(by, on), seat, ambusher).total

    assert drm((A,), (R,), "german") == 1 - 2
    assert drm((A, L), (R,), "german") == 1 - 2 - 1
    assert drm((L,), (R,), "german") == -2, "no leadership for a leader alone"
    assert drm((A,), (R, S), "german") == 1, "not all that are attacked are broken"
    assert drm((S,), (A,), "russian") == -1
    assert drm((S,), (A,), "russian", "russian") == -2
    assert drm((S,), (A,), "russian", "german") == 0


@rules("3.8", "5.4", system="aslsk3")
def test_3_8_ambush_drm() -> None:
    clash = melee(
        squad("a", cx=True),
        squad("b", pinned=True),
        squad("l", "german/9-2"),
        foes=[squad("r", "russian/4-2-6"), squad("s", "russian/8-1", broken=True)],
    )
    hex = clash.hex("B2")
    assert ambush_drm(clash.context, clash.state, hex, "german").total == 1 + 1 - 2
    assert ambush_drm(clash.context, clash.state, hex, "russian").total == 1


@rules("3.8", system="aslsk3")
def test_3_8_only_unbroken_units_attack_and_each_once() -> None:
    clash = melee(squad("a"), squad("b", broken=True), foes=[squad("r", "russian/4-4-7"), squad("s", "russian/4-4-7")])
    assert clash.why(fight((B,), (R,))) == "3.8"
    twice = DeclareCloseCombat((CcAttack((A,), (R,)), CcAttack((A,), (S,))))
    assert clash.why(twice) == "3.8"
    assert clash.why(DeclareCloseCombat((CcAttack((A,), ()),))) == "3.8"
    assert clash.why(DeclareCloseCombat()) == ""


@rules("3.8", system="aslsk3")
def test_3_8_simultaneous_even_the_eliminated_attack() -> None:
    clash = melee(squad("a"), foes=[squad("r", "russian/4-4-7")])
    clash.play(fight((A,), (R,)))
    clash.play(fight((R,), (A,)), (1, 2), (1, 2))
    assert clash.unit("a").place is Whereabouts.ELIMINATED
    assert clash.unit("r").place is Whereabouts.ELIMINATED


@rules("3.8", system="aslsk3")
def test_3_8_melee_ends_when_one_side_is_gone() -> None:
    clash = melee(squad("a"), foes=[squad("r", "russian/4-4-7")])
    clash.play(fight((A,), (R,)))
    clash.play(DeclareCloseCombat(), (1, 2))
    assert not clash.unit("a").melee


@rules("3.8", system="aslsk3")
def test_3_8_equal_to_the_kill_number_reduces_one_at_random() -> None:
    clash = melee(squad("a"), squad("b"), foes=[squad("r", "russian/4-4-7"), squad("s", "russian/4-4-7")])
    clash.play(fight((A, B), (R, S)))
    clash.play(DeclareCloseCombat(), (2, 3), 2)
    assert clash.unit("s").card == "russian/2-3-7"
    assert clash.unit("r").card == "russian/4-4-7"


@rules("3.8", system="aslsk3")
def test_3_8_the_ambushed_attack_only_with_what_is_left() -> None:
    clash = Clash(
        "APh",
        HOUSE,
        german=side(squad("a", at="A2"), squad("b", at="A2")),
        russian=side(squad("r", "russian/4-4-7", at="B2")),
    )

    clash.play(Advance((A, B), clash.hex("B2")), 1, 4)
    assert clash.saw(ev.AmbushRolled, ambusher="german")
    assert clash.asked == "german"
    clash.play(fight((A, B), (R,)), (2, 3))
    assert clash.unit("r").place is Whereabouts.ELIMINATED
    assert not isinstance(clash.state.stack[-1], CloseCombat) if clash.state.stack else True


@rules("3.8", system="aslsk3")
def test_3_8_no_ambush_in_the_open() -> None:
    clash = Clash(
        "APh",
        HOUSE,
        german=side(squad("a", at="A2")),
        russian=side(squad("r", "russian/4-4-7", at="A3")),
    )
    clash.play(Advance((A,), clash.hex("A3")))
    assert not clash.saw(ev.AmbushRolled)


@rules("1.2.1", "3.8", system="aslsk3")
def test_3_8_leaders_fight_with_a_unit_or_alone() -> None:
    clash = melee(squad("a"), squad("l", "german/8-1"), foes=[squad("r", "russian/4-4-7")])
    assert clash.why(ArrangeLeaders({A: L})) == "3.8"
    assert clash.why(ArrangeLeaders({L: R})) == "3.8"
    clash.play(ArrangeLeaders({}))
    clash.play(fight((L,), (R,)))
    frame = clash.state.stack[-1]
    assert isinstance(frame, CloseCombat)
    clash.play(fight((R,), (L,)), (6, 6), (3, 3))
    assert clash.unit("l").place is Whereabouts.ELIMINATED, "4 to 1: killed on less than 9"


@rules("3.8", system="aslsk3")
def test_3_8_the_attacker_orders_the_hexes() -> None:
    units = [squad("a", at="A1", melee=True), squad("b", at="C3", melee=True)]
    foes = [squad("r", "russian/4-4-7", at="A1", melee=True), squad("s", "russian/4-4-7", at="C3", melee=True)]
    clash = Clash("CCPh", HOUSE, german=side(*units), russian=side(*foes))
    assert isinstance(clash.state.stack[-1], CloseCombats)
    assert clash.why(ChooseCombat(clash.hex("B2"))) == "3.8"
    clash.play(ChooseCombat(clash.hex("C3")))
    clash.play(DeclareCloseCombat())
    clash.play(DeclareCloseCombat())
    frame = clash.state.stack[-1]
    assert isinstance(frame, CloseCombat)
    assert frame.hex == clash.hex("A1")


@rules("5.3", system="aslsk3")
def test_5_3_a_new_leader_counts_in_both_attacks_of_the_moment() -> None:
    clash = melee(squad("a", "german/4-4-7"), foes=[squad("r", "russian/4-4-7")])
    clash.play(fight((A,), (R,)))
    clash.play(fight((R,), (A,)), (1, 1), 3, (6, 5))
    created = clash.unit("german-L1")
    assert created.card == "german/8-0"
    resolved = [event for event in clash.events if isinstance(event, ev.CloseCombatResolved)]
    assert resolved[0].attack.by == (A, created.id)
    assert resolved[1].attack.against == (A, created.id)
    assert resolved[1].odds == "1-2"
    assert clash.unit("r").place is Whereabouts.ELIMINATED


@rules("3.8", system="aslsk3")
def test_3_8_the_odds_of_an_attack_are_known_before_it_is_declared() -> None:
    clash = melee(squad("a", "german/4-4-7"), foes=[squad("r", "russian/4-4-7")])
    action = fight((A,), (R,))
    # At 1-1 the kill number is 5: a DR of 2 to 4 eliminates, 5 reduces.
    told = {chance.what: chance.exact for chance in clash.rules.unit_odds(clash.state, action)["r"]}
    assert told == {"no effect": "13/18", "eliminated": "1/6", "reduced to 2-3-7": "1/9"}
    kill, drm = clash.rules.numbers_ahead(clash.state, action)
    assert (kill.total, drm.total) == (5, 0)
    # Who attacks first, or at the same time, does not count; nor does an attack that is not declared.
    assert clash.rules.unit_odds(clash.state, DeclareCloseCombat()) == {}
    assert clash.rules.numbers_ahead(clash.state, DeclareCloseCombat()) == []


@rules("3.8", system="aslsk3")
def test_3_8_of_several_who_are_attacked_one_may_be_reduced() -> None:
    clash = melee(
        squad("a", "german/4-4-7"),
        squad("b", "german/4-4-7"),
        foes=[squad("r", "russian/4-4-7"), squad("s", "russian/4-4-7")],
    )
    fates = clash.rules.unit_odds(clash.state, fight((A, B), (R, S)))
    for unit in ("r", "s"):
        told = {chance.what: chance.exact for chance in fates[unit]}
        assert told == {"no effect": "7/9", "eliminated": "1/6", "reduced to 2-3-7": "1/18"}
