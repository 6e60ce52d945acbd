"""4.4.2: a leader who directs a panzerfaust directs nothing else in that phase."""

import pytest

from sandtable.systems.aslsk.common.actions import Done, Fire, FireOrdnance, HoldFire, Move
from sandtable.systems.aslsk.pieces.state import Mark, MoveStep, Phase, StepKind, UnitId, WeaponId
from tests.aslsk.desk import Desk, side, squad

rules = pytest.mark.rules
A, B, L, R = map(UnitId, ("a", "b", "l", "r"))
MG = WeaponId("mg")
PF = {"year": 1944, "month": 8, "panzerfausts": ["german"]}
MISS = (6, 5)
FOUND, NOT_FOUND = 1, 5


def prep(phase: str = "PFPh", attacker: str = "german") -> Desk:
    return Desk(
        phase,
        ". . b .\n. . . .",
        german=side(
            squad("a", at="A1"),
            squad("b", at="A1"),
            squad("l", "german/9-1", at="A1"),
            weapons=[{"id": "mg", "card": "german/HMG", "owner": "b"}],
        ),
        russian=side(squad("r", "russian/4-4-7", at="C1" if phase != "MPh" else "D1")),
        conditions=PF,
        attacker=attacker,
    )


def faust(desk: Desk, unit: UnitId = A, leader: UnitId = L) -> FireOrdnance:
    return FireOrdnance(desk.hex("C1"), unit=unit, leader=leader)


@rules("4.4.2", system="aslsk3")
def test_4_4_2_a_panzerfaust_takes_up_all_direction_of_the_phase() -> None:
    desk = prep()
    target = desk.hex("C1")
    assert faust(desk) in desk.options()
    desk.play(faust(desk), FOUND, MISS)
    assert desk.why(Fire((A,), (), target, (L,))) == "4.4.2", "not even the same unit"
    assert desk.why(faust(desk)) == "4.4.2", "one PF only"
    assert desk.why(faust(desk, leader=UnitId(""))) == ""
    assert not any(L in (*getattr(action, "leaders", ()), getattr(action, "leader", "")) for action in desk.options())


@rules("4.4.2", system="aslsk3")
def test_4_4_2_who_has_directed_fire_in_the_phase_directs_no_panzerfaust() -> None:
    desk = prep()
    desk.play(Fire((), (MG,), desk.hex("C1"), (L,)), (1, 6))
    assert desk.why(faust(desk, B)) == "4.4.2"
    assert faust(desk, B) not in desk.options()
    assert desk.why(Fire((), (MG,), desk.hex("C1"), (L,))) == "", "ROF is directed again"


@rules("4.4.2", system="aslsk3")
def test_4_4_2_direction_is_used_by_a_to_hit_dr_not_by_a_check_in_vain() -> None:
    desk = prep()
    desk.play(faust(desk), NOT_FOUND)
    assert desk.unit("l").mark is Mark.NONE
    assert desk.why(Fire((A,), (MG,), desk.hex("C1"), (L,))) == ""


@rules("3.4", "4.4.2", system="aslsk3")
def test_4_4_2_the_next_phase_knows_whom_he_directed() -> None:
    desk = prep("MPh", "russian")
    desk.play(Move((R,), (MoveStep(StepKind.ENTER, desk.hex("C1")),)))
    desk.play(faust(desk), FOUND, MISS)
    assert desk.why(Fire((A,), (), desk.hex("C1"), (L,))) == "4.4.2"
    while desk.state.phase is Phase.MOVEMENT:
        desk.play(HoldFire() if desk.asked == "german" else desk.options()[0])
    assert desk.state.phase is Phase.DEFENSIVE_FIRE
    assert desk.why(Fire((A,), (), desk.hex("C1"), (L,))) == "", "the same unit, in another phase (3.4)"
    assert desk.why(Fire((B,), (), desk.hex("C1"), (L,))) == "3.2.2"
    assert desk.why(Done()) == ""


@rules("4.0", "4.4.2", system="aslsk3")
@pytest.mark.parametrize(
    ("card", "mark"),
    [("german/4-6-7", Mark.NONE), ("german/2-4-7", Mark.PREP_FIRE), ("german/9-1", Mark.PREP_FIRE)],
    ids=["squad", "half-squad", "leader"],
)
def test_4_4_2_a_check_in_vain_is_the_use_of_a_weapon(card: str, mark: Mark) -> None:
    desk = Desk(
        "PFPh",
        ". . b .\n. . . .",
        german=side(squad("a", card, at="A1"), squad("b", at="A2")),
        russian=side(squad("r", "russian/4-4-7", at="C1")),
        conditions=PF,
    )
    desk.play(faust(desk, leader=UnitId("")), NOT_FOUND)
    assert desk.unit("a").mark is mark, "a squad keeps its own FP"
