"""What a player is told who errs: the rule, the reason in plain words, and what would make it legal."""

import ast
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest

from sandtable.core.errors import Refusal
from sandtable.systems import aslsk
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import Action, Advance, Done, Fire, HoldFire, Move, Rally, Rout, SelfRally
from sandtable.systems.aslsk.pieces.state import MoveStep, Rallying, RallyStep, StepKind, UnitId
from sandtable.systems.aslsk.rules import AslskRules
from tests.aslsk.clash import Clash, side, squad

rules = pytest.mark.rules
A, B, C, L, R = UnitId("a"), UnitId("b"), UnitId("c"), UnitId("l"), UnitId("r")
FOE = side(squad("r", "russian/4-4-7", at="E2"), squad("s", "russian/4-4-7", at="F3"))


def told(clash: Clash, action: Action) -> Refusal:
    refusal = clash.rules.refusal(clash.state, clash.decision.asked[0], action)
    assert refusal is not None
    return refusal


def steps(clash: Clash, *labels: str) -> tuple[MoveStep, ...]:
    return tuple(MoveStep(StepKind.ENTER, clash.hex(label)) for label in labels)


def moving() -> Clash:
    full = [squad(f"f{number}", at="C3") for number in range(3)]
    men = [squad("a", at="D2"), squad("b", at="B2", pinned=True), squad("c", at="B2", broken=True), *full]
    return Clash("MPh", german=side(*men, squad("m", at="A1", mark="Prep Fire")), russian=FOE)


def advancing() -> Clash:
    full = [squad(f"f{number}", at="D3") for number in range(3)]
    men = [squad("a", at="D2"), squad("b", at="D2", pinned=True), squad("c", at="D2", broken=True), *full]
    return Clash("APh", german=side(*men), russian=FOE)


MISTAKES: list[tuple[Callable[[], Clash], Callable[[Clash], Action], str, str]] = [
    (moving, lambda d: Move((A,), steps(d, "E2")), "3.3", "an enemy unit is in E2"),
    (moving, lambda d: Move((A,), steps(d, "D3", "C3")), "3.3.1", "three squad-equivalents and four SMC"),
    (moving, lambda d: Move((B,), steps(d, "C2")), "3.2.3", "pinned and does not move"),
    (moving, lambda d: Move((C,), steps(d, "C2")), "3.3", "only rout and rally"),
    (moving, lambda d: Move((UnitId("m"),), steps(d, "A2")), "3.3", "in the PFPh"),
    (moving, lambda d: Move((A,), steps(d, "D3", "D4", "D5", "E5", "F5")), "3.3.1", "costs 1 MF, and 0 are left"),
    (moving, lambda d: Move((A,), steps(d, "D4")), "3.3", "may not skip hexes"),
    (moving, lambda d: Fire((A,), (), d.hex("E2")), "3.3", "fire is for the fire phases"),
    (advancing, lambda d: Advance((B,), d.hex("E2")), "3.7", "pinned and does not advance"),
    (advancing, lambda d: Advance((C,), d.hex("E2")), "3.7", "c is broken"),
    (advancing, lambda d: Advance((A,), d.hex("D3")), "3.3.1", "stacking limits would be exceeded in D3"),
    (advancing, lambda d: Advance((A,), d.hex("D4")), "3.7", "D4 is not adjacent"),
    (advancing, lambda d: Move((A,), steps(d, "D3")), "3.7", "advance, transfer or end it"),
]


@rules("3.2.3", "3.3", "3.3.1", "3.7", system="aslsk3")
@pytest.mark.parametrize(("position", "action", "rule", "words"), MISTAKES, ids=[words for *_, words in MISTAKES])
def test_moves_and_advances_that_are_not_allowed(
    position: Callable[[], Clash], action: Callable[[Clash], Action], rule: str, words: str
) -> None:
    clash = position()
    refusal = told(clash, action(clash))
    assert refusal.rule == rule
    assert words in str(refusal)


@rules("3.2", "3.2.2", system="aslsk3")
def test_3_2_firing_twice_or_beside_a_group() -> None:
    clash = Clash("PFPh", german=side(squad("a", at="B2"), squad("b", at="B2")), russian=FOE)
    clash.play(Fire((A,), (), clash.hex("E2")), (6, 5))
    again, beside = (told(clash, Fire((unit,), (), clash.hex("E2"))) for unit in (A, B))
    assert (again.rule, beside.rule) == ("3.2", "3.2.2")
    assert "has fired already" in str(again)
    assert "as one fire group" in str(beside)


@rules("3.1", system="aslsk3")
def test_3_1_rallying_with_the_wrong_leader_or_a_second_time() -> None:
    men = [squad("a", at="B2", broken=True), squad("c", at="B2"), squad("l", "german/8-1", at="B2")]
    clash = Clash("RPh", german=side(*men, squad("k", "german/8-1", at="D5")), russian=FOE)
    clash.play(SelfRally(A), (6, 5))
    assert clash.saw(ev.RallyAttempted, unit=A)
    clash = Clash("RPh", german=side(*men, squad("k", "german/8-1", at="D5")), russian=FOE)
    while not (isinstance(frame := clash.state.stack[-1], Rallying) and frame.step is RallyStep.UNIT_RALLY):
        clash.play(Done())
    for leader in ("k", "c"):
        assert f"'{leader}' is no leader stacked with a" in str(told(clash, Rally(A, UnitId(leader))))
    assert "c is not broken" in str(told(clash, Rally(C, L)))


@rules("3.6", system="aslsk3")
def test_3_6_routs_that_are_not_allowed() -> None:
    clash = Clash("RtPh", german=side(squad("a", at="D2", broken=True), squad("b", at="B2")), russian=FOE)
    assert "come closer to" in str(told(clash, Rout(A, (clash.hex("C3"), clash.hex("D3"), clash.hex("E3")))))
    assert "a must rout" in str(told(clash, Done()))
    assert "a broken unit under DM" in str(told(clash, Rout(B, (clash.hex("A2"),))))


@rules("3.3.3", system="aslsk3")
def test_3_3_3_defensive_fire_that_is_not_allowed() -> None:
    men = [squad("a", at="B2", mark="Final Fire"), squad("b", at="B3", mark="First Fire"), squad("c", at="A1")]
    foe = side(squad("r", "russian/4-4-7", at="F2"), squad("s", "russian/4-4-7", at="C4"))
    clash = Clash("MPh", german=side(*men), russian=foe, attacker="russian")
    clash.play(Move((R,), steps(clash, "E2")))
    target = clash.hex("E2")
    assert "fires only at adjacent movers" in str(told(clash, Fire((A,), (), target)))
    assert "an enemy unit is closer to b" in str(told(clash, Fire((B,), (), target)))
    assert "those who have just spent MF" in str(told(clash, Fire((B,), (), clash.hex("C4"))))
    assert clash.rules.refusal(clash.state, clash.decision.asked[0], HoldFire()) is None


@rules("3.0", system="aslsk3")
def test_3_0_every_action_has_its_occasion() -> None:
    kinds: tuple[type[Action], ...] = get_args(AslskRules.action_type)
    assert Done in kinds
    assert [kind.__name__ for kind in kinds if not (kind.deed and kind.when)] == []
    assert (Done.deed, Done.when) == ("having done", "what may be left undone")


@rules("3.3.1", system="aslsk3")
def test_3_3_1_costs_are_told_in_mf_and_in_halves_only_where_there_is_one() -> None:
    clash = Clash("MPh", ". b g .", german=side(squad("a", at="A1")), russian=side())
    clash.play(Move((A,), steps(clash, "B1", "C1")))
    costs = [clash.rules.breakdowns(event)[0] for event in clash.events if isinstance(event, ev.UnitsMoved)]
    assert [(cost.title, cost.total) for cost in costs] == [("MF", 2), ("MF in halves", 3)]


@pytest.mark.parametrize("room", ["armour", "guns", "vehicles"])
def test_whoever_is_refused_a_gun_or_a_vehicle_is_told_what_he_may_do_instead(room: str) -> None:
    bare = []
    for path in sorted((Path(aslsk.__file__).parent / room).glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Refusal":
                remedy = node.args[2] if len(node.args) > 2 else None
                if remedy is None or (isinstance(remedy, ast.Constant) and not remedy.value):
                    bare.append(f"{path.name}:{node.lineno}")
    assert not bare
