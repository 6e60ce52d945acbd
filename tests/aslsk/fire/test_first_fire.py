"""3.3.3, 3.3.5: Defensive First Fire, Subsequent First Fire, Final Protective Fire, residual FP, standing orders."""

from typing import Any

import pytest

from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import Continue, Fire, FireOrdnance, HoldFire, Move
from sandtable.systems.aslsk.pieces.state import FirstFire, Hold, Mark, MoveStep, StepKind, UnitId, WeaponId
from tests.aslsk.clash import Clash, side, squad

rules = pytest.mark.rules
A, B, L, R, S = UnitId("a"), UnitId("b"), UnitId("l"), UnitId("r"), UnitId("s")
MG = WeaponId("mg")
FIELD = """
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
"""
MISS = (6, 5)


def mph(*movers: dict[str, Any], german: Any = None, cells: str = FIELD, **fields: Any) -> Clash:
    """Russians move under the eyes of a German squad in A1."""
    german = german if german is not None else side(squad("a", at="A1"))
    russian = side(*movers, weapons=fields.pop("weapons", ()))
    return Clash("MPh", cells, russian=russian, german=german, attacker="russian", **fields)


def mover(name: str = "r", at: str = "F1", card: str = "russian/4-4-7", **flags: Any) -> dict[str, Any]:
    return squad(name, card, at=at, **flags)


def move(clash: Clash, *labels: str, units: tuple[UnitId, ...] = (R,), dice: Any = (), **flags: Any) -> None:
    clash.play(Move(units, tuple(MoveStep(StepKind.ENTER, clash.hex(label)) for label in labels), **flags), *dice)


def go_on(clash: Clash, *labels: str, units: tuple[UnitId, ...] = (R,), dice: Any = ()) -> None:
    clash.play(Continue(units, tuple(MoveStep(StepKind.ENTER, clash.hex(label)) for label in labels)), *dice)


def fired(clash: Clash) -> ev.FireResolved:
    return next(event for event in clash.events if isinstance(event, ev.FireResolved))


def is_asked(clash: Clash) -> bool:
    return isinstance(clash.state.stack[-1], FirstFire)


# --- the window -------------------------------------------------------------------------------------------------


@rules("3.3.3", system="aslsk3")
def test_3_3_3_the_defender_is_asked_after_every_mf_spent_and_the_mover_anew_after_fire() -> None:
    clash = mph(mover())
    move(clash, "E1", "D1", "C1")
    assert clash.asked == "german"
    clash.play(HoldFire())
    assert clash.unit("r").hex == clash.hex("D1")
    clash.play(Fire((A,), (), clash.hex("D1")), MISS)
    assert clash.asked == "russian"
    go_on(clash, "D2")
    assert clash.unit("r").hex == clash.hex("D2")


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
    clash = mph(mover(), mover("s", at="D1"))
    move(clash, "E1", "D1")
    clash.play(HoldFire())
    clash.play(Fire((A,), (), clash.hex("D1")), MISS)
    assert fired(clash).targets == ("r",)
    assert clash.unit("a").mark is Mark.FIRST_FIRE


@rules("3.3.3", system="aslsk3")
def test_3_3_3_only_at_the_hex_of_the_movers() -> None:
    clash = mph(mover(), mover("s", at="D1"))
    move(clash, "E1")
    assert clash.why(Fire((A,), (), clash.hex("D1"))) == "3.3.3"


@rules("3.3.3", system="aslsk3")
@pytest.mark.parametrize(
    ("cells", "assault", "drm"),
    [(". . . . . .", False, -2), (". . . . . .", True, -1), (". . . o . .", False, -1), (". . . w . .", True, 1)],
)
def test_3_3_3_ffnam_and_ffmo(cells: str, assault: bool, drm: int) -> None:
    clash = mph(mover(at="E1"), cells=cells)
    move(clash, "D1", assault=assault)
    clash.play(Fire((A,), (), clash.hex("D1")), MISS)
    assert fired(clash).drm.total == drm


@rules("1.1.1", "3.3.3", system="aslsk3")
def test_1_1_1_across_the_trees_beside_the_road_the_woods_count() -> None:
    road = [{"kind": "dirt_road", "line": ["A1", "A2", "A3"]}]
    clash = mph(mover(at="A3"), german=side(squad("a", at="B1")), cells=". .\nw .\n. .", features=road)
    clash.play(Move((R,), (MoveStep(StepKind.ENTER, clash.hex("A2")),)))
    clash.play(Fire((A,), (), clash.hex("A2")), (6, 6))
    assert [term.label for term in fired(clash).drm.terms] == ["woods", "FFNAM"]


@rules("3.3.3", "1.2.5", system="aslsk3")
def test_3_3_3_a_hindrance_takes_ffmo_away() -> None:
    clash = mph(mover(at="E1"), cells=". . o . . .")
    move(clash, "D1")
    clash.play(Fire((A,), (), clash.hex("D1")), MISS)
    assert [term.label for term in fired(clash).drm.terms] == ["Hindrance", "FFNAM"]


@rules("3.3.3", system="aslsk3")
def test_3_3_3_mf_spent_without_moving_may_be_fired_at() -> None:
    clash = mph(mover(at="C1", card="american/7-4-7"))
    clash.play(Move((R,), (MoveStep(StepKind.SMOKE, clash.hex("C2"), R),)), 5)
    assert is_asked(clash)
    clash.play(Fire((A,), (), clash.hex("C1")), MISS)
    assert fired(clash).drm.total == -2


@rules("3.3.3", system="aslsk3")
def test_3_3_3_a_firer_fires_as_often_as_mf_were_spent_in_the_location() -> None:
    german = side(squad("a", at="A1"), squad("b", at="A2"))
    clash = mph(mover(at="D1"), german=german, cells=". . w . . .\n. . . . . .")
    move(clash, "C1")
    clash.play(Fire((A,), (), clash.hex("C1")), MISS)
    assert clash.why(Fire((A,), (), clash.hex("C1"))) == ""
    clash.play(Fire((A,), (), clash.hex("C1")), MISS)
    assert clash.why(Fire((A,), (), clash.hex("C1"))) == "3.3.3"
    once = mph(mover(at="D1"), german=german)
    move(once, "C1")
    once.play(Fire((A,), (), once.hex("C1")), MISS)
    assert once.why(Fire((A,), (), once.hex("C1"))) == "3.3.3"


@rules("3.2.2", "3.3.3", system="aslsk3")
def test_3_2_2_units_of_one_hex_fire_at_one_expenditure_together() -> None:
    clash = mph(mover(at="D1"), german=side(squad("a", at="A1"), squad("b", at="A1")), cells=". . w . . .")
    move(clash, "C1")
    clash.play(Fire((A,), (), clash.hex("C1")), MISS)
    assert clash.why(Fire((B,), (), clash.hex("C1"))) == "3.2.2"
    assert clash.why(Fire((A,), (), clash.hex("C1"))) == ""


# --- broken and pinned movers -----------------------------------------------------------------------------------


@rules("3.2.3", "3.3.3", system="aslsk3")
def test_3_3_3_a_pinned_mover_stops_and_is_spared_ffmo_and_ffnam() -> None:
    german = side(squad("a", "german/8-3-8", at="A1"), squad("b", "german/8-3-8", at="A2"))
    clash = mph(mover(), german=german)
    move(clash, "E1", "D1", "C1")
    clash.play(HoldFire())
    clash.play(HoldFire())
    clash.play(Fire((A,), (), clash.hex("C1")), (3, 6), (2, 4))
    assert clash.unit("r").pinned
    clash.play(Fire((B,), (), clash.hex("C1")), MISS)
    assert fired(clash).drm.total == 0
    assert clash.unit("r").hex == clash.hex("C1")
    assert clash.saw(ev.MoveEnded, units=("r",))


@rules("3.3.3", system="aslsk3")
def test_3_3_3_a_broken_assault_mover_is_subject_to_ffnam() -> None:
    german = side(squad("a", "german/8-3-8", at="A1"), squad("b", "german/8-3-8", at="A2"))
    clash = mph(mover(at="D1"), german=german)
    move(clash, "C1", assault=True)
    clash.play(Fire((A,), (), clash.hex("C1")), (2, 5), (4, 5))
    assert clash.unit("r").broken
    clash.play(Fire((B,), (), clash.hex("C1")), MISS)
    assert fired(clash).drm.total == -2


# --- subsequent first fire --------------------------------------------------------------------------------------


def marked(mark: str, *others: dict[str, Any], card: str = "german/4-6-7", guns: Any = ()) -> dict[str, Any]:
    return side(squad("a", card, at="A1", mark=mark), *others, weapons=guns)


@rules("3.3.3", system="aslsk3")
def test_3_3_3_subsequent_first_fire_is_halved_and_final() -> None:
    clash = mph(mover(), german=marked("First Fire"))
    move(clash, "E1")
    clash.play(Fire((A,), (), clash.hex("E1")), MISS)
    assert fired(clash).kind == "Subsequent First Fire"
    assert fired(clash).firepower.net == 2
    assert clash.saw(ev.MarksPlaced, mark=Mark.FINAL_FIRE, units=("a",))


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
    clash = mph(mover(at="F1"), crew, german=marked("First Fire"), cells=woods, weapons=[gun])
    move(clash, "E1")
    clash.play(Fire((A,), (), clash.hex("E1")), MISS)
    assert fired(clash).kind == "Subsequent First Fire"


@rules("3.3.3", "4.1", system="aslsk3")
@pytest.mark.parametrize(
    ("roll", "event"), [((4, 6), ev.WeaponMalfunctioned), ((5, 6), ev.WeaponMalfunctioned), ((6, 6), ev.WeaponRemoved)]
)
def test_3_3_3_a_mg_in_subsequent_first_fire_breaks_down_two_sooner(roll: tuple[int, int], event: type[Any]) -> None:
    gun = {"id": "mg", "card": "german/MMG", "owner": "a", "mark": "First Fire"}
    clash = mph(mover(), german=marked("First Fire", guns=[gun]))
    move(clash, "E1")
    clash.play(Fire((A,), (MG,), clash.hex("E1")), roll)
    assert clash.saw(event, weapon=MG)


@rules("3.3.3", system="aslsk3")
def test_3_3_3_all_weapons_of_the_unit_become_final_fire() -> None:
    gun = {"id": "mg", "card": "german/MMG", "owner": "a"}
    clash = mph(mover(), german=marked("First Fire", squad("b", at="A2"), guns=[gun]))
    move(clash, "E1")
    clash.play(Fire((A,), (), clash.hex("E1")), MISS)
    assert clash.state.weapons[MG].mark is Mark.FINAL_FIRE


@rules("3.2.2", "3.3.3", system="aslsk3")
def test_3_2_2_cowering_in_first_fire_leaves_final_fire() -> None:
    clash = mph(mover(at="E1"), german=side(squad("a", at="A1"), squad("b", at="A2")))
    move(clash, "D1")
    clash.play(Fire((A,), (), clash.hex("D1")), (6, 6))
    assert clash.unit("a").mark is Mark.FINAL_FIRE


# --- final protective fire --------------------------------------------------------------------------------------


@rules("3.3.3", system="aslsk3")
def test_3_3_3_final_protective_fire_only_at_adjacent_movers() -> None:
    clash = mph(mover(at="D1"), german=marked("Final Fire", squad("b", at="A2")))
    move(clash, "C1")
    assert clash.why(Fire((A,), (), clash.hex("C1"))) == "3.3.3"


@rules("3.3.3", "5.1", system="aslsk3")
@pytest.mark.parametrize(
    ("roll", "broken", "pinned"), [((2, 4), False, False), ((3, 4), False, True), ((3, 5), True, False)]
)
def test_3_3_3_the_dr_of_fpf_is_a_nmc_of_the_firer(roll: tuple[int, int], broken: bool, pinned: bool) -> None:
    clash = mph(mover(at="C1"), german=marked("Final Fire", card="german/2-4-7"), cells=". b . .")
    move(clash, "B1")
    clash.play(Fire((A,), (), clash.hex("B1")), roll)
    assert fired(clash).firepower.net == 2
    assert (clash.unit("a").broken, clash.unit("a").pinned) == (broken, pinned)


@rules("3.3.3", system="aslsk3")
def test_3_3_3_fpf_goes_on_while_the_unit_holds() -> None:
    clash = mph(mover(at="C1"), german=marked("Final Fire", card="german/2-4-8"), cells=". b . .")
    move(clash, "B1")
    clash.play(Fire((A,), (), clash.hex("B1")), (2, 4))
    assert is_asked(clash)
    clash.play(Fire((A,), (), clash.hex("B1")), (2, 5))
    assert not is_asked(clash)


@rules("3.3.3", "3.4", system="aslsk3")
def test_3_4_a_leader_directs_the_same_firers_again_and_checks_with_them() -> None:
    directed = squad("l", "german/8-1", at="A1", mark="Final Fire", directed=["a"])
    german = marked("Final Fire", directed, squad("b", at="A1", mark="Final Fire"))
    clash = mph(mover(at="C1"), german=german, cells=". b . .")
    move(clash, "B1")
    assert clash.why(Fire((A, B), (), clash.hex("B1"), (L,))) == "3.2.2"
    clash.play(Fire((A,), (), clash.hex("B1"), (L,)), (2, 5))
    checks = [event for event in clash.events if isinstance(event, ev.MoraleChecked) and event.check == "FPF"]
    assert [(event.unit, event.number.total) for event in checks] == [("l", 8), ("a", 8)]


@rules("3.2.2", "3.3.3", system="aslsk3")
def test_3_3_3_who_cannot_use_all_his_fp_for_fpf_is_not_asked() -> None:
    """The MG has fired at the movers without its squad, which may not join now, and FPF takes both."""
    german = side(squad("a", at="A1"), weapons=[{"id": "mg", "card": "german/LMG", "owner": "a"}])
    clash = mph(mover(at="C1"), german=german, cells=". b . .")
    move(clash, "B1")
    clash.play(Fire((), (MG,), clash.hex("B1")), (5, 5))
    assert clash.unit("a").mark is Mark.FINAL_FIRE
    assert clash.why(Fire((), (MG,), clash.hex("B1"))) != ""
    assert not is_asked(clash)


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
    clash = mph(mover(at="C1"), german=german, cells=". b . .")
    move(clash, "B1")
    fire = Fire((A,), tuple(sorted(map(WeaponId, named))), clash.hex("B1"))
    assert clash.why(fire) == why
    assert (fire in clash.options()) == (not why)


# --- residual fire ----------------------------------------------------------------------------------------------


@rules("3.3.5", system="aslsk3")
@pytest.mark.parametrize(
    ("card", "fp"), [("german/2-4-7", 1), ("german/4-6-7", 2), ("american/7-4-7", 2), ("german/8-3-8", 4)]
)
def test_3_3_5_half_of_the_column_is_left(card: str, fp: int) -> None:
    clash = mph(mover(at="D1"), german=side(squad("a", card, at="A1"), squad("l", "german/8-0", at="A1")))
    move(clash, "C1")
    clash.play(Fire((A,), (), clash.hex("C1"), (L,)), (6, 6))
    assert [counter.fp for counter in clash.state.residual] == [fp]


@rules("3.3.5", system="aslsk3")
def test_3_3_5_positive_drm_from_outside_lessen_it_and_smoke_in_the_hex_does_not() -> None:
    german = side(squad("a", "german/8-3-8", at="A1", cx=True))
    clash = mph(mover(at="E1"), german=german, cells=". . o . . .")
    move(clash, "D1")
    clash.play(Fire((A,), (), clash.hex("D1")), MISS)
    assert [counter.fp for counter in clash.state.residual] == [1]
    smoke = mph(mover(at="D1"), german=side(squad("a", "german/8-3-8", at="A1")), smoke={"C1": "smoke grenades"})
    move(smoke, "C1")
    smoke.play(Fire((A,), (), smoke.hex("C1")), MISS)
    assert [counter.fp for counter in smoke.state.residual] == [4]


@rules("3.3.5", "1.2.4.1", system="aslsk3")
def test_3_3_5_a_weapon_that_keeps_its_rof_leaves_none() -> None:
    gun = {"id": "mg", "card": "german/HMG", "owner": "a"}
    clash = mph(mover(at="D1"), german=side(squad("a", at="A1"), weapons=[gun]))
    move(clash, "C1")
    clash.play(Fire((), (MG,), clash.hex("C1")), (3, 6), (1, 2))
    assert clash.state.residual == ()
    assert clash.state.weapons[MG].mark is Mark.NONE


@rules("3.3.5", system="aslsk3")
def test_3_3_5_residual_fp_attacks_whoever_enters_before_the_defender_is_asked() -> None:
    clash = mph(mover(at="D1"), mover("s", at="D1"), residual={"C1": 4}, german=side(squad("a", at="I3", broken=True)))
    move(clash, "C1", dice=[(3, 6), (2, 2)])
    assert (fired(clash).kind, fired(clash).column, fired(clash).drm.total) == ("Residual FP", 4, -2)
    clash.play(Continue())
    move(clash, "C1", units=(S,), dice=[MISS])
    assert fired(clash).targets == ("s",)


@rules("3.3.5", system="aslsk3")
def test_3_3_5_once_a_location_and_again_only_at_a_better_drm() -> None:
    clash = mph(
        mover(at="D1", card="american/7-4-7"),
        residual={"C1": 4},
        german=side(squad("a", at="I3", broken=True)),
    )
    throw = MoveStep(StepKind.SMOKE, clash.hex("C1"), R)
    clash.play(Move((R,), (MoveStep(StepKind.ENTER, clash.hex("C1")),), halt=True), MISS)
    clash.play(Continue((R,), (throw,)), 5)
    assert not clash.saw(ev.FireResolved)


@rules("3.3.5", system="aslsk3")
def test_3_3_5_a_larger_counter_replaces_a_smaller_and_all_go_at_the_end() -> None:
    clash = mph(mover(at="D1"), german=side(squad("a", "german/8-3-8", at="A1")), residual={"C1": 6})
    move(clash, "C1", dice=[MISS])
    clash.play(Fire((A,), (), clash.hex("C1")), MISS, (1, 2))
    assert [counter.fp for counter in clash.state.residual] == [6]


# --- standing orders --------------------------------------------------------------------------------------------


@rules("3.3.3", system="aslsk3")
def test_a_standing_order_holds_fire_until_somebody_is_in_the_open_near_by() -> None:
    clash = mph(mover(at="G1"), cells=". . . . . . w .")
    move(clash, "F1", "E1", "D1", "C1")
    assert is_asked(clash)
    clash.play(HoldFire(Hold(open_within=3)))
    assert clash.unit("r").hex == clash.hex("D1")
    assert is_asked(clash)


@rules("3.3.3", system="aslsk3")
def test_a_standing_order_may_wait_for_the_adjacent_or_for_nothing() -> None:
    clash = mph(mover(at="F1"), mover("s", at="F2"))
    move(clash, "E1", "D1", "C1", "B1")
    clash.play(HoldFire(Hold(adjacent=True)))
    assert clash.unit("r").hex == clash.hex("B1")
    assert is_asked(clash)
    clash.play(HoldFire(Hold()))
    move(clash, "E2", "D2", units=(S,))
    assert clash.unit("s").hex == clash.hex("D2")
    assert not is_asked(clash)


@rules("3.3.3", system="aslsk3")
def test_a_standing_order_wakes_for_what_a_vehicle_sees() -> None:
    tank = {"id": "t", "card": "german/PzKpfw IVH", "at": "A1", "vca": "NE/SE", "tca": "NE/SE"}
    clash = Clash(
        "MPh",
        ". . . . . . w .",
        attacker="russian",
        german=side(vehicles=[tank]),
        russian=side(squad("r", "russian/4-4-7", at="G1")),
    )
    move(clash, "F1", "E1", "D1", "C1")
    assert is_asked(clash)
    clash.play(HoldFire(Hold(open_within=3)))
    assert clash.unit("r").hex == clash.hex("D1")
    assert is_asked(clash)


def test_a_standing_order_names_no_more_than_six_hexes() -> None:
    clash = mph(mover())
    move(clash, "E1")
    assert clash.why(HoldFire(Hold(open_within=7))) == "3.3.3"
    assert clash.rules.conceal(clash.state, None).holds == {}


@rules("3.3.3", system="aslsk3")
def test_3_3_3_whoever_is_ticked_for_fpf_all_of_the_unit_fires() -> None:
    gun = {"id": "mg", "card": "german/MMG", "owner": "a", "mark": "Final Fire"}
    clash = mph(mover(at="C1"), german=marked("Final Fire", guns=[gun]), cells=". b . .")
    move(clash, "B1")
    whole = Fire((A,), (MG,), clash.hex("B1"))
    assert [action for action in clash.options() if isinstance(action, Fire)] == [whole]
    options = clash.decision.options(clash.decision.asked[0])
    for keys in (("-", "fire"), ("fire", "-"), ("fire", "fire")):
        (action,) = options.at(*options.settled(("B1", *keys, "done")))
        assert action == whole


@rules("1.1.1", "4.5", system="aslsk3")
@pytest.mark.parametrize(("card", "ffmo"), [("german/50mm MTR", True), ("german/MMG", False)])
def test_1_1_1_height_is_no_advantage_against_mortars_and_does_not_spare_ffmo(card: str, ffmo: bool) -> None:
    """Two on the hill, along its crest: fire from below has Height Advantage against it, but not a mortar's."""
    gun = {"id": "mg", "card": card, "owner": "a"}
    clash = mph(mover(at="D1"), german=side(squad("a", at="A1"), weapons=[gun]), cells=". . .1 .1 .1")
    assert clash.context.sees(clash.state, clash.hex("A1"), clash.hex("C1"))
    move(clash, "C1")
    target = clash.hex("C1")
    if ffmo:
        clash.play(FireOrdnance(target, weapon=MG), (5, 5))
        shot = next(event for event in clash.events if isinstance(event, ev.OrdnanceResolved))
        terms = {term.label for term in shot.number.terms}
    else:
        clash.play(Fire((), (MG,), target), MISS)
        terms = {term.label for term in fired(clash).drm.terms}
    assert ("FFMO" in terms) == ffmo
    assert ("Height Advantage" in terms) != ffmo
