"""7.4, 7.4.1: AFV and wrecks as cover and as hindrances."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import Fire, Move
from sandtable.systems.aslsk.fire.drm import cover_terms
from sandtable.systems.aslsk.fire.interdiction import interdictors
from sandtable.systems.aslsk.pieces.state import MoveStep, Phase, UnitId
from tests.aslsk.clash import PLAIN, Clash, side, squad

rules = pytest.mark.rules


def tank(name: str, at: str, card: str = "german/PzKpfw IIF", **flags: Any) -> dict[str, Any]:
    return {"id": name, "card": card, "at": at, "vca": "N/NE", **flags}


def _line(phase: str = "PFPh", cells: str = "", *, at: str = "D3", **flags: Any) -> Clash:
    """A German in D5 and a Russian in D1 with a German vehicle or wreck between."""
    german = side(squad("G", at="D5"), vehicles=[tank("V", at, **flags)])
    fields: dict[str, Any] = {"german": german, "russian": side(squad("R", "russian/4-4-7", "D1"))}
    return Clash(phase, cells, **fields) if cells else Clash(phase, **fields)


def _hindrance(clash: Clash, a: str = "D5", b: str = "D1") -> int:
    return clash.context.hindrance(clash.state, clash.hex(a), clash.hex(b))


@rules("7.4.1", system="aslsk3")
@pytest.mark.parametrize(
    ("flags", "hindrance"),
    [
        ({}, 1),
        ({"wreck": True}, 1),
        ({"motion": True}, 0),
        ({"moving_target": True}, 0),
        ({"wreck": True, "wrecked_moving": True}, 0),
    ],
)
def test_7_4_1_a_resting_afv_or_wreck_hinders(flags: dict[str, Any], hindrance: int) -> None:
    assert _hindrance(_line(**flags)) == hindrance


@rules("7.4.1", system="aslsk3")
def test_7_4_1_one_that_has_moved_hinders_once_the_afph_is_over() -> None:
    clash = _line(moving_target=True)
    for now in Phase:
        state = replace(clash.state, phase=now)
        late = now in (Phase.ROUT, Phase.ADVANCE, Phase.CLOSE_COMBAT)
        assert clash.context.hindrance(state, clash.hex("D5"), clash.hex("D1")) == late


@rules("7.4.1", system="aslsk3")
def test_7_4_1_fire_into_and_out_of_its_hex_is_not_hindered() -> None:
    assert _hindrance(_line(at="D1", wreck=True)) == 0
    assert _hindrance(_line(at="D5")) == 0


@rules("7.4.1", system="aslsk3")
def test_7_4_1_two_in_one_hex_hinder_once() -> None:
    german = side(squad("G", at="D5"), vehicles=[tank("V", "D3"), tank("W", "D3", wreck=True)])
    clash = Clash("PFPh", german=german, russian=side(squad("R", "russian/4-4-7", "D1")))
    assert _hindrance(clash) == 1


@rules("7.4.1", system="aslsk3")
def test_7_4_1_a_line_along_a_hexside_of_its_hex_is_not_through_it() -> None:
    clash = Clash("PFPh", german=side(squad("G", at="B3"), vehicles=[tank("V", "C3")]), russian=side())
    ground = clash.context.ground
    for label in ("A1", "D2", "D3", "E2", "F4"):
        a, b = clash.hex("B3"), clash.hex(label)
        touched = clash.hex("C3") in ground.between(a, b) and clash.hex("C3") not in ground.through(a, b)
        if touched:
            assert clash.context.hindrance(clash.state, a, b) == 0
            break
    else:
        pytest.fail("no line runs along the hexside")


@rules("7.4.1", system="aslsk3")
@pytest.mark.parametrize("level", [0, 1])
def test_7_4_1_only_on_a_line_of_one_level(level: int) -> None:
    hill = [{"kind": "hill", "hexes": ["D1"], "level": level}] if level else []
    clash = Clash("PFPh", features=hill, german=side(squad("G", at="D5"), vehicles=[tank("V", "D3")]), russian=side())
    assert clash.context.ground.clear(clash.hex("D5"), clash.hex("D1"))
    assert _hindrance(clash) == 1 - level


@rules("7.4.1", system="aslsk3")
def test_7_4_1_a_wreck_that_one_end_does_not_see_hinders_nothing() -> None:
    german = side(squad("G", at="A1"), vehicles=[tank("V", "A2", wreck=True)])
    for cells, hindrance in ((PLAIN, 1), (". . . . . . .\n" * 3 + "w . . . . . .\n. . . . . . .\n", 0)):
        clash = Clash("PFPh", cells, german=german, russian=side())
        assert clash.context.sees(clash.state, clash.hex("A1"), clash.hex("B5"))
        assert _hindrance(clash, "A1", "B5") == hindrance


@rules("7.4.1", system="aslsk3")
def test_7_4_1_the_report_of_a_line_names_the_wreck() -> None:
    clash = _line(wreck=True)
    sight = clash.rules.sight(clash.state, clash.hex("D5"), clash.hex("D1"))
    assert [(one.at, one.rule) for one in sight.hindrances] == [(clash.hex("D3"), "7.4.1")]
    assert sight.hindrance == 1


def _shot(clash: Clash, *dice: int | tuple[int, int]) -> ev.FireResolved:
    clash.play(Fire((UnitId("G"),), (), clash.hex("D1")), *dice)
    return next(event for event in clash.events if isinstance(event, ev.FireResolved))


def _terms(shot: ev.FireResolved) -> dict[str, int]:
    return {term.rule: term.value for term in shot.drm.terms}


def _covered(cells: str = "", **flags: Any) -> Clash:
    russian = side(squad("R", "russian/4-4-7", "D1"), vehicles=[tank("V", "D1", "russian/T-34/85", **flags)])
    fields: dict[str, Any] = {"german": side(squad("G", at="D3")), "russian": russian}
    return Clash("PFPh", cells, **fields) if cells else Clash("PFPh", **fields)


@rules("7.4", system="aslsk3")
def test_7_4_infantry_with_a_friendly_afv_has_a_tem_of_one() -> None:
    assert _terms(_shot(_covered(), (6, 5))) == {"7.4": 1}


@rules("7.4", system="aslsk3")
def test_7_4_no_tem_beside_an_afv_in_motion() -> None:
    assert _terms(_shot(_covered(motion=True), (6, 5))) == {}


@rules("7.4", system="aslsk3")
def test_7_4_an_enemy_afv_is_no_cover_and_its_wreck_is() -> None:
    for wreck in (False, True):
        german = side(squad("G", at="D3"), vehicles=[tank("V", "D1", wreck=wreck)])
        clash = Clash("PFPh", german=german, russian=side(squad("R", "russian/4-4-7", "D1")))
        terms = cover_terms(clash.context, clash.state, clash.unit("R"), ())
        assert bool(terms) is wreck


@rules("7.4", system="aslsk3")
def test_7_4_not_where_there_is_another_tem() -> None:
    cells = ". . . w . . .\n. . . . . . .\n. . . . . . .\n"
    assert _terms(_shot(_covered(cells), (6, 5))) == {"1.1.1": 1}


@rules("7.4", system="aslsk3")
def test_7_4_the_tem_adds_to_a_hindrance() -> None:
    russian = side(squad("R", "russian/4-4-7", "D1"), vehicles=[tank("V", "D1", "russian/T-34/85")])
    german = side(squad("G", at="D5"), vehicles=[tank("W", "D3", wreck=True)])
    clash = Clash("PFPh", german=german, russian=russian)
    assert _terms(_shot(clash, (6, 5))) == {"7.4.1": 1, "7.4": 1}


@rules("7.4", system="aslsk3")
def test_7_4_a_mover_beside_a_friendly_afv_is_spared_ffmo_not_ffnam() -> None:
    russian = side(squad("R", "russian/4-4-7", "D3"))
    german = side(squad("G", at="D1"), vehicles=[tank("V", "E1")])
    clash = Clash("MPh", german=german, russian=russian, attacker="german")
    clash.play(Move((UnitId("G"),), (MoveStep(to=clash.hex("E1")),)))
    clash.play(Fire((UnitId("R"),), (), clash.hex("E1")), (6, 5))
    shot = next(event for event in clash.events if isinstance(event, ev.FireResolved))
    assert {(term.label, term.value) for term in shot.drm.terms} == {("FFNAM", -1), ("AFV or wreck", 1)}


@rules("3.6", system="aslsk3")
def test_3_6_nobody_interdicts_a_unit_beside_a_wreck() -> None:
    for wrecks in ((), (tank("V", "D3", wreck=True),)):
        german = side(squad("G", at="D1"), vehicles=list(wrecks))
        russian = side(squad("R", "russian/4-4-7", "D3", broken=True))
        clash = Clash("RtPh", german=german, russian=russian)
        by = list(interdictors(clash.context, clash.state, clash.hex("D3"), "russian"))
        assert bool(by) is not bool(wrecks)
