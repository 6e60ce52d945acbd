"""3.3.1, 3.6, 3.7, 3.8: half sentences of movement, rout, advance and close combat that are easily forgotten."""

from typing import Any

import pytest

from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import (
    Advance,
    ArrangeLeaders,
    Continue,
    DeclareCloseCombat,
    HoldFire,
    Move,
    Rout,
    TransferWeapon,
)
from sandtable.systems.aslsk.phases.close_combat_odds import ambush_drm, attack_drm
from sandtable.systems.aslsk.phases.rout_paths import RoutMap, rout_map
from sandtable.systems.aslsk.pieces.state import (
    CcAttack,
    CloseCombat,
    MoveStep,
    StepKind,
    UnitId,
    WeaponId,
    Whereabouts,
)
from tests.aslsk.clash import Clash, side, squad

rules = pytest.mark.rules
A, B, L, R = map(UnitId, ("a", "b", "l", "r"))
FAR = side(squad("far", "russian/4-4-7", at="A5"))
ROAD = [{"kind": "dirt_road", "line": ["A1", "B1", "C1", "D1", "E1", "F1", "G1"]}]


def steps(clash: Clash, *hexes: str) -> tuple[MoveStep, ...]:
    return tuple(MoveStep(StepKind.ENTER, clash.hex(label)) for label in hexes)


# --- movement ---------------------------------------------------------------------------------------------------


@rules("1.1.1", "1.2.5", "3.3.1", system="aslsk3")
def test_1_1_1_smoke_on_the_road_costs_the_bonus() -> None:
    """Four hexes of road and a fifth by the bonus; with smoke in the second three hexes for four MF and no more."""
    path = ("B1", "C1", "D1", "E1", "F1")
    clear = Clash("MPh", german=side(squad("a", at="A1")), russian=FAR, features=ROAD)
    assert clear.why(Move((A,), steps(clear, *path))) == ""
    smoky = Clash("MPh", german=side(squad("a", at="A1")), russian=FAR, features=ROAD, smoke={"C1": "smoke grenades"})
    assert smoky.why(Move((A,), steps(smoky, *path[:3]))) == ""
    assert smoky.why(Move((A,), steps(smoky, *path[:4]))) == "3.3.1"


@rules("1.1.1", "3.3.1", system="aslsk3")
def test_1_1_1_mf_spent_on_anything_else_cost_the_road_bonus() -> None:
    gun = {"id": "w", "card": "german/LMG", "at": "A1"}
    clash = Clash("MPh", german=side(squad("a", at="A1"), weapons=[gun]), russian=FAR, features=ROAD)
    pick_up = MoveStep(StepKind.RECOVER, None, A, WeaponId("w"))
    assert clash.why(Move((A,), (pick_up, *steps(clash, "B1", "C1", "D1")))) == ""
    assert clash.why(Move((A,), (pick_up, *steps(clash, "B1", "C1", "D1", "E1")))) == "3.3.1"


@rules("3.3.1", system="aslsk3")
def test_3_3_1_smoke_grenades_are_tried_once_a_mph_even_after_a_halt() -> None:
    clash = Clash("MPh", german=side(squad("a", at="A1")), russian=FAR)
    throw = MoveStep(StepKind.SMOKE, clash.hex("A1"), A)
    clash.play(Move((A,), (throw,), halt=True), 5)
    clash.play(HoldFire())
    assert clash.why(Continue((A,), (throw,))) == "3.3.1"
    assert clash.why(Continue((A,), steps(clash, "B1"))) == ""


@rules("3.3.1", system="aslsk3")
def test_3_3_1_assault_movement_never_takes_the_last_mf() -> None:
    """Four MF: woods and a grenade into an adjacent hex take all of them, and so do woods uphill."""
    cells = ". w . . . . .\n. . . . . . .\n. w1 . . . . .\n. . . . . . .\n. . . . . . ."
    clash = Clash("MPh", cells, german=side(squad("a", at="A1"), squad("b", at="A3")), russian=FAR)
    near, far = (MoveStep(StepKind.SMOKE, clash.hex(label), A) for label in ("B1", "C1"))
    into_woods = steps(clash, "B1")
    assert clash.why(Move((A,), (*into_woods, near), assault=True)) == ""
    assert clash.why(Move((A,), (*into_woods, far), assault=True)) == "3.3.1"
    assert clash.why(Move((A,), (*into_woods, far))) == ""
    uphill = next(label for label in ("B3", "B2") if clash.context.ground.place(clash.hex(label)).level)
    assert clash.why(Move((B,), steps(clash, uphill), assault=True)) == "3.3.1"
    assert clash.why(Move((B,), steps(clash, uphill))) == ""


@rules("3.3.1", system="aslsk3")
@pytest.mark.parametrize(("double_time", "why"), [(True, ""), (False, "3.3.1")])
def test_3_3_1_a_leader_may_leave_who_has_the_mf_by_double_time(double_time: bool, why: str) -> None:
    """Five MF spent: six by Double Time alone, four without it and without him."""
    men = side(squad("a", at="A1"), squad("l", "german/8-0", at="A1"))
    clash = Clash("MPh", german=men, russian=side(squad("far", "russian/4-4-7", at="A5", mark="Final Fire")))
    path = steps(clash, "B1", "C1", "D1", "E1", "F1")
    clash.play(Move((A, L), path, double_time=double_time, halt=True))
    assert clash.why(Continue((L,), steps(clash, "G1"))) == why


@rules("3.3.1", system="aslsk3")
def test_3_3_1_four_leaders_a_hex_and_no_fifth() -> None:
    chiefs = [squad(f"l{number}", "german/8-0", at="B1") for number in range(4)]
    for there, why in ((4, "3.3.1"), (3, "")):
        clash = Clash("MPh", german=side(squad("l", "german/8-0", at="A1"), *chiefs[:there]), russian=FAR)
        assert clash.why(Move((L,), steps(clash, "B1"))) == why


@rules("1.3", "3.3", system="aslsk3")
def test_3_3_units_leave_the_map_only_from_the_turn_that_the_card_names() -> None:
    exits = [{"side": "german", "zone": [{"hexes": ["A1"]}], "from_turn": 5}]
    leave = Move((A,), (MoveStep(StepKind.EXIT, way=5),))
    for turn, why in ((4, "3.3"), (5, "")):
        clash = Clash("MPh", german=side(squad("a", at="A1")), russian=FAR, exits=exits, turn=turn)
        assert clash.why(leave) == why


# --- rout -------------------------------------------------------------------------------------------------------


COUNTRY = """
. . . . . . .
. . . . . . .
. . . . w . .
. . . . . . .
"""


@rules("3.6", system="aslsk3")
def test_3_6_a_pinned_leader_does_not_rout_along() -> None:
    for pinned, why in ((True, "3.6"), (False, "")):
        men = side(squad("a", at="C3", broken=True), squad("l", "german/8-1", at="C3", pinned=pinned))
        clash = Clash("RtPh", COUNTRY, german=men, russian=side(squad("r", "russian/4-4-7", at="A3")))
        assert clash.why(Rout(A, (clash.hex("D3"), clash.hex("E3")), escort=L)) == why


@rules("3.6", system="aslsk3")
def test_3_6_woods_next_to_a_broken_enemy_are_no_place_to_stop() -> None:
    for foe, goals in (("F3", None), ("A4", {"E3"})):
        foes = side(squad("r", "russian/4-4-7", at="A3"), squad("s", "russian/4-4-7", at=foe, broken=True, dm=True))
        clash = Clash("RtPh", COUNTRY, german=side(squad("a", at="C3", broken=True)), russian=foes)
        found = rout_map(clash.context, clash.state, clash.unit("a")).destinations()
        assert (None if found is None else {clash.context.label(hex) for hex in found}) == goals


@rules("3.6", system="aslsk3")
def test_3_6_it_stops_in_the_nearest_woods_or_goes_on_into_woods_and_buildings_only() -> None:
    cells = ". . . . . . .\n. . . . . . .\n. . . . w w .\n. . . . . . ."
    foe = side(squad("r", "russian/4-4-7", at="A3"))
    clash = Clash("RtPh", cells, german=side(squad("a", at="C3", broken=True)), russian=foe)
    here = tuple(map(clash.hex, ("D3", "E3")))
    assert clash.why(Rout(A, here)) == ""
    assert clash.why(Rout(A, (*here, clash.hex("F3")))) == "", "woods"
    assert clash.why(Rout(A, (*here, clash.hex("F2")))) == "3.6", "Open Ground"


@rules("3.6", system="aslsk3")
def test_3_6_other_hexes_of_its_own_building_may_be_ignored() -> None:
    """From one room of a long house a unit need not stop in the next, though it is the nearest building."""
    cells = ". . b b . . .\n. . b b . . .\n. . . . . w .\n. . . . . . ."
    clash = Clash(
        "RtPh",
        cells,
        german=side(squad("a", at="C2", broken=True, dm=True)),
        russian=side(squad("r", "russian/4-4-7", at="A2")),
    )
    routes = rout_map(clash.context, clash.state, clash.unit("a"))
    rooms = [hex for hex in routes.ways() if clash.context.ground.place(hex).building == routes.building]
    assert rooms
    assert all(routes.may_ignore(hex) for hex in rooms)
    assert not routes.may_ignore(clash.hex("F3"))


SMOKE = {"C3": "smoke", "E3": "smoke"}
"""With it C3 and E3 do not see each other; D3 sees both."""


@rules("3.6", system="aslsk3")
def test_3_6_pinned_next_to_an_enemy_it_had_not_seen_it_has_failed_to_rout() -> None:
    foes = side(squad("r", "russian/4-4-7", at="D1"), squad("s", "russian/4-4-7", at="E3"))
    men = side(squad("a", at="C3", broken=True, dm=True), squad("b", at="A4"))
    clash = Clash("RtPh", german=men, russian=foes, smoke=SMOKE)
    clash.play(Rout(A, (clash.hex("D3"), clash.hex("D4"))), (3, 4))
    assert clash.saw(ev.UnitPinned, unit=A)
    assert clash.unit("a").place is Whereabouts.ELIMINATED


@rules("3.6", system="aslsk3")
def test_3_6_enemies_seen_on_the_way_bind_it_too() -> None:
    """From C3 the squad in the smoke of F3 is not seen, from D3 it is: nobody routs on towards it."""
    foes = side(squad("r", "russian/4-4-7", at="A3"), squad("s", "russian/4-4-7", at="F3", broken=True, dm=True))
    for smoke, reason in (({"C3": "smoke", "F3": "smoke"}, "come closer"), ({"C3": "smoke"}, "come closer")):
        clash = Clash("RtPh", german=side(squad("a", at="C3", broken=True, dm=True)), russian=foes, smoke=smoke)
        routes = rout_map(clash.context, clash.state, clash.unit("a"))
        path = (clash.hex("D3"), clash.hex("E3"))
        hidden = len(smoke) > 1
        assert clash.context.sees(clash.state, clash.hex("C3"), clash.hex("F3")) != hidden
        assert (routes.path_refusal(path[:1]) == "") == hidden
        assert reason in routes.path_refusal(path)


@rules("3.6", system="aslsk3")
def test_3_6_nor_does_it_go_towards_one_that_it_saw_before() -> None:
    foes = side(squad("r", "russian/4-4-7", at="A3"), squad("s", "russian/4-4-7", at="F3", broken=True, dm=True))
    men = side(squad("a", at="C3", broken=True, dm=True))
    clash = Clash("RtPh", german=men, russian=foes, smoke={"C3": "smoke", "F3": "smoke"})
    there = clash.hex("D3")
    for known, allowed in (((), True), ((UnitId("s"),), False)):
        routes = RoutMap(clash.context, clash.state, clash.unit("a"), known=known)
        assert (routes.step_refusal(clash.hex("C3"), there, routes.known) == "") == allowed


@rules("3.6", system="aslsk3")
def test_3_6_a_wounded_leader_who_routs_along_sets_the_pace() -> None:
    for wounded, mf in ((True, 3), (False, 6)):
        men = side(squad("a", at="C3", broken=True, dm=True), squad("l", "german/8-1", at="C3", wounded=wounded))
        clash = Clash("RtPh", german=men, russian=side(squad("r", "russian/4-4-7", at="A3")))
        assert rout_map(clash.context, clash.state, clash.unit("a"), clash.unit("l")).allowance == 2 * mf


@rules("3.6", system="aslsk3")
@pytest.mark.parametrize(("at", "interdicted"), [("C1", False), ("D1", True), ("Q1", True), ("R1", False)])
def test_3_6_mortars_interdict_from_their_minimum_range_to_16_hexes(at: str, interdicted: bool) -> None:
    gun = {"id": "w", "card": "american/60mm MTR", "owner": "r"}
    foe = side(squad("r", "american/8-0", at="A1"), weapons=[gun])
    clash = Clash("RtPh", "." + " ." * 18, german=side(squad("a", at=at, broken=True)), russian=foe)
    assert clash.unit("a").dm == interdicted


# --- advance ----------------------------------------------------------------------------------------------------


@rules("1.2.5", "3.7", system="aslsk3")
def test_3_7_smoke_costs_an_advance_nothing() -> None:
    """A HMG and a LMG leave a squad two MF: brush would take them all, Open Ground in Smoke does not."""
    guns = [{"id": name, "card": f"german/{name}", "owner": "a"} for name in ("HMG", "LMG")]
    for code, cx in ((".", False), ("x", True)):
        cells = f". {code} . . . . .\n. . . . . . ."
        foe = side(squad("far", "russian/4-4-7", at="G2"))
        clash = Clash("APh", cells, german=side(squad("a", at="A1"), weapons=guns), russian=foe, smoke={"B1": "smoke"})
        clash.play(Advance((A,), clash.hex("B1")))
        assert clash.unit("a").cx == cx


@rules("3.7", "4.0", system="aslsk3")
def test_3_7_no_weapon_is_handed_on_from_advance_to_advance() -> None:
    gun = {"id": "w", "card": "german/LMG", "owner": "a"}
    foe = side(squad("far", "russian/4-4-7", at="G5"))
    clash = Clash("APh", german=side(squad("a", at="A1"), squad("b", at="B1"), weapons=[gun]), russian=foe)
    clash.play(Advance((A,), clash.hex("B1")))
    assert clash.why(TransferWeapon(WeaponId("w"), B)) == "4.0"
    back = Clash("APh", german=side(squad("a", at="A1"), squad("b", at="B1"), weapons=[gun]), russian=foe)
    back.play(Advance((B,), back.hex("A1")))
    assert back.why(TransferWeapon(WeaponId("w"), B)) == "", "it has not moved yet"


# --- close combat -----------------------------------------------------------------------------------------------


def melee(*units: dict[str, Any], foes: list[dict[str, Any]]) -> Clash:
    held = [{**unit, "at": "B2", "melee": True} for unit in units]
    others = [{**unit, "at": "B2", "melee": True} for unit in foes]
    return Clash("CCPh", ". . .\n. b .\n. . .", german=side(*held), russian=side(*others))


@rules("1.2.1", "3.8", system="aslsk3")
@pytest.mark.parametrize(("pinned", "drm"), [(True, 0), (False, -2)])
def test_3_8_a_pinned_leader_directs_no_close_combat(pinned: bool, drm: int) -> None:
    clash = melee(squad("a"), squad("l", "german/9-2", pinned=pinned), foes=[squad("r", "russian/4-4-7")])
    assert attack_drm(clash.context, clash.state.units, CcAttack((A, L), (R,)), "german", "").total == drm


@rules("3.8", system="aslsk3")
def test_3_8_a_leader_alone_has_no_ambush_drm() -> None:
    clash = melee(squad("l", "german/9-2"), foes=[squad("r", "russian/4-4-7"), squad("k", "russian/8-1")])
    hex = clash.hex("B2")
    assert ambush_drm(clash.context, clash.state, hex, "german").total == 0
    assert ambush_drm(clash.context, clash.state, hex, "russian").total == -1


@rules("3.8", system="aslsk3")
def test_3_8_no_ambush_where_nobody_has_advanced() -> None:
    """Both in the house since the last turn, the German rallied in between: no Melee, and nobody came in."""
    house = ". . .\n. b .\n. . ."
    foe = side(squad("r", "russian/4-4-7", at="B2", broken=True, dm=True))
    clash = Clash("CCPh", house, german=side(squad("a", at="B2"), squad("l", "german/8-0", at="B2")), russian=foe)
    assert isinstance(clash.state.stack[-1], CloseCombat)
    clash.play(ArrangeLeaders({L: A}))
    assert not clash.saw(ev.AmbushRolled)


@rules("3.7", "3.8", system="aslsk3")
def test_3_8_reinforcing_a_melee_brings_no_ambush() -> None:
    men = side(squad("a", at="B2", melee=True), squad("b", at="B1"))
    foe = side(squad("r", "russian/4-4-7", at="B2", melee=True))
    clash = Clash("APh", ". . .\n. b .\n. . .", german=men, russian=foe)
    clash.play(Advance((B,), clash.hex("B2")))
    assert isinstance(clash.state.stack[-1], CloseCombat)
    assert clash.unit("b").advanced
    assert not clash.saw(ev.AmbushRolled)


@rules("3.6", system="aslsk3")
def test_3_6_a_rout_does_not_leave_woods_for_other_woods_across_open_ground() -> None:
    cells = ". . . . . . .\n. . . . . . .\n. . . . w . .\n. . . . . . .\n. . . . w . .\n. . . . . . ."
    foe = side(squad("r", "russian/4-4-7", at="A4"))
    clash = Clash("RtPh", cells, german=side(squad("a", at="C4", broken=True)), russian=foe)
    goals = rout_map(clash.context, clash.state, clash.unit("a")).destinations()
    assert goals == frozenset((clash.hex("E3"), clash.hex("E5")))
    to_one = tuple(map(clash.hex, ("D3", "E3")))
    assert clash.why(Rout(A, to_one)) == ""
    assert clash.why(Rout(A, (*to_one, clash.hex("E4"), clash.hex("E5")))) == "3.6"


@rules("5.3", system="aslsk3")
def test_5_3_the_best_mmc_of_an_attack_is_the_base_of_a_promotion() -> None:
    """A conscript and an elite squad roll a 2 together: the drm is that of the elite squad."""
    clash = melee(squad("c", "german/4-3-6"), squad("e", "german/5-4-8"), foes=[squad("r", "russian/4-4-7")])
    attack = CcAttack((UnitId("c"), UnitId("e")), (R,))
    clash.play(DeclareCloseCombat((attack,)))
    clash.play(DeclareCloseCombat(), (1, 1), 6)
    created = next(event for event in clash.events if isinstance(event, ev.LeaderCreated))
    assert (created.unit, created.number.total) == ("e", -2)


@rules("3.8", system="aslsk3")
def test_3_8_where_only_broken_units_are_left_nobody_is_held_in_melee() -> None:
    foes = [squad("r", "russian/4-4-7"), squad("s", "russian/4-4-7", broken=True, dm=True)]
    clash = melee(squad("a"), squad("b", broken=True, dm=True), foes=foes)
    clash.play(DeclareCloseCombat((CcAttack((A,), (R,)),)))
    clash.play(DeclareCloseCombat((CcAttack((R,), (A,)),)), (1, 2), (1, 2))
    assert (clash.unit("b").melee, clash.unit("s").melee) == (False, False)
    assert clash.unit("b").hex == clash.unit("s").hex


@rules("3.8", system="aslsk3")
def test_3_8_a_leader_and_his_unit_attack_and_are_attacked_as_one() -> None:
    foes = [squad("r", "russian/4-4-7"), squad("k", "russian/8-1")]
    clash = melee(squad("a"), squad("l", "german/8-1"), foes=foes)
    k = UnitId("k")
    clash.play(ArrangeLeaders({L: A}))
    clash.play(ArrangeLeaders({k: R}))
    for by, against in (((A,), (R, k)), ((A, L), (R,)), ((A, L), (k,))):
        assert clash.why(DeclareCloseCombat((CcAttack(by, against),))) == "3.8"
    assert clash.why(DeclareCloseCombat((CcAttack((A, L), (R, k)),))) == ""
