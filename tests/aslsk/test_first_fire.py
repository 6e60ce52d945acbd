"""3.3.3, 3.3.5: Defensive First Fire, Subsequent First Fire, Final Protective Fire, residual FP, standing orders."""

from typing import Any

import pytest

from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import Continue, Fire, FireOrdnance, HoldFire, Move
from sandtable.systems.aslsk.pieces.state import FirstFire, Hold, Mark, MoveStep, StepKind, UnitId, WeaponId
from tests.aslsk.desk import Desk, side, squad

rules = pytest.mark.rules
A, B, L, R, S = UnitId("a"), UnitId("b"), UnitId("l"), UnitId("r"), UnitId("s")
MG = WeaponId("mg")
FIELD = """
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
"""
MISS = (6, 5)


def mph(*movers: dict[str, Any], german: Any = None, cells: str = FIELD, **fields: Any) -> Desk:
    """Russians move under the eyes of a German squad in A1."""
    german = german if german is not None else side(squad("a", at="A1"))
    russian = side(*movers, weapons=fields.pop("weapons", ()))
    return Desk("MPh", cells, russian=russian, german=german, attacker="russian", **fields)


def mover(name: str = "r", at: str = "F1", card: str = "russian/4-4-7", **flags: Any) -> dict[str, Any]:
    return squad(name, card, at=at, **flags)


def move(desk: Desk, *labels: str, units: tuple[UnitId, ...] = (R,), dice: Any = (), **flags: Any) -> None:
    desk.play(Move(units, tuple(MoveStep(StepKind.ENTER, desk.hex(label)) for label in labels), **flags), *dice)


def go_on(desk: Desk, *labels: str, units: tuple[UnitId, ...] = (R,), dice: Any = ()) -> None:
    desk.play(Continue(units, tuple(MoveStep(StepKind.ENTER, desk.hex(label)) for label in labels)), *dice)


def fired(desk: Desk) -> ev.FireResolved:
    return next(event for event in desk.events if isinstance(event, ev.FireResolved))


def is_asked(desk: Desk) -> bool:
    return isinstance(desk.state.stack[-1], FirstFire)


# --- the window -------------------------------------------------------------------------------------------------


@rules("3.3.3", system="aslsk3")
def test_3_3_3_the_defender_is_asked_after_every_mf_spent_and_the_mover_anew_after_fire() -> None:
    desk = mph(mover())
    move(desk, "E1", "D1", "C1")
    assert desk.asked == "german"
    desk.play(HoldFire())
    assert desk.unit("r").hex == desk.hex("D1")
    desk.play(Fire((A,), (), desk.hex("D1")), MISS)
    assert desk.asked == "russian"
    go_on(desk, "D2")
    assert desk.unit("r").hex == desk.hex("D2")


@rules("3.3.3", "3.2.1", system="aslsk3")
def test_3_3_3_nobody_is_asked_without_a_los_or_out_of_range() -> None:
    wall = """
    . . .
    b . .
    . . .
    """
    hidden = mph(mover(at="B3"), cells=wall)
    move(hidden, "A3")
    assert not is_asked(hidden)
    row = "." + " ." * 16
    far = mph(mover(at="P1"), cells=row)
    move(far, "O1")
    assert not is_asked(far)


@rules("3.3.3", system="aslsk3")
def test_3_3_3_first_fire_affects_the_movers_alone() -> None:
    desk = mph(mover(), mover("s", at="D1"))
    move(desk, "E1", "D1")
    desk.play(HoldFire())
    desk.play(Fire((A,), (), desk.hex("D1")), MISS)
    assert fired(desk).targets == ("r",)
    assert desk.unit("a").mark is Mark.FIRST_FIRE


@rules("3.3.3", system="aslsk3")
def test_3_3_3_only_at_the_hex_of_the_movers() -> None:
    desk = mph(mover(), mover("s", at="D1"))
    move(desk, "E1")
    assert desk.why(Fire((A,), (), desk.hex("D1"))) == "3.3.3"


@rules("3.3.3", system="aslsk3")
@pytest.mark.parametrize(
    ("cells", "assault", "drm"),
    [(". . . . . .", False, -2), (". . . . . .", True, -1), (". . . o . .", False, -1), (". . . w . .", True, 1)],
)
def test_3_3_3_ffnam_and_ffmo(cells: str, assault: bool, drm: int) -> None:
    desk = mph(mover(at="E1"), cells=cells)
    move(desk, "D1", assault=assault)
    desk.play(Fire((A,), (), desk.hex("D1")), MISS)
    assert fired(desk).drm.total == drm


@rules("1.1.1", "3.3.3", system="aslsk3")
def test_1_1_1_across_the_trees_beside_the_road_the_woods_count() -> None:
    road = [{"kind": "dirt_road", "line": ["A1", "A2", "A3"]}]
    desk = mph(mover(at="A3"), german=side(squad("a", at="B1")), cells=". .\nw .\n. .", features=road)
    desk.play(Move((R,), (MoveStep(StepKind.ENTER, desk.hex("A2")),)))
    desk.play(Fire((A,), (), desk.hex("A2")), (6, 6))
    assert [term.label for term in fired(desk).drm.terms] == ["woods", "FFNAM"]


@rules("3.3.3", "1.2.5", system="aslsk3")
def test_3_3_3_a_hindrance_takes_ffmo_away() -> None:
    desk = mph(mover(at="E1"), cells=". . o . . .")
    move(desk, "D1")
    desk.play(Fire((A,), (), desk.hex("D1")), MISS)
    assert [term.label for term in fired(desk).drm.terms] == ["Hindrance", "FFNAM"]


@rules("3.3.3", system="aslsk3")
def test_3_3_3_mf_spent_without_moving_may_be_fired_at() -> None:
    desk = mph(mover(at="C1", card="american/7-4-7"))
    desk.play(Move((R,), (MoveStep(StepKind.SMOKE, desk.hex("C2"), R),)), 5)
    assert is_asked(desk)
    desk.play(Fire((A,), (), desk.hex("C1")), MISS)
    assert fired(desk).drm.total == -2


@rules("3.3.3", system="aslsk3")
def test_3_3_3_a_firer_fires_as_often_as_mf_were_spent_in_the_location() -> None:
    german = side(squad("a", at="A1"), squad("b", at="A2"))
    desk = mph(mover(at="D1"), german=german, cells=". . w . . .\n. . . . . .")
    move(desk, "C1")
    desk.play(Fire((A,), (), desk.hex("C1")), MISS)
    assert desk.why(Fire((A,), (), desk.hex("C1"))) == ""
    desk.play(Fire((A,), (), desk.hex("C1")), MISS)
    assert desk.why(Fire((A,), (), desk.hex("C1"))) == "3.3.3"
    once = mph(mover(at="D1"), german=german)
    move(once, "C1")
    once.play(Fire((A,), (), once.hex("C1")), MISS)
    assert once.why(Fire((A,), (), once.hex("C1"))) == "3.3.3"


@rules("3.2.2", "3.3.3", system="aslsk3")
def test_3_2_2_units_of_one_hex_fire_at_one_expenditure_together() -> None:
    desk = mph(mover(at="D1"), german=side(squad("a", at="A1"), squad("b", at="A1")), cells=". . w . . .")
    move(desk, "C1")
    desk.play(Fire((A,), (), desk.hex("C1")), MISS)
    assert desk.why(Fire((B,), (), desk.hex("C1"))) == "3.2.2"
    assert desk.why(Fire((A,), (), desk.hex("C1"))) == ""


# --- broken and pinned movers -----------------------------------------------------------------------------------


@rules("3.2.3", "3.3.3", system="aslsk3")
def test_3_3_3_a_pinned_mover_stops_and_is_spared_ffmo_and_ffnam() -> None:
    german = side(squad("a", "german/8-3-8", at="A1"), squad("b", "german/8-3-8", at="A2"))
    desk = mph(mover(), german=german)
    move(desk, "E1", "D1", "C1")
    desk.play(HoldFire())
    desk.play(HoldFire())
    desk.play(Fire((A,), (), desk.hex("C1")), (3, 6), (2, 4))
    assert desk.unit("r").pinned
    desk.play(Fire((B,), (), desk.hex("C1")), MISS)
    assert fired(desk).drm.total == 0
    assert desk.unit("r").hex == desk.hex("C1")
    assert desk.saw(ev.MoveEnded, units=("r",))


@rules("3.3.3", system="aslsk3")
def test_3_3_3_a_broken_assault_mover_is_subject_to_ffnam() -> None:
    german = side(squad("a", "german/8-3-8", at="A1"), squad("b", "german/8-3-8", at="A2"))
    desk = mph(mover(at="D1"), german=german)
    move(desk, "C1", assault=True)
    desk.play(Fire((A,), (), desk.hex("C1")), (2, 5), (4, 5))
    assert desk.unit("r").broken
    desk.play(Fire((B,), (), desk.hex("C1")), MISS)
    assert fired(desk).drm.total == -2


# --- subsequent first fire --------------------------------------------------------------------------------------


def marked(mark: str, *others: dict[str, Any], card: str = "german/4-6-7", guns: Any = ()) -> dict[str, Any]:
    return side(squad("a", card, at="A1", mark=mark), *others, weapons=guns)


@rules("3.3.3", system="aslsk3")
def test_3_3_3_subsequent_first_fire_is_halved_and_final() -> None:
    desk = mph(mover(), german=marked("First Fire"))
    move(desk, "E1")
    desk.play(Fire((A,), (), desk.hex("E1")), MISS)
    assert fired(desk).kind == "Subsequent First Fire"
    assert fired(desk).firepower.net == 2
    assert desk.saw(ev.MarksPlaced, mark=Mark.FINAL_FIRE, units=("a",))


@rules("3.3.3", system="aslsk3")
def test_3_3_3_subsequent_first_fire_within_normal_range_and_not_past_a_closer_enemy() -> None:
    far = mph(mover(at="I1"), german=marked("First Fire", squad("b", at="A1")))
    move(far, "H1")
    assert far.why(Fire((A,), (), far.hex("H1"))) == "3.3.3"
    broken = mover("s", at="C1", broken=True, dm=True)
    closer = mph(mover(at="F1"), broken, german=marked("First Fire", squad("b", at="A1")))
    move(closer, "E1")
    assert closer.why(Fire((A,), (), closer.hex("E1"))) == "3.3.3"


@rules("3.3.3", "6.4", system="aslsk3")
def test_3_3_3_a_closer_enemy_who_is_hidden_is_no_hindrance() -> None:
    """Neither when the fire is judged nor when it is resolved."""
    gun = {"id": "AT", "card": "russian/57mm PTP obr. 43", "owner": "s", "facing": "SW/NW", "hidden": True}
    woods = FIELD.rstrip().removesuffix(". . . . . . . . .") + ". . w . . . . . ."
    crew = squad("s", "russian/2-2-8 crew", at="C3")
    desk = mph(mover(at="F1"), crew, german=marked("First Fire"), cells=woods, weapons=[gun])
    move(desk, "E1")
    desk.play(Fire((A,), (), desk.hex("E1")), MISS)
    assert fired(desk).kind == "Subsequent First Fire"


@rules("3.3.3", "4.1", system="aslsk3")
@pytest.mark.parametrize(
    ("roll", "event"), [((4, 6), ev.WeaponMalfunctioned), ((5, 6), ev.WeaponMalfunctioned), ((6, 6), ev.WeaponRemoved)]
)
def test_3_3_3_a_mg_in_subsequent_first_fire_breaks_down_two_sooner(roll: tuple[int, int], event: type[Any]) -> None:
    gun = {"id": "mg", "card": "german/MMG", "owner": "a", "mark": "First Fire"}
    desk = mph(mover(), german=marked("First Fire", guns=[gun]))
    move(desk, "E1")
    desk.play(Fire((A,), (MG,), desk.hex("E1")), roll)
    assert desk.saw(event, weapon=MG)


@rules("3.3.3", system="aslsk3")
def test_3_3_3_all_weapons_of_the_unit_become_final_fire() -> None:
    gun = {"id": "mg", "card": "german/MMG", "owner": "a"}
    desk = mph(mover(), german=marked("First Fire", squad("b", at="A2"), guns=[gun]))
    move(desk, "E1")
    desk.play(Fire((A,), (), desk.hex("E1")), MISS)
    assert desk.state.weapons[MG].mark is Mark.FINAL_FIRE


@rules("3.2.2", "3.3.3", system="aslsk3")
def test_3_2_2_cowering_in_first_fire_leaves_final_fire() -> None:
    desk = mph(mover(at="E1"), german=side(squad("a", at="A1"), squad("b", at="A2")))
    move(desk, "D1")
    desk.play(Fire((A,), (), desk.hex("D1")), (6, 6))
    assert desk.unit("a").mark is Mark.FINAL_FIRE


# --- final protective fire --------------------------------------------------------------------------------------


@rules("3.3.3", system="aslsk3")
def test_3_3_3_final_protective_fire_only_at_adjacent_movers() -> None:
    desk = mph(mover(at="D1"), german=marked("Final Fire", squad("b", at="A2")))
    move(desk, "C1")
    assert desk.why(Fire((A,), (), desk.hex("C1"))) == "3.3.3"


@rules("3.3.3", "5.1", system="aslsk3")
@pytest.mark.parametrize(
    ("roll", "broken", "pinned"), [((2, 4), False, False), ((3, 4), False, True), ((3, 5), True, False)]
)
def test_3_3_3_the_dr_of_fpf_is_a_nmc_of_the_firer(roll: tuple[int, int], broken: bool, pinned: bool) -> None:
    desk = mph(mover(at="C1"), german=marked("Final Fire", card="german/2-4-7"), cells=". b . .")
    move(desk, "B1")
    desk.play(Fire((A,), (), desk.hex("B1")), roll)
    assert fired(desk).firepower.net == 2
    assert (desk.unit("a").broken, desk.unit("a").pinned) == (broken, pinned)


@rules("3.3.3", system="aslsk3")
def test_3_3_3_fpf_goes_on_while_the_unit_holds() -> None:
    desk = mph(mover(at="C1"), german=marked("Final Fire", card="german/2-4-8"), cells=". b . .")
    move(desk, "B1")
    desk.play(Fire((A,), (), desk.hex("B1")), (2, 4))
    assert is_asked(desk)
    desk.play(Fire((A,), (), desk.hex("B1")), (2, 5))
    assert not is_asked(desk)


@rules("3.3.3", "3.4", system="aslsk3")
def test_3_4_a_leader_directs_the_same_firers_again_and_checks_with_them() -> None:
    directed = squad("l", "german/8-1", at="A1", mark="Final Fire", directed=["a"])
    german = marked("Final Fire", directed, squad("b", at="A1", mark="Final Fire"))
    desk = mph(mover(at="C1"), german=german, cells=". b . .")
    move(desk, "B1")
    assert desk.why(Fire((A, B), (), desk.hex("B1"), (L,))) == "3.2.2"
    desk.play(Fire((A,), (), desk.hex("B1"), (L,)), (2, 5))
    checks = [event for event in desk.events if isinstance(event, ev.MoraleChecked) and event.check == "FPF"]
    assert [(event.unit, event.number.total) for event in checks] == [("l", 8), ("a", 8)]


@rules("3.2.2", "3.3.3", system="aslsk3")
def test_3_3_3_who_cannot_use_all_his_fp_for_fpf_is_not_asked() -> None:
    """The MG has fired at the movers without its squad, which may not join now, and FPF takes both."""
    german = side(squad("a", at="A1"), weapons=[{"id": "mg", "card": "german/LMG", "owner": "a"}])
    desk = mph(mover(at="C1"), german=german, cells=". b . .")
    move(desk, "B1")
    desk.play(Fire((), (MG,), desk.hex("B1")), (5, 5))
    assert desk.unit("a").mark is Mark.FINAL_FIRE
    assert desk.why(Fire((), (MG,), desk.hex("B1"))) != ""
    assert not is_asked(desk)


@rules("3.3.3", "4.0", system="aslsk3")
@pytest.mark.parametrize(
    ("card", "used", "named", "why"),
    [
        ("german/4-6-7", ["mg", "two"], ["mg", "two"], ""),
        ("german/4-6-7", ["mg", "two"], ["mg"], "3.3.3"),
        ("german/4-6-7", ["mg", "two"], [], "3.3.3"),
        ("german/4-6-7", ["mg"], ["mg", "two"], ""),
        ("german/4-6-7", ["mg"], ["two"], "3.3.3"),
        ("german/4-6-7", ["mg"], ["mg"], "3.3.3"),
        ("german/4-6-7", [], ["mg", "two"], ""),
        ("german/4-6-7", [], ["two"], "3.3.3"),
        ("german/2-4-7", ["mg"], ["mg"], ""),
        ("german/2-4-7", ["mg"], [], "3.3.3"),
        ("german/2-4-7", ["mg"], ["two"], "4.0"),
    ],
)
def test_3_3_3_fpf_takes_the_weapons_that_were_used_before(
    card: str, used: list[str], named: list[str], why: str
) -> None:
    """As many MG as the unit may use (4.0), and those that it has used already are among them."""
    guns = [{"id": one, "card": "german/LMG", "owner": "a", "mark": "Final Fire"} for one in ("mg", "two")]
    german = side(squad("a", card, at="A1", mark="Final Fire", used=used), weapons=guns)
    desk = mph(mover(at="C1"), german=german, cells=". b . .")
    move(desk, "B1")
    fire = Fire((A,), tuple(sorted(map(WeaponId, named))), desk.hex("B1"))
    assert desk.why(fire) == why
    assert (fire in desk.options()) == (not why)


# --- residual fire ----------------------------------------------------------------------------------------------


@rules("3.3.5", system="aslsk3")
@pytest.mark.parametrize(
    ("card", "fp"), [("german/2-4-7", 1), ("german/4-6-7", 2), ("american/7-4-7", 2), ("german/8-3-8", 4)]
)
def test_3_3_5_half_of_the_column_is_left(card: str, fp: int) -> None:
    desk = mph(mover(at="D1"), german=side(squad("a", card, at="A1"), squad("l", "german/8-0", at="A1")))
    move(desk, "C1")
    desk.play(Fire((A,), (), desk.hex("C1"), (L,)), (6, 6))
    assert [counter.fp for counter in desk.state.residual] == [fp]


@rules("3.3.5", system="aslsk3")
def test_3_3_5_positive_drm_from_outside_lessen_it_and_smoke_in_the_hex_does_not() -> None:
    german = side(squad("a", "german/8-3-8", at="A1", cx=True))
    desk = mph(mover(at="E1"), german=german, cells=". . o . . .")
    move(desk, "D1")
    desk.play(Fire((A,), (), desk.hex("D1")), MISS)
    assert [counter.fp for counter in desk.state.residual] == [1]
    smoke = mph(mover(at="D1"), german=side(squad("a", "german/8-3-8", at="A1")), smoke={"C1": "smoke grenades"})
    move(smoke, "C1")
    smoke.play(Fire((A,), (), smoke.hex("C1")), MISS)
    assert [counter.fp for counter in smoke.state.residual] == [4]


@rules("3.3.5", "1.2.4.1", system="aslsk3")
def test_3_3_5_a_weapon_that_keeps_its_rof_leaves_none() -> None:
    gun = {"id": "mg", "card": "german/HMG", "owner": "a"}
    desk = mph(mover(at="D1"), german=side(squad("a", at="A1"), weapons=[gun]))
    move(desk, "C1")
    desk.play(Fire((), (MG,), desk.hex("C1")), (3, 6), (1, 2))
    assert desk.state.residual == ()
    assert desk.state.weapons[MG].mark is Mark.NONE


@rules("3.3.5", system="aslsk3")
def test_3_3_5_residual_fp_attacks_whoever_enters_before_the_defender_is_asked() -> None:
    desk = mph(mover(at="D1"), mover("s", at="D1"), residual={"C1": 4}, german=side(squad("a", at="I3", broken=True)))
    move(desk, "C1", dice=[(3, 6), (2, 2)])
    assert (fired(desk).kind, fired(desk).column, fired(desk).drm.total) == ("Residual FP", 4, -2)
    desk.play(Continue())
    move(desk, "C1", units=(S,), dice=[MISS])
    assert fired(desk).targets == ("s",)


@rules("3.3.5", system="aslsk3")
def test_3_3_5_once_a_location_and_again_only_at_a_better_drm() -> None:
    desk = mph(
        mover(at="D1", card="american/7-4-7"),
        residual={"C1": 4},
        german=side(squad("a", at="I3", broken=True)),
    )
    throw = MoveStep(StepKind.SMOKE, desk.hex("C1"), R)
    desk.play(Move((R,), (MoveStep(StepKind.ENTER, desk.hex("C1")),), halt=True), MISS)
    desk.play(Continue((R,), (throw,)), 5)
    assert not desk.saw(ev.FireResolved)


@rules("3.3.5", system="aslsk3")
def test_3_3_5_a_larger_counter_replaces_a_smaller_and_all_go_at_the_end() -> None:
    desk = mph(mover(at="D1"), german=side(squad("a", "german/8-3-8", at="A1")), residual={"C1": 6})
    move(desk, "C1", dice=[MISS])
    desk.play(Fire((A,), (), desk.hex("C1")), MISS, (1, 2))
    assert [counter.fp for counter in desk.state.residual] == [6]


# --- standing orders --------------------------------------------------------------------------------------------


@rules("3.3.3", system="aslsk3")
def test_a_standing_order_holds_fire_until_somebody_is_in_the_open_near_by() -> None:
    desk = mph(mover(at="G1"), cells=". . . . . . w .")
    move(desk, "F1", "E1", "D1", "C1")
    assert is_asked(desk)
    desk.play(HoldFire(Hold(open_within=3)))
    assert desk.unit("r").hex == desk.hex("D1")
    assert is_asked(desk)


@rules("3.3.3", system="aslsk3")
def test_a_standing_order_may_wait_for_the_adjacent_or_for_nothing() -> None:
    desk = mph(mover(at="F1"), mover("s", at="F2"))
    move(desk, "E1", "D1", "C1", "B1")
    desk.play(HoldFire(Hold(adjacent=True)))
    assert desk.unit("r").hex == desk.hex("B1")
    assert is_asked(desk)
    desk.play(HoldFire(Hold()))
    move(desk, "E2", "D2", units=(S,))
    assert desk.unit("s").hex == desk.hex("D2")
    assert not is_asked(desk)


@rules("3.3.3", system="aslsk3")
def test_a_standing_order_wakes_for_what_a_vehicle_sees() -> None:
    tank = {"id": "t", "card": "german/PzKpfw IVH", "at": "A1", "vca": "NE/SE", "tca": "NE/SE"}
    desk = Desk(
        "MPh",
        ". . . . . . w .",
        attacker="russian",
        german=side(vehicles=[tank]),
        russian=side(squad("r", "russian/4-4-7", at="G1")),
    )
    move(desk, "F1", "E1", "D1", "C1")
    assert is_asked(desk)
    desk.play(HoldFire(Hold(open_within=3)))
    assert desk.unit("r").hex == desk.hex("D1")
    assert is_asked(desk)


def test_a_standing_order_names_no_more_than_six_hexes() -> None:
    desk = mph(mover())
    move(desk, "E1")
    assert desk.why(HoldFire(Hold(open_within=7))) == "3.3.3"
    assert desk.rules.conceal(desk.state, None).holds == {}


@rules("3.3.3", system="aslsk3")
def test_3_3_3_whoever_is_ticked_for_fpf_all_of_the_unit_fires() -> None:
    gun = {"id": "mg", "card": "german/MMG", "owner": "a", "mark": "Final Fire"}
    desk = mph(mover(at="C1"), german=marked("Final Fire", guns=[gun]), cells=". b . .")
    move(desk, "B1")
    whole = Fire((A,), (MG,), desk.hex("B1"))
    assert [action for action in desk.options() if isinstance(action, Fire)] == [whole]
    options = desk.decision.options(desk.decision.asked[0])
    for keys in (("-", "fire"), ("fire", "-"), ("fire", "fire")):
        (action,) = options.at(*options.settled(("B1", *keys, "done")))
        assert action == whole


@rules("1.1.1", "4.5", system="aslsk3")
@pytest.mark.parametrize(("card", "ffmo"), [("german/50mm MTR", True), ("german/MMG", False)])
def test_1_1_1_height_is_no_advantage_against_mortars_and_does_not_spare_ffmo(card: str, ffmo: bool) -> None:
    """Two on the hill, along its crest: fire from below has Height Advantage against it, but not a mortar's."""
    gun = {"id": "mg", "card": card, "owner": "a"}
    desk = mph(mover(at="D1"), german=side(squad("a", at="A1"), weapons=[gun]), cells=". . .1 .1 .1")
    assert desk.context.sees(desk.state, desk.hex("A1"), desk.hex("C1"))
    move(desk, "C1")
    target = desk.hex("C1")
    if ffmo:
        desk.play(FireOrdnance(target, weapon=MG), (5, 5))
        shot = next(event for event in desk.events if isinstance(event, ev.OrdnanceResolved))
        terms = {term.label for term in shot.number.terms}
    else:
        desk.play(Fire((), (MG,), target), MISS)
        terms = {term.label for term in fired(desk).drm.terms}
    assert ("FFMO" in terms) == ffmo
    assert ("Height Advantage" in terms) != ffmo
