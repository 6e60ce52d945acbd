"""4.1, 4.5: two SMC at one weapon."""

from typing import Any

import pytest

from sandtable.systems.aslsk.common.actions import Fire, FireOrdnance, Move
from sandtable.systems.aslsk.common.events import FireResolved, OrdnanceResolved
from sandtable.systems.aslsk.pieces.state import Mark, MoveStep, StepKind, UnitId, WeaponId
from tests.aslsk.clash import Clash, side, squad

rules = pytest.mark.rules
L, M, N, R = map(UnitId, ("l", "m", "n", "r"))
W, V = WeaponId("w"), WeaponId("v")
ROW = ". . . b . . . ."
KEPT, LOST = (2, 6), (5, 4)
"""A coloured die that keeps a ROF of 2 and more, and one that keeps none."""


def clash_of(card: str, *others: dict[str, Any], phase: str = "PFPh", guns: Any = (), **fields: Any) -> Clash:
    """Two leaders in A1, the first of whom has the weapon."""
    tank = fields.pop("tank", "")
    tanks = [{"id": "t", "card": "russian/T-34 M43", "at": tank, "vca": "N/NE"}] if tank else []
    weapons = [{"id": "w", "card": card, "owner": "l"}, *guns]
    tired = fields.pop("cx", (False, False))
    pinned = fields.pop("pinned", (False, False))
    leaders = (
        squad("l", "german/8-1", at="A1", cx=tired[0], pinned=pinned[0]),
        squad("m", "german/8-0", at="A1", cx=tired[1], pinned=pinned[1]),
    )
    return Clash(
        phase,
        ROW,
        german=side(*leaders, *others, weapons=weapons),
        russian=side(squad("r", "russian/4-4-7", at=fields.pop("enemy", "D1")), vehicles=tanks),
        **fields,
    )


def shot(clash: Clash, second: str = "", leader: str = "") -> FireOrdnance:
    return FireOrdnance(clash.hex("D1"), weapon=W, unit=UnitId(second), leader=UnitId(leader))


@rules("1.2.4.1", "4.1", system="aslsk3")
def test_4_1_two_leaders_fire_a_mg_again_that_kept_its_rof() -> None:
    clash = clash_of("german/HMG")
    both = Fire((M,), (W,), clash.hex("D1"))
    clash.play(both, KEPT)
    assert clash.why(both) == ""
    assert both in clash.options()
    clash.play(both, LOST)
    assert clash.unit("m").mark is Mark.PREP_FIRE
    assert clash.why(both) != ""


@rules("3.3.3", "4.1", system="aslsk3")
def test_4_1_two_leaders_fire_their_mg_as_subsequent_first_fire() -> None:
    clash = clash_of("german/HMG", phase="MPh", attacker="russian", enemy="E1")
    clash.play(Move((R,), (MoveStep(StepKind.ENTER, clash.hex("D1")),)))
    both = Fire((M,), (W,), clash.hex("D1"))
    clash.play(both, LOST)
    assert clash.unit("m").mark is Mark.FIRST_FIRE
    assert clash.why(both) == "", "two MF were spent"
    assert both in clash.options()


@rules("4.0", "4.1", system="aslsk3")
def test_4_0_a_leader_who_has_used_another_weapon_is_no_second_man() -> None:
    clash = clash_of("german/HMG", guns=[{"id": "v", "card": "german/LMG", "owner": "m"}])
    clash.play(Fire((), (V,), clash.hex("D1")), KEPT)
    assert clash.why(Fire((M,), (W,), clash.hex("D1"))) != ""


@rules("4.5", system="aslsk3")
def test_4_5_a_lone_leader_has_no_rof_with_a_light_mortar() -> None:
    clash = clash_of("german/50mm MTR")
    clash.play(shot(clash), KEPT)
    assert clash.state.weapons[W].mark is Mark.PREP_FIRE


@rules("1.2.4.1", "4.5", system="aslsk3")
def test_4_5_two_leaders_have_the_rof_of_a_light_mortar() -> None:
    clash = clash_of("german/50mm MTR")
    assert shot(clash, "m") in clash.options()
    clash.play(shot(clash, "m"), KEPT)
    assert clash.state.weapons[W].mark is Mark.NONE
    assert clash.unit("m").busy, "he directs nothing in this phase"
    assert clash.why(shot(clash, "m")) == ""
    clash.play(shot(clash, "m"), LOST)
    assert clash.state.weapons[W].mark is Mark.PREP_FIRE
    assert (clash.unit("l").mark, clash.unit("m").mark) == (Mark.PREP_FIRE, Mark.PREP_FIRE)


@rules("3.2.4", "3.3.1", "4.5", system="aslsk3")
@pytest.mark.parametrize(("first", "second", "drm"), [(False, False, 0), (False, True, 1), (True, True, 1)])
def test_3_3_1_an_exhausted_second_man_adds_one_to_the_to_hit_dr(first: bool, second: bool, drm: int) -> None:
    """One in all, however many of them are CX."""
    clash = clash_of("german/50mm MTR", cx=(first, second))
    clash.play(shot(clash, "m"), LOST)
    number = next(event for event in clash.events if isinstance(event, OrdnanceResolved)).number
    assert {term.label: -term.value for term in number.terms if term.label == "CX"} == ({"CX": drm} if drm else {})


@rules("3.2.3", "3.2.4", "4.5", system="aslsk3")
@pytest.mark.parametrize(("pinned", "drm"), [((False, False), 0), ((False, True), 2), ((True, True), 2)])
def test_3_2_4_a_pinned_second_man_is_a_pinned_firer(pinned: tuple[bool, bool], drm: int) -> None:
    """Two more on the To Hit DR, once, and the ROF is lost."""
    clash = clash_of("german/50mm MTR", pinned=pinned)
    clash.play(shot(clash, "m"), KEPT)
    number = next(event for event in clash.events if isinstance(event, OrdnanceResolved)).number
    assert -sum(term.value for term in number.terms if term.label.casefold().startswith("pinned")) == drm
    assert clash.state.weapons[W].mark is (Mark.PREP_FIRE if drm else Mark.NONE)


@rules("3.2.2", "3.2.3", "4.1", system="aslsk3")
@pytest.mark.parametrize(("pinned", "fp"), [((False, False), 7), ((False, True), 3), ((True, True), 3)])
def test_3_2_2_a_pinned_second_man_halves_the_mg_and_loses_its_rof(pinned: tuple[bool, bool], fp: int) -> None:
    clash = clash_of("german/HMG", pinned=pinned)
    clash.play(Fire((M,), (W,), clash.hex("D1")), (2, 5))
    fired = next(event for event in clash.events if isinstance(event, FireResolved))
    assert sum(term.value for term in fired.firepower.terms) == fp
    assert clash.state.weapons[W].mark is (Mark.PREP_FIRE if fp == 3 else Mark.NONE)


@rules("3.2.4", "4.1", system="aslsk3")
@pytest.mark.parametrize(
    ("pinned", "number"), [((False, False), ""), ((False, True), "3.2.4"), ((True, False), "3.2.4")]
)
def test_3_2_4_no_to_hit_attempt_with_a_mg_while_one_of_two_men_is_pinned(
    pinned: tuple[bool, bool], number: str
) -> None:
    clash = clash_of("german/HMG", pinned=pinned, tank="D1")
    attempt = FireOrdnance(clash.hex("D1"), weapon=W, unit=M, victim=UnitId("t"))
    assert clash.why(attempt) == number
    assert (attempt in clash.options()) is (not number)


@rules("4.5", system="aslsk3")
def test_4_5_a_third_leader_directs_the_two_and_neither_of_them_does() -> None:
    clash = clash_of("german/50mm MTR", squad("n", "german/9-1", at="A1"))
    assert clash.why(shot(clash, "m", "n")) == ""
    assert clash.why(shot(clash, "m", "m")) == "3.2.2"
    assert clash.why(shot(clash, "m", "l")) == "3.2.2"


@rules("4.5", system="aslsk3")
def test_4_5_a_squad_takes_no_second_man_to_its_mortar() -> None:
    clash = clash_of(
        "german/50mm MTR", squad("a", at="A1"), guns=[{"id": "v", "card": "german/50mm MTR", "owner": "a"}]
    )
    assert clash.why(FireOrdnance(clash.hex("D1"), weapon=V)) == ""
    assert clash.why(FireOrdnance(clash.hex("D1"), weapon=V, unit=M)) == "4.5"
    assert clash.why(shot(clash, "a")) == "4.5"
