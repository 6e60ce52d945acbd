"""6.5: Guns that are pushed, and 4.0: Guns among the weapons that units possess."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import Advance, Done, DropWeapon, Fire, HoldFire, Move, Rout
from sandtable.systems.aslsk.common.facts.manhandling_events import ManhandlingRolled
from sandtable.systems.aslsk.common.phase_end import phase_ended
from sandtable.systems.aslsk.common.stacking import fits
from sandtable.systems.aslsk.common.vehicle_actions import TurnArc
from sandtable.systems.aslsk.pieces.state import MoveStep, Phase, StepKind, UnitId, WeaponId
from tests.aslsk.clash import PLAIN, Clash, side, squad

rules = pytest.mark.rules
C, L, S, T = (UnitId(name) for name in "CLST")
GUN = WeaponId("gun")
AT = "american/M1 57mm AT"
CREW = "american/2-2-7 crew"


def gun(card: str = AT, **flags: Any) -> dict[str, Any]:
    return {"id": "gun", "card": card, "owner": "C", "facing": "N/NE", "emplaced": True, **flags}


def mph(*units: dict[str, Any], cells: str = PLAIN, weapon: dict[str, Any] | None = None, **fields: Any) -> Clash:
    """The MPh of the side with the Gun, an American crew in B2 with it."""
    crew = squad("C", CREW, "B2")
    german = side(crew, *units, weapons=[weapon or gun(), *fields.pop("weapons", ())])
    return Clash("MPh", cells, german=german, russian=fields.pop("russian", side()), **fields)


def push(clash: Clash, *labels: str, way: int = 0) -> tuple[MoveStep, ...]:
    return tuple(MoveStep(StepKind.MANHANDLE, clash.hex(label), weapon=GUN, way=way) for label in labels)


def rolled(clash: Clash) -> ManhandlingRolled:
    return next(event for event in clash.events if isinstance(event, ManhandlingRolled))


@rules("6.5", system="aslsk3")
@pytest.mark.parametrize(
    ("roll", "result", "entered"),
    [((3, 4), "moves", True), ((4, 4), "moves and stops", True), ((4, 5), "stays", False)],
)
def test_6_5_under_the_number_moves_equal_stops_above_stays(roll: tuple[int, int], result: str, entered: bool) -> None:
    clash = mph()
    clash.play(Move((C,), push(clash, "B1"), halt=True), roll)
    assert (rolled(clash).number.total, rolled(clash).result) == (8, result)
    assert (clash.unit("C").hex == clash.hex("B1")) is entered
    goes_on = [event for event in clash.events if isinstance(event, ev.MoveEnded)] == []
    assert goes_on is (result == "moves")


@rules("6.5", system="aslsk3")
def test_6_5_it_costs_twice_the_mf_and_goes_on_while_they_last() -> None:
    clash = mph()
    clash.play(Move((C,), push(clash, "B1", "C1")), (1, 1), (1, 1))
    assert [event.cost.total for event in clash.events if isinstance(event, ev.UnitsMoved)] == [4, 4]
    clash = mph()
    assert clash.why(Move((C,), push(clash, "B1", "C1", "D1"))) == "6.5"


@rules("6.5", system="aslsk3")
def test_6_5_the_gun_points_as_its_crew_likes_and_is_emplaced_no_more() -> None:
    clash = mph()
    clash.play(Move((C,), push(clash, "B1", way=3)), (1, 1))
    weapon = clash.state.weapons[GUN]
    assert (weapon.facing, weapon.emplaced, weapon.manhandled) == (3, False, True)


@rules("6.5", system="aslsk3")
def test_6_5_one_that_stays_keeps_facing_and_emplacement() -> None:
    clash = mph()
    clash.play(Move((C,), push(clash, "B1", way=3)), (6, 6))
    weapon = clash.state.weapons[GUN]
    assert (weapon.facing, weapon.emplaced) == (0, True)


@rules("3.2.4", "6.5", system="aslsk3")
@pytest.mark.parametrize(("flags", "rule"), [({"manhandled": True}, "6.5"), ({"manhandled": True, "moved": True}, "")])
def test_6_5_one_that_stays_is_not_turned_either(flags: dict[str, Any], rule: str) -> None:
    """The example: after a DR above the number the Gun does not change its CA this turn."""
    german = side(squad("C", CREW, "B2"), squad("S", "american/6-6-6", "D2"), weapons=[gun(**flags)])
    clash = Clash("AFPh", german=german, russian=side(squad("R", "russian/4-4-7", "D3")))
    assert clash.why(TurnArc(3, GUN)) == rule
    assert (TurnArc(3, GUN) in clash.options()) == (not rule)


@rules("4.0", "6.5", system="aslsk3")
def test_6_5_in_the_next_player_turn_it_is_pushed_again() -> None:
    clash = mph(weapon=gun(manhandled=True))
    assert clash.why(Move((C,), push(clash, "B1"))) == "4.0"
    clash.state = phase_ended(clash.state, Phase.CLOSE_COMBAT)
    assert clash.why(Move((C,), push(clash, "B1"))) == ""


def _drm(clash: Clash) -> dict[str, int]:
    return {term.label: -term.value for term in rolled(clash).number.terms}


@rules("6.5", system="aslsk3")
def test_6_5_drm_of_terrain_and_leader() -> None:
    clash = mph(squad("L", "american/8-1", "B2"), cells=". w .\n. . .\n. . .\n")
    clash.play(Move((C, L), push(clash, "B1")), (1, 1))
    assert _drm(clash) == {"woods": 1, "MF": 4, "leadership of L": -1}


@rules("6.5", system="aslsk3")
def test_6_5_drm_of_a_road_hexside() -> None:
    road = [{"kind": "dirt_road", "line": ["B1", "B2"]}]
    clash = mph(features=road)
    clash.play(Move((C,), push(clash, "B1")), (1, 1))
    assert _drm(clash) == {"MF": 2, "road hexside": -2}


@rules("6.5", system="aslsk3")
@pytest.mark.parametrize(
    ("cards", "drm"),
    [
        (("american/6-6-6",), -2),
        (("american/2-2-7 crew",), -1),
        (("american/6-6-6", "american/6-6-6"), -4),
        (("american/6-6-6", "american/3-4-6", "american/3-4-6"), -4),
    ],
)
def test_6_5_more_hands_help_up_to_a_limit(cards: tuple[str, ...], drm: int) -> None:
    units = [squad(f"X{n}", card, "B2") for n, card in enumerate(cards)]
    clash = mph(*units)
    clash.play(Move((C, *(UnitId(unit["id"]) for unit in units)), push(clash, "B1")), (1, 1))
    assert _drm(clash) == {"MF": 2, "extra units": drm}


@rules("6.5", system="aslsk3")
def test_6_5_a_squad_pushes_better_than_a_crew() -> None:
    clash = mph(squad("S", "american/6-6-6", "B2"), weapon=gun(owner="S"))
    clash.play(Move((S,), push(clash, "B1")), (1, 1))
    assert _drm(clash) == {"MF": 2, "pushed by a squad": -1}


@rules("6.5", system="aslsk3")
def test_6_5_no_assault_movement_no_load_no_limbered_gun() -> None:
    clash = mph(weapons=[{"id": "mg", "card": "american/MMG", "owner": "C"}])
    assert clash.why(Move((C,), push(clash, "B1"))) == "6.5"
    assert clash.why(Move((C,), push(clash, "B1"), drop=(WeaponId("mg"),))) == ""
    clash = mph()
    assert clash.why(Move((C,), push(clash, "B1"), assault=True)) == "6.5"
    assert clash.why(Move((C,), push(clash, "B1"), double_time=True)) == ""
    clash = mph(weapon=gun("american/M2A1 105mm"))
    assert clash.why(Move((C,), push(clash, "B1"))) == "6.5"


@rules("1.2.6", "6.5", system="aslsk3")
@pytest.mark.parametrize(
    ("card", "rule"), [(AT, ""), ("american/M1 81mm MTR", ""), ("russian/76.2mm obr. 39", "1.2.6")]
)
def test_1_2_6_into_a_building_only_small_guns_and_at_or_inf_guns_that_are_not_large(card: str, rule: str) -> None:
    clash = mph(squad("L", "american/8-0", "B2"), cells=". b .\n. . .\n. . .\n", weapon=gun(card))
    assert clash.why(Move((C, L), push(clash, "B1"))) == rule


@rules("4.0", "6.5", system="aslsk3")
def test_6_5_nobody_carries_a_gun() -> None:
    clash = mph()
    assert clash.why(Move((C,), (MoveStep(to=clash.hex("B1")),))) == "6.5"
    clash.play(Move((C,), (MoveStep(to=clash.hex("B1")),), drop=(GUN,)))
    assert clash.state.weapons[GUN].hex == clash.hex("B2")


@rules("4.0", "6.5", system="aslsk3")
def test_6_5_a_gun_does_not_advance_and_may_be_dropped() -> None:
    crew = squad("C", CREW, "B2")
    clash = Clash("APh", german=side(crew, weapons=[gun()]), russian=side())
    assert clash.why(Advance((C,), clash.hex("B1"))) == "6.5"
    clash.play(DropWeapon(GUN))
    clash.play(Advance((C,), clash.hex("B1")))


@rules("6.5", system="aslsk3")
def test_6_5_hazardous_movement_is_minus_two_in_place_of_ffmo_and_ffnam() -> None:
    clash = mph(russian=side(squad("R", "russian/4-4-7", "B5")))
    clash.play(Move((C,), push(clash, "B1")), (1, 1))
    clash.play(Fire((UnitId("R"),), (), clash.hex("B1")), (6, 5))
    shot = next(event for event in clash.events if isinstance(event, ev.FireResolved))
    assert [(term.value, term.rule) for term in shot.drm.terms] == [(-2, "6.5")]


@rules("6.5", system="aslsk3")
def test_6_5_who_has_tried_neither_fires_in_the_afph_nor_advances() -> None:
    clash = mph(squad("S", "american/6-6-6", "B2"), russian=side(squad("R", "russian/4-4-7", "B5")))
    clash.play(Move((C, S), push(clash, "B1")), (6, 6))
    assert clash.unit("S").hazardous
    while clash.state.phase.value == "MPh":
        clash.play(HoldFire() if clash.asked == "russian" else Done())
    while clash.state.phase.value in ("DFPh", "AFPh"):
        if clash.state.phase.value == "AFPh":
            assert clash.why(Fire((S,), (), clash.hex("B5"))) == "6.5"
        clash.play(Done())
    assert clash.state.phase.value != "APh" or clash.why(Advance((S,), clash.hex("B3"))) == "6.5"


@rules("3.2.2", "4.1", "6.5", system="aslsk3")
def test_6_5_a_leader_who_has_pushed_neither_directs_fire_nor_is_second_man_in_the_afph() -> None:
    """Who directs is treated as if he attacked (3.2.2)."""
    others = (squad("L", "american/9-1", "B2"), squad("M", "american/8-0", "B2"), squad("S", "american/6-6-6", "B2"))
    mg = {"id": "mg", "card": "american/MMG", "owner": "M"}
    clash = mph(*others, weapons=[mg], russian=side(squad("R", "russian/4-4-7", "B5")))
    clash.play(Move((C, L), push(clash, "B1")), (6, 6))
    while clash.state.phase.value != "AFPh":
        clash.play(HoldFire() if clash.decision.rule == "3.3.3" else Done())
    target = clash.hex("B5")
    assert [clash.why(Fire((S,), (), target, leaders)) for leaders in ((), (L,), (UnitId("M"),))] == ["", "6.5", ""]
    assert clash.why(Fire((L,), (WeaponId("mg"),), target)) == "6.5"
    assert not any(L in (*getattr(action, "leaders", ()), *getattr(action, "units", ())) for action in clash.options())


@rules("3.6", "4.0", system="aslsk3")
def test_3_6_a_routing_crew_leaves_its_gun() -> None:
    crew = squad("C", CREW, "B2", broken=True, dm=True)
    russian = side(squad("R", "russian/4-4-7", "B1"))
    clash = Clash("RtPh", german=side(crew, weapons=[gun()]), russian=russian)
    routs = [action for action in clash.options() if isinstance(action, Rout)]
    assert routs
    assert all(action.keep == () for action in routs)


@rules("3.3.1", system="aslsk3")
def test_3_3_1_a_crew_with_a_gun_stacks_as_a_squad() -> None:
    units = [squad(f"S{n}", "american/6-6-6", "B1") for n in range(2)]
    half = squad("H", "american/3-4-6", "B1")
    for weapon, room in ((gun(), False), (gun(owner="", at="B2"), True)):
        crew = squad("C", CREW, "B2")
        clash = Clash("MPh", german=side(crew, *units, half, weapons=[weapon]), russian=side())
        assert fits(clash.context, clash.state, clash.hex("B1"), "german", (clash.unit("C"),)) is room


@rules("6.5", system="aslsk3")
@pytest.mark.parametrize("wounded", [False, True])
def test_6_5_a_leader_without_a_negative_drm_neither_helps_nor_hinders(*, wounded: bool) -> None:
    clash = mph(squad("L", "american/8-0", "B2", wounded=wounded))
    clash.play(Move((C, L), push(clash, "B1")), (1, 1))
    assert _drm(clash) == {"MF": 2}
