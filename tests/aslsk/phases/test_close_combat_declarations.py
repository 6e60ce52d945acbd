"""3.8 Declaring close combat: leaders fight as they are arranged, and the order of names means nothing."""

from itertools import permutations
from typing import Any

import pytest

from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import Advance, ArrangeLeaders, DeclareCloseCombat
from sandtable.systems.aslsk.phases.close_combat_odds import attack_drm
from sandtable.systems.aslsk.pieces.state import CcAttack, CloseCombat, UnitId, Whereabouts
from sandtable.testing.looking import is_offered
from tests.aslsk.clash import Clash, side, squad

rules = pytest.mark.rules
A, B, L, M, R, S = map(UnitId, ("a", "b", "l", "m", "r", "s"))
FIELD = """
. . .
. b .
. . .
"""


def melee(*units: dict[str, Any], foes: list[dict[str, Any]]) -> Clash:
    held = [{**unit, "at": "B2", "melee": True} for unit in units]
    others = [{**unit, "at": "B2", "melee": True} for unit in foes]
    return Clash("CCPh", FIELD, german=side(*held), russian=side(*others))


def declare(*attacks: tuple[tuple[UnitId, ...], tuple[UnitId, ...]]) -> DeclareCloseCombat:
    return DeclareCloseCombat(tuple(CcAttack(by, against) for by, against in attacks))


def led() -> Clash:
    return melee(
        squad("a"),
        squad("b"),
        squad("l", "german/8-1"),
        squad("m", "german/8-0"),
        foes=[squad("r", "russian/4-4-7"), squad("s", "russian/4-4-7")],
    )


@rules("3.8", system="aslsk3")
def test_3_8_a_leader_arranged_to_fight_alone_joins_no_attack() -> None:
    clash = led()
    clash.play(ArrangeLeaders({}))
    assert clash.why(declare(((A, L), (R,)))) == "3.8"
    assert clash.why(declare(((L, M), (R,)))) == "3.8", "two leaders who fight together defend together"
    assert clash.why(declare(((A,), (R,)), ((L,), (S,)))) == ""
    assert clash.why(declare(((A, B), (R,)))) == "", "squads join forces and defend each for itself"


@rules("3.8", system="aslsk3")
def test_3_8_conformance_finds_leaders_who_all_fight_alone() -> None:
    clash = led()
    assert is_offered(clash.rules, clash.state, clash.decision.asked[0], ArrangeLeaders({}))


@rules("3.8", system="aslsk3")
def test_3_8_a_leader_joins_where_his_unit_does() -> None:
    clash = led()
    clash.play(ArrangeLeaders({L: A, M: A}))
    assert clash.why(declare(((A, L, M, B), (R,)))) == ""
    assert clash.why(declare(((A, L, B), (R,)))) == "3.8", "M fights with A"
    assert clash.why(declare(((L,), (R,)))) == "3.8"


@rules("3.8", system="aslsk3")
def test_3_8_two_leaders_together_are_a_body_that_joins_nobody() -> None:
    clash = led()
    clash.play(ArrangeLeaders({M: L}))
    assert clash.why(declare(((L, M), (R,)))) == ""
    assert clash.why(declare(((A, L, M), (R,)))) == "3.8"


@rules("3.8", system="aslsk3")
def test_3_8_every_declaration_that_is_legal_is_offered_and_no_other() -> None:
    for pairs in ({}, {L: A}, {L: A, M: B}, {M: L}):
        clash = led()
        clash.play(ArrangeLeaders(pairs))
        offered = clash.options()
        assert all(clash.why(action) == "" for action in offered)
        told = {_plain(action) for action in offered if isinstance(action, DeclareCloseCombat)}
        assert len(told) == len(offered), "each is reached in one way"
        singles = [
            ((*some,), (*foes,))
            for some in _subsets((A, B, L, M))
            for foes in _subsets((R, S))
            if clash.why(declare((some, foes))) == ""
        ]
        assert {_plain(declare(one)) for one in singles} <= told


def _plain(action: DeclareCloseCombat) -> frozenset[tuple[frozenset[str], frozenset[str]]]:
    return frozenset((frozenset(attack.by), frozenset(attack.against)) for attack in action.attacks)


def _subsets(names: tuple[UnitId, ...]) -> list[tuple[UnitId, ...]]:
    masks = range(1, 1 << len(names))
    return [tuple(name for bit, name in enumerate(names) if mask >> bit & 1) for mask in masks]


@rules("3.8", system="aslsk3")
def test_3_8_the_order_of_names_changes_nothing() -> None:
    told = set()
    for attacks in permutations((((A, L), (R,)), ((B,), (S,)))):
        for first in permutations(attacks[0][0]):
            clash = led()
            clash.play(ArrangeLeaders({L: A, M: B}))
            words = [(tuple(first), attacks[0][1]), *attacks[1:]]
            words = [((*by, M), on) if B in by else (by, on) for by, on in words]
            clash.play(declare(*words))
            # r dies, s lives: whoever is named first, the dice of a's attack fall first.
            clash.play(DeclareCloseCombat(), (1, 2), (6, 6))
            told.add((clash.unit("r").place, clash.unit("s").place))
    assert told == {(Whereabouts.ELIMINATED, Whereabouts.MAP)}


@rules("3.8", system="aslsk3")
def test_3_8_who_is_reduced_does_not_hang_on_the_order_of_names() -> None:
    for foes in permutations((R, S)):
        clash = melee(squad("a"), squad("b"), foes=[squad("r", "russian/4-4-7"), squad("s", "russian/4-4-7")])
        clash.play(declare(((B, A), foes)))
        clash.play(DeclareCloseCombat(), (2, 3), 2)
        assert clash.unit("s").card == "russian/2-3-7"
        resolved = next(event for event in clash.events if isinstance(event, ev.CloseCombatResolved))
        assert resolved.attack == CcAttack((A, B), (R, S))


@rules("3.8", "5.3", system="aslsk3")
def test_3_8_a_leader_that_an_ambusher_brings_forth_defends_with_his_unit() -> None:
    clash = Clash(
        "APh",
        FIELD,
        german=side(squad("a", at="A2")),
        russian=side(squad("r", "russian/4-4-7", at="B2"), squad("s", "russian/4-4-7", at="B2")),
    )
    clash.play(Advance((A,), clash.hex("B2")), 1, 4)
    assert isinstance(clash.state.stack[-1], CloseCombat)
    clash.play(declare(((A,), (R,))), (1, 1), 3)
    created = next(name for name in clash.state.units if name.startswith("german-L"))
    assert clash.asked == "russian"
    assert clash.why(declare(((S,), (A,)))) == "3.8", "the new leader is stacked with his unit"
    assert clash.why(declare(((S,), (A, created)))) == ""


@rules("3.8", system="aslsk3")
def test_3_8_a_unit_is_named_before_the_leaders_who_fight_with_it() -> None:
    clash = melee(squad("l", "german/8-1"), squad("a"), foes=[squad("r", "russian/4-4-7")])
    clash.play(ArrangeLeaders({L: A}))
    assert declare(((A, L), (R,))) in list(clash.options())
    clash.play(declare(((L, A), (R,))))
    assert clash.saw(ev.CloseCombatDeclared, attacks=(CcAttack((A, L), (R,)),))


@rules("3.8", system="aslsk3")
def test_3_8_a_leader_who_fights_with_a_unit_is_nobodys_partner() -> None:
    clash = led()
    assert clash.why(ArrangeLeaders({L: M, M: A})) == "3.8"
    assert clash.why(ArrangeLeaders({L: M})) == ""
    assert ArrangeLeaders({L: M, M: A}) not in list(clash.options())


@rules("3.8", system="aslsk3")
def test_3_8_a_leader_who_would_do_harm_does_not_direct() -> None:
    clash = melee(squad("a"), squad("l", "german/6+1"), foes=[squad("r", "russian/4-4-7")])
    assert attack_drm(clash.context, clash.state.units, CcAttack((A, L), (R,)), "german", "").total == 0
