"""3.2.2, 3.3.3, 3.5, 4.0-4.5: what a fire marker leaves open: cowering, ROF, flamethrowers, panzerfausts, FPF."""

from typing import Any

import pytest

from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import Fire, FireOrdnance, Move
from sandtable.systems.aslsk.pieces.state import Mark, MoveStep, StepKind, UnitId, WeaponId, WeaponState
from tests.aslsk.desk import Desk, side, squad

rules = pytest.mark.rules
A, B, C, K, L, R = (UnitId(name) for name in "abcklr")
W, X = WeaponId("w"), WeaponId("x")
ROW = "." + " ." * 11
MISS = (6, 5)


def arm(card: str, owner: str = "a", name: str = "w", **flags: Any) -> dict[str, Any]:
    return {"id": name, "card": card, "owner": owner, **flags}


def shoot(*units: dict[str, Any], weapons: Any = (), at: str = "C1", phase: str = "PFPh", **fields: Any) -> Desk:
    russian = fields.pop("russian", side(squad("r", "russian/4-4-7", at=at)))
    return Desk(phase, fields.pop("cells", ROW), german=side(*units, weapons=weapons), russian=russian, **fields)


def fired(desk: Desk) -> ev.FireResolved:
    return next(event for event in desk.events if isinstance(event, ev.FireResolved))


# --- cowering ---------------------------------------------------------------------------------------------------


@rules("3.2.2", system="aslsk3")
@pytest.mark.parametrize(
    ("phase", "attacker", "mark"), [("PFPh", "german", "Prep Fire"), ("DFPh", "russian", "Final Fire")]
)
def test_3_2_2_a_squad_whose_mg_cowers_is_marked_with_it(phase: str, attacker: str, mark: str) -> None:
    russian = side(squad("r", "russian/4-4-7", at="E1"), squad("s", "russian/4-4-7", at="F1"))
    stack = (squad("a", at="A1"), squad("b", at="B1"))
    desk = shoot(*stack, weapons=[arm("german/MMG")], phase=phase, russian=russian, attacker=attacker)
    desk.play(Fire((), (W,), desk.hex("E1")), (4, 4))
    assert fired(desk).cowered
    assert (desk.unit("a").mark, desk.state.weapons[W].mark) == (Mark(mark), Mark(mark))
    assert desk.why(Fire((A,), (), desk.hex("F1"))) == "3.2"


# --- rate of fire -----------------------------------------------------------------------------------------------


@rules("1.2.4.1", "3.5", system="aslsk3")
def test_3_5_a_mg_that_fired_in_the_pfph_stays_silent_in_the_afph_though_it_kept_its_rof() -> None:
    desk = shoot(squad("a", at="A1"), weapons=[arm("german/MMG")], at="F1")
    desk.play(Fire((), (W,), desk.hex("F1")), (2, 6))
    assert desk.state.weapons[W].mark is Mark.NONE
    while desk.state.phase.value != "AFPh":
        desk.play(desk.options()[0])
    assert desk.why(Fire((), (W,), desk.hex("F1"))) == "3.2"
    assert desk.why(Fire((A,), (), desk.hex("F1"))) == ""


@rules("3.4", "1.2.4.1", system="aslsk3")
def test_3_4_a_mg_that_kept_its_rof_in_the_mph_fires_in_the_dfph() -> None:
    desk = shoot(
        squad("a", at="A1"),
        weapons=[arm("german/MMG")],
        russian=side(squad("r", "russian/4-4-7", at="G1")),
        phase="MPh",
        attacker="russian",
    )
    desk.play(Move((R,), (MoveStep(StepKind.ENTER, desk.hex("F1")),)))
    desk.play(Fire((), (W,), desk.hex("F1")), (2, 6), (1, 2))
    while desk.state.phase.value != "DFPh":
        desk.play(desk.options()[0])
    assert desk.why(Fire((A,), (W,), desk.hex("F1"))) == ""


# --- flamethrowers ----------------------------------------------------------------------------------------------


@rules("3.2.2", "4.2", system="aslsk3")
@pytest.mark.parametrize("flame_first", [False, True])
def test_4_2_a_squad_fires_its_own_fp_beside_its_flamethrower_at_the_same_target(flame_first: bool) -> None:
    desk = shoot(squad("a", "german/8-3-8", at="A1"), weapons=[arm("german/FT")])
    shots = [Fire((), (W,), desk.hex("C1")), Fire((A,), (), desk.hex("C1"))]
    first, second = shots if flame_first else reversed(shots)
    desk.play(first, *([(6, 3), (1, 2)] if flame_first else [MISS]))
    assert desk.why(second) == ""
    assert second in desk.options()


# --- Final Protective Fire --------------------------------------------------------------------------------------


@rules("3.3.3", "4.1", system="aslsk3")
def test_3_3_3_both_smc_at_a_mg_take_the_check_of_final_protective_fire() -> None:
    leaders = [squad(name, "german/8-0", at="A1", mark="Final Fire") for name in ("l", "k")]
    desk = shoot(
        *leaders,
        weapons=[arm("german/LMG", "l", mark="Final Fire")],
        russian=side(squad("r", "russian/4-4-7", at="C1")),
        phase="MPh",
        attacker="russian",
    )
    desk.play(Move((R,), (MoveStep(StepKind.ENTER, desk.hex("B1")),)))
    desk.play(Fire((K,), (W,), desk.hex("B1")), (6, 3))
    assert [event.unit for event in desk.events if isinstance(event, ev.MoraleChecked)] == ["l", "k"]
    assert desk.unit("k").broken


# --- panzerfausts -----------------------------------------------------------------------------------------------


def _panzerfaust(mark: str, phase: str = "MPh") -> Desk:
    desk = shoot(
        squad("a", at="A1", mark=mark),
        russian=side(squad("r", "russian/4-4-7", at="C1")),
        cells=". b . .",
        phase=phase,
        attacker="russian",
        conditions={"year": 1944, "month": 9, "panzerfausts": ["german"]},
    )
    desk.play(Move((R,), (MoveStep(StepKind.ENTER, desk.hex("B1")),)))
    return desk


@rules("4.4.2", system="aslsk3")
@pytest.mark.parametrize(("mark", "why"), [("", ""), ("First Fire", ""), ("Final Fire", "4.4.2")])
def test_4_4_2_no_panzerfaust_as_subsequent_first_fire_or_final_protective_fire(mark: str, why: str) -> None:
    desk = _panzerfaust(mark)
    shot = FireOrdnance(desk.hex("B1"), unit=A)
    assert desk.why(shot) == why
    assert (shot in desk.options()) == (not why)


@rules("4.4.2", system="aslsk3")
def test_4_4_2_an_original_12_on_the_ift_is_a_dud() -> None:
    desk = _panzerfaust("")
    desk.play(FireOrdnance(desk.hex("B1"), unit=A), 1, (1, 1), (6, 6))
    assert desk.saw(ev.OrdnanceResolved, critical=True)
    assert (fired(desk).kind, fired(desk).column, fired(desk).result) == ("dud ordnance hit", 0, "")
    assert not desk.unit("r").broken


# --- light mortars ----------------------------------------------------------------------------------------------


@rules("4.5", system="aslsk3")
@pytest.mark.parametrize(
    ("card", "total", "state"),
    [
        ("german/4-6-7", 12, WeaponState.MALFUNCTIONED),
        ("german/4-3-6", 11, WeaponState.MALFUNCTIONED),
        ("german/4-3-6", 12, WeaponState.REMOVED),
    ],
)
def test_4_5_a_mortar_whose_breakdown_number_is_lowered_is_gone_at_the_printed_one(
    card: str, total: int, state: WeaponState
) -> None:
    desk = shoot(squad("a", card, at="A1"), weapons=[arm("german/50mm MTR")], at="F1")
    desk.play(FireOrdnance(desk.hex("F1"), W), (6, total - 6))
    assert desk.state.weapons[W].state is state


@rules("3.3.3", "4.0", system="aslsk3")
def test_3_3_3_fpf_does_not_ask_for_a_mg_that_the_unit_may_not_use_any_more() -> None:
    desk = shoot(
        squad("a", "german/2-4-7", at="A1", mark="Final Fire", used=["w"], forfeited=True),
        weapons=[
            arm("german/50mm MTR", mark="Final Fire"),
            arm("german/HMG", name="x", mark="Final Fire"),
        ],
        russian=side(squad("r", "russian/4-4-7", at="C1")),
        phase="MPh",
        attacker="russian",
    )
    desk.play(Move((R,), (MoveStep(StepKind.ENTER, desk.hex("B1")),)))
    own = Fire((A,), (), desk.hex("B1"))
    assert desk.why(own) == ""
    assert own in desk.options()
    assert desk.why(Fire((A,), (X,), desk.hex("B1"))) == "4.0"


@rules("4.4.2", system="aslsk3")
@pytest.mark.parametrize(("victim", "why"), [("r", ""), ("s", "4.4.2"), ("t", "4.4.2"), ("a", "4.4.2")])
def test_4_4_2_only_a_target_that_mans_a_weapon_may_be_picked(victim: str, why: str) -> None:
    russian = side(
        squad("r", "russian/4-4-7", at="B1"),
        squad("s", "russian/4-4-7", at="B1"),
        squad("t", "russian/4-4-7", at="C1"),
        weapons=[arm("russian/LMG", "r"), arm("russian/LMG", "t", "x")],
    )
    desk = shoot(
        squad("a", at="A1"),
        weapons=[arm("german/LMG", "a", "y")],
        russian=russian,
        cells=". b .",
        conditions={"year": 1945, "month": 4, "panzerfausts": ["german"]},
    )
    assert desk.why(FireOrdnance(desk.hex("B1"), unit=A, victim=UnitId(victim))) == why
