"""3.3.1, 3.6, 3.7, 3.8: half sentences of movement, rout, advance and close combat that are easily forgotten."""

from typing import Any

import pytest

from sandtable.systems.aslsk import events as ev
from sandtable.systems.aslsk.actions import Advance, ArrangeLeaders, Continue, HoldFire, Move, Rout
from sandtable.systems.aslsk.close_combat_odds import ambush_drm, attack_drm
from sandtable.systems.aslsk.rout_paths import rout_map
from sandtable.systems.aslsk.state import CcAttack, CloseCombat, Step, StepKind, UnitId, WeaponId
from tests.aslsk.desk import Desk, side, squad

rules = pytest.mark.rules
A, B, L, R = map(UnitId, ("a", "b", "l", "r"))
FAR = side(squad("far", "russian/4-4-7", at="A5"))
ROAD = [{"kind": "dirt_road", "line": ["A1", "B1", "C1", "D1", "E1", "F1", "G1"]}]


def steps(desk: Desk, *hexes: str) -> tuple[Step, ...]:
    return tuple(Step(StepKind.ENTER, desk.hex(label)) for label in hexes)


# --- movement ---------------------------------------------------------------------------------------------------


@rules("1.1.1", "1.2.5", "3.3.1", system="aslsk3")
def test_1_1_1_smoke_on_the_road_costs_the_bonus() -> None:
    """Four hexes of road and a fifth by the bonus; with smoke in the second three hexes for four MF and no more."""
    path = ("B1", "C1", "D1", "E1", "F1")
    clear = Desk("MPh", german=side(squad("a", at="A1")), russian=FAR, features=ROAD)
    assert clear.why(Move((A,), steps(clear, *path))) == ""
    smoky = Desk("MPh", german=side(squad("a", at="A1")), russian=FAR, features=ROAD, smoke={"C1": "smoke grenades"})
    assert smoky.why(Move((A,), steps(smoky, *path[:3]))) == ""
    assert smoky.why(Move((A,), steps(smoky, *path[:4]))) == "3.3.1"


@rules("1.1.1", "3.3.1", system="aslsk3")
def test_1_1_1_mf_spent_on_anything_else_cost_the_road_bonus() -> None:
    gun = {"id": "w", "card": "german/LMG", "at": "A1"}
    desk = Desk("MPh", german=side(squad("a", at="A1"), weapons=[gun]), russian=FAR, features=ROAD)
    pick_up = Step(StepKind.RECOVER, None, A, WeaponId("w"))
    assert desk.why(Move((A,), (pick_up, *steps(desk, "B1", "C1", "D1")))) == ""
    assert desk.why(Move((A,), (pick_up, *steps(desk, "B1", "C1", "D1", "E1")))) == "3.3.1"


@rules("3.3.1", system="aslsk3")
def test_3_3_1_smoke_grenades_are_tried_once_a_mph_even_after_a_halt() -> None:
    desk = Desk("MPh", german=side(squad("a", at="A1")), russian=FAR)
    throw = Step(StepKind.SMOKE, desk.hex("A1"), A)
    desk.play(Move((A,), (throw,), halt=True), 5)
    desk.play(HoldFire())
    assert desk.why(Continue((A,), (throw,))) == "3.3.1"
    assert desk.why(Continue((A,), steps(desk, "B1"))) == ""


@rules("3.3.1", system="aslsk3")
def test_3_3_1_four_leaders_a_hex_and_no_fifth() -> None:
    chiefs = [squad(f"l{number}", "german/8-0", at="B1") for number in range(4)]
    for there, why in ((4, "3.3.1"), (3, "")):
        desk = Desk("MPh", german=side(squad("l", "german/8-0", at="A1"), *chiefs[:there]), russian=FAR)
        assert desk.why(Move((L,), steps(desk, "B1"))) == why


@rules("1.3", "3.3", system="aslsk3")
def test_3_3_units_leave_the_map_only_from_the_turn_that_the_card_names() -> None:
    exits = [{"side": "german", "zone": [{"hexes": ["A1"]}], "from_turn": 5}]
    leave = Move((A,), (Step(StepKind.EXIT, way=5),))
    for turn, why in ((4, "3.3"), (5, "")):
        desk = Desk("MPh", german=side(squad("a", at="A1")), russian=FAR, exits=exits, turn=turn)
        assert desk.why(leave) == why


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
        desk = Desk("RtPh", COUNTRY, german=men, russian=side(squad("r", "russian/4-4-7", at="A3")))
        assert desk.why(Rout(A, (desk.hex("D3"), desk.hex("E3")), escort=L)) == why


@rules("3.6", system="aslsk3")
def test_3_6_woods_next_to_a_broken_enemy_are_no_place_to_stop() -> None:
    for foe, goals in (("F3", None), ("A4", {"E3"})):
        foes = side(squad("r", "russian/4-4-7", at="A3"), squad("s", "russian/4-4-7", at=foe, broken=True, dm=True))
        desk = Desk("RtPh", COUNTRY, german=side(squad("a", at="C3", broken=True)), russian=foes)
        found = rout_map(desk.context, desk.state, desk.unit("a")).destinations()
        assert (None if found is None else {desk.context.label(hex) for hex in found}) == goals


@rules("3.6", system="aslsk3")
def test_3_6_it_stops_in_the_nearest_woods_or_goes_on_into_woods_and_buildings_only() -> None:
    cells = ". . . . . . .\n. . . . . . .\n. . . . w w .\n. . . . . . ."
    foe = side(squad("r", "russian/4-4-7", at="A3"))
    desk = Desk("RtPh", cells, german=side(squad("a", at="C3", broken=True)), russian=foe)
    here = tuple(map(desk.hex, ("D3", "E3")))
    assert desk.why(Rout(A, here)) == ""
    assert desk.why(Rout(A, (*here, desk.hex("F3")))) == "", "woods"
    assert desk.why(Rout(A, (*here, desk.hex("F2")))) == "3.6", "Open Ground"


@rules("3.6", system="aslsk3")
def test_3_6_other_hexes_of_its_own_building_may_be_ignored() -> None:
    """From one room of a long house a unit need not stop in the next, though it is the nearest building."""
    cells = ". . b b . . .\n. . b b . . .\n. . . . . w .\n. . . . . . ."
    desk = Desk(
        "RtPh",
        cells,
        german=side(squad("a", at="C2", broken=True, dm=True)),
        russian=side(squad("r", "russian/4-4-7", at="A2")),
    )
    routes = rout_map(desk.context, desk.state, desk.unit("a"))
    rooms = [hex for hex in routes.ways() if desk.context.ground.place(hex).building == routes.building]
    assert rooms
    assert all(routes.may_ignore(hex) for hex in rooms)
    assert not routes.may_ignore(desk.hex("F3"))


# --- advance ----------------------------------------------------------------------------------------------------


@rules("1.2.5", "3.7", system="aslsk3")
def test_3_7_smoke_costs_an_advance_nothing() -> None:
    """A HMG and a LMG leave a squad two MF: brush would take them all, Open Ground in Smoke does not."""
    guns = [{"id": name, "card": f"german/{name}", "owner": "a"} for name in ("HMG", "LMG")]
    for code, cx in ((".", False), ("x", True)):
        cells = f". {code} . . . . .\n. . . . . . ."
        foe = side(squad("far", "russian/4-4-7", at="G2"))
        desk = Desk("APh", cells, german=side(squad("a", at="A1"), weapons=guns), russian=foe, smoke={"B1": "smoke"})
        desk.play(Advance((A,), desk.hex("B1")))
        assert desk.unit("a").cx == cx


# --- close combat -----------------------------------------------------------------------------------------------


def melee(*units: dict[str, Any], foes: list[dict[str, Any]]) -> Desk:
    held = [{**unit, "at": "B2", "melee": True} for unit in units]
    others = [{**unit, "at": "B2", "melee": True} for unit in foes]
    return Desk("CCPh", ". . .\n. b .\n. . .", german=side(*held), russian=side(*others))


@rules("1.2.1", "3.8", system="aslsk3")
@pytest.mark.parametrize(("pinned", "drm"), [(True, 0), (False, -2)])
def test_3_8_a_pinned_leader_directs_no_close_combat(pinned: bool, drm: int) -> None:
    desk = melee(squad("a"), squad("l", "german/9-2", pinned=pinned), foes=[squad("r", "russian/4-4-7")])
    assert attack_drm(desk.context, desk.state.units, CcAttack((A, L), (R,)), "german", "").total == drm


@rules("3.8", system="aslsk3")
def test_3_8_a_leader_alone_has_no_ambush_drm() -> None:
    desk = melee(squad("l", "german/9-2"), foes=[squad("r", "russian/4-4-7"), squad("k", "russian/8-1")])
    hex = desk.hex("B2")
    assert ambush_drm(desk.context, desk.state, hex, "german").total == 0
    assert ambush_drm(desk.context, desk.state, hex, "russian").total == -1


@rules("3.8", system="aslsk3")
def test_3_8_no_ambush_where_nobody_has_advanced() -> None:
    """Both in the house since the last turn, the German rallied in between: no Melee, and nobody came in."""
    house = ". . .\n. b .\n. . ."
    foe = side(squad("r", "russian/4-4-7", at="B2", broken=True, dm=True))
    desk = Desk("CCPh", house, german=side(squad("a", at="B2"), squad("l", "german/8-0", at="B2")), russian=foe)
    assert isinstance(desk.state.stack[-1], CloseCombat)
    desk.play(ArrangeLeaders({L: A}))
    assert not desk.saw(ev.AmbushRolled)


@rules("3.7", "3.8", system="aslsk3")
def test_3_8_reinforcing_a_melee_brings_no_ambush() -> None:
    men = side(squad("a", at="B2", melee=True), squad("b", at="B1"))
    foe = side(squad("r", "russian/4-4-7", at="B2", melee=True))
    desk = Desk("APh", ". . .\n. b .\n. . .", german=men, russian=foe)
    desk.play(Advance((B,), desk.hex("B2")))
    assert isinstance(desk.state.stack[-1], CloseCombat)
    assert desk.unit("b").advanced
    assert not desk.saw(ev.AmbushRolled)


@rules("3.6", system="aslsk3")
def test_3_6_a_rout_does_not_leave_woods_for_other_woods_across_open_ground() -> None:
    cells = ". . . . . . .\n. . . . . . .\n. . . . w . .\n. . . . . . .\n. . . . w . .\n. . . . . . ."
    foe = side(squad("r", "russian/4-4-7", at="A4"))
    desk = Desk("RtPh", cells, german=side(squad("a", at="C4", broken=True)), russian=foe)
    goals = rout_map(desk.context, desk.state, desk.unit("a")).destinations()
    assert goals == frozenset((desk.hex("E3"), desk.hex("E5")))
    to_one = tuple(map(desk.hex, ("D3", "E3")))
    assert desk.why(Rout(A, to_one)) == ""
    assert desk.why(Rout(A, (*to_one, desk.hex("E4"), desk.hex("E5")))) == "3.6"
