"""3.2.2, 3.3.3, 3.5, 4.0-4.5: what a fire marker leaves open: cowering, ROF, flamethrowers, panzerfausts, FPF."""

from typing import Any

import pytest

from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import Fire, FireOrdnance, Move
from sandtable.systems.aslsk.pieces.state import Mark, MoveStep, StepKind, UnitId, WeaponId, WeaponState
from tests.aslsk.clash import Clash, side, squad

rules = pytest.mark.rules
A, B, C, K, L, R = (UnitId(name) for name in "abcklr")
W, X = WeaponId("w"), WeaponId("x")
ROW = "." + " ." * 11
MISS = (6, 5)


def arm(card: str, owner: str = "a", name: str = "w", **flags: Any) -> dict[str, Any]:
    return {"id": name, "card": card, "owner": owner, **flags}


def shoot(*units: dict[str, Any], weapons: Any = (), at: str = "C1", phase: str = "PFPh", **fields: Any) -> Clash:
    russian = fields.pop("russian", side(squad("r", "russian/4-4-7", at=at)))
    return Clash(phase, fields.pop("cells", ROW), german=side(*units, weapons=weapons), russian=russian, **fields)


def fired(clash: Clash) -> ev.FireResolved:
    return next(event for event in clash.events if isinstance(event, ev.FireResolved))


# --- cowering ---------------------------------------------------------------------------------------------------


@rules("3.2.2", system="aslsk3")
@pytest.mark.parametrize(
    ("phase", "attacker", "mark"), [("PFPh", "german", "Prep Fire"), ("DFPh", "russian", "Final Fire")]
)
def test_3_2_2_a_squad_whose_mg_cowers_is_marked_with_it(phase: str, attacker: str, mark: str) -> None:
    russian = side(squad("r", "russian/4-4-7", at="E1"), squad("s", "russian/4-4-7", at="F1"))
    stack = (squad("a", at="A1"), squad("b", at="B1"))
    clash = shoot(*stack, weapons=[arm("german/MMG")], phase=phase, russian=russian, attacker=attacker)
    clash.play(Fire((), (W,), clash.hex("E1")), (4, 4))
    assert fired(clash).cowered
    assert (clash.unit("a").mark, clash.state.weapons[W].mark) == (Mark(mark), Mark(mark))
    assert clash.why(Fire((A,), (), clash.hex("F1"))) == "3.2"


# --- rate of fire -----------------------------------------------------------------------------------------------


@rules("1.2.4.1", "3.5", system="aslsk3")
def test_3_5_a_mg_that_fired_in_the_pfph_stays_silent_in_the_afph_though_it_kept_its_rof() -> None:
    clash = shoot(squad("a", at="A1"), weapons=[arm("german/MMG")], at="F1")
    clash.play(Fire((), (W,), clash.hex("F1")), (2, 6))
    assert clash.state.weapons[W].mark is Mark.NONE
    while clash.state.phase.value != "AFPh":
        clash.play(clash.options()[0])
    assert clash.why(Fire((), (W,), clash.hex("F1"))) == "3.2"
    assert clash.why(Fire((A,), (), clash.hex("F1"))) == ""


@rules("3.4", "1.2.4.1", system="aslsk3")
def test_3_4_a_mg_that_kept_its_rof_in_the_mph_fires_in_the_dfph() -> None:
    clash = shoot(
        squad("a", at="A1"),
        weapons=[arm("german/MMG")],
        russian=side(squad("r", "russian/4-4-7", at="G1")),
        phase="MPh",
        attacker="russian",
    )
    clash.play(Move((R,), (MoveStep(StepKind.ENTER, clash.hex("F1")),)))
    clash.play(Fire((), (W,), clash.hex("F1")), (2, 6), (1, 2))
    while clash.state.phase.value != "DFPh":
        clash.play(clash.options()[0])
    assert clash.why(Fire((A,), (W,), clash.hex("F1"))) == ""


# --- flamethrowers ----------------------------------------------------------------------------------------------


@rules("3.2.2", "4.2", system="aslsk3")
@pytest.mark.parametrize("flame_first", [False, True])
def test_4_2_a_squad_fires_its_own_fp_beside_its_flamethrower_at_the_same_target(flame_first: bool) -> None:
    clash = shoot(squad("a", "german/8-3-8", at="A1"), weapons=[arm("german/FT")])
    shots = [Fire((), (W,), clash.hex("C1")), Fire((A,), (), clash.hex("C1"))]
    first, second = shots if flame_first else reversed(shots)
    clash.play(first, *([(6, 3), (1, 2)] if flame_first else [MISS]))
    assert clash.why(second) == ""
    assert second in clash.options()


# --- Final Protective Fire --------------------------------------------------------------------------------------


@rules("3.3.3", "4.1", system="aslsk3")
def test_3_3_3_both_smc_at_a_mg_take_the_check_of_final_protective_fire() -> None:
    leaders = [squad(name, "german/8-0", at="A1", mark="Final Fire") for name in ("l", "k")]
    clash = shoot(
        *leaders,
        weapons=[arm("german/LMG", "l", mark="Final Fire")],
        russian=side(squad("r", "russian/4-4-7", at="C1")),
        phase="MPh",
        attacker="russian",
    )
    clash.play(Move((R,), (MoveStep(StepKind.ENTER, clash.hex("B1")),)))
    clash.play(Fire((K,), (W,), clash.hex("B1")), (6, 3))
    assert [event.unit for event in clash.events if isinstance(event, ev.MoraleChecked)] == ["l", "k"]
    assert clash.unit("k").broken


# --- panzerfausts -----------------------------------------------------------------------------------------------


def _panzerfaust(mark: str, phase: str = "MPh") -> Clash:
    clash = shoot(
        squad("a", at="A1", mark=mark),
        russian=side(squad("r", "russian/4-4-7", at="C1")),
        cells=". b . .",
        phase=phase,
        attacker="russian",
        conditions={"year": 1944, "month": 9, "panzerfausts": ["german"]},
    )
    clash.play(Move((R,), (MoveStep(StepKind.ENTER, clash.hex("B1")),)))
    return clash


@rules("4.4.2", system="aslsk3")
@pytest.mark.parametrize(("mark", "why"), [("", ""), ("First Fire", ""), ("Final Fire", "4.4.2")])
def test_4_4_2_no_panzerfaust_as_subsequent_first_fire_or_final_protective_fire(mark: str, why: str) -> None:
    clash = _panzerfaust(mark)
    shot = FireOrdnance(clash.hex("B1"), unit=A)
    assert clash.why(shot) == why
    assert (shot in clash.options()) == (not why)


@rules("4.4.2", system="aslsk3")
def test_4_4_2_an_original_12_on_the_ift_is_a_dud() -> None:
    clash = _panzerfaust("")
    clash.play(FireOrdnance(clash.hex("B1"), unit=A), 1, (1, 1), (6, 6))
    assert clash.saw(ev.OrdnanceResolved, critical=True)
    assert (fired(clash).kind, fired(clash).column, fired(clash).result) == ("dud ordnance hit", 0, "")
    assert not clash.unit("r").broken


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
    clash = shoot(squad("a", card, at="A1"), weapons=[arm("german/50mm MTR")], at="F1")
    clash.play(FireOrdnance(clash.hex("F1"), W), (6, total - 6))
    assert clash.state.weapons[W].state is state


@rules("3.3.3", "4.0", system="aslsk3")
def test_3_3_3_fpf_does_not_ask_for_a_mg_that_the_unit_may_not_use_any_more() -> None:
    clash = shoot(
        squad("a", "german/2-4-7", at="A1", mark="Final Fire", used=["w"], forfeited=True),
        weapons=[
            arm("german/50mm MTR", mark="Final Fire"),
            arm("german/HMG", name="x", mark="Final Fire"),
        ],
        russian=side(squad("r", "russian/4-4-7", at="C1")),
        phase="MPh",
        attacker="russian",
    )
    clash.play(Move((R,), (MoveStep(StepKind.ENTER, clash.hex("B1")),)))
    own = Fire((A,), (), clash.hex("B1"))
    assert clash.why(own) == ""
    assert own in clash.options()
    assert clash.why(Fire((A,), (X,), clash.hex("B1"))) == "4.0"


@rules("4.4.2", system="aslsk3")
@pytest.mark.parametrize(("victim", "why"), [("r", ""), ("s", "4.4.2"), ("t", "4.4.2"), ("a", "4.4.2")])
def test_4_4_2_only_a_target_that_mans_a_weapon_may_be_picked(victim: str, why: str) -> None:
    russian = side(
        squad("r", "russian/4-4-7", at="B1"),
        squad("s", "russian/4-4-7", at="B1"),
        squad("t", "russian/4-4-7", at="C1"),
        weapons=[arm("russian/LMG", "r"), arm("russian/LMG", "t", "x")],
    )
    clash = shoot(
        squad("a", at="A1"),
        weapons=[arm("german/LMG", "a", "y")],
        russian=russian,
        cells=". b .",
        conditions={"year": 1945, "month": 4, "panzerfausts": ["german"]},
    )
    assert clash.why(FireOrdnance(clash.hex("B1"), unit=A, victim=UnitId(victim))) == why
