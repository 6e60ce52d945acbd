"""4.4.2: a leader who directs a panzerfaust directs nothing else in that phase."""

import pytest

from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import Done, Fire, FireOrdnance, HoldFire, Move
from sandtable.systems.aslsk.pieces.state import Mark, MoveStep, Phase, StepKind, UnitId, WeaponId
from tests.aslsk.clash import Clash, side, squad

rules = pytest.mark.rules
A, B, L, R = map(UnitId, ("a", "b", "l", "r"))
MG = WeaponId("mg")
PF = {"year": 1944, "month": 8, "panzerfausts": ["german"]}
MISS = (6, 5)
FOUND, NOT_FOUND = 1, 5


def prep(phase: str = "PFPh", attacker: str = "german") -> Clash:
    return Clash(
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


def faust(clash: Clash, unit: UnitId = A, leader: UnitId = L) -> FireOrdnance:
    return FireOrdnance(clash.hex("C1"), unit=unit, leader=leader)


@rules("4.4.2", system="aslsk3")
def test_4_4_2_a_panzerfaust_takes_up_all_direction_of_the_phase() -> None:
    clash = prep()
    target = clash.hex("C1")
    assert faust(clash) in clash.options()
    clash.play(faust(clash), FOUND, MISS)
    assert clash.why(Fire((A,), (), target, (L,))) == "4.4.2", "not even the same unit"
    assert clash.why(faust(clash)) == "4.4.2", "one PF only"
    assert clash.why(faust(clash, leader=UnitId(""))) == ""
    assert not any(L in (*getattr(action, "leaders", ()), getattr(action, "leader", "")) for action in clash.options())


@rules("4.4.2", system="aslsk3")
def test_4_4_2_who_has_directed_fire_in_the_phase_directs_no_panzerfaust() -> None:
    clash = prep()
    clash.play(Fire((), (MG,), clash.hex("C1"), (L,)), (1, 6))
    assert clash.why(faust(clash, B)) == "4.4.2"
    assert faust(clash, B) not in clash.options()
    assert clash.why(Fire((), (MG,), clash.hex("C1"), (L,))) == "", "ROF is directed again"


@rules("4.4.2", system="aslsk3")
def test_4_4_2_direction_is_used_by_a_to_hit_dr_not_by_a_check_in_vain() -> None:
    clash = prep()
    clash.play(faust(clash), NOT_FOUND)
    assert clash.unit("l").mark is Mark.NONE
    assert clash.why(Fire((A,), (MG,), clash.hex("C1"), (L,))) == ""


@rules("3.4", "4.4.2", system="aslsk3")
def test_4_4_2_the_next_phase_knows_whom_he_directed() -> None:
    clash = prep("MPh", "russian")
    clash.play(Move((R,), (MoveStep(StepKind.ENTER, clash.hex("C1")),)))
    clash.play(faust(clash), FOUND, MISS)
    assert clash.why(Fire((A,), (), clash.hex("C1"), (L,))) == "4.4.2"
    while clash.state.phase is Phase.MOVEMENT:
        clash.play(HoldFire() if clash.asked == "german" else clash.options()[0])
    assert clash.state.phase is Phase.DEFENSIVE_FIRE
    assert clash.why(Fire((A,), (), clash.hex("C1"), (L,))) == "", "the same unit, in another phase (3.4)"
    assert clash.why(Fire((B,), (), clash.hex("C1"), (L,))) == "3.2.2"
    assert clash.why(Done()) == ""


@rules("4.0", "4.4.2", system="aslsk3")
@pytest.mark.parametrize(
    ("card", "mark"),
    [("german/4-6-7", Mark.NONE), ("german/2-4-7", Mark.PREP_FIRE), ("german/9-1", Mark.PREP_FIRE)],
    ids=["squad", "half-squad", "leader"],
)
def test_4_4_2_a_check_in_vain_is_the_use_of_a_weapon(card: str, mark: Mark) -> None:
    clash = Clash(
        "PFPh",
        ". . b .\n. . . .",
        german=side(squad("a", card, at="A1"), squad("b", at="A2")),
        russian=side(squad("r", "russian/4-4-7", at="C1")),
        conditions=PF,
    )
    clash.play(faust(clash, leader=UnitId("")), NOT_FOUND)
    assert clash.unit("a").mark is mark, "a squad keeps its own FP"


@rules("3.2.1", "4.4.2", "4.4.3", system="aslsk3")
@pytest.mark.parametrize(("dice", "card"), [((2, 6), "german/4-6-7"), ((6, 6), "german/2-4-7")])
def test_3_2_1_a_panzerfaust_without_a_line_of_sight_is_fired_for_all_purposes(
    dice: tuple[int, int], card: str
) -> None:
    """Its 12 and its backblast come to those who fired, as a bazooka's does."""
    clash = Clash(
        "PFPh",
        "b b b .\n. . . .",
        german=side(squad("a", at="A1"), squad("b", at="B2")),
        russian=side(squad("r", "russian/4-4-7", at="C1")),
        conditions=PF,
    )
    assert not clash.context.sees(clash.state, clash.hex("A1"), clash.hex("C1"))
    shot = FireOrdnance(clash.hex("C1"), unit=A, backblast=True)
    clash.play(shot, FOUND, dice, *[(1, 2)] * (dice[0] == 2))
    assert clash.saw(ev.HexesBlocked)
    assert clash.saw(ev.BackblastStruck, roll=dice[0])
    assert not clash.saw(ev.OrdnanceResolved)
    assert clash.unit("a").card == card
