"""3.2.4 To Hit case 23: a light mortar fires at a hex in which nobody is, to acquire it before somebody comes."""

from typing import Any

import pytest

from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import Done, Fire, FireOrdnance
from sandtable.systems.aslsk.pieces.state import FirePhase, UnitId, WeaponId
from tests.aslsk.clash import Clash, side, squad

rules = pytest.mark.rules
A, L = UnitId("a"), UnitId("l")
MTR, BAZ = WeaponId("mtr"), WeaponId("baz")
ROW = ". . . . . . . ."


def clash_of(phase: str = "PFPh", cells: str = ROW, *others: dict[str, Any], **fields: Any) -> Clash:
    weapons = [{"id": "mtr", "card": "german/50mm MTR", "owner": "a", **fields.pop("mortar", {})}]
    german = side(squad("a", at="A1"), *others, weapons=weapons)
    russian = fields.pop("russian", side(squad("r", "russian/4-4-7", at="H1")))
    return Clash(phase, cells, german=german, russian=russian, **fields)


def at_empty(clash: Clash, label: str = "D1", leader: str = "") -> FireOrdnance:
    return FireOrdnance(clash.hex(label), weapon=MTR, leader=UnitId(leader))


def aimed(clash: Clash) -> ev.OrdnanceResolved:
    return next(event for event in clash.events if isinstance(event, ev.OrdnanceResolved))


@rules("3.2.4", "4.5", system="aslsk3")
def test_3_2_4_area_fire_at_an_empty_hex_has_a_drm_of_two_and_acquires_it() -> None:
    clash = clash_of()
    assert at_empty(clash) in list(clash.options())
    clash.play(at_empty(clash), (6, 2))
    terms = {term.label: term.value for term in aimed(clash).number.terms}
    assert terms == {"Empty hex": -2}
    weapon = clash.state.weapons[MTR]
    assert (weapon.acquired, weapon.acquisition) == (clash.hex("D1"), -1)
    assert not clash.saw(ev.FireResolved), "nobody is there"


@rules("3.2.4", "6.11", system="aslsk3")
def test_6_11_what_is_acquired_counts_when_somebody_comes() -> None:
    clash = clash_of(mortar={"acquired": "D1", "acquisition": -1})
    clash.play(at_empty(clash), (1, 6))
    weapon = clash.state.weapons[MTR]
    assert (weapon.acquired, weapon.acquisition) == (clash.hex("D1"), -2)
    assert clash.why(at_empty(clash)) == "", "it keeps its ROF"
    clash.play(at_empty(clash), (6, 5))
    assert {term.label: term.value for term in aimed(clash).number.terms} == {"Empty hex": -2, "Acquired Target": 2}


@rules("3.2.4", system="aslsk3")
def test_3_2_4_nobody_else_fires_at_an_empty_hex() -> None:
    clash = clash_of()
    assert clash.why(Fire((A,), (), clash.hex("D1"))) == "3.2"
    clash = Clash(
        "PFPh",
        ". b . .",
        german=side(squad("a", at="A1"), weapons=[{"id": "baz", "card": "german/PSK", "owner": "a"}]),
        russian=side(squad("r", "russian/4-4-7", at="D1")),
    )
    assert clash.why(FireOrdnance(clash.hex("B1"), weapon=BAZ)) == "3.2"


@rules("3.2.4", "6.9", system="aslsk3")
def test_6_9_the_hex_is_in_range_on_the_map_and_holds_no_friend() -> None:
    clash = clash_of("PFPh", ROW, squad("b", at="E1"))
    assert clash.why(at_empty(clash, "A1")) != ""
    assert clash.why(at_empty(clash, "B1")) == "6.9", "closer than its minimum range"
    assert clash.why(at_empty(clash, "E1")) == "3.2", "a friend is there"
    offered = {action.target for action in clash.options() if isinstance(action, FireOrdnance)}
    assert offered == {clash.hex(label) for label in ("C1", "D1", "F1", "G1", "H1")}


@rules("3.2.1", "3.2.4", system="aslsk3")
def test_3_2_1_an_empty_hex_out_of_sight_may_be_declared_and_the_shot_is_lost() -> None:
    clash = clash_of("PFPh", ". . b . . . . .")
    clash.play(at_empty(clash, "E1"), (6, 5))
    assert clash.saw(ev.HexesBlocked)
    assert clash.state.weapons[MTR].acquired is None
    learner = clash_of("PFPh", ". . b . . . . .", conditions={"free_sight": True})
    assert learner.why(at_empty(learner, "E1")) == "3.2.1"
    assert not any(
        isinstance(action, FireOrdnance) and action.target == learner.hex("E1") for action in learner.options()
    )


@rules("3.2.4", "4.5", system="aslsk3")
def test_4_5_a_leader_directs_and_the_advancing_fire_phase_adds_its_own() -> None:
    clash = clash_of("AFPh", ROW, squad("l", "german/8-1", at="A1"))
    clash.play(at_empty(clash, leader="l"), (6, 5))
    terms = {term.label: term.value for term in aimed(clash).number.terms}
    assert terms == {"Empty hex": -2, "Fire in AFPh": -2, "directed by l": 1}


@rules("3.2.4", system="aslsk3")
@pytest.mark.parametrize(("phase", "attacker"), [("PFPh", "german"), ("DFPh", "russian"), ("AFPh", "german")])
def test_3_2_4_who_has_nothing_but_an_empty_hex_to_fire_at_is_asked(phase: str, attacker: str) -> None:
    """A mortar alone, with no enemy in its range."""
    clash = clash_of(
        phase,
        ". . . . . . . . . . . . . . . . . .",
        attacker=attacker,
        russian=side(squad("r", "russian/4-4-7", at="R1")),
    )
    assert isinstance(clash.state.stack[-1], FirePhase)
    assert clash.asked == "german"
    assert Done() in list(clash.options())
    assert any(isinstance(action, FireOrdnance) for action in clash.options())


@rules("3.2.4", system="aslsk3")
def test_3_2_4_the_odds_of_fire_at_an_empty_hex_strike_nobody() -> None:
    clash = clash_of()
    assert clash.rules.unit_odds(clash.state, at_empty(clash)) == {}
