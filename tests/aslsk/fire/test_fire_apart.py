"""3.2.2, 4.1: who of a hex may fire at a target by himself after others of it have."""

from typing import Any

import pytest

from sandtable.systems.aslsk.common.actions import Continue, Fire, HoldFire, Move
from sandtable.systems.aslsk.pieces.state import FirstFire, Mark, MoveStep, StepKind, UnitId, WeaponId
from tests.aslsk.clash import Clash, side, squad

rules = pytest.mark.rules
A, B, R = UnitId("a"), UnitId("b"), UnitId("r")
MG, TWO = WeaponId("mg"), WeaponId("two")
KEPT, LOST = (1, 6), (6, 5)
"""A coloured die that keeps a ROF of 1 and more, and one that keeps none."""


def prep(*others: dict[str, Any], guns: Any = ()) -> Clash:
    weapons = [{"id": "mg", "card": "german/MMG", "owner": "a"}, *guns]
    return Clash(
        "PFPh",
        ". . . b .\n. . . . .\n. . . b .",
        german=side(squad("a", at="A1"), *others, weapons=weapons),
        russian=side(squad("r", "russian/4-4-7", at="D1"), squad("far", "russian/4-4-7", at="D3")),
    )


def defence(*others: dict[str, Any], guns: Any = (), **flags: Any) -> Clash:
    """A German squad with a MMG in A1; the Russian spends 2 MF to enter a building."""
    mark = {"mark": flags.pop("gun")} if "gun" in flags else {}
    weapons = [{"id": "mg", "card": "german/MMG", "owner": "a", **mark}, *guns]
    return Clash(
        "MPh",
        ". . . b .\n. . . . .",
        german=side(squad("a", at="A1", **flags), *others, weapons=weapons),
        russian=side(squad("r", "russian/4-4-7", at="E1")),
        attacker="russian",
    )


def enter(clash: Clash, label: str = "D1") -> None:
    clash.play(Move((R,), (MoveStep(StepKind.ENTER, clash.hex(label)),)))


def named(clash: Clash) -> set[tuple[tuple[str, ...], tuple[str, ...]]]:
    return {(action.units, action.weapons) for action in clash.options() if isinstance(action, Fire)}


@rules("4.1", system="aslsk3")
def test_4_1_a_squad_fires_apart_from_its_mg_that_keeps_its_rof() -> None:
    clash = prep()
    target = clash.hex("D1")
    clash.play(Fire((), (MG,), target), KEPT)
    assert clash.why(Fire((A,), (), target)) == ""
    assert clash.why(Fire((A,), (MG,), target)) == ""
    assert {((A,), ()), ((), (MG,)), ((A,), (MG,))} <= named(clash)
    clash.play(Fire((A,), (), target), LOST)
    assert clash.why(Fire((), (MG,), target)) == "", "it keeps its ROF"


@rules("3.2.2", "4.1", system="aslsk3")
def test_4_1_a_squad_does_not_fire_apart_from_a_mg_that_has_lost_its_rof() -> None:
    clash = prep()
    target = clash.hex("D1")
    clash.play(Fire((), (MG,), target), LOST)
    assert clash.why(Fire((A,), (), target)) == "4.1"
    assert clash.why(Fire((A,), (), clash.hex("D3"))) == "", "another target is another matter"


@rules("3.2.2", "4.1", system="aslsk3")
def test_4_1_a_mg_that_has_not_fired_does_not_follow_its_squad() -> None:
    clash = prep()
    target = clash.hex("D1")
    clash.play(Fire((A,), (), target), LOST)
    assert clash.why(Fire((), (MG,), target)) == "4.1"


@rules("3.2.2", "4.1", system="aslsk3")
def test_3_2_2_others_of_the_hex_stay_bound_to_the_mg() -> None:
    clash = prep(squad("b", at="A1"), guns=[{"id": "two", "card": "german/LMG", "owner": "b"}])
    target = clash.hex("D1")
    clash.play(Fire((), (MG,), target), KEPT)
    assert clash.why(Fire((B,), (), target)) == "3.2.2"
    assert clash.why(Fire((A, B), (), target)) == "3.2.2"
    assert clash.why(Fire((), (TWO,), target)) == "3.2.2"
    assert clash.why(Fire((A,), (), target)) == ""
    clash.play(Fire((A,), (MG,), target), LOST)
    assert clash.why(Fire((B,), (), target)) == "3.2.2"


@rules("3.2.2", "4.1", system="aslsk3")
def test_4_1_a_squad_that_stood_by_while_another_fired_with_its_mg_stays_out() -> None:
    clash = prep(squad("b", at="A1"))
    target = clash.hex("D1")
    clash.play(Fire((B,), (MG,), target), KEPT)
    assert clash.why(Fire((A,), (), target)) == "3.2.2"


@rules("3.2.2", "4.1", system="aslsk3")
def test_4_1_a_second_mg_of_the_squad_fires_with_the_first() -> None:
    clash = prep(guns=[{"id": "two", "card": "german/LMG", "owner": "a"}])
    target = clash.hex("D1")
    clash.play(Fire((), (MG,), target), KEPT)
    assert clash.why(Fire((), (TWO,), target)) == "3.2.2"


ATR = [{"id": "two", "card": "russian/ATR", "owner": "a"}]


@rules("3.2.2", "4.1", system="aslsk3")
def test_4_1_an_atr_is_no_mg_and_fires_with_its_squad_or_not_at_all() -> None:
    clash = prep(guns=ATR)
    target = clash.hex("D1")
    clash.play(Fire((), (TWO,), target), KEPT)
    assert clash.why(Fire((A,), (), target)) == "3.2.2"


@rules("3.2.2", "4.1", system="aslsk3")
def test_4_1_an_atr_does_not_follow_its_squad_either() -> None:
    clash = prep(guns=ATR)
    target = clash.hex("D1")
    clash.play(Fire((A,), (), target), LOST)
    assert clash.why(Fire((), (TWO,), target)) == "3.2.2", "4.1 is about MG"


@rules("3.3.3", "4.1", system="aslsk3")
def test_4_1_the_window_opens_again_for_the_squad_when_its_mg_keeps_its_rof() -> None:
    clash = defence()
    enter(clash)
    clash.play(Fire((), (MG,), clash.hex("D1")), KEPT)
    assert isinstance(clash.state.stack[-1], FirstFire)
    assert ((A,), ()) in named(clash)
    clash.play(Fire((A,), (), clash.hex("D1")), LOST)
    assert clash.unit("a").mark is Mark.FIRST_FIRE
    assert clash.state.weapons[MG].mark is Mark.NONE


@rules("3.3.3", "4.1", system="aslsk3")
def test_4_1_subsequent_first_fire_without_the_mg_is_an_attack_apart() -> None:
    clash = defence(mark="First Fire")
    enter(clash)
    target = clash.hex("D1")
    clash.play(Fire((), (MG,), target), LOST)
    assert clash.state.weapons[MG].mark is Mark.FIRST_FIRE
    assert isinstance(clash.state.stack[-1], FirstFire), "the squad may use Subsequent First Fire"
    assert clash.why(Fire((A,), (), target)) == ""
    assert clash.why(Fire((A,), (MG,), target)) == "4.1", "not with the MG that has fired without it"
    assert ((A,), ()) in named(clash)
    assert ((A,), (MG,)) not in named(clash)
    clash.play(Fire((A,), (), target), LOST)
    assert clash.unit("a").mark is Mark.FINAL_FIRE


@rules("3.3.3", "4.1", system="aslsk3")
def test_4_1_after_subsequent_first_fire_without_the_mg_both_may_protect_themselves() -> None:
    clash = Clash(
        "MPh",
        ". b .",
        german=side(
            squad("a", at="A1", mark="First Fire"),
            weapons=[{"id": "mg", "card": "german/MMG", "owner": "a", "mark": "First Fire"}],
        ),
        russian=side(squad("r", "russian/4-4-7", at="C1")),
        attacker="russian",
    )
    enter(clash, "B1")
    target = clash.hex("B1")
    clash.play(Fire((A,), (), target), LOST)
    assert clash.why(Fire((A,), (), target)) == "3.3.3", "FPF takes the MG as well"
    assert clash.why(Fire((A,), (MG,), target)) == ""
    assert ((A,), (MG,)) in named(clash)


@rules("3.3.3", "4.1", system="aslsk3")
def test_4_1_every_expenditure_of_mf_is_a_target_of_its_own() -> None:
    clash = defence()
    clash.play(Move((R,), (MoveStep(StepKind.ENTER, clash.hex("D1")), MoveStep(StepKind.ENTER, clash.hex("D2")))))
    clash.play(Fire((A,), (), clash.hex("D1")), LOST)
    assert clash.why(Fire((), (MG,), clash.hex("D1"))) == "4.1"
    clash.play(HoldFire())
    clash.play(Continue((R,), (MoveStep(StepKind.ENTER, clash.hex("D2")),)))
    assert clash.why(Fire((), (MG,), clash.hex("D2"))) == ""
